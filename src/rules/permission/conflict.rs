//! `permission-conflict`: an entry that a stricter one takes back.

use super::Examined;
use super::others::Others;
use super::redundant::covers;
use crate::client::{ListKind, Rule as Permission, glob_matches};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule};

pub(crate) const RULE: Rule =
    Rule { id: "permission-conflict", default: Severity::Warning, docs: include_str!("conflict.md") };

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    if !matches!(examined.list.kind, ListKind::Allow | ListKind::Ask | ListKind::Offer) || !examined.is_mcp() {
        return None;
    }
    let is_stricter = |other: &&Examined<'_>| match other.list.kind {
        ListKind::Deny => true,
        ListKind::Ask => examined.list.kind == ListKind::Allow,
        _ => false,
    };
    let of_scope = |other: &&Examined<'_>| other.list.scope == examined.list.scope;
    let wider = others.wider(examined).filter(|other| covers(other, examined));
    let all = others.same(examined).chain(wider).filter(of_scope).filter(is_stricter);
    let Some(winner) = all.min_by_key(|other| other.list.kind != ListKind::Deny) else {
        return (examined.list.kind != ListKind::Offer).then(|| denied_beside(cx, examined, others))?;
    };
    let by = if winner.text() == examined.text() { "it too".to_string() } else { format!("`{}`", winner.text()) };
    let (list, how) = match winner.list.kind {
        ListKind::Deny => ("deny", "denied here"),
        _ => ("ask", "asked about here"),
    };
    let message = format!("`{list}` holds {by}, and {list} wins: this entry {}", vain(examined.list.kind));
    let diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(examined.left_out(cx));
    Some(diagnostic.with_related(cx.file.id, winner.entry.text.span, how))
}

/// All that it is about is denied in another file of the same client.
fn denied_beside(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    let is_one = matches!(examined.rule, Permission::Tool { .. });
    let is_it = |text: &str| {
        text == examined.text()
            || match examined.parse(text) {
                Permission::Server { server } => examined.rule.server() == Some(server),
                Permission::ToolPattern { .. } | Permission::Pattern => is_one && glob_matches(text, examined.text()),
                _ => false,
            }
    };
    let mut denying = others.denying(examined).iter();
    let (file, entry) = denying.find_map(|(file, list)| {
        let entry = list.entries.iter().find(|one| is_it(&one.text.text))?;
        Some((*file, entry))
    })?;
    let path = cx.snapshot.files.path(file);
    let denied = &entry.text.text;
    let by = if denied == examined.text() { "it too".to_string() } else { format!("`{denied}`") };
    let message = format!("`deny` of `{path}` holds {by}, and deny wins: this entry {}", vain(examined.list.kind));
    let mut diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(examined.left_out(cx));
    // What one person keeps to themselves is no mistake of what all share.
    if examined.client.is_personal(path) {
        diagnostic.severity = Severity::Info;
    }
    Some(diagnostic.with_related(file, entry.text.span, "denied here"))
}

/// What an entry does that another takes back.
fn vain(kind: ListKind) -> &'static str {
    match kind {
        ListKind::Ask => "asks about nothing",
        ListKind::Offer => "offers nothing",
        _ => "allows nothing",
    }
}
