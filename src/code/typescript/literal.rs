//! Strings, templates and numbers.

use smol_str::{SmolStr, SmolStrBuilder};
use tree_sitter::Node;

use super::UNPARSED;
use super::expression::expression;
use crate::code::builder::{self, Builder, LONGEST_IN_PIECES, named};
use crate::code::{Expr, ExprKind};
use crate::text::Span;

/// The text of a string literal, with the span inside its quotes.
pub(super) fn text_of(b: &Builder<'_>, node: Node<'_>) -> (SmolStr, Span) {
    let (start, end) = inside(b, node);
    (decoded(b.slice(start, end)), b.span_of(start, end))
}

/// A string literal. In a short one, which may be part of a name, escapes are pieces of their own.
pub(super) fn string(b: &Builder<'_>, node: Node<'_>) -> Expr {
    let (start, end) = inside(b, node);
    let piece =
        |from: usize, to: usize| Expr { kind: ExprKind::Text(decoded(b.slice(from, to))), span: b.span_of(from, to) };
    if end.saturating_sub(start) > LONGEST_IN_PIECES || !b.slice(start, end).contains('\\') {
        return piece(start, end.max(start));
    }
    // Several that follow each other may be one character: a surrogate pair.
    let mut escapes: Vec<(usize, usize)> = Vec::new();
    for escape in named(node).into_iter().filter(|child| child.kind() == "escape_sequence") {
        match escapes.last_mut().filter(|(_, end)| *end == escape.start_byte()) {
            Some(last) => last.1 = escape.end_byte(),
            None => escapes.push((escape.start_byte(), escape.end_byte())),
        }
    }
    let (mut at, mut pieces) = (start, Vec::new());
    for (from, to) in escapes {
        pieces.extend([piece(at, from), piece(from, to)]);
        at = to;
    }
    pieces.push(piece(at, end.max(at)));
    pieces.retain(|piece| !matches!(&piece.kind, ExprKind::Text(text) if text.is_empty()));
    b.expr(ExprKind::Join(pieces), node)
}

/// The byte offsets between the quotes of a string or template, of which the last may be missing.
fn inside(b: &Builder<'_>, node: Node<'_>) -> (usize, usize) {
    let text = b.text(node);
    let is_quote = |c: &u8| matches!(c, b'"' | b'\'' | b'`');
    let opens = text.as_bytes().first().is_some_and(is_quote);
    let mut cursor = node.walk();
    let last = node.children(&mut cursor).last();
    let closes =
        text.len() > 1 && last.is_some_and(|last| !last.is_missing() && last.end_byte() - last.start_byte() == 1);
    let closes = closes && text.as_bytes().last().is_some_and(is_quote);
    (node.start_byte() + usize::from(opens), node.end_byte() - usize::from(closes))
}

/// A template: a text if nothing is inserted.
pub(super) fn template(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let (texts, mut values) = pieces(b, node, false);
    if values.is_empty() && texts.len() == 1 {
        return texts.into_iter().next().unwrap_or_else(|| b.opaque(UNPARSED, node));
    }
    let mut parts = Vec::new();
    let mut values = values.drain(..);
    for text in texts {
        if !matches!(&text.kind, ExprKind::Text(text) if text.is_empty()) {
            parts.push(text);
        }
        parts.extend(values.next());
    }
    b.expr(ExprKind::Join(parts), node)
}

/// The texts of a template, one more than the values between them.
pub(super) fn pieces(b: &mut Builder<'_>, node: Node<'_>, is_raw: bool) -> (Vec<Expr>, Vec<Expr>) {
    let (mut start, end) = inside(b, node);
    let (mut texts, mut values) = (Vec::new(), Vec::new());
    let text = |b: &Builder<'_>, start: usize, end: usize| {
        let source = b.slice(start, end);
        let text = if is_raw { SmolStr::new(source) } else { decoded(source) };
        Expr { kind: ExprKind::Text(lines_joined(text)), span: b.span_of(start, end) }
    };
    for inserted in named(node).into_iter().filter(|part| part.kind() == "template_substitution") {
        texts.push(text(b, start, inserted.start_byte()));
        values.push(match named(inserted).first() {
            Some(value) => expression(b, *value),
            None => b.opaque(UNPARSED, inserted),
        });
        start = inserted.end_byte();
    }
    texts.push(text(b, start, end.max(start)));
    (texts, values)
}

