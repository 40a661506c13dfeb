//! Tests of answers during an evaluation that never ends, which is simulated by holding the keeper back.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

use super::desk::Desk;
use super::session::Session;
use super::{TEST_PATIENCE, serve_session};

const SETTINGS: &str = ".claude/settings.json";
const SERVER: &str = "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n\
                      const server = new McpServer({ name: 's', version: '1' });\n\
                      server.registerTool('read', {}, run);\n";

const CONTENT_MODIFIED: i64 = -32801;
const SERVER_CANCELLED: i64 = -32802;
const REQUEST_FAILED: i64 = -32803;
const REQUEST_CANCELLED: i64 = -32800;

struct Editor {
    session: Arc<Session>,
    input: WriteHalf<DuplexStream>,
    output: BufReader<ReadHalf<DuplexStream>>,
    root: tempfile::TempDir,
    /// Messages that arrived before the one that was waited for.
    early: Vec<Value>,
    next: i64,
}

impl Editor {
    /// A session on a workspace with one server and the settings of a client, both open. Nothing is read yet.
    async fn held(capabilities: Value) -> Editor {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join(".claude")).unwrap();
        let config = r#"{ "mcpServers": { "s": { "command": "node", "args": ["server.ts"] } } }"#;
        let settings = r#"{ "permissions": { "allow": ["mcp__s__raed"] } }"#;
        for (path, text) in [("server.ts", SERVER), (".mcp.json", config), (SETTINGS, settings)] {
            std::fs::write(root.path().join(path), text).unwrap();
        }
        let session: Arc<Session> = Arc::default();
        session.hold(true);
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(theirs);
        tokio::spawn(serve_session(Arc::clone(&session), Desk::new(TEST_PATIENCE), input, output));
        let (output, input) = tokio::io::split(ours);
        let mut editor = Editor { session, input, output: BufReader::new(output), root, early: Vec::new(), next: 0 };
        let uri = format!("file://{}", editor.root.path().display());
        editor.ask("initialize", json!({ "processId": null, "rootUri": uri, "capabilities": capabilities })).await;
        editor.notify("initialized", json!({})).await;
        for path in ["server.ts", SETTINGS] {
            let text = std::fs::read_to_string(editor.root.path().join(path)).unwrap();
            let document = json!({ "uri": editor.uri(path), "languageId": "x", "version": 1, "text": text });
            editor.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
        }
        editor
    }

    /// Like [`Editor::held`], but after everything was read; messages sent from now on are not applied.
    async fn held_later(capabilities: Value) -> Editor {
        let mut editor = Editor::held(capabilities).await;
        editor.session.hold(false);
        editor.session.newest().await;
        // The answer to a hover is null until every message has been applied.
        while editor.ask("textDocument/hover", editor.at("server.ts")).await.get("result") == Some(&Value::Null) {}
        editor.session.hold(true);
        editor
    }

    fn uri(&self, path: &str) -> String {
        format!("file://{}", self.root.path().join(path).display())
    }

    /// The position of the tool's name in the server, or of the misspelt permission entry in the settings.
    fn at(&self, path: &str) -> Value {
        let position = match path {
            SETTINGS => json!({ "line": 0, "character": 35 }),
            _ => json!({ "line": 2, "character": 22 }),
        };
        json!({ "textDocument": { "uri": self.uri(path) }, "position": position })
    }

    async fn send(&mut self, message: Value) {
        let body = message.to_string();
        let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.input.write_all(message.as_bytes()).await.unwrap();
    }

    async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    async fn change(&mut self, path: &str, version: i32) {
        let start = json!({ "line": 0, "character": 0 });
        let change = json!([{ "range": { "start": start, "end": start }, "text": "\n" }]);
        let document = json!({ "uri": self.uri(path), "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": change })).await;
    }

    async fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.early.iter().position(&wanted) {
            return self.early.remove(index);
        }
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                self.output.read_line(&mut line).await.unwrap();
                match line.trim().split_once(": ") {
                    Some((_, value)) => length = value.parse().unwrap(),
                    None => break,
                }
            }
            let mut body = vec![0; length];
            self.output.read_exact(&mut body).await.unwrap();
            let message: Value = serde_json::from_slice(&body).unwrap();
            if message.get("method").is_some() && message.get("id").is_some() {
                self.send(json!({ "jsonrpc": "2.0", "id": message["id"], "result": null })).await;
            }
            if wanted(&message) {
                return message;
            }
            self.early.push(message);
        }
    }

    async fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params })).await;
        self.next
    }

    async fn answer(&mut self, id: i64) -> Value {
        let is_it = move |message: &Value| message["id"] == id && message.get("method").is_none();
        let answer = tokio::time::timeout(std::time::Duration::from_secs(60), self.wait(is_it)).await;
        answer.expect("every request is answered")
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params).await;
        self.answer(id).await
    }

    async fn rename(&mut self) -> i64 {
        let mut params = self.at("server.ts");
        params["newName"] = json!("fetch");
        self.begin("textDocument/rename", params).await
    }

    /// Sends every request that is answered without waiting; returns each method with an error code, or a short form of
    /// the result.
    async fn answers(&mut self, path: &str) -> Vec<(&'static str, Result<String, i64>)> {
        let at = self.at(path);
        let document = json!({ "textDocument": at["textDocument"] });
        let range = json!({ "start": at["position"], "end": at["position"] });
        let with = |more: Value| {
            let mut params = at.clone();
            params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            params
        };
        let context = json!({ "diagnostics": [] });
        let requests = [
            ("textDocument/hover", at.clone()),
            ("textDocument/completion", at.clone()),
            ("textDocument/definition", at.clone()),
            ("textDocument/references", with(json!({ "context": { "includeDeclaration": true } }))),
            ("textDocument/codeAction", with(json!({ "range": range, "context": context }))),
            ("completionItem/resolve", json!({ "label": "x", "data": at })),
            ("textDocument/documentHighlight", at.clone()),
            ("textDocument/documentSymbol", document.clone()),
            ("textDocument/codeLens", document.clone()),
            ("textDocument/inlayHint", with(json!({ "range": range }))),
            ("textDocument/diagnostic", document.clone()),
            ("textDocument/prepareRename", at.clone()),
            ("workspace/diagnostic", json!({ "previousResultIds": [] })),
            ("workspace/symbol", json!({ "query": "read" })),
            ("workspace/executeCommand", json!({ "command": "toolnames.nothing" })),
            ("toolnames/tools", Value::Null),
            ("toolnames/rules", Value::Null),
        ];
        let mut answers = Vec::new();
        for (method, params) in requests {
            let answer = self.ask(method, params).await;
            let short = |result: &Value| match result {
                Value::Null => "null",
                Value::Array(items) if items.is_empty() => "[]",
                _ => "something",
            };
            let answer = match answer.get("error") {
                Some(error) => {
                    if error["code"] == SERVER_CANCELLED {
                        assert_eq!(error["data"], json!({ "retriggerRequest": true }));
                    }
                    Err(error["code"].as_i64().unwrap())
                }
                None => Ok(short(&answer["result"]).to_string()),
            };
            answers.push((method.rsplit('/').next().unwrap(), answer));
        }
        answers
    }
}

