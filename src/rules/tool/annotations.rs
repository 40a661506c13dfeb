//! `tool-annotations`: a tool's hints contradict each other, the verb in the tool's name, or what its handler does.

use serde_json::{Value, json};

use super::keyword::Keywords;
use super::{Siblings, definition, entry, object_at, written};
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, Severity};
use crate::entry::{Entry, EntryPlace, Insertion, Syntax};
use crate::found::{HINTS, Place};
use crate::known::effects::{self, Change};
use crate::known::handlers::{Handlers, Validators};
use crate::lower::Expr;
use crate::name::Name;
use crate::rules::{Cx, Rule, Scope};
use crate::show::value;
use crate::workspace::{Server, Tool};

pub(crate) const RULE: Rule = Rule {
    id: "tool-annotations",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("annotations.md"),
};

/// The handlers of a file's tools.
pub(super) struct Hints<'a>(Handlers<'a>);

impl<'a> Hints<'a> {
    pub(super) fn new(cx: &Cx<'a>) -> Hints<'a> {
        Hints(Handlers::new(&cx.snapshot.files, Validators::default()))
    }

    /// Returns the first call in a tool's handler that changes something.
    fn changed(&self, cx: &Cx<'_>, server: &Server, tool: &Tool) -> Option<Change> {
        let own = server.dispatches.iter().filter(|dispatch| dispatch.text == tool.name);
        let dispatched: Vec<Place> = own.map(|dispatch| dispatch.place).collect();
        self.0.bodies(tool, &dispatched).iter().find_map(|body| effects::change(&cx.snapshot.files, body))
    }
}

pub(super) fn check(
    cx: &Cx<'_>,
    hints: &Hints<'_>,
    siblings: &Siblings<'_>,
    tool: &Tool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let annotations = &tool.registration.annotations;
    let is = |hint: &str| annotations.iter().any(|(name, value)| name == hint && *value);
    if !is("readOnlyHint") || cx.policy.allows(RULE.id, &tool.name) {
        return;
    }
    let span = cx.snapshot.files.span(tool.local_place());
    if is("destructiveHint") {
        let message = format!("`{}` is declared both read-only and destructive", tool.name);
        let either = [hinted(cx, tool, "readOnlyHint"), hinted(cx, tool, "destructiveHint")];
        let fixes = either.into_iter().flatten().map(Fix::into_choice);
        let mut diagnostic = cx.diagnostic(&RULE, span, message).with_fixes(fixes);
        diagnostic.severity = Severity::Error;
        return diagnostics.push(diagnostic);
    }
    let convention = &cx.policy.convention;
    let words = Name::new(convention.without_prefix(tool.short_name())).lower_words();
    let unasked = || siblings.unasked.get_or_init(|| unasked(cx, siblings.server, "readOnlyHint")).as_deref();
    let name = tool.short_name();
    let declared = format!("`{name}` is declared read-only, but its");
    let message = if let Some(verb) = convention.mutation(&words) {
        format!("{declared} name says that it can {verb}{}", unasked().unwrap_or_default())
    } else {
        // What is not in the team's convention is reported only where a client acts on the hint.
        let Some(unasked) = unasked() else { return };
        let verb = words.first().filter(|verb| effects::is_mutating(verb));
        match (verb, hints.changed(cx, siblings.server, tool)) {
            (_, Some(change)) => format!("{declared} handler calls `{}`{unasked}", value(&change.called)),
            (Some(verb), None) => format!("{declared} name says that it can {verb}{unasked}"),
            (None, None) => return,
        }
    };
    diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(hinted(cx, tool, "readOnlyHint")));
}

/// Returns the end of a message that names the clients which run a server's tools without asking because of a hint:
/// `; VS Code runs it without asking`. `None` if there are none.
fn unasked(cx: &Cx<'_>, server: &Server, hint: &str) -> Option<String> {
    let is_of = |key: &str| {
        let known = cx.analysis.keys.get(key);
        known.is_some_and(|known| cx.analysis.servers_of(known).any(|own| std::ptr::eq(own, server)))
    };
    let facts = cx.snapshot.files.all().flat_map(|file| file.client_facts());
    let clients = facts.flat_map(|facts| {
        let trusts = facts.trusts.iter().filter(|trust| trust.hint == hint && is_of(&trust.server));
        trusts.map(|trust| match &trust.setting {
            Some(setting) => format!("{} (`{}`)", facts.client.name, value(setting)),
            None => facts.client.name.to_string(),
        })
    });
    let mut clients: Vec<String> = clients.collect();
    clients.sort();
    clients.dedup();
    match clients.as_slice() {
        [] => None,
        [only] => Some(format!("; {only} runs it without asking")),
        all => Some(format!("; {} run it without asking", all.join(" and "))),
    }
}

/// Returns the fix that sets a hint to false: where the hint is given, or else in the tool's definition. `None` if
/// neither can be edited.
fn hinted(cx: &Cx<'_>, tool: &Tool, hint: &str) -> Option<Fix> {
    let title = format!("declare `{hint}` false");
    if tool.registration.naming.is_some() {
        let action = Keywords::of(cx, tool)?.hint([hint, in_rust(hint)], false)?;
        return Some(Fix { title, safe: false, preferred: true, action });
    }
    let place = tool.local_place();
    let item = cx.snapshot.files.facts(place.file)?.items.get(place.item as usize)?;
    let (file, object, syntax) = definition(cx, tool)?;
    let inside = object.relative_to(item.start);
    let props = object_at(&item.facts, inside)?;
    let Some(annotations) = entry(props, "annotations") else {
        return written(cx, tool, "annotations", json!({ hint: false }), title).map(Fix::marked_unsafe);
    };
    let Expr::Object { props, span } = annotations else { return None };
    let action = match entry(props, hint) {
        Some(value) => {
            let word = if syntax == Syntax::Python { "False" } else { "false" };
            return Some(Fix::replace(title, file, value.span(&item.facts).shifted(item.start), word).marked_unsafe());
        }
        None => Action::Write(
            vec![Insertion::Entry(Entry {
                file,
                object: span.shifted(item.start),
                place: EntryPlace::Last,
                key: Some(hint.into()),
                value: Value::Bool(false),
                syntax,
            })],
            Edits::new(),
        ),
    };
    Some(Fix { title, safe: false, preferred: true, action })
}

/// Returns the name that a hint has in Rust attributes.
fn in_rust(hint: &str) -> &str {
    HINTS.iter().find(|(own, _)| *own == hint).map_or(hint, |(_, in_rust)| in_rust)
}
