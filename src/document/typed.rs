//! Conversion of a part of a document to a type of this program. A value that does not fit is a fault at its place, and
//! the message suggests the nearest word that would fit.

use std::cell::RefCell;
use std::fmt::Display;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::{Fault, Node, Value};
use crate::name::nearest;
use crate::text::Span;

/// Reads a value. A key that the type does not have is a fault, and the rest is still read; `None` if anything else is
/// wrong.
pub(crate) fn typed<T: DeserializeOwned>(node: &Node, faults: &mut Vec<Fault>) -> Option<T> {
    let found = RefCell::new(Vec::new());
    let value = T::deserialize(At { node, faults: &found });
    faults.append(&mut found.into_inner());
    match value {
        Ok(value) => Some(value),
        // A misspelt required key is not reported as missing, too.
        Err(misfit) if faults.iter().any(|fault| misfit.is_answered_by(fault)) => None,
        Err(misfit) => {
            faults.push(Fault { span: misfit.span.unwrap_or(node.span), message: misfit.message });
            None
        }
    }
}

/// The reason why a value does not fit its type.
#[derive(Debug)]
struct Misfit {
    /// The span of the value; `None` until it is known.
    span: Option<Span>,
    message: String,
}

impl Misfit {
    /// Sets the span of the misfit, unless it is known. If the message begins with a word in backquotes that occurs in
    /// the value, it is the span of this word, otherwise the span of the value.
    fn of(self, node: &Node) -> Misfit {
        let word = || {
            let text = node.as_text().filter(|text| text.verbatim)?;
            let word = self.message.strip_prefix('`')?.split('`').next().filter(|word| !word.is_empty())?;
            let start = text.text.find(word)?;
            Some(Span::new(start, start + word.len()).shifted(text.span.start))
        };
        let span = self.span.or_else(word).or(Some(node.span));
        Misfit { span, ..self }
    }

    /// Whether the misfit is a missing key that a fault already proposes as the correction of another key.
    fn is_answered_by(&self, fault: &Fault) -> bool {
        let missing = self.message.strip_suffix(" is missing");
        missing.is_some_and(|key| fault.message.ends_with(&format!("did you mean {key}?")))
    }
}

impl Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Misfit {}

impl de::Error for Misfit {
    fn custom<T: Display>(message: T) -> Misfit {
        Misfit { span: None, message: message.to_string() }
    }

    fn invalid_type(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Misfit {
        // The names that TOML and JSON use.
        let expected = match expected.to_string().as_str() {
            "a sequence" => "a list".to_string(),
            "a map" => "a table".to_string(),
            number
                if number.starts_with(['i', 'u', 'f']) && number.contains(|c: char| c.is_ascii_digit())
                    || number.ends_with("size") =>
            {
                "a whole number, 0 or more".to_string()
            }
            other => other.to_string(),
        };
        Misfit::custom(format!("expected {expected}"))
    }

    fn invalid_value(unexpected: de::Unexpected<'_>, expected: &dyn de::Expected) -> Misfit {
        Misfit::invalid_type(unexpected, expected)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Misfit {
        Misfit::custom(unknown("value", variant, expected))
    }

    fn missing_field(field: &'static str) -> Misfit {
        Misfit::custom(format!("`{field}` is missing"))
    }
}

/// The maximum number of words that a message lists.
const MOST_LISTED: usize = 12;

/// Returns the message for a word that is not among the known ones.
pub(super) fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("unknown {what} `{word}`; did you mean `{near}`?"),
        None if known.len() > MOST_LISTED => format!("unknown {what} `{word}`"),
        None => format!("unknown {what} `{word}`; there are {}", known.join(", ")),
    }
}

/// A value of a document, as a deserializer for serde.
#[derive(Clone, Copy)]
struct At<'n> {
    node: &'n Node,
    faults: &'n RefCell<Vec<Fault>>,
}

impl<'n> At<'n> {
    fn inner(self, node: &'n Node) -> At<'n> {
        At { node, ..self }
    }
}

impl<'de> Deserializer<'de> for At<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        let node = self.node;
        let value = match &node.value {
            Value::String(text) => visitor.visit_borrowed_str(&text.text),
            Value::Boolean(value) => visitor.visit_bool(*value),
            Value::Number(text) => match text.parse::<i64>() {
                Ok(number) => visitor.visit_i64(number),
                Err(_) => visitor.visit_f64(text.parse().unwrap_or(f64::NAN)),
            },
            Value::Array(elements) => visitor.visit_seq(Elements { list: self, left: elements.iter() }),
            Value::Object(_) => visitor.visit_map(Entries::of(self, None)),
            Value::Other => visitor.visit_unit(),
        };
        value.map_err(|misfit| misfit.of(node))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.node.value {
            Value::Object(_) => {
                visitor.visit_map(Entries::of(self, Some(fields))).map_err(|misfit| misfit.of(self.node))
            }
            _ => Err(Misfit { span: Some(self.node.span), message: "expected a table".to_string() }),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let expected = || Misfit::custom(format!("expected one of {}", variants.join(", "))).of(self.node);
        let word: StrDeserializer<'_, Misfit> = self.node.as_str().ok_or_else(expected)?.into_deserializer();
        let value = word.deserialize_enum(name, variants, visitor);
        value.map_err(|misfit| Misfit { span: Some(self.node.span), ..misfit })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

/// The elements of a list.
struct Elements<'n> {
    list: At<'n>,
    left: std::slice::Iter<'n, Node>,
}

impl<'de> SeqAccess<'de> for Elements<'de> {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Misfit> {
        let Some(element) = self.left.next() else { return Ok(None) };
        seed.deserialize(self.list.inner(element)).map(Some).map_err(|misfit| misfit.of(element))
    }
}

