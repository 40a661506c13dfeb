//! The edits that may give a tool a new name. The trial decides which of them does.

use super::plan::join;
use super::target::Target;
use super::{Texts, unnamed};
use crate::diagnostic::Edits;
use crate::found::{Origin, Part};
use crate::site::{self};
use crate::syntax::{self, Family, Language};
use crate::text::{Edit, Span, indent, line_break};
use crate::workspace::Snapshot;

/// Returns the edits that may give the tool its new name at all places that register it, the most local first.
pub(super) fn at_all_places(snapshot: &Snapshot, target: Target<'_>, new: &str, texts: Texts<'_>) -> Vec<Edits> {
    let mut all = candidates(snapshot, target, new, texts);
    for twin in target.twins() {
        // The places of one tool have the same form.
        let others = candidates(snapshot, twin, new, texts);
        for (edits, others) in all.iter_mut().zip(others) {
            join(edits, others);
        }
    }
    all
}

/// Returns the edits that may give the tool its new name at one place, the most local first.
fn candidates(snapshot: &Snapshot, target: Target<'_>, new: &str, texts: Texts<'_>) -> Vec<Edits> {
    let registration = &target.tool.registration;
    let parts = &registration.name.parts;
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&index| (index != target.tool.local, target.tool.shared_by.get(index).copied().unwrap_or(1)));
    let mut candidates = unnamed::candidates(snapshot, target, new, texts);
    for index in order {
        let before: String = parts[..index].iter().map(|part| part.text.as_str()).collect();
        let after: String = parts[index + 1..].iter().map(|part| part.text.as_str()).collect();
        let Some(middle) = new.strip_prefix(&before).and_then(|rest| rest.strip_suffix(&after)) else {
            continue;
        };
        candidates.extend(edit_part(snapshot, target, &parts[index], middle, texts));
    }
    // The new name in full, in place of the most local piece. This is correct if the other pieces then disappear, which
    // the trial shows.
    if let Some(local) = parts.get(target.tool.local).filter(|_| parts.len() > 1) {
        candidates.extend(edit_part(snapshot, target, local, new, texts));
    }
    candidates.extend(lifted(snapshot, target, new, texts));
    candidates
}

/// Returns the edit that replaces the expression that composes the name with a literal, so that the parts shared with
/// other names stay unchanged.
fn lifted(snapshot: &Snapshot, target: Target<'_>, new: &str, texts: Texts<'_>) -> Option<Edits> {
    let part = target.tool.registration.name.parts.get(target.tool.local)?;
    let Origin::Literal(place) = part.origin else { return None };
    let source = texts(place.file)?;
    let language = Language::of_path(snapshot.files.path(place.file))?;
    let literal = snapshot.files.span(place);
    let whole = site::sum_around(&syntax::parse(language, &source, None)?, literal)?;
    let quote = source[..literal.start as usize].chars().next_back().filter(|c| matches!(c, '"' | '\'')).unwrap_or('"');
    Some(Edits::from([(place.file, vec![Edit::new(whole, format!("{quote}{new}{quote}"))])]))
}

/// Returns the edit that changes one piece of a name to `text`; `None` if the piece cannot be edited.
fn edit_part(snapshot: &Snapshot, target: Target<'_>, part: &Part, text: &str, texts: Texts<'_>) -> Option<Edits> {
    match &part.origin {
        Origin::Literal(place) => {
            let span = snapshot.files.span(*place);
            let source = texts(place.file)?;
            // A literal with escapes is left alone, since its source differs from its text.
            if source.get(span.range())? != part.text {
                return None;
            }
            // `{ name }` is `{ name: name }`: the key changes, and the value stays.
            if is_shorthand(&source, span) {
                let at = Span { start: span.start, end: span.start };
                return Some(Edits::from([(place.file, vec![Edit::new(at, format!("{text}: "))])]));
            }
            let edit = shortened(snapshot.files.path(place.file), &source, span, text);
            let edit = edit.unwrap_or_else(|| Edit::new(span, text));
            Some(Edits::from([(place.file, vec![edit])]))
        }
        Origin::Identifier(_) => {
            let naming = target.tool.registration.naming.as_ref()?;
            let at = snapshot.files.span(naming.at);
            if let Some(attribute) = &naming.attribute {
                let source = texts(naming.at.file)?;
                let indent = indent(&source, at.start);
                let keyword = &naming.keyword;
                let written = format!("#[{attribute}({keyword} = \"{text}\")]{}{indent}", line_break(&source));
                return Some(Edits::from([(naming.at.file, vec![Edit::new(at, written)])]));
            }
            let language = Language::of_path(snapshot.files.path(naming.at.file))?;
            let source = texts(naming.at.file)?;
            let (equals, quote) = match language {
                Language::Rust => (" = ", '"'),
                language => ("=", site::usual_quote(language, &source)),
            };
            // An argument that says nothing, `name=None`, is replaced; one that is computed stays.
            if language == Language::Python && !naming.keyword.is_empty() {
                let tree = syntax::parse(language, &source, None)?;
                if let Some(value) = site::keyword_at(&tree, &source, at.start, &naming.keyword) {
                    let says_nothing = source[value.range()] == *"None";
                    let edit = Edit::new(value, format!("{quote}{text}{quote}"));
                    return says_nothing.then(|| Edits::from([(naming.at.file, vec![edit])]));
                }
            }
            // If each argument is on its own line, put the name on its own line too.
            let (lead, line_break) = (indent(&source, at.start), line_break(&source));
            let after = match source[..at.start as usize].ends_with(&format!("\n{lead}")) {
                true if naming.after == ", " => format!(",{line_break}{lead}"),
                _ => naming.after.to_string(),
            };
            let insert = match naming.keyword.as_str() {
                "" => format!("{}{quote}{text}{quote}{after}", naming.before),
                keyword => format!("{}{keyword}{equals}{quote}{text}{quote}{after}", naming.before),
            };
            Some(Edits::from([(naming.at.file, vec![Edit::new(at, insert)])]))
        }
        Origin::Framework | Origin::Unknown(_) => None,
    }
}

/// Whether a property of an object is a bare name between commas or braces, `{ name }`.
pub(super) fn is_shorthand(source: &str, span: Span) -> bool {
    let before = source.get(..span.start as usize).unwrap_or("").trim_end();
    let after = source.get(span.end as usize..).unwrap_or("").trim_start();
    before.ends_with(['{', ',']) && after.starts_with(['}', ','])
}

/// Returns the edit that makes `{ old: new }` of JavaScript `{ new }` when the key gets that name: the reverse of the
/// edit of `{ old }`.
pub(super) fn shortened(path: &str, source: &str, key: Span, new: &str) -> Option<Edit> {
    Language::of_path(path).filter(|language| language.family() == Some(Family::TypeScript))?;
    let before = source.get(..key.start as usize)?.trim_end();
    let behind = source.get(key.end as usize..)?;
    let value = behind.strip_prefix(':')?.trim_start_matches([' ', '\t']);
    let rest = value.strip_prefix(new).filter(|_| before.ends_with(['{', ',']) && site::is_identifier(new))?;
    let is_whole = rest.trim_start().starts_with(['}', ',']);
    is_whole.then(|| Edit::new(Span { start: key.start, end: (source.len() - value.len()) as u32 }, ""))
}
