//! `handler-validation`: a handler reads a required parameter that no validator has checked yet.
//!
//! Only the handlers of tools with a plain JSON Schema are checked. For schemas in a framework's own form, the
//! framework has validated the arguments before it calls the handler.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::found::{Lookup, Place};
use crate::known::handlers::{Body, Given, Handlers, Read, function_named, is_coercion};
use crate::known::schema::{Form, ObjectSchema, Property, Schemas};
use crate::lower::{CallId, CallKind, Expr, ItemFacts, ScopeKind};
use crate::rules::{Cx, Rule, Scope};
use crate::syntax::Family;
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
/// The check of all handlers that may read their arguments in one file.
pub(super) struct Check<'c, 'a> {
    cx: &'c Cx<'a>,
    handlers: Handlers<'c>,
    /// The schemas that were checked, with their handlers.
    seen: FxHashSet<(Place, Vec<Body>)>,
}

impl<'c, 'a> Check<'c, 'a> {
    pub(super) fn new(cx: &'c Cx<'a>) -> Check<'c, 'a> {
        let validators = cx.policy.convention.validators.values().map(String::as_str).collect();
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
            let read = self.handlers.first_read(bodies, &property.name);
            let Some(read) = read.filter(|read| read.file == self.cx.file.id) else { continue };
            let message = format!("`{}` is required, and is read before `{validator}` has checked it", property.name);
            let fix = validated(self.cx, &read, validator, &property.name);
            diagnostics.push(self.cx.diagnostic(&RULE, read.at, message).with_fixes(fix));
        }
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
    let gives_it = |returned: &Expr| match returned {
        Expr::Name { name, .. } => *name == first.name,
        // The result of a constructor (`new URL(…)`), a conversion or another validator is the checked value; the
        // result of any other call may be a mere yes or no.
        Expr::Call(id) => {
            let call = facts.facts.call(*id);
            let is_value = call.kind == CallKind::New
                || is_coercion(call)
                || call
                    .callee
                    .last_name()
                    .is_some_and(|name| cx.policy.convention.validators.values().any(|own| own == name));
            is_value && hands_on(&facts.facts, *id, &first.name)
        }
        _ => false,
    };
    if scope.returns.is_empty() || !scope.returns.iter().all(|returned| gives_it(&returned.value)) {
        return None;
    }
    if function.params.get(1).is_some_and(|second| !LABELS.contains(&second.name.as_str())) {
        return None;
    }
    // If a validator requires a second argument, that argument is the name of the parameter.
    let required = function.params.iter().filter(|param| param.default.is_none() && !param.rest);
    let named = match (required.count(), cx.snapshot.files.family(read.file)?) {
        (0 | 1, _) => String::new(),
        (_, Family::TypeScript) => format!(", '{parameter}'"),
        _ => format!(", \"{parameter}\""),
    };
    // A helper that gets the value alone may get unrelated ones from other handlers.
    if read.at.end != read.whole.end || read.is_handed_on {
        return None;
    }
    let insert = |at: u32, text: String| Edit::new(Span { start: at, end: at }, text);
    let edits = vec![insert(read.whole.start, format!("{validator}(")), insert(read.whole.end, format!("{named})"))];
    let fix = Fix::edits(format!("check it with `{validator}`"), Edits::from([(read.file, edits)]));
    Some(fix.marked_unsafe())
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

/// Returns the validator of a parameter, by the parameter's name or its type.
fn validator_of<'c>(cx: &'c Cx<'_>, property: &Property) -> Option<&'c str> {
    let validators = &cx.policy.convention.validators;
    let by_name = validators.get(property.name.as_str());
    let of_type = |kind: &&String| property.schema.as_ref().is_some_and(|schema| schema.is(kind) == Some(true));
    let by_type = || validators.keys().find(of_type).and_then(|kind| validators.get(kind));
    by_name.or_else(by_type).map(String::as_str)
}
