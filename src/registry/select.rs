//! Selectors, applied to the values of a call.

use std::rc::Rc;

use smol_str::SmolStr;

use crate::found::Traced;
use crate::framework::{Selector, Start, Step};
use crate::machine::{Body, Machine, ObjectId, Outside, OutsideCall, Passed, Value};
use crate::name::{Case, Name, Style};
use crate::text::FileId;

/// The start of a selector.
#[derive(Clone, Copy)]
pub(super) struct From<'c> {
    pub(super) call: &'c OutsideCall,
    pub(super) callee: ObjectId,
    /// The element of the form's list.
    pub(super) each: Option<&'c Value>,
    /// The function that a decorator is applied to.
    pub(super) applied: Option<&'c Value>,
    /// Whether the call is a decorator without arguments.
    pub(super) is_bare: bool,
    /// Whether the call is a decorator that a function of the program returned.
    pub(super) is_given_back: bool,
    /// The file that a framework loads.
    pub(super) file: Option<FileId>,
}

/// One of several values that a call may register.
pub(super) enum Choice {
    /// The call, with one of the values that an argument may have.
    Call(OutsideCall),
    Element(Value),
}

impl From<'_> {
    /// The values that the call may register, if they are several; empty otherwise.
    pub(super) fn choices(&self) -> Vec<Choice> {
        if let Some(Value::OneOf(options)) = self.each {
            return options.iter().cloned().map(Choice::Element).collect();
        }
        let is_choice = |arg: &Passed| arg.name.is_none() && matches!(arg.value, Value::OneOf(_));
        let Some(index) = self.call.args.iter().position(is_choice) else { return Vec::new() };
        let with = |option: &Value| {
            let mut call = self.call.clone();
            call.args[index].value = option.clone();
            Choice::Call(call)
        };
        self.call.args[index].value.options().iter().map(with).collect()
    }
}

impl Choice {
    pub(super) fn of<'c>(&'c self, at: &From<'c>) -> From<'c> {
        match self {
            Choice::Call(call) => From { call, ..*at },
            Choice::Element(value) => From { each: Some(value), ..*at },
        }
    }
}

/// The first value that one of the selectors leads to.
pub(super) fn first(machine: &mut Machine<'_>, selectors: &[Selector], at: &From<'_>) -> Option<Value> {
    selectors.iter().find_map(|selector| value(machine, selector, at))
}

/// The value that a selector leads to; `None` if there is none.
pub(super) fn value(machine: &mut Machine<'_>, selector: &Selector, at: &From<'_>) -> Option<Value> {
    let mut value = start(machine, &selector.start, at)?;
    for step in &selector.steps {
        value = follow(machine, value, step)?;
    }
    match value {
        Value::Undefined | Value::Null => None,
        value => Some(value),
    }
}

fn positional(args: &[Passed], index: i32) -> Option<&Passed> {
    let mut positional = args.iter().filter(|arg| arg.name.is_none());
    match usize::try_from(index) {
        Ok(index) => positional.nth(index),
        Err(_) => positional.rev().nth((-index - 1) as usize),
    }
}

fn start(machine: &mut Machine<'_>, start: &Start, at: &From<'_>) -> Option<Value> {
    let args = &at.call.args;
    Some(match start {
        Start::Arg(index) => positional(args, *index)?.value.clone(),
        Start::Keyword(name) => args.iter().find(|arg| arg.name.as_ref() == Some(name))?.value.clone(),
        Start::Each => at.each?.clone(),
        Start::Rest(index) => {
            let rest = args.iter().filter(|arg| arg.name.is_none()).skip(*index).map(|arg| arg.value.clone());
            let rest: Vec<Value> = rest.collect();
            machine.list_of(rest)
        }
        Start::Receiver => match &machine.object(at.callee).body {
            Body::Outside(outside) => match &**outside {
                Outside::Member { of, .. } => Value::Object(*of),
                _ => return None,
            },
            _ => return None,
        },
        Start::Definition | Start::Applied => at.applied?.clone(),
        Start::Export(name) => machine.export_of(at.file?, name)?,
        Start::File => {
            let path = machine.world.path(at.file?);
            let name = path.rsplit('/').next().unwrap_or("");
            let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
            Value::Text(Rc::new(super::made(&stem.into())))
        }
        Start::Decorator(name) => decorator(machine, at.applied?, name)?,
        Start::Class => return None,
    })
}

