//! Lists: their elements, operations on them, and the loops over them.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::environment::{Activation, Ctx};
use super::expression::Evaluator;
use super::fuel::{LARGE_OBJECT, LONG_LIST, MAX_ELEMENTS};
use super::names::FROM_ITSELF;
use super::value::{Elements, Pairs, Value, one_of, truth};
use super::{Lookup, Origin, Part, Place, ScopeKey, Traced, Unknown, Want};
use crate::lower::{Arg, Call, ExportTarget, Expr, Function, Key, Prop, ScopeId, ScopeKind};
use crate::text::FileId;

/// How many steps it may take to find out whether a filter keeps an element.
const MAX_STEPS_OF_A_PREDICATE: u32 = 1_000;

impl<'a> Evaluator<'a> {
    /// `list.slice(from, to)`: the part of the list if both bounds are known, where negative ones count from the end,
    /// and the whole list otherwise. `None` if the value is not a list.
    fn sliced(&self, source: &Value<'a>, call: &'a Call, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        if source.blocked().is_some() {
            return Some(source.clone());
        }
        if !is_list(source) {
            return None;
        }
        let elements = self.elements(source);
        let length = elements.known.len();
        let place = |index: usize, default: usize| match call.args.get(index) {
            None => Some(default),
            Some(arg) => match self.eval(&arg.value, ctx) {
                Value::Scalar(text) => {
                    let count: isize = text.parse().ok()?;
                    Some(if count < 0 {
                        length.saturating_sub(count.unsigned_abs())
                    } else {
                        length.min(count as usize)
                    })
                }
                _ => None,
            },
        };
        match (place(0, 0), place(1, length)) {
            (Some(from), Some(to)) if elements.rest.is_none() => {
                let known = elements.known.get(from..to.max(from))?.to_vec();
                Some(Value::List(Rc::new(Elements { known, ..elements })))
            }
            // A page of the list, with unknown bounds.
            _ => Some(source.clone()),
        }
    }

