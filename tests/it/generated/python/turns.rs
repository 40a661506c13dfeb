//! What a loop does with one definition: it reads the name, perhaps changes it, and registers a tool.

use super::super::value::{common_prefix, sentence};
use super::{Py, Value, atom, class, def, operand};

/// What the definitions in a list are.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Names,
    /// Dicts with the name under the key.
    Dicts,
    /// Objects with the name as the attribute.
    Objects,
    /// Tuples that begin with the name.
    Tuples,
}

/// Tools that are registered together from one list.
#[derive(Clone)]
pub(super) struct Batch {
    /// The names without the prefix.
    pub(super) names: Vec<String>,
    /// What the program puts before each name.
    pub(super) prefix: String,
    pub(super) shape: Shape,
    /// The key or attribute of the name.
    pub(super) key: &'static str,
    pub(super) has_description: bool,
    pub(super) has_handler: bool,
    /// The key of the flag of the definitions that are left out.
    pub(super) skip: Option<&'static str>,
    /// Whether the code that reads the list is in another function, which gets it under this name.
    pub(super) given: Option<String>,
}

/// A definition as the body of a loop sees it: expressions for its parts.
#[derive(Clone)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) skip: Option<String>,
    pub(super) description: Option<String>,
    pub(super) handler: Option<String>,
}

impl Py {
    /// Chooses the form of a list of these tools.
    pub(super) fn batch(&mut self, names: &[String]) -> Batch {
        let prefix = common_prefix(names);
        let prefix = if !prefix.is_empty() && self.chance(60) { prefix } else { String::new() };
        let names = names.iter().map(|name| name[prefix.len()..].to_string()).collect();
        let shape = *self.core.random.pick(&[
            Shape::Names,
            Shape::Names,
            Shape::Dicts,
            Shape::Dicts,
            Shape::Dicts,
            Shape::Objects,
            Shape::Tuples,
        ]);
        let is_plain = shape == Shape::Names;
        let key = *self.core.random.pick(&["name", "name", "name", "id", "tool_name", "key"]);
        let has_description = !is_plain && (shape == Shape::Tuples || self.chance(50));
        let has_handler = !is_plain && self.chance(30);
        let can_skip = matches!(shape, Shape::Dicts | Shape::Objects);
        let skip = if can_skip && self.chance(25) { Some("internal") } else { None };
        Batch { names, prefix, shape, key, has_description, has_handler, skip, given: None }
    }

    fn record(&mut self, batch: &Batch, name: &str, shared: Option<&str>) -> Vec<(String, Value)> {
        let mut fields = vec![(batch.key.to_string(), Value::text(name))];
        if batch.has_description {
            let own = shared.map_or_else(|| sentence(&mut self.core.random), String::from);
            fields.push(("description".to_string(), Value::text(own)));
        }
        if batch.has_handler {
            fields.push(("handler".to_string(), Value::Handler));
        }
        fields
    }

    /// The definitions as records, with some that are left out.
    fn records(&mut self, batch: &Batch) -> Vec<Vec<(String, Value)>> {
        let mut records = Vec::new();
        let shared = if self.chance(35) { Some(sentence(&mut self.core.random)) } else { None };
        for name in &batch.names {
            if let Some(skip) = batch.skip.filter(|_| self.chance(30)) {
                let mut left_out = self.record(batch, &format!("no_{name}"), shared.as_deref());
                left_out.push((skip.to_string(), Value::Flag(true)));
                records.push(left_out);
            }
            let record = self.record(batch, name, shared.as_deref());
            records.push(record);
        }
        records
    }

