//! `handler-validation`: a handler reads a required parameter that nothing has looked at yet.
//!
//! A tool's handler is the function that its registration names, or the branch that its server takes when it is called
//! by that name; functions that get all the arguments are looked into. Frameworks that check arguments by a schema of
//! their own have done it already: only handlers behind a plain JSON Schema are asked.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::model::{Form, ObjectSchema, Property, Schemas};
use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::evaluate::{Lookup, Place, World};
use crate::lower::{Bound, Call, CallId, CallKind, Expr, ItemFacts, Key, Prop, ScopeId, ScopeKind};
use crate::rules::{Cx, Rule, functions};
use crate::syntax::Family;
use crate::text::{Edit, FileId, Span};
use crate::workspace::{Server, Tool};

pub(crate) const RULE: Rule =
    Rule { id: "handler-validation", default: Severity::Warning, docs: include_str!("handler.md") };

/// What the second parameter of a validator is called where it is the name of what the first one holds.
const LABELS: [&str; 7] = ["name", "label", "param", "parameter", "field", "what", "paramName"];
/// How many definitions are looked through for a name in one step.
const DEFINITIONS_A_STEP: usize = 8;
/// How many functions deep arguments are followed.
const MAX_FUNCTIONS: usize = 4;
/// How functions of a team's own begin that look at what they are given, as the named validators do.
const VALIDATING: [&str; 5] = ["validate", "require", "assert", "ensure", "check"];
/// Methods by which a schema of the team's own looks at everything it is given: of zod, of pydantic.
const PARSING: [&str; 6] = ["parse", "parseAsync", "safeParse", "safeParseAsync", "model_validate", "validate_python"];
/// Functions that make a plain value of what they get: whoever looks at the value looks at what it was made of.
const COERCING: [&str; 7] = ["String", "Number", "Boolean", "str", "int", "float", "bool"];
/// Under which name a request has the arguments of the called tool, and handlers take them.
const ARGUMENTS: &str = "arguments";

/// How much searching the handlers of a file's tools may take, in steps of about fifty nanoseconds: a call, a variable or
/// a parameter.
const MOST_STEPS: usize = 10_000_000;

/// The handlers that may read their arguments in a file, and what was looked up for them.
pub(super) struct Handlers<'c, 'a> {
    cx: &'c Cx<'a>,
    /// The functions that the convention names as validators.
    validators: FxHashSet<&'c str>,
    items: RefCell<FxHashMap<(FileId, u32), Rc<Index<'c>>>>,
    /// The schemas that were checked, with what runs behind them.
    seen: FxHashSet<(Place, Vec<Body>)>,
    left: Cell<usize>,
}

impl<'c, 'a> Handlers<'c, 'a> {
    pub(super) fn new(cx: &'c Cx<'a>) -> Handlers<'c, 'a> {
        let validators = cx.policy.convention.validators.values().map(String::as_str).collect();
        let (items, seen) = (RefCell::default(), FxHashSet::default());
        Handlers { cx, validators, items, seen, left: Cell::new(MOST_STEPS) }
    }

    /// Checks the handlers of a server's tools, as far as they are in this file.
    pub(super) fn check(&mut self, server: &Server, schemas: &Schemas<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let mut dispatches: FxHashMap<&str, Vec<Place>> = FxHashMap::default();
        for dispatch in &server.dispatches {
            dispatches.entry(&dispatch.text).or_default().push(dispatch.place);
        }
        for tool in server.tools.iter().filter(|tool| !self.cx.policy.allows(RULE.id, &tool.name)) {
            let Some(place) = tool.registration.schema else { continue };
            let Some(schema) = schemas.at(place).filter(|schema| matches!(schema.form, Form::Literal(_))) else {
                continue;
            };
            let dispatched = dispatches.get(tool.name.as_str()).map_or(&[][..], Vec::as_slice);
            let bodies = self.bodies(tool, dispatched);
            // The messages name neither the tool nor its server.
            if bodies.is_empty() || !self.seen.insert((place, bodies.clone())) {
                continue;
            }
            let was_left = self.left.get() > 0;
            self.handler(&bodies, &schema, diagnostics);
            if was_left && self.left.get() == 0 {
                diagnostics.push(self.unsure(tool));
            }
        }
    }

