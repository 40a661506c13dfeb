//! Which files of a folder are looked at.

#![expect(clippy::disallowed_methods, reason = "the door for the names in folders")]

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

/// Folders that hold other people's code, or none; never entered unless given as the root.
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

/// Folders of vendored or generated code, tests, fixtures and examples: no part of what a project ships. They
/// are entered with `--all`.
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

/// How deep below a folder of a client's, such as `.claude/skills`, its files are looked for where they lie above a root.
const MAX_DEPTH_ABOVE: usize = 3;

/// How many folders may lie in one another below a root.
const MAX_DEPTH: usize = 200;

/// Where earlier versions kept the journal of a write, from the folder that they wrote in.
pub(super) const OLD_JOURNAL: &str = ".toolnames/journal.json";

/// Folders of compiled code: left out where the source stands beside them.
const BUILT: [&str; 3] = ["dist", "build", "out"];

/// What a walk found. Paths count from the root, with `/`.
#[derive(Debug, Default, Clone)]
pub struct Walked {
    pub files: Vec<String>,
    /// Documents and data, of which a convention may ask something.
    pub documents: Vec<String>,
    /// Entries that could not be looked at, and why.
    pub errors: Vec<(String, String)>,
    /// Journals that earlier versions kept in the tree, where anybody can have put them: they are reported and not used.
    pub journals: Vec<String>,
}

/// Finds the files to look at below the root. `all` enters tests, examples and generated code too.
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

/// A walk below the root, into the folders that `enters` takes, without what ignore files leave out.
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

/// One thread's findings, handed over when it ends.
struct Batch<'a> {
    door: &'a Door,
    /// The root, without links.
    root: &'a Path,
    found: &'a Mutex<Walked>,
    all_links: &'a Mutex<Vec<(String, String)>>,
    walked: Walked,
    /// Files of clients that are links, with the path of what they lead to.
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
            (Looked::Asked, true) => self.walked.documents.push(path),
            (Looked::Asked, false) | (Looked::Never, _) => {}
        }
    }

    /// Finds the files of clients in a folder that git ignores.
    fn folder(&mut self, entry: &ignore::DirEntry, path: String) {
        if entry.depth() == MAX_DEPTH {
            return self.walked.errors.push((path, format!("it lies in more than {MAX_DEPTH} folders")));
        }
        let within = |name: &str| if path.is_empty() { name.to_string() } else { format!("{path}/{name}") };
        // Settings of one person are usually ignored by git, and are checked all the same. A folder's own list of names
        // takes far fewer calls than a look for each of theirs.
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
            // What is no file, or leads out of the repository, is reported when it is read.
            if self.door.metadata(&file).is_ok_and(|metadata| metadata.is_dir()) {
                continue;
            }
            // They may be links: what is looked at there already is not looked at twice.
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

    /// What has the name of a file that is read, and is none. Where a link leads to one of the repository's, that is read.
    fn no_file(&mut self, entry: &ignore::DirEntry, path: String) {
        let leads_nowhere = |error: std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
        if self.door.metadata(&path).is_err_and(leads_nowhere) {
            self.walked.errors.push((path, "a link that leads nowhere".into()));
        } else if self.door.resolved_in_root(&path).is_none() || !entry.path_is_symlink() {
            // The reason is reported when it is read.
            self.walked.files.push(path);
        }
    }

    /// The files in a client's own folder, such as `.claude/agents`: git may ignore these, too.
    fn inside(&mut self, folder: &Path) {
        // Where a link stands on the way, the folder is looked at where it is.
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

    /// Reports an entry whose name is not UTF-8, unless the folder around it was reported already.
    fn unnamed(&mut self, entry: &ignore::DirEntry, is_folder: bool) {
        let is_first = entry.path().parent().is_some_and(|folder| relative(self.root, folder).is_some());
        let shown = entry.path().strip_prefix(self.root).unwrap_or(entry.path()).to_string_lossy().into_owned();
        if is_first && (is_folder || is_interesting(&shown)) {
            self.walked.errors.push((shown, "its name is not UTF-8: rename it".to_string()));
        }
    }
}

impl Walked {
    /// Every file to look at under these configs.
    pub fn wanted(self, configs: &Configs) -> Vec<String> {
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

/// The files that contain one of some words.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// The path and the text of each.
    pub(super) found: Vec<(String, String)>,
    /// The paths of those that are not UTF-8.
    pub(super) unreadable: Vec<String>,
}

fn holds_variables(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(is_environment)
}

/// Every text file of a workspace that contains one of some words, tests and examples too, and files of variables
/// that git ignores.
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
            // Variables of an environment are nearly always ignored by git, and may switch tools off.
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
                        // A file with zeros is no text in any case.
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

/// The files of clients in the folders above a root, as far up as its repository reaches.
pub(super) fn above(door: &Door) -> Vec<Above> {
    let root = door.root();
    let folders = root.ancestors().skip(1).take_while(|folder| folder.starts_with(door.top()));
    let files = folders.enumerate().flat_map(|(index, folder)| {
        let up = "../".repeat(index + 1);
        let way = relative(folder, &root).unwrap_or_default();
        let fixed = settings_files().iter().map(|name| folder.join(name));
        // A link may lead out of the repository.
        let is_inside = |inside: &PathBuf| {
            inside.is_dir() && inside.canonicalize().is_ok_and(|inside| inside.starts_with(door.top()))
        };
        let found = settings_folders().iter().map(|name| folder.join(name)).filter(is_inside);
        let walked = found.flat_map(|inside| {
            let walk = WalkBuilder::new(inside).standard_filters(false).max_depth(Some(MAX_DEPTH_ABOVE)).build();
            walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file())).map(DirEntry::into_path)
        });
        let mut files: Vec<PathBuf> = fixed.chain(walked).collect();
        files.sort_unstable();
        files.dedup();
        files.into_iter().filter_map(move |file| {
            let name = relative(folder, &file).filter(|name| Clients::built_in().of_path(name).is_some())?;
            let path = format!("{up}{name}");
            Some(Above { text: door.text(&path).ok()?, path, way: way.clone() })
        })
    });
    files.collect()
}

