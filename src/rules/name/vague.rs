//! `name-vague`: the check is a part of `convention::judge`.

use crate::diagnostic::Severity;
use crate::rules::{Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "name-vague", default: Severity::Hint, scope: Scope::Workspace, docs: include_str!("vague.md") };
