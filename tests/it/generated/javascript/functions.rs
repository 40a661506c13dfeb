//! Functions of every kind, and the ways to call them.

use super::{Form, Js, Value, atom, braced};

pub(super) const FORMS: &[Form] = &[
    ("function declaration", Js::by_function),
    ("arrow function", Js::by_arrow),
    ("function expression", Js::by_function_expression),
    ("immediately called function", Js::by_immediate),
    ("async function", Js::by_async_function),
    ("await of a promise", Js::by_promise),
    ("async IIFE", Js::by_async_immediate),
    ("default parameter", Js::by_default_parameter),
    ("rest parameter", Js::by_rest_parameter),
    ("spread argument", Js::by_spread_argument),
    ("identity function", Js::by_identity),
    ("object parameter", Js::by_object_parameter),
    ("currying", Js::by_currying),
    ("closure factory", Js::by_closure),
    ("callback", Js::by_callback),
    ("call and apply", Js::by_call_apply),
    ("bind", Js::by_bind),
    ("recursion", Js::by_recursion),
    ("hoisted function", Js::by_hoisted),
    ("arguments object", Js::by_arguments),
    ("composition", Js::by_composition),
    ("memo", Js::by_memo),
    ("counter closure", Js::by_counter),
    ("function with a property", Js::by_function_property),
    ("early return", Js::by_early_return),
];

const NAMES: &[&str] = &["make", "build", "create", "get", "resolve", "compute", "pick"];

impl Js {
    fn by_function(&mut self, value: &Value, depth: u32) -> Option<String> {
        self.somewhere(|js| {
            let name = js.fresh(NAMES);
            let body = js.returning(false, |js| js.value(value, depth));
            js.emit(format!("function {name}() {body}"));
            Some(format!("{name}()"))
        })
    }

    fn by_arrow(&mut self, value: &Value, depth: u32) -> Option<String> {
        self.somewhere(|js| {
            let name = js.fresh(NAMES);
            let arrow = js.arrow("", |js| js.value(value, depth));
            js.emit(format!("const {name} = {arrow};"));
            Some(format!("{name}()"))
        })
    }

    fn by_function_expression(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(NAMES);
        let body = self.returning(false, |js| js.value(value, depth));
        let own = self.pick(&["", "inner", "self"]);
        self.emit(format!("const {name} = function {own}() {body};"));
        Some(format!("{name}()"))
    }

    fn by_immediate(&mut self, value: &Value, depth: u32) -> Option<String> {
        if self.chance(50) {
            let arrow = self.arrow("", |js| js.value(value, depth));
            return Some(format!("({arrow})()"));
        }
        let body = self.returning(false, |js| js.value(value, depth));
        Some(format!("(function () {body})()"))
    }

    fn by_async_function(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.core.awaits() {
            return None;
        }
        let name = self.somewhere(|js| {
            let name = js.fresh(&["load", "fetchAll", "prepare", "read"]);
            if js.chance(50) {
                let body = js.returning(true, |js| js.value(value, depth));
                js.emit(format!("async function {name}() {body}"));
            } else {
                let arrow = js.async_arrow("", |js| js.value(value, depth));
                js.emit(format!("const {name} = {arrow};"));
            }
            name
        });
        Some(format!("await {name}()"))
    }

    fn by_promise(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.core.awaits() {
            return None;
        }
        let text = self.value(value, depth);
        let way = if text.contains("await") { 0 } else { self.below(5) };
        Some(match way {
            0 => format!("await Promise.resolve({text})"),
            1 => format!("await new Promise((resolve) => resolve({text}))"),
            2 => format!("(await Promise.all([{text}, 0]))[0]"),
            3 => format!("await Promise.resolve({text}).then((done) => done)"),
            _ => format!("await {}", atom(&text)),
        })
    }

