//! The names of types, as expressions.

use smol_str::SmolStr;
use tree_sitter::Node;

use crate::code::builder::{Builder, named};
use crate::code::{Expr, ExprKind};

/// The type in a field of a node; `None` if it is no name.
pub(super) fn annotation(b: &mut Builder<'_>, node: Node<'_>, field: &str) -> Option<Expr> {
    let annotation = node.child_by_field_name(field).filter(|annotation| annotation.kind() == "type_annotation")?;
    let inner = named(annotation).first().copied()?;
    name_of(b, inner)
}

fn name_of(b: &mut Builder<'_>, node: Node<'_>) -> Option<Expr> {
    b.deeper(|b| shallow_name(b, node)).flatten()
}

fn shallow_name(b: &mut Builder<'_>, node: Node<'_>) -> Option<Expr> {
    let kind = match node.kind() {
        "type_identifier" | "identifier" | "predefined_type" => ExprKind::Name(b.smol(node)),
        "nested_type_identifier" => member(b, node, "module", "name")?,
        "nested_identifier" => member(b, node, "object", "property")?,
        "generic_type" => {
            let object = Box::new(name_of(b, node.child_by_field_name("name")?)?);
            let list = node.child_by_field_name("type_arguments")?;
            let args = named(list).into_iter().map(|arg| name_of(b, arg).unwrap_or_else(|| b.opaque("a type", arg)));
            let args = args.collect();
            let index = Box::new(b.expr(ExprKind::Tuple(args), list));
            ExprKind::At { object, index, optional: false }
        }
        "array_type" => {
            let object = Box::new(b.expr(ExprKind::Name(SmolStr::new_static("Array")), node));
            let index = Box::new(name_of(b, named(node).first().copied()?)?);
            ExprKind::At { object, index, optional: false }
        }
        "parenthesized_type" | "readonly_type" => return name_of(b, named(node).first().copied()?),
        "literal_type" | "union_type" => return union(b, node),
        _ => return None,
    };
    Some(b.expr(kind, node))
}

fn member(b: &mut Builder<'_>, node: Node<'_>, object: &str, name: &str) -> Option<ExprKind> {
    let object = Box::new(name_of(b, node.child_by_field_name(object)?)?);
    let name = node.child_by_field_name(name)?;
    Some(ExprKind::Member { object, key: b.smol(name), at: b.span(name), optional: false })
}

/// A list of texts, or the only type that is neither `null` nor `undefined`.
fn union(b: &mut Builder<'_>, node: Node<'_>) -> Option<Expr> {
    let mut members = Vec::new();
    let mut waiting = vec![node];
    while let Some(next) = waiting.pop() {
        if next.kind() == "union_type" {
            waiting.extend(named(next));
        } else if !matches!(b.text(next), "null" | "undefined") {
            members.push(next);
        }
    }
    members.reverse();
    let mut texts = Vec::new();
    for member in &members {
        match (member.kind(), named(*member).first()) {
            ("literal_type", Some(text)) if text.kind() == "string" => {
                texts.push(super::expression::expression(b, *text))
            }
            _ => break,
        }
    }
    match members.as_slice() {
        [] => None,
        _ if texts.len() == members.len() => Some(b.expr(ExprKind::List(texts), node)),
        [only] if only.kind() != "literal_type" => name_of(b, *only),
        _ => None,
    }
}
