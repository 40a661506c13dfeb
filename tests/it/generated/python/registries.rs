//! Registrations by way of decorators and classes that collect what is registered later.

use super::{Py, Value, class, def, is_identifier, suite_of};

impl Py {
    /// Writes functions of these names under a decorator.
    fn decorated(&mut self, decorator: &str, names: &[String]) -> Option<Vec<String>> {
        let mut functions = Vec::new();
        for name in names {
            let function = if is_identifier(name) { self.core.fresh(name) } else { self.fresh(&["run_tool"]) };
            self.emit(format!("@{decorator}"));
            self.tool_function(&function);
            functions.push(function);
        }
        Some(functions)
    }

    /// A decorator keeps functions in a list, and a loop registers them under their own names.
    pub(super) fn register_by_registry(&mut self, server: &str, names: &[String], _: u32) -> Option<()> {
        let (registry, decorator) = (self.fresh(&["REGISTRY", "TOOL_FUNCTIONS"]), self.fresh(&["tool", "exported"]));
        self.emit(format!(
            "{registry} = []\n{}",
            def(&decorator, "function", &format!("    {registry}.append(function)\n    return function"))
        ));
        self.decorated(&decorator, names)?;
        let function = self.fresh(&["function", "fn"]);
        let form = self.pick(&[
            "for F in R:\n    S.add_tool(F)",
            "for F in R:\n    S.tool()(F)",
            "for F in R:\n    S.add_tool(F, name=F.__name__)",
            "for F in R:\n    S.tool(name=F.__name__.lower())(F)",
            "list(map(S.add_tool, R))",
            "for F in {F.__name__: F for F in R}.values():\n    S.add_tool(F)",
        ]);
        // The letters are replaced one by one, so that none is found in what replaces another.
        let form: String = form
            .split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map(|piece| {
                let word = piece.trim_end_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let rest = &piece[word.len()..];
                match word {
                    "F" => format!("{function}{rest}"),
                    "R" => format!("{registry}{rest}"),
                    "S" => format!("{server}{rest}"),
                    _ => piece.to_string(),
                }
            })
            .collect();
        self.emit(form);
        Some(())
    }

    /// A decorator with arguments keeps names and functions in a table.
    pub(super) fn register_by_named_registry(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (registry, decorator) = (self.fresh(&["TOOLS_BY_NAME", "COMMANDS"]), self.fresh(&["command", "tool"]));
        let kept = if self.chance(50) {
            format!("{registry}[name or function.__name__] = function")
        } else {
            format!("{registry}.update({{(name or function.__name__): function}})")
        };
        let inner = suite_of(&[
            def("decorate", "function", &format!("    {kept}\n    return function")),
            "return decorate if given is None else decorate(given)".to_string(),
        ]);
        self.emit(format!("{registry} = {{}}\n{}", def(&decorator, "given=None, *, name=None", &inner)));
        for name in names {
            let function = if is_identifier(name) { self.core.fresh(name) } else { self.fresh(&["run_tool"]) };
            if function == *name && self.chance(50) {
                let call = self.pick(&["", "()"]);
                self.emit(format!("@{decorator}{call}"));
            } else {
                let text = self.text(name, depth);
                self.emit(format!("@{decorator}(name={text})"));
            }
            self.tool_function(&function);
        }
        let (name, function) = (self.fresh(&["name", "key"]), self.fresh(&["function", "fn"]));
        self.emit(format!(
            "for {name}, {function} in {registry}.items():\n    {server}.add_tool({function}, name={name})"
        ));
        Some(())
    }

    /// A class for each tool, with its name as an attribute, a property or a class method.
    pub(super) fn register_tool_classes(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let base = self.at_top(|py| {
            let base = py.fresh(&["BaseTool", "AbstractTool"]);
            let register = def("register", "self, server", "    server.add_tool(self.run, name=self.name)");
            py.emit(class(
                &base,
                "",
                &["name = \"\"".to_string(), def("run", "self", "    return \"done\""), register],
            ));
            base
        });
        let mut classes = Vec::new();
        for name in names {
            let kind = self.fresh(&["ReadTool", "WriteTool", "FindTool"]);
            let member = match self.below(3) {
                0 => {
                    let suite = self.returning(false, |py| py.text(name, depth));
                    format!("@property\n{}", def("name", "self", &suite))
                }
                1 => {
                    let (mut lines, text) = self.block(false, |py| py.text(name, depth));
                    lines.push(format!("self.name = {text}"));
                    def("__init__", "self", &suite_of(&lines))
                }
                _ => format!("name = {}", self.still(&Value::text(name), depth)),
            };
            self.emit(class(&kind, &base, &[member]));
            classes.push(kind);
        }
        let (list, kind) = (super::list_of(classes), self.fresh(&["kind", "tool_class"]));
        let form = self.pick(&[
            "for K in L:\n    K().register(S)",
            "for K in [each() for each in L]:\n    K.register(S)",
            "for K in map(lambda each: each(), L):\n    S.add_tool(K.run, name=K.name)",
            "for K in L:\n    it = K()\n    S.tool(name=it.name)(it.run)",
        ]);
        self.emit(
            form.replace('K', &kind)
                .replace("S.", &format!("{server}."))
                .replace("(S)", &format!("({server})"))
                .replace('L', &list),
        );
        Some(())
    }

