//! `permission-too-wide`: an allow entry with a wildcard that reaches a tool marked destructive.

use super::Examined;
use crate::client::{ListKind, Rule as Permission, glob_matches};
use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::rules::{Cx, Rule};
use crate::workspace::Tool;

pub(crate) const RULE: Rule =
    Rule { id: "permission-too-wide", default: Severity::Warning, docs: include_str!("too_wide.md") };

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    if examined.list.kind != ListKind::Allow {
        return None;
    }
    let text = examined.text();
    let grammar = examined.grammar();
    let reaches = |key: &str, tool: &Tool| match examined.rule {
        Permission::Server { server } => grammar.normalise(key) == server,
        Permission::ToolPattern { .. } | Permission::Pattern => {
            let name = grammar.composed(key, &tool.name);
            glob_matches(text, &name) || examined.list.server.is_some() && glob_matches(text, &tool.name)
        }
        _ => false,
    };
    let mut reached: Vec<&Tool> = Vec::new();
    for server in &examined.servers.all {
        let tools = cx.analysis.tools_of(server.entry).filter(|tool| is_destructive(tool));
        reached.extend(tools.filter(|tool| reaches(server.key, tool)));
    }
    let [first, more @ ..] = reached.as_slice() else { return None };
    let more = match more.len() {
        0 => String::new(),
        1 => " and 1 more".to_string(),
        count => format!(" and {count} more"),
    };
    let message = format!("`{text}` allows `{}`{more} without asking, which is marked destructive", first.name);
    let place = first.local_place();
    let diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(narrowed(cx, examined, &reaches));
    Some(diagnostic.with_related(place.file, cx.snapshot.files.span(place), "marked destructive here"))
}

/// The tools of the entry that are not destructive, one by one.
fn narrowed(cx: &Cx<'_>, examined: &Examined<'_>, reaches: &dyn Fn(&str, &Tool) -> bool) -> Option<Fix> {
    if !examined.list.is_plain() {
        return None;
    }
    let mut names = Vec::new();
    for server in &examined.servers.all {
        let tools =
            cx.analysis.tools_of(server.entry).filter(|tool| reaches(server.key, tool) && !is_destructive(tool));
        names.extend(tools.map(|tool| examined.grammar().composed(server.key, &tool.name)));
    }
    names.sort();
    names.dedup();
    if names.is_empty() || names.len() > MAX_NAMED {
        return None;
    }
    let title = match names.len() {
        1 => "allow only the one that is not destructive".to_string(),
        count => format!("allow only the {count} that are not destructive"),
    };
    let edits = Edits::from([(cx.file.id, vec![examined.entry.replaced_by(&names)?])]);
    // What was allowed before asks again.
    Some(Fix::edits(title, edits).marked_unsafe().as_choice())
}

fn is_destructive(tool: &Tool) -> bool {
    tool.registration.annotations.iter().any(|(hint, value)| hint == "destructiveHint" && *value)
}

/// How many tools are named one by one; more are nothing to read.
const MAX_NAMED: usize = 50;
