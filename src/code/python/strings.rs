//! String literals: prefixes, escapes, f-strings, docstrings.

use std::borrow::Cow;
use std::ops::Range;

use smol_str::SmolStr;
use tree_sitter::Node;

use super::BROKEN;
use super::expressions::expression;
use crate::code::builder::{Builder, LONGEST_IN_PIECES, has_token, named};
use crate::code::{Doc, Expr, ExprKind};

/// One literal: what its prefix says, and where its text is.
#[derive(Clone, Copy)]
struct Literal<'t> {
    node: Node<'t>,
    is_raw: bool,
    is_bytes: bool,
    is_format: bool,
    is_template: bool,
    /// Byte offset of the end of the opening quotes.
    start: usize,
    /// Byte offset of the start of the closing quotes.
    end: usize,
}

impl<'t> Literal<'t> {
    fn of(b: &Builder<'_>, node: Node<'t>) -> Literal<'t> {
        let opening = node.child(0).filter(|first| first.kind() == "string_start");
        let last = node.child_count().checked_sub(1).and_then(|last| node.child(last as _));
        let opening_text = opening.map_or("", |opening| b.text(opening));
        let prefix = opening_text.trim_end_matches(['\'', '"']);
        let quotes = opening_text.len() - prefix.len();
        let start = node.start_byte() + opening_text.len();
        // The node of the closing quotes may start too early: in `r"\""` it has the whole text.
        let is_closed = last.is_some_and(|last| last.kind() == "string_end" && !last.is_missing());
        let end = if is_closed { node.end_byte() - quotes } else { node.end_byte() };
        let has = |letter: char| prefix.contains([letter, letter.to_ascii_uppercase()]);
        Literal {
            node,
            is_raw: has('r'),
            is_bytes: has('b'),
            is_format: has('f'),
            is_template: has('t'),
            start,
            end: end.max(start),
        }
    }

    /// The literal without values in it.
    fn plain(&self, b: &Builder<'_>) -> Expr {
        let text = b.slice(self.start, self.end);
        let (text, span) = match segments(text, *self).as_slice() {
            [] => (Cow::Borrowed(""), b.span_of(self.start, self.end)),
            [(_, Cow::Borrowed(whole))] => (Cow::Borrowed(*whole), b.span_of(self.start, self.end)),
            // In a short one, which may be part of a name, each escape is a piece of its own.
            pieces if text.len() <= LONGEST_IN_PIECES && !self.is_bytes => {
                let piece = |(at, text): &(Range<usize>, Cow<'_, str>)| Expr {
                    kind: self.kind(text),
                    span: b.span_of(self.start + at.start, self.start + at.end),
                };
                let shown = pieces.iter().filter(|(_, text)| !text.is_empty());
                return b.expr(ExprKind::Join(shown.map(piece).collect()), self.node);
            }
            pieces => (pieces.iter().map(|(_, piece)| &**piece).collect(), b.span(self.node)),
        };
        Expr { kind: self.kind(&text), span }
    }

    fn kind(&self, text: &str) -> ExprKind {
        match self.is_bytes {
            true => ExprKind::Bytes(SmolStr::new(text)),
            false => ExprKind::Text(SmolStr::new(text)),
        }
    }

    fn interpolations(&self) -> Vec<Node<'t>> {
        let mut interpolations = named(self.node);
        interpolations.retain(|child| child.kind() == "interpolation");
        interpolations
    }
}

pub(super) fn string(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let literal = Literal::of(b, node);
    let mut pieces = Vec::new();
    match add_literal(b, literal, &mut pieces) {
        _ if literal.is_template => b.opaque("a template string", node),
        true => b.expr(ExprKind::Join(pieces), node),
        false => literal.plain(b),
    }
}

/// Lowers adjacent literals, of which each keeps its span.
pub(super) fn adjacent(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let mut pieces = Vec::new();
    let mut has_values = false;
    for part in named(node) {
        let literal = Literal::of(b, part);
        if literal.is_template {
            return b.opaque("a template string", node);
        }
        has_values |= add_literal(b, literal, &mut pieces);
    }
    if pieces.len() == 1
        && !has_values
        && let Some(only) = pieces.pop()
    {
        return only;
    }
    b.expr(ExprKind::Join(pieces), node)
}

