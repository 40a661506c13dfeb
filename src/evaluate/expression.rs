//! Evaluation of one expression, and the state and caches of an evaluator.
//!
//! Evaluation is one large recursion. Its functions are kept out of line: inlined into each other, they become so large
//! that compiling them takes minutes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::environment::{Activation, Ctx, Env, This};
use super::fuel::{Growing, TOO_MANY_STEPS};
use super::growth::{TABLES, Uses};
use super::member::Entries;
use super::register::Site;
use super::value::{Value, hole, is_equal, is_placeholder, one_of, truth};
use super::{Lookup, Origin, Part, Place, ScopeKey, ServerKey, Traced, Unknown, Want, World};
use crate::framework::{CalleePattern, Form, FormId, Kind};
use crate::lower::UNSET;
use crate::lower::{
    Arg, Bound, Call, CallId, CallKind, Definition, Expr, Imported, ItemFacts, Key, Pattern, Prop, Scope, ScopeId,
    ScopeKind,
};
use crate::regex::Regex;
use crate::syntax::Family;
use crate::text::{FileId, Span};

/// How deep evaluation may go through calls, members and imports.
const MAX_DEPTH: u32 = 96;
/// How many steps the evaluation of one condition of a branch may take.
const MAX_STEPS_OF_A_CONDITION: u32 = 500;

pub(super) struct Evaluator<'a> {
    pub(super) world: &'a dyn World,
    pub(super) wants: RefCell<FxHashSet<Want>>,
    /// The files in which names and exports were looked up.
    pub(super) reads: RefCell<FxHashSet<FileId>>,
    /// The items that were read. `last_looked` is the last of them.
    pub(super) looked: RefCell<FxHashSet<(FileId, u32)>>,
    last_looked: Cell<Option<(FileId, u32)>>,
    /// The variables and fields whose other uses in their file were looked up.
    pub(super) held: RefCell<FxHashSet<(FileId, SmolStr)>>,
    /// The calls of each function whose callers were searched for.
    pub(super) calls: RefCell<FxHashMap<ScopeKey, Rc<Vec<super::callers::VerifiedCall<'a>>>>>,
    /// The values of each callee that is a loop variable or a parameter.
    pub(super) handed_in: RefCell<FxHashMap<(FileId, u32, CallId), HandedIn<'a>>>,
    /// The functions and, in `handed_in_sought`, calls for which these searches are in progress.
    pub(super) calls_sought: RefCell<FxHashSet<ScopeKey>>,
    pub(super) handed_in_sought: RefCell<FxHashSet<(FileId, u32, CallId)>>,
    /// Names that are being looked up: one that comes up again is defined through itself.
    pub(super) active: RefCell<Vec<Active>>,
    /// The targets of the imports that were looked up.
    pub(super) imports: RefCell<FxHashMap<(FileId, SmolStr), Lookup>>,
    /// The values that files export.
    pub(super) exports: RefCell<FxHashMap<(FileId, SmolStr), Value<'a>>>,
    /// The values of names outside any activation.
    pub(super) names: RefCell<FxHashMap<(FileId, u32, ScopeId, SmolStr), Value<'a>>>,
    /// The same inside activations, kept only while one function is followed: this looks up the same names again and
    /// again. The environments are stored with the values, so that no other environment gets the same address. `None`
    /// at other times.
    pub(super) names_inside: RefCell<Option<FxHashMap<Active, (Env<'a>, Value<'a>)>>>,
    /// The positions of the entries of large object literals and, in `spreads`, of the first spread elements of large
    /// array literals.
    pub(super) entries: RefCell<FxHashMap<*const Prop, Rc<Entries<'a>>>>,
    pub(super) spreads: RefCell<FxHashMap<*const Expr, usize>>,
    /// The wildcard imports of each file that may have a target.
    pub(super) wildcards: RefCell<FxHashMap<FileId, Wildcards>>,
    /// How files use the variables of one name.
    pub(super) uses: RefCell<FxHashMap<(FileId, SmolStr), Rc<Uses>>>,
    /// The lookups in functions and loops.
    pub(super) lookups: RefCell<FxHashMap<ScopeKey, super::dispatch::LookedUp<'a>>>,
    /// Compiled regular expressions, by their source and flags; `None` for one that cannot be compiled. Only a few are
    /// kept, as one may be large.
    pub(super) patterns: RefCell<FxHashMap<Pattern, Option<Rc<Regex>>>>,
    /// Whether a file imports a framework.
    pub(super) importing: RefCell<FxHashMap<(FileId, usize), bool>>,
    /// The dynamic registrations that were recorded: one for each place and its servers.
    pub(super) dynamics_filed: RefCell<FxHashSet<(Place, Arc<[ServerKey]>)>>,
    /// Whether it was reported that the file has no steps left.
    pub(super) is_stopped: Cell<bool>,
    depth: Cell<u32>,
    /// How many more steps may be taken before the next `refuel`.
    steps: Cell<u32>,
    /// How many steps the file has left in addition to `steps`.
    left: Cell<u32>,
    /// How often evaluation was cut short, by a cycle or a limit. What was computed meanwhile is incomplete and not
    /// cached.
    pub(super) cuts: Cell<u32>,
}

