//! Attributes, subscripts and calls.

use smol_str::SmolStr;
use tree_sitter::Node;

use super::expressions::{expression, field, inside};
use super::operators::starred;
use super::{BROKEN, TOO_DEEP, fields};
use crate::code::builder::{Builder, has_token, named};
use crate::code::{Arg, ArgKind, Call, Expr, ExprKind};
use crate::text::Span;

/// The operand of an attribute, subscript or call.
fn before(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name(match node.kind() {
        "attribute" => "object",
        "subscript" => "value",
        "call" => "function",
        _ => return None,
    })
}

/// The attributes, subscripts and calls of each other that end with a node, last one first, and what they start with.
fn links(node: Node<'_>) -> (Vec<Node<'_>>, Option<Node<'_>>) {
    let mut links = Vec::new();
    let mut first = Some(node);
    while let Some(inner) = first.filter(|inner| matches!(inner.kind(), "attribute" | "subscript" | "call")) {
        links.push(inner);
        first = before(inner);
    }
    (links, first)
}

/// Lowers attributes, subscripts and calls of each other: `a.b(c).d[e]`.
pub(super) fn postfix(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let (links, first) = links(node);
    let Some(first) = first else {
        return b.opaque(BROKEN, node);
    };
    let lowered = inside(b, links.len(), first);
    starred(lowered, |lowered| linked(b, &links, lowered, first.start_byte()))
}

/// Lowers attributes, subscripts and calls of `lowered`, which starts at `start`, a byte offset of the file.
fn linked(b: &mut Builder<'_>, links: &[Node<'_>], lowered: Expr, start: usize) -> Expr {
    links.iter().enumerate().rev().fold(lowered, |object, (around, link)| {
        let kind = b.along(around, |b| match link.kind() {
            "attribute" => attribute(b, *link, object),
            "subscript" => subscript(b, *link, object),
            _ => call(b, *link, object),
        });
        Expr { kind: kind.unwrap_or(ExprKind::Opaque(TOO_DEEP)), span: b.span_of(start, link.end_byte()) }
    })
}

/// The target of `type(a).b = c`, which the grammar takes for an alias like `type A = B`.
pub(super) fn place_of_type(b: &mut Builder<'_>, node: Node<'_>) -> Option<Expr> {
    let (word, left) = (node.child(0)?, node.child_by_field_name("left")?);
    let (links, first) = links(*named(left).first()?);
    let first = first?;
    let name = b.expr(ExprKind::Name(b.smol(word)), word);
    let inner = named(first);
    let kind = match first.kind() {
        "parenthesized_expression" | "tuple" => {
            let args = inner.into_iter().map(|arg| argument(b, arg)).collect();
            ExprKind::Call(Box::new(Call { callee: name, args, new: false, optional: false }))
        }
        "list" => {
            let index = match inner.as_slice() {
                [only] if !has_token(first, ",") => expression(b, *only),
                inner => tuple(b, inner),
            };
            ExprKind::At { object: Box::new(name), index: Box::new(index), optional: false }
        }
        _ => return None,
    };
    let lowered = Expr { kind, span: b.span_of(word.start_byte(), first.end_byte()) };
    Some(linked(b, &links, lowered, word.start_byte()))
}

fn attribute(b: &mut Builder<'_>, node: Node<'_>, object: Expr) -> ExprKind {
    match node.child_by_field_name("attribute").filter(|key| !key.is_missing()) {
        Some(key) => ExprKind::Member { object: Box::new(object), key: b.smol(key), at: b.span(key), optional: false },
        None => ExprKind::Opaque(BROKEN),
    }
}

fn call(b: &mut Builder<'_>, node: Node<'_>, callee: Expr) -> ExprKind {
    let args = node.child_by_field_name("arguments").map(|list| arguments(b, list)).unwrap_or_default();
    ExprKind::Call(Box::new(Call { callee, args, new: false, optional: false }))
}