    /// The result of an operation on a list or object that keeps or maps its elements; `None` for any other call.
    #[inline(never)]
    pub(super) fn list_operation(&self, call: &'a Call, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let list = |known, rest| Some(Value::List(Rc::new(Elements { known, rest, ..Elements::default() })));
        match &call.callee {
            Expr::Member { object, key: Key::Field(method), .. } => match method.as_str() {
                "map" | "flatMap" => {
                    let Arg { value: function, .. } = call.args.first()?;
                    self.mapped(&self.eval(object, ctx), function, method == "flatMap", ctx)
                }
                "flat" => {
                    let source = self.eval(object, ctx);
                    if source.blocked().is_some() {
                        return Some(source);
                    }
                    let mut all = Elements::default();
                    let inner = self.elements(&source);
                    all.rest = inner.rest;
                    for element in &inner.known {
                        all.append(self.elements(element));
                    }
                    Some(Value::List(Rc::new(self.list_of(all, Some(ctx.place(call.span))))))
                }
                // An element that a slice or filter may remove at run time is still declared in the source.
                "slice" if !call.args.is_empty() => self.sliced(&self.eval(object, ctx), call, ctx),
                "filter" if !call.args.is_empty() => {
                    let source = self.eval(object, ctx);
                    if matches!(source, Value::Choice(_)) || !is_list(&source) {
                        return is_kept_whole(&source).then_some(source);
                    }
                    Some(self.filtered(source, &call.args[0].value, ctx))
                }
                "filter" | "slice" | "sort" | "toSorted" | "reverse" | "copy" | "iter" | "into_iter" | "to_vec"
                | "collect" | "cloned" | "copied" => {
                    let source = self.eval(object, ctx);
                    is_kept_whole(&source).then_some(source)
                }
                "concat" | "chain" => {
                    let mut all = self.elements(&self.eval(object, ctx));
                    for arg in &call.args {
                        all.append(self.elements(&self.eval(&arg.value, ctx)));
                    }
                    Some(Value::List(Rc::new(self.list_of(all, Some(ctx.place(call.span))))))
                }
                "assign" if matches!(&**object, Expr::Name { name, .. } if name == "Object") => {
                    let mut all = Pairs::default();
                    for arg in &call.args {
                        let part = self.eval(&arg.value, ctx);
                        if part.blocked().is_some() {
                            return Some(part);
                        }
                        let mut more = self.pairs(&part)?;
                        all.known.append(&mut more.known);
                        all.rest = all.rest.or(more.rest);
                        all = self.pairs_of(all, Some(ctx.place(call.span)));
                    }
                    Some(Value::Pairs(Rc::new(all)))
                }
                // A copy of a record with some fields changed: `tool.model_copy(update={"name": "x"})`.
                "model_copy" => {
                    let source = self.eval(object, ctx);
                    if source.blocked().is_some() {
                        return Some(source);
                    }
                    let mut all = self.fields(&source)?;
                    let updates = call.args.iter().find(|arg| arg.name.as_deref() == Some("update"));
                    if let Some(updates) = updates.map(|arg| self.eval(&arg.value, ctx)) {
                        let mut more = self.pairs(&updates)?;
                        all.known.append(&mut more.known);
                        all.rest = all.rest.or(more.rest);
                        all = self.pairs_of(all, Some(ctx.place(call.span)));
                    }
                    Some(Value::Pairs(Rc::new(all)))
                }
                "fromEntries" => {
                    let source = self.eval(&call.args.first()?.value, ctx);
                    if source.blocked().is_some() {
                        return Some(source);
                    }
                    let pairs = self.elements(&source);
                    let known = pairs.known.iter();
                    let known =
                        known.map(|pair| (self.member(pair, &Key::Index(0)), self.member(pair, &Key::Index(1))));
                    let made = Pairs { known: known.collect(), rest: pairs.rest };
                    Some(Value::Pairs(Rc::new(self.pairs_of(made, Some(ctx.place(call.span))))))
                }
                // `Array.from(list)`, `Object.freeze(object)`, `Promise.all(list)`, `Promise.resolve(value)`
                "from" | "freeze" | "seal" | "all" | "resolve" if call.args.len() == 1 => {
                    let source = self.eval(&call.args[0].value, ctx);
                    let is_whole = matches!(source, Value::Pairs(_) | Value::Expr(Expr::Object { .. }, _));
                    (is_list(&source) || is_whole || source.blocked().is_some()).then_some(source)
                }
                "from" if call.args.len() == 2 => {
                    let source = self.eval(&call.args[0].value, ctx);
                    self.mapped(&source, &call.args[1].value, false, ctx)
                }
                // An entry of a table: any of them if the key is known only at run time.
                "get" if !call.args.is_empty() => {
                    let table = self.eval(object, ctx);
                    if table.blocked().is_some() {
                        return Some(table);
                    }
                    let is_table = matches!(table, Value::Pairs(_) | Value::Expr(Expr::Object { .. }, _));
                    match self.eval(&call.args[0].value, ctx) {
                        _ if !is_table => None,
                        Value::Text(key) if key.unknown().is_none() => {
                            Some(self.member(&table, &Key::Field(key.text().into())))
                        }
                        key if key.blocked().is_some() => Some(key),
                        _ => Some(self.any_entry(&table)),
                    }
                }
                "values" | "entries" | "keys" | "items" => {
                    let on_object = matches!(&**object, Expr::Name { name, .. } if name == "Object");
                    let subject = match (on_object, call.args.as_slice()) {
                        (true, [only]) => self.eval(&only.value, ctx),
                        (false, []) => self.eval(object, ctx),
                        _ => return None,
                    };
                    if subject.blocked().is_some() {
                        return Some(subject);
                    }
                    let (known, rest) = self.entries(&subject, method)?;
                    list(known, rest)
                }
                _ => None,
            },
            Expr::Name { name, .. } if SETS.contains(&name.as_str()) => match call.args.as_slice() {
                [] => list(Vec::new(), None),
                [only] => {
                    let source = self.eval(&only.value, ctx);
                    if source.blocked().is_some() {
                        return Some(source);
                    }
                    let elements = self.elements(&source);
                    Some(Value::List(Rc::new(elements)))
                }
                _ => None,
            },
            // `new Array()`
            Expr::Name { name, .. } if name == "Array" && call.args.is_empty() => list(Vec::new(), None),
            Expr::Name { name, .. }
                if matches!(name.as_str(), "list" | "tuple" | "sorted" | "reversed" | "enumerate") =>
            {
                let first = call.args.first().filter(|arg| arg.name.is_none())?;
                let value = self.eval(&first.value, ctx);
                if value.blocked().is_some() {
                    return Some(value);
                }
                if !matches!(value, Value::List(_) | Value::Pairs(_) | Value::Expr(..) | Value::Choice(_)) {
                    return None;
                }
                let mut elements = self.elements(&value);
                if name == "enumerate" {
                    let numbered = |element| Value::list(vec![Value::unknown("a count"), element]);
                    elements.known = elements.known.into_iter().map(numbered).collect();
                }
                (!elements.known.is_empty() || elements.rest.is_none()).then(|| Value::List(Rc::new(elements)))
            }
            _ => None,
        }
    }

