//! Writing many files all or none.
//!
//! The new texts are written into a folder of our own first; then a journal names every file with its old text; then
//! each file is replaced by a rename. Whoever is killed in between leaves the journal behind, or that folder, and the
//! next run brings every file back to what it was and leaves no trace. What somebody changed since is theirs.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::workspace::text_hash;

/// Where the journal lies, from the root.
const DIRECTORY: &str = ".toolnames";
const JOURNAL: &str = "journal.json";
/// Where new texts wait, in the same place.
const STAGED: &str = "staged";
/// Whoever writes holds it.
const LOCK: &str = "lock";
/// The version of the journal's form.
const VERSION: u32 = 2;

/// Why nothing was written.
#[derive(Debug)]
pub enum WriteError {
    /// The file has another text than the one that was read.
    Changed(String),
    /// The file leads out of the workspace.
    Outside(String),
    Io(String, io::Error),
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WriteError::Changed(path) => {
                write!(f, "{path} was changed since it was read; nothing was written, run the command again")
            }
            WriteError::Outside(path) => {
                write!(f, "{path} lies outside the workspace; nothing was written")
            }
            WriteError::Io(path, error) => write!(f, "{path}: {error}; nothing was written"),
        }
    }
}

impl std::error::Error for WriteError {}

#[derive(Serialize, Deserialize)]
struct Journal {
    version: u32,
    files: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    path: String,
    old: String,
    /// The hash of the text that was to be written. What has another one, somebody has changed since.
    new: u64,
}

/// A file to be written.
struct Staged {
    path: String,
    target: PathBuf,
    old: String,
    new: u64,
    temporary: tempfile::NamedTempFile,
}

/// What has become of an interrupted write.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// The files that have their old texts again.
    pub restored: Vec<String>,
    /// Those that were left as they are, since somebody changed or deleted them meanwhile.
    pub left: Vec<String>,
}

/// Replaces the texts of files, all or none. Each file is named by its path from the root, with the hash of the
/// text it was read with and its new text. Of two that write in one folder, the second waits.
///
/// # Errors
/// When a file was changed meanwhile, lies outside the root, or cannot be written; then every file is as before.
pub fn write_all(root: &Path, files: &[(String, u64, String)]) -> Result<(), WriteError> {
    let real_root = root.canonicalize().map_err(|error| WriteError::Io(root.display().to_string(), error))?;
    if files.is_empty() {
        return Ok(());
    }
    let own = |error| WriteError::Io(DIRECTORY.to_string(), error);
    // What is staged lies within, too.
    if real_root.join(DIRECTORY).is_symlink() {
        return Err(WriteError::Outside(DIRECTORY.to_string()));
    }
    let _alone = Alone::wait(&real_root).map_err(own)?;
    if real_root.join(DIRECTORY).join(JOURNAL).exists() {
        // It came while this waited: the files were read in between.
        recover_alone(&real_root).map_err(own)?;
    }
    let clean = Clean(&real_root);
    let directory = staging(&real_root).map_err(own)?;
    let stage = |(path, hash, text): &(String, u64, String)| {
        let io = |error| WriteError::Io(path.clone(), error);
        // A link is followed to the file it means, as long as that lies within.
        let target = root.join(path).canonicalize().map_err(io)?;
        if !target.starts_with(&real_root) {
            return Err(WriteError::Outside(path.clone()));
        }
        let old = fs::read_to_string(&target).map_err(io)?;
        if text_hash(&old) != *hash {
            return Err(WriteError::Changed(path.clone()));
        }
        let permissions = fs::metadata(&target).map_err(io)?.permissions();
        let temporary = written(&directory, text, permissions).map_err(io)?;
        Ok(Staged { path: path.clone(), target, old, new: text_hash(text), temporary })
    };
    let staged: Vec<Staged> = files.par_iter().map(stage).collect::<Result<_, _>>()?;
    // One rename is one step already.
    let journalled = staged.len() > 1;
    if journalled {
        write_journal(&real_root, &staged)?;
    }
    for file in staged {
        if let Err(error) = put(file.temporary, &file.target) {
            if journalled && recover_alone(&real_root).is_err() {
                // The next run tries again.
                std::mem::forget(clean);
            }
            return Err(WriteError::Io(file.path, error));
        }
    }
    Ok(())
}

