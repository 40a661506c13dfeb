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
use crate::lower::{Arg, Bound, Call, Expr, ItemFacts, Key, Prop, ScopeId, ScopeKind};
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

/// The functions that a convention names as those that check their arguments.
#[derive(Default)]
pub(crate) struct Validators<'f> {
    pub(crate) all: FxHashSet<&'f str>,
    /// Those that check nothing but the type.
    pub(crate) of_types: FxHashSet<&'f str>,
}

/// A parameter, and how it should be checked.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'s> {
    pub(crate) parameter: &'s str,
    /// The validator that the convention asks for.
    pub(crate) validator: &'s str,
    /// Whether the parameter is more than a value of its type, like a URL, so that a check of the type is not enough.
    pub(crate) is_restricted: bool,
}

/// The result of a search for one parameter.
#[derive(Default)]
pub(crate) struct Searched {
    /// The first place at which the parameter is read before it is validated.
    pub(crate) read: Option<Read>,
    /// Calls of validators that get the parameter and, as its name, another text.
    pub(crate) labels: Vec<Label>,
}

/// The second argument of a validator that is a literal other than the name of the parameter.
pub(crate) struct Label {
    pub(crate) file: FileId,
    pub(crate) item: u32,
    pub(crate) validator: SmolStr,
    pub(crate) text: SmolStr,
    /// The span of the text inside its quotes.
    pub(crate) span: Span,
}

/// The handlers of the tools of a workspace, with indexes of the items that were searched so far.
pub(crate) struct Handlers<'f> {
    files: &'f Files,
    validators: Validators<'f>,
    items: RefCell<FxHashMap<(FileId, u32), Rc<Index<'f>>>>,
    left: Cell<usize>,
}

impl<'f> Handlers<'f> {
    pub(crate) fn new(files: &'f Files, validators: Validators<'f>) -> Handlers<'f> {
        Handlers { files, validators, items: RefCell::default(), left: Cell::new(MOST_STEPS) }
    }

    /// Whether no steps are left, so that further searches have no result.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// Searches bodies for what they do with a parameter.
    pub(crate) fn search(&self, bodies: &[Body], wanted: Wanted<'_>) -> Searched {
        let (found, seen) = (Searched::default(), FxHashSet::default());
        let mut search = Search { all: self, wanted, found, seen };
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
    /// The names in objects that are key and value in one: `{ ref }`.
    shorthand: FxHashSet<Span>,
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
            shorthand: FxHashSet::default(),
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
                    Expr::Name { name, span: own } => {
                        if own == span {
                            index.shorthand.insert(*span);
                        }
                        Entry::Named(name)
                    }
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
    /// The span of the expression that reads it: `args.ref`.
    pub(crate) whole: Span,
    /// The call of a validator for another kind of value around it, or else the same span.
    pub(crate) replaced: Span,
    /// Whether it is key and value of an object in one.
    pub(crate) is_shorthand: bool,
}

/// A search for the first read of one parameter that comes before its validation.
struct Search<'s, 'f> {
    all: &'s Handlers<'f>,
    wanted: Wanted<'s>,
    found: Searched,
    seen: FxHashSet<(FileId, u32, ScopeId)>,
}

/// Something that happens to a parameter.
enum Event {
    /// The parameter, or a variable that holds it, is read; the spans are those of [`Read`].
    Read {
        whole: Span,
        replaced: Span,
    },
    Validated,
    /// All arguments are passed to a function, or the parameter alone, by an expression with the given span.
    Handed(Body, Option<Span>),
}

