//! Parts of a program that depend on the environment, so that nobody can know what it registers.

use super::{Js, braced};

/// A part that registers some of these tools or others; `None` if it does not suit them.
type Form = fn(&mut Js, &str, &[String], u32) -> Option<()>;

pub(super) const FORMS: &[(&str, Form)] = &[
    ("open: condition", Js::open_condition),
    ("open: name", Js::open_name),
    ("open: default", Js::open_default),
    ("open: choice of lists", Js::open_choice),
    ("open: list", Js::open_list),
];

impl Js {
    pub(super) fn register_openly(&mut self, server: &str, names: &[String], depth: u32) {
        let (kind, form) = *self.core.random.pick(FORMS);
        if form(self, server, names, depth).is_some() {
            self.core.mark(kind);
        }
    }

    fn open_condition(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (lines, ()) = self.block(false, |js| js.register(server, names, depth));
        let test = self.pick(&[
            "process.env.TOOLS_EXTRA",
            "!process.env.TOOLS_EXTRA",
            "process.env.TOOLS_MODE === \"full\"",
            "process.env.TOOLS_MODE !== \"full\"",
            "process.argv.includes(\"--all\")",
        ]);
        self.emit(format!("if ({test}) {}", braced(&lines)));
        Some(())
    }

    fn open_name(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let prefix = self.fresh(&["prefix", "namespace"]);
        let value = self.pick(&["String(process.env.TOOLS_PREFIX)", "`${process.env.TOOLS_PREFIX}_`"]);
        self.emit(format!("const {prefix} = {value};"));
        for name in names {
            let name = self.text(name, depth);
            let call = self.call(server, &format!("{prefix} + {}", super::operand(&name)), None);
            self.emit(format!("{call};"));
        }
        Some(())
    }

    fn open_default(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let prefix = self.fresh(&["prefix", "namespace"]);
        let operator = self.pick(&["??", "||"]);
        let default = self.text("app_", depth);
        self.emit(format!("const {prefix} = process.env.TOOLS_PREFIX {operator} {};", super::operand(&default)));
        for name in names {
            let name = self.text(name, depth);
            let call = self.call(server, &format!("`${{{prefix}}}${{{name}}}`"), None);
            self.emit(format!("{call};"));
        }
        Some(())
    }

    fn open_choice(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (left, right) = names.split_at(self.below(names.len() + 1));
        let (left, right) = (
            self.block(false, |js| js.register(server, left, depth)).0,
            self.block(false, |js| js.register(server, right, depth)).0,
        );
        self.emit(format!("if (process.env.TOOLS_MODE === \"full\") {} else {}", braced(&left), braced(&right)));
        Some(())
    }

    fn open_list(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let name = self.fresh(&["name", "id"]);
        let call = self.call(server, &name, None);
        let fallback = names.join(",");
        let _ = depth;
        self.emit(format!(
            "for (const {name} of (process.env.TOOLS_LIST ?? \"{fallback}\").split(\",\")) {{\n  {};\n}}",
            call.replace('\n', "\n  ")
        ));
        Some(())
    }
}