/// Removes the traces of a write when it ends.
struct Clean<'a>(&'a Path);

impl Drop for Clean<'_> {
    fn drop(&mut self) {
        remove_traces(self.0);
    }
}

/// The right to write in a folder, which one process has at a time.
struct Alone(#[allow(dead_code, reason = "it is held as long as the file is open")] fs::File);

impl Alone {
    /// Waits until nobody else writes.
    fn wait(root: &Path) -> io::Result<Alone> {
        loop {
            let open = |path: PathBuf| {
                let file = fs::File::options().create(true).truncate(false).write(true).open(&path)?;
                Ok((path, file))
            };
            let (path, file) = match own_directory(root).map(|directory| directory.join(LOCK)).and_then(open) {
                // Whoever was first has just removed the folder.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                opened => opened?,
            };
            file.lock()?;
            // Whoever was first removes the file when it is done: then this is one that nobody else will see.
            if same_file::Handle::from_file(file.try_clone()?)?
                == match same_file::Handle::from_path(&path) {
                    Ok(there) => there,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    Err(error) => return Err(error),
                }
            {
                return Ok(Alone(file));
            }
        }
    }
}

/// The folder in which new texts wait.
fn staging(root: &Path) -> io::Result<PathBuf> {
    let directory = own_directory(root)?.join(STAGED);
    fs::create_dir_all(&directory)?;
    Ok(directory)
}

/// A new file with a text.
fn written(directory: &Path, text: &str, permissions: fs::Permissions) -> io::Result<tempfile::NamedTempFile> {
    let mut temporary = tempfile::Builder::new().prefix(".toolnames-").tempfile_in(directory)?;
    temporary.write_all(text.as_bytes())?;
    temporary.as_file().sync_all()?;
    temporary.as_file().set_permissions(permissions)?;
    Ok(temporary)
}

/// Puts a file in the place of another, at once.
fn put(temporary: tempfile::NamedTempFile, target: &Path) -> io::Result<()> {
    let Err(error) = temporary.persist(target) else { return Ok(()) };
    // Another disk is mounted there: what is beside it is on the same one.
    if error.error.kind() != io::ErrorKind::CrossesDevices {
        return Err(error.error);
    }
    let text = fs::read_to_string(error.file.path())?;
    let directory = target.parent().unwrap_or(Path::new("."));
    let temporary = written(directory, &text, fs::metadata(target)?.permissions())?;
    temporary.persist(target).map(|_| ()).map_err(|error| error.error)
}

/// The folder of our own, which ignores itself.
fn own_directory(root: &Path) -> io::Result<PathBuf> {
    let directory = root.join(DIRECTORY);
    fs::create_dir_all(&directory)?;
    let ignore = directory.join(".gitignore");
    if !ignore.exists() {
        // Snapshots are committed; everything else here is not.
        fs::write(&ignore, "*\n!snapshots/\n!snapshots/**\n")?;
    }
    Ok(directory)
}

fn write_journal(root: &Path, staged: &[Staged]) -> Result<(), WriteError> {
    let io = |error| WriteError::Io(format!("{DIRECTORY}/{JOURNAL}"), error);
    let directory = own_directory(root).map_err(io)?;
    let entry = |file: &Staged| Entry { path: file.path.clone(), old: file.old.clone(), new: file.new };
    let files = staged.iter().map(entry).collect();
    let text = serde_json::to_string(&Journal { version: VERSION, files }).expect("a journal is JSON");
    let mut temporary = tempfile::NamedTempFile::new_in(staging(root).map_err(io)?).map_err(io)?;
    temporary.write_all(text.as_bytes()).map_err(io)?;
    temporary.as_file().sync_all().map_err(io)?;
    temporary.persist(directory.join(JOURNAL)).map_err(|error| io(error.error))?;
    Ok(())
}

fn remove_traces(root: &Path) {
    let directory = root.join(DIRECTORY);
    let _ = fs::remove_file(directory.join(JOURNAL));
    let _ = fs::remove_dir_all(directory.join(STAGED));
    let _ = fs::remove_file(directory.join(LOCK));
    // Nothing but our own ignore file: leave no trace.
    let only_ignore =
        fs::read_dir(&directory).is_ok_and(|entries| entries.flatten().all(|entry| entry.file_name() == ".gitignore"));
    if only_ignore {
        let _ = fs::remove_file(directory.join(".gitignore"));
        let _ = fs::remove_dir(&directory);
    }
}

/// Brings back what an interrupted write left half done, in a folder or in one above it that holds it. What somebody changed
/// or deleted since stays as it is.
///
/// # Errors
/// When the journal cannot be read or a file cannot be restored.
pub fn recover(root: &Path) -> io::Result<Recovered> {
    let Some(root) = interrupted(root) else { return Ok(Recovered::default()) };
    // Whoever is still at work leaves nothing behind.
    let _alone = Alone::wait(&root)?;
    recover_alone(&root)
}

fn recover_alone(root: &Path) -> io::Result<Recovered> {
    let text = match fs::read_to_string(root.join(DIRECTORY).join(JOURNAL)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // Killed before the first file was touched, or ended well meanwhile.
            remove_traces(root);
            return Ok(Recovered::default());
        }
        Err(error) => return Err(error),
    };
    let journal: Journal = serde_json::from_str(&text).map_err(|error| {
        let advice = "take the files from version control, and delete it";
        io::Error::new(io::ErrorKind::InvalidData, format!("{DIRECTORY}/{JOURNAL}: {error}; {advice}"))
    })?;
    let mut recovered = Recovered::default();
    for entry in journal.files {
        let at = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", entry.path));
        let target = match root.join(&entry.path).canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                recovered.left.push(entry.path);
                continue;
            }
            target => target.map_err(at)?,
        };
        if !target.starts_with(root) {
            continue;
        }
        let now = fs::read_to_string(&target).map_err(at)?;
        if now == entry.old {
            continue;
        }
        if text_hash(&now) == entry.new {
            let permissions = fs::metadata(&target).map_err(at)?.permissions();
            let temporary = staging(root).and_then(|directory| written(&directory, &entry.old, permissions));
            put(temporary.map_err(at)?, &target).map_err(at)?;
            recovered.restored.push(entry.path);
        } else {
            recovered.left.push(entry.path);
        }
    }
    remove_traces(root);
    Ok(recovered)
}

