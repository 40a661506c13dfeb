//! `name-case`: the check is a part of `convention::judge`.

use crate::diagnostic::Severity;
use crate::rules::{Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "name-case", default: Severity::Warning, scope: Scope::File, docs: include_str!("case.md") };