/// The entries of a table.
struct Entries<'n> {
    table: At<'n>,
    left: std::slice::Iter<'n, (super::Text, Node)>,
    /// The keys that the table may have; `None` if it may have any.
    fields: Option<&'static [&'static str]>,
    value: Option<&'n Node>,
}

impl<'n> Entries<'n> {
    fn of(table: At<'n>, fields: Option<&'static [&'static str]>) -> Entries<'n> {
        let entries = match &table.node.value {
            Value::Object(entries) => entries.as_slice(),
            _ => &[],
        };
        // Unknown keys are all reported, even if a value is wrong.
        if let Some(fields) = fields {
            let other = entries.iter().map(|(key, _)| key).filter(|key| !fields.contains(&key.text.as_str()));
            let fault = |key: &super::Text| Fault { span: key.span, message: unknown("key", &key.text, fields) };
            table.faults.borrow_mut().extend(other.map(fault));
        }
        Entries { table, left: entries.iter(), fields, value: None }
    }
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misfit> {
        for (key, value) in self.left.by_ref() {
            if self.fields.is_some_and(|fields| !fields.contains(&key.text.as_str())) {
                continue;
            }
            self.value = Some(value);
            let word: StrDeserializer<'_, Misfit> = key.text.as_str().into_deserializer();
            return seed.deserialize(word).map(Some).map_err(|misfit| Misfit { span: Some(key.span), ..misfit });
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        let node = self.value.take().unwrap_or(self.table.node);
        seed.deserialize(self.table.inner(node)).map_err(|misfit| misfit.of(node))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;
    use crate::document::parse_toml;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Row {
        id: String,
        side: Side,
        #[serde(default)]
        lengths: Vec<usize>,
        parent: Option<Box<Row>>,
        #[serde(default)]
        words: BTreeMap<String, bool>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Side {
        Left,
        RightHand,
    }

    #[track_caller]
    fn read(text: &str) -> (Option<Row>, Vec<(&str, String)>) {
        let (node, faults) = parse_toml(text);
        assert_eq!(faults, []);
        let mut faults = Vec::new();
        let row = typed(&node, &mut faults);
        (row, faults.into_iter().map(|fault| (&text[fault.span.range()], fault.message)).collect())
    }

    #[test]
    fn values_become_what_their_type_says() {
        let text = "id = 'a'\nside = 'right-hand'\nlengths = [1, 2]\nwords = { yes = true }\n[parent]\nid = 'b'\nside = 'left'\n";
        let (row, faults) = read(text);
        let parent =
            Row { id: "b".into(), side: Side::Left, lengths: vec![], parent: None, words: BTreeMap::default() };
        let words = [("yes".to_string(), true)].into();
        let whole =
            Row { id: "a".into(), side: Side::RightHand, lengths: vec![1, 2], parent: Some(Box::new(parent)), words };
        assert_eq!((row, faults), (Some(whole), vec![]));
    }

    #[test]
    fn every_unknown_key_is_a_fault_where_it_is_written_and_the_rest_is_read() {
        let (row, faults) =
            read("id = 'a'\nside = 'left'\nlenghts = [1]\nx = 1\n[parent]\nid = 'b'\nsid = 1\nside = 'left'\n");
        assert!(row.is_some_and(|row| row.lengths.is_empty() && row.parent.is_some()));
        let said: Vec<_> = faults.iter().map(|(at, message)| (*at, message.as_str())).collect();
        assert_eq!(
            said,
            [
                ("lenghts", "unknown key `lenghts`; did you mean `lengths`?"),
                ("x", "unknown key `x`; there are id, side, lengths, parent, words"),
                ("sid", "unknown key `sid`; did you mean `side`?"),
            ]
        );
    }

    #[test]
    fn a_value_of_another_kind_is_a_fault_where_it_is_written() {
        for (text, at, message) in [
            ("id = 'a'\nside = 'right-hnd'\n", "'right-hnd'", "unknown value `right-hnd`; did you mean `right-hand`?"),
            ("id = 'a'\nside = 3\n", "3", "expected one of left, right-hand"),
            ("id = 'a'\nside = 'left'\nlengths = [1, 'b']\n", "'b'", "expected a whole number, 0 or more"),
            ("id = 'a'\nside = 'left'\nlengths = 1\n", "1", "expected a list"),
            ("id = 'a'\nside = 'left'\nparent = 'b'\n", "'b'", "expected a table"),
        ] {
            let (row, faults) = read(text);
            assert_eq!((row, faults), (None, vec![(at, message.to_string())]));
        }
        assert_eq!(read("side = 'left'\n").1[0].1, "`id` is missing");
    }
}
