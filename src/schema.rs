//! The JSON Schema of `toolnames.toml`: for editors that support TOML, and for this program's own completion and hover.
//! It is generated from the descriptions of the keys and from the types of the rows; the names of profiles, clients and
//! rules are added.

use std::sync::LazyLock;

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Value, json};

use crate::convention::Convention;
use crate::document::table::properties;
use crate::framework::Framework;
use crate::{client, config, convention, rules};

/// Returns the schema.
pub fn schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> = LazyLock::new(build);
    &SCHEMA
}

fn build() -> Value {
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "toolnames.toml",
        "description": "The settings for the names of MCP tools in this folder and below it.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties(config::keys()),
        "definitions": {
            "profile": { "anyOf": [{ "enum": Convention::profiles().collect::<Vec<_>>() }, { "type": "string" }] },
            "convention": { "type": "object", "properties": properties(convention::keys()) },
            "rule": config::RULE.schema(),
            "lock": {},
        },
    });
    for key in &convention::OF_SLOTS {
        schema["definitions"]["convention"]["properties"][key.name] = key.schema();
        schema["definitions"]["convention"]["properties"][key.name]["x-example"] = json!(true);
    }
    let rule = |rule: &&rules::Rule| {
        let docs = json!({
            "description": rule.summary(),
            "default": rule.default.as_str(),
            "allOf": [{ "$ref": "#/definitions/rule" }],
        });
        (rule.id.to_string(), docs)
    };
    schema["properties"]["rules"]["properties"] = Value::Object(rules::RULES.iter().map(rule).collect());
    schema["properties"]["rules"]["additionalProperties"] = json!(false);
    schema["properties"]["lock"]["deprecated"] = json!(true);
    let clients = client::Clients::built_in();
    let ids: Vec<&str> = clients.iter().map(|client| client.id.as_str()).collect();
    let of_clients = &mut schema["properties"]["clients"]["properties"];
    of_clients["use"]["items"] = json!({ "anyOf": [{ "enum": ids }, { "type": "string" }] });
    let version = |client: &std::sync::Arc<client::Client>| {
        let docs = json!({ "description": format!("The version of {} in use.", client.name), "type": "string" });
        (client.id.to_string(), docs)
    };
    let versions = Value::Object(clients.iter().map(version).collect());
    of_clients["versions"]["properties"] = versions;
    // The schemas of the framework and client tables are generated from their types.
    let mut generator = SchemaSettings::draft07().with_transform(RecursiveTransform(plain)).into_generator();
    generator.subschema_for::<Framework>();
    generator.subschema_for::<client::Client>();
    let definitions = schema["definitions"].as_object_mut().expect("a table");
    definitions.extend(generator.take_definitions(true));
    schema
}

/// Adapts the schema of a type to TOML and its readers: TOML has no `null`, and an optional key is left out; numbers
/// have no format; a description does not keep the line breaks of its source.
fn plain(schema: &mut Schema) {
    schema.remove("format");
    if let Some(Value::String(description)) = schema.get_mut("description") {
        let mut whole = String::new();
        for line in description.lines().map(str::trim) {
            let is_new = line.is_empty() || line.starts_with("- ") || whole.ends_with('\n');
            whole.push_str(if whole.is_empty() {
                ""
            } else if is_new {
                "\n"
            } else {
                " "
            });
            whole.push_str(line);
        }
        *description = whole;
    }
    // This draft of JSON Schema ignores keywords next to a reference.
    if schema.get("$ref").is_some() && schema.ensure_object().len() > 1 {
        let reference = schema.remove("$ref");
        schema.insert("allOf".to_string(), json!([{ "$ref": reference }]));
    }
    if let Some(kinds) = schema.get_mut("type").and_then(Value::as_array_mut) {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            let kind = kind.clone();
            schema.insert("type".to_string(), kind);
        }
    }
    if let Some(alternatives) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        alternatives.retain(|one| one.get("type").is_none_or(|kind| kind != "null"));
        if let [one] = alternatives.as_slice() {
            let one = one.clone();
            schema.remove("anyOf");
            schema
                .ensure_object()
                .extend(one.as_object().into_iter().flatten().map(|(key, value)| (key.clone(), value.clone())));
        }
    }
}

/// Returns the schemas of the value at a path of keys from the root, one for each alternative. A list counts as its
/// elements.
pub(crate) fn below(keys: &[String]) -> Vec<&'static Value> {
    keys.iter().fold(resolved(schema()), |here, key| here.iter().flat_map(|one| property(one, key)).collect())
}

/// Returns the schemas of the value of a key in a table with the schema `one`.
fn property(one: &'static Value, key: &str) -> Vec<&'static Value> {
    let named = one.get("properties").and_then(|properties| properties.get(key));
    named.or(one.get("additionalProperties").filter(|any| any.is_object())).map(resolved).unwrap_or_default()
}

/// Returns a schema and its parts: the targets of its references, its alternatives, and the elements of a list.
pub fn resolved(one: &'static Value) -> Vec<&'static Value> {
    let reference = one.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
    let referred = reference.and_then(|pointer| schema().pointer(pointer));
    let alternatives =
        ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| one.get(key)).filter_map(Value::as_array).flatten();
    let more = referred.into_iter().chain(alternatives).chain(one.get("items"));
    std::iter::once(one).chain(more.flat_map(resolved)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn a_config_accepts_every_value_that_it_offers() {
        let words = |schema: &Value| -> Vec<String> {
            let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
            let explained = schema.get("oneOf").and_then(Value::as_array).into_iter().flatten();
            let all = listed.chain(explained.filter_map(|one| one.get("const")));
            all.filter_map(Value::as_str).map(str::to_string).collect()
        };
        let mut tried = 0;
        let mut accepts = |text: String| {
            tried += 1;
            let faults = Config::read("toolnames.toml", &text).faults;
            assert!(faults.is_empty(), "{text}: {faults:?}");
        };
        for (key, schema) in schema()["definitions"]["convention"]["properties"].as_object().unwrap() {
            for word in words(schema) {
                accepts(format!("[convention]\n{key} = \"{word}\"\n"));
            }
            for word in schema.get("additionalProperties").map(words).unwrap_or_default() {
                accepts(format!("[convention.{key}]\nx = \"{word}\"\n"));
            }
        }
        for word in words(&schema()["definitions"]["rule"]["anyOf"][0]) {
            accepts(format!("[rules]\nname-chars = \"{word}\"\n"));
        }
        for word in words(&schema()["properties"]["alias"]["properties"]["mode"]) {
            accepts(format!("[alias]\nmode = \"{word}\"\n"));
        }
        assert!(tried > 25, "{tried}");
    }

    #[test]
    fn every_key_says_what_it_is_for() {
        fn look(at: &Value, path: &str) {
            for (key, value) in at.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let path = format!("{path}.{key}");
                let said = resolved_here(value).iter().any(|one| one.get("description").is_some());
                assert!(said, "{path}");
                look(value, &path);
            }
        }
        fn resolved_here(one: &Value) -> Vec<&Value> {
            let reference = one.get("$ref").and_then(Value::as_str).and_then(|pointer| schema().pointer(&pointer[1..]));
            std::iter::once(one).chain(reference).collect()
        }
        look(schema(), "");
        for (name, definition) in schema()["definitions"].as_object().unwrap() {
            look(definition, name);
        }
    }

    #[test]
    fn the_copy_for_editors_is_the_same() {
        let text = serde_json::to_string_pretty(schema()).unwrap() + "\n";
        expect_test::expect_file!["../docs/toolnames.schema.json"].assert_eq(&text);
    }
}
