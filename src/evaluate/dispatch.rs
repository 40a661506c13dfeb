//! Dispatch: the literals by which a server decides what to run for the name of the called tool.
//!
//! The name is followed forwards: from the parameter of the handler that a framework's row names, through variables,
//! members and the functions it is passed to, to the literals it is compared with and the tables it is looked up in. A
//! literal that the name does not reach is unrelated, even if the text is the same.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::environment::{Activation, Ctx};
use super::expression::{Evaluator, is_method_call};
use super::register::{Found, Site};
use super::value::Value;
use super::{CallHandler, Dispatch, Origin, Place, ScopeKey, ServerKey, Traced};
use crate::framework::{Form, Selector, Start, Step};
use crate::lower::{Arg, Bound, Expr, ItemFacts, Key, Prop, ScopeId, ScopeKind};
use crate::text::FileId;

/// How many nested function calls the name is followed through.
const MAX_FUNCTIONS: u32 = 12;
/// How many steps it may take to find out whether an argument passes the name on. Computing a tool's result may take
/// more.
const MAX_STEPS_OF_AN_ARGUMENT: u32 = 500;
/// How many steps evaluating what the name is compared with may take. A search goes through one element for each tool.
const MAX_STEPS_OF_A_SEARCH: u32 = 50_000;
/// The module that stands for the request in evaluation; no package has this name.
const REQUEST: &str = "tools/call";
/// Methods that find an element of a table, or return whether there is one.
const LOOKUPS: [&str; 6] = ["get", "has", "includes", "contains", "contains_key", "indexOf"];

/// Python's function for getting a member by its name.
const MEMBER_OF: &str = "getattr";

/// How many lookups of a loop or function are followed for each tool that it registers.
const MAX_LOOKUPS: usize = 32;
/// How many calls are checked in one step.
const CALLS_A_STEP: usize = 1024;

/// Lookups: the table, the key, and the scope of both.
pub(super) type LookedUp<'a> = Rc<[(&'a Expr, &'a Expr, ScopeId)]>;

/// The keys of the tables that are used in lookups, with their places, by file, item and the index of the lookup.
pub(super) type Tables = FxHashMap<(FileId, u32, usize), FxHashMap<SmolStr, Vec<Place>>>;

/// The state of following the name: the path of the name in the request, and the literals found.
#[derive(Default)]
struct Following {
    wanted: Vec<SmolStr>,
    found: Vec<(SmolStr, Place)>,
    /// The places of those literals that are in lists of names and do not decide what runs.
    listed: FxHashSet<Place>,
    otherwise: Vec<Otherwise>,
    /// Functions that received only other parts of the request and were followed already.
    beside: FxHashSet<ScopeKey>,
}

/// The part of the request that a call passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Handed {
    /// Something other than the name, such as the tool's arguments.
    Beside,
    /// The name, or an object that contains it.
    Name,
}

/// How a server finds what to run without a literal for the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Otherwise {
    /// By searching the definitions: `tools.find((tool) => tool.name === name)`.
    Searched,
    /// By the name of something in the program: `getattr(self, name)`, `client[name]`.
    Reflected,
}