/// Adds the pieces of a literal; returns whether there are values among them.
fn add_literal(b: &mut Builder<'_>, literal: Literal<'_>, pieces: &mut Vec<Expr>) -> bool {
    let interpolations = literal.interpolations();
    if interpolations.is_empty() {
        pieces.push(literal.plain(b));
        return false;
    }
    let mut at = literal.start;
    for interpolation in interpolations {
        add_text(b, literal, at..interpolation.start_byte(), pieces);
        add_value(b, literal, interpolation, pieces);
        at = interpolation.end_byte();
    }
    add_text(b, literal, at..literal.end, pieces);
    true
}

/// Adds the text between two byte offsets of the file, with each escape as a piece of its own.
fn add_text(b: &Builder<'_>, literal: Literal<'_>, range: Range<usize>, pieces: &mut Vec<Expr>) {
    if range.start >= range.end {
        return;
    }
    for (at, text) in segments(b.slice(range.start, range.end), literal) {
        let span = b.span_of(range.start + at.start, range.start + at.end);
        pieces.push(Expr { kind: literal.kind(&text), span });
    }
}

/// Adds what is inside braces: `{value}`, `{value=}`, `{value!r:>10}`.
fn add_value(b: &mut Builder<'_>, literal: Literal<'_>, node: Node<'_>, pieces: &mut Vec<Expr>) {
    let Some(inner) = node.child_by_field_name("expression") else {
        pieces.push(b.opaque(BROKEN, node));
        return;
    };
    let shown = shown(node, inner);
    if let Some(shown) = shown.clone() {
        let text = ExprKind::Text(SmolStr::new(b.slice(shown.start, shown.end)));
        pieces.push(Expr { kind: text, span: b.span_of(shown.start, shown.end) });
    }
    let value = expression(b, inner);
    let conversion = node.child_by_field_name("type_conversion");
    let conversion = conversion.map(|conversion| SmolStr::new(b.text(conversion).trim_start_matches('!')));
    let format = node.child_by_field_name("format_specifier").map(|format| Box::new(specifier(b, literal, format)));
    let conversion = match (conversion, &format) {
        (None, None) if shown.is_some() => Some(SmolStr::new_static("r")),
        (conversion, _) => conversion,
    };
    pieces.push(match (&conversion, &format) {
        (None, None) => value,
        _ => b.expr(ExprKind::Formatted { value: Box::new(value), conversion, format }, node),
    });
}

/// Where the text that `{value = }` shows before the value is, in bytes of the file.
fn shown(node: Node<'_>, inner: Node<'_>) -> Option<Range<usize>> {
    let start = node.child(0)?.end_byte();
    let mut cursor = node.walk();
    let mut after = node.children(&mut cursor).skip_while(|child| child.start_byte() < inner.end_byte());
    after.find(|child| child.kind() == "=")?;
    let end = after.find(|child| !child.is_extra())?.start_byte();
    Some(start..end.max(start))
}

/// A format, which may have values itself: `:{width}.2f`.
fn specifier(b: &mut Builder<'_>, literal: Literal<'_>, node: Node<'_>) -> Expr {
    let literal = Literal { is_format: false, ..literal };
    let start = node.start_byte() + 1;
    let (mut at, mut pieces) = (start, Vec::new());
    for inner in named(node).into_iter().filter(|child| child.kind() == "format_expression") {
        add_text(b, literal, at..inner.start_byte(), &mut pieces);
        let lowered = b.deeper(|b| add_value(b, literal, inner, &mut pieces));
        if lowered.is_none() {
            pieces.push(b.opaque(super::TOO_DEEP, inner));
        }
        at = inner.end_byte();
    }
    add_text(b, literal, at..node.end_byte(), &mut pieces);
    match (pieces.len(), pieces.pop()) {
        (0, _) => Expr { kind: ExprKind::Text(SmolStr::default()), span: b.span_of(start, start) },
        (1, Some(only @ Expr { kind: ExprKind::Text(_), .. })) => only,
        (_, last) => {
            pieces.extend(last);
            Expr { kind: ExprKind::Join(pieces), span: b.span_of(start, node.end_byte().max(start)) }
        }
    }
}

