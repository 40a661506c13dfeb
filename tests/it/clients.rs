//! One fixture a client: what is right in its files and what is wrong, said where it occurs.

use super::fixture::Fixture;

/// A server with three tools, which the client in question starts under some key.
const NOTES: &str = r#"
//- /notes/package.json
{ "name": "notes", "version": "1.0.0" }
//- /notes/server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", {}, run);
server.registerTool("write_note", {}, run);
server.registerTool("drop_note", {}, run);
"#;

#[track_caller]
fn check(files: &str) {
    Fixture::parse(&format!("{NOTES}{files}")).check();
}

#[test]
fn amp() {
    check(
        r#"
//- /.amp/settings.json
{
  "amp.mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } },
  "amp.permissions": [
    { "tool": "Bash", "action": "ask" },
    { "tool": "mcp__notes__read_note", "action": "allow" },
    { "tool": "mcp__notes__reed_note", "action": "allow" },
//             ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: `notes` has no tool `reed_note`; did you mean `mcp__notes__read_note`?
    { "tool": "mcp__notes__delete_*", "action": "reject" },
//             ^^^^^^^^^^^^^^^^^^^^ permission-dead: matches no tool of `notes`
    { "tool": "mcp__*", "action": "delegate" }
  ]
}
"#,
    );
}

#[test]
fn cline_and_windsurf() {
    for path in ["cline_mcp_settings.json", ".codeium/windsurf/mcp_config.json"] {
        let list = if path.starts_with("cline") { "autoApprove" } else { "disabledTools" };
        let rule = if path.starts_with("cline") { "permission-unknown-tool" } else { "permission-dead" };
        check(&format!(
            r#"
//- /{path}
{{
  "mcpServers": {{
    "notes": {{
      "command": "node", "args": ["notes/server.ts"],
      "{list}": [
        "read_note",
        "mcp__notes__write_note"
//       ^^^^^^^^^^^^^^^^^^^^^^ {rule}: `notes` has no tool `mcp__notes__write_note`
      ]
    }}
  }}
}}
"#
        ));
    }
}

#[test]
fn codex() {
    check(
        r#"
//- /.codex/config.toml
model = "o"

[mcp_servers.notes]
command = "node"
args = ["notes/server.ts"]
enabled_tools = ["read_note", "raed_note"]
#                              ^^^^^^^^^ permission-unknown-tool: `notes` has no tool `raed_note`; did you mean `read_note`?
disabled_tools = ["drop_notes"]
#                  ^^^^^^^^^^ permission-dead: `notes` has no tool `drop_notes`, so this entry guards nothing; did you mean `drop_note`?
"#,
    );
}

#[test]
fn crush() {
    check(
        r#"
//- /crush.json
{
  "mcp": { "notes": { "command": "node", "args": ["notes/server.ts"], "disabled_tools": ["drop"] } },
//                                                                                        ^^^^ permission-dead: `notes` has no tool `drop`
  "permissions": { "allowed_tools": ["view", "mcp_notes_read_note", "mcp_notes_read_notes"] }
//                                                                   ^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: `notes` has no tool `read_notes`; did you mean `mcp_notes_read_note`?
}
"#,
    );
}

#[test]
fn cursor() {
    check(
        r#"
//- /.cursor/mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.cursor/cli.json
{
  "permissions": {
    "allow": ["Shell(ls)", "Mcp(notes:read_note)", "Mcp(notes:*)", "Mcp(notes:reed_note)"],
//                          ^^^^^^^^^^^^^^^^^^^^ permission-redundant: covers this entry already
//                                                                  ^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `Mcp(notes:read_note)`?
    "deny": ["Mcp(*:drop_note)", "Mcp(notes:drop_*)", "Mcp(notes:delete_*)"]
//                                                     ^^^^^^^^^^^^^^^^^^^ permission-dead: matches no tool
  }
}
//- /.cursor/permissions.json
{
  "mcpAllowlist": ["notes:read_note", "other:*", "notes:raed_note"]
//                                                ^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `notes:read_note`?
}
"#,
    );
}

#[test]
fn gemini() {
    check(
        r#"
//- /.gemini/settings.json
{
  "mcpServers": {
    "notes": {
      "command": "node", "args": ["notes/server.ts"],
      "includeTools": ["read_note", "write_notes"],
//                                   ^^^^^^^^^^^ permission-unknown-tool: did you mean `write_note`?
      "excludeTools": ["drop_*"]
//                      ^^^^^^ permission-malformed: a wildcard
    }
  }
}
"#,
    );
}

#[test]
fn grok() {
    check(
        r#"
//- /.grok/config.toml
[mcp_servers.notes]
command = "node"
args = ["notes/server.ts"]

[permission]
allow = ["Bash(ls)", "MCPTool(notes__read_note)", "MCPTool(notes__red_note)"]
#                                                  ^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `MCPTool(notes__read_note)`?
"#,
    );
}

#[test]
fn kiro() {
    check(
        r#"
//- /.kiro/agents/writer.json
{
  "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } },
  "tools": ["*"],
  "allowedTools": ["fs_read", "@notes/read_note", "@notes/red_note", "@builtin"]
//                                                 ^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `@notes/read_note`?
}
//- /.kiro/settings/mcp.json
{
  "mcpServers": {
    "notes": {
      "command": "node", "args": ["notes/server.ts"],
      "autoApprove": ["*"],
      "disabledTools": ["drop_nots"]
//                       ^^^^^^^^^ permission-dead: did you mean `drop_note`?
    }
  }
}
"#,
    );
}

