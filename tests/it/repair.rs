//! Fixes and renames: what they change, and that they change nothing else.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use toolnames::testing::convention::{Context, Convention};
use toolnames::testing::diagnostic::Severity;
use toolnames::testing::rename::{Sources, To};
use toolnames::testing::text::apply_edits;
use toolnames::testing::workspace::Storage;
use toolnames::testing::{cursor, fix, rename};

use super::fixture::Fixture;

/// The files that `fix` changes, with their new texts.
fn fixed(fixture: &Fixture, options: fix::Options) -> BTreeMap<String, String> {
    let snapshot = fixture.snapshot();
    let texts = |file| fixture.text(&snapshot, file);
    let fixed = fix::fix(&snapshot, &|_| true, Sources { texts: &texts, around: fixture }, options);
    fixed.files.into_iter().map(|(file, (text, _))| (snapshot.files.path(file).to_string(), text)).collect()
}

fn shown(files: &BTreeMap<String, String>) -> String {
    files.iter().map(|(path, text)| format!("//- /{path}\n{}", text.replace('\r', "␍"))).collect()
}

#[track_caller]
fn check_fix(text: &str, options: fix::Options, expected: Expect) {
    let mut fixture = Fixture::parse(text);
    let first = fixed(&fixture, options);
    for (path, new) in &first {
        let returns = |text: &str| text.matches('\r').count();
        assert_eq!(returns(new), returns(&fixture.files[path]), "line ends stay as they are");
    }
    expected.assert_eq(&shown(&first));
    fixture.files.extend(first);
    assert_eq!(fixed(&fixture, options), BTreeMap::new(), "a second fix changes nothing");
}

/// Renames the tool at the cursor, and checks the changed files or the refusal.
#[track_caller]
fn check_rename(text: &str, new: &str, expected: Expect) {
    let fixture = Fixture::parse(text);
    let snapshot = fixture.snapshot();
    let (path, offset) = fixture.cursor.clone().expect("a cursor");
    let file = snapshot.files.by_path(&path).unwrap().id;
    let texts = |file| fixture.text(&snapshot, file);
    let sources = Sources { texts: &texts, around: &fixture };
    let out = match cursor::rename(&snapshot, file, offset, new, false, sources) {
        Err(refusal) => format!("{refusal}\n"),
        Ok(plan) => {
            let edits = plan.edits();
            let changed = edits.iter().map(|(file, edits)| (snapshot.files.path(*file).to_string(), edits));
            let documents = plan.documents.iter().filter(|(_, document)| !document.edits.is_empty());
            let documents = documents.map(|(path, document)| (path.clone(), &document.edits));
            let changed = changed.chain(documents).map(|(path, edits)| {
                let text = apply_edits(&fixture.read(&path).unwrap(), edits).unwrap();
                (path, text)
            });
            shown(&changed.collect())
        }
    };
    expected.assert_eq(&out);
}

const TS: &str = r#"import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "s", version: "1.0.0" });
"#;

