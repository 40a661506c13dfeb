//! `name-order`: checked by the convention's grammar.

use crate::diagnostic::Severity;
use crate::rules::Rule;

pub(crate) const RULE: Rule = Rule { id: "name-order", default: Severity::Hint, docs: include_str!("order.md") };
