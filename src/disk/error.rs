//! The reasons why files were not written.

use std::io;
use std::path::PathBuf;

/// The environment variable that names a folder in which files may be written even if the folder belongs to another
/// user.
pub(super) const TRUSTED: &str = "TOOLNAMES_SAFE_DIRECTORY";

/// The reason why a write failed. A string is the path of the file or folder, except in `State` and `Half`, where it is
/// an explanation.
#[derive(Debug)]
pub(crate) enum WriteError {
    /// The file has changed since it was read.
    Changed(String),
    /// The file lies outside the workspace.
    Outside(String),
    /// The new file exists already.
    Exists(String),
    NotAFile(String),
    NotAFolder(String),
    ReadOnly(String),
    /// The file is part of the data of a version control system, such as `.git`.
    VersionControl(String),
    /// The file has other hard links, which would keep the old text.
    HardLink(String),
    /// The workspace belongs to another user.
    Owner(PathBuf),
    /// The journal cannot be written or read.
    State(String),
    /// Some files have their new texts and others the old ones; the journal is kept.
    Half(String),
    Io(String, io::Error),
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WriteError::Changed(path) => write!(f, "{path} has changed since it was read: run the command again")?,
            WriteError::Outside(path) => write!(f, "{path} lies outside the workspace: change it by hand")?,
            WriteError::Exists(path) => write!(f, "{path} already exists")?,
            WriteError::NotAFile(path) => write!(f, "{path} is not a regular file")?,
            WriteError::NotAFolder(path) => write!(f, "{path} is not a folder: remove it first")?,
            WriteError::VersionControl(path) => {
                write!(f, "{path} is a link into the data of version control: replace it with a file")?;
            }
            WriteError::ReadOnly(path) => write!(f, "{path} is read-only: make it writable first")?,
            WriteError::HardLink(path) => {
                write!(
                    f,
                    "{path} has other names (hard links) that would keep the old text: replace it with a copy first"
                )?;
            }
            WriteError::Owner(root) => {
                let root = root.display();
                write!(f, "{root} belongs to another user: run toolnames as that user, or set {TRUSTED}={root}")?;
            }
            WriteError::State(reason) => write!(f, "{reason}")?,
            WriteError::Half(reason) => {
                return write!(f, "{reason}; some files were written: run `toolnames fix` to restore them");
            }
            WriteError::Io(path, error) => write!(f, "{path}: {error}")?,
        }
        f.write_str("; nothing was written")
    }
}

impl std::error::Error for WriteError {}
