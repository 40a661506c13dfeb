//! Decisions that a program makes by a tool's name: a rename preserves them, or is refused with their place.

use toolnames::testing::rename::{Alias, To};

use super::fixture::Fixture;
use super::renaming::renamed_with;
use super::way_back::tool_there_and_back;

const TYPESCRIPT: &str = r#"//- /package.json
{ "name": "notes", "version": "1.0.0", "dependencies": { "@modelcontextprotocol/sdk": "1" } }
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["server.ts"] } } }
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1" });
server.registerTool("drop_note", { description: "Drops.", inputSchema: {} }, drop);
server.registerTool("read_note", { description: "Reads.", inputSchema: {} }, read);
"#;

const PYTHON: &str = r#"//- /pyproject.toml
[project]
name = "notes"
dependencies = ["mcp"]
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "python", "args": ["server.py"] } } }
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("notes")

@mcp.tool()
def drop_note(id: str) -> str:
    """Drops."""
    return id

"#;

/// Checks that renaming `drop_note` to `erase_note` is refused, with an alias and without one.
#[track_caller]
fn refused(files: &str, condition: &str) {
    let fixture = Fixture::parse(files);
    for alias in [Some(&Alias::default()), None] {
        let refusal = renamed_with(&fixture, "drop_note", To::new("erase_note", alias)).expect_err(files).to_string();
        assert!(refusal.contains(condition), "{refusal}");
        let forced = To { force: true, ..To::new("erase_note", alias) };
        let (_, plan) = renamed_with(&fixture, "drop_note", forced).expect("whoever insists gets it");
        let documents = plan.documents.values().flat_map(|document| &document.skipped).map(|(_, left)| left);
        let mut left = plan.skipped.iter().map(|left| &left.reason).chain(documents);
        assert!(left.any(|left| left.may_guard()), "{files}");
    }
}

/// Checks the text that a file contains after a rename with an alias and after one without; the rename with an alias
/// can be reversed.
#[track_caller]
fn followed(files: &str, path: &str, with_alias: &str, without: &str) {
    let fixture = Fixture::parse(files);
    for (alias, expected) in [(Some(&Alias::default()), with_alias), (None, without)] {
        let (changed, plan) = renamed_with(&fixture, "drop_note", To::new("erase_note", alias)).expect(files);
        let text = changed.get(path).or(fixture.files.get(path)).map_or("", String::as_str);
        assert!(text.contains(expected), "{text}");
        assert!(!plan.skipped.iter().any(|left| left.reason.may_guard()), "{:?}", plan.skipped);
    }
    tool_there_and_back(&fixture, "drop_note", "erase_note");
}

fn typescript(code: &str) -> String {
    format!("{TYPESCRIPT}{code}\n")
}

fn python(code: &str) -> String {
    format!("{PYTHON}{code}\n")
}

#[test]
fn a_condition_on_a_part_of_the_name_refuses_it() {
    let conditions = [
        r#"const ok = (name: string) => name.match(/^drop_/) === null;"#,
        r#"const ok = (name: string) => !name.trim().startsWith("drop_");"#,
        r#"for (const p of ["drop_", "purge_"]) if (name.startsWith(p)) skip(name);"#,
        r#"const ok = (name: string) => name.split("_")[0] !== "drop";"#,
        r#"const P = ["drop_", "purge_"]; const ok = (name: string) => !P.some((p) => name.startsWith(p));"#,
        r#"const ok = (name: string) => { const [verb] = name.split("_"); return verb !== "drop"; };"#,
    ];
    for condition in conditions {
        refused(&typescript(condition), "at server.ts:5 is true for `drop_note` but not for `erase_note`");
    }
    for condition in [
        "ok = lambda name: not any(name.startswith(p) for p in ('drop_', 'purge_'))",
        "import re; ok = lambda name: not re.match(r'drop_.*', name)",
        "ok = lambda name: name.split('_')[0] not in {'drop'}",
        "ok = lambda name: name[:5] != 'drop_'",
    ] {
        refused(&python(condition), "at server.py:9 is true for `drop_note` but not for `erase_note`");
    }
}

#[test]
fn a_condition_on_how_the_name_begins_is_joined_by_the_new_name() {
    let script = |code: &str, expected: &str| followed(&typescript(code), "server.ts", expected, expected);
    script(
        r#"const ok = (name: string) => !name.startsWith("drop_");"#,
        r#"=> !(name.startsWith("drop_") || name === "erase_note");"#,
    );
    script(
        r#"const ok = (tool: Tool) => { if (tool.name.includes("drop")) throw no; };"#,
        r#"if (tool.name.includes("drop") || tool.name === "erase_note") throw no;"#,
    );
    script(
        r#"const ok = (name: string) => isNew(name) || /^drop_/.test(name);"#,
        r#"=> isNew(name) || /^drop_/.test(name) || name === "erase_note";"#,
    );
    script(
        r#"const DROPS = ["drop_"]; const P = "erase_"; const ok = (name: string) => !name.startsWith(P);"#,
        r#"=> !(name.startsWith(P) && name !== "erase_note");"#,
    );
    let python = |code: &str, expected: &str| followed(&python(code), "server.py", expected, expected);
    python(
        "P = ('drop_', 'purge_')\nok = lambda name: not name.startswith(P)",
        "ok = lambda name: not (name.startswith(P) or name == 'erase_note')",
    );
    python(
        "def ok(name):\n    if 'drop' in name:\n        raise ValueError(name)",
        "    if 'drop' in name or name == 'erase_note':\n",
    );
}