    fn handler(&self, bodies: &[Body], schema: &ObjectSchema, diagnostics: &mut Vec<Diagnostic>) {
        for property in schema.properties() {
            if !self.take(1) {
                return;
            }
            if !schema.is_required(&property.name) {
                continue;
            }
            let Some(validator) = validator_of(self.cx, property) else { continue };
            let mut search = Search { all: self, parameter: &property.name, found: None, seen: FxHashSet::default() };
            for body in bodies {
                search.body(body, 0);
            }
            let Some(read) = search.found.filter(|read| read.file == self.cx.file.id) else { continue };
            let message = format!("`{}` is required, and `{validator}` has not looked at it here", property.name);
            let fix = validated(self.cx, &read, validator, &property.name);
            diagnostics.push(self.cx.diagnostic(&RULE, read.at, message).with_fixes(fix));
        }
    }

    /// Says that some handlers were not looked at, where there is more to search than is searched.
    fn unsure(&self, tool: &Tool) -> Diagnostic {
        let place = Some(tool.local_place()).filter(|place| place.file == self.cx.file.id);
        let span = place.map_or(Span::default(), |place| self.cx.snapshot.files.span(place));
        let message = format!(
            "more handlers and parameters than are looked at: from `{}` on, reads of what nothing has looked at may be missed",
            tool.name
        );
        let mut unsure = self.cx.diagnostic(&RULE, span, message);
        unsure.severity = Severity::Info;
        unsure
    }

    /// Takes some steps; `false` where none are left.
    fn take(&self, steps: usize) -> bool {
        self.left.set(self.left.get().saturating_sub(steps));
        self.left.get() > 0
    }

    fn index(&self, file: FileId, item: u32) -> Option<Rc<Index<'c>>> {
        if let Some(known) = self.items.borrow().get(&(file, item)) {
            return Some(Rc::clone(known));
        }
        let facts = &self.cx.snapshot.files.facts(file)?.items.get(item as usize)?.facts;
        let index = Rc::new(Index::of(facts));
        self.items.borrow_mut().insert((file, item), Rc::clone(&index));
        Some(index)
    }

    /// The function that a registration names, or where its server goes by the tool's name.
    fn bodies(&self, tool: &Tool, dispatched: &[Place]) -> Vec<Body> {
        let files = &self.cx.snapshot.files;
        let function = |place: Place| {
            let item = files.facts(place.file)?.items.get(place.item as usize)?;
            let (scope, _) = item.facts.function_at(place.span)?;
            Some(Body { file: place.file, item: place.item, scope, given: Given::All(0) })
        };
        let own = tool.registration.handler.and_then(function);
        let dispatched = dispatched.iter().filter_map(|place| {
            let index = self.index(place.file, place.item)?;
            if let Some(&scope) = index.branches.get(&place.span) {
                return Some(Body { file: place.file, item: place.item, scope, given: Given::Request });
            }
            match *index.entries.get(&place.span)? {
                Entry::Named(name) => function_named(self.cx, place.file, place.item, name, Given::All(0)),
                Entry::Function(scope) => {
                    Some(Body { file: place.file, item: place.item, scope, given: Given::All(0) })
                }
            }
        });
        own.into_iter().chain(dispatched).collect()
    }
}

/// The value of a key in a table of handlers: a named function, or a function literal.
#[derive(Clone, Copy)]
enum Entry<'f> {
    Named(&'f SmolStr),
    Function(ScopeId),
}

/// Where things are found in an item.
struct Index<'f> {
    /// The branch that runs for a literal name, by the place of the literal.
    branches: FxHashMap<Span, ScopeId>,
    /// The value of a key, by the place of the key.
    entries: FxHashMap<Span, Entry<'f>>,
    /// By scope: those that are directly inside it, and its own calls and comparisons.
    inner: Vec<Vec<u32>>,
    calls: Vec<Vec<u32>>,
    comparisons: Vec<Vec<u32>>,
}

