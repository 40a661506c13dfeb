//! One fixture for each client: what is right in its files and what is wrong, with the findings at their places.

use super::fixture::Fixture;

/// A server with three tools, which the client under test starts under some key.
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
fn amp_in_the_settings_of_an_editor() {
    check(
        r#"
//- /.vscode/mcp.json
{ "servers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.vscode/settings.json
{
  "editor.tabSize": 2,
  "chat.tools.eligibleForAutoApproval": { "notes/reed_note": false, "mcp_notes_drop_note": false, "mcp_notes_drp_note": false },
//                                         ^^^^^^^^^^^^^^^ permission-dead: did you mean `notes/read_note`?
//                                                                                                 ^^^^^^^^^^^^^^^^^^ permission-dead: did you mean `mcp_notes_drop_note`?
  "amp.permissions": [
    { "tool": "mcp__notes__drop_note", "action": "allow" },
    { "tool": "mcp__notes__drop_note", "action": "reject" },
//             ^^^^^^^^^^^^^^^^^^^^^ permission-dead: `mcp__notes__drop_note` allows it, and only the first matching entry counts
    { "tool": "mcp__notes__raed_note", "action": "allow" },
//             ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__read_note`?
    { "tool": "notes/read_note", "action": "allow" },
//             ^^^^^^^^^^^^^^^ permission-form: `notes/read_note` is not how Amp names a tool
  ],
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
fn a_server_with_a_letter_wrong_is_told_where_the_tool_is_right() {
    check(
        r#"
//- /opencode.json
{
  "mcp": { "notes": { "type": "local", "command": ["node", "notes/server.ts"] } },
  "permission": { "nots_drop_note": "deny", "nots_other": "deny", "note_taking_drop_note": "deny" }
//                 ^^^^^^^^^^^^^^ permission-unknown-server: did you mean `notes_drop_note`?
}
//- /.vscode/mcp.json
{ "servers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.github/agents/a.md
---
tools: ["noets/read_note", "search/codebase"]
#        ^^^^^^^^^^^^^^^ permission-unknown-server: did you mean `notes/read_note`?
---
"#,
    );
}

#[test]
fn tools_that_a_client_brings_itself_are_nobodys_mistake() {
    let server = r#"
//- /web/package.json
{ "name": "web", "version": "1.0.0" }
//- /web/server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "web", version: "1.0.0" });
server.registerTool("search", {}, run);
server.registerTool("fetch", {}, run);
server.registerTool("crawl", {}, run);
"#;
    let started = r#"{ "command": "node", "args": ["web/server.ts"] }"#;
    let files = [
        (
            ".gemini/settings.json",
            r#"{ "mcpServers": { "web": STARTED }, "tools": { "allowed": ["web_fetch", "glob"] } }"#,
        ),
        (
            ".amp/settings.json",
            r#"{ "amp.mcpServers": { "web": STARTED }, "amp.permissions": [{ "tool": "web_search", "action": "allow" }] }"#,
        ),
        (
            ".kiro/agents/a.json",
            r#"{ "mcpServers": { "web": STARTED }, "allowedTools": ["web_search", "@web/crawl"] }"#,
        ),
        (".claude/settings.json", r#"{ "permissions": { "deny": ["MCPSearch"] } }"#),
        (
            ".zed/settings.json",
            r#"{ "context_servers": { "web": STARTED }, "agent": { "tool_permissions": { "tools": { "web_search": { "default": "allow" } } } } }"#,
        ),
    ];
    for (path, text) in files {
        let text = text.replace("STARTED", started);
        Fixture::parse(&format!("{server}//- /{path}\n{text}\n")).check();
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
//                          ^^^^^^^^^^^^^^^^^^^^ permission-redundant: already covers this entry
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
//- /.cursor/hooks.json
{
  "version": 1,
  "hooks": {
    "beforeShellExecution": [{ "command": "guard", "matcher": "curl|wget|MCP:" }],
    "preToolUse": [
      { "command": "guard", "matcher": "Shell|Read" },
      { "command": "guard", "matcher": "MCP:" },
      { "command": "guard", "matcher": "MCP:.*" },
      { "command": "guard", "matcher": "MCP:read_note|MCP:write_note" },
      { "command": "guard", "matcher": "MCP:someone_elses" }
    ]
  }
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
//                      ^^^^^^ permission-malformed: wildcards are not allowed
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
  "allowedTools": ["fs_read", "@notes/read_note", "@notes/red_note", "@builtin"],
//                                                 ^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `@notes/read_note`?
  "hooks": {
    "agentSpawn": [{ "command": "git status" }],
    "preToolUse": [
      { "matcher": "fs_*", "command": "guard" },
      { "matcher": "@notes", "command": "guard" },
      { "matcher": "@notes/red_note", "command": "guard" },
//                  ^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `@notes/read_note`?
      { "matcher": "@builtin", "command": "guard" },
      { "matcher": "fs_write|@notes/read_note", "command": "guard" },
      { "matcher": "", "command": "guard" },
      { "matcher": "*", "command": "guard" }
    ]
  }
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
    ,"write_note": "ask", "mcp_*": "deny", "send_mail": "deny"
//    ^^^^^^^^^^ permission-form: `write_note` is not how opencode names a tool
//                         ^^^^^ permission-form: `mcp_*` is not how opencode names tools: write `<server>_*`
  },
  "tools": { "notes_wite_note": false, "bash": true, "mcp__notes__read_note": true, "mcp__notes__drp_note": false }
//            ^^^^^^^^^^^^^^^ permission-dead: did you mean `notes_write_note`?
//                                                    ^^^^^^^^^^^^^^^^^^^^^ permission-form: is not how opencode names a tool
//                                                                                   ^^^^^^^^^^^^^^^^^^^^ permission-form: is not how opencode names a tool
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
//            ^^^^^^^^^^^^^^^^^^^^^ permission-redundant: `mcp__notes__drop_*` already covers this entry
  }}
}}
"#
        ));
    }
}

#[test]
fn clients_with_lists_for_each_server() {
    let files = [
        (".bob/mcp.json", "mcpServers", "alwaysAllow", "disabledTools"),
        (".kilocode/mcp.json", "mcpServers", "alwaysAllow", "disabledTools"),
        (".devin/mcp_config.json", "mcpServers", "", "disabledTools"),
        (".kimi-code/mcp.json", "mcpServers", "enabledTools", "disabledTools"),
        (".tabnine/agent/settings.json", "mcpServers", "includeTools", "excludeTools"),
    ];
    for (path, servers, named, denied) in files {
        let named = match named {
            "" => String::new(),
            named => format!(
                r#"
      "{named}": [
        "raed_note",
//       ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
        "read_note"
      ],"#
            ),
        };
        check(&format!(
            r#"
//- /{path}
{{
  "{servers}": {{
    "notes": {{
      "command": "node", "args": ["notes/server.ts"],{named}
      "{denied}": [
        "drp_note"
//       ^^^^^^^^ permission-dead: did you mean `drop_note`?
      ]
    }}
  }}
}}
"#
        ));
    }
}

#[test]
fn kimi_command_code_and_takt() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.kimi-code/config.toml
[[permission.rules]]
decision = "deny"
pattern = "mcp__notes__drp_note"
#          ^^^^^^^^^^^^^^^^^^^^ permission-dead: did you mean `mcp__notes__drop_note`?

[[permission.rules]]
decision = "allow"
pattern = "Bash(ls)"

