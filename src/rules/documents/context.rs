//! The context of a place in a document, judged by the words around it: whether the place describes the present or the
//! past, and whether it is about only some of the tools.

use crate::document::{Cell, Markdown};
use crate::text::Span;

/// Words in headings, or in the paragraph before a table, that mark content as no longer true.
const PAST: [&str; 11] = [
    "changelog",
    "deprecated",
    "former",
    "formerly",
    "history",
    "migration",
    "previous",
    "previously",
    "removed",
    "renamed",
    "retired",
];
/// Words that introduce a partial list.
const PART: [&str; 15] = [
    "common",
    "commonly",
    "destructive",
    "example",
    "examples",
    "few",
    "following",
    "important",
    "most",
    "new",
    "only",
    "read-only",
    "recommended",
    "selected",
    "some",
];
/// Words in explanations of the layers through which a tool's name reaches its users.
const LAYER: [&str; 9] =
    ["defined", "definition", "definitions", "forward", "forwarded", "forwards", "layer", "pattern", "short"];

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()).to_lowercase())
}

/// The words around a place.
pub(super) struct Context {
    /// The words of the headings above, then those of the line itself or of the paragraph before.
    words: Vec<String>,
    /// The number of words at the end that do not come from headings.
    own: usize,
    /// Whether the place is in prose; its context is then its own line.
    in_prose: bool,
    /// For a place in a table, the words of the headings of its columns, and of the short cells of its row.
    of_row: Vec<String>,
}

/// The maximum number of words in a cell that names a thing instead of describing one.
const SHORT: usize = 2;

impl Context {
    /// Returns the context of a place. It consists of the headings above the place and, in prose, the line of the place
    /// itself; for a table or a block, it includes the paragraph before it instead.
    pub(super) fn of(markdown: &Markdown, place: Span) -> Context {
        let mut headings: Vec<(u8, &str)> = Vec::new();
        let mut before = "";
        let mut in_prose = false;
        for prose in markdown.prose.iter().take_while(|prose| prose.span.start <= place.start) {
            match prose.heading {
                Some(level) => {
                    headings.retain(|(above, _)| *above < level);
                    headings.push((level, &prose.text));
                    before = "";
                }
                None if prose.span.contains(place) => {
                    let at = (place.start - prose.span.start) as usize;
                    let start = prose.text[..at.min(prose.text.len())].rfind('\n').map_or(0, |end| end + 1);
                    before = prose.text[start..].lines().next().unwrap_or("");
                    in_prose = true;
                }
                None => before = &prose.text,
            }
        }
        // Words in code spans do not count: they are the subject of the sentence.
        let said = |text: &str| -> Vec<String> { text.split('`').step_by(2).flat_map(words).collect() };
        let mut all: Vec<String> = headings.iter().flat_map(|(_, text)| said(text)).collect();
        let own = said(before);
        let count = own.len();
        all.extend(own);
        let row = markdown.tables.iter().find_map(|table| {
            let row = table.rows.iter().find(|row| row.span.contains(place))?;
            Some(table.header.iter().chain(&row.cells))
        });
        let is_short = |cell: &&Cell| cell.quote.is_empty() && words(&cell.text).count() <= SHORT;
        let of_row = row.into_iter().flatten().filter(is_short).flat_map(|cell| words(&cell.text)).collect();
        Context { words: all, own: count, in_prose, of_row }
    }

    /// Returns the context extended by one line of a block.
    pub(super) fn in_line(&self, line: &str) -> Context {
        let own: Vec<String> = words(line).collect();
        let count = self.own + own.len();
        let words = self.words.iter().cloned().chain(own).collect();
        Context { words, own: count, in_prose: self.in_prose, of_row: self.of_row.clone() }
    }

    fn has(&self, any: &[&str]) -> bool {
        self.words.iter().any(|word| any.contains(&word.as_str()))
    }

    /// Whether the place is about the past.
    pub(super) fn is_past(&self) -> bool {
        // A sentence about a current tool may mention that something was removed.
        let headings = &self.words[..self.words.len() - self.own];
        let said = if self.in_prose { headings } else { &self.words };
        said.iter().any(|word| PAST.contains(&word.as_str()))
    }

    /// Whether the place is about only some of the tools.
    pub(super) fn is_partial(&self) -> bool {
        self.has(&PART)
    }

    /// Whether the place explains the layers through which a tool's name reaches its users.
    pub(super) fn is_of_layers(&self) -> bool {
        self.has(&LAYER) || self.of_row.iter().any(|word| LAYER.contains(&word.as_str()))
    }
}
