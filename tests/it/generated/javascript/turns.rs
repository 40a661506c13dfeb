//! What a loop does with one definition: it reads the name, perhaps changes it, and registers a tool.

use super::super::value::{common_prefix, sentence};
use super::{Js, Value, atom, is_identifier, operand};

/// Tools that are registered together from one list.
#[derive(Clone)]
pub(super) struct Batch {
    /// The names without the prefix.
    pub(super) names: Vec<String>,
    /// What the program puts before each name.
    pub(super) prefix: String,
    /// The key of the name if the list is of records.
    pub(super) key: Option<&'static str>,
    /// The other fields that each record has.
    pub(super) has_description: bool,
    pub(super) has_handler: bool,
    /// The key of the flag of the records that are left out.
    pub(super) skip: Option<&'static str>,
    /// Whether the code that reads the list is in another function, which gets it under this name.
    pub(super) given: Option<String>,
}

/// A definition as the body of a loop sees it.
pub(super) enum Element {
    /// An expression for the whole.
    Whole(String),
    /// Expressions for the name and for whether it is left out.
    Parts { name: String, skip: Option<String>, description: Option<String> },
}

impl Js {
    /// Chooses the form of a list of these tools.
    pub(super) fn batch(&mut self, names: &[String]) -> Batch {
        let prefix = common_prefix(names);
        let prefix = if !prefix.is_empty() && self.chance(60) { prefix } else { String::new() };
        let names = names.iter().map(|name| name[prefix.len()..].to_string()).collect();
        let key = if self.chance(65) { Some(self.key_of_names()) } else { None };
        Batch {
            names,
            prefix,
            key,
            has_description: key.is_some() && self.chance(50),
            has_handler: key.is_some() && self.chance(30),
            skip: if key.is_some() && self.chance(25) { Some("internal") } else { None },
            given: None,
        }
    }

