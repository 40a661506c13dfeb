//! The facts of all files, the servers that they define, and snapshots of both. Nothing here reads a file: what is
//! needed comes through [`Storage`], and [`Workspace::settle`] loads it round by round until nothing more is wanted.
//!
//! A [`Snapshot`] never changes. Features are functions of a snapshot.

mod aliases;
mod analysis;
mod budget;
mod cases;
mod file;
mod files;
mod granted;
mod groups;
mod keys;
mod kind;
mod launched;
mod lock;
mod manifest;
mod memo;
mod modules;
mod mounts;
mod old_names;
mod package;
mod paths;
mod patterns;
mod programs;
mod recorded;
mod resolve;
mod server;
mod servers;
mod shaped;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use aho_corasick::AhoCorasick;
use chrono::NaiveDate;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

pub(crate) use self::aliases::{AliasNote, is_day_or_version};
pub(crate) use self::analysis::{Analysis, Known};
pub use self::budget::Budget;
pub use self::file::text_hash;
pub(crate) use self::file::{Content, File, Open, Rows};
pub(crate) use self::files::Files;
pub(crate) use self::kind::{FileKind, is_config};
pub use self::lock::Lock;
pub(crate) use self::lock::{LOCK_FILE, Locked, Renamed};
pub(crate) use self::manifest::{Manifest, ManifestKind, project_key, project_of_info};

use self::granted::Grants;
pub(crate) use self::programs::{Compared, Comparison, Known as KnownValue, Text as KnownText};
pub(crate) use self::recorded::Recorded;
pub(crate) use self::server::{Offer, OldName, Server, Tool};
use crate::client::{self, ClientFacts, Launch};
use crate::config::Configs;
use crate::found::Want;
use crate::framework::{Frameworks, trigger_words};
use crate::lower::DEFAULT_EXPORT;
use crate::path::{folders_above, is_outside, joined};
use crate::syntax::Family;
use crate::text::{self, Edit, Encoding, FileId, apply_edits};

/// The name of the config file.
pub const CONFIG_FILE: &str = "toolnames.toml";

/// The source of file texts.
pub trait Storage: Sync {
    /// Returns the text of a file, by its path from the root; `None` if the file does not exist, is not UTF-8, or is
    /// too large.
    fn read(&self, path: &str) -> Option<String>;

    /// Called for a file that was read and is left out, with the reason.
    fn refused(&self, _path: &str, _reason: &'static str) {}

    /// Returns, for each launch (a folder and a command), the files of the installed package that it starts; none if
    /// none is installed here.
    fn installed(&self, launches: &[(String, Launch)], _frameworks: &Frameworks) -> Vec<Vec<String>> {
        vec![Vec::new(); launches.len()]
    }

    /// Returns today's date; `None` if it is unknown, in which case nothing expires.
    fn today(&self) -> Option<NaiveDate> {
        None
    }
}

/// The folder that a workspace was read from and its surroundings, including files that the workspace does not read.
pub trait Surroundings {
    /// Returns the path and text of every file in the folder that contains one of the words, whether or not the
    /// workspace reads it.
    fn mentioning(&self, words: &[String]) -> Vec<(String, String)>;

    /// Returns the text of a file in the folder, whether or not the workspace reads it; `None` if it cannot be read.
    fn text(&self, path: &str) -> Option<String>;

    /// Whether a file of the workspace is inside the folder and may therefore be written. For a symbolic link, its
    /// target decides.
    fn holds(&self, path: &str) -> bool {
        !is_outside(path)
    }

    /// Returns the client files that exist but were not read, each with the reason: what they allow and deny is
    /// unknown.
    fn unread(&self) -> Vec<(String, String)>;

    /// Returns the client settings in the folders above, up to the root of their repository.
    fn above(&self) -> Vec<Above>;
}

/// A client's file in a folder above a workspace.
#[derive(Debug, Clone)]
pub struct Above {
    /// The path from the root of the workspace: `../.claude/settings.json`.
    pub path: String,
    pub text: String,
    /// The path from the file's folder to the root of the workspace: `packages/notes`.
    pub way: String,
}

/// A flag with which one thread stops the work of another: reading a folder, or evaluating a workspace.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The payload with which a stopped evaluation unwinds. [`Workspace::settle`] leaves the state as it was then, and may
/// be called again.
#[derive(Debug)]
pub(crate) struct Stopped;

/// The state of a workspace at one moment, with everything that is derived from it.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub files: Files,
    analysis: Arc<OnceLock<Arc<Analysis>>>,
    /// The facts for clients that follow from running programs.
    grants: Arc<OnceLock<Grants>>,
    previous: Option<Arc<Analysis>>,
    stop: Stop,
}