    /// Subclasses collect themselves when they are made.
    pub(super) fn register_subclasses(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (base, with_argument) = (self.fresh(&["Plugin", "Auto"]), self.chance(40));
        let hook = if with_argument {
            def(
                "__init_subclass__",
                "cls, tool_name=None, **kwargs",
                "    super().__init_subclass__(**kwargs)\n    cls.tool_name = tool_name\n    cls.registry.append(cls)",
            )
        } else {
            def(
                "__init_subclass__",
                "cls, **kwargs",
                "    super().__init_subclass__(**kwargs)\n    PARENT.registry.append(cls)",
            )
            .replace("PARENT", &base)
        };
        let run = def("run", "self", "    return \"done\"");
        self.emit(class(&base, "", &["registry = []".to_string(), "tool_name = None".to_string(), hook, run]));
        for name in names {
            let (text, kind) = (self.still(&Value::text(name), depth), self.fresh(&["First", "Second", "Extra"]));
            if with_argument {
                self.emit(class(&kind, &format!("{base}, tool_name={text}"), &[]));
            } else {
                self.emit(class(&kind, &base, &[format!("tool_name = {text}")]));
            }
        }
        let kind = self.fresh(&["plugin", "found_class"]);
        let list =
            self.pick(&["BASE.registry", "BASE.registry", "BASE.__subclasses__()", "list(reversed(BASE.registry))"]);
        self.emit(format!(
            "for {kind} in {}:\n    {server}.add_tool({kind}().run, name={kind}.tool_name)",
            list.replace("BASE", &base)
        ));
        Some(())
    }

    /// A class decorator registers the methods of a class.
    pub(super) fn register_class_decorator(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        if names.iter().any(|name| !is_identifier(name)) {
            return None;
        }
        let decorator = self.at_top(|py| {
            let decorator = py.fresh(&["tools_of", "register_methods"]);
            let filter = py.pick(&["not key.startswith(\"_\")", "callable(member) and key[0] != \"_\""]);
            let body = format!(
                "    def decorate(cls):\n        made = cls()\n        for key, member in vars(cls).items():\n            if {filter}:\n                server.add_tool(getattr(made, key), name=prefix + key)\n        return cls\n\n    return decorate"
            );
            py.emit(def(&decorator, "server, prefix=\"\"", &body));
            decorator
        });
        let batch = self.batch(names);
        if batch.names.iter().any(|name| !is_identifier(name)) {
            return None;
        }
        let (kind, prefix) = (self.fresh(&["Tools", "Handlers"]), self.text(&batch.prefix, depth));
        let methods: Vec<String> = batch.names.iter().map(|name| def(name, "self", "    return \"done\"")).collect();
        self.emit(format!("@{decorator}({server}, prefix={prefix})\n{}", class(&kind, "", &methods)));
        Some(())
    }

