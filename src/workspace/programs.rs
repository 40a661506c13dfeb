//! The registrations of the packages of a workspace, found by running their programs.
//!
//! A package is as many programs as it has files that something starts: the commands and entries of its manifest, and
//! each file that registers something and that no other file leads to. If none of them registers a tool, the functions
//! that would are run as if somebody called them.
//!
//! What a program did is kept, with everything that it saw, and holds as long as it would see the same again.

mod compared;
mod granting;
mod graph;
mod ground;
mod leading;
mod local;
mod results;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

pub(crate) use self::compared::{Compared, Comparison, Known, Text};
use self::granting::Agent;
use self::graph::Graph;
use self::ground::{Ground, Seen};
pub(super) use self::results::in_facts;
use super::{Files, Stop, Stopped};
use crate::code::Offset;
use crate::found::{Dynamic, Found, Lookup, Place, ServerKey, ServerObject, Want};
use crate::framework::{Form, Kind, On};
use crate::machine::{self, Entry, Machine};
use crate::path::{is_installed, is_test_file};
use crate::registry::{Plan, Registry};
use crate::syntax::Family;
use crate::text::FileId;

/// The result of running the programs of a workspace in one language.
pub(super) struct Ran {
    pub(super) found: FxHashMap<FileId, Arc<Found>>,
    /// The files that have to be loaded before the programs can run.
    pub(super) wants: Vec<Want>,
    graph: Graph,
    packages: FxHashMap<SmolStr, Arc<Package>>,
    /// The programs that name the tools of servers for agents.
    agents: Vec<Arc<Agent>>,
}

impl Ran {
    /// The number of steps that the programs took.
    pub(super) fn steps(&self) -> u64 {
        self.packages.values().flat_map(|package| &package.programs).map(|program| program.steps).sum()
    }
}

impl std::fmt::Debug for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Ran")
    }
}

/// Runs the programs of all packages in a language, as far as they would not do the same as before.
pub(super) fn run(files: &Files, family: Family, before: Option<&Ran>, stop: &Stop) -> Ran {
    machine::on_large_stacks(|| run_all(files, family, before, stop))
}

fn run_all(files: &Files, family: Family, before: Option<&Ran>, stop: &Stop) -> Ran {
    let graph = Graph::of(files, family, before.map(|ran| &ran.graph));
    let mut packages: Vec<(&SmolStr, Vec<FileId>)> = files
        .packages
        .iter()
        .map(|(root, all)| (root, all.iter().copied().filter(|file| files.family(*file) == Some(family)).collect()))
        .filter(|(_, all): &(_, Vec<FileId>)| all.iter().any(|file| graph.may_serve(*file)))
        .collect();
    packages.sort();
    let mut wants: FxHashSet<Want> =
        packages.iter().flat_map(|(root, all)| unread(files, &graph.starts(files, root, all))).collect();
    // Whoever calls a function that leads to a registration mentions its name.
    let words = graph.words.iter().filter(|word| !files.words.contains(*word));
    wants.extend(words.cloned().map(Want::Word));
    if !wants.is_empty() && !files.is_closed {
        let mut wants: Vec<Want> = wants.into_iter().collect();
        wants.sort();
        let packages = before.map(|ran| ran.packages.clone()).unwrap_or_default();
        let agents = before.map(|ran| ran.agents.clone()).unwrap_or_default();
        return Ran { found: FxHashMap::default(), wants, graph, packages, agents };
    }
    let context = Context { files, graph: &graph, before, stop, steps: files.budget.first, is_first: true };
    let started: Vec<(&SmolStr, Vec<Arc<Program>>)> =
        packages.par_iter().map(|(root, all)| (*root, context.start(root, graph.starts(files, root, all)))).collect();
    let greedy = started.iter().flat_map(|(_, programs)| programs).filter(|program| context.needs_more(program));
    let context = Context { steps: files.budget.share(greedy.count()), is_first: false, ..context };
    let started: FxHashMap<&SmolStr, Vec<Arc<Program>>> = started.into_iter().collect();
    let packages: FxHashMap<SmolStr, Arc<Package>> =
        packages.par_iter().map(|(root, all)| ((*root).clone(), context.package(root, all, &started[root]))).collect();
    let mut sorted: Vec<(&SmolStr, &Arc<Package>)> = packages.iter().collect();
    sorted.sort_by_key(|(root, _)| *root);
    let mut found: FxHashMap<FileId, Arc<Found>> = FxHashMap::default();
    let mut wants = Vec::new();
    for (_, package) in sorted {
        wants.extend(package.wants.iter().cloned());
        for (file, of_package) in &package.found {
            match found.get_mut(file) {
                Some(known) => Arc::make_mut(known).add(Found::clone(of_package)),
                None => drop(found.insert(*file, Arc::clone(of_package))),
            }
        }
    }
    found.values_mut().for_each(drop_unnamed);
    let agents = granting::agents(context);
    wants.extend(agents.iter().flat_map(|agent| agent.wants(files)));
    wants.sort();
    wants.dedup();
    Ran { found, wants, graph, packages, agents }
}

