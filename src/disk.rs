//! The only module that accesses files: walking a tree, reading, and writing many files, all or none.
//!
//! Reading goes through [`door`], writing through [`write`](mod@write). The files of a workspace are not trusted: their
//! contents never decide what is read outside the workspace, or what is written.

mod door;
mod error;
mod ignored;
mod installed;
mod journal;
mod open;
mod walk;
mod write;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use chrono::{DateTime, NaiveDate, Utc};

use self::door::{Door, Unreadable};
pub(crate) use self::error::WriteError;
use self::installed::Installed;
use self::journal::State;
pub(crate) use self::journal::{NewText, Recovered};
pub(crate) use self::open::{
    ConfigChoice, Layered, Opened, Options, Texts, layout, needed, open, open_one, read_configs,
};
pub(crate) use self::walk::Walked;
use crate::client::{ClientFile, Clients, Launch};
use crate::framework::Frameworks;
use crate::path::{is_outside, joined};
use crate::syntax::{Language, unreadable};
use crate::workspace::{Above, Stop, Storage, Surroundings, text_hash};

/// The maximum size in bytes of a file that is read. Settings and sources that people write are far smaller; a larger
/// file is data, and is listed among the skipped files.
pub(crate) const MAX_FILE_SIZE: u64 = 5 * 1024 * 1024;

/// The reason for skipping a file that contains a searched word but is not UTF-8.
pub(crate) const UNREADABLE_MENTION: &str = "not UTF-8, so the tool names in it were not read";

/// A folder on disk.
#[derive(Debug)]
pub(crate) struct Disk {
    root: PathBuf,
    /// Access to the folder's files; `None` if there is no such folder, in which case nothing is read.
    door: Option<Arc<Door>>,
    /// The files that were not read, with the reasons.
    skipped: Mutex<Vec<Skipped>>,
    /// The clients whose files count as client files.
    clients: Arc<Clients>,
    stop: Stop,
}

/// The time at which a file was last modified, and its size in bytes.
pub(crate) type Stamp = (Option<SystemTime>, u64);

/// A stamp that no file has.
pub(crate) const UNKNOWN: Stamp = (None, u64::MAX);

/// A file that was left out, with the reason in words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Skipped {
    pub path: String,
    pub reason: String,
}

impl Skipped {
    /// Whether the skipped file is a client file, so that its references to tools are unknown.
    pub(crate) fn is_of_client(&self, clients: &Clients) -> bool {
        // A script is a client file only if it starts the client, so a skipped script counts only if it contains a
        // searched word.
        let counts = |row: &ClientFile| !row.script || self.reason == UNREADABLE_MENTION;
        clients.of_path(&self.path).is_some_and(|(_, row)| counts(row))
    }
}

impl Disk {
    pub(crate) fn new(root: impl Into<PathBuf>) -> Disk {
        let root = root.into();
        let door = if root.as_os_str().is_empty() { None } else { Door::open(&root).ok().map(Arc::new) };
        let clients = Arc::clone(Clients::built_in());
        Disk { root, door, skipped: Mutex::default(), clients, stop: Stop::default() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns a path relative to the repository, with `/`, for one that is relative to the root.
    pub(crate) fn in_repository(&self, path: &str) -> String {
        let inside = self.door.as_ref().map(|door| door.inside().to_string_lossy().replace('\\', "/"));
        let inside = inside.unwrap_or_default();
        joined(&inside, path).unwrap_or_else(|| path.to_string())
    }

    /// Returns the current stamp of a file, `(None, 0)` if its metadata cannot be read. A stamp that differs from an
    /// earlier one means that the file has changed.
    pub(crate) fn stamp(&self, path: &str) -> Stamp {
        let look = self.door.as_ref().and_then(|door| door.metadata(path).ok());
        look.map_or((None, 0), |look| (look.modified().ok().map(|time| time.into_std()), look.len()))
    }

    /// Returns the stamp to keep for a file that is about to be read. File system timestamps are coarse: a file that
    /// was just written may be written again with the same timestamp. The stamp of such a file is [`UNKNOWN`], so that
    /// it counts as changed the next time.
    pub(crate) fn stamp_before_reading(&self, path: &str) -> Stamp {
        const COARSE: Duration = Duration::from_millis(50);
        let stamp = self.stamp(path);
        let is_new = stamp.0.is_some_and(|modified| modified.elapsed().is_ok_and(|age| age < COARSE));
        if is_new { UNKNOWN } else { stamp }
    }

    /// Replaces the texts of files and creates new ones, all or none.
    ///
    /// # Errors
    /// When a file has changed in the meantime or cannot be written as requested. Every file is then as before, except
    /// after [`WriteError::Half`].
    pub(crate) fn write(&self, files: &[NewText]) -> Result<(), WriteError> {
        let missing = || WriteError::Io(self.root.display().to_string(), std::io::ErrorKind::NotFound.into());
        journal::write_all(self.door.as_ref().ok_or_else(missing)?, &State::of_user()?, files)
    }

    /// Returns the hash of a file's text, by which a write checks that the file has not changed; `None` if it cannot be
    /// read.
    pub(crate) fn hash(&self, path: &str) -> Option<u64> {
        Some(text_hash(&self.door.as_ref()?.text(path).ok()?))
    }

    /// Undoes interrupted writes in this folder, above it in the repository, or below it. A file that was changed or
    /// deleted since is left alone.
    ///
    /// # Errors
    /// When a journal cannot be read or a file cannot be restored.
    pub(crate) fn recover(&self) -> Result<Recovered, WriteError> {
        // Without a state folder there are no journals.
        match (&self.door, State::of_user()) {
            (Some(door), Ok(state)) => journal::recover(door, &state),
            _ => Ok(Recovered::default()),
        }
    }

    /// Whether an interrupted write in this folder, above it in the repository, or below it has not been undone yet.
    pub(crate) fn is_interrupted(&self) -> bool {
        let state = State::of_user();
        self.door.as_ref().zip(state.ok()).is_some_and(|(door, state)| journal::is_interrupted(door, &state))
    }

    /// Returns the files that have been left out so far, sorted and without duplicates.
    pub(crate) fn skipped(&self) -> Vec<Skipped> {
        let mut skipped = self.skipped.lock().expect("nothing panics while it is held").clone();
        skipped.sort();
        skipped.dedup();
        skipped
    }

    /// Records that a file was left out.
    pub(crate) fn skip(&self, path: &str, reason: impl Into<String>) {
        let skipped = Skipped { path: path.to_string(), reason: reason.into() };
        self.skipped.lock().expect("nothing panics while it is held").push(skipped);
    }
}

/// Finds the files to read below a folder. With `all`, this includes tests, examples and generated code.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) fn walk(root: &Path, all: bool) -> std::io::Result<Walked> {
    walk::walk(&Arc::new(Door::open(root)?), all)
}

/// Whether a file lies in a project rather than among the user's own settings, so that it refers to the servers of that
/// project.
pub(crate) fn is_in_project(path: &Path) -> bool {
    const SIGNS: [&str; 5] = [".git", ".mcp.json", "package.json", "pyproject.toml", "Cargo.toml"];
    let home = std::env::home_dir();
    // `~/.claude` belongs to the user, even if it is under version control.
    let own = home.as_deref().and_then(|home| path.strip_prefix(home).ok());
    if own.is_some_and(|own| own.to_string_lossy().starts_with('.')) {
        return false;
    }
    let folders = path.ancestors().skip(1).take_while(|folder| Some(*folder) != home.as_deref());
    folders.into_iter().any(|folder| SIGNS.iter().any(|sign| door::is_there(&folder.join(sign))))
}

/// Returns the reason why a file's text cannot be parsed; `None` if it can, or if the file's language is unknown.
fn unreadable_at(path: &str, text: &str) -> Option<&'static str> {
    unreadable(Language::of_path(path)?, text)
}

