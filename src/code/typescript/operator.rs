//! Operators and assignments.

use tree_sitter::Node;

use super::expression::{expression, expression_of};
use super::target::target;
use super::{TOO_DEEP, UNPARSED};
use crate::code::builder::{Builder, common_operator};
use crate::code::{Binary, Expr, ExprKind, Logic, Target, Unary};

/// The number of operands from which `"a" + b + …` becomes one node instead of many nested ones.
const LONG: usize = 32;

fn operator<'n>(node: Node<'n>) -> &'n str {
    node.child_by_field_name("operator").map_or("", |operator| operator.kind())
}

fn right_of(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("right")
}

/// Operators that lean left, in a loop.
pub(super) fn binary(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let mut links = vec![node];
    let mut first = node.child_by_field_name("left");
    while let Some(left) = first.filter(|left| left.kind() == "binary_expression") {
        links.push(left);
        first = left.child_by_field_name("left");
    }
    let Some(first) = first else { return b.opaque(UNPARSED, node) };
    links.reverse();
    if links.len() > LONG && links.iter().all(|link| operator(*link) == "+") {
        return sum(b, first, &links, node);
    }
    folded(b, first, &links, 0).unwrap_or_else(|| b.opaque(TOO_DEEP, node))
}

/// The value of operators that are applied one after the other, with `above` links around them.
fn folded(b: &mut Builder<'_>, first: Node<'_>, links: &[Node<'_>], above: usize) -> Option<Expr> {
    let mut value = b.along(above + links.len(), |b| operand(b, first))?;
    for (index, link) in links.iter().enumerate() {
        let right = right_of(*link);
        let right = b.along(above + links.len() - index, |b| match right {
            Some(right) => operand(b, right),
            None => b.opaque(UNPARSED, *link),
        })?;
        value = b.expr(combined(operator(*link), value, right), *link);
    }
    Some(value)
}

/// A long sum: from its first text on, all that follows is joined.
fn sum(b: &mut Builder<'_>, first: Node<'_>, links: &[Node<'_>], node: Node<'_>) -> Expr {
    let is_text = |node: Node<'_>| matches!(node.kind(), "string" | "template_string");
    let text = links.iter().position(|link| right_of(*link).is_some_and(is_text));
    let before = if is_text(first) { Some(0) } else { text };
    let lowered = match before {
        None => folded(b, first, links, 0),
        Some(before) => folded(b, first, &links[..before], 1).map(|start| {
            let mut parts = vec![start];
            for link in &links[before..] {
                parts.push(match right_of(*link) {
                    Some(right) => operand(b, right),
                    None => b.opaque(UNPARSED, *link),
                });
            }
            b.expr(ExprKind::Join(parts), node)
        }),
    };
    lowered.unwrap_or_else(|| b.opaque(TOO_DEEP, node))
}

fn operand(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        // `#x in object`
        "private_property_identifier" => b.expr(ExprKind::Text(b.smol(node)), node),
        _ => expression(b, node),
    }
}

fn combined(operator: &str, left: Expr, right: Expr) -> ExprKind {
    let (left, right) = (Box::new(left), Box::new(right));
    if let Some(logic) = logic_of(operator) {
        return ExprKind::Logic(logic, left, right);
    }
    match binary_of(operator) {
        Some(binary) => ExprKind::Binary(binary, left, right),
        None => ExprKind::Opaque(UNPARSED),
    }
}

fn logic_of(operator: &str) -> Option<Logic> {
    Some(match operator {
        "&&" => Logic::And,
        "||" => Logic::Or,
        "??" => Logic::Otherwise,
        _ => return None,
    })
}

fn binary_of(operator: &str) -> Option<Binary> {
    Some(match operator {
        ">>>" => Binary::ShiftRightUnsigned,
        "==" => Binary::Like,
        "!=" => Binary::Unlike,
        "===" => Binary::Equal,
        "!==" => Binary::NotEqual,
        "instanceof" => Binary::InstanceOf,
        _ => return common_operator(operator),
    })
}

pub(super) fn unary(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let operator = match operator(node) {
        "!" => Unary::Not,
        "-" => Unary::Minus,
        "+" => Unary::Plus,
        "~" => Unary::Invert,
        "typeof" => Unary::TypeOf,
        "void" => Unary::Void,
        "delete" => Unary::Delete,
        _ => return b.opaque(UNPARSED, node),
    };
    let value = expression_of(b, node, "argument");
    b.expr(ExprKind::Unary(operator, Box::new(value)), node)
}

/// `a ? b : c`, with all that follow in `c` in a loop.
pub(super) fn ternary(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let mut links = vec![node];
    let mut last = node.child_by_field_name("alternative");
    while let Some(next) = last.filter(|next| next.kind() == "ternary_expression") {
        links.push(next);
        last = next.child_by_field_name("alternative");
    }
    let lowered = b.along(links.len(), |b| match last {
        Some(last) => expression(b, last),
        None => b.opaque(UNPARSED, node),
    });
    let Some(mut otherwise) = lowered else { return b.opaque(TOO_DEEP, node) };
    while let Some(link) = links.pop() {
        let parts =
            b.along(links.len(), |b| (expression_of(b, link, "condition"), expression_of(b, link, "consequence")));
        let Some((test, then)) = parts else { return b.opaque(TOO_DEEP, node) };
        let (test, then) = (Box::new(test), Box::new(then));
        otherwise = b.expr(ExprKind::Conditional { test, then, otherwise: Box::new(otherwise) }, link);
    }
    otherwise
}

fn left(b: &mut Builder<'_>, node: Node<'_>, field: &str) -> Box<Target> {
    Box::new(node.child_by_field_name(field).map_or(Target::Opaque(UNPARSED), |left| target(b, left)))
}

/// `a = b`, `a += b`, `a ||= b`
pub(super) fn assignment(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let target = left(b, node, "left");
    let value = Box::new(expression_of(b, node, "right"));
    let mark = operator(node).trim_end_matches('=');
    let kind = match logic_of(mark) {
        Some(operator) => ExprKind::AssignLogic { target, operator, value },
        None => ExprKind::Assign { target, operator: binary_of(mark), value },
    };
    b.expr(kind, node)
}

/// `a++`, `--a`
pub(super) fn step(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let target = left(b, node, "argument");
    let prefix = node.child(0).is_some_and(|first| !first.is_named());
    b.expr(ExprKind::Step { target, up: operator(node) == "++", prefix }, node)
}
