//! Completion and hover in `toolnames.toml`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::offered::{Item, ItemKind, Offered};
use crate::document::{self, Node, TomlPart, TomlPlace};
use crate::path::is_installed;
use crate::schema;
use crate::show::Markdown;
use crate::text::Span;
use crate::workspace::Snapshot;

/// Names from a workspace that a `toolnames.toml` in it can use.
#[derive(Debug, Clone, Default)]
pub struct Nameable {
    /// The keys under which clients know servers.
    pub keys: Vec<String>,
    /// The folders of servers, relative to the folder of the config.
    pub packages: Vec<String>,
}

impl Nameable {
    /// Returns the names that a config in `folder` can use.
    pub fn in_folder(snapshot: &Snapshot, folder: &str) -> Nameable {
        let analysis = snapshot.analysis();
        let within = |root: &str| match folder {
            "" => Some(root.to_string()),
            folder => Some(root.strip_prefix(folder)?.strip_prefix('/')?.to_string()),
        };
        let packages = analysis.servers.iter().map(|server| server.root.as_str()).filter(|root| !is_installed(root));
        let packages: BTreeSet<String> = packages.filter_map(within).filter(|root| !root.is_empty()).collect();
        Nameable { keys: analysis.keys.keys().cloned().collect(), packages: packages.into_iter().collect() }
    }
}

/// Returns the completions at a byte offset of a config; `None` if nothing can be completed there.
pub fn complete(text: &str, offset: u32, nameable: &Nameable) -> Option<Offered> {
    let place = document::toml_place(text, offset as usize)?;
    let schemas = schema::below(&place.keys);
    let (root, _) = document::parse_toml(text);
    let here = place.keys.iter().try_fold(&root, |node, key| node.get(key));
    let mut items = match place.part {
        TomlPart::Key => keys(text, &place, here, &schemas),
        TomlPart::Header | TomlPart::ListHeader => headers(&place, here, &schemas),
        TomlPart::Value => values(&place, here, &schemas),
    };
    items.extend(named(&place, here, nameable));
    items.dedup_by(|a, b| a.text == b.text);
    Some(Offered { span: place.span, items })
}

/// Returns the description of the key, table or value at a byte offset of a config, and the span of that key, table or
/// value. `None` if there is no description.
pub fn hover(text: &str, offset: u32) -> Option<(Markdown, Span)> {
    let place = document::toml_place(text, offset as usize)?;
    let written = text.get(place.span.range()).filter(|written| !written.is_empty())?;
    let mut keys = place.keys.clone();
    if place.part != TomlPart::Value {
        keys.push(written.to_string());
    }
    let (root, _) = document::parse_toml(text);
    let table = place.keys.iter().try_fold(&root, |node, key| node.get(key));
    if let Some(said) = slots(&place, table).into_iter().find_map(|(key, said)| (key == written).then_some(said)) {
        return Some((said, place.span));
    }
    let schemas = schema::below(&keys);
    let mut said = Markdown::own(description(&schemas)?);
    if let Some(default) = find(&schemas, "default") {
        said.layout("\n\nDefault: ").code(&default.to_string()).layout(".");
    }
    let described: Vec<(&str, &str)> = described(&schemas).collect();
    if described.is_empty() {
        for (index, choice) in choices(&schemas).into_iter().enumerate() {
            said.layout(if index == 0 { "\n\nOne of " } else { ", " }).code(choice);
        }
        said.layout(if choices(&schemas).is_empty() { "" } else { "." });
    } else {
        said.layout("\n\nOne of:\n");
        for choice in choices(&schemas) {
            said.layout("\n- ").code(choice);
            if let Some((_, meaning)) = described.iter().find(|(known, _)| *known == choice) {
                said.layout(": ").layout(meaning);
            }
        }
    }
    Some((said, place.span))
}

