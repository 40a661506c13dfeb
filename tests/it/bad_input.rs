//! Bad input: it gets a clear message, causes no panic, and loses nothing.

use super::cli::{folder, run, stderr, stdout};

const SETTINGS: &str = ".claude/settings.json";

#[test]
fn a_folder_that_is_not_there() {
    let folder = folder(&[]);
    let output = run(folder.path(), &["check", "nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "toolnames: there is no folder nowhere\n");
}

#[test]
fn a_binary_file_with_the_name_of_a_source() {
    let folder = folder(&[]);
    std::fs::write(folder.path().join("a.ts"), b"\x00\x01\xff\xfe.registerTool").unwrap();
    std::fs::write(folder.path().join("b.py"), b"caf\xe9 = 1").unwrap();
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("skipped a.ts: not UTF-8"), "{}", stdout(&output));
    assert!(stdout(&output).contains("skipped b.py: not UTF-8"), "{}", stdout(&output));
}

#[test]
fn a_settings_file_of_fifty_megabytes() {
    let huge = format!("{{ \"x\": \"{}\" }}", "y".repeat(50 * 1024 * 1024));
    let folder = folder(&[(SETTINGS, &huge)]);
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(".claude/settings.json: larger than 5 MiB"), "{}", stderr(&output));
}

#[test]
fn settings_padded_to_more_than_is_read_are_not_approved() {
    let padding: Vec<String> = (0..=100_000).map(|i| format!("\"Bash(x{i})\"")).collect();
    let settings = format!(r#"{{ "permissions": {{ "deny": [{}, "mcp_x__y"] }} }}"#, padding.join(","));
    let folder = folder(&[(SETTINGS, &settings)]);
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(2));
    let said = "toolnames: .claude/settings.json: more than 100,000 elements; the tool names in it were not checked\n";
    assert_eq!(stderr(&output), said);
    assert_eq!(stdout(&output), "nothing to report: 0 servers, 0 tools, 0 files read\n");
}

#[test]
fn settings_cut_off_in_the_middle_are_checked_up_to_there() {
    let folder = folder(&[(SETTINGS, r#"{ "permissions": { "allow": ["mcp_x__y", "mcp__"#)]);
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(".claude/settings.json:1:"), "{}", stderr(&output));
    assert!(stdout(&output).contains("permission-form"), "{}", stdout(&output));
}

#[test]
fn settings_that_are_a_list() {
    let folder = folder(&[(SETTINGS, "[\"mcp__x__y\"]")]);
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("expected an object at the top level, found an array"), "{}", stderr(&output));
}

#[test]
fn a_config_that_is_wrong_is_reported_and_the_rest_goes_on() {
    let folder = folder(&[
        ("toolnames.toml", "profil = 1\n[rules\n"),
        (SETTINGS, r#"{ "permissions": { "allow": ["mcp_x__y"] } }"#),
    ]);
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("error[config]"), "{}", stdout(&output));
    assert!(stdout(&output).contains("permission-form"), "{}", stdout(&output));
    assert!(stderr(&output).starts_with("toolnames: toolnames.toml: "), "{}", stderr(&output));
}

#[test]
fn windows_line_ends_and_a_byte_order_mark() {
    let text = "\u{feff}{\r\n  \"permissions\": {\r\n    \"allow\": [\"mcp_x__y\"]\r\n  }\r\n}\r\n";
    let folder = folder(&[(SETTINGS, text)]);
    let output = run(folder.path(), &["check"]);
    assert!(stdout(&output).contains(".claude/settings.json:3:16"), "{}", stdout(&output));
    let on_first_line = "\u{feff}{ \"permissions\": { \"allow\": [\"mcp_x__y\"] } }";
    std::fs::write(folder.path().join(SETTINGS), on_first_line).unwrap();
    let output = run(folder.path(), &["check"]);
    assert!(stdout(&output).contains(".claude/settings.json:1:31"), "{}", stdout(&output));
}

#[cfg(unix)]
#[test]
fn links_that_lead_in_circles() {
    let folder = folder(&[("a/b.py", "x = 1")]);
    std::os::unix::fs::symlink(folder.path(), folder.path().join("a/again")).unwrap();
    std::os::unix::fs::symlink("self", folder.path().join("self")).unwrap();
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn expressions_nested_beyond_reason() {
    let deep = 20_000;
    let script = format!(
        "import {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst a = {}1{};\nconst b = {};\n",
        "(".repeat(deep),
        ")".repeat(deep),
        vec!["\"x\""; deep].join(" + ")
    );
    let python = format!("from mcp import x\na = {}1{}\n", "[".repeat(deep), "]".repeat(deep));
    let json = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
    let folder = folder(&[("a.ts", &script), ("b.py", &python), (SETTINGS, &json)]);
    let output = run(folder.path(), &["check"]);
    assert!(output.status.code().is_some_and(|code| code == 0 || code == 2), "{:?} {}", output.status, stderr(&output));
}

#[test]
fn brackets_and_blocks_nested_beyond_reason() {
    let brackets = format!("{{\"permissions\":{{\"allow\":{} x {}}}}}", "[".repeat(40_000), "]".repeat(40_000));
    let blocks: String = (0..1_100).map(|depth| format!("{}if a:\n", " ".repeat(depth))).collect();
    let source = format!("from mcp.server.fastmcp import FastMCP\n{blocks}{}pass\n", " ".repeat(1_100));
    let [open, keys, flow, table] = ["[", "{\"a\":", "a: [", "a = ["].map(|start| {
        let (first, rest) = start.split_at(start.len() - 1);
        if first.ends_with(' ') { format!("{first}{}", rest.repeat(100_000)) } else { start.repeat(100_000) }
    });
    let folder = folder(&[
        (SETTINGS, &brackets),
        ("deep.py", &source),
        ("a/.claude/settings.json", &open),
        ("b/.claude/settings.json", &keys),
        (".config/goose/permission.yaml", &flow),
        (".claude/agents/a.md", &format!("---\n{flow}\n---\n")),
        (".codex/config.toml", &table),
    ]);
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains(".claude/settings.json:1:"), "{}", stderr(&output));
    assert!(stdout(&output).contains("skipped deep.py: more than 383 different indentations"), "{}", stdout(&output));
}
