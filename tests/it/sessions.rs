//! Sessions as editors run them: several folders, documents that were never saved, whole workspaces, many requests at
//! once.

use std::time::Duration;

use serde_json::{Value, json};

use super::cli::{folder, run, stdout};
use super::editor::{Client, shown};
use super::language_server::{SETTINGS_PATH, pulling, workspace};

const SERVER: &str = "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst server = new McpServer({ name: \"s\", version: \"1\" });\n";
const CONFIG: &str = r#"{ "mcpServers": { "s": { "command": "node", "args": ["server.ts"] } } }"#;

/// A folder with a server that has the given tools, and a client that allows `mcp__s__raed`.
fn server_with(tools: &[&str], more: &[(&str, &str)]) -> tempfile::TempDir {
    let calls: String = tools.iter().map(|name| format!("server.registerTool(\"{name}\", {{}}, run);\n")).collect();
    let server = format!("{SERVER}{calls}");
    let settings = r#"{ "permissions": { "allow": ["mcp__s__raed"] } }"#;
    let files = [("server.ts", server.as_str()), (".mcp.json", CONFIG), (SETTINGS_PATH, settings)];
    folder(&files.into_iter().chain(more.iter().copied()).collect::<Vec<_>>())
}

fn folders(roots: &[&tempfile::TempDir]) -> Value {
    let one = |root: &&tempfile::TempDir| {
        let path = root.path().canonicalize().unwrap();
        json!({ "uri": format!("file://{}", path.display()), "name": path.file_name().unwrap().to_str() })
    };
    roots.iter().map(one).collect()
}

/// The findings in a document of any folder.
async fn pull(client: &mut Client, uri: &str) -> Vec<String> {
    let params = json!({ "textDocument": { "uri": uri } });
    shown(&client.request("textDocument/diagnostic", params).await.unwrap()["items"])
}

fn uri_in(root: &tempfile::TempDir, path: &str) -> String {
    format!("file://{}", root.path().canonicalize().unwrap().join(path).display())
}

async fn open(client: &mut Client, uri: &str, language: &str, text: &str) {
    let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
    client.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
}

