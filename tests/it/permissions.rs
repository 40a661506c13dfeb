//! Findings about permission strings.

use super::fixture::Fixture;

/// Two servers whose tools are known, started from one config.
const SERVERS: &str = r#"
//- /.mcp.json
{ "mcpServers": {
    "filesystem": { "command": "npx", "args": ["-y", "@acme/filesystem@1.0.0", "."] },
    "memory": { "command": "npx", "args": ["-y", "@acme/memory"] }
} }
//- /filesystem/package.json
{ "name": "@acme/filesystem" }
//- /filesystem/index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "files", version: "1.0.0" });
server.registerTool("read_file", {}, run);
server.registerTool("move_file", {}, run);
//- /memory/package.json
{ "name": "@acme/memory" }
//- /memory/index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "memory", version: "1.0.0" });
server.registerTool("delete_entities", {}, run);
"#;

#[track_caller]
fn check(rest: &str) {
    Fixture::parse(&format!("{SERVERS}{rest}")).check();
}

#[test]
fn every_way_of_misspelling_one_name() {
    check(
        r#"
//- /toolnames.toml
[servers]
closed = true
//- /.claude/settings.json
{ "permissions": { "allow": [
    "mcp__filesystem__read_file",
    "mcp__filesystem__raed_file",
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__filesystem__read_file`?
    "mcp__filesystem_read_file",
//   ^^^^^^^^^^^^^^^^^^^^^^^^^ permission-form
    "mcp_filesystem__read_file",
//   ^^^^^^^^^^^^^^^^^^^^^^^^^ permission-form
    "filesystem__read_file",
//   ^^^^^^^^^^^^^^^^^^^^^ permission-form
    "read_file",
//   ^^^^^^^^^ permission-form
    "mcp__filesytem__read_file",
//   ^^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-server: did you mean `filesystem`?
    "mcp__*",
//   ^^^^^^ permission-malformed
    "mcp__filesystem__read_file(*)",
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-malformed
    "mcp__filesystem__read:file",
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-malformed
    "mcp__filesystem__",
//   ^^^^^^^^^^^^^^^^^ permission-malformed
    "mcp____read_file",
//   ^^^^^^^^^^^^^^^^ permission-malformed
    "MCP__filesystem__read_file",
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-form
    "mcp__filesystem__read_file ",
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-malformed
    "mcp__filesystem__Read-File",
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool
    "mcp__filesystem__read_file",
//   ^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-duplicate
    "Bash(npm run build)"
  ],
  "deny": ["mcp__filesystem__move_file", "mcp__gone_server__delete_everything"],
//                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-server
  "ask": ["mcp__memory__delete_entities", "mcp__memory__delete_entitys"]
//                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-dead: never asks
} }
"#,
    );
}

#[test]
fn a_server_whose_source_is_elsewhere_is_nobodys_business() {
    check(
        r#"
//- /.claude/settings.json
{ "permissions": {
    "allow": ["mcp__github__whatever", "mcp__plugin_tools_x__y", "mcp__claude_ai_Drive__search", "WebSearch"],
    "deny": ["mcp__github__delete_*", "mcp__*__destroy"]
} }
"#,
    );
}

#[test]
fn a_key_with_a_version_is_the_one_without_where_that_has_the_tool() {
    check(
        r#"
//- /.mcp.json
{ "mcpServers": { "agentic-qe": { "command": "node", "args": ["qe.ts"] }, "api_v1": { "command": "node", "args": ["qe.ts"] } } }
//- /qe.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "qe", version: "1.0.0" });
server.registerTool("test_generate", {}, run);
//- /.claude/agents/a.md
---
name: a
tools: mcp__agentic_qe_v3__test_generate, mcp__agentic_qe_v3__test_other, mcp__api_v2__test_generate
#      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-server: did you mean `agentic-qe`?
---
"#,
    );
}

#[test]
fn a_server_with_a_dynamic_name_knows_of_no_unknown_tool() {
    check(
        r#"
//- /memory/more.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export function more(server: McpServer, names: string[]) {
  for (const name of names) server.registerTool(name, {}, run);
}
//- /memory/index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { more } from "./more.js";
const server = new McpServer({ name: "memory", version: "1.0.0" });
server.registerTool("delete_entities", {}, run);
more(server, await fetchNames());
//- /.claude/settings.json
{ "permissions": { "deny": ["mcp__memory__delete_entitys"] } }
"#,
    );
}

#[test]
fn patterns_are_held_against_the_tools() {
    check(
        r#"
//- /.claude/settings.json
{ "permissions": {
    "allow": ["mcp__filesystem__read_*", "mcp__filesystem__write_*"],
//                                        ^^^^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: matches no tool
    "deny": ["mcp__*__delete_*", "mcp__memory__remove_*"]
//                                ^^^^^^^^^^^^^^^^^^^^^ permission-dead: guards nothing
} }
"#,
    );
}

#[test]
fn a_team_may_say_that_an_entry_is_meant() {
    check(
        r#"
//- /toolnames.toml
[rules]
permission-unknown-tool = { allow = [{ name = "mcp__filesystem__soon", why = "comes with the next release" }] }
//- /.claude/settings.json
{ "permissions": { "allow": [
    "mcp__filesystem__soon",
    // toolnames: allow(permission-unknown-tool) kept for people on the old release
    "mcp__filesystem__gone"
] } }
"#,
    );
}

#[test]
fn a_gateway_reaches_its_servers_by_one_prefix() {
    Fixture::parse(
        r#"
//- /toolnames.toml
profile = "syntropy"
[convention]
gateway = "hub"
servers = ["notes"]
//- /.claude/settings.json
{ "permissions": { "allow": [
    "mcp__hub__notes_read",
    "mcp__hub_notes_read",
//   ^^^^^^^^^^^^^^^^^^^ permission-form: expected two `_` after `hub`
    "mcp__hub__notes__read",
//   ^^^^^^^^^^^^^^^^^^^^^ permission-form: expected one `_` between `notes` and its tool
    "mcp__github__get_issue"
] } }
"#,
    )
    .check();
}

#[test]
fn a_tool_that_repeats_its_servers_key_is_often_written_once() {
    Fixture::parse(
        r#"
//- /.mcp.json
{ "mcpServers": { "tickets": { "command": "node", "args": ["server.ts"] } } }
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "tickets", version: "1.0.0" });
const PREFIX = "tickets_";
server.registerTool(PREFIX + "close", {}, run);
server.registerTool(PREFIX + "get", {}, run);
//- /.claude/settings.json
{ "permissions": {
    "allow": ["mcp__tickets__get"],
//             ^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__tickets__tickets_get`?
    "deny": ["mcp__tickets_close"]
//            ^^^^^^^^^^^^^^^^^^ permission-form: separate server and tool with `__`
} }
"#,
    )
    .check();
}

/// Only a client that puts a word of its own in front of every name finds that word in a name which a gateway composed.
#[test]
fn a_key_with_which_a_name_begins_is_added_once_more() {
    Fixture::parse(
        r#"
//- /opencode.json
{
  "mcp": { "notes": { "type": "local", "command": ["node", "server.ts"] } },
  "tools": { "notes_notes_read": false, "notes_read": false }
//                                       ^^^^^^^^^^ permission-dead: `notes_notes_read`
}
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("notes_read", {}, run);
"#,
    )
    .check();
}
