//! Operators, comparisons and conditional expressions.

use smol_str::SmolStr;
use tree_sitter::Node;

use super::expressions::{expression, inside};
use super::{BROKEN, COMPARED, TOO_DEEP};
use crate::code::builder::{Builder, common_operator, named};
use crate::code::{Binary, Expr, ExprKind, Logic, Target};
use crate::text::Span;

/// How many operands of the same operator lean left, as they are written. The operands of a longer chain are halved
/// again and again, so that thousands of them are no deeper than a few.
pub(super) const MAX_LEANING: usize = 32;

/// Applies `build` to an operand. The grammar takes `*a.b()` and `*a + b` for what is done to `*a`; then it is done to
/// `a`, and the star is for the result.
pub(super) fn starred(operand: Expr, build: impl FnOnce(Expr) -> Expr) -> Expr {
    match operand.kind {
        ExprKind::Spread(inner) => {
            let built = build(*inner);
            let span = Span { start: operand.span.start.min(built.span.start), end: built.span.end };
            Expr { kind: ExprKind::Spread(Box::new(built)), span }
        }
        kind => build(Expr { kind, span: operand.span }),
    }
}

pub(super) fn conditional(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    match named(node).as_slice() {
        [then, test, otherwise] => {
            let [then, test, otherwise] = [*then, *test, *otherwise].map(|part| expression(b, part));
            starred(then, |then| {
                let [then, test, otherwise] = [then, test, otherwise].map(Box::new);
                b.expr(ExprKind::Conditional { test, then, otherwise }, node)
            })
        }
        _ => b.opaque(BROKEN, node),
    }
}

pub(super) fn operator_of(operator: &str) -> Option<Binary> {
    Some(match operator {
        "//" => Binary::FloorDivide,
        "@" => Binary::MatrixMultiply,
        "==" => Binary::Equal,
        "!=" | "<>" => Binary::NotEqual,
        "is" => Binary::Is,
        "is not" => Binary::IsNot,
        "not in" => Binary::NotIn,
        _ => return common_operator(operator),
    })
}

/// Operands and the operators between them, as the tree nests them to the left: `a + b - c`.
pub(super) struct Chain<'t> {
    pub(super) operands: Vec<Node<'t>>,
    pub(super) operators: Vec<&'t str>,
}

impl<'t> Chain<'t> {
    /// The chain that ends with a node; with `same`, only as far as the operator is the same.
    fn of(node: Node<'t>, same: bool) -> Chain<'t> {
        let mut chain = Chain { operands: Vec::new(), operators: Vec::new() };
        let mut left = node;
        loop {
            let operator = left.child_by_field_name("operator").map_or("", |operator| operator.kind());
            let is_link =
                left.kind() == node.kind() && (!same || chain.operators.first().is_none_or(|first| *first == operator));
            match (left.child_by_field_name("left"), left.child_by_field_name("right")) {
                (Some(next), Some(right)) if is_link => {
                    chain.operands.push(right);
                    chain.operators.push(operator);
                    left = next;
                }
                _ => break,
            }
        }
        chain.operands.push(left);
        chain.operands.reverse();
        chain.operators.reverse();
        chain
    }
}

/// The expression for an operator and its operands.
pub(super) type Join = dyn Fn(&str, Box<Expr>, Box<Expr>) -> ExprKind;

pub(super) fn binary(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let join = |operator: &str, left, right| match operator_of(operator) {
        Some(operator) => ExprKind::Binary(operator, left, right),
        None => ExprKind::Opaque(BROKEN),
    };
    let chain = Chain::of(node, true);
    // Of these alone the order of evaluation does not matter for what people chain.
    if chain.operands.len() > MAX_LEANING && matches!(chain.operators[0], "+" | "|" | "&") {
        return halved(b, &chain.operands, chain.operators[0], &join);
    }
    leaning(b, &Chain::of(node, false), &join)
}

pub(super) fn logic(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let join = |operator: &str, left, right| {
        ExprKind::Logic(if operator == "or" { Logic::Or } else { Logic::And }, left, right)
    };
    let chain = Chain::of(node, true);
    if chain.operands.len() > MAX_LEANING {
        return halved(b, &chain.operands, chain.operators[0], &join);
    }
    leaning(b, &chain, &join)
}

/// Lowers a chain as it is written.
pub(super) fn leaning(b: &mut Builder<'_>, chain: &Chain<'_>, join: &Join) -> Expr {
    let [first, rest @ ..] = chain.operands.as_slice() else {
        return Expr { kind: ExprKind::Opaque(BROKEN), span: Span::at(0) };
    };
    if rest.is_empty() {
        return b.opaque(BROKEN, *first);
    }
    let lowered = inside(b, rest.len(), *first);
    starred(lowered, |lowered| {
        let links = rest.iter().zip(&chain.operators).enumerate();
        links.fold(lowered, |left, (index, (operand, operator))| {
            let span = b.span_of(first.start_byte(), operand.end_byte());
            let kind = match b.along(rest.len() - index, |b| expression(b, *operand)) {
                Some(right) => join(operator, Box::new(left), Box::new(right)),
                None => ExprKind::Opaque(TOO_DEEP),
            };
            Expr { kind, span }
        })
    })
}

/// Lowers a chain of one operator, halving the operands again and again.
pub(super) fn halved(b: &mut Builder<'_>, operands: &[Node<'_>], operator: &str, join: &Join) -> Expr {
    let (first, last) = match operands {
        [] => return Expr { kind: ExprKind::Opaque(BROKEN), span: Span::at(0) },
        [only] => return expression(b, *only),
        [first, .., last] => (first, last),
    };
    let span = b.span_of(first.start_byte(), last.end_byte());
    let (left, right) = operands.split_at(operands.len() / 2);
    let sides = b.along(1, |b| (halved(b, left, operator, join), halved(b, right, operator, join)));
    let kind = match sides {
        Some((left, right)) => join(operator, Box::new(left), Box::new(right)),
        None => ExprKind::Opaque(TOO_DEEP),
    };
    Expr { kind, span }
}

