//! Inlay hints after names and permission strings.

use super::subject::matched;
use crate::client::Rule;
use crate::text::{FileId, Span};
use crate::workspace::{Snapshot, Tool};

/// Returns the number of tools that each string with a wildcard matches, in a range of a client's file, with the byte
/// offset after the string.
pub(crate) fn counts(snapshot: &Snapshot, file: FileId, within: Span) -> Vec<(u32, String)> {
    let mut counts = Vec::new();
    for list in snapshot.files.client_facts(file).flat_map(|facts| &facts.lists) {
        let spelt = list.grammar.spell_all(snapshot.analysis().keys.keys());
        for entry in list.entries.iter().filter(|entry| within.touches(entry.whole.start)) {
            let rule = list.parse(&entry.text.text, &spelt);
            let is_wide = matches!(rule, Rule::Server { .. } | Rule::ToolPattern { .. } | Rule::Pattern);
            if !is_wide && list.expression(&entry.text.text).is_none() {
                continue;
            }
            match matched(snapshot, list, entry).len() {
                // Nothing is known about the matching tools, or the entry has a finding.
                0 => {}
                1 => counts.push((entry.whole.end, "1 tool".to_string())),
                count => counts.push((entry.whole.end, format!("{count} tools"))),
            }
        }
    }
    counts
}

/// Returns the full names of the tools whose own part of the name is in a range of a file and is not the whole name,
/// each with the byte offset after that part and its quotes.
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

/// Returns the byte offset after the tool's own part of its name and its quotes.
fn behind(tool: &Tool, span: Span) -> u32 {
    let part = tool.registration.name.parts.get(tool.local);
    let is_literal = part.is_some_and(|part| matches!(part.origin, crate::evaluate::Origin::Literal(_)));
    span.end + u32::from(is_literal)
}

/// Returns, for the tool names in a range of a file, how many more characters the clients in use allow, if only a few
/// are left, each with the byte offset after the tool's own part of the name. Names that are too long have a finding
/// instead.
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

/// A hint is shown if fewer characters than this are left: a longer word, or a key with one more letter, would use them
/// up.
const NEARLY_TOO_LONG: usize = 6;
