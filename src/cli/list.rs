//! `toolnames list`: every server with its tools.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::args::{Format, List};
use super::report::{at, range};
use super::{Outcome, Trouble, open, pretty, print, report_trouble};
use crate::evaluate::{Confidence, Dynamic};
use crate::path::is_installed;
use crate::workspace::{Known, Server, Snapshot, Tool};

pub(super) fn run(command: &List) -> Result<Outcome, Trouble> {
    let mut opened = open(&command.workspace)?;
    let snapshot = opened.workspace.snapshot();
    let output = match (command.known, command.output.format) {
        (false, Format::Json) => to_json(&snapshot),
        (false, Format::Text) => text(&snapshot),
        (true, Format::Json) => known_json(&snapshot),
        (true, Format::Text) => known_text(&snapshot),
    };
    print(&output)?;
    Ok(if report_trouble(&opened, &snapshot) { Outcome::Partial } else { Outcome::Clean })
}

fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Exact => "exact",
        Confidence::Derived => "derived",
        Confidence::Heuristic => "heuristic",
    }
}

fn to_json(snapshot: &Snapshot) -> String {
    let analysis = snapshot.analysis();
    let servers: Vec<Value> = analysis.servers.iter().map(|server| server_json(snapshot, server)).collect();
    let dynamic: Vec<Value> = analysis.dynamics.iter().map(|dynamic| dynamic_json(snapshot, dynamic)).collect();
    pretty(&json!({ "schema_version": 1, "servers": servers, "dynamic": dynamic }))
}

fn server_json(snapshot: &Snapshot, server: &Server) -> Value {
    let offers = |offers: &[crate::workspace::Offer], key: &str| -> Vec<Value> {
        let one = |offer: &crate::workspace::Offer| {
            let (file, point) = at(snapshot, offer.place());
            json!({ key: offer.name, "file": file, "line": point.line, "column": point.column })
        };
        offers.iter().map(one).collect()
    };
    json!({
        "name": server.name,
        "root": server.root,
        "keys": server.keys,
        "complete": server.is_complete(),
        "incomplete_because": server.incomplete_because,
        "tools": server.tools.iter().map(|tool| tool_json(snapshot, tool)).collect::<Vec<_>>(),
        "prompts": offers(&server.prompts, "name"),
        "resources": offers(&server.resources, "uri"),
        "dynamic": server.dynamics.iter().map(|dynamic| dynamic_json(snapshot, dynamic)).collect::<Vec<_>>(),
    })
}

fn tool_json(snapshot: &Snapshot, tool: &Tool) -> Value {
    let registration = &tool.registration;
    let segments: Vec<Value> = registration
        .name
        .parts
        .iter()
        .zip(&tool.shared_by)
        .filter_map(|(part, shared_by)| {
            let place = part.place()?;
            let span = snapshot.files.span(place);
            Some(json!({
                "text": part.text.as_str(),
                "file": snapshot.files.path(place.file),
                "range": range(snapshot, place.file, span),
                "shared_by": shared_by,
            }))
        })
        .collect();
    let place = |place: Option<crate::evaluate::Place>| {
        place.map(|place| {
            let (file, point) = at(snapshot, place);
            json!({ "file": file, "line": point.line, "column": point.column })
        })
    };
    let annotations: Map<String, Value> =
        registration.annotations.iter().map(|(hint, value)| (hint.to_string(), (*value).into())).collect();
    let (file, point) = at(snapshot, tool.local_place());
    let alias_of = snapshot.files.alias_of(tool);
    json!({
        "name": tool.name,
        "short_name": tool.short_name(),
        "segments": segments,
        "title": tool.title(),
        "annotations": annotations,
        "schema": place(registration.schema),
        "handler": place(registration.handler),
        "framework": snapshot.files.frameworks_arc().rows[registration.framework].id.as_str(),
        "confidence": confidence(registration.confidence),
        "file": file,
        "line": point.line,
        "column": point.column,
        "alias_of": alias_of,
        "deprecated": alias_of.is_some(),
    })
}

fn dynamic_json(snapshot: &Snapshot, dynamic: &Dynamic) -> Value {
    let (file, point) = at(snapshot, dynamic.place);
    json!({
        "file": file, "line": point.line, "column": point.column,
        "partial": dynamic.partial, "reason": dynamic.reason,
    })
}

