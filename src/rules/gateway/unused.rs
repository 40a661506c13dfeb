//! `route-unused`: a gateway has a route, or starts a server, that none of its tools uses.

use crate::diagnostic::{Diagnostic, Severity};
use crate::document::Text;
use crate::known::gateway::{Layers, Route};
use crate::rules::{Cx, Rule, Scope};
use crate::text::Span;

pub(crate) const RULE: Rule =
    Rule { id: "route-unused", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("unused.md") };

pub(super) fn check_route(cx: &Cx<'_>, layers: &Layers<'_>, route: &Route<'_>, diagnostics: &mut Vec<Diagnostic>) {
    check(cx, layers, route.key, route.key_span, diagnostics);
}

pub(super) fn check_pool(cx: &Cx<'_>, layers: &Layers<'_>, key: &Text, diagnostics: &mut Vec<Diagnostic>) {
    // A server that has a route is reported at the route.
    let is_routed = layers.routes.iter().flat_map(|routes| &routes.entries).any(|route| route.key == key.text);
    if !is_routed {
        check(cx, layers, &key.text, key.span, diagnostics);
    }
}

fn check(cx: &Cx<'_>, layers: &Layers<'_>, key: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) {
    let Some(server) = layers.gateway.server_of_pool(key).filter(|server| !layers.is_used(server)) else { return };
    if !layers.is_known || cx.policy.allows(RULE.id, key) {
        return;
    }
    let message = format!("`{key}` is never used: no tool is named `{server}_…`");
    diagnostics.push(cx.diagnostic(&RULE, span, message));
}
