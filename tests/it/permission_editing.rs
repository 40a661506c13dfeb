//! The edits that an editor offers for permission strings, in addition to the fixes of findings.

use toolnames::testing::cursor;
use toolnames::testing::fix;
use toolnames::testing::rename::Sources;
use toolnames::testing::rules;
use toolnames::testing::text::apply_edits;

use super::fixture::Fixture;

const NOTES: &str = r#"
//- /.mcp.json
{ "mcpServers": { "notes": { "command": "node", "args": ["notes.ts"] } } }
//- /notes.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "notes", version: "1.0.0" });
server.registerTool("read_note", {}, run);
server.registerTool("write_note", {}, run);
server.registerTool("drop_note", { annotations: { destructiveHint: true } }, run);
"#;

/// Every action offered at the first occurrence of a text, with the changed file.
fn actions(files: &str, path: &str, at: &str) -> Vec<(String, String)> {
    let fixture = Fixture::parse(&format!("{NOTES}{files}"));
    let snapshot = fixture.snapshot();
    let file = snapshot.files.by_path(path).expect("the file is there").id;
    let texts = |file| fixture.text(&snapshot, file);
    let offset = texts(file).unwrap().find(at).expect("the text is there") as u32;
    let fixes = cursor::actions(&snapshot, file, offset);
    let done = fixes.into_iter().map(|fix| {
        let edits =
            fix::plan(&snapshot, &fix, Sources { texts: &texts, around: &fixture }).expect("the edit is there").edits();
        let (changed, edits) = edits.into_iter().next().expect("it changes something");
        (fix.title, apply_edits(&texts(changed).unwrap(), &edits).expect("the edits fit"))
    });
    done.collect()
}

#[test]
fn a_wildcard_is_written_out_and_an_entry_made_its_servers() {
    let settings = "//- /.claude/settings.json\n{ \"permissions\": { \"allow\": [\"mcp__notes__*_note\"] } }\n";
    let offered = actions(settings, ".claude/settings.json", "mcp__notes");
    let names = r#""mcp__notes__drop_note", "mcp__notes__read_note", "mcp__notes__write_note""#;
    let expected = format!("{{ \"permissions\": {{ \"allow\": [{names}] }} }}\n");
    assert_eq!(offered, [("list the 3 tools that `mcp__notes__*_note` matches".to_string(), expected)]);

    let settings = "//- /.claude/settings.json\n{ \"permissions\": { \"allow\": [\"mcp__notes__read_note\"] } }\n";
    let offered = actions(settings, ".claude/settings.json", "mcp__notes");
    let expected = "{ \"permissions\": { \"allow\": [\"mcp__notes\"] } }\n".to_string();
    assert_eq!(offered, [("match every tool of the server: `mcp__notes`".to_string(), expected)]);
}

#[test]
fn a_tool_is_allowed_from_where_it_is_registered() {
    let lists = "//- /.claude/settings.json\n{ \"permissions\": {\n  \"allow\": [\n    \"Bash(ls)\" // quick\n  ]\n} }\n\
                 //- /opencode.json\n{ \"permission\": { \"notes_read_note\": \"allow\" } }\n\
                 //- /.amp/settings.json\n{ \"amp.permissions\": [{ \"tool\": \"Bash\", \"action\": \"allow\" }] }\n";
    let offered = actions(lists, "notes.ts", "drop_note");
    let expected = [
        (
            "allow `mcp__notes__drop_note` in .amp/settings.json",
            "{ \"amp.permissions\": [{ \"tool\": \"mcp__notes__drop_note\", \"action\": \"allow\" }, { \"tool\": \"Bash\", \"action\": \"allow\" }] }\n",
        ),
        (
            "allow `mcp__notes__drop_note` in .claude/settings.json",
            "{ \"permissions\": {\n  \"allow\": [\n    \"Bash(ls)\", // quick\n    \"mcp__notes__drop_note\"\n  ]\n} }\n",
        ),
        (
            "allow `notes_drop_note` in opencode.json",
            "{ \"permission\": { \"notes_read_note\": \"allow\", \"notes_drop_note\": \"allow\" } }\n",
        ),
    ];
    let mut offered: Vec<(&str, &str)> = offered.iter().map(|(title, text)| (title.as_str(), text.as_str())).collect();
    offered.sort_unstable();
    assert_eq!(offered, expected);
    // If the tool is already allowed, nothing is offered.
    let settings = "//- /.claude/settings.json\n{ \"permissions\": { \"allow\": [\"mcp__notes__drop_*\"] } }\n";
    assert_eq!(actions(settings, "notes.ts", "drop_note"), []);
}

/// The title of the first fix of the first finding in a file, and the file after the fix.
fn repaired(files: &str, path: &str) -> (String, String) {
    let fixture = Fixture::parse(&format!("{NOTES}{files}"));
    let snapshot = fixture.snapshot();
    let file = snapshot.files.by_path(path).expect("the file is there").id;
    let texts = |file| fixture.text(&snapshot, file);
    let found = rules::check(&snapshot, file);
    let fix = found.iter().find_map(|found| found.fixes.first()).expect("something can be repaired");
    let edits =
        fix::plan(&snapshot, fix, Sources { texts: &texts, around: &fixture }).expect("the edit is there").edits();
    (fix.title.clone(), apply_edits(&texts(file).unwrap(), &edits[&file]).expect("the edits fit"))
}

