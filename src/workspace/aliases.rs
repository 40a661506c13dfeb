//! Old names that go on: which tools are aliases, as the comments above them say.

use super::{Files, Tool};
use crate::client;
use crate::evaluate::{Dispatch, Place, World};
use crate::lower::{Expr, OF_ALIAS};
use crate::text::{FileId, Span};
use chrono::NaiveDate;

/// A comment that says what stands below it is there for an old name: `toolnames: alias of NEW [until WHEN]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AliasNote {
    /// What the comment says, without its sign and the word that it is known by.
    pub span: Span,
    /// What the tool is called now.
    pub new: String,
    /// The day or version from which on the old name is gone, and where that stands.
    pub until: Option<(Span, String)>,
    /// The line that it speaks of, from 0.
    pub line: u32,
    /// All that it speaks of, where that is known.
    pub below: Option<Span>,
}

impl Files {
    /// The comments of a file that speak of aliases.
    pub fn alias_notes(&self, id: FileId) -> Vec<AliasNote> {
        let Some(file) = self.get(id) else { return Vec::new() };
        let facts = self.facts(id);
        let below = |span: Span| facts?.directives().find(|directive| directive.span == span)?.below;
        let note = |(span, text): (Span, String)| {
            let rest = text.strip_prefix(OF_ALIAS)?;
            let (new, rest) = rest.trim_start().split_once(' ').unwrap_or((rest.trim_start(), ""));
            let until = rest.trim_start().strip_prefix("until ").map(str::trim).filter(|until| !until.is_empty());
            let until = until.map(|until| {
                let start = text.len() - until.len();
                (span.slice(start, text.len()), until.to_string())
            });
            let line = file.lines.line_of(span.start) + 1;
            Some(AliasNote { span, new: new.to_string(), until, line, below: below(span) })
        };
        self.directives(id).into_iter().filter_map(note).collect()
    }

    /// What says that a tool is an alias, where it is one: it, or its name, begins on the line below, or in what begins there.
    pub fn alias_note(&self, tool: &Tool) -> Option<AliasNote> {
        self.note_of(tool, &self.alias_notes(tool.local_place().file)).cloned()
    }

    /// The same among the comments of the file that its name stands in, for who asks it of many tools.
    pub fn note_of<'n>(&self, tool: &Tool, notes: &'n [AliasNote]) -> Option<&'n AliasNote> {
        if notes.is_empty() {
            return None;
        }
        let name = tool.local_place();
        let lines = &self.get(name.file)?.lines;
        let line = |place: Place| (place.file == name.file).then(|| lines.line_of(self.span(place).start));
        let around = [line(name), line(tool.registration.place)];
        let is_below = |note: &AliasNote| note.below.is_some_and(|below| below.contains(self.span(name)));
        notes.iter().find(|note| (around.contains(&Some(note.line)) || is_below(note)) && note.new != tool.name)
    }

    /// The name that a tool is called by now, where it is an alias.
    pub fn alias_of(&self, tool: &Tool) -> Option<String> {
        self.alias_note(tool).map(|note| note.new)
    }

    /// What stands below the comments of a file that speak of aliases, and may be an old name: with the present one, in which
    /// a server answers it whether it lists it or not.
    pub(super) fn answered(&self, id: FileId) -> Vec<(String, String)> {
        let notes = self.alias_notes(id);
        let (Some(file), Some(facts)) = (self.get(id).filter(|_| !notes.is_empty()), self.facts(id)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for note in notes {
            for item in &facts.items {
                let begins = |span: &Span| file.lines.line_of(span.shifted(item.start).start) == note.line;
                let calls = item.facts.calls.iter().filter(|call| begins(&call.span));
                let definitions = item.facts.definitions.iter().filter(|definition| begins(&definition.span));
                let own = note.below.filter(|below| below.start >= item.start).map(|it| it.relative_to(item.start));
                let spans = calls.clone().map(|call| call.span).chain(definitions.map(|it| it.span)).chain(own);
                let below: Vec<Span> = spans.collect();
                let compared = item.facts.comparisons.iter().filter(|comparison| {
                    begins(&comparison.span) || below.iter().any(|span| span.contains(comparison.span))
                });
                found.extend(compared.map(|comparison| (note.new.clone(), comparison.text.to_string())));
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

    /// The present name of the tool for which a case or a table's key stands below a comment that speaks of an alias.
    pub(super) fn stands_for(&self, case: &Dispatch) -> Option<String> {
        let file = self.get(case.place.file)?;
        let line = file.lines.line_of(self.span(case.place).start);
        let note = self.alias_notes(case.place.file).into_iter().find(|note| note.line == line)?;
        (note.new != *case.text).then_some(note.new)
    }

    /// How many days are left until a day; nothing of a version, and where nobody knows what day it is.
    pub fn days_to(&self, until: &str) -> Option<i64> {
        let day = NaiveDate::parse_from_str(until, "%Y-%m-%d").ok()?;
        Some(day.signed_duration_since(self.today?).num_days())
    }

    /// Whether the day, or the version of a file's package, has come.
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

/// Whether a text says when something ends: a day or a version.
pub fn is_day_or_version(until: &str) -> bool {
    // `2026-13-45` reads as a version that comes before 2026, and was meant as a day.
    let is_dated = until.split('-').count() == 3 && until.chars().all(|c| c.is_ascii_digit() || c == '-');
    match NaiveDate::parse_from_str(until, "%Y-%m-%d") {
        Ok(_) => true,
        Err(_) => !is_dated && client::version(until.strip_prefix('v').unwrap_or(until)).is_some(),
    }
}