#[tokio::test]
async fn each_folder_has_its_own_servers_and_its_own_config() {
    let rules = "[rules]\npermission-unknown-tool = \"off\"\n";
    let (one, two) = (server_with(&["read"], &[]), server_with(&["write"], &[("toolnames.toml", rules)]));
    let params = json!({
        "processId": null, "rootUri": null, "workspaceFolders": folders(&[&one, &two]), "capabilities": pulling(),
    });
    let (mut client, hello) = Client::start_with(one.path(), params).await;
    assert_eq!(hello["capabilities"]["workspace"]["workspaceFolders"]["supported"], true);
    let settings = r#"{ "permissions": { "allow": ["mcp__s__raed"] } }"#;
    for root in [&one, &two] {
        open(&mut client, &uri_in(root, SETTINGS_PATH), "json", settings).await;
    }
    assert_eq!(pull(&mut client, &uri_in(&one, SETTINGS_PATH)).await, ["permission-unknown-tool 0:30-42"]);
    assert_eq!(pull(&mut client, &uri_in(&two, SETTINGS_PATH)).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_data_file_that_a_program_reads_counts_as_it_is_in_the_editor() {
    let server = "import json\nfrom pathlib import Path\nfrom mcp.server.fastmcp import FastMCP\nmcp = FastMCP(\"s\")\n\
        for entry in json.loads((Path(__file__).parent / \"tools.json\").read_text()):\n    \
        mcp.add_tool(lambda: None, name=entry[\"name\"])\n";
    let settings = r#"{ "permissions": { "allow": ["mcp__s__raed"] } }"#;
    let config = CONFIG.replace("node", "python").replace("server.ts", "server.py");
    let tools = r#"[{ "name": "read" }]"#;
    let files =
        [("server.py", server), ("tools.json", tools), (".mcp.json", config.as_str()), (SETTINGS_PATH, settings)];
    let root = folder(&files);
    let params = json!({
        "processId": null, "rootUri": null, "workspaceFolders": folders(&[&root]), "capabilities": pulling(),
    });
    let (mut client, _) = Client::start_with(root.path(), params).await;
    open(&mut client, &uri_in(&root, SETTINGS_PATH), "json", settings).await;
    assert_eq!(pull(&mut client, &uri_in(&root, SETTINGS_PATH)).await, ["permission-unknown-tool 0:30-42"]);
    open(&mut client, &uri_in(&root, "tools.json"), "json", r#"[{ "name": "raed" }]"#).await;
    assert_eq!(pull(&mut client, &uri_in(&root, SETTINGS_PATH)).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_folder_can_be_added_and_removed() {
    let (one, two) = (server_with(&["write"], &[]), server_with(&["read"], &[]));
    let params = json!({
        "processId": null, "rootUri": null, "workspaceFolders": folders(&[&one]), "capabilities": pulling(),
    });
    let (mut client, _) = Client::start_with(one.path(), params).await;
    let settings = uri_in(&two, SETTINGS_PATH);
    open(&mut client, &settings, "json", r#"{ "permissions": { "allow": ["mcp__s__raed"] } }"#).await;
    let change = |added: Value, removed: Value| json!({ "event": { "added": added, "removed": removed } });
    client.notify("workspace/didChangeWorkspaceFolders", change(folders(&[&two]), json!([]))).await;
    let message = |report: &Value| report["items"][0]["message"].as_str().unwrap_or_default().to_string();
    // The server reads the folder while it handles messages.
    let mut said = String::new();
    for _ in 0..100 {
        let params = json!({ "textDocument": { "uri": settings } });
        said = message(&client.request("textDocument/diagnostic", params).await.unwrap());
        if said.contains("mcp__s__read") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(said, "`s` has no tool `raed`; did you mean `mcp__s__read`?");
    client.notify("workspace/didChangeWorkspaceFolders", change(json!([]), folders(&[&one, &two]))).await;
    assert_eq!(pull(&mut client, &settings).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_folder_inside_another_is_a_part_of_it() {
    let root = server_with(&["read"], &[("servers/one/package.json", "{}"), ("servers/one/a.ts", "")]);
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    // Helix adds the folder of each package in which a file is opened.
    let uri = uri_in(&root, "servers/one");
    let event = json!({ "event": { "added": [{ "uri": uri, "name": "one" }], "removed": [] } });
    client.notify("workspace/didChangeWorkspaceFolders", event).await;
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-unknown-tool 0:30-42"]);
    open(&mut client, &uri_in(&root, "servers/one/.claude/settings.json"), "json", "{}").await;
    let folders = client.request("toolnames/tools", Value::Null).await.unwrap();
    assert_eq!(folders.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_document_that_was_never_saved_is_looked_at_too() {
    let root = workspace();
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let uri = "untitled:Untitled-1";
    open(&mut client, uri, "typescript", &format!("{SERVER}server.registerTool(\"bad name\", {{}}, run);\n")).await;
    assert_eq!(pull(&mut client, uri).await, ["name-chars 2:24-25"]);
    let symbols =
        client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } })).await.unwrap();
    assert_eq!(symbols[0]["name"], "bad name");
}

#[tokio::test]
async fn documents_from_elsewhere_are_judged_by_the_tools_of_the_workspace() {
    let (root, elsewhere) = (workspace(), folder(&[(SETTINGS_PATH, "{}")]));
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let uri = uri_in(&elsewhere, SETTINGS_PATH);
    open(&mut client, &uri, "json", r#"{ "permissions": { "allow": ["mcp__s__raed"] } }"#).await;
    assert_eq!(pull(&mut client, &uri).await, ["permission-unknown-tool 0:30-42"]);
}

#[tokio::test]
async fn settings_of_another_project_are_judged_by_themselves_until_its_folder_is_added() {
    let (own, other) = (server_with(&["read"], &[]), server_with(&["read"], &[]));
    let params = json!({
        "processId": null, "rootUri": null, "workspaceFolders": folders(&[&own]), "capabilities": pulling(),
    });
    let (mut client, _) = Client::start_with(own.path(), params).await;
    let uri = uri_in(&other, SETTINGS_PATH);
    open(&mut client, &uri, "json", TWO_FAULTS).await;
    assert_eq!(pull(&mut client, &uri).await, ["permission-malformed 0:30-43"]);
    // Edits from before the folder was added are not lost.
    let typed = json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } }, "text": "\n\n",
    }] });
    client.notify("textDocument/didChange", typed).await;
    let event = json!({ "event": { "added": folders(&[&other]), "removed": [] } });
    client.notify("workspace/didChangeWorkspaceFolders", event).await;
    // The server reads the folder while it handles messages.
    let mut found = Vec::new();
    for _ in 0..100 {
        found = pull(&mut client, &uri).await;
        if found.len() > 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(found, ["permission-malformed 2:30-43", "permission-unknown-tool 2:47-59"]);
}

#[tokio::test]
async fn a_rename_asks_the_settings_above_as_the_editor_has_them() {
    let root = folder(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (SETTINGS_PATH, "{}"),
        ("notes/server.ts", &format!("{SERVER}server.registerTool(\"read\", {{}}, run);\n")),
        ("notes/.mcp.json", CONFIG),
    ]);
    let below = json!([{ "uri": uri_in(&root, "notes"), "name": "notes" }]);
    let params = json!({ "processId": null, "rootUri": null, "workspaceFolders": below, "capabilities": pulling() });
    let (mut client, _) = Client::start_with(root.path(), params).await;
    let settings = r#"{ "permissions": { "deny": ["mcp__s__read"] } }"#;
    open(&mut client, &uri_in(&root, SETTINGS_PATH), "json", settings).await;
    let at = json!({ "line": 2, "character": 23 });
    let document = json!({ "uri": uri_in(&root, "notes/server.ts") });
    let source = std::fs::read_to_string(root.path().join("notes/server.ts")).unwrap();
    open(&mut client, &uri_in(&root, "notes/server.ts"), "typescript", &source).await;
    let rename = json!({ "textDocument": document, "position": at, "newName": "fetch" });
    let refused = client.request("textDocument/rename", rename).await.unwrap_err();
    assert!(refused.to_string().contains("add `mcp__s__fetch` to that list first"), "{refused}");
}

/// Settings with one entry that is malformed, and one that names an unknown tool.
const TWO_FAULTS: &str = r#"{ "permissions": { "allow": ["mcp__s__re ad", "mcp__s__raed"] } }"#;

#[tokio::test]
async fn what_a_document_says_by_itself_is_shown_before_the_workspace_was_read() {
    let root = workspace();
    let uri = uri_in(&root, "");
    let mut capabilities = pulling();
    capabilities["workspace"]["diagnostics"] = json!({ "refreshSupport": true });
    let params = json!({ "processId": null, "rootUri": uri, "capabilities": capabilities });
    let (mut client, _) = Client::greet(root.path(), params).await;
    client.open_with(SETTINGS_PATH, TWO_FAULTS).await;
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-malformed 0:30-43"]);
    client.initialized().await;
    client.wait(|message| message["method"] == "workspace/diagnostic/refresh").await;
    let all = ["permission-malformed 0:30-43", "permission-unknown-tool 0:47-59"];
    assert_eq!(client.pull(SETTINGS_PATH).await, all);
}

#[tokio::test]
async fn clients_that_are_sent_findings_get_the_first_ones_before_the_workspace_was_read() {
    let root = workspace();
    let params = json!({ "processId": null, "rootUri": uri_in(&root, ""), "capabilities": {} });
    let (mut client, _) = Client::greet(root.path(), params).await;
    let published = |message: &Value| message["method"] == "textDocument/publishDiagnostics";
    client.open_with(SETTINGS_PATH, TWO_FAULTS).await;
    let first = client.wait(published).await;
    assert_eq!(shown(&first["params"]["diagnostics"]), ["permission-malformed 0:30-43"]);
    client.initialized().await;
    let all = client.wait(published).await;
    let both = ["permission-malformed 0:30-43", "permission-unknown-tool 0:47-59"];
    assert_eq!(shown(&all["params"]["diagnostics"]), both);
}

#[tokio::test]
async fn what_a_config_allows_is_not_even_shown_at_first() {
    let root = workspace();
    std::fs::write(root.path().join("toolnames.toml"), "[rules]\npermission-malformed = \"off\"\n").unwrap();
    let mut capabilities = pulling();
    capabilities["workspace"]["diagnostics"] = json!({ "refreshSupport": true });
    let params = json!({ "processId": null, "rootUri": uri_in(&root, ""), "capabilities": capabilities });
    let (mut client, _) = Client::greet(root.path(), params).await;
    client.open_with(SETTINGS_PATH, TWO_FAULTS).await;
    assert_eq!(client.pull(SETTINGS_PATH).await, Vec::<String>::new());
    client.initialized().await;
    client.wait(|message| message["method"] == "workspace/diagnostic/refresh").await;
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-unknown-tool 0:47-59"]);
}

#[tokio::test]
async fn a_document_without_a_fault_of_its_own_is_reported_before_the_workspace_was_read() {
    let root = workspace();
    let params = json!({ "processId": null, "rootUri": uri_in(&root, ""), "capabilities": {} });
    let (mut client, _) = Client::greet(root.path(), params).await;
    let published = |message: &Value| message["method"] == "textDocument/publishDiagnostics";
    client.open_with(SETTINGS_PATH, r#"{ "permissions": { "allow": ["mcp__s__raed"] } }"#).await;
    let first = client.wait(published).await;
    assert_eq!(shown(&first["params"]["diagnostics"]), Vec::<String>::new());
    client.initialized().await;
    let all = client.wait(published).await;
    assert_eq!(shown(&all["params"]["diagnostics"]), ["permission-unknown-tool 0:30-42"]);
}

#[tokio::test]
async fn settings_of_another_project_are_about_its_own_servers() {
    let files = [(SETTINGS_PATH, "{}"), ("package.json", "{}")];
    let (root, elsewhere) = (workspace(), folder(&files));
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let uri = uri_in(&elsewhere, SETTINGS_PATH);
    open(&mut client, &uri, "json", r#"{ "permissions": { "allow": ["mcp__s__raed"] } }"#).await;
    assert_eq!(pull(&mut client, &uri).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_rename_leaves_what_lies_outside_the_workspace_and_says_so() {
    let allowed = r#"{ "permissions": { "allow": ["mcp__s__read"] } }"#;
    let (root, elsewhere) = (workspace(), folder(&[(SETTINGS_PATH, allowed)]));
    std::fs::write(root.path().join(SETTINGS_PATH), allowed).unwrap();
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    open(&mut client, &uri_in(&elsewhere, SETTINGS_PATH), "json", allowed).await;
    client.open("server.ts").await;
    let params = json!({
        "textDocument": { "uri": client.uri("server.ts") }, "position": { "line": 2, "character": 24 }, "newName": "look",
    });
    let edit = client.request("textDocument/rename", params).await.unwrap();
    let changed = edit["documentChanges"].as_array().unwrap().iter();
    let changed: Vec<&str> = changed.filter_map(|change| change["textDocument"]["uri"].as_str()).collect();
    assert_eq!(changed, [client.uri(SETTINGS_PATH), client.uri("server.ts")]);
    let told = client.wait(|message| message["method"] == "window/showMessage").await;
    let told = told["params"]["message"].as_str().unwrap();
    assert!(told.contains("the file is outside the workspace"), "{told}");
}

#[tokio::test]
async fn where_a_server_tells_what_to_run_its_tool_answers() {
    let server = "import { Server } from \"@modelcontextprotocol/sdk/server/index.js\";\n\
         import { CallToolRequestSchema, ListToolsRequestSchema } from \"@modelcontextprotocol/sdk/types.js\";\n\
         const server = new Server({ name: \"s\", version: \"1\" });\n\
         server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: \"read_it\", description: \"Reads.\" }] }));\n\
         server.setRequestHandler(CallToolRequestSchema, async (request) => {\n  switch (request.params.name) {\n    case \"read_it\": return read();\n  }\n});\n";
    let root = folder(&[("server.ts", server), (".mcp.json", CONFIG)]);
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open("server.ts").await;
    let hover = client.at("textDocument/hover", "server.ts", 6, 14).await.unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().starts_with("**read_it**"), "{hover}");
    let there = client.at("textDocument/definition", "server.ts", 6, 14).await.unwrap();
    assert_eq!(there[0]["range"]["start"]["line"], 3);
    let range = client.at("textDocument/prepareRename", "server.ts", 6, 14).await.unwrap();
    assert_eq!(range["placeholder"], "read_it");
    let lines = |found: &Value| -> Vec<u64> {
        found.as_array().unwrap().iter().map(|one| one["range"]["start"]["line"].as_u64().unwrap()).collect()
    };
    for line in [3, 6] {
        let at = if line == 3 { 82 } else { 14 };
        assert_eq!(lines(&client.at("textDocument/documentHighlight", "server.ts", line, at).await.unwrap()), [3, 6]);
    }
}

#[tokio::test]
async fn a_string_that_nobody_closed_yet_is_completed() {
    let root = server_with(&["read", "write"], &[]);
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    for line_break in ["\n", "\r\n"] {
        let text =
            format!("{{ \"permissions\": {{ \"allow\": [{line_break}  \"mcp__s__{line_break}] }} }}{line_break}");
        client.open_with(SETTINGS_PATH, &text).await;
        let offered = client.at("textDocument/completion", SETTINGS_PATH, 1, 11).await.unwrap();
        let items = offered["items"].as_array().unwrap().iter();
        let texts: Vec<&str> = items.filter_map(|item| item["textEdit"]["newText"].as_str()).collect();
        assert!(texts.contains(&"mcp__s__read") && texts.contains(&"mcp__s__write"), "{offered}");
        let end = &offered["items"][0]["textEdit"]["range"]["end"];
        assert_eq!(end, &json!({ "line": 1, "character": 11 }));
    }
}

#[tokio::test]
async fn where_a_text_speaks_of_a_tool_it_answers() {
    let server = format!("{SERVER}server.registerTool(\"read_it\", {{}}, run);\n");
    let root =
        folder(&[("server.ts", &server), (".mcp.json", CONFIG), ("README.md", "Call `read_it`, then read it.\n")]);
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open("README.md").await;
    let hover = client.at("textDocument/hover", "README.md", 0, 9).await.unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().starts_with("**read_it**"), "{hover}");
    let there = client.at("textDocument/definition", "README.md", 0, 9).await.unwrap();
    assert_eq!(there[0]["uri"], client.uri("server.ts"));
    assert_eq!(client.at("textDocument/hover", "README.md", 0, 22).await.unwrap(), Value::Null);
}

#[tokio::test]
async fn what_a_config_of_another_name_says_is_followed() {
    let root = server_with(&["read"], &[("toolnames.toml", "extends = \"team.toml\"\n"), ("team.toml", "")]);
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-unknown-tool 0:30-42"]);
    std::fs::write(root.path().join("team.toml"), "[rules]\npermission-unknown-tool = \"off\"\n").unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] })).await;
    for _ in 0..100 {
        if client.pull(SETTINGS_PATH).await.is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("what it says now does not hold");
}

#[tokio::test]
async fn of_a_folder_that_was_taken_out_nothing_is_said_any_more() {
    let (one, two) = (server_with(&["read"], &[]), server_with(&["write"], &[]));
    let params = json!({
        "processId": null, "rootUri": null, "workspaceFolders": folders(&[&one, &two]), "capabilities": pulling(),
    });
    let (mut client, _) = Client::start_with(one.path(), params).await;
    let ask = |known: Value| json!({ "previousResultIds": known });
    let report = client.request("workspace/diagnostic", ask(json!([]))).await.unwrap();
    let known = report["items"].as_array().unwrap().iter();
    let known: Vec<Value> = known.map(|item| json!({ "uri": item["uri"], "value": item["resultId"] })).collect();
    assert_eq!(known.len(), 2);
    let event = json!({ "event": { "added": [], "removed": folders(&[&two]) } });
    client.notify("workspace/didChangeWorkspaceFolders", event).await;
    let report = client.request("workspace/diagnostic", ask(json!(known))).await.unwrap();
    let gone =
        report["items"].as_array().unwrap().iter().find(|item| item["uri"] == uri_in(&two, SETTINGS_PATH)).unwrap();
    assert_eq!((&gone["kind"], &gone["items"]), (&json!("full"), &json!([])));
}

#[tokio::test]
async fn somebody_who_asks_about_all_of_a_long_file_gets_a_menu() {
    let root = workspace();
    let entries: Vec<String> = (0..1500).map(|index| format!("\"mcp__s__raed{index}\"")).collect();
    for (resolves, most) in [(true, 400), (false, 40)] {
        let mut capabilities = pulling();
        if !resolves {
            capabilities["textDocument"]["codeAction"] = json!({});
        }
        let (mut client, _) = Client::start(root.path(), capabilities).await;
        let text = format!("{{ \"permissions\": {{ \"allow\": [{}] }} }}", entries.join(","));
        client.open_with(SETTINGS_PATH, &text).await;
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": text.len() } });
        let document = json!({ "uri": client.uri(SETTINGS_PATH) });
        let params = json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } });
        let actions = client.request("textDocument/codeAction", params).await.unwrap();
        let count = actions.as_array().unwrap().len();
        assert!(count > 5 && count <= most, "{count} actions");
    }
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let root = workspace();
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    let uri = client.uri(SETTINGS_PATH);
    let first = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } })).await.unwrap();
    assert_eq!((first["kind"].as_str(), first["items"].as_array().unwrap().len()), (Some("full"), 1));
    let again = json!({ "textDocument": { "uri": uri }, "previousResultId": first["resultId"] });
    let second = client.request("textDocument/diagnostic", again.clone()).await.unwrap();
    assert_eq!(second, json!({ "kind": "unchanged", "resultId": first["resultId"] }));
    let at = json!({ "line": 0, "character": 0 });
    client.change(SETTINGS_PATH, 2, json!([{ "range": { "start": at, "end": at }, "text": "\n" }])).await;
    let third = client.request("textDocument/diagnostic", again).await.unwrap();
    assert_eq!(shown(&third["items"]), ["permission-unknown-tool 2:3-15"]);
}

