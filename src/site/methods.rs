//! Finds every reference to a Rust method, so that the method can be renamed.

use tree_sitter::{Node, Tree};

use super::queries::Queries;
use crate::text::Span;

/// The definitions of, and references to, a method name in a Rust file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MethodUses {
    /// The spans of the name in the definitions of functions with that name.
    pub definitions: Vec<Span>,
    /// References through `self` or `Self` in the `impl` block around the definition: `self.read()`, `Self::read`.
    pub own: Vec<Span>,
    /// All other references to a member with that name: `notes.read()`, `Notes::read`.
    pub members: Vec<Span>,
}

/// Finds the references to a method in a Rust file. `definition` is the span of the name in its definition, if that is
/// in this file. References through `self` or `Self` in the `impl` block around the definition are listed separately.
pub(crate) fn method_uses(tree: &Tree, source: &str, name: &str, definition: Option<Span>) -> MethodUses {
    let text_of = |node: Node<'_>| source.get(node.byte_range()).unwrap_or_default();
    let around = definition.and_then(|definition| {
        let node = tree.root_node().descendant_for_byte_range(definition.start as usize, definition.end as usize)?;
        std::iter::successors(Some(node), |node| node.parent()).find(|node| node.kind() == "impl_item")
    });
    let is_name = |node: &Node<'_>| text_of(*node) == name;
    let mut uses = MethodUses::default();
    for found in Queries::Methods.all(tree, source, "definition") {
        uses.definitions.extend(found.node("definition").filter(is_name).map(span_of));
    }
    for found in Queries::Methods.all(tree, source, "reference") {
        let Some((reference, receiver)) = found.node("reference").filter(is_name).zip(found.node("receiver")) else {
            continue;
        };
        let is_inside = around.is_some_and(|around| around.byte_range().contains(&reference.start_byte()));
        match matches!(text_of(receiver), "self" | "Self") && is_inside {
            true => uses.own.push(span_of(reference)),
            false => uses.members.push(span_of(reference)),
        }
    }
    uses
}

fn span_of(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Language, parse};

    #[test]
    fn what_an_implementation_says_of_its_own_is_told_apart() {
        let source = "impl A { fn read(&self) { self.read(); Self::read(self); b.read(); let read = 1; } }\nimpl B { fn read(&self) { self.read() } }\nuse a::read;";
        let at = source.find("read").unwrap();
        let tree = parse(Language::Rust, source, None).unwrap();
        let uses = method_uses(&tree, source, "read", Some(Span::new(at, at + 4)));
        let before = |spans: &[Span]| {
            let mut all: Vec<&str> =
                spans.iter().map(|span| &source[span.start as usize - 6..span.start as usize]).collect();
            all.sort();
            all.join("|")
        };
        assert_eq!(uses.definitions.len(), 2);
        assert_eq!(before(&uses.own), " self.|Self::");
        // `self` in another `impl` block may have a different method of that name.
        assert_eq!(before(&uses.members), " self.|f); b.|se a::");
    }
}
