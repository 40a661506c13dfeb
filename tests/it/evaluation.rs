//! Which names code evaluates to, and where each part of a name is written.

use expect_test::{Expect, expect};

use super::fixture::Fixture;
use toolnames::testing::workspace::Snapshot;

/// Checks the list of a fixture's tools: each as `name = part@file:line:column + …`, then the dynamic registrations.
#[track_caller]
pub(super) fn check(fixture: &str, expected: Expect) {
    expected.assert_eq(&listed(fixture));
}

/// The text that [`check`] compares.
pub(super) fn listed(fixture: &str) -> String {
    shown(&Fixture::parse(fixture).snapshot())
}

/// Every server of a snapshot with its tools.
pub(super) fn shown(snapshot: &Snapshot) -> String {
    let mut out = String::new();
    let place = |place: toolnames::testing::found::Place| {
        let span = snapshot.files.span(place);
        let position = snapshot.position(place.file, span.start, toolnames::testing::text::Encoding::Utf32);
        format!("{}:{}:{}", snapshot.files.path(place.file), position.line + 1, position.column + 1)
    };
    for server in &snapshot.analysis().servers {
        out.push_str(&format!(
            "{} ({})\n",
            server.name,
            if server.is_complete() { "complete" } else { "not complete" }
        ));
        for tool in &server.tools {
            let pieces: Vec<String> = tool
                .registration
                .name
                .parts
                .iter()
                .map(|part| format!("{}@{}", part.text, part.place().map(place).unwrap_or_default()))
                .collect();
            out.push_str(&format!("  {} = {}\n", tool.name, pieces.join(" + ")));
        }
        for dynamic in &server.dynamics {
            let partial = dynamic.partial.as_deref().unwrap_or("?");
            out.push_str(&format!("  {partial} dynamic@{}: {}\n", place(dynamic.place), dynamic.reason));
        }
    }
    out
}