[tools]
enabled = ["mcp__notes__read_*", "mcp__notes__raed_note"]
#                                 ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__read_note`?
//- /.commandcode/settings.json
{
  "permissions": {
    "allow": ["mcp__notes__read_*", "mcp__*__read_note"],
//                                   ^^^^^^^^^^^^^^^^^ permission-malformed: a wildcard is only allowed in the tool's name
    "deny": ["mcp__*__drop_note", "mcp__notes__drp_note", "Bash(rm)"]
//                                 ^^^^^^^^^^^^^^^^^^^^ permission-dead: did you mean `mcp__notes__drop_note`?
  }
}
//- /.takt/config.yaml
provider_options:
  claude:
    allowed_tools:
      - Read
      - mcp__notes__raed_note
#       ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__read_note`?
"#,
    );
}

#[test]
fn gateways_and_agents_in_yaml() {
    check(
        r#"
//- /.poolside/settings.yaml
mcp_servers:
  notes:
    command: node
    args: [notes/server.ts]
    allow: [read_*, raed_note]
#                   ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
    deny: [drop_note]
//- /.hermes/config.yaml
mcp_servers:
  notes:
    command: node
    args: [notes/server.ts]
    tools:
      include: [read_note]
      exclude: [drp_note]
#               ^^^^^^^^ permission-dead: did you mean `drop_note`?
//- /litellm_config.yaml
mcp_servers:
  notes:
    command: node
    args: [notes/server.ts]
    allowed_tools: [raed_note, write_note]
#                   ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
    tool_name_to_display_name:
      writ_note: Write
#     ^^^^^^^^^ permission-unknown-tool: did you mean `write_note`?
"#,
    );
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
//                               ^^^^^^^^^^^^^^^ permission-redundant: `notes/*` already covers this entry
}
//- /.github/agents/reader.agent.md
---
tools: ["notes/read_note"]
---
Ask #tool:notes/read_note. Then #tool:notes/raed_note, #tool:notes/*, #tool:search/codebase, `#tool:githubRepo`.
#                                     ^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `notes/read_note`?
Ask #tool:notes/read_note again.
//- /.github/prompts/plain.prompt.md
Never #tool:notes/drop_nte.
#           ^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `notes/drop_note`?
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
#   ^^^^^^^^^^^^^^^^^^^^ permission-malformed: a wildcard is only allowed
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
fn claude_code_asks_edit_about_files_and_takes_no_programs_for_tools() {
    check(
        r#"
//- /.claude/settings.json
{ "permissions": {
    "allow": ["Write", "Write(*)", "Edit(docs/**)",
      "Write(src/**)"
//     ^^^^^^^^^^^^^ permission-malformed: Claude Code never consults this entry, so it allows nothing: `Edit(…)` applies to every tool that changes a file
    ],
    "deny": [
      "Glob(secrets/**)",
//     ^^^^^^^^^^^^^^^^ permission-malformed: never consults this entry, so it guards nothing: `Read(…)` applies to every tool that reads a file
      "Bash(rm *)"
    ]
} }
//- /.claude/agents/tester.md
---
name: tester
tools: Read, Bash(npm test), pytest, Task
#                            ^^^^^^ permission-malformed: neither one of the tools of Claude Code nor in the form `mcp__<server>__<tool>`
---
//- /.claude/agents/all.md
---
name: all
tools: "*"
---
"#,
    );
    check(
        r#"
//- /toolnames.toml
[clients]
versions = { claude-code = "2.1.200" }
//- /.claude/settings.json
{ "permissions": { "deny": ["Write(src/**)"] } }
"#,
    );
}

#[test]
fn which_matchers_are_whole_names_depends_on_the_version() {
    let check = |version: &str, settings: &str| {
        let config = format!("//- /toolnames.toml\n[clients]\nversions = {{ claude-code = \"{version}\" }}\n");
        let key = r#"{ "mcpServers": { "my-notes": { "command": "node", "args": ["notes/server.ts"] } } }"#;
        check(&format!("{config}//- /.mcp.json\n{key}\n//- /.claude/settings.json\n{settings}"));
    };
    check(
        "2.1.195",
        r#"
{ "hooks": { "PreToolUse": [{ "matcher": "mcp__my-notes" }, { "matcher": "Bash, mcp__my-notes__read_nte" }] } }
//                                        ^^^^^^^^^^^^^ hook-matcher
//                                                                              ^^^^^^^^^^^^^^^^^^^^^^^ hook-matcher: did you mean
"#,
    );
    // In this version the matcher is a regular expression, for which a part of a name is enough.
    check("2.1.194", r#"{ "hooks": { "PreToolUse": [{ "matcher": "mcp__my-notes" }] } }"#);
}

#[test]
fn one_client_takes_no_server_with_a_name_that_begins_with_an_underscore() {
    Fixture::parse(
        r#"
//- /.grok/config.toml
[mcp_servers.memory]
command = "node"
args = ["server.ts"]
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "memory", version: "1.0.0" });
server.registerTool("__IMPORTANT", {}, run);
//                   ^^^^^^^^^^^ name-client-limit: Grok Build skips all tools of a server if the name of one begins with `_`
server.registerTool("search", {}, run);
"#,
    )
    .check();
}

#[test]
fn a_name_that_says_its_server_twice_or_no_longer() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "read": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.claude/settings.json
{ "permissions": { "allow": [
    "mcp__read__note",
//   ^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__read__read_note`?
    "mcp__read__read_drop_note"
//   ^^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__read__drop_note`?
] } }
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
//                            ^^^^^^^^^^^^^^^^^^^^^ permission-form: `mcp__notes__read_note` is not how Cursor names a tool: write `Mcp(<server>:<tool>)`
//- /.kiro/agents/a.json
{ "allowedTools": ["fs_read", "mcp__notes__drop_note", "notes/write_note"] }
//                             ^^^^^^^^^^^^^^^^^^^^^ permission-form: write `@<server>/<tool>`
//                                                      ^^^^^^^^^^^^^^^^ permission-form: write `@<server>/<tool>`
//- /opencode.json
{ "permission": { "mcp_notes_drop_note": "deny", "edit": "ask" } }
//                 ^^^^^^^^^^^^^^^^^^^ permission-form: write `<server>_<tool>`
"#,
    );
}

#[test]
fn claude_code_switches_servers_by_their_keys() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] }, "my docs": { "url": "https://x" } } }
//                                                                              ^^^^^^^ server-key: rewrites this key to `my_docs`
//- /.claude/settings.json
{
  "enabledMcpjsonServers": [
    "notes", "elsewhere", "my docs",
    "my_docs",
//   ^^^^^^^ permission-unknown-server: did you mean `my docs`?
    "mcp__notes"
//   ^^^^^^^^^^ permission-unknown-server: did you mean `notes`?
  ],
  "disabledMcpjsonServers": ["Notes"],
//                            ^^^^^ permission-unknown-server: did you mean `notes`?
  "deniedMcpServers": [{ "serverName": "outlook" }, { "serverUrl": "https://*" }],
  "hooks": { "PreToolUse": [
    { "matcher": "mcp__notes__(read|drop)_.*" },
    { "matcher": "mcp__notes__delete.*" },
//                ^^^^^^^^^^^^^^^^^^^^ hook-matcher: no tool of `notes` matches this
    { "matcher": "mcp__other__delete.*|Bash" }
  ] }
}
"#,
    );
}

#[test]
fn claude_code_in_scripts_and_workflows() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /ci/review.sh
#!/bin/sh
# claude --allowedTools "mcp__notes__reed_note"
claude -p "look" --allowedTools "mcp__notes__read_note,Bash(git diff:*)" \
  --disallowedTools mcp__notes__drop_note mcp__notes__dorp_note --verbose
