//! What the programs of a workspace register when they are run.

use expect_test::{Expect, expect};

use super::evaluation::shown;
use super::fixture::Fixture;

/// Checks the tools that the programs of a fixture register.
#[track_caller]
fn check(fixture: &str, expected: Expect) {
    expected.assert_eq(&shown(&Fixture::parse(fixture).snapshot()));
}

#[test]
fn a_program_begins_at_the_command_of_its_manifest() {
    check(
        r#"
//- /package.json
{ "name": "notes", "bin": "dist/index.js", "dependencies": { "@modelcontextprotocol/sdk": "1" } }
//- /src/index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { tools } from "./tools/index.js";
const server = new McpServer({ name: "notes", version: "1" });
for (const Tool of tools) new Tool("notes_").register(server);
//- /src/tools/index.ts
export * from "./add.js";
import { AddNote } from "./add.js";
export const tools = [AddNote];
//- /src/tools/add.ts
class Base {
  static verb = "list";
  constructor(private prefix: string) {}
  register(server) {
    server.registerTool(this.prefix + (this.constructor as typeof Base).verb, {}, async () => {});
  }
}
export class AddNote extends Base {
  static verb = "add";
}
"#,
        expect![[r#"
            notes (complete)
              notes_add = notes_@src/index.ts:4:37 + add@src/tools/add.ts:9:18
        "#]],
    );
}

#[test]
fn a_name_in_a_data_file_is_read_when_the_program_reads_it() {
    check(
        r#"
//- /server.py
import json
from pathlib import Path
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("notes")
for entry in json.loads((Path(__file__).parent / "tools.json").read_text()):
    mcp.add_tool(lambda: None, name=entry["name"])
//- /tools.json
[{ "name": "add_note" }, { "name": "list_notes" }]
"#,
        expect![[r#"
            notes (complete)
              add_note = add_note@tools.json:1:13
              list_notes = list_notes@tools.json:1:37
        "#]],
    );
}

#[test]
fn tools_of_a_mounted_server_get_its_prefix() {
    check(
        r#"
//- /server.py
from fastmcp import FastMCP
notes = FastMCP("notes")
@notes.tool
def add() -> str:
    return ""
main = FastMCP("main")
main.mount(notes, namespace="notes")
"#,
        expect![[r#"
            main (complete)
              notes_add = notes@server.py:7:30 + _@ + add@server.py:4:5
        "#]],
    );
}

#[test]
fn an_exported_function_counts_if_no_program_registers_a_tool() {
    check(
        r#"
//- /package.json
{ "name": "notes", "main": "index.js" }
//- /index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export function createServer(options) {
  const server = new McpServer({ name: "notes", version: "1" });
  server.registerTool("add_note", {}, async () => {});
  if (options.admin) server.registerTool("delete_note", {}, async () => {});
  return server;
}
"#,
        expect![[r#"
            notes (complete)
              add_note = add_note@index.ts:4:24
              delete_note = delete_note@index.ts:5:43
        "#]],
    );
    check(
        r#"
//- /package.json
{ "name": "notes", "main": "index.js" }
//- /index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1" });
server.registerTool("add_note", {}, async () => {});
export function registerOldTools(server) {
  server.registerTool("add", {}, async () => {});
}
"#,
        expect![[r#"
            notes (complete)
              add_note = add_note@index.ts:3:22
        "#]],
    );
}

#[test]
fn a_registration_that_nothing_leads_to_is_reported() {
    check(
        r#"
//- /index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { load } from "another-package";
const server = new McpServer({ name: "notes", version: "1" });
const found = [];
function register() {
  for (const tool of found) server.registerTool(tool.name, {}, async () => {});
}
register();
"#,
        expect![[r#"
            notes (not complete)
              ? dynamic@index.ts:6:29: no code that reaches this registration was found
        "#]],
    );
}

#[test]
fn an_exception_does_not_hide_what_comes_after_it() {
    check(
        r#"
//- /server.py
from mcp.server.fastmcp import FastMCP
settings = {}
settings["missing"].apply()
mcp = FastMCP("notes")
@mcp.tool()
def add_note() -> str:
    return ""
"#,
        expect![[r#"
            notes (not complete)
              add_note = add_note@server.py:6:5
              ? dynamic@server.py:3:1: the program throws an exception: no such key
        "#]],
    );
}

#[test]
fn a_function_that_walks_unknown_data_ends() {
    check(
        r#"
//- /index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { load } from "another-package";
const server = new McpServer({ name: "notes", version: "1" });
function walk(value) {
  if (Array.isArray(value)) return value.map((one) => walk(one));
  if (value.inner) return walk(value.inner);
  if (value.outer) return walk(value.outer);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one)]));
}
walk(load());
server.registerTool("add_note", {}, async () => {});
"#,
        expect![[r#"
            notes (complete)
              add_note = add_note@index.ts:11:22
        "#]],
    );
}

#[test]
fn a_bundle_contains_its_sdk() {
    check(
        r#"
//- /dist/index.js
var ListToolsRequestSchema2 = object({ method: literal("tools/list") });
class Server {
  setRequestHandler(schema, handler) {
    this.handlers.set(schema.shape.method.value, handler);
  }
}
var server = new Server({ name: "notes" });
server.setRequestHandler(ListToolsRequestSchema2, async () => ({ tools: [{ name: "add_note" }] }));
"#,
        expect![[r#"
            server (complete)
              add_note = add_note@dist/index.js:8:83
        "#]],
    );
}

#[test]
fn modules_that_pass_on_each_others_exports_in_a_circle_end() {
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as all from "./a.js";
import { lost } from "./a.js";
const server = new McpServer({ name: "notes", version: "1" });
server.registerTool("add_note", {}, async () => {});
server.registerTool(lost, {}, async () => {});
for (const name of Object.keys(all)) server.registerTool(name, {}, async () => {});
//- /a.ts
export { lost } from "./b.js";
export * from "./b.js";
export const list_notes = 1;
//- /b.ts
export { lost } from "./a.js";
export * from "./a.js";
export const drop_note = 2;
"#,
        expect![[r#"
            notes (not complete)
              add_note = add_note@server.ts:5:22
              drop_note = drop_note@
              list_notes = list_notes@
              lost = lost@
              ? dynamic@server.ts:6:1: no name was found
        "#]],
    );
}

#[test]
fn a_definition_that_is_copied_as_json_keeps_its_name() {
    check(
        r#"
//- /server.js
const { Server } = require("@modelcontextprotocol/sdk/server/index.js");
const { ListToolsRequestSchema } = require("@modelcontextprotocol/sdk/types.js");
const server = new Server({ name: "notes", version: "1" }, { capabilities: { tools: {} } });
const all = [
  { name: "add_note", description: 'Say "add".\n\tThen add.', run() {}, title: undefined },
  { name: "drop_note", description: "C:\\notes", inputSchema: { required: [undefined, () => {}] } },
];
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: JSON.parse(JSON.stringify(all)) }));
"#,
        expect![[r#"
            notes (complete)
              add_note = add_note@server.js:5:12
              drop_note = drop_note@server.js:6:12
        "#]],
    );
}

#[test]
fn a_program_of_rust_begins_at_its_main_function() {
    check(
        r##"
//- /Cargo.toml
[package]
name = "notes"
[dependencies]
rmcp = "1"
//- /src/main.rs
mod tools;
use rmcp::{ServerHandler, ServiceExt, model::*, transport::stdio};
use std::{collections::HashMap, sync::Arc};
use tools::{Registry, Tooled};

struct Notes {
    registry: Arc<Registry>,
}

impl ServerHandler for Notes {
    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: Context) -> Result<ListToolsResult, ErrorData> {
        let tools = self.registry.all().iter().map(|tool| tool.definition()).collect();
        Ok(ListToolsResult { tools, next_cursor: None, meta: None })
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut registry = Registry::new("notes");
    registry.add::<tools::Read>();
    registry.add::<tools::Write>();
    for kind in [tools::Kind::Tag, tools::Kind::Link] {
        registry.push(Box::new(kind));
    }
    Notes { registry: Arc::new(registry) }.serve(stdio()).await?;
    Ok(())
}
//- /src/tools.rs
use rmcp::model::Tool;

pub trait Tooled {
    const NAME: &'static str = "unnamed";
    fn name(&self) -> String { Self::NAME.to_string() }
    fn definition(&self) -> Tool { Tool::new(self.name(), "Does it.", schema()) }
}

#[derive(Default)]
pub struct Read;
impl Tooled for Read { const NAME: &'static str = "read"; }
#[derive(Default)]
pub struct Write;
impl Tooled for Write { const NAME: &'static str = "write"; }

pub enum Kind { Tag, Link }
impl Tooled for Kind {
    fn name(&self) -> String {
        match self { Kind::Tag => "add_tag".into(), Kind::Link => format!("{}_link", "add") }
    }
}

pub struct Registry { prefix: String, tools: Vec<Box<dyn Tooled>> }
impl Registry {
    pub fn new(prefix: &str) -> Self { Self { prefix: prefix.to_owned(), tools: Vec::new() } }
    pub fn add<T: Tooled + Default>(&mut self) { self.push(Box::new(T::default())) }
    pub fn push(&mut self, tool: Box<dyn Tooled>) { self.tools.push(tool) }
    pub fn all(&self) -> &[Box<dyn Tooled>] { &self.tools }
}
"##,
        expect![[r#"
            notes (complete)
              read = read@src/tools.rs:11:52
              write = write@src/tools.rs:14:53
              add_tag = add_tag@src/tools.rs:19:36
              add_link = add@src/tools.rs:19:87 + _link@src/tools.rs:19:78
        "#]],
    );
}

#[test]
fn an_answer_by_hand_contains_its_tools() {
    check(
        r##"
//- /Cargo.toml
[package]
name = "notes"
//- /src/main.rs
struct Server { tools: HashMap<String, Value> }
impl Server {
    fn add(&mut self, name: &str, schema: Value) {
        self.tools.insert(name.to_string(), json!({ "name": name, "inputSchema": schema }));
    }
    async fn run(&self) -> Result<()> {
        let mut line = String::new();
        loop {
            tokio::select! {
                read = reader.read_line(&mut line) => {
                    if read? == 0 { break }
                    let request: Request = serde_json::from_str(line.trim())?;
                    self.answer(&request).await;
                }
                _ = stopped() => break,
            }
        }
        Ok(())
    }
    async fn answer(&self, request: &Request) -> Value {
        match request.method.as_str() {
            "tools/list" => json!({ "tools": self.tools.values().cloned().collect::<Vec<_>>() }),
            _ => json!({}),
        }
    }
}
#[tokio::main]
async fn main() -> Result<()> {
    let mut server = Server { tools: HashMap::new() };
    server.add("read", json!({}));
    server.add("write", json!({ "type": "object" }));
    server.run().await
}
//- /client/package.json
{ "name": "client" }
//- /client/index.ts
export const request = { model: "m", tools: [{ name: "not_served", inputSchema: {} }] };
"##,
        expect![[r#"
            notes (complete)
              read = read@src/main.rs:30:17
              write = write@src/main.rs:31:17
        "#]],
    );
}

#[test]
fn functions_that_a_server_gets_run_when_it_starts() {
    check(
        r##"
//- /server.py
import asyncio
from contextlib import asynccontextmanager
from functools import wraps
from mcp.server.fastmcp import FastMCP

def timed(function):
    if asyncio.iscoroutinefunction(function):
        @wraps(function)
        async def inner(*args): return await function(*args)
    else:
        @wraps(function)
        def inner(*args): return function(*args)
    return inner

@asynccontextmanager
async def lifespan(app):
    @app.tool()
    @timed
    async def registered_late(): ...
    yield {}

mcp = FastMCP("late", lifespan=lifespan)
"##,
        expect![[r#"
            late (complete)
              registered_late = registered_late@server.py:19:15
        "#]],
    );
}

#[test]
fn modules_that_a_program_imports_by_name_know_their_names() {
    check(
        r#"
//- /pyproject.toml
[project]
name = "notes"
[project.scripts]
notes = "notes.main:main"
//- /src/notes/__init__.py
//- /src/notes/tools/__init__.py
MODULES = {"write": "notes.tools.write", "read": "notes.tools.read"}
//- /src/notes/tools/read.py
def read_note() -> str:
    return ""
def _open_note() -> str:
    return ""
//- /src/notes/tools/write.py
from .read import read_note
def drop_note() -> str:
    return read_note()
//- /src/notes/main.py
import functools
import inspect
from importlib import import_module
from fastmcp import FastMCP
from notes.tools import MODULES

def logged(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)
    return inner

def main():
    mcp = FastMCP("notes")
    for path in MODULES.values():
        module = import_module(path)
        def is_tool(found):
            return inspect.isfunction(found) and found.__name__[0] != "_" and found.__module__ == module.__name__
        for name, function in inspect.getmembers(module, predicate=is_tool):
            mcp.tool(logged(function))
    mcp.run()
"#,
        expect![[r#"
            notes (complete)
              read_note = read_note@src/notes/tools/read.py:1:5
              drop_note = drop_note@src/notes/tools/write.py:2:5
        "#]],
    );
}

#[test]
fn what_a_module_did_stays_if_the_branch_that_imported_it_ends_the_program() {
    check(
        r#"
//- /server.py
import sys
from fastmcp import FastMCP
from registry import TOOLS

def load():
    import tools

if "--list" in sys.argv:
    load()
    print(TOOLS)
    sys.exit(0)
load()
mcp = FastMCP("notes")
for tool in TOOLS:
    mcp.tool(tool)
//- /registry.py
TOOLS = []
//- /tools.py
from registry import TOOLS
def add_note() -> str:
    return ""
TOOLS.append(add_note)
"#,
        expect![[r#"
            notes (complete)
              add_note = add_note@tools.py:2:5
        "#]],
    );
}

#[test]
fn one_of_several_definitions_has_the_name_that_all_of_them_have() {
    check(
        r#"
//- /server.py
import os
from fastmcp import FastMCP
from fastmcp.tools import FunctionTool

class Notes(FastMCP):
    def add_tool(self, tool):
        if tool.description:
            tool = tool.model_copy(update={"description": tool.description.strip()})
        super().add_tool(tool)

def add_note() -> str:
    return ""

def drop_note() -> str:
    return ""

mcp = Notes("notes")
mcp.add_tool(FunctionTool.from_function(add_note))
tool = FunctionTool.from_function(drop_note)
if os.environ.get("OLD"):
    tool = FunctionTool.from_function(drop_note, name="delete_note")
mcp.add_tool(tool)
"#,
        expect![[r#"
            notes (complete)
              add_note = add_note@server.py:11:5
              drop_note = drop_note@server.py:14:5
              delete_note = delete_note@server.py:21:56
        "#]],
    );
}

#[test]
fn what_fails_for_one_of_several_values_goes_on_with_the_others() {
    check(
        r#"
//- /server.py
import os
from pathlib import Path
from fastmcp import FastMCP
from fastmcp.tools import Tool

ROOT = Path(__file__).resolve().parents[3]
KINDS = {"local": "add"}

def list_notes() -> str:
    return ""

def every() -> str:
    return ""

listing = Tool.from_function(list_notes)
mcp = FastMCP("notes")
mcp.add_tool(listing.fn)
mcp.tool(every, name=KINDS["remote" if os.environ.get("REMOTE") else "local"] + "_note")
"#,
        expect![[r#"
            notes (complete)
              list_notes = list_notes@server.py:9:5
              add_note = add@server.py:7:20 + _note@server.py:18:82
        "#]],
    );
}

#[test]
fn a_handler_that_lists_what_a_router_of_rust_has_adds_nothing() {
    check(
        r#"
//- /Cargo.toml
[package]
name = "notes"
[dependencies]
rmcp = "0.8"
//- /src/main.rs
use rmcp::{ServerHandler, handler::server::tool::ToolRouter, model::ListToolsResult, tool, tool_router};

struct Notes { tool_router: ToolRouter<Self> }

#[tool_router]
impl Notes {
    fn new() -> Self { Self { tool_router: Self::tool_router() } }
    #[tool(description = "Adds a note.")]
    async fn add_note(&self) -> String { String::new() }
}

impl ServerHandler for Notes {
    fn list_tools(&self) -> impl Future<Output = Result<ListToolsResult, Error>> {
        let tools = self.tool_router.list_all();
        std::future::ready(Ok(ListToolsResult { tools, ..Default::default() }))
    }
}

#[tokio::main]
async fn main() { Notes::new().serve(stdio()).await; }
"#,
        expect![[r#"
            notes (complete)
              add_note = add_note@src/main.rs:9:14
        "#]],
    );
}

#[test]
fn a_definition_with_less_for_some_clients_is_one() {
    check(
        r#"
//- /package.json
{ "name": "notes", "main": "index.js" }
//- /index.js
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const TOOLS = [{ name: "add_note", description: "Adds.", inputSchema: {}, annotations: { title: "Add" } }];
const plain = (tools) => tools.map((tool) => ({ name: tool.name, description: tool.description, inputSchema: tool.inputSchema }));
const server = new Server({ name: "notes", version: "1" }, {});
server.setRequestHandler(ListToolsRequestSchema, async (request, { client }) => {
  let tools = [...TOOLS];
  if (client.name.includes("old")) tools = plain(tools);
  return { tools };
});
"#,
        expect![[r#"
            notes (complete)
              add_note = add_note@index.js:3:25
        "#]],
    );
}

#[test]
fn a_server_of_python_reads_its_messages_line_by_line() {
    check(
        r#"
//- /pyproject.toml
[project]
name = "notes"
version = "1"
[project.scripts]
notes = "notes.main:main"
//- /notes/__init__.py
//- /notes/rpc.py
import json, sys

class Rpc:
    def __init__(self, router):
        self.router = router

    def answer(self, message):
        if message.get("method") == "tools/list":
            return {"jsonrpc": "2.0", "id": message.get("id"), "result": self.router.tools()}

    def serve(self):
        for line in sys.stdin:
            sys.stdout.write(json.dumps(self.answer(json.loads(line))))
//- /notes/router.py
class Router:
    def __init__(self, registry):
        self.registry = registry

    def tools(self):
        return {"tools": [{"name": name, "description": text, "inputSchema": {}} for name, text in self.registry.items()]}
//- /notes/main.py
from .router import Router
from .rpc import Rpc

server = Rpc(Router({"read_note": "Reads.", "drop_note": "Drops."}))

def main():
    server.serve()
"#,
        expect![[r#"
            notes (complete)
              read_note = read_note@notes/main.py:4:23
              drop_note = drop_note@notes/main.py:4:46
        "#]],
    );
}

#[test]
fn an_object_of_another_package_may_be_in_any_set() {
    check(
        r#"
//- /server.py
from mcp.server.fastmcp import FastMCP
from settings import profile

mcp = FastMCP("notes")

def register(level):
    if level not in {"core", "all"}:
        return
    mcp.add_tool(lambda: None, name="read_note")

register(profile.level)
"#,
        expect![[r#"
            notes (complete)
              read_note = read_note@server.py:9:38
        "#]],
    );
}

#[test]
fn a_generator_that_goes_on_with_itself_over_something_unknown_ends() {
    check(
        r#"
//- /server.py
from mcp.server.fastmcp import FastMCP
from tree import load
mcp = FastMCP("notes")
def walk(node):
    for child in node.children:
        if child.kind == "tool":
            yield child.name
        yield from walk(child)
for name in walk(load()):
    mcp.add_tool(print, name=name)
@mcp.tool()
def read_note(id: str) -> str:
    return id
"#,
        expect![[r#"
            notes (not complete)
              read_note = read_note@server.py:12:5
              ? dynamic@server.py:10:5: `children` of the result of `load` of `tree`
              ? dynamic@server.py:10:5: the result of a function that calls itself
        "#]],
    );
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { load } from "tree";
const server = new McpServer({ name: "notes", version: "1" });
function* walk(node) {
  for (const child of node.children) {
    yield child.name;
    yield* walk(child);
  }
}
for (const name of walk(load())) server.registerTool(name, {}, run);
server.registerTool("read_note", {}, run);
"#,
        expect![[r#"
            notes (not complete)
              read_note = read_note@server.ts:11:22
              ? dynamic@server.ts:10:34: `children` of the result of `load` of `tree`
              ? dynamic@server.ts:10:34: the result of a function that calls itself
        "#]],
    );
    // Each is asked for its elements inside the one before.
    check(
        r#"
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("notes")
def count(number):
    yield number
    yield from count(number + 1)
mcp.add_tool(print, name=f"tool_{len(list(count(0)))}")
"#,
        expect![[r#"
            notes (not complete)
              ? dynamic@server.py:3:1: generators are nested too deeply
              tool_* dynamic@server.py:6:1: an object
        "#]],
    );
}

#[test]
fn the_keywords_of_a_base_class_of_a_package_keep_their_names() {
    let fixture = Fixture::parse(
        r#"
//- /server.py
from fastmcp import FastMCP

class Notes(FastMCP):
    def __init__(self, **more):
        super().__init__(instructions="Read notes", name="notes", **more)
        self.tool(self.read_note)

    def read_note(self, id: str) -> str:
        """Read a note."""

mcp = Notes(version="1.0")
mcp.run()
"#,
    );
    let snapshot = fixture.snapshot();
    let servers: Vec<&str> = snapshot.analysis().servers.iter().map(|server| server.name.as_str()).collect();
    assert_eq!(servers, ["notes"]);
}
