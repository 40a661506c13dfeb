//! Facts about a single file: its parts that may register something, and where its imports lead.

use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use rustc_hash::{FxHashSet, FxHasher};
use smol_str::SmolStr;

use super::results;
use crate::client::AgentCall;
use crate::code::{Code, Offset, Outline};
use crate::found::{Lookup, Place};
use crate::framework::{CalleePattern, Form, FormId, Gate, Kind, On, Start};
use crate::lower::{Bound, CallId, CallKind, DefinitionKind, Expr, FileFacts, Imported, ItemFacts, ScopeKind};
use crate::path::is_test_file;
use crate::registry::Capture;
use crate::syntax::Family;
use crate::text::{FileId, Span};
use crate::workspace::{Content, Files};

/// Facts about a single file.
pub(super) struct Local {
    source: Source,
    /// The files that its imports lead to.
    pub(super) targets: Vec<FileId>,
    /// The frameworks that its package uses, and whether it leads to a package that uses one.
    uses: (FxHashSet<usize>, bool),
    pub(super) marks: Marks,
    /// The hash of the names that it defines and mentions, and of where its marks are among them.
    pub(super) shape: u64,
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
    pub(super) by_hand: bool,
    /// The comparisons with the method by which tools are called, with that method.
    pub(super) answering: Vec<(Offset, SmolStr)>,
    pub(super) captures: Vec<Capture>,
    /// Calls that may name the tools of a server for an agent.
    pub(super) granting: Vec<Offset>,
    /// Whether the file has such calls, or imports what they call.
    pub(super) grants: bool,
}
impl Local {
    /// Whether a version of the file has these imports.
    pub(super) fn imports(&self, facts: &FileFacts) -> bool {
        self.source.facts.modules == facts.modules
    }

    /// The outlines of the items of the file, each with its number.
    pub(super) fn outlines(&self) -> impl Iterator<Item = (u32, &Outline)> {
        self.source.code.items.iter().enumerate().map(|(item, of)| (item as u32, &*of.outline))
    }

    pub(super) fn outline(&self, item: u32) -> &Outline {
        &self.source.code.items[item as usize].outline
    }

    /// Whether programs see the same in two versions of a file.
    pub(super) fn is_same(&self, other: &Local) -> bool {
        self.source.is_same(&other.source) && self.marks == other.marks
    }

    /// `targets` is where its imports lead; `None` if they lead where they did before.
    pub(super) fn of(
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
            outline.around(offset.bytes).for_each(|(_, named)| named.name.hash(&mut hasher));
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
            // `Type::new` is only that of the type.
            let fits = |call: &&(u32, CallId)| {
                let call = facts.items[call.0 as usize].facts.call(call.1);
                family != Family::Rust || forms.iter().any(|id| fits_path(&call.callee, frameworks.form(**id)))
            };
            let calls: Vec<(u32, CallId)> = calls.iter().filter(fits).copied().collect();
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
            // Methods that a framework calls by their names.
            let is_called = |definition: &&crate::lower::Definition| {
                frameworks.methods(family).iter().any(|id| {
                    let form = frameworks.form(*id);
                    let is_used = is_using || files.project_uses(file, id.framework);
                    let last = form.path.as_ref().map(CalleePattern::last);
                    form.kind == Kind::Tool && is_used && last == Some(&definition.name)
                })
            };
            let methods = item.facts.definitions.iter().filter(is_called);
            registering.extend(methods.map(|definition| offset(index, definition.span)));
            // Attributes of Rust without arguments, which are no calls.
            let decorators = item.facts.definitions.iter().flat_map(|definition| &definition.decorators);
            let is_known = |decorator: &&Expr| {
                let forms = decorator.last_name().map_or(&[][..], |name| frameworks.candidates(family, name));
                let is_used = |id: &FormId| is_using || files.project_uses(file, id.framework);
                forms.iter().any(|id| frameworks.form(*id).on.is_decorator() && is_used(id))
            };
            let bare = decorators.filter(is_known).map(|decorator| offset(index, decorator.span(&item.facts)));
            registering.extend(bare);
        }
        for (index, item) in facts.items.iter().enumerate() {
            for comparison in &item.facts.comparisons {
                let forms = frameworks.candidates(family, &comparison.text).iter().map(|id| frameworks.form(*id));
                for form in forms.filter(|form| form.on == On::Compared) {
                    let at = offset(index as u32, comparison.span);
                    match form.kind {
                        Kind::Dispatch => marks.answering.extend(at.map(|at| (at, comparison.text.clone()))),
                        _ => {
                            registering.push(at);
                            marks.by_hand = true;
                        }
                    }
                }
            }
        }
        marks.registering =
            registering.into_iter().flatten().filter(|offset| (offset.item as usize) < code.items.len()).collect();
        marks.registering.sort_unstable();
        marks.tools.sort_unstable();
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
        let clients = files.known_clients();
        // A package of the workspace is run, so that its calls are not those of another package.
        let is_outside = |module: &str| matches!(files.resolve(file, module), Lookup::External);
        let text = files.get(file).and_then(|file| file.calling.clone());
        let is_near = |row: &AgentCall| {
            row.near.is_empty() || text.as_ref().is_some_and(|text| row.near.iter().any(|word| text.contains(&**word)))
        };
        let is_imported = |row: &AgentCall| facts.imports_any(&|module| row.owns_module(module) && is_outside(module));
        for (name, calls) in &facts.calls {
            let rows = clients.calls_named(family, name).iter().map(|id| clients.call(*id).1);
            if rows.into_iter().any(|row| is_near(row) && is_imported(row)) {
                let span_of = |(item, call): &(u32, CallId)| facts.items[*item as usize].facts.call(*call).span;
                marks.granting.extend(calls.iter().filter_map(|call| offset(call.0, span_of(call))));
            }
        }
        // What a file imports may be called in other ways, too: `partial(MCPServerStdio, …)`.
        let imports = || facts.items.iter().flat_map(|item| &item.facts.scopes).flat_map(|scope| &scope.bindings);
        marks.grants = !marks.granting.is_empty()
            || text.is_some()
                && imports().any(|binding| match &binding.value {
                    Bound::Import { module, name: Imported::Named(name) } => {
                        let mut rows = clients.calls_named(family, name).iter().map(|id| clients.call(*id).1);
                        rows.any(|row| is_near(row) && row.owns_module(module) && is_outside(module))
                    }
                    _ => false,
                });
        // A class that derives from one of the package makes the call with `super().__init__(…)` or `super(…)`.
        let base = if family == Family::Python { "__init__" } else { "super" };
        if let Some(calls) = facts.calls.get(base).filter(|_| marks.grants) {
            let span_of = |(item, call): &(u32, CallId)| facts.items[*item as usize].facts.call(*call).span;
            marks.granting.extend(calls.iter().filter_map(|call| offset(call.0, span_of(call))));
        }
        marks.granting.sort_unstable();
        if !marks.registering.is_empty() {
            marks.captures = results::captures(files, file);
        }
        marks
    }
}

/// Whether a callee may lead to the path of a form: whether the last type that it names is that of the path.
fn fits_path(callee: &Expr, form: &Form) -> bool {
    match (&form.path, callee) {
        (Some(CalleePattern::Imported(path)), Expr::Member { object, .. }) if path.len() > 1 => {
            object.last_name() == Some(&path[path.len() - 2])
        }
        (Some(CalleePattern::Imported(path)), _) => path.len() == 1,
        _ => true,
    }
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
}