#                                         ^^^^^^^^^^^^^^^^^^^^^ permission-dead: did you mean `mcp__notes__drop_note`?
claude --allowed-tools='mcp__notes__read_note(x)' --permission-prompt-tool mcp__notes__ask_me
#                                                                          ^^^^^^^^^^^^^^^^^^ permission-unknown-tool: `notes` has no tool `ask_me`
gemini --allowed-tools "mcp_notes_read_note"
claude --allowedTools "$TOOLS,mcp__notes__write_note"
//- /.github/workflows/review.yml
on: push
jobs:
  review:
    steps:
      - uses: anthropics/claude-code-action@v1
        with:
          claude_args: |
            --allowedTools "mcp__notes__read_note,mcp__notes__raed_note"
#                                                 ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__read_note`?
            --max-turns 3
      - uses: anthropics/claude-code-action@beta
        with:
          allowed_tools: "Bash(pnpm test),mcp__note__read_note" # toolnames: allow(permission-unknown-server) of the runner
          disallowed_tools: mcp__notes__write_note, mcp_notes_drop_note
#                                                   ^^^^^^^^^^^^^^^^^^^ permission-form
      - uses: anthropics/claude-code-action@v1
        with:
          settings: |
            { "permissions": { "allow": ["Read", "mcp__notes__raed_note"] } }
#                                                 ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__read_note`?
          claude_args: --settings '{ "permissions": { "deny": ["mcp__notes__dorp_note"] } }' --settings more.json
#                                                               ^^^^^^^^^^^^^^^^^^^^^ permission-dead: did you mean `mcp__notes__drop_note`?
//- /Makefile
look:
	claude -p "look" --allowedTools "mcp__notes__raed_note,$(MORE)"
#	                                ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__read_note`?
//- /package.json
{ "name": "notes", "scripts": {
  "look": "claude --disallowedTools \"mcp__notes__dorp_note,mcp__notes__drop_note\"" } }
//                                    ^^^^^^^^^^^^^^^^^^^^^ permission-dead: did you mean `mcp__notes__drop_note`?
"#,
    );
}

#[test]
fn codex_approvals_and_hooks() {
    check(
        r#"
//- /.codex/config.toml
[mcp_servers.notes]
command = "node"
args = ["notes/server.ts"]
[mcp_servers.notes.tools.read_note]
approval_mode = "approve"
[mcp_servers.notes.tools.raed_note]
#                        ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
approval_mode = "approve"
[mcp_servers.notes.tools.erase]
#                        ^^^^^ permission-dead: `notes` has no tool `erase`, so this entry never asks
approval_mode = "prompt"
//- /.codex/hooks.json
{ "hooks": { "PreToolUse": [
  { "matcher": "mcp__notes__.*" },
  { "matcher": "^mcp__notes__erase$" }
//              ^^^^^^^^^^^^^^^^^^^ hook-matcher: no tool of `notes` matches this
] } }
"#,
    );
}

#[test]
fn gemini_policies_agents_and_hooks() {
    check(
        r#"
//- /.gemini/settings.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } },
  "mcp": { "allowed": ["notes"], "excluded": ["Notes"] },
//                                             ^^^^^ permission-unknown-server: did you mean `notes`?
  "tools": { "allowed": ["run_shell_command(git)", "mcp_notes_read_note", "mcp_notes_reed_note", "drop_note"],
//                                                                         ^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp_notes_read_note`?
//                                                                                                ^^^^^^^^^ permission-form: `drop_note` is not how Gemini CLI names a tool
             "exclude": ["mcp__notes__drop_note"] },
//                        ^^^^^^^^^^^^^^^^^^^^^ permission-form: is not how Gemini CLI names a tool
  "hooks": { "BeforeTool": [{ "matcher": "mcp_notes_.*" }, { "matcher": "mcp_notes_erase.*" }] } }
//                                                                       ^^^^^^^^^^^^^^^^^ hook-matcher: no tool of `notes` matches this
//- /.gemini/policies/team.toml
[[rule]]
mcpName = "notes"
toolName = ["read_note", "raed_note"]
#                         ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
decision = "allow"
priority = 100
[[rule]]
toolName = "mcp_notes_erase_*"
#           ^^^^^^^^^^^^^^^^^ permission-dead: matches no tool of `notes`
decision = "deny"
priority = 200
[[rule]]
toolName = "mcp_*_erase"
decision = "deny"
//- /.gemini/agents/reader.md
---
name: reader
tools:
  - read_file
  - mcp_notes_*
  - mcp_notes_raed_note
#   ^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp_notes_read_note`?
---
"#,
    );
}

#[test]
fn goose_and_continue() {
    check(
        r#"
//- /.config/goose/config.yaml
extensions:
  notes:
    type: stdio
    cmd: node
    args: [notes/server.ts]
    available_tools:
      - read_note
      - raed_note
#       ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
//- /.config/goose/permission.yaml
user:
  always_allow: [developer__shell, notes__read_note]
  never_allow:
    - notes__erase
#     ^^^^^^^^^^^^ permission-dead: `notes` has no tool `erase`, so this entry guards nothing
//- /.continue/mcpServers/notes.yaml
name: Notes
version: 0.0.1
mcpServers:
  - name: notes
    command: node
    args: ["notes/server.ts"]
//- /.continue/permissions.yaml
allow:
  - Read(*)
  - notes_read_note
exclude:
  - notes_erase
#   ^^^^^^^^^^^ permission-dead: `notes` has no tool `erase`
"#,
    );
}

#[test]
fn junie() {
    check(
        r#"
//- /.junie/mcp/mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.junie/allowlist.json
{
  "defaultBehavior": "ask",
  "rules": {
    "executables": { "rules": [{ "prefix": "git", "action": "allow" }] },
    "mcpTools": {
      "rules": [
        { "prefix": "notes:read", "action": "allow" },
        { "prefix": "other-server:", "action": "allow" },
        { "prefix": "notes:reed_note", "action": "allow" },
//                   ^^^^^^^^^^^^^^^ permission-unknown-tool: `reed_note` matches no tool of `notes`
        { "pattern": "notes:*_note", "action": "deny" },
        { "pattern": "notes:delete_*", "action": "deny" },
//                    ^^^^^^^^^^^^^^ permission-dead: matches no tool of `notes`
        { "prefix": "notes:", "action": "ask" },
        { "pattern": "notes:drop_*", "action": "deny" }
//                    ^^^^^^^^^^^^ permission-dead: `notes:` asks for confirmation, and only the first matching entry counts
      ]
    }
  }
}
"#,
    );
}

#[test]
fn librechat_names_the_tool_before_its_server() {
    Fixture::parse(
        r#"
//- /librechat.yaml
version: 1.3.1
mcpServers:
  the-notes-of-everybody-in-this-company:
    command: node
    args: ["notes/server.ts"]
//- /notes/package.json
{ "name": "notes", "version": "1.0.0" }
//- /notes/server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", {}, run);
server.registerTool("read_note_of_somebody_else", {}, run);
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^^ name-client-limit: `read_note_of_somebody_else_mcp_the-notes-of-everybody-in-this-company`: 69 characters, 5 more
"#,
    )
    .check();
}

