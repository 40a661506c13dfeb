//! Tools that are aliases under an old name, as marked by the comments above them.

use super::{Content, Files, Tool};
use crate::client;
use crate::evaluate::{Dispatch, Place, World};
use crate::lower::{Call, Expr, Item, OF_ALIAS};
use crate::text::{FileId, LineIndex, Span};
use chrono::NaiveDate;
use rustc_hash::FxHashMap;

/// A comment that marks what is below it as an alias: `toolnames: alias of NEW [until WHEN]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AliasNote {
    /// The span of the comment's text, without the comment sign and the word that identifies it.
    pub span: Span,
    /// The present name of the tool.
    pub new: String,
    /// The span and text of the day or version from which on the old name is gone.
    pub until: Option<(Span, String)>,
    /// The line that the comment refers to, 0-based.
    pub line: u32,
    /// The span of the item that the comment refers to, if it is known.
    pub below: Option<Span>,
}

/// The alias comments of a file, in order, with lookups for what they refer to.
#[derive(Debug, Default)]
pub struct AliasNotes {
    all: Vec<AliasNote>,
    by_line: FxHashMap<u32, Vec<usize>>,
    /// The span that each comment refers to, its index in `all`, and the greatest end of the spans up to here; sorted.
    below: Vec<(Span, usize, u32)>,
}

/// The calls, definitions and comparisons that begin on each line of an item.
struct ItemLines<'a> {
    calls: FxHashMap<u32, Vec<&'a Call>>,
    definitions: FxHashMap<u32, Vec<Span>>,
    compared: FxHashMap<u32, Vec<usize>>,
    comparisons: Vec<(Span, usize)>,
}

impl<'a> ItemLines<'a> {
    fn of(item: &'a Item, lines: &LineIndex) -> ItemLines<'a> {
        let line = |span: Span| lines.line_of(span.shifted(item.start).start);
        let mut own = ItemLines {
            calls: FxHashMap::default(),
            definitions: FxHashMap::default(),
            compared: FxHashMap::default(),
            comparisons: item.facts.comparisons.iter().enumerate().map(|(index, one)| (one.span, index)).collect(),
        };
        for call in &item.facts.calls {
            own.calls.entry(line(call.span)).or_default().push(call);
        }
        for definition in &item.facts.definitions {
            own.definitions.entry(line(definition.span)).or_default().push(definition.span);
        }
        for (span, index) in &own.comparisons {
            own.compared.entry(line(*span)).or_default().push(*index);
        }
        own.comparisons.sort_unstable();
        own
    }

    /// The indices of the comparisons that begin on a line, or lie in one of the spans.
    fn compared_in(&self, line: u32, spans: impl Iterator<Item = Span>) -> Vec<usize> {
        let mut found: Vec<usize> = self.compared.get(&line).into_iter().flatten().copied().collect();
        for span in spans {
            let first = self.comparisons.partition_point(|(one, _)| one.start < span.start);
            let inside = self.comparisons[first..].iter().take_while(|(one, _)| one.start < span.end);
            found.extend(inside.filter(|(one, _)| span.contains(*one)).map(|(_, index)| *index));
        }
        found
    }
}

impl AliasNotes {
    pub(super) fn of(content: &Content, lines: &LineIndex) -> AliasNotes {
        let below: FxHashMap<Span, Span> = match content {
            Content::Source(facts) => facts.directives().filter_map(|one| Some((one.span, one.below?))).collect(),
            _ => FxHashMap::default(),
        };
        let note = |(span, text): (Span, String)| {
            let rest = text.strip_prefix(OF_ALIAS)?;
            let (new, rest) = rest.trim_start().split_once(' ').unwrap_or((rest.trim_start(), ""));
            let until = rest.trim_start().strip_prefix("until ").map(str::trim).filter(|until| !until.is_empty());
            let until = until.map(|until| {
                let start = text.len() - until.len();
                (span.slice(start, text.len()), until.to_string())
            });
            let line = lines.line_of(span.start) + 1;
            Some(AliasNote { span, new: new.to_string(), until, line, below: below.get(&span).copied() })
        };
        let mut notes =
            AliasNotes { all: content.directives().into_iter().filter_map(note).collect(), ..Self::default() };
        for (index, note) in notes.all.iter().enumerate() {
            notes.by_line.entry(note.line).or_default().push(index);
            notes.below.extend(note.below.map(|below| (below, index, 0)));
        }
        notes.below.sort_unstable();
        let mut end = 0;
        for (span, _, greatest) in &mut notes.below {
            end = end.max(span.end);
            *greatest = end;
        }
        notes
    }

    /// Returns the nearest comment whose span contains a name, or else the first comment for one of the lines, among
    /// those that `is_right` accepts.
    fn first(&self, begins: &[u32], name: Span, is_right: &dyn Fn(&AliasNote) -> bool) -> Option<&AliasNote> {
        let on_lines = begins.iter().filter_map(|line| self.by_line.get(line)).flatten().copied();
        let up_to = self.below.partition_point(|(span, ..)| span.start <= name.start);
        let around = self.below[..up_to].iter().rev().take_while(|(.., greatest)| *greatest >= name.end);
        let around = around.filter(|(span, ..)| span.contains(name)).map(|(_, index, _)| *index);
        let is_right = |index: &usize| is_right(&self.all[*index]);
        let nearest = around.filter(is_right).max();
        nearest.or_else(|| on_lines.filter(is_right).min()).map(|index| &self.all[index])
    }
}

impl Files {
    /// The alias comments of a file.
    pub fn alias_notes(&self, id: FileId) -> &[AliasNote] {
        self.get(id).map_or(&[], |file| &file.alias_notes().all)
    }

