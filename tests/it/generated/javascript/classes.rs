//! Classes: where a value may be kept and how it is inherited.

use super::{Form, Js, Value, atom};

pub(super) const FORMS: &[Form] = &[
    ("static field", Js::by_static_field),
    ("static method", Js::by_static_method),
    ("static block", Js::by_static_block),
    ("static getter", Js::by_static_getter),
    ("inherited static", Js::by_inherited_static),
    ("static this", Js::by_static_this),
    ("instance field", Js::by_instance_field),
    ("constructor parameter", Js::by_constructor_parameter),
    ("private field", Js::by_private_field),
    ("private method", Js::by_private_method),
    ("class getter", Js::by_class_getter),
    ("class setter", Js::by_class_setter),
    ("inherited method", Js::by_inherited_method),
    ("overridden method", Js::by_overridden_method),
    ("abstract method", Js::by_abstract_method),
    ("super constructor", Js::by_super_constructor),
    ("super method", Js::by_super_method),
    ("mixin", Js::by_mixin),
    ("class expression", Js::by_class_expression),
    ("this.constructor", Js::by_own_constructor),
    ("class iterator", Js::by_class_iterator),
    ("singleton", Js::by_singleton),
    ("class from a function", Js::by_class_factory),
    ("prototype assignment", Js::by_prototype_assignment),
    ("instanceof choice", Js::by_instanceof),
    ("toString", Js::by_to_string),
    ("computed method", Js::by_computed_method),
    ("overridden field", Js::by_overridden_field),
];

const CLASSES: &[&str] = &["Base", "Tool", "Service", "Registry", "Store", "Feature", "Plugin", "Source"];

impl Js {
    fn class_name(&mut self) -> String {
        self.fresh(CLASSES)
    }

    fn class(&mut self, name: &str, extends: &str, members: &[String]) {
        let extends = if extends.is_empty() { String::new() } else { format!(" extends {extends}") };
        self.emit(format!("class {name}{extends} {}", super::braced(members)));
    }

    /// The value in a place where `await` cannot stand.
    pub(super) fn still(&mut self, value: &Value, depth: u32) -> String {
        let awaits = self.core.set_awaits(false);
        let text = self.value(value, depth);
        self.core.set_awaits(awaits);
        text
    }

    fn method(&mut self, start: &str, value: &Value, depth: u32) -> String {
        let body = self.returning(false, |js| js.value(value, depth));
        format!("{start}() {body}")
    }

