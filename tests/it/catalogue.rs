//! Public servers: what is known of their tools when a config or a string names them.

use super::cli::{folder, run, stdout};
use toolnames::testing::cursor;
use toolnames::testing::text::FileId;
use toolnames::testing::workspace::Snapshot;

use super::fixture::Fixture;

#[track_caller]
fn check(files: &str) {
    Fixture::parse(files).check();
}

/// A config that starts one server under the key `docs`.
fn started(entry: &str, allow: &str) -> String {
    format!(
        "//- /.mcp.json\n{{ \"mcpServers\": {{ \"docs\": {entry} }} }}\n//- /.claude/settings.json\n{{ \"permissions\": \
         {{ \"allow\": [\"{allow}\"] }} }}\n"
    )
}

const REMOVED: &str = "mcp__docs__get-library-docs";

#[test]
fn a_former_tool_is_reported_wherever_the_server_runs() {
    let mark =
        format!("//{}^^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-removed-tool: it became `query-docs`\n", " ".repeat(28));
    for entry in [
        r#"{ "command": "npx", "args": ["-y", "@upstash/context7-mcp@latest"] }"#,
        r#"{ "command": "cmd", "args": ["/c", "npx", "-y", "@upstash/context7-mcp@latest"] }"#,
        r#"{ "command": "npx", "args": ["-y", "@upstash/context7-mcp"] }"#,
        r#"{ "command": "bunx", "args": ["@upstash/context7-mcp@latest"] }"#,
        r#"{ "type": "http", "url": "https://mcp.context7.com/mcp" }"#,
        r#"{ "command": "npx", "args": ["mcp-remote", "https://mcp.context7.com/mcp/"] }"#,
    ] {
        check(&format!("{}{mark}", started(entry, REMOVED)));
    }
}

