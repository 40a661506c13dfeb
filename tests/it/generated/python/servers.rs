//! Servers: the ways to make one, and low-level ones that answer `tools/list` themselves.

use super::super::value::sentence;
use super::{Py, Value, class, def, suite_of};

/// A way to make a server of this name; returns an expression for it.
type Form = fn(&mut Py, &str, u32) -> Option<String>;

pub(super) const FORMS: &[(&str, Form)] = &[
    ("server: assignment", Py::server_assignment),
    ("server: keyword", Py::server_keyword),
    ("server: factory", Py::server_factory),
    ("server: subclass", Py::server_subclass),
    ("server: attribute", Py::server_attribute),
    ("server: item", Py::server_item),
    ("server: module", Py::server_module),
    ("server: global", Py::server_global),
    ("server: alias", Py::server_alias),
    ("server: walrus", Py::server_walrus),
    ("server: cached", Py::server_cached),
];

impl Py {
    /// The local name of something that the SDK exports.
    pub(super) fn sdk(&mut self, name: &str) -> String {
        let module = match name {
            "FastMCP" => *self.core.random.pick(&["mcp.server.fastmcp", "mcp.server.fastmcp", "mcp.server"]),
            "Server" => *self.core.random.pick(&["mcp.server", "mcp.server.lowlevel"]),
            _ => "mcp.types",
        };
        let here = self.core.module();
        let known =
            self.core.modules[here].imported.iter().find(|(from, what, _)| from.starts_with("mcp.") && what == name);
        if let Some((_, _, local)) = known {
            return local.clone();
        }
        let local = if self.chance(15) {
            let (parent, last) = module.rsplit_once('.').expect("the module is in a package");
            let space = self.core.fresh(last);
            let clause = if space == last { space.clone() } else { format!("{last} as {space}") };
            self.import_line(format!("from {parent} import {clause}"));
            format!("{space}.{name}")
        } else {
            let local = if self.chance(15) { format!("Sdk{name}") } else { name.to_string() };
            let local = self.core.fresh(&local);
            let clause = if local == name { local.clone() } else { format!("{name} as {local}") };
            self.import_line(format!("from {module} import {clause}"));
            local
        };
        self.core.modules[here].imported.push((module.to_string(), name.to_string(), local.clone()));
        local
    }

    /// Makes a server and returns an expression for it.
    pub(super) fn server(&mut self, name: &str, depth: u32) -> String {
        for _ in 0..4 {
            let (kind, form) = if self.chance(50) { FORMS[0] } else { self.core.choose(FORMS) };
            if let Some(server) = form(self, name, depth) {
                self.core.mark(kind);
                return server;
            }
        }
        self.server_assignment(name, depth).expect("an assignment can always be written")
    }

    fn server_name(&mut self) -> String {
        self.fresh(&["mcp", "mcp", "server", "app"])
    }

    fn server_assignment(&mut self, name: &str, depth: u32) -> Option<String> {
        let (kind, text, server) = (self.sdk("FastMCP"), self.text(name, depth.min(1)), self.server_name());
        let more = self.pick(&["", "", ", instructions=\"Use it.\""]);
        let annotation = if self.chance(15) { format!(": {kind}") } else { String::new() };
        self.emit(format!("{server}{annotation} = {kind}({text}{more})"));
        Some(server)
    }

    fn server_keyword(&mut self, name: &str, depth: u32) -> Option<String> {
        let (kind, text, server) = (self.sdk("FastMCP"), self.text(name, depth), self.server_name());
        let call = match self.below(3) {
            0 => format!("name={text}"),
            1 => format!("**{{\"name\": {text}}}"),
            _ => format!("*[{text}], instructions=None"),
        };
        self.emit(format!("{server} = {kind}({call})"));
        Some(server)
    }

    fn server_factory(&mut self, name: &str, depth: u32) -> Option<String> {
        let (kind, function) = (self.sdk("FastMCP"), self.fresh(&["create_server", "make_server", "build_server"]));
        let body = self.pick(&["    return KIND(title)", "    made = KIND(name=title)\n    return made"]);
        self.emit(def(&function, "title=\"none\"", &body.replace("KIND", &kind)));
        let (text, server) = (self.text(name, depth), self.server_name());
        self.emit(format!("{server} = {function}({text})"));
        Some(server)
    }

