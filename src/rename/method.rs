//! Renaming the Rust method that a tool is named after, if the tool's framework always uses the method's name.

use super::refusal::{Left, Why};
use super::{Group, Plan, Sources, Target, read_file};
use crate::found::Origin;
use crate::path::is_installed;
use crate::site::{self, MethodUses};
use crate::syntax::{self, Language};
use crate::text::{Edit, Span};
use crate::workspace::Snapshot;

/// Whether a tool is named after a Rust method and its registration has no place for another name.
pub(super) fn is_all_there_is(snapshot: &Snapshot, target: Target<'_>) -> bool {
    let registration = &target.tool.registration;
    let is_method = matches!(registration.name.parts.as_slice(), [part] if match &part.origin {
        Origin::Identifier(place) => snapshot.files.path(place.file).ends_with(".rs"),
        _ => false,
    });
    is_method && registration.naming.is_none()
}

/// Returns the edits that rename the method, and with it the tool.
///
/// # Errors
/// The reason why the method cannot be renamed.
pub(super) fn renamed(snapshot: &Snapshot, target: Target<'_>, new: &str, sources: Sources<'_>) -> Result<Plan, Why> {
    let part = target.tool.registration.name.parts.first().ok_or(Why::NotMethod)?;
    let place = part.place().ok_or(Why::NotMethod)?;
    let (old, definition) = (part.text.as_str(), snapshot.files.span(place));
    if !is_identifier(new) {
        return Err(Why::BadMethod(new.to_string()));
    }
    let home = snapshot.files.path(place.file);
    let uses = |path: &str, text: &str| -> MethodUses {
        let tree = syntax::parse(Language::Rust, text, None);
        let own = Some(definition).filter(|_| path == home);
        tree.map(|tree| site::method_uses(&tree, text, old, own)).unwrap_or_default()
    };
    let text = (sources.texts)(place.file).ok_or(Why::Unreadable)?;
    if text.get(definition.range()) != Some(old) {
        return Err(Why::NotMethod);
    }
    let mentioning = sources.around.mentioning(&[old.to_string()]).into_iter();
    let is_other = |path: &str| path.ends_with(".rs") && path != home && !is_installed(path);
    let others: Vec<(String, String)> = mentioning.filter(|(path, _)| is_other(path)).collect();
    let all: Vec<(&str, &str, MethodUses)> = std::iter::once((home, text.as_str()))
        .chain(others.iter().map(|(path, text)| (path.as_str(), text.as_str())))
        .map(|(path, text)| (path, text, uses(path, text)))
        .collect();
    // If no other function has the name, every member of that name is this method.
    let is_only = all.iter().map(|(_, _, uses)| uses.definitions.len()).sum::<usize>() == 1;
    let mut plan = Plan::default();
    plan.push(Group::Source, place.file, Edit::new(definition, new));
    for (path, text, uses) in &all {
        let (followed, left): (Vec<Span>, Vec<Span>) = match is_only {
            true => (uses.own.iter().chain(&uses.members).copied().collect(), Vec::new()),
            false => (uses.own.clone(), uses.members.clone()),
        };
        let edits = followed.into_iter().map(|span| Edit::new(span, new));
        match read_file(snapshot, path, text) {
            Some(file) => {
                edits.for_each(|edit| plan.push(Group::Source, file.id, edit));
                left.into_iter().for_each(|span| plan.skip(file.id, span, Left::MethodMember));
            }
            None => {
                let document = plan.document(path, text);
                document.edits.extend(edits);
                document.skipped.extend(left.into_iter().map(|span| (span, Left::MethodMember)));
            }
        }
    }
    Ok(plan)
}

/// Whether a Rust function can have this name.
pub(in crate::rename) fn is_identifier(name: &str) -> bool {
    /// The strict and reserved keywords of Rust 2024, from the Rust Reference.
    const KEYWORDS: [&str; 52] = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
        "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
        "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "Self", "static", "struct",
        "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while",
        "yield",
    ];
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_word && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty() && !KEYWORDS.contains(&name)
}
