//! Registrations: the ways to register tools on a server.

use super::turns::Batch;
use super::{Py, Value, class, def, is_identifier, loops, suite_of, wrap};

/// A way to register tools of these names on the server of an expression; `None` if it does not suit them.
pub(super) type Form = fn(&mut Py, &str, &[String], u32) -> Option<()>;

pub(super) const FORMS: &[(&str, Form)] = &[
    ("register: decorated functions", Py::register_decorated),
    ("register: loop", Py::register_in_loop),
    ("register: one by one", Py::register_directly),
    ("register: stacked decorators", Py::register_stacked),
    ("register: function with list", Py::register_through_function),
    ("register: helper with prefix", Py::register_with_helper),
    ("register: functions in a list", Py::register_functions),
    ("register: registrar class", Py::register_with_class),
    ("register: bound methods", Py::register_methods),
    ("register: halves", Py::register_halves),
    ("register: module", Py::register_in_module),
    ("register: imported module", Py::register_in_imported),
    ("register: import_module list", Py::register_import_list),
    ("register: pkgutil", Py::register_pkgutil),
    ("register: crud", Py::register_crud),
    ("register: registry decorator", Py::register_by_registry),
    ("register: registry decorator with name", Py::register_by_named_registry),
    ("register: tool classes", Py::register_tool_classes),
    ("register: __init_subclass__", Py::register_subclasses),
    ("register: class decorator", Py::register_class_decorator),
    ("register: marked methods", Py::register_marked),
    ("register: own decorator", Py::register_own_decorator),
    ("register: module functions", Py::register_module_functions),
    ("register: queue of lambdas", Py::register_deferred),
    ("register: wrapped server", Py::register_wrapped),
    ("register: dict of functions", Py::register_function_table),
];

impl Py {
    /// Writes code that registers tools of these names.
    pub(super) fn register(&mut self, server: &str, names: &[String], depth: u32) {
        if names.is_empty() {
            return;
        }
        if self.chance(40) && self.register_in_imported(server, names, depth).is_some() {
            self.core.mark("register: imported module");
            return;
        }
        if depth > 0 && self.chance(30) && self.core.spend() {
            let (kind, form) = self.core.choose(wrap::FORMS);
            if form(self, depth, &mut |py| py.register(server, names, depth - 1)).is_some() {
                self.core.mark(kind);
                return;
            }
        }
        if depth == 0 || !self.core.spend() {
            self.register_decorated(server, names, depth);
            return;
        }
        for _ in 0..5 {
            let (kind, form) = if self.chance(25) { FORMS[1] } else { self.core.choose(FORMS) };
            if form(self, server, names, depth - 1).is_some() {
                self.core.mark(kind);
                return;
            }
        }
        self.register_decorated(server, names, depth);
    }

    /// Writes the definition of a function, perhaps with a docstring and parameters.
    pub(super) fn tool_function(&mut self, name: &str) {
        let start = self.pick(&["", "", "async "]);
        let params = self.pick(&["", "query: str", "*, limit: int = 10", "a: int, b: int = 2"]);
        let body =
            self.pick(&["    return \"done\"", "    \"\"\"Größe → first.\"\"\"\n    return \"done\"", "    ..."]);
        self.emit(format!("{start}{}", def(name, params, body)));
    }

    /// A name that is free for a function, which is the tool's own if it can be.
    fn function_name(&mut self, wanted: &str) -> (String, bool) {
        if is_identifier(wanted) {
            let name = self.core.fresh(wanted);
            let is_own = name == wanted;
            return (name, is_own);
        }
        (self.fresh(&["tool_function", "run_tool"]), false)
    }

    fn register_decorated(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        for name in names {
            let (function, is_own) = self.function_name(name);
            if is_own && self.chance(60) {
                let call = self.pick(&["()", "()", "(description=\"One\")", "(name=None)"]);
                self.emit(format!("@{server}.tool{call}"));
                self.tool_function(&function);
                continue;
            }
            let function = if is_own { self.fresh(&["tool_function", "run_tool"]) } else { function };
            let text = self.text(name, depth);
            let call = self.pick(&["name=TEXT", "TEXT", "name=TEXT, description=\"One\"", "TEXT, title=\"One\""]);
            self.emit(format!("@{server}.tool({})", call.replace("TEXT", &text)));
            self.tool_function(&function);
        }
        Some(())
    }

