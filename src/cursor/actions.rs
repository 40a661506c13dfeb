//! Actions that are offered although nothing is wrong: on a tool's name, allow the tool in a client's file; on a
//! permission string, list the tools that it matches, or make it match every tool of the server; on an alias, remove
//! it.

use super::{Subject, subject};
use crate::client::{Entry, List, ListKind, Order, Wildcards};
use crate::diagnostic::{Action, AliasRequest, Edits, Fix};
use crate::entry::{self, EntryPlace, Insertion, Syntax};
use crate::rename::Target;
use crate::text::FileId;
use crate::verdict::Permits;
use crate::workspace::Snapshot;

/// The maximum number of tools that replace a wildcard; a longer list is unreadable.
const MAX_WRITTEN_OUT: usize = 50;

/// Returns the actions that are offered at a byte offset of a file.
pub fn actions(snapshot: &Snapshot, file: FileId, offset: u32) -> Vec<Fix> {
    let mut fixes = match subject(snapshot, file, offset) {
        Some(Subject::Tool { target, .. }) => allowing(snapshot, target),
        Some(Subject::Permission { list, entry, targets }) => rewriting(file, list, entry, &targets),
        _ => Vec::new(),
    };
    fixes.extend(ending(snapshot, file, offset));
    fixes
}

/// Offers to remove the alias on the line of an offset or on the next line; `None` if there is none.
fn ending(snapshot: &Snapshot, file: FileId, offset: u32) -> Option<Fix> {
    let notes = snapshot.files.alias_notes(file);
    let line = snapshot.files.get(file)?.lines.line_of(offset);
    let note = notes.iter().find(|note| [line, line + 1].contains(&note.line))?;
    Some(Fix {
        title: format!("remove this alias of `{}`", note.new),
        safe: false,
        preferred: false,
        action: Action::RemoveAlias(AliasRequest { file, offset: note.span.start }),
    })
}

/// Offers, for each client file, to add a tool to the first allow list that can name the tool's server, unless an entry
/// of the same client in that file already matches the tool.
fn allowing(snapshot: &Snapshot, target: Target<'_>) -> Vec<Fix> {
    let permits = Permits::new(snapshot).of(target.server.known_as(), &target.tool.name);
    let mut fixes = Vec::new();
    for file in snapshot.files.all() {
        let lists = file.client_facts().flat_map(|facts| facts.lists.iter().map(move |list| (facts, list)));
        for (facts, list) in lists.filter(|(_, list)| list.kind == ListKind::Allow) {
            let is_covered = permits.iter().any(|permit| permit.file == file.id && permit.list.client == list.client);
            let key = target.server.keys.iter().find(|key| list.is_about(key));
            let (Some(key), false) = (key, is_covered) else { continue };
            let name = list.grammar.composed(key, &target.tool.name);
            let Some(written) = list.entry_for(&name).filter(|_| is_brackets(&file.path)) else { continue };
            let insertion = Insertion::Entry(entry::Entry {
                file: file.id,
                object: list.span,
                // If the first matching entry decides, a new last entry may never take effect.
                place: if facts.order == Order::First { EntryPlace::First } else { EntryPlace::Last },
                key: written.0,
                value: written.1,
                syntax: Syntax::Json,
            });
            fixes.push(Fix {
                title: format!("allow `{name}` in {}", file.path),
                safe: false,
                preferred: false,
                action: Action::Write(vec![insertion], Edits::new()),
            });
            break;
        }
    }
    fixes
}

/// Whether lists in a file with this path are written in brackets.
fn is_brackets(path: &str) -> bool {
    [".json", ".jsonc", ".toml"].iter().any(|end| path.ends_with(end))
}

/// Offers to replace an entry with others that match the same tools, or more.
fn rewriting(file: FileId, list: &List, entry: &Entry, targets: &[Target<'_>]) -> Vec<Fix> {
    let mut fixes = Vec::new();
    let replaced = |title: String, names: &[String]| {
        let edit = list.replaced(entry, names)?;
        let edits = Edits::from([(file, vec![edit])]);
        Some(Fix { title, safe: false, preferred: false, action: Action::Edit(edits) })
    };
    let composed = |target: &Target<'_>| -> Option<String> {
        let key = target.server.known_as().find(|key| list.is_about(key))?;
        Some(list.grammar.composed(key, &target.tool.name))
    };
    let is_wide = targets.iter().any(|target| composed(target).is_some_and(|name| name != entry.text.text));
    if is_wide && targets.len() <= MAX_WRITTEN_OUT && list.is_plain() {
        let mut names: Vec<String> = targets.iter().filter_map(composed).collect();
        names.sort();
        names.dedup();
        let count = if names.len() == 1 { "1 tool".to_string() } else { format!("{} tools", names.len()) };
        fixes.extend(replaced(format!("list the {count} that `{}` matches", entry.text.text), &names));
    }
    if let ([only], false, true) = (targets, is_wide, list.wildcards != Wildcards::None) {
        let key = only.server.known_as().find(|key| list.is_about(key));
        let whole = key.map(|key| list.grammar.whole_server(key));
        let there = |whole: &String| list.entries.iter().any(|other| other.text.text == *whole);
        if let Some(whole) = whole.filter(|whole| !there(whole)) {
            fixes.extend(replaced(format!("match every tool of the server: `{whole}`"), std::slice::from_ref(&whole)));
        }
    }
    fixes
}
