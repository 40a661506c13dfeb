//! The old names of tools: in the lock files, and in the comments of aliases.

use chrono::NaiveDate;
use rustc_hash::{FxHashMap, FxHashSet};

use super::aliases::AliasNote;
use super::lock::{Lock, Renamed};
use super::server::Tool;
use super::{Content, Files};
use crate::client;
use crate::found::{Dispatch, Place};
use crate::lower::{Call, Expr, Item};
use crate::text::{FileId, LineIndex, Span};

/// The maximum length of a chain of renames to follow; a longer chain leads to no present name.
const MAX_RENAMES: usize = 100;

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
    /// answer calls of the old name whether or not it lists that name.
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

    /// Every lock file with its contents.
    pub fn locks(&self) -> impl Iterator<Item = (FileId, &Lock)> {
        self.locks.iter().filter_map(|file| self.get(*file)).filter_map(|file| match &file.content {
            Content::Lock(lock) => Some((file.id, &**lock)),
            _ => None,
        })
    }

    /// The present name of a renamed tool, however often it was renamed; `None` if it was not renamed, or too often.
    /// `is_server` returns whether a name refers to the tool's server.
    pub fn renamed(&self, is_server: &dyn Fn(&str) -> bool, old: &str) -> Option<String> {
        let locks: Vec<&Lock> = self.locks().map(|(_, lock)| lock).collect();
        let mut name = old.to_string();
        let mut seen = FxHashSet::from_iter([name.clone()]);
        while seen.len() <= MAX_RENAMES {
            let of_server = |renamed: &&Renamed| renamed.server.as_deref().is_none_or(is_server);
            let next = locks.iter().flat_map(|lock| lock.once(&name)).find(of_server);
            match next {
                Some(next) if !seen.contains(&next.new) => {
                    name.clone_from(&next.new);
                    seen.insert(name.clone());
                }
                _ => return (seen.len() > 1).then_some(name),
            }
        }
        None
    }
}
