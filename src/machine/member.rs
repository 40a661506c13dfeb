//! Members and elements of objects.

use std::rc::Rc;

use smol_str::SmolStr;

use super::express::Args;
use super::iterate::is_internal;
use super::value::{Body, Outside, Passed, Slot, Value};
use super::{Abrupt, At, Machine, ObjectId, Run};
use crate::found::{Place, Traced};
use crate::syntax::Family;

/// The maximum length of a chain of prototypes or base classes.
pub(super) const MAX_CHAIN: usize = 64;

impl Machine<'_> {
    /// The place of the innermost call that is running.
    pub(super) fn here(&self) -> Place {
        self.stack.last().copied().unwrap_or(self.entry)
    }

    pub(super) fn is_python(&self) -> bool {
        self.family == Family::Python
    }

    pub(crate) fn is_rust(&self) -> bool {
        self.family == Family::Rust
    }

    /// The text of a key, as a property has it; `None` if it is unknown.
    pub(super) fn key_of(&self, key: &Value) -> Option<SmolStr> {
        match key {
            Value::Text(_) => key.as_text().map(SmolStr::from),
            Value::Number(number) => Some(super::operate::number_text(*number, false).into()),
            Value::Bool(holds) => Some(if *holds { "true" } else { "false" }.into()),
            Value::Undefined => Some("undefined".into()),
            Value::Null => Some("null".into()),
            _ => None,
        }
    }

    /// A member of a value: `object.key`.
    pub(super) fn member(&mut self, object: &Value, key: &str, place: Place) -> Run<Value> {
        match object {
            Value::Object(id) => match self.family {
                Family::Python => self.attribute(*id, key, place),
                Family::Rust => self.associated(*id, key, place),
                Family::TypeScript => self.property(*id, key, place),
            },
            Value::Text(text) => {
                if self.family == Family::TypeScript {
                    if key == "length" {
                        let known = text.unknown().is_none();
                        let length = || text.text().encode_utf16().count() as f64;
                        return Ok(match known {
                            true => Value::Number(length()),
                            false => Value::Unknown(self.reason_of(object)),
                        });
                    }
                    if let Ok(index) = key.parse::<usize>() {
                        return Ok(self.character(text, index as i64));
                    }
                }
                self.of_builtin("String", "str", object, key, place)
            }
            Value::Number(_) => self.of_builtin("Number", "int", object, key, place),
            Value::Bool(_) => self.of_builtin("Boolean", "bool", object, key, place),
            Value::Null => {
                let class = if self.family == Family::Python { "AttributeError" } else { "TypeError" };
                self.raise(class, "a member of null or undefined")
            }
            Value::Undefined if self.family == Family::Rust => self.associated_of_primitive("Unit", object, key),
            Value::Undefined => {
                self.unknown_calls += 1;
                Ok(Value::unknown(format!("`{key}` of nothing")))
            }
            Value::Unknown(unknown) => Ok(Value::Unknown(Rc::clone(unknown))),
            Value::OneOf(options) => {
                let options = Rc::clone(options);
                let objects = options.iter().filter(|option| !option.is_nothing());
                self.of_each(objects, |machine, option| machine.member(option, key, place))
            }
        }
    }

    /// A member of a class of the prelude, for a value of a built-in type.
    fn of_builtin(&mut self, script: &str, python: &str, of: &Value, key: &str, place: Place) -> Run<Value> {
        let realm = self.realm();
        match self.family {
            Family::Python => match realm.class(self, python) {
                Some(class) => self.bound_attribute(class, of, key, place),
                None => Ok(Value::Undefined),
            },
            Family::Rust => self.associated_of_primitive(script, of, key),
            _ => match realm.prototype(self, script) {
                Some(prototype) => self.property_of(prototype, of, key, place),
                None => Ok(Value::Undefined),
            },
        }
    }

    /// A property of an object of JavaScript.
    pub(super) fn property(&mut self, id: ObjectId, key: &str, place: Place) -> Run<Value> {
        if let Some(value) = self.own_special(id, key) {
            return Ok(value);
        }
        self.property_of(id, &Value::Object(id), key, place)
    }

    /// Built-in members of a JavaScript object besides its properties: the length of a list, the name of a function.
    fn own_special(&mut self, id: ObjectId, key: &str) -> Option<Value> {
        let object = self.heap.get(id);
        match &object.body {
            Body::List(slots) | Body::Tuple(slots) => {
                if key == "length" {
                    return Some(match (&object.more, slots.iter().any(|slot| slot.perhaps)) {
                        (None, false) => Value::Number(slots.len() as f64),
                        (Some(more), _) => Value::Unknown(Rc::clone(more)),
                        (None, true) => Value::unknown("the length of a list that depends on something unknown"),
                    });
                }
                let index: usize = key.parse().ok()?;
                Some(match (slots.get(index), &object.more) {
                    (Some(slot), _) if !slots[..index].iter().any(|slot| slot.perhaps) && !slot.perhaps => {
                        slot.value.clone()
                    }
                    (_, Some(more)) => Value::Unknown(Rc::clone(more)),
                    (Some(_), None) => {
                        let from = slots[..=index].iter().position(|slot| slot.perhaps).unwrap_or(index);
                        Value::one_of(slots[from..].iter().map(|slot| slot.value.clone()))
                    }
                    (None, None) => Value::Undefined,
                })
            }
            Body::Table(table) | Body::Set(table) if key == "size" => Some(match &object.more {
                None if table.values().all(|slot| !slot.perhaps) => Value::Number(table.len() as f64),
                _ => Value::unknown("the size of a table that depends on something unknown"),
            }),
            Body::Pattern { source, flags } => match key {
                "source" => Some(Value::made(source)),
                "flags" => Some(Value::made(flags)),
                "lastIndex" => Some(Value::Number(0.0)),
                _ => None,
            },
            Body::Function(closure) => match key {
                "name" if !object.props.contains_key("name") => Some(self.name_of_function(id)),
                "length" => Some(Value::Number(closure.function.params.len() as f64)),
                "prototype" if !object.props.contains_key("prototype") => {
                    let prototype = self.allocate(None, Body::Plain);
                    let mut slot = Slot::new(Value::Object(id));
                    slot.hidden = true;
                    self.heap.change(prototype).props.insert("constructor".into(), slot);
                    let mut slot = Slot::new(Value::Object(prototype));
                    slot.hidden = true;
                    self.heap.change(id).props.insert("prototype".into(), slot);
                    Some(Value::Object(prototype))
                }
                _ => None,
            },
            Body::Class(_) if key == "name" && !object.props.contains_key("name") => Some(self.name_of_function(id)),
            _ => None,
        }
    }

    /// The name of a function or class, with its place.
    pub(super) fn name_of_function(&mut self, id: ObjectId) -> Value {
        if let Some(slot) = self.heap.get(id).props.get(GIVEN_NAME) {
            return slot.value.clone();
        }
        let (name, span, site) = match &self.heap.get(id).body {
            Body::Function(closure) => (closure.function.name.clone(), closure.function.name_span, closure.site),
            Body::Class(info) => (info.class.name.clone(), info.class.name_span, info.site),
            Body::Native(native) => return Value::made(native.name()),
            _ => return Value::made(""),
        };
        match name {
            Some(text) if super::realm::is_prelude(site.file) => Value::made(&text),
            Some(text) => {
                let origin = crate::found::Origin::Identifier(site.place(span));
                let part = crate::found::Part { text, origin };
                Value::text(Traced { parts: [part].into_iter().collect() })
            }
            None => Value::made(""),
        }
    }

    /// A property that `from` has or inherits, for `this`.
    fn property_of(&mut self, from: ObjectId, this: &Value, key: &str, place: Place) -> Run<Value> {
        let mut at = from;
        let mut more = None;
        for _ in 0..MAX_CHAIN {
            let object = self.heap.get(at);
            if let Some(slot) = object.props.get(key) {
                let (value, perhaps) = (slot.value.clone(), slot.perhaps);
                let value = self.got(value, this, place)?;
                return Ok(if perhaps { Value::one_of([value, Value::Undefined]) } else { value });
            }
            more = super::heap::first_reason(more, object.more.clone());
            match &object.body {
                Body::Outside(outside) => {
                    // Whatever it is, it may be a function.
                    let is_call = matches!(key, "call" | "apply" | "bind");
                    if is_call && !matches!(**outside, Outside::Result(_)) && at == from {
                        return self.of_builtin("Function", "function", this, key, place);
                    }
                    return Ok(self.outside_member(this, at, key));
                }
                Body::Module(file) => {
                    let file = *file;
                    return self.exported(file, key);
                }
                _ => {}
            }
            match object.parent {
                Some(parent) => at = parent,
                None => {
                    let Some(builtin) = self.builtin_prototype(at) else { break };
                    if builtin == at {
                        break;
                    }
                    at = builtin;
                }
            }
        }
        Ok(more.map_or(Value::Undefined, Value::Unknown))
    }

    /// The prototype that objects of a kind have without one of their own.
    pub(super) fn builtin_prototype(&mut self, id: ObjectId) -> Option<ObjectId> {
        let name = match &self.heap.get(id).body {
            Body::List(_) | Body::Tuple(_) => "Array",
            Body::Table(_) => "Map",
            Body::Set(_) => "Set",
            Body::Function(_) | Body::Class(_) | Body::Bound { .. } | Body::Native(_) => "Function",
            Body::Pattern { .. } => "RegExp",
            Body::Promise(_) => "Promise",
            Body::Generator { .. } => "Iterator",
            Body::Plain => "Object",
            Body::Accessor { .. }
            | Body::Module(_)
            | Body::Inline(_)
            | Body::Later { .. }
            | Body::Path(_)
            | Body::Outside(_)
            | Body::Live { .. } => return None,
        };
        self.realm().prototype(self, name)
    }

    /// The value of a property, for which a getter may have to run.
    fn got(&mut self, value: Value, this: &Value, place: Place) -> Run<Value> {
        match self.body_of(&value) {
            Some(Body::Accessor { getter, .. }) => match getter.clone() {
                Some(getter) => self.call(&getter, this.clone(), Args::default(), place),
                None => Ok(Value::Undefined),
            },
            Some(Body::Live { .. }) => self.through(value),
            _ => Ok(value),
        }
    }

    /// Whether an object has a member of its own or by inheritance; `None` if that is unknown.
    pub(super) fn has_member(&mut self, id: ObjectId, key: &str) -> Option<bool> {
        if self.own_special(id, key).is_some_and(|value| !matches!(value, Value::Undefined)) {
            return Some(true);
        }
        let mut at = Some(id);
        let mut open = false;
        for _ in 0..MAX_CHAIN {
            let Some(current) = at else { break };
            let object = self.heap.get(current);
            match object.props.get(key) {
                Some(slot) if slot.perhaps => return None,
                Some(_) => return Some(true),
                None => {}
            }
            open |= object.more.is_some() || matches!(object.body, Body::Outside(_));
            at = object.parent;
        }
        if open { None } else { Some(false) }
    }

    /// A member of something of another package, or of an instance of a class that derives from one.
    pub(super) fn outside_member(&mut self, this: &Value, from: ObjectId, key: &str) -> Value {
        /// The maximum length of a chain of members that is tracked: a loop may follow it without end.
        const MOST: usize = 24;
        let of = this.as_object().unwrap_or(from);
        let mut links = 0;
        let mut at = of;
        while let Body::Outside(outside) = &self.heap.get(at).body
            && let Outside::Member { of, .. } = &**outside
        {
            (at, links) = (*of, links + 1);
        }
        if links > MOST {
            return Value::unknown("a member of a member of another package");
        }
        if let Body::Outside(outside) = &self.heap.get(of).body
            && let Outside::Export { module, path } = &**outside
            && path.len() < MOST
        {
            let path: Vec<SmolStr> = path.iter().cloned().chain([SmolStr::new(key)]).collect();
            let outside = Outside::Export { module: module.clone(), path };
            return self.member_with(of, key, outside);
        }
        self.member_with(of, key, Outside::Member { of, key: key.into() })
    }

    fn member_with(&mut self, of: ObjectId, key: &str, outside: Outside) -> Value {
        let at = (of, SmolStr::new(key));
        if let Some(known) = self.members.get(&at) {
            return Value::Object(*known);
        }
        let id = self.allocate(None, Body::Outside(Rc::new(outside)));
        self.members.insert(at, id);
        Value::Object(id)
    }

    /// An export of another package.
    pub(super) fn outside(&mut self, module: &str, path: &[&str]) -> Value {
        let key = (SmolStr::new(module), path.join("."));
        if let Some(known) = self.exports.get(&key) {
            return Value::Object(*known);
        }
        let outside = Outside::Export { module: module.into(), path: path.iter().map(SmolStr::new).collect() };
        let id = self.allocate(None, Body::Outside(Rc::new(outside)));
        self.exports.insert(key, id);
        Value::Object(id)
    }

    /// `super.key`
    pub(super) fn super_member(&mut self, key: &str, at: At<'_>, place: Place) -> Run<Value> {
        let home = at.frame.home.and_then(|home| self.heap.get(home).parent);
        match home {
            Some(parent) => self.property_of(parent, &at.frame.this, key, place),
            None => Ok(Value::Undefined),
        }
    }

    /// `object[index]`
    pub(super) fn element(&mut self, object: &Value, index: &Value, place: Place) -> Run<Value> {
        if let Value::OneOf(options) = index {
            let options = Rc::clone(options);
            return self.of_each(options.iter(), |machine, option| machine.element(object, option, place));
        }
        if let Value::OneOf(options) = object {
            let options = Rc::clone(options);
            let objects = options.iter().filter(|option| !option.is_nothing());
            return self.of_each(objects, |machine, option| machine.element(option, index, place));
        }
        self.looked_up(object, index);
        if self.family == Family::Python {
            return self.item(object, index, place);
        }
        if self.family == Family::Rust {
            return self.indexed(object, index, place);
        }
        match self.key_of(index) {
            Some(key) => self.member(object, &key, place),
            None => Ok(self.any_element(object, index)),
        }
    }

    /// Computes a result for each of several values. It throws only if it throws for all of them.
    fn of_each<'v>(
        &mut self,
        options: impl Iterator<Item = &'v Value>,
        mut get: impl FnMut(&mut Self, &Value) -> Run<Value>,
    ) -> Run<Value> {
        let (mut all, mut thrown) = (Vec::new(), None);
        for option in options {
            match get(self, option) {
                Ok(value) => all.push(value),
                Err(Abrupt::Throw(value)) => thrown = thrown.or(Some(value)),
                Err(abrupt) => return Err(abrupt),
            }
        }
        match thrown {
            Some(thrown) if all.is_empty() => Err(Abrupt::Throw(thrown)),
            thrown => {
                self.unknown_calls += u64::from(thrown.is_some());
                Ok(Value::one_of(all))
            }
        }
    }

    /// An element that is chosen by something unknown: one of all.
    pub(super) fn any_element(&mut self, object: &Value, index: &Value) -> Value {
        let Some(id) = object.as_object() else { return Value::Unknown(self.reason_of(index)) };
        let object = self.heap.get(id);
        let slots: Box<dyn Iterator<Item = &Slot>> = match &object.body {
            Body::List(slots) | Body::Tuple(slots) => Box::new(slots.iter()),
            Body::Table(table) => Box::new(table.values()),
            Body::Plain => Box::new(object.props.values().filter(|slot| !slot.hidden)),
            _ => Box::new(std::iter::empty()),
        };
        let unknown = Value::Unknown(object.more.clone().unwrap_or_else(|| self.reason_of(index)));
        Value::one_of(slots.map(|slot| slot.value.clone()).chain([unknown]))
    }

    /// `object.key = value`
    pub(super) fn set_member(&mut self, object: &Value, key: &str, value: Value, place: Place) -> Run<()> {
        let key = match super::realm::is_prelude(place.file) {
            true => Rc::new(Traced { parts: [made_part(key)].into_iter().collect() }),
            false => Rc::new(Traced::literal(key.into(), place)),
        };
        for option in object.options().to_vec() {
            let Some(id) = option.as_object() else { continue };
            let value = match matches!(object, Value::OneOf(_)) {
                false => value.clone(),
                true => {
                    let old = self.heap.get(id).props.get(key.text().as_str()).map(|slot| slot.value.clone());
                    Value::one_of(old.into_iter().chain([value.clone()]))
                }
            };
            self.set_property(id, &option, &key, value, place)?;
        }
        Ok(())
    }

    pub(super) fn set_property(
        &mut self,
        id: ObjectId,
        this: &Value,
        key: &Rc<Traced>,
        value: Value,
        place: Place,
    ) -> Run<()> {
        let name = SmolStr::from(key.text());
        if self.family != Family::TypeScript {
            return self.set_attribute(id, key, value, place);
        }
        // A setter that the object has or inherits.
        let mut at = Some(id);
        for _ in 0..MAX_CHAIN {
            let Some(current) = at else { break };
            if let Some(slot) = self.heap.get(current).props.get(&name) {
                if let Some(Body::Accessor { setter, .. }) = self.body_of(&slot.value.clone()) {
                    if let Some(setter) = setter.clone() {
                        let args = Args { list: vec![Passed { name: None, value, place }], more: None };
                        self.call(&setter, this.clone(), args, place)?;
                    }
                    return Ok(());
                }
                break;
            }
            at = self.heap.get(current).parent;
        }
        if self.heap.get(id).frozen {
            return Ok(());
        }
        match &self.heap.get(id).body {
            // A handler that another package calls: `server.oninitialized = () => { … }`.
            Body::Outside(_) if matches!(self.body_of(&value), Some(Body::Function(_))) => {
                self.wait(value.clone(), place);
            }
            Body::Module(file) => {
                let file = *file;
                self.set_export(file, name, value);
                return Ok(());
            }
            Body::List(slots) => {
                let length = slots.len();
                if name == "length" {
                    let wanted = value.as_number();
                    if let Body::List(slots) = &mut self.heap.change(id).body {
                        match wanted {
                            Some(wanted) if wanted >= 0.0 => slots.truncate(wanted as usize),
                            _ => {}
                        }
                    }
                    return Ok(());
                }
                if let Ok(index) = name.parse::<usize>() {
                    if index > length + 1000 {
                        self.spoil(&Value::Object(id), "an element far past the end of a list");
                        return Ok(());
                    }
                    if let Body::List(slots) = &mut self.heap.change(id).body {
                        while slots.len() <= index {
                            slots.push(Slot::new(Value::Undefined));
                        }
                        slots[index] = Slot::new(value);
                    }
                    return Ok(());
                }
            }
            _ => {}
        }
        let hidden = self.heap.get(id).props.get(&name).is_some_and(|slot| slot.hidden);
        let slot = Slot { hidden, ..Slot::keyed(Rc::clone(key), value) };
        let object = self.heap.change(id);
        match object.props.get_mut(&name) {
            Some(known) => {
                known.value = slot.value;
                known.perhaps = false;
            }
            None => drop(object.props.insert(name, slot)),
        }
        Ok(())
    }

    /// `object[index] = value`
    pub(super) fn set_element(&mut self, object: &Value, index: &Value, value: Value, place: Place) -> Run<()> {
        for option in object.options().to_vec() {
            let Some(id) = option.as_object() else { continue };
            if self.family != Family::TypeScript {
                self.set_item(id, index, value.clone(), place)?;
                continue;
            }
            match (index, self.key_of(index)) {
                (Value::Text(key), Some(_)) => self.set_property(id, &option, &Rc::clone(key), value.clone(), place)?,
                (_, Some(key)) => {
                    let key = Rc::new(Traced::literal(key, place));
                    self.set_property(id, &option, &key, value.clone(), place)?;
                }
                (Value::OneOf(options), None) => {
                    for key in options.iter().filter_map(|option| self.key_of(option)).collect::<Vec<_>>() {
                        let old = self.heap.get(id).props.get(&key).map(|slot| slot.value.clone());
                        let perhaps = old.is_none();
                        let joined = Value::one_of(old.into_iter().chain([value.clone()]));
                        let slot = Slot { perhaps, ..Slot::new(joined) };
                        self.heap.change(id).props.insert(key, slot);
                    }
                }
                (_, None) => {
                    let reason = self.reason_of(index);
                    self.heap.change(id).more.get_or_insert(reason);
                }
            }
        }
        Ok(())
    }

    /// Defines an own property, without running a setter: an entry of an object literal.
    pub(super) fn define(&mut self, id: ObjectId, key: &Value, value: Value) {
        let Some(name) = self.key_of(key) else {
            let reason = self.reason_of(key);
            self.heap.change(id).more.get_or_insert(reason);
            return;
        };
        let slot = match key {
            Value::Text(text) => Slot::keyed(Rc::clone(text), value),
            _ => Slot::new(value),
        };
        if name == "__proto__" {
            if let Some(parent) = slot.value.as_object() {
                self.heap.change(id).parent = Some(parent);
            }
            return;
        }
        self.heap.change(id).props.insert(name, slot);
    }

    /// Defines a getter or setter beside the other one of the same key.
    pub(super) fn define_accessor(&mut self, id: ObjectId, key: &Value, function: Value, is_getter: bool) {
        let Some(name) = self.key_of(key) else { return };
        let old = self.heap.get(id).props.get(&name).map(|slot| slot.value.clone());
        let (mut getter, mut setter) = match old.as_ref().and_then(|old| self.body_of(old)) {
            Some(Body::Accessor { getter, setter }) => (getter.clone(), setter.clone()),
            _ => (None, None),
        };
        match is_getter {
            true => getter = Some(function),
            false => setter = Some(function),
        }
        let accessor = self.allocate(None, Body::Accessor { getter, setter });
        self.define(id, key, Value::Object(accessor));
    }

    /// Copies the own properties of a value: `{ ...value }`.
    pub(super) fn spread_into(&mut self, id: ObjectId, value: &Value) -> Run<()> {
        if value.is_nothing() {
            return Ok(());
        }
        let (entries, more) = match value {
            Value::Object(from) if matches!(self.heap.get(*from).body, Body::Plain) => {
                let source = self.heap.get(*from);
                let more = source.more.clone();
                let is_copy =
                    self.heap.get(id).props.is_empty() && source.props.iter().all(|entry| self.is_plain(entry));
                match is_copy.then(|| source.props.clone()) {
                    Some(props) => {
                        self.heap.copied += props.len() as u64;
                        self.heap.change(id).props = props;
                        (Vec::new(), more)
                    }
                    None => (self.own_entries(*from)?, more),
                }
            }
            _ => {
                let (pairs, more) = self.pairs_of(value)?;
                let named = pairs.into_iter().filter_map(|(key, slot)| Some((self.key_of(&key)?, slot)));
                (named.collect(), more)
            }
        };
        let is_choice = matches!(value, Value::OneOf(_));
        self.heap.copied += entries.len() as u64;
        let props = &mut self.heap.change(id).props;
        for (name, slot) in entries {
            let new = match slot.perhaps || is_choice {
                false => Slot { perhaps: false, ..slot },
                true => {
                    let old = props.get(&name);
                    Slot {
                        perhaps: old.is_none_or(|old| old.perhaps),
                        value: Value::one_of(old.map(|old| old.value.clone()).into_iter().chain([slot.value])),
                        ..slot
                    }
                }
            };
            props.insert(name, Slot { hidden: false, ..new });
        }
        if let Some(more) = more {
            self.heap.change(id).more.get_or_insert(more);
        }
        Ok(())
    }

    /// Whether a copy of a property is the property itself: a loop goes over it where it is, and nothing computes it.
    fn is_plain(&self, (name, slot): (&SmolStr, &Slot)) -> bool {
        let is_number = name.starts_with(|first: char| first.is_ascii_digit());
        !slot.hidden
            && !is_number
            && !is_internal(name)
            && !matches!(self.body_of(&slot.value), Some(Body::Accessor { .. }))
    }

    /// A copy of an object without these keys: the rest of a pattern.
    pub(super) fn without(&mut self, value: &Value, keys: &[SmolStr]) -> Value {
        let id = self.allocate(None, Body::Plain);
        if self.spread_into(id, value).is_ok() {
            for key in keys {
                self.heap.change(id).props.shift_remove(key);
            }
        }
        Value::Object(id)
    }

    pub(super) fn delete_member(&mut self, object: &Value, key: &str) {
        let several = matches!(object, Value::OneOf(_));
        for option in object.options().to_vec() {
            let Some(id) = option.as_object() else { continue };
            if self.heap.get(id).frozen {
                continue;
            }
            match several {
                false => drop(self.heap.change(id).props.shift_remove(key)),
                true => {
                    if let Some(slot) = self.heap.change(id).props.get_mut(key) {
                        slot.perhaps = true;
                    }
                }
            }
        }
    }

    pub(super) fn delete_element(&mut self, object: &Value, index: &Value, family: Family) {
        if family != Family::Python {
            match self.key_of(index) {
                Some(key) => self.delete_member(object, &key),
                None => self.doubt_all(object),
            }
            return;
        }
        let Some(id) = object.as_object() else { return };
        let key = self.table_key(index);
        let position = index.as_number();
        match (&mut self.heap.change(id).body, key) {
            (Body::Table(table), Some(key)) => drop(table.shift_remove(&key)),
            (Body::List(slots), _) if position.is_some_and(|at| at.abs() as usize <= slots.len()) => {
                let at = position.unwrap_or(0.0) as i64;
                let at = if at < 0 { at + slots.len() as i64 } else { at };
                if (at as usize) < slots.len() {
                    slots.remove(at as usize);
                }
            }
            _ => self.doubt_all(object),
        }
    }

    /// Notes that any entry of an object may be missing.
    pub(super) fn doubt_all(&mut self, object: &Value) {
        let Some(id) = object.as_object() else { return };
        let object = self.heap.change(id);
        object.props.values_mut().for_each(|slot| slot.perhaps = true);
        match &mut object.body {
            Body::List(slots) => slots.iter_mut().for_each(|slot| slot.perhaps = true),
            Body::Table(table) | Body::Set(table) => table.values_mut().for_each(|slot| slot.perhaps = true),
            _ => {}
        }
    }
}

/// The property that holds the name that a binding gave a function.
pub(super) const GIVEN_NAME: &str = "@@name";

/// A part of a text that no literal contains.
fn made_part(text: &str) -> crate::found::Part {
    crate::found::Part { text: text.into(), origin: crate::found::Origin::Framework }
}
