//! `state-conflict`: a tool is switched both on and off, or is listed twice.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::document::{Data, Node};
use crate::known::gateway::{Layers, state_entries};
use crate::rules::{Cx, Rule, Scope};
use crate::text::Edit;

pub(crate) const RULE: Rule = Rule {
    id: "state-conflict",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("conflict.md"),
};

pub(super) fn check(cx: &Cx<'_>, layers: &Layers<'_>, data: &Data, diagnostics: &mut Vec<Diagnostic>) {
    let all = state_entries(layers.gateway, data);
    let mut firsts: FxHashMap<&str, (&str, &Node)> = FxHashMap::default();
    for (list, node, text) in &all {
        let (before, first) = match firsts.entry(text.text.as_str()) {
            Entry::Vacant(place) => {
                place.insert((list, node));
                continue;
            }
            Entry::Occupied(first) => *first.get(),
        };
        if cx.policy.allows(RULE.id, &text.text) {
            continue;
        }
        let removal = |node: &Node, from: &str| {
            let edits: Vec<Edit> = data.removal(node.span).iter().map(|span| Edit::new(*span, "")).collect();
            let edits = Some(edits).filter(|edits| !edits.is_empty())?;
            Some(Fix::edits(format!("remove it from `{from}`"), Edits::from([(cx.file.id, edits)])))
        };
        let (message, fixes): (String, Vec<Fix>) = match before == *list {
            true => (format!("`{}` is in `{list}` twice", text.text), removal(node, list).into_iter().collect()),
            false => {
                // Only a person can decide which of the two is meant.
                let either = [removal(first, before), removal(node, list)];
                let fixes = either.into_iter().flatten().map(|fix| fix.marked_unsafe().into_choice()).collect();
                (format!("`{}` is in `{before}` and in `{list}`", text.text), fixes)
            }
        };
        let first = first.as_text().map_or(first.span, |text| text.span);
        let diagnostic = cx.diagnostic(&RULE, text.span, message).with_fixes(fixes);
        diagnostics.push(diagnostic.with_related(cx.file.id, first, "also listed here"));
    }
}
