//! Numbers and truth values.

use super::{Form, Js, Value, atom, operand};

pub(super) const NUMBERS: &[Form] = &[
    ("sum of numbers", Js::by_sum),
    ("difference", Js::by_difference),
    ("product", Js::by_product),
    ("quotient", Js::by_quotient),
    ("remainder", Js::by_remainder),
    ("power", Js::by_power),
    ("bit operations", Js::by_bits),
    ("array length", Js::by_array_length),
    ("string length", Js::by_string_length),
    ("array indexOf", Js::by_index_of),
    ("string indexOf", Js::by_string_index_of),
    ("Number and parseInt", Js::by_parse),
    ("Math", Js::by_math),
    ("size", Js::by_size),
    ("counting loop", Js::by_counting),
    ("counting reduce", Js::by_counting_reduce),
];

pub(super) const FLAGS: &[Form] = &[
    ("not", Js::by_not),
    ("===", Js::by_equal),
    ("== and !=", Js::by_like),
    ("!==", Js::by_unequal),
    ("comparison", Js::by_comparison),
    ("array includes", Js::by_includes),
    ("string includes", Js::by_string_includes),
    ("startsWith and endsWith", Js::by_starts_with),
    ("some and every", Js::by_some_every),
    ("in", Js::by_in),
    ("hasOwn", Js::by_has_own),
    ("Set.has and Map.has", Js::by_has),
    ("Array.isArray", Js::by_is_array),
    ("typeof", Js::by_typeof),
    ("regex test", Js::by_regex_test),
    ("Boolean", Js::by_boolean),
    ("logic", Js::by_logic),
    ("instanceof", Js::by_instance_test),
];

fn as_number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

impl Js {
    fn int(&mut self, number: i64, depth: u32) -> String {
        let text = self.value(&Value::Number(number), depth);
        if number < 0 { format!("({text})") } else { operand(&text) }
    }

    fn by_sum(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        let part = self.below(4) as i64;
        let (left, right) = (self.int(number - part, depth), self.int(part, depth));
        Some(format!("{left} + {right}"))
    }

    fn by_difference(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        let part = 1 + self.below(4) as i64;
        let (left, right) = (self.int(number + part, depth), self.int(part, depth));
        Some(format!("{left} - {right}"))
    }

    fn by_product(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        let by = if number % 2 == 0 { 2 } else { 1 };
        let (left, right) = (self.int(number / by, depth), self.int(by, depth));
        Some(format!("{left} * {right}"))
    }

    fn by_quotient(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        let left = self.int(number * 2, depth);
        Some(match self.below(2) {
            0 => format!("{left} / 2"),
            _ => format!("Math.floor(({left} + 1) / 2)"),
        })
    }

    fn by_remainder(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        if number < 0 {
            return None;
        }
        let left = self.int(number + (number + 1) * 2, depth);
        Some(format!("{left} % {}", number + 1))
    }

    fn by_power(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        let text = self.int(number, depth);
        Some(match number {
            4 => "2 ** 2".to_string(),
            8 => "2 ** 3".to_string(),
            _ => format!("{} ** 1", if number < 0 { return None } else { atom(&text) }),
        })
    }

    fn by_bits(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        let text = self.int(number, depth);
        Some(match self.below(4) {
            0 => format!("{text} | 0"),
            1 => format!("{text} & 255"),
            2 => format!("({text} << 1) >> 1"),
            _ => format!("({text} ^ 3) ^ 3"),
        })
    }

    fn by_array_length(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        if !(0..6).contains(&number) {
            return None;
        }
        let elements = (0..number).map(Value::Number).collect();
        let list = self.value(&Value::List(elements), depth);
        Some(format!("{}.length", atom(&list)))
    }

    fn by_string_length(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        if !(1..9).contains(&number) {
            return None;
        }
        let text = self.text(&"abcdefghi"[..number as usize], depth);
        Some(format!("{}.length", atom(&text)))
    }

    fn by_index_of(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        if !(-1..4).contains(&number) {
            return None;
        }
        let mut elements: Vec<Value> = (0..4).map(|at| Value::text(format!("w{at}"))).collect();
        elements.truncate(number.max(2) as usize + 1);
        let wanted = if number < 0 { "none".to_string() } else { format!("w{number}") };
        let (list, wanted) = (self.value(&Value::List(elements), depth), self.text(&wanted, depth));
        let method = self.pick(&["indexOf", "lastIndexOf"]);
        Some(format!("{}.{method}({wanted})", atom(&list)))
    }

