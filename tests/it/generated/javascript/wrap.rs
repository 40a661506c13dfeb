//! Statements around a registration that change nothing: conditions, blocks, functions that are called once.

use super::{Js, Value, braced};

/// Code that is written inside of a statement.
type Inner<'a> = &'a mut dyn FnMut(&mut Js);

/// A statement with other statements in it, which run once; `None` if it cannot be used here.
type Form = fn(&mut Js, u32, Inner<'_>) -> Option<()>;

pub(super) const FORMS: &[(&str, Form)] = &[
    ("in block", Js::in_block),
    ("in if", Js::in_if),
    ("in else", Js::in_else),
    ("in try", Js::in_try),
    ("in catch", Js::in_catch),
    ("in finally", Js::in_finally),
    ("in switch", Js::in_switch),
    ("in for-of", Js::in_for_of),
    ("in counted loop", Js::in_counted),
    ("in while with break", Js::in_while),
    ("in do while", Js::in_do),
    ("in labelled block", Js::in_label),
    ("in function", Js::in_function),
    ("in arrow function", Js::in_arrow),
    ("in IIFE", Js::in_immediate),
    ("in async IIFE", Js::in_async_immediate),
    ("in async function", Js::in_async_function),
    ("in promise callback", Js::in_then),
    ("in callback", Js::in_callback),
    ("in static block", Js::in_static_block),
    ("in constructor", Js::in_constructor),
    ("in method", Js::in_method),
    ("in getter", Js::in_getter),
    ("in setter", Js::in_setter),
    ("in generator", Js::in_generator),
    ("in default parameter", Js::in_default),
    ("in && expression", Js::in_and),
    ("beside dead code", Js::beside_dead_code),
    ("beside a prompt", Js::beside_prompt),
];

impl Js {
    fn in_block(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let body = self.braces(|js| inner(js));
        self.emit(body);
        Some(())
    }

    fn in_if(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let test = self.flag(true, depth);
        let body = self.braces(|js| inner(js));
        self.emit(format!("if ({test}) {body}"));
        Some(())
    }

    fn in_else(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let test = self.flag(false, depth);
        let body = self.braces(|js| inner(js));
        self.emit(format!("if ({test}) {{\n  throw new Error(\"never\");\n}} else {body}"));
        Some(())
    }

    fn in_try(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let body = self.braces(|js| inner(js));
        self.emit(format!("try {body} catch (error) {{\n  console.error(error);\n  throw error;\n}}"));
        Some(())
    }

    fn in_catch(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let body = self.braces(|js| inner(js));
        self.emit(format!("try {{\n  throw new Error(\"expected\");\n}} catch {body}"));
        Some(())
    }

    fn in_finally(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let body = self.braces(|js| inner(js));
        self.emit(format!("try {{\n  void 0;\n}} finally {body}"));
        Some(())
    }

    fn in_switch(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let subject = self.text("on", depth);
        let (mut lines, ()) = self.block(self.core.awaits(), |js| inner(js));
        lines.push("break;".to_string());
        let cases = [
            "case \"off\":\n  throw new Error(\"never\");".to_string(),
            format!("case \"on\": {}", braced(&lines)),
            "default:\n  throw new Error(\"never\");".to_string(),
        ];
        self.emit(format!("switch ({subject}) {}", braced(&cases)));
        Some(())
    }

    fn in_for_of(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let list = self.value(&Value::List(vec![Value::Number(0)]), depth);
        let name = self.fresh(&["once", "_"]);
        let body = self.braces(|js| inner(js));
        self.emit(format!("for (const {name} of {list}) {body}"));
        Some(())
    }

    fn in_counted(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let (name, limit) = (self.fresh(&["once", "turn"]), self.number(1, depth));
        let limit = super::operand(&self.steady(&["times", "limit"], &limit));
        let body = self.braces(|js| inner(js));
        self.emit(format!("for (let {name} = 0; {name} < {limit}; {name}++) {body}"));
        Some(())
    }

    fn in_while(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let awaits = self.core.awaits();
        let (mut lines, ()) = self.block(awaits, |js| inner(js));
        lines.push("break;".to_string());
        self.emit(format!("while (true) {}", braced(&lines)));
        Some(())
    }

    fn in_do(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let body = self.braces(|js| inner(js));
        // What the test computes is computed before the loop.
        let test = self.flag(false, depth);
        let name = self.fresh(&["again", "goOn"]);
        self.emit(format!("const {name} = {test};\ndo {body} while ({name});"));
        Some(())
    }

    fn in_label(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let label = self.fresh(&["setup", "stage"]);
        let awaits = self.core.awaits();
        let (mut lines, ()) = self.block(awaits, |js| inner(js));
        lines.push(format!("break {label};"));
        self.emit(format!("{label}: {}", braced(&lines)));
        Some(())
    }

    fn in_function(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let name = self.fresh(&["setup", "registerTools", "init", "main", "start"]);
        let (lines, ()) = self.block(false, |js| inner(js));
        if self.chance(30) {
            self.emit(format!("{name}();\nfunction {name}() {}", braced(&lines)));
        } else {
            self.emit(format!("function {name}() {}\n{name}();", braced(&lines)));
        }
        Some(())
    }

    fn in_arrow(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let name = self.fresh(&["setup", "registerTools", "init", "boot"]);
        let (lines, ()) = self.block(false, |js| inner(js));
        self.emit(format!("const {name} = () => {};\n{name}();", braced(&lines)));
        Some(())
    }

    fn in_immediate(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, ()) = self.block(false, |js| inner(js));
        let body = braced(&lines);
        match self.below(2) {
            0 => self.emit(format!("(() => {body})();")),
            _ => self.emit(format!("(function () {body})();")),
        }
        Some(())
    }

    fn in_async_immediate(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let awaits = self.core.awaits();
        if !awaits && !self.core.is_top() {
            return None;
        }
        let (lines, ()) = self.block(true, |js| inner(js));
        self.settles |= !awaits;
        self.emit(format!("{}(async () => {})();", if awaits { "await " } else { "" }, braced(&lines)));
        Some(())
    }

    fn in_async_function(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let awaits = self.core.awaits();
        if !awaits && !self.core.is_top() {
            return None;
        }
        let name = self.fresh(&["main", "run", "start", "bootstrap"]);
        let (lines, ()) = self.block(true, |js| inner(js));
        self.emit(format!("async function {name}() {}", braced(&lines)));
        if awaits {
            self.emit(format!("await {name}();"));
        } else {
            self.settles = true;
            let after = self.pick(&["", ".catch(console.error)", ".then(() => {})"]);
            self.emit(format!("{name}(){after};"));
        }
        Some(())
    }

    fn in_then(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        if !self.core.awaits() {
            return None;
        }
        let (lines, ()) = self.block(false, |js| inner(js));
        self.emit(format!("await Promise.resolve().then(() => {});", braced(&lines)));
        Some(())
    }

    fn in_callback(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, ()) = self.block(false, |js| inner(js));
        let name = self.fresh(&["withServer", "once", "call"]);
        match self.below(3) {
            0 => self.emit(format!("[0].forEach(() => {});", braced(&lines))),
            1 => self.emit(format!("const {name} = (callback) => callback();\n{name}(() => {});", braced(&lines))),
            _ => self.emit(format!("[() => {}].map((step) => step());", braced(&lines))),
        }
        Some(())
    }

    fn in_static_block(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let name = self.fresh(&["Setup", "Boot", "Init"]);
        let (lines, ()) = self.block(false, |js| inner(js));
        self.emit(format!("class {name} {}", braced(&[format!("static {}", braced(&lines))])));
        Some(())
    }

    fn in_constructor(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let name = self.fresh(&["Setup", "Boot", "App"]);
        let (lines, ()) = self.block(false, |js| inner(js));
        self.emit(format!("class {name} {}\nnew {name}();", braced(&[format!("constructor() {}", braced(&lines))])));
        Some(())
    }

    fn in_method(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, ()) = self.block(false, |js| inner(js));
        let body = braced(&lines);
        if self.chance(50) {
            let name = self.fresh(&["app", "setup", "feature"]);
            self.emit(format!("const {name} = {};\n{name}.install();", braced(&[format!("install() {body},")])));
            return Some(());
        }
        let (name, start) = (self.fresh(&["App", "Setup", "Feature"]), self.chance(40));
        let (member, call) =
            if start { ("static install()", "NAME.install();") } else { ("install()", "new NAME().install();") };
        self.emit(format!("class {name} {}\n{}", braced(&[format!("{member} {body}")]), call.replace("NAME", &name)));
        Some(())
    }

    fn in_getter(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (mut lines, ()) = self.block(false, |js| inner(js));
        lines.push("return true;".to_string());
        let name = self.fresh(&["lazy", "holder"]);
        self.emit(format!(
            "const {name} = {};\nvoid {name}.ready;",
            braced(&[format!("get ready() {},", braced(&lines))])
        ));
        Some(())
    }

    fn in_setter(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, ()) = self.block(false, |js| inner(js));
        let (name, value) = (self.fresh(&["control", "state"]), self.fresh(&["value", "next"]));
        self.emit(format!(
            "const {name} = {};\n{name}.ready = true;",
            braced(&[format!("set ready({value}) {},", braced(&lines))])
        ));
        Some(())
    }

    fn in_generator(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (mut lines, ()) = self.block(false, |js| inner(js));
        let name = self.fresh(&["steps", "stages"]);
        lines.push("yield 1;".to_string());
        let run = self.pick(&["for (const _ of NAME()) continue;", "NAME().next();", "[...NAME()].length;"]);
        self.emit(format!("function* {name}() {}\n{}", braced(&lines), run.replace("NAME", &name)));
        Some(())
    }

    fn in_default(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (mut lines, ()) = self.block(false, |js| inner(js));
        lines.push("return 1;".to_string());
        let (name, effect) = (self.fresh(&["lazily", "defaulted"]), self.fresh(&["effect", "prepare"]));
        self.emit(format!(
            "const {effect} = () => {};\nfunction {name}(value = {effect}()) {{\n  return value;\n}}\n{name}();",
            braced(&lines)
        ));
        Some(())
    }

    fn in_and(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, ()) = self.block(false, |js| inner(js));
        let (name, test) = (self.fresh(&["setup", "install"]), self.flag(true, depth));
        let test = super::operand(&test);
        let call = match self.below(3) {
            0 => format!("{test} && {name}();"),
            1 => format!("!({test}) || {name}();"),
            _ => format!("{test} ? {name}() : null;"),
        };
        self.emit(format!("const {name} = () => {};\n{call}", braced(&lines)));
        Some(())
    }

    fn beside_dead_code(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let test = self.flag(false, depth);
        let name = self.fresh(&["unused", "legacy", "forgotten"]);
        let dead = self.pick(&[
            "if (TEST) {\n  throw new Error(\"never\");\n}",
            "function NAME(server) {\n  server.registerTool(\"no_dead\", {}, async () => ({ content: [] }));\n}",
            "const NAME = [{ name: \"no_unused\" }];",
            "class NAME {\n  name = \"no_class\";\n}",
            "while (TEST) {\n  throw new Error(\"never\");\n}",
            "for (const NAME of []) {\n  throw new Error(NAME);\n}",
        ]);
        let name = if dead.starts_with("while") || dead.starts_with("if") { String::new() } else { name };
        let dead = if dead.contains("TEST") {
            let flag = self.named(&["never", "off"], &test);
            dead.replace("TEST", &flag)
        } else {
            dead.replace("NAME", &name)
        };
        self.emit(dead);
        inner(self);
        Some(())
    }

    fn beside_prompt(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let lines = self.pick(&[
            "// The tools of this server.\nconsole.error(\"starting\");",
            "// Größe: ≥ 1 → see the README.",
            "/* registerTool(\"no_comment\") */",
            "console.error(`loading ${\"tools\"}…`);",
        ]);
        self.emit(lines);
        inner(self);
        Some(())
    }
}
