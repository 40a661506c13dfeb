//! The walks that find the files of a folder to read.

#![expect(clippy::disallowed_methods, reason = "the only module that lists folders")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::{DirEntry, WalkBuilder, WalkParallel};
use rustc_hash::FxHashMap;

use super::MAX_FILE_SIZE;
use super::door::{Door, is_source};
use super::ignored::Ignored;
use crate::client::Clients;
use crate::config::Configs;
use crate::path::is_environment;
use crate::text;
use crate::workspace::{Above, FileKind};

/// Folders with other people's code, or with no code; never entered unless given as the root.
const FOREIGN: [&str; 17] = [
    "node_modules",
    ".git",
    ".hg",
    ".svn",
    ".venv",
    "venv",
    "site-packages",
    "__pycache__",
    "target",
    ".tox",
    ".mypy_cache",
    "bower_components",
    ".yarn",
    ".pnpm-store",
    ".next",
    ".nuxt",
    ".output",
];

/// Folders of vendored or generated code, tests, fixtures and examples, which a project does not ship. They are skipped
/// unless `--all` is given.
const SUPPORTING: [&str; 32] = [
    "test",
    "tests",
    "__tests__",
    "__mocks__",
    "spec",
    "specs",
    "e2e",
    "testing",
    "testdata",
    "testHelpers",
    "test-helpers",
    "test_helpers",
    "test-utils",
    "test_utils",
    "testutils",
    "unit-tests",
    "integration-tests",
    "integration_tests",
    "e2e-tests",
    "fixtures",
    "__fixtures__",
    "fixture",
    "examples",
    "example",
    "samples",
    "sample",
    "vendor",
    "third_party",
    "generated",
    "__generated__",
    "benches",
    "benchmarks",
];

/// The maximum depth to which a client's own folder, such as `.claude/skills`, is searched.
const MAX_DEPTH_ABOVE: usize = 3;

/// The maximum nesting depth of folders below a root.
const MAX_DEPTH: usize = 200;

/// The path at which earlier versions kept the journal of a write, relative to the folder in which they wrote.
pub(super) const OLD_JOURNAL: &str = ".toolnames/journal.json";

/// Folders of compiled code, left out if the source is next to them.
const BUILT: [&str; 3] = ["dist", "build", "out"];

/// The result of a walk. Paths are relative to the root, with `/`.
#[derive(Debug, Default, Clone)]
pub(crate) struct Walked {
    pub files: Vec<String>,
    /// Documents and data files, which are read only if a config or a convention requires it.
    pub documents: Vec<String>,
    /// Entries that could not be read, with the reasons.
    pub errors: Vec<(String, String)>,
    /// Journals that earlier versions kept in the tree, where anyone can have put them: they are reported, but not
    /// used.
    pub journals: Vec<String>,
}

/// Finds the files to read below the root. With `all`, this includes tests, examples and generated code.
///
/// # Errors
/// When the root itself cannot be read.
pub(super) fn walk(door: &Arc<Door>, all: bool) -> std::io::Result<Walked> {
    let root = door.root();
    let found = Mutex::new(Walked::default());
    let links = Mutex::new(Vec::new());
    let (walker, ignored) = walker(door, move |folder| enters(folder, all))?;
    walker.run(|| {
        let mut mine =
            Batch { door, root: &root, found: &found, all_links: &links, walked: Walked::default(), links: Vec::new() };
        Box::new(move |entry| {
            match entry {
                Ok(entry) => mine.visit(&entry),
                Err(error) => mine.walked.errors.push((String::new(), error.to_string())),
            }
            ignore::WalkState::Continue
        })
    });
    let mut walked = found.into_inner().expect("no walker panicked");
    let unread = ignored.errors().into_iter();
    walked.errors.extend(unread.map(|(path, reason)| (path.to_string_lossy().into_owned(), reason)));
    walked.files.sort_unstable();
    walked.files.dedup();
    let is_seen = |real: &String| walked.files.binary_search(real).is_ok();
    let links = links.into_inner().expect("no walker panicked").into_iter();
    let more: Vec<String> = links.filter(|(_, real)| !is_seen(real)).map(|(path, _)| path).collect();
    walked.files.extend(more);
    walked.files.sort_unstable();
    walked.documents.sort_unstable();
    walked.errors.sort_unstable();
    walked.journals.sort_unstable();
    Ok(walked)
}

