//! What a repair of a permission string must not do: remove an entry that it cannot read, allow what was denied, or
//! leave a file that its client cannot read.

use toolnames::testing::fix;
use toolnames::testing::rename::{Alias, AliasMode, Sources};

use super::aliases::renamed;
use super::fixture::Fixture;

const NOTES: &str = r#"
//- /notes/package.json
{ "name": "notes", "version": "1.0.0" }
//- /notes/server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", {}, run);
server.registerTool("write_note", {}, run);
server.registerTool("drop_note", { annotations: { destructiveHint: true } }, run);
"#;

const STARTED: &str = r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } } }
"#;

/// The text of a file after every safe repair.
fn fixed(path: &str, text: &str) -> String {
    let fixture = Fixture::parse(&format!("{NOTES}{STARTED}//- /{path}\n{text}"));
    let snapshot = fixture.snapshot();
    let texts = |file| fixture.text(&snapshot, file);
    let fixed = fix::fix(&snapshot, &|_| true, Sources { texts: &texts, around: &fixture }, fix::Options::default());
    let file = snapshot.files.by_path(path).expect("the file is there").id;
    fixed.files.get(&file).map(|(new, _)| new.clone()).unwrap_or_else(|| texts(file).unwrap())
}

#[track_caller]
fn untouched(path: &str, text: &str) {
    assert_eq!(fixed(path, text), text);
}

#[track_caller]
fn silent(files: &str) {
    Fixture::parse(&format!("{NOTES}{files}")).check();
}

#[test]
fn what_is_no_string_stays() {
    let import = "import { query } from \"@anthropic-ai/claude-agent-sdk\";\n";
    let list =
        "[\"mcp__notes__drop_note\", DELETE_TOOL, `mcp__${S}__wipe`, ...MORE, \"mcp__notes__drop_note\", \"Bash\"]";
    untouched("a.ts", &format!("{import}query({{ prompt: \"x\", options: {{ disallowedTools: {list} }} }});\n"));
    let list = "[\"mcp__notes__*\", DELETE_TOOL, \"mcp__notes__drop_note\"]";
    untouched("a.py", &format!("from claude_agent_sdk import query\noptions = dict(disallowed_tools={list})\n"));
}

#[test]
fn entries_that_are_more_than_their_string_stay() {
    untouched(
        ".gemini/policies/a.toml",
        "[[rule]]\nmcpName = \"notes\"\ntoolName = [\"read_note\", \"read_note\", \"write_note\"]\ndecision = \"allow\"\n\
         [[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"rm -rf\"\ndecision = \"deny\"\n\
         [[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"git push\"\ndecision = \"deny\"\n",
    );
    untouched(
        ".amp/settings.json",
        r#"{ "amp.permissions": [
  { "tool": "Bash", "matches": { "cmd": "*rm -rf*" }, "action": "reject" },
  { "tool": "Bash", "matches": { "cmd": "*git push*" }, "action": "reject" }
] }
"#,
    );
}

#[test]
fn no_key_is_made_that_is_there() {
    untouched(
        "opencode.json",
        "{ \"mcp\": { \"notes\": { \"command\": [\"node\", \"notes/server.ts\"] } },\n  \"permission\": { \"notes_drop_note\": \"deny\", \"notes_dorp_note\": \"allow\" } }\n",
    );
    untouched(
        ".codex/config.toml",
        "[mcp_servers.notes]\ncommand = \"node\"\nargs = [\"notes/server.ts\"]\n[mcp_servers.notes.tools.read_note]\n\
         approval_mode = \"approve\"\n[mcp_servers.notes.tools.raed_note]\napproval_mode = \"prompt\"\n",
    );
}

#[test]
fn what_was_denied_in_a_form_of_its_own_is_not_allowed() {
    untouched(".claude/settings.json", "{ \"permissions\": { \"allow\": [\"!mcp__notes__drop_note\"] } }\n");
    // An entry in a form that the client does not support covers nothing until it is repaired.
    let text = "{ \"permissions\": { \"deny\": [\"Mcp(nots)\", \"Mcp(notes:drop_note)\"] } }\n";
    untouched(".cursor/cli.json", text);
}

