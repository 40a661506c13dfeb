//! Which files of a folder are looked at.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use aho_corasick::AhoCorasick;
use ignore::{DirEntry, WalkBuilder};

use super::MAX_FILE_SIZE;
use crate::client;
use crate::config::Configs;
use crate::syntax::Language;
use crate::workspace::{Above, CONFIG_FILE, Lock, ManifestKind, Recorded, is_tsconfig};

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
    /// Folders below the root in which a write was interrupted.
    pub interrupted: Vec<String>,
}

/// Finds the files to look at below `root`. `all` enters tests, examples and generated code too.
///
/// # Errors
/// When `root` itself cannot be read.
pub fn walk(root: &Path, all: bool) -> std::io::Result<Walked> {
    std::fs::read_dir(root)?;
    let found = std::sync::Mutex::new(Walked::default());
    let links = std::sync::Mutex::new(Vec::new());
    let real_root = root.canonicalize()?;
    let root_owned = root.to_path_buf();
    let walker = WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            let is_root = entry.path() == root_owned;
            is_root || !entry.file_type().is_some_and(|kind| kind.is_dir()) || enters(entry.path(), all)
        })
        .build_parallel();
    walker.run(|| {
        let mut mine =
            Batch { root: &real_root, found: &found, all_links: &links, walked: Walked::default(), links: Vec::new() };
        Box::new(move |entry| {
            match entry {
                Ok(entry) => mine.visit(root, &entry),
                Err(error) => mine.walked.errors.push((String::new(), error.to_string())),
            }
            ignore::WalkState::Continue
        })
    });
    let mut walked = found.into_inner().expect("no walker panicked");
    walked.files.sort_unstable();
    walked.files.dedup();
    let is_seen =
        |real: &Path| relative(&real_root, real).is_some_and(|path| walked.files.binary_search(&path).is_ok());
    let links = links.into_inner().expect("no walker panicked").into_iter();
    let more: Vec<String> = links.filter(|(_, real)| !is_seen(real)).map(|(path, _)| path).collect();
    walked.files.extend(more);
    walked.files.sort_unstable();
    walked.documents.sort_unstable();
    walked.interrupted.sort_unstable();
    Ok(walked)
}

/// One thread's findings, handed over when it ends.
struct Batch<'a> {
    /// The root, without links.
    root: &'a Path,
    found: &'a std::sync::Mutex<Walked>,
    all_links: &'a std::sync::Mutex<Vec<(String, PathBuf)>>,
    walked: Walked,
    /// Files of clients that lie elsewhere, with where that is.
    links: Vec<(String, PathBuf)>,
}

impl Batch<'_> {
    fn visit(&mut self, root: &Path, entry: &ignore::DirEntry) {
        let Some(path) = relative(root, entry.path()) else {
            return;
        };
        let Some(kind) = entry.file_type() else {
            return;
        };
        if kind.is_dir() {
            if !path.is_empty() && super::journal::is_left_in(entry.path()) {
                self.walked.interrupted.push(path.clone());
            }
            // Settings of one person are usually ignored by git, and are checked all the same.
            for name in settings_files() {
                let file = entry.path().join(name);
                if !std::fs::metadata(&file).is_ok_and(|metadata| metadata.is_file()) {
                    continue;
                }
                // They may lie elsewhere, and be linked to: what is looked at there already is not looked at twice.
                let name = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
                match file.canonicalize().ok().filter(|real| *real != self.root.join(&name)) {
                    Some(real) => self.links.push((name, real)),
                    None => self.walked.files.push(name),
                }
            }
        } else if kind.is_file() && is_interesting(&path) {
            self.walked.files.push(path);
        } else if kind.is_file() && is_document(&path) {
            self.walked.documents.push(path);
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
            found.interrupted.append(&mut self.walked.interrupted);
        }
        if let Ok(mut links) = self.all_links.lock() {
            links.append(&mut self.links);
        }
    }
}

/// The files in which one of some words stands.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// The path and the text of each.
    pub(super) found: Vec<(String, String)>,
    /// The paths of those that are not UTF-8.
    pub(super) unreadable: Vec<String>,
}

/// Every text file of a workspace in which one of some words stands, tests and examples too.
///
/// # Errors
/// When the root itself cannot be read.
pub(super) fn mentioning(root: &Path, words: &[String]) -> std::io::Result<Mentions> {
    std::fs::read_dir(root)?;
    let Ok(wanted) = AhoCorasick::new(words) else { return Ok(Mentions::default()) };
    let all = std::sync::Mutex::new(Vec::new());
    let root_owned = root.to_path_buf();
    let walker = WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        .follow_links(false)
        .max_filesize(Some(MAX_FILE_SIZE))
        .filter_entry(move |entry| {
            let is_root = entry.path() == root_owned;
            let name = entry.file_name().to_str().unwrap_or("");
            let is_built = || BUILT.contains(&name) && has_source_beside(entry.path());
            is_root || !entry.file_type().is_some_and(|kind| kind.is_dir()) || !FOREIGN.contains(&name) && !is_built()
        })
        .build_parallel();
    walker.run(|| {
        Box::new(|entry| {
            let file = entry.ok().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
            let holding = file.and_then(|entry| {
                let path = relative(root, entry.path())?;
                let bytes = std::fs::read(entry.path()).ok()?;
                wanted.is_match(&bytes).then_some(())?;
                Some((path, String::from_utf8(bytes)))
            });
            if let (Some(holding), Ok(mut all)) = (holding, all.lock()) {
                all.push(holding);
            }
            ignore::WalkState::Continue
        })
    });
    let mut mentions = Mentions::default();
    for (path, text) in all.into_inner().unwrap_or_default() {
        match text {
            Ok(text) => mentions.found.push((path, text)),
            // What holds zeros is no text in any case.
            Err(error) if error.as_bytes().contains(&0) => {}
            Err(_) => mentions.unreadable.push(path),
        }
    }
    mentions.found.sort_unstable();
    Ok(mentions)
}

