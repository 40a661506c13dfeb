//! `schema-default`: an optional parameter without a default.

use super::Look;
use super::param::is_needed;
use crate::diagnostic::{Diagnostic, Severity};
use crate::known::schema::{ObjectSchema, Property, Value};
use crate::rules::{Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "schema-default", default: Severity::Warning, scope: Scope::File, docs: include_str!("default.md") };

pub(super) fn check(
    look: &Look<'_, '_>,
    schema: &ObjectSchema,
    property: &Property,
    value: &Value,
    diagnostics: &mut Vec<Diagnostic>,
) {
    // Without `required`, nothing says which parameters are optional.
    if schema.is_meant(&property.name)
        || is_needed(look, property)
        || schema.required.is_none()
        || schema.is_open
        || schema.is_required(&property.name)
        || value.has("default")
    {
        return;
    }
    let message = format!("`{}` is optional and has no default: add one", property.name);
    look.say(&RULE, property.key, message, None, diagnostics);
}
