//! The language server, used over a pipe as editors use it.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use super::cli::folder;
use super::editor::{Client, shown};

const SERVER: &str = "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst server = new McpServer({ name: \"s\", version: \"1\" });\nserver.registerTool(\"read\", {}, run);\n";
const CONFIG: &str = r#"{ "mcpServers": { "s": { "command": "node", "args": ["server.ts"] } } }"#;
const SETTINGS: &str = "{ \"permissions\": { \"allow\": [\n  \"mcp__s__raed\"\n] } }\n";
pub(super) const SETTINGS_PATH: &str = ".claude/settings.json";

pub(super) fn workspace() -> tempfile::TempDir {
    folder(&[("server.ts", SERVER), (".mcp.json", CONFIG), (SETTINGS_PATH, SETTINGS)])
}

pub(super) fn pulling() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-16"] },
        "textDocument": { "diagnostic": {}, "codeAction": { "resolveSupport": { "properties": ["edit"] } } },
        "workspace": { "workspaceEdit": { "documentChanges": true } }
    })
}

#[tokio::test]
async fn findings_are_fetched_and_follow_every_keystroke() {
    let folder = workspace();
    let (mut client, hello) = Client::start(folder.path(), pulling()).await;
    assert_eq!(hello["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(hello["capabilities"]["textDocumentSync"]["change"], 2);
    client.open(SETTINGS_PATH).await;
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-unknown-tool 1:3-15"]);
    // An emoji before the entry moves it by two UTF-16 units.
    let at = json!({ "start": { "line": 1, "character": 2 }, "end": { "line": 1, "character": 2 } });
    client.change(SETTINGS_PATH, 2, json!([{ "range": at, "text": "/*😀*/" }])).await;
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-unknown-tool 1:9-21"]);
    let typo = json!({ "start": { "line": 1, "character": 17 }, "end": { "line": 1, "character": 21 } });
    client.change(SETTINGS_PATH, 3, json!([{ "range": typo, "text": "read" }])).await;
    assert_eq!(client.pull(SETTINGS_PATH).await, Vec::<String>::new());
}

#[tokio::test]
async fn findings_are_sent_to_clients_that_do_not_fetch_them() {
    let folder = workspace();
    let capabilities = json!({ "textDocument": { "publishDiagnostics": { "versionSupport": true } } });
    let (mut client, hello) = Client::start(folder.path(), capabilities).await;
    assert_eq!(hello["capabilities"]["positionEncoding"], Value::Null);
    client.open(SETTINGS_PATH).await;
    let uri = client.uri(SETTINGS_PATH);
    let published = |version: i32| {
        let uri = uri.clone();
        move |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri.as_str()
                && message["params"]["version"] == version
        }
    };
    // The findings that need only the document itself may be published first: there are none.
    let found = |message: &Value| published(1)(message) && message["params"]["diagnostics"] != json!([]);
    let message = client.wait(found).await;
    assert_eq!(shown(&message["params"]["diagnostics"]), ["permission-unknown-tool 1:3-15"]);
    client.change(SETTINGS_PATH, 2, json!([{ "text": "{}" }])).await;
    let message = client.wait(published(2)).await;
    assert_eq!(shown(&message["params"]["diagnostics"]), Vec::<String>::new());
}

#[tokio::test]
async fn an_edit_in_source_changes_what_is_said_of_settings() {
    let folder = workspace();
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    client.open("server.ts").await;
    assert_eq!(client.pull(SETTINGS_PATH).await.len(), 1);
    let name = json!({ "start": { "line": 2, "character": 21 }, "end": { "line": 2, "character": 25 } });
    client.change("server.ts", 2, json!([{ "range": name, "text": "raed" }])).await;
    assert_eq!(client.pull(SETTINGS_PATH).await, Vec::<String>::new());
    let uri = client.uri("server.ts");
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } })).await;
    assert_eq!(client.pull(SETTINGS_PATH).await.len(), 1, "closed unsaved: the file on disk counts again");
}