    fn register_directly(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        for name in names {
            let (function, is_own) = self.function_name(name);
            if is_own && self.chance(40) {
                self.tool_function(&function);
                let call = self.pick(&["SERVER.add_tool(IT)", "SERVER.tool()(IT)", "IT = SERVER.tool()(IT)"]);
                self.emit(call.replace("SERVER", server).replace("IT", &function));
                continue;
            }
            let name = self.text(name, depth);
            self.call(server, &name, None, None);
        }
        Some(())
    }

    fn register_in_loop(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let batch = self.batch(names);
        self.run_loop(server, &batch, depth);
        Some(())
    }

    /// Writes a loop over a batch.
    pub(super) fn run_loop(&mut self, server: &str, batch: &Batch, depth: u32) {
        loop {
            let (kind, form) = if self.core.awaits() && self.chance(30) {
                *self.core.random.pick(loops::AWAITING)
            } else {
                self.core.choose(loops::FORMS)
            };
            if form(self, server, batch, depth).is_some() {
                self.core.mark(kind);
                return;
            }
        }
    }

    fn register_stacked(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let wraps = self.std("functools", "wraps");
        let with_wraps = self.chance(70);
        let decorator = self.at_top(|py| {
            let decorator = py.fresh(&["logged", "timed", "guarded"]);
            let mut inner = vec![
                def("wrapper", "*args, **kwargs", "    return function(*args, **kwargs)"),
                "return wrapper".to_string(),
            ];
            if with_wraps {
                inner.insert(0, format!("@{wraps}(function)"));
            }
            py.emit(def(&decorator, "function", &suite_of(&inner)));
            decorator
        });
        for name in names {
            let (function, is_own) = self.function_name(name);
            if is_own && with_wraps {
                self.emit(format!("@{server}.tool()\n@{decorator}"));
                self.tool_function(&function);
                continue;
            }
            let function = self.fresh(&["tool_function", "run_tool"]);
            let text = self.text(name, depth);
            match self.below(2) {
                0 => self.emit(format!("@{server}.tool(name={text})\n@{decorator}")),
                _ => self.emit(format!("@{decorator}\n@{server}.tool(name={text})")),
            }
            self.tool_function(&function);
        }
        Some(())
    }

    fn register_through_function(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let mut batch = self.batch(names);
        let list = self.list(&batch, depth);
        let (own, given) = (self.fresh(&["server", "target", "app"]), self.fresh(&["tools", "specs", "defs"]));
        batch.given = Some(given.clone());
        let (function, params, call) = self.at_top(|py| {
            let function = py.fresh(&["register_all", "install", "add_tools"]);
            let (lines, ()) = py.block(false, |py| py.run_loop(&own, &batch, depth));
            let (params, call) = match py.below(3) {
                0 => (format!("{own}, *, {given}=()"), format!("S, {given}=L")),
                1 => (format!("{own}, *{given}"), "S, *L".to_string()),
                _ => (format!("{own}, {given}"), "S, L".to_string()),
            };
            py.emit(def(&function, &params, &suite_of(&lines)));
            (function, params, call)
        });
        let list = if params.contains('*') { super::operand(&list) } else { list };
        let arguments = match call.as_str() {
            "S, L" => format!("{server}, {list}"),
            "S, *L" => format!("{server}, *{list}"),
            _ => format!("{server}, {given}={list}"),
        };
        self.emit(format!("{function}({arguments})"));
        Some(())
    }

    fn register_with_helper(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let batch = self.batch(names);
        let (helper, param) = (self.fresh(&["add", "add_tool", "define"]), self.fresh(&["name", "key"]));
        let (lines, ()) = self.block(false, |py| {
            let name = py.passed(&param, depth);
            let name = py.prefixed(&batch.prefix, &name, depth);
            py.call(server, &name, None, None);
        });
        let other = self.fresh(&["description", "options", "rest"]);
        let more = self.pick(&["", ", OTHER=\"\"", ", **OTHER", ", *OTHER"]).replace("OTHER", &other);
        self.emit(def(&helper, &format!("{param}{more}"), &suite_of(&lines)));
        for name in &batch.names {
            let name = self.text(name, depth);
            let call = if self.chance(30) { format!("{param}={name}") } else { name };
            self.emit(format!("{helper}({call})"));
        }
        Some(())
    }