/// The maximum number of words to search for: with more, every file contains some of them.
const MOST_WORDS: usize = 5_000;

/// The only owner of the state of a workspace; every change goes through it.
#[derive(Debug)]
pub struct Workspace {
    files: Files,
    /// For each language, words that make a file relevant.
    triggers: Arc<FxHashMap<Family, AhoCorasick>>,
    snapshot: Option<Snapshot>,
    last_analysis: Option<Arc<Analysis>>,
    /// Words for which every unparsed file was searched.
    searched: FxHashSet<SmolStr>,
    /// Launches of client files for which installed packages were looked for.
    sought: FxHashSet<(String, Launch)>,
    /// The launches in `sought` for which a package was found.
    brought: FxHashSet<(String, Launch)>,
    /// Whether a source file, by its path, is read only if an import leads to it.
    in_reserve: fn(&str) -> bool,
    stop: Stop,
}

impl Workspace {
    /// Creates an empty workspace with a policy.
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
                packages: Arc::default(),
                uses: Arc::default(),
                manifests: Arc::default(),
                locks: Arc::default(),
                crates: Arc::default(),
                sites: Arc::default(),
                vocabulary: Arc::default(),
                modules: Arc::default(),
                today: None,
                budget: Budget::default(),
                is_closed: false,
                words: Arc::default(),
                lost: Arc::default(),
                texts: Arc::default(),
            },
            triggers,
            snapshot: None,
            last_analysis: None,
            searched: FxHashSet::default(),
            sought: FxHashSet::default(),
            brought: FxHashSet::default(),
            in_reserve: |_| false,
            stop: Stop::default(),
        }
    }

    /// Creates a workspace of one document, with the manifests of the folders above it and nothing else: what can be
    /// known before a folder is read.
    pub fn of_one(configs: Configs, path: &str, text: Arc<str>, storage: &dyn Storage) -> Workspace {
        let mut workspace = Workspace::new(configs);
        let within = |folder: &str, name: &str| joined(folder, name);
        let manifests = folders_above(path).flat_map(|folder| ManifestKind::WRITTEN.map(|name| within(folder, name)));
        workspace.load(&manifests.flatten().collect::<Vec<_>>(), storage);
        workspace.open(path, text, &[]);
        workspace.files.today = storage.today();
        workspace.files.is_closed = true;
        workspace
    }

    /// Sets how many steps programs may take.
    pub fn allow(&mut self, budget: Budget) {
        self.files.budget = budget;
    }

    /// Sets which source files, by path, are read only if an import leads to them.
    pub fn keep_in_reserve(&mut self, files: fn(&str) -> bool) {
        self.in_reserve = files;
    }

    /// Sets the flag that stops the evaluation, which then unwinds with [`Stopped`].
    pub fn stop_by(&mut self, stop: Stop) {
        self.stop = stop;
        self.changed();
    }

    /// Returns the id of a path, or assigns a new one to a path that was never seen.
    pub fn intern(&mut self, path: &str) -> FileId {
        if let Some(&id) = self.files.paths.by_path.get(path) {
            return id;
        }
        let id = Arc::make_mut(&mut self.files.paths).intern(path);
        Arc::make_mut(&mut self.files.files).push(None);
        id
    }

    /// Reads many files at once; returns the paths of those that could not be read.
    pub fn load(&mut self, paths: &[String], storage: &dyn Storage) -> Vec<String> {
        let ids: Vec<(FileId, &String)> = paths.iter().map(|path| (self.intern(path), path)).collect();
        let triggers = Arc::clone(&self.triggers);
        let frameworks = Arc::clone(&self.files.frameworks);
        let configs = Arc::clone(&self.files.configs);
        let in_reserve = self.in_reserve;
        let results: Vec<Result<File, &String>> = ids
            .par_iter()
            .map(|&(id, path)| {
                let family = match FileKind::of(path, configs.clients()) {
                    FileKind::Code(language) => language.family(),
                    _ => None,
                };
                if family.is_some() && in_reserve(path) {
                    return Ok(File::reserved(id, path.as_str().into()));
                }
                let text = storage.read(path).ok_or(path)?;
                let parse = family.map_or_else(
                    || configs.reads(path),
                    |family| {
                        triggers.get(&family).is_some_and(|words| words.is_match(&text))
                            || frameworks.may_load(family, path)
                            || client::may_grant(configs.clients(), &text)
                    },
                );
                let rows = Rows { clients: configs.clients(), queries: frameworks.queries() };
                Ok(read(rows, id, path, &text, parse, storage))
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
                Err(path) => unread.push(path.clone()),
            }
        }
        self.changed();
        unread
    }

    /// Sets the text of an open document. `edits`, to be applied one after the other, are the changes since the last
    /// call, and only the changed parts are parsed again. Without edits, the whole text is new.
    pub fn open(&mut self, path: &str, text: Arc<str>, edits: &[Edit]) {
        let id = self.intern(path);
        let previous = self.files.files[id.0 as usize].clone();
        let is_code = matches!(FileKind::of(path, self.files.known_clients()), FileKind::Code(_));
        let parse = is_code || self.files.configs.reads(path);
        let file = File::opened(self.files.rows(), id, path.into(), text, previous.as_deref(), edits, parse);
        // A program may read the document.
        let is_read = !is_code && self.files.texts.contains_key(path);
        if is_read {
            let text = file.open.as_ref().map(|open| Arc::clone(&open.text));
            Arc::make_mut(&mut self.files.texts).insert(path.into(), text);
        }
        let same = !is_read && previous.as_ref().is_some_and(|previous| previous.says_the_same(&file));
        Arc::make_mut(&mut self.files.files)[id.0 as usize] = Some(Arc::new(file));
        if same { self.moved() } else { self.changed() }
    }

    /// Replaces the text of a closed document with that on disk.
    pub fn close(&mut self, path: &str, storage: &dyn Storage) {
        self.reload(&[path.to_string()], storage);
    }

    /// Reads files again that changed, appeared or vanished on disk. Callers must leave out open documents, whose text
    /// this would replace.
    pub fn reload(&mut self, paths: &[String], storage: &dyn Storage) {
        let unread = self.load(paths, storage);
        for path in unread {
            self.remove(&path);
        }
        self.forget_texts(paths);
        self.searched.clear();
        self.files.words = Arc::default();
        self.sought.clear();
        self.changed();
    }

    /// Removes files that are no longer part of the workspace.
    pub fn forget(&mut self, paths: &[String]) {
        paths.iter().for_each(|path| self.remove(path));
        self.forget_texts(paths);
        self.searched.clear();
        self.files.words = Arc::default();
        self.sought.clear();
        self.changed();
    }

    /// Makes programs read these files again.
    fn forget_texts(&mut self, paths: &[String]) {
        if paths.iter().any(|path| self.files.texts.contains_key(path.as_str())) {
            let texts = Arc::make_mut(&mut self.files.texts);
            paths.iter().for_each(|path| drop(texts.remove(path.as_str())));
        }
    }

    /// Whether installed packages were read for a command that no client file starts any more.
    pub fn has_too_much(&self) -> bool {
        let launches: FxHashSet<_> = self.files.launches().into_iter().collect();
        self.brought.iter().any(|brought| !launches.contains(brought))
    }

    fn remove(&mut self, path: &str) {
        if let Some(&id) = self.files.paths.by_path.get(path) {
            Arc::make_mut(&mut self.files.files)[id.0 as usize] = None;
        }
        self.changed();
    }

    /// Replaces the policy. Earlier results are kept if both policies read code in the same way.
    pub fn configure(&mut self, configs: Configs) {
        if !self.files.configs.reads_alike(&configs) {
            self.files.frameworks = Arc::new(Frameworks::with(&configs.frameworks));
            self.triggers = triggers(&self.files.frameworks);
            self.snapshot = None;
            self.last_analysis = None;
        }
        self.files.configs = Arc::new(configs);
        self.changed();
    }

    /// The current policy.
    pub fn configs(&self) -> &Configs {
        &self.files.configs
    }

    /// Replaces the snapshot after a change of positions alone, and keeps the analysis.
    fn moved(&mut self) {
        let analysis = self.snapshot.take().and_then(|snapshot| snapshot.analysis.get().cloned());
        let cell = OnceLock::new();
        if let Some(analysis) = analysis {
            let _ = cell.set(analysis);
        }
        self.snapshot = Some(Snapshot {
            files: self.files.clone(),
            analysis: Arc::new(cell),
            grants: Arc::default(),
            previous: self.last_analysis.clone(),
            stop: self.stop.clone(),
        });
    }

    fn changed(&mut self) {
        if let Some(analysis) = self.snapshot.take().and_then(|snapshot| snapshot.analysis.get().cloned()) {
            self.last_analysis = Some(analysis);
        }
        self.files.index();
    }

    /// Returns a snapshot of the current state.
    pub fn snapshot(&mut self) -> Snapshot {
        if self.snapshot.is_none() {
            self.snapshot = Some(Snapshot {
                files: self.files.clone(),
                analysis: Arc::default(),
                grants: Arc::default(),
                previous: self.last_analysis.clone(),
                stop: self.stop.clone(),
            });
        }
        self.snapshot.clone().expect("it was just made")
    }

    /// Loads what the evaluation wants, repeatedly, until it wants nothing more.
    pub fn settle(&mut self, storage: &dyn Storage) -> Snapshot {
        let today = storage.today();
        if std::mem::replace(&mut self.files.today, today) != today {
            self.moved();
        }
        if std::mem::take(&mut self.files.is_closed) {
            self.changed();
        }
        loop {
            self.seek_installed(storage);
            let snapshot = self.snapshot();
            let wants = &snapshot.analysis().wants;
            let (mut imported, mut mentioning, mut texts) = (Vec::new(), Vec::new(), Vec::new());
            let unsearched = |word: &&SmolStr| self.searched.insert((*word).clone());
            let mut words: Vec<SmolStr> = self.files.configs.words.iter().filter(unsearched).cloned().collect();
            for want in wants {
                match want {
                    Want::Import { from, module } => {
                        imported.extend(self.files.unparsed_target(*from, module).map(|path| path.to_string()));
                    }
                    Want::Text(path) => texts.push(path.clone()),
                    Want::Word(word) => {
                        if word != DEFAULT_EXPORT && self.searched.insert(word.clone()) {
                            words.push(word.clone());
                        }
                    }
                }
            }
            if !words.is_empty() {
                mentioning.extend(self.files_with(&words, storage));
            }
            let has_searched = !words.is_empty();
            if has_searched {
                Arc::make_mut(&mut self.files.words).extend(words);
                self.changed();
            }
            let has_read = self.read_texts(&texts, storage);
            let known: FxHashSet<&String> = imported.iter().collect();
            mentioning.retain(|path| !known.contains(path));
            let has_parsed = self.parse(&mentioning, storage) | self.parse_with_imports(imported, storage);
            if has_parsed || has_read || has_searched {
                continue;
            }
            if self.files.is_closed || !snapshot.analysis().waits() {
                return self.snapshot();
            }
            // What is missing cannot be loaded, so programs run without it.
            self.files.is_closed = true;
            self.changed();
        }
    }

    /// Reads data files that programs read; returns whether any was not read before.
    fn read_texts(&mut self, paths: &[SmolStr], storage: &dyn Storage) -> bool {
        let unread: Vec<&SmolStr> = paths.iter().filter(|path| !self.files.texts.contains_key(*path)).collect();
        if unread.is_empty() {
            return false;
        }
        let read = unread.into_iter().map(|path| (path.clone(), storage.read(path).map(Arc::from)));
        let read: Vec<(SmolStr, Option<Arc<str>>)> = read.collect();
        Arc::make_mut(&mut self.files.texts).extend(read);
        self.changed();
        true
    }

    /// Makes the next [`Workspace::settle`] look again for the installed packages that client files start.
    pub fn seek_again(&mut self) {
        self.sought.clear();
    }

    /// Loads the installed packages that client files start, and reads what their entry files import.
    fn seek_installed(&mut self, storage: &dyn Storage) {
        let launches = self.files.launches();
        let unsought: Vec<_> = launches.into_iter().filter(|it| self.sought.insert(it.clone())).collect();
        if unsought.is_empty() {
            return;
        }
        let frameworks = Arc::clone(&self.files.frameworks);
        let mut found = Vec::new();
        for (launch, files) in unsought.iter().zip(storage.installed(&unsought, &frameworks)) {
            if !files.is_empty() {
                self.brought.insert(launch.clone());
            }
            found.extend(files);
        }
        let mut found: Vec<String> = found.into_iter().filter(|path| self.files.by_path(path).is_none()).collect();
        found.sort();
        found.dedup();
        if !found.is_empty() {
            self.load(&found, storage);
        }
        loop {
            let started = unsought.iter().flat_map(|(base, launch)| self.files.unread_of_started(base, launch));
            let mut unread: Vec<String> = started.collect();
            unread.sort();
            unread.dedup();
            if !self.parse(&unread, storage) {
                break;
            }
        }
    }

    /// The paths of the unparsed files that contain one of the words; of all unparsed files if there are very many
    /// words.
    fn files_with(&self, words: &[SmolStr], storage: &dyn Storage) -> Vec<String> {
        let unparsed: Vec<&Arc<File>> =
            self.files.files.iter().flatten().filter(|file| matches!(file.content, Content::Unparsed)).collect();
        // An automaton of thousands of words takes seconds to make.
        if unparsed.is_empty() || words.len() > MOST_WORDS {
            return unparsed.iter().map(|file| file.path.to_string()).collect();
        }
        let Ok(automaton) = text::any_of(words.iter().map(SmolStr::as_str)) else {
            return Vec::new();
        };
        unparsed
            .par_iter()
            .filter(|file| storage.read(&file.path).is_some_and(|text| automaton.is_match(&text)))
            .map(|file| file.path.to_string())
            .collect()
    }

    /// Parses files and all files that they import, directly or through others; returns whether any could be read.
    fn parse_with_imports(&mut self, mut paths: Vec<String>, storage: &dyn Storage) -> bool {
        let mut any = false;
        while !paths.is_empty() {
            paths.sort();
            paths.dedup();
            any |= self.read_sources(&paths, storage);
            let files = &self.files;
            let read = paths.iter().filter_map(|path| files.by_path(path));
            let imports = read.flat_map(|file| files.unparsed_imports(file.id)).map(|path| path.to_string());
            paths = imports.filter(|path| !files.by_path(path).is_some_and(|it| files.lost.contains(&it.id))).collect();
        }
        if any {
            self.changed();
        }
        any
    }

    /// Parses files that were not parsed before; returns whether any was.
    fn parse(&mut self, paths: &[String], storage: &dyn Storage) -> bool {
        let any = self.read_sources(paths, storage);
        if any {
            self.changed();
        }
        any
    }

    /// Parses files like [`Workspace::parse`], without the indexes that follow from all files together.
    fn read_sources(&mut self, paths: &[String], storage: &dyn Storage) -> bool {
        let ids: Vec<(FileId, &String)> = paths.iter().map(|path| (self.intern(path), path)).collect();
        let rows = self.files.rows();
        let parsed: Vec<File> = ids
            .par_iter()
            .filter_map(|&(id, path)| Some(read(rows, id, path, &storage.read(path)?, true, storage)))
            .collect();
        let any = !parsed.is_empty();
        let read: FxHashSet<FileId> = parsed.iter().map(|file| file.id).collect();
        let lost: Vec<FileId> = ids.iter().map(|(id, _)| *id).filter(|id| !read.contains(id)).collect();
        if !lost.is_empty() {
            Arc::make_mut(&mut self.files.lost).extend(lost);
        }
        let files = Arc::make_mut(&mut self.files.files);
        for file in parsed {
            let index = file.id.0 as usize;
            files[index] = Some(Arc::new(file));
        }
        any
    }
}

