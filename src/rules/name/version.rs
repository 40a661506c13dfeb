//! `name-version`: the check is a part of `convention::judge`.

use crate::diagnostic::Severity;
use crate::rules::{Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "name-version", default: Severity::Hint, scope: Scope::File, docs: include_str!("version.md") };
