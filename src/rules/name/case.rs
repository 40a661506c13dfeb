//! `name-case`: checked by the convention's grammar.

use crate::diagnostic::Severity;
use crate::rules::Rule;

pub(crate) const RULE: Rule = Rule { id: "name-case", default: Severity::Warning, docs: include_str!("case.md") };