    /// A decorator marks methods, and a loop registers those that are marked.
    pub(super) fn register_marked(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let mark = self.at_top(|py| {
            let mark = py.fresh(&["tool_method", "marked"]);
            let body = "    def decorate(function):\n        function._tool_name = name\n        return function\n\n    return decorate";
            py.emit(def(&mark, "name", body));
            mark
        });
        let (kind, object) = (self.fresh(&["Service", "Api"]), self.fresh(&["service", "api"]));
        let mut methods = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let text = self.still(&Value::text(name), depth);
            methods.push(format!("@{mark}({text})\n{}", def(&format!("method_{at}"), "self", "    return \"done\"")));
        }
        methods.push(def("helper", "self", "    return None"));
        self.emit(format!("{}\n{object} = {kind}()", class(&kind, "", &methods)));
        let form = self.pick(&[
            "for key in dir(O):\n    method = getattr(O, key)\n    if hasattr(method, \"_tool_name\"):\n        S.add_tool(method, name=method._tool_name)",
            "for key, function in C.__dict__.items():\n    name_of = getattr(function, \"_tool_name\", None)\n    if name_of:\n        S.tool(name=name_of)(getattr(O, key))",
            "for function in [it for it in vars(C).values() if hasattr(it, \"_tool_name\")]:\n    S.add_tool(function, name=function._tool_name)",
        ]);
        let form = form
            .replace("(O", &format!("({object}"))
            .replace("C.", &format!("{kind}."))
            .replace("(C)", &format!("({kind})"));
        self.emit(form.replace("S.", &format!("{server}.")));
        Some(())
    }

    /// The program's own decorator registers at once and adds a prefix.
    pub(super) fn register_own_decorator(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let batch = self.batch(names);
        let (decorator, param) = (self.fresh(&["mcp_tool", "expose", "published"]), self.fresh(&["name", "key"]));
        let prefix = self.text(&batch.prefix, depth);
        let prefix = self.steady(&["start", "scope_name"], &prefix);
        let inner = match self.below(3) {
            0 => format!(
                "    def decorate(function):\n        {server}.add_tool(function, name={} + {param})\n        return function\n\n    return decorate",
                super::operand(&prefix)
            ),
            1 => format!("    return {server}.tool(name={} + {param})", super::operand(&prefix)),
            _ => format!(
                "    full = \"\".join([{prefix}, {param}])\n    return lambda function: {server}.tool(name=full)(function)"
            ),
        };
        self.emit(def(&decorator, &param, &inner));
        for name in &batch.names {
            let (text, function) = (self.text(name, depth), self.fresh(&["run_tool", "tool_function"]));
            self.emit(format!("@{decorator}({text})"));
            self.tool_function(&function);
        }
        Some(())
    }

    /// The functions of a module are registered under their own names.
    pub(super) fn register_module_functions(&mut self, server: &str, names: &[String], _: u32) -> Option<()> {
        if !self.has_room(1) || names.iter().any(|name| !is_identifier(name)) {
            return None;
        }
        let module = self.new_module("functions_mod");
        self.core.modules[module].is_closed = true;
        self.inside(module, |py| {
            for name in names {
                let _ = py.core.fresh(name);
                py.tool_function(name);
            }
            let list = super::list_of(names.to_vec());
            let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
            py.emit(format!("ALL_TOOLS = {list}\n__all__ = {}", super::list_of(quoted)));
        });
        let space = format!("{}.", self.import(module, "ALL_TOOLS", 2).trim_end_matches(".ALL_TOOLS"));
        let form = self.pick(&[
            "for function in M.ALL_TOOLS:\n    S.add_tool(function)",
            "for key in M.__all__:\n    S.add_tool(getattr(M, key))",
            "for key in M.__all__:\n    S.tool(name=key)(getattr(M, key))",
            "for key, it in vars(M).items():\n    if callable(it) and not key.startswith(\"_\"):\n        S.add_tool(it, name=key)",
        ]);
        let form = form.replace("M.", &space).replace("(M", &format!("({}", space.trim_end_matches('.')));
        self.emit(form.replace("S.", &format!("{server}.")));
        Some(())
    }

    /// A table from names to functions.
    pub(super) fn register_function_table(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let mut entries = Vec::new();
        for name in names {
            let function = if is_identifier(name) { self.core.fresh(name) } else { self.fresh(&["run_tool"]) };
            self.tool_function(&function);
            if function == *name && self.chance(40) {
                entries.push((format!("{function}.__name__"), function));
            } else {
                let text = self.still(&Value::text(name), depth);
                entries.push((text, function));
            }
        }
        let (table, name) = (self.fresh(&["HANDLERS", "dispatch_table"]), self.fresh(&["name", "key"]));
        let made = if self.chance(30) {
            let pairs: Vec<String> =
                entries.iter().map(|(key, value)| format!("({}, {value})", super::operand(key))).collect();
            format!("dict({})", super::list_of(pairs))
        } else {
            super::dict_of(entries)
        };
        self.emit(format!("{table} = {made}"));
        match self.below(2) {
            0 => self.emit(format!("for {name} in {table}:\n    {server}.add_tool({table}[{name}], name={name})")),
            _ => self.emit(format!("for {name}, function in {table}.items():\n    {server}.tool({name})(function)")),
        }
        Some(())
    }
}
