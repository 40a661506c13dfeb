//! Registrations: the ways to register tools on a server.

use super::{Js, Value, atom, braced, loops, wrap};

/// A way to register tools of these names on the server of an expression; `None` if it does not suit them.
type Form = fn(&mut Js, &str, &[String], u32) -> Option<()>;

pub(super) const FORMS: &[(&str, Form)] = &[
    ("register: one by one", Js::register_directly),
    ("register: loop", Js::register_in_loop),
    ("register: function with list", Js::register_through_function),
    ("register: helper with prefix", Js::register_with_helper),
    ("register: functions in a list", Js::register_functions),
    ("register: registrar class", Js::register_with_class),
    ("register: tool classes", Js::register_tool_classes),
    ("register: inherited tool classes", Js::register_inherited),
    ("register: chained methods", Js::register_chained),
    ("register: curried", Js::register_curried),
    ("register: halves", Js::register_halves),
    ("register: module", Js::register_in_module),
    ("register: default module", Js::register_in_default_module),
    ("register: dynamic imports", Js::register_dynamic_modules),
    ("register: folder of modules", Js::register_folder),
    ("register: list passed to module", Js::register_list_in_module),
    ("register: crud factory", Js::register_crud),
    ("register: options object", Js::register_with_options),
    ("register: event queue", Js::register_deferred),
    ("register: wrapped server", Js::register_wrapped),
];

impl Js {
    /// Writes code that registers tools of these names.
    pub(super) fn register(&mut self, server: &str, names: &[String], depth: u32) {
        if names.is_empty() {
            return;
        }
        if depth > 0 && self.chance(30) && self.core.spend() {
            let (kind, form) = self.core.choose(wrap::FORMS);
            if form(self, depth, &mut |js| js.register(server, names, depth - 1)).is_some() {
                self.core.mark(kind);
                return;
            }
        }
        if depth == 0 || !self.core.spend() {
            self.register_directly(server, names, depth);
            return;
        }
        for _ in 0..5 {
            let (kind, form) = if self.chance(25) { FORMS[1] } else { self.core.choose(FORMS) };
            if form(self, server, names, depth - 1).is_some() {
                self.core.mark(kind);
                return;
            }
        }
        self.register_directly(server, names, depth);
    }

    fn register_directly(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        for name in names {
            let name = self.text(name, depth);
            let call = self.call(server, &name, None);
            if self.chance(10) {
                let handle = self.fresh(&["handle", "registered", "tool"]);
                self.emit(format!("const {handle} = {call};"));
            } else {
                self.emit(format!("{call};"));
            }
        }
        Some(())
    }

    fn register_in_loop(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let batch = self.batch(names);
        self.run_loop(server, &batch, depth);
        Some(())
    }

    /// Writes a loop over a batch.
    pub(super) fn run_loop(&mut self, server: &str, batch: &super::turns::Batch, depth: u32) {
        loop {
            let (kind, form) = self.core.choose(loops::FORMS);
            if form(self, server, batch, depth).is_some() {
                self.core.mark(kind);
                return;
            }
        }
    }

    fn register_through_function(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let mut batch = self.batch(names);
        let list = self.list(&batch, depth);
        let (own, given) = (self.fresh(&["server", "target", "mcp"]), self.fresh(&["tools", "list", "defs"]));
        batch.given = Some(given.clone());
        let function = self.at_top(|js| {
            let function = js.fresh(&["registerAll", "install", "addTools"]);
            let (lines, ()) = js.block(false, |js| js.run_loop(&own, &batch, depth));
            let start = js.pick(&["function NAME(", "const NAME = ("]).replace("NAME", &function);
            let end = if start.starts_with("const") { ") => " } else { ") " };
            let (body, semicolon) = (braced(&lines), if start.starts_with("const") { ";" } else { "" });
            js.emit(format!("{start}{own}, {given}{end}{body}{semicolon}"));
            function
        });
        self.emit(format!("{function}({server}, {list});"));
        Some(())
    }

