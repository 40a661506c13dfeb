//! Servers that read protocol messages themselves: the name of a called tool is followed from the message to the code
//! that tells tools apart.

use std::collections::BTreeMap;

use toolnames::testing::rename::{self, Alias, AliasMode, Sources, To};

use super::aliases::{comes_to_the_same, renamed};
use super::fixture::Fixture;

/// Checks what `path` contains after `read_note` got the name `get_note` and a hidden alias.
#[track_caller]
fn check(files: &str, path: &str, expected: &str) {
    comes_to_the_same(files, AliasMode::Hidden);
    let alias = Alias { mode: AliasMode::Hidden, is_exact: true, ..Alias::default() };
    let after: BTreeMap<String, String> = renamed(&Fixture::parse(files), "read_note", "get_note", Some(&alias));
    assert!(after[path].contains(expected), "{}", after[path]);
}

const TOOLS: &str = r#"
//- /Cargo.toml
[package]
name = "notes"
//- /src/main.rs
mod server;
mod tools;
fn main() { server::run(); }
//- /src/tools.rs
pub trait Tool {
    fn name(&self) -> &'static str;
    fn description(&self) -> &'static str;
}
pub struct ReadNote;
impl Tool for ReadNote {
    fn name(&self) -> &'static str { "read_note" }
    fn description(&self) -> &'static str { "Reads." }
}
pub struct DropNote;
impl Tool for DropNote {
    fn name(&self) -> &'static str { "drop_note" }
    fn description(&self) -> &'static str { "Drops." }
}
pub fn all() -> Vec<Box<dyn Tool>> { vec![Box::new(ReadNote), Box::new(DropNote)] }
"#;

#[test]
fn a_variable_with_the_name_gets_the_new_one() {
    let server = r#"
//- /src/server.rs
use serde_json::{Value, json};

use crate::tools::{self, Tool};
pub fn run() {
    let tools = tools::all();
    for line in std::io::stdin().lines() {
        let request: Request = serde_json::from_str(&line.unwrap()).unwrap();
        let response = answer(&request, &tools);
        println!("{response}");
    }
}
fn answer(request: &Request, tools: &[Box<dyn Tool>]) -> Value {
    match request.method.as_str() {
        "tools/list" => list(tools),
        "tools/call" => call(&request.params, tools),
        _ => json!({ "error": "no such method" }),
    }
}
fn list(tools: &[Box<dyn Tool>]) -> Value {
    let tools: Vec<Value> = tools.iter().map(|t| json!({ "name": t.name(), "description": t.description(), "inputSchema": {} })).collect();
    json!({ "tools": tools })
}
fn call(params: &Value, tools: &[Box<dyn Tool>]) -> Value {
    let wanted = match params.get("name").and_then(|name| name.as_str()) {
        Some(name) => name,
        None => return json!({ "error": "no name" }),
    };
    let Some(tool) = tools.iter().find(|tool| tool.name() == wanted) else {
        return json!({ "error": "no such tool" });
    };
    run_tool(tool, params.get("arguments"))
}
"#;
    let expected = r#"
        None => return json!({ "error": "no name" }),
    };
    // toolnames: alias of get_note
    let wanted = {
        let mut wanted = wanted;
        if wanted == "read_note" {
            wanted = "get_note".into();
        }
        wanted
    };
    let Some(tool)"#;
    check(&format!("{TOOLS}{server}"), "src/server.rs", expected);
}

