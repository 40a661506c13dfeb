//! `toolnames can` and `toolnames matrix`: what clients do with a call, and which entry decides.

use expect_test::expect;
use serde_json::Value;

use super::cli::{folder, run, stderr, stdout};

const SERVER: &str = "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst server = new McpServer({ name: \"notes\", version: \"1\" });\nserver.registerTool(\"read_note\", {}, run);\nserver.registerTool(\"drop_note\", {}, run);\n";
const START: &str = r#"{ "command": "node", "args": ["server.ts"] }"#;

/// A workspace whose clients start the server `notes`.
fn workspace(files: &[(&str, &str)]) -> tempfile::TempDir {
    let config = format!(r#"{{ "mcpServers": {{ "notes": {START} }} }}"#);
    folder(&[&[("server.ts", SERVER), (".mcp.json", config.as_str())], files].concat())
}

/// The fate of a call in Claude Code whose only settings are these permissions, under this key of the server.
#[track_caller]
fn fate(key: &str, permissions: &str, tool: &str) -> String {
    let config = format!(r#"{{ "mcpServers": {{ "{key}": {START} }} }}"#);
    let settings = format!(r#"{{ "permissions": {permissions} }}"#);
    let files = [("server.ts", SERVER), (".mcp.json", config.as_str()), (".claude/settings.json", settings.as_str())];
    let output = run(folder(&files).path(), &["can", tool, "--format", "json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    answer["tools"][0]["verdicts"][0]["fate"].as_str().unwrap().to_string()
}

#[test]
fn each_client_has_a_verdict_and_the_entry_that_decides() {
    let folder = workspace(&[
        (
            ".claude/settings.json",
            "{\n  \"permissions\": {\n    \"allow\": [\"mcp__notes\"],\n    \"deny\": [\"mcp__*__drop_*\"]\n  }\n}\n",
        ),
        (".claude/settings.local.json", "{ \"permissions\": { \"ask\": [\"mcp__notes__drop_note\"] } }\n"),
        (".claude/agents/writer.md", "---\nname: writer\ndescription: Writes\ndisallowedTools: mcp__notes\n---\n"),
        (
            "opencode.json",
            "{ \"mcp\": { \"notes\": { \"type\": \"local\", \"command\": [\"node\", \"server.ts\"] } },\n  \"permission\": { \"notes_*\": \"ask\" } }\n",
        ),
        ("app/.claude/settings.json", "{ \"permissions\": { \"allow\": [\"mcp__notes__read_note\"] } }\n"),
    ]);
    expect![[r#"
        drop_note is a tool of notes
          Claude Code: `mcp__notes__drop_note` is denied
            because of deny `mcp__*__drop_*` at .claude/settings.json:4:15
            rather than ask `mcp__notes__drop_note` at .claude/settings.local.json:1:29
            rather than allow `mcp__notes` at .claude/settings.json:3:16
            for this agent only: deny `mcp__notes` at .claude/agents/writer.md:4:18
            not read: ~/.claude/settings.json, managed settings, the options of its command line
          Claude Code in app: `mcp__notes__drop_note` asks first
            because no setting in this workspace is about it
            not read: ~/.claude/settings.json, managed settings, the options of its command line
          opencode: `notes_drop_note` asks first
            because of ask `notes_*` at opencode.json:2:20
            not read: ~/.config/opencode/opencode.json
    "#]]
    .assert_eq(&stdout(&run(folder.path(), &["can", "drop_note"])));
    expect![[r#"
        read_note is a tool of notes
          Claude Code: `mcp__notes__read_note` runs
            because of allow `mcp__notes` at .claude/settings.json:3:16
            for this agent only: deny `mcp__notes` at .claude/agents/writer.md:4:18
            not read: ~/.claude/settings.json, managed settings, the options of its command line
          Claude Code in app: `mcp__notes__read_note` runs
            because of allow `mcp__notes__read_note` at app/.claude/settings.json:1:31
            not read: ~/.claude/settings.json, managed settings, the options of its command line
    "#]]
    .assert_eq(&stdout(&run(folder.path(), &["can", "mcp__notes__read_note", "--client", "claude-code"])));
    expect![[r#"
        server  tool       Claude Code  Claude Code (app)  opencode
        notes   read_note  runs         runs               asks
        notes   drop_note  denied       asks               asks
    "#]]
    .assert_eq(&stdout(&run(folder.path(), &["matrix"])));
    expect![[r#"
        | server | tool | opencode |
        |---|---|---|
        | notes | read_note | asks |
        | notes | drop_note | asks |
    "#]]
    .assert_eq(&stdout(&run(folder.path(), &["matrix", "--format", "markdown", "--client", "opencode"])));
}

#[test]
fn claude_code_denies_before_it_asks_and_asks_before_it_allows() {
    for (permissions, expected) in [
        ("{}", "asks"),
        (r#"{ "allow": ["mcp__notes__drop_note"] }"#, "runs"),
        (r#"{ "allow": ["mcp__notes"] }"#, "runs"),
        (r#"{ "allow": ["mcp__notes__*_note"] }"#, "runs"),
        (r#"{ "allow": ["mcp__*"] }"#, "asks"),
        (r#"{ "allow": ["mcp__notes__drop_note(*)"] }"#, "asks"),
        (r#"{ "allow": ["MCP__notes__drop_note"] }"#, "asks"),
        (r#"{ "allow": ["mcp__notes"], "ask": ["mcp__*__drop_note"] }"#, "asks"),
        (r#"{ "allow": ["mcp__notes"], "ask": ["mcp__notes"], "deny": ["mcp__n*"] }"#, "denied"),
        (r#"{ "allow": ["mcp__notes"], "deny": ["mcp__notes__"] }"#, "runs"),
    ] {
        assert_eq!(fate("notes", permissions, "drop_note"), expected, "{permissions}");
    }
}

#[test]
fn claude_code_splits_names_at_the_first_separator_except_where_it_allows() {
    let all = |kind: &str, entry: &str| match kind {
        "allow" => format!(r#"{{ "allow": ["{entry}"] }}"#),
        kind => format!(r#"{{ "allow": ["mcp__a__b__*", "mcp__fs___*"], "{kind}": ["{entry}"] }}"#),
    };
    for (key, entry, allow, deny) in [
        ("a__b", "mcp__a", "asks", "denied"),
        ("a__b", "mcp__a__*", "asks", "denied"),
        ("a__b", "mcp__a__b", "asks", "denied"),
        ("a__b", "mcp__a__b*", "asks", "denied"),
        ("a__b", "mcp__a__b__*", "runs", "denied"),
        ("a__b", "mcp__a__b__drop_note", "runs", "denied"),
        ("fs_", "mcp__fs", "asks", "denied"),
        ("fs_", "mcp__fs_", "asks", "denied"),
        ("fs_", "mcp__fs___*", "runs", "denied"),
        ("fs_", "mcp__fs__", "asks", "runs"),
    ] {
        assert_eq!(fate(key, &all("allow", entry), "drop_note"), allow, "allow {entry} of {key}");
        assert_eq!(fate(key, &all("deny", entry), "drop_note"), deny, "deny {entry} of {key}");
    }
}

#[test]
fn a_server_that_is_switched_off_and_a_tool_that_is_not_listed_come_first() {
    let codex = |more: &str| {
        let config = format!("[mcp_servers.notes]\ncommand = \"node\"\nargs = [\"server.ts\"]\n{more}");
        let folder = folder(&[("server.ts", SERVER), (".codex/config.toml", &config)]);
        let said = stdout(&run(folder.path(), &["can", "drop_note"]));
        said.lines().skip(1).take(2).map(str::trim).collect::<Vec<&str>>().join(" ")
    };
    for (more, expected) in [
        ("", "Codex: `mcp__notes__drop_note` asks first because no setting in this workspace is about it"),
        (
            "default_tools_approval_mode = \"approve\"\n",
            "Codex: `mcp__notes__drop_note` runs because of `default_tools_approval_mode: approve` at .codex/config.toml:4:31",
        ),
        (
            "default_tools_approval_mode = \"approve\"\n[mcp_servers.notes.tools.drop_note]\napproval_mode = \"prompt\"\n",
            "Codex: `mcp__notes__drop_note` asks first because of ask `drop_note` at .codex/config.toml:5:26",
        ),
        (
            "enabled_tools = [\"read_note\"]\n",
            "Codex: `mcp__notes__drop_note` is not offered because it is not in the list at .codex/config.toml:4:17",
        ),
        (
            "enabled = false\nenabled_tools = [\"drop_note\"]\n",
            "Codex: `mcp__notes__drop_note` is denied because of `enabled: false` at .codex/config.toml:4:11",
        ),
        (
            "enabled_tools = [\"drop_note\"]\ndisabled_tools = [\"drop_note\"]\n",
            "Codex: `mcp__notes__drop_note` is denied because of deny `drop_note` at .codex/config.toml:5:20",
        ),
    ] {
        assert_eq!(codex(more), expected, "{more}");
    }
}

#[test]
fn a_question_about_a_server_whose_tools_are_not_known_is_answered() {
    let settings = r#"{ "permissions": { "deny": ["mcp__github__delete_*"] } }"#;
    let folder = workspace(&[(".claude/settings.json", settings)]);
    let said = stdout(&run(folder.path(), &["can", "mcp__github__delete_repository"]));
    assert!(said.starts_with("delete_repository of the server github, whose tools are not known here\n"), "{said}");
    assert!(said.contains("is denied\n    because of deny `mcp__github__delete_*`"), "{said}");
}

#[test]
fn a_composed_name_is_about_one_key_of_the_server() {
    let config = format!(r#"{{ "mcpServers": {{ "a": {START}, "b": {START} }} }}"#);
    let settings = r#"{ "permissions": { "allow": ["mcp__a"], "deny": ["mcp__b"] } }"#;
    let folder = folder(&[("server.ts", SERVER), (".mcp.json", config.as_str()), (".claude/settings.json", settings)]);
    let said = |tool: &str| stdout(&run(folder.path(), &["can", tool]));
    let of_b = said("mcp__b__read_note");
    assert!(of_b.contains("`mcp__b__read_note` is denied") && !of_b.contains("mcp__a__read_note"), "{of_b}");
    let of_both = said("read_note");
    assert!(
        of_both.contains("`mcp__a__read_note` runs") && of_both.contains("`mcp__b__read_note` is denied"),
        "{of_both}"
    );
}

#[test]
fn what_is_not_there_is_reported() {
    let folder = workspace(&[]);
    for (args, expected) in [
        (
            ["can", "raed_note", ".", "--client=claude-code"],
            "no server in this workspace has a tool `raed_note`; did you mean `read_note`?",
        ),
        (
            ["can", "mcp__notes__raed_note", ".", "--client=claude-code"],
            "`notes` has no tool `raed_note`; did you mean `read_note`?",
        ),
        (["can", "read_note", ".", "--client=claude"], "there is no client `claude`"),
        (["can", "read_note", "nowhere", "--client=claude-code"], "there is no folder nowhere"),
    ] {
        let output = run(folder.path(), &args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

#[test]
fn a_hook_may_decide_otherwise() {
    let settings = r#"{ "hooks": { "PreToolUse": [{ "matcher": "mcp__notes__drop.*", "hooks": [] }], "PostToolUse": [{ "matcher": "mcp__notes__.*", "hooks": [] }] } }"#;
    let folder = workspace(&[(".claude/settings.json", settings)]);
    let said = |tool: &str| stdout(&run(folder.path(), &["can", tool]));
    assert!(
        said("drop_note").contains("unless the hook at .claude/settings.json:1:43 decides otherwise"),
        "{}",
        said("drop_note")
    );
    assert!(!said("read_note").contains("hook"), "{}", said("read_note"));
}

/// What happens to `read_note` in Gemini CLI, under a key of the server.
#[track_caller]
fn in_gemini(key: &str, more: &str) -> String {
    let settings = format!(r#"{{ "mcpServers": {{ "{key}": {START} }}, {more} }}"#);
    let files = [("server.ts", SERVER), (".gemini/settings.json", settings.as_str())];
    let output = run(folder(&files).path(), &["can", "read_note", "--client", "gemini-cli", "--format", "json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    answer["tools"][0]["verdicts"][0]["fate"].as_str().unwrap().to_string()
}

#[test]
fn keys_of_servers_that_gemini_allows_or_excludes() {
    assert_eq!(in_gemini("notes", r#""mcp": { "allowed": ["notes"] }"#), "runs");
    assert_eq!(in_gemini("mcp_notes", r#""mcp": { "allowed": ["mcp_notes"] }"#), "asks");
    assert_eq!(in_gemini("notes", r#""mcp": { "allowed": ["others"] }"#), "not-offered");
    assert_eq!(in_gemini("notes", r#""mcp": { "excluded": ["notes"] }"#), "denied");
    assert_eq!(in_gemini("notes", r#""mcp": { "excluded": ["*"] }, "tools": { "allowed": ["*"] }"#), "denied");
}
