//! `schema-default`: an optional parameter without a default, or with one that its own schema does not accept.

use serde_json::Value as Json;

use super::Look;
use super::param::is_needed;
use crate::diagnostic::{Diagnostic, Severity};
use crate::known::schema::{Known, ObjectSchema, Property, Value};
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
    if let (Some(at), Some(fault)) = (value.default_at, fault_of(value)) {
        let message = format!("the default of `{}` {fault}", property.name);
        return look.say(&RULE, at, message, None, diagnostics);
    }
    // Without `required`, nothing says which parameters are optional.
    if schema.is_meant(&property.name)
        || is_needed(look, &property.name)
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

/// Returns what is wrong with a default, as the rest of a sentence; `None` if the schema accepts it, or if it is not
/// written out.
fn fault_of(value: &Value) -> Option<String> {
    let default = value.default.as_ref()?;
    let kind = match default {
        Json::Null => return None,
        Json::Bool(_) => "boolean",
        // `5.0` is an integer, too.
        Json::Number(number) if number.as_f64().is_some_and(|number| number.fract() == 0.0) => "integer",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    if let Some(Known::Text(wanted)) = &value.object.kind {
        let fits = wanted == kind || wanted == "number" && kind == "integer";
        if KINDS.contains(&wanted.as_str()) && !fits {
            return Some(format!("is a {kind}, but its type is `{wanted}`"));
        }
    }
    let options = value.options.as_ref()?;
    let is_it = |option: &Json| match (option.as_f64(), default.as_f64()) {
        (Some(one), Some(other)) => one == other,
        _ => option == default,
    };
    (!options.iter().any(is_it)).then(|| "is not one of the values in `enum`".to_string())
}

/// The types of plain values. A default of another type is not a literal.
const KINDS: [&str; 4] = ["string", "number", "integer", "boolean"];
