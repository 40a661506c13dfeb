//! Renames of registrations in unusual forms: shared by servers, wrapped, assembled elsewhere. Either the edits are
//! right, or the rename is refused.

use std::collections::BTreeMap;

use expect_test::expect;
use toolnames::testing::rename::{Alias, AliasMode, Plan, To};

use super::fixture::Fixture;
use super::renaming::{check_with, renamed_with};

const CONFIG: &str = r#"
//- /package.json
{ "name": "notes", "version": "1.0.0", "dependencies": { "@modelcontextprotocol/sdk": "^1.30.0" } }
"#;

fn listed() -> Alias {
    Alias { mode: AliasMode::Listed, ..Alias::default() }
}

#[test]
fn a_function_that_two_servers_call_registers_one_tool() {
    let files = format!(
        r#"{CONFIG}
//- /tools.ts
import type {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
export function registerTools(server: McpServer) {{
  server.registerTool("read_note", {{ description: "Reads" }}, run);
}}
//- /stdio.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
import {{ registerTools }} from "./tools";
registerTools(new McpServer({{ name: "notes", version: "1" }}));
//- /http.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
import {{ registerTools }} from "./tools";
registerTools(new McpServer({{ name: "notes-http", version: "1" }}));
//- /.mcp.json
{{ "mcpServers": {{ "a": {{ "command": "node", "args": ["stdio.ts"] }}, "b": {{ "command": "node", "args": ["http.ts"] }} }} }}
//- /.claude/settings.json
{{ "permissions": {{ "deny": ["mcp__a__read_note", "mcp__b__read_note"] }} }}
"#
    );
    check_with(
        &files,
        "read_note",
        "get_note",
        None,
        expect![[r#"
        //- /.claude/settings.json
        { "permissions": { "deny": ["mcp__a__get_note", "mcp__b__get_note"] } }
        //- /tools.ts
        import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
        export function registerTools(server: McpServer) {
          server.registerTool("get_note", { description: "Reads" }, run);
        }
    "#]],
    );
}

#[test]
fn what_registers_through_a_function_of_the_project_gets_no_statement_of_the_framework() {
    let files = format!(
        r#"{CONFIG}
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({{ name: "notes", version: "1" }});
class Registry {{
  registerTool(name: string, config: object, run: () => void): void {{
    server.registerTool(name, config, run);
  }}
}}
const registry = new Registry();
registry.registerTool("read_note", {{ description: "Reads" }}, run);
"#
    );
    check_with(
        &files,
        "read_note",
        "get_note",
        Some(&listed()),
        expect![[r#"
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1" });
            class Registry {
              registerTool(name: string, config: object, run: () => void): void {
                server.registerTool(name, config, run);
              }
            }
            const registry = new Registry();
            // toolnames: alias of get_note
            for (const alias of [undefined, "read_note"] as const) {
              registry.registerTool(alias ?? "get_note", { description: alias ? "Deprecated: use get_note." : "Reads" }, run);
            }
        "#]],
    );
    check_with(
        &files,
        "read_note",
        "get_note",
        None,
        expect![[r#"
        //- /server.ts
        import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
        const server = new McpServer({ name: "notes", version: "1" });
        class Registry {
          registerTool(name: string, config: object, run: () => void): void {
            server.registerTool(name, config, run);
          }
        }
        const registry = new Registry();
        registry.registerTool("get_note", { description: "Reads" }, run);
    "#]],
    );
}

#[test]
fn what_nothing_is_known_of_is_not_written() {
    let files = format!(
        r#"{CONFIG}
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({{ name: "notes", version: "1" }});
const registerTool = server.registerTool.bind(server);
registerTool("read_note", {{ description: "Reads" }}, run);
"#
    );
    check_with(
        &files,
        "read_note",
        "get_note",
        Some(&listed()),
        expect![[r#"
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1" });
            const registerTool = server.registerTool.bind(server);
            // toolnames: alias of get_note
            for (const alias of [undefined, "read_note"] as const) {
              registerTool(alias ?? "get_note", { description: alias ? "Deprecated: use get_note." : "Reads" }, run);
            }
        "#]],
    );
}

#[test]
fn a_function_that_is_decorated_gets_its_name_there() {
    let files = r#"
//- /server.py
from fastmcp import FastMCP
from fastmcp.tools import tool

mcp = FastMCP("notes")


@tool
def read_note() -> str:
    """Reads."""
    return ""


mcp.add_tool(read_note)
"#;
    check_with(
        files,
        "read_note",
        "get_note",
        None,
        expect![[r#"
        //- /server.py
        from fastmcp import FastMCP
        from fastmcp.tools import tool

        mcp = FastMCP("notes")


        @tool(name="get_note")
        def read_note() -> str:
            """Reads."""
            return ""


        mcp.add_tool(read_note)
    "#]],
    );
}

#[test]
fn guards_under_the_servers_own_name_follow_where_no_config_starts_it() {
    let files = format!(
        r#"{CONFIG}
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({{ name: "notes", version: "1" }});
server.registerTool("delete_note", {{ description: "Deletes" }}, run);
//- /.claude/settings.json
{{ "permissions": {{ "allow": ["mcp__notes__purge_*"], "deny": ["mcp__notes__delete_note"] }} }}
"#
    );
    check_with(
        &files,
        "delete_note",
        "drop_note",
        None,
        expect![[r#"
        //- /.claude/settings.json
        { "permissions": { "allow": ["mcp__notes__purge_*"], "deny": ["mcp__notes__drop_note"] } }
        //- /server.ts
        import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
        const server = new McpServer({ name: "notes", version: "1" });
        server.registerTool("drop_note", { description: "Deletes" }, run);
    "#]],
    );
    check_with(
        &files,
        "delete_note",
        "purge_note",
        Some(&listed()),
        expect![[r#"
            //- /.claude/settings.json
            { "permissions": { "allow": ["mcp__notes__purge_*"], "deny": ["mcp__notes__delete_note", "mcp__notes__purge_note"] } }
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1" });
            // toolnames: alias of purge_note
            for (const alias of [undefined, "delete_note"] as const) {
              server.registerTool(alias ?? "purge_note", { description: alias ? "Deprecated: use purge_note." : "Deletes" }, run);
            }
            left: .claude/settings.json: the source of `notes` is not in this workspace; if `notes` is the server of this tool, change `mcp__notes__delete_note` too
        "#]],
    );
}

#[test]
fn a_call_of_the_projects_own_that_registers_stands_there_twice() {
    let files = format!(
        r#"{CONFIG}
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({{ name: "notes", version: "1" }});
function addTool(name: string, description: string, run: () => void): void {{
  server.registerTool(name, {{ description }}, run);
}}
addTool("read_note", "Reads", run);
addTool("list_notes", "Lists", async () => list());
"#
    );
    check_with(
        &files,
        "read_note",
        "get_note",
        Some(&listed()),
        expect![[r#"
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1" });
            function addTool(name: string, description: string, run: () => void): void {
              server.registerTool(name, { description }, run);
            }
            // toolnames: alias of get_note
            for (const alias of [undefined, "read_note"] as const) {
              addTool(alias ?? "get_note", alias ? "Deprecated: use get_note." : "Reads", run);
            }
            addTool("list_notes", "Lists", async () => list());
        "#]],
    );
    check_with(
        &files,
        "list_notes",
        "find_notes",
        Some(&listed()),
        expect![[r#"
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1" });
            function addTool(name: string, description: string, run: () => void): void {
              server.registerTool(name, { description }, run);
            }
            addTool("read_note", "Reads", run);
            // toolnames: alias of find_notes
            for (const alias of [undefined, "list_notes"] as const) {
              addTool(alias ?? "find_notes", alias ? "Deprecated: use find_notes." : "Lists", async () => list());
            }
        "#]],
    );
}

#[test]
fn members_of_the_same_name_are_told_and_left() {
    let files = format!(
        r#"{CONFIG}
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({{ name: "notes", version: "1" }});
type Name = "read_note" | "list_notes";
const said: Record<Name, string> = {{ read_note: "Reads", list_notes: "Lists" }};
server.registerTool("read_note", {{ description: said.list_notes }}, run);
"#
    );
    check_with(
        &files,
        "read_note",
        "get_note",
        None,
        expect![[r#"
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1" });
            type Name = "read_note" | "list_notes";
            const said: Record<Name, string> = { read_note: "Reads", list_notes: "Lists" };
            server.registerTool("get_note", { description: said.list_notes }, run);
            left: server.ts: a member with the same name, which may be the tool
            left: server.ts: a string that matches the tool name but may be unrelated
        "#]],
    );
}

/// A helper function of the project, as teams write them: it adds a prefix, takes the server first, and each call
/// contains its handler.
const HELPER: &str = r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1" });
function add(server: McpServer, name: string, config: { description: string }, run: () => void): void {
  server.registerTool("notes_" + name, config, run);
}
export function register() {
  add(
    server,
    "read",
    { description: "Reads" },
    () => { read(); },
  );
  add(server, 'list', { description: said }, () => { list(); });
  add(server, "drop" + alias, { description: "Drops" }, () => { drop(); });
}
"#;

#[test]
fn a_call_of_the_project_in_which_what_runs_is_written_is_made_for_both_names() {
    check_with(
        &format!("{}{HELPER}", CONFIG.trim_end()),
        "notes_read",
        "notes_get",
        Some(&listed()),
        expect![[r#"
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1" });
            function add(server: McpServer, name: string, config: { description: string }, run: () => void): void {
              server.registerTool("notes_" + name, config, run);
            }
            export function register() {
              // toolnames: alias of notes_get
              for (const alias of [undefined, "read"] as const) {
                add(
                  server,
                  alias ?? "get",
                  { description: alias ? "Deprecated: use notes_get." : "Reads" },
                  () => { read(); },
                );
              }
              add(server, 'list', { description: said }, () => { list(); });
              add(server, "drop" + alias, { description: "Drops" }, () => { drop(); });
            }
        "#]],
    );
    // The description is in a variable.
    check_with(
        &format!("{}{HELPER}", CONFIG.trim_end()),
        "notes_list",
        "notes_find",
        Some(&listed()),
        expect![[r#"
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1" });
            function add(server: McpServer, name: string, config: { description: string }, run: () => void): void {
              server.registerTool("notes_" + name, config, run);
            }
            export function register() {
              add(
                server,
                "read",
                { description: "Reads" },
                () => { read(); },
              );
              // toolnames: alias of notes_find
              for (const alias of [undefined, 'list'] as const) {
                add(server, alias ?? 'find', { description: alias ? 'Deprecated: use notes_find.' : said }, () => { list(); });
              }
              add(server, "drop" + alias, { description: "Drops" }, () => { drop(); });
            }
        "#]],
    );
}

#[test]
fn a_list_that_a_handler_answers_with_gets_another_element() {
    let files = format!(
        r#"{CONFIG}
//- /server.ts
import {{ Server }} from "@modelcontextprotocol/sdk/server/index.js";
import {{ CallToolRequestSchema, ListToolsRequestSchema }} from "@modelcontextprotocol/sdk/types.js";
const server = new Server({{ name: "notes", version: "1" }}, {{ capabilities: {{ tools: {{}} }} }});
server.setRequestHandler(ListToolsRequestSchema, async () => ({{
  tools: [
    {{ name: "read_note", description: "Reads one.", inputSchema: {{ type: "object" }} }},
    {{ name: "list_notes", description: "Lists all.", inputSchema: {{ type: "object" }} }},
  ],
}}));
server.setRequestHandler(CallToolRequestSchema, async (request) => {{
  switch (request.params.name) {{
    case "read_note":
      return read();
    default:
      return list();
  }}
}});
"#
    );
    check_with(
        &files,
        "read_note",
        "get_note",
        Some(&listed()),
        expect![[r#"
        //- /server.ts
        import { Server } from "@modelcontextprotocol/sdk/server/index.js";
        import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
        const server = new Server({ name: "notes", version: "1" }, { capabilities: { tools: {} } });
        server.setRequestHandler(ListToolsRequestSchema, async () => ({
          tools: [
            { name: "get_note", description: "Reads one.", inputSchema: { type: "object" } },
            // toolnames: alias of get_note
            { name: "read_note", description: "Deprecated: use get_note.", inputSchema: { type: "object" } },
            { name: "list_notes", description: "Lists all.", inputSchema: { type: "object" } },
          ],
        }));
        server.setRequestHandler(CallToolRequestSchema, async (request) => {
          switch (request.params.name) {
            // toolnames: alias of get_note
            case "read_note":
            case "get_note":
              return read();
            default:
              return list();
          }
        });
    "#]],
    );
}

#[test]
fn guards_of_a_name_behind_a_prefix_that_is_not_known_follow() {
    let files = |settings: &str| {
        format!(
            r#"
//- /.mcp.json
{{ "mcpServers": {{ "work": {{ "command": "python", "args": ["server.py", "work"] }} }} }}
//- /.claude/settings.json
{settings}
//- /server.py
import sys
from fastmcp import FastMCP
def create(namespace: str = "") -> FastMCP:
    mcp = FastMCP("notes")
    prefix = namespace + "-" if namespace else ""
    @mcp.tool(name=prefix + "drop_note")
    def drop_note(title: str) -> str:
        return title
    return mcp
create(sys.argv[1] if len(sys.argv) > 1 else "").run()
"#
        )
    };
    let entries = |text: &str| {
        let (changed, _) = renamed_to(&files(text), "drop_note", "delete_note").unwrap();
        changed[".claude/settings.json"].trim().to_string()
    };
    assert_eq!(
        entries(
            r#"{ "permissions": { "deny": ["mcp__work__work-drop_note"] }, "hooks": { "PreToolUse": [{ "matcher": "mcp__work__work-drop_note", "hooks": [] }] } }"#
        ),
        r#"{ "permissions": { "deny": ["mcp__work__work-delete_note"] }, "hooks": { "PreToolUse": [{ "matcher": "mcp__work__work-delete_note", "hooks": [] }] } }"#
    );
    assert_eq!(
        entries(r#"{ "permissions": { "deny": ["mcp__work__work-drop_*"] } }"#),
        r#"{ "permissions": { "deny": ["mcp__work__work-drop_*", "mcp__work__work-delete_note"] } }"#
    );
    let refused = renamed_to(
        &files(r#"{ "permissions": { "allow": ["mcp__work__work-delete_*"], "ask": ["mcp__work__other"] } }"#),
        "drop_note",
        "delete_note",
    );
    assert!(refused.unwrap_err().contains("would allow the tool under the new name"));
}

#[test]
fn a_hint_that_follows_from_the_name_is_kept() {
    let (changed, _) = renamed_to(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1" });
function tool(name: string) {
  server.registerTool(name, { annotations: { destructiveHint: name.startsWith("drop") } }, run);
}
tool("drop_note");
tool("read_note");
"#,
        "drop_note",
        "delete_note",
    )
    .unwrap();
    // Without the condition, the tool would no longer be called destructive.
    let kept = r#"destructiveHint: name.startsWith("drop") || name === "delete_note""#;
    assert!(changed["server.ts"].contains(kept), "{changed:#?}");
}

#[test]
fn what_guards_some_calls_stays_before_what_guards_all() {
    let refused = renamed_to(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["server.ts"] } } }
//- /.amp/settings.json
{ "amp.permissions": [
  { "tool": "mcp__notes__drop_note", "action": "reject", "matches": { "t": "prod*" } },
  { "tool": "mcp__notes__drop_*", "action": "ask" },
  { "tool": "mcp__notes__*", "action": "allow" }
] }
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1" });
server.registerTool("drop_note", {}, run);
"#,
        "drop_note",
        "delete_note",
    );
    assert!(refused.unwrap_err().contains("restricts some calls of the tool"));
}

/// The changed files of a rename without an alias, or the text of the refusal.
fn renamed_to(files: &str, old: &str, new: &str) -> Result<(BTreeMap<String, String>, Plan), String> {
    renamed_with(&Fixture::parse(files), old, To::new(new, None)).map_err(|refusal| refusal.to_string())
}

const LOW_LEVEL: &str = r#"
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }));
"#;

#[test]
fn an_alias_is_listed_where_what_runs_is_searched_for() {
    let files = format!(
        r#"
//- /server.js{LOW_LEVEL}
const tools = [
  {{ name: "drop_note", description: "Drops", inputSchema: {{}}, run: async () => 1 }},
  {{ name: "read_note", description: "Reads", inputSchema: {{}}, run: async () => 2 }},
];
server.setRequestHandler(CallToolRequestSchema, async (request) => {{
  const {{ name }} = request.params;
  if (name === "drop_note" && !process.env.ALLOW_DROP) throw new Error("no");
  return tools.find((tool) => tool.name === name).run();
}});
"#
    );
    let with = |alias: &Alias| {
        renamed_with(&Fixture::parse(&files), "drop_note", To::new("delete_note", Some(alias))).unwrap()
    };
    let (changed, plan) = with(&Alias::default());
    assert_eq!((plan.alias, plan.fallback), (Some(AliasMode::Listed), None));
    assert!(changed["server.js"].contains("tools.push({ ...tools.find("), "{changed:#?}");
    // Calls that the handler refuses are refused under both names, since its first line maps the old name to the new
    // one.
    let called = r#"  if (request.params.name === "drop_note") request.params.name = "delete_note";"#;
    assert!(changed["server.js"].contains(called), "{changed:#?}");
    let (changed, plan) = with(&Alias { mode: AliasMode::Hidden, ..Alias::default() });
    assert_eq!((plan.alias, plan.fallback), (Some(AliasMode::Hidden), None));
    assert!(changed["server.js"].contains(called), "{changed:#?}");
}

#[test]
fn a_helper_that_keeps_a_list_of_its_own_is_called_for_both_names() {
    let files = r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
const manifest = new Map<string, string>();
function register(options: { name: string; description: string; run: () => Promise<any> }): void {
  manifest.set(options.name, options.description);
  server.registerTool(options.name, { description: options.description }, options.run);
}
register({ name: "drop_note", description: "Drops", run });
register({ name: "read_note", description: "Reads", run });
"#;
    let alias = Alias::default();
    let to = To::new("delete_note", Some(&alias));
    let (changed, _) = renamed_with(&Fixture::parse(files), "drop_note", to).unwrap();
    let text = &changed["server.ts"];
    let looped = r#"
// toolnames: alias of delete_note
for (const alias of [undefined, "drop_note"] as const) {
  register({ name: alias ?? "delete_note", description: alias ? "Deprecated: use delete_note." : "Drops", run });
}
register({ name: "read_note""#;
    assert!(text.contains(looped), "{text}");
}

#[test]
fn a_table_that_is_searched_by_name_has_the_name_too() {
    let files = format!(
        r#"
//- /server.js{LOW_LEVEL}
const tools = [
  {{ name: "drop_note", description: "Drops", inputSchema: {{}} }},
  {{ name: "read_note", description: "Reads", inputSchema: {{}} }},
];
const groups = {{
  writing: {{ drop: {{ name: "drop_note", run: async () => 1 }} }},
  reading: {{ read: {{ name: "read_note", run: async () => 2 }} }},
}};
function find(toolName) {{
  for (const group of Object.values(groups)) {{
    for (const one of Object.values(group)) {{
      if (one && one.name === toolName) return one;
    }}
  }}
}}
async function execute(request) {{
  return find(request.params.name).run();
}}
server.setRequestHandler(CallToolRequestSchema, async (request) => execute(request));
"#
    );
    let with = |alias: Option<&Alias>| {
        renamed_with(&Fixture::parse(&files), "drop_note", To::new("delete_note", alias)).unwrap().0["server.js"]
            .clone()
    };
    let searched = r#"  writing: { drop: { name: "delete_note", run: async () => 1 } },"#;
    let text = with(None);
    assert!(text.contains(searched) && !text.contains("drop_note"), "{text}");
    // The old name is mapped to the new one in the function to which the handler passes the request.
    let text = with(Some(&Alias::default()));
    assert!(text.contains(searched), "{text}");
    let called = r#"
async function execute(request) {
  // toolnames: alias of delete_note
  if (request.params.name === "drop_note") request.params.name = "delete_note";
  return find(request.params.name).run();"#;
    assert!(text.contains(called), "{text}");
}

#[test]
fn what_one_of_several_callers_hands_in_is_not_anothers() {
    let caller = |name: &str| {
        format!(
            r#"
//- /{name}.js
import {{ serve }} from "./serve.js";
const handlers = {{ read_note: read, list_notes: list }};
serve({{
  name: "{name}",
  tools: [{{ name: "read_note", description: "Reads", inputSchema: {{}} }}],
  handle: async (call) => handlers[call.name](call.args),
}});
"#
        )
    };
    let files = format!(
        r#"
//- /serve.js
import {{ Server }} from "@modelcontextprotocol/sdk/server/index.js";
export function serve(config) {{
  const server = new Server({{ name: config.name, version: "1.0.0" }}, {{ capabilities: {{ tools: {{}} }} }});
  server.setRequestHandler(ListToolsRequestSchema, async () => ({{ tools: config.tools }}));
  server.setRequestHandler(CallToolRequestSchema, async (request) => {{
    const {{ name, arguments: args }} = request.params;
    return config.handle({{ name, args }});
  }});
}}
{}{}"#,
        caller("one"),
        caller("two")
    );
    let fixture = Fixture::parse(&files);
    let snapshot = fixture.snapshot();
    let targets = toolnames::testing::rename::targets(&snapshot, "read_note", Some("two"));
    let texts = |file| fixture.text(&snapshot, file);
    let sources = toolnames::testing::rename::Sources { texts: &texts, around: &fixture };
    let plan = toolnames::testing::rename::rename(&snapshot, targets[0], To::new("get_note", None), sources).unwrap();
    let changed: Vec<&str> = plan.edits().keys().map(|file| snapshot.files.path(*file)).collect();
    assert_eq!(changed, ["two.js"]);
}

#[test]
fn a_method_that_is_found_by_its_name_refuses_the_rename() {
    let files = r#"
//- /server.py
from mcp.server import Server
from mcp.types import Tool
server = Server("notes")
DESTRUCTIVE = {"drop_note"}
class Tools:
    async def drop_note(self): ...
tools = Tools()
@server.list_tools()
async def list_tools():
    return [Tool(name="drop_note", description="Drops", inputSchema={})]
@server.call_tool()
async def call_tool(name, arguments):
    if name in DESTRUCTIVE:
        confirm()
    return await getattr(tools, name)()
"#;
    let refusal = renamed_to(files, "drop_note", "delete_note").unwrap_err();
    assert!(refusal.contains("dispatches calls to the function or member with the name of the tool"), "{refusal}");
}

#[test]
fn what_a_server_recorded_is_its_own_and_a_test_between_two_servers_is_nobodys() {
    let server = |name: &str| {
        format!(
            "//- /{name}/package.json\n{{ \"name\": \"{name}\", \"version\": \"1.0.0\" }}\n//- /{name}/server.ts\n\
             import {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const server = new McpServer({{ name: \"{name}\", version: \"1\" }});\nserver.registerTool(\"drop_item\", {{}}, run);\n"
        )
    };
    let files = format!(
        r#"{}{}//- /.mcp.json
{{ "mcpServers": {{
  "one": {{ "command": "node", "args": ["one/server.ts"] }},
  "two": {{ "command": "node", "args": ["two/server.ts"] }} }} }}
//- /.toolnames/snapshots/one.json
{{ "schema_version": 1, "server": {{ "name": "one", "version": "1.0.0" }}, "tools": [{{ "name": "drop_item" }}] }}
//- /e2e/items.test.ts
await client.callTool({{ name: "drop_item" }}); // a tool
"#,
        server("one"),
        server("two")
    );
    let fixture = Fixture::parse(&files);
    let snapshot = fixture.snapshot();
    let target = toolnames::testing::rename::targets(&snapshot, "drop_item", Some("one"))[0];
    let texts = |file| fixture.text(&snapshot, file);
    let sources = toolnames::testing::rename::Sources { texts: &texts, around: &fixture };
    let plan = toolnames::testing::rename::rename(&snapshot, target, To::new("delete_item", None), sources).unwrap();
    let mut changed: Vec<&str> = plan.edits().keys().map(|file| snapshot.files.path(*file)).collect();
    changed.sort_unstable();
    assert_eq!(changed, [".toolnames/snapshots/one.json", "one/server.ts"]);
    let told = plan.skipped.iter().map(|left| snapshot.files.path(left.file));
    let told: Vec<&str> = told.chain(plan.documents.keys().map(String::as_str)).collect();
    assert!(told.contains(&"e2e/items.test.ts"), "{told:?}");
}

/// A function that registers each tool passed to it, with one statement in a nested function.
const SHARED: &str = r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const setups: ((server: McpServer) => void)[] = [];
export function tool(props: { name: string; description: string; run: () => void }) {
  setups.push((server) => {
    server.registerTool(
      props.name,
      { description: props.description },
      props.run,
    );
  });
  return props;
}
export const read = tool({ name: "read_note", description: "Reads", run });
export const list = tool({ name: "list_notes", description: "Lists", run });
const server = new McpServer({ name: "notes", version: "1" });
for (const setup of setups) setup(server);
"#;

#[test]
fn a_registration_that_tools_share_is_made_once_more_for_one_of_them() {
    let files = format!("{CONFIG}{SHARED}");
    let shared = |files: &BTreeMap<String, String>| -> String {
        let text = files["server.ts"].split("setups.push").nth(1).and_then(|text| text.split("\n  return").next());
        text.unwrap_or_default().to_string()
    };
    let with_alias = |files: &str, old: &str, new: &str| {
        renamed_with(&Fixture::parse(files), old, To::new(new, Some(&listed()))).expect("it is renamed").0
    };
    let all = |files: &BTreeMap<String, String>| -> String {
        files.iter().map(|(path, text)| format!("//- /{path}\n{text}")).collect()
    };
    let once = with_alias(&files, "read_note", "get_note");
    expect![[r#"
        ((server) => {
            // toolnames: alias of get_note
            for (const alias of [undefined, ...(props.name === "get_note" ? ["read_note"] : [])]) {
              server.registerTool(
                alias ?? props.name,
                { description: alias ? `Deprecated: use ${props.name}.` : props.description },
                props.run,
              );
            }
          });"#]]
    .assert_eq(&shared(&once));
    let twice = with_alias(&all(&once), "list_notes", "find_notes");
    expect![[r#"
        ((server) => {
            // toolnames: alias of get_note
            for (const alias of [undefined, ...(props.name === "get_note" ? ["read_note"] : []),
              // toolnames: alias of find_notes
              ...(props.name === "find_notes" ? ["list_notes"] : [])]) {
              server.registerTool(
                alias ?? props.name,
                { description: alias ? `Deprecated: use ${props.name}.` : props.description },
                props.run,
              );
            }
          });"#]]
    .assert_eq(&shared(&twice));
    // The same tool is renamed again, and its first alias follows.
    let thrice = with_alias(&all(&twice), "get_note", "fetch_note");
    expect![[r#"
        ((server) => {
            // toolnames: alias of fetch_note
            for (const alias of [undefined, ...(props.name === "fetch_note" ? ["read_note"] : []),
              // toolnames: alias of find_notes
              ...(props.name === "find_notes" ? ["list_notes"] : []),
              // toolnames: alias of fetch_note
              ...(props.name === "fetch_note" ? ["get_note"] : [])]) {
              server.registerTool(
                alias ?? props.name,
                { description: alias ? `Deprecated: use ${props.name}.` : props.description },
                props.run,
              );
            }
          });"#]]
    .assert_eq(&shared(&thrice));
}

#[test]
fn the_table_in_which_a_loop_looks_up_what_runs_follows() {
    let files = format!(
        r#"{CONFIG}
//- /runs.ts
export const build = (session: Session) => ({{
  "read_note": (args) => read(session, args),
  "drop_note": (args) => drop(session, args),
}});
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
import {{ build }} from "./runs";
const server = new McpServer({{ name: "notes", version: "1" }});
const tools = [
  {{ name: "read_note", description: "Reads." }},
  {{ name: "drop_note", description: "Drops." }},
  {{ name: "lost_note", description: "Nothing runs it." }},
];
const runs = build(session);
for (const tool of tools) {{
  const run = runs[tool.name];
  if (!run) {{
    continue;
  }}
  server.registerTool(tool.name, {{ description: tool.description }}, async (args) => run(args));
}}
"#
    );
    check_with(
        &files,
        "read_note",
        "get_note",
        Some(&listed()),
        expect![[r#"
            //- /runs.ts
            export const build = (session: Session) => ({
              "get_note": (args) => read(session, args),
              // toolnames: alias of get_note
              get "read_note"() { return this.get_note; },
              "drop_note": (args) => drop(session, args),
            });
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            import { build } from "./runs";
            const server = new McpServer({ name: "notes", version: "1" });
            const tools = [
              { name: "get_note", description: "Reads." },
              { name: "drop_note", description: "Drops." },
              { name: "lost_note", description: "Nothing runs it." },
            ];
            // toolnames: alias of get_note
            tools.push({ ...tools.find((tool) => tool.name === "get_note")!, name: "read_note", description: "Deprecated: use get_note." });
            const runs = build(session);
            for (const tool of tools) {
              const run = runs[tool.name];
              if (!run) {
                continue;
              }
              server.registerTool(tool.name, { description: tool.description }, async (args) => run(args));
            }
        "#]],
    );
}

#[test]
fn a_statement_that_names_nothing_is_written_once_more_with_a_name() {
    check_with(
        r#"
//- /pyproject.toml
[project]
name = "notes"
version = "1.0.0"
dependencies = ["fastmcp>=3"]
//- /server.py
from fastmcp import FastMCP
from fastmcp.tools import FunctionTool
from mcp.types import ToolAnnotations

mcp = FastMCP('notes')

async def read_note(id: str) -> str:
    """Reads a note."""
    return await read(id)

mcp.add_tool(
    FunctionTool.from_function(
        read_note,
        annotations=ToolAnnotations(readOnlyHint=True),
    )
)
"#,
        "read_note",
        "get_note",
        Some(&listed()),
        expect![[r#"
            //- /server.py
            from fastmcp import FastMCP
            from fastmcp.tools import FunctionTool
            from mcp.types import ToolAnnotations

            mcp = FastMCP('notes')

            async def read_note(id: str) -> str:
                """Reads a note."""
                return await read(id)

            mcp.add_tool(
                FunctionTool.from_function(
                    read_note,
                    annotations=ToolAnnotations(readOnlyHint=True), name='get_note',
                )
            )
            # toolnames: alias of get_note
            mcp.add_tool(
                FunctionTool.from_function(
                    read_note,
                    name='read_note',
                    description='Deprecated: use get_note.',
                    annotations=ToolAnnotations(readOnlyHint=True),
                )
            )
        "#]],
    );
}

#[test]
fn a_tool_that_no_server_is_seen_to_register_is_answered_by_each() {
    let files = format!(
        r#"{CONFIG}
//- /tools.ts
export const readNote = {{
  name: "read_note",
  description: "Reads.",
  inputSchema: {{ type: "object" }},
}};
//- /server.ts
import {{ Server }} from "@modelcontextprotocol/sdk/server/index.js";
import {{ CallToolRequestSchema, ListToolsRequestSchema }} from "@modelcontextprotocol/sdk/types.js";
const server = new Server({{ name: "notes", version: "1" }});
server.setRequestHandler(ListToolsRequestSchema, async () => ({{ tools: await loaded() }}));
server.setRequestHandler(CallToolRequestSchema, async (request) => {{
  const tool = (await loaded()).find((tool) => tool.name === request.params.name);
  return tool.call(request.params.arguments);
}});
"#
    );
    check_with(
        &files,
        "read_note",
        "get_note",
        Some(&Alias { mode: AliasMode::Hidden, ..Alias::default() }),
        expect![[r#"
            //- /server.ts
            import { Server } from "@modelcontextprotocol/sdk/server/index.js";
            import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
            const server = new Server({ name: "notes", version: "1" });
            server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await loaded() }));
            server.setRequestHandler(CallToolRequestSchema, async (request) => {
              // toolnames: alias of get_note
              if (request.params.name === "read_note") request.params.name = "get_note";
              const tool = (await loaded()).find((tool) => tool.name === request.params.name);
              return tool.call(request.params.arguments);
            });
            //- /tools.ts
            export const readNote = {
              name: "get_note",
              description: "Reads.",
              inputSchema: { type: "object" },
            };
        "#]],
    );
}

#[test]
fn a_python_call_that_tools_share_is_made_once_more_for_one_of_them() {
    let server = |call: &str| {
        format!(
            r#"
//- /pyproject.toml
[project]
name = "notes"
version = "1.0.0"
dependencies = ["mcp>=1.10"]
//- /tools.py
def read_note(id: str) -> str:
    """Reads a note."""
    return id


def drop_note(id: str) -> str:
    """Drops a note."""
    return id
//- /server.py
from mcp.server.fastmcp import FastMCP
from tools import drop_note, read_note

mcp = FastMCP("notes")


def add(server: FastMCP, tool) -> None:
    {call}


for tool in [read_note, drop_note]:
    add(mcp, tool)
"#
        )
    };
    check_with(
        &server("server.add_tool(\n        tool,\n        structured_output=True,\n    )"),
        "read_note",
        "get_note",
        Some(&listed()),
        expect![[r#"
            //- /server.py
            from mcp.server.fastmcp import FastMCP
            from tools import drop_note, get_note

            mcp = FastMCP("notes")


            def add(server: FastMCP, tool) -> None:
                server.add_tool(
                    tool,
                    structured_output=True,
                )
                # toolnames: alias of get_note
                if tool.__name__ == "get_note":
                    server.add_tool(
                        tool,
                        name="read_note",
                        description="Deprecated: use get_note.",
                        structured_output=True,
                    )


            for tool in [get_note, drop_note]:
                add(mcp, tool)
            //- /tools.py
            def get_note(id: str) -> str:
                """Reads a note."""
                return id


            def drop_note(id: str) -> str:
                """Drops a note."""
                return id
        "#]],
    );
    check_with(
        &server("server.tool(name=tool.__name__, description=\"Does it.\")(tool)"),
        "read_note",
        "get_note",
        Some(&listed()),
        expect![[r#"
            //- /server.py
            from mcp.server.fastmcp import FastMCP
            from tools import drop_note, get_note

            mcp = FastMCP("notes")


            def add(server: FastMCP, tool) -> None:
                server.tool(name=tool.__name__, description="Does it.")(tool)
                # toolnames: alias of get_note
                if tool.__name__ == "get_note":
                    server.tool(name="read_note", description="Deprecated: use get_note.")(tool)


            for tool in [get_note, drop_note]:
                add(mcp, tool)
            //- /tools.py
            def get_note(id: str) -> str:
                """Reads a note."""
                return id


            def drop_note(id: str) -> str:
                """Drops a note."""
                return id
        "#]],
    );
}

#[test]
fn an_alias_of_a_mounted_tool_has_the_name_that_its_own_server_knows() {
    check_with(
        r#"
//- /pyproject.toml
[project]
name = "notes"
version = "1.0.0"
dependencies = ["fastmcp>=2.10"]
//- /server.py
from fastmcp import FastMCP

notes = FastMCP("notes")
main = FastMCP("main")


@notes.tool(tags={"read"})
async def read(id: str) -> str:
    """Reads a note."""
    return id


main.mount(notes, prefix="notes")
"#,
        "notes_read",
        "notes_get",
        Some(&listed()),
        expect![[r#"
            //- /server.py
            from fastmcp import FastMCP
            from fastmcp.tools import Tool

            notes = FastMCP("notes")
            main = FastMCP("main")


            @notes.tool(name="get", tags={"read"})
            async def read(id: str) -> str:
                """Reads a note."""
                return id


            # toolnames: alias of notes_get
            notes.add_tool(
                Tool.from_tool(read, name="read", description="Deprecated: use notes_get.")
            )


            main.mount(notes, prefix="notes")
        "#]],
    );
}

#[test]
fn a_name_before_which_a_function_may_put_more_is_given_to_it_again() {
    check_with(
        r#"
//- /pyproject.toml
[project]
name = "notes"
version = "1.0.0"
dependencies = ["fastmcp>=2.10"]
//- /server.py
import os
from fastmcp import FastMCP

PREFIX = os.environ.get("PREFIX", "")


def named(name: str) -> str:
    return f"{PREFIX}_{name}" if PREFIX else name


mcp = FastMCP("notes")


@mcp.tool(name=named("read_note"))
async def read_note(id: str) -> str:
    """Reads a note."""
    return id
"#,
        "read_note",
        "get_note",
        Some(&listed()),
        expect![[r#"
            //- /server.py
            import os
            from fastmcp import FastMCP
            from fastmcp.tools import Tool

            PREFIX = os.environ.get("PREFIX", "")


            def named(name: str) -> str:
                return f"{PREFIX}_{name}" if PREFIX else name


            mcp = FastMCP("notes")


            @mcp.tool(name=named("get_note"))
            async def read_note(id: str) -> str:
                """Reads a note."""
                return id


            # toolnames: alias of get_note
            mcp.add_tool(
                Tool.from_tool(
                    read_note, name=named("read_note"), description="Deprecated: use get_note."
                )
            )
        "#]],
    );
}

#[test]
fn a_step_of_indentation_is_that_of_the_code() {
    check_with(
        r#"
//- /server.py
"""Notes.

Tools:
  - read_note reads
"""
from mcp.server.fastmcp import FastMCP


def read_note(id: str) -> str:
    """Reads."""
    return id


def drop_note(id: str) -> str:
    """Drops."""
    return id


mcp = FastMCP("notes")
for tool in [read_note, drop_note]:
    mcp.add_tool(tool)
"#,
        "read_note",
        "get_note",
        Some(&listed()),
        expect![[r#"
            //- /server.py
            """Notes.

            Tools:
              - get_note reads
            """
            from mcp.server.fastmcp import FastMCP


            def get_note(id: str) -> str:
                """Reads."""
                return id


            def drop_note(id: str) -> str:
                """Drops."""
                return id


            mcp = FastMCP("notes")
            for tool in [get_note, drop_note]:
                mcp.add_tool(tool)
                # toolnames: alias of get_note
                if tool.__name__ == "get_note":
                    mcp.add_tool(tool, name="read_note", description="Deprecated: use get_note.")
        "#]],
    );
}

#[test]
fn what_a_run_looks_up_by_a_renamed_key_is_renamed_too() {
    let files = format!(
        r#"{CONFIG}
//- /specs.ts
export const SPECS = [
  {{ name: "read_note", description: "Reads.", inputSchema: {{}}, annotations: {{ readOnlyHint: true }} }},
  {{ name: "drop_note", description: "Drops.", inputSchema: {{}}, annotations: {{ destructiveHint: true }} }},
];
const hints = new Map(SPECS.map((spec) => [spec.name, spec.annotations]));
export function hintsOf(name: string) {{
  const found = hints.get(name);
  if (found === undefined) throw new Error(`no hints of ${{name}}`);
  return found;
}}
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
import {{ hintsOf }} from "./specs";
const server = new McpServer({{ name: "notes", version: "1" }});
server.tool("read_note", "Reads.", hintsOf("read_note"), run);
server.tool("drop_note", "Drops.", hintsOf("drop_note"), run);
"#
    );
    check_with(
        &files,
        "read_note",
        "get_note",
        None,
        expect![[r#"
        //- /server.ts
        import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
        import { hintsOf } from "./specs";
        const server = new McpServer({ name: "notes", version: "1" });
        server.tool("get_note", "Reads.", hintsOf("get_note"), run);
        server.tool("drop_note", "Drops.", hintsOf("drop_note"), run);
        //- /specs.ts
        export const SPECS = [
          { name: "get_note", description: "Reads.", inputSchema: {}, annotations: { readOnlyHint: true } },
          { name: "drop_note", description: "Drops.", inputSchema: {}, annotations: { destructiveHint: true } },
        ];
        const hints = new Map(SPECS.map((spec) => [spec.name, spec.annotations]));
        export function hintsOf(name: string) {
          const found = hints.get(name);
          if (found === undefined) throw new Error(`no hints of ${name}`);
          return found;
        }
    "#]],
    );
}
