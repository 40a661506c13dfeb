//! Conditions, exceptions, loops that find a value, generators and iterators.

use super::{Form, Js, Value, atom, braced};

pub(super) const FORMS: &[Form] = &[
    ("if", Js::by_if),
    ("else if", Js::by_else_if),
    ("guarded reassignment", Js::by_guard),
    ("switch", Js::by_switch),
    ("switch in function", Js::by_switch_function),
    ("switch with fall-through", Js::by_fall_through),
    ("switch (true)", Js::by_switch_true),
    ("try", Js::by_try),
    ("catch", Js::by_catch),
    ("caught error", Js::by_thrown_error),
    ("caught own error", Js::by_own_error),
    ("finally", Js::by_finally),
    ("finally with return", Js::by_finally_return),
    ("rethrow", Js::by_rethrow),
    ("caught failure", Js::by_failure),
    ("for-of with break", Js::by_for_of_break),
    ("for-in search", Js::by_for_in),
    ("counted search", Js::by_counted),
    ("while", Js::by_while),
    ("do while", Js::by_do_while),
    ("endless loop", Js::by_endless),
    ("labelled break", Js::by_labelled_break),
    ("labelled continue", Js::by_labelled_continue),
    ("labelled block", Js::by_labelled_block),
    ("return from a loop", Js::by_return_from_loop),
    ("generator", Js::by_generator),
    ("generator with next", Js::by_generator_next),
    ("generator with argument", Js::by_generator_argument),
    ("delegating generator", Js::by_delegation),
    ("iterator object", Js::by_iterator),
    ("async generator", Js::by_async_generator),
    ("async rejection", Js::by_rejection),
];

impl Js {
    /// A block that assigns the value to a variable.
    fn assigning(&mut self, name: &str, value: &Value, depth: u32) -> String {
        self.braces(|js| {
            let text = js.value(value, depth);
            js.emit(format!("{name} = {text};"));
        })
    }

    /// A new variable without a value.
    fn unset(&mut self, value: &Value) -> String {
        let name = self.name_for(value);
        self.emit(format!("let {name};"));
        name
    }