fn text(snapshot: &Snapshot) -> String {
    let analysis = snapshot.analysis();
    let mut out = String::new();
    if analysis.servers.is_empty() {
        out.push_str("no MCP server found here\n");
        return out;
    }
    for (index, server) in analysis.servers.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let keys = match server.keys.as_slice() {
            [] => String::new(),
            keys => format!(", started as {}", keys.join(", ")),
        };
        let _ = writeln!(out, "{} ({}{keys})", server.name, server.root);
        let width = server.tools.iter().map(|tool| tool.name.chars().count()).max().unwrap_or(0).min(48);
        for tool in &server.tools {
            let (file, point) = at(snapshot, tool.local_place());
            let _ = writeln!(out, "  {:width$}  {file}:{}:{}", tool.name, point.line, point.column);
        }
        for (kind, offers) in [("prompt", &server.prompts), ("resource", &server.resources)] {
            for offer in offers {
                let (file, point) = at(snapshot, offer.place());
                let _ = writeln!(out, "  {kind} {}  {file}:{}:{}", offer.name, point.line, point.column);
            }
        }
        for dynamic in &server.dynamics {
            let (file, point) = at(snapshot, dynamic.place);
            let partial = dynamic.partial.as_deref().unwrap_or("?");
            let _ = writeln!(
                out,
                "  {partial:width$}  {file}:{}:{}  dynamic: {}",
                point.line, point.column, dynamic.reason
            );
        }
        if !server.is_complete() {
            let _ = writeln!(out, "  not complete: {}", server.incomplete_because.join("; "));
        }
    }
    out
}

/// Where the tools of a key are known from.
fn known_from(snapshot: &Snapshot, known: &Known) -> (&'static str, Vec<String>) {
    let analysis = snapshot.analysis();
    if let Some(recorded) = known.recorded {
        let first = analysis.recorded[recorded].tools.first();
        let place = first.map(|tool| snapshot.files.path(tool.registration.place.file).to_string());
        return ("snapshot", place.into_iter().collect());
    }
    let roots: Vec<String> = analysis.servers_of(known).map(|server| server.root.clone()).collect();
    match roots.first() {
        None => ("elsewhere", roots),
        Some(root) if is_installed(root) => ("package", roots),
        Some(_) => ("workspace", roots),
    }
}

/// The names of a key's tools, each once.
fn names_of<'a>(snapshot: &'a Snapshot, known: &Known) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for tool in snapshot.analysis().tools_of(known) {
        if !names.contains(&tool.name.as_str()) {
            names.push(&tool.name);
        }
    }
    names
}

fn known_json(snapshot: &Snapshot) -> String {
    let analysis = snapshot.analysis();
    let keys = analysis.keys.iter().map(|(key, known)| {
        let entries = known.entries.iter();
        let entries: Vec<Value> = entries
            .map(|(file, span)| json!({ "file": snapshot.files.path(*file), "range": range(snapshot, *file, *span) }))
            .collect();
        let (from, sources) = known_from(snapshot, known);
        let because: Vec<&String> = analysis.servers_of(known).flat_map(|server| &server.incomplete_because).collect();
        let tools = names_of(snapshot, known);
        json!({
            "key": key, "entries": entries, "known": analysis.is_known(known), "from": from,
            "source": sources, "incomplete_because": because, "tools": tools,
        })
    });
    pretty(&json!({ "schema_version": 1, "keys": keys.collect::<Vec<_>>() }))
}

fn known_text(snapshot: &Snapshot) -> String {
    let analysis = snapshot.analysis();
    let mut out = String::new();
    for (key, known) in &analysis.keys {
        let (from, sources) = known_from(snapshot, known);
        let sources = sources.join(", ");
        let from = match from {
            "elsewhere" => "what it starts is not found here; `toolnames snapshot` records its tools".to_string(),
            "snapshot" => format!("known, from the snapshot {sources}"),
            "package" => format!("from the installed package {sources}"),
            _ => format!("from {sources}"),
        };
        let is_complete = analysis.is_known(known);
        let because: Vec<&str> =
            analysis.servers_of(known).flat_map(|server| &server.incomplete_because).map(String::as_str).collect();
        let _ = match (is_complete, known.recorded) {
            (_, Some(_)) => writeln!(out, "{key}: {from}"),
            (true, _) => writeln!(out, "{key}: known, {from}"),
            (false, _) if because.is_empty() => writeln!(out, "{key}: {from}"),
            (false, _) => writeln!(out, "{key}: not complete, {from}: {}", because.join("; ")),
        };
        for name in names_of(snapshot, known) {
            let _ = writeln!(out, "  {name}");
        }
    }
    if analysis.keys.is_empty() {
        out.push_str("no client file here names a server\n");
    }
    out
}
