//! `handler-validation`: a handler reads a required parameter that no validator has checked yet.
//!
//! Only the handlers of tools with a plain JSON Schema are checked. For schemas in a framework's own form, the
//! framework has validated the arguments before it calls the handler.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::diagnostic::{Action, Diagnostic, Edits, Fix, Severity};
use crate::entry::{Insertion, Quoted};
use crate::found::{Lookup, Place};
use crate::known::functions;
use crate::known::handlers::{
    Body, Given, Handlers, Label, Read, Searched, Validators, Wanted, function_named, is_coercion,
};
use crate::known::schema::{Form, ObjectSchema, Property, Schemas};
use crate::lower::{CallId, CallKind, Expr, ItemFacts, ScopeKind};
use crate::rules::{Cx, Rule, Scope};
use crate::text::{Edit, FileId, Span};
use crate::workspace::{Server, Tool};

pub(crate) const RULE: Rule = Rule {
    id: "handler-validation",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("handler.md"),
};

/// Names of a validator's second parameter if that parameter is the name of the value in the first parameter.
const LABELS: [&str; 7] = ["name", "label", "param", "parameter", "field", "what", "paramName"];
/// The keys of `[convention.validators]` that are types of JSON Schema; any other key is the name of a parameter.
const TYPES: [&str; 6] = ["string", "number", "integer", "boolean", "array", "object"];

/// Checks the handlers in one file that may read their arguments.
pub(super) struct Check<'c, 'a> {
    cx: &'c Cx<'a>,
    handlers: Handlers<'c>,
    /// The schemas that were checked, with their handlers.
    seen: FxHashSet<(Place, Vec<Body>)>,
}

impl<'c, 'a> Check<'c, 'a> {
    pub(super) fn new(cx: &'c Cx<'a>) -> Check<'c, 'a> {
        let configured = &cx.policy.convention.validators;
        let of_types = configured.iter().filter(|(key, _)| TYPES.contains(&key.as_str()));
        let validators = Validators {
            all: configured.values().map(String::as_str).collect(),
            of_types: of_types.map(|(_, name)| name.as_str()).collect(),
        };
        Check { cx, handlers: Handlers::new(&cx.snapshot.files, validators), seen: FxHashSet::default() }
    }

    /// Checks those parts of the handlers of a server's tools that are in this file.
    pub(super) fn check(&mut self, server: &Server, schemas: &Schemas<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let mut dispatches: FxHashMap<&str, Vec<Place>> = FxHashMap::default();
        for dispatch in &server.dispatches {
            dispatches.entry(&dispatch.text).or_default().push(dispatch.place);
        }
        for tool in server.tools.iter().filter(|tool| !self.cx.policy.allows(RULE.id, &tool.name)) {
            let Some(place) = tool.registration.schema else { continue };
            let Some(schema) = schemas.at(place).filter(|schema| matches!(schema.form, Form::Literal(_))) else {
                continue;
            };
            let dispatched = dispatches.get(tool.name.as_str()).map_or(&[][..], Vec::as_slice);
            let bodies = self.handlers.bodies(tool, dispatched);
            // The findings name neither the tool nor its server, so only one of several tools with the same schema and
            // handlers is checked.
            if bodies.is_empty() || !self.seen.insert((place, bodies.clone())) {
                continue;
            }
            let was_left = !self.handlers.is_exhausted();
            self.handler(&bodies, &schema, diagnostics);
            if was_left && self.handlers.is_exhausted() {
                diagnostics.push(self.unsure(tool));
            }
        }
    }

    fn handler(&self, bodies: &[Body], schema: &ObjectSchema, diagnostics: &mut Vec<Diagnostic>) {
        for property in schema.properties() {
            if !self.handlers.take(1) {
                return;
            }
            if !schema.is_required(&property.name) {
                continue;
            }
            let Some(validator) = validator_of(self.cx, property) else { continue };
            let is_restricted = is_restricted(self.cx, property);
            let wanted = Wanted { parameter: &property.name, validator, is_restricted };
            let Searched { read, labels } = self.handlers.search(bodies, wanted);
            // Another text may be meant for people.
            let is_known = |name: &str| self.cx.policy.convention.parameters.contains_key(name);
            let is_other = |label: &&Label| {
                is_known(&label.text) || schema.properties().iter().any(|other| other.name == label.text)
            };
            for label in labels.iter().filter(|label| label.file == self.cx.file.id).filter(is_other) {
                self.label(label, &property.name, diagnostics);
            }
            let Some(read) = read.filter(|read| read.file == self.cx.file.id) else { continue };
            let message = format!("`{}` is required, and is read before `{validator}` has checked it", property.name);
            let fix = validated(self.cx, &read, validator, &property.name);
            diagnostics.push(self.cx.diagnostic(&RULE, read.whole, message).with_fixes(fix));
        }
    }

    /// Reports that the message of a validator would name another parameter.
    fn label(&self, label: &Label, parameter: &str, diagnostics: &mut Vec<Diagnostic>) {
        let files = &self.cx.snapshot.files;
        let validator = functions::named(files, label.file, label.item, &label.validator);
        let second = validator.and_then(|validator| validator.function(files)?.params.get(1));
        if second.is_none_or(|second| !LABELS.contains(&second.name.as_str())) {
            return;
        }
        let message = format!("`{}` checks `{parameter}`, and reports it as `{}`", label.validator, label.text);
        let fix = Fix::replace(format!("change to `{parameter}`"), label.file, label.span, parameter.to_string());
        diagnostics.push(self.cx.diagnostic(&RULE, label.span, message).with_fixes([fix.marked_unsafe()]));
    }