    fn register_functions(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let mut functions = Vec::new();
        for name in names {
            let own = self.fresh(&["server", "target", "app"]);
            functions.push(self.at_top(|py| {
                let function = py.fresh(&["register_tool", "setup", "install"]);
                let (lines, ()) = py.block(false, |py| py.register(&own, std::slice::from_ref(name), depth));
                py.emit(def(&function, &own, &suite_of(&lines)));
                function
            }));
        }
        let (list, step) = (super::list_of(functions), self.fresh(&["step", "installer"]));
        let form = self.pick(&[
            "for STEP in LIST:\n    STEP(SERVER)",
            "_ = [STEP(SERVER) for STEP in LIST]",
            "STEPS = LIST\nwhile STEPS:\n    STEPS.pop(0)(SERVER)",
        ]);
        let steps = self.fresh(&["steps", "installers"]);
        let form = form.replace("STEPS", &steps).replace("STEP", &step);
        self.emit(form.replace("LIST", &list).replace("SERVER", server));
        Some(())
    }

    fn register_with_class(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (kind, extra) = self.at_top(|py| {
            let kind = py.fresh(&["Registrar", "App", "ToolHost"]);
            let own = py.fresh(&["server", "target", "host"]);
            let (mut lines, ()) = py.block(false, |py| py.register(&own, names, depth));
            lines.insert(0, format!("{own} = self._server"));
            let in_init = py.chance(30);
            let init = if in_init {
                "    self._server = server\n    self.register_all()"
            } else {
                "    self._server = server"
            };
            let members = [def("__init__", "self, server", init), def("register_all", "self", &suite_of(&lines))];
            py.emit(class(&kind, "", &members));
            (kind, if in_init { "" } else { ".register_all()" })
        });
        match self.below(2) {
            0 => self.emit(format!("{kind}({server}){extra}")),
            _ => {
                let object = self.fresh(&["registrar", "application"]);
                self.emit(format!("{object} = {kind}(server={server})"));
                if !extra.is_empty() {
                    self.emit(format!("{object}{extra}"));
                }
            }
        }
        Some(())
    }

    fn register_methods(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        if names.iter().any(|name| !is_identifier(name)) {
            return None;
        }
        let kind = self.fresh(&["Tools", "Handlers", "Commands"]);
        let start = self.pick(&["", "async "]);
        let methods: Vec<String> =
            names.iter().map(|name| format!("{start}{}", def(name, "self", "    return \"done\""))).collect();
        let object = self.fresh(&["tools", "handlers", "commands"]);
        let _ = depth;
        self.emit(format!("{}\n{object} = {kind}()", class(&kind, "", &methods)));
        let list = super::list_of(names.iter().map(|name| self.literal(name)).collect());
        let name = self.fresh(&["method_name", "key"]);
        match self.below(6) {
            0 => self.emit(format!("for {name} in {list}:\n    {server}.add_tool(getattr({object}, {name}))")),
            1 => self.emit(format!("for {name} in {list}:\n    {server}.tool(name={name})(getattr({object}, {name}))")),
            2 => self.emit(format!(
                "for {name} in dir({object}):\n    if not {name}.startswith(\"_\"):\n        {server}.add_tool(getattr({object}, {name}))"
            )),
            3 => {
                let members = self.std("inspect", "getmembers");
                let is_method = self.std("inspect", "ismethod");
                self.emit(format!(
                    "for {name}, method in {members}({object}, predicate={is_method}):\n    {server}.add_tool(method, name={name})"
                ));
            }
            4 => self.emit(format!(
                "for {name}, function in vars({kind}).items():\n    if callable(function) and not {name}.startswith(\"__\"):\n        {server}.add_tool(function.__get__({object}), name={name})"
            )),
            _ => {
                for own in names {
                    self.emit(format!("{server}.tool()({object}.{own})"));
                }
            }
        }
        Some(())
    }

    fn register_halves(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (left, right) = names.split_at(self.below(names.len() + 1));
        self.register(server, left, depth);
        self.register(server, right, depth);
        Some(())
    }

    /// Writes a function that registers tools on its parameter, and returns its name.
    fn registering_function(&mut self, bases: &[&str], names: &[String], depth: u32) -> String {
        let (function, own) = (self.exported_name(bases), self.fresh(&["server", "app", "target"]));
        let (lines, ()) = self.block(false, |py| py.register(&own, names, depth));
        if self.chance(30) {
            let sdk = self.sdk("FastMCP");
            self.emit(format!("def {function}({own}: {sdk}) -> None:\n{}", suite_of(&lines)));
        } else {
            self.emit(def(&function, &own, &suite_of(&lines)));
        }
        function
    }

