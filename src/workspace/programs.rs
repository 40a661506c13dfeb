//! What the packages of a workspace register, found by running their programs.
//!
//! A package is as many programs as it has files that something starts: the commands and entries of its manifest, and
//! each file that registers something and that no other file leads to. If none of them registers a tool, the functions
//! that would are run as if somebody called them.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::Files;
use super::modules::source_of;
use crate::code::{Code, Mention, Outline};
use crate::evaluate::{
    Confidence, Dynamic, Found, Lookup, Mount, Place, Registration, ServerKey, ServerObject, Want, World as _,
};
use crate::framework::{FormId, Gate, Kind, On};
use crate::lower::{CallId, CallKind, ScopeId};
use crate::machine::{self, Entry, Machine, ObjectId, Resolved};
use crate::path::{is_installed, is_test_file, joined};
use crate::registry::Registry;
use crate::syntax::Family;
use crate::text::{FileId, Span};

/// What running the programs of a workspace shows.
#[derive(Default)]
pub(super) struct Ran {
    pub(super) found: FxHashMap<FileId, Found>,
    /// What has to be loaded before the programs can run.
    pub(super) wants: Vec<Want>,
}

/// Runs the programs of all packages in a language.
pub(super) fn run(files: &Files, family: Family) -> Ran {
    let graph = Graph::of(files, family);
    let mut packages: Vec<(&SmolStr, Vec<FileId>)> = files
        .packages
        .iter()
        .map(|(root, all)| (root, all.iter().copied().filter(|file| files.family(*file) == Some(family)).collect()))
        .filter(|(_, all): &(_, Vec<FileId>)| all.iter().any(|file| graph.registering.contains_key(file)))
        .collect();
    packages.sort();
    let wants: FxHashSet<Want> =
        packages.iter().flat_map(|(root, all)| unread(files, &graph.starts(files, root, all))).collect();
    if !wants.is_empty() {
        let mut wants: Vec<Want> = wants.into_iter().collect();
        wants.sort();
        return Ran { wants, ..Ran::default() };
    }
    let ran: Vec<Package> = packages.par_iter().map(|(root, all)| package(files, &graph, root, all)).collect();
    let mut result = Ran::default();
    for package in ran {
        result.wants.extend(package.wants);
        for (file, found) in package.found {
            let into = result.found.entry(file).or_default();
            into.registrations.extend(found.registrations);
            into.dynamics.extend(found.dynamics);
            into.servers.extend(found.servers);
            into.mounts.extend(found.mounts);
        }
    }
    result.wants.sort();
    result.wants.dedup();
    result
}

/// Which files lead to which, and which may register something.
struct Graph {
    importers: FxHashMap<FileId, Vec<FileId>>,
    /// For each file that contains calls which may register something, the byte offsets of these calls.
    registering: FxHashMap<FileId, Vec<u32>>,
    /// Those of them that register tools.
    tools: FxHashMap<FileId, Vec<Span>>,
    /// The same as `registering`, and the names of functions and classes that lead to such calls.
    leading: FxHashMap<FileId, Vec<u32>>,
}

impl Graph {
    fn of(files: &Files, family: Family) -> Graph {
        let mut importers: FxHashMap<FileId, Vec<FileId>> = FxHashMap::default();
        let mut registering: FxHashMap<FileId, Vec<u32>> = FxHashMap::default();
        let mut tools: FxHashMap<FileId, Vec<Span>> = FxHashMap::default();
        let of_family = files.loaded_files().iter().filter(|file| files.family(**file) == Some(family));
        for &file in of_family {
            let Some(facts) = files.facts(file) else { continue };
            for module in &facts.modules {
                if let Some(target) = files.target(file, module).filter(|target| *target != file) {
                    importers.entry(target).or_default().push(file);
                }
            }
            let mut offsets: Vec<u32> = Vec::new();
            for (name, calls) in &facts.calls {
                let frameworks = files.frameworks();
                let counts = |id: &&FormId| {
                    let is_used = files.project_uses(file, id.framework);
                    let form = frameworks.form(**id);
                    matches!(form.kind, Kind::Tool | Kind::Server) && (form.gate == Gate::Telling || is_used)
                };
                let forms: Vec<&FormId> = frameworks.candidates(family, name).iter().filter(counts).collect();
                let span_of = |(item, call): &(u32, CallId)| {
                    let item = &facts.items[*item as usize];
                    item.facts.call(*call).span.shifted(item.start)
                };
                if !forms.is_empty() {
                    offsets.extend(calls.iter().map(|call| span_of(call).start));
                }
                // Only what is a registration wherever it occurs.
                if forms.iter().any(|id| {
                    let form = frameworks.form(**id);
                    form.kind == Kind::Tool && form.on == On::Call && form.first.is_empty() && !form.fallback
                }) {
                    let is_call = |(item, call): &&(u32, CallId)| {
                        facts.items[*item as usize].facts.call(*call).kind != CallKind::Decorator
                    };
                    let spans = calls.iter().filter(is_call).map(span_of);
                    tools.entry(file).or_default().extend(spans);
                }
            }
            if !offsets.is_empty() {
                offsets.sort_unstable();
                registering.insert(file, offsets);
            }
        }
        tools.values_mut().for_each(|offsets| offsets.sort_unstable());
        let leading = leading(files, family, &registering);
        Graph { importers, registering, tools, leading }
    }

