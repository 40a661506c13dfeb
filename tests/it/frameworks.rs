//! One fixture for each framework, written as the framework's users write code.

use expect_test::expect;

use super::evaluation::check;
use super::fixture::Fixture;

#[test]
fn definitions_handed_over_as_objects() {
    check(
        r#"
//- /server.ts
import { FastMCP } from "fastmcp";
const server = new FastMCP({ name: "objects", version: "1.0.0" });
server.addTool({ name: "one", description: "One", execute: run });
server.addTools([{ name: "two", execute: run }, { name: "three", execute: run }]);
"#,
        expect![[r#"
            objects (complete)
              one = one@server.ts:3:25
              two = two@server.ts:4:27
              three = three@server.ts:4:58
        "#]],
    );
    check(
        r#"
//- /server.ts
import { McpServer } from "tmcp";
import { defineTool } from "tmcp/tool";
const server = new McpServer({ name: "tmcp", version: "1.0.0" });
server.tool({ name: "one", description: "One" }, run);
server.tool(defineTool({ name: "two" }, run));
"#,
        expect![[r#"
            tmcp (complete)
              one = one@server.ts:4:22
              two = two@server.ts:5:33
        "#]],
    );
}

#[test]
fn routes_that_say_of_themselves_that_they_are_tools() {
    check(
        r#"
//- /server.ts
import { bridge, describeTool, muppet } from "muppet";
app.post("/one", describeTool({ name: "one", description: "One" }), (c) => c.text("1"));
app.get("/two", describeTool({ name: "two" }), two);
app.get("/three", three);
bridge({ mcp: muppet(app, { name: "routes", version: "1.0.0" }), transport });
"#,
        expect![[r#"
            routes (complete)
              one = one@server.ts:2:40
              two = two@server.ts:3:39
        "#]],
    );
}

#[test]
fn the_keys_of_a_record() {
    check(
        r#"
//- /server.ts
import { MCPServer } from "@mastra/mcp";
import { weather } from "./weather";
const server = new MCPServer({ name: "keys", version: "1.0.0", tools: { weather, "get-news": news } });
"#,
        expect![[r#"
            keys (complete)
              weather = weather@server.ts:3:73
              get-news = get-news@server.ts:3:83
        "#]],
    );
}

#[test]
fn classes_and_decorated_methods() {
    check(
        r#"
//- /tools/Echo.ts
import { MCPTool } from "mcp-framework";
export default class EchoTool extends MCPTool<Input> {
    name = "echo";
    description = "Says it again";
    async execute(input: Input) { return input; }
}
"#,
        expect![[r#"
            server (complete)
              echo = echo@tools/Echo.ts:3:13
        "#]],
    );
    check(
        r#"
//- /greeting.tool.ts
import { Tool } from "@rekog/mcp-nest";
export class GreetingTool {
    @Tool({ name: "say_hello", description: "Greets" })
    async sayHello() {}

    @Tool({ description: "Goes" })
    async sayGoodbye() {}
}
"#,
        expect![[r#"
            server (complete)
              say_hello = say_hello@greeting.tool.ts:3:20
              sayGoodbye = sayGoodbye@greeting.tool.ts:7:11
        "#]],
    );
}

#[test]
fn helpers_that_take_the_server() {
    check(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { registerAppTool } from "@modelcontextprotocol/ext-apps/server";
const server = new McpServer({ name: "apps", version: "1.0.0" });
registerAppTool(server, "show_chart", { title: "Chart" }, run);
"#,
        expect![[r#"
            apps (complete)
              show_chart = show_chart@server.ts:4:26
        "#]],
    );
    check(
        r#"
//- /agent.ts
import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";
const add = tool("add", "Adds", {}, run);
const server = createSdkMcpServer({ name: "calc", tools: [add, tool("sub", "Subtracts", {}, run)] });
"#,
        expect![[r#"
            calc (complete)
              add = add@agent.ts:2:19
              sub = sub@agent.ts:3:70
        "#]],
    );
    check(
        r#"
//- /pyproject.toml
[project]
name = "agents"
//- /agent.py
from claude_agent_sdk import create_sdk_mcp_server, tool

@tool("greet", "Greets", {"name": str})
async def greet(args): ...

@tool("leave", "Takes its leave", {})
async def leave(args): ...

hall = create_sdk_mcp_server(name="hall", tools=[greet])
door = create_sdk_mcp_server(name="door", version="1.0.0", tools=[greet, leave])
"#,
        expect![[r#"
            door (complete)
              greet = greet@agent.py:3:8
              leave = leave@agent.py:6:8
            hall (complete)
              greet = greet@agent.py:3:8
        "#]],
    );
}

#[test]
fn mounted_servers_come_under_their_prefix() {
    check(
        r#"
//- /pyproject.toml
[project]
name = "mounted"
//- /jira.py
from base import Base
jira = Base(name="Jira")

@jira.tool(tags={"read"})
async def get_issue(): ...
//- /base.py
from fastmcp import FastMCP

class Base(FastMCP[dict]):
    def tool(self, *args, **kwargs):
        return super().tool(*args, **kwargs)
//- /main.py
from fastmcp import FastMCP
from jira import jira
main = FastMCP("Main")
main.mount(jira, namespace="jira")

@main.tool
def ping(): ...
"#,
        expect![[r#"
            Main (complete)
              jira_get_issue = jira@main.py:4:29 + _@ + get_issue@jira.py:5:11
              ping = ping@main.py:7:5
        "#]],
    );
}

#[test]
fn crates_by_their_attributes_and_builders() {
    check(
        r#"
//- /src/main.rs
use rust_mcp_sdk::macros::{JsonSchema, mcp_tool};

#[mcp_tool(name = "read_file", title = "Read", description = concat!("Reads ", "a file"))]
#[derive(JsonSchema)]
/// What it takes.
pub struct ReadFile { path: String }
"#,
        expect![[r#"
            server (complete)
              read_file = read_file@src/main.rs:3:20
        "#]],
    );
    check(
        r#"
//- /src/main.rs
use mcp_attr::server::{McpServer, mcp_server};

#[mcp_server]
impl McpServer for Notes {
    #[tool]
    async fn add(&self) -> Result<String> { todo!() }
    #[tool("remove_note")]
    async fn remove(&self) -> Result<String> { todo!() }
}
"#,
        expect![[r#"
            server (complete)
              add = add@src/main.rs:6:14
              remove_note = remove_note@src/main.rs:7:13
        "#]],
    );
    check(
        r#"
//- /src/main.rs
use tower_mcp::{McpRouter, ToolBuilder};
mod tools;
fn main() { serve(router()) }
fn router() -> McpRouter { McpRouter::new().tool(ToolBuilder::new("evaluate").build()) }
//- /src/tools.rs
mcplease::tools!(State, (Add, add, "add"), (Remove, remove, "remove"));
"#,
        expect![[r#"
            server (complete)
              evaluate = evaluate@src/main.rs:4:68
              add = add@src/tools.rs:1:37
              remove = remove@src/tools.rs:1:62
        "#]],
    );
}

#[test]
fn a_hand_written_list_in_a_macro() {
    check(
        r#"
//- /src/main.rs
use rmcp::{ServerHandler, model::{ListToolsResult, Tool}};
const PREFIX: &str = "acme";
impl ServerHandler for Server {
    async fn list_tools(&self, _: Option<Params>, _: Context) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult { tools: tools(), next_cursor: None })
    }
}
fn tools() -> Vec<Tool> {
    vec![
        Tool { name: "one".into(), description: None },
        Tool::new("two", "Two", schema()),
        Tool { name: format!("{PREFIX}_{}", "three").into(), description: None },
    ]
}
"#,
        expect![[r#"
            server (complete)
              one = one@src/main.rs:10:23
              two = two@src/main.rs:11:20
              acme_three = acme@src/main.rs:2:23 + _@src/main.rs:12:39 + three@src/main.rs:12:46
        "#]],
    );
}

#[test]
fn a_row_of_a_config_is_as_good_as_a_built_in_one() {
    check(
        r#"
//- /toolnames.toml
[[frameworks]]
id = "house-tools"
language = "typescript"
packages = ["@house/tools"]
duplicate = "throws"

[[frameworks.form]]
kind = "tool"
on = "call"
path = "offer"
name = ["arg0.called"]
//- /server.ts
import { offer } from "@house/tools";
offer({ called: "one" }, run);
"#,
        expect![[r#"
            server (complete)
              one = one@server.ts:2:18
        "#]],
    );
}

#[test]
fn files_in_a_folder_are_tools() {
    check(
        r#"
//- /package.json
{ "name": "files", "dependencies": { "xmcp": "0.3" } }
//- /src/tools/greet.ts
import { type ToolMetadata } from "xmcp";
export const metadata: ToolMetadata = { name: "say_hello", description: "Greets" };
export default async function greet() {}
//- /src/tools/deep/plain.ts
export default async function () {}
//- /src/lib/other.ts
export const metadata = { name: "no_tool" };
//- /src/prompts/ask.ts
export default () => "ask";
"#,
        expect![[r#"
            files (complete)
              plain = plain@
              say_hello = say_hello@src/tools/greet.ts:2:48
        "#]],
    );
    check(
        r#"
//- /package.json
{ "name": "nuxt-app", "dependencies": { "@nuxtjs/mcp-toolkit": "1" } }
//- /server/mcp/tools/getUser.ts
export default defineMcpTool({ description: "Finds", handler: async () => "" });
//- /server/mcp/tools/named.ts
export default defineMcpTool({ name: "by-name", handler: async () => "" });
"#,
        expect![[r#"
            nuxt-app (complete)
              get-user = get-user@
              by-name = by-name@server/mcp/tools/named.ts:1:39
        "#]],
    );
}

#[test]
fn a_framework_puts_its_own_words_before_names() {
    check(
        r#"
//- /server.ts
import { MCPServer } from "@mastra/mcp";
const server = new MCPServer({ name: "m", version: "1.0.0", tools: { find }, agents: { helper }, workflows: { ship } });
"#,
        expect![[r#"
            m (complete)
              find = find@server.ts:2:70
              ask_helper = ask_@ + helper@server.ts:2:88
              run_ship = run_@ + ship@server.ts:2:111
        "#]],
    );
}

#[test]
fn applications_that_are_given_their_tools() {
    check(
        r#"
//- /index.ts
import { createApp, tool } from "@cyanheads/mcp-ts-core";
const search = tool("papers_search", { description: "Searches", handler: run });
await createApp({ name: "papers", tools: [search, ...(extra ? [tool("papers_more", { handler: run })] : [])] });
"#,
        expect![[r#"
            papers (complete)
              papers_search = papers_search@index.ts:2:22
              papers_more = papers_more@index.ts:3:70
        "#]],
    );
    check(
        r#"
//- /server.py
from fastapi import FastAPI
from fastapi_mcp import FastApiMCP
app = FastAPI()
mcp = FastApiMCP(app, name="web")
"#,
        expect![[r#"
            web (not complete)
              ? dynamic@server.py:4:7: tools come from the operations of a web application
        "#]],
    );
}

#[test]
fn methods_that_are_registered_together_come_under_a_prefix() {
    check(
        r#"
//- /server.py
from fastmcp import FastMCP
from fastmcp.contrib.mcp_mixin import MCPMixin, mcp_tool

class Weather(MCPMixin):
    @mcp_tool()
    def forecast(self): ...
    @mcp_tool(name="now")
    def current(self): ...

mcp = FastMCP("mixed")
Weather().register_all(mcp, prefix="weather")
"#,
        expect![[r#"
            mixed (complete)
              weather_forecast = weather@server.py:11:37 + _@ + forecast@server.py:6:9
              weather_now = weather@server.py:11:37 + _@ + now@server.py:7:21
        "#]],
    );
}

#[test]
fn crates_in_which_tools_are_members_or_routes() {
    check(
        r##"
//- /main.rs
use poem_mcpserver::{McpServer, Tools};
struct Colors;
#[Tools]
impl Colors {
    /// Reads it.
    async fn get_color(&self) -> String { String::new() }
    #[mcp(name = "paint")]
    async fn set_color(&self) -> String { String::new() }
}
"##,
        expect![[r#"
            server (complete)
              get_color = get_color@main.rs:6:14
              paint = paint@main.rs:7:19
        "#]],
    );
    check(
        r##"
//- /main.rs
use rmcp::{handler::server::router::tool::ToolRouter, model::Tool};
fn router() -> ToolRouter<S> {
    ToolRouter::new().with_route((Tool::new("routed", "Is routed", schema()), S::routed))
}
"##,
        expect![[r#"
            server (complete)
              routed = routed@main.rs:3:46
        "#]],
    );
    check(
        r##"
//- /main.rs
use tower_mcp::tool_fn;
#[tool_fn(description = "Reads")]
async fn read_file() {}
"##,
        expect![[r#"
            server (complete)
              read-file = read-file@
        "#]],
    );
    check(
        r##"
//- /main.rs
use mcp_server::Router;
use mcp_core::Tool;
struct Docs;
impl Router for Docs {
    fn name(&self) -> String { "docs".to_string() }
    fn list_tools(&self) -> Vec<Tool> {
        vec![Tool::new("look_up".to_string(), "Looks up".to_string(), json!({ "type": "object" }))]
    }
}
"##,
        expect![[r#"
            server (complete)
              look_up = look_up@main.rs:7:25
        "#]],
    );
}

#[test]
fn what_is_switched_off_is_not_listed() {
    check(
        r#"
//- /server.py
from fastmcp import FastMCP
mcp = FastMCP("switched")

@mcp.tool
def on(): ...

@mcp.tool(enabled=False)
def off(): ...
"#,
        expect![[r#"
            switched (complete)
              on = on@server.py:5:5
        "#]],
    );
}

#[test]
fn a_query_finds_what_no_other_kind_of_form_describes() {
    check(
        r#"
//- /toolnames.toml
[[frameworks]]
id = "elements"
language = "typescript"
packages = ["elements-mcp"]
duplicate = "throws"

[[frameworks.form]]
kind = "tool"
on = "query"
query = '''
(jsx_self_closing_element
  name: (identifier) @_element
  attribute: (jsx_attribute (property_identifier) @_name . (string) @name)
  attribute: (jsx_attribute (property_identifier) @_run . (jsx_expression (_) @handler))
  (#eq? @_element "Tool") (#eq? @_name "name") (#eq? @_run "run"))
'''

//- /server.tsx
import { Server, Tool } from "elements-mcp";
export const server = (
  <Server name="notes">
    <Tool name="read_note" run={read} />
    <Tool name="drop_note" run={(id) => drop(id)} />
    <Text name="nothing" run={read} />
  </Server>
);

//- /other.tsx
import { Tool } from "elsewhere";
export const other = <Tool name="none_of_ours" run={read} />;
"#,
        expect![[r#"
            server (complete)
              read_note = read_note@server.tsx:4:17
              drop_note = drop_note@server.tsx:5:17
        "#]],
    );
    // The key of a macro, and a field with a type: names that are not expressions.
    check(
        r#"
//- /toolnames.toml
[[frameworks]]
id = "macros"
language = "rust"
packages = ["macro_mcp"]
duplicate = "throws"

[[frameworks.form]]
kind = "tool"
on = "query"
query = '''
(macro_invocation
  macro: (identifier) @_macro
  (token_tree (token_tree "fn" . (identifier) @name))
  (#eq? @_macro "tools"))
'''

[[frameworks]]
id = "typed"
language = "python"
packages = ["typed_mcp"]
duplicate = "throws"

[[frameworks.form]]
kind = "tool"
on = "query"
query = '''
((assignment left: (identifier) @name type: (type (identifier) @_type) right: (_) @made)
  (#eq? @_type "Tool"))
'''
handler = ["kw:made.kw:run"]
description = ["kw:made.kw:about"]

//- /src/lib.rs
use macro_mcp::tools;
tools! {
    notes {
        fn read_note(id: String) -> String;
        fn drop_note(id: String);
    }
}

//- /server.py
from typed_mcp import Tool

class Notes:
    list_notes: Tool = make(run=lambda: [], about="List the notes.")
    count: int = 3
"#,
        expect![[r#"
            server (complete)
              list_notes = list_notes@server.py:4:5
              read_note = read_note@src/lib.rs:4:12
              drop_note = drop_note@src/lib.rs:5:12
        "#]],
    );
}

/// A captured node is evaluated in the scope where it occurs, like an argument.
#[test]
fn a_capture_is_an_expression_in_its_scope() {
    check(
        r#"
//- /toolnames.toml
[[frameworks]]
id = "marks"
language = "typescript"
packages = ["marks"]
duplicate = "throws"

[[frameworks.form]]
kind = "tool"
on = "query"
query = '(pair key: (computed_property_name (call_expression function: (identifier) @_mark arguments: (arguments (_) @name))) value: (_) @handler (#eq? @_mark "mark"))'

//- /server.ts
import { mark } from "marks";
const prefix = "note_";
for (const verb of ["read", "drop"]) {
  const name = prefix + verb;
  add({ [mark(name)]: () => run(verb) });
}
function more(name: string) {
  add({ [mark(name)]: run });
}
"#,
        expect![[r#"
            server (not complete)
              note_read = note_@server.ts:2:17 + read@server.ts:3:22
              note_drop = note_@server.ts:2:17 + drop@server.ts:3:30
              ? dynamic@server.ts:8:15: code that is never run
        "#]],
    );
}

/// A query that could never match is reported at its place in the config.
#[test]
fn a_query_that_is_wrong_is_reported_where_it_is() {
    let form = |form: &str| {
        Fixture::parse(&format!(
            "//- /toolnames.toml\n[[frameworks]]\nid = \"acme\"\nlanguage = \"python\"\npackages = [\"acme\"]\n\
             duplicate = \"throws\"\n[[frameworks.form]]\nkind = \"tool\"\non = \"query\"\n{form}"
        ))
        .check();
    };
    form("query = '(call (identifier) @name)'\n");
    form("query = '(call (identifer) @name)'\n#               ^^^^^^^^^ config: the grammar has no node `identifer`\n");
    form("query = '(call fun: (_) @name)'\n#              ^^^ config: the grammar has no field `fun`\n");
    form("query = '''\n(call\n  (identifer) @name)\n#  ^^^^^^^^^ config: the grammar has no node `identifer`\n'''\n");
    form(
        "query = '(call (identifier) @nme)'\n#                           ^^^^ config: no key uses `@nme`; did you mean `@name`?\n",
    );
    form(
        "query = '(call (identifier) @x) @name'\n#                           ^^ config: no key uses `@x`; name it `@_x` if only a predicate uses it\n",
    );
    form("query = '(call) @handler'\n#       ^^^^^^^^^^^^^^^^^ config: the query captures no `@name`\n");
    form("query = '(call) @made'\nname = [\"kw:made.arg0\"]\n");
    form("query = '(call) @name'\npath = \"*.add\"\n#      ^^^^^^^ config: use `path` or `query`, not both\n");
}

/// The number of pairs in a list grows with the square of its length.
#[test]
fn a_query_with_more_matches_than_anybody_writes_is_dynamic() {
    let text = format!(
        "//- /toolnames.toml\n[[frameworks]]\nid = \"acme\"\nlanguage = \"python\"\npackages = [\"acme\"]\n\
         duplicate = \"throws\"\n[[frameworks.form]]\nkind = \"tool\"\non = \"query\"\nquery = '(list (_) @_a (_) @name)'\n\
         //- /server.py\nimport acme\nnames = [{}]\n",
        "\"x\", ".repeat(300)
    );
    let fixture = Fixture::parse(&text);
    let analysis = fixture.snapshot().analysis().clone();
    let reasons: Vec<_> = analysis.servers[0].dynamics.iter().map(|dynamic| dynamic.reason.to_string()).collect();
    assert_eq!(reasons, ["a query with too many matches in this file"]);
}

/// One name is one tool, however many matches capture it, and each of several names is a tool.
#[test]
fn each_captured_name_is_one_tool() {
    let config = |query: &str| {
        format!(
            "//- /toolnames.toml\n[[frameworks]]\nid = \"acme\"\nlanguage = \"python\"\npackages = [\"acme\"]\n\
             duplicate = \"throws\"\n[[frameworks.form]]\nkind = \"tool\"\non = \"query\"\nquery = '''{query}'''\n"
        )
    };
    // Optional captures match in several ways; the match with the most captures counts.
    let optional = "(call arguments: (argument_list . (string) @name (keyword_argument name: (identifier) @_t value: (_) @title)? (keyword_argument name: (identifier) @_h value: (_) @handler)?))";
    check(
        &format!(
            "{}//- /server.py\nfrom acme import add\nadd(\"c\", title=\"T\", run=h)\nadd(\"d\")\n",
            config(optional)
        ),
        expect![[r#"
            server (complete)
              c = c@server.py:2:6
              d = d@server.py:3:6
        "#]],
    );
    check(
        &format!(
            "{}//- /server.py\nfrom acme import add\nadd(\"a\", \"b\")\n",
            config("(call arguments: (argument_list (string)+ @name))")
        ),
        expect![[r#"
            server (complete)
              a = a@server.py:2:6
              b = b@server.py:2:11
        "#]],
    );
    // A match may begin in another statement.
    check(
        &format!(
            "{}//- /server.py\nimport acme\n# Reads.\ndef read_note(id): ...\n\nx = 1\ndef other(): ...\n",
            config("((comment) @description . (function_definition name: (identifier) @name) @handler)")
        ),
        expect![[r#"
            server (complete)
              read_note = read_note@server.py:3:5
        "#]],
    );
}

#[test]
fn a_request_handler_has_the_method_that_its_schema_says() {
    check(
        r#"
//- /server.ts
import { AsyncLocalStorage } from "node:async_hooks";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { z } from "zod";
const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
const store = new AsyncLocalStorage();
server.setRequestHandler(z.object({ method: z.literal("ping") }), async () => ({}));
server.setRequestHandler(z.object({ method: z.literal("tools/list") }), () =>
  store.run({}, async () => ({ tools: [{ name: "read_note", inputSchema: {} }] })),
);
"#,
        expect![[r#"
            notes (complete)
              read_note = read_note@server.ts:8:49
        "#]],
    );
}

#[test]
fn what_a_class_is_passed_is_a_member_of_what_it_makes() {
    check(
        r#"
//- /server.py
from fastmcp import FastMCP
from fastmcp.tools import FunctionTool
from mcp.types import Tool

class Notes(FastMCP):
    def add_tool(self, tool):
        if not tool.serializer:
            tool = tool.model_copy(update={"serializer": str})
        super().add_tool(tool)

read = Tool(name="read_note", description="Reads a note.")
mcp = Notes("notes")
mcp.add_tool(FunctionTool.from_function(run, name=read.name, description=read.description))
mcp.add_tool(FunctionTool.from_function(run, name=read.title))
"#,
        expect![[r#"
            notes (not complete)
              read_note = read_note@server.py:11:19
              ? dynamic@server.py:9:9: `title` of the result of `Tool` of `mcp.types`
        "#]],
    );
}
