//! TOML. A line with an error is a fault; the lines around it are still read.

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toml_parser::Source;
use toml_parser::lexer::{Token, TokenKind};

use super::{Fault, Node, Text, Value};
use crate::text::Span;

/// The maximum number of brackets that may be open at once. The parser recurses for each of them, and more deeply when
/// it recovers from an error than otherwise.
const MAX_BRACKETS: usize = 100;

/// The maximum size in bytes of a document that is read although it has errors.
const LARGE: usize = 128 * 1024;

/// Returns a fault at the first bracket that is nested too deeply to be read; `None` if there is none.
pub(crate) fn toml_too_deep(text: &str) -> Option<Fault> {
    let mut open = 0_usize;
    for token in Source::new(text).lex() {
        match token.kind() {
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => open += 1,
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => open = open.saturating_sub(1),
            _ => {}
        }
        if open > MAX_BRACKETS {
            let span = Span::new(token.span().start(), token.span().end());
            return Some(Fault { span, message: format!("more than {MAX_BRACKETS} brackets are open at once") });
        }
    }
    None
}

/// Reads a TOML document, as far as it can be read.
pub fn parse_toml(text: &str) -> (Node, Vec<Fault>) {
    if let Some(fault) = toml_too_deep(text) {
        return (Node { value: Value::Object(Vec::new()), span: Span::new(0, text.len()) }, vec![fault]);
    }
    let whole = Span::new(0, text.len());
    // Recovering takes memory for every fault, and every byte may be a fault.
    let (table, errors) = match text.len() > LARGE {
        true => match DeTable::parse(text) {
            Ok(table) => (table, Vec::new()),
            Err(error) => (Spanned::new(whole.range(), DeTable::default()), vec![error]),
        },
        false => DeTable::parse_recoverable(text),
    };
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
            // A line break right after three quotes is not part of the text.
            let opened = &written[quote.len()..written.len() - quote.len()];
            let skipped =
                ["\r\n", "\n"].into_iter().find(|line_break| quote.len() == 3 && opened.starts_with(line_break));
            return span.slice(quote.len() + skipped.map_or(0, str::len), written.len() - quote.len());
        }
    }
    // A string that is being typed has no closing quote yet.
    match written.starts_with(['"', '\'']) {
        true => span.slice(1, written.len()),
        false => span,
    }
}

/// The part of a TOML document that is written at an offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TomlPlace {
    /// The keys that lead to the part, from the root of the document. Elements of a list have no key of their own.
    pub keys: Vec<String>,
    pub part: TomlPart,
    /// The span of the text written there so far, without quotes; empty between two tokens.
    pub span: Span,
    /// Whether this text is in quotes.
    pub quoted: bool,
    /// The keys before this part in the same table.
    pub beside: Vec<String>,
    /// Whether the part is directly in a list whose closing bracket comes later or is missing.
    pub in_list: bool,
}

/// A part of a TOML document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TomlPart {
    /// The name of a table, `[servers]`, or a part of a dotted one.
    Header,
    /// The name of a list of tables, `[[paths]]`.
    ListHeader,
    /// A key of the table that the keys lead to.
    Key,
    /// The value that the keys lead to, or an element of it.
    Value,
}

/// Returns the part of a document that is being written at a byte offset, however incomplete the document is. `None` if
/// nothing can be written there: in a comment, after a value.
pub fn toml_place(text: &str, offset: usize) -> Option<TomlPlace> {
    let mut reader = PlaceReader::default();
    let mut begins_line = true;
    for token in Source::new(text).lex() {
        let (start, end) = (token.span().start(), token.span().end());
        if start > offset || token.kind() == TokenKind::Eof {
            break;
        }
        let word = is_word(&token).then(|| inside_quotes(Span::new(start, end), text));
        if let Some(word) = word.filter(|word| word.touches(offset as u32)) {
            return reader.place(word, word != Span::new(start, end));
        }
        if start >= offset {
            break;
        }
        if token.kind() == TokenKind::Comment && offset <= end {
            return None;
        }
        reader.take(token.kind(), word.and_then(|word| text.get(word.range())), begins_line);
        begins_line = token.kind() == TokenKind::Newline;
    }
    reader.place(Span::new(offset, offset), false)
}