/// Leaves out a server whose name is not known and with which nothing registers, if its call makes servers with a name.
fn drop_unnamed(found: &mut Arc<Found>) {
    let is_unnamed = |server: &ServerObject| match &server.key {
        ServerKey::Object { given: None, .. } => {
            let is_same = |other: &ServerObject| other.key != server.key && other.key.of_any_name() == server.key;
            let owns = |servers: &[ServerKey]| servers.contains(&server.key);
            found.servers.iter().any(is_same)
                && !found.registrations.iter().any(|one| owns(&one.servers))
                && !found.dynamics.iter().any(|one| owns(&one.servers))
        }
        _ => false,
    };
    let unnamed: Vec<ServerKey> =
        found.servers.iter().filter(|server| is_unnamed(server)).map(|server| server.key.clone()).collect();
    if !unnamed.is_empty() {
        Arc::make_mut(found).servers.retain(|server| !unnamed.contains(&server.key));
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

/// The registrations of one package.
struct Package {
    programs: Vec<Arc<Program>>,
    found: BTreeMap<FileId, Arc<Found>>,
    wants: Vec<Want>,
}

/// The result of one program.
struct Program {
    entry: Entry,
    how: How,
    /// The number of steps that the program took, and the number that it was allowed.
    steps: u64,
    allowed: u64,
    seen: Seen,
    /// The files that it ran.
    files: Vec<FileId>,
    /// Registrations of tools in functions that ran, which did not run themselves; and all that ran.
    missed: BTreeSet<Place>,
    called: BTreeSet<(FileId, Offset)>,
    found: BTreeMap<FileId, Found>,
    wants: Vec<Want>,
}

/// The maximum number of steps for finding the definitions of a file.
const STEPS_FOR_SHAPES: u64 = 100_000;

/// The extent to which a program is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// All code that runs when the program is started.
    Started,
    /// Also the functions around calls that may register something.
    Forced,
    /// As much as it takes to see its definitions.
    ForShapes,
}

/// The shared context in which programs run.
#[derive(Clone, Copy)]
struct Context<'f> {
    files: &'f Files,
    graph: &'f Graph,
    before: Option<&'f Ran>,
    stop: &'f Stop,
    /// The maximum number of steps of a program.
    steps: u64,
    /// Whether programs only run to see which of them need more.
    is_first: bool,
}

