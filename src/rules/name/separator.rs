//! `name-separator`: the check is a part of `convention::judge`.

use crate::diagnostic::Severity;
use crate::rules::{Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "name-separator", default: Severity::Warning, scope: Scope::File, docs: include_str!("separator.md") };
