//! Rules about the input schemas of tools, for conventions that require more than the protocol does.

pub(super) mod default;
pub(super) mod enumeration;
pub(super) mod handler;
pub(super) mod nested;
pub(super) mod param;
pub(super) mod required;
pub(super) mod r#type;

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value as Json;
use smol_str::SmolStr;

use super::{Cx, Rule};
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, RuleId};
use crate::entry::{Entry, EntryPlace, Insertion, Statement};
use crate::found::Lookup;
use crate::known::schema::{Form, ObjectSchema, Schemas, TypeId, Typed};
use crate::known::typed;
use crate::syntax::Family;
use crate::text::{Edit, FileId, Span};
use crate::workspace::Tool;

/// The context of a check of one tool's schema.
struct Look<'c, 'a> {
    cx: &'c Cx<'a>,
    tool: &'c Tool,
    /// The rules that the policy does not apply to this tool.
    allowed: Vec<RuleId>,
    /// The tool's name, if it may make a parameter required.
    needing: Option<&'c str>,
    seen: &'c RefCell<FxHashSet<Seen>>,
    /// The findings so far: schemas that share a constant share its faults.
    said: &'c RefCell<FxHashSet<(RuleId, Span, String)>>,
}

/// A type that was checked for a tool, with everything else that the findings depend on. If all of this is equal for
/// another tool, the findings are the same, and the type is not checked again.
#[derive(PartialEq, Eq, Hash)]
struct Seen {
    made_from: TypeId,
    is_open: bool,
    is_whole: bool,
    allowed: Vec<RuleId>,
    needing: Option<SmolStr>,
}

/// The rules about the contents of a schema.
const RULES: [&Rule; 6] =
    [&default::RULE, &enumeration::RULE, &nested::RULE, &param::RULE, &required::RULE, &r#type::RULE];

/// Checks the schema of every tool in this file.
pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if !cx.policy.convention.schemas {
        return;
    }
    let schemas = Schemas::new(&cx.snapshot.files);
    if !cx.policy.convention.validators.is_empty() {
        let mut handlers = handler::Check::new(cx);
        for server in cx.analysis.servers.iter().filter(|server| handler::is_reached(cx, server)) {
            handlers.check(server, &schemas, diagnostics);
        }
    }
    let actions: FxHashSet<&str> =
        cx.policy.convention.parameters.values().flat_map(|one| &one.required_by).map(String::as_str).collect();
    let mut imports = Imports::default();
    let (mut places, seen, said) = (FxHashSet::default(), RefCell::default(), RefCell::default());
    for (_, tool) in cx.analysis.tools() {
        let registration = &tool.registration;
        // If a tool has no schema, its schema follows from the types of the handler.
        let Some(place) = registration.schema.or(registration.handler) else { continue };
        let is_typed = registration.schema.is_none();
        // Types and constants may come from a file that the schema's file imports.
        let is_here = place.file == cx.file.id || imports.leads_here(cx, place.file);
        if !is_here || !places.insert(place) {
            continue;
        }
        let schema = if is_typed { typed::of_function(&schemas, place) } else { schemas.at(place) };
        let Some(schema) = schema else { continue };
        let allowed = RULES.iter().map(|rule| rule.id).filter(|id| cx.policy.allows(id, &tool.name)).collect();
        let needing = actions.contains(cx.policy.convention.own_part(&tool.name)).then_some(tool.name.as_str());
        let look = Look { cx, tool, allowed, needing, seen: &seen, said: &said };
        if schema.file == cx.file.id {
            r#type::check(&look, &schema, diagnostics);
        }
        // A schema of anything else has no parameters.
        if !r#type::is_of_another(&schema) {
            look.object(&schema, true, diagnostics);
        }
    }
}

/// For each file, whether it imports the file that is checked; computed on first use.
#[derive(Default)]
struct Imports(FxHashMap<FileId, bool>);

impl Imports {
    fn leads_here(&mut self, cx: &Cx<'_>, from: FileId) -> bool {
        *self.0.entry(from).or_insert_with(|| {
            let files = &cx.snapshot.files;
            let modules = files.facts(from).into_iter().flat_map(|facts| &facts.modules);
            let mut modules = modules.filter(|module| may_lead_to(module, &cx.file.path));
            modules.any(|module| files.resolve(from, module) == Lookup::Found(cx.file.id))
        })
    }
}

/// Whether an import may lead to a file, judging by the name of the file or of its folder. Resolving the import takes a
/// thousand times as long.
fn may_lead_to(module: &str, path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    match stem {
        "index" | "__init__" | "mod" | "lib" | "main" => parts.next().is_none_or(|folder| module.contains(folder)),
        stem => module.contains(stem),
    }
}

impl Look<'_, '_> {
    /// Checks the schema of an object and of all objects inside it, as far as these schemas are in this file.
    fn object(&self, schema: &ObjectSchema, is_whole: bool, diagnostics: &mut Vec<Diagnostic>) {
        if let Some(made_from) = schema.made_from {
            let (allowed, needing) = (self.allowed.clone(), self.needing.map(SmolStr::new));
            let seen = Seen { made_from, is_open: schema.is_open, is_whole, allowed, needing };
            if !self.seen.borrow_mut().insert(seen) {
                return;
            }
        }
        if schema.file == self.cx.file.id {
            required::check(self, schema, is_whole, diagnostics);
            if is_whole {
                param::check_missing(self, schema, diagnostics);
            }
        }
        for property in schema.properties() {
            let Some(value) = &property.schema else { continue };
            let is_object = value.is("object") == Some(true);
            if property.file == self.cx.file.id {
                param::check(self, schema, property, value, diagnostics);
                default::check(self, schema, property, value, diagnostics);
                enumeration::check(self, property, value, diagnostics);
                if is_object {
                    nested::check(self, property, value, diagnostics);
                }
            }
            if is_object {
                self.object(&value.object, false, diagnostics);
            }
            if let Some(items) = &value.items {
                let is_bare = items.properties.is_none() && !items.is_open && matches!(items.form, Form::Literal(_));
                if is_bare && items.file == self.cx.file.id {
                    nested::check_items(self, property, items, diagnostics);
                }
                self.object(items, false, diagnostics);
            }
        }
    }