    /// The files that people start in a package: those that its manifest names, and those that lead to something that
    /// may register and that nothing leads to.
    fn starts(&self, files: &Files, root: &str, all: &[FileId]) -> Vec<Entry> {
        let mut entries = files.named_entries(root);
        let mut seen: FxHashSet<FileId> = entries.iter().map(|entry| entry.file).collect();
        let mut reached = FxHashSet::default();
        let mut open: Vec<FileId> = all.iter().copied().filter(|file| self.registering.contains_key(file)).collect();
        while let Some(file) = open.pop() {
            if !reached.insert(file) {
                continue;
            }
            let importers = self.importers.get(&file).map_or(&[][..], Vec::as_slice);
            open.extend(importers.iter().filter(|importer| files.package_root(**importer) == root));
        }
        let mut tops: Vec<FileId> = reached
            .iter()
            .copied()
            .filter(|file| {
                let importers = self.importers.get(file).map_or(&[][..], Vec::as_slice);
                !importers.iter().any(|importer| reached.contains(importer))
            })
            .collect();
        tops.sort_by_key(|file| files.path(*file));
        entries.extend(tops.into_iter().filter(|file| seen.insert(*file)).map(Entry::of_file));
        entries
    }
}

/// The byte offsets in each file of the calls that may register something, and of the names that lead to them: those of
/// functions and classes that contain such calls or names.
fn leading(files: &Files, family: Family, registering: &FxHashMap<FileId, Vec<u32>>) -> FxHashMap<FileId, Vec<u32>> {
    let outlines: Vec<(FileId, Outline)> = files
        .loaded_files()
        .par_iter()
        .filter(|file| files.family(**file) == Some(family))
        .filter_map(|file| Some((*file, Outline::of(files.get(*file)?.code.as_ref()?))))
        .collect();
    let mut defined: FxHashMap<&SmolStr, usize> = FxHashMap::default();
    for (name, _) in outlines.iter().flat_map(|(_, outline)| &outline.named) {
        *defined.entry(name).or_default() += 1;
    }
    // A member may belong to anything, unless only one thing has this name.
    let counts = |mention: &Mention| match defined.get(&mention.name) {
        Some(count) => !mention.is_member || *count == 1,
        None => false,
    };
    let mut places: FxHashMap<&SmolStr, Vec<(usize, u32)>> = FxHashMap::default();
    for (index, (_, outline)) in outlines.iter().enumerate() {
        for mention in outline.mentions.iter().filter(|mention| counts(mention)) {
            places.entry(&mention.name).or_default().push((index, mention.offset));
        }
    }
    let mut names: FxHashSet<&SmolStr> = FxHashSet::default();
    let mut leading: FxHashMap<FileId, Vec<u32>> = registering.clone();
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (index, (file, _)) in outlines.iter().enumerate() {
        open.extend(registering.get(file).into_iter().flatten().map(|offset| (index, *offset)));
    }
    while let Some((index, offset)) = open.pop() {
        let (_, outline) = &outlines[index];
        for (name, _) in outline.named.iter().filter(|(_, span)| span.start <= offset && offset < span.end) {
            if names.insert(name) {
                open.extend(places.get(name).into_iter().flatten());
            }
        }
    }
    for name in names {
        for (index, offset) in places.get(name).into_iter().flatten() {
            leading.entry(outlines[*index].0).or_default().push(*offset);
        }
    }
    leading.values_mut().for_each(|offsets| offsets.sort_unstable());
    leading
}

