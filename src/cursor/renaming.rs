//! Renaming the tool under a cursor.

use super::subject::{Subject, subject};
use crate::client::Rule;
use crate::rename::{self, Alias, Outdated, Plan, Refusal, Sources, Target, To};
use crate::text::{FileId, Span};
use crate::workspace::Snapshot;

/// Returns what a rename at this byte offset would change: the span of the name there, the name that is shown for
/// editing, and the tool. `None` if the offset is not in a name that can be changed. `text` is the text of the file, in
/// which a mention of a tool is looked for, too.
pub fn prepare_rename<'a>(
    snapshot: &'a Snapshot,
    file: FileId,
    offset: u32,
    text: &str,
) -> Option<(Span, &'a str, Target<'a>)> {
    let spoken_of = || {
        let (span, target) = rename::spoken_of(snapshot, snapshot.files.path(file), text, offset)?;
        Some((span, target.tool.name.as_str(), target))
    };
    match subject(snapshot, file, offset) {
        // A hook's matcher may contain several names; only the name under the cursor is renamed.
        Some(Subject::Permission { targets, list, entry })
            if targets.is_empty() || list.expression(&entry.text.text).is_some() =>
        {
            spoken_of()
        }
        Some(subject) => renamed_at(snapshot, file, subject),
        None => locked(snapshot, file, offset).or_else(spoken_of),
    }
}

/// Returns the tool that a lock file names at a byte offset, with the span and text of the name there. `None` if the
/// file is not a lock file, or names no tool there.
fn locked(snapshot: &Snapshot, file: FileId, offset: u32) -> Option<(Span, &str, Target<'_>)> {
    let (_, lock) = snapshot.files.locks().find(|(lock, _)| *lock == file)?;
    let locked = lock.tools.iter().find(|tool| tool.span.touches(offset))?;
    let is_it = |target: &Target<'_>| {
        let of_server = locked.server.as_deref().is_none_or(|name| target.server.goes_by(name));
        of_server && target.tool.name == locked.name
    };
    let tools = snapshot.analysis().tools().map(|(server, tool)| Target { server, tool }).filter(is_it);
    let target = rename::only(&tools.collect::<Vec<_>>())?;
    let quote = locked.span.len().checked_sub(locked.name.len())? / 2;
    Some((locked.span.slice(quote, quote + locked.name.len()), target.tool.name.as_str(), target))
}

/// Returns what a rename of a subject would change, in the form of [`prepare_rename`].
fn renamed_at<'a>(snapshot: &'a Snapshot, file: FileId, subject: Subject<'a>) -> Option<(Span, &'a str, Target<'a>)> {
    match subject {
        Subject::Tool { target, span } => {
            let place = target.tool.local_place();
            // A part that several tools share is not the name of one tool.
            let own = place.file == file && snapshot.files.span(place) == span;
            own.then(|| (span, target.tool.short_name(), target))
        }
        Subject::Named { target, span } => {
            let (whole, short) = (target.tool.name.as_str(), target.tool.short_name());
            let shown = if span.len() == whole.len() { whole } else { short };
            Some((span, shown, target))
        }
        // In a list of bare names, callers use the name that the server gives the tool.
        Subject::Permission { list, entry, targets } if list.is_bare() => {
            let target = rename::only(&targets).filter(|_| entry.text.verbatim)?;
            Some((entry.text.span, target.tool.name.as_str(), target))
        }
        Subject::Permission { list, entry, targets } => {
            let spelt = list.grammar.spell_all(snapshot.analysis().keys.keys());
            let Rule::Tool { server, tool } = list.parse(&entry.text.text, &spelt) else {
                return None;
            };
            let target = rename::only(&targets)?;
            let start = list.grammar.server_prefix(server).len();
            let span = entry.text.span.slice(start, start + tool.len());
            entry.text.verbatim.then_some((span, target.tool.name.as_str(), target))
        }
        Subject::Key { .. } | Subject::Layer { .. } => None,
    }
}

/// Renames the tool under a cursor. `new` replaces the text that [`prepare_rename`] returned. With `keeps_old`, the old
/// name is kept as an alias if the config asks for one and it is possible.
///
/// # Errors
/// Returns the reason why the tool cannot be renamed in this way.
pub fn rename(
    snapshot: &Snapshot,
    file: FileId,
    offset: u32,
    new: &str,
    keeps_old: bool,
    sources: Sources<'_>,
) -> Result<Plan, Refusal> {
    let (_, shown, target) = prepare_rename(snapshot, file, offset, &(sources.texts)(file).unwrap_or_default())
        .ok_or(Refusal::Outdated(Outdated::Cursor))?;
    let wire = rename::wire_name(snapshot.files.known_clients(), target, shown, shown, new);
    // If the new name is that of an alias of the tool, the alias is removed.
    if let Some(request) = rename::alias_of(snapshot, target, &wire, sources.texts) {
        return rename::back(snapshot, target, &request, To::new(&wire, None), sources).map(|(plan, _)| plan);
    }
    let alias = Alias::configured(snapshot, target).filter(|_| keeps_old).map(|alias| Alias { can_go: true, ..alias });
    rename::rename(snapshot, target, To::new(&wire, alias.as_ref()), sources)
}