#[tokio::test]
async fn a_whole_workspace_is_reported_on_and_then_only_what_changes() {
    let root = workspace();
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let ask = |known: Value| json!({ "previousResultIds": known, "partialResultToken": "w", "workDoneToken": "d" });
    // Partial results are not repeated in the answer.
    let report = client.request("workspace/diagnostic", ask(json!([]))).await.unwrap();
    assert_eq!(report, json!({ "items": [] }));
    let of = |token: &'static str| move |message: &Value| message["params"]["token"] == token;
    assert_eq!(client.wait(of("d")).await["params"]["value"]["kind"], "begin");
    assert_eq!(client.wait(of("d")).await["params"]["value"]["kind"], "end");
    let report = client.wait(of("w")).await["params"]["value"].clone();
    let item = &report["items"][0];
    assert_eq!(report["items"].as_array().unwrap().len(), 1);
    assert_eq!((item["uri"].as_str(), item["version"].clone()), (Some(&*client.uri(SETTINGS_PATH)), Value::Null));
    assert_eq!(shown(&item["items"]), ["permission-unknown-tool 1:3-15"]);
    // Nothing has changed, so the answer waits until something does.
    let known = json!([{ "uri": item["uri"], "value": item["resultId"] }]);
    client.send(json!({ "jsonrpc": "2.0", "id": "w2", "method": "workspace/diagnostic", "params": ask(known) })).await;
    client.open_with("server.ts", &format!("{SERVER}server.registerTool(\"raed\", {{}}, run);\n")).await;
    let part = client.wait(|message| message["params"]["value"]["items"].is_array()).await;
    let items = part["params"]["value"]["items"].as_array().unwrap();
    assert_eq!((items.len(), items[0]["items"].clone()), (1, json!([])));
    client.wait(|message| message["id"] == "w2").await;
}

