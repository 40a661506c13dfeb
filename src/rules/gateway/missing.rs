//! `route-missing`: a gateway has no route to the server of some of its tools, or does not start that server.

use super::incomplete::{add_pool, add_route};
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, Severity};
use crate::entry::Insertion;
use crate::known::gateway::Layers;
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "route-missing", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("missing.md") };

pub(super) fn check(cx: &Cx<'_>, layers: &Layers<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for definition in &layers.tools {
        let place = definition.tool.local_place();
        let Some(server) = definition.server.as_deref().filter(|_| place.file == cx.file.id) else { continue };
        // Each server is reported once, at the first of its tools.
        if !definition.is_first_of_server || cx.policy.allows(RULE.id, server) {
            continue;
        }
        let key = layers.gateway.pool_key(server);
        let mut lacking = Vec::new();
        let route = layers.routes.as_ref().filter(|_| !layers.has_route(server));
        if route.is_some() {
            let constant = layers.gateway.routes.as_ref().map_or("", |routes| routes.constant.as_str());
            lacking.push(format!("`{constant}` has no `{key}`"));
        }
        let pool = layers.pool_without(server);
        if let Some((file, _)) = pool {
            lacking.push(format!("`{key}` is not in {}", file.path));
        }
        if lacking.is_empty() {
            continue;
        }
        let (entry, is_known) = match pool {
            Some((file, data)) => add_pool(cx, layers, server, file, data),
            None => (None, true),
        };
        let entries: Vec<_> = add_route(layers, server).into_iter().chain(entry).collect();
        let fix = (!entries.is_empty()).then(|| Fix {
            title: format!("add `{key}`"),
            // The fix is unsafe because the name that the server behind the gateway gives itself cannot be inferred.
            safe: false,
            preferred: is_known,
            action: Action::Write(entries.into_iter().map(Insertion::Entry).collect(), Edits::new()),
        });
        let span = cx.snapshot.files.span(place);
        let at = definition.tool.short_name().find(server).map_or(span, |at| span.slice(at, at + server.len()));
        let message = format!("calls of `{server}_…` have no route: {}", lacking.join(", and "));
        diagnostics.push(cx.diagnostic(&RULE, at, message).with_fixes(fix));
    }
}