    fn register_in_module(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        if !self.has_room(1) {
            return None;
        }
        let stem = self.pick(&["users", "files", "searching", "admin", "billing"]);
        let module = self.new_module(stem);
        let function =
            self.inside(module, |py| py.registering_function(&["register", "register_tools", "setup"], names, depth));
        let how = self.below(4);
        let local = self.import(module, &function, how);
        self.emit(format!("{local}({server})"));
        Some(())
    }

    /// The server is in a module of its own, and a module that is only imported registers tools on it.
    fn register_in_imported(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let here = self.core.module();
        let (path, exported, _) =
            self.core.modules[here].imported.iter().find(|(_, _, local)| local == server)?.clone();
        let home = self.core.modules.iter().position(|module| module.path == path)?;
        if !self.has_room(1) || home < here {
            return None;
        }
        // The new module comes after the server's, which imports nothing.
        let module = self.new_module("tools_mod");
        self.core.modules[module].is_closed = true;
        self.inside(module, |py| {
            let own = py.import(home, &exported, 0);
            py.register(&own, names, depth);
        });
        let line = self.import_for_effect(module);
        if self.chance(50) {
            self.import_line(line)
        } else {
            self.emit(line)
        }
        Some(())
    }

    fn register_import_list(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (left, right) = names.split_at(self.below(names.len() + 1));
        let mut modules = Vec::new();
        for part in [left, right] {
            if part.is_empty() || !self.has_room(1) {
                self.register(server, part, depth);
                continue;
            }
            let module = self.new_module("feature");
            self.core.modules[module].is_closed = true;
            self.inside(module, |py| {
                let own = py.fresh(&["server", "app"]);
                let (lines, ()) = py.block(false, |py| py.register(&own, part, depth));
                py.emit(def("activate", &own, &suite_of(&lines)));
            });
            modules.push(module);
        }
        let function = self.std("importlib", "import_module");
        let is_relative = self.package.is_some() && self.core.is_top() && self.chance(40);
        let values: Vec<Value> = modules
            .iter()
            .map(|module| {
                let full = self.dotted(*module);
                let short = full.split_once('.').map_or(full.as_str(), |(_, rest)| rest).to_string();
                Value::text(if is_relative { format!(".{short}") } else { full })
            })
            .collect();
        let (list, path) = (self.value(&Value::List(values), depth), self.fresh(&["module_name", "path"]));
        let package =
            self.package.filter(|_| is_relative).map(|package| format!(", \"{package}\"")).unwrap_or_default();
        let form = self.pick(&[
            "for PATH in LIST:\n    FUNCTION(PATHPACKAGE).activate(SERVER)",
            "for PATH in LIST:\n    loaded = FUNCTION(PATHPACKAGE)\n    loaded.activate(SERVER)",
            "for PATH in LIST:\n    getattr(FUNCTION(PATHPACKAGE), \"activate\")(SERVER)",
        ]);
        let form =
            form.replace("LIST", &list).replace("PATHPACKAGE", &format!("{path}{package}")).replace("PATH", &path);
        self.emit(form.replace("FUNCTION", &function).replace("SERVER", server));
        Some(())
    }

