//! `toolnames why`: shows how a name is composed, from literals to the wire name to each client's string.

use serde_json::{Value, json};
use smol_str::SmolStr;

use super::args::{Format, Why};
use super::report::at;
use super::{Outcome, Trouble, open, print};
use crate::client::{Place, Rule, Wildcards};
use crate::rename::{Target, targets};
use crate::rules;
use crate::show::{self, Page};
use crate::workspace::Snapshot;

pub(super) fn run(command: &Why) -> Result<Outcome, Trouble> {
    let mut opened = open(&command.workspace)?;
    let snapshot = opened.workspace.snapshot();
    let found = targets(&snapshot, &command.name, None);
    let output = match command.output.format {
        Format::Json => {
            let tools: Vec<Value> = found.iter().map(|target| to_json(&snapshot, *target)).collect();
            let reason = found.is_empty().then(|| nothing(&snapshot, &command.name));
            Page::json(&json!({ "schema_version": 1, "name": command.name, "tools": tools, "nothing_because": reason }))
        }
        Format::Text => {
            let mut page = Page::default();
            if found.is_empty() {
                page.line(nothing(&snapshot, &command.name));
            }
            found.iter().for_each(|target| to_text(&snapshot, *target, &mut page));
            page
        }
    };
    print(&output)?;
    Ok(if found.is_empty() { Outcome::Findings } else { Outcome::Clean })
}

/// Returns the names that clients compose for a tool, each as the client, the server key and the composed name.
fn composed(snapshot: &Snapshot, target: Target<'_>) -> Vec<(SmolStr, String, String)> {
    let path = snapshot.files.path(target.tool.local_place().file);
    let clients = snapshot.files.clients(path);
    clients
        .iter()
        .flat_map(|client| {
            let names = target.server.keys.iter();
            names.map(|key| (client.name.clone(), key.clone(), client.composed(key, &target.tool.name)))
        })
        .collect()
}

fn to_text(snapshot: &Snapshot, target: Target<'_>, out: &mut Page) {
    let tool = target.tool;
    let (name, server) = (show::value(&tool.name), show::value(&target.server.name));
    out.line(format_args!("{name} is a tool of {server} ({})", show::value(&target.server.root)));
    for (part, shared_by) in tool.registration.name.parts.iter().zip(&tool.shared_by) {
        let Some(place) = part.place() else { continue };
        let (file, point) = at(snapshot, place);
        let shared = if *shared_by > 1 { format!(", shared by {shared_by} tools") } else { String::new() };
        let (text, file) = (show::value(&part.text), show::value(&file));
        out.line(format_args!("  `{text}` is written at {file}:{}:{}{shared}", point.line, point.column));
    }
    let (file, point) = at(snapshot, tool.registration.place);
    let framework = &snapshot.files.frameworks_arc().rows[tool.registration.framework].id;
    let file = show::value(&file);
    out.line(format_args!("  registered with {framework} at {file}:{}:{}", point.line, point.column));
    for (client, key, name) in composed(snapshot, target) {
        let (count, key, name) = (name.chars().count(), show::value(&key), show::value(&name));
        out.line(format_args!("  {client}, which starts it as `{key}`, calls it `{name}` ({count} characters)"));
    }
    if target.server.keys.is_empty() {
        out.line("  no client config in this workspace starts this server");
    }
}

fn to_json(snapshot: &Snapshot, target: Target<'_>) -> Value {
    let tool = target.tool;
    let chain: Vec<Value> = tool
        .registration
        .name
        .parts
        .iter()
        .zip(&tool.shared_by)
        .filter_map(|(part, shared_by)| {
            let (file, point) = at(snapshot, part.place()?);
            Some(json!({ "text": part.text.as_str(), "file": file, "line": point.line, "column": point.column, "shared_by": shared_by }))
        })
        .collect();
    let clients: Vec<Value> = composed(snapshot, target)
        .into_iter()
        .map(
            |(client, key, name)| json!({ "client": client, "key": key, "name": name, "length": name.chars().count() }),
        )
        .collect();
    json!({ "name": tool.name, "server": target.server.name, "root": target.server.root, "segments": chain, "clients": clients })
}

/// Returns the reason why no tool was found for a name.
pub(super) fn nothing(snapshot: &Snapshot, name: &str) -> String {
    let analysis = snapshot.analysis();
    for server in &analysis.servers {
        let convention = rules::convention_of(snapshot, server);
        if let Some((breach, right)) = convention.judge_permission(name, &[]) {
            let right: Vec<String> = right.iter().map(|right| format!("`{right}`")).collect();
            let right = if right.is_empty() { String::new() } else { format!("; use {}", right.join(" or ")) };
            let form = convention.gateway.as_ref().map_or(String::new(), |gateway| gateway.prefix());
            return format!("{}{right} (the form is `{form}<server>_<tool>`)", breach.message);
        }
    }
    for client in snapshot.files.known_clients().iter() {
        let place = Place { wildcards: Wildcards::Anywhere, server: None, servers: crate::client::Spelt::none() };
        let (server, tool) = match client.names.parse(name, place) {
            Rule::Tool { server, tool } => (server, tool),
            _ => continue,
        };
        let Some((key, known)) = analysis.keys.iter().find(|(key, _)| client.normalise(key) == server) else {
            return format!("no client config in this workspace starts a server `{server}`");
        };
        if known.servers.is_empty() && known.recorded.is_none() {
            return format!("a client config in this workspace starts `{key}`, but its source is elsewhere");
        }
        if !analysis.is_known(known) {
            let reasons: Vec<String> =
                analysis.servers_of(known).flat_map(|server| server.incomplete_because.clone()).collect();
            return format!(
                "nothing is known about `{tool}`: the tools of `{key}` are not all known ({})",
                reasons.join("; ")
            );
        }
        let tools = analysis.servers_of(known).flat_map(|server| &server.tools).map(|tool| tool.name.as_str());
        let tools: Vec<&str> = tools.collect();
        // What a gateway lists may have the client's prefix already.
        let near = crate::name::nearest(tool, tools.iter().copied()).or_else(|| crate::name::nearest(name, tools));
        let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        return format!("`{key}` has no tool `{tool}`{hint}");
    }
    let near = crate::name::nearest(name, analysis.tools().map(|(_, tool)| tool.name.as_str()));
    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("no server in this workspace has a tool `{name}`{hint}")
}
