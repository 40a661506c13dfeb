//! Reading: every file of a workspace is opened here, inside its repository and nowhere else.
//!
//! A repository is not trusted. Whatever is in place of a file, opening it never blocks (a named pipe), never fills the
//! memory (`/dev/zero`, a sparse file) and never leads out of the repository (a link, `..`).

#![expect(clippy::disallowed_methods, reason = "the only module that reads files")]

use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use super::MAX_FILE_SIZE;
use crate::syntax::Language;

/// A root folder and its repository; no file outside the repository is opened. Paths are relative to the root and may
/// begin with `../`, up to the top of the repository.
#[derive(Debug)]
pub(super) struct Door {
    repository: Dir,
    /// The repository's absolute path, without links.
    top: PathBuf,
    /// The path of the root relative to the repository; empty if they are the same.
    inside: PathBuf,
}

/// The reason why a file was not read.
#[derive(Debug)]
pub(super) enum Unreadable {
    Missing,
    /// A link or a `..` leads out of the repository.
    Outside,
    /// A folder, a pipe, a socket or a device.
    NotAFile,
    /// Larger than this many bytes.
    TooLarge(u64),
    Binary,
    Utf16,
    NotUtf8,
    Io(io::Error),
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unreadable::Missing => f.write_str("there is no such file"),
            Unreadable::Outside => f.write_str("leads out of the repository"),
            Unreadable::NotAFile => f.write_str("not a regular file"),
            Unreadable::TooLarge(limit) => write!(f, "larger than {}", size(*limit)),
            Unreadable::Binary => f.write_str("a binary file"),
            Unreadable::Utf16 => f.write_str("UTF-16: save it as UTF-8"),
            Unreadable::NotUtf8 => f.write_str("not UTF-8"),
            Unreadable::Io(error) => error.fmt(f),
        }
    }
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Unreadable {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Unreadable::Missing,
            // Opening a socket fails with this error.
            #[cfg(unix)]
            _ if error.raw_os_error() == Some(nix::errno::Errno::ENXIO as i32) => Unreadable::NotAFile,
            _ => Unreadable::Io(error),
        }
    }
}

impl Door {
    /// Opens the door to a folder. Its repository is the nearest folder at or above it that has a `.git`; if there is
    /// none, it is the folder itself.
    ///
    /// # Errors
    /// When the folder cannot be opened.
    pub(super) fn open(root: &Path) -> io::Result<Door> {
        let root = root.canonicalize()?;
        if !root.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let is_top = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok();
        let top = root.ancestors().find(is_top).unwrap_or(&root).to_path_buf();
        let inside = root.strip_prefix(&top).unwrap_or(Path::new("")).to_path_buf();
        let repository = Dir::open_ambient_dir(&top, ambient_authority())?;
        Ok(Door { repository, top, inside })
    }

    /// Returns the absolute path of the root, without links.
    pub(super) fn root(&self) -> PathBuf {
        self.top.join(&self.inside)
    }

    /// Returns the absolute path of the repository, without links.
    pub(super) fn top(&self) -> &Path {
        &self.top
    }

    /// Returns the path of the root relative to the repository; it is empty if they are the same.
    pub(super) fn inside(&self) -> &Path {
        &self.inside
    }

    /// Returns the repository, for writing in it.
    pub(super) fn repository(&self) -> &Dir {
        &self.repository
    }

    /// Returns the text of a UTF-8 file. Only source code may contain NUL characters.
    ///
    /// # Errors
    /// When the file cannot be read, or is not such text.
    pub(super) fn text(&self, path: impl AsRef<Path>) -> Result<String, Unreadable> {
        text(self.bytes(&path, MAX_FILE_SIZE)?, path.as_ref())
    }

    /// Returns the bytes of a regular file, at most `limit` of them.
    ///
    /// # Errors
    /// When there is no such file in the repository, or it is not a regular file of at most `limit` bytes.
    pub(super) fn bytes(&self, path: impl AsRef<Path>, limit: u64) -> Result<Vec<u8>, Unreadable> {
        bounded(self.file(path.as_ref())?, limit)
    }

    /// Returns the metadata of a file or folder; a link is followed.
    pub(super) fn metadata(&self, path: impl AsRef<Path>) -> io::Result<Metadata> {
        let path = self.within(path.as_ref());
        match self.repository.metadata(nonempty(&path)) {
            Err(error) if is_escape(&error) => self.repository.metadata(nonempty(&self.followed(&path)?)),
            found => found,
        }
    }

    /// Whether anything exists at a path, even a link that leads nowhere.
    pub(super) fn is_there(&self, path: impl AsRef<Path>) -> bool {
        let path = self.within(path.as_ref());
        !matches!(self.repository.symlink_metadata(path), Err(error) if error.kind() == io::ErrorKind::NotFound)
    }

    /// Whether a path is itself a link.
    pub(super) fn is_link(&self, path: impl AsRef<Path>) -> bool {
        self.repository.symlink_metadata(self.within(path.as_ref())).is_ok_and(|metadata| metadata.is_symlink())
    }

