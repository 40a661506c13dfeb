//! The files as a program sees them, and a record of what it saw.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::graph::Graph;
use super::local::Local;
use crate::code::Code;
use crate::found::{Lookup, Place, Want};
use crate::machine::{self, Resolved, contains_one};
use crate::syntax::Family;
use crate::text::FileId;
use crate::workspace::{Files, Stop};

/// The files as a program sees them.
pub(super) struct Ground<'f> {
    files: &'f Files,
    graph: &'f Graph,
    stop: &'f Stop,
    seen: RefCell<Seen>,
    wants: RefCell<Vec<Want>>,
    /// The paths of all files, sorted.
    paths: OnceCell<Vec<&'f str>>,
    /// Whether all code matters, not only what leads to registrations.
    is_whole: bool,
}

/// The inputs that a program read. With the same inputs, its result is the same.
#[derive(Default)]
pub(super) struct Seen {
    files: FxHashMap<FileId, Option<Arc<Local>>>,
    resolved: FxHashMap<(FileId, SmolStr), Resolved>,
    texts: FxHashMap<SmolStr, Option<Arc<str>>>,
    folders: FxHashMap<SmolStr, Option<Vec<SmolStr>>>,
    paths: FxHashMap<SmolStr, Option<FileId>>,
    leads: FxHashMap<Place, bool>,
}

impl<'f> Ground<'f> {
    pub(super) fn new(files: &'f Files, graph: &'f Graph, stop: &'f Stop) -> Ground<'f> {
        let (seen, wants, paths) = (RefCell::default(), RefCell::default(), OnceCell::new());
        Ground { files, graph, stop, seen, wants, paths, is_whole: false }
    }

    /// The files as a program sees them of which everything is of interest.
    pub(super) fn whole(files: &'f Files, graph: &'f Graph, stop: &'f Stop) -> Ground<'f> {
        Ground { is_whole: true, ..Ground::new(files, graph, stop) }
    }

    /// What a program saw, and what has to be loaded before it can see more.
    pub(super) fn into_seen(self) -> (Seen, Vec<Want>) {
        (self.seen.into_inner(), self.wants.into_inner())
    }

    fn resolved(&self, from: FileId, module: &str) -> Resolved {
        self.known(from, module).unwrap_or_else(|| {
            self.wants.borrow_mut().push(Want::Import { from, module: module.into() });
            if self.is_whole { Resolved::Outside } else { Resolved::Absent }
        })
    }

    /// Resolves an import; `None` if the file has to be loaded first.
    fn known(&self, from: FileId, module: &str) -> Option<Resolved> {
        match self.files.resolve(from, module) {
            Lookup::Found(file) => Some(Resolved::Found(file)),
            Lookup::External => Some(Resolved::Outside),
            Lookup::Absent => Some(Resolved::Absent),
            Lookup::NotLoaded => self.files.is_lost(from, module).then_some(Resolved::Absent),
        }
    }

    /// Whether an import still leads where a program saw it lead. A file that has to be loaded is new, unless nothing
    /// more can be loaded.
    fn still_leads(&self, from: FileId, module: &str, seen: Resolved) -> bool {
        let now = self.known(from, module).or(self.files.is_closed.then_some(Resolved::Absent));
        now == Some(seen)
    }

    fn text_at(&self, path: &str) -> Option<Arc<str>> {
        match self.files.texts.get(path) {
            Some(text) => text.clone(),
            None => {
                self.wants.borrow_mut().push(Want::Text(path.into()));
                None
            }
        }
    }

    fn names_in(&self, path: &str) -> Option<Vec<SmolStr>> {
        let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
        let paths = self.paths.get_or_init(|| {
            let mut paths: Vec<&str> = self.files.all().map(|file| &*file.path).collect();
            paths.sort_unstable();
            paths
        });
        let first = paths.partition_point(|path| *path < prefix.as_str());
        let inside = paths[first..].iter().map_while(|path| path.strip_prefix(prefix.as_str()));
        let mut names: Vec<SmolStr> = inside.filter_map(|rest| rest.split('/').next()).map(SmolStr::new).collect();
        names.dedup();
        (!names.is_empty()).then_some(names)
    }

    fn leads(&self, place: Place) -> bool {
        contains_one(place, self.graph.leading(place.file))
    }
}

impl machine::World for Ground<'_> {
    fn code(&self, file: FileId) -> Option<Arc<Code>> {
        let code = self.files.get(file)?.code.clone()?;
        self.seen.borrow_mut().files.entry(file).or_insert_with(|| self.graph.local(file).cloned());
        Some(code)
    }

    fn family(&self, file: FileId) -> Option<Family> {
        self.files.family(file)
    }

    fn path(&self, file: FileId) -> &str {
        self.files.path(file)
    }

    fn resolve(&self, from: FileId, module: &str) -> Resolved {
        let resolved = self.resolved(from, module);
        self.seen.borrow_mut().resolved.insert((from, module.into()), resolved);
        resolved
    }

    fn text(&self, path: &str) -> Option<Arc<str>> {
        let text = self.text_at(path);
        self.seen.borrow_mut().texts.insert(path.into(), text.clone());
        text
    }

    fn folder(&self, path: &str) -> Option<Vec<SmolStr>> {
        let names = self.names_in(path);
        self.seen.borrow_mut().folders.insert(path.into(), names.clone());
        names
    }

    fn file(&self, path: &str) -> Option<FileId> {
        let file = self.files.by_path(path).map(|file| file.id);
        self.seen.borrow_mut().paths.insert(path.into(), file);
        file
    }

    fn is_waiting(&self) -> bool {
        !self.files.is_closed && !self.wants.borrow().is_empty()
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_set()
    }

    fn matters(&self, place: Place) -> bool {
        let leads = self.leads(place);
        self.seen.borrow_mut().leads.insert(place, leads);
        leads || self.is_whole
    }
}

impl Seen {
    /// Whether a program would see the same on this ground.
    pub(super) fn is_same_on(&self, ground: &Ground<'_>) -> bool {
        let files = ground.files;
        let is_same = |(file, seen): (&FileId, &Option<Arc<Local>>)| match (seen, ground.graph.local(*file)) {
            (Some(seen), Some(now)) => seen.is_same(now),
            (None, None) => true,
            _ => false,
        };
        self.files.iter().all(is_same)
            && self.leads.iter().all(|(place, leads)| ground.leads(*place) == *leads)
            && self.resolved.iter().all(|((from, module), seen)| ground.still_leads(*from, module, *seen))
            && self.texts.iter().all(|(path, text)| files.texts.get(path) == Some(text))
            && self.folders.iter().all(|(path, names)| ground.names_in(path) == *names)
            && self.paths.iter().all(|(path, file)| files.by_path(path).map(|file| file.id) == *file)
    }
}
