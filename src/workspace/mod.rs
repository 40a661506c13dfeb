//! All files' facts, the servers they make up, and snapshots of both. Nothing here reads a file: what is needed
//! comes through [`Storage`], and [`Workspace::settle`] loads it round by round until nothing is wanted.
//!
//! A [`Snapshot`] never changes. Features are functions of one.

mod launched;
mod modules;
mod package;
mod resolve;
mod reuse;
mod servers;

use std::sync::{Arc, OnceLock};

use aho_corasick::AhoCorasick;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use self::modules::Modules;
pub use self::package::{Manifest, ManifestKind};
pub use self::servers::{Analysis, Known, Offer, Server, Tool};
use crate::client::{self, ClientFacts};
use crate::config::{Config, Configs};
use crate::document::{self, Data, Markdown};
use crate::evaluate::{Lookup, Place, Want, World};
use crate::framework::{Frameworks, trigger_words};
use crate::lower::{self, DEFAULT_EXPORT, FileFacts, HANDED_IN};
use crate::syntax::{self, Family, Language, Tree};
use crate::text::{Edit, Encoding, FileId, LineIndex, Span, apply_edits};

/// The name of the config file.
pub const CONFIG_FILE: &str = "toolnames.toml";

/// Where the bytes of files come from.
pub trait Storage: Sync {
    /// The text of a file, by its path from the root; `None` where there is none that is UTF-8 and of a
    /// reasonable size.
    fn read(&self, path: &str) -> Option<String>;
}

/// One file, as far as anybody has looked into it.
#[derive(Debug, Clone)]
pub struct File {
    pub id: FileId,
    /// From the workspace's root, with `/`.
    pub path: Arc<str>,
    pub lines: LineIndex,
    /// Of the text; a file that has another hash when it is to be written was changed meanwhile.
    pub hash: u64,
    pub content: Content,
    /// Kept while the file is open in an editor.
    pub open: Option<Open>,
}

/// What an open document keeps.
#[derive(Debug, Clone)]
pub struct Open {
    pub text: Arc<str>,
    tree: Option<Tree>,
}

/// What a file holds.
#[derive(Debug, Clone)]
pub enum Content {
    /// Source code.
    Source(Arc<FileFacts>),
    /// Source code without any word that would make it interesting: nobody parsed it yet.
    Unparsed,
    /// Source code that is read only where an import leads to it.
    Reserve,
    /// Settings or server entries of a client.
    Client(Arc<ClientFacts>),
    Manifest(Arc<Manifest>),
    /// `tsconfig.json` and its like, as written.
    TsConfig(Arc<str>),
    /// A config of this program.
    Config(Arc<Config>),
    /// A document for people, of which some convention asks something.
    Markdown(Arc<Markdown>),
    /// Data that is no client's, of which some convention asks something.
    Data(Arc<Data>),
    /// A document that is none of these, or of which nobody asks anything.
    Other,
}

/// Every file, the policy, and the vocabulary: what evaluation and features look at.
#[derive(Debug, Clone)]
pub struct Files {
    paths: Arc<Paths>,
    files: Arc<Vec<Option<Arc<File>>>>,
    frameworks: Arc<Frameworks>,
    configs: Arc<Configs>,
    /// The source files with facts, in order.
    loaded: Arc<Vec<FileId>>,
    /// The frameworks that each package's files import.
    uses: Arc<FxHashMap<SmolStr, FxHashSet<usize>>>,
    manifests: Arc<Vec<FileId>>,
    /// The directory of each Rust crate, by the name that paths begin with.
    crates: Arc<FxHashMap<SmolStr, SmolStr>>,
    /// The folders of installed Python packages.
    sites: Arc<Vec<SmolStr>>,
    vocabulary: Arc<OnceLock<Vocabulary>>,
    /// Where imports lead, while the same files are there.
    modules: Arc<OnceLock<Modules>>,
}

/// Who calls and imports what, by name.
#[derive(Debug, Default)]
struct Vocabulary {
    callers: FxHashMap<SmolStr, Vec<FileId>>,
    aliases: FxHashMap<SmolStr, Vec<SmolStr>>,
    handed: FxHashSet<SmolStr>,
    /// Classes by their base.
    derived: FxHashMap<SmolStr, Vec<(FileId, SmolStr)>>,
}

