//! After any sequence of edits in the editor and changes on disk, a server knows what a fresh one would know of the
//! same files with the same documents open.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::editor::Client;
use super::language_server::pulling;

/// Every file that may exist, with the texts that it may have. They include files that a config extends, names or
/// excludes, files that git ignores, an installed package, and a manifest that depends on it.
const FILES: &[(&str, &[&str])] = &[
    (
        "server.ts",
        &[
            "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport { PREFIX } from \"./lib/names\";\nconst server = new McpServer({ name: \"s\", version: \"1\" });\nserver.registerTool(PREFIX + \"one\", {}, run);\nserver.registerTool(\"bad name\", {}, run);\n",
            "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst server = new McpServer({ name: \"s\", version: \"1\" });\nserver.registerTool(\"two\", {}, run);\n",
            "const half = {",
        ],
    ),
    ("lib/names.ts", &["export const PREFIX = \"a_\";\n", "export const PREFIX = \"b-\";\n"]),
    (
        "py/server.py",
        &[
            "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP(\"py\")\n\n@mcp.tool(name=\"five!\")\ndef five(): ...\n",
            "from acme import wrap\nserver = wrap()\n\n@server.expose(\"wrapped\")\ndef wrapped(): ...\n",
        ],
    ),
    (
        ".mcp.json",
        &[
            r#"{ "mcpServers": { "s": { "command": "node", "args": ["server.ts"] }, "kit": { "command": "npx", "args": ["@acme/kit"] } } }"#,
            r#"{ "mcpServers": { "s": { "command": "node", "args": ["server.ts"] } } }"#,
            "{",
        ],
    ),
    (
        ".claude/settings.json",
        &[
            r#"{ "permissions": { "allow": ["mcp__s__a_one", "mcp__kit__read", "mcp__s__two"], "deny": ["mcp__x__y"] } }"#,
            r#"{ "permissions": { "allow": ["mcp__s__b-one", "mcp__s__b-one"] } }"#,
        ],
    ),
    (
        "toolnames.toml",
        &[
            "extends = \"team.toml\"\n",
            "exclude = [\"py/**\"]\n",
            "profile = \"house.toml\"\n",
            "profile = \"chora\"\n[convention]\nnamespace = \"s\"\n",
            "[rules]\nname-chars = \"off\"\n[servers]\nclosed = true\n",
            "[[frameworks]]\nid = \"acme\"\nlanguage = \"python\"\npackages = [\"acme\"]\nduplicate = \"throws\"\n\n[[frameworks.form]]\nkind = \"tool\"\non = \"decorator\"\npath = \"*.expose\"\nname = [\"arg0\"]\n",
            "[[client]]\nid = \"hal\"\nname = \"Hal\"\nnames = { tool = \"{server}/{tool}\" }\n\n[[client.file]]\nfiles = [\"**/hal.yaml\"]\n\n[[client.file.list]]\nat = \"deny\"\nlist = \"deny\"\nwildcards = \"tool\"\n",
            "broken = [",
        ],
    ),
    ("hal.yaml", &["deny:\n  - s/a_on\n", "deny:\n  - kit/read\n  - x/y\n"]),
    ("team.toml", &["[servers]\nclosed = true\n", "exclude = [\"server.ts\"]\n", "[rules]\nname-chars = \"error\"\n"]),
    ("house.toml", &["case = \"snake\"\npattern = \"{tool}\"\n", "prefix = \"s_\"\n"]),
    ("py/toolnames.toml", &["root = true\n", "extends = \"../team.toml\"\n"]),
    (".gitignore", &["py/\n", "*.ts\n!server.ts\n", "lib\n"]),
    (".ignore", &["server.ts\n", "!lib\n"]),
    (
        "toolnames.lock",
        &[
            "version = 1\n[[tool]]\nserver = \"s\"\nname = \"gone\"\n",
            "version = 1\n[[renamed]]\nserver = \"s\"\nold = \"y\"\nnew = \"two\"\n",
        ],
    ),
    (
        "package.json",
        &[
            r#"{ "name": "app", "dependencies": { "@modelcontextprotocol/sdk": "1", "@acme/kit": "1" } }"#,
            r#"{ "name": "other", "dependencies": { "@modelcontextprotocol/sdk": "1" } }"#,
        ],
    ),
    (
        "node_modules/@acme/kit/package.json",
        &[r#"{ "name": "@acme/kit", "bin": "index.js", "dependencies": { "@modelcontextprotocol/sdk": "1" } }"#],
    ),
    (
        "node_modules/@acme/kit/index.js",
        &[
            "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst server = new McpServer({ name: \"kit\", version: \"1\" });\nserver.registerTool(\"read\", {}, run);\n",
            "import { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\nconst server = new McpServer({ name: \"kit\", version: \"1\" });\nserver.registerTool(\"write\", {}, run);\n",
        ],
    ),
    ("NAMESPACES.md", &["# Names\n\n| Tool |\n|---|\n| `s:gone` |\n", "Call `mcp__s__y`.\n"]),
    ("CLAUDE.md", &["Use `mcp__s__y`, then mcp__s__two.\n"]),
];

/// Folders that are renamed as a whole.
const FOLDERS: [&str; 3] = ["lib", "py", "node_modules"];

/// Random numbers that depend only on a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Makes one random change, which may be one on disk if `on_disk`, and returns a description of it for the failure
/// message.
async fn step(
    client: &mut Client,
    open: &mut BTreeMap<String, (String, i32)>,
    random: &mut Random,
    on_disk: bool,
) -> String {
    let root = client.root.clone();
    let (path, texts) = FILES[random.below(FILES.len())];
    let text = texts[random.below(texts.len())];
    match if on_disk { random.below(12) } else { 6 + random.below(6) } {
        0..4 => {
            write(&root, path, text);
            format!("write {path} {text:?}")
        }
        4 => {
            let _ = std::fs::remove_file(root.join(path));
            format!("remove {path}")
        }
        5 => {
            let folder = FOLDERS[random.below(FOLDERS.len())];
            let (here, away) = (root.join(folder), root.join(format!("{folder}-away")));
            let (from, to) = if here.exists() { (here, away) } else { (away, here) };
            let _ = std::fs::rename(&from, &to);
            format!("rename {} to {}", from.display(), to.display())
        }
        6 | 7 if !open.contains_key(path) => {
            client.open_with(path, text).await;
            open.insert(path.to_string(), (text.to_string(), 1));
            format!("open {path} {text:?}")
        }
        8 if open.contains_key(path) => {
            open.remove(path);
            client.notify("textDocument/didClose", json!({ "textDocument": { "uri": client.uri(path) } })).await;
            format!("close {path}")
        }
        9 => {
            client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] })).await;
            "notice".to_string()
        }
        10 => {
            let _ = client.request("toolnames/tools", Value::Null).await;
            "look".to_string()
        }
        _ => match open.get_mut(path) {
            Some((now, version)) => {
                *version += 1;
                let (path, text, version) = (path.to_string(), text.to_string(), *version);
                if random.below(2) == 0 {
                    *now = text.clone();
                    client.change(&path, version, json!([{ "text": text }])).await;
                } else {
                    now.insert(0, '\n');
                    let start = json!({ "line": 0, "character": 0 });
                    let range = json!({ "start": start, "end": start });
                    client.change(&path, version, json!([{ "range": range, "text": "\n" }])).await;
                }
                format!("change {path}")
            }
            None => "nothing".to_string(),
        },
    }
}