    /// An expression for the list of a batch.
    pub(super) fn list(&mut self, batch: &Batch, depth: u32) -> String {
        if let Some(given) = &batch.given {
            return given.clone();
        }
        match batch.shape {
            Shape::Names => self.value(&Value::List(batch.names.iter().map(Value::text).collect()), depth),
            Shape::Dicts => {
                let records = self.records(batch).into_iter().map(Value::Record).collect();
                self.value(&Value::List(records), depth)
            }
            Shape::Tuples => {
                let rows = self.records(batch).into_iter().map(|fields| {
                    let parts: Vec<String> =
                        fields.iter().map(|(_, value)| operand(&self.value(value, depth))).collect();
                    format!("({},)", parts.join(", ")).replace(",,", ",")
                });
                let rows: Vec<String> = rows.collect();
                super::list_of(rows)
            }
            Shape::Objects => self.objects(batch, depth),
        }
    }

    /// A list of objects of a class that is made for them.
    fn objects(&mut self, batch: &Batch, depth: u32) -> String {
        let mut members = vec![format!("{}: str", batch.key)];
        if batch.has_description {
            members.push("description: str = \"\"".to_string());
        }
        if batch.has_handler {
            members.push("handler: object = None".to_string());
        }
        if let Some(skip) = batch.skip {
            members.push(format!("{skip}: bool = False"));
        }
        let keys: Vec<String> =
            members.iter().map(|member| member.split(':').next().unwrap_or("").to_string()).collect();
        let is_data = self.chance(60);
        let made_by = if is_data { self.std("dataclasses", "dataclass") } else { self.std("types", "SimpleNamespace") };
        let kind = if is_data {
            self.at_top(|py| {
                let kind = py.fresh(&["ToolSpec", "ToolDef", "Definition"]);
                py.emit(format!("@{made_by}\n{}", class(&kind, "", &members)));
                kind
            })
        } else if self.chance(50) {
            made_by
        } else {
            let params: Vec<String> = keys.iter().skip(1).map(|key| format!("{key}=None")).collect();
            let params = [vec!["self".to_string(), keys[0].clone()], params].concat().join(", ");
            let stores: Vec<String> = keys.iter().map(|key| format!("self.{key} = {key}")).collect();
            self.at_top(|py| {
                let kind = py.fresh(&["ToolSpec", "ToolDef", "Definition"]);
                py.emit(class(&kind, "", &[def("__init__", &params, &super::suite_of(&stores))]));
                kind
            })
        };
        let mut made = Vec::new();
        for fields in self.records(batch) {
            let has_skip = fields.iter().any(|(key, _)| Some(key.as_str()) == batch.skip);
            let mut arguments: Vec<String> =
                fields.iter().map(|(key, value)| format!("{key}={}", self.value(value, depth))).collect();
            if let Some(skip) = batch.skip.filter(|_| !has_skip) {
                arguments.push(format!("{skip}=False"));
            }
            made.push(format!("{kind}({})", arguments.join(", ")));
        }
        super::list_of(made)
    }

    /// A target for a definition in the head of a loop, and what it binds.
    pub(super) fn target(&mut self, batch: &Batch) -> (String, Element) {
        if batch.shape == Shape::Tuples && self.chance(80) {
            let name = self.fresh(&["name", "tool_name", "key"]);
            let description = self.fresh(&["description", "text"]);
            let mut target = format!("{name}, {description}");
            let mut handler = None;
            if batch.has_handler {
                let local = self.fresh(&["handler", "function"]);
                target.push_str(&format!(", {local}"));
                handler = Some(local);
            } else if self.chance(30) {
                target = format!("{name}, *{description}");
                return (target, Element { name, skip: None, description: None, handler: None });
            }
            return (target, Element { name, skip: None, description: Some(description), handler });
        }
        let whole = self.fresh(match batch.shape {
            Shape::Names => &["name", "tool_name", "word", "key"],
            _ => &["tool", "spec", "entry", "definition", "item"],
        });
        let element = self.element(batch, &whole);
        (whole, element)
    }

