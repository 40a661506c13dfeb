//! Mentions of a tool: in documents, descriptions and prompts, comments, tests, recorded answers.
//!
//! A name is assumed to be the tool's if it has the form that a client composes, or if it consists of several words. A
//! name of one word may be an ordinary word, so it is reported and left alone.

mod forms;
mod history;
mod reading;

use std::collections::BTreeMap;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use rustc_hash::FxHashSet;

pub(super) use self::forms::{Kind, Names};
use self::history::History;
pub(super) use self::reading::{Meaning, Old, Reader, Reading, is_sorting};
use super::home::{Home, root_of};
use super::{Document, Group, Left, Plan, Skipped, Sources, Target, Whose, read_file, stands_alone};
use crate::path::{is_history, is_installed, is_test};
use crate::places::Places;
use crate::site::{self};
use crate::syntax::Language;
use crate::text::{Edit, FileId, Span};
use crate::workspace::{File, LOCK_FILE, Snapshot};

/// Adds the edits that rename the tool in every text that mentions it.
pub(super) fn follow(
    snapshot: &Snapshot,
    target: Target<'_>,
    (new, old): (&str, Old),
    sources: Sources<'_>,
    plan: &mut Plan,
) {
    let mut names = Names::of(snapshot, target, new);
    names.all.retain(|name| !old.stays || matches!(name.kind, Kind::Composed | Kind::Loose));
    names.all.retain(|name| !old.keeps_part || name.old != target.tool.short_name());
    let words: Vec<String> = names.all.iter().map(|name| name.old.clone()).collect();
    let Ok(wanted) = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&words) else { return };
    let mut home = Home::of(snapshot, target);
    // A text may use the new name already.
    home.renamed = Some(new.to_string());
    let mut texts = sources.around.mentioning(&words.iter().cloned().chain([new.to_string()]).collect::<Vec<_>>());
    home.tables = tables(snapshot, (&home, new, old), &texts, plan);
    texts.retain(|(_, text)| wanted.is_match(text));
    // Tests come last: a name that a test may expect is renamed only if the project's own source does not keep it, as
    // in a catalogue, a log or an event.
    texts.sort_by_key(|(path, _)| is_test(path));
    let mut is_elsewhere = false;
    let mut waiting = Waiting::default();
    for (path, text) in texts {
        if is_installed(&path) || is_kept(&path) {
            continue;
        }
        let file = read_file(snapshot, &path, &text);
        let reading = Reading::of(&path, &text);
        let reader = Reader::new(&home, (&path, &text), &reading, old);
        let history = History::of(snapshot.files.known_clients(), &path, &text, &reading);
        let (edited, entries) = (plan.edited_in(file, &path), entries(snapshot, file));
        let mut document = Document::default();
        let mut passing: BTreeMap<Left, (Span, usize)> = BTreeMap::new();
        let is_own_source =
            matches!(reading, Reading::Source(_)) && !is_test(&path) && root_of(snapshot, &path) == home.root;
        for found in wanted.find_iter(&text) {
            let span = Span::new(found.start(), found.end());
            let name = &names.all[found.pattern().as_usize()];
            // The occurrences of this loop do not overlap each other, so `edited` need not be updated.
            if edited.overlap(span) || entries.hold(span) || matches!(history, History::Whole) {
                continue;
            }
            // The text already uses the new name.
            if name.is_in_new(&text, span) {
                continue;
            }
            let meaning = match reader.meaning(snapshot, name, span) {
                Meaning::Expected(_) if is_elsewhere => Meaning::Perhaps(Left::TestString),
                Meaning::Expected(meaning) => *meaning,
                Meaning::Tool(_) if history.holds(span) => Meaning::Passing(Left::Past),
                _ if history.holds(span) => continue,
                Meaning::Tool(_)
                    if matches!(reading, Reading::Document(_)) && is_about_both(&text, span, &name.new) =>
                {
                    Meaning::Passing(Left::BothNames)
                }
                meaning => meaning,
            };
            let is_other = matches!(meaning, Meaning::Perhaps(Left::OtherString));
            is_elsewhere |= is_own_source && is_other && is_quoted(&text, span);
            let is_left = matches!(meaning, Meaning::Perhaps(Left::TestString));
            waiting.is_expected |= is_left && reader.is_expected_in_text(span);
            match (meaning, file) {
                (Meaning::Nothing | Meaning::Expected(_), _) => {}
                (Meaning::Passing(reason), _) => passing.entry(reason).or_insert((span, 0)).1 += 1,
                (Meaning::Tool(group), file) if is_own_source && old.is_listed && reader.is_in_text(span) => {
                    let edit = Edit::new(span, name.new.as_str());
                    match file {
                        Some(file) => waiting.messages.push((file.id, group, edit)),
                        None => waiting.in_documents.push((path.clone(), text.clone(), edit)),
                    }
                }
                (Meaning::Tool(group), Some(file)) => {
                    plan.push(group, file.id, Edit::new(span, name.new.as_str()));
                }
                (Meaning::Beside(own, sign), file) => {
                    let quoted = text[own.range()].replace(&name.old, &name.new);
                    let edit = Edit::new(Span::at(own.start as usize), format!("{quoted}{sign}"));
                    match file {
                        Some(file) => plan.push(Group::Source, file.id, edit),
                        None => document.edits.push(edit),
                    }
                }
                (Meaning::Searched(replaced, both), file) => {
                    let whose = match file {
                        Some(file) => {
                            plan.push(Group::Source, file.id, replaced.clone());
                            Whose::File(file.id)
                        }
                        None => {
                            document.edits.push(replaced.clone());
                            Whose::Document(path.clone())
                        }
                    };
                    plan.searched.push((whose, replaced, both));
                }
                (Meaning::Edited(added, gone), file) => {
                    let edits = std::iter::once(added).chain(gone.map(|span| Edit::new(span, "")));
                    match file {
                        Some(file) => edits.for_each(|edit| plan.push(Group::Source, file.id, edit)),
                        None => document.edits.extend(edits),
                    }
                }
                (Meaning::Tool(_), None) => document.edits.push(Edit::new(span, name.new.as_str())),
                (Meaning::Guard, Some(file)) => plan.skip(file.id, span, Left::Guard),
                (Meaning::Guard, None) => document.skipped.push((span, Left::Guard)),
                (Meaning::Perhaps(reason), Some(file)) => plan.skip(file.id, span, reason),
                (Meaning::Perhaps(reason), None) => document.skipped.push((span, reason)),
            }
        }
        for (reason, (first, count)) in passing {
            let reason = if count == 1 { reason } else { Left::Repeated(Box::new(reason), count - 1) };
            match file {
                Some(file) => plan.skip(file.id, first, reason),
                None => document.skipped.push((first, reason)),
            }
        }
        if !document.edits.is_empty() || !document.skipped.is_empty() {
            let known = plan.document(&path, &text);
            known.edits.append(&mut document.edits);
            known.skipped.append(&mut document.skipped);
        }
    }
    waiting.decide(plan);
}

