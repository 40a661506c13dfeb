//! `name-reserved`: found by the convention's grammar.

use crate::diagnostic::Severity;
use crate::rules::Rule;

pub(crate) const RULE: Rule =
    Rule { id: "name-reserved", default: Severity::Warning, docs: include_str!("reserved.md") };