#[tokio::test]
async fn neovim_fetches_open_documents_again_because_it_is_not_offered_the_whole_workspace() {
    let root = workspace();
    let name =
        |name: &str| json!({ "processId": null, "rootUri": null, "clientInfo": { "name": name }, "capabilities": {} });
    let offered = |hello: Value| hello["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"].clone();
    let (_, hello) = Client::start_with(root.path(), name("Neovim")).await;
    assert_eq!(offered(hello), false);
    let (_, hello) = Client::start_with(root.path(), name("Visual Studio Code")).await;
    assert_eq!(offered(hello), true);
}

#[tokio::test]
async fn a_file_that_is_deleted_is_no_longer_reported_on() {
    let root = workspace();
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let ask = |known: Value| json!({ "previousResultIds": known });
    let report = client.request("workspace/diagnostic", ask(json!([]))).await.unwrap();
    let item = report["items"][0].clone();
    std::fs::remove_file(root.path().join(SETTINGS_PATH)).unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] })).await;
    let known = json!([{ "uri": item["uri"], "value": item["resultId"] }]);
    let mut report = Value::Null;
    for _ in 0..100 {
        report = client.request("workspace/diagnostic", ask(known.clone())).await.unwrap()["items"][0].clone();
        if report["kind"] == "full" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!((&report["uri"], &report["items"]), (&item["uri"], &json!([])));
}

