//! What the profiles require in addition to names: handlers, types, documents, the layers of a gateway. Each fixture
//! states the findings, and each repair the resulting text.

use toolnames::testing::fix;
use toolnames::testing::rename::{self, Sources};
use toolnames::testing::rules;
use toolnames::testing::text::apply_edits;

use super::fixture::Fixture;

/// Repairs everything in a fixture, as `fix --unsafe` does, and returns the text of one file.
#[track_caller]
fn repaired(fixture: &str, path: &str) -> String {
    let fixture = Fixture::parse(fixture);
    let snapshot = fixture.snapshot();
    let texts = |file| fixture.text(&snapshot, file);
    let options = fix::Options { unsafe_too: true, ..fix::Options::default() };
    let fixed = fix::fix(&snapshot, &|_| true, Sources { texts: &texts, around: &fixture }, options);
    let file = snapshot.files.by_path(path).expect("the file is there").id;
    fixed.files.get(&file).map_or_else(|| fixture.files[path].clone(), |(text, _)| text.clone())
}

/// The changed files after one fix, which is given by its title.
#[track_caller]
fn chosen(fixture: &str, title: &str) -> Vec<(String, String)> {
    let fixture = Fixture::parse(fixture);
    let snapshot = fixture.snapshot();
    let texts = |file| fixture.text(&snapshot, file);
    let found = rules::check_all(&snapshot);
    let fix = found.iter().flat_map(|found| &found.fixes).find(|fix| fix.title == title);
    let fix = fix.unwrap_or_else(|| panic!("no fix `{title}` in {found:#?}"));
    let edits =
        fix::plan(&snapshot, fix, Sources { texts: &texts, around: &fixture }).expect("the fix can be made").edits();
    let changed = edits.iter().map(|(file, edits)| {
        let path = snapshot.files.path(*file).to_string();
        let text = apply_edits(&fixture.files[&path], edits).expect("the edits fit");
        (path, text)
    });
    changed.collect()
}

const HANDLERS: &str = r#"
//- /toolnames.toml
profile = "browser"
//- /tools.ts
export const tools = [
  { name: "browser_click", inputSchema: { type: "object", properties: { ref: { type: "string" } }, required: ["ref"] } },
];
//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { tools } from "./tools.js";
import { click } from "./click.js";
const server = new Server({ name: "browser", version: "1.0.0" });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }));
"#;

#[test]
fn a_parameter_is_followed_through_variables_and_functions_to_where_it_is_read() {
    for (handler, click) in [
        // A branch, a table of functions, and functions to which they pass the arguments.
        ("if (request.params.name === \"browser_click\") return page.click(request.params.arguments.ref);", ""),
        (
            "const { name, arguments: args } = request.params; if (name === \"browser_click\") { const { ref } = args; return page.click(ref); }",
            "",
        ),
        (
            "return { browser_click: async ({ ref }) => page.click(ref) }[request.params.name](request.params.arguments);",
            "",
        ),
        (
            "if (request.params.name === \"browser_click\") return click(request.params.arguments);",
            "export const click = (args) => page.click(args.ref);",
        ),
    ] {
        let text = format!(
            "{HANDLERS}server.setRequestHandler(CallToolRequestSchema, async (request) => {{ {handler} }});\n//- /click.ts\n{click}\n"
        );
        assert_eq!(Fixture::parse(&text).rules(), ["handler-validation"], "{handler}");
    }
}

#[test]
fn a_parameter_that_a_validator_looked_at_is_read_in_peace() {
    for (handler, click) in [
        (
            "if (request.params.name === \"browser_click\") return page.click(validateRef(request.params.arguments.ref));",
            "",
        ),
        (
            "const args = request.params.arguments ?? {}; if (request.params.name === \"browser_click\") { validateRequiredString(args, \"ref\"); return page.click(args.ref); }",
            "",
        ),
        (
            "if (request.params.name === \"browser_click\") { const { ref } = request.params.arguments; validateRef(ref); return page.click(ref); }",
            "",
        ),
        (
            "if (request.params.name === \"browser_click\") return click(request.params.arguments);",
            "export function click(args) { const ref = validateRef(args.ref); return page.click(ref); }",
        ),
        (
            "if (request.params.name === \"browser_click\") { requireParams(request.params.arguments, [\"ref\"]); return page.click(request.params.arguments.ref); }",
            "",
        ),
        (
            "if (request.params.name === \"browser_click\") { const { ref } = ClickArgs.parse(request.params.arguments); return page.click(ref); }",
            "",
        ),
        (
            "const args = request.params.arguments; if (request.params.name === \"browser_click\") { const ref = String(args.ref ?? ''); validateRef(ref); return page.click(ref); }",
            "",
        ),
        // A parameter with the same name, of another tool.
        ("if (request.params.name === \"browser_other\") return page.click(request.params.arguments.ref);", ""),
    ] {
        let text = format!(
            "{HANDLERS}server.setRequestHandler(CallToolRequestSchema, async (request) => {{ {handler} }});\n//- /click.ts\n{click}\n"
        );
        assert_eq!(Fixture::parse(&text).rules(), Vec::<&str>::new(), "{handler}");
    }
}

#[test]
fn types_of_python_are_schemas() {
    Fixture::parse(
        r#"
//- /toolnames.toml
profile = "browser"
//- /server.py
from typing import Annotated, Literal, Optional
from pydantic import AnyUrl, Field
from mcp.server.fastmcp import Context, FastMCP
from .models import Margin
mcp = FastMCP("browser")
@mcp.tool()
def browser_click(ref: str, ctx: Context, timeout: Annotated[int, Field(ge=0)] = 1000): ...
@mcp.tool()
def browser_hover(ref, url: AnyUrl, direction: Literal["up", "down"] = "up"): ...
#                 ^^^ schema-param: `ref` does not have the type `string`
@mcp.tool()
def browser_open(url: str, timeout: Optional[float] = None, options: dict = {}): ...
#                ^^^ schema-param: has no `format: "uri"`
#                          ^^^^^^^ schema-param: has no `minimum`
#                                                           ^^^^^^^ schema-nested: `options` is an object
@mcp.tool()
def browser_scroll(margin: Margin, direction: str): ...
#                                  ^^^^^^^^^ schema-enum: accepts one of a few values
//- /models.py
from pydantic import BaseModel, Field
class Margin(BaseModel):
    top: int = 0
    timeout: int = Field(1000, description="Milliseconds")
#   ^^^^^^^ schema-param: has no `minimum`
"#,
    )
    .check();
}

