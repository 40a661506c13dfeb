//! All files' facts, the servers they make up, and snapshots of both. Nothing here reads a file: what is needed
//! comes through [`Storage`], and [`Workspace::settle`] loads it round by round until nothing is wanted.
//!
//! A [`Snapshot`] never changes. Features are functions of one.

mod aliases;
mod cases;
mod file;
mod files;
mod keys;
mod kind;
mod launched;
mod lock;
mod memo;
mod modules;
mod mounts;
mod package;
mod patterns;
mod recorded;
mod resolve;
mod reuse;
mod servers;
mod shaped;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use aho_corasick::AhoCorasick;
use chrono::NaiveDate;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

pub use self::aliases::{AliasNote, is_day_or_version};
pub use self::file::{Content, File, Open, text_hash};
pub use self::files::Files;
use self::files::Paths;
pub use self::keys::Known;
pub use self::kind::{FileKind, is_config};
pub use self::lock::{LOCK_FILE, Lock, Locked, Renamed};
pub use self::memo::Memo;
pub use self::package::{Manifest, ManifestKind, project_key, project_of_info};
pub use self::recorded::{Recorded, RecordedTool, SNAPSHOTS};
pub use self::servers::{Analysis, Offer, OldName, Server, Tool};
use crate::client::{self, Clients, Launch};
use crate::config::Configs;
use crate::evaluate::Want;
use crate::framework::{Frameworks, trigger_words};
use crate::lower::{DEFAULT_EXPORT, HANDED_IN};
use crate::path::{folders_above, is_outside, joined};
use crate::syntax::Family;
use crate::text::{self, Edit, Encoding, FileId, apply_edits};

/// The name of the config file.
pub const CONFIG_FILE: &str = "toolnames.toml";

/// Where the bytes of files come from.
pub trait Storage: Sync {
    /// The text of a file, by its path from the root; `None` where there is none that is UTF-8 and of a
    /// reasonable size.
    fn read(&self, path: &str) -> Option<String>;

    /// Hears of a file that was read and is left out, and why.
    fn refused(&self, _path: &str, _reason: &'static str) {}

    /// The files of the installed package that each command starts in its folder; none where none is installed here.
    fn installed(&self, launches: &[(String, Launch)], _frameworks: &Frameworks) -> Vec<Vec<String>> {
        vec![Vec::new(); launches.len()]
    }

    /// The day that it is; `None` where that is not known, and nothing is past its day.
    fn today(&self) -> Option<NaiveDate> {
        None
    }
}

/// The folder that a workspace was read from, and what lies about it: more than the workspace looks at.
pub trait Surroundings {
    /// Every file of the folder that contains one of some words, whether the workspace looks at it or not: its path and
    /// its text.
    fn mentioning(&self, words: &[String]) -> Vec<(String, String)>;

    /// The text of a file of the folder, whether the workspace looks at it or not; `None` where it cannot be read.
    fn text(&self, path: &str) -> Option<String>;

    /// Whether a file of the workspace lies in the folder, so that it may be written: where a link leads counts.
    fn holds(&self, path: &str) -> bool {
        !is_outside(path)
    }

    /// The files of clients that are there and were not read, each with the reason: what they allow and deny is not known.
    fn unread(&self) -> Vec<(String, String)>;

    /// The settings of clients in the folders above, as far up as their repository reaches.
    fn above(&self) -> Vec<Above>;
}

/// A file of a client that lies above a workspace.
#[derive(Debug, Clone)]
pub struct Above {
    /// From the root of the workspace: `../.claude/settings.json`.
    pub path: String,
    pub text: String,
    /// From its folder to the root of the workspace: `packages/notes`.
    pub way: String,
}

/// A flag by which one thread ends what another computes: reading a folder, or the evaluation of a workspace.
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

/// Unwinds an evaluation that was stopped. [`Workspace::settle`] leaves the state as it was then, and may be called again.
#[derive(Debug)]
pub struct Stopped;

/// The state of a workspace at one moment, with everything that follows from it.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub files: Files,
    analysis: Arc<OnceLock<Arc<Analysis>>>,
    previous: Option<Arc<Analysis>>,
    stop: Stop,
}

