//! Forms → registrations: every call, decorator, class and file that a framework's row describes, and the row to which
//! a place belongs. What the place registers is determined in `instances`.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::dispatch::Otherwise;
use super::environment::Ctx;
use super::expression::Evaluator;
use super::instances::{Gathered, MAX_CALLERS, NOTHING_SEEN};
use super::value::Value;
use super::{
    CallHandler, Confidence, Dispatch, Dynamic, Mount, Origin, Part, Place, Registration, ServerKey, ServerObject,
    Traced, Want, World,
};
use crate::framework::{CalleePattern, Form, FormId, Gate, Kind, On};
use crate::lower::{
    Arg, Bound, Call, CallId, CallKind, Captured, Definition, DefinitionKind, Expr, ItemFacts, Key, ScopeId, ScopeKind,
};
use crate::syntax::Family;
use crate::text::{FileId, Span};

/// How many steps one registration may take; beyond it the name is reported as dynamic.
const MAX_STEPS: u32 = 400_000;
/// How many steps it may take to find out whether an argument is a server, which is done for every call.
pub(super) const MAX_ESCAPE_STEPS: u32 = 2_000;
/// How many steps computing the length of one list may take.
const MAX_STEPS_OF_A_LENGTH: u32 = 20_000;

/// What a file registers, and what was read to determine it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Found {
    pub registrations: Vec<Arc<Registration>>,
    pub dynamics: Vec<Dynamic>,
    pub servers: Vec<ServerObject>,
    pub dispatches: Vec<Dispatch>,
    pub call_handlers: Vec<CallHandler>,
    /// How servers find what to run other than by those literals.
    pub otherwise: Vec<(Otherwise, Vec<ServerKey>)>,
    pub mounts: Vec<Mount>,
    /// The servers of resources whose URIs cannot be computed.
    pub unknown_resources: Vec<Arc<[ServerKey]>>,
    /// Objects that look like definitions of tools.
    pub shaped: Vec<Arc<Registration>>,
    /// For each definition that a filter excludes from registration, the place where its name begins.
    pub left_out: Vec<Place>,
    /// Places where a server is passed to code that cannot be followed, with the name of the callee or object.
    pub escapes: Vec<(ServerKey, Place, SmolStr)>,
    /// The other files in which names and exports were looked up.
    pub reads: Vec<FileId>,
    /// The items of other files that were read.
    pub looked: Vec<(FileId, u32)>,
    /// The variables and fields of other files whose other uses there were looked up.
    pub held: Vec<(FileId, SmolStr)>,
    pub wants: Vec<Want>,
    /// How many steps the evaluation took. `fuel` is how many it was allowed.
    pub steps: u32,
    pub fuel: u32,
}

impl Found {
    /// Adds what another run found, as far as it is new.
    pub(crate) fn add(&mut self, other: Found) {
        fn extend<T: PartialEq + Clone + Eq + std::hash::Hash>(into: &mut Vec<T>, from: Vec<T>) {
            extend_by(into, from, T::clone);
        }
        // One place may say the same of many servers.
        fn of_server(place: Place, servers: &[ServerKey]) -> (Place, Option<ServerKey>) {
            (place, servers.first().cloned())
        }
        /// Only values with the same key are compared.
        fn extend_by<T: PartialEq, K: Eq + std::hash::Hash>(into: &mut Vec<T>, from: Vec<T>, key: impl Fn(&T) -> K) {
            if into.is_empty() && from.len() == 1 {
                return into.extend(from);
            }
            let mut known: FxHashMap<K, Vec<usize>> = FxHashMap::default();
            for (index, one) in into.iter().enumerate() {
                known.entry(key(one)).or_default().push(index);
            }
            for one in from {
                let same = known.entry(key(&one)).or_default();
                if !same.iter().any(|index| into[*index] == one) {
                    same.push(into.len());
                    into.push(one);
                }
            }
        }
        self.add_registrations(other.registrations);
        extend_by(&mut self.dynamics, other.dynamics, |one| of_server(one.place, &one.servers));
        extend_by(&mut self.servers, other.servers, |one| one.key.clone());
        extend_by(&mut self.dispatches, other.dispatches, |one| of_server(one.place, &one.servers));
        extend_by(&mut self.call_handlers, other.call_handlers, |one| of_server(one.function, &one.servers));
        extend(&mut self.otherwise, other.otherwise);
        extend_by(&mut self.mounts, other.mounts, |one| one.child.clone());
        extend(&mut self.unknown_resources, other.unknown_resources);
        extend_by(&mut self.shaped, other.shaped, |one| one.place);
        extend(&mut self.left_out, other.left_out);
        extend(&mut self.escapes, other.escapes);
        extend(&mut self.wants, other.wants);
    }
}