#[test]
fn types_of_rust_are_schemas() {
    Fixture::parse(
        r#"
//- /toolnames.toml
profile = "browser"
//- /Cargo.toml
[package]
name = "browser"
[dependencies]
rmcp = "0.8"
//- /src/main.rs
mod params;
use rmcp::{tool, tool_router, handler::server::wrapper::Parameters};
use crate::params::Click;
pub struct Browser;
#[tool_router]
impl Browser {
    #[tool(description = "Clicks")]
    async fn browser_click(&self, Parameters(given): Parameters<Click>) -> String { String::new() }
}
//- /src/params.rs
#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Click {
    pub r#ref: String,
    pub url: String,
//      ^^^ schema-param: has no `format: "uri"`
    #[serde(default)]
    #[schemars(range(min = 0))]
    pub timeout: i64,
    pub direction: Direction,
    pub wait: Option<u64>,
//      ^^^^ schema-default: is optional and has no default
}
#[derive(serde::Deserialize, schemars::JsonSchema)]
pub enum Direction { Up, Down }
"#,
    )
    .check();
}

#[test]
fn what_a_type_lacks_is_said_in_the_type() {
    let python = r#"
//- /toolnames.toml
profile = "browser"
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("browser")
@mcp.tool()
def browser_open(url: str, timeout: int = 1000, ref=None): ...
"#;
    let expected = r#"from typing import Annotated
from pydantic import Field
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("browser")
@mcp.tool()
def browser_open(url: Annotated[str, Field(json_schema_extra={"format": "uri"})], timeout: Annotated[int, Field(ge=0)] = 1000, ref=None): ...
"#;
    assert_eq!(repaired(python, "server.py"), expected);
}

const GATEWAY: &str = r#"
//- /toolnames.toml
profile = "syntropy"
[rules]
name-prefix = "off"
//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const server = new Server({ name: "syntropy", version: "1.0.0" });
const SERVER_ROUTES = {
  "syn-serena": "mcp__serena__",
};
const TOOLS = [
  { name: "serena_find_symbol", inputSchema: { type: "object" } },
  { name: "perplexity_ask", inputSchema: { type: "object" } },
];
const full = (tool) => ({ ...tool, name: `mcp__syntropy__${tool.name}` });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: TOOLS.map(full) }));
//- /servers.json
{
  "syn-serena": { "command": "uvx", "args": ["serena"] }
}
//- /.mcp.json
{ "mcpServers": { "perplexity": { "command": "npx", "args": ["-y", "perplexity-mcp"] } } }
//- /.claude/settings.local.json
{
  "permissions": {
    "allow": [
      "mcp__syntropy__serena_find_symbol"
    ]
  }
}
//- /tool-index.md
| Tool                                | Purpose        |
| ----------------------------------- | -------------- |
| `mcp__syntropy__serena_find_symbol` | Finds a symbol |
"#;

#[test]
fn one_repair_completes_all_the_layers_of_a_tool() {
    let changed = chosen(GATEWAY, "complete the layers of `perplexity_ask`");
    let text = |path: &str| changed.iter().find(|(known, _)| known == path).map(|(_, text)| text.as_str()).unwrap();
    assert!(
        text("server.ts")
            .contains("  \"syn-serena\": \"mcp__serena__\",\n  \"syn-perplexity\": \"mcp__perplexity__\",\n")
    );
    let started = r#"  "syn-perplexity": { "command": "npx", "args": ["-y", "perplexity-mcp"] }"#;
    assert!(text("servers.json").contains(started), "as a client of the workspace starts it: {}", text("servers.json"));
    assert!(text(".claude/settings.local.json").contains("\",\n      \"mcp__syntropy__perplexity_ask\"\n    ]"));
    assert!(
        text("tool-index.md").ends_with("| `mcp__syntropy__perplexity_ask`     |                |\n"),
        "{}",
        text("tool-index.md")
    );
}

#[test]
fn nothing_is_allowed_without_a_word_of_a_person() {
    let settings = repaired(GATEWAY, ".claude/settings.local.json");
    assert!(!settings.contains("perplexity_ask"), "{settings}");
    assert!(repaired(GATEWAY, "server.ts").contains("syn-perplexity"), "a route allows nothing");
}

#[test]
fn a_bare_list_of_a_gateway_is_given_its_prefix_where_it_is_answered() {
    let bare = GATEWAY.replace("{ tools: TOOLS.map(full) }", "{ tools: TOOLS }");
    let expected = "({ tools: TOOLS.map((tool) => ({ ...tool, name: `mcp__syntropy__${tool.name}` })) })";
    assert!(repaired(&bare, "server.ts").contains(expected), "{}", repaired(&bare, "server.ts"));
    let shorthand = GATEWAY
        .replace("async () => ({ tools: TOOLS.map(full) })", "async () => { const tools = TOOLS; return { tools }; }");
    let expected = "return { tools: tools.map((tool) => ({ ...tool, name: `mcp__syntropy__${tool.name}` })) };";
    assert!(repaired(&shorthand, "server.ts").contains(expected), "{}", repaired(&shorthand, "server.ts"));
}

#[test]
fn names_in_documents_are_those_of_code_and_nothing_else() {
    let document = |text: &str| {
        format!(
            "{}//- /README.md\n{text}",
            GATEWAY.replace("  { name: \"perplexity_ask\", inputSchema: { type: \"object\" } },\n", "")
        )
    };
    for right in [
        "Every name is `mcp__syntropy__<server>_<tool>`, and all of them are `mcp__syntropy__*` or `mcp__syntropy__serena_*`.\n",
        "serena_find_symbol in prose; `serena_find_symbol.py`, `src/serena_find_symbol`, `obj.serena_find_symbol`.\n",
        "```typescript\n{ name: \"serena_find_symbol\" }\n```\n",
        "`git_status` and `github_token` are words like any other.\n",
        "`mcp__github__create_issue` is a server's of its own.\n",
        "<!-- toolnames: allow(docs-name) how it was called before -->\nOnce `serena_find_symbol`.\n",
    ] {
        assert_eq!(Fixture::parse(&document(right)).rules(), Vec::<&str>::new(), "{right}");
    }
    for (wrong, repaired_text) in [
        ("Call `serena_find_symbol`.\n", "Call `mcp__syntropy__serena_find_symbol`.\n"),
        ("```json\n[\"mcp__serena__find_symbol\"]\n```\n", "```json\n[\"mcp__syntropy__serena_find_symbol\"]\n```\n"),
        ("> - `mcp__syntropy_serena_find_symbol`\r\n", "> - `mcp__syntropy__serena_find_symbol`\r\n"),
        ("The 3 tools.\n", "The 1 tools.\n"),
    ] {
        assert_eq!(repaired(&document(wrong), "README.md"), repaired_text);
    }
}

