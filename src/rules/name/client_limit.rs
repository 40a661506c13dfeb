//! `name-client-limit`: a client in use does not accept the name that it composes from the server's key and the tool's
//! name.

use std::cmp::Reverse;

use super::name_span;
use crate::client::Client;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule, Scope};
use crate::workspace::{Server, Tool};

pub(crate) const RULE: Rule = Rule {
    id: "name-client-limit",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("client_limit.md"),
};

/// The maximum number of keys for which a name that is too long is reported. The last report gives the number of the
/// remaining keys.
const SHOWN: usize = 3;

/// The keys of a server for each client with a limit, sorted by the length of the composed name, the longest first.
pub(super) struct Longest<'a>(Vec<(&'a Client, usize, Vec<&'a String>)>);

impl<'a> Longest<'a> {
    pub(super) fn of(server: &'a Server, clients: &[&'a Client]) -> Longest<'a> {
        let of_client = |client: &&'a Client| {
            let mut keys: Vec<&String> = server.keys.iter().collect();
            keys.sort_by_cached_key(|key| Reverse(client.wire_name(key, "t").chars().count()));
            Some((*client, client.limit?, keys))
        };
        Longest(clients.iter().filter_map(of_client).collect())
    }
}

pub(super) fn check(
    cx: &Cx<'_>,
    clients: &[&Client],
    (tool, longest): (&Tool, &Longest<'_>),
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
    }
    for (client, limit, keys) in &longest.0 {
        let length = |key: &str| client.wire_name(key, &tool.name).chars().count();
        let over = keys.partition_point(|key| length(key) > *limit);
        for (index, key) in keys[..over].iter().take(SHOWN).enumerate() {
            let composed = client.wire_name(key, &tool.name);
            let length = composed.chars().count();
            let more = match over.saturating_sub(SHOWN) {
                more @ 1.. if index + 1 == SHOWN => format!("; {more} more keys also exceed it"),
                _ => String::new(),
            };
            let message = format!(
                "{} knows this tool as `{composed}`: {length} characters, {} more than its limit of {limit} ({}){more}",
                client.name,
                length - limit,
                client.over_limit,
            );
            let mut diagnostic = cx.diagnostic(&RULE, name_span(cx, tool), message);
            if let Some(known) = cx.analysis.keys.get(*key) {
                for (file, span) in &known.entries {
                    diagnostic = diagnostic.with_related(*file, *span, format!("started as `{key}` here"));
                }
            }
            diagnostics.push(diagnostic);
        }
    }
}