impl Files {
    /// The entries that the manifest in a folder names.
    fn named_entries(&self, root: &str) -> Vec<Entry> {
        let Some((kind, manifest)) = self.manifest_in(root) else { return Vec::new() };
        let mut entries: Vec<Entry> = Vec::new();
        let targets = manifest.commands.values().chain(&manifest.entries);
        for target in targets {
            let entry = match kind.family() {
                Family::Python => {
                    let (module, function) = target
                        .split_once(':')
                        .map_or((target.as_str(), None), |(module, name)| (module, Some(SmolStr::new(name))));
                    self.python_module(root, module).map(|file| Entry { file, function, is_main: false })
                }
                _ => {
                    let path = joined(root, target);
                    let find = |path: &str| self.by_path(path).map(|file| file.id);
                    path.and_then(|path| find(&path).or_else(|| source_of(&path, find))).map(Entry::of_file)
                }
            };
            entries.extend(entry.filter(|entry| !entries.contains(entry)));
        }
        entries
    }

    /// The file of a module of the package in a folder.
    fn python_module(&self, root: &str, module: &str) -> Option<FileId> {
        let inner = module.replace('.', "/");
        let source = if root.is_empty() { "src".to_string() } else { format!("{root}/src") };
        [root, &source].into_iter().find_map(|folder| super::resolve::python_file(self, folder, &inner))
    }
}

/// The files that programs lead to and that are not loaded yet.
fn unread(files: &Files, entries: &[Entry]) -> Vec<Want> {
    let mut wants = Vec::new();
    let mut seen: FxHashSet<FileId> = entries.iter().map(|entry| entry.file).collect();
    let mut open: Vec<FileId> = seen.iter().copied().collect();
    while let Some(file) = open.pop() {
        let Some(facts) = files.facts(file) else { continue };
        for module in &facts.modules {
            match files.resolve(file, module) {
                Lookup::Found(target) if seen.insert(target) => open.push(target),
                Lookup::NotLoaded if !files.is_lost(file, module) => {
                    wants.push(Want::Import { from: file, module: module.clone() });
                }
                _ => {}
            }
        }
    }
    wants
}

/// The files as a program sees them.
struct Ground<'f> {
    files: &'f Files,
    graph: &'f Graph,
    wants: RefCell<Vec<Want>>,
    /// The paths of all files, sorted.
    paths: OnceCell<Vec<&'f str>>,
}

impl machine::World for Ground<'_> {
    fn code(&self, file: FileId) -> Option<Arc<Code>> {
        self.files.get(file)?.code.clone()
    }

    fn family(&self, file: FileId) -> Option<Family> {
        self.files.family(file)
    }

    fn path(&self, file: FileId) -> &str {
        self.files.path(file)
    }

    fn resolve(&self, from: FileId, module: &str) -> Resolved {
        match self.files.resolve(from, module) {
            Lookup::Found(file) => Resolved::Found(file),
            Lookup::External => Resolved::Outside,
            Lookup::Absent => Resolved::Absent,
            Lookup::NotLoaded => {
                if !self.files.is_lost(from, module) {
                    self.wants.borrow_mut().push(Want::Import { from, module: module.into() });
                }
                Resolved::Absent
            }
        }
    }

    fn text(&self, path: &str) -> Option<Arc<str>> {
        match self.files.texts.get(path) {
            Some(text) => text.clone(),
            None => {
                self.wants.borrow_mut().push(Want::Text(path.into()));
                None
            }
        }
    }

    fn folder(&self, path: &str) -> Option<Vec<SmolStr>> {
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

    fn matters(&self, file: FileId, span: Span) -> bool {
        let offsets = self.graph.leading.get(&file).map_or(&[][..], Vec::as_slice);
        let first = offsets.partition_point(|offset| *offset < span.start);
        offsets.get(first).is_some_and(|offset| *offset < span.end)
    }

    fn file(&self, path: &str) -> Option<FileId> {
        self.files.by_path(path).map(|file| file.id)
    }
}

/// What one package registers.
#[derive(Default)]
struct Package {
    found: BTreeMap<FileId, Found>,
    missed: BTreeSet<(FileId, Span)>,
    called: BTreeSet<(FileId, u32)>,
    wants: Vec<Want>,
}

/// What one program registers.
#[derive(Default)]
struct Program {
    files: Vec<FileId>,
    /// Registrations of tools in functions that ran, which did not run themselves; and all that ran.
    missed: Vec<(FileId, Span)>,
    called: BTreeSet<(FileId, u32)>,
    found: BTreeMap<FileId, Found>,
    wants: Vec<Want>,
}

