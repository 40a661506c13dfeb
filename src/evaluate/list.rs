//! Lists: what stands in them, what is added to them, what maps them, and the loops that run over them.

use std::rc::Rc;

use smol_str::SmolStr;

use super::expression::{Activation, Ctx, Elements, Evaluator, Value};
use super::{Lookup, ScopeKey, Traced, Unknown, Want};
use crate::lower::{
    Arg, Bound, Call, ExportTarget, Expr, Function, GROWING_METHODS, Imported, Key, Prop, ScopeId, ScopeKind,
};
use crate::syntax::Family;
use crate::text::FileId;

impl<'a> Evaluator<'a> {
    /// A list together with what `push` and its like add to it afterwards.
    #[inline(never)]
    pub(super) fn grown(&self, name: &SmolStr, value: Value<'a>, ctx: &Ctx<'a>, owner: Option<ScopeId>) -> Value<'a> {
        if !matches!(&value, Value::Expr(Expr::Array { .. }, _)) {
            return value;
        }
        let Some(facts) = self.world.facts(ctx.file) else {
            return value;
        };
        let mut added = Elements::default();
        for method in GROWING_METHODS {
            for &(item, id) in facts.calls.get(method).into_iter().flatten() {
                let call = self.item(ctx.file, item).call(id);
                let on_this_list = matches!(&call.callee, Expr::Member { object, .. }
                    if matches!(&**object, Expr::Name { name: on, .. } if on == name));
                let binder = self.binder(name, ctx.file, item, call.scope);
                let same = match owner {
                    Some(owner) => item == ctx.item && binder == Some(owner),
                    None => binder.is_none(),
                };
                if !on_this_list || !same {
                    continue;
                }
                let at = Ctx { file: ctx.file, item, scope: call.scope, env: ctx.env.clone() };
                for arg in &call.args {
                    let value = self.eval(&arg.value, &at);
                    if let Some(key) = value.blocked() {
                        // Added in a loop or by a caller: tried for each.
                        match self.activations(key, &at) {
                            Ok(activations) => {
                                for at in activations {
                                    self.add(&arg.value, &at, method, &mut added);
                                }
                            }
                            Err(unknown) => added.rest = Some(unknown),
                        }
                    } else {
                        self.add(&arg.value, &at, method, &mut added);
                    }
                }
            }
        }
        if owner.is_none() {
            self.grown_elsewhere(name, ctx.file, &mut added);
        }
        added.rest = added.rest.or_else(|| self.handed_on(name, ctx, owner));
        if added.known.is_empty() && added.rest.is_none() {
            return value;
        }
        let mut elements = self.elements(&value);
        elements.known.append(&mut added.known);
        elements.rest = elements.rest.or(added.rest);
        Value::List(Rc::new(elements))
    }

    /// What other files add to a list that they import.
    fn grown_elsewhere(&self, name: &SmolStr, home: FileId, added: &mut Elements<'a>) {
        let Some(facts) = self.world.facts(home) else { return };
        let exports = facts.items.iter().flat_map(|item| &item.facts.exports);
        let exported =
            exports.into_iter().any(|export| matches!(&export.target, ExportTarget::Local(local) if local == name));
        if !exported && self.world.family(home) == Some(Family::TypeScript) {
            return;
        }
        self.wants.borrow_mut().insert(Want::Word(name.clone()));
        for method in GROWING_METHODS {
            for &file in self.world.files_calling(method).iter().filter(|&&file| file != home) {
                let Some(facts) = self.world.facts(file) else { continue };
                for &(item, id) in facts.calls.get(method).into_iter().flatten() {
                    let call = self.item(file, item).call(id);
                    let Expr::Member { object, .. } = &call.callee else { continue };
                    let Expr::Name { name: local, .. } = &**object else { continue };
                    if !self.imports_from(local, name, file, home) {
                        continue;
                    }
                    let at = Ctx::new(file, item, call.scope);
                    call.args.iter().for_each(|arg| self.add(&arg.value, &at, method, added));
                }
            }
        }
    }

    /// Whether `local` in a file is `name` of another.
    fn imports_from(&self, local: &SmolStr, name: &SmolStr, file: FileId, home: FileId) -> bool {
        let Some(facts) = self.world.facts(file) else { return false };
        facts.top_level.get(local).into_iter().flatten().any(|&(item, index)| {
            match &self.item(file, item).scopes[0].bindings[index as usize].value {
                Bound::Import { module, name: Imported::Named(imported) } => {
                    imported == name && self.world.resolve(file, module) == Lookup::Found(home)
                }
                _ => false,
            }
        })
    }

    /// Why a list may hold more: a function that it is handed to adds to it.
    fn handed_on(&self, name: &SmolStr, ctx: &Ctx<'a>, owner: Option<ScopeId>) -> Option<Unknown> {
        let facts = self.world.facts(ctx.file)?;
        for &(index, id) in facts.given.get(name).into_iter().flatten() {
            let call = self.item(ctx.file, index).call(id);
            let given = |arg: &Arg| matches!(&arg.value, Expr::Name { name: given, .. } if given == name);
            let Some(position) = call.args.iter().position(given) else { continue };
            let binder = self.binder(name, ctx.file, index, call.scope);
            if binder != owner || owner.is_some() && index != ctx.item {
                continue;
            }
            let at = Ctx::new(ctx.file, index, call.scope);
            let Value::Expr(Expr::Function { scope, .. }, there) = self.eval(&call.callee, &at) else { continue };
            let target = self.item(there.file, there.item);
            let ScopeKind::Function(function) = &target.scope(*scope).kind else { continue };
            let Some(param) = function.params.get(position + usize::from(function.receiver)) else { continue };
            let grows = target.calls.iter().any(|call| {
                matches!(&call.callee, Expr::Member { object, key: Key::Field(method), .. }
                    if GROWING_METHODS.contains(&method.as_str())
                        && matches!(&**object, Expr::Name { name, .. } if *name == param.name))
            });
            if grows {
                return Some(Unknown::because("it is handed to a function that adds to it"));
            }
        }
        None
    }

    fn add(&self, arg: &'a Expr, at: &Ctx<'a>, method: &str, to: &mut Elements<'a>) {
        let value = self.eval(arg, at);
        if method == "extend" || matches!(arg, Expr::Spread(_)) {
            let more = self.elements(&value);
            to.known.extend(more.known);
            to.rest = to.rest.take().or(more.rest);
        } else if !matches!(value, Value::Scalar(_)) {
            to.known.push(value);
        }
    }

    /// The scope inside an item that binds `name` for code in `scope`; `None` for the top of the file.
    fn binder(&self, name: &SmolStr, file: FileId, item: u32, scope: ScopeId) -> Option<ScopeId> {
        let facts = self.item(file, item);
        let mut at = Some(scope);
        while let Some(id) = at.filter(|id| id.0 != 0) {
            if facts.scope(id).bindings.iter().any(|binding| binding.name == *name) {
                return Some(id);
            }
            at = facts.scope(id).parent;
        }
        None
    }

    /// Operations on lists and objects that change nothing in their elements, or that map them.
    #[inline(never)]
    pub(super) fn list_operation(&self, call: &'a Call, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let list = |known, rest| Some(Value::List(Rc::new(Elements { known, rest, ..Elements::default() })));
        match &call.callee {
            Expr::Member { object, key: Key::Field(method), .. } => match method.as_str() {
                "map" | "flatMap" => {
                    let Arg { value: function, .. } = call.args.first()?;
                    let source = self.eval(object, ctx);
                    if source.blocked().is_some() {
                        return Some(source);
                    }
                    let Value::Expr(Expr::Function { scope, .. }, function_ctx) = self.eval(function, ctx) else {
                        return None;
                    };
                    let elements = self.elements(&source);
                    let mut mapped = Elements { known: Vec::new(), ..elements.clone() };
                    for element in elements.known {
                        let inside = function_ctx.with(function_ctx.key(*scope), Activation::Element(element));
                        let value = self.returned(*scope, &inside);
                        if method == "flatMap" {
                            let more = self.elements(&value);
                            mapped.known.extend(more.known);
                            mapped.rest = mapped.rest.or(more.rest);
                        } else {
                            mapped.known.push(value);
                        }
                    }
                    Some(Value::List(Rc::new(mapped)))
                }
                // What a condition leaves out at run time is declared all the same.
                "filter" | "slice" | "sort" | "toSorted" | "reverse" | "copy" | "iter" | "into_iter" | "to_vec" => {
                    let source = self.eval(object, ctx);
                    match &source {
                        Value::Expr(Expr::Array { .. } | Expr::Each { .. }, _) | Value::List(_) => Some(source),
                        Value::Choice(options) if options.iter().any(is_list) => Some(source),
                        value if value.blocked().is_some() => Some(source),
                        _ => None,
                    }
                }
                "concat" => {
                    let mut all = self.elements(&self.eval(object, ctx));
                    for arg in &call.args {
                        let more = self.elements(&self.eval(&arg.value, ctx));
                        all.known.extend(more.known);
                        all.rest = all.rest.or(more.rest);
                    }
                    Some(Value::List(Rc::new(all)))
                }
                "values" | "entries" | "keys" | "items" => {
                    let on_object = matches!(&**object, Expr::Name { name, .. } if name == "Object");
                    let subject = match (on_object, call.args.as_slice()) {
                        (true, [only]) => self.eval(&only.value, ctx),
                        (false, []) => self.eval(object, ctx),
                        _ => return None,
                    };
                    let (known, rest) = self.entries(&subject, method)?;
                    list(known, rest)
                }
                _ => None,
            },
            Expr::Name { name, .. } if matches!(name.as_str(), "list" | "tuple" | "sorted" | "reversed") => {
                let [only] = call.args.as_slice() else {
                    return None;
                };
                let value = self.eval(&only.value, ctx);
                matches!(value, Value::List(_) | Value::Expr(Expr::Array { .. } | Expr::Each { .. }, _))
                    .then_some(value)
            }
            _ => None,
        }
    }

    /// The keys, values or pairs of an object literal or class of constants.
    pub(super) fn entries(&self, object: &Value<'a>, what: &str) -> Option<(Vec<Value<'a>>, Option<Unknown>)> {
        self.guarded(|| self.entries_of(object, what)).ok().flatten()
    }

    #[inline(never)]
    fn entries_of(&self, object: &Value<'a>, what: &str) -> Option<(Vec<Value<'a>>, Option<Unknown>)> {
        let mut known = Vec::new();
        let mut rest = None;
        let mut push = |key: Value<'a>, value: Value<'a>| {
            known.push(match what {
                "values" => value,
                "keys" => key,
                _ => Value::List(Rc::new(Elements { known: vec![key, value], ..Elements::default() })),
            });
        };
        match object {
            Value::Expr(Expr::Object { props, .. }, ctx) => {
                for prop in props {
                    match prop {
                        Prop::Pair { key, value } => push(self.eval(key, ctx), self.eval(value, ctx)),
                        Prop::Spread(inner) => match self.entries(&self.eval(inner, ctx), "items") {
                            Some((pairs, more)) => {
                                for pair in pairs {
                                    push(self.member(&pair, &Key::Index(0)), self.member(&pair, &Key::Index(1)));
                                }
                                rest = rest.or(more);
                            }
                            None => rest = Some(Unknown::because("an object is spread into it")),
                        },
                    }
                }
            }
            Value::Module(file) => {
                for name in self.exported_names(*file, 0) {
                    let value = self.export(*file, &name);
                    push(Value::Text(Traced::default()), value);
                }
            }
            Value::Expr(Expr::Class { scope, .. }, ctx) => {
                for binding in &self.item(ctx.file, ctx.item).scope(*scope).bindings {
                    let key = Value::Text(Traced::literal(binding.name.clone(), ctx.place(binding.span)));
                    push(key, self.bound(binding, *scope, ctx));
                }
            }
            _ => return None,
        }
        Some((known, rest))
    }

    /// The names that a module exports, in order.
    fn exported_names(&self, file: FileId, depth: u32) -> Vec<SmolStr> {
        let mut names: Vec<SmolStr> = Vec::new();
        let Some(facts) = self.world.facts(file) else { return names };
        self.reads.borrow_mut().insert(file);
        for export in facts.items.iter().flat_map(|item| &item.facts.exports) {
            match (&export.name, &export.target) {
                (Some(name), _) => names.push(name.clone()),
                (None, ExportTarget::From { module, .. }) if depth < 16 => match self.world.resolve(file, module) {
                    Lookup::Found(inner) => names.extend(self.exported_names(inner, depth + 1)),
                    Lookup::NotLoaded => {
                        self.wants.borrow_mut().insert(Want::Import { from: file, module: module.clone() });
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        names.dedup();
        names
    }

    /// The elements of a value that is looped over.
    pub(super) fn elements(&self, value: &Value<'a>) -> Elements<'a> {
        let too_deep = |unknown| Elements { rest: Some(unknown), ..Elements::default() };
        self.guarded(|| self.elements_of(value)).unwrap_or_else(too_deep)
    }

    #[inline(never)]
    fn elements_of(&self, value: &Value<'a>) -> Elements<'a> {
        match value {
            Value::List(elements) => (**elements).clone(),
            Value::Expr(Expr::Array { elements, .. }, ctx) => {
                let mut all = Elements::default();
                for element in elements {
                    let value = self.eval(element, ctx);
                    if matches!(element, Expr::Spread(_)) {
                        let more = self.elements(&value);
                        all.known.extend(more.known);
                        all.rest = all.rest.or(more.rest);
                    } else {
                        all.known.push(value);
                    }
                }
                all
            }
            Value::Expr(Expr::Each { scope, element, .. }, ctx) => self.comprehended(*scope, element, ctx),
            // An enum is looped over by its members.
            Value::Expr(Expr::Class { .. }, _) => match self.entries(value, "values") {
                Some((known, rest)) => Elements { known, rest, ..Elements::default() },
                None => Elements::default(),
            },
            Value::Choice(options) => {
                let mut all = Elements { one_of_several: true, ..Elements::default() };
                for option in options.iter() {
                    let more = self.elements(option);
                    all.known.extend(more.known);
                    all.rest = all.rest.or(more.rest);
                }
                all
            }
            Value::Unknown(unknown) => Elements { rest: Some(unknown.clone()), ..Elements::default() },
            Value::Absent => Elements::default(),
            _ => Elements { rest: Some(Unknown::because("a list that is made at run time")), ..Elements::default() },
        }
    }

    fn comprehended(&self, scope: ScopeId, element: &'a Expr, ctx: &Ctx<'a>) -> Elements<'a> {
        let mut all = Elements::default();
        match self.activations_until(scope, ctx) {
            Ok(activations) => {
                all.known.extend(activations.iter().map(|inside| self.eval(element, &inside.in_scope(scope))));
            }
            Err(unknown) => all.rest = Some(unknown),
        }
        all
    }

    /// The activations of the loops from `scope` out to where `ctx` stands.
    fn activations_until(&self, scope: ScopeId, ctx: &Ctx<'a>) -> Result<Vec<Ctx<'a>>, Unknown> {
        let parent = self.item(ctx.file, ctx.item).scope(scope).parent;
        let outer = match parent {
            Some(parent)
                if parent != ctx.scope
                    && matches!(self.item(ctx.file, ctx.item).scope(parent).kind, ScopeKind::Loop { .. })
                    && ctx.frame(ctx.key(parent)).is_none() =>
            {
                self.activations_until(parent, ctx)?
            }
            _ => vec![ctx.clone()],
        };
        let mut all = Vec::new();
        for outer in outer {
            all.extend(self.activations(outer.key(scope), &outer)?);
        }
        Ok(all)
    }

    /// `ctx` once for each element of a loop.
    #[inline(never)]
    pub(super) fn activations(&self, key: ScopeKey, ctx: &Ctx<'a>) -> Result<Vec<Ctx<'a>>, Unknown> {
        let scope = self.item(key.file, key.item).scope(key.scope);
        let iterable = match &scope.kind {
            ScopeKind::Loop { iterable } => iterable,
            ScopeKind::Function(Function { each: Some(each), .. }) => each,
            _ => return Err(Unknown::because("what its function is called with")),
        };
        let outside =
            Ctx { file: key.file, item: key.item, scope: scope.parent.unwrap_or(ScopeId(0)), env: ctx.env.clone() };
        let value = self.eval(iterable, &outside);
        if let Some(blocked) = value.blocked() {
            return Err(Unknown {
                reason: "a loop over what its function is called with".into(),
                blocked: Some(blocked),
            });
        }
        let elements = self.elements(&value);
        if let Some(rest) = elements.rest
            && elements.known.is_empty()
        {
            return Err(rest);
        }
        Ok(elements.known.into_iter().map(|element| ctx.with(key, Activation::Element(element))).collect())
    }
}

/// Whether a value is a list, as far as it can be seen.
fn is_list(value: &Value<'_>) -> bool {
    matches!(value, Value::Expr(Expr::Array { .. } | Expr::Each { .. }, _) | Value::List(_))
}