fn with(results: &[&'static str], result: &str) -> Vec<(&'static str, Result<String, i64>)> {
    results.iter().map(|method| (*method, Ok(result.to_string()))).collect()
}

fn with_code(methods: &[&'static str], code: i64) -> Vec<(&'static str, Result<String, i64>)> {
    methods.iter().map(|method| (*method, Err(code))).collect()
}

/// The answers to requests about a document of which no state with the current text is known.
fn nothing_known() -> Vec<(&'static str, Result<String, i64>)> {
    let mut all = with(&["hover"], "null");
    // An incomplete list: the client asks again at the next keystroke.
    all.extend(with(&["completion"], "something"));
    all.extend(with(&["definition", "references", "codeAction"], "null"));
    all.extend(with(&["resolve"], "something"));
    all.extend(with_code(&["documentHighlight", "documentSymbol", "codeLens", "inlayHint"], CONTENT_MODIFIED));
    all.extend(with_code(&["diagnostic"], SERVER_CANCELLED));
    all.extend(with_code(&["prepareRename"], REQUEST_FAILED));
    all
}

fn refreshing() -> Value {
    json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "diagnostics": { "refreshSupport": true } },
        "window": { "workDoneProgress": true },
        "experimental": { "toolsChanged": true },
    })
}

/// Makes concurrent requests about all documents, and about an open document with so many permission entries that
/// several threads check them.
#[tokio::test(flavor = "multi_thread")]
async fn who_asks_about_all_documents_waits_for_nobody_who_waits() {
    let mut editor = Editor::held_later(json!({})).await;
    editor.session.hold(false);
    let rules = |count: usize| -> Vec<String> { (0..count).map(|index| format!("mcp__s__read_{index}_*")).collect() };
    for count in [30_000, 30_001, 30_002] {
        let text = json!({ "permissions": { "deny": rules(count) } }).to_string();
        let changed = json!({ "textDocument": { "uri": editor.uri(SETTINGS), "version": count }, "contentChanges": [{ "text": text }] });
        editor.notify("textDocument/didChange", changed).await;
        editor.session.newest().await;
        let states = editor.session.last();
        let uri: tower_lsp::ls_types::Uri = editor.uri(SETTINGS).parse().unwrap();
        // These are separate threads, so that the test ends even if they never do.
        let (done, answers) = std::sync::mpsc::channel();
        for index in 0..6 {
            let (view, uri, done) = (Arc::clone(&states.shown()[0]), uri.clone(), done.clone());
            std::thread::spawn(move || {
                match index % 2 {
                    0 => drop(view.report(&uri, None)),
                    _ => drop(view.reports()),
                }
                let _ = done.send(());
            });
        }
        for _ in 0..6 {
            assert!(answers.recv_timeout(std::time::Duration::from_secs(60)).is_ok(), "it waits for ever");
        }
    }
}