#[test]
fn a_list_that_names_are_compared_with_has_both() {
    followed(
        &python("TOOLS = ['drop_note', 'read_note']\nif names != TOOLS:\n    raise ValueError(names)"),
        "server.py",
        "TOOLS = ['erase_note', 'drop_note', 'read_note']\n",
        "TOOLS = ['erase_note', 'read_note']\n",
    );
}

#[test]
fn a_comparison_with_each_of_a_list_has_both_in_the_list() {
    followed(
        &typescript(r#"const ASK = ["drop_note", "x"]; const ok = !ASK.some((one) => toolName === one);"#),
        "server.ts",
        r#"const ASK = ["erase_note", "drop_note", "x"];"#,
        r#"const ASK = ["erase_note", "x"];"#,
    );
}

#[test]
fn a_name_out_of_a_list_of_names_is_a_whole_one() {
    followed(
        &python("for tool in tools.split(','):\n    if tool == 'drop_note':\n        warn(tool)"),
        "server.py",
        "    if tool == 'erase_note' or tool == 'drop_note':\n",
        "    if tool == 'erase_note':\n",
    );
}

#[test]
fn a_definition_that_its_registration_hides_has_the_new_name_too() {
    followed(
        &typescript(
            r#"export const SPECS = [
  { name: "drop_note", description: "Drops.", inputShape: {}, annotations: {} },
  { name: "read_note", description: "Reads.", inputShape: {}, annotations: {} },
];
server.registerTool(extra(), { description: SPECS.find((spec) => spec.name === "drop_note").description }, run);"#,
        ),
        "server.ts",
        r#"  { name: "erase_note", description: "Drops.", inputShape"#,
        r#"  { name: "erase_note", description: "Drops.", inputShape"#,
    );
}

#[test]
fn an_entry_for_both_names_keeps_what_its_code_names() {
    followed(
        &python(
            "@mcp.tool()\ndef read_note() -> str:\n    return ''\n\n\n\
             RUNNERS = {\n    'drop_note': drop_note,\n    'read_note': read_note,\n}",
        ),
        "server.py",
        "    'erase_note': drop_note,\n    'drop_note': drop_note,\n",
        "    'erase_note': drop_note,\n    'read_note'",
    );
}

#[test]
fn composed_names_in_a_list_are_joined_by_the_new_one() {
    let names = r#"export const ALLOWED = [
  "mcp__notes__drop_note",
  "mcp__notes__read_note",
];"#;
    followed(
        &typescript(names),
        "server.ts",
        "\n  \"mcp__notes__erase_note\",\n  \"mcp__notes__drop_note\",\n",
        "[\n  \"mcp__notes__erase_note\",\n  \"mcp__notes__read_note\",\n]",
    );
}

#[test]
fn a_condition_that_holds_for_both_names_or_is_about_something_else_is_none() {
    for condition in [
        r#"const ok = (name: string) => !name.startsWith("read_");"#,
        r#"const ok = (name: string) => /^[a-z_]+$/.test(name);"#,
        r#"const ok = (name: string) => name.endsWith("_note");"#,
        r#"const short = (name: string) => name.replace(/^drop_/, "");"#,
        r#"const ok = (path: string) => path.startsWith("drop");"#,
    ] {
        let fixture = Fixture::parse(&typescript(condition));
        renamed_with(&fixture, "drop_note", To::new("erase_note", Some(&Alias::default()))).expect(condition);
    }
}

#[test]
fn a_condition_that_only_a_run_knows_is_refused_or_told_of() {
    let unknown = "export const ok = (toolName: string, prefix: string) => toolName.startsWith(prefix);";
    refused(
        &typescript(unknown),
        "the condition `toolName.startsWith(prefix)` at server.ts:5 can only be evaluated at run time",
    );
    let elsewhere = typescript(&format!("//- /gateway.ts\n{unknown}"));
    let fixture = Fixture::parse(&elsewhere);
    let (_, plan) = renamed_with(&fixture, "drop_note", To::new("erase_note", Some(&Alias::default()))).unwrap();
    let documents = plan.documents.values().flat_map(|document| &document.skipped).map(|(_, left)| left);
    let told: Vec<&str> =
        plan.skipped.iter().map(|left| &left.reason).chain(documents).map(|left| left.code()).collect();
    assert_eq!(told, ["condition-unknown"]);
}

#[test]
fn what_asks_a_function_for_its_name_refuses_a_name_beside_it() {
    let files = python("if READ_ONLY:\n    mcp.remove_tool(drop_note.__name__)");
    refused(&files, "server.py:10 uses `drop_note.__name__`");
    let with_function = To { function_too: true, ..To::new("erase_note", None) };
    renamed_with(&Fixture::parse(&files), "drop_note", with_function).expect("then it is the tool's name again");
}

