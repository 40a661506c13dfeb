//! The sources of the tools of a server whose code is not in the workspace: an installed package, a snapshot.

use serde_json::Value;
use toolnames::testing::cursor;

use super::cli::{folder, run, stderr, stdout};
use super::fixture::Fixture;

/// A folder with a server entry, a settings file for the server, and a Python distribution as an installer leaves it.
fn distribution(entry: &str, allow: &str) -> tempfile::TempDir {
    let site = ".venv/lib/python3.12/site-packages";
    let config = format!(r#"{{ "mcpServers": {{ "notes": {entry} }} }}"#);
    let settings = format!(r#"{{ "permissions": {{ "allow": ["{allow}"] }} }}"#);
    let [metadata, points, record, init, server, other] = [
        "acme_notes-1.2.dist-info/METADATA",
        "acme_notes-1.2.dist-info/entry_points.txt",
        "acme_notes-1.2.dist-info/RECORD",
        "acme_notes/__init__.py",
        "acme_notes/server.py",
        "acme_notes/unused.py",
    ]
    .map(|path| format!("{site}/{path}"));
    folder(&[
        (".mcp.json", &config),
        (".claude/settings.json", &settings),
        (&metadata, "Metadata-Version: 2.4\nName: acme-notes\nVersion: 1.2\nRequires-Dist: mcp>=1\n\n# Notes\n"),
        (&points, "[console_scripts]\nnotes-server = acme_notes:main [cli]\n\n[other]\nx = y:z\n"),
        (&record, "acme_notes/__init__.py,,\nacme_notes/server.py,,\nacme_notes-1.2.dist-info/METADATA,,\n"),
        (&init, "from .server import mcp\n\ndef main():\n    mcp.run()\n"),
        (
            &server,
            "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('notes')\n\n@mcp.tool()\ndef read_note(): ...\n",
        ),
        (&other, "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n\n@mcp.tool()\ndef raed_note(): ...\n"),
    ])
}

#[test]
fn a_python_distribution_is_known_by_whatever_starts_it() {
    for entry in [
        r#"{ "command": "uvx", "args": ["acme-notes"] }"#,
        r#"{ "command": "uvx", "args": ["--from", "acme_notes", "notes-server"] }"#,
        r#"{ "command": "uv", "args": ["run", "notes-server"] }"#,
        r#"{ "command": ".venv/bin/notes-server" }"#,
        r#"{ "command": "python", "args": ["-m", "acme_notes"] }"#,
    ] {
        let folder = distribution(entry, "mcp__notes__raed_note");
        let checked = stdout(&run(folder.path(), &["check"]));
        assert!(checked.contains("did you mean `mcp__notes__read_note`?"), "{entry}: {checked}");
        let known: Value =
            serde_json::from_str(&stdout(&run(folder.path(), &["list", "--known", "--format", "json"]))).unwrap();
        assert_eq!(known["keys"][0]["tools"], serde_json::json!(["read_note"]), "{entry}");
        assert_eq!(known["keys"][0]["from"], "package", "{entry}");
    }
}

/// A server that answers over standard input and output; needs Node.
const ANSWERS: &str = r#"
const tools = [{ name: "read_note", description: "Reads.", inputSchema: { type: "object" },
  annotations: { destructiveHint: true } }];
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = {
    initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} },
      serverInfo: { name: "notes-server", version: "3.0.0" } }),
    "tools/list": () => ({ tools }),
  }[method];
  if (result) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: result() }) + "\n");
});
"#;

