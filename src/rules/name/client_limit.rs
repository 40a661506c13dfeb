//! `name-client-limit`: a client in use cannot take the composed name.

use super::name_span;
use crate::client::Client;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule};
use crate::workspace::{Server, Tool};

pub(crate) const RULE: Rule =
    Rule { id: "name-client-limit", default: Severity::Warning, docs: include_str!("client_limit.md") };

pub(super) fn check(
    cx: &Cx<'_>,
    clients: &[&'static Client],
    (server, tool): (&Server, &Tool),
    diagnostics: &mut Vec<Diagnostic>,
) {
    if cx.policy.allows(RULE.id, &tool.name) {
        return;
    }
    for client in clients {
        if let Some(refused) = client.refuses.iter().find(|refused| tool.name.starts_with(&*refused.begin)) {
            let message = format!("{} {}", client.name, refused.why);
            diagnostics.push(cx.diagnostic(&RULE, name_span(cx, tool), message));
        }
        for key in &server.keys {
            let Some(limit) = client.limit else { continue };
            let composed = client.wire_name(key, &tool.name);
            let length = composed.chars().count();
            if length <= limit {
                continue;
            }
            let message = format!(
                "{} knows this tool as `{composed}`: {length} characters, {} more than the {} it can take ({})",
                client.name,
                length - limit,
                limit,
                client.over_limit,
            );
            let mut diagnostic = cx.diagnostic(&RULE, name_span(cx, tool), message);
            if let Some(known) = cx.analysis.keys.get(key) {
                for (file, span) in &known.entries {
                    diagnostic = diagnostic.with_related(*file, *span, format!("started as `{key}` here"));
                }
            }
            diagnostics.push(diagnostic);
        }
    }
}
