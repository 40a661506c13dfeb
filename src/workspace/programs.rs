//! What the packages of a workspace register, found by running their programs.
//!
//! A package is as many programs as it has files that something starts: the commands and entries of its manifest, and
//! each file that registers something and that no other file leads to. If none of them registers a tool, the functions
//! that would are run as if somebody called them.

mod results;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::Files;
use super::modules::source_of;
use crate::code::{Code, Mention, Outline};
use crate::evaluate::{Dynamic, Found, Lookup, Place, Want, World as _};
use crate::framework::{CalleePattern, FormId, Gate, Kind, On};
use crate::lower::{CallId, CallKind, DefinitionKind, Expr, ItemFacts, ScopeKind};
use crate::machine::{self, Entry, Machine, Resolved};
use crate::path::{is_installed, is_test_file, joined};
use crate::registry::{Plan, Registry};
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
        .filter(|(_, all): &(_, Vec<FileId>)| {
            all.iter().any(|file| graph.registering.contains_key(file) || graph.by_hand.contains(file))
        })
        .collect();
    packages.sort();
    let mut wants: FxHashSet<Want> =
        packages.iter().flat_map(|(root, all)| unread(files, &graph.starts(files, root, all))).collect();
    // Whoever calls a function that leads to a registration mentions its name.
    let words = graph.words.iter().filter(|word| !files.words.contains(*word));
    wants.extend(words.cloned().map(Want::Word));
    if !wants.is_empty() && !files.is_trial {
        let mut wants: Vec<Want> = wants.into_iter().collect();
        wants.sort();
        return Ran { wants, ..Ran::default() };
    }
    let ran: Vec<Package> = packages.par_iter().map(|(root, all)| package(files, &graph, root, all)).collect();
    let mut result = Ran::default();
    for package in ran {
        result.wants.extend(package.wants);
        for (file, found) in package.found {
            result.found.entry(file).or_default().add(found);
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
    /// Those of them that register tools, each with whether it is outside of all functions.
    tools: FxHashMap<FileId, Vec<(Span, bool)>>,
    /// For each file with objects or classes that may be definitions, the byte offsets of the objects.
    defining: FxHashMap<FileId, Vec<u32>>,
    /// The files that distinguish protocol messages themselves.
    by_hand: FxHashSet<FileId>,
    /// The same as `registering`, and the names of functions and classes that lead to such calls.
    leading: FxHashMap<FileId, Vec<u32>>,
    /// The names of the functions and classes that other files may import to reach these calls.
    words: BTreeSet<SmolStr>,
}

impl Graph {
    fn of(files: &Files, family: Family) -> Graph {
        let mut importers: FxHashMap<FileId, Vec<FileId>> = FxHashMap::default();
        let mut registering: FxHashMap<FileId, Vec<u32>> = FxHashMap::default();
        let mut tools: FxHashMap<FileId, Vec<(Span, bool)>> = FxHashMap::default();
        let of_family = files.loaded_files().iter().filter(|file| files.family(**file) == Some(family));
        let of_family: Vec<FileId> = of_family.copied().collect();
        for &file in &of_family {
            let Some(facts) = files.facts(file) else { continue };
            for module in &facts.modules {
                if let Some(target) = files.target(file, module).filter(|target| *target != file) {
                    importers.entry(target).or_default().push(file);
                }
            }
        }
        let using = using(files, &of_family, &importers);
        for &file in &of_family {
            let Some(facts) = files.facts(file) else { continue };
            let mut offsets: Vec<u32> = Vec::new();
            for (name, calls) in &facts.calls {
                let frameworks = files.frameworks();
                let counts = |id: &&FormId| {
                    let is_used = files.project_uses(file, id.framework) || using.contains(&file);
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
                    let is_method = |id: &&FormId| matches!(frameworks.form(**id).path, Some(CalleePattern::Method(_)));
                    let are_methods = forms.iter().all(is_method);
                    let is_call = |(item, call): &&(u32, CallId)| {
                        let item = &facts.items[*item as usize].facts;
                        let call = item.call(*call);
                        let is_definition = item.definitions.iter().any(|definition| definition.span == call.span);
                        let fits = !are_methods || matches!(call.callee, Expr::Member { .. });
                        call.kind != CallKind::Decorator && !is_definition && fits
                    };
                    let is_top = |(item, call): &(u32, CallId)| {
                        let item = &facts.items[*item as usize].facts;
                        let around =
                            std::iter::successors(Some(item.call(*call).scope), |scope| item.scope(*scope).parent);
                        !around.into_iter().any(|scope| matches!(item.scope(scope).kind, ScopeKind::Function(_)))
                    };
                    let spans = calls.iter().filter(is_call).map(|call| (span_of(call), is_top(call)));
                    tools.entry(file).or_default().extend(spans);
                }
            }
            // Files that a framework loads, or whose classes it makes, and what the queries of rows match.
            let is_loaded = !files.loading(file).is_empty();
            offsets.extend(is_loaded.then_some(0));
            for item in &facts.items {
                offsets.extend(item.facts.captured.iter().map(|captured| item.start + captured.span.start));
                offsets.extend(files.derived_in(file, &item.facts).map(|span| item.start + span.start));
            }
            if !offsets.is_empty() {
                offsets.sort_unstable();
                registering.insert(file, offsets);
            }
        }
        tools.values_mut().for_each(|offsets| offsets.sort_unstable());
        let (leading, words) = leading(files, family, &registering);
        let is_message = |text: &SmolStr| {
            let mut forms = files.frameworks().candidates(family, text).iter();
            forms.any(|id| files.frameworks().form(*id).on == On::Compared)
        };
        let compares = |file: &FileId| {
            files.facts(*file).is_some_and(|facts| {
                let mut comparisons = facts.items.iter().flat_map(|item| &item.facts.comparisons);
                comparisons.any(|comparison| is_message(&comparison.text))
            })
        };
        let by_hand = of_family.iter().copied().filter(compares).collect();
        Graph { by_hand, words, importers, registering, tools, defining: defining(files, &of_family), leading }
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

/// The files with objects or classes that may be definitions, each with the byte offsets of the objects.
fn defining(files: &Files, all: &[FileId]) -> FxHashMap<FileId, Vec<u32>> {
    let mut found: FxHashMap<FileId, Vec<u32>> = FxHashMap::default();
    for &file in all.iter().filter(|file| !is_test_file(files.path(**file))) {
        let Some(facts) = files.facts(file) else { continue };
        for item in &facts.items {
            let is_class = |one: &crate::lower::Definition| one.kind == DefinitionKind::Class;
            if item.facts.named_objects.is_empty() && !item.facts.definitions.iter().any(is_class) {
                continue;
            }
            let objects = item.facts.named_objects.iter();
            let offsets = objects.map(|named| item.start + named.object.span(&item.facts).start);
            found.entry(file).or_default().extend(offsets);
        }
    }
    found.values_mut().for_each(|offsets| offsets.sort_unstable());
    found
}

/// The files that lead to a package which uses a framework, whether their own package names that or not.
fn using(files: &Files, all: &[FileId], importers: &FxHashMap<FileId, Vec<FileId>>) -> FxHashSet<FileId> {
    let uses = |file: &&FileId| (0..files.frameworks().rows.len()).any(|row| files.project_uses(**file, row));
    let mut open: Vec<FileId> = all.iter().filter(uses).copied().collect();
    let mut using = FxHashSet::default();
    while let Some(file) = open.pop() {
        if using.insert(file) {
            open.extend(importers.get(&file).into_iter().flatten());
        }
    }
    using
}

/// The byte offsets in each file of the calls that may register something, and of the names that lead to them: those of
/// functions and classes that contain such calls or names. Also the names of these that other files may import.
fn leading(
    files: &Files,
    family: Family,
    registering: &FxHashMap<FileId, Vec<u32>>,
) -> (FxHashMap<FileId, Vec<u32>>, BTreeSet<SmolStr>) {
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
    let mut words = BTreeSet::new();
    for (file, outline) in outlines.iter().filter(|(file, _)| !is_test_file(files.path(*file))) {
        let Some(offsets) = leading.get(file) else { continue };
        let leads = |span: &Span| {
            let first = offsets.partition_point(|offset| *offset < span.start);
            offsets.get(first).is_some_and(|offset| *offset < span.end)
        };
        words.extend(outline.importable.iter().filter(|(_, span)| leads(span)).map(|(name, _)| name.clone()));
    }
    (leading, words)
}

impl Files {
    /// The forms of the folders from which a framework loads a file.
    fn loading(&self, file: FileId) -> Vec<FormId> {
        let Some(family) = self.family(file) else { return Vec::new() };
        let frameworks = self.frameworks();
        let loads = |id: &&FormId| match &frameworks.form(**id).path {
            Some(CalleePattern::Folder(folder)) => {
                let path = self.path_in_package(file).strip_prefix(folder.as_str());
                path.is_some_and(|rest| rest.starts_with('/')) && self.project_uses(file, id.framework)
            }
            _ => false,
        };
        frameworks.modules(family).iter().filter(loads).copied().collect()
    }

    /// The spans of the classes in an item with a base that has the name of a framework's class.
    fn derived_in<'i>(&'i self, file: FileId, item: &'i ItemFacts) -> impl Iterator<Item = Span> + 'i {
        let derivable = self.family(file).map_or(&[][..], |family| self.frameworks().derivable(family));
        let is_base = move |name: &SmolStr| {
            derivable.iter().any(|id| {
                let last = self.frameworks().form(*id).path.as_ref().map(CalleePattern::last);
                last == Some(name) && self.project_uses(file, id.framework)
            })
        };
        let classes = item.definitions.iter().filter(|one| one.kind == DefinitionKind::Class);
        let derives = move |class: &&crate::lower::Definition| match &item.scope(class.body).kind {
            ScopeKind::Class { bases } => bases.iter().filter_map(|base| base.last_name()).any(&is_base),
            _ => false,
        };
        classes.filter(derives).map(|class| class.span)
    }

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
        let program = program(files, graph, &entry, How::Started);
        ran.extend(&program.files);
        result.take(program);
    }
    // Files that import each other in a circle, or that are imported only by names that are computed.
    let registering = |file: &&FileId| graph.registering.contains_key(file) && !is_test_file(files.path(**file));
    for &file in all.iter().filter(registering) {
        if !ran.contains(&file) {
            let program = program(files, graph, &Entry::of_file(file), How::Started);
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
            let program = program(files, graph, &Entry::of_file(file), How::Forced);
            forced.extend(&program.files);
            result.take(program);
        }
    }
    result.tell_missed(files);
    result.tell_messages(files, all);
    if result.is_open() && !is_installed(root) {
        for &file in all.iter().filter(|file| graph.defining.contains_key(file)) {
            let program = program(files, graph, &Entry::of_file(file), How::ForShapes);
            result.wants.extend(program.wants);
            for (file, found) in program.found {
                let shaped = Found { shaped: found.shaped, ..Found::default() };
                result.found.entry(file).or_default().add(shaped);
            }
        }
    }
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

    /// Reports the protocol messages that the package distinguishes itself, without a framework.
    fn tell_messages(&mut self, files: &Files, all: &[FileId]) {
        let frameworks = files.frameworks();
        for &file in all {
            let (Some(facts), Some(family)) = (files.facts(file), files.family(file)) else { continue };
            for (item, facts) in facts.items.iter().enumerate() {
                for comparison in &facts.facts.comparisons {
                    let forms = frameworks.candidates(family, &comparison.text).iter();
                    for form in forms.map(|id| frameworks.form(*id)).filter(|form| form.on == On::Compared) {
                        self.found.entry(file).or_default().dynamics.push(Dynamic {
                            place: Place { file, item: item as u32, span: comparison.span },
                            partial: None,
                            reason: form.reason.clone().unwrap_or_default().to_string().into(),
                            servers: Arc::default(),
                            is_said: false,
                            by_hand: true,
                        });
                    }
                }
            }
        }
    }

    /// Whether it registers tools in a way that cannot be followed.
    fn is_open(&self) -> bool {
        self.found.values().flat_map(|found| &found.dynamics).any(|dynamic| !dynamic.is_said)
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
            self.found.entry(file).or_default().add(found);
        }
    }
}

/// How many steps it may take to see the definitions of a file.
const STEPS_FOR_SHAPES: u64 = 100_000;

/// How much of a program is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// What runs when it is started.
    Started,
    /// Also the functions around calls that may register something.
    Forced,
    /// As much as it takes to see its definitions.
    ForShapes,
}

