//! Which files of a workspace lead to which, and which may register something.
//!
//! A graph is made from the one before it: of a file that has not changed, everything is kept, and the names that lead
//! to registrations are looked for again only if some file mentions other names than before.

use std::collections::BTreeSet;
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smol_str::SmolStr;

use super::results;
use crate::code::{Code, Mention, Offset};
use crate::evaluate::{Place, World as _};
use crate::framework::{CalleePattern, Form, FormId, Gate, Kind, On, Start};
use crate::lower::{CallId, CallKind, DefinitionKind, Expr, FileFacts, ItemFacts, ScopeKind};
use crate::machine::{Entry, contains_one};
use crate::path::{is_test_file, joined};
use crate::registry::Capture;
use crate::syntax::Family;
use crate::text::{FileId, Span};
use crate::workspace::modules::{Modules, source_of};
use crate::workspace::{Content, Files};

/// The files of one language.
pub(super) struct Graph {
    family: Family,
    locals: FxHashMap<FileId, Arc<Local>>,
    importers: Arc<FxHashMap<FileId, Vec<FileId>>>,
    /// The names that lead to calls which may register something, each with whether only one definition has it.
    names: Arc<FxHashMap<SmolStr, bool>>,
    leading: FxHashMap<FileId, Arc<Leading>>,
    /// The names of the functions and classes that other files may import to reach these calls.
    pub(super) words: BTreeSet<SmolStr>,
    pub(super) captures: Vec<Capture>,
    /// The resolver of the imports.
    modules: Arc<std::sync::OnceLock<Modules>>,
}

/// What is known of a file by itself.
pub(super) struct Local {
    source: Source,
    /// The files that its imports lead to.
    targets: Vec<FileId>,
    /// The frameworks that its package uses, and whether it leads to a package that uses one.
    uses: (FxHashSet<usize>, bool),
    marks: Marks,
    /// The hash of the names that it defines and mentions, and of where its marks are among them.
    shape: u64,
}

/// The facts and the code of a file.
struct Source {
    facts: Arc<FileFacts>,
    code: Arc<Code>,
}

impl Source {
    fn of(files: &Files, file: FileId) -> Option<Source> {
        let file = files.get(file)?;
        let Content::Source(facts) = &file.content else { return None };
        Some(Source { facts: Arc::clone(facts), code: Arc::clone(file.code.as_ref()?) })
    }

    /// Whether two versions of a file are the same but for positions.
    fn is_same(&self, other: &Source) -> bool {
        let same_code = |a: &Code, b: &Code| {
            a.doc == b.doc && a.items.len() == b.items.len() && a.items.iter().zip(&b.items).all(|(a, b)| a.is_same(b))
        };
        (Arc::ptr_eq(&self.facts, &other.facts) || self.facts.same_items(&other.facts))
            && (Arc::ptr_eq(&self.code, &other.code) || same_code(&self.code, &other.code))
    }
}

/// The parts of a file that may register something. All are sorted.
#[derive(Default, PartialEq)]
pub(super) struct Marks {
    /// Calls that may register something.
    pub(super) registering: Vec<Offset>,
    /// Those of them that register tools, each with whether it is outside of all functions.
    pub(super) tools: Vec<(Place, bool)>,
    /// Objects that may be definitions; also set for a file with classes that may be.
    pub(super) defining: Option<Vec<Offset>>,
    /// Whether the file distinguishes protocol messages itself.
    by_hand: bool,
    captures: Vec<Capture>,
}

/// How the code of a file leads to registrations.
#[derive(Default, PartialEq)]
struct Leading {
    /// The calls that may register something, and the names of functions and classes that lead to such calls.
    offsets: Vec<Offset>,
    words: Vec<SmolStr>,
}