    fn register_with_helper(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let batch = self.batch(names);
        let (helper, param) = (self.fresh(&["add", "addTool", "define", "tool"]), self.fresh(&["name", "id"]));
        let body = self.braces(|js| {
            let name = js.passed(&param, depth);
            let name = js.prefixed(&batch.prefix, &name, depth);
            let call = js.call(server, &name, None);
            js.emit(format!("{call};"));
        });
        let is_async = body.contains("await");
        let start = if is_async { "async " } else { "" };
        let other = self.fresh(&["description", "rest", "more"]);
        let more = self.pick(&["", ", OTHER = \"\"", ", ...OTHER"]).replace("OTHER", &other);
        self.emit(format!("const {helper} = {start}({param}{more}) => {body};"));
        for name in &batch.names {
            let name = self.text(name, depth);
            self.emit(format!("{}{helper}({name});", if is_async { "await " } else { "" }));
        }
        Some(())
    }

    fn register_functions(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let mut functions = Vec::new();
        for name in names {
            let own = self.fresh(&["server", "target", "mcp"]);
            functions.push(self.at_top(|js| {
                let function = js.fresh(&["registerTool", "setup", "install"]);
                let (lines, ()) = js.block(false, |js| js.register(&own, std::slice::from_ref(name), depth));
                js.emit(format!("function {function}({own}) {}", braced(&lines)));
                function
            }));
        }
        let list = super::list_of(functions);
        let (function, shared) = (self.fresh(&["install", "register", "apply"]), self.fresh(&["steps", "installers"]));
        match self.below(3) {
            0 => self.emit(format!("for (const {function} of {list}) {function}({server});")),
            1 => self.emit(format!("{list}.forEach(({function}) => {function}({server}));")),
            _ => self.emit(format!(
                "const {shared} = {list};\nfor (let i = 0; i < {shared}.length; i++) {{\n  {shared}[i]({server});\n}}"
            )),
        }
        Some(())
    }

    fn register_with_class(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let class = self.at_top(|js| {
            let class = js.fresh(&["Registrar", "App", "ToolHost", "Plugin"]);
            let field = js.pick(&["server", "#server", "mcp"]);
            let declared = if field.starts_with('#') { format!("{field};\n") } else { String::new() };
            let own = js.fresh(&["server", "target", "host"]);
            let (mut lines, ()) = js.block(false, |js| js.register(&own, names, depth));
            lines.insert(0, format!("const {own} = this.{field};"));
            let members = [
                format!("{declared}constructor(given) {{\n  this.{field} = given;\n}}"),
                format!("registerAll() {}", braced(&lines)),
            ];
            js.emit(format!("class {class} {}", braced(&members)));
            class
        });
        match self.below(2) {
            0 => self.emit(format!("new {class}({server}).registerAll();")),
            _ => {
                let object = self.fresh(&["registrar", "app", "host"]);
                self.emit(format!("const {object} = new {class}({server});\n{object}.registerAll();"));
            }
        }
        Some(())
    }

    fn register_tool_classes(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (is_static, key) = (self.chance(50), self.key_of_names());
        let key = if key == "name" && is_static { "toolName" } else { key };
        let mut classes = Vec::new();
        for name in names {
            let class = self.fresh(&["GetTool", "ListTool", "SendTool", "Action"]);
            let start = if is_static { "static " } else { "" };
            let member = if self.chance(50) {
                let text = self.still(&Value::text(name), depth);
                format!("{start}{key} = {text};")
            } else {
                let body = self.returning(false, |js| js.text(name, depth));
                format!("{start}get {key}() {body}")
            };
            let run = "async run() {\n  return { content: [] };\n}".to_string();
            self.emit(format!("class {class} {}", braced(&[member, run])));
            classes.push(class);
        }
        let (each, tool) = (self.fresh(&["Class", "Type", "T"]), self.fresh(&["tool", "instance"]));
        let body = self.braces(|js| {
            js.emit(format!("const {tool} = new {each}();"));
            let holder = if is_static { each.clone() } else { tool.clone() };
            let name = js.passed(&format!("{holder}.{key}"), depth);
            js.emit(format!("{server}.registerTool({name}, {{}}, () => {tool}.run());"));
        });
        self.emit(format!("for (const {each} of {}) {body}", super::list_of(classes)));
        Some(())
    }