fn is_word(token: &Token) -> bool {
    use TokenKind::{Atom, BasicString, LiteralString, MlBasicString, MlLiteralString};
    matches!(token.kind(), Atom | BasicString | LiteralString | MlBasicString | MlLiteralString)
}

/// Follows a document token by token, and keeps track of the current place.
#[derive(Default)]
struct PlaceReader {
    /// The keys of the table that statements belong to.
    table: Vec<String>,
    /// The keys of `table` that have been read.
    seen: Vec<String>,
    /// The names of a header that is not closed yet; `None` outside headers.
    header: Option<Vec<String>>,
    /// Whether that header has two brackets.
    is_list_header: bool,
    /// Inline tables and lists that are not closed yet.
    open: Vec<Opened>,
    /// The keys of the current statement, as far as it was read.
    keys: Vec<String>,
    /// Whether a value comes next.
    is_value: bool,
    /// Whether no word can come next, only a dot, `=`, a comma or the next line.
    is_whole: bool,
}

struct Opened {
    is_list: bool,
    /// The keys that lead to the inline table or list.
    keys: Vec<String>,
    /// The keys of the inline table so far.
    seen: Vec<String>,
}

impl PlaceReader {
    fn take(&mut self, kind: TokenKind, word: Option<&str>, begins_line: bool) {
        let in_list = self.open.last().is_some_and(|open| open.is_list);
        match kind {
            TokenKind::Newline if self.open.is_empty() => {
                let (table, seen) = (std::mem::take(&mut self.table), std::mem::take(&mut self.seen));
                *self = PlaceReader { table, seen, ..PlaceReader::default() };
            }
            // An inline table above was left open.
            TokenKind::LeftSquareBracket if begins_line && !in_list => {
                *self = PlaceReader { header: Some(Vec::new()), ..PlaceReader::default() };
            }
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket if self.is_value => {
                let is_list = kind == TokenKind::LeftSquareBracket;
                self.open.push(Opened { is_list, keys: std::mem::take(&mut self.keys), seen: Vec::new() });
                (self.is_value, self.is_whole) = (is_list, false);
            }
            TokenKind::LeftSquareBracket if self.open.is_empty() && self.keys.is_empty() => {
                self.is_list_header = self.header.is_some();
                self.header.get_or_insert_default();
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                if let Some(header) = self.header.take() {
                    (self.table, self.seen) = (header, Vec::new());
                } else if let Some(closed) = self.open.pop() {
                    (self.keys, self.is_value) = (closed.keys, true);
                }
                self.is_whole = true;
            }
            TokenKind::Comma => {
                self.keys.clear();
                (self.is_value, self.is_whole) = (in_list, false);
            }
            TokenKind::Equals => (self.is_value, self.is_whole) = (true, false),
            TokenKind::Dot => self.is_whole = self.is_value,
            _ => {
                let Some(word) = word else { return };
                match &mut self.header {
                    Some(header) => header.push(word.to_string()),
                    None if !self.is_value => {
                        let seen = self.open.last_mut().map_or(&mut self.seen, |open| &mut open.seen);
                        if self.keys.is_empty() {
                            seen.push(word.to_string());
                        }
                        self.keys.push(word.to_string());
                    }
                    None => {}
                }
                self.is_whole = true;
            }
        }
    }