    /// The comment that marks a tool as an alias, if there is one: the tool or its name begins on the line below the
    /// comment, or lies in the item that begins there.
    pub fn alias_note(&self, tool: &Tool) -> Option<&AliasNote> {
        let name = tool.local_place();
        let file = self.get(name.file)?;
        let notes = file.alias_notes();
        if notes.all.is_empty() {
            return None;
        }
        let line = |place: Place| (place.file == name.file).then(|| file.lines.line_of(self.span(place).start));
        let begins: Vec<u32> = [line(name), line(tool.registration.place)].into_iter().flatten().collect();
        notes.first(&begins, self.span(name), &|note| note.new != tool.name)
    }

    /// The present name of a tool, if the tool is an alias.
    pub fn alias_of(&self, tool: &Tool) -> Option<String> {
        self.alias_note(tool).map(|note| note.new.clone())
    }

    /// The present name and a possible old name, for each string below the alias comments of a file. A server may
    /// answer the old name whether or not it lists it.
    pub(super) fn answered(&self, id: FileId) -> Vec<(String, String)> {
        let notes = self.alias_notes(id);
        let (Some(file), Some(facts)) = (self.get(id).filter(|_| !notes.is_empty()), self.facts(id)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut read: FxHashMap<usize, ItemLines<'_>> = FxHashMap::default();
        for note in notes {
            let start = note.span.start;
            let first = facts.items.partition_point(|item| item.start + item.len <= start);
            let is_after = |item: &Item| {
                let is_below = note.below.is_some_and(|below| item.start < below.end);
                !is_below && file.lines.line_of(item.start) > note.line
            };
            for (index, item) in facts.items.iter().enumerate().skip(first).take_while(|(_, item)| !is_after(item)) {
                let lines = read.entry(index).or_insert_with(|| ItemLines::of(item, &file.lines));
                let calls = lines.calls.get(&note.line).into_iter().flatten();
                let definitions = lines.definitions.get(&note.line).into_iter().flatten();
                let own = note.below.filter(|below| below.start >= item.start).map(|it| it.relative_to(item.start));
                let below = calls.clone().map(|call| call.span).chain(definitions.copied()).chain(own);
                let mut compared: Vec<usize> = lines.compared_in(note.line, below);
                compared.sort_unstable();
                compared.dedup();
                let compared = compared.into_iter().map(|index| &item.facts.comparisons[index].text);
                found.extend(compared.map(|text| (note.new.clone(), text.to_string())));
                for arg in calls.flat_map(|call| &call.args) {
                    if let Expr::Text { text, .. } = &arg.value {
                        found.push((note.new.clone(), text.to_string()));
                    }
                }
            }
        }
        found.retain(|(new, old)| new != old && !old.contains(char::is_whitespace));
        found
    }

    /// The present name for a case or a table key below an alias comment.
    pub(super) fn stands_for(&self, case: &Dispatch) -> Option<String> {
        let file = self.get(case.place.file)?;
        let notes = file.alias_notes();
        let line = file.lines.line_of(self.span(case.place).start);
        let note = &notes.all[*notes.by_line.get(&line)?.first()?];
        (note.new != *case.text).then(|| note.new.clone())
    }

    /// The number of days until a date, negative after it; `None` for a version, or if today's date is unknown.
    pub fn days_to(&self, until: &str) -> Option<i64> {
        let day = NaiveDate::parse_from_str(until, "%Y-%m-%d").ok()?;
        Some(day.signed_duration_since(self.today?).num_days())
    }

    /// Whether a date, or a version of the file's package, has been reached.
    pub fn has_come(&self, until: &str, file: FileId) -> bool {
        if let Ok(day) = NaiveDate::parse_from_str(until, "%Y-%m-%d") {
            return self.today.is_some_and(|today| today >= day);
        }
        let root = self.package_root(file);
        let version = self.package_at(root).and_then(|(_, version)| client::version(&version));
        let until = client::version(until.strip_prefix('v').unwrap_or(until));
        until.zip(version).is_some_and(|(until, version)| version >= until)
    }
}

/// Whether a text is a date or a version, and thus says when something ends.
pub fn is_day_or_version(until: &str) -> bool {
    // `2026-13-45` parses as a version lower than 2026, but was meant as a date.
    let is_dated = until.split('-').count() == 3 && until.chars().all(|c| c.is_ascii_digit() || c == '-');
    match NaiveDate::parse_from_str(until, "%Y-%m-%d") {
        Ok(_) => true,
        Err(_) => !is_dated && client::version(until.strip_prefix('v').unwrap_or(until)).is_some(),
    }
}
