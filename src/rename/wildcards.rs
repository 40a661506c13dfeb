//! Wildcards of clients' forms where nobody reads them as a list: in scripts of a manifest, in variables of a shell, in settings
//! that code or a workflow holds as text. None of them is rewritten; one that stops matching may have been a guard, so it is told.

use super::{Plan, Target, read_file};
use crate::client::{Client, built_in, glob_matches};
use crate::path::{is_history, is_installed};
use crate::text::Span;
use crate::workspace::{LOCK_FILE, Snapshot, Surroundings};

/// How the forms begin that are looked for: no other text reads so by chance.
const BEGINNING: &str = "mcp__";

/// Tells of wildcards that match the old name and not the new one, where no list holds them.
pub(super) fn follow(snapshot: &Snapshot, target: Target<'_>, new: &str, around: &dyn Surroundings, plan: &mut Plan) {
    let keys = target.keys(snapshot);
    let known = &snapshot.analysis().keys;
    // Where nothing here starts it, whoever is started under a key that leads nowhere may be it.
    let may_mean = |server: &str, client: &Client| match keys.as_slice() {
        [] => !known.iter().any(|(key, known)| client.normalise(key) == server && !known.servers.is_empty()),
        keys => keys.iter().any(|key| client.normalise(key) == server),
    };
    let clients: Vec<_> = built_in().iter().filter(|client| client.composed("k", "t").starts_with(BEGINNING)).collect();
    for (path, text) in around.mentioning(&[BEGINNING.to_string()]) {
        if is_history(&path) || is_installed(&path) || path.ends_with(LOCK_FILE) {
            continue;
        }
        let file = read_file(snapshot, &path, &text);
        for (at, _) in text.match_indices(BEGINNING) {
            let is_inside = text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let rest = &text[at..];
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_-.*?".contains(c))).unwrap_or(rest.len());
            // The end of a sentence is none of it.
            let pattern = rest[..end].trim_end_matches(['.', '?']);
            let Some((server, _)) = pattern[BEGINNING.len()..].split_once("__").filter(|_| !is_inside) else {
                continue;
            };
            let is_it = clients.iter().any(|client| {
                let composed = |name: &str| format!("{BEGINNING}{server}__{}", client.normalise(name));
                let (old, new) = (composed(&target.tool.name), composed(new));
                may_mean(server, client) && glob_matches(pattern, &old) && !glob_matches(pattern, &new)
            });
            if !pattern.contains('*') || !is_it {
                continue;
            }
            let span = Span::new(at, at + pattern.len());
            let reason = format!("`{pattern}` does not match the new name");
            match file {
                Some(file) => {
                    let lists = snapshot.files.client_facts(file.id).flat_map(|facts| &facts.lists);
                    let mut read = lists.flat_map(|list| &list.entries);
                    let is_told = plan.skipped.iter().any(|told| told.file == file.id && told.span.overlaps(span));
                    if !is_told && !read.any(|entry| entry.text.span.overlaps(span)) {
                        plan.skip(file.id, span, reason);
                    }
                }
                None => plan.document(&path, &text).skipped.push((span, reason)),
            }
        }
    }
}
