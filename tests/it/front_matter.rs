//! Permissions in the front matter of agents and commands, and in what starts a client: every form that the client reads
//! holds for both names after a rename, or the rename is refused.

use toolnames::testing::rename::{self, Alias, Sources, To};
use toolnames::testing::text::apply_edits;

use super::fixture::Fixture;

const SERVER: &str = r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", { description: "Reads." }, run);
server.registerTool("write_note", { description: "Writes." }, run);
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["server.ts"] } } }
"#;

/// The text of a file after `read_note` got the name `get_note` and an alias, or why it did not.
fn renamed(path: &str, text: &str) -> Result<String, String> {
    let fixture = Fixture::parse(&format!("{SERVER}//- /{path}\n{text}"));
    let snapshot = fixture.snapshot();
    let target = rename::targets(&snapshot, "read_note", None)[0];
    let texts = |file| fixture.text(&snapshot, file);
    let sources = Sources { texts: &texts, around: &fixture };
    let plan = rename::rename(&snapshot, target, To::new("get_note", Some(&Alias::default())), sources);
    let plan = plan.map_err(|refusal| refusal.to_string())?;
    let edits = plan.edits();
    let mut own = edits.iter().filter(|(file, _)| snapshot.files.path(**file) == path);
    let before = &fixture.files[path];
    Ok(own.next().map_or(before.clone(), |(_, edits)| apply_edits(before, edits).expect("edits do not overlap")))
}

const AGENT: &str = ".claude/agents/a.md";
const COMMAND: &str = ".claude/commands/a.md";

#[track_caller]
fn becomes(path: &str, before: &str, after: &str) {
    assert_eq!(renamed(path, before).as_deref(), Ok(after));
}

#[track_caller]
fn is_refused(path: &str, text: &str, why: &str) {
    let refusal = renamed(path, text).expect_err("it is refused");
    assert!(refusal.contains(why), "{refusal}");
}

#[test]
fn a_denied_tool_is_denied_under_both_names() {
    becomes(
        AGENT,
        "---\ndisallowedTools: >-\n  Bash,\n  mcp__notes__read_note\n---\n",
        "---\ndisallowedTools: >-\n  Bash,\n  mcp__notes__read_note,\n  mcp__notes__get_note\n---\n",
    );
    becomes(
        AGENT,
        "---\ndisallowedTools: Bash,\n  mcp__notes__read_note\n---\n",
        "---\ndisallowedTools: Bash,\n  mcp__notes__read_note,\n  mcp__notes__get_note\n---\n",
    );
    becomes(
        AGENT,
        "---\ndisallowedTools: Bash mcp__notes__read_note\n---\n",
        "---\ndisallowedTools: Bash mcp__notes__read_note mcp__notes__get_note\n---\n",
    );
    becomes(
        AGENT,
        "---\ndisallowedTools: mcp__notes__read_note(*)\n---\n",
        "---\ndisallowedTools: mcp__notes__read_note(*), mcp__notes__get_note(*)\n---\n",
    );
    becomes(
        AGENT,
        "---  \ndisallowedTools: mcp__notes__read_note\n---\n",
        "---  \ndisallowedTools: mcp__notes__read_note, mcp__notes__get_note\n---\n",
    );
    becomes(
        COMMAND,
        "---\ndisallowed-tools: mcp__notes__read_note(*)\n---\n",
        "---\ndisallowed-tools: mcp__notes__read_note(*), mcp__notes__get_note(*)\n---\n",
    );
}

#[test]
fn a_denial_that_cannot_be_written_again_refuses() {
    is_refused(AGENT, "---\ndisallowedTools:\n  - Bash, mcp__notes__read_note\n---\n", "mcp__notes__read_note");
    is_refused(AGENT, "---\ndisallowedTools: \"mcp__notes__read\\x5fnote\"\n---\n", "mcp__notes__read_note");
    is_refused(AGENT, "---\nx: &a mcp__notes__read_note\ndisallowedTools: [*a]\n---\n", "mcp__notes__read_note");
}