    pub(super) fn key_of_names(&mut self) -> &'static str {
        self.pick(&["name", "name", "name", "id", "toolName", "key"])
    }

    /// The value of the list of a batch.
    pub(super) fn list_value(&mut self, batch: &Batch) -> Value {
        let Some(key) = batch.key else {
            return Value::List(batch.names.iter().map(Value::text).collect());
        };
        let mut records = Vec::new();
        let shared = if self.chance(35) { Some(sentence(&mut self.core.random)) } else { None };
        for name in &batch.names {
            if let Some(skip) = batch.skip.filter(|_| self.chance(30)) {
                let mut left_out = self.record(batch, key, &format!("no_{name}"), shared.as_deref());
                left_out.push((skip.to_string(), Value::Flag(true)));
                records.push(Value::Record(left_out));
            }
            let record = self.record(batch, key, name, shared.as_deref());
            records.push(Value::Record(record));
        }
        Value::List(records)
    }

    fn record(&mut self, batch: &Batch, key: &str, name: &str, shared: Option<&str>) -> Vec<(String, Value)> {
        let mut fields = vec![(key.to_string(), Value::text(name))];
        if batch.has_description {
            let own = shared.map_or_else(|| sentence(&mut self.core.random), String::from);
            fields.push(("description".to_string(), Value::text(own)));
        }
        if batch.has_handler {
            fields.push(("handler".to_string(), Value::Handler));
        }
        fields
    }

    /// An expression for the list of a batch.
    pub(super) fn list(&mut self, batch: &Batch, depth: u32) -> String {
        if let Some(given) = &batch.given {
            return given.clone();
        }
        let value = self.list_value(batch);
        self.value(&value, depth)
    }

    /// A pattern for a definition in the head of a loop or a list of parameters, and what it binds.
    pub(super) fn pattern(&mut self, batch: &Batch) -> (String, Element) {
        let Some(key) = batch.key.filter(|_| self.chance(45)) else {
            let name = self.fresh(if batch.key.is_some() {
                &["tool", "def", "entry", "spec", "item"]
            } else {
                &["name", "tool", "id", "toolName", "word"]
            });
            return (name.clone(), Element::Whole(name));
        };
        let name = self.core.fresh(key);
        let mut fields = vec![if name == key { name.clone() } else { format!("{key}: {name}") }];
        let (mut skip, mut description) = (None, None);
        if let Some(flag) = batch.skip {
            let local = self.core.fresh(flag);
            let default = self.pick(&["", " = false"]);
            fields.push(if local == flag { format!("{local}{default}") } else { format!("{flag}: {local}{default}") });
            skip = Some(local);
        }
        if batch.has_description && self.chance(60) {
            let local = self.core.fresh("description");
            fields.push(if local == "description" { local.clone() } else { format!("description: {local}") });
            description = Some(local);
        }
        if self.chance(20) {
            fields.push(format!("...{}", self.core.fresh("rest")));
        }
        (format!("{{ {} }}", fields.join(", ")), Element::Parts { name, skip, description })
    }

    /// Writes what is done with one definition; `leave` ends the turn.
    pub(super) fn turn(&mut self, server: &str, batch: &Batch, element: &Element, leave: &str, depth: u32) {
        let (name, skip, description) = match (element, batch.key) {
            (Element::Parts { name, skip, description }, _) => (name.clone(), skip.clone(), description.clone()),
            (Element::Whole(name), None) => (name.clone(), None, None),
            (Element::Whole(whole), Some(key)) => {
                let whole = atom(whole);
                let name = match self.below(4) {
                    0 => format!("{whole}[\"{key}\"]"),
                    1 => format!("{whole}?.{key}"),
                    _ => format!("{whole}.{key}"),
                };
                let description = if batch.has_description { Some(format!("{whole}.description")) } else { None };
                (name, batch.skip.map(|skip| format!("{whole}.{skip}")), description)
            }
        };
        if let Some(skip) = skip {
            let test = match self.below(3) {
                0 => format!("if ({skip} === true) {leave};"),
                1 => format!("if (Boolean({skip})) {{\n  {leave};\n}}"),
                _ => format!("if ({skip}) {leave};"),
            };
            self.emit(test);
        }
        let name = self.passed(&name, depth);
        let name = self.prefixed(&batch.prefix, &name, depth);
        let name = if self.chance(20) { self.named(&["full", "toolName", "finalName"], &name) } else { name };
        let call = self.call(server, &name, description.as_deref());
        self.emit(format!("{call};"));
    }

    /// An expression for a prefix and the name that follows it.
    pub(super) fn prefixed(&mut self, prefix: &str, name: &str, depth: u32) -> String {
        if prefix.is_empty() {
            return name.to_string();
        }
        match self.below(6) {
            0 => format!("`{prefix}${{{name}}}`"),
            1 | 2 => {
                let start = self.text(prefix, depth);
                format!("{} + {}", operand(&start), operand(name))
            }
            3 => {
                let start = self.text(prefix.trim_end_matches('_'), depth);
                format!("[{start}, {name}].join(\"_\")")
            }
            4 => {
                let start = self.text(prefix, depth);
                format!("`${{{start}}}${{{name}}}`")
            }
            _ => {
                let function = self.at_top(|js| {
                    let (function, param) = (js.fresh(&["qualify", "withPrefix", "scoped"]), js.fresh(&["name", "id"]));
                    let (lines, start) = js.block(false, |js| js.text(prefix, depth));
                    let mut lines = lines;
                    lines.push(format!("return `${{{start}}}${{{param}}}`;"));
                    js.emit(format!("function {function}({param}) {}", super::braced(&lines)));
                    function
                });
                format!("{function}({name})")
            }
        }
    }

    /// An expression that has the same text as another one.
    pub(super) fn passed(&mut self, text: &str, depth: u32) -> String {
        if depth == 0 || !self.chance(40) || !self.core.spend() {
            return text.to_string();
        }
        let text = self.passed(text, depth - 1);
        let (whole, safe) = (atom(&text), operand(&text));
        match self.below(26) {
            0 => format!("`${{{text}}}`"),
            1 => format!("String({text})"),
            2 => format!("{whole}.trim()"),
            3 => format!("{safe} ?? \"unnamed\""),
            4 => format!("{safe} || \"unnamed\""),
            5 => format!("[{text}][0]"),
            6 => format!("({{ it: {text} }}).it"),
            7 => format!("{whole}.split(\"_\").join(\"_\")"),
            8 => format!("{whole}.slice(0)"),
            9 => format!("{whole}.toString()"),
            10 => format!("{whole}.replace(/\\s+/g, \"_\")"),
            11 => format!("(() => {})()", if text.starts_with('{') { format!("({text})") } else { text.clone() }),
            12 => format!("Object.keys({{ [{text}]: 1 }})[0]"),
            13 => format!("[...{whole}].join(\"\")"),
            14 => format!("new Map([[\"it\", {text}]]).get(\"it\")"),
            15 => format!("[{text}].find(Boolean)"),
            16 => format!("[\"\", {text}].filter((part) => part !== \"\").map((part) => part)[0]"),
            17 => format!("JSON.parse(JSON.stringify({text}))"),
            18 => format!("{whole}.toUpperCase().toLowerCase()"),
            19 => format!("`x${{{text}}}`.substring(1)"),
            20 => format!("{whole}.replaceAll(\" \", \"\")"),
            21 => format!("[\"\"].concat({text}).at(-1)"),
            22 => {
                let test = self.flag(true, depth - 1);
                format!("{} ? {text} : \"never\"", operand(&test))
            }
            23 => {
                let name = self.fresh(&["name", "current", "label"]);
                self.emit(format!("const {name} = {text};"));
                name
            }
            24 => {
                let function = self.at_top(|js| {
                    let function = js.fresh(&["normalize", "clean", "toName"]);
                    let body = js.pick(&[
                        "return name;",
                        "return name.trim();",
                        "if (!name) throw new Error(\"no name\");\n  return name;",
                        "const parts = name.split(\"_\");\n  return parts.join(\"_\");",
                        "return name.replace(/-/g, \"_\").toLowerCase();",
                    ]);
                    js.emit(format!("function {function}(name) {{\n  {body}\n}}"));
                    function
                });
                format!("{function}({text})")
            }
            _ => {
                let name = self.fresh(&["name", "current", "label"]);
                self.emit(format!("let {name} = \"\";\nfor (const letter of {whole}) {name} += letter;"));
                name
            }
        }
    }

    /// The call that registers a tool, without a semicolon.
    pub(super) fn call(&mut self, server: &str, name: &str, description: Option<&str>) -> String {
        let description = match description {
            Some(description) => description.to_string(),
            None => {
                let text = sentence(&mut self.core.random);
                self.literal(&text)
            }
        };
        let config = if description == "description" && self.chance(70) {
            "{ description }".to_string()
        } else {
            format!("{{ description: {description} }}")
        };
        let handler = self.handler();
        match self.below(16) {
            0 => format!("{server}.tool({name}, {handler})"),
            1 => format!("{server}.tool({name}, {description}, {handler})"),
            2 => format!("{server}.tool({name}, {description}, {{}}, {handler})"),
            3 => format!("{server}[\"registerTool\"]({name}, {config}, {handler})"),
            4 => format!("{server}.registerTool(...[{name}, {config}, {handler}])"),
            5 => format!("{server}.registerTool.call({server}, {name}, {config}, {handler})"),
            6 => format!(
                "{server}.registerTool({name}, {{ title: \"A title\", description: {description} }}, {handler})"
            ),
            7 => format!("{server}?.registerTool({name}, {{}}, {handler})"),
            8 => {
                let options = self.named(&["options", "meta", "config"], &config);
                format!("{server}.registerTool({name}, {options}, {handler})")
            }
            9 if is_identifier(server) => {
                let method = self.fresh(&["registerTool", "addTool", "method"]);
                self.emit(format!("const {method} = {server}.registerTool.bind({server});"));
                format!("{method}({name}, {config}, {handler})")
            }
            _ => format!("{server}.registerTool({name}, {config}, {handler})"),
        }
    }
}
