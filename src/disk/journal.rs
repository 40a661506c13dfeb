//! Writing many files, all or none.
//!
//! Before anything is changed, a journal with the name and the old text of every file is written to the user's own
//! state folder, so that a repository cannot supply a journal of its own. Each new text is then written next to its
//! target, under a random name that the journal lists; after that, each of these files replaces its target. If the
//! process is killed in between, the journal remains, and the next run restores every file, except those that have been
//! changed since.

#![expect(clippy::disallowed_methods, reason = "what is kept in the user's own folder")]

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use etcetera::BaseStrategy;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::door::Door;
use super::error::{TRUSTED, WriteError};
use super::write::{Area, Target, new_target, obstacle, target};
use crate::workspace::text_hash;

/// The version of the journal's format.
const VERSION: u32 = 3;
/// The end of the file names of journals.
const ENDING: &str = ".journal.json";
/// The extension of a journal that is still being written, which replaces the `json` of [`ENDING`].
const UNFINISHED: &str = "new";
/// The end of the name of a repository's lock file. A process holds the lock while it writes in the repository.
const LOCK: &str = ".lock";

/// A text to be written.
#[derive(Debug, Clone)]
pub(crate) struct NewText {
    /// The path relative to the root, with `/`.
    pub path: String,
    /// The hash of the text to be replaced; `None` for a file that does not exist yet.
    pub before: Option<u64>,
    pub text: String,
}

/// The user's own folder in which journals are kept.
#[derive(Debug, Clone)]
pub(super) struct State(PathBuf);

impl State {
    /// Returns `$XDG_STATE_HOME/toolnames`, by default `~/.local/state/toolnames`, or the corresponding folder on
    /// Windows.
    ///
    /// # Errors
    /// When the user has no home folder.
    pub(super) fn of_user() -> Result<State, WriteError> {
        let no_home = |_| WriteError::State("there is no home folder to keep a journal in: set XDG_STATE_HOME".into());
        let base = etcetera::choose_base_strategy().map_err(no_home)?;
        Ok(State(base.state_dir().unwrap_or_else(|| base.data_dir()).join("toolnames")))
    }

