//! Operators, conversions and comparisons.

use std::rc::Rc;

use super::native::objects::AS_TEXT;
use super::value::{Body, Object, Outside, Slot, Value};
use super::{Abrupt, At, Machine, ObjectId, Run};
use crate::code::{Binary, Unary};
use crate::found::Unknown;
use crate::syntax::Family;

/// The maximum number of combinations of two choices that are computed.
const MOST_CHOICES: usize = 36;

impl Machine<'_> {
    /// Whether a value counts as true; `None` if that is unknown.
    pub(super) fn truth(&mut self, value: &Value) -> Run<Option<bool>> {
        Ok(match value {
            Value::Undefined | Value::Null => Some(false),
            Value::Bool(holds) => Some(*holds),
            Value::Number(number) => Some(*number != 0.0 && !number.is_nan()),
            Value::Text(text) => match text.parts.iter().any(|part| part.place().is_some() && !part.text.is_empty()) {
                true => Some(true),
                false if text.unknown().is_some() => None,
                false => Some(!text.text().is_empty()),
            },
            Value::Object(id) => self.truth_of_object(*id)?,
            Value::OneOf(options) => {
                let options = Rc::clone(options);
                let mut answers = Vec::new();
                for option in options.iter() {
                    answers.push(self.truth(option)?);
                }
                let first = answers[0];
                if answers.iter().all(|answer| *answer == first) { first } else { None }
            }
            Value::Unknown(_) => None,
        })
    }

    fn truth_of_object(&mut self, id: ObjectId) -> Run<Option<bool>> {
        let is_python = self.is_python();
        let object = self.heap.get(id);
        let sized = |length: usize, certain: usize| match (certain > 0, length == 0 && object.more.is_none()) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        Ok(match &object.body {
            Body::Outside(outside) => match &**outside {
                Outside::Export { module, .. } if module.is_empty() => None,
                Outside::Export { .. } => Some(true),
                Outside::Result(call) if call.new => Some(true),
                _ => None,
            },
            Body::List(slots) | Body::Tuple(slots) if is_python => {
                sized(slots.len(), slots.iter().filter(|slot| !slot.perhaps).count())
            }
            Body::Table(table) | Body::Set(table) if is_python => {
                sized(table.len(), table.values().filter(|slot| !slot.perhaps).count())
            }
            Body::Plain if is_python => {
                for method in ["__bool__", "__len__"] {
                    if let Some(found) = self.class_member(id, method) {
                        let place = self.here();
                        let value = self.call(&found, Value::Object(id), Default::default(), place)?;
                        return self.truth(&value);
                    }
                }
                Some(true)
            }
            _ => Some(true),
        })
    }

    /// Whether a value is `undefined`, `null` or `None`; `None` if that is unknown.
    pub(super) fn is_nothing(&self, value: &Value) -> Option<bool> {
        match value {
            Value::Undefined | Value::Null => Some(true),
            Value::Unknown(_) => None,
            Value::Object(id) => match &self.heap.get(*id).body {
                Body::Outside(outside) => match &**outside {
                    Outside::Export { module, .. } => (!module.is_empty()).then_some(false),
                    Outside::Result(call) if call.new => Some(false),
                    _ => None,
                },
                _ => Some(false),
            },
            Value::OneOf(options) => {
                let first = self.is_nothing(&options[0]);
                options[1..].iter().all(|option| self.is_nothing(option) == first).then_some(first).flatten()
            }
            _ => Some(false),
        }
    }

    /// Whether two values are equal; `None` if that is unknown. Without `strict`, they are converted as by `==` in
    /// JavaScript.
    pub(super) fn equal(&mut self, a: &Value, b: &Value, strict: bool) -> Option<bool> {
        match (a, b) {
            (Value::OneOf(options), other) | (other, Value::OneOf(options)) => {
                let options = Rc::clone(options);
                let first = self.equal(&options[0], other, strict);
                for option in &options[1..] {
                    if self.equal(option, other, strict) != first {
                        return None;
                    }
                }
                first
            }
            (Value::Unknown(_), _) | (_, Value::Unknown(_)) => None,
            (Value::Text(x), Value::Text(y)) => {
                if x.unknown().is_none() && y.unknown().is_none() {
                    return Some(x.text() == y.text());
                }
                if may_be_equal(x, y) { None } else { Some(false) }
            }
            (Value::Number(x), Value::Number(y)) => Some(x == y),
            (Value::Bool(x), Value::Bool(y)) => Some(x == y),
            (Value::Undefined, Value::Undefined) | (Value::Null, Value::Null) => Some(true),
            (Value::Undefined, Value::Null) | (Value::Null, Value::Undefined) => Some(!strict),
            (Value::Object(x), Value::Object(y)) => self.equal_objects(*x, *y),
            (Value::Object(x), Value::Text(_)) | (Value::Text(_), Value::Object(x))
                if self.heap.get(*x).props.contains_key(AS_TEXT) =>
            {
                let (a, b) = (self.plain_text(a.clone()), self.plain_text(b.clone()));
                self.equal(&a, &b, strict)
            }
            (Value::Object(x), other) | (other, Value::Object(x)) => match &self.heap.get(*x).body {
                Body::Outside(outside) => match &**outside {
                    Outside::Result(call) if call.new && other.is_nothing() => Some(false),
                    _ => None,
                },
                _ => Some(false),
            },
            (Value::Bool(_) | Value::Number(_), Value::Bool(_) | Value::Number(_)) => {
                Some(a.as_number() == b.as_number())
            }
            (Value::Number(number), Value::Text(_)) if !strict => {
                b.as_text().map(|text| text.trim().parse::<f64>().is_ok_and(|other| other == *number))
            }
            (Value::Text(_), Value::Number(_)) if !strict => self.equal(b, a, false),
            _ => Some(false),
        }
    }

    fn equal_objects(&mut self, a: ObjectId, b: ObjectId) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        let (x, y) = (self.heap.get(a), self.heap.get(b));
        if matches!(x.body, Body::Outside(_)) || matches!(y.body, Body::Outside(_)) {
            return None;
        }
        if self.family == Family::TypeScript {
            return Some(false);
        }
        let may_differ = |object: &Object| {
            let mut slots: Box<dyn Iterator<Item = &Slot>> = match &object.body {
                Body::List(slots) | Body::Tuple(slots) => Box::new(slots.iter()),
                Body::Table(table) | Body::Set(table) => Box::new(table.values()),
                _ => return false,
            };
            object.more.is_some() || slots.any(|slot| slot.perhaps)
        };
        if std::mem::discriminant(&x.body) == std::mem::discriminant(&y.body) && (may_differ(x) || may_differ(y)) {
            return None;
        }
        let (left, right) = match (&x.body, &y.body) {
            (Body::Plain, Body::Plain) if self.family == Family::Rust => {
                if x.parent != y.parent {
                    return Some(false);
                }
                let pairs = x.props.iter().map(|(name, slot)| {
                    let other = y.props.get(name)?;
                    Some((slot.value.clone(), other.value.clone()))
                });
                let pairs: Option<Vec<_>> = pairs.collect();
                return pairs.and_then(|pairs| self.all_equal(pairs));
            }
            (Body::List(left), Body::List(right)) | (Body::Tuple(left), Body::Tuple(right)) => {
                (left.clone(), right.clone())
            }
            (Body::Table(left), Body::Table(right)) | (Body::Set(left), Body::Set(right)) => {
                if left.len() != right.len() {
                    return Some(false);
                }
                let pairs: Option<Vec<_>> = left
                    .iter()
                    .map(|(key, slot)| right.get(key).map(|other| (slot.value.clone(), other.value.clone())))
                    .collect();
                let Some(pairs) = pairs else { return Some(false) };
                return self.all_equal(pairs);
            }
            _ => return Some(false),
        };
        if left.len() != right.len() {
            return Some(false);
        }
        self.all_equal(left.into_iter().map(|slot| slot.value).zip(right.into_iter().map(|slot| slot.value)).collect())
    }

    fn all_equal(&mut self, pairs: Vec<(Value, Value)>) -> Option<bool> {
        let mut answer = Some(true);
        for (a, b) in pairs {
            match self.equal(&a, &b, true) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => answer = None,
            }
        }
        answer
    }

    pub(super) fn type_of(&mut self, value: &Value) -> Value {
        let name = match value {
            Value::Undefined => "undefined",
            Value::Null => "object",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::Text(text) if text.text().starts_with("@@") => "symbol",
            Value::Text(_) => "string",
            Value::Object(id) => match &self.heap.get(*id).body {
                Body::Function(_) | Body::Class(_) | Body::Bound { .. } | Body::Native(_) => "function",
                Body::Outside(outside) => match &**outside {
                    Outside::Result(call) if call.new => "object",
                    _ => return Value::unknown("the type of a value from another package"),
                },
                _ => "object",
            },
            Value::OneOf(options) => {
                let options = Rc::clone(options);
                let types: Vec<Value> = options.iter().map(|option| self.type_of(option)).collect();
                return Value::one_of(types);
            }
            Value::Unknown(unknown) => return Value::Unknown(Rc::clone(unknown)),
        };
        Value::made(name)
    }

    pub(super) fn unary(&mut self, operator: Unary, value: &Value) -> Run<Value> {
        if let Value::Unknown(_) = value
            && operator != Unary::Void
        {
            return Ok(value.clone());
        }
        Ok(match operator {
            Unary::Not => match self.truth(value)? {
                Some(holds) => Value::Bool(!holds),
                None => Value::Unknown(self.reason_of(value)),
            },
            Unary::Void => Value::Undefined,
            Unary::Minus => value.as_number().map_or_else(|| Value::unknown("a number"), |it| Value::Number(-it)),
            Unary::Plus => match value {
                Value::Text(_) => match value.as_text().and_then(|text| text.trim().parse::<f64>().ok()) {
                    Some(number) => Value::Number(number),
                    None => Value::unknown("a number"),
                },
                _ => value.as_number().map_or_else(|| Value::unknown("a number"), Value::Number),
            },
            Unary::Invert => match value.as_number() {
                Some(number) => Value::Number(f64::from(!(number as i64 as i32))),
                None => Value::unknown("a number"),
            },
            Unary::TypeOf | Unary::Delete => Value::unknown("an operator"),
        })
    }

    /// The reason why a value is unknown.
    pub(crate) fn reason_of(&self, value: &Value) -> Rc<Unknown> {
        match value {
            Value::Unknown(unknown) => Rc::clone(unknown),
            Value::OneOf(options) => options
                .iter()
                .find_map(|option| match option {
                    Value::Unknown(unknown) => Some(Rc::clone(unknown)),
                    _ => None,
                })
                .unwrap_or_else(|| Rc::new(Unknown::because("one of several values"))),
            Value::Text(text) => match text.unknown() {
                Some(unknown) => Rc::new(unknown.clone()),
                None => Rc::new(Unknown::because("a text")),
            },
            Value::Object(id) => {
                Rc::new(Unknown { of: self.sources_of(value), ..Unknown::because(self.described(*id)) })
            }
            _ => Rc::new(Unknown::because("a value")),
        }
    }

    /// Describes an unknown object: `process.env of another package`.
    pub(crate) fn described(&self, id: ObjectId) -> String {
        /// The maximum number of members and calls that are described.
        const MOST: usize = 6;
        self.described_within(id, MOST)
    }

    fn described_within(&self, id: ObjectId, links: usize) -> String {
        let Body::Outside(outside) = &self.heap.get(id).body else { return "an object".to_string() };
        let Some(links) = links.checked_sub(1) else { return "a value from another package".to_string() };
        match &**outside {
            Outside::Export { module, path } if module.is_empty() => format!("`{}`", path.join(".")),
            Outside::Export { module, path } if path.is_empty() => format!("the package `{module}`"),
            Outside::Export { module, path } => format!("`{}` of `{module}`", path.join(".")),
            Outside::Member { of, key } => match self.described_within(*of, links) {
                of if of.ends_with('`') && of.matches('`').count() == 2 => format!("{}.{key}`", &of[..of.len() - 1]),
                of => format!("`{key}` of {of}"),
            },
            Outside::Result(call) => format!("the result of {}", self.described_within(call.callee, links)),
            Outside::Given { name } => format!("`{name}`, a parameter of its function"),
        }
    }

    pub(super) fn binary(&mut self, operator: Binary, a: &Value, b: &Value, family: Family) -> Run<Value> {
        if matches!(a, Value::OneOf(_)) || matches!(b, Value::OneOf(_)) {
            return self.binary_of_choices(operator, a, b, family);
        }
        match operator {
            Binary::Equal | Binary::NotEqual | Binary::Is | Binary::IsNot | Binary::Like | Binary::Unlike => {
                let strict = !matches!(operator, Binary::Like | Binary::Unlike);
                self.note_comparison(a, b, self.comparing);
                let equal = self.equal(a, b, strict);
                let negated = matches!(operator, Binary::NotEqual | Binary::IsNot | Binary::Unlike);
                return Ok(self.truth_value(equal.map(|equal| equal != negated), a, b));
            }
            Binary::In | Binary::NotIn => {
                self.looked_up(b, a);
                if let (Some(effects), Some(place)) = (self.effects.as_mut(), self.comparing) {
                    effects.searched(a, place);
                }
                let found = self.contains(b, a, family)?;
                let negated = operator == Binary::NotIn;
                return Ok(self.truth_value(found.map(|found| found != negated), a, b));
            }
            Binary::InstanceOf => {
                let is = self.is_instance(a, b)?;
                return Ok(self.truth_value(is, a, b));
            }
            _ => {}
        }
        if let Some(value) = self.overloaded(operator, a, b, family)? {
            return Ok(value);
        }
        let is_text = |value: &Value| matches!(value, Value::Text(_));
        match operator {
            Binary::Add if is_text(a) || is_text(b) => {
                let pieces = [self.text_of(a, family)?, self.text_of(b, family)?];
                return Ok(self.concatenated(&pieces));
            }
            Binary::Add if family == Family::TypeScript && (a.as_object().is_some() || b.as_object().is_some()) => {
                let pieces = [self.text_of(a, family)?, self.text_of(b, family)?];
                return Ok(self.concatenated(&pieces));
            }
            Binary::Remainder if is_text(a) => return self.percent(a, b),
            Binary::Multiply if is_text(a) || is_text(b) => {
                let (text, count) = if is_text(a) { (a, b) } else { (b, a) };
                return Ok(match count.as_number() {
                    Some(count) if count <= 1000.0 => {
                        let pieces = vec![text.clone(); count.max(0.0) as usize];
                        self.concatenated(&pieces)
                    }
                    _ => Value::unknown("a repeated string"),
                });
            }
            Binary::LessOrEqual | Binary::GreaterOrEqual | Binary::Less | Binary::Greater
                if matches!(self.body_of(a), Some(Body::Set(_))) =>
            {
                let (small, large) = match operator {
                    Binary::LessOrEqual | Binary::Less => (a, b),
                    _ => (b, a),
                };
                let source = self.elements_of(small, false, self.here())?;
                let mut holds = if source.more.is_some() { None } else { Some(true) };
                for slot in &source.known {
                    match self.contains(large, &slot.value, family)? {
                        Some(true) => {}
                        Some(false) => holds = Some(false),
                        None => holds = holds.filter(|holds| !holds),
                    }
                }
                if matches!(operator, Binary::Less | Binary::Greater) && holds == Some(true) {
                    holds = self.equal(a, b, true).map(|equal| !equal);
                }
                return Ok(self.truth_value(holds, a, b));
            }
            Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual => {
                let order = self.order(a, b, family);
                let holds = order.map(|order| match operator {
                    Binary::Less => order.is_some_and(|it| it.is_lt()),
                    Binary::LessOrEqual => order.is_some_and(|it| it.is_le()),
                    Binary::Greater => order.is_some_and(|it| it.is_gt()),
                    _ => order.is_some_and(|it| it.is_ge()),
                });
                return Ok(self.truth_value(holds, a, b));
            }
            _ => {}
        }
        if let (Value::Unknown(_), _) | (_, Value::Unknown(_)) = (a, b) {
            let unknown = if matches!(a, Value::Unknown(_)) { a } else { b };
            return Ok(unknown.clone());
        }
        Ok(match (number_of(a, family), number_of(b, family)) {
            (Some(_), Some(0.0))
                if family == Family::Python
                    && matches!(operator, Binary::Divide | Binary::FloorDivide | Binary::Remainder) =>
            {
                return self.raise("ZeroDivisionError", "division by zero");
            }
            (Some(x), Some(y)) => arithmetic(operator, x, y),
            _ => Value::Unknown(self.reason_of(if a.as_number().is_some() { b } else { a })),
        })
    }

    fn binary_of_choices(&mut self, operator: Binary, a: &Value, b: &Value, family: Family) -> Run<Value> {
        let (left, right) = (a.options(), b.options());
        if left.len() * right.len() > MOST_CHOICES {
            return Ok(Value::unknown("one of too many values"));
        }
        let mut all = Vec::new();
        for x in left {
            for y in right {
                all.push(self.binary(operator, x, y, family)?);
            }
        }
        Ok(Value::one_of(all))
    }

    /// A known truth, or why it is unknown.
    fn truth_value(&self, holds: Option<bool>, a: &Value, b: &Value) -> Value {
        match holds {
            Some(holds) => Value::Bool(holds),
            None => {
                let of = if matches!(b, Value::Unknown(_)) { b } else { a };
                Value::Unknown(self.reason_of(of))
            }
        }
    }

    /// The result of an operator that a class or a built-in collection defines; `None` for other values.
    fn overloaded(&mut self, operator: Binary, a: &Value, b: &Value, family: Family) -> Run<Option<Value>> {
        if family != Family::Python {
            return Ok(None);
        }
        let method = match operator {
            Binary::Add => "__add__",
            Binary::Subtract => "__sub__",
            Binary::Or => "__or__",
            Binary::And => "__and__",
            Binary::Xor => "__xor__",
            Binary::Multiply => "__mul__",
            Binary::Divide => "__truediv__",
            Binary::Remainder => "__mod__",
            Binary::ShiftLeft => "__lshift__",
            Binary::ShiftRight => "__rshift__",
            Binary::Less => "__lt__",
            _ => return Ok(None),
        };
        let place = self.here();
        if let Some(id) = a.as_object()
            && let Some(found) = self.class_member(id, method)
        {
            let args = super::express::Args {
                list: vec![super::value::Passed { name: None, value: b.clone(), place }],
                more: None,
            };
            return self.call(&found, a.clone(), args, place).map(Some);
        }
        self.collections(operator, a, b)
    }

    /// The order of two values; the inner `None` if they have none.
    fn order(&mut self, a: &Value, b: &Value, family: Family) -> Option<Option<std::cmp::Ordering>> {
        match (a, b) {
            (Value::Text(_), Value::Text(_)) => {
                let (a, b) = (a.as_text()?, b.as_text()?);
                Some(Some(match family {
                    Family::TypeScript => a.encode_utf16().cmp(b.encode_utf16()),
                    _ => a.cmp(&b),
                }))
            }
            (Value::Object(_), Value::Object(_)) => {
                let (left, right) = (self.plain_list(a)?, self.plain_list(b)?);
                for (x, y) in left.iter().zip(&right) {
                    match self.order(&x.value, &y.value, family)? {
                        Some(std::cmp::Ordering::Equal) => {}
                        order => return Some(order),
                    }
                }
                Some(Some(left.len().cmp(&right.len())))
            }
            _ => Some(number_of(a, family)?.partial_cmp(&number_of(b, family)?)),
        }
    }

    /// The order of two values for sorting, if it is known.
    pub(super) fn sort_order(&mut self, a: &Value, b: &Value, family: Family) -> Option<std::cmp::Ordering> {
        self.order(a, b, family).flatten()
    }

    /// Converts a value to a string: `String(x)`, `str(x)`.
    pub(super) fn text_of(&mut self, value: &Value, family: Family) -> Run<Value> {
        let is_python = family == Family::Python;
        Ok(match value {
            Value::Text(_) | Value::Unknown(_) => value.clone(),
            Value::Undefined => Value::made(if is_python { "Ellipsis" } else { "undefined" }),
            Value::Null => Value::made(if is_python { "None" } else { "null" }),
            Value::Bool(true) => Value::made(if is_python { "True" } else { "true" }),
            Value::Bool(false) => Value::made(if is_python { "False" } else { "false" }),
            Value::Number(number) => Value::made(&number_text(*number, is_python)),
            Value::OneOf(options) => {
                let options = Rc::clone(options);
                let mut all = Vec::new();
                // What a branch that did not run left undefined is no text that anybody wanted.
                let some = options.iter().any(|option| !option.is_nothing());
                for option in options.iter().filter(|option| !some || !option.is_nothing()) {
                    all.push(self.text_of(option, family)?);
                }
                Value::one_of(all)
            }
            Value::Object(id) => self.text_of_object(*id, family)?,
        })
    }

    fn text_of_object(&mut self, id: ObjectId, family: Family) -> Run<Value> {
        let place = self.here();
        let value = Value::Object(id);
        if family == Family::Python {
            for method in ["__str__", "__repr__"] {
                if let Some(found) = self.class_member(id, method) {
                    return self.call(&found, value, Default::default(), place);
                }
            }
            if let text @ Value::Text(_) = self.plain_text(value.clone()) {
                return Ok(text);
            }
            return match self.body_of(&value) {
                Some(Body::List(_) | Body::Tuple(_)) => self.represented(&value),
                _ => Ok(Value::Unknown(self.reason_of(&value))),
            };
        }
        match &self.heap.get(id).body {
            Body::List(slots) => {
                let values: Vec<Value> = slots.iter().map(|slot| slot.value.clone()).collect();
                let mut pieces = Vec::new();
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        pieces.push(Value::made(","));
                    }
                    if !value.is_nothing() {
                        pieces.push(self.text_of(value, family)?);
                    }
                }
                return Ok(self.concatenated(&pieces));
            }
            Body::Plain => {}
            _ => return Ok(Value::Unknown(self.reason_of(&value))),
        }
        for method in ["@@toPrimitive", "toString"] {
            let found = self.member(&value, method, place)?;
            if matches!(self.body_of(&found), Some(Body::Function(_))) {
                return self.call(&found, value, Default::default(), place);
            }
        }
        Ok(Value::made("[object Object]"))
    }

    pub(super) fn body_of(&self, value: &Value) -> Option<&Body> {
        value.as_object().map(|id| &self.heap.get(id).body)
    }

    /// Whether a value is an instance of a class, or of one of several; `None` if that is unknown.
    pub(super) fn is_instance(&mut self, value: &Value, class: &Value) -> Run<Option<bool>> {
        if let Some(Body::Tuple(classes) | Body::List(classes)) = self.body_of(class) {
            let mut answer = Some(false);
            for class in classes.clone() {
                match self.is_instance(value, &class.value)? {
                    Some(true) => return Ok(Some(true)),
                    None => answer = None,
                    Some(false) => {}
                }
            }
            return Ok(answer);
        }
        if let (Value::Unknown(_) | Value::OneOf(_), _) | (_, Value::Unknown(_) | Value::OneOf(_)) = (value, class) {
            return Ok(None);
        }
        // A literal of bytes is a text here.
        if let (Family::Python, Value::Text(_), Some(Body::Class(info))) = (self.family, value, self.body_of(class))
            && matches!(info.class.name.as_deref(), Some("bytes" | "bytearray"))
        {
            return Ok(None);
        }
        let Some(class) = class.as_object() else { return Ok(Some(false)) };
        let is_outside = |machine: &Self, id: ObjectId| matches!(machine.heap.get(id).body, Body::Outside(_));
        // What another package makes may be an option, a result, or anything else.
        if self.family == Family::Rust
            && let Some(Body::Outside(_)) = self.body_of(value)
        {
            return Ok(None);
        }
        let mut chain = self.classes_of(value);
        // A trait of another package is no class that a pattern names.
        if self.family == Family::Rust {
            chain.retain(|known| !is_outside(self, *known));
        }
        if chain.contains(&class) {
            return Ok(Some(true));
        }
        if is_outside(self, class) || chain.iter().any(|known| is_outside(self, *known)) {
            let is_plain = !matches!(value, Value::Object(_));
            return Ok(if is_plain { Some(false) } else { None });
        }
        Ok(Some(false))
    }

    /// The value of a promise, or of something that is none.
    pub(super) fn awaited(&mut self, value: Value) -> Run<Value> {
        match self.body_of(&value) {
            Some(Body::Promise(Ok(value))) => {
                let value = value.clone();
                self.awaited(value)
            }
            Some(Body::Promise(Err(thrown))) => Err(Abrupt::Throw(thrown.clone())),
            Some(Body::Outside(_)) => {
                self.unknown_calls += 1;
                Ok(value)
            }
            _ => match &value {
                Value::OneOf(options) => {
                    let options = Rc::clone(options);
                    let mut all = Vec::new();
                    let mut thrown = None;
                    for option in options.iter() {
                        match self.awaited(option.clone()) {
                            Ok(value) => all.push(value),
                            Err(Abrupt::Throw(value)) => thrown = Some(value),
                            Err(stop) => return Err(stop),
                        }
                    }
                    match thrown.filter(|_| all.is_empty()) {
                        Some(value) => Err(Abrupt::Throw(value)),
                        None => Ok(Value::one_of(all)),
                    }
                }
                Value::Unknown(_) => {
                    self.unknown_calls += 1;
                    Ok(value)
                }
                _ => Ok(value),
            },
        }
    }

    /// `f"{value!conversion:format}"`
    pub(super) fn formatted(
        &mut self,
        value: &Value,
        conversion: Option<&str>,
        format: Option<&Value>,
        at: At<'_>,
    ) -> Run<Value> {
        let value = match conversion {
            Some("r" | "a") => self.represented(value)?,
            Some(_) => self.text_of(value, at.frame.family)?,
            None => value.clone(),
        };
        match format {
            None => self.text_of(&value, at.frame.family),
            Some(format) => match format.as_text() {
                Some(format) => self.with_format(&value, &format),
                None => Ok(Value::Unknown(self.reason_of(format))),
            },
        }
    }
}

