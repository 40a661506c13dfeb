//! `name-prefix`: the check is a part of `convention::judge`. A gateway that lists its tools with its own prefix is
//! reported here, once per server.

use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "name-prefix", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("prefix.md") };

/// Reports a gateway that lists its tools under the names that clients compose, at the first such tool of each server.
pub(super) fn admit(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(gateway) = &cx.policy.convention.gateway else { return };
    let prefix = gateway.prefix();
    for server in cx.servers_with_a_piece() {
        let Some(tool) = server.tools.iter().find(|tool| tool.name.starts_with(&prefix)) else { continue };
        let Some(span) = cx.span_in_name(&tool.registration.name, 0..prefix.len()) else { continue };
        if cx.policy.allows(RULE.id, &tool.name) {
            continue;
        }
        let message = format!(
            "clients add `{prefix}` themselves: one that does not know this convention calls the tool \
             `{prefix}{}`",
            tool.name
        );
        let mut diagnostic = cx.diagnostic(&RULE, span, message);
        diagnostic.severity = Severity::Info;
        diagnostics.push(diagnostic);
    }
}
