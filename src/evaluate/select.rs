//! Selectors: from a matched form to the values that it names.

use std::rc::Rc;

use smol_str::SmolStr;

use super::environment::{Activation, Ctx};
use super::expression::Evaluator;
use super::register::Site;
use super::value::{Elements, Value};
use super::{HINTS, Lack, Naming, Origin, Part, Traced};
use crate::framework::{Form, Selector, Start, Step};
use crate::lower::{Arg, Bound, Call, Definition, DefinitionKind, ExportTarget, Expr, Key, Prop, ScopeId, ScopeKind};
use crate::name::{Case, Name, Style};
use crate::syntax::Family;
use crate::text::{FileId, Span};

/// How many decorators of one function are checked for their effect on it. The check is repeated for each decorator
/// that is itself a site.
const MOST_DECORATORS: usize = 64;

impl<'a> Evaluator<'a> {
    /// The first value that a selector finds, other than null.
    #[inline(never)]
    pub(super) fn first(
        &self,
        selectors: &[Selector],
        site: &Site<'a>,
        ctx: &Ctx<'a>,
        each: Option<&Value<'a>>,
    ) -> Option<Value<'a>> {
        let mut present = selectors
            .iter()
            .map(|selector| self.select(selector, site, ctx, each))
            .filter(|value| !matches!(value, Value::Absent) && !is_null(value));
        present.next()
    }

    /// Where a value that no selector finds can be added: the object that the first possible selector leads to.
    pub(super) fn lacking(
        &self,
        selectors: &[Selector],
        site: &Site<'a>,
        ctx: &Ctx<'a>,
        each: Option<&Value<'a>>,
    ) -> Option<Lack> {
        selectors.iter().find_map(|selector| {
            let is_field = |step: &&Step| matches!(step, Step::Field(_));
            let fields = selector.steps.iter().rev().take_while(is_field).count();
            (1..=fields).find_map(|left| {
                let (steps, rest) = selector.steps.split_at(selector.steps.len() - left);
                let object = Selector { start: selector.start.clone(), steps: steps.to_vec() };
                let Value::Expr(Expr::Object { props, span }, at) = self.select(&object, site, ctx, each) else {
                    return None;
                };
                let path: Vec<SmolStr> = rest
                    .iter()
                    .filter_map(|step| match step {
                        Step::Field(field) => Some(field.clone()),
                        _ => None,
                    })
                    .collect();
                let hands_on = |prop: &Prop| match prop {
                    Prop::Pair { key: Expr::Text { text, .. }, .. } => *text == path[0],
                    Prop::Pair { .. } | Prop::Spread(_) => true,
                };
                let handed_on = props.iter().any(hands_on);
                Some(Lack { object: at.place(*span), path, handed_on })
            })
        })
    }

    /// The first value that can be a name. A function, class or call in the position of a name is returned only if no
    /// other selector finds a value.
    pub(super) fn first_name(
        &self,
        selectors: &[Selector],
        site: &Site<'a>,
        ctx: &Ctx<'a>,
        each: Option<&Value<'a>>,
    ) -> Option<Value<'a>> {
        let mut fallback: Option<(&Start, Value<'a>)> = None;
        for selector in selectors {
            // If the value that is given is unknown, nothing else is taken for the name, except another part of the
            // same value.
            if fallback.as_ref().is_some_and(|(start, value)| {
                matches!(value, Value::Expr(Expr::Call(_), _)) && **start != selector.start
            }) {
                continue;
            }
            match self.select(selector, site, ctx, each) {
                Value::Absent => {}
                value if is_null(&value) => {}
                value @ Value::Expr(Expr::Function { .. } | Expr::Class { .. } | Expr::Call(_), _) => {
                    fallback.get_or_insert((&selector.start, value));
                }
                value => return Some(value),
            }
        }
        fallback.map(|(_, value)| value)
    }

    #[inline(never)]
    pub(super) fn select(
        &self,
        selector: &Selector,
        site: &Site<'a>,
        ctx: &Ctx<'a>,
        each: Option<&Value<'a>>,
    ) -> Value<'a> {
        let mut steps = selector.steps.as_slice();
        let mut value = match &selector.start {
            Start::Arg(index) => {
                let positional: Vec<&'a Arg> = site.args.iter().filter(|arg| arg.name.is_none()).collect();
                let index = if *index < 0 { positional.len() as i32 + index } else { *index };
                match usize::try_from(index) {
                    Ok(index) if positional.iter().any(|arg| matches!(arg.value, Expr::Spread(_))) => {
                        self.spread(&positional, index, ctx)
                    }
                    Ok(index) => positional.get(index).map_or(Value::Absent, |arg| self.eval(&arg.value, ctx)),
                    Err(_) => Value::Absent,
                }
            }
            Start::Keyword(name) => match site.args.iter().find(|arg| arg.name.as_ref() == Some(name)) {
                Some(arg) => self.eval(&arg.value, ctx),
                // `tool(**meta)`
                None => {
                    let spread = site.args.iter().filter(|arg| matches!(arg.value, Expr::Spread(_)));
                    let mut given = spread.map(|arg| match self.eval(&arg.value, ctx) {
                        table @ (Value::Expr(Expr::Object { .. }, _) | Value::Pairs(_)) => {
                            self.member(&table, &Key::Field(name.clone()))
                        }
                        value if value.blocked().is_some() => value,
                        _ => Value::Absent,
                    });
                    given.find(|value| !matches!(value, Value::Absent)).unwrap_or(Value::Absent)
                }
            },
            Start::Rest(from) => {
                let positional = site.args.iter().filter(|arg| arg.name.is_none()).skip(*from);
                let known = positional.map(|arg| self.eval(&arg.value, ctx)).collect();
                Value::List(Rc::new(Elements { known, ..Elements::default() }))
            }
            Start::Receiver => match site.callee {
                Expr::Member { object, .. } => self.eval(object, ctx),
                _ => Value::Absent,
            },
            Start::Class => self.around(ctx),
            Start::Decorator(name) => self.decorator(site.definition, name, ctx),
            Start::Export(name) => self.exported(name, ctx.file),
            Start::File => {
                let name = self.world.path_in_package(ctx.file).rsplit('/').next().unwrap_or("");
                let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
                Value::Text(Traced::of(Part { text: stem.into(), origin: Origin::Framework }))
            }
            Start::Each => each.cloned().unwrap_or(Value::Absent),
            Start::Applied => {
                let item = self.item(ctx.file, ctx.item);
                let outer = site.call.and_then(|id| item.calls.iter().find(|call| call.callee == Expr::Call(id)));
                match outer.and_then(|outer| outer.args.first()) {
                    Some(arg) => self.eval(&arg.value, ctx),
                    None => self.applied_by_caller(ctx),
                }
            }
            Start::Definition => match (site.definition, steps) {
                (Some(definition), [Step::Ident, rest @ ..])
                    if self.name_in_place_below(definition, site, ctx).is_some() =>
                {
                    steps = rest;
                    self.name_in_place_below(definition, site, ctx).unwrap_or(Value::Absent)
                }
                (Some(definition), []) => self.definition_value(definition, ctx),
                (Some(definition), [Step::Field(_), ..]) if definition.kind == DefinitionKind::Class => {
                    self.definition_value(definition, ctx)
                }
                (Some(definition), [Step::Ident, rest @ ..]) => {
                    steps = rest;
                    Value::Text(identifier(definition, ctx))
                }
                (Some(definition), [Step::Doc, rest @ ..]) => {
                    steps = rest;
                    documentation(definition, ctx)
                }
                (Some(definition), [Step::Return, rest @ ..]) => {
                    steps = rest;
                    self.returned(definition.body, &ctx.in_scope(definition.body))
                }
                _ => Value::Absent,
            },
        };
        for step in steps {
            value = match step {
                // A value that is not given has no members.
                Step::Field(_) if is_null(&value) => Value::Absent,
                Step::Field(field) => self.member(&value, &Key::Field(field.clone())),
                Step::Return => match &value {
                    Value::Expr(Expr::Function { scope, .. }, function_ctx) => self.returned(*scope, function_ctx),
                    Value::Unknown(_) | Value::Absent => value,
                    _ => Value::unknown("a handler that cannot be found"),
                },
                Step::Ident => self.identifier_of(&value),
                Step::Doc => match &value {
                    Value::Expr(Expr::Function { scope, .. } | Expr::Class { scope, .. }, at) => {
                        let definition = self.item(at.file, at.item).definition_of(*scope);
                        definition.map_or(Value::Absent, |definition| documentation(definition, at))
                    }
                    _ => Value::Absent,
                },
                Step::Param(_) => Value::unknown("a parameter"),
                Step::Decorator(name) => match &value {
                    Value::Expr(Expr::Function { scope, .. } | Expr::Class { scope, .. }, at) => {
                        let definition = self.item(at.file, at.item).definition_of(*scope);
                        let outside = definition.map_or(at.scope, |definition| definition.scope);
                        self.decorator(definition, name, &at.in_scope(outside))
                    }
                    Value::Unknown(_) => value,
                    _ => Value::Absent,
                },
                Step::Keyword(name) => match &value {
                    Value::Expr(Expr::Call(id), at) => {
                        let call = self.item(at.file, at.item).call(*id);
                        let arg = call.args.iter().find(|arg| arg.name.as_ref() == Some(name));
                        arg.map_or(Value::Absent, |arg| self.eval(&arg.value, &at.in_scope(call.scope)))
                    }
                    _ => Value::Absent,
                },
                Step::Bare => match value {
                    Value::Text(text) if text.text().starts_with("r#") => Value::Text(text.cut(2..usize::MAX)),
                    value => value,
                },
                Step::Kebab => match &value {
                    Value::Text(text) if text.unknown().is_none() => {
                        let style = Style { case: Case::Lower, separator: "-".into() };
                        let text = style.write(Name::new(&text.text()).words()).into();
                        Value::Text(Traced::of(Part { text, origin: Origin::Framework }))
                    }
                    _ => value,
                },
                Step::Index(index) => self.member(&value, &Key::Index(*index)),
                Step::Entries => match self.entries(&value, "entries") {
                    Some((known, rest)) => Value::List(Rc::new(Elements { known, rest, ..Elements::default() })),
                    None => match value {
                        Value::Unknown(_) | Value::Absent => value,
                        _ => Value::unknown("an object that is made at run time"),
                    },
                },
                Step::Arg(index) => match &value {
                    Value::Expr(Expr::Call(id), at) => {
                        let call = self.item(at.file, at.item).call(*id);
                        let at = at.in_scope(call.scope);
                        let mut positional = call.args.iter().filter(|arg| arg.name.is_none());
                        positional.nth(*index).map_or(Value::Absent, |arg| self.eval(&arg.value, &at))
                    }
                    _ => Value::Absent,
                },
            };
        }
        value
    }

    /// The decorator with this name on a function or class; `Absent` if there is none.
    fn decorator(&self, definition: Option<&'a Definition>, name: &SmolStr, ctx: &Ctx<'a>) -> Value<'a> {
        let item = self.item(ctx.file, ctx.item);
        let decorators = definition.into_iter().flat_map(|definition| &definition.decorators);
        let found = decorators.take(MOST_DECORATORS).find(|decorator| match decorator {
            Expr::Call(id) => item.call(*id).callee.last_name() == Some(name),
            other => other.last_name() == Some(name),
        });
        found.map_or(Value::Absent, |decorator| Value::Expr(decorator, ctx.clone()))
    }

    /// The argument to which the caller of the enclosing function applies its result: `six` for `@tool() def six` if
    /// `tool` returns a framework's decorator.
    fn applied_by_caller(&self, ctx: &Ctx<'a>) -> Value<'a> {
        let (_, _, function) = self.body(ctx);
        let Some(Activation::Args { call: Some(call), at, .. }) =
            ctx.frame(ctx.key(function)).map(|frame| &frame.bound)
        else {
            return Value::Absent;
        };
        let mut calls = self.item(at.file, at.item).calls.iter();
        let applied = calls.find(|outer| outer.callee == Expr::Call(*call)).and_then(|outer| outer.args.first());
        applied.map_or(Value::Absent, |arg| self.eval(&arg.value, at))
    }

    /// A positional argument, by its index, where some of the arguments may be spread lists.
    fn spread(&self, args: &[&'a Arg], index: usize, ctx: &Ctx<'a>) -> Value<'a> {
        let mut at = 0;
        for arg in args {
            let value = self.eval(&arg.value, ctx);
            if !matches!(arg.value, Expr::Spread(_)) {
                if at == index {
                    return value;
                }
                at += 1;
                continue;
            }
            // Spread keyword arguments follow all positional ones.
            if matches!(value, Value::Expr(Expr::Object { .. }, _) | Value::Pairs(_)) {
                return Value::Absent;
            }
            if value.blocked().is_some() {
                return value;
            }
            let elements = self.elements(&value);
            if let Some(found) = index.checked_sub(at).and_then(|index| elements.known.get(index)) {
                return found.clone();
            }
            if let Some(rest) = elements.rest {
                return Value::Unknown(rest);
            }
            at += elements.known.len();
        }
        Value::Absent
    }

    /// The value that a file exports under a name. If it is the unknown result of a call, the call itself.
    fn exported(&self, name: &SmolStr, file: FileId) -> Value<'a> {
        let value = self.export(file, name);
        let Some(facts) = self.world.facts(file).filter(|_| matches!(value, Value::Unknown(_))) else { return value };
        let exported = facts.items.iter().enumerate().find_map(|(item, facts)| {
            let export = facts.facts.exports.iter().find(|export| export.name.as_ref() == Some(name))?;
            match &export.target {
                ExportTarget::Value(call @ Expr::Call(_)) => {
                    Some(Value::Expr(call, Ctx::new(file, item as u32, ScopeId(0))))
                }
                _ => None,
            }
        });
        let is_exported =
            facts.items.iter().flat_map(|item| &item.facts.exports).any(|one| one.name.as_ref() == Some(name));
        exported.unwrap_or(if is_exported { value } else { Value::Absent })
    }

    /// A function or class as a value.
    pub(super) fn definition_value(&self, definition: &'a Definition, ctx: &Ctx<'a>) -> Value<'a> {
        let binding = self.item(ctx.file, ctx.item).binding_of_body(definition.scope, definition.body);
        let value = binding.and_then(|binding| match &binding.value {
            Bound::Value(value) => Some(value),
            _ => None,
        });
        value.map_or(Value::unknown("a definition without a name"), |value| Value::Expr(value, ctx.clone()))
    }

    /// The name that a function or class has at run time, as text.
    pub(super) fn identifier_of(&self, value: &Value<'a>) -> Value<'a> {
        match value {
            Value::Expr(Expr::Function { scope, .. } | Expr::Class { scope, .. }, ctx) => {
                let facts = self.item(ctx.file, ctx.item);
                let definition = facts.definition_of(*scope);
                let decorators = definition.map_or(&[][..], |definition| &definition.decorators);
                if let Some(replaced) = self.name_in_place(decorators, ctx) {
                    return replaced;
                }
                if let Some(given) = definition.and_then(|definition| self.given_identifier(definition, ctx)) {
                    return given;
                }
                // `@functools.wraps(function)` gives the wrapper the function's name.
                let decorators = definition.into_iter().flat_map(|definition| &definition.decorators);
                let wrapped = decorators.take(MOST_DECORATORS).find_map(|decorator| {
                    let Expr::Call(id) = decorator else { return None };
                    let call = facts.call(*id);
                    let is_wraps = call.callee.last_name().is_some_and(|name| name == "wraps");
                    is_wraps.then(|| call.args.first()).flatten().map(|arg| &arg.value)
                });
                if let Some(wrapped) = wrapped {
                    let outside = definition.map_or(ctx.scope, |definition| definition.scope);
                    return self.deeper(|| self.identifier_of(&self.eval(wrapped, &ctx.in_scope(outside))));
                }
                match definition {
                    Some(definition) => Value::Text(identifier(definition, ctx)),
                    None => Value::unknown("a function without a name"),
                }
            }
            Value::Unknown(unknown) => Value::Unknown(unknown.clone()),
            Value::Absent => Value::Absent,
            _ => Value::unknown("a function that cannot be found"),
        }
    }

    /// The name that is assigned to a function after its definition: `function.__name__ = f"get_{kind}"`.
    fn given_identifier(&self, definition: &'a Definition, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let assigned = self.item(ctx.file, ctx.item).assigned.iter().find(|assigned| {
            matches!(&assigned.key, Expr::Text { text, .. } if text == "__name__")
                && matches!(&assigned.table, Expr::Name { name, .. } if *name == definition.name)
        })?;
        Some(self.deeper(|| self.eval(&assigned.value, &ctx.in_scope(assigned.scope))))
    }

    /// The name of the wrapper that replaces a function before a framework's decorator receives it; `None` if there is
    /// none.
    fn name_in_place_below(&self, definition: &'a Definition, site: &Site<'a>, ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let is_own = |decorator: &&Expr| match decorator {
            Expr::Call(id) => site.call == Some(*id),
            other => std::ptr::eq(*other, site.callee),
        };
        let own = definition.decorators.iter().position(|decorator| is_own(&decorator))?;
        self.name_in_place(&definition.decorators[own + 1..], ctx)
    }

    /// The name of the wrapper that decorators return in place of a function. A wrapper has its own name, unless
    /// something such as `functools.wraps` gives it the name of the wrapped function; `None` in that case.
    fn name_in_place(&self, decorators: &'a [Expr], ctx: &Ctx<'a>) -> Option<Value<'a>> {
        let python = self.world.family(ctx.file) == Some(Family::Python);
        decorators.iter().take(MOST_DECORATORS).filter(|_| python).find_map(|decorator| {
            let Value::Expr(Expr::Function { scope, .. }, at) = self.eval(decorator, ctx) else { return None };
            let Value::Expr(Expr::Function { scope: inner, .. }, at) = self.returned(*scope, &at) else { return None };
            let item = self.item(at.file, at.item);
            let wrapper = item.definition_of(*inner)?;
            let inside = |place: ScopeId| {
                std::iter::successors(Some(place), |place| item.scope(*place).parent).any(|place| place == *scope)
            };
            let copies = |name: &SmolStr| NAME_COPYING.contains(&name.as_str());
            let is_named = !wrapper.decorators.is_empty()
                || item.calls.iter().any(|call| inside(call.scope) && call.callee.last_name().is_some_and(copies))
                || item.assigned.iter().any(|assigned| inside(assigned.scope));
            (!is_named).then(|| Value::Text(identifier(wrapper, &at)))
        })
    }

    /// Where a keyword for the name can be written; `None` if nowhere.
    pub(super) fn naming(&self, form: &Form, site: &Site<'a>, ctx: &Ctx<'a>) -> Option<Naming> {
        // A decorated function gets its name in the decorator.
        let decorated = form.name.iter().find_map(|selector| {
            let at = selector.steps.iter().position(|step| matches!(step, Step::Decorator(_)))?;
            let [Step::Keyword(keyword)] = &selector.steps[at + 1..] else { return None };
            let decorator = Selector { start: selector.start.clone(), steps: selector.steps[..=at].to_vec() };
            let Value::Expr(decorator, home) = self.select(&decorator, site, ctx, None) else { return None };
            let item = self.item(home.file, home.item);
            let (call, args) = match decorator {
                Expr::Call(id) => (Some(item.call(*id)), item.call(*id).args.as_slice()),
                _ => (None, &[][..]),
            };
            Some(naming_in(keyword.clone(), call, args, decorator.span(item).end, &home))
        });
        let decorated = decorated.or_else(|| self.naming_of_made(form, site, ctx));
        if decorated.is_some() || form.keyword_is_old {
            return decorated;
        }
        if let Some((definition, attribute, keyword)) = site.definition.and_then(|definition| {
            let named = form.name.iter().find_map(|selector| match (&selector.start, selector.steps.as_slice()) {
                (Start::Decorator(attribute), [Step::Keyword(keyword)]) => Some((attribute, keyword)),
                _ => None,
            });
            named.map(|(attribute, keyword)| (definition, attribute, keyword))
        }) {
            let item = self.item(ctx.file, ctx.item);
            if let Value::Expr(there @ Expr::Call(id), home) = self.decorator(site.definition, attribute, ctx) {
                let call = item.call(*id);
                return Some(naming_in(keyword.clone(), Some(call), &call.args, there.span(item).end, &home));
            }
            let at = ctx.place(Span::at(definition.span.start as usize));
            let attribute = Some(attribute.clone());
            return Some(Naming { attribute, keyword: keyword.clone(), at, before: "", after: "" });
        }
        let mut keywords = form.name.iter().filter(|selector| selector.steps.is_empty());
        let keyword = keywords.find_map(|selector| match &selector.start {
            Start::Keyword(keyword) => Some(keyword.clone()),
            // `#[tool]` becomes `#[tool("name")]`.
            Start::Arg(0) if site.definition.is_some() && site.args.is_empty() => Some(SmolStr::default()),
            _ => None,
        })?;
        let item = self.item(ctx.file, ctx.item);
        let call = site.call.map(|id| item.call(id));
        Some(naming_in(keyword, call, site.args, site.callee.span(item).end, ctx))
    }

    /// Where a keyword for the name can be written in an argument that creates the tool:
    /// `add_tool(Tool.from_function(run))` takes the name from its argument.
    fn naming_of_made(&self, form: &Form, site: &Site<'a>, ctx: &Ctx<'a>) -> Option<Naming> {
        form.name.iter().find_map(|selector| {
            let (Start::Arg(index), [Step::Field(field)]) = (&selector.start, selector.steps.as_slice()) else {
                return None;
            };
            let Expr::Call(id) = &site.args.get(usize::try_from(*index).ok()?)?.value else { return None };
            let call = self.item(ctx.file, ctx.item).call(*id);
            // A wrapper of the project may not accept the keyword.
            let is_own = matches!(self.eval(&call.callee, ctx), Value::Expr(Expr::Function { .. }, _));
            let end = call.span.end;
            (!is_own).then(|| naming_in(field.clone(), Some(call), &call.args, end, ctx))
        })
    }

    /// The body around a scope: of a function, a class or the module.
    pub(super) fn body(&self, ctx: &Ctx<'a>) -> (FileId, u32, ScopeId) {
        let facts = self.item(ctx.file, ctx.item);
        let mut at = ctx.scope;
        while !matches!(facts.scope(at).kind, ScopeKind::Function(_) | ScopeKind::Class { .. }) {
            match facts.scope(at).parent {
                Some(parent) => at = parent,
                None => break,
            }
        }
        // Every item of a file shares the module's body.
        (ctx.file, if at.0 == 0 { 0 } else { ctx.item }, at)
    }

    pub(super) fn is_conditional(&self, site: &Site<'a>, ctx: &Ctx<'a>) -> bool {
        let cfg = site.definition.is_some_and(|definition| {
            definition.decorators.iter().take(MOST_DECORATORS).any(|decorator| match decorator {
                Expr::Call(id) => {
                    let callee = &self.item(ctx.file, ctx.item).call(*id).callee;
                    callee.last_name().is_some_and(|name| name == "cfg")
                }
                _ => false,
            })
        });
        let in_branch = |ctx: &Ctx<'a>| {
            let facts = self.item(ctx.file, ctx.item);
            let mut at = Some(ctx.scope);
            while let Some(scope) = at {
                if matches!(facts.scope(scope).kind, ScopeKind::Branch) {
                    return true;
                }
                at = facts.scope(scope).parent;
            }
            false
        };
        // A function that returns from a branch may not reach the code after it.
        let returns_early = |ctx: &Ctx<'a>| {
            let facts = self.item(ctx.file, ctx.item);
            let scope = facts.scope(self.body(ctx).2);
            scope.returns.iter().any(|returned| {
                let mut at = Some(returned.scope);
                std::iter::from_fn(|| {
                    let scope = facts.scope(at?);
                    at = scope.parent;
                    Some(scope)
                })
                .take_while(|scope| !matches!(scope.kind, ScopeKind::Function(_)))
                .any(|scope| matches!(scope.kind, ScopeKind::Branch))
            })
        };
        cfg || in_branch(ctx) || returns_early(ctx) || ctx.callers().any(in_branch)
    }

    pub(super) fn annotations(
        &self,
        selectors: &[Selector],
        site: &Site<'a>,
        ctx: &Ctx<'a>,
        each: Option<&Value<'a>>,
    ) -> Vec<(SmolStr, bool)> {
        let Some(annotations) = self.first(selectors, site, ctx, each) else {
            return Vec::new();
        };
        HINTS
            .into_iter()
            .filter_map(|(hint, in_rust)| {
                let given = [hint, in_rust].map(|key| self.member(&annotations, &Key::Field(key.into())));
                let text = given.into_iter().find_map(|value| match value {
                    Value::Scalar(text) => Some(text),
                    _ => None,
                })?;
                match text.as_str() {
                    "true" | "True" => Some((SmolStr::new_static(hint), true)),
                    "false" | "False" => Some((SmolStr::new_static(hint), false)),
                    _ => None,
                }
            })
            .collect()
    }
}

