//! The pages that teach: what a page shows is made of the files that it shows.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::cli::{run, stderr, stdout};

/// The fenced texts of a page, by the line of code above each: a path, or a command with its output.
fn shown(page: &str) -> BTreeMap<String, String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page)).unwrap();
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    let (mut above, mut open) = ("", None);
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(_)) => {
                let name = above.strip_prefix('`').and_then(|name| name.strip_suffix('`')).unwrap_or("");
                open = Some((name.to_string(), String::new()));
            }
            (Some(_), Some(_)) => {
                let (name, fenced) = open.take().unwrap();
                // What follows without a name belongs to the file of that language before it.
                let name = if name.is_empty() { "toolnames.toml".to_string() } else { name };
                all.entry(name).or_default().push_str(&fenced);
            }
            (Some((_, fenced)), None) => fenced.push_str(&format!("{line}\n")),
            (None, None) => above = if line.is_empty() { above } else { line },
        }
    }
    all
}

#[track_caller]
fn is_as_shown(page: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (commands, files): (Vec<_>, Vec<_>) =
        shown(page).into_iter().partition(|(name, _)| name.starts_with("toolnames "));
    assert!(!commands.is_empty() && files.len() > 1, "{page}");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    for (command, output) in commands {
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        assert_eq!(stdout(&run(folder.path(), &words)), output, "{page}: {command}");
    }
    folder
}

#[test]
fn a_framework_of_ones_own() {
    let folder = is_as_shown("frameworks.md");
    // The recipe for aliases works, too.
    let plan = run(folder.path(), &["rename", "drop_note", "delete_note", "--dry-run"]);
    assert!(stdout(&plan).contains("+@notes.expose(name=\"drop_note\", description=\"Deprecated: use delete_note.\")"));
}

#[test]
fn a_client_of_ones_own() {
    let folder = is_as_shown("clients.md");
    let plan = run(folder.path(), &["rename", "drop_note", "delete_note", "--dry-run"]);
    assert!(stdout(&plan).contains("     - notes/drop_note\n+    - notes/delete_note\n"), "{}", stdout(&plan));
}

/// A client that is half read would be taken for one that denies less.
#[test]
fn no_tool_is_renamed_while_a_client_cannot_be_read() {
    let folder = is_as_shown("clients.md");
    let config = folder.path().join("toolnames.toml");
    let text = fs::read_to_string(&config).unwrap().replace("\"anywhere\"", "\"anywere\"");
    fs::write(&config, text).unwrap();
    let refused = run(folder.path(), &["rename", "drop_note", "delete_note"]);
    assert_eq!(refused.status.code(), Some(2));
    let said = stderr(&refused);
    assert!(said.contains("toolnames.toml") && said.contains("a client that it describes has a fault"), "{said}");
    assert!(!fs::read_to_string(folder.path().join("server.py")).unwrap().contains("delete_note"));
}