#[test]
fn a_registry_gets_the_rows_it_lacks_as_the_others_are_written() {
    let registry = r#"
//- /toolnames.toml
profile = "chora"
//- /pyproject.toml
[project]
name = "my-project"
version = "1.2.0"
//- /server.py
from fastmcp import FastMCP
NAMESPACE = "myproject"
mcp = FastMCP("myproject")
@mcp.tool(name=f"{NAMESPACE}:create_task")
def create_task(): ...
@mcp.tool(name=f"{NAMESPACE}:list_tasks")
def list_tasks():
    """Lists every task.

    Even those that are done."""
@mcp.resource("myproject://configs/settings.json")
def settings():
    """What it is set to."""
//- /NAMESPACES.md
| Tool Name   | Full Name               | Description | Version |
|-------------|-------------------------|-------------|---------|
| create_task | `myproject:create_task` | By hand     | 0.9.0   |
| old_task    | `myproject:old_task`    | Gone        | 0.1.0   |

| Resource URI | Description | Type |
|--------------|-------------|------|
"#;
    let expected = r#"| Tool Name   | Full Name               | Description | Version |
|-------------|-------------------------|-------------|---------|
| create_task | `myproject:create_task` | By hand     | 0.9.0   |
| list_tasks  | `myproject:list_tasks`  | Lists every task | 1.2.0   |

| Resource URI | Description | Type |
|--------------|-------------|------|
| myproject://configs/settings.json | What it is set to |      |
"#;
    assert_eq!(repaired(registry, "NAMESPACES.md"), expected);
}

#[test]
fn a_version_marks_what_it_follows_in_each_language() {
    let python = |body: &str| {
        format!(
            "//- /toolnames.toml\nprofile = \"chora\"\n//- /server.py\nfrom fastmcp import FastMCP\nlogger = get()\nmcp = FastMCP(\"myproject\")\n@mcp.tool(name=\"myproject:run_it\")\ndef run_it(x):\n{body}@mcp.tool(name=\"myproject:run_it_v2\")\ndef run_it_v2(x): ...\n"
        )
    };
    let after = repaired(&python("    \"\"\"Runs it.\n\n    Twice.\"\"\"\n    return x\n"), "server.py");
    let expected = "    \"\"\"Runs it (deprecated: use run_it_v2).\n\n    Twice.\"\"\"\n    logger.warning(\"run_it is deprecated. Use run_it_v2.\")\n    return x\n";
    assert!(after.contains(expected), "{after}");
    let after = repaired(&python("    \"\"\"Runs it.\"\"\"\n"), "server.py");
    assert!(after.contains("use run_it_v2).\"\"\"\n    logger.warning("), "{after}");
    let typescript = r#"
//- /toolnames.toml
profile = "chora"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "myproject", version: "1" });
server.registerTool("myproject:run_it", { description: "Runs it" }, async () => {
  return run();
});
server.registerTool("myproject:run_it_v2", { description: "Runs it" }, async () => run());
"#;
    let after = repaired(typescript, "server.ts");
    assert!(after.contains("{ description: \"Runs it (deprecated: use run_it_v2)\" }"), "{after}");
    assert!(after.contains("  console.warn('run_it is deprecated. Use run_it_v2.');\n  return run();\n"), "{after}");
}

#[test]
fn a_schema_that_cannot_be_read_is_left_in_peace() {
    Fixture::parse(
        r#"
//- /toolnames.toml
profile = "browser"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { refSchema } from "./schemas";
const server = new McpServer({ name: "b", version: "1" });
const ref = z.string().min(1);
server.registerTool("browser_hold", { inputSchema: { ref } }, run);
server.registerTool("browser_grab", { inputSchema: { ref: refSchema } }, run);
server.registerTool("browser_wait", { inputSchema: { timeout: z.coerce.number().min(0), url: z.httpUrl() } }, run);
server.registerTool("browser_find", { inputSchema: { q: z.string().describe("Looked for in the `title` or `url` of tabs") } }, run);
server.registerTool("browser_check_auth", { inputSchema: { ref: z.string().default("") } }, run);
//- /server.py
from typing import Annotated, Optional
import pydantic
from annotated_types import Ge
from pydantic import Field, NonNegativeInt, conint
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("browser")
Timeout = Annotated[int, Field(ge=0)]
@mcp.tool()
def browser_a(timeout: Optional[NonNegativeInt] = 1): ...
@mcp.tool()
def browser_b(timeout: Annotated[int, Ge(0)] = 1): ...
@mcp.tool()
def browser_c(timeout: conint(ge=0) = 1): ...
@mcp.tool()
def browser_d(timeout: Timeout): ...
@mcp.tool()
def browser_e(timeout: pydantic.PositiveInt = 3000): ...
@mcp.tool()
def browser_f(timeout: "int" = 3000): ...
"#,
    )
    .check();
}

#[test]
fn a_finding_that_stays_keeps_no_other_from_being_repaired() {
    let text = r#"
//- /toolnames.toml
profile = "browser"
//- /server.py
from mcp.server.fastmcp import FastMCP
from pydantic import Field
from typing import Annotated
mcp = FastMCP("browser")
@mcp.tool()
def browser_a(timeout: int = 1): ...
@mcp.tool()
def browser_b(timeout: Annotated[int, Field()] = 1): ...
"#;
    let after = repaired(text, "server.py");
    assert_eq!(after.matches("Field(ge=0)").count(), 2, "{after}");
}

#[test]
fn a_namespace_is_the_one_that_names_are_made_of() {
    Fixture::parse(
        r#"
//- /toolnames.toml
profile = "chora"
[rules]
name-chars = "off"
//- /pyproject.toml
[project]
name = "two"
//- /k8s.py
NAMESPACE = "production"
POD = {"kind": "Pod", "metadata": {"name": "x", "namespace": "production"}}
//- /alpha.py
from fastmcp import FastMCP
NAMESPACE = "alpha"
mcp = FastMCP("alpha")
@mcp.tool(name=f"{NAMESPACE}:create_task")
def create_task(): ...
def color(name: str) -> int:
    return 31 if name == "red" else 0
//- /beta.py
from fastmcp import FastMCP
NAMESPACE = "beta"
mcp = FastMCP("beta")
@mcp.tool(name=f"{NAMESPACE}:create_user")
def create_user(): ...
@mcp.resource("alpha://configs/settings.json")
#              ^^^^^ resource-uri: wrong namespace `alpha`: expected `beta`
def settings(): ...
"#,
    )
    .check();
}