    /// Returns the paths of the entries of a folder; empty if it cannot be read.
    pub(super) fn entries(&self, folder: impl AsRef<Path>) -> Vec<PathBuf> {
        let folder = folder.as_ref();
        let entries = self.repository.read_dir(nonempty(&self.within(folder))).into_iter().flatten().flatten();
        entries.map(|entry| folder.join(entry.file_name())).collect()
    }

    /// Returns the target of a link, as written; `None` if it cannot be read.
    pub(super) fn link(&self, path: impl AsRef<Path>) -> Option<PathBuf> {
        self.repository.read_link_contents(self.within(path.as_ref())).ok()
    }

    /// Returns the path of a file relative to the repository, with every link followed; `None` if there is no such
    /// file, or it lies outside the repository.
    pub(super) fn resolved(&self, path: impl AsRef<Path>) -> Option<PathBuf> {
        let path = self.within(path.as_ref());
        let path = nonempty(&path);
        self.repository.canonicalize(path).ok().or_else(|| self.followed(path).ok())
    }

    /// Like [`Door::resolved`], but relative to the root; `None` also if the file lies outside the root.
    pub(super) fn resolved_in_root(&self, path: impl AsRef<Path>) -> Option<PathBuf> {
        Some(self.resolved(path)?.strip_prefix(&self.inside).ok()?.to_path_buf())
    }

    /// Converts a path to one relative to the repository. The given path is relative to the root, or the absolute path
    /// of anything in the repository.
    pub(super) fn within(&self, path: &Path) -> PathBuf {
        if let Ok(inside) = path.strip_prefix(&self.top) {
            return inside.to_path_buf();
        }
        let mut within = self.inside.clone();
        for part in path.components() {
            match part {
                // `..` after a linked folder does not cancel the folder's name, so only a `..` that leads up from the
                // root is resolved here.
                Component::ParentDir if within == self.inside || self.inside.starts_with(&within) => {
                    if !within.pop() {
                        // The path leads out of the repository, so opening it fails.
                        within.push("..");
                    }
                }
                part => within.push(part),
            }
        }
        within
    }

    fn file(&self, path: &Path) -> Result<File, Unreadable> {
        let path = self.within(path);
        let open = |path: &Path| self.repository.open_with(path, &reading());
        match open(&path) {
            Err(error) if is_escape(&error) => Ok(open(&self.followed(&path).map_err(|_| Unreadable::Outside)?)?),
            opened => Ok(opened?),
        }
    }

    /// Follows all links in a path, even absolute links. The given path and the returned one are relative to the
    /// repository.
    fn followed(&self, path: &Path) -> io::Result<PathBuf> {
        let real = self.top.join(path).canonicalize()?;
        let inside = real.strip_prefix(&self.top).map_err(|_| io::Error::from(io::ErrorKind::PermissionDenied))?;
        Ok(inside.to_path_buf())
    }
}

/// Reads a file that was named on the command line or in an editor's settings, wherever it lies.
///
/// # Errors
/// When it is not a regular UTF-8 file of at most [`MAX_FILE_SIZE`] bytes.
pub(super) fn named(path: &Path) -> io::Result<String> {
    let metadata = path.metadata()?;
    let read = || {
        if !metadata.is_file() {
            return Err(Unreadable::NotAFile);
        }
        // The file could be replaced with a pipe after this check; opening the pipe must not block.
        let mut options = std::fs::File::options();
        options.read(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, NONBLOCK);
        text(bounded(File::from_std(options.open(path)?), MAX_FILE_SIZE)?, path)
    };
    read().map_err(|reason| match reason {
        Unreadable::Io(error) => error,
        reason => io::Error::new(io::ErrorKind::InvalidData, reason.to_string()),
    })
}

/// Returns the bytes of a regular file in a folder, at most `limit` of them. A link is followed only if its target is
/// in the folder.
///
/// # Errors
/// When there is no such file, or the file is larger than `limit`.
pub(super) fn regular(folder: &Dir, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let read = |path: &Path| bounded(folder.open_with(path, &reading())?, limit);
    read(path).map_err(|reason| match reason {
        Unreadable::Io(error) => error,
        Unreadable::Missing => io::ErrorKind::NotFound.into(),
        reason => io::Error::new(io::ErrorKind::InvalidData, reason.to_string()),
    })
}

/// Whether anything exists at a path; nothing is opened.
pub(super) fn is_there(path: &Path) -> bool {
    path.exists()
}

#[cfg(unix)]
const NONBLOCK: i32 = nix::fcntl::OFlag::O_NONBLOCK.bits() | nix::fcntl::OFlag::O_NOCTTY.bits();

fn reading() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::custom_flags(&mut options, NONBLOCK);
    options
}

fn bounded(file: File, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(Unreadable::NotAFile);
    }
    if metadata.len() > limit {
        return Err(Unreadable::TooLarge(limit));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    // The file may grow while it is read.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(Unreadable::TooLarge(limit));
    }
    Ok(bytes)
}

