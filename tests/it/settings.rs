//! Completion and hover in `toolnames.toml`.

use toolnames::testing::cursor::settings::{self, Nameable};

/// The completions offered at the mark `|`, each as the text to insert.
fn offered(marked: &str) -> Vec<String> {
    let offset = marked.find('|').expect("a mark");
    let text = marked.replacen('|', "", 1);
    let nameable = Nameable { keys: vec!["notes".into(), "tickets".into()], packages: vec!["servers/tickets".into()] };
    let offered = settings::complete(&text, offset as u32, &nameable);
    offered.into_iter().flat_map(|offered| offered.items).map(|item| item.text).collect()
}

/// The hover text at the mark `|`.
fn said(marked: &str) -> Option<String> {
    let offset = marked.find('|').expect("a mark");
    settings::hover(&marked.replacen('|', "", 1), offset as u32).map(|(said, _)| said.into_string())
}

#[test]
fn an_empty_config_offers_what_it_can_hold() {
    let all = offered("|");
    assert!(all.contains(&"profile = ".to_string()), "{all:?}");
    assert!(all.contains(&"[convention]\n".to_string()), "{all:?}");
    assert!(all.contains(&"[[paths]]\n".to_string()), "{all:?}");
    assert!(all.contains(&"exclude = ".to_string()), "{all:?}");
}

#[test]
fn keys_that_are_there_are_not_offered_again() {
    let all = offered("[alias]\nmode = \"hidden\"\n|");
    assert_eq!(all, ["until = "]);
    assert!(!offered("[[paths]]\nmatch = [\"a\"]\n|").contains(&"match = ".to_string()));
    // The key at the cursor is still offered.
    assert!(offered("[alias]\nmo|de = \"hidden\"\n").contains(&"mode".to_string()));
}

#[test]
fn values_are_those_that_the_key_takes() {
    assert_eq!(offered("[alias]\nmode = |"), ["\"listed\"", "\"hidden\"", "\"none\""]);
    assert_eq!(offered("[alias]\nmode = \"|\""), ["listed", "hidden", "none"]);
    assert_eq!(offered("[servers]\nclosed = |"), ["true", "false"]);
    assert_eq!(offered("profile = \"|\""), ["adobe", "browser", "chora", "lightdash", "mcp", "syntropy"]);
    let clients = offered("[clients]\nuse = [\"claude-code\", \"|\"]");
    assert!(clients.contains(&"cursor".to_string()) && !clients.contains(&"claude-code".to_string()), "{clients:?}");
    assert!(offered("[clients]\nuse = |").contains(&"[\"claude-code\"]".to_string()));
}

#[test]
fn servers_go_by_the_keys_that_clients_know_and_lie_where_they_are() {
    let keys = offered("[servers]\nnotes = { package = \"a\" }\n|");
    assert_eq!(keys, ["closed = ", "tickets = { "]);
    assert_eq!(offered("[servers.|]"), ["notes", "tickets"]);
    assert_eq!(offered("[servers.tickets]\npackage = |"), ["\"servers/tickets\""]);
    assert_eq!(offered("[servers]\ntickets = { package = \"|\" }"), ["servers/tickets"]);
}

#[test]
fn a_rule_takes_a_level_or_a_table() {
    assert!(offered("[rules]\nname-c|").contains(&"name-chars = ".to_string()));
    assert_eq!(offered("[rules]\nname-chars = \"|\""), ["error", "warning", "info", "hint", "off"]);
    assert_eq!(offered("[rules]\nname-chars = { | }"), ["level = ", "allow = "]);
    assert_eq!(offered("[rules]\nname-chars = { allow = [{ name = \"x\", | }] }"), ["why = "]);
}

#[test]
fn headers_are_the_tables_there_are() {
    let all = offered("[|]");
    assert!(all.contains(&"servers".to_string()) && !all.contains(&"profile".to_string()), "{all:?}");
    assert_eq!(offered("[clients.|]"), ["versions"]);
    assert!(offered("[rules.|]").contains(&"name-chars".to_string()));
    // Lists of tables, and only those, are written in two brackets.
    assert_eq!(offered("[[|]]"), ["paths", "frameworks", "client"]);
    assert!(!all.contains(&"paths".to_string()), "{all:?}");
    // A table can be defined only once.
    assert!(!offered("[alias]\nmode = \"none\"\n[|").contains(&"alias".to_string()));
}

#[test]
fn slots_of_the_pattern_are_keys() {
    let config = "[convention]\npattern = \"{server}_{verb}\"\n";
    let all = offered(&format!("{config}|"));
    for key in ["servers = ", "server = ", "verbs = ", "case = "] {
        assert!(all.contains(&key.to_string()), "{key}: {all:?}");
    }
    assert!(!all.contains(&"products = ".to_string()), "{all:?}");
    let servers = said(&format!("{config}ser|vers = [\"git\"]\n")).unwrap();
    assert!(servers.contains("`{server}`"), "{servers}");
}

#[test]
fn hover_says_what_a_key_is_for() {
    let judge = said("[convention]\nju|dge = \"wire\"\n").unwrap();
    assert!(judge.contains("- `wire`: The name that `tools/list` reports."), "{judge}");
    assert!(judge.contains("Default: `\"wire\"`."), "{judge}");
    let rule = said("[rules]\nname|-chars = \"off\"\n").unwrap();
    assert!(rule.contains("protocol"), "{rule}");
    assert!(said("[convention]\n# ca|se\n").is_none());
    assert!(said("no_such|_key = 1\n").is_none());
}

#[test]
fn what_is_offered_is_taken() {
    // A config with any offered value of any key has no fault.
    for (table, key) in [("alias", "mode"), ("convention", "judge"), ("convention", "case"), ("convention", "mode")] {
        for value in offered(&format!("[{table}]\n{key} = |")) {
            let config =
                toolnames::testing::config::Config::read("toolnames.toml", &format!("[{table}]\n{key} = {value}\n"));
            assert_eq!(config.faults, [], "{key} = {value}");
        }
    }
}

#[test]
fn rows_of_frameworks_and_clients_are_known_to_their_last_key() {
    let row = "[[frameworks]]\nid = \"acme\"\n";
    let all = offered(&format!("{row}|"));
    assert!(["language = ", "packages = ", "no_alias = "].iter().all(|key| all.contains(&key.to_string())), "{all:?}");
    assert_eq!(offered(&format!("{row}language = |")), ["\"typescript\"", "\"python\"", "\"rust\""]);
    let kinds = offered(&format!("{row}[[frameworks.form]]\nkind = \"|\""));
    assert_eq!(kinds, ["server", "tool", "prompt", "resource", "dynamic", "mount", "dispatch"]);
    let name = said(&format!("{row}[[frameworks.form]]\nna|me = [\"arg0\"]\n")).unwrap();
    assert!(name.starts_with("Selectors of the name"), "{name}");
    let of_list = offered("[[client]]\n[[client.file]]\n[[client.file.list]]\n|");
    assert!(of_list.contains(&"wildcards = ".to_string()), "{of_list:?}");
    let wildcards = offered("[[client.file.list]]\nwildcards = \"|\"");
    assert_eq!(wildcards, ["none", "whole", "whole-or-all", "tool", "anywhere", "end", "anywhere-in-names"]);
    let tables = offered("[[client.|]]");
    assert!(["file", "flag", "code"].iter().all(|table| tables.contains(&table.to_string())), "{tables:?}");
}
