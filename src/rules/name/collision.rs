//! `name-collision`: tools of one server, or of servers that one config starts, that a client cannot tell apart.

use rustc_hash::FxHashMap;

use super::name_span;
use crate::client::ClientFacts;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule, Scope};
use crate::text::Span;
use crate::workspace::Tool;

pub(crate) const RULE: Rule = Rule {
    id: "name-collision",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("collision.md"),
};

/// The maximum number of tools that are compared for one config, over all its servers.
const MOST_COMPARED: usize = 1_000_000;

/// Reports tools of one server whose names are the same in a client. The finding is at the later registration.
pub(super) fn check_servers(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let clients = cx.clients();
    let file = cx.file.id;
    for server in cx.servers_with_a_piece() {
        if !server.tools.iter().any(|tool| tool.local_place().file == file) {
            continue;
        }
        for client in &clients {
            let mut seen: FxHashMap<String, &Tool> = FxHashMap::default();
            for tool in server.tools.iter().filter(|tool| !tool.registration.conditional) {
                let twin = *seen.entry(client.normalise(&tool.name)).or_insert(tool);
                if twin.name == tool.name || tool.local_place().file != file || cx.policy.allows(RULE.id, &tool.name) {
                    continue;
                }
                let normal = client.normalise(&tool.name);
                let message = format!("`{}` and `{}` are both `{normal}` to {}", twin.name, tool.name, client.name);
                let place = twin.local_place();
                let other = cx.snapshot.files.span(place);
                diagnostics.push(cx.diagnostic(&RULE, name_span(cx, tool), message).with_related(
                    place.file,
                    other,
                    "the other one is registered here",
                ));
            }
        }
    }
}

/// Whether two keys start the same servers from source. `false` if the tools of a key come from a snapshot.
fn is_one_server(cx: &Cx<'_>, one: &str, other: &str) -> bool {
    let servers =
        |key: &str| cx.analysis.keys.get(key).filter(|known| known.recorded.is_none()).map(|known| &known.servers);
    servers(one).is_some_and(|own| !own.is_empty() && servers(other) == Some(own))
}

pub(super) fn check(cx: &Cx<'_>, facts: &ClientFacts, diagnostics: &mut Vec<Diagnostic>) {
    let client = &facts.client;
    let mut normals: FxHashMap<*const Tool, String> = FxHashMap::default();
    let mut seen: FxHashMap<String, (&str, Span, &Tool)> = FxHashMap::default();
    let mut left = MOST_COMPARED;
    for entry in &facts.servers {
        let names = cx.snapshot.files.names_of(&cx.file.path, entry);
        let Some(known) = names.first().and_then(|name| cx.analysis.keys.get(name)) else {
            continue;
        };
        for tool in cx.analysis.tools_of(known) {
            left -= 1;
            if left == 0 {
                let message =
                    "too many servers and tools to compare: from this server on, duplicate names may be missed";
                let mut unsure = cx.diagnostic(&RULE, entry.key.span, message);
                unsure.severity = Severity::Info;
                diagnostics.push(unsure);
                return;
            }
            if cx.policy.allows(RULE.id, &tool.name) {
                continue;
            }
            // A client tells servers apart by their keys. Equal bare names still collide in anything that uses them
            // without the server, such as a log or a prompt.
            let normal = &*normals.entry(std::ptr::from_ref(tool)).or_insert_with(|| client.normalise(&tool.name));
            match seen.get(normal) {
                Some((key, _, _)) if *key == entry.key.text => {}
                // The tools of two keys that start one server have the same registrations.
                Some((_, _, other)) if other.registration.place == tool.registration.place => {}
                Some((key, _, _)) if is_one_server(cx, key, &entry.key.text) => {}
                Some((key, _, other)) => {
                    let message = if other.name == tool.name {
                        format!("`{key}` and `{}` both have a tool `{}`", entry.key.text, tool.name)
                    } else {
                        format!(
                            "`{}` of `{key}` and `{}` of `{}` are both `{normal}` to {}",
                            other.name, tool.name, entry.key.text, client.name
                        )
                    };
                    let (here, there) = (tool.local_place(), other.local_place());
                    diagnostics.push(
                        cx.diagnostic(&RULE, entry.key.span, message)
                            .with_related(
                                there.file,
                                cx.snapshot.files.span(there),
                                format!("registered for `{key}` here"),
                            )
                            .with_related(
                                here.file,
                                cx.snapshot.files.span(here),
                                format!("and registered for `{}` here", entry.key.text),
                            ),
                    );
                }
                None => {
                    seen.insert(normal.clone(), (&entry.key.text, entry.key.span, tool));
                }
            }
        }
    }
}
