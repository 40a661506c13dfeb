//! The scope of a rename: everything that names the tool, and nothing else.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use toolnames::testing::rename::{self, Alias, Left, Plan, Refusal, Sources, To};
use toolnames::testing::text::apply_edits;
use toolnames::testing::workspace::Storage;

use super::fixture::Fixture;

/// The files that a rename changes, each with its new text, and the plan of the rename.
pub(super) fn renamed_with(
    fixture: &Fixture,
    old: &str,
    to: To<'_>,
) -> Result<(BTreeMap<String, String>, Plan), Refusal> {
    let snapshot = fixture.snapshot();
    let target = rename::targets(&snapshot, old, None)[0];
    let texts = |file| fixture.text(&snapshot, file);
    let plan = rename::rename(&snapshot, target, to, Sources { texts: &texts, around: fixture })?;
    let edits = plan.edits();
    let files = edits.iter().map(|(file, edits)| (snapshot.files.path(*file).to_string(), edits));
    let documents = plan.documents.iter().map(|(path, document)| (path.clone(), &document.edits));
    let files = files.chain(documents).filter(|(_, edits)| !edits.is_empty());
    let changed = files.map(|(path, edits)| {
        let text = apply_edits(&fixture.read(&path).unwrap(), edits).expect("edits do not overlap");
        (path, text)
    });
    Ok((changed.collect(), plan))
}

fn renamed(fixture: &Fixture, old: &str, new: &str) -> Result<(BTreeMap<String, String>, Plan), Refusal> {
    renamed_with(fixture, old, To::new(new, None))
}

#[track_caller]
fn check(files: &str, old: &str, new: &str, expected: Expect) {
    check_with(files, old, new, None, expected);
}

#[track_caller]
pub(super) fn check_with(files: &str, old: &str, new: &str, alias: Option<&Alias>, expected: Expect) {
    check_to(files, old, To::new(new, alias), expected);
}

#[track_caller]
pub(super) fn check_to(files: &str, old: &str, to: To<'_>, expected: Expect) {
    let fixture = Fixture::parse(files);
    let out = match renamed_with(&fixture, old, to) {
        Err(refusal) => format!("{refusal}\n"),
        Ok((changed, plan)) => {
            let snapshot = fixture.snapshot();
            let mut left: Vec<String> = plan
                .skipped
                .iter()
                .map(|left| format!("left: {}: {}\n", snapshot.files.path(left.file), left.reason))
                .chain(plan.documents.iter().flat_map(|(path, document)| {
                    document.skipped.iter().map(move |(_, reason)| format!("left: {path}: {reason}\n"))
                }))
                .collect();
            left.sort();
            left.dedup();
            changed.iter().map(|(path, text)| format!("//- /{path}\n{text}")).chain(left).collect()
        }
    };
    expected.assert_eq(&out);
}

const SERVER: &str = r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["server.ts"] }, "other": { "url": "https://example.com" } } }
//- /package.json
{ "name": "notes", "version": "1.0.0" }
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", { description: "Reads one; call `list_notes` first." }, run);
server.registerTool("list_notes", { description: "Then `read_note`, never read_notes or re-read_note." }, run);
server.registerTool("click", { description: "A click on a note." }, run);
"#;

#[test]
fn a_function_that_takes_no_name_beside_it_is_renamed() {
    check(
        r#"
//- /pyproject.toml
[project]
name = "notes"
dependencies = ["fastmcp>=2.10"]
//- /server.py
from fastmcp import FastMCP

def read_note(id: str) -> str:
    """Reads."""
    return id

mcp = FastMCP("notes")
mcp.add_tool(read_note)
"#,
        "read_note",
        "get_note",
        expect![[r#"
            //- /server.py
            from fastmcp import FastMCP

            def get_note(id: str) -> str:
                """Reads."""
                return id

            mcp = FastMCP("notes")
            mcp.add_tool(get_note)
        "#]],
    );
}

#[test]
fn a_name_with_a_remark_in_data_is_prose() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["server.ts"] } } }
//- /package.json
{ "name": "notes", "version": "1.0.0" }
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", {}, run);
//- /plan.json
{ "needs": ["mcp__notes__read_note (must run before the others)"] }
"#,
        "read_note",
        "get_note",
        expect![[r#"
            //- /plan.json
            { "needs": ["mcp__notes__get_note (must run before the others)"] }
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("get_note", {}, run);
        "#]],
    );
}

