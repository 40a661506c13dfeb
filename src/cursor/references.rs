//! Definitions of, and references to, the tools of a subject.

use super::subject::Subject;
use crate::rename::Target;
use crate::text::{FileId, Span};
use crate::verdict::{Permit, Permits};
use crate::workspace::Snapshot;

/// Returns the places where the tools under a cursor are registered. If the cursor is on a registration itself, returns
/// the places where permission strings name the tool.
pub(crate) fn definitions(snapshot: &Snapshot, subject: &Subject<'_>) -> Vec<(FileId, Span)> {
    let place = |target: &Target<'_>| {
        let place = target.tool.local_place();
        (place.file, snapshot.files.span(place))
    };
    match subject {
        Subject::Tool { target, .. } => Permits::all(snapshot)
            .naming(target.server.known_as(), &target.tool.name)
            .iter()
            .map(Permit::place)
            .collect(),
        Subject::Named { target, .. } => vec![place(target)],
        Subject::Permission { targets, .. } | Subject::Layer { tools: targets, .. } => {
            targets.iter().map(place).collect()
        }
        Subject::Key { key, .. } => {
            let analysis = snapshot.analysis();
            let servers = analysis.keys.get(key).into_iter().flat_map(|known| analysis.servers_of(known));
            servers.filter_map(|server| Some(place(&Target { server, tool: server.tools.first()? }))).collect()
        }
    }
}

/// Returns the places that name the tools under a cursor: registrations (if wanted), dispatch cases and permission
/// strings. Permission strings with wildcards are included only for a single tool. If the cursor is on a server's key,
/// returns every entry that starts the server or switches it on or off.
pub(crate) fn references(snapshot: &Snapshot, subject: &Subject<'_>, with_registrations: bool) -> Vec<(FileId, Span)> {
    let targets: &[Target<'_>] = match subject {
        Subject::Tool { target, .. } | Subject::Named { target, .. } => std::slice::from_ref(target),
        Subject::Permission { targets, .. } | Subject::Layer { tools: targets, .. } => targets,
        Subject::Key { key, .. } => {
            let known = snapshot.analysis().keys.get(key);
            let mut found = known.map(|known| known.entries.clone()).unwrap_or_default();
            for file in snapshot.files.all() {
                let switched = snapshot.client_facts(file.id).flat_map(|facts| &facts.keys);
                let switched = switched.filter(|switched| switched.key.text == *key);
                found.extend(switched.map(|switched| (file.id, switched.key.span)));
            }
            return found;
        }
    };
    let permits = Permits::all(snapshot);
    let permits = match targets {
        // For one tool, the wildcards that match it are included.
        [only] => permits.of(&only.server.keys, &only.tool.name),
        several => {
            several.iter().flat_map(|target| permits.naming(target.server.known_as(), &target.tool.name)).collect()
        }
    };
    let mut found: Vec<(FileId, Span)> = permits.iter().map(Permit::place).collect();
    found.extend(targets.iter().flat_map(|target| target.cases(snapshot)));
    if with_registrations {
        found.extend(targets.iter().map(|target| {
            let place = target.tool.local_place();
            (place.file, snapshot.files.span(place))
        }));
    }
    found.sort();
    found.dedup();
    found
}
