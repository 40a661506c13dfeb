//! `toolnames snapshot`: asks a running server for its tools, and records the answer.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::args::{Asked, Format, Snapshot as Arguments};
use super::{Outcome, Trouble, open, print};
use crate::client::{Secrets, launch, shown_command};
use crate::disk::NewText;
use crate::live;
use crate::path::is_installed;
use crate::show::{self, Page};
use crate::workspace::{Recorded, Snapshot};

pub(super) fn run(command: &Arguments) -> Result<Outcome, Trouble> {
    let mut opened = open(&command.workspace)?;
    let snapshot = opened.workspace.snapshot();
    let asked = &command.asked;
    let key = match &asked.key {
        Some(key) => key.clone(),
        None => key_of(&snapshot, &asked.command)?,
    };
    let root = opened.disk.root().to_path_buf();
    let answer = answer(asked, &root)?;
    let count = answer.tools.len();
    let text = written(&snapshot, &key, &asked.command, answer);
    let path = Recorded::path_of(&key);
    let before = opened.disk.hash(&path);
    opened.disk.write(&[NewText { path: path.clone(), before, text }])?;
    let counted = if count == 1 { "1 tool".to_string() } else { format!("{count} tools") };
    print(&match command.output.format {
        Format::Json => Page::json(&json!({ "schema_version": 1, "key": key, "file": path, "tools": count })),
        Format::Text => {
            let mut page = Page::default();
            page.line(format_args!("recorded {counted} of `{}` in {}", show::value(&key), show::value(&path)));
            page
        }
    })?;
    Ok(Outcome::Clean)
}

/// Starts a server in a folder and returns its answer. Error messages hide the secrets in the command, even if the
/// server repeats them.
pub(super) fn answer(asked: &Asked, root: &Path) -> Result<live::Answer, Trouble> {
    live::ask(&asked.command, root, Duration::from_secs(asked.timeout)).map_err(|error| {
        let error = Secrets::of(&asked.command).hide(&error.to_string());
        anyhow::anyhow!("`{}`: {error}", shown_command(&asked.command).join(" "))
    })
}

/// Returns the key of the only server that client files start with this command.
pub(super) fn key_of(snapshot: &Snapshot, command: &[String]) -> Result<String, Trouble> {
    let wanted = launch(command);
    let mut keys = Vec::new();
    for file in snapshot.files.all() {
        let same = file.client_facts().flat_map(|facts| &facts.servers).filter(|entry| {
            entry
                .command
                .as_ref()
                .is_some_and(|own| own.as_slice() == command || wanted.is_some() && launch(own) == wanted)
        });
        keys.extend(same.filter_map(|entry| snapshot.files.names_of(&file.path, entry).pop()));
    }
    keys.sort();
    keys.dedup();
    match keys.as_slice() {
        [only] => Ok(only.clone()),
        [] => anyhow::bail!("no client file in this workspace starts this command: set the server key with `--key`"),
        several => anyhow::bail!("{} are started by this command: choose one with `--key`", several.join(" and ")),
    }
}

fn written(snapshot: &Snapshot, key: &str, command: &[String], answer: live::Answer) -> String {
    let mut fields = serde_json::Map::new();
    let mut field = |name: &str, value: Value| fields.insert(name.to_string(), value);
    field("schema_version", json!(1));
    field("key", json!(key));
    // The command shows readers which server this is. Secrets are hidden, since the file is committed.
    field("command", json!(shown_command(command)));
    field("date", json!(chrono::Utc::now().format("%Y-%m-%d").to_string()));
    if let Some((name, version)) = package_of(snapshot, key) {
        field("package", json!({ "name": name, "version": version }));
    }
    let secrets = Secrets::of(command);
    field("serverInfo", without(answer.server_info, &secrets, true));
    if let Some(lifetime) = answer.ttl_ms {
        field("ttlMs", json!(lifetime));
    }
    if let Some(scope) = answer.cache_scope {
        field("cacheScope", scope);
    }
    let tools = answer.tools.into_iter().map(|tool| {
        let name = tool.get("name").cloned();
        let mut tool = without(tool, &secrets, true);
        // The name by which clients call the tool is recorded unchanged.
        if let (Some(fields), Some(name)) = (tool.as_object_mut(), name) {
            fields.insert("name".to_string(), name);
        }
        tool
    });
    field("tools", tools.collect());
    show::json(&Value::Object(fields))
}

/// Keys of a tool and of JSON Schema whose values are not prose: ordinary words in them are kept.
const WORDS: [&str; 6] = ["name", "type", "format", "required", "$ref", "$schema"];

/// Returns a server's answer in which the secrets of the command are hidden. `is_text` is whether strings in the answer
/// are prose; in other strings, secrets that are ordinary words are kept.
fn without(value: Value, secrets: &Secrets, is_text: bool) -> Value {
    match value {
        Value::String(text) if is_text => Value::String(secrets.without_values(&text)),
        Value::String(word) => Value::String(secrets.without_tokens(&word)),
        Value::Array(items) => items.into_iter().map(|item| without(item, secrets, is_text)).collect(),
        Value::Object(fields) => {
            let without = |(key, value)| {
                let is_text = !WORDS.contains(&String::as_str(&key));
                (key, without(value, secrets, is_text))
            };
            fields.into_iter().map(without).collect()
        }
        other => other,
    }
}

/// Returns the name and version of the installed package that contains a key's server; `None` if there is none.
fn package_of(snapshot: &Snapshot, key: &str) -> Option<(String, String)> {
    let analysis = snapshot.analysis();
    let mut sources = analysis.keys.get(key)?.servers.iter().map(|&server| &analysis.servers[server].root);
    sources.find(|root| is_installed(root)).and_then(|root| snapshot.files.package_at(root))
}
