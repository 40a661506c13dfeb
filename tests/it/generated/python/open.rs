//! Parts of a program that depend on the environment, so that nobody can know what it registers.

use super::{Py, operand, suite_of};

/// A part that registers some of these tools or others; `None` if it does not suit them.
type Form = fn(&mut Py, &str, &[String], u32) -> Option<()>;

pub(super) const FORMS: &[(&str, Form)] = &[
    ("open: condition", Py::open_condition),
    ("open: name", Py::open_name),
    ("open: default", Py::open_default),
    ("open: choice of lists", Py::open_choice),
    ("open: list", Py::open_list),
];

impl Py {
    pub(super) fn register_openly(&mut self, server: &str, names: &[String], depth: u32) {
        let (kind, form) = *self.core.random.pick(FORMS);
        if form(self, server, names, depth).is_some() {
            self.core.mark(kind);
        }
    }

    fn environment(&mut self) -> String {
        self.std("os", "environ")
    }

    fn open_condition(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (lines, environment) = (self.block(false, |py| py.register(server, names, depth)).0, self.environment());
        let test = self.pick(&[
            "E.get(\"TOOLS_EXTRA\")",
            "not E.get(\"TOOLS_EXTRA\")",
            "E.get(\"TOOLS_MODE\", \"full\") == \"full\"",
            "\"TOOLS_EXTRA\" in E",
        ]);
        let test = if test.starts_with('E') {
            test.replacen('E', &environment, 1)
        } else {
            test.replace("E.get", &format!("{environment}.get")).replace("in E", &format!("in {environment}"))
        };
        self.emit(format!("if {test}:\n{}", suite_of(&lines)));
        Some(())
    }

    fn open_name(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (prefix, environment) = (self.fresh(&["given_prefix", "namespace"]), self.environment());
        self.emit(format!("{prefix} = str({environment}.get(\"TOOLS_PREFIX\"))"));
        for name in names {
            let name = self.text(name, depth);
            self.call(server, &format!("{prefix} + {}", operand(&name)), None, None);
        }
        Some(())
    }

    fn open_default(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (prefix, default, environment) =
            (self.fresh(&["given_prefix", "namespace"]), self.text("app_", depth), self.environment());
        match self.below(2) {
            0 => self.emit(format!("{prefix} = {environment}.get(\"TOOLS_PREFIX\", {default})")),
            _ => self.emit(format!("{prefix} = {environment}.get(\"TOOLS_PREFIX\") or {}", operand(&default))),
        }
        for name in names {
            let name = self.text(name, depth);
            self.call(server, &format!("{prefix} + {}", operand(&name)), None, None);
        }
        Some(())
    }

    fn open_choice(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (left, right) = names.split_at(self.below(names.len() + 1));
        let left = self.block(false, |py| py.register(server, left, depth)).0;
        let right = self.block(false, |py| py.register(server, right, depth)).0;
        let environment = self.environment();
        self.emit(format!(
            "if {environment}.get(\"TOOLS_MODE\") == \"full\":\n{}\nelse:\n{}",
            suite_of(&left),
            suite_of(&right)
        ));
        Some(())
    }

    fn open_list(&mut self, server: &str, names: &[String], _: u32) -> Option<()> {
        let (name, environment, fallback) = (self.fresh(&["name", "key"]), self.environment(), names.join(","));
        let suite = self.suite(|py| py.call(server, &name, None, None));
        self.emit(format!("for {name} in {environment}.get(\"TOOLS_LIST\", \"{fallback}\").split(\",\"):\n{suite}"));
        Some(())
    }
}