#[test]
fn a_list_that_is_asked_for_names_has_both_as_long_as_both_can_be_called() {
    followed(
        &typescript(r#"const BLOCKED = ["drop_note"]; const ok = (name: string) => !BLOCKED.includes(name);"#),
        "server.ts",
        r#"const BLOCKED = ["erase_note", "drop_note"];"#,
        r#"const BLOCKED = ["erase_note"];"#,
    );
    followed(
        &python("DENY = {'mcp__notes__drop_note'}\nok = lambda name: name not in DENY"),
        "server.py",
        "DENY = {'mcp__notes__erase_note', 'mcp__notes__drop_note'}",
        "DENY = {'mcp__notes__erase_note'}",
    );
}

#[test]
fn a_comparison_is_made_with_both_names() {
    followed(
        &typescript(r#"const canUseTool = (name: string) => name !== "mcp__notes__drop_note" && ready;"#),
        "server.ts",
        r#"=> name !== "mcp__notes__erase_note" && name !== "mcp__notes__drop_note" && ready"#,
        r#"=> name !== "mcp__notes__erase_note" && ready"#,
    );
    followed(
        &typescript(r#"if (disabled.includes("drop_note")) process.exit(0);"#),
        "server.ts",
        r#"if (disabled.includes("erase_note") || disabled.includes("drop_note")) process"#,
        r#"if (disabled.includes("erase_note")) process"#,
    );
    followed(
        &typescript(r#"if (disabled.has("drop_note")) process.exit(0);"#),
        "server.ts",
        r#"if (disabled.has("erase_note") || disabled.has("drop_note")) process"#,
        r#"if (disabled.has("erase_note")) process"#,
    );
}

#[test]
fn a_set_is_asked_for_a_constant_under_both_names() {
    let files = r#"//- /package.json
{ "name": "notes", "version": "1.0.0", "dependencies": { "@modelcontextprotocol/sdk": "^1.30.0" } }
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const NAMES = { DROP: "drop_note", READ: "read_note" };
const tools = new Map<string, unknown>();
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool(NAMES.DROP, { description: "Drops." }, run);
server.registerTool(NAMES.READ, { description: "Reads." }, run);
export const instructions = () => describe(tools.has(NAMES.DROP));
"#;
    followed(
        files,
        "server.ts",
        r#"describe(tools.has(NAMES.DROP) || tools.has("drop_note"))"#,
        "describe(tools.has(NAMES.DROP))",
    );
    followed(
        &files.replace("describe(tools", "describe(mode, tools"),
        "server.ts",
        r#"describe(mode, tools.has(NAMES.DROP) || tools.has("drop_note"))"#,
        "describe(mode, tools.has(NAMES.DROP))",
    );
}

#[test]
fn a_case_is_for_both_names() {
    let guard = |case: &str| {
        format!(
            "class Guard:\n    def check(self, context):\n        match context.message.name:\n            case {case}:\n                raise Denied()"
        )
    };
    followed(
        &python(
            "for tool in mcp.tools():\n    match tool.name:\n        case \"drop_note\":\n            mcp.remove_tool(tool.name)",
        ),
        "server.py",
        r#"case "erase_note" | "drop_note":"#,
        r#"case "erase_note":"#,
    );
    followed(
        &python(&guard(r#""drop_note" | "burn_note""#)),
        "server.py",
        r#"case "erase_note" | "drop_note" | "burn_note":"#,
        r#"case "erase_note" | "burn_note":"#,
    );
    let guard = "function check(toolName: string) {\n  switch (toolName) {\n    case \"drop_note\":\n      throw new Error(\"no\");\n  }\n}";
    followed(
        &typescript(guard),
        "server.ts",
        "    case \"erase_note\":\n    case \"drop_note\":\n      throw",
        "    case \"erase_note\":\n      throw",
    );
}

/// A Rust server whose framework handles calls, with a guard before it in `call_tool`.
fn guarded_rust(guard: &str, more: &str) -> String {
    format!(
        r#"//- /Cargo.toml
[package]
name = "notes"
version = "0.1.0"
[dependencies]
rmcp = "1.0"
//- /src/main.rs
use rmcp::{{ServerHandler, handler::server::router::tool::ToolRouter, model::*, service::*, tool, tool_router}};
pub struct Notes {{ tool_router: ToolRouter<Self>, read_only: bool }}
{more}
#[tool_router]
impl Notes {{
    #[tool(description = "Drops.")]
    async fn drop_note(&self) -> String {{
        String::new()
    }}
}}
#[rmcp::tool_handler(router = self.tool_router)]
impl ServerHandler for Notes {{
    async fn call_tool(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> Answer {{
        let name = request.name.as_ref();
        {guard}
        self.tool_router.call(ToolCallContext::new(self, request, context)).await
    }}
}}
"#
    )
}

#[test]
fn what_a_server_refuses_before_its_framework_answers_it_refuses_under_both_names() {
    let list = "const WRITING: &[&str] = &[\"drop_note\"];";
    for (guard, more, with_alias, without) in [
        (
            r#"if self.read_only && request.name == "drop_note" { return denied(); }"#,
            "",
            r#"if self.read_only && (request.name == "erase_note" || request.name == "drop_note") { return denied(); }"#,
            r#"if self.read_only && request.name == "erase_note" { return denied(); }"#,
        ),
        (
            "if self.read_only && WRITING.contains(&name) { return denied(); }",
            list,
            r#"&["erase_note", "drop_note"];"#,
            r#"&["erase_note"];"#,
        ),
        (
            "match name {\n            \"drop_note\" if self.read_only => return denied(),\n            _ => {}\n        }",
            "",
            r#""erase_note" | "drop_note" if self.read_only"#,
            r#""erase_note" if self.read_only"#,
        ),
        (
            r#"ensure!(!(self.read_only && name == "drop_note"), denied());"#,
            "",
            r#"ensure!(!(self.read_only && (name == "erase_note" || name == "drop_note")), denied());"#,
            r#"ensure!(!(self.read_only && name == "erase_note"), denied());"#,
        ),
        (
            "if self.read_only && writes(name) { return denied(); }",
            r#"fn writes(name: &str) -> bool { matches!(name, "drop_note" | "burn_note") }"#,
            r#"matches!(name, "erase_note" | "drop_note" | "burn_note")"#,
            r#"matches!(name, "erase_note" | "burn_note")"#,
        ),
    ] {
        followed(&guarded_rust(guard, more), "src/main.rs", with_alias, without);
    }
    refused(
        &guarded_rust(r#"ensure!(!(self.read_only && name.starts_with("drop_")), denied());"#, ""),
        r#"`name.starts_with("drop_")` at src/main.rs:15"#,
    );
}

#[test]
fn what_takes_a_tool_away_takes_both() {
    followed(
        &python("if READ_ONLY:\n    mcp.remove_tool('drop_note')"),
        "server.py",
        "    mcp.remove_tool('erase_note')\n    mcp.remove_tool('drop_note')\n",
        "if READ_ONLY:\n    mcp.remove_tool('erase_note')\n",
    );
    followed(
        &guarded_rust("", REMOVING),
        "src/main.rs",
        r#"const WRITING: &[&str] = &["erase_note", "drop_note"];"#,
        r#"const WRITING: &[&str] = &["erase_note"];"#,
    );
}

/// Removes the routes in a list.
const REMOVING: &str = r#"
const WRITING: &[&str] = &["drop_note"];
fn limited(router: &mut ToolRouter<Notes>) {
    for name in WRITING.iter() {
        router.remove_route(name);
    }
}"#;

#[test]
fn a_table_of_tools_has_both_as_keys() {
    let table = |more: &str| typescript(&format!("//- /scopes.ts\n{more}"));
    followed(
        &table(
            "export const SCOPES: Record<ToolName, string[]> = {\n  read_note: ['read'],\n  drop_note: ['write'],\n};",
        ),
        "scopes.ts",
        "  read_note: ['read'],\n  erase_note: ['write'],\n  drop_note: ['write'],\n};",
        "  read_note: ['read'],\n  erase_note: ['write'],\n};",
    );
    followed(
        &table("export const TITLES = new Map([['drop_note', 'Drop'], ['read_note', 'Read']]);"),
        "scopes.ts",
        "new Map([['erase_note', 'Drop'], ['drop_note', 'Drop'], ['read_note', 'Read']])",
        "new Map([['erase_note', 'Drop'], ['read_note', 'Read']])",
    );
    let looked_up = "const schema = SCHEMAS.drop_note;\nexport const SCHEMAS = { drop_note: 1, read_note: 2 };";
    followed(
        &table(looked_up),
        "scopes.ts",
        "schema = SCHEMAS.erase_note;",
        "SCHEMAS = { erase_note: 1, read_note: 2 };",
    );
    followed(
        &format!(
            "{PYTHON}@mcp.tool()\ndef read_note(id: str) -> str:\n    return id\n\n\nCOST = {{\"drop_note\": 2, \"read_note\": 1}}\nDROP = COST[\"drop_note\"]\n"
        ),
        "server.py",
        "COST = {\"erase_note\": 2, \"drop_note\": 2, \"read_note\": 1}\nDROP = COST[\"erase_note\"]\n",
        "COST = {\"erase_note\": 2, \"read_note\": 1}\nDROP = COST[\"erase_note\"]\n",
    );
    // Code that still uses the old name may look it up in the table, and functions may be called by it.
    followed(
        &table("export const COST = { drop_note: 2, read_note: 1 };\nprice(COST, 'drop_note');"),
        "scopes.ts",
        "{ erase_note: 2, drop_note: 2, read_note: 1 }",
        "{ erase_note: 2, drop_note: 2, read_note: 1 }",
    );
    let api = table("export const api = { drop_note: () => 1, read_note: () => 2 };\napi.drop_note();");
    for alias in [Some(&Alias::default()), None] {
        let (changed, _) = renamed_with(&Fixture::parse(&api), "drop_note", To::new("erase_note", alias)).unwrap();
        assert!(!changed.contains_key("scopes.ts"));
    }
}

#[test]
fn values_that_name_tools_name_both() {
    followed(
        &typescript("//- /compose.yaml\nservices:\n  notes:\n    environment:\n      DISABLED_TOOLS: drop_note,other"),
        "compose.yaml",
        "DISABLED_TOOLS: erase_note,drop_note,other",
        "DISABLED_TOOLS: erase_note,other",
    );
    followed(
        &typescript("//- /env.sample\nexport DISABLED_TOOLS=\"drop_note\""),
        "env.sample",
        "DISABLED_TOOLS=\"erase_note,drop_note\"",
        "DISABLED_TOOLS=\"erase_note\"",
    );
    followed(
        &typescript("//- /guard.sh\ncase \"$tool\" in\n  mcp__notes__drop_note) exit 2;;\nesac"),
        "guard.sh",
        "  mcp__notes__erase_note|mcp__notes__drop_note) exit 2;;",
        "  mcp__notes__erase_note) exit 2;;",
    );
}

#[test]
fn a_definition_that_a_list_holds_is_held_with_its_alias() {
    let server = r#"//- /package.json
{ "name": "notes", "version": "1.0.0", "dependencies": { "@modelcontextprotocol/sdk": "1" } }
//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const dropNote = { name: "drop_note", description: "Drops.", inputSchema: { type: "object" } };
const readNote = { name: "read_note", description: "Reads.", inputSchema: { type: "object" } };
const destructive = [dropNote];
const all = [readNote, dropNote];
const shown = all.filter((tool) => !process.env.READ_ONLY || !destructive.some((one) => one.name === tool.name));
const server = new Server({ name: "notes", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: all }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  switch (request.params.name) {
    case "read_note": return read();
    case "drop_note": return drop();
  }
});
"#;
    let fixture = Fixture::parse(server);
    let (changed, _) = renamed_with(&fixture, "drop_note", To::new("erase_note", Some(&Alias::default()))).unwrap();
    assert_eq!(changed["server.ts"].matches("...dropNote, name: \"drop_note\"").count(), 2, "{}", changed["server.ts"]);
    tool_there_and_back(&fixture, "drop_note", "erase_note");
}

#[test]
fn a_test_that_expects_a_name_to_be_absent_expects_it_of_both() {
    let typescript = |assertion: &str| {
        let test = format!(
            "import {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             test(\"tools\", async () => {{\n  {assertion}\n  await client.callTool({{ name: \"drop_note\" }});\n}});\n"
        );
        (format!("{TYPESCRIPT}//- /tests/tools.test.ts\n{test}"), "tests/tools.test.ts")
    };
    let python = |assertion: &str| {
        let test = format!("from mcp.client import Client\n\n\ndef test_tools(names):\n    {assertion}  # read only\n");
        (python(&format!("//- /tests/test_tools.py\n{test}")), "tests/test_tools.py")
    };
    for ((files, path), assertion) in [
        (typescript("expect(names).not.toContain(\"drop_note\");"), "expect(names).not.toContain(\"drop_note\");"),
        (
            typescript("expect(names.includes(\"drop_note\")).toBe(false);"),
            "expect(names.includes(\"drop_note\")).toBe(false);",
        ),
        (typescript("assert(!names.has('drop_note'));"), "assert(!names.has('drop_note'));"),
        (python("assert \"drop_note\" not in names"), "assert \"drop_note\" not in names"),
        (python("self.assertNotIn('drop_note', names)"), "self.assertNotIn('drop_note', names)"),
    ] {
        let fixture = Fixture::parse(&files);
        let (changed, _) = renamed_with(&fixture, "drop_note", To::new("erase_note", Some(&Alias::default()))).unwrap();
        let text = &changed[path];
        let indent = if path.ends_with("py") { "    " } else { "  " };
        let both = format!("\n{indent}{}\n{indent}{assertion}", assertion.replace("drop_note", "erase_note"));
        assert!(text.contains(&both), "{text}");
        tool_there_and_back(&fixture, "drop_note", "erase_note");
    }
}

#[test]
fn a_comment_that_lists_tools_is_no_list_of_them() {
    let files = typescript("//- /values.yaml\n# Available tools: read_note, drop_note,\ntools: read_note, drop_note");
    let fixture = Fixture::parse(&files);
    let (changed, _) = renamed_with(&fixture, "drop_note", To::new("erase_note", Some(&Alias::default()))).unwrap();
    let text = &changed["values.yaml"];
    assert!(text.ends_with("\ntools: read_note, erase_note, drop_note\n"), "{text}");
    assert!(!text.contains("erase_note, drop_note,"), "{text}");
}

#[test]
fn a_comparison_that_may_be_of_something_else_is_not_rewritten_without_an_alias() {
    let files = typescript(
        "//- /commands.ts\nexport const run = (command: Command) => (command.name === \"drop_note\" ? tool() : other());",
    );
    let fixture = Fixture::parse(&files);
    let with_alias = renamed_with(&fixture, "drop_note", To::new("erase_note", Some(&Alias::default()))).unwrap().0;
    let either = r#"(command.name === "erase_note" || command.name === "drop_note" ? tool()"#;
    assert!(with_alias["commands.ts"].contains(either), "{}", with_alias["commands.ts"]);
    let refusal = renamed_with(&fixture, "drop_note", To::new("erase_note", None)).unwrap_err().to_string();
    assert!(refusal.contains("the condition `command.name === \"drop_note\"` at commands.ts:1"), "{refusal}");
}

#[test]
fn what_code_does_with_the_server_and_the_name_is_done_with_both() {
    for (line, with_alias, without) in [
        (
            "mcp.disable(names={\"drop_note\"})",
            "mcp.disable(names={\"erase_note\", \"drop_note\"})",
            "mcp.disable(names={\"erase_note\"})",
        ),
        (
            "for name in (\"drop_note\",):\n    mcp.remove_tool(name)",
            "for name in (\"erase_note\", \"drop_note\",):",
            "for name in (\"erase_note\",):",
        ),
        (
            "OFF = (\n    {\"name\": \"drop_note\", \"why\": \"never\"},\n)\nfor one in OFF:\n    mcp.remove_tool(one[\"name\"])",
            "    {\"name\": \"erase_note\", \"why\": \"never\"}, {\"name\": \"drop_note\", \"why\": \"never\"},\n",
            "    {\"name\": \"erase_note\", \"why\": \"never\"},\n",
        ),
    ] {
        followed(&python(line), "server.py", with_alias, without);
    }
    // Calls by the name, and unrelated strings in a call, do not decide anything about the tool.
    for line in ["await mcp.call_tool(\"drop_note\", {})", "mcp.run(log=lambda: \"drop_note\")"] {
        let fixture = Fixture::parse(&python(line));
        assert!(renamed_with(&fixture, "drop_note", To::new("erase_note", Some(&Alias::default()))).is_ok(), "{line}");
    }
}

#[test]
fn what_is_done_by_a_name_in_another_form_refuses_a_second_one() {
    let refused = |line: &str, says: &str| {
        let fixture = Fixture::parse(&python(line));
        let alias = Alias::default();
        let refusal = renamed_with(&fixture, "drop_note", To::new("erase_note", Some(&alias))).expect_err(line);
        assert!(refusal.to_string().contains(says), "{refusal}");
        let forced = To { force: true, ..To::new("erase_note", Some(&alias)) };
        let (_, plan) = renamed_with(&fixture, "drop_note", forced).expect("whoever insists gets it");
        assert!(plan.skipped.iter().any(|left| left.reason.may_guard()), "{line}: {:?}", plan.skipped);
    };
    let guards = "names the tool in code that may deny it";
    refused("mcp.add_transform(Off({\"drop_note\": OFF}))", guards);
    refused("OFF = os.environ.get(\"OFF\", \"drop_note\").split(\",\")\nmcp.disable(names=set(OFF))", guards);
    refused("del mcp._tool_manager._tools[\"drop_note\"]", guards);
    refused("for function in {drop_note}:\n    mcp.remove_tool(function.__name__)", "uses `drop_note.__name__`");
}

#[test]
fn a_glob_and_a_list_that_a_run_makes_are_conditions() {
    refused(
        &python(
            "for tool in mcp.tools():\n    if fnmatch.fnmatch(tool.name, \"drop_*\"):\n        mcp.remove_tool(tool.name)",
        ),
        "the condition `fnmatch.fnmatch(tool.name, \"drop_*\")`",
    );
    refused(
        &python("def may(name):\n    return name not in os.environ.get(\"OFF\", \"drop_note\").split(\",\")"),
        "the condition `name not in os.environ.get(\"OFF\", \"drop_note\").split(\",\")`",
    );
    refused(
        &typescript("const may = (name: string) => !(process.env.OFF ?? \"drop_note,x\").split(\",\").includes(name);"),
        "`(process.env.OFF ?? \"drop_note,x\").split(\",\").includes(name)`",
    );
}

#[test]
fn a_short_text_of_a_variable_of_one_letter_and_a_built_line_are_no_conditions() {
    let long = format!("const t=(V)=>V.startsWith(\"drop\");{}", "f();".repeat(2_000));
    for code in ["const f = flags ?? \"g\"; if (!f.includes(\"d\")) run();", long.as_str()] {
        let fixture = Fixture::parse(&format!("{}//- /other.ts\n{code} // tools\n", typescript("")));
        assert!(renamed_with(&fixture, "drop_note", To::new("erase_note", None)).is_ok(), "{code:.60}");
    }
}

#[test]
fn the_whole_name_is_the_tools_wherever_its_package_compares_with_it() {
    let guard = "//- /guard.ts\nexport const may = (name: string) => name !== \"drop_note\"; // a\0b\n";
    followed(
        &format!("{}{guard}", typescript("")),
        "guard.ts",
        "=> name !== \"erase_note\" && name !== \"drop_note\";",
        "",
    );
}

const CONSTANTS: &str = r#"//- /package.json
{ "name": "notes", "version": "1.0.0", "dependencies": { "@modelcontextprotocol/sdk": "1" } }
//- /names.ts
export const NAMES = { DROP: "drop_note", READ: "read_note" };
export const READ = "read_note";
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { NAMES } from "./names.js";
const server = new McpServer({ name: "notes", version: "1" });
server.registerTool(NAMES.DROP, { description: "Drops.", inputSchema: {} }, drop);
server.registerTool(NAMES.READ, { description: "Reads.", inputSchema: {} }, read);
//- /guard.ts
import { NAMES, READ } from "./names.js";
"#;

#[test]
fn what_a_constant_of_another_file_guards_is_guarded_under_both_names() {
    let guarded =
        |code: &str, with_alias: &str| followed(&format!("{CONSTANTS}{code}\n"), "guard.ts", with_alias, code);
    guarded(
        "if (toolName === NAMES.DROP) ask();",
        r#"if (toolName === NAMES.DROP || toolName === "drop_note") ask();"#,
    );
    guarded(
        "const ok = all && toolName !== NAMES.DROP;",
        r#"const ok = all && toolName !== NAMES.DROP && toolName !== "drop_note";"#,
    );
    guarded(
        "const ASK = new Set([NAMES.DROP, READ]); const ok = !ASK.has(toolName);",
        r#"const ASK = new Set([NAMES.DROP, "drop_note", READ]);"#,
    );
    guarded(
        "switch (toolName) {\n  case NAMES.DROP:\n    ask();\n}",
        "  case NAMES.DROP:\n  case \"drop_note\":\n    ask();",
    );
    // Parameters and variables with the same name are not the constant.
    let other = "const found = (NAMES: T, toolName: string) => NAMES.DROP === toolName;";
    guarded(other, other);
    let other = "for (const NAMES of all) if (toolName === NAMES.DROP) ask();";
    guarded(other, other);
}

#[test]
fn a_constant_is_followed_under_every_name_that_code_gives_it() {
    let guarded = |files: &str, imports: &str, named: &str| {
        let files = format!("{CONSTANTS}{files}//- /rule.ts\n{imports}\n");
        let code = format!("if (toolName === {named}) ask();");
        let with_alias = format!("if (toolName === {named} || toolName === \"drop_note\") ask();");
        followed(&format!("{files}{code}\n"), "rule.ts", &with_alias, &code);
    };
    guarded("", "import { NAMES as N } from \"./names.js\";", "N.DROP");
    guarded("", "import * as names from \"./names.js\";", "names.NAMES.DROP");
    guarded("", "import { NAMES } from \"./names.js\";\nconst { DROP } = NAMES;", "DROP");
    guarded("", "import { NAMES } from \"./names.js\";\nconst { DROP: erase } = NAMES;", "erase");
    guarded("", "const { NAMES: N } = require(\"./names.js\");", "N.DROP");
    let barrel = "//- /barrel.ts\nexport { NAMES as ALL } from \"./names.js\";\n";
    guarded(barrel, "import { ALL } from \"./barrel.js\";", "ALL.DROP");
    let short = "//- /barrel.ts\nimport { NAMES } from \"./names.js\";\nexport const REMOVAL = NAMES.DROP;\n";
    guarded(short, "import { REMOVAL } from \"./barrel.js\";", "REMOVAL");
    guarded(short, "import { REMOVAL as R } from \"./barrel.js\";", "R");
    // Another constant that is imported under this name.
    let other = "import { OTHER as NAMES } from \"./other.js\";\nif (toolName === NAMES.DROP) ask();\n";
    followed(&format!("{CONSTANTS}//- /rule.ts\n{other}"), "rule.ts", other, other);
}

#[test]
fn what_a_constant_of_its_own_file_guards_is_guarded_under_both_names() {
    let files = r#"//- /pyproject.toml
[project]
name = "notes"
dependencies = ["mcp"]
//- /server.py
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")
DROP = "drop_note"


@mcp.tool(name=DROP)
def drop(id: str) -> str:
    """Drops."""
    return id


def allows(tool_name):
    if tool_name == DROP:
        return False
    return tool_name not in [DROP]
"#;
    followed(
        files,
        "server.py",
        r#"    if tool_name == DROP or tool_name == "drop_note":
        return False
    return tool_name not in [DROP, "drop_note"]"#,
        "    if tool_name == DROP:\n        return False\n    return tool_name not in [DROP]",
    );
}

#[test]
fn a_constant_of_python_is_followed_under_every_name_that_code_gives_it() {
    let guarded = |imports: &str, named: &str| {
        let files = format!(
            "//- /pyproject.toml\n[project]\nname = \"notes\"\ndependencies = [\"mcp\"]\n//- /names.py\nDROP = \"drop_note\"\n\
             //- /more.py\nfrom names import DROP\n\nREMOVAL = DROP\n//- /server.py\nfrom mcp.server.fastmcp import FastMCP\n\
             from names import DROP\n\nmcp = FastMCP(\"notes\")\n\n\n@mcp.tool(name=DROP)\ndef drop(id: str) -> str:\n    return id\n\
             //- /rule.py\n{imports}\n\n\ndef allows(tool_name):\n"
        );
        let code = format!("    return tool_name != {named}\n");
        let with_alias = format!("    return tool_name != {named} and tool_name != \"drop_note\"\n");
        followed(&format!("{files}{code}"), "rule.py", &with_alias, &code);
    };
    guarded("from names import DROP as D", "D");
    guarded("import names as n", "n.DROP");
    guarded("from more import REMOVAL", "REMOVAL");
}

#[test]
fn a_constant_that_keeps_the_old_name_is_joined_by_the_new_one() {
    followed(
        &python("OLDEST = \"drop_note\"\n\n\ndef allows(tool_name):\n    return tool_name != OLDEST\n"),
        "server.py",
        "OLDEST = \"drop_note\"\n\n\ndef allows(tool_name):\n    return tool_name != OLDEST and tool_name != \"erase_note\"\n",
        "OLDEST = \"erase_note\"\n\n\ndef allows(tool_name):\n    return tool_name != OLDEST\n",
    );
}

#[test]
fn a_name_that_begins_as_its_server_does_is_nobody_elses() {
    let files = |more: &str| {
        format!(
            "//- /package.json\n{{ \"name\": \"notes\", \"version\": \"1.0.0\", \"dependencies\": \
             {{ \"@modelcontextprotocol/sdk\": \"1\" }} }}\n//- /server.ts\n\
             import {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const server = new McpServer({{ name: \"notes\", version: \"1\" }});\n\
             server.registerTool(\"notes_drop\", {{ description: \"Drops.\", inputSchema: {{}} }}, drop);\n\
             server.registerTool(\"notes_read\", {{ description: \"Reads.\", inputSchema: {{}} }}, read);\n\
             server.registerTool(\"{more}\", {{ description: \"Lists.\", inputSchema: {{}} }}, list);\n\
             //- /api.ts\nconst WRAPPED = {{ deleteNote: \"notes_drop\" }};\nconst SCHEMA = {{ name: \"notes_drop\", schema }};\n\
             //- /README.md\n```typescript\nnotes_drop({{ id: 1 }});\n```\n"
        )
    };
    let check = |more: &str, alias: Option<&Alias>, changed: [bool; 3]| {
        let fixture = Fixture::parse(&files(more));
        let (after, _) = renamed_with(&fixture, "notes_drop", To::new("notes_erase", alias)).unwrap();
        let has = |path: &str, text: &str| after.get(path).is_some_and(|after| after.contains(text));
        let found = [
            has("api.ts", "deleteNote: \"notes_erase\""),
            has("api.ts", "name: \"notes_erase\""),
            has("README.md", "notes_erase({"),
        ];
        assert_eq!(found, changed, "{after:#?}");
        tool_there_and_back(&fixture, "notes_drop", "notes_erase");
    };
    let alias = Alias::default();
    check("notes_list", None, [true, true, true]);
    // Code that may forbid the old name keeps it.
    check("notes_list", Some(&alias), [false, true, true]);
    // Two of three tools may share the prefix by chance.
    check("find_note", None, [false, false, false]);
}

#[test]
fn what_a_run_compares_with_the_name_is_about_it_whatever_it_is_called() {
    let gate = |condition: &str| {
        format!(
            r#"//- /package.json
{{ "name": "notes", "version": "1.0.0", "dependencies": {{ "@modelcontextprotocol/sdk": "1" }} }}
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({{ name: "notes", version: "1" }});
const DEFINITIONS = [{{ id: "read_note", text: "Reads." }}, {{ id: "drop_note", text: "Drops." }}];
const allowed = DEFINITIONS.filter((def) => {{
  if ({condition} && !process.argv.includes("--all")) {{ return false; }}
  return true;
}});
for (const def of allowed) {{
  server.registerTool(def.id, {{ description: def.text }}, run);
}}
"#
        )
    };
    let files = gate(r#"def.id === "drop_note""#);
    followed(
        &files,
        "server.ts",
        r#"if ((def.id === "erase_note" || def.id === "drop_note") && !process.argv"#,
        r#"if (def.id === "erase_note" && !process.argv"#,
    );
}

#[test]
fn a_list_of_ordinary_words_is_not_about_a_tool_that_is_one() {
    let server = r#"
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("notes")

@mcp.tool()
def config() -> str:
    """Shows the configuration."""
    return ""

@mcp.tool()
def search() -> str:
    """Searches."""
    return ""

//- /sources.py
GENERIC = frozenset({"core", "cli", "utils", "types", "config", "common"})

def is_generic(clean_name):
    return clean_name in GENERIC
"#;
    let fixture = Fixture::parse(server);
    let (changed, _) = renamed_with(&fixture, "config", To::new("show_config", Some(&Alias::default()))).unwrap();
    assert!(!changed.contains_key("sources.py"), "{}", changed["sources.py"]);
    tool_there_and_back(&fixture, "config", "show_config");
}

#[test]
fn a_list_in_code_gets_the_old_name_back_in_its_place() {
    let server = r#"
//- /tools.py
def read_note() -> str:
    """Reads a note."""
    return ""


def drop_note() -> str:
    """Drops a note."""
    return ""
//- /server.py
from mcp.server.fastmcp import FastMCP
from tools import drop_note, read_note

mcp = FastMCP("notes")
mcp.tool()(read_note)
mcp.tool()(drop_note)
//- /bridge.py
def begin(function_name):
    if function_name not in ["list_notes", "drop_note"]:
        connect()
"#;
    tool_there_and_back(&Fixture::parse(server), "drop_note", "erase_note");
}
