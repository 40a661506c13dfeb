//! The details of a registration other than the name, and the places where missing ones can be added.

use smol_str::SmolStr;

use super::select::{self, From};
use crate::code::{ArgKind, Expr, ExprKind};
use crate::found::{HINTS, Lack, Naming, Place, Traced};
use crate::framework::{Form, Selector, Start, Step};
use crate::machine::{Body, Machine, Outside, OutsideCall, Site, Slot, Value};
use crate::text::Span;

/// The parts of a registration besides its name and server.
#[derive(Debug, Clone, Default)]
pub(crate) struct Details {
    pub(crate) title: Option<Traced>,
    /// Whether it certainly has no title.
    pub(crate) untitled: bool,
    /// If there is no title, where one can be added so that the framework finds it.
    pub(crate) title_place: Option<Lack>,
    pub(crate) description: Option<Traced>,
    /// Hints by name, as far as they are literal.
    pub(crate) annotations: Vec<(SmolStr, bool)>,
    /// Whether only the server's apps may use the tool, not the model.
    pub(crate) app_only: bool,
    pub(crate) schema: Option<Place>,
    pub(crate) handler: Option<Place>,
    /// The element of the list, or the decorated definition, that is registered.
    pub(crate) place: Option<Place>,
    /// The place where an explicit name can be written.
    pub(crate) naming: Option<Naming>,
    /// Whether a value distinguishes it from another registration of the same name.
    pub(crate) is_variant: bool,
}

impl Details {
    /// The values that a form's selectors find in a call; for one of several values, those that they agree on.
    pub(super) fn of(machine: &mut Machine<'_>, form: &Form, at: &From<'_>) -> Details {
        let choices = at.choices();
        let each = choices.iter().map(|choice| Details::of(machine, form, &choice.of(at)));
        each.reduce(Details::agreeing).unwrap_or_else(|| Details::of_one(machine, form, at))
    }

    /// The details that this and another value of the same registration have in common.
    fn agreeing(self, other: Details) -> Details {
        let text = |own: Option<Traced>, its: &Option<Traced>| {
            own.filter(|own| its.as_ref().is_some_and(|its| its.text() == own.text()))
        };
        Details {
            title: text(self.title, &other.title),
            description: text(self.description, &other.description),
            annotations: self.annotations.into_iter().filter(|hint| other.annotations.contains(hint)).collect(),
            app_only: self.app_only && other.app_only,
            schema: self.schema.filter(|_| self.schema == other.schema),
            handler: self.handler.filter(|_| self.handler == other.handler),
            untitled: self.untitled && other.untitled,
            title_place: self.title_place.filter(|_| other.title_place.is_some()),
            is_variant: self.is_variant || other.is_variant,
            place: self.place,
            naming: self.naming,
        }
    }

    fn of_one(machine: &mut Machine<'_>, form: &Form, at: &From<'_>) -> Details {
        let mut first = |selectors: &[Selector]| select::first(machine, selectors, at);
        let title = first(&form.title);
        let description = first(&form.description);
        let annotations = first(&form.annotations);
        let visibility = first(&form.visibility);
        let schema = first(&form.schema);
        let handler = first(&form.handler);
        let is_variant = first(&form.variant).is_some();
        let known = |value: Option<Value>| value.and_then(|value| value.as_traced().cloned());
        let known = |value| known(value).filter(|text| text.unknown().is_none());
        Details {
            untitled: title.is_none(),
            title_place: if title.is_none() { lacking(machine, &form.title, at) } else { None },
            title: known(title),
            description: known(description),
            annotations: annotations.map_or_else(Vec::new, |value| hints(machine, &value)),
            app_only: visibility.is_some_and(|value| is_app_only(machine, &value)),
            schema: schema.and_then(|value| machine.place_of(&machine.without_wrappers(&value))),
            handler: handler.and_then(|value| machine.place_of(&value)),
            place: at
                .each
                .or(at.applied.filter(|_| at.call.decorates && !at.is_given_back))
                .and_then(|value| machine.place_of(value)),
            naming: naming(machine, form, at),
            is_variant,
        }
    }
}

