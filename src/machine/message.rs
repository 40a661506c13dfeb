//! Programs that answer protocol messages themselves: the function that compares the method of a message with
//! `"tools/call"` runs with such a message, whose tool name is unknown.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::asked::{Asking, Cases, called_name};
use super::express::Args;
use super::value::{Body, Closure, Key, Passed, Slot, Value};
use super::{Machine, ObjectId};
use crate::code::Offset;
use crate::syntax::Family;
use crate::text::FileId;

/// The keys of a message, in the protocol's words.
const METHOD: &str = "method";
const PARAMS: &str = "params";
const NAME: &str = "name";
/// A method that no program knows.
const OTHER_METHOD: &str = "toolnames/other";

/// The way in which a function receives a message, with the index of a parameter.
#[derive(Clone, Copy)]
enum Given {
    /// It reads the message itself.
    Read,
    Message(usize),
    /// In parts: its method and its parameters.
    Parts {
        method: usize,
        params: usize,
    },
}

/// A function that is run with a message.
struct Asked<'a> {
    id: ObjectId,
    closure: &'a Rc<Closure>,
    way: Given,
    method: &'a str,
}

/// A message that calls a tool.
struct Message {
    whole: Value,
    params: Value,
}

impl Machine<'_> {
    /// Runs the function around a comparison with the method by which tools are called, and returns what becomes of the
    /// name of the called tool. How the function gets the message is found by trial, with at most `steps`. `None` if the
    /// function does not run or if the name cannot be followed in it.
    pub(crate) fn answer_call(&mut self, at: (FileId, Offset), method: &str, steps: &mut u64) -> Option<Cases> {
        /// The maximum number of parameters of a function any two of which may be the parts of a message.
        const MOST: usize = 4;
        let (id, closure) = self.function_at(at)?;
        let first = usize::from(self.takes_receiver(&closure));
        let params = first..closure.function.params.len();
        let few = params.clone().take(MOST);
        let pairs = few.clone().flat_map(|method| few.clone().map(move |params| (method, params)));
        let parts = pairs.filter(|(method, params)| method != params);
        let ways: Vec<Given> = std::iter::once(Given::Read)
            .chain(params.map(Given::Message))
            .chain(parts.map(|(method, params)| Given::Parts { method, params }))
            .collect();
        let mut run = |way: Given, method: &str, others| {
            let of = Asked { id, closure: &closure, way, method };
            self.run_with_message(of, others, steps)
        };
        let way =
            ways.into_iter().find(|way| run(*way, method, FxHashSet::default()).is_some_and(|it| it.is_known()))?;
        // What also gets messages of other methods is no place for what is true of calls alone.
        let other = run(way, OTHER_METHOD, FxHashSet::default())?;
        let called = run(way, method, other.reached)?;
        let variable = called.variable.clone().filter(|variable| other.variable.as_ref() != Some(variable));
        Some(Cases { variable, ..called }).filter(Cases::is_known)
    }

    /// Runs a function with a message. The functions `others` get other messages, too.
    fn run_with_message(&mut self, of: Asked<'_>, others: FxHashSet<usize>, steps: &mut u64) -> Option<Cases> {
        let Asked { id, closure, way, method } = of;
        let mut asking = Asking::since(self.heap.len());
        asking.others = others;
        self.heap.begin();
        let (fuel, cuts) = (self.fuel, self.cut.len());
        let place = self.here();
        let message = self.message(&mut asking, method);
        let value = |index: usize| match way {
            Given::Message(at) if at == index => message.whole.clone(),
            Given::Parts { method: at, .. } if at == index => Value::made(method),
            Given::Parts { params: at, .. } if at == index => message.params.clone(),
            _ => Value::unknown("an argument of a function that reads messages"),
        };
        let takes_receiver = self.takes_receiver(closure);
        let this = self.instance_around(closure.home, &mut Default::default(), place);
        let mut list: Vec<Passed> = Vec::new();
        for (index, _) in closure.function.params.iter().enumerate() {
            let value = if index == 0 && takes_receiver { this.clone() } else { value(index) };
            list.push(Passed { name: None, value, place });
        }
        asking.message = Some(message.whole.clone());
        let args = Args { list, more: None };
        let cases = self.ask(*steps, asking, |machine| {
            let answer = machine.call(&Value::Object(id), this, args, place)?;
            machine.awaited(answer)
        });
        *steps = steps.saturating_sub(fuel.saturating_sub(self.fuel));
        // A trial that comes to no end says nothing about the program.
        self.cut.truncate(cuts);
        let changes = self.heap.undo();
        self.heap.discard(changes);
        cases
    }

    /// The innermost function of the program that contains an offset.
    fn function_at(&self, (file, offset): (FileId, Offset)) -> Option<(ObjectId, Rc<Closure>)> {
        let functions = self.heap.ids().filter_map(|id| match &self.heap.get(id).body {
            Body::Function(closure) if closure.site.file == file => Some((id, closure)),
            _ => None,
        });
        let around = functions.filter(|(_, closure)| {
            let place = closure.site.place(closure.function.span);
            super::force::is_within(&place, offset)
        });
        let (id, closure) = around.min_by_key(|(id, closure)| (closure.function.span.len(), *id))?;
        Some((id, Rc::clone(closure)))
    }

    fn takes_receiver(&self, closure: &Closure) -> bool {
        match self.family {
            Family::Python => closure.home.is_some(),
            Family::Rust => super::force::takes_receiver(&closure.function),
            Family::TypeScript => false,
        }
    }

    /// A message that calls a tool, as an object of JSON and as a value of a type with such fields.
    fn message(&mut self, asking: &mut Asking, method: &str) -> Message {
        let unknown = |of: &'static str| Value::unknown(of);
        let params = self.json_object([
            (NAME, called_name()),
            ("arguments", unknown("the arguments of a call")),
            ("_meta", unknown("metadata of a message")),
        ]);
        let whole = self.json_object([
            ("jsonrpc", Value::made("2.0")),
            ("id", unknown("the number of a message")),
            (METHOD, Value::made(method)),
            (PARAMS, Value::Object(params)),
        ]);
        // Also what a type around the message contains: `Json(message): Json<Message>`.
        if self.family == Family::Rust
            && let Body::Table(entries) = &mut self.heap.change(whole).body
        {
            entries.insert(Key::Text("0".into()), Slot::new(Value::Object(whole)));
        }
        asking.request.push((whole, vec![PARAMS.into(), NAME.into()]));
        asking.request.push((params, vec![NAME.into()]));
        Message { whole: Value::Object(whole), params: Value::Object(params) }
    }

    /// An object of JSON, whose members can also be read as those of a type.
    fn json_object<const N: usize>(&mut self, members: [(&str, Value); N]) -> ObjectId {
        let body = match self.family {
            Family::TypeScript => Body::Plain,
            Family::Python | Family::Rust => {
                let entry = |(key, value): &(&str, Value)| (Key::Text((*key).into()), Slot::new(value.clone()));
                Body::Table(members.iter().map(entry).collect())
            }
        };
        let id = self.allocate(None, body);
        let members = members.into_iter().map(|(key, value)| (SmolStr::from(key), Slot::new(value)));
        self.heap.change(id).props.extend(members);
        id
    }
}