impl Found {
    /// Adds the registrations of another run. What several runs register at the same place under the same name is one
    /// registration; what one run registers there twice, with another description, is two.
    fn add_registrations(&mut self, others: Vec<Arc<Registration>>) {
        let key = |one: &Registration| (one.place, one.kind as u8, one.name.text());
        let mut known: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (index, one) in self.registrations.iter().enumerate() {
            known.entry(key(one)).or_default().push(index);
        }
        let before = self.registrations.len();
        let mut merged: FxHashSet<usize> = FxHashSet::default();
        for one in others {
            let same = known.entry(key(&one)).or_default();
            let alike = same.iter().find(|index| is_alike(&self.registrations[**index], &one));
            match alike.or_else(|| same.first().filter(|index| **index < before)) {
                Some(&index) if *self.registrations[index] == *one => {}
                Some(&index) => {
                    merge(Arc::make_mut(&mut self.registrations[index]), &one);
                    merged.insert(index);
                }
                None => {
                    same.push(self.registrations.len());
                    self.registrations.push(one);
                }
            }
        }
        for index in merged {
            let one = Arc::make_mut(&mut self.registrations[index]);
            let (mut servers, mut keys) = (FxHashSet::default(), FxHashSet::default());
            one.servers.retain(|server| servers.insert(server.clone()));
            one.keys.retain(|key| keys.insert(*key));
        }
    }
}

/// Whether two registrations differ at most in their servers and in how sure they are.
fn is_alike(a: &Registration, b: &Registration) -> bool {
    let Registration { conditional, filtered, confidence, .. } = *b;
    let (servers, keys) = (b.servers.clone(), b.keys.clone());
    Registration { servers, keys, conditional, filtered, confidence, ..a.clone() } == *b
}

/// Adds to a registration what another run knows of it; servers and keys may be there twice afterwards.
fn merge(known: &mut Registration, other: &Registration) {
    known.servers.extend(other.servers.iter().cloned());
    known.keys.extend(&other.keys);
    known.conditional &= other.conditional;
    known.filtered &= other.filtered;
    known.confidence = known.confidence.min(other.confidence);
}

/// The number of elements or entries of the value of a top-level name; `None` if it is unknown or 0.
pub(crate) fn count(world: &dyn World, file: FileId, name: &SmolStr) -> Option<usize> {
    let evaluator = Evaluator::new(world, MAX_STEPS_OF_A_LENGTH);
    evaluator.refuel(MAX_STEPS_OF_A_LENGTH);
    let count = evaluator.count(file, name);
    count.filter(|_| !evaluator.is_exhausted())
}

