//! `tool-annotations`: hints that contradict each other, or what the tool's verb says.

use crate::diagnostic::{Diagnostic, Severity};
use crate::name::Name;
use crate::rules::{Cx, Rule};
use crate::workspace::Tool;

pub(crate) const RULE: Rule =
    Rule { id: "tool-annotations", default: Severity::Warning, docs: include_str!("annotations.md") };

pub(super) fn check(cx: &Cx<'_>, tool: &Tool, diagnostics: &mut Vec<Diagnostic>) {
    let annotations = &tool.registration.annotations;
    let is = |hint: &str| annotations.iter().any(|(name, value)| name == hint && *value);
    if !is("readOnlyHint") || cx.policy.allows(RULE.id, &tool.name) {
        return;
    }
    let span = cx.snapshot.files.span(tool.local_place());
    if is("destructiveHint") {
        let message = format!("`{}` is said to be read-only and destructive: it cannot be both", tool.name);
        let mut diagnostic = cx.diagnostic(&RULE, span, message);
        diagnostic.severity = Severity::Error;
        return diagnostics.push(diagnostic);
    }
    let convention = &cx.policy.convention;
    let words = Name::new(convention.without_prefix(tool.short_name())).lower_words();
    let Some(verb) = words.first().filter(|verb| convention.mutating.contains(verb)) else { return };
    let message = format!("`{}` is said to be read-only, and its name says that it can {verb}", tool.short_name());
    diagnostics.push(cx.diagnostic(&RULE, span, message));
}