/// Functions of Python's `functools` that give a wrapper the name of the wrapped function.
const NAME_COPYING: [&str; 2] = ["wraps", "update_wrapper"];

fn identifier(definition: &Definition, ctx: &Ctx<'_>) -> Traced {
    let origin = Origin::Identifier(ctx.place(definition.name_span));
    Traced::of(Part { text: definition.name.clone(), origin })
}

/// The documentation of a definition; `Absent` if it has none.
fn documentation<'a>(definition: &Definition, ctx: &Ctx<'_>) -> Value<'a> {
    match &definition.doc {
        Some(doc) => Value::Text(Traced::literal(doc.text.clone(), ctx.place(doc.span))),
        None => Value::Absent,
    }
}

/// Whether a value is `None` or `null`, which count as not given.
fn is_null(value: &Value<'_>) -> bool {
    matches!(value, Value::Scalar(text) if matches!(text.as_str(), "None" | "null"))
}

/// Where a keyword is inserted in a call or, if there is no call, in new parentheses at `end`, a byte offset in the
/// item.
fn naming_in(keyword: SmolStr, call: Option<&Call>, args: &[Arg], end: u32, ctx: &Ctx<'_>) -> Naming {
    let (at, before, after) = match (call, args) {
        (None, _) => (end, "(", ")"),
        // Keywords follow positional arguments.
        (Some(_), [.., last]) if args.iter().any(|arg| arg.name.is_none()) => (last.span.end, ", ", ""),
        (Some(_), [first, ..]) => (first.span.start, "", ", "),
        (Some(call), []) => (call.span.end - 1, "", ""),
    };
    Naming { attribute: None, keyword, at: ctx.place(Span { start: at, end: at }), before, after }
}
