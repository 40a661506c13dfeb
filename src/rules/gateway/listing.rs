//! `list-prefix`: a gateway lists its tools without the prefix with which they are called.

use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::found::{Origin, Place};
use crate::known::gateway::{Definition, Layers};
use crate::lower::{Bound, Expr, ItemFacts, Key, Prop, ScopeKind};
use crate::rules::{Cx, Rule, Scope};
use crate::syntax::Family;
use crate::text::{Edit, Span};

pub(crate) const RULE: Rule =
    Rule { id: "list-prefix", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("listing.md") };

pub(super) fn check(cx: &Cx<'_>, layers: &Layers<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if !layers.gateway.prefixed {
        return;
    }
    let mut seen: Vec<Place> = Vec::new();
    for Definition { tool, name, .. } in &layers.tools {
        let here = tool.registration.listing.filter(|place| place.file == cx.file.id);
        let is_bare = !has_prefix_once(layers, &tool.name);
        let Some(listing) = here.filter(|place| is_bare && !seen.contains(place)) else { continue };
        seen.push(listing);
        if cx.policy.allows(RULE.id, name) {
            continue;
        }
        if let Some((span, written)) = wrong_prefix(cx, layers, listing) {
            let prefix = layers.gateway.prefix();
            let message =
                format!("tools are listed as `{written}{name}`, but must be called as `{}`", layers.full(name));
            let edits = Edits::from([(cx.file.id, vec![Edit::new(span, prefix.as_str())])]);
            let fix = Fix::edits(format!("replace `{written}` with `{prefix}`"), edits).marked_unsafe();
            diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(Some(fix)));
            continue;
        }
        let answer = answer(cx, listing);
        let all_bare = layers.tools.iter().filter(|other| other.tool.registration.listing == Some(listing));
        let all_bare = all_bare.into_iter().all(|other| !other.tool.name.starts_with(&layers.gateway.prefix()));
        // If something else is put in front of the names already, adding the prefix does not help.
        let is_plain = tool.name == *name;
        let fix = answer.as_ref().filter(|_| all_bare && is_plain).and_then(|answer| mapping(cx, layers, answer));
        let span = answer.map_or_else(|| cx.snapshot.files.span(listing), |answer| answer.span);
        let message = format!("tools are listed as `{}`, but must be called as `{}`", tool.name, layers.full(name));
        diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(fix));
    }
}

/// Whether a listed name has the gateway's prefix, and nothing of it a second time.
fn has_prefix_once(layers: &Layers<'_>, listed: &str) -> bool {
    let prefix = layers.gateway.prefix();
    listed.strip_prefix(&prefix).is_some_and(|rest| !rest.starts_with("mcp__"))
}

/// Returns the place and the text of a literal that the listing puts in front of the names of all of its tools, and that
/// is not the prefix; `None` if there is none.
fn wrong_prefix(cx: &Cx<'_>, layers: &Layers<'_>, listing: Place) -> Option<(Span, String)> {
    let of_listing = layers.tools.iter().filter(|other| other.tool.registration.listing == Some(listing));
    let mut first: Option<(Place, &str)> = None;
    for Definition { tool, name, .. } in of_listing {
        let [lead, _, ..] = tool.registration.name.parts.as_slice() else { return None };
        let Origin::Literal(place) = lead.origin else { return None };
        let is_lead = tool.name.strip_suffix(name) == Some(lead.text.as_str());
        let is_same = first.is_none_or(|known| known == (place, lead.text.as_str()));
        if !is_lead || !is_same || place.file != cx.file.id {
            return None;
        }
        first = Some((place, &lead.text));
    }
    let (place, text) = first?;
    Some((cx.snapshot.files.span(place), text.to_string()))
}

/// The expression for the list of tools that a handler returns.
struct Answer {
    span: Span,
    /// Whether the list is returned in a shorthand property, `{ tools }`.
    is_shorthand: bool,
    /// Whether a method call or a loop can be put around the expression as it is, without parentheses or `await`.
    is_closed: bool,
}

