//! `snapshot-drift`: a snapshot of a server's tools differs from the server's source.

use super::{Cx, Rule, Scope};
use crate::diagnostic::{Diagnostic, Severity};
use crate::path::is_installed;
use crate::workspace::{Known, Recorded};

pub(crate) const RULE: Rule = Rule {
    id: "snapshot-drift",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("recorded.md"),
};

pub(super) fn check(cx: &Cx<'_>, recorded: &Recorded, diagnostics: &mut Vec<Diagnostic>) {
    if let Some((span, fault)) = &recorded.fault {
        diagnostics.push(cx.diagnostic(&RULE, *span, fault.clone()));
        return;
    }
    let Some(known) = cx.analysis.keys.get(&recorded.key) else { return };
    if known.recorded.is_some() {
        return not_installed(cx, recorded, known, diagnostics);
    }
    if !cx.analysis.is_known(known) {
        return;
    }
    let mut sources = cx.analysis.servers_of(known);
    let what = if sources.any(|server| is_installed(&server.root)) { "the installed version" } else { "its source" };
    let again = "record it again with `toolnames snapshot`";
    let is_here = |name: &str| cx.analysis.tools_of(known).any(|tool| tool.name == name);
    for tool in recorded.tools.iter().filter(|tool| !is_here(&tool.name.text)) {
        let message = format!("{what} has no tool `{}` any more: {again}", tool.name.text);
        diagnostics.push(cx.diagnostic(&RULE, tool.name.span, message));
    }
    let is_recorded = |name: &str| recorded.tools.iter().any(|tool| tool.name.text == name);
    let mut lacking: Vec<&str> =
        cx.analysis.tools_of(known).map(|tool| tool.name.as_str()).filter(|name| !is_recorded(name)).collect();
    lacking.sort_unstable();
    lacking.dedup();
    if let [first, more @ ..] = lacking.as_slice() {
        let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        let message = format!("{what} has `{first}`{more}, which this snapshot lacks: {again}");
        diagnostics.push(cx.diagnostic(&RULE, recorded.key_span, message));
    }
}

/// Reports recorded tools that the installed version of the server does not have. Tools that were not recorded are not
/// reported: it is unknown how the server was started for the recording.
fn not_installed(cx: &Cx<'_>, recorded: &Recorded, known: &Known, diagnostics: &mut Vec<Diagnostic>) {
    if !cx.analysis.has_all_sources(known) {
        return;
    }
    let has = |name: &str| cx.analysis.source_tools(known).any(|tool| tool.name == name);
    for tool in recorded.tools.iter().filter(|tool| !has(&tool.name.text)) {
        let message = format!(
            "the installed version has no tool `{}`: record it again with `toolnames snapshot`",
            tool.name.text
        );
        diagnostics.push(cx.diagnostic(&RULE, tool.name.span, message));
    }
}