fn follow(machine: &mut Machine<'_>, value: Value, step: &Step) -> Option<Value> {
    Some(match step {
        Step::Field(name) => machine.field(&value, name)?,
        Step::Return => machine.answer(&value)?,
        Step::Ident => machine.identifier(&value)?,
        Step::Entries => machine.entries(&value),
        Step::Index(index) => machine.elements(&value).0.get(*index as usize)?.value.clone(),
        Step::Arg(index) => positional(&made_by(machine, &value)?.args, *index as i32)?.value.clone(),
        Step::Keyword(name) => {
            made_by(machine, &value)?.args.iter().find(|arg| arg.name.as_ref() == Some(name))?.value.clone()
        }
        Step::Doc => machine.documentation(&value)?,
        Step::Kebab => match value.as_text() {
            Some(text) => {
                let style = Style { case: Case::Lower, separator: "-".into() };
                Value::Text(Rc::new(super::made(&style.write(Name::new(&text).words()).into())))
            }
            None => value,
        },
        Step::Bare => match value.as_traced() {
            Some(text) => Value::Text(Rc::new(bare(text))),
            None => value,
        },
        Step::Decorator(name) => decorator(machine, &value, name)?,
        Step::Param(_) => return None,
    })
}

/// A text without the `r#` before it.
fn bare(text: &Traced) -> Traced {
    let whole = text.text();
    if whole.starts_with("r#") { text.cut(2..whole.len()) } else { text.clone() }
}

/// The decorator of this name that was applied to a function, with its arguments if it has some.
fn decorator(machine: &Machine<'_>, value: &Value, name: &SmolStr) -> Option<Value> {
    let mut at = value.as_object()?;
    // Where attributes do not change what they are applied to, it keeps what they made.
    let made = machine.attributes_of(at);
    if !made.is_empty() {
        return made.into_iter().find_map(|made| decorator(machine, &made, name));
    }
    loop {
        let Body::Outside(outside) = &machine.object(at).body else { return None };
        let Outside::Result(applied) = &**outside else { return None };
        let callee = match &machine.object(applied.callee).body {
            Body::Outside(outside) => match &**outside {
                Outside::Result(call) => call.callee,
                _ => applied.callee,
            },
            _ => applied.callee,
        };
        // An attribute that only a macro around it reads has the name of a package.
        let last = super::Registry::last(machine, callee).or_else(|| super::Registry::package(machine, callee));
        if applied.decorates && last.as_ref() == Some(name) {
            return Some(Value::Object(applied.callee));
        }
        at = applied.args.first()?.value.as_object().filter(|_| applied.decorates)?;
    }
}

/// The call of which a value is the result. In Rust, the first call of a chain: `Tool::new(…).with_title(…)`.
fn made_by(machine: &Machine<'_>, value: &Value) -> Option<Rc<OutsideCall>> {
    let result = |id: ObjectId| match &machine.object(id).body {
        Body::Outside(outside) => match &**outside {
            Outside::Result(call) => Some(call),
            _ => None,
        },
        _ => None,
    };
    let mut call = result(value.options().iter().find_map(Value::as_object)?)?;
    while machine.is_rust()
        && let Body::Outside(outside) = &machine.object(call.callee).body
        && let Outside::Member { of, .. } = &**outside
        && let Some(earlier) = result(*of)
    {
        call = earlier;
    }
    Some(Rc::clone(call))
}