#[tokio::test]
async fn quick_fixes_carry_their_edits() {
    let folder = workspace();
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    let uri = client.uri(SETTINGS_PATH);
    let range = json!({ "start": { "line": 1, "character": 5 }, "end": { "line": 1, "character": 5 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params).await.unwrap();
    assert_eq!(actions[0]["title"], "Replace with `mcp__s__read`");
    let change = &actions[0]["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"]["version"], 1);
    assert_eq!(change["edits"][0]["newText"], "ea");
    let params = json!({
        "textDocument": { "uri": uri }, "range": range,
        "context": { "diagnostics": [], "only": ["source.fixAll"] }
    });
    let actions = client.request("textDocument/codeAction", params).await.unwrap();
    assert_eq!(actions[0]["kind"], "source.fixAll.toolnames");
}

#[tokio::test]
async fn a_rename_offered_as_a_fix_finds_its_edits_when_chosen() {
    let folder = folder(&[("server.ts", &SERVER.replace("\"read\"", "\"read it\"")), (".mcp.json", CONFIG)]);
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open("server.ts").await;
    assert_eq!(client.pull("server.ts").await, ["name-chars 2:25-26"]);
    let uri = client.uri("server.ts");
    // Anywhere on the name, not only on the space in it.
    let range = json!({ "start": { "line": 2, "character": 22 }, "end": { "line": 2, "character": 22 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params).await.unwrap();
    assert_eq!(actions[0]["title"], "Rename to `read_it`");
    assert_eq!(actions[0].get("edit"), None);
    let resolved = client.request("codeAction/resolve", actions[0].clone()).await.unwrap();
    assert_eq!(resolved["edit"]["documentChanges"][0]["edits"][0]["newText"], "read_it");
    assert_eq!(actions[1]["title"], "Rename to `read_it` and keep `read it` as an alias");
    let resolved = client.request("codeAction/resolve", actions[1].clone()).await.unwrap();
    let edits = resolved["edit"]["documentChanges"][0]["edits"].as_array().unwrap().iter();
    assert!(edits.flat_map(|edit| edit["newText"].as_str()).any(|text| text.contains("alias of read_it")));
}

#[tokio::test]
async fn where_a_python_function_names_the_tool_it_can_be_renamed_too() {
    const TOOLS: &str =
        "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP(\"s\")\n@mcp.tool()\ndef readIt(): ...\nreadIt()\n";
    let config = "[convention]\nseparator = \"_\"\ncase = \"lower\"\n";
    let folder = folder(&[("server.py", TOOLS), ("toolnames.toml", config)]);
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open("server.py").await;
    let range = json!({ "start": { "line": 3, "character": 5 }, "end": { "line": 3, "character": 5 } });
    let document = json!({ "uri": client.uri("server.py") });
    let params = json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } });
    let actions = client.request("textDocument/codeAction", params).await.unwrap();
    let titles: Vec<&str> = actions.as_array().unwrap().iter().filter_map(|action| action["title"].as_str()).collect();
    let renames = [
        "Rename to `read_it`",
        "Rename to `read_it` and keep `readIt` as an alias",
        "Rename to `read_it`, including the function, and keep `readIt` as an alias",
        "Rename to `read_it`, including the function",
    ];
    assert_eq!(titles[..4], renames);
    let mut edits = async |action: &Value| -> Vec<String> {
        let resolved = client.request("codeAction/resolve", action.clone()).await.unwrap();
        let edits = resolved["edit"]["documentChanges"][0]["edits"].as_array().unwrap();
        edits.iter().map(|edit| edit["newText"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(edits(&actions[0]).await, ["name=\"read_it\""]);
    assert_eq!(edits(&actions[3]).await, ["read_it", "read_it"]);
}

#[tokio::test]
async fn from_a_permission_to_its_registration_and_back() {
    let folder =
        folder(&[("server.ts", SERVER), (".mcp.json", CONFIG), (SETTINGS_PATH, &SETTINGS.replace("raed", "read"))]);
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    client.open("server.ts").await;
    let there = client.at("textDocument/definition", SETTINGS_PATH, 1, 6).await.unwrap();
    assert_eq!(there[0]["uri"], client.uri("server.ts"));
    assert_eq!(there[0]["range"]["start"], json!({ "line": 2, "character": 21 }));
    let back = client.at("textDocument/definition", "server.ts", 2, 22).await.unwrap();
    assert_eq!(back[0]["uri"], client.uri(SETTINGS_PATH));
    let hover = client.at("textDocument/hover", SETTINGS_PATH, 1, 6).await.unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("`mcp__s__read`, 12 characters"), "{hover}");
    assert_eq!(client.at("textDocument/hover", "server.ts", 0, 3).await.unwrap(), Value::Null);
}

#[tokio::test]
async fn a_rename_reaches_files_that_are_not_open() {
    let folder = folder(&[
        ("server.ts", SERVER),
        (".mcp.json", CONFIG),
        (SETTINGS_PATH, &SETTINGS.replace("raed", "read")),
        ("toolnames.toml", "[alias]\nmode = \"none\"\n"),
    ]);
    let (mut client, _) = Client::start(folder.path(), json!({})).await;
    client.open("server.ts").await;
    assert_eq!(client.at("textDocument/prepareRename", "server.ts", 1, 8).await.unwrap(), Value::Null);
    let prepared = client.at("textDocument/prepareRename", "server.ts", 2, 23).await.unwrap();
    assert_eq!(prepared["placeholder"], "read");
    let uri = client.uri("server.ts");
    let rename = |new: &str| json!({ "textDocument": { "uri": uri }, "position": { "line": 2, "character": 23 }, "newName": new });
    let edit = client.request("textDocument/rename", rename("fetch")).await.unwrap();
    let changes = edit["changes"].as_object().expect("plain changes for a client that knows no others");
    assert_eq!(changes.len(), 2);
    let settings = &changes[&client.uri(SETTINGS_PATH)][0];
    assert_eq!(settings["newText"], "fetch");
    assert_eq!(settings["range"]["start"], json!({ "line": 1, "character": 11 }));
    let refusal = client.request("textDocument/rename", rename("")).await.unwrap_err();
    assert_eq!(refusal["message"], "the new name is empty");
    let refusal = client.request("textDocument/rename", rename("not a name")).await.unwrap_err();
    assert!(refusal["message"].as_str().unwrap().contains("invalid tool name"), "{refusal}");
}

#[tokio::test]
async fn a_rename_leaves_the_old_name_callable() {
    let folder =
        folder(&[("server.ts", SERVER), (".mcp.json", CONFIG), (SETTINGS_PATH, &SETTINGS.replace("raed", "read"))]);
    let annotated = json!({ "workspace": { "workspaceEdit": {
        "documentChanges": true, "changeAnnotationSupport": { "groupsOnLabel": true },
    } } });
    let (mut client, _) = Client::start(folder.path(), annotated).await;
    client.open("server.ts").await;
    let at = json!({ "line": 2, "character": 23 });
    let rename = json!({ "textDocument": { "uri": client.uri("server.ts") }, "position": at, "newName": "fetch" });
    let edit = client.request("textDocument/rename", rename).await.unwrap();
    let source = edit["documentChanges"].as_array().unwrap().iter();
    let source = source.filter(|change| change["textDocument"]["uri"] == client.uri("server.ts"));
    let edits: Vec<&Value> = source.flat_map(|change| change["edits"].as_array().unwrap()).collect();
    let of = |group: &str| -> String {
        let texts = edits.iter().filter(|edit| edit["annotationId"] == group).map(|edit| edit["newText"].as_str());
        texts.flatten().collect::<Vec<&str>>().join("…")
    };
    assert_eq!(of("source"), "fetch");
    assert!(of("alias").contains("// toolnames: alias of fetch\n") && of("alias").contains("\"read\""), "{edit}");
    assert_eq!(edit["changeAnnotations"]["alias"]["needsConfirmation"], true);
    assert_eq!(edit["changeAnnotations"]["source"]["needsConfirmation"], false);
}

#[tokio::test]
async fn files_that_change_on_disk_are_seen() {
    let folder = workspace();
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    assert_eq!(client.pull(SETTINGS_PATH).await.len(), 1);
    std::fs::write(folder.path().join("server.ts"), SERVER.replace("\"read\"", "\"raed\" ")).unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] })).await;
    for _ in 0..100 {
        if client.pull(SETTINGS_PATH).await.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(client.pull(SETTINGS_PATH).await, Vec::<String>::new());
    std::fs::remove_file(folder.path().join(".mcp.json")).unwrap();
    std::fs::write(folder.path().join("toolnames.toml"), "[servers]\nclosed = true\n").unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] })).await;
    for _ in 0..100 {
        if !client.pull(SETTINGS_PATH).await.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-unknown-server 1:3-15"]);
}

