//! Writing many files all or none.
//!
//! The new texts are written into a folder of our own first; then a journal names every file with its old text; then
//! each file is replaced by a rename. Whoever is killed in between leaves the journal behind, or that folder, and the
//! next run brings every file back to what it was and leaves no trace.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::workspace::text_hash;

/// Where the journal lies, from the root.
const DIRECTORY: &str = ".toolnames";
const JOURNAL: &str = "journal.json";
/// Where new texts wait, in the same place.
const STAGED: &str = "staged";

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
}

/// A file to be written.
struct Staged {
    path: String,
    target: PathBuf,
    old: String,
    temporary: tempfile::NamedTempFile,
}

/// Replaces the texts of files, all or none. Each file is named by its path from the root, with the hash of the
/// text it was read with and its new text.
///
/// # Errors
/// When a file was changed meanwhile, lies outside the root, or cannot be written; then every file is as before.
pub fn write_all(root: &Path, files: &[(String, u64, String)]) -> Result<(), WriteError> {
    let real_root = root.canonicalize().map_err(|error| WriteError::Io(root.display().to_string(), error))?;
    let clean = Clean(&real_root);
    let mut staged = Vec::new();
    for (path, hash, text) in files {
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
        let temporary = staging(&real_root).and_then(|directory| written(&directory, text, permissions)).map_err(io)?;
        staged.push(Staged { path: path.clone(), target, old, temporary });
    }
    match staged.len() {
        0 => return Ok(()),
        // One rename is one step already.
        1 => {}
        _ => write_journal(&real_root, &staged)?,
    }
    let journalled = staged.len() > 1;
    for file in staged {
        if let Err(error) = put(file.temporary, &file.target) {
            if journalled && recover(root).is_err() {
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
    let files = staged.iter().map(|file| Entry { path: file.path.clone(), old: file.old.clone() }).collect();
    let text = serde_json::to_string(&Journal { version: 1, files }).expect("a journal is JSON");
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
    // Nothing but our own ignore file: leave no trace.
    let only_ignore =
        fs::read_dir(&directory).is_ok_and(|entries| entries.flatten().all(|entry| entry.file_name() == ".gitignore"));
    if only_ignore {
        let _ = fs::remove_file(directory.join(".gitignore"));
        let _ = fs::remove_dir(&directory);
    }
}

/// Brings back what an interrupted write left half done; the files that were restored.
///
/// # Errors
/// When the journal cannot be read or a file cannot be restored.
pub fn recover(root: &Path) -> io::Result<Vec<String>> {
    let journal = root.join(DIRECTORY).join(JOURNAL);
    let text = match fs::read_to_string(&journal) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // Killed before the first file was touched.
            if root.join(DIRECTORY).join(STAGED).exists() {
                remove_traces(root);
            }
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    let journal: Journal = serde_json::from_str(&text)?;
    let real_root = root.canonicalize()?;
    let mut restored = Vec::new();
    for entry in journal.files {
        let target = root.join(&entry.path).canonicalize()?;
        if !target.starts_with(&real_root) {
            continue;
        }
        if fs::read_to_string(&target)? != entry.old {
            let permissions = fs::metadata(&target)?.permissions();
            put(written(&staging(&real_root)?, &entry.old, permissions)?, &target)?;
            restored.push(entry.path);
        }
    }
    remove_traces(&real_root);
    Ok(restored)
}

/// Whether an interrupted write waits to be taken back.
pub fn is_interrupted(root: &Path) -> bool {
    root.join(DIRECTORY).join(JOURNAL).exists()
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
        let folder = folder(&[("a", "new"), ("b", "2")]);
        let journal = r#"{"version":1,"files":[{"path":"a","old":"1"},{"path":"b","old":"2"}]}"#;
        fs::create_dir(folder.path().join(DIRECTORY)).unwrap();
        fs::write(folder.path().join(DIRECTORY).join(JOURNAL), journal).unwrap();
        assert!(is_interrupted(folder.path()));
        assert_eq!(recover(folder.path()).unwrap(), ["a"]);
        assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), "1");
        assert!(!is_interrupted(folder.path()));
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
