//! Lists: building a known one.

use super::{Form, Py, Value, atom, class, def, list_of, operand, suite_of};

pub(super) const FORMS: &[Form] = &[
    ("list sum", Py::by_list_sum),
    ("list with stars", Py::by_stars),
    ("append", Py::by_append_each),
    ("extend", Py::by_extend),
    ("insert", Py::by_insert),
    ("list +=", Py::by_list_append),
    ("append loop", Py::by_append_loop),
    ("list comprehension", Py::by_comprehension),
    ("comprehension over dicts", Py::by_unwrap),
    ("comprehension with if", Py::by_filtered_list),
    ("filter by key", Py::by_key_filter),
    ("nested comprehension", Py::by_flattened),
    ("list slice", Py::by_list_slice),
    ("slice assignment", Py::by_slice_assignment),
    ("reversed list", Py::by_reversed_list),
    ("sorted", Py::by_sorted),
    ("list.sort", Py::by_sort_method),
    ("list of map", Py::by_map_list),
    ("list of filter", Py::by_filter_list),
    ("list()", Py::by_list_call),
    ("generator function", Py::by_generator_list),
    ("generator expression", Py::by_generator_expression),
    ("conditional append", Py::by_conditional_append),
    ("conditional star", Py::by_conditional_star),
    ("list recursion", Py::by_list_recursion),
    ("registry function", Py::by_registry_function),
    ("registry class", Py::by_registry_class),
    ("class attribute registry", Py::by_class_registry),
    ("registry by decorator", Py::by_decorator_registry),
    ("names to dicts", Py::by_dicts_of_names),
    ("dicts to names", Py::by_names_of_dicts),
    ("del of element", Py::by_del_element),
    ("list.remove", Py::by_remove),
    ("list times", Py::by_times),
];

/// Forms for lists of dicts with something in common.
pub(super) const NARROW_DICTS: &[Form] = &[
    ("names to dicts", Py::by_dicts_of_names),
    ("dict items to dicts", Py::by_items_to_dicts),
    ("zip of columns", Py::by_zip_columns),
];

/// Forms for lists with something in common.
pub(super) const NARROW: &[Form] = &[
    ("dicts to names", Py::by_names_of_dicts),
    ("dict keys", Py::by_dict_keys),
    ("filter by key", Py::by_key_filter),
    ("sorted", Py::by_sorted),
    ("sorted set", Py::by_sorted_set),
    ("sorted set", Py::by_sorted_set),
    ("Enum members", Py::by_enum_members),
    ("dict.fromkeys", Py::by_fromkeys),
    ("registry filled by modules", Py::by_module_registry),
];

pub(super) fn elements(value: &Value) -> &[Value] {
    match value {
        Value::List(elements) => elements,
        _ => &[],
    }
}

pub(super) fn list(elements: &[Value]) -> Value {
    Value::List(elements.to_vec())
}

impl Py {
    /// Two parts of a list, either of which may be empty.
    pub(super) fn split(&mut self, value: &Value) -> (Value, Value) {
        let elements = elements(value);
        let (left, right) = elements.split_at(self.below(elements.len() + 1));
        (list(left), list(right))
    }

    pub(super) fn parts(&mut self, value: &Value, depth: u32) -> (String, String) {
        let (left, right) = self.split(value);
        (self.value(&left, depth), self.value(&right, depth))
    }

    pub(super) fn each(&mut self, value: &Value, depth: u32) -> Vec<String> {
        elements(value).iter().map(|element| self.value(element, depth)).collect()
    }

    /// The list as something to iterate over in a comprehension.
    pub(super) fn source(&mut self, value: &Value, depth: u32) -> String {
        let text = self.value(value, depth);
        operand(&self.unbound(&text))
    }

    fn by_list_sum(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.parts(value, depth);
        Some(format!("{} + {}", operand(&left), operand(&right)))
    }

    fn by_stars(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.parts(value, depth);
        Some(format!("[*{}, *{}]", operand(&left), operand(&right)))
    }

    fn by_append_each(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let empty = self.pick(&["[]", "list()"]);
        self.emit(format!("{name} = {empty}"));
        for element in self.each(value, depth) {
            self.emit(format!("{name}.append({element})"));
        }
        Some(name)
    }

