//! Types as expressions.

use tree_sitter::Node;

use super::BROKEN;
use super::expressions::{expression, leaf};
use super::operators::{Chain, MAX_LEANING, halved, leaning};
use super::postfix::{single_index, tuple};
use crate::code::builder::{Builder, has_token, named};
use crate::code::{Binary, Expr, ExprKind};

/// `List[int]`, `dict[str, int]` as a type.
pub(super) fn generic(b: &mut Builder<'_>, node: Node<'_>) -> ExprKind {
    let parts = named(node);
    let [base, parameters] = parts.as_slice() else {
        return ExprKind::Opaque(BROKEN);
    };
    let object = Box::new(match base.kind() {
        "identifier" => leaf(b, *base),
        _ => expression(b, *base),
    });
    let types = named(*parameters);
    let index = match types.as_slice() {
        [] => return ExprKind::Opaque(BROKEN),
        [only] if !has_token(*parameters, ",") => single_index(b, *only),
        types => tuple(b, types),
    };
    ExprKind::At { object, index: Box::new(index), optional: false }
}

/// Lowers `A | B` as a type. The grammar nests unions one way or the other; here they all lean left.
pub(super) fn union(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let mut operands = Vec::new();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        let is_or = node.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "|");
        match (node.kind(), named(node).as_slice()) {
            ("union_type", [left, right]) => open.extend([*right, *left]),
            ("binary_operator", [left, right]) if is_or => open.extend([*right, *left]),
            ("type", [inner]) => open.push(*inner),
            _ => operands.push(node),
        }
    }
    let join = |_: &str, left, right| ExprKind::Binary(Binary::Or, left, right);
    if operands.len() > MAX_LEANING {
        return halved(b, &operands, "|", &join);
    }
    let operators = vec!["|"; operands.len() - 1];
    leaning(b, &Chain { operands, operators }, &join)
}

pub(super) fn member_type(b: &mut Builder<'_>, node: Node<'_>) -> ExprKind {
    match named(node).as_slice() {
        [object, key] => {
            let object = Box::new(expression(b, *object));
            ExprKind::Member { object, key: b.smol(*key), at: b.span(*key), optional: false }
        }
        _ => ExprKind::Opaque(BROKEN),
    }
}
