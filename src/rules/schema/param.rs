//! `schema-param`: a well-known parameter does not have the type or format that the convention requires.

use serde_json::json;

use super::{Look, write};
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, Severity};
use crate::entry::{Entry, EntryPlace, Insertion};
use crate::known::schema::{Form, Known, ObjectSchema, Property, Value};
use crate::rules::{Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "schema-param", default: Severity::Warning, scope: Scope::File, docs: include_str!("param.md") };

pub(super) fn check(
    look: &Look<'_, '_>,
    schema: &ObjectSchema,
    property: &Property,
    value: &Value,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(wanted) = look.cx.policy.convention.parameters.get(&*property.name) else { return };
    let name = &property.name;
    let mut say = |message: String, fix| look.say(&RULE, property.key, message, fix, diagnostics);
    if let Some(kind) = &wanted.kind
        && value.is(kind) == Some(false)
    {
        let is_missing = value.object.kind.is_none();
        let fix = match value.object.kind_at {
            _ if is_missing => write(look, &value.object, "type", json!(kind)),
            Some(at) => Some(Fix::replace(format!("change the type to `{kind}`"), value.object.file, at, kind.clone())),
            None => None,
        };
        say(
            format!("`{name}` does not have the type `{kind}`, which this convention requires"),
            fix.map(Fix::marked_unsafe),
        );
        // The remaining requirements do not apply to a parameter of another type.
        if !is_missing {
            return;
        }
    }
    // A computed schema, such as `z.union([…])`, may contain the format and the minimum.
    let is_computed = matches!(value.object.kind, Some(Known::Computed));
    if let Some(format) = wanted.format.as_ref().filter(|_| !is_computed)
        && value.format() != Some(format)
    {
        match value.format() {
            Some(other) => say(format!("`{name}` has the format `{other}`: expected `{format}`"), None),
            None if !value.has("format") => {
                // There is no fix if the default does not have the format: an empty string, for example, is not a URI.
                let keeps = value
                    .default
                    .as_ref()
                    .is_none_or(|default| default.as_str().is_some_and(|text| format != "uri" || text.contains("://")));
                let fix = keeps.then(|| write(look, &value.object, "format", json!(format))).flatten();
                say(format!("`{name}` has no `format: \"{format}\"`"), fix);
            }
            None => {}
        }
    }
    if let Some(minimum) = wanted.minimum.filter(|_| !is_computed)
        && !value.has("minimum")
        && !value.has("exclusiveMinimum")
    {
        let keeps =
            value.default.as_ref().is_none_or(|default| default.as_f64().is_some_and(|own| own >= minimum as f64));
        let fix = keeps.then(|| write(look, &value.object, "minimum", json!(minimum))).flatten();
        say(format!("`{name}` has no `minimum`"), fix);
    }
    if is_needed(look, name)
        && !schema.is_open
        && schema.required.is_some()
        && !schema.is_required(name)
        && !schema.is_meant(name)
    {
        say(
            format!("`{name}` is not required, although `{}` acts on the element that it refers to", look.tool.name),
            require(schema, name),
        );
    }
}

/// Reports the parameters that the tool needs, judging by its name, and that its schema does not have.
pub(super) fn check_missing(look: &Look<'_, '_>, schema: &ObjectSchema, diagnostics: &mut Vec<Diagnostic>) {
    // A schema that declares nothing is left to `schema-type` and `schema-required`.
    if schema.is_open || schema.properties.is_none() {
        return;
    }
    let parameters = look.cx.policy.convention.parameters.keys();
    for name in parameters.filter(|name| is_needed(look, name)) {
        if !schema.properties().iter().any(|property| property.name == **name) {
            let message = format!("`{}` acts on an element, but has no parameter `{name}`", look.tool.name);
            look.say(&RULE, schema.brace(), message, None, diagnostics);
        }
    }
}

/// Returns the fix that adds a parameter to the list of required parameters. `None` if the schema has no such list as a
/// literal.
fn require(schema: &ObjectSchema, name: &str) -> Option<Fix> {
    let (Form::Literal(syntax), Some(object)) = (schema.form, schema.required_list) else { return None };
    let place = EntryPlace::Last;
    let entry = Entry { file: schema.file, object, place, key: None, value: json!(name), syntax };
    let action = Action::Write(vec![Insertion::Entry(entry)], Edits::new());
    Some(Fix { title: format!("require `{name}`"), safe: false, preferred: true, action })
}

/// Whether the tool needs a parameter, judging by the tool's name.
pub(super) fn is_needed(look: &Look<'_, '_>, parameter: &str) -> bool {
    let wanted = look.cx.policy.convention.parameters.get(parameter);
    // The tool's own part of the name must be exactly the action, as in `browser_click`: a tool with a longer name,
    // such as `browser_check_auth`, may be about something else.
    let action = look.cx.policy.convention.own_part(&look.tool.name);
    wanted.is_some_and(|wanted| wanted.required_by.iter().any(|own| own == action))
}
