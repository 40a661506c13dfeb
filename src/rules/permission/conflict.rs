//! `permission-conflict`: an allow entry that a deny entry takes back.

use super::Examined;
use super::others::Others;
use super::redundant::covers;
use crate::client::ListKind;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule};

pub(crate) const RULE: Rule =
    Rule { id: "permission-conflict", default: Severity::Warning, docs: include_str!("conflict.md") };

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    if examined.list.kind != ListKind::Allow || !examined.is_mcp() {
        return None;
    }
    let covering = |other: &&Examined<'_>| {
        other.list.kind == ListKind::Deny && other.list.scope == examined.list.scope && covers(other, examined)
    };
    let denied = others.denied(examined).or_else(|| others.wider(examined).find(covering))?;
    let by = if denied.text() == examined.text() { "it too".to_string() } else { format!("`{}`", denied.text()) };
    let message = format!("`deny` holds {by}, and deny wins: this entry allows nothing");
    Some(examined.diagnostic(cx, &RULE, message).with_related(cx.file.id, denied.entry.text.span, "denied here"))
}
