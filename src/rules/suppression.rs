//! `suppression-unused`, and suppressing itself: `toolnames: allow(rule-id) why` on the line or the line above.

use super::{Cx, Rule};
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::Span;
use crate::workspace::Content;

pub(crate) const RULE: Rule =
    Rule { id: "suppression-unused", default: Severity::Info, docs: include_str!("suppression.md") };

/// What a comment allows.
struct Allowance {
    line: u32,
    span: Span,
    rules: Vec<String>,
    used: bool,
}

/// Drops what comments allow, and reports comments that allow nothing.
pub(super) fn apply(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let lines = &cx.file.lines;
    let mut allowances: Vec<Allowance> = cx
        .snapshot
        .files
        .directives(cx.file.id)
        .into_iter()
        .filter_map(|(span, text)| {
            let (rules, _why) = text.strip_prefix("allow(")?.split_once(')')?;
            let rules = rules.split(',').map(|rule| rule.trim().to_string()).collect();
            Some(Allowance { line: lines.line_of(span.start), span, rules, used: false })
        })
        .collect();
    if allowances.is_empty() {
        return;
    }
    diagnostics.retain(|diagnostic| {
        let line = lines.line_of(diagnostic.span.start);
        // A call that is broken over several lines is one place.
        let call_line = call_around(cx, diagnostic.span).map(|call| lines.line_of(call.start));
        let mut allowed = false;
        for allowance in &mut allowances {
            let near = allowance.line == line || allowance.line + 1 == line || Some(allowance.line + 1) == call_line;
            if near && allowance.rules.iter().any(|rule| rule == diagnostic.rule) {
                allowance.used = true;
                allowed = true;
            }
        }
        !allowed
    });
    let Some(severity) = cx.policy.severity(RULE.id, RULE.default) else {
        return;
    };
    for allowance in allowances.iter().filter(|allowance| !allowance.used) {
        let message = match allowance.rules.iter().find(|rule| super::find(rule).is_none()) {
            Some(unknown) => format!("there is no rule `{unknown}`"),
            None => format!("nothing here breaks `{}`", allowance.rules.join("`, `")),
        };
        let mut diagnostic = cx.diagnostic(&RULE, allowance.span, message);
        diagnostic.severity = severity;
        diagnostics.push(diagnostic);
    }
}

/// The smallest call in source that a finding stands in.
fn call_around(cx: &Cx<'_>, span: Span) -> Option<Span> {
    let Content::Source(facts) = &cx.file.content else { return None };
    let calls = facts.items.iter().flat_map(|item| {
        item.facts.calls.iter().map(|call| call.span.shifted(item.start)).filter(|call| call.contains(span))
    });
    calls.min_by_key(|call| call.len())
}
