//! TOML. A broken line is a fault; what stands around it is read all the same.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Fault, Node, Text, Value};
use crate::text::Span;

/// Reads a TOML document, as far as it can be read.
pub fn parse_toml(text: &str) -> (Node, Vec<Fault>) {
    let (table, errors) = DeTable::parse_recoverable(text);
    let whole = Span::new(0, text.len());
    let faults = errors
        .into_iter()
        .map(|error| {
            let span = error.span().map_or(whole, |range| Span::new(range.start, range.end));
            Fault { span, message: error.message().to_string() }
        })
        .collect();
    (Node { value: Value::Object(entries(table.get_ref(), text)), span: whole }, faults)
}

fn entries(table: &DeTable<'_>, text: &str) -> Vec<(Text, Node)> {
    let mut entries: Vec<(Text, Node)> = table
        .iter()
        .map(|(key, value)| {
            let range = key.span();
            let key = Text {
                text: key.get_ref().to_string(),
                span: inside_quotes(Span::new(range.start, range.end), text),
                verbatim: true,
            };
            (key, node(value, text))
        })
        .collect();
    entries.sort_by_key(|(key, _)| key.span);
    entries
}

fn node(value: &Spanned<DeValue<'_>>, text: &str) -> Node {
    let range = value.span();
    let span = Span::new(range.start, range.end);
    let value = match value.get_ref() {
        DeValue::String(content) => {
            let inside = inside_quotes(span, text);
            let verbatim = text.get(inside.range()) == Some(content.as_ref());
            Value::String(Text { text: content.to_string(), span: inside, verbatim })
        }
        DeValue::Integer(number) => Value::Number(number.as_str().to_string()),
        DeValue::Float(number) => Value::Number(number.as_str().to_string()),
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Datetime(_) => Value::Other,
        DeValue::Array(elements) => Value::Array(elements.iter().map(|element| node(element, text)).collect()),
        DeValue::Table(table) => Value::Object(entries(table, text)),
    };
    Node { value, span }
}

fn inside_quotes(span: Span, text: &str) -> Span {
    let written = text.get(span.range()).unwrap_or("");
    for quote in ["\"\"\"", "'''", "\"", "'"] {
        if written.len() >= 2 * quote.len() && written.starts_with(quote) && written.ends_with(quote) {
            return span.slice(quote.len(), written.len() - quote.len());
        }
    }
    // One that is being typed has no end yet.
    match written.starts_with(['"', '\'']) {
        true => span.slice(1, written.len()),
        false => span,
    }
}
