//! A folder of the session at one moment, from which every request is answered.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tower_lsp::ls_types::Uri;

use super::capabilities::Negotiated;
use crate::diagnostic::Diagnostic;
use crate::disk::Disk;
use crate::rules;
use crate::syntax::{self, Language};
use crate::text::{FileId, Text};
use crate::workspace::{Above, Content, Snapshot, Surroundings};

type Found = Arc<Vec<Diagnostic>>;

/// A snapshot of a folder, and what is needed to present it to the editor.
#[derive(Clone)]
pub(super) struct View {
    pub(super) snapshot: Snapshot,
    pub(super) root: PathBuf,
    pub(super) negotiated: Negotiated,
    /// The open documents, by path.
    pub(super) open: HashMap<String, Opened>,
    /// The texts of open documents that lie in no folder, by path.
    pub(super) elsewhere: HashMap<String, Text>,
    pub(super) disk: Arc<Disk>,
    /// The findings in open documents that have been computed so far, kept so that the next request does not compute
    /// them again.
    pub(super) found: Arc<Mutex<HashMap<FileId, Arc<OnceLock<Found>>>>>,
}

/// An open document as the editor knows it.
#[derive(Clone)]
pub(super) struct Opened {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: Text,
}

impl View {
    /// The current text of a file.
    pub(super) fn text(&self, file: FileId) -> Option<String> {
        self.snapshot.text(file, &*self.disk)
    }

    /// The findings in a file. If the document is open, this must not be called on a thread of rayon's pool: while it
    /// waits for the thread that computes the findings, it may hold part of that thread's work, and both deadlock.
    pub(super) fn found(&self, file: FileId) -> Found {
        let find = || Arc::new(rules::check(&self.snapshot, file));
        if !self.open.contains_key(self.snapshot.files.path(file)) {
            return find();
        }
        let mut all = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let found = Arc::clone(all.entry(file).or_default());
        drop(all);
        Arc::clone(found.get_or_init(find))
    }

    /// The reason why an open document is not read; `None` if it is.
    pub(super) fn unreadable(&self, file: FileId) -> Option<&'static str> {
        let file = self.snapshot.files.get(file)?;
        match file.content {
            Content::Refused(reason) => return Some(reason),
            Content::Source(_) => return None,
            _ => {}
        }
        syntax::unreadable(Language::of_path(&file.path)?, &file.open.as_ref()?.text)
    }
}

impl Surroundings for View {
    /// The files of the folder that contain one of the words, with the editor's text for open documents.
    fn mentioning(&self, words: &[String]) -> Vec<(String, String)> {
        let mut found = self.disk.mentioning(words);
        found.retain(|(path, _)| !self.open.contains_key(path));
        let open = self.open.iter().map(|(path, opened)| (path.clone(), opened.text.to_string()));
        found.extend(open.filter(|(_, text)| words.iter().any(|word| text.contains(word.as_str()))));
        found.sort_unstable();
        found
    }

    fn text(&self, path: &str) -> Option<String> {
        let open = self.open.get(path).map(|opened| opened.text.to_string());
        open.or_else(|| self.disk.text(path))
    }

    fn holds(&self, path: &str) -> bool {
        self.disk.holds(path)
    }

    fn unread(&self) -> Vec<(String, String)> {
        let mut unread = self.disk.unread();
        unread.retain(|(path, _)| !self.open.contains_key(path));
        unread
    }

    fn above(&self) -> Vec<Above> {
        let root = self.root.canonicalize().unwrap_or_else(|_| self.root.clone());
        let now = |above: Above| {
            let up = above.path.matches("../").count();
            let folder = root.ancestors().nth(up).unwrap_or(&root);
            let file = folder.join(&above.path[up * "../".len()..]);
            let open = self.elsewhere.get(file.to_string_lossy().as_ref());
            Above { text: open.map_or(above.text, Text::to_string), ..above }
        };
        self.disk.above().into_iter().map(now).collect()
    }
}
