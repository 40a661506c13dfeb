//! Inserts entries into objects and lists, statements into bodies, and string literals, formatted like their neighbours:
//! with the same quotes, style of keys and line breaks.

use smol_str::SmolStr;

use crate::text::{Edit, FileId, Span, indent, line_break};

/// A statement or an entry to insert into a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Insertion {
    Entry(Entry),
    Statement(Statement),
    Quoted(Quoted),
}

/// A text with a string literal in it, which replaces a span. If the text is nothing but the literal, and the span is
/// inside quotes, these quotes stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    pub file: FileId,
    pub span: Span,
    pub before: String,
    /// The text of the literal.
    pub text: SmolStr,
    pub after: String,
    pub syntax: Syntax,
}

/// A statement to insert at the start of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub file: FileId,
    /// The span of the body's first statement; in an empty body, the empty span after its opening.
    pub before: Span,
    /// The statement without indentation and line break.
    pub text: String,
    /// The end of the statement if another one follows on the same line: `;`.
    pub end: &'static str,
}

/// An entry to insert into an object, or an element to insert into a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub file: FileId,
    /// The object or list, including its brackets.
    pub object: Span,
    pub place: EntryPlace,
    /// `None` for an element of a list.
    pub key: Option<SmolStr>,
    pub value: serde_json::Value,
    pub syntax: Syntax,
}

/// The position among the entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryPlace {
    First,
    Last,
}

/// The syntax of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// `{ key: 'value' }`
    Script,
    /// `{"key": "value"}`, with `True`, `False` and `None`.
    Python,
    /// `{ "key": "value" }`
    Json,
}

impl Insertion {
    pub fn file(&self) -> FileId {
        match self {
            Insertion::Entry(entry) => entry.file,
            Insertion::Statement(statement) => statement.file,
            Insertion::Quoted(quoted) => quoted.file,
        }
    }

    /// The edit that makes this insertion in `text`, the text of the file; `None` if the object or body is not at its
    /// span.
    pub fn edit(&self, text: &str) -> Option<Edit> {
        match self {
            Insertion::Entry(entry) => entry.edit(text),
            Insertion::Statement(statement) => statement.edit(text),
            Insertion::Quoted(quoted) => {
                let is_alone = quoted.before.is_empty() && quoted.after.is_empty();
                if is_alone && text.get(..quoted.span.start as usize)?.ends_with(['"', '\'', '`']) {
                    return Some(Edit::new(quoted.span, quoted.text.as_str()));
                }
                let style = Style::of(quoted.syntax, "", "", text);
                let new = format!("{}{}{}", quoted.before, style.string(&quoted.text), quoted.after);
                Some(Edit::new(quoted.span, new))
            }
        }
    }
}

impl Syntax {
    /// The start of a line comment.
    fn line_comment(self) -> &'static str {
        match self {
            Syntax::Python => "#",
            Syntax::Json | Syntax::Script => "//",
        }
    }
}

impl Statement {
    fn edit(&self, text: &str) -> Option<Edit> {
        let at = self.before.start;
        let line = text.get(..at as usize)?.rfind('\n').map_or(0, |end| end + 1);
        let lead = &text[line..at as usize];
        let indent = indent(text, at);
        let line_break = line_break(text);
        let place = Span { start: at, end: at };
        let (statement, end) = (&self.text, self.end);
        Some(match (self.before.is_empty(), lead.trim().is_empty()) {
            // After a brace, in an empty body.
            (true, _) if lead.ends_with('{') => Edit::new(place, format!(" {statement}{end} ")),
            (true, _) => Edit::new(place, format!("{line_break}{indent}{statement}")),
            (false, true) => Edit::new(place, format!("{statement}{line_break}{indent}")),
            (false, false) => Edit::new(place, format!("{statement}{end} ")),
        })
    }
}