/// Reads a file of the storage, and reports to the storage if the file is left out.
fn read(rows: Rows<'_>, id: FileId, path: &str, text: &str, parse: bool, storage: &dyn Storage) -> File {
    let file = File::new(rows, id, path.into(), text, parse);
    if let Content::Refused(reason) = file.content {
        storage.refused(path, reason);
    }
    file
}

fn triggers(frameworks: &Frameworks) -> Arc<FxHashMap<Family, AhoCorasick>> {
    let automaton = |family| {
        let words = trigger_words(&frameworks.rows, family);
        (family, text::any_of(words).expect("words make an automaton"))
    };
    Arc::new(Family::ALL.into_iter().map(automaton).collect())
}

impl Snapshot {
    /// The servers that a command starts from the root, if their source is here.
    pub fn started_by(&self, command: &[String]) -> Vec<&Server> {
        let servers = &self.analysis().servers;
        let homes = launched::Homes::new(servers);
        let started = client::launch(command).map(|launch| launched::started_servers(&self.files, &homes, &launch, ""));
        started.into_iter().flatten().map(|index| &servers[index]).collect()
    }

    /// The servers, the tools, and what is known of them; computed on the first call.
    pub fn analysis(&self) -> &Arc<Analysis> {
        self.analysis.get_or_init(|| Arc::new(Analysis::of(&self.files, self.previous.as_deref(), &self.stop)))
    }