#[tokio::test]
async fn every_request_is_answered_before_the_workspace_was_read() {
    for (capabilities, follows) in [(json!({}), false), (refreshing(), true)] {
        let mut editor = Editor::held(capabilities).await;
        let mut expected = nothing_known();
        expected.extend(with_code(&["diagnostic"], SERVER_CANCELLED));
        expected.extend(with_code(&["symbol"], CONTENT_MODIFIED));
        expected.extend(with(&["executeCommand"], "null"));
        // A client that watches the tools is notified once there are some.
        match follows {
            true => expected.extend(with(&["tools"], "[]")),
            false => expected.extend(with_code(&["tools"], CONTENT_MODIFIED)),
        }
        expected.extend(with(&["rules"], "something"));
        assert_eq!(editor.answers("server.ts").await, expected);
        // Clients ask again when they are notified of something new, or by themselves.
        editor.session.hold(false);
        editor.session.newest().await;
        let symbols = editor.at("server.ts");
        let document = json!({ "textDocument": symbols["textDocument"] });
        while editor.ask("textDocument/documentSymbol", document.clone()).await.get("error").is_some() {}
    }
}

#[tokio::test]
async fn while_one_document_is_taken_in_the_others_are_answered_about() {
    for (capabilities, is_refreshed) in [(json!({}), false), (refreshing(), true)] {
        let mut editor = Editor::held_later(capabilities).await;
        editor.change("server.ts", 2).await;
        let mut about_it = nothing_known();
        let mut expected = with(&["hover"], "something");
        expected.extend(with(&["completion"], "something"));
        expected.extend(with(&["definition"], "null"));
        expected.extend(with(&["references"], "[]"));
        expected.extend(with(&["codeAction", "resolve", "documentHighlight"], "something"));
        expected.extend(with(&["documentSymbol"], "something"));
        expected.extend(with(&["codeLens", "inlayHint"], "[]"));
        let of_all = match is_refreshed {
            true => with(&["diagnostic"], "something"),
            false => with_code(&["diagnostic"], SERVER_CANCELLED),
        };
        expected.extend(of_all.clone());
        expected.extend(with(&["prepareRename"], "null"));
        for answers in [&mut about_it, &mut expected] {
            answers.extend(of_all.clone());
            answers.extend(with(&["symbol"], "something"));
            answers.extend(with(&["executeCommand"], "null"));
            answers.extend(with(&["tools", "rules"], "something"));
        }
        assert_eq!(editor.answers("server.ts").await, about_it, "refreshed: {is_refreshed}");
        assert_eq!(editor.answers(SETTINGS).await, expected, "refreshed: {is_refreshed}");
    }
}