fn number_of(value: &Value, family: Family) -> Option<f64> {
    match value {
        Value::Null if family == Family::TypeScript => Some(0.0),
        Value::Text(_) if family == Family::TypeScript => {
            let text = value.as_text()?;
            let text = text.trim();
            if text.is_empty() { Some(0.0) } else { text.parse().ok() }
        }
        value => value.as_number(),
    }
}

fn arithmetic(operator: Binary, x: f64, y: f64) -> Value {
    let int = |number: f64| number as i64;
    Value::Number(match operator {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x * y,
        Binary::Divide => x / y,
        Binary::FloorDivide => (x / y).floor(),
        Binary::Remainder => x % y,
        Binary::Power => x.powf(y),
        Binary::And => (int(x) & int(y)) as f64,
        Binary::Or => (int(x) | int(y)) as f64,
        Binary::Xor => (int(x) ^ int(y)) as f64,
        Binary::ShiftLeft => int(x).checked_shl(int(y) as u32).unwrap_or(0) as f64,
        Binary::ShiftRight => int(x).checked_shr(int(y) as u32).unwrap_or(0) as f64,
        Binary::ShiftRightUnsigned => ((x as i64 as u32) >> (int(y) as u32 & 31)) as f64,
        _ => return Value::unknown("an operator"),
    })
}

