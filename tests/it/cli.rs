//! The command line, as scripts and people use it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use expect_test::expect;
use serde_json::Value;

/// Runs the program in a folder.
pub fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_toolnames"))
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("XDG_STATE_HOME", std::env::temp_dir().join("toolnames-tests"))
        .output()
        .expect("the program starts")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("errors are UTF-8")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(output)))
}

/// Creates a temporary folder with files.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

const SERVER: (&str, &str) = (
    "server.ts",
    "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst server = new McpServer({ name: \"s\", version: \"1\" });\nserver.registerTool(\"größe x\", {}, run);\nserver.registerTool(\"read\", {}, run);\n",
);
const CONFIG: (&str, &str) =
    (".mcp.json", r#"{ "mcpServers": { "s": { "command": "node", "args": ["server.ts"] } } }"#);
const SETTINGS: (&str, &str) = (".claude/settings.json", r#"{ "permissions": { "allow": ["mcp__s__raed"] } }"#);

#[test]
fn check_says_what_where_and_how_to_repair_it() {
    let folder = folder(&[SERVER, CONFIG, SETTINGS]);
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains("warning[permission-unknown-tool]: `s` has no tool `raed`"), "{text}");
    assert!(text.contains(".claude/settings.json:1:31"), "{text}");
    assert!(text.contains("replace with `mcp__s__read`"), "{text}");
    let output = run(folder.path(), &["check", "--format", "json", "--fail-on", "error"]);
    assert_eq!(output.status.code(), Some(0), "warnings do not fail an `error` threshold");
    let found = json(&output);
    assert_eq!(found["schema_version"], 1);
    let permission = &found["diagnostics"][0];
    assert_eq!(permission["rule"], "permission-unknown-tool");
    assert_eq!(permission["range"]["start"]["column"], 31);
    assert_eq!(permission["range"]["end"]["column"], 43);
    assert_eq!(permission["fixes"][0]["safe"], true);
    // Columns count characters: the name begins at 22, and the reported part goes from the `ö` to the space.
    let name = &found["diagnostics"][1];
    assert_eq!(name["rule"], "name-chars");
    assert_eq!(name["range"]["start"]["column"], 24);
    assert_eq!(name["range"]["end"]["column"], 28);
    assert_eq!(found["tools"], 2);
}

#[test]
fn a_file_is_checked_in_the_light_of_its_project() {
    let folder = folder(&[SERVER, CONFIG, SETTINGS]);
    let output = run(folder.path(), &["check", ".claude/settings.json", "--format", "json"]);
    let found = json(&output);
    assert_eq!(found["diagnostics"].as_array().unwrap().len(), 1);
    assert_eq!(found["diagnostics"][0]["file"], ".claude/settings.json");
}

#[test]
fn fix_writes_what_dry_run_shows() {
    let folder = folder(&[SERVER, CONFIG, SETTINGS]);
    let output = run(folder.path(), &["fix", "--dry-run"]);
    assert!(stdout(&output).contains("+{ \"permissions\": { \"allow\": [\"mcp__s__read\"] } }"), "{}", stdout(&output));
    assert_eq!(std::fs::read_to_string(folder.path().join(SETTINGS.0)).unwrap(), SETTINGS.1);
    let output = run(folder.path(), &["fix", "--format", "json"]);
    assert_eq!(json(&output)["files"][0]["edits"], 1);
    assert!(std::fs::read_to_string(folder.path().join(SETTINGS.0)).unwrap().contains("mcp__s__read"));
    let again = run(folder.path(), &["fix"]);
    // What has no fix is named, and nothing else.
    let left = "nothing was changed\nnot changed: server.ts:3:24: name-chars: `größe x`: the protocol does not allow";
    assert!(stdout(&again).starts_with(left), "{}", stdout(&again));
    assert_eq!((stdout(&again).lines().count(), again.status.code()), (2, Some(1)));
}

const PYTHON: &str = "from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP(\"notes\")\n\n\n@mcp.tool()\ndef read_note() -> str:\n    return \"\"\n\n\n@mcp.tool()\ndef list_notes() -> str:\n    return \"\"\n";

#[test]
fn tests_that_nobody_reads_otherwise_follow_a_function_and_the_end_of_an_alias() {
    let test = "from server import mcp, read_note\n\n\ndef test_names():\n    assert {t.name for t in mcp.list_tools()} == {\"read_note\", \"list_notes\"}\n    assert read_note() == \"\"\n";
    let folder = folder(&[("server.py", PYTHON), ("test_server.py", test)]);
    let renamed = run(folder.path(), &["rename", "read_note", "get_note", "--function", "--until", "2001-01-01"]);
    assert_eq!(renamed.status.code(), Some(0), "{}", stderr(&renamed));
    let read = || std::fs::read_to_string(folder.path().join("test_server.py")).unwrap();
    assert!(read().contains("{\"get_note\", \"read_note\", \"list_notes\"}"), "{}", read());
    assert!(read().contains("assert get_note() =="), "{}", read());
    let fixed = run(folder.path(), &["fix", "--unsafe"]);
    assert_eq!(fixed.status.code(), Some(0), "{}", stderr(&fixed));
    assert!(read().contains("{\"get_note\", \"list_notes\"}"), "{}", read());
}

#[test]
fn a_journal_in_the_tree_is_reported_and_not_believed() {
    let folder = folder(&[SERVER, CONFIG]);
    let traces = folder.path().join(".toolnames");
    std::fs::create_dir(&traces).unwrap();
    let victim = ("victim.json", "{}");
    std::fs::write(folder.path().join(victim.0), victim.1).unwrap();
    let new = toolnames::testing::workspace::text_hash(victim.1);
    for version in 1..=3 {
        let entry =
            format!(r#"{{"path":"victim.json","old":"{{\"allow\":[\"Bash(*)\"]}}","new":{new},"waiting":"x"}}"#);
        let journal = format!(r#"{{"version":{version},"root":{{"Unix":[47]}},"folders":[],"files":[{entry}]}}"#);
        std::fs::write(traces.join("journal.json"), journal).unwrap();
        for command in [&["check"][..], &["fix"], &["rename", "nothing", "fetch"], &["rename", "read", "fetch"]] {
            let output = run(folder.path(), command);
            let is_told = stderr(&output).contains("ignoring .toolnames/journal.json");
            assert!(is_told || command[1..] == ["nothing", "fetch"], "{}", stderr(&output));
            assert_eq!(std::fs::read_to_string(folder.path().join(victim.0)).unwrap(), victim.1, "{command:?}");
            run(folder.path(), &["rename", "fetch", "read", "--no-alias"]);
        }
    }
    assert!(traces.join("journal.json").exists(), "it is somebody's file");
}

#[test]
fn without_a_state_folder_nothing_is_written() {
    let folder = folder(&[SERVER, CONFIG, SETTINGS]);
    let fix = |name: &str, value: &std::path::Path| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_toolnames"));
        command.current_dir(folder.path()).arg("fix").env(name, value).output().unwrap()
    };
    let file = folder.path().join("server.ts");
    let output = fix("XDG_STATE_HOME", &file);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("set XDG_STATE_HOME to another folder; nothing was written"),
        "{}",
        stderr(&output)
    );
    assert_eq!(std::fs::read_to_string(folder.path().join(SETTINGS.0)).unwrap(), SETTINGS.1);
}

#[test]
fn a_file_that_cannot_be_read_and_contains_the_name_stops_a_rename_where_it_may_guard() {
    let folder = folder(&[SERVER, CONFIG]);
    std::fs::write(folder.path().join("notes.txt"), b"caf\xe9: mcp__s__read\n").unwrap();
    std::fs::write(folder.path().join("other.sh"), b"# caf\xe9\necho done\n").unwrap();
    let output = run(folder.path(), &["rename", "read", "fetch_it", "--no-alias"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("not changed: notes.txt: not UTF-8"), "{}", stderr(&output));
    std::fs::write(folder.path().join("run.sh"), b"# caf\xe9\nclaude --disallowedTools mcp__s__fetch_it\n").unwrap();
    let output = run(folder.path(), &["rename", "fetch_it", "read", "--no-alias"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("run.sh may allow or deny the tool and was not read"), "{}", stderr(&output));
}

#[test]
fn rename_changes_source_and_permissions_together() {
    let settings = (SETTINGS.0, r#"{ "permissions": { "deny": ["mcp__s__read"] } }"#);
    let folder = folder(&[SERVER, CONFIG, settings]);
    let output = run(folder.path(), &["rename", "read", "fetch", "--no-alias"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(std::fs::read_to_string(folder.path().join("server.ts")).unwrap().contains("\"fetch\""));
    assert!(std::fs::read_to_string(folder.path().join(SETTINGS.0)).unwrap().contains("mcp__s__fetch"));
    let output = run(folder.path(), &["rename", "fecth", "x", "--no-alias"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean `fetch`?"), "{}", stderr(&output));
}

#[test]
fn a_rename_that_was_made_already_changes_nothing() {
    let lock = ("toolnames.lock", "version = 1\n\n[[tool]]\nname = \"read\"\n");
    for option in ["--alias=listed", "--no-alias"] {
        let folder = folder(&[SERVER, CONFIG, lock]);
        let rename = || run(folder.path(), &["rename", "read", "fetch", option]);
        assert_eq!(rename().status.code(), Some(0));
        let source = std::fs::read_to_string(folder.path().join("server.ts")).unwrap();
        let second = rename();
        assert_eq!(second.status.code(), Some(0), "{}", stderr(&second));
        assert!(stderr(&second).contains("`read` is already called `fetch`"), "{}", stderr(&second));
        assert_eq!(stdout(&second), "nothing to change\n");
        assert_eq!(std::fs::read_to_string(folder.path().join("server.ts")).unwrap(), source);
    }
    // Removing an existing alias is a different operation.
    let folder = folder(&[SERVER, CONFIG]);
    run(folder.path(), &["rename", "read", "fetch", "--alias=listed"]);
    let refused = run(folder.path(), &["rename", "read", "fetch", "--no-alias"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("`read` is an alias of `fetch`: remove it with"), "{}", stderr(&refused));
}

#[test]
fn list_shows_where_each_piece_of_a_name_stands() {
    let folder = folder(&[SERVER, CONFIG]);
    let listed = json(&run(folder.path(), &["list", "--format", "json"]));
    let server = &listed["servers"][0];
    assert_eq!((&server["keys"][0], &server["complete"]), (&"s".into(), &true.into()));
    let tool = &server["tools"][1];
    assert_eq!((&tool["name"], &tool["line"], &tool["column"]), (&"read".into(), &4.into(), &22.into()));
    assert_eq!(tool["segments"][0]["shared_by"], 1);
    assert_eq!(tool["confidence"], "exact");
    let known = json(&run(folder.path(), &["list", "--known", "--format", "json"]));
    assert_eq!(known["keys"][0]["known"], true);
}

#[test]
fn what_installed_packages_register_is_listed_and_left_alone() {
    let folder = folder(&[
        (
            "ts/package.json",
            r#"{ "name": "app", "dependencies": { "@modelcontextprotocol/sdk": "1", "@acme/kit": "1", "lodash": "4" } }"#,
        ),
        ("ts/node_modules/lodash/package.json", r#"{ "name": "lodash", "main": "lodash.js" }"#),
        ("ts/node_modules/lodash/lodash.js", "server.tool('never_read', run)"),
        (
            "ts/node_modules/@acme/kit/package.json",
            r#"{ "name": "@acme/kit", "exports": { ".": { "types": "./dist/index.d.ts", "import": "./dist/index.js" } },
                 "peerDependencies": { "@modelcontextprotocol/sdk": "1" } }"#,
        ),
        (
            "ts/node_modules/@acme/kit/dist/index.js",
            "export const safeTool = (server, name, run) => server.registerTool('acme_' + name, {}, run);\n\
             export function registerCommon(server) { server.registerTool('not legal!', {}, run); }\n",
        ),
        (
            "ts/index.ts",
            "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             import { registerCommon, safeTool } from \"@acme/kit\";\n\
             const server = new McpServer({ name: \"app\", version: \"1\" });\n\
             registerCommon(server);\n\
             safeTool(server, \"mine\", run);\n",
        ),
        ("py/pyproject.toml", "[project]\nname = \"snake\"\ndependencies = [\"mcp>=1\", \"acme-kit\"]\n"),
        (
            "py/.venv/lib/python3.12/site-packages/acme_kit-1.0.dist-info/METADATA",
            "Name: acme-kit\nRequires-Dist: mcp\n",
        ),
        ("py/.venv/lib/python3.12/site-packages/acme_kit-1.0.dist-info/RECORD", "acme_kit/__init__.py,,\n"),
        (
            "py/.venv/lib/python3.12/site-packages/acme_kit/__init__.py",
            "def register(mcp, name):\n    @mcp.tool(name=f\"kit_{name}\")\n    def x(): ...\n",
        ),
        (
            "py/server.py",
            "from mcp.server.fastmcp import FastMCP\nfrom acme_kit import register\n\
             mcp = FastMCP(\"snake\")\nregister(mcp, \"one\")\n",
        ),
    ]);
    expect![[r#"
        snake (py)
          kit_one  py/server.py:4:16

        app (ts)
          acme_mine   ts/index.ts:5:19
          not legal!  ts/node_modules/@acme/kit/dist/index.js:2:63
    "#]]
    .assert_eq(&stdout(&run(folder.path(), &["list"])));
    assert_eq!(run(folder.path(), &["check"]).status.code(), Some(0));
    let refused = run(folder.path(), &["rename", "not legal!", "legal", "--no-alias"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("belongs to an installed package"), "{}", stderr(&refused));
}

#[test]
fn an_installed_server_is_known_by_the_key_that_starts_it() {
    let folder = folder(&[
        ("package.json", r#"{ "name": "app", "devDependencies": { "@acme/notes-mcp": "1" } }"#),
        (".mcp.json", r#"{ "mcpServers": { "notes": { "command": "npx", "args": ["-y", "@acme/notes-mcp"] } } }"#),
        (".claude/settings.json", r#"{ "permissions": { "allow": ["mcp__notes__raed_note"] } }"#),
        (
            "node_modules/@acme/notes-mcp/package.json",
            r#"{ "name": "@acme/notes-mcp", "bin": { "notes-mcp": "dist/index.js" },
                 "dependencies": { "@modelcontextprotocol/sdk": "1" } }"#,
        ),
        (
            "node_modules/@acme/notes-mcp/dist/index.js",
            "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             import { add } from \"./tools.js\";\n\
             const server = new McpServer({ name: \"notes\", version: \"1\" });\n\
             add(server);\n",
        ),
        (
            "node_modules/@acme/notes-mcp/dist/tools.js",
            "export function add(server) { server.registerTool(\"read_note\", {}, run); }\n",
        ),
    ]);
    let listed = stdout(&run(folder.path(), &["list"]));
    assert!(listed.contains("notes (node_modules/@acme/notes-mcp, started as notes)"), "{listed}");
    let checked = stdout(&run(folder.path(), &["check"]));
    assert!(checked.contains("mcp__notes__read_note"), "{checked}");
}

#[test]
fn a_config_above_rules_and_a_base_may_have_any_name() {
    let settings = ("sub/.claude/settings.json", r#"{ "permissions": { "deny": ["mcp__gone__x"] } }"#);
    let folder = folder(&[
        settings,
        ("toolnames.toml", "extends = \"team.toml\"\n"),
        ("team.toml", "[servers]\nclosed = true\n"),
    ]);
    let found = |from: PathBuf, path: &str| {
        let output = run(&from, &["check", path]);
        stdout(&output).contains("permission-unknown-server")
    };
    // Without a repository nobody says that the folder above is of the same project.
    assert!(!found(folder.path().to_path_buf(), "sub") && !found(folder.path().join("sub"), "."));
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    assert!(found(folder.path().to_path_buf(), "sub") && found(folder.path().join("sub"), "."));
    std::fs::write(folder.path().join("toolnames.toml"), "extends = \"teem.toml\"\n").unwrap();
    let output = run(folder.path(), &["check"]);
    assert!(
        stdout(&output).contains("cannot extend `teem.toml`: there is no such file, or it cannot be read"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_long_chain_of_configs_is_cut_and_reported() {
    let folder = folder(&[("toolnames.toml", "extends = \"0.toml\"\n")]);
    for step in 0..500 {
        let text = format!("extends = \"{}.toml\"\n", step + 1);
        std::fs::write(folder.path().join(format!("{step}.toml")), text).unwrap();
    }
    let said = stdout(&run(folder.path(), &["check"]));
    assert!(said.contains("more than 64 configs extend one another here: the rest are ignored"), "{said}");
}

#[test]
fn suggest_judges_names_without_files() {
    let folder = folder(&[]);
    let output = run(folder.path(), &["suggest", "--format", "json", "--", "read file", "read_file", "-x"]);
    assert_eq!(output.status.code(), Some(1));
    let verdicts = json(&output);
    assert_eq!(verdicts[0]["ok"], false);
    assert_eq!(verdicts[0]["fixes"][0], "read_file");
    assert_eq!(verdicts[1]["ok"], true);
    assert_eq!(verdicts[2]["fixes"][0], "x");
    let output = run(folder.path(), &["suggest", "--profile", "nope", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no profile `nope`"), "{}", stderr(&output));
}

#[test]
fn init_proposes_what_most_names_follow_and_overwrites_nothing() {
    let server = |name: &str, tools: &[&str]| {
        let mut text = format!(
            "import {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const server = new McpServer({{ name: \"{name}\", version: \"1\" }});\n"
        );
        for tool in tools {
            text.push_str(&format!("server.registerTool(\"{tool}\", {{}}, run);\n"));
        }
        text
    };
    let acme =
        server("acme", &["acme_list_users", "acme_get_user", "acme_find_team", "acme_getTeam", "acme_drop_team"]);
    let kebab = server("kebab", &["list-notes", "read-note", "write-note", "drop-note"]);
    let folder = folder(&[
        ("acme/package.json", r#"{ "name": "acme" }"#),
        ("acme/server.ts", &acme),
        ("kebab/package.json", r#"{ "name": "kebab" }"#),
        ("kebab/server.ts", &kebab),
    ]);
    let shown = run(folder.path(), &["init", "--dry-run"]);
    expect![[r#"
        acme (acme): mcp with case = "snake", prefix = "acme_"; 4 of 5 names follow it
          acme_getTeam  better: acme_get_team
        kebab (kebab): mcp with case = "kebab"; 4 of 4 names follow it

        Would write toolnames.toml:

        profile = "mcp"

        [convention]
        case = "snake"
        prefix = "acme_"

        [[paths]]
        match = ["kebab/**"]
        profile = "mcp"
        convention = { case = "kebab" }
    "#]]
    .assert_eq(&stdout(&shown));
    assert!(!folder.path().join("toolnames.toml").exists());
    assert_eq!(run(folder.path(), &["init"]).status.code(), Some(0));
    let checked = run(folder.path(), &["check"]);
    assert!(stdout(&checked).contains("name-case"), "{}", stdout(&checked));
    assert!(stdout(&checked).contains("1 finding"), "{}", stdout(&checked));
    let again = run(folder.path(), &["init"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("already exists"), "{}", stderr(&again));
}

#[test]
fn init_knows_a_gateway_by_the_prefix_that_it_lists_its_tools_under() {
    let tools = |gateway: &str, definitions: &[&str]| {
        let mut text = String::from(
            "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const server = new McpServer({ name: \"gate\", version: \"1\" });\n",
        );
        for definition in definitions {
            text.push_str(&format!("server.registerTool(\"mcp__{gateway}__{definition}\", {{}}, run);\n"));
        }
        folder(&[("server.ts", &text)])
    };
    let proposed = |folder: tempfile::TempDir| stdout(&run(folder.path(), &["init", "--dry-run"]));
    let known = ["serena_find_symbol", "linear_create_issue", "git_git_status", "healthcheck"];
    assert!(proposed(tools("syntropy", &known)).contains("profile = \"syntropy\"\n"));
    let elsewhere = proposed(tools("acme", &known));
    assert!(elsewhere.contains("[convention]\ngateway = \"acme\"\n"), "{elsewhere}");
    let others = ["jira_find_issue", "jira_create_issue", "wiki_read_page", "wiki_writePage"];
    expect![[r#"
        gate (.): syntropy with gateway = "acme", servers = ["jira", "wiki"]; 3 of 4 names follow it
          mcp__acme__wiki_writePage  better: mcp__acme__wiki_write_page

        Would write toolnames.toml:

        profile = "syntropy"

        [convention]
        gateway = "acme"
        servers = ["jira", "wiki"]
    "#]]
    .assert_eq(&proposed(tools("acme", &others)));
}

#[test]
fn the_gateway_document_is_judged_as_it_says() {
    let folder = folder(&[]);
    let suggest = |kind: &str, name: &str| {
        let args = ["suggest", "--profile", "syntropy", "--kind", kind, "--format", "json", "--", name];
        json(&run(folder.path(), &args))[0].clone()
    };
    for right in
        ["mcp__syntropy__serena_find_symbol", "mcp__syntropy__healthcheck", "mcp__syntropy__context7_get_library_docs"]
    {
        assert_eq!(suggest("permission", right)["ok"], true, "{right}");
        assert_eq!(suggest("state", right)["ok"], true, "{right}");
    }
    for wrong in [
        "mcp__syntropy_thinking_sequentialthinking",
        "syntropy__thinking__sequentialthinking",
        "mcp__thinking__sequentialthinking",
        "thinking_sequentialthinking",
    ] {
        let verdict = suggest("permission", wrong);
        assert_eq!(verdict["ok"], false, "{wrong}");
        assert_eq!(verdict["fixes"], serde_json::json!(["mcp__syntropy__thinking_sequentialthinking"]), "{wrong}");
    }
    for right in ["healthcheck", "git_git_status", "perplexity_ask", "context7_get_library_docs"] {
        assert_eq!(suggest("tool", right)["ok"], true, "{right}");
    }
    let forward = suggest("forward", "context7_get_library_docs");
    assert_eq!((&forward["pool"], &forward["forwards"]), (&"syn-context7".into(), &"get-library-docs".into()));
}

#[test]
fn explain_prints_the_rules_document() {
    let folder = folder(&[]);
    let output = run(folder.path(), &["explain", "permission-dead"]);
    assert!(stdout(&output).starts_with("# `permission-dead`"));
    let output = run(folder.path(), &["explain", "permision-dead"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean `permission-dead`?"));
}

#[test]
fn why_tells_the_way_from_literal_to_client() {
    let folder = folder(&[SERVER, CONFIG, SETTINGS]);
    let text = stdout(&run(folder.path(), &["why", "mcp__s__read"]));
    assert!(text.contains("`read` is written at server.ts:4:22"), "{text}");
    assert!(text.contains("calls it `mcp__s__read`"), "{text}");
    let output = run(folder.path(), &["why", "mcp__s__nothing"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), "`s` has no tool `nothing`\n"));
}

#[test]
fn bad_usage_is_trouble() {
    let folder = folder(&[]);
    assert_eq!(run(folder.path(), &["chekc"]).status.code(), Some(2));
    assert_eq!(run(folder.path(), &["check", "--set", "nonsense"]).status.code(), Some(2));
    assert_eq!(run(folder.path(), &["--help"]).status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let entries: Vec<String> = (0..20_000).map(|index| format!("\"mcp_x_{index}\"")).collect();
    let settings = format!("{{ \"permissions\": {{ \"allow\": [{}] }} }}", entries.join(",\n"));
    let folder = folder(&[(".claude/settings.json", &settings)]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_toolnames"))
        .args(["check"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

/// The project's own folder.
#[allow(dead_code)]
pub fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_config_says_how_old_names_go_on() {
    let server = "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
                  const server = new McpServer({ name: \"s\", version: \"1.0.0\" });\n\
                  server.registerTool(\"read_note\", {}, run);\n";
    let renamed = |config: &str, option: &[&str]| {
        let folder = folder(&[("server.ts", server), ("toolnames.toml", config)]);
        let output = run(folder.path(), &[&["rename", "read_note", "get_note", "--quiet"], option].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        std::fs::read_to_string(folder.path().join("server.ts")).unwrap()
    };
    assert!(!renamed("[alias]\nmode = \"none\"\n", &[]).contains("read_note"));
    let until = renamed("[alias]\nuntil = \"2027-06-01\"\n", &[]);
    assert!(until.contains("// toolnames: alias of get_note until 2027-06-01\n"), "{until}");
    assert!(renamed("[alias]\nmode = \"none\"\n", &["--alias"]).contains("of [undefined, \"read_note\"]"));
}

/// A repository with a server in a subfolder, and settings at the top.
fn with_settings_above(settings: &str) -> tempfile::TempDir {
    let config = r#"{ "mcpServers": { "notes": { "command": "node", "args": ["packages/notes/server.ts"] } } }"#;
    let (path, server) = SERVER;
    let server_path = format!("packages/notes/{path}");
    folder(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (&server_path, server),
        (".mcp.json", config),
        (".claude/settings.json", settings),
    ])
}

#[test]
fn a_rename_below_settings_that_deny_the_tool_is_refused() {
    for entry in ["mcp__notes__read", "mcp__notes__rea*"] {
        let folder = with_settings_above(&format!(r#"{{ "permissions": {{ "deny": ["{entry}"] }} }}"#));
        let refused = run(&folder.path().join("packages/notes"), &["rename", "read", "fetch", "--no-alias"]);
        assert_eq!(refused.status.code(), Some(2));
        let said = stderr(&refused);
        assert!(
            said.contains(&format!("`{entry}` (deny list of ../../.claude/settings.json) would no longer match")),
            "{said}"
        );
        assert!(said.contains("add `mcp__notes__fetch` to that list first"), "{said}");
        let source = std::fs::read_to_string(folder.path().join("packages/notes/server.ts")).unwrap();
        assert_eq!(source, SERVER.1);
    }
    let policy = "[[rule]]\nmcpName = \"notes\"\ntoolName = \"read\"\ndecision = \"deny\"\n";
    let agent = "---\nname: reader\ndisallowedTools: mcp__notes__read\n---\nReads.\n";
    for (path, text) in [(".gemini/policies/a.toml", policy), (".claude/agents/reader.md", agent)] {
        let folder = with_settings_above("{}");
        std::fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        std::fs::write(folder.path().join(path), text).unwrap();
        let refused = run(&folder.path().join("packages/notes"), &["rename", "read", "fetch", "--no-alias"]);
        assert!(
            stderr(&refused).contains(&format!("(deny list of ../../{path}) would no longer match")),
            "{path}: {}",
            stdout(&refused)
        );
    }
    // If both names are denied, the entry outside is only reported.
    let folder =
        with_settings_above(r#"{ "permissions": { "deny": ["mcp__notes__read", "mcp__notes__fetch"], "allow": [] } }"#);
    let output = run(&folder.path().join("packages/notes"), &["rename", "read", "fetch", "--no-alias"]);
    let said = stdout(&output);
    assert!(
        said.contains("not changed: ../../.claude/settings.json:1:30: the file is outside the workspace"),
        "{said}"
    );
    // From the top of the repository, every entry is renamed.
    let folder = with_settings_above(r#"{ "permissions": { "deny": ["mcp__notes__read"] } }"#);
    assert_eq!(run(folder.path(), &["rename", "read", "fetch", "--no-alias"]).status.code(), Some(0));
    let settings = std::fs::read_to_string(folder.path().join(".claude/settings.json")).unwrap();
    assert_eq!(settings, r#"{ "permissions": { "deny": ["mcp__notes__fetch"] } }"#);
}

#[cfg(unix)]
#[test]
fn settings_that_are_linked_to_follow_within_the_workspace_and_are_told_outside() {
    let link = |target: &Path, folder: &Path| {
        std::fs::create_dir(folder.join(".claude")).unwrap();
        std::os::unix::fs::symlink(target, folder.join(SETTINGS.0)).unwrap();
    };
    let settings = |kind: &str| format!(r#"{{ "permissions": {{ "{kind}": ["mcp__s__read"] }} }}"#);
    let rename = |folder: &Path| run(folder, &["rename", "read", "fetch", "--no-alias"]);

    let inside = folder(&[SERVER, CONFIG, ("config/claude.json", &settings("deny"))]);
    link(Path::new("../config/claude.json"), inside.path());
    assert_eq!(rename(inside.path()).status.code(), Some(0));
    let now = std::fs::read_to_string(inside.path().join("config/claude.json")).unwrap();
    assert_eq!(now, settings("deny").replace("read", "fetch"));
    assert!(std::fs::symlink_metadata(inside.path().join(SETTINGS.0)).unwrap().is_symlink());

    // A repository may contain such a link: its target is not read, so what it allows or denies is unknown.
    for kind in ["deny", "allow"] {
        let dotfiles = folder(&[("claude.json", &settings(kind))]);
        let project = folder(&[SERVER, CONFIG]);
        link(&dotfiles.path().join("claude.json"), project.path());
        let output = rename(project.path());
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        let said = stderr(&output);
        assert!(said.contains(".claude/settings.json may allow or deny the tool and was not read"), "{said}");
        assert!(said.contains("leads out of the repository"), "{said}");
        let kept = std::fs::read_to_string(dotfiles.path().join("claude.json")).unwrap();
        assert_eq!(kept, settings(kind), "nothing outside is written");
    }
}

#[cfg(unix)]
#[test]
fn a_fix_renames_nothing_while_a_client_file_is_not_read() {
    let server = SERVER.1.replace("\"read\"", "\"read it\"");
    let another = "server.registerTool(\"list it\", {}, run);\nserver.registerTool";
    let more = server.replacen("server.registerTool", another, 1);
    let dotfiles = folder(&[("claude.json", r#"{ "permissions": { "deny": ["mcp__s__read it"] } }"#)]);
    for source in [server, more] {
        let project = folder(&[(SERVER.0, &source), CONFIG]);
        std::fs::create_dir(project.path().join(".claude")).unwrap();
        let link = project.path().join(SETTINGS.0);
        std::os::unix::fs::symlink(dotfiles.path().join("claude.json"), &link).unwrap();
        let output = run(project.path(), &["fix", "--unsafe"]);
        assert!(stdout(&output).contains("may allow or deny the tool and was not read"), "{}", stdout(&output));
        assert_eq!(std::fs::read_to_string(project.path().join(SERVER.0)).unwrap(), source);
        // Once every client file can be read, the names are repaired.
        std::fs::remove_file(link).unwrap();
        run(project.path(), &["fix", "--unsafe"]);
        assert!(!std::fs::read_to_string(project.path().join(SERVER.0)).unwrap().contains(" it\""));
    }
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_repository_is_reported_and_not_followed() {
    let dotfiles = folder(&[("claude.json", r#"{ "permissions": { "allow": ["mcp__s__raed"] } }"#)]);
    let project = folder(&[SERVER, CONFIG]);
    std::fs::create_dir(project.path().join(".claude")).unwrap();
    std::os::unix::fs::symlink(dotfiles.path().join("claude.json"), project.path().join(SETTINGS.0)).unwrap();
    let output = run(project.path(), &["check"]);
    assert!(!stdout(&output).contains("raed"), "{}", stdout(&output));
    let unchanged = run(project.path(), &["fix"]);
    assert!(stdout(&unchanged).starts_with("nothing was changed\n"), "{}", stdout(&unchanged));
    for output in [output, unchanged] {
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains(".claude/settings.json: leads out of the repository; the tool names in it"), "{said}");
    }
}

#[test]
fn a_mode_without_its_sign_is_no_folder() {
    let folder = folder(&[SERVER, CONFIG]);
    let refused = run(folder.path(), &["rename", "read", "fetch", "--alias", "hidden"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("`--alias=hidden`"), "{}", stderr(&refused));
}

#[test]
fn the_end_of_an_alias_is_a_day_that_there_is_or_a_version() {
    let folder = folder(&[SERVER, CONFIG]);
    let rename = |until: &str| run(folder.path(), &["rename", "read", "fetch", "--dry-run", "--until", until]);
    for until in ["2026-13-45", "2027-02-30", "soon"] {
        let refused = rename(until);
        assert_eq!(refused.status.code(), Some(2), "{until}");
        assert!(stderr(&refused).contains("expected a date (2027-06-01) or a version (2.0)"), "{until}");
    }
    let told = rename("2001-01-01");
    assert_eq!(told.status.code(), Some(0));
    assert!(stderr(&told).contains("`--until 2001-01-01` is in the past"), "{}", stderr(&told));
    for until in ["2999-06-01", "2.0", "v2", "1.0.0-rc.1"] {
        assert_eq!(rename(until).status.code(), Some(0), "{until}: {}", stderr(&rename(until)));
    }
}

#[test]
fn a_place_that_is_left_is_told_where_it_is_afterwards() {
    let server = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('s')\n\n@mcp.tool()\ndef read_note(): ...\n\nSAME = 'read_note'\n";
    let folder =
        folder(&[("server.py", server), ("pyproject.toml", "[project]\nname = 's'\ndependencies = ['mcp']\n")]);
    let dry = run(folder.path(), &["rename", "read_note", "get_note", "--dry-run"]);
    assert!(stderr(&dry).contains("not changed: server.py:7:9:"), "{}", stderr(&dry));
    let said = stdout(&run(folder.path(), &["rename", "read_note", "get_note"]));
    let text = std::fs::read_to_string(folder.path().join("server.py")).unwrap();
    let line = text.lines().position(|line| line.starts_with("SAME")).unwrap() + 1;
    assert!(line > 7 && said.contains(&format!("not changed: server.py:{line}:9:")), "{said}");
}

#[test]
fn what_guards_a_name_outside_of_lists_follows_at_the_end_of_its_alias() {
    let settings = r#"{ "permissions": { "deny": ["mcp__s__read"] }, "hooks": { "PreToolUse": [
  { "matcher": "*", "hooks": [{ "type": "command", "command": "./guard.sh", "if": "mcp__s__read" }] } ] } }"#;
    let guards = [
        (SETTINGS.0, settings),
        ("guard.sh", "case \"$tool\" in mcp__s__read) exit 2;; esac\n"),
        (
            "guard.py",
            "# mcp__s__read is for nobody\nif name == 'mcp__s__read' or name == 'mcp__s__reader':\n    exit(2)\n",
        ),
        ("agent.mjs", "export const canUseTool = (name) => name !== \"mcp__s__read\";\n"),
        ("ci/deploy.conf", "deny mcp__s__read\n"),
    ];
    let folder = folder(&[&[SERVER, CONFIG], &guards[..]].concat());
    let refused = run(folder.path(), &["rename", "read", "fetch", "--alias"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("ci/deploy.conf:1 names the tool in code that may deny it"),
        "{}",
        stderr(&refused)
    );
    let output = run(folder.path(), &["rename", "read", "fetch", "--alias", "--until", "2026-01-01", "--force"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(said.contains("not changed: ci/deploy.conf:1:6"), "{said}");
    let text = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    assert_eq!(text("guard.sh"), "case \"$tool\" in mcp__s__fetch|mcp__s__read) exit 2;; esac\n");
    assert!(
        text("guard.py").contains("if name == 'mcp__s__fetch' or name == 'mcp__s__read' or name =="),
        "{}",
        text("guard.py")
    );
    assert!(
        text("agent.mjs").contains("=> name !== \"mcp__s__fetch\" && name !== \"mcp__s__read\";"),
        "{}",
        text("agent.mjs")
    );
    let output = run(folder.path(), &["fix", "--unsafe"]);
    assert!(
        !stdout(&output).replace("not changed: server.ts:3:24: name-chars", "").contains("not changed"),
        "{}",
        stdout(&output)
    );
    for (path, text) in guards {
        let now = std::fs::read_to_string(folder.path().join(path)).unwrap();
        let expected = text.replace("mcp__s__read", "mcp__s__fetch").replace("mcp__s__fetcher", "mcp__s__reader");
        assert_eq!(now, expected, "{path}");
    }
}

#[test]
fn who_wrote_the_new_name_beside_the_old_one_has_seen_to_it() {
    let guard = "case \"$tool\" in mcp__s__read|mcp__s__fetch) exit 2;; esac\n";
    let folder = folder(&[SERVER, CONFIG, ("guard.sh", "case \"$tool\" in mcp__s__read) exit 2;; esac\n")]);
    run(folder.path(), &["rename", "read", "fetch", "--alias", "--until", "2026-01-01"]);
    std::fs::write(folder.path().join("guard.sh"), guard).unwrap();
    let said = stdout(&run(folder.path(), &["fix", "--unsafe"]));
    assert!(said.contains("not changed: guard.sh:1:17: `mcp__s__read` no longer names a tool"), "{said}");
    assert_eq!(std::fs::read_to_string(folder.path().join("guard.sh")).unwrap(), guard);
}

#[test]
fn after_a_thousand_findings_each_takes_one_line() {
    let names = (0..1_002).map(|count| format!("\"mcp__s__none_{count}\"")).collect::<Vec<_>>().join(", ");
    let settings = format!(r#"{{ "permissions": {{ "allow": [{names}] }} }}"#);
    let folder = folder(&[SERVER, CONFIG, (".claude/settings.json", &settings)]);
    let text = stdout(&run(folder.path(), &["check"]));
    let last = "warning[permission-unknown-tool]: `s` has no tool `none_1001`";
    assert!(text.lines().any(|line| line.starts_with(".claude/settings.json:1:") && line.ends_with(last)), "{text}");
    assert_eq!(text.matches("has no tool `none_").count(), 1_002);
}

#[test]
fn where_everybody_else_says_another_name_neither_is_changed() {
    let server = (SERVER.0, &*SERVER.1.replace("\"größe x\"", "\"drop_noet\""));
    let settings = (SETTINGS.0, r#"{ "permissions": { "deny": ["mcp__s__drop_note"] } }"#);
    let alone = folder(&[server, CONFIG, settings]);
    run(alone.path(), &["fix"]);
    let repaired = std::fs::read_to_string(alone.path().join(SETTINGS.0)).unwrap();
    assert!(repaired.contains("mcp__s__drop_noet"), "{repaired}");
    let agreed = folder(&[server, CONFIG, settings, ("README.md", "| `drop_note` | Drops a note. |\n")]);
    let output = run(agreed.path(), &["fix"]);
    let said = stdout(&output);
    assert!(
        said.contains(".claude/settings.json:1:30: 2 files use `drop_note`, and only the registration uses"),
        "{said}"
    );
    assert!(said.contains("run `toolnames rename drop_noet drop_note`"), "{said}");
    assert_eq!(std::fs::read_to_string(agreed.path().join(SETTINGS.0)).unwrap(), settings.1);
    // The suggested command resolves it.
    assert_eq!(run(agreed.path(), &["rename", "drop_noet", "drop_note", "--no-alias"]).status.code(), Some(0));
    assert_eq!(stdout(&run(agreed.path(), &["fix"])), "nothing to change\n");
}

#[test]
fn what_a_client_reads_is_read_though_git_ignores_it() {
    let agent = (".claude/agents/a.md", "---\nname: a\ndescription: b\ndisallowedTools: mcp__s__read\n---\nHelp.\n");
    let folder = folder(&[SERVER, CONFIG, agent, (".gitignore", ".claude/\n")]);
    let output = run(folder.path(), &["rename", "read", "fetch", "--alias"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = std::fs::read_to_string(folder.path().join(agent.0)).unwrap();
    assert!(text.contains("disallowedTools: mcp__s__read, mcp__s__fetch\n"), "{text}");
}

/// A server whose tools share a prefix that breaks the convention.
const SHARED: (&str, &str) = (
    "server.ts",
    "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst server = new McpServer({ name: \"s\", version: \"1\" });\nconst P = \"Note_\";\nserver.registerTool(P + \"drop\", {}, run);\nserver.registerTool(P + \"read\", {}, run);\n",
);
const SNAKE: (&str, &str) = ("toolnames.toml", "[convention]\ncase = \"snake\"\n");

#[test]
fn names_that_share_a_part_are_changed_with_all_that_decides_about_them() {
    let settings =
        (SETTINGS.0, r#"{ "permissions": { "deny": ["mcp__s__Note_drop"], "allow": ["mcp__s__Note_read"] } }"#);
    let readme = ("README.md", "Call `Note_drop` or `mcp__s__Note_read`.\n");
    let folder = folder(&[SHARED, SNAKE, CONFIG, settings, readme]);
    let text = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    // The old names cannot be kept.
    for (option, left) in [("--alias", "several names share this part"), ("--quiet", "")] {
        let output = run(folder.path(), &["fix", option]);
        assert!(stdout(&output).contains(left), "{}", stdout(&output));
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text("server.ts"), SHARED.1);
    }
    // What would change it is reported.
    assert!(stdout(&run(folder.path(), &["fix"])).contains("name-case: use `--unsafe` to "));
    assert_eq!(run(folder.path(), &["fix", "--unsafe"]).status.code(), Some(0));
    assert!(text("server.ts").contains("const P = \"note_\";"));
    assert_eq!(text(SETTINGS.0), settings.1.replace("Note_", "note_"));
    assert_eq!(text(readme.0), readme.1.replace("Note_", "note_"));
}

#[test]
fn names_that_share_a_part_stay_where_a_condition_would_decide_otherwise() {
    let guard = ("guard.ts", "export const ok = (toolName: string) => toolName.split(\"_d\")[0] !== \"Note\";\n");
    let folder = folder(&[SHARED, SNAKE, CONFIG, guard]);
    let output = run(folder.path(), &["fix", "--unsafe"]);
    let said = stdout(&output);
    assert!(
        said.contains("the condition `toolName.split(\"_d\")[0] !== \"Note\"` at guard.ts:1 is true for `Note_drop`"),
        "{said}"
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("server.ts")).unwrap(), SHARED.1);
}

#[test]
fn a_wildcard_over_names_that_share_a_part_goes_on_to_guard_them() {
    let opencode = r#"{ "mcp": { "s": { "type": "local", "command": ["node", "server.ts"] } }, "permission": { "s_Note_*": "deny" } }"#;
    let folder = folder(&[SHARED, SNAKE, ("opencode.json", opencode)]);
    run(folder.path(), &["fix", "--unsafe"]);
    let text = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    let is_changed = text("server.ts").contains("\"note_\"");
    let guarded = |tool: &str| text("opencode.json").contains(&format!("\"s_note_{tool}\": \"deny\""));
    assert!(
        !is_changed || text("opencode.json").contains("s_note_*") || guarded("drop") && guarded("read"),
        "{}",
        text("opencode.json")
    );
    assert!(is_changed);
}

#[test]
fn variables_that_git_ignores_name_the_tools_that_are_switched_off() {
    let variables = (".env", "TOKEN=s3cret\nDISABLED_TOOLS=read\n");
    let folder = folder(&[SERVER, CONFIG, variables, (".gitignore", ".env\n")]);
    let output = run(folder.path(), &["rename", "read", "fetch", "--alias"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    assert_eq!(text(".env"), "TOKEN=s3cret\nDISABLED_TOOLS=fetch,read\n");
    run(folder.path(), &["rename", "--end-alias", "read"]);
    assert_eq!(text(".env"), "TOKEN=s3cret\nDISABLED_TOOLS=fetch\n");
}

#[test]
fn faults_of_every_config_that_applies_are_reported() {
    let base = ("base.toml", "[rulez]\n");
    let folder = folder(&[base, ("toolnames.toml", "extends = \"base.toml\"\n"), ("sub/a.md", "")]);
    let said = |arguments: &[&str]| {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        (stdout(&output), stderr(&output))
    };
    assert!(said(&["check"]).0.contains("base.toml: unknown key `rulez`; did you mean `rules`?"));
    // One that is given, and one above the folder.
    assert!(said(&["check", "--config", "base.toml"]).1.contains("base.toml: unknown key `rulez`"));
    std::fs::write(folder.path().join("toolnames.toml"), "[convetion]\n").unwrap();
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    assert!(said(&["check", "sub"]).1.contains("../toolnames.toml: unknown key `convetion`"));
}