#[derive(Debug, Clone, Default)]
struct Paths {
    by_id: Vec<Arc<str>>,
    by_path: FxHashMap<Arc<str>, FileId>,
}

/// The state of a workspace at one moment, with everything that follows from it.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub files: Files,
    analysis: Arc<OnceLock<Arc<Analysis>>>,
    previous: Option<Arc<Analysis>>,
}

/// The one owner of the state.
#[derive(Debug)]
pub struct Workspace {
    files: Files,
    /// For each language, the words without which a file is of no interest.
    triggers: Arc<FxHashMap<Family, AhoCorasick>>,
    snapshot: Option<Snapshot>,
    last_analysis: Option<Arc<Analysis>>,
    /// Words that every unparsed file was searched for.
    searched: FxHashSet<SmolStr>,
    /// Which source files are read only where an import leads to them.
    in_reserve: fn(&str) -> bool,
}

impl Workspace {
    /// An empty workspace under a policy.
    pub fn new(configs: Configs) -> Workspace {
        let frameworks = Frameworks::with(&configs.frameworks);
        let triggers = triggers(&frameworks);
        Workspace {
            files: Files {
                paths: Arc::default(),
                files: Arc::default(),
                frameworks: Arc::new(frameworks),
                configs: Arc::new(configs),
                loaded: Arc::default(),
                uses: Arc::default(),
                manifests: Arc::default(),
                crates: Arc::default(),
                sites: Arc::default(),
                vocabulary: Arc::default(),
                modules: Arc::default(),
            },
            triggers,
            snapshot: None,
            last_analysis: None,
            searched: FxHashSet::default(),
            in_reserve: |_| false,
        }
    }

    /// Files, by their path, that are read only where an import leads to them.
    pub fn keep_in_reserve(&mut self, files: fn(&str) -> bool) {
        self.in_reserve = files;
    }

    /// The id of a path; a new one for a path never seen.
    pub fn intern(&mut self, path: &str) -> FileId {
        if let Some(&id) = self.files.paths.by_path.get(path) {
            return id;
        }
        let paths = Arc::make_mut(&mut self.files.paths);
        let id = FileId(paths.by_id.len() as u32);
        let path: Arc<str> = path.into();
        paths.by_id.push(Arc::clone(&path));
        paths.by_path.insert(path, id);
        Arc::make_mut(&mut self.files.files).push(None);
        id
    }

    /// Reads and files many files at once; returns those that could not be read.
    pub fn load(&mut self, paths: &[String], storage: &dyn Storage) -> Vec<String> {
        let ids: Vec<(FileId, &String)> = paths.iter().map(|path| (self.intern(path), path)).collect();
        let triggers = Arc::clone(&self.triggers);
        let frameworks = Arc::clone(&self.files.frameworks);
        let configs = Arc::clone(&self.files.configs);
        let in_reserve = self.in_reserve;
        let results: Vec<Result<File, String>> = ids
            .par_iter()
            .map(|&(id, path)| {
                let family = Language::of_path(path).and_then(Language::family);
                if family.is_some() && in_reserve(path) {
                    return Ok(File::reserved(id, path.as_str().into()));
                }
                let text = storage.read(path).ok_or_else(|| path.clone())?;
                let parse = family.map_or_else(
                    || configs.reads(path),
                    |family| {
                        triggers.get(&family).is_some_and(|words| words.is_match(&text))
                            || frameworks.may_load(family, path)
                    },
                );
                Ok(File::new(id, path.as_str().into(), &text, parse))
            })
            .collect();
        let files = Arc::make_mut(&mut self.files.files);
        let mut unread = Vec::new();
        for result in results {
            match result {
                Ok(file) => {
                    let index = file.id.0 as usize;
                    files[index] = Some(Arc::new(file));
                }
                Err(path) => unread.push(path),
            }
        }
        self.changed();
        unread
    }

