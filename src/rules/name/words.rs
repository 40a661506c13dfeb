//! `name-words`: found by the convention's grammar.

use super::Around;
use crate::convention::Breach;
use crate::diagnostic::Severity;
use crate::rules::Rule;

pub(crate) const RULE: Rule = Rule { id: "name-words", default: Severity::Warning, docs: include_str!("words.md") };

/// A word more than usual that tells this tool apart from no other.
pub(super) fn needless(around: &Around<'_>, judged: &str) -> Option<Breach> {
    let shorter = around.convention.shorter(judged).into_iter().find(|name| !around.has_judged(name))?;
    Some(Breach {
        rule: RULE.id,
        severity: Severity::Hint,
        message: format!("`{shorter}` would do: no other tool has that name"),
        range: 0..judged.len(),
    })
}