#[test]
fn opencode() {
    check(
        r#"
//- /opencode.json
{
  "mcp": { "notes": { "type": "local", "command": ["node", "notes/server.ts"] } },
  "permission": {
    "edit": "ask",
    "notes_*": "deny",
    "notes_read_note": "allow",
    "notes_drop_notes": "deny"
//   ^^^^^^^^^^^^^^^^ permission-dead: `notes` has no tool `drop_notes`, so this entry guards nothing; did you mean `notes_drop_note`?
  },
  "tools": { "notes_wite_note": false, "bash": true }
//            ^^^^^^^^^^^^^^^ permission-dead: did you mean `notes_write_note`?
}
"#,
    );
}

#[test]
fn qwen_and_devin() {
    for path in [".qwen/settings.json", ".devin/config.json"] {
        check(&format!(
            r#"
//- /{path}
{{
  "mcpServers": {{ "notes": {{ "command": "node", "args": ["notes/server.ts"] }} }},
  "permissions": {{
    "allow": ["Bash(ls)", "mcp__notes__read_note", "mcp__notes__read_nots"],
//                                                  ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__read_note`?
    "deny": ["mcp__notes__drop_note", "mcp__notes__drop_*"]
//            ^^^^^^^^^^^^^^^^^^^^^ permission-redundant: `mcp__notes__drop_*` covers this entry already
  }}
}}
"#
        ));
    }
}

#[test]
fn roo() {
    check(
        r#"
//- /.roo/mcp.json
{
  "mcpServers": {
    "notes": {
      "command": "node", "args": ["notes/server.ts"],
      "alwaysAllow": ["read_note", "readNote"],
//                                  ^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
      "disabledTools": ["drop_note"]
    }
  }
}
"#,
    );
}

#[test]
fn vibe() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.vibe/config.toml
enabled_tools = ["bash", "notes_read_*", "notes_raed_note"]
#                                         ^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `notes_read_note`?
"#,
    );
}

#[test]
fn vscode() {
    check(
        r#"
//- /.vscode/mcp.json
{ "servers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.github/reader.toolsets.jsonc
{
  // What reading takes.
  "reader": { "tools": ["notes/read_note", "search", "notes/reed_note"], "icon": "book" },
//                                                    ^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `notes/read_note`?
  "all": { "tools": ["notes/*", "notes/drop_note"] }
//                               ^^^^^^^^^^^^^^^ permission-redundant: `notes/*` covers this entry already
}
"#,
    );
}

#[test]
fn zed() {
    check(
        r#"
//- /.zed/settings.json
{
  "context_servers": { "notes": { "command": { "path": "node", "args": ["notes/server.ts"] } } },
  "agent": {
    "tool_permissions": {
      "tools": {
        "terminal": { "default": "confirm" },
        "mcp:notes:read_note": { "default": "allow" },
        "mcp:notes:drop_nots": { "default": "deny" }
//       ^^^^^^^^^^^^^^^^^^^ permission-dead: did you mean `mcp:notes:drop_note`?
      }
    }
  }
}
"#,
    );
}

#[test]
fn agents_skills_and_commands_of_claude_code() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.claude/agents/writer.md
---
name: writer
tools: Read, mcp__notes__read_note, mcp__notes__reed_note, mcp__notes__read_*
#                                   ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__read_note`?
#                                                          ^^^^^^^^^^^^^^^^^^ permission-malformed: a wildcard
disallowedTools:
  - mcp__notes__drop_note
  - mcp__notes__delete_*
#   ^^^^^^^^^^^^^^^^^^^^ permission-dead: matches no tool
---

Write.
//- /.claude/skills/notes/SKILL.md
---
name: notes
allowed-tools: Bash(gh pr *, other), mcp__notes__write_note mcp_notes_read_note
#                                                           ^^^^^^^^^^^^^^^^^^^ permission-form: `mcp_notes_read_note` is not how Claude Code names a tool
---
//- /.claude/commands/plain.md
Without any front matter: mcp__notes__nothing.
"#,
    );
}

#[test]
fn agents_of_vscode() {
    check(
        r#"
//- /.vscode/mcp.json
{ "servers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.github/agents/reader.agent.md
---
description: Reads
tools: ['search', 'notes/read_note', 'notes/red_note', 'github/issue_read']
#                                     ^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `notes/read_note`?
---
"#,
    );
}

#[test]
fn a_tool_in_another_clients_form_is_said_and_repaired() {
    check(
        r#"
//- /.cursor/mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.cursor/cli.json
{ "permissions": { "allow": ["mcp__notes__read_note", "Read(src)", "mcp__other__thing"] } }
//                            ^^^^^^^^^^^^^^^^^^^^^ permission-form: `mcp__notes__read_note` is not how Cursor names a tool: that is `Mcp(<server>:<tool>)`
//- /.kiro/agents/a.json
{ "allowedTools": ["fs_read", "mcp__notes__drop_note", "notes/write_note"] }
//                             ^^^^^^^^^^^^^^^^^^^^^ permission-form: that is `@<server>/<tool>`
//                                                      ^^^^^^^^^^^^^^^^ permission-form: that is `@<server>/<tool>`
//- /opencode.json
{ "permission": { "mcp__notes__drop_note": "deny", "edit": "ask" } }
//                 ^^^^^^^^^^^^^^^^^^^^^ permission-form: that is `<server>_<tool>`
"#,
    );
}
