//! `resource-uri`: the URI of a resource is not of the convention's form.

use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::evaluate::{Origin, World};
use crate::rules::{Cx, Rule};
use crate::text::{Edit, Span};
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
    let convention = super::name::ours::convention(cx.snapshot, &cx.policy.convention, server);
    for resource in server.resources.iter().filter(|resource| stands_in(cx, resource)) {
        let uri = &resource.name;
        if cx.policy.allows(RULE.id, uri) {
            continue;
        }
        let proposals = convention.propose_uri(uri);
        for breach in convention.judge_uri(uri) {
            // A namespace that the names of tools are made of, too, is said there.
            let first = resource.registration.name.parts.first().and_then(|part| part.place());
            let in_first =
                resource.registration.name.parts.first().is_some_and(|part| breach.range.end <= part.text.len());
            let is_of_tools =
                server.tools.iter().flat_map(|tool| tool.born()).any(|place| place.is_some() && place == first);
            if in_first && is_of_tools && resource.registration.name.parts.len() > 1 {
                continue;
            }
            let Some(span) = cx.span_in_name(&resource.registration.name, breach.range) else { continue };
            let fixes = proposals.iter().filter_map(|proposal| {
                let (span, text) = part_to_change(cx, resource, proposal)?;
                let mut edits = vec![Edit::new(span, text)];
                // Who reads the resource compares with the URI as a whole.
                edits.extend(
                    compared_with(cx, uri).into_iter().filter(|at| *at != span).map(|at| Edit::new(at, proposal)),
                );
                let edits = Edits::from([(cx.file.id, edits)]);
                Some(Fix::edits(format!("change to `{proposal}`"), edits).marked_unsafe())
            });
            let message = format!("`{uri}`: {}", breach.message);
            diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(fixes));
        }
    }
}

/// Where this file compares something with a URI, as it is written.
fn compared_with(cx: &Cx<'_>, uri: &str) -> Vec<Span> {
    let items = cx.snapshot.files.facts(cx.file.id).into_iter().flat_map(|facts| &facts.items);
    let compared = items.flat_map(|item| {
        let equal = item.facts.comparisons.iter().filter(|comparison| comparison.text == uri);
        equal.map(|comparison| comparison.span.shifted(item.start))
    });
    compared.filter(|span| span.len() == uri.len()).collect()
}

/// The one literal of this file in which a change makes the URI read as proposed, and what it is to say.
fn part_to_change(cx: &Cx<'_>, resource: &Offer, proposal: &str) -> Option<(Span, String)> {
    let parts = &resource.registration.name.parts;
    parts.iter().enumerate().find_map(|(index, part)| {
        let before: String = parts[..index].iter().map(|part| part.text.as_str()).collect();
        let after: String = parts[index + 1..].iter().map(|part| part.text.as_str()).collect();
        let text = proposal.strip_prefix(&before)?.strip_suffix(&after)?;
        match part.origin {
            Origin::Literal(place) if place.file == cx.file.id => {
                Some((cx.snapshot.files.span(place), text.to_string()))
            }
            _ => None,
        }
    })
}