impl Entry {
    fn edit(&self, text: &str) -> Option<Edit> {
        let whole = text.get(self.object.range())?;
        let inside = match self.key {
            Some(_) => whole.strip_prefix('{')?.strip_suffix('}')?,
            None => whole.strip_prefix('[')?.strip_suffix(']')?,
        };
        let entries = inside.trim_start();
        let style = Style::of(self.syntax, entries, whole, text);
        let value = style.value(&self.value);
        let entry = match &self.key {
            Some(key) => format!("{}: {value}", style.key(key)),
            None => value,
        };
        let start = self.object.start + 1;
        if entries.is_empty() {
            let space = if self.syntax == Syntax::Python || self.key.is_none() { "" } else { " " };
            let all = Span { start, end: self.object.end - 1 };
            return Some(Edit::new(all, format!("{space}{entry}{space}")));
        }
        // The white space before the first entry is also written between the new entry and its neighbour.
        let lead = &inside[..inside.len() - entries.len()];
        let body = inside.trim_end();
        if self.place == EntryPlace::Last {
            // A comment after the last entry stays after it.
            let (code, comment) = body.split_at(code_end(body, self.syntax));
            let (before, after) = if code.ends_with(',') { ("", ",") } else { (",", "") };
            // After a line comment, the entry begins a new line, indented like the last entry.
            let own = format!("{}{}", line_break(text), indent(text, start + code.len() as u32));
            let space = match comment.contains(self.syntax.line_comment()) {
                _ if lead.contains('\n') => lead,
                true => &own,
                false => " ",
            };
            let at = Span { start: start + code.len() as u32, end: start + body.len() as u32 };
            return Some(Edit::new(at, format!("{before}{comment}{space}{entry}{after}")));
        }
        let at = start + lead.len() as u32;
        let between = if lead.is_empty() { " " } else { lead };
        Some(Edit::new(Span { start: at, end: at }, format!("{entry},{between}")))
    }
}

/// The byte offset in `body` after its last character that is neither white space nor part of a comment.
fn code_end(body: &str, syntax: Syntax) -> usize {
    let mut end = 0;
    let mut at = 0;
    while let Some(c) = body[at..].chars().next() {
        let rest = &body[at..];
        let comment = match syntax {
            _ if rest.starts_with(syntax.line_comment()) => Some("\n"),
            Syntax::Python => None,
            _ => rest.starts_with("/*").then_some("*/"),
        };
        let len = match comment {
            Some(close) => rest.find(close).map_or(rest.len(), |found| found + close.len()),
            None if matches!(c, '"' | '\'' | '`') => {
                let mut escaped = false;
                let close = rest[1..].find(|inner| {
                    let closes = inner == c && !escaped;
                    escaped = inner == '\\' && !escaped;
                    closes
                });
                close.map_or(rest.len(), |close| close + 2)
            }
            None => c.len_utf8(),
        };
        at += len;
        if comment.is_none() && !c.is_whitespace() {
            end = at;
        }
    }
    end
}

/// The style of the entries in an object or list.
struct Style {
    syntax: Syntax,
    quote: char,
    quoted_keys: bool,
}

impl Style {
    fn of(syntax: Syntax, entries: &str, whole: &str, text: &str) -> Style {
        let is_quote = |c: char| matches!(c, '"' | '\'');
        let first_in = |text: &str| text.chars().find(|&c| is_quote(c));
        let quote = match syntax {
            Syntax::Json => '"',
            _ => first_in(whole).or(first_in(text)).unwrap_or('"'),
        };
        Style { syntax, quote, quoted_keys: syntax != Syntax::Script || entries.starts_with(is_quote) }
    }

    fn key(&self, key: &str) -> String {
        let is_identifier = !key.starts_with(|c: char| c.is_ascii_digit())
            && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        match self.quoted_keys || !is_identifier {
            true => self.string(key),
            false => key.to_string(),
        }
    }

    fn string(&self, text: &str) -> String {
        let quote = self.quote;
        let escaped = text.replace('\\', "\\\\").replace('\n', "\\n").replace(quote, &format!("\\{quote}"));
        format!("{quote}{escaped}{quote}")
    }

