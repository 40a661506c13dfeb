//! What else names a tool: permission strings, and the cases that its server dispatches by.

use rustc_hash::FxHashSet;

use super::{Plan, Refusal, Skipped, Target, Texts};
use crate::client::{ClientFacts, ListKind, Rule, glob_matches};
use crate::evaluate::World;
use crate::lower::Expr;
use crate::lower::SUBJECTS;
use crate::name::Name;
use crate::text::Edit;
use crate::workspace::Snapshot;

/// Adds the edits that make every mention follow.
pub(super) fn follow(snapshot: &Snapshot, target: Target<'_>, new: &str, texts: Texts<'_>, plan: &mut Plan) {
    permissions(snapshot, target, new, plan);
    dispatch(snapshot, target, new, texts, plan);
}

/// Every list of a client file, with the client and its file.
fn client_files(snapshot: &Snapshot) -> impl Iterator<Item = (&std::sync::Arc<crate::workspace::File>, &ClientFacts)> {
    snapshot.files.all().filter_map(|file| Some((file, snapshot.files.client_facts(file.id)?.as_ref())))
}

fn permissions(snapshot: &Snapshot, target: Target<'_>, new: &str, plan: &mut Plan) {
    for (file, facts) in client_files(snapshot) {
        for (list, entry) in facts.lists.iter().flat_map(|list| list.entries.iter().map(move |entry| (list, entry))) {
            let grammar = list.grammar;
            for key in target.server.keys.iter().filter(|key| list.is_about(key)) {
                let old = grammar.composed(key, &target.tool.name);
                if entry.text.text != old {
                    let text = entry.text.text.as_str();
                    let is_pattern =
                        matches!(list.parse(text, &[grammar.normalise(key)]), Rule::ToolPattern { .. } | Rule::Pattern);
                    if is_pattern && glob_matches(text, &old) && !glob_matches(text, &grammar.composed(key, new)) {
                        let reason = format!("`{text}` does not match the new name");
                        plan.skipped.push(Skipped { file: file.id, span: entry.text.span, reason });
                    }
                    continue;
                }
                if !entry.text.verbatim {
                    plan.edits.entry(file.id).or_default().push(Edit::new(entry.text.span, grammar.composed(key, new)));
                    continue;
                }
                let prefix = grammar.server_prefix(key);
                let renamed = grammar.composed(key, new);
                // Only the tool's part changes.
                let tool = renamed.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(&*grammar.tool.suffix));
                let edit = match tool {
                    Some(tool) => {
                        let end = old.len() - grammar.tool.suffix.len();
                        Edit::new(entry.text.span.slice(prefix.len(), end), tool)
                    }
                    None => Edit::new(entry.text.span, renamed),
                };
                plan.edits.entry(file.id).or_default().push(edit);
            }
        }
    }
}

/// The literals and keys by which the tool's server finds what to run for it.
fn dispatch(snapshot: &Snapshot, target: Target<'_>, new: &str, texts: Texts<'_>, plan: &mut Plan) {
    let tool = target.tool;
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
    let mut followed = FxHashSet::default();
    for dispatch in &target.server.dispatches {
        let Some(new) = replacement(&dispatch.text) else { continue };
        let span = snapshot.files.span(dispatch.place);
        let file = dispatch.place.file;
        let before = span.start.checked_sub(1).and_then(|at| Some(*texts(file)?.as_bytes().get(at as usize)?));
        let is_quoted = before.is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`'));
        let is_identifier = new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !new.starts_with(|c: char| c.is_ascii_digit());
        let text = if is_quoted || is_identifier { new.to_string() } else { format!("\"{new}\"") };
        followed.insert((file, span));
        plan.edits.entry(file).or_default().push(Edit::new(span, text));
    }
    // A registration with its handler needs no other way to it; a listed one does.
    if tool.registration.listed && followed.is_empty() {
        plan.skipped.push(Skipped {
            file: tool.registration.place.file,
            span: snapshot.files.span(tool.registration.place),
            reason: "what the server does when it is called by this name was not found".into(),
        });
    }
    let home = snapshot.files.package_root(tool.local_place().file);
    for &file in snapshot.files.loaded_files().iter().filter(|&&file| snapshot.files.package_root(file) == home) {
        let Some(facts) = snapshot.files.facts(file) else { continue };
        for item in &facts.items {
            for comparison in &item.facts.comparisons {
                let span = comparison.span.shifted(item.start);
                let subject = comparison.subject.as_ref().and_then(Expr::last_name);
                if replacement(&comparison.text).is_some()
                    && subject.is_some_and(|subject| SUBJECTS.contains(&subject.as_str()))
                    && !followed.contains(&(file, span))
                {
                    let reason = "compared with something that is perhaps no tool's name".to_string();
                    plan.skipped.push(Skipped { file, span, reason });
                }
            }
        }
    }
}

/// Refuses a name under which the tool would be guarded less than it is.
pub(super) fn check_permissions(snapshot: &Snapshot, target: Target<'_>, new: &str) -> Result<(), Refusal> {
    for (file, facts) in client_files(snapshot) {
        for list in facts.permissions() {
            let grammar = list.grammar;
            let spelt: Vec<String> = target.server.keys.iter().map(|key| grammar.normalise(key)).collect();
            for entry in &list.entries {
                let text = entry.text.text.as_str();
                let rule = list.parse(text, &spelt);
                if !matches!(rule, Rule::ToolPattern { .. } | Rule::Pattern | Rule::Tool { .. }) {
                    continue;
                }
                for key in target.server.keys.iter().filter(|key| list.is_about(key)) {
                    let (old, new) = (grammar.composed(key, &target.tool.name), grammar.composed(key, new));
                    let (was, is) = (glob_matches(text, &old), glob_matches(text, &new));
                    let path = &file.path;
                    // Who named it exactly, and by the same words, spoke of this tool.
                    let is_meant = !text.contains('*')
                        && Name::new(&old).lower_words().concat() == Name::new(&new).lower_words().concat();
                    if list.kind == ListKind::Allow && is && !was && !is_meant {
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