    fn register_inherited(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let base = self.at_top(|js| {
            let base = js.fresh(&["BaseTool", "AbstractTool", "Tool"]);
            let own = js.fresh(&["server", "target"]);
            let (lines, ()) = js.block(false, |js| {
                let name = js.passed("this.name", depth.min(1));
                let call = js.call(&own, &name, None);
                js.emit(format!("{call};"));
            });
            let members = [
                "get name() {\n  throw new Error(\"abstract\");\n}".to_string(),
                format!("register({own}) {}", braced(&lines)),
            ];
            js.emit(format!("class {base} {}", braced(&members)));
            base
        });
        let mut made = Vec::new();
        for name in names {
            let class = self.fresh(&["ReadTool", "WriteTool", "FindTool"]);
            let body = self.returning(false, |js| js.text(name, depth));
            self.emit(format!("class {class} extends {base} {}", braced(&[format!("get name() {body}")])));
            made.push(format!("new {class}()"));
        }
        let tool = self.fresh(&["tool", "instance"]);
        let list = super::list_of(made);
        match self.below(2) {
            0 => self.emit(format!("for (const {tool} of {list}) {tool}.register({server});")),
            _ => self.emit(format!("{list}.forEach(({tool}) => {tool}.register({server}));")),
        }
        Some(())
    }

    fn register_chained(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let batch = self.batch(names);
        let class = self.at_top(|js| {
            let (class, param) = (js.fresh(&["Fluent", "Chain", "Kit"]), js.fresh(&["name", "id"]));
            let (lines, ()) = js.block(false, |js| {
                let name = js.passed(&param, depth);
                let name = js.prefixed(&batch.prefix, &name, depth);
                js.emit(format!(
                    "this.target.registerTool({name}, {{}}, async () => ({{ content: [] }}));\nreturn this;"
                ));
            });
            let members = [
                "constructor(target) {\n  this.target = target;\n}".to_string(),
                format!("tool({param}) {}", braced(&lines)),
            ];
            js.emit(format!("class {class} {}", braced(&members)));
            class
        });
        let steps: Vec<String> =
            batch.names.iter().map(|name| format!("\n  .tool({})", self.text(name, depth))).collect();
        self.emit(format!("new {class}({server}){};", steps.concat()));
        Some(())
    }

    fn register_curried(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let batch = self.batch(names);
        let prefix = self.text(&batch.prefix, depth);
        let function = self.at_top(|js| {
            let function = js.fresh(&["toolOn", "registerOn", "definer"]);
            js.emit(format!(
                "const {function} = (target) => (prefix) => (name, run) => target.registerTool(`${{prefix}}${{name}}`, {{}}, run);"
            ));
            function
        });
        let add = self.fresh(&["add", "define", "tool"]);
        self.emit(format!("const {add} = {function}({server})({prefix});"));
        for name in &batch.names {
            let (name, handler) = (self.text(name, depth), self.handler());
            self.emit(format!("{add}({name}, {handler});"));
        }
        Some(())
    }

    fn register_halves(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let (left, right) = names.split_at(self.below(names.len() + 1));
        self.register(server, left, depth);
        self.register(server, right, depth);
        Some(())
    }

