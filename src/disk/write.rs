//! Writing: the few operations that change files, beneath a folder and never through a link.

#![expect(clippy::disallowed_methods, reason = "the only module that writes files")]

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, Metadata, OpenOptions};

use super::door::{self, Door, Unreadable};
use super::error::WriteError;
use crate::path::is_outside;

/// The maximum size in bytes of a file that is read before it is replaced or restored, and of a journal.
const LARGEST: u64 = 1 << 30;

/// The operations that writing needs in a folder. Paths are relative to it. Tests use an implementation whose
/// operations fail.
pub(super) trait Area: Sync {
    /// Returns the bytes of a file.
    ///
    /// # Errors
    /// `NotFound` if there is no such file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Creates a file, with the owner and permissions of `like` if given; its text is on disk before this returns.
    ///
    /// # Errors
    /// `AlreadyExists` if anything exists there, even a link.
    fn create(&self, path: &Path, bytes: &[u8], like: Option<&Metadata>) -> io::Result<()>;

    /// Renames a file over another one atomically.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Returns the metadata of a path; a link is not followed.
    fn look(&self, path: &Path) -> io::Result<Metadata>;

    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty folder.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;

    /// Waits until the renames in a folder are on disk.
    fn sync(&self, folder: &Path) -> io::Result<()>;
}

impl Area for Dir {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        door::regular(self, path, LARGEST)
    }

    fn create(&self, path: &Path, bytes: &[u8], like: Option<&Metadata>) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = self.open_with(path, &options)?;
        file.write_all(bytes)?;
        if let Some(like) = like {
            same_owner(&file, like)?;
            file.set_permissions(like.permissions())?;
        }
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        Dir::rename(self, from, self, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.remove_file(path)
    }

    fn look(&self, path: &Path) -> io::Result<Metadata> {
        self.symlink_metadata(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.create_dir(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.remove_dir(path)
    }

    fn sync(&self, folder: &Path) -> io::Result<()> {
        #[cfg(unix)]
        {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            self.open_with(folder, OpenOptions::new().read(true))?.sync_all()?;
        }
        #[cfg(not(unix))]
        let _ = folder;
        Ok(())
    }
}

/// Gives a new file the owner of the file that it replaces.
fn same_owner(file: &cap_std::fs::File, like: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use cap_std::fs::MetadataExt;
        let own = file.metadata()?;
        let uid = (own.uid() != like.uid()).then(|| like.uid());
        let gid = (own.gid() != like.gid()).then(|| like.gid());
        if uid.is_some() || gid.is_some() {
            std::os::unix::fs::fchown(file, uid, gid)?;
        }
    }
    #[cfg(not(unix))]
    let _ = (file, like);
    Ok(())
}

/// A file that may be replaced.
pub(super) struct Target {
    /// The path relative to the repository, with every link followed.
    pub(super) path: PathBuf,
    pub(super) metadata: Metadata,
    pub(super) text: String,
}

/// Checks whether a file of the workspace may be replaced, and reads it.
///
/// # Errors
/// When the file cannot be read, lies outside the root or belongs to version control, or when replacing it would change
/// more than its text.
pub(super) fn target(door: &Door, path: &str) -> Result<Target, WriteError> {
    let io = |error| WriteError::Io(path.to_string(), error);
    let text = door.text(path).map_err(|reason| match reason {
        Unreadable::Outside => WriteError::Outside(path.to_string()),
        Unreadable::NotAFile => WriteError::NotAFile(path.to_string()),
        Unreadable::Io(error) => io(error),
        Unreadable::Missing => io(io::ErrorKind::NotFound.into()),
        reason => io(io::Error::new(io::ErrorKind::InvalidData, reason.to_string())),
    })?;
    let outside = || WriteError::Outside(path.to_string());
    let inside = door.resolved_in_root(path).ok_or_else(outside)?;
    let real = door.within(&inside);
    let metadata = door.repository().symlink_metadata(&real).map_err(io)?;
    if is_of_version_control(&real) {
        return Err(WriteError::VersionControl(path.to_string()));
    }
    match obstacle(&metadata) {
        Some(why) => Err(why(path.to_string())),
        None => Ok(Target { path: real, metadata, text }),
    }
}

/// Returns the reason why a file cannot be replaced by a new file with the same name and permissions; `None` if it can.
pub(super) fn obstacle(metadata: &Metadata) -> Option<fn(String) -> WriteError> {
    if !metadata.is_file() {
        return Some(WriteError::NotAFile);
    }
    if metadata.permissions().readonly() {
        return Some(WriteError::ReadOnly);
    }
    #[cfg(unix)]
    if cap_std::fs::MetadataExt::nlink(metadata) > 1 {
        return Some(WriteError::HardLink);
    }
    None
}

/// Whether a path leads into the data of a version control system, which runs commands that are configured there.
fn is_of_version_control(path: &Path) -> bool {
    let is_one = |part: &str| [".git", ".hg", ".svn", ".jj"].iter().any(|name| part.eq_ignore_ascii_case(name));
    path.components().any(|part| part.as_os_str().to_str().is_some_and(is_one))
}

/// Returns the path of a new file relative to the repository, and the folders to create for it.
///
/// # Errors
/// When the file already exists, lies outside the workspace or belongs to version control, or when a parent in its path
/// is a link or not a folder.
pub(super) fn new_target(door: &Door, path: &str) -> Result<(PathBuf, Vec<PathBuf>), WriteError> {
    if is_outside(path) {
        return Err(WriteError::Outside(path.to_string()));
    }
    let target = door.within(Path::new(path));
    if is_of_version_control(&target) {
        return Err(WriteError::VersionControl(path.to_string()));
    }
    let mut missing = Vec::new();
    let mut folder = PathBuf::new();
    for part in target.parent().unwrap_or(Path::new("")).components() {
        folder.push(part);
        match door.repository().symlink_metadata(&folder) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(WriteError::NotAFolder(folder.display().to_string())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push(folder.clone()),
            Err(error) => return Err(WriteError::Io(path.to_string(), error)),
        }
    }
    if door.is_there(path) { Err(WriteError::Exists(path.to_string())) } else { Ok((target, missing)) }
}
