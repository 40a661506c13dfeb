//! Removing an alias: the result is what a rename without an alias gives.

use std::collections::BTreeMap;

use expect_test::expect;
use toolnames::testing::diagnostic::AliasRequest;
use toolnames::testing::rename::{self, Alias, AliasMode, Plan, Sources, To};
use toolnames::testing::text::apply_edits;
use toolnames::testing::workspace::Snapshot;

use super::fixture::Fixture;

/// The files of a workspace after the edits of a plan.
fn edited(fixture: &Fixture, snapshot: &Snapshot, plan: &Plan) -> BTreeMap<String, String> {
    let mut files = fixture.files.clone();
    let edits = plan.edits();
    let in_files = edits.iter().map(|(file, edits)| (snapshot.files.path(*file), edits));
    let in_documents = plan.documents.iter().map(|(path, document)| (path.as_str(), &document.edits));
    for (path, edits) in in_files.chain(in_documents) {
        let text = files.get_mut(path).unwrap();
        *text = apply_edits(text, edits).expect("edits do not overlap");
    }
    files
}

pub(crate) fn renamed(fixture: &Fixture, old: &str, new: &str, alias: Option<&Alias>) -> BTreeMap<String, String> {
    let snapshot = fixture.snapshot();
    let target = rename::targets(&snapshot, old, None)[0];
    let texts = |file| fixture.text(&snapshot, file);
    let sources = Sources { texts: &texts, around: fixture };
    let plan = rename::rename(&snapshot, target, To::new(new, alias), sources);
    let plan = plan.unwrap_or_else(|refusal| panic!("{refusal} {:#?}", fixture.files));
    edited(fixture, &snapshot, &plan)
}

/// Removes the alias that the first alias comment marks.
fn ended(fixture: &Fixture) -> BTreeMap<String, String> {
    ended_nth(fixture, 0)
}

/// Removes the alias that the comment at index `nth` marks.
fn ended_nth(fixture: &Fixture, nth: usize) -> BTreeMap<String, String> {
    let snapshot = fixture.snapshot();
    let mut notes = snapshot.files.all().flat_map(|file| {
        let notes = snapshot.files.alias_notes(file.id).iter();
        notes.map(|note| AliasRequest { file: file.id, offset: note.span.start })
    });
    let request = notes.nth(nth).unwrap_or_else(|| panic!("no alias in {:#?}", fixture.files));
    edited(fixture, &snapshot, &ending(fixture, &snapshot, &request))
}

fn ending(fixture: &Fixture, snapshot: &Snapshot, request: &AliasRequest) -> Plan {
    let texts = |file| fixture.text(snapshot, file);
    let plan = rename::removal::plan(snapshot, request, Sources { texts: &texts, around: fixture });
    plan.unwrap_or_else(|refusal| panic!("{refusal} {:#?}", fixture.files))
}

#[track_caller]
pub(crate) fn comes_to_the_same(files: &str, mode: AliasMode) {
    for files in [files.to_string(), files.replace('\n', "\r\n")] {
        let fixture = Fixture::parse(&files);
        let alias = Alias { mode, is_exact: true, until: Some("2027-01-01".into()), ..Alias::default() };
        let with_alias = renamed(&fixture, "read_note", "get_note", Some(&alias));
        let mut aliased = Fixture::parse("");
        aliased.files = with_alias;
        let is_done = rename::is_done(&aliased.snapshot(), ("read_note", "get_note"), Some(true), None);
        assert!(is_done, "a second run has something to do: {:#?}", aliased.files);
        let without = renamed(&fixture, "read_note", "get_note", None);
        let ended = ended(&aliased);
        for (path, text) in without {
            let lock = |text: &str| text.replace('\r', "");
            assert_eq!(lock(&ended[&path]), lock(&text), "{path}");
            assert_eq!(ended[&path], text, "{path}: line breaks");
        }
    }
}

#[test]
fn what_still_says_the_old_name_is_told() {
    let fixture = Fixture::parse(
        r#"
//- /pyproject.toml
[project]
name = "notes"
dependencies = ["fastmcp>=3"]
//- /server.py
from fastmcp import FastMCP
mcp = FastMCP("notes")

@mcp.tool(name="get_note")
def read_note(id: str) -> str:
    """Reads."""
    return id

# toolnames: alias of get_note
mcp.tool(name="read_note", description="Deprecated: use get_note.")(read_note)
//- /README.md
Call `read_note`, which is `get_note`.
"#,
    );
    let snapshot = fixture.snapshot();
    let server = snapshot.files.by_path("server.py").unwrap().id;
    let note = &snapshot.files.alias_notes(server)[0];
    let plan = ending(&fixture, &snapshot, &AliasRequest { file: server, offset: note.span.start });
    let told = plan.skipped.iter().map(|left| format!("{}: {}", snapshot.files.path(left.file), left.reason));
    let documents = plan
        .documents
        .iter()
        .flat_map(|(path, document)| document.skipped.iter().map(move |(_, why)| format!("{path}: {why}")));
    assert_eq!(told.chain(documents).collect::<Vec<_>>(), ["README.md: `read_note` no longer names a tool"]);
}

const AROUND: &str = r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["server.ts"] } } }
//- /package.json
{ "name": "notes", "version": "1.0.0" }
//- /.claude/settings.json
{
  "permissions": {
    // Reading is fine.
    "allow": ["mcp__notes__read_note", "mcp__notes__list_notes"],
    "deny": [
      "mcp__notes__write_note",
      "mcp__notes__read_note"
    ]
  },
  "hooks": { "PreToolUse": [{ "matcher": "mcp__notes__read_note|mcp__notes__write_note", "hooks": [] }] }
}
//- /toolnames.lock
version = 1

[[tool]]
server = "notes"
name = "read_note"
"#;

#[test]
fn a_loop_over_both_names_ends_with_the_old_one() {
    let files = r#"
//- /package.json
{ "name": "notes", "version": "1.0.0", "dependencies": { "@modelcontextprotocol/sdk": "^1.30.0" } }
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1" });
function add(name: string, config: { description: string }, run: () => void): void {
  server.registerTool(name, config, run);
}
if (process.env.NOTES) {
  add(
    "read_note",
    { description: "Reads" },
    () => { read("for (const alias of"); },
  );
}
"#;
    comes_to_the_same(files, AliasMode::Listed);
}

#[test]
fn statements_of_typescript() {
    for call in [
        // A return value that no variable held is not held by one after the removal.
        "server.registerTool(\"read_note\", { description: \"Reads.\" }, async () => ({ content: [] }));",
        "export const reading = server.registerTool(\"read_note\", { description: \"Reads.\" }, async () => ({ content: [] }));",
        "server.registerTool(\"read_note\", {}, run); // the first",
        "server.registerTool(\n  'read_note',\n  {},\n  run,\n)",
        "const description = \"Reads.\";\nserver.registerTool(\"read_note\", { description }, run);",
        "const description = \"Reads.\";\nserver.registerTool(\"read_note\", {\n  description,\n  inputSchema: {},\n}, run);",
        "const description = \"Reads.\";\nserver.registerTool(\"read_note\", { title: \"Read\", description: description }, run);",
        "const config = { description: \"Reads.\" };\nserver.registerTool(\"read_note\", { ...config, }, run);",
        "const config = { description: \"Reads.\" };\nserver.registerTool(\"read_note\", config, run);",
        "const TOOLS = { read: \"read_note\" };\nserver.tool(TOOLS.read, \"Reads.\", {}, run);",
        "server.tool(\"read_note\", \"Reads.\", run);",
        // The lines of a template stay where they are, and so does an empty line.
        "server.registerTool(\n  \"read_note\",\n  {\n    /**\n     * Why.\n     */\n    description: `Reads\n  a note\n${\n  more\n}`,\n\n  },\n  run,\n);",
    ] {
        let server = format!(
            "{AROUND}//- /server.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const server = new McpServer({{ name: \"notes\", version: \"1\" }});\n{call}\n\
             server.registerTool(\"write_note\", {{}}, run);\n"
        );
        comes_to_the_same(&server, AliasMode::Listed);
    }
}

#[test]
fn what_a_registration_gives_is_given_back_at_once_again() {
    for call in [
        "return server.registerTool(\"read_note\", { description: \"Reads.\" }, async () => ({ content: [] }));",
        "return server\n    .registerTool('read_note', {}, run) // the last\n",
        "if (on) {\n    return server.registerTool(\"read_note\", {}, run);\n  }\n  return undefined;",
    ] {
        let server = format!(
            "{AROUND}//- /server.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const server = new McpServer({{ name: \"notes\", version: \"1\" }});\n\
             export function registerReading(server: McpServer, on = true) {{\n  {call}\n}}\n\
             registerReading(server);\n"
        );
        comes_to_the_same(&server, AliasMode::Listed);
        let after = renamed(&Fixture::parse(&server), "read_note", "get_note", Some(&Alias::default()));
        assert!(after["server.ts"].contains("return getNoteRenamed"), "{}", after["server.ts"]);
    }
}

#[test]
fn where_there_is_room_for_one_statement_a_block_is_written_and_goes_again() {
    const CALL: &str = "server.registerTool(\"read_note\", { description: \"Reads.\" }, run)";
    for around in [
        "const register = (server: McpServer) => CALL;\nregister(server);",
        "export const register = (server: McpServer) =>\n  CALL // the first\nregister(server)",
        "const all = [\n  (server: McpServer) => CALL,\n  (server: McpServer) => other(server),\n];\nall[0](server);",
        "if (process.env.READ) CALL;\nrun();",
        "if (!process.env.READ) {\n  run();\n} else CALL; // never\n",
    ] {
        let server = format!(
            "{AROUND}//- /server.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const server = new McpServer({{ name: \"notes\", version: \"1\" }});\n{}\n",
            around.replace("CALL", CALL)
        );
        comes_to_the_same(&server, AliasMode::Listed);
        let after = renamed(&Fixture::parse(&server), "read_note", "get_note", Some(&Alias::default()));
        assert!(after["server.ts"].contains("const getNoteRenamedTool = server."), "{}", after["server.ts"]);
    }
    // A call on a line of its own needs no block.
    let server = format!(
        "{AROUND}//- /server.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         const server = new McpServer({{ name: \"notes\", version: \"1\" }});\n\
         if (process.env.READ)\n  {CALL}\nelse run()\n"
    );
    comes_to_the_same(&server, AliasMode::Listed);
    let after = renamed(&Fixture::parse(&server), "read_note", "get_note", Some(&Alias::default()));
    assert!(after["server.ts"].contains("  for (const alias of [undefined, "), "{}", after["server.ts"]);
}