impl Search<'_, '_> {
    /// Searches a body for the first unvalidated read, and returns whether the body validates the parameter.
    fn body(&mut self, body: &Body, depth: usize) -> bool {
        let key = (body.file, body.item, body.scope);
        if depth > MAX_FUNCTIONS || self.found.read.is_some() || !self.seen.insert(key) {
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
        if body.given == Given::Request && self.is_validated_before(facts, body, &index, &held) {
            return true;
        }
        let mut events = self.events(facts, body, &index, &scopes, &held);
        // A search that was cut short has no result.
        if self.all.left.get() == 0 {
            return false;
        }
        events.sort_by_key(|(at, _)| *at);
        let read = |whole: Span, replaced: Span| {
            let is_shorthand = index.shorthand.contains(&whole);
            let (whole, replaced) = (whole.shifted(start), replaced.shifted(start));
            Some(Read { file: body.file, item: body.item, whole, replaced, is_shorthand })
        };
        for (_, event) in events {
            match event {
                Event::Validated => return true,
                Event::Read { whole, replaced } => {
                    self.found.read = read(whole, replaced);
                    return false;
                }
                Event::Handed(inner, given) => {
                    if self.body(&inner, depth + 1) {
                        return true;
                    }
                    // What gets the value alone may get other values from other handlers, so it is checked before.
                    if let (Some(whole), true) = (given, self.found.read.is_some()) {
                        self.found.read = read(whole, whole);
                    }
                    if self.found.read.is_some() || self.all.left.get() == 0 {
                        return false;
                    }
                }
            }
        }
        false
    }

    fn events(
        &mut self,
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
        let mut gets: Vec<(Span, Span)> = Vec::new();
        let mut labels = Vec::new();
        for call in calls() {
            let validator = call.callee.last_name();
            let is_validator = validator.is_some_and(|name| self.is_validator(name));
            if parses(call) && call.args.iter().any(|arg| held.is_all(&arg.value)) {
                events.push((call.span.start, Event::Validated));
                validated.push(call.span);
                continue;
            }
            if is_validator && self.is_about(facts, call, held) {
                if let ([Arg { value, .. }, Arg { value: Expr::Text { text, span }, .. }], Some(validator)) =
                    (call.args.as_slice(), validator)
                    && text != self.wanted.parameter
                    && self.read_by(facts, value, call.scope, held).is_some()
                {
                    labels.push((validator.clone(), text.clone(), *span));
                }
                events.push((call.span.start, Event::Validated));
                validated.push(call.span);
                continue;
            }
            // `validateRequiredString(args.url, "url")` does not check that it is a URL, unless its result is checked.
            let is_checked_again = || {
                let mut others = calls().filter(|other| other.span != call.span && other.span.contains(call.span));
                others.any(|other| other.callee.last_name().is_some_and(|name| self.is_validator(name)))
            };
            if validator.is_some_and(|name| self.checks_type_only(name))
                && !is_checked_again()
                && let Some(first) = call.args.first()
                && let Some(whole) = self.read_by(facts, &first.value, call.scope, held)
            {
                events.push((call.span.start, Event::Read { whole, replaced: call.span }));
                validated.push(call.span);
                continue;
            }
            // `arguments.get("ref")`
            if let Expr::Member { object, key: Key::Field(method), .. } = &call.callee
                && method == "get"
                && held.is_all(object)
                && let Some(Expr::Text { text, .. }) = call.args.first().map(|arg| &arg.value)
                && text == self.wanted.parameter
            {
                gets.push((call.span, Span { start: start_of(object, facts), end: call.span.end }));
                continue;
            }
            // The call passes all arguments, or the parameter in question, to another function.
            let all = call.args.iter().position(|arg| held.is_all(&arg.value));
            let alone = |arg: &Arg| self.read_by(facts, coerced(facts, &arg.value), call.scope, held);
            let one = || call.args.iter().position(|arg| alone(arg).is_some());
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
                let given = if all.is_none() { alone(&call.args[index]) } else { None };
                events.push((call.span.start, Event::Handed(inner, given)));
                validated.push(call.span);
            }
        }
        let validated = Covered::by(validated);
        for (call, whole) in gets {
            if !validated.has(call) {
                events.push((call.start, Event::Read { whole, replaced: whole }));
            }
        }
        let mut read = |expr: &Expr, span: Span, scope: ScopeId| {
            if !validated.has(span) {
                coerced(facts, expr).visit(&mut |part| {
                    if let Some(whole) = self.read_by(facts, part, scope, held) {
                        // A variable that was declared with the parameter is checked in its declaration.
                        let declared = held.declared(part, scope, facts);
                        events.push((
                            whole.start,
                            Event::Read { whole: declared.unwrap_or(whole), replaced: declared.unwrap_or(whole) },
                        ));
                    }
                });
            }
        };
        for call in calls().filter(|call| !held.conversions.contains(&call.span)) {
            read(&call.callee, call.span, call.scope);
            call.args.iter().for_each(|arg| read(&arg.value, call.span, call.scope));
        }
        for comparison in comparisons {
            let comparison = &facts.comparisons[comparison];
            if let Some(subject) = &comparison.subject {
                read(subject, comparison.span, comparison.scope);
            }
        }
        for &id in scopes {
            let scope = facts.scope(id);
            if let ScopeKind::Loop { iterable } = &scope.kind {
                read(iterable, iterable.span(facts), id);
            }
            for binding in &scope.bindings {
                if let Bound::Value(value) = &binding.value
                    && !held.has(&binding.name, id, facts)
                {
                    read(value, binding.span, id);
                }
            }
        }
        // What a branch returns, its function returns.
        let around = std::iter::successors(facts.scope(body.scope).parent, |scope| facts.scope(*scope).parent);
        for &returning in around.collect::<Vec<_>>().iter().chain(scopes) {
            let returns = &facts.scope(returning).returns;
            for returned in returns.iter().filter(|returned| scopes.binary_search(&returned.scope).is_ok()) {
                read(&returned.value, returned.value.span(facts), returned.scope);
            }
        }
        let start = self.all.files.facts(body.file).and_then(|facts| Some(facts.items.get(body.item as usize)?.start));
        self.found.labels.extend(labels.into_iter().map(|(validator, text, span)| {
            let span = span.shifted(start.unwrap_or_default());
            Label { file: body.file, item: body.item, validator, text, span }
        }));
        events
    }