#[test]
fn literals_constants_enums_templates_and_sums() {
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const PREFIX = "acme_";
const NAMES = { list: "list_things", nested: { get: `get_thing` } } as const;
enum Tool { Add = "add_thing", Remove = 'remove_thing' }
const server = new McpServer({ name: "acme", version: "1.0.0" });
server.registerTool("plain", {}, run);
server.registerTool(PREFIX + "sum", {}, run);
server.registerTool(`${PREFIX}template`, {}, run);
server.registerTool(NAMES.list, {}, run);
server.registerTool(NAMES["nested"].get, {}, run);
server.registerTool(Tool.Add, {}, run);
server.registerTool((Tool.Remove satisfies string)!, {}, run);
server.registerTool("tab\tbed", {}, run);
"#,
        expect![[r#"
            acme (complete)
              list_things = list_things@server.ts:3:24
              get_thing = get_thing@server.ts:3:54
              add_thing = add_thing@server.ts:4:20
              remove_thing = remove_thing@server.ts:4:42
              plain = plain@server.ts:6:22
              acme_sum = acme_@server.ts:2:17 + sum@server.ts:7:31
              acme_template = acme_@server.ts:2:17 + template@server.ts:8:31
              tab	bed = tab@server.ts:13:22 + 	@server.ts:13:25 + bed@server.ts:13:27
        "#]],
    );
}

#[test]
fn a_helper_in_another_file_is_found_and_each_of_its_calls_is_a_tool() {
    check(
        r#"
//- /shared.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const TOOL_PREFIX = "acme__";
export function registerToolSafe(server: McpServer, name: string, config: object, run: unknown) {
  server.registerTool(TOOL_PREFIX + name, config, run);
}
//- /projects.ts
import { registerToolSafe as add } from "./shared.js";
export const register = (server) => {
  add(server, "list_projects", {}, run);
  add(server, "get_project", {}, run);
};
//- /index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { register } from "./projects";
const server = new McpServer({ name: "acme", version: "1.0.0" });
register(server);
"#,
        expect![[r#"
            acme (complete)
              acme__list_projects = acme__@shared.ts:2:22 + list_projects@projects.ts:3:16
              acme__get_project = acme__@shared.ts:2:22 + get_project@projects.ts:4:16
        "#]],
    );
}

#[test]
fn a_loop_over_definitions_is_one_tool_an_element() {
    check(
        r#"
//- /tools.ts
export const extra = { name: "third", handler: run };
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { extra } from "./tools.js";
const server = new McpServer({ name: "acme", version: "1.0.0" });
const TOOLS = [{ name: "first", handler: run }, { name: "second", handler: run }];
TOOLS.push(extra);
for (const tool of TOOLS) {
  server.registerTool(tool.name, {}, tool.handler);
}
[{ name: "fourth" }].forEach(({ name }) => server.registerTool(name, {}, run));
const BY_KEY = { fifth: run, sixth: run };
for (const [name, handler] of Object.entries(BY_KEY)) server.registerTool(name, {}, handler);
"#,
        expect![[r#"
            acme (complete)
              first = first@server.ts:4:25
              second = second@server.ts:4:58
              fourth = fourth@server.ts:9:11
              fifth = fifth@server.ts:10:18
              sixth = sixth@server.ts:10:30
              third = third@tools.ts:1:31
        "#]],
    );
}

#[test]
fn a_list_handler_is_evaluated_as_it_answers() {
    check(
        r#"
//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const server = new Server({ name: "low", version: "1.0.0" }, { capabilities: {} });
const tools = [{ name: "one", inputSchema: {} }, { name: "two", inputSchema: {} }];
server.setRequestHandler(ListToolsRequestSchema, async () => {
  return { tools: tools.map((tool) => ({ ...tool, name: `low_${tool.name}` })) };
});
"#,
        expect![[r#"
            low (complete)
              low_one = low_@server.ts:6:58 + one@server.ts:4:25
              low_two = low_@server.ts:6:58 + two@server.ts:4:59
        "#]],
    );
}

#[test]
fn python_functions_name_their_tools() {
    check(
        r#"
//- /server.py
from enum import Enum
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("acme")
PREFIX = "acme"

class Names(str, Enum):
    STATUS = "git_status"

@mcp.tool()
def list_things() -> str: ...

@mcp.tool(name=Names.STATUS, description="x")
async def status(): ...

@mcp.tool(name=f"{PREFIX}_made")
def made(): ...

@mcp.tool("given")
def other(): ...

def later(): ...
mcp.add_tool(later)
mcp.add_tool(later, name=Names.STATUS.value + "_two")
"#,
        expect![[r#"
            acme (complete)
              git_status = git_status@server.py:8:15
              list_things = list_things@server.py:11:5
              acme_made = acme@server.py:5:11 + _made@server.py:16:26
              given = given@server.py:19:12
              later = later@server.py:22:5
              git_status_two = git_status@server.py:8:15 + _two@server.py:24:48
        "#]],
    );
}

#[test]
fn python_lists_of_tools() {
    check(
        r#"
//- /server.py
import mcp.types as types
from mcp.server.lowlevel import Server

server = Server("low")

@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [types.Tool(name="one", inputSchema={}), *[types.Tool(name=f"n_{x}", inputSchema={}) for x in ("a", "b")]]
"#,
        expect![[r#"
            low (complete)
              one = one@server.py:8:30
              n_a = n_@server.py:8:73 + a@server.py:8:108
              n_b = n_@server.py:8:73 + b@server.py:8:113
        "#]],
    );
}

#[test]
fn bare_decorators_belong_to_fastmcp_only() {
    check(
        r#"
//- /a/server.py
from fastmcp import FastMCP
mcp = FastMCP(name="fast")

@mcp.tool
def bare(): ...
//- /a/pyproject.toml
[project]
name = "a"
//- /b/server.py
from pydantic_ai import Agent
agent = Agent("x")

@agent.tool
def not_ours(): ...

@agent.tool()
def not_ours_either(): ...
//- /b/pyproject.toml
[project]
name = "b"
"#,
        expect![[r#"
            fast (complete)
              bare = bare@a/server.py:5:5
        "#]],
    );
}

#[test]
fn rust_attributes() {
    check(
        r#"
//- /Cargo.toml
[package]
name = "clock"
//- /src/main.rs
use rmcp::{tool, tool_router};

struct Clock;

#[tool_router]
impl Clock {
    #[tool(description = "now")]
    async fn current_time(&self) -> String { String::new() }

    #[tool(name = "convert_time")]
    fn convert(&self) -> String { String::new() }

    #[tool]
    fn r#type(&self) {}
}

#[cfg(test)]
mod tests {
    #[tool]
    fn not_shipped() {}
}
"#,
        expect![[r#"
            clock (complete)
              current_time = current_time@src/main.rs:8:14
              convert_time = convert_time@src/main.rs:10:20
              r#type = r#type@src/main.rs:14:8
        "#]],
    );
}

#[test]
fn what_cannot_be_computed_is_said_with_its_reason() {
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "dyn", version: "1.0.0" });
server.registerTool(`falcon_${process.env.NAME}`, {}, run);
server.registerTool(short ? "a" : "b", {}, run);
for (const tool of await load()) server.registerTool(tool.name, {}, run);
let name = "x";
if (beta) name = "y";
server.registerTool(name, {}, run);
"#,
        expect![[r#"
            dyn (not complete)
              a = a@server.ts:4:30
              b = b@server.ts:4:36
              x = x@server.ts:6:13
              y = y@server.ts:7:19
              falcon_* dynamic@server.ts:3:1: the environment
              ? dynamic@server.ts:5:34: the result of `load`
        "#]],
    );
}

#[test]
fn half_typed_code_yields_what_can_be_seen() {
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "half", version: "1.0.0" });
server.registerTool("before", {}, run);
server.registerTool("
server.registerTool("after", {}, run);
"#,
        expect![[r#"
            half (not complete)
              before = before@server.ts:3:22
              after = after@server.ts:5:22
              ? dynamic@server.ts:4:1: code that does not parse
        "#]],
    );
}

#[test]
fn things_defined_through_themselves_end() {
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "loop", version: "1.0.0" });
const a = b + "x";
const b = a + "y";
const list = [...list, "z"];
function f(name) { return g(name); }
function g(name) { server.registerTool(name, {}, run); return f(name); }
server.registerTool(a, {}, run);
server.registerTool(f("q"), {}, run);
list.forEach((name) => server.registerTool(name, {}, run));
f("known");
//- /x.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("x")
tools = []
tools = [*tools, *tools]
tools += tools
for t in tools:
    mcp.add_tool(t, name=t)
"#,
        expect![[r#"
            loop (not complete)
              z = z@server.ts:5:25
              q = q@server.ts:9:24
              known = known@server.ts:11:4
              ? dynamic@server.ts:7:63: calls are nested too deeply
              *x dynamic@server.ts:8:1: `b`
              ? dynamic@server.ts:9:1: calls that are nested too deeply
              ? dynamic@server.ts:10:24: `list`
            x (not complete)
              ? dynamic@x.py:7:5: no code that reaches this registration was found
        "#]],
    );
}

#[test]
fn a_method_taken_off_its_server_registers_all_the_same() {
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "bound", version: "1.0.0" });
const register = server.registerTool.bind(server);
register("out of sight", {}, run);
server.registerTool("seen", {}, run);
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("aliased")
tool = mcp.tool

@tool(name="out of sight")
def f(): ...

def direct(): ...
mcp.tool(name="applied")(direct)
mcp.tool()(direct)
"#,
        expect![[r#"
            aliased (complete)
              out of sight = out of sight@server.py:5:13
              direct = direct@server.py:8:5
              applied = applied@server.py:9:16
            bound (complete)
              out of sight = out of sight@server.ts:4:11
              seen = seen@server.ts:5:22
        "#]],
    );
}

#[test]
fn a_server_that_is_handed_out_of_sight_is_not_complete() {
    check(
        r#"
//- /a/package.json
{ "name": "a" }
//- /a/server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Plugin } from "elsewhere";
const server = new McpServer({ name: "in an object", version: "1.0.0" });
server.registerTool("seen", {}, run);
new Plugin({ server }).install();
//- /b/package.json
{ "name": "b" }
//- /b/server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import elsewhere from "elsewhere";
const here = { register(server) { server.registerTool("here", {}, run); } };
const server = new McpServer({ name: "in a loop", version: "1.0.0" });
for (const plugin of [here, elsewhere]) plugin.register(server);
//- /c/package.json
{ "name": "c" }
//- /c/server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
const sessions = new Map();
const server = new McpServer({ name: "kept", version: "1.0.0" });
server.registerTool("seen", {}, run);
sessions.set("x", server);
await server.connect(new StdioServerTransport());
"#,
        expect![[r#"
            in an object (not complete)
              seen = seen@a/server.ts:4:22
            in a loop (not complete)
              here = here@b/server.ts:3:56
            kept (complete)
              seen = seen@c/server.ts:5:22
        "#]],
    );
}

#[test]
fn what_another_file_adds_to_a_list_is_in_it() {
    check(
        r#"
//- /tools.ts
export const definitions = [{ name: "first" }];
//- /more.ts
import { definitions as all } from "./tools.js";
all.push({ name: "second" });
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { definitions } from "./tools.js";
import "./more.js";
const server = new McpServer({ name: "grown", version: "1.0.0" });
for (const { name } of definitions) server.registerTool(name, {}, run);
"#,
        expect![[r#"
            grown (complete)
              second = second@more.ts:2:19
              first = first@tools.ts:1:38
        "#]],
    );
}

#[test]
fn a_method_of_a_common_name_is_no_sure_sign() {
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { toolbar } from "some-ui";
const server = new McpServer({ name: "s", version: "1.0.0" });
server.tool("sure", run);
toolbar.tool("Zoom in!", run);
"#,
        expect![[r#"
            s (complete)
              sure = sure@server.ts:4:14
        "#]],
    );
}

#[test]
fn a_server_whose_tools_are_out_of_sight_is_listed_all_the_same() {
    check(
        r#"
//- /server.py
from mcp.server.fastmcp import FastMCP
from elsewhere import one, two
mcp = FastMCP("given", tools=[one, two])
"#,
        expect![[r#"
            given (not complete)
              ? dynamic@server.py:3:7: `one.name` of `elsewhere`
              ? dynamic@server.py:3:7: `two.name` of `elsewhere`
        "#]],
    );
}

#[test]
fn a_class_for_each_tool_registers_under_its_own_name() {
    check(
        r#"
//- /package.json
{ "name": "maps", "dependencies": { "@modelcontextprotocol/sdk": "1" } }
//- /src/base.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export abstract class Tool {
    abstract readonly name: string;
    constructor(protected readonly title: string) {}
    install(server: McpServer) { server.registerTool(this.name, { title: this.title }, this.run); }
}
//- /src/tools/index.ts
export * from "./area.js";
export { LineTool } from "./line.js";
//- /src/tools/area.ts
import { Tool } from "../base.js";
export class AreaTool extends Tool {
    readonly name = "area";
    constructor() { super("Area"); }
}
//- /src/tools/line.ts
import { Tool } from "../base.js";
const PREFIX = "line_";
export class LineTool extends Tool { readonly name = `${PREFIX}length`; }
//- /src/index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { AreaTool, LineTool } from "./tools/index.js";
const server = new McpServer({ name: "maps", version: "1.0.0" });
const tools = [new AreaTool(), new LineTool("Line")];
for (const tool of tools) tool.install(server);
"#,
        expect![[r#"
            maps (complete)
              area = area@src/tools/area.ts:3:22
              line_length = line_@src/tools/line.ts:2:17 + length@src/tools/line.ts:3:64
        "#]],
    );
}

#[test]
fn tables_that_grow_and_handlers_that_name_themselves() {
    check(
        r#"
//- /notes/handlers.py
class Handler:
    def __init__(self, name):
        self.name = name

class Add(Handler):
    def __init__(self):
        super().__init__("add_note")

class Drop(Handler):
    def __init__(self):
        super().__init__("drop_note")
//- /notes/server.py
from mcp.server import Server
from mcp.types import Tool
from .handlers import Add, Drop

server = Server("notes")
HANDLERS = {}

def register(handler):
    HANDLERS[handler.name] = handler

register(Add())
register(Drop())

@server.list_tools()
async def list_tools():
    return [Tool(name=handler.name, inputSchema={}) for handler in HANDLERS.values()]
"#,
        expect![[r#"
            notes (complete)
              add_note = add_note@notes/handlers.py:7:27
              drop_note = drop_note@notes/handlers.py:11:27
        "#]],
    );
}

#[test]
fn branches_whose_condition_is_known_are_decided() {
    check(
        r#"
//- /server.py
from fastmcp import FastMCP

def prefix(namespace):
    if not namespace:
        return ""
    return namespace + "-"

def create(namespace: str = ""):
    mcp = FastMCP("db")

    @mcp.tool(name=prefix(namespace) + "query")
    def query(): ...

    return mcp

mcp = create()
"#,
        expect![[r#"
            db (complete)
              query = query@server.py:11:41
        "#]],
    );
}

#[test]
fn what_a_registrar_is_called_with_is_unknown_if_no_program_passes_it_on() {
    check(
        r#"
//- /packages/common/package.json
{ "name": "@acme/common", "main": "./dist/index.js" }
//- /packages/common/src/index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export interface Context { accountTool(name: string, config: object, handler: unknown): void }
export function createContext(server: McpServer): Context {
    return { accountTool(name, config, handler) { server.registerTool(`account_${name}`, config, handler); } };
}
//- /apps/one/package.json
{ "name": "one", "dependencies": { "@acme/common": "workspace:*" } }
//- /apps/one/src/tools.ts
import type { Context } from "@acme/common";
export function registerTools(context: Context) {
    context.accountTool("list", {}, run);
}
"#,
        expect![[r#"
            @acme/common (not complete)
              account_* dynamic@packages/common/src/index.ts:4:51: `name`, a parameter of its function
        "#]],
    );
}

#[test]
fn definitions_by_shape_where_the_registration_cannot_be_followed() {
    check(
        r#"
//- /package.json
{ "name": "injected", "dependencies": { "@modelcontextprotocol/sdk": "1" } }
//- /src/registry.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { container } from "somewhere";
export function install(server: McpServer) {
    for (const tool of container.resolveAll("tools")) server.registerTool(tool.name, tool, tool.handler);
}
//- /src/tools/add.ts
const NAME = "add_item";
export const addItem = { name: NAME, description: "Adds", inputSchema: {}, handler: run };
//- /src/model.ts
export const forTheModel = [{ type: "function", name: "ask", description: "Asks", parameters: {} }];
export const property = { name: z.string(), description: "Not a tool", schema: {} };
"#,
        expect![[r#"
            injected (not complete)
              add_item = add_item@src/tools/add.ts:1:15
              ? dynamic@src/registry.ts:4:55: the result of `container.resolveAll` of `somewhere`
        "#]],
    );
}

#[test]
fn a_tool_s_schema_and_handler_are_found_where_they_stand() {
    let fixture = Fixture::parse(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const schema = { path: z.string() };
const server = new McpServer({ name: "facts", version: "1.0.0" });
server.registerTool("one", { inputSchema: schema }, async () => run());
server.registerTool("two", {}, handle);
async function handle() {}
"#,
    );
    let snapshot = fixture.snapshot();
    let text = |place: Option<toolnames::testing::found::Place>| {
        place
            .map(|place| fixture.files[snapshot.files.path(place.file)][snapshot.files.span(place).range()].to_string())
    };
    let facts: Vec<_> = snapshot
        .analysis()
        .tools()
        .map(|(_, tool)| (tool.name.as_str(), text(tool.registration.schema), text(tool.registration.handler)))
        .collect();
    assert_eq!(
        facts,
        [
            ("one", Some("{ path: z.string() }".into()), Some("async () => run()".into())),
            ("two", None, Some("async function handle() {}".into())),
        ]
    );
}

#[test]
fn what_is_called_a_test_is_read_where_a_server_imports_it() {
    let fixture = Fixture::parse(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { NAME } from "./run_test";
const server = new McpServer({ name: "tests", version: "1.0.0" });
server.registerTool(NAME, {}, run);
//- /run_test.ts
export const NAME = "run_test";
//- /server.test.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
new McpServer({ name: "fake", version: "1.0.0" }).registerTool("fake", {}, run);
"#,
    );
    let mut workspace = toolnames::testing::workspace::Workspace::new(toolnames::testing::config::Configs::default());
    workspace.keep_in_reserve(toolnames::testing::path::is_test_file);
    workspace.load(&fixture.files.keys().cloned().collect::<Vec<_>>(), &fixture);
    let snapshot = workspace.settle(&fixture);
    let tools: Vec<&str> = snapshot.analysis().tools().map(|(_, tool)| tool.name.as_str()).collect();
    assert_eq!(tools, ["run_test"]);
}

#[test]
fn decorators_of_the_project_register_by_the_function_under_them() {
    check(
        r#"
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("deco")
def plain_tool():
    def deco(fn):
        return mcp.tool()(fn)
    return deco
def bare(fn):
    mcp.tool(name=f"b_{fn.__name__}")(fn)
    return fn
def named(name=None):
    def deco(fn):
        mcp.add_tool(fn, name=name or fn.__name__)
        return fn
    return deco
def tool(*args, **kwargs):
    return mcp.tool(*args, **kwargs)
@plain_tool()
def one(): ...
@bare
def two(): ...
@named()
def three(): ...
@named("four_x")
def four(): ...
@tool(name="five_x")
def five(): ...
@tool()
def six(): ...
"#,
        expect![[r#"
            deco (complete)
              one = one@server.py:18:5
              b_two = b_@server.py:8:21 + two@server.py:20:5
              three = three@server.py:22:5
              four_x = four_x@server.py:23:9
              five_x = five_x@server.py:25:13
              six = six@server.py:28:5
        "#]],
    );
}

#[test]
fn a_name_that_is_given_and_cannot_be_known_is_not_replaced_by_another() {
    check(
        r#"
//- /server.py
import os
from fastmcp import FastMCP
from elsewhere import make
mcp = FastMCP("given")
@mcp.tool(name=make("a"))
def one(): ...
@mcp.tool(name=os.environ.get("X", "default"))
def two(): ...
class Base:
    @property
    def name(self): return f"tool_{self.verb}"
    def run(self): ...
class A(Base): verb = "a"
class B(Base): verb = "b"
for t in (A(), B()):
    mcp.add_tool(t.run, name=t.name)
"#,
        expect![[r#"
            given (not complete)
              tool_a = tool_@server.py:11:30 + a@server.py:13:24
              tool_b = tool_@server.py:11:30 + b@server.py:14:24
              ? dynamic@server.py:6:1: the result of `make` of `elsewhere`
              ? dynamic@server.py:8:1: the environment
        "#]],
    );
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const s = new McpServer({ name: "given", version: "1.0.0" });
const T = [{ name: "first" }, { name: "second" }];
for (let i = 0; i < T.length; i++) { const t = T[i]; s.registerTool(t.name, {}, run); }
let grown = "a"; grown += "_b";
s.registerTool(grown, {}, run);
const echo = ["echo", {}, run] as const;
s.registerTool(...echo);
function safe(...a) { return s.registerTool(...a); }
safe("via_rest", {}, run);
abstract class Registrar {
  setup() { this.registerTool("ping", {}, run); }
  registerTool(n, c, f) { s.registerTool(`cf_${n}`, c, f); }
}
class Mine extends Registrar {}
new Mine().setup();
"#,
        expect![[r#"
            given (complete)
              first = first@server.ts:3:21
              second = second@server.ts:3:40
              a_b = a@server.ts:5:14 + _b@server.ts:5:28
              echo = echo@server.ts:7:16
              via_rest = via_rest@server.ts:10:7
              cf_ping = cf_@server.ts:13:43 + ping@server.ts:12:32
        "#]],
    );
}

#[test]
fn comprehensions_counts_and_sorted_lists() {
    check(
        r#"
//- /server.py
from mcp.server import Server
from mcp.types import Tool
import enum
class T(str, enum.Enum):
    A = "enum_a"
class H:
    def __init__(self, name): self.name = name
BY = {h.name: h for h in [H("x_one"), H("x_two")]}
class App:
    def __init__(self):
        self.server = Server("lists")
        self.server.list_tools()(self.listed)
    async def listed(self):
        out = [Tool(name=h.name, inputSchema={}) for h in BY.values() if h.name]
        for i, t in enumerate(T):
            out.append(Tool(name=t.value, inputSchema={}))
        for h in sorted(BY.values(), key=lambda h: h.name):
            out.append(Tool(name="s_" + h.name, inputSchema={}))
        return out
"#,
        expect![[r#"
            lists (complete)
              enum_a = enum_a@server.py:5:10
              x_one = x_one@server.py:8:30
              s_x_one = s_@server.py:18:35 + x_one@server.py:8:30
              x_two = x_two@server.py:8:42
              s_x_two = s_@server.py:18:35 + x_two@server.py:8:42
        "#]],
    );
}

#[test]
fn paths_of_rust_lead_through_crates_and_modules_inside_files() {
    check(
        r#"
//- /names/Cargo.toml
[package]
name = "my-names"
//- /names/src/lib.rs
pub mod v1;
pub use v1::*;
pub mod inline { pub mod two { pub const X: &str = "two_deep"; } }
pub mod prelude { pub use super::v1::B as RENAMED; }
//- /names/src/v1.rs
use super::*;
pub const A: &str = "through_a_star";
pub const B: &str = "under_another_name";
//- /server/Cargo.toml
[package]
name = "server"
//- /server/src/main.rs
use my_names::A;
use my_names::prelude::{self as p};
use rmcp::{ServerHandler, model::*};
mod names {
    pub const X: &str = "inline";
    pub mod inner { pub fn name() -> &'static str { super::Y } }
    const Y: &str = "from_above";
}
mod other;
struct S;
impl ServerHandler for S {
    async fn list_tools(&self) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult { next_cursor: None, tools: vec![
            Tool::new(A, "", schema()),
            Tool::new(p::RENAMED, "", schema()),
            Tool::new(my_names::inline::two::X, "", schema()),
            Tool::new(names::X, "", schema()),
            Tool::new(self::names::inner::name(), "", schema()),
            Tool::new(crate::other::K::NAME, "", schema()),
        ] })
    }
}
//- /server/src/other.rs
pub struct K;
impl K { pub const NAME: &'static str = "associated"; }
"#,
        expect![[r#"
            server (complete)
              two_deep = two_deep@names/src/lib.rs:3:53
              through_a_star = through_a_star@names/src/v1.rs:2:22
              under_another_name = under_another_name@names/src/v1.rs:3:22
              inline = inline@server/src/main.rs:5:26
              from_above = from_above@server/src/main.rs:7:22
              associated = associated@server/src/other.rs:2:42
        "#]],
    );
}

#[test]
fn what_makes_servers_of_any_name_makes_one_row_a_name() {
    check(
        r#"
//- /package.json
{ "name": "two", "dependencies": { "@modelcontextprotocol/sdk": "1" } }
//- /factory.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
function make(name: string, prefix: string) {
  const server = new McpServer({ name, version: "1" });
  server.tool(prefix + "_read", run);
  server.tool("both", run);
  return server;
}
const a = make("alpha", "a");
const b = make("beta", "b");
b.tool("only_b", run);
//- /classes.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
abstract class Base {
  protected server: McpServer;
  constructor(name: string) {
    this.server = new McpServer({ name, version: "1" });
    this.server.tool("ping", run);
  }
}
class Day extends Base { constructor() { super("day"); this.server.tool("sun", run); } }
class Night extends Base { constructor() { super("night"); this.server.tool("moon", run); } }
new Day();
new Night();
"#,
        expect![[r#"
            alpha (complete)
              both = both@factory.ts:5:16
              a_read = a@factory.ts:8:26 + _read@factory.ts:4:25
            beta (complete)
              both = both@factory.ts:5:16
              b_read = b@factory.ts:9:25 + _read@factory.ts:4:25
              only_b = only_b@factory.ts:10:9
            day (complete)
              ping = ping@classes.ts:6:23
              sun = sun@classes.ts:9:74
            night (complete)
              ping = ping@classes.ts:6:23
              moon = moon@classes.ts:10:78
        "#]],
    );
}

#[test]
fn what_an_argument_decides_is_decided() {
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
const server = new McpServer({ name: "decided", version: "1" });
function add({ name = "by_default", prefix = "p_" }: Options = {}) { server.tool(prefix + name, run); }
add();
add({ name: "given" });
function named(kind: string) {
  switch (kind) {
    case "a": return "tool_a";
    case "b":
    case "c": return "tool_bc";
    default: return "tool_other";
  }
}
server.tool(named("a"), run);
server.tool(named("z"), run);
function sized(size: string) {
  if (size === "s") return "small";
  else if (size === "m") return "medium";
  return "large";
}
server.tool(sized("m"), run);
server.tool(sized("l"), run);
const Names = z.enum(["first", "second"]);
for (const name of Names.options) server.tool(name, run);
server.tool(Names.enum.first + "_again", run);
//- /server.py
from mcp.server.fastmcp import FastMCP
import functools
mcp = FastMCP("python")

def named(kind):
    if kind == "a":
        return "py_a"
    elif kind == "b":
        return "py_b"
    else:
        return "py_other"

mcp.add_tool(run, name=named("b"))
mcp.add_tool(run, name=named("c"))

def bare(function):
    def wrapper(*args): return function(*args)
    return wrapper

def wrapping(function):
    @functools.wraps(function)
    def wrapper(*args): return function(*args)
    return wrapper

@mcp.tool()
@bare
def loses_its_name(): ...

@mcp.tool()
@wrapping
def keeps_its_name(): ...
"#,
        expect![[r#"
            decided (complete)
              p_by_default = p_@server.ts:4:47 + by_default@server.ts:4:24
              p_given = p_@server.ts:4:47 + given@server.ts:6:14
              tool_a = tool_a@server.ts:9:23
              tool_other = tool_other@server.ts:12:22
              medium = medium@server.ts:19:34
              large = large@server.ts:20:11
              first = first@server.ts:24:24
              second = second@server.ts:24:33
              first_again = first@server.ts:24:24 + _again@server.ts:26:33
            python (complete)
              py_b = py_b@server.py:9:17
              py_other = py_other@server.py:11:17
              wrapper = wrapper@server.py:17:9
              keeps_its_name = keeps_its_name@server.py:31:5
        "#]],
    );
}

#[test]
fn a_function_is_called_by_whatever_name_its_module_exports_it_under() {
    check(
        r#"
//- /package.json
{ "name": "named", "dependencies": { "@modelcontextprotocol/sdk": "1" } }
//- /index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import addOne from "./one.js";
import { addTwo, addThree } from "./barrel.js";
const four = require("./four");
const server = new McpServer({ name: "named", version: "1" });
addOne(server);
addTwo(server);
addThree(server);
four.add(server);
//- /one.ts
export default (s) => s.registerTool("one", {}, run);
//- /two.ts
export default function (s) { s.registerTool("two", {}, run); }
//- /three.ts
function three(s) { s.registerTool("three", {}, run); }
export { three as internal };
//- /barrel.ts
export { default as addTwo } from "./two.js";
export { internal as addThree } from "./three.js";
//- /four.js
exports.add = (s) => { s.registerTool("four", {}, run); };
"#,
        expect![[r#"
            named (complete)
              four = four@four.js:1:40
              one = one@one.ts:1:39
              three = three@three.ts:1:37
              two = two@two.ts:1:47
        "#]],
    );
}

#[test]
fn a_function_of_a_common_name_is_called_where_it_can_be() {
    // The function can only be called by the two calls of `connect` in its own file. The list is what they pass in, and
    // a tool that is added at run time does not replace another definition.
    check(
        r#"
//- /package.json
{ "dependencies": { "@modelcontextprotocol/sdk": "*" } }
//- /server.js
const { Server, ListToolsRequestSchema } = require("@modelcontextprotocol/sdk/server/index.js");
const commands = [{ name: "open", description: "Opens.", inputSchema: {} }];
const all = [
  { name: "look", area: "core", inputSchema: {} },
  { name: "draw", area: "vision", inputSchema: {} },
];
function connect(factory) {
  const server = new Server({ name: "pictures", version: "1" });
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const tools = factory.definitions.map((definition) => ({ ...definition }));
    tools.push(...(await factory.more?.()) ?? []);
    return { tools };
  });
}
function start(options) {
  const chosen = all.filter((tool) => tool.area === "core" || options.areas.includes(tool.area)).filter((tool) => !tool.off);
  connect({ definitions: chosen.map((tool) => tool) });
}
module.exports = { start };
//- /client.js
const socket = require("node:net");
module.exports.link = (client, list) => list.map((each) => client.connect({ definitions: [{ name: each }] }));
"#,
        expect![[r#"
            pictures (complete)
              look = look@server.js:4:12
              draw = draw@server.js:5:12
        "#]],
    );
}

#[test]
fn what_a_helper_of_another_package_makes_belongs_to_its_caller() {
    check(
        r#"
//- /shared/package.json
{ "name": "@acme/shared", "dependencies": { "@modelcontextprotocol/sdk": "1" } }
//- /shared/index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export function run(name: string, setup: (s: McpServer) => void) {
  const server = new McpServer({ name, version: "1" });
  setup(server);
}
//- /core/package.json
{ "name": "@acme/core" }
//- /core/main.ts
import { run } from "@acme/shared";
run("core", (s) => { s.registerTool("core_ping", {}, ping); });
//- /billing/package.json
{ "name": "@acme/billing" }
//- /billing/main.ts
import { run } from "@acme/shared";
function setup(s) { s.registerTool("bill_ping", {}, ping); }
run("billing", setup);
"#,
        expect![[r#"
            billing (complete)
              bill_ping = bill_ping@billing/main.ts:2:37
            core (complete)
              core_ping = core_ping@core/main.ts:2:38
        "#]],
    );
}

#[test]
fn elements_are_taken_from_where_they_stand() {
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "places", version: "1" });
const [, second] = ["first", "second"];
server.registerTool(second, {}, run);
Object.entries({ key: "value" }).forEach(([, value]) => server.registerTool(value, {}, run));
const add = (tool) => server.registerTool(tool.name, {}, run);
[{ name: "handed" }, { name: "over" }, { name: "left_out" }].slice(0, 2).forEach(add);
const register = server.registerTool.bind(server);
register("bound", {}, run);
//- /src/main.rs
use rmcp::{ServerHandler, model::*};
struct S;
impl ServerHandler for S {
    fn list_tools(&self, _: X, _: Y) -> impl Future<Output = Result<ListToolsResult, E>> + Send + '_ {
        async move {
            let (_, name) = ("not_this", "from_a_tuple");
            let mut tools = Vec::new();
            tools.push(Tool::new(name, "", schema()));
            tools.extend(vec![Tool::new("extended", "", schema())]);
            Ok(ListToolsResult::with_all_items(tools))
        }
    }
}
struct A;
impl ToolBase for A { fn name() -> Cow<'static, str> { "typed".into() } }
fn router() -> ToolRouter<S> { ToolRouter::new().with_sync_tool::<A>() }
fn main() { serve(S, router()) }
"#,
        expect![[r#"
            places (not complete)
              second = second@server.ts:3:31
              value = value@server.ts:5:24
              handed = handed@server.ts:7:11
              over = over@server.ts:7:31
              bound = bound@server.ts:9:11
            server (complete)
              typed = typed@src/main.rs:15:57
            server (not complete)
              from_a_tuple = from_a_tuple@src/main.rs:6:43
              extended = extended@src/main.rs:9:42
        "#]],
    );
}

#[test]
fn static_fields_as_compilers_write_them_are_the_classs() {
    check(
        r#"
//- /server.js
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "s", version: "1" });
class Tool {
  constructor() {
    const { toolName } = this.constructor;
    this.name = toolName;
  }
  register(server) {
    server.registerTool(this.name, {}, (args) => this.run(args));
  }
}
class FindTool extends Tool {}
FindTool.toolName = "find";
class CountTool extends Tool {}
CountTool.toolName = "count";
for (const tool of [new FindTool(), new CountTool()]) tool.register(server);
"#,
        expect![[r#"
            s (complete)
              find = find@server.js:13:22
              count = count@server.js:15:23
        "#]],
    );
}

#[test]
fn what_a_filter_surely_leaves_out_is_no_tool() {
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "s", version: "1" });
const tools = [
  { name: "read", kind: "core" },
  { name: "draw", kind: "core-extra", hidden: true },
  { name: "see", kind: "vision" },
];
const shown = tools.filter((tool) => tool.kind.startsWith("core")).filter((tool) => !tool.hidden);
for (const tool of shown) server.registerTool(tool.name, {}, run);
"#,
        expect![[r#"
            s (complete)
              read = read@server.ts:4:12
        "#]],
    );
}

#[test]
fn what_is_said_beside_a_name_does_not_take_its_steps() {
    let deep = |depth: usize| -> String {
        let steps = (1..depth).map(|i| format!("const s{i} = (x) => [s{p}(x), s{p}(x)];\n", p = i - 1));
        std::iter::once("const s0 = (x) => [x];\n".to_string()).chain(steps).collect()
    };
    check(
        &format!(
            r#"
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
{}
const server = new McpServer({{ name: "notes", version: "1.0.0" }});
for (const tool of [{{ name: "read_note", schema: [1] }}, {{ name: "drop_note", schema: [2] }}]) {{
  server.registerTool(tool.name, {{ inputSchema: s29(tool.schema)[0] }}, run);
}}
"#,
            deep(30)
        ),
        expect![[r#"
            notes (complete)
              read_note = read_note@server.ts:34:30
              drop_note = drop_note@server.ts:34:66
        "#]],
    );
}

#[test]
fn what_a_loop_passes_over_is_no_tool() {
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
const runs = { read_note: readNote };
for (const tool of [{ name: "read_note" }, { name: "drop_note" }]) {
  if (!runs[tool.name]) continue;
  server.registerTool(tool.name, {}, runs[tool.name]);
}
"#,
        expect![[r#"
            notes (complete)
              read_note = read_note@server.ts:4:30
        "#]],
    );
}

#[test]
fn classes_without_a_name_of_their_own() {
    // Classes as bundlers write them, and as mixins are written.
    check(
        r#"
//- /server.js
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const Listing = (Base) => class extends Base {
  all() { return [{ name: this.prefix() + "_read", inputSchema: { type: "object" } }]; }
};
class Notes { prefix() { return "notes"; } }
var Tools = class extends Listing(Notes) {};
export default class {
  constructor() {
    this.tools = new Tools();
    this.server = new Server({ name: "n", version: "1" }, { capabilities: { tools: {} } });
    this.listen();
  }
  listen() {
    this.server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: this.tools.all() }));
  }
}
//- /main.js
import Served from "./server.js";
new Served();
"#,
        expect![[r#"
            n (complete)
              notes_read = notes@server.js:6:34 + _read@server.js:4:44
        "#]],
    );
}

#[test]
fn what_a_branch_of_python_defines_is_seen_outside() {
    check(
        r#"
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("n")
if FLAG:
    from other import count_notes

    def read_note(): ...
for one in [read_note, count_notes]:
    mcp.add_tool(one)
//- /other.py
def count_notes(): ...
"#,
        expect![[r#"
            n (complete)
              count_notes = count_notes@other.py:1:5
              read_note = read_note@server.py:6:9
        "#]],
    );
}