#[test]
fn kilo_and_zed_profiles() {
    check(
        r#"
//- /kilo.jsonc
{ "mcp": { "notes": { "type": "local", "command": ["node", "notes/server.ts"] } },
  "permission": { "bash": "ask", "notes_raed_note": "allow", "mcp__notes__drop_note": "deny", "mcp__notes__drp_note": "deny" } }
//                                ^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `notes_read_note`?
//                                                            ^^^^^^^^^^^^^^^^^^^^^ permission-form: write `<server>_<tool>`
//                                                                                             ^^^^^^^^^^^^^^^^^^^^ permission-form: write `<server>_<tool>`
//- /team/kilo.jsonc
{ "mcp": { "chrome-devtools": { "type": "local", "command": ["npx", "chrome-devtools-mcp"] } },
  "permission": { "chrome_devtools_*": "ask" } }
//                 ^^^^^^^^^^^^^^^^^ permission-form: names no server of this workspace; did you mean `chrome-devtools_*`?
//- /.zed/settings.json
{ "context_servers": { "notes": { "command": { "path": "node", "args": ["notes/server.ts"] } } },
  "agent": { "profiles": { "ask": { "context_servers": { "notes": { "tools": { "read_note": true, "erase": false } } } } } } }
//                                                                                                 ^^^^^ permission-dead: `notes` has no tool `erase`
"#,
    );
}

#[test]
fn copilots_command_line_and_what_it_approved() {
    check(
        r#"
//- /.copilot/mcp-config.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"], "tools": ["read_note", "*"] } } }
//                                                                                      ^^^^^^^^^ permission-redundant
//- /.copilot/permissions-config.json
{ "locations": { "/x": { "tool_approvals": [
  { "kind": "mcp", "serverName": "notes", "toolName": "raed_note" },
//                                                     ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
  { "kind": "shell", "command": "ls" }
] } } }
//- /run.sh
copilot --allow-tool='notes(read_note)' --deny-tool 'notes(erase),shell(rm)'
#                                                    ^^^^^^^^^^^^ permission-dead: `notes` has no tool `erase`
"#,
    );
}

#[test]
fn the_agents_sdk_in_typescript_and_python() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /review.ts
import { query } from "@anthropic-ai/claude-agent-sdk";
const DENIED = ["mcp__notes__drop_note", "mcp__notes__dorp_note"];
//                                        ^^^^^^^^^^^^^^^^^^^^^ permission-dead: did you mean `mcp__notes__drop_note`?
for await (const message of query({
  prompt: "look",
  options: {
    mcpServers: { note: { command: "other" } },
    allowedTools: [
      "Read", "mcp__note__anything",
      'mcp__notes__raed_note',
//     ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__read_note`?
      `mcp__${server}__x`,
    ],
    disallowedTools: DENIED,
    toolAliases: { Read: "mcp__notes__reed_note" },
//                        ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__read_note`?
    agents: { reader: { description: "reads", prompt: "read", tools: ["mcp__notes__read_*"] } },
//                                                                     ^^^^^^^^^^^^^^^^^^ permission-malformed: a wildcard is only allowed
    hooks: { PreToolUse: [{ matcher: "mcp__notes", hooks: [check] }] },
//                                    ^^^^^^^^^^ hook-matcher: compares `mcp__notes` with whole tool names
  },
})) {}
//- /review.py
from claude_agent_sdk import AgentDefinition, ClaudeAgentOptions, HookMatcher
options = ClaudeAgentOptions(
    allowed_tools=["mcp__notes__read_note", "mcp_notes_write_note"],
#                                            ^^^^^^^^^^^^^^^^^^^^ permission-form: is not how Claude Code names a tool
    disallowed_tools=["mcp__notes__erase"],
#                      ^^^^^^^^^^^^^^^^^ permission-dead: `notes` has no tool `erase`
    hooks={"PreToolUse": [HookMatcher(matcher="mcp__notes__eras.*", hooks=[check])]},
#                                              ^^^^^^^^^^^^^^^^^^ hook-matcher: no tool of `notes` matches this
    agents={"reader": AgentDefinition(description="", prompt="", tools=["mcp__notes", "Read"])},
)
"#,
    );
}

#[test]
fn code_that_brings_its_servers_is_checked_against_them() {
    check(
        r#"
//- /agent/package.json
{ "name": "agent", "version": "1.0.0", "dependencies": { "@anthropic-ai/claude-agent-sdk": "1" } }
//- /agent/main.ts
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
const weather = createSdkMcpServer({
  name: "weather",
  tools: [tool("get_weather", "Now.", {}, run), tool("get_alerts", "Later.", {}, run)],
});
query({
  prompt: "…",
  options: {
    mcpServers: { weather, notes: { command: "node", args: ["../notes/server.ts"] }, handed: handedIn },
    allowedTools: ["mcp__weather__get_weather", "mcp__weather__get_wether", "mcp__handed__anything"],
//                                               ^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__weather__get_weather`?
    disallowedTools: ["mcp__weather__get_storm", "mcp__notes__drop_notes"],
//                     ^^^^^^^^^^^^^^^^^^^^^^^ permission-dead: `weather` has no tool `get_storm`
//                                                ^^^^^^^^^^^^^^^^^^^^^^ permission-dead: did you mean `mcp__notes__drop_note`?
  },
});
//- /agent-py/pyproject.toml
[project]
name = "agent-py"
dependencies = ["claude-agent-sdk"]
//- /agent-py/main.py
from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, tool


@tool("add", "Adds.", {"a": int})
async def add(args):
    return {}


calculator = create_sdk_mcp_server(name="calculator", tools=[add])
options = ClaudeAgentOptions(
    mcp_servers={"calc": calculator},
    allowed_tools=["mcp__calc__add", "mcp__calc__ad"],
#                                     ^^^^^^^^^^^^^ permission-unknown-tool: `calc` has no tool `ad`
)
"#,
    );
}

