//! The callers of a function: every call in the workspace that certainly calls it, with its arguments.

use std::rc::Rc;

use smol_str::SmolStr;

use super::environment::{Activation, Ctx, This};
use super::expression::{Evaluator, HandedIn, is_method_call};
use super::member::{CONSTRUCTORS, is_base_call, names_base};
use super::value::{Value, one_of};
use super::{ScopeKey, Want};
use crate::lower::{Bound, CallId, CallKind, DefinitionKind, Expr, HANDED_IN, Key, ScopeId, ScopeKind, Way};
use crate::syntax::Family;
use crate::text::FileId;

/// How many levels of derived classes are followed.
const MAX_BASES: u32 = 8;
/// How many steps it may take to find out whether a call calls some function. There is no such limit for calls of its
/// bare name in its own file.
const MAX_STEPS_OF_A_CANDIDATE: u32 = 5_000;

/// A call that certainly calls some function.
pub(super) struct VerifiedCall<'a> {
    file: FileId,
    item: u32,
    id: CallId,
    /// The context of the function, as seen from the call.
    target: Ctx<'a>,
    /// The context of the call. There is a separate one for each element of the loops that determine what is called.
    at: Ctx<'a>,
}

impl<'a> Evaluator<'a> {
    /// Copies of `ctx`, one for each call of a function, with the arguments of the call.
    #[inline(never)]
    pub(super) fn callers(&self, key: ScopeKey, ctx: &Ctx<'a>) -> Vec<Ctx<'a>> {
        if ctx.frame(key).is_some() {
            return Vec::new();
        }
        let calls = self.calls_of(key);
        let facts = self.item(key.file, key.item);
        let mut all = Vec::with_capacity(calls.len());
        for VerifiedCall { file, item, id, target, at } in calls.iter() {
            let call = self.item(*file, *item).call(*id);
            let at = at.on_top_of(ctx).at(at);
            self.reads.borrow_mut().insert(*file);
            // If the constructor of a derived class makes the call, the instance is one of the derived class.
            let from_derived = self.is_constructor(key) && is_base_call(call, self.item(*file, *item));
            let takes_receiver = match &facts.scope(key.scope).kind {
                ScopeKind::Function(function) => {
                    function.receiver
                        && (is_method_call(call) || self.is_constructor(key))
                        && !(from_derived && names_base(call, self.item(*file, *item)))
                }
                _ => false,
            };
            // What the callee's own activation knows, such as the fields of an instance, is known inside the callee,
            // too.
            let base = target.on_top_of(&at).at(ctx);
            let this = match self.is_constructor(key) {
                true if from_derived => Some(This::Known(Rc::new(self.around(&at)))),
                true => {
                    let instance = &self.item(*file, *item).call_expressions[id.0 as usize];
                    Some(This::Known(Rc::new(Value::Expr(instance, at.clone()))))
                }
                false => self.receiver_of(call, key.scope, target, &at),
            };
            let receiver = takes_receiver;
            all.push(
                base.with(key, Activation::Args { args: &call.args, at, receiver, open: true, this, call: Some(*id) }),
            );
        }
        all
    }

    /// Copies of `ctx` inside a method, one for each class that derives from the method's class: if the receiver is
    /// unknown, it is an instance of one of these.
    pub(super) fn on_each_derived(&self, key: ScopeKey, ctx: &Ctx<'a>) -> Vec<Ctx<'a>> {
        let facts = self.item(key.file, key.item);
        let function = facts.scope(key.scope);
        let Some(class) = function.parent.filter(|&scope| matches!(facts.scope(scope).kind, ScopeKind::Class { .. }))
        else {
            return Vec::new();
        };
        let receiver = matches!(&function.kind, ScopeKind::Function(function) if function.receiver);
        let derived = self.derived_from(class, &Ctx::new(key.file, key.item, class));
        let inside = derived.into_iter().filter_map(|class| {
            let Value::Expr(_, at) = &class else { return None };
            let (at, this) = (at.clone(), Some(This::Known(Rc::new(class))));
            Some(ctx.with(key, Activation::Args { args: &[], at, receiver, open: true, this, call: None }))
        });
        inside.collect()
    }

    /// The classes that derive from a class, directly or indirectly.
    pub(super) fn derived_from(&self, class: ScopeId, home: &Ctx<'a>) -> Vec<Value<'a>> {
        let mut all = Vec::new();
        let mut open = vec![(class, home.clone(), 0)];
        while let Some((class, home, depth)) = open.pop() {
            for derived in self.derived_classes(class, &home) {
                if let Value::Expr(Expr::Class { scope, .. }, at) = &derived
                    && depth < MAX_BASES
                {
                    open.push((*scope, at.clone(), depth + 1));
                    all.push(derived);
                }
            }
        }
        all
    }

    /// The classes that derive from a class directly.
    pub(super) fn derived_classes(&self, class: ScopeId, home: &Ctx<'a>) -> Vec<Value<'a>> {
        let Some(own) = self.class_definition(class, home) else { return Vec::new() };
        self.wants.borrow_mut().insert(Want::Word(own.name.clone()));
        let mut all = Vec::new();
        for (file, name) in self.world.derived_from(&own.name) {
            let Some(facts) = self.world.facts(*file) else { continue };
            self.reads.borrow_mut().insert(*file);
            for &(item, index) in facts.defined.get(name).into_iter().flatten() {
                let facts = facts.item(item);
                let definition = &facts.facts.definitions[index as usize];
                if definition.kind == DefinitionKind::Class {
                    let at = Ctx::new(*file, item, definition.scope);
                    let ScopeKind::Class { bases } = &facts.facts.scope(definition.body).kind else { continue };
                    let is_own = |value: Value<'a>| match value {
                        Value::Expr(Expr::Class { scope, .. }, ctx) => {
                            *scope == class && (ctx.file, ctx.item) == (home.file, home.item)
                        }
                        _ => false,
                    };
                    if bases.iter().any(|base| is_own(self.eval(base, &at))) {
                        all.push(self.definition_value(definition, &at));
                    }
                }
            }
        }
        all
    }

    /// `ctx` inside a function that is called without arguments, so that its defaults apply; `None` if it has no
    /// defaults.
    pub(super) fn by_default(&self, key: ScopeKey, ctx: &Ctx<'a>) -> Option<Ctx<'a>> {
        let ScopeKind::Function(function) = &self.item(key.file, key.item).scope(key.scope).kind else { return None };
        let has_default = function.params.iter().any(|param| param.default.is_some());
        let at = Ctx::new(key.file, key.item, key.scope);
        let given =
            Activation::Args { args: &[], at, receiver: function.receiver, open: false, this: None, call: None };
        (has_default && ctx.frame(key).is_none()).then(|| ctx.with(key, given))
    }

    /// The calls that certainly call a function, each with the function as seen from the call.
    #[inline(never)]
    pub(super) fn calls_of(&self, key: ScopeKey) -> Rc<Vec<VerifiedCall<'a>>> {
        if let Some(known) = self.calls.borrow().get(&key) {
            return Rc::clone(known);
        }
        // The search for its callers may need its callers: a result that depends on this empty one is not cached.
        if !self.calls_sought.borrow_mut().insert(key) {
            self.cuts.set(self.cuts.get() + 1);
            return Rc::default();
        }
        let cuts = self.cuts.get();
        let mut found = Vec::new();
        let constructs = self.is_constructor(key);
        // If a name is common, the nearest calls come first, and the steps may not suffice for the rest.
        let (near, far): (Vec<_>, Vec<_>) = self.candidates(key, constructs).into_iter().partition(|candidate| {
            let (name, file, item, id) = candidate;
            name != HANDED_IN
                && *file == key.file
                && matches!(self.item(*file, *item).call(*id).callee, Expr::Name { .. })
        });
        near.iter().for_each(|candidate| self.verify(key, candidate, &mut found));
        for candidate in &far {
            self.within(MAX_STEPS_OF_A_CANDIDATE, || self.verify(key, candidate, &mut found));
        }
        if constructs {
            self.calls_from_derived(key, &mut found);
        }
        let found = Rc::new(found);
        let mut sought = self.calls_sought.borrow_mut();
        sought.remove(&key);
        if self.cuts.get() == cuts || sought.is_empty() && !self.is_exhausted() {
            self.calls.borrow_mut().insert(key, Rc::clone(&found));
        }
        found
    }

    /// The calls that may call a function by one of its names, each with that name, its file, item and id.
    fn candidates(&self, key: ScopeKey, constructs: bool) -> Vec<(SmolStr, FileId, u32, CallId)> {
        let family = self.world.family(key.file);
        let local = self.local_name(key);
        let mut all = Vec::new();
        for name in local.clone().map_or_else(|| self.names_of(key), |name| vec![name]) {
            self.wants.borrow_mut().insert(Want::Word(name.clone()));
            for &file in self.world.files_calling(&name) {
                let Some(facts) = self.world.facts(file).filter(|_| local.is_none() || file == key.file) else {
                    continue;
                };
                for &(item, id) in facts.calls.get(&name).into_iter().flatten() {
                    let call = self.item(file, item).call(id);
                    // In TypeScript, `new` distinguishes classes from functions.
                    let makes = call.kind == CallKind::New;
                    let is_other = match name == HANDED_IN {
                        true => makes != constructs && family == Some(Family::TypeScript),
                        // A parameter that happens to have this name is found under `HANDED_IN`.
                        false => self.item(file, item).is_handed_in(call),
                    };
                    if !is_other && (local.is_none() || matches!(call.callee, Expr::Name { .. })) {
                        all.push((name.clone(), file, item, id));
                    }
                }
            }
        }
        all
    }

    /// Adds a call to `found` if it certainly calls a function: once for each element of the loops that determine what
    /// is called.
    fn verify(
        &self,
        key: ScopeKey,
        (name, file, item, id): &(SmolStr, FileId, u32, CallId),
        found: &mut Vec<VerifiedCall<'a>>,
    ) {
        let (file, item, id) = (*file, *item, *id);
        let call = self.item(file, item).call(id);
        let each = match name == HANDED_IN {
            true => self.handed_in((file, item, id)).to_vec(),
            false => self.expanded(&call.callee, Ctx::new(file, item, call.scope), 0),
        };
        for (at, value) in each {
            let options = match value {
                Value::Choice(options) => options.to_vec(),
                value => vec![value],
            };
            for option in options {
                let (scope, target) = match option {
                    Value::Expr(Expr::Function { scope, .. }, target) => (*scope, target),
                    // Calling a class calls its constructor.
                    Value::Expr(Expr::Class { scope, .. }, target) => match self.constructor(*scope, &target) {
                        Some(constructor) => constructor,
                        None => continue,
                    },
                    // Whatever the receiver is, no other function has this name.
                    Value::Unknown(_) if self.is_telling(&call.callee, file) => {
                        (key.scope, Ctx::new(key.file, key.item, key.scope))
                    }
                    _ => continue,
                };
                if (target.file, target.item, scope) == (key.file, key.item, key.scope) {
                    found.push(VerifiedCall { file, item, id, target, at: at.clone() });
                }
            }
        }
    }

    /// Adds the calls of a constructor by the constructors of derived classes, `super("name")`, to `found`.
    fn calls_from_derived(&self, key: ScopeKey, found: &mut Vec<VerifiedCall<'a>>) {
        let Some(class) = self.item(key.file, key.item).scope(key.scope).parent else { return };
        for derived in self.derived_classes(class, &Ctx::new(key.file, key.item, class)) {
            let Value::Expr(Expr::Class { scope, .. }, at) = derived else { continue };
            let Some((id, call)) = self.base_call(*scope, &at, class, &Ctx::new(key.file, key.item, class)) else {
                continue;
            };
            let target = Ctx::new(key.file, key.item, key.scope);
            let at = Ctx::new(at.file, at.item, call.scope);
            found.push(VerifiedCall { file: at.file, item: at.item, id, target, at });
        }
    }

    /// Whether the name of a method alone shows that it registers tools, and no framework of the project has a method
    /// of that name: `context.accountTool(…)`, where only its type shows what `context` is.
    fn is_telling(&self, callee: &Expr, file: FileId) -> bool {
        let Expr::Member { key: Key::Field(method), .. } = callee else { return false };
        let Some(family) = self.world.family(file) else { return false };
        let candidates = self.world.frameworks().candidates(family, method);
        method.to_lowercase().contains("tool")
            && !candidates.iter().any(|candidate| self.world.project_uses(file, candidate.framework))
    }

    /// The names that are bound to the results of a function.
    fn results_of(&self, key: ScopeKey) -> Vec<SmolStr> {
        let mut names = Vec::new();
        for call in self.calls_of(key).iter() {
            for scope in &self.item(call.file, call.item).scopes {
                names.extend(scope.bindings.iter().filter_map(|binding| match &binding.value {
                    Bound::Value(Expr::Call(id)) if *id == call.id => Some(binding.name.clone()),
                    _ => None,
                }));
            }
        }
        names
    }

    /// The name of a function that can be called only in its own file and only by that name, because it is not
    /// exported, passed to anything or stored in anything. `None` for any other function.
    fn local_name(&self, key: ScopeKey) -> Option<SmolStr> {
        let file = self.world.facts(key.file).filter(|file| !file.modules.is_empty())?;
        // In other languages, everything in a module can be imported from it.
        if self.world.family(key.file) != Some(Family::TypeScript) {
            return None;
        }
        let facts = self.item(key.file, key.item);
        let ways = facts.ways_to_call(key.scope);
        let mut bound = ways.iter().filter_map(|way| match way {
            Way::Bound { name, is_member: false } => Some(name),
            _ => None,
        });
        let name = bound.next()?.clone();
        let is_kept = bound.next().is_some()
            || file.kept.contains(&name)
            || file.exported_locals.contains(&name)
            || file.handed.contains(&name)
            || file.given.contains_key(&name)
            || file.exported_functions.contains_key(&(key.item, key.scope))
            || ways.iter().any(|way| matches!(way, Way::Assigned | Way::Returned { is_named: false, .. }));
        self.reads.borrow_mut().insert(key.file);
        (!is_kept).then_some(name)
    }

    /// The names under which a function can be called.
    fn names_of(&self, key: ScopeKey) -> Vec<SmolStr> {
        let facts = self.item(key.file, key.item);
        let ways = facts.ways_to_call(key.scope);
        let mut names: Vec<SmolStr> = Vec::new();
        let mut makers: Vec<ScopeId> = Vec::new();
        for way in ways.iter() {
            match way {
                Way::Bound { name, .. } | Way::Key(name) => names.push(name.clone()),
                Way::Returned { by, .. } if *by != key.scope => makers.push(*by),
                Way::Returned { .. } | Way::Argument | Way::Assigned => {}
            }
        }
        // A function that another one returns is called by the name that the result is bound to, or as a decorator.
        makers.sort_unstable();
        makers.dedup();
        for maker in makers {
            let maker = ScopeKey { scope: maker, ..key };
            names.extend(self.results_of(maker));
            names.extend(self.names_of(maker));
        }
        // A constructor is called by the name of its class, or of a derived class without its own constructor.
        if let Some(class) = facts.scope(key.scope).parent
            && names.iter().any(|name| CONSTRUCTORS.contains(&name.as_str()))
            && let Some(definition) = facts.definition_of(class)
        {
            let mut open = vec![definition.name.clone()];
            while let Some(class) = open.pop() {
                if !names.contains(&class) {
                    open.extend(self.world.derived_from(&class).iter().map(|(_, name)| name.clone()));
                    names.push(class);
                }
            }
        }
        // A function without a name is called by the function that receives it.
        let is_argument = names.is_empty() && ways.contains(&Way::Argument);
        if self.is_constructor(key) || is_argument || names.iter().any(|name| self.world.is_handed(name)) {
            names.push(SmolStr::new_static(HANDED_IN));
        }
        // A module may export a function that has no name itself, `exports.register = (server) => …`.
        self.reads.borrow_mut().insert(key.file);
        if let Some(file) = self.world.facts(key.file) {
            names.extend(file.exported_functions.get(&(key.item, key.scope)).into_iter().flatten().cloned());
            let mut next = 0;
            while let Some(name) = names.get(next) {
                let exported = file.exported_names.get(name).into_iter().flatten();
                let new: Vec<SmolStr> = exported.filter(|exported| !names.contains(exported)).cloned().collect();
                names.extend(new);
                next += 1;
            }
        }
        // Other files may import the function under another name, and export it under yet another.
        let mut next = 0;
        while let Some(name) = names.get(next) {
            let aliases: Vec<SmolStr> =
                self.world.aliases_of(name).iter().filter(|alias| !names.contains(alias)).cloned().collect();
            names.extend(aliases);
            next += 1;
        }
        names.sort();
        names.dedup();
        names
    }

    /// The values of a callee that is a loop variable or a parameter, one for each element and caller.
    fn handed_in(&self, call: (FileId, u32, CallId)) -> HandedIn<'a> {
        if let Some(known) = self.handed_in.borrow().get(&call) {
            return Rc::clone(known);
        }
        // The search for the values of the callee may need these values.
        if !self.handed_in_sought.borrow_mut().insert(call) {
            self.cuts.set(self.cuts.get() + 1);
            return Rc::default();
        }
        let cuts = self.cuts.get();
        let (file, item, id) = call;
        let callee = &self.item(file, item).call(id).callee;
        let at = Ctx::new(file, item, self.item(file, item).call(id).scope);
        let reached = self.reached(&[callee], at, 0).into_iter();
        let each = Rc::new(reached.map(|at| (at.clone(), self.eval(callee, &at))).collect());
        let mut sought = self.handed_in_sought.borrow_mut();
        sought.remove(&call);
        if self.cuts.get() == cuts || sought.is_empty() && self.calls_sought.borrow().is_empty() && !self.is_exhausted()
        {
            self.handed_in.borrow_mut().insert(call, Rc::clone(&each));
        }
        each
    }

    /// The value of an expression or, if it depends on loops, one value for each of their elements. If it depends on
    /// callers, a choice between its values for all of them.
    pub(super) fn expanded(&self, expr: &'a Expr, at: Ctx<'a>, depth: u32) -> Vec<(Ctx<'a>, Value<'a>)> {
        let value = self.eval(expr, &at);
        let Some(key) = value.blocked().filter(|_| depth < 4) else {
            return vec![(at, value)];
        };
        match self.activations(key, &at) {
            Ok(each) => each.into_iter().flat_map(|inside| self.expanded(expr, inside.at(&at), depth + 1)).collect(),
            Err(unknown) => {
                let callers = self.callers(unknown.blocked.unwrap_or(key), &at);
                let values = callers.into_iter().flat_map(|inside| self.expanded(expr, inside.at(&at), depth + 1));
                let known: Vec<Value<'a>> =
                    values.map(|(_, value)| value).filter(|value| !matches!(value, Value::Unknown(_))).collect();
                vec![(at, if known.is_empty() { value } else { one_of(known) })]
            }
        }
    }
}
