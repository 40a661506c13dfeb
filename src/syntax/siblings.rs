//! String literals that stand beside each other, none of which needs the others: elements of a list, members of a union type.

use tree_sitter::{Node, Tree};

use crate::text::{Span, line_break};

/// Literals of one list or union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Siblings {
    /// Each with its quotes, in order.
    pub literals: Vec<Span>,
    /// The list holds something else as well.
    pub has_others: bool,
    /// They are members of a type: `"a" | "b"`.
    is_union: bool,
}

/// The literals beside the one whose characters, or a part of them, stand at a place.
pub fn siblings(tree: &Tree, literal: Span) -> Option<Siblings> {
    const LISTS: [&str; 8] =
        ["array", "list", "tuple", "set", "array_expression", "token_tree", "type_parameter", "subscript"];
    let mut own = tree.root_node().descendant_for_byte_range(literal.start as usize, literal.end as usize)?;
    while !is_string(own) {
        own = own.parent().filter(|_| matches!(own.kind(), "string_fragment" | "string_content"))?;
    }
    // In types a literal is wrapped.
    let wrapped = own.parent().filter(|parent| matches!(parent.kind(), "literal_type" | "type")).unwrap_or(own);
    let mut container = wrapped.parent()?;
    let is_union = container.kind() == "union_type";
    let mut elements = Vec::new();
    if is_union {
        while let Some(parent) = container.parent().filter(|parent| parent.kind() == "union_type") {
            container = parent;
        }
        members(container, &mut elements);
    } else if LISTS.contains(&container.kind()) {
        let mut cursor = container.walk();
        let value = container.child_by_field_name("value");
        elements.extend(container.named_children(&mut cursor).filter(|child| Some(*child) != value));
    } else {
        return None;
    }
    elements.retain(|element| !element.kind().contains("comment"));
    let strings = elements.iter().filter_map(|element| match element.kind() {
        "literal_type" | "type" => element.named_child(0),
        _ => Some(*element),
    });
    let strings = strings.filter(|node| is_string(*node));
    let literals: Vec<Span> = strings.map(|node| Span::new(node.start_byte(), node.end_byte())).collect();
    let has_others = literals.len() < elements.len();
    Some(Siblings { literals, has_others, is_union })
}

fn is_string(node: Node<'_>) -> bool {
    matches!(node.kind(), "string" | "string_literal")
}

/// The members of a union, the first first: `A | B | C` is `(A | B) | C`.
fn members<'t>(union: Node<'t>, into: &mut Vec<Node<'t>>) {
    let mut cursor = union.walk();
    for child in union.named_children(&mut cursor) {
        match child.kind() {
            "union_type" => members(child, into),
            _ => into.push(child),
        }
    }
}

impl Siblings {
    /// The literal, with its quotes, in which a place lies.
    pub fn around(&self, place: Span) -> Option<Span> {
        let first = self.literals.partition_point(|literal| literal.end < place.end);
        self.literals.get(first).copied().filter(|literal| literal.contains(place))
    }

    /// What parts a literal from another one beside it: one that stands on a line of its own keeps company on the next.
    pub fn between(&self, literal: Span, text: &str) -> String {
        let before = &text[..literal.start as usize];
        let is_blank = |c: char| c.is_whitespace() && c != '\n';
        let head = before.trim_end_matches(is_blank);
        let behind_sign = head.strip_suffix('|').map(|head| head.trim_end_matches(is_blank));
        let begins_line = |head: &&str| head.is_empty() || head.ends_with('\n');
        match (Some(head).filter(begins_line), behind_sign.filter(begins_line), self.is_union) {
            (Some(head), _, false) => format!(",{}{}", line_break(text), &before[head.len()..]),
            (Some(head), _, true) => format!(" |{}{}", line_break(text), &before[head.len()..]),
            (None, Some(head), true) => format!("{}{}", line_break(text), &before[head.len()..]),
            (None, _, false) => ", ".to_string(),
            (None, _, true) => " | ".to_string(),
        }
    }
}