/// The values of a callee with their contexts, one for each element and caller that it depends on.
pub(super) type HandedIn<'a> = Rc<Vec<(Ctx<'a>, Value<'a>)>>;

/// Wildcard imports, each as its item and its index among the bindings there.
pub(super) type Wildcards = Rc<[(u32, u32)]>;

/// A name in a scope, with the identifier of the environment.
pub(super) type Active = (FileId, u32, ScopeId, SmolStr, usize);

impl<'a> Evaluator<'a> {
    /// An evaluator that may take `fuel` steps.
    pub(super) fn new(world: &'a dyn World, fuel: u32) -> Evaluator<'a> {
        Evaluator {
            world,
            wants: RefCell::default(),
            reads: RefCell::default(),
            looked: RefCell::default(),
            last_looked: Cell::new(None),
            held: RefCell::default(),
            calls: RefCell::default(),
            handed_in: RefCell::default(),
            calls_sought: RefCell::default(),
            handed_in_sought: RefCell::default(),
            active: RefCell::default(),
            imports: RefCell::default(),
            exports: RefCell::default(),
            names: RefCell::default(),
            names_inside: RefCell::default(),
            entries: RefCell::default(),
            spreads: RefCell::default(),
            wildcards: RefCell::default(),
            uses: RefCell::default(),
            lookups: RefCell::default(),
            patterns: RefCell::default(),
            importing: RefCell::default(),
            dynamics_filed: RefCell::default(),
            is_stopped: Cell::new(false),
            depth: Cell::new(0),
            steps: Cell::new(0),
            left: Cell::new(fuel),
            cuts: Cell::new(0),
        }
    }

    /// Allows `steps` steps until the next call, as far as the file has as many left.
    pub(super) fn refuel(&self, steps: u32) {
        let left = self.left.get() + self.steps.get();
        let steps = steps.min(left);
        self.steps.set(steps);
        self.left.set(left - steps);
    }

    /// How many steps the file has left.
    pub(super) fn left(&self) -> u32 {
        self.left.get() + self.steps.get()
    }

    /// Spends steps for a single large operation. If they are more than may be taken now, the file has fewer left
    /// later.
    pub(super) fn spend(&self, steps: usize) {
        let (steps, allowed) = (u32::try_from(steps).unwrap_or(u32::MAX), self.steps.get());
        self.steps.set(allowed.saturating_sub(steps));
        self.left.set(self.left.get().saturating_sub(steps.saturating_sub(allowed)));
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.steps.get() == 0
    }

    pub(super) fn item(&self, file: FileId, item: u32) -> &'a ItemFacts {
        static NOTHING: std::sync::LazyLock<ItemFacts> = std::sync::LazyLock::new(|| ItemFacts {
            scopes: vec![Scope::new(None, ScopeKind::Module)],
            ..ItemFacts::default()
        });
        if self.last_looked.replace(Some((file, item))) != Some((file, item)) {
            self.looked.borrow_mut().insert((file, item));
        }
        match self.world.facts(file) {
            Some(facts) => &facts.item(item).facts,
            None => &NOTHING,
        }
    }

