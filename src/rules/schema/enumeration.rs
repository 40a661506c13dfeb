//! `schema-enum`: a parameter accepts only a few values, and its schema does not list them.

use serde_json::json;

use super::{Look, write};
use crate::diagnostic::{Diagnostic, Severity};
use crate::known::schema::{Property, Value};
use crate::rules::{Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "schema-enum", default: Severity::Warning, scope: Scope::File, docs: include_str!("enumeration.md") };

pub(super) fn check(look: &Look<'_, '_>, property: &Property, value: &Value, diagnostics: &mut Vec<Diagnostic>) {
    if value.is("string") != Some(true) || value.has("enum") || value.has("const") || value.has("pattern") {
        return;
    }
    let said = value.description.as_deref().map(values_of).unwrap_or_default();
    let is_asked = look.cx.policy.convention.parameters.get(&*property.name).is_some_and(|one| one.enumerated);
    if said.len() < 2 && !is_asked {
        return;
    }
    // If the default is none of these values, the description does not list all values, and there is no fix.
    let is_whole = value.default.as_ref().is_none_or(|default| said.iter().any(|value| default == value));
    let fix = if said.len() > 1 && is_whole { write(look, &value.object, "enum", json!(said)) } else { None };
    let message = match said.as_slice() {
        [] | [_] => format!("`{}` accepts one of a few values: list them in `enum`", property.name),
        said => format!("`{}` takes {}: list the values in `enum`", property.name, said.join(", ")),
    };
    look.say(&RULE, property.key, message, fix, diagnostics);
}

/// Phrases after which a description lists all possible values.
const COUNTING: [&str; 7] =
    ["one of", "either", "allowed values", "possible values", "valid values", "allowed", "must be"];
/// Text allowed between such a phrase and the first value, and between values.
const BETWEEN: [&str; 12] = ["", ":", ",", "or", ", or", "and", ", and", "|", "/", "are", "are:", "is"];

/// Returns the values that a description lists, as in `one of "up", "down"` or `either 'asc' or 'desc'`. Nothing but
/// values may follow, up to the end of the sentence: "either `ref` or `text` must be given" is about something else.
/// Empty if no values are listed.
fn values_of(description: &str) -> Vec<&str> {
    // Changing the case of ASCII letters keeps the length, so that byte offsets apply to both texts.
    let lower = description.to_ascii_lowercase();
    let starts = COUNTING.iter().flat_map(|words| lower.match_indices(words).map(|(at, words)| at + words.len()));
    let counted = starts.map(|start| counted(&description[start..]));
    counted.max_by_key(Vec::len).unwrap_or_default()
}

fn counted(text: &str) -> Vec<&str> {
    let mut values: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['"', '\'', '`']) {
        if !BETWEEN.contains(&rest[..start].trim().to_ascii_lowercase().as_str()) {
            break;
        }
        let quote = rest[start..].chars().next().unwrap_or('"');
        let after = &rest[start + 1..];
        let Some(end) = after.find(quote) else { return Vec::new() };
        let value = &after[..end];
        let is_value = !value.is_empty() && value.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if !is_value {
            return Vec::new();
        }
        if !values.contains(&value) {
            values.push(value);
        }
        rest = &after[end + 1..];
    }
    let ends = rest.trim_start_matches([' ', '\t']);
    let is_all = ends.is_empty() || ends.starts_with(['.', ';', ')', ']', '\n', '\r']);
    if is_all { values } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::values_of;

    #[test]
    fn values_are_counted_up_to_the_sentences_end_or_not_at_all() {
        for (said, values) in [
            ("Which way: one of \"up\", \"down\"", ["up", "down"].as_slice()),
            ("Either 'asc' or 'desc'. The default is the first.", &["asc", "desc"]),
            ("Allowed values: `a`, `b`, or `c` (see the manual)", &[]),
            ("The way (one of: `a`, `b`)", &["a", "b"]),
            ("Must be \"on\" or \"off\".", &["on", "off"]),
            ("CSS selector. Either `selector` or `text` must be given.", &[]),
            ("must be one that `browser_snapshot` or `browser_find` gave", &[]),
            ("must be combined with \"Control\" or \"Meta\" on some sites", &[]),
            ("One of \"up\", for example", &[]),
        ] {
            assert_eq!(values_of(said), values, "{said}");
        }
    }
}
