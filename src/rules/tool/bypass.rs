//! `tool-bypass`: a tool is registered without the helper that adds the prefix to the names of the other tools.

use smol_str::SmolStr;

use super::Siblings;
use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::found::Naming;
use crate::lower::{Arg, Bound, Call, Expr, Imported, Item, ItemFacts, Prop, ScopeKind};
use crate::rules::{Cx, Rule, Scope};
use crate::syntax::Family;
use crate::text::{Edit, FileId, Span};
use crate::workspace::{Server, Tool};

pub(crate) const RULE: Rule =
    Rule { id: "tool-bypass", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("bypass.md") };

/// Returns a tool of a server that is registered through a helper; `None` if there is none, or if the convention does
/// not require a helper.
pub(super) fn helped<'a>(cx: &Cx<'_>, server: &'a Server) -> Option<&'a Tool> {
    let convention = &cx.policy.convention;
    let is_helped = |other: &&Tool| !is_direct(other) && convention.has_prefix(&other.name);
    if convention.helper { server.tools.iter().find(is_helped) } else { None }
}

pub(super) fn check(cx: &Cx<'_>, siblings: &Siblings<'_>, tool: &Tool, diagnostics: &mut Vec<Diagnostic>) {
    let convention = &cx.policy.convention;
    // A name without the prefix is reported by another rule.
    if !convention.helper || !is_direct(tool) || !convention.has_prefix(&tool.name) {
        return;
    }
    let Some(other) = siblings.helped else { return };
    if cx.policy.allows(RULE.id, &tool.name) {
        return;
    }
    let span = cx.snapshot.files.span(tool.local_place());
    let message = format!(
        "`{}` is registered directly: other tools of `{}` go through a helper that adds the prefix",
        tool.name, siblings.server.name
    );
    let place = other.registration.place;
    let diagnostic = cx.diagnostic(&RULE, span, message).with_fixes(through_helper(cx, tool, other));
    diagnostics.push(diagnostic.with_related(
        place.file,
        cx.snapshot.files.span(place),
        "this one goes through the helper",
    ));
}

/// Returns the fix that registers a tool through the helper, as `other` is registered: the server becomes the first
/// argument, and the other arguments stay. `None` if the helper is called in another way.
fn through_helper(cx: &Cx<'_>, tool: &Tool, other: &Tool) -> Option<Fix> {
    let files = &cx.snapshot.files;
    let place = tool.local_place();
    let facts = files.facts(place.file)?;
    let item = facts.items.get(place.item as usize)?;
    let (direct, name_at) = call_with(&item.facts, place.span)?;
    let argument = &direct.args.get(name_at)?.value;
    let Expr::Member { object, .. } = &direct.callee else { return None };
    let Expr::Name { name: receiver, .. } = &**object else { return None };
    let model = other.local_place();
    let model_facts = files.facts(model.file)?;
    let (call, model_at) = call_with(&model_facts.items.get(model.item as usize)?.facts, model.span)?;
    let Expr::Name { name: helper, .. } = &call.callee else { return None };
    // The helper must take the server first, and then what the framework's method takes.
    let is_alike = name_at == 0 && model_at == 1 && call.args.len() == direct.args.len() + 1;
    let short = cx.policy.convention.own_part(&tool.name);
    let span = files.span(place);
    // `PREFIX + 'x'` becomes `'x'`, and `${PREFIX}x` in back quotes `x` in back quotes.
    let prefix = match argument {
        Expr::Text { .. } if span.len() == tool.name.len() => span.slice(0, tool.name.len() - short.len()),
        Expr::Concat { parts, span: whole } if parts.len() == 2 && short == tool.short_name() => {
            let whole = whole.shifted(item.start);
            let first = parts[0].span(&item.facts).shifted(item.start);
            let is_template = first.start > whole.start;
            let (from, to) = if is_template { (whole.start + 1, span.start) } else { (whole.start, span.start - 1) };
            Span { start: from, end: to }
        }
        _ => return None,
    };
    if !is_alike || !takes_all(cx, helper, direct) {
        return None;
    }
    let callee = direct.callee.span(&item.facts);
    let start = Span { start: direct.span.start, end: callee.end }.shifted(item.start);
    let first = direct.args.first()?.span.shifted(item.start);
    let mut edits = vec![
        Edit::new(start, helper.as_str()),
        Edit::new(Span { start: first.start, end: first.start }, format!("{receiver}, ")),
        Edit::new(prefix, ""),
    ];
    if !facts.top_level.contains_key(helper) {
        edits.push(import_as(cx, helper, model.file, place.file)?);
    }
    let edits = Edits::from([(place.file, edits)]);
    let fix = Fix::edits(format!("register it through `{helper}`"), edits).marked_unsafe();
    // With the helper, the result, the handler's further parameters or the tool's hints may change: a person must
    // check.
    let is_used = is_result_used(&item.facts, direct);
    let takes_more = direct.args.iter().any(|arg| takes_several(&item.facts, &arg.value));
    let hints =
        |tool: &Tool| tool.registration.annotations.iter().any(|(hint, value)| hint == "readOnlyHint" && *value);
    let says_more = hints(other) && !hints(tool) && tool.registration.annotations.is_empty();
    Some(if is_used || takes_more || says_more { fix.into_choice() } else { fix })
}