    /// A module with a function that registers tools; returns the module and the function's name.
    fn registering_module(&mut self, names: &[String], depth: u32) -> Option<(usize, String)> {
        if !self.has_room(1) {
            return None;
        }
        let stem = self.pick(&["users", "files", "search", "admin", "billing", "tools"]);
        let module = self.new_module(stem);
        let function = self.inside(module, |js| {
            let (function, own) =
                (js.exported_name(&["register", "registerTools", "setup"]), js.fresh(&["server", "mcp"]));
            let is_async = js.is_esm && js.chance(25);
            let (lines, ()) = js.block(is_async, |js| js.register(&own, names, depth));
            let start = if is_async { "async " } else { "" };
            if js.is_esm {
                js.emit(format!("export {start}function {function}({own}) {}", braced(&lines)));
                js.core.exported_inline(&function);
            } else {
                js.emit(format!("function {function}({own}) {}", braced(&lines)));
                js.export(&function, &function);
            }
            if is_async { format!("await {function}") } else { function }
        });
        Some((module, function))
    }

    fn register_in_module(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        if !self.core.awaits() && self.is_esm {
            // The function may be asynchronous.
            return None;
        }
        let (module, function) = self.registering_module(names, depth)?;
        let (start, function) = match function.strip_prefix("await ") {
            Some(function) => ("await ", function.to_string()),
            None => ("", function),
        };
        let how = self.below(4);
        let local = self.import(module, &function, how);
        self.emit(format!("{start}{local}({server});"));
        Some(())
    }

    fn register_in_default_module(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        if !self.has_room(1) {
            return None;
        }
        let stem = self.pick(&["plugin", "handlers", "commands"]);
        let module = self.new_module(stem);
        self.inside(module, |js| {
            let own = js.fresh(&["server", "mcp", "target"]);
            let (lines, ()) = js.block(false, |js| js.register(&own, names, depth));
            let body = braced(&lines);
            match (js.is_esm, js.below(3)) {
                (true, 0) => js.emit(format!("export default function register({own}) {body}")),
                (true, 1) => js.emit(format!("export default function ({own}) {body}")),
                (true, _) => js.emit(format!("const register = ({own}) => {body};\nexport default register;")),
                (false, 0) => js.emit(format!("module.exports = function ({own}) {body};")),
                (false, _) => js.emit(format!("module.exports = ({own}) => {body};")),
            }
        });
        self.core.modules[module].is_closed = true;
        let (specifier, local) = (self.specifier_of(module), self.fresh(&["plugin", "registerPlugin", "commands"]));
        if self.is_esm {
            self.import_line(format!("import {local} from \"{specifier}\";"));
        } else {
            self.import_line(format!("const {local} = require(\"{specifier}\");"));
        }
        self.emit(format!("{local}({server});"));
        Some(())
    }

    fn register_dynamic_modules(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        if self.is_esm && !self.core.awaits() {
            return None;
        }
        let (left, right) = names.split_at(self.below(names.len() + 1));
        let mut specifiers = Vec::new();
        for part in [left, right] {
            if part.is_empty() || !self.has_room(1) {
                if !part.is_empty() {
                    self.register(server, part, depth);
                }
                continue;
            }
            let module = self.new_module("feature");
            self.inside(module, |js| {
                js.reserve("activate");
                let own = js.fresh(&["server", "mcp"]);
                let (lines, ()) = js.block(false, |js| js.register(&own, part, depth));
                js.emit(if js.is_esm {
                    format!("export function activate({own}) {}", braced(&lines))
                } else {
                    format!("exports.activate = function ({own}) {};", braced(&lines))
                });
            });
            self.core.modules[module].is_closed = true;
            let path = self.core.modules[module].path.clone();
            let specifier = self.specifier(&path);
            specifiers.push(Value::text(specifier));
        }
        let list = self.value(&Value::List(specifiers), depth);
        let path = self.fresh(&["file", "specifier", "modulePath"]);
        if self.is_esm {
            let loaded = self.fresh(&["loaded", "feature"]);
            match self.below(3) {
                0 => self.emit(format!(
                    "for (const {path} of {list}) {{\n  const {loaded} = await import({path});\n  {loaded}.activate({server});\n}}"
                )),
                1 => self.emit(format!(
                    "for (const {{ activate }} of await Promise.all({}.map(({path}) => import({path})))) activate({server});",
                    atom(&list)
                )),
                _ => self.emit(format!(
                    "for (const {path} of {list}) {{\n  const {{ activate }} = await import({path});\n  activate({server});\n}}"
                )),
            }
        } else {
            self.emit(format!("for (const {path} of {list}) require({path}).activate({server});"));
        }
        Some(())
    }

