//! The spellings of names, and what can be part of a name.

use super::protocol;
use crate::name::Case;

/// A case, and the separator between words; `None` for any.
type Spelling = (Option<Case>, Option<&'static str>);

/// The spellings of names: the word for each, and its meaning.
pub(super) const CASES: [(&str, &str, Spelling); 6] = [
    ("snake", "`snake_case`", (Some(Case::Lower), Some("_"))),
    ("lower", "Lower case, with any separator.", (Some(Case::Lower), None)),
    ("kebab", "`kebab-case`", (Some(Case::Lower), Some("-"))),
    ("camel", "`camelCase`", (Some(Case::Camel), Some(""))),
    ("pascal", "`PascalCase`", (Some(Case::Pascal), Some(""))),
    ("any", "Any case and separator.", (None, None)),
];

/// Returns the reason why a string cannot be part of a name; `None` if it can.
pub(super) fn stands_in_names(text: &str) -> Option<String> {
    let is_of_names = |c: char| protocol::is_protocol_char(c) || c.is_ascii_punctuation();
    text.chars().find(|c| !is_of_names(*c)).map(|character| format!("`{character}` cannot be part of a name"))
}

/// Returns the reason why a string cannot be a word of a name; `None` if it can.
pub(super) fn word_of_names(word: &str) -> Option<String> {
    if word.is_empty() { Some("expected a word; this one is empty".to_string()) } else { stands_in_names(word) }
}
