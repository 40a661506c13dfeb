//! Expressions, and types as expressions.

use tree_sitter::Node;

use super::postfix::tuple;
use super::{BROKEN, TOO_DEEP, definitions, fields, operators, patterns, postfix, strings, types};
use crate::code::builder::{Builder, has_token, named};
use crate::code::{Clause, Comprehension, ComprehensionKind, Expr, ExprKind, Prop, Target, Unary};

pub(super) fn expression(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    match b.deeper(|b| shallow(b, node)) {
        Some(lowered) => lowered,
        None => b.opaque(TOO_DEEP, node),
    }
}

/// Lowers an expression with `links` links of a chain around it.
pub(super) fn inside(b: &mut Builder<'_>, links: usize, node: Node<'_>) -> Expr {
    match b.along(links, |b| expression(b, node)) {
        Some(lowered) => lowered,
        None => b.opaque(TOO_DEEP, node),
    }
}

/// The expression in a field of a node.
pub(super) fn field(b: &mut Builder<'_>, node: Node<'_>, name: &str) -> Expr {
    match node.child_by_field_name(name) {
        Some(inner) => expression(b, inner),
        None => b.opaque(BROKEN, node),
    }
}

pub(super) fn boxed(b: &mut Builder<'_>, node: Node<'_>, name: &str) -> Box<Expr> {
    Box::new(field(b, node, name))
}

/// Whether nodes of this kind are expressions with others inside.
pub(super) fn is_expression(kind: &str) -> bool {
    matches!(
        kind,
        "attribute"
            | "subscript"
            | "call"
            | "list"
            | "set"
            | "tuple"
            | "expression_list"
            | "dictionary"
            | "list_comprehension"
            | "set_comprehension"
            | "dictionary_comprehension"
            | "generator_expression"
            | "lambda"
            | "parenthesized_expression"
            | "await"
            | "yield"
            | "named_expression"
            | "augmented_assignment"
            | "unary_operator"
            | "not_operator"
            | "binary_operator"
            | "boolean_operator"
            | "comparison_operator"
            | "conditional_expression"
    )
}

fn shallow(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    if node.is_missing() {
        return b.opaque(BROKEN, node);
    }
    match node.kind() {
        "string" => strings::string(b, node),
        "concatenated_string" => strings::adjacent(b, node),
        "lambda" => definitions::lambda(b, node),
        "attribute" | "subscript" | "call" => postfix::postfix(b, node),
        "binary_operator" => operators::binary(b, node),
        "boolean_operator" => operators::logic(b, node),
        "comparison_operator" => operators::comparison(b, node),
        "conditional_expression" => operators::conditional(b, node),
        "union_type" => types::union(b, node),
        "tuple_pattern" if !has_token(node, ",") => only(b, node),
        "parenthesized_expression" | "type" | "as_pattern" | "as_pattern_target" | "ERROR" => only(b, node),
        "identifier" | "true" | "false" | "none" | "ellipsis" | "integer" | "float" => leaf(b, node),
        _ => {
            let kind = compound(b, node);
            b.expr(kind, node)
        }
    }
}

/// The one expression in a node.
pub(super) fn only(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    match named(node).as_slice() {
        [inner] => expression(b, *inner),
        [inner, ..] if node.kind() != "ERROR" => expression(b, *inner),
        _ => b.opaque(BROKEN, node),
    }
}

pub(super) fn leaf(b: &Builder<'_>, node: Node<'_>) -> Expr {
    let kind = match node.kind() {
        "identifier" => ExprKind::Name(b.smol(node)),
        "true" => ExprKind::Bool(true),
        "false" => ExprKind::Bool(false),
        "none" => ExprKind::Null,
        "ellipsis" => ExprKind::Ellipsis,
        _ => number(b.text(node)),
    };
    b.expr(kind, node)
}

/// A number as written, `0x_ff`, `1e3`, as a float. Large integers lose digits.
fn number(text: &str) -> ExprKind {
    let digits: String = text.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect();
    let radix = match digits.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 10,
    };
    if radix == 10 && digits.ends_with('j') {
        return ExprKind::Opaque("a complex number");
    }
    let digits = digits.trim_end_matches('l');
    let value = match radix {
        10 => digits.parse().ok(),
        _ => match u128::from_str_radix(&digits[2..], radix) {
            Ok(value) => Some(value as f64),
            // Too large for exact arithmetic.
            Err(_) => digits[2..].chars().try_fold(0.0, |value, digit| {
                digit.to_digit(radix).map(|digit| value * f64::from(radix) + f64::from(digit))
            }),
        },
    };
    value.map_or(ExprKind::Opaque("a number that cannot be read"), ExprKind::Number)
}