    /// The facts for clients in a file: a client's own file, source code, or the commands of a manifest.
    pub fn client_facts(&self, file: FileId) -> impl Iterator<Item = &ClientFacts> {
        let grants = self.grants.get_or_init(|| Grants::of(&self.files, self.analysis()));
        self.files.read_facts(file).chain(grants.in_file(file))
    }

    /// Returns this snapshot with edits applied to some files. `texts` returns the current text of a file. `None` if an
    /// edit does not fit the text.
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
                let mut file = File::new(self.files.rows(), *id, Arc::clone(&old.path), &text, true);
                file.open = old.open.as_ref().map(|_| Open { text: text.as_str().into(), tree: None });
                // It may contain strings of a call in another file.
                file.calling = file.code.is_some().then(|| text.as_str().into());
                all[id.0 as usize] = Some(Arc::new(file));
            }
        }
        files.index();
        files.is_closed = true;
        // Results that the edits do not affect are reused.
        let previous = Some(Arc::clone(self.analysis()));
        let (analysis, grants, stop) = (Arc::default(), Arc::default(), Stop::default());
        Some(Snapshot { files, analysis, grants, previous, stop })
    }

    /// Returns this snapshot with more files of code, each with its path and text, and the ids of these files. The rest
    /// of the snapshot is not computed again: it is as if nothing used the files.
    pub(crate) fn with_files(&self, added: &[(String, String)]) -> (Snapshot, Vec<FileId>) {
        let mut files = self.files.clone();
        let mut ids = Vec::new();
        for (path, text) in added {
            let known = files.paths.by_path.get(path.as_str()).copied();
            let id = known.unwrap_or_else(|| Arc::make_mut(&mut files.paths).intern(path));
            let is_read = |file: &Arc<File>| file.code.is_some() && file.hash == text_hash(text);
            if !files.get(id).is_some_and(is_read) {
                let file = File::new(files.rows(), id, path.as_str().into(), text, true);
                let all = Arc::make_mut(&mut files.files);
                all.resize(all.len().max(id.0 as usize + 1), None);
                all[id.0 as usize] = Some(Arc::new(file));
            }
            ids.push(id);
        }
        files.index();
        files.is_closed = true;
        let analysis = Arc::clone(self.analysis());
        let analysis = Arc::new(OnceLock::from(analysis));
        let grants = Arc::default();
        (Snapshot { files, analysis, grants, previous: None, stop: Stop::default() }, ids)
    }

    /// The text of a file as it is in the editor, or else in `storage`.
    pub fn text(&self, file: FileId, storage: &dyn Storage) -> Option<String> {
        match self.files.get(file).and_then(|file| file.open.as_ref()) {
            Some(open) => Some(open.text.to_string()),
            None => storage.read(self.files.path(file)),
        }
    }

    /// Returns the line and column of a byte offset, both 0-based; the column counts code units of `encoding`.
    pub fn position(&self, file: FileId, offset: u32, encoding: Encoding) -> crate::text::Position {
        match self.files.get(file) {
            Some(file) => file.lines.position(offset, encoding),
            None => crate::text::Position { line: 0, column: 0 },
        }
    }
}
