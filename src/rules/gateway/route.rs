//! `route-form`: a gateway's route, or the key of a server that the gateway starts, does not follow the convention.

use crate::diagnostic::{Action, Diagnostic, Edits, Fix, Severity};
use crate::document::Text;
use crate::entry::{Insertion, Quoted};
use crate::known::gateway::{Layers, Route};
use crate::rules::{Cx, Rule, Scope};
use crate::text::Span;

pub(crate) const RULE: Rule =
    Rule { id: "route-form", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("route.md") };

/// Checks one route, and returns whether its key is right.
pub(super) fn check(cx: &Cx<'_>, layers: &Layers<'_>, route: &Route<'_>, diagnostics: &mut Vec<Diagnostic>) -> bool {
    if cx.policy.allows(RULE.id, route.key) {
        return true;
    }
    let key = wrong_key(layers, route.key);
    let is_sound = key.is_none();
    if let Some((message, right)) = key {
        let fix = right.map(|right| key_changed(cx, layers, route.key_span, right));
        diagnostics.push(cx.diagnostic(&RULE, route.key_span, message).with_fixes(fix));
    }
    let form = layers.gateway.routes.as_ref();
    if let (Some((value, span)), Some(form)) = (route.value, form)
        && !form.is_value(value)
    {
        let words: Vec<&str> = value.split('_').filter(|word| !word.is_empty() && *word != "mcp").collect();
        let inner = words.join("_");
        let right = if inner.is_empty() { layers.gateway.server_of_pool(route.key).unwrap_or("") } else { &inner };
        let right = form.value(right);
        let message = format!("`{value}`: expected `{}`, the prefix of that server's tool names", form.form());
        diagnostics.push(finding(cx, span, message, Some(right).filter(|right| form.is_value(right))));
    }
    is_sound
}

/// Returns the fix that changes the key of a route, which may be written without quotes.
fn key_changed(cx: &Cx<'_>, layers: &Layers<'_>, span: Span, right: String) -> Fix {
    let title = format!("change to `{right}`");
    let Some(routes) = &layers.routes else { return Fix::replace(title, cx.file.id, span, right) };
    let (file, syntax, text) = (cx.file.id, routes.syntax, right.into());
    let quoted = Quoted { file, span, before: String::new(), text, after: String::new(), syntax };
    let action = Action::Write(vec![Insertion::Quoted(quoted)], Edits::new());
    Fix { title, safe: true, preferred: true, action }
}

/// Checks the key of a started server, and returns whether the key is right.
pub(super) fn check_pool(cx: &Cx<'_>, layers: &Layers<'_>, key: &Text, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let wrong = wrong_key(layers, &key.text).filter(|_| !cx.policy.allows(RULE.id, &key.text));
    let is_sound = wrong.is_none();
    diagnostics.extend(wrong.map(|(message, right)| finding(cx, key.span, message, right)));
    is_sound
}

fn finding(cx: &Cx<'_>, span: Span, message: String, right: Option<String>) -> Diagnostic {
    let fix = right.map(|right| Fix::replace(format!("change to `{right}`"), cx.file.id, span, right));
    cx.diagnostic(&RULE, span, message).with_fixes(fix)
}

/// Returns what is wrong with the key of a started server, and the key that was probably meant, if there is one. `None`
/// if nothing is wrong.
fn wrong_key(layers: &Layers<'_>, key: &str) -> Option<(String, Option<String>)> {
    let meant = layers.pool_key_meant(key);
    if meant.as_deref() == Some(key) {
        return None;
    }
    let message = match (layers.gateway.server_of_pool(key), &meant) {
        (Some(server), Some(right)) => format!("`{key}`: no server `{server}`; did you mean `{right}`?"),
        _ => format!("`{key}`: expected `{}`", layers.gateway.pool_key("<server>")),
    };
    Some((message, meant))
}
