//! `name-collision`: servers that one client config starts together have tools of one name.

use std::collections::BTreeMap;

use super::{clients_in_use, name_span};
use crate::client::{self, ClientFacts};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule};
use crate::text::Span;
use crate::workspace::{Server, Tool};

pub(crate) const RULE: Rule =
    Rule { id: "name-collision", default: Severity::Warning, docs: include_str!("collision.md") };

/// Two tools of one server that a client cannot tell apart: said at the later one.
pub(super) fn check_server(cx: &Cx<'_>, server: &Server, tool: &Tool, diagnostics: &mut Vec<Diagnostic>) {
    if cx.policy.allows(RULE.id, &tool.name) || tool.registration.conditional {
        return;
    }
    for client in clients_in_use(cx) {
        let normal = client.normalise(&tool.name);
        let earlier = server.tools.iter().take_while(|other| !std::ptr::eq(*other, tool));
        let mut twins = earlier.filter(|other| other.name != tool.name && client.normalise(&other.name) == normal);
        let Some(twin) = twins.find(|twin| !twin.registration.conditional) else { continue };
        let message = format!("`{}` and `{}` are both `{normal}` to {}", twin.name, tool.name, client.name);
        let place = twin.local_place();
        diagnostics.push(cx.diagnostic(&RULE, name_span(cx, tool), message).with_related(
            place.file,
            cx.snapshot.files.span(place),
            "the other one is registered here",
        ));
        return;
    }
}

pub(super) fn check(cx: &Cx<'_>, facts: &ClientFacts, diagnostics: &mut Vec<Diagnostic>) {
    let client = &client::built_in()[facts.client];
    let mut seen: BTreeMap<String, (&str, Span, &Tool)> = BTreeMap::new();
    for entry in &facts.servers {
        let Some(known) = cx.analysis.keys.get(&entry.key.text) else {
            continue;
        };
        for tool in cx.analysis.tools_of(known) {
            if cx.policy.allows(RULE.id, &tool.name) {
                continue;
            }
            // A client keeps servers apart by their keys; names collide where the composed forms do, and where
            // something beyond the client goes by the bare name.
            let normal = client.normalise(&tool.name);
            match seen.get(&normal) {
                Some((key, _, _)) if *key == entry.key.text => {}
                // Two keys that start one server: the same registration.
                Some((_, _, other)) if other.registration.place == tool.registration.place => {}
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
                                format!("and for `{}` here", entry.key.text),
                            ),
                    );
                }
                None => {
                    seen.insert(normal, (&entry.key.text, entry.key.span, tool));
                }
            }
        }
    }
}