    /// Puts the text of an open document; `edits`, one after the other, are what changed since the last time:
    /// with them only that is parsed again. No edits mean another text altogether.
    pub fn open(&mut self, path: &str, text: Arc<str>, edits: &[Edit]) {
        let id = self.intern(path);
        let previous = self.files.files[id.0 as usize].clone();
        let is_source = Language::of_path(path).and_then(Language::family).is_some();
        let parse = is_source || self.files.configs.reads(path);
        let file = File::opened(id, path.into(), text, previous.as_deref(), edits, parse);
        let same = previous.as_ref().is_some_and(|previous| previous.says_the_same(&file));
        Arc::make_mut(&mut self.files.files)[id.0 as usize] = Some(Arc::new(file));
        if same { self.moved() } else { self.changed() }
    }

    /// A closed document is again what lies on disk.
    pub fn close(&mut self, path: &str, storage: &dyn Storage) {
        self.reload(&[path.to_string()], storage);
    }

    /// Files that changed, appeared or vanished on disk. Open documents stay as the editor has them.
    pub fn reload(&mut self, paths: &[String], storage: &dyn Storage) {
        let unread = self.load(paths, storage);
        for path in unread {
            self.remove(&path);
        }
        self.searched.clear();
        self.changed();
    }

    pub fn is_open(&self, path: &str) -> bool {
        self.files.by_path(path).is_some_and(|file| file.open.is_some())
    }

    fn remove(&mut self, path: &str) {
        if let Some(&id) = self.files.paths.by_path.get(path) {
            Arc::make_mut(&mut self.files.files)[id.0 as usize] = None;
        }
        self.changed();
    }

    /// Takes another policy.
    pub fn configure(&mut self, configs: Configs) {
        self.files.frameworks = Arc::new(Frameworks::with(&configs.frameworks));
        self.triggers = triggers(&self.files.frameworks);
        self.files.configs = Arc::new(configs);
        self.last_analysis = None;
        self.changed();
    }

    /// Takes over what the config files say now. Documents of which nobody asked anything may be wanted then.
    pub fn reconfigure(&mut self) {
        let configs = self.files.files.iter().flatten().filter_map(|file| match &file.content {
            Content::Config(config) => Some(Arc::clone(config)),
            _ => None,
        });
        let configs = self.files.configs.with_files(configs.collect());
        self.configure(configs);
    }

    /// Positions moved, and nothing else.
    fn moved(&mut self) {
        let analysis = self.snapshot.take().and_then(|snapshot| snapshot.analysis.get().cloned());
        let cell = OnceLock::new();
        if let Some(analysis) = analysis {
            let _ = cell.set(analysis);
        }
        self.snapshot = Some(Snapshot {
            files: self.files.clone(),
            analysis: Arc::new(cell),
            previous: self.last_analysis.clone(),
        });
    }

    fn changed(&mut self) {
        if let Some(analysis) = self.snapshot.take().and_then(|snapshot| snapshot.analysis.get().cloned()) {
            self.last_analysis = Some(analysis);
        }
        self.files.index();
    }

    /// The state as it is now.
    pub fn snapshot(&mut self) -> Snapshot {
        if self.snapshot.is_none() {
            self.snapshot = Some(Snapshot {
                files: self.files.clone(),
                analysis: Arc::default(),
                previous: self.last_analysis.clone(),
            });
        }
        self.snapshot.clone().expect("it was just made")
    }

    /// Loads what evaluation wants, and again, until it wants nothing more.
    pub fn settle(&mut self, storage: &dyn Storage) -> Snapshot {
        loop {
            let snapshot = self.snapshot();
            let wants = &snapshot.analysis().wants;
            let mut paths: Vec<String> = Vec::new();
            let unsearched = |word: &&SmolStr| self.searched.insert((*word).clone());
            let mut words: Vec<SmolStr> = self.files.configs.words.iter().filter(unsearched).cloned().collect();
            for want in wants {
                match want {
                    Want::Import { from, module } => {
                        paths.extend(self.files.unparsed_target(*from, module).map(|path| path.to_string()));
                    }
                    Want::Word(word) => {
                        if ![HANDED_IN, DEFAULT_EXPORT].contains(&word.as_str()) && self.searched.insert(word.clone()) {
                            words.push(word.clone());
                        }
                    }
                }
            }
            if !words.is_empty() {
                paths.extend(self.files_with(&words, storage));
            }
            paths.sort();
            paths.dedup();
            if !self.parse(&paths, storage) {
                return self.snapshot();
            }
        }
    }