    /// Whether a function checks the parameter well enough, judging by its name. One whose name begins like that of a
    /// validator, such as `validateAll`, counts as one.
    fn is_validator(&self, name: &str) -> bool {
        let Validators { all, .. } = &self.all.validators;
        (all.contains(name) || validates(name)) && !self.checks_type_only(name)
    }

    fn checks_type_only(&self, name: &str) -> bool {
        self.wanted.is_restricted && name != self.wanted.validator && self.all.validators.of_types.contains(name)
    }

    /// Whether a call of a validator is about the parameter: the call passes the parameter, or all arguments and the
    /// parameter's name.
    fn is_about(&self, facts: &ItemFacts, call: &Call, held: &Held) -> bool {
        // The argument may be the name itself, or a list with the name.
        let names_it = |expr: &Expr| {
            let mut found = false;
            expr.visit(&mut |part| found |= matches!(part, Expr::Text { text, .. } if text == self.wanted.parameter));
            found
        };
        let gets = call.args.iter().any(|arg| {
            let mut found = false;
            arg.value.visit(&mut |part| found |= self.read_by(facts, part, call.scope, held).is_some());
            found
        });
        let gets_all = call.args.iter().any(|arg| held.is_all(&arg.value));
        gets || gets_all && call.args.iter().any(|arg| names_it(&arg.value))
    }

    /// Returns the span of an expression that reads the parameter: `args.ref`, or a variable that holds it.
    fn read_by(&self, facts: &ItemFacts, expr: &Expr, scope: ScopeId, held: &Held) -> Option<Span> {
        match expr {
            Expr::Member { object, key: Key::Field(field), .. }
                if field == self.wanted.parameter && held.is_all(object) =>
            {
                Some(Span { start: start_of(object, facts), end: expr.span(facts).end })
            }
            Expr::Name { name, span } if held.has(name, scope, facts) => Some(*span),
            _ => None,
        }
    }