#[test]
fn a_block_that_somebody_wrote_in_stays() {
    let server = format!(
        "{AROUND}//- /server.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         const server = new McpServer({{ name: \"notes\", version: \"1\" }});\n\
         const register = (server: McpServer) => server.registerTool(\"read_note\", {{}}, run);\nregister(server);\n"
    );
    let mut aliased = Fixture::parse("");
    aliased.files = renamed(&Fixture::parse(&server), "read_note", "get_note", Some(&Alias::default()));
    let text = aliased.files.get_mut("server.ts").unwrap();
    *text = text.replace("  return get", "  console.error(\"ready\");\n  return get");
    expect![[r#"
        import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
        const server = new McpServer({ name: "notes", version: "1" });
        const register = (server: McpServer) => {
          const getNoteRenamedTool = server.registerTool("get_note", {}, run);
          console.error("ready");
          return getNoteRenamedTool;
        };
        register(server);
    "#]]
    .assert_eq(&ended(&aliased)["server.ts"]);
}

#[test]
fn decorators_and_functions_of_python() {
    for (import, body) in [
        (
            "from mcp.server.fastmcp import FastMCP",
            "@mcp.tool()\ndef read_note(id: int) -> str:\n    return \"\"  # nothing yet",
        ),
        (
            "from mcp.server.fastmcp import FastMCP",
            "@logged\n@mcp.tool(name=\"read_note\")\nasync def reading(id: int) -> str:\n    return \"\"",
        ),
        ("from fastmcp import FastMCP", "@mcp.tool\ndef read_note(id: int) -> str:\n    return \"\""),
    ] {
        let server = format!(
            "{AROUND}//- /server.py\n{import}\n\nmcp = FastMCP(\"notes\")\n\n\n{body}\n\n\n@mcp.tool()\ndef write_note():\n    pass\n"
        );
        comes_to_the_same(&server, AliasMode::Listed);
    }
}

#[test]
fn methods_of_rust() {
    let server = format!(
        "{}{}",
        AROUND.replace("node\", \"args\": [\"server.ts\"]", "cargo\", \"args\": [\"run\"]"),
        r#"//- /Cargo.toml
[package]
name = "notes"
version = "1.0.0"
[dependencies]
rmcp = "3"
//- /src/main.rs
use rmcp::{tool, tool_router};
struct Notes;
#[tool_router]
impl Notes {
    /// Reads.
    #[tool(description = "Reads.")]
    async fn read_note(&self, Parameters(args): Parameters<Args>) -> Result<String, ErrorData> {
        Ok(String::new())
    }

    #[tool]
    fn write_note(&self) -> String { String::new() }
}
"#
    );
    comes_to_the_same(&server, AliasMode::Listed);
    let server = format!(
        "{}{}",
        AROUND.replace("node\", \"args\": [\"server.ts\"]", "cargo\", \"args\": [\"run\"]"),
        r#"//- /Cargo.toml
[package]
name = "notes"
version = "1.0.0"
[dependencies]
mcp-attr = "0.0.7"
//- /src/main.rs
use mcp_attr::server::{McpServer, mcp_server};
struct Notes;
#[mcp_server]
impl McpServer for Notes {
    /// Reads.
    #[tool("read_note")]
    async fn read(
        &self,
        /// Which "one".
        #[arg("id")] number: u32,
    ) -> Result<String> {
        Ok(String::new())
    }

    #[tool]
    async fn write_note(&self) -> Result<String> {
        Ok(String::new())
    }
}
"#
    );
    comes_to_the_same(&server, AliasMode::Listed);
}

#[test]
fn what_a_name_is_compared_with() {
    let low = |body: &str| {
        format!(
            "{AROUND}//- /server.ts\nimport {{ Server }} from \"@modelcontextprotocol/sdk/server/index.js\";\n\
             import {{ CallToolRequestSchema, ListToolsRequestSchema }} from \"@modelcontextprotocol/sdk/types.js\";\n\
             const server = new Server({{ name: \"notes\", version: \"1\" }});\n\
             server.setRequestHandler(ListToolsRequestSchema, async () => ({{ tools: [{{ name: \"read_note\" }}, {{ name: \"write_note\" }}] }}));\n\
             server.setRequestHandler(CallToolRequestSchema, async (request) => {{\n  const {{ name }} = request.params;\n{body}}});\n"
        )
    };
    for body in [
        "  switch (name) {\n    case \"write_note\":\n      return write();\n    case \"read_note\":\n      return read();\n  }\n",
        "  if (name === \"read_note\") return read();\n",
        "  if (name === \"write_note\") {\n    return write();\n  } else if (name === \"read_note\") {\n    return read();\n  }\n",
        "  if (name === \"write_note\") return write();\n  else if (name === \"read_note\") return read();\n  else throw new Error(name);\n",
        "  if (name === \"read_note\" || name === \"write_note\") {\n    if (name === \"read_note\") {\n      return read();\n    }\n    return write();\n  }\n",
        "  if (!(name === \"read_note\")) return write();\n  return read();\n",
        "  return (name === \"read_note\") + \"\";\n",
        "  if (name === \"read_note\" && ready) {\n    log(name);\n  }\n  if (name === 'read_note') {\n    return read();\n  }\n",
    ] {
        comes_to_the_same(&low(body), AliasMode::Hidden);
    }
    let low = |body: &str| {
        format!(
            "{AROUND}//- /server.py\nfrom mcp.server.lowlevel import Server\nimport mcp.types as types\nserver = Server(\"notes\")\n\n\
             @server.list_tools()\nasync def list_tools():\n    return [types.Tool(name=\"read_note\", inputSchema={{}})]\n\n\
             @server.call_tool()\nasync def call_tool(name, arguments):\n{body}"
        )
    };
    for body in [
        "    match name:\n        case \"read_note\":\n            return read()\n        case _:\n            raise ValueError(name)\n",
        "    if name == \"read_note\":\n        return read()\n",
        "    if name == \"write_note\":\n        return write()\n    elif name == \"read_note\":\n        return read()\n    else:\n        raise ValueError(name)\n",
        "    if name == \"read_note\" and arguments:\n        return read()\n    if ready:\n        return name == \"read_note\"\n",
    ] {
        comes_to_the_same(&low(body), AliasMode::Hidden);
    }
}

#[test]
fn tables_of_what_runs() {
    let script = |table: &str| {
        format!(
            "{AROUND}//- /server.ts\nimport {{ Server }} from \"@modelcontextprotocol/sdk/server/index.js\";\n\
             import {{ CallToolRequestSchema, ListToolsRequestSchema }} from \"@modelcontextprotocol/sdk/types.js\";\n\
             const handlers: Record<string, Handler> = {table};\n\
             const server = new Server({{ name: \"notes\", version: \"1\" }});\n\
             server.setRequestHandler(ListToolsRequestSchema, async () => ({{ tools: [{{ name: \"read_note\", description: \"a\" }}] }}));\n\
             server.setRequestHandler(CallToolRequestSchema, async (request) => {{\n  const handler = handlers[request.params.name];\n  return handler(request);\n}});\n"
        )
    };
    let python = |table: &str| {
        format!(
            "{AROUND}//- /server.py\nfrom mcp.server.lowlevel import Server\nimport mcp.types as types\nserver = Server(\"notes\")\n\
             HANDLERS = {table}\n\n\
             @server.list_tools()\nasync def list_tools():\n    return [types.Tool(name=\"read_note\", description=\"a\", inputSchema={{}})]\n\n\
             @server.call_tool()\nasync def call_tool(name, arguments):\n    return await HANDLERS[name](arguments)\n"
        )
    };
    let scripts = [
        "{\n  read_note: async (given) => read(given),\n}",
        "{ async read_note(given) { return 1; } }",
        "{\n  read_note: read,\n  write_note: write,\n}",
        "{ \"read_note\": all.read }",
        "{};\nObject.assign(handlers, { read_note: async (given) => read(given) })",
        "{\n  list_notes,\n  read_note\n}",
    ];
    let pythons = [
        "{\n    \"read_note\": lambda given: 1,\n}",
        "{}\nHANDLERS[\"read_note\"] = read",
        "{}\nHANDLERS.update({\"read_note\": lambda given: 1})",
        "{\n    \"read_note\": read,\n}",
        "{\"list_notes\": every, \"read_note\": tools.read}",
    ];
    for server in scripts.map(script).into_iter().chain(pythons.map(python)) {
        comes_to_the_same(&server, AliasMode::Hidden);
        comes_to_the_same(&server, AliasMode::Listed);
    }
    // The server answers the old name, so no other tool can have it.
    let fixture = Fixture::parse(&script("{ read_note: read }"));
    let aliased = hidden(&fixture, "read_note", "get_note");
    let snapshot = aliased.snapshot();
    let answered = &snapshot.analysis().servers[0].answered;
    assert_eq!(answered.iter().map(|name| name.old.as_str()).collect::<Vec<_>>(), ["read_note"]);
    // A table whose type lists its keys takes no other key, so the server is called by the new name.
    let written_there = script("{ read_note: async () => 1 }").replace(": Record<string, Handler>", "");
    comes_to_the_same(&written_there, AliasMode::Hidden);
    comes_to_the_same(&written_there, AliasMode::Listed);
}

#[test]
fn tables_over_which_a_loop_goes() {
    let server = |table: &str| {
        format!(
            "{AROUND}//- /server.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const server = new McpServer({{ name: \"notes\", version: \"1\" }});\n{table}\n\
             for (const [name, {{ description, run }}] of Object.entries(TOOLS)) {{\n  \
             server.registerTool(name, {{ description }}, run);\n}}\n"
        )
    };
    for table in [
        "export const TOOLS = {\n  read_note: { description: \"Reads.\", run: async () => ({ content: [] }) },\n  \
         write_note: { description: \"Writes.\", run },\n};",
        "const TOOLS: Record<string, Tool> = { 'read_note': { description: 'Reads.', run } } // all\n",
    ] {
        comes_to_the_same(&server(table), AliasMode::Listed);
        let after = renamed(&Fixture::parse(&server(table)), "read_note", "get_note", Some(&Alias::default()));
        assert!(after["server.ts"].contains("Object.assign(TOOLS, "), "{}", after["server.ts"]);
    }
    // Nothing can be added to a table whose entries cannot be seen, or that is frozen: the loop registers the tool
    // twice.
    for table in [
        "const TOOLS = { read_note: reading, write_note: { description: \"Writes.\", run } };",
        "const TOOLS = Object.freeze({ read_note: { description: \"Reads.\", run } });",
    ] {
        comes_to_the_same(&server(table), AliasMode::Listed);
        let after = renamed(&Fixture::parse(&server(table)), "read_note", "get_note", Some(&Alias::default()));
        assert!(
            after["server.ts"].contains("...(name === \"get_note\" ? [\"read_note\"] : [])"),
            "{}",
            after["server.ts"]
        );
    }
}

#[test]
fn definitions_in_lists_and_objects_that_are_added() {
    let server = |package: &str, body: &str| {
        format!(
            "{AROUND}//- /server.ts\nimport {{ {} }} from \"{package}\";\n{body}\n",
            match package {
                "fastmcp" => "FastMCP",
                _ => "McpServer",
            }
        )
    };
    let looped = "const TOOLS = [\n  { name: \"read_note\", description: \"Reads.\", handler: async () => ({ content: [] }) },\n  { name: \"write_note\", description: \"Writes.\", handler: async () => ({ content: [] }) },\n]; // all\nconst server = new McpServer({ name: \"notes\", version: \"1\" });\nfor (const tool of TOOLS) server.registerTool(tool.name, { description: tool.description }, tool.handler);";
    let looped = server("@modelcontextprotocol/sdk/server/mcp.js", looped);
    comes_to_the_same(&looped, AliasMode::Listed);
    // Inside the loop, the alias would be registered with every tool.
    let source = &renamed(&Fixture::parse(&looped), "read_note", "get_note", Some(&Alias::default()))["server.ts"];
    assert!(source.contains("\nTOOLS.push({ ...TOOLS.find("), "{source}");
    for object in [
        "{\n  name: \"read_note\",\n  execute: async () => \"\",\n}",
        "{ name: 'read_note', description: \"Reads.\", execute }",
        "{ name: \"read_note\", execute, }",
    ] {
        let added = format!(
            "const server = new FastMCP({{ name: \"notes\", version: \"1.0.0\" }});\nserver.addTool({object});\nserver.addTool({{ name: \"write_note\", execute }});"
        );
        comes_to_the_same(&server("fastmcp", &added), AliasMode::Listed);
    }
}

#[test]
fn definitions_that_a_variable_holds() {
    let low = r#"
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { readNote, listNotes } from "./tools.js";
const server = new Server({ name: "notes", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: LIST }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  switch (request.params.name) {
    case "read_note":
      return read();
    case "list_notes":
      return list();
  }
});
//- /tools.ts
export const readNote = { name: "read_note", description: "Reads.", inputSchema: { type: "object" } };
export const listNotes = { name: "list_notes", description: "Lists.", inputSchema: { type: "object" } };
"#;
    for list in
        ["[readNote, listNotes]", "[listNotes, readNote]", "[\n  readNote, // first\n  listNotes,\n]", "[readNote]"]
    {
        comes_to_the_same(&format!("{AROUND}//- /server.ts{}", low.replace("LIST", list)), AliasMode::Listed);
    }
    let python = r#"
import mcp.types as types
from mcp.server.lowlevel import Server

server = Server("notes")
READ = types.Tool(name="read_note", description="Reads.", inputSchema={"type": "object"})


@server.list_tools()
async def tools() -> list[types.Tool]:
    return [READ, types.Tool(name="list_notes", description="Lists.", inputSchema={"type": "object"})]


@server.call_tool()
async def call(name: str, arguments: dict):
    if name == "read_note":
        return []
    raise ValueError(name)
"#;
    comes_to_the_same(&format!("{AROUND}//- /server.py{python}"), AliasMode::Listed);
}

#[test]
fn servers_inside_an_agent() {
    for tools in [
        "tool(\"read_note\", \"Reads.\", {}, async () => ({ content: [] })),\n    listNotes,",
        "listNotes,\n    tool(\"read_note\", \"Reads.\", {}, async () => ({ content: [] })) // the last",
        "readNote, listNotes",
    ] {
        let server = format!(
            "{AROUND}//- /server.ts\nimport {{ createSdkMcpServer, tool }} from \"@anthropic-ai/claude-agent-sdk\";\n\
             const listNotes = tool(\"list_notes\", \"Lists.\", {{}}, list);\nREADexport const server = createSdkMcpServer({{\n\
             \x20 name: \"notes\",\n  tools: [\n    {tools}\n  ],\n}});\n"
        );
        let own = "const readNote = tool(\"read_note\", \"Reads.\", {}, read);\n";
        let server = server.replace("READ", if tools.starts_with("readNote") { own } else { "" });
        comes_to_the_same(&server, AliasMode::Listed);
    }
    for tools in ["read_note, every", "\n    read_note,\n    every,\n"] {
        let server = format!(
            "{AROUND}//- /server.py\nfrom claude_agent_sdk import create_sdk_mcp_server, tool\n\n\n@tool(\"read_note\", \"Reads.\", {{}})\n\
             async def read_note(args):\n    return {{}}\n\n\n@tool(\"list_notes\", \"Lists.\", {{}})\nasync def every(args):\n    return {{}}\n\n\n\
             server = create_sdk_mcp_server(name=\"notes\", tools=[{tools}])\n"
        );
        comes_to_the_same(&server, AliasMode::Listed);
    }
}

#[test]
fn tools_with_a_user_interface() {
    for config in ["{ title: \"Read\", description: \"Reads.\", _meta: {} }", "CONFIG"] {
        let server = format!(
            "{AROUND}//- /server.ts\nimport {{ registerAppTool }} from \"@modelcontextprotocol/ext-apps/server\";\n\
             import {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const CONFIG = {{ description: \"Reads.\", _meta: {{}} }};\n\
             const server = new McpServer({{ name: \"notes\", version: \"1\" }});\n\
             registerAppTool(server, \"read_note\", {config}, async () => ({{ content: [] }}));\n"
        );
        comes_to_the_same(&server, AliasMode::Listed);
    }
}

#[test]
fn keys_of_objects_and_decorated_methods() {
    for key in ["read_note: readNote", "\"read_note\": readNote", "read_note"] {
        let variable = key.rsplit(' ').next().unwrap();
        let server = format!(
            "{AROUND}//- /server.ts\nimport {{ MCPServer }} from \"@mastra/mcp\";\nimport {{ createTool }} from \"@mastra/core/tools\";\n\
             const {variable} = createTool({{ id: \"x\", description: \"Reads.\", execute: run }});\n\
             new MCPServer({{ name: \"notes\", version: \"1\", tools: {{ {key}, other }} }});\nconst other = createTool({{ id: \"y\" }});\n"
        );
        comes_to_the_same(&server, AliasMode::Listed);
    }
    let server = r#"
import { McpController, Tool } from "@rekog/mcp-nest";
@McpController()
export class Notes {
  // Reads.
  @Tool({ name: "read_note", description: "Reads.", parameters: z.object({}) })
  async readNote(@Payload() { id }: { id: number }, @Ctx() context: McpContext) {
    return id;
  }

  @Tool({ name: "list_notes", description: "Lists." })
  every() {}
}
"#;
    comes_to_the_same(&format!("{AROUND}//- /server.ts{server}"), AliasMode::Listed);
}

#[test]
fn methods_that_their_implementation_or_their_own_name_makes_tools() {
    let cargo = |package: &str| {
        let started = AROUND.replace("node\", \"args\": [\"server.ts\"]", "cargo\", \"args\": [\"run\"]");
        format!(
            "{started}//- /Cargo.toml\n[package]\nname = \"notes\"\nversion = \"1.0.0\"\n[dependencies]\n{package}\n"
        )
    };
    for named in ["", "    #[mcp(name = \"read_note\")]\n"] {
        let server = format!(
            "{}//- /src/main.rs\nuse poem_mcpserver::{{Tools, content::Text}};\nstruct Notes;\n\n/// Notes.\n#[Tools]\nimpl Notes {{\n    /// Reads.\n{named}    \
             async fn read_note(\n        &self,\n        /// Which one.\n        id: i64,\n    ) -> Text<String> {{\n        Text(String::new())\n    }}\n\n    \
             async fn list_notes(&self) -> Text<String> {{\n        self.read_note(1).await\n    }}\n}}\n",
            cargo("poem-mcpserver = \"0.3\"")
        );
        comes_to_the_same(&server, AliasMode::Listed);
    }
    let server = format!(
        "{}//- /src/main.rs\nuse turbomcp::prelude::*;\n#[derive(Clone)]\nstruct Notes;\n#[server(name = \"notes\")]\nimpl Notes {{\n    \
         #[tool(\"Reads.\", read_only = true)]\n    async fn read_note(&self, #[description(\"Which one\")] id: i64) -> McpResult<String> {{\n        \
         Ok(String::new())\n    }}\n\n    #[tool]\n    async fn list_notes(&self) -> McpResult<String> {{\n        self.read_note(1).await\n    }}\n}}\n",
        cargo("turbomcp = \"3\"")
    );
    comes_to_the_same(&server, AliasMode::Listed);
    let after = renamed(&Fixture::parse(&server), "read_note", "get_note", Some(&Alias::default()));
    expect![[r#"
        use turbomcp::prelude::*;
        #[derive(Clone)]
        struct Notes;
        #[server(name = "notes")]
        impl Notes {
            #[tool("Reads.", read_only = true)]
            async fn get_note(&self, #[description("Which one")] id: i64) -> McpResult<String> {
                Ok(String::new())
            }

            // toolnames: alias of get_note
            #[tool(description = "Deprecated: use get_note.", read_only = true)]
            async fn read_note(&self, #[description("Which one")] id: i64) -> McpResult<String> {
                self.get_note(id).await
            }

            #[tool]
            async fn list_notes(&self) -> McpResult<String> {
                self.get_note(1).await
            }
        }
    "#]]
    .assert_eq(&after["src/main.rs"]);
}

#[test]
fn what_answers_calls_in_another_file_takes_the_old_name_for_the_new_one() {
    let server = format!(
        "{}{}",
        AROUND.replace("node\", \"args\": [\"server.ts\"]", "cargo\", \"args\": [\"run\"]"),
        r#"//- /Cargo.toml
[package]
name = "notes"
version = "1.0.0"
[dependencies]
rust-mcp-sdk = "2"
//- /src/main.rs
mod handler;
mod tools;
//- /src/tools.rs
use rust_mcp_sdk::{macros::mcp_tool, tool_box};
#[mcp_tool(name = "read_note", description = "Reads.")]
pub struct ReadNote {}
#[mcp_tool(name = "list_notes", description = "Lists.")]
pub struct ListNotes {}
tool_box!(Notes, [ReadNote, ListNotes]);
//- /src/handler.rs
use rust_mcp_sdk::mcp_server::ServerHandler;
use crate::tools::Notes;
struct Handler;
#[async_trait]
impl ServerHandler for Handler {
    async fn handle_call_tool_request(&self, params: CallToolRequestParams, _: &Context) -> Result<Answer, Error> {
        let tool = Notes::try_from(params)?;
        tool.call()
    }
}
"#
    );
    comes_to_the_same(&server, AliasMode::Hidden);
    let alias = Alias { mode: AliasMode::Hidden, is_exact: true, ..Alias::default() };
    let after = renamed(&Fixture::parse(&server), "read_note", "get_note", Some(&alias));
    expect![[r#"
        use rust_mcp_sdk::mcp_server::ServerHandler;
        use crate::tools::Notes;
        struct Handler;
        #[async_trait]
        impl ServerHandler for Handler {
            async fn handle_call_tool_request(&self, params: CallToolRequestParams, _: &Context) -> Result<Answer, Error> {
                // toolnames: alias of get_note
                let params = {
                    let mut params = params;
                    if params.name == "read_note" {
                        params.name = "get_note".to_string();
                    }
                    params
                };
                let tool = Notes::try_from(params)?;
                tool.call()
            }
        }
    "#]].assert_eq(&after["src/handler.rs"]);
    // If no function handles calls, there is no place to answer the old name.
    let (without, _) = server.split_once("//- /src/handler.rs").unwrap();
    let reason = refused(without, "read_note", "get_note", Some(&alias));
    assert!(reason.contains("the function that handles calls was not found"), "{reason}");
}

#[test]
fn lists_and_variables_that_are_added() {
    for added in [
        "server.addTools([\n  {\n    name: \"read_note\",\n    description: \"Reads.\",\n    execute: async () => \"\",\n  },\n]);",
        "const readNote = { name: \"read_note\", description: \"Reads.\", execute: read };\nserver.addTool(readNote);",
        "const readNote = { name: \"read_note\", description: \"Reads.\", execute: read };\nserver.addTools([readNote]);",
        "const all = [\n  { name: \"read_note\", description: \"Reads.\", execute: read },\n];\nserver.addTools(all);",
    ] {
        let server = format!(
            "{AROUND}//- /server.ts\nimport {{ FastMCP }} from \"fastmcp\";\nconst server = new FastMCP({{ name: \"notes\", version: \"1.0.0\" }});\n{added}\n\
             server.addTool({{ name: \"list_notes\", execute: list }});\n"
        );
        comes_to_the_same(&server, AliasMode::Listed);
    }
    for tools in [
        "tool(\"read_note\", { description: \"Reads.\", handler: () => ({}) }),\n    listNotes,",
        "readNote, listNotes",
    ] {
        let server = format!(
            "{AROUND}//- /server.ts\nimport {{ createApp, tool }} from \"@cyanheads/mcp-ts-core\";\n\
             const listNotes = tool(\"list_notes\", {{ description: \"Lists.\", handler: list }});\nREADawait createApp({{\n  name: \"notes\",\n  tools: [\n    {tools}\n  ],\n}});\n"
        );
        let own = "const readNote = tool(\"read_note\", { description: \"Reads.\", handler: read });\n";
        let server = server.replace("READ", if tools.starts_with("readNote") { own } else { "" });
        comes_to_the_same(&server, AliasMode::Listed);
    }
}

#[test]
fn definitions_that_a_helper_registers_and_names_that_lie_deeper() {
    let sdk = "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst server = new McpServer({ name: \"notes\", version: \"1.0.0\" });\n";
    // A helper to which each definition is passed.
    for (definition, taken) in [
        ("export const readNote = { name: \"read_note\", description: \"Reads.\", run };", "readNote"),
        ("export const readNote = { metadata: { name: \"read_note\", description: \"Reads.\" }, run };", "readNote"),
        (
            "export function readNote(client) {\n  return { name: \"read_note\", description: \"Reads.\", run };\n}",
            "readNote(client)",
        ),
        (
            "export const readNote = (client) => ({ name: \"read_note\", description: \"Reads.\", run });",
            "readNote(client)",
        ),
    ] {
        let at = if definition.contains("metadata") { "tool.metadata" } else { "tool" };
        let server = format!(
            "{AROUND}//- /server.ts\n{sdk}import {{ readNote }} from \"./tools.js\";\nfunction add(tool) {{\n  \
             server.registerTool({at}.name, {{ description: {at}.description }}, tool.run);\n}}\nadd({taken});\n//- /tools.ts\n{definition}\n"
        );
        comes_to_the_same(&server, AliasMode::Listed);
        let server = format!(
            "{AROUND}//- /server.ts\n{sdk}import {{ readNote }} from \"./tools.js\";\nconst all = [\n  {taken},\n];\nfor (const tool of all) {{\n  \
             server.registerTool({at}.name, {{ description: {at}.description }}, tool.run);\n}}\n//- /tools.ts\n{definition}\n"
        );
        comes_to_the_same(&server, AliasMode::Listed);
    }
    // A module that is imported as a whole.
    let server = format!(
        "{AROUND}//- /server.ts\n{sdk}import * as readNote from \"./read-note.js\";\nconst all = [readNote];\nfor (const tool of all) {{\n  \
         server.registerTool(tool.metadata.name, {{ description: tool.metadata.description }}, tool.run);\n}}\n\
         //- /read-note.ts\nexport const metadata = {{ name: \"read_note\", description: \"Reads.\" }};\nexport const run = async () => ({{}});\n"
    );
    comes_to_the_same(&server, AliasMode::Listed);
    let server = format!(
        "{AROUND}//- /server.ts\n{sdk}const readNote = {{ metadata: {{ name: \"read_note\", description: \"Reads.\" }}, run }};\n\
         function add(tool) {{\n  server.registerTool(tool.metadata.name, {{ description: tool.metadata.description }}, tool.run);\n}}\nadd(readNote);\n"
    );
    let after = renamed(&Fixture::parse(&server), "read_note", "get_note", Some(&Alias::default()));
    expect![[r#"
        import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
        const server = new McpServer({ name: "notes", version: "1.0.0" });
        const readNote = { metadata: { name: "get_note", description: "Reads." }, run };
        function add(tool) {
          server.registerTool(tool.metadata.name, { description: tool.metadata.description }, tool.run);
        }
        add(readNote);
        // toolnames: alias of get_note
        add({ ...readNote, metadata: { ...readNote.metadata, name: "read_note", description: "Deprecated: use get_note." } });
    "#]].assert_eq(&after["server.ts"]);
}

#[test]
fn definitions_whose_description_lies_deeper_than_their_name() {
    let server = format!(
        "{AROUND}//- /server.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         const server = new McpServer({{ name: \"notes\", version: \"1.0.0\" }});\n\
         const readNote: ToolDef = {{ name: \"read_note\", definition: {{ title: \"Read\", description: `Reads.` }}, run }};\n\
         const all: ToolDef[] = [\n  readNote,\n];\n\
         for (const tool of all) server.registerTool(tool.name, tool.definition, tool.run);\n"
    );
    comes_to_the_same(&server, AliasMode::Listed);
    let after = renamed(&Fixture::parse(&server), "read_note", "get_note", Some(&Alias::default()));
    let expected = "[\n  readNote,\n  // toolnames: alias of get_note\n  { ...readNote, name: \"read_note\", \
                    definition: { ...readNote.definition, description: \"Deprecated: use get_note.\" } },\n]";
    assert!(after["server.ts"].contains(expected), "{}", after["server.ts"]);
}

#[test]
fn functions_that_are_added() {
    for added in ["mcp.add_tool(read_note)", "def add(mcp):\n    mcp.add_tool(read_note)\n\n\nadd(mcp)"] {
        let server = format!(
            "{AROUND}//- /server.py\nfrom mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP(\"notes\")\n\n\ndef read_note(id: int) -> str:\n    return str(id)\n\n\n{added}\n"
        );
        comes_to_the_same(&server, AliasMode::Listed);
    }
    let server = format!(
        "{AROUND}//- /server.py\nfrom mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP(\"notes\")\n\n\nclass Notes:\n    def read_note(self, id: int) -> str:\n        return str(id)\n\n\n\
         notes = Notes()\nmcp.add_tool(notes.read_note)\n"
    );
    let after = renamed(&Fixture::parse(&server), "read_note", "get_note", Some(&Alias::default()));
    expect![[r#"
        from mcp.server.fastmcp import FastMCP

        mcp = FastMCP("notes")


        class Notes:
            def read_note(self, id: int) -> str:
                return str(id)


        notes = Notes()
        mcp.add_tool(notes.read_note, name="get_note")
        # toolnames: alias of get_note
        mcp.add_tool(notes.read_note, name="read_note", description="Deprecated: use get_note.")
    "#]]
    .assert_eq(&after["server.py"]);
}

#[test]
fn of_a_range_of_versions_none_is_taken_for_the_one_that_is_installed() {
    let with = |range: &str| {
        let manifest =
            format!("\"version\": \"1.0.0\", \"dependencies\": {{ \"@modelcontextprotocol/sdk\": \"{range}\" }}");
        let files = format!(
            "{AROUND}//- /server.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const server = new McpServer({{ name: \"notes\", version: \"1\" }});\nexport const note = server.registerTool(\"read_note\", {{}}, read);\n"
        );
        files.replace("\"version\": \"1.0.0\"", &manifest)
    };
    for (range, how) in [
        ("^1.24.0", "note.handler as never);"),
        ("^1.20.0", "Object(note).handler ?? Object(note).callback);"),
        (">=1.0.4", "Object(note).handler ?? Object(note).callback);"),
        ("1.20.0", "Object(note).handler ?? Object(note).callback);"),
    ] {
        let after = renamed(&Fixture::parse(&with(range)), "read_note", "get_note", Some(&Alias::default()));
        assert!(after["server.ts"].contains(how), "{range}: {}", after["server.ts"]);
    }
    let reason = refused(&with("1.11.0"), "read_note", "get_note", Some(&Alias::default()));
    assert!(reason.contains("version"), "{reason}");
}

#[test]
fn a_list_that_a_name_may_be_in_answers_nothing() {
    let server = r#"//- /server.py
import mcp.types as types
from mcp.server.lowlevel import Server

server = Server("notes")
QUIET = ["read_note", "list_notes"]


@server.list_tools()
async def tools() -> list[types.Tool]:
    return [types.Tool(name="read_note", description="Reads.", inputSchema={}), types.Tool(name="list_notes", inputSchema={})]


@server.call_tool()
async def call(name: str, arguments: dict):
    if name not in QUIET:
        log(name)
    return await run("do_" + name)
"#;
    for mode in [AliasMode::Listed, AliasMode::Hidden] {
        let alias = Alias { mode, ..Alias::default() };
        let reason = refused(&format!("{AROUND}{server}"), "read_note", "get_note", Some(&alias));
        assert!(reason.contains("the old name cannot be kept as an alias"), "{reason}");
    }
}

#[test]
fn what_is_found_by_its_definition_is_called_by_the_new_name() {
    let python = r#"//- /server.py
import mcp.types as types
from mcp.server.lowlevel import Server

server = Server("notes")
HANDLERS = {}


class ReadNote:
    name = "read_note"

    def tool(self):
        return types.Tool(name=self.name, description="Reads.", inputSchema={})


def add(handler):
    HANDLERS[handler.name] = handler


add(ReadNote())


@server.list_tools()
async def tools() -> list[types.Tool]:
    return [handler.tool() for handler in HANDLERS.values()]


@server.call_tool()
async def call(name: str, arguments: dict):
    """Calls what goes by the name."""

    return HANDLERS[name].run(arguments)
"#;
    let rust = r#"//- /Cargo.toml
[package]
name = "notes"
version = "1.0.0"
[dependencies]
rmcp = "1"
//- /src/main.rs
use rmcp::{ServerHandler, model::*};

struct ReadNote;

impl ReadNote {
    const NAME: &'static str = "read_note";
}

struct Notes {
    tools: HashMap<&'static str, ReadNote>,
}

impl Notes {
    fn new() -> Self {
        let mut tools = HashMap::new();
        tools.insert(ReadNote::NAME, ReadNote);
        Self { tools }
    }
}

impl ServerHandler for Notes {
    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: Context) -> Result<ListToolsResult, Error> {
        Ok(ListToolsResult { tools: vec![Tool::new(ReadNote::NAME, "Reads.", schema())], next_cursor: None })
    }

    async fn call_tool(&self, request: CallToolRequestParams, _: Context) -> Result<CallToolResult, Error> {
        let tool = self.tools.get(request.name.as_ref());
        tool.ok_or_else(unknown)?.run(request.arguments).await
    }
}
"#;
    let table = r#"//- /server.py
import mcp.types as types
from mcp.server.lowlevel import Server

server = Server("notes")
NAMES = {"READ": "read_note"}


async def read(arguments):
    return []


HANDLERS = {NAMES["READ"]: read}


@server.list_tools()
async def tools() -> list[types.Tool]:
    return [types.Tool(name=NAMES["READ"], description="Reads.", inputSchema={})]


@server.call_tool()
async def call(name: str, arguments: dict):
    handler = HANDLERS.get(name)
    return await handler(arguments)
"#;
    let typescript = r#"//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const READ = { name: "read_note", description: "Reads.", run: async () => ({ content: [] }) };
const tools = new Map();
tools.set(READ.name, READ);
const server = new Server({ name: "notes", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: [...tools.keys()].map((name) => ({ name, description: tools.get(name).description })),
}));
server.setRequestHandler(CallToolRequestSchema, async (request: unknown) => {
  const params = (request as { params?: Record<string, unknown> }).params ?? {};
  return await tools.get(params.name).run();
});
"#;
    let asserted = "(request as { params: { name: string } }).params.name";
    let asserted = format!("\n  if ({asserted} === \"read_note\") {asserted} = \"get_note\";\n  const params = ");
    for (server, called) in [
        (table, "\n    if name == \"read_note\":\n        name = \"get_note\"\n    handler"),
        (typescript, asserted.as_str()),
        (
            python,
            "\n    # toolnames: alias of get_note\n    if name == \"read_note\":\n        name = \"get_note\"\n\n    return",
        ),
        (
            rust,
            "\n            if request.name == \"read_note\" {\n                request.name = \"get_note\".into();\n            }",
        ),
    ] {
        let files = format!("{AROUND}{server}");
        comes_to_the_same(&files, AliasMode::Hidden);
        let alias = Alias { mode: AliasMode::Hidden, is_exact: true, ..Alias::default() };
        let after = renamed(&Fixture::parse(&files), "read_note", "get_note", Some(&alias));
        assert!(after.values().any(|text| text.contains(called)), "{after:#?}");
    }
}

#[test]
fn what_has_no_second_name_here_says_what_takes_its_place() {
    let server = format!(
        "{AROUND}//- /src/tools/read-note.ts\nexport const metadata = {{ name: \"read_note\", description: \"Reads.\" }};\nexport default () => \"\";\n"
    );
    let server =
        server.replace("\"version\": \"1.0.0\"", "\"version\": \"1.0.0\", \"dependencies\": { \"xmcp\": \"1\" }");
    let reason = refused(&server, "read_note", "get_note", Some(&Alias::default()));
    assert!(reason.contains("`xmcp` takes one tool from each file"), "{reason}");
}

/// The reason why a rename is refused.
fn refused(files: &str, old: &str, new: &str, alias: Option<&Alias>) -> String {
    let fixture = Fixture::parse(files);
    let snapshot = fixture.snapshot();
    let target = rename::targets(&snapshot, old, None)[0];
    let texts = |file| fixture.text(&snapshot, file);
    let plan = rename::rename(&snapshot, target, To::new(new, alias), Sources { texts: &texts, around: &fixture });
    plan.expect_err("it is not refused").to_string()
}

#[test]
fn a_name_that_is_still_answered_is_taken() {
    let aliased = hidden(&Fixture::parse(&format!("{AROUND}{ANSWERED}")), "read_note", "get_note");
    let files: String = aliased.files.iter().map(|(path, text)| format!("//- /{path}\n{text}")).collect();
    for old in ["get_note", "list_notes"] {
        let why = refused(&files, old, "read_note", None);
        assert!(why.contains("is still an alias of another tool"), "{why}");
    }
}

#[test]
fn what_is_switched_off_while_a_server_runs_has_no_second_name_that_stays() {
    let server = "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         const server = new McpServer({ name: \"notes\", version: \"1\" });\n\
         const reading = server.registerTool(\"read_note\", { description: \"Reads.\" }, run);\n\
         if (!process.env.READ) reading.disable();\n";
    let reason =
        refused(&format!("{AROUND}//- /server.ts\n{server}"), "read_note", "get_note", Some(&Alias::default()));
    assert!(reason.contains("server.ts:3: the tool is enabled and disabled at run time"), "{reason}");
}

#[test]
fn what_is_given_to_another_file_may_be_switched_off_there() {
    let files = format!(
        "{AROUND}//- /reading.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         export function registerReading(server: McpServer) {{\n  \
         return server.registerTool(\"read_note\", {{}}, run);\n}}\n\
         //- /server.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         import {{ registerReading }} from \"./reading\";\n\
         const server = new McpServer({{ name: \"notes\", version: \"1\" }});\n\
         const tools = [registerReading(server)];\nfor (const tool of tools) tool.disable();\n"
    );
    let reason = refused(&files, "read_note", "get_note", Some(&Alias::default()));
    assert!(reason.contains("its registration is returned to the caller, which may disable the tool"), "{reason}");
}

#[test]
fn a_mode_that_is_asked_for_is_the_one_or_none() {
    let high = format!("{AROUND}{HIGH}");
    let exact = |mode| Alias { mode, is_exact: true, ..Alias::default() };
    // A mode that the SDK does not offer is not built on its private parts, and the other mode is not what the user
    // requested.
    let reason = refused(&high, "read_note", "get_note", Some(&exact(AliasMode::Hidden)));
    expect!["cannot rename `read_note` to `get_note`: the old name cannot be kept as an alias of the registration at server.ts:3: `typescript-sdk` has no documented way to handle calls to an unlisted name; use `--alias=listed`, or `--no-alias`"].assert_eq(&reason);
    let low = format!("{AROUND}{ANSWERED}");
    let reason = refused(&low, "read_note", "get_note", Some(&exact(AliasMode::Listed)));
    expect!["cannot rename `read_note` to `get_note`: the old name cannot be kept as an alias of the registration at server.ts:4: its definition contains the handler; use `--alias=hidden`, or `--no-alias`"].assert_eq(&reason);
    // If the user requests no mode, the other one is used.
    let after = renamed(&Fixture::parse(&low), "read_note", "get_note", Some(&Alias::default()));
    assert!(after["server.ts"].contains("case \"read_note\":"), "{}", after["server.ts"]);
}

#[test]
fn every_list_of_the_very_definition_gets_another_element() {
    let server = r#"
import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";
const readNote = tool("read_note", "Reads.", {}, read);
const total = (readNote: number) => [readNote, 1].length;
const quick = [readNote];
export const server = createSdkMcpServer({ name: "notes", tools: [readNote] });
"#;
    let fixture = Fixture::parse(&format!("{AROUND}//- /server.ts{server}"));
    let after = renamed(&fixture, "read_note", "get_note", Some(&Alias::default()));
    assert_eq!(after["server.ts"].matches("...readNote").count(), 2, "{}", after["server.ts"]);
    assert!(after["server.ts"].contains("[readNote, 1].length"));
}

#[test]
fn a_variable_of_a_loop_has_a_name_of_its_own() {
    let server = "import { FastMCP } from \"fastmcp\";\nconst server = new FastMCP({ name: \"notes\", version: \"1.0.0\" });\n\
         const alias = \"al\";\nserver.addTool({ name: \"read_note\", description: alias, execute: async () => alias });\n";
    let fixture = Fixture::parse(&format!("{AROUND}//- /server.ts\n{server}"));
    let after = renamed(&fixture, "read_note", "get_note", Some(&Alias::default()));
    assert!(after["server.ts"].contains("for (const alias2 of"), "{}", after["server.ts"]);
    comes_to_the_same(&format!("{AROUND}//- /server.ts\n{server}"), AliasMode::Listed);
}

#[test]
fn a_variable_that_is_given_another_value_is_no_way_to_keep_a_name() {
    let fixture = Fixture::parse(&format!(
        "{AROUND}//- /server.py\nimport mcp.types as types\nfrom mcp.server.lowlevel import Server\n\nserver = Server(\"notes\")\n\
         READ = types.Tool(name=\"read_note\", description=\"Reads.\", inputSchema={{}})\n\n\n@server.list_tools()\nasync def tools():\n\
         \x20   everything = {{\"read\": READ}}\n    return list(everything.values())\n"
    ));
    let snapshot = fixture.snapshot();
    let target = rename::targets(&snapshot, "read_note", None)[0];
    let texts = |file| fixture.text(&snapshot, file);
    let plan = rename::rename(
        &snapshot,
        target,
        To::new("get_note", Some(&Alias::default())),
        Sources { texts: &texts, around: &fixture },
    );
    assert!(plan.is_err());
}

#[test]
fn names_in_constants_and_functions_that_are_given_by_name() {
    let server = format!(
        "{AROUND}//- /server.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         const name = \"read_note\";\nexport const register = (server: McpServer) => {{\n  server.registerTool(name, {{}}, async () => ({{ content: [] }}));\n}};\n\
         const server = new McpServer({{ name: \"notes\", version: \"1\" }});\nregister(server);\nserver.registerTool(\"write_note\", {{}}, run);\n"
    );
    comes_to_the_same(&server, AliasMode::Listed);
    for (import, call) in [
        ("from mcp.server.fastmcp import FastMCP", "mcp.tool(name='read_note')(reading)"),
        (
            "from mcp.server.fastmcp import FastMCP",
            "mcp.add_tool(\n    reading,\n    name=\"read_note\",\n    description=\"Reads.\",\n)",
        ),
        ("from fastmcp import FastMCP", "mcp.tool(reading, name=\"read_note\")  # by hand"),
    ] {
        let server = format!(
            "{AROUND}//- /server.py\n{import}\n\nmcp = FastMCP(\"notes\")\n\n\ndef reading(id: int) -> str:\n    return \"\"\n\n\n{call}\n\n\n@mcp.tool()\ndef write_note():\n    pass\n"
        );
        comes_to_the_same(&server, AliasMode::Listed);
    }
}

const HIGH: &str = "//- /server.ts\nimport { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
                    const server = new McpServer({ name: \"notes\", version: \"1\" });\n\
                    server.registerTool(\"read_note\", {}, run);\nserver.registerTool(\"write_note\", {}, run);\n\
                    server.registerTool(\"list_notes\", {}, run);\n";

const ANSWERED: &str = r#"
//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const server = new Server({ name: "notes", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: ["read_note", "write_note", "list_notes"].map((name) => ({ name, inputSchema })) }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  switch (request.params.name) {
    case "read_note":
      return read();
  }
});
"#;

/// The files of a workspace after a rename that keeps the old name as a hidden alias.
fn hidden(fixture: &Fixture, old: &str, new: &str) -> Fixture {
    let alias = Alias { mode: AliasMode::Hidden, is_exact: true, ..Alias::default() };
    let mut renamed_fixture = Fixture::parse("");
    renamed_fixture.files = renamed(fixture, old, new, Some(&alias));
    renamed_fixture
}

#[test]
fn what_guards_a_name_that_is_answered_and_not_listed_is_no_dead_entry() {
    let before = Fixture::parse(&format!("{AROUND}{ANSWERED}"));
    // The tool is both allowed and denied.
    let said = ["permission-conflict"];
    assert_eq!(before.rules(), said);
    let after = hidden(&before, "read_note", "get_note");
    assert_eq!(after.rules(), said, "{:#?}", after.files);
    // An alias follows the name that it stands for.
    let later = hidden(&after, "get_note", "see_note");
    assert_eq!(later.rules(), said, "{:#?}", later.files);
    let source = &later.files["server.ts"];
    assert_eq!(source.matches("// toolnames: alias of see_note").count(), 2, "{source}");
}

#[test]
fn what_is_listed_once_more_is_answered_too() {
    let fixture = Fixture::parse(
        "//- /server.ts\nimport { Server } from \"@modelcontextprotocol/sdk/server/index.js\";\n\
         import { CallToolRequestSchema, ListToolsRequestSchema } from \"@modelcontextprotocol/sdk/types.js\";\n\
         const server = new Server({ name: \"notes\", version: \"1\" });\n\
         const TOOLS = [{ name: \"read_note\", description: \"Reads.\", inputSchema: { type: \"object\" } }];\n\
         server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: TOOLS }));\n\
         server.setRequestHandler(CallToolRequestSchema, async (request) => {\n  switch (request.params.name) {\n    case \"read_note\":\n      return read();\n  }\n});\n",
    );
    let source = &renamed(&fixture, "read_note", "get_note", Some(&Alias::default()))["server.ts"];
    assert!(source.contains("case \"read_note\":\n    case \"get_note\":"), "{source}");
}

#[test]
fn a_variable_that_was_there_before_an_alias_stays_behind_it() {
    comes_to_the_same(
        &format!(
            r#"{AROUND}
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({{ name: "notes", version: "1" }});
export const getNoteTool = server.registerTool("read_note", {{ description: "Reads" }}, run);
"#
        ),
        AliasMode::Listed,
    );
}

#[test]
fn what_was_written_for_two_aliases_goes_with_the_last() {
    let source = |variable: &str, name: &str| {
        format!(
            "//- /server.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const server = new McpServer({{ name: \"notes\", version: \"1\" }});\n\
             {variable}server.registerTool(\"{name}\", {{ description: \"Reads\" }}, run);\n"
        )
    };
    for variable in ["", "export const note = "] {
        let mut fixture = Fixture::parse(&source(variable, "read_note"));
        for (old, new) in [("read_note", "get_note"), ("get_note", "fetch_note")] {
            fixture.files = renamed(&fixture, old, new, Some(&Alias::default()));
        }
        for first in 0..2 {
            let aliased = fixture.files.clone();
            let mut fixture = Fixture::parse("");
            fixture.files = aliased;
            for nth in [first, 0] {
                fixture.files = ended_nth(&fixture, nth);
            }
            assert_eq!(fixture.files, Fixture::parse(&source(variable, "fetch_note")).files, "{first}");
        }
    }
}

#[test]
fn each_of_several_aliases_has_a_day_of_its_own() {
    let mut fixture = Fixture::parse(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1" });
server.registerTool("read_note", { description: "Reads" }, run);
"#,
    );
    for (old, new, until) in [("read_note", "get_note", "2027-01-01"), ("get_note", "fetch_note", "2027-06-01")] {
        let alias = Alias { until: Some(until.into()), ..Alias::default() };
        fixture.files = renamed(&fixture, old, new, Some(&alias));
    }
    expect![[r#"
        import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
        const server = new McpServer({ name: "notes", version: "1" });
        // toolnames: alias of fetch_note until 2027-01-01
        for (const alias of [undefined, "read_note",
          // toolnames: alias of fetch_note until 2027-06-01
          "get_note"] as const) {
          server.registerTool(alias ?? "fetch_note", { description: alias ? "Deprecated: use fetch_note." : "Reads" }, run);
        }
    "#]].assert_eq(&fixture.files["server.ts"]);
    let snapshot = fixture.snapshot();
    let day = |name: &str| {
        let (_, tool) = snapshot.analysis().tools().find(|(_, tool)| tool.name == name)?;
        Some(snapshot.files.alias_note(tool)?.until.as_ref()?.1.clone())
    };
    assert_eq!(day("read_note").as_deref(), Some("2027-01-01"));
    assert_eq!(day("get_note").as_deref(), Some("2027-06-01"));
    fixture.files = ended_nth(&fixture, 0);
    expect![[r#"
        import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
        const server = new McpServer({ name: "notes", version: "1" });
        for (const alias of [undefined,
          // toolnames: alias of fetch_note until 2027-06-01
          "get_note"] as const) {
          server.registerTool(alias ?? "fetch_note", { description: alias ? "Deprecated: use fetch_note." : "Reads" }, run);
        }
    "#]].assert_eq(&fixture.files["server.ts"]);
}

#[test]
fn lists_of_every_form_end_with_the_alias() {
    let settings = r#"
//- /.amp/settings.json
{
  "amp.permissions": [
    { "tool": "mcp__notes__read_note", "action": "allow" },
    { "tool": "mcp__notes__write_note", "action": "ask" },
    { "tool": "mcp__notes__read_note", "action": "reject" }
  ]
}
//- /.gemini/policies/notes.toml
[[rule]]
mcpName = "notes"
toolName = "read_note"
decision = "deny"

[[rule]]
mcpName = "notes"
toolName = ["write_note", "read_note"]
decision = "allow"

[[rule]]
mcpName = "notes"
toolName = ["read_note", "write_note"]
decision = "allow"
//- /.codex/config.toml
[mcp_servers.notes]
command = "node"
args = ["server.ts"]
enabled_tools = ["read_note", "write_note"]

[mcp_servers.notes.tools.read_note]
approval_mode = "prompt"
//- /opencode.json
{
  "mcp": { "notes": { "type": "local", "command": ["node", "server.ts"] } },
  "permission": { "notes_read_note": "ask", "notes_write_note": "deny" }
}
//- /.kiro/settings/mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["server.ts"], "autoApprove": ["write_note", "read_note"] } } }
//- /.grok/config.toml
[mcp_servers.notes]
command = "node"
args = ["server.ts"]

[permission]
allow = ["MCPTool(notes__read_note)"]
//- /.continue/permissions.yaml
allow:
  - notes_read_note
  - Read(*)
exclude:
  - notes_read_note
"#;
    comes_to_the_same(
        &format!(
            r#"{AROUND}
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({{ name: "notes", version: "1" }});
server.registerTool("read_note", {{ description: "Reads" }}, run);
server.registerTool("write_note", {{ description: "Writes" }}, run);
{settings}"#
        ),
        AliasMode::Listed,
    );
}

#[test]
fn names_behind_a_prefix_that_is_chosen_when_the_server_starts() {
    comes_to_the_same(
        &format!(
            r#"{AROUND}
//- /server.py
from fastmcp import FastMCP
def create(namespace: str = "") -> FastMCP:
    mcp = FastMCP("notes")
    prefix = namespace + "-" if namespace else ""

    @mcp.tool(name=prefix + "read_note")
    def read_note(title: str) -> str:
        """Reads."""
        return title

    return mcp

def main(namespace: str) -> None:
    create(namespace).run()
"#
        ),
        AliasMode::Listed,
    );
}

#[test]
fn names_that_are_told_apart_by_hand_in_rust() {
    comes_to_the_same(
        &format!(
            r#"{AROUND}
//- /src/main.rs
async fn answer(request: Request) -> Value {{
    match request.method.as_str() {{
        "tools/list" => json!({{ "tools": tools() }}),
        "tools/call" => call(&wanted_by(request)).await,
    }}
}}
pub fn tools() -> Vec<Tool> {{
    vec![
        Tool {{ name: "read_note".to_string(), description: "Reads".to_string(), input_schema: json!({{}}) }},
        Tool {{ name: "write_note".to_string(), description: "Writes".to_string(), input_schema: json!({{}}) }},
        Tool {{ name: "drop_note".to_string(), description: "Drops".to_string(), input_schema: json!({{}}) }},
    ]
}}
async fn call(tool_name: &str) -> String {{
    match tool_name {{
        "read_note" => read(),
        "write_note" => write(),
        "drop_note" => drop(),
    }}
}}
"#
        ),
        AliasMode::Hidden,
    );
}

const TYPED: &str = r#"
//- /src/server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
type ToolName = "read_note" | "write_note";
type Wide =
  | "read_note"
  | "write_note";
const NAMES = [
  "write_note",
  "read_note",
] as const;
const Names = z.enum(["read_note", "write_note"]);
const TOOLS: Tool[] = [
  { name: "read_note", description: "Reads", inputSchema: { type: "object" } },
  { name: "write_note", description: "Writes", inputSchema: { type: "object" } },
];
const handlers: Record<ToolName, () => string> = { read_note: read, write_note: write };
const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: TOOLS }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  const { name } = request.params;
  if (!["read_note", "write_note"].includes(name)) throw new Error(name);
  const known = Names.parse(name);
  return { content: [{ type: "text", text: handlers[known]() }] };
});
//- /test/server.test.ts
expect(names).toEqual(["read_note", "write_note"]); // the tools
"#;

#[test]
fn unions_and_lists_of_names_hold_both() {
    for mode in [AliasMode::Listed, AliasMode::Hidden] {
        comes_to_the_same(&format!("{AROUND}{TYPED}"), mode);
    }
    let fixture = Fixture::parse(TYPED);
    let after = renamed(&fixture, "read_note", "get_note", Some(&Alias::default()));
    expect![[r#"
        import { Server } from "@modelcontextprotocol/sdk/server/index.js";
        type ToolName = "get_note" | "read_note" | "write_note";
        type Wide =
          | "get_note"
          | "read_note"
          | "write_note";
        const NAMES = [
          "write_note",
          "get_note",
          "read_note",
        ] as const;
        const Names = z.enum(["get_note", "read_note", "write_note"]);
        const TOOLS: Tool[] = [
          { name: "get_note", description: "Reads", inputSchema: { type: "object" } },
          { name: "write_note", description: "Writes", inputSchema: { type: "object" } },
        ];
        // toolnames: alias of get_note
        TOOLS.push({ ...TOOLS.find((tool) => tool.name === "get_note")!, name: "read_note", description: "Deprecated: use get_note." });
        const handlers: Record<ToolName, () => string> = { get_note: read,
          // toolnames: alias of get_note
          read_note: read, write_note: write };
        const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
        server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: TOOLS }));
        server.setRequestHandler(CallToolRequestSchema, async (request) => {
          const { name } = request.params;
          if (!["get_note", "read_note", "write_note"].includes(name)) throw new Error(name);
          const known = Names.parse(name);
          return { content: [{ type: "text", text: handlers[known]() }] };
        });
    "#]].assert_eq(&after["src/server.ts"]);
    assert!(after["test/server.test.ts"].contains(r#"toEqual(["get_note", "read_note", "write_note"])"#));
}

#[test]
fn names_of_one_word_are_tools_in_what_says_that_it_is_of_tools() {
    let words = TYPED.replace("_note\"", "\"").replace("_note:", ":").replace("type Wide", "type Mode");
    let fixture = Fixture::parse(&words);
    let after = renamed(&fixture, "read", "fetch", Some(&Alias::default()));
    let source = &after["src/server.ts"];
    assert!(source.contains("type ToolName = \"fetch\" | \"read\" | \"write\";"), "{source}");
    assert!(source.contains("type Mode =\n  | \"read\"\n  | \"write\";"), "{source}");
}

#[test]
fn maps_of_what_runs() {
    let files = |map: &str| {
        format!(
            r#"{AROUND}
//- /src/server.ts
import {{ Server }} from "@modelcontextprotocol/sdk/server/index.js";
const TOOLS = [
  {{ name: "read_note", description: "Reads", inputSchema: {{ type: "object" }} }},
  {{ name: "write_note", description: "Writes", inputSchema: {{ type: "object" }} }},
];
{map}
const server = new Server({{ name: "notes", version: "1.0.0" }}, {{ capabilities: {{ tools: {{}} }} }});
server.setRequestHandler(ListToolsRequestSchema, async () => ({{ tools: TOOLS }}));
server.setRequestHandler(CallToolRequestSchema, async (request) => handlers.get(request.params.name)!(request.params.arguments));
"#
        )
    };
    for map in [
        "const handlers = new Map<string, Handler>([\n  [\"read_note\", read],\n  [\"write_note\", write],\n]);",
        "const handlers = new Map<string, Handler>();\nhandlers.set(\"read_note\", async () => 1);\nhandlers.set(\"write_note\", write);",
    ] {
        comes_to_the_same(&files(map), AliasMode::Listed);
        comes_to_the_same(&files(map), AliasMode::Hidden);
    }
}

#[test]
fn a_decorator_is_written_twice_where_it_returns_the_function() {
    let aliased = |needs: &str| {
        let files = format!(
            "//- /pyproject.toml\n[project]\nname = \"notes\"\ndependencies = [\"{needs}\"]\n//- /server.py\n\
             from fastmcp import FastMCP\n\nmcp = FastMCP(\"notes\")\n\n\n@mcp.tool(timeout=3)\ndef read_note(id: str) -> str:\n    \
             \"\"\"Reads one.\"\"\"\n    return id\n"
        );
        comes_to_the_same(&files, AliasMode::Listed);
        let alias = Alias::default();
        renamed(&Fixture::parse(&files), "read_note", "get_note", Some(&alias)).remove("server.py").unwrap()
    };
    let twice = "@mcp.tool(name=\"read_note\", description=\"Deprecated: use get_note.\", timeout=3)";
    assert!(aliased("fastmcp>=3,<5").contains(twice));
    // The installed version may be one whose decorator returns the tool.
    assert!(!aliased("fastmcp").contains(twice));
    assert!(!aliased("fastmcp>=2.10").contains(twice));
}

#[test]
fn what_gives_a_decorator_back_is_written_twice_as_the_decorator_is() {
    let files = |returned: &str| {
        format!(
            "//- /pyproject.toml\n[project]\nname = \"notes\"\ndependencies = [\"mcp\"]\n//- /app.py\n\
             from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP(\"notes\")\n\n\n\
             def write_tool(**options):\n    if not ENABLED:\n\n        def skip(run):\n            return run\n\n        \
             return skip\n    {returned}\n//- /server.py\nfrom app import write_tool\n\n\n\
             @write_tool(name=\"read_note\")\ndef read(id: str) -> str:\n    return id\n"
        )
    };
    let alias = Alias::default();
    let twice = "# toolnames: alias of get_note\n\
                 @write_tool(name=\"read_note\", description=\"Deprecated: use get_note.\")\n\
                 @write_tool(name=\"get_note\")\ndef read(";
    for returned in ["return mcp.tool(**options)", "registered = mcp.tool(**options)\n    return registered"] {
        let files = files(returned);
        comes_to_the_same(&files, AliasMode::Listed);
        let server = renamed(&Fixture::parse(&files), "read_note", "get_note", Some(&alias)).remove("server.py");
        assert!(server.as_ref().unwrap().contains(twice), "{server:?}");
    }
    // A decorator that returns something other than the function.
    let returned = "def keep(run):\n        mcp.tool(**options)(run)\n        return {\"run\": run}\n\n    return keep";
    let fixture = Fixture::parse(&files(returned));
    let snapshot = fixture.snapshot();
    for target in rename::targets(&snapshot, "read_note", None) {
        let texts = |file| fixture.text(&snapshot, file);
        let sources = Sources { texts: &texts, around: &fixture };
        let plan = rename::rename(&snapshot, target, To::new("get_note", Some(&alias)), sources);
        assert!(plan.is_err(), "{:?}", edited(&fixture, &snapshot, &plan.unwrap()));
    }
}

#[test]
fn a_copy_that_has_the_old_name_gets_no_second_one() {
    let files = r#"//- /pyproject.toml
[project]
name = "notes"
dependencies = ["fastmcp>=2.10"]
//- /server.py
from fastmcp import FastMCP

mcp = FastMCP("notes")


def logged(run):
    return run


def read_note(id: str) -> str:
    """Reads one."""
    return id


mcp.tool("read_note")(logged(read_note))
"#;
    comes_to_the_same(files, AliasMode::Listed);
    let alias = Alias::default();
    let server = renamed(&Fixture::parse(files), "read_note", "get_note", Some(&alias)).remove("server.py").unwrap();
    let again = "mcp.tool(\"read_note\", description=\"Deprecated: use get_note.\")(logged(read_note))";
    assert!(server.contains(again), "{server}");
}

#[test]
fn a_list_from_which_code_picks_by_position_takes_no_alias() {
    let files = |handlers: &str| {
        format!(
            "//- /pyproject.toml\n[project]\nname = \"notes\"\nversion = \"1\"\ndependencies = [\"mcp\"]\n\
             //- /tools.py\nfrom mcp import types\n\nTOOLS = [\n    types.Tool(name=\"list_notes\", inputSchema={{}}),\n    \
             types.Tool(name=\"read_note\", inputSchema={{}}),\n    types.Tool(name=\"drop_note\", inputSchema={{}}),\n]\n\
             //- /server.py\nfrom mcp.server import Server\nfrom tools import TOOLS\n\nserver = Server(\"notes\")\n\
             @server.list_tools()\nasync def list_tools():\n    return TOOLS\n\n{handlers}\n\n\n\
             @server.call_tool()\nasync def call_tool(name, arguments):\n    if name == \"read_note\":\n        return []\n"
        )
    };
    for (handlers, says) in [
        ("HANDLERS = [(TOOLS[2], drop)]", "server.py:9 picks elements of `TOOLS` by their position"),
        ("HANDLERS = dict(zip(TOOLS, [list, read, drop]))", "server.py:9 picks elements of `TOOLS` by their position"),
        ("listing, reading, dropping = TOOLS", "server.py:9 picks elements of `TOOLS` by their position"),
    ] {
        let listed = Alias { is_exact: true, ..Alias::default() };
        let why = refused(&files(handlers), "read_note", "get_note", Some(&listed));
        assert!(why.contains(says), "{why}");
    }
    let after = renamed(&Fixture::parse(&files("FIRST = TOOLS[0]")), "read_note", "get_note", Some(&Alias::default()));
    assert!(after["tools.py"].contains("name=\"read_note\""), "{}", after["tools.py"]);
}

#[test]
fn middleware_goes_to_a_server_and_to_no_provider() {
    let files = "//- /pyproject.toml\n[project]\nname = \"notes\"\nversion = \"1\"\ndependencies = [\"fastmcp>=3\"]\n\
                 //- /tools.py\nfrom fastmcp.server.providers import LocalProvider\n\nprovider = LocalProvider()\n\n\n\
                 @provider.tool(tags={\"ops\"})\ndef read_note() -> str:\n    return \"\"\n";
    let exact = Alias { mode: AliasMode::Hidden, is_exact: true, ..Alias::default() };
    let why = refused(files, "read_note", "get_note", Some(&exact));
    assert!(why.contains("the code does not show that it is registered with a server"), "{why}");
}

#[test]
fn a_registration_that_is_returned_is_written_before_the_return() {
    let files = r#"//- /pyproject.toml
[project]
name = "notes"
dependencies = ["mcp"]
//- /server.py
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")
DOCS = {"read_note": "Reads one.", "drop_note": "Drops one."}


def register(function, name):
    return mcp.tool(name=name, description=DOCS[name])(function)


register(read, "read_note")
register(drop, "drop_note")
"#;
    comes_to_the_same(files, AliasMode::Listed);
    let fixture = Fixture::parse(files);
    let after = renamed(&fixture, "read_note", "get_note", Some(&Alias::default()));
    let expected = r#"def register(function, name):
    # toolnames: alias of get_note
    if name == "get_note":
        mcp.tool(name="read_note", description="Deprecated: use get_note.")(function)
    return mcp.tool(name=name, description=DOCS[name])(function)
"#;
    assert!(after["server.py"].contains(expected), "{}", after["server.py"]);
}

#[test]
fn a_definition_that_a_function_makes_is_listed_once_more_where_it_is_called() {
    let files = r#"//- /pyproject.toml
[project]
name = "notes"
//- /tools.py
READ = "read_note"


def make_reader(store):
    def read(arguments):
        return store

    return read


def read_tool(*, store=None):
    return {
        "name": READ,
        "description": "Reads one.",
        "inputSchema": {"type": "object"},
        "handler": make_reader(store),
    }
//- /server.py
from tools import read_tool


def definitions(store):
    return [
        read_tool(store=store),
    ]


def answer(message):
    if message["method"] == "tools/list":
        return {"tools": definitions(STORE)}
"#;
    comes_to_the_same(files, AliasMode::Listed);
    let fixture = Fixture::parse(files);
    let after = renamed(&fixture, "read_note", "get_note", Some(&Alias::default()));
    let expected = r#"        read_tool(store=store),
        # toolnames: alias of get_note
        {**read_tool(store=store), "name": "read_note", "description": "Deprecated: use get_note."},
"#;
    assert!(after["server.py"].contains(expected), "{}", after["server.py"]);
}

#[test]
fn a_definition_that_a_helper_puts_into_a_list_is_put_there_once_more() {
    let files = r#"//- /package.json
{ "name": "notes", "type": "module", "main": "server.ts", "dependencies": { "@modelcontextprotocol/sdk": "^1.24.0" } }
//- /read.ts
export const readNote = { name: "read_note", description: "Reads.", inputSchema: { type: "object" } };
export const dropNote = { name: "drop_note", description: "Drops.", inputSchema: { type: "object" } };
//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { dropNote, readNote } from "./read.js";

function withCategory(meta: { name: string; description: string; inputSchema: unknown }, category: string) {
  return { ...meta, category };
}
const handlers: Record<string, () => unknown> = {
  read_note: read,
  drop_note: drop,
};
const server = new Server({ name: "notes", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    withCategory(readNote, "core"),
    withCategory(dropNote, "core"),
  ],
}));
server.setRequestHandler(CallToolRequestSchema, async (request) => handlers[request.params.name]());
"#;
    comes_to_the_same(files, AliasMode::Listed);
    let after = renamed(&Fixture::parse(files), "read_note", "get_note", Some(&Alias::default()));
    let expected = r#"    // toolnames: alias of get_note
    withCategory({ ...readNote, name: "read_note", description: "Deprecated: use get_note." }, "core"),
"#;
    assert!(after["server.ts"].contains(expected), "{}", after["server.ts"]);
}

#[test]
fn a_call_of_a_function_that_registers_is_made_for_both_names() {
    let files = r#"//- /package.json
{ "name": "notes", "type": "module", "main": "server.ts", "dependencies": { "@modelcontextprotocol/sdk": "^1.24.0" } }
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

const names = { read: { name: "read_note" }, drop: { name: "drop_note" } };
const READ = names["read"].name;
const registerTraced = (server: McpServer, name: string, config: object, run: () => unknown) => {
  server.registerTool(name, config, () => run());
};
const server = new McpServer({ name: "notes", version: "1" });
registerTraced(server, READ, { description: "Reads." }, run);
registerTraced(server, names.drop.name, { description: "Drops." }, run);
"#;
    comes_to_the_same(files, AliasMode::Listed);
    let after = renamed(&Fixture::parse(files), "read_note", "get_note", Some(&Alias::default()));
    let expected = r#"for (const alias of [undefined, "read_note"] as const) {
  registerTraced(server, alias ?? READ, { description: alias ? "Deprecated: use get_note." : "Reads." }, run);
}
"#;
    assert!(after["server.ts"].contains(expected), "{}", after["server.ts"]);
}

#[test]
fn a_tool_that_two_branches_register_is_renamed_in_both() {
    comes_to_the_same(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });

if (process.env.NOTES_TASKS) {
  server.registerTool("read_note", { description: "Reads a note in a task.", inputSchema: {} }, readInTask);
} else {
  server.registerTool("read_note", { description: "Reads a note.", inputSchema: {} }, read);
}
"#,
        AliasMode::Listed,
    );
    comes_to_the_same(
        r#"
//- /server.py
import os

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")

if os.environ.get("NOTES_TASKS"):

    @mcp.tool(name="read_note")
    def read_in_task() -> str:
        """Reads a note in a task."""
        return ""

else:

    @mcp.tool(name="read_note")
    def read() -> str:
        """Reads a note."""
        return ""
"#,
        AliasMode::Listed,
    );
}

#[test]
fn a_call_that_registers_a_tool_by_hand_in_rust_is_made_twice() {
    let server = |handler: &str| {
        format!(
            r#"
//- /Cargo.toml
[package]
name = "notes"
version = "1.0.0"
//- /src/main.rs
use serde_json::{{json, Value}};
use std::collections::HashMap;

fn serve(registry: &Registry, request: Request) -> Value {{
    match request.method.as_str() {{
        "tools/list" => json!({{ "tools": registry.list() }}),
        "tools/call" => registry.tools.get(request.params["name"].as_str().unwrap()).map(|tool| (tool.handler)()).into(),
        _ => Value::Null,
    }}
}}

struct Tool {{
    name: String,
    description: String,
    handler: fn() -> Value,
}}

struct Registry {{
    tools: HashMap<String, Tool>,
}}

impl Registry {{
    fn register(&mut self, name: &str, description: &str, handler: fn() -> Value) {{
        let tool = Tool {{ name: name.to_string(), description: description.to_string(), handler }};
        self.tools.insert(name.to_string(), tool);
    }}

    fn list(&self) -> Vec<Value> {{
        let mut result = Vec::new();
        for tool in self.tools.values() {{
            result.push(json!({{ "name": tool.name, "description": tool.description, "inputSchema": {{}} }}));
        }}
        result
    }}
}}

fn main() {{
    let mut registry = Registry {{ tools: HashMap::new() }};
    let boxed = make();
    registry.register("read_note", "Reads a note.", {handler});
    for request in requests() {{
        serve(&registry, request);
    }}
}}
"#
        )
    };
    comes_to_the_same(&server("read_note"), AliasMode::Listed);
    // A variable is moved by the first call.
    let alias = Alias { mode: AliasMode::Listed, is_exact: true, ..Alias::default() };
    refused(&server("boxed"), "read_note", "get_note", Some(&alias));
}

#[test]
fn a_tool_that_is_listed_and_registered_has_one_alias() {
    comes_to_the_same(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const tools = [
  { name: "read_note", description: "Reads a note.", run: read },
  { name: "drop_note", description: "Drops a note.", run: drop },
];
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: tools.map(({ name, description }) => ({ name, description, inputSchema: { type: "object" } })),
}));
for (const tool of tools) server.registerTool(tool.name, { description: tool.description }, tool.run);
"#,
        AliasMode::Listed,
    );
}
