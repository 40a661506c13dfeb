//! Arrays by way of other collections, registries and conditions.

use super::lists::elements;
use super::{Form, Js, Value, atom, braced, list_of};

pub(super) const FORMS: &[Form] = &[
    ("registry function", Js::by_registry_function),
    ("registry class", Js::by_registry_class),
    ("static registry", Js::by_static_registry),
    ("conditional spread", Js::by_conditional_spread),
    ("conditional push", Js::by_conditional_push),
    ("accumulating recursion", Js::by_list_recursion),
    ("forEach push", Js::by_for_each_push),
    ("grouping", Js::by_grouping),
    ("length truncation", Js::by_truncation),
    ("spread of a Set", Js::by_spread_set),
    ("spread of Map values", Js::by_spread_map),
    ("values of an object", Js::by_values),
    ("entries of an object", Js::by_entries),
    ("keys of an object", Js::by_keys),
    ("spread of a generator", Js::by_spread_generator),
    ("Promise.all", Js::by_promise_all),
    ("records to fields", Js::by_fields_of_records),
    ("names to records", Js::by_records_of_names),
];

impl Js {
    fn by_registry_function(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, add) = (self.fresh(&["registry", "collected", "TOOLS"]), self.fresh(&["register", "define", "add"]));
        let returns =
            self.pick(&["", "\n  return definition;", "\n  return registry.length;"]).replace("registry", &name);
        self.emit(format!(
            "const {name} = [];\nfunction {add}(definition) {{\n  {name}.push(definition);{returns}\n}}"
        ));
        for element in self.each(value, depth) {
            self.emit(format!("{add}({element});"));
        }
        Some(name)
    }

    fn by_registry_class(&mut self, value: &Value, depth: u32) -> Option<String> {
        let class = self.fresh(&["Registry", "Catalog", "Collection"]);
        let is_private = self.chance(50);
        let field = if is_private { "#items" } else { "items" };
        self.emit(format!(
            "class {class} {{\n  {field} = [];\n  add(item) {{\n    this.{field}.push(item);\n    return this;\n  }}\n  get all() {{\n    return [...this.{field}];\n  }}\n}}"
        ));
        let name = self.fresh(&["registry", "catalog", "store"]);
        self.emit(format!("const {name} = new {class}();"));
        let elements = self.each(value, depth);
        if self.chance(40) && !elements.is_empty() {
            let steps: Vec<String> = elements.iter().map(|element| format!(".add({element})")).collect();
            self.emit(format!("{name}{};", steps.concat()));
        } else {
            for element in elements {
                self.emit(format!("{name}.add({element});"));
            }
        }
        Some(format!("{name}.all"))
    }

    fn by_static_registry(&mut self, value: &Value, depth: u32) -> Option<String> {
        let class = self.fresh(&["Registry", "Tools", "Plugins"]);
        self.emit(format!(
            "class {class} {{\n  static items = [];\n  static register(item) {{\n    this.items.push(item);\n  }}\n}}"
        ));
        let own = self.fresh(&["Special", "Extended"]);
        self.emit(format!("class {own} extends {class} {{}}"));
        for element in self.each(value, depth) {
            let target = if self.chance(30) { own.clone() } else { class.clone() };
            self.emit(format!("{target}.register({element});"));
        }
        Some(format!("{class}.items"))
    }

    fn by_conditional_spread(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.parts(value, depth);
        let (yes, no) = (self.flag(true, depth), self.flag(false, depth));
        let decoy = elements(value).first().cloned().map(|element| self.decoy(&element))?;
        let other = self.value(&decoy, depth);
        Some(format!(
            "[...{}, ...({} ? [{other}] : []), ...({} ? {right} : [])]",
            atom(&left),
            super::operand(&no),
            super::operand(&yes)
        ))
    }

    fn by_conditional_push(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        self.emit(format!("const {name} = [];"));
        for element in elements(value) {
            let truth = self.chance(70);
            let test = self.flag(truth, depth);
            let decoy = self.decoy(element);
            let given = if truth { element } else { &decoy };
            let body = self.braces(|js| {
                let text = js.value(given, depth);
                js.emit(format!("{name}.push({text});"));
            });
            self.emit(format!("if ({test}) {body}"));
            if !truth {
                let text = self.value(element, depth);
                self.emit(format!("{name}.push({text});"));
            }
        }
        Some(name)
    }

    fn by_list_recursion(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.at_top(|js| {
            let name = js.fresh(&["flatten", "collect", "gather"]);
            let body = match js.below(2) {
                0 => format!("([first, ...rest]) => (first === undefined ? [] : [first, ...{name}(rest)])"),
                _ => format!("(list, at = 0) => (at < list.length ? [list[at], ...{name}(list, at + 1)] : [])"),
            };
            js.emit(format!("const {name} = {body};"));
            name
        });
        let source = self.value(value, depth);
        Some(format!("{name}({source})"))
    }

    fn by_for_each_push(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, name) = (self.value(value, depth), self.name_for(value));
        self.emit(format!("const {name} = [];"));
        let source = atom(&source);
        match self.below(3) {
            0 => self.emit(format!("{source}.forEach((element) => {name}.push(element));")),
            1 => self.emit(format!("{source}.forEach((element, at) => {{\n  {name}[at] = element;\n}});")),
            _ => self.emit(format!("new Set({source}).forEach((element) => {{\n  {name}.push(element);\n}});")),
        }
        Some(name)
    }

    fn by_grouping(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (left, right) = self.split(value);
        let (left, right) = (self.each(&left, depth), self.each(&right, depth));
        let name = self.fresh(&["groups", "sections", "buckets"]);
        self.emit(format!("const {name} = {{}};"));
        for (key, group) in [("a", left), ("b", right)] {
            for element in group {
                self.emit(format!("({name}[\"{key}\"] ??= []).push({element});"));
            }
        }
        Some(format!("[...({name}.a ?? []), ...({name}.b ?? [])]"))
    }

    fn by_truncation(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (source, name) = (self.value(value, depth), self.name_for(value));
        let count = elements(value).len();
        self.emit(format!("const {name} = [...{}, null];\n{name}.length = {count};", atom(&source)));
        Some(name)
    }

    fn by_spread_set(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["set", "unique", "all"]);
        match self.below(3) {
            0 => {
                let source = self.value(value, depth);
                self.emit(format!("const {name} = new Set({source});"));
            }
            1 => {
                self.emit(format!("const {name} = new Set();"));
                for element in self.each(value, depth) {
                    self.emit(format!("{name}.add({element});"));
                }
            }
            _ => {
                let steps: Vec<String> =
                    self.each(value, depth).iter().map(|element| format!("\n  .add({element})")).collect();
                self.emit(format!("const {name} = new Set(){};", steps.concat()));
            }
        }
        Some(format!("[...{name}]"))
    }

    fn by_spread_map(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["byName", "table", "index"]);
        let elements = self.each(value, depth);
        if self.chance(50) {
            let entries = elements.iter().enumerate().map(|(at, element)| format!("[\"k{at}\", {element}]")).collect();
            self.emit(format!("const {name} = new Map({});", list_of(entries)));
        } else {
            self.emit(format!("const {name} = new Map();"));
            for (at, element) in elements.iter().enumerate() {
                self.emit(format!("{name}.set(\"k{at}\", {element});"));
            }
        }
        Some(match self.below(4) {
            0 => format!("[...{name}.values()]"),
            1 => format!("Array.from({name}.values())"),
            2 => format!("[...{name}].map(([, element]) => element)"),
            _ => format!("[...{name}.keys()].map((key) => {name}.get(key))"),
        })
    }

    fn by_values(&mut self, value: &Value, depth: u32) -> Option<String> {
        let fields = elements(value).iter().enumerate().map(|(at, element)| (format!("k{at}"), element.clone()));
        let object = self.value(&Value::Record(fields.collect()), depth);
        Some(format!("Object.values({object})"))
    }

    pub(super) fn by_entries(&mut self, value: &Value, depth: u32) -> Option<String> {
        // Records become a table from their first field to the rest.
        let mut fields = Vec::new();
        let first = elements(value).first().and_then(|element| match element {
            Value::Record(fields) => fields.first().map(|(key, _)| key.clone()),
            _ => None,
        })?;
        for element in elements(value) {
            let Value::Record(own) = element else { return None };
            let key = element.field(&first)?.as_text()?.to_string();
            if fields.iter().any(|(taken, _)| *taken == key) || key.parse::<u32>().is_ok() {
                return None;
            }
            fields.push((key, Value::Record(own.iter().filter(|(name, _)| *name != first).cloned().collect())));
        }
        let object = self.value(&Value::Record(fields), depth);
        Some(match self.below(3) {
            0 => format!("Object.entries({object}).map(([{first}, rest]) => ({{ {first}, ...rest }}))"),
            1 => format!("Object.entries({object}).map(([key, rest]) => Object.assign({{ {first}: key }}, rest))"),
            _ => {
                let object = self.named(&["table", "catalog"], &object);
                format!("Object.keys({object}).map((key) => ({{ ...{object}[key], {first}: key }}))")
            }
        })
    }

    pub(super) fn by_keys(&mut self, value: &Value, depth: u32) -> Option<String> {
        let mut fields: Vec<(String, Value)> = Vec::new();
        for element in elements(value) {
            let key = element.as_text().filter(|key| !key.is_empty() && key.parse::<u32>().is_err())?;
            if fields.iter().any(|(taken, _)| taken == key) {
                return None;
            }
            fields.push((key.to_string(), Value::Handler));
        }
        let object = self.value(&Value::Record(fields), depth);
        Some(match self.below(3) {
            0 => format!("Object.keys({object})"),
            1 => format!("Object.entries({object}).map(([key]) => key)"),
            _ => format!("Object.getOwnPropertyNames({object})"),
        })
    }

    fn by_spread_generator(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["generate", "allOf", "walk"]);
        let (left, right) = self.split(value);
        let (lines, ()) = self.block(false, |js| {
            for element in js.each(&left, depth) {
                js.emit(format!("yield {element};"));
            }
            let right = js.value(&right, depth);
            match js.below(2) {
                0 => js.emit(format!("yield* {};", atom(&right))),
                _ => js.emit(format!("for (const element of {right}) {{\n  yield element;\n}}")),
            }
        });
        self.emit(format!("function* {name}() {}", braced(&lines)));
        Some(format!("[...{name}()]"))
    }

    fn by_promise_all(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.core.awaits() {
            return None;
        }
        let source = self.value(value, depth);
        Some(match self.below(3) {
            0 => format!("await Promise.all({})", source),
            1 => format!("await Promise.all({}.map(async (element) => element))", atom(&source)),
            _ => format!("(await Promise.allSettled({source})).map((settled) => settled.value)"),
        })
    }

    fn by_fields_of_records(&mut self, value: &Value, depth: u32) -> Option<String> {
        let key = self.pick(&["name", "id", "value"]);
        if elements(value).iter().any(|element| element.as_text().is_none()) {
            return None;
        }
        let records = elements(value).iter().enumerate().map(|(at, element)| {
            Value::Record(vec![(key.to_string(), element.clone()), ("rank".into(), Value::Number(at as i64))])
        });
        let source = atom(&self.value(&Value::List(records.collect()), depth));
        Some(match self.below(2) {
            0 => format!("{source}.map((entry) => entry.{key})"),
            _ => format!("{source}.map(({{ {key} }}) => {key})"),
        })
    }

    /// The only field of records that have one, or the first text of all, if the others are equal.
    pub(super) fn by_records_of_names(&mut self, value: &Value, depth: u32) -> Option<String> {
        let Value::Record(first) = elements(value).first()? else { return None };
        let (key, rest) = (first.first()?.0.clone(), first[1..].to_vec());
        let mut names = Vec::new();
        for element in elements(value) {
            let Value::Record(fields) = element else { return None };
            if fields[1..] != rest[..] || fields[0].0 != key {
                return None;
            }
            names.push(fields[0].1.clone());
        }
        let source = atom(&self.value(&Value::List(names), depth));
        let param = self.core.fresh(&key);
        let arrow = self.arrow(&param, |js| {
            let rest: Vec<(String, String)> =
                rest.iter().map(|(key, value)| (key.clone(), js.value(value, depth))).collect();
            let mut fields = vec![(key.clone(), param.clone())];
            fields.extend(rest);
            super::object_of(fields)
        });
        Some(format!("{source}.map({arrow})"))
    }
}