impl<'a> Evaluator<'a> {
    /// Records the literals that a handler compares the called name with.
    pub(super) fn dispatches(
        &self,
        form: &Form,
        site: &Site<'a>,
        ctx: &Ctx<'a>,
        servers: &[ServerKey],
        to: &mut Found,
    ) {
        let mut all = Vec::new();
        let mut otherwise = Vec::new();
        let servers: Arc<[ServerKey]> = servers.into();
        for selector in &form.name {
            let Some(at) = selector.steps.iter().position(|step| matches!(step, Step::Param(_))) else { continue };
            let Step::Param(index) = selector.steps[at] else { continue };
            let fields = selector.steps[at + 1..].iter().filter_map(|step| match step {
                Step::Field(field) => Some(field.clone()),
                _ => None,
            });
            let mut following = Following { wanted: fields.collect(), ..Following::default() };
            for (function, inside) in self.handlers(selector, at, site, ctx) {
                let facts = self.item(inside.file, inside.item);
                let ScopeKind::Function(called) = &facts.scope(function).kind else { continue };
                let receiver = usize::from(called.receiver);
                let value = Value::External { module: SmolStr::new_static(REQUEST), path: Vec::new() };
                let given = Activation::Given { index: index + receiver, value };
                let inside = inside.with(inside.key(function), given);
                self.names_inside.replace(Some(FxHashMap::default()));
                let parameter = (index + receiver, following.wanted.as_slice());
                to.call_handlers.extend(self.call_handler(function, &inside, parameter, &following).map(
                    |(function, first, parameter, path)| CallHandler {
                        function,
                        first,
                        parameter,
                        path,
                        servers: Arc::clone(&servers),
                    },
                ));
                self.follow(function, &inside, 0, &mut following);
                self.names_inside.take();
            }
            let Following { found, listed, .. } = &mut following;
            all.extend(found.drain(..).map(|(text, place)| (text, place, !listed.contains(&place))));
            otherwise.extend(following.otherwise);
        }
        all.sort();
        all.dedup();
        let dispatch = |(text, place, decides)| Dispatch { text, place, decides, servers: Arc::clone(&servers) };
        to.dispatches.extend(all.into_iter().map(dispatch));
        otherwise.sort();
        otherwise.dedup();
        to.otherwise.extend(otherwise.into_iter().map(|how| (how, servers.to_vec())));
    }

    /// The functions that the steps before `at` lead to.
    fn handlers(&self, selector: &Selector, at: usize, site: &Site<'a>, ctx: &Ctx<'a>) -> Vec<(ScopeId, Ctx<'a>)> {
        if let (Start::Definition, 0, Some(definition)) = (&selector.start, at, site.definition) {
            return vec![(definition.body, ctx.clone())];
        }
        let head = Selector { start: selector.start.clone(), steps: selector.steps[..at].to_vec() };
        let value = self.select(&head, site, ctx, None);
        let options = match &value {
            Value::Choice(options) => options.to_vec(),
            _ => vec![value],
        };
        let functions = options.into_iter().filter_map(|value| match value {
            Value::Expr(Expr::Function { scope, .. }, ctx) => Some((*scope, ctx)),
            _ => None,
        });
        functions.collect()
    }

    /// Where code can be inserted that handles the called name before anything else: in a handler or, if its body is
    /// one expression, `(request) => execute(request)`, in the only function that it passes the name to. Returns the
    /// places of the function and its first statement, the index of the parameter, and the path from there to the name.
    fn call_handler(
        &self,
        function: ScopeId,
        inside: &Ctx<'a>,
        (parameter, path): (usize, &[SmolStr]),
        to: &Following,
    ) -> Option<(Place, Place, usize, Vec<SmolStr>)> {
        let facts = self.item(inside.file, inside.item);
        let ScopeKind::Function(called) = &facts.scope(function).kind else { return None };
        if let Some(first) = called.first {
            return Some((inside.place(called.span), inside.place(first), parameter, path.to_vec()));
        }
        let calls = facts.calls.iter().filter(|call| is_within(facts, call.scope, function));
        let mut handed = calls.flat_map(|call| {
            let at = inside.in_scope(call.scope);
            let parts = call.args.iter().enumerate().filter_map(move |(index, arg)| {
                let path = self.within(MAX_STEPS_OF_AN_ARGUMENT, || self.request_path(&arg.value, &at)).flatten()?;
                Some((call, index, to.wanted.strip_prefix(path.as_slice())?.to_vec()))
            });
            parts.collect::<Vec<_>>()
        });
        let (call, index, path) = handed.next().filter(|_| handed.next().is_none())?;
        let at = inside.in_scope(call.scope);
        let Value::Expr(Expr::Function { scope, .. }, target) = self.eval(&call.callee, &at) else { return None };
        let ScopeKind::Function(called) = &self.item(target.file, target.item).scope(*scope).kind else { return None };
        let parameter = index + usize::from(called.receiver && is_method_call(call));
        called.first.map(|first| (target.place(called.span), target.place(first), parameter, path))
    }