    fn by_static_field(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.still(value, depth));
        self.class(&name, "", &[format!("static current = {text};")]);
        Some(format!("{name}.current"))
    }

    fn by_static_method(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.class_name();
        let method = self.method("static current", value, depth);
        self.class(&name, "", &[method]);
        Some(format!("{name}.current()"))
    }

    fn by_static_block(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.class_name();
        let (mut lines, text) = self.block(false, |js| js.value(value, depth));
        let target = self.pick(&["this", "Own"]).replace("Own", &name);
        lines.push(format!("{target}.current = {text};"));
        let members = ["static current;".to_string(), format!("static {}", super::braced(&lines))];
        self.class(&name, "", &members);
        Some(format!("{name}.current"))
    }

    fn by_static_getter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.class_name();
        let method = self.method("static get current", value, depth);
        self.class(&name, "", &[method]);
        Some(format!("{name}.current"))
    }

    fn by_inherited_static(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        let text = self.still(value, depth);
        self.class(&base, "", &[format!("static current = {text};")]);
        if self.chance(50) {
            self.class(&name, &base, &[]);
            return Some(format!("{name}.current"));
        }
        self.class(&name, &base, &["static read() {\n  return super.current;\n}".to_string()]);
        Some(format!("{name}.read()"))
    }

    fn by_static_this(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        let decoy = self.decoy(value);
        let (other, text) = (self.still(&decoy, depth), self.still(value, depth));
        let read = "static read() {\n  return this.current;\n}".to_string();
        self.class(&base, "", &[format!("static current = {other};"), read]);
        self.class(&name, &base, &[format!("static current = {text};")]);
        Some(format!("{name}.read()"))
    }

    fn by_instance_field(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.still(value, depth));
        self.class(&name, "", &[format!("current = {text};")]);
        Some(format!("new {name}().current"))
    }

    fn by_constructor_parameter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.somewhere(|js| {
            let name = js.class_name();
            let constructor = "constructor(current) {\n  this.current = current;\n}".to_string();
            js.class(&name, "", &[constructor]);
            name
        });
        let text = self.value(value, depth);
        Some(format!("new {name}({text}).current"))
    }

    fn by_private_field(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.still(value, depth));
        let members = match self.below(3) {
            0 => vec![format!("#current = {text};"), "get current() {\n  return this.#current;\n}".to_string()],
            1 => vec![
                "#current;".to_string(),
                format!("constructor() {{\n  this.#current = {};\n}}", text.replace('\n', "\n  ")),
                "get current() {\n  return this.#current;\n}".to_string(),
            ],
            _ => {
                let members = [
                    format!("static #current = {text};"),
                    format!("static get current() {{\n  return {name}.#current;\n}}"),
                ];
                self.class(&name, "", &members);
                return Some(format!("{name}.current"));
            }
        };
        self.class(&name, "", &members);
        Some(format!("new {name}().current"))
    }

    fn by_private_method(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.class_name();
        let method = self.method("#compute", value, depth);
        self.class(&name, "", &[method, "read() {\n  return this.#compute();\n}".to_string()]);
        Some(format!("new {name}().read()"))
    }

    fn by_class_getter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.class_name();
        let method = self.method("get current", value, depth);
        self.class(&name, "", &[method]);
        let object = self.fresh(&["instance", "object", "made"]);
        self.emit(format!("const {object} = new {name}();"));
        Some(format!("{object}.current"))
    }

    fn by_class_setter(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.class_name();
        let members = [
            "set current(value) {\n  this.kept = value;\n}".to_string(),
            "get current() {\n  return this.kept;\n}".to_string(),
        ];
        self.class(&name, "", &members);
        let (object, text) = (self.fresh(&["instance", "object", "made"]), self.value(value, depth));
        self.emit(format!("const {object} = new {name}();\n{object}.current = {text};"));
        Some(format!("{object}.current"))
    }

    fn by_inherited_method(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        let method = self.method("read", value, depth);
        self.class(&base, "", &[method]);
        self.class(&name, &base, &[]);
        Some(format!("new {name}().read()"))
    }

    fn by_overridden_method(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        let decoy = self.decoy(value);
        let old = self.method("read", &decoy, depth);
        self.class(&base, "", &[old]);
        let new = self.method("read", value, depth);
        self.class(&name, &base, &[new]);
        Some(format!("new {name}().read()"))
    }

    fn by_abstract_method(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        let members = [
            "part() {\n  throw new Error(\"not implemented\");\n}".to_string(),
            "read() {\n  return this.part();\n}".to_string(),
        ];
        self.class(&base, "", &members);
        let part = self.method("part", value, depth);
        self.class(&name, &base, &[part]);
        Some(format!("new {name}().read()"))
    }

    fn by_super_constructor(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        let constructor = "constructor(current, other) {\n  this.current = current;\n  this.other = other;\n}";
        self.class(&base, "", &[constructor.to_string()]);
        let (mut lines, text) = self.block(false, |js| js.value(value, depth));
        lines.push(format!("super({text}, 1);"));
        self.class(&name, &base, &[format!("constructor() {}", super::braced(&lines))]);
        Some(format!("new {name}().current"))
    }

    fn by_super_method(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        let method = self.method("read", value, depth);
        self.class(&base, "", &[method]);
        let own = self.pick(&[
            "read() {\n  return super.read();\n}",
            "read() {\n  const above = super.read();\n  return above;\n}",
        ]);
        self.class(&name, &base, &[own.to_string()]);
        Some(format!("new {name}().read()"))
    }

    fn by_mixin(&mut self, value: &Value, depth: u32) -> Option<String> {
        let mixin = self.fresh(&["Named", "Mixin", "WithName"]);
        let method = self.method("read", value, depth).replace('\n', "\n    ");
        self.emit(format!("const {mixin} = (Parent) =>\n  class extends Parent {{\n    {method}\n  }};"));
        let name = self.class_name();
        let base = self.pick(&["Object", "class {}"]);
        self.class(&name, &format!("{mixin}({base})"), &[]);
        Some(format!("new {name}().read()"))
    }

    fn by_class_expression(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.still(value, depth));
        let own = self.pick(&["", "Inner "]);
        self.emit(format!("const {name} = class {own}{{\n  static current = {};\n}};", text.replace('\n', "\n  ")));
        Some(format!("{name}.current"))
    }

    fn by_own_constructor(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        let text = self.still(value, depth);
        self.class(&base, "", &["read() {\n  return this.constructor.current;\n}".to_string()]);
        self.class(&name, &base, &[format!("static current = {text};")]);
        Some(format!("new {name}().read()"))
    }

    fn by_class_iterator(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.still(value, depth));
        let text = text.replace('\n', "\n  ");
        self.class(&name, "", &[format!("*[Symbol.iterator]() {{\n  yield {text};\n  yield null;\n}}")]);
        Some(match self.below(2) {
            0 => format!("[...new {name}()][0]"),
            _ => {
                let first = self.name_for(value);
                self.emit(format!("const [{first}] = new {name}();"));
                first
            }
        })
    }

    fn by_singleton(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (name, text) = (self.class_name(), self.still(value, depth));
        let members = [
            "static instance;".to_string(),
            format!("current = {text};"),
            format!(
                "static get() {{\n  if (!{name}.instance) {name}.instance = new {name}();\n  return {name}.instance;\n}}"
            ),
        ];
        self.class(&name, "", &members);
        Some(format!("{name}.get().current"))
    }

    fn by_class_factory(&mut self, value: &Value, depth: u32) -> Option<String> {
        let make = self.fresh(&["makeClass", "classFor", "defineClass"]);
        self.emit(format!("function {make}(it) {{\n  return class {{\n    static current = it;\n  }};\n}}"));
        let text = self.value(value, depth);
        Some(format!("{make}({text}).current"))
    }

    fn by_prototype_assignment(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.fresh(&["Legacy", "OldTool", "Proto"]);
        let body = self.returning(false, |js| js.value(value, depth));
        self.emit(format!("function {name}() {{}}\n{name}.prototype.read = function () {body};"));
        Some(format!("new {name}().read()"))
    }

    fn by_instanceof(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        self.class(&base, "", &[]);
        self.class(&name, &base, &[]);
        let (text, decoy) = (self.value(value, depth), self.decoy(value));
        let other = self.value(&decoy, depth);
        Some(match self.below(2) {
            0 => format!("new {name}() instanceof {base} ? {text} : {other}"),
            _ => format!("new {base}() instanceof {name} ? {other} : {text}"),
        })
    }

    fn by_to_string(&mut self, value: &Value, depth: u32) -> Option<String> {
        value.as_text()?;
        let name = self.class_name();
        let method = self.method("toString", value, depth);
        self.class(&name, "", &[method]);
        Some(match self.below(3) {
            0 => format!("`${{new {name}()}}`"),
            1 => format!("String(new {name}())"),
            _ => format!("new {name}().toString()"),
        })
    }

    fn by_computed_method(&mut self, value: &Value, depth: u32) -> Option<String> {
        let name = self.class_name();
        let key = self.literal("readIt");
        let method = self.method(&format!("[{key}]"), value, depth);
        self.class(&name, "", &[method]);
        Some(format!("new {name}().readIt()"))
    }

    fn by_overridden_field(&mut self, value: &Value, depth: u32) -> Option<String> {
        let (base, name) = (self.class_name(), self.class_name());
        let decoy = self.decoy(value);
        let (other, text) = (self.still(&decoy, depth), self.still(value, depth));
        let read = "read() {\n  return this.current;\n}".to_string();
        self.class(&base, "", &[format!("current = {other};"), read]);
        self.class(&name, &base, &[format!("current = {text};")]);
        let object = format!("new {name}()");
        Some(format!("{}.read()", atom(&object)))
    }
}
