//! Types, where a program may ask for them.

use smol_str::SmolStr;
use tree_sitter::Node;

use super::{TOO_DEEP, UNPARSED};
use crate::code::builder::{Builder, named};
use crate::code::{Expr, ExprKind};

/// A type as an expression: `Option<u64>` is `Option` at a tuple of its arguments.
pub(super) fn annotation(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    b.deeper(|b| shallow_annotation(b, node)).unwrap_or_else(|| b.opaque(TOO_DEEP, node))
}

fn shallow_annotation(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "generic_type" => {
            let base = class(b, node);
            let arguments = arguments(b, node);
            let index = Box::new(b.expr(ExprKind::Tuple(arguments), node));
            b.expr(ExprKind::At { object: Box::new(base), index, optional: false }, node)
        }
        "tuple_type" => {
            let elements = named(node).into_iter().map(|one| annotation(b, one)).collect();
            b.expr(ExprKind::Tuple(elements), node)
        }
        "reference_type" | "pointer_type" | "dynamic_type" | "abstract_type" | "bracketed_type" => inner(b, node),
        "array_type" => {
            let element = node.child_by_field_name("element").map(|element| annotation(b, element));
            b.expr(ExprKind::List(element.into_iter().collect()), node)
        }
        _ => class(b, node),
    }
}

/// The type that a reference, a pointer or `dyn` is of.
fn inner(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let of = node.child_by_field_name("type").or_else(|| node.child_by_field_name("trait"));
    let of = of.or_else(|| named(node).into_iter().find(|child| !is_mark(child.kind())));
    match of {
        Some(of) => annotation(b, of),
        None => b.opaque(UNPARSED, node),
    }
}

fn is_mark(kind: &str) -> bool {
    matches!(kind, "lifetime" | "mutable_specifier")
}

/// The arguments of a generic type or function, without lifetimes.
pub(super) fn arguments(b: &mut Builder<'_>, node: Node<'_>) -> Vec<Expr> {
    let list = node.child_by_field_name("type_arguments").map(named).unwrap_or_default();
    let types = list.into_iter().filter(|one| !matches!(one.kind(), "lifetime" | "type_binding" | "block"));
    types.map(|one| annotation(b, one)).collect()
}

/// The class that a type is of, as an expression: a path without its arguments.
pub(super) fn class(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    b.deeper(|b| shallow_class(b, node)).unwrap_or_else(|| b.opaque(TOO_DEEP, node))
}

fn shallow_class(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "scoped_identifier" | "scoped_type_identifier" => {
            let Some(name) = node.child_by_field_name("name") else { return b.opaque(UNPARSED, node) };
            match node.child_by_field_name("path") {
                Some(path) => {
                    let object = Box::new(class(b, path));
                    b.expr(ExprKind::Member { object, key: word(b, name), at: b.span(name), optional: false }, node)
                }
                // `::std::fmt`
                None => b.expr(ExprKind::Name(word(b, name)), name),
            }
        }
        "generic_type" | "generic_type_with_turbofish" => match node.child_by_field_name("type") {
            Some(of) => class(b, of),
            None => b.opaque(UNPARSED, node),
        },
        "generic_function" => match node.child_by_field_name("function") {
            Some(of) => class(b, of),
            None => b.opaque(UNPARSED, node),
        },
        // `<T as Trait>::NAME`
        "bracketed_type" => match named(node).first() {
            Some(of) if of.kind() == "qualified_type" => match of.child_by_field_name("type") {
                Some(of) => class(b, of),
                None => b.opaque(UNPARSED, node),
            },
            Some(of) => class(b, *of),
            None => b.opaque(UNPARSED, node),
        },
        "reference_type" | "pointer_type" | "dynamic_type" | "abstract_type" => {
            let of = node.child_by_field_name("type").or_else(|| node.child_by_field_name("trait"));
            match of {
                Some(of) => class(b, of),
                None => b.opaque("a type", node),
            }
        }
        "crate" => b.expr(ExprKind::Name(SmolStr::new_static("crate")), node),
        "super" => b.expr(ExprKind::Name(SmolStr::new_static("super")), node),
        // A module, and not the receiver of a method.
        "self" => b.expr(ExprKind::Name(SmolStr::new_static("self::")), node),
        "identifier" | "type_identifier" | "primitive_type" => b.expr(ExprKind::Name(word(b, node)), node),
        "array_type" | "tuple_type" | "function_type" | "unit_type" | "never_type" => b.opaque("a type", node),
        _ => b.opaque("a type", node),
    }
}

/// An identifier without the `r#` before it.
pub(super) fn word(b: &Builder<'_>, node: Node<'_>) -> SmolStr {
    let text = b.text(node);
    SmolStr::new(text.strip_prefix("r#").unwrap_or(text))
}

/// The names of the type parameters of an item.
pub(super) fn parameters(b: &Builder<'_>, node: Node<'_>) -> Vec<SmolStr> {
    let list = node.child_by_field_name("type_parameters").map(named).unwrap_or_default();
    let name = |parameter: Node<'_>| match parameter.kind() {
        "type_identifier" => Some(b.smol(parameter)),
        "lifetime_parameter" | "lifetime" | "const_parameter" | "attribute_item" => None,
        _ => {
            let name = parameter.child_by_field_name("name").or_else(|| parameter.child_by_field_name("left"));
            name.map(|name| b.smol(name))
        }
    };
    list.into_iter().filter_map(name).collect()
}
