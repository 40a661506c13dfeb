//! JSON as values of the program, in files and in strings.

use super::Machine;
use super::value::{Body, Slot, Table, Value};
use crate::document::{Node, Text, Value as Data, parse_json};
use crate::found::{Place, Traced};
use crate::syntax::Family;
use crate::text::Span;

/// A string from which many slices are taken, with the offsets of its parts.
struct Pieces<'t> {
    text: &'t Traced,
    /// Where each part of the text begins, in bytes.
    starts: Vec<usize>,
}

impl<'t> Pieces<'t> {
    fn of(text: &'t Traced) -> Pieces<'t> {
        let mut starts = Vec::with_capacity(text.parts.len());
        let mut at = 0;
        for part in &text.parts {
            starts.push(at);
            at += part.text.len();
        }
        Pieces { text, starts }
    }

    /// The part of the text in a span, with its origins.
    fn cut(&self, span: Span) -> Traced {
        let (start, end) = (span.start as usize, span.end as usize);
        let first = self.starts.partition_point(|at| *at <= start).saturating_sub(1);
        let last = self.starts.partition_point(|at| *at < end);
        let offset = self.starts.get(first).copied().unwrap_or_default();
        let around = Traced { parts: self.text.parts[first..last.max(first)].iter().cloned().collect() };
        around.cut(start - offset..end - offset)
    }
}

impl Machine<'_> {
    /// The value of a JSON text. Its strings come from where these parts of the text come from.
    pub(super) fn json_value(&mut self, traced: &Traced) -> Value {
        let text = &*traced.text();
        match parse_json(text).root {
            Some(root) => self.data_value(&root, &Pieces::of(traced)),
            None => match serde_json::from_str::<serde_json::Value>(text) {
                Ok(serde_json::Value::String(text)) => Value::made(&text),
                Ok(serde_json::Value::Number(number)) => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
                Ok(serde_json::Value::Bool(holds)) => Value::Bool(holds),
                Ok(serde_json::Value::Null) => Value::Null,
                _ => Value::unknown("data that cannot be read"),
            },
        }
    }

    /// The text of a file that a program reads.
    pub(super) fn text_of_file(&mut self, path: &str, text: &str) -> Value {
        match self.world.file(path) {
            Some(file) => {
                let span = Span { start: 0, end: text.len() as u32 };
                Value::text(Traced::literal(text.into(), Place { file, item: 0, span }))
            }
            None => Value::made(text),
        }
    }

    /// A value in a JSON text.
    fn data_value(&mut self, node: &Node, pieces: &Pieces<'_>) -> Value {
        let traced = |text: &Text| match text.verbatim && !text.text.is_empty() {
            true => Value::text(pieces.cut(text.span)),
            false => Value::made(&text.text),
        };
        match &node.value {
            Data::String(text) => traced(text),
            Data::Number(number) => number.parse().map_or(Value::unknown("a number"), Value::Number),
            Data::Boolean(holds) => Value::Bool(*holds),
            Data::Other => Value::Null,
            Data::Array(elements) => {
                let slots = elements.iter().map(|element| Slot::new(self.data_value(element, pieces))).collect();
                self.list(slots)
            }
            Data::Object(entries) => {
                let is_table = self.family != Family::TypeScript;
                let body = if is_table { Body::Table(Table::default()) } else { Body::Plain };
                let id = self.allocate(None, body);
                for (key, value) in entries {
                    let value = self.data_value(value, pieces);
                    let key = traced(key);
                    match is_table {
                        true => self.table_set(id, &key, value),
                        false => self.define(id, &key, value),
                    }
                }
                Value::Object(id)
            }
        }
    }
}