/// Evaluates every registration in a file, in at most `fuel` steps.
pub(crate) fn evaluate_file(world: &dyn World, file: FileId, fuel: u32) -> Found {
    let mut found = Found { fuel, ..Found::default() };
    let (Some(facts), Some(family)) = (world.facts(file), world.family(file)) else {
        return found;
    };
    let evaluator = Evaluator::new(world, fuel);
    evaluator.modules(family, file, &mut found);
    // Registrations come first: in a file that is too large, the rest may get no steps.
    for (index, item) in facts.items.iter().enumerate() {
        let index = index as u32;
        for (id, call) in item.facts.calls.iter().enumerate().filter(|(_, call)| call.kind != CallKind::Decorator) {
            let ctx = Ctx::new(file, index, call.scope);
            evaluator.refuel(MAX_STEPS);
            if evaluator.stops_at(&call.callee, family, &ctx, call.span, &mut found) {
                continue;
            }
            let callee = evaluator.unaliased(&call.callee, &ctx);
            let call_id = Some(CallId(id as u32));
            let site = Site { callee, args: &call.args, call: call_id, definition: None, span: call.span };
            evaluator.site(family, &site, call.kind, &ctx, &mut found);
        }
        for captured in &item.facts.captured {
            evaluator.refuel(MAX_STEPS);
            evaluator.queried(captured, &Ctx::new(file, index, captured.scope), &mut found);
        }
        evaluator.shapes(family, file, index, &mut found);
        evaluator.compared(family, file, index, &mut found);
        for definition in &item.facts.definitions {
            evaluator.refuel(MAX_STEPS);
            evaluator.derived(family, definition, &Ctx::new(file, index, definition.scope), &mut found);
            for decorator in &definition.decorators {
                let ctx = Ctx::new(file, index, definition.scope);
                let (callee, args, call) = match decorator {
                    Expr::Call(id) => {
                        let call = item.facts.call(*id);
                        (&call.callee, call.args.as_slice(), Some(*id))
                    }
                    other => (other, &[][..], None),
                };
                evaluator.refuel(MAX_STEPS);
                if evaluator.stops_at(callee, family, &ctx, definition.span, &mut found) {
                    continue;
                }
                let callee = evaluator.unaliased(callee, &ctx);
                let site = Site { callee, args, call, definition: Some(definition), span: definition.span };
                evaluator.refuel(MAX_STEPS);
                evaluator.site(family, &site, CallKind::Decorator, &ctx, &mut found);
            }
        }
    }
    for (index, item) in facts.items.iter().enumerate() {
        let index = index as u32;
        for (id, call) in item.facts.calls.iter().enumerate() {
            let ctx = Ctx::new(file, index, call.scope);
            evaluator.refuel(MAX_ESCAPE_STEPS);
            if evaluator.is_exhausted() {
                // A file that creates no server passes none on.
                if !found.servers.is_empty() {
                    evaluator.stops(ctx.place(call.span), &mut found);
                }
                break;
            }
            evaluator.instance(call, CallId(id as u32), &ctx, &mut found);
            evaluator.escapes(call, &ctx, &mut found);
        }
        for assigned in &item.facts.assigned {
            evaluator.refuel(MAX_ESCAPE_STEPS);
            evaluator.assigned_escapes(assigned, &Ctx::new(file, index, assigned.scope), &mut found);
        }
        for (scope, facts) in item.facts.scopes.iter().enumerate() {
            for binding in &facts.bindings {
                if let Bound::Value(value) = &binding.value {
                    evaluator.refuel(MAX_ESCAPE_STEPS);
                    let ctx = Ctx::new(file, index, ScopeId(scope as u32));
                    evaluator.method_escapes(value, &ctx.in_scope(binding.scope), binding.span, &mut found);
                }
            }
        }
    }
    found.steps = fuel - evaluator.left();
    found.reads = evaluator.reads.take().into_iter().filter(|&read| read != file).collect();
    found.looked = evaluator.looked.take().into_iter().filter(|&(read, _)| read != file).collect();
    found.held = evaluator.held.take().into_iter().filter(|(read, _)| *read != file).collect();
    found.wants = evaluator.wants.take().into_iter().collect();
    found.reads.sort();
    found.wants.sort();
    found
}

/// A place that may register something.
pub(super) struct Site<'a> {
    pub(super) callee: &'a Expr,
    pub(super) args: &'a [Arg],
    pub(super) call: Option<CallId>,
    pub(super) definition: Option<&'a Definition>,
    pub(super) span: Span,
}

impl<'a> Site<'a> {
    pub(super) fn of_call(call: &'a Call, id: CallId) -> Site<'a> {
        Site { callee: &call.callee, args: &call.args, call: Some(id), definition: None, span: call.span }
    }
}

/// How strongly a place belongs to a framework.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Project,
    File,
    Certain,
}

/// The callee of a site that is not a call, such as a method that the framework finds by its name.
pub(super) static METHOD: Expr = Expr::Opaque { what: "a method", span: Span { start: 0, end: 0 } };

impl<'a> Evaluator<'a> {
    /// Whether the file has no steps left for a place. The first such place that may belong to a framework is reported.
    fn stops_at(&self, callee: &Expr, family: Family, ctx: &Ctx<'a>, span: Span, found: &mut Found) -> bool {
        if !self.is_exhausted() {
            return false;
        }
        let frameworks = self.world.frameworks();
        let candidates = callee.last_name().map_or(&[][..], |last| frameworks.candidates(family, last));
        if candidates.iter().any(|id| self.world.project_uses(ctx.file, id.framework)) {
            self.stops(ctx.place(span), found);
        }
        true
    }

