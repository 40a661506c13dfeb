//! What a place of a document speaks of, as the words around it say: what is so, what was so, or what is wrong.

use crate::document::Markdown;
use crate::text::Span;

/// Words that lead to forms which are shown because nobody should write them.
const WRONG: [&str; 14] = [
    "❌",
    "✗",
    "✘",
    "🚫",
    "wrong",
    "incorrect",
    "invalid",
    "bad",
    "mistake",
    "mistakes",
    "never",
    "avoid",
    "instead",
    "pitfalls",
];
/// Words that lead to what is no longer so.
const PAST: [&str; 18] = [
    "changelog",
    "changes",
    "deprecated",
    "former",
    "formerly",
    "history",
    "migrate",
    "migrating",
    "migration",
    "old",
    "previous",
    "previously",
    "removed",
    "renamed",
    "retired",
    "upgrading",
    "was",
    "were",
];
/// Words that lead to some of what there is.
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
/// Words of what is said of the layers between a name and its users.
const LAYER: [&str; 9] =
    ["defined", "definition", "definitions", "forward", "forwarded", "forwards", "layer", "pattern", "short"];

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()).to_lowercase())
}

/// The words around a place.
pub(super) struct Context {
    words: Vec<String>,
}

impl Context {
    /// Of a table or block: the headings above it, and the paragraph before it. Of a place in prose: the headings, and
    /// its own line.
    pub(super) fn of(markdown: &Markdown, place: Span) -> Context {
        let mut headings: Vec<(u8, &str)> = Vec::new();
        let mut before = "";
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
                }
                None => before = &prose.text,
            }
        }
        let texts = headings.iter().map(|(_, text)| *text).chain([before]);
        // What stands in code is the subject, and not what is said of it.
        Context { words: texts.flat_map(|text| text.split('`').step_by(2)).flat_map(words).collect() }
    }

    /// Of one line of a block, too.
    pub(super) fn in_line(&self, line: &str) -> Context {
        Context { words: self.words.iter().cloned().chain(words(line)).collect() }
    }

    fn has(&self, any: &[&str]) -> bool {
        self.words.iter().any(|word| any.contains(&word.as_str()))
    }

    /// It shows what nobody should write.
    pub(super) fn is_wrong(&self) -> bool {
        self.has(&WRONG)
    }

    /// It says what was.
    pub(super) fn is_past(&self) -> bool {
        self.has(&PAST)
    }

    /// It says something of a part of all there is.
    pub(super) fn is_partial(&self) -> bool {
        self.has(&PART)
    }

    /// It explains the layers between a tool's name and its users.
    pub(super) fn is_of_layers(&self) -> bool {
        self.has(&LAYER)
    }
}
