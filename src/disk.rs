//! The one place that touches files: walking a tree, reading, and writing many files all or none.

mod installed;
mod journal;
mod open;
mod walk;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use chrono::{DateTime, NaiveDate, Utc};

use self::installed::Installed;
pub use self::journal::{Recovered, WriteError, is_interrupted, recover, write_all};
pub use self::open::{ConfigChoice, Opened, Options, open, open_one, read_configs};
pub use self::walk::{Walked, walk};
use crate::client::Launch;
use crate::framework::Frameworks;
use crate::path::is_outside;
use crate::syntax::is_indented_beyond_reason;
use crate::workspace::{Above, Storage, Surroundings};

/// The largest file that is read, in bytes. Settings and sources that people write are far below; what is above
/// is data, and it is named among the files skipped.
pub const MAX_FILE_SIZE: u64 = 5 * 1024 * 1024;

/// Why a file was left out in which a word stands that was looked for.
pub const UNREADABLE_MENTION: &str = "not UTF-8, so what it says of tools was not read";

/// A folder on disk.
#[derive(Debug)]
pub struct Disk {
    root: PathBuf,
    /// Files that were not read, and why.
    skipped: Mutex<Vec<Skipped>>,
    stop: Stop,
}

/// By which one thread tells another that reads a folder to come to its end: nothing more is read.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// When a file was last modified, and its size in bytes.
pub type Stamp = (Option<SystemTime>, u64);

/// A file that was left out, with the reason in words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    pub path: String,
    pub reason: String,
}

impl Disk {
    pub fn new(root: impl Into<PathBuf>) -> Disk {
        Disk { root: root.into(), skipped: Mutex::default(), stop: Stop::default() }
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
        stamp(&self.locate(path))
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

/// What a file looks like from outside.
pub fn stamp(path: &Path) -> Stamp {
    match std::fs::metadata(path) {
        Ok(metadata) => (metadata.modified().ok(), metadata.len()),
        Err(_) => (None, 0),
    }
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
    folders.into_iter().any(|folder| SIGNS.iter().any(|sign| folder.join(sign).exists()))
}

/// Writes a file that is not there yet.
///
/// # Errors
/// `AlreadyExists` where it is, and nothing is changed then.
pub fn create(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    std::fs::File::create_new(path)?.write_all(text.as_bytes())
}

/// Writes a snapshot below a root, in the place of an older one, with all of its text or not at all.
///
/// # Errors
/// When it cannot be written; what was there before is there still.
pub fn record(root: &Path, path: &str, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    let target = root.join(path);
    let directory = target.parent().unwrap_or(root);
    std::fs::create_dir_all(directory)?;
    if !directory.canonicalize()?.starts_with(root.canonicalize()?) {
        return Err(std::io::Error::other("it lies outside the workspace"));
    }
    let mut temporary = tempfile::NamedTempFile::new_in(directory)?;
    temporary.write_all(text.as_bytes())?;
    let readable = std::fs::metadata(root.join(path)).map(|old| old.permissions());
    if let Some(permissions) = readable.ok().or_else(shared_permissions) {
        temporary.as_file().set_permissions(permissions)?;
    }
    temporary.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// A new file's permissions as those of files that people share: temporary ones are their owner's alone.
fn shared_permissions() -> Option<std::fs::Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    #[cfg(not(unix))]
    None
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
        let mentions = walk::mentioning(&self.root, words).unwrap_or_default();
        mentions.unreadable.iter().for_each(|path| self.skip(path, UNREADABLE_MENTION));
        mentions.found
    }

    fn holds(&self, path: &str) -> bool {
        let is_within = |file: PathBuf| Some(file.starts_with(self.root.canonicalize().ok()?));
        // What is not there yet leads nowhere else.
        !is_outside(path) && self.locate(path).canonicalize().ok().and_then(is_within).unwrap_or(true)
    }

    fn above(&self) -> Vec<Above> {
        walk::above(&self.root)
    }
}

impl Storage for Disk {
    /// As the clock of the world has it, or `SOURCE_DATE_EPOCH`, by which builds are made to come out the same on any day.
    fn today(&self) -> Option<NaiveDate> {
        let seconds = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
        let set = seconds.and_then(|seconds| DateTime::from_timestamp(seconds, 0));
        Some(set.unwrap_or_else(Utc::now).date_naive())
    }

    fn installed(&self, base: &str, launch: &Launch, frameworks: &Frameworks) -> Vec<String> {
        Installed { root: &self.root, frameworks }.started(base, launch)
    }

    fn read(&self, path: &str) -> Option<String> {
        if self.stop.is_set() {
            return None;
        }
        let mut file = match std::fs::File::open(self.locate(path)) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => {
                self.skip(path, error.to_string());
                return None;
            }
        };
        let size = file.metadata().ok()?.len();
        if size > MAX_FILE_SIZE {
            self.skip(path, format!("larger than {} MiB", MAX_FILE_SIZE / 1024 / 1024));
            return None;
        }
        let mut bytes = Vec::with_capacity(size as usize + 1);
        match file.read_to_end(&mut bytes) {
            Ok(_) => match String::from_utf8(bytes) {
                Ok(text) if path.ends_with(".py") && is_indented_beyond_reason(&text) => {
                    self.skip(path, "indented deeper than can be read");
                    None
                }
                Ok(text) if is_minified(path, &text) => {
                    self.skip(path, "minified");
                    None
                }
                Ok(text) if !text.contains('\0') => Some(text),
                Ok(_) => {
                    self.skip(path, "a binary file");
                    None
                }
                Err(_) => {
                    self.skip(path, "not UTF-8");
                    None
                }
            },
            Err(error) => {
                self.skip(path, error.to_string());
                None
            }
        }
    }
}
