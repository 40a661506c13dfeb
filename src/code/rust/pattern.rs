//! Patterns: of `let`, of parameters, and of `match`.

use tree_sitter::Node;

use super::expression::expression;
use super::types::{class, word};
use super::{TOO_DEEP, UNPARSED};
use crate::code::builder::{Builder, has_token, named};
use crate::code::{Entry, Expr, ExprKind, Match, Target};

/// A pattern that always fits.
pub(super) fn target(b: &mut Builder<'_>, node: Node<'_>) -> Target {
    b.deeper(|b| shallow_target(b, node)).unwrap_or(Target::Opaque(TOO_DEEP))
}

fn shallow_target(b: &mut Builder<'_>, node: Node<'_>) -> Target {
    match node.kind() {
        // The prelude gives its parameters no types; the grammar takes their names for types then.
        "identifier" | "shorthand_field_identifier" | "type_identifier" | "primitive_type" => {
            Target::Name { name: word(b, node), span: b.span(node) }
        }
        "self" => Target::Name { name: "self".into(), span: b.span(node) },
        "mut_pattern" | "ref_pattern" | "reference_pattern" => match inner(node) {
            Some(inner) => target(b, inner),
            None => Target::Opaque("a value that nothing names"),
        },
        "captured_pattern" => match named(node).first() {
            Some(name) => target(b, *name),
            None => Target::Opaque(UNPARSED),
        },
        "tuple_pattern" | "slice_pattern" => list_target(b, elements(node)),
        // The fields of a tuple struct have numbers.
        "tuple_struct_pattern" => {
            let fields = elements(node).into_iter().skip(1).enumerate().filter(|(_, field)| field.is_named());
            let entries = fields.map(|(index, field)| Entry {
                key: b.expr(ExprKind::Text(index.to_string().into()), field),
                target: target(b, field),
                default: None,
            });
            Target::Object { entries: entries.collect(), rest: None }
        }
        "struct_pattern" => {
            let fields = named(node).into_iter().filter(|child| child.kind() == "field_pattern");
            let entries = fields.filter_map(|field| {
                let (key, pattern) = field_of(b, field)?;
                Some(Entry { key, target: target(b, pattern), default: None })
            });
            Target::Object { entries: entries.collect(), rest: None }
        }
        "_" => Target::Opaque("a value that nothing names"),
        _ => Target::Opaque("a pattern"),
    }
}

fn list_target(b: &mut Builder<'_>, elements: Vec<Node<'_>>) -> Target {
    let rest = elements.iter().position(|element| is_rest(*element));
    let elements = elements.into_iter().map(|element| {
        let named = if is_rest(element) { named(element).first().copied() } else { Some(element) };
        named.map(|element| (target(b, element), None))
    });
    Target::List { elements: elements.collect(), rest }
}

/// The pattern inside `mut x`, `ref x`, `&x`.
fn inner(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let is_mark = |kind: &str| matches!(kind, "mutable_specifier" | "mut" | "ref" | "&");
    node.children(&mut cursor).find(|child| !child.is_extra() && !is_mark(child.kind()))
}

/// The elements between the brackets of a pattern, among them `_`, which is a mark to the grammar.
fn elements(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let is_element = |child: &Node<'_>| !child.is_extra() && (child.is_named() || child.kind() == "_");
    node.children(&mut cursor).filter(is_element).collect()
}

/// `..`, `rest @ ..`
fn is_rest(node: Node<'_>) -> bool {
    node.kind() == "remaining_field_pattern"
        || node.kind() == "captured_pattern"
            && named(node).iter().any(|inner| inner.kind() == "remaining_field_pattern")
}

/// The key of a field and the pattern of its value.
fn field_of<'n>(b: &Builder<'_>, field: Node<'n>) -> Option<(Expr, Node<'n>)> {
    let name = field.child_by_field_name("name")?;
    let key = b.expr(ExprKind::Text(word(b, name)), name);
    Some((key, field.child_by_field_name("pattern").unwrap_or(name)))
}

/// A pattern that may not fit.
pub(super) fn pattern(b: &mut Builder<'_>, node: Node<'_>) -> Match {
    b.deeper(|b| shallow_pattern(b, node)).unwrap_or(Match::Opaque(TOO_DEEP))
}

fn shallow_pattern(b: &mut Builder<'_>, node: Node<'_>) -> Match {
    match node.kind() {
        "_" => Match::Any,
        // The grammar does not tell a name that is bound from a constant or variant.
        "identifier" | "shorthand_field_identifier" => match is_bound(b.text(node)) {
            true => Match::Bind { name: word(b, node), span: b.span(node), of: None },
            false => Match::Value(class(b, node)),
        },
        "scoped_identifier" => Match::Value(class(b, node)),
        "mut_pattern" | "ref_pattern" | "reference_pattern" | "match_pattern" => match inner(node) {
            Some(inner) => pattern(b, inner),
            None => Match::Any,
        },
        "or_pattern" => Match::Or(elements(node).into_iter().map(|one| pattern(b, one)).collect()),
        "captured_pattern" => {
            let parts = elements(node);
            match parts.as_slice() {
                [name, of] => {
                    let of = Some(Box::new(pattern(b, *of)));
                    Match::Bind { name: word(b, *name), span: b.span(*name), of }
                }
                _ => Match::Opaque(UNPARSED),
            }
        }
        "tuple_pattern" | "slice_pattern" => {
            let all = elements(node);
            let rest = all.iter().position(|element| is_rest(*element));
            let elements = all.into_iter().map(|element| rest_or_pattern(b, element)).collect();
            Match::List { elements, rest }
        }
        "tuple_struct_pattern" => {
            let Some(of) = node.child_by_field_name("type") else { return Match::Opaque(UNPARSED) };
            let class = class(b, of);
            let fields = elements(node).into_iter().skip(1);
            let positional = fields.take_while(|field| !is_rest(*field)).map(|field| pattern(b, field)).collect();
            Match::Instance { class, positional, named: Vec::new() }
        }
        "struct_pattern" => {
            let Some(of) = node.child_by_field_name("type") else { return Match::Opaque(UNPARSED) };
            let class = class(b, of);
            let fields = named(node).into_iter().filter(|child| child.kind() == "field_pattern");
            let fields = fields.filter_map(|field| {
                let name = field.child_by_field_name("name")?;
                let of = field.child_by_field_name("pattern");
                let bound = Match::Bind { name: word(b, name), span: b.span(name), of: None };
                Some((word(b, name), of.map_or(bound, |of| pattern(b, of))))
            });
            Match::Instance { class, positional: Vec::new(), named: fields.collect() }
        }
        "range_pattern" => Match::Opaque("a range"),
        "remaining_field_pattern" => Match::Any,
        "const_block" | "macro_invocation" => Match::Opaque("a pattern that is computed"),
        "ERROR" => Match::Opaque(UNPARSED),
        "negative_literal" => Match::Value(expression(b, node)),
        kind if kind.ends_with("_literal") => Match::Value(expression(b, node)),
        _ if has_token(node, "..") => Match::Opaque("a range"),
        _ => Match::Opaque("a pattern"),
    }
}

fn rest_or_pattern(b: &mut Builder<'_>, node: Node<'_>) -> Match {
    match is_rest(node) {
        true => match named(node).first().filter(|name| name.kind() == "identifier") {
            Some(name) => Match::Bind { name: word(b, *name), span: b.span(*name), of: None },
            None => Match::Any,
        },
        false => pattern(b, node),
    }
}

/// Whether an identifier in a pattern names what it matches: variables begin with a small letter, constants and
/// variants with a large one.
fn is_bound(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_uppercase())
}
