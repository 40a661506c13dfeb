//! The names in public servers that look like names of tools to the queries `queries/*/candidates.scm`: each is listed,
//! or there is a reason why not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use toolnames::testing::path::is_test_file;
use toolnames::testing::syntax::{CodeQuery, Family, Language, parse};
use tree_sitter::{QueryCursor, StreamingIterator};

/// The reasons why names that look like those of tools are not, by package, file and name.
const NO_TOOLS: &str = include_str!("../data/candidates.toml");

fn queries() -> [CodeQuery; 3] {
    [
        CodeQuery::new(Family::TypeScript, include_str!("../../queries/typescript/candidates.scm")),
        CodeQuery::new(Family::Python, include_str!("../../queries/python/candidates.scm")),
        CodeQuery::new(Family::Rust, include_str!("../../queries/rust/candidates.scm")),
    ]
}

/// Each name in a source file that looks like that of a tool, with its line and column, both 1-based.
fn candidates(queries: &[CodeQuery], path: &str, text: &str) -> Vec<(usize, usize, String)> {
    let Some(language) = Language::of_path(path) else { return Vec::new() };
    let Some(query) = queries.iter().find_map(|query| query.compiled(language)) else { return Vec::new() };
    let Some(tree) = parse(language, text, None) else { return Vec::new() };
    let tool = query.capture_index_for_name("tool").expect("@tool");
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(query, tree.root_node(), text.as_bytes());
    let mut found = BTreeSet::new();
    while let Some(one) = matches.next() {
        for capture in one.captures().iter().filter(|capture| capture.index == tool) {
            let at = capture.node.start_byte();
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let column = text[line..at].encode_utf16().count() + 1;
            found.insert((text[..at].matches('\n').count() + 1, column, text[capture.node.byte_range()].to_string()));
        }
    }
    found.into_iter().collect()
}

/// The source files of a package that are not tests, as paths from its root.
fn sources(root: &Path) -> Vec<PathBuf> {
    let mut open = vec![root.to_path_buf()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = entry.file_name();
            match entry.file_type().unwrap() {
                kind if kind.is_dir() && name != "node_modules" && !name.to_string_lossy().starts_with('.') => {
                    open.push(path);
                }
                kind if kind.is_file() => found.push(path.strip_prefix(root).unwrap().to_path_buf()),
                _ => {}
            }
        }
    }
    found.retain(|path| !is_test_file(&path.to_string_lossy()));
    found.sort();
    found
}

/// The source ranges that listed names come from, by file: the line, and the first and last column.
fn listed(answer: &Value) -> BTreeMap<String, Vec<(u64, u64, u64)>> {
    let mut places: BTreeMap<String, Vec<(u64, u64, u64)>> = BTreeMap::new();
    for server in answer["servers"].as_array().unwrap() {
        for segment in server["tools"].as_array().unwrap().iter().flat_map(|tool| tool["segments"].as_array().unwrap())
        {
            let range = &segment["range"];
            let place = (
                range["start"]["line"].as_u64().unwrap(),
                range["start"]["column"].as_u64().unwrap(),
                range["end"]["column"].as_u64().unwrap(),
            );
            places.entry(segment["file"].as_str().unwrap().to_string()).or_default().push(place);
        }
    }
    places
}

#[test]
fn the_queries_find_what_they_are_for() {
    let names = |path: &str, text: &str| -> Vec<String> {
        candidates(&queries(), path, text).into_iter().map(|(_, _, name)| name).collect()
    };
    let script = "server.registerTool('a', {}, run);\nserver.tool(`b`, run);\ndefineTool({ name: \"c\", run });\n\
                  const tools = [{ name: 'd', inputSchema: {} }, { name: 'no', age: 1 }];\nother('no');\n";
    assert_eq!(names("a.ts", script), ["a", "b", "c", "d"]);
    let python = "@mcp.tool('a')\ndef f(): ...\n@mcp.tool(name='b')\ndef g(): ...\n@mcp.tool\ndef c(): ...\n@mcp.tool()\ndef d(): ...\n\
                  Tool(name='e', inputSchema={})\nx = {'name': 'f', 'inputSchema': {}}\n@other()\ndef no(): ...\n";
    assert_eq!(names("a.py", python), ["a", "b", "c", "d", "e", "f"]);
    let rust = "impl A {\n#[tool(name = \"a\")]\nfn f() {}\n#[tool(description = \"x\")]\nfn b() {}\n#[tool]\n/// c\nfn c() {}\n#[other]\nfn no() {}\n}\n\
                fn g() { Tool::new(\"d\", \"\", s); let t = Tool { name: \"e\".into() }; json!({ \"name\": \"f\", \"inputSchema\": {} }); }\n";
    assert_eq!(names("a.rs", rust), ["a", "b", "c", "d", "e", "f"]);
}

/// Needs the public servers that `tests/corpus/compare.py` fetches. `TOOLNAMES_BINARY` names the program to list them
/// with.
#[test]
#[ignore = "needs public servers, which tests/run.sh fetches before"]
fn every_candidate_of_the_corpus_is_listed() {
    let binary = std::env::var_os("TOOLNAMES_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_toolnames").into());
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join(".cache/corpus");
    let no_tools: toml::Table = toml::from_str(NO_TOOLS).unwrap();
    let queries = queries();
    let (mut seen, mut excused, mut missed) = (0, 0, Vec::new());
    let mut packages: Vec<PathBuf> = fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    packages.retain(|path| path.is_dir());
    packages.sort();
    assert!(packages.len() > 50, "{}", corpus.display());
    for package in packages {
        let id = package.file_name().unwrap().to_string_lossy().into_owned();
        let list = Command::new(&binary).args(["list", "--all", "--format", "json"]).arg(&package).output().unwrap();
        let places = listed(&serde_json::from_slice(&list.stdout).unwrap());
        for path in sources(&package) {
            let Ok(text) = fs::read_to_string(package.join(&path)) else { continue };
            let path = path.to_string_lossy().into_owned();
            for (line, column, name) in candidates(&queries, &path, &text) {
                seen += 1;
                let at = (line as u64, column as u64);
                let is_there = |place: &(u64, u64, u64)| place.0 == at.0 && (place.1..=place.2).contains(&at.1);
                if places.get(&path).is_some_and(|places| places.iter().any(is_there)) {
                    continue;
                }
                let reasons = no_tools.get(&id).and_then(toml::Value::as_array).into_iter().flatten();
                let is_this = |one: &toml::Value| {
                    let is = |key: &str, value: &str| one.get(key).is_none_or(|given| given.as_str() == Some(value));
                    is("file", &path) && is("name", &name)
                };
                match reasons.into_iter().any(is_this) {
                    true => excused += 1,
                    false => missed.push(format!("{id}/{path}:{line}:{column}: {name}")),
                }
            }
        }
    }
    println!("{seen} candidates, {excused} excused, {} missed", missed.len());
    assert!(seen > 500, "{seen}");
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
