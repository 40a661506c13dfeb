//! Variables, assignment, destructuring and choices between values.

use super::{Form, Js, Value, member, operand};

pub(super) const FORMS: &[Form] = &[
    ("const", Js::by_const),
    ("let", Js::by_let),
    ("var", Js::by_var),
    ("assignment", Js::by_assignment),
    ("assignment expression", Js::by_assignment_expression),
    ("swap", Js::by_swap),
    ("ternary", Js::by_ternary),
    ("&&", Js::by_and),
    ("||", Js::by_or),
    ("??", Js::by_nullish),
    ("&&= ||= ??=", Js::by_logical_assignment),
    ("sequence", Js::by_sequence),
    ("object destructuring", Js::by_object_pattern),
    ("object destructuring with default", Js::by_object_default),
    ("object destructuring with rest", Js::by_object_rest),
    ("nested destructuring", Js::by_nested_pattern),
    ("array destructuring", Js::by_array_pattern),
    ("array destructuring with default", Js::by_array_default),
    ("array destructuring with rest", Js::by_array_rest),
    ("destructuring assignment", Js::by_pattern_assignment),
    ("shadowing block", Js::by_shadowing),
];

impl Js {
    /// A new name for a value.
    pub(super) fn name_for(&mut self, value: &Value) -> String {
        match value {
            Value::Text(_) => self.fresh(&["prefix", "label", "name", "word", "part", "id", "PREFIX", "NAME"]),
            Value::Number(_) => self.fresh(&["count", "index", "size", "limit", "n"]),
            Value::Flag(_) => self.fresh(&["enabled", "isReady", "verbose", "flag"]),
            Value::List(_) => self.fresh(&["tools", "items", "all", "list", "entries", "TOOLS", "defs"]),
            Value::Record(_) => self.fresh(&["tool", "def", "entry", "options", "item", "config"]),
            Value::Handler => self.fresh(&["run", "handle", "handler"]),
        }
    }

    /// Remembers a constant that may be used again.
    pub(super) fn know(&mut self, name: &str, value: &Value) {
        if matches!(value, Value::Text(_)) {
            self.core.know(name, value);
        }
    }

    fn by_const(&mut self, value: &Value, depth: u32) -> Option<String> {
        self.somewhere(|js| {
            let (text, name) = (js.value(value, depth), js.name_for(value));
            js.emit(format!("const {name} = {text};"));
            js.know(&name, value);
            Some(name)
        })
    }

