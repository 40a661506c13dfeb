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