#[test]
fn an_older_version_takes_less() {
    let settings = r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.claude/settings.json
{ "permissions": { "deny": [
    "mcp__notes__*",
    "mcp__*__drop_note"
"#;
    check(&format!("{settings}] }} }}\n"));
    let older = "//- /toolnames.toml\n[clients]\nversions = { claude-code = \"2.1.150\" }\n";
    let found = "//   ^^^^^^^^^^^^^^^^^ permission-malformed: a wildcard is only allowed\n";
    check(&format!("{settings}{found}] }} }}\n{older}"));
    check(
        r#"
//- /toolnames.toml
[clients]
 version = {}
#^^^^^^^ config: unknown key `version`; did you mean `versions`?
//- /sub/toolnames.toml
[clients]
versions = { claude-code = "new", claude = "2.1" }
#                          ^^^^^ config: expected a version
#                                 ^^^^^^ config: no client `claude`
"#,
    );
}

#[test]
fn what_a_plugin_starts_goes_by_the_plugins_name() {
    check(
        r#"
//- /.claude-plugin/plugin.json
{ "name": "pad", "mcpServers": { "notes": { "command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/notes/server.ts"] } },
  "hooks": { "Stop": [], "PreToolUse": [{ "matcher": "mcp__plugin_pad_notes" }] } }
//                                                    ^^^^^^^^^^^^^^^^^^^^^ hook-matcher
//- /hooks/hooks.json
{ "hooks": { "PreToolUse": [
  { "matcher": "mcp__plugin_pad_notes__.*" },
  { "matcher": "mcp__notes__.*" },
//              ^^^^^^^^^^^^^^ hook-matcher: servers of plugins are named after their plugin: use `mcp__plugin_pad_notes`
  { "matcher": "mcp__plugin_pad_notes__erase" }
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hook-matcher: has no tool `erase`
] } }
//- /inner/.claude-plugin/plugin.json
{ "name": "inner" }
//- /inner/hooks/hooks.json
{ "hooks": { "PreToolUse": [{ "matcher": "mcp__notes__.*" }] } }
//- /.claude/agents/a.md
---
tools: mcp__notes__read_note, mcp__plugin_pad_notes__write_note, mcp__plugin_other_notes__x
---
"#,
    );
}

#[test]
fn a_plugin_starts_servers_in_a_file_of_their_own_and_has_agents_skills_and_commands() {
    check(
        r#"
//- /plugins/pad/.claude-plugin/plugin.json
{ "name": "pad" }
//- /plugins/pad/.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["../../notes/server.ts"] } } }
//- /plugins/pad/hooks/hooks.json
{ "hooks": { "PreToolUse": [{ "matcher": "mcp__notes__.*" }] } }
//                                        ^^^^^^^^^^^^^^ hook-matcher: servers of plugins are named after their plugin: use `mcp__plugin_pad_notes`
//- /plugins/pad/agents/reader.md
---
tools: Read, mcp__plugin_pad_notes__raed_note, mcp__other__x
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__plugin_pad_notes__read_note`?
---
//- /plugins/pad/agents/writer.md
---
tools: Read, mcp__notes__write_note, mcp__others__x
#            ^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-server: servers of plugins are named after their plugin: use `plugin_pad_notes`
---
//- /plugins/pad/commands/note.md
---
allowed-tools: mcp__plugin_pad_notes__read_note, mcp__*
#                                                ^^^^^^ permission-malformed
---
//- /plugins/pad/skills/notes/SKILL.md
---
allowed-tools: mcp__plugin_pad_notes__drop_notes
#              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool
---
//- /docs/agents/about.md
---
tools: mcp__*, mcp_notes_read
---
"#,
    );
}

#[test]
fn cursors_command_line_wants_a_colon() {
    check(
        r#"
//- /.cursor/mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.cursor/cli.json
{ "permissions": { "allow": [
  "Shell(ls)", "Mcp(notes:*)", "Mcp(*:read_note)",
  "Mcp(notes, read_note)",
// ^^^^^^^^^^^^^^^^^^^^^ permission-malformed: no tool name; the form is `Mcp(<server>:<tool>)`
  "Mcp(notes)"
// ^^^^^^^^^^ permission-malformed: no tool name
], "deny": [] } }
"#,
    );
}

#[test]
fn hooks_that_spell_a_server_otherwise() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "my-notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.claude/settings.json
{ "hooks": { "PreToolUse": [
  { "matcher": "mcp__my-notes__read_note|mcp__My-Notes__write_note" },
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^ hook-matcher: did you mean `mcp__my-notes__`?
  { "matcher": "mcp_my_notes_.*" },
//              ^^^^^^^^^^^^^^^ hook-matcher: no tool name begins with `mcp_my_notes_`
  { "matcher": "mcp__my-notes__" },
//              ^^^^^^^^^^^^^^^ hook-matcher: compares `mcp__my-notes` with whole tool names
  { "matcher": "mcp__my-.*|Bash" }, { "matcher": "mcp__(my-notes|x)__.*" }, { "matcher": "mcp__.*" }
] } }
//- /.claude/agents/a.md
---
hooks:
  PreToolUse:
    - matcher: mcp__my-notes
#              ^^^^^^^^^^^^^ hook-matcher: compares `mcp__my-notes` with whole tool names
---
//- /.github/workflows/x.yml
on: push
jobs:
  x:
    steps:
      - uses: anthropics/claude-code-action@beta
        with:
          allowed_tools: |
            Bash(ls)
            mcp__my-notes__raed_note
#           ^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__my-notes__read_note`?
      - run: |
          claude --allowedTools \
            mcp__my-notes__raed_note
#           ^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__my-notes__read_note`?
"#,
    );
}

#[test]
fn calls_of_tools_by_name() {
    check(
        r#"
//- /client.ts
const found = await client.callTool({ name: "wriet_note", arguments: {} });
//                                           ^^^^^^^^^^ permission-unknown-tool: no server in this workspace has a tool `wriet_note`; did you mean `write_note`?
await client.callTool({ name: "read_note" });
await client.callTool({ name: "elsewhere", arguments: { name: "reed_note" } });
//- /client.py
await session.call_tool("wriet_note", {"id": 1})
#                        ^^^^^^^^^^ permission-unknown-tool: did you mean `write_note`?
await session.call_tool(name="drop_note", arguments={})
await session.call_tool("write_notes", {})
"#,
    );
}

#[test]
fn a_string_that_is_being_typed_is_completed_behind_its_quote() {
    for typed in ["[mcp_servers.notes]\nenabled_tools = [\"", "[mcp_servers.notes]\nenabled_tools = [\"re"] {
        let fixture = Fixture::parse(&format!(
            "{NOTES}//- /.mcp.json\n{{ \"mcpServers\": {{ \"notes\": {{ \"command\": \"node\", \"args\": [\"notes/server.ts\"] }} }} }}\n\
             //- /.codex/config.toml\n{typed}"
        ));
        let snapshot = fixture.snapshot();
        let file = snapshot.files.by_path(".codex/config.toml").unwrap().id;
        let text = fixture.text(&snapshot, file).unwrap();
        let end = text.trim_end().len() as u32;
        if let Some(offered) = toolnames::testing::cursor::complete(&snapshot, file, end, || None) {
            assert!(text[..offered.span.start as usize].ends_with('"'), "{typed}: {:?}", offered.span);
        }
    }
}

#[test]
fn what_stands_behind_an_open_string_stays_when_it_is_completed() {
    for (typed, behind) in [
        ("mcp__notes__", "\n  \"Read\"\n]}}"),
        ("mcp__notes__", "]}}"),
        ("mcp__notes__re", ", \"Read\"]}}"),
        ("mcp__notes__read_note", "\", \"Read\"]}}"),
    ] {
        let start = "{ \"permissions\": { \"allow\": [\"";
        let fixture = Fixture::parse(&format!(
            "{NOTES}//- /.mcp.json\n{{ \"mcpServers\": {{ \"notes\": {{ \"command\": \"node\", \"args\": [\"notes/server.ts\"] }} }} }}\n\
             //- /.claude/settings.json\n{start}{typed}{behind}"
        ));
        let snapshot = fixture.snapshot();
        let file = snapshot.files.by_path(".claude/settings.json").unwrap().id;
        let at = (start.len() + typed.len()) as u32;
        let text = || fixture.text(&snapshot, file);
        let offered = toolnames::testing::cursor::complete(&snapshot, file, at, text)
            .unwrap_or_else(|| panic!("nothing is offered in {typed}{behind}"));
        assert_eq!((offered.span.start, offered.span.end), (start.len() as u32, at), "{typed}{behind}");
    }
}

#[test]
fn guards_in_another_case_or_spelling_are_said_in_every_client() {
    check(
        r#"
//- /opencode.json
{ "mcp": { "my-notes": { "type": "local", "command": ["node", "notes/server.ts"] } },
  "permission": {
    "edit": "ask", "my_notes": "ask",
    "My-Notes_drop_note": "deny",
//   ^^^^^^^^^^^^^^^^^^ permission-form: did you mean `my-notes_drop_note`?
    "my_notes_write_note": "deny",
//   ^^^^^^^^^^^^^^^^^^^ permission-form: did you mean `my-notes_write_note`?
    "my_notes_*": "deny"
//   ^^^^^^^^^^ permission-form: did you mean `my-notes_*`?
  } }
//- /run.sh
copilot --deny-tool='My-Notes(drop_note)' --deny-tool='shell(rm)' --deny-tool='mcp__my-notes__drop_note'
#                    ^^^^^^^^^^^^^^^^^^^ permission-form
#                                                                              ^^^^^^^^^^^^^^^^^^^^^^^^ permission-form
//- /.gemini/settings.json
{ "mcpServers": { "my-notes": { "command": "node", "args": ["notes/server.ts"] } },
  "tools": { "exclude": ["mcp_my_notes_drop_note", "run_shell_command(rm)"] } }
//                        ^^^^^^^^^^^^^^^^^^^^^^ permission-form: did you mean `mcp_my-notes_drop_note`?
"#,
    );
}

#[test]
fn wildcards_that_match_nothing_are_told_the_nearest() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.claude/settings.json
{ "permissions": {
    "deny": [
      "mcp__notes__Drop_*",
//     ^^^^^^^^^^^^^^^^^^ permission-dead: did you mean `mcp__notes__drop_*`?
      "mcp__notes__wrtie_*",
//     ^^^^^^^^^^^^^^^^^^^ permission-dead: did you mean `mcp__notes__write_*`?
      "mcp__notes__erase_*"
//     ^^^^^^^^^^^^^^^^^^^ permission-dead: `erase_*` matches no tool of `notes`, so this entry guards nothing
    ],
    "allow": ["SlashCommand:/commit", "SlashCommand:/review-pr:*"]
} }
"#,
    );
}

