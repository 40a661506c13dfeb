//! Writing many files all or none.
//!
//! The new texts are written beside the old files first; then a journal names every file with its old and new
//! text; then each file is replaced by a rename. Whoever is killed in between leaves the journal behind, and the
//! next run brings every file back to what it was.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::workspace::text_hash;

/// Where the journal lies, from the root.
const DIRECTORY: &str = ".toolnames";
const JOURNAL: &str = "journal.json";

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
        let directory = target.parent().unwrap_or(&real_root);
        let mut temporary = tempfile::Builder::new().prefix(".toolnames-").tempfile_in(directory).map_err(io)?;
        temporary.write_all(text.as_bytes()).map_err(io)?;
        temporary.as_file().sync_all().map_err(io)?;
        let permissions = fs::metadata(&target).map_err(io)?.permissions();
        temporary.as_file().set_permissions(permissions).map_err(io)?;
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
        if let Err(error) = file.temporary.persist(&file.target) {
            if journalled {
                let _ = recover(root);
            }
            return Err(WriteError::Io(file.path, error.error));
        }
    }
    if journalled {
        remove_journal(&real_root);
    }
    Ok(())
}

fn write_journal(root: &Path, staged: &[Staged]) -> Result<(), WriteError> {
    let directory = root.join(DIRECTORY);
    let io = |error| WriteError::Io(format!("{DIRECTORY}/{JOURNAL}"), error);
    fs::create_dir_all(&directory).map_err(io)?;
    let ignore = directory.join(".gitignore");
    if !ignore.exists() {
        // Snapshots are committed; everything else here is not.
        fs::write(&ignore, "*\n!snapshots/\n!snapshots/**\n").map_err(io)?;
    }
    let files = staged.iter().map(|file| Entry { path: file.path.clone(), old: file.old.clone() }).collect();
    let text = serde_json::to_string(&Journal { version: 1, files }).expect("a journal is JSON");
    let mut temporary = tempfile::NamedTempFile::new_in(&directory).map_err(io)?;
    temporary.write_all(text.as_bytes()).map_err(io)?;
    temporary.as_file().sync_all().map_err(io)?;
    temporary.persist(directory.join(JOURNAL)).map_err(|error| io(error.error))?;
    Ok(())
}

fn remove_journal(root: &Path) {
    let directory = root.join(DIRECTORY);
    let _ = fs::remove_file(directory.join(JOURNAL));
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
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
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
            let directory = target.parent().unwrap_or(&real_root);
            let mut temporary = tempfile::Builder::new().prefix(".toolnames-").tempfile_in(directory)?;
            temporary.write_all(entry.old.as_bytes())?;
            temporary.as_file().set_permissions(fs::metadata(&target)?.permissions())?;
            temporary.persist(&target).map_err(|error| error.error)?;
            restored.push(entry.path);
        }
    }
    remove_journal(&real_root);
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
