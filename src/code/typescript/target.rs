//! Targets of bindings and assignments.

use tree_sitter::Node;

use super::expression::{expression, key};
use super::{TOO_DEEP, UNPARSED};
use crate::code::builder::{Builder, named};
use crate::code::{Entry, Expr, ExprKind, Target};

pub(super) fn target(b: &mut Builder<'_>, node: Node<'_>) -> Target {
    b.deeper(|b| shallow_target(b, node)).unwrap_or(Target::Opaque(TOO_DEEP))
}

fn shallow_target(b: &mut Builder<'_>, node: Node<'_>) -> Target {
    match node.kind() {
        _ if node.is_missing() => Target::Opaque(UNPARSED),
        "identifier" | "shorthand_property_identifier_pattern" | "undefined" => {
            Target::Name { name: b.smol(node), span: b.span(node) }
        }
        "member_expression" | "subscript_expression" => Target::Place(Box::new(expression(b, node))),
        "object_pattern" => object(b, node),
        "array_pattern" => list(b, node),
        "rest_pattern"
        | "parenthesized_expression"
        | "non_null_expression"
        | "as_expression"
        | "satisfies_expression" => inner(b, node, 0),
        "type_assertion" => inner(b, node, 1),
        _ => Target::Opaque("a target that cannot be assigned"),
    }
}

fn inner(b: &mut Builder<'_>, node: Node<'_>, index: usize) -> Target {
    named(node).get(index).map_or(Target::Opaque(UNPARSED), |inner| target(b, *inner))
}

/// A target with the value that it has by default.
fn with_default(b: &mut Builder<'_>, node: Node<'_>) -> (Target, Option<Expr>) {
    match (node.kind(), node.child_by_field_name("left")) {
        ("assignment_pattern" | "object_assignment_pattern", Some(left)) => {
            let default = node.child_by_field_name("right").map(|default| expression(b, default));
            (target(b, left), default)
        }
        _ => (target(b, node), None),
    }
}

fn object(b: &mut Builder<'_>, node: Node<'_>) -> Target {
    let mut entries = Vec::new();
    let mut rest = None;
    for child in named(node) {
        match child.kind() {
            "rest_pattern" => rest = Some(Box::new(target(b, child))),
            "pair_pattern" => {
                let (Some(name), Some(value)) = (child.child_by_field_name("key"), child.child_by_field_name("value"))
                else {
                    continue;
                };
                let key = key(b, name);
                let (target, default) = with_default(b, value);
                entries.push(Entry { key, target, default });
            }
            "shorthand_property_identifier_pattern" | "object_assignment_pattern" => {
                let name = child.child_by_field_name("left").unwrap_or(child);
                let key = b.expr(ExprKind::Text(b.smol(name)), name);
                let (target, default) = with_default(b, child);
                entries.push(Entry { key, target, default });
            }
            _ => {}
        }
    }
    Target::Object { entries, rest }
}

fn list(b: &mut Builder<'_>, node: Node<'_>) -> Target {
    let nodes = elements(node);
    let rest = nodes.iter().position(|node| node.is_some_and(|node| node.kind() == "rest_pattern"));
    let elements = nodes.into_iter().map(|node| node.map(|node| with_default(b, node))).collect();
    Target::List { elements, rest }
}

/// The elements of an array or of a pattern for one; `None` for a hole.
pub(super) fn elements(node: Node<'_>) -> Vec<Option<Node<'_>>> {
    let mut cursor = node.walk();
    let mut elements = Vec::new();
    let mut is_hole = true;
    for child in node.children(&mut cursor).filter(|child| !child.is_extra()) {
        if child.kind() == "," {
            if is_hole {
                elements.push(None);
            }
            is_hole = true;
        } else if child.is_named() {
            elements.push(Some(child));
            is_hole = false;
        }
    }
    elements
}