    /// Reports, once per file, that the rest of it is not evaluated. The servers that it creates may have more tools.
    fn stops(&self, place: Place, found: &mut Found) {
        const REASON: &str = "this file takes too many steps to evaluate: registrations from here on are not followed";
        if self.is_stopped.replace(true) {
            return;
        }
        let servers = found.servers.iter().map(|server| server.key.clone()).collect();
        found.dynamics.push(Dynamic {
            place,
            partial: None,
            reason: REASON.into(),
            servers,
            is_said: false,
            by_hand: false,
        });
    }

    fn site(&self, family: Family, site: &Site<'a>, kind: CallKind, ctx: &Ctx<'a>, found: &mut Found) {
        let Some(last) = self.imported_name(site.callee, ctx) else {
            return;
        };
        if let Some(class) = self.overrides(&last, ctx) {
            // How the method changes the names that it receives is not analysed.
            found.escapes.push((class, ctx.place(site.span), last));
            return;
        }
        if self.is_overridden(ctx) {
            return;
        }
        let frameworks = self.world.frameworks();
        let mut best: Option<Strength> = None;
        let mut chosen: Vec<FormId> = Vec::new();
        for &candidate in frameworks.candidates(family, &last) {
            let form = frameworks.form(candidate);
            if !form.on.accepts(kind) || !fits(form, site, self.item(ctx.file, ctx.item)) {
                continue;
            }
            let Some(strength) = self.strength(candidate, form, site, ctx) else {
                continue;
            };
            if best.is_none_or(|best| strength > best) {
                best = Some(strength);
                chosen.clear();
            }
            let same_framework = chosen.first().is_none_or(|first| first.framework == candidate.framework);
            if best == Some(strength) && same_framework {
                chosen.push(candidate);
            }
        }
        let strength = best.unwrap_or(Strength::Project);
        for id in chosen {
            let form = frameworks.form(id);
            match site.definition.filter(|_| form.on == On::Members) {
                None => self.register(id, form, strength, site, ctx, found),
                Some(class) => {
                    let facts = self.item(ctx.file, ctx.item);
                    let methods = facts.definitions.iter().filter(|definition| definition.scope == class.body);
                    for method in methods.filter(|definition| definition.kind == DefinitionKind::Function) {
                        let site = Site { definition: Some(method), span: method.span, ..*site };
                        self.register(id, form, strength, &site, &ctx.in_scope(class.body), found);
                    }
                }
            }
        }
    }

    /// Records an instance of a class of the project that extends a framework's server class. It has the tools that the
    /// class registers.
    fn instance(&self, call: &'a Call, id: CallId, ctx: &Ctx<'a>, found: &mut Found) {
        let is_class_name = |name: &SmolStr| name.starts_with(char::is_uppercase);
        if !call.callee.last_name().is_some_and(is_class_name) {
            return;
        }
        let Value::Expr(Expr::Class { scope, .. }, class) = self.eval(&call.callee, ctx) else { return };
        let (Some(form), Some(child)) = (self.server_class(*scope, &class, 0), self.class_key(*scope, &class)) else {
            return;
        };
        let site = Site::of_call(call, id);
        self.register(form, self.world.frameworks().form(form), Strength::Certain, &site, ctx, found);
        let object = ServerKey::Object { file: ctx.file, item: ctx.item, call: id, given: None };
        found.mounts.push(Mount { parents: vec![object], child, prefix: None });
    }