fn subscript(b: &mut Builder<'_>, node: Node<'_>, object: Expr) -> ExprKind {
    let object = Box::new(object);
    let indices = fields(node, "subscript");
    let index = match indices.as_slice() {
        [] => return ExprKind::Opaque(BROKEN),
        [slice] if slice.kind() == "slice" && !has_token(node, ",") => {
            let [from, to, step] = bounds(b, *slice).map(|bound| bound.map(Box::new));
            return ExprKind::Slice { object, from, to, step };
        }
        [index] if !has_token(node, ",") => single_index(b, *index),
        indices => tuple(b, indices),
    };
    ExprKind::At { object, index: Box::new(index), optional: false }
}

/// The only index in brackets. `a[*b]` is `a[(*b,)]`.
pub(super) fn single_index(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    match expression(b, node) {
        Expr { kind: kind @ ExprKind::Spread(_), span } => {
            Expr { kind: ExprKind::Tuple(vec![Expr { kind, span }]), span }
        }
        index => index,
    }
}

/// A tuple without parentheses.
pub(super) fn tuple(b: &mut Builder<'_>, nodes: &[Node<'_>]) -> Expr {
    let (start, end) = match nodes {
        [first, .., last] => (first.start_byte(), last.end_byte()),
        [only] => (only.start_byte(), only.end_byte()),
        [] => return Expr { kind: ExprKind::Tuple(Vec::new()), span: Span::at(0) },
    };
    let elements = nodes.iter().map(|node| expression(b, *node)).collect();
    Expr { kind: ExprKind::Tuple(elements), span: b.span_of(start, end) }
}

/// The start, end and step of a slice.
fn bounds(b: &mut Builder<'_>, slice: Node<'_>) -> [Option<Expr>; 3] {
    let mut bounds = [None, None, None];
    let mut index = 0;
    let mut cursor = slice.walk();
    for child in slice.children(&mut cursor).filter(|child| !child.is_extra()) {
        if child.kind() == ":" {
            index += 1;
        } else if let Some(bound) = bounds.get_mut(index) {
            *bound = Some(expression(b, child));
        }
    }
    bounds
}

/// Lowers a slice among several indices, `m[1:2, 3]`, to `slice(1, 2, None)`.
pub(super) fn slice_object(b: &mut Builder<'_>, node: Node<'_>) -> ExprKind {
    let span = b.span(node);
    let bounds = bounds(b, node);
    let bounds = bounds.map(|bound| bound.unwrap_or(Expr { kind: ExprKind::Null, span }));
    call_of("slice", bounds.into_iter().map(|bound| (bound.span, bound)).collect(), span).kind
}

/// A call of a function under a name, with positional arguments and their spans.
pub(super) fn call_of(name: &'static str, args: Vec<(Span, Expr)>, span: Span) -> Expr {
    let callee = Expr { kind: ExprKind::Name(SmolStr::new_static(name)), span };
    let args = args.into_iter().map(|(span, value)| Arg { kind: ArgKind::Positional, value, span }).collect();
    Expr { kind: ExprKind::Call(Box::new(Call { callee, args, new: false, optional: false })), span }
}

pub(super) fn arguments(b: &mut Builder<'_>, list: Node<'_>) -> Vec<Arg> {
    if list.kind() == "generator_expression" {
        return vec![argument(b, list)];
    }
    named(list).into_iter().map(|node| argument(b, node)).collect()
}

fn argument(b: &mut Builder<'_>, node: Node<'_>) -> Arg {
    let span = b.span(node);
    if node.kind() == "keyword_argument" {
        let name = node.child_by_field_name("name").map(|name| b.smol(name)).unwrap_or_default();
        return Arg { kind: ArgKind::Named(name), value: field(b, node, "value"), span };
    }
    let value = expression(b, node);
    match value.kind {
        ExprKind::Spread(inner) if node.kind().starts_with("dictionary_splat") => {
            Arg { kind: ArgKind::Keywords, value: *inner, span }
        }
        ExprKind::Spread(inner) => Arg { kind: ArgKind::Spread, value: *inner, span },
        kind => Arg { kind: ArgKind::Positional, value: Expr { kind, span: value.span }, span },
    }
}