#[tokio::test]
async fn a_config_that_is_edited_holds_at_once() {
    let folder = workspace();
    std::fs::write(folder.path().join("toolnames.toml"), "").unwrap();
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    client.open("toolnames.toml").await;
    assert_eq!(client.pull(SETTINGS_PATH).await.len(), 1);
    let off = "[rules]\npermission-unknown-tool = \"off\"\n";
    client.change("toolnames.toml", 2, json!([{ "text": off }])).await;
    assert_eq!(client.pull(SETTINGS_PATH).await, Vec::<String>::new());
    client.change("toolnames.toml", 3, json!([{ "text": "[rules]\npermission-unknown-tool = \"of\"\n" }])).await;
    assert_eq!(client.pull("toolnames.toml").await, ["config 1:26-30"]);
    assert_eq!(client.pull(SETTINGS_PATH).await.len(), 1);
}

#[tokio::test]
async fn a_burst_of_edits_is_taken_in_order() {
    let folder = workspace();
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open_with(SETTINGS_PATH, "{ \"permissions\": { \"allow\": [\"\"] } }").await;
    let text = "mcp__s__raed";
    for (index, letter) in text.chars().enumerate() {
        let at = json!({ "line": 0, "character": 30 + index });
        let change = json!([{ "range": { "start": at, "end": at }, "text": letter.to_string() }]);
        client.change(SETTINGS_PATH, index as i32 + 2, change).await;
    }
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-unknown-tool 0:30-42"]);
}