    fn value(&self, value: &serde_json::Value) -> String {
        use serde_json::Value;
        let python = self.syntax == Syntax::Python;
        match value {
            Value::Null => if python { "None" } else { "null" }.to_string(),
            Value::Bool(true) => if python { "True" } else { "true" }.to_string(),
            Value::Bool(false) => if python { "False" } else { "false" }.to_string(),
            Value::Number(number) => number.to_string(),
            Value::String(text) => self.string(text),
            Value::Array(elements) => {
                let elements: Vec<String> = elements.iter().map(|element| self.value(element)).collect();
                format!("[{}]", elements.join(", "))
            }
            Value::Object(entries) if entries.is_empty() => "{}".to_string(),
            Value::Object(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{}: {}", self.key(key), self.value(value))).collect();
                let space = if python { "" } else { " " };
                format!("{{{space}{}{space}}}", entries.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(syntax: Syntax, text: &str, key: &str, value: serde_json::Value, expected: &str) {
        check_at(EntryPlace::First, syntax, text, key, value, expected);
    }

    #[track_caller]
    fn check_at(place: EntryPlace, syntax: Syntax, text: &str, key: &str, value: serde_json::Value, expected: &str) {
        let (open, close) = if key.is_empty() { ('[', ']') } else { ('{', '}') };
        let object = Span { start: text.find(open).unwrap() as u32, end: text.rfind(close).unwrap() as u32 + 1 };
        let key = (!key.is_empty()).then(|| key.into());
        let entry = Entry { file: FileId(0), object, place, key, value, syntax };
        let edited = crate::text::apply_edits(text, &[entry.edit(text).unwrap()]).unwrap();
        assert_eq!(edited, expected);
    }

    #[test]
    fn an_entry_is_written_as_its_neighbours_are() {
        check(Syntax::Script, "f({ a: 'x' })", "title", json!("It's"), r"f({ title: 'It\'s', a: 'x' })");
        check(Syntax::Script, "f({})", "min", json!(0), "f({ min: 0 })");
        check(Syntax::Script, "f({\n  a: 1,\n})", "b", json!(["x"]), "f({\n  b: [\"x\"],\n  a: 1,\n})");
        check(Syntax::Script, "f({ 'a': 1 })", "b", json!(true), "f({ 'b': true, 'a': 1 })");
        check(Syntax::Python, r#"f({"a": 1})"#, "b", json!({ "c": null }), r#"f({"b": {"c": None}, "a": 1})"#);
        let last = EntryPlace::Last;
        check_at(last, Syntax::Script, "f({ a: 1 })", "b", json!(2), "f({ a: 1, b: 2 })");
        check_at(last, Syntax::Script, "f({\n  a: 1,\n})", "b", json!(2), "f({\n  a: 1,\n  b: 2,\n})");
        check_at(last, Syntax::Script, "f({\n  a: 1 // one\n})", "b", json!(2), "f({\n  a: 1, // one\n  b: 2\n})");
        check_at(
            last,
            Syntax::Json,
            "{ \"a\": \"//\", /* a */ }",
            "b",
            json!(2),
            "{ \"a\": \"//\", /* a */ \"b\": 2, }",
        );
        check_at(last, Syntax::Json, "{ \"a\": 1, // a\n}", "b", json!(2), "{ \"a\": 1, // a\n\"b\": 2,\n}");
        check_at(
            last,
            Syntax::Json,
            "{ \"a\": 1,\n  \"b\": 1 // b\n}",
            "c",
            json!(2),
            "{ \"a\": 1,\n  \"b\": 1, // b\n  \"c\": 2\n}",
        );
        check_at(last, Syntax::Json, "{ \"a\": 1\n  // end\n}", "b", json!(2), "{ \"a\": 1,\n  // end\n\"b\": 2\n}");
        check_at(last, Syntax::Python, "f({\"a\": 1})", "b", json!([]), "f({\"a\": 1, \"b\": []})");
        check_at(last, Syntax::Json, "[]", "", json!("a"), "[\"a\"]");
        check_at(last, Syntax::Json, "[\n  \"a\"\n]", "", json!("b"), "[\n  \"a\",\n  \"b\"\n]");
        check(Syntax::Json, "f({ \"a\": 1 })", "b-c", json!(false), "f({ \"b-c\": false, \"a\": 1 })");
    }
}
