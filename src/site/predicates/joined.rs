//! Tests that are conditions to which another condition can be joined.

use tree_sitter::{Node, Tree};

use super::{Family, Reader, is_text, span_of};
use crate::site::siblings::is_list;
use crate::text::Span;

/// The maximum number of variables to follow, one after the other, to a value.
const MOST_VALUES: usize = 6;

/// Whether another condition can be joined to a condition by an operator without parentheses around the two: the
/// condition is alone, or one of several that the same operator joins.
pub(crate) fn joins_alone(tree: &Tree, text: &str, condition: Span, operator: &str) -> bool {
    let node = tree.root_node().descendant_for_byte_range(condition.start as usize, condition.end as usize);
    let around = node.and_then(|node| node.parent());
    let joins = |around: Node<'_>| {
        let own = around.child_by_field_name("operator");
        own.is_some_and(|own| text.get(own.byte_range()) == Some(operator))
    };
    around.is_some_and(joins) || super::stands_alone(tree, condition)
}

impl<'t, 's> Reader<'t, 's> {
    /// The span of a test, if another condition can be joined to the test. `None` for Rust, and if the texts cannot be
    /// traced to a literal or list in the file, as in a loop that tests one text after another.
    pub(super) fn condition(&self, test: Node<'t>, texts: Node<'t>) -> Option<Span> {
        let mut node = texts;
        for _ in 0..MOST_VALUES {
            if node.kind() != "identifier" {
                break;
            }
            let value = self.value(node)?;
            let declares = |parent: Node<'_>| {
                matches!(parent.kind(), "variable_declarator" | "assignment" | "const_item" | "static_item")
            };
            node = value.parent().filter(|parent| declares(*parent)).map(|_| value)?;
        }
        let is_written = is_text(node) || is_list(node) || node.kind() == "regex";
        (is_written && self.family != Family::Rust).then(|| span_of(test))
    }
}