    fn follow(&self, function: ScopeId, inside: &Ctx<'a>, depth: u32, to: &mut Following) {
        let facts = self.item(inside.file, inside.item);
        let within = |scope: ScopeId| is_within(facts, scope, function);
        for comparison in facts.comparisons.iter().filter(|comparison| within(comparison.scope)) {
            let at = inside.in_scope(comparison.scope);
            if comparison.subject.as_ref().is_some_and(|subject| self.is_called_name(subject, &at, to)) {
                to.found.push((comparison.text.clone(), inside.place(comparison.span)));
            }
        }
        for lookup in facts.lookups.iter().filter(|lookup| within(lookup.scope)) {
            let at = inside.in_scope(lookup.scope);
            if self.is_called_name(&lookup.key, &at, to) {
                let known = to.found.len();
                match self.keys(&lookup.table, &at, to) {
                    Filled::ByDefinitions => to.otherwise.push(Otherwise::Searched),
                    Filled::AsWritten if to.found.len() == known => to.otherwise.push(Otherwise::Reflected),
                    Filled::AsWritten => {}
                }
            }
        }
        self.searches(function, inside, to);
        for call in facts.calls.iter().filter(|call| within(call.scope)) {
            let at = inside.in_scope(call.scope);
            if let (Expr::Member { object, key: Key::Field(method), .. }, Some(first)) =
                (&call.callee, call.args.first())
                && LOOKUPS.contains(&method.as_str())
                && self.is_called_name(&first.value, &at, to)
            {
                if self.keys(object, &at, to) == Filled::ByDefinitions {
                    to.otherwise.push(Otherwise::Searched);
                }
                continue;
            }
            if matches!(&call.callee, Expr::Name { name, .. } if name == MEMBER_OF)
                && call.args.get(1).is_some_and(|arg| self.is_called_name(&arg.value, &at, to))
            {
                to.otherwise.push(Otherwise::Reflected);
                continue;
            }
            let handed = call.args.iter().filter_map(|arg| self.part_handed_on(&arg.value, &at, to)).max();
            let Some(handed) = handed.filter(|_| depth < MAX_FUNCTIONS) else { continue };
            let callee = self.eval(&call.callee, &at);
            // If the callee is a parameter of an enclosing function, the caller has its value.
            let called = match callee.blocked() {
                Some(key) => self.only_caller(key, &at).map(|at| (self.eval(&call.callee, &at), at)),
                None => Some((callee, at)),
            };
            if let Some((callee, at)) = called {
                let Value::Expr(Expr::Function { scope, .. }, target) = callee else { continue };
                let key = target.key(*scope);
                // A function that does not receive the name cannot dispatch on it. It is followed once, so that the
                // files needed to see that are loaded.
                if handed == Handed::Beside && !to.beside.insert(key) {
                    continue;
                }
                // A closure of this function is followed together with it.
                if target.frame(key).is_some() || (key.file, key.item) == (inside.file, inside.item) && within(*scope) {
                    continue;
                }
                let receiver = match &self.item(key.file, key.item).scope(*scope).kind {
                    ScopeKind::Function(function) => function.receiver && is_method_call(call),
                    _ => false,
                };
                let this = self.receiver_of(call, *scope, &target, &at);
                let given = Activation::Args { args: &call.args, at, receiver, open: false, this, call: None };
                self.follow(*scope, &target.with(key, given), depth + 1, to);
            }
        }
    }

