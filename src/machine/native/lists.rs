//! Lists, tables and sets.

use super::{Function, arg, int};
use crate::machine::value::{Body, Passed, Slot, Steps, Table, Value};
use crate::machine::{Machine, Run, express::Args};

pub(super) const ALL: &[(&str, Function)] = &[
    ("list", |machine, args, place| {
        let source = machine.elements_of(&arg(args, 0), false, place)?;
        let id = machine.allocate(None, Body::List(source.known));
        machine.heap.change(id).more = source.more;
        Ok(Value::Object(id))
    }),
    ("tuple", |machine, args, place| {
        let source = machine.elements_of(&arg(args, 0), false, place)?;
        let id = machine.allocate(None, Body::Tuple(source.known));
        machine.heap.change(id).more = source.more;
        Ok(Value::Object(id))
    }),
    ("set", |machine, args, place| {
        let source = machine.elements_of(&arg(args, 0), false, place)?;
        let id = machine.allocate(None, Body::Set(Table::default()));
        for slot in source.known {
            machine.set_add(id, slot);
        }
        machine.heap.change(id).more = source.more;
        Ok(Value::Object(id))
    }),
    ("table", |machine, args, _| {
        let id = machine.allocate(None, Body::Table(Table::default()));
        machine.table_update(id, &arg(args, 0))?;
        Ok(Value::Object(id))
    }),
    ("become", become_kind),
    ("generator", |machine, args, place| {
        let source = machine.elements_of(&arg(args, 0), false, place)?;
        let body = Body::Generator { state: Steps::Done(source.known), next: 0 };
        let id = machine.allocate(None, body);
        machine.heap.change(id).more = source.more;
        Ok(Value::Object(id))
    }),
    ("next", |machine, args, _| {
        let Some(id) = arg(args, 0).as_object() else { return Ok(Value::Undefined) };
        Ok(match machine.advance(id)? {
            Some(slot) => machine.list(vec![Slot::new(slot.value)]),
            None => Value::Undefined,
        })
    }),
    ("push", |machine, args, _| {
        for list in arg(args, 0).options().to_vec() {
            let Some(id) = list.as_object() else { continue };
            let perhaps = matches!(arg(args, 0), Value::OneOf(_));
            for value in args.iter().skip(1) {
                machine.push(id, Slot { perhaps, ..Slot::new(value.clone()) });
            }
        }
        Ok(Value::Undefined)
    }),
    ("insert", |machine, args, _| {
        let (Some(id), Some(at)) = (arg(args, 0).as_object(), int(args, 1)) else { return Ok(Value::Undefined) };
        if let Body::List(slots) = &mut machine.heap.change(id).body {
            let length = slots.len() as i64;
            let at = (if at < 0 { (at + length).max(0) } else { at.min(length) }) as usize;
            for (offset, value) in args[2..].iter().enumerate() {
                slots.insert(at + offset, Slot::new(value.clone()));
            }
        }
        Ok(Value::Undefined)
    }),
    ("remove_at", remove_at),
    ("clear", |machine, args, _| {
        if let Some(id) = arg(args, 0).as_object() {
            let object = machine.heap.change(id);
            object.more = None;
            match &mut object.body {
                Body::List(slots) => slots.clear(),
                Body::Table(table) | Body::Set(table) => table.clear(),
                _ => {}
            }
        }
        Ok(Value::Undefined)
    }),
    ("replace_all", |machine, args, place| {
        let source = machine.elements_of(&arg(args, 1), false, place)?;
        if let Some(id) = arg(args, 0).as_object() {
            let object = machine.heap.change(id);
            object.more = source.more;
            if let Body::List(slots) = &mut object.body {
                *slots = source.known;
            }
        }
        Ok(arg(args, 0))
    }),
    ("length", |machine, args, _| {
        let value = arg(args, 0);
        if let Some(text) = value.as_text() {
            return Ok(Value::Number(machine.length_of_text(&text) as f64));
        }
        let Some(id) = value.as_object() else { return Ok(Value::Unknown(machine.reason_of(&value))) };
        let object = machine.object(id);
        let (length, sure) = match &object.body {
            Body::List(slots) | Body::Tuple(slots) => (slots.len(), slots.iter().all(|slot| !slot.perhaps)),
            Body::Table(table) | Body::Set(table) => (table.len(), table.values().all(|slot| !slot.perhaps)),
            _ => (0, false),
        };
        Ok(match sure && object.more.is_none() {
            true => Value::Number(length as f64),
            false => Value::Unknown(machine.reason_of(&value)),
        })
    }),
    ("slice", |machine, args, _| {
        let bound = |index: usize| match arg(args, index) {
            Value::Undefined => None,
            value => Some(value),
        };
        Ok(machine.sliced(&arg(args, 0), bound(1), bound(2), bound(3)))
    }),
    ("reversed", |machine, args, place| {
        let source = machine.elements_of(&arg(args, 0), false, place)?;
        let id = machine.allocate(None, Body::List(source.known.into_iter().rev().collect()));
        machine.heap.change(id).more = source.more;
        Ok(Value::Object(id))
    }),
    ("range", |machine, args, _| {
        /// The maximum number of elements of a range.
        const MOST: i64 = 10_000;
        let from = if matches!(arg(args, 0), Value::Undefined) { Some(0) } else { int(args, 0) };
        Ok(match (from, int(args, 1)) {
            (Some(from), Some(to)) if to - from <= MOST => {
                machine.list((from..to).map(|number| Slot::new(Value::Number(number as f64))).collect())
            }
            _ => Value::unknown("a range"),
        })
    }),
    ("sorted", sorted),
    ("get", |machine, args, _| {
        let (table, key) = (arg(args, 0), arg(args, 1));
        machine.looked_up(&table, &key);
        Ok(match machine.table_entry(&table, &key) {
            Some(Some(value)) => value,
            Some(None) => Value::Undefined,
            None => machine.any_element(&table, &key),
        })
    }),
    ("put", |machine, args, _| {
        for table in arg(args, 0).options().to_vec() {
            if let Some(id) = table.as_object() {
                machine.table_set(id, &arg(args, 1), arg(args, 2));
            }
        }
        Ok(Value::Undefined)
    }),
    ("has", |machine, args, _| {
        let (table, key) = (arg(args, 0), arg(args, 1));
        machine.looked_up(&table, &key);
        let found = machine.table_entry(&table, &key);
        let perhaps = table.as_object().zip(machine.table_key(&key)).is_some_and(|(id, key)| {
            matches!(&machine.object(id).body, Body::Table(table) | Body::Set(table)
                if table.get(&key).is_some_and(|slot| slot.perhaps))
        });
        Ok(match found {
            Some(found) if !perhaps => Value::Bool(found.is_some()),
            _ => {
                machine.any_element(&table, &key);
                Value::Unknown(machine.reason_of(&key))
            }
        })
    }),
    ("remove", |machine, args, _| {
        let (table, key) = (arg(args, 0), arg(args, 1));
        let Some(id) = table.as_object() else { return Ok(Value::Bool(false)) };
        match machine.table_key(&key) {
            Some(key) => {
                if let Body::Table(entries) | Body::Set(entries) = &mut machine.heap.change(id).body {
                    return Ok(Value::Bool(entries.shift_remove(&key).is_some()));
                }
            }
            None => machine.doubt_all(&table),
        }
        Ok(Value::Bool(false))
    }),
    ("add", |machine, args, _| {
        for set in arg(args, 0).options().to_vec() {
            if let Some(id) = set.as_object() {
                machine.set_add(id, Slot::new(arg(args, 1)));
            }
        }
        Ok(Value::Undefined)
    }),
    ("update", |machine, args, _| {
        if let Some(id) = arg(args, 0).as_object() {
            machine.table_update(id, &arg(args, 1))?;
        }
        Ok(Value::Undefined)
    }),
    ("pairs", |machine, args, _| {
        let (pairs, more) = machine.pairs_of(&arg(args, 0))?;
        let mut slots = Vec::new();
        for (key, slot) in pairs {
            let pair = vec![Slot::new(key), Slot::new(slot.value)];
            let body =
                if machine.family == crate::syntax::Family::Python { Body::Tuple(pair) } else { Body::List(pair) };
            let pair = Value::Object(machine.allocate(None, body));
            slots.push(Slot { perhaps: slot.perhaps, ..Slot::new(pair) });
        }
        let id = machine.allocate(None, Body::List(slots));
        machine.heap.change(id).more = more;
        Ok(Value::Object(id))
    }),
    ("entries", |machine, args, place| {
        // The entries of a `Map` or dict.
        let Some(id) = arg(args, 0).as_object() else { return Ok(machine.list(Vec::new())) };
        let Body::Table(table) = &machine.object(id).body else {
            let source = machine.elements_of(&arg(args, 0), false, place)?;
            return Ok(machine.list(source.known));
        };
        let entries: Vec<_> = table.iter().map(|(key, slot)| (key.clone(), slot.clone())).collect();
        let more = machine.object(id).more.clone();
        let mut slots = Vec::new();
        for (key, slot) in entries {
            let pair = vec![Slot::new(machine.value_of_key(&key, &slot)), Slot::new(slot.value)];
            let body =
                if machine.family == crate::syntax::Family::Python { Body::Tuple(pair) } else { Body::List(pair) };
            let pair = Value::Object(machine.allocate(None, body));
            slots.push(Slot { perhaps: slot.perhaps, ..Slot::new(pair) });
        }
        let id = machine.allocate(None, Body::List(slots));
        machine.heap.change(id).more = more;
        Ok(Value::Object(id))
    }),
    ("contains", |machine, args, _| {
        let (within, value) = (arg(args, 0), arg(args, 1));
        machine.looked_up(&within, &value);
        Ok(match machine.contains(&within, &value, crate::syntax::Family::Python)? {
            Some(holds) => Value::Bool(holds),
            None => Value::Unknown(machine.reason_of(&value)),
        })
    }),
];

