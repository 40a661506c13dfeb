//! `permission-redundant`: another entry of the same list covers this one.

use super::Examined;
use super::others::Others;
use crate::client::{Rule as Permission, glob_matches};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule};

pub(crate) const RULE: Rule =
    Rule { id: "permission-redundant", default: Severity::Hint, docs: include_str!("redundant.md") };

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    let wider = others.wider_of_list(examined)?;
    // Two spellings of the same entry: the first one stays.
    if covers(examined, wider) && examined.entry.whole < wider.entry.whole {
        return None;
    }
    let message = format!("`{}` already covers this entry", wider.text());
    let diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(examined.removal(cx));
    Some(diagnostic.with_related(cx.file.id, wider.entry.text.span, "here"))
}

/// Whether `wide` matches everything that `narrow` matches, judging by their forms alone.
pub(super) fn covers(wide: &Examined<'_>, narrow: &Examined<'_>) -> bool {
    if std::ptr::eq(wide.entry, narrow.entry) || wide.text() == narrow.text() {
        return false;
    }
    match &wide.rule {
        Permission::Server { server } => narrow.rule.server() == Some(*server),
        Permission::ToolPattern { .. } | Permission::Pattern => match narrow.rule {
            Permission::Tool { .. } => glob_matches(&wide.list.pattern(wide.text()), narrow.text()),
            Permission::Server { server } => {
                // The pattern must match every tool of the server, whatever its name.
                let prefix = wide.grammar().server_prefix(server);
                wide.text().strip_suffix('*').is_some_and(|stem| prefix.starts_with(stem) && !stem.contains('*'))
            }
            _ => false,
        },
        _ => false,
    }
}