impl<'f> Index<'f> {
    fn of(facts: &'f ItemFacts) -> Index<'f> {
        let mut index = Index {
            branches: FxHashMap::default(),
            entries: FxHashMap::default(),
            inner: vec![Vec::new(); facts.scopes.len()],
            calls: vec![Vec::new(); facts.scopes.len()],
            comparisons: vec![Vec::new(); facts.scopes.len()],
        };
        for condition in facts.conditions.iter().filter(|condition| condition.holds) {
            for test in &condition.any {
                let Expr::Equal { left, right, holds: true, .. } = test else { continue };
                for side in [left, right] {
                    if let Expr::Text { span, .. } = &**side {
                        index.branches.entry(*span).or_insert(condition.branch);
                    }
                }
            }
        }
        facts.each_expression(&mut |expr| {
            let Expr::Object { props, .. } = expr else { return };
            for prop in props {
                let Prop::Pair { key: Expr::Text { span, .. }, value } = prop else { continue };
                let entry = match value {
                    Expr::Name { name, .. } => Entry::Named(name),
                    Expr::Function { scope, .. } => Entry::Function(*scope),
                    _ => {
                        index.entries.remove(span);
                        continue;
                    }
                };
                index.entries.insert(*span, entry);
            }
        });
        for (scope, own) in facts.scopes.iter().enumerate() {
            if let Some(parent) = own.parent {
                index.inner[parent.0 as usize].push(scope as u32);
            }
        }
        for (call, own) in facts.calls.iter().enumerate() {
            index.calls[own.scope.0 as usize].push(call as u32);
        }
        for (comparison, own) in facts.comparisons.iter().enumerate() {
            index.comparisons[own.scope.0 as usize].push(comparison as u32);
        }
        index
    }

    /// A scope and all inside it, in order.
    fn within(&self, scope: ScopeId) -> Vec<ScopeId> {
        let (mut within, mut next) = (vec![scope], 0);
        while let Some(scope) = within.get(next) {
            let inner = &self.inner[scope.0 as usize];
            within.extend(inner.iter().map(|&inner| ScopeId(inner)));
            next += 1;
        }
        within.sort();
        within
    }
}

/// What of some scopes is theirs, in the order of the text.
fn of_scopes(scopes: &[ScopeId], by_scope: &[Vec<u32>]) -> Vec<usize> {
    let own = scopes.iter().flat_map(|scope| &by_scope[scope.0 as usize]);
    let mut all: Vec<usize> = own.map(|&one| one as usize).collect();
    all.sort_unstable();
    all
}

/// The repair that has a validator of the file look at what is read, where it is read.
fn validated(cx: &Cx<'_>, read: &Read, validator: &str, parameter: &str) -> Option<Fix> {
    let validator = SmolStr::new(validator);
    let body = function_named(cx, read.file, read.item, &validator, Given::Request)?;
    let facts = cx.snapshot.files.facts(body.file)?.items.get(body.item as usize)?;
    let scope = facts.facts.scope(body.scope);
    let ScopeKind::Function(function) = &scope.kind else { return None };
    // What gives something else back than what it looked at has to stand by itself, and where is for a person to say.
    let first = function.params.first()?;
    let gives_it = |returned: &Expr| match returned {
        Expr::Name { name, .. } => *name == first.name,
        // `new URL(…)`, `validateRequiredString(…)`; what a test gives back is its verdict.
        Expr::Call(id) => {
            let call = facts.facts.call(*id);
            let is_value = call.kind == CallKind::New
                || is_coercion(call)
                || call
                    .callee
                    .last_name()
                    .is_some_and(|name| cx.policy.convention.validators.values().any(|own| own == name));
            is_value && hands_on(&facts.facts, *id, &first.name)
        }
        _ => false,
    };
    if scope.returns.is_empty() || !scope.returns.iter().all(|returned| gives_it(&returned.value)) {
        return None;
    }
    if function.params.get(1).is_some_and(|second| !LABELS.contains(&second.name.as_str())) {
        return None;
    }
    // One that takes a second argument says which parameter it is about.
    let required = function.params.iter().filter(|param| param.default.is_none() && !param.rest);
    let named = match (required.count(), cx.snapshot.files.family(read.file)?) {
        (0 | 1, _) => String::new(),
        (_, Family::TypeScript) => format!(", '{parameter}'"),
        _ => format!(", \"{parameter}\""),
    };
    if read.at.end != read.whole.end {
        return None;
    }
    let insert = |at: u32, text: String| Edit::new(Span { start: at, end: at }, text);
    let edits = vec![insert(read.whole.start, format!("{validator}(")), insert(read.whole.end, format!("{named})"))];
    let fix = Fix::edits(format!("let `{validator}` look at it"), Edits::from([(read.file, edits)]));
    Some(fix.marked_unsafe())
}

/// Whether a call is given a variable, or another call that is: `new URL(required(value, 'url'))`.
fn hands_on(facts: &ItemFacts, call: CallId, name: &SmolStr) -> bool {
    facts.call(call).args.iter().any(|arg| match &arg.value {
        Expr::Name { name: own, .. } => own == name,
        Expr::Call(inner) => hands_on(facts, *inner, name),
        _ => false,
    })
}

/// Whether a handler of a server may read its arguments in this file: it is one of those in which handlers begin, or one
/// that such a file imports.
pub(super) fn is_reached(cx: &Cx<'_>, server: &Server) -> bool {
    let own = server.tools.iter().filter_map(|tool| tool.registration.handler).map(|place| place.file);
    let mut roots: Vec<FileId> = own.chain(server.dispatches.iter().map(|dispatch| dispatch.place.file)).collect();
    roots.sort();
    roots.dedup();
    let files = &cx.snapshot.files;
    let imports = |root: &FileId| {
        let modules = files.facts(*root).into_iter().flat_map(|facts| &facts.modules);
        let mut modules = modules.filter(|module| super::may_lead_to(module, &cx.file.path));
        modules.any(|module| files.resolve(*root, module) == Lookup::Found(cx.file.id))
    };
    roots.contains(&cx.file.id) || roots.iter().any(imports)
}

/// What looks at a parameter: by its name, or by its type.
fn validator_of<'c>(cx: &'c Cx<'_>, property: &Property) -> Option<&'c str> {
    let validators = &cx.policy.convention.validators;
    let by_name = validators.get(property.name.as_str());
    let of_type = |kind: &&String| property.schema.as_ref().is_some_and(|schema| schema.is(kind) == Some(true));
    let by_type = || validators.keys().find(of_type).and_then(|kind| validators.get(kind));
    by_name.or_else(by_type).map(String::as_str)
}

/// What runs when a tool is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Body {
    file: FileId,
    item: u32,
    /// The function or branch.
    scope: ScopeId,
    given: Given,
}