/// `become(object, kind)`: makes an instance of a class a list, table, set or promise.
fn become_kind(machine: &mut Machine<'_>, args: &[Value], _: crate::found::Place) -> Run<Value> {
    let (Some(id), Some(kind)) = (arg(args, 0).as_object(), arg(args, 1).as_text()) else {
        return Ok(Value::Undefined);
    };
    let body = match kind.as_str() {
        "list" => Body::List(Vec::new()),
        "table" => Body::Table(Table::default()),
        "set" => Body::Set(Table::default()),
        "promise" => Body::Promise(Ok(arg(args, 2))),
        "rejected" => Body::Promise(Err(arg(args, 2))),
        _ => return Ok(Value::Undefined),
    };
    machine.heap.change(id).body = body;
    Ok(arg(args, 0))
}

/// `remove_at(list, index)`: the element that is removed.
fn remove_at(machine: &mut Machine<'_>, args: &[Value], _: crate::found::Place) -> Run<Value> {
    let list = arg(args, 0);
    let (Some(id), Some(at)) = (list.as_object(), int(args, 1)) else {
        machine.doubt_all(&list);
        return Ok(Value::Undefined);
    };
    let object = machine.object(id);
    let doubtful = object.more.is_some();
    let Body::List(slots) = &object.body else { return Ok(Value::Undefined) };
    let length = slots.len() as i64;
    let at = if at < 0 { at + length } else { at };
    if doubtful || slots.iter().any(|slot| slot.perhaps) {
        machine.doubt_all(&list);
        return Ok(machine.any_element(&list, &Value::unknown("an element of an unknown list")));
    }
    if !(0..length).contains(&at) {
        return Ok(Value::Undefined);
    }
    let Body::List(slots) = &mut machine.heap.change(id).body else { return Ok(Value::Undefined) };
    Ok(slots.remove(at as usize).value)
}