#[test]
fn a_snapshot_makes_known_what_a_server_elsewhere_has() {
    let files = [
        ("server.cjs", ANSWERS),
        (".mcp.json", r#"{ "mcpServers": { "notes": { "url": "https://notes.example/mcp" } } }"#),
        (".claude/settings.json", r#"{ "permissions": { "allow": ["mcp__notes__raed_note"] } }"#),
    ];
    let folder = folder(&files);
    assert!(!stdout(&run(folder.path(), &["check"])).contains("raed_note"), "nothing is known of it");
    let command = ["snapshot", "--key", "notes", "--", "node", "server.cjs"];
    let recorded = run(folder.path(), &command);
    assert_eq!(
        stdout(&recorded),
        "recorded 1 tool of `notes` in .toolnames/snapshots/notes.json\n",
        "{}",
        stderr(&recorded)
    );
    let text = std::fs::read_to_string(folder.path().join(".toolnames/snapshots/notes.json")).unwrap();
    let snapshot: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(snapshot["serverInfo"]["version"], "3.0.0");
    assert_eq!(snapshot["tools"][0]["annotations"]["destructiveHint"], true);
    let checked = stdout(&run(folder.path(), &["check"]));
    assert!(checked.contains("did you mean `mcp__notes__read_note`?"), "{checked}");
    let known = stdout(&run(folder.path(), &["list", "--known"]));
    assert_eq!(known, "notes: known, from the snapshot .toolnames/snapshots/notes.json\n  read_note\n");
}

#[test]
fn what_gives_no_answer_is_ended_and_nothing_is_written() {
    let folder = folder(&[]);
    for (command, why) in [
        (&["sh", "-c", "echo no key >&2; exit 3"][..], "no key"),
        (&["sleep", "300"], "no answer within 1 seconds"),
        (&["./is-not-there"], "cannot be started"),
    ] {
        let args = [&["snapshot", "--key", "x", "--timeout", "1", "--"], command].concat();
        let output = run(folder.path(), &args);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(stderr(&output).contains(why), "{command:?}: {}", stderr(&output));
    }
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
    let output = run(folder.path(), &["snapshot", "--", "node", "server.js"]);
    assert!(stderr(&output).contains("set the server key with `--key`"), "{}", stderr(&output));
}

#[test]
fn source_that_is_not_complete_tells_of_slips_alone() {
    Fixture::parse(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes.ts"] } } }
//- /notes.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", {}, run);
server.registerTool("list_items", {}, run);
server.registerTool(process.env.EXTRA, {}, run);
//- /.claude/settings.json
{ "permissions": {
  "allow": [
    "mcp__notes__anything",
    "mcp__notes__readNote",
//   ^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: `readNote` is not among the known tools of `notes`; did you mean `mcp__notes__read_note`?
    "mcp__notes__list_item",
    "mcp__notes__list_iterms"
//   ^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__list_items`?
  ],
  "deny": ["mcp__notes__reap_note", "mcp__notes__drop"]
} }
"#,
    )
    .check();
}

#[test]
fn source_is_right_and_an_old_snapshot_is_told_so() {
    let source = r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes.ts"] } } }
//- /notes.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", {}, run);
"#;
    Fixture::parse(&format!(
        r#"{source}
//- /.toolnames/snapshots/notes.json
{{ "key": "notes", "tools": [{{ "name": "get_note" }}, {{ "name": "read_note" }}] }}
//                                     ^^^^^^^^ snapshot-drift: its source has no tool `get_note` any more
//- /.claude/settings.json
{{ "permissions": {{ "allow": ["mcp__notes__get_note"] }} }}
//                            ^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: `notes` has no tool `get_note`
"#
    ))
    .check();
    Fixture::parse(
        r#"
//- /.toolnames/snapshots/notes.json
  { "key": "notes" }
//^ snapshot-drift: not a snapshot: it has no list of `tools`
"#,
    )
    .check();
}

#[test]
fn a_snapshot_of_the_installed_version_names_what_that_has() {
    let entry = r#"{ "command": "uvx", "args": ["acme-notes"] }"#;
    let folder = distribution(entry, "Bash");
    let snapshot = r#"{ "key": "notes", "package": { "name": "acme-notes", "version": "1.2" }, "tools": [{ "name": "gone_note" }] }"#;
    std::fs::create_dir_all(folder.path().join(".toolnames/snapshots")).unwrap();
    std::fs::write(folder.path().join(".toolnames/snapshots/notes.json"), snapshot).unwrap();
    let output = run(folder.path(), &["check"]);
    let text = stdout(&output);
    assert!(text.contains("snapshot-drift]: the installed version has no tool `gone_note`"), "{text}");
}

/// If a package has several programs, the tools are those of the program that is started.
#[test]
fn a_program_of_a_package_has_its_own_tools() {
    let server = |name: &str| {
        format!(
            "const {{ McpServer }} = require('@modelcontextprotocol/sdk/server/mcp.js');\n\
             const server = new McpServer({{ name: '{name}', version: '1' }});\n\
             server.registerTool('{name}_items', {{}}, run);\n"
        )
    };
    let package = r#"{ "name": "acme-mcp", "version": "1.0.0", "bin": { "acme-mcp": "read.js", "acme-admin": "admin.js" },
        "dependencies": { "@modelcontextprotocol/sdk": "1" } }"#;
    let config = r#"{ "mcpServers": {
        "a": { "command": "npx", "args": ["-y", "acme-mcp"] },
        "b": { "command": "npx", "args": ["-p", "acme-mcp", "acme-admin"] },
        "c": { "command": "node_modules/.bin/acme-admin" },
        "d": { "command": "npx", "args": ["-y", "acme-mcp@^0.9"] }
    } }"#;
    let folder = folder(&[
        (".mcp.json", config),
        ("package.json", r#"{ "name": "w" }"#),
        ("node_modules/acme-mcp/package.json", package),
        ("node_modules/acme-mcp/read.js", &server("read")),
        ("node_modules/acme-mcp/admin.js", &server("admin")),
    ]);
    let output = run(folder.path(), &["list", "--known", "--format", "json"]);
    let known: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let tools = |key: &str| {
        let keys = known["keys"].as_array().unwrap();
        keys.iter().find(|one| one["key"] == key).map(|one| one["tools"].clone()).unwrap()
    };
    assert_eq!(tools("a"), serde_json::json!(["read_items"]));
    assert_eq!(tools("b"), serde_json::json!(["admin_items"]));
    assert_eq!(tools("c"), serde_json::json!(["admin_items"]));
    assert_eq!(tools("d"), serde_json::json!([]));
}