fn package(files: &Files, graph: &Graph, root: &str, all: &[FileId]) -> Package {
    let mut result = Package::default();
    let mut ran: FxHashSet<FileId> = FxHashSet::default();
    for entry in graph.starts(files, root, all) {
        let program = program(files, graph, &entry, false);
        ran.extend(&program.files);
        result.take(program);
    }
    // Files that import each other in a circle, or that are imported only by names that are computed.
    let registering = |file: &&FileId| graph.registering.contains_key(file) && !is_test_file(files.path(**file));
    for &file in all.iter().filter(registering) {
        if !ran.contains(&file) {
            let program = program(files, graph, &Entry::of_file(file), false);
            ran.extend(&program.files);
            result.take(program);
        }
    }
    if !result.has_tools() && !is_installed(root) {
        let mut forced: FxHashSet<FileId> = FxHashSet::default();
        for &file in all.iter().filter(registering) {
            if forced.contains(&file) {
                continue;
            }
            let program = program(files, graph, &Entry::of_file(file), true);
            forced.extend(&program.files);
            result.take(program);
        }
    }
    result.tell_missed(files);
    result
}

impl Package {
    /// Reports the registrations in functions that ran which no program reached.
    fn tell_missed(&mut self, files: &Files) {
        const REASON: &str = "nothing that leads to this registration was found";
        for &(file, span) in &self.missed {
            if self.called.range((file, span.start)..(file, span.end)).next().is_some() {
                continue;
            }
            let Some(facts) = files.facts(file) else { continue };
            let after = facts.items.partition_point(|item| item.start <= span.start);
            let Some(index) = after.checked_sub(1) else { continue };
            let place = Place { file, item: index as u32, span: span.relative_to(facts.items[index].start) };
            self.found.entry(file).or_default().dynamics.push(Dynamic {
                place,
                partial: None,
                reason: REASON.into(),
                servers: Arc::default(),
                is_said: false,
                by_hand: false,
            });
        }
    }

    fn has_tools(&self) -> bool {
        self.found.values().flat_map(|found| &found.registrations).any(|one| one.kind == Kind::Tool)
    }

    /// Adds what a program registers and no other program does.
    fn take(&mut self, program: Program) {
        self.wants.extend(program.wants);
        self.missed.extend(program.missed);
        self.called.extend(program.called);
        for (file, found) in program.found {
            let into = self.found.entry(file).or_default();
            for registration in found.registrations {
                if !into.registrations.contains(&registration) {
                    into.registrations.push(registration);
                }
            }
            for dynamic in found.dynamics {
                if !into.dynamics.contains(&dynamic) {
                    into.dynamics.push(dynamic);
                }
            }
            for mount in found.mounts {
                if !into.mounts.contains(&mount) {
                    into.mounts.push(mount);
                }
            }
            for server in found.servers {
                if !into.servers.contains(&server) {
                    into.servers.push(server);
                }
            }
        }
    }
}

/// Runs one program; with `forced`, also the functions around calls that may register something.
fn program(files: &Files, graph: &Graph, entry: &Entry, forced: bool) -> Program {
    let Some(family) = files.family(entry.file) else {
        return Program::default();
    };
    machine::on_large_stack(|| {
        let ground = Ground { files, graph, wants: RefCell::default(), paths: OnceCell::new() };
        let mut registry = Registry::new(files.frameworks(), family);
        let mut machine = Machine::new(&ground, &mut registry, entry.file);
        machine.start(entry);
        if forced {
            machine.force(&|file| graph.registering.get(&file).map_or(&[], Vec::as_slice));
        }
        let ran = machine.files();
        let missed = machine.missed(&|file| graph.tools.get(&file).map_or(&[], Vec::as_slice));
        let called = machine.called().clone();
        let cut = std::mem::take(&mut machine.cut);
        drop(machine);
        let found = found(files, &registry, &cut);
        Program { files: ran, missed, called, found, wants: ground.wants.into_inner() }
    })
}