/// Everything that a server reports about its folder: findings by document, and servers with their tools.
async fn known(client: &mut Client) -> Vec<String> {
    let params = json!({ "previousResultIds": [] });
    let report = client.request("workspace/diagnostic", params).await.unwrap();
    let mut said = Vec::new();
    for document in report["items"].as_array().unwrap() {
        let uri = document["uri"].as_str().unwrap();
        let items = document["items"].as_array().into_iter().flatten();
        said.extend(items.map(|item| format!("{uri} {} {} {}", item["range"], item["code"], item["message"])));
    }
    said.sort();
    said.push(client.request("toolnames/tools", Value::Null).await.unwrap().to_string());
    said
}

/// Waits until the number of findings published for each open document is as expected, and returns the last numbers, by
/// URI; after three seconds, whatever they are.
async fn published(client: &mut Client, expected: &BTreeMap<String, usize>) -> BTreeMap<String, usize> {
    let mut last: BTreeMap<String, usize> = BTreeMap::new();
    let wait = async {
        while last != *expected {
            let message = client.wait(|message| message["method"] == "textDocument/publishDiagnostics").await;
            let params = &message["params"];
            let uri = params["uri"].as_str().unwrap().to_string();
            if expected.contains_key(&uri) {
                last.insert(uri, params["diagnostics"].as_array().unwrap().len());
            }
        }
    };
    let _ = tokio::time::timeout(Duration::from_secs(3), wait).await;
    last
}

/// Compares a session after random changes with a fresh one.
async fn compare(seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join(".git")).unwrap();
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for (path, texts) in FILES {
        // An ignore file mostly excludes everything, so it exists less often.
        let odds = if path.ends_with("ignore") { 1 } else { 4 };
        if random.below(6) < odds {
            write(folder.path(), path, texts[random.below(texts.len())]);
        }
    }
    let pushes = seed.is_multiple_of(3);
    let capabilities = if pushes { json!({}) } else { pulling() };
    let (mut client, _) = Client::start(folder.path(), capabilities).await;
    let mut open = BTreeMap::new();
    let mut steps = Vec::new();
    for _ in 0..4 + random.below(12) {
        steps.push(step(&mut client, &mut open, &mut random, true).await);
    }
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] })).await;
    steps.push("notice".to_string());
    // Changes in the editor alone need no notification of file changes.
    if random.below(2) == 0 {
        let _ = known(&mut client).await;
    }
    for _ in 0..random.below(8) {
        steps.push(step(&mut client, &mut open, &mut random, false).await);
    }
    let now = known(&mut client).await;

    let (mut fresh, _) = Client::start(folder.path(), pulling()).await;
    for (path, (text, _)) in &open {
        fresh.open_with(path, text).await;
    }
    let expected = known(&mut fresh).await;
    let differs: Vec<&String> = expected.iter().filter(|said| !now.contains(said)).collect();
    let extra: Vec<&String> = now.iter().filter(|said| !expected.contains(said)).collect();
    assert!(
        differs.is_empty() && extra.is_empty(),
        "seed {seed}: after\n{}\nopen {:?}\nonly a fresh server says {differs:#?}\nand the other one {extra:#?}",
        steps.join("\n"),
        open.keys()
    );
    if pushes {
        let mut counts = BTreeMap::new();
        for path in open.keys() {
            let said = fresh.pull(path).await;
            counts.insert(fresh.uri(path), said.len());
        }
        let sent = published(&mut client, &counts).await;
        assert_eq!(sent, counts, "seed {seed}: after\n{}", steps.join("\n"));
    }
}

/// `TOOLNAMES_SEEDS` sets the number of seeds, or, with a `=` before it, the one seed to use.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_knows_what_a_fresh_one_would() {
    let seeds = std::env::var("TOOLNAMES_SEEDS").unwrap_or_default();
    match seeds.strip_prefix('=') {
        Some(seed) => compare(seed.parse().expect("a number")).await,
        None => {
            for seed in 0..seeds.parse().unwrap_or(40) {
                compare(seed).await;
            }
        }
    }
}