    /// The elements that a predicate keeps or may keep. Those for which it is known to be false are moved to
    /// `left_out`.
    fn filtered(&self, source: Value<'a>, predicate: &'a Expr, ctx: &Ctx<'a>) -> Value<'a> {
        let Value::Expr(Expr::Function { scope, .. }, at) = self.eval(predicate, ctx) else { return source };
        let all = self.elements(&source);
        let mut kept = Elements { known: Vec::new(), doubtful: Vec::new(), ..all.clone() };
        let mut allowance = MAX_STEPS_OF_A_PREDICATE;
        for (index, element) in all.known.into_iter().enumerate() {
            let inside = at.with(at.key(*scope), Activation::Element(element.clone()));
            let told = self.within(allowance, || truth(&self.returned(*scope, &inside)));
            if told.is_none() {
                // If the predicate takes too many steps for one element, it probably does for others, but for some a
                // few may suffice.
                allowance = MAX_STEPS_OF_A_PREDICATE / 10;
            }
            let holds = told.flatten();
            if holds == Some(false) {
                kept.left_out.push(element);
                continue;
            }
            if holds.is_none() || all.doubtful.contains(&index) {
                kept.doubtful.push(kept.known.len());
            }
            kept.known.push(element);
        }
        Value::List(Rc::new(kept))
    }

    /// A list with a function applied to each element.
    fn mapped(&self, source: &Value<'a>, function: &'a Expr, flat: bool, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        if source.blocked().is_some() {
            return Some(source.clone());
        }
        let Value::Expr(Expr::Function { scope, .. }, function_ctx) = self.eval(function, ctx) else {
            return None;
        };
        let elements = self.elements(source);
        let doubtful = if flat { Vec::new() } else { elements.doubtful.clone() };
        let mut mapped = Elements { known: Vec::new(), doubtful, left_out: Vec::new(), ..elements.clone() };
        let applied = |element| {
            let inside = function_ctx.with(function_ctx.key(*scope), Activation::Element(element));
            self.returned(*scope, &inside)
        };
        mapped.left_out.extend(elements.left_out.into_iter().map(applied));
        for element in elements.known {
            let value = applied(element);
            if flat {
                mapped.append(self.elements(&value));
            } else {
                mapped.known.push(value);
            }
        }
        let span = function.span(self.item(ctx.file, ctx.item));
        Some(Value::List(Rc::new(self.list_of(mapped, Some(ctx.place(span))))))
    }

    /// The keys, values or pairs (by `what`) of an object, map, module or class, and the reason if there may be more;
    /// `None` for any other value.
    pub(super) fn entries(&self, object: &Value<'a>, what: &str) -> Option<(Vec<Value<'a>>, Option<Unknown>)> {
        self.guarded(|| self.entries_of(object, what)).ok().flatten()
    }

    #[inline(never)]
    fn entries_of(&self, object: &Value<'a>, what: &str) -> Option<(Vec<Value<'a>>, Option<Unknown>)> {
        let mut pairs: Vec<(Value<'a>, Value<'a>)> = Vec::new();
        let mut places: FxHashMap<String, usize> = FxHashMap::default();
        let mut rest = None;
        // The last entry of a key replaces the earlier ones.
        let mut push = |key: Value<'a>, value: Value<'a>| {
            if pairs.len() > MAX_ELEMENTS {
                return;
            }
            let text = match &key {
                Value::Text(text) if text.unknown().is_none() && !text.parts.is_empty() => Some(text.text()),
                _ => None,
            };
            match text.as_ref().and_then(|text| places.get(text)) {
                Some(&place) => pairs[place] = (key, value),
                None => {
                    places.extend(text.map(|text| (text, pairs.len())));
                    pairs.push((key, value));
                }
            }
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
            // One of several objects: the entries of all of them are possible.
            Value::Choice(options) => {
                let mut any = false;
                for option in options.iter() {
                    match self.pairs(option) {
                        Some(pairs) => {
                            any = true;
                            pairs.known.into_iter().for_each(|(key, value)| push(key, value));
                            rest = rest.or(pairs.rest);
                        }
                        None => rest = Some(Unknown::because("one of several objects, chosen at run time")),
                    }
                }
                if !any {
                    return None;
                }
            }
            Value::Pairs(pairs) => {
                for (key, value) in &pairs.known {
                    push(key.clone(), value.clone());
                }
                rest = pairs.rest.clone();
            }
            // `new Map(pairs)`, `dict(pairs)`; without pairs it is empty.
            Value::Expr(Expr::Call(id), ctx) => {
                let call = self.item(ctx.file, ctx.item).call(*id);
                let name = call.callee.last_name()?;
                if !super::growth::TABLES.contains(&name.as_str()) {
                    return None;
                }
                for arg in &call.args {
                    match &arg.name {
                        Some(name) => {
                            let key = Value::Text(Traced::literal(name.clone(), ctx.place(arg.span)));
                            push(key, self.eval(&arg.value, &ctx.in_scope(call.scope)));
                        }
                        None => {
                            let pairs = self.elements(&self.eval(&arg.value, &ctx.in_scope(call.scope)));
                            for pair in &pairs.known {
                                push(self.member(pair, &Key::Index(0)), self.member(pair, &Key::Index(1)));
                            }
                            rest = rest.or(pairs.rest);
                        }
                    }
                }
            }
            Value::Module(file) => {
                for name in self.exported_names(*file, 0) {
                    let value = self.export(*file, &name);
                    push(Value::Text(self.exported_identifier(*file, name)), value);
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
        self.spend(pairs.len());
        if pairs.len() > MAX_ELEMENTS {
            pairs.truncate(MAX_ELEMENTS);
            let at = self.place_of(object);
            rest = Some(Unknown { at, ..Unknown::because(LARGE_OBJECT) });
        }
        let entry = |(key, value): (Value<'a>, Value<'a>)| match what {
            "values" => value,
            "keys" => key,
            _ => Value::List(Rc::new(Elements { known: vec![key, value], ..Elements::default() })),
        };
        Some((pairs.into_iter().map(entry).collect(), rest))
    }

    /// An element of a table or list that is chosen at run time: a choice between all of them.
    pub(super) fn any_entry(&self, table: &Value<'a>) -> Value<'a> {
        if table.blocked().is_some() {
            return table.clone();
        }
        let (known, rest) = match table {
            Value::List(_) | Value::Expr(Expr::Array { .. }, _) => {
                let elements = self.elements(table);
                (elements.known, elements.rest)
            }
            Value::Expr(Expr::Class { .. }, _) | Value::Module(_) => (Vec::new(), None),
            _ => self.entries(table, "values").unwrap_or_default(),
        };
        if known.is_empty() {
            return Value::unknown("an element chosen at run time");
        }
        one_of(known.into_iter().chain(rest.map(Value::Unknown)).collect())
    }

    /// The entries of an object as pairs; `None` if it has none that can be determined.
    pub(super) fn pairs(&self, object: &Value<'a>) -> Option<Pairs<'a>> {
        let (entries, rest) = self.entries(object, "items")?;
        let pair = |entry: Value<'a>| (self.member(&entry, &Key::Index(0)), self.member(&entry, &Key::Index(1)));
        Some(Pairs { known: entries.into_iter().map(pair).collect(), rest })
    }

    /// The fields of a record. The fields of a call are its keyword arguments; `None` if it has other arguments, too.
    fn fields(&self, record: &Value<'a>) -> Option<Pairs<'a>> {
        let Value::Expr(Expr::Call(id), at) = record else { return self.pairs(record) };
        let call = self.item(at.file, at.item).call(*id);
        let field = |arg: &'a Arg| {
            let name = Traced::literal(arg.name.clone()?, at.place(arg.span));
            Some((Value::Text(name), self.eval(&arg.value, &at.in_scope(call.scope))))
        };
        Some(Pairs { known: call.args.iter().map(field).collect::<Option<_>>()?, rest: None })
    }

    /// The name of an export as text. Its origin is the binding in the file, if there is one.
    fn exported_identifier(&self, file: FileId, name: SmolStr) -> Traced {
        let facts = self.world.facts(file);
        let bound = facts.and_then(|facts| facts.top_level.get(&name)?.first().copied());
        let origin = match bound {
            Some((item, index)) => {
                let span = self.item(file, item).scopes[0].bindings[index as usize].span;
                Origin::Identifier(Place { file, item, span })
            }
            None => Origin::Framework,
        };
        Traced { parts: smallvec::SmallVec::from_iter([Part { text: name, origin }]) }
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

    /// The number of elements or entries of a top-level value; `None` if it is unknown or 0.
    pub(super) fn count(&self, file: FileId, name: &SmolStr) -> Option<usize> {
        let value = self.top_level(file, name);
        let (count, is_known) = match self.pairs(&value) {
            Some(pairs) => (pairs.known.len(), pairs.rest.is_none()),
            None => {
                let Elements { known, rest, one_of_several, doubtful, .. } = self.elements(&value);
                (known.len(), rest.is_none() && !one_of_several && doubtful.is_empty())
            }
        };
        (is_known && count > 0).then_some(count)
    }

    /// The elements of a value, as a loop over it would see them.
    pub(super) fn elements(&self, value: &Value<'a>) -> Elements<'a> {
        let too_deep = |unknown| Elements { rest: Some(unknown), ..Elements::default() };
        self.guarded(|| self.elements_of(value)).unwrap_or_else(too_deep)
    }

    #[inline(never)]
    fn elements_of(&self, value: &Value<'a>) -> Elements<'a> {
        match value {
            Value::List(elements) => {
                self.spend_elements(elements.known.len() + elements.left_out.len());
                (**elements).clone()
            }
            Value::Expr(Expr::Array { elements, span }, ctx) => {
                let mut all = Elements::default();
                for element in elements {
                    let value = self.eval(element, ctx);
                    if matches!(element, Expr::Spread(_)) {
                        all.append(self.elements(&value));
                    } else {
                        all.known.push(value);
                    }
                    if all.known.len() > MAX_ELEMENTS {
                        break;
                    }
                }
                self.list_of(all, Some(ctx.place(*span)))
            }
            Value::Expr(Expr::Each { scope, element, .. }, ctx) => self.comprehended(*scope, element, ctx),
            Value::Pairs(pairs) => {
                self.spend(pairs.known.len());
                let known = pairs.known.iter().map(|(key, _)| key.clone()).collect();
                Elements { known, rest: pairs.rest.clone(), ..Elements::default() }
            }
            // A loop over an enum runs over its members.
            Value::Expr(Expr::Class { .. }, _) => match self.entries(value, "values") {
                Some((known, rest)) => Elements { known, rest, ..Elements::default() },
                None => Elements::default(),
            },
            Value::Choice(options) => {
                let mut all = Elements { one_of_several: true, ..Elements::default() };
                for option in options.iter() {
                    if all.known.len() > MAX_ELEMENTS {
                        break;
                    }
                    let more = self.elements(option);
                    all.doubtful.extend(more.doubtful.iter().map(|index| all.known.len() + index));
                    all.known.extend(more.known);
                    // A variable that is assigned a longer list made from itself has no other elements.
                    all.rest = all.rest.or(more.rest.filter(|rest| rest.reason != FROM_ITSELF));
                }
                self.list_of(all, None)
            }
            Value::Unknown(unknown) => Elements { rest: Some(unknown.clone()), ..Elements::default() },
            Value::Absent => Elements::default(),
            _ => Elements { rest: Some(Unknown::because("a list that is made at run time")), ..Elements::default() },
        }
    }

    fn comprehended(&self, scope: ScopeId, element: &'a Expr, ctx: &Ctx<'a>) -> Elements<'a> {
        let mut all = Elements::default();
        match self.activations_until(scope, ctx) {
            Ok((activations, rest)) => {
                all.known.extend(activations.iter().map(|inside| self.eval(element, &inside.in_scope(scope))));
                all.rest = rest;
            }
            Err(unknown) => all.rest = Some(unknown),
        }
        all
    }

    /// The activations of the loops from `scope` outwards to the scope of `ctx`, and the reason if there may be more.
    /// Nested loops multiply: beyond [`MAX_ELEMENTS`] the rest is left out, with a reason.
    fn activations_until(&self, scope: ScopeId, ctx: &Ctx<'a>) -> Result<(Vec<Ctx<'a>>, Option<Unknown>), Unknown> {
        let parent = self.item(ctx.file, ctx.item).scope(scope).parent;
        let (outer, mut rest) = match parent {
            Some(parent)
                if parent != ctx.scope
                    && matches!(self.item(ctx.file, ctx.item).scope(parent).kind, ScopeKind::Loop { .. })
                    && ctx.frame(ctx.key(parent)).is_none() =>
            {
                self.activations_until(parent, ctx)?
            }
            _ => (vec![ctx.clone()], None),
        };
        let mut all = Vec::new();
        for outer in outer {
            let (known, more) = self.activations_and_rest(outer.key(scope), &outer)?;
            all.extend(known);
            rest = rest.or(more);
            if all.len() > MAX_ELEMENTS || self.is_exhausted() {
                let ScopeKind::Loop { iterable } = &self.item(ctx.file, ctx.item).scope(scope).kind else { break };
                let span = iterable.span(self.item(ctx.file, ctx.item));
                all.truncate(MAX_ELEMENTS);
                rest = Some(Unknown::outgrown(LONG_LIST, ctx.place(span)));
                break;
            }
        }
        Ok((all, rest))
    }

    /// Copies of `ctx`, one for each known element of a loop. `Err` if there is none and the list may have some.
    pub(super) fn activations(&self, key: ScopeKey, ctx: &Ctx<'a>) -> Result<Vec<Ctx<'a>>, Unknown> {
        self.activations_and_rest(key, ctx).map(|(known, _)| known)
    }

    /// Copies of `ctx`, one for each known element of a loop, and the reason if there may be more. `Err` if there is
    /// none and the list may have some.
    #[inline(never)]
    pub(super) fn activations_and_rest(
        &self,
        key: ScopeKey,
        ctx: &Ctx<'a>,
    ) -> Result<(Vec<Ctx<'a>>, Option<Unknown>), Unknown> {
        let scope = self.item(key.file, key.item).scope(key.scope);
        let iterable = match &scope.kind {
            ScopeKind::Loop { iterable } => iterable,
            ScopeKind::Function(Function { each: Some(each), .. }) => each,
            _ => return Err(Unknown::because("what callers pass to its function")),
        };
        let outside =
            Ctx { file: key.file, item: key.item, scope: scope.parent.unwrap_or(ScopeId(0)), env: ctx.env.clone() };
        let value = self.eval(iterable, &outside);
        if let Some(blocked) = value.blocked() {
            return Err(Unknown::waiting("a loop over what callers pass to its function", Some(blocked)));
        }
        let elements = self.elements(&value);
        if let Some(rest) = &elements.rest
            && elements.known.is_empty()
        {
            return Err(rest.clone());
        }
        let known = elements.known.into_iter().map(|element| ctx.with(key, Activation::Element(element)));
        Ok((known.collect(), elements.rest))
    }
}

/// Functions and classes that create a set or queue, which is treated as a list.
const SETS: [&str; 4] = ["Set", "set", "frozenset", "deque"];

/// Whether a method that keeps all elements of a list returns this value unchanged.
fn is_kept_whole(value: &Value<'_>) -> bool {
    match value {
        Value::Choice(options) => options.iter().any(is_list),
        // A value that is unknown stays unknown, for the same reason.
        Value::Unknown(_) => true,
        value => is_list(value),
    }
}

fn is_list(value: &Value<'_>) -> bool {
    matches!(value, Value::Expr(Expr::Array { .. } | Expr::Each { .. }, _) | Value::List(_))
}
