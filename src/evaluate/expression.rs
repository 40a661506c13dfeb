//! Evaluating one expression, and what is remembered meanwhile.
//!
//! Evaluation is one large recursion. Its functions are kept out of line: inlined into each other they grow until
//! the compiler takes minutes over them.

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
/// How many of them may go into whether one branch runs.
const MAX_STEPS_OF_A_CONDITION: u32 = 500;

pub(super) struct Evaluator<'a> {
    pub(super) world: &'a dyn World,
    pub(super) wants: RefCell<FxHashSet<Want>>,
    /// The files whose names and exports were asked for.
    pub(super) reads: RefCell<FxHashSet<FileId>>,
    /// The items that were looked into, and the last of them.
    pub(super) looked: RefCell<FxHashSet<(FileId, u32)>>,
    last_looked: Cell<Option<(FileId, u32)>>,
    /// Variables and fields of which it was asked what else their file does with them.
    pub(super) held: RefCell<FxHashSet<(FileId, SmolStr)>>,
    /// The calls of each function that was asked about.
    pub(super) calls: RefCell<FxHashMap<ScopeKey, Rc<Vec<super::callers::VerifiedCall<'a>>>>>,
    /// What each call calls that a loop or a caller hands in.
    pub(super) handed_in: RefCell<FxHashMap<(FileId, u32, CallId), HandedIn<'a>>>,
    /// Of which functions and calls that is being asked.
    pub(super) calls_sought: RefCell<FxHashSet<ScopeKey>>,
    pub(super) handed_in_sought: RefCell<FxHashSet<(FileId, u32, CallId)>>,
    /// Names that are being looked up: one that comes up again is defined through itself.
    pub(super) active: RefCell<Vec<Active>>,
    /// Where imports lead, for those that were asked about.
    pub(super) imports: RefCell<FxHashMap<(FileId, SmolStr), Lookup>>,
    /// What files export.
    pub(super) exports: RefCell<FxHashMap<(FileId, SmolStr), Value<'a>>>,
    /// What names stand for, outside any activation.
    pub(super) names: RefCell<FxHashMap<(FileId, u32, ScopeId, SmolStr), Value<'a>>>,
    /// The same inside activations, which are kept with it, so that no other comes to lie where they do: while a function is
    /// walked in one activation, and asked of the same names again and again.
    pub(super) names_inside: RefCell<Option<FxHashMap<Active, (Env<'a>, Value<'a>)>>>,
    /// The positions of the entries of large object literals, and of the first spread elements of large array literals.
    pub(super) entries: RefCell<FxHashMap<*const Prop, Rc<Entries<'a>>>>,
    pub(super) spreads: RefCell<FxHashMap<*const Expr, usize>>,
    /// The imports of everything in a file that may lead somewhere.
    pub(super) wildcards: RefCell<FxHashMap<FileId, Wildcards>>,
    /// What files do with the variables of one name.
    pub(super) uses: RefCell<FxHashMap<(FileId, SmolStr), Rc<Uses>>>,
    /// What is looked up in functions and loops.
    pub(super) lookups: RefCell<FxHashMap<ScopeKey, super::dispatch::LookedUp<'a>>>,
    /// Regular expressions that were read, by what they are written as and their flags; a few, as one may be large.
    pub(super) patterns: RefCell<FxHashMap<Pattern, Option<Rc<Regex>>>>,
    /// Whether a file imports a framework.
    pub(super) importing: RefCell<FxHashMap<(FileId, usize), bool>>,
    /// The dynamic registrations that were filed: one for a place and its servers.
    pub(super) dynamics_filed: RefCell<FxHashSet<(Place, Arc<[ServerKey]>)>>,
    /// It was reported that the file has no steps left.
    pub(super) is_stopped: Cell<bool>,
    depth: Cell<u32>,
    /// How many more may be taken.
    steps: Cell<u32>,
    /// How many more this file may take in all.
    left: Cell<u32>,
    /// How often evaluation was cut short: by a cycle, or a limit. What was computed meanwhile holds only there.
    pub(super) cuts: Cell<u32>,
}

/// What a call calls, once for each element and caller that it takes to know it.
pub(super) type HandedIn<'a> = Rc<Vec<(Ctx<'a>, Value<'a>)>>;

/// Imports of everything, by their items and their places among the bindings there.
pub(super) type Wildcards = Rc<[(u32, u32)]>;

/// A name in a scope, under an environment.
pub(super) type Active = (FileId, u32, ScopeId, SmolStr, usize);

impl<'a> Evaluator<'a> {
    /// An evaluator that may take so many steps.
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

    /// Allows so many steps more.
    pub(super) fn refuel(&self, steps: u32) {
        let left = self.left.get() + self.steps.get();
        let steps = steps.min(left);
        self.steps.set(steps);
        self.left.set(left - steps);
    }

    /// How many steps are left of all.
    pub(super) fn left(&self) -> u32 {
        self.left.get() + self.steps.get()
    }

    /// Takes steps for something that is done in one go. What that is more than may be taken now, the file has less of later.
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

