//! The known states of the workspace's folders, and which folder a document belongs to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tower_lsp::ls_types::*;

use super::view::View;
use crate::client::Clients;
use crate::disk::{self, Options};

/// The known state of a folder.
#[derive(Clone)]
pub(super) struct State {
    pub(super) view: Arc<View>,
    pub(super) options: Options,
    /// Whether the folder has been read at least once.
    pub(super) is_read: bool,
    /// The revision up to which documents and configs were applied.
    pub(super) revision: u64,
    /// The revision up to which changes on disk were applied.
    pub(super) on_disk: u64,
    /// The number of changes so far to the known tools, or to the files that refer to them.
    pub(super) facts: u64,
}

/// The known state of every folder.
#[derive(Default)]
pub(super) struct States {
    pub(super) folders: Vec<Arc<State>>,
    /// The revision of the last message that was handled.
    pub(super) seen: u64,
    /// The number of times that a folder was walked for changes on disk.
    #[cfg(test)]
    pub(super) walks: u64,
}

impl States {
    /// The folder that a document belongs to.
    pub(super) fn of(&self, uri: &Uri) -> Option<&Arc<State>> {
        let roots: Vec<&Path> = self.folders.iter().map(|state| state.view.root.as_path()).collect();
        self.folders.get(folder_of(&roots, uri))
    }

    /// Whether every folder has been read at least once.
    pub(super) fn is_ready(&self) -> bool {
        !self.folders.is_empty() && self.folders.iter().all(|state| state.is_read)
    }

    /// The views of the folders to show. The folder without a root is included if it is the only one or has open
    /// documents.
    pub(super) fn shown(&self) -> Vec<Arc<View>> {
        let is_only = self.folders.len() == 1;
        let counts = |view: &View| is_only || !view.root.as_os_str().is_empty() || !view.open.is_empty();
        self.folders.iter().map(|state| Arc::clone(&state.view)).filter(|view| counts(view)).collect()
    }

    /// The revision up to which all changes were applied in every folder.
    pub(super) fn revision(&self) -> u64 {
        self.folders.iter().map(|state| state.on_disk).min().unwrap_or_default()
    }
}

/// The index of the folder that a document belongs to: the one in which it lies, or else the first. The client files of
/// another project belong to the folder without a root, since the servers of that project are unknown.
pub(super) fn folder_of(roots: &[&Path], uri: &Uri) -> usize {
    let path = uri.to_file_path();
    let is_rootless = |root: &&Path| root.as_os_str().is_empty();
    let holds = |root: &&Path| !is_rootless(root) && path.as_ref().is_some_and(|path| path.starts_with(root));
    let is_anothers = || {
        let path = path.as_ref();
        path.is_some_and(|path| {
            Clients::built_in().of_path(&path.to_string_lossy()).is_some() && disk::is_in_project(path)
        })
    };
    let or_rootless = || roots.iter().position(is_rootless).filter(|_| is_anothers());
    roots.iter().position(holds).or_else(or_rootless).unwrap_or(0)
}

/// The folders, followed by one without a root for documents that lie in none of them.
pub(super) fn with_rootless(mut roots: Vec<PathBuf>) -> Vec<PathBuf> {
    roots.retain(|root| !root.as_os_str().is_empty());
    roots.push(PathBuf::new());
    roots
}

/// The folders that do not lie inside another of them, without duplicates.
pub(super) fn outermost(roots: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for root in roots {
        let is_inside = |other: &PathBuf| root.starts_with(other) && (root != other || found.contains(root));
        if !roots.iter().any(is_inside) {
            found.push(root.clone());
        }
    }
    found
}