#[test]
fn a_prefix_that_one_call_adds_twice_is_that_calls_fault() {
    Fixture::parse(
        r#"
//- /toolnames.toml
profile = "lightdash"
//- /shared.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export const TOOL_PREFIX = "lightdash_tools__";
export function registerToolSafe(server: McpServer, short: string, options: { title: string }) {
  server.registerTool(TOOL_PREFIX + short, { annotations: { readOnlyHint: true }, ...options }, run);
}
//- /tools.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { TOOL_PREFIX, registerToolSafe } from "./shared.js";
const server = new McpServer({ name: "lightdash", version: "1.0.0" });
registerToolSafe(server, "get_project", { title: "Get project" });
registerToolSafe(server, TOOL_PREFIX + "list_projects", { title: "List projects" });
//                                      ^^^^^^^^^^^^^ name-prefix: `lightdash_tools__lightdash_tools__list_projects`: the prefix `lightdash_tools__` occurs more than once
registerToolSafe(server, "lightdash_tools_get_space", { title: "Get space" });
//                        ^^^^^^^^^^^^^^^ name-prefix: `lightdash_tools__lightdash_tools_get_space`: the prefix `lightdash_tools__` occurs more than once
"#,
    )
    .check();
}

#[test]
fn names_that_are_looked_up_in_tables_are_held_to_the_convention() {
    Fixture::parse(
        r#"
//- /toolnames.toml
profile = "chora"
[rules]
name-chars = "off"
//- /pyproject.toml
[project]
name = "myproject"
//- /server.py
from fastmcp import FastMCP
mcp = FastMCP("myproject")
@mcp.tool(name="myproject:create_task")
def create_task(): ...
HANDLERS = {"create_task": create_task, "myproject:list_tasks": create_task}
#            ^^^^^^^^^^^ dispatch-name: the namespace `myproject:` is missing
async def dispatch(name: str, args: dict):
    return await HANDLERS[name](**args)
"#,
    )
    .check();
}

#[test]
fn templates_of_uris_keep_their_parameters() {
    let python = |uri: &str| {
        format!(
            "//- /toolnames.toml\nprofile = \"chora\"\n//- /pyproject.toml\n[project]\nname = \"myproject\"\n//- /server.py\nfrom fastmcp import FastMCP\nmcp = FastMCP(\"myproject\")\n@mcp.resource(\"{uri}\")\ndef docs(docId): ...\n"
        )
    };
    assert!(repaired(&python("/docs/{docId}"), "server.py").contains("\"myproject://docs/{docId}\""));
    assert!(repaired(&python("file:///etc/hosts"), "server.py").contains("\"file:///etc/hosts\""));
    let right = python("myproject://docs/{doc_id}{?format,limit}");
    assert_eq!(Fixture::parse(&right).rules(), Vec::<&str>::new());
}

#[test]
fn a_resource_that_cannot_be_computed_makes_no_row_stale() {
    let text = r#"
//- /toolnames.toml
profile = "chora"
//- /pyproject.toml
[project]
name = "myproject"
//- /server.py
from fastmcp import FastMCP
mcp = FastMCP("myproject")
@mcp.resource(uri=load("templates"))
def templates(): ...
@mcp.resource("myproject://configs/settings.json")
def settings(): ...
//- /NAMESPACES.md
| Resource URI | Description |
|---|---|
| myproject://templates/daily-report.md | By hand |
| myproject://configs/settings.json | By hand |
"#;
    assert_eq!(Fixture::parse(text).rules(), Vec::<&str>::new());
}

#[test]
fn files_that_only_look_like_a_gateways_are_none() {
    let with = |path: &str, text: &str| format!("{GATEWAY}//- /{path}\n{text}");
    let before = Fixture::parse(GATEWAY).rules();
    for (path, text) in [
        ("infra/servers.json", "{ \"$schema\": \"x\", \"web-1\": { \"ip\": \"10.0.0.1\" } }\n"),
        ("web/README.md", "Our CI needs 4 tools: eslint, tsc, vite and vitest. You can call 2 tools in parallel.\n"),
        ("web/README.md", "| Tool | Change |\n|---|---|\n| serena_find_symbols | renamed |\n"),
    ] {
        let found = Fixture::parse(&with(path, text)).rules();
        let other = found.iter().filter(|rule| !before.contains(rule)).count();
        assert!(other == 0 || text.contains("serena"), "{path}: {found:?}");
    }
    let computed = GATEWAY.replace("\"syn-serena\": \"mcp__serena__\"", "[SERENA]: \"mcp__serena__\"");
    assert!(!repaired(&computed, "server.ts").contains("\"syn-serena\""), "what is computed may be there");
}

#[test]
fn the_state_file_is_repaired_in_one_go() {
    let state = |entries: &str| format!("{GATEWAY}//- /tool-state.json\n{{ \"enabled\": [{entries}] }}\n");
    let full = "\"mcp__syntropy__serena_find_symbol\"";
    let after = repaired(&state(&format!("{full}, {full}, \"serena_find_symbol\"")), "tool-state.json");
    assert_eq!(after, format!("{{ \"enabled\": [{full}] }}\n"));
    let after = repaired(&state("\"mcp__linear__list_issues\""), "tool-state.json");
    assert!(after.contains("\"mcp__linear__list_issues\""), "the gateway has no such tool: {after}");
}

