//! The one place that touches files: walking a tree, reading, and writing many files all or none.
//!
//! Reading goes through [`door`], writing through [`write`]. What lies in a workspace is somebody else's text: nothing in
//! it decides what is read outside of it or written at all.

mod door;
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
use self::installed::Installed;
use self::journal::State;
pub use self::journal::{NewText, Recovered, WriteError};
pub use self::open::{ConfigChoice, Layered, Opened, Options, Texts, layout, needed, open, open_one, read_configs};
pub use self::walk::Walked;
use crate::client::{ClientFile, Clients, Launch};
use crate::framework::Frameworks;
use crate::path::is_outside;
use crate::syntax::{Language, unreadable};
use crate::workspace::{Above, Stop, Storage, Surroundings, text_hash};

/// The largest file that is read, in bytes. Settings and sources that people write are far below; what is above
/// is data, and it is named among the files skipped.
pub const MAX_FILE_SIZE: u64 = 5 * 1024 * 1024;

/// The reason for leaving out a file that contains a searched word.
pub const UNREADABLE_MENTION: &str = "not UTF-8 text, so what it says of tools was not read";

/// A folder on disk.
#[derive(Debug)]
pub struct Disk {
    root: PathBuf,
    /// `None` where there is no such folder: then nothing is read.
    door: Option<Arc<Door>>,
    /// Files that were not read, and why.
    skipped: Mutex<Vec<Skipped>>,
    /// Whose files count as those of clients.
    clients: Arc<Clients>,
    stop: Stop,
}

/// When a file was last modified, and its size in bytes.
pub type Stamp = (Option<SystemTime>, u64);

/// A stamp that no file has.
pub const UNKNOWN: Stamp = (None, u64::MAX);

/// A file that was left out, with the reason in words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    pub path: String,
    pub reason: String,
}

impl Skipped {
    /// Whether a client may read it, and so what it says of tools.
    pub fn is_of_client(&self, clients: &Clients) -> bool {
        // A script is a client's where it starts that client: one that does not contain the name matters to nobody.
        let counts = |row: &ClientFile| !row.script || self.reason == UNREADABLE_MENTION;
        clients.of_path(&self.path).is_some_and(|(_, row)| counts(row))
    }
}

impl Disk {
    pub fn new(root: impl Into<PathBuf>) -> Disk {
        let root = root.into();
        let door = if root.as_os_str().is_empty() { None } else { Door::open(&root).ok().map(Arc::new) };
        let clients = Arc::clone(Clients::built_in());
        Disk { root, door, skipped: Mutex::default(), clients, stop: Stop::default() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where a path of the workspace lies.
    pub fn locate(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// What a file looks like from outside; another stamp means that it changed.
    pub fn stamp(&self, path: &str) -> Stamp {
        let look = self.door.as_ref().and_then(|door| door.metadata(path).ok());
        look.map_or((None, 0), |look| (look.modified().ok().map(|time| time.into_std()), look.len()))
    }

    /// The stamp to keep of a file that is read now. The clock of a disk is coarse: a file that was written just before may be
    /// written again without another time, and is to count as changed the next time.
    pub fn stamp_before_reading(&self, path: &str) -> Stamp {
        const COARSE: Duration = Duration::from_millis(50);
        let stamp = self.stamp(path);
        let is_new = stamp.0.is_some_and(|modified| modified.elapsed().is_ok_and(|age| age < COARSE));
        if is_new { UNKNOWN } else { stamp }
    }

    /// Replaces the texts of files and makes new ones, all or none.
    ///
    /// # Errors
    /// When a file was changed meanwhile, or cannot be written as it is to be; then every file is as before.
    pub fn write(&self, files: &[NewText]) -> Result<(), WriteError> {
        let missing = || WriteError::Io(self.root.display().to_string(), std::io::ErrorKind::NotFound.into());
        journal::write_all(self.door.as_ref().ok_or_else(missing)?, &State::of_user()?, files)
    }

    /// The hash of a file's text, by which the file is recognised when it is to be written; `None` where there is no such file.
    pub fn hash(&self, path: &str) -> Option<u64> {
        Some(text_hash(&self.door.as_ref()?.text(path).ok()?))
    }

    /// Brings back what interrupted writes left half done, here, above in the repository, or below. What somebody changed or
    /// deleted since stays as it is.
    ///
    /// # Errors
    /// When a journal cannot be read or a file cannot be restored.
    pub fn recover(&self) -> Result<Recovered, WriteError> {
        // Without a state folder there are no journals.
        match (&self.door, State::of_user()) {
            (Some(door), Ok(state)) => journal::recover(door, &state),
            _ => Ok(Recovered::default()),
        }
    }

    /// Whether an interrupted write waits to be taken back, here, above in the repository, or below.
    pub fn is_interrupted(&self) -> bool {
        let state = State::of_user();
        self.door.as_ref().zip(state.ok()).is_some_and(|(door, state)| journal::is_interrupted(door, &state))
    }

    /// The files that could not be read so far, each once.
    pub fn skipped(&self) -> Vec<Skipped> {
        let mut skipped = self.skipped.lock().expect("nothing panics while it is held").clone();
        skipped.sort();
        skipped.dedup();
        skipped
    }

    /// Notes that a file was left out.
    pub fn skip(&self, path: &str, reason: impl Into<String>) {
        let skipped = Skipped { path: path.to_string(), reason: reason.into() };
        self.skipped.lock().expect("nothing panics while it is held").push(skipped);
    }
}

/// Finds the files to look at below a folder. `all` enters tests, examples and generated code too.
///
/// # Errors
/// When the folder cannot be read.
pub fn walk(root: &Path, all: bool) -> std::io::Result<Walked> {
    walk::walk(&Arc::new(Door::open(root)?), all)
}

/// Whether a file lies in somebody's project, below the user's own folder: what is said there is about the servers of that.
pub fn is_in_project(path: &Path) -> bool {
    const SIGNS: [&str; 5] = [".git", ".mcp.json", "package.json", "pyproject.toml", "Cargo.toml"];
    let home = std::env::home_dir();
    // `~/.claude` is somebody's own, even where they keep it under version control.
    let own = home.as_deref().and_then(|home| path.strip_prefix(home).ok());
    if own.is_some_and(|own| own.to_string_lossy().starts_with('.')) {
        return false;
    }
    let folders = path.ancestors().skip(1).take_while(|folder| Some(*folder) != home.as_deref());
    folders.into_iter().any(|folder| SIGNS.iter().any(|sign| door::is_there(&folder.join(sign))))
}

/// Why a file's grammar cannot read it; `None` where it can.
fn unreadable_at(path: &str, text: &str) -> Option<&'static str> {
    unreadable(Language::of_path(path)?, text)
}

/// Whether a script was packed by a bundler: nobody's source, and slow to look through.
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
        // What is not there yet leads nowhere else.
        let leads_in = |door: &Arc<Door>| !door.is_there(path) || door.resolved_in_root(path).is_some();
        !is_outside(path) && self.door.as_ref().is_some_and(leads_in)
    }

    fn unread(&self) -> Vec<(String, String)> {
        let of_client = |file: &Skipped| file.is_of_client(&self.clients);
        self.skipped().into_iter().filter(of_client).map(|file| (file.path, file.reason)).collect()
    }

    fn above(&self) -> Vec<Above> {
        self.door.as_ref().map_or(Vec::new(), |door| walk::above(door))
    }
}

impl Storage for Disk {
    /// As the clock of the world has it, or `SOURCE_DATE_EPOCH`, by which builds are made to come out the same on any day.
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