#[tokio::test]
async fn shutdown_is_understood_with_and_without_params() {
    let folder = workspace();
    let (mut client, _) = Client::start(folder.path(), json!({})).await;
    assert_eq!(client.request("shutdown", Value::Null).await.unwrap(), Value::Null);
}

#[tokio::test]
async fn what_is_no_message_is_left_out() {
    let folder = workspace();
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    for rubbish in [
        "Content-Length: 5\r\n\r\nhello",
        "Content-Length: 2\r\n\r\n[]",
        "Content-Length: nonsense\r\n\r\n",
        "nothing at all\r\n\r\n",
        "Content-Length: 99999999999999\r\n\r\n",
    ] {
        client.input.write_all(rubbish.as_bytes()).await.unwrap();
    }
    client.input.write_all(b"Content-Length: 3\r\n\r\n\xff\xfe\x00").await.unwrap();
    assert_eq!(client.pull(SETTINGS_PATH).await, ["permission-unknown-tool 1:3-15"]);
}

/// A copy of the example with the gateway.
fn gateway() -> tempfile::TempDir {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/syntropy");
    let folder = tempfile::tempdir().unwrap();
    for path in [
        "toolnames.toml",
        ".mcp.json",
        ".claude/settings.local.json",
        "CLAUDE.md",
        "syntropy-mcp/package.json",
        "syntropy-mcp/servers.json",
        "syntropy-mcp/src/index.ts",
        "syntropy-mcp/src/tools-definition.ts",
    ] {
        let to = folder.path().join(path);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(example.join(path), to).unwrap();
    }
    folder
}

#[tokio::test]
async fn hover_shows_the_whole_way_of_a_call_on_each_form_of_a_gateway_tool() {
    let folder = gateway();
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    let way = "`mcp__syntropy__context7_get_library_docs` → `context7_get_library_docs` → `syn-context7` → `get-library-docs`";
    for (path, form) in [
        (".claude/settings.local.json", "mcp__syntropy__context7_get_library_docs"),
        ("syntropy-mcp/src/tools-definition.ts", "context7_get_library_docs"),
        ("syntropy-mcp/src/index.ts", "syn-context7"),
        ("syntropy-mcp/servers.json", "syn-context7"),
        ("CLAUDE.md", "mcp__syntropy__context7_get_library_docs"),
    ] {
        client.open(path).await;
        let text = std::fs::read_to_string(folder.path().join(path)).unwrap();
        let at = text.find(form).unwrap_or_else(|| panic!("{path} has no {form}")) + 4;
        let line = text[..at].matches('\n').count() as u32;
        let character = (at - text[..at].rfind('\n').map_or(0, |end| end + 1)) as u32;
        let hover = client.at("textDocument/hover", path, line, character).await.unwrap();
        assert!(hover["contents"]["value"].as_str().unwrap_or("").contains(way), "{path}: {hover}");
    }
}

