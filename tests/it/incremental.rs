//! What is known after any sequence of edits equals what a fresh start would know.

use proptest::prelude::*;
use toolnames::config::Configs;
use toolnames::rules;
use toolnames::text::{Edit, Span, apply_edits};
use toolnames::workspace::{Snapshot, Workspace};

use super::fixture::Fixture;

const FILES: &str = r#"
//- /.mcp.json
{ "mcpServers": { "s": { "command": "node", "args": ["server.ts"] } } }
//- /.claude/settings.json
{ "permissions": { "allow": ["mcp__s__a_one", "mcp__s__two"], "deny": ["mcp__s__three"] } }
//- /shared.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export const PREFIX = "a_";
export function add(server: McpServer, name: string) {
  server.registerTool(PREFIX + name, {}, run);
}
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { add } from "./shared.js";
const server = new McpServer({ name: "s", version: "1.0.0" });
add(server, "one");
server.registerTool("two", {}, run);
for (const name of ["three", "four"]) server.registerTool(name, {}, run);
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("py")
NAME = "five"

@mcp.tool(name=NAME)
def five(): ...
"#;

/// Pieces that edits put in: what changes names, scopes, imports and syntax.
const PIECES: [&str; 14] =
    ["", " ", "\n", "x", "\"", "(", ")", "{", "}", "// ", "PREFIX", "\"six\"", "add(server, \"seven\");\n", "export "];

/// Everything that is known, in words; no ids, which depend on history.
fn known(snapshot: &Snapshot) -> Vec<String> {
    let mut known = Vec::new();
    let place = |place: toolnames::evaluate::Place| {
        format!("{}@{:?}", snapshot.files.path(place.file), snapshot.files.span(place))
    };
    for server in &snapshot.analysis().servers {
        known.push(format!("{} {:?} {:?}", server.name, server.keys, server.incomplete_because));
        for tool in &server.tools {
            let parts: Vec<String> =
                tool.registration.name.parts.iter().map(|part| part.place().map(place).unwrap_or_default()).collect();
            known.push(format!("{} {parts:?} {:?}", tool.name, tool.shared_by));
        }
        known.extend(server.dynamics.iter().map(|dynamic| format!("{} {}", place(dynamic.place), dynamic.reason)));
    }
    for found in rules::check_all(snapshot) {
        known.push(format!("{} {:?} {} {}", snapshot.files.path(found.file), found.span, found.rule, found.message));
    }
    known
}

fn fresh(fixture: &Fixture) -> Vec<String> {
    let mut workspace = Workspace::new(Configs::default());
    let paths: Vec<String> = fixture.files.keys().cloned().collect();
    workspace.load(&paths, fixture);
    known(&workspace.settle(fixture))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn editing_equals_starting_fresh(edits in prop::collection::vec((0usize..3, 0.0f64..1.0, 0usize..12, 0usize..PIECES.len(), any::<bool>()), 1..14)) {
        let mut fixture = Fixture::parse(FILES);
        let paths: Vec<String> = fixture.files.keys().cloned().collect();
        let sources = ["server.ts", "shared.ts", "server.py"];
        let mut workspace = Workspace::new(Configs::default());
        workspace.load(&paths, &fixture);
        workspace.settle(&fixture);
        for path in sources {
            workspace.open(path, fixture.files[path].as_str().into(), &[]);
        }
        for (file, at, delete, piece, look) in edits {
            let path = sources[file];
            let text = fixture.files[path].clone();
            let start = (at * text.len() as f64) as usize;
            let end = (start + delete).min(text.len());
            let edit = Edit::new(Span::new(start, end), PIECES[piece]);
            let new = apply_edits(&text, std::slice::from_ref(&edit)).expect("the texts are ASCII");
            workspace.open(path, new.as_str().into(), &[edit]);
            fixture.files.insert(path.to_string(), new);
            if look {
                workspace.settle(&fixture);
            }
        }
        prop_assert_eq!(known(&workspace.settle(&fixture)), fresh(&fixture));
    }
}
