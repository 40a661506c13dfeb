//! The value of a name: a binding of the enclosing scopes, a parameter, an import, the enclosing class.

use std::rc::Rc;

use smol_str::SmolStr;

use super::environment::{Activation, Ctx, Frame, This};
use super::expression::{Evaluator, Wildcards};
use super::fuel::TOO_MANY_STEPS;
use super::growth::Holder;
use super::value::{Elements, Pairs, Value, one_of};
use super::{Lookup, ScopeKey, Traced, Unknown, Want};
use crate::lower::{
    Arg, Binding, Bound, ExportTarget, Expr, Function, Imported, ItemFacts, Key, ScopeId, ScopeKind, UNASSIGNED,
};
use crate::syntax::Family;
use crate::text::FileId;

/// In how many places a name may be bound. A lookup evaluates all of them, so a name with more is unknown.
pub(super) const MAX_BINDINGS: usize = 64;
/// How many steps looking up a name in another file costs: modules may re-export everything from each other.
const STEPS_OF_AN_EXPORT: usize = 4;
/// How many steps looking up a name in a wildcard import costs.
const STEPS_OF_A_MODULE: usize = 4;

/// The reason for a name that is bound in more than [`MAX_BINDINGS`] places.
fn bound_too_often<'a>(name: &SmolStr) -> Value<'a> {
    Value::unknown(format!("`{name}` is assigned in more than {MAX_BINDINGS} places"))
}