fn answer<'f>(cx: &'f Cx<'_>, listing: Place) -> Option<Answer> {
    let item = cx.snapshot.files.facts(listing.file)?.items.get(listing.item as usize)?;
    let facts: &'f ItemFacts = &item.facts;
    let is_inside = |scope: usize| match &facts.scopes[scope].kind {
        ScopeKind::Function(function) => listing.span.contains(function.span),
        _ => false,
    };
    // The listing contains the handler, or names a function that is defined elsewhere in the item.
    let named = || {
        let call = facts.calls.iter().find(|call| call.span == listing.span)?;
        let name = call.args.last()?.value.last_name()?;
        let definition = facts.definitions.iter().find(|definition| definition.name == *name)?;
        Some(definition.body.0 as usize)
    };
    let function = (0..facts.scopes.len()).find(|&scope| is_inside(scope)).or_else(named)?;
    // `return response`
    let bound = |value: &'f Expr| {
        let Expr::Name { name, .. } = value else { return value };
        let mut bindings = facts.scopes.iter().flat_map(|scope| &scope.bindings);
        match bindings.find(|binding| binding.name == *name).map(|binding| &binding.value) {
            Some(Bound::Value(object @ Expr::Object { .. })) => object,
            _ => value,
        }
    };
    let listed = |value: &'f Expr| match bound(value) {
        Expr::Object { props, .. } => props.iter().find_map(|prop| match prop {
            Prop::Pair { key: Expr::Text { text, span }, value } if text == "tools" => {
                Some((value, *span == value.span(facts)))
            }
            _ => None,
        }),
        value => Some((value, false)),
    };
    // A handler may return an empty list on errors.
    let is_empty = |value: &Expr| matches!(value, Expr::Array { elements, .. } if elements.is_empty());
    let returns = facts.scopes[function].returns.iter().filter_map(|returned| listed(&returned.value));
    let (value, is_shorthand) = returns.into_iter().find(|(value, _)| !is_empty(value))?;
    let is_closed = match value {
        Expr::Name { .. } | Expr::Member { .. } | Expr::Array { .. } | Expr::Each { .. } => true,
        // An array method, as in `all.filter(…)`. The result of any other call may be a promise.
        Expr::Call(id) => {
            let methods = ["filter", "map", "slice", "concat", "sort", "flat", "flatMap"];
            matches!(&facts.call(*id).callee, Expr::Member { key: Key::Field(method), .. } if methods.contains(&method.as_str()))
        }
        _ => false,
    };
    Some(Answer { span: value.span(facts).shifted(item.start), is_shorthand, is_closed })
}

/// Returns the fix that adds the prefix to each name in the returned list; `None` if the list cannot be edited in this
/// way.
fn mapping(cx: &Cx<'_>, layers: &Layers<'_>, answer: &Answer) -> Option<Fix> {
    let prefix = layers.gateway.prefix();
    let insert = |at: u32, text: String| Edit::new(Span { start: at, end: at }, text);
    let Span { start, end } = answer.span;
    let edits = match cx.snapshot.files.family(cx.file.id)? {
        _ if !answer.is_closed => return None,
        Family::TypeScript => {
            let mapped = format!(".map((tool) => ({{ ...tool, name: `{prefix}${{tool.name}}` }}))");
            match answer.is_shorthand {
                true => vec![insert(end, format!(": tools{mapped}"))],
                false => vec![insert(end, mapped)],
            }
        }
        Family::Python => {
            let copied = format!("[tool.model_copy(update={{\"name\": f\"{prefix}{{tool.name}}\"}}) for tool in ");
            vec![insert(start, copied), insert(end, "]".to_string())]
        }
        Family::Rust => return None,
    };
    let fix = Fix::edits(format!("put `{prefix}` in front of each name"), Edits::from([(cx.file.id, edits)]));
    Some(fix.marked_unsafe())
}