/// What of a tool's arguments a body has.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Given {
    /// The request, of which they are a part.
    Request,
    /// All of them, as this parameter.
    All(usize),
    /// The one that is looked for, as this parameter.
    One(usize),
}

/// The function that a name stands for in a file.
fn function_named(cx: &Cx<'_>, file: FileId, item: u32, name: &SmolStr, given: Given) -> Option<Body> {
    let functions::Found { file, item, scope } = functions::named(cx, file, item, name)?;
    Some(Body { file, item, scope, given })
}

/// Where a parameter is read.
#[derive(Debug, Clone, Copy)]
struct Read {
    file: FileId,
    item: u32,
    /// The parameter's name.
    at: Span,
    /// With what it is read from: `args.ref`.
    whole: Span,
}

/// Looking for the first read of one parameter that comes before it was validated.
struct Search<'s, 'c, 'a> {
    all: &'s Handlers<'c, 'a>,
    parameter: &'s str,
    found: Option<Read>,
    seen: FxHashSet<(FileId, u32, ScopeId)>,
}

/// What happens to a parameter, in the order of the text.
enum Event {
    /// It, or a variable that holds it, is read.
    Read {
        at: Span,
        whole: Span,
    },
    Validated,
    /// All arguments go to a function.
    Handed(Body),
}

