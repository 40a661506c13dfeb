//! A string of a permission list, and its place in the file.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::document::{Node, Text};
use crate::text::Span;

/// A string of a permission list.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub text: Text,
    /// The string with its quotes.
    pub whole: Span,
    /// The index of the list's element to remove with the entry; `None` if that is not known, or if the entry is a part
    /// of something larger.
    pub(super) element: Option<u32>,
    /// The element after which a similar one can be written, if everything that belongs to it is in one piece: an
    /// object around the string, a key with its value, or the content of a TOML table.
    pub(super) pattern: Option<Span>,
    /// Whether the object around the string has keys that the list does not use: the entry may apply to some calls
    /// only.
    pub has_conditions: bool,
}

/// The layout of the strings of a list. The edits of a string are computed on demand: a list has thousands of them, and
/// few are edited.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    /// The text of the file.
    pub(super) text: Arc<str>,
    /// All elements of the list, including those that are not strings.
    pub(super) elements: Arc<[Span]>,
    /// The separator to write between two strings; `None` if no string can be added next to another.
    pub(super) parting: Option<Parting>,
    /// Whether the strings are in objects.
    pub(super) in_objects: bool,
    /// Whether the strings are keys with values.
    pub(super) is_keyed: bool,
}

/// The separator of the strings of a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Parting {
    /// A comma, and the indentation of the string if it is on a line of its own.
    Comma,
    /// The same text for all strings.
    Always(SmolStr),
}

impl Entry {
    /// An entry that is a string, without a known element.
    pub(super) fn new(named: &Node) -> Option<Entry> {
        let text = named.as_text()?.clone();
        Some(Entry { text, whole: named.span, element: None, pattern: None, has_conditions: false })
    }

    /// An entry that is a key with a value.
    pub(super) fn keyed(key: &Text, value: &Node, text: &str) -> Entry {
        let is_quoted = text[..key.span.start as usize].ends_with(['"', '\'']);
        // Include the character on each side of the key, usually a quote.
        let before = text[..key.span.start as usize].chars().next_back().map_or(0, char::len_utf8);
        let after = text[key.span.end as usize..].chars().next().map_or(0, char::len_utf8);
        Entry {
            text: key.clone(),
            whole: Span::new(key.span.start as usize - before, key.span.end as usize + after),
            element: None,
            pattern: Some(Span { start: key.span.start - u32::from(is_quoted), end: value.span.end }),
            has_conditions: false,
        }
    }
}

impl Layout {
    /// The layout of a list of consecutive strings.
    pub(super) fn of(text: Arc<str>, elements: &[Node], parting: Option<Parting>) -> Layout {
        let elements = elements.iter().map(|element| element.span).collect();
        Layout { text, elements, parting, in_objects: false, is_keyed: false }
    }
}