#[tokio::test]
async fn of_thousands_of_findings_a_part_is_shown_and_the_rest_counted() {
    let root = workspace();
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let entries: Vec<String> = (0..1500).map(|index| format!("\"mcp__s__gone{index}\"")).collect();
    client.open_with(SETTINGS_PATH, &format!("{{ \"permissions\": {{ \"allow\": [{}] }} }}", entries.join(","))).await;
    let uri = client.uri(SETTINGS_PATH);
    let report = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } })).await.unwrap();
    let items = report["items"].as_array().unwrap();
    assert_eq!(items.len(), 1001);
    assert_eq!(items[0]["message"], "500 more findings are not shown here; `toolnames check` lists them all");
}

#[tokio::test]
async fn of_thousands_of_symbols_a_part_is_shown_and_the_rest_counted() {
    let tools: Vec<String> = (0..2500).map(|index| format!("read_{index}")).collect();
    let root = server_with(&tools.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open("server.ts").await;
    let document = json!({ "textDocument": { "uri": client.uri("server.ts") } });
    let symbols = client.request("textDocument/documentSymbol", document).await.unwrap();
    fn count(symbols: &Value) -> usize {
        symbols.as_array().map_or(0, |all| all.iter().map(|symbol| 1 + count(&symbol["children"])).sum())
    }
    let last = symbols.as_array().unwrap().last().unwrap();
    let hidden: usize =
        last["name"].as_str().unwrap().strip_suffix(" more are not shown here").unwrap().parse().unwrap();
    // The last symbol stands for the hidden ones.
    assert_eq!((count(&symbols), hidden), (2001, 2500 - 2000), "{last}");
}

#[tokio::test]
async fn a_document_that_is_not_read_says_so_until_it_is() {
    let root = workspace();
    let deep: String = (0..400).map(|depth| format!("{}if x:\n", " ".repeat(depth))).collect();
    std::fs::write(root.path().join("deep.py"), format!("import mcp\n{deep}")).unwrap();
    let said = "more than 383 different indentations";
    let skipped = stdout(&run(root.path(), &["check"]));
    assert!(skipped.contains(&format!("skipped deep.py: {said}")), "{skipped}");
    let about = |items: &Value| {
        let one = |item: &Value| {
            assert_eq!((&item["severity"], &item["source"]), (&json!(3), &json!("toolnames")));
            assert_eq!(
                (&item["range"]["start"], &item["range"]["end"]["line"]),
                (&json!({ "line": 0, "character": 0 }), &json!(0))
            );
            (item["message"].as_str().unwrap().to_string(), item["range"]["end"]["character"].as_u64().unwrap())
        };
        items.as_array().unwrap().iter().map(one).collect::<Vec<_>>()
    };
    let unread = vec![(format!("this file is not read: {said}"), "import mcp".len() as u64)];
    let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 500, "character": 0 } });
    // Those that fetch findings, and those that are sent them.
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open("deep.py").await;
    let document = json!({ "textDocument": { "uri": client.uri("deep.py") } });
    let report = client.request("textDocument/diagnostic", document.clone()).await.unwrap();
    assert_eq!(about(&report["items"]), unread);
    client.change("deep.py", 2, json!([{ "range": everything, "text": "import mcp\n" }])).await;
    let report = client.request("textDocument/diagnostic", document).await.unwrap();
    assert_eq!(about(&report["items"]), Vec::new());
    let (mut client, _) = Client::start(root.path(), json!({})).await;
    client.open("deep.py").await;
    let uri = client.uri("deep.py");
    let published = move |message: &Value| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri.as_str()
    };
    for (version, expected) in [(2, unread), (3, Vec::new())] {
        while about(&client.wait(&published).await["params"]["diagnostics"]) != expected {}
        client.change("deep.py", version, json!([{ "range": everything, "text": "import mcp\n" }])).await;
    }
}

#[tokio::test]
async fn symbols_are_found_across_the_workspace() {
    let root = server_with(&["read_note", "delete_note", "list_tags"], &[]);
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let mut found = async |query: &str| -> Vec<String> {
        let symbols = client.request("workspace/symbol", json!({ "query": query })).await.unwrap();
        let one = |symbol: &Value| format!("{} ({})", symbol["name"].as_str().unwrap(), symbol["containerName"]);
        symbols.as_array().unwrap().iter().map(one).collect()
    };
    assert_eq!(found("note").await, ["delete_note (\"s\")", "read_note (\"s\")"]);
    assert_eq!(found("LT").await, ["delete_note (\"s\")", "list_tags (\"s\")"]);
    assert_eq!(found("raed").await, ["mcp__s__raed (\"allow, Claude Code\")"]);
}