    fn by_async_immediate(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.core.awaits() {
            return None;
        }
        let arrow = self.async_arrow("", |js| js.value(value, depth));
        Some(format!("await ({arrow})()"))
    }

    fn by_default_parameter(&mut self, value: &Value, depth: u32) -> Option<String> {
        self.somewhere(|js| {
            let name = js.fresh(NAMES);
            let (text, param) = (js.still(value, depth), js.fresh(&["given", "value", "chosen"]));
            js.emit(format!("function {name}({param} = {text}) {{\n  return {param};\n}}"));
            let argument = js.pick(&["", "undefined"]);
            Some(format!("{name}({argument})"))
        })
    }

    fn by_rest_parameter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.somewhere(|js| {
            let name = js.fresh(&["last", "pickLast", "second"]);
            js.emit(format!("const {name} = (first, ...others) => others[0] ?? first;"));
            name
        });
        let decoy = self.decoy(value);
        let (other, text) = (self.value(&decoy, depth), self.value(value, depth));
        Some(format!("{name}({other}, {text})"))
    }

    fn by_spread_argument(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["second", "choose", "select"]);
        self.emit(format!("const {name} = (first, second) => second;"));
        let decoy = self.decoy(value);
        let text = self.value(&Value::List(vec![decoy, value.clone()]), depth);
        Some(format!("{name}(...{})", atom(&text)))
    }

    fn by_identity(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.somewhere(|js| {
            let name = js.fresh(&["same", "identity", "pass", "define"]);
            let text = match js.below(3) {
                0 => format!("function {name}(value) {{\n  return value;\n}}"),
                1 => format!("const {name} = (value) => value;"),
                _ => format!("const {name} = function (value) {{\n  const kept = value;\n  return kept;\n}};"),
            };
            js.emit(text);
            name
        });
        let text = self.value(value, depth);
        Some(format!("{name}({text})"))
    }

    fn by_object_parameter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["configure", "fromOptions", "unwrap"]);
        let decoy = self.decoy(value);
        let (other, param) = (self.still(&decoy, depth), self.fresh(&["given", "chosen"]));
        self.emit(format!("function {name}({{ {param} = {other}, ...rest }} = {{}}) {{\n  return {param};\n}}"));
        let text = self.value(value, depth);
        Some(format!("{name}({{ {param}: {text}, extra: 1 }})"))
    }

    fn by_currying(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.somewhere(|js| {
            let name = js.fresh(&["curry", "choose", "either"]);
            js.emit(format!("const {name} = (flag) => (left) => (right) => (flag ? left : right);"));
            name
        });
        let decoy = self.decoy(value);
        let (left, right) = (self.value(value, depth), self.value(&decoy, depth));
        let flag = self.flag(true, depth);
        Some(format!("{name}({flag})({left})({right})"))
    }

    fn by_closure(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.somewhere(|js| {
            let name = js.fresh(&["makeGetter", "constant", "lazy"]);
            js.emit(format!("function {name}(value) {{\n  return () => value;\n}}"));
            name
        });
        let text = self.value(value, depth);
        let getter = self.fresh(&["getter", "thunk", "lazyValue"]);
        self.emit(format!("const {getter} = {name}({text});"));
        Some(format!("{getter}()"))
    }

    fn by_callback(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["withValue", "use", "tap"]);
        let body = self.returning(false, |js| {
            let text = js.value(value, depth);
            format!("callback({text})")
        });
        self.emit(format!("function {name}(callback) {body}"));
        Some(format!("{name}((given) => given)"))
    }

    fn by_call_apply(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["second", "method", "choose"]);
        self.emit(format!("function {name}(first, second) {{\n  return this.use ? second : first;\n}}"));
        let decoy = self.decoy(value);
        let (other, text) = (self.value(&decoy, depth), self.value(value, depth));
        Some(match self.below(2) {
            0 => format!("{name}.call({{ use: true }}, {other}, {text})"),
            _ => format!("{name}.apply({{ use: true }}, [{other}, {text}])"),
        })
    }

    fn by_bind(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["read", "reader", "method"]);
        let text = self.value(value, depth);
        self.emit(format!("function {name}(key) {{\n  return this[key];\n}}"));
        Some(format!("{name}.bind({{ kept: {text} }})(\"kept\")"))
    }

    fn by_recursion(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["down", "descend", "again"]);
        let text = self.value(value, depth);
        self.emit(format!(
            "function {name}(left, value) {{\n  if (left === 0) return value;\n  return {name}(left - 1, value);\n}}"
        ));
        let turns = 1 + self.below(4);
        let turns = self.number(turns, depth);
        Some(format!("{name}({turns}, {text})"))
    }

    fn by_hoisted(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, result) = (self.fresh(NAMES), self.name_for(value));
        let body = self.returning(false, |js| js.value(value, depth));
        self.emit(format!("const {result} = {name}();\nfunction {name}() {body}"));
        self.know(&result, value);
        Some(result)
    }

    fn by_arguments(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["lastOf", "variadic", "any"]);
        self.emit(format!("function {name}() {{\n  return arguments[arguments.length - 1];\n}}"));
        let decoy = self.decoy(value);
        let (other, text) = (self.value(&decoy, depth), self.value(value, depth));
        Some(format!("{name}({other}, {text})"))
    }

    fn by_composition(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.at_top(|js| {
            let name = js.fresh(&["pipe", "compose", "chain"]);
            js.emit(format!(
                "const {name} = (...steps) => (start) => steps.reduce((kept, step) => step(kept), start);"
            ));
            name
        });
        let text = self.value(value, depth);
        Some(format!("{name}((a) => [a], ([a]) => ({{ a }}), ({{ a }}) => a)({text})"))
    }

    fn by_memo(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (cache, name) = (self.fresh(&["cache", "memo"]), self.fresh(&["cached", "once", "load"]));
        let (lines, text) = self.block(false, |js| js.value(value, depth));
        let (mut body, store) = (lines, format!("{cache}.set(\"it\", {text});"));
        body.push(store);
        let guarded = braced(&body).replace('\n', "\n  ");
        self.emit(format!(
            "const {cache} = new Map();\nfunction {name}() {{\n  if (!{cache}.has(\"it\")) {guarded}\n  return {cache}.get(\"it\");\n}}"
        ));
        self.emit(format!("{name}();"));
        Some(format!("{name}()"))
    }

    fn by_counter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (make, next) = (self.fresh(&["counter", "sequence"]), self.fresh(&["next", "tick"]));
        let decoy = self.decoy(value);
        let list = self.value(&Value::List(vec![decoy, value.clone()]), depth);
        let start = self.below(3);
        self.emit(format!(
            "function {make}(start) {{\n  let at = start;\n  return () => at++;\n}}\nconst {next} = {make}({start});\n{next}();"
        ));
        Some(format!("{}[{next}() - {start}]", atom(&list)))
    }

    fn by_function_property(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["plugin", "command", "action"]);
        let text = self.value(value, depth);
        self.emit(format!("function {name}() {{}}\n{name}.detail = {text};"));
        Some(format!("{name}.detail"))
    }

    fn by_early_return(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(NAMES);
        let decoy = self.decoy(value);
        let truth = self.chance(50);
        let (lines, ()) = self.block(false, |js| {
            let test = js.flag(truth, depth);
            let (first, last) = if truth { (value, &decoy) } else { (&decoy, value) };
            let (lines, first) = js.block(false, |js| js.value(first, depth));
            let mut lines = lines;
            lines.push(format!("return {first};"));
            js.emit(format!("if ({test}) {}", braced(&lines)));
            let last = js.value(last, depth);
            js.emit(format!("return {last};"));
        });
        self.emit(format!("function {name}() {}", braced(&lines)));
        Some(format!("{name}()"))
    }
}