    /// The unparsed files in which one of these words occurs.
    fn files_with(&self, words: &[SmolStr], storage: &dyn Storage) -> Vec<String> {
        let Ok(automaton) = AhoCorasick::new(words.iter().map(SmolStr::as_str)) else {
            return Vec::new();
        };
        let unparsed: Vec<&Arc<File>> =
            self.files.files.iter().flatten().filter(|file| matches!(file.content, Content::Unparsed)).collect();
        unparsed
            .par_iter()
            .filter(|file| storage.read(&file.path).is_some_and(|text| automaton.is_match(&text)))
            .map(|file| file.path.to_string())
            .collect()
    }

    /// Parses files that are kept in reserve: something besides an import leads to them.
    pub fn lead_to(&mut self, paths: &[String], storage: &dyn Storage) {
        self.parse(paths, storage);
    }

    /// Parses files that were passed over before; whether any was.
    fn parse(&mut self, paths: &[String], storage: &dyn Storage) -> bool {
        let ids: Vec<(FileId, &String)> = paths.iter().map(|path| (self.intern(path), path)).collect();
        let parsed: Vec<File> = ids
            .par_iter()
            .filter_map(|&(id, path)| Some(File::new(id, path.as_str().into(), &storage.read(path)?, true)))
            .collect();
        let any = !parsed.is_empty();
        let files = Arc::make_mut(&mut self.files.files);
        for file in parsed {
            let index = file.id.0 as usize;
            files[index] = Some(Arc::new(file));
        }
        if any {
            self.changed();
        }
        any
    }
}

impl File {
    /// A file that nobody has read.
    fn reserved(id: FileId, path: Arc<str>) -> File {
        File { id, path, lines: LineIndex::of_file(""), hash: 0, content: Content::Reserve, open: None }
    }

    fn new(id: FileId, path: Arc<str>, text: &str, parse: bool) -> File {
        let content = read_content(&path, text, None, None, parse).0;
        // Nothing is known of a file that nobody parsed, so nothing has a position in it.
        let lines = LineIndex::of_file(if matches!(content, Content::Unparsed) { "" } else { text });
        File { id, path, lines, hash: hash(text), content, open: None }
    }

    fn opened(
        id: FileId,
        path: Arc<str>,
        text: Arc<str>,
        previous: Option<&File>,
        edits: &[Edit],
        parse: bool,
    ) -> File {
        let lines = LineIndex::of_document(&text);
        let mut old_tree = None;
        let mut old_facts = None;
        if let Some(previous) = previous {
            if let Content::Source(facts) = &previous.content {
                old_facts = Some(Arc::clone(facts));
            }
            if let (Some(open), false) = (&previous.open, edits.is_empty()) {
                old_tree = open.tree.clone();
                if let Some(tree) = &mut old_tree {
                    edits.iter().for_each(|edit| syntax::edited(tree, edit));
                }
            }
        }
        let (content, tree) = read_content(&path, &text, old_tree.as_ref(), old_facts.as_deref(), parse);
        File { id, path, lines, hash: hash(&text), content, open: Some(Open { text, tree }) }
    }

    /// Whether two versions of a file differ at most in where things stand.
    fn says_the_same(&self, other: &File) -> bool {
        match (&self.content, &other.content) {
            (Content::Source(a), Content::Source(b)) => a.same_items(b),
            (Content::Markdown(_), Content::Markdown(_)) => true,
            // Permission lists change nothing in what is known of tools.
            (Content::Client(a), Content::Client(b)) => a.servers.is_empty() && b.servers.is_empty(),
            _ => false,
        }
    }
}

fn triggers(frameworks: &Frameworks) -> Arc<FxHashMap<Family, AhoCorasick>> {
    let automaton = |family| {
        let words = trigger_words(&frameworks.rows, family);
        (family, AhoCorasick::new(words).expect("words make an automaton"))
    };
    Arc::new(Family::ALL.into_iter().map(automaton).collect())
}