/// Runs one program.
fn program(files: &Files, graph: &Graph, entry: &Entry, how: How) -> Program {
    let Some(family) = files.family(entry.file) else {
        return Program::default();
    };
    machine::on_large_stack(|| {
        let ground = Ground { files, graph, wants: RefCell::default(), paths: OnceCell::new() };
        let captures = results::captures(files, graph.registering.keys().copied());
        let probes: Vec<Place> = captures.iter().flat_map(|capture| capture.args.iter().map(|arg| arg.place)).collect();
        let loads = |file: FileId| files.loading(file);
        let plan = Plan { captures, loads: &loads, has_shapes: how == How::ForShapes };
        let mut registry = Registry::new(files.frameworks(), family, plan);
        let mut machine = Machine::new(&ground, &mut registry, entry.file);
        machine.probe(probes);
        if how == How::ForShapes {
            machine.allow(STEPS_FOR_SHAPES);
        }
        machine.start(entry);
        let leading = |file| graph.leading.get(&file).map_or(&[][..], Vec::as_slice);
        match how {
            How::Started => {}
            How::Forced => {
                machine.force(&|file| graph.registering.get(&file).map_or(&[][..], Vec::as_slice), &leading);
            }
            How::ForShapes => machine.force(&|file| graph.defining.get(&file).map_or(&[][..], Vec::as_slice), &leading),
        }
        let ran = machine.files();
        let missed = machine.missed(&|file| graph.tools.get(&file).map_or(&[], Vec::as_slice));
        let called = machine.called().clone();
        machine.conclude();
        let cut = std::mem::take(&mut machine.cut);
        drop(machine);
        let found = results::found(files, &registry, &cut);
        Program { files: ran, missed, called, found, wants: ground.wants.into_inner() }
    })
}
