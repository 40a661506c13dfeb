//! `dispatch-name`: a name that a called tool is compared with is not of the convention's form.

use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::evaluate::World;
use crate::lower::{Expr, SUBJECTS};
use crate::rules::{Cx, Rule};
use crate::text::Span;
use crate::workspace::Server;

pub(crate) const RULE: Rule =
    Rule { id: "dispatch-name", default: Severity::Warning, docs: include_str!("dispatch.md") };

pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if !cx.policy.convention.dispatch {
        return;
    }
    let Some(server) = server_of(cx) else { return };
    let Some(facts) = cx.snapshot.files.facts(cx.file.id) else { return };
    let convention = super::name::ours::convention(cx.snapshot, &cx.policy.convention, server);
    // What a tool registers under its own name is said there.
    let is_registered = |text: &str| server.tools.iter().any(|tool| tool.name == text);
    for item in &facts.items {
        for comparison in &item.facts.comparisons {
            let subject = comparison.subject.as_ref().and_then(Expr::last_name);
            let text = comparison.text.as_str();
            let is_of_tools = subject.is_some_and(|subject| SUBJECTS.contains(&subject.as_str()));
            if !is_of_tools || is_registered(text) || cx.policy.allows(RULE.id, text) {
                continue;
            }
            let span = comparison.span.shifted(item.start);
            let taken = |_: &str| false;
            let context = crate::convention::Context { taken: &taken, ..Default::default() };
            let proposals = convention.propose(text, context);
            let only = proposals.len() == 1;
            for breach in convention.judge(text).into_iter().filter(|breach| breach.severity >= Severity::Warning) {
                let at: Span = span.slice(breach.range.start, breach.range.end);
                let fixes = proposals.iter().map(|proposal| {
                    let fix = Fix::replace(format!("change to `{proposal}`"), cx.file.id, span, proposal.clone());
                    if only { fix.marked_unsafe() } else { fix.marked_unsafe().as_choice() }
                });
                let message = format!("`{text}`: {}", breach.message);
                diagnostics.push(cx.diagnostic(&RULE, at, message).with_fixes(fixes));
            }
        }
    }
}

/// The one server of the file's package and language.
fn server_of<'a>(cx: &Cx<'a>) -> Option<&'a Server> {
    let files = &cx.snapshot.files;
    let root = files.package_root(cx.file.id);
    let root = if root.is_empty() { "." } else { root };
    let family = files.family(cx.file.id);
    let mut servers = cx.analysis.servers.iter().filter(|server| {
        let registered = server.tools.first().map(|tool| tool.registration.place.file);
        server.root == root && registered.is_none_or(|file| files.family(file) == family)
    });
    servers.next().filter(|_| servers.next().is_none())
}
