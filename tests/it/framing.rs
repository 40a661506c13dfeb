//! Input that is not a message, sent to the language server: each is answered as JSON-RPC requires, and the session
//! continues.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use super::editor::Client;
use super::language_server::{SETTINGS_PATH, pulling, workspace};

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;
const METHOD_NOT_FOUND: i64 = -32601;
const NOT_INITIALIZED: i64 = -32002;
/// The size limit of a message, in bytes.
const LIMIT: usize = 64 * 1024 * 1024;

async fn session(folder: &tempfile::TempDir) -> Client {
    let (mut client, _) = Client::start(folder.path(), pulling()).await;
    client.open(SETTINGS_PATH).await;
    // Some requests have no answer before everything has been read.
    client.pull(SETTINGS_PATH).await;
    client
}

impl Client {
    async fn write(&mut self, bytes: &[u8]) {
        let writing = self.input.write_all(bytes);
        tokio::time::timeout(Duration::from_secs(60), writing).await.expect("the server reads").unwrap();
    }

    /// The next error response: its id, code and message.
    async fn refusal(&mut self) -> (Value, i64, String) {
        let answer = self.wait(|message| message.get("error").is_some()).await;
        let error = &answer["error"];
        (answer["id"].clone(), error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_string())
    }

    /// Checks that the session continues: a request gets the correct answer.
    #[track_caller]
    fn lives(&mut self) -> impl Future<Output = ()> {
        let caller = std::panic::Location::caller();
        async move {
            let found = self.pull(SETTINGS_PATH).await;
            assert_eq!(found, ["permission-unknown-tool 1:3-15"], "after {caller}");
        }
    }
}