/// The documentation that a statement is, if it is the first of a definition.
pub(super) fn doc(b: &Builder<'_>, statement: Node<'_>) -> Option<Doc> {
    let children = named(statement);
    let [string] = children.as_slice() else { return None };
    if statement.kind() != "expression_statement" || has_token(statement, ",") {
        return None;
    }
    let parts = match string.kind() {
        "string" => vec![*string],
        "concatenated_string" => named(*string),
        _ => return None,
    };
    let literals: Vec<Literal<'_>> = parts.into_iter().map(|part| Literal::of(b, part)).collect();
    if literals.iter().any(|literal| literal.is_bytes || literal.is_format || literal.is_template) {
        return None;
    }
    let mut text = String::new();
    for literal in &literals {
        segments(b.slice(literal.start, literal.end), *literal).iter().for_each(|(_, piece)| text.push_str(piece));
    }
    let (first, last) = (literals.first()?, literals.last()?);
    Some(Doc { text: SmolStr::new(text), span: b.span_of(first.start, last.end) })
}

/// The pieces of a literal's text: what it says as it stands, and what stands for something else. With each, its range in
/// `text`.
fn segments<'t>(text: &'t str, literal: Literal<'_>) -> Vec<(Range<usize>, Cow<'t, str>)> {
    let mut segments: Vec<(Range<usize>, Cow<'t, str>)> = Vec::new();
    let (mut plain, mut at) = (0, 0);
    let is_mark = |c: char| matches!(c, '\\' | '\r') || (literal.is_format && matches!(c, '{' | '}'));
    while let Some(found) = text[at..].find(is_mark) {
        let start = at + found;
        let rest = &text[start..];
        let (len, value) = match rest.as_bytes() {
            // Python reads line breaks of all kinds as `\n`.
            [b'\r', b'\n', ..] => (2, Cow::Borrowed("\n")),
            [b'\r', ..] => (1, Cow::Borrowed("\n")),
            [b'{', b'{', ..] => (2, Cow::Borrowed("{")),
            [b'}', b'}', ..] => (2, Cow::Borrowed("}")),
            [b'\\', ..] if !literal.is_raw => match escape(rest, literal.is_bytes) {
                Some(escape) => escape,
                None => {
                    at = start + 1;
                    continue;
                }
            },
            _ => {
                at = start + 1;
                continue;
            }
        };
        if plain < start {
            segments.push((plain..start, Cow::Borrowed(&text[plain..start])));
        }
        let decoded = Cow::Owned(value.into_owned());
        match segments.last_mut() {
            Some((range, Cow::Owned(before))) if range.end == start => {
                before.push_str(&decoded);
                range.end = start + len;
            }
            _ => segments.push((start..start + len, decoded)),
        }
        at = start + len;
        plain = at;
    }
    if plain < text.len() {
        segments.push((plain..text.len(), Cow::Borrowed(&text[plain..])));
    }
    segments
}

/// The length and value of the escape at the start of `text`; `None` for a backslash that is only itself. An escape
/// with the name of a character also stays as it is.
fn escape(text: &str, is_bytes: bool) -> Option<(usize, Cow<'static, str>)> {
    let code = |len: usize| {
        let digits = text.get(2..2 + len).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
        Some((2 + len, Cow::Owned(character.to_string())))
    };
    let value = match text.as_bytes().get(1)? {
        b'\n' => "",
        b'\r' if text.as_bytes().get(2) == Some(&b'\n') => return Some((3, Cow::Borrowed(""))),
        b'\r' => "",
        b'\\' => "\\",
        b'\'' => "'",
        b'"' => "\"",
        b'a' => "\x07",
        b'b' => "\x08",
        b'f' => "\x0c",
        b'n' => "\n",
        b'r' => "\r",
        b't' => "\t",
        b'v' => "\x0b",
        b'x' => return code(2),
        b'u' if !is_bytes => return code(4),
        b'U' if !is_bytes => return code(8),
        b'0'..=b'7' => {
            let digits = text[1..].bytes().take(3).take_while(|digit| matches!(digit, b'0'..=b'7'));
            let (len, value) =
                digits.fold((1, 0), |(len, value), digit| (len + 1, value * 8 + u32::from(digit - b'0')));
            return Some((len, Cow::Owned(char::from_u32(value)?.to_string())));
        }
        _ => return None,
    };
    Some((2, Cow::Borrowed(value)))
}