    /// Registers a class that derives from a framework's class, or a method in it that the framework calls by its name.
    fn derived(&self, family: Family, definition: &'a Definition, ctx: &Ctx<'a>, found: &mut Found) {
        let frameworks = self.world.frameworks();
        let site = |ctx: &Ctx<'a>, form: FormId, found: &mut Found| {
            let site =
                Site { callee: &METHOD, args: &[], call: None, definition: Some(definition), span: definition.span };
            self.register(form, frameworks.form(form), Strength::Certain, &site, ctx, found);
        };
        if definition.kind == DefinitionKind::Class {
            for &candidate in frameworks.derivable(family) {
                let Some(CalleePattern::Imported(path)) = &frameworks.form(candidate).path else { continue };
                let Some(base) = path.last() else { continue };
                if self.derives(definition.body, ctx, base, candidate.framework, 0) {
                    site(ctx, candidate, found);
                }
            }
            return;
        }
        for &candidate in frameworks.candidates(family, &definition.name) {
            let form = frameworks.form(candidate);
            let Some(CalleePattern::Imported(path)) = &form.path else { continue };
            let [.., base, _] = path.as_slice() else { continue };
            if form.on == On::Method && self.derives(definition.scope, ctx, base, candidate.framework, 0) {
                site(ctx, candidate, found);
            }
        }
    }

    /// Registers a match of a framework's own query.
    fn queried(&self, captured: &'a Captured, ctx: &Ctx<'a>, found: &mut Found) {
        if self.is_exhausted() {
            return self.stops(ctx.place(captured.span), found);
        }
        let frameworks = self.world.frameworks();
        let id = frameworks.queried(captured.query);
        let form = frameworks.form(id);
        let strength = match form.gate {
            _ if self.imports_framework(ctx.file, id.framework) => Strength::File,
            Gate::Telling => Strength::Project,
            Gate::Project if self.world.project_uses(ctx.file, id.framework) => Strength::Project,
            _ => return,
        };
        let (callee, args) = (&METHOD, captured.args.as_slice());
        let site = Site { callee, args, call: None, definition: None, span: captured.span };
        self.register(id, form, strength, &site, ctx, found);
    }

    /// Registers a file that a framework loads because of the folder in which it is.
    fn modules(&self, family: Family, file: FileId, found: &mut Found) {
        let frameworks = self.world.frameworks();
        for &id in frameworks.modules(family) {
            let form = frameworks.form(id);
            let Some(CalleePattern::Folder(folder)) = &form.path else { continue };
            let path = self.world.path_in_package(file).strip_prefix(folder.as_str());
            if !path.is_some_and(|rest| rest.starts_with('/')) || !self.world.project_uses(file, id.framework) {
                continue;
            }
            self.refuel(MAX_STEPS);
            let site = Site { callee: &METHOD, args: &[], call: None, definition: None, span: Span::default() };
            let ctx = Ctx::new(file, 0, ScopeId(0));
            self.register(id, form, Strength::Certain, &site, &ctx, found);
        }
    }

    /// Whether a class derives, directly or indirectly, from a class of this name in the framework's packages.
    pub(super) fn derives(&self, class: ScopeId, ctx: &Ctx<'a>, base: &SmolStr, framework: usize, depth: u32) -> bool {
        let scope = self.item(ctx.file, ctx.item).scope(class);
        let ScopeKind::Class { bases } = &scope.kind else { return false };
        let outside = ctx.in_scope(scope.parent.unwrap_or(ScopeId(0)));
        depth < MAX_CALLERS
            && bases.iter().any(|candidate| match self.eval(candidate, &outside) {
                Value::External { module, path } => {
                    path.last() == Some(base) && self.world.frameworks().rows[framework].owns_module(&module)
                }
                Value::Expr(Expr::Class { scope, .. }, ctx) => self.derives(*scope, &ctx, base, framework, depth + 1),
                _ => false,
            })
    }

    /// Whether a file imports a framework, at any depth.
    fn imports_framework(&self, file: FileId, framework: usize) -> bool {
        *self.importing.borrow_mut().entry((file, framework)).or_insert_with(|| {
            let row = &self.world.frameworks().rows[framework];
            self.world.facts(file).is_some_and(|facts| facts.imports_any(&|module| row.owns_module(module)))
        })
    }

    /// How strongly a place belongs to this form of a framework; `None` if it does not.
    #[inline(never)]
    fn strength(&self, id: FormId, form: &Form, site: &Site<'a>, ctx: &Ctx<'a>) -> Option<Strength> {
        if let Some(path @ CalleePattern::Imported(_)) = &form.path {
            if self.is_imported(site.callee, ctx, path, id.framework) {
                return Some(Strength::Certain);
            }
            let inert = form.gate == Gate::Inert && matches!(site.callee, Expr::Name { .. });
            return (inert && self.imports_framework(ctx.file, id.framework)).then_some(Strength::File);
        }
        let Expr::Member { object, .. } = site.callee else {
            return None;
        };
        if !form.given_by.is_empty() {
            let imports = self.world.project_uses(ctx.file, id.framework);
            return (imports && self.is_given_by(object, &form.given_by, ctx)).then_some(Strength::Certain);
        }
        // A method that the enclosing class has itself is not the framework's, whatever classes derive from it.
        if object.is_receiver()
            && let Some(last) = site.callee.last_name()
            && let Value::Expr(Expr::Function { .. }, _) = self.member(&self.around(ctx), &Key::Field(last.clone()))
        {
            return None;
        }
        let receiver = self.eval(object, ctx);
        match &receiver {
            Value::Server { framework, .. } => {
                return (*framework == id.framework).then_some(Strength::Certain);
            }
            Value::Choice(options) => {
                let mut servers = options.iter().filter_map(|option| match option {
                    Value::Server { framework, .. } => Some(*framework),
                    _ => None,
                });
                if let Some(framework) = servers.next() {
                    return (framework == id.framework).then_some(Strength::Certain);
                }
            }
            Value::External { module, path } => {
                let frameworks = self.world.frameworks();
                let owner = frameworks.owner_of_module(self.world.family(ctx.file)?, module);
                match owner {
                    // A function of another package: `click.prompt(…)`.
                    None if path.is_empty() => return None,
                    Some(owner) if owner != id.framework => return None,
                    // Something of a package that belongs to no framework: only its shape is left to go by.
                    None if form.gate == Gate::File => {
                        return self.world.project_uses(ctx.file, id.framework).then_some(Strength::Project);
                    }
                    _ => {}
                }
            }
            // An instance of a class of another package, or of a class that defines the method.
            Value::Expr(Expr::Call(call), at) => {
                let call = self.item(at.file, at.item).call(*call);
                let class = self.eval(&call.callee, at);
                if let Value::External { module, .. } = &class {
                    let is_own = self.world.frameworks().rows[id.framework].owns_module(module);
                    return is_own.then_some(Strength::Certain);
                }
                if matches!(self.eval(site.callee, ctx), Value::Expr(Expr::Function { .. }, _)) {
                    return None;
                }
            }
            Value::Expr(..) => {
                if matches!(self.eval(site.callee, ctx), Value::Expr(Expr::Function { .. }, _)) {
                    return None;
                }
            }
            _ => {}
        }
        if self.imports_framework(ctx.file, id.framework) {
            return Some(Strength::File);
        }
        if form.gate == Gate::Telling {
            return Some(Strength::Project);
        }
        // A receiver that another file of the project creates is as good as an import.
        let from_project = receiver.blocked().is_some() && form.gate == Gate::File;
        let telling = form.gate == Gate::Project || from_project;
        if !telling {
            return None;
        }
        if self.world.project_uses(ctx.file, id.framework) {
            return Some(Strength::Project);
        }
        // A receiver that another package of the workspace passes in may be the framework's server.
        receiver.blocked()?;
        let is_own = |value: &Value<'a>| matches!(value, Value::Server { framework, .. } if *framework == id.framework);
        let reached = self.reached(&[object], ctx.clone(), 0);
        reached.iter().any(|at| is_own(&self.eval(object, at))).then_some(Strength::Certain)
    }

    fn register(&self, id: FormId, form: &Form, strength: Strength, site: &Site<'a>, ctx: &Ctx<'a>, found: &mut Found) {
        let is_false = |value| matches!(value, Some(Value::Scalar(text)) if matches!(text.as_str(), "False" | "false"));
        if is_false(self.first(&form.switch, site, ctx, None)) || self.first(&form.unless, site, ctx, None).is_some() {
            return;
        }
        match form.kind {
            Kind::Server => {
                let Some(call) = site.call else { return };
                let key = |given| ServerKey::Object { file: ctx.file, item: ctx.item, call, given };
                let object =
                    |key, name| ServerObject { key, name, framework: id.framework, place: ctx.place(site.span) };
                let (own, given) = self.server_names(form, site, ctx);
                if given.is_empty() {
                    found.servers.push(object(key(None), own));
                }
                let given = given.into_iter().map(|name| object(key(Some(name.text().into())), Some(name)));
                found.servers.extend(given);
            }
            Kind::Dynamic => {
                if form.each.as_ref().is_some_and(|each| matches!(self.select(each, site, ctx, None), Value::Absent)) {
                    return;
                }
                let (servers, _) = self.servers(&form.server, site, ctx, 0);
                let reason = form.reason.clone().unwrap_or_default().to_string();
                self.dynamics_filed.borrow_mut().insert((ctx.place(site.span), servers.as_slice().into()));
                found.dynamics.push(Dynamic {
                    place: ctx.place(site.span),
                    partial: None,
                    reason: reason.into(),
                    servers: servers.into(),
                    is_said: true,
                    by_hand: false,
                });
            }
            Kind::Mount => self.mount(form, site, ctx, found),
            Kind::Dispatch => {
                let (servers, _) = self.servers(&form.server, site, ctx, 0);
                self.dispatches(form, site, ctx, &servers, found);
            }
            Kind::Tool | Kind::Prompt | Kind::Resource => {
                if let Some(definition) = site.definition.filter(|_| self.world.reads_types()) {
                    self.see_types(definition, ctx);
                }
                let mut out = Gathered::default();
                self.instances(form, site, ctx, 0, &mut out);
                if !out.dynamics.is_empty() {
                    self.refuel(MAX_STEPS);
                    let known = out.dynamics.len();
                    for inside in self.of_imported_base(form, site, ctx) {
                        self.instances(form, site, &inside, 1, &mut out);
                    }
                    out.dynamics.truncate(known);
                }
                if out.is_list && out.instances.is_empty() && out.dynamics.is_empty() {
                    let (servers, _) = self.servers(&form.server, site, ctx, 0);
                    out.dynamic(ctx.place(site.span), None, NOTHING_SEEN, servers);
                }
                self.file(id, form, strength, out, found);
            }
        }
    }

    /// Evaluates the types of a function's parameters, so that the files that define them are loaded.
    fn see_types(&self, definition: &'a Definition, ctx: &Ctx<'a>) {
        let ScopeKind::Function(function) = &self.item(ctx.file, ctx.item).scope(definition.body).kind else { return };
        for annotation in function.params.iter().filter_map(|param| param.annotation.as_deref()) {
            annotation.visit(&mut |part| {
                if matches!(part, Expr::Name { .. }) {
                    self.eval(part, ctx);
                }
            });
        }
    }

    /// The name of a server or, if callers pass it to a function that creates the server, all of these names; neither
    /// if any name is unknown.
    fn server_names(&self, form: &Form, site: &Site<'a>, ctx: &Ctx<'a>) -> (Option<Traced>, Vec<Traced>) {
        let mut names: BTreeMap<String, Traced> = BTreeMap::new();
        let mut open = vec![(ctx.clone(), 0)];
        while let Some((ctx, hops)) = open.pop() {
            match self.first(&form.name, site, &ctx, None) {
                Some(Value::Text(name)) if name.is_too_long() => return (None, Vec::new()),
                Some(Value::Text(name)) if name.unknown().is_none() && hops == 0 => return (Some(name), Vec::new()),
                Some(Value::Text(name)) if name.unknown().is_none() => {
                    names.entry(name.text()).or_insert(name);
                }
                Some(value) if hops < MAX_CALLERS => {
                    let around = value.blocked().map_or(Vec::new(), |key| self.surroundings(key, &ctx));
                    if around.is_empty() {
                        return (None, Vec::new());
                    }
                    open.extend(around.into_iter().map(|inside| (inside, hops + 1)));
                }
                _ => return (None, Vec::new()),
            }
        }
        (None, names.into_values().collect())
    }

    /// Records a server that is mounted in another one.
    fn mount(&self, form: &Form, site: &Site<'a>, ctx: &Ctx<'a>, found: &mut Found) {
        let (parents, _) = self.servers(&form.server, site, ctx, 0);
        let mut children = Vec::new();
        if let Some(each) = &form.each {
            self.server_keys(&self.select(each, site, ctx, None), &mut children);
        }
        let prefix = match self.first(&form.name, site, ctx, None) {
            None => Some(None),
            Some(Value::Text(text)) if text.unknown().is_none() && !text.is_too_long() => {
                let mut prefix = text;
                let separator = match self.first(&form.separator_given, site, ctx, None) {
                    None => Some(Traced::of(Part { text: form.separator.clone(), origin: Origin::Framework })),
                    Some(Value::Text(given)) if given.unknown().is_none() => Some(given),
                    Some(_) => None,
                };
                separator.map(|separator| {
                    if !prefix.text().is_empty() {
                        prefix.parts.extend(separator.parts);
                    }
                    Some(prefix)
                })
            }
            Some(_) => None,
        };
        match prefix {
            Some(prefix) if !children.is_empty() => {
                let mount = |child| Mount { parents: parents.clone(), child, prefix: prefix.clone() };
                found.mounts.extend(children.into_iter().map(mount));
            }
            _ if parents.is_empty() => {}
            _ => {
                self.dynamics_filed.borrow_mut().insert((ctx.place(site.span), parents.as_slice().into()));
                found.dynamics.push(Dynamic {
                    place: ctx.place(site.span),
                    partial: None,
                    reason: "the tools of another server, under a prefix".into(),
                    servers: parents.into(),
                    is_said: true,
                    by_hand: false,
                });
            }
        }
    }

    fn file(&self, id: FormId, form: &Form, strength: Strength, out: Gathered, found: &mut Found) {
        // A method with a common name, in a file without any other sign of the framework.
        let by_shape = form.gate == Gate::File && strength == Strength::Project;
        let mut seen: FxHashSet<(Vec<Option<Place>>, Vec<ServerKey>, Place)> = FxHashSet::default();
        found.left_out.extend(out.left_out);
        for instance in out.instances {
            let origins = instance.name.parts.iter().map(Part::place).collect();
            // One server object reached in two ways is one server: the same text registered by the same place
            // is one registration.
            if !seen.insert((origins, instance.servers.clone(), instance.place)) {
                continue;
            }
            let servers_unknown = instance.servers.is_empty();
            let kept = if form.fallback { &mut found.shaped } else { &mut found.registrations };
            kept.push(Arc::new(Registration {
                kind: form.kind,
                framework: id.framework,
                name: instance.name,
                title: instance.title,
                untitled: instance.untitled,
                title_place: instance.title_place,
                description: instance.description,
                annotations: instance.annotations,
                schema: instance.schema,
                handler: instance.handler,
                servers: instance.servers,
                place: instance.place,
                naming: instance.naming,
                body: instance.body,
                conditional: instance.conditional,
                filtered: instance.filtered,
                listed: instance.listed,
                listing: instance.listing,
                mounted: 0,
                keys: instance.keys,
                confidence: match (form.fallback || by_shape && servers_unknown, instance.derived) {
                    (true, _) => Confidence::Heuristic,
                    (false, true) => Confidence::Derived,
                    (false, false) => Confidence::Exact,
                },
            }));
        }
        if form.kind == Kind::Resource {
            found.unknown_resources.extend(out.dynamics.iter().map(|dynamic| dynamic.servers.clone()));
        }
        for dynamic in out.dynamics.into_iter().filter(|_| form.kind == Kind::Tool && !form.fallback) {
            if self.dynamics_filed.borrow_mut().insert((dynamic.place, dynamic.servers.clone())) {
                found.dynamics.push(dynamic);
            }
        }
    }
}

/// Whether the arguments of a site match a form.
fn fits(form: &Form, site: &Site<'_>, facts: &ItemFacts) -> bool {
    let called = site.call.is_some();
    if form.on == On::CalledDecorator && !called {
        return false;
    }
    let is_spread = site.args.iter().any(|arg| matches!(arg.value, Expr::Spread(_)));
    if site.args.len() < form.min_args && !is_spread {
        return false;
    }
    if form.first.is_empty() {
        return true;
    }
    let Some(first) = site.args.first() else {
        return false;
    };
    match &first.value {
        Expr::Text { text, .. } => form.first.contains(text),
        // An instance that is created in the argument.
        Expr::Call(id) => facts.call(*id).callee.last_name().is_some_and(|name| form.first.contains(name)),
        value => value.last_name().is_some_and(|name| form.first.contains(name)),
    }
}
