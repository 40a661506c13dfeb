//! After any sequence of edits, the workspace knows what a fresh start would know.

use proptest::prelude::*;
use toolnames::testing::config::Configs;
use toolnames::testing::lower::{Queries, lower};
use toolnames::testing::rules;
use toolnames::testing::syntax::{self, Language};
use toolnames::testing::text::{Edit, Span, apply_edits};
use toolnames::testing::workspace::{Snapshot, Workspace};

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

/// Pieces that edits insert, which change names, scopes, imports and syntax.
const PIECES: [&str; 14] =
    ["", " ", "\n", "x", "\"", "(", ")", "{", "}", "// ", "PREFIX", "\"six\"", "add(server, \"seven\");\n", "export "];

/// Everything that is known, as text, without ids, which depend on the history.
fn known(snapshot: &Snapshot) -> Vec<String> {
    let mut known = Vec::new();
    let place = |place: toolnames::testing::found::Place| {
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
    #![proptest_config(ProptestConfig::with_cases(160))]

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

/// A workspace in which names come from a path in `tsconfig.json`, an import in `package.json`, a Python package and a
/// Rust module; each file with the texts that it may have.
const VARIANTS: &[(&str, &[&str])] = &[
    (
        "package.json",
        &[
            r##"{ "name": "app", "imports": { "#lib/*": "./lib/*" }, "dependencies": { "@modelcontextprotocol/sdk": "1" } }"##,
            r##"{ "name": "other", "imports": { "#lib/*": "./spare/*" }, "dependencies": { "@modelcontextprotocol/sdk": "1" } }"##,
            r#"{ "name": "app", "dependencies": { "xmcp": "1" } }"#,
            "{ broken",
        ],
    ),
    (
        "tsconfig.json",
        &[
            r#"{ "compilerOptions": { "baseUrl": ".", "paths": { "@lib/*": ["lib/*"] } } }"#,
            r#"{ "compilerOptions": { "baseUrl": ".", "paths": { "@lib/*": ["spare/*"] } } }"#,
            "{}",
        ],
    ),
    (
        "lib/names.ts",
        &[
            "export const PREFIX = \"a_\";\nconst hidden = 1;\n",
            "export const PREFIX = \"b_\";\n",
            "export { PREFIX } from \"../spare/names\";\n",
            "const PREFIX = \"a_\";\n",
        ],
    ),
    ("spare/names.ts", &["export const PREFIX = \"spare_\";\n", "export * from \"../lib/names\";\n"]),
    (
        "server.ts",
        &[
            "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport { PREFIX } from \"@lib/names\";\nimport { PREFIX as OTHER } from \"#lib/names\";\nconst server = new McpServer({ name: \"s\", version: \"1\" });\nserver.registerTool(PREFIX + \"one\", {}, run);\nserver.registerTool(OTHER + \"two\", {}, run);\n",
            "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport { PREFIX } from \"./lib/names\";\nconst server = new McpServer({ name: \"s\", version: \"1\" });\nfor (const name of [\"one\", \"three\"]) server.registerTool(PREFIX + name, {}, run);\n",
        ],
    ),
    (
        "src/tools/search.ts",
        &["export const metadata = { name: \"find\" };\nexport default run;\n", "export default run;\n"],
    ),
    ("tools/names.py", &["NAME = \"five\"\n", "NAME = \"six\"\n"]),
    ("tools/__init__.py", &["from .names import NAME\n", ""]),
    (
        "server.py",
        &[
            "from mcp.server.fastmcp import FastMCP\nfrom tools import NAME\nmcp = FastMCP(\"py\")\n\n@mcp.tool(name=NAME)\ndef tool(): ...\n",
        ],
    ),
    (
        "rust/Cargo.toml",
        &[
            "[package]\nname = \"r\"\n[dependencies]\nrmcp = \"1\"\n",
            "[package]\nname = \"q\"\n[dependencies]\nrmcp = \"1\"\n",
        ],
    ),
    (
        "rust/src/lib.rs",
        &[
            "use rmcp::{tool, tool_router};\nstruct S;\n#[tool_router]\nimpl S {\n    #[tool(name = \"seven\")]\n    async fn seven(&self) {}\n}\n",
        ],
    ),
    (".mcp.json", &[r#"{ "mcpServers": { "s": { "command": "node", "args": ["server.ts"] } } }"#, "{}"]),
];

/// The paths to which files can be moved.
const ELSEWHERE: [&str; 3] = ["lib/names.ts", "spare/names.ts", "moved.ts"];

#[derive(Debug, Clone)]
enum Change {
    Write(usize, usize),
    Remove(usize),
    Move(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let file = 0..VARIANTS.len();
    prop_oneof![
        6 => (file.clone(), 0usize..4).prop_map(|(file, text)| Change::Write(file, text)),
        2 => file.clone().prop_map(Change::Remove),
        2 => (file, 0..ELSEWHERE.len()).prop_map(|(file, to)| Change::Move(file, to)),
    ]
}

/// Files are created, removed, moved and changed on disk, including shared constants, manifests and compiler options.
/// The changes that have an effect are counted, so that a generator that no longer changes anything is noticed.
#[test]
fn changes_on_disk_equal_starting_fresh() {
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    let reached: RefCell<BTreeMap<String, usize>> = RefCell::default();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(160));
    let result = runner.run(&prop::collection::vec(change(), 1..10), |changes| {
        let mut fixture = Fixture::parse("");
        for (path, texts) in VARIANTS {
            fixture.files.insert((*path).to_string(), texts[0].to_string());
        }
        let mut workspace = Workspace::new(Configs::default());
        workspace.load(&fixture.files.keys().cloned().collect::<Vec<_>>(), &fixture);
        let mut before = known(&workspace.settle(&fixture));
        for change in changes {
            let (what, paths): (String, Vec<String>) = match change {
                Change::Write(file, text) => {
                    let (path, texts) = VARIANTS[file];
                    let is_new = fixture.files.insert(path.into(), texts[text % texts.len()].into()).is_none();
                    (format!("{} {path}", if is_new { "create" } else { "edit" }), vec![path.into()])
                }
                Change::Remove(file) => {
                    fixture.files.remove(VARIANTS[file].0);
                    ("remove".into(), vec![VARIANTS[file].0.into()])
                }
                Change::Move(file, to) => {
                    let (from, to) = (VARIANTS[file].0, ELSEWHERE[to]);
                    if let Some(text) = fixture.files.remove(from) {
                        fixture.files.insert(to.into(), text);
                    }
                    ("move".into(), vec![from.into(), to.into()])
                }
            };
            workspace.reload(&paths, &fixture);
            let now = known(&workspace.settle(&fixture));
            prop_assert_eq!(&now, &fresh(&fixture), "after {}", what);
            if now != before {
                *reached.borrow_mut().entry(what).or_default() += 1;
            }
            before = now;
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}\n{runner}"));
    let reached = reached.into_inner();
    for what in
        ["edit package.json", "edit tsconfig.json", "edit lib/names.ts", "edit tools/names.py", "remove", "move"]
    {
        assert!(reached.contains_key(what), "no `{what}` changed anything: {reached:?}");
    }
    assert!(reached.keys().any(|what| what.starts_with("create")), "nothing was created: {reached:?}");
}

/// Opens a file with `from` replaced by `to`, and returns the files that are evaluated again, and then every tool.
fn after_edit(path: &str, from: &str, to: &str) -> (Vec<String>, Vec<String>) {
    let fixture = Fixture::parse(
        r#"
//- /shared.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export const PREFIX = "a_";
const LIMIT = 10;
export function register(server: McpServer, name: string) {
  server.registerTool(PREFIX + name, {}, run);
}
export function clamp(value: number) {
  const most = LIMIT;
  return Math.min(value, most);
}
//- /one.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { PREFIX, clamp } from "./shared";
const server = new McpServer({ name: "one", version: "1.0.0" });
server.registerTool(PREFIX + "one", {}, async ({ n }) => clamp(n));
//- /two.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { register } from "./shared";
const server = new McpServer({ name: "two", version: "1.0.0" });
register(server, "two");
//- /three.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "three", version: "1.0.0" });
server.registerTool("three", {}, run);
"#,
    );
    let mut workspace = Workspace::new(Configs::default());
    workspace.load(&fixture.files.keys().cloned().collect::<Vec<_>>(), &fixture);
    let before = workspace.settle(&fixture);
    let text = &fixture.files[path];
    let at = text.find(from).expect("the text to replace is there");
    let edit = Edit::new(Span::new(at, at + from.len()), to);
    workspace.open(path, text.as_str().into(), &[]);
    let new = apply_edits(text, std::slice::from_ref(&edit)).expect("the edit fits");
    workspace.open(path, new.as_str().into(), &[edit]);
    let after = workspace.settle(&fixture);
    let again = after.analysis().evaluated_since(before.analysis());
    let again = again.into_iter().map(|file| after.files.path(file).to_string()).collect();
    (again, after.analysis().tools().map(|(_, tool)| tool.name.clone()).collect())
}

#[test]
fn an_edit_that_changes_nothing_for_others_wakes_no_other_file() {
    let before = ["a_one", "three", "a_two"];
    for (from, to) in
        [("Math.min(value, most)", "Math.max(value, most)"), ("most = LIMIT", "least = LIMIT + 1"), ("= 10", "= 20")]
    {
        let (again, tools) = after_edit("shared.ts", from, to);
        assert_eq!((again, tools), (Vec::new(), before.map(String::from).to_vec()), "{to}");
    }
}

#[test]
fn an_edit_of_a_shared_constant_changes_every_name_that_is_made_of_it() {
    let (again, tools) = after_edit("shared.ts", "a_", "b_");
    assert_eq!(tools, ["b_one", "three", "b_two"]);
    assert_eq!(again, ["one.ts", "shared.ts"], "two.ts registers nothing by itself");
}

#[test]
fn a_later_barrel_or_derived_class_updates_what_it_changes_elsewhere() {
    let text = r#"
//- /three.ts
function three(s) { s.registerTool("three", {}, run); }
export { three as internal };
//- /barrel.ts
export { three } from "./nowhere";
//- /index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { addThree } from "./barrel";
const server = new McpServer({ name: "s", version: "1" });
addThree(server);
//- /base.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
export abstract class Base {
  server = new McpServer({ name: "b", version: "1" });
  abstract toolName(): string;
  init() { this.server.registerTool(this.toolName(), {}, run); }
}
//- /child.ts
import { Base } from "./base";
class Child { init() {} }
new Child().init();
"#;
    for (path, new) in [
        ("barrel.ts", "export { internal as addThree } from \"./three\";\n"),
        (
            "child.ts",
            "import { Base } from \"./base\";\nclass Child extends Base { toolName() { return \"of_child\"; } }\nnew Child().init();\n",
        ),
    ] {
        let mut fixture = Fixture::parse(text);
        let mut workspace = Workspace::new(Configs::default());
        workspace.load(&fixture.files.keys().cloned().collect::<Vec<_>>(), &fixture);
        let before = known(&workspace.settle(&fixture));
        fixture.files.insert(path.to_string(), new.to_string());
        workspace.reload(&[path.to_string()], &fixture);
        let after = known(&workspace.settle(&fixture));
        assert_ne!(after, before, "{path} changes something elsewhere");
        assert_eq!(after, fresh(&fixture), "{path}");
    }
}

/// Replaces one text by another in an open file of a fixture, and returns what is known after that, and what a fresh
/// start knows.
fn edited(text: &str, path: &str, from: &str, to: &str) -> (Vec<String>, Vec<String>) {
    let mut fixture = Fixture::parse(text);
    let mut workspace = Workspace::new(Configs::default());
    workspace.load(&fixture.files.keys().cloned().collect::<Vec<_>>(), &fixture);
    let before = fixture.files[path].clone();
    workspace.open(path, before.as_str().into(), &[]);
    let known_before = known(&workspace.settle(&fixture));
    let at = before.find(from).expect("the text to replace is there");
    let edit = Edit::new(Span::new(at, at + from.len()), to);
    let after = apply_edits(&before, std::slice::from_ref(&edit)).expect("the edit fits");
    workspace.open(path, after.as_str().into(), &[edit]);
    fixture.files.insert(path.to_string(), after);
    let known = known(&workspace.settle(&fixture));
    assert_ne!(known, known_before, "the edit changes something");
    (known, fresh(&fixture))
}

#[test]
fn a_function_that_is_pasted_a_second_time_is_another_function() {
    let text = r#"
//- /server.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
const server = new McpServer({ name: "s", version: "1" });
add(server, "one");
function add(server: McpServer, name: string) {
  for (const suffix of ["a", "b"]) server.registerTool(name + suffix, {}, run);
}
// below
"#;
    let copy = "function add(server: McpServer, name: string) {\n  for (const suffix of [\"a\", \"b\"]) server.registerTool(name + suffix, {}, run);\n}\n";
    let (known, fresh) = edited(text, "server.ts", "// below\n", copy);
    assert_eq!(known, fresh);
}

#[test]
fn a_doc_comment_above_the_attributes_of_an_item_is_read_again() {
    let [before, after] =
        ["Reads.", "Writes."].map(|doc| format!("/// {doc}\n#[tool(name = \"note\")]\npub async fn note() {{}}\n"));
    let parse = |text: &str| syntax::parse(Language::Rust, text, None).expect("a few lines are parsed");
    let known = lower(Language::Rust, &parse(&before), &before, &Queries::default(), None);
    let again = lower(Language::Rust, &parse(&after), &after, &Queries::default(), Some(&known));
    let fresh = lower(Language::Rust, &parse(&after), &after, &Queries::default(), None);
    assert!(format!("{fresh:?}").contains("Writes."), "the comment is a part of the facts");
    assert_eq!(format!("{again:?}"), format!("{fresh:?}"));
}

#[test]
fn a_comment_is_about_what_follows_it_after_an_edit() {
    let text = r#"
//- /server.py
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("py")

@mcp.tool()
def get_note(): ...

# toolnames: alias of get_note
for name in ["read_note"]:
    mcp.add_tool(run, name=name)

for name in ["Read_Note"]:
    mcp.add_tool(run, name=name)
"#;
    let fixture = Fixture::parse(text);
    let mut workspace = Workspace::new(Configs::default());
    workspace.load(&fixture.files.keys().cloned().collect::<Vec<_>>(), &fixture);
    let before = fixture.files["server.py"].clone();
    workspace.open("server.py", before.as_str().into(), &[]);
    workspace.settle(&fixture);
    // The edit makes the second statement a part of the one below the comment.
    let loop_of = "\nfor name in [\"Read_Note\"]:\n";
    let at = before.find(loop_of).expect("the second loop is there");
    let edit = Edit::new(Span::new(at, at + loop_of.len()), "    for name in [\"Read_Note\"]:\n    ");
    let after = apply_edits(&before, std::slice::from_ref(&edit)).expect("the edit fits");
    workspace.open("server.py", after.as_str().into(), &[edit]);
    let snapshot = workspace.settle(&fixture);
    let mut tools = snapshot.analysis().tools();
    let (_, tool) = tools.find(|(_, tool)| tool.name == "Read_Note").expect("it is still registered");
    assert_eq!(snapshot.files.alias_of(tool).as_deref(), Some("get_note"));
}

#[test]
fn a_file_that_others_passed_on_before_it_existed_is_found() {
    let mut fixture = Fixture::parse("");
    for (path, texts) in VARIANTS.iter().filter(|(path, _)| *path != "spare/names.ts") {
        fixture.files.insert((*path).to_string(), texts[0].to_string());
    }
    let mut workspace = Workspace::new(Configs::default());
    workspace.load(&fixture.files.keys().cloned().collect::<Vec<_>>(), &fixture);
    workspace.settle(&fixture);
    for (path, text) in [
        ("lib/names.ts", "export { PREFIX } from \"../spare/names\";\n"),
        ("spare/names.ts", "export const PREFIX = \"spare_\";\n"),
    ] {
        fixture.files.insert(path.into(), text.into());
        workspace.reload(&[path.into()], &fixture);
        assert_eq!(known(&workspace.settle(&fixture)), fresh(&fixture), "after {path}");
    }
}
