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
    /// The index of the list's element that is deleted to remove the entry; `None` if the element is unknown, or if the
    /// entry is only a part of it.
    pub(super) element: Option<u32>,
    /// The span to copy for a similar entry: the string itself, the object around it, a key with its value, or the
    /// content of a TOML table. `None` if this span would contain other entries too or is unknown.
    pub(super) pattern: Option<Span>,
    /// Whether the object around the string has keys that the list does not use: the entry may apply to some calls
    /// only.
    pub has_conditions: bool,
}

/// The layout of the strings of a list. The edits of a string are computed from it on demand, since a list may have
/// thousands of strings, of which few are edited.
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
    /// This text, between any two strings.
    Always(SmolStr),
}

impl Entry {
    /// An entry that is a string, without a known element; `None` if the node is not a string.
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