/// If a config starts something outside the workspace, or something that does not exist, this is not the workspace's
/// own server.
#[test]
fn what_is_started_elsewhere_is_not_the_workspaces_own() {
    let own = r#"
//- /package.json
{ "name": "own", "version": "1.0.0" }
//- /pyproject.toml
[project]
name = "own"
version = "1.0.0"
//- /src/index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "own", version: "1.0.0" });
server.registerTool("own_tool", {}, run);
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("own")
@mcp.tool()
def own_tool(): ...
"#;
    for command in [
        "node /opt/weather/build/index.js",
        "node ~/weather/index.js",
        "node ${HOME}/weather/index.js",
        r"node C:\\weather\\index.js",
        "node vendor/weather/index.js",
        "node -e x",
        "python3 /home/me/weather.py",
        "python vendor/weather/server.py",
        "python -c x",
        "/home/me/.venv/bin/python /home/me/weather.py",
        "/home/me/bin/own",
        "uv --directory /home/me/weather run server.py",
        "uv run /home/me/weather/server.py",
        "uv run --directory . mcp-server-time",
        "fastmcp run https://example.com/mcp",
        "deno run npm:weather",
        "cargo run --manifest-path ./Cargo.toml",
        "node dist/legacy.js",
        "python ${TOOLS_HOME:-/opt/tools}/server.py",
        "python ${env:TOOLS}/server.py",
        "npx -y own@1.4.2",
        "npx -y --package=own@beta own",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let (program, args) = words.split_first().unwrap();
        let config = format!(
            r#"
//- /.mcp.json
{{ "mcpServers": {{ "weather": {{ "command": "{program}", "args": ["{}"] }} }} }}
//- /.claude/settings.json
{{ "permissions": {{ "allow": ["mcp__weather__get_forecast"], "deny": ["mcp__weather__own_tools"] }} }}
"#,
            args.join(r#"", ""#)
        );
        let found = Fixture::parse(&format!("{own}{config}")).rules();
        assert!(found.is_empty(), "{command}: {found:?}");
    }
}

#[test]
fn documents_that_call_a_tool_as_it_was_called_before() {
    Fixture::parse(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["server.ts"] } } }
//- /package.json
{ "name": "notes", "version": "1.0.0" }
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("get_note", {}, run);
server.registerTool("find", {}, run);
server.registerTool("all_notes", {}, run);
// toolnames: alias of all_notes
server.registerTool("list_notes", {}, run);
//- /toolnames.lock
version = 1
[[renamed]]
server = "notes"
old = "read_note"
new = "get_note"
[[renamed]]
server = "notes"
old = "look"
new = "find"
[[renamed]]
server = "notes"
old = "list_notes"
new = "all_notes"
//- /README.md
Call `read_note` first, or `mcp__notes__look`.
<!--  ^^^^^^^^^ docs-name: has been renamed to `get_note` -->
<!--                        ^^^^^^^^^^^^^^^^ docs-name: has been renamed to `mcp__notes__find` -->

Have a `look` at read_note, `src/read_note.ts` and `list_notes`.
//- /CHANGELOG.md
`read_note` is called `get_note`.
"#,
    )
    .check();
}

#[test]
fn another_version_of_the_source_is_offered_and_explained_but_makes_no_tool_unknown() {
    for (command, args) in [
        ("npx", r#""-y", "@acme/notes@0.9.0""#),
        ("npx", r#""-y", "@acme/notes@next""#),
        ("docker", r#""run", "-i", "--rm", "ghcr.io/acme/notes:1""#),
        ("npx", r#""-y", "github:acme/notes""#),
    ] {
        let files = |allowed: &str| {
            format!(
                r#"
//- /package.json
{{ "name": "@acme/notes", "version": "1.0.0" }}
//- /server.ts
import {{ McpServer }} from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({{ name: "notes", version: "1.0.0" }});
server.registerTool("read_note", {{}}, run);
//- /.mcp.json
{{ "mcpServers": {{ "notes": {{ "command": "{command}", "args": [{args}] }} }} }}
//- /.claude/settings.json
{{ "permissions": {{ "allow": ["{allowed}"] }} }}
"#
            )
        };
        Fixture::parse(&files("mcp__notes__raed_note")).check();
        let at_the_string = |text: &str| {
            let fixture = Fixture::parse(&files(text));
            let snapshot = fixture.snapshot();
            let file = snapshot.files.by_path(".claude/settings.json").unwrap().id;
            let settings = fixture.text(&snapshot, file).unwrap();
            let offset = (settings.find(text).unwrap() + text.len()) as u32;
            (snapshot, file, offset, settings)
        };
        let (snapshot, file, offset, settings) = at_the_string("mcp__notes__r");
        let offered = cursor::complete(&snapshot, file, offset, || Some(settings)).unwrap();
        assert!(offered.items.iter().any(|item| item.text == "mcp__notes__read_note"), "{args}");
        let (snapshot, file, offset, _) = at_the_string("mcp__notes__read_note");
        let said = cursor::hover(&snapshot, &cursor::subject(&snapshot, file, offset).unwrap()).unwrap().into_string();
        assert!(said.contains("the config starts") && said.contains("server.ts:3"), "{args}: {said}");
    }
}
