//! Data documents: their values with their places.
//!
//! A settings file is read into a tree that keeps every span, comments and trailing commas are no errors, and a
//! file cut off in the middle still yields what stands before the cut.

mod json;
mod markdown;
mod toml;
mod typed;
mod yaml;

pub use self::json::{Json, closing_quote, parse_json, removal};
pub use self::markdown::{Cell, Code, Markdown, Prose, Row, Table, parse_markdown};
pub use self::toml::{TomlPart, TomlPlace, parse_toml, toml_place, toml_too_deep};
pub use self::typed::typed;
pub use self::yaml::{parse_front_matter, parse_yaml};
use crate::text::Span;

/// A value of a document. Spans count from the start of the file.
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
    /// `null`, a date.
    Other,
}

/// A place at which a document is not what it should be.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    pub span: Span,
    pub message: String,
}

/// A document of data, whoever reads it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Data {
    /// `None` where nothing can be read of it.
    pub root: Option<Node>,
    pub fault: Option<Fault>,
    /// Comments that speak to this program.
    pub directives: Vec<(Span, String)>,
    /// For each element of an array, in their order, what goes when it goes.
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

    /// What to delete so that an element of an array goes with its comma.
    pub fn removal(&self, element: Span) -> &[Span] {
        let found = self.removals.binary_search_by_key(&element, |(known, _)| *known);
        found.map_or(&[], |index| self.removals[index].1.as_slice())
    }
}

/// A string of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// As a program reads it.
    pub text: String,
    /// The characters between the quotes.
    pub span: Span,
    /// It has no escapes: every byte of the span is a byte of the text.
    pub verbatim: bool,
}

impl Node {
    /// What a document holds that says nothing.
    pub fn nothing() -> Node {
        Node { value: Value::Object(Vec::new()), span: Span::at(0) }
    }

    /// The same value of a document that begins `by` bytes further back.
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

    /// The member of an object; the last one of that name, as JSON readers do.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().rev().find(|(name, _)| name.text == key).map(|(_, value)| value)
    }

    /// A value deep inside: `at(["mcpServers", "github"])`.
    pub fn at<'k>(&self, path: impl IntoIterator<Item = &'k str>) -> Option<&Node> {
        path.into_iter().try_fold(self, |node, key| node.get(key))
    }

    /// The entries of an object; none for anything else.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (&Text, &Node)> {
        let entries = match &self.value {
            Value::Object(entries) => entries.as_slice(),
            _ => &[],
        };
        entries.iter().map(|(key, value)| (key, value))
    }

    /// The elements of an array; none for anything else.
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

    /// What kind of value this is, in words.
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

/// The comments of a text in which `#` begins one that speak to this program: what follows `toolnames:`, and where it
/// stands.
pub fn line_directives(text: &str) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let directive = line.find('#').and_then(|hash| {
            let (from, to) = crate::lower::directive(line[hash..].trim_end())?;
            Some((start + hash + from, start + hash + to))
        });
        found.extend(directive.map(|(from, to)| (Span::new(from, to), text[from..to].to_string())));
        start += line.len();
    }
    found
}