#[test]
fn titles_and_hints_are_keywords_of_the_call_that_is_a_tools_own() {
    let helper = r#"
//- /toolnames.toml
profile = "lightdash"
//- /server.py
from fastmcp import FastMCP
from mcp.types import ToolAnnotations
TOOL_PREFIX = "lightdash_tools__"
READ = ToolAnnotations(readOnlyHint=True)
mcp = FastMCP("ld")
def tool_safe(short_name, *, title=None, annotations=None):
    return mcp.tool(name=TOOL_PREFIX + short_name, title=title, annotations=annotations)
@tool_safe("get_project")
def get_project(): ...
@tool_safe("delete_space", title="Delete space", annotations=ToolAnnotations(readOnlyHint=True))
def delete_space(): ...
@tool_safe("drop_group", title="Drop group", annotations={"readOnlyHint": True})
def drop_group(): ...
@tool_safe("update_user", title="Update user", annotations=READ)
def update_user(): ...
@tool_safe("list_users", annotations=ToolAnnotations(title="List users"))
def list_users(): ...
"#;
    let after = repaired(helper, "server.py");
    let calls: Vec<&str> = after.lines().filter(|line| line.starts_with("@tool_safe")).collect();
    assert_eq!(
        calls,
        [
            "@tool_safe(\"get_project\", title=\"Get project\")",
            "@tool_safe(\"delete_space\", title=\"Delete space\", annotations=ToolAnnotations(readOnlyHint=False))",
            "@tool_safe(\"drop_group\", title=\"Drop group\", annotations={\"readOnlyHint\": False})",
            // Annotations that other tools may share are left to a person.
            "@tool_safe(\"update_user\", title=\"Update user\", annotations=READ)",
            "@tool_safe(\"list_users\", annotations=ToolAnnotations(title=\"List users\"))",
        ]
    );
    assert!(after.contains("return mcp.tool(name=TOOL_PREFIX + short_name, title=title, annotations=annotations)"));
    let rust = r#"
//- /toolnames.toml
profile = "lightdash"
//- /Cargo.toml
[package]
name = "ld"
[dependencies]
rmcp = "0.8"
//- /src/main.rs
use rmcp::{tool, tool_router};
struct Server;
#[tool_router]
impl Server {
    #[tool(name = "lightdash_tools__delete_chart", title = "Delete chart", annotations(read_only_hint = true))]
    async fn delete_chart(&self) -> String { String::new() }
    #[tool(name = "lightdash_tools__list_charts", annotations(title = "List charts", read_only_hint = true))]
    async fn list_charts(&self) -> String { String::new() }
    #[tool(name = "lightdash_tools__get_chart")]
    async fn get_chart(&self) -> String { String::new() }
}
"#;
    let after = repaired(rust, "src/main.rs");
    assert!(after.contains("title = \"Delete chart\", annotations(read_only_hint = false))]"), "{after}");
    assert!(after.contains("annotations(title = \"List charts\", read_only_hint = true))]"), "{after}");
    assert!(
        after.contains("name = \"lightdash_tools__get_chart\")]") && after.contains("title = \"Get chart\""),
        "{after}"
    );
}

#[test]
fn values_that_a_description_counts_up_become_those_of_the_type() {
    let python = r#"
//- /toolnames.toml
profile = "browser"
//- /server.py
from typing import Annotated
from fastmcp import FastMCP
from pydantic import Field
mcp = FastMCP("b")
@mcp.tool()
def browser_scroll(
    way: Annotated[str, Field(description='One of "up" or "down"')],
    side: Annotated[str, 'Which side: one of "left" or "right"'] = "left",
    speed: str = Field("fast", description="Either 'fast' or 'slow'."),
    edge: str | None = Field("none", description="Either 'top' or 'bottom'."),
): ...
"#;
    let after = repaired(python, "server.py");
    for line in [
        "    way: Annotated[Literal[\"up\", \"down\"], Field(description='One of \"up\" or \"down\"')],",
        "    side: Annotated[Literal[\"left\", \"right\"], 'Which side: one of \"left\" or \"right\"'] = \"left\",",
        "    speed: Literal[\"fast\", \"slow\"] = Field(\"fast\", description=\"Either 'fast' or 'slow'.\"),",
        // The default is not one of the values, so the description does not list them all.
        "    edge: str | None = Field(\"none\", description=\"Either 'top' or 'bottom'.\"),",
        "from typing import Literal",
    ] {
        assert!(after.contains(line), "{line}\n{after}");
    }
    let zod = r#"
//- /toolnames.toml
profile = "browser"
//- /server.ts
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
const server = new McpServer({ name: 'zod', version: '1' });
server.registerTool('browser_scroll', {
  inputSchema: {
    way: z.string().describe('One of "up" or "down"'),
    side: z.string().trim().describe('One of "left" or "right"'),
    url: z.string().default(''),
    timeout: z.number().default(-1),
  },
}, run);
"#;
    let after = repaired(zod, "server.ts");
    assert!(after.contains("way: z.enum([\"up\", \"down\"]).describe("), "{after}");
    assert!(after.contains("side: z.string().trim().describe("), "{after}");
    // With a format or a minimum, these parameters would no longer accept their own defaults.
    assert!(after.contains("url: z.string().default(''),\n    timeout: z.number().default(-1),"), "{after}");
}

#[test]
fn a_validator_that_gives_nothing_back_is_put_nowhere() {
    let text = |returned: &str| {
        format!(
            "{HANDLERS}function validateRef(ref) {{ if (!ref) throw new Error('no ref'); {returned} }}\n\
             server.setRequestHandler(CallToolRequestSchema, async (request) => {{\n\
             if (request.params.name === \"browser_click\") return page.click(request.params.arguments.ref);\n}});\n\
             //- /click.ts\n"
        )
    };
    assert!(!repaired(&text(""), "server.ts").contains("validateRef(request"));
    assert!(
        repaired(&text("return ref;"), "server.ts").contains("page.click(validateRef(request.params.arguments.ref))")
    );
}

#[test]
fn functions_that_take_a_part_of_a_name_or_no_tools_name_are_no_dispatch() {
    Fixture::parse(
        r#"
//- /toolnames.toml
profile = "chora"
[rules]
name-chars = "off"
//- /pyproject.toml
[project]
name = "notesbox"
//- /server.py
from mcp.server.lowlevel import Server
from mcp.types import Tool
server = Server("notesbox")
@server.list_tools()
async def tools():
    return [Tool(name="notesbox:create_note", inputSchema={}), Tool(name="notesbox:list_notes", inputSchema={})]
def run_tool(name: str, args: dict):
    if name == "create_note": return create(args)
def plain(name: str, args: dict):
    if name == "list_notes": return create(args)
#               ^^^^^^^^^^ dispatch-name: `list_notes`: the namespace `notesbox:` is missing
def on_event(name: str, payload: dict):
    if name == "issue_opened": return payload
def stripped(name: str, args: dict):
    name = name.removeprefix("notesbox:")
    if name == "list_notes": return args
@server.call_tool()
async def call(name: str, args: dict):
    return run_tool(name.split(":", 1)[1], args)
"#,
    )
    .check();
}

/// A gateway with one tool.
const SMALL_GATEWAY: &str = r#"
//- /toolnames.toml
profile = "syntropy"
[rules]
name-prefix = "off"
//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const tools = [{ name: "git_git_status", inputSchema: {} }];
const server = new Server({ name: "syntropy", version: "1" });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: tools.map((t) => ({ ...t, name: `mcp__syntropy__${t.name}` })) }));
"#;

#[test]
fn documents_may_show_what_is_wrong_what_was_and_the_layers_of_a_name() {
    Fixture::parse(&format!(
        "{SMALL_GATEWAY}{}",
        r#"
//- /CLAUDE.md
# Syntropy

Ask `git_git_status` first.
<!-- ^^^^^^^^^^^^^^ docs-name: `git_git_status`: the prefix `mcp__syntropy__` is missing -->

The server behind it is forwarded `git_git_status`.

## Common Mistakes

❌ **Wrong**: `mcp__syntropy_git_git_status`

✅ **Right**: `mcp__syntropy__git_git_status`

## Data flow

```
Tool defined as: "git_git_status"
ListTools returns: "mcp__syntropy__git_git_status"
```

## Changelog

- `mcp__syntropy__git_status`
"#
    ))
    .check();
}