/// Returns a walk below the root, into the folders that `enters` accepts, without the entries that ignore files
/// exclude.
fn walker(
    door: &Arc<Door>,
    enters: impl Fn(&Path) -> bool + Send + Sync + 'static,
) -> std::io::Result<(WalkParallel, Arc<Ignored>)> {
    let root = door.root();
    std::fs::read_dir(&root)?;
    let ignored = Arc::new(Ignored::new(Arc::clone(door)));
    let filter = Arc::clone(&ignored);
    let walker = WalkBuilder::new(&root)
        .standard_filters(false)
        .follow_links(false)
        .max_depth(Some(MAX_DEPTH))
        .filter_entry(move |entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.depth() == 0 || (!is_folder || enters(entry.path())) && !filter.leaves_out(entry.path(), is_folder)
        })
        .build_parallel();
    Ok((walker, ignored))
}

/// The findings of one thread, merged when it ends.
struct Batch<'a> {
    door: &'a Door,
    /// The root, without links.
    root: &'a Path,
    found: &'a Mutex<Walked>,
    all_links: &'a Mutex<Vec<(String, String)>>,
    walked: Walked,
    /// Client files that are links, each with the path of its target.
    links: Vec<(String, String)>,
}

impl Batch<'_> {
    fn visit(&mut self, entry: &ignore::DirEntry) {
        let Some(kind) = entry.file_type() else {
            return;
        };
        let Some(path) = relative(self.root, entry.path()) else {
            self.unnamed(entry, kind.is_dir());
            return;
        };
        if kind.is_dir() {
            return self.folder(entry, path);
        }
        match (Looked::at(&path), kind.is_file()) {
            (Looked::Always, true) => self.walked.files.push(path),
            (Looked::Always, false) => self.no_file(entry, path),
            // The entry may not be a file. If it is read at all, this is reported at that time.
            (Looked::Asked, _) => self.walked.documents.push(path),
            (Looked::Never, _) => {}
        }
    }

    /// Finds the client files in a folder, including those that git ignores.
    fn folder(&mut self, entry: &ignore::DirEntry, path: String) {
        if entry.depth() == MAX_DEPTH {
            return self.walked.errors.push((path, format!("it is more than {MAX_DEPTH} folders deep")));
        }
        let within = |name: &str| if path.is_empty() { name.to_string() } else { format!("{path}/{name}") };
        // Personal settings are usually ignored by git, and are checked all the same. Listing a folder takes far fewer
        // calls than looking for each file by name.
        let names = std::fs::read_dir(entry.path()).into_iter().flatten().flatten();
        let names: Vec<String> = names.filter_map(|name| name.file_name().into_string().ok()).collect();
        for folder in settings_folders() {
            let first = folder.split('/').next().unwrap_or(folder);
            if names.iter().any(|name| name == first) {
                self.inside(&entry.path().join(folder));
            }
        }
        let begun = names.iter().filter_map(|name| settings_by_beginning().get(name.as_str()));
        for name in begun.flatten() {
            if name.contains('/') && std::fs::symlink_metadata(entry.path().join(name)).is_err() {
                continue;
            }
            let file = within(name);
            // An entry that is not a file, or leads out of the repository, is reported when it is read.
            if self.door.metadata(&file).is_ok_and(|metadata| metadata.is_dir()) {
                continue;
            }
            // The file may be a link. If its target is read anyway, the link is not read as well.
            let real = self.door.resolved_in_root(&file).and_then(|real| Some(real.to_str()?.replace('\\', "/")));
            match real.filter(|real| *real != file) {
                Some(real) => self.links.push((file, real)),
                None => self.walked.files.push(file),
            }
        }
        let journal = within(OLD_JOURNAL);
        if std::fs::symlink_metadata(entry.path().join(OLD_JOURNAL)).is_ok() {
            self.walked.journals.push(journal);
        }
    }

    /// Handles an entry that has the name of a file to read but is not a regular file. A link to a file below the root
    /// is skipped: the target itself is read.
    fn no_file(&mut self, entry: &ignore::DirEntry, path: String) {
        let leads_nowhere = |error: std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
        if self.door.metadata(&path).is_err_and(leads_nowhere) {
            self.walked.errors.push((path, "a broken link".into()));
        } else if self.door.resolved_in_root(&path).is_none() || !entry.path_is_symlink() {
            // The reason is reported when the file is read.
            self.walked.files.push(path);
        }
    }

    /// Finds the files in a client's own folder, such as `.claude/agents`, even if git ignores them.
    fn inside(&mut self, folder: &Path) {
        // If the path contains a link, the folder is searched at its real path.
        let Some(path) = relative(self.root, folder) else { return };
        if self.door.resolved_in_root(&path).is_none_or(|real| real != Path::new(&path)) {
            return;
        }
        let mut walk = WalkBuilder::new(folder);
        walk.standard_filters(false).follow_links(false).max_depth(Some(MAX_DEPTH_ABOVE));
        let entries = walk.build().flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
        let paths = entries.filter_map(|entry| relative(self.root, entry.path()));
        self.walked.files.extend(paths.filter(|path| Clients::built_in().of_path(path).is_some()));
    }

    /// Reports an entry whose name is not UTF-8, unless the folder that contains it was reported already.
    fn unnamed(&mut self, entry: &ignore::DirEntry, is_folder: bool) {
        let is_first = entry.path().parent().is_some_and(|folder| relative(self.root, folder).is_some());
        let shown = entry.path().strip_prefix(self.root).unwrap_or(entry.path()).to_string_lossy().into_owned();
        if is_first && (is_folder || is_interesting(&shown)) {
            self.walked.errors.push((shown, "its name is not UTF-8: rename it".to_string()));
        }
    }
}