#[tokio::test]
async fn what_a_completion_says_of_itself_comes_when_it_is_chosen() {
    let described = "server.registerTool(\"read\", { title: \"Read\", description: \"Reads a note\" }, run);\n";
    let root = server_with(&[], &[]);
    let mut capabilities = pulling();
    capabilities["textDocument"]["completion"] =
        json!({ "completionItem": { "resolveSupport": { "properties": ["documentation"] } } });
    let (mut client, _) = Client::start(root.path(), capabilities).await;
    client.open_with("server.ts", &format!("{SERVER}{described}")).await;
    client.open_with(SETTINGS_PATH, r#"{ "permissions": { "allow": ["mcp__s__"] } }"#).await;
    let list = client.at("textDocument/completion", SETTINGS_PATH, 0, 38).await.unwrap();
    let item = list["items"].as_array().unwrap().iter().find(|item| item["label"] == "mcp__s__read").unwrap();
    assert_eq!(item["documentation"], Value::Null);
    let item = client.request("completionItem/resolve", item.clone()).await.unwrap();
    assert_eq!(item["documentation"]["value"], "Read\n\nReads a note");
}

#[tokio::test]
async fn hints_and_lenses_are_fetched_again_when_what_is_known_changes_elsewhere() {
    let root = workspace();
    let mut capabilities = pulling();
    capabilities["workspace"]["inlayHint"] = json!({ "refreshSupport": true });
    capabilities["workspace"]["codeLens"] = json!({ "refreshSupport": true });
    capabilities["workspace"]["diagnostics"] = json!({ "refreshSupport": true });
    let (mut client, _) = Client::start(root.path(), capabilities).await;
    client.open(SETTINGS_PATH).await;
    for method in ["workspace/diagnostic/refresh", "workspace/inlayHint/refresh", "workspace/codeLens/refresh"] {
        client.wait(|message| message["method"] == method).await;
    }
    client.open_with("server.ts", &format!("{SERVER}server.registerTool(\"raed\", {{}}, run);\n")).await;
    for method in ["workspace/diagnostic/refresh", "workspace/inlayHint/refresh", "workspace/codeLens/refresh"] {
        client.wait(|message| message["method"] == method).await;
    }
}

#[tokio::test]
async fn many_requests_at_once_and_their_cancellations_lose_no_edit() {
    let tools: Vec<String> = (0..300).map(|index| format!("read_{index}")).collect();
    let root = server_with(&tools.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open_with(SETTINGS_PATH, "{ \"permissions\": { \"allow\": [\"\"] } }").await;
    client.pull("server.ts").await;
    for index in 0..64 {
        let params = json!({ "textDocument": { "uri": client.uri("server.ts") } });
        let method = ["textDocument/codeLens", "textDocument/documentSymbol"][index % 2];
        client
            .send(json!({ "jsonrpc": "2.0", "id": format!("slow{index}"), "method": method, "params": params }))
            .await;
        if index % 3 == 0 {
            client.notify("$/cancelRequest", json!({ "id": format!("slow{index}") })).await;
        }
        if index < 12 {
            let at = json!({ "line": 0, "character": 30 + index });
            let letter = &"mcp__s__raed"[index..=index];
            let change = json!([{ "range": { "start": at, "end": at }, "text": letter }]);
            client.change(SETTINGS_PATH, index as i32 + 2, change).await;
        }
    }
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-unknown-tool 0:30-42"]);
    // Every request is answered exactly once, with a result or with the error that it was cancelled.
    for index in 0..64 {
        let answer = client.wait(|message| message["id"] == format!("slow{index}")).await;
        let code = &answer["error"]["code"];
        assert!(answer.get("error").is_none() || *code == -32800, "{answer}");
    }
}

#[tokio::test]
async fn edits_are_taken_while_the_workspace_is_read() {
    let root = workspace();
    for index in 0..400 {
        let file = format!("{SERVER}server.registerTool(\"t{index}\", {{}}, run);\n");
        std::fs::create_dir_all(root.path().join(format!("p{index}"))).unwrap();
        std::fs::write(root.path().join(format!("p{index}/server.ts")), file).unwrap();
    }
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open_with(SETTINGS_PATH, "{ \"permissions\": { \"allow\": [\"\"] } }").await;
    for (index, letter) in "mcp__s__raed".chars().enumerate() {
        let at = json!({ "line": 0, "character": 30 + index });
        let change = json!([{ "range": { "start": at, "end": at }, "text": letter.to_string() }]);
        client.change(SETTINGS_PATH, index as i32 + 2, change).await;
    }
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-unknown-tool 0:30-42"]);
}

#[tokio::test]
async fn a_config_that_is_broken_says_so_and_mended_holds_again() {
    let root = workspace();
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    client.open_with("toolnames.toml", "[rules\n").await;
    assert_eq!(client.pull("toolnames.toml").await, ["config 0:6-6"]);
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-unknown-tool 1:3-15"]);
    client.change("toolnames.toml", 2, json!([{ "text": "[rules]\npermission-unknown-tool = \"off\"\n" }])).await;
    assert_eq!(client.pull("toolnames.toml").await, Vec::<String>::new());
    assert_eq!(client.pull(SETTINGS_PATH).await, Vec::<String>::new());
}

#[tokio::test]
async fn another_branch_is_checked_out_under_an_open_editor() {
    let root = workspace();
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-unknown-tool 1:3-15"]);
    let mut changes = Vec::new();
    for index in 0..300 {
        let path = format!("src/part{index}.ts");
        std::fs::create_dir_all(root.path().join("src")).unwrap();
        std::fs::write(root.path().join(&path), "export const nothing = 1;\n").unwrap();
        changes.push(json!({ "uri": client.uri(&path), "type": 1 }));
    }
    std::fs::remove_file(root.path().join("server.ts")).unwrap();
    let other = format!("{SERVER}server.registerTool(\"raed\", {{}}, run);\n");
    std::fs::write(root.path().join("server.ts"), other).unwrap();
    changes.push(json!({ "uri": client.uri("server.ts"), "type": 2 }));
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes })).await;
    let mut left = client.pull(SETTINGS_PATH).await;
    for _ in 0..100 {
        if left.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        left = client.pull(SETTINGS_PATH).await;
    }
    assert_eq!(left, Vec::<String>::new());
}

#[tokio::test]
async fn positions_are_right_in_every_encoding_with_emoji_and_both_line_breaks() {
    for (encoding, columns) in [("utf-8", "11-23"), ("utf-16", "9-21"), ("utf-32", "8-20")] {
        let root = workspace();
        let mut capabilities = pulling();
        capabilities["general"]["positionEncodings"] = json!([encoding]);
        let (mut client, hello) = Client::start(root.path(), capabilities).await;
        assert_eq!(hello["capabilities"]["positionEncoding"], encoding);
        let text = "{ \"permissions\": { \"allow\": [\r\n/*😀*/  \"mcp__s__raed\"\r\n] } }";
        client.open_with(SETTINGS_PATH, text).await;
        assert_eq!(client.pull(SETTINGS_PATH).await, [format!("permission-unknown-tool 1:{columns}")], "{encoding}");
    }
}

