//! `name-words`: found by the convention's grammar.

use crate::convention::{Breach, Convention};
use crate::diagnostic::Severity;
use crate::rules::Rule;
use crate::workspace::{Server, Tool};

pub(crate) const RULE: Rule = Rule { id: "name-words", default: Severity::Warning, docs: include_str!("words.md") };

/// A word more than usual that tells this tool apart from no other.
pub(super) fn needless(convention: &Convention, server: &Server, tool: &Tool, judged: &str) -> Option<Breach> {
    let is_free = |name: &String| {
        !server.tools.iter().any(|other| !std::ptr::eq(other, tool) && super::judged(convention, other).0 == name)
    };
    let shorter = convention.shorter(judged).into_iter().find(is_free)?;
    Some(Breach {
        rule: RULE.id,
        severity: Severity::Hint,
        message: format!("`{shorter}` would do: no other tool has that name"),
        range: 0..judged.len(),
    })
}