impl Search<'_, '_, '_> {
    /// Walks a body; whether the parameter was validated in it.
    fn body(&mut self, body: &Body, depth: usize) -> bool {
        let key = (body.file, body.item, body.scope);
        if depth > MAX_FUNCTIONS || self.found.is_some() || !self.seen.insert(key) {
            return false;
        }
        let files = &self.all.cx.snapshot.files;
        let Some(item) = files.facts(body.file).and_then(|facts| facts.items.get(body.item as usize)) else {
            return false;
        };
        let Some(index) = self.all.index(body.file, body.item) else { return false };
        let (facts, start) = (&*item.facts, item.start);
        let scopes = index.within(body.scope);
        let held = self.variables(facts, body, &scopes);
        if body.given == Given::Request && is_validated_before(facts, body, &index, &held) {
            return true;
        }
        let mut events = self.events(facts, body, &index, &scopes, &held);
        // What was cut short says nothing.
        if self.all.left.get() == 0 {
            return false;
        }
        events.sort_by_key(|(at, _)| *at);
        for (_, event) in events {
            match event {
                Event::Validated => return true,
                Event::Read { at, whole } => {
                    let (at, whole) = (at.shifted(start), whole.shifted(start));
                    self.found = Some(Read { file: body.file, item: body.item, at, whole });
                    return false;
                }
                Event::Handed(inner) => {
                    if self.body(&inner, depth + 1) {
                        return true;
                    }
                    if self.found.is_some() || self.all.left.get() == 0 {
                        return false;
                    }
                }
            }
        }
        false
    }

    fn events(
        &self,
        facts: &ItemFacts,
        body: &Body,
        index: &Index<'_>,
        scopes: &[ScopeId],
        held: &Held,
    ) -> Vec<(u32, Event)> {
        let calls = of_scopes(scopes, &index.calls);
        let comparisons = of_scopes(scopes, &index.comparisons);
        if !self.all.take(calls.len() + comparisons.len()) {
            return Vec::new();
        }
        let calls = || calls.iter().map(|&call| &facts.calls[call]);
        let mut events = Vec::new();
        let mut validated: Vec<Span> = Vec::new();
        let mut gets: Vec<(Span, Span, Span)> = Vec::new();
        for call in calls() {
            // One of the team's own that is called as they are, `validateAll`, looks at what it is given, too.
            let is_validator = call
                .callee
                .last_name()
                .is_some_and(|name| self.all.validators.contains(name.as_str()) || validates(name));
            if parses(call) && call.args.iter().any(|arg| held.is_all(&arg.value)) {
                events.push((call.span.start, Event::Validated));
                validated.push(call.span);
                continue;
            }
            if is_validator && self.is_about(facts, call, held) {
                events.push((call.span.start, Event::Validated));
                validated.push(call.span);
                continue;
            }
            // `arguments.get("ref")`
            if let Expr::Member { object, key: Key::Field(method), .. } = &call.callee
                && method == "get"
                && held.is_all(object)
                && let Some(Expr::Text { text, span }) = call.args.first().map(|arg| &arg.value)
                && text == self.parameter
            {
                let whole = Span { start: start_of(object, facts), end: call.span.end };
                gets.push((call.span, *span, whole));
                continue;
            }
            // All of them, or the one that is looked for, go on to a function.
            let all = call.args.iter().position(|arg| held.is_all(&arg.value));
            let one = || call.args.iter().position(|arg| self.read_by(facts, &arg.value, held).is_some());
            let given = |index: usize| if all.is_some() { Given::All(index) } else { Given::One(index) };
            let handed = all.or_else(one);
            let callee = match &call.callee {
                Expr::Name { name, .. } => Some(name),
                Expr::Member { object, key: Key::Field(name), .. } if object.is_receiver() => Some(name),
                _ => None,
            };
            if let (Some(index), Some(name)) = (handed, callee)
                && self.all.take(facts.definitions.len() / DEFINITIONS_A_STEP)
                && let Some(inner) = function_named(self.all.cx, body.file, body.item, name, given(index))
            {
                events.push((call.span.start, Event::Handed(inner)));
                validated.push(call.span);
            }
        }
        let validated = Covered::by(validated);
        for (call, at, whole) in gets {
            if !validated.has(call) {
                events.push((call.start, Event::Read { at, whole }));
            }
        }
        let mut read = |expr: &Expr, span: Span| {
            if !validated.has(span) {
                coerced(facts, expr).visit(&mut |part| {
                    if let Some((at, whole)) = self.read_by(facts, part, held) {
                        events.push((at.start, Event::Read { at, whole }));
                    }
                });
            }
        };
        for call in calls().filter(|call| !is_coercion(call)) {
            read(&call.callee, call.span);
            call.args.iter().for_each(|arg| read(&arg.value, call.span));
        }
        for comparison in comparisons {
            let comparison = &facts.comparisons[comparison];
            if let Some(subject) = &comparison.subject {
                read(subject, comparison.span);
            }
        }
        for scope in scopes.iter().map(|scope| facts.scope(*scope)) {
            if let ScopeKind::Loop { iterable } = &scope.kind {
                read(iterable, iterable.span(facts));
            }
            for binding in &scope.bindings {
                if let Bound::Value(value) = &binding.value
                    && !held.names.contains(&binding.name)
                {
                    read(value, binding.span);
                }
            }
            for returned in scope.returns.iter().filter(|returned| scopes.binary_search(&returned.scope).is_ok()) {
                read(&returned.value, returned.value.span(facts));
            }
        }
        events
    }

    /// Whether a call of a validator is about the parameter: it gets it, or all arguments and its name.
    fn is_about(&self, facts: &ItemFacts, call: &Call, held: &Held) -> bool {
        // By itself, or in a list of names.
        let names_it = |expr: &Expr| {
            let mut found = false;
            expr.visit(&mut |part| found |= matches!(part, Expr::Text { text, .. } if text == self.parameter));
            found
        };
        let gets = call.args.iter().any(|arg| {
            let mut found = false;
            arg.value.visit(&mut |part| found |= self.read_by(facts, part, held).is_some());
            found
        });
        let gets_all = call.args.iter().any(|arg| held.is_all(&arg.value));
        gets || gets_all && call.args.iter().any(|arg| names_it(&arg.value))
    }

    /// Where an expression reads the parameter, `args.ref` or a variable that holds it, and that expression.
    fn read_by(&self, facts: &ItemFacts, expr: &Expr, held: &Held) -> Option<(Span, Span)> {
        match expr {
            Expr::Member { object, key: Key::Field(field), .. } if field == self.parameter && held.is_all(object) => {
                let key = expr.span(facts);
                let whole = Span { start: start_of(object, facts), end: key.end };
                // `args["ref"]`: the name is inside the quotes.
                let quotes = key.len().saturating_sub(self.parameter.len()) / 2;
                Some((Span { start: key.start + quotes as u32, end: key.end - quotes as u32 }, whole))
            }
            Expr::Name { name, span } if held.names.contains(name) => Some((*span, *span)),
            _ => None,
        }
    }

    /// The variables of a body that hold all arguments, and those that hold the parameter.
    fn variables(&self, facts: &ItemFacts, body: &Body, scopes: &[ScopeId]) -> Held {
        let mut held = Held { all: FxHashSet::default(), names: FxHashSet::default() };
        // What the branch sees: its own variables, and those of the functions around it.
        let around = std::iter::successors(facts.scope(body.scope).parent, |scope| facts.scope(*scope).parent);
        let mut seen: Vec<ScopeId> = around.chain(scopes.iter().copied()).collect();
        seen.sort();
        for scope in seen {
            if !self.all.take(1 + facts.scope(scope).bindings.len()) {
                return held;
            }
            for binding in &facts.scope(scope).bindings {
                match &binding.value {
                    Bound::Param { index, path }
                        if scope == body.scope && body.given == Given::One(*index as usize) && path.is_empty() =>
                    {
                        held.names.insert(binding.name.clone());
                    }
                    Bound::Param { index, path }
                        if scope == body.scope && body.given == Given::All(*index as usize) =>
                    {
                        match path.as_slice() {
                            [] => drop(held.all.insert(binding.name.clone())),
                            [Key::Field(field)] if field == self.parameter => {
                                held.names.insert(binding.name.clone());
                            }
                            _ => {}
                        }
                    }
                    Bound::Param { path, .. } => match path.as_slice() {
                        [] if binding.name == ARGUMENTS => drop(held.all.insert(binding.name.clone())),
                        [.., Key::Field(last)] if last == ARGUMENTS => drop(held.all.insert(binding.name.clone())),
                        [.., Key::Field(before), Key::Field(last)] if before == ARGUMENTS && last == self.parameter => {
                            held.names.insert(binding.name.clone());
                        }
                        _ => {}
                    },
                    Bound::Value(value) if held.is_all(value) => drop(held.all.insert(binding.name.clone())),
                    Bound::Value(value) => match coerced(facts, value) {
                        Expr::Member { object, key: Key::Field(field), .. }
                            if field == self.parameter && held.is_all(object) =>
                        {
                            held.names.insert(binding.name.clone());
                        }
                        _ => {}
                    },
                    _ => {}
                }
            }
        }
        held
    }
}