impl Walked {
    /// Returns every file to read under these configs.
    pub(crate) fn wanted(self, configs: &Configs) -> Vec<String> {
        let documents = self.documents.into_iter().filter(|path| configs.reads(path));
        self.files.into_iter().chain(documents).filter(|path| !configs.excludes(path)).collect()
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        if let Ok(mut found) = self.found.lock() {
            found.files.append(&mut self.walked.files);
            found.documents.append(&mut self.walked.documents);
            found.errors.append(&mut self.walked.errors);
            found.journals.append(&mut self.walked.journals);
        }
        if let Ok(mut links) = self.all_links.lock() {
            links.append(&mut self.links);
        }
    }
}

/// The files that contain at least one of the searched words.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// The path and text of each file.
    pub(super) found: Vec<(String, String)>,
    /// The paths of the files that are not UTF-8.
    pub(super) unreadable: Vec<String>,
}

fn holds_variables(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(is_environment)
}

/// Returns every text file of a workspace that contains one of the words, including tests, examples, and environment
/// files that git ignores.
///
/// # Errors
/// When the root itself cannot be read.
pub(super) fn mentioning(door: &Arc<Door>, words: &[String]) -> std::io::Result<Mentions> {
    let Ok(wanted) = text::any_of(words) else { return Ok(Mentions::default()) };
    let root = door.root();
    let mentions = Mutex::new(Mentions::default());
    let enters = |folder: &Path| {
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or("");
        let is_left_out = FOREIGN.contains(&name) || BUILT.contains(&name) && has_source_beside(folder);
        !is_left_out
    };
    let (walker, _) = walker(door, enters)?;
    walker.run(|| {
        Box::new(|entry| {
            let Ok(entry) = entry else { return ignore::WalkState::Continue };
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            // Environment files are nearly always ignored by git, and may disable tools.
            let names = is_folder.then(|| std::fs::read_dir(entry.path()).into_iter().flatten().flatten());
            let paths = names.into_iter().flatten().map(|name| name.path());
            let variables = paths.filter(|path| holds_variables(path));
            let itself = Some(entry.path().to_path_buf())
                .filter(|_| entry.file_type().is_some_and(|kind| kind.is_file()) && !holds_variables(entry.path()));
            for path in variables.chain(itself) {
                let holding = relative(&root, &path).and_then(|path| {
                    let bytes = door.bytes(&path, MAX_FILE_SIZE).ok()?;
                    wanted.is_match(&bytes).then_some((path, bytes))
                });
                if let (Some((path, bytes)), Ok(mut mentions)) = (holding, mentions.lock()) {
                    match String::from_utf8(bytes) {
                        Ok(text) if text.contains('\0') && !is_source(Path::new(&path)) => {
                            mentions.unreadable.push(path)
                        }
                        Ok(text) => mentions.found.push((path, text)),
                        // A file that contains NUL bytes is not text.
                        Err(error) if error.as_bytes().contains(&0) => {}
                        Err(_) => mentions.unreadable.push(path),
                    }
                }
            }
            ignore::WalkState::Continue
        })
    });
    let mut mentions = mentions.into_inner().unwrap_or_default();
    mentions.found.sort_unstable();
    mentions.unreadable.sort_unstable();
    Ok(mentions)
}