/// Whether a list names those who may use a tool, and the model is not among them.
fn is_app_only(machine: &mut Machine<'_>, visibility: &Value) -> bool {
    if !machine.is_list(visibility) {
        return false;
    }
    let (elements, unknown) = machine.elements(visibility);
    let is_other = |slot: &Slot| {
        let text = slot.value.as_traced().filter(|text| text.unknown().is_none());
        text.is_some_and(|text| text.text() != "model")
    };
    unknown.is_none() && !elements.is_empty() && elements.iter().all(is_other)
}

/// The hints in an object of annotations.
fn hints(machine: &mut Machine<'_>, annotations: &Value) -> Vec<(SmolStr, bool)> {
    let mut given = |key: &str| match machine.field(annotations, key) {
        Some(Value::Bool(holds)) => Some(holds),
        _ => None,
    };
    let mut hint = |(hint, in_rust): (&'static str, &str)| {
        let holds = given(hint).or_else(|| given(in_rust))?;
        Some((SmolStr::new_static(hint), holds))
    };
    HINTS.into_iter().filter_map(&mut hint).collect()
}

/// Where a value that no selector finds can be added: the object that the first possible selector leads to.
fn lacking(machine: &mut Machine<'_>, selectors: &[Selector], at: &From<'_>) -> Option<Lack> {
    selectors.iter().find_map(|selector| {
        let is_field = |step: &&Step| matches!(step, Step::Field(_));
        let fields = selector.steps.iter().rev().take_while(is_field).count();
        (1..=fields).find_map(|left| {
            let (steps, rest) = selector.steps.split_at(selector.steps.len() - left);
            let holder = Selector { start: selector.start.clone(), steps: steps.to_vec() };
            let object = select::value(machine, &holder, at)?;
            let literal = machine.literal_of(&object)?;
            if !matches!(machine.object(object.as_object()?).body, Body::Plain | Body::Table(_)) {
                return None;
            }
            let path: Vec<SmolStr> = rest
                .iter()
                .filter_map(|step| match step {
                    Step::Field(field) => Some(field.clone()),
                    _ => None,
                })
                .collect();
            let is_given = machine.object(object.as_object()?).props.contains_key(&path[0]);
            Some(Lack { object: literal.place, path, handed_on: literal.is_open || is_given })
        })
    })
}

/// Where a keyword for the name can be written; `None` if nowhere.
fn naming(machine: &mut Machine<'_>, form: &Form, at: &From<'_>) -> Option<Naming> {
    let found = form.name.iter().find_map(|selector| in_decorator(machine, selector, at));
    let found = found.or_else(|| form.name.iter().find_map(|selector| in_argument(machine, selector, at)));
    if found.is_some() || form.keyword_is_old {
        return found;
    }
    if let Some(found) = form.name.iter().find_map(|selector| in_attribute(machine, selector, at)) {
        return Some(found);
    }
    let mut keywords = form.name.iter().filter(|selector| selector.steps.is_empty());
    let keyword = keywords.find_map(|selector| match &selector.start {
        Start::Keyword(keyword) => Some(keyword.clone()),
        // `#[tool]` becomes `#[tool("name")]`.
        Start::Arg(0) if at.applied.is_some() && at.call.decorates && at.call.args.is_empty() => {
            Some(SmolStr::default())
        }
        _ => None,
    })?;
    in_call(keyword, at.call, at.is_bare)
}

/// In a decorator of the function that is registered: `@tool def add`, with `arg0.decorator:tool.kw:name`.
fn in_decorator(machine: &mut Machine<'_>, selector: &Selector, at: &From<'_>) -> Option<Naming> {
    let index = selector.steps.iter().position(|step| matches!(step, Step::Decorator(_)))?;
    let (Step::Decorator(name), [Step::Keyword(keyword)]) = (&selector.steps[index], &selector.steps[index + 1..])
    else {
        return None;
    };
    let function = Selector { start: selector.start.clone(), steps: selector.steps[..index].to_vec() };
    let closure = select::value(machine, &function, at).and_then(|value| machine.closure_of(&value))?;
    let decorator = closure.function.decorators.iter().find(|decorator| name_of(decorator) == Some(name))?;
    Some(in_arguments_of(decorator, closure.site, keyword.clone()))
}