    /// Opens the folder, and creates it if it does not exist.
    fn open(&self) -> Result<Dir, WriteError> {
        let fault = |reason: String| {
            let folder = self.0.display();
            WriteError::State(format!(
                "cannot keep a journal in {folder}: {reason}; set XDG_STATE_HOME to another folder"
            ))
        };
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.0).map_err(|error| fault(error.to_string()))?;
        let folder = Dir::open_ambient_dir(&self.0, ambient_authority()).map_err(|error| fault(error.to_string()))?;
        #[cfg(unix)]
        {
            use cap_std::fs::MetadataExt;
            let metadata = folder.dir_metadata().map_err(|error| fault(error.to_string()))?;
            if metadata.uid() != nix::unistd::geteuid().as_raw() {
                return Err(fault("it belongs to another user".into()));
            }
            if metadata.mode() & 0o022 != 0 {
                return Err(fault("other users can write to it".into()));
            }
        }
        Ok(folder)
    }

    /// Returns the journals of writes that were interrupted in a folder, above it in its repository, or below it, each
    /// with its file name. Journals whose repository was moved or removed are not included.
    fn journals(&self, door: &Door) -> Result<Vec<(PathBuf, Journal)>, WriteError> {
        let mut found = self.all_journals(door)?;
        found.retain(|(_, journal)| !journal.is_stranded());
        Ok(found)
    }

    /// Returns the folders that were moved or removed after a write in them was interrupted, each with the path of its
    /// journal.
    fn stranded(&self, door: &Door) -> Result<Vec<(String, PathBuf)>, WriteError> {
        let stranded = self.all_journals(door)?.into_iter().filter(|(_, journal)| journal.is_stranded());
        let shown =
            |(name, journal): (PathBuf, Journal)| (journal.root.to_string_lossy().into_owned(), self.0.join(name));
        Ok(stranded.map(shown).collect())
    }

    /// Returns the path of a repository's lock file, which remains if the process that holds it is killed.
    fn lock(&self, top: &Path) -> PathBuf {
        self.0.join(format!("{}{LOCK}", key(top)))
    }

    /// Returns the incomplete journals of writes in a folder: the process ended while it wrote the journal, before it
    /// changed anything else.
    fn unfinished(&self, door: &Door) -> Vec<PathBuf> {
        let start = key(&door.root());
        let end = Path::new(ENDING).with_extension(UNFINISHED);
        let is_one = |name: &str| name.starts_with(&start) && name.ends_with(&*end.to_string_lossy());
        let folder = self.0.is_dir().then(|| self.open().ok()).flatten();
        let entries = folder.and_then(|folder| folder.entries().ok()).into_iter().flatten().flatten();
        let names = entries.map(|entry| PathBuf::from(entry.file_name()));
        names.filter(|name| name.to_str().is_some_and(is_one)).collect()
    }

    fn all_journals(&self, door: &Door) -> Result<Vec<(PathBuf, Journal)>, WriteError> {
        if !self.0.is_dir() {
            return Ok(Vec::new());
        }
        let folder = self.open()?;
        let root = door.root();
        let concerns = |journal: &Journal| {
            let written = Path::new(&journal.root);
            written.starts_with(&root) || root.starts_with(written) && written.starts_with(door.top())
        };
        let entries = folder.entries().map_err(|error| WriteError::State(error.to_string()))?.flatten();
        let names = entries.map(|entry| PathBuf::from(entry.file_name()));
        let mut found = Vec::new();
        for name in names.filter(|name| name.to_str().is_some_and(|name| name.ends_with(ENDING))) {
            let fault = |error: String| {
                let path = self.0.join(&name);
                WriteError::State(format!(
                    "{}: {error}; restore your files from version control, then delete this journal",
                    path.display()
                ))
            };
            let bytes = match Area::read(&folder, &name) {
                // Another process has just finished and removed its journal.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                read => read.map_err(|error| fault(error.to_string()))?,
            };
            let journal: Journal = serde_json::from_slice(&bytes).map_err(|error| fault(error.to_string()))?;
            if concerns(&journal) {
                found.push((name, journal));
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(found)
    }
}

#[derive(Serialize, Deserialize)]
struct Journal {
    version: u32,
    /// The absolute path of the repository.
    root: OsString,
    /// The folders that were created, each after its parent.
    folders: Vec<PathBuf>,
    files: Vec<Entry>,
}

impl Journal {
    /// Whether the journal's repository is no longer at its path: moved or removed, or replaced by a link.
    fn is_stranded(&self) -> bool {
        match fs::canonicalize(&self.root) {
            Ok(real) => real != Path::new(&self.root),
            Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Entry {
    /// The path relative to the repository, with every link followed.
    path: PathBuf,
    /// The text before the write; `None` if there was no file.
    old: Option<String>,
    /// The hash of the new text. A file with neither this text nor the old one was changed since.
    new: u64,
    /// The temporary file that holds the new text until it is renamed, relative to the repository.
    waiting: PathBuf,
}

/// The result of undoing interrupted writes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Recovered {
    /// The files that were restored to their state before the write.
    pub restored: Vec<String>,
    /// The files that were left as they are, since they were changed or deleted in the meantime.
    pub left: Vec<String>,
    /// The folders that were moved or removed after a write in them was interrupted, each with the path of its journal,
    /// which contains the old texts.
    pub stranded: Vec<(String, PathBuf)>,
}

/// Replaces the texts of files and creates new ones, all or none. If two processes write in one repository, the second
/// waits.
///
/// # Errors
/// When a file has changed in the meantime, lies outside the root, cannot be replaced without changing more than its
/// text, or cannot be written. Every file is then as before, except after [`WriteError::Half`].
pub(super) fn write_all(door: &Door, state: &State, files: &[NewText]) -> Result<(), WriteError> {
    match files {
        [] => Ok(()),
        files => write_beneath(door, door.repository(), state, &state.open()?, files),
    }
}

/// Like [`write_all`], but changes the repository through `area` and the state folder through `kept`.
fn write_beneath(
    door: &Door,
    area: &dyn Area,
    state: &State,
    kept: &dyn Area,
    files: &[NewText],
) -> Result<(), WriteError> {
    is_ours(door)?;
    let _alone = Alone::wait(state, door.top())?;
    // Another write may have been interrupted while this one waited for the lock, after the files were read.
    recover_beneath(door, area, state, kept)?;
    let planned: Vec<Planned> = files.par_iter().map(|file| plan(door, file)).collect::<Result<_, _>>()?;
    let random = random();
    let mut folders: Vec<PathBuf> = planned.iter().flat_map(|planned| planned.folders.clone()).collect();
    folders.sort_unstable();
    folders.dedup();
    let entry = |(index, (file, planned)): (usize, (&NewText, &Planned))| Entry {
        path: planned.path.clone(),
        old: planned.target.as_ref().map(|target| target.text.clone()),
        new: text_hash(&file.text),
        waiting: planned.path.with_file_name(format!(".toolnames-{random:016x}-{index}")),
    };
    let entries = files.iter().zip(&planned).enumerate().map(entry).collect();
    let journal = Journal { version: VERSION, root: door.top().into(), folders, files: entries };
    let name = keep(kept, &door.root(), random, &journal).map_err(|error| WriteError::State(error.to_string()))?;
    let at = |error: io::Error| WriteError::Io(name.display().to_string(), error);
    let done = put_all(area, files, &planned, &journal).and_then(|()| end(area, kept, &name, &journal).map_err(at));
    done.map_err(|error| match take_back(area, &journal).and_then(|_| end(area, kept, &name, &journal)) {
        Ok(()) => error,
        // The journal stays for the next run.
        Err(second) => WriteError::Half(format!("{error}, and then {second}")),
    })
}

/// A file that is to be written.
struct Planned {
    /// The path relative to the repository, with every link followed.
    path: PathBuf,
    /// The file to replace; `None` for a new file.
    target: Option<Target>,
    /// The folders to create for it.
    folders: Vec<PathBuf>,
}

fn plan(door: &Door, file: &NewText) -> Result<Planned, WriteError> {
    let Some(hash) = file.before else {
        let (path, folders) = new_target(door, &file.path)?;
        return Ok(Planned { path, target: None, folders });
    };
    let target = target(door, &file.path)?;
    if text_hash(&target.text) != hash {
        return Err(WriteError::Changed(file.path.clone()));
    }
    Ok(Planned { path: target.path.clone(), target: Some(target), folders: Vec::new() })
}

/// Writes every new text next to its target, and then renames each over its target.
fn put_all(area: &dyn Area, files: &[NewText], planned: &[Planned], journal: &Journal) -> Result<(), WriteError> {
    for folder in &journal.folders {
        area.create_folder(folder).map_err(|error| WriteError::Io(folder.display().to_string(), error))?;
    }
    let create = |((file, planned), entry): ((&NewText, &Planned), &Entry)| {
        let like = planned.target.as_ref().map(|target| &target.metadata);
        let created = area.create(&entry.waiting, file.text.as_bytes(), like);
        created.map_err(|error| WriteError::Io(file.path.clone(), error))
    };
    files.par_iter().zip(planned).zip(&journal.files).map(create).collect::<Result<(), _>>()?;
    for (file, entry) in files.iter().zip(&journal.files) {
        area.rename(&entry.waiting, &entry.path).map_err(|error| WriteError::Io(file.path.clone(), error))?;
    }
    Ok(())
}

/// Writes a journal atomically, and returns its name.
fn keep(kept: &dyn Area, root: &Path, random: u64, journal: &Journal) -> io::Result<PathBuf> {
    let name = PathBuf::from(format!("{}-{random:016x}{ENDING}", key(root)));
    let waiting = name.with_extension(UNFINISHED);
    let bytes = serde_json::to_vec(journal)?;
    let written = kept.create(&waiting, &bytes, None).and_then(|()| kept.rename(&waiting, &name));
    if let Err(error) = written {
        let _ = kept.remove(&waiting);
        return Err(error);
    }
    kept.sync(Path::new(""))?;
    Ok(name)
}

/// Waits until the changes to the files are on disk, and then removes the journal.
fn end(area: &dyn Area, kept: &dyn Area, name: &Path, journal: &Journal) -> io::Result<()> {
    let folders = journal.files.iter().map(|entry| entry.path.parent().unwrap_or(Path::new("")));
    for folder in folders.collect::<FxHashSet<_>>() {
        if_there(area.sync(folder))?;
    }
    kept.remove(name)
}

/// Undoes interrupted writes in a folder, above it in its repository, or below it. A file that was changed or deleted
/// since is left as it is.
///
/// # Errors
/// When a journal cannot be read or a file cannot be restored.
pub(super) fn recover(door: &Door, state: &State) -> Result<Recovered, WriteError> {
    let stranded = state.stranded(door)?;
    let is_clean = !state.lock(door.top()).exists() && state.unfinished(door).is_empty();
    if is_clean && state.journals(door)?.is_empty() {
        return Ok(Recovered { stranded, ..Recovered::default() });
    }
    is_ours(door)?;
    // A process that is still writing may finish, and then there is nothing to undo.
    let _alone = Alone::wait(state, door.top())?;
    let recovered = recover_beneath(door, door.repository(), state, &state.open()?)?;
    Ok(Recovered { stranded, ..recovered })
}

/// Whether an interrupted write has not been undone yet, in a folder, above it in its repository, or below it. Also
/// true if the journals cannot be read.
pub(super) fn is_interrupted(door: &Door, state: &State) -> bool {
    let Ok(found) = state.journals(door) else { return true };
    if found.is_empty() {
        return false;
    }
    // If a write is still running, in this repository or in one inside it, this waits until the write ends. Another
    // write may begin in the meantime; its journal does not count.
    let roots = found.iter().map(|(_, journal)| PathBuf::from(&journal.root));
    for root in std::iter::once(door.top().to_path_buf()).chain(roots) {
        drop(Alone::wait(state, &root));
    }
    let is_left = |(name, _): &(PathBuf, Journal)| found.iter().any(|(before, _)| before == name);
    state.journals(door).map_or(true, |now| now.iter().any(is_left))
}

fn recover_beneath(door: &Door, area: &dyn Area, state: &State, kept: &dyn Area) -> Result<Recovered, WriteError> {
    let mut all = Recovered::default();
    for name in state.unfinished(door) {
        if_there(kept.remove(&name)).map_err(|error| WriteError::Io(name.display().to_string(), error))?;
    }
    for (name, journal) in state.journals(door)? {
        let at = |error: io::Error| WriteError::Io(name.display().to_string(), error);
        let written = Path::new(&journal.root);
        let recovered = if written == door.top() {
            let recovered = take_back(area, &journal).map_err(at)?;
            end(area, kept, &name, &journal).map_err(at)?;
            recovered
        } else {
            // A repository inside this one: another process may be writing there.
            let _alone = Alone::wait(state, written)?;
            if !state.journals(door)?.iter().any(|(other, _)| *other == name) {
                continue;
            }
            let inner = Dir::open_ambient_dir(written, ambient_authority()).map_err(at)?;
            if written.canonicalize().map_err(at)? != written {
                return Err(WriteError::Outside(written.display().to_string()));
            }
            let recovered = take_back(&inner, &journal).map_err(at)?;
            end(&inner, kept, &name, &journal).map_err(at)?;
            recovered
        };
        all.restored.extend(recovered.restored);
        all.left.extend(recovered.left);
    }
    Ok(all)
}

/// Restores the old text of every file of a journal that has its new text, and removes the temporary files.
fn take_back(area: &dyn Area, journal: &Journal) -> io::Result<Recovered> {
    let mut recovered = Recovered::default();
    for entry in &journal.files {
        if_there(area.remove(&entry.waiting))?;
        let now = if_there(area.look(&entry.path))?;
        let text = match &now {
            // A link or folder that has replaced the file since is left alone.
            Some(now) if now.is_file() => Some(if_there(area.read(&entry.path))?.unwrap_or_default()),
            Some(_) => Some(Vec::new()),
            None => None,
        };
        let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let path = entry.path.display().to_string();
        match (&text, &entry.old) {
            (Some(text), Some(old)) if text == old => {}
            (None, None) => {}
            // A file that is read-only or has other hard links was changed after the write.
            (Some(_), Some(_)) if now.as_ref().is_some_and(|now| obstacle(now).is_some()) => recovered.left.push(path),
            (Some(text), old) if text_hash(text) == entry.new => {
                match old {
                    Some(old) => {
                        area.create(&entry.waiting, old.as_bytes(), now.as_ref())?;
                        area.rename(&entry.waiting, &entry.path)?;
                    }
                    None => area.remove(&entry.path)?,
                }
                recovered.restored.push(path);
            }
            _ => recovered.left.push(path),
        }
    }
    for folder in journal.folders.iter().rev() {
        // A folder that is no longer empty is kept.
        match area.remove_folder(folder) {
            Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => if_there(Err(error))?,
            _ => None::<()>,
        };
    }
    Ok(recovered)
}

/// Turns an error about a missing file or folder into `None`.
fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The exclusive right to write in a repository and to use the journals of all folders in it. Only one process has this
/// right at a time; dropping the value gives it up.
struct Alone {
    path: PathBuf,
    _file: fs::File,
}

impl Alone {
    /// Waits until no other process writes in the repository.
    fn wait(state: &State, root: &Path) -> Result<Alone, WriteError> {
        let path = state.lock(root);
        Alone::hold(&path).map_err(|error| WriteError::State(format!("{}: {error}", path.display())))
    }

    fn hold(path: &Path) -> io::Result<Alone> {
        loop {
            let file = fs::File::options().create(true).truncate(false).write(true).open(path)?;
            file.lock()?;
            // The previous holder removes the file when it is done; no other process would see a lock on the removed
            // file.
            match same_file::Handle::from_path(path) {
                Ok(there) if there == same_file::Handle::from_file(file.try_clone()?)? => {
                    return Ok(Alone { path: path.to_path_buf(), _file: file });
                }
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Returns the part of the names of a folder's lock and journals that identifies the folder.
fn key(root: &Path) -> String {
    format!("{:016x}", text_hash(&root.to_string_lossy()))
}

/// Returns a number that cannot be guessed.
fn random() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    // The standard library's keys are random. If a file whose name contains this number already existed, the write
    // would fail and the file would not be overwritten.
    std::hash::RandomState::new().build_hasher().finish()
}

/// Checks, as git does, that a workspace belongs to the current user: its owner decides what is in its files.
fn is_ours(door: &Door) -> Result<(), WriteError> {
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt;
        let root = door.root();
        let owner = door.metadata("").map_err(|error| WriteError::Io(root.display().to_string(), error))?.uid();
        let number = |name: &str| std::env::var(name).ok()?.parse::<u32>().ok();
        let user = nix::unistd::geteuid().as_raw();
        let through_sudo = user == 0 && number("SUDO_UID") == Some(owner);
        let trusts = |folder: OsString| root.starts_with(fs::canonicalize(folder).unwrap_or_default());
        let is_trusted = || std::env::var_os(TRUSTED).filter(|folder| !folder.is_empty()).is_some_and(trusts);
        if owner != user && !through_sudo && !is_trusted() {
            return Err(WriteError::Owner(root));
        }
    }
    #[cfg(not(unix))]
    let _ = door;
    Ok(())
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
