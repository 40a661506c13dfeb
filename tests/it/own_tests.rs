//! A project's own tests after a rename that keeps the old name listed: what they expected before holds.

use expect_test::{Expect, expect};
use toolnames::rename::{Alias, To};

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

/// A test of a server's project after the rename of `read_note`, which is taken back to the byte.
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
fn a_test_of_something_else_that_keeps_the_name_is_left() {
    let catalogue =
        "//- /catalogue.ts\nexport const CATALOGUE = { \"read_note\": { group: \"notes\" }, \"other\": {} };\n";
    let test = r#"
expect(CATALOGUE["read_note"].group).toBe("notes"); // of tools
const answer = await client.callTool({ name: "read_note", arguments: {} });
expect(describe(server, "read_note")).toContain("Reads");
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
