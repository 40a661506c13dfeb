//! The invariants of the house that can be read off its files.

use std::fs;
use std::path::{Path, PathBuf};

fn sources() -> Vec<(String, String)> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

#[track_caller]
fn only_in(word: &str, rooms: &[&str]) {
    for (path, text) in sources() {
        let at_home = rooms.iter().any(|room| path.starts_with(room)) || path.ends_with("_tests.rs");
        let code = ["#[cfg(test)]", "#[cfg(all(test"]
            .iter()
            .fold(text.as_str(), |code, mark| code.split(mark).next().unwrap_or(""));
        assert!(at_home || !code.contains(word), "`{word}` belongs in {rooms:?}, and stands in {path}");
    }
}

#[test]
fn each_library_stays_in_its_room() {
    only_in("tower_lsp", &["lsp/"]);
    only_in("tree_sitter::", &["syntax", "lower/", "document/"]);
    only_in("ropey::", &["text.rs"]);
    only_in("cap_std", &["disk"]);
    only_in("rmcp", &["live.rs", "framework/"]);
}

/// Files are opened in one place and written in one. What else touches a disk only looks.
#[test]
fn files_are_read_and_written_through_two_doors() {
    only_in("std::fs", &["disk"]);
    for word in ["File::open(", "File::options(", "fs::read_to_string", "fs::read(", "OpenOptions", "tokio::fs"] {
        // The lock of a write lies in the user's own folder.
        only_in(word, &["disk/door.rs", "disk/write.rs", "disk/journal"]);
    }
    for word in
        ["fs::write", "File::create", "create_dir", "fs::rename", "remove_file", "remove_dir", "set_permissions"]
    {
        only_in(word, &["disk/write.rs", "disk/journal"]);
    }
    // A look, and the names in a folder.
    only_in("std::fs::symlink_metadata", &["disk/walk.rs"]);
    only_in("std::fs::read_dir", &["disk/walk.rs"]);
    only_in("std::env", &["disk", "main.rs", "show/"]);
}

/// Nothing is started or sent but what somebody typed the command of.
#[test]
fn processes_and_connections_belong_to_live() {
    for word in ["tokio::process", "process_wrap", "std::net", "tokio::net", "reqwest", "process::Command"] {
        only_in(word, &["live.rs"]);
    }
}

/// Messages cost what they are long: what takes them knows neither the workspace nor the disk but for the words of a letter.
#[test]
fn the_message_loop_evaluates_and_reads_nothing() {
    for (path, text) in
        sources().into_iter().filter(|(path, _)| ["lsp/mod.rs", "lsp/inbox.rs"].contains(&path.as_str()))
    {
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        for word in [".settle(", ".analysis()", "disk::open", "disk::walk", "Contents::read", "Workspace"] {
            // The protocol's own types begin with the last of them.
            let is_type = |at: usize| code[at + word.len()..].starts_with(|c: char| c.is_alphanumeric());
            let is_used = code.match_indices(word).any(|(at, _)| word != "Workspace" || !is_type(at));
            assert!(!is_used, "{path} uses `{word}`");
        }
    }
}

/// What people see leaves through one door: there it is made visible. The language server's messages are no text that anybody
/// reads, and the one place that opens their stream is named.
#[test]
fn everything_that_is_shown_goes_through_one_door() {
    for word in ["println!(", "print!(", "eprint!(", "dbg!(", "stderr()", "io::stdout()", "anstream", ".ansi()"] {
        for (path, text) in sources() {
            let code = text.split("#[cfg(test)]").next().unwrap_or("");
            let is_door = path.starts_with("show/");
            // The streams of the protocol, and the colours of help, which the door is handed.
            let is_known = path == "lsp/mod.rs" && word == "io::stdout()" || path == "cli/mod.rs" && word == ".ansi()";
            let is_used = code
                .match_indices(word)
                .any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
            assert!(is_door || is_known || !is_used, "`{word}` belongs in show, and stands in {path}");
        }
    }
    let markup: Vec<(String, usize)> =
        sources().into_iter().map(|(path, text)| (path, text.matches("MarkupContent {").count())).collect();
    let markup: Vec<(String, usize)> = markup.into_iter().filter(|(_, count)| *count > 0).collect();
    // One for its type, one that makes it.
    assert_eq!(markup, [("lsp/answers.rs".to_string(), 2)], "only `Markdown` is rendered by an editor");
    only_in("MarkedString", &[]);
}

/// Reasons are values with a code; their words are made in one file.
#[test]
fn no_rename_is_refused_in_words() {
    for (path, text) in sources().into_iter().filter(|(path, _)| path.starts_with("rename/") || path == "fix.rs") {
        let own = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in own.lines().filter(|line| line.contains("Result<")) {
            let is_in_words = [", String>", "&'static str>"].iter().any(|end| line.contains(end));
            assert!(!is_in_words, "{path}: `{}`: give the reason as a variant of `refusal.rs`", line.trim());
        }
    }
}

#[test]
fn arrows_point_down() {
    // The floors, from the ground up; a room may use what lies below it or before it on its own floor.
    let floors: [&[&str]; 6] = [
        &["text", "path", "name", "regex", "entry", "diagnostic", "show"],
        &["syntax", "document", "lower", "framework", "client", "convention", "config"],
        &["evaluate", "workspace"],
        &["rename", "rules", "fix", "cursor"],
        &["disk", "live"],
        &["lsp", "cli"],
    ];
    let floor_of = |room: &str| floors.iter().position(|floor| floor.contains(&room));
    for (path, text) in sources() {
        let room = path.split(['/', '.']).next().unwrap();
        let Some(own) = floor_of(room) else { continue };
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        for (at, _) in code.match_indices("crate::") {
            let rest = &code[at + "crate::".len()..];
            let used = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
            if let Some(floor) = floor_of(used) {
                // The one edge that is entered from below: `toolnames server` is a command.
                let command = room == "cli" && used == "lsp";
                assert!(floor <= own || command, "{path} uses {used}, which lies above it");
            }
        }
    }
}

#[test]
fn no_file_grows_beyond_what_one_reason_needs() {
    for (path, text) in sources() {
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        let lines = code.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with("//")).count();
        assert!(lines <= 700, "{path} has {lines} lines of code");
    }
}
