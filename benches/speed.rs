//! How long the steps take on the way from bytes to findings.
//!
//! `cargo bench` measures on generated text; the keystroke goes through the real server over a pipe.

use std::collections::BTreeMap;

use divan::{Bencher, black_box, counter::BytesCount};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use toolnames::testing::config::Configs;
use toolnames::testing::lower;
use toolnames::testing::rules;
use toolnames::testing::syntax::{self, Language};
use toolnames::testing::workspace::{Storage, Workspace};

fn main() {
    divan::main();
}

const LANGUAGES: [Language; 3] = [Language::TypeScript, Language::Python, Language::Rust];

/// About `tools` × 500 bytes of source that registers as many tools.
fn source(language: Language, tools: usize) -> String {
    let mut text = String::from(match language {
        Language::Python => "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP(\"bench\")\n",
        Language::Rust => "use rmcp::{tool, tool_router};\nstruct Bench;\n#[tool_router]\nimpl Bench {\n",
        _ => {
            "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst PREFIX = \"bench_\";\nconst server = new McpServer({ name: \"bench\", version: \"1.0.0\" });\n"
        }
    });
    for index in 0..tools {
        text.push_str(&match language {
            Language::Python => format!(
                "\n@mcp.tool(description=\"Tool number {index}\")\ndef tool_{index}(path: str, depth: int = {index}) -> dict:\n    \"\"\"Reads what lies at a path, down to some depth.\"\"\"\n    if depth < 0:\n        raise ValueError(f\"no such depth: {{depth}}\")\n    entries = [entry for entry in walk(path) if entry.depth <= depth]\n    return {{\"path\": path, \"entries\": entries, \"count\": len(entries)}}\n"
            ),
            Language::Rust => format!(
                "    #[tool(name = \"tool_{index}\", description = \"Tool number {index}\")]\n    async fn tool_{index}(&self, Parameters(input): Parameters<Input>) -> Result<String, ErrorData> {{\n        let entries: Vec<_> = self.walk(&input.path).filter(|entry| entry.depth <= {index}).collect();\n        if entries.is_empty() {{\n            return Err(ErrorData::not_found(format!(\"nothing at {{}}\", input.path)));\n        }}\n        Ok(serde_json::to_string(&entries)?)\n    }}\n"
            ),
            _ => format!(
                "server.registerTool(\n  PREFIX + \"tool_{index}\",\n  {{ title: \"Tool {index}\", description: \"Reads what lies at a path\", inputSchema: {{ path: z.string(), depth: z.number().default({index}) }} }},\n  async ({{ path, depth }}) => {{\n    const entries = (await walk(path)).filter((entry) => entry.depth <= depth);\n    if (entries.length === 0) throw new Error(`nothing at ${{path}}`);\n    return {{ content: [{{ type: \"text\", text: JSON.stringify(entries) }}] }};\n  }},\n);\n"
            ),
        });
    }
    if language == Language::Rust {
        text.push_str("}\n");
    }
    text
}

#[divan::bench(args = LANGUAGES)]
fn parse(bencher: Bencher, language: Language) {
    let text = source(language, 60);
    bencher.counter(BytesCount::of_str(&text)).bench(|| syntax::parse(language, black_box(&text), None));
}

#[divan::bench(args = LANGUAGES)]
fn lower(bencher: Bencher, language: Language) {
    let text = source(language, 60);
    let tree = syntax::parse(language, &text, None).unwrap();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| lower::lower(language, black_box(&tree), &text, &lower::Queries::default(), None));
}

/// Files in memory.
struct Files(BTreeMap<String, String>);

impl Storage for Files {
    fn read(&self, path: &str) -> Option<String> {
        self.0.get(path).cloned()
    }
}

fn workspace(packages: usize) -> Files {
    let mut files = BTreeMap::new();
    let mut servers = serde_json::Map::new();
    for package in 0..packages {
        for (language, name) in LANGUAGES.into_iter().zip(["server.ts", "server.py", "lib.rs"]) {
            files.insert(format!("{package}/{name}"), source(language, 12));
            for filler in 0..9 {
                files.insert(format!("{package}/{filler}_{name}"), "// nothing of interest\n".repeat(200));
            }
        }
        servers.insert(format!("s{package}"), json!({ "command": "node", "args": [format!("{package}/server.ts")] }));
    }
    files.insert(".mcp.json".into(), json!({ "mcpServers": servers }).to_string());
    let allow: Vec<String> =
        (0..1000).map(|index| format!("mcp__s{}__bench_tool_{}", index % packages, index % 15)).collect();
    files.insert(".claude/settings.json".into(), json!({ "permissions": { "allow": allow } }).to_string());
    Files(files)
}

/// A whole tree of 1,500 files, 150 of them with tools.
#[divan::bench(sample_count = 20)]
fn whole_tree(bencher: Bencher) {
    let files = workspace(50);
    let paths: Vec<String> = files.0.keys().cloned().collect();
    bencher.bench(|| {
        let mut workspace = Workspace::new(Configs::default());
        workspace.load(&paths, &files);
        rules::check_all(&workspace.settle(&files)).len()
    });
}

/// From a keystroke to its findings, through the real server: TypeScript of 28 KB and 285 KB.
#[divan::bench(args = [55, 560], sample_count = 50)]
fn keystroke(bencher: Bencher, tools: usize) {
    let folder = tempfile::tempdir().unwrap();
    let text = source(Language::TypeScript, tools);
    std::fs::write(folder.path().join("server.ts"), &text).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let uri = format!("file://{}/server.ts", folder.path().canonicalize().unwrap().display());
    let lines = text.lines().count();
    let (mut input, mut output) = runtime.block_on(async {
        let (ours, theirs) = tokio::io::duplex(1 << 22);
        let (input, output) = tokio::io::split(theirs);
        tokio::spawn(toolnames::lsp::serve(input, output));
        let (output, mut input) = tokio::io::split(ours);
        let mut output = BufReader::new(output);
        let root = uri.rsplit_once('/').unwrap().0;
        let hello =
            json!({ "processId": null, "rootUri": root, "capabilities": { "textDocument": { "diagnostic": {} } } });
        send(&mut input, json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello })).await;
        answer(&mut output, 0).await;
        send(&mut input, json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} })).await;
        let document = json!({ "uri": uri, "languageId": "typescript", "version": 0, "text": text });
        let open = json!({ "textDocument": document });
        send(&mut input, json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": open })).await;
        (input, output)
    });
    let mut version = 0;
    bencher.bench_local(|| {
        version += 1;
        runtime.block_on(async {
            let at = json!({ "line": lines / 2, "character": 0 });
            let change = json!({
                "textDocument": { "uri": uri, "version": version },
                "contentChanges": [{ "range": { "start": at, "end": at }, "text": " " }],
            });
            send(&mut input, json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": change })).await;
            let ask = json!({ "textDocument": { "uri": uri } });
            send(
                &mut input,
                json!({ "jsonrpc": "2.0", "id": version, "method": "textDocument/diagnostic", "params": ask }),
            )
            .await;
            answer(&mut output, version).await
        })
    });
}

async fn send(input: &mut (impl AsyncWriteExt + Unpin), message: Value) {
    let body = message.to_string();
    input.write_all(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).await.unwrap();
}

async fn answer(output: &mut (impl AsyncBufReadExt + Unpin), id: i64) -> Value {
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            output.read_line(&mut line).await.unwrap();
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        output.read_exact(&mut body).await.unwrap();
        let message: Value = serde_json::from_slice(&body).unwrap();
        if message["id"] == id {
            return message;
        }
    }
}
