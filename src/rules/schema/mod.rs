//! Rules about the input schemas of tools, where a convention asks for more than the protocol does.

pub(super) mod default;
pub(super) mod enumeration;
pub(super) mod handler;
mod model;
pub(super) mod nested;
pub(super) mod param;
pub(super) mod required;
pub(super) mod r#type;

use serde_json::Value as Json;

use self::model::{Form, ObjectSchema};
use super::{Cx, Rule};
use crate::diagnostic::{Action, Diagnostic, Edits, Fix};
use crate::entry::{Entry, EntryPlace, Insertion};
use crate::text::{Edit, Span};
use crate::workspace::Tool;

/// What a rule about schemas is given.
struct Look<'c, 'a> {
    cx: &'c Cx<'a>,
    tool: &'c Tool,
}

/// Checks the schema of every tool that stands in this file.
pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if !cx.policy.convention.schemas {
        return;
    }
    let mut seen = Vec::new();
    if !cx.policy.convention.validators.is_empty() {
        for server in cx.analysis.servers.iter().filter(|server| handler::is_reached(cx, server)) {
            for tool in &server.tools {
                let schema = tool.registration.schema.and_then(|place| ObjectSchema::at(&cx.snapshot.files, place));
                if let Some(schema) = schema {
                    handler::check(cx, server, tool, &schema, diagnostics);
                }
            }
        }
    }
    for (_, tool) in cx.analysis.tools() {
        let Some(place) = tool.registration.schema.filter(|place| place.file == cx.file.id) else { continue };
        if seen.contains(&place) {
            continue;
        }
        seen.push(place);
        let Some(schema) = ObjectSchema::at(&cx.snapshot.files, place) else { continue };
        let look = Look { cx, tool };
        r#type::check(&look, &schema, diagnostics);
        look.object(&schema, diagnostics);
    }
}

impl Look<'_, '_> {
    /// Checks an object and all that are in it.
    fn object(&self, schema: &ObjectSchema, diagnostics: &mut Vec<Diagnostic>) {
        required::check(self, schema, diagnostics);
        for property in schema.properties.iter().flatten() {
            let Some(value) = &property.schema else { continue };
            param::check(self, schema, property, value, diagnostics);
            default::check(self, schema, property, value, diagnostics);
            enumeration::check(self, property, value, diagnostics);
            if value.is("object") == Some(true) {
                nested::check(self, property, value, diagnostics);
                self.object(&value.object, diagnostics);
            }
        }
    }

    fn say(&self, rule: &Rule, span: Span, message: String, fix: Option<Fix>, diagnostics: &mut Vec<Diagnostic>) {
        if !self.cx.policy.allows(rule.id, &self.tool.name) {
            diagnostics.push(self.cx.diagnostic(rule, span, message).with_fixes(fix));
        }
    }
}

/// A repair that says something more in a schema, in the way it is written.
fn write(schema: &ObjectSchema, key: &str, value: Json) -> Option<Fix> {
    let action = match schema.form {
        Form::Literal(syntax) => {
            // What something is comes first, what else there is to say of it last.
            let place = if key == "type" { EntryPlace::First } else { EntryPlace::Last };
            let value = value.clone();
            let key = Some(key.into());
            let entry = Entry { file: schema.file, object: schema.span, place, key, value, syntax };
            Action::Write(vec![Insertion::Entry(entry)], Edits::new())
        }
        Form::Zod { made } => {
            let method = match key {
                "format" if value == "uri" => ".url()".to_string(),
                "minimum" => format!(".min({value})"),
                _ => return None,
            };
            let at = Span { start: made.end, end: made.end };
            Action::Edit(Edits::from([(schema.file, vec![Edit::new(at, method)])]))
        }
    };
    Some(Fix { title: format!("add `{key}: {value}`"), safe: true, preferred: true, action })
}
