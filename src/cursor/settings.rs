//! `toolnames.toml`: what can be written there, and what its keys are for.

use std::fmt::Write;

use serde_json::Value;

use super::completion::{Item, ItemKind, Offered};
use crate::document::{self, Node, TomlPart, TomlPlace};
use crate::schema;
use crate::text::Span;

/// What can be written at an offset of a config.
pub fn complete(text: &str, offset: u32) -> Option<Offered> {
    let place = document::toml_place(text, offset as usize)?;
    let schemas = schema::below(&place.keys);
    let mut items = match place.part {
        TomlPart::Key => keys(text, &place, &schemas),
        TomlPart::Header => headers(&schemas),
        TomlPart::Value => values(&place, &schemas),
    };
    items.dedup_by(|a, b| a.text == b.text);
    Some(Offered { span: place.span, items })
}

/// What the key or table at an offset is for, in Markdown, and where it stands.
pub fn hover(text: &str, offset: u32) -> Option<(String, Span)> {
    let place = document::toml_place(text, offset as usize)?;
    let written = text.get(place.span.range()).filter(|written| !written.is_empty())?;
    let mut keys = place.keys.clone();
    if place.part != TomlPart::Value {
        keys.push(written.to_string());
    }
    let schemas = schema::below(&keys);
    let mut said = description(&schemas)?.to_string();
    if let Some(default) = find(&schemas, "default") {
        let _ = write!(said, "\n\nWithout it: `{}`.", literal(default));
    }
    let choices = choices(&schemas);
    if !choices.is_empty() {
        let _ =
            write!(said, "\n\nOne of {}.", choices.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(", "));
    }
    Some((said, place.span))
}

/// The keys of a table that are not there yet.
fn keys(text: &str, place: &TomlPlace, schemas: &[&'static Value]) -> Vec<Item> {
    let (root, _) = document::parse_toml(text);
    let table = place.keys.iter().try_fold(&root, |node, key| node.get(key));
    // Which element of a list this is, nobody knows: there only what stands before it counts.
    let is_there = |key: &str| {
        let in_table = |table: &&Node| table.entries().any(|(known, _)| known.text == key && known.span != place.span);
        table.as_ref().is_some_and(in_table) || place.beside.iter().any(|known| known == key)
    };
    let rest = text.get(place.span.end as usize..).unwrap_or_default();
    let has_value = rest.trim_start_matches(['"', '\'', ' ', '\t']).starts_with(['=', '.']);
    let line_start = text.get(..place.span.start as usize).unwrap_or_default().trim_end_matches([' ', '\t']);
    let begins_line = !place.quoted && (line_start.is_empty() || line_start.ends_with('\n'));
    let mut items = Vec::new();
    for (key, of_key) in properties(schemas).filter(|(key, _)| !is_there(key)) {
        let of_key = schema::resolved(of_key);
        let text = match table_kind(&of_key) {
            _ if has_value || place.quoted => key.to_string(),
            // Large tables are written under a header.
            Some(Table::One) if begins_line && place.keys.is_empty() => format!("[{key}]\n"),
            Some(Table::Many) if begins_line && place.keys.is_empty() => format!("[[{key}]]\n"),
            Some(Table::One) => format!("{key} = {{ "),
            _ => format!("{key} = "),
        };
        items.push(item(text, key, &of_key));
    }
    items
}

/// The tables that can stand below those whose names a header has already.
fn headers(schemas: &[&'static Value]) -> Vec<Item> {
    let tables = properties(schemas).map(|(key, of_key)| (key, schema::resolved(of_key)));
    tables
        .filter(|(_, of_key)| table_kind(of_key).is_some())
        .map(|(key, of_key)| item(key.to_string(), key, &of_key))
        .collect()
}

fn values(place: &TomlPlace, schemas: &[&'static Value]) -> Vec<Item> {
    let described = description(schemas).map(str::to_string);
    let default = find(schemas, "default");
    let is_boolean = schemas.iter().any(|one| one.get("type").is_some_and(|kind| kind == "boolean"));
    let plain = ["true", "false"].into_iter().filter(|_| is_boolean && !place.quoted).map(str::to_string);
    let quoted =
        choices(schemas).into_iter().map(|one| if place.quoted { one.to_string() } else { format!("\"{one}\"") });
    let detail = |text: &str| match default {
        Some(default) if literal(default).trim_matches('"') == text.trim_matches('"') => "the default".to_string(),
        _ => String::new(),
    };
    plain
        .chain(quoted)
        .map(|text| Item {
            kind: ItemKind::Value,
            filter: text.clone(),
            detail: detail(&text),
            documentation: described.clone(),
            text,
        })
        .collect()
}

fn item(text: String, key: &str, schemas: &[&'static Value]) -> Item {
    let detail = match (table_kind(schemas), find(schemas, "default")) {
        (Some(Table::One), _) => "a table".to_string(),
        (Some(Table::Many), _) => "a list of tables".to_string(),
        (None, Some(default)) => format!("default: {}", literal(default)),
        (None, None) => find(schemas, "type").and_then(Value::as_str).unwrap_or_default().to_string(),
    };
    Item {
        kind: ItemKind::Key,
        text,
        filter: key.to_string(),
        detail,
        documentation: description(schemas).map(str::to_string),
    }
}

enum Table {
    One,
    Many,
}

/// Whether what stands under a key is a table, or a list of them.
fn table_kind(schemas: &[&'static Value]) -> Option<Table> {
    let is = |one: &Value, kind: &str| one.get("type").is_some_and(|it| it == kind);
    if schemas.iter().any(|one| is(one, "array")) {
        let elements = schemas.iter().filter_map(|one| one.get("items")).flat_map(schema::resolved);
        return elements.into_iter().any(|one| is(one, "object")).then_some(Table::Many);
    }
    // What can be a word too is written as one.
    let only = !schemas.iter().any(|one| one.get("anyOf").is_some());
    (only && schemas.iter().any(|one| is(one, "object"))).then_some(Table::One)
}

fn properties(schemas: &[&'static Value]) -> impl Iterator<Item = (&'static str, &'static Value)> {
    let tables = schemas.iter().filter_map(|one| one.get("properties").and_then(Value::as_object));
    tables.flatten().map(|(key, value)| (key.as_str(), value)).collect::<Vec<_>>().into_iter()
}

fn description(schemas: &[&'static Value]) -> Option<&'static str> {
    find(schemas, "description").and_then(Value::as_str)
}

/// The first that says something of itself: what a key says goes before what its kind does.
fn find(schemas: &[&'static Value], what: &str) -> Option<&'static Value> {
    schemas.iter().find_map(|one| one.get(what))
}

fn choices(schemas: &[&'static Value]) -> Vec<&'static str> {
    let all = schemas.iter().filter_map(|one| one.get("enum").and_then(Value::as_array)).flatten();
    all.filter_map(Value::as_str).collect()
}

/// A value as TOML writes it.
fn literal(value: &Value) -> String {
    value.to_string()
}
