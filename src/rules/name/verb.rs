//! `name-verb`: checked by the convention's grammar.

use crate::diagnostic::Severity;
use crate::rules::{Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "name-verb", default: Severity::Hint, scope: Scope::Workspace, docs: include_str!("verb.md") };