    pub(super) fn deeper(&self, evaluate: impl FnOnce() -> Value<'a>) -> Value<'a> {
        self.guarded(evaluate).unwrap_or_else(Value::Unknown)
    }

    /// Evaluates one level deeper; `Err` if that is too deep or no steps are left. All recursion goes through this
    /// function: values are lazy, so a list can contain itself.
    pub(super) fn guarded<T>(&self, evaluate: impl FnOnce() -> T) -> Result<T, Unknown> {
        self.enter()?;
        let result = evaluate();
        self.depth.set(self.depth.get() - 1);
        Ok(result)
    }

    /// Takes one step and goes one level deeper, which the caller has to undo.
    #[inline(never)]
    fn enter(&self) -> Result<(), Unknown> {
        let (depth, steps) = (self.depth.get(), self.steps.get());
        self.steps.set(steps.saturating_sub(1));
        let reason = if depth >= MAX_DEPTH {
            "it is defined in terms of itself, or in too many steps"
        } else if steps == 0 {
            TOO_MANY_STEPS
        } else {
            self.depth.set(depth + 1);
            return Ok(());
        };
        self.cuts.set(self.cuts.get() + 1);
        Err(Unknown::because(reason))
    }

    #[inline(never)]
    pub(super) fn eval(&self, expr: &'a Expr, ctx: &Ctx<'a>) -> Value<'a> {
        match expr {
            Expr::Text { text, span } => {
                let at = ctx.place(*span);
                self.literal(Traced::literal(text.clone(), at), at)
            }
            Expr::Scalar { text, .. } => Value::Scalar(text),
            Expr::Name { name, .. } if name == "undefined" => Value::Absent,
            Expr::Name { name, .. } => self.deeper(|| self.name(name, ctx)),
            Expr::Member { object, key, .. } => self.deeper(|| {
                let value = self.eval(object, ctx);
                let member = self.member(&value, key);
                match (&**object, self.method_around(ctx)) {
                    // An instance may have a member that its class does not have. The caller of the method knows the
                    // instance.
                    (receiver, Some(method))
                        if receiver.is_receiver()
                            && (matches!(member, Value::Absent)
                                || is_placeholder(&member)
                                || self.is_derived_from(method)) =>
                    {
                        let reason = "a member of the method's receiver, which is unknown";
                        Value::Unknown(Unknown::waiting(reason, Some(method)))
                    }
                    _ => member,
                }
            }),
            Expr::At { object, index, .. } => self.deeper(|| {
                let object = self.eval(object, ctx);
                match self.eval(index, ctx) {
                    Value::Text(key) if key.unknown().is_none() => self.member(&object, &Key::Field(key.text().into())),
                    Value::Scalar(index) if index.parse::<u32>().is_ok() => {
                        self.member(&object, &Key::Index(index.parse().unwrap_or_default()))
                    }
                    key if key.blocked().is_some() => key,
                    _ => self.any_entry(&object),
                }
            }),
            Expr::Concat { parts, span } => self.deeper(|| self.concat(parts, *span, ctx)),
            Expr::Call(id) => self.deeper(|| self.call(expr, *id, ctx)),
            Expr::Object { .. }
            | Expr::Array { .. }
            | Expr::Function { .. }
            | Expr::Class { .. }
            | Expr::Pattern { .. }
            | Expr::Each { .. } => Value::Expr(expr, ctx.clone()),
            Expr::Spread(inner) => self.eval(inner, ctx),
            Expr::Or(options) => self.deeper(|| {
                let mut open = Vec::new();
                for (index, option) in options.iter().enumerate() {
                    let value = self.eval(option, ctx);
                    match truth(&value) {
                        Some(true) => {
                            open.push(value);
                            break;
                        }
                        Some(false) if index + 1 < options.len() => {}
                        _ => open.push(value),
                    }
                }
                one_of(open)
            }),
            // The left side of `&&` decides. If it is unknown, the right side is used, because the left one cannot be a
            // name.
            Expr::And(sides) => self.deeper(|| {
                let left = self.eval(&sides.0, ctx);
                match truth(&left) {
                    Some(false) => left,
                    _ => self.eval(&sides.1, ctx),
                }
            }),
            Expr::Not(value) => self.deeper(|| {
                let value = self.eval(value, ctx);
                match truth(&value) {
                    Some(true) => Value::truth(false),
                    Some(false) => Value::truth(true),
                    None => Value::Unknown(Unknown::waiting("a condition", value.blocked())),
                }
            }),
            Expr::Choice(options) => {
                self.deeper(|| one_of(options.iter().map(|option| self.eval(option, ctx)).collect()))
            }
            Expr::If { test, then, otherwise } => self.deeper(|| match truth(&self.eval(test, ctx)) {
                Some(true) => self.eval(then, ctx),
                Some(false) => self.eval(otherwise, ctx),
                None => one_of(vec![self.eval(then, ctx), self.eval(otherwise, ctx)]),
            }),
            Expr::Equal { left, right, holds, .. } => self.deeper(|| {
                let (left, right) = (self.eval(left, ctx), self.eval(right, ctx));
                match is_equal(&left, &right) {
                    Some(equal) if equal == *holds => Value::truth(true),
                    Some(_) => Value::truth(false),
                    None => {
                        let blocked = left.blocked().or_else(|| right.blocked());
                        Value::Unknown(Unknown::waiting("a comparison", blocked))
                    }
                }
            }),
            Expr::Opaque { what, .. } if *what == UNSET => Value::Absent,
            Expr::Opaque { what, .. } => Value::unknown(*what),
        }
    }

