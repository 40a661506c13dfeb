//! Rules about the layers of a gateway: a tool that is missing from one of them cannot be called or found.

pub(super) mod conflict;
pub(super) mod incomplete;
pub(super) mod listing;
pub(super) mod missing;
pub(super) mod route;
pub(super) mod state;
pub(super) mod unused;

use super::Cx;
use crate::diagnostic::Diagnostic;
use crate::document::Data;
use crate::known::gateway::{Layers, pool_keys};

/// Checks the parts of a gateway in a source file: definitions of tools, the table of routes, and the handler that
/// lists tools.
pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(gateway) = &cx.policy.convention.gateway else { return };
    // Most files contain no part of a gateway.
    let has_tools = cx.analysis.tools().any(|(_, tool)| {
        tool.local_place().file == cx.file.id || tool.registration.listing.is_some_and(|place| place.file == cx.file.id)
    });
    let has_routes = gateway.routes.as_ref().is_some_and(|routes| {
        let facts = cx.snapshot.files.facts(cx.file.id);
        facts.is_some_and(|facts| {
            let scopes = facts.items.iter().flat_map(|item| &item.facts.scopes);
            scopes.flat_map(|scope| &scope.bindings).any(|binding| binding.name == routes.constant)
        })
    });
    if !has_tools && !has_routes {
        return;
    }
    let Some(layers) = Layers::of(cx.snapshot, &cx.policy.convention) else { return };
    if let Some(routes) = layers.routes.as_ref().filter(|routes| routes.file == cx.file.id) {
        for entry in &routes.entries {
            let sound = route::check(cx, &layers, entry, diagnostics);
            if sound {
                unused::check_route(cx, &layers, entry, diagnostics);
            }
        }
    }
    missing::check(cx, &layers, diagnostics);
    incomplete::check(cx, &layers, diagnostics);
    listing::check(cx, &layers, diagnostics);
}

/// Checks a data file with the servers that a gateway starts, or with the tools that are switched on and off.
pub(super) fn check_data(cx: &Cx<'_>, data: &Data, diagnostics: &mut Vec<Diagnostic>) {
    let Some(layers) = Layers::of(cx.snapshot, &cx.policy.convention) else { return };
    if layers.gateway.pools.contain(&cx.file.path) {
        for key in pool_keys(data) {
            if route::check_pool(cx, &layers, key, diagnostics) {
                unused::check_pool(cx, &layers, key, diagnostics);
            }
        }
    }
    if layers.gateway.state.files.contain(&cx.file.path) {
        state::check(cx, &layers, data, diagnostics);
        conflict::check(cx, &layers, data, diagnostics);
    }
}
