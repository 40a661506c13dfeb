//! `tool-annotations`: a tool's hints contradict each other or the verb in the tool's name.

use serde_json::{Value, json};

use super::keyword::Keywords;
use super::{definition, entry, object_at, written};
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, Severity};
use crate::entry::{Entry, EntryPlace, Insertion, Syntax};
use crate::found::HINTS;
use crate::lower::Expr;
use crate::name::Name;
use crate::rules::{Cx, Rule, Scope};
use crate::workspace::Tool;

pub(crate) const RULE: Rule = Rule {
    id: "tool-annotations",
    default: Severity::Warning,
    scope: Scope::File,
    docs: include_str!("annotations.md"),
};

pub(super) fn check(cx: &Cx<'_>, tool: &Tool, diagnostics: &mut Vec<Diagnostic>) {
    let annotations = &tool.registration.annotations;
    let is = |hint: &str| annotations.iter().any(|(name, value)| name == hint && *value);
    if !is("readOnlyHint") || cx.policy.allows(RULE.id, &tool.name) {
        return;
    }
    let span = cx.snapshot.files.span(tool.local_place());
    if is("destructiveHint") {
        let message = format!("`{}` is declared both read-only and destructive", tool.name);
        let either = [hinted(cx, tool, "readOnlyHint"), hinted(cx, tool, "destructiveHint")];
        let fixes = either.into_iter().flatten().map(Fix::into_choice);
        let mut diagnostic = cx.diagnostic(&RULE, span, message).with_fixes(fixes);
        diagnostic.severity = Severity::Error;
        return diagnostics.push(diagnostic);
    }
    let convention = &cx.policy.convention;
    let words = Name::new(convention.without_prefix(tool.short_name())).lower_words();
    let Some(verb) = convention.mutation(&words) else { return };
    let message = format!("`{}` is declared read-only, but its name says that it can {verb}", tool.short_name());
    diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(hinted(cx, tool, "readOnlyHint")));
}

/// Returns the fix that sets a hint to false: where the hint is given, or else in the tool's definition. `None` if
/// neither can be edited.
fn hinted(cx: &Cx<'_>, tool: &Tool, hint: &str) -> Option<Fix> {
    let title = format!("declare `{hint}` false");
    if tool.registration.naming.is_some() {
        let action = Keywords::of(cx, tool)?.hint([hint, in_rust(hint)], false)?;
        return Some(Fix { title, safe: false, preferred: true, action });
    }
    let place = tool.local_place();
    let item = cx.snapshot.files.facts(place.file)?.items.get(place.item as usize)?;
    let (file, object, syntax) = definition(cx, tool)?;
    let inside = object.relative_to(item.start);
    let props = object_at(&item.facts, inside)?;
    let Some(annotations) = entry(props, "annotations") else {
        return written(cx, tool, "annotations", json!({ hint: false }), title).map(Fix::marked_unsafe);
    };
    let Expr::Object { props, span } = annotations else { return None };
    let action = match entry(props, hint) {
        Some(value) => {
            let word = if syntax == Syntax::Python { "False" } else { "false" };
            return Some(Fix::replace(title, file, value.span(&item.facts).shifted(item.start), word).marked_unsafe());
        }
        None => Action::Write(
            vec![Insertion::Entry(Entry {
                file,
                object: span.shifted(item.start),
                place: EntryPlace::Last,
                key: Some(hint.into()),
                value: Value::Bool(false),
                syntax,
            })],
            Edits::new(),
        ),
    };
    Some(Fix { title, safe: false, preferred: true, action })
}

/// Returns the name that a hint has in Rust attributes.
fn in_rust(hint: &str) -> &str {
    HINTS.iter().find(|(own, _)| *own == hint).map_or(hint, |(_, in_rust)| in_rust)
}