#[test]
fn a_fix_touches_only_the_characters_at_fault() {
    check_fix(
        &format!(
            "//- /.mcp.json
{{ \"mcpServers\": {{ \"s\": {{ \"command\": \"node\", \"args\": [\"server.ts\"] }} }} }}
//- /server.ts
{TS}server.registerTool(\"read\", {{}}, run);
//- /.claude/settings.json
{{\r
\t\"permissions\": {{ // who may do what\r
\t\t\"allow\": [ \"mcp__s__raed\",   /* twice */ \"mcp__s__read\", ],\r
\t\t'odd': 1\r
\t}}\r
}}\r
"
        ),
        fix::Options::default(),
        expect![[r#"
            //- /.claude/settings.json
            {␍
            	"permissions": { // who may do what␍
            		"allow": [ "mcp__s__read",   /* twice */  ],␍
            		'odd': 1␍
            	}␍
            }␍
        "#]],
    );
}

#[test]
fn wire_names_change_only_when_that_is_asked_for() {
    let text = format!("//- /server.ts\n{TS}server.registerTool('read file', {{}}, run);\n");
    check_fix(&text, fix::Options::default(), expect![""]);
    check_fix(
        &text,
        fix::Options { unsafe_too: true, ..fix::Options::default() },
        expect![[r#"
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "s", version: "1.0.0" });
            server.registerTool('read_file', {}, run);
        "#]],
    );
}

#[test]
fn a_condition_on_a_name_among_many_goes_with_it() {
    let text = format!(
        "//- /server.ts\n{TS}server.registerTool('drop note', {{}}, run);\nserver.registerTool('read note', {{}}, run);\nexport const isHidden = (name: string) => name.startsWith('drop n');\n"
    );
    check_fix(
        &text,
        fix::Options { unsafe_too: true, ..fix::Options::default() },
        expect![[r#"
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "s", version: "1.0.0" });
            server.registerTool('drop_note', {}, run);
            server.registerTool('read_note', {}, run);
            export const isHidden = (name: string) => name.startsWith('drop n') || name === 'drop_note';
        "#]],
    );
}

#[test]
fn an_allow_entry_never_comes_to_allow_a_whole_server_by_itself() {
    check_fix(
        r#"
//- /.mcp.json
{ "mcpServers": { "github": { "type": "http", "url": "https://example.com" } } }
//- /.claude/settings.json
{ "permissions": { "allow": ["mcp__github__", "mcp_github", "mcp__github__delete(title:x)"] } }
"#,
        fix::Options { unsafe_too: true, ..fix::Options::default() },
        expect![""],
    );
}

#[test]
fn a_rename_lands_where_the_text_was_born_and_permissions_follow() {
    check_rename(
        &format!(
            r#"
//- /.mcp.json
{{ "mcpServers": {{ "acme": {{ "command": "node", "args": ["server.ts"] }} }} }}
//- /.claude/settings.json
{{ "permissions": {{ "allow": ["mcp__acme__acme_list"], "deny": ["mcp__acme__acme_list"], "ask": ["mcp__acme__other"] }} }}
//- /server.ts
{TS}const PREFIX = "acme_";
const add = (name) => server.registerTool(PREFIX + name, {{}}, run);
add("li$0st");
add("get");
"#
        ),
        "list_all",
        expect![[r#"
            //- /.claude/settings.json
            { "permissions": { "allow": ["mcp__acme__acme_list_all"], "deny": ["mcp__acme__acme_list_all"], "ask": ["mcp__acme__other"] } }
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "s", version: "1.0.0" });
            const PREFIX = "acme_";
            const add = (name) => server.registerTool(PREFIX + name, {}, run);
            add("list_all");
            add("get");
        "#]],
    );
}

#[test]
fn a_rename_starts_from_a_permission_string_too() {
    check_rename(
        r#"
//- /.mcp.json
{ "mcpServers": { "py": { "command": "python", "args": ["server.py"] } } }
//- /.claude/settings.json
{ "permissions": { "ask": ["mcp__py__stat$0us"] } }
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("py")

@mcp.tool(description="x")
def status(): ...

@mcp.tool()
def other(): return status()
"#,
        "state",
        expect![[r#"
            //- /.claude/settings.json
            { "permissions": { "ask": ["mcp__py__state"] } }
            //- /server.py
            from mcp.server.fastmcp import FastMCP
            mcp = FastMCP("py")

            @mcp.tool(name="state", description="x")
            def status(): ...

            @mcp.tool()
            def other(): return status()
        "#]],
    );
}

#[test]
fn names_that_a_server_dispatches_by_follow() {
    check_rename(
        r#"
//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const server = new Server({ name: "low", version: "1.0.0" }, {});
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: "o$0ne" }, { name: "two" }] }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  switch (request.params.name) {
    case "one":
      return run("one");
    case "two":
      return two();
  }
});
"#,
        "uno",
        expect![[r#"
            //- /server.ts
            import { Server } from "@modelcontextprotocol/sdk/server/index.js";
            import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
            const server = new Server({ name: "low", version: "1.0.0" }, {});
            server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: "uno" }, { name: "two" }] }));
            server.setRequestHandler(CallToolRequestSchema, async (request) => {
              switch (request.params.name) {
                case "uno":
                  return run("one");
                case "two":
                  return two();
              }
            });
        "#]],
    );
}

