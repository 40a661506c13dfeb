//! The invariants of the house that can be read off its files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toolnames::syntax::{self, Language};

pub(super) fn sources() -> Vec<(String, String)> {
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
            (name, without_tests(&fs::read_to_string(path).unwrap()))
        })
        .filter(|(path, _)| !path.ends_with("_tests.rs"))
        .collect()
}

/// A text of this project without the items that are there for tests alone.
fn without_tests(text: &str) -> String {
    let tree = syntax::parse(Language::Rust, text, None).expect("this project's own code is parsed");
    let mut code = text.as_bytes().to_vec();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        let mut cursor = node.walk();
        let mut is_for_tests = false;
        for child in node.children(&mut cursor) {
            let own = &text[child.byte_range()];
            match child.kind() {
                "attribute_item" => is_for_tests |= own == "#[cfg(test)]" || own.starts_with("#[cfg(all(test"),
                "line_comment" | "block_comment" => {}
                _ if is_for_tests => {
                    code[child.byte_range()].fill(b' ');
                    is_for_tests = false;
                }
                _ => open.push(child),
            }
        }
    }
    String::from_utf8(code).expect("whole items are blanked")
}

#[test]
fn only_the_items_of_tests_are_left_out() {
    let text = "#[cfg(test)]\nuse a;\nfn b() {}\n#[cfg(test)]\n// c\nmod d { fn e() {} }\nimpl F {\n    #[cfg(test)]\n    fn g() {}\n    fn h() {}\n}\n";
    let code = without_tests(text);
    for (word, stays) in [("use a", false), ("fn b", true), ("fn e", false), ("fn g", false), ("fn h", true)] {
        assert_eq!(code.contains(word), stays, "{word}");
    }
}

#[track_caller]
fn only_in(word: &str, rooms: &[&str]) {
    for (path, text) in sources() {
        let at_home = rooms.iter().any(|room| path.starts_with(room));
        assert!(at_home || !text.contains(word), "`{word}` belongs in {rooms:?}, and stands in {path}");
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

/// What a file is, one place says.
#[test]
fn the_kind_of_a_file_is_told_in_one_place() {
    only_in("Lock::is_path", &["workspace/kind.rs"]);
    only_in("Recorded::is_path", &["workspace/kind.rs"]);
    only_in("ManifestKind::of_path", &["workspace/kind.rs", "workspace/package.rs"]);
}

/// What reads, writes, starts, connects and shows is listed in `clippy.toml`, and allowed where it is named here: whatever
/// it is imported as, the lint sees it.
#[test]
fn the_world_is_reached_through_a_few_doors() {
    let doors: BTreeSet<String> = sources()
        .into_iter()
        .filter(|(_, text)| text.contains("clippy::disallowed"))
        .map(|(path, _)| path)
        .filter(|path| path != "lib.rs")
        .collect();
    let expected =
        ["disk/door.rs", "disk/journal.rs", "disk/walk.rs", "disk/write.rs", "live.rs", "lsp/mod.rs", "show/mod.rs"];
    assert_eq!(doors, expected.map(String::from).into());
    let lib = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    assert!(lib.contains("#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_macros))]"));
    // Of the process and of the machine.
    only_in("std::env", &["disk", "main.rs", "show/"]);
}

/// Messages cost what they are long: what takes them knows neither the workspace nor the disk but for the words of a letter.
#[test]
fn the_message_loop_evaluates_and_reads_nothing() {
    for (path, text) in
        sources().into_iter().filter(|(path, _)| ["lsp/mod.rs", "lsp/inbox.rs"].contains(&path.as_str()))
    {
        for word in [".settle(", ".analysis()", "disk::open", "disk::walk", "Contents::read", "Workspace"] {
            // The protocol's own types begin with the last of them.
            let is_type = |at: usize| text[at + word.len()..].starts_with(|c: char| c.is_alphanumeric());
            let is_used = text.match_indices(word).any(|(at, _)| word != "Workspace" || !is_type(at));
            assert!(!is_used, "{path} uses `{word}`");
        }
    }
}

/// What an editor renders leaves through one door: there it is made visible.
#[test]
fn markdown_is_made_in_one_place() {
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
        for line in text.lines().filter(|line| line.contains("Result<")) {
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
        for (at, _) in text.match_indices("crate::") {
            let rest = &text[at + "crate::".len()..];
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
        let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with("//")).count();
        assert!(lines <= 700, "{path} has {lines} lines of code");
    }
}
