//! `permission-conflict`: an entry that a stricter one overrides.

use super::Examined;
use super::others::Others;
use crate::client::ListKind;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule = Rule {
    id: "permission-conflict",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("conflict.md"),
};

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    if !matches!(examined.list.kind, ListKind::Allow | ListKind::Ask | ListKind::Offer) || !examined.is_mcp() {
        return None;
    }
    let denied = others.overruling(examined, &[ListKind::Deny]);
    let is_allowed = examined.list.kind == ListKind::Allow;
    let asked = || others.overruling(examined, &[ListKind::Ask]).filter(|_| is_allowed);
    let Some(winner) = denied.or_else(asked) else {
        return (examined.list.kind != ListKind::Offer).then(|| denied_beside(cx, examined, others))?;
    };
    let by =
        if winner.text() == examined.text() { "the same entry".to_string() } else { format!("`{}`", winner.text()) };
    let (list, how) = match winner.list.kind {
        ListKind::Deny => ("deny", "denied here"),
        _ => ("ask", "set to ask here"),
    };
    let message = format!("{by} in `{list}` takes precedence, so this entry {}", vain(examined.list.kind));
    let diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(examined.left_out(cx));
    Some(diagnostic.with_related(cx.file.id, winner.entry.text.span, how))
}

/// Reports an entry whose tools are all denied in another file of the same client.
fn denied_beside(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    let (file, entry) = others.denied_beside(examined)?;
    let path = cx.snapshot.files.path(file);
    let denied = &entry.text.text;
    let by = if denied == examined.text() { "the same entry".to_string() } else { format!("`{denied}`") };
    let message = format!("{by} in `deny` of `{path}` takes precedence, so this entry {}", vain(examined.list.kind));
    let mut diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(examined.left_out(cx));
    // A deny entry in a personal file does not make the shared file wrong.
    if examined.client.is_personal(path) {
        diagnostic.severity = Severity::Info;
    }
    Some(diagnostic.with_related(file, entry.text.span, "denied here"))
}

/// Returns the words with which a message says that an overridden entry has no effect.
fn vain(kind: ListKind) -> &'static str {
    match kind {
        ListKind::Ask => "never asks",
        ListKind::Offer => "offers nothing",
        _ => "allows nothing",
    }
}
