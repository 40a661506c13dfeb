//! Variables, assignment, unpacking and choices between values.

use super::{Form, Py, Value, def, operand};

pub(super) const FORMS: &[Form] = &[
    ("assignment", Py::by_assignment),
    ("annotated assignment", Py::by_annotated),
    ("chained assignment", Py::by_chain),
    ("reassignment", Py::by_reassignment),
    ("tuple unpacking", Py::by_unpacking),
    ("starred unpacking", Py::by_starred),
    ("nested unpacking", Py::by_nested),
    ("swap", Py::by_swap),
    ("conditional expression", Py::by_conditional),
    ("and", Py::by_and),
    ("or", Py::by_or),
    ("walrus", Py::by_walrus),
    ("walrus in if", Py::by_walrus_if),
    ("global", Py::by_global),
    ("nonlocal", Py::by_nonlocal),
    ("globals()", Py::by_globals),
    ("del", Py::by_del),
    ("shadowing in function", Py::by_shadowing),
    ("index by bool", Py::by_bool_index),
];

impl Py {
    /// A new name for a value.
    pub(super) fn name_for(&mut self, value: &Value) -> String {
        match value {
            Value::Text(_) => self.fresh(&["prefix", "label", "title", "word", "part", "PREFIX", "NAME", "base"]),
            Value::Number(_) => self.fresh(&["count", "position", "size", "limit", "n"]),
            Value::Flag(_) => self.fresh(&["enabled", "is_ready", "verbose", "flag"]),
            Value::List(_) => self.fresh(&["tools", "items", "everything", "entries", "TOOLS", "defs"]),
            Value::Record(_) => self.fresh(&["tool_def", "entry", "options", "item", "config"]),
            Value::Handler => self.fresh(&["run", "handle", "handler"]),
        }
    }

    /// Remembers a constant that may be used again.
    pub(super) fn know(&mut self, name: &str, value: &Value) {
        if matches!(value, Value::Text(_)) {
            self.core.know(name, value);
        }
    }

    fn by_assignment(&mut self, value: &Value, depth: u32) -> Option<String> {
        self.somewhere(|py| {
            let (text, name) = (py.value(value, depth), py.name_for(value));
            py.emit(format!("{name} = {text}"));
            py.know(&name, value);
            Some(name)
        })
    }

