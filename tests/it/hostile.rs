//! What a hostile repository may contain, and what it must not cause.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use toolnames::testing::workspace::text_hash;

use super::cli::{folder, run, stderr, stdout};

const SERVER: (&str, &str) = (
    "server.ts",
    "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
     const server = new McpServer({ name: \"s\", version: \"1\" });\nserver.registerTool(\"read_note\", {}, run);\n",
);
const SERVERS: (&str, &str) = (
    ".mcp.json",
    r#"{ "mcpServers": {
        "s": { "command": "node", "args": ["server.ts"] },
        "kept": { "command": "npx", "args": ["kept-mcp"] },
        "py": { "command": ".venv/bin/py-tool" }
    } }"#,
);
const SETTINGS: (&str, &str) = (".claude/settings.json", r#"{ "permissions": { "allow": ["mcp__s__raed_note"] } }"#);
const GIT_CONFIG: (&str, &str) = (".git/config", "[core]\n\tbare = false\n");
const JOURNAL: &str = ".toolnames/journal.json";

/// The time after which the program counts as hanging.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs the program; `None` if it does not end in time.
fn run_until_it_waits(folder: &Path, args: &[&str]) -> Option<Output> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_toolnames"))
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("XDG_STATE_HOME", std::env::temp_dir().join("toolnames-tests"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let begun = Instant::now();
    while child.try_wait().expect("a child can be asked").is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().expect("a child can be ended");
            child.wait().expect("it is waited for");
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Some(child.wait_with_output().expect("it has ended"))
}

/// The texts of all files below a folder; for a symbolic link, its target.
fn files(root: &Path) -> BTreeMap<String, String> {
    fn collect(folder: &Path, found: &mut BTreeMap<String, String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_string_lossy().into_owned();
            match path.symlink_metadata().unwrap().file_type() {
                kind if kind.is_symlink() => {
                    let target = std::fs::read_link(&path).unwrap();
                    drop(found.insert(name, target.to_string_lossy().into_owned()));
                }
                kind if kind.is_dir() => collect(&path, found),
                _ => drop(found.insert(name, std::fs::read_to_string(&path).unwrap())),
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(root, &mut found);
    found
}

#[test]
fn a_journal_that_a_repository_brings_changes_no_file() {
    let planted = [
        (GIT_CONFIG, "[core]\n\tfsmonitor = touch started\n"),
        (SETTINGS, r#"{ "permissions": { "allow": ["Bash(*)"] } }"#),
    ];
    // Each entry is that of a write that was interrupted after the file had its new text.
    let entries: Vec<_> =
        planted.iter().map(|((path, text), old)| json!({ "path": path, "old": old, "new": text_hash(text) })).collect();
    for version in [1, 2, 3] {
        let journal = json!({ "version": version, "files": entries }).to_string();
        for args in [&["fix"][..], &["rename", "no_such_tool", "other"], &["check"]] {
            let folder = folder(&[SERVER, SERVERS, GIT_CONFIG, (SETTINGS.0, "{}"), (JOURNAL, &journal)]);
            std::fs::write(folder.path().join(SETTINGS.0), SETTINGS.1.replace("raed", "read")).unwrap();
            let before = files(folder.path());
            let output = run(folder.path(), args);
            assert!(files(folder.path()) == before, "{args:?}");
            let is_reported = stderr(&output).contains(JOURNAL);
            assert!(is_reported || args[0] == "rename", "{args:?}: {}", stderr(&output));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_folder_of_ours_that_leads_out_loses_and_gains_nothing() {
    let journal = json!({ "version": 2, "files": [] }).to_string();
    for kept in [&[("staged/0", "kept"), ("lock", ""), ("journal.json", journal.as_str())][..], &[]] {
        let outside = folder(kept);
        let repository = folder(&[SERVER, SERVERS, SETTINGS]);
        std::os::unix::fs::symlink(outside.path(), repository.path().join(".toolnames")).unwrap();
        let before = files(outside.path());
        for args in [&["fix"][..], &["rename", "read_note", "get_note"]] {
            let output = run(repository.path(), args);
            assert!(files(outside.path()) == before, "{args:?}: {}", stderr(&output));
        }
        let settings = std::fs::read_to_string(repository.path().join(SETTINGS.0)).unwrap();
        assert!(settings.contains("mcp__s__get_note"), "{settings}");
    }
}

#[cfg(unix)]
#[test]
fn links_to_what_is_not_there_create_nothing_outside() {
    for link in [".toolnames/lock", ".toolnames/staged", "toolnames.lock", ".toolnames/snapshots"] {
        let outside = folder(&[]);
        let repository = folder(&[SERVER, SERVERS, SETTINGS]);
        let path = repository.path().join(link);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(outside.path().join("new"), path).unwrap();
        for args in [&["fix"][..], &["rename", "read_note", "get_note"], &["lock"]] {
            run(repository.path(), args);
            assert!(files(outside.path()).is_empty(), "{link}: {args:?}");
        }
    }
}

/// Paths of files for which the program once waited if they were pipes.
const PIPES: [&str; 12] = [
    "base.toml",
    "profile.toml",
    "toolnames.toml",
    ".toolnames/lock",
    JOURNAL,
    "package.json",
    "node_modules/kept-mcp/package.json",
    ".venv/lib/python3.11/site-packages/py_tool-1.dist-info/RECORD",
    ".venv/lib/python3.11/site-packages/py_tool-1.dist-info/entry_points.txt",
    ".claude/settings.json",
    ".gitignore",
    ".git/info/exclude",
];

#[cfg(unix)]
#[test]
fn no_pipe_is_waited_for() {
    let config = ("toolnames.toml", "extends = \"base.toml\"\nprofile = \"profile.toml\"\n");
    let metadata = ".venv/lib/python3.11/site-packages/py_tool-1.dist-info/METADATA";
    for pipe in PIPES {
        let folder = folder(&[
            SERVER,
            SERVERS,
            SETTINGS,
            config,
            (".git/HEAD", "ref: refs/heads/main\n"),
            (".venv/pyvenv.cfg", "home = /usr\n"),
            (metadata, "Name: py-tool\nVersion: 1\nRequires-Dist: mcp\n"),
        ]);
        let path = folder.path().join(pipe);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = std::fs::remove_file(&path);
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
        for args in [&["check"][..], &["list", "--known"], &["fix"], &["rename", "read_note", "get_note"]] {
            assert!(run_until_it_waits(folder.path(), args).is_some(), "{args:?} waits for {pipe}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_config_that_extends_an_endless_device_is_a_fault() {
    let up = "../".repeat(20);
    for key in ["extends", "profile"] {
        let folder = folder(&[SERVER, ("toolnames.toml", &format!("{key} = \"{up}dev/zero\"\n"))]);
        let output = run_until_it_waits(folder.path(), &["check"]).expect("it ends");
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains("dev/zero"), "{}", stderr(&output));
    }
}

#[test]
fn yaml_that_is_nested_deeper_than_its_grammar_counts_is_left_out() {
    for (depth, is_read) in [(60, true), (254, false), (300, false), (5_000, false)] {
        let blocks: String = (0..depth).map(|at| format!("{}a:\n", " ".repeat(at))).collect();
        let text = format!("{blocks}{}b: 1\n", " ".repeat(depth));
        let folder = folder(&[SERVER, (".config/goose/permission.yaml", &text)]);
        let output = run(folder.path(), &["check"]);
        assert_eq!(output.status.code(), Some(if is_read { 0 } else { 2 }), "{depth}: {}", stderr(&output));
    }
}

#[test]
fn nothing_above_the_repository_decides_what_is_read() {
    let outer = folder(&[
        (".gitignore", "*\n"),
        (".ignore", "*\n"),
        ("toolnames.toml", "exclude = [\"**\"]\n"),
        ("repository/.git/HEAD", "ref: refs/heads/main\n"),
        ("repository/server.ts", SERVER.1),
    ]);
    let output = run(&outer.path().join("repository"), &["check"]);
    assert_eq!(stdout(&output), "nothing to report: 1 server, 1 tool, 1 file read\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_whose_name_is_not_utf_8_is_reported() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder(&[SERVER]);
    std::fs::write(folder.path().join(std::ffi::OsStr::from_bytes(b"\xff.ts")), SERVER.1).unwrap();
    let output = run(folder.path(), &["check"]);
    assert!(stdout(&output).contains("skipped") && stdout(&output).contains("UTF-8"), "{}", stdout(&output));
}

#[test]
fn an_ignore_file_in_another_encoding_is_reported() {
    let folder = folder(&[SERVER, (".git/HEAD", "ref: refs/heads/main\n")]);
    let utf16: Vec<u8> = "\u{feff}server.ts\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(folder.path().join(".gitignore"), utf16).unwrap();
    let output = run(folder.path(), &["check"]);
    assert!(stdout(&output).contains("skipped .gitignore: UTF-16: save it as UTF-8"), "{}", stdout(&output));
}

#[test]
fn no_path_is_so_long_and_no_manifest_so_deep_that_the_program_ends() {
    let long = "a/".repeat(20_000);
    let import = format!("import {{ x }} from \"./{long}x\";\nserver.tool(x, {{}}, run);\n");
    let server = format!("{}{import}", SERVER.1);
    let short = format!("{}import {{ x }} from \"kept\";\nserver.tool(x, {{}}, run);\n", SERVER.1);
    let deep = format!("{{ \"name\": \"a\", \"deep\": {}{} }}", "[".repeat(40_000), "]".repeat(40_000));
    let exports = format!("{{ \"name\": \"kept\", \"exports\": \"./{long}x.js\" }}");
    let started = |entry: &str| format!("{{ \"mcpServers\": {{ \"s\": {{ \"command\": \"node\", {entry} }} }} }}");
    let cwd = started(&format!("\"args\": [\"x.js\"], \"cwd\": \"{long}\""));
    let file = started(&format!("\"args\": [\"{long}x.js\"]"));
    let used = format!("use rmcp::tool;\nuse {}X;\n#[tool(name = X)]\nfn f() {{}}\n", "a::".repeat(20_000));
    for files in [
        &[(SERVER.0, server.as_str())][..],
        &[(SERVER.0, &short), ("package.json", &deep)],
        &[(SERVER.0, &short), ("package.json", &exports)],
        &[SERVER, (".mcp.json", &cwd)],
        &[SERVER, (".mcp.json", &file)],
        &[("src/main.rs", &used), ("Cargo.toml", "[package]\nname = \"a\"\n[dependencies]\nrmcp = \"1\"\n")],
    ] {
        let output = run_until_it_waits(folder(files).path(), &["check"]).expect("it ends");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{:?}: {}", output.status, stderr(&output));
    }
}

#[test]
fn a_chain_of_configs_for_typescript_may_be_of_any_length() {
    let import = format!("{}import {{ x }} from \"@a/x\";\nserver.tool(x, {{}}, run);\n", SERVER.1);
    let folder = folder(&[(SERVER.0, &import), ("tsconfig.json", r#"{ "extends": "./tsconfig.0.json" }"#)]);
    for index in 0..3_000 {
        let text = format!("{{ \"extends\": \"./tsconfig.{}.json\" }}", index + 1);
        std::fs::write(folder.path().join(format!("tsconfig.{index}.json")), text).unwrap();
    }
    let output = run_until_it_waits(folder.path(), &["list"]).expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn what_is_no_file_and_what_leads_elsewhere_is_reported() {
    for path in ["toolnames.toml", "toolnames.lock", "tsconfig.json", "server.py", ".toolnames/snapshots/q.json"] {
        for (kind, reason) in
            [("pipe", "not a regular file"), ("link out", "leads out of the repository"), ("dangling", "a broken link")]
        {
            let folder = folder(&[SERVER, SERVERS, GIT_CONFIG]);
            let outside = tempfile::NamedTempFile::new().unwrap();
            let at = folder.path().join(path);
            std::fs::create_dir_all(at.parent().unwrap()).unwrap();
            match kind {
                "pipe" => nix::unistd::mkfifo(&at, nix::sys::stat::Mode::S_IRWXU).unwrap(),
                "link out" => std::os::unix::fs::symlink(outside.path(), &at).unwrap(),
                _ => std::os::unix::fs::symlink("nothing", &at).unwrap(),
            }
            let output = run_until_it_waits(folder.path(), &["check"]).expect("it ends");
            let said = format!("{}{}", stdout(&output), stderr(&output));
            assert!(said.lines().any(|line| line.contains(path) && line.contains(reason)), "{path}, {kind}: {said}");
        }
    }
}