/// A path from the root, with `/`; `None` for a name that is not UTF-8.
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

/// Whether the folder that holds a folder of compiled code holds its source too.
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

/// Whether a file is looked at.
enum Looked {
    Always,
    /// If a convention asks something of it, or a client that a config describes reads it.
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

/// Whether a file is looked at, whatever any convention asks.
pub(super) fn is_interesting(path: &str) -> bool {
    matches!(Looked::at(path), Looked::Always)
}

fn is_declaration_or_minified(name: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts", ".min.js", ".min.mjs"].iter().any(|end| name.ends_with(end))
}

/// The folders in which clients have several files of their own: `.claude/agents`.
fn settings_folders() -> &'static BTreeSet<String> {
    static FOLDERS: std::sync::LazyLock<BTreeSet<String>> = std::sync::LazyLock::new(|| {
        let globs = Clients::built_in().iter().flat_map(|client| &client.files).flat_map(|file| &file.files);
        let wild = globs.filter_map(|glob| glob.strip_prefix("**/")).filter(|name| name.contains('*'));
        let fixed =
            wild.map(|name| name.split('/').take_while(|part| !part.contains('*')).collect::<Vec<_>>().join("/"));
        fixed.filter(|folder| folder.starts_with('.')).collect()
    });
    &FOLDERS
}

/// The files of clients with one fixed place, by the first part of their paths.
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

/// The files of clients that have one fixed place below a folder.
fn settings_files() -> &'static BTreeSet<String> {
    static FILES: std::sync::LazyLock<BTreeSet<String>> = std::sync::LazyLock::new(|| {
        let globs = Clients::built_in().iter().flat_map(|client| &client.files).flat_map(|file| &file.files);
        globs.filter_map(|glob| glob.strip_prefix("**/")).filter(|name| !name.contains('*')).map(String::from).collect()
    });
    &FILES
}

/// The files of an installed package; the packages that it brings are others.
pub(super) fn files_of_package(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let own = folder.to_path_buf();
    // A folder that is itself a link (pnpm keeps packages elsewhere) is entered through it.
    let walk = WalkBuilder::new(folder)
        .standard_filters(false)
        .follow_links(false)
        .filter_entry(move |entry| entry.path() == own || entry.file_name() != "node_modules")
        .build();
    walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file())).map(DirEntry::into_path)
}