    fn by_let(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, name) = (self.value(value, depth), self.name_for(value));
        self.emit(format!("let {name} = {text};"));
        Some(name)
    }

    fn by_var(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, name) = (self.value(value, depth), self.name_for(value));
        self.emit(format!("var {name} = {text};"));
        self.know(&name, value);
        Some(name)
    }

    fn by_assignment(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        match self.below(3) {
            0 => self.emit(format!("let {name};")),
            1 => {
                let other = self.decoy(value);
                let other = self.value(&other, depth);
                self.emit(format!("let {name} = {other};"));
            }
            _ => self.emit(format!("let {name} = null;")),
        }
        let text = self.value(value, depth);
        self.emit(format!("{name} = {text};"));
        Some(name)
    }

    fn by_assignment_expression(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        self.emit(format!("let {name};"));
        let text = self.value(value, depth);
        Some(format!("({name} = {text})"))
    }

    fn by_swap(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let (right, left) = (self.value(value, depth), self.value(&decoy, depth));
        let (first, second) = (self.fresh(&["left", "first", "a"]), self.fresh(&["right", "second", "b"]));
        self.emit(format!(
            "let {first} = {left};\nlet {second} = {right};\n[{first}, {second}] = [{second}, {first}];"
        ));
        Some(first)
    }

    fn by_ternary(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = self.chance(60);
        let decoy = self.decoy(value);
        let (test, text, other) = (self.flag(truth, depth), self.value(value, depth), self.value(&decoy, depth));
        let test = operand(&test);
        Some(if truth { format!("{test} ? {text} : {other}") } else { format!("{test} ? {other} : {text}") })
    }

    fn by_and(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (test, text) = (self.flag(true, depth), self.value(value, depth));
        Some(format!("{} && {}", operand(&test), operand(&text)))
    }

    fn by_or(&mut self, value: &Value, depth: u32) -> Option<String> {
        if matches!(value, Value::Flag(_) | Value::Number(0)) || value.as_text() == Some("") {
            return None;
        }
        let text = operand(&self.value(value, depth));
        if self.chance(50) {
            let decoy = self.decoy(value);
            let other = self.value(&decoy, depth);
            return Some(format!("{text} || {}", operand(&other)));
        }
        let nothing = self.pick(&["\"\"", "null", "undefined", "0", "false"]);
        Some(format!("{nothing} || {text}"))
    }

    fn by_nullish(&mut self, value: &Value, depth: u32) -> Option<String> {
        let text = operand(&self.value(value, depth));
        if self.chance(50) {
            let decoy = self.decoy(value);
            let other = self.value(&decoy, depth);
            return Some(format!("{text} ?? {}", operand(&other)));
        }
        let object = self.fresh(&["settings", "opts", "given"]);
        self.emit(format!("const {object} = {{}};"));
        Some(format!("{object}.missing ?? {text}"))
    }

    fn by_logical_assignment(&mut self, value: &Value, depth: u32) -> Option<String> {
        if matches!(value, Value::Flag(_) | Value::Number(0)) || value.as_text() == Some("") {
            return None;
        }
        let (text, name) = (self.value(value, depth), self.name_for(value));
        let decoy = self.decoy(value);
        match self.below(4) {
            0 => self.emit(format!("let {name} = null;\n{name} ??= {text};")),
            1 => self.emit(format!("let {name} = \"\";\n{name} ||= {text};")),
            2 => self.emit(format!("let {name} = true;\n{name} &&= {text};")),
            _ => {
                let other = self.value(&decoy, depth);
                self.emit(format!("let {name} = {text};\n{name} ??= {other};"));
            }
        }
        Some(name)
    }

    fn by_sequence(&mut self, value: &Value, depth: u32) -> Option<String> {
        let count = self.fresh(&["calls", "used", "hits"]);
        self.emit(format!("let {count} = 0;"));
        let text = self.value(value, depth);
        Some(format!("({count}++, {text})"))
    }

    fn by_object_pattern(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let decoy = self.decoy(value);
        let (object, is_renamed) = (vec![("other", decoy), (name.as_str(), value.clone())], self.chance(40));
        let key = if is_renamed { "inner" } else { name.as_str() };
        let fields = object.into_iter().map(|(at, value)| (if at == name { key } else { at }.to_string(), value));
        let text = self.value(&Value::Record(fields.collect()), depth);
        let pattern = if is_renamed { format!("inner: {name}") } else { name.clone() };
        self.emit(format!("const {{ {pattern} }} = {text};"));
        self.know(&name, value);
        Some(name)
    }

    fn by_object_default(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let text = self.value(value, depth);
        let other = self.literal("other");
        self.emit(format!("const {{ {name} = {text} }} = {{ kind: {other} }};"));
        Some(name)
    }

    fn by_object_rest(&mut self, value: &Value, depth: u32) -> Option<String> {
        let rest = self.fresh(&["rest", "others", "more"]);
        let object = Value::Record(vec![("kind".into(), Value::text("a")), ("inner".into(), value.clone())]);
        let text = self.value(&object, depth);
        let kind = self.fresh(&["kind", "type"]);
        self.emit(format!("const {{ kind: {kind}, ...{rest} }} = {text};"));
        Some(member(&rest, "inner"))
    }

    fn by_nested_pattern(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let text = self.value(value, depth);
        let pattern = match self.below(3) {
            0 => format!("{{ a: {{ b: {name} }} }} = {{ a: {{ b: {text} }} }}"),
            1 => format!("[{{ a: [{name}] }}] = [{{ a: [{text}] }}]"),
            _ => format!("{{ a: {{ b: [, {name}] = [] }} = {{}} }} = {{ a: {{ b: [0, {text}] }} }}"),
        };
        self.emit(format!("const {pattern};"));
        Some(name)
    }

    fn by_array_pattern(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let decoy = self.decoy(value);
        let (pattern, elements) = match self.below(3) {
            0 => (format!("[{name}]"), vec![value.clone(), decoy]),
            1 => (format!("[, {name}]"), vec![decoy, value.clone()]),
            _ => (format!("[, , {name}]"), vec![decoy.clone(), decoy, value.clone()]),
        };
        let text = self.value(&Value::List(elements), depth);
        self.emit(format!("const {pattern} = {text};"));
        self.know(&name, value);
        Some(name)
    }

    fn by_array_default(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let text = self.value(value, depth);
        let source = self.pick(&["[]", "[undefined]"]);
        self.emit(format!("const [{name} = {text}] = {source};"));
        Some(name)
    }

    fn by_array_rest(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (first, rest) = (self.fresh(&["first", "head"]), self.fresh(&["rest", "tail"]));
        let decoy = self.decoy(value);
        let text = self.value(&Value::List(vec![decoy.clone(), decoy, value.clone()]), depth);
        self.emit(format!("const [{first}, ...{rest}] = {text};"));
        Some(format!("{rest}[1]"))
    }

    fn by_pattern_assignment(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        let text = self.value(value, depth);
        match self.below(3) {
            0 => self.emit(format!("let {name};\n({{ a: {name} }} = {{ a: {text} }});")),
            1 => self.emit(format!("let {name};\n[{name}] = [{text}];")),
            _ => {
                self.emit(format!("const {name} = {{}};\n[{name}.a, {name}.b] = [0, {text}];"));
                return Some(format!("{name}.b"));
            }
        }
        Some(name)
    }

    fn by_shadowing(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, name) = (self.value(value, depth), self.name_for(value));
        let decoy = self.decoy(value);
        let other = self.plain(&decoy, 0);
        self.emit(format!("const {name} = {text};"));
        let seen = self.fresh(&["seen", "log"]);
        self.emit(format!("const {seen} = [];\n{{\n  const {name} = {other};\n  {seen}.push({name});\n}}"));
        self.know(&name, value);
        Some(name)
    }
}
