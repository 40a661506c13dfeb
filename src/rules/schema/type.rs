//! `schema-type`: an input schema does not say that it describes an object.

use serde_json::json;

use super::{Look, write};
use crate::diagnostic::{Diagnostic, Severity};
use crate::known::schema::{Known, ObjectSchema};
use crate::rules::{Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "schema-type", default: Severity::Warning, scope: Scope::File, docs: include_str!("type.md") };

pub(super) fn check(look: &Look<'_, '_>, schema: &ObjectSchema, diagnostics: &mut Vec<Diagnostic>) {
    let message = match &schema.kind {
        // An empty object is not reported: it may be a shape, which maps parameters to their types and has no `type`,
        // without any parameters.
        None if !schema.is_open && schema.span.len() > 2 => {
            format!("the schema of `{}` has no `type: \"object\"`", look.tool.name)
        }
        Some(Known::Text(kind)) if kind != "object" => {
            let message =
                format!("the schema of `{}` has the type `{kind}`, but arguments are an object", look.tool.name);
            return look.say(&RULE, schema.kind_at.unwrap_or(schema.brace()), message, None, diagnostics);
        }
        _ => return,
    };
    look.say(&RULE, schema.brace(), message, write(look, schema, "type", json!("object")), diagnostics);
}

/// Whether a schema describes something other than an object.
pub(super) fn is_of_another(schema: &ObjectSchema) -> bool {
    matches!(&schema.kind, Some(Known::Text(kind)) if kind != "object")
}