    /// The places of the keys equal to a tool's name in the tables in which the name is looked up, inside the loop or
    /// function that registers the tool.
    pub(super) fn keys_by_name(&self, name: &Traced, ctx: &Ctx<'a>, tables: &mut Tables) -> Vec<Place> {
        let facts = self.item(ctx.file, ctx.item);
        let around = std::iter::successors(Some(ctx.scope), |scope| facts.scope(*scope).parent);
        let Some(outer) = around.filter(|scope| ctx.frame(ctx.key(*scope)).is_some()).last() else { return Vec::new() };
        let is_name = |key: &'a Expr, at: &Ctx<'a>| {
            let key = self.within(MAX_STEPS_OF_AN_ARGUMENT, || self.eval(key, at));
            matches!(key, Some(Value::Text(key)) if key == *name)
        };
        let mut found = Vec::new();
        for (index, &(table, key, scope)) in self.lookups_in(ctx.key(outer)).iter().enumerate() {
            let at = ctx.in_scope(scope);
            if !is_name(key, &at) {
                continue;
            }
            // All activations use the same table.
            let keys = tables.entry((ctx.file, ctx.item, index)).or_insert_with(|| {
                let mut to = Following::default();
                self.keys(table, &at, &mut to);
                let mut keys: FxHashMap<SmolStr, Vec<Place>> = FxHashMap::default();
                for (text, place) in to.found.into_iter().filter(|(_, place)| !to.listed.contains(place)) {
                    keys.entry(text).or_default().push(place);
                }
                keys
            });
            found.extend(keys.get(name.text().as_str()).into_iter().flatten());
        }
        found.sort();
        found.dedup();
        found
    }