/// Of more words than these, some are in any file.
const MOST_WORDS: usize = 5_000;

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
    /// Commands of client files for which installed packages were looked for.
    sought: FxHashSet<(String, Launch)>,
    /// Those among them for which one was found.
    brought: FxHashSet<(String, Launch)>,
    /// Which source files are read only where an import leads to them.
    in_reserve: fn(&str) -> bool,
    stop: Stop,
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
                packages: Arc::default(),
                uses: Arc::default(),
                manifests: Arc::default(),
                locks: Arc::default(),
                crates: Arc::default(),
                sites: Arc::default(),
                vocabulary: Arc::default(),
                modules: Arc::default(),
                today: None,
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

    /// One document, with the manifests of the folders above it and nothing else: what can be known before a folder is read.
    pub fn of_one(configs: Configs, path: &str, text: Arc<str>, storage: &dyn Storage) -> Workspace {
        let mut workspace = Workspace::new(configs);
        let within = |folder: &str, name: &str| joined(folder, name);
        let manifests = folders_above(path).flat_map(|folder| ManifestKind::WRITTEN.map(|name| within(folder, name)));
        workspace.load(&manifests.flatten().collect::<Vec<_>>(), storage);
        workspace.open(path, text, &[]);
        workspace.files.today = storage.today();
        workspace
    }

    /// Files, by their path, that are read only where an import leads to them.
    pub fn keep_in_reserve(&mut self, files: fn(&str) -> bool) {
        self.in_reserve = files;
    }

    /// Ends its evaluation by unwinding with [`Stopped`] where this is set.
    pub fn stop_by(&mut self, stop: Stop) {
        self.stop = stop;
        self.changed();
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
                let family = match FileKind::of(path, configs.clients()) {
                    FileKind::Code(language) => language.family(),
                    _ => None,
                };
                if family.is_some() && in_reserve(path) {
                    return Ok(File::reserved(id, path.as_str().into()));
                }
                let text = storage.read(path).ok_or_else(|| path.clone())?;
                let parse = family.map_or_else(
                    || configs.reads(path),
                    |family| {
                        triggers.get(&family).is_some_and(|words| words.is_match(&text))
                            || frameworks.may_load(family, path)
                            || client::may_grant(configs.clients(), &text)
                    },
                );
                Ok(read(configs.clients(), id, path, &text, parse, storage))
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
        let is_code = matches!(FileKind::of(path, self.files.known_clients()), FileKind::Code(_));
        let parse = is_code || self.files.configs.reads(path);
        let file = File::opened(self.files.known_clients(), id, path.into(), text, previous.as_deref(), edits, parse);
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
        self.sought.clear();
        self.changed();
    }

    /// Files that are no part of the workspace any more.
    pub fn forget(&mut self, paths: &[String]) {
        paths.iter().for_each(|path| self.remove(path));
        self.searched.clear();
        self.sought.clear();
        self.changed();
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

    /// Takes another policy. What was evaluated under the one before holds where both read code alike.
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

    /// The policy.
    pub fn configs(&self) -> &Configs {
        &self.files.configs
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
            stop: self.stop.clone(),
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
                stop: self.stop.clone(),
            });
        }
        self.snapshot.clone().expect("it was just made")
    }

    /// Loads what evaluation wants, and again, until it wants nothing more.
    pub fn settle(&mut self, storage: &dyn Storage) -> Snapshot {
        let today = storage.today();
        if std::mem::replace(&mut self.files.today, today) != today {
            self.moved();
        }
        loop {
            self.seek_installed(storage);
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

    /// Looks again for the installed packages that client files start.
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

    /// The unparsed files in which one of these words occurs; all of them where the words are very many.
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

    /// Parses files that were passed over before; whether any was.
    fn parse(&mut self, paths: &[String], storage: &dyn Storage) -> bool {
        let ids: Vec<(FileId, &String)> = paths.iter().map(|path| (self.intern(path), path)).collect();
        let configs = Arc::clone(&self.files.configs);
        let clients = configs.clients();
        let parsed: Vec<File> = ids
            .par_iter()
            .filter_map(|&(id, path)| Some(read(clients, id, path, &storage.read(path)?, true, storage)))
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

/// What a file of the storage holds; the storage hears of one that is left out.
fn read(clients: &Clients, id: FileId, path: &str, text: &str, parse: bool, storage: &dyn Storage) -> File {
    let file = File::new(clients, id, path.into(), text, parse);
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
    /// The servers that a command starts from the root, as far as their source is here.
    pub fn started_by(&self, command: &[String]) -> Vec<&Server> {
        let servers = &self.analysis().servers;
        let homes = launched::Homes::new(servers);
        let started = client::launch(command).map(|launch| launched::started_servers(&self.files, &homes, &launch, ""));
        started.into_iter().flatten().map(|index| &servers[index]).collect()
    }

    /// Servers, tools and what is known of them; computed once.
    pub fn analysis(&self) -> &Arc<Analysis> {
        self.analysis.get_or_init(|| Arc::new(Analysis::of(&self.files, self.previous.as_deref(), &self.stop)))
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
                let mut file = File::new(self.files.known_clients(), *id, Arc::clone(&old.path), &text, true);
                file.open = old.open.as_ref().map(|_| Open { text: text.as_str().into(), tree: None });
                all[id.0 as usize] = Some(Arc::new(file));
            }
        }
        files.index();
        // What the edits do not touch is as it was.
        let previous = Some(Arc::clone(self.analysis()));
        Some(Snapshot { files, analysis: Arc::default(), previous, stop: Stop::default() })
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