#[test]
fn a_grant_for_the_new_name_refuses() {
    for tools in [
        "Read mcp__notes__get_note",
        ">-\n  Read,\n  mcp__notes__get_note",
        "Read,\n  mcp__notes__get_note",
        "\n  - Read, mcp__notes__get_note",
        "mcp__notes__get_note(*)",
    ] {
        is_refused(AGENT, &format!("---\ntools: {tools}\n---\n"), "would offer the tool under the new name");
    }
    for tools in ["mcp__notes__get_note(*)", "mcp__notes__get_*(*)", ">-\n  mcp__notes__get_note"] {
        is_refused(COMMAND, &format!("---\nallowed-tools: {tools}\n---\n"), "would allow the tool under the new name");
    }
    is_refused(
        "run.sh",
        "claude -p go --allowedTools 'mcp__notes__get_note(*)'\n",
        "would allow the tool under the new name",
    );
}

#[test]
fn matchers_are_expressions_of_javascript() {
    let settings = |matcher: &str| {
        let hook = r#"[{ "type": "command", "command": "exit 2" }]"#;
        format!("{{ \"hooks\": {{ \"PreToolUse\": [{{ \"matcher\": \"{matcher}\", \"hooks\": {hook} }}] }} }}\n")
    };
    for matcher in [
        r"\\Amcp__notes__get_note|mcp__notes__read_.*",
        r"mcp__notes__get_note\\Z|mcp__notes__read_.*",
        r"\\<mcp__notes__get_note|mcp__notes__read_.*",
        r"mcp__notes__(get_note{,3}|read_.*)",
        r"mcp__notes__(\\p{L}+_note$|read_.*)",
    ] {
        let after = renamed(".claude/settings.json", &settings(matcher)).expect("it is renamed");
        assert_eq!(after, settings(&format!("{matcher}|^mcp__notes__get_note$")));
    }
}

/// A hook script that keeps the agent away from `read_` tools in one of several ways.
fn guarded(script: &str) -> Result<String, String> {
    let settings = r#"{ "hooks": { "PreToolUse": [{ "matcher": "mcp__notes__.*", "hooks": [{ "type": "command", "command": "python3 .claude/guard.py" }] }] } }"#;
    renamed(".claude/guard.py", &format!("{script}//- /.claude/settings.json\n{settings}\n"))
}

#[test]
fn a_hook_that_says_only_one_of_the_names_in_its_code_refuses() {
    let docstring = "\"\"\"Keeps the agent away from tools like read_note.\"\"\"\nimport json, sys\n\
        if \"__read_\" in json.load(sys.stdin)[\"tool_name\"]:\n    sys.exit(2)\n";
    assert!(guarded(docstring).expect_err("it is refused").contains("a hook may test for `__read_`"));
    let only_new =
        "import json, sys\nallowed = [\"get_note\"]\nif not set(allowed) & set(sys.argv):\n    sys.exit(2)\n";
    let refusal = guarded(only_new).expect_err("it is refused");
    assert!(
        refusal.contains("a hook may test for `get_note`") && refusal.contains("add `read_note` there"),
        "{refusal}"
    );
    let both = "import json, sys\nif any(n in json.load(sys.stdin)[\"tool_name\"] for n in (\"read_note\", \"get_note\")):\n    sys.exit(2)\n";
    assert_eq!(guarded(both).as_deref(), Ok(both));
}

#[test]
fn a_hook_is_followed_into_the_modules_that_it_imports() {
    let check = |command: &str, files: &str| {
        let settings = format!(
            r#"{{ "hooks": {{ "PreToolUse": [{{ "matcher": "mcp__notes__.*", "hooks": [{{ "type": "command", "command": "{command}" }}] }}] }} }}"#
        );
        let refusal = renamed(".claude/settings.json", &format!("{settings}\n{files}")).expect_err("it is refused");
        assert!(refusal.contains("a hook may test for `"), "{refusal}");
    };
    let rules = "DENY = [\"__read_\"]\n";
    check(
        "python3 .claude/guard.py",
        &format!("//- /.claude/guard.py\nfrom rules import DENY\n//- /.claude/rules.py\n{rules}"),
    );
    check("python3 -m guards.deny", &format!("//- /guards/deny.py\n{rules}"));
    check("cd .claude/hooks && python3 guard.py", &format!("//- /.claude/hooks/guard.py\n{rules}"));
    check("sh hooks/guard", "//- /hooks/guard\n#!/bin/sh\ngrep -q __read_ && exit 2\n");
    check(
        "node .claude/guard.js",
        "//- /.claude/guard.js\nconst { DENY } = require(\"./rules\");\n//- /.claude/rules.js\nexports.DENY = [/\\bread/];\n",
    );
}