/// `sorted(list, compare)`: a new list in order. `compare` is a function of two elements, or undefined; `by_text` says
/// that elements are compared as texts, as JavaScript does.
fn sorted(machine: &mut Machine<'_>, args: &[Value], place: crate::found::Place) -> Run<Value> {
    let source = machine.elements_of(&arg(args, 0), false, place)?;
    let compare = arg(args, 1);
    let by_text = matches!(arg(args, 2), Value::Bool(true));
    let mut ordered: Vec<Slot> = Vec::with_capacity(source.known.len());
    let mut known = true;
    for slot in source.known {
        let (mut low, mut high) = (0, ordered.len());
        while known && low < high {
            machine.step()?;
            let middle = (low + high) / 2;
            let order = order_of(machine, &ordered[middle].value, &slot.value, &compare, by_text, place)?;
            match order {
                Some(order) if order.is_gt() => high = middle,
                Some(_) => low = middle + 1,
                None => known = false,
            }
        }
        let at = if known { low } else { ordered.len() };
        ordered.insert(at, slot);
    }
    let id = machine.allocate(None, Body::List(ordered));
    machine.heap.change(id).more = source.more;
    Ok(Value::Object(id))
}

fn order_of(
    machine: &mut Machine<'_>,
    a: &Value,
    b: &Value,
    compare: &Value,
    by_text: bool,
    place: crate::found::Place,
) -> Run<Option<std::cmp::Ordering>> {
    if compare.as_object().is_some() {
        let passed = |value: &Value| Passed { name: None, value: value.clone(), place };
        let args = Args { list: vec![passed(a), passed(b)], more: None };
        let result = machine.call(compare, Value::Undefined, args, place)?;
        return Ok(result.as_number().and_then(|number| number.partial_cmp(&0.0)));
    }
    let family = machine.family;
    if by_text {
        let (a, b) = (machine.text_of(a, family)?, machine.text_of(b, family)?);
        return Ok(machine.sort_order(&a, &b, family));
    }
    Ok(machine.sort_order(a, b, family))
}