    fn server_subclass(&mut self, name: &str, depth: u32) -> Option<String> {
        let (kind, own) = (self.sdk("FastMCP"), self.fresh(&["MyServer", "AppServer"]));
        let server = self.server_name();
        if self.chance(50) {
            let (mut lines, text) = self.block(false, |py| py.text(name, depth));
            lines.push(format!("super().__init__({text})"));
            self.emit(class(&own, &kind, &[def("__init__", "self", &suite_of(&lines))]));
            self.emit(format!("{server} = {own}()"));
        } else {
            self.emit(class(&own, &kind, &[]));
            let text = self.text(name, depth);
            self.emit(format!("{server} = {own}({text})"));
        }
        Some(server)
    }

    fn server_attribute(&mut self, name: &str, depth: u32) -> Option<String> {
        let (kind, own, object) =
            (self.sdk("FastMCP"), self.fresh(&["Application", "Host"]), self.fresh(&["application", "host"]));
        let (mut lines, text) = self.block(false, |py| py.text(name, depth));
        lines.push(format!("self.mcp = {kind}({text})"));
        self.emit(format!("{}\n{object} = {own}()", class(&own, "", &[def("__init__", "self", &suite_of(&lines))])));
        Some(format!("{object}.mcp"))
    }

    fn server_item(&mut self, name: &str, depth: u32) -> Option<String> {
        let (kind, text, servers) = (self.sdk("FastMCP"), self.text(name, depth), self.fresh(&["servers", "services"]));
        self.emit(format!("{servers} = {{\"main\": {kind}({text}), \"other\": None}}"));
        let server = self.server_name();
        self.emit(format!("{server} = {servers}[\"main\"]"));
        Some(server)
    }

    fn server_module(&mut self, name: &str, depth: u32) -> Option<String> {
        if !self.has_room(1) {
            return None;
        }
        let module = self.new_module_in("", "app_instance");
        self.core.modules[module].is_closed = true;
        let server = self.inside(module, |py| {
            let (kind, text) = (py.sdk("FastMCP"), py.text(name, depth));
            let server = py.exported_name(&["mcp", "server", "app"]);
            py.emit(format!("{server} = {kind}({text})"));
            server
        });
        Some(self.import(module, &server, 0))
    }

    fn server_global(&mut self, name: &str, depth: u32) -> Option<String> {
        let (kind, function, server) =
            (self.sdk("FastMCP"), self.fresh(&["init_server", "set_up"]), self.server_name());
        let (mut lines, text) = self.block(false, |py| py.text(name, depth));
        lines.insert(0, format!("global {server}"));
        lines.push(format!("{server} = {kind}({text})"));
        self.at_top(|py| py.emit(format!("{server} = None\n{}\n{function}()", def(&function, "", &suite_of(&lines)))));
        Some(server)
    }

    fn server_alias(&mut self, name: &str, depth: u32) -> Option<String> {
        let (kind, alias) = (self.sdk("FastMCP"), self.fresh(&["Base", "ServerClass"]));
        let (text, server, first) = (self.text(name, depth), self.server_name(), self.fresh(&["made", "instance"]));
        self.emit(format!("{alias} = {kind}\n{first} = {alias}({text})\n{server} = {first}"));
        Some(server)
    }

    fn server_walrus(&mut self, name: &str, depth: u32) -> Option<String> {
        let (kind, text, server) = (self.sdk("FastMCP"), self.text(name, depth), self.server_name());
        self.emit(format!("if ({server} := {kind}({text})) is None:\n    raise RuntimeError(\"never\")"));
        Some(server)
    }

    fn server_cached(&mut self, name: &str, depth: u32) -> Option<String> {
        let (kind, cache, function) =
            (self.sdk("FastMCP"), self.std("functools", "cache"), self.fresh(&["get_server", "get_app"]));
        let suite = self.returning(false, |py| {
            let text = py.text(name, depth);
            format!("{kind}({text})")
        });
        self.emit(format!("@{cache}\n{}", def(&function, "", &suite)));
        if self.chance(50) {
            return Some(format!("{function}()"));
        }
        let server = self.server_name();
        self.emit(format!("{server} = {function}()"));
        Some(server)
    }