impl Graph {
    pub(super) fn of(files: &Files, family: Family, before: Option<&Graph>) -> Graph {
        // Without the same files, imports lead elsewhere.
        let known = |file: &FileId| before.and_then(|graph| graph.locals.get(file));
        let same_modules = before.is_some_and(|graph| Arc::ptr_eq(&graph.modules, &files.modules));
        let is_of_family = |file: &&FileId| files.family(**file) == Some(family);
        let all: Vec<FileId> = files.loaded_files().iter().filter(is_of_family).copied().collect();
        let targets: Vec<Option<Vec<FileId>>> = all
            .par_iter()
            .map(|file| {
                let facts = files.facts(*file)?;
                let has_same = |local: &&Arc<Local>| same_modules && local.source.facts.modules == facts.modules;
                if known(file).is_some_and(|local| has_same(&local)) {
                    return None;
                }
                let targets = facts.modules.iter().filter_map(|module| files.target(*file, module));
                Some(targets.filter(|target| target != file).collect())
            })
            .collect();
        let has_same_files =
            before.is_some_and(|graph| graph.locals.len() == all.len()) && all.iter().all(|file| known(file).is_some());
        let importers = match before {
            Some(graph) if has_same_files && targets.iter().all(Option::is_none) => Arc::clone(&graph.importers),
            _ => {
                let mut importers: FxHashMap<FileId, Vec<FileId>> = FxHashMap::default();
                for (file, targets) in all.iter().zip(&targets) {
                    let kept = || known(file).map_or(&[][..], |local| local.targets.as_slice());
                    for target in targets.as_deref().unwrap_or_else(kept) {
                        importers.entry(*target).or_default().push(*file);
                    }
                }
                Arc::new(importers)
            }
        };
        let using = using(files, &all, &importers);
        let locals: FxHashMap<FileId, Arc<Local>> = all
            .par_iter()
            .zip(targets)
            .filter_map(|(file, targets)| Some((*file, Local::of(files, *file, targets, &using, known(file))?)))
            .collect();
        let same_shapes = has_same_files
            && locals.iter().all(|(file, local)| known(file).is_some_and(|known| known.shape == local.shape));
        let names = match before {
            Some(graph) if same_shapes => Arc::clone(&graph.names),
            _ => Arc::new(names(&all, &locals)),
        };
        let same_names = before.is_some_and(|graph| Arc::ptr_eq(&graph.names, &names));
        let leading: FxHashMap<FileId, Arc<Leading>> = locals
            .par_iter()
            .map(|(file, local)| {
                let kept = before.and_then(|graph| graph.leading.get(file));
                let is_same = same_names && known(file).is_some_and(|known| Arc::ptr_eq(known, local));
                match kept {
                    Some(kept) if is_same => (*file, Arc::clone(kept)),
                    _ => {
                        let made = Leading::of(local, &names, is_test_file(files.path(*file)));
                        (*file, kept.filter(|kept| ***kept == made).map_or_else(|| Arc::new(made), Arc::clone))
                    }
                }
            })
            .collect();
        let words = leading.values().flat_map(|leading| &leading.words).cloned().collect();
        let captures = all.iter().filter_map(|file| locals.get(file)).flat_map(|local| &local.marks.captures).cloned();
        let captures = captures.collect();
        Graph { family, importers, names, leading, words, captures, modules: Arc::clone(&files.modules), locals }
    }

    /// The parts of a file that may register something.
    pub(super) fn marks(&self, file: FileId) -> Option<&Marks> {
        self.locals.get(&file).map(|local| &local.marks)
    }

    /// The places of a file that lead to calls which may register something, sorted.
    pub(super) fn leading(&self, file: FileId) -> &[Offset] {
        self.leading.get(&file).map_or(&[], |leading| &leading.offsets)
    }

    /// Whether a file contains calls that may register something.
    pub(super) fn registers(&self, file: FileId) -> bool {
        self.marks(file).is_some_and(|marks| !marks.registering.is_empty())
    }

    /// Whether a file may register something, or distinguishes protocol messages itself.
    pub(super) fn may_serve(&self, file: FileId) -> bool {
        self.registers(file) || self.marks(file).is_some_and(|marks| marks.by_hand)
    }

    pub(super) fn local(&self, file: FileId) -> Option<&Arc<Local>> {
        self.locals.get(&file)
    }