/// Keeps the old name in the lists in which code looks names up, if a string in the source of the tool's package still
/// contains the old name.
pub(super) fn settle(snapshot: &Snapshot, target: Target<'_>, sources: Sources<'_>, plan: &mut Plan) {
    let searched = std::mem::take(&mut plan.searched);
    if searched.is_empty() {
        return;
    }
    let is_own = |path: &str| {
        let is_source = Language::of_path(path).is_some_and(|language| language.family().is_some());
        is_source && !is_test(path) && root_of(snapshot, path) == target.server.root
    };
    let says = |left: &Left, span: Span, text: &str| *left == Left::OtherString && is_quoted(text, span);
    let in_file = |left: &Skipped| {
        let is_string = left.reason == Left::OtherString && is_own(snapshot.files.path(left.file));
        let text = is_string.then(|| (sources.texts)(left.file)).flatten();
        text.is_some_and(|text| says(&left.reason, left.span, &text))
    };
    let in_document = |(path, document): (&String, &Document)| {
        is_own(path) && document.skipped.iter().any(|(span, left)| says(left, *span, &document.text))
    };
    if plan.skipped.iter().any(in_file) || plan.documents.iter().any(in_document) {
        keep_searched(searched, plan);
    }
}

/// Returns the variables of the server's source that hold tables with its tools as keys, including the renamed tool
/// under either name. Functions in a table may be called by their keys, so such a table counts only if its key is
/// edited, that is, known to be a tool's name.
fn tables(
    snapshot: &Snapshot,
    (home, new, old): (&Home, &str, Old),
    texts: &[(String, String)],
    plan: &Plan,
) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    let is_at_home = |path: &str| root_of(snapshot, path) == home.root && !home.is_disputed(snapshot, path);
    // As long as the old name is listed, tables in tests keep it.
    let is_kept = |path: &str| is_kept(path) || old.is_listed && is_test(path);
    for (path, text) in texts.iter().filter(|(path, _)| !is_installed(path) && !is_kept(path)) {
        let places = [home.name.as_str(), new].into_iter().flat_map(|name| text.match_indices(name));
        let mut places = places.filter(|(at, name)| is_key(text, *at, at + name.len())).peekable();
        if places.peek().is_none() || !is_at_home(path) {
            continue;
        }
        let reading = Reading::of(path, text);
        let reader = Reader::new(home, (path, text), &reading, old);
        let edited = plan.edited_in(read_file(snapshot, path, text), path);
        let own = places.filter_map(|(at, name)| reader.own_key(Span::new(at, at + name.len())));
        found.extend(own.filter(|own| !own.has_function || edited.overlap(own.key)).filter_map(|own| own.variable));
        if let Reading::Source(tree) = &reading {
            let types = site::types_of(tree, text, &|name| found.contains(name));
            found.extend(types.into_iter().map(str::to_string));
        }
    }
    found
}

/// Whether the name from byte `start` to `end` may be a key.
fn is_key(text: &str, start: usize, end: usize) -> bool {
    let rest = text[end..].trim_start_matches(['"', '\'', '`']).trim_start();
    stands_alone(text, Span::new(start, end)) && rest.starts_with([':', '?', ','])
}

