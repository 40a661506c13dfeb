//! `routing-namespace`: an entry of a routing table that stands under another namespace than its own.

use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::evaluate::World;
use crate::lower::{Expr, ItemFacts, Prop};
use crate::rules::{Cx, Rule};
use crate::text::Span;

pub(crate) const RULE: Rule =
    Rule { id: "routing-namespace", default: Severity::Warning, docs: include_str!("routing.md") };

pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(entry) = cx.policy.convention.routing.as_deref() else { return };
    let Some(facts) = cx.snapshot.files.facts(cx.file.id) else { return };
    for item in &facts.items {
        item.facts.each_expression(&mut |expr| {
            let Expr::Object { props, .. } = expr else { return };
            if !is_table(&item.facts, props, entry) {
                return;
            }
            for prop in props {
                let Prop::Pair { key: Expr::Text { text: key, .. }, value } = prop else { continue };
                let Some((own, span)) = own_namespace(&item.facts, value, entry) else { continue };
                if own == key || cx.policy.allows(RULE.id, key) {
                    continue;
                }
                let span = span.shifted(item.start);
                let message = format!("`{own}` stands under `{key}`: calls of `{key}` are sent there");
                let fix = Fix::replace(format!("change to `{key}`"), cx.file.id, span, key.as_str());
                diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes([fix.marked_unsafe()]));
            }
        });
    }
}

/// Whether an object is a table by which calls are routed: every entry says its own namespace, and some entry's is its
/// key, or it is made by a call, `BackendConfig(…)`. Much else has something of that name deep inside.
fn is_table(facts: &ItemFacts, props: &[Prop], entry: &str) -> bool {
    let own = |prop: &Prop| match prop {
        Prop::Pair { key: Expr::Text { text: key, .. }, value } => {
            own_namespace(facts, value, entry).map(|(own, _)| (own == key, matches!(value, Expr::Call(_))))
        }
        _ => None,
    };
    let all: Option<Vec<(bool, bool)>> = props.iter().map(own).collect();
    all.is_some_and(|all| all.iter().any(|(is_own, is_call)| *is_own || *is_call))
}

/// The namespace that an entry says of itself: `BackendConfig(namespace="x")`, `{ namespace: "x" }`.
fn own_namespace<'f>(facts: &'f ItemFacts, value: &'f Expr, entry: &str) -> Option<(&'f str, Span)> {
    let text = |value: &'f Expr| match value {
        Expr::Text { text, span } => Some((text.as_str(), *span)),
        _ => None,
    };
    match value {
        Expr::Call(id) => {
            let mut args = facts.call(*id).args.iter();
            text(&args.find(|arg| arg.name.as_deref() == Some(entry))?.value)
        }
        Expr::Object { props, .. } => props.iter().find_map(|prop| match prop {
            Prop::Pair { key: Expr::Text { text: key, .. }, value } if key == entry => text(value),
            _ => None,
        }),
        _ => None,
    }
}