    fn by_string_index_of(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        if !(0..5).contains(&number) {
            return None;
        }
        let text = self.text(&format!("{}:rest", &"abcde"[..number as usize]), depth);
        let method = self.pick(&["indexOf(\":\")", "search(/:/)", "lastIndexOf(\":\")"]);
        Some(format!("{}.{method}", atom(&text)))
    }

    fn by_parse(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        let text = self.text(&number.to_string(), depth);
        Some(match self.below(4) {
            0 => format!("Number({text})"),
            1 => format!("parseInt({text}, 10)"),
            2 => format!("+{}", atom(&text)),
            _ => format!("Number.parseInt({text})"),
        })
    }

    fn by_math(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        let text = self.int(number, depth);
        Some(match self.below(5) {
            0 => format!("Math.max({text}, {})", number - 3),
            1 => format!("Math.min(...[{text}, {}])", number + 2),
            2 => format!("Math.floor({text} + 0.5)"),
            3 => format!("Math.round({text} + 0.2)"),
            _ => format!("Math.trunc({text})"),
        })
    }

    fn by_size(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        if !(1..6).contains(&number) {
            return None;
        }
        let mut elements: Vec<Value> = (0..number).map(Value::Number).collect();
        elements.push(Value::Number(0));
        let list = self.value(&Value::List(elements), depth);
        Some(match self.below(2) {
            0 => format!("new Set({list}).size"),
            _ => format!("new Map({}.map((key) => [key, true])).size", atom(&list)),
        })
    }

    fn by_counting(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        if !(0..9).contains(&number) {
            return None;
        }
        let (name, limit) = (self.fresh(&["total", "counted"]), self.int(number, depth));
        let step = self.pick(&["++", " += 1"]);
        let limit = self.steady(&["limit", "end"], &limit);
        self.emit(format!("let {name} = 0;\nfor (let i = 0; i < {limit}; i++) {name}{step};"));
        Some(name)
    }

    fn by_counting_reduce(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        let elements = vec![Value::Number(1), Value::Number(2), Value::Number(number - 3)];
        let list = self.value(&Value::List(elements), depth);
        Some(format!("{}.reduce((sum, n) => sum + n, 0)", atom(&list)))
    }

    fn by_not(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = *value == Value::Flag(true);
        let text = self.flag(!truth, depth);
        Some(format!("!{}", atom(&text)))
    }

    /// Two texts that are equal or not.
    fn texts(&mut self, equal: bool, depth: u32) -> (String, String) {
        let second = if equal { "on" } else { "off" };
        (operand(&self.text("on", depth)), operand(&self.text(second, depth)))
    }

    fn by_equal(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.texts(*value == Value::Flag(true), depth);
        Some(format!("{left} === {right}"))
    }

    fn by_like(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = *value == Value::Flag(true);
        Some(match self.below(3) {
            0 => format!("null {} undefined", if truth { "==" } else { "!=" }),
            1 => format!("1 {} \"1\"", if truth { "==" } else { "!=" }),
            _ => {
                let (left, right) = self.texts(truth, depth);
                format!("{left} == {right}")
            }
        })
    }

    fn by_unequal(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.texts(*value != Value::Flag(true), depth);
        Some(format!("{left} !== {right}"))
    }

    fn by_comparison(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = *value == Value::Flag(true);
        let (small, large) = (self.int(2, depth), self.int(5, depth));
        Some(match (self.below(4), truth) {
            (0, true) => format!("{small} < {large}"),
            (0, false) => format!("{large} < {small}"),
            (1, true) => format!("{large} >= {small}"),
            (1, false) => format!("{small} >= {large}"),
            (2, true) => format!("{large} > {small}"),
            (2, false) => format!("{small} > {large}"),
            (_, true) => "\"a\" <= \"b\"".to_string(),
            (_, false) => "\"b\" <= \"a\"".to_string(),
        })
    }

    fn by_includes(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if *value == Value::Flag(true) { "read" } else { "none" };
        let list = Value::List(vec![Value::text("read"), Value::text("write")]);
        let (list, wanted) = (self.value(&list, depth), self.text(wanted, depth));
        Some(format!("{}.includes({wanted})", atom(&list)))
    }