#[test]
fn numbers_of_tools_are_those_of_this_server_today() {
    Fixture::parse(&format!(
        "{SMALL_GATEWAY}{}",
        r#"
//- /README.md
There are 28 tools.
<!--      ^^ docs-count: wrong number of tools: there is 1 -->

It bundles 28 tools behind one connection. Cursor has 40 tools as its limit. Claude Code includes 15 tools of its own.
<!--       ^^ docs-count: wrong number of tools: there is 1 -->

Use the twenty-eight tools. Enable at most the 20 tools you need. In v1 the 4 tools were slow.
<!--    ^^^^^^^^^^^^ docs-count: wrong number of tools: there is 1 -->

- **Tools**: 28
<!--         ^^ docs-count: wrong number of tools: there is 1 -->
"#
    ))
    .check();
}

#[test]
fn tables_of_some_tools_of_the_past_or_in_another_language_are_left_in_peace() {
    let fixture = r#"
//- /toolnames.toml
profile = "lightdash"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "ld", version: "1" });
server.registerTool("lightdash_tools__get_user", { title: "Get user" }, run);
server.registerTool("lightdash_tools__get_dbt", { title: "Get dbt" }, run);
server.registerTool("lightdash_tools__drop_user", { title: "Drop user" }, run);
//- /docs/tools.md
# Tools that only read

| Short name | Title    |
| ---------- | -------- |
| get_user   | Get user |
| get_dbt    | Get dbt  |

# Removed or given another title

| Short name | Title     |
| ---------- | --------- |
| get_users  | Get users |
| get_user   | Get one   |
//- /docs/de/tools.md
| Short name | Title            |
| ---------- | ---------------- |
| get_user   | Person holen     |
| get_dbt    | dbt holen        |
| drop_user  | Person streichen |
"#;
    Fixture::parse(fixture).check();
    // If a document already has a title for the tool, that title is used.
    let untitled = fixture.replace("{ title: \"Get dbt\" }", "{}").replace("| Get dbt  |", "| Get DBT  |");
    assert!(repaired(&untitled, "server.ts").contains("{ title: \"Get DBT\" }"));
}

#[test]
fn a_registry_without_tables_gets_them_and_says_what_is_there_twice() {
    let code = r#"
//- /toolnames.toml
profile = "chora"
[rules]
name-chars = "off"
//- /pyproject.toml
[project]
name = "taskhub"
version = "1.0.0"
//- /server.py
from fastmcp import FastMCP
mcp = FastMCP("taskhub")
@mcp.tool(name="taskhub:list_tasks")
def list_tasks():
    "Lists."
@mcp.tool(name="taskhub:get_task")
def get_task():
    "Gets."
//- /NAMESPACES.md
"#;
    let empty = format!("{code}# Registry\n\n## Registered Tools\n\nNone yet.\n\n## Notes\n\nWrite to us.\n");
    assert_eq!(
        repaired(&empty, "NAMESPACES.md"),
        "# Registry\n\n## Registered Tools\n\nNone yet.\n\n\
         | Tool Name | Full Name | Description | Version |\n\
         | --------- | --------- | ----------- | ------- |\n\
         | list_tasks | taskhub:list_tasks | Lists | 1.0.0 |\n\
         | get_task | taskhub:get_task | Gets | 1.0.0 |\n\n## Notes\n\nWrite to us.\n"
    );
    Fixture::parse(&format!(
        "{code}{}",
        r#"# Registry

| Version | Full Name          |
| ------- | ------------------ |
| 1.0.0   | taskhub:list_tasks |
| 1.0.0   | `taskhub:get_task` (beta) |
| 0.1.0   | taskhub:list_tasks |
<!--        ^^^^^^^^^^^^^^^^^^ registry-drift: `taskhub:list_tasks` is registered a second time here -->
"#
    ))
    .check();
}

#[test]
fn entries_of_routing_tables_are_known_by_what_makes_them() {
    Fixture::parse(
        r#"
//- /toolnames.toml
profile = "chora"
//- /backends.py
import os
from .config import BackendConfig
NS = "coda"
backends = {
    "coda": BackendConfig(namespace=os.environ["CODA"], command="x"),
    "chora": BackendConfig(namespace=NS, command="x"),
#                                    ^^ routing-namespace: the entry for `chora` has the namespace `coda`
    "n8n": BackendConfig("n9n", command="x"),
#                         ^^^ routing-namespace: the entry for `n8n` has the namespace `n9n`
}
backends["pay"] = BackendConfig(namespace="play", command="x")
#                                          ^^^^ routing-namespace: the entry for `pay` has the namespace `play`
caches = {"tools": Cache(namespace="tool-cache"), "resources": Cache(namespace="resource-cache")}
pods = {"web": Deployment(namespace="production"), "db": Deployment(namespace="production")}
//- /backends.ts
export const backends = {
  chora: new BackendConfig({ namespace: "coda", command: "x" }),
//                                       ^^^^ routing-namespace: the entry for `chora` has the namespace `coda`
};
"#,
    )
    .check();
}

#[test]
fn one_fault_of_a_definition_is_one_finding() {
    let of = |definition: &str| {
        let text = SMALL_GATEWAY.replace("git_git_status", definition);
        format!(
            "{text}{}",
            r#"//- /.mcp.json
{ "mcpServers": { "syntropy": { "command": "node", "args": ["server.ts"] } } }
//- /.claude/settings.json
{ "permissions": { "allow": ["mcp__syntropy__git_git_status"] } }
"#
        )
    };
    // The permission has the right name; the definition does not.
    let wrong = of("git_git-status");
    assert_eq!(Fixture::parse(&wrong).rules(), ["name-separator"]);
    assert!(repaired(&wrong, "server.ts").contains("{ name: \"git_git_status\""));
    assert!(repaired(&wrong, ".claude/settings.json").contains("mcp__syntropy__git_git_status"));
    // The gateway adds its prefix to every definition, so the prefix is removed from the name.
    let syntropy = toolnames::testing::convention::Convention::profile("syntropy").expect("a profile");
    let proposed =
        syntropy.propose("mcp__syntropy__git_git_status", toolnames::testing::convention::Context::default());
    assert_eq!(proposed, ["git_git_status"]);
}

