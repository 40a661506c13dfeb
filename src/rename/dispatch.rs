//! The cases, keys and comparisons by which a server finds what to run for a name.

use rustc_hash::FxHashSet;

use super::refusal::Left;
use super::{Group, Plan, Target, Texts, is_shorthand, short_name_in};
use crate::evaluate::{Otherwise, World};
use crate::lower::{Expr, SUBJECTS};
use crate::text::Edit;
use crate::workspace::Snapshot;

/// The literals and keys by which the tool's server finds what to run for it.
pub(super) fn follow(snapshot: &Snapshot, target: Target<'_>, new: &str, texts: Texts<'_>, plan: &mut Plan) {
    let tool = target.tool;
    // A handler that is given by name knows the wire name; one that strips a prefix knows the short one.
    let new_short = short_name_in(tool, new);
    let replacement = |text: &str| match text {
        text if text == tool.name => Some(new),
        text if text == tool.short_name() => new_short,
        _ => None,
    };
    let mut followed = FxHashSet::default();
    let mut is_found = false;
    let cases = target.servers(snapshot).into_iter().flat_map(|server| server.cases());
    let cases = cases.map(|case| (case.text.as_str(), case.place, case.decides));
    let registered = tool.registration.name.text();
    let keys = tool.registration.keys.iter().map(|&key| (registered.as_str(), key, true));
    for (old, place, decides) in cases.chain(keys) {
        let Some(new) = replacement(old) else { continue };
        is_found |= decides;
        let span = snapshot.files.span(place);
        let file = place.file;
        if followed.contains(&(file, span)) {
            continue;
        }
        let source = texts(file).unwrap_or_default();
        let before = source.get(..span.start as usize).and_then(|before| before.chars().next_back());
        let is_quoted = before.is_some_and(|c| matches!(c, '"' | '\'' | '`'));
        let is_identifier = new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !new.starts_with(|c: char| c.is_ascii_digit());
        let text = if is_quoted || is_identifier { new.to_string() } else { format!("\"{new}\"") };
        followed.insert((file, span));
        // `{ read_note }` is `{ read_note: read_note }`: what runs keeps its name.
        let text = if is_shorthand(&source, span) { format!("{text}: {old}") } else { text };
        plan.push(Group::Source, file, Edit::new(span, text));
    }
    // A registration with its handler needs no other way to it; a listed one does, unless it is looked for in the list.
    let is_found_by = |how| target.servers(snapshot).iter().any(|server| server.otherwise.contains(&how));
    let is_known = is_found || is_found_by(Otherwise::Searched);
    if tool.is_found_by_name(snapshot.files.frameworks()) && (!is_known || is_found_by(Otherwise::Reflected)) {
        let place = tool.registration.place;
        plan.skip(place.file, snapshot.files.span(place), Left::NoHandler);
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
                    plan.skip(file, span, Left::Compared);
                }
            }
        }
    }
}
