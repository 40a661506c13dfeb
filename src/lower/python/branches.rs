//! The conditions of branches: `if`, `elif` and `else`.

use tree_sitter::Node;

use super::{expression, statement};
use crate::lower::builder::{Builder, MODULE, named};
use crate::lower::{ScopeId, ScopeKind};

/// Lowers an `if` with all its branches.
pub(super) fn of_if(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    let (consequence, condition) = (node.child_by_field_name("consequence"), node.child_by_field_name("condition"));
    // The conditions of the preceding `elif` branches, each collected once.
    let mut before: Vec<Node<'_>> = Vec::new();
    for child in named(node) {
        let inner = match Some(child) == consequence {
            true => b.open(scope, ScopeKind::Branch),
            false => scope,
        };
        if let Some(condition) = condition {
            match child.kind() {
                _ if inner != scope => test(b, condition, inner, true),
                "elif_clause" | "else_clause" => {
                    // The clause opens its own scope, the next one.
                    let branch = ScopeId(b.facts.scopes.len() as u32);
                    test(b, condition, branch, false);
                    match before.len() > MAX_CONDITIONS {
                        true => b.some_condition(branch),
                        false => before.iter().for_each(|other| test(b, *other, branch, false)),
                    }
                    if let Some(own) = child.child_by_field_name("condition") {
                        test(b, own, branch, true);
                        before.push(own);
                    }
                }
                _ => {}
            }
        }
        b.deeper(|b| statement(b, child, inner));
    }
}

/// How many preceding `elif` branches are recorded as conditions of a later branch. With more of them, its condition is
/// unknown.
const MAX_CONDITIONS: usize = 32;

/// Whether a node is a name, an attribute of one or a literal, so that lowering it twice records nothing twice.
fn is_plain(node: Node<'_>) -> bool {
    let objects = std::iter::successors(Some(node), |node| {
        (node.kind() == "attribute").then(|| node.child_by_field_name("object")).flatten()
    });
    objects
        .last()
        .is_some_and(|first| matches!(first.kind(), "identifier" | "string" | "integer" | "true" | "false" | "none"))
}

/// Records the conditions of a branch: that `condition` is true or, if `holds` is false, that it is not. `not` inverts
/// a condition. If an `and` must be true, both of its operands must be; if an `or` must not be true, neither of its
/// operands may be. Other combinations are unknown.
fn test(b: &mut Builder<'_>, condition: Node<'_>, branch: ScopeId, holds: bool) {
    let outside = b.facts.scopes.get(branch.0 as usize).and_then(|scope| scope.parent).unwrap_or(MODULE);
    let mut rest = vec![(condition, holds)];
    while let Some((condition, holds)) = rest.pop() {
        let operator = condition.child_by_field_name("operator").map(|operator| operator.kind());
        match (condition.kind(), operator) {
            ("parenthesized_expression", _) => rest.extend(named(condition).first().map(|inner| (*inner, holds))),
            ("not_operator", _) => {
                rest.extend(condition.child_by_field_name("argument").map(|inner| (inner, !holds)));
            }
            ("boolean_operator", Some(joint)) if joint == if holds { "and" } else { "or" } => {
                let sides = ["right", "left"].map(|side| condition.child_by_field_name(side));
                rest.extend(sides.into_iter().flatten().map(|side| (side, holds)));
            }
            ("comparison_operator", _) if !named(condition).into_iter().all(is_plain) => b.some_condition(branch),
            ("identifier" | "attribute" | "comparison_operator", _) => {
                let test = b.again(|b| expression(b, condition, outside));
                b.condition(branch, test, holds);
            }
            _ => b.some_condition(branch),
        }
    }
}