    fn register_pkgutil(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let root = self.package.map(|package| format!("{package}/")).unwrap_or_default();
        let folder = self.pick(&["plugins", "commands", "toolset"]);
        if self.core.modules.iter().any(|module| module.path.starts_with(&format!("{root}{folder}/"))) {
            return None;
        }
        if !self.has_room(names.len().min(2)) {
            return None;
        }
        let (left, right) = names.split_at(if names.len() > 1 { 1 } else { 0 });
        let mut package = String::new();
        for (at, part) in [left, right].into_iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            let stem = self.pick(&["users", "files", "searching"]);
            let module = self.new_module_in(&format!("{folder}/"), &format!("{stem}{at}"));
            self.core.modules[module].is_closed = true;
            package = self.dotted(module).rsplit_once('.').map(|(package, _)| package.to_string()).unwrap_or_default();
            self.inside(module, |py| {
                let own = py.fresh(&["server", "app"]);
                let (lines, ()) = py.block(false, |py| py.register(&own, part, depth));
                py.emit(def("activate", &own, &suite_of(&lines)));
            });
        }
        let (import, iter) = (self.std("importlib", "import_module"), self.std("pkgutil", "iter_modules"));
        let (found, local) = (self.fresh(&["found", "info"]), self.fresh(&["loaded_package", "plugins_package"]));
        self.emit(format!("{local} = {import}(\"{package}\")"));
        let form = self.pick(&[
            "for FOUND in ITER(LOCAL.__path__):\n    IMPORT(f\"{LOCAL.__name__}.{FOUND.name}\").activate(SERVER)",
            "for _, FOUND, _is_package in ITER(LOCAL.__path__, LOCAL.__name__ + \".\"):\n    IMPORT(FOUND).activate(SERVER)",
            "for FOUND in sorted(ITER(LOCAL.__path__), key=lambda it: it.name):\n    IMPORT(\"PACKAGE.\" + FOUND.name).activate(SERVER)",
        ]);
        let form = form.replace("PACKAGE", &package).replace("LOCAL", &local).replace("FOUND", &found);
        self.emit(form.replace("IMPORT", &import).replace("ITER", &iter).replace("SERVER", server));
        Some(())
    }

    /// Tools for each verb and each thing; their names are the program's own.
    fn register_crud(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let pairs: Vec<(&str, &str)> = names.iter().map(|name| name.split_once('_')).collect::<Option<_>>()?;
        let mut verbs: Vec<&str> = pairs.iter().map(|(verb, _)| *verb).collect();
        let noun = pairs[0].1;
        verbs.dedup();
        if verbs.len() != names.len() || noun.is_empty() {
            return None;
        }
        let list = self.value(&Value::List(verbs.into_iter().map(Value::text).collect()), depth);
        let things = Value::List(vec![Value::text(noun), Value::text(format!("{noun}_part"))]);
        let things = self.value(&things, depth);
        let (list, things) = (self.steady(&["verbs", "actions"], &list), self.steady(&["things", "nouns"], &things));
        let (list, things) = (super::operand(&list), super::operand(&things));
        let (verb, thing) = (self.fresh(&["verb", "action"]), self.fresh(&["thing", "noun"]));
        let name = self.pick(&[
            "f\"{V}_{T}\"",
            "V + \"_\" + T",
            "\"_\".join((V, T))",
            "\"%s_%s\" % (V, T)",
            "\"{}_{}\".format(V, T)",
        ]);
        let name = name.replace('V', &verb).replace('T', &thing);
        let suite = self.suite(|py| py.call(server, &name, None, None));
        let head = match self.below(3) {
            0 => format!("for {thing}, {verb} in {}({things}, {list}):\n{suite}", self.std("itertools", "product")),
            1 => format!("for {thing}, {verb} in [(t, v) for t in {things} for v in {list}]:\n{suite}"),
            _ => format!("for {thing} in {things}:\n    for {verb} in {list}:\n{}", super::indent(&[suite], 4)),
        };
        self.emit(head);
        Some(())
    }

    fn register_deferred(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let queue = self.fresh(&["hooks", "on_ready"]);
        self.emit(format!("{queue} = []"));
        for name in names {
            if self.chance(50) {
                let handler = self.handler();
                let text = self.still(&Value::text(name), depth);
                self.emit(format!("{queue}.append(lambda: {server}.add_tool({handler}, name={text}))"));
                continue;
            }
            let hook = self.fresh(&["hook", "later"]);
            let (lines, ()) = self.block(false, |py| py.register(server, std::slice::from_ref(name), depth.min(1)));
            self.emit(format!("{}\n{queue}.append({hook})", def(&hook, "", &suite_of(&lines))));
        }
        let run = self.pick(&[
            "for hook_now in Q:\n    hook_now()",
            "while Q:\n    Q.pop(0)()",
            "[hook_now() for hook_now in reversed(Q)]",
        ]);
        self.emit(run.replace('Q', &queue));
        Some(())
    }

    fn register_wrapped(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let batch = self.batch(names);
        let prefix = self.text(&batch.prefix, depth);
        let kind = self.at_top(|py| {
            let kind = py.fresh(&["Scoped", "Namespace", "Prefixed"]);
            let members = [
                def("__init__", "self, server, prefix", "    self.server = server\n    self.prefix = prefix"),
                def("add_tool", "self, fn, name=None, **options", "    self.server.add_tool(fn, name=self.prefix + (name or fn.__name__), **options)"),
                def("tool", "self, name=None, **options", "    def decorate(fn):\n        self.server.add_tool(fn, name=f\"{self.prefix}{name or fn.__name__}\", **options)\n        return fn\n\n    return decorate"),
            ];
            py.emit(class(&kind, "", &members));
            kind
        });
        let scoped = self.fresh(&["scoped", "api"]);
        self.emit(format!("{scoped} = {kind}({server}, {prefix})"));
        self.register(&scoped, &batch.names.clone(), depth);
        Some(())
    }
}