/// Returns the client files in the folders above a root, up to the top of its repository.
pub(super) fn above(door: &Door, clients: &Clients) -> Vec<Above> {
    let (fixed, inner) = (fixed_files(clients), fixed_folders(clients));
    let root = door.root();
    let folders = root.ancestors().skip(1).take_while(|folder| folder.starts_with(door.top()));
    let files = folders.enumerate().flat_map(|(index, folder)| {
        let up = "../".repeat(index + 1);
        let way = relative(folder, &root).unwrap_or_default();
        let fixed = fixed.iter().map(|name| folder.join(name));
        // A link may lead out of the repository.
        let is_inside = |inside: &PathBuf| {
            inside.is_dir() && inside.canonicalize().is_ok_and(|inside| inside.starts_with(door.top()))
        };
        let found = inner.iter().map(|name| folder.join(name)).filter(is_inside);
        let walked = found.flat_map(|inside| {
            let walk = WalkBuilder::new(inside).standard_filters(false).max_depth(Some(MAX_DEPTH_ABOVE)).build();
            walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file())).map(DirEntry::into_path)
        });
        let mut files: Vec<PathBuf> = fixed.chain(walked).collect();
        files.sort_unstable();
        files.dedup();
        files.into_iter().filter_map(move |file| {
            let name = relative(folder, &file).filter(|name| clients.of_path(name).is_some())?;
            let path = format!("{up}{name}");
            Some(Above { text: door.text(&path).ok()?, path, way: way.clone() })
        })
    });
    files.collect()
}

/// Returns a path relative to the root, with `/`; `None` if it is not UTF-8 or not below the root.
pub(super) fn relative(root: &Path, path: &Path) -> Option<String> {
    let relative = path.strip_prefix(root).ok()?.to_str()?;
    Some(if std::path::MAIN_SEPARATOR == '/' { relative.to_string() } else { relative.replace('\\', "/") })
}

fn enters(directory: &Path, all: bool) -> bool {
    let name = directory.file_name().and_then(|name| name.to_str()).unwrap_or("");
    if FOREIGN.contains(&name) {
        return false;
    }
    if all {
        return true;
    }
    if SUPPORTING.contains(&name) {
        return false;
    }
    !(BUILT.contains(&name) && has_source_beside(directory))
}

