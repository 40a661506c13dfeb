//! The conditions of branches: `if`, `else`, `case` and `default`.

use tree_sitter::Node;

use super::expression::expression;
use crate::lower::ScopeId;
use crate::lower::builder::{Builder, MODULE, named};

/// Records the conditions of a branch: that `condition` is truthy or, if `holds` is false, that it is not. `!` inverts
/// a condition. If an `&&` must be truthy, both of its operands must be; if an `||` must not be truthy, neither of its
/// operands may be. Other combinations are unknown.
pub(super) fn test(b: &mut Builder<'_>, condition: Node<'_>, branch: ScopeId, holds: bool) {
    let outside = b.facts.scopes.get(branch.0 as usize).and_then(|scope| scope.parent).unwrap_or(MODULE);
    let mut rest = vec![(condition, holds)];
    while let Some((condition, holds)) = rest.pop() {
        let operator = condition.child_by_field_name("operator").map(|operator| operator.kind());
        match (condition.kind(), operator) {
            ("parenthesized_expression", _) => rest.extend(named(condition).first().map(|inner| (*inner, holds))),
            ("unary_expression", Some("!")) => {
                rest.extend(condition.child_by_field_name("argument").map(|inner| (inner, !holds)));
            }
            ("binary_expression", Some(joint)) if joint == if holds { "&&" } else { "||" } => {
                let sides = ["right", "left"].map(|side| condition.child_by_field_name(side));
                rest.extend(sides.into_iter().flatten().map(|side| (side, holds)));
            }
            ("identifier" | "member_expression", _) => {
                let test = expression(b, condition, outside);
                b.condition(branch, test, holds);
            }
            ("binary_expression" | "subscript_expression", _) if has_plain_sides(condition) => {
                let test = b.again(|b| expression(b, condition, outside));
                b.condition(branch, test, holds);
            }
            _ => b.some_condition(branch),
        }
    }
}

/// Whether both operands, or a table and its key, are names, members or literals, so that lowering them twice records
/// nothing twice.
fn has_plain_sides(node: Node<'_>) -> bool {
    let sides = if node.kind() == "binary_expression" { ["left", "right"] } else { ["object", "index"] };
    sides.iter().all(|side| node.child_by_field_name(side).is_some_and(is_plain))
}

pub(super) fn is_plain(node: Node<'_>) -> bool {
    let objects = std::iter::successors(Some(node), |node| {
        (node.kind() == "member_expression").then(|| node.child_by_field_name("object")).flatten()
    });
    objects.last().is_some_and(|first| {
        matches!(first.kind(), "identifier" | "string" | "number" | "true" | "false" | "null" | "undefined" | "this")
    })
}

/// Records, as conditions of a `default` branch, that the value of the `switch` equals the value of none of its
/// `case`s.
pub(super) fn none_of_the_cases(b: &mut Builder<'_>, default: Node<'_>, branch: ScopeId) {
    let (Some(subject), Some(body)) = (subject_of_case(default), default.parent()) else { return };
    let outside = b.scope_mut(branch).parent.unwrap_or(MODULE);
    let cases = named(body).into_iter().filter_map(|case| case.child_by_field_name("value"));
    for case in cases {
        if !is_plain(case) || !is_plain(inside_parentheses(subject)) {
            b.some_condition(branch);
            continue;
        }
        let sides = b.again(|b| [subject, case].map(|side| expression(b, side, outside)).to_vec());
        let test = b.equal(sides, true, case);
        b.condition(branch, test, false);
    }
}

fn inside_parentheses(mut node: Node<'_>) -> Node<'_> {
    while let Some(inner) = node.named_child(0).filter(|_| node.kind() == "parenthesized_expression") {
        node = inner;
    }
    node
}

/// The value of the `switch` around a `case`, with its parentheses.
pub(super) fn subject_of_case(case: Node<'_>) -> Option<Node<'_>> {
    case.parent()?.parent()?.child_by_field_name("value")
}

/// Whether a `case` falls through into the next one, with no statements of its own.
pub(super) fn is_empty_case(case: Node<'_>) -> bool {
    case.named_child_count() == usize::from(case.child_by_field_name("value").is_some())
}

/// The values of the empty `case`s directly before another that fall through into it; `None` if a `case` with
/// statements, or one with a computed value, falls through, too.
pub(super) fn falling_into(case: Node<'_>) -> Option<Vec<Node<'_>>> {
    let before = std::iter::successors(case.prev_named_sibling(), |node| node.prev_named_sibling());
    let mut values = Vec::new();
    for before in before.filter(|node| node.kind() != "comment") {
        let value = before.child_by_field_name("value");
        match value.filter(|value| is_empty_case(before) && is_plain(*value)) {
            Some(value) => values.push(value),
            None => return ends_in_a_jump(before).then_some(values),
        }
    }
    Some(values)
}

/// Whether the last statement of a `case` leaves the `switch`.
fn ends_in_a_jump(case: Node<'_>) -> bool {
    fn last_of(node: Node<'_>) -> Option<Node<'_>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).filter(|child| child.kind() != "comment").last()
    }
    let mut last = last_of(case);
    while let Some(block) = last.filter(|node| node.kind() == "statement_block") {
        last = last_of(block);
    }
    last.is_some_and(|last| {
        matches!(last.kind(), "return_statement" | "break_statement" | "throw_statement" | "continue_statement")
    })
}

/// Whether a child of an `if` is the statement that runs if the condition holds.
pub(super) fn is_branch_of(node: Node<'_>, child: Node<'_>) -> bool {
    node.child_by_field_name("consequence") == Some(child)
}