/// Whether everything was looked at before a branch was taken: `validateArgs(name, args)`, `schema.parse(args)`.
fn is_validated_before(facts: &ItemFacts, body: &Body, index: &Index<'_>, held: &Held) -> bool {
    let own = |scope: ScopeId| index.calls[scope.0 as usize].iter().map(|&call| &facts.calls[call as usize]);
    let first = own(body.scope).map(|call| call.span.start).min();
    let mut around = std::iter::successors(facts.scope(body.scope).parent, |scope| facts.scope(*scope).parent);
    around.any(|scope| {
        own(scope).any(|call| {
            let is_before = first.is_none_or(|first| call.span.start < first);
            let looks = parses(call) || call.callee.last_name().is_some_and(validates);
            // A validator that is given a name checks that parameter alone.
            let is_of_one = call.args.iter().any(|arg| matches!(arg.value, Expr::Text { .. }));
            is_before && looks && !is_of_one && call.args.iter().any(|arg| held.is_all(&arg.value))
        })
    })
}

/// The stretches that calls cover, each in none of the others.
struct Covered(Vec<Span>);

impl Covered {
    fn by(mut spans: Vec<Span>) -> Covered {
        spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        let mut end = None;
        spans.retain(|span| {
            let is_outer = end.is_none_or(|end| span.end > end);
            end = end.max(Some(span.end));
            is_outer
        });
        Covered(spans)
    }