impl<'a> Evaluator<'a> {
    #[inline(never)]
    pub(super) fn name(&self, name: &'a SmolStr, ctx: &Ctx<'a>) -> Value<'a> {
        let facts = self.item(ctx.file, ctx.item);
        let mut at = Some(ctx.scope);
        let mut inside_function = false;
        while let Some(id) = at.filter(|id| id.0 != 0) {
            let scope = facts.scope(id);
            // The names of a class body are visible in its methods only as members.
            let visible = !(inside_function && matches!(scope.kind, ScopeKind::Class { .. }));
            if visible && facts.binds(id, name) {
                return self.once(ctx, id, name, || {
                    let found = facts.bindings_of(id, name);
                    // A value from a branch that does not run does not count.
                    let is_function = matches!(scope.kind, ScopeKind::Function(_)) && found.len() > 1;
                    let may_run = |binding: &&Binding| {
                        !is_function || binding.scope == id || self.runs(binding.scope, id, ctx) != Some(false)
                    };
                    let bindings = assigned_once(found.into_iter().filter(may_run).collect());
                    if bindings.len() > MAX_BINDINGS {
                        return bound_too_often(name);
                    }
                    let values = bindings.into_iter().map(|binding| self.bound(binding, id, ctx)).collect();
                    self.grown(Holder::Variable(name, Some(id)), one_of(without_itself(values)), ctx)
                });
            }
            inside_function |= matches!(scope.kind, ScopeKind::Function(_));
            at = scope.parent;
        }
        if let Some(module) = self.path_root(name, ctx) {
            return module;
        }
        match name.as_str() {
            "this" | "self" | "cls" => return self.instance_around(ctx),
            "Self" => return self.around(ctx),
            "super" => return self.base_around(ctx),
            _ => {}
        }
        // The value of a top-level name does not depend on where it is looked up.
        let top = Ctx::new(ctx.file, 0, ScopeId(0));
        self.once(&top, ScopeId(0), name, || {
            let value = self.top_level(ctx.file, name);
            self.grown(Holder::Variable(name, None), value, &Ctx { env: None, ..ctx.clone() })
        })
    }

    /// Looks up a name in the scope that binds it, unless its value is cached. If the lookup is already in progress,
    /// the value is unknown: [`FROM_ITSELF`].
    fn once(&self, ctx: &Ctx<'a>, scope: ScopeId, name: &SmolStr, look_up: impl FnOnce() -> Value<'a>) -> Value<'a> {
        let key = (ctx.file, ctx.item, scope, name.clone());
        let active = (ctx.file, ctx.item, scope, name.clone(), ctx.env_id());
        if ctx.env.is_none()
            && let Some(known) = self.names.borrow().get(&key)
        {
            return known.clone();
        }
        if ctx.env.is_some()
            && let Some((_, known)) = self.names_inside.borrow().as_ref().and_then(|names| names.get(&active))
        {
            return known.clone();
        }
        if self.active.borrow().contains(&active) {
            self.cuts.set(self.cuts.get() + 1);
            return Value::unknown(FROM_ITSELF);
        }
        let cuts = self.cuts.get();
        self.active.borrow_mut().push(active);
        let value = look_up();
        let active = self.active.borrow_mut().pop();
        let whole = self.cuts.get() == cuts || self.active.borrow().is_empty() && !self.is_exhausted();
        if whole && ctx.env.is_none() {
            self.names.borrow_mut().insert(key, value.clone());
        } else if let (Some(active), true, Some(names)) = (active, whole, self.names_inside.borrow_mut().as_mut()) {
            names.insert(active, (ctx.env.clone(), value.clone()));
        }
        value
    }

    /// Whether a function is a method with its receiver as the first parameter.
    fn is_receiver(&self, function: ScopeId, ctx: &Ctx<'a>) -> bool {
        let facts = self.item(ctx.file, ctx.item);
        let scope = facts.scope(function);
        let in_class = scope.parent.is_some_and(|parent| matches!(facts.scope(parent).kind, ScopeKind::Class { .. }));
        in_class && matches!(&scope.kind, ScopeKind::Function(function) if function.receiver)
    }

    /// The value of `this`: the receiver of the method if it is known, and the enclosing class otherwise.
    pub(super) fn instance_around(&self, ctx: &Ctx<'a>) -> Value<'a> {
        let facts = self.item(ctx.file, ctx.item);
        let mut at = Some(ctx.scope);
        while let Some(id) = at {
            if let Some(Frame { bound: Activation::Args { this: Some(this), at, open, .. }, .. }) =
                ctx.frame(ctx.key(id))
            {
                let at = || if *open { at.with_env_of(ctx) } else { at.clone() };
                let value = match this {
                    This::Known(this) => match &**this {
                        // The arguments with which the instance was created are found in the environment of the
                        // evaluation that uses the instance.
                        Value::Expr(expr, home) if *open && home.env.is_none() => {
                            Value::Expr(expr, home.with_env_of(ctx))
                        }
                        known => known.clone(),
                    },
                    This::Asked(expr) => self.eval(expr, &at()),
                    This::Same => self.same_instance(&at()),
                };
                if matches!(value, Value::Expr(..) | Value::Server { .. }) || value.blocked().is_some() {
                    return value;
                }
            }
            let scope = facts.scope(id);
            if matches!(scope.kind, ScopeKind::Class { .. }) {
                break;
            }
            at = scope.parent;
        }
        self.around(ctx)
    }

    /// The receiver of the method around a call; if it is not known yet, an unknown value that is blocked by that
    /// method.
    fn same_instance(&self, at: &Ctx<'a>) -> Value<'a> {
        match self.method_around(at) {
            Some(method) => {
                let reason = "a member of the method's receiver, which is unknown";
                Value::Unknown(Unknown::waiting(reason, Some(method)))
            }
            None => self.deeper(|| self.instance_around(at)),
        }
    }

    /// The method around a scope; `None` if there is none or its activation is known.
    pub(super) fn method_around(&self, ctx: &Ctx<'a>) -> Option<ScopeKey> {
        let facts = self.item(ctx.file, ctx.item);
        let mut at = ctx.scope;
        loop {
            let scope = facts.scope(at);
            let parent = scope.parent?;
            if matches!(scope.kind, ScopeKind::Function(_)) {
                let key = ctx.key(at);
                if ctx.frame(key).is_some() {
                    return None;
                }
                if matches!(facts.scope(parent).kind, ScopeKind::Class { .. }) {
                    return Some(key);
                }
            }
            at = parent;
        }
    }

    /// Whether other classes derive from the class of a method: they may override its members.
    pub(super) fn is_derived_from(&self, method: ScopeKey) -> bool {
        let facts = self.item(method.file, method.item);
        let class = facts.scope(method.scope).parent;
        let definition = class.and_then(|class| facts.definition_of(class));
        definition.filter(|definition| !definition.name.is_empty()).is_some_and(|definition| {
            self.wants.borrow_mut().insert(Want::Word(definition.name.clone()));
            !self.world.derived_from(&definition.name).is_empty()
        })
    }

    /// The first base of the class around a scope.
    pub(super) fn base_around(&self, ctx: &Ctx<'a>) -> Value<'a> {
        let Value::Expr(Expr::Class { scope, .. }, class) = self.around(ctx) else {
            return Value::unknown("`super` outside a class");
        };
        let scope = self.item(class.file, class.item).scope(*scope);
        match &scope.kind {
            ScopeKind::Class { bases } if !bases.is_empty() => {
                self.eval(&bases[0], &class.in_scope(scope.parent.unwrap_or(ScopeId(0))))
            }
            _ => Value::unknown("`super` in a class without a base"),
        }
    }

    /// The class around a scope.
    pub(super) fn around(&self, ctx: &Ctx<'a>) -> Value<'a> {
        let facts = self.item(ctx.file, ctx.item);
        let mut at = Some(ctx.scope);
        while let Some(id) = at {
            let scope = facts.scope(id);
            if matches!(scope.kind, ScopeKind::Class { .. }) {
                let class = facts.definition_of(id);
                let binding = class.and_then(|definition| {
                    let bindings = facts.bindings_of(definition.scope, &definition.name);
                    bindings.into_iter().find_map(|binding| match &binding.value {
                        Bound::Value(value @ Expr::Class { scope, .. }) if *scope == id => Some(value),
                        _ => None,
                    })
                });
                return match binding {
                    Some(value) => Value::Expr(value, ctx.clone()),
                    None => Value::unknown("a class without a name"),
                };
            }
            at = scope.parent;
        }
        Value::unknown("`this` outside a class")
    }

    #[inline(never)]
    pub(super) fn top_level(&self, file: FileId, name: &SmolStr) -> Value<'a> {
        self.reads.borrow_mut().insert(file);
        let Some(facts) = self.world.facts(file) else {
            return Value::unknown("a file that is not loaded");
        };
        if let Some(found) = facts.top_level.get(name) {
            if found.len() > MAX_BINDINGS {
                return bound_too_often(name);
            }
            let binding = |&(item, index): &(u32, u32)| &self.item(file, item).scopes[0].bindings[index as usize];
            let bound =
                |place: &(u32, u32)| self.bound(binding(place), ScopeId(0), &Ctx::new(file, place.0, ScopeId(0)));
            let values = match found.as_slice() {
                // `let x;` and a single assignment.
                [first, second] if is_unassigned(binding(first)) => vec![bound(second)],
                found => found.iter().map(bound).collect(),
            };
            return one_of(without_itself(values));
        }
        // A Rust path may begin with the name of a crate.
        let begins = self.world.family(file) == Some(Family::Rust);
        if begins && let Lookup::Found(root) = self.lookup(file, name) {
            return Value::Module(root);
        }
        // `from module import *`
        let mut found = Vec::new();
        for &(item, index) in self.wildcards(file).iter() {
            if self.is_exhausted() {
                return Value::unknown(TOO_MANY_STEPS);
            }
            self.spend(STEPS_OF_A_MODULE);
            let binding = &self.item(file, item).scopes[0].bindings[index as usize];
            if let Bound::Import { module, .. } = &binding.value {
                let value = self.import(file, module, &Imported::Named(name.clone()));
                let is_foreign = matches!(&value, Value::External { module, .. }
                    if self.world.family(file).and_then(|family| self.world.frameworks().owner_of_module(family, module)).is_none());
                // If several packages outside the workspace may have the name, the first one stands for all.
                let is_another = matches!(value, Value::External { .. })
                    && found.iter().any(|known| matches!(known, Value::External { .. }));
                if !matches!(value, Value::Unknown(_) | Value::Absent) && !is_foreign && !is_another {
                    found.push(value);
                }
            }
        }
        if !found.is_empty() {
            return one_of(found);
        }
        if begins {
            return self.used(file, name, &Imported::Module);
        }
        Value::unknown(format!("`{name}` is not defined in this file"))
    }

    /// The wildcard imports at the top of a file, except Python's imports of packages outside the workspace that belong
    /// to no framework.
    fn wildcards(&self, file: FileId) -> Wildcards {
        if let Some(known) = self.wildcards.borrow().get(&file) {
            return Rc::clone(known);
        }
        let frameworks = self.world.frameworks();
        let leads_here =
            |&&(item, index): &&(u32, u32)| match &self.item(file, item).scopes[0].bindings[index as usize].value {
                Bound::Import { module, .. } if self.world.family(file) == Some(Family::Python) => {
                    !matches!(self.lookup(file, module), Lookup::External)
                        || frameworks.owner_of_module(Family::Python, module).is_some()
                }
                _ => true,
            };
        let all = self.world.facts(file).and_then(|facts| facts.top_level.get("*")).into_iter().flatten();
        let found: Wildcards = all.filter(leads_here).copied().collect();
        self.wildcards.borrow_mut().insert(file, Rc::clone(&found));
        found
    }

    pub(super) fn bound(&self, binding: &'a Binding, owner: ScopeId, ctx: &Ctx<'a>) -> Value<'a> {
        match (self.given(binding, owner, ctx), &binding.default) {
            (Value::Absent, Some(default)) => self.eval(default, &ctx.in_scope(binding.scope)),
            (value, _) => value,
        }
    }

    fn given(&self, binding: &'a Binding, owner: ScopeId, ctx: &Ctx<'a>) -> Value<'a> {
        match &binding.value {
            Bound::Value(expr) => self.eval(expr, &ctx.in_scope(binding.scope)),
            Bound::Param { index: 0, .. } if self.is_receiver(owner, ctx) => self.instance_around(&ctx.in_scope(owner)),
            Bound::Param { index, path } => {
                let value = self.walk(self.parameter(*index as usize, owner, ctx, false), path);
                match value.blocked() {
                    // The current environment may know what the caller's does not.
                    Some(key) if key != ctx.key(owner) && ctx.frame(key).is_some() => {
                        self.walk(self.parameter(*index as usize, owner, ctx, true), path)
                    }
                    _ => value,
                }
            }
            Bound::Element { path } => {
                let key = ctx.key(owner);
                let value = match ctx.frame(key).map(|frame| &frame.bound) {
                    Some(Activation::Element(value)) => value.clone(),
                    _ => Value::Unknown(Unknown::waiting("an element that a loop goes over", Some(key))),
                };
                self.walk(value, path)
            }
            // `use super::X` in an inline module.
            Bound::Import { module, name } if owner.0 != 0 && self.world.family(ctx.file) == Some(Family::Rust) => {
                self.used_inside(module, name, &ctx.in_scope(owner))
            }
            Bound::Import { module, name } => self.import(ctx.file, module, name),
        }
    }

    fn walk(&self, value: Value<'a>, path: &[Key]) -> Value<'a> {
        path.iter().fold(value, |value, key| self.member(&value, key))
    }

    /// The value of a parameter. With `knowing`, its argument is evaluated in the current environment, too, not only in
    /// that of the caller.
    #[inline(never)]
    fn parameter(&self, index: usize, owner: ScopeId, ctx: &Ctx<'a>, knowing: bool) -> Value<'a> {
        let ScopeKind::Function(function) = &self.item(ctx.file, ctx.item).scope(owner).kind else {
            return Value::unknown("a parameter");
        };
        let key = ctx.key(owner);
        match ctx.frame(key).map(|frame| &frame.bound) {
            Some(Activation::Element(value)) if index == 0 => value.clone(),
            Some(Activation::Given { index: given, value }) => match index == *given {
                true => value.clone(),
                false => Value::unknown("another parameter of a handler"),
            },
            Some(Activation::Args { args, at, receiver, open, .. }) => {
                let at = &match (open, knowing) {
                    (true, _) => at.with_env_of(ctx),
                    (false, true) => at.on_top_of(ctx).at(at),
                    (false, false) => at.clone(),
                };
                match argument(function, args, index, *receiver) {
                    Passed::One(arg) => self.eval(&arg.value, at),
                    Passed::Rest(args) => self.rest(&args, at),
                    Passed::Keywords(args) => {
                        let pair = |arg: &&'a Arg| {
                            let key = arg.name.clone().unwrap_or_default();
                            let key = Value::Text(Traced::literal(key, at.place(arg.span)));
                            (key, self.eval(&arg.value, at))
                        };
                        let known = args.iter().map(pair).collect();
                        Value::Pairs(Rc::new(Pairs { known, ..Pairs::default() }))
                    }
                    Passed::Nothing => match function.params.get(index).and_then(|param| param.default.as_ref()) {
                        Some(default) => self.eval(default, &ctx.in_scope(owner)),
                        None => Value::Absent,
                    },
                    Passed::Unclear => Value::unknown("its arguments are spread"),
                }
            }
            _ => {
                let name = function.params.get(index).map_or("", |param| param.name.as_str());
                let reason: std::borrow::Cow<'static, str> = match name {
                    "" => "a parameter of its function".into(),
                    _ => format!("`{name}` is a parameter of its function").into(),
                };
                Value::Unknown(Unknown::waiting(reason, Some(key)))
            }
        }
    }

    /// The list of all remaining arguments, with the elements of those that are spread.
    fn rest(&self, args: &[&'a Arg], at: &Ctx<'a>) -> Value<'a> {
        let mut all = Elements::default();
        for arg in args {
            let value = match &arg.value {
                Expr::Spread(inner) => self.eval(inner, at),
                value => {
                    all.known.push(self.eval(value, at));
                    continue;
                }
            };
            if value.blocked().is_some() {
                return value;
            }
            let more = self.elements(&value);
            all.known.extend(more.known);
            all.rest = all.rest.or(more.rest);
            all = self.list_of(all, Some(at.place(arg.span)));
        }
        Value::List(Rc::new(all))
    }

    #[inline(never)]
    fn import(&self, from: FileId, module: &SmolStr, name: &Imported) -> Value<'a> {
        if self.world.family(from) == Some(Family::Rust) {
            return self.used(from, module, name);
        }
        match self.lookup(from, module) {
            Lookup::Found(file) => match name {
                Imported::Module => Value::Module(file),
                Imported::Default => self.export(file, "default"),
                Imported::Named(name) => self.export(file, name),
            },
            Lookup::External => {
                let path = match name {
                    Imported::Module => Vec::new(),
                    Imported::Default => vec![SmolStr::new_static("default")],
                    Imported::Named(name) => vec![name.clone()],
                };
                Value::External { module: module.clone(), path }
            }
            Lookup::Absent if module.ends_with(".json") => Value::unknown(format!("data of the file `{module}`")),
            Lookup::Absent => Value::unknown(format!("`{module}` is not in the workspace")),
            Lookup::NotLoaded => {
                self.wants.borrow_mut().insert(Want::Import { from, module: module.clone() });
                Value::unknown(format!("`{module}` is not loaded"))
            }
        }
    }

    /// The target of an import. A package of a framework is external even if its source is in the workspace.
    pub(super) fn lookup(&self, from: FileId, module: &SmolStr) -> Lookup {
        let key = (from, module.clone());
        if let Some(known) = self.imports.borrow().get(&key) {
            return known.clone();
        }
        let lookup = match self.is_of_framework(from, module) {
            true => Lookup::External,
            false => self.world.resolve(from, module),
        };
        self.imports.borrow_mut().insert(key, lookup.clone());
        lookup
    }

    pub(super) fn is_of_framework(&self, from: FileId, module: &str) -> bool {
        let family = self.world.family(from);
        family.is_some_and(|family| self.world.frameworks().owner_of_module(family, module).is_some())
    }

    /// The value that a file exports under a name.
    #[inline(never)]
    pub(super) fn export(&self, file: FileId, name: &str) -> Value<'a> {
        let key = (file, SmolStr::new(name));
        if let Some(known) = self.exports.borrow().get(&key) {
            return known.clone();
        }
        let cuts = self.cuts.get();
        // Modules may re-export everything from each other.
        let active = (file, u32::MAX, ScopeId(0), key.1.clone(), 0);
        if self.active.borrow().contains(&active) {
            self.cuts.set(cuts + 1);
            return Value::unknown(FROM_ITSELF);
        }
        self.active.borrow_mut().push(active);
        self.spend(STEPS_OF_AN_EXPORT);
        let value = self.exported_from(file, name);
        self.active.borrow_mut().pop();
        if self.cuts.get() == cuts {
            self.exports.borrow_mut().insert(key, value.clone());
        }
        value
    }

    fn exported_from(&self, file: FileId, name: &str) -> Value<'a> {
        self.deeper(|| {
            self.reads.borrow_mut().insert(file);
            let Some(facts) = self.world.facts(file) else {
                return Value::unknown("a file that is not loaded");
            };
            let family = self.world.family(file);
            if family == Some(Family::Rust) {
                return match self.top_level(file, &SmolStr::new(name)) {
                    // Only the beginning of a path may be the name of a crate.
                    Value::External { path, .. } if path.is_empty() => Value::Absent,
                    value => value,
                };
            }
            if family != Some(Family::TypeScript) {
                let value = self.top_level(file, &SmolStr::new(name));
                let Value::Unknown(Unknown { blocked: None, .. }) = value else { return value };
                let submodule = SmolStr::new(format!(".{name}"));
                return match self.world.resolve(file, &submodule) {
                    Lookup::Found(module) => Value::Module(module),
                    Lookup::NotLoaded => {
                        self.wants.borrow_mut().insert(Want::Import { from: file, module: submodule });
                        Value::unknown("a module that is not loaded")
                    }
                    _ => value,
                };
            }
            if let Some(&(index, export)) = facts.exported.get(name) {
                let ctx = Ctx::new(file, index, ScopeId(0));
                let item: &'a ItemFacts = &facts.items[index as usize].facts;
                return match &item.exports[export as usize].target {
                    ExportTarget::Local(local) => self.name(local, &ctx),
                    ExportTarget::Value(value) => self.eval(value, &ctx),
                    ExportTarget::From { module, name } => self.import(file, module, name),
                };
            }
            for module in facts.passed_on.iter().rev() {
                let value = self.import(file, module, &Imported::Named(name.into()));
                if !matches!(value, Value::Unknown(_) | Value::Absent | Value::External { .. }) {
                    return value;
                }
            }
            // `module.exports = { name: … }`
            if name != "default" && facts.exported.contains_key("default") {
                let member = self.member(&self.export(file, "default"), &Key::Field(name.into()));
                if !matches!(member, Value::Absent) {
                    return member;
                }
            }
            Value::unknown(format!("`{name}` is not exported"))
        })
    }
}