/// A number as JavaScript and Python write it.
pub(super) fn number_text(number: f64, is_python: bool) -> String {
    match number {
        number if number.is_nan() => if is_python { "nan" } else { "NaN" }.to_string(),
        number if number.is_infinite() => match (is_python, number > 0.0) {
            (true, true) => "inf".to_string(),
            (true, false) => "-inf".to_string(),
            (false, true) => "Infinity".to_string(),
            (false, false) => "-Infinity".to_string(),
        },
        number if number.fract() == 0.0 && number.abs() < 1e21 => format!("{number:.0}"),
        number => format!("{number}"),
    }
}

/// Whether two texts, of which one has unknown parts, may be equal: what is known at their beginnings agrees.
fn may_be_equal(a: &crate::found::Traced, b: &crate::found::Traced) -> bool {
    let start = |text: &crate::found::Traced| -> (String, bool) {
        let mut known = String::new();
        for part in &text.parts {
            if let crate::found::Origin::Unknown(_) = part.origin {
                return (known, false);
            }
            known.push_str(&part.text);
        }
        (known, true)
    };
    let ((a, a_whole), (b, b_whole)) = (start(a), start(b));
    let common = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    match (a_whole, b_whole) {
        (true, true) => a == b,
        (true, false) => common == b.len(),
        (false, true) => common == a.len(),
        (false, false) => common == a.len().min(b.len()),
    }
}