/// In an attribute of the method that is registered, or in a new one above it: `#[mcp(name = "x")] fn add`, with
/// `decorator:mcp.kw:name`.
fn in_attribute(machine: &Machine<'_>, selector: &Selector, at: &From<'_>) -> Option<Naming> {
    let (Start::Decorator(name), [Step::Keyword(keyword)]) = (&selector.start, selector.steps.as_slice()) else {
        return None;
    };
    let closure = machine.closure_of(at.applied?)?;
    match closure.function.decorators.iter().find(|decorator| name_of(decorator) == Some(name)) {
        Some(decorator) => Some(in_arguments_of(decorator, closure.site, keyword.clone())),
        None => {
            let start = closure.function.span.start;
            let at = closure.site.place(Span { start, end: start });
            Some(Naming { attribute: Some(name.clone()), keyword: keyword.clone(), at, before: "", after: "" })
        }
    }
}

/// In the arguments of a decorator, or in new parentheses after it.
fn in_arguments_of(decorator: &Expr, site: Site, keyword: SmolStr) -> Naming {
    let place = |at: u32| site.place(Span { start: at, end: at });
    let (at, before, after) = match &decorator.kind {
        ExprKind::Call(call) => {
            let is_named = |kind: &ArgKind| matches!(kind, ArgKind::Named(_));
            match call.args.as_slice() {
                [.., last] if call.args.iter().any(|arg| !is_named(&arg.kind)) => (last.span.end, ", ", ""),
                [first, ..] => (first.span.start, "", ", "),
                [] => (decorator.span.end - 1, "", ""),
            }
        }
        _ => (decorator.span.end, "(", ")"),
    };
    Naming { attribute: None, keyword, at: place(at), before, after }
}

/// The last name of a decorator, with or without arguments.
fn name_of(decorator: &Expr) -> Option<&SmolStr> {
    match &decorator.kind {
        ExprKind::Call(call) => call.callee.identifier(),
        _ => decorator.identifier(),
    }
}

/// In the call that makes an argument: `add_tool(Tool.from_function(run))` takes the name from its argument.
fn in_argument(machine: &Machine<'_>, selector: &Selector, at: &From<'_>) -> Option<Naming> {
    let (Start::Arg(index), [Step::Field(field)]) = (&selector.start, selector.steps.as_slice()) else { return None };
    let arg = at.call.args.iter().filter(|arg| arg.name.is_none()).nth(usize::try_from(*index).ok()?)?;
    let Body::Outside(outside) = &machine.object(arg.value.as_object()?).body else { return None };
    let Outside::Result(made) = &**outside else { return None };
    // It is written as the argument itself.
    (made.stack.first() == Some(&arg.place)).then(|| in_call(field.clone(), made, false)).flatten()
}

/// In the arguments of a call, or in new parentheses after a decorator without any.
fn in_call(keyword: SmolStr, call: &OutsideCall, is_bare: bool) -> Option<Naming> {
    let place = *call.stack.first()?;
    let at = |at: u32| Place { span: Span { start: at, end: at }, ..place };
    let (at, before, after) = match call.args.as_slice() {
        _ if is_bare => (at(place.span.end), "(", ")"),
        // Keywords follow positional arguments.
        [.., last] if call.args.iter().any(|arg| arg.name.is_none()) => (at(last.place.span.end), ", ", ""),
        [first, ..] => (at(first.place.span.start), "", ", "),
        [] => (at(place.span.end - 1), "", ""),
    };
    Some(Naming { attribute: None, keyword, at, before, after })
}
