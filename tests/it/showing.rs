//! What people are shown: nothing in someone else's file moves their cursor, becomes a link or fills their screen, and
//! no secret that they typed is written down.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::cli::{folder, run, stderr, stdout};
use super::editor::Client;

/// Characters that a terminal acts on, or that are invisible.
const HOSTILE: &str =
    "\u{1b}]0;t\u{7}\u{9b}31m\u{7f}\u{85}\u{202e}\u{2066}\u{200e}\u{61c}\u{2028}\u{200b}\u{feff}\u{ad}";

/// Whether a terminal does anything with a character other than show it.
fn is_hostile(c: char) -> bool {
    let is_control = c.is_control() && !matches!(c, '\n' | '\t');
    is_control || HOSTILE.contains(c) && !c.is_ascii_graphic()
}

#[track_caller]
fn is_clean(output: &Output, what: &str) {
    for (stream, text) in [("output", stdout(output)), ("errors", stderr(output))] {
        if let Some(at) = text.find(is_hostile) {
            let around: String = text[at..].chars().take(30).collect();
            panic!("{what}: {stream} has {around:?}");
        }
    }
}

/// A workspace in which everything that can be named has a hostile name.
fn hostile() -> tempfile::TempDir {
    let h = HOSTILE;
    let source = format!(
        "import {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         const server = new McpServer({{ name: \"s{h}\", version: \"1\" }});\n\
         server.registerTool(\"read{h}note\", {{ title: \"T{h}\", description: \"D{h}\" }}, run);\n\
         server.registerTool(\"read{h}note\", {{}}, run);\n\
         server.registerTool(\"write_note\", {{ annotations: {{ readOnlyHint: true }} }}, run); // write_note {h}\n\
         server.registerTool(`${{process.env.X}}{h}`, {{}}, run);\n\
         server.registerPrompt(\"p{h}\", {{}}, run);\n"
    );
    let key = json!(format!("k{h}")).to_string();
    let server = json!({ "command": "node", "args": [format!("src{h}/server.ts")] });
    let config = format!("{{ \"mcpServers\": {{ {key}: {server}, \"other{h}\": {{ \"command\": \"x{h}\" }} }} }}");
    let settings = format!(
        "{{ \"permissions\": {{ \"allow\": [\"mcp__k{h}__read{h}note\", \"mcp__k{h}__raed{h}\", \"mcp__s__write_note\", \"mcp_s{h}\"] }} }}"
    );
    let toml = format!("profile = \"p{}\"\n\"key{}\" = 1\n", "\\u009b", "\\u202e");
    folder(&[
        (&format!("src{h}/server.ts"), &source),
        (".mcp.json", &config),
        (".claude/settings.json", &settings),
        ("toolnames.toml", &toml),
        ("NAMESPACES.md", &format!("| a{h} | b |\n|---|---|\n| `read{h}note` | x |\n")),
    ])
}

#[cfg(unix)]
#[test]
fn no_command_sends_control_characters_of_others_to_a_terminal() {
    let folder = hostile();
    let name = format!("read{HOSTILE}note");
    let mut shows = 0;
    for args in [
        &["check"][..],
        &["check", "--no-config"],
        &["check", "--no-config", "--format", "json"],
        &["list", "--no-config"],
        &["list", "--no-config", "--format", "json"],
        &["list", "--no-config", "--known"],
        &["list", "--no-config", "--known", "--format", "json"],
        &["why", "--no-config", &name],
        &["why", "--no-config", &name, "--format", "json"],
        &["why", HOSTILE],
        &["fix", "--no-config", "--dry-run", "--format", "json"],
        &["rename", "--no-config", &name, "x", "--dry-run", "--format", "json"],
        &["rename", "--no-config", "write_note", &name, "--dry-run"],
        &["rename", HOSTILE, "x"],
        &["suggest", "--", &name],
        &["suggest", "--format", "json", "--", &name],
        &["suggest", "--profile", HOSTILE, "--", "x"],
        &["init", "--no-config", "--dry-run"],
        &["init", "--no-config", "--dry-run", "--format", "json"],
        &["registry", "--set", "registry=**/NAMESPACES.md", "--profile", "adobe"],
        &["explain", HOSTILE],
        &["verify", "--no-config", "--", HOSTILE],
        &["snapshot", "--key", HOSTILE, "--", HOSTILE],
        &["check", HOSTILE],
        &["check", "--config", HOSTILE],
        &["check", "--set", HOSTILE],
        &["check", "--format", HOSTILE],
        &[HOSTILE],
        &[&format!("--{HOSTILE}")],
    ] {
        let output = run(folder.path(), args);
        is_clean(&output, &format!("{args:?}"));
        let both = stdout(&output) + &stderr(&output);
        shows += usize::from(both.contains("\\u{9b}") || both.contains("\\u009b"));
    }
    assert!(shows >= 24, "only {shows} commands show the characters that they leave out");
}

