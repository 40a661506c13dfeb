//! The registrations at one place: every caller and every element is tried, as far as the names depend on them.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::dispatch::Tables;
use super::environment::{Activation, Ctx};
use super::expression::Evaluator;
use super::fuel::MAX_NAME;
use super::register::Site;
use super::value::Value;
use super::{Dynamic, Lack, Naming, Origin, Part, Place, ScopeKey, ServerKey, Traced, Unknown};
use crate::framework::{Form, Gate, Selector, Start, Step};
use crate::lower::{Bound, Expr, Key, ScopeId, ScopeKind};
use crate::text::FileId;

/// How many registrations one place may have; the rest is reported as dynamic.
const MAX_INSTANCES: usize = 5_000;
/// The reason for a name that is too long to be one.
const LONG_NAME: &str = "a name of more than 4 KiB";
/// The reason for a list without any known element.
pub(super) const NOTHING_SEEN: &str = "a list whose elements cannot be determined";
/// How many steps a tool's title, description, schema or handler may take, so that enough are left for names.
const MAX_STEPS_OF_A_DETAIL: u32 = 1_000;
/// How many levels of callers, or of base classes, are searched.
pub(super) const MAX_CALLERS: u32 = 12;

/// One registration of a site, before it is recorded for the file.
pub(super) struct Instance {
    pub(super) name: Traced,
    pub(super) title: Option<Traced>,
    pub(super) untitled: bool,
    pub(super) title_place: Option<Lack>,
    pub(super) description: Option<Traced>,
    pub(super) annotations: Vec<(SmolStr, bool)>,
    pub(super) schema: Option<Place>,
    pub(super) handler: Option<Place>,
    pub(super) place: Place,
    pub(super) servers: Vec<ServerKey>,
    pub(super) naming: Option<Naming>,
    pub(super) body: (FileId, u32, ScopeId),
    pub(super) conditional: bool,
    pub(super) filtered: bool,
    pub(super) listed: bool,
    pub(super) listing: Option<Place>,
    pub(super) keys: Vec<Place>,
    pub(super) derived: bool,
}

/// How many steps a registration on several servers costs for each of them.
const STEPS_A_SERVER: usize = 16;

