//! The kind of a file depends on its path alone; its contents depend on its text.

use std::sync::Arc;

use super::CONFIG_FILE;
use super::lock::Lock;
use super::manifest::ManifestKind;
use super::recorded::Recorded;
use crate::client::{Client, ClientFile, Clients};
use crate::syntax::Language;

/// The kind of a file, by its path.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FileKind<'c> {
    /// A `toolnames.toml`.
    Config,
    /// A lock file: the names that were published.
    Lock,
    /// A snapshot: what a server answered when it was asked for its tools.
    Recorded,
    /// A `tsconfig.json` or a similar file, which configures where modules are.
    TsConfig,
    /// A manifest, with the client that its commands may start.
    Manifest {
        kind: ManifestKind,
        script: Option<&'c Arc<Client>>,
    },
    /// A client's own file; without a language, it is a script.
    Client {
        client: &'c Arc<Client>,
        row: &'c ClientFile,
        language: Option<Language>,
    },
    /// Source code.
    Code(Language),
    /// A document or data file that belongs to no client.
    Document(Language),
    Other,
}

impl<'c> FileKind<'c> {
    /// Returns the kind of the file at a path, given the known clients.
    pub(crate) fn of(path: &str, clients: &'c Clients) -> FileKind<'c> {
        let name = path.rsplit('/').next().unwrap_or(path);
        if name == CONFIG_FILE {
            return FileKind::Config;
        }
        if Lock::is_path(path) {
            return FileKind::Lock;
        }
        if let Some(kind) = ManifestKind::of_path(path) {
            let script = clients.of_path(path).filter(|(_, row)| row.script).map(|(client, _)| client);
            return FileKind::Manifest { kind, script };
        }
        let language = Language::of_path(path);
        match language {
            // Thousands of files have no language, and only a few of them are scripts.
            None if !clients.may_be_script(name) => FileKind::Other,
            None => match clients.of_path(path).filter(|(_, row)| row.script) {
                Some((client, row)) => FileKind::Client { client, row, language },
                None => FileKind::Other,
            },
            Some(code) if code.family().is_some() => FileKind::Code(code),
            Some(Language::Json) if name.starts_with("tsconfig") && name.ends_with(".json") => FileKind::TsConfig,
            Some(Language::Json) if Recorded::is_path(path) => FileKind::Recorded,
            Some(document) => match clients.of_path(path) {
                Some((client, row)) => FileKind::Client { client, row, language },
                None => FileKind::Document(document),
            },
        }
    }

    /// Whether a change to a file of this kind may change which files are read, and how.
    pub(crate) fn lays_out(self) -> bool {
        matches!(self, FileKind::Config | FileKind::Lock)
    }
}

/// Whether a path is that of a `toolnames.toml`.
pub(crate) fn is_config(path: &str) -> bool {
    path.rsplit('/').next() == Some(CONFIG_FILE)
}