/// Decodes text in UTF-8. Source code may contain NUL characters in its strings; any other file that contains one is
/// binary.
fn text(bytes: Vec<u8>, path: &Path) -> Result<String, Unreadable> {
    if is_utf16(&bytes) {
        return Err(Unreadable::Utf16);
    }
    let text = String::from_utf8(bytes).map_err(|_| Unreadable::NotUtf8)?;
    if text.contains('\0') && !is_source(path) { Err(Unreadable::Binary) } else { Ok(text) }
}

/// Whether bytes begin with the byte order mark of UTF-16.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    const MARKS: [&[u8]; 2] = [&[0xFF, 0xFE], &[0xFE, 0xFF]];
    MARKS.iter().any(|mark| bytes.starts_with(mark))
}

/// Whether a path is that of a source code file.
pub(super) fn is_source(path: &Path) -> bool {
    path.to_str().and_then(Language::of_path).is_some_and(|language| language.family().is_some())
}

/// Whether an error means that a path leads out of the repository, or that it contains an absolute link.
fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

/// Replaces an empty path with `.`, the folder itself.
fn nonempty(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Formats a number of bytes: `5 MiB`.
fn size(bytes: u64) -> String {
    match bytes / 1024 {
        kib if kib >= 1024 => format!("{} MiB", kib / 1024),
        kib => format!("{kib} KiB"),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn tree() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("repo/app");
        fs::create_dir_all(&root).unwrap();
        fs::create_dir(folder.path().join("repo/.git")).unwrap();
        fs::write(folder.path().join("secret"), "s").unwrap();
        fs::write(folder.path().join("repo/base"), "b").unwrap();
        fs::write(root.join("a"), "a").unwrap();
        folder
    }

    fn read(door: &Door, path: &str) -> String {
        door.text(path).unwrap_or_else(|reason| format!("{reason:?}"))
    }

    #[test]
    fn paths_reach_as_far_as_the_repository() {
        let folder = tree();
        let door = Door::open(&folder.path().join("repo/app")).unwrap();
        assert_eq!(read(&door, "a"), "a");
        assert_eq!(read(&door, "../base"), "b");
        assert_eq!(read(&door, "../../secret"), "Outside");
        assert_eq!(read(&door, folder.path().join("secret").to_str().unwrap()), "Outside");
        assert_eq!(read(&door, "nowhere"), "Missing");
        assert_eq!(read(&door, "."), "NotAFile");
    }

    #[test]
    fn without_a_repository_the_folder_is_the_border() {
        let folder = tree();
        fs::remove_dir(folder.path().join("repo/.git")).unwrap();
        let door = Door::open(&folder.path().join("repo/app")).unwrap();
        assert_eq!(read(&door, "a"), "a");
        assert_eq!(read(&door, "../base"), "Outside");
    }

    #[test]
    fn links_are_followed_inside_and_nowhere_else() {
        let folder = tree();
        let root = folder.path().join("repo/app");
        symlink("../base", root.join("up")).unwrap();
        symlink(folder.path().canonicalize().unwrap().join("repo/base"), root.join("absolute")).unwrap();
        symlink("../../secret", root.join("out")).unwrap();
        symlink("/dev/zero", root.join("zero")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        symlink("../..", root.join("folder")).unwrap();
        let door = Door::open(&root).unwrap();
        assert_eq!((read(&door, "up"), read(&door, "absolute")), ("b".into(), "b".into()));
        assert_eq!((read(&door, "out"), read(&door, "zero")), ("Outside".into(), "Outside".into()));
        assert_eq!(read(&door, "folder/secret"), "Outside");
        assert!(read(&door, "loop").starts_with("Io"));
        assert_eq!(door.resolved_in_root("up"), None);
        assert_eq!(door.resolved("up").unwrap(), Path::new("base"));
    }

    #[test]
    fn nothing_but_regular_files_of_bounded_size_is_read() {
        let folder = tree();
        let root = folder.path().join("repo/app");
        nix::unistd::mkfifo(&root.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
        fs::File::create(root.join("sparse")).unwrap().set_len(10 << 30).unwrap();
        let door = Door::open(&root).unwrap();
        assert_eq!(read(&door, "pipe"), "NotAFile");
        assert!(["NotAFile", "Io"].iter().any(|reason| read(&door, "socket").starts_with(reason)));
        assert_eq!(read(&door, "sparse"), format!("TooLarge({MAX_FILE_SIZE})"));
        assert!(named(&root.join("pipe")).is_err());
    }

    #[test]
    fn encodings_that_are_not_read_have_their_reason() {
        let folder = tree();
        let root = folder.path().join("repo/app");
        fs::write(root.join("utf-16"), b"\xff\xfe{\0}\0").unwrap();
        fs::write(root.join("latin"), b"caf\xe9").unwrap();
        fs::write(root.join("zeros"), b"a\0b").unwrap();
        let door = Door::open(&root).unwrap();
        assert_eq!((read(&door, "utf-16"), read(&door, "latin")), ("Utf16".into(), "NotUtf8".into()));
        assert_eq!(read(&door, "zeros"), "Binary");
    }
}