#[test]
fn what_a_list_does_not_take_is_written_as_it_does() {
    let one = "//- /.claude/settings.json\n{ \"permissions\": { \"allow\": [\"mcp__not*\"] } }\n";
    assert_eq!(
        repaired(one, ".claude/settings.json"),
        ("replace with `mcp__notes`".into(), "{ \"permissions\": { \"allow\": [\"mcp__notes\"] } }\n".into())
    );
    let agent = "//- /.claude/agents/a.md\n---\ntools: Read, mcp__notes__*_note\n---\n";
    let (title, text) = repaired(agent, ".claude/agents/a.md");
    assert_eq!(title, "replace with the 3 entries that it covers");
    assert_eq!(text, "---\ntools: Read, mcp__notes__drop_note, mcp__notes__read_note, mcp__notes__write_note\n---\n");
    let wide = "//- /.claude/settings.json\n{ \"permissions\": { \"allow\": [\"mcp__notes\"] } }\n";
    let (title, text) = repaired(wide, ".claude/settings.json");
    assert_eq!(title, "allow only the 2 that are not destructive");
    assert!(text.contains(r#"["mcp__notes__read_note", "mcp__notes__write_note"]"#), "{text}");
}

#[test]
fn a_list_under_a_key_that_nobody_reads_moves_to_the_one_that_is_read() {
    let both = "//- /.claude/settings.json\n{ \"permissions\": {\n  \"allow\": [\"Read\"],\n  \"allowedTools\": [\n    \"mcp__notes__read_note\"\n  ]\n} }\n";
    assert_eq!(
        repaired(both, ".claude/settings.json"),
        (
            "move its entries to `allow`".into(),
            "{ \"permissions\": {\n  \"allow\": [\"Read\", \"mcp__notes__read_note\"]\n} }\n".into()
        )
    );
}

#[test]
fn hover_says_which_entry_decides() {
    let files = r#"
//- /.claude/settings.json
{ "permissions": { "allow": ["mcp__notes__read_note"], "deny": ["mcp__*__read_*"] } }
//- /opencode.json
{ "permission": { "notes_*": "deny", "notes_write_note": "ask" } }
"#;
    let fixture = Fixture::parse(&format!("{NOTES}{files}"));
    let snapshot = fixture.snapshot();
    let hover = |path: &str, at: &str| {
        let file = snapshot.files.by_path(path).unwrap().id;
        let offset = fixture.text(&snapshot, file).unwrap().find(at).unwrap() as u32;
        cursor::hover(&snapshot, &cursor::subject(&snapshot, file, offset).unwrap()).unwrap().into_string()
    };
    let said = hover(".claude/settings.json", "mcp__notes__read_note");
    assert!(
        said.contains("denied by `mcp__*__read_*` in .claude/settings.json:1, which takes precedence over this entry"),
        "{said}"
    );
    let said = hover("opencode.json", "notes_write_note");
    assert!(said.contains("this entry decides for opencode: set to ask"), "{said}");
}

#[test]
fn registrations_say_who_speaks_of_them_and_outlines_show_what_is_there() {
    let files = r#"
//- /.claude/settings.json
{ "permissions": { "allow": ["mcp__notes__read_note", "mcp__notes__*"], "deny": ["mcp__notes__drop_note"] } }
//- /.claude/settings.local.json
{ "permissions": { "allow": ["mcp__notes__read_note"] } }
"#;
    let fixture = Fixture::parse(&format!("{NOTES}{files}"));
    let snapshot = fixture.snapshot();
    let source = snapshot.files.by_path("notes.ts").unwrap().id;
    let lenses = cursor::lenses(&snapshot, source);
    let titles: Vec<&str> = lenses.iter().map(|lens| lens.title.as_str()).collect();
    assert_eq!(titles, ["allowed in 2 files", "allowed in 1 file", "allowed in 1 file, denied in 1 file"]);
    let settings = snapshot.files.by_path(".claude/settings.json").unwrap().id;
    let symbols = cursor::symbols(&snapshot, settings);
    let outline: Vec<(&str, usize)> =
        symbols.iter().map(|symbol| (symbol.name.as_str(), symbol.children.len())).collect();
    assert_eq!(outline, [("allow", 2), ("deny", 1)]);
    let tools: Vec<String> = cursor::symbols(&snapshot, source).into_iter().map(|symbol| symbol.name).collect();
    assert_eq!(tools, ["read_note", "write_note", "drop_note"]);
}

#[test]
fn registrations_say_where_code_calls_them() {
    let files = r#"
//- /calls.ts
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
const client = new Client({ name: "c", version: "1" });
await client.callTool({ name: "read_note", arguments: {} });
await client.callTool({ name: "read_note" });
//- /.claude/agents/reader.md
---
name: reader
description: Reads notes.
tools: mcp__notes__read_note, Read
---
Reads.
"#;
    let fixture = Fixture::parse(&format!("{NOTES}{files}"));
    let snapshot = fixture.snapshot();
    let source = snapshot.files.by_path("notes.ts").unwrap().id;
    let lenses = cursor::lenses(&snapshot, source);
    let titles: Vec<&str> = lenses.iter().map(|lens| lens.title.as_str()).collect();
    assert_eq!(titles, ["mentioned in 3 other places"]);
    assert_eq!(lenses[0].places.len(), 3);
}
