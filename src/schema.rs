//! The JSON Schema of `toolnames.toml`: for editors that support TOML, and for completion and hover here.
//!
//! `schema.json` documents each key. The names of profiles, clients and rules are filled in, since those lists grow.

use std::sync::LazyLock;

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Value, json};

use crate::convention::Convention;
use crate::framework::Framework;
use crate::{client, rules};

/// Returns the schema.
pub fn schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> = LazyLock::new(build);
    &SCHEMA
}

fn build() -> Value {
    let mut schema: Value = serde_json::from_str(include_str!("schema.json")).expect("a file of this crate is JSON");
    let mut fill = |pointer: &str, value: Value| {
        *schema.pointer_mut(pointer).expect("a place of schema.json") = value;
    };
    let profiles: Vec<&str> = Convention::profiles().collect();
    fill("/definitions/profile/anyOf/0/enum", json!(profiles));
    let rule = |rule: &&rules::Rule| {
        let docs =
            json!({ "description": rule.summary(), "default": rule.default.as_str(), "$ref": "#/definitions/rule" });
        (rule.id.to_string(), docs)
    };
    fill("/properties/rules/properties", Value::Object(rules::RULES.iter().map(rule).collect()));
    let clients = client::Clients::built_in();
    let ids: Vec<&str> = clients.iter().map(|client| client.id.as_str()).collect();
    fill("/properties/clients/properties/use/items/anyOf/0/enum", json!(ids));
    let version = |client: &std::sync::Arc<client::Client>| {
        let docs = json!({ "description": format!("The version of {} in use.", client.name), "type": "string" });
        (client.id.to_string(), docs)
    };
    fill("/properties/clients/properties/versions/properties", Value::Object(clients.iter().map(version).collect()));
    // The tables of frameworks and clients follow from their types.
    let mut generator = SchemaSettings::draft07().with_transform(RecursiveTransform(plain)).into_generator();
    generator.subschema_for::<Framework>();
    generator.subschema_for::<client::Client>();
    let definitions = schema.pointer_mut("/definitions").and_then(Value::as_object_mut);
    definitions.expect("a place of schema.json").extend(generator.take_definitions(true));
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
    // Of what is next to a reference, this draft reads nothing.
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
pub fn below(keys: &[String]) -> Vec<&'static Value> {
    keys.iter().fold(resolved(schema()), |here, key| here.iter().flat_map(|one| property(one, key)).collect())
}

/// Returns the schemas of one key.
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
    use crate::config::{Config, TOP_KEYS};
    use crate::convention::{CASES, COLUMNS, PARAMETERS, TYPES};

    fn keys(pointer: &str) -> Vec<&'static str> {
        let mut keys: Vec<&str> =
            schema().pointer(pointer).unwrap().as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        keys
    }

    fn sorted<'s>(words: impl IntoIterator<Item = &'s str>) -> Vec<&'s str> {
        let mut words: Vec<&str> = words.into_iter().collect();
        words.sort_unstable();
        words
    }

    #[test]
    fn it_has_the_keys_that_a_config_takes_and_no_others() {
        assert_eq!(keys("/properties"), sorted(TOP_KEYS));
        let own = ["source"]; // for people; nothing reads it
        assert_eq!(keys("/definitions/convention/properties"), sorted(PARAMETERS.into_iter().chain(own)));
    }

    #[test]
    fn it_has_the_values_that_a_config_takes_and_no_others() {
        let values = |pointer: &str| -> Vec<&str> {
            schema().pointer(pointer).unwrap().as_array().unwrap().iter().filter_map(Value::as_str).collect()
        };
        assert_eq!(values("/definitions/convention/properties/case/enum"), CASES.map(|(name, ..)| name));
        assert_eq!(
            values("/definitions/convention/properties/columns/additionalProperties/enum"),
            COLUMNS.map(|(name, _)| name)
        );
        let types = "/definitions/convention/properties/parameters/additionalProperties/properties/type/enum";
        assert_eq!(values(types), TYPES);
        let takes = |text: String| Config::read("toolnames.toml", &text).faults.is_empty();
        for level in values("/definitions/level/enum") {
            assert!(takes(format!("[rules]\nname-chars = \"{level}\"\n")), "{level}");
        }
        for key in ["judge", "mode", "listing"] {
            for value in values(&format!("/definitions/convention/properties/{key}/enum")) {
                assert!(takes(format!("[convention]\n{key} = \"{value}\"\n")), "{key} = {value}");
            }
        }
        for mode in values("/properties/alias/properties/mode/enum") {
            assert!(takes(format!("[alias]\nmode = \"{mode}\"\n")), "{mode}");
        }
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
