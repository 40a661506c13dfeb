//! `permission-redundant`: another entry of the same list covers this one.

use super::Examined;
use super::others::{Others, covers};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule = Rule {
    id: "permission-redundant",
    default: Severity::Hint,
    scope: Scope::File,
    docs: include_str!("redundant.md"),
};

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    let wider = others.wider_of_list(examined)?;
    // If each of two entries covers the other, only the second is reported.
    if covers(examined, wider) && examined.entry.whole < wider.entry.whole {
        return None;
    }
    let message = format!("`{}` already covers this entry", wider.text());
    let diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(examined.removal(cx));
    Some(diagnostic.with_related(cx.file.id, wider.entry.text.span, "here"))
}
