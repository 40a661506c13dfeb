//! `schema-nested`: an object among the parameters does not list its properties.

use serde_json::json;

use super::{Look, write};
use crate::diagnostic::{Diagnostic, Severity};
use crate::known::schema::{ObjectSchema, Property, Value};
use crate::rules::{Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "schema-nested", default: Severity::Warning, scope: Scope::File, docs: include_str!("nested.md") };

pub(super) fn check(look: &Look<'_, '_>, property: &Property, value: &Value, diagnostics: &mut Vec<Diagnostic>) {
    // An object with arbitrary keys has a schema for its values instead of `properties`.
    if value.has("properties") || value.has("additionalProperties") || value.has("patternProperties") {
        return;
    }
    let message = format!("`{}` is an object whose `properties` are not declared", property.name);
    let fix = write(look, &value.object, "properties", json!({})).map(|fix| fix.marked_unsafe().into_choice());
    look.say(&RULE, property.key, message, fix, diagnostics);
}

/// Reports a list whose elements are objects without `properties`.
pub(super) fn check_items(
    look: &Look<'_, '_>,
    property: &Property,
    items: &ObjectSchema,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let message = format!("the elements of `{}` are objects whose `properties` are not declared", property.name);
    look.say(&RULE, items.brace(), message, None, diagnostics);
}
