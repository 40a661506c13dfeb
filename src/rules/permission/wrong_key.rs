//! `permission-wrong-key`: a permission list under a key that its client does not read.

use crate::client::ClientFacts;
use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule = Rule {
    id: "permission-wrong-key",
    default: Severity::Error,
    scope: Scope::File,
    docs: include_str!("wrong_key.md"),
};

pub(super) fn check(cx: &Cx<'_>, facts: &ClientFacts, diagnostics: &mut Vec<Diagnostic>) {
    let client = &facts.client;
    for mistaken in &facts.mistaken {
        if cx.policy.allows(RULE.id, &mistaken.key.text) {
            continue;
        }
        let right = &mistaken.right;
        let key = &mistaken.key.text;
        let message = match &mistaken.in_file {
            Some(file) => format!("{} does not read `{key}` in this file: use `{right}` in `{file}`", client.name),
            None => format!("{} does not read `{key}`: use `{right}`", client.name),
        };
        // If the right key exists already, renaming the wrong one would make a duplicate key.
        let fix = match (mistaken.is_taken, &mistaken.moved) {
            // The right key belongs in another object or file.
            _ if right.contains('.') || mistaken.in_file.is_some() => None,
            (false, _) => {
                Some(Fix::replace(format!("rename to `{right}`"), cx.file.id, mistaken.key.span, right.as_str()))
            }
            (true, Some(edits)) => {
                Some(Fix::edits(format!("move its entries to `{right}`"), Edits::from([(cx.file.id, edits.clone())])))
            }
            (true, None) => None,
        };
        // With the fix, entries that have been ignored so far would take effect.
        let fix = fix.map(Fix::marked_unsafe);
        diagnostics.push(cx.diagnostic(&RULE, mistaken.key.span, message).with_fixes(fix));
    }
}
