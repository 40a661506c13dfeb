//! Repairs of wrong permission strings.
//!
//! A string is split into words, and the words are looked up among those of the names that can be called. Wrong
//! separators, wrong case and a missing prefix are more frequent than wrong letters.

use super::Examined;
use super::spelling::folded;
use crate::client::Rule;

/// Returns the repairs of a wrong string: one if the meaning is clear, several if it is not, none if no name has the
/// same words.
pub(super) fn repairs(examined: &Examined<'_>) -> Vec<String> {
    let text = examined.text();
    let bare = text.trim();
    // Parentheses after the name of a tool restrict the entry, unless they are part of the client's form for names.
    let is_restricted = examined.grammar().tool.suffix.is_empty();
    if is_restricted && let Some(tool) = in_parentheses(examined, bare) {
        return tool.into_iter().collect();
    }
    let bare = if is_restricted { bare.split('(').next().unwrap_or(bare).trim_end() } else { bare };
    // `mcp__s__:*`, the shell's form of a wildcard.
    let bare = bare.replace(":*", "*");
    if bare != text && is_sound(examined, &bare) {
        return vec![bare];
    }
    if let Some(spelt) = spelt_as_composed(examined, &bare) {
        return vec![spelt];
    }
    if bare.contains('*') {
        return Vec::new();
    }
    let in_full = meant(examined, &bare, false);
    if in_full.is_empty() { meant(examined, &bare, true) } else { in_full }
}

/// Repairs a server with the name of a tool in parentheses after it, `mcp__notes(delete_note)`: returns the composed
/// name of that tool. An entry for the whole server would match more than was meant. The outer `None` means that the
/// string has another form, the inner one that there is no such tool.
fn in_parentheses(examined: &Examined<'_>, text: &str) -> Option<Option<String>> {
    let (server, rest) = text.split_once('(')?;
    let inside = rest.strip_suffix(')')?.trim_end_matches(":*");
    let Rule::Server { server } = examined.parse(server) else { return None };
    if matches!(inside, "" | "*") {
        return None;
    }
    let grammar = examined.grammar();
    let name = format!("{}{server}{}{inside}", grammar.tool.prefix, grammar.separator());
    Some(Some(name).filter(|name| is_sound(examined, name)))
}

/// Returns the names whose words, including those of the server, are the words of a string.
pub(super) fn repairs_in_full(examined: &Examined<'_>) -> Vec<String> {
    meant(examined, examined.text(), false)
}

/// Returns the names whose words are those of a string in another client's form, with or without `mcp` in front.
pub(super) fn repairs_of_another_form(examined: &Examined<'_>) -> Vec<String> {
    let words = folded(examined.text());
    let bare = words.strip_prefix("mcp_").unwrap_or(&words);
    if examined.text().trim_start().starts_with(['!', '^', '~']) {
        return Vec::new();
    }
    let with_prefix = meant(examined, &format!("mcp_{bare}"), false);
    if with_prefix.is_empty() { meant(examined, bare, false) } else { with_prefix }
}

fn meant(examined: &Examined<'_>, text: &str, tool_only: bool) -> Vec<String> {
    // A negation is not meant to allow what it excludes, and an empty string means nothing.
    if text.trim().is_empty() || text.trim_start().starts_with(['!', '^', '~']) {
        return Vec::new();
    }
    let meant = examined.servers.meant(&folded(text)).iter();
    let mut names: Vec<String> = meant
        .filter(|meant| meant.tool_only == tool_only && meant.name != examined.text())
        .map(|meant| meant.name.clone())
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Takes a string whose server is spelt as in the config (`mcp__my server__x`), and returns it with the server spelt as
/// in composed names. `None` if the string does not begin with such a server, or if the result is not a sound entry.
fn spelt_as_composed(examined: &Examined<'_>, text: &str) -> Option<String> {
    let grammar = examined.grammar();
    let rest = text.strip_prefix(grammar.tool.prefix.as_str())?;
    let (server, tool) = examined.servers.written_in_front(rest)?;
    Some(format!("{}{tool}", grammar.server_prefix(&server.key))).filter(|spelt| is_sound(examined, spelt))
}

/// Whether a string fits the client's grammar and names something that may exist.
fn is_sound(examined: &Examined<'_>, text: &str) -> bool {
    match examined.parse(text) {
        Rule::Malformed(_) => false,
        Rule::Tool { server, .. } => match examined.servers.of(server) {
            Some(server) if examined.servers.knows(server) => server.names.contains(text),
            _ => true,
        },
        _ => true,
    }
}