#[tokio::test]
async fn a_client_that_is_slow_to_read_is_answered_in_the_end() {
    let root = server_with(&["read"], &[]);
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    let uri = client.uri(SETTINGS_PATH);
    client.pull(SETTINGS_PATH).await;
    for id in 0..200 {
        let params = json!({ "textDocument": { "uri": uri } });
        let message =
            json!({ "jsonrpc": "2.0", "id": format!("d{id}"), "method": "textDocument/diagnostic", "params": params });
        client.send(message).await;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    for id in 0..200 {
        let answer = client.wait(|message| message["id"] == format!("d{id}")).await;
        assert_eq!(answer["result"]["items"].as_array().unwrap().len(), 1);
    }
}

/// The text of a document after the first action with a title that is offered at a position.
async fn after_action(
    client: &mut Client,
    path: &str,
    text: &str,
    (line, character): (u32, u32),
    title: &str,
) -> String {
    client.open_with(path, text).await;
    let at = json!({ "line": line, "character": character });
    let params = json!({
        "textDocument": { "uri": client.uri(path) },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [] },
    });
    let actions = client.request("textDocument/codeAction", params).await.unwrap();
    let action = actions.as_array().unwrap().iter().find(|action| action["title"] == title);
    let Some(action) = action else { return format!("no such action: {actions}") };
    let action = client.request("codeAction/resolve", action.clone()).await.unwrap();
    let edit = &action["edit"]["documentChanges"][0]["edits"][0];
    let (place, new) = (&edit["range"]["start"], edit["newText"].as_str().unwrap());
    assert_eq!(edit["range"]["start"], edit["range"]["end"]);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let line = place["line"].as_u64().unwrap() as usize;
    let (before, own) = (lines[..line].concat(), lines[line..].concat());
    let (start, rest) = own.split_at(place["character"].as_u64().unwrap() as usize);
    format!("{before}{start}{new}{rest}")
}

#[tokio::test]
async fn a_comment_that_allows_a_fault_is_written_in_the_language_of_the_file() {
    let root = workspace();
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let title = "Suppress `name-chars` on this line";
    let server = format!("{SERVER}server.registerTool(\r\n  \"bad name\",\r\n  {{}},\r\n  run,\r\n);\r\n");
    let allowed = after_action(&mut client, "server.ts", &server, (3, 7), title).await;
    let comment = "// toolnames: allow(name-chars) TODO: say why\n";
    assert_eq!(allowed, server.replace("server.registerTool", &format!("{comment}server.registerTool")));
    let python = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP(\"s\")\n\nif True:\n    @mcp.tool(name=\"bad name\")\n    def f(): ...\n";
    let allowed = after_action(&mut client, "server.py", python, (4, 21), title).await;
    assert_eq!(allowed, python.replace("    @mcp", "    # toolnames: allow(name-chars) TODO: say why\n    @mcp"));
    // An existing comment that allows one rule is extended to allow two.
    let twice = format!("{SERVER}// toolnames: allow(tool-title) why\nserver.registerTool(\"bad name\", {{}}, run);\n");
    let allowed = after_action(&mut client, "twice.ts", &twice, (3, 24), title).await;
    assert_eq!(allowed, twice.replace("allow(tool-title)", "allow(tool-title, name-chars)"));
}

#[tokio::test]
async fn scripts_and_workflows_take_comments_where_they_are_comments() {
    let root = workspace();
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let title = "Suppress `permission-unknown-tool` on this line";
    let script = "#!/bin/sh\nclaude -p x --allowedTools mcp__s__raed\n";
    let allowed = after_action(&mut client, "run.sh", script, (1, 34), title).await;
    let comment = "# toolnames: allow(permission-unknown-tool) TODO: say why\n";
    assert_eq!(allowed, script.replace("claude", &format!("{comment}claude")));
    // A command that continues on the next line has no place for a comment, and in a multi-line string the comment
    // would be part of the string.
    let continued = "claude -p x \\\n  --allowedTools mcp__s__raed\n";
    let refused = after_action(&mut client, "more.sh", continued, (1, 20), title).await;
    assert!(refused.starts_with("no such action"), "{refused}");
    let workflow = "jobs:\n  a:\n    steps:\n      - run: |\n          claude -p x --allowedTools mcp__s__raed\n";
    let refused = after_action(&mut client, ".github/workflows/a.yml", workflow, (4, 40), title).await;
    assert!(refused.starts_with("no such action"), "{refused}");
}

#[tokio::test]
async fn no_comment_is_offered_where_the_reader_takes_none() {
    let root = workspace();
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let title = "Suppress `permission-unknown-tool` on this line";
    let plain = "{ \"permissions\": { \"allow\": [\n  \"mcp__s__raed\"\n] } }\n";
    let offered = after_action(&mut client, SETTINGS_PATH, plain, (1, 5), title).await;
    assert!(offered.starts_with("no such action"), "{offered}");
    let commented = format!("// mine\n{plain}");
    let allowed = after_action(&mut client, ".claude/settings.local.json", &commented, (2, 5), title).await;
    let comment = "  // toolnames: allow(permission-unknown-tool) TODO: say why\n";
    assert_eq!(allowed, commented.replace("  \"mcp", &format!("{comment}  \"mcp")));
}

#[tokio::test]
async fn a_view_of_all_tools_shows_who_permits_and_denies_each() {
    let settings = r#"{ "permissions": { "allow": ["mcp__s__*"], "deny": ["mcp__s__read"] } }"#;
    let root = server_with(&["write", "read"], &[(".claude/settings.local.json", settings)]);
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let folders = client.request("toolnames/tools", Value::Null).await.unwrap();
    let server = &folders[0]["servers"][0];
    assert_eq!((&server["name"], &server["keys"][0]["key"]), (&json!("s"), &json!("s")));
    let tools = server["tools"].as_array().unwrap();
    let said = |tool: &Value| -> Vec<String> {
        let one = |said: &Value| {
            let decides = if said["decides"] == true { ", decides" } else { "" };
            format!("{} {}{decides}", said["kind"].as_str().unwrap(), said["text"].as_str().unwrap())
        };
        tool["said"].as_array().unwrap().iter().map(one).collect()
    };
    assert_eq!(tools[0]["name"], "read");
    assert_eq!(said(&tools[0]), ["allow mcp__s__*", "deny mcp__s__read, decides"]);
    assert_eq!(said(&tools[1]), ["allow mcp__s__*, decides"]);
    assert_eq!(tools[0]["location"]["uri"], client.uri("server.ts"));
    assert_eq!(tools[0]["location"]["range"]["start"], json!({ "line": 3, "character": 21 }));
}

#[tokio::test]
async fn hints_say_how_near_a_name_is_to_a_limit_and_lenses_when_an_alias_goes() {
    let long = "a_tool_whose_name_is_nearly_too_long_for_claude_code_now";
    let alias = "// toolnames: alias of a_tool until 2001-01-01\nserver.registerTool(\"old\", {}, run);\n";
    let root = server_with(&[], &[]);
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let text = format!("{SERVER}server.registerTool(\"{long}\", {{}}, run);\n{alias}");
    client.open_with("server.ts", &text).await;
    let uri = client.uri("server.ts");
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": range });
    let hints = client.request("textDocument/inlayHint", params).await.unwrap();
    assert_eq!(hints[0]["label"], "0 characters left (Claude Code)");
    let params = json!({ "textDocument": { "uri": uri } });
    let lenses = client.request("textDocument/codeLens", params).await.unwrap();
    assert_eq!(lenses[0]["command"]["title"], "the alias of `a_tool` has expired");
}

#[tokio::test]
async fn a_client_that_shows_the_tools_is_told_when_there_are_others() {
    let root = server_with(&["read"], &[]);
    let mut capabilities = pulling();
    capabilities["experimental"] = json!({ "toolsChanged": true });
    let (mut client, _) = Client::start(root.path(), capabilities).await;
    let is_told = |message: &Value| message["method"] == "toolnames/toolsChanged";
    client.wait(is_told).await;
    let text = std::fs::read_to_string(root.path().join("server.ts")).unwrap();
    client.open_with("server.ts", &text.replace("\"read\"", "\"reread\"")).await;
    client.wait(is_told).await;
    let folders = client.request("toolnames/tools", Value::Null).await.unwrap();
    assert_eq!(folders[0]["servers"][0]["tools"][0]["name"], "reread");
}

#[tokio::test]
async fn an_editor_can_explain_every_rule() {
    let root = workspace();
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    let rules = client.request("toolnames/rules", Value::Null).await.unwrap();
    let rules = rules.as_array().unwrap();
    assert_eq!(rules.len(), toolnames::testing::rules::RULES.len());
    let rule = rules.iter().find(|rule| rule["id"] == "name-chars").unwrap();
    assert_eq!(rule["severity"], "warning");
    assert!(rule["page"].as_str().unwrap().starts_with("# `name-chars`\n\n"), "{rule}");
    for rule in rules {
        let summary = rule["summary"].as_str().unwrap();
        assert!(summary.ends_with('.') && !summary.contains('\n'), "{}: {summary}", rule["id"]);
    }
}

#[tokio::test]
async fn a_config_is_completed_and_explained() {
    let root = server_with(&["read"], &[("toolnames.toml", "[alias]\nmode = \"hidden\"\n")]);
    let (mut client, _) = Client::start(root.path(), pulling()).await;
    client.open("toolnames.toml").await;
    let offered = client.at("textDocument/completion", "toolnames.toml", 1, 10).await.unwrap();
    let texts: Vec<&str> =
        offered["items"].as_array().unwrap().iter().map(|item| item["textEdit"]["newText"].as_str().unwrap()).collect();
    assert_eq!(texts, ["listed", "hidden", "none"]);
    let range = &offered["items"][0]["textEdit"]["range"];
    assert_eq!(range, &json!({ "start": { "line": 1, "character": 8 }, "end": { "line": 1, "character": 14 } }));
    let hover = client.at("textDocument/hover", "toolnames.toml", 1, 2).await.unwrap();
    assert!(
        hover["contents"]["value"].as_str().unwrap().contains("can be called but is not in `tools/list`"),
        "{hover}"
    );
}

#[tokio::test]
async fn where_no_comment_can_stand_the_config_allows_a_fault() {
    let allows = |config: &'static str, capabilities: Value| async move {
        let files: &[(&str, &str)] = if config.is_empty() { &[] } else { &[("toolnames.toml", config)] };
        let root = server_with(&["read"], files);
        let (mut client, _) = Client::start(root.path(), capabilities).await;
        client.open(SETTINGS_PATH).await;
        let at = json!({ "line": 0, "character": 35 });
        let params = json!({
            "textDocument": { "uri": client.uri(SETTINGS_PATH) },
            "range": { "start": at, "end": at },
            "context": { "diagnostics": [] },
        });
        let actions = client.request("textDocument/codeAction", params).await.unwrap();
        let title = "Allow `permission-unknown-tool` for `mcp__s__raed`, in toolnames.toml";
        let action = actions.as_array().unwrap().iter().find(|action| action["title"] == title);
        action.map(|action| action["edit"]["documentChanges"].clone())
    };
    const ENTRY: &str =
        "permission-unknown-tool = { allow = [{ name = \"mcp__s__raed\", why = \"TODO: say why\" }] }\n";
    // An existing config gets a new line.
    let edits = allows("[rules]\n", pulling()).await.unwrap();
    assert_eq!(edits[0]["edits"][0]["newText"], ENTRY);
    assert_eq!(edits[0]["edits"][0]["range"]["start"], json!({ "line": 1, "character": 0 }));
    // One that is not is made, where the client can make files.
    assert_eq!(allows("", pulling()).await, None);
    let mut capabilities = pulling();
    capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["create"]);
    let edits = allows("", capabilities).await.unwrap();
    assert_eq!(edits[0]["kind"], "create");
    assert_eq!(edits[1]["edits"][0]["newText"], format!("[rules]\n{ENTRY}"));
}