    /// The files that people start in a package: those that its manifest names, and those that lead to something that
    /// may register and that nothing leads to.
    pub(super) fn starts(&self, files: &Files, root: &str, all: &[FileId]) -> Vec<Entry> {
        let mut entries = files.named_entries(root);
        entries.retain(|entry| files.family(entry.file) == Some(self.family));
        let mut seen: FxHashSet<FileId> = entries.iter().map(|entry| entry.file).collect();
        let mut reached = FxHashSet::default();
        let mut open: Vec<FileId> = all.iter().copied().filter(|file| self.registers(*file)).collect();
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

impl Local {
    /// Whether programs see the same in two versions of a file.
    pub(super) fn is_same(&self, other: &Local) -> bool {
        self.source.is_same(&other.source) && self.marks == other.marks
    }

    /// `targets` is where its imports lead; `None` if they lead where they did before.
    fn of(
        files: &Files,
        file: FileId,
        targets: Option<Vec<FileId>>,
        using: &FxHashSet<FileId>,
        before: Option<&Arc<Local>>,
    ) -> Option<Arc<Local>> {
        let source = Source::of(files, file)?;
        let used = files.uses.get(files.package_root(file)).cloned().unwrap_or_default();
        let uses = (used, using.contains(&file));
        let is_same = |before: &&Arc<Local>| targets.is_none() && before.uses == uses && before.source.is_same(&source);
        if let Some(before) = before.filter(is_same) {
            return Some(Arc::clone(before));
        }
        let targets = targets.or_else(|| before.map(|before| before.targets.clone())).unwrap_or_default();
        let marks = Marks::of(files, file, &source, uses.1);
        let mut hasher = FxHasher::default();
        for item in &source.code.items {
            hasher.write_u64(item.outline.shape);
        }
        for offset in &marks.registering {
            let outline = &source.code.items[offset.item as usize].outline;
            offset.item.hash(&mut hasher);
            hasher.write_usize(outline.mentions_before(offset.bytes));
            let around = outline.named.iter().filter(|(_, span)| span.start <= offset.bytes && offset.bytes < span.end);
            around.for_each(|(name, _)| name.hash(&mut hasher));
        }
        Some(Arc::new(Local { source, targets, uses, marks, shape: hasher.finish() }))
    }
}

impl Marks {
    fn of(files: &Files, file: FileId, Source { facts, code }: &Source, is_using: bool) -> Marks {
        let mut marks = Marks::default();
        let Some(family) = files.family(file) else { return marks };
        let frameworks = files.frameworks();
        let offset = |item: u32, span: Span| code.offset(facts.items[item as usize].start + span.start);
        let mut registering: Vec<Option<Offset>> = Vec::new();
        for (name, calls) in &facts.calls {
            let counts = |id: &&FormId| {
                let is_used = files.project_uses(file, id.framework) || is_using;
                let form = frameworks.form(**id);
                matches!(form.kind, Kind::Tool | Kind::Server) && (form.gate == Gate::Telling || is_used)
            };
            let forms: Vec<&FormId> = frameworks.candidates(family, name).iter().filter(counts).collect();
            let span_of = |(item, call): &(u32, CallId)| facts.items[*item as usize].facts.call(*call).span;
            if !forms.is_empty() {
                registering.extend(calls.iter().map(|call| offset(call.0, span_of(call))));
            }
            // Only what is a registration wherever it occurs.
            let is_sure = |form: &&Form| {
                form.kind == Kind::Tool && form.on == On::Call && form.first.is_empty() && !form.fallback
            };
            let sure: Vec<&Form> = forms.iter().map(|id| frameworks.form(**id)).filter(is_sure).collect();
            if !sure.is_empty() {
                // `server.list_tools()` alone may ask for the list.
                let is_applied = |form: &&Form| form.each.as_ref().is_some_and(|each| each.start == Start::Applied);
                let are_applied = sure.iter().all(is_applied);
                let is_method = |id: &&FormId| matches!(frameworks.form(**id).path, Some(CalleePattern::Method(_)));
                let are_methods = forms.iter().all(is_method);
                let is_call = |(item, call): &&(u32, CallId)| {
                    let item = &facts.items[*item as usize].facts;
                    let call = item.call(*call);
                    let is_definition = item.definitions.iter().any(|definition| definition.span == call.span);
                    let fits = !are_methods || matches!(call.callee, Expr::Member { .. });
                    let is_whole = !are_applied || call.kind == CallKind::Applied;
                    call.kind != CallKind::Decorator && !is_definition && fits && is_whole
                };
                let is_top = |(item, call): &(u32, CallId)| {
                    let item = &facts.items[*item as usize].facts;
                    let around = std::iter::successors(Some(item.call(*call).scope), |scope| item.scope(*scope).parent);
                    !around.into_iter().any(|scope| matches!(item.scope(scope).kind, ScopeKind::Function(_)))
                };
                let place = |call: &(u32, CallId)| {
                    let span = span_of(call);
                    let start = offset(call.0, span)?;
                    let span = Span { start: start.bytes, end: start.bytes + (span.end - span.start) };
                    Some((Place { file, item: start.item, span }, is_top(call)))
                };
                marks.tools.extend(calls.iter().filter(is_call).filter_map(place));
            }
        }
        // Files that a framework loads, or whose classes it makes, and what the queries of rows match.
        if !files.loading(file).is_empty() {
            registering.push(Some(Offset { item: 0, bytes: 0 }));
        }
        for (index, item) in facts.items.iter().enumerate() {
            let index = index as u32;
            registering.extend(item.facts.captured.iter().map(|captured| offset(index, captured.span)));
            registering.extend(files.derived_in(file, &item.facts).map(|span| offset(index, span)));
        }
        marks.registering =
            registering.into_iter().flatten().filter(|offset| (offset.item as usize) < code.items.len()).collect();
        marks.registering.sort_unstable();
        marks.tools.sort_unstable();
        marks.by_hand = facts.items.iter().flat_map(|item| &item.facts.comparisons).any(|comparison| {
            let mut forms = frameworks.candidates(family, &comparison.text).iter();
            forms.any(|id| frameworks.form(*id).on == On::Compared)
        });
        if !is_test_file(files.path(file)) {
            for (index, item) in facts.items.iter().enumerate() {
                let is_class = |one: &crate::lower::Definition| one.kind == DefinitionKind::Class;
                if item.facts.named_objects.is_empty() && !item.facts.definitions.iter().any(is_class) {
                    continue;
                }
                let objects = item.facts.named_objects.iter();
                let offsets = objects.filter_map(|named| offset(index as u32, named.object.span(&item.facts)));
                marks.defining.get_or_insert_default().extend(offsets);
            }
            marks.defining.iter_mut().for_each(|offsets| offsets.sort_unstable());
        }
        if !marks.registering.is_empty() {
            marks.captures = results::captures(files, file);
        }
        marks
    }
}

impl Leading {
    fn of(local: &Local, names: &FxHashMap<SmolStr, bool>, is_test: bool) -> Leading {
        let mut offsets = local.marks.registering.clone();
        for (item, outline) in local.source.code.items.iter().map(|item| &item.outline).enumerate() {
            let leads = |mention: &&Mention| names.get(&mention.name).is_some_and(|only| *only || !mention.is_member);
            let mentions = outline.mentions.iter().filter(leads);
            offsets.extend(mentions.map(|mention| Offset { item: item as u32, bytes: mention.offset }));
        }
        offsets.sort_unstable();
        let mut words = Vec::new();
        if !is_test && !offsets.is_empty() {
            for (item, outline) in local.source.code.items.iter().map(|item| &item.outline).enumerate() {
                let file = FileId(0);
                let place = |span: Span| Place { file, item: item as u32, span };
                let leading = outline.importable.iter().filter(|(_, span)| contains_one(place(*span), &offsets));
                words.extend(leading.map(|(name, _)| name.clone()));
            }
        }
        Leading { offsets, words }
    }
}

/// The names of functions, classes and variables that contain a call that may register something, or a name of another
/// one that does; each with whether only one definition has it.
fn names(all: &[FileId], locals: &FxHashMap<FileId, Arc<Local>>) -> FxHashMap<SmolStr, bool> {
    let locals: Vec<&Local> = all.iter().filter_map(|file| locals.get(file)).map(Arc::as_ref).collect();
    let items = |index: usize| locals[index].source.code.items.iter().map(|item| &*item.outline).enumerate();
    let mut defined: FxHashMap<&SmolStr, usize> = FxHashMap::default();
    for (name, _) in (0..locals.len()).flat_map(|index| items(index).flat_map(|(_, outline)| &outline.named)) {
        *defined.entry(name).or_default() += 1;
    }
    // A member may belong to anything, unless only one thing has this name.
    let counts = |mention: &Mention| match defined.get(&mention.name) {
        Some(count) => !mention.is_member || *count == 1,
        None => false,
    };
    let mut places: FxHashMap<&SmolStr, Vec<(usize, Offset)>> = FxHashMap::default();
    for index in 0..locals.len() {
        for (item, outline) in items(index) {
            for mention in outline.mentions.iter().filter(|mention| counts(mention)) {
                let offset = Offset { item: item as u32, bytes: mention.offset };
                places.entry(&mention.name).or_default().push((index, offset));
            }
        }
    }
    let mut names: FxHashMap<SmolStr, bool> = FxHashMap::default();
    let mut open: Vec<(usize, Offset)> = Vec::new();
    for (index, local) in locals.iter().enumerate() {
        open.extend(local.marks.registering.iter().map(|offset| (index, *offset)));
    }
    while let Some((index, offset)) = open.pop() {
        let outline = &locals[index].source.code.items[offset.item as usize].outline;
        let is_around = |span: &Span| span.start <= offset.bytes && offset.bytes < span.end;
        for (name, _) in outline.named.iter().filter(|(_, span)| is_around(span)) {
            if !names.contains_key(name) {
                names.insert(name.clone(), defined.get(name) == Some(&1));
                open.extend(places.get(name).into_iter().flatten());
            }
        }
    }
    names
}

/// The files that lead to a package which uses a framework, whether their own package names that or not.
fn using(files: &Files, all: &[FileId], importers: &FxHashMap<FileId, Vec<FileId>>) -> FxHashSet<FileId> {
    let uses = |file: &&FileId| files.uses.get(files.package_root(**file)).is_some_and(|used| !used.is_empty());
    let mut open: Vec<FileId> = all.iter().filter(uses).copied().collect();
    let mut using = FxHashSet::default();
    while let Some(file) = open.pop() {
        if using.insert(file) {
            open.extend(importers.get(&file).into_iter().flatten());
        }
    }
    using
}

impl Files {
    /// The forms of the folders from which a framework loads a file.
    pub(super) fn loading(&self, file: FileId) -> Vec<FormId> {
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
        [root, &source].into_iter().find_map(|folder| crate::workspace::resolve::python_file(self, folder, &inner))
    }
}