/// Reads what a file holds; the tree is that of the whole text.
fn read_content(
    path: &str,
    text: &str,
    old_tree: Option<&Tree>,
    old_facts: Option<&FileFacts>,
    parse: bool,
) -> (Content, Option<Tree>) {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name == CONFIG_FILE {
        return (Content::Config(Arc::new(Config::read(path, text))), None);
    }
    if let Some(kind) = ManifestKind::of_file(name) {
        return (Content::Manifest(Arc::new(Manifest::read(kind, text))), None);
    }
    let Some(language) = Language::of_path(path) else {
        return (Content::Other, None);
    };
    if is_tsconfig(name) {
        return (Content::TsConfig(text.into()), None);
    }
    if language == Language::Json {
        let row = client::of_path(path);
        if row.is_none() && !parse {
            return (Content::Other, None);
        }
        let Some(tree) = syntax::parse(language, text, old_tree) else {
            return (Content::Other, None);
        };
        let Some((client, row)) = row else {
            return (Content::Data(Arc::new(Data::read(&tree, text))), Some(tree));
        };
        let (node, fault) = document::parse_json(&tree, text);
        let facts = match node {
            Some(node) => client::read(client, row, &node, text),
            None => ClientFacts { client, ..ClientFacts::default() },
        };
        let facts = ClientFacts { fault, directives: document::directives(&tree, text), ..facts };
        return (Content::Client(Arc::new(facts)), Some(tree));
    }
    if language == Language::Markdown && parse {
        return (Content::Markdown(Arc::new(document::parse_markdown(text))), None);
    }
    if language.family().is_none() {
        return (Content::Other, None);
    }
    if !parse {
        return (Content::Unparsed, None);
    }
    match syntax::parse(language, text, old_tree) {
        Some(tree) => {
            let facts = lower::lower(language, &tree, text, old_facts);
            (Content::Source(Arc::new(facts)), Some(tree))
        }
        None => (Content::Other, None),
    }
}

/// Whether a file of this name tells the TypeScript compiler where modules are.
pub fn is_tsconfig(name: &str) -> bool {
    name.starts_with("tsconfig") && name.ends_with(".json")
}

fn hash(text: &str) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// The hash by which a file's text is recognised.
pub fn text_hash(text: &str) -> u64 {
    hash(text)
}

impl Files {
    pub fn get(&self, id: FileId) -> Option<&Arc<File>> {
        self.files.get(id.0 as usize)?.as_ref()
    }

    pub fn by_path(&self, path: &str) -> Option<&Arc<File>> {
        self.get(*self.paths.by_path.get(path)?)
    }

    pub fn path(&self, id: FileId) -> &str {
        self.paths.by_id.get(id.0 as usize).map_or("", |path| path)
    }

    pub fn all(&self) -> impl Iterator<Item = &Arc<File>> {
        self.files.iter().flatten()
    }

    pub fn frameworks_arc(&self) -> &Arc<Frameworks> {
        &self.frameworks
    }

    pub fn configs(&self) -> &Configs {
        &self.configs
    }

    /// A place's span in its file as it is now.
    pub fn span(&self, place: Place) -> Span {
        match self.facts(place.file) {
            Some(facts) => place.span.shifted(facts.item(place.item).start),
            None => place.span,
        }
    }

    /// Facts of a client's file.
    pub fn client_facts(&self, id: FileId) -> Option<&Arc<ClientFacts>> {
        match &self.get(id)?.content {
            Content::Client(facts) => Some(facts),
            _ => None,
        }
    }

    /// Every comment of a file that speaks to this program, with its place.
    pub fn directives(&self, id: FileId) -> Vec<(Span, String)> {
        match self.get(id).map(|file| &file.content) {
            Some(Content::Source(facts)) => facts.directives().map(|(span, text)| (span, text.to_string())).collect(),
            Some(Content::Client(facts)) => facts.directives.clone(),
            Some(Content::Markdown(markdown)) => markdown.directives.clone(),
            Some(Content::Data(data)) => data.directives.clone(),
            _ => Vec::new(),
        }
    }

    /// The directory of a path, without a slash at its end; empty for the root.
    pub fn directory(path: &str) -> &str {
        path.rsplit_once('/').map_or("", |(directory, _)| directory)
    }

