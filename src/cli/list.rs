//! `toolnames list`: every server with its tools.

use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

use super::args::{Format, List};
use super::report::{at, range, tell_skipped};
use super::{Outcome, Trouble, open, print, report_trouble};
use crate::found::{Confidence, Dynamic, Place};
use crate::path::is_installed;
use crate::show::{self, Page};
use crate::workspace::{Known, Server, Snapshot, Tool};

pub(super) fn run(command: &List) -> Result<Outcome, Trouble> {
    let mut opened = open(&command.workspace)?;
    let snapshot = opened.workspace.snapshot();
    let output = match (command.known, command.output.format) {
        (false, Format::Json) => Page::json(&to_json(&snapshot)),
        (false, Format::Text) => {
            let mut page = text(&snapshot);
            tell_skipped(&mut page, &opened.disk.skipped(), &snapshot);
            page
        }
        (true, Format::Json) => Page::json(&known_json(&snapshot)),
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

fn to_json(snapshot: &Snapshot) -> Value {
    let analysis = snapshot.analysis();
    let servers: Vec<Value> = analysis.servers.iter().map(|server| server_json(snapshot, server)).collect();
    let dynamic: Vec<Value> = analysis.dynamics.iter().map(|dynamic| dynamic_json(snapshot, dynamic)).collect();
    json!({ "schema_version": 1, "servers": servers, "dynamic": dynamic })
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
    let place = |place: Option<Place>| {
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

fn text(snapshot: &Snapshot) -> Page {
    let analysis = snapshot.analysis();
    let mut out = Page::default();
    if analysis.servers.is_empty() {
        out.line("no MCP server found");
        return out;
    }
    for (index, server) in analysis.servers.iter().enumerate() {
        if index > 0 {
            out.line("");
        }
        let keys: Vec<String> = server.keys.iter().map(|key| show::value(key)).collect();
        let keys = if keys.is_empty() { String::new() } else { format!(", started as {}", keys.join(", ")) };
        out.line(format_args!("{} ({}{keys})", show::value(&server.name), show::value(&server.root)));
        let width = server.tools.iter().map(|tool| show::width(&tool.name)).max().unwrap_or(0).min(48);
        for tool in &server.tools {
            let place = shown_place(snapshot, tool.local_place());
            out.line(format_args!("  {}  {place}", show::column(&tool.name, width)));
        }
        for (kind, offers) in [("prompt", &server.prompts), ("resource", &server.resources)] {
            for offer in offers {
                let place = shown_place(snapshot, offer.place());
                out.line(format_args!("  {kind} {}  {place}", show::value(&offer.name)));
            }
        }
        for dynamic in &server.dynamics {
            let place = shown_place(snapshot, dynamic.place);
            let partial = show::column(dynamic.partial.as_deref().unwrap_or("?"), width);
            out.line(format_args!("  {partial}  {place}  dynamic: {}", dynamic.reason));
        }
        if !server.is_complete() {
            out.line(format_args!("  incomplete: {}", server.incomplete_because.join("; ")));
        }
    }
    out
}

/// Formats a place so that a terminal can link to it: path, line and column.
fn shown_place(snapshot: &Snapshot, place: Place) -> String {
    let (file, point) = at(snapshot, place);
    format!("{}:{}:{}", show::value(&file), point.line, point.column)
}

/// Returns the kind of source that a key's tools come from (`snapshot`, `package`, `workspace` or `elsewhere`), and the
/// paths of that source.
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

/// The names of a key's tools, without duplicates.
fn names_of<'a>(snapshot: &'a Snapshot, known: &Known) -> Vec<&'a str> {
    let mut seen = FxHashSet::default();
    let names = snapshot.analysis().tools_of(known).map(|tool| tool.name.as_str());
    names.filter(|name| seen.insert(*name)).collect()
}

fn known_json(snapshot: &Snapshot) -> Value {
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
    json!({ "schema_version": 1, "keys": keys.collect::<Vec<_>>() })
}

fn known_text(snapshot: &Snapshot) -> Page {
    let analysis = snapshot.analysis();
    let mut out = Page::default();
    for (key, known) in &analysis.keys {
        let (from, sources) = known_from(snapshot, known);
        let sources = sources.iter().map(|source| show::value(source)).collect::<Vec<String>>().join(", ");
        let from = match from {
            "elsewhere" => "its source is not in the workspace: record its tools with `toolnames snapshot`".to_string(),
            "snapshot" => format!("known, from the snapshot {sources}"),
            "package" => format!("from the installed package {sources}"),
            _ => format!("from {sources}"),
        };
        let is_complete = analysis.is_known(known);
        let because: Vec<&str> =
            analysis.servers_of(known).flat_map(|server| &server.incomplete_because).map(String::as_str).collect();
        let key = show::value(key);
        match (is_complete, known.recorded) {
            (_, Some(_)) => out.line(format_args!("{key}: {from}")),
            (true, _) => out.line(format_args!("{key}: known, {from}")),
            (false, _) if because.is_empty() => out.line(format_args!("{key}: {from}")),
            (false, _) => out.line(format_args!("{key}: incomplete, {from}: {}", because.join("; "))),
        }
        for name in names_of(snapshot, known) {
            out.line(format_args!("  {}", show::value(name)));
        }
    }
    if analysis.keys.is_empty() {
        out.line("no client file in this workspace defines a server");
    }
    out
}
