//! `tool-bypass`: a tool registered past the helper that puts the prefix in front of all others.

use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule};
use crate::workspace::{Server, Tool};

pub(crate) const RULE: Rule = Rule { id: "tool-bypass", default: Severity::Warning, docs: include_str!("bypass.md") };

pub(super) fn check(cx: &Cx<'_>, server: &Server, tool: &Tool, diagnostics: &mut Vec<Diagnostic>) {
    let convention = &cx.policy.convention;
    // Without its prefix it is wrong already.
    if !convention.helper || !is_whole(tool) || !convention.has_prefix(&tool.name) {
        return;
    }
    let Some(other) = server.tools.iter().find(|other| !is_whole(other) && convention.has_prefix(&other.name)) else {
        return;
    };
    if cx.policy.allows(RULE.id, &tool.name) {
        return;
    }
    let span = cx.snapshot.files.span(tool.local_place());
    let message = format!(
        "`{}` writes the prefix out: other tools of `{}` get it from the helper that registers them",
        tool.name, server.name
    );
    let place = other.registration.place;
    let diagnostic = cx.diagnostic(&RULE, span, message);
    diagnostics.push(diagnostic.with_related(
        place.file,
        cx.snapshot.files.span(place),
        "this one goes through the helper",
    ));
}

/// Whether the name is written in one piece.
fn is_whole(tool: &Tool) -> bool {
    tool.registration.name.parts.len() == 1
}
