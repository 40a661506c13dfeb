//! `state-form`: a list of tools that are switched on or off contains something other than a tool's full name.

use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::document::{Data, Value};
use crate::known::gateway::{Layers, state_entries};
use crate::name::nearest;
use crate::rules::{Cx, Rule, Scope};
use crate::text::Edit;

pub(crate) const RULE: Rule =
    Rule { id: "state-form", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("state.md") };

pub(super) fn check(cx: &Cx<'_>, layers: &Layers<'_>, data: &Data, diagnostics: &mut Vec<Diagnostic>) {
    lists(cx, &layers.gateway.state.lists, data, diagnostics);
    for (_, _, text) in state_entries(layers.gateway, data) {
        if cx.policy.allows(RULE.id, &text.text) {
            continue;
        }
        let Some((message, right)) = wrong(layers, &text.text) else { continue };
        let only = right.len() == 1;
        let fixes = right.into_iter().map(|right| {
            let title = format!("change to `{right}`");
            let fix = match text.verbatim {
                true => {
                    let edit = Edit::between(&text.text, &right);
                    Fix::replace(title, cx.file.id, edit.span.shifted(text.span.start), edit.new_text)
                }
                false => Fix::replace(title, cx.file.id, text.span, right),
            };
            if only { fix } else { fix.into_choice() }
        });
        let message = format!("`{}`: {message}", text.text);
        diagnostics.push(cx.diagnostic(&RULE, text.span, message).with_fixes(fixes));
    }
}

/// Reports lists under a key that the gateway does not read, and keys whose value is not a list.
fn lists(cx: &Cx<'_>, lists: &[String], data: &Data, diagnostics: &mut Vec<Diagnostic>) {
    let Some(root) = &data.root else { return };
    let names: Vec<String> = lists.iter().map(|list| format!("`{list}`")).collect();
    if matches!(root.value, Value::Array(_)) {
        let message = format!("expected an object with {}, found a list", names.join(" and "));
        diagnostics.push(cx.diagnostic(&RULE, root.span, message));
    }
    for (key, value) in root.entries() {
        let is_list = matches!(value.value, Value::Array(_));
        if lists.contains(&key.text) {
            if !is_list {
                let message = format!("`{}` must be a list of tools", key.text);
                diagnostics.push(cx.diagnostic(&RULE, key.span, message));
            }
            continue;
        }
        if !is_list || cx.policy.allows(RULE.id, &key.text) {
            continue;
        }
        let lower = key.text.to_lowercase();
        let meant = lists.iter().find(|list| lower.starts_with(list.as_str())).map(String::as_str);
        let meant = meant.or_else(|| nearest(&lower, lists.iter().map(String::as_str)));
        // Other lists of the file are about something else.
        let Some(meant) = meant else { continue };
        let others = root.entries().filter(|(other, _)| other.text.to_lowercase().starts_with(meant)).count();
        let meant = Some(meant).filter(|meant| root.get(meant).is_none() && others <= 1);
        let hint = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        let fix = meant.map(|meant| Fix::replace(format!("change to `{meant}`"), cx.file.id, key.span, meant));
        let message = format!("the gateway reads {}, not `{}`{hint}", names.join(" and "), key.text);
        // What the gateway has ignored so far switches tools on or off.
        diagnostics.push(cx.diagnostic(&RULE, key.span, message).with_fixes(fix.map(Fix::marked_unsafe)));
    }
}

/// Returns what is wrong with an entry, and the corrections; `None` if nothing is certain to be wrong.
fn wrong(layers: &Layers<'_>, text: &str) -> Option<(String, Vec<String>)> {
    let servers = layers.routed();
    if let Some((breach, right)) = layers.convention.judge_permission(text, servers) {
        let names = layers.by_full_name();
        let right = right.into_iter().filter(|right| !layers.is_known || names.has(right)).collect();
        return Some((breach.message, right));
    }
    let names = layers.by_full_name();
    if names.has(text) {
        return None;
    }
    let Some(own) = text.strip_prefix(&layers.gateway.prefix()) else {
        // Neither the name of a tool of this gateway nor another form of such a name.
        return Some((format!("expected `{}`", layers.full("<server>_<tool>")), Vec::new()));
    };
    if !layers.is_known || own.contains('*') {
        return None;
    }
    let near = names.nearest(text);
    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Some((format!("the gateway has no tool `{own}`{hint}"), near.map(str::to_string).into_iter().collect()))
}
