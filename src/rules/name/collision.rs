//! `name-collision`: servers that one client config starts together have tools of one name.

use std::collections::BTreeMap;

use crate::client::{self, ClientFacts};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule};
use crate::text::Span;
use crate::workspace::Tool;

pub(crate) const RULE: Rule =
    Rule { id: "name-collision", default: Severity::Warning, docs: include_str!("collision.md") };

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