    fn by_extend(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, (left, right)) = (self.name_for(value), self.parts(value, depth));
        self.emit(format!("{name} = list({left})\n{name}.extend({right})"));
        Some(name)
    }

    fn by_insert(&mut self, value: &Value, depth: u32) -> Option<String> {
        let mut rest = elements(value).to_vec();
        if rest.is_empty() {
            return None;
        }
        let at = self.below(rest.len());
        let element = rest.remove(at);
        let (name, rest, element) =
            (self.name_for(value), self.value(&Value::List(rest), depth), self.value(&element, depth));
        self.emit(format!("{name} = list({rest})\n{name}.insert({at}, {element})"));
        Some(name)
    }

    fn by_list_append(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, (left, right)) = (self.name_for(value), self.parts(value, depth));
        self.emit(format!("{name} = [*{}]\n{name} += {right}", operand(&left)));
        Some(name)
    }

    fn by_append_loop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, name, it) = (self.value(value, depth), self.name_for(value), self.fresh(&["element", "it"]));
        self.emit(format!("{name} = []"));
        match self.below(3) {
            0 => self.emit(format!("for {it} in {source}:\n    {name}.append({it})")),
            1 => {
                let source = self.named(&["source", "given"], &source);
                self.emit(format!("for {it} in range(len({source})):\n    {name}.append({source}[{it}])"));
            }
            _ => {
                let at = self.fresh(&["at", "position"]);
                self.emit(format!("for {at}, {it} in enumerate({source}):\n    {name}.insert({at}, {it})"));
            }
        }
        Some(name)
    }

    fn by_comprehension(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.source(value, depth);
        Some(match self.below(3) {
            0 => format!("[it for it in {source}]"),
            1 => format!("[it for _, it in enumerate({source})]"),
            _ => {
                let source = self.steady(&["source", "given"], &source);
                format!("[{}[at] for at in range(len({source}))]", operand(&source))
            }
        })
    }

    fn by_unwrap(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wrapped = elements(value).iter().map(|element| Value::Record(vec![("it".into(), element.clone())]));
        let source = self.source(&Value::List(wrapped.collect()), depth);
        Some(match self.below(3) {
            0 => format!("[row[\"it\"] for row in {source}]"),
            1 => format!("[row.get(\"it\") for row in {source}]"),
            _ => format!("[it for row in {source} for it in row.values()]"),
        })
    }

    /// Elements with others between them, and which of them are kept.
    pub(super) fn with_junk(&mut self, value: &Value) -> (Vec<Value>, Vec<bool>) {
        let (mut mixed, mut is_kept) = (Vec::new(), Vec::new());
        for element in elements(value) {
            if self.chance(40) {
                mixed.push(self.decoy(element));
                is_kept.push(false);
            }
            mixed.push(element.clone());
            is_kept.push(true);
        }
        (mixed, is_kept)
    }

    fn by_filtered_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (mixed, is_kept) = self.with_junk(value);
        let source = self.source(&Value::List(mixed.clone()), depth);
        let is_word = |element: &Value| element.as_text().is_some_and(|word| !word.starts_with("no_"));
        if elements(value).iter().all(is_word) && self.chance(50) {
            let test = self.pick(&["not word.startswith(\"no_\")", "word[:3] != \"no_\"", "\"no_\" not in word[:4]"]);
            return Some(format!("[word for word in {source} if {test}]"));
        }
        let kept: Vec<String> =
            is_kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(at, _)| at.to_string()).collect();
        let flags: Vec<&str> = is_kept.iter().map(|kept| if *kept { "True" } else { "False" }).collect();
        Some(match self.below(2) {
            0 => format!("[it for at, it in enumerate({source}) if at in ({},)]", kept.join(", ")),
            _ => format!("[it for it, kept in zip({source}, [{}]) if kept]", flags.join(", ")),
        })
        .filter(|_| !kept.is_empty())
    }

    fn by_key_filter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let key = self.pick(&["hidden", "disabled", "legacy"]);
        let fits = |element: &Value| matches!(element, Value::Record(_)) && element.field(key).is_none();
        if !elements(value).iter().all(fits) {
            return None;
        }
        let (mixed, is_kept) = self.with_junk(value);
        let mixed = mixed.into_iter().zip(is_kept).map(|(element, kept)| match element {
            Value::Record(mut fields) if !kept || fields.len() % 2 == 0 => {
                fields.push((key.to_string(), Value::Flag(!kept)));
                Value::Record(fields)
            }
            other => other,
        });
        let source = self.source(&Value::List(mixed.collect()), depth);
        Some(match self.below(3) {
            0 => format!("[row for row in {source} if not row.get(\"{key}\")]"),
            1 => format!("[row for row in {source} if row.get(\"{key}\", False) is False]"),
            _ => format!("list(filter(lambda row: not row.get(\"{key}\", False), {source}))"),
        })
    }

    /// A list of lists that has the elements in order.
    pub(super) fn nested(&mut self, value: &Value, depth: u32) -> String {
        let (left, right) = self.split(value);
        let (middle, right) = self.split(&right);
        let text = self.value(&Value::List(vec![left, middle, right]), depth);
        operand(&self.unbound(&text))
    }

    fn by_flattened(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.nested(value, depth);
        Some(match self.below(3) {
            0 => format!("[it for group in {source} for it in group]"),
            1 => format!("sum({source}, [])"),
            _ => format!("[it for group in {source} if group for it in group]"),
        })
    }

    fn by_list_slice(&mut self, value: &Value, depth: u32) -> Option<String> {
        let mut mixed = elements(value).to_vec();
        let decoy = mixed.first().cloned().map(|element| self.decoy(&element))?;
        let count = self.number(mixed.len(), depth);
        let (at_start, access) = match self.below(4) {
            0 => (true, "[1:]".to_string()),
            1 => (false, "[:-1]".to_string()),
            2 => (false, format!("[:{count}]")),
            _ => (true, format!("[slice(1, 1 + {count})]")),
        };
        mixed.insert(if at_start { 0 } else { mixed.len() }, decoy);
        Some(format!("{}{access}", atom(&self.value(&Value::List(mixed), depth))))
    }

    fn by_slice_assignment(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.name_for(value), self.value(value, depth));
        self.emit(format!("{name} = [None]\n{name}[:] = {text}"));
        Some(name)
    }

    fn by_reversed_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        let mut turned = elements(value).to_vec();
        turned.reverse();
        let (source, name) = (self.value(&Value::List(turned), depth), self.name_for(value));
        Some(match self.below(3) {
            0 => format!("list(reversed({source}))"),
            1 => format!("{}[::-1]", atom(&source)),
            _ => {
                self.emit(format!("{name} = list({source})\n{name}.reverse()"));
                name
            }
        })
    }

    /// The elements in a random order that sorting undoes, and the arguments that sort them.
    fn shuffled(&mut self, value: &Value) -> Option<(Value, String)> {
        let mut mixed: Vec<Value> = elements(value).to_vec();
        let texts: Vec<&str> = elements(value).iter().filter_map(Value::as_text).collect();
        if texts.len() == mixed.len() && texts.is_sorted() && !texts.is_empty() {
            self.core.random.shuffle(&mut mixed);
            let key = self.pick(&["", "key=str", "key=lambda word: word"]);
            return Some((Value::List(mixed), key.to_string()));
        }
        let with_order = |(at, element): (usize, &Value)| match element {
            Value::Record(fields) if element.field("order").is_none() => {
                let mut fields = fields.clone();
                fields.push(("order".into(), Value::Number(at as i64 + 1)));
                Some(Value::Record(fields))
            }
            _ => None,
        };
        let mut ordered: Vec<Value> = elements(value).iter().enumerate().map(with_order).collect::<Option<_>>()?;
        self.core.random.shuffle(&mut ordered);
        let key = match self.below(3) {
            0 => format!("key={}(\"order\")", self.std("operator", "itemgetter")),
            1 => "key=lambda row: -row[\"order\"], reverse=True".to_string(),
            _ => "key=lambda row: row[\"order\"]".to_string(),
        };
        Some((Value::List(ordered), key))
    }

    fn by_sorted(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (mixed, key) = self.shuffled(value)?;
        let source = self.value(&mixed, depth);
        let comma = if key.is_empty() { "" } else { ", " };
        Some(format!("sorted({source}{comma}{key})"))
    }

    fn by_sort_method(&mut self, value: &Value, depth: u32) -> Option<String> {
        let ((mixed, key), name) = (self.shuffled(value)?, self.name_for(value));
        let source = self.value(&mixed, depth);
        self.emit(format!("{name} = list({source})\n{name}.sort({key})"));
        Some(name)
    }

    fn by_map_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        let wrapped = elements(value).iter().map(|element| Value::Record(vec![("it".into(), element.clone())]));
        let source = self.value(&Value::List(wrapped.collect()), depth);
        Some(match self.below(2) {
            0 => format!("list(map(lambda row: row[\"it\"], {source}))"),
            _ => format!("[*map({}(\"it\"), {source})]", self.std("operator", "itemgetter")),
        })
    }

    fn by_filter_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.value(value, depth);
        let has_false = |element: &Value| {
            matches!(element, Value::Flag(false) | Value::Number(0))
                || element.as_text() == Some("")
                || matches!(element, Value::List(all) if all.is_empty())
        };
        if elements(value).iter().any(has_false) {
            return None;
        }
        Some(match self.below(2) {
            0 => format!("list(filter(None, [None, *{}]))", operand(&source)),
            _ => format!("list(filter(lambda it: it is not None, {source}))"),
        })
    }

    fn by_list_call(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.value(value, depth);
        Some(match self.below(4) {
            0 => format!("list({source})"),
            1 => format!("list(tuple({source}))"),
            2 => format!("list(iter({source}))"),
            _ => format!("[*{}]", operand(&source)),
        })
    }

    fn by_generator_list(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, (left, right)) = (self.fresh(&["generate", "all_of", "walk"]), self.split(value));
        let (lines, ()) = self.block(false, |py| {
            for element in py.each(&left, depth) {
                py.emit(format!("yield {element}"));
            }
            let right = py.value(&right, depth);
            match py.below(2) {
                0 => py.emit(format!("yield from {right}")),
                _ => py.emit(format!("for it in {right}:\n    yield it")),
            }
        });
        self.emit(def(&name, "", &suite_of(&lines)));
        Some(if self.chance(50) { format!("list({name}())") } else { format!("[*{name}()]") })
    }

    fn by_generator_expression(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, name) = (self.source(value, depth), self.fresh(&["lazy", "stream"]));
        self.emit(format!("{name} = (it for it in {source})"));
        Some(format!("list({name})"))
    }

    fn by_conditional_append(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        self.emit(format!("{name} = []"));
        for element in elements(value) {
            let truth = self.chance(70);
            let (test, decoy) = (self.flag(truth, depth), self.decoy(element));
            let given = if truth { element } else { &decoy };
            let body = self.suite(|py| {
                let text = py.value(given, depth);
                py.emit(format!("{name}.append({text})"));
            });
            self.emit(format!("if {test}:\n{body}"));
            if !truth {
                let text = self.value(element, depth);
                self.emit(format!("{name}.append({text})"));
            }
        }
        Some(name)
    }

    fn by_conditional_star(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.parts(value, depth);
        let (yes, no) = (self.flag(true, depth), self.flag(false, depth));
        let decoy = elements(value).first().cloned().map(|element| self.decoy(&element))?;
        let (left, right, other) = (operand(&left), operand(&right), self.value(&decoy, depth));
        Some(format!("[*{left}, *([{other}] if {} else []), *({right} if {} else [])]", operand(&no), operand(&yes)))
    }

    fn by_list_recursion(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.at_top(|py| {
            let name = py.fresh(&["flatten", "collect", "gather_all"]);
            let body = match py.below(2) {
                0 => format!(
                    "    if not items:\n        return []\n    first, *rest = items\n    return [first] + {name}(rest)"
                ),
                _ => format!("    return [] if at == len(items) else [items[at], *{name}(items, at + 1)]"),
            };
            py.emit(def(&name, "items, at=0", &body));
            name
        });
        let source = self.value(value, depth);
        Some(format!("{name}({source})"))
    }

    fn by_registry_function(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, add) =
            (self.fresh(&["registry", "collected", "REGISTRY"]), self.fresh(&["register", "define", "add"]));
        let returns = self.pick(&["", "\n    return item"]);
        self.emit(format!("{name} = []\n{}", def(&add, "item", &format!("    {name}.append(item){returns}"))));
        for element in self.each(value, depth) {
            self.emit(format!("{add}({element})"));
        }
        Some(name)
    }

    fn by_registry_class(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (kind, name) = (self.fresh(&["Registry", "Catalog", "Collection"]), self.fresh(&["catalog", "store"]));
        let members = [
            def("__init__", "self", "    self._items = []"),
            def("add", "self, item", "    self._items.append(item)\n    return self"),
            format!("@property\n{}", def("everything", "self", "    return list(self._items)")),
            def("__iter__", "self", "    return iter(self._items)"),
            def("__len__", "self", "    return len(self._items)"),
        ];
        self.emit(format!("{}\n{name} = {kind}()", class(&kind, "", &members)));
        for element in self.each(value, depth) {
            self.emit(format!("{name}.add({element})"));
        }
        Some(match self.below(3) {
            0 => format!("list({name})"),
            1 => format!("[it for it in {name}]"),
            _ => format!("{name}.everything"),
        })
    }

    fn by_class_registry(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (kind, own) = (self.fresh(&["Registry", "Plugins"]), self.fresh(&["Special", "Extended"]));
        let add =
            format!("@classmethod\n{}", def("register", "cls, item", "    cls.items.append(item)\n    return item"));
        self.emit(format!("{}\n{}", class(&kind, "", &["items = []".to_string(), add]), class(&own, &kind, &[])));
        for element in self.each(value, depth) {
            let target = if self.chance(30) { own.clone() } else { kind.clone() };
            self.emit(format!("{target}.register({element})"));
        }
        Some(format!("{kind}.items"))
    }

    fn by_decorator_registry(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, add) = (self.fresh(&["registered", "PROVIDERS"]), self.fresh(&["provides", "provider"]));
        self.emit(format!(
            "{name} = []\n{}",
            def(&add, "function", &format!("    {name}.append(function)\n    return function"))
        ));
        for element in elements(value) {
            let provider = self.fresh(&["provide", "build_one"]);
            let suite = self.returning(false, |py| py.value(element, depth));
            self.emit(format!("@{add}\n{}", def(&provider, "", &suite)));
        }
        Some(format!("[provider() for provider in {name}]"))
    }

    fn by_dicts_of_names(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::Record(first) = elements(value).first()? else { return None };
        let (key, rest) = (first.first()?.0.clone(), first[1..].to_vec());
        let mut names = Vec::new();
        for element in elements(value) {
            let Value::Record(fields) = element else { return None };
            if fields.is_empty() || fields[1..] != rest[..] || fields[0].0 != key {
                return None;
            }
            names.push(fields[0].1.clone());
        }
        let (source, it) = (self.source(&Value::List(names), depth), self.fresh(&["name", "it"]));
        let mut entries = vec![(self.literal_key(&key), it.clone())];
        for (key, value) in &rest {
            let text = self.still(value, depth);
            entries.push((self.literal_key(key), self.steady(&["shared", "same"], &text)));
        }
        Some(format!("[{} for {it} in {source}]", super::dict_of(entries)))
    }

    fn by_names_of_dicts(&mut self, value: &Value, depth: u32) -> Option<String> {
        let key = self.pick(&["name", "id", "value"]);
        if elements(value).iter().any(|element| element.as_text().is_none()) {
            return None;
        }
        let records = elements(value).iter().enumerate().map(|(at, element)| {
            Value::Record(vec![(key.to_string(), element.clone()), ("rank".into(), Value::Number(at as i64))])
        });
        let source = self.source(&Value::List(records.collect()), depth);
        Some(format!("[row[\"{key}\"] for row in {source}]"))
    }

    fn by_del_element(&mut self, value: &Value, depth: u32) -> Option<String> {
        let mut mixed = elements(value).to_vec();
        let decoy = mixed.first().cloned().map(|element| self.decoy(&element))?;
        let (at, name) = (self.below(mixed.len()), self.name_for(value));
        mixed.insert(at, decoy);
        let source = self.value(&Value::List(mixed), depth);
        let how = self.pick(&["del NAME[AT]", "NAME.pop(AT)", "del NAME[AT:AT + 1]"]);
        self.emit(format!("{name} = list({source})\n{}", how.replace("NAME", &name).replace("AT", &at.to_string())));
        Some(name)
    }

    fn by_remove(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, name) = (self.value(value, depth), self.name_for(value));
        self.emit(format!("{name} = [*{}, \"extra\"]\n{name}.remove(\"extra\")", operand(&source)));
        Some(name)
    }

    fn by_times(&mut self, value: &Value, depth: u32) -> Option<String> {
        let source = self.value(value, depth);
        let once = operand(&self.number(1, depth));
        Some(match self.below(2) {
            0 => format!("{} * {once}", operand(&source)),
            _ => format!("{}[0]", list_of(vec![source])),
        })
    }
}