    /// The lookups in a function or loop, up to [`MAX_LOOKUPS`].
    fn lookups_in(&self, outer: ScopeKey) -> LookedUp<'a> {
        if let Some(known) = self.lookups.borrow().get(&outer) {
            return Rc::clone(known);
        }
        let facts = self.item(outer.file, outer.item);
        self.spend(facts.calls.len() / CALLS_A_STEP);
        let of_methods = facts.calls.iter().filter_map(|call| match (&call.callee, call.args.first()) {
            (Expr::Member { object, key: Key::Field(method), .. }, Some(first))
                if LOOKUPS.contains(&method.as_str()) =>
            {
                Some((&**object, &first.value, call.scope))
            }
            _ => None,
        });
        let lookups = facts.lookups.iter().map(|lookup| (&lookup.table, &lookup.key, lookup.scope)).chain(of_methods);
        let found: LookedUp<'a> =
            lookups.filter(|(_, _, scope)| is_within(facts, *scope, outer.scope)).take(MAX_LOOKUPS).collect();
        self.lookups.borrow_mut().insert(outer, Rc::clone(&found));
        found
    }

    /// Follows comparisons of the called name with something other than a literal, in return values and in conditions
    /// of branches. The literals that the other operand may be count like those of a direct comparison.
    fn searches(&self, function: ScopeId, inside: &Ctx<'a>, to: &mut Following) {
        let facts = self.item(inside.file, inside.item);
        let within = |scope: ScopeId| is_within(facts, scope, function);
        let scopes = facts.scopes.iter().enumerate().map(|(id, scope)| (ScopeId(id as u32), scope));
        let returned = scopes.filter(|(id, _)| within(*id));
        let returned = returned.flat_map(|(id, scope)| scope.returns.iter().map(move |returned| (id, &returned.value)));
        let asked = facts.conditions.iter().filter(|condition| within(condition.branch));
        let asked = asked.flat_map(|condition| condition.any.iter().map(|value| (condition.branch, value)));
        let mut others: Vec<(&'a Expr, ScopeId)> = Vec::new();
        for (scope, value) in returned.chain(asked) {
            let at = inside.in_scope(scope);
            value.each_within(&mut |expr| {
                let Expr::Equal { left, right, .. } = expr else { return };
                let is_other = |expr: &Expr| matches!(expr, Expr::Name { .. } | Expr::Member { .. } | Expr::At { .. });
                let is_name = |expr: &'a Expr| self.is_called_name(expr, &at, to);
                if !is_other(left) || !is_other(right) {
                    return;
                }
                match (is_name(left), is_name(right)) {
                    (true, false) => others.push((right, scope)),
                    (false, true) => others.push((left, scope)),
                    _ => {}
                }
            });
        }
        if !others.is_empty() {
            to.otherwise.push(Otherwise::Searched);
        }
        for (other, scope) in others {
            let values = self.within(MAX_STEPS_OF_A_SEARCH, || {
                let each = self.reached(&[other], inside.in_scope(scope), 0);
                each.iter().map(|at| self.eval(other, at)).collect::<Vec<_>>()
            });
            values.iter().flatten().for_each(|value| written(value, to));
        }
    }

    fn is_called_name(&self, subject: &'a Expr, ctx: &Ctx<'a>, to: &Following) -> bool {
        self.request_path(subject, ctx).is_some_and(|path| path == to.wanted)
    }

    /// `ctx` with the arguments of the only call of a function; `None` if there are several, each of which may be for a
    /// different server.
    fn only_caller(&self, key: ScopeKey, ctx: &Ctx<'a>) -> Option<Ctx<'a>> {
        let mut callers = self.callers(key, ctx).into_iter();
        callers.next().filter(|_| callers.next().is_none())
    }

    /// The part of the request that an argument passes on, either itself or inside an object: `{ name, args }`.
    fn part_handed_on(&self, arg: &'a Expr, ctx: &Ctx<'a>, to: &Following) -> Option<Handed> {
        let part = |expr: &'a Expr| {
            let path = self.within(MAX_STEPS_OF_AN_ARGUMENT, || self.request_path(expr, ctx)).flatten()?;
            Some(if to.wanted.starts_with(&path) { Handed::Name } else { Handed::Beside })
        };
        match arg {
            Expr::Object { props, .. } => {
                let parts = props.iter().filter_map(|prop| match prop {
                    Prop::Pair { value, .. } => part(value),
                    Prop::Spread(inner) => part(inner),
                });
                parts.max()
            }
            arg => part(arg),
        }
    }

    /// The path from the request to the part of it that an expression is; `None` if the expression is not a part of the
    /// request.
    fn request_path(&self, expr: &'a Expr, ctx: &Ctx<'a>) -> Option<Vec<SmolStr>> {
        /// Methods whose result names the same tool.
        const SAME: [&str; 8] = ["as_ref", "as_str", "to_string", "into_owned", "clone", "trim", "toString", "strip"];
        /// Functions that return the name they receive, possibly after validating it: `z.enum([…]).parse(name)`.
        const GIVES_BACK: [&str; 3] = ["parse", "String", "str"];
        if let Expr::Call(id) = expr {
            let call = self.item(ctx.file, ctx.item).call(*id);
            return match &call.callee {
                Expr::Member { object, key: Key::Field(method), .. } if SAME.contains(&method.as_str()) => {
                    self.request_path(object, ctx)
                }
                callee if callee.last_name().is_some_and(|name| GIVES_BACK.contains(&name.as_str())) => {
                    self.request_path(&call.args.first()?.value, ctx)
                }
                _ => None,
            };
        }
        let path = |value: &Value<'a>| match value {
            Value::External { module, path } if module == REQUEST => Some(path.clone()),
            _ => None,
        };
        let found = match self.eval(expr, ctx) {
            Value::Choice(options) => options.iter().find_map(path),
            value => path(&value),
        };
        // `const name = Names.parse(request.params.name)`
        found.or_else(|| {
            let Expr::Name { name, .. } = expr else { return None };
            let [(item, Bound::Value(given @ Expr::Call(id)))] = self.bindings_of(name, ctx)[..] else { return None };
            let is_itself = |arg: &Arg| matches!(&arg.value, Expr::Name { name: own, .. } if own == name);
            let is_new = item == ctx.item && !self.item(ctx.file, item).call(*id).args.iter().any(is_itself);
            is_new.then(|| self.request_path(given, ctx)).flatten()
        })
    }

    /// Adds the literal keys of a table to `to`, and returns whether there are others that come from definitions.
    fn keys(&self, table: &'a Expr, ctx: &Ctx<'a>, to: &mut Following) -> Filled {
        let mut value = self.eval(table, ctx);
        if let Some(at) = value.blocked().and_then(|key| self.only_caller(key, ctx)) {
            value = self.eval(table, &at);
        }
        let home = match &value {
            Value::Expr(_, at) => at.file,
            _ => ctx.file,
        };
        self.keys_of(&value, 0, to);
        // `handlers["x"] = …`, `handlers.set("x", …)`
        let mut filled = Filled::AsWritten;
        let (Some(name), Some(facts)) = (table.last_name(), self.world.facts(home)) else { return filled };
        for (index, item) in facts.items.iter().enumerate() {
            let index = index as u32;
            let mut add = |key: &Expr, scope: ScopeId| match key {
                Expr::Text { text, span } => {
                    to.found.push((text.clone(), Ctx::new(home, index, scope).place(*span)));
                }
                // `handlers[tool.name] = tool`
                Expr::Member { key: Key::Field(field), .. } if is_of_name(field) => filled = Filled::ByDefinitions,
                _ => {}
            };
            for assigned in item.facts.assigned.iter().filter(|assigned| assigned.table.last_name() == Some(name)) {
                add(&assigned.key, assigned.scope);
            }
            for call in &item.facts.calls {
                if let Expr::Member { object, key: Key::Field(method), .. } = &call.callee
                    && matches!(method.as_str(), "set" | "insert")
                    && object.last_name() == Some(name)
                    && let Some(first) = call.args.first()
                {
                    add(&first.value, call.scope);
                }
            }
        }
        filled
    }

    fn keys_of(&self, table: &Value<'a>, depth: u32, to: &mut Following) {
        if depth > 4 {
            return;
        }
        match table {
            Value::Expr(Expr::Object { props, .. }, ctx) => {
                for prop in props {
                    match prop {
                        Prop::Pair { key: Expr::Text { text, span }, .. } => {
                            to.found.push((text.clone(), ctx.place(*span)));
                        }
                        Prop::Pair { .. } => {}
                        Prop::Spread(inner) => self.keys_of(&self.eval(inner, ctx), depth + 1, to),
                    }
                }
            }
            Value::Expr(Expr::Array { elements, .. }, ctx) => {
                for element in elements {
                    match element {
                        Expr::Text { text, span } => {
                            to.listed.insert(ctx.place(*span));
                            to.found.push((text.clone(), ctx.place(*span)));
                        }
                        // `new Map([["x", handler], …])`
                        Expr::Array { elements, .. } => {
                            if let Some(Expr::Text { text, span }) = elements.first() {
                                to.found.push((text.clone(), ctx.place(*span)));
                            }
                        }
                        _ => {}
                    }
                }
            }
            // `new Map(…)`, `new Set(…)`, `frozenset(…)`
            Value::Expr(Expr::Call(id), ctx) => {
                let call = self.item(ctx.file, ctx.item).call(*id);
                if let Some(first) = call.args.first() {
                    self.keys_of(&self.eval(&first.value, ctx), depth + 1, to);
                }
            }
            Value::Choice(options) => options.iter().for_each(|option| self.keys_of(option, depth + 1, to)),
            // A computed set or map.
            Value::List(list) => {
                let known = to.found.len();
                list.known.iter().for_each(|element| written(element, to));
                let places = to.found[known..].iter().map(|(_, place)| *place);
                to.listed.extend(places.collect::<Vec<Place>>());
            }
            Value::Pairs(pairs) => pairs.known.iter().for_each(|(key, _)| written(key, to)),
            _ => {}
        }
    }
}

/// Where the keys of a table come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filled {
    /// Literals in the program, or unknown.
    AsWritten,
    /// The names of the definitions that are added to it: `handlers[tool.name] = tool`.
    ByDefinitions,
}

/// Whether the words of a field's name show that it holds a name.
fn is_of_name(field: &str) -> bool {
    crate::name::Name::new(field).lower_words().iter().any(|word| word == "name")
}

/// Whether a scope is `outer` or is inside it.
fn is_within(facts: &ItemFacts, scope: ScopeId, outer: ScopeId) -> bool {
    std::iter::successors(Some(scope), |scope| facts.scope(*scope).parent).any(|scope| scope == outer)
}

/// Adds a text that is a single literal to `to`.
fn written(value: &Value<'_>, to: &mut Following) {
    if let Value::Text(text) = value
        && let [part] = text.parts.as_slice()
        && let Origin::Literal(place) = part.origin
    {
        to.found.push((part.text.clone(), place));
    }
}