/// Whether an interrupted write waits to be taken back, in a folder or in one above it that holds it.
pub fn is_interrupted(root: &Path) -> bool {
    let Some(root) = interrupted(root).filter(|root| root.join(DIRECTORY).join(JOURNAL).exists()) else { return false };
    // It may be going on just now.
    let Ok(_alone) = Alone::wait(&root) else { return true };
    let waits = root.join(DIRECTORY).join(JOURNAL).exists();
    if !waits {
        remove_traces(&root);
    }
    waits
}

/// Whether a write was interrupted in a folder itself.
pub(super) fn is_left_in(folder: &Path) -> bool {
    folder.join(DIRECTORY).join(JOURNAL).exists()
}

/// The folder in which something was left behind: this one or, as far up as its repository reaches, one above it.
fn interrupted(root: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let is_top = |folder: &&Path| folder.join(".git").exists();
    let top = root.ancestors().find(is_top).unwrap_or(&root).to_path_buf();
    let mut folders = root.ancestors().take_while(|folder| folder.starts_with(&top));
    let is_left = |name: &str, folder: &Path| folder.join(DIRECTORY).join(name).exists();
    folders.find(|folder| is_left(JOURNAL, folder) || is_left(STAGED, folder)).map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            fs::write(folder.path().join(path), text).unwrap();
        }
        folder
    }

    fn change(path: &str, old: &str, new: &str) -> (String, u64, String) {
        (path.to_string(), text_hash(old), new.to_string())
    }

    #[test]
    fn all_files_are_written_and_no_trace_is_left() {
        let folder = folder(&[("a", "1"), ("b", "2")]);
        write_all(folder.path(), &[change("a", "1", "x"), change("b", "2", "y")]).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "x");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_file_changed_meanwhile_stops_everything() {
        let folder = folder(&[("a", "1"), ("b", "changed")]);
        let result = write_all(folder.path(), &[change("a", "1", "x"), change("b", "2", "y")]);
        assert!(matches!(result, Err(WriteError::Changed(path)) if path == "b"));
        assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "1");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn an_interrupted_write_is_taken_back() {
        let folder = folder(&[("a", "new"), ("b", "1")]);
        interrupt(&folder, &["a", "b"]);
        assert!(is_interrupted(folder.path()));
        let restored = vec!["a".to_string()];
        assert_eq!(recover(folder.path()).unwrap(), Recovered { restored, left: Vec::new() });
        assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "1");
        assert!(!is_interrupted(folder.path()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    /// As if a write of `new` in the place of `1` to some files had been interrupted.
    fn interrupt(folder: &tempfile::TempDir, paths: &[&str]) {
        let entry = |path: &&str| Entry { path: (*path).to_string(), old: "1".into(), new: text_hash("new") };
        let journal = Journal { version: VERSION, files: paths.iter().map(entry).collect() };
        fs::create_dir(folder.path().join(DIRECTORY)).unwrap();
        let text = serde_json::to_string(&journal).unwrap();
        fs::write(folder.path().join(DIRECTORY).join(JOURNAL), text).unwrap();
    }

    #[test]
    fn what_was_changed_or_deleted_after_an_interruption_stays_so() {
        let folder = folder(&[("a", "new"), ("b", "new, and more by hand"), ("c", "1")]);
        interrupt(&folder, &["a", "b", "c", "gone"]);
        let recovered = recover(folder.path()).unwrap();
        assert_eq!(recovered, Recovered { restored: vec!["a".into()], left: vec!["b".into(), "gone".into()] });
        assert_eq!(fs::read_to_string(folder.path().join("b")).unwrap(), "new, and more by hand");
        assert!(!is_interrupted(folder.path()));
    }

    #[test]
    fn what_was_left_behind_above_is_seen_from_below() {
        let folder = folder(&[("a", "new")]);
        fs::create_dir_all(folder.path().join("sub")).unwrap();
        fs::create_dir(folder.path().join(".git")).unwrap();
        interrupt(&folder, &["a"]);
        assert!(is_interrupted(&folder.path().join("sub")));
        assert_eq!(recover(&folder.path().join("sub")).unwrap().restored, ["a"]);
    }

    #[test]
    fn of_two_that_write_at_once_each_writes_all_or_nothing() {
        let texts: Vec<(String, String)> = (0..40).map(|index| (format!("f{index}"), "old".to_string())).collect();
        let files: Vec<(&str, &str)> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        for _ in 0..10 {
            let folder = folder(&files);
            let write = |new: &str| {
                let changes: Vec<_> = files.iter().map(|(path, old)| change(path, old, new)).collect();
                write_all(folder.path(), &changes).is_ok()
            };
            let (one, two) = std::thread::scope(|scope| {
                let one = scope.spawn(|| write("one"));
                let other = scope.spawn(|| recover(folder.path()).is_ok());
                let two = write("two");
                assert!(other.join().unwrap());
                (one.join().unwrap(), two)
            });
            assert!(one != two, "the second finds the files changed");
            let wanted = if one { "one" } else { "two" };
            assert!(files.iter().all(|(path, _)| fs::read_to_string(folder.path().join(path)).unwrap() == wanted));
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), files.len());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_workspace_is_not_written_through() {
        let outside = folder(&[("secret", "1")]);
        let inside = folder(&[]);
        std::os::unix::fs::symlink(outside.path().join("secret"), inside.path().join("a")).unwrap();
        let result = write_all(inside.path(), &[change("a", "1", "x")]);
        assert!(matches!(result, Err(WriteError::Outside(_))));
        assert_eq!(fs::read_to_string(outside.path().join("secret")).unwrap(), "1");
    }
}
