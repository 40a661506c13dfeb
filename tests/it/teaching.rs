//! The tutorial pages: the output that a page shows is what the commands print for the files that it shows.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use toolnames::testing::client::Evidence;
use toolnames::testing::schema::{resolved, schema};

use super::cli::{run, stderr, stdout};

/// The fenced blocks of a page, by the line of code above each: a path, or a command, whose block is its output.
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
                // A block without a name continues `toolnames.toml`.
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
        let ran = run(folder.path(), &words);
        assert_eq!((stdout(&ran), stderr(&ran)), (output, String::new()), "{page}: {command}");
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
fn a_query_of_ones_own() {
    let folder = is_as_shown("queries.md");
    let check = run(folder.path(), &["check"]);
    assert_eq!((check.status.code(), stderr(&check)), (Some(0), String::new()), "{}", stdout(&check));
    let plan = run(folder.path(), &["rename", "drop_note", "delete_note", "--no-alias", "--dry-run"]);
    assert!(stdout(&plan).contains("+    <Tool name=\"delete_note\" run="), "{}", stderr(&plan));
}

#[test]
fn a_client_of_ones_own() {
    let folder = is_as_shown("clients.md");
    let plan = run(folder.path(), &["rename", "drop_note", "delete_note", "--dry-run"]);
    assert!(stdout(&plan).contains("     - notes/drop_note\n+    - notes/delete_note\n"), "{}", stdout(&plan));
}

#[test]
fn an_sdk_of_ones_own() {
    let folder = is_as_shown("agents.md");
    let plan = run(folder.path(), &["rename", "read_note", "get_note", "--dry-run"]);
    let line = "+READING = [\"read_note\", \"get_note\", \"list_note\"]\n";
    assert!(stdout(&plan).contains(line), "{}", stdout(&plan));
}

#[test]
fn the_page_of_agents_names_every_sdk() {
    #[derive(serde::Deserialize)]
    struct Rows {
        client: Vec<Sdk>,
    }
    #[derive(serde::Deserialize)]
    struct Sdk {
        name: String,
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let (rows, page) = (toml::from_str::<Rows>(&read("src/client/rows/agents.toml")).unwrap(), read("docs/agents.md"));
    let table: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
    for sdk in rows.client {
        let words = sdk.name.trim_start_matches("the ").replace("'s", "");
        assert!(table.iter().any(|line| line.contains(&words)), "{} is missing in docs/agents.md", sdk.name);
    }
}

/// A client whose description is only half read would count as one that denies less.
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

#[test]
fn the_page_of_the_config_lists_every_key() {
    let mut page = "# The keys of `toolnames.toml`\n\n\
        This page is made from the descriptions that the editors show. A config applies to its folder and those below \
        it, up to the next config. Rows of `[[frameworks]]` and `[[client]]` have their own pages: \
        [frameworks](frameworks.md) and [clients](clients.md); the rules, `toolnames explain RULE`.\n"
        .to_string();
    table("", schema(), &mut page);
    expect_test::expect_file!["../../docs/config.md"].assert_eq(&page);
}

#[test]
fn the_page_of_the_clients_says_what_is_known_of_each() {
    let mut page = "# The known clients\n\n\
        This page is made from the rows in [src/client/rows](../src/client/rows). To add a client, \
        [describe it](clients.md); to try a newer version of one that is run, see \
        [tests/oracle](../tests/oracle/clients.toml).\n\n\
        | client | id | files | a tool | described from | not known, or not checked |\n|---|---|---|---|---|---|\n"
        .to_string();
    let mut clients: Vec<_> = toolnames::testing::client::Clients::built_in().iter().collect();
    clients.sort_by_key(|client| client.name.to_lowercase());
    for client in clients {
        let files = client.files.iter().filter(|file| !file.script).flat_map(|file| &file.files);
        let mut files: Vec<String> = files.map(|glob| format!("`{}`", glob.trim_start_matches("**/"))).collect();
        files.extend(client.files.iter().any(|file| file.script).then(|| "scripts".to_string()));
        files.extend((!client.packages.is_empty() || client.is_called()).then(|| "code".to_string()));
        let evidence = match client.evidence.unwrap_or_else(|| panic!("{}: no `evidence`", client.id)) {
            Evidence::Run => "runs of the client",
            Evidence::Documented => "its code or documentation",
            Evidence::Reported => "descriptions by others",
        };
        let cells = [
            client.name.to_string(),
            format!("`{}`", client.id),
            files.join(", "),
            format!("`{}`", client.composed("SERVER", "TOOL")),
            evidence.to_string(),
            client.unknown.join("; "),
        ];
        page.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    expect_test::expect_file!["../../docs/known-clients.md"].assert_eq(&page);
}

/// Adds the keys of a table and, after them, the tables below it.
fn table(path: &str, of: &'static Value, page: &mut String) {
    let mut tables = Vec::new();
    page.push_str("\n| key | value | meaning |\n|---|---|---|\n");
    for (key, schema) in of["properties"].as_object().unwrap() {
        let all = resolved(schema);
        let find = |word: &str| all.iter().find_map(|one| one.get(word));
        let meaning = find("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
        let explained =
            all.iter().filter_map(|one| Some((one.get("const")?.as_str()?, one.get("description")?.as_str()?)));
        let explained: String = explained.map(|(word, meaning)| format!(" `{word}`: {meaning}")).collect();
        let default = find("default").map(|default| format!(" Default: `{default}`.")).unwrap_or_default();
        page.push_str(&format!("| `{key}` | {} | {meaning}{explained}{default} |\n", value_of(&all)));
        // These keys have pages of their own, or are described only once.
        if ["frameworks", "client", "rules", "versions"].contains(&key.as_str()) || path == "paths." {
            continue;
        }
        let has_keys = |one: &&'static Value| one.get("properties").is_some();
        tables.extend(all.iter().copied().find(has_keys).map(|below| (format!("{path}{key}"), below)));
        let others = all.iter().filter_map(|one| one.get("additionalProperties")).flat_map(resolved).find(has_keys);
        tables.extend(others.map(|below| (format!("{path}{key}.NAME"), below)));
    }
    for (path, below) in tables {
        page.push_str(&format!("\n## `{path}`\n"));
        table(&format!("{path}."), below, page);
    }
}

/// The values that a key accepts.
fn value_of(all: &[&'static Value]) -> String {
    let explained = all.iter().filter_map(|one| one.get("const"));
    let listed = all.iter().filter_map(|one| one.get("enum").and_then(Value::as_array)).flatten();
    let words: Vec<String> = listed.chain(explained).map(|word| format!("`{word}`")).collect();
    let kind = all.iter().find_map(|one| one.get("type").and_then(Value::as_str)).unwrap_or("any");
    match kind {
        "string" if !words.is_empty() => words.join(", "),
        "object" => "table".to_string(),
        "array" if all.iter().any(|one| one.get("properties").is_some()) => "list of tables".to_string(),
        "array" => "list".to_string(),
        kind => kind.to_string(),
    }
}