    /// The source files with facts, in order.
    pub fn loaded_files(&self) -> &[FileId] {
        &self.loaded
    }

    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary.get_or_init(|| {
            let mut vocabulary = Vocabulary::default();
            for &file in self.loaded.iter() {
                let Some(facts) = self.facts(file) else {
                    continue;
                };
                for name in facts.calls.keys() {
                    vocabulary.callers.entry(name.clone()).or_default().push(file);
                }
                vocabulary.handed.extend(facts.handed.iter().chain(facts.given.keys()).cloned());
                for (base, class) in facts.items.iter().flat_map(|item| item.facts.derived()) {
                    let derived = vocabulary.derived.entry(base.clone()).or_default();
                    if derived.last().is_none_or(|(last, name)| (*last, name) != (file, class)) {
                        derived.push((file, class.clone()));
                    }
                }
                for (there, here) in &facts.aliases {
                    let aliases = vocabulary.aliases.entry(there.clone()).or_default();
                    if !aliases.contains(here) {
                        aliases.push(here.clone());
                    }
                }
            }
            vocabulary
        })
    }

    fn index(&mut self) {
        if !self.modules.get().is_some_and(|modules| modules.fits(self)) {
            self.modules = Arc::default();
        }
        self.vocabulary = Arc::default();
        let mut loaded = Vec::new();
        let mut manifests = Vec::new();
        let mut sites: Vec<SmolStr> = Vec::new();
        for file in self.files.iter().flatten() {
            match &file.content {
                Content::Source(_) => loaded.push(file.id),
                Content::Manifest(_) => manifests.push(file.id),
                _ => {}
            }
            if let Some((above, _)) = file.path.split_once("/site-packages/") {
                let site = SmolStr::new(&file.path[..above.len() + "/site-packages".len()]);
                if sites.last() != Some(&site) && !sites.contains(&site) {
                    sites.push(site);
                }
            }
        }
        sites.sort();
        self.sites = Arc::new(sites);
        loaded.sort_by(|a, b| self.path(*a).cmp(self.path(*b)));
        self.loaded = Arc::new(loaded);
        self.manifests = Arc::new(manifests);
        let mut uses: FxHashMap<SmolStr, FxHashSet<usize>> = FxHashMap::default();
        for &file in self.loaded.iter() {
            let (Some(facts), Some(family)) = (self.facts(file), self.family(file)) else {
                continue;
            };
            let package = SmolStr::new(self.package_root(file));
            for (index, framework) in self.frameworks.rows.iter().enumerate() {
                if framework.language == family && facts.imports_any(&|module| framework.owns_module(module)) {
                    uses.entry(package.clone()).or_default().insert(index);
                }
            }
        }
        let mut crates = FxHashMap::default();
        // A package that needs a framework may get its server from another one that imports it.
        for &id in self.manifests.iter() {
            let Some(Content::Manifest(manifest)) = self.get(id).map(|file| &file.content) else { continue };
            let family = manifest.kind.family();
            if let (Family::Rust, Some(name)) = (family, &manifest.name) {
                let directory = SmolStr::new(Files::directory(self.path(id)));
                crates.insert(SmolStr::new(name.replace('-', "_")), directory);
            }
            for (index, framework) in self.frameworks.rows.iter().enumerate() {
                let needs = |name: &String| framework.packages.iter().any(|package| package == name);
                if framework.language == family && manifest.dependencies.iter().any(needs) {
                    let package = SmolStr::new(Files::directory(self.path(id)));
                    uses.entry(package).or_default().insert(index);
                }
            }
        }
        self.crates = Arc::new(crates);
        self.uses = Arc::new(uses);
    }

    /// The package at `root`, and the packages of the workspace that its files import, directly or not.
    fn packages_near(&self, root: &str) -> FxHashSet<&str> {
        let mut near: FxHashSet<&str> = FxHashSet::default();
        let Some(own) = self.loaded.iter().find(|&&file| self.package_root(file) == root) else {
            return near;
        };
        let mut open = vec![self.package_root(*own)];
        while let Some(package) = open.pop() {
            if !near.insert(package) {
                continue;
            }
            for &file in self.loaded.iter().filter(|&&file| self.package_root(file) == package) {
                let modules = self.facts(file).into_iter().flat_map(|facts| &facts.modules);
                let targets = modules.filter_map(|module| resolve::target(self, file, module));
                open.extend(targets.map(|target| self.package_root(target)).filter(|other| !near.contains(other)));
            }
        }
        near
    }

    /// The directory of a Rust crate of the workspace.
    fn crate_named(&self, name: &str) -> Option<&str> {
        self.crates.get(name).map(SmolStr::as_str)
    }

    fn modules(&self) -> &Modules {
        self.modules.get_or_init(|| Modules::of(self))
    }

    /// The path of the unparsed file that an import leads to.
    fn unparsed_target(&self, from: FileId, module: &str) -> Option<&Arc<str>> {
        let id = resolve::target(self, from, module)?;
        let file = self.get(id)?;
        matches!(file.content, Content::Unparsed | Content::Reserve).then_some(&file.path)
    }
}

