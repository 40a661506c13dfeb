//! `resource-uri`: the URI of a resource is not of the convention's form.

use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::evaluate::Origin;
use crate::rules::{Cx, Rule};
use crate::workspace::{Offer, Server};

pub(crate) const RULE: Rule =
    Rule { id: "resource-uri", default: Severity::Warning, docs: include_str!("resource.md") };

pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if !cx.policy.convention.judges_uris() {
        return;
    }
    for server in &cx.analysis.servers {
        if server.resources.iter().any(|resource| stands_in(cx, resource)) {
            check_server(cx, server, diagnostics);
        }
    }
}

fn stands_in(cx: &Cx<'_>, resource: &Offer) -> bool {
    resource.registration.name.parts.iter().filter_map(|part| part.place()).any(|place| place.file == cx.file.id)
}

fn check_server(cx: &Cx<'_>, server: &Server, diagnostics: &mut Vec<Diagnostic>) {
    let convention = super::name::ours::convention(cx, server);
    for resource in server.resources.iter().filter(|resource| stands_in(cx, resource)) {
        let uri = &resource.name;
        if cx.policy.allows(RULE.id, uri) {
            continue;
        }
        // The repair is of the whole: it can be written where the whole stands in one literal.
        let whole = match resource.registration.name.parts.as_slice() {
            [part] => match part.origin {
                Origin::Literal(place) => Some(cx.snapshot.files.span(place)),
                _ => None,
            },
            _ => None,
        };
        let proposals = convention.propose_uri(uri);
        for breach in convention.judge_uri(uri) {
            let Some(span) = cx.span_in_name(&resource.registration.name, breach.range) else { continue };
            let fixes = proposals.iter().zip(whole).map(|(proposal, whole)| {
                Fix::replace(format!("change to `{proposal}`"), cx.file.id, whole, proposal.clone()).marked_unsafe()
            });
            let message = format!("`{uri}`: {}", breach.message);
            diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(fixes));
        }
    }
}