    /// Goes one step deeper, unless that is too deep or there were too many steps. Whatever calls itself here
    /// goes through this: values are lazy, so a list can hold itself.
    pub(super) fn guarded<T>(&self, evaluate: impl FnOnce() -> T) -> Result<T, Unknown> {
        self.enter()?;
        let result = evaluate();
        self.depth.set(self.depth.get() - 1);
        Ok(result)
    }

    /// Counts one step down; the caller counts it up again.
    #[inline(never)]
    fn enter(&self) -> Result<(), Unknown> {
        let (depth, steps) = (self.depth.get(), self.steps.get());
        self.steps.set(steps.saturating_sub(1));
        let reason = if depth >= MAX_DEPTH {
            "it is defined through itself, or through too many steps"
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
                    // What a class does not hold itself, its instances may: whoever calls the method has one.
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
            // What is left of `&&` decides; where that is open, it is no value that a name could be.
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
                // What is too long already is so with more, too.
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
        // A call keeps the scope it stands in, whatever asks for it.
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
        // `super()` is the base itself.
        if matches!(&call.callee, Expr::Name { name, .. } if name == "super") {
            return self.base_around(ctx);
        }
        match self.eval(&call.callee, ctx) {
            Value::Expr(Expr::Function { scope, .. }, function_ctx) => {
                let this = self.receiver_of(call, *scope, &function_ctx, ctx);
                self.apply(*scope, &function_ctx, &call.args, ctx, is_method_call(call), this)
            }
            // A package that wraps a server gives a server: `wrapWithTracing(new McpServer(…))`. Whatever else it makes is
            // a record.
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
            // A builder's method gives back what it was called on: `ToolBuilder::new("x").description("…").build()`.
            Value::Absent if self.world.family(ctx.file) == Some(Family::Rust) => match &call.callee {
                Expr::Member { object, .. } => self.eval(object, ctx),
                _ => Value::Absent,
            },
            Value::Unknown(unknown) if unknown.blocked.is_some() => Value::Unknown(unknown),
            _ => Value::unknown(self.result_of(&call.callee)),
        }
    }

    /// Why nobody can say what a call gives back.
    pub(super) fn result_of(&self, callee: &Expr) -> std::borrow::Cow<'static, str> {
        match callee.last_name() {
            Some(name) => format!("the result of `{name}` is known only at run time").into(),
            None => "the result of a call".into(),
        }
    }

    /// The server that a call of another package is given as its first argument, and nothing but that may be what it
    /// gives back.
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

    /// What a function returns for these arguments.
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

    /// What a method is called on.
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
        // What an instance of a derived class calls on itself, it calls on that.
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

    /// What a function returns, in the activation that `ctx` holds, if it holds one.
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
                        // Nothing behind it runs.
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

    /// Whether a scope inside a function is sure to run, or not to run, where its branches' conditions tell.
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
                    // Any that is true decides; else all must be known to be false.
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

    /// Whether a condition holds, where a few steps tell; what is a matter of long lists is left open.
    fn glance(&self, test: &'a Expr, ctx: &Ctx<'a>) -> Option<bool> {
        self.within(MAX_STEPS_OF_A_CONDITION, || truth(&self.eval(test, ctx))).flatten()
    }

    /// What can be told in so many steps; `None` where it takes more.
    pub(super) fn within<T>(&self, steps: u32, evaluate: impl FnOnce() -> T) -> Option<T> {
        let (left, cuts) = (self.steps.get(), self.cuts.get());
        let allowed = left.min(steps);
        self.steps.set(allowed);
        let result = evaluate();
        let is_cut = self.is_exhausted();
        self.steps.set(left - (allowed - self.steps.get()));
        if is_cut && left > allowed {
            // An open question holds in any case: whoever asked is not cut short by it.
            self.cuts.set(cuts);
            return None;
        }
        Some(result)
    }

    /// The server that a call makes, if it makes one.
    pub(super) fn server(&self, call: &'a Call, id: CallId, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let family = self.world.family(ctx.file)?;
        let frameworks = self.world.frameworks();
        // Where `new` tells, whatever else is called need not be computed twice: in a chain, each link would be.
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

    /// The name of a server as `ctx` gives it, where the code alone does not tell.
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

    /// The form of the framework's server class that a class extends, however far up.
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

    /// Where a class is defined.
    pub(super) fn class_definition(&self, class: ScopeId, ctx: &Ctx<'a>) -> Option<&'a Definition> {
        self.item(ctx.file, ctx.item).definition_of(class)
    }

    /// A class that is a server itself: all that its methods register, and all that is registered with an instance.
    pub(super) fn class_key(&self, class: ScopeId, ctx: &Ctx<'a>) -> Option<ServerKey> {
        let class = self.class_definition(class, ctx)?;
        Some(ServerKey::Class { file: ctx.file, name: class.name.clone() })
    }

    /// The last part of a callee, under the name it was imported by.
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

    /// Whether a callee is something of this path imported from the framework's packages.
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

/// How functions of monitoring packages begin that hand a server on: without their source, their name is all that tells.
const WRAPPERS: [&str; 5] = ["wrap", "instrument", "with", "trace", "monitor"];
