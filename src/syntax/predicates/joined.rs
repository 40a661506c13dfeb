//! Which tests are conditions that another one can be joined to, and what they test that is found in a text.

use tree_sitter::{Node, Tree};

use super::{Family, PARTS, Reader, is_text, span_of};
use crate::text::Span;

/// What finds parts of a text that a pattern describes; the last part of what is called.
const FINDS: [&str; 9] =
    ["match", "matchAll", "exec", "findall", "finditer", "captures", "captures_iter", "find_iter", "group"];

/// How many values in turn are followed to where a part was found.
const MOST_VALUES: usize = 6;

/// Whether a condition can be joined by an operator without parentheses around the two: it is alone, or one of several that the
/// same operator joins.
pub fn joins_alone(tree: &Tree, text: &str, condition: Span, operator: &str) -> bool {
    let node = tree.root_node().descendant_for_byte_range(condition.start as usize, condition.end as usize);
    let around = node.and_then(|node| node.parent());
    let joins = |around: Node<'_>| {
        let own = around.child_by_field_name("operator");
        own.is_some_and(|own| text.get(own.byte_range()) == Some(operator))
    };
    around.is_some_and(joins) || super::stands_alone(tree, condition)
}

impl<'t, 's> Reader<'t, 's> {
    /// A test as a condition, where it is true or false for each of its texts at once: not in a loop over them.
    pub(super) fn condition(&self, test: Node<'t>, texts: Node<'t>) -> Option<Span> {
        let mut node = texts;
        for _ in 0..MOST_VALUES {
            if node.kind() != "identifier" {
                break;
            }
            let value = *self.bound.get(self.source(node))?;
            let declares = |parent: Node<'_>| {
                matches!(parent.kind(), "variable_declarator" | "assignment" | "const_item" | "static_item")
            };
            node = value.parent().filter(|parent| declares(*parent)).map(|_| value)?;
        }
        let is_written = is_text(node) || matches!(node.kind(), "array" | "list" | "tuple" | "set" | "regex");
        (is_written && self.family != Family::Rust).then(|| span_of(test))
    }

    /// Whether an expression is what a pattern found in a text, as `matches[1]` of `text.match(/…/)`: no name that is passed
    /// around. What it finds in a name is part of that.
    pub(super) fn is_found(&self, node: Node<'t>) -> bool {
        let mut next = Some(node);
        for _ in 0..MOST_VALUES {
            let Some(node) = next else { return false };
            if let Some((object, method)) = self.called(node) {
                let arguments = self.arguments(node);
                let is_of_name = |node: Option<Node<'t>>| node.is_some_and(|it| !is_text(it) && self.is_name(Some(it)));
                if FINDS.contains(&method) {
                    let tests = ["match", "exec", "findall", "finditer"].contains(&method);
                    let of_name = is_of_name(object) || tests && arguments.iter().any(|one| is_of_name(Some(*one)));
                    return !of_name && object.is_some();
                }
                next = object.filter(|_| !PARTS.contains(&method));
                continue;
            }
            let field = |names: &[&str]| names.iter().find_map(|name| node.child_by_field_name(name));
            next = match node.kind() {
                "identifier" => self.bound.get(self.source(node)).copied(),
                "subscript_expression" | "subscript" | "member_expression" | "attribute" => field(&["object", "value"]),
                "non_null_expression" | "parenthesized_expression" | "await_expression" => node.named_child(0),
                "binary_expression" => field(&["left"]),
                _ => None,
            };
        }
        false
    }
}