#[test]
fn options_take_several_quoted_values() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /run.sh
claude -p "x" --allowedTools "Bash(git log:*)" "mcp__notes__raed_note" "Read"
#                                               ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool
claude -p "x" --disallowedTools Bash "mcp__notes__drpo_note" --model x "mcp__notes__dorp_note"
#                                     ^^^^^^^^^^^^^^^^^^^^^ permission-dead
"#,
    );
}

#[test]
fn regular_expressions_that_match_are_right() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.claude/settings.json
{ "hooks": { "PreToolUse": [
    { "matcher": "mcp__.*notes.*" },
    { "matcher": "mcp__.*notes__drop.*" },
    { "matcher": "mcp__notes_.*" },
    { "matcher": "mcp_+notes_+.*" },
    { "matcher": "mcp__notes__([a-z]+_?)+X" },
//                ^^^^^^^^^^^^^^^^^^^^^^^^ hook-matcher: no tool of `notes` matches this
    { "matcher": "mcp__Notes__.*" }
//                ^^^^^^^^^^^^^^ hook-matcher: did you mean `mcp__notes__`?
] } }
"#,
    );
}

#[test]
fn what_the_settings_beside_deny_is_not_allowed() {
    Fixture::parse(
        r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", {}, run);
server.registerTool("drop_note", { annotations: { destructiveHint: true } }, run);
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["server.ts"] } } }
//- /.claude/settings.json
{ "permissions": { "deny": ["mcp__notes__drop_note"] } }
//- /.claude/settings.local.json
{ "permissions": { "allow": ["mcp__notes"] } }
"#,
    )
    .check();
}

#[test]
fn names_in_another_clients_form_in_lists_of_one_server() {
    check(
        r#"
//- /.roo/mcp.json
{ "mcpServers": { "notes": {
    "command": "node", "args": ["notes/server.ts"],
    "alwaysAllow": ["mcp__notes__read_note"],
//                   ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
    "disabledTools": ["notes__drop_note"]
//                     ^^^^^^^^^^^^^^^^ permission-dead: did you mean `drop_note`?
} } }
"#,
    );
}

#[test]
fn places_of_clients_beside_their_main_lists() {
    check(
        r#"
//- /.vscode/mcp.json
{ "servers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /prompts/triage.prompt.md
---
tools: ['read_note', 'search', 'notes/raed_note']
#        ^^^^^^^^^ permission-form: `read_note` is not how VS Code names a tool: write `<server>/<tool>`
#                               ^^^^^^^^^^^^^^^ permission-unknown-tool
---
//- /opencode.json
{ "mcp": { "notes": { "type": "local", "command": ["node", "notes/server.ts"] } },
  "agent": { "reader": { "permission": { "notes_drop_nite": "deny" }, "tools": { "notes_drpo_note": false } } } }
//                                        ^^^^^^^^^^^^^^^ permission-dead
//                                                                                ^^^^^^^^^^^^^^^ permission-dead
//- /.vibe/config.toml
disabled_tools = ["notes_drpo_note"]
#                  ^^^^^^^^^^^^^^^ permission-dead: did you mean `notes_drop_note`?
[[mcp_servers]]
name = "notes"
command = "node"
args = ["notes/server.ts"]
//- /.claude/settings.json
{ "allowedTools": ["Bash"] }
// ^^^^^^^^^^^^ permission-wrong-key: use `permissions.allow`
//- /.codex/config.toml
[mcp_servers.chrome-devtools]
command = "elsewhere"
"#,
    );
}

#[test]
fn of_yaml_with_a_mistake_the_rest_is_read() {
    check(
        r#"
//- /.config/goose/config.yaml
extensions:
  notes:
    type: stdio
    cmd: node
    args: [notes/server.ts]
//- /.config/goose/permission.yaml
user:
  never_allow:
    - notes__drpo_note
#     ^^^^^^^^^^^^^^^^ permission-dead: did you mean `notes__drop_note`?
more:
  - x: [
"#,
    );
}

/// The completions offered after some text of a file, in order.
fn offered(files: &str, path: &str, typed: &str) -> Vec<String> {
    let fixture = Fixture::parse(&format!("{NOTES}{files}"));
    let snapshot = fixture.snapshot();
    let file = snapshot.files.by_path(path).unwrap().id;
    let text = fixture.text(&snapshot, file).unwrap();
    let offset = (text.find(typed).unwrap() + typed.len()) as u32;
    let offered = toolnames::testing::cursor::complete(&snapshot, file, offset, || None);
    offered.map_or(Vec::new(), |offered| offered.items.into_iter().map(|item| item.text).collect())
}

#[test]
fn what_a_filter_may_leave_out_is_offered_where_nothing_else_is() {
    let files = r#"
//- /own.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const server = new Server({ name: "own", version: "1" }, { capabilities: { tools: {} } });
const ALL = [{ name: "read_page", inputSchema: {} }, { name: "write_page", inputSchema: {} }];
const hidden = (process.env.HIDDEN ?? "").split(",");
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: ALL.filter((t) => !hidden.includes(t.name)) }));
//- /.mcp.json
{ "mcpServers": { "own": { "command": "node", "args": ["own.ts"] } } }
//- /.claude/settings.json
{ "permissions": { "allow": ["mcp__own__"] } }
"#;
    let own = offered(files, ".claude/settings.json", "mcp__own__");
    assert_eq!(own, ["mcp__own", "mcp__own__read_page", "mcp__own__write_page"]);
}

#[test]
fn inside_a_group_of_a_matcher_no_whole_name_is_offered() {
    let files = r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.claude/settings.json
{ "hooks": { "PreToolUse": [{ "matcher": "mcp__notes__(read|" }, { "matcher": "Bash|mcp__notes__r" }] } }
"#;
    assert!(offered(files, ".claude/settings.json", "(read|").is_empty());
    let behind = offered(files, ".claude/settings.json", "Bash|mcp__notes__r");
    assert!(behind.contains(&"mcp__notes__read_note".to_string()), "{behind:?}");
}

#[test]
fn a_wildcard_in_another_clients_form_guards_nothing() {
    check(
        r#"
//- /.gemini/settings.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } },
  "tools": { "exclude": ["mcp__notes__*", "mcp_notes_*", "mcp_notes_drop_*", "mcp__others__*"] } }
//                        ^^^^^^^^^^^^^ permission-form: `mcp__notes__*` is not how Gemini CLI names a tool
//                                                        ^^^^^^^^^^^^^^^^ permission-malformed: guards nothing
//                                                                            ^^^^^^^^^^^^^^ permission-malformed: guards nothing
"#,
    );
}

