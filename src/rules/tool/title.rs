//! `tool-title`: a tool without a title for people, where the convention wants one.

use serde_json::Value;

use super::written;
use crate::diagnostic::{Diagnostic, Severity};
use crate::name::Name;
use crate::rules::{Cx, Rule};
use crate::workspace::Tool;

pub(crate) const RULE: Rule = Rule { id: "tool-title", default: Severity::Warning, docs: include_str!("title.md") };

pub(super) fn check(cx: &Cx<'_>, tool: &Tool, diagnostics: &mut Vec<Diagnostic>) {
    let convention = &cx.policy.convention;
    if !convention.titles || !tool.registration.untitled || cx.policy.allows(RULE.id, &tool.name) {
        return;
    }
    let title = title_of(convention.without_prefix(tool.short_name()));
    let span = cx.snapshot.files.span(tool.local_place());
    let fix = written(cx, tool, "title", Value::String(title.clone()), format!("give it the title “{title}”"));
    let message = format!("`{}` has no title for people to read", tool.short_name());
    diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(fix));
}

/// A name as people write it: `list_projects` is “List projects”.
fn title_of(name: &str) -> String {
    let words = Name::new(name).lower_words().join(" ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