impl Context<'_> {
    /// Runs the programs that people start in a package.
    fn start(self, root: &SmolStr, entries: Vec<Entry>) -> Vec<Arc<Program>> {
        let known = self.before.and_then(|ran| ran.packages.get(root)).map_or(&[][..], |package| &package.programs);
        entries.into_par_iter().map(|entry| self.program(known, entry, How::Started)).collect()
    }

    /// Whether a program did not come to its end with the steps that it gets here, or would not.
    fn needs_more(self, program: &Program) -> bool {
        program.steps >= self.steps
    }

    /// Runs the programs of a package. `started` are those that people start, as far as they came with fewer steps.
    fn package(self, root: &SmolStr, all: &[FileId], started: &[Arc<Program>]) -> Arc<Package> {
        let before = self.before.and_then(|ran| ran.packages.get(root));
        let known: Vec<Arc<Program>> =
            started.iter().chain(before.into_iter().flat_map(|package| &package.programs)).cloned().collect();
        let program = |entry: Entry, how: How| self.program(&known, entry, how);
        let mut programs: Vec<Arc<Program>> =
            started.par_iter().map(|started| program(started.entry.clone(), How::Started)).collect();
        let mut ran: FxHashSet<FileId> = programs.iter().flat_map(|program| &program.files).copied().collect();
        // Files that import each other in a circle, or that are imported only by names that are computed.
        let is_test = |file: FileId| is_test_file(self.files.path(file));
        let registering = || all.iter().copied().filter(|file| self.graph.registers(*file) && !is_test(*file));
        for file in registering() {
            if !ran.contains(&file) {
                programs.push(program(Entry::of_file(file), How::Started));
                ran.extend(programs.last().into_iter().flat_map(|program| &program.files));
            }
        }
        let mut result = Collected::default();
        programs.iter().for_each(|program| result.take(program));
        // What some of them wait for may be all that is missing.
        if !result.wants.is_empty() && !self.files.is_closed {
            return Arc::new(Package { programs, found: BTreeMap::new(), wants: result.wants });
        }
        if !result.has_tools() {
            let mut forced: FxHashSet<FileId> = FxHashSet::default();
            for file in registering() {
                if !forced.contains(&file) {
                    let program = program(Entry::of_file(file), How::Forced);
                    forced.extend(&program.files);
                    result.take(&program);
                    programs.push(program);
                }
            }
        }
        result.tell_missed(self.files);
        result.tell_messages(self.files, all);
        if result.is_open() {
            result.take_shapes(&programs);
            let is_defining = |file: &&FileId| self.graph.marks(**file).is_some_and(|marks| marks.defining.is_some());
            let defining = all.iter().copied().filter(|file| !is_installed(root) && is_defining(&file));
            let defining: Vec<FileId> = defining.collect();
            let shaped: Vec<Arc<Program>> =
                defining.into_par_iter().map(|file| program(Entry::of_file(file), How::ForShapes)).collect();
            result.wants.extend(shaped.iter().flat_map(|program| program.wants.iter().cloned()));
            result.take_shapes(&shaped);
            programs.extend(shaped);
        }
        // What is equal keeps its identity, by which others see that it has not changed.
        let kept = |file: &FileId, found: Found| {
            let known = before.and_then(|package| package.found.get(file));
            known.filter(|known| ***known == found).map_or_else(|| Arc::new(found), Arc::clone)
        };
        let found = result.found.into_iter().map(|(file, found)| (file, kept(&file, found))).collect();
        Arc::new(Package { programs, found, wants: result.wants })
    }

    /// Returns the result of a program: the previous one if its inputs are unchanged.
    fn program(self, known: &[Arc<Program>], entry: Entry, how: How) -> Arc<Program> {
        if self.stop.is_set() {
            std::panic::resume_unwind(Box::new(Stopped));
        }
        let is_known = |program: &&Arc<Program>| {
            // A program that waited for files may not have come to its end.
            program.entry == entry && program.how == how && program.wants.is_empty() && self.is_enough(program)
        };
        let ground = Ground::new(self.files, self.graph, self.stop);
        let is_same = |program: &&Arc<Program>| program.seen.is_same_on(&ground);
        if let Some(known) = known.iter().filter(is_known).find(is_same) {
            return Arc::clone(known);
        }
        let program = self.run(entry, how);
        if self.stop.is_set() {
            std::panic::resume_unwind(Box::new(Stopped));
        }
        Arc::new(program)
    }

    /// Whether a program would do the same with the steps that it gets here.
    fn is_enough(self, program: &Program) -> bool {
        if program.how == How::ForShapes {
            return true;
        }
        let is_whole = program.steps < program.allowed;
        match self.is_first {
            true => program.allowed >= self.steps,
            false => is_whole && program.steps < self.steps || program.allowed == self.steps,
        }
    }

    /// Runs one program.
    fn run(self, entry: Entry, how: How) -> Program {
        let (files, graph) = (self.files, self.graph);
        let family = files.family(entry.file).unwrap_or(Family::TypeScript);
        let ground = Ground::new(files, graph, self.stop);
        let captures = graph.captures.clone();
        let args = captures.iter().flat_map(|capture| &capture.args);
        let probes: Vec<Place> = args.map(|arg| arg.place).collect();
        let loads = |file: FileId| files.loading(file);
        let package = files.packages.get(files.package_root(entry.file));
        let by_hand = |file: &FileId| graph.marks(*file).is_some_and(|marks| marks.by_hand);
        let answers_by_hand = package.is_some_and(|all| all.iter().any(by_hand));
        let answering = |file: FileId| match answers_by_hand {
            true => graph.marks(file).map(|marks| marks.answering.clone()).unwrap_or_default(),
            false => Vec::new(),
        };
        let has_class_shapes = how == How::ForShapes;
        let plan = Plan { captures, loads: &loads, has_class_shapes, answers_by_hand, answering: &answering };
        let mut registry = Registry::new(files.frameworks(), family, plan);
        let mut machine = Machine::new(&ground, &mut registry, entry.file);
        machine.probe(probes);
        let allowed = if how == How::ForShapes { STEPS_FOR_SHAPES } else { self.steps };
        machine.allow(allowed);
        machine.start(&entry);
        let leading = |file| graph.leading(file);
        let marks = |file| graph.marks(file);
        match how {
            How::Started => {}
            How::Forced => {
                machine.force(&|file| marks(file).map_or(&[][..], |marks| &marks.registering), &leading);
            }
            How::ForShapes => {
                let defining = |file| marks(file).and_then(|marks| marks.defining.as_deref()).unwrap_or_default();
                machine.force(&defining, &leading);
            }
        }
        let ran = machine.files();
        let missed = machine.missed(&|file| marks(file).map_or(&[][..], |marks| &marks.tools));
        let called = machine.called().clone();
        machine.conclude();
        let cut = std::mem::take(&mut machine.cut);
        let steps = machine.spent(allowed);
        drop(machine);
        let found = results::found(files, &registry, &cut);
        drop(registry);
        let (seen, wants) = ground.into_seen();
        Program { entry, how, steps, allowed, seen, files: ran, missed, called, found, wants }
    }
}