#[test]
fn a_sentence_about_an_option_is_no_list() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
//- /.github/workflows/triage.yml
jobs:
  triage:
    steps:
      - run: echo "::error::the --allowedTools value is not what it is, since mcp__notes__x is there"
      - run: claude --allowedTools mcp__notes__raed_note Bash
#                                  ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool
      - run: claude --allowedTools "Glob(./src/**),Write(src/**)"
#                                                  ^^^^^^^^^^^^^ permission-malformed: never consults this entry
"#,
    );
}

#[test]
fn a_matcher_is_no_rule_about_some_calls() {
    check(
        r#"
//- /.claude/settings.json
{ "hooks": { "PreToolUse": [
  { "matcher": "Bash(git push:*)" },
//              ^^^^^^^^^^^^^^^^ hook-matcher: restrict calls with the hook's `if`
  { "matcher": "Edit|Write" }, { "matcher": "Notebook(Edit|Read)" }, { "matcher": "Bash(Output)?" }
] } }
"#,
    );
}

/// A client that a config describes, with one permission list.
const HAL: &str = r#"
//- /toolnames.toml
[[client]]
id = "hal"
name = "Hal"
names = { tool = "{server}/{tool}" }

[[client.file]]
files = ["**/hal.yaml"]
servers = "servers"

[[client.file.list]]
at = "deny"
list = "deny"
wildcards = "tool"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", {}, run);
//- /hal.yaml
servers:
  notes: { command: node, args: [server.ts] }
deny:
  - notes/read_nte
#   ^^^^^^^^^^^^^^ permission-dead: did you mean `notes/read_note`?
"#;

#[test]
fn a_client_that_a_config_describes_is_one_like_the_others() {
    Fixture::parse(HAL).check();
    // A client can be named in every config, whichever config describes it.
    let elsewhere = HAL.replace("//- /toolnames.toml", "//- /team/toolnames.toml").replace(
        "//- /server.ts",
        "//- /toolnames.toml\nextends = \"team/toolnames.toml\"\n[clients]\nuse = [\"hal\", \"hall\"]\n#              ^^^^ config: no client `hall`; did you mean `hal`?\n//- /server.ts",
    );
    Fixture::parse(&elsewhere).check();
}

#[test]
fn what_is_wrong_with_a_client_of_a_config_is_said_where_it_is() {
    let described = |more: &str| {
        format!(
            "//- /toolnames.toml\n[[client]]\nid = \"hal\"\nname = \"Hal\"\nnames = {{ tool = \"{{server}}/{{tool}}\" }}\n{more}"
        )
    };
    check(&described("file = []\nlimmit = 64\n# <- config: unknown key `limmit`; did you mean `limit`?\n"));
    check(&described(
        "[[client.file]]\nfiles = [\"a\"]\n[[client.file.list]]\nat = \"deny\"\nlist = \"denny\"\n#      ^^^^^^^ config: unknown value `denny`; did you mean `deny`?\nwildcards = \"tool\"\n",
    ));
    let taken = "//- /toolnames.toml\n[[client]]\nid = \"cursor\"\n#    ^^^^^^^^ config: there is already a client `cursor`: choose another id\nname = \"C\"\nnames = { tool = \"{tool}\" }\nfile = []\n";
    check(taken);
}

#[test]
fn rows_that_could_never_hold_are_faults() {
    let row = |names: &str, file: &str| {
        let file = if file.is_empty() { "files = [\"**/hal.yaml\"]" } else { file };
        format!("[[client]]\nid = \"hal\"\nname = \"Hal\"\nnames = {{ {names} }}\n[[client.file]]\n{file}\n")
    };
    let names = "tool = \"{server}/{tool}\"";
    let list = |more: &str| {
        format!("files = [\"**/hal.yaml\"]\n[[client.file.list]]\nat = \"deny\"\nwildcards = \"tool\"\n{more}")
    };
    let braces = format!("files = [\"{}a{}\"]", "{".repeat(150), "}".repeat(150));
    let words =
        "[[client.flag]]\nnames = [\"--allowedTools\"]\nlist = \"allow\"\nwildcards = \"tool\"\nsplit = \"commas\"";
    for (config, at, message) in [
        (row("tool = \"{tool}{server}\"", ""), "\"{tool}{server}\"", "with text between them"),
        (row("tool = \"{tool}@{server}\"", ""), "{tool}@{server}", "the server must precede the tool"),
        (row("tool = \"{srv}/{tool}\"", ""), "\"{srv}/{tool}\"", "expected `{server}` or `{tool}` once"),
        (row("tool = \"{server}\"", ""), "{server}", "must contain `{tool}`"),
        (
            row(&format!("{names}, server = \"{{server}}/{{tool}}\""), ""),
            "{server}/{tool}",
            "must not contain `{tool}`",
        ),
        (row(names, "files = []"), "[[client.file]]", "the table names no files"),
        (row(names, "files = [\"/etc/hal.yaml\"]"), "\"/etc/hal.yaml\"", "relative to the workspace's root"),
        (row(names, "files = [\"**/hal.conf\"]"), "\"**/hal.conf\"", "only JSON, TOML, YAML and Markdown"),
        (row(names, "files = [\"**/*.py\"]"), "\"**/*.py\"", "only JSON, TOML, YAML and Markdown"),
        (row(names, "files = [\"**/.mcp.json\"]"), "\"**/.mcp.json\"", "this is a file of"),
        (row(names, &braces), &braces[9..braces.len() - 1], "this glob has more than 200 bytes"),
        (row(names, &list("")), "[[client.file.list]]", "set `list` to the kind of its strings"),
        (row(names, &list("list = \"deny\"\nkinds = { no = \"deny\" }")), "[[client.file.list]]", "not both"),
        (row(names, "files = [\"**/hal.md\"]\nmark = \"use\""), "\"use\"", "a mark must end in a character"),
        (row(names, &list(&format!("list = \"deny\"\n{words}"))), "\"--allowedTools\"", "no other client can use it"),
    ] {
        let config = toolnames::testing::config::Config::read("toolnames.toml", &config)
            .faults
            .into_iter()
            .map(|fault| (config[fault.span.range()].to_string(), fault.message))
            .collect::<Vec<_>>();
        let is_it = |(place, said): &(String, String)| place == at && said.contains(message);
        assert!(config.iter().any(is_it), "{at}: {message}: {config:?}");
    }
}

#[test]
fn the_servers_that_there_are_tell_where_one_ends_that_holds_the_separator() {
    let dashed = HAL.replace("tool = \"{server}/{tool}\"", "tool = \"{server}-{tool}\"");
    let dashed = dashed.replace("  notes: {", "  my-notes: {").replace("notes/read_nte", "my-notes-read_nte");
    let dashed = dashed
        .replace("#   ^^^^^^^^^^^^^^ ", "#   ^^^^^^^^^^^^^^^^^ ")
        .replace("`notes/read_note`", "`my-notes-read_note`");
    Fixture::parse(&dashed).check();
}

#[test]
fn two_configs_cannot_describe_one_client() {
    let other = "//- /pkg/toolnames.toml\n[[client]]\nid = \"hal\"\n#    ^^^^^ config: toolnames.toml describes a client `hal` already\nname = \"Hal\"\nnames = { tool = \"{server}/{tool}\" }\n";
    let fixture = Fixture::parse(&format!("{HAL}{other}"));
    assert_eq!(fixture.snapshot().files.configs().unread_client(), Some("pkg/toolnames.toml"));
}

