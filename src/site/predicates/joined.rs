//! Which tests are conditions that another one can be joined to.

use tree_sitter::{Node, Tree};

use super::{Family, Reader, is_text, span_of};
use crate::site::siblings::is_list;
use crate::text::Span;

/// How many variables in turn are followed to what they hold.
const MOST_VALUES: usize = 6;

/// Whether a condition can be joined by an operator without parentheses around the two: it is alone, or one of several that the
/// same operator joins.
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
        let is_written = is_text(node) || is_list(node) || node.kind() == "regex";
        (is_written && self.family != Family::Rust).then(|| span_of(test))
    }
}
