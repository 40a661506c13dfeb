//! Forms → registrations: every call, decorator and list that a framework's row describes, evaluated for each
//! caller and each element that it takes to know its name.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::expression::{Activation, Ctx, Evaluator, Value};
use super::{
    Confidence, Dispatch, Dynamic, Mount, Naming, Origin, Part, Place, Registration, ScopeKey, ServerKey, ServerObject,
    Traced, Unknown, Want, World,
};
use crate::framework::{CalleePattern, Form, FormId, Gate, Kind, On, Selector, Start, Step};
use crate::lower::{Arg, Bound, Call, CallId, CallKind, Definition, DefinitionKind, Expr, Key, ScopeId, ScopeKind};
use crate::syntax::Family;
use crate::text::{FileId, Span};

/// How many registrations one place may stand for; the rest is reported as dynamic.
const MAX_INSTANCES: usize = 5_000;
/// How many steps one registration may take; beyond it the name is reported as dynamic.
const MAX_STEPS: u32 = 400_000;
/// How many steps it may take to see that an argument is a server: that is asked of every call there is.
pub(super) const MAX_ESCAPE_STEPS: u32 = 2_000;
/// Why nothing is known of an empty list's elements.
const NOTHING_SEEN: &str = "a list in which nothing can be seen";
/// How many callers deep a name is sought.
const MAX_CALLERS: u32 = 12;

/// What a file registers, and what was needed to know it.
#[derive(Debug, Clone, Default)]
pub struct Found {
    pub registrations: Vec<Registration>,
    pub dynamics: Vec<Dynamic>,
    pub servers: Vec<ServerObject>,
    pub dispatches: Vec<Dispatch>,
    pub mounts: Vec<Mount>,
    /// Objects that look like definitions of tools.
    pub shaped: Vec<Registration>,
    /// Places where a server object is handed to code that nobody can see.
    pub escapes: Vec<(ServerKey, Place, SmolStr)>,
    /// The files that were looked into, this one not counted.
    pub reads: Vec<FileId>,
    pub wants: Vec<Want>,
}

/// Evaluates every registration that stands in a file.
pub fn evaluate_file(world: &dyn World, file: FileId) -> Found {
    let mut found = Found::default();
    let (Some(facts), Some(family)) = (world.facts(file), world.family(file)) else {
        return found;
    };
    let evaluator = Evaluator::new(world);
    evaluator.modules(family, file, &mut found);
    for (index, item) in facts.items.iter().enumerate() {
        let index = index as u32;
        for (id, call) in item.facts.calls.iter().enumerate() {
            let id = CallId(id as u32);
            let ctx = Ctx::new(file, index, call.scope);
            evaluator.refuel(MAX_STEPS);
            if call.kind != CallKind::Decorator {
                let site =
                    Site { callee: &call.callee, args: &call.args, call: Some(id), definition: None, span: call.span };
                evaluator.site(family, &site, call.kind, &ctx, &mut found);
            }
            evaluator.refuel(MAX_ESCAPE_STEPS);
            evaluator.instance(call, id, &ctx, &mut found);
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
                let site = Site { callee, args, call, definition: Some(definition), span: definition.span };
                evaluator.refuel(MAX_STEPS);
                evaluator.site(family, &site, CallKind::Decorator, &ctx, &mut found);
            }
        }
    }
    found.reads = evaluator.reads.take().into_iter().filter(|&read| read != file).collect();
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

/// How strongly a place belongs to a framework.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Project,
    File,
    Certain,
}

/// One thing that a site registers, before it is filed.
struct Instance {
    name: Traced,
    title: Option<Traced>,
    description: Option<Traced>,
    annotations: Vec<(SmolStr, bool)>,
    place: Place,
    servers: Vec<ServerKey>,
    naming: Option<Naming>,
    body: (FileId, u32, ScopeId),
    conditional: bool,
    listed: bool,
    derived: bool,
}

/// A method is found by its name; nothing calls it in sight.
pub(super) static METHOD: Expr = Expr::Opaque { what: "a method", span: Span { start: 0, end: 0 } };

