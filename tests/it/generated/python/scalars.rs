//! Numbers and truth values.

use super::{Form, Py, Value, atom, class, operand};

pub(super) const NUMBERS: &[Form] = &[
    ("sum of numbers", Py::by_sum),
    ("difference", Py::by_difference),
    ("product", Py::by_product),
    ("floor division", Py::by_quotient),
    ("remainder", Py::by_remainder),
    ("power", Py::by_power),
    ("len of list", Py::by_list_length),
    ("len of string", Py::by_string_length),
    ("index", Py::by_index),
    ("find", Py::by_find_text),
    ("count", Py::by_count),
    ("int()", Py::by_int),
    ("max and min", Py::by_max_number),
    ("abs and round", Py::by_abs),
    ("abs and round", Py::by_abs),
    ("sum()", Py::by_sum_call),
    ("sum of generator", Py::by_sum_generator),
    ("counting loop", Py::by_counting),
    ("len of set", Py::by_set_length),
    ("divmod", Py::by_divmod),
];

pub(super) const FLAGS: &[Form] = &[
    ("not", Py::by_not),
    ("==", Py::by_equal),
    ("!=", Py::by_unequal),
    ("comparison", Py::by_comparison),
    ("chained comparison", Py::by_chained),
    ("in list", Py::by_in_list),
    ("not in", Py::by_not_in),
    ("in string", Py::by_in_text),
    ("in dict", Py::by_in_dict),
    ("in set", Py::by_in_set),
    ("in set comprehension", Py::by_in_set_comprehension),
    ("is None", Py::by_is_none),
    ("isinstance", Py::by_isinstance),
    ("issubclass", Py::by_issubclass),
    ("startswith", Py::by_startswith),
    ("endswith", Py::by_endswith),
    ("any and all", Py::by_any_all),
    ("hasattr", Py::by_hasattr),
    ("bool()", Py::by_bool),
    ("callable", Py::by_callable),
    ("logic", Py::by_logic),
    ("re.match", Py::by_regex),
    ("set comparison", Py::by_subset),
    ("str predicates", Py::by_predicate),
];

fn as_number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

fn is_true(value: &Value) -> bool {
    *value == Value::Flag(true)
}

impl Py {
    fn int(&mut self, number: i64, depth: u32) -> String {
        let text = self.value(&Value::Number(number), depth);
        if number < 0 { format!("({text})") } else { operand(&text) }
    }

    fn by_sum(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (number, part) = (as_number(value)?, self.below(4) as i64);
        Some(format!("{} + {}", self.int(number - part, depth), self.int(part, depth)))
    }

    fn by_difference(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (number, part) = (as_number(value)?, 1 + self.below(4) as i64);
        Some(format!("{} - {}", self.int(number + part, depth), self.int(part, depth)))
    }

    fn by_product(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        let by = if number % 2 == 0 { 2 } else { 1 };
        Some(format!("{} * {}", self.int(number / by, depth), self.int(by, depth)))
    }

    fn by_quotient(&mut self, value: &Value, depth: u32) -> Option<String> {
        let left = self.int(as_number(value)? * 2 + 1, depth);
        Some(format!("{left} // 2"))
    }

