//! Invariants of the architecture that can be checked in the source files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use toolnames::testing::syntax::{self, Language};

/// The path from `src` of each source file of the library, and its text without the items that only tests use.
pub(super) fn sources() -> &'static [(String, String)] {
    static SOURCES: LazyLock<Vec<(String, String)>> = LazyLock::new(read_sources);
    &SOURCES
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read_sources() -> Vec<(String, String)> {
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

/// A source text of this project without the items that only tests use.
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
fn only_in(word: &str, modules: &[&str]) {
    for (path, text) in sources() {
        let is_allowed = modules.iter().any(|module| path.starts_with(module));
        assert!(is_allowed || !text.contains(word), "{path} uses `{word}`, which belongs in {modules:?}");
    }
}

#[test]
fn each_library_is_used_in_its_modules_only() {
    only_in("tower_lsp", &["lsp/"]);
    only_in("tree_sitter::", &["syntax", "lower/", "code/", "document/", "site/"]);
    only_in("ropey::", &["text.rs"]);
    only_in("cap_std", &["disk"]);
    only_in("rmcp", &["live.rs", "framework/"]);
}

/// The kind of a file is decided by `FileKind::of` alone.
#[test]
fn the_kind_of_a_file_is_decided_in_one_place() {
    only_in("Lock::is_path", &["workspace/kind.rs"]);
    only_in("Recorded::is_path", &["workspace/kind.rs"]);
    only_in("ManifestKind::of_path", &["workspace/kind.rs", "workspace/package.rs"]);
}

/// Functions that read, write, start processes, connect or print are listed in `clippy.toml`, whose lint recognizes
/// them under any name. Only these files may allow the lint.
#[test]
fn input_and_output_are_in_a_few_files() {
    let allowed: BTreeSet<String> = sources()
        .iter()
        .filter(|(_, text)| text.contains("clippy::disallowed"))
        .map(|(path, _)| path.clone())
        .filter(|path| path != "lib.rs")
        .collect();
    let expected =
        ["disk/door.rs", "disk/journal.rs", "disk/walk.rs", "disk/write.rs", "live.rs", "lsp/mod.rs", "show/mod.rs"];
    assert_eq!(allowed, expected.map(String::from).into());
    let lib = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    assert!(lib.contains("#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_macros))]"));
    // The state of the process and the machine.
    only_in("std::env", &["disk", "main.rs", "show/"]);
}

/// Handling a message takes time in proportion to its length: the message loop uses neither the workspace nor the disk.
#[test]
fn the_message_loop_evaluates_and_reads_nothing() {
    for (path, text) in sources().iter().filter(|(path, _)| ["lsp/mod.rs", "lsp/inbox.rs"].contains(&path.as_str())) {
        for word in [".settle(", ".analysis()", "disk::open", "disk::walk", "Contents::read", "Workspace"] {
            // Types of the protocol begin with `Workspace`.
            let is_type = |at: usize| text[at + word.len()..].starts_with(|c: char| c.is_alphanumeric());
            let is_used = text.match_indices(word).any(|(at, _)| word != "Workspace" || !is_type(at));
            assert!(!is_used, "{path} uses `{word}`");
        }
    }
}

/// Text that an editor renders is created in one place, which makes invisible characters visible.
#[test]
fn markdown_is_made_in_one_place() {
    let markup: Vec<(String, usize)> =
        sources().iter().map(|(path, text)| (path.clone(), text.matches("MarkupContent {").count())).collect();
    let markup: Vec<(String, usize)> = markup.into_iter().filter(|(_, count)| *count > 0).collect();
    // One occurrence is the return type of a function, the other the value that it creates.
    assert_eq!(markup, [("lsp/answers.rs".to_string(), 2)], "only `Markdown` is rendered by an editor");
    only_in("MarkedString", &[]);
}

/// The reasons for a refusal are values with a code; their sentences are in one file.
#[test]
fn no_rename_is_refused_with_a_text() {
    for (path, text) in sources().iter().filter(|(path, _)| path.starts_with("rename/") || path == "fix.rs") {
        for line in text.lines().filter(|line| line.contains("Result<")) {
            let is_text = [", String>", "&'static str>"].iter().any(|end| line.contains(end));
            assert!(!is_text, "{path}: `{}`: give the reason as a variant of `refusal.rs`", line.trim());
        }
    }
}

/// The modules of the library in the order of their declarations, from the lowest layer up.
fn modules() -> Vec<String> {
    let library = sources().iter().find(|(path, _)| path == "lib.rs").map(|(_, text)| text).unwrap();
    let declared =
        library.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'));
    declared.map(String::from).collect()
}

/// A module uses only those that are declared before it.
#[test]
fn arrows_point_down() {
    let modules = modules();
    assert!(modules.len() > 20, "{modules:?}");
    let rank = |name: &str| modules.iter().position(|module| module == name);
    for (path, text) in sources() {
        let Some(own) = rank(path.split(['/', '.']).next().unwrap()) else { continue };
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n");
        for (at, _) in code.match_indices("crate::") {
            let rest = &code[at + "crate::".len()..];
            let used = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
            if let Some(used) = rank(used) {
                assert!(used <= own, "{path} uses {}, which is declared after it", modules[used]);
            }
        }
    }
}

/// The table of modules at the top of the library has them in the same order.
#[test]
fn the_map_has_every_module_in_its_place() {
    let library = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let rows = library.lines().filter_map(|line| line.strip_prefix("//! | ")?.split('|').nth(1));
    let cells = rows.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let mapped: Vec<&str> = cells.filter(|cell| modules().iter().any(|module| module == cell)).collect();
    assert_eq!(mapped, modules());
}

/// An error is a value; its text is written where it is shown.
#[test]
fn no_error_is_a_string() {
    for (path, text) in sources() {
        let is_string = |error: &str| matches!(error.trim(), "String" | "&str" | "&'static str");
        for (at, _) in text.match_indices("Result<") {
            let inside = &text[at + "Result<".len()..];
            // The arguments of the type, up to the closing bracket.
            let mut depth = 0;
            let end = inside.find(|c| {
                depth += i32::from(matches!(c, '<' | '(' | '[')) - i32::from(matches!(c, '>' | ')' | ']'));
                depth < 0
            });
            let error = end.and_then(|end| inside[..end].rsplit_once(','));
            assert!(!error.is_some_and(|(_, error)| is_string(error)), "{path}: make the error a type of its own");
        }
    }
}

#[test]
fn the_packed_crate_has_what_its_build_reads() {
    let list = ["package", "--list", "--allow-dirty", "--offline", "--quiet"];
    let output = std::process::Command::new(env!("CARGO")).args(list).current_dir(root()).output().unwrap();
    let packed = String::from_utf8(output.stdout).unwrap();
    let packed: BTreeSet<&str> = packed.lines().collect();
    let mut wanted = vec![root().join("build.rs")];
    let mut open = vec![root().join("src"), root().join("queries")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() { &mut open } else { &mut wanted }.push(entry);
        }
    }
    let paths = wanted.iter().map(|path| path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/"));
    let left: Vec<String> = paths.filter(|path| !packed.contains(path.as_str())).collect();
    assert_eq!(left, Vec::<String>::new(), "add them to `include` in Cargo.toml");
}

/// The version in `Cargo.toml` has a dated section.
#[test]
fn the_changelog_has_the_version() {
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let heading = format!("\n## [{}] - 20", env!("CARGO_PKG_VERSION"));
    assert!(changelog.contains(&heading), "{heading}");
    assert!(changelog.contains("\n## [Unreleased]\n"));
}

#[test]
fn no_file_has_more_than_700_lines_of_code() {
    for (path, text) in sources() {
        let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with("//")).count();
        assert!(lines <= 700, "{path} has {lines} lines of code");
    }
}

/// The ids in the rows of a folder's TOML files.
fn ids(folder: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = files.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let mut found = BTreeSet::new();
    for text in texts.map(|path| fs::read_to_string(path).unwrap()) {
        let quoted = text.lines().filter_map(|line| line.strip_prefix("id = \"")?.strip_suffix('"'));
        found.extend(quoted.map(String::from));
    }
    found
}

/// Clients and frameworks are rows of data: no code is specific to one of them.
#[test]
fn no_code_names_a_client_or_a_framework() {
    let (clients, frameworks) = (ids("client/rows"), ids("framework"));
    assert!(clients.len() > 20 && frameworks.len() > 20, "{clients:?} {frameworks:?}");
    for (path, text) in sources() {
        // `continue` is also a keyword of the source languages.
        for id in clients.iter().chain(&frameworks).filter(|id| *id != "continue") {
            assert!(!text.contains(&format!("\"{id}\"")), "{path} names `{id}`: describe it in its row");
        }
    }
}
