//! `tool-title`: a tool has no human-readable title, although the convention requires one.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::written;
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, Severity};
use crate::entry::{Entry, EntryPlace, Insertion};
use crate::evaluate::World;
use crate::name::Name;
use crate::rules::{Cx, Rule, Scope, documents};
use crate::workspace::Tool;

pub(crate) const RULE: Rule =
    Rule { id: "tool-title", default: Severity::Warning, scope: Scope::File, docs: include_str!("title.md") };

/// The titles that documents give to tools, computed when they are first needed.
pub(super) type Titles = OnceCell<FxHashMap<*const Tool, String>>;

pub(super) fn check(cx: &Cx<'_>, titles: &Titles, tool: &Tool, diagnostics: &mut Vec<Diagnostic>) {
    let convention = &cx.policy.convention;
    if !convention.titles || !tool.registration.untitled || cx.policy.allows(RULE.id, &tool.name) {
        return;
    }
    // A title in a document is preferred to one made from the name.
    let documented = titles.get_or_init(|| documents::titles_of_tools(cx)).get(&std::ptr::from_ref(tool)).cloned();
    let title = documented.unwrap_or_else(|| title_of(convention.without_prefix(tool.short_name())));
    let span = cx.snapshot.files.span(tool.local_place());
    let fix = titled(cx, tool, &title);
    let message = format!("`{}` has no human-readable title", tool.short_name());
    diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(fix));
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