    // ── Text ─────────────────────────────────────────────────────────────────────────────────────────────

    fn concat(&self, parts: &'a [Expr], span: Span, ctx: &Ctx<'a>) -> Value<'a> {
        let mut whole = Growing::default();
        for part in parts {
            if whole.is_too_long() {
                break;
            }
            match self.eval(part, ctx) {
                Value::Text(text) => whole.add(text.parts),
                // A string that is already too long stays unknown.
                Value::Unknown(unknown) if unknown.at.is_some() => return Value::Unknown(unknown),
                Value::Scalar(text) => {
                    let item = self.item(ctx.file, ctx.item);
                    let origin = Origin::Literal(ctx.place(part.span(item)));
                    whole.add([Part { text: text.clone(), origin }]);
                }
                Value::Unknown(unknown) => whole.add([hole(unknown)]),
                value @ Value::Choice(_) => {
                    let reason = "one of several values, chosen at run time";
                    whole.add([hole(Unknown::waiting(reason, value.blocked()))]);
                }
                _ => whole.add([hole(Unknown::because("a value that is not a string"))]),
            }
        }
        self.text_of(whole, ctx.place(span))
    }

    // ── Calls ────────────────────────────────────────────────────────────────────────────────────────────

    #[inline(never)]
    fn call(&self, expr: &'a Expr, id: CallId, ctx: &Ctx<'a>) -> Value<'a> {
        let call = self.item(ctx.file, ctx.item).call(id);
        // A call is evaluated in the scope in which it occurs, whatever the scope of `ctx` is.
        let ctx = &ctx.in_scope(call.scope);
        if let Some(server) = self.server(call, id, ctx) {
            return server;
        }
        let makes_table = || call.callee.last_name().is_some_and(|name| TABLES.contains(&name.as_str()));
        if call.kind == CallKind::Struct || makes_table() {
            return Value::Expr(expr, ctx.clone());
        }
        if let Some(text) = self.text_operation(call, ctx) {
            return text;
        }
        if let Some(list) = self.list_operation(call, ctx) {
            return list;
        }
        // `this.list.bind(this)` is `this.list`.
        if let Expr::Member { object, key: Key::Field(method), .. } = &call.callee
            && method == "bind"
            && let function @ Value::Expr(Expr::Function { .. }, _) = self.eval(object, ctx)
        {
            return function;
        }
        // `super()` is the base class itself.
        if matches!(&call.callee, Expr::Name { name, .. } if name == "super") {
            return self.base_around(ctx);
        }
        match self.eval(&call.callee, ctx) {
            Value::Expr(Expr::Function { scope, .. }, function_ctx) => {
                let this = self.receiver_of(call, *scope, &function_ctx, ctx);
                self.apply(*scope, &function_ctx, &call.args, ctx, is_method_call(call), this)
            }
            // A function of another package that wraps a server returns a server: `wrapWithTracing(new McpServer(…))`.
            // Anything else that it returns is a record.
            Value::External { .. } => self.wraps_server(call, ctx).unwrap_or_else(|| Value::Expr(expr, ctx.clone())),
            // An instance.
            Value::Expr(Expr::Class { .. }, _) => Value::Expr(expr, ctx.clone()),
            Value::Choice(options) => {
                let results = options.iter().map(|option| match option {
                    Value::Expr(Expr::Function { scope, .. }, function_ctx) => {
                        let this = self.receiver_of(call, *scope, function_ctx, ctx);
                        self.apply(*scope, function_ctx, &call.args, ctx, is_method_call(call), this)
                    }
                    Value::Unknown(unknown) if unknown.blocked.is_some() => option.clone(),
                    _ => Value::unknown("the result of one of several functions"),
                });
                one_of(results.collect())
            }
            // A method of a builder returns its receiver: `ToolBuilder::new("x").description("…").build()`.
            Value::Absent if self.world.family(ctx.file) == Some(Family::Rust) => match &call.callee {
                Expr::Member { object, .. } => self.eval(object, ctx),
                _ => Value::Absent,
            },
            Value::Unknown(unknown) if unknown.blocked.is_some() => Value::Unknown(unknown),
            _ => Value::unknown(self.result_of(&call.callee)),
        }
    }

    /// The reason for the unknown return value of a call.
    pub(super) fn result_of(&self, callee: &Expr) -> std::borrow::Cow<'static, str> {
        match callee.last_name() {
            Some(name) => format!("the result of `{name}` is known only at run time").into(),
            None => "the result of a call".into(),
        }
    }

    /// The server that a wrapper of another package receives as its first argument and returns; `None` if the call is
    /// not such a wrapper.
    fn wraps_server(&self, call: &'a Call, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let first = call.args.first().filter(|_| call.kind == CallKind::Plain)?;
        let is_wrapper = call.callee.last_name().is_some_and(|name| {
            let name = name.to_lowercase();
            WRAPPERS.iter().any(|word| name.starts_with(word))
        });
        let may_be = matches!(first.value, Expr::Name { .. } | Expr::Call(_) | Expr::Member { .. });
        if !is_wrapper || !may_be {
            return None;
        }
        let value = self.eval(&first.value, ctx);
        matches!(value, Value::Server { .. }).then_some(value)
    }

    /// The return value of a function for these arguments.
    #[inline(never)]
    pub(super) fn apply(
        &self,
        function: ScopeId,
        ctx: &Ctx<'a>,
        args: &'a [Arg],
        at: &Ctx<'a>,
        method_call: bool,
        this: Option<This<'a>>,
    ) -> Value<'a> {
        let key = ctx.key(function);
        if ctx.frame(key).is_some() {
            return Value::unknown("a function that calls itself");
        }
        let receiver = match &self.item(ctx.file, ctx.item).scope(function).kind {
            ScopeKind::Function(function) => function.receiver && method_call,
            _ => false,
        };
        let inside = ctx.with(key, Activation::Args { args, at: at.clone(), receiver, open: false, this, call: None });
        self.returned(function, &inside)
    }

    /// The receiver of a method call; `None` if the callee is not a method of a class.
    pub(super) fn receiver_of(
        &self,
        call: &'a Call,
        function: ScopeId,
        function_ctx: &Ctx<'a>,
        at: &Ctx<'a>,
    ) -> Option<This<'a>> {
        let facts = self.item(function_ctx.file, function_ctx.item);
        let class = facts.scope(function).parent?;
        let (Expr::Member { object, .. }, ScopeKind::Class { .. }) = (&call.callee, &facts.scope(class).kind) else {
            return None;
        };
        let is_super = match &**object {
            Expr::Name { name, .. } => name == "super",
            Expr::Call(id) => {
                let inner = self.item(at.file, at.item).call(*id);
                matches!(&inner.callee, Expr::Name { name, .. } if name == "super")
            }
            _ => false,
        };
        // A call on `this` keeps the receiver, which may be an instance of a derived class.
        let on_itself =
            || object.is_receiver() && self.method_around(at).is_some_and(|method| self.is_derived_from(method));
        if is_super || on_itself() {
            return Some(This::Same);
        }
        Some(match self.eval(object, at) {
            known @ (Value::Expr(..) | Value::Server { .. }) => This::Known(Rc::new(known)),
            _ => This::Asked(object),
        })
    }

    /// The return value of a function, in its activation in `ctx`, if there is one.
    #[inline(never)]
    pub(super) fn returned(&self, function: ScopeId, ctx: &Ctx<'a>) -> Value<'a> {
        let scope = self.item(ctx.file, ctx.item).scope(function);
        match scope.returns.as_slice() {
            [] => Value::unknown("a function that returns nothing"),
            [only] => self.eval(&only.value, &ctx.in_scope(only.scope)),
            returns => {
                let mut values = Vec::new();
                for returned in returns {
                    match self.runs(returned.scope, function, ctx) {
                        Some(false) => {}
                        // Nothing after it runs.
                        Some(true) => {
                            values.push(self.eval(&returned.value, &ctx.in_scope(returned.scope)));
                            break;
                        }
                        None => values.push(self.eval(&returned.value, &ctx.in_scope(returned.scope))),
                    }
                }
                if values.is_empty() { Value::unknown("a function that returns nothing") } else { one_of(values) }
            }
        }
    }

    /// Whether a scope inside a function certainly runs or certainly does not, judging by the conditions of its
    /// branches; `None` if that is unknown.
    pub(super) fn runs(&self, scope: ScopeId, function: ScopeId, ctx: &Ctx<'a>) -> Option<bool> {
        let facts = self.item(ctx.file, ctx.item);
        let mut sure = true;
        let mut at = scope;
        while at != function {
            let inner = facts.scope(at);
            if matches!(inner.kind, ScopeKind::Branch) {
                let outside = ctx.in_scope(inner.parent.unwrap_or(function));
                let mut conditions = facts.conditions_of(at).iter().peekable();
                sure &= conditions.peek().is_some();
                for condition in conditions {
                    let mut tests = condition.any.iter().map(|test| self.glance(test, &outside));
                    // A single true one decides. Otherwise, all must be known to be false.
                    let any = tests.try_fold(false, |_, test| match test {
                        Some(true) => Err(Some(true)),
                        Some(false) => Ok(false),
                        None => Err(None),
                    });
                    match any.map_or_else(|decided| decided, Some) {
                        Some(truth) if truth != condition.holds => return Some(false),
                        Some(_) => {}
                        None => sure = false,
                    }
                }
            } else if matches!(inner.kind, ScopeKind::Loop { .. }) {
                sure = false;
            }
            match inner.parent {
                Some(parent) => at = parent,
                None => break,
            }
        }
        sure.then_some(true)
    }

    /// Whether a condition holds; `None` if that is unknown or takes more than a few steps, as with long lists.
    fn glance(&self, test: &'a Expr, ctx: &Ctx<'a>) -> Option<bool> {
        self.within(MAX_STEPS_OF_A_CONDITION, || truth(&self.eval(test, ctx))).flatten()
    }

    /// The result of `evaluate` with at most `steps` steps; `None` if it takes more.
    pub(super) fn within<T>(&self, steps: u32, evaluate: impl FnOnce() -> T) -> Option<T> {
        let (left, cuts) = (self.steps.get(), self.cuts.get());
        let allowed = left.min(steps);
        self.steps.set(allowed);
        let result = evaluate();
        let is_cut = self.is_exhausted();
        self.steps.set(left - (allowed - self.steps.get()));
        if is_cut && left > allowed {
            // `None` is a valid answer, so the evaluation that asked does not count as cut short.
            self.cuts.set(cuts);
            return None;
        }
        Some(result)
    }

    /// The server that a call creates, if it creates one.
    pub(super) fn server(&self, call: &'a Call, id: CallId, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let family = self.world.family(ctx.file)?;
        let frameworks = self.world.frameworks();
        // In TypeScript, only `new` creates an instance, so other callees need not be evaluated twice, as each link of
        // a chain would be.
        let may_make = family != Family::TypeScript || call.kind == CallKind::New;
        if may_make && let Value::Expr(Expr::Class { scope, .. }, class_ctx) = self.eval(&call.callee, ctx) {
            let framework = self.server_class(*scope, &class_ctx, 0)?.framework;
            let key = ServerKey::Object { file: ctx.file, item: ctx.item, call: id, given: None };
            return Some(Value::Server { key, framework });
        }
        let last = self.imported_name(&call.callee, ctx)?;
        for &candidate in frameworks.candidates(family, &last) {
            let form = frameworks.form(candidate);
            if form.kind == Kind::Server
                && form.on.accepts(call.kind)
                && let Some(path) = &form.path
                && self.is_imported(&call.callee, ctx, path, candidate.framework)
            {
                let given = self.given_name(form, call, id, ctx);
                let key = ServerKey::Object { file: ctx.file, item: ctx.item, call: id, given };
                return Some(Value::Server { key, framework: candidate.framework });
            }
        }
        None
    }

    /// The name of a server in the environment of `ctx`; `None` if the code alone determines it, or if it is unknown.
    fn given_name(&self, form: &Form, call: &'a Call, id: CallId, ctx: &Ctx<'a>) -> Option<SmolStr> {
        ctx.env.as_ref()?;
        let site = Site::of_call(call, id);
        let name = |ctx: &Ctx<'a>| match self.first(&form.name, &site, ctx, None) {
            Some(Value::Text(name)) if name.unknown().is_none() => Some(name.text().into()),
            _ => None,
        };
        let here = Ctx::new(ctx.file, ctx.item, ctx.scope);
        if name(&here).is_some() { None } else { name(ctx) }
    }

    /// The form of the framework's server class that a class extends, directly or indirectly.
    pub(super) fn server_class(&self, class: ScopeId, ctx: &Ctx<'a>, depth: u32) -> Option<FormId> {
        let scope = self.item(ctx.file, ctx.item).scope(class);
        let ScopeKind::Class { bases } = &scope.kind else { return None };
        let outside = ctx.in_scope(scope.parent.unwrap_or(ScopeId(0)));
        let frameworks = self.world.frameworks();
        let family = self.world.family(ctx.file)?;
        bases.iter().filter(|_| depth < 8).find_map(|base| match self.eval(base, &outside) {
            Value::External { module, path } => {
                let candidates = frameworks.candidates(family, path.last()?);
                candidates.iter().copied().find(|&candidate| {
                    let form = frameworks.form(candidate);
                    form.kind == Kind::Server
                        && matches!(&form.path, Some(CalleePattern::Imported(wanted)) if path.ends_with(wanted))
                        && frameworks.rows[candidate.framework].owns_module(&module)
                })
            }
            Value::Expr(Expr::Class { scope, .. }, ctx) => self.server_class(*scope, &ctx, depth + 1),
            _ => None,
        })
    }

    /// The definition of a class.
    pub(super) fn class_definition(&self, class: ScopeId, ctx: &Ctx<'a>) -> Option<&'a Definition> {
        self.item(ctx.file, ctx.item).definition_of(class)
    }

    /// The key of a class that is itself a server. The server has everything that the methods of the class register,
    /// and everything that is registered with an instance.
    pub(super) fn class_key(&self, class: ScopeId, ctx: &Ctx<'a>) -> Option<ServerKey> {
        let class = self.class_definition(class, ctx)?;
        Some(ServerKey::Class { file: ctx.file, name: class.name.clone() })
    }

    /// The last part of a callee; for an import under another name, the original name.
    pub(super) fn imported_name(&self, callee: &Expr, ctx: &Ctx<'a>) -> Option<SmolStr> {
        if let Expr::Name { name, .. } = callee {
            let facts = self.world.facts(ctx.file)?;
            if let Some(&[(item, index)]) = facts.top_level.get(name).map(Vec::as_slice) {
                let binding = &self.item(ctx.file, item).scopes[0].bindings[index as usize];
                if let Bound::Import { name: Imported::Named(original), .. } = &binding.value {
                    return Some(original.clone());
                }
            }
        }
        callee.last_name().cloned()
    }

    /// Whether a callee has this path in one of the framework's packages.
    pub(super) fn is_imported(
        &self,
        callee: &'a Expr,
        ctx: &Ctx<'a>,
        pattern: &CalleePattern,
        framework: usize,
    ) -> bool {
        let CalleePattern::Imported(wanted) = pattern else {
            return false;
        };
        let is = |value: &Value<'a>| match value {
            Value::External { module, path } => {
                self.world.frameworks().rows[framework].owns_module(module) && path.ends_with(wanted)
            }
            _ => false,
        };
        match self.eval(callee, ctx) {
            Value::Choice(options) => options.iter().any(is),
            value => is(&value),
        }
    }
}

/// Whether a call is made on an object, so that a receiver parameter takes none of its arguments.
pub(super) fn is_method_call(call: &Call) -> bool {
    matches!(call.callee, Expr::Member { .. })
}

/// Prefixes of the functions of monitoring packages that return the server they receive. Their source is not available,
/// so only their names are left to go by.
const WRAPPERS: [&str; 5] = ["wrap", "instrument", "with", "trace", "monitor"];