/// The reason for the unknown value of a name that depends on itself.
pub(super) const FROM_ITSELF: &str = "a value that is computed from itself";

/// The reason for a value that an operator like `+=` changes.
const CHANGED: &str = "a value changed in place";

/// The possible values of a variable, without those that are only the variable itself: `tools = tools.filter(…)`.
fn without_itself(mut values: Vec<Value<'_>>) -> Vec<Value<'_>> {
    // A text that is extended step by step has none of its intermediate values in the end.
    let grows = |value: &Value<'_>| {
        let unknown = match value {
            Value::Unknown(unknown) => Some(unknown),
            Value::Text(text) => text.unknown().filter(|unknown| unknown.reason == FROM_ITSELF),
            _ => None,
        };
        unknown.is_some_and(|unknown| {
            unknown.reason == CHANGED || unknown.reason == FROM_ITSELF && !matches!(value, Value::Unknown(_))
        })
    };
    if values.iter().any(grows) && values.iter().any(|value| matches!(value, Value::Text(_))) {
        return vec![Value::unknown(CHANGED)];
    }
    let is_itself = |value: &Value<'_>| matches!(value, Value::Unknown(unknown) if unknown.reason == FROM_ITSELF);
    if values.iter().any(|value| !is_itself(value)) {
        values.retain(|value| !is_itself(value));
    }
    values
}