#[test]
fn what_a_server_may_have_is_not_reported() {
    let context7 = r#"{ "command": "npx", "args": ["-y", "@upstash/context7-mcp@latest"] }"#;
    for (entry, allow) in [
        // Another name may be one of a newer version.
        (context7, "mcp__docs__search-docs"),
        (context7, "mcp__docs__query-docs"),
        (context7, "mcp__docs"),
        // The version that had it.
        (r#"{ "command": "npx", "args": ["@upstash/context7-mcp@1.0.31"] }"#, REMOVED),
        // Another package.
        (r#"{ "command": "npx", "args": ["some-other-mcp"] }"#, REMOVED),
        (r#"{ "url": "https://mcp.example.com/mcp" }"#, REMOVED),
    ] {
        check(&started(entry, allow));
    }
}

#[test]
fn without_a_config_a_usual_key_and_a_former_name_are_evidence() {
    check(
        r#"
//- /.claude/settings.json
{ "permissions": {
  "allow": ["mcp__context7__get-library-docs", "mcp__context7__resolve-library-id"],
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-removed-tool: @upstash/context7-mcp has no `get-library-docs` since 2.1.0; it became `query-docs`
  "deny": ["mcp__other__get-library-docs"] } }
//- /.claude/settings.local.json
{ "permissions": { "allow": ["mcp__context7__get-library-docs", "mcp__context7__my_own_tool"] } }
"#,
    );
}

#[test]
fn a_config_can_do_without_the_catalogue() {
    let entry = r#"{ "url": "https://mcp.context7.com/mcp" }"#;
    check(&format!("{}//- /toolnames.toml\n[catalogue]\nuse = false\n", started(entry, REMOVED)));
}

#[test]
fn another_spelling_of_every_version_is_reported() {
    let entry = r#"{ "command": "npx", "args": ["-y", "@upstash/context7-mcp@latest"] }"#;
    check(&format!(
        "{}//{}^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-removed-tool: did you mean `resolve-library-id`?\n",
        started(entry, "mcp__docs__resolve_library_id"),
        " ".repeat(28)
    ));
}

#[test]
fn a_snapshot_of_ones_own_counts_before_the_catalogue() {
    let entry = r#"{ "command": "npx", "args": ["-y", "@upstash/context7-mcp@latest"] }"#;
    check(&format!(
        "{}//- /.toolnames/snapshots/docs.json\n{{ \"version\": 1, \"key\": \"docs\", \"tools\": [{{ \"name\": \
         \"get-library-docs\" }}] }}\n",
        started(entry, REMOVED)
    ));
}

#[test]
fn the_finding_does_not_fail_a_check_and_a_guard_keeps_the_old_name() {
    let config = r#"{ "mcpServers": { "docs": { "url": "https://mcp.context7.com/mcp" } } }"#;
    let settings = r#"{ "permissions": { "deny": ["mcp__docs__get-library-docs"] } }"#;
    let folder = folder(&[(".mcp.json", config), (".claude/settings.json", settings)]);
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).contains("possible fix: add `mcp__docs__query-docs`"), "{}", stdout(&output));
    // Only a person can decide that.
    run(folder.path(), &["fix", "--unsafe"]);
    let text = std::fs::read_to_string(folder.path().join(".claude/settings.json")).unwrap();
    assert_eq!(text, settings);
}

#[test]
fn code_that_starts_a_public_server_is_checked() {
    check(
        r#"
//- /agent.py
from agno.tools.mcp import MCPTools
MCPTools(command="npx -y @upstash/context7-mcp@latest", include_tools=["get-library-docs", "query-docs"])
#                                                                       ^^^^^^^^^^^^^^^^ permission-removed-tool: it became `query-docs`
"#,
    );
}

/// A fixture with a config for a public server, and settings that contain `text` in an allow list.
fn with_entry(text: &str) -> (Fixture, Snapshot, FileId, u32) {
    let config =
        r#"{ "mcpServers": { "docs": { "command": "npx", "args": ["-y", "@upstash/context7-mcp@latest"] } } }"#;
    let settings = format!("{{ \"permissions\": {{ \"allow\": [\"{text}\"] }} }}");
    let fixture = Fixture::parse(&format!("//- /.mcp.json\n{config}\n//- /.claude/settings.json\n{settings}\n"));
    let snapshot = fixture.snapshot();
    let file = snapshot.files.by_path(".claude/settings.json").unwrap().id;
    let offset = (settings.find(text).unwrap() + text.len()) as u32;
    (fixture, snapshot, file, offset)
}

#[test]
fn hover_shows_the_versions_and_the_hints_of_a_tool() {
    let hover = |text: &str| {
        let (_, snapshot, file, offset) = with_entry(text);
        cursor::hover(&snapshot, &cursor::subject(&snapshot, file, offset).unwrap()).unwrap().into_string()
    };
    let said = hover("mcp__docs__query-docs");
    assert!(
        said.contains("from 2.1.0 to 4.0.3, the newest version known; by the server's own word, it only reads"),
        "{said}"
    );
    let said = hover(REMOVED);
    assert!(said.contains("from 1.0.5 to 1.0.31"), "{said}");
    let said = hover("mcp__docs");
    assert!(said.contains("4.0.3 has 2 tools: by the server's own word, 2 only read"), "{said}");
    let said = hover("mcp__sequential-thinking__sequentialthinking");
    assert!(said.contains("if this is") && said.contains("server-sequential-thinking"), "{said}");
    let said = hover("mcp__nothing__known");
    assert!(said.contains("matches no tool whose source is in this workspace"), "{said}");
}

#[test]
fn completion_offers_the_tools_of_the_newest_version() {
    let offered = |text: &str| {
        let (fixture, snapshot, file, offset) = with_entry(text);
        let offered = cursor::complete(&snapshot, file, offset, || fixture.text(&snapshot, file)).unwrap();
        offered
            .items
            .into_iter()
            .map(|item| item.text)
            .filter(|text| text.matches("__").count() == 2)
            .collect::<Vec<_>>()
    };
    assert_eq!(offered("mcp__docs__"), ["mcp__docs__query-docs", "mcp__docs__resolve-library-id"]);
    assert_eq!(offered("mcp__context7__q"), ["mcp__context7__query-docs", "mcp__context7__resolve-library-id"]);
}

#[test]
fn typos_in_keys_and_tools_of_public_servers() {
    Fixture::parse(
        r#"
//- /.mcp.json
{
  "mcpServers": {
    "context7": { "command": "npx", "args": ["-y", "@upstash/context7-mcp@latest"] },
    "chrome-things": { "url": "https://chrome.example/mcp" }
  }
}
//- /.claude/settings.json
{
  "permissions": {
    "allow": ["mcp__contex7__query-docs"],
//             ^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-server: did you mean `context7`?
    "additionalDirectories": [],
    "ask": ["mcp__context7_query-docs"],
//           ^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-server: takes `context7_query-docs` for the key of a server, and no config defines it; did you mean `mcp__context7__query-docs`?
    "deny": ["mcp__context7__resolve-libary-id", "mcp__context8__anything", "mcp__context7_enterprise", "mcp__chrome-thing__list_pages"]
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-removed-tool: no version of @upstash/context7-mcp that is known has this tool; did you mean `resolve-library-id`?
//                                                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-server: did you mean `chrome-things`?
  }
}
"#,
    )
    .check();
}
