//! Strings, characters and numbers.

use smol_str::{SmolStr, SmolStrBuilder};
use tree_sitter::Node;

use super::UNPARSED;
use crate::code::builder::{self, Builder, LONGEST_IN_PIECES, named};
use crate::code::{Expr, ExprKind};
use crate::text::Span;

/// A string literal. In a short one, which may be part of a name, escapes are pieces of their own.
pub(super) fn string(b: &Builder<'_>, node: Node<'_>) -> Expr {
    let (start, end) = inside(b, node);
    let is_bytes = b.text(node).starts_with('b');
    if is_bytes {
        return b.expr(ExprKind::Bytes(decoded(b.slice(start, end))), node);
    }
    let is_raw = node.kind() == "raw_string_literal";
    let piece = |from: usize, to: usize| {
        let source = b.slice(from, to);
        let text = if is_raw { SmolStr::new(source) } else { decoded(source) };
        Expr { kind: ExprKind::Text(text), span: b.span_of(from, to) }
    };
    if is_raw || end.saturating_sub(start) > LONGEST_IN_PIECES || !b.slice(start, end).contains('\\') {
        return piece(start, end.max(start));
    }
    let (mut at, mut pieces) = (start, Vec::new());
    for escape in named(node).into_iter().filter(|child| child.kind() == "escape_sequence") {
        pieces.extend([piece(at, escape.start_byte()), piece(escape.start_byte(), escape.end_byte())]);
        at = escape.end_byte();
    }
    pieces.push(piece(at, end.max(at)));
    pieces.retain(|piece| !matches!(&piece.kind, ExprKind::Text(text) if text.is_empty()));
    match pieces.as_slice() {
        [_] => pieces.remove(0),
        _ => b.expr(ExprKind::Join(pieces), node),
    }
}

/// The byte offsets inside the quotes of a string literal, which may be raw.
fn inside(b: &Builder<'_>, node: Node<'_>) -> (usize, usize) {
    let text = b.text(node);
    let open = text.find('"').map_or(text.len(), |at| at + 1);
    let hashes = text[..open].bytes().filter(|byte| *byte == b'#').count();
    let (start, end) = (node.start_byte() + open, node.end_byte().saturating_sub(1 + hashes));
    (start, end.max(start))
}

/// The text that a program sees for the source of a string.
fn decoded(source: &str) -> SmolStr {
    builder::decoded(source, escaped)
}

/// Adds what the escape sequence at the start of `rest` stands for; returns what follows it.
fn escaped<'t>(rest: &'t str, text: &mut SmolStrBuilder) -> &'t str {
    let mut chars = rest.chars();
    let Some(kind) = chars.next() else { return rest };
    let after = chars.as_str();
    let code = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    match kind {
        'n' => text.push('\n'),
        't' => text.push('\t'),
        'r' => text.push('\r'),
        '0' => text.push('\0'),
        // The line goes on after its leading whitespace.
        '\n' | '\r' => return after.trim_start(),
        'x' if after.get(..2).and_then(code).is_some() => {
            text.push(after.get(..2).and_then(code).unwrap_or_default());
            return &after[2..];
        }
        'u' => {
            let braced = after.strip_prefix('{').and_then(|rest| rest.split_once('}'));
            if let Some((digits, rest)) = braced
                && let Some(character) = code(&digits.replace('_', ""))
            {
                text.push(character);
                return rest;
            }
            text.push(kind);
        }
        other => text.push(other),
    }
    after
}

/// A character, which is a text of one.
pub(super) fn character(b: &Builder<'_>, node: Node<'_>) -> Expr {
    let (start, end) = (node.start_byte() + 1, node.end_byte().saturating_sub(1));
    Expr { kind: ExprKind::Text(decoded(b.slice(start, end))), span: b.span_of(start, end.max(start)) }
}

pub(super) fn number(b: &Builder<'_>, node: Node<'_>) -> Expr {
    match number_of(b.text(node)) {
        Some(number) => b.expr(ExprKind::Number(number), node),
        None => b.opaque(UNPARSED, node),
    }
}

fn number_of(text: &str) -> Option<f64> {
    let text = text.replace('_', "");
    let radix = match text.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 10,
    };
    if radix == 10 {
        // `1.5e3`, `10usize`, `2f64`
        let end = text.find(|it: char| !(it.is_ascii_digit() || ".eE+-".contains(it))).unwrap_or(text.len());
        return text[..end].trim_end_matches(['e', 'E']).parse().ok();
    }
    let digits = text[2..].split(['i', 'u']).next()?;
    digits.chars().try_fold(0.0, |sum, digit| Some(sum * f64::from(radix) + f64::from(digit.to_digit(radix)?)))
}

/// The part of a span between two offsets, in bytes from its start.
pub(super) fn slice(span: Span, from: usize, to: usize) -> Span {
    Span { start: span.start + from as u32, end: span.start + to as u32 }
}