/// Whether a binding is a declaration without a value.
fn is_unassigned(binding: &Binding) -> bool {
    matches!(&binding.value, Bound::Value(Expr::Opaque { what, .. }) if *what == UNASSIGNED)
}

/// The bindings of a variable, without its declaration if that has no value and there is a single assignment.
fn assigned_once(mut bindings: Vec<&Binding>) -> Vec<&Binding> {
    if let [first, _] = bindings.as_slice()
        && is_unassigned(first)
    {
        bindings.remove(0);
    }
    bindings
}

/// What a call passes for a parameter.
enum Passed<'a> {
    One(&'a Arg),
    Rest(Vec<&'a Arg>),
    Keywords(Vec<&'a Arg>),
    Nothing,
    Unclear,
}

fn argument<'a>(function: &Function, args: &'a [Arg], index: usize, receiver: bool) -> Passed<'a> {
    let Some(param) = function.params.get(index) else {
        return Passed::Nothing;
    };
    if let Some(arg) = args.iter().find(|arg| arg.name.as_ref() == Some(&param.name) && !param.name.is_empty()) {
        return Passed::One(arg);
    }
    if param.keywords {
        let taken = |arg: &&Arg| function.params.iter().any(|param| arg.name.as_ref() == Some(&param.name));
        return Passed::Keywords(args.iter().filter(|arg| arg.name.is_some() && !taken(arg)).collect());
    }
    if receiver && index == 0 {
        return Passed::Unclear;
    }
    let position = index - usize::from(receiver);
    let positional: Vec<&Arg> = args.iter().filter(|arg| arg.name.is_none()).collect();
    let spread = positional.iter().position(|arg| matches!(arg.value, Expr::Spread(_)));
    if spread.is_some_and(|spread| spread < position || spread == position && !param.rest) {
        return Passed::Unclear;
    }
    if param.rest {
        return Passed::Rest(positional.into_iter().skip(position).collect());
    }
    match positional.get(position) {
        Some(arg) => Passed::One(arg),
        None => Passed::Nothing,
    }
}
