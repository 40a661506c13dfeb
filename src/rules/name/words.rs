//! `name-words`: the check is a part of `convention::judge`, except for needless words, which are reported here.

use super::Around;
use crate::convention::Breach;
use crate::diagnostic::Severity;
use crate::rules::{Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "name-words", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("words.md") };

/// Returns a breach for a name with more words than usual if the name without one of its words is valid and no other
/// tool has it.
pub(super) fn needless(around: &Around<'_>, judged: &str) -> Option<Breach> {
    let shorter = around.convention.shorter(judged).into_iter().find(|name| !around.has_judged(name))?;
    Some(Breach {
        rule: RULE.id,
        severity: Severity::Hint,
        message: format!("`{shorter}` is enough: no other tool has that name"),
        range: 0..judged.len(),
    })
}