    /// A server that answers the request for its list itself.
    pub(super) fn low_level(&mut self, name: &str, names: &[String], depth: u32) {
        self.core.mark("low-level server");
        let (kind, tool, text, server) =
            (self.sdk("Server"), self.sdk("Tool"), self.text(name, depth.min(1)), self.fresh(&["server", "app"]));
        self.emit(format!("{server} = {kind}({text})"));
        let outside = self.chance(40);
        let list = if outside {
            let list = self.tool_list(&tool, names, depth);
            Some(self.named(&["TOOLS", "tool_list"], &list))
        } else {
            None
        };
        let handler = self.fresh(&["list_tools", "handle_list_tools"]);
        let (mut lines, list) = self.block(true, |py| list.unwrap_or_else(|| py.tool_list(&tool, names, depth)));
        lines.push(format!("return {list}"));
        let returns = if self.chance(50) { format!(" -> list[{tool}]") } else { String::new() };
        let function = format!("async def {handler}(){returns}:\n{}", suite_of(&lines));
        match self.below(3) {
            0 => self.emit(format!("{function}\n{server}.list_tools()({handler})")),
            _ => self.emit(format!("@{server}.list_tools()\n{function}")),
        }
        if self.chance(60) {
            let cases: Vec<String> =
                names.iter().map(|name| format!("if name == \"{name}\":\n    return []")).collect();
            let caller = self.fresh(&["call_tool", "handle_call_tool"]);
            let suite = suite_of(&[cases.join("\n"), "raise ValueError(name)".to_string()]);
            self.emit(format!("@{server}.call_tool()\nasync def {caller}(name, arguments):\n{suite}"));
        }
    }

    /// An expression for the answer to `tools/list`.
    fn tool_list(&mut self, tool: &str, names: &[String], depth: u32) -> String {
        let batch = self.batch(names);
        if self.chance(45) {
            let mut made = Vec::new();
            for name in names {
                let (text, description) = (self.text(name, depth), sentence(&mut self.core.random));
                let description = self.literal(&description);
                let schema = self.pick(&["inputSchema={}", "inputSchema={\"type\": \"object\"}", "inputSchema=dict()"]);
                made.push(format!("{tool}(name={text}, description={description}, {schema})"));
            }
            return super::list_of(made);
        }
        let (list, param) = (self.list(&batch, depth), self.fresh(&["each", "spec"]));
        let list = super::operand(&self.unbound(&list));
        let element = self.element(&batch, &param);
        let test = element.skip.map(|skip| format!(" if not {skip}")).unwrap_or_default();
        let name = match batch.prefix.as_str() {
            "" => element.name,
            prefix => {
                let start = self.still(&Value::text(prefix), depth);
                let start = self.steady(&["start", "scope_name"], &start);
                format!("{} + {}", super::operand(&start), super::operand(&element.name))
            }
        };
        if self.chance(60) {
            return format!("[{tool}(name={name}, description=\"One\", inputSchema={{}}) for {param} in {list}{test}]");
        }
        let result = self.fresh(&["answer", "found_tools"]);
        self.emit(format!(
            "{result} = []\nfor {param} in {list}:\n    {}{result}.append({tool}(name={name}, inputSchema={{}}))",
            if test.is_empty() { String::new() } else { format!("{}:\n        ", test.trim()) }
        ));
        result
    }

    /// The statements that start a server.
    pub(super) fn run(&mut self, server: &str) {
        match self.below(4) {
            0 => self.emit(format!("{server}.run()")),
            1 => {
                let main = self.core.fresh("main");
                self.emit(format!(
                    "{}\nif __name__ == \"__main__\":\n    {main}()",
                    def(&main, "", &format!("    {server}.run(transport=\"stdio\")"))
                ));
            }
            _ => self.emit(format!("if __name__ == \"__main__\":\n    {server}.run()")),
        }
    }
}