    fn register_folder(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        if (self.is_esm && !self.core.awaits()) || !self.has_room(names.len().min(2)) {
            return None;
        }
        let folder = self.pick(&["plugins", "commands", "features"]);
        if self.core.modules.iter().any(|module| module.path.starts_with(folder)) {
            return None;
        }
        let (left, right) = names.split_at(if names.len() > 1 { 1 } else { 0 });
        for (at, part) in [left, right].into_iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            let stem = self.pick(&["users", "files", "search"]);
            let path = format!("{folder}/{stem}{at}.{}", self.extension);
            let module = self.core.add_module(path);
            self.inside(module, |js| {
                js.reserve("activate");
                let own = js.fresh(&["server", "mcp"]);
                let (lines, ()) = js.block(false, |js| js.register(&own, part, depth));
                js.emit(if js.is_esm {
                    format!("export function activate({own}) {}", braced(&lines))
                } else {
                    format!("exports.activate = ({own}) => {};", braced(&lines))
                });
            });
            self.core.modules[module].is_closed = true;
        }
        self.load_folder(folder, server);
        Some(())
    }

    /// Writes a loop that loads every module of a folder.
    fn load_folder(&mut self, folder: &str, server: &str) {
        let specifier = self.specifier(&format!("{folder}/"));
        let file = self.fresh(&["file", "entry", "name"]);
        let filter = self.pick(&[
            "",
            ".filter((file) => file.endsWith(\"EXT\"))",
            ".filter((file) => /\\.[cm]?js$/.test(file))",
        ]);
        let filter = filter.replace("EXT", &format!(".{}", self.extension));
        let order = self.pick(&["", ".sort()"]);
        if self.is_esm {
            self.import_line("import { readdirSync } from \"node:fs\";".into());
            self.reserve("readdirSync");
            let base = self.fresh(&["folder", "base", "root"]);
            self.emit(format!("const {base} = new URL(\"{specifier}\", import.meta.url);"));
            let import = match self.below(3) {
                0 => format!("`{specifier}${{{file}}}`"),
                1 => format!("new URL({file}, {base})"),
                _ => format!("new URL(`{specifier}${{{file}}}`, import.meta.url).href"),
            };
            self.emit(format!(
                "for (const {file} of readdirSync({base}){filter}{order}) {{\n  const {{ activate }} = await import({import});\n  activate({server});\n}}"
            ));
        } else {
            for line in ["const fs = require(\"fs\");", "const path = require(\"node:path\");"] {
                self.import_line(line.into());
            }
            self.reserve("fs");
            self.reserve("path");
            let base = self.fresh(&["folder", "base", "root"]);
            self.emit(format!(
                "const {base} = path.join(__dirname, \"{specifier}\");\nfs.readdirSync({base}){filter}{order}.forEach(({file}) => {{\n  require(path.join({base}, {file})).activate({server});\n}});"
            ));
        }
    }

    fn register_list_in_module(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        if !self.has_room(1) {
            return None;
        }
        let mut batch = self.batch(names);
        let list = self.list(&batch, depth);
        let module = self.new_module("register");
        let function = self.inside(module, |js| {
            let function = js.exported_name(&["registerAll", "installTools"]);
            let (own, given) = (js.fresh(&["server", "mcp"]), js.fresh(&["tools", "defs"]));
            batch.given = Some(given.clone());
            let (lines, ()) = js.block(false, |js| js.run_loop(&own, &batch, depth));
            js.emit(format!("function {function}({own}, {given}) {}", braced(&lines)));
            js.export(&function, &function);
            function
        });
        let how = self.below(4);
        let local = self.import(module, &function, how);
        self.emit(format!("{local}({server}, {list});"));
        Some(())
    }

    /// Tools for each verb and each thing; their names are the program's own.
    fn register_crud(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let pairs: Vec<(&str, &str)> = names.iter().map(|name| name.split_once('_')).collect::<Option<_>>()?;
        let verbs: Vec<&str> = pairs.iter().map(|(verb, _)| *verb).collect();
        let noun = pairs[0].1;
        let mut different = verbs.clone();
        different.sort_unstable();
        different.dedup();
        if different.len() != verbs.len() || noun.is_empty() {
            return None;
        }
        let list = self.value(&Value::List(verbs.into_iter().map(Value::text).collect()), depth);
        let things = Value::List(vec![Value::text(noun), Value::text(format!("{noun}_part"))]);
        let (things, verb, thing) =
            (self.value(&things, depth), self.fresh(&["verb", "action"]), self.fresh(&["thing", "noun"]));
        let list = self.steady(&["verbs", "actions"], &list);
        let name = self.pick(&[
            "`${V}_${T}`",
            "V + \"_\" + T",
            "[V, T].join(\"_\")",
            "\"_\".concat(T).padStart(0) && `${V}_${T}`",
        ]);
        let name = name.replace('V', &verb).replace('T', &thing);
        let body = self.braces(|js| {
            let call = js.call(server, &name, None);
            js.emit(format!("{call};"));
        });
        match self.below(2) {
            0 => self.emit(format!("for (const {thing} of {things}) {{\n  for (const {verb} of {list}) {}\n}}", body.replace('\n', "\n  "))),
            _ => self.emit(format!(
                "{}.flatMap(({thing}) => {}.map(({verb}) => ({{ {thing}, {verb} }}))).forEach(({{ {thing}, {verb} }}) => {body});",
                atom(&things),
                atom(&list)
            )),
        }
        Some(())
    }

    fn register_with_options(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let mut batch = self.batch(names);
        let (list, own) = (self.list(&batch, depth), self.fresh(&["server", "target", "mcp"]));
        let given = self.fresh(&["tools", "only", "defs"]);
        batch.given = Some(given.clone());
        let function = self.at_top(|js| {
            let function = js.fresh(&["registerWith", "mount", "attach"]);
            let (lines, ()) = js.block(false, |js| js.run_loop(&own, &batch, depth));
            js.emit(format!("function {function}({{ {own}, {given} = [] }}) {}", braced(&lines)));
            function
        });
        let field = if server == own { own } else { format!("{own}: {server}") };
        self.emit(format!("{function}({{ {field}, {given}: {list} }});"));
        Some(())
    }

    fn register_deferred(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let queue = self.fresh(&["queue", "hooks", "onReady"]);
        self.emit(format!("const {queue} = [];"));
        for name in names {
            let (lines, ()) = self.block(false, |js| js.register(server, std::slice::from_ref(name), depth.min(1)));
            self.emit(format!("{queue}.push(() => {});", braced(&lines)));
        }
        let run = self.pick(&[
            "for (const hook of Q) hook();",
            "while (Q.length) Q.shift()();",
            "Q.forEach((hook) => hook());",
            "Q.reverse().map((hook) => hook.call(null));",
        ]);
        self.emit(run.replace('Q', &queue));
        Some(())
    }

    fn register_wrapped(&mut self, server: &str, names: &[String], depth: u32) -> Option<()> {
        let batch = self.batch(names);
        let prefix = self.text(&batch.prefix, depth);
        let function = self.at_top(|js| {
            let function = js.fresh(&["scope", "namespaced", "withPrefix"]);
            js.emit(format!(
                "function {function}(target, prefix) {{\n  return {{\n    registerTool: (name, ...rest) => target.registerTool(prefix + name, ...rest),\n    tool(name, ...rest) {{\n      return target.tool(`${{prefix}}${{name}}`, ...rest);\n    }},\n  }};\n}}"
            ));
            function
        });
        let scoped = self.fresh(&["scoped", "group", "api"]);
        self.emit(format!("const {scoped} = {function}({server}, {prefix});"));
        self.register(&scoped, &batch.names.clone(), depth);
        Some(())
    }
}
