//! Selectors, applied to the values of a call.

use crate::framework::{Selector, Start, Step};
use crate::machine::{Body, Machine, ObjectId, Outside, OutsideCall, Passed, Value};

/// What a selector starts from.
pub(super) struct From<'c> {
    pub(super) call: &'c OutsideCall,
    pub(super) callee: ObjectId,
    /// The element of the form's list.
    pub(super) each: Option<&'c Value>,
    /// The function that a decorator is applied to.
    pub(super) applied: Option<&'c Value>,
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
        Start::Class | Start::Decorator(_) | Start::Export(_) | Start::File => return None,
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
        Step::Doc | Step::Param(_) | Step::Kebab | Step::Bare | Step::Decorator(_) => return None,
    })
}

/// The call of which a value is the result.
fn made_by(machine: &Machine<'_>, value: &Value) -> Option<std::rc::Rc<OutsideCall>> {
    let id = value.options().iter().find_map(Value::as_object)?;
    match &machine.object(id).body {
        Body::Outside(outside) => match &**outside {
            Outside::Result(call) => Some(std::rc::Rc::clone(call)),
            _ => None,
        },
        _ => None,
    }
}
