//! The handlers of a server's tools, and where they read an argument before anything has checked it.
//!
//! A tool's handler is the function that its registration names, or the branch that its server takes for the tool's
//! name. Functions to which all the arguments are passed are followed.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::functions;
use crate::found::Place;
use crate::lower::{Bound, Call, Expr, ItemFacts, Key, Prop, ScopeId, ScopeKind};
use crate::text::{FileId, Span};
use crate::workspace::{Files, Tool};

/// The number of definitions that are searched for a name in one step.
const DEFINITIONS_A_STEP: usize = 8;
/// The maximum depth of nested calls through which arguments are followed.
const MAX_FUNCTIONS: usize = 4;
/// Prefixes of the names of functions that check their arguments, in addition to the validators passed to
/// [`Handlers::new`].
const VALIDATING: [&str; 5] = ["validate", "require", "assert", "ensure", "check"];
/// Methods of zod's and pydantic's schemas that check the whole value passed to them.
const PARSING: [&str; 6] = ["parse", "parseAsync", "safeParse", "safeParseAsync", "model_validate", "validate_python"];
/// Functions that convert to a plain value: a check of the result counts as a check of the argument.
const COERCING: [&str; 7] = ["String", "Number", "Boolean", "str", "int", "float", "bool"];
/// The name of the arguments of the called tool, both in a request and as a parameter of handlers.
const ARGUMENTS: &str = "arguments";

/// The total number of steps, of about fifty nanoseconds each, for searching the handlers of a file's tools. A step is
/// a call, a variable or a parameter.
const MOST_STEPS: usize = 10_000_000;

/// The handlers of the tools of a workspace, with indexes of the items that were searched so far.
pub(crate) struct Handlers<'f> {
    files: &'f Files,
    /// The names of the functions that check their arguments.
    validators: FxHashSet<&'f str>,
    items: RefCell<FxHashMap<(FileId, u32), Rc<Index<'f>>>>,
    left: Cell<usize>,
}

impl<'f> Handlers<'f> {
    pub(crate) fn new(files: &'f Files, validators: FxHashSet<&'f str>) -> Handlers<'f> {
        Handlers { files, validators, items: RefCell::default(), left: Cell::new(MOST_STEPS) }
    }

    /// Whether no steps are left, so that further searches have no result.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// The first place at which the bodies read a parameter before it is validated; `None` if there is none.
    pub(crate) fn first_read(&self, bodies: &[Body], parameter: &str) -> Option<Read> {
        let mut search = Search { all: self, parameter, found: None, seen: FxHashSet::default() };
        for body in bodies {
            search.body(body, 0);
        }
        search.found
    }

    /// Takes some steps, and returns whether any are left.
    pub(crate) fn take(&self, steps: usize) -> bool {
        self.left.set(self.left.get().saturating_sub(steps));
        self.left.get() > 0
    }

    fn index(&self, file: FileId, item: u32) -> Option<Rc<Index<'f>>> {
        if let Some(known) = self.items.borrow().get(&(file, item)) {
            return Some(Rc::clone(known));
        }
        let facts = &self.files.facts(file)?.items.get(item as usize)?.facts;
        let index = Rc::new(Index::of(facts));
        self.items.borrow_mut().insert((file, item), Rc::clone(&index));
        Some(index)
    }

    /// Returns the bodies that run for a tool: the function that its registration names, and those that its server
    /// selects by the tool's name.
    pub(crate) fn bodies(&self, tool: &Tool, dispatched: &[Place]) -> Vec<Body> {
        let files = self.files;
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
                Entry::Named(name) => function_named(self.files, place.file, place.item, name, Given::All(0)),
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

/// An index of an item's facts.
struct Index<'f> {
    /// The branch that runs for a literal name, by the span of the literal.
    branches: FxHashMap<Span, ScopeId>,
    /// The value of a key, by the span of the key.
    entries: FxHashMap<Span, Entry<'f>>,
    /// For each scope, the scopes directly inside it; `calls` and `comparisons` have the calls and comparisons directly
    /// inside it. All are indexes into the item's facts.
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

    /// Returns a scope and all scopes inside it, in order.
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

/// Returns the indexes that belong to some scopes, in the order of the text.
fn of_scopes(scopes: &[ScopeId], by_scope: &[Vec<u32>]) -> Vec<usize> {
    let own = scopes.iter().flat_map(|scope| &by_scope[scope.0 as usize]);
    let mut all: Vec<usize> = own.map(|&one| one as usize).collect();
    all.sort_unstable();
    all
}

/// Code that runs when a tool is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Body {
    pub(crate) file: FileId,
    pub(crate) item: u32,
    /// The scope of the function or branch.
    pub(crate) scope: ScopeId,
    given: Given,
}

/// The part of a tool's arguments that a body gets.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Given {
    /// The request, which contains the arguments.
    Request,
    /// All arguments, as the parameter with this index.
    All(usize),
    /// The one argument that is searched for, as the parameter with this index.
    One(usize),
}

/// Returns the function that a name in a file refers to.
pub(crate) fn function_named(files: &Files, file: FileId, item: u32, name: &SmolStr, given: Given) -> Option<Body> {
    let functions::Found { file, item, scope } = functions::named(files, file, item, name)?;
    Some(Body { file, item, scope, given })
}

