//! `permission-duplicate`: the same entry twice in one list.

use super::Examined;
use super::others::Others;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule = Rule {
    id: "permission-duplicate",
    default: Severity::Hint,
    scope: Scope::File,
    docs: include_str!("duplicate.md"),
};

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    let first = others.same_before(examined)?;
    let message = format!("`{}` is already in this list", examined.text());
    let diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(examined.removal(cx));
    Some(diagnostic.with_related(cx.file.id, first.entry.text.span, "here"))
}