/// Whether the folder that contains a folder of compiled code also contains its source.
fn has_source_beside(directory: &Path) -> bool {
    let Some(parent) = directory.parent() else {
        return false;
    };
    if parent.join("src").is_dir() {
        return true;
    }
    let Ok(entries) = std::fs::read_dir(parent) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_str().unwrap_or("");
        (name.ends_with(".ts") && !name.ends_with(".d.ts") || name.ends_with(".py")) && !name.contains(".config.")
    })
}

/// Whether a file is read.
enum Looked {
    Always,
    /// Only if a convention checks it, or a client that a config describes reads it.
    Asked,
    Never,
}

impl Looked {
    fn at(path: &str) -> Looked {
        match FileKind::of(path, Clients::built_in()) {
            FileKind::Code(_) if is_declaration_or_minified(path) => Looked::Never,
            FileKind::Document(_) => Looked::Asked,
            FileKind::Other => Looked::Never,
            _ => Looked::Always,
        }
    }
}

/// Whether a file is read under every convention.
pub(super) fn is_interesting(path: &str) -> bool {
    matches!(Looked::at(path), Looked::Always)
}

fn is_declaration_or_minified(name: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts", ".min.js", ".min.mjs"].iter().any(|end| name.ends_with(end))
}

/// The folders in which built-in clients have several files of their own, such as `.claude/agents`.
fn settings_folders() -> &'static BTreeSet<String> {
    static FOLDERS: std::sync::LazyLock<BTreeSet<String>> =
        std::sync::LazyLock::new(|| fixed_folders(Clients::built_in()));
    &FOLDERS
}

/// The folders in which clients have several files of their own.
fn fixed_folders(clients: &Clients) -> BTreeSet<String> {
    let globs = clients.iter().flat_map(|client| &client.files).flat_map(|file| &file.files);
    let wild = globs.filter_map(|glob| glob.strip_prefix("**/")).filter(|name| name.contains('*'));
    let fixed = wild.map(|name| name.split('/').take_while(|part| !part.contains('*')).collect::<Vec<_>>().join("/"));
    fixed.filter(|folder| folder.starts_with('.')).collect()
}

/// Returns the fixed paths of client files below a folder, such as `.claude/settings.json`, by their first part.
fn settings_by_beginning() -> &'static FxHashMap<&'static str, Vec<&'static str>> {
    static FILES: std::sync::LazyLock<FxHashMap<&str, Vec<&str>>> = std::sync::LazyLock::new(|| {
        let mut files: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for name in settings_files() {
            files.entry(name.split('/').next().unwrap_or(name)).or_default().push(name);
        }
        files
    });
    &FILES
}

/// The files of built-in clients that have one fixed path below a folder, such as `.claude/settings.json`.
fn settings_files() -> &'static BTreeSet<String> {
    static FILES: std::sync::LazyLock<BTreeSet<String>> = std::sync::LazyLock::new(|| fixed_files(Clients::built_in()));
    &FILES
}

/// Returns the client files that have one fixed path below a folder.
fn fixed_files(clients: &Clients) -> BTreeSet<String> {
    let globs = clients.iter().flat_map(|client| &client.files).flat_map(|file| &file.files);
    globs.filter_map(|glob| glob.strip_prefix("**/")).filter(|name| !name.contains('*')).map(String::from).collect()
}

/// Returns the files of an installed package, without those of the packages in its `node_modules`.
pub(super) fn files_of_package(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let own = folder.to_path_buf();
    // The folder itself is entered even if it is a link: pnpm stores packages elsewhere and links to them.
    let walk = WalkBuilder::new(folder)
        .standard_filters(false)
        .follow_links(false)
        .filter_entry(move |entry| entry.path() == own || entry.file_name() != "node_modules")
        .build();
    walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file())).map(DirEntry::into_path)
}