#[test]
fn keys_that_a_client_reads_elsewhere_or_under_another_name() {
    check(
        r#"
//- /.claude/settings.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } },
// ^^^^^^^^^^ permission-wrong-key: Claude Code does not read `mcpServers` in this file: use `mcpServers` in `.mcp.json`
  "allowed_tools": ["Read"] }
// ^^^^^^^^^^^^^ permission-wrong-key: use `permissions.allow`
//- /.claude/agents/reader.md
---
name: reader
description: Reads
allowed-tools: mcp__notes__read_note
# <- permission-wrong-key: Claude Code does not read `allowed-tools`: use `tools`
---
//- /.claude/skills/read/SKILL.md
---
name: read
description: Reads
tools: mcp__notes__read_note
# <- permission-wrong-key: Claude Code does not read `tools`: use `allowed-tools`
---
//- /.claude/skills/browse/SKILL.md
---
name: browse
description: Browses
tools: [browser/open, browser/click]
---
//- /.cursor/mcp.json
{ "servers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
// ^^^^^^^ permission-wrong-key: Cursor does not read `servers`: use `mcpServers`
//- /.vscode/mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
// ^^^^^^^^^^ permission-wrong-key: VS Code does not read `mcpServers`: use `servers`
"#,
    );
}

#[test]
fn a_hint_that_the_handler_contradicts_where_a_client_acts_on_it() {
    Fixture::parse(
        r#"
//- /.codex/config.toml
[mcp_servers.notes]
command = "node"
args = ["server.ts"]
default_tools_approval_mode = "writes"
//- /.vscode/mcp.json
{ "servers": { "pages": { "command": "python", "args": ["server.py"] } } }
//- /package.json
{ "name": "notes", "version": "1.0.0" }
//- /api.ts
import axios from "axios";
export const api = axios.create({ baseURL: "https://notes.example" });
//- /server.ts
import { rm, readFile } from "node:fs/promises";
import * as fs from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { api } from "./api.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
const read = { annotations: { readOnlyHint: true } };
server.registerTool("note_text", read, async ({ path }) => readFile(path));
server.registerTool("note_end", read, async ({ path }) => rm(path));
//                   ^^^^^^^^ tool-annotations: `note_end` is declared read-only, but its handler calls `rm`; Codex (`default_tools_approval_mode: writes`) runs it without asking
server.registerTool("note_picture", read, async (args) => {
  const temporary = draw(args.id);
  fs.unlinkSync(temporary);
});
server.registerTool("note_out", read, async (args) => {
//                   ^^^^^^^^ tool-annotations: its handler calls `fs.writeFileSync`
  fs.writeFileSync(args.path, "");
});
server.registerTool("note_close", read, async (args) => close(args.id));
//                   ^^^^^^^^^^ tool-annotations: its handler calls `fetch`
server.registerTool("note_share", read, async (args) => api.put("/notes/" + args.id));
//                   ^^^^^^^^^^ tool-annotations: its handler calls `api.put`
server.registerTool("note_find", read, async (args) => api.post("/search", args));
server.registerTool("note_last", { annotations: { readOnlyHint: false } }, async (args) => api.delete("/" + args.id));
server.registerTool("purge_notes", read, async (args) => run(args));
//                   ^^^^^^^^^^^ tool-annotations: its name says that it can purge; Codex (`default_tools_approval_mode: writes`) runs it without asking
async function close(id: string) {
  return fetch(`https://notes.example/${id}`, { method: "DELETE" });
}
//- /server.py
import os, httpx
from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations
mcp = FastMCP("pages")

@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
async def page_end(path: str):
#         ^^^^^^^^ tool-annotations: `page_end` is declared read-only, but its handler calls `os.remove`; VS Code runs it without asking
    os.remove(path)

@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
async def page_change(id: str):
#         ^^^^^^^^^^^ tool-annotations: its handler calls `client.patch`
    async with httpx.AsyncClient() as client:
        await client.patch("https://pages.example/" + id)

@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
async def page_text(id: str):
    async with httpx.AsyncClient() as client:
        return await client.get("https://pages.example/" + id)
"#,
    )
    .check();
}

#[test]
fn a_list_that_differs_from_user_to_user_makes_no_tool_unknown() {
    let check = |scope: &str, findings: &str| {
        Fixture::parse(&format!(
            r#"
//- /.mcp.json
{{ "mcpServers": {{ "notes": {{ "url": "https://notes.example/mcp" }} }} }}
//- /.toolnames/snapshots/notes.json
{{
  "schema_version": 1,
  "key": "notes",
  "cacheScope": "{scope}",
  "tools": [{{ "name": "read_note" }}, {{ "name": "draw_note", "_meta": {{ "ui": {{ "visibility": ["app"] }} }} }}]
}}
//- /.claude/settings.json
{{
  "permissions": {{
    "allow": ["mcp__notes__archive", "mcp__notes__raed_note", "mcp__notes__draw_note"]
{findings}
  }}
}}
"#
        ))
        .check();
    };
    let idle = "//                                                             ^^^^^^^^^^^^^^^^^^^^^ permission-idle: only for the apps of `notes`";
    check(
        "private",
        &format!(
            "//                                    ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: not among the known tools\n{idle}"
        ),
    );
    check(
        "public",
        &format!(
            "//             ^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: `notes` has no tool `archive`\n//                                    ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: `notes` has no tool `raed_note`\n{idle}"
        ),
    );
}

#[test]
fn tools_for_apps_alone_in_python() {
    Fixture::parse(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "python", "args": ["server.py"] } } }
//- /.claude/settings.json
{ "permissions": { "allow": ["mcp__notes__draw_note", "mcp__notes__show_note"], "deny": ["mcp__notes__draw_note"] } }
//                            ^^^^^^^^^^^^^^^^^^^^^ permission-idle: Claude Code does not show it to the model
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("notes")

@mcp.tool(meta={"ui": {"visibility": ["app"]}})
def draw_note(id: str) -> str: ...

@mcp.tool(meta={"ui": {"resourceUri": "ui://note"}})
def show_note(id: str) -> str: ...
"#,
    )
    .check();
}

#[test]
fn a_matcher_that_is_a_part_of_a_name_guards_nothing() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] }, "gh": { "url": "https://gh.example" } } }
//- /.claude/settings.json
{
  "hooks": {
    "PreToolUse": [
      { "matcher": "notes__drop", "hooks": [] },
//                  ^^^^^^^^^^^ hook-matcher: Claude Code compares `notes__drop` with whole tool names, which begin with `mcp__`: write `mcp__notes__drop`
      { "matcher": "gh__create_issue|Bash", "hooks": [] },
//                  ^^^^^^^^^^^^^^^^ hook-matcher: write `mcp__gh__create_issue`
      { "matcher": "gh__.*", "hooks": [] },
      { "matcher": "other__tool", "hooks": [] }
    ]
  }
}
"#,
    );
}

#[test]
fn a_plugin_has_its_agents_in_one_folder() {
    Fixture::parse(
        r#"
//- /.claude-plugin/plugin.json
{ "name": "notes" }
//- /agents/reader.md
---
name: reader
tools: read, grep
#      ^^^^ permission-malformed
#            ^^^^ permission-malformed
---
//- /.omp/agents/reader.md
---
name: reader
tools: read grep glob
---
//- /lib/agents/reader.md
---
name: reader
tools: read grep glob
---
"#,
    )
    .check();
}