#[test]
fn a_decorator_past_the_helper_is_seen() {
    Fixture::parse(
        r#"
//- /toolnames.toml
profile = "lightdash"
//- /server.py
from fastmcp import FastMCP
TOOL_PREFIX = "lightdash_tools__"
mcp = FastMCP("ld")
def register_tool_safe(short_name, title):
    def decorator(fn):
        return mcp.tool(name=TOOL_PREFIX + short_name, title=title)(fn)
    return decorator
@register_tool_safe("list_projects", title="List projects")
def list_projects(): ...
@mcp.tool(name="lightdash_tools__list_charts", title="List charts")
#               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ tool-bypass: is registered directly
def list_charts(): ...
@mcp.tool(name=TOOL_PREFIX + "list_spaces", title="List spaces")
#                             ^^^^^^^^^^^ tool-bypass: is registered directly
def list_spaces(): ...
"#,
    )
    .check();
}

#[test]
fn a_helper_is_given_nothing_that_it_may_not_take() {
    let of = |options: &str| {
        format!(
            r#"
//- /toolnames.toml
profile = "lightdash"
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
const TOOL_PREFIX = "lightdash_tools__";
const server = new McpServer({{ name: "ld", version: "1" }});
function registerToolSafe(server: McpServer, short: string, options: {{ title?: string }}, handler: Handler) {{
  server.registerTool(TOOL_PREFIX + short, {{ ...options, inputSchema: {{}} }}, handler);
}}
registerToolSafe(server, "list_projects", {{ title: "List projects" }}, run);
server.registerTool(TOOL_PREFIX + "run_sql", {{ {options} }}, run);
"#
        )
    };
    let taken = repaired(&of("title: \"Run SQL\""), "server.ts");
    assert!(taken.contains("registerToolSafe(server, \"run_sql\", { title: \"Run SQL\" }, run)"), "{taken}");
    let more = of("title: \"Run SQL\", inputSchema: { sql: z.string() }");
    assert!(repaired(&more, "server.ts").contains("server.registerTool(TOOL_PREFIX + \"run_sql\""));
}

#[test]
fn an_entry_that_a_pattern_covers_waits_for_names_to_change() {
    let fixture = r#"
//- /toolnames.toml
profile = "adobe"
//- /package.json
{ "name": "firefly", "dependencies": { "@adobe/firefly-apis": "1" } }
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "firefly", version: "1" });
server.registerTool("generateImage", {}, run);
//- /.mcp.json
{ "mcpServers": { "firefly": { "command": "node", "args": ["server.ts"] } } }
//- /.claude/settings.json
{ "permissions": { "allow": ["mcp__firefly__generateImage", "mcp__firefly__*Image"] } }
"#;
    let after = repaired(fixture, ".claude/settings.json");
    assert!(after.contains("\"mcp__firefly__firefly_generate_image\""), "{after}");
}

#[test]
fn who_reads_a_resource_knows_it_by_its_new_uri() {
    let fixture = r#"
//- /toolnames.toml
profile = "chora"
//- /pyproject.toml
[project]
name = "taskhub"
//- /server.py
from mcp.server import Server
from mcp.types import Resource
from pydantic import AnyUrl
server = Server("taskhub")
@server.list_resources()
async def resources():
    return [Resource(uri=AnyUrl("TaskHub://Templates/Daily Report.md"), name="a")]
@server.read_resource()
async def read(uri):
    if str(uri) == "TaskHub://Templates/Daily Report.md":
        return ""
"#;
    let after = repaired(fixture, "server.py");
    assert_eq!(after.matches("\"taskhub://templates/daily-report.md\"").count(), 2, "{after}");
}

#[test]
fn what_a_name_was_made_into_and_what_is_kept_for_old_callers_is_no_dispatch() {
    Fixture::parse(
        r#"
//- /toolnames.toml
profile = "chora"
[rules]
name-chars = "off"
//- /pyproject.toml
[project]
name = "taskhub"
//- /server.py
from mcp.server.lowlevel import Server
from mcp.types import Tool
server = Server("taskhub")
HANDLERS = {"create_task": create, "list_tasks": show}
LEGACY = {"drop_task": "taskhub:drop_task"}
@server.list_tools()
async def tools():
    return [
        Tool(name="taskhub:create_task", inputSchema={}),
        Tool(name="taskhub:list_tasks", inputSchema={}),
        Tool(name="taskhub:drop_task", inputSchema={}),
    ]
@server.call_tool()
async def call(name: str, arguments: dict):
    name = LEGACY.get(name, name)
    namespace, name = name.split(":", 1)
    if name == "create_task":
        return create(arguments)
    return HANDLERS[name](arguments)
"#,
    )
    .check();
}

#[test]
fn a_description_that_other_things_are_made_of_is_left_alone() {
    let fixture = r#"
//- /toolnames.toml
profile = "chora"
//- /pyproject.toml
[project]
name = "taskhub"
//- /server.py
from fastmcp import FastMCP
mcp = FastMCP("taskhub")
INDEX = "main"
@mcp.tool(name="taskhub:search", description=f"Searches the index {INDEX}")
def search(): ...
@mcp.tool(name="taskhub:search_v2", description="Searches.")
def search_v2(): ...
"#;
    assert!(repaired(fixture, "server.py").contains("INDEX = \"main\"\n"));
}

#[test]
fn servers_that_routes_and_pools_name_are_servers() {
    let routes = "const SERVER_ROUTES = { \"syn-git\": \"mcp__git__\", \"syn-gist\": \"mcp__gist__\", \"syn-google-maps\": \"mcp__google-maps__\" };\n";
    let definitions = "{ name: \"git_git_status\", inputSchema: {} }, { name: \"gist_create\", inputSchema: {} }, { name: \"google_maps_find\", inputSchema: {} }";
    let text = SMALL_GATEWAY
        .replace("{ name: \"git_git_status\", inputSchema: {} }", definitions)
        .replace("const server = new", &format!("{routes}const server = new"));
    let pools = "//- /servers.json\n{ \"syn-git\": { \"command\": \"a\" }, \"syn-gist\": { \"command\": \"b\" }, \"syn-google-maps\": { \"command\": \"c\" } }\n";
    assert_eq!(Fixture::parse(&format!("{text}{pools}")).rules(), Vec::<&str>::new());
}