/// Edits of the server's source that are made only if no test expects the old name.
#[derive(Default)]
struct Waiting {
    /// Edits of sentences in strings.
    messages: Vec<(FileId, Group, Edit)>,
    /// The same edits in files that are not in the snapshot, each with the path and the text of its file.
    in_documents: Vec<(String, String, Edit)>,
    /// Whether a test that expects the old name in a text is left as it is.
    is_expected: bool,
}

impl Waiting {
    fn decide(self, plan: &mut Plan) {
        for (file, group, edit) in self.messages {
            match self.is_expected {
                true => plan.skip(file, edit.span, Left::Expected),
                false => plan.push(group, file, edit),
            }
        }
        for (path, text, edit) in self.in_documents {
            let document = plan.document(&path, &text);
            match self.is_expected {
                true => document.skipped.push((edit.span, Left::Expected)),
                false => document.edits.push(edit),
            }
        }
    }
}

/// Changes the edits of searched lists so that they keep the old name next to the new one.
fn keep_searched(searched: Vec<(Whose, Edit, Edit)>, plan: &mut Plan) {
    for (whose, replaced, both) in searched {
        let own: Vec<&mut Edit> = match whose {
            Whose::File(file) => plan.changes.values_mut().filter_map(|edits| edits.get_mut(&file)).flatten().collect(),
            Whose::Document(path) => {
                plan.documents.get_mut(&path).into_iter().flat_map(|document| &mut document.edits).collect()
            }
        };
        if let Some(edit) = own.into_iter().find(|edit| **edit == replaced) {
            *edit = both;
        }
    }
}

/// Whether the line around a place also has the new name: in code: it is about this rename, or about undoing it.
fn is_about_both(text: &str, span: Span, new: &str) -> bool {
    let start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end as usize..].find('\n').map_or(text.len(), |at| span.end as usize + at);
    let line = &text[start..end];
    let is_row = line.trim_start().starts_with('|');
    let mut found = line.match_indices(new).map(|(at, new)| Span::new(start + at, start + at + new.len()));
    let is_code =
        |place: Span| text[..place.start as usize].ends_with('`') && text[place.end as usize..].starts_with('`');
    !is_row && found.any(is_code)
}

/// Whether a place is the whole text of a string literal, without its quotes.
fn is_quoted(text: &str, span: Span) -> bool {
    let quotes = ['"', '\'', '`'];
    text[..span.start as usize].ends_with(quotes) && text[span.end as usize..].starts_with(quotes)
}

/// Returns the entries of a file's lists and hooks; these are renamed separately.
pub(super) fn entries(snapshot: &Snapshot, file: Option<&Arc<File>>) -> Places {
    let facts = file.into_iter().flat_map(|file| snapshot.client_facts(file.id));
    facts.flat_map(|facts| &facts.lists).flat_map(|list| &list.entries).map(|entry| entry.whole).collect()
}

/// Whether a file keeps the old name because it is history or is written by a program.
pub(super) fn is_kept(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let is_lock = ["-lock.json", "-lock.yaml", ".lock"].iter().any(|end| name.ends_with(end));
    name == LOCK_FILE || is_lock || is_history(path)
}

/// Returns the tool that a text mentions at a byte offset, and the span of its name, which a rename would change.
/// `None` if there is no tool, or more than one.
pub(crate) fn spoken_of<'a>(snapshot: &'a Snapshot, path: &str, text: &str, offset: u32) -> Option<(Span, Target<'a>)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
    let (before, behind) = (text.get(..offset as usize)?, text.get(offset as usize..)?);
    let start = before.len() - before.chars().rev().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    let end = before.len() + behind.chars().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    let around = text.get(start..end).filter(|around| around.len() > 1)?;
    let reading = Reading::of(path, text);
    let old = Old::GONE;
    let mut found: Option<(Span, Target<'a>)> = None;
    for (server, tool) in snapshot.analysis().tools().filter(|(_, tool)| around.contains(tool.name.as_str())) {
        let target = Target { server, tool };
        let home = Home::of(snapshot, target);
        let reader = Reader::new(&home, (path, text), &reading, old);
        // Only the places of the old name matter here, so any new name will do.
        let names = Names::of(snapshot, target, "\u{1}");
        for name in &names.all {
            for (at, _) in around.match_indices(name.old.as_str()) {
                let span = Span::new(start + at, start + at + name.old.len());
                let is_meant =
                    || matches!(reader.meaning(snapshot, name, span), Meaning::Tool(_) | Meaning::Searched(..));
                let is_tool = span.touches(offset) && is_meant();
                let own = name.old.ends_with(&tool.name).then(|| span.slice(span.len() - tool.name.len(), span.len()));
                let Some(own) = own.filter(|own| is_tool && own.touches(offset)) else { continue };
                if found.is_some_and(|(_, other)| other.tool.name != tool.name || !std::ptr::eq(other.server, server)) {
                    return None;
                }
                found = Some((own, target));
            }
        }
    }
    found
}