#[test]
fn handlers_in_maps_follow_and_other_words_stay() {
    check_rename(
        r#"
//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const server = new Server({ name: "low", version: "1.0.0" }, {});
const handlers = { list: async () => 1, "two": two };
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: "li$0st" }, { name: "two" }] }));
server.setRequestHandler(CallToolRequestSchema, async (request) => handlers[request.params.name]());
if (process.argv[2] === "list") main();
"#,
        "list-all",
        expect![[r#"
            //- /server.ts
            import { Server } from "@modelcontextprotocol/sdk/server/index.js";
            import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
            const server = new Server({ name: "low", version: "1.0.0" }, {});
            const handlers = { "list-all": async () => 1, "two": two };
            server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: "list-all" }, { name: "two" }] }));
            server.setRequestHandler(CallToolRequestSchema, async (request) => handlers[request.params.name]());
            if (process.argv[2] === "list") main();
        "#]],
    );
}

#[test]
fn only_what_the_called_name_reaches_follows() {
    check_rename(
        r#"
//- /package.json
{ "dependencies": { "@modelcontextprotocol/sdk": "1" } }
//- /src/index.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { run } from "./run.js";
const server = new Server({ name: "db", version: "1" });
const Query = z.object({ query: z.string() });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: "que$0ry" }, { name: "tables" }] }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
    const { name, arguments: args } = request.params;
    return run(name, Query.parse(args));
});
//- /src/run.ts
import { HANDLERS } from "./handlers.js";
export async function run(tool, args) {
    if (args.user.name === "query") return null;
    if (tool in HANDLERS) return HANDLERS[tool]({ query: args.query });
    throw new Error(tool);
}
//- /src/handlers.ts
export const HANDLERS = {
    query: (args) => args,
    "tables": (args) => args,
};
"#,
        "run_query",
        expect![[r#"
            //- /src/handlers.ts
            export const HANDLERS = {
                run_query: (args) => args,
                "tables": (args) => args,
            };
            //- /src/index.ts
            import { Server } from "@modelcontextprotocol/sdk/server/index.js";
            import { run } from "./run.js";
            const server = new Server({ name: "db", version: "1" });
            const Query = z.object({ query: z.string() });
            server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: "run_query" }, { name: "tables" }] }));
            server.setRequestHandler(CallToolRequestSchema, async (request) => {
                const { name, arguments: args } = request.params;
                return run(name, Query.parse(args));
            });
        "#]],
    );
    check_rename(
        r#"
//- /notes/server.py
from mcp.server import Server
from mcp.types import Tool
from .handlers import dispatch

server = Server("notes")

@server.list_tools()
async def list_tools():
    return [Tool(name="fet$0ch", inputSchema={})]

@server.call_tool()
async def call_tool(name, arguments):
    timings = {"fetch": 0.0}
    timings["fetch"] += 1
    return await dispatch(name, arguments)
//- /notes/handlers.py
async def dispatch(name: str, arguments: dict):
    for branch in arguments["branches"]:
        if branch.name == "fetch":
            return None
    if name == "fetch":
        return []
    raise ValueError(name)
"#,
        "get_page",
        expect![[r#"
            //- /notes/handlers.py
            async def dispatch(name: str, arguments: dict):
                for branch in arguments["branches"]:
                    if branch.name == "fetch":
                        return None
                if name == "get_page":
                    return []
                raise ValueError(name)
            //- /notes/server.py
            from mcp.server import Server
            from mcp.types import Tool
            from .handlers import dispatch

            server = Server("notes")

            @server.list_tools()
            async def list_tools():
                return [Tool(name="get_page", inputSchema={})]

            @server.call_tool()
            async def call_tool(name, arguments):
                timings = {"fetch": 0.0}
                timings["fetch"] += 1
                return await dispatch(name, arguments)
        "#]],
    );
}

#[test]
fn an_allow_entry_never_comes_to_allow_another_tool_by_itself() {
    check_fix(
        &format!(
            r#"
//- /.mcp.json
{{ "mcpServers": {{ "db": {{ "command": "node", "args": ["server.ts"] }} }} }}
//- /server.ts
{TS}server.registerTool("set_user", {{}}, run);
server.registerTool("lock_door", {{}}, run);
server.registerTool("read_rows", {{}}, run);
//- /.claude/settings.json
{{ "permissions": {{ "allow": ["mcp__db__get_user", "mcp__db__unlock_door", "mcp__db_x", "mcp__db__raed_rows"] }} }}
"#
        ),
        fix::Options::default(),
        expect![[r#"
            //- /.claude/settings.json
            { "permissions": { "allow": ["mcp__db__get_user", "mcp__db__unlock_door", "mcp__db_x", "mcp__db__read_rows"] } }
        "#]],
    );
}

#[test]
fn rust_tools_get_a_name_beside_their_identifier() {
    check_rename(
        r#"
//- /Cargo.toml
[package]
name = "clock"
//- /src/main.rs
use rmcp::{tool, tool_router};
#[tool_router]
impl Clock {
    #[tool]
    fn n$0ow(&self) {}
    #[tool(description = "x")]
    fn later(&self) {}
}
"#,
        "time",
        expect![[r#"
            //- /src/main.rs
            use rmcp::{tool, tool_router};
            #[tool_router]
            impl Clock {
                #[tool(name = "time")]
                fn now(&self) {}
                #[tool(description = "x")]
                fn later(&self) {}
            }
        "#]],
    );
}

#[test]
fn a_new_name_may_be_given_in_full_or_as_source_writes_it() {
    let text = format!(
        r#"
//- /.mcp.json
{{ "mcpServers": {{ "s": {{ "command": "node", "args": ["server.ts"] }} }} }}
//- /server.ts
{TS}const PREFIX = "acme_";
server.registerTool(PREFIX + "a$0a", {{}}, run);
server.registerTool(PREFIX + "bb", {{}}, run);
"#
    );
    for new in ["cc", "acme_cc", "mcp__s__acme_cc"] {
        check_rename(
            &text,
            new,
            expect![[r#"
                //- /server.ts
                import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
                const server = new McpServer({ name: "s", version: "1.0.0" });
                const PREFIX = "acme_";
                server.registerTool(PREFIX + "cc", {}, run);
                server.registerTool(PREFIX + "bb", {}, run);
            "#]],
        );
    }
}

#[test]
fn a_name_that_cannot_be_had_is_refused_with_the_reason() {
    let taken = format!(
        "//- /server.ts\n{TS}server.registerTool(\"a$0a\", {{}}, run);\nserver.registerTool(\"bb\", {{}}, run);\n"
    );
    check_rename(
        &taken,
        "bb",
        expect![[r#"
            cannot rename `aa` to `bb`: `s` already has a tool `bb`
        "#]],
    );
    check_rename(
        &taken,
        "b b",
        expect![[r#"
            invalid tool name `b b`: MCP tool names cannot contain spaces
        "#]],
    );
    check_rename(
        &taken,
        "",
        expect![[r#"
        the new name is empty
    "#]],
    );
}

#[test]
fn no_rename_opens_a_hole_in_a_deny_list() {
    let guarded = |list: &str, entry: &str| {
        format!(
            r#"
//- /.mcp.json
{{ "mcpServers": {{ "s": {{ "command": "node", "args": ["server.ts"] }} }} }}
//- /.claude/settings.json
{{ "permissions": {{ "{list}": ["{entry}"] }} }}
//- /server.ts
{TS}server.registerTool("delete$0_all", {{}}, run);
"#
        )
    };
    check_rename(
        &guarded("deny", "mcp__s__delete_*"),
        "remove_all",
        expect![[r#"
            //- /.claude/settings.json
            { "permissions": { "deny": ["mcp__s__delete_*", "mcp__s__remove_all"] } }
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "s", version: "1.0.0" });
            server.registerTool("remove_all", {}, run);
        "#]],
    );
    check_rename(
        &guarded("allow", "mcp__s__read_*"),
        "read_all",
        expect![[r#"
            cannot rename `delete_all` to `read_all`: `mcp__s__read_*` in .claude/settings.json would allow the tool under the new name; remove that entry first
        "#]],
    );
}

#[test]
fn a_shared_piece_is_not_one_tools_name() {
    let fixture = Fixture::parse(&format!(
        "//- /server.ts\n{TS}const PREFIX = \"ac$0me_\";\nserver.registerTool(PREFIX + \"a\", {{}}, run);\nserver.registerTool(PREFIX + \"b\", {{}}, run);\n"
    ));
    let snapshot = fixture.snapshot();
    let (path, offset) = fixture.cursor.clone().unwrap();
    let file = snapshot.files.by_path(&path).unwrap().id;
    let text = fixture.text(&snapshot, file).unwrap();
    assert!(cursor::prepare_rename(&snapshot, file, offset, &text).is_none());
    let target = rename::targets(&snapshot, "acme_a", None)[0];
    // The other tool keeps the prefix, so the new name is written as one literal.
    let texts = |file| fixture.text(&snapshot, file);
    let sources = Sources { texts: &texts, around: &fixture };
    let plan = rename::rename(&snapshot, target, To::new("acne_a", None), sources).unwrap();
    let text = apply_edits(&text, &plan.edits()[&file]).unwrap();
    assert!(text.contains("registerTool(\"acne_a\", {}, run);\nserver.registerTool(PREFIX + \"b\""), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_proposed_is_judged_clean(name in "\\PC{0,40}|[a-zA-Z_.:/ -]{1,30}", profile in prop::sample::select(Convention::profiles().collect::<Vec<_>>())) {
        let convention = Convention::profile(profile).unwrap();
        for proposal in convention.propose(&name, Context::default()) {
            let judged = convention.judge(&proposal);
            prop_assert!(judged.iter().all(|breach| breach.severity < Severity::Warning), "{} → {}: {:?}", name, proposal, judged);
        }
    }

    #[test]
    fn fixing_any_permission_list_twice_equals_fixing_it_once(entries in prop::collection::vec("(mcp|MCP|)_{0,3}(notes|ntoes|github|)_{0,3}(read|raed|Read-Note|read_note|\\*|)[ (*):]{0,2}", 0..6)) {
        let list: Vec<String> = entries.iter().map(|entry| format!("{entry:?}")).collect();
        let text = format!(
            "//- /.mcp.json\n{{ \"mcpServers\": {{ \"notes\": {{ \"command\": \"node\", \"args\": [\"server.ts\"] }} }} }}\n//- /server.ts\n{TS}server.registerTool(\"read_note\", {{}}, run);\n//- /.claude/settings.json\n{{ \"permissions\": {{ \"allow\": [{}] }} }}\n",
            list.join(", ")
        );
        let mut fixture = Fixture::parse(&text);
        let first = fixed(&fixture, fix::Options::default());
        fixture.files.extend(first);
        prop_assert_eq!(fixed(&fixture, fix::Options::default()), BTreeMap::new());
    }
}

#[test]
fn schemas_are_repaired_in_the_way_they_are_written() {
    check_fix(
        r#"
//- /toolnames.toml
profile = "browser"
//- /zod.ts
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
const server = new McpServer({ name: 'zod', version: '1' });
server.registerTool('browser_open', {
  inputSchema: { url: z.string().describe('where'), timeout: z.number().int().default(5) },
}, run);
//- /low.py
from mcp.server.lowlevel import Server
import mcp.types as types

server = Server("low")

@server.list_tools()
async def tools():
    return [types.Tool(name="browser_read", inputSchema={
        "properties": {
            "direction": {"type": "string", "description": "one of 'up' or 'down'"},
        },
        "required": ["directoin"],
    })]
"#,
        fix::Options { unsafe_too: true, ..fix::Options::default() },
        expect![[r#"
            //- /low.py
            from mcp.server.lowlevel import Server
            import mcp.types as types

            server = Server("low")

            @server.list_tools()
            async def tools():
                return [types.Tool(name="browser_read", inputSchema={
                    "type": "object",
                    "properties": {
                        "direction": {"type": "string", "description": "one of 'up' or 'down'", "enum": ["up", "down"]},
                    },
                    "required": ["direction"],
                })]
            //- /zod.ts
            import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
            import { z } from 'zod';
            const server = new McpServer({ name: 'zod', version: '1' });
            server.registerTool('browser_open', {
              inputSchema: { url: z.string().url().describe('where'), timeout: z.number().min(0).int().default(5) },
            }, run);
        "#]],
    );
}

#[test]
fn a_rename_starts_wherever_the_tool_is_spoken_of() {
    let server = "//- /.mcp.json\n{ \"mcpServers\": { \"notes\": { \"command\": \"node\", \"args\": [\"server.ts\"] } } }\n\
                  //- /package.json\n{ \"name\": \"notes\", \"version\": \"1.0.0\" }\n//- /server.ts\n\
                  import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
                  const server = new McpServer({ name: \"notes\", version: \"1\" });\n\
                  server.registerTool(\"read_note\", {}, run);\nserver.registerTool(\"find\", {}, run);\n";
    for (place, expected) in [
        ("//- /README.md\nCall `read_$0note` first.\n", Some("read_note")),
        ("//- /README.md\nCall mcp__notes__read_n$0ote first.\n", Some("read_note")),
        ("//- /README.md\nCall mcp__no$0tes__read_note first.\n", None),
        ("//- /README.md\nWe `fi$0nd` it in src/read_note.ts.\n", None),
        ("//- /README.md\nIt stands in src/read_$0note.ts.\n", None),
        ("//- /other.ts\n// Call read_$0note first.\nexport const n = 1;\n", Some("read_note")),
        ("//- /other.ts\nexport const prompt = \"Call read_$0note first.\";\n", Some("read_note")),
        ("//- /other.ts\nexport const read_$0note = 1;\n", None),
        ("//- /tests/a.test.ts\nexpect(tools).toContain(\"read_n$0ote\");\n", Some("read_note")),
        ("//- /tests/a.test.ts\nexpect(columns).toContain(\"read_n$0ote\");\n", None),
        ("//- /src/client.ts\nawait client.callTool({ name: \"read_n$0ote\" });\n", Some("read_note")),
        (
            "//- /toolnames.lock\nversion = 1\n\n[[tool]]\nserver = \"notes\"\nname = \"read_n$0ote\"\n",
            Some("read_note"),
        ),
    ] {
        let fixture = Fixture::parse(&format!("{server}{place}"));
        let snapshot = fixture.snapshot();
        let (path, offset) = fixture.cursor.clone().unwrap();
        let text = fixture.files[&path].clone();
        let file = snapshot.files.by_path(&path).map(|file| file.id);
        let found = file.and_then(|file| cursor::prepare_rename(&snapshot, file, offset, &text));
        let found = found.map(|(span, shown, _)| (text[span.range()].to_string(), shown.to_string()));
        assert_eq!(found, expected.map(|name| (name.to_string(), name.to_string())), "{place}");
    }
}