#[test]
fn parameters_that_are_json_get_the_new_name_under_their_key() {
    let files = r#"
//- /Cargo.toml
[package]
name = "notes"
//- /src/main.rs
use serde_json::{Value, json};

fn main() {
    for line in std::io::stdin().lines() {
        let response = process(&line.unwrap());
        println!("{response}");
    }
}
fn process(text: &str) -> Value {
    let message: Value = serde_json::from_str(text).unwrap();
    let method = message.get("method").and_then(|method| method.as_str()).unwrap_or_default();
    let params = message.get("params").cloned().unwrap_or(Value::Null);
    match method {
        "tools/list" => json!({ "tools": [definition("read_note", "Reads."), definition("drop_note", "Drops.")] }),
        "tools/call" => call(params),
        _ => Value::Null,
    }
}
fn definition(name: &str, description: &str) -> Value {
    json!({ "name": name, "description": description, "inputSchema": {} })
}
fn call(params: Value) -> Value {
    let name = params["name"].as_str().unwrap_or_default();
    match name {
        "read_note" | "drop_note" => notes(name),
        _ => json!({ "error": "no such tool" }),
    }
}
fn notes(name: &str) -> Value {
    match name {
        "read_note" => read(),
        "drop_note" => drop(),
        _ => unreachable!(),
    }
}
"#;
    let expected = r#"
fn call(params: Value) -> Value {
    // toolnames: alias of get_note
    let params = {
        let mut params = params;
        if params["name"] == "read_note" {
            params["name"] = "get_note".into();
        }
        params
    };
"#;
    check(files, "src/main.rs", expected);
}

#[test]
fn messages_of_python_are_dicts() {
    let files = r#"
//- /pyproject.toml
[project]
name = "notes"
//- /server.py
import json
import sys

TOOLS = [
    {"name": "read_note", "description": "Reads.", "inputSchema": {"type": "object"}},
    {"name": "drop_note", "description": "Drops.", "inputSchema": {"type": "object"}},
]


class Notes:
    def call(self, params):
        tool = getattr(self, "tool_" + params["name"])
        return tool(params.get("arguments"))

    def handle(self, request):
        method = request.get("method")
        params = request.get("params", {})
        if method == "tools/list":
            return {"tools": TOOLS}
        if method == "tools/call":
            return self.call(params)
        return None


def main():
    notes = Notes()
    for line in sys.stdin:
        print(json.dumps(notes.handle(json.loads(line))))


main()
"#;
    let fixture = Fixture::parse(files);
    let snapshot = fixture.snapshot();
    let server = snapshot.analysis().servers.iter().find(|server| !server.tools.is_empty()).expect("a server");
    assert_eq!(server.call_handlers.len(), 1, "{:?}", server.call_handlers);
}

#[test]
fn messages_of_javascript_are_told_apart() {
    let files = r#"
//- /package.json
{ "name": "notes", "type": "module" }
//- /server.js
import readline from "node:readline";
const tools = [
  { name: "read_note", description: "Reads.", inputSchema: { type: "object" } },
  { name: "drop_note", description: "Drops.", inputSchema: { type: "object" } },
];
function call(params) {
  const tool = tools.find((tool) => tool.name === params.name);
  return tool ? run(tool, params.arguments) : { error: "no such tool" };
}
function handle(message) {
  switch (message.method) {
    case "tools/list":
      return { tools };
    case "tools/call":
      return call(message.params);
  }
}
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  console.log(JSON.stringify(handle(JSON.parse(line))));
});
"#;
    check(
        files,
        "server.js",
        r#"
function call(params) {
  // toolnames: alias of get_note
  if (params.name === "read_note") params.name = "get_note";
"#,
    );
}

#[test]
fn a_message_that_cannot_be_followed_everywhere_has_no_alias() {
    let server = r#"
//- /src/server.rs
use serde_json::{Value, json};

use crate::tools::{self, Tool};
pub fn run() {
    let request: Request = serde_json::from_str(&line()).unwrap();
    match request.method.as_str() {
        "tools/list" => list(&tools::all()),
        "tools/call" => call(&request.params),
    }
    other(line());
}
fn list(tools: &[Box<dyn Tool>]) -> Value {
    let tools: Vec<Value> = tools.iter().map(|t| json!({ "name": t.name(), "description": t.description(), "inputSchema": {} })).collect();
    json!({ "tools": tools })
}
fn call(params: &Value) -> Value {
    let wanted = params["name"].as_str().unwrap();
    run_tool(tools::all().iter().find(|tool| tool.name() == wanted))
}
fn other(line: String) -> Value {
    let request = another_crate::Request::parse(line);
    match request.method.as_str() {
        "tools/call" => another_crate::call(request),
    }
}
"#;
    let fixture = Fixture::parse(&format!("{TOOLS}{server}"));
    let snapshot = fixture.snapshot();
    let target = rename::targets(&snapshot, "read_note", None)[0];
    let texts = |file| fixture.text(&snapshot, file);
    let sources = Sources { texts: &texts, around: &fixture };
    let plan = rename::rename(&snapshot, target, To::new("get_note", Some(&Alias::default())), sources);
    let refusal = plan.err().map(|refusal| refusal.to_string()).unwrap_or_default();
    assert!(refusal.contains("the code that handles its calls was not found"), "{refusal}");
}