#[test]
fn a_folder_in_a_drawn_tree_keeps_its_name() {
    check(
        r#"
//- /package.json
{ "name": "notes", "version": "1.0.0" }
//- /read_note/index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", {}, run);
server.registerTool("list_notes", {}, run);
//- /README.md
```text
notes
├── read_note
│   └── index.ts
└── list_notes
```

- `read_note`
"#,
        "read_note",
        "get_note",
        expect![[r#"
            //- /README.md
            ```text
            notes
            ├── read_note
            │   └── index.ts
            └── list_notes
            ```

            - `get_note`
            //- /read_note/index.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("get_note", {}, run);
            server.registerTool("list_notes", {}, run);
        "#]],
    );
}

#[test]
fn what_a_document_shows_as_wrong_stays() {
    check(
        &format!(
            r#"{SERVER}
//- /README.md
❌ `read_note`

✅ `read_note`

Wrong:

```text
read_note
```

| Before | After |
|---|---|
| `read_note` | `read_note` |
"#
        ),
        "read_note",
        "get_note",
        expect![[r#"
            //- /README.md
            ❌ `read_note`

            ✅ `get_note`

            Wrong:

            ```text
            read_note
            ```

            | Before | After |
            |---|---|
            | `read_note` | `get_note` |
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("get_note", { description: "Reads one; call `list_notes` first." }, run);
            server.registerTool("list_notes", { description: "Then `get_note`, never read_notes or re-read_note." }, run);
            server.registerTool("click", { description: "A click on a note." }, run);

            left: README.md: the document shows this name as an example of what not to write, as in 2 other places of this file
        "#]],
    );
}

#[test]
fn a_text_that_has_the_new_name_is_left() {
    check(
        &format!(
            r#"{SERVER}
//- /README.md
Call `notes.read_note`.

| Short | Full |
|---|---|
| read_note | notes.read_note |
| `read_note` | reads |
"#
        ),
        "read_note",
        "notes.read_note",
        expect![[r#"
            //- /README.md
            Call `notes.read_note`.

            | Short | Full |
            |---|---|
            | read_note | notes.read_note |
            | `notes.read_note` | reads |
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("notes.read_note", { description: "Reads one; call `list_notes` first." }, run);
            server.registerTool("list_notes", { description: "Then `notes.read_note`, never read_notes or re-read_note." }, run);
            server.registerTool("click", { description: "A click on a note." }, run);

        "#]],
    );
}

#[test]
fn documents_descriptions_and_tests_follow() {
    check(
        &format!(
            r#"{SERVER}
//- /README.md
`read_note` reads; so does notes:read_note, mcp__notes__read_note, @notes/read_note or read_note(id).
Not `other:read_note`, mcp__other__read_note, src/read_note.ts, read_note.md, api.read_note or `pre_read_note`.
| read_note | Reads |
```sql
SELECT read_note FROM notes;
```
```typescript
import {{ read_note }} from "./handlers.js";
await client.callTool({{ name: "read_note" }}); // read_note
```
```console
$ mcp call read_note
```
//- /CHANGELOG.md
Added `read_note`.
//- /tests/notes.test.ts
expect(tools).toContain("read_note");
const read_note = find("read_note"); // read_note is the one
//- /tests/rows.test.ts
expect(columns).toContain("read_note");
//- /src/api.ts
export const column = "read_note";
//- /manifest.json
{{ "tools": [{{ "name": "read_note" }}] }}
"#
        ),
        "read_note",
        "get_note",
        expect![[r#"
            //- /README.md
            `get_note` reads; so does notes:get_note, mcp__notes__get_note, @notes/get_note or get_note(id).
            Not `other:read_note`, mcp__other__read_note, src/read_note.ts, read_note.md, api.read_note or `pre_read_note`.
            | get_note | Reads |
            ```sql
            SELECT read_note FROM notes;
            ```
            ```typescript
            import { read_note } from "./handlers.js";
            await client.callTool({ name: "get_note" }); // get_note
            ```
            ```console
            $ mcp call get_note
            ```
            //- /manifest.json
            { "tools": [{ "name": "get_note" }] }
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("get_note", { description: "Reads one; call `list_notes` first." }, run);
            server.registerTool("list_notes", { description: "Then `get_note`, never read_notes or re-read_note." }, run);
            server.registerTool("click", { description: "A click on a note." }, run);

            //- /tests/notes.test.ts
            expect(tools).toContain("get_note");
            const read_note = find("get_note"); // read_note is the one
            left: README.md: a name in code that may be a function or a column
            left: src/api.ts: a string that matches the tool name but may be unrelated
            left: tests/notes.test.ts: a name in code that may be a function or a column
            left: tests/rows.test.ts: a string in a test that may be unrelated
        "#]],
    );
}

#[test]
fn a_word_that_may_be_any_word_is_told_and_left() {
    check(
        &format!(
            r#"{SERVER}
//- /README.md
A click is a `click`; in full it is mcp__notes__click or `notes/click`.
//- /manifest.json
{{ "tools": [{{ "name": "click" }}], "on": "click" }}
//- /.claude/settings.json
{{ "permissions": {{ "allow": ["mcp__notes__click"] }} }}
"#
        ),
        "click",
        "press",
        expect![[r#"
            //- /.claude/settings.json
            { "permissions": { "allow": ["mcp__notes__press"] } }
            //- /README.md
            A click is a `click`; in full it is mcp__notes__press or `notes/click`.
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("read_note", { description: "Reads one; call `list_notes` first." }, run);
            server.registerTool("list_notes", { description: "Then `read_note`, never read_notes or re-read_note." }, run);
            server.registerTool("press", { description: "A click on a note." }, run);

            left: README.md: a word that may be unrelated
            left: manifest.json: a string that matches the tool name but may be unrelated
            left: server.ts: a word that may be unrelated
        "#]],
    );
}

#[test]
fn where_one_word_may_be_the_tool_is_told_place_by_place() {
    let readme = "\
# A tool to click with
| click | Clicks.             |
| `click` | **click**         |
- click: clicks
1. click
### click
Call click(1), \"click\", notes/click or <code>click</code>.
Click where a click is due, or double-click: click!
One-clicker, clicks, on_click and https://example.com/click are other words.
";
    let fixture = Fixture::parse(&format!("{SERVER}//- /README.md\n{readme}"));
    let (_, plan) = renamed(&fixture, "click", "press").unwrap();
    let snapshot = fixture.snapshot();
    let mut told: Vec<_> = plan.skipped.iter().filter(|left| snapshot.files.path(left.file) == "README.md").collect();
    told.sort_by_key(|left| left.span.start);
    let told = told.into_iter().map(|left| {
        let before = &readme[..left.span.start as usize];
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
        format!("{line}:{column} {}\n", left.reason)
    });
    expect![[r#"
        1:13 a word that may be unrelated, as in 2 other places of this file
        2:3 a word that may be unrelated
        3:4 a word that may be unrelated
        3:15 a word that may be unrelated
        4:3 a word that may be unrelated
        5:4 a word that may be unrelated
        6:5 a word that may be unrelated
        7:6 a word that may be unrelated
        7:17 a word that may be unrelated
        7:25 a word that may be unrelated
        7:46 a word that may be unrelated
    "#]]
    .assert_eq(&told.collect::<String>());
}

#[test]
fn two_servers_with_a_tool_of_one_name_keep_apart() {
    check(
        r#"
//- /a/package.json
{ "name": "a", "version": "1.0.0" }
//- /a/server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "a", version: "1.0.0" });
server.registerTool("read_note", {}, run);
//- /a/README.md
Call read_note.
//- /b/package.json
{ "name": "b", "version": "1.0.0" }
//- /b/server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "b", version: "1.0.0" });
server.registerTool("read_note", {}, run);
//- /b/README.md
Call `read_note`.
"#,
        "read_note",
        "get_note",
        expect![[r#"
            //- /a/README.md
            Call get_note.
            //- /a/server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "a", version: "1.0.0" });
            server.registerTool("get_note", {}, run);
            left: b/README.md: another server has a tool with this name
        "#]],
    );
}

#[test]
fn two_servers_of_one_package_keep_apart() {
    let fixture = Fixture::parse(
        r#"
//- /package.json
{ "name": "both", "version": "1.0.0" }
//- /a.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "a", version: "1.0.0" });
server.registerTool("read_note", { description: "Reads; read_note takes a title." }, run);
//- /b.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "b", version: "1.0.0" });
server.registerTool("read_note", { description: "Reads; read_note takes a title." }, run);
//- /b.test.ts
await client.callTool({ name: "read_note", arguments: {} }); // a tool
//- /README.md
Call read_note.
"#,
    );
    let (changed, plan) = renamed(&fixture, "read_note", "get_note").unwrap();
    assert_eq!(changed.keys().collect::<Vec<_>>(), ["a.ts"], "{changed:#?}");
    assert_eq!(changed["a.ts"].matches("get_note").count(), 2);
    let snapshot = fixture.snapshot();
    let told = plan.skipped.iter().map(|left| (snapshot.files.path(left.file), &left.reason));
    let told = told.chain(
        plan.documents
            .iter()
            .flat_map(|(path, document)| document.skipped.iter().map(move |(_, reason)| (path.as_str(), reason))),
    );
    let mut told: Vec<_> = told.collect();
    told.sort_unstable();
    let reason = &Left::OtherServer;
    assert_eq!(told, [("README.md", reason), ("b.test.ts", reason), ("b.ts", reason), ("b.ts", reason)]);
}

#[test]
fn a_name_of_a_server_that_no_file_starts_is_told_of() {
    check(
        &format!(
            "{SERVER}\n//- /agents/planner.md\n---\nname: planner\ntools: mcp__memo__read_note, mcp__memo__drop\n---\nAsk mcp__notes__read_note.\n"
        ),
        "read_note",
        "get_note",
        expect![[r#"
            //- /agents/planner.md
            ---
            name: planner
            tools: mcp__memo__read_note, mcp__memo__drop
            ---
            Ask mcp__notes__get_note.
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("get_note", { description: "Reads one; call `list_notes` first." }, run);
            server.registerTool("list_notes", { description: "Then `get_note`, never read_notes or re-read_note." }, run);
            server.registerTool("click", { description: "A click on a note." }, run);

            left: agents/planner.md: the source of `memo` is not in this workspace; if `memo` is the server of this tool, change `mcp__memo__read_note` too
        "#]],
    );
}

#[test]
fn names_that_differ_in_case_alone() {
    check(
        &format!(
            r#"{SERVER}
//- /.claude/settings.json
{{ "permissions": {{ "allow": ["mcp__notes__read_note"], "deny": ["mcp__notes__Read_Note"] }} }}
"#
        ),
        "read_note",
        "Read_Note",
        expect![[r#"
            //- /.claude/settings.json
            { "permissions": { "allow": ["mcp__notes__Read_Note"], "deny": ["mcp__notes__Read_Note"] } }
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("Read_Note", { description: "Reads one; call `list_notes` first." }, run);
            server.registerTool("list_notes", { description: "Then `Read_Note`, never read_notes or re-read_note." }, run);
            server.registerTool("click", { description: "A click on a note." }, run);

            left: .claude/settings.json: `mcp__notes__Read_Note` matches the new name
        "#]],
    );
}

#[test]
fn hooks_that_may_allow_the_new_name_refuse_it() {
    let matcher = |matcher: &str, new: &str, expected: expect_test::Expect| {
        let settings = format!(r#"{{ "hooks": {{ "PreToolUse": [{{ "matcher": "{matcher}" }}] }} }}"#);
        check(&format!("{SERVER}\n//- /.claude/settings.json\n{settings}\n"), "read_note", new, expected);
    };
    matcher(
        "mcp__notes__get_.*",
        "get_note",
        expect![[r#"
            cannot rename `read_note` to `get_note`: the hook for `mcp__notes__get_.*` in .claude/settings.json does not run for this tool now, but would run for `mcp__notes__get_note` and may allow it; change its matcher first
        "#]],
    );
    matcher(
        "mcp__notes__get_note|Bash",
        "get_note",
        expect![[r#"
            cannot rename `read_note` to `get_note`: the hook for `mcp__notes__get_note|Bash` in .claude/settings.json does not run for this tool now, but would run for `mcp__notes__get_note` and may allow it; change its matcher first
        "#]],
    );
    // The pattern that is added for the new name matches no other tool.
    matcher(
        "mcp__notes__read_note$",
        "list",
        expect![[r#"
        //- /.claude/settings.json
        { "hooks": { "PreToolUse": [{ "matcher": "mcp__notes__read_note$|^mcp__notes__list$" }] } }
        //- /server.ts
        import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
        const server = new McpServer({ name: "notes", version: "1.0.0" });
        server.registerTool("list", { description: "Reads one; call `list_notes` first." }, run);
        server.registerTool("list_notes", { description: "Then `list`, never read_notes or re-read_note." }, run);
        server.registerTool("click", { description: "A click on a note." }, run);

        left: .claude/settings.json: `mcp__notes__read_note$` does not match the new name, which was added
    "#]],
    );
    matcher(
        "mcp:read_note|mcp__notes__read_note",
        "list",
        expect![[r#"
            cannot rename `read_note` to `list`: the entry for `list` in .claude/settings.json would match `list_notes` as well; choose another name
        "#]],
    );
    matcher(
        "mcp__notes__(?<read_note",
        "get_note",
        expect![[r#"
            cannot rename `read_note` to `get_note`: the hook's expression `mcp__notes__(?<read_note` in .claude/settings.json cannot be read; rewrite it first
        "#]],
    );
    // A string with escapes.
    matcher(
        r"Bash|mcp__notes__\u0072ead_note",
        "get_note",
        expect![[r#"
        //- /.claude/settings.json
        { "hooks": { "PreToolUse": [{ "matcher": "Bash|mcp__notes__get_note" }] } }
        //- /server.ts
        import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
        const server = new McpServer({ name: "notes", version: "1.0.0" });
        server.registerTool("get_note", { description: "Reads one; call `list_notes` first." }, run);
        server.registerTool("list_notes", { description: "Then `get_note`, never read_notes or re-read_note." }, run);
        server.registerTool("click", { description: "A click on a note." }, run);

    "#]],
    );
    // A name inside a group is not an alternative of its own.
    matcher(
        "^(?!.*(foo|mcp__notes__read_note|bar))",
        "get_note",
        expect![[r#"
            cannot rename `read_note` to `get_note`: the hook for `^(?!.*(foo|mcp__notes__read_note|bar))` in .claude/settings.json does not run for this tool now, but would run for `mcp__notes__get_note` and may allow it; change its matcher first
        "#]],
    );
}

#[test]
fn guards_of_a_server_that_may_be_this_one_follow_or_refuse() {
    const PYTHON: &str = r#"
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("notes")

@mcp.tool()
def drop_note() -> str: ...
"#;
    let started = |args: &str, entries: &str, expected: expect_test::Expect| {
        let start = format!(r#"{{ "mcpServers": {{ "x": {{ {args} }} }} }}"#);
        let settings = format!(r#"{{ "permissions": {{ "allow": ["mcp__x"], "deny": [{entries}] }} }}"#);
        let files = format!("{PYTHON}//- /.mcp.json\n{start}\n//- /.claude/settings.json\n{settings}\n");
        check(&files, "drop_note", "delete_note", expected);
    };
    let script = r#""command": "sh", "args": ["start.sh"]"#;
    started(
        script,
        r#""mcp__x__drop_*""#,
        expect![[r#"
            cannot rename `drop_note` to `delete_note`: `mcp__x__drop_*` (deny list of .claude/settings.json) may restrict this tool, whose server is started by no file in this workspace, and would not match the new name; add `mcp__x__delete_note` to that list first
        "#]],
    );
    started(
        script,
        r#""mcp__*__drop_note""#,
        expect![[r#"
            cannot rename `drop_note` to `delete_note`: `mcp__*__drop_note` (deny list of .claude/settings.json) may restrict this tool, whose server is started by no file in this workspace, and would not match the new name; add `mcp__*__delete_note` to that list first
        "#]],
    );
    started(
        script,
        r#""mcp__x__drop_*", "mcp__x__delete_note""#,
        expect![[r#"
        //- /server.py
        from mcp.server.fastmcp import FastMCP
        mcp = FastMCP("notes")

        @mcp.tool(name="delete_note")
        def drop_note() -> str: ...
    "#]],
    );
    started(
        r#""command": "fastmcp", "args": ["run", "server.py:mcp"]"#,
        r#""mcp__x__drop_*""#,
        expect![[r#"
        //- /.claude/settings.json
        { "permissions": { "allow": ["mcp__x"], "deny": ["mcp__x__drop_*", "mcp__x__delete_note"] } }
        //- /server.py
        from mcp.server.fastmcp import FastMCP
        mcp = FastMCP("notes")

        @mcp.tool(name="delete_note")
        def drop_note() -> str: ...
        left: .claude/settings.json: `mcp__x__drop_*` does not match the new name
    "#]],
    );
}

#[test]
fn a_name_on_a_line_of_its_own_is_read_by_a_program() {
    let read_by = |path: &str, text: &str, expected: expect_test::Expect| {
        check_with(
            &format!("{SERVER}//- /{path}\n{text}\n"),
            "read_note",
            "get_note",
            Some(&Alias::default()),
            expected,
        );
    };
    read_by(
        "denied.txt",
        "mcp__notes__read_note\nBash",
        expect![[r#"
            cannot rename `read_note` to `get_note`: denied.txt:1 names the tool in code that may deny it, and no edit can add the new name; add it by hand first, or use `--force` to leave it
        "#]],
    );
    read_by(
        "guide.txt",
        "Call mcp__notes__read_note first.",
        expect![[r#"
            //- /guide.txt
            Call mcp__notes__get_note first.
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            // toolnames: alias of get_note
            for (const alias of [undefined, "read_note"] as const) {
              server.registerTool(alias ?? "get_note", { description: alias ? "Deprecated: use get_note." : "Reads one; call `list_notes` first." }, run);
            }
            server.registerTool("list_notes", { description: "Then `get_note`, never read_notes or re-read_note." }, run);
            server.registerTool("click", { description: "A click on a note." }, run);
        "#]],
    );
}

#[test]
fn an_entry_for_the_new_name_allows_it_however_it_is_spelt() {
    check(
        &format!(
            "{SERVER}\n//- /.claude/settings.json\n{}\n",
            r#"{ "permissions": { "allow": ["mcp__notes__readNote"] } }"#
        ),
        "read_note",
        "readNote",
        expect![[r#"
            cannot rename `read_note` to `readNote`: `mcp__notes__readNote` in .claude/settings.json would allow the tool under the new name; remove that entry first
        "#]],
    );
}

#[test]
fn wildcards_that_guard_nothing_are_told() {
    check(
        &format!(
            r#"{SERVER}
//- /Makefile
bot:
	claude -p x --disallowedTools "mcp__notes__read_*" --allowedTools "mcp__notes__*"
//- /run.ts
// Nobody gets mcp__notes__read_* here.
export const ALL = "mcp__notes__*";
//- /bot.sh
# mcp__notes__read_* is denied.
//- /guard.test.ts
test("guard", () => expect(guard("mcp__notes__read_*")).toBe(false));
//- /USAGE.md
Deny `mcp__notes__read_*`.
//- /CHANGELOG.md
Denies `mcp__notes__read_*`.
"#
        ),
        "read_note",
        "get_note",
        expect![[r#"
            //- /Makefile
            bot:
            	claude -p x --disallowedTools "mcp__notes__read_*,mcp__notes__get_note" --allowedTools "mcp__notes__*"
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("get_note", { description: "Reads one; call `list_notes` first." }, run);
            server.registerTool("list_notes", { description: "Then `get_note`, never read_notes or re-read_note." }, run);
            server.registerTool("click", { description: "A click on a note." }, run);

            left: Makefile: `mcp__notes__read_*` does not match the new name
            left: USAGE.md: `mcp__notes__read_*` does not match the new name
            left: bot.sh: `mcp__notes__read_*` does not match the new name
            left: guard.test.ts: `mcp__notes__read_*` does not match the new name
            left: run.ts: `mcp__notes__read_*` does not match the new name
        "#]],
    );
}

#[test]
fn wildcards_that_may_guard_are_refused_until_the_new_name_is_said() {
    let guards = [
        ("run.ts", r#"spawn("claude", ["--disallowedTools", "mcp__notes__re*,mcp__other__read_*"]);"#),
        ("run.ts", "const DENY = [\"mcp__notes__read_*\"];\nquery({ options: { disallowedTools: [...DENY] } });"),
        ("guard.ts", r#"if (name.startsWith("mcp__notes__read_")) return deny();"#),
        ("guard.ts", r"if (/^mcp__notes__(read|drop)_/.test(name)) return deny();"),
        ("guard.py", r#"if re.match(r"mcp__notes__read_.*", name): sys.exit(2)"#),
        ("guard.sh", r#"case "$tool" in mcp__notes__read_*) exit 2;; esac"#),
        ("bot.sh", "DENY='mcp__notes__read_*'\nclaude --disallowedTools \"$DENY\""),
        ("Dockerfile", r#"CMD ["claude", "--disallowedTools", "mcp__notes__read_*"]"#),
        (
            "package.json",
            r#"{ "scripts": { "bot": "claude --settings '{\"permissions\":{\"deny\":[\"mcp__notes__read_*\"]}}'" } }"#,
        ),
        (".pre-commit-config.yaml", "repos:\n  - entry: claude --disallowedTools=mcp__notes__read_*"),
        ("guard.json", r#"{ "forbidden": ["mcp__*__read_note*"] }"#),
    ];
    for (path, text) in guards {
        let fixture = |text: &str| Fixture::parse(&format!("{SERVER}//- /{path}\n{text}\n"));
        let refused = renamed(&fixture(text), "read_note", "get_note").map(|_| ());
        let refusal = refused.expect_err(&format!("{path}: {text}")).to_string();
        let said =
            format!("may restrict this tool and would not match the new name; add `mcp__notes__get_note` to {path}");
        assert!(refusal.contains(&said), "{path}: {refusal}");
        // This new name still matches the pattern.
        assert!(renamed(&fixture(text), "read_note", "read_note_now").is_ok(), "{path}");
        let comment = match path.rsplit('.').next() {
            Some("ts") => format!("{text}\nconst ALSO = \"mcp__notes__get_note\";"),
            Some("json") => text.replacen('{', "{ \"also\": \"mcp__notes__get_note\",", 1),
            _ => format!("{text}\nmcp__notes__get_note"),
        };
        let told = renamed(&fixture(&comment), "read_note", "get_note");
        assert!(told.is_ok(), "{path}: {:?}", told.err());
    }
}

#[test]
fn hooks_that_may_decide_by_a_part_of_the_name_are_refused_until_the_new_name_is_there() {
    let settings = |matcher: &str, command: &str| {
        let command = serde_json::to_string(command).unwrap();
        let hooks =
            format!(r#"[{{ "matcher": "{matcher}", "hooks": [{{ "type": "command", "command": {command} }}] }}]"#);
        format!("//- /.claude/settings.json\n{{ \"hooks\": {{ \"PreToolUse\": {hooks} }} }}\n")
    };
    let run = |files: &str| renamed(&Fixture::parse(&format!("{SERVER}{files}")), "read_note", "get_note");
    let refused = |files: &str, part: &str, place: &str| {
        let refusal = run(files).map(|_| ()).expect_err(files);
        let said = format!("a hook may test for `{part}` ({place})");
        assert!(refusal.to_string().contains(&said), "{files}\n{refusal}");
        assert_eq!(refusal.code(), "hook-may-decide");
    };
    let inline = "jq -r .tool_name | grep -q __read_ && exit 2; exit 0";
    refused(&settings("mcp__notes__.*", inline), "__read_", ".claude/settings.json:1");
    // A hook for other tools, one that does not test the name, and one that already mentions the new name.
    assert!(run(&settings("Bash", inline)).is_ok());
    assert!(run(&settings("*", "jq -r .tool_name >> calls.log")).is_ok());
    assert!(run(&settings("*", &format!("{inline} # get_note"))).is_ok());
    let scripts = [
        ("guard.sh", "case $t in\n  *__read*) exit 2 ;;\nesac\n", "__read", 2),
        ("guard.sh", "#!/bin/bash\n[[ $(cat) == *read_n* ]] && exit 2\n", "read_n", 2),
        ("guard.py", "import sys\nif 'read' in sys.stdin.read(): sys.exit(2)\n", "read", 2),
        ("guard.py", "name.startswith('mcp__' + 'notes__' + 'read')\n", "read", 1),
        ("guard.mjs", "if (/__(read|drop)_/.test(name)) process.exit(2)\n", "read", 1),
    ];
    for (path, text, part, line) in scripts {
        let files = format!(
            "{}//- /.claude/hooks/{path}\n{text}",
            settings("", &format!("\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/{path}"))
        );
        refused(&files, part, &format!(".claude/hooks/{path}:{line}"));
        let files = format!("{files}{} get_note\n", if path.ends_with("mjs") { "//" } else { "#" });
        assert!(run(&files).is_ok(), "{files}");
    }
    // A list that a script reads from a file.
    let files = format!(
        "{}//- /hooks/guard.py\nblocked = json.load(open(here / 'blocked.json'))\n//- /hooks/blocked.json\n[\n  \"list_note\",\n  \"read\"\n]\n",
        settings("", "python3 hooks/guard.py")
    );
    refused(&files, "read", "hooks/blocked.json:3");
    // The words of a message are not parts of a name.
    let files = format!(
        "{}//- /guard.py\ndef read(x): print('you cannot read this, nor get it')\n",
        settings("", "python3 guard.py")
    );
    assert!(run(&files).is_ok());
}

#[test]
fn a_name_that_a_list_offers_already_is_refused() {
    for (path, text) in [
        (
            ".codex/config.toml",
            "[mcp_servers.notes]\ncommand = \"node\"\nargs = [\"server.ts\"]\nenabled_tools = [\"list_notes\", \"get_note\"]\n",
        ),
        (".claude/agents/a.md", "---\nname: a\ndescription: A.\ntools: Read, mcp__notes__get_note\n---\n"),
    ] {
        let fixture = Fixture::parse(&format!("{SERVER}//- /{path}\n{text}"));
        let refusal = renamed(&fixture, "read_note", "get_note").unwrap_err().to_string();
        assert!(refusal.contains("would offer the tool under the new name"), "{path}: {refusal}");
        // If the list already offers the tool under its old name, the rename does not offer anything new.
        let both = format!("{SERVER}//- /{path}\n{text}").replace("get_note\"]", "get_note\", \"read_note\"]");
        let both = both.replace("mcp__notes__get_note", "mcp__notes__get_note, mcp__notes__read_note");
        assert!(renamed(&Fixture::parse(&both), "read_note", "get_note").is_ok(), "{path}");
    }
}

#[test]
fn what_clients_compose_of_the_servers_own_name_follows_where_nothing_starts_it() {
    let fixture = Fixture::parse(
        r#"
//- /server.py
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool()
def read_note() -> str:
    """Reads."""
    return ""
//- /README.md
`mcp__notes__read_note`, `mcp__other__read_note`
"#,
    );
    let (changed, _) = renamed(&fixture, "read_note", "get_note").unwrap();
    assert_eq!(changed["README.md"], "`mcp__notes__get_note`, `mcp__other__read_note`\n");
}

#[test]
fn hooks_of_several_names_and_of_patterns_follow() {
    check(
        &format!(
            r#"{SERVER}
//- /.claude/settings.json
{{ "hooks": {{ "PreToolUse": [
  {{ "matcher": "mcp__notes__read_note|Bash" }},
  {{ "matcher": "mcp__notes__read_.*" }},
  {{ "matcher": "mcp__notes__.*" }}
] }} }}
"#
        ),
        "read_note",
        "get_note",
        expect![[r#"
            //- /.claude/settings.json
            { "hooks": { "PreToolUse": [
              { "matcher": "mcp__notes__get_note|Bash" },
              { "matcher": "mcp__notes__read_.*|^mcp__notes__get_note$" },
              { "matcher": "mcp__notes__.*" }
            ] } }
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("get_note", { description: "Reads one; call `list_notes` first." }, run);
            server.registerTool("list_notes", { description: "Then `get_note`, never read_notes or re-read_note." }, run);
            server.registerTool("click", { description: "A click on a note." }, run);

            left: .claude/settings.json: `mcp__notes__read_.*` does not match the new name, which was added
        "#]],
    );
}

#[test]
fn where_the_place_of_an_entry_counts_the_guard_stands_where_it_counts() {
    let server = r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("delete_note", {}, run);
"#;
    check(
        &format!(
            r#"{server}
//- /opencode.json
{{ "mcp": {{ "notes": {{ "type": "local", "command": ["node", "server.ts"] }} }},
  "permission": {{ "notes_*": "ask", "notes_delete_*": "deny" }} }}
"#
        ),
        "delete_note",
        "erase_note",
        expect![[r#"
            //- /opencode.json
            { "mcp": { "notes": { "type": "local", "command": ["node", "server.ts"] } },
              "permission": { "notes_*": "ask", "notes_delete_*": "deny", "notes_erase_note": "deny" } }
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("erase_note", {}, run);

            left: opencode.json: `notes_delete_*` does not match the new name
        "#]],
    );
    check(
        &format!(
            r#"{server}
//- /.amp/settings.json
{{ "amp.mcpServers": {{ "notes": {{ "command": "node", "args": ["server.ts"] }} }},
  "amp.permissions": [
    {{ "tool": "mcp__notes__delete_*", "action": "reject" }},
    {{ "tool": "mcp__notes__*", "action": "ask" }}
  ] }}
"#
        ),
        "delete_note",
        "erase_note",
        expect![[r#"
            //- /.amp/settings.json
            { "amp.mcpServers": { "notes": { "command": "node", "args": ["server.ts"] } },
              "amp.permissions": [
                { "tool": "mcp__notes__erase_note", "action": "reject" },
                { "tool": "mcp__notes__delete_*", "action": "reject" },
                { "tool": "mcp__notes__*", "action": "ask" }
              ] }
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("erase_note", {}, run);

            left: .amp/settings.json: `mcp__notes__delete_*` does not match the new name
        "#]],
    );
}

/// The decision of a client, computed independently of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Allow,
    Prompt,
    Ask,
    Deny,
}

fn verdict_of(word: &str) -> Verdict {
    match word {
        "allow" => Verdict::Allow,
        "ask" => Verdict::Ask,
        _ => Verdict::Deny,
    }
}

/// Whether a pattern with `*` wildcards matches a whole name.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => {
            name.starts_with(head)
                && (head.len()..=name.len()).any(|at| name.is_char_boundary(at) && matches(tail, &name[at..]))
        }
    }
}

/// The decision of Claude Code: denials take precedence over questions, and questions over permissions.
fn by_strictness(entries: &[(String, String)], name: &str) -> Verdict {
    let matching =
        entries.iter().filter(|(pattern, _)| matches(pattern, name) || name.starts_with(&format!("{pattern}__")));
    matching.map(|(_, word)| verdict_of(word)).fold(None, |worst, one| worst.max(Some(one))).unwrap_or(Verdict::Prompt)
}

fn by_place(entries: &[(String, String)], name: &str, last: bool) -> Verdict {
    let mut matching = entries.iter().filter(|(pattern, _)| matches(pattern, name)).map(|(_, word)| verdict_of(word));
    let winner = if last { matching.next_back() } else { matching.next() };
    winner.unwrap_or(Verdict::Prompt)
}

fn entries() -> impl Strategy<Value = Vec<(String, &'static str)>> {
    let tool = prop::sample::select(vec![
        "read_note",
        "read_*",
        "*_note",
        "get_note",
        "get_*",
        "*",
        "write_note",
        "read_notes",
    ]);
    prop::collection::vec((tool.prop_map(String::from), prop::sample::select(vec!["allow", "ask", "deny"])), 0..6)
}

/// A workspace with the server and a client's file about it.
fn workspace(path: &str, text: &str) -> Fixture {
    Fixture::parse(&format!(
        "//- /server.ts\nimport {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         const server = new McpServer({{ name: \"notes\", version: \"1.0.0\" }});\n\
         server.registerTool(\"read_note\", {{}}, run);\n\
         //- /.mcp.json\n{{ \"mcpServers\": {{ \"notes\": {{ \"command\": \"node\", \"args\": [\"server.ts\"] }} }} }}\n\
         //- /{path}\n{text}\n"
    ))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// After a rename, each client decides at least as strictly as before about the renamed tool.
    #[test]
    fn no_rename_loosens_what_a_client_decides(entries in entries()) {
        // Claude Code.
        let list = |word: &str| {
            let of_list = entries.iter().filter(|(_, kind)| *kind == word).map(|(tool, _)| format!("\"mcp__notes__{tool}\""));
            of_list.collect::<Vec<_>>().join(", ")
        };
        let text = format!(
            "{{ \"permissions\": {{ \"allow\": [{}], \"ask\": [{}], \"deny\": [{}] }} }}", list("allow"), list("ask"), list("deny")
        );
        let read = |text: &str| -> Vec<(String, String)> {
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            let permissions = value["permissions"].as_object().unwrap().clone();
            permissions.into_iter().flat_map(|(word, list)| {
                let list = list.as_array().unwrap().clone();
                list.into_iter().map(move |one| (one.as_str().unwrap().to_string(), word.clone()))
            }).collect()
        };
        let path = ".claude/settings.json";
        if let Ok((changed, _)) = renamed(&workspace(path, &text), "read_note", "get_note") {
            let after = changed.get(path).unwrap_or(&text);
            let (before, now) = (by_strictness(&read(&text), "mcp__notes__read_note"), by_strictness(&read(after), "mcp__notes__get_note"));
            prop_assert!(now >= before, "{text}\n{after}");
        }
        // opencode and Amp, for which the order of entries matters.
        let mut keys: Vec<(String, &str)> = Vec::new();
        for (tool, word) in &entries {
            if !keys.iter().any(|(known, _)| known == tool) {
                keys.push((tool.clone(), word));
            }
        }
        let pairs: Vec<String> = keys.iter().map(|(tool, word)| format!("\"notes_{tool}\": \"{word}\"")).collect();
        let text = format!("{{ \"mcp\": {{ \"notes\": {{ \"command\": [\"node\", \"server.ts\"] }} }}, \"permission\": {{ {} }} }}", pairs.join(", "));
        if let Ok((changed, _)) = renamed(&workspace("opencode.json", &text), "read_note", "get_note") {
            let after = changed.get("opencode.json").unwrap_or(&text);
            // The order of keys matters here, and a map does not preserve it.
            let read = |text: &str| -> Vec<(String, String)> {
                let body = text.split("\"permission\":").nth(1).unwrap();
                let words: Vec<&str> = body.split('"').skip(1).step_by(2).collect();
                words.chunks(2).map(|pair| (pair[0].to_string(), pair[1].to_string())).collect()
            };
            let (before, now) = (by_place(&read(&text), "notes_read_note", true), by_place(&read(after), "notes_get_note", true));
            prop_assert!(now >= before, "{text}\n{after}");
        }
        let rows: Vec<String> = keys.iter().map(|(tool, word)| {
            let word = if *word == "deny" { "reject" } else { word };
            format!("{{ \"tool\": \"mcp__notes__{tool}\", \"action\": \"{word}\" }}")
        }).collect();
        let text = format!("{{ \"amp.permissions\": [{}] }}", rows.join(", "));
        if let Ok((changed, _)) = renamed(&workspace(".amp/settings.json", &text), "read_note", "get_note") {
            let after = changed.get(".amp/settings.json").unwrap_or(&text);
            let read = |text: &str| -> Vec<(String, String)> {
                let value: serde_json::Value = serde_json::from_str(text).unwrap();
                let rows = value["amp.permissions"].as_array().unwrap().clone();
                rows.into_iter().map(|row| (row["tool"].as_str().unwrap().to_string(), row["action"].as_str().unwrap().to_string())).collect()
            };
            let (before, now) = (by_place(&read(&text), "mcp__notes__read_note", false), by_place(&read(after), "mcp__notes__get_note", false));
            prop_assert!(now >= before, "{text}\n{after}");
        }
    }
}

#[test]
fn the_old_name_goes_on_beside_its_registration() {
    let alias = Alias { until: Some("2027-06-01".into()), ..Alias::default() };
    check_with(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
function register(server: McpServer) {
  server.registerTool('read_note', { description: 'Reads', inputSchema: {} }, async () => ({ content: [] }));
}
register(server);
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["server.ts"] } } }
//- /.claude/settings.json
{ "permissions": { "allow": ["mcp__notes__read_note"], "deny": ["mcp__notes__read_*"] }, "hooks": { "PreToolUse": [{ "matcher": "mcp__notes__read_note" }] } }
"#,
        "read_note",
        "get_note",
        Some(&alias),
        expect![[r#"
            //- /.claude/settings.json
            { "permissions": { "allow": ["mcp__notes__read_note", "mcp__notes__get_note"], "deny": ["mcp__notes__read_*", "mcp__notes__get_note"] }, "hooks": { "PreToolUse": [{ "matcher": "mcp__notes__read_note|mcp__notes__get_note" }] } }
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            function register(server: McpServer) {
              // toolnames: alias of get_note until 2027-06-01
              for (const alias of [undefined, 'read_note'] as const) {
                server.registerTool(alias ?? 'get_note', { description: alias ? 'Deprecated: use get_note.' : 'Reads', inputSchema: {} }, async () => ({ content: [] }));
              }
            }
            register(server);
            left: .claude/settings.json: `mcp__notes__read_*` does not match the new name
        "#]],
    );
    check_with(
        r#"
//- /server.js
const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");
const server = new McpServer({ name: "notes", version: "1.0.0" });
const getNoteTool = server.tool("read_note", {}, run);
"#,
        "read_note",
        "get_note",
        Some(&Alias::default()),
        expect![[r#"
            //- /server.js
            const { McpServer } = require("@modelcontextprotocol/sdk/server/mcp.js");
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            const getNoteTool = server.tool("get_note", {}, run);
            // toolnames: alias of get_note
            server.registerTool("read_note", { ...getNoteTool, description: "Deprecated: use get_note." }, getNoteTool.handler);
        "#]],
    );
    check_with(
        r#"
//- /server.py
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool()
def read_note(id: int) -> str:
    """Reads."""
    return ""


@mcp.tool(name="list_notes")
def every() -> str:
    return ""
"#,
        "read_note",
        "get_note",
        Some(&Alias::default()),
        expect![[r#"
            //- /server.py
            from mcp.server.fastmcp import FastMCP

            mcp = FastMCP("notes")


            # toolnames: alias of get_note
            @mcp.tool(name="read_note", description="Deprecated: use get_note.")
            @mcp.tool(name="get_note")
            def read_note(id: int) -> str:
                """Reads."""
                return ""


            @mcp.tool(name="list_notes")
            def every() -> str:
                return ""
        "#]],
    );
    check_with(
        r#"
//- /server.py
from fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool
def read_note(id: int) -> str:
    """Reads."""
    return ""


mcp.run()
"#,
        "read_note",
        "get_note",
        Some(&Alias::default()),
        expect![[r#"
            //- /server.py
            from fastmcp import FastMCP
            from fastmcp.tools import Tool

            mcp = FastMCP("notes")


            @mcp.tool(name="get_note")
            def read_note(id: int) -> str:
                """Reads."""
                return ""


            # toolnames: alias of get_note
            mcp.add_tool(
                Tool.from_tool(read_note, name="read_note", description="Deprecated: use get_note.")
            )


            mcp.run()
        "#]],
    );
    check_with(
        r#"
//- /Cargo.toml
[package]
name = "notes"
version = "0.1.0"
[dependencies]
rmcp = "1"
//- /src/main.rs
use rmcp::{tool, tool_router};
struct Notes;
#[tool_router]
impl Notes {
    /// Reads.
    #[tool]
    async fn read_note(&self, Parameters(ReadArgs { id }): Parameters<ReadArgs>) -> Result<CallToolResult, ErrorData> {
        todo!()
    }
}
"#,
        "read_note",
        "get_note",
        Some(&Alias::default()),
        expect![[r#"
            //- /src/main.rs
            use rmcp::{tool, tool_router};
            struct Notes;
            #[tool_router]
            impl Notes {
                /// Reads.
                #[tool(name = "get_note")]
                async fn read_note(&self, Parameters(ReadArgs { id }): Parameters<ReadArgs>) -> Result<CallToolResult, ErrorData> {
                    todo!()
                }

                // toolnames: alias of get_note
                #[tool(name = "read_note", description = "Deprecated: use get_note.")]
                async fn read_note_alias(&self, p1: Parameters<ReadArgs>) -> Result<CallToolResult, ErrorData> {
                    self.read_note(p1).await
                }
            }
        "#]],
    );
}

#[test]
fn a_lock_tells_what_a_published_name_is_now() {
    check_with(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", {}, run);
//- /toolnames.lock
version = 1

[[tool]]
server = "notes"
name = "read_note"
"#,
        "read_note",
        "get_note",
        Some(&Alias { until: Some("2027-06-01".into()), ..Alias::default() }),
        expect![[r#"
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            // toolnames: alias of get_note until 2027-06-01
            for (const alias of [undefined, "read_note"] as const) {
              server.registerTool(alias ?? "get_note", { ...(alias && { description: "Deprecated: use get_note." }) }, run);
            }
            //- /toolnames.lock
            version = 1

            [[tool]]
            server = "notes"
            name = "get_note"

            [[renamed]]
            server = "notes"
            old = "read_note"
            new = "get_note"
            mode = "listed"
            until = "2027-06-01"
        "#]],
    );
}

#[test]
fn low_level_servers_answer_the_old_name_without_listing_it() {
    check_with(
        r#"
//- /server.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: "read_note", inputSchema: { type: "object" } }] }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  switch (request.params.name) {
    case "read_note":
      return read();
  }
});
"#,
        "read_note",
        "get_note",
        Some(&Alias { mode: rename::AliasMode::Hidden, ..rename::Alias::default() }),
        expect![[r#"
            //- /server.ts
            import { Server } from "@modelcontextprotocol/sdk/server/index.js";
            import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
            const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
            server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: "get_note", inputSchema: { type: "object" } }] }));
            server.setRequestHandler(CallToolRequestSchema, async (request) => {
              switch (request.params.name) {
                // toolnames: alias of get_note
                case "read_note":
                case "get_note":
                  return read();
              }
            });
        "#]],
    );
    check_with(
        r#"
//- /server.py
from mcp.server.lowlevel import Server
import mcp.types as types
server = Server("notes")

@server.list_tools()
async def list_tools():
    return [types.Tool(name="read_note", inputSchema={})]

@server.call_tool()
async def call_tool(name, arguments):
    if name == "read_note" and arguments:
        return read()
    match name:
        case "read_note":
            return read()
"#,
        "read_note",
        "get_note",
        Some(&Alias { mode: rename::AliasMode::Hidden, ..rename::Alias::default() }),
        expect![[r#"
            //- /server.py
            from mcp.server.lowlevel import Server
            import mcp.types as types
            server = Server("notes")

            @server.list_tools()
            async def list_tools():
                return [types.Tool(name="get_note", inputSchema={})]

            @server.call_tool()
            async def call_tool(name, arguments):
                # toolnames: alias of get_note
                if (name == "get_note" or name == "read_note") and arguments:
                    return read()
                match name:
                    # toolnames: alias of get_note
                    case "get_note" | "read_note":
                        return read()
        "#]],
    );
}

#[test]
fn each_clients_guards_stand_where_they_count() {
    let with = |path: &str, text: &str| format!("{SERVER}//- /{path}\n{text}\n");
    let cases = [
        // The last matching entry decides, so the new entry is added after the last one, even if a comment follows
        // that.
        (
            "opencode.jsonc",
            "{ \"permission\": {\n  \"notes_*\": \"allow\",\n  \"notes_read_*\": \"deny\" // never\n} }",
        ),
        // The list of an agent applies after the list for all agents.
        (
            "opencode.json",
            "{ \"agent\": { \"x\": { \"permission\": { \"notes_*\": \"allow\" } } }, \"permission\": { \"notes_read_note\": \"deny\" } }",
        ),
        (
            "opencode.json",
            "{ \"agent\": { \"x\": { \"permission\": { \"notes_get_*\": \"allow\" } } }, \"permission\": { \"notes_read_note\": \"deny\" } }",
        ),
        // A decision written as an object, for any input, and agents under their former key.
        ("opencode.json", "{ \"permission\": { \"notes_*\": \"allow\", \"notes_read_note\": { \"*\": \"deny\" } } }"),
        ("opencode.json", "{ \"permission\": { \"notes_*\": \"allow\", \"notes_read_*\": { \"*\": \"deny\" } } }"),
        (
            "opencode.json",
            "{ \"mode\": { \"plan\": { \"tools\": { \"notes_read_*\": false } } }, \"tools\": { \"notes_*\": true } }",
        ),
        // A rule for every server.
        (".gemini/policies/a.toml", "[[rule]]\nmcpName = \"*\"\ntoolName = \"read_note\"\ndecision = \"deny\""),
        // The other form in which this client has named tools.
        ("opencode.json", "{ \"permission\": { \"mcp__notes__*\": \"allow\", \"mcp__notes__read_note\": \"deny\" } }"),
        // There is already an entry for the new name.
        (
            "opencode.json",
            "{ \"permission\": { \"notes_get_note\": \"allow\", \"notes_*\": \"allow\", \"notes_read_note\": \"deny\" } }",
        ),
        // Two clients read the same file, each with an order of its own.
        (
            ".vscode/settings.json",
            "{ \"chat.tools.eligibleForAutoApproval\": { \"notes/read_note\": false },\n  \"amp.permissions\": [{ \"tool\": \"mcp__notes__read_*\", \"action\": \"reject\" }, { \"tool\": \"*\", \"action\": \"allow\" }] }",
        ),
        // A prefix of the name.
        (
            ".junie/allowlist.json",
            "{ \"rules\": { \"mcpTools\": { \"rules\": [\n  { \"prefix\": \"notes:read\", \"action\": \"ask\" },\n  { \"prefix\": \"notes:\", \"action\": \"allow\" }\n] } } }",
        ),
        // A rule for some calls decides nothing about other calls.
        (
            ".amp/settings.json",
            "{ \"amp.permissions\": [{ \"tool\": \"mcp__notes__read_*\", \"matches\": { \"id\": \"1\" }, \"action\": \"allow\" }, { \"tool\": \"mcp__notes__read_*\", \"action\": \"reject\" }, { \"tool\": \"*\", \"action\": \"allow\" }] }",
        ),
        (
            ".amp/settings.json",
            "{ \"amp.permissions\": [{ \"tool\": \"mcp__notes__read_*\", \"matches\": { \"id\": \"1\" }, \"action\": \"reject\" }, { \"tool\": \"*\", \"action\": \"allow\" }] }",
        ),
        // Each command has its own options.
        (
            "run.sh",
            "claude -p a --disallowedTools \"mcp__notes__read_note\"\nclaude -p b --disallowedTools \"mcp__notes__read_*\" --allowedTools mcp__notes",
        ),
        (".claude/skills/a/SKILL.md", "---\ndisallowed-tools: mcp__notes__read_note Bash Read\n---"),
        // A dotted key, which is one of several keys in its table.
        (
            ".codex/config.toml",
            "[mcp_servers.notes]\ncommand = \"node\"\nargs = [\"server.ts\"]\ntools.read_note.approval_mode = \"prompt\"",
        ),
        // Text in parentheses after a name, or settings under a name, belong to the name.
        (
            ".gemini/settings.json",
            "{ \"mcpServers\": { \"notes\": { \"command\": \"node\", \"args\": [\"server.ts\"], \"includeTools\": [\"read_note(1)\"] } } }",
        ),
        (".kiro/agents/a.json", "{ \"toolsSettings\": { \"@notes/read_note\": { \"deniedPaths\": [\"/etc\"] } } }"),
        // Hooks that name tools with their server, or by the tool's name alone, for any server.
        (
            ".kiro/agents/a.json",
            "{ \"hooks\": { \"preToolUse\": [{ \"matcher\": \"@notes/read_note\", \"command\": \"deny\" }] } }",
        ),
        (
            ".kiro/agents/a.json",
            "{ \"hooks\": { \"preToolUse\": [{ \"matcher\": \"@notes/read*\", \"command\": \"deny\" }] } }",
        ),
        (
            ".kiro/agents/a.json",
            "{ \"mcpServers\": { \"notes\": { \"command\": \"node\", \"args\": [\"server.ts\"], \"disabledTools\": [\"read_note\"] } } }",
        ),
        (
            ".cursor/hooks.json",
            "{ \"hooks\": { \"preToolUse\": [{ \"matcher\": \"MCP:read_note|MCP:list_note\", \"command\": \"deny\" }] } }",
        ),
        (
            ".cursor/hooks.json",
            "{ \"hooks\": { \"preToolUse\": [{ \"matcher\": \"Shell|MCP:read_.*\", \"command\": \"deny\" }] } }",
        ),
        // In files that are not JSON, entries with wildcards are copied to a place where the copy takes effect.
        (
            ".gemini/policies/a.toml",
            "[[rule]]\nmcpName = \"notes\"\ntoolName = \"read_*\"\ndecision = \"deny\"\npriority = 100\n\n[[rule]]\nmcpName = \"notes\"\ndecision = \"allow\"\npriority = 10",
        ),
        (
            ".gemini/policies/a.toml",
            "[[rule]]\nmcpName = \"notes\"\ntoolName = \"read_*\"\ndecision = \"deny\"\npriority = 1\n\n[[rule]]\nmcpName = \"notes\"\ntoolName = \"get_*\"\ndecision = \"allow\"\npriority = 2",
        ),
        (".opencode/agents/a.md", "---\npermission:\n  notes_*: allow\n  notes_read_*: deny # never\n---\nx"),
        (".opencode/agents/a.md", "---\npermission:\n  notes_read_*: deny\n  notes_get_*: allow\n---\nx"),
        // The other settings of an entry are copied with it.
        (
            ".amp/settings.json",
            "{ \"amp.permissions\": [\n  { \"tool\": \"mcp__notes__read_note\", \"action\": \"allow\", \"matches\": { \"id\": \"pub*\" } },\n  { \"tool\": \"mcp__*\", \"action\": \"delegate\", \"to\": \"guard\" }\n] }",
        ),
        (
            ".amp/settings.json",
            "{ \"amp.permissions\": [{ \"tool\": \"mcp__notes__*\", \"action\": \"allow\" }], \"amp.tools.disable\": [\"mcp__notes__read_*\"] }",
        ),
        (
            ".gemini/policies/a.toml",
            "[[rule]]\nmcpName = \"notes\"\ntoolName = \"get_*\"\ndecision = \"allow\"\npriority = 200\n\n[[rule]]\nmcpName = \"notes\"\ntoolName = \"*\"\ndecision = \"deny\"\npriority = 50",
        ),
        (
            ".codex/config.toml",
            "[mcp_servers.notes]\ncommand = \"node\"\nargs = [\"server.ts\"]\n\n[mcp_servers.notes.tools.read_note]\napproval_mode = \"prompt\" # always\n\n[other]\nx = 1",
        ),
        (
            ".gemini/policies/b.toml",
            "[[rule]]\nmcpName = \"notes\"\ntoolName = \"read_note\"\ndecision = \"deny\"\npriority = 200",
        ),
        (
            ".vibe/config.toml",
            "disabled_tools = [\"re:notes_read_.*\"]\n\n[[mcp_servers]]\nname = \"notes\"\ncommand = \"node\"\nargs = [\"server.ts\"]",
        ),
        (".crushrc", "permissions deny mcp_notes_read_note"),
        ("run.sh", "claude --disallowedTools=mcp__notes__read_note -p \"x\""),
        // A new entry must not end up inside a comment.
        ("opencode.jsonc", "{ \"permission\": { \"*\": \"allow\",\n  \"notes_read_*\": \"deny\", // never\n} }"),
        ("opencode.jsonc", "{ \"permission\": { \"*\": \"allow\",\n  \"notes_read_*\": \"ask\"\n  // end\n} }"),
        // Inside a string, quotes are escaped as in that string.
        (
            "package.json",
            "{ \"name\": \"a\", \"scripts\": { \"a\": \"claude --disallowedTools \\\"mcp__notes__read_*\\\" --allowedTools 'mcp__notes,Read'\" } }",
        ),
        // Settings that are embedded in another file.
        (
            ".github/workflows/a.yml",
            "on: push\njobs:\n  a:\n    steps:\n      - with:\n          settings: |\n            { \"permissions\": {\n              \"deny\": [\n                \"mcp__notes__read_note\"\n              ] } }\n          more: 1",
        ),
        (
            "run.sh",
            "claude --settings '{\"permissions\":{\"deny\":[\"mcp__notes__read_*\"],\"allow\":[\"mcp__notes\"]}}' -p x",
        ),
        (
            ".claude/agents/reader.md",
            "---\nname: reader\ndescription: Reads.\ndisallowedTools:\n  - mcp__notes__read_note # never\n---",
        ),
        (
            ".claude/settings.json",
            "{ \"hooks\": { \"PreToolUse\": [{ \"matcher\": \"mcp__notes__read_\\\\w+\", \"hooks\": [] }] } }",
        ),
    ];
    let mut out = String::new();
    for (path, text) in cases {
        for alias in [None, Some(Alias::default())] {
            let fixture = Fixture::parse(&with(path, text));
            let said = match renamed_with(&fixture, "read_note", To::new("get_note", alias.as_ref())) {
                Ok((changed, _)) => changed.get(path).cloned().unwrap_or_else(|| "as it was\n".into()),
                Err(refusal) => format!("{refusal}\n"),
            };
            out.push_str(&format!("── {path}, {}\n{said}", if alias.is_some() { "alias" } else { "no alias" }));
        }
    }
    expect![[r#"
        ── opencode.jsonc, no alias
        { "permission": {
          "notes_*": "allow",
          "notes_read_*": "deny", // never
          "notes_get_note": "deny"
        } }
        ── opencode.jsonc, alias
        { "permission": {
          "notes_*": "allow",
          "notes_read_*": "deny", // never
          "notes_get_note": "deny"
        } }
        ── opencode.json, no alias
        { "agent": { "x": { "permission": { "notes_*": "allow" } } }, "permission": { "notes_get_note": "deny" } }
        ── opencode.json, alias
        { "agent": { "x": { "permission": { "notes_*": "allow" } } }, "permission": { "notes_read_note": "deny", "notes_get_note": "deny" } }
        ── opencode.json, no alias
        cannot rename `read_note` to `get_note`: `notes_read_note` (deny list of opencode.json) would no longer match; add `notes_get_note` to that list first
        ── opencode.json, alias
        cannot rename `read_note` to `get_note`: `notes_read_note` (deny list of opencode.json) would no longer match; add `notes_get_note` to that list first
        ── opencode.json, no alias
        { "permission": { "notes_*": "allow", "notes_get_note": { "*": "deny" } } }
        ── opencode.json, alias
        { "permission": { "notes_*": "allow", "notes_read_note": { "*": "deny" }, "notes_get_note": { "*": "deny" } } }
        ── opencode.json, no alias
        { "permission": { "notes_*": "allow", "notes_read_*": { "*": "deny" }, "notes_get_note": "deny" } }
        ── opencode.json, alias
        { "permission": { "notes_*": "allow", "notes_read_*": { "*": "deny" }, "notes_get_note": "deny" } }
        ── opencode.json, no alias
        { "mode": { "plan": { "tools": { "notes_read_*": false, "notes_get_note": false } } }, "tools": { "notes_*": true } }
        ── opencode.json, alias
        { "mode": { "plan": { "tools": { "notes_read_*": false, "notes_get_note": false } } }, "tools": { "notes_*": true } }
        ── .gemini/policies/a.toml, no alias
        [[rule]]
        mcpName = "*"
        toolName = "read_note"
        decision = "deny"

        [[rule]]
        mcpName = "*"
        toolName = "get_note"
        decision = "deny"
        ── .gemini/policies/a.toml, alias
        [[rule]]
        mcpName = "*"
        toolName = "read_note"
        decision = "deny"

        [[rule]]
        mcpName = "*"
        toolName = "get_note"
        decision = "deny"
        ── opencode.json, no alias
        as it was
        ── opencode.json, alias
        as it was
        ── opencode.json, no alias
        cannot rename `read_note` to `get_note`: opencode.json contains `notes_get_note` (allow) and `notes_read_note` (deny); remove one of the two entries first
        ── opencode.json, alias
        cannot rename `read_note` to `get_note`: opencode.json contains `notes_get_note` (allow) and `notes_read_note` (deny); remove one of the two entries first
        ── .vscode/settings.json, no alias
        { "chat.tools.eligibleForAutoApproval": { "notes/get_note": false },
          "amp.permissions": [{ "tool": "mcp__notes__get_note", "action": "reject" }, { "tool": "mcp__notes__read_*", "action": "reject" }, { "tool": "*", "action": "allow" }] }
        ── .vscode/settings.json, alias
        { "chat.tools.eligibleForAutoApproval": { "notes/read_note": false, "notes/get_note": false },
          "amp.permissions": [{ "tool": "mcp__notes__get_note", "action": "reject" }, { "tool": "mcp__notes__read_*", "action": "reject" }, { "tool": "*", "action": "allow" }] }
        ── .junie/allowlist.json, no alias
        { "rules": { "mcpTools": { "rules": [
          { "prefix": "notes:get_note", "action": "ask" },
          { "prefix": "notes:read", "action": "ask" },
          { "prefix": "notes:", "action": "allow" }
        ] } } }
        ── .junie/allowlist.json, alias
        { "rules": { "mcpTools": { "rules": [
          { "prefix": "notes:get_note", "action": "ask" },
          { "prefix": "notes:read", "action": "ask" },
          { "prefix": "notes:", "action": "allow" }
        ] } } }
        ── .amp/settings.json, no alias
        { "amp.permissions": [{ "tool": "mcp__notes__get_note", "action": "reject" }, { "tool": "mcp__notes__read_*", "matches": { "id": "1" }, "action": "allow" }, { "tool": "mcp__notes__read_*", "action": "reject" }, { "tool": "*", "action": "allow" }] }
        ── .amp/settings.json, alias
        { "amp.permissions": [{ "tool": "mcp__notes__get_note", "action": "reject" }, { "tool": "mcp__notes__read_*", "matches": { "id": "1" }, "action": "allow" }, { "tool": "mcp__notes__read_*", "action": "reject" }, { "tool": "*", "action": "allow" }] }
        ── .amp/settings.json, no alias
        cannot rename `read_note` to `get_note`: `mcp__notes__read_*` (deny list of .amp/settings.json) restricts some calls of the tool and would no longer match; add a rule for the new name first
        ── .amp/settings.json, alias
        cannot rename `read_note` to `get_note`: `mcp__notes__read_*` (deny list of .amp/settings.json) restricts some calls of the tool and would no longer match; add a rule for the new name first
        ── run.sh, no alias
        claude -p a --disallowedTools "mcp__notes__get_note"
        claude -p b --disallowedTools "mcp__notes__read_*,mcp__notes__get_note" --allowedTools mcp__notes
        ── run.sh, alias
        claude -p a --disallowedTools "mcp__notes__read_note,mcp__notes__get_note"
        claude -p b --disallowedTools "mcp__notes__read_*,mcp__notes__get_note" --allowedTools mcp__notes
        ── .claude/skills/a/SKILL.md, no alias
        ---
        disallowed-tools: mcp__notes__get_note Bash Read
        ---
        ── .claude/skills/a/SKILL.md, alias
        ---
        disallowed-tools: mcp__notes__read_note mcp__notes__get_note Bash Read
        ---
        ── .codex/config.toml, no alias
        [mcp_servers.notes]
        command = "node"
        args = ["server.ts"]
        tools.get_note.approval_mode = "prompt"
        ── .codex/config.toml, alias
        cannot rename `read_note` to `get_note`: `read_note` (ask list of .codex/config.toml) restricts the tool; add `get_note` to that list first
        ── .gemini/settings.json, no alias
        { "mcpServers": { "notes": { "command": "node", "args": ["server.ts"], "includeTools": ["get_note(1)"] } } }
        ── .gemini/settings.json, alias
        { "mcpServers": { "notes": { "command": "node", "args": ["server.ts"], "includeTools": ["read_note(1)", "get_note(1)"] } } }
        ── .kiro/agents/a.json, no alias
        { "toolsSettings": { "@notes/get_note": { "deniedPaths": ["/etc"] } } }
        ── .kiro/agents/a.json, alias
        { "toolsSettings": { "@notes/read_note": { "deniedPaths": ["/etc"] }, "@notes/get_note": { "deniedPaths": ["/etc"] } } }
        ── .kiro/agents/a.json, no alias
        { "hooks": { "preToolUse": [{ "matcher": "@notes/get_note", "command": "deny" }] } }
        ── .kiro/agents/a.json, alias
        { "hooks": { "preToolUse": [{ "matcher": "@notes/read_note", "command": "deny" }, { "matcher": "@notes/get_note", "command": "deny" }] } }
        ── .kiro/agents/a.json, no alias
        { "hooks": { "preToolUse": [{ "matcher": "@notes/read*", "command": "deny" }, { "matcher": "@notes/get_note", "command": "deny" }] } }
        ── .kiro/agents/a.json, alias
        { "hooks": { "preToolUse": [{ "matcher": "@notes/read*", "command": "deny" }, { "matcher": "@notes/get_note", "command": "deny" }] } }
        ── .kiro/agents/a.json, no alias
        { "mcpServers": { "notes": { "command": "node", "args": ["server.ts"], "disabledTools": ["get_note"] } } }
        ── .kiro/agents/a.json, alias
        { "mcpServers": { "notes": { "command": "node", "args": ["server.ts"], "disabledTools": ["read_note", "get_note"] } } }
        ── .cursor/hooks.json, no alias
        { "hooks": { "preToolUse": [{ "matcher": "MCP:get_note|MCP:list_note", "command": "deny" }] } }
        ── .cursor/hooks.json, alias
        { "hooks": { "preToolUse": [{ "matcher": "MCP:read_note|MCP:get_note|MCP:list_note", "command": "deny" }] } }
        ── .cursor/hooks.json, no alias
        { "hooks": { "preToolUse": [{ "matcher": "Shell|MCP:read_.*|^MCP:get_note$", "command": "deny" }] } }
        ── .cursor/hooks.json, alias
        { "hooks": { "preToolUse": [{ "matcher": "Shell|MCP:read_.*|^MCP:get_note$", "command": "deny" }] } }
        ── .gemini/policies/a.toml, no alias
        [[rule]]
        mcpName = "notes"
        toolName = "read_*"
        decision = "deny"
        priority = 100

        [[rule]]
        mcpName = "notes"
        toolName = "get_note"
        decision = "deny"
        priority = 100

        [[rule]]
        mcpName = "notes"
        decision = "allow"
        priority = 10
        ── .gemini/policies/a.toml, alias
        [[rule]]
        mcpName = "notes"
        toolName = "read_*"
        decision = "deny"
        priority = 100

        [[rule]]
        mcpName = "notes"
        toolName = "get_note"
        decision = "deny"
        priority = 100

        [[rule]]
        mcpName = "notes"
        decision = "allow"
        priority = 10
        ── .gemini/policies/a.toml, no alias
        cannot rename `read_note` to `get_note`: `read_*` (deny list of .gemini/policies/a.toml) would no longer match; add `get_note` to that list first
        ── .gemini/policies/a.toml, alias
        cannot rename `read_note` to `get_note`: `read_*` (deny list of .gemini/policies/a.toml) would no longer match; add `get_note` to that list first
        ── .opencode/agents/a.md, no alias
        ---
        permission:
          notes_*: allow
          notes_read_*: deny # never
          notes_get_note: deny
        ---
        x
        ── .opencode/agents/a.md, alias
        ---
        permission:
          notes_*: allow
          notes_read_*: deny # never
          notes_get_note: deny
        ---
        x
        ── .opencode/agents/a.md, no alias
        cannot rename `read_note` to `get_note`: .opencode/agents/a.md would restrict `get_note` less than it restricts `read_note`; add `get_note` to it first
        ── .opencode/agents/a.md, alias
        cannot rename `read_note` to `get_note`: .opencode/agents/a.md would restrict `get_note` less than it restricts `read_note`; add `get_note` to it first
        ── .amp/settings.json, no alias
        { "amp.permissions": [
          { "tool": "mcp__notes__get_note", "action": "allow", "matches": { "id": "pub*" } },
          { "tool": "mcp__*", "action": "delegate", "to": "guard" }
        ] }
        ── .amp/settings.json, alias
        { "amp.permissions": [
          { "tool": "mcp__notes__read_note", "action": "allow", "matches": { "id": "pub*" } },
          { "tool": "mcp__notes__get_note", "action": "allow", "matches": { "id": "pub*" } },
          { "tool": "mcp__*", "action": "delegate", "to": "guard" }
        ] }
        ── .amp/settings.json, no alias
        { "amp.permissions": [{ "tool": "mcp__notes__*", "action": "allow" }], "amp.tools.disable": ["mcp__notes__read_*", "mcp__notes__get_note"] }
        ── .amp/settings.json, alias
        { "amp.permissions": [{ "tool": "mcp__notes__*", "action": "allow" }], "amp.tools.disable": ["mcp__notes__read_*", "mcp__notes__get_note"] }
        ── .gemini/policies/a.toml, no alias
        cannot rename `read_note` to `get_note`: `*` (deny list of .gemini/policies/a.toml) would no longer match; add `get_note` to that list first
        ── .gemini/policies/a.toml, alias
        cannot rename `read_note` to `get_note`: `*` (deny list of .gemini/policies/a.toml) would no longer match; add `get_note` to that list first
        ── .codex/config.toml, no alias
        [mcp_servers.notes]
        command = "node"
        args = ["server.ts"]

        [mcp_servers.notes.tools.get_note]
        approval_mode = "prompt" # always

        [other]
        x = 1
        ── .codex/config.toml, alias
        [mcp_servers.notes]
        command = "node"
        args = ["server.ts"]

        [mcp_servers.notes.tools.read_note]
        approval_mode = "prompt" # always

        [mcp_servers.notes.tools.get_note]
        approval_mode = "prompt" # always

        [other]
        x = 1
        ── .gemini/policies/b.toml, no alias
        [[rule]]
        mcpName = "notes"
        toolName = "get_note"
        decision = "deny"
        priority = 200
        ── .gemini/policies/b.toml, alias
        [[rule]]
        mcpName = "notes"
        toolName = "read_note"
        decision = "deny"
        priority = 200

        [[rule]]
        mcpName = "notes"
        toolName = "get_note"
        decision = "deny"
        priority = 200
        ── .vibe/config.toml, no alias
        disabled_tools = ["re:notes_read_.*", "notes_get_note"]

        [[mcp_servers]]
        name = "notes"
        command = "node"
        args = ["server.ts"]
        ── .vibe/config.toml, alias
        disabled_tools = ["re:notes_read_.*", "notes_get_note"]

        [[mcp_servers]]
        name = "notes"
        command = "node"
        args = ["server.ts"]
        ── .crushrc, no alias
        permissions deny mcp_notes_get_note
        ── .crushrc, alias
        permissions deny mcp_notes_read_note mcp_notes_get_note
        ── run.sh, no alias
        claude --disallowedTools=mcp__notes__get_note -p "x"
        ── run.sh, alias
        claude --disallowedTools=mcp__notes__read_note,mcp__notes__get_note -p "x"
        ── opencode.jsonc, no alias
        { "permission": { "*": "allow",
          "notes_read_*": "deny", // never
          "notes_get_note": "deny",
        } }
        ── opencode.jsonc, alias
        { "permission": { "*": "allow",
          "notes_read_*": "deny", // never
          "notes_get_note": "deny",
        } }
        ── opencode.jsonc, no alias
        { "permission": { "*": "allow",
          "notes_read_*": "ask",
          // end
          "notes_get_note": "ask"
        } }
        ── opencode.jsonc, alias
        { "permission": { "*": "allow",
          "notes_read_*": "ask",
          // end
          "notes_get_note": "ask"
        } }
        ── package.json, no alias
        { "name": "a", "scripts": { "a": "claude --disallowedTools \"mcp__notes__read_*,mcp__notes__get_note\" --allowedTools 'mcp__notes,Read'" } }
        ── package.json, alias
        { "name": "a", "scripts": { "a": "claude --disallowedTools \"mcp__notes__read_*,mcp__notes__get_note\" --allowedTools 'mcp__notes,Read'" } }
        ── .github/workflows/a.yml, no alias
        on: push
        jobs:
          a:
            steps:
              - with:
                  settings: |
                    { "permissions": {
                      "deny": [
                        "mcp__notes__get_note"
                      ] } }
                  more: 1
        ── .github/workflows/a.yml, alias
        on: push
        jobs:
          a:
            steps:
              - with:
                  settings: |
                    { "permissions": {
                      "deny": [
                        "mcp__notes__read_note",
                        "mcp__notes__get_note"
                      ] } }
                  more: 1
        ── run.sh, no alias
        claude --settings '{"permissions":{"deny":["mcp__notes__read_*", "mcp__notes__get_note"],"allow":["mcp__notes"]}}' -p x
        ── run.sh, alias
        claude --settings '{"permissions":{"deny":["mcp__notes__read_*", "mcp__notes__get_note"],"allow":["mcp__notes"]}}' -p x
        ── .claude/agents/reader.md, no alias
        ---
        name: reader
        description: Reads.
        disallowedTools:
          - mcp__notes__get_note # never
        ---
        ── .claude/agents/reader.md, alias
        ---
        name: reader
        description: Reads.
        disallowedTools:
          - mcp__notes__read_note # never
          - mcp__notes__get_note
        ---
        ── .claude/settings.json, no alias
        { "hooks": { "PreToolUse": [{ "matcher": "mcp__notes__read_\\w+|^mcp__notes__get_note$", "hooks": [] }] } }
        ── .claude/settings.json, alias
        { "hooks": { "PreToolUse": [{ "matcher": "mcp__notes__read_\\w+|^mcp__notes__get_note$", "hooks": [] }] } }
    "#]].assert_eq(&out);
}

#[test]
fn a_prefix_that_is_not_known_stays_before_the_new_name() {
    let files = r#"
//- /server.py
from fastmcp import FastMCP
def create(namespace: str = "") -> FastMCP:
    mcp = FastMCP("notes")
    prefix = namespace + "-" if namespace else ""
    @mcp.tool(name=prefix + "read_note")
    def read_note(title: str) -> str:
        return title
    return mcp
def main(namespace: str) -> None:
    create(namespace).run()
"#;
    check_with(
        files,
        "read_note",
        "get_note",
        Some(&Alias::default()),
        expect![[r#"
            //- /server.py
            from fastmcp import FastMCP
            from fastmcp.tools import Tool
            def create(namespace: str = "") -> FastMCP:
                mcp = FastMCP("notes")
                prefix = namespace + "-" if namespace else ""
                @mcp.tool(name=prefix + "get_note")
                def read_note(title: str) -> str:
                    return title

                # toolnames: alias of get_note
                mcp.add_tool(
                    Tool.from_tool(
                        read_note,
                        name=prefix + "read_note",
                        description="Deprecated: use get_note.",
                    )
                )
                return mcp
            def main(namespace: str) -> None:
                create(namespace).run()
        "#]],
    );
}

#[test]
fn what_a_caller_gives_to_be_called_is_followed_to_its_table() {
    check(
        r#"
//- /serve.js
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
export function serve(config) {
  const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: config.tools }));
  server.setRequestHandler(CallToolRequestSchema, async (request) => {
    const { name, arguments: args } = request.params;
    return config.handle({ name, args });
  });
}
//- /handlers.js
export function handlers(notes) {
  return { read_note: read(notes), other: read(notes) };
}
//- /main.js
import { serve } from "./serve.js";
import { handlers } from "./handlers.js";
serve({
  tools: [{ name: "read_note", description: "Reads", inputSchema: {} }],
  handle: async (call) => {
    const all = handlers(notes);
    const wanted = call.name;
    return all[wanted](call.args);
  },
});
"#,
        "read_note",
        "get_note",
        expect![[r#"
            //- /handlers.js
            export function handlers(notes) {
              return { get_note: read(notes), other: read(notes) };
            }
            //- /main.js
            import { serve } from "./serve.js";
            import { handlers } from "./handlers.js";
            serve({
              tools: [{ name: "get_note", description: "Reads", inputSchema: {} }],
              handle: async (call) => {
                const all = handlers(notes);
                const wanted = call.name;
                return all[wanted](call.args);
              },
            });
        "#]],
    );
}

#[test]
fn several_names_of_tools_in_one_place_are_meant_as_such() {
    let files = |compared: &str| {
        format!(
            r#"
//- /Cargo.toml
[package]
name = "notes"
version = "1.0.0"
//- /src/tools.rs
use crate::protocol::Tool;
pub fn tools() -> Vec<Tool> {{
    vec![
        Tool {{ name: "read_note".to_string(), description: "Reads".to_string(), input_schema: json!({{}}) }},
        Tool {{ name: "write_note".to_string(), description: "Writes".to_string(), input_schema: json!({{}}) }},
        Tool {{ name: "drop_note".to_string(), description: "Drops".to_string(), input_schema: json!({{}}) }},
    ]
}}
//- /src/main.rs
async fn answer(request: Request) -> Value {{
    match request.method.as_str() {{
        "tools/list" => json!({{ "tools": tools::tools() }}),
        "tools/call" => call(&wanted_by(request)).await,
    }}
}}
mod call;
mod tools;
//- /src/call.rs
pub async fn call(tool_name: &str) -> String {{
    match tool_name {{
{compared}
    }}
}}
"#
        )
    };
    check(
        &files(
            "        \"read_note\" => read(),\n        \"write_note\" => write(),\n        \"drop_note\" => drop(),",
        ),
        "read_note",
        "get_note",
        expect![[r#"
            //- /src/call.rs
            pub async fn call(tool_name: &str) -> String {
                match tool_name {
                    "get_note" => read(),
                    "write_note" => write(),
                    "drop_note" => drop(),
                }
            }
            //- /src/tools.rs
            use crate::protocol::Tool;
            pub fn tools() -> Vec<Tool> {
                vec![
                    Tool { name: "get_note".to_string(), description: "Reads".to_string(), input_schema: json!({}) },
                    Tool { name: "write_note".to_string(), description: "Writes".to_string(), input_schema: json!({}) },
                    Tool { name: "drop_note".to_string(), description: "Drops".to_string(), input_schema: json!({}) },
                ]
            }
        "#]],
    );
    // A variable that is called `tool_name` is compared with names of tools, even if some cases are something else.
    check(
        &files("        \"read_note\" => read(),\n        \"something\" => write(),\n        \"else\" => drop(),"),
        "read_note",
        "get_note",
        expect![[r#"
            //- /src/call.rs
            pub async fn call(tool_name: &str) -> String {
                match tool_name {
                    "get_note" => read(),
                    "something" => write(),
                    "else" => drop(),
                }
            }
            //- /src/tools.rs
            use crate::protocol::Tool;
            pub fn tools() -> Vec<Tool> {
                vec![
                    Tool { name: "get_note".to_string(), description: "Reads".to_string(), input_schema: json!({}) },
                    Tool { name: "write_note".to_string(), description: "Writes".to_string(), input_schema: json!({}) },
                    Tool { name: "drop_note".to_string(), description: "Drops".to_string(), input_schema: json!({}) },
                ]
            }
            left: src/tools.rs: the code that handles calls of this name was not found
        "#]],
    );
}

#[test]
fn a_link_to_an_id_stays_with_it() {
    check(
        &format!(
            "{SERVER}//- /README.md\n- [`read_note`](#read_note)\n\n<summary id=\"read_note\"><code>read_note</code></summary>\n"
        ),
        "read_note",
        "get_note",
        expect![[r#"
            //- /README.md
            - [`get_note`](#read_note)

            <summary id="read_note"><code>get_note</code></summary>
            //- /server.ts
            import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
            const server = new McpServer({ name: "notes", version: "1.0.0" });
            server.registerTool("get_note", { description: "Reads one; call `list_notes` first." }, run);
            server.registerTool("list_notes", { description: "Then `get_note`, never read_notes or re-read_note." }, run);
            server.registerTool("click", { description: "A click on a note." }, run);
        "#]],
    );
}

#[test]
fn what_a_comment_or_a_test_says_of_a_function_of_that_name_stays() {
    check(
        r#"
//- /pyproject.toml
[project]
name = "notes"
dependencies = ["mcp"]
//- /server.py
from mcp.server.fastmcp import FastMCP
from notes import read_note

mcp = FastMCP("notes")
# `read_note` is read by nobody else.
mcp.tool("read_note")(read_note)


@mcp.tool()
def list_notes() -> str:
    """Lists notes; call `read_note` then."""
    return ""
//- /notes.py
# What read_note returns is text.
def read_note(id: str) -> str:
    return id
//- /tests/test_notes.py
from notes import read_note

def test_read():
    """Tests read_note."""
    assert read_note("a") == "a"
//- /tests/test_server.py
async def test_server(client):
    """Tests read_note by its server's tools."""
    assert await client.call_tool("read_note", {})
"#,
        "read_note",
        "get_note",
        expect![[r#"
            //- /server.py
            from mcp.server.fastmcp import FastMCP
            from notes import read_note

            mcp = FastMCP("notes")
            # `read_note` is read by nobody else.
            mcp.tool("get_note")(read_note)


            @mcp.tool()
            def list_notes() -> str:
                """Lists notes; call `get_note` then."""
                return ""
            //- /tests/test_server.py
            async def test_server(client):
                """Tests get_note by its server's tools."""
                assert await client.call_tool("get_note", {})
            left: notes.py: a name in code that may be a function or a column
            left: server.py: a name in code that may be a function or a column
            left: tests/test_notes.py: a name in code that may be a function or a column
        "#]],
    );
}

#[test]
fn a_tool_that_is_answered_by_what_has_its_name_is_not_renamed_alone() {
    let files = r#"
//- /pyproject.toml
[project]
name = "notes"
dependencies = ["mcp"]
//- /notes/__init__.py
//- /notes/operations.py
async def read_note(number):
    return []


async def drop_note(number):
    return []
//- /notes/server.py
from mcp.server import Server
from mcp.types import Tool

from . import operations

server = Server("notes")
NAMES = ["read_note", "drop_note"]


@server.list_tools()
async def list_tools():
    return [Tool(name=name, description=name, inputSchema={"type": "object"}) for name in NAMES]


@server.call_tool()
async def call_tool(name, arguments):
    function = getattr(operations, name, None)
    return await function(**arguments)
"#;
    let fixture = Fixture::parse(files);
    let refusal = renamed(&fixture, "read_note", "get_note").unwrap_err();
    assert_eq!(refusal.code(), "handler-by-name");
    let forced = To { force: true, ..To::new("get_note", None) };
    let (after, _) = renamed_with(&fixture, "read_note", forced).unwrap();
    assert!(after["notes/server.py"].contains("[\"get_note\", \"drop_note\"]"));
}

#[test]
fn a_table_that_begins_with_a_spread_has_the_tools_as_keys() {
    let files = r#"
//- /package.json
{ "name": "notes", "version": "1.0.0", "dependencies": { "@modelcontextprotocol/sdk": "^1.30.0" } }
//- /permissions.ts
import { NAMES } from "./names.js";
const defaults = Object.fromEntries(NAMES.map((name) => [name, {}]));
export const PERMISSIONS = {
  ...defaults,
  read_note: { list: "basic" },
  drop_note: { list: "full" },
};
//- /names.ts
export const NAMES = ["read_note", "drop_note"] as const;
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", { description: "Reads." }, run);
server.registerTool("drop_note", { description: "Drops." }, run);
"#;
    let alias = Alias::default();
    let to = To::new("get_note", Some(&alias));
    let (after, _) = renamed_with(&Fixture::parse(files), "read_note", to).unwrap();
    assert!(
        after["permissions.ts"].contains("  get_note: { list: \"basic\" },\n  read_note: { list: \"basic\" },\n"),
        "{after:#?}"
    );
}

#[test]
fn a_table_of_records_about_the_tools_keeps_up_with_them() {
    let server = r#"
//- /Cargo.toml
[package]
name = "notes"
version = "1.0.0"
[dependencies]
rmcp = "1"
//- /src/main.rs
use rmcp::{tool, tool_handler, tool_router};

struct Info {
    name: &'static str,
    purpose: &'static str,
}

const INFOS: &[Info] = &[
    Info { name: "read_note", purpose: "Reads a note" },
    Info { name: "drop_note", purpose: "Drops a note" },
];

struct Notes;

#[tool_router]
impl Notes {
    #[tool(description = "Reads a note.")]
    fn read_note(&self) -> String {
        String::new()
    }

    #[tool(description = "Drops a note.")]
    fn drop_note(&self) -> String {
        String::new()
    }
}
"#;
    let renamed = |alias: Option<&Alias>| {
        let fixture = Fixture::parse(server);
        super::aliases::renamed(&fixture, "read_note", "get_note", alias)["src/main.rs"].clone()
    };
    let (plain, aliased) = (renamed(None), renamed(Some(&Alias::default())));
    assert!(
        plain.contains("Info { name: \"get_note\", purpose: \"Reads a note\" },\n    Info { name: \"drop_note\""),
        "{plain}"
    );
    let both = "Info { name: \"get_note\", purpose: \"Reads a note\" },\n    Info { name: \"read_note\", purpose";
    assert!(aliased.contains(both), "{aliased}");
}