#[test]
fn colours_are_those_of_the_program_alone() {
    let folder = hostile();
    let text = stdout(&run(folder.path(), &["check", "--no-config", "--color", "always"]));
    assert!(text.contains("\u{1b}["), "there are colours");
    let mut rest = text.as_str();
    while let Some(at) = rest.find('\u{1b}') {
        rest = &rest[at + 1..];
        let end = rest.find('m').expect("a colour ends");
        assert!(rest[..end].chars().all(|c| matches!(c, '[' | ';' | '0'..='9')), "{:?}", &rest[..end]);
    }
    assert!(!text.contains(|c: char| is_hostile(c) && c != '\u{1b}'));
}

/// Text from a server's own code cannot look like a message of this program.
#[test]
fn a_line_break_in_a_name_begins_no_line() {
    let server = "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         const server = new McpServer({ name: \"s\", version: \"1\" });\n\
         server.registerTool(\"a\\nnothing to report: 0 servers\", {}, run);\n";
    let folder = folder(&[("server.ts", server)]);
    for args in
        [&["list"][..], &["check"], &["why", "a\nnothing to report: 0 servers"], &["suggest", "--", "a\nnothing"]]
    {
        let text = stdout(&run(folder.path(), args));
        assert!(!text.lines().any(|line| line.starts_with("nothing")), "{args:?}: {text}");
        assert!(text.contains("a\\u{a}nothing"), "{args:?}: {text}");
    }
}