#[test]
fn what_allowed_nothing_is_not_made_to_allow_something() {
    let text = |deny: &str| format!(r#"{{ "permissions": {{ "allow": ["Write(docs/**)"], "deny": [{deny}] }} }}"#);
    let path = ".claude/settings.json";
    let before = text(r#""Write(a/**)", "Edit(b/**)", "Write(b/**)""#);
    assert_eq!(fixed(path, &before), text(r#""Edit(a/**)", "Edit(b/**)""#));
}

#[test]
fn what_goes_leaves_a_list_that_can_be_read() {
    let list = "---\ntools:\n  - mcp__notes__*\n  # reading\n  - mcp__notes__read_note\n---\n";
    untouched(".claude/agents/a.md", list);
    let plain = "---\ntools:\n  - mcp__notes__*\n  - mcp__notes__read_note\n---\n";
    assert_eq!(fixed(".claude/agents/a.md", plain), "---\ntools:\n  - mcp__notes__*\n---\n");
    let commented = "{ \"mcpAllowlist\": [\n  \"notes:read_note\", /* a */ \"notes:read_note\" /* b */, \"notes:write_note\"\n] }\n";
    let expected = "{ \"mcpAllowlist\": [\n  \"notes:read_note\", /* a */  /* b */ \"notes:write_note\"\n] }\n";
    assert_eq!(fixed(".cursor/permissions.json", commented), expected);
}

#[test]
fn other_programs_have_options_of_these_names_too() {
    silent(&format!(
        r#"{STARTED}
//- /openai.py
client.responses.create(tools=[{{"type": "mcp", "server_label": "notes", "allowed_tools": ["notes_read_note"]}}])
//- /run.sh
npx @google/gemini-cli --allowed-tools "mcp_notes_read_note"
claude --disallowedTools "mcp__notes__drop_note(force:true)"
"#
    ));
}

#[test]
fn lists_that_have_nothing_to_do_with_each_other_do_not_conflict() {
    silent(
        r#"
//- /.roo/mcp.json
{ "mcpServers": {
  "one": { "command": "node", "args": ["notes/server.ts"], "alwaysAllow": ["read_note"] },
  "two": { "url": "https://x", "disabledTools": ["read_note"] }
} }
//- /run.sh
claude --allowedTools mcp__x__y
claude --disallowedTools mcp__x__y
"#,
    );
}

#[test]
fn what_is_asked_about_is_not_too_wide() {
    silent(&format!(
        r#"{STARTED}
//- /.claude/settings.json
{{ "permissions": {{ "allow": ["mcp__notes__*"], "ask": ["mcp__notes__drop_*"] }} }}
//- /.claude/agents/a.md
---
tools: mcp__notes
---
"#
    ));
}

#[test]
fn right_strings_of_each_client_are_right() {
    silent(
        r#"
//- /.continue/mcpServers/notes.yaml
mcpServers:
  - name: My Notes
    command: node
    args: ["notes/server.ts"]
//- /.continue/permissions.yaml
allow:
  - my_notes_read_note
  - my_notes_drop_note(*)
//- /.gemini/settings.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"], "includeTools": ["read_note(x)"] } } }
//- /dots/package.json
{ "name": "dots", "version": "1.0.0" }
//- /dots/server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "dots", version: "1.0.0" });
server.registerTool("notes.read", {}, run);
//- /.vscode/mcp.json
{ "servers": { "dots": { "command": "node", "args": ["dots/server.ts"] } } }
//- /.github/agents/a.md
---
tools: ['dots/notes_read']
---
"#,
    );
}

#[test]
fn guards_that_match_nothing_are_said() {
    Fixture::parse(&format!(
        r#"{NOTES}{STARTED}
//- /.claude/settings.json
{{ "permissions": {{ "deny": [
    "mcp_notes_*",
//   ^^^^^^^^^^^ permission-dead: no tool name begins with `mcp_notes_`
    "notes__*",
//   ^^^^^^^^ permission-dead: no tool name begins with `notes__`
    "MCP__notes__*",
//   ^^^^^^^^^^^^^ permission-dead: no tool name begins with `MCP__notes__`
    "Mcp(notes:drop_note)",
//   ^^^^^^^^^^^^^^^^^^^^ permission-form: is not how Claude Code names a tool
    "mcp__NOTES__drop_note",
//   ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-server: did you mean `notes`?
    "Web*", "mcp__*", "*"
] }} }}
"#
    ))
    .check();
}

#[test]
fn guards_of_a_neighbour_stay() {
    let neighbours = r#"
//- /gh.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "github", version: "1.0.0" });
server.registerTool("push_files", {}, run);
server.registerTool("fork_repository", {}, run);
//- /.mcp.json
{ "mcpServers": {
    "github": { "command": "node", "args": ["gh.ts"] },
    "jira-us": { "command": "node", "args": ["gh.ts"] },
    "kb-dev": { "command": "node", "args": ["gh.ts"] }
} }
//- /.claude/settings.json
{ "permissions": {
    "allow": ["mcp__jira-eu__push_files"],
    "deny": ["mcp__github__push_files", "mcp__gitlab__push_files", "mcp__gitlab__fork_repository", "mcp__kb-de__push_files"]
} }
"#;
    Fixture::parse(neighbours).check();
}

#[test]
fn what_brings_servers_of_its_own_is_not_held_against_configs() {
    let configs = r#"
//- /.mcp.json
{ "mcpServers": {
    "my-notes": { "command": "node", "args": ["notes/server.ts"] },
    "notes": { "command": "node", "args": ["notes/server.ts"] }
} }
"#;
    silent(&format!(
        r#"{configs}
//- /agent.ts
import {{ query }} from "@anthropic-ai/claude-agent-sdk";
export const review = (url: string) => {{
    const mcpServers = {{ my_notes: {{ type: "http" as const, url }} }};
    return query({{ prompt: "x", options: {{ mcpServers, allowedTools: ["mcp__my_notes__x"] }} }});
}};
export const archive = () =>
    query({{ prompt: "x", options: {{ mcpServers: {{ notes: made }}, allowedTools: ["mcp__notes__archive"] }} }});
//- /agent.py
from claude_agent_sdk import ClaudeAgentOptions
options = ClaudeAgentOptions(mcp_servers=servers, disallowed_tools=["mcp__my_notes__x"])
//- /ci.sh
claude --mcp-config ci.json --strict-mcp-config --allowedTools "mcp__my_notes__x"
//- /.claude/agents/a.md
---
name: a
mcpServers:
  - my_notes:
      type: stdio
tools: mcp__my_notes__x
---
"#
    ));
    // An agent that only names a server of the config defines no server of its own.
    silent(&format!(
        r#"{configs}
//- /.claude/agents/a.md
---
name: a
mcpServers: [notes]
tools: mcp__notes__reed_note
#      ^^^^^^^^^^^^^^^^^^^^^ permission-unknown-tool: did you mean `mcp__notes__read_note`?
---
"#
    ));
}

#[test]
fn wildcards_of_one_client_are_not_anothers() {
    silent(&format!(
        r#"{STARTED}
//- /.claude/settings.json
{{ "permissions": {{ "deny": ["mcp__notes__drop_not?", "mcp__notes__drop_note"] }} }}
//                           ^^^^^^^^^^^^^^^^^^^^^ permission-malformed: names of tools in Claude Code contain no `?`
//- /.kiro/agents/a.json
{{
  "mcpServers": {{ "notes": {{ "command": "node", "args": ["notes/server.ts"] }} }},
  "tools": ["*"],
  "allowedTools": ["*", "@notes/read_not?", "@notes/write_note"]
}}
"#
    ));
}

#[test]
fn no_question_takes_the_place_of_a_denial() {
    let json = r#"{ "mcp": { "notes": { "command": ["node", "notes/server.ts"] } }, "permission": { "notes_*": "deny", "notes_drop_nite": "ask" } }"#;
    untouched("opencode.json", json);
    // If denials take precedence, an `ask` entry that matches no tool may be repaired.
    assert_eq!(
        fixed(".claude/settings.json", r#"{ "permissions": { "ask": ["mcp__notes__raed_note"] } }"#),
        r#"{ "permissions": { "ask": ["mcp__notes__read_note"] } }"#
    );
}

#[test]
fn several_notes_are_not_one_note() {
    let bulk = r#"
//- /.mcp.json
{ "mcpServers": { "bulk": { "command": "node", "args": ["bulk.ts"] } } }
//- /bulk.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "bulk", version: "1.0.0" });
server.registerTool("remove_items", {}, run);
server.registerTool("archive_item", { annotations: { destructiveHint: true } }, run);
"#;
    let settings = r#"{ "permissions": { "allow": ["mcp__bulk__remove_item", "mcp__bulk__archvie_item"] } }"#;
    let fixture = Fixture::parse(&format!("{bulk}//- /.claude/settings.json\n{settings}"));
    let snapshot = fixture.snapshot();
    let texts = |file| fixture.text(&snapshot, file);
    assert!(
        fix::fix(&snapshot, &|_| true, Sources { texts: &texts, around: &fixture }, fix::Options::default())
            .files
            .is_empty()
    );
}

#[test]
fn a_server_with_a_tool_in_parentheses_is_that_tool() {
    assert_eq!(
        fixed(
            ".claude/settings.json",
            r#"{ "permissions": { "deny": ["mcp__notes(drop_note)", "mcp__notes(odd:*)"] } }"#
        ),
        r#"{ "permissions": { "deny": ["mcp__notes__drop_note", "mcp__notes(odd:*)"] } }"#
    );
}

#[test]
fn what_names_no_tool_is_completed_in_its_own_form() {
    let cursor = |entry: &str| format!(r#"{{ "permissions": {{ "deny": ["{entry}"] }} }}"#);
    assert_eq!(fixed(".cursor/cli.json", &cursor("Mcp(notes:)")), cursor("Mcp(notes:*)"));
    let roo =
        r#"{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"], "disabledTools": [""] } } }"#;
    untouched(".roo/mcp.json", roo);
    let zed = r#"{ "context_servers": { "notes": { "command": "node", "args": ["notes/server.ts"] } },
        "agent": { "tool_permissions": { "tools": { "mcp:notes:": { "default": "deny" } } } } }"#;
    untouched(".zed/settings.json", zed);
}

#[test]
fn of_two_servers_that_may_be_meant_none_is_taken() {
    let servers = r#"
//- /.mcp.json
{ "mcpServers": { "a.b": { "url": "https://example.com/x" }, "a_b": { "url": "https://example.com/y" } } }
"#;
    let settings = r#"{ "enabledMcpjsonServers": ["mcp__a_b"] }"#;
    let fixture = Fixture::parse(&format!("{servers}//- /.claude/settings.json\n{settings}"));
    let snapshot = fixture.snapshot();
    let texts = |file| fixture.text(&snapshot, file);
    assert!(
        fix::fix(&snapshot, &|_| true, Sources { texts: &texts, around: &fixture }, fix::Options::default())
            .files
            .is_empty()
    );
}

#[test]
fn a_tuple_stays_a_tuple() {
    let text = r#"from claude_agent_sdk import ClaudeAgentOptions
a = ClaudeAgentOptions(disallowed_tools=("mcp__notes__drop_note", "mcp__notes__drop_note"))
DENY = ("mcp__notes__drop_note", "mcp__notes__*")
b = ClaudeAgentOptions(disallowed_tools=DENY)
"#;
    untouched("agent.py", text);
}

#[test]
fn no_key_is_made_twice() {
    let vibe = |first: &str, second: &str| {
        format!(
            "[[mcp_servers]]\nname = \"notes\"\ncommand = \"node\"\nargs = [\"notes/server.ts\"]\n\n\
             [tools.{first}]\npermission = \"never\"\n\n[tools.{second}]\npermission = \"never\"\n"
        )
    };
    let text = vibe("notes__drop_note", "notes_drop-note");
    untouched(".vibe/config.toml", &text);
}

#[test]
fn a_server_that_may_be_the_users_own_is_not_made_the_workspaces() {
    let deny = |server: &str| format!(r#"{{ "permissions": {{ "deny": ["mcp__{server}__drop_note"] }} }}"#);
    untouched(".claude/settings.json", &deny("Notes"));
}

#[test]
fn patterns_over_whole_names_are_right() {
    silent(
        r#"
//- /opencode.json
{ "mcp": { "notes": { "type": "local", "command": ["node", "notes/server.ts"] },
           "context7": { "type": "remote", "url": "https://example.com/mcp" } },
  "tools": { "notes*": false, "context7*": false, "*note*": true },
  "permission": { "notes_drop_note": "deny" },
  "agent": { "writer": { "tools": { "notes*": true } } } }
//- /.gemini/settings.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } }, "tools": { "exclude": ["mcp_notes_*"] } }
"#,
    );
    // Entries of `permission` apply after those of `tools`, wherever they are in the file.
    silent(
        r#"
//- /opencode.json
{ "mcp": { "notes": { "type": "local", "command": ["node", "notes/server.ts"] } },
  "permission": { "notes_drop_note": "deny" }, "tools": { "*": true } }
"#,
    );
}

#[test]
fn another_tool_is_neither_denied_nor_put_in_the_place_of_one() {
    let deny = |name: &str| format!(r#"{{ "permissions": {{ "deny": ["mcp__notes__{name}"] }} }}"#);
    untouched(".claude/settings.json", &deny("reed_note"));
    assert_eq!(fixed(".claude/settings.json", &deny("raed_note")), deny("read_note"));
    assert_eq!(fixed(".claude/settings.json", &deny("read-note")), deny("read_note"));
    let ask = r#"{ "permissions": { "ask": ["mcp__notes__reed_note"], "allow": ["mcp__notes__read_note"] } }"#;
    untouched(".claude/settings.json", ask);
    untouched(
        "a.ts",
        "import { query } from \"@anthropic-ai/claude-agent-sdk\";\n\
         query({ prompt: \"x\", options: { toolAliases: { Read: \"mcp__notes__drpo_note\" } } });\n",
    );
}

#[test]
fn what_a_tool_is_offered_by_and_how_it_is_approved_are_two_things() {
    silent(
        r#"
//- /.codex/config.toml
[mcp_servers.notes]
command = "node"
args = ["notes/server.ts"]
enabled_tools = ["drop_note", "read_note"]
[mcp_servers.notes.tools.drop_note]
approval_mode = "prompt"
//- /.vibe/config.toml
enabled_tools = ["notes_*"]
[[mcp_servers]]
name = "notes"
command = "node"
args = ["notes/server.ts"]
[tools.notes_drop_note]
permission = "ask"
//- /.amp/settings.json
{ "amp.mcpServers": { "notes": { "command": "node", "args": ["notes/server.ts"] } },
  "amp.permissions": [{ "tool": "*", "action": "ask" }], "amp.tools.disable": ["mcp__notes__drop_note"] }
"#,
    );
}

#[test]
fn projects_side_by_side_start_servers_of_their_own() {
    silent(
        r#"
//- /a/.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["../notes/server.ts"] } } }
//- /a/.claude/settings.json
{ "permissions": { "deny": ["mcp__notes__search_pages"] } }
//                           ^^^^^^^^^^^^^^^^^^^^^^^^ permission-dead: `notes` has no tool `search_pages`
//- /a/sub/.claude/settings.json
{ "permissions": { "deny": ["mcp__notes__search_pages"] } }
//                           ^^^^^^^^^^^^^^^^^^^^^^^^ permission-dead
//- /b/.claude/settings.json
{ "permissions": { "allow": ["mcp__notes__search_pages"], "deny": ["mcp__notes__drop_page"] } }
"#,
    );
}

#[test]
fn matchers_that_name_a_tool_otherwise_never_match() {
    silent(&format!(
        r#"{STARTED}
//- /.claude/settings.json
{{ "hooks": {{ "PreToolUse": [
  {{ "matcher": "mcp__nots__drop_note" }},
//              ^^^^^^^^^^^^^^^^^^^^ hook-matcher: no config in this workspace defines a server `nots`; did you mean `notes`?
  {{ "matcher": "mcp__nots__.*" }},
//              ^^^^^^^^^^^^^ hook-matcher: did you mean `notes`?
  {{ "matcher": "mcp__notes_drop_note" }},
//              ^^^^^^^^^^^^^^^^^^^^ hook-matcher: did you mean `mcp__notes__drop_note`?
  {{ "matcher": "Bash|notes__drop_note" }},
//                   ^^^^^^^^^^^^^^^^ hook-matcher: did you mean `mcp__notes__drop_note`?
  {{ "matcher": "drop_note" }},
//              ^^^^^^^^^ hook-matcher: did you mean `mcp__notes__drop_note`?
  {{ "matcher": "mcp__" }},
//              ^^^^^ hook-matcher: compares `mcp__` with whole tool names, and no tool has that name
  {{ "matcher": "mcp__notes_mcp__drop_.*" }},
  {{ "matcher": "mcp__*__send_mail" }},
//              ^^^^^^^^^^^^^^^^^ hook-matcher: reads this as a regular expression, in which `*` repeats the character before it, so this never matches; write `mcp__.*__send_mail`
  {{ "matcher": "mcp__others__*" }},
  {{ "matcher": "mcp__others__send_mail(to:me)" }},
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hook-matcher: matchers cannot contain arguments
  {{ "matcher": "mcp__(notes|others)__drop_note" }},
  {{ "matcher": "Bash|Edit|startup|mcp__others__x|my_own_hook" }},
  {{ "hooks": [{{ "type": "mcp_tool", "server": "notes", "tool": "raed_note" }}] }}
//                                                              ^^^^^^^^^ permission-unknown-tool: did you mean `read_note`?
] }} }}
"#
    ));
}

/// A gateway whose only tool is switched off by its full name.
#[test]
fn a_tool_that_is_switched_off_is_switched_off_under_both_names() {
    let files = r#"
//- /toolnames.toml
profile = "syntropy"
//- /syntropy-mcp/package.json
{ "name": "syntropy-mcp", "version": "1.0.0" }
//- /syntropy-mcp/src/index.ts
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const tools = [{ name: "mcp__syntropy__serena_find_symbol", inputSchema: { type: "object" } }];
const server = new Server({ name: "syntropy", version: "1.0.0" });
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, async (request) => {
  switch (request.params.name) {
    case "mcp__syntropy__serena_find_symbol": return find(request.params.arguments);
  }
});
//- /.syntropy/tool-state.json
{
  "enabled": [],
  "disabled": ["mcp__syntropy__serena_find_symbol"]
}
"#;
    let (old, new) = ("mcp__syntropy__serena_find_symbol", "mcp__syntropy__serena_look_up");
    let both = format!("\"disabled\": [\"{old}\", \"{new}\"]");
    let listed = Alias { mode: AliasMode::Listed, ..Alias::default() };
    let after = renamed(&Fixture::parse(files), old, new, Some(&listed));
    assert!(after[".syntropy/tool-state.json"].contains(&both), "{after:#?}");
    let after = renamed(&Fixture::parse(files), old, new, None);
    assert!(after[".syntropy/tool-state.json"].contains(&format!("\"disabled\": [\"{new}\"]")), "{after:#?}");
}
