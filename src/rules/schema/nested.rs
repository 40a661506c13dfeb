//! `schema-nested`: an object among the parameters that does not say what is in it.

use serde_json::json;

use super::model::{ObjectSchema, Property, Value};
use super::{Look, write};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::Rule;

pub(crate) const RULE: Rule = Rule { id: "schema-nested", default: Severity::Warning, docs: include_str!("nested.md") };

pub(super) fn check(look: &Look<'_, '_>, property: &Property, value: &Value, diagnostics: &mut Vec<Diagnostic>) {
    // A map of any keys says what its values are.
    if value.has("properties") || value.has("additionalProperties") || value.has("patternProperties") {
        return;
    }
    let message = format!("`{}` is an object, and its `properties` are not named", property.name);
    let fix = write(look, &value.object, "properties", json!({})).map(|fix| fix.marked_unsafe().as_choice());
    look.say(&RULE, property.key, message, fix, diagnostics);
}

/// The elements of a list that are objects of which nothing is said.
pub(super) fn check_items(
    look: &Look<'_, '_>,
    property: &Property,
    items: &ObjectSchema,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let message = format!("what is in `{}` are objects, and their `properties` are not named", property.name);
    look.say(&RULE, items.brace(), message, None, diagnostics);
}