fn framed(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

#[tokio::test]
async fn json_that_is_no_message_is_refused_with_the_id_that_it_has() {
    let deep = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{}{}}}"#, "[".repeat(500), "]".repeat(500));
    let cases: Vec<(&str, i64, Value, &str)> = vec![
        ("hello", PARSE_ERROR, Value::Null, "invalid JSON"),
        ("", PARSE_ERROR, Value::Null, "invalid JSON"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"#, PARSE_ERROR, Value::Null, "invalid JSON"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x"} {}"#, PARSE_ERROR, Value::Null, "invalid JSON"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#, PARSE_ERROR, Value::Null, "invalid JSON"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","params":[1e999]}"#, PARSE_ERROR, Value::Null, "invalid JSON"),
        (&deep, PARSE_ERROR, Value::Null, "recursion limit"),
        ("[]", INVALID_REQUEST, Value::Null, "found an array"),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"x"}]"#, INVALID_REQUEST, Value::Null, "found an array"),
        ("17", INVALID_REQUEST, Value::Null, "found a number"),
        ("-1.5e3", INVALID_REQUEST, Value::Null, "found a number"),
        ("null", INVALID_REQUEST, Value::Null, "found null"),
        ("true", INVALID_REQUEST, Value::Null, "found a boolean"),
        ("\"initialize\"", INVALID_REQUEST, Value::Null, "found a string"),
        ("{}", INVALID_REQUEST, Value::Null, "`jsonrpc` is missing"),
        (r#"{"id":7,"method":"x"}"#, INVALID_REQUEST, json!(7), "`jsonrpc` is missing"),
        (r#"{"jsonrpc":"1.0","id":"a","method":"x"}"#, INVALID_REQUEST, json!("a"), "unsupported `jsonrpc` version"),
        (r#"{"jsonrpc":2.0,"id":7,"method":"x"}"#, INVALID_REQUEST, json!(7), "unsupported `jsonrpc` version"),
        (r#"{"jsonrpc":"2.0","id":7}"#, INVALID_REQUEST, json!(7), "expected one of"),
        (r#"{"jsonrpc":"2.0","id":7,"method":5}"#, INVALID_REQUEST, json!(7), "`method` is a number"),
        (r#"{"jsonrpc":"2.0","id":7,"method":null}"#, INVALID_REQUEST, json!(7), "`method` is null"),
        (r#"{"jsonrpc":"2.0","id":7,"method":"x","params":"y"}"#, INVALID_REQUEST, json!(7), "`params` is a string"),
        (r#"{"jsonrpc":"2.0","id":7,"method":"x","params":3}"#, INVALID_REQUEST, json!(7), "`params` is a number"),
        (r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#, INVALID_REQUEST, Value::Null, "`id` is null"),
        (r#"{"jsonrpc":"2.0","id":{},"method":"x"}"#, INVALID_REQUEST, Value::Null, "`id` is an object"),
        (r#"{"jsonrpc":"2.0","id":true,"method":"x"}"#, INVALID_REQUEST, Value::Null, "`id` is a boolean"),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, INVALID_REQUEST, json!(1.5), "not an integer"),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#, INVALID_REQUEST, json!(2), "duplicate member `id`"),
        (r#"{"jsonrpc":"2.0","method":"x","id":7,"result":1}"#, INVALID_REQUEST, json!(7), "cannot be both"),
        // The ids of responses are the server's own: none of the client's requests failed.
        (r#"{"jsonrpc":"2.0","id":7,"error":"no"}"#, INVALID_REQUEST, Value::Null, "`code`"),
        (r#"{"jsonrpc":"2.0","id":7,"error":{"code":"x","message":"y"}}"#, INVALID_REQUEST, Value::Null, "`code`"),
        (
            r#"{"jsonrpc":"2.0","id":7,"result":1,"error":{"code":1,"message":"y"}}"#,
            INVALID_REQUEST,
            Value::Null,
            "has both",
        ),
        (r#"{"jsonrpc":"2.0","result":1}"#, INVALID_REQUEST, Value::Null, "has no `id`"),
        (r#"{"jsonrpc":"2.0","id":[],"result":1}"#, INVALID_REQUEST, Value::Null, "has no `id`"),
    ];
    let folder = workspace();
    let mut client = session(&folder).await;
    for (body, code, id, reason) in cases {
        client.write(framed(body).as_bytes()).await;
        let (refused_id, refused_code, message) = client.refusal().await;
        assert_eq!((refused_code, &refused_id), (code, &id), "{body}: {message}");
        assert!(message.contains(reason), "{body}: {message}");
        client.lives().await;
    }
    client.write(b"Content-Length: 3\r\n\r\n\xff\xfe\x00").await;
    assert_eq!(client.refusal().await.1, PARSE_ERROR);
    client.lives().await;
}

#[tokio::test]
async fn bytes_that_are_no_frame_are_refused_once_and_passed_over() {
    let long = format!("X-Long: {}\r\n\r\n", "y".repeat(10_000));
    let endless = "z".repeat(1 << 20);
    let cases: Vec<(String, i64, &str)> = vec![
        ("nothing at all\r\n\r\n".into(), PARSE_ERROR, "expected a header"),
        ("one\ntwo\n\nthree: four five\n\n".into(), PARSE_ERROR, "expected a header"),
        ("\u{0}\u{1b}[2J\r\n".into(), PARSE_ERROR, "expected a header"),
        ("X-Other: 1\r\n\r\n{}".into(), PARSE_ERROR, "without `Content-Length`"),
        ("Content-Length: nonsense\r\n\r\n".into(), PARSE_ERROR, "invalid Content-Length `nonsense`"),
        ("Content-Length: -5\r\n\r\nhello".into(), PARSE_ERROR, "invalid Content-Length `-5`"),
        ("Content-Length: +5\r\n\r\nhello".into(), PARSE_ERROR, "invalid Content-Length `+5`"),
        ("Content-Length:\r\n\r\n{}".into(), PARSE_ERROR, "invalid Content-Length"),
        ("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}".into(), PARSE_ERROR, "headers: 2 and 3"),
        ("Content-Length: 2\r\nrubbish\r\n\r\n{}".into(), PARSE_ERROR, "expected a header"),
        (long, PARSE_ERROR, "exceeds 8192 bytes"),
        (endless, PARSE_ERROR, "exceeds 8192 bytes"),
        ("Content-Length: 2\r\nContent-Type: x; charset=latin-1\r\n\r\n{}".into(), INVALID_REQUEST, "`latin-1`"),
        (format!("Content-Length: {}\r\n\r\n", u64::MAX), INVALID_REQUEST, "exceeds the limit of 67108864 bytes"),
        (format!("Content-Length: 1{}\r\n\r\n", "0".repeat(40)), INVALID_REQUEST, "exceeds the limit"),
    ];
    let folder = workspace();
    let mut client = session(&folder).await;
    for (bytes, code, reason) in cases {
        client.write(bytes.as_bytes()).await;
        // The answer does not wait for the end of the bytes.
        let (id, refused_code, message) = client.refusal().await;
        let shown: String = bytes.chars().take(60).collect();
        assert_eq!((refused_code, id), (code, Value::Null), "{shown}: {message}");
        assert!(message.contains(reason), "{shown}: {message}");
        client.lives().await;
        let answers = std::mem::take(&mut client.waiting);
        assert!(answers.iter().all(|answer| answer.get("error").is_none()), "{shown} is refused twice: {answers:?}");
    }
}

#[tokio::test]
async fn headers_are_read_as_liberally_as_they_may_be_written() {
    let folder = workspace();
    let mut client = session(&folder).await;
    let body = r#"{"jsonrpc":"2.0","id":"x","method":"shutdown","params":null}"#;
    let body = body.replace("shutdown", "toolnames/tools");
    let length = body.len();
    for header in [
        format!("content-length:{length}\r\n\r\n"),
        format!("\r\n\nCONTENT-LENGTH:   {length}  \n\n"),
        format!("Content-Length: {length}\r\nContent-Length: {length}\r\n\r\n"),
        format!("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: {length}\r\n\r\n"),
        format!("Content-Length: {length}\r\nContent-Type: application/vscode-jsonrpc; charset=\"UTF8\"\r\n\r\n"),
        format!("Content-Length: {length}\r\nContent-Type: application/vscode-jsonrpc\r\nX-More: 1\r\n\r\n"),
        // The end of other output on the same line.
        format!("\"}}}}Content-Length: {length}\r\n\r\n"),
        format!("tailContent-Length: {length}\r\n\r\n"),
    ] {
        client.write(format!("{header}{body}").as_bytes()).await;
        let answer = client.wait(|message| message["id"] == "x").await;
        assert!(answer["result"].is_array(), "{header}: {answer}");
    }
    // Byte by byte, as from a slow pipe.
    for byte in framed(&body).bytes() {
        client.write(&[byte]).await;
        tokio::task::yield_now().await;
    }
    client.wait(|message| message["id"] == "x").await;
}

#[tokio::test]
async fn a_message_over_the_limit_is_passed_over_whole() {
    let folder = workspace();
    let mut client = session(&folder).await;
    // A header in the text of a document, escaped as in JSON, is not a header.
    let text = r"Content-Length: 5\r\n\r\nhello ";
    let rest = LIMIT / text.len() * text.len();
    client.write(format!("Content-Length: {}\r\n\r\n\"{text}", rest + text.len() + 2).as_bytes()).await;
    let (id, code, message) = client.refusal().await;
    assert_eq!((id, code), (Value::Null, INVALID_REQUEST));
    assert!(message.contains("67108864"), "{message}");
    let many = text.repeat(1000);
    let mut sent = 0;
    while sent < rest {
        let part = many.len().min(rest - sent);
        client.write(&many.as_bytes()[..part]).await;
        sent += part;
    }
    client.write(b"\"").await;
    client.lives().await;
    assert!(client.waiting.iter().all(|answer| answer.get("error").is_none()), "{:?}", client.waiting);
}

#[tokio::test]
async fn refusals_do_not_tear_the_messages_that_the_service_writes() {
    let folder = workspace();
    let mut client = session(&folder).await;
    let rules = framed(r#"{"jsonrpc":"2.0","id":"rules","method":"toolnames/rules"}"#);
    let burst = format!("{rules}{}rubbish\r\n", framed("{}"));
    let (bursts, mut refused, mut answered) = (30, 0, 0);
    for _ in 0..bursts {
        client.write(burst.as_bytes()).await;
    }
    // A frame that another one interrupts would not be valid JSON.
    while refused < 2 * bursts || answered < bursts {
        let message = client.receive().await;
        refused += usize::from(message["id"].is_null() && message.get("error").is_some());
        answered += usize::from(message["id"] == "rules");
    }
    client.lives().await;
}

/// The requests that are served, each with params that it accepts.
fn requests(uri: &str) -> Vec<(&'static str, Value)> {
    let document = json!({ "uri": uri });
    let position = json!({ "line": 1, "character": 5 });
    let range = json!({ "start": position, "end": position });
    let at = json!({ "textDocument": document, "position": position });
    let with = |more: Value| {
        let mut params = at.clone();
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    };
    vec![
        ("textDocument/hover", at.clone()),
        ("textDocument/definition", at.clone()),
        ("textDocument/completion", at.clone()),
        ("textDocument/documentHighlight", at.clone()),
        ("textDocument/prepareRename", at.clone()),
        ("textDocument/references", with(json!({ "context": { "includeDeclaration": true } }))),
        ("textDocument/rename", with(json!({ "newName": "fetch" }))),
        ("textDocument/documentSymbol", json!({ "textDocument": document })),
        ("textDocument/codeLens", json!({ "textDocument": document })),
        ("textDocument/diagnostic", json!({ "textDocument": document })),
        ("textDocument/inlayHint", json!({ "textDocument": document, "range": range })),
        (
            "textDocument/codeAction",
            json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } }),
        ),
        ("codeAction/resolve", json!({ "title": "x", "data": { "uri": uri } })),
        ("completionItem/resolve", json!({ "label": "x", "data": at })),
        ("workspace/symbol", json!({ "query": "read" })),
        ("workspace/diagnostic", json!({ "previousResultIds": [] })),
        ("workspace/executeCommand", json!({ "command": "toolnames.nothing" })),
        ("toolnames/tools", Value::Null),
        ("toolnames/rules", Value::Null),
    ]
}

/// Params as a faulty client may send them: each value in turn is replaced by a wrong one.
fn spoilt(params: &Value) -> Vec<Value> {
    fn places(value: &Value, at: String, found: &mut Vec<String>) {
        if let Some(object) = value.as_object() {
            object.iter().for_each(|(key, value)| places(value, format!("{at}/{key}"), found));
        }
        found.push(at);
    }
    let mut found = Vec::new();
    places(params, String::new(), &mut found);
    let wrong = [
        json!(null),
        json!([]),
        json!({}),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(4_294_967_295_u32),
        json!(u64::MAX),
        json!(""),
        json!("untitled:nowhere"),
        json!("https://example.org/a.ts"),
        json!("file:///nowhere/../../../etc/passwd"),
        json!("file:///%00/%ff%fe/a.ts"),
        json!("file:"),
        json!("not a uri"),
        json!("x".repeat(100_000)),
        json!([[[[[]]]]]),
    ];
    let mut all = Vec::new();
    for place in found {
        for wrong in &wrong {
            let mut params = params.clone();
            *params.pointer_mut(&place).expect("a place of its own") = wrong.clone();
            all.push(params);
        }
    }
    all
}

#[tokio::test]
async fn requests_with_any_params_are_answered() {
    let folder = workspace();
    let mut client = session(&folder).await;
    let uri = client.uri(SETTINGS_PATH);
    let mut refused = 0;
    for (method, params) in requests(&uri) {
        for params in spoilt(&params).into_iter().chain([params.clone()]) {
            let is_structured = params.is_null() || params.is_object() || params.is_array();
            match client.request(method, params.clone()).await {
                Ok(_) => assert!(is_structured, "{method} {params}"),
                Err(error) => {
                    refused += 1;
                    let code = error["code"].as_i64().unwrap();
                    let expected = if is_structured { INVALID_PARAMS } else { INVALID_REQUEST };
                    let shown: String = params.to_string().chars().take(200).collect();
                    // -32803 means that the request was understood but failed.
                    assert!([expected, INVALID_REQUEST, -32803].contains(&code), "{method} {shown}: {error}");
                }
            }
        }
        client.lives().await;
    }
    assert!(refused > 500, "{refused} refused");
    let error = client.request("textDocument/nonsense", json!({})).await.unwrap_err();
    assert_eq!(error["code"], METHOD_NOT_FOUND);
}

#[tokio::test]
async fn notifications_with_any_params_are_taken_or_ignored() {
    let folder = workspace();
    let mut client = session(&folder).await;
    let uri = client.uri("nowhere.json");
    let item = json!({ "uri": uri, "languageId": "json", "version": 1, "text": "{}" });
    let document = json!({ "uri": uri, "version": 2 });
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 1 } });
    let change = json!({ "textDocument": document, "contentChanges": { "range": range, "text": "" } });
    let whole = json!({ "textDocument": document, "contentChanges": [{ "range": range, "text": "[" }] });
    let reversed = json!({ "start": { "line": 9, "character": 9 }, "end": { "line": 0, "character": 0 } });
    let reversed = json!({ "textDocument": document, "contentChanges": [{ "range": reversed, "text": "[" }] });
    let event = json!({ "added": [], "removed": [{ "uri": uri, "name": "x" }] });
    let notifications = [
        ("textDocument/didOpen", json!({ "textDocument": item })),
        ("textDocument/didChange", change),
        ("textDocument/didChange", whole),
        ("textDocument/didChange", reversed),
        ("textDocument/didSave", json!({ "textDocument": document })),
        ("textDocument/didClose", json!({ "textDocument": document })),
        ("workspace/didChangeConfiguration", json!({ "settings": { "toolnames": { "config": "" } } })),
        ("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 1 }] })),
        ("workspace/didChangeWorkspaceFolders", json!({ "event": event })),
        ("window/workDoneProgress/cancel", json!({ "token": "x" })),
        ("$/cancelRequest", json!({ "id": 99 })),
        ("$/setTrace", json!({ "value": "off" })),
        ("$/nonsense", json!({})),
        ("initialized", json!({})),
        ("nonsense", json!({})),
    ];
    for (method, params) in notifications {
        for params in spoilt(&params).into_iter().chain([params.clone()]) {
            client.notify(method, params).await;
        }
        client.lives().await;
        client.waiting.retain(|message| message["error"]["code"] != INVALID_REQUEST);
        assert!(client.waiting.iter().all(|message| message.get("error").is_none()), "{method}: {:?}", client.waiting);
    }
}

#[tokio::test]
async fn what_comes_at_the_wrong_time_is_refused() {
    let folder = workspace();
    let root = format!("file://{}", folder.path().canonicalize().unwrap().display());
    let initialize = json!({ "processId": null, "rootUri": root, "capabilities": pulling() });
    let mut client = Client::connect(folder.path());
    for (method, params) in requests("file:///a.json") {
        assert_eq!(client.request(method, params).await.unwrap_err()["code"], NOT_INITIALIZED, "{method}");
    }
    assert_eq!(client.request("shutdown", Value::Null).await.unwrap_err()["code"], NOT_INITIALIZED);
    client.notify("initialized", json!({})).await;
    client.open(SETTINGS_PATH).await;
    client.write(b"rubbish\r\n").await;
    assert_eq!(client.refusal().await.1, PARSE_ERROR);
    assert_eq!(client.request("initialize", json!([])).await.unwrap_err()["code"], INVALID_PARAMS);
    client.request("initialize", initialize.clone()).await.unwrap();
    client.initialized().await;
    client.open(SETTINGS_PATH).await;
    client.lives().await;
    assert_eq!(client.request("initialize", initialize.clone()).await.unwrap_err()["code"], INVALID_REQUEST);
    client.lives().await;
    client.request("shutdown", Value::Null).await.unwrap();
    for (method, params) in requests(&client.uri(SETTINGS_PATH)) {
        assert_eq!(client.request(method, params).await.unwrap_err()["code"], INVALID_REQUEST, "{method}");
    }
    assert_eq!(client.request("initialize", initialize).await.unwrap_err()["code"], INVALID_REQUEST);
    client.write(framed("{}").as_bytes()).await;
    assert_eq!(client.refusal().await.1, INVALID_REQUEST);
}

#[tokio::test]
async fn responses_that_nobody_waits_for_and_ids_that_are_in_use_change_nothing() {
    let folder = workspace();
    let mut client = session(&folder).await;
    for response in [
        json!({ "jsonrpc": "2.0", "id": 4711, "result": null }),
        json!({ "jsonrpc": "2.0", "id": "nobody", "result": { "a": 1 } }),
        json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32700, "message": "Parse error" } }),
        json!({ "jsonrpc": "2.0", "id": 4712, "error": { "code": 1, "message": "no", "data": [1], "more": true } }),
        json!({ "jsonrpc": "2.0", "id": 4713, "result": null, "error": { "code": 1, "message": "no" } }),
    ] {
        client.send(response).await;
        client.lives().await;
        assert!(client.waiting.iter().all(|message| message.get("error").is_none()), "{:?}", client.waiting);
    }
    let at = json!({ "textDocument": { "uri": client.uri(SETTINGS_PATH) }, "position": { "line": 1, "character": 6 } });
    let hover = json!({ "jsonrpc": "2.0", "id": "same", "method": "textDocument/hover", "params": at });
    let both = framed(&hover.to_string()).repeat(2);
    client.write(both.as_bytes()).await;
    let answers = [client.wait(|it| it["id"] == "same").await, client.wait(|it| it["id"] == "same").await];
    assert!(answers.iter().any(|answer| answer.get("result").is_some()), "{answers:?}");
    client.lives().await;
}

#[tokio::test]
async fn a_session_ends_as_asked_after_rubbish_and_with_the_client_silent() {
    let folder = workspace();
    for rubbish in ["rubbish", "Content-Length: 999999999999\r\n\r\nrubbish", "Content-Length: 5\r\n\r\nhello"] {
        let mut client = session(&folder).await;
        client.write(rubbish.as_bytes()).await;
        client.request("shutdown", Value::Null).await.unwrap();
        client.notify("exit", Value::Null).await;
        let asked = Instant::now();
        let server = client.server.take().expect("it runs");
        tokio::time::timeout(Duration::from_secs(5), server).await.expect("the server ends").unwrap();
        assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    }
}

#[tokio::test]
async fn a_client_that_sends_initialized_without_params_is_served() {
    for params in [None, Some(Value::Null)] {
        let folder = workspace();
        let uri = format!("file://{}", folder.path().canonicalize().unwrap().display());
        let hello = json!({ "processId": null, "rootUri": uri, "capabilities": pulling() });
        let (mut client, _) = Client::greet(folder.path(), hello).await;
        let mut message = json!({ "jsonrpc": "2.0", "method": "initialized" });
        if let Some(params) = params {
            message["params"] = params;
        }
        client.send(message).await;
        client.open(SETTINGS_PATH).await;
        client.lives().await;
    }
}