#[tokio::test]
async fn a_report_of_the_whole_workspace_leaves_out_what_was_changed_since() {
    let mut editor = Editor::held_later(refreshing()).await;
    let uris = |answer: &Value| -> Vec<String> {
        let items = answer["result"]["items"].as_array().unwrap();
        items.iter().map(|item| item["uri"].as_str().unwrap().to_string()).collect()
    };
    let ask = json!({ "previousResultIds": [] });
    editor.change("server.ts", 2).await;
    let settings = editor.uri(SETTINGS);
    assert_eq!(uris(&editor.ask("workspace/diagnostic", ask.clone()).await), [settings]);
    editor.change(SETTINGS, 2).await;
    assert_eq!(uris(&editor.ask("workspace/diagnostic", ask).await), Vec::<String>::new());
}

#[tokio::test]
async fn a_rename_waits_for_the_newest_text_and_blocks_nobody() {
    let mut editor = Editor::held_later(json!({})).await;
    editor.change(SETTINGS, 2).await;
    let rename = editor.rename().await;
    assert!(editor.ask("textDocument/hover", editor.at("server.ts")).await["result"].is_object());
    assert!(editor.early.iter().all(|message| message["id"] != rename));
    editor.session.hold(false);
    let answer = editor.answer(rename).await;
    assert!(answer["result"]["changes"][editor.uri("server.ts")].is_array(), "{answer}");
}

#[tokio::test]
async fn a_rename_of_a_text_that_was_changed_meanwhile_is_not_made() {
    let mut editor = Editor::held_later(json!({})).await;
    let rename = editor.rename().await;
    editor.change("server.ts", 2).await;
    // The rename may have been done before the change was received.
    let first = editor.answer(rename).await;
    let code = first["error"]["code"].as_i64();
    assert!(code == Some(CONTENT_MODIFIED) || first["result"].is_object(), "{first}");
    let rename = editor.rename().await;
    editor.change("server.ts", 3).await;
    // The keeper is still held back, but the rename fails without waiting for it: the result would be for an old text.
    assert_eq!(editor.answer(rename).await["error"]["code"], CONTENT_MODIFIED);
}

#[tokio::test]
async fn a_rename_that_takes_long_is_shown_and_can_be_ended() {
    for is_given in [false, true] {
        let mut editor = Editor::held_later(if is_given { json!({}) } else { refreshing() }).await;
        editor.change("server.ts", 2).await;
        let mut params = editor.at("server.ts");
        params["newName"] = json!("fetch");
        if is_given {
            params["workDoneToken"] = json!("mine");
        }
        let rename = editor.begin("textDocument/rename", params).await;
        let progress = |kind: &'static str| {
            move |message: &Value| message["method"] == "$/progress" && message["params"]["value"]["kind"] == kind
        };
        let begun = editor.wait(progress("begin")).await;
        let token = begun["params"]["token"].clone();
        assert_eq!(token == json!("mine"), is_given, "{begun}");
        assert_eq!(begun["params"]["value"]["cancellable"], true);
        editor.notify("window/workDoneProgress/cancel", json!({ "token": token })).await;
        assert_eq!(editor.answer(rename).await["error"]["code"], REQUEST_CANCELLED);
        assert_eq!(editor.wait(progress("end")).await["params"]["token"], token);
    }
}

#[tokio::test]
async fn a_rename_can_be_taken_back_while_it_waits() {
    let mut editor = Editor::held_later(json!({})).await;
    editor.change("server.ts", 2).await;
    let rename = editor.rename().await;
    editor.notify("$/cancelRequest", json!({ "id": rename })).await;
    assert_eq!(editor.answer(rename).await["error"]["code"], REQUEST_CANCELLED);
}