    fn by_string_includes(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if *value == Value::Flag(true) { "er_r" } else { "zz" };
        let (text, wanted) = (self.text("user_read", depth), self.text(wanted, depth));
        Some(format!("{}.includes({wanted})", atom(&text)))
    }

    fn by_starts_with(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = *value == Value::Flag(true);
        let text = atom(&self.text("user_read", depth));
        if self.chance(50) {
            let start = self.text(if truth { "user_" } else { "read" }, depth);
            return Some(format!("{text}.startsWith({start})"));
        }
        let end = self.text(if truth { "_read" } else { "user" }, depth);
        Some(format!("{text}.endsWith({end})"))
    }

    fn by_some_every(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = *value == Value::Flag(true);
        let list = Value::List((1..4).map(Value::Number).collect());
        let list = atom(&self.value(&list, depth));
        Some(match (self.below(2), truth) {
            (0, true) => format!("{list}.some((n) => n > 2)"),
            (0, false) => format!("{list}.some((n) => n > 5)"),
            (_, true) => format!("{list}.every((n) => n < 5)"),
            (_, false) => format!("{list}.every((n) => n < 2)"),
        })
    }

    fn by_in(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if *value == Value::Flag(true) { "a" } else { "z" };
        let object = Value::Record(vec![("a".into(), Value::Number(1)), ("b".into(), Value::Number(2))]);
        let (object, wanted) = (self.value(&object, depth), self.text(wanted, depth));
        Some(format!("({} in {})", operand(&wanted), atom(&object)))
    }

    fn by_has_own(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if *value == Value::Flag(true) { "a" } else { "z" };
        let object = Value::Record(vec![("a".into(), Value::Number(1))]);
        let (object, wanted) = (self.value(&object, depth), self.text(wanted, depth));
        Some(match self.below(2) {
            0 => format!("Object.hasOwn({object}, {wanted})"),
            _ => format!("{}.hasOwnProperty({wanted})", atom(&object)),
        })
    }

    fn by_has(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if *value == Value::Flag(true) { "read" } else { "none" };
        let list = Value::List(vec![Value::text("read"), Value::text("write")]);
        let (list, wanted) = (self.value(&list, depth), self.text(wanted, depth));
        Some(match self.below(2) {
            0 => format!("new Set({list}).has({wanted})"),
            _ => format!("new Map({}.map((key) => [key, 1])).has({wanted})", atom(&list)),
        })
    }

    fn by_is_array(&mut self, value: &Value, depth: u32) -> Option<String> {
        let list = Value::List(vec![Value::Number(1)]);
        let given = if *value == Value::Flag(true) { list } else { Value::text("text") };
        let text = self.value(&given, depth);
        Some(format!("Array.isArray({text})"))
    }

    fn by_typeof(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = *value == Value::Flag(true);
        let (given, kind) = match self.below(4) {
            0 => (Value::text("text"), "string"),
            1 => (Value::Number(2), "number"),
            2 => (Value::Handler, "function"),
            _ => (Value::Record(vec![("a".into(), Value::Number(1))]), "object"),
        };
        let text = self.value(&given, depth);
        Some(format!("typeof {} {} \"{kind}\"", atom(&text), if truth { "===" } else { "!==" }))
    }

    fn by_regex_test(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = *value == Value::Flag(true);
        let text = self.text(if truth { "read_user" } else { "user" }, depth);
        Some(match self.below(3) {
            0 => format!("/^read_/.test({text})"),
            1 => format!("/^[a-z]+_[a-z]+$/i.test({text})"),
            _ => format!("{}.match(/_(\\w+)/) !== null", atom(&text)),
        })
    }

    fn by_boolean(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = *value == Value::Flag(true);
        let text = self.text(if truth { "x" } else { "" }, depth);
        Some(match self.below(2) {
            0 => format!("Boolean({text})"),
            _ => format!("!!{}", atom(&text)),
        })
    }

    fn by_logic(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = *value == Value::Flag(true);
        let (left, right) = (operand(&self.flag(truth, depth)), operand(&self.flag(truth, depth)));
        let operator = self.pick(&["&&", "||"]);
        Some(format!("{left} {operator} {right}"))
    }

    fn by_instance_test(&mut self, value: &Value, _: u32) -> Option<String> {
        let truth = *value == Value::Flag(true);
        let class = if truth { "Map" } else { "Set" };
        let made = if self.chance(50) { "new Map()" } else { "new Map([[1, 2]])" };
        Some(format!("{made} instanceof {class}"))
    }
}