fn compound(b: &mut Builder<'_>, node: Node<'_>) -> ExprKind {
    match node.kind() {
        "list" | "list_pattern" => ExprKind::List(elements(b, node)),
        "set" => ExprKind::Set(elements(b, node)),
        "tuple" | "tuple_pattern" | "expression_list" | "pattern_list" => ExprKind::Tuple(elements(b, node)),
        "dictionary" => dictionary(b, node),
        "list_comprehension" => comprehension(b, node, ComprehensionKind::List),
        "set_comprehension" => comprehension(b, node, ComprehensionKind::Set),
        "dictionary_comprehension" => comprehension(b, node, ComprehensionKind::Table),
        "generator_expression" => comprehension(b, node, ComprehensionKind::Generator),
        "list_splat" | "list_splat_pattern" | "dictionary_splat" | "dictionary_splat_pattern" | "splat_type" => {
            ExprKind::Spread(Box::new(only(b, node)))
        }
        "await" => ExprKind::Await(Box::new(only(b, node))),
        "yield" => produced(b, node),
        "not_operator" => ExprKind::Unary(Unary::Not, boxed(b, node, "argument")),
        "unary_operator" => unary(b, node),
        "named_expression" | "augmented_assignment" | "assignment" => assign(b, node),
        "generic_type" => types::generic(b, node),
        "member_type" => types::member_type(b, node),
        "complex_pattern" => ExprKind::Opaque("a complex number"),
        "constrained_type" => ExprKind::Opaque("a bound of a type parameter"),
        "slice" => postfix::slice_object(b, node),
        _ => ExprKind::Opaque("an expression of an unknown form"),
    }
}

fn elements(b: &mut Builder<'_>, node: Node<'_>) -> Vec<Expr> {
    named(node).into_iter().map(|element| expression(b, element)).collect()
}

fn dictionary(b: &mut Builder<'_>, node: Node<'_>) -> ExprKind {
    let entries = named(node).into_iter().map(|entry| match entry.kind() {
        "pair" => Prop::Pair { key: field(b, entry, "key"), value: field(b, entry, "value") },
        "dictionary_splat" => Prop::Spread(only(b, entry)),
        _ => Prop::Spread(b.opaque(BROKEN, entry)),
    });
    ExprKind::Object(entries.collect())
}

fn comprehension(b: &mut Builder<'_>, node: Node<'_>, kind: ComprehensionKind) -> ExprKind {
    let clauses = named(node).into_iter().filter_map(|clause| match clause.kind() {
        "for_in_clause" => Some(for_in(b, clause)),
        "if_clause" => Some(Clause::If(only(b, clause))),
        _ => None,
    });
    let clauses = clauses.collect();
    let (key, element) = match node.child_by_field_name("body") {
        Some(pair) if pair.kind() == "pair" => (Some(field(b, pair, "key")), field(b, pair, "value")),
        Some(body) => (None, expression(b, body)),
        None => (None, b.opaque(BROKEN, node)),
    };
    ExprKind::Comprehension(Box::new(Comprehension { kind, key, element, clauses }))
}

fn for_in(b: &mut Builder<'_>, clause: Node<'_>) -> Clause {
    let target = match clause.child_by_field_name("left") {
        Some(left) => patterns::target(b, left),
        None => Target::Opaque(BROKEN),
    };
    let rights = fields(clause, "right");
    let iterable = match rights.as_slice() {
        [] => b.opaque(BROKEN, clause),
        [only] => expression(b, *only),
        rights => tuple(b, rights),
    };
    Clause::Each { target, iterable }
}

fn produced(b: &mut Builder<'_>, node: Node<'_>) -> ExprKind {
    let value = named(node).first().map(|value| Box::new(expression(b, *value)));
    ExprKind::Yield { value, all: has_token(node, "from") }
}

fn unary(b: &mut Builder<'_>, node: Node<'_>) -> ExprKind {
    let operator = match node.child_by_field_name("operator").map(|operator| operator.kind()) {
        Some("-") => Unary::Minus,
        Some("+") => Unary::Plus,
        _ => Unary::Invert,
    };
    ExprKind::Unary(operator, boxed(b, node, "argument"))
}

/// Lowers `name := value` and `target += value`.
fn assign(b: &mut Builder<'_>, node: Node<'_>) -> ExprKind {
    let sides = match node.kind() {
        "named_expression" => ("name", "value"),
        _ => ("left", "right"),
    };
    let target = match node.child_by_field_name(sides.0) {
        Some(target) => patterns::target(b, target),
        None => Target::Opaque(BROKEN),
    };
    let operator = node.child_by_field_name("operator").map(|operator| operator.kind().trim_end_matches('='));
    ExprKind::Assign {
        target: Box::new(target),
        operator: operator.and_then(operators::operator_of),
        value: boxed(b, node, sides.1),
    }
}