    /// The parts of a definition that an expression stands for.
    pub(super) fn element(&mut self, batch: &Batch, whole: &str) -> Element {
        let whole = atom(whole);
        let part = |key: &str, at: usize| match batch.shape {
            Shape::Names => whole.clone(),
            Shape::Dicts => format!("{whole}[\"{key}\"]"),
            Shape::Objects => format!("{whole}.{key}"),
            Shape::Tuples => format!("{whole}[{at}]"),
        };
        let name = match (batch.shape, self.below(5)) {
            (Shape::Dicts, 0) => format!("{whole}.get(\"{}\")", batch.key),
            (Shape::Objects, 0) => format!("getattr({whole}, \"{}\")", batch.key),
            _ => part(batch.key, 0),
        };
        let description = if batch.has_description { Some(part("description", 1)) } else { None };
        let handler =
            if batch.has_handler { Some(part("handler", 1 + usize::from(batch.has_description))) } else { None };
        let skip = batch.skip.map(|skip| match batch.shape {
            Shape::Dicts => format!("{whole}.get(\"{skip}\")"),
            _ => format!("{whole}.{skip}"),
        });
        Element { name, skip, description, handler }
    }

    /// Writes what is done with one definition; `leave` ends the turn.
    pub(super) fn turn(&mut self, server: &str, batch: &Batch, element: &Element, leave: &str, depth: u32) {
        if let Some(skip) = &element.skip {
            let test = self.pick(&["if SKIP:", "if SKIP is True:", "if not (not SKIP):"]).replace("SKIP", skip);
            self.emit(format!("{test}\n    {leave}"));
        }
        let name = self.passed(&element.name, depth);
        let name = self.prefixed(&batch.prefix, &name, depth);
        let name = if self.chance(20) { self.named(&["full_name", "final_name"], &name) } else { name };
        let handler = element.handler.clone().filter(|_| self.chance(80));
        self.call(server, &name, element.description.as_deref(), handler);
    }