impl<'a> Evaluator<'a> {
    /// Adds everything that a site registers in `ctx` to `out`, trying each caller and element on which the names
    /// depend.
    #[inline(never)]
    pub(super) fn instances(&self, form: &Form, site: &Site<'a>, ctx: &Ctx<'a>, depth: u32, out: &mut Gathered) {
        if out.instances.len() > MAX_INSTANCES || self.is_exhausted() {
            return out.dynamic(ctx.place(site.span), None, "it registers too many tools to follow", Vec::new());
        }
        if self.is_passed_over(site, ctx) {
            return;
        }
        let mut one_of_several = false;
        let mut doubtful = Vec::new();
        let elements = match &form.each {
            None => vec![None],
            Some(each) => {
                let list = match (self.select(each, site, ctx, None), &form.or_each) {
                    (list @ (Value::Absent | Value::Unknown(Unknown { blocked: None, .. })), Some(other)) => {
                        match self.select(other, site, ctx, None) {
                            Value::Absent | Value::Unknown(Unknown { blocked: None, .. }) => list,
                            found => found,
                        }
                    }
                    (list, _) => list,
                };
                if let Some(key) = list.blocked() {
                    return self.branch(key, form, site, ctx, depth, None, &list, out);
                }
                if matches!(list, Value::Absent) {
                    // The response of a handler contains a list somewhere, whereas an argument of a call may be
                    // missing.
                    let handler = Selector { start: each.start.clone(), steps: Vec::new() };
                    let is_there = each.start == Start::Definition
                        || !matches!(self.select(&handler, site, ctx, None), Value::Absent);
                    if each.steps.contains(&Step::Return) && is_there {
                        let (servers, _) = self.servers(&form.server, site, ctx, depth);
                        out.dynamic(
                            ctx.place(site.span),
                            None,
                            "a response whose list of tools cannot be determined",
                            servers,
                        );
                    }
                    return;
                }
                out.is_list = true;
                let elements = self.elements(&list);
                one_of_several = elements.one_of_several;
                doubtful.clone_from(&elements.doubtful);
                let names = elements.left_out.iter().map(|one| self.first_name(&form.name, site, ctx, Some(one)));
                out.left_out.extend(names.filter_map(|name| match name? {
                    Value::Text(name) => name.parts.first()?.place(),
                    _ => None,
                }));
                if let Some(unknown) = &elements.rest {
                    if let Some(key) = unknown.blocked {
                        return self.branch(key, form, site, ctx, depth, None, &list, out);
                    }
                    let (servers, _) = self.servers(&form.server, site, ctx, depth);
                    let place = unknown.at.unwrap_or(ctx.place(site.span));
                    out.dynamic(place, None, unknown.reason.clone(), servers);
                }
                elements.known.into_iter().map(Some).collect()
            }
        };
        let names: Vec<Option<Value<'a>>> =
            elements.iter().map(|element| self.first_name(&form.name, site, ctx, element.as_ref())).collect();
        if let Some((name, key)) = names.iter().flatten().find_map(|name| Some((name, name.blocked()?))) {
            let before = out.instances.len();
            self.branch(key, form, site, ctx, depth, partial(name), name, out);
            // Some of the possible names may be known nevertheless: `single ? "query" : "query_" + source`.
            let is_known = |name: &Value<'a>| matches!(name, Value::Choice(options) if options.iter().any(is_whole));
            if out.instances.len() > before || !names.iter().flatten().any(is_known) {
                return;
            }
        }
        if let Some(key) = self.told_apart(ctx) {
            let unknown = Value::unknown("a condition");
            return self.branch(key, form, site, ctx, depth, None, &unknown, out);
        }
        let (servers, server_depth) = self.servers(&form.server, site, ctx, depth);
        let derived = depth > 0 || form.each.is_some() && server_depth > 0;
        for (index, (element, name)) in elements.iter().zip(names).enumerate() {
            let filtered = doubtful.contains(&index);
            let element = element.as_ref();
            let place = element.and_then(|element| self.place_of(element)).unwrap_or(ctx.place(site.span));
            let mut instance = |mut name: Traced, one_of_several: bool| {
                self.keep(&name);
                let keys = self.keys_by_name(&name, ctx, &mut out.tables);
                if !form.prefix.is_empty() {
                    name.parts.insert(0, Part { text: form.prefix.clone(), origin: Origin::Framework });
                }
                let detail = |selectors| {
                    self.within(MAX_STEPS_OF_A_DETAIL, || self.first(selectors, site, ctx, element)).flatten()
                };
                let text = |selectors| match detail(selectors) {
                    Some(Value::Text(text)) if text.unknown().is_none() => Some(text),
                    _ => None,
                };
                let untitled = self.first(&form.title, site, ctx, element).is_none();
                let title_place = untitled.then(|| self.lacking(&form.title, site, ctx, element)).flatten();
                out.instances.push(Instance {
                    title: text(&form.title),
                    untitled,
                    title_place,
                    description: text(&form.description),
                    annotations: self.annotations(&form.annotations, site, ctx, element),
                    schema: self.place_at(&form.schema, site, ctx, element),
                    handler: self.place_at(&form.handler, site, ctx, element),
                    name,
                    place,
                    servers: servers.clone(),
                    naming: self.naming(form, site, ctx),
                    body: self.body(ctx),
                    filtered,
                    conditional: one_of_several
                        || filtered
                        || self.first(&form.variant, site, ctx, element).is_some()
                        || self.is_conditional(site, ctx)
                        || self.is_of_one_call(&servers, ctx),
                    listed: form.each.is_some(),
                    listing: form.each.is_some().then(|| ctx.place(site.span)),
                    keys,
                    derived: derived || one_of_several,
                });
            };
            match name {
                // A name that is empty here gets its text elsewhere.
                Some(Value::Text(name)) if name.text().is_empty() && (depth > 0 || form.each.is_some()) => {
                    out.dynamic(
                        ctx.place(site.span),
                        None,
                        "the name is empty here and assigned elsewhere",
                        servers.clone(),
                    );
                }
                Some(Value::Text(name)) if name.is_too_long() => {
                    let place = name.parts.iter().find_map(Part::place).unwrap_or(ctx.place(site.span));
                    out.dynamic(place, None, LONG_NAME, servers.clone());
                }
                Some(Value::Text(name)) if name.unknown().is_none() => instance(name, one_of_several),
                // An unrelated `.tool({ … })`: there is an object, a function or an array where the name would be.
                Some(Value::Expr(Expr::Object { .. } | Expr::Function { .. } | Expr::Array { .. }, _))
                    if form.each.is_none() => {}
                None if form.each.is_none() => {
                    // There is an argument for the name, and the name of the method shows that it is the framework's.
                    let given = match form.name.first() {
                        Some(Selector { start: Start::Arg(index), steps }) if steps.is_empty() => {
                            usize::try_from(*index).is_ok_and(|index| index < site.args.len())
                        }
                        _ => false,
                    };
                    if given && form.gate == Gate::Project {
                        out.dynamic(
                            ctx.place(site.span),
                            None,
                            "the name is assigned in code that toolnames cannot see",
                            servers.clone(),
                        );
                    }
                }
                Some(Value::Choice(options)) if options.iter().any(is_whole) => {
                    for option in options.iter() {
                        match option {
                            Value::Text(name) if is_whole(option) && !name.text().is_empty() => {
                                instance(name.clone(), true);
                            }
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
                        Some(Value::Expr(Expr::Call(id), at)) => {
                            (None, self.result_of(&self.item(at.file, at.item).call(*id).callee))
                        }
                        Some(_) => (None, "a name that is not a string".into()),
                        None => (None, "an element whose name cannot be determined".into()),
                    };
                    let place = name.as_ref().and_then(outgrown_at).unwrap_or(ctx.place(site.span));
                    out.dynamic(place, partial, reason, servers.clone());
                }
            }
        }
    }

    /// Whether a place is not reached in the known activations of the functions and loops around it: it is in a branch
    /// that does not run, or after a `return` or `continue` that does.
    fn is_passed_over(&self, site: &Site<'a>, ctx: &Ctx<'a>) -> bool {
        if ctx.env.is_none() {
            return false;
        }
        let facts = self.item(ctx.file, ctx.item);
        let around = std::iter::successors(Some(ctx.scope), |scope| facts.scope(*scope).parent);
        let mut called = around.filter(|&scope| {
            let is_run = matches!(facts.scope(scope).kind, ScopeKind::Function(_) | ScopeKind::Loop { .. });
            is_run && ctx.frame(ctx.key(scope)).is_some()
        });
        called.any(|function| {
            let leaves_before = facts.scope(function).returns.iter().any(|returned| {
                returned.value.span(facts).end <= site.span.start
                    && self.runs(returned.scope, function, ctx) == Some(true)
            });
            leaves_before || self.runs(ctx.scope, function, ctx) == Some(false)
        })
    }

    /// The enclosing function or loop with the variable that decides whether a place is reached, by comparison with a
    /// literal: `if (tool.name === "read_note")`.
    fn told_apart(&self, ctx: &Ctx<'a>) -> Option<ScopeKey> {
        let facts = self.item(ctx.file, ctx.item);
        let around = std::iter::successors(Some(ctx.scope), |scope| facts.scope(*scope).parent);
        let branches = around.filter(|scope| matches!(facts.scope(*scope).kind, ScopeKind::Branch));
        let tests = branches.flat_map(|branch| {
            let outside = ctx.in_scope(facts.scope(branch).parent.unwrap_or(branch));
            facts
                .conditions_of(branch)
                .iter()
                .flat_map(|condition| &condition.any)
                .map(move |test| (test, outside.clone()))
        });
        let of_names = tests.filter(|(test, _)| match test {
            Expr::Equal { left, right, .. } => [left, right].iter().any(|side| matches!(***side, Expr::Text { .. })),
            _ => false,
        });
        of_names.into_iter().find_map(|(test, at)| self.eval(test, &at).blocked())
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
            return out.dynamic(place, partial, "it is reached through too many functions", servers());
        }
        out.is_list = true;
        match self.activations_and_rest(key, ctx) {
            Ok((activations, rest)) => {
                // A loop over an empty list is pointless: the code that fills the list was not found.
                let nothing = activations.is_empty().then_some(NOTHING_SEEN.into());
                let place = rest.as_ref().and_then(|rest| rest.at).unwrap_or(ctx.place(site.span));
                if let Some(reason) = rest.map(|rest| rest.reason).or(nothing) {
                    out.dynamic(place, partial, reason, servers());
                }
                for inside in activations {
                    self.instances(form, site, &inside, depth + 1, out);
                }
            }
            Err(Unknown { blocked: Some(outer), .. }) => {
                self.branch(outer, form, site, ctx, depth + 1, partial, value, out);
            }
            Err(unknown) if self.is_loop(key) => {
                let place = unknown.at.unwrap_or(ctx.place(site.span));
                out.dynamic(place, partial, unknown.reason, servers());
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
                // If no caller determines the names, the function's default arguments do.
                if out.instances.len() == before
                    && let Some(inside) = self.by_default(key, ctx)
                {
                    let known = out.dynamics.len();
                    self.instances(form, site, &inside, depth + 1, out);
                    out.dynamics.truncate(known);
                }
                // If the receiver of a method is unknown, it is an instance of any class that derives from the method's
                // class.
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

    /// Copies of `ctx`, in which the variable that supplies the name is bound to each class that derives from a class
    /// imported by the file: in `for (const tool of found) server.registerTool(tool.getName(), …)` an unknown `tool` is
    /// taken for a `BaseTool` that the file imports.
    pub(super) fn of_imported_base(&self, form: &Form, site: &Site<'a>, ctx: &Ctx<'a>) -> Vec<Ctx<'a>> {
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
            let binding = *facts.bindings_of(scope, object).first()?;
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
        // If several bases have the member, those are taken that have the most of the members that the code reads from
        // the variable.
        let asked = facts.calls.iter().filter_map(|call| asked_of(&call.callee)).filter(|(name, _)| *name == object);
        let asked: Vec<&SmolStr> = asked.map(|(_, member)| member).collect();
        let mut best: (usize, Vec<Value<'a>>) = (0, Vec::new());
        for name in names {
            let base = self.name(name, &Ctx::new(ctx.file, 0, ScopeId(0)));
            let Value::Expr(Expr::Class { scope, .. }, home) = &base else { continue };
            let has = |class: &Value<'a>, member: &SmolStr| {
                !matches!(self.member(class, &Key::Field(member.clone())), Value::Absent)
            };
            let derived = self.derived_from(*scope, &home.at(&Ctx::new(home.file, home.item, *scope)));
            let derived: Vec<Value<'a>> = derived.into_iter().filter(|class| has(class, member)).collect();
            // Members that a base only declares are defined in its derived classes.
            let count = 1 + asked.iter().filter(|asked| derived.iter().any(|class| has(class, asked))).count();
            if derived.is_empty() || count < best.0 {
                continue;
            }
            if count > best.0 {
                best = (count, Vec::new());
            }
            best.1.extend(derived);
        }
        best.1.into_iter().map(|class| ctx.with(key, activation(class))).collect()
    }

    pub(super) fn is_loop(&self, key: ScopeKey) -> bool {
        match &self.item(key.file, key.item).scope(key.scope).kind {
            ScopeKind::Loop { .. } => true,
            ScopeKind::Function(function) => function.each.is_some(),
            _ => false,
        }
    }

    /// The servers on which something is registered, and how many levels of callers it took to find them.
    #[inline(never)]
    pub(super) fn servers(
        &self,
        selectors: &[Selector],
        site: &Site<'a>,
        ctx: &Ctx<'a>,
        depth: u32,
    ) -> (Vec<ServerKey>, u32) {
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
        // A registration on several servers is stored once for each.
        if keys.len() > 1 {
            self.spend(keys.len() * STEPS_A_SERVER);
        }
        (keys, deepest)
    }

    pub(super) fn server_keys(&self, value: &Value<'a>, keys: &mut Vec<ServerKey>) {
        match value {
            Value::Server { key, .. } => keys.push(key.clone()),
            Value::Choice(options) => options.iter().for_each(|option| self.server_keys(option, keys)),
            Value::Expr(Expr::Class { scope, .. }, ctx) => keys.extend(self.class_key(*scope, ctx)),
            // An instance has everything that its class has.
            Value::Expr(Expr::Call(id), at) => {
                let call = self.item(at.file, at.item).call(*id);
                if let Value::Expr(Expr::Class { scope, .. }, ctx) = self.eval(&call.callee, at) {
                    keys.extend(self.class_key(*scope, &ctx));
                }
            }
            _ => {}
        }
    }

    /// Whether a server is created in a function of which `ctx` has the activation: each call of the function creates
    /// one, and may register other tools.
    fn is_of_one_call(&self, servers: &[ServerKey], ctx: &Ctx<'a>) -> bool {
        servers.iter().any(|key| match key {
            ServerKey::Object { file, item, call, .. } => {
                let home = Ctx::new(*file, *item, self.item(*file, *item).call(*call).scope);
                let (_, _, function) = self.body(&home);
                ctx.frame(home.key(function)).is_some()
            }
            ServerKey::Class { .. } => false,
        })
    }

    /// The place of the first value that a selector finds; `None` if it has no place.
    pub(super) fn place_at(
        &self,
        selectors: &[Selector],
        site: &Site<'a>,
        ctx: &Ctx<'a>,
        each: Option<&Value<'a>>,
    ) -> Option<Place> {
        let value = self.within(MAX_STEPS_OF_A_DETAIL, || self.first(selectors, site, ctx, each));
        value.flatten().and_then(|value| self.place_of(&value))
    }

    pub(super) fn place_of(&self, value: &Value<'a>) -> Option<Place> {
        match value {
            Value::Expr(expr, ctx) => Some(ctx.place(expr.span(self.item(ctx.file, ctx.item)))),
            _ => None,
        }
    }
}

/// A variable and the member that is read from it: `tool` and `name` for `tool.name`.
fn asked_of(expr: &Expr) -> Option<(&SmolStr, &SmolStr)> {
    match expr {
        Expr::Member { object, key: Key::Field(member), .. } => match &**object {
            Expr::Name { name, .. } => Some((name, member)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a value is a text that is completely known and no longer than a name may be.
fn is_whole(value: &Value<'_>) -> bool {
    matches!(value, Value::Text(text) if text.unknown().is_none() && !text.is_too_long())
}

/// Where a value exceeded its size limit, if it did.
fn outgrown_at(value: &Value<'_>) -> Option<Place> {
    match value {
        Value::Unknown(unknown) => unknown.at,
        Value::Text(text) => text.unknown().and_then(|unknown| unknown.at),
        _ => None,
    }
}

/// The registrations of one site, while they are collected.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) instances: Vec<Instance>,
    /// For each element that a filter removes, the place where its name begins.
    pub(super) left_out: Vec<Place>,
    pub(super) dynamics: Vec<Dynamic>,
    /// Whether the site registers the elements of a list, or depends on a loop or on callers.
    pub(super) is_list: bool,
    /// The keys of the tables that are used in lookups at the site.
    pub(super) tables: Tables,
}

impl Gathered {
    pub(super) fn dynamic(
        &mut self,
        place: Place,
        partial: Option<String>,
        reason: impl Into<std::borrow::Cow<'static, str>>,
        servers: Vec<ServerKey>,
    ) {
        self.dynamics.push(Dynamic {
            place,
            partial,
            reason: reason.into(),
            servers: servers.into(),
            is_said: false,
            by_hand: false,
        });
    }
}

fn reason(value: &Value<'_>) -> std::borrow::Cow<'static, str> {
    match value {
        Value::Unknown(unknown) => unknown.reason.clone(),
        Value::Text(text) => text.unknown().map_or("".into(), |unknown| unknown.reason.clone()),
        _ => "a name that is not a string".into(),
    }
}

/// The known parts of an incomplete name, with `*` for the rest; `None` if there are none.
fn partial(value: &Value<'_>) -> Option<String> {
    match value {
        Value::Text(text) if text.is_too_long() => None,
        Value::Text(text) if text.parts.iter().any(|part| part.place().is_some()) => Some(text.text()),
        _ => None,
    }
}

fn choice(options: &[Value<'_>]) -> Option<String> {
    let names: Vec<String> = options
        .iter()
        .filter_map(|option| match option {
            Value::Text(text) if is_whole(option) => Some(text.text()),
            _ => None,
        })
        .collect();
    (!names.is_empty()).then(|| names.join("|")).filter(|names| names.len() <= MAX_NAME)
}