    /// Reports a finding, unless the policy allows the rule for this tool.
    fn say(&self, rule: &Rule, span: Span, message: String, fix: Option<Fix>, diagnostics: &mut Vec<Diagnostic>) {
        if !self.allowed.contains(&rule.id) && self.said.borrow_mut().insert((rule.id, span, message.clone())) {
            diagnostics.push(self.cx.diagnostic(rule, span, message).with_fixes(fix));
        }
    }
}

/// Keys whose addition makes a schema accept less than before.
const CONSTRAINING: [&str; 3] = ["format", "minimum", "enum"];

/// Returns the fix that adds a key to a schema, in the form in which the schema is written. `None` if that form has no
/// place for the key.
fn write(look: &Look<'_, '_>, schema: &ObjectSchema, key: &str, value: Json) -> Option<Fix> {
    let action = match schema.form {
        Form::Literal(syntax) => {
            // The type comes first, any other key last.
            let place = if key == "type" { EntryPlace::First } else { EntryPlace::Last };
            let value = value.clone();
            let key = Some(key.into());
            let entry = Entry { file: schema.file, object: schema.span, place, key, value, syntax };
            Action::Write(vec![Insertion::Entry(entry)], Edits::new())
        }
        Form::Zod { made, kind } => {
            let after = Span { start: made.end, end: made.end };
            let edit = match (key, kind) {
                ("format", _) if value == "uri" => Edit::new(after, ".url()".to_string()),
                ("minimum", _) => Edit::new(after, format!(".min({value})")),
                ("enum", Some(kind)) => {
                    let values: Vec<String> = value.as_array()?.iter().map(Json::to_string).collect();
                    Edit::new(Span { start: kind.start, end: made.end }, format!("enum([{}])", values.join(", ")))
                }
                _ => return None,
            };
            Action::Edit(Edits::from([(schema.file, vec![edit])]))
        }
        Form::Parameter(typed) if look.cx.snapshot.files.family(schema.file)? == Family::Python => {
            typed_python(look, schema, typed, key, &value)?
        }
        Form::Parameter(_) => return None,
        Form::Field(typed) => match look.cx.snapshot.files.family(schema.file)? {
            Family::Rust => {
                let text = match key {
                    "format" if value == "uri" => "#[schemars(url)]".to_string(),
                    "minimum" => format!("#[schemars(range(min = {value}))]"),
                    _ => return None,
                };
                let statement = Statement { file: schema.file, before: typed.whole, text, end: "" };
                Action::Write(vec![Insertion::Statement(statement)], Edits::new())
            }
            Family::Python => typed_python(look, schema, typed, key, &value)?,
            Family::TypeScript => return None,
        },
    };
    // With such a key, a value that has been accepted so far may be rejected.
    let safe = !CONSTRAINING.contains(&key);
    Some(Fix { title: format!("add `{key}: {value}`"), safe, preferred: true, action })
}

/// Returns the action that adds a key to the schema of a Python parameter or field, by editing its type: in the type's
/// `Field`, or in a new `Field` around the type. `None` if that is not possible.
fn typed_python(look: &Look<'_, '_>, schema: &ObjectSchema, typed: Typed, key: &str, value: &Json) -> Option<Action> {
    let insert = |at: u32, text: String| Edit::new(Span { start: at, end: at }, text);
    let (mut edits, mut names) = (Vec::new(), Vec::new());
    let said = match key {
        "minimum" => format!("ge={value}"),
        "format" => format!("json_schema_extra={{\"format\": {value}}}"),
        _ => String::new(),
    };
    match (key, typed.annotation, typed.constraint) {
        ("type", None, _) if value == "string" => edits.push(insert(typed.name.end, ": str".to_string())),
        ("enum", Some(_), _) => {
            let values: Vec<String> = value.as_array()?.iter().map(Json::to_string).collect();
            edits.push(Edit::new(typed.base?, format!("Literal[{}]", values.join(", "))));
            names.push(("typing", "Literal"));
        }
        ("format", Some(_), Some(constraint)) if constraint.has_extra => return None,
        ("minimum" | "format", Some(_), Some(constraint)) => {
            let before = if constraint.has_arguments { ", " } else { "" };
            edits.push(insert(constraint.end, format!("{before}{said}")));
        }
        ("minimum" | "format", Some(annotation), None) => {
            edits.push(insert(annotation.start, "Annotated[".to_string()));
            edits.push(insert(annotation.end, format!(", Field({said})]")));
            names.extend([("typing", "Annotated"), ("pydantic", "Field")]);
        }
        _ => return None,
    }
    let files = &look.cx.snapshot.files;
    let facts = files.facts(schema.file)?;
    let missing = names.into_iter().filter(|(_, name)| !facts.top_level.contains_key(*name));
    let imports =
        missing.map(|(module, name)| super::import_added(look.cx, schema.file, format!("from {module} import {name}")));
    Some(Action::Write(imports.collect::<Option<_>>()?, Edits::from([(schema.file, edits)])))
}