#[test]
fn schemas_are_completed_where_python_takes_it_and_left_alone_where_they_are_computed() {
    let python = r#"
//- /toolnames.toml
profile = "browser"
//- /server.py
from typing import Annotated
from fastmcp import FastMCP
from pydantic import Field
mcp = FastMCP("b")
@mcp.tool()
def browser_open(
    timeout: Annotated[
        int,
        Field(
            default=3,
            description="How long",
        ),
    ],
): ...
"#;
    let after = repaired(python, "server.py");
    assert!(after.contains("description=\"How long\", ge=0,\n"), "{after}");
    let zod = r#"
//- /toolnames.toml
profile = "browser"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
const server = new McpServer({ name: "b", version: "1" });
server.registerTool("browser_open", {
  inputSchema: {
    url: z.union([z.string().url(), z.literal("about:blank")]),
    timeout: z.preprocess((x) => x, z.number().min(0)),
  },
}, run);
"#;
    Fixture::parse(zod).check();
    // A validation before the branch counts as one inside the branch.
    let before = format!(
        "{HANDLERS}server.setRequestHandler(CallToolRequestSchema, async (request) => {{\n\
         const {{ name, arguments: args }} = request.params;\nvalidateArgs(name, args);\n\
         if (name === \"browser_click\") return page.click(args.ref);\n}});\n//- /click.ts\n"
    );
    assert_eq!(Fixture::parse(&before).rules(), Vec::<&str>::new());
}

#[test]
fn a_registration_whose_result_is_used_is_moved_by_a_person() {
    let fixture = r#"
//- /toolnames.toml
profile = "lightdash"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const TOOL_PREFIX = "lightdash_tools__";
const server = new McpServer({ name: "ld", version: "1" });
function registerToolSafe(server: McpServer, short: string, options: Options, handler: Handler) {
  server.registerTool(TOOL_PREFIX + short, options, handler);
}
registerToolSafe(server, "list_projects", { title: "List projects" }, run);
const tool = server.registerTool(TOOL_PREFIX + "run_sql", { title: "Run SQL" }, run);
tool.disable();
"#;
    assert_eq!(Fixture::parse(fixture).rules(), ["tool-bypass"]);
    assert!(repaired(fixture, "server.ts").contains("const tool = server.registerTool("));
}

#[test]
fn a_cell_may_name_several_tools_and_say_more_of_one() {
    Fixture::parse(
        r#"
//- /toolnames.toml
profile = "lightdash"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "ld", version: "1" });
server.registerTool("lightdash_tools__get_user", { title: "Get user" }, run);
server.registerTool("lightdash_tools__get_dbt", { title: "Get dbt" }, run);
server.registerTool("lightdash_tools__drop_user", { title: "Drop user" }, run);
//- /docs/tools.md
| Tool | Description |
| ---- | ----------- |
| `lightdash_tools__get_user`, `lightdash_tools__get_dbt` | Reading |
| **lightdash_tools__drop_user** (beta) | Dropping |
"#,
    )
    .check();
}

/// A project whose registry has one tool.
fn registered(source: &str, row: &str) -> String {
    format!(
        "//- /toolnames.toml\nprofile = \"chora\"\n//- /server.py\nfrom fastmcp import FastMCP\n{source}\
         //- /NAMESPACES.md\n# Names\n\n**Namespace:** `notes`\n\n## Registered Tools\n\n\
         | Tool Name | Full Name | Description | Version |\n|---|---|---|---|\n{row}\n"
    )
}

#[test]
fn a_registry_does_not_follow_a_changed_namespace_by_itself() {
    let source = "NAMESPACE = \"memos\"\nmcp = FastMCP(name=\"memos\")\n\
                  @mcp.tool(name=f\"{NAMESPACE}:read_note\")\ndef read_note() -> str: ...\n";
    let fixture = registered(source, "| read_note | notes:read_note | By hand | 1.0.0 |");
    let fixture = Fixture::parse(&fixture);
    assert!(fixture.rules().contains(&"registry-drift"));
    let snapshot = fixture.snapshot();
    let texts = |file| fixture.text(&snapshot, file);
    let sources = Sources { texts: &texts, around: &fixture };
    let fixed = fix::fix(&snapshot, &|_| true, sources, fix::Options::default());
    assert!(fixed.files.is_empty() && fixed.documents.is_empty());
}

#[test]
fn a_row_and_the_code_that_differ_by_a_slip_are_both_left() {
    let source = "mcp = FastMCP(name=\"notes\")\n@mcp.tool(name=\"notes:raed_note\")\ndef read_note() -> str: ...\n";
    let fixture = Fixture::parse(&registered(source, "| read_note | notes:read_note | By hand | 1.0.0 |"));
    let snapshot = fixture.snapshot();
    let found = toolnames::testing::rules::check_all(&snapshot);
    let drift = found.iter().find(|found| found.rule == "registry-drift").unwrap();
    let titles: Vec<&str> = drift.fixes.iter().map(|fix| fix.title.as_str()).collect();
    assert_eq!(titles, ["change to `notes:raed_note`", "rename the tool to `notes:read_note`"]);
    assert!(drift.preferred_fix().is_none());
}

#[test]
fn a_tool_that_is_switched_off_stays_off_under_its_new_name() {
    let files = "//- /toolnames.toml\nprofile = \"syntropy\"\n//- /server.py\nfrom mcp.server.fastmcp import FastMCP\n\
                 mcp = FastMCP(\"syntropy\")\n@mcp.tool()\ndef serena_find_symbol() -> str: ...\n\
                 //- /.syntropy/tool-state.json\n{ \"enabled\": [], \"disabled\": [\"mcp__syntropy__serena_find_symbol\"] }\n";
    let fixture = Fixture::parse(files);
    let snapshot = fixture.snapshot();
    let texts = |file| fixture.text(&snapshot, file);
    let target = rename::targets(&snapshot, "serena_find_symbol", None)[0];
    let to = rename::To::new("serena_get_symbol", None);
    let plan = rename::rename(&snapshot, target, to, Sources { texts: &texts, around: &fixture }).unwrap();
    let state = snapshot.files.by_path(".syntropy/tool-state.json").unwrap().id;
    let text = apply_edits(&texts(state).unwrap(), &plan.edits()[&state]).unwrap();
    assert_eq!(text, "{ \"enabled\": [], \"disabled\": [\"mcp__syntropy__serena_get_symbol\"] }\n");
}

#[test]
fn no_validator_is_written_into_a_helper_that_gets_one_value() {
    let fixture = format!(
        "{HANDLERS}const text = (t) => ({{ content: [{{ type: \"text\", text: t }}] }});\n\
         server.setRequestHandler(CallToolRequestSchema, async (request) => {{\n\
         const args = request.params.arguments;\n\
         if (request.params.name === \"browser_click\") return text(args.ref);\n}});\n//- /click.ts\n"
    );
    let found = rules::check_all(&Fixture::parse(&fixture).snapshot());
    let unchecked: Vec<_> = found.iter().filter(|found| found.rule == "handler-validation").collect();
    assert!(!unchecked.is_empty() && unchecked.iter().all(|found| found.fixes.is_empty()), "{unchecked:?}");
}