    fn by_annotated(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, name) = (self.value(value, depth), self.name_for(value));
        let kind = match value {
            Value::Text(_) => "str",
            Value::Number(_) => "int",
            Value::Flag(_) => "bool",
            Value::List(_) => "list",
            _ => "object",
        };
        if self.chance(25) {
            self.emit(format!("{name}: {kind}\n{name} = {text}"));
        } else {
            self.emit(format!("{name}: {kind} = {text}"));
        }
        self.know(&name, value);
        Some(name)
    }

    fn by_chain(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, first, second) = (self.value(value, depth), self.name_for(value), self.name_for(value));
        self.emit(format!("{first} = {second} = {text}"));
        Some(second)
    }

    fn by_reassignment(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let other = if self.chance(50) { "None".to_string() } else { self.value(&decoy, depth) };
        self.emit(format!("{name} = {other}"));
        let text = self.value(value, depth);
        self.emit(format!("{name} = {text}"));
        Some(name)
    }

    fn by_unpacking(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy, other) = (self.name_for(value), self.decoy(value), self.fresh(&["_", "other", "ignored"]));
        match self.below(3) {
            0 => {
                let (text, junk) = (self.value(value, depth), self.value(&decoy, depth));
                self.emit(format!("{name}, {other} = {}, {}", operand(&text), operand(&junk)));
            }
            1 => {
                let list = self.value(&Value::List(vec![decoy, value.clone()]), depth);
                self.emit(format!("{other}, {name} = {list}"));
            }
            _ => {
                let list = self.value(&Value::List(vec![value.clone()]), depth);
                self.emit(format!("[{name}] = {list}"));
            }
        }
        self.know(&name, value);
        Some(name)
    }

    fn by_starred(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (first, rest) = (self.fresh(&["first", "head"]), self.fresh(&["rest", "others"]));
        let decoy = self.decoy(value);
        let list = Value::List(vec![decoy.clone(), value.clone(), decoy]);
        let text = self.value(&list, depth);
        Some(match self.below(2) {
            0 => {
                self.emit(format!("{first}, *{rest} = {text}"));
                format!("{rest}[0]")
            }
            _ => {
                let last = self.fresh(&["last", "tail"]);
                self.emit(format!("{first}, *{rest}, {last} = {text}"));
                format!("{rest}[0]")
            }
        })
    }

    fn by_nested(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.name_for(value), self.value(value, depth));
        let other = self.fresh(&["_", "number"]);
        let pattern = self.pick(&["(A, (B, _)) = (1, (TEXT, 2))", "A, [B] = 1, [TEXT]", "((A, B),) = [(1, TEXT)]"]);
        self.emit(pattern.replace('A', &other).replace('B', &name).replace("TEXT", &operand(&text)));
        Some(name)
    }

    fn by_swap(&mut self, value: &Value, depth: u32) -> Option<String> {
        let decoy = self.decoy(value);
        let (right, left) = (self.value(value, depth), self.value(&decoy, depth));
        let (first, second) = (self.fresh(&["left", "first", "a"]), self.fresh(&["right", "second", "b"]));
        self.emit(format!("{first} = {left}\n{second} = {right}\n{first}, {second} = {second}, {first}"));
        Some(first)
    }

    fn by_conditional(&mut self, value: &Value, depth: u32) -> Option<String> {
        let truth = self.chance(60);
        let decoy = self.decoy(value);
        let (test, text, other) = (self.flag(truth, depth), self.value(value, depth), self.value(&decoy, depth));
        let (test, text, other) = (operand(&test), operand(&text), operand(&other));
        Some(if truth { format!("{text} if {test} else {other}") } else { format!("{other} if {test} else {text}") })
    }

    fn by_and(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (test, text) = (self.flag(true, depth), self.value(value, depth));
        Some(format!("{} and {}", operand(&test), operand(&text)))
    }

    fn by_or(&mut self, value: &Value, depth: u32) -> Option<String> {
        let is_true = match value {
            Value::Text(text) => !text.is_empty(),
            Value::List(elements) => !elements.is_empty(),
            Value::Record(fields) => !fields.is_empty(),
            Value::Number(_) | Value::Flag(_) => false,
            Value::Handler => true,
        };
        let text = operand(&self.value(value, depth));
        if is_true && self.chance(50) {
            let decoy = self.decoy(value);
            let other = self.value(&decoy, depth);
            return Some(format!("{text} or {}", operand(&other)));
        }
        let nothing = self.pick(&["None", "\"\"", "[]", "0", "{}", "()", "False"]);
        Some(format!("{nothing} or {text}"))
    }

    fn by_walrus(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, name) = (self.value(value, depth), self.name_for(value));
        if text.starts_with("lambda") {
            return None;
        }
        Some(format!("({name} := {text})"))
    }

    fn by_walrus_if(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, name, result) = (self.value(value, depth), self.name_for(value), self.name_for(value));
        self.emit(format!("{result} = None\nif ({name} := {}) is not None:\n    {result} = {name}", operand(&text)));
        Some(result)
    }

    fn by_global(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        self.at_top(|py| {
            let function = py.fresh(&["configure", "set_up", "load"]);
            let (mut lines, text) = py.block(false, |py| py.value(value, depth));
            lines.insert(0, format!("global {name}"));
            lines.push(format!("{name} = {text}"));
            py.emit(format!("{name} = None\n{}\n{function}()", def(&function, "", &super::suite_of(&lines))));
        });
        Some(name)
    }

    fn by_nonlocal(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (outer, inner) = (self.fresh(&["outer", "make", "build"]), self.fresh(&["inner", "change", "fill"]));
        let (mut lines, text) = self.block(false, |py| py.value(value, depth));
        lines.insert(0, "nonlocal kept".to_string());
        lines.push(format!("kept = {text}"));
        let body = [
            "kept = None".to_string(),
            def(&inner, "", &super::suite_of(&lines)),
            format!("{inner}()"),
            "return kept".to_string(),
        ];
        self.emit(def(&outer, "", &super::suite_of(&body)));
        Some(format!("{outer}()"))
    }

    fn by_globals(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.name_for(value);
        self.at_top(|py| {
            let text = py.value(value, depth);
            if py.chance(50) {
                py.emit(format!("{name} = {text}"));
            } else {
                py.emit(format!("globals()[\"{name}\"] = {text}"));
            }
        });
        Some(if self.chance(60) { format!("globals()[\"{name}\"]") } else { name })
    }

    fn by_del(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text, decoy) = (self.fresh(&["table", "choices"]), self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        self.emit(format!("{name} = {{\"extra\": {other}, \"it\": {text}}}\ndel {name}[\"extra\"]"));
        Some(match self.below(2) {
            0 => format!("list({name}.values())[0]"),
            _ => format!("{name}[\"it\"]"),
        })
    }

    fn by_shadowing(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (text, name, decoy) = (self.value(value, depth), self.name_for(value), self.decoy(value));
        let (function, other) = (self.fresh(&["unrelated", "local_only"]), self.plain(&decoy, 0));
        let suite = super::suite_of(&[format!("{name} = {other}"), format!("return {name}")]);
        self.emit(format!("{name} = {text}\n{}\n{function}()", def(&function, "", &suite)));
        Some(name)
    }

    fn by_bool_index(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (truth, decoy) = (self.chance(50), self.decoy(value));
        let (text, other, test) = (self.value(value, depth), self.value(&decoy, depth), self.flag(truth, depth));
        let (first, second) = if truth { (other, text) } else { (text, other) };
        Some(format!("({}, {})[bool({test})]", operand(&first), operand(&second)))
    }
}