#[tokio::test]
async fn the_config_that_an_editor_names_leads_from_the_folder_and_stays_until_another_is_named() {
    let off = "[rules]\npermission-unknown-tool = \"off\"\n";
    let root = server_with(&["read"], &[("strict/other.toml", off)]);
    let uri = format!("file://{}", root.path().canonicalize().unwrap().display());
    let params = json!({
        "processId": null, "rootUri": uri, "capabilities": pulling(),
        "initializationOptions": { "config": "strict/other.toml" },
    });
    let (mut client, _) = Client::start_with(root.path(), params).await;
    client.open(SETTINGS_PATH).await;
    let uri = client.uri(SETTINGS_PATH);
    assert!(pull(&mut client, &uri).await.is_empty());
    // Some clients send their settings even though they have none.
    client.notify("workspace/didChangeConfiguration", json!({ "settings": {} })).await;
    assert!(pull(&mut client, &uri).await.is_empty());
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "config": "" } })).await;
    let mut found = Vec::new();
    for _ in 0..200 {
        // The server reads the config while it answers requests.
        found = pull(&mut client, &uri).await;
        if !found.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(found.len(), 1, "{found:?}");
    // A config that does not exist is reported.
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "config": "none.toml" } })).await;
    let told = client.wait(|message| message["method"] == "window/showMessage").await;
    assert!(told["params"]["message"].as_str().unwrap().contains("none.toml"), "{told}");
}
