//! `permission-too-wide`: an allow entry with a wildcard that reaches a tool marked destructive.

use super::Examined;
use crate::client::{ListKind, Rule as Permission, glob_matches};
use crate::diagnostic::{Diagnostic, Severity};
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
    let is_destructive =
        |tool: &&Tool| tool.registration.annotations.iter().any(|(hint, value)| hint == "destructiveHint" && *value);
    let mut reached: Vec<&Tool> = Vec::new();
    for server in &examined.servers.all {
        let tools = cx.analysis.tools_of(server.entry).filter(is_destructive);
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
    let diagnostic = examined.diagnostic(cx, &RULE, message);
    Some(diagnostic.with_related(place.file, cx.snapshot.files.span(place), "marked destructive here"))
}