/// The place at which a parameter is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Read {
    pub(crate) file: FileId,
    pub(crate) item: u32,
    /// The span of the parameter's name.
    pub(crate) at: Span,
    /// The span of the name with the object it is read from: `args.ref`.
    pub(crate) whole: Span,
    /// Whether a function reads it that only got this value, under a name of its own. Other handlers may call it, too.
    pub(crate) is_handed_on: bool,
}

/// A search for the first read of one parameter that comes before its validation.
struct Search<'s, 'f> {
    all: &'s Handlers<'f>,
    parameter: &'s str,
    found: Option<Read>,
    seen: FxHashSet<(FileId, u32, ScopeId)>,
}

/// Something that happens to a parameter.
enum Event {
    /// The parameter, or a variable that holds it, is read.
    Read {
        at: Span,
        whole: Span,
    },
    Validated,
    /// All arguments, or the parameter alone, are passed to a function.
    Handed(Body),
}

impl Search<'_, '_> {
    /// Searches a body for the first unvalidated read, and returns whether the body validates the parameter.
    fn body(&mut self, body: &Body, depth: usize) -> bool {
        let key = (body.file, body.item, body.scope);
        if depth > MAX_FUNCTIONS || self.found.is_some() || !self.seen.insert(key) {
            return false;
        }
        let files = self.all.files;
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
        // A search that was cut short has no result.
        if self.all.left.get() == 0 {
            return false;
        }
        events.sort_by_key(|(at, _)| *at);
        for (_, event) in events {
            match event {
                Event::Validated => return true,
                Event::Read { at, whole } => {
                    let (at, whole) = (at.shifted(start), whole.shifted(start));
                    let is_handed_on = matches!(body.given, Given::One(_));
                    self.found = Some(Read { file: body.file, item: body.item, at, whole, is_handed_on });
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
            // A function whose name begins like that of a validator, such as `validateAll`, counts as one.
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
            // The call passes all arguments, or the parameter in question, to another function.
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
                && let Some(inner) = function_named(self.all.files, body.file, body.item, name, given(index))
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

    /// Whether a call of a validator is about the parameter: the call passes the parameter, or all arguments and the
    /// parameter's name.
    fn is_about(&self, facts: &ItemFacts, call: &Call, held: &Held) -> bool {
        // The argument may be the name itself, or a list with the name.
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

    /// Returns the span of the parameter's name in an expression that reads it, `args.ref` or a variable that holds it,
    /// and the span of the whole expression.
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

    /// Returns the variables of a body that hold all arguments, and those that hold the parameter.
    fn variables(&self, facts: &ItemFacts, body: &Body, scopes: &[ScopeId]) -> Held {
        let mut held = Held { all: FxHashSet::default(), names: FxHashSet::default() };
        // A branch sees its own variables, and those of the functions around it.
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

/// Whether all arguments were checked before a branch is taken: `validateArgs(name, args)`, `schema.parse(args)`.
fn is_validated_before(facts: &ItemFacts, body: &Body, index: &Index<'_>, held: &Held) -> bool {
    let own = |scope: ScopeId| index.calls[scope.0 as usize].iter().map(|&call| &facts.calls[call as usize]);
    let first = own(body.scope).map(|call| call.span.start).min();
    let mut around = std::iter::successors(facts.scope(body.scope).parent, |scope| facts.scope(*scope).parent);
    around.any(|scope| {
        own(scope).any(|call| {
            let is_before = first.is_none_or(|first| call.span.start < first);
            let looks = parses(call) || call.callee.last_name().is_some_and(validates);
            // A validator that gets a name checks only that parameter.
            let is_of_one = call.args.iter().any(|arg| matches!(arg.value, Expr::Text { .. }));
            is_before && looks && !is_of_one && call.args.iter().any(|arg| held.is_all(&arg.value))
        })
    })
}

/// Spans of calls, of which none is inside another.
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

/// Whether a call makes a schema check the whole value passed to it.
fn parses(call: &Call) -> bool {
    call.callee.last_name().is_some_and(|name| PARSING.contains(&name.as_str()))
}

/// Whether a function's name begins like that of a validator.
fn validates(name: &SmolStr) -> bool {
    VALIDATING.iter().any(|verb| name.starts_with(verb))
}

/// Whether a call converts one argument to a plain value.
pub(crate) fn is_coercion(call: &Call) -> bool {
    matches!((&call.callee, call.args.as_slice()), (Expr::Name { name, .. }, [_]) if COERCING.contains(&name.as_str()))
}

/// Returns the value that a conversion is applied to: `args.ref` for `String(args.ref ?? '')`. Any other expression is
/// returned as it is.
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

/// Returns the byte offset at which an expression begins; a member expression's own span covers only the member's name.
fn start_of(expr: &Expr, facts: &ItemFacts) -> u32 {
    match expr {
        Expr::Member { object, .. } => start_of(object, facts),
        expr => expr.span(facts).start,
    }
}

/// Variables that hold all arguments of a call, and those that hold the parameter.
struct Held {
    all: FxHashSet<SmolStr>,
    names: FxHashSet<SmolStr>,
}

impl Held {
    /// Whether an expression refers to all arguments: `request.params.arguments`, or a variable that holds them.
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
