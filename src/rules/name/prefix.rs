//! `name-prefix`: found by the convention's grammar.

use crate::diagnostic::Severity;
use crate::rules::Rule;

pub(crate) const RULE: Rule = Rule { id: "name-prefix", default: Severity::Warning, docs: include_str!("prefix.md") };
