//! The elements of values: what loops, spreads and patterns go over.

use std::rc::Rc;
use std::sync::Arc;

use smol_str::SmolStr;

use super::express::{Args, END_OF_GENERATOR};
use super::native::objects::AS_TEXT;
use super::value::{Body, Closure, Key, Slot, Steps, Value};
use super::{Abrupt, At, Flow, Frame, MAX_CALLS, Machine, ObjectId, Run};
use crate::found::{Place, Unknown};
use crate::syntax::Family;

/// The maximum number of elements that an iterator may yield.
const MOST: usize = 20_000;

/// The elements of a value.
#[derive(Debug, Clone, Default)]
pub(super) struct Source {
    pub(super) known: Vec<Slot>,
    /// The reason if there may be more.
    pub(super) more: Option<Rc<Unknown>>,
}

impl Source {
    fn unknown(reason: Rc<Unknown>) -> Source {
        Source { known: Vec::new(), more: Some(reason) }
    }
}

impl Machine<'_> {
    /// The elements of a value, or with `keys` the keys that `for … in` of JavaScript goes over.
    pub(super) fn elements_of(&mut self, value: &Value, keys: bool, place: Place) -> Run<Source> {
        match value {
            Value::Undefined | Value::Null | Value::Bool(_) | Value::Number(_) => Ok(Source::default()),
            Value::Unknown(unknown) => Ok(Source::unknown(Rc::clone(unknown))),
            Value::Text(text) => {
                if text.unknown().is_some() {
                    return Ok(Source::unknown(self.reason_of(value)));
                }
                let whole = text.text();
                let mut known = Vec::new();
                for (index, (start, character)) in whole.char_indices().enumerate() {
                    known.push(Slot::new(match keys {
                        true => Value::made(&index.to_string()),
                        false => Value::text(text.cut(start..start + character.len_utf8())),
                    }));
                }
                Ok(Source { known, more: None })
            }
            Value::OneOf(options) => {
                let options = Rc::clone(options);
                let mut all = Source::default();
                for option in options.iter() {
                    let source = self.elements_of(option, keys, place)?;
                    let new = source
                        .known
                        .into_iter()
                        .filter(|slot| !all.known.iter().any(|known| known.value.is_same(&slot.value)));
                    let new: Vec<Slot> = new.map(|slot| Slot { perhaps: true, ..slot }).collect();
                    all.known.extend(new);
                    all.more = all.more.or(source.more);
                }
                Ok(all)
            }
            Value::Object(id) if keys => {
                let (pairs, more) = self.pairs_of(&Value::Object(*id))?;
                let known = pairs.into_iter().map(|(key, slot)| Slot { perhaps: slot.perhaps, ..Slot::new(key) });
                Ok(Source { known: known.collect(), more })
            }
            Value::Object(id) => self.elements_of_object(*id, place),
        }
    }

    fn elements_of_object(&mut self, id: ObjectId, place: Place) -> Run<Source> {
        let object = self.heap.get(id);
        let more = object.more.clone();
        let is_python = self.family == Family::Python;
        match &object.body {
            Body::List(slots) | Body::Tuple(slots) => {
                let plain = |slot: &Slot| Slot { key: None, hidden: false, ..slot.clone() };
                Ok(Source { known: slots.iter().map(plain).collect(), more })
            }
            Body::Set(table) => Ok(Source { known: table.values().cloned().collect(), more }),
            Body::Table(table) => {
                let entries: Vec<(Key, Slot)> = table.iter().map(|(key, slot)| (key.clone(), slot.clone())).collect();
                let mut known = Vec::new();
                for (key, slot) in entries {
                    let perhaps = slot.perhaps;
                    let key = self.value_of_key(&key, &slot);
                    let value = match self.family {
                        Family::Python => key,
                        Family::Rust => {
                            let pair = vec![Slot::new(key), Slot::new(slot.value)];
                            Value::Object(self.allocate(None, Body::Tuple(pair)))
                        }
                        Family::TypeScript => self.list(vec![Slot::new(key), Slot::new(slot.value)]),
                    };
                    known.push(Slot { perhaps, ..Slot::new(value) });
                }
                Ok(Source { known, more })
            }
            Body::Generator { .. } => self.exhaust(id),
            Body::Outside(_) => Ok(Source::unknown(self.reason_of(&Value::Object(id)))),
            // An instance of a class that derives from `str`.
            Body::Plain if is_python && object.props.contains_key(AS_TEXT) => {
                let text = object.props[AS_TEXT].value.clone();
                self.elements_of(&text, false, place)
            }
            _ if is_python => self.iterated(id, place),
            _ if self.family == Family::Rust => self.iterated_by_method(id, place),
            _ => {
                let method = self.member(&Value::Object(id), ITERATOR, place)?;
                if method.as_object().is_none() {
                    return Ok(Source { known: Vec::new(), more });
                }
                let iterator = self.call(&method, Value::Object(id), Args::default(), place)?;
                if !matches!(self.body_of(&iterator), Some(Body::Plain)) {
                    return self.elements_of(&iterator, false, place);
                }
                self.drained(&iterator, place)
            }
        }
    }

    /// Runs a generator up to its first element: that of a context that is entered.
    pub(super) fn begun(&mut self, made: Value) -> Run<Value> {
        if let Some(Body::Generator { .. }) = self.body_of(&made)
            && let Some(id) = made.as_object()
        {
            self.advance(id)?;
        }
        Ok(made)
    }

    /// The elements of an iterator of JavaScript, as far as it gives them.
    fn drained(&mut self, iterator: &Value, place: Place) -> Run<Source> {
        let mut source = Source::default();
        let next = self.member(iterator, "next", place)?;
        while source.known.len() < MOST {
            self.step()?;
            let result = self.call(&next, iterator.clone(), Args::default(), place)?;
            let done = self.member(&result, "done", place)?;
            match self.truth(&done)? {
                Some(true) => return Ok(source),
                Some(false) => {
                    let value = self.member(&result, "value", place)?;
                    source.known.push(Slot::new(value));
                }
                None => break,
            }
        }
        source.more = Some(Rc::new(Unknown::because("an iterator that does not end")));
        Ok(source)
    }

    /// The elements of an instance or class of Python.
    fn iterated(&mut self, id: ObjectId, place: Place) -> Run<Source> {
        let value = Value::Object(id);
        if matches!(self.heap.get(id).body, Body::Class(_)) {
            // A class whose metaclass makes it iterable: an enumeration.
            return match self.found_in_class(id, MEMBER_LIST) {
                Some(members) => self.elements_of(&members, false, place),
                None => Ok(Source::default()),
            };
        }
        if let Some(method) = self.class_member(id, "__iter__") {
            let iterator = self.call(&method, value, Args::default(), place)?;
            if iterator.as_object() != Some(id) {
                return self.elements_of(&iterator, false, place);
            }
        }
        if let Some(method) = self.class_member(id, "__next__") {
            let mut source = Source::default();
            while source.known.len() < MOST {
                self.step()?;
                match self.call(&method, Value::Object(id), Args::default(), place) {
                    Ok(value) => source.known.push(Slot::new(value)),
                    Err(Abrupt::Throw(_)) => return Ok(source),
                    Err(stop) => return Err(stop),
                }
            }
            return Ok(source);
        }
        if let Some(method) = self.class_member(id, "__getitem__") {
            let mut source = Source::default();
            while source.known.len() < MOST {
                self.step()?;
                let index = Value::Number(source.known.len() as f64);
                let passed = super::value::Passed { name: None, value: index, place };
                let args = Args { list: vec![passed], more: None };
                match self.call(&method, Value::Object(id), args, place) {
                    Ok(value) => source.known.push(Slot::new(value)),
                    Err(Abrupt::Throw(_)) => return Ok(source),
                    Err(stop) => return Err(stop),
                }
            }
        }
        Ok(Source { known: Vec::new(), more: self.heap.get(id).more.clone() })
    }

    /// The current elements of a list if it has grown since `source` was read; `None` if it has not.
    pub(super) fn regrown(&mut self, value: &Value, keys: bool, source: &Source) -> Run<Option<Source>> {
        if keys {
            return Ok(None);
        }
        let grown = match self.body_of(value) {
            Some(Body::List(slots)) => slots.len() > source.known.len(),
            Some(Body::Set(table)) if self.family == Family::TypeScript => table.len() > source.known.len(),
            Some(Body::Table(table)) if self.family == Family::TypeScript => table.len() > source.known.len(),
            _ => false,
        };
        if !grown {
            return Ok(None);
        }
        let place = self.here();
        self.elements_of(value, false, place).map(Some)
    }

    /// The elements of a list or tuple that is wholly known; `None` for every other value.
    pub(super) fn plain_list(&self, value: &Value) -> Option<Vec<Slot>> {
        let object = self.heap.get(value.as_object()?);
        match &object.body {
            Body::List(slots) | Body::Tuple(slots)
                if object.more.is_none() && slots.iter().all(|slot| !slot.perhaps) =>
            {
                Some(slots.clone())
            }
            _ => None,
        }
    }

    /// A key of a table as a value.
    pub(super) fn value_of_key(&mut self, key: &Key, slot: &Slot) -> Value {
        match (key, &slot.key) {
            (Key::Text(_), Some(text)) => Value::Text(Rc::clone(text)),
            (Key::Text(text), None) => Value::made(text),
            (Key::Undefined, _) => Value::Undefined,
            (Key::Null, _) => Value::Null,
            (Key::Bool(holds), _) => Value::Bool(*holds),
            (Key::Number(bits), _) => Value::Number(f64::from_bits(*bits)),
            (Key::Object(id), _) => Value::Object(*id),
            (Key::Tuple(keys), _) => {
                let slots = keys.iter().map(|key| Slot::new(self.value_of_key(key, &Slot::new(Value::Undefined))));
                let slots = slots.collect();
                Value::Object(self.allocate(None, Body::Tuple(slots)))
            }
        }
    }

    /// The entries of an object or table, with their keys as texts in order.
    #[allow(clippy::type_complexity)]
    pub(super) fn pairs_of(&mut self, value: &Value) -> Run<(Vec<(Value, Slot)>, Option<Rc<Unknown>>)> {
        let mut pairs = Vec::new();
        let id = match value {
            Value::Object(id) => *id,
            Value::OneOf(options) => {
                let options = Rc::clone(options);
                let mut more = None;
                for option in options.iter() {
                    let (some, rest) = self.pairs_of(option)?;
                    pairs.extend(some.into_iter().map(|(key, slot)| (key, Slot { perhaps: true, ..slot })));
                    more = more.or(rest);
                }
                return Ok((pairs, more));
            }
            Value::Unknown(unknown) => return Ok((pairs, Some(Rc::clone(unknown)))),
            _ => return Ok((pairs, None)),
        };
        let object = self.heap.get(id);
        let more = object.more.clone();
        match &object.body {
            Body::Table(table) if self.family == Family::Python => {
                let entries: Vec<(Key, Slot)> = table.iter().map(|(key, slot)| (key.clone(), slot.clone())).collect();
                for (key, slot) in entries {
                    pairs.push((self.value_of_key(&key, &slot), slot));
                }
                return Ok((pairs, more));
            }
            Body::Outside(_) => return Ok((pairs, Some(self.reason_of(value)))),
            Body::Module(file) => {
                let file = *file;
                return Ok((self.exports_of(file)?, None));
            }
            Body::Generator { .. } | Body::Set(_) if self.family == Family::Python => {
                let place = self.here();
                let source = self.elements_of(value, false, place)?;
                let elements = source.known.into_iter().map(|slot| (Value::Undefined, slot)).collect();
                return self.pairs_of_pairs(elements, source.more);
            }
            Body::List(slots) | Body::Tuple(slots) => {
                for (index, slot) in slots.iter().enumerate() {
                    pairs.push((Value::made(&index.to_string()), slot.clone()));
                }
            }
            _ => {}
        }
        if self.family == Family::Python && !pairs.is_empty() {
            return self.pairs_of_pairs(pairs, more);
        }
        for (name, slot) in self.own_entries(id)? {
            let key = match &slot.key {
                Some(key) => Value::Text(Rc::clone(key)),
                None => Value::made(&name),
            };
            pairs.push((key, slot));
        }
        Ok((pairs, more))
    }

    /// The properties of an object that a loop goes over, in that order; those that are computed are read.
    pub(super) fn own_entries(&mut self, id: ObjectId) -> Run<Vec<(SmolStr, Slot)>> {
        let mut numbered: Vec<(u32, Slot)> = Vec::new();
        let mut others = Vec::new();
        let props = &self.heap.get(id).props;
        for (name, slot) in props.iter().filter(|(name, slot)| !slot.hidden && !is_internal(name)) {
            match name.parse::<u32>() {
                Ok(number) if number.to_string() == *name => numbered.push((number, slot.clone())),
                _ => others.push((name.clone(), slot.clone())),
            }
        }
        // Keys that are whole numbers come first, in ascending order.
        numbered.sort_by_key(|(number, _)| *number);
        let numbered = numbered.into_iter().map(|(number, slot)| (number.to_string().into(), slot));
        let mut entries: Vec<(SmolStr, Slot)> = numbered.chain(others).collect();
        let place = self.here();
        for (name, slot) in &mut entries {
            if let Some(Body::Accessor { .. }) = self.body_of(&slot.value) {
                slot.value = self.member(&Value::Object(id), name, place)?;
            }
        }
        Ok(entries)
    }

    /// The entries of a list of pairs: `dict([(key, value)])`.
    #[allow(clippy::type_complexity)]
    fn pairs_of_pairs(
        &mut self,
        elements: Vec<(Value, Slot)>,
        more: Option<Rc<Unknown>>,
    ) -> Run<(Vec<(Value, Slot)>, Option<Rc<Unknown>>)> {
        let place = self.here();
        let mut pairs = Vec::new();
        for (_, element) in elements {
            let parts = self.elements_of(&element.value, false, place)?;
            if let [key, value] = parts.known.as_slice() {
                let key_text = match &key.value {
                    Value::Text(text) => Some(Rc::clone(text)),
                    _ => None,
                };
                let slot = Slot { perhaps: element.perhaps, key: key_text, ..Slot::new(value.value.clone()) };
                pairs.push((key.value.clone(), slot));
            }
        }
        Ok((pairs, more))
    }

    /// The elements of a generator that were not taken yet; afterwards it has none.
    pub(super) fn exhaust(&mut self, id: ObjectId) -> Run<Source> {
        let slots = self.steps(id)?;
        let Body::Generator { next, .. } = &mut self.heap.change(id).body else { return Ok(Source::default()) };
        let known = slots.get(*next..).unwrap_or(&[]).to_vec();
        *next = slots.len();
        Ok(Source { known, more: self.heap.get(id).more.clone() })
    }

    /// The next element of a generator; `None` at its end.
    pub(super) fn advance(&mut self, id: ObjectId) -> Run<Option<Slot>> {
        let slots = self.steps(id)?;
        let Body::Generator { next, .. } = &mut self.heap.change(id).body else { return Ok(None) };
        let slot = slots.get(*next).cloned();
        *next += usize::from(slot.is_some());
        Ok(slot)
    }

    /// Runs a generator, if that has not been done, and returns all its elements.
    fn steps(&mut self, id: ObjectId) -> Run<Vec<Slot>> {
        let (closure, scope, this) = match &self.heap.get(id).body {
            Body::Generator { state: Steps::Done(slots), .. } => return Ok(slots.clone()),
            Body::Generator { state: Steps::Waiting { closure, scope, this }, .. } => {
                (Rc::clone(closure), *scope, this.clone())
            }
            _ => return Ok(Vec::new()),
        };
        // A generator runs when it is asked for its elements, like a function when it is called.
        if self.stack.len() + self.yielded.len() >= MAX_CALLS {
            if !self.is_speculative {
                let place = closure.site.place(closure.function.span);
                self.cut.push((Some(place), "generators are nested too deeply".into()));
            }
            let object = self.heap.change(id);
            object.more = Some(Rc::new(Unknown::because("generators that are nested too deeply")));
            object.body = Body::Generator { state: Steps::Done(Vec::new()), next: 0 };
            return Ok(Vec::new());
        }
        let key = Arc::as_ptr(&closure.function) as usize;
        self.yielded.push(Vec::new());
        self.active.entry(key).or_default().push(self.doubt);
        let ended = self.body(&closure, scope, this, None);
        self.active.get_mut(&key).map(Vec::pop);
        let mut slots = self.yielded.pop().unwrap_or_default();
        let mut more = None;
        match ended {
            Ok(value) => {
                let slot = Slot { hidden: true, ..Slot::new(value) };
                self.heap.change(id).props.insert(RETURNED.into(), slot);
            }
            Err(Abrupt::Throw(value)) if value.as_text().as_deref() == Some(END_OF_GENERATOR) => {
                more = Some(Rc::new(Unknown::because("a generator that does not end")));
            }
            Err(Abrupt::Throw(value)) if slots.is_empty() => return Err(Abrupt::Throw(value)),
            Err(Abrupt::Throw(_)) => {}
            Err(abrupt) => return Err(abrupt),
        }
        for slot in &mut slots {
            slot.key = None;
        }
        let object = self.heap.change(id);
        object.more = more;
        object.body = Body::Generator { state: Steps::Done(slots.clone()), next: 0 };
        Ok(slots)
    }

    /// Runs the body of a function whose parameters are bound, and returns what it returns.
    pub(super) fn body(
        &mut self,
        closure: &Closure,
        scope: super::ScopeId,
        this: Value,
        class: Option<ObjectId>,
    ) -> Run<Value> {
        let frame = Frame {
            site: closure.site,
            family: self.family,
            this: closure.this.clone().unwrap_or(this),
            home: closure.home,
            class,
        };
        let at = At { frame: &frame, scope };
        let doubt = self.doubt;
        self.returned.push(Vec::new());
        let flow = self.statements(&closure.function.body, at);
        let returned = self.returned.pop().unwrap_or_default();
        self.doubt = doubt;
        let last = match flow {
            Ok(Flow::Return(value)) => value,
            Ok(_) => self.nothing(at),
            // It may have returned before.
            Err(_) if !returned.is_empty() && self.fuel > 0 => {
                self.unknown_calls += 1;
                return Ok(Value::one_of(returned));
            }
            Err(abrupt) => return Err(abrupt),
        };
        Ok(match returned.is_empty() {
            true => last,
            false => Value::one_of(returned.into_iter().chain([last])),
        })
    }
}

/// The property under which JavaScript finds an iterator.
pub(super) const ITERATOR: &str = "@@iterator";

/// The property of a generator that holds what it returned.
pub(super) const RETURNED: &str = "@@returned";

/// The member of a class of Python that has the elements of the class itself: those of an enumeration.
pub(super) const MEMBER_LIST: &str = "__member_list__";

/// Whether a property is one of the machine's own, or named by a symbol.
pub(super) fn is_internal(name: &str) -> bool {
    name.starts_with("@@") || name.starts_with('#')
}
