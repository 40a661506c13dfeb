//! What else names a tool: permission strings, and the cases that its server dispatches by.

use super::{Plan, Refusal, Skipped, Target};
use crate::client::{self, ClientFacts, ListKind, Rule, glob_matches};
use crate::evaluate::World;
use crate::text::Edit;
use crate::workspace::{Content, Snapshot};

/// Adds the edits that make every mention follow.
pub(super) fn follow(snapshot: &Snapshot, target: Target<'_>, new: &str, plan: &mut Plan) {
    permissions(snapshot, target, new, plan);
    dispatch(snapshot, target, new, plan);
}

/// Every list of a client file, with the client and its file.
fn client_files(snapshot: &Snapshot) -> impl Iterator<Item = (&std::sync::Arc<crate::workspace::File>, &ClientFacts)> {
    snapshot.files.all().filter_map(|file| match &file.content {
        Content::Client(facts) => Some((file, facts.as_ref())),
        _ => None,
    })
}

fn permissions(snapshot: &Snapshot, target: Target<'_>, new: &str, plan: &mut Plan) {
    for (file, facts) in client_files(snapshot) {
        let client = &client::built_in()[facts.client];
        for entry in facts.lists.iter().flat_map(|list| &list.entries) {
            for key in &target.server.keys {
                let old = client.composed(key, &target.tool.name);
                if entry.text.text != old {
                    continue;
                }
                if !entry.text.verbatim {
                    plan.edits.entry(file.id).or_default().push(Edit::new(entry.text.span, client.composed(key, new)));
                    continue;
                }
                let prefix = client.server_prefix(key);
                let renamed = client.composed(key, new);
                // Only the tool's part changes.
                let edit = match renamed.strip_prefix(&prefix) {
                    Some(tool) => Edit::new(entry.text.span.slice(prefix.len(), old.len()), tool),
                    None => Edit::new(entry.text.span, renamed),
                };
                plan.edits.entry(file.id).or_default().push(edit);
            }
        }
    }
}

/// What a variable is called that holds the name of a tool to be called. A literal compared with anything else is
/// some other word that happens to be spelt like the tool.
const TOOL_SUBJECTS: [&str; 4] = ["name", "toolName", "tool_name", "tool"];

/// The literals and keys by which the server's own package finds what to run for a tool.
fn dispatch(snapshot: &Snapshot, target: Target<'_>, new: &str, plan: &mut Plan) {
    let tool = target.tool;
    let home = snapshot.files.package_root(tool.local_place().file);
    // A handler that is given by name knows the wire name; one that strips a prefix knows the short one.
    let parts = &tool.registration.name.parts;
    let before: usize = parts[..tool.local].iter().map(|part| part.text.len()).sum();
    let after: usize = parts[tool.local + 1..].iter().map(|part| part.text.len()).sum();
    let new_short = (parts.len() > 1 && new.len() > before + after).then(|| &new[before..new.len() - after]);
    let replacement = |text: &str| match text {
        text if text == tool.name => Some(new),
        text if text == tool.short_name() => new_short,
        _ => None,
    };
    // Where another server of the package has a tool of this name, only the registration's own file is sure.
    let elsewhere = snapshot.analysis().tools().any(|(server, other)| {
        other.name == tool.name
            && !std::ptr::eq(server, target.server)
            && snapshot.files.package_root(other.local_place().file) == home
    });
    for &file in snapshot.files.loaded_files() {
        if snapshot.files.package_root(file) != home {
            continue;
        }
        let sure = !elsewhere || file == tool.registration.place.file;
        let Some(facts) = snapshot.files.facts(file) else { continue };
        for item in &facts.items {
            for comparison in &item.facts.comparisons {
                let Some(new) = replacement(&comparison.text) else { continue };
                let span = comparison.span.shifted(item.start);
                let about_tools =
                    comparison.subject.as_ref().is_some_and(|subject| TOOL_SUBJECTS.contains(&subject.as_str()));
                let reason = match (about_tools, sure) {
                    (true, true) => {
                        plan.edits.entry(file).or_default().push(Edit::new(span, new));
                        continue;
                    }
                    (true, false) => "another server of this package has a tool of this name".to_string(),
                    (false, _) => "compared with something that is perhaps no tool's name".to_string(),
                };
                plan.skipped.push(Skipped { file, span, reason });
            }
            // A registration with its handler needs no other way to it.
            if !tool.registration.listed {
                continue;
            }
            for key in &item.facts.handler_keys {
                let Some(new) = replacement(&key.text) else { continue };
                let span = key.span.shifted(item.start);
                let is_identifier = new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                    && !new.starts_with(|c: char| c.is_ascii_digit());
                let text = if key.quoted || is_identifier { new.to_string() } else { format!("\"{new}\"") };
                match sure {
                    true => plan.edits.entry(file).or_default().push(Edit::new(span, text)),
                    false => plan.skipped.push(Skipped {
                        file,
                        span,
                        reason: "another server of this package has a tool of this name".into(),
                    }),
                }
            }
        }
    }
}

/// Refuses a name under which the tool would be guarded less than it is.
pub(super) fn check_permissions(snapshot: &Snapshot, target: Target<'_>, new: &str) -> Result<(), Refusal> {
    for (file, facts) in client_files(snapshot) {
        let client = &client::built_in()[facts.client];
        for list in &facts.lists {
            for entry in &list.entries {
                let text = entry.text.text.as_str();
                if !matches!(
                    client.parse(text, list.wildcards),
                    Rule::ToolPattern { .. } | Rule::Pattern | Rule::Tool { .. }
                ) {
                    continue;
                }
                for key in &target.server.keys {
                    let (old, new) = (client.composed(key, &target.tool.name), client.composed(key, new));
                    let (was, is) = (glob_matches(text, &old), glob_matches(text, &new));
                    let path = &file.path;
                    if list.kind == ListKind::Allow && is && !was {
                        return Err(Refusal(format!("`{text}` in {path} would allow it under the new name")));
                    }
                    // An exact entry follows the rename; a pattern cannot.
                    if list.kind != ListKind::Allow && was && !is && text.contains('*') {
                        let list = list.kind.as_str();
                        return Err(Refusal(format!(
                            "`{text}` ({list} in {path}) guards it, and would not under the new name"
                        )));
                    }
                }
            }
        }
    }
    Ok(())
}
