//! Additions to lists and tables after they were created: `push`, `append`, `table[key] = value`, `table.set(key,
//! value)`.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::environment::{Activation, Ctx};
use super::expression::Evaluator;
use super::fuel::{MAX_ELEMENTS, TOO_MANY_STEPS};
use super::names::FROM_ITSELF;
use super::value::{Elements, Pairs, Value};
use super::{Lookup, ScopeKey, Unknown, Want};
use crate::lower::{Arg, Bound, CallId, Expr, FileFacts, GROWING_METHODS, Growth, Imported, Key, ScopeId, ScopeKind};
use crate::syntax::Family;
use crate::text::FileId;

/// How many nested loops and callers are followed to find out what is added.
const MAX_DEPTH: u32 = 12;

/// How many steps evaluating the additions of one call may take. If they take more, the other elements of the list are
/// still known.
const MAX_STEPS_OF_AN_ADDITION: u32 = 50_000;

/// The variable or field that holds a list or table.
#[derive(Clone, Copy)]
pub(super) enum Holder<'h> {
    /// A variable bound in this scope; `None` for the top of its file.
    Variable(&'h SmolStr, Option<ScopeId>),
    /// A field of the instances of this class.
    Field(&'h SmolStr, ScopeId),
}

impl<'a> Evaluator<'a> {
    /// A list or table, including what is added to it later.
    #[inline(never)]
    pub(super) fn grown(&self, holder: Holder<'_>, value: Value<'a>, ctx: &Ctx<'a>) -> Value<'a> {
        match &value {
            Value::Expr(Expr::Array { .. } | Expr::Each { .. }, _) => self.grown_list(holder, value, ctx),
            Value::Expr(Expr::Object { .. }, _) | Value::Pairs(_) => self.grown_table(holder, value, ctx),
            Value::List(_) => self.grown_list(holder, value, ctx),
            Value::Expr(Expr::Call(id), at) => {
                let call = self.item(at.file, at.item).call(*id);
                let makes_table = call.callee.last_name().is_some_and(|name| TABLES.contains(&name.as_str()));
                if makes_table { self.grown_table(holder, value, ctx) } else { value }
            }
            _ => value,
        }
    }

    fn grown_list(&self, holder: Holder<'_>, value: Value<'a>, ctx: &Ctx<'a>) -> Value<'a> {
        let Some(facts) = self.world.facts(ctx.file) else {
            return value;
        };
        self.held.borrow_mut().insert((ctx.file, holder.name().clone()));
        if self.is_exhausted() {
            return Value::unknown(TOO_MANY_STEPS);
        }
        let mut added = Elements::default();
        for &(item, growth) in holder.growths(facts, ctx.item) {
            let Growth::Call(id) = growth else { continue };
            let call = self.item(ctx.file, item).call(id);
            let Expr::Member { object, key: Key::Field(method), .. } = &call.callee else { continue };
            if !GROWING_METHODS.contains(&method.as_str()) || !self.is_held(holder, object, ctx, item, call.scope) {
                continue;
            }
            let at = Ctx { file: ctx.file, item, scope: call.scope, env: ctx.env.clone() };
            let mut more = Elements::default();
            let whole = self.within(MAX_STEPS_OF_AN_ADDITION, || {
                for arg in &call.args {
                    for at in self.reached(&[&arg.value], at.clone(), 0) {
                        self.add(&arg.value, &at, method, &mut more);
                    }
                }
            });
            if whole.is_none() {
                more.rest = Some(Unknown::because("what is added to it takes too many steps to compute"));
            }
            added.one_of_several |= more.one_of_several;
            added.append(more);
        }
        if let Holder::Variable(name, owner) = holder {
            added.rest = added.rest.or_else(|| self.shrunk(name, ctx, owner));
            if owner.is_none() {
                self.grown_elsewhere(name, ctx.file, &mut added);
            }
            added.rest = added.rest.or_else(|| self.handed_on(name, ctx, owner));
        }
        if added.known.is_empty() && added.rest.is_none() {
            return value;
        }
        let mut elements = self.elements(&value);
        elements.known.append(&mut added.known);
        elements.one_of_several |= added.one_of_several;
        elements.rest = elements.rest.or(added.rest);
        Value::List(Rc::new(self.list_of(elements, None)))
    }

    /// An object, including the entries that are added to it later.
    fn grown_table(&self, holder: Holder<'_>, value: Value<'a>, ctx: &Ctx<'a>) -> Value<'a> {
        let Some(facts) = self.world.facts(ctx.file) else {
            return value;
        };
        self.held.borrow_mut().insert((ctx.file, holder.name().clone()));
        if self.is_exhausted() {
            return Value::unknown(TOO_MANY_STEPS);
        }
        let mut added = Pairs::default();
        let mut merged: Vec<Value<'a>> = Vec::new();
        for &(index, growth) in holder.growths(facts, ctx.item) {
            let item = self.item(ctx.file, index);
            let at = |scope: ScopeId| Ctx { file: ctx.file, item: index, scope, env: ctx.env.clone() };
            let held = |table: &Expr, scope: ScopeId| self.is_held(holder, table, ctx, index, scope);
            let call = match growth {
                Growth::Assigned(index) => {
                    let assigned = &item.assigned[index as usize];
                    if held(&assigned.table, assigned.scope) {
                        self.entry(&assigned.key, &assigned.value, at(assigned.scope), &mut added);
                    }
                    continue;
                }
                Growth::Call(id) => item.call(id),
            };
            let Expr::Member { object, key: Key::Field(method), .. } = &call.callee else { continue };
            // `table[key].push(value)`
            if GROWING_METHODS.contains(&method.as_str())
                && let Some(table) = item.table_of_list(object)
            {
                if held(table, call.scope) {
                    let mut list = Elements::default();
                    for arg in &call.args {
                        let reached = self.reached(&[&arg.value], at(call.scope), 0);
                        reached.iter().for_each(|at| self.add(&arg.value, at, method, &mut list));
                    }
                    added.known.push((Value::Unknown(some_key()), Value::List(Rc::new(list))));
                }
                continue;
            }
            match (method.as_str(), call.args.as_slice()) {
                ("set" | "insert", [key, value]) if held(object, call.scope) => {
                    self.entry(&key.value, &value.value, at(call.scope), &mut added);
                }
                ("update", [more]) if held(object, call.scope) => merged.push(self.eval(&more.value, &at(call.scope))),
                // `Object.assign(table, more)`
                ("assign", [table, more @ ..]) if held(&table.value, call.scope) => {
                    merged.extend(more.iter().map(|more| self.eval(&more.value, &at(call.scope))));
                }
                _ => {}
            }
        }
        let shrunk = match holder {
            Holder::Variable(name, owner) => self.shrunk(name, ctx, owner),
            Holder::Field(..) => None,
        };
        if added.known.is_empty() && merged.is_empty() && shrunk.is_none() {
            return value;
        }
        let mut pairs = Pairs { rest: shrunk, ..Pairs::default() };
        for source in std::iter::once(&value).chain(&merged) {
            match self.pairs(source) {
                Some(mut more) => {
                    pairs.known.append(&mut more.known);
                    pairs.rest = pairs.rest.or(more.rest);
                    pairs = self.pairs_of(pairs, None);
                }
                None => pairs.rest = Some(Unknown::because("what is added to it is known only at run time")),
            }
        }
        pairs.known.append(&mut added.known);
        Value::Pairs(Rc::new(self.pairs_of(pairs, None)))
    }

    /// If the function that creates a list or table also removes elements from it, the reason for its unknown elements;
    /// `None` otherwise.
    fn shrunk(&self, name: &SmolStr, ctx: &Ctx<'a>, owner: Option<ScopeId>) -> Option<Unknown> {
        let uses = self.uses(name, ctx.file);
        let home = owner.map_or(ScopeId(0), |owner| self.body(&ctx.in_scope(owner)).2);
        let is_taken_from = uses.taken_from.contains(&(owner.map(|owner| (ctx.item, owner)), home));
        is_taken_from.then(|| Unknown::because("a list from which elements are removed"))
    }

    /// Adds an entry of a table to `added`, once for each element and caller on which it depends.
    fn entry(&self, key: &'a Expr, value: &'a Expr, at: Ctx<'a>, added: &mut Pairs<'a>) {
        for at in self.reached(&[key, value], at, 0) {
            let key = match self.eval(key, &at) {
                Value::Text(text) if text.unknown().is_none() => Value::Text(text),
                // If the key is unknown, the value may still contain the name.
                _ => Value::Unknown(some_key()),
            };
            added.known.push((key, self.eval(value, &at)));
        }
    }

    /// Whether an expression in `scope` of `item` is the holder of the list or table.
    fn is_held(&self, holder: Holder<'_>, expr: &Expr, ctx: &Ctx<'a>, item: u32, scope: ScopeId) -> bool {
        match (holder, expr) {
            (Holder::Variable(name, owner), Expr::Name { name: on, .. }) if on == name => {
                let binder = self.binder(name, ctx.file, item, scope);
                match owner {
                    Some(owner) => item == ctx.item && binder == Some(owner),
                    None => binder.is_none(),
                }
            }
            (Holder::Field(field, class), Expr::Member { object, key: Key::Field(on), .. }) if on == field => {
                let on_instance = object.is_receiver();
                let facts = self.item(ctx.file, item);
                let around = std::iter::successors(Some(scope), |scope| facts.scope(*scope).parent)
                    .find(|scope| matches!(facts.scope(*scope).kind, ScopeKind::Class { .. }));
                on_instance && item == ctx.item && around == Some(class)
            }
            _ => false,
        }
    }

    /// Copies of `at`, one for each element and caller on which these expressions depend.
    pub(super) fn reached(&self, exprs: &[&'a Expr], at: Ctx<'a>, depth: u32) -> Vec<Ctx<'a>> {
        let values: Vec<Value<'a>> = exprs.iter().map(|expr| self.eval(expr, &at)).collect();
        // A value that is not evaluated further yet may contain the loop variable: `for (const t of all) list.push({
        // name: t.name })`.
        let lazy = values.iter().any(|value| matches!(value, Value::Expr(Expr::Object { .. } | Expr::Call(_), _)));
        let around = || lazy.then(|| self.loop_around(&at)).flatten();
        let Some(key) = values.iter().find_map(Value::blocked).or_else(around).filter(|_| depth < MAX_DEPTH) else {
            return vec![at];
        };
        let each = self.surroundings(key, &at);
        if each.is_empty() {
            // A loop over the value of the variable itself adds nothing new.
            if matches!(self.activations(key, &at), Err(Unknown { reason, .. }) if reason == FROM_ITSELF) {
                return Vec::new();
            }
            // An element of an unknown list: what does not depend on it is still known.
            return match self.is_loop(key) {
                true => {
                    vec![at.with(
                        key,
                        Activation::Element(Value::unknown("an element of a list that is made at run time")),
                    )]
                }
                false => vec![at],
            };
        }
        each.into_iter().flat_map(|inside| self.reached(exprs, inside.at(&at), depth + 1)).collect()
    }

    /// The innermost loop around a place for which the current element is not known.
    fn loop_around(&self, at: &Ctx<'a>) -> Option<ScopeKey> {
        let facts = self.item(at.file, at.item);
        let around =
            std::iter::successors(Some(at.scope), |scope| facts.scope(*scope).parent).map(|scope| at.key(scope));
        let is_function = |key: &ScopeKey| matches!(facts.scope(key.scope).kind, ScopeKind::Function(_));
        let mut around = around.take_while(|key| !is_function(key) || self.is_loop(*key));
        around.find(|key| self.is_loop(*key) && at.frame(*key).is_none())
    }

    /// Copies of `at`, one for each element of the loop `key` or each call of the function `key`. If the list of a loop
    /// depends on another loop or function whose activation is not known, one for each activation of that instead.
    pub(super) fn surroundings(&self, key: ScopeKey, at: &Ctx<'a>) -> Vec<Ctx<'a>> {
        let mut key = key;
        for _ in 0..MAX_DEPTH {
            match self.activations(key, at) {
                Ok(each) => return each,
                Err(Unknown { blocked: Some(outer), .. }) if outer != key && self.is_loop(outer) => key = outer,
                Err(Unknown { blocked: Some(outer), .. }) => return self.callers(outer, at),
                Err(_) => return self.callers(key, at),
            }
        }
        Vec::new()
    }

    /// Adds the elements that other files add to a list that they import to `added`.
    fn grown_elsewhere(&self, name: &SmolStr, home: FileId, added: &mut Elements<'a>) {
        let Some(facts) = self.world.facts(home) else { return };
        if !facts.exported_locals.contains(name) && self.world.family(home) == Some(Family::TypeScript) {
            return;
        }
        self.wants.borrow_mut().insert(Want::Word(name.clone()));
        for local in std::iter::once(name).chain(self.world.aliases_of(name)) {
            for &file in self.world.files_growing(local).iter().filter(|&&file| file != home) {
                let Some(facts) = self.world.facts(file) else { continue };
                if !self.imports_from(local, name, file, home) {
                    continue;
                }
                for &(item, growth) in facts.grown.get(local).into_iter().flatten() {
                    let Growth::Call(id) = growth else { continue };
                    let call = self.item(file, item).call(id);
                    let Expr::Member { object, key: Key::Field(method), .. } = &call.callee else { continue };
                    if matches!(**object, Expr::Name { .. }) && GROWING_METHODS.contains(&method.as_str()) {
                        let at = Ctx::new(file, item, call.scope);
                        call.args.iter().for_each(|arg| self.add(&arg.value, &at, method, added));
                    }
                }
            }
        }
    }

    /// Whether `local` in `file` is an import of `name` from `home`.
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

    /// How a file uses the variables of one name.
    fn uses(&self, name: &SmolStr, file: FileId) -> Rc<Uses> {
        let key = (file, name.clone());
        if let Some(known) = self.uses.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut uses = Uses::default();
        let owner = |item: u32, scope: ScopeId| self.binder(name, file, item, scope).map(|owner| (item, owner));
        let Some(facts) = self.world.facts(file) else { return Rc::default() };
        for &(item, id) in facts.given.get(name).into_iter().flatten() {
            let call = self.item(file, item).call(id);
            let is_it = |arg: &Arg| matches!(&arg.value, Expr::Name { name: given, .. } if given == name);
            if let Some(position) = call.args.iter().position(is_it) {
                uses.given_to.entry(owner(item, call.scope)).or_default().push((item, id, position));
            }
        }
        for &(item, id) in facts.taken_from.get(name).into_iter().flatten() {
            let scope = self.item(file, item).call(id).scope;
            let body = self.body(&Ctx::new(file, item, scope)).2;
            uses.taken_from.insert((owner(item, scope), body));
        }
        let uses = Rc::new(uses);
        self.uses.borrow_mut().insert(key, Rc::clone(&uses));
        uses
    }

    /// The reason for unknown elements of a list that is passed to a function that adds to it; `None` if there is no
    /// such function.
    fn handed_on(&self, name: &SmolStr, ctx: &Ctx<'a>, owner: Option<ScopeId>) -> Option<Unknown> {
        let uses = self.uses(name, ctx.file);
        for &(index, id, position) in uses.given_to.get(&owner.map(|owner| (ctx.item, owner)))? {
            let call = self.item(ctx.file, index).call(id);
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
                return Some(Unknown::because("it is passed to a function that adds to it"));
            }
        }
        None
    }

    fn add(&self, arg: &'a Expr, at: &Ctx<'a>, method: &str, to: &mut Elements<'a>) {
        if to.known.len() > MAX_ELEMENTS {
            return;
        }
        let value = self.eval(arg, at);
        // In Rust, `append` adds the elements of another list.
        let is_list = method == "extend" || method == "append" && self.world.family(at.file) == Some(Family::Rust);
        if is_list || matches!(arg, Expr::Spread(_)) {
            let more = self.elements(&value);
            to.known.extend(more.known);
            to.rest = to.rest.take().or(more.rest);
        } else if let Value::Choice(options) = value {
            // It is not known which of the options is added.
            to.known.extend(options.iter().cloned());
            to.one_of_several = true;
        } else if !matches!(value, Value::Scalar(_)) {
            to.known.push(value);
        }
    }

    /// The scope inside an item that binds `name` for code in `scope`; `None` for the top of the file.
    fn binder(&self, name: &SmolStr, file: FileId, item: u32, scope: ScopeId) -> Option<ScopeId> {
        let facts = self.item(file, item);
        let mut at = Some(scope);
        while let Some(id) = at.filter(|id| id.0 != 0) {
            if facts.binds(id, name) {
                return Some(id);
            }
            at = facts.scope(id).parent;
        }
        None
    }
}

fn some_key() -> Unknown {
    Unknown::because("an entry whose key is known only at run time")
}

/// A variable's item and the scope that binds it there; `None` for the top of the file.
type Owner = Option<(u32, ScopeId)>;

/// How a file uses the variables of one name, by their owners.
#[derive(Default)]
pub(super) struct Uses {
    /// The calls that receive them, as item, call and position of the argument, counted from 0.
    given_to: FxHashMap<Owner, Vec<(u32, CallId, usize)>>,
    /// The variables from which elements are removed, each with the function body that does so.
    taken_from: FxHashSet<(Owner, ScopeId)>,
}

impl Holder<'_> {
    /// The calls and assignments that may add to the holder. If the holder is bound inside `item`, only that item can
    /// add to it.
    fn growths<'f>(&self, facts: &'f FileFacts, item: u32) -> &'f [(u32, Growth)] {
        let growths = facts.grown.get(self.name()).map_or(&[][..], Vec::as_slice);
        if matches!(self, Holder::Variable(_, None)) {
            return growths;
        }
        let from = growths.partition_point(|(at, _)| *at < item);
        let to = growths.partition_point(|(at, _)| *at <= item);
        &growths[from..to]
    }

    fn name(&self) -> &SmolStr {
        match self {
            Holder::Variable(name, _) | Holder::Field(name, _) => name,
        }
    }
}

/// Functions and classes that create a table.
pub(super) const TABLES: [&str; 5] = ["Map", "dict", "OrderedDict", "defaultdict", "HashMap"];
