//! Functions that call themselves as long as something unknown decides: they are followed for a few calls, as an unknown
//! loop runs once.

use super::Machine;
use super::express::Args;
use super::value::{Body, Slot, Value};

impl Machine<'_> {
    /// Whether a recursive call can show nothing new: at least one argument is unknown, and all others are plain values
    /// such as strings and numbers.
    pub(super) fn repeats(&self, function: usize, args: &Args) -> bool {
        /// The maximum number of recursive calls with unknown arguments.
        const MOST: usize = 1;
        let count = self.active.get(&function).map_or(0, Vec::len);
        if count <= MOST || args.list.is_empty() {
            return false;
        }
        let mut unknown = false;
        for value in args.list.iter().flat_map(|arg| arg.value.options()) {
            match value {
                Value::Undefined | Value::Null | Value::Bool(_) => {}
                value if self.is_shapeless(value, 0) => unknown = true,
                Value::Text(_) | Value::Number(_) => {}
                _ => return false,
            }
        }
        unknown
    }

    /// Whether each of the last calls by which a running function called itself depends on one more unknown condition.
    pub(super) fn goes_on_in_doubt(&self, function: usize) -> bool {
        /// The maximum number of such calls that are followed.
        const MOST: usize = 3;
        let doubts = self.active.get(&function).map_or(&[][..], Vec::as_slice);
        let last = &doubts[doubts.len().saturating_sub(MOST)..];
        last.len() == MOST && last.windows(2).all(|pair| pair[0] < pair[1]) && last[MOST - 1] < self.doubt
    }

    /// Whether nothing is known of a value: it is unknown, or an object of which nothing else is known.
    fn is_shapeless(&self, value: &Value, depth: u32) -> bool {
        /// The maximum depth and the maximum number of elements that are inspected in an object.
        const DEEPEST: u32 = 3;
        const MOST: usize = 8;
        let all_are = |slots: &mut dyn Iterator<Item = &Slot>| {
            depth < DEEPEST
                && slots.take(MOST).all(|slot| slot.value.options().iter().all(|it| self.is_shapeless(it, depth + 1)))
        };
        match value {
            Value::Unknown(_) => true,
            Value::Text(text) => text.unknown().is_some(),
            Value::Object(id) => {
                let object = self.heap.get(*id);
                match &object.body {
                    Body::Outside(_) => true,
                    Body::List(slots) | Body::Tuple(slots) => {
                        (object.more.is_some() || !slots.is_empty()) && all_are(&mut slots.iter())
                    }
                    Body::Plain => {
                        (object.more.is_some() || !object.props.is_empty()) && all_are(&mut object.props.values())
                    }
                    Body::Table(table) => (object.more.is_some() || !table.is_empty()) && all_are(&mut table.values()),
                    Body::Promise(Ok(value)) => self.is_shapeless(value, depth + 1),
                    _ => false,
                }
            }
            _ => false,
        }
    }
}
