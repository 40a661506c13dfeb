//! Statements around a registration that change nothing: conditions, blocks, functions that are called once.

use super::{Py, Value, class, def, suite_of};

/// Code that is written inside of a statement.
type Inner<'a> = &'a mut dyn FnMut(&mut Py);

/// A statement with other statements in it, which run once; `None` if it cannot be used here.
type Form = fn(&mut Py, u32, Inner<'_>) -> Option<()>;

pub(super) const FORMS: &[(&str, Form)] = &[
    ("in if", Py::in_if),
    ("in else", Py::in_else),
    ("in main guard", Py::in_main),
    ("in try", Py::in_try),
    ("in except", Py::in_except),
    ("in try else", Py::in_try_else),
    ("in finally", Py::in_finally),
    ("in with", Py::in_with),
    ("in suppress", Py::in_suppress),
    ("in match", Py::in_match),
    ("in for", Py::in_for),
    ("in for else", Py::in_for_else),
    ("in while with break", Py::in_while),
    ("in function", Py::in_function),
    ("in main function", Py::in_main_function),
    ("in async function", Py::in_async),
    ("in nested function", Py::in_nested),
    ("in constructor", Py::in_constructor),
    ("in method", Py::in_method),
    ("in classmethod", Py::in_classmethod),
    ("in property", Py::in_property),
    ("in decorator", Py::in_decorator),
    ("in generator", Py::in_generator),
    ("in __call__", Py::in_call),
    ("in __enter__", Py::in_enter),
    ("in class body", Py::in_class_body),
    ("in callback", Py::in_callback),
    ("beside dead code", Py::beside_dead_code),
    ("beside a comment", Py::beside_comment),
];

impl Py {
    /// The lines of a function that the code is in.
    fn body(&mut self, inner: Inner<'_>) -> Vec<String> {
        self.block(false, |py| inner(py)).0
    }

    fn in_if(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let test = self.flag(true, depth);
        let suite = self.suite(|py| inner(py));
        self.emit(format!("if {test}:\n{suite}"));
        Some(())
    }

    fn in_else(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let test = self.flag(false, depth);
        let suite = self.suite(|py| inner(py));
        self.emit(format!("if {test}:\n    raise RuntimeError(\"never\")\nelse:\n{suite}"));
        Some(())
    }

    fn in_main(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        if self.core.module() != 0 || !self.core.is_top() {
            return None;
        }
        let suite = self.suite(|py| inner(py));
        self.emit(format!("if __name__ == \"__main__\":\n{suite}"));
        Some(())
    }

    fn in_try(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let suite = self.suite(|py| inner(py));
        self.emit(format!("try:\n{suite}\nexcept ValueError as error:\n    print(error)\n    raise"));
        Some(())
    }

    fn in_except(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let suite = self.suite(|py| inner(py));
        let body = self.pick(&["raise ValueError(\"expected\")", "import missing_module", "{}[\"missing\"]"]);
        self.emit(format!("try:\n    {body}\nexcept Exception:\n{suite}"));
        Some(())
    }

    fn in_try_else(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let suite = self.suite(|py| inner(py));
        self.emit(format!("try:\n    pass\nexcept ValueError:\n    raise\nelse:\n{suite}"));
        Some(())
    }

    fn in_finally(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let suite = self.suite(|py| inner(py));
        self.emit(format!("try:\n    pass\nfinally:\n{suite}"));
        Some(())
    }

    fn in_with(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (manager, name) = (self.std("contextlib", "contextmanager"), self.fresh(&["section", "phase"]));
        self.emit(format!("@{manager}\n{}", def(&name, "title=\"\"", "    yield title")));
        let suite = self.suite(|py| inner(py));
        self.emit(format!("with {name}(\"setup\"):\n{suite}"));
        Some(())
    }

    fn in_suppress(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let suppress = self.std("contextlib", "suppress");
        let suite = self.suite(|py| inner(py));
        self.emit(format!("with {suppress}(FileNotFoundError):\n{suite}"));
        Some(())
    }

    fn in_match(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let subject = self.text("on", depth);
        let suite = self.suite(|py| inner(py));
        let pattern = self.pick(&["\"on\"", "\"yes\" | \"on\"", "str() as mode_text if mode_text", "_"]);
        let cases =
            ["case \"off\":\n    raise RuntimeError(\"never\")".to_string(), format!("case {pattern}:\n{suite}")];
        self.emit(format!("match {subject}:\n{}", suite_of(&cases)));
        Some(())
    }

    fn in_for(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let list = self.value(&Value::List(vec![Value::Number(0)]), depth);
        let name = self.fresh(&["_", "once"]);
        let suite = self.suite(|py| inner(py));
        let source = if self.chance(40) { "range(1)".to_string() } else { list };
        self.emit(format!("for {name} in {source}:\n{suite}"));
        Some(())
    }

    fn in_for_else(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let suite = self.suite(|py| inner(py));
        let name = self.fresh(&["_", "none"]);
        self.emit(format!("for {name} in ():\n    break\nelse:\n{suite}"));
        Some(())
    }

    fn in_while(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let awaits = self.core.awaits();
        let (mut lines, ()) = self.block(awaits, |py| inner(py));
        lines.push("break".to_string());
        self.emit(format!("while True:\n{}", suite_of(&lines)));
        Some(())
    }

    fn in_function(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, name) = (self.body(inner), self.fresh(&["setup", "register_tools", "init"]));
        self.emit(format!("{}\n{name}()", def(&name, "", &suite_of(&lines))));
        Some(())
    }

    fn in_main_function(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        if self.core.module() != 0 || !self.core.is_top() {
            return None;
        }
        let (lines, name) = (self.body(inner), self.core.fresh("main"));
        self.emit(format!("{}\nif __name__ == \"__main__\":\n    {name}()", def(&name, "", &suite_of(&lines))));
        Some(())
    }

    pub(super) fn in_async(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let awaits = self.core.awaits();
        if !awaits && !self.core.is_top() {
            return None;
        }
        let name = self.fresh(&["start", "bootstrap", "prepare_tools"]);
        let (lines, ()) = self.block(true, |py| inner(py));
        self.emit(format!("async {}", def(&name, "", &suite_of(&lines))));
        if awaits {
            self.emit(format!("await {name}()"));
        } else {
            let run = self.std("asyncio", "run");
            self.emit(format!("{run}({name}())"));
        }
        Some(())
    }

    fn in_nested(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, outer, name) =
            (self.body(inner), self.fresh(&["outer", "configure"]), self.fresh(&["inner", "apply_it"]));
        let body = [def(&name, "", &suite_of(&lines)), format!("return {name}")];
        self.emit(format!("{}\n{outer}()()", def(&outer, "", &suite_of(&body))));
        Some(())
    }

    fn in_constructor(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, name) = (self.body(inner), self.fresh(&["Setup", "Boot", "App"]));
        self.emit(format!("{}\n{name}()", class(&name, "", &[def("__init__", "self", &suite_of(&lines))])));
        Some(())
    }

    fn in_method(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, name) = (self.body(inner), self.fresh(&["Setup", "Feature"]));
        self.emit(format!("{}\n{name}().install()", class(&name, "", &[def("install", "self", &suite_of(&lines))])));
        Some(())
    }

    fn in_classmethod(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, name) = (self.body(inner), self.fresh(&["Setup", "Feature"]));
        let (mark, param) = if self.chance(50) { ("@classmethod", "cls") } else { ("@staticmethod", "") };
        let method = format!("{mark}\n{}", def("install", param, &suite_of(&lines)));
        self.emit(format!("{}\n{name}.install()", class(&name, "", &[method])));
        Some(())
    }

    fn in_property(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (mut lines, name) = (self.body(inner), self.fresh(&["Lazy", "Holder"]));
        lines.push("return True".to_string());
        let method = format!("@property\n{}", def("ready", "self", &suite_of(&lines)));
        self.emit(format!("{}\nassert {name}().ready", class(&name, "", &[method])));
        Some(())
    }

    fn in_decorator(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (mut lines, name) = (self.body(inner), self.fresh(&["on_start", "at_once"]));
        lines.push("return function".to_string());
        let target = self.fresh(&["started", "dummy"]);
        self.emit(format!("{}\n@{name}\n{}", def(&name, "function", &suite_of(&lines)), def(&target, "", "    ...")));
        Some(())
    }

    fn in_generator(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (mut lines, name) = (self.body(inner), self.fresh(&["stages", "phases"]));
        lines.push("yield 1".to_string());
        let run = self.pick(&["for _ in NAME():\n    pass", "next(NAME())", "list(NAME())"]);
        self.emit(format!("{}\n{}", def(&name, "", &suite_of(&lines)), run.replace("NAME", &name)));
        Some(())
    }

    fn in_call(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, name) = (self.body(inner), self.fresh(&["Installer", "Command"]));
        self.emit(format!("{}\n{name}()(1)", class(&name, "", &[def("__call__", "self, *args", &suite_of(&lines))])));
        Some(())
    }

    fn in_enter(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (mut lines, name) = (self.body(inner), self.fresh(&["Session", "Scope"]));
        lines.push("return self".to_string());
        let members = [def("__enter__", "self", &suite_of(&lines)), def("__exit__", "self, *error", "    return None")];
        self.emit(format!("{}\nwith {name}():\n    pass", class(&name, "", &members)));
        Some(())
    }

    /// The body of a class runs when it is defined. A function in it sees what is around the class.
    fn in_class_body(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, name) = (self.body(inner), self.fresh(&["Boot", "Namespace"]));
        let members = [def("install", "", &suite_of(&lines)), "install()".to_string()];
        self.emit(class(&name, "", &members));
        Some(())
    }

    fn in_callback(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let (lines, name, call) =
            (self.body(inner), self.fresh(&["callback", "on_call"]), self.fresh(&["invoke", "call_it"]));
        self.emit(def(&name, "*args", &suite_of(&lines)));
        match self.below(3) {
            0 => self.emit(format!("{}\n{call}({name})", def(&call, "function", "    return function()"))),
            1 => self.emit(format!("(lambda function: function(1))({name})")),
            _ => self.emit(format!("list(map({name}, [0]))")),
        }
        Some(())
    }

    fn beside_dead_code(&mut self, depth: u32, inner: Inner<'_>) -> Option<()> {
        let test = self.flag(false, depth);
        let name = self.fresh(&["unused", "legacy", "forgotten"]);
        let dead = self.pick(&[
            "if TEST:\n    raise RuntimeError(\"never\")",
            "def NAME(server):\n    server.add_tool(print, name=\"no_dead\")",
            "NAME = [{\"name\": \"no_unused\"}]",
            "class NAME:\n    name = \"no_class\"",
            "for NAME in []:\n    raise RuntimeError(NAME)",
            "while TEST:\n    raise RuntimeError(\"never\")",
        ]);
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

    fn beside_comment(&mut self, _: u32, inner: Inner<'_>) -> Option<()> {
        let lines = self.pick(&[
            "# The tools of this server.",
            "# Größe: ≥ 1 → see the README.",
            "# mcp.add_tool(print, name=\"no_comment\")",
            "print(\"loading …\")",
            "\"\"\"Not a docstring: @mcp.tool(name=\"no_text\")\"\"\"",
        ]);
        self.emit(lines);
        inner(self);
        Some(())
    }
}