/// The files of clients in the folders above a root, as far up as its repository reaches.
pub(super) fn above(root: &Path) -> Vec<Above> {
    let Ok(root) = root.canonicalize() else { return Vec::new() };
    let Some(top) = root.ancestors().find(|folder| folder.join(".git").exists()) else { return Vec::new() };
    let folders = root.ancestors().skip(1).take_while(|folder| folder.starts_with(top));
    let files = folders.enumerate().flat_map(|(index, folder)| {
        let up = "../".repeat(index + 1);
        let way = relative(folder, &root).unwrap_or_default();
        let fixed = settings_files().iter().map(|name| folder.join(name));
        let found = settings_folders().iter().map(|name| folder.join(name)).filter(|inside| inside.is_dir());
        let walked = found.flat_map(|inside| {
            let walk = WalkBuilder::new(inside).standard_filters(false).max_depth(Some(MAX_DEPTH_ABOVE)).build();
            walk.flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file())).map(DirEntry::into_path)
        });
        let mut files: Vec<PathBuf> = fixed.chain(walked).collect();
        files.sort_unstable();
        files.dedup();
        files.into_iter().filter_map(move |file| {
            let name = relative(folder, &file).filter(|name| client::of_path(name).is_some())?;
            let is_small = std::fs::metadata(&file).is_ok_and(|metadata| metadata.len() <= MAX_FILE_SIZE);
            let text = is_small.then(|| std::fs::read_to_string(&file).ok()).flatten()?;
            Some(Above { path: format!("{up}{name}"), text, way: way.clone() })
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

pub(super) fn is_interesting(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name == CONFIG_FILE || ManifestKind::of_path(path).is_some() || is_tsconfig(name) {
        return true;
    }
    if Recorded::is_path(path) || Lock::is_path(path) {
        return true;
    }
    match Language::of_path(path) {
        Some(Language::Json | Language::Toml | Language::Yaml | Language::Markdown) => client::of_path(path).is_some(),
        // Scripts.
        None => nameless().iter().any(|end| name.ends_with(end)) && client::of_path(path).is_some(),
        Some(language) if language.family().is_some() => !is_declaration_or_minified(name),
        _ => false,
    }
}

/// How the names of clients' files end that are in no known language.
fn nameless() -> &'static BTreeSet<&'static str> {
    static ENDINGS: std::sync::LazyLock<BTreeSet<&str>> = std::sync::LazyLock::new(|| {
        let globs = client::built_in().iter().flat_map(|client| &client.files).flat_map(|file| &file.files);
        let names = globs.filter(|glob| Language::of_path(glob).is_none()).filter_map(|glob| glob.rsplit('/').next());
        names.map(|name| name.trim_start_matches('*')).collect()
    });
    &ENDINGS
}

fn is_document(path: &str) -> bool {
    matches!(Language::of_path(path), Some(Language::Markdown | Language::Json))
}

fn is_declaration_or_minified(name: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts", ".min.js", ".min.mjs"].iter().any(|end| name.ends_with(end))
}

/// The folders in which clients have several files of their own: `.claude/agents`.
fn settings_folders() -> &'static BTreeSet<String> {
    static FOLDERS: std::sync::LazyLock<BTreeSet<String>> = std::sync::LazyLock::new(|| {
        let globs = client::built_in().iter().flat_map(|client| &client.files).flat_map(|file| &file.files);
        let wild = globs.filter_map(|glob| glob.strip_prefix("**/")).filter(|name| name.contains('*'));
        let fixed =
            wild.map(|name| name.split('/').take_while(|part| !part.contains('*')).collect::<Vec<_>>().join("/"));
        fixed.filter(|folder| folder.starts_with('.')).collect()
    });
    &FOLDERS
}

/// The files of clients that have one fixed place below a folder.
fn settings_files() -> &'static BTreeSet<String> {
    static FILES: std::sync::LazyLock<BTreeSet<String>> = std::sync::LazyLock::new(|| {
        let globs = client::built_in().iter().flat_map(|client| &client.files).flat_map(|file| &file.files);
        globs.filter_map(|glob| glob.strip_prefix("**/")).filter(|name| !name.contains('*')).map(String::from).collect()
    });
    &FILES
}