/// Whether a script looks like the output of a bundler: it is large, and its lines are long on average. Such a script
/// is not source code, and is slow to search.
fn is_minified(path: &str, text: &str) -> bool {
    const LARGE: usize = 64 * 1024;
    const LONG_LINES: usize = 500;
    let is_script = [".js", ".cjs", ".mjs"].iter().any(|end| path.ends_with(end));
    is_script
        && text.len() > LARGE
        && text.len() / (1 + text.bytes().filter(|&byte| byte == b'\n').count()) > LONG_LINES
}

impl Surroundings for Disk {
    fn mentioning(&self, words: &[String]) -> Vec<(String, String)> {
        let Some(door) = &self.door else { return Vec::new() };
        let mentions = walk::mentioning(door, words).unwrap_or_default();
        mentions.unreadable.iter().for_each(|path| self.skip(path, UNREADABLE_MENTION));
        mentions.found
    }

    fn text(&self, path: &str) -> Option<String> {
        self.door.as_ref()?.text(path).ok()
    }

    fn holds(&self, path: &str) -> bool {
        // A path at which nothing exists yet does not lead out of the root.
        let leads_in = |door: &Arc<Door>| !door.is_there(path) || door.resolved_in_root(path).is_some();
        !is_outside(path) && self.door.as_ref().is_some_and(leads_in)
    }

    fn unread(&self) -> Vec<(String, String)> {
        let of_client = |file: &Skipped| file.is_of_client(&self.clients);
        self.skipped().into_iter().filter(of_client).map(|file| (file.path, file.reason)).collect()
    }

    fn above(&self) -> Vec<Above> {
        self.door.as_ref().map_or(Vec::new(), |door| walk::above(door, &self.clients))
    }
}

impl Storage for Disk {
    /// Returns the current date in UTC, or that of `SOURCE_DATE_EPOCH`, which makes builds reproducible.
    fn today(&self) -> Option<NaiveDate> {
        let seconds = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
        let set = seconds.and_then(|seconds| DateTime::from_timestamp(seconds, 0));
        Some(set.unwrap_or_else(Utc::now).date_naive())
    }

    fn refused(&self, path: &str, reason: &'static str) {
        self.skip(path, reason);
    }

    fn installed(&self, launches: &[(String, Launch)], frameworks: &Frameworks) -> Vec<Vec<String>> {
        let Some(door) = &self.door else { return vec![Vec::new(); launches.len()] };
        let places = Installed::new(door, frameworks);
        launches.iter().map(|(base, launch)| places.started(base, launch)).collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        if self.stop.is_set() {
            return None;
        }
        match self.door.as_ref()?.text(path) {
            Ok(text) if unreadable_at(path, &text).is_some() => {
                self.skip(path, unreadable_at(path, &text).unwrap_or_default());
                None
            }
            Ok(text) if is_minified(path, &text) => {
                self.skip(path, "minified");
                None
            }
            Ok(text) => Some(text),
            Err(Unreadable::Missing) => None,
            Err(reason) => {
                self.skip(path, reason.to_string());
                None
            }
        }
    }
}