#[tokio::test]
async fn a_profile_that_is_switched_on_in_the_editor_reads_the_documents_it_is_about() {
    let folder = gateway();
    let wrong = "Call `mcp__syntropy_serena_find_symbol`.\n";
    std::fs::write(folder.path().join("CLAUDE.md"), wrong).unwrap();
    std::fs::write(folder.path().join("toolnames.toml"), "profile = \"mcp\"\n").unwrap();
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open("CLAUDE.md").await;
    client.open("toolnames.toml").await;
    assert_eq!(client.pull("CLAUDE.md").await, Vec::<String>::new());
    let all = json!([{ "text": "profile = \"syntropy\"\n" }]);
    client.change("toolnames.toml", 2, all).await;
    assert_eq!(client.pull("CLAUDE.md").await, ["docs-name 0:6-38"]);
    // A document that is not open is checked, too: the servers that the gateway starts are compared with its routes.
    assert_eq!(client.pull("syntropy-mcp/servers.json").await, Vec::<String>::new());
    client.change("CLAUDE.md", 2, json!([{ "text": "Call `mcp__syntropy__serena_find_symbol`.\n" }])).await;
    assert_eq!(client.pull("CLAUDE.md").await, Vec::<String>::new());
}

#[tokio::test]
async fn the_full_name_stands_beside_a_short_one() {
    let server = "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst server = new McpServer({ name: \"s\", version: \"1\" });\nconst add = (name) => server.registerTool(\"s_\" + name, {}, run);\nadd(\"read\");\nserver.registerTool(\"whole\", {}, run);\n";
    let folder = folder(&[("server.ts", server)]);
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open("server.ts").await;
    let uri = client.uri("server.ts");
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": range });
    let hints = client.request("textDocument/inlayHint", params).await.unwrap();
    assert_eq!(hints.as_array().unwrap().len(), 1, "{hints}");
    assert_eq!(hints[0]["label"], "s_read");
    assert_eq!(hints[0]["position"], json!({ "line": 3, "character": 10 }));
}

const TWO_TOOLS: &str = "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst server = new McpServer({ name: \"s\", version: \"1\" });\nserver.registerTool(\"read\", { title: \"Read it\", description: \"Reads.\" }, run);\nserver.registerTool(\"write\", {}, run);\n";

/// The completions offered inside a string of an allow list.
async fn offered(list: &str, character: u32) -> Vec<String> {
    let settings = format!("{{ \"permissions\": {{ \"allow\": [\n  {list}\n] }} }}\n");
    let folder = folder(&[("server.ts", TWO_TOOLS), (".mcp.json", CONFIG), (SETTINGS_PATH, &settings)]);
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    let offered = client.at("textDocument/completion", SETTINGS_PATH, 1, character).await.unwrap();
    let items = offered["items"].as_array().cloned().unwrap_or_default();
    items.iter().map(|item| item["textEdit"]["newText"].as_str().unwrap_or_default().to_string()).collect()
}