impl<'a> Evaluator<'a> {
    fn site(&self, family: Family, site: &Site<'a>, kind: CallKind, ctx: &Ctx<'a>, found: &mut Found) {
        let Some(last) = self.imported_name(site.callee, ctx) else {
            return;
        };
        if let Some(class) = self.overrides(&last, ctx) {
            // What it does to the names that it is given is its own affair.
            found.escapes.push((class, ctx.place(site.span), last));
            return;
        }
        let frameworks = self.world.frameworks();
        let mut best: Option<Strength> = None;
        let mut chosen: Vec<FormId> = Vec::new();
        for &candidate in frameworks.candidates(family, &last) {
            let form = frameworks.form(candidate);
            if !form.on.accepts(kind) || !fits(form, site) {
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

    /// Whether a place lies in a method by which a server class of the project replaces its framework's: what it
    /// hands on was registered by whoever called it.
    fn overrides(&self, method: &SmolStr, ctx: &Ctx<'a>) -> Option<ServerKey> {
        let facts = self.item(ctx.file, ctx.item);
        let around = std::iter::successors(Some(ctx.scope), |scope| facts.scope(*scope).parent);
        let mut around =
            around.filter_map(|scope| facts.definitions.iter().find(|definition| definition.body == scope));
        let method = around.find(|definition| {
            definition.name == *method
                && matches!(facts.scope(definition.scope).kind, ScopeKind::Class { .. })
                && self.server_class(definition.scope, ctx, 0).is_some()
        })?;
        self.class_key(method.scope, ctx)
    }

    /// An instance of a class of the project that extends a framework's server: it has what the class registers.
    fn instance(&self, call: &'a Call, id: CallId, ctx: &Ctx<'a>, found: &mut Found) {
        let is_class_name = |name: &SmolStr| name.starts_with(char::is_uppercase);
        if !call.callee.last_name().is_some_and(is_class_name) {
            return;
        }
        let Value::Expr(Expr::Class { scope, .. }, class) = self.eval(&call.callee, ctx) else { return };
        let (Some(form), Some(child)) = (self.server_class(*scope, &class, 0), self.class_key(*scope, &class)) else {
            return;
        };
        let site = Site { callee: &call.callee, args: &call.args, call: Some(id), definition: None, span: call.span };
        self.register(form, self.world.frameworks().form(form), Strength::Certain, &site, ctx, found);
        let object = ServerKey::Object { file: ctx.file, item: ctx.item, call: id };
        found.mounts.push(Mount { parents: vec![object], child, prefix: None });
    }

    /// A class that derives from one of a framework's, or a method in it that the framework calls by its name.
    fn derived(&self, family: Family, definition: &'a Definition, ctx: &Ctx<'a>, found: &mut Found) {
        let frameworks = self.world.frameworks();
        let site = |ctx: &Ctx<'a>, form: FormId, found: &mut Found| {
            let site =
                Site { callee: &METHOD, args: &[], call: None, definition: Some(definition), span: definition.span };
            self.register(form, frameworks.form(form), Strength::Certain, &site, ctx, found);
        };
        if definition.kind == DefinitionKind::Class {
            for &candidate in frameworks.derivable(family) {
                let CalleePattern::Imported(path) = &frameworks.form(candidate).path else { continue };
                let Some(base) = path.last() else { continue };
                if self.derives(definition.body, ctx, base, candidate.framework, 0) {
                    site(ctx, candidate, found);
                }
            }
            return;
        }
        for &candidate in frameworks.candidates(family, &definition.name) {
            let form = frameworks.form(candidate);
            let CalleePattern::Imported(path) = &form.path else { continue };
            let [.., base, _] = path.as_slice() else { continue };
            if form.on == On::Method && self.derives(definition.scope, ctx, base, candidate.framework, 0) {
                site(ctx, candidate, found);
            }
        }
    }

    /// A file that a framework loads because of the folder it lies in.
    fn modules(&self, family: Family, file: FileId, found: &mut Found) {
        let frameworks = self.world.frameworks();
        for &id in frameworks.modules(family) {
            let form = frameworks.form(id);
            let CalleePattern::Folder(folder) = &form.path else { continue };
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

    /// Whether a class has a base, however far up, of this name from the framework's packages.
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

    /// Whether a place is this framework's form, and how surely.
    #[inline(never)]
    fn strength(&self, id: FormId, form: &Form, site: &Site<'a>, ctx: &Ctx<'a>) -> Option<Strength> {
        if let CalleePattern::Imported(_) = form.path {
            if self.is_imported(site.callee, ctx, &form.path, id.framework) {
                return Some(Strength::Certain);
            }
            let framework = &self.world.frameworks().rows[id.framework];
            let facts = self.world.facts(ctx.file)?;
            let inert = form.gate == Gate::Inert && matches!(site.callee, Expr::Name { .. });
            return (inert && facts.imports_any(&|module| framework.owns_module(module))).then_some(Strength::File);
        }
        let Expr::Member { object, .. } = site.callee else {
            return None;
        };
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
            Value::External { module, .. } => {
                let frameworks = self.world.frameworks();
                let owner = frameworks.owner_of_module(self.world.family(ctx.file)?, module);
                match owner {
                    Some(owner) if owner != id.framework => return None,
                    // Something of a package that is none of a framework: its shape is all there is.
                    None if form.gate == Gate::File => {
                        return self.world.project_uses(ctx.file, id.framework).then_some(Strength::Project);
                    }
                    _ => {}
                }
            }
            // An object of some other package, or of a class whose method this is.
            Value::Expr(Expr::Call(call), at) => {
                let call = self.item(at.file, at.item).call(*call);
                let class = self.eval(&call.callee, at);
                if matches!(class, Value::External { .. }) {
                    return None;
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
        let facts = self.world.facts(ctx.file)?;
        let framework = &self.world.frameworks().rows[id.framework];
        let imports = facts.imports_any(&|module| framework.owns_module(module));
        if imports {
            return Some(Strength::File);
        }
        // A receiver that another file of the project made says as much as an import.
        let from_project = receiver.blocked().is_some() && form.gate == Gate::File;
        let telling = form.gate == Gate::Project || from_project;
        (telling && self.world.project_uses(ctx.file, id.framework)).then_some(Strength::Project)
    }

    fn register(&self, id: FormId, form: &Form, strength: Strength, site: &Site<'a>, ctx: &Ctx<'a>, found: &mut Found) {
        match form.kind {
            Kind::Server => {
                let Some(call) = site.call else { return };
                let name = match self.first(&form.name, site, ctx, None) {
                    Some(Value::Text(name)) if name.unknown().is_none() => Some(name),
                    _ => None,
                };
                found.servers.push(ServerObject {
                    key: ServerKey::Object { file: ctx.file, item: ctx.item, call },
                    name,
                    framework: id.framework,
                    place: ctx.place(site.span),
                });
            }
            Kind::Dynamic => {
                if form.each.as_ref().is_some_and(|each| matches!(self.select(each, site, ctx, None), Value::Absent)) {
                    return;
                }
                let (servers, _) = self.servers(&form.server, site, ctx, 0);
                let reason = form.reason.clone().unwrap_or_default().to_string();
                found.dynamics.push(Dynamic {
                    place: ctx.place(site.span),
                    partial: None,
                    reason: reason.into(),
                    servers,
                    is_said: true,
                    by_hand: false,
                });
            }
            Kind::Mount => self.mount(form, site, ctx, found),
            Kind::Dispatch => {
                let (servers, _) = self.servers(&form.server, site, ctx, 0);
                found.dispatches.extend(self.dispatches(form, site, ctx, &servers));
            }
            Kind::Tool | Kind::Prompt | Kind::Resource => {
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

    /// A server that is taken into another one.
    fn mount(&self, form: &Form, site: &Site<'a>, ctx: &Ctx<'a>, found: &mut Found) {
        let (parents, _) = self.servers(&form.server, site, ctx, 0);
        let mut children = Vec::new();
        if let Some(each) = &form.each {
            self.server_keys(&self.select(each, site, ctx, None), &mut children);
        }
        let prefix = match self.first(&form.name, site, ctx, None) {
            None => Some(None),
            Some(Value::Text(text)) if text.unknown().is_none() => {
                let mut prefix = text;
                if !prefix.text().is_empty() {
                    prefix.parts.push(Part { text: form.separator.clone(), origin: Origin::Framework });
                }
                Some(Some(prefix))
            }
            Some(_) => None,
        };
        match prefix {
            Some(prefix) if !children.is_empty() => {
                let mount = |child| Mount { parents: parents.clone(), child, prefix: prefix.clone() };
                found.mounts.extend(children.into_iter().map(mount));
            }
            _ if parents.is_empty() => {}
            _ => found.dynamics.push(Dynamic {
                place: ctx.place(site.span),
                partial: None,
                reason: "the tools of another server, under a prefix".into(),
                servers: parents,
                is_said: true,
                by_hand: false,
            }),
        }
    }

    fn file(&self, id: FormId, form: &Form, strength: Strength, out: Gathered, found: &mut Found) {
        // A method of a common name, in a file that shows nothing of the framework.
        let by_shape = form.gate == Gate::File && strength == Strength::Project;
        let mut seen: FxHashSet<(Vec<Option<Place>>, Vec<ServerKey>, Place)> = FxHashSet::default();
        for instance in out.instances {
            let origins = instance.name.parts.iter().map(Part::place).collect();
            // One server object reached in two ways is one server: the same text registered by the same place
            // is one registration.
            if !seen.insert((origins, instance.servers.clone(), instance.place)) {
                continue;
            }
            let servers_unknown = instance.servers.is_empty();
            let kept = if form.fallback { &mut found.shaped } else { &mut found.registrations };
            kept.push(Registration {
                kind: form.kind,
                framework: id.framework,
                name: instance.name,
                title: instance.title,
                description: instance.description,
                annotations: instance.annotations,
                servers: instance.servers,
                place: instance.place,
                naming: instance.naming,
                body: instance.body,
                conditional: instance.conditional,
                listed: instance.listed,
                confidence: match (form.fallback || by_shape && servers_unknown, instance.derived) {
                    (true, _) => Confidence::Heuristic,
                    (false, true) => Confidence::Derived,
                    (false, false) => Confidence::Exact,
                },
            });
        }
        for dynamic in out.dynamics {
            if form.kind == Kind::Tool && !form.fallback && !found.dynamics.contains(&dynamic) {
                found.dynamics.push(dynamic);
            }
        }
    }

    /// Everything that a site registers under `ctx`, trying each caller and element where that is what it takes.
    #[inline(never)]
    fn instances(&self, form: &Form, site: &Site<'a>, ctx: &Ctx<'a>, depth: u32, out: &mut Gathered) {
        if out.instances.len() > MAX_INSTANCES || self.is_exhausted() {
            return out.dynamic(ctx.place(site.span), None, "it registers too many tools to follow", Vec::new());
        }
        let mut one_of_several = false;
        let elements = match &form.each {
            None => vec![None],
            Some(each) => {
                let list = self.select(each, site, ctx, None);
                if let Some(key) = list.blocked() {
                    return self.branch(key, form, site, ctx, depth, None, &list, out);
                }
                if matches!(list, Value::Absent) {
                    // What a handler answers has a list somewhere; what a call may be given, it may be without.
                    let handler = Selector { start: each.start.clone(), steps: Vec::new() };
                    let is_there = each.start == Start::Definition
                        || !matches!(self.select(&handler, site, ctx, None), Value::Absent);
                    if each.steps.contains(&Step::Return) && is_there {
                        let (servers, _) = self.servers(&form.server, site, ctx, depth);
                        out.dynamic(ctx.place(site.span), None, "an answer in which no list can be seen", servers);
                    }
                    return;
                }
                out.is_list = true;
                let elements = self.elements(&list);
                one_of_several = elements.one_of_several;
                if let Some(unknown) = &elements.rest {
                    if let Some(key) = unknown.blocked {
                        return self.branch(key, form, site, ctx, depth, None, &list, out);
                    }
                    let (servers, _) = self.servers(&form.server, site, ctx, depth);
                    out.dynamic(ctx.place(site.span), None, unknown.reason.clone(), servers);
                }
                elements.known.into_iter().map(Some).collect()
            }
        };
        let names: Vec<Option<Value<'a>>> =
            elements.iter().map(|element| self.first_name(&form.name, site, ctx, element.as_ref())).collect();
        if let Some((name, key)) = names.iter().flatten().find_map(|name| Some((name, name.blocked()?))) {
            let before = out.instances.len();
            self.branch(key, form, site, ctx, depth, partial(name), name, out);
            // Some of the names that it may have can be known all the same: `single ? "query" : "query_" + source`.
            let is_known = |name: &Value<'a>| matches!(name, Value::Choice(options) if options.iter().any(is_whole));
            if out.instances.len() > before || !names.iter().flatten().any(is_known) {
                return;
            }
        }
        let (servers, server_depth) = self.servers(&form.server, site, ctx, depth);
        let derived = depth > 0 || form.each.is_some() && server_depth > 0;
        for (element, name) in elements.iter().zip(names) {
            let element = element.as_ref();
            let place = element.and_then(|element| self.place_of(element)).unwrap_or(ctx.place(site.span));
            let mut instance = |name: Traced, one_of_several: bool| {
                let text = |selectors| match self.first(selectors, site, ctx, element) {
                    Some(Value::Text(text)) if text.unknown().is_none() => Some(text),
                    _ => None,
                };
                out.instances.push(Instance {
                    title: text(&form.title),
                    description: text(&form.description),
                    annotations: self.annotations(&form.annotations, site, ctx, element),
                    name,
                    place,
                    servers: servers.clone(),
                    naming: self.naming(form, site, ctx),
                    body: self.body(ctx),
                    conditional: one_of_several
                        || self.first(&form.variant, site, ctx, element).is_some()
                        || self.is_conditional(site, ctx),
                    listed: form.each.is_some(),
                    derived: derived || one_of_several,
                });
            };
            match name {
                Some(Value::Text(name)) if name.unknown().is_none() => instance(name, one_of_several),
                // `.tool({ … })` of something else: an object where the name should be.
                Some(Value::Expr(Expr::Object { .. } | Expr::Function { .. } | Expr::Array { .. }, _)) | None
                    if form.each.is_none() => {}
                Some(Value::Choice(options)) if options.iter().any(is_whole) => {
                    for option in options.iter() {
                        match option {
                            Value::Text(name) if name.unknown().is_none() => instance(name.clone(), true),
                            _ => {}
                        }
                    }
                    if !options.iter().all(is_whole) {
                        let reason = "one of several names, chosen at run time";
                        out.dynamic(ctx.place(site.span), choice(&options), reason, servers.clone());
                    }
                }
                name => {
                    let (partial, reason) = match &name {
                        Some(value @ (Value::Text(_) | Value::Unknown(_))) => (partial(value), reason(value)),
                        Some(Value::Choice(options)) => {
                            (choice(options), "one of several names, chosen at run time".into())
                        }
                        Some(_) => (None, "a name that is not a string".into()),
                        None => (None, "an element without a name that can be seen".into()),
                    };
                    out.dynamic(ctx.place(site.span), partial, reason, servers.clone());
                }
            }
        }
    }

    /// Tries every caller of the function, or every element of the loop, that `key` names.
    #[allow(clippy::too_many_arguments)]
    #[inline(never)]
    fn branch(
        &self,
        key: ScopeKey,
        form: &Form,
        site: &Site<'a>,
        ctx: &Ctx<'a>,
        depth: u32,
        partial: Option<String>,
        value: &Value<'a>,
        out: &mut Gathered,
    ) {
        let servers = || self.servers(&form.server, site, ctx, depth).0;
        if depth >= MAX_CALLERS {
            let place = ctx.place(site.span);
            return out.dynamic(place, partial, "too many functions lead to it", servers());
        }
        out.is_list = true;
        match self.activations_and_rest(key, ctx) {
            Ok((activations, rest)) => {
                // Nobody loops over nothing: what fills the list was not seen.
                let nothing = activations.is_empty().then_some(NOTHING_SEEN.into());
                if let Some(reason) = rest.map(|rest| rest.reason).or(nothing) {
                    out.dynamic(ctx.place(site.span), partial, reason, servers());
                }
                for inside in activations {
                    self.instances(form, site, &inside, depth + 1, out);
                }
            }
            Err(Unknown { blocked: Some(outer), .. }) => {
                self.branch(outer, form, site, ctx, depth + 1, partial, value, out);
            }
            Err(unknown) if self.is_loop(key) => {
                out.dynamic(ctx.place(site.span), partial, unknown.reason, servers());
            }
            Err(_) => {
                let callers = self.callers(key, ctx);
                let said = callers.is_empty();
                if said {
                    out.dynamic(ctx.place(site.span), partial, reason(value), servers());
                }
                let before = out.instances.len();
                for inside in callers {
                    self.instances(form, site, &inside, depth + 1, out);
                }
                // Where no caller tells, what the function takes by default is what it registers by default.
                if out.instances.len() == before
                    && let Some(inside) = self.by_default(key, ctx)
                {
                    let known = out.dynamics.len();
                    self.instances(form, site, &inside, depth + 1, out);
                    out.dynamics.truncate(known);
                }
                // Where nothing shows what a method is called on, it is called on instances of whatever derives from
                // its class.
                if out.instances.len() == before {
                    let known = out.dynamics.len();
                    for inside in self.on_each_derived(key, ctx) {
                        self.instances(form, site, &inside, depth + 1, out);
                    }
                    let found = out.instances.len() > before;
                    out.dynamics.truncate(known - usize::from(said && found));
                }
            }
        }
    }

    /// `ctx` with the variable that a name is asked of standing for an instance of each class that derives from one
    /// that its file imports: in `for (const tool of found) server.registerTool(tool.getName(), …)` a `tool` that
    /// nobody can see is one of the `BaseTool` that the file speaks of.
    fn of_imported_base(&self, form: &Form, site: &Site<'a>, ctx: &Ctx<'a>) -> Vec<Ctx<'a>> {
        let Some(&Selector { start: Start::Arg(index), ref steps }) = form.name.first() else { return Vec::new() };
        let mut positional = site.args.iter().filter(|arg| arg.name.is_none());
        let arg = usize::try_from(index).ok().filter(|_| steps.is_empty()).and_then(|index| positional.nth(index));
        let facts = self.item(ctx.file, ctx.item);
        let Some((object, member)) = arg.and_then(|arg| match &arg.value {
            Expr::Call(id) => asked_of(&facts.call(*id).callee),
            value => asked_of(value),
        }) else {
            return Vec::new();
        };
        let around = std::iter::successors(Some(ctx.scope), |scope| facts.scope(*scope).parent);
        let mut binders = around.filter_map(|scope| {
            let binding = facts.scope(scope).bindings.iter().find(|binding| binding.name == *object)?;
            Some((ctx.key(scope), &binding.value))
        });
        let (key, index) = match binders.next() {
            Some((key, Bound::Element { path })) if path.is_empty() => (key, None),
            Some((key, Bound::Param { index, path })) if path.is_empty() => (key, Some(*index as usize)),
            _ => return Vec::new(),
        };
        let activation = |value: Value<'a>| match index {
            Some(index) => Activation::Given { index, value },
            None => Activation::Element(value),
        };
        let Some(file) = self.world.facts(ctx.file) else { return Vec::new() };
        let imports = file.top_level.iter().filter(|(name, places)| {
            name.starts_with(char::is_uppercase)
                && places.iter().any(|&(item, index)| {
                    let binding = &self.item(ctx.file, item).scopes[0].bindings[index as usize];
                    matches!(binding.value, Bound::Import { .. })
                })
        });
        let mut names: Vec<&SmolStr> = imports.map(|(name, _)| name).collect();
        names.sort();
        let mut all = Vec::new();
        for name in names {
            let Value::Expr(Expr::Class { scope, .. }, home) = self.name(name, &Ctx::new(ctx.file, 0, ScopeId(0)))
            else {
                continue;
            };
            let home = &home.at(&Ctx::new(home.file, home.item, *scope));
            for derived in self.derived_from(*scope, home) {
                if !matches!(self.member(&derived, &Key::Field(member.clone())), Value::Absent) {
                    all.push(ctx.with(key, activation(derived)));
                }
            }
        }
        all
    }

    pub(super) fn is_loop(&self, key: ScopeKey) -> bool {
        match &self.item(key.file, key.item).scope(key.scope).kind {
            ScopeKind::Loop { .. } => true,
            ScopeKind::Function(function) => function.each.is_some(),
            _ => false,
        }
    }

    /// The servers that a registration goes to, and how many callers it took to find them.
    #[inline(never)]
    fn servers(&self, selectors: &[Selector], site: &Site<'a>, ctx: &Ctx<'a>, depth: u32) -> (Vec<ServerKey>, u32) {
        let mut keys = Vec::new();
        let mut deepest = 0;
        if selectors.is_empty() {
            // The form may itself be the call that makes the server.
            if let Some(id) = site.call
                && let Some(Value::Server { key, .. }) = self.server(self.item(ctx.file, ctx.item).call(id), id, ctx)
            {
                keys.push(key);
            }
            return (keys, 0);
        }
        let mut seen = FxHashSet::default();
        let mut open = vec![(ctx.clone(), 0)];
        while let Some((ctx, hops)) = open.pop() {
            deepest = deepest.max(hops);
            let Some(value) = self.first(selectors, site, &ctx, None) else {
                continue;
            };
            self.server_keys(&value, &mut keys);
            if let Some(key) = value.blocked().filter(|_| hops + depth < MAX_CALLERS) {
                let next = self.surroundings(key, &ctx);
                if seen.insert((key, hops)) {
                    open.extend(next.into_iter().map(|ctx| (ctx, hops + 1)));
                }
            }
        }
        keys.sort();
        keys.dedup();
        (keys, deepest)
    }

    pub(super) fn server_keys(&self, value: &Value<'a>, keys: &mut Vec<ServerKey>) {
        match value {
            Value::Server { key, .. } => keys.push(key.clone()),
            Value::Choice(options) => options.iter().for_each(|option| self.server_keys(option, keys)),
            Value::Expr(Expr::Class { scope, .. }, ctx) => keys.extend(self.class_key(*scope, ctx)),
            _ => {}
        }
    }

    fn place_of(&self, value: &Value<'a>) -> Option<Place> {
        match value {
            Value::Expr(expr, ctx) => Some(ctx.place(expr.span(self.item(ctx.file, ctx.item)))),
            _ => None,
        }
    }
}

/// The variable that something is asked of, and what is asked: `tool` and `name` for `tool.name`.
fn asked_of(expr: &Expr) -> Option<(&SmolStr, &SmolStr)> {
    match expr {
        Expr::Member { object, key: Key::Field(member), .. } => match &**object {
            Expr::Name { name, .. } => Some((name, member)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a value is a text that is wholly known.
fn is_whole(value: &Value<'_>) -> bool {
    matches!(value, Value::Text(text) if text.unknown().is_none())
}

/// What one site registers, while it is gathered.
#[derive(Default)]
struct Gathered {
    instances: Vec<Instance>,
    dynamics: Vec<Dynamic>,
    /// There is a list of what it registers, or a loop around it, or a function that is called for each.
    is_list: bool,
}

impl Gathered {
    fn dynamic(
        &mut self,
        place: Place,
        partial: Option<String>,
        reason: impl Into<std::borrow::Cow<'static, str>>,
        servers: Vec<ServerKey>,
    ) {
        self.dynamics.push(Dynamic { place, partial, reason: reason.into(), servers, is_said: false, by_hand: false });
    }
}

/// Whether the arguments are those of the form.
fn fits(form: &Form, site: &Site<'_>) -> bool {
    let called = site.call.is_some();
    if form.on == On::CalledDecorator && !called {
        return false;
    }
    if site.args.len() < form.min_args {
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
        value => value.last_name().is_some_and(|name| form.first.contains(name)),
    }
}

fn reason(value: &Value<'_>) -> std::borrow::Cow<'static, str> {
    match value {
        Value::Unknown(unknown) => unknown.reason.clone(),
        Value::Text(text) => text.unknown().map_or("".into(), |unknown| unknown.reason.clone()),
        _ => "a name that is not a string".into(),
    }
}

/// What is known of a name that is not wholly known.
fn partial(value: &Value<'_>) -> Option<String> {
    match value {
        Value::Text(text) if text.parts.iter().any(|part| part.place().is_some()) => Some(text.text()),
        _ => None,
    }
}

fn choice(options: &[Value<'_>]) -> Option<String> {
    let names: Vec<String> = options
        .iter()
        .filter_map(|option| match option {
            Value::Text(text) if text.unknown().is_none() => Some(text.text()),
            _ => None,
        })
        .collect();
    (!names.is_empty()).then(|| names.join("|"))
}
