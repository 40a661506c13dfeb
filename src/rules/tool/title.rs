//! `tool-title`: a tool has no human-readable title, although the convention requires one, or the title of another tool.

use std::cell::OnceCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::written;
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, Severity};
use crate::entry::{Entry, EntryPlace, Insertion};
use crate::found::Place;
use crate::name::Name;
use crate::rules::{Cx, Rule, Scope, documents};
use crate::workspace::{Server, Tool};

pub(crate) const RULE: Rule =
    Rule { id: "tool-title", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("title.md") };

/// The titles that documents give to tools, computed when they are first needed.
pub(super) type Titles = OnceCell<FxHashMap<*const Tool, String>>;

/// Checks the title of a tool. A title that a helper drops is reported by [`dropped`].
pub(super) fn check(cx: &Cx<'_>, titles: &Titles, (server, tool): (&Server, &Tool), diagnostics: &mut Vec<Diagnostic>) {
    let convention = &cx.policy.convention;
    if !convention.titles || cx.policy.allows(RULE.id, &tool.name) {
        return;
    }
    let short = tool.short_name();
    // A title in a document is preferred to one made from the name.
    let proposed = || {
        let documented = titles.get_or_init(|| documents::titles_of_tools(cx)).get(&std::ptr::from_ref(tool)).cloned();
        documented.unwrap_or_else(|| title_of(convention.without_prefix(short)))
    };
    if tool.registration.untitled {
        if shared_object(cx, tool).is_none() {
            let span = cx.snapshot.files.span(tool.local_place());
            let message = format!("`{short}` has no human-readable title");
            diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(titled(cx, tool, &proposed())));
        }
        return;
    }
    let Some(title) = tool.registration.title.as_ref().filter(|title| title.unknown().is_none()) else { return };
    let text = title.text();
    let (message, severity) = if text.trim().is_empty() {
        (format!("the title of `{short}` is blank"), RULE.default)
    } else if text == tool.name || text == short {
        (format!("the title of `{short}` is only its name"), Severity::Hint)
    } else if let Some(other) = namesake(cx, server, tool, &text) {
        (format!("`{other}` has the same title, “{text}”"), Severity::Hint)
    } else {
        return;
    };
    let literal = match title.parts.as_slice() {
        [part] => part.place().filter(|place| place.file == cx.file.id),
        _ => None,
    };
    let span = cx.snapshot.files.span(literal.unwrap_or(tool.local_place()));
    let right = title_of(convention.without_prefix(short));
    // A literal that several tools share is not replaced with the title of one.
    let is_own = |place: &Place| !is_shared_literal(cx, tool, *place);
    let fix = literal.filter(is_own).filter(|_| right != text).map(|_| {
        let fix = Fix::replace(format!("change to “{right}”"), cx.file.id, span, right);
        if severity == Severity::Hint { fix.marked_unsafe() } else { fix }
    });
    let mut diagnostic = cx.diagnostic(&RULE, span, message);
    diagnostic.severity = severity;
    diagnostics.push(diagnostic.with_fixes(fix));
}

/// Another tool of the server, registered before this one, that has the same title. An alias may have it too.
fn namesake<'a>(cx: &Cx<'_>, server: &'a Server, tool: &Tool, title: &str) -> Option<&'a str> {
    let is_it = |other: &&Tool| {
        let titled = other.registration.title.as_ref().filter(|title| title.unknown().is_none());
        other.name != tool.name && titled.is_some_and(|other| other.is(title))
    };
    let files = &cx.snapshot.files;
    let mut before = server.tools.iter().take_while(|other| !std::ptr::eq(*other, tool)).filter(is_it);
    before.find(|other| files.alias_of(tool).is_none() && files.alias_of(other).is_none()).map(|it| it.name.as_str())
}

/// Whether other tools take their titles from the literal at a place.
fn is_shared_literal(cx: &Cx<'_>, tool: &Tool, place: Place) -> bool {
    cx.analysis.tools().any(|(_, other)| {
        let title = other.registration.title.as_ref();
        other.name != tool.name && title.is_some_and(|title| title.parts.iter().any(|part| part.place() == Some(place)))
    })
}

/// The object in which the title of a tool is missing, if the definitions of other tools go through it as well.
fn shared_object(cx: &Cx<'_>, tool: &Tool) -> Option<Place> {
    let object = tool.registration.title_place.as_ref().filter(|lack| !lack.handed_on)?.object;
    Helpers::of(cx).0.contains_key(&object).then_some(object)
}

/// The objects that a helper passes to the registration of several tools, without a title, and those tools.
struct Helpers(FxHashMap<Place, Vec<String>>);

impl Helpers {
    fn of(cx: &Cx<'_>) -> Arc<Helpers> {
        cx.analysis.memo.get("helpers that drop titles".to_string(), || {
            let mut all: FxHashMap<Place, Vec<String>> = FxHashMap::default();
            for (_, tool) in cx.analysis.tools() {
                if let Some(lack) = tool.registration.title_place.as_ref().filter(|lack| !lack.handed_on) {
                    all.entry(lack.object).or_default().push(tool.name.clone());
                }
            }
            all.retain(|_, tools| tools.len() > 1);
            Helpers(all)
        })
    }
}

/// Reports the helpers of a file that register several tools and pass no title on.
pub(super) fn dropped(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if !cx.policy.convention.titles {
        return;
    }
    let helpers = Helpers::of(cx);
    let mut here: Vec<_> = helpers.0.iter().filter(|(object, _)| object.file == cx.file.id).collect();
    here.sort_by_key(|(object, _)| cx.snapshot.files.span(**object));
    for (object, tools) in here {
        let first = &tools[0];
        let message = format!(
            "no title is passed to the registration of {} tools, `{first}` among them: pass on the title of each call",
            tools.len()
        );
        diagnostics.push(cx.diagnostic(&RULE, cx.snapshot.files.span(*object), message));
    }
}

/// Returns the fix that writes a title where the framework looks for it; `None` if there is no such place.
fn titled(cx: &Cx<'_>, tool: &Tool, title: &str) -> Option<Fix> {
    let said = format!("add the title “{title}”");
    let title = Value::String(title.to_string());
    if tool.registration.naming.is_some()
        && let Some(fix) = written(cx, tool, "title", title.clone(), said.clone())
    {
        return Some(fix);
    }
    match &tool.registration.title_place {
        Some(lack) if !lack.handed_on => {
            let [key, rest @ ..] = lack.path.as_slice() else { return None };
            let value = rest.iter().rev().fold(title, nested);
            let file = lack.object.file;
            let syntax = cx.snapshot.files.family(file)?.objects();
            let object = cx.snapshot.files.span(lack.object);
            let entry = Entry { file, object, place: EntryPlace::First, key: Some(key.clone()), value, syntax };
            let action = Action::Write(vec![Insertion::Entry(entry)], Edits::new());
            Some(Fix { title: said, safe: true, preferred: true, action })
        }
        // If a helper passes the title on, write it in the call of the helper.
        Some(lack) => written(cx, tool, &lack.path[0], lack.path[1..].iter().rev().fold(title, nested), said),
        None => None,
    }
}

fn nested(value: Value, key: &smol_str::SmolStr) -> Value {
    json!({ key.as_str(): value })
}

/// Turns a name into a title: `list_projects` becomes “List projects”.
fn title_of(name: &str) -> String {
    let words = Name::new(name).lower_words().join(" ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