#[tokio::test]
async fn a_permission_is_completed_server_first_then_tool() {
    assert_eq!(offered("\"\"", 3).await, ["mcp__s", "mcp__s__"]);
    assert_eq!(offered("\"mcp__\"", 8).await, ["mcp__s", "mcp__s__"]);
    assert_eq!(offered("\"mcp__s__\"", 11).await, ["mcp__s", "mcp__s__read", "mcp__s__write"]);
    // The name of a tool is enough to find the entry, and entries that the list already has are not offered again.
    assert_eq!(offered("\"rea\"", 6).await, ["mcp__s__read"]);
    assert_eq!(offered("\"mcp__s__\", \"mcp__s__read\"", 11).await, ["mcp__s", "mcp__s__write"]);
    assert_eq!(offered("\"mcp__s__read\"", 1).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_completed_tool_says_what_it_is() {
    let settings = "{ \"permissions\": { \"allow\": [\n  \"mcp__s__re\"\n] } }\n";
    let folder = folder(&[("server.ts", TWO_TOOLS), (".mcp.json", CONFIG), (SETTINGS_PATH, settings)]);
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    let offered = client.at("textDocument/completion", SETTINGS_PATH, 1, 13).await.unwrap();
    let read = offered["items"].as_array().unwrap().iter().find(|item| item["label"] == "mcp__s__read").unwrap();
    assert_eq!(read["documentation"]["value"], "Read it\n\nReads.");
    // The whole string is replaced, whatever the editor considers a word.
    let range = &read["textEdit"]["range"];
    assert_eq!((&range["start"]["character"], &range["end"]["character"]), (&json!(3), &json!(13)));
}

#[tokio::test]
async fn references_lead_both_ways_and_wildcards_say_how_much_they_match() {
    let settings = "{ \"permissions\": { \"allow\": [\n  \"mcp__s__read\",\n  \"mcp__s__*\"\n], \"deny\": [\"mcp__s__read\"] } }\n";
    let folder = folder(&[("server.ts", TWO_TOOLS), (".mcp.json", CONFIG), (SETTINGS_PATH, settings)]);
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    client.open("server.ts").await;
    for (path, line, character) in [("server.ts", 2, 22), (SETTINGS_PATH, 1, 6)] {
        let params = json!({
            "textDocument": { "uri": client.uri(path) }, "position": { "line": line, "character": character },
            "context": { "includeDeclaration": true },
        });
        let found = client.request("textDocument/references", params).await.unwrap();
        assert_eq!(found.as_array().unwrap().len(), 4, "{found}");
    }
    let here = client.at("textDocument/documentHighlight", SETTINGS_PATH, 1, 6).await.unwrap();
    assert_eq!(here.as_array().unwrap().len(), 3, "{here}");
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": client.uri(SETTINGS_PATH) }, "range": range });
    let hints = client.request("textDocument/inlayHint", params).await.unwrap();
    assert_eq!(hints.as_array().unwrap().len(), 1, "{hints}");
    assert_eq!((&hints[0]["label"], &hints[0]["position"]["line"]), (&json!("2 tools"), &json!(2)));
}

#[tokio::test]
async fn packages_that_are_installed_updated_and_removed_are_seen() {
    let config = r#"{ "mcpServers": { "notes": { "command": "npx", "args": ["notes-mcp"] } } }"#;
    let settings = "{ \"permissions\": { \"allow\": [\n  \"mcp__notes__raed_note\"\n] } }\n";
    let folder = folder(&[(".mcp.json", config), (SETTINGS_PATH, settings)]);
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    assert_eq!(client.pull(SETTINGS_PATH).await, Vec::<String>::new());
    let package = folder.path().join("node_modules/notes-mcp");
    std::fs::create_dir_all(&package).unwrap();
    let manifest =
        r#"{ "name": "notes-mcp", "bin": "index.js", "dependencies": { "@modelcontextprotocol/sdk": "1" } }"#;
    std::fs::write(package.join("package.json"), manifest).unwrap();
    let source = |name: &str| {
        format!(
            "import {{ McpServer }} from \"@modelcontextprotocol/sdk/server/mcp.js\";\n\
             const server = new McpServer({{ name: \"notes\", version: \"1\" }});\n\
             server.registerTool(\"{name}\", {{}}, run);\n"
        )
    };
    for (text, expected) in
        [(Some(source("read_note")), 1), (Some(source("raed_note")), 0), (Some(source("read_all")), 1), (None, 0)]
    {
        match &text {
            Some(text) => std::fs::write(package.join("index.js"), text).unwrap(),
            None => std::fs::remove_dir_all(&package).unwrap(),
        }
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] })).await;
        for _ in 0..100 {
            if client.pull(SETTINGS_PATH).await.len() == expected {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(client.pull(SETTINGS_PATH).await.len(), expected, "{text:?}");
    }
}