    fn by_if(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy, truth) = (self.unset(value), self.decoy(value), self.chance(50));
        let test = self.flag(truth, depth);
        let (then, otherwise) = (self.assigning(&name, value, depth), self.assigning(&name, &decoy, depth));
        let (then, otherwise) = if truth { (then, otherwise) } else { (otherwise, then) };
        self.emit(format!("if ({test}) {then} else {otherwise}"));
        Some(name)
    }

    fn by_else_if(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy, at) = (self.unset(value), self.decoy(value), self.below(3));
        let mode = self.text("middle", depth);
        let mode = self.named(&["mode", "level", "stage"], &mode);
        let tests = ["start", "middle", "end"];
        let mut text = String::new();
        for index in 0..3 {
            // The test at `at` is the one that holds, unless an earlier one does.
            let word = if index == at { "middle" } else { tests[if index == 1 { 0 } else { 2 }] };
            let given = if index == at { value } else { &decoy };
            let body = self.assigning(&name, given, depth);
            text.push_str(&format!("if ({mode} === \"{word}\") {body} else "));
        }
        let body = self.assigning(&name, &decoy, depth);
        self.emit(format!("{text}{body}"));
        Some(name)
    }

    fn by_guard(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let truth = self.chance(60);
        let (first, second) = if truth { (&decoy, value) } else { (value, &decoy) };
        let first = self.value(first, depth);
        self.emit(format!("let {name} = {first};"));
        let test = self.flag(truth, depth);
        let body = self.assigning(&name, second, depth);
        self.emit(format!("if ({test}) {body}"));
        Some(name)
    }

    fn by_switch(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy, is_default) = (self.unset(value), self.decoy(value), self.chance(30));
        let subject = self.text(if is_default { "c" } else { "b" }, depth);
        let mut cases = Vec::new();
        for label in ["case \"a\":", "case \"b\":", "default:"] {
            let chosen = (label == "default:") == is_default && label != "case \"a\":";
            let given = if chosen { value } else { &decoy };
            let awaits = self.core.awaits();
            let (mut lines, text) = self.block(awaits, |js| js.value(given, depth));
            lines.push(format!("{name} = {text};"));
            if label != "default:" {
                lines.push("break;".to_string());
            }
            cases.push(format!("{label} {}", braced(&lines)));
        }
        self.emit(format!("switch ({subject}) {}", braced(&cases)));
        Some(name)
    }

    fn by_switch_function(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.fresh(&["forKind", "choose", "lookup"]), self.decoy(value));
        let (text, other) = (self.still(value, depth), self.still(&decoy, depth));
        let cases = [
            format!("case \"a\":\n  return {};", other.replace('\n', "\n  ")),
            format!("case \"b\":\n  return {};", text.replace('\n', "\n  ")),
            "default:\n  throw new Error(\"unknown kind\");".to_string(),
        ];
        let body = format!("switch (kind) {}", braced(&cases));
        self.emit(format!("function {name}(kind) {}", braced(&[body])));
        let kind = self.text("b", depth);
        Some(format!("{name}({kind})"))
    }

    fn by_fall_through(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.name_for(value), self.value(value, depth));
        self.emit(format!("let {name} = null;"));
        let subject = self.below(2) + 1;
        let subject = self.number(subject, depth);
        let cases = [
            "case 0:\n  break;".to_string(),
            "case 1:".to_string(),
            format!("case 2:\n  {name} = {};", text.replace('\n', "\n  ")),
            format!("case 3:\n  {name} ??= 0;"),
        ];
        self.emit(format!("switch ({subject}) {}", braced(&cases)));
        Some(name)
    }

    fn by_switch_true(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text, decoy) = (self.unset(value), self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        let (no, yes) = (self.flag(false, depth), self.flag(true, depth));
        let cases = [
            format!("case {no}:\n  {name} = {};\n  break;", other.replace('\n', "\n  ")),
            format!("case {yes}:\n  {name} = {};\n  break;", text.replace('\n', "\n  ")),
        ];
        self.emit(format!("switch (true) {}", braced(&cases)));
        Some(name)
    }

    fn by_try(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.unset(value), self.decoy(value));
        let (body, other) = (self.assigning(&name, value, depth), self.assigning(&name, &decoy, depth));
        let caught = self.pick(&["catch (error)", "catch"]);
        self.emit(format!("try {body} {caught} {other}"));
        Some(name)
    }

    fn by_catch(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.unset(value);
        let body = self.assigning(&name, value, depth);
        let thrown = self.pick(&["new Error(\"no\")", "new TypeError(\"no\")", "\"no\"", "{ code: 1 }"]);
        let caught = self.pick(&["catch (error)", "catch"]);
        let skipped = self.pick(&["", "  NAME = null;\n"]).replace("NAME", &name);
        self.emit(format!("try {{\n{skipped}  throw {thrown};\n}} {caught} {body}"));
        Some(name)
    }

    fn by_thrown_error(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.unset(value), self.value(value, depth));
        let (thrown, read) = match (self.below(3), value.as_text()) {
            (0, Some(_)) => (format!("new Error({text})"), "error.message"),
            (0 | 1, _) => (format!("{{ detail: {text} }}"), "error.detail"),
            _ => (format!("Object.assign(new Error(\"x\"), {{ detail: {text} }})"), "error.detail"),
        };
        if self.chance(50) {
            self.emit(format!("try {{\n  throw {thrown};\n}} catch (error) {{\n  {name} = {read};\n}}"));
        } else {
            let thrower = self.fresh(&["fail", "thrower", "explode"]);
            if text.contains("await") {
                return None;
            }
            self.emit(format!("function {thrower}() {{\n  throw {thrown};\n}}"));
            self.emit(format!("try {{\n  {thrower}();\n}} catch (error) {{\n  {name} = {read};\n}}"));
        }
        Some(name)
    }

    fn by_own_error(&mut self, value: &Value, depth: u32) -> Option<String> {
        let class = self.at_top(|js| {
            let class = js.fresh(&["ToolError", "NotFound", "Skip"]);
            js.emit(format!(
                "class {class} extends Error {{\n  constructor(detail) {{\n    super(\"failed\");\n    this.detail = detail;\n  }}\n}}"
            ));
            class
        });
        let (name, text) = (self.unset(value), self.value(value, depth));
        self.emit(format!(
            "try {{\n  throw new {class}({});\n}} catch (error) {{\n  if (!(error instanceof {class})) throw error;\n  {name} = error.detail;\n}}",
            text.replace('\n', "\n  ")
        ));
        Some(name)
    }

    fn by_finally(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.unset(value), self.decoy(value));
        let (first, last) = (self.assigning(&name, &decoy, depth), self.assigning(&name, value, depth));
        self.emit(format!("try {first} finally {last}"));
        Some(name)
    }

    fn by_finally_return(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["attempt", "cleanUp", "guarded"]);
        let body = self.returning(false, |js| js.value(value, depth)).replace('\n', "\n  ");
        let after = self.pick(&["calls += 1;", "if (calls > 5) return null;"]);
        self.emit(format!("function {name}() {{\n  let calls = 0;\n  try {body} finally {{\n    {after}\n  }}\n}}"));
        Some(format!("{name}()"))
    }

    fn by_rethrow(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.unset(value);
        let body = self.assigning(&name, value, depth).replace('\n', "\n  ");
        self.emit(format!(
            "try {{\n  try {{\n    throw new Error(\"inner\");\n  }} catch (inner) {{\n    throw new Error(\"outer\", {{ cause: inner }});\n  }}\n}} catch {}",
            body.replace("\n  ", "\n")
        ));
        Some(name)
    }

    fn by_failure(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.unset(value);
        let body = self.assigning(&name, value, depth);
        let fails =
            self.pick(&["null.missing;", "undefined();", "JSON.parse(\"{\");", "missingName;", "(void 0).x.y;"]);
        self.emit(format!("try {{\n  {fails}\n  {name} = null;\n}} catch {body}"));
        Some(name)
    }

    fn by_for_of_break(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.unset(value), self.decoy(value));
        let list = self.value(&Value::List(vec![decoy, value.clone()]), depth);
        let (count, stop) = (self.fresh(&["seen", "turn"]), 1);
        let declared = self.pick(&["const", "let"]);
        self.emit(format!(
            "let {count} = 0;\nfor ({declared} candidate of {list}) {{\n  {name} = candidate;\n  if ({count} === {stop}) break;\n  {count}++;\n}}"
        ));
        Some(name)
    }

    fn by_for_in(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.unset(value), self.decoy(value));
        let object = Value::Record(vec![("a".into(), decoy), ("it".into(), value.clone())]);
        let text = self.value(&object, depth);
        let object = self.named(&["options", "table", "choices"], &text);
        self.emit(format!(
            "for (const key in {object}) {{\n  if (key !== \"it\") continue;\n  {name} = {object}[key];\n}}"
        ));
        Some(name)
    }

    fn by_counted(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.unset(value), self.decoy(value));
        let list = self.value(&Value::List(vec![decoy.clone(), decoy, value.clone()]), depth);
        let list = self.named(&["candidates", "choices", "values"], &list);
        let head = match self.below(3) {
            0 => format!("let i = 0; i < {list}.length; i++"),
            1 => format!("let i = 0, end = {list}.length; i < end; i += 1"),
            _ => format!("let i = {list}.length - 3; i !== {list}.length; ++i"),
        };
        self.emit(format!("for ({head}) {{\n  {name} = {list}[i];\n}}"));
        Some(name)
    }

    fn by_while(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.unset(value), self.decoy(value));
        let list = self.value(&Value::List(vec![decoy, value.clone()]), depth);
        let queue = self.fresh(&["queue", "pending", "stack"]);
        self.emit(format!("const {queue} = [...{}];", atom(&list)));
        match self.below(3) {
            0 => self.emit(format!("while ({queue}.length > 0) {{\n  {name} = {queue}.shift();\n}}")),
            1 => self.emit(format!("while ({queue}.length) {name} = {queue}.shift();")),
            _ => {
                let left = self.fresh(&["left", "remaining"]);
                self.emit(format!(
                    "let {left} = {queue}.length;\nwhile ({left}--) {{\n  {name} = {queue}[{queue}.length - {left} - 1];\n}}"
                ));
            }
        }
        Some(name)
    }

    fn by_do_while(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text, at) = (self.unset(value), self.value(value, depth), self.fresh(&["at", "step", "round"]));
        let turns = self.below(3);
        if text.contains('(') {
            // A call may not give the same value twice.
            self.emit(format!("{name} = {text};\nlet {at} = 0;\ndo {{\n  {at} += 1;\n}} while ({at} < {turns});"));
        } else {
            self.emit(format!("let {at} = 0;\ndo {{\n  {name} = {text};\n  {at} += 1;\n}} while ({at} < {turns});"));
        }
        Some(name)
    }

    fn by_endless(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, at) = (self.unset(value), self.fresh(&["at", "step", "round"]));
        let text = self.value(value, depth).replace('\n', "\n    ");
        let head = self.pick(&["for (;;)", "while (true)"]);
        let turns = self.below(4);
        self.emit(format!(
            "let {at} = 0;\n{head} {{\n  if ({at} >= {turns}) {{\n    {name} = {text};\n    break;\n  }}\n  {at}++;\n}}"
        ));
        Some(name)
    }

    fn by_labelled_break(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.unset(value), self.decoy(value));
        let rows = vec![
            Value::List(vec![decoy.clone()]),
            Value::List(vec![decoy.clone(), value.clone(), decoy.clone()]),
            Value::List(vec![decoy]),
        ];
        let rows = self.value(&Value::List(rows), depth);
        let label = self.fresh(&["outer", "search", "rows"]);
        let count = self.fresh(&["steps", "visited"]);
        self.emit(format!(
            "let {count} = 0;\n{label}: for (const row of {rows}) {{\n  for (const cell of row) {{\n    {name} = cell;\n    if (++{count} === 3) break {label};\n  }}\n}}"
        ));
        Some(name)
    }

    fn by_labelled_continue(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.unset(value), self.value(value, depth));
        let label = self.fresh(&["outer", "next", "rows"]);
        let kept = self.named(&["chosen", "kept"], &text);
        self.emit(format!(
            "{label}: for (const row of [[1, 0], [1, 2], [0, 1]]) {{\n  for (const cell of row) {{\n    if (cell === 0) continue {label};\n  }}\n  {name} = {kept};\n}}"
        ));
        Some(name)
    }

    fn by_labelled_block(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.name_for(value), self.decoy(value));
        let text = self.value(value, depth);
        self.emit(format!("let {name} = {text};"));
        let (label, test) = (self.fresh(&["block", "check"]), self.flag(true, depth));
        let (lines, ()) = self.block(false, |js| {
            js.emit(format!("if ({test}) break {label};"));
            let other = js.value(&decoy, 0);
            js.emit(format!("{name} = {other};"));
        });
        self.emit(format!("{label}: {}", braced(&lines)));
        Some(name)
    }

    fn by_return_from_loop(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["firstOf", "search", "findFirst"]);
        self.emit(format!(
            "function {name}(pairs, wanted) {{\n  for (const [key, it] of pairs) {{\n    if (key === wanted) return it;\n  }}\n  return undefined;\n}}"
        ));
        let decoy = self.decoy(value);
        let (other, text) = (self.value(&decoy, depth), self.value(value, depth));
        Some(format!("{name}([[\"a\", {other}], [\"b\", {text}]], \"b\")"))
    }

    fn by_generator(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.fresh(&["generate", "produce", "walk"]), self.decoy(value));
        let (lines, ()) = self.block(false, |js| {
            for given in [&decoy, value] {
                let text = js.value(given, depth);
                js.emit(format!("yield {text};"));
            }
        });
        self.emit(format!("function* {name}() {}", braced(&lines)));
        Some(match self.below(3) {
            0 => format!("[...{name}()][1]"),
            1 => format!("Array.from({name}()).pop()"),
            _ => {
                let second = self.name_for(value);
                self.emit(format!("const [, {second}] = {name}();"));
                second
            }
        })
    }

    fn by_generator_next(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.fresh(&["generate", "produce", "walk"]), self.decoy(value));
        let list = self.still(&Value::List(vec![decoy, value.clone()]), depth);
        self.emit(format!(
            "const {name} = function* () {{\n  for (const it of {}) yield it;\n}};",
            list.replace('\n', "\n  ")
        ));
        let iterator = self.fresh(&["iterator", "walker", "cursor"]);
        self.emit(format!("const {iterator} = {name}();\n{iterator}.next();"));
        Some(format!("{iterator}.next().value"))
    }

    fn by_generator_argument(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, iterator) = (self.fresh(&["echo", "dialog"]), self.fresh(&["talk", "session"]));
        self.emit(format!(
            "function* {name}() {{\n  const given = yield 0;\n  yield given;\n}}\nconst {iterator} = {name}();\n{iterator}.next();"
        ));
        let text = self.value(value, depth);
        Some(format!("{iterator}.next({text}).value"))
    }

    fn by_delegation(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (inner, outer) = (self.fresh(&["inner", "part"]), self.fresh(&["outer", "whole"]));
        let (lines, text) = self.block(false, |js| js.value(value, depth));
        let mut lines = lines;
        let returns = self.chance(40);
        lines.push(if returns { format!("return {text};") } else { format!("yield {text};") });
        self.emit(format!("function* {inner}() {}", braced(&lines)));
        let step = if returns { format!("yield yield* {inner}();") } else { format!("yield* {inner}();") };
        self.emit(format!("function* {outer}() {{\n  {step}\n}}"));
        Some(format!("[...{outer}()][0]"))
    }

    fn by_iterator(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, decoy) = (self.fresh(&["iterable", "source"]), self.decoy(value));
        let list = self.value(&Value::List(vec![value.clone(), decoy]), depth);
        let list = self.named(&["kept", "inner"], &list);
        self.emit(format!(
            "const {name} = {{\n  [Symbol.iterator]() {{\n    let at = 0;\n    return {{ next: () => (at < {list}.length ? {{ value: {list}[at++], done: false }} : {{ value: undefined, done: true }}) }};\n  }},\n}};"
        ));
        Some(match self.below(2) {
            0 => format!("[...{name}][0]"),
            _ => format!("{name}[Symbol.iterator]().next().value"),
        })
    }

    fn by_async_generator(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.core.awaits() {
            return None;
        }
        let (name, found) = (self.fresh(&["stream", "pages"]), self.unset(value));
        let (lines, ()) = self.block(true, |js| {
            let text = js.value(value, depth);
            js.emit(format!("yield {text};"));
        });
        self.emit(format!("async function* {name}() {}", braced(&lines)));
        self.emit(format!("for await (const page of {name}()) {{\n  {found} = page;\n}}"));
        Some(found)
    }

    fn by_rejection(&mut self, value: &Value, depth: u32) -> Option<String> {
        if !self.core.awaits() {
            return None;
        }
        let name = self.fresh(&["risky", "failing"]);
        self.emit(format!("async function {name}() {{\n  throw new Error(\"no\");\n}}"));
        if self.chance(50) {
            let arrow = self.arrow("", |js| js.value(value, depth));
            return Some(format!("await {name}().catch({arrow})"));
        }
        let found = self.unset(value);
        let body = self.assigning(&found, value, depth);
        self.emit(format!("try {{\n  await {name}();\n}} catch {body}"));
        Some(found)
    }
}
