//! The editor's side of the protocol, for tests that run a session with the language server.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

/// A client that sends what a test tells it to.
pub(super) struct Client {
    pub(super) input: WriteHalf<DuplexStream>,
    output: BufReader<ReadHalf<DuplexStream>>,
    next: i64,
    /// Messages that were received while waiting for another one.
    pub(super) waiting: Vec<Value>,
    pub(super) root: std::path::PathBuf,
    pub(super) server: Option<tokio::task::JoinHandle<()>>,
}

/// Requests that get an empty answer, or one from the last known state, while the server processes a newer text.
const ANSWERED_FROM_THE_LAST_STATE: [&str; 8] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/codeAction",
    "textDocument/prepareRename",
    "workspace/symbol",
    "toolnames/tools",
];

impl Client {
    pub(super) async fn start(root: &Path, capabilities: Value) -> (Client, Value) {
        let uri = format!("file://{}", root.canonicalize().unwrap().display());
        Client::start_with(root, json!({ "processId": null, "rootUri": uri, "capabilities": capabilities })).await
    }

    /// Starts a session with the given parameters of `initialize`.
    pub(super) async fn start_with(root: &Path, params: Value) -> (Client, Value) {
        let (mut client, result) = Client::greet(root, params).await;
        client.initialized().await;
        (client, result)
    }

    /// Sends `initialized`, after which the server reads the workspace.
    pub(super) async fn initialized(&mut self) {
        self.notify("initialized", json!({})).await;
    }

    /// Starts a session in which the server has not read the workspace yet.
    pub(super) async fn greet(root: &Path, params: Value) -> (Client, Value) {
        let mut client = Client::connect(root);
        let result = client.request("initialize", params).await.unwrap();
        (client, result)
    }

    /// Starts a session in which no message has been sent yet.
    pub(super) fn connect(root: &Path) -> Client {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(theirs);
        let server = Some(tokio::spawn(toolnames::lsp::serve(input, output)));
        let (output, input) = tokio::io::split(ours);
        let root = root.canonicalize().unwrap();
        Client { input, output: BufReader::new(output), next: 0, waiting: Vec::new(), root, server }
    }

    pub(super) fn uri(&self, path: &str) -> String {
        format!("file://{}", self.root.join(path).display())
    }

    pub(super) async fn send(&mut self, message: Value) {
        let body = message.to_string();
        let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.input.write_all(message.as_bytes()).await.unwrap();
    }

    pub(super) async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    pub(super) async fn receive(&mut self) -> Value {
        let read = async {
            let mut length = 0;
            loop {
                let mut line = String::new();
                self.output.read_line(&mut line).await.unwrap();
                match line.trim().split_once(": ") {
                    Some(("Content-Length", value)) => length = value.parse().unwrap(),
                    Some(_) => {}
                    None => break,
                }
            }
            let mut body = vec![0; length];
            self.output.read_exact(&mut body).await.unwrap();
            serde_json::from_slice(&body).unwrap()
        };
        tokio::time::timeout(Duration::from_secs(20), read).await.expect("the server answers")
    }

    pub(super) async fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.waiting.iter().position(&wanted) {
            return self.waiting.remove(index);
        }
        loop {
            let message = self.receive().await;
            // Every request of the server gets a result.
            if message.get("method").is_some() && message.get("id").is_some() {
                self.send(json!({ "jsonrpc": "2.0", "id": message["id"], "result": null })).await;
            }
            if wanted(&message) {
                return message;
            }
            self.waiting.push(message);
        }
    }

    /// Sends a request, and repeats it as long as the server asks for that. A request that may be answered from the
    /// last known state is sent once that state is the newest.
    pub(super) async fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        const SERVER_CANCELLED: i64 = -32802;
        const CONTENT_MODIFIED: i64 = -32801;
        if ANSWERED_FROM_THE_LAST_STATE.contains(&method) {
            let root = self.uri("");
            let uri = params["textDocument"]["uri"].as_str().unwrap_or(&root);
            // Resolving a chosen action waits for the newest state, even if there is no such action.
            let _ = self.ask("codeAction/resolve", json!({ "title": "", "data": { "uri": uri } })).await;
        }
        loop {
            let answer = self.ask(method, params.clone()).await;
            let code = answer.as_ref().err().and_then(|error| error["code"].as_i64());
            if !matches!(code, Some(SERVER_CANCELLED | CONTENT_MODIFIED)) {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Sends a request once.
    pub(super) async fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.next += 1;
        let id = self.next;
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        let answer = self.wait(|message| message["id"] == id && message.get("method").is_none()).await;
        match answer.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answer["result"].clone()),
        }
    }

    pub(super) async fn open(&mut self, path: &str) {
        let text = std::fs::read_to_string(self.root.join(path)).unwrap();
        self.open_with(path, &text).await;
    }

    pub(super) async fn open_with(&mut self, path: &str, text: &str) {
        let uri = self.uri(path);
        let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document })).await;
    }

    pub(super) async fn change(&mut self, path: &str, version: i32, changes: Value) {
        let document = json!({ "uri": self.uri(path), "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes })).await;
    }

    /// The findings that the server reports for a document on request: the rule, and the range as `line:column-column`,
    /// 0-based.
    pub(super) async fn pull(&mut self, path: &str) -> Vec<String> {
        let uri = self.uri(path);
        let report = self.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } })).await.unwrap();
        shown(&report["items"])
    }

    pub(super) async fn at(&mut self, method: &str, path: &str, line: u32, character: u32) -> Result<Value, Value> {
        let uri = self.uri(path);
        let position = json!({ "line": line, "character": character });
        self.request(method, json!({ "textDocument": { "uri": uri }, "position": position })).await
    }
}

/// Findings as `rule line:column-column`, 0-based.
pub(super) fn shown(items: &Value) -> Vec<String> {
    let one = |item: &Value| {
        let (start, end) = (&item["range"]["start"], &item["range"]["end"]);
        format!("{} {}:{}-{}", item["code"].as_str().unwrap(), start["line"], start["character"], end["character"])
    };
    items.as_array().unwrap().iter().map(one).collect()
}