    fn place(&self, span: Span, quoted: bool) -> Option<TomlPlace> {
        if self.is_whole {
            return None;
        }
        let (keys, part) = match &self.header {
            Some(header) => {
                let part = if self.is_list_header { TomlPart::ListHeader } else { TomlPart::Header };
                (header.clone(), part)
            }
            None => {
                let outer = self.table.iter().chain(self.open.iter().flat_map(|open| &open.keys));
                let part = if self.is_value { TomlPart::Value } else { TomlPart::Key };
                (outer.chain(&self.keys).cloned().collect(), part)
            }
        };
        let open = self.open.last();
        let beside = open.map_or(&self.seen, |open| &open.seen).clone();
        Some(TomlPlace { keys, part, span, quoted, beside, in_list: open.is_some_and(|open| open.is_list) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the part, the keys and the text written so far at the mark `|`.
    fn place(marked: &str) -> String {
        let offset = marked.find('|').unwrap();
        let text = marked.replacen('|', "", 1);
        match toml_place(&text, offset) {
            Some(place) => {
                let quotes = if place.quoted { "\"" } else { "" };
                let written = &text[place.span.range()];
                format!("{:?} {} {quotes}{written}{quotes}", place.part, place.keys.join("."))
            }
            None => "nothing".to_string(),
        }
    }

    #[test]
    fn what_is_nested_too_deep_is_a_fault_and_not_read() {
        for unit in ["a={[a]\n-", "a = [", "a = {b = ["] {
            let (node, faults) = parse_toml(&unit.repeat(20_000));
            assert_eq!(faults.len(), 1);
            assert_eq!(faults[0].message, "more than 100 brackets are open at once");
            assert_eq!(node.value, Value::Object(Vec::new()));
        }
        assert!(toml_too_deep(&"a = [[1], [{ b = [] }]]\n".repeat(1_000)).is_none());
    }

    #[test]
    fn keys_values_and_headers_are_told_apart() {
        assert_eq!(place("pro|"), "Key  pro");
        assert_eq!(place("[rules]\nname-ch|ars = \"off\"\n"), "Key rules name-chars");
        assert_eq!(place("[rules]\nname-chars = \"o|ff\"\n"), "Value rules.name-chars \"off\"");
        assert_eq!(place("[rules]\nname-chars = |\n"), "Value rules.name-chars ");
        assert_eq!(place("[rules]\nname-chars = of|"), "Value rules.name-chars of");
        assert_eq!(place("[cli|"), "Header  cli");
        assert_eq!(place("[clients.|]\n"), "Header clients ");
        assert_eq!(place("[[pa|]]\n"), "ListHeader  pa");
        assert_eq!(place("[a]\nx = 1\n[[paths]]\nma|"), "Key paths ma");
        assert_eq!(place("clients.ver|sions = {}"), "Key clients versions");
    }

    #[test]
    fn inline_tables_and_lists_lead_on() {
        assert_eq!(place("[rules]\nx = { level = \"|\", allow = [] }"), "Value rules.x.level \"\"");
        assert_eq!(place("[rules]\nx = { level = \"off\", al| }"), "Key rules.x al");
        assert_eq!(place("[rules]\nx = { allow = [{ name = \"a\", |"), "Key rules.x.allow ");
        assert_eq!(place("[clients]\nuse = [\"a\",\n  \"|\",\n]"), "Value clients.use \"\"");
        assert_eq!(place("[clients]\nuse = [\"a\"]\nver|"), "Key clients ver");
    }

    #[test]
    fn where_no_word_can_stand_there_is_no_place() {
        assert_eq!(place("# pro|file"), "nothing");
        assert_eq!(place("profile = \"mcp\" |\n"), "nothing");
        assert_eq!(place("profile |= \"mcp\"\n"), "nothing");
        assert_eq!(place("[rules] |\n"), "nothing");
    }

    #[test]
    fn what_is_left_open_ends_with_the_next_table() {
        assert_eq!(place("[alias]\nmode = { x = \n[rules]\nna|"), "Key rules na");
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_a_place_or_none(text in "[\\[\\]{}=,.#\"'a \\n]{0,40}", at in 0usize..40) {
            let at = at.min(text.len());
            if let Some(place) = toml_place(&text, at) {
                proptest::prop_assert!(text.get(place.span.range()).is_some());
                proptest::prop_assert!(place.span.touches(at as u32));
            }
        }
    }
}
