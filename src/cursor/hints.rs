//! Inlay hints after names and permission strings.

use super::subject::matched;
use crate::client::Rule;
use crate::text::{FileId, Span};
use crate::workspace::{Snapshot, Tool};

/// Returns hints for the strings in a range of a client's file that can match several tools: the byte offset after the
/// string, and the number of tools that it matches.
pub(crate) fn counts(snapshot: &Snapshot, file: FileId, within: Span) -> Vec<(u32, String)> {
    let mut counts = Vec::new();
    for list in snapshot.client_facts(file).flat_map(|facts| &facts.lists) {
        let spelt = list.grammar.spell_all(snapshot.analysis().keys.keys());
        for entry in list.entries.iter().filter(|entry| within.touches(entry.whole.start)) {
            let rule = list.parse(&entry.text.text, &spelt);
            let is_wide = matches!(rule, Rule::Server { .. } | Rule::ToolPattern { .. } | Rule::Pattern);
            if !is_wide && list.expression(&entry.text.text).is_none() {
                continue;
            }
            match matched(snapshot, list, entry).len() {
                // The matching tools are unknown, or the entry is reported by a rule.
                0 => {}
                1 => counts.push((entry.whole.end, "1 tool".to_string())),
                count => counts.push((entry.whole.end, format!("{count} tools"))),
            }
        }
    }
    counts
}

/// Returns the full names of the tools whose own part of the name is in a range of a file and is not the whole name.
/// Each has the byte offset after that part and its closing quote.
pub(crate) fn full_names(snapshot: &Snapshot, file: FileId, within: Span) -> Vec<(u32, String)> {
    let mut found: Vec<(u32, String)> = Vec::new();
    for (_, tool) in snapshot.analysis().tools() {
        let place = tool.local_place();
        if place.file != file || tool.short_name() == tool.name {
            continue;
        }
        let span = snapshot.files.span(place);
        if within.touches(span.start) {
            found.push((behind(tool, span), tool.name.clone()));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Returns the byte offset after the tool's own part of its name and, if that is a literal, after the closing quote.
fn behind(tool: &Tool, span: Span) -> u32 {
    let part = tool.registration.name.parts.get(tool.local);
    let is_literal = part.is_some_and(|part| matches!(part.origin, crate::found::Origin::Literal(_)));
    span.end + u32::from(is_literal)
}

/// Returns hints for the tool names in a range of a file that are close to the limit of a client in use: the byte
/// offset after the tool's own part of the name, and the number of characters that are left. Names that are too long
/// are reported by a rule instead.
pub(crate) fn lengths_left(snapshot: &Snapshot, file: FileId, within: Span) -> Vec<(u32, String)> {
    let clients = snapshot.files.clients(snapshot.files.path(file));
    let mut found: Vec<(u32, String)> = Vec::new();
    for (server, tool) in snapshot.analysis().tools().filter(|(_, tool)| tool.local_place().file == file) {
        let span = snapshot.files.span(tool.local_place());
        if !within.touches(span.start) {
            continue;
        }
        let left = clients.iter().filter_map(|client| {
            let lengths = server.keys.iter().map(|key| client.wire_name(key, &tool.name).chars().count());
            Some((client.limit?.checked_sub(lengths.max()?)?, &client.name))
        });
        if let Some((left, client)) = left.min_by_key(|(left, _)| *left).filter(|(left, _)| *left < NEARLY_TOO_LONG) {
            let characters = if left == 1 { "character" } else { "characters" };
            found.push((behind(tool, span), format!("{left} {characters} left ({client})")));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// A hint is shown if fewer characters than this are left: a slightly longer word in the name or in the server's key
/// would use them up.
const NEARLY_TOO_LONG: usize = 6;
