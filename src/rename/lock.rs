//! The lock files of published names: after a rename, an entry maps the old name to the new one.

use super::{Alias, Group, Plan, Target, Texts};
use crate::text::{Edit, Span, line_break};
use crate::workspace::{Renamed, Snapshot};

/// Adds the edits for each lock that has the tool's name: the name is replaced, and an entry for the rename is added,
/// or the entry of the opposite rename is deleted.
pub(super) fn follow(
    snapshot: &Snapshot,
    target: Target<'_>,
    (new, alias): (&str, Option<&Alias>),
    texts: Texts<'_>,
    plan: &mut Plan,
) {
    let old = target.tool.name.as_str();
    for (file, lock) in snapshot.files.locks() {
        let servers = target.servers(snapshot);
        let goes_by = |name: &str| servers.iter().any(|server| server.goes_by(name));
        let is_its = |server: &Option<String>| server.as_deref().is_none_or(goes_by);
        let Some(locked) = lock.tools.iter().find(|locked| locked.name == old && is_its(&locked.server)) else {
            continue;
        };
        let Some(text) = texts(file) else { continue };
        plan.push(Group::Source, file, Edit::new(locked.span, quoted(new)));
        // If the rename undoes an earlier one, the earlier entry is removed and no new entry is added.
        let is_inverse = |one: &&Renamed| one.old == new && one.new == old && is_its(&one.server);
        if let Some(inverse) = lock.renamed.iter().find(is_inverse) {
            plan.push(Group::Source, file, Edit::new(entry_around(&text, inverse.span), ""));
            continue;
        }
        let mut entry = String::from("[[renamed]]\n");
        let mode = plan.alias.map_or("none", |mode| mode.as_str());
        let server = locked.server.as_ref().map(|server| ("server", server.as_str()));
        let until = alias.and_then(|alias| alias.until.as_deref()).map(|until| ("until", until));
        for (key, value) in server.into_iter().chain([("old", old), ("new", new), ("mode", mode)]).chain(until) {
            entry.push_str(&format!("{key} = {}\n", quoted(value)));
        }
        let line_break = line_break(&text);
        let gap = if text.ends_with('\n') { line_break } else { &line_break.repeat(2) };
        let entry = format!("{gap}{}", entry.replace('\n', line_break));
        plan.push(Group::Source, file, Edit::new(Span::at(text.len()), entry));
    }
}

/// Returns the span of a lock's entry with its header, and with the blank line before it if it is the last entry.
fn entry_around(text: &str, span: Span) -> Span {
    let line = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
    let mut start = line(span.start as usize);
    while start > 0 && !text[start..].starts_with('[') {
        start = line(start - 1);
    }
    let after = text[start..].find("\n[").map(|end| start + end + 1);
    if after.is_none() {
        let before = text[..start].strip_suffix('\n').map(|rest| rest.strip_suffix('\r').unwrap_or(rest));
        start = before.filter(|before| before.is_empty() || before.ends_with('\n')).map_or(start, str::len);
    }
    Span::new(start, after.unwrap_or(text.len()))
}

/// Returns a string as a TOML literal.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_string()).to_string()
}