/// In a template, every line ends with `\n`.
fn lines_joined(text: SmolStr) -> SmolStr {
    if text.contains('\r') { SmolStr::new(text.replace("\r\n", "\n")) } else { text }
}

/// The text that a program sees for the source of a string. Half of a surrogate pair becomes U+FFFD.
pub(super) fn decoded(source: &str) -> SmolStr {
    builder::decoded(source, escaped)
}

/// Adds what the escape sequence at the start of `rest` stands for; returns what follows it.
fn escaped<'t>(rest: &'t str, text: &mut SmolStrBuilder) -> &'t str {
    let mut chars = rest.chars();
    let Some(kind) = chars.next() else { return rest };
    let after = chars.as_str();
    let simple = match kind {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        // The line goes on.
        '\n' | '\u{2028}' | '\u{2029}' => return after,
        '\r' => return after.strip_prefix('\n').unwrap_or(after),
        '0'..='7' => return octal(rest, text),
        'x' | 'u' => {
            let Some((first, after)) = unit(rest) else {
                text.push(kind);
                return after;
            };
            // A character outside the basic plane is written as two escapes.
            let second = after.strip_prefix('\\').and_then(unit).filter(|_| (0xD800..0xDC00).contains(&first));
            if let Some((second @ 0xDC00..=0xDFFF, after)) = second {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                return after;
            }
            text.push(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
            return after;
        }
        other => other,
    };
    text.push(simple);
    after
}

/// The number of `x41`, `u0041` or `u{41}` at the start of a text, and what follows it.
fn unit(text: &str) -> Option<(u32, &str)> {
    let (digits, after) = if let Some(braced) = text.strip_prefix("u{") {
        braced.split_once('}')?
    } else {
        let digits = if text.starts_with('x') { 2 } else { 4 };
        let rest = text.strip_prefix(['x', 'u'])?;
        (rest.get(..digits)?, rest.get(digits..)?)
    };
    let is_hex = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten().map(|number| (number, after))
}

/// `\0`, and the octal escapes of old scripts: up to `\377`.
fn octal<'t>(rest: &'t str, text: &mut SmolStrBuilder) -> &'t str {
    let most = if rest.starts_with(['0', '1', '2', '3']) { 3 } else { 2 };
    let len = rest.bytes().take(most).take_while(|digit| matches!(digit, b'0'..=b'7')).count();
    let code = u32::from_str_radix(&rest[..len], 8).unwrap_or(0);
    text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    &rest[len..]
}

pub(super) fn number(b: &Builder<'_>, node: Node<'_>) -> Expr {
    match number_of(b.text(node)) {
        Some(number) => b.expr(ExprKind::Number(number), node),
        None => b.opaque(UNPARSED, node),
    }
}

fn number_of(text: &str) -> Option<f64> {
    let digits = text.replace('_', "");
    let digits = digits.strip_suffix('n').filter(|_| !digits.starts_with("0x")).unwrap_or(&digits);
    let prefix = digits.get(..2).map(str::to_ascii_lowercase);
    let (radix, digits) = match prefix.as_deref() {
        Some("0x") => (16, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        // As in old scripts.
        Some(_) if digits.starts_with('0') && digits.bytes().all(|digit| matches!(digit, b'0'..=b'7')) => (8, digits),
        _ => return digits.parse().ok(),
    };
    let digits = digits.strip_suffix('n').unwrap_or(digits);
    digits.chars().try_fold(0.0, |sum, digit| Some(sum * f64::from(radix) + f64::from(digit.to_digit(radix)?)))
}

/// A number that is a key, as the text that it becomes.
pub(super) fn number_key(b: &Builder<'_>, node: Node<'_>) -> Expr {
    match number_of(b.text(node)) {
        Some(number) => b.expr(ExprKind::Text(SmolStr::new(number.to_string())), node),
        None => b.opaque(UNPARSED, node),
    }
}
