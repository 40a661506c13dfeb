//! Data documents: their values, with spans.
//!
//! A settings file is read into a tree that keeps every span. Comments and trailing commas are not errors, and a file
//! that is cut off in the middle still yields everything before the cut.

mod contrast;
mod json;
mod layout;
mod markdown;
pub(crate) mod table;
mod toml;
mod typed;
mod yaml;

pub(crate) use self::contrast::{is_in_row, is_rejected, is_shown_as_wrong};
pub use self::json::parse_json;
pub(crate) use self::json::{Json, closing_quote, removal};
pub(crate) use self::layout::padding;
pub use self::markdown::parse_markdown;
pub(crate) use self::markdown::{Cell, Code, Markdown, Prose, Row, Table};
pub(crate) use self::toml::{TomlPart, TomlPlace, toml_too_deep};
pub use self::toml::{parse_toml, toml_place};
pub(crate) use self::typed::typed;
pub use self::yaml::{parse_front_matter, parse_yaml};
use crate::text::Span;

/// A value of a document. Spans count bytes from the start of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub value: Value,
    /// The value as written, with its quotes or brackets.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    String(Text),
    Array(Vec<Node>),
    Object(Vec<(Text, Node)>),
    Boolean(bool),
    /// A number, as written.
    Number(String),
    /// Any other value: `null`, a date.
    Other,
}

/// A place where a document is invalid, with the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    pub span: Span,
    pub message: String,
}

/// A JSON document, with the edits that remove elements of its arrays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Data {
    /// The value; `None` if nothing of the document can be read.
    pub root: Option<Node>,
    pub fault: Option<Fault>,
    /// The directives in comments: the text after `toolnames:`, and its span.
    pub directives: Vec<(Span, String)>,
    /// The spans to delete with each element of an array, sorted by the span of the element.
    removals: Vec<(Span, Vec<Span>)>,
}

impl Data {
    /// Reads a JSON document.
    pub fn read(text: &str) -> Data {
        let Json { root, fault, directives } = parse_json(text);
        let mut removals = Vec::new();
        let mut open: Vec<&Node> = root.iter().collect();
        while let Some(node) = open.pop() {
            let elements = node.elements();
            let spans: Vec<Span> = elements.iter().map(|element| element.span).collect();
            removals.extend((0..spans.len()).map(|index| (spans[index], removal(&spans, index, text))));
            open.extend(elements.iter().chain(node.entries().map(|(_, value)| value)));
        }
        removals.sort_by_key(|(element, _)| *element);
        Data { directives, root, fault, removals }
    }

    /// Returns the spans to delete in order to remove an element of an array with its comma; empty if that is not
    /// possible.
    pub fn removal(&self, element: Span) -> &[Span] {
        let found = self.removals.binary_search_by_key(&element, |(known, _)| *known);
        found.map_or(&[], |index| self.removals[index].1.as_slice())
    }
}

/// A string of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The text after escapes are resolved.
    pub text: String,
    /// The span between the quotes.
    pub span: Span,
    /// Whether the string has no escapes, so that the bytes of the span are the bytes of the text.
    pub verbatim: bool,
}

impl Node {
    /// Returns an empty object, for a document without settings.
    pub fn nothing() -> Node {
        Node { value: Value::Object(Vec::new()), span: Span::at(0) }
    }

    /// Returns the value with every span moved `by` bytes towards the end of the file.
    pub fn shifted(self, by: u32) -> Node {
        let text = |text: Text| Text { span: text.span.shifted(by), ..text };
        let value = match self.value {
            Value::String(string) => Value::String(text(string)),
            Value::Array(elements) => Value::Array(elements.into_iter().map(|element| element.shifted(by)).collect()),
            Value::Object(entries) => {
                Value::Object(entries.into_iter().map(|(key, value)| (text(key), value.shifted(by))).collect())
            }
            value => value,
        };
        Node { value, span: self.span.shifted(by) }
    }

    /// Returns the member of an object with this key; the last one if there are several, as JSON readers do.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().rev().find(|(name, _)| name.text == key).map(|(_, value)| value)
    }

    /// Returns a nested value: `at(["mcpServers", "github"])`.
    pub fn at<'k>(&self, path: impl IntoIterator<Item = &'k str>) -> Option<&Node> {
        path.into_iter().try_fold(self, |node, key| node.get(key))
    }

    /// Returns the entries of an object; empty for any other value.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (&Text, &Node)> {
        let entries = match &self.value {
            Value::Object(entries) => entries.as_slice(),
            _ => &[],
        };
        entries.iter().map(|(key, value)| (key, value))
    }

    /// Returns the elements of an array; empty for any other value.
    pub fn elements(&self) -> &[Node] {
        match &self.value {
            Value::Array(elements) => elements,
            _ => &[],
        }
    }

    pub fn as_text(&self) -> Option<&Text> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the strings of a list, or a single string.
    pub fn words(&self) -> impl Iterator<Item = &Text> {
        self.as_text().into_iter().chain(self.elements().iter().filter_map(Node::as_text))
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Boolean(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_usize(&self) -> Option<usize> {
        match &self.value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        self.as_text().map(|text| text.text.as_str())
    }

    /// Returns the kind of value as messages name it: `a string`.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
            Value::Boolean(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Other => "neither text nor number",
        }
    }
}

/// Returns the directives in the comments of a text in which `#` begins a comment: the text after `toolnames:`, and its
/// span.
pub fn line_directives(text: &str) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let directive = line.find('#').and_then(|hash| {
            let (from, to) = crate::directive::within(line[hash..].trim_end())?;
            Some((start + hash + from, start + hash + to))
        });
        found.extend(directive.map(|(from, to)| (Span::new(from, to), text[from..to].to_string())));
        start += line.len();
    }
    found
}
