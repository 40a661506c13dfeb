//! `schema-enum`: a parameter of a few values that are not written as such.

use serde_json::json;

use super::model::{Property, Value};
use super::{Look, write};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::Rule;

pub(crate) const RULE: Rule =
    Rule { id: "schema-enum", default: Severity::Warning, docs: include_str!("enumeration.md") };

pub(super) fn check(look: &Look<'_, '_>, property: &Property, value: &Value, diagnostics: &mut Vec<Diagnostic>) {
    if value.is("string") != Some(true) || value.has("enum") || value.has("const") || value.has("pattern") {
        return;
    }
    let said = value.description.as_deref().map(values_of).unwrap_or_default();
    let is_asked = look.cx.policy.convention.parameters.get(&*property.name).is_some_and(|one| one.enumerated);
    if said.len() < 2 && !is_asked {
        return;
    }
    let fix = if said.len() > 1 { write(look, &value.object, "enum", json!(said)) } else { None };
    let message = match said.as_slice() {
        [] | [_] => format!("`{}` takes one of a few values: name them in `enum`", property.name),
        said => format!("`{}` takes {}: say so in `enum`", property.name, said.join(", ")),
    };
    look.say(&RULE, property.key, message, fix, diagnostics);
}

/// Words behind which a description counts up all the values that there are.
const COUNTING: [&str; 6] = ["one of", "either", "allowed values", "possible values", "valid values", "must be"];

/// The values that a description counts up: `one of "up", "down"`, `either 'asc' or 'desc'`.
fn values_of(description: &str) -> Vec<&str> {
    let lower = description.to_ascii_lowercase();
    let Some(start) = COUNTING.iter().filter_map(|words| Some(lower.find(words)? + words.len())).min() else {
        return Vec::new();
    };
    if ["e.g.", "for example", "such as", "like "].iter().any(|sign| lower.contains(sign)) {
        return Vec::new();
    }
    let mut values: Vec<&str> = Vec::new();
    let mut rest = &description[start..];
    while let Some(start) = rest.find(['"', '\'', '`']) {
        let quote = rest[start..].chars().next().unwrap_or('"');
        let after = &rest[start + 1..];
        let Some(end) = after.find(quote) else { break };
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
    values
}