    fn by_remainder(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value).filter(|number| *number >= 0)?;
        let left = self.int(number + (number + 1) * 2, depth);
        Some(format!("{left} % {}", number + 1))
    }

    fn by_power(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value).filter(|number| *number >= 0)?;
        let text = self.int(number, depth);
        Some(match number {
            4 => "2 ** 2".to_string(),
            8 => "2 ** 3".to_string(),
            _ => format!("{text} ** 1"),
        })
    }

    fn by_list_length(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value).filter(|number| (0..6).contains(number))?;
        let list = self.value(&Value::List((0..number).map(Value::Number).collect()), depth);
        Some(format!("len({list})"))
    }

    fn by_string_length(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value).filter(|number| (1..9).contains(number))?;
        let text = self.text(&"abcdefghi"[..number as usize], depth);
        Some(format!("len({text})"))
    }

    fn by_index(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value).filter(|number| (0..4).contains(number))?;
        let list = Value::List((0..=number).map(|at| Value::text(format!("w{at}"))).collect());
        let (list, wanted) = (self.value(&list, depth), self.text(&format!("w{number}"), depth));
        Some(format!("{}.index({wanted})", atom(&list)))
    }

    fn by_find_text(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value).filter(|number| (0..5).contains(number))?;
        let text = self.text(&format!("{}:rest", &"abcde"[..number as usize]), depth);
        let method = self.pick(&["find", "index", "rfind"]);
        Some(format!("{}.{method}(\":\")", atom(&text)))
    }

    fn by_count(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value).filter(|number| (0..6).contains(number))?;
        if self.chance(50) {
            let text = self.text(&"x_".repeat(number as usize), depth);
            return Some(format!("{}.count(\"_\")", atom(&text)));
        }
        let mut elements = vec![Value::Number(7); number as usize];
        elements.push(Value::Number(1));
        let list = self.value(&Value::List(elements), depth);
        Some(format!("{}.count(7)", atom(&list)))
    }

    fn by_int(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.text(&as_number(value)?.to_string(), depth);
        Some(match self.below(3) {
            0 => format!("int({text})"),
            1 => format!("int({text}, 10)"),
            _ => format!("int(float({text}))"),
        })
    }

    fn by_max_number(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        let text = self.int(number, depth);
        Some(match self.below(3) {
            0 => format!("max({text}, {})", number - 3),
            1 => format!("min([{text}, {}])", number + 2),
            _ => format!("max(({text},), default=0)"),
        })
    }

    fn by_abs(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value)?;
        let text = self.int(number, depth);
        Some(if number >= 0 && self.chance(50) { format!("abs(-{text})") } else { format!("round({text} + 0.2)") })
    }

    fn by_sum_call(&mut self, value: &Value, depth: u32) -> Option<String> {
        let elements = vec![Value::Number(1), Value::Number(2), Value::Number(as_number(value)? - 3)];
        let list = self.value(&Value::List(elements), depth);
        Some(format!("sum({list})"))
    }

    fn by_sum_generator(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value).filter(|number| (0..6).contains(number))?;
        let list = self.still(&Value::List((0..=number).map(Value::Number).collect()), depth);
        let list = operand(&list);
        Some(
            self.pick(&["sum(1 for n in LIST if n)", "sum(n > 0 for n in LIST)", "len([n for n in LIST if n != 0])"])
                .replace("LIST", &list),
        )
    }

    fn by_counting(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value).filter(|number| (0..9).contains(number))?;
        let (name, limit) = (self.fresh(&["total", "counted"]), self.int(number, depth));
        self.emit(format!("{name} = 0\nfor _ in range({limit}):\n    {name} += 1"));
        Some(name)
    }

    fn by_set_length(&mut self, value: &Value, depth: u32) -> Option<String> {
        let number = as_number(value).filter(|number| (1..6).contains(number))?;
        let mut elements: Vec<Value> = (0..number).map(Value::Number).collect();
        elements.push(Value::Number(0));
        let list = self.value(&Value::List(elements), depth);
        Some(match self.below(3) {
            0 => format!("len(set({list}))"),
            1 => format!("len({{*{}}})", operand(&list)),
            _ => format!("len({{n: 1 for n in {}}})", {
                let list = self.unbound(&list);
                operand(&list)
            }),
        })
    }

    fn by_divmod(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.int(as_number(value)? * 10 + 3, depth);
        Some(format!("divmod({text}, 10)[0]"))
    }

    fn by_not(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.flag(!is_true(value), depth);
        Some(format!("not {}", operand(&text)))
    }

    fn by_equal(&mut self, value: &Value, depth: u32) -> Option<String> {
        let second = if is_true(value) { "on" } else { "off" };
        Some(format!("{} == {}", operand(&self.text("on", depth)), operand(&self.text(second, depth))))
    }

    fn by_unequal(&mut self, value: &Value, depth: u32) -> Option<String> {
        let second = if is_true(value) { "off" } else { "on" };
        Some(format!("{} != {}", operand(&self.text("on", depth)), operand(&self.text(second, depth))))
    }

    fn by_comparison(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (small, large) = (self.int(2, depth), self.int(5, depth));
        let (left, right) = if is_true(value) { (small, large) } else { (large, small) };
        Some(match self.below(4) {
            0 => format!("{left} < {right}"),
            1 => format!("{right} > {left}"),
            2 => format!("{left} <= {right}"),
            _ => format!("{right} >= {left}"),
        })
    }

    fn by_chained(&mut self, value: &Value, depth: u32) -> Option<String> {
        let middle = self.int(if is_true(value) { 3 } else { 9 }, depth);
        let (low, high) = (self.int(1, depth), self.int(5, depth));
        Some(format!("{low} < {middle} <= {high}"))
    }

    fn by_in_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if is_true(value) { "read" } else { "none" };
        let list = Value::List(vec![Value::text("read"), Value::text("write")]);
        Some(format!("{} in {}", operand(&self.text(wanted, depth)), operand(&self.value(&list, depth))))
    }

    fn by_not_in(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if is_true(value) { "none" } else { "read" };
        let wanted = operand(&self.text(wanted, depth));
        Some(format!("{wanted} not in (\"read\", \"write\")"))
    }

    fn by_in_text(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if is_true(value) { "er_r" } else { "zz" };
        Some(format!("{} in {}", operand(&self.text(wanted, depth)), operand(&self.text("user_read", depth))))
    }

    fn by_in_dict(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if is_true(value) { "a" } else { "z" };
        let table = Value::Record(vec![("a".into(), Value::Number(1)), ("b".into(), Value::Number(2))]);
        let (wanted, table) = (operand(&self.text(wanted, depth)), operand(&self.value(&table, depth)));
        let keys = self.pick(&["", ".keys()"]);
        Some(format!("{wanted} in {table}{keys}"))
    }

    fn by_in_set(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if is_true(value) { "read" } else { "none" };
        let list = Value::List(vec![Value::text("read"), Value::text("write")]);
        let (wanted, list) = (operand(&self.text(wanted, depth)), self.value(&list, depth));
        Some(match self.below(3) {
            0 => format!("{wanted} in set({list})"),
            1 => format!("{wanted} in frozenset({list})"),
            _ => format!("{wanted} in {{\"read\", *{}}}", operand(&list)),
        })
    }

    fn by_in_set_comprehension(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if is_true(value) { "read" } else { "none" };
        let list = Value::List(vec![Value::text("Read"), Value::text("WRITE")]);
        let (wanted, list) = (operand(&self.text(wanted, depth)), self.value(&list, depth));
        Some(format!("{wanted} in {{it.lower() for it in {}}}", operand(&self.unbound(&list))))
    }

    fn by_is_none(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = operand(&self.text("x", depth));
        Some(match (self.below(2), is_true(value)) {
            (0, true) => format!("{text} is not None"),
            (0, false) => format!("{text} is None"),
            (_, true) => "{}.get(\"missing\") is None".to_string(),
            (_, false) => "{}.get(\"missing\") is not None".to_string(),
        })
    }

    fn by_isinstance(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (given, kind) = match self.below(4) {
            0 => (Value::text("text"), "str"),
            1 => (Value::Number(2), "(int, float)"),
            2 => (Value::List(vec![Value::Number(1)]), "list"),
            _ => (Value::Record(vec![("a".into(), Value::Number(1))]), "dict"),
        };
        let kind = if is_true(value) { kind } else { "bytes" };
        Some(format!("isinstance({}, {kind})", self.value(&given, depth)))
    }

    fn by_issubclass(&mut self, value: &Value, _: u32) -> Option<String> {
        let (base, name) = (self.fresh(&["Animal", "Root"]), self.fresh(&["Cat", "Leaf"]));
        self.emit(format!("{}\n{}", class(&base, "", &[]), class(&name, &base, &[])));
        Some(if is_true(value) { format!("issubclass({name}, {base})") } else { format!("issubclass({base}, {name})") })
    }

    fn by_startswith(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (truth, text) = (is_true(value), atom(&self.text("user_read", depth)));
        Some(match self.below(2) {
            0 => format!("{text}.startswith({})", self.text(if truth { "user_" } else { "read" }, depth)),
            _ => format!("{text}.startswith({})", if truth { "(\"x\", \"use\")" } else { "(\"x\", \"y\")" }),
        })
    }

    fn by_endswith(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = atom(&self.text("user_read", depth));
        let end = self.text(if is_true(value) { "_read" } else { "user" }, depth);
        Some(format!("{text}.endswith({end})"))
    }

    fn by_any_all(&mut self, value: &Value, depth: u32) -> Option<String> {
        let list = self.still(&Value::List((1..4).map(Value::Number).collect()), depth);
        let list = operand(&list);
        Some(match (self.below(3), is_true(value)) {
            (0, true) => format!("any(n > 2 for n in {list})"),
            (0, false) => format!("any(n > 5 for n in {list})"),
            (1, true) => format!("all([n < 5 for n in {list}])"),
            (1, false) => format!("all(n < 2 for n in {list})"),
            (_, true) => format!("any({list})"),
            (_, false) => format!("all([*{list}, 0])"),
        })
    }

    fn by_hasattr(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if is_true(value) { "upper" } else { "missing" };
        let (text, wanted) = (self.text("x", depth), self.text(wanted, depth));
        Some(format!("hasattr({text}, {wanted})"))
    }

    fn by_bool(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = is_true(value);
        let given = match self.below(4) {
            0 => self.text(if truth { "x" } else { "" }, depth),
            1 => self.value(&Value::List(if truth { vec![Value::Number(0)] } else { Vec::new() }), depth),
            2 => self.number(usize::from(truth), depth),
            _ => if truth { "{\"a\": 1}" } else { "{}" }.to_string(),
        };
        Some(if self.chance(60) { format!("bool({given})") } else { format!("not not {}", operand(&given)) })
    }

    fn by_callable(&mut self, value: &Value, depth: u32) -> Option<String> {
        let given = if is_true(value) { Value::Handler } else { Value::text("text") };
        Some(format!("callable({})", self.value(&given, depth)))
    }

    fn by_logic(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = is_true(value);
        let (left, right) = (operand(&self.flag(truth, depth)), operand(&self.flag(truth, depth)));
        let operator = self.pick(&["and", "or"]);
        Some(format!("{left} {operator} {right}"))
    }

    fn by_regex(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = self.text(if is_true(value) { "read_user" } else { "user" }, depth);
        Some(match self.below(3) {
            0 => format!("bool({}(r\"^read_\", {text}))", self.std("re", "match")),
            1 => format!("{}(r\"[a-z]+_[a-z]+\", {text}) is not None", self.std("re", "fullmatch")),
            _ => format!("{}(r\"_\\w+\").search({text}) is not None", self.std("re", "compile")),
        })
    }

    fn by_subset(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wanted = if is_true(value) { "read" } else { "none" };
        let wanted = self.text(wanted, depth);
        Some(match self.below(3) {
            0 => format!("{{{}}} <= {{\"read\", \"write\"}}", operand(&wanted)),
            1 if self.chance(50) => format!("frozenset([{wanted}]) <= {{\"read\", \"write\"}}"),
            1 => format!("{{{}}}.issubset([\"read\", \"write\"])", operand(&wanted)),
            _ => format!("bool({{{}}} & {{\"read\", \"write\"}})", operand(&wanted)),
        })
    }

    fn by_predicate(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (yes, no, method) = *self.core.random.pick(&[("12", "x", "isdigit"), ("name_1", "1 name", "isidentifier")]);
        let text = self.text(if is_true(value) { yes } else { no }, depth);
        Some(format!("{}.{method}()", atom(&text)))
    }
}
