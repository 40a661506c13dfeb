//! `resource-uri`: the URI of a resource does not follow the convention.

use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::found::Origin;
use crate::known::ours;
use crate::lower::{Expr, Prop};
use crate::rules::{Cx, Rule, Scope};
use crate::text::{Edit, FileId, Span};
use crate::workspace::{Offer, Server};

pub(crate) const RULE: Rule =
    Rule { id: "resource-uri", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("resource.md") };

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
    let convention = ours::convention(cx.snapshot, &cx.policy.convention, server);
    for resource in server.resources.iter().filter(|resource| stands_in(cx, resource)) {
        let uri = &resource.name;
        if cx.policy.allows(RULE.id, uri) {
            continue;
        }
        let proposals = convention.propose_uri(uri);
        for breach in convention.judge_uri(uri) {
            // A fault in a namespace that the URI shares with the names of tools is reported at the tools.
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
                let mut edits = Edits::from([(cx.file.id, vec![Edit::new(span, text)])]);
                // Code that reads the resource or refers to it contains the whole URI.
                for (file, at) in mentions(cx, uri).into_iter().filter(|(file, at)| (*file, *at) != (cx.file.id, span))
                {
                    edits.entry(file).or_default().push(Edit::new(at, proposal));
                }
                Some(Fix::edits(format!("change to `{proposal}`"), edits).marked_unsafe())
            });
            let message = format!("`{uri}`: {}", breach.message);
            diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(fixes));
        }
    }
}

/// Returns the file and span of every literal in source that is the whole URI: in comparisons, reads and references.
fn mentions(cx: &Cx<'_>, uri: &str) -> Vec<(FileId, Span)> {
    let files = &cx.snapshot.files;
    let mut found: Vec<(FileId, Span)> = Vec::new();
    for &file in files.loaded_files() {
        for item in files.facts(file).into_iter().flat_map(|facts| &facts.items) {
            let compared = item.facts.comparisons.iter().filter(|comparison| comparison.text == uri);
            found.extend(compared.map(|comparison| (file, comparison.span.shifted(item.start))));
            item.facts.each_expression(&mut |expr| match expr {
                Expr::Text { text, span } if text == uri => found.push((file, span.shifted(item.start))),
                Expr::Object { props, .. } => found.extend(props.iter().filter_map(|prop| match prop {
                    Prop::Pair { key: Expr::Text { text, span }, .. } if text == uri => {
                        Some((file, span.shifted(item.start)))
                    }
                    _ => None,
                })),
                _ => {}
            });
        }
    }
    found.retain(|(_, span)| span.len() == uri.len());
    found.sort();
    found.dedup();
    found
}

/// Returns the span of the literal of this file whose change turns the URI into the proposal, and the new text of the
/// literal. `None` if no single literal of this file can be changed in this way.
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
