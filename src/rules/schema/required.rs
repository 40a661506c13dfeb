//! `schema-required`: a schema has no list of required parameters, or the list contains a name that is not a parameter.

use rustc_hash::FxHashSet;
use serde_json::json;
use smol_str::SmolStr;

use super::{Look, write};
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::known::schema::{Form, ObjectSchema};
use crate::rules::{Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "schema-required", default: Severity::Warning, scope: Scope::File, docs: include_str!("required.md") };

pub(super) fn check(look: &Look<'_, '_>, schema: &ObjectSchema, is_whole: bool, diagnostics: &mut Vec<Diagnostic>) {
    // A whole schema without `properties` has no parameters. An object without `properties` inside a schema is reported
    // by `schema-nested`.
    let properties = match schema.properties.as_deref() {
        Some(properties) => properties,
        None if is_whole && matches!(schema.form, Form::Literal(_)) && schema.span.len() > 2 => &[],
        None => return,
    };
    let within = properties.iter().filter_map(|property| property.schema.as_ref()?.object.required_flag);
    let mut has_flags = false;
    for flag in schema.required_flag.into_iter().chain(within) {
        has_flags = true;
        let message = "expected a list of parameters: `required` is written once, next to `properties`".to_string();
        look.say(&RULE, flag, message, None, diagnostics);
    }
    if schema.is_open || has_flags {
        return;
    }
    let Some(required) = schema.required.as_deref() else {
        // A parameter with a default may be left out.
        let names = properties.iter().filter(|one| one.schema.as_ref().is_none_or(|value| !value.has("default")));
        let names: Vec<&str> = names.map(|property| property.name.as_str()).collect();
        let message = "no `required`: list the parameters that must be given".to_string();
        let fix = write(look, schema, "required", json!(names));
        // With the fix, parameters that have been optional so far would become required.
        let fix = fix.map(|fix| if names.is_empty() { fix } else { fix.marked_unsafe() });
        return look.say(&RULE, schema.brace(), message, fix, diagnostics);
    };
    let known: FxHashSet<&SmolStr> = properties.iter().map(|property| &property.name).collect();
    for (name, span) in required.iter().filter(|(name, _)| !known.contains(name)) {
        // If the list has the right name already, this one is to be removed, which takes more than a replacement.
        let near = schema.meant(name).filter(|near| !schema.is_required(near));
        let fix = near.map(|near| Fix::replace(format!("change to `{near}`"), schema.file, *span, near));
        let message = format!("`{name}` is required, but there is no such parameter");
        look.say(&RULE, *span, message, fix, diagnostics);
    }
}