    /// Returns the finding that handlers were not checked because the search has run out of steps.
    fn unsure(&self, tool: &Tool) -> Diagnostic {
        let place = Some(tool.local_place()).filter(|place| place.file == self.cx.file.id);
        let span = place.map_or(Span::default(), |place| self.cx.snapshot.files.span(place));
        let message = format!(
            "too many handlers and parameters: from `{}` on, reads of unchecked parameters may be missed",
            tool.name
        );
        let mut unsure = self.cx.diagnostic(&RULE, span, message);
        unsure.severity = Severity::Info;
        unsure
    }
}

/// Returns the fix that passes a parameter through a validator where the parameter is read. `None` if the validator
/// cannot be called there.
fn validated(cx: &Cx<'_>, read: &Read, validator: &str, parameter: &str) -> Option<Fix> {
    let validator = SmolStr::new(validator);
    let body = function_named(&cx.snapshot.files, read.file, read.item, &validator, Given::Request)?;
    let facts = cx.snapshot.files.facts(body.file)?.items.get(body.item as usize)?;
    let scope = facts.facts.scope(body.scope);
    let ScopeKind::Function(function) = &scope.kind else { return None };
    // A validator that does not return its argument needs a statement of its own, and only a person can decide where.
    let first = function.params.first()?;
    // The result of a constructor (`new URL(…)`), a conversion or another validator is the checked value; the result of
    // any other call may be a mere yes or no.
    let makes_it = |expr: &Expr| {
        let Expr::Call(id) = expr else { return false };
        let call = facts.facts.call(*id);
        let named = |name: &SmolStr| cx.policy.convention.validators.values().any(|own| own == name);
        let is_value = call.kind == CallKind::New || is_coercion(call) || call.callee.last_name().is_some_and(named);
        is_value && hands_on(&facts.facts, *id, &first.name)
    };
    let gives_it = |returned: &Expr| match returned {
        Expr::Name { name, .. } => *name == first.name,
        // `new URL(value).href`
        Expr::Member { object, .. } => makes_it(object),
        other => makes_it(other),
    };
    if scope.returns.is_empty() || !scope.returns.iter().all(|returned| gives_it(&returned.value)) {
        return None;
    }
    if function.params.get(1).is_some_and(|second| !LABELS.contains(&second.name.as_str())) {
        return None;
    }
    // In `{ ref }`, the name is the key, too.
    let key = if read.is_shorthand { format!("{parameter}: ") } else { String::new() };
    let before = Span { start: read.replaced.start, end: read.whole.start };
    let mut edits = vec![Edit::new(before, format!("{key}{validator}("))];
    let after = Span { start: read.whole.end, end: read.replaced.end };
    // If a validator requires a second argument, that argument is the name of the parameter.
    let required = function.params.iter().filter(|param| param.default.is_none() && !param.rest);
    let mut insertions = Vec::new();
    if required.count() > 1 {
        let syntax = cx.snapshot.files.family(read.file)?.objects();
        let (text, before, after_it) = (parameter.into(), ", ".to_string(), ")".to_string());
        let quoted = Quoted { file: read.file, span: after, before, text, after: after_it, syntax };
        insertions.push(Insertion::Quoted(quoted));
    } else {
        edits.push(Edit::new(after, ")".to_string()));
    }
    let action = Action::Write(insertions, Edits::from([(read.file, edits)]));
    Some(Fix { title: format!("check it with `{validator}`"), safe: false, preferred: true, action })
}

/// Whether a variable is passed to a call, directly or through a call among the arguments:
/// `new URL(required(value, 'url'))`.
fn hands_on(facts: &ItemFacts, call: CallId, name: &SmolStr) -> bool {
    facts.call(call).args.iter().any(|arg| match &arg.value {
        Expr::Name { name: own, .. } => own == name,
        Expr::Call(inner) => hands_on(facts, *inner, name),
        _ => false,
    })
}

/// Whether a handler of a server may read its arguments in this file: the file contains a handler or a dispatch case,
/// or is imported by a file that does.
pub(super) fn is_reached(cx: &Cx<'_>, server: &Server) -> bool {
    let own = server.tools.iter().filter_map(|tool| tool.registration.handler).map(|place| place.file);
    let mut roots: Vec<FileId> = own.chain(server.dispatches.iter().map(|dispatch| dispatch.place.file)).collect();
    roots.sort();
    roots.dedup();
    let files = &cx.snapshot.files;
    let imports = |root: &FileId| {
        let modules = files.facts(*root).into_iter().flat_map(|facts| &facts.modules);
        let mut modules = modules.filter(|module| super::may_lead_to(module, &cx.file.path));
        modules.any(|module| files.resolve(*root, module) == Lookup::Found(cx.file.id))
    };
    roots.contains(&cx.file.id) || roots.iter().any(imports)
}

/// Whether a parameter's schema, or the convention, accepts only some values of the parameter's type.
fn is_restricted(cx: &Cx<'_>, property: &Property) -> bool {
    let wanted = cx.policy.convention.parameters.get(&*property.name);
    let has_key = |key: &&str| property.schema.as_ref().is_some_and(|schema| schema.keys.iter().any(|own| own == key));
    wanted.is_some_and(|wanted| wanted.format.is_some()) || ["format", "pattern"].iter().any(has_key)
}

/// Returns the validator of a parameter, by the parameter's name or its type.
fn validator_of<'c>(cx: &'c Cx<'_>, property: &Property) -> Option<&'c str> {
    let validators = &cx.policy.convention.validators;
    let by_name = validators.get(property.name.as_str());
    let of_type = |kind: &&String| property.schema.as_ref().is_some_and(|schema| schema.is(kind) == Some(true));
    let by_type = || validators.keys().find(of_type).and_then(|kind| validators.get(kind));
    by_name.or_else(by_type).map(String::as_str)
}
