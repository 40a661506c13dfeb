//! Types, fields and doc comments of Rust.

use tree_sitter::Node;

use super::super::builder::{Builder, named};
use super::super::{Doc, Expr, Field, ScopeId};
use super::{expression, path};

/// A type as an expression: `Option<u64>` is `Option` indexed by a list.
pub(super) fn annotation(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let parts = (node.child_by_field_name("type"), node.child_by_field_name("type_arguments"));
    match (node.kind(), parts) {
        ("generic_type", (Some(base), Some(arguments))) => {
            let elements = named(arguments)
                .into_iter()
                .map(|one| {
                    b.deeper(|b| annotation(b, one)).unwrap_or_else(|| b.opaque("a type nested too deeply", one))
                })
                .collect();
            let index = Box::new(Expr::Array { elements, span: b.span(arguments) });
            Expr::At { object: Box::new(path(b, base)), index, span: b.span(node) }
        }
        _ => path(b, node),
    }
}

/// The fields of a struct, or the variants of an enumeration, with their attributes and comments.
pub(super) fn fields(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Vec<Field> {
    let body = node.child_by_field_name("body");
    let mut fields = Vec::new();
    let (mut attributes, mut said, mut start) = (Vec::new(), None, None);
    for child in body.map(children).unwrap_or_default() {
        match child.kind() {
            "attribute_item" => {
                start = start.or(Some(child.start_byte()));
                words(b, child, scope, &mut attributes);
            }
            "line_comment" => said = said.or_else(|| doc_above(b, &[child])),
            "field_declaration" | "enum_variant" => {
                let Some(name) = child.child_by_field_name("name") else { continue };
                let annotation = child.child_by_field_name("type").map(|kind| annotation(b, kind));
                fields.push(Field {
                    name: b.smol(name),
                    span: b.span(name),
                    whole: b.span_of(start.take().unwrap_or(child.start_byte()), child.end_byte()),
                    annotation,
                    default: None,
                    attributes: std::mem::take(&mut attributes),
                    doc: said.take(),
                });
            }
            _ => {}
        }
    }
    fields
}

/// Adds the identifiers and string literals of an attribute, at any depth, to `found`.
fn words(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId, found: &mut Vec<Expr>) {
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
    for child in children {
        match child.kind() {
            // `default` is a keyword to the grammar.
            "identifier" | "default" => found.push(Expr::Name { name: b.smol(child), span: b.span(child) }),
            "string_literal" => found.push(expression(b, child, scope)),
            _ => drop(b.deeper(|b| words(b, child, scope, found))),
        }
    }
}

/// The first line of the documentation above an item.
pub(super) fn doc_above(b: &mut Builder<'_>, above: &[Node<'_>]) -> Option<Doc> {
    above.iter().find_map(|line| {
        let range = crate::syntax::rust::doc_comment(*line, b.source())?;
        Some(Doc { text: b.slice(range.start, range.end).into(), span: b.span_of(range.start, range.end) })
    })
}

pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}
