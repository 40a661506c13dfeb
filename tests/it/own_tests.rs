//! A project's own tests after a rename that keeps the old name listed: they still pass.

use expect_test::{Expect, expect};
use toolnames::testing::rename::{Alias, To};

use super::fixture::Fixture;
use super::renaming::renamed_with;
use super::way_back::tool_there_and_back;

const SERVER: &str = r#"
//- /package.json
{ "name": "notes", "version": "1.0.0", "dependencies": { "@modelcontextprotocol/sdk": "^1.30.0" } }
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", { description: "Reads." }, run);
server.registerTool("list_notes", { description: "Lists." }, run);
server.registerTool("drop_note", { description: "Drops." }, run);
"#;

/// Checks a test file of a server's project after `read_note` is renamed, and that the rename can be reversed byte for
/// byte.
#[track_caller]
fn expects(files: &str, path: &str, test: &str, expected: Expect) {
    let files = format!("{files}//- /{path}\n{test}");
    let (after, _) =
        renamed_with(&Fixture::parse(&files), "read_note", To::new("get_note", Some(&Alias::default()))).unwrap();
    expected.assert_eq(&after[path]);
    tool_there_and_back(&Fixture::parse(&files), "read_note", "get_note");
}

#[test]
fn a_list_that_is_compared_has_both_and_one_that_is_gone_through_the_new_name() {
    expects(
        SERVER,
        "tests/server.test.ts",
        r#"
const ALL = ["read_note", "list_notes", "drop_note"];
expect(tools.map((tool) => tool.name)).toEqual(ALL);
const described = ["read_note", "list_notes"] as const;
for (const name of described) {
  expect(byName(name).description).toContain("s");
  expect(described.filter((other) => other !== name).length).toBe(1);
}
const titled = ["read_note", "list_notes"];
titled.forEach((name) => expect(byName(name).title).toBeDefined());
const gone = ["read_note", "list_notes"];
for (const name of gone) expect(names).not.toContain(name);
"#,
        expect![[r#"

            const ALL = ["get_note", "read_note", "list_notes", "drop_note"];
            expect(tools.map((tool) => tool.name)).toEqual(ALL);
            const described = ["get_note", "list_notes"] as const;
            for (const name of described) {
              expect(byName(name).description).toContain("s");
              expect(described.filter((other) => other !== name).length).toBe(1);
            }
            const titled = ["get_note", "list_notes"];
            titled.forEach((name) => expect(byName(name).title).toBeDefined());
            const gone = ["get_note", "read_note", "list_notes"];
            for (const name of gone) expect(names).not.toContain(name);
        "#]],
    );
}

#[test]
fn what_a_test_makes_and_lists_itself_follows_the_name() {
    expects(
        SERVER,
        "tests/client.test.ts",
        r#"
const client = clientOf([
  { name: "read_note", run },
  { name: "list_notes", run },
]);
expect((await client.listTools()).map(nameOf)).toEqual(["read_note", "list_notes"]);
"#,
        expect![[r#"

            const client = clientOf([
              { name: "get_note", run },
              { name: "list_notes", run },
            ]);
            expect((await client.listTools()).map(nameOf)).toEqual(["get_note", "list_notes"]);
        "#]],
    );
}

#[test]
fn a_test_that_calls_every_tool_makes_none() {
    expects(
        SERVER,
        "tests/protocol.test.ts",
        r#"
const read = await client.callTool({ name: "read_note", arguments: {} });
const list = await client.callTool({ name: "list_notes", arguments: {} });
const drop = await client.callTool({ name: "drop_note", arguments: {} });
expect(names).toEqual(["read_note", "list_notes", "drop_note"]);
"#,
        expect![[r#"

            const read = await client.callTool({ name: "get_note", arguments: {} });
            const list = await client.callTool({ name: "list_notes", arguments: {} });
            const drop = await client.callTool({ name: "drop_note", arguments: {} });
            expect(names).toEqual(["get_note", "read_note", "list_notes", "drop_note"]);
        "#]],
    );
}

#[test]
fn a_list_of_tools_in_data_has_both() {
    expects(
        SERVER,
        "claims.json",
        "{\n  \"names\": [\n    \"drop_note\",\n    \"read_note\"\n  ],\n  \"some\": [\"read_note\", \"list_notes\"],\n  \"other\": [\"read_note\", \"table\"]\n}\n",
        expect![[r#"
            {
              "names": [
                "drop_note",
                "get_note",
                "read_note"
              ],
              "some": ["get_note", "read_note", "list_notes"],
              "other": ["read_note", "table"]
            }
        "#]],
    );
}

#[test]
fn an_app_calls_the_tool_of_its_own_server() {
    expects(
        SERVER,
        "web/app.tsx",
        r#"
const run = await app.callServerTool({ name: "read_note", arguments: { kind: "read_note" } });
const other = await upstream.callTool({ kind: "read_note" });
"#,
        expect![[r#"

            const run = await app.callServerTool({ name: "get_note", arguments: { kind: "read_note" } });
            const other = await upstream.callTool({ kind: "read_note" });
        "#]],
    );
}

#[test]
fn a_string_that_lists_tools_has_both() {
    expects(
        SERVER,
        "tests/server.test.ts",
        r#"
vi.stubEnv("INCLUDE_TOOLS", "read_note,list_notes");
expect(included()).toEqual(["read_note", "list_notes"]);
vi.stubEnv("LIMITS", "read_note:100");
"#,
        expect![[r#"

            vi.stubEnv("INCLUDE_TOOLS", "get_note,read_note,list_notes");
            expect(included()).toEqual(["get_note", "read_note", "list_notes"]);
            vi.stubEnv("LIMITS", "read_note:100");
        "#]],
    );
}

#[test]
fn a_table_of_every_tool_has_both_and_one_of_some_is_left() {
    expects(
        SERVER,
        "tests/server.test.ts",
        r#"
const hints = {
  read_note: { readOnlyHint: true },
  list_notes: { readOnlyHint: true },
  drop_note: { readOnlyHint: false },
};
expect(Object.keys(hints)).toEqual(tools.map((tool) => tool.name));
const titles = { read_note: "Read", list_notes: "List" };
expect(titles.read_note).toBe("Read");
"#,
        expect![[r#"

            const hints = {
              get_note: { readOnlyHint: true },
              read_note: { readOnlyHint: true },
              list_notes: { readOnlyHint: true },
              drop_note: { readOnlyHint: false },
            };
            expect(Object.keys(hints)).toEqual(tools.map((tool) => tool.name));
            const titles = { read_note: "Read", list_notes: "List" };
            expect(titles.read_note).toBe("Read");
        "#]],
    );
}

#[test]
fn a_count_of_all_tools_is_one_more() {
    expects(
        SERVER,
        "tests/server.test.ts",
        r#"
const limit = 3; // tools
expect(result.tools.length).toBe(3);
expect(tools).toHaveLength(3);
expect(server.registerTool).toHaveBeenCalledTimes(3);
expect(notes).toHaveLength(3);
expect(tools.slice(0, 3).length).toBe(3);
expect(tools[3].name.length).toBe(7);
it("lists tools", () => { retry(tools.length, 3, () => {}); });
"#,
        expect![[r#"

            const limit = 3; // tools
            expect(result.tools.length).toBe(4);
            expect(tools).toHaveLength(4);
            expect(server.registerTool).toHaveBeenCalledTimes(4);
            expect(notes).toHaveLength(3);
            expect(tools.slice(0, 3).length).toBe(3);
            expect(tools[3].name.length).toBe(7);
            it("lists tools", () => { retry(tools.length, 3, () => {}); });
        "#]],
    );
}

#[test]
fn a_count_of_one_tool_is_that_of_a_list_of_tools() {
    let server = r#"
//- /package.json
{ "name": "notes", "version": "1.0.0", "dependencies": { "@modelcontextprotocol/sdk": "1" } }
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", { description: "Reads." }, run);
"#;
    expects(
        server,
        "tests/server.test.ts",
        r#"
expect(result.tools).toHaveLength(1);
expect(tools.length).toBe(1);
expect(toolCalls).toHaveLength(1);
"#,
        expect![[r#"

            expect(result.tools).toHaveLength(2);
            expect(tools.length).toBe(2);
            expect(toolCalls).toHaveLength(1);
        "#]],
    );
}

#[test]
fn a_test_of_something_else_that_keeps_the_name_is_left() {
    let catalogue =
        "//- /catalogue.ts\nexport const CATALOGUE = { \"read_note\": { group: \"notes\" }, \"other\": {} };\n";
    let test = r#"
expect(CATALOGUE["read_note"].group).toBe("notes"); // of tools
const answer = await client.callTool({ name: "read_note", arguments: {} });
expect(describe(server, "read_note")).toContain("Reads");
metrics.recordTool("read_note", 5);
expect(metrics.snapshot().tools["read_note"].count).toBe(1);
expect(steps).toEqual(["list_notes", "read_note"]);
expect(names).toEqual(["read_note", "list_notes", "drop_note"]);
"#;
    expects(
        &format!("{SERVER}{catalogue}"),
        "tests/server.test.ts",
        test,
        expect![[r#"

            expect(CATALOGUE["read_note"].group).toBe("notes"); // of tools
            const answer = await client.callTool({ name: "get_note", arguments: {} });
            expect(describe(server, "get_note")).toContain("Reads");
            metrics.recordTool("read_note", 5);
            expect(metrics.snapshot().tools["read_note"].count).toBe(1);
            expect(steps).toEqual(["list_notes", "read_note"]);
            expect(names).toEqual(["get_note", "read_note", "list_notes", "drop_note"]);
        "#]],
    );
    expects(
        SERVER,
        "tests/server.test.ts",
        test,
        expect![[r#"

            expect(CATALOGUE["get_note"].group).toBe("notes"); // of tools
            const answer = await client.callTool({ name: "get_note", arguments: {} });
            expect(describe(server, "get_note")).toContain("Reads");
            metrics.recordTool("get_note", 5);
            expect(metrics.snapshot().tools["get_note"].count).toBe(1);
            expect(steps).toEqual(["list_notes", "get_note", "read_note"]);
            expect(names).toEqual(["get_note", "read_note", "list_notes", "drop_note"]);
        "#]],
    );
}

#[test]
fn the_same_of_python() {
    let server = r#"
//- /pyproject.toml
[project]
name = "notes"
version = "1"
dependencies = ["mcp"]
//- /server.py
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool()
def read_note() -> str:
    return ""


@mcp.tool()
def list_notes() -> str:
    return ""
"#;
    expects(
        server,
        "tests/test_server.py",
        r#"
TOOLS = ("read_note", "list_notes")


async def test_tools():
    tools = await mcp.list_tools()
    assert len(tools) == 2
    assert {tool.name for tool in tools} == {"read_note", "list_notes"}
    for name in TOOLS:
        tool = await mcp.get_tool(name)
        assert tool is not None
        assert tool.timeout == 2
"#,
        expect![[r#"

            TOOLS = ("get_note", "list_notes")


            async def test_tools():
                tools = await mcp.list_tools()
                assert len(tools) == 3
                assert {tool.name for tool in tools} == {"get_note", "read_note", "list_notes"}
                for name in TOOLS:
                    tool = await mcp.get_tool(name)
                    assert tool is not None
                    assert tool.timeout == 2
        "#]],
    );
}

/// A low-level server in Python, whose tools are in lists that other modules combine.
const LISTS: &str = r#"
//- /pyproject.toml
[project]
name = "notes"
version = "1"
dependencies = ["mcp"]
//- /notes/tools.py
from mcp import types

READING = [types.Tool(name="read_note", description="Reads."), types.Tool(name="find_note", description="Finds.")]
WRITING = [types.Tool(name="drop_note", description="Drops; use read_note first.")]
TOOLS = READING + WRITING
//- /notes/server.py
from mcp.server import Server
from .tools import TOOLS

server = Server("notes")


@server.list_tools()
async def list_tools():
    return TOOLS


@server.call_tool()
async def call_tool(name, arguments):
    if name == "read_note":
        return []
    return []
"#;

#[test]
fn names_by_which_a_test_finds_functions_are_left() {
    let files = r#"//- /pyproject.toml
[project]
name = "notes"
dependencies = ["mcp"]
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("notes")

@mcp.tool()
def read_note(id: str) -> str:
    return store.read_note(id)

@mcp.tool()
def list_notes() -> str:
    return store.list_notes()
//- /tests/test_store.py
import pytest

# Every tool's method refuses a bad path.
@pytest.mark.parametrize("method,args", [("read_note", 1), ("list_notes", 2)])
async def test_refuses(method, args):
    await getattr(store, method)(args)

REQUIRED_TOOLS = ["read_note", "sort_notes"]

async def test_calls(client):
    await client.call_tool("read_note", {})
"#;
    let (after, _) = renamed_with(&Fixture::parse(files), "read_note", To::new("get_note", None)).unwrap();
    assert!(after["tests/test_store.py"].contains(r#"[("read_note", 1), ("list_notes", 2)]"#));
    // A list that says that its strings are tools is renamed.
    assert!(after["tests/test_store.py"].contains(r#"REQUIRED_TOOLS = ["get_note", "sort_notes"]"#));
    assert!(after["tests/test_store.py"].contains(r#"call_tool("get_note", {})"#));
    tool_there_and_back(&Fixture::parse(files), "read_note", "get_note");
}

#[test]
fn what_is_counted_is_known_by_running_it() {
    expects(
        LISTS,
        "tests/test_tools.py",
        r#"
from notes.tools import READING, TOOLS, WRITING


def test_tools():
    assert len(READING) == 2
    assert len(WRITING) == 1
    assert len(TOOLS) == 3
    assert len(set(TOOLS)) == 3
    assert len(TOOLS[0].inputSchema) == 3
    assert len(tool_names_of("list_notes drop_note drop_note")) == 3
"#,
        expect![[r#"

            from notes.tools import READING, TOOLS, WRITING


            def test_tools():
                assert len(READING) == 3
                assert len(WRITING) == 1
                assert len(TOOLS) == 4
                assert len(set(TOOLS)) == 4
                assert len(TOOLS[0].inputSchema) == 3
                assert len(tool_names_of("list_notes drop_note drop_note")) == 3
        "#]],
    );
}

#[test]
fn a_message_stays_where_a_test_that_is_left_expects_the_name_in_it() {
    let elsewhere = "//- /notes/events.py\nEVENT = \"read_note\"\nHELP = \"Use read_note first.\"\n";
    let files = format!("{LISTS}{elsewhere}");
    let test = "def test_help():\n    assert \"read_note\" in HELP  # about tools\n";
    let both = |test: &str| {
        let fixture = Fixture::parse(&format!("{files}//- /tests/test_help.py\n{test}"));
        let alias = Alias::default();
        let (after, _) = renamed_with(&fixture, "read_note", To::new("get_note", Some(&alias))).unwrap();
        assert!(!after.contains_key("tests/test_help.py"), "{after:#?}");
        after.get("notes/events.py").cloned()
    };
    assert_eq!(both(test), None);
    let message = both("def test_help():\n    assert HELP\n").unwrap();
    assert!(message.contains("Use get_note first."), "{message}");
}

#[test]
fn without_an_alias_a_list_that_is_searched_keeps_a_name_that_source_keeps() {
    let searched =
        "//- /notes/words.py\ndef known(name):\n    return name in {\"read_note\", \"find_note\", \"drop_note\"}\n";
    let renamed = |more: &str| {
        let fixture = Fixture::parse(&format!("{LISTS}{searched}{more}"));
        renamed_with(&fixture, "read_note", To::new("get_note", None)).unwrap().0["notes/words.py"].clone()
    };
    assert!(renamed("").contains("{\"get_note\", \"find_note\","), "{}", renamed(""));
    let kept = renamed("//- /notes/events.py\nfail(\"read_note\")\n");
    assert!(kept.contains("{\"get_note\", \"read_note\", \"find_note\","), "{kept}");
}

#[test]
fn attributes_that_a_test_replaces_stay() {
    let server = r#"
//- /pyproject.toml
[project]
name = "notes"
version = "1"
dependencies = ["mcp"]
//- /server.py
from mcp.server.fastmcp import FastMCP

import api

mcp = FastMCP("notes")
for name, run in {"read_note": api.read_note, "list_notes": api.list_notes}.items():
    mcp.tool(name=name)(run)
"#;
    let test = r#"
def test_tools(monkeypatch):
    monkeypatch.setattr(api, "read_note", fake)
    with patch.object(api, "read_note"):
        assert call(server, "read_note") == 1
"#;
    expects(
        server,
        "tests/test_server.py",
        test,
        expect![[r#"

            def test_tools(monkeypatch):
                monkeypatch.setattr(api, "read_note", fake)
                with patch.object(api, "read_note"):
                    assert call(server, "get_note") == 1
        "#]],
    );
}

#[test]
fn what_a_test_looks_for_in_a_list_of_tools_follows_the_list() {
    let server = SERVER.replace("drop_note", "system");
    let test = r#"
it("lists", () => {
  expect(names).toContain("system");
  expect(names).toEqual(["read_note", "list_notes", "system"]);
});
it("has roles", () => expect(roles).toContain("system"));
"#;
    let fixture = Fixture::parse(&format!("{server}//- /tests/server.test.ts\n{test}"));
    let (after, _) = renamed_with(&fixture, "system", To::new("machine", None)).unwrap();
    let expected = r#"
it("lists", () => {
  expect(names).toContain("machine");
  expect(names).toEqual(["read_note", "list_notes", "machine"]);
});
it("has roles", () => expect(roles).toContain("system"));
"#;
    assert_eq!(after["tests/server.test.ts"], expected);
}

#[test]
fn tests_in_the_source_of_a_rust_server_are_tests() {
    let server = r#"
//- /Cargo.toml
[package]
name = "notes"
version = "0.1.0"
[dependencies]
rmcp = "3"
//- /src/lib.rs
use rmcp::{tool, tool_router};
#[tool_router]
impl Notes {
    #[tool(description = "Reads.")]
    fn read_note(&self) -> String { String::new() }
}
#[cfg(test)]
mod tests {
    #[test]
    fn is_listed() {
        assert!(tool_by_name("read_note").is_some());
    }
}
"#;
    let fixture = Fixture::parse(server);
    let (after, _) = renamed_with(&fixture, "read_note", To::new("get_note", None)).unwrap();
    assert!(after["src/lib.rs"].contains("tool_by_name(\"get_note\")"), "{}", after["src/lib.rs"]);
}

#[test]
fn a_list_in_order_stays_in_order() {
    expects(
        SERVER,
        "tests/server.test.ts",
        r#"
expect(tools.map((tool) => tool.name).sort()).toEqual([
  "drop_note",
  "list_notes",
  "read_note",
]);
const SORTED = ["drop_note", "list_notes", "read_note"];
"#,
        expect![[r#"

            expect(tools.map((tool) => tool.name).sort()).toEqual([
              "drop_note",
              "get_note",
              "list_notes",
              "read_note",
            ]);
            const SORTED = ["drop_note", "get_note", "list_notes", "read_note"];
        "#]],
    );
    let test = "expect(names.sort()).toEqual([\"drop_note\", \"list_notes\", \"read_note\"]);\n";
    let fixture = Fixture::parse(&format!("{SERVER}//- /tests/server.test.ts\n{test}"));
    let (after, _) = renamed_with(&fixture, "read_note", To::new("get_note", None)).unwrap();
    assert_eq!(
        after["tests/server.test.ts"],
        test.replace(", \"read_note\"", "").replace("\"list", "\"get_note\", \"list")
    );
}

#[test]
fn a_set_of_all_tools_is_found_by_what_it_is_compared_with() {
    expects(
        LISTS,
        "tests/test_transport.py",
        r#"
from notes.server import server

_READ = frozenset({"read_note"})
_OTHER = frozenset({"find_note", "drop_note"})
EXPECTED = _READ | _OTHER


async def test_all(client):
    names = {tool.name for tool in await client.list_tools()}
    assert names == EXPECTED
    assert len(names) == 3
"#,
        expect![[r#"

            from notes.server import server

            _READ = frozenset({"get_note", "read_note"})
            _OTHER = frozenset({"find_note", "drop_note"})
            EXPECTED = _READ | _OTHER


            async def test_all(client):
                names = {tool.name for tool in await client.list_tools()}
                assert names == EXPECTED
                assert len(names) == 4
        "#]],
    );
}

#[test]
fn a_list_that_code_returns_without_the_alias_is_expected_without_it() {
    let groups = r#"//- /notes/groups.py
from .tools import READING


def groups():
    return {"reading": [READING[0].name, READING[1].name], "writing": ["drop_note"]}
"#;
    expects(
        &format!("{LISTS}{groups}"),
        "tests/test_groups.py",
        r#"
from notes.groups import groups


def test_groups():
    assert groups() == {
        "reading": [
            "read_note",
            "find_note",
        ],
        "writing": ["drop_note"],
    }
"#,
        expect![[r#"

            from notes.groups import groups


            def test_groups():
                assert groups() == {
                    "reading": [
                        "get_note",
                        "find_note",
                    ],
                    "writing": ["drop_note"],
                }
        "#]],
    );
}

#[test]
fn what_a_callback_of_a_test_compares_is_followed() {
    let tools = r#"
//- /package.json
{ "name": "notes", "version": "1.0.0", "dependencies": { "@modelcontextprotocol/sdk": "^1.30.0" } }
//- /tools.ts
export const TOOLS = [
  { name: "read_note", description: "Reads.", inputSchema: { type: "object" } },
  { name: "drop_note", description: "Drops.", inputSchema: { type: "object" } },
];
//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { TOOLS } from "./tools.js";
const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: TOOLS }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  switch (request.params.name) {
    case "read_note":
      return read();
    case "drop_note":
      return drop();
  }
});
"#;
    expects(
        tools,
        "tests/tools.test.ts",
        r#"
import { describe, expect, it } from "vitest";
import { TOOLS } from "../tools.js";

describe("tools", () => {
  let names: string[];
  beforeEach(() => {
    names = TOOLS.map((tool) => tool.name);
  });
  it("has all", () => {
    expect(names).toEqual(["read_note", "drop_note"]);
    expect(new Set(names).size).toBe(2);
    expect(names.length).toBeGreaterThan(2 - 1);
    expect(2 + 2).toBe(4);
  });
});
"#,
        expect![[r#"

            import { describe, expect, it } from "vitest";
            import { TOOLS } from "../tools.js";

            describe("tools", () => {
              let names: string[];
              beforeEach(() => {
                names = TOOLS.map((tool) => tool.name);
              });
              it("has all", () => {
                expect(names).toEqual(["get_note", "read_note", "drop_note"]);
                expect(new Set(names).size).toBe(3);
                expect(names.length).toBeGreaterThan(2 - 1);
                expect(2 + 2).toBe(4);
              });
            });
        "#]],
    );
}

#[test]
fn a_message_is_expected_for_the_name_that_its_test_passes_in() {
    let elsewhere = "//- /notes/events.py\nEVENT = \"read_note\"\n";
    expects(
        &format!("{LISTS}{elsewhere}"),
        "tests/test_errors.py",
        r#"
def test_error():
    """A failure of read_note names the tool."""
    message = explained("read_note", ValueError())
    assert message.startswith("Invalid arguments for tool 'read_note':")


def test_help():
    assert "Use the tool 'read_note' first." in HELP
"#,
        expect![[r#"

            def test_error():
                """A failure of get_note names the tool."""
                message = explained("read_note", ValueError())
                assert message.startswith("Invalid arguments for tool 'read_note':")


            def test_help():
                assert "Use the tool 'get_note' first." in HELP
        "#]],
    );
}

#[test]
fn a_comparison_that_no_edit_repairs_is_reported() {
    let test = r#"//- /tests/test_sizes.py
from notes.tools import TOOLS

SIZE = 1 + 2


def test_size():
    assert len(TOOLS) == SIZE
"#;
    let fixture = Fixture::parse(&format!("{LISTS}{test}"));
    assert_eq!(left(&fixture), ["`len(TOOLS) == SIZE` would fail; change the test by hand"]);
}

#[test]
fn an_assertion_that_would_fail_keeps_the_names_with_which_it_holds() {
    let files = r#"
//- /pyproject.toml
[project]
name = "notes"
version = "1"
dependencies = ["mcp"]
//- /notes/server.py
from mcp.server import Server
from mcp.types import Tool

server = Server("notes")


class Notes:
    def __init__(self):
        self.known = {}

    def register(self, name, function):
        self.known[name] = function

    def register_all(self):
        self.register("read_note", lambda: None)
        self.register("drop_note", lambda: None)


def defined():
    return [("read_note", "Reads."), ("drop_note", "Drops.")]


@server.list_tools()
async def list_tools():
    return [Tool(name=name, description=text, inputSchema={"type": "object"}) for name, text in defined()]


@server.call_tool()
async def call_tool(name, arguments):
    if name == "read_note":
        return []
    if name == "drop_note":
        return []
//- /tests/test_notes.py
from notes.server import Notes


def test_registered():
    notes = Notes()
    notes.register_all()
    expected = {"read_note", "drop_note"}
    assert expected.issubset(set(notes.known))
"#;
    let alias = Alias::default();
    let to = To::new("get_note", Some(&alias));
    let (after, _) = renamed_with(&Fixture::parse(files), "read_note", to).unwrap();
    assert_eq!(after.keys().collect::<Vec<_>>(), ["notes/server.py"], "{after:#?}");
}

#[test]
fn a_test_of_each_row_of_a_table_is_followed() {
    let test = r#"//- /tests/test_tools.py
import pytest

from notes.tools import READING, TOOLS


@pytest.mark.parametrize(("tools", "count"), [(READING, 2), (TOOLS, 3)])
def test_counts(tools, count):
    assert len(tools) == count
"#;
    let fixture = Fixture::parse(&format!("{LISTS}{test}"));
    assert_eq!(left(&fixture), ["`len(tools) == count` would fail; change the test by hand"]);
}

/// The reasons for which a rename of `read_note` with a listed alias leaves places as they are.
fn left(fixture: &Fixture) -> Vec<String> {
    let alias = Alias { is_exact: true, ..Alias::default() };
    let (_, plan) = renamed_with(fixture, "read_note", To::new("get_note", Some(&alias))).unwrap();
    let in_files = plan.skipped.iter().map(|left| left.reason.to_string());
    let in_documents = plan.documents.values().flat_map(|document| &document.skipped).map(|(_, why)| why.to_string());
    in_files.chain(in_documents).collect()
}

#[test]
fn an_example_in_a_docstring_calls_the_function() {
    let files = r#"
//- /pyproject.toml
[project]
name = "notes"
dependencies = ["fastmcp"]
//- /server.py
from fastmcp import FastMCP
mcp = FastMCP("notes")


@mcp.tool
def read_note(number: int) -> int:
    """Reads a note; read_note is slow.

    >>> read_note(2)
    4
    """
    return number * 2
"#;
    let alias = Alias::default();
    let to = To::new("get_note", Some(&alias));
    let (after, _) = renamed_with(&Fixture::parse(files), "read_note", to).unwrap();
    assert!(after["server.py"].contains("Reads a note; get_note is slow."));
    assert!(after["server.py"].contains("    >>> read_note(2)\n"));
}

#[test]
fn a_list_of_all_tools_may_lack_those_that_a_condition_registers() {
    let files = r#"
//- /pyproject.toml
[project]
name = "notes"
dependencies = ["fastmcp"]
//- /server.py
import os

from fastmcp import FastMCP

EVENTS = {"failed": "read_note"}


def build():
    mcp = FastMCP("notes")
    if os.environ.get("DROPS"):

        @mcp.tool(name="drop_note")
        def drop():
            return ""

    @mcp.tool(name="read_note")
    def read():
        return ""

    @mcp.tool(name="list_notes")
    def all_of():
        return ""

    return mcp
"#;
    expects(
        files,
        "tests/test_server.py",
        r#"
from server import build


async def test_all():
    tools = await build().list_tools()
    assert {tool.name for tool in tools} == {"list_notes", "read_note"}
    assert len(tools) == 2
"#,
        expect![[r#"

            from server import build


            async def test_all():
                tools = await build().list_tools()
                assert {tool.name for tool in tools} == {"list_notes", "get_note", "read_note"}
                assert len(tools) == 3
        "#]],
    );
}

#[test]
fn what_tests_import_is_read_although_the_server_does_not_use_it() {
    let files = r#"
//- /pyproject.toml
[project]
name = "notes"
dependencies = ["fastmcp"]
//- /server.py
from fastmcp import FastMCP
mcp = FastMCP("notes")


@mcp.tool(name="read_note")
def read():
    return ""


@mcp.tool(name="drop_note")
def drop():
    return ""
//- /labels.py
def label_of(context):
    if context in {"drop_note", "read_note"}:
        return context
    if context == "reading":
        return "read_note"
    return None
//- /tests/test_labels.py
import pytest

from labels import label_of


@pytest.mark.parametrize(
    ("context", "label"),
    [
        ("read_note", "read_note"),
        ("reading", "read_note"),
    ],
)
def test_labels(context, label):
    # The label of a tool.
    assert label_of(context) == label
"#;
    let fixture = Fixture::parse(files);
    let (after, _) = renamed_with(&fixture, "read_note", To::new("get_note", None)).unwrap();
    assert!(!after.contains_key("tests/test_labels.py"), "{after:#?}");
}

const BY_FUNCTION: &str = r#"
//- /pyproject.toml
[project]
name = "notes"
version = "1"
dependencies = ["fastmcp>=2"]
//- /notes/__init__.py
//- /notes/tool_registry.py
import functools


def timing(name):
    def decorator(func):
        @functools.wraps(func)
        async def wrapper(*args, **kwargs):
            return await func(*args, **kwargs)
        return wrapper
    return decorator


@timing("read")
async def read_note(id: str) -> dict:
    """Reads a note."""
    return {}


async def list_notes() -> dict:
    """Lists the notes."""
    return {}


def get_all_tools():
    return [read_note, list_notes]
//- /notes/server.py
from fastmcp import FastMCP
from notes import tool_registry


def create_app():
    mcp = FastMCP("notes")
    for tool_func in tool_registry.get_all_tools():
        mcp.tool(tool_func)
    return mcp


if __name__ == "__main__":
    create_app().run()
"#;

#[test]
fn names_by_which_a_test_finds_functions_follow_them() {
    expects(
        BY_FUNCTION,
        "tests/test_registry.py",
        r#"
import sys

import pytest

from notes.tool_registry import list_notes, read_note


class TestRegistry:
    def test_no_missing_tools(self):
        missing_tools = ["list_notes", "read_note"]
        for tool_name in missing_tools:
            assert tool_name in globals() or hasattr(sys.modules[__name__], tool_name)
            assert callable(globals()[tool_name])

    @pytest.mark.asyncio
    async def test_results(self):
        cases = [("list_notes", {}), ("read_note", {"id": "1"})]
        for tool_name, params in cases:
            tool_func = globals()[tool_name]
            assert isinstance(await tool_func(**params), dict)

    @pytest.mark.asyncio
    async def test_errors(self):
        for tool_name, params in [("list_notes", {}), ("read_note", {"id": "1"})]:
            tool_func = globals()[tool_name]
            try:
                assert await tool_func(**params)
            except Exception:
                pass
"#,
        expect![[r#"

            import sys

            import pytest

            from notes.tool_registry import list_notes, get_note


            class TestRegistry:
                def test_no_missing_tools(self):
                    missing_tools = ["list_notes", "get_note"]
                    for tool_name in missing_tools:
                        assert tool_name in globals() or hasattr(sys.modules[__name__], tool_name)
                        assert callable(globals()[tool_name])

                @pytest.mark.asyncio
                async def test_results(self):
                    cases = [("list_notes", {}), ("get_note", {"id": "1"})]
                    for tool_name, params in cases:
                        tool_func = globals()[tool_name]
                        assert isinstance(await tool_func(**params), dict)

                @pytest.mark.asyncio
                async def test_errors(self):
                    for tool_name, params in [("list_notes", {}), ("get_note", {"id": "1"})]:
                        tool_func = globals()[tool_name]
                        try:
                            assert await tool_func(**params)
                        except Exception:
                            pass
        "#]],
    );
}

#[test]
fn an_assertion_that_fails_for_a_list_elsewhere_is_reported() {
    let files = format!(
        "{BY_FUNCTION}{}",
        r#"//- /evals/__init__.py
//- /evals/scenarios.py
SCENARIOS = [
    {"id": "read", "expect": ["read_note", "list_notes"]},
]
//- /tests/test_scenarios.py
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from evals.scenarios import SCENARIOS
from notes import tool_registry


def test_expected_tools_exist():
    names = {tool.__name__ for tool in tool_registry.get_all_tools()}
    for scenario in SCENARIOS:
        for tool in scenario["expect"]:
            assert tool in names
"#
    );
    let (_, plan) =
        renamed_with(&Fixture::parse(&files), "read_note", To::new("get_note", Some(&Alias::default()))).unwrap();
    let left = plan.documents["tests/test_scenarios.py"].skipped.iter().map(|(_, left)| left.to_string());
    expect!["`assert tool in names` would fail; change the test by hand"]
        .assert_eq(&left.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_number_of_registrations_that_is_the_length_of_a_list_counts_the_alias() {
    expects(
        r#"
//- /pyproject.toml
[project]
name = "notes"
version = "1"
dependencies = ["mcp>=1.8"]
//- /notes/__init__.py
//- /notes/tools.py
def read_note(id: str) -> str:
    """Reads a note."""
    return ""


def list_notes() -> str:
    """Lists the notes."""
    return ""


def drop_note(id: str) -> str:
    """Drops a note."""
    return ""


read_tools = [read_note, list_notes]
write_tools = [drop_note]
//- /notes/server.py
import sys

from mcp.server.fastmcp import FastMCP

from notes.tools import read_tools, write_tools


def run(enable_write_tools: bool = False):
    mcp = FastMCP("notes")
    for tool in read_tools:
        mcp.add_tool(tool)
    if enable_write_tools:
        for tool in write_tools:
            mcp.add_tool(tool)
    mcp.run()


if __name__ == "__main__":
    run("--write" in sys.argv)
"#,
        "tests/test_server.py",
        r#"
import unittest
from unittest.mock import MagicMock, patch

from notes.server import run
from notes.tools import read_tools, write_tools


class TestRun(unittest.TestCase):
    def invoke(self, write):
        with patch("notes.server.FastMCP") as made:
            mcp = MagicMock()
            made.return_value = mcp
            run(write)
            return made, mcp

    def test_write_tools_not_registered_by_default(self):
        _, mock_mcp = self.invoke(False)
        self.assertEqual(mock_mcp.add_tool.call_count, len(read_tools))

    def test_write_tools_registered_when_flag_set(self):
        _, mock_mcp = self.invoke(True)
        assert mock_mcp.add_tool.call_count == len(read_tools) + len(write_tools)
"#,
        expect![[r#"

            import unittest
            from unittest.mock import MagicMock, patch

            from notes.server import run
            from notes.tools import read_tools, write_tools


            class TestRun(unittest.TestCase):
                def invoke(self, write):
                    with patch("notes.server.FastMCP") as made:
                        mcp = MagicMock()
                        made.return_value = mcp
                        run(write)
                        return made, mcp

                def test_write_tools_not_registered_by_default(self):
                    _, mock_mcp = self.invoke(False)
                    self.assertEqual(mock_mcp.add_tool.call_count, len(read_tools) + 1)

                def test_write_tools_registered_when_flag_set(self):
                    _, mock_mcp = self.invoke(True)
                    assert mock_mcp.add_tool.call_count == len(read_tools) + len(write_tools) + 1
        "#]],
    );
}

#[test]
fn a_listed_alias_that_would_break_a_test_becomes_a_hidden_one() {
    let files = r#"
//- /package.json
{ "name": "notes", "version": "1.0.0", "dependencies": { "@modelcontextprotocol/sdk": "^1.30.0" } }
//- /tools.ts
const readNote = { name: "read_note", description: "Reads.", inputSchema: {}, covers: "GET /notes/1" };
const listNotes = { name: "list_notes", description: "Lists.", inputSchema: {}, covers: "GET /notes" };
export const TOOLS = [readNote, listNotes];
export const COVERED = new Set(TOOLS.flatMap((tool) => (tool.covers ? [tool.covers.toLowerCase()] : [])));
//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { TOOLS } from "./tools.js";
const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: TOOLS }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  switch (request.params.name) {
    case "read_note":
      return read(request.params.arguments);
    case "list_notes":
      return list();
    default:
      throw new Error("unknown tool");
  }
});
//- /tests/tools.test.ts
import { COVERED, TOOLS } from "../tools.js";
it("covers each endpoint once", () => {
  expect(COVERED.size).toBe(TOOLS.filter((tool) => tool.covers).length);
});
"#;
    let fixture = Fixture::parse(files);
    let (after, plan) = renamed_with(&fixture, "read_note", To::new("get_note", Some(&Alias::default()))).unwrap();
    expect![[r#"
        import { Server } from "@modelcontextprotocol/sdk/server/index.js";
        import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
        import { TOOLS } from "./tools.js";
        const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
        server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: TOOLS }));
        server.setRequestHandler(CallToolRequestSchema, async (request) => {
          switch (request.params.name) {
            // toolnames: alias of get_note
            case "read_note":
            case "get_note":
              return read(request.params.arguments);
            case "list_notes":
              return list();
            default:
              throw new Error("unknown tool");
          }
        });
    "#]]
    .assert_eq(&after["server.ts"]);
    expect!["the test at tests/tools.test.ts:3 would fail with an alias"]
        .assert_eq(&plan.fallback.unwrap().to_string());
    let expected =
        "`expect(COVERED.size).toBe(TOOLS.filter((tool) => tool.covers).length)` would fail; change the test by hand";
    assert_eq!(left(&fixture), [expected]);
}

#[test]
fn without_an_alias_what_is_labelled_as_the_tool_and_its_type_follow_it() {
    let files = format!(
        "{SERVER}{}",
        r#"//- /telemetry.ts
export type Call = { tool: "read_note" | "list_notes" | "drop_note"; ms: number };
export type ReadCall = { tool: "read_note"; path: string };
export const onRead = (path: string): ReadCall => ({ tool: "read_note", path });
"#
    );
    let (after, _) = renamed_with(&Fixture::parse(&files), "read_note", To::new("get_note", None)).unwrap();
    expect![[r#"
        export type Call = { tool: "get_note" | "list_notes" | "drop_note"; ms: number };
        export type ReadCall = { tool: "get_note"; path: string };
        export const onRead = (path: string): ReadCall => ({ tool: "get_note", path });
    "#]]
    .assert_eq(&after["telemetry.ts"]);
    let files = files.replace("({ tool: \"read_note\", path })", "called(\"read_note\", path)");
    let (after, _) = renamed_with(&Fixture::parse(&files), "read_note", To::new("get_note", None)).unwrap();
    expect![[r#"
        export type Call = { tool: "get_note" | "read_note" | "list_notes" | "drop_note"; ms: number };
        export type ReadCall = { tool: "get_note"; path: string };
        export const onRead = (path: string): ReadCall => called("read_note", path);
    "#]]
    .assert_eq(&after["telemetry.ts"]);
}