#[test]
fn json_has_the_same_values_as_before() {
    let folder = hostile();
    let listed: Value =
        serde_json::from_str(&stdout(&run(folder.path(), &["list", "--no-config", "--format", "json"]))).unwrap();
    let names: Vec<&str> =
        listed["servers"][0]["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert!(names.contains(&format!("read{HOSTILE}note").as_str()), "{names:?}");
}

#[test]
fn a_diff_in_a_pipe_can_be_applied() {
    let source = "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\r\n\
         const server = new McpServer({ name: \"s\", version: \"1\" });\r\n\
         server.registerTool(\"read\", {}, run); // \u{1b}[31m \u{202e}\r\n";
    let folder = folder(&[("server.ts", source)]);
    let args = ["rename", "read", "read_note", "--no-alias", "--dry-run"];
    let diff = run(folder.path(), &args).stdout;
    std::fs::write(folder.path().join("change.diff"), &diff).unwrap();
    let git = |args: &[&str]| {
        let output = std::process::Command::new("git").args(args).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    };
    git(&["init", "--quiet"]);
    git(&["apply", "change.diff"]);
    let after = std::fs::read_to_string(folder.path().join("server.ts")).unwrap();
    assert_eq!(after, source.replace("\"read\"", "\"read_note\""));
}

/// Runs `check` on settings with these entries in one list on a single line; returns the settings, and the lines of
/// output.
fn checked(entries: &[String]) -> (String, Vec<String>) {
    let settings = json!({ "permissions": { "allow": entries } }).to_string();
    let folder = folder(&[
        (".claude/settings.json", &settings),
        (".mcp.json", r#"{ "mcpServers": { "s": { "command": "node", "args": ["server.ts"] } } }"#),
        (
            "server.ts",
            "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const server = new McpServer({ name: \"s\", version: \"1\" });\nserver.registerTool(\"read\", {}, run);\n",
        ),
    ]);
    (settings, stdout(&run(folder.path(), &["check"])).lines().map(str::to_string).collect())
}

#[test]
fn the_marks_of_a_long_line_point_at_the_fault() {
    let allow: Vec<String> = (0..2_000).map(|index| format!("Bash(run {index})")).collect();
    let places = [
        (1_000, "mcp_s__read", 1_000),
        (0, "mcp_s__read", 2_000),
        (2_000, "mcp_s__名 é", 0),
        (9, "mcp_\t名\u{301} s", 9),
    ];
    for (before, faulty, after) in places {
        let (settings, lines) = checked(&[&allow[..before], &[faulty.to_string()], &allow[..after]].concat());
        let text = lines.join("\n");
        let marks = lines.iter().position(|line| line.contains("^^")).expect(&text);
        let cells = |text: &str| unicode_width::UnicodeWidthStr::width(text);
        assert!(lines.iter().all(|line| cells(line) < 200), "{text}");
        // The entry as it is written in the file, where a tab is an escape sequence.
        let written = json!(faulty).to_string();
        let written = written.trim_matches('"');
        let (line, at) = (&lines[marks - 1], lines[marks - 1].find(written).expect(&text));
        assert_eq!(cells(&line[..at]), lines[marks].find('^').unwrap(), "{text}");
        assert_eq!(cells(written), lines[marks].matches('^').count(), "{text}");
        let column = settings[..settings.find(written).unwrap()].chars().count() + 1;
        assert!(text.contains(&format!(".claude/settings.json:1:{column}\n")), "{column}: {text}");
    }
}

#[test]
fn no_line_grows_with_what_a_file_holds() {
    let long = |prefix: &str, count: usize| format!("{prefix}{}", "z".repeat(count));
    let entries = [long("mcp__s__", 50_000), long("mcp__s__", 180), long("mcp_s__", 9_000), long("mcp__s__ ", 300)];
    let (_, lines) = checked(&entries);
    let findings = lines.iter().filter(|line| line.starts_with("warning") || line.starts_with("error")).count();
    assert!(findings >= 4, "{lines:?}");
    for line in &lines {
        let most = if line.contains(" | ") { 160 } else { 2_200 };
        assert!(line.chars().count() <= most, "{} characters: {line}", line.chars().count());
    }
}

#[test]
fn the_secrets_of_a_client_file_are_not_shown_next_to_a_finding() {
    let config = r#"{"mcpServers":{"a b":{"command":"npx","args":["acme","--key=arg-secret"],"env":{"T":"env-secret"},"headers":{"X":"head-secret"}}}}"#;
    let folder = folder(&[(".mcp.json", config)]);
    let text = stdout(&run(folder.path(), &["check"]));
    assert!(text.contains("\"a b\":{\"command\":\"npx\""), "{text}");
    assert!(!text.contains("secret"), "{text}");
}

/// A server over standard input and output; needs Node. If told to fail, it prints its arguments to standard error.
const SERVER: &str = r#"
if (process.env.FAILS) { console.error("bad arguments:", process.argv.slice(2).join(" ")); process.exit(1); }
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = {
    initialize: () => ({ protocolVersion: "2025-06-18", capabilities: { tools: {} },
      serverInfo: { name: "notes\u001b[31m", version: "3" } }),
    "tools/list": () => ({ tools: [{ name: "read\u009b", inputSchema: { type: "object" } }] }),
  }[method];
  const answer = result ? { result: result() } : { error: { code: -32601, message: "no such method" } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\n");
});
"#;

/// Arguments, each with the secret in them.
const SECRETS: [(&[&str], &str); 22] = [
    (&["--token", "hunter2"], "hunter2"),
    (&["--token=hunter2"], "hunter2"),
    (&["-t", "hunter2"], "hunter2"),
    (&["-thunter2"], "hunter2"),
    (&["hunter2"], "hunter2"),
    (&["TOKEN=hunter2"], "hunter2"),
    (&["-e", "TOKEN=hunter2"], "hunter2"),
    (&["--env", "TOKEN=hunter2"], "hunter2"),
    (&["--env=TOKEN=hunter2"], "hunter2"),
    (&["--header", "Authorization: Bearer hunter2"], "hunter2"),
    (&["--header=Authorization: Bearer hunter2"], "hunter2"),
    (&["--header:Authorization=hunter2"], "hunter2"),
    (&["https://hunter2@example.com/mcp"], "hunter2"),
    (&["https://me:hunter2@example.com/mcp"], "hunter2"),
    (&["https://example.com/mcp?key=hunter2"], "hunter2"),
    (&["https://example.com/mcp#hunter2"], "hunter2"),
    (&["--url=https://me:hunter2@example.com/"], "hunter2"),
    (&["https://example.com/s/a8Kd02kfn3Pq81sAbc/mcp"], "a8Kd02kfn3Pq81sAbc"),
    (&["postgresql://me:hunter2@localhost/notes"], "hunter2"),
    (&["Server=db;Password=hunter2"], "hunter2"),
    (&[r#"{"apiKey":"hunter2"}"#], "hunter2"),
    (&["aHVudGVyMmh1bnRlcjI="], "aHVudGVyMmh1bnRlcjI"),
];

#[test]
fn a_snapshot_records_which_server_it_is_and_no_secret() {
    let folder = folder(&[("server.cjs", SERVER)]);
    for (arguments, secret) in SECRETS {
        let command = [&["snapshot", "--key", "notes", "--", "node", "server.cjs", "--stdio"], arguments].concat();
        let output = run(folder.path(), &command);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        let text = std::fs::read_to_string(folder.path().join(".toolnames/snapshots/notes.json")).unwrap();
        assert!(!text.contains(secret), "{arguments:?}: {text}");
        assert!(!text.contains(is_hostile), "{text}");
        let recorded: Value = serde_json::from_str(&text).unwrap();
        let shown: Vec<&str> = recorded["command"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(shown[..3], ["node", "server.cjs", "--stdio"]);
        assert_eq!(shown.len(), 3 + arguments.len(), "one word stands for each");
        assert_eq!(recorded["tools"][0]["name"], "read\u{9b}");
    }
}

#[test]
fn a_message_about_a_server_has_no_secret() {
    let folder = folder(&[("server.cjs", SERVER), ("server.ts", "")]);
    for (arguments, secret) in SECRETS {
        for (command, fails) in [(["snapshot", "--key", "notes"], true), (["verify", "--timeout", "5"], false)] {
            let start =
                if fails { &["--", "env", "FAILS=1", "node", "server.cjs"][..] } else { &["--", "./is-not-there"] };
            let output = run(folder.path(), &[&command, start, arguments].concat());
            assert_eq!(output.status.code(), Some(2));
            let text = stdout(&output) + &stderr(&output);
            assert!(!text.contains(secret), "{arguments:?}: {text}");
        }
        let words = [&["snapshot", "--key", "notes", "--", "env", "FAILS=1", "node", "server.cjs"], arguments].concat();
        let text = stderr(&run(folder.path(), &words));
        assert!(text.contains("`env FAILS=*** node server.cjs") && text.contains("bad arguments:"), "{text}");
    }
}

/// Text with a meaning in Markdown, all of which must be shown literally.
const MARKDOWN: &str = "![x](https://evil.example/x.png) [y](command:workbench.action.quit) <img src=x> http://a.example \
                        www.b.example me@c.example `z` ~~w~~";

#[tokio::test]
async fn text_of_a_file_is_text_in_an_editor() {
    let described = |name: &str| {
        format!(
            "server.registerTool(\"{name}\", {{ title: {}, description: {} }}, run);\n",
            json!(MARKDOWN),
            json!(format!("# {MARKDOWN}\n\n- {MARKDOWN}\n\u{1b}[31m")),
        )
    };
    let source = format!(
        "import {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         const server = new McpServer({{ name: {}, version: \"1\" }});\n{}",
        json!(format!("s{MARKDOWN}\u{1b}")),
        described("read"),
    );
    let settings = r#"{ "permissions": { "allow": ["mcp__s__"] } }"#;
    let root = folder(&[
        ("server.ts", &source),
        (".mcp.json", r#"{ "mcpServers": { "s": { "command": "node", "args": ["server.ts"] } } }"#),
        (".claude/settings.json", settings),
    ]);
    let (mut client, _) = Client::start(root.path(), json!({})).await;
    client.open("server.ts").await;
    client.open(".claude/settings.json").await;
    let hover = client.at("textDocument/hover", "server.ts", 2, 22).await.unwrap();
    is_text(hover["contents"]["value"].as_str().unwrap(), 4);
    let list = client.at("textDocument/completion", ".claude/settings.json", 0, 38).await.unwrap();
    let item = list["items"].as_array().unwrap().iter().find(|item| item["label"] == "mcp__s__read").unwrap();
    is_text(item["documentation"]["value"].as_str().unwrap(), 3);
    let symbols = client.request("workspace/symbol", json!({ "query": "read" })).await.unwrap();
    assert!(symbols[0]["containerName"].as_str().unwrap().contains("\\u{1b}"), "{symbols}");
}

/// Asserts that Markdown is rendered only as paragraphs of text, code and bold words, and that it shows the hostile
/// text the given number of times.
#[track_caller]
fn is_text(markdown: &str, times: usize) {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    assert!(!markdown.contains(is_hostile), "{markdown:?}");
    let mut text = String::new();
    for event in Parser::new_ext(markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
        match event {
            Event::Text(piece) => {
                assert!(!["://", "www.", "@"].iter().any(|link| piece.contains(link)), "a link in {piece:?}");
                text.push_str(&piece);
            }
            Event::Code(piece) => text.push_str(&piece),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::Start(Tag::Paragraph | Tag::Strong) | Event::End(TagEnd::Paragraph | TagEnd::Strong) => {}
            other => panic!("{other:?} in {markdown}"),
        }
    }
    assert_eq!(text.matches(MARKDOWN).count(), times, "{text}");
}

#[tokio::test]
async fn what_an_editor_shows_is_bounded() {
    let source = format!(
        "import {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         const server = new McpServer({{ name: \"s\", version: \"1\" }});\n\
         server.registerTool(\"{}\", {{ description: \"{}\" }}, run);\n",
        "read".repeat(1_000),
        "word ".repeat(10_000),
    );
    let root = folder(&[("server.ts", &source)]);
    let (mut client, _) = Client::start(root.path(), json!({})).await;
    client.open("server.ts").await;
    let hover = client.at("textDocument/hover", "server.ts", 2, 22).await.unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().chars().count() < 4_000);
    let report =
        client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": client.uri("server.ts") } }));
    let report = report.await.unwrap();
    let items = report["items"].as_array().unwrap();
    assert!(!items.is_empty());
    assert!(items.iter().all(|item| item["message"].as_str().unwrap().chars().count() <= 2_000), "{report}");
}

#[tokio::test]
async fn of_very_many_tools_the_first_are_shown_and_the_others_counted() {
    let tools: String = (0..2_500).map(|number| format!("server.tool(\"read_{number:04}\", run);\n")).collect();
    let source = format!(
        "import {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
         const server = new McpServer({{ name: \"s\", version: \"1\" }});\n{tools}"
    );
    let root = folder(&[("server.ts", &source)]);
    let (mut client, _) = Client::start(root.path(), json!({})).await;
    let shown = client.request("toolnames/tools", Value::Null).await.unwrap();
    let server = &shown[0]["servers"][0];
    let tools = server["tools"].as_array().unwrap();
    assert_eq!((tools.len(), &tools[1_999]["name"]), (2_000, &json!("read_1999")));
    assert_eq!(server["incompleteBecause"], json!(["500 more are not shown here; `toolnames list` lists them all"]));
}

/// Runs a command of the program with a terminal as its output, and returns the text that the terminal shows.
#[cfg(target_os = "linux")]
fn on_a_terminal(folder: &Path, command: &str) -> String {
    let line = format!("{} {command}", env!("CARGO_BIN_EXE_toolnames"));
    let output = Command::new("script").args(["-qec", &line, "/dev/null"]).current_dir(folder).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[cfg(target_os = "linux")]
#[test]
fn a_diff_on_a_terminal_shows_no_secret_near_an_edit() {
    let settings = "{\n  \"env\": { \"API_TOKEN\": \"hunter2\" },\n  \"permissions\": {\n    \
                    \"allow\": [\"mcp__s__read\", \"mcp__s__read\"]\n  }\n}\n";
    let folder = folder(&[(".claude/settings.json", settings)]);
    let shown = on_a_terminal(folder.path(), "fix --dry-run");
    assert!(shown.contains("\"API_TOKEN\": \"***\"") && shown.contains("-    \"allow\""), "{shown}");
    assert!(!shown.contains("hunter2"), "{shown}");
    // Output into a pipe is a patch for `git apply`.
    assert!(stdout(&run(folder.path(), &["fix", "--dry-run"])).contains("hunter2"));
}
