//! Tools that are aliases under an old name, as marked by the comments above them.

use crate::client;
use crate::directive::OF_ALIAS;
use crate::text::{LineIndex, Span};
use chrono::NaiveDate;
use rustc_hash::FxHashMap;

/// A comment that marks what is below it as an alias: `toolnames: alias of NEW [until WHEN]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AliasNote {
    /// The span of the comment's text, without the comment marker and the word that identifies it.
    pub span: Span,
    /// The present name of the tool.
    pub new: String,
    /// The span and text of the date or version from which the old name no longer exists.
    pub until: Option<(Span, String)>,
    /// The line that the comment refers to, 0-based.
    pub line: u32,
    /// The span of the item that the comment refers to, if it is known.
    pub below: Option<Span>,
}

/// The alias comments of a file, in order, with lookups for what they refer to.
#[derive(Debug, Default)]
pub(super) struct AliasNotes {
    pub(super) all: Vec<AliasNote>,
    pub(super) by_line: FxHashMap<u32, Vec<usize>>,
    /// For each comment, the span that it refers to, its index in `all`, and the greatest end of this and all earlier
    /// spans; sorted.
    below: Vec<(Span, usize, u32)>,
}

impl AliasNotes {
    /// Reads the alias comments among the directives of a file, each given by its span and its text. `below` maps the
    /// span of a directive to that of the item it refers to.
    pub(super) fn of(directives: Vec<(Span, String)>, below: &FxHashMap<Span, Span>, lines: &LineIndex) -> AliasNotes {
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
        let mut notes = AliasNotes { all: directives.into_iter().filter_map(note).collect(), ..Self::default() };
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

    /// Of the comments that `is_right` accepts, returns the nearest one whose item contains `name`, or else the first
    /// one for a line in `begins`.
    pub(super) fn first(
        &self,
        begins: &[u32],
        name: Span,
        is_right: &dyn Fn(&AliasNote) -> bool,
    ) -> Option<&AliasNote> {
        let on_lines = begins.iter().filter_map(|line| self.by_line.get(line)).flatten().copied();
        let up_to = self.below.partition_point(|(span, ..)| span.start <= name.start);
        let around = self.below[..up_to].iter().rev().take_while(|(.., greatest)| *greatest >= name.end);
        let around = around.filter(|(span, ..)| span.contains(name)).map(|(_, index, _)| *index);
        let is_right = |index: &usize| is_right(&self.all[*index]);
        let nearest = around.filter(is_right).max();
        nearest.or_else(|| on_lines.filter(is_right).min()).map(|index| &self.all[index])
    }
}

/// Whether a text is a date or a version, and thus says when something ends.
pub(crate) fn is_day_or_version(until: &str) -> bool {
    // `2026-13-45` parses as a version lower than 2026, but was meant as a date.
    let is_dated = until.split('-').count() == 3 && until.chars().all(|c| c.is_ascii_digit() || c == '-');
    match NaiveDate::parse_from_str(until, "%Y-%m-%d") {
        Ok(_) => true,
        Err(_) => !is_dated && client::version(until.strip_prefix('v').unwrap_or(until)).is_some(),
    }
}