    /// An expression for a prefix and the name that follows it.
    pub(super) fn prefixed(&mut self, prefix: &str, name: &str, depth: u32) -> String {
        if prefix.is_empty() {
            return name.to_string();
        }
        let hole = self.hole(name);
        match self.below(7) {
            0 => format!("f\"{prefix}{hole}\""),
            1 => format!("{} + {}", operand(&self.text(prefix, depth)), operand(name)),
            2 => {
                let start = self.text(prefix.trim_end_matches('_'), depth);
                format!("\"_\".join([{start}, {name}])")
            }
            3 => {
                let start = self.text(prefix, depth);
                format!("f\"{}{hole}\"", self.hole(&start))
            }
            4 => format!("\"{prefix}%s\" % ({name},)"),
            5 => format!("\"{{}}{{}}\".format({}, {name})", self.text(prefix, depth)),
            _ => {
                let function = self.at_top(|py| {
                    let (function, param) =
                        (py.fresh(&["qualify", "with_prefix", "scoped"]), py.fresh(&["name", "local"]));
                    let suite = py.returning(false, |py| {
                        let start = py.text(prefix, depth);
                        format!("{} + {param}", operand(&start))
                    });
                    py.emit(def(&function, &param, &suite));
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
            0 => format!("f\"{}\"", self.hole(&text)),
            1 => format!("str({text})"),
            2 => format!("{whole}.strip()"),
            3 => format!("{safe} or \"unnamed\""),
            4 => format!("{safe} if {safe} is not None else \"unnamed\""),
            5 => format!("[{text}][0]"),
            6 => format!("{{\"it\": {text}}}[\"it\"]"),
            7 => format!("\"_\".join({whole}.split(\"_\"))"),
            8 => format!("{whole}[:]"),
            9 => format!("\"%s\" % ({text},)"),
            10 => format!("{}(r\"\\s+\", \"_\", {text})", self.std("re", "sub")),
            11 => format!("(lambda it: it)({text})"),
            12 => format!("list({{{text}: 1}})[0]"),
            13 => format!("\"\".join(letter for letter in {safe})"),
            14 => format!("dict(it={text})[\"it\"]"),
            15 => format!("next(filter(None, [\"\", {text}]))"),
            16 => format!("{whole}.replace(\" \", \"_\").lower()"),
            17 => format!("{whole}.upper().lower()"),
            18 => format!("(\"x\" + {safe}).removeprefix(\"x\")"),
            19 => format!("\"{{}}\".format({text})"),
            20 => format!("\"{{name}}\".format(name={text})"),
            21 => format!("max([{text}], key=len)"),
            22 => {
                let test = self.flag(true, depth - 1);
                format!("{safe} if {} else \"never\"", operand(&test))
            }
            23 => {
                let name = self.fresh(&["current_name", "label"]);
                self.emit(format!("{name} = {text}"));
                name
            }
            24 => {
                let function = self.at_top(|py| {
                    let function = py.fresh(&["normalize", "clean", "to_name"]);
                    let body = py.pick(&[
                        "    return name",
                        "    return name.strip()",
                        "    if not name:\n        raise ValueError(\"no name\")\n    return name",
                        "    parts = name.split(\"_\")\n    return \"_\".join(parts)",
                        "    return name.replace(\"-\", \"_\").lower()",
                    ]);
                    py.emit(def(&function, "name", body));
                    function
                });
                format!("{function}({text})")
            }
            _ => {
                let name = self.fresh(&["current_name", "label"]);
                self.emit(format!("{name} = \"\"\nfor letter in {text}:\n    {name} += letter"));
                name
            }
        }
    }

    /// Writes the statements that register a tool.
    pub(super) fn call(&mut self, server: &str, name: &str, description: Option<&str>, handler: Option<String>) {
        let description = match description {
            Some(description) => description.to_string(),
            None => {
                let text = sentence(&mut self.core.random);
                self.literal(&text)
            }
        };
        let handler = handler.unwrap_or_else(|| self.handler());
        match self.below(16) {
            0 => self.emit(format!("{server}.add_tool({handler}, {name})")),
            1 => self.emit(format!("{server}.add_tool({handler}, name={name}, description={description})")),
            2 => self.emit(format!("{server}.add_tool(fn={handler}, name={name})")),
            3 => self.emit(format!("{server}.tool(name={name})({handler})")),
            4 => self.emit(format!("{server}.tool({name}, description={description})({handler})")),
            5 | 6 => {
                let function = self.fresh(&["registered", "tool_function", "inner"]);
                let start = self.pick(&["", "async "]);
                let arguments = self.pick(&["name=NAME", "NAME", "name=NAME, description=DESCRIPTION"]);
                let arguments = arguments.replace("NAME", name).replace("DESCRIPTION", &description);
                self.emit(format!("@{server}.tool({arguments})\n{start}def {function}() -> str:\n    return \"done\""));
            }
            7 => {
                let (partial, add) = (self.std("functools", "partial"), self.fresh(&["add", "add_named"]));
                self.emit(format!("{add} = {partial}({server}.add_tool, {handler})\n{add}(name={name})"));
            }
            8 => self.emit(format!("{server}.add_tool(*[{handler}], **{{\"name\": {name}}})")),
            9 => {
                let (function, given) =
                    (self.fresh(&["named_function", "made"]), self.named(&["wanted", "own_name"], name));
                let call = self.pick(&["SERVER.add_tool(IT)", "SERVER.tool()(IT)"]).replace("SERVER", server);
                let body = def(&function, "", "    return \"done\"");
                self.emit(format!("{body}\n{function}.__name__ = {given}\n{}", call.replace("IT", &function)));
            }
            10 => {
                let add = self.fresh(&["add", "add_tool", "method"]);
                self.emit(format!("{add} = {server}.add_tool\n{add}({handler}, name={name})"));
            }
            11 => self.emit(format!("getattr({server}, \"add_tool\")({handler}, name={name})")),
            _ => self.emit(format!("{server}.add_tool({handler}, name={name})")),
        }
    }
}