/// Whether a variable holds the result of a call, or a method of the result is called.
fn is_result_used(facts: &ItemFacts, call: &Call) -> bool {
    let is_it = |expr: &Expr| matches!(expr, Expr::Call(id) if std::ptr::eq(facts.call(*id), call));
    let bound = facts.scopes.iter().flat_map(|scope| &scope.bindings);
    bound.into_iter().any(|binding| matches!(&binding.value, Bound::Value(value) if is_it(value)))
        || facts.calls.iter().any(|other| matches!(&other.callee, Expr::Member { object, .. } if is_it(object)))
}

/// Whether a function literal has more than one parameter.
fn takes_several(facts: &ItemFacts, expr: &Expr) -> bool {
    let Expr::Function { scope, .. } = expr else { return false };
    matches!(&facts.scope(*scope).kind, ScopeKind::Function(function) if function.params.len() > 1)
}

/// Whether all options of a tool that is registered without the helper occur in calls of the helper: an option that no
/// call uses may be one that the helper does not accept.
fn takes_all(cx: &Cx<'_>, helper: &SmolStr, direct: &Call) -> bool {
    let files = &cx.snapshot.files;
    let mut known: Vec<&SmolStr> = Vec::new();
    for &file in files.files_calling(helper) {
        let items = files.facts(file).into_iter().flat_map(|facts| &facts.items);
        let calls = items.flat_map(|item| &item.facts.calls).filter(|call| call.callee.last_name() == Some(helper));
        known.extend(calls.flat_map(|call| &call.args).flat_map(|arg| keys(&arg.value)));
    }
    direct.args.iter().flat_map(|arg| keys(&arg.value)).all(|key| known.contains(&key))
}

/// Returns the keys of an object literal.
fn keys(expr: &Expr) -> impl Iterator<Item = &SmolStr> {
    let props = match expr {
        Expr::Object { props, .. } => props.as_slice(),
        _ => &[],
    };
    props.iter().filter_map(|prop| match prop {
        Prop::Pair { key: Expr::Text { text, .. }, .. } => Some(text),
        _ => None,
    })
}

/// Returns the call that has a literal as an argument or as a part of a concatenated argument, and the index of that
/// argument.
fn call_with(facts: &ItemFacts, literal: Span) -> Option<(&Call, usize)> {
    facts.calls.iter().find_map(|call| {
        let is_text = |value: &Expr| matches!(value, Expr::Text { span, .. } if *span == literal);
        let is_it = |arg: &Arg| match &arg.value {
            Expr::Concat { parts, .. } => parts.iter().any(is_text),
            value => is_text(value),
        };
        Some((call, call.args.iter().position(is_it)?))
    })
}

/// Returns the edit that imports a function in the same way as another file of the same folder. `None` if the other
/// file is in another folder or does not import the function by its own name.
fn import_as(cx: &Cx<'_>, name: &str, from: FileId, to: FileId) -> Option<Edit> {
    let files = &cx.snapshot.files;
    if crate::path::directory(files.path(from)) != crate::path::directory(files.path(to)) {
        return None;
    }
    let facts = files.facts(from)?;
    let &(item, index) = facts.top_level.get(name)?.first()?;
    let binding = facts.items.get(item as usize)?.facts.scopes[0].bindings.get(index as usize)?;
    let Bound::Import { module, name: Imported::Named(there) } = &binding.value else { return None };
    let line = match files.family(to)? {
        Family::TypeScript if there == name => format!("import {{ {name} }} from '{module}';\n"),
        Family::Python if there == name => format!("from {module} import {name}\n"),
        _ => return None,
    };
    // The new line goes before the last import.
    let is_import = |item: &&Item| {
        let bindings = &item.facts.scopes[0].bindings;
        bindings.iter().any(|binding| matches!(binding.value, Bound::Import { .. }))
    };
    let last = files.facts(to)?.items.iter().rfind(is_import)?;
    Some(Edit::new(Span { start: last.start, end: last.start }, line))
}

/// Whether a tool's name is written in the registration itself, and not in a call of a helper that registers the tool.
fn is_direct(tool: &Tool) -> bool {
    let (own, place) = (tool.local_place(), tool.registration.place);
    // A decorator precedes what it registers.
    let in_decorator = |naming: &Naming| (naming.at.file, naming.at.item) == (own.file, own.item);
    (own.file, own.item) == (place.file, place.item)
        && (place.span.contains(own.span) || tool.registration.naming.as_ref().is_some_and(in_decorator))
}