fn found(
    files: &Files,
    registry: &Registry<'_>,
    cut: &[(Option<Place>, Cow<'static, str>)],
) -> BTreeMap<FileId, Found> {
    let mut all: BTreeMap<FileId, Found> = BTreeMap::new();
    let mut keys: FxHashMap<ObjectId, ServerKey> = FxHashMap::default();
    for (&id, made) in &registry.servers {
        let Some(place) = made.stack.first().and_then(|place| in_facts(files, *place)) else { continue };
        let name = made.name.as_ref().and_then(machine::Value::as_traced);
        let name = name.filter(|name| name.unknown().is_none()).map(|name| moved(files, name));
        let several = registry.servers.values().filter(|other| other.stack.first() == made.stack.first()).count() > 1;
        let given = name.as_ref().filter(|_| several).map(|name| SmolStr::new(name.text()));
        let key = ServerKey::Object { file: place.file, item: place.item, call: call_at(files, place), given };
        keys.insert(id, key.clone());
        let object = ServerObject { key, name, framework: made.framework, place };
        all.entry(place.file).or_default().servers.push(object);
    }
    let servers = |id: Option<ObjectId>| id.and_then(|id| keys.get(&id)).cloned().into_iter().collect::<Vec<_>>();
    for offer in &registry.offers {
        let Some(place) = offer.stack.first().and_then(|place| in_facts(files, *place)) else { continue };
        let registration = Registration {
            kind: offer.kind,
            framework: offer.framework,
            name: moved(files, &offer.name),
            title: None,
            untitled: true,
            title_place: None,
            description: None,
            annotations: Vec::new(),
            schema: None,
            handler: None,
            servers: servers(offer.server),
            place,
            naming: None,
            body: (place.file, place.item, ScopeId(0)),
            conditional: offer.conditional,
            filtered: false,
            listed: false,
            listing: None,
            mounted: 0,
            keys: Vec::new(),
            confidence: if offer.stack.len() > 1 { Confidence::Derived } else { Confidence::Exact },
        };
        all.entry(place.file).or_default().registrations.push(Arc::new(registration));
    }
    for mount in &registry.mounts {
        let Some(place) = mount.stack.first().and_then(|place| in_facts(files, *place)) else { continue };
        let (Some(parent), Some(child)) = (keys.get(&mount.parent), keys.get(&mount.child)) else { continue };
        let prefix = mount.prefix.as_ref().map(|prefix| moved(files, prefix));
        let mount = Mount { parents: vec![parent.clone()], child: child.clone(), prefix };
        all.entry(place.file).or_default().mounts.push(mount);
    }
    let mut dynamic = |place: Place, reason: &str, servers: Vec<ServerKey>| {
        all.entry(place.file).or_default().dynamics.push(Dynamic {
            place,
            partial: None,
            reason: reason.to_string().into(),
            servers: servers.into(),
            is_said: false,
            by_hand: false,
        });
    };
    for unnamed in &registry.unnamed {
        if let Some(place) = unnamed.stack.first().and_then(|place| in_facts(files, *place)) {
            dynamic(place, &unnamed.reason, servers(unnamed.server));
        }
    }
    for (place, reason) in cut {
        if let Some(place) = place.and_then(|place| in_facts(files, place)) {
            dynamic(place, reason, keys.values().cloned().collect());
        }
    }
    all
}

/// A place of a program as a place of a file's facts, whose items begin elsewhere.
fn in_facts(files: &Files, place: Place) -> Option<Place> {
    let code = files.get(place.file)?.code.as_ref()?;
    let facts = files.facts(place.file)?;
    let span = place.span.shifted(code.items.get(place.item as usize)?.start);
    let after = facts.items.partition_point(|item| item.start <= span.start);
    let index = after.checked_sub(1)?;
    let start = facts.items[index].start;
    Some(Place { file: place.file, item: index as u32, span: span.relative_to(start) })
}

fn moved(files: &Files, name: &crate::evaluate::Traced) -> crate::evaluate::Traced {
    use crate::evaluate::Origin;
    let mut name = name.clone();
    for part in &mut name.parts {
        if let Origin::Literal(place) | Origin::Identifier(place) = &mut part.origin {
            match in_facts(files, *place) {
                // A data file has no items.
                _ if files.family(place.file).is_none() => {}
                Some(moved) => *place = moved,
                None => part.origin = Origin::Framework,
            }
        }
    }
    name
}

/// The call at a place.
fn call_at(files: &Files, place: Place) -> CallId {
    let calls = files.facts(place.file).map(|facts| facts.items[place.item as usize].facts.calls.as_slice());
    let is_here = |span: Span| span == place.span;
    let found = calls.unwrap_or_default().iter().position(|call| is_here(call.span));
    CallId(found.unwrap_or_default() as u32)
}