/// Whether an operand may be lowered twice: a name, an attribute of one, or a literal.
fn is_plain(node: Node<'_>) -> bool {
    let mut node = node;
    while node.kind() == "attribute" {
        match node.child_by_field_name("object") {
            Some(object) => node = object,
            None => return false,
        }
    }
    let has_no_values = |string: &Node<'_>| !named(*string).iter().any(|part| part.kind() == "interpolation");
    match node.kind() {
        "identifier" | "integer" | "float" | "true" | "false" | "none" => true,
        "string" => has_no_values(&node),
        "concatenated_string" => named(node).iter().all(has_no_values),
        _ => false,
    }
}

/// Whether a comparison keeps an operand under a name, to use it twice.
pub(super) fn keeps_operand(node: Node<'_>) -> bool {
    match named(node).as_slice() {
        [_, middle @ .., _] => !middle.iter().all(|operand| is_plain(*operand)),
        _ => false,
    }
}

/// Lowers `a < b < c` to `a < b and b < c`. If `b` is more than a name or literal, it is kept under a name:
/// `a < (kept := b) and kept < c`.
pub(super) fn comparison(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.children(&mut cursor).filter(|child| !child.is_extra()).collect();
    let (operands, operators): (Vec<_>, Vec<_>) = children.into_iter().partition(|child| child.is_named());
    let Some(&first) = operands.first() else {
        return b.opaque(BROKEN, node);
    };
    let lowered = expression(b, first);
    starred(lowered, |lowered| compared(b, lowered, &operands, &operators))
}

/// Compares each operand with the next one; `left` is the first.
fn compared(b: &mut Builder<'_>, mut left: Expr, operands: &[Node<'_>], operators: &[Node<'_>]) -> Expr {
    let mut pairs = Vec::with_capacity(operators.len());
    let mut start = operands[0].start_byte();
    for (index, (&operand, operator)) in operands[1..].iter().zip(operators).enumerate() {
        let mut right = expression(b, operand);
        let is_last = index + 2 == operands.len();
        let again = match is_last || is_plain(operand) {
            // Not used after the last pair.
            true if is_last => Expr { kind: ExprKind::Null, span: right.span },
            true => right.clone(),
            false => {
                let span = right.span;
                let name = SmolStr::new_static(COMPARED);
                let target = Box::new(Target::Name { name: name.clone(), span });
                right = Expr { kind: ExprKind::Assign { target, operator: None, value: Box::new(right) }, span };
                Expr { kind: ExprKind::Name(name), span }
            }
        };
        let span = b.span_of(start, operand.end_byte());
        let kind = match operator_of(operator.kind()) {
            Some(operator) => ExprKind::Binary(operator, Box::new(left), Box::new(right)),
            None => ExprKind::Opaque(BROKEN),
        };
        pairs.push(Expr { kind, span });
        (left, start) = (again, operand.start_byte());
    }
    match pairs.len() {
        0 => left,
        _ => all(pairs),
    }
}

/// Joins conditions that must all be true.
fn all(mut conditions: Vec<Expr>) -> Expr {
    while conditions.len() > 1 {
        let mut joined = Vec::with_capacity(conditions.len().div_ceil(2));
        let mut rest = conditions.into_iter();
        while let Some(left) = rest.next() {
            joined.push(match rest.next() {
                Some(right) => {
                    let span = Span { start: left.span.start, end: right.span.end };
                    Expr { kind: ExprKind::Logic(Logic::And, Box::new(left), Box::new(right)), span }
                }
                None => left,
            });
        }
        conditions = joined;
    }
    conditions.pop().unwrap_or(Expr { kind: ExprKind::Opaque(BROKEN), span: Span::at(0) })
}
