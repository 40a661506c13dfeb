//! Ignore files (`.gitignore`, `.ignore` and `.git/info/exclude`) and the files and folders that they exclude. Ignore
//! files apply from the top of the repository downwards.
//!
//! Ignore files are read through the [`Door`], since what has one of these names may be a pipe or a device. No ignore
//! file above the repository is used, except the user's global one.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustc_hash::FxHashMap;

use super::door::{Door, Unreadable, is_utf16};

/// The maximum size in bytes of an ignore file. Every line becomes a pattern, and patterns take far more memory than
/// their text.
const MAX_SIZE: u64 = 256 * 1024;
/// The maximum total size in bytes of the ignore files that are read in one repository.
const MAX_TOTAL: u64 = 1024 * 1024;

/// The ignore files of one repository, each read when the first entry of its folder is checked.
pub(super) struct Ignored {
    door: Arc<Door>,
    /// The ignore files read so far, by the absolute path of their folder.
    levels: Mutex<FxHashMap<PathBuf, Arc<Level>>>,
    /// The user's global ignore file, for every repository.
    global: Gitignore,
    /// The number of bytes of ignore files that may still be read.
    left: AtomicU64,
    /// The ignore files that were not read, by their paths relative to the root, with the reasons.
    errors: Mutex<Vec<(PathBuf, String)>>,
}

/// The ignore files of one folder.
struct Level {
    above: Option<Arc<Level>>,
    /// The `.ignore` file, which takes precedence over every `.gitignore`.
    ignore: Option<Gitignore>,
    gitignore: Option<Gitignore>,
    exclude: Option<Gitignore>,
    /// Whether the folder is a repository of its own, to which the `.gitignore` files above do not apply.
    is_repository: bool,
}

impl Level {
    fn upwards(&self) -> impl Iterator<Item = &Level> {
        std::iter::successors(Some(self), |level| level.above.as_deref())
    }
}

impl Ignored {
    pub(super) fn new(door: Arc<Door>) -> Ignored {
        let (global, _) = GitignoreBuilder::new(door.root()).build_global();
        Ignored { door, levels: Mutex::default(), global, left: AtomicU64::new(MAX_TOTAL), errors: Mutex::default() }
    }

    /// Whether a file or folder, given by its absolute path, is left out.
    pub(super) fn leaves_out(&self, path: &Path, is_folder: bool) -> bool {
        let Some(folder) = path.parent() else { return false };
        let level = self.level(folder);
        let decision = |file: Option<&Gitignore>| match file.map(|file| file.matched(path, is_folder)) {
            Some(Match::Ignore(_)) => Some(true),
            Some(Match::Whitelist(_)) => Some(false),
            Some(Match::None) | None => None,
        };
        let mut own_repository = Vec::new();
        for level in level.upwards() {
            own_repository.push(level);
            if level.is_repository {
                break;
            }
        }
        let ignores = level.upwards().map(|level| level.ignore.as_ref());
        let gitignores = own_repository.iter().map(|level| level.gitignore.as_ref());
        let excludes = own_repository.iter().map(|level| level.exclude.as_ref());
        ignores.chain(gitignores).chain(excludes).chain([Some(&self.global)]).find_map(decision).unwrap_or(false)
    }

    /// Returns the ignore files that were not read, with the reasons.
    pub(super) fn errors(&self) -> Vec<(PathBuf, String)> {
        self.errors.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    fn level(&self, folder: &Path) -> Arc<Level> {
        let known =
            |folder: &Path| self.levels.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get(folder).cloned();
        if let Some(level) = known(folder) {
            return level;
        }
        let unknown: Vec<&Path> = folder.ancestors().take_while(|folder| folder.starts_with(self.door.top())).collect();
        let mut above = None;
        for folder in unknown.into_iter().rev() {
            let level = known(folder).unwrap_or_else(|| Arc::new(self.read(folder, above)));
            let mut levels = self.levels.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            above = Some(Arc::clone(levels.entry(folder.to_path_buf()).or_insert(level)));
        }
        above.unwrap_or_else(|| Arc::new(self.read(folder, None)))
    }

    fn read(&self, folder: &Path, above: Option<Arc<Level>>) -> Level {
        let file = |name: &str| {
            let path = folder.join(name);
            let spend = |bytes: &Vec<u8>| {
                let rest = |left: u64| left.checked_sub(bytes.len() as u64);
                self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest).is_ok()
            };
            let reason = match self.door.bytes(&path, MAX_SIZE) {
                // Git cannot read UTF-16 either.
                Ok(bytes) if is_utf16(&bytes) => Unreadable::Utf16.to_string(),
                Ok(bytes) if spend(&bytes) => return Some(patterns(folder, &bytes)),
                Ok(_) => "the ignore files of this repository are larger than 1 MiB together".to_string(),
                Err(Unreadable::Missing) => return None,
                Err(reason) => reason.to_string(),
            };
            let path = path.strip_prefix(self.door.root()).unwrap_or(&path).to_path_buf();
            self.errors.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((path, reason));
            None
        };
        let is_repository = self.door.metadata(folder.join(".git")).is_ok();
        Level {
            above,
            ignore: file(".ignore"),
            gitignore: file(".gitignore"),
            exclude: if is_repository { file(".git/info/exclude") } else { None },
            is_repository,
        }
    }
}

/// Parses an ignore file. Like git, this skips lines that are not valid patterns.
fn patterns(folder: &Path, bytes: &[u8]) -> Gitignore {
    let text = String::from_utf8_lossy(bytes);
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