impl World for Files {
    fn facts(&self, file: FileId) -> Option<&FileFacts> {
        match &self.get(file)?.content {
            Content::Source(facts) => Some(facts),
            _ => None,
        }
    }

    fn family(&self, file: FileId) -> Option<Family> {
        Language::of_path(self.path(file))?.family()
    }

    fn path_in_package(&self, file: FileId) -> &str {
        self.path(file)[self.package_root(file).len()..].trim_start_matches('/')
    }

    fn resolve(&self, from: FileId, module: &str) -> Lookup {
        resolve::resolve(self, from, module)
    }

    fn frameworks(&self) -> &Frameworks {
        &self.frameworks
    }

    fn project_uses(&self, file: FileId, framework: usize) -> bool {
        self.uses.get(self.package_root(file)).is_some_and(|used| used.contains(&framework))
    }

    fn files_calling(&self, name: &str) -> &[FileId] {
        self.vocabulary().callers.get(name).map_or(&[], Vec::as_slice)
    }

    fn derived_from(&self, name: &str) -> &[(FileId, SmolStr)] {
        self.vocabulary().derived.get(name).map_or(&[], Vec::as_slice)
    }

    fn is_handed(&self, name: &str) -> bool {
        self.vocabulary().handed.contains(name)
    }

    fn reads_types(&self) -> bool {
        self.configs.reads_types
    }

    fn aliases_of(&self, name: &str) -> &[SmolStr] {
        self.vocabulary().aliases.get(name).map_or(&[], Vec::as_slice)
    }
}

impl Snapshot {
    /// Servers, tools and what is known of them; computed once.
    pub fn analysis(&self) -> &Arc<Analysis> {
        self.analysis.get_or_init(|| Arc::new(Analysis::of(&self.files, self.previous.as_deref())))
    }

    /// The same workspace with edits applied to some files: what it would be like. `texts` are the present
    /// texts of those files. `None` where an edit does not fit.
    pub fn with_edits(
        &self,
        edits: &crate::diagnostic::Edits,
        texts: &dyn Fn(FileId) -> Option<String>,
    ) -> Option<Snapshot> {
        let mut files = self.files.clone();
        {
            let all = Arc::make_mut(&mut files.files);
            for (id, edits) in edits {
                let old = all[id.0 as usize].clone()?;
                let text = apply_edits(&texts(*id)?, edits)?;
                let mut file = File::new(*id, Arc::clone(&old.path), &text, true);
                file.open = old.open.as_ref().map(|_| Open { text: text.as_str().into(), tree: None });
                all[id.0 as usize] = Some(Arc::new(file));
            }
        }
        files.index();
        Some(Snapshot { files, analysis: Arc::default(), previous: None })
    }

    /// The text of a file as it is in the editor, or as `storage` has it.
    pub fn text(&self, file: FileId, storage: &dyn Storage) -> Option<String> {
        match self.files.get(file).and_then(|file| file.open.as_ref()) {
            Some(open) => Some(open.text.to_string()),
            None => storage.read(self.files.path(file)),
        }
    }

    /// A line and column, both from 0.
    pub fn position(&self, file: FileId, offset: u32, encoding: Encoding) -> crate::text::Position {
        match self.files.get(file) {
            Some(file) => file.lines.position(offset, encoding),
            None => crate::text::Position { line: 0, column: 0 },
        }
    }
}
