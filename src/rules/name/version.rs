//! `name-version`: checked by the convention's grammar.

use crate::diagnostic::Severity;
use crate::rules::Rule;

pub(crate) const RULE: Rule = Rule { id: "name-version", default: Severity::Hint, docs: include_str!("version.md") };
