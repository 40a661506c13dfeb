//! `permission-dead`: a deny or ask entry that matches no tool, and so guards nothing.

use super::unknown_tool::missing;
use super::{Examined, effect};
use crate::client::{ListKind, Rule as Permission};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule};

pub(crate) const RULE: Rule = Rule { id: "permission-dead", default: Severity::Warning, docs: include_str!("dead.md") };

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    if !matches!(examined.list.kind, ListKind::Deny | ListKind::Ask) {
        return None;
    }
    let effect = effect(examined.list.kind);
    if let Some(missing) = missing(examined) {
        let message = match &missing.near {
            Some(near) if missing.is_sure => {
                format!("{}, so this entry {effect}; did you mean `{near}`?", missing.message)
            }
            Some(near) => format!("{}; did you mean `{near}`?", missing.message),
            None => format!("{}, so this entry {effect}", missing.message),
        };
        let fixes = missing.near.map(|near| examined.replacement(cx, &near));
        return Some(examined.diagnostic(cx, &RULE, message).with_fixes(fixes));
    }
    // A pattern over whole names can be dead only where every server is here and known.
    let servers = &examined.servers.all;
    let everything_known = cx.policy.closed && servers.iter().all(|server| server.known);
    if examined.rule != Permission::Pattern || !everything_known {
        return None;
    }
    let text = examined.text();
    let matches = servers.iter().any(|server| server.any_matches(text));
    // `*` and patterns over built-in tools are about more than MCP.
    if matches || !text.starts_with(examined.grammar().tool.prefix.as_str()) {
        return None;
    }
    Some(examined.diagnostic(cx, &RULE, format!("`{text}` matches no tool, so this entry {effect}")))
}