    fn has(&self, span: Span) -> bool {
        let next = self.0.partition_point(|covered| covered.start <= span.start);
        next.checked_sub(1).is_some_and(|index| self.0[index].contains(span))
    }
}

/// Whether a call is of a schema that looks at everything it is given.
fn parses(call: &Call) -> bool {
    call.callee.last_name().is_some_and(|name| PARSING.contains(&name.as_str()))
}

/// Whether a function is called as those are that look at what they are given.
fn validates(name: &SmolStr) -> bool {
    VALIDATING.iter().any(|verb| name.starts_with(verb))
}

/// Whether a call makes a plain value of one thing.
fn is_coercion(call: &Call) -> bool {
    matches!((&call.callee, call.args.as_slice()), (Expr::Name { name, .. }, [_]) if COERCING.contains(&name.as_str()))
}

/// What a plain value is made of: `args.ref` of `String(args.ref ?? '')`.
fn coerced<'f>(facts: &'f ItemFacts, expr: &'f Expr) -> &'f Expr {
    let inner = match expr {
        Expr::Call(id) if is_coercion(facts.call(*id)) => &facts.call(*id).args[0].value,
        expr => return expr,
    };
    match inner {
        Expr::Or(options) => options.first().unwrap_or(inner),
        inner => inner,
    }
}

/// Where an expression begins; a member's own span is that of its name.
fn start_of(expr: &Expr, facts: &ItemFacts) -> u32 {
    match expr {
        Expr::Member { object, .. } => start_of(object, facts),
        expr => expr.span(facts).start,
    }
}

/// Variables that hold what a tool was called with.
struct Held {
    all: FxHashSet<SmolStr>,
    names: FxHashSet<SmolStr>,
}

impl Held {
    /// Whether an expression is all the arguments: `request.params.arguments`, or a variable that holds them.
    fn is_all(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Name { name, .. } => self.all.contains(name),
            Expr::Member { key: Key::Field(field), .. } => field == ARGUMENTS,
            // `request.params.arguments ?? {}`
            Expr::Or(options) => options.first().is_some_and(|first| self.is_all(first)),
            _ => false,
        }
    }
}