/// Combines the registrations of the programs of a package.
#[derive(Default)]
struct Collected {
    found: BTreeMap<FileId, Found>,
    missed: BTreeSet<Place>,
    called: BTreeSet<(FileId, Offset)>,
    wants: Vec<Want>,
}

impl Collected {
    /// Reports the registrations in functions that ran which no program reached.
    fn tell_missed(&mut self, files: &Files) {
        const REASON: &str = "no code that reaches this registration was found";
        for place in &self.missed {
            let end = Offset { bytes: place.span.end, ..place.start() };
            if self.called.range((place.file, place.start())..(place.file, end)).next().is_some() {
                continue;
            }
            let Some(place) = results::in_facts(files, *place) else { continue };
            self.found.entry(place.file).or_default().dynamics.push(Dynamic {
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
                    let is_list = |form: &&Form| form.on == On::Compared && form.kind == Kind::Dynamic;
                    for form in forms.map(|id| frameworks.form(*id)).filter(is_list) {
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
    fn take(&mut self, program: &Program) {
        self.wants.extend(program.wants.iter().cloned());
        self.missed.extend(&program.missed);
        self.called.extend(&program.called);
        for (file, found) in &program.found {
            self.found.entry(*file).or_default().add(Found { shaped: Vec::new(), ..found.clone() });
        }
    }

    /// Adds what looks like a definition in programs.
    fn take_shapes(&mut self, programs: &[Arc<Program>]) {
        for (file, found) in programs.iter().flat_map(|program| &program.found) {
            let shaped = Found { shaped: found.shaped.clone(), ..Found::default() };
            self.found.entry(*file).or_default().add(shaped);
        }
    }
}