/// Returns completion items for the keys that a table does not have yet.
fn keys(text: &str, place: &TomlPlace, table: Option<&Node>, schemas: &[&'static Value]) -> Vec<Item> {
    // In a list of tables, it is unknown in which element the cursor is, so only the keys before the cursor count as
    // taken.
    let is_there = |key: &str| is_taken(place, table, key) || place.beside.iter().any(|known| known == key);
    let rest = text.get(place.span.end as usize..).unwrap_or_default();
    let has_value = rest.trim_start_matches(['"', '\'', ' ', '\t']).starts_with(['=', '.']);
    let line_start = text.get(..place.span.start as usize).unwrap_or_default().trim_end_matches([' ', '\t']);
    let begins_line = !place.quoted && (line_start.is_empty() || line_start.ends_with('\n'));
    let slots = slots(place, table);
    let mut items = Vec::new();
    // A property with `x-example` is not a key itself, but the schema of all keys that are named after slots.
    let is_example = |of_key: &Value| of_key.get("x-example").is_some();
    for (key, of_key) in properties(schemas).filter(|(key, of_key)| !is_there(key) && !is_example(of_key)) {
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
    items.extend(slots.into_iter().filter(|(key, _)| !is_there(key)).map(|(key, said)| Item {
        kind: ItemKind::Key,
        text: if has_value || place.quoted { key.clone() } else { format!("{key} = ") },
        filter: key,
        detail: "a slot of the pattern".to_string(),
        documentation: Some(said),
    }));
    items
}

/// Returns completion items for names in the workspace: the keys of servers, and the folders of their source.
fn named(place: &TomlPlace, table: Option<&Node>, nameable: &Nameable) -> Vec<Item> {
    let keys: Vec<&str> = place.keys.iter().map(String::as_str).collect();
    let item = |kind, text: String, name: &str, detail: &str| Item {
        kind,
        text,
        filter: name.to_string(),
        detail: detail.to_string(),
        documentation: None,
    };
    match (&place.part, keys.as_slice()) {
        (TomlPart::Key | TomlPart::Header, ["servers"]) => {
            let is_there = |key: &String| is_taken(place, table, key) || place.beside.contains(key);
            let keys = nameable.keys.iter().filter(|key| !is_there(key));
            let written = |key: &String| match place.part {
                TomlPart::Key if !place.quoted => format!("{key} = {{ "),
                _ => key.clone(),
            };
            keys.map(|key| item(ItemKind::Key, written(key), key, "a server key in the clients' configs")).collect()
        }
        (TomlPart::Value, ["servers", _, "package"]) => {
            let written = |folder: &String| if place.quoted { folder.clone() } else { format!("\"{folder}\"") };
            let folders = nameable.packages.iter();
            folders
                .map(|folder| item(ItemKind::Value, written(folder), &written(folder), "a server's folder"))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn is_convention(place: &TomlPlace) -> bool {
    place.part == TomlPart::Key && place.keys.last().is_some_and(|key| key == "convention")
}

/// Returns the keys that a convention has because of the slots in its own pattern, with the description of each key.
fn slots(place: &TomlPlace, table: Option<&Node>) -> Vec<(String, Markdown)> {
    let pattern = table.filter(|_| is_convention(place)).and_then(|table| table.get("pattern")?.as_str());
    let slots =
        pattern.into_iter().flat_map(|pattern| pattern.split('{').skip(1)).filter_map(|rest| rest.split_once('}'));
    let slots = slots.map(|(slot, _)| slot).filter(|slot| *slot != "prefix");
    slots
        .flat_map(|slot| {
            let shown = format!("{{{slot}}}");
            let (mut many, mut one) = (Markdown::default(), Markdown::default());
            many.layout("The words that fill the slot ").code(&shown).layout(" of the pattern.");
            one.layout("The one word that belongs in the slot ").code(&shown).layout(" of the pattern; `*` for any.");
            [(format!("{slot}s"), many), (slot.to_string(), one)]
        })
        .collect()
}

/// Whether a table already has a key, not counting the key that is being written.
fn is_taken(place: &TomlPlace, table: Option<&Node>, key: &str) -> bool {
    table.is_some_and(|table| table.entries().any(|(known, _)| known.text == key && known.span != place.span))
}

/// Returns completion items for the tables that are possible below those already named in a header.
fn headers(place: &TomlPlace, table: Option<&Node>, schemas: &[&'static Value]) -> Vec<Item> {
    let is_many = place.part == TomlPart::ListHeader;
    let tables = properties(schemas).map(|(key, of_key)| (key, schema::resolved(of_key)));
    let fits = |of_key: &[&'static Value]| match table_kind(of_key) {
        Some(Table::Many) => is_many,
        Some(Table::One) => !is_many,
        // The key accepts a word or a table, so a header is possible.
        None => !is_many && of_key.iter().any(|one| one.get("properties").is_some()),
    };
    tables
        .filter(|(key, of_key)| fits(of_key) && (is_many || !is_taken(place, table, key)))
        .map(|(key, of_key)| item(key.to_string(), key, &of_key))
        .collect()
}

fn values(place: &TomlPlace, here: Option<&Node>, schemas: &[&'static Value]) -> Vec<Item> {
    let described = description(schemas).map(Markdown::own);
    let default = find(schemas, "default");
    let is = |kind: &str| schemas.iter().any(|one| one.get("type").is_some_and(|it| it == kind));
    let plain = ["true", "false"].into_iter().filter(|_| is("boolean") && !place.quoted).map(str::to_string);
    let needs_list = is("array") && !place.in_list;
    let is_there = |one: &&str| {
        let elements = here.into_iter().flat_map(Node::elements).filter_map(Node::as_text);
        place.in_list && elements.filter(|text| text.span != place.span).any(|text| text.text == **one)
    };
    let written = |one: &str| match (place.quoted, needs_list) {
        (true, _) => one.to_string(),
        (false, true) => format!("[\"{one}\"]"),
        (false, false) => format!("\"{one}\""),
    };
    // If a list is required, a string in quotes outside a list cannot be completed to one of its elements.
    let choices = choices(schemas).into_iter().filter(|one| !is_there(one) && (!place.quoted || !needs_list));
    let default = default.map(|default| default.as_str().map_or_else(|| default.to_string(), str::to_string));
    let detail = |one: &str| if default.as_deref() == Some(one) { "the default" } else { "" };
    let meaning = |one: &str| self::described(schemas).find(|(known, _)| *known == one).map(|(_, meaning)| meaning);
    let item = |one: &str, text: String| Item {
        kind: ItemKind::Value,
        filter: text.clone(),
        detail: detail(one).to_string(),
        documentation: meaning(one).map(Markdown::own).or_else(|| described.clone()),
        text,
    };
    let mut items: Vec<Item> = plain.map(|one| item(&one, one.clone())).collect();
    items.extend(choices.map(|one| item(one, written(one))));
    items
}

fn item(text: String, key: &str, schemas: &[&'static Value]) -> Item {
    let detail = match (table_kind(schemas), find(schemas, "default")) {
        (Some(Table::One), _) => "a table".to_string(),
        (Some(Table::Many), _) => "a list of tables".to_string(),
        (None, Some(default)) => format!("default: {default}"),
        (None, None) => find(schemas, "type").and_then(Value::as_str).unwrap_or_default().to_string(),
    };
    Item {
        kind: ItemKind::Key,
        text,
        filter: key.to_string(),
        detail,
        documentation: description(schemas).map(Markdown::own),
    }
}

enum Table {
    One,
    Many,
}

/// Returns whether the value of a key is a table or a list of tables; `None` if it is neither.
fn table_kind(schemas: &[&'static Value]) -> Option<Table> {
    let is = |one: &Value, kind: &str| one.get("type").is_some_and(|it| it == kind);
    if schemas.iter().any(|one| is(one, "array")) {
        let elements = schemas.iter().filter_map(|one| one.get("items")).flat_map(schema::resolved);
        return elements.into_iter().any(|one| is(one, "object")).then_some(Table::Many);
    }
    // A key that accepts a word or a table is completed as a word.
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

/// Returns the value of a schema keyword in the first of several schemas that has the keyword. The schema of a key
/// comes before the schema of the key's type.
fn find(schemas: &[&'static Value], what: &str) -> Option<&'static Value> {
    schemas.iter().find_map(|one| one.get(what))
}

/// Returns the values that have descriptions of their own, each with its description.
fn described(schemas: &[&'static Value]) -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = schemas.iter().filter_map(|one| Some((one.get("const")?.as_str()?, one.get("description")?.as_str()?)));
    all.collect::<Vec<_>>().into_iter()
}

fn choices(schemas: &[&'static Value]) -> Vec<&'static str> {
    let listed = schemas.iter().filter_map(|one| one.get("enum").and_then(Value::as_array)).flatten();
    let described = schemas.iter().filter_map(|one| one.get("const"));
    listed.chain(described).filter_map(Value::as_str).collect()
}
