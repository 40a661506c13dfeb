//! The functions that the preludes are written with: the members of `intrinsic`, which only they see.
//!
//! A prelude calls `intrinsic.push(list, value)`; the functions take all their operands as arguments. What a language
//! calls `push` or `append` is written in its prelude.

mod lists;
pub(super) mod objects;
mod texts;

use std::fmt;

use super::express::Args;
use super::value::{Body, Slot, Value};
use super::{Machine, Run};
use crate::found::Place;

/// The variable that holds the functions, in the files of the preludes.
pub(super) const INTRINSICS: &str = "intrinsic";

type Function = fn(&mut Machine<'_>, &[Value], Place) -> Run<Value>;
/// The same for a function that needs the names of its arguments.
type Named = fn(&mut Machine<'_>, Args, Place) -> Run<Value>;

/// A function of the machine.
#[derive(Clone, Copy)]
pub(crate) struct Native {
    name: &'static str,
    run: Function,
    /// Whether its result depends only on the values of its arguments: it is computed for each option of a choice, and
    /// is unknown if one of them is.
    is_pure: bool,
    /// Runs in place of `run`, for a function that needs the names of its arguments.
    named: Option<Named>,
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Native {
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn run(self, machine: &mut Machine<'_>, _this: Value, args: Args, place: Place) -> Run<Value> {
        if let Some(run) = self.named {
            return run(machine, args, place);
        }
        let is_text = self.is_pure || texts::ALL.iter().any(|(name, _)| *name == self.name);
        let values = args.list.into_iter().map(|arg| arg.value);
        let mut values: Vec<Value> =
            values.map(|value| if is_text { machine.plain_text(value) } else { value }).collect();
        if let Some(more) = args.more {
            values.push(more);
        }
        match self.is_pure {
            true => self.for_each_choice(machine, values, place),
            false => (self.run)(machine, &values, place),
        }
    }

    fn for_each_choice(self, machine: &mut Machine<'_>, values: Vec<Value>, place: Place) -> Run<Value> {
        /// The maximum number of combinations of choices that are computed.
        const MOST: usize = 24;
        if let Some(unknown) = values.iter().find(|value| matches!(value, Value::Unknown(_))) {
            return Ok(unknown.clone());
        }
        let Some(at) = values.iter().position(|value| matches!(value, Value::OneOf(_))) else {
            return (self.run)(machine, &values, place);
        };
        if values.iter().fold(1_usize, |all, value| all.saturating_mul(value.options().len())) > MOST {
            return Ok(Value::unknown("one of too many values"));
        }
        let mut all = Vec::new();
        for option in values[at].options() {
            let mut chosen = values.clone();
            chosen[at] = option.clone();
            all.push(self.for_each_choice(machine, chosen, place)?);
        }
        Ok(Value::one_of(all))
    }
}

/// An argument, or undefined.
fn arg(args: &[Value], index: usize) -> Value {
    args.get(index).cloned().unwrap_or(Value::Undefined)
}

/// An argument as a whole number.
fn int(args: &[Value], index: usize) -> Option<i64> {
    args.get(index)?.as_number().filter(|number| number.is_finite()).map(|number| number as i64)
}

/// A function that returns what it is bound to.
pub(super) fn constant() -> Native {
    Native { name: "constant", run: |_, args, _| Ok(arg(args, 0)), is_pure: false, named: None }
}

/// `super().__init__(…)` of a class that derives from one of another package: the first argument is a pair of the class
/// and the instance.
pub(super) fn init_outside() -> Native {
    let run = |machine: &mut Machine<'_>, mut args: Args, place: Place| {
        let pair = (!args.list.is_empty()).then(|| args.list.remove(0).value);
        let pair = pair.and_then(|pair| machine.plain_list(&pair)).unwrap_or_default();
        let [class, this] = pair.as_slice() else { return Ok(Value::Null) };
        let (Some(class), Some(this)) = (class.value.as_object(), this.value.as_object()) else {
            return Ok(Value::Null);
        };
        machine.call_outside(class, &Value::Undefined, args, place, true, Some(this))?;
        Ok(Value::Null)
    };
    Native { name: "init_outside", run: |_, _, _| Ok(Value::Null), is_pure: false, named: Some(run) }
}

/// `object.__new__(cls)`
pub(super) fn new_instance() -> Native {
    let run: Function = |machine, args, _| {
        // The class of a metaclass was made before.
        if args.len() >= 4
            && let Some(made) = machine.making
        {
            return Ok(Value::Object(made));
        }
        let class = args.iter().rev().chain(args).find_map(|value| {
            let id = value.as_object()?;
            matches!(machine.object(id).body, Body::Class(_)).then_some(id)
        });
        Ok(class.map_or(Value::Undefined, |class| Value::Object(machine.blank_instance(class))))
    };
    Native { name: "new_instance", run, is_pure: false, named: None }
}

impl Machine<'_> {
    /// The object with all functions.
    pub(super) fn intrinsics(&mut self) -> Value {
        if let Some(known) = self.intrinsic {
            return Value::Object(known);
        }
        let id = self.allocate(None, Body::Plain);
        let pure = [texts::PURE];
        let others = [lists::ALL, objects::ALL, texts::ALL];
        let pure = pure.into_iter().flatten().map(|(name, run)| Native { name, run: *run, is_pure: true, named: None });
        let others =
            others.into_iter().flatten().map(|(name, run)| Native { name, run: *run, is_pure: false, named: None });
        for native in pure.chain(others) {
            let function = Value::Object(self.allocate(None, Body::Native(native)));
            self.heap.change(id).props.insert(native.name.into(), Slot::new(function));
        }
        self.intrinsic = Some(id);
        Value::Object(id)
    }
}