    /// Returns the variables of a body that hold all arguments, and those that hold the parameter.
    fn variables(&self, facts: &ItemFacts, body: &Body, scopes: &[ScopeId]) -> Held {
        let mut held = Held::default();
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
                        held.names.insert((scope, binding.name.clone()), None);
                    }
                    Bound::Param { index, path }
                        if scope == body.scope && body.given == Given::All(*index as usize) =>
                    {
                        match path.as_slice() {
                            [] => drop(held.all.insert(binding.name.clone())),
                            [Key::Field(field)] if field == self.wanted.parameter => {
                                held.names.insert((scope, binding.name.clone()), None);
                            }
                            _ => {}
                        }
                    }
                    Bound::Param { path, .. } => match path.as_slice() {
                        [] if binding.name == ARGUMENTS => drop(held.all.insert(binding.name.clone())),
                        [.., Key::Field(last)] if last == ARGUMENTS => drop(held.all.insert(binding.name.clone())),
                        [.., Key::Field(before), Key::Field(last)]
                            if before == ARGUMENTS && last == self.wanted.parameter =>
                        {
                            held.names.insert((scope, binding.name.clone()), None);
                        }
                        _ => {}
                    },
                    Bound::Value(value) if held.is_all(value) => drop(held.all.insert(binding.name.clone())),
                    Bound::Value(value) => match coerced(facts, value) {
                        read @ Expr::Member { object, key: Key::Field(field), .. }
                            if field == self.wanted.parameter && held.is_all(object) =>
                        {
                            let whole = Span { start: start_of(object, facts), end: read.span(facts).end };
                            // In `const { ref } = args`, nothing reads the parameter by itself, and a declaration
                            // around a branch is that of other tools, too.
                            let is_written = whole.start < whole.end && scopes.binary_search(&scope).is_ok();
                            held.names.insert((scope, binding.name.clone()), is_written.then_some(whole));
                            held.conversions.insert(value.span(facts));
                        }
                        _ => {}
                    },
                    _ => {}
                }
            }
        }
        if !held.names.is_empty() {
            let own: FxHashSet<&SmolStr> = held.names.keys().map(|(_, name)| name).collect();
            for &scope in scopes {
                let names = facts.scope(scope).bindings.iter().map(|binding| &binding.name);
                held.others.extend(names.filter(|name| own.contains(name)).map(|name| (scope, name.clone())));
            }
        }
        held
    }

    /// Whether the arguments were checked before a branch is taken: `validateArgs(name, args)`, `schema.parse(args)`,
    /// or `validateRef(args.ref)` for the one.
    fn is_validated_before(&self, facts: &ItemFacts, body: &Body, index: &Index<'_>, held: &Held) -> bool {
        let own = |scope: ScopeId| index.calls[scope.0 as usize].iter().map(|&call| &facts.calls[call as usize]);
        let first = own(body.scope).map(|call| call.span.start).min();
        let mut around = std::iter::successors(facts.scope(body.scope).parent, |scope| facts.scope(*scope).parent);
        around.any(|scope| {
            own(scope).any(|call| {
                let is_before = first.is_none_or(|first| call.span.start < first);
                let name = call.callee.last_name();
                let looks = parses(call) || name.is_some_and(|name| validates(name));
                // A validator that gets a name checks only that parameter.
                let is_of_one = call.args.iter().any(|arg| matches!(arg.value, Expr::Text { .. }));
                let checks_all = looks && !is_of_one && call.args.iter().any(|arg| held.is_all(&arg.value));
                let checks_it = || name.is_some_and(|name| self.is_validator(name)) && self.is_about(facts, call, held);
                is_before && (checks_all || checks_it())
            })
        })
    }
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
fn validates(name: &str) -> bool {
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
#[derive(Default)]
struct Held {
    all: FxHashSet<SmolStr>,
    /// The variables that hold the parameter, by the scopes that own them, each with the expression in its declaration
    /// that reads the parameter.
    names: FxHashMap<(ScopeId, SmolStr), Option<Span>>,
    /// All variables of these names, by their scopes.
    others: FxHashSet<(ScopeId, SmolStr)>,
    /// The values of such declarations.
    conversions: FxHashSet<Span>,
}

impl Held {
    /// Returns the entry of the variable that a name refers to in a scope, if it holds the parameter.
    fn get(&self, name: &SmolStr, scope: ScopeId, facts: &ItemFacts) -> Option<Option<Span>> {
        if self.names.is_empty() {
            return None;
        }
        let mut around = std::iter::successors(Some(scope), |scope| facts.scope(*scope).parent);
        around.find_map(|scope| {
            let key = (scope, name.clone());
            self.names.get(&key).map(|declared| Some(*declared)).or_else(|| self.others.contains(&key).then_some(None))
        })?
    }

    fn has(&self, name: &SmolStr, scope: ScopeId, facts: &ItemFacts) -> bool {
        self.get(name, scope, facts).is_some()
    }

    /// Returns the read in the declaration of a variable that holds the parameter.
    fn declared(&self, expr: &Expr, scope: ScopeId, facts: &ItemFacts) -> Option<Span> {
        match expr {
            Expr::Name { name, .. } => self.get(name, scope, facts)?,
            _ => None,
        }
    }

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
