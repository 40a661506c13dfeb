//! Servers: the ways to make one, and low-level ones that answer `tools/list` themselves.

use super::{Js, Value, braced, object_of};

/// A way to make a server of this name; returns an expression for it.
type Form = fn(&mut Js, &str, u32) -> Option<String>;

pub(super) const FORMS: &[(&str, Form)] = &[
    ("server: const", Js::server_const),
    ("server: separate info", Js::server_info),
    ("server: factory", Js::server_factory),
    ("server: subclass", Js::server_subclass),
    ("server: field", Js::server_field),
    ("server: member of an object", Js::server_member),
    ("server: module", Js::server_module),
    ("server: assigned later", Js::server_later),
    ("server: destructured", Js::server_destructured),
    ("server: class alias", Js::server_alias),
];

impl Js {
    /// The local name of something that the SDK exports.
    fn sdk(&mut self, name: &str) -> String {
        let module = match name {
            "McpServer" => "@modelcontextprotocol/sdk/server/mcp.js",
            "Server" => "@modelcontextprotocol/sdk/server/index.js",
            "StdioServerTransport" => "@modelcontextprotocol/sdk/server/stdio.js",
            _ => "@modelcontextprotocol/sdk/types.js",
        };
        let here = self.core.module();
        let known =
            self.core.modules[here].imported.iter().find(|(from, exported, _)| from == module && exported == name);
        if let Some((_, _, local)) = known {
            return local.clone();
        }
        let local = if self.chance(12) {
            let space = self.fresh(&["sdk", "mcpSdk"]);
            self.import_line(if self.is_esm {
                format!("import * as {space} from \"{module}\";")
            } else {
                format!("const {space} = require(\"{module}\");")
            });
            format!("{space}.{name}")
        } else {
            let local = if self.chance(15) { format!("Sdk{name}") } else { name.to_string() };
            let local = self.core.fresh(&local);
            let clause = match (local == name, self.is_esm) {
                (true, _) => name.to_string(),
                (false, true) => format!("{name} as {local}"),
                (false, false) => format!("{name}: {local}"),
            };
            self.import_line(if self.is_esm {
                format!("import {{ {clause} }} from \"{module}\";")
            } else {
                format!("const {{ {clause} }} = require(\"{module}\");")
            });
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
        self.server_const(name, depth).expect("a constant can always be written")
    }

    fn info(&mut self, name: &str, depth: u32) -> String {
        let name = self.text(name, depth.min(1));
        object_of(vec![("name".into(), name), ("version".into(), "\"1.0.0\"".into())])
    }

    fn construction(&mut self, name: &str, depth: u32) -> String {
        let (class, info) = (self.sdk("McpServer"), self.info(name, depth));
        let options = self.pick(&["", "", ", { capabilities: { tools: {} } }"]);
        format!("new {class}({info}{options})")
    }

    fn server_const(&mut self, name: &str, depth: u32) -> Option<String> {
        let made = self.construction(name, depth);
        let server = self.fresh(&["server", "server", "mcp", "mcpServer"]);
        self.emit(format!("const {server} = {made};"));
        Some(server)
    }

    fn server_info(&mut self, name: &str, depth: u32) -> Option<String> {
        let (class, info) = (
            self.sdk("McpServer"),
            Value::Record(vec![("name".into(), Value::text(name)), ("version".into(), Value::text("1.2.3"))]),
        );
        let info = self.value(&info, depth);
        let info = self.named(&["info", "SERVER_INFO", "meta"], &info);
        let server = self.fresh(&["server", "mcp"]);
        self.emit(format!("const {server} = new {class}({info});"));
        Some(server)
    }

    fn server_factory(&mut self, name: &str, depth: u32) -> Option<String> {
        let function = self.fresh(&["createServer", "makeServer", "buildServer"]);
        let param = self.fresh(&["title", "serverName"]);
        let class = self.sdk("McpServer");
        self.emit(format!(
            "function {function}({param}) {{\n  return new {class}({{ name: {param}, version: \"0.1.0\" }});\n}}"
        ));
        let (name, server) = (self.text(name, depth), self.fresh(&["server", "mcp"]));
        self.emit(format!("const {server} = {function}({name});"));
        Some(server)
    }

    fn server_subclass(&mut self, name: &str, depth: u32) -> Option<String> {
        let (class, own) = (self.sdk("McpServer"), self.fresh(&["MyServer", "AppServer", "CustomServer"]));
        let (mut lines, info) = self.block(false, |js| js.info(name, depth));
        lines.push(format!("super({info});"));
        self.emit(format!("class {own} extends {class} {}", braced(&[format!("constructor() {}", braced(&lines))])));
        let server = self.fresh(&["server", "mcp"]);
        self.emit(format!("const {server} = new {own}();"));
        Some(server)
    }

    fn server_field(&mut self, name: &str, depth: u32) -> Option<String> {
        let class = self.fresh(&["Application", "Host", "Runtime"]);
        let (lines, made) = self.block(false, |js| js.construction(name, depth));
        let mut lines = lines;
        lines.push(format!("this.server = {made};"));
        self.emit(format!("class {class} {}", braced(&[format!("constructor() {}", braced(&lines))])));
        let app = self.fresh(&["app", "host"]);
        self.emit(format!("const {app} = new {class}();"));
        Some(format!("{app}.server"))
    }

    fn server_member(&mut self, name: &str, depth: u32) -> Option<String> {
        let made = self.construction(name, depth);
        let servers = self.fresh(&["servers", "context", "services"]);
        self.emit(format!("const {servers} = {{ main: {made}, other: null }};"));
        Some(format!("{servers}.main"))
    }

    fn server_module(&mut self, name: &str, depth: u32) -> Option<String> {
        if !self.has_room(1) {
            return None;
        }
        let module = self.new_module("server");
        let server = self.inside(module, |js| {
            let (made, server) = (js.construction(name, depth), js.exported_name(&["server", "mcp"]));
            js.emit(format!("const {server} = {made};"));
            js.export(&server, &server);
            server
        });
        Some(self.import(module, &server, 0))
    }

    fn server_later(&mut self, name: &str, depth: u32) -> Option<String> {
        let server = self.fresh(&["server", "mcp"]);
        self.emit(format!("let {server};"));
        let made = self.construction(name, depth);
        self.emit(format!("{server} = {made};"));
        Some(server)
    }

    fn server_destructured(&mut self, name: &str, depth: u32) -> Option<String> {
        let function = self.fresh(&["createContext", "bootstrapApp"]);
        let (lines, made) = self.block(false, |js| js.construction(name, depth));
        let mut lines = lines;
        let server = self.fresh(&["server", "mcp"]);
        lines.push(format!("return {{ made: {made}, log: console.error }};"));
        self.emit(format!("const {function} = () => {};\nconst {{ made: {server} }} = {function}();", braced(&lines)));
        Some(server)
    }

    fn server_alias(&mut self, name: &str, depth: u32) -> Option<String> {
        let (class, alias) = (self.sdk("McpServer"), self.fresh(&["Base", "Impl", "ServerClass"]));
        let (info, server) = (self.info(name, depth), self.fresh(&["server", "mcp"]));
        self.emit(format!("const {alias} = {class};\nconst {server} = new {alias}({info});"));
        Some(server)
    }

    /// A server that answers the request for its list itself.
    pub(super) fn low_level(&mut self, name: &str, names: &[String], depth: u32) {
        self.core.mark("low-level server");
        let (schema, call_schema) = (self.sdk("ListToolsRequestSchema"), self.sdk("CallToolRequestSchema"));
        let server = if self.chance(75) {
            let (class, info) = (self.sdk("Server"), self.info(name, depth));
            let server = self.fresh(&["server", "lowLevel"]);
            self.emit(format!("const {server} = new {class}({info}, {{ capabilities: {{ tools: {{}} }} }});"));
            server
        } else {
            let server = self.server(name, depth);
            format!("{server}.server")
        };
        let (is_async, outside) = (self.chance(70), self.chance(50));
        let list = if outside {
            let list = self.tool_list(names, depth);
            Some(self.named(&["tools", "TOOLS", "definitions"], &list))
        } else {
            None
        };
        let handler = self.fresh(&["listTools", "onList", "handleList"]);
        let (mut lines, list) = self.block(is_async, |js| list.unwrap_or_else(|| js.tool_list(names, depth)));
        lines.push(if list == "tools" { "return { tools };".into() } else { format!("return {{ tools: {list} }};") });
        let (start, body) = (if is_async { "async " } else { "" }, braced(&lines));
        match self.below(4) {
            0 => self
                .emit(format!("{start}function {handler}() {body}\n{server}.setRequestHandler({schema}, {handler});")),
            1 => self.emit(format!(
                "const {handler} = {start}(request) => {body};\n{server}.setRequestHandler({schema}, {handler});"
            )),
            _ => self.emit(format!("{server}.setRequestHandler({schema}, {start}() => {body});")),
        }
        if self.chance(60) {
            let cases: Vec<String> =
                names.iter().map(|name| format!("case \"{name}\":\n  return {{ content: [] }};")).collect();
            self.emit(format!(
                "{server}.setRequestHandler({call_schema}, async (request) => {{\n  switch (request.params.name) {}\n  throw new Error(\"unknown tool\");\n}});",
                braced(&cases).replace('\n', "\n  ")
            ));
        }
    }

    /// An expression for the answer to `tools/list`.
    fn tool_list(&mut self, names: &[String], depth: u32) -> String {
        let batch = self.batch(names);
        if batch.prefix.is_empty() || self.chance(50) {
            let with_schema = self.chance(60);
            let tools = names.iter().map(|name| {
                let description = super::super::value::sentence(&mut self.core.random);
                let mut fields =
                    vec![("name".into(), Value::text(name)), ("description".into(), Value::text(description))];
                if with_schema {
                    let schema = Value::Record(vec![("type".into(), Value::text("object"))]);
                    fields.push(("inputSchema".into(), schema));
                }
                Value::Record(fields)
            });
            let tools = Value::List(tools.collect());
            return self.value(&tools, depth + 1);
        }
        let list = self.value(&Value::List(batch.names.iter().map(Value::text).collect()), depth);
        let param = self.fresh(&["name", "id"]);
        let arrow = self.arrow(&param, |js| {
            let name = js.passed(&param, depth);
            let name = js.prefixed(&batch.prefix, &name, depth);
            object_of(vec![("name".into(), name), ("description".into(), "\"one\"".into())])
        });
        format!("{}.map({arrow})", super::atom(&list))
    }

    /// The statements that start a server.
    pub(super) fn connect(&mut self, server: &str) {
        let (transport, name) = (self.sdk("StdioServerTransport"), self.fresh(&["transport", "stdio"]));
        self.emit(format!("const {name} = new {transport}();"));
        if self.core.awaits() {
            self.emit(format!("await {server}.connect({name});"));
        } else {
            self.emit(format!("{server}.connect({name}).catch(console.error);"));
        }
    }
}
