//! Lists, tables and sets.

use std::rc::Rc;

use super::value::{Body, Key, Slot, Table, Value};
use super::{Machine, ObjectId, Run};
use crate::code::Binary;
use crate::found::{Traced, Unknown};
use crate::syntax::Family;

/// The maximum number of elements of a list or table.
const MOST: usize = 8_000;

impl Machine<'_> {
    /// Adds an element to a list.
    pub(super) fn push(&mut self, list: ObjectId, slot: Slot) {
        let is_full = match &self.heap.get(list).body {
            Body::List(slots) => slots.len() >= MOST,
            _ => true,
        };
        if is_full {
            return self.spoil(&Value::Object(list), "a list that is too long");
        }
        if let Body::List(slots) = &mut self.heap.change(list).body {
            slots.push(slot);
        }
    }

    /// Notes that a list, table or object may hold more than is known.
    pub(super) fn spoil(&mut self, value: &Value, reason: &'static str) {
        for option in value.options() {
            if let Some(id) = option.as_object()
                && self.heap.get(id).more.is_none()
            {
                self.heap.change(id).more = Some(Rc::new(Unknown::because(reason)));
            }
        }
    }

    /// The text of a key with its origins.
    fn traced(key: &Value) -> Option<Rc<Traced>> {
        match key {
            Value::Text(text) => Some(Rc::clone(text)),
            _ => None,
        }
    }

    /// Sets an entry of a `Map` or dict.
    pub(super) fn table_set(&mut self, table: ObjectId, key: &Value, value: Value) {
        let Some(found) = self.table_key(key) else {
            let unknown = self.reason_of(key);
            // What is stored under a key that is not known may be found under every one.
            self.heap.change(table).more.get_or_insert(unknown);
            for option in key.options().to_vec() {
                if self.table_key(&option).is_some() {
                    let old = self.table_entry(&Value::Object(table), &option).flatten();
                    self.table_set(table, &option, Value::one_of(old.into_iter().chain([value.clone()])));
                }
            }
            return;
        };
        let traced = Self::traced(key);
        if let Body::Table(entries) = &mut self.heap.change(table).body {
            if let Some(slot) = entries.get_mut(&found) {
                slot.value = value;
                slot.perhaps = false;
            } else if entries.len() < MOST {
                entries.insert(found, Slot { key: traced, ..Slot::new(value) });
            }
        }
    }

    /// Copies the entries of another table, or of a list of pairs.
    pub(super) fn table_update(&mut self, table: ObjectId, from: &Value) -> Run<()> {
        let (pairs, more) = self.pairs_of(from)?;
        for (key, slot) in pairs {
            if slot.perhaps {
                let old = self.table_entry(&Value::Object(table), &key).flatten();
                let value = Value::one_of(old.into_iter().chain([slot.value]));
                self.table_set(table, &key, value);
                if let (Some(found), Body::Table(entries)) = (self.table_key(&key), &mut self.heap.change(table).body)
                    && let Some(slot) = entries.get_mut(&found)
                {
                    slot.perhaps = true;
                }
            } else {
                self.table_set(table, &key, slot.value);
            }
        }
        if let Some(more) = more {
            self.heap.change(table).more.get_or_insert(more);
        }
        Ok(())
    }

    /// The entry of a table under a key: `None` if that is unknown, `Some(None)` if there is none.
    pub(super) fn table_entry(&self, table: &Value, key: &Value) -> Option<Option<Value>> {
        let id = table.as_object()?;
        let object = self.heap.get(id);
        let found = self.table_key(key);
        let slot = match (&object.body, found) {
            (_, None) => return None,
            (Body::Table(entries) | Body::Set(entries), Some(found)) => entries.get(&found),
            (Body::Plain, Some(Key::Text(text))) => object.props.get(&text),
            _ => return None,
        };
        match (slot, &object.more) {
            (Some(slot), None) if !slot.perhaps => Some(Some(slot.value.clone())),
            (Some(slot), _) => Some(Some(slot.value.clone())),
            (None, None) if !self.is_outside(key) => Some(None),
            (None, _) => None,
        }
    }

    /// Whether a value is of another package, so that it may be equal to anything.
    fn is_outside(&self, value: &Value) -> bool {
        value.as_object().is_some_and(|id| matches!(self.heap.get(id).body, Body::Outside(_)))
    }

    pub(super) fn set_add(&mut self, set: ObjectId, slot: Slot) {
        let Some(found) = self.table_key(&slot.value) else {
            let unknown = self.reason_of(&slot.value);
            self.heap.change(set).more.get_or_insert(unknown);
            return;
        };
        if let Body::Set(entries) = &mut self.heap.change(set).body {
            let perhaps = slot.perhaps;
            let entry = entries.entry(found).or_insert(Slot { key: None, hidden: false, ..slot });
            entry.perhaps &= perhaps;
        }
    }

    /// Whether a list, text or table contains a value; `None` if that is unknown.
    pub(super) fn contains(&mut self, within: &Value, value: &Value, family: Family) -> Run<Option<bool>> {
        if let (Value::Text(_), Value::Text(_)) = (within, value) {
            let (Some(whole), Some(part)) = (within.as_text(), value.as_text()) else { return Ok(None) };
            return Ok(Some(whole.contains(&part)));
        }
        let Some(id) = within.as_object() else { return Ok(None) };
        if family == Family::Python
            && let Some(found) = self.class_member(id, "__contains__")
        {
            let place = self.here();
            let arg = super::value::Passed { name: None, value: value.clone(), place };
            let args = super::express::Args { list: vec![arg], more: None };
            let answer = self.call(&found, within.clone(), args, place)?;
            return self.truth(&answer);
        }
        if family == Family::TypeScript {
            let Some(key) = self.key_of(value) else { return Ok(None) };
            return Ok(self.has_member(id, &key));
        }
        let object = self.heap.get(id);
        let is_open = object.more.is_some();
        match &object.body {
            Body::Table(entries) | Body::Set(entries) => {
                let Some(key) = self.table_key(value) else { return Ok(None) };
                Ok(match entries.get(&key) {
                    Some(slot) if slot.perhaps => None,
                    Some(_) => Some(true),
                    None if is_open || self.is_outside(value) => None,
                    None => Some(false),
                })
            }
            Body::Outside(_) => Ok(None),
            _ => {
                let source = self.elements_of(within, false, self.here())?;
                let mut answer = if source.more.is_some() { None } else { Some(false) };
                for slot in source.known {
                    match self.equal(&slot.value, value, true) {
                        Some(true) if !slot.perhaps => return Ok(Some(true)),
                        Some(false) => {}
                        _ => answer = None,
                    }
                }
                Ok(answer)
            }
        }
    }

    /// Python's operators on lists, sets and dicts.
    pub(super) fn collections(&mut self, operator: Binary, a: &Value, b: &Value) -> Run<Option<Value>> {
        let (Some(x), Some(_)) = (a.as_object(), b.as_object()) else {
            if let (Binary::Multiply, Some(x), Value::Number(count)) = (operator, a.as_object(), b)
                && let Body::List(slots) = &self.heap.get(x).body
            {
                let slots = slots.clone();
                let count = count.clamp(0.0, 1000.0) as usize;
                let all = std::iter::repeat_n(slots, count).flatten().take(MOST).collect();
                return Ok(Some(self.list(all)));
            }
            return Ok(None);
        };
        let place = self.here();
        let body = self.heap.get(x).body.clone();
        let (left, right) = match (&body, operator) {
            (Body::List(_) | Body::Tuple(_), Binary::Add) => {
                let (left, right) = (self.elements_of(a, false, place)?, self.elements_of(b, false, place)?);
                let slots = left.known.into_iter().chain(right.known).collect();
                let body = if matches!(body, Body::List(_)) { Body::List(slots) } else { Body::Tuple(slots) };
                let id = self.allocate(None, body);
                self.heap.change(id).more = left.more.or(right.more);
                return Ok(Some(Value::Object(id)));
            }
            (Body::Table(entries), Binary::Or) => {
                let more = self.heap.get(x).more.clone();
                let id = self.allocate(None, Body::Table(entries.clone()));
                self.heap.change(id).more = more;
                self.table_update(id, b)?;
                return Ok(Some(Value::Object(id)));
            }
            (Body::Set(_), Binary::Or | Binary::And | Binary::Subtract | Binary::Xor) => {
                (self.elements_of(a, false, place)?, self.elements_of(b, false, place)?)
            }
            _ => return Ok(None),
        };
        let id = self.allocate(None, Body::Set(Table::default()));
        for slot in left.known {
            let within = self.contains(b, &slot.value, Family::Python)?;
            let kept = match operator {
                Binary::Or => Some(true),
                Binary::And => within,
                _ => within.map(|within| !within),
            };
            if kept != Some(false) {
                self.set_add(id, Slot { perhaps: slot.perhaps || kept.is_none(), ..slot });
            }
        }
        if matches!(operator, Binary::Or | Binary::Xor) {
            for slot in right.known {
                let within = self.contains(a, &slot.value, Family::Python)?;
                if operator == Binary::Or || within != Some(true) {
                    self.set_add(id, slot);
                }
            }
        }
        self.heap.change(id).more = left.more.or(right.more.filter(|_| operator != Binary::Subtract));
        Ok(Some(Value::Object(id)))
    }
}
