//! The ranges to delete in order to remove a node that was inserted under a comment, or one of several alternatives.

use tree_sitter::{Node, Tree};

use super::looped::{looped_over, unlooped};
use crate::syntax::{Finder, below, does_nothing_else};
use crate::text::Span;

/// A comment and the node below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Beneath {
    /// The comment, and the white space between it and the node.
    pub comment: Span,
    pub node: Span,
    /// The span to delete to remove the node and its comment; `None` if that would also remove code that does something
    /// else.
    pub removal: Option<Span>,
}

/// The comment that contains `place`, and the node below it; `None` if `place` is not in a comment, or no node is below
/// the comment.
pub(crate) fn beneath(tree: &Tree, text: &str, place: Span) -> Option<Beneath> {
    let root = tree.root_node();
    let comment = root.descendant_for_byte_range(place.start as usize, place.end as usize)?;
    if !comment.kind().ends_with("comment") {
        return None;
    }
    let below = below(&mut Finder::default(), &[root], text, comment)?;
    let (from, node, end) = (comment.start_byte(), below.first, below.whole.end_byte());
    let parent = below.around.last().map_or("", |parent| parent.kind());
    // The white space around the node is removed with it, so that the text is as it was before the insertion.
    let before = |at: usize| text[..at].trim_end().len();
    let next = |at: usize| at + text[at..].len() - text[at..].trim_start().len();
    let is_element = matches!(parent, "array" | "list" | "tuple" | "object" | "dictionary");
    let removal = match node.kind() {
        "decorator" if parent == "class_body" => Some(Span::new(before(from), end)),
        "decorator" => Some(Span::new(from, next(node.end_byte()))),
        // A case without a body of its own, which falls through to the next one.
        "switch_case" if node.named_child_count() == 1 => Some(Span::new(from, next(end))),
        "if_statement" if does_nothing_else(node, text) => Some(Span::new(before(from), end)),
        "switch_case" | "case_clause" | "match_arm" | "if_statement" | "elif_clause" | "if_expression"
        | "for_in_statement" => None,
        "attribute_item" => Some(Span::new(before(from), end)),
        "spread_element" if wrapped(node).is_some() => None,
        // The loop would have to be removed as well.
        _ if is_element && is_loop_of_two(&below.around) => None,
        _ if is_element => {
            let before = before(from);
            let comma = text[next(end)..].starts_with(',').then(|| next(end) + 1);
            match comma {
                Some(end) => Some(Span::new(before, end)),
                None => Some(Span::new(text[..before].strip_suffix(',').map_or(before, str::len), end)),
            }
        }
        // Braces that become empty were `{}` before.
        "function_item" if text[..before(from)].ends_with('{') && text[next(end)..].starts_with('}') => {
            Some(Span::new(before(from), next(end)))
        }
        _ => Some(Span::new(before(from), end)),
    };
    Some(Beneath { comment: below.comment, node: below.subject, removal })
}

/// Whether the innermost node of a path, apart from lists and type assertions, is a loop over a list of two elements.
fn is_loop_of_two(path: &[Node<'_>]) -> bool {
    let around = |node: &Node<'_>| !matches!(node.kind(), "array" | "as_expression");
    path.iter().rfind(|node| around(node)).is_some_and(|it| looped_over(*it).is_some_and(|list| list.len() == 2))
}

/// A block that declares a variable for the value of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// The block with its braces.
    pub whole: Span,
    /// The initial value of the variable.
    pub value: Span,
    /// The other statements of the block, and its comments.
    pub others: Vec<Span>,
    /// Whether the block is the body of an arrow function.
    pub is_body: bool,
}

/// The block around the declaration of one variable that begins at the byte offset `at`.
pub(crate) fn block_around(tree: &Tree, at: u32) -> Option<Block> {
    let span = |node: Node<'_>| Span::new(node.start_byte(), node.end_byte());
    let mut node = tree.root_node().descendant_for_byte_range(at as usize, at as usize + 1)?;
    while node.kind() != "lexical_declaration" {
        node = node.parent().filter(|parent| parent.start_byte() == at as usize)?;
    }
    let value = node.named_child(0)?.child_by_field_name("value")?;
    let block = node.parent().filter(|parent| parent.kind() == "statement_block")?;
    let mut cursor = block.walk();
    // If no semicolon follows a block, its node includes a comment after the block.
    let brace = block.children(&mut cursor).find(|child| child.kind() == "}")?;
    let whole = Span::new(block.start_byte(), brace.end_byte());
    let mut others: Vec<Span> = block.named_children(&mut cursor).filter(|child| *child != node).map(span).collect();
    others.retain(|other| whole.contains(*other));
    let is_body = block.parent().is_some_and(|parent| parent.kind() == "arrow_function");
    Some(Block { whole, value: span(value), others, is_body })
}

/// The spans to delete to remove a literal from the alternatives of a pattern or condition; `None` if there is no other
/// alternative.
pub(crate) fn alternative(tree: &Tree, text: &str, literal: Span) -> Option<Vec<Span>> {
    let mut node = tree.root_node().descendant_for_byte_range(literal.start as usize, literal.end as usize)?;
    let is_part = |node: Node<'_>| {
        matches!(
            node.kind(),
            "string" | "string_fragment" | "string_content" | "string_literal" | "string_start" | "case_pattern"
        )
    };
    while is_part(node)
        && node.parent().is_some_and(|parent| is_part(parent) && parent.child_by_field_name("value").is_none())
    {
        node = node.parent()?;
    }
    // `for (const alias of [{}, { name: "old" }]) add({ …, ...alias })` becomes `add({ … })`; from a longer list, only
    // the element is removed.
    let above = || std::iter::successors(Some(node), |node| node.parent());
    if let Some((around, list)) = above().find_map(|node| Some((node, looped_over(node)?)))
        && let Some(index) = list.iter().position(|element| element.byte_range().contains(&node.start_byte()))
    {
        return match list.len() {
            2 => unlooped(around, text),
            _ => Some(vec![Span::new(list[index.checked_sub(1)?].end_byte(), list[index].end_byte())]),
        };
    }
    // `...[tool].flatMap((tool) => [tool, { ...tool, name: "old" }])` becomes `tool`.
    if let Some((spread, element)) = above()
        .find_map(|around| Some((around, wrapped(around)?)))
        .filter(|(_, element)| !element.byte_range().contains(&node.start_byte()))
    {
        let (before, behind) = (spread.start_byte()..element.start_byte(), element.end_byte()..spread.end_byte());
        return Some([before, behind].map(|range| Span::new(range.start, range.end)).to_vec());
    }
    let parent = node.parent()?;
    if matches!(parent.kind(), "binary_expression" | "comparison_operator") {
        let (whole, or) = (parent, parent.parent()?);
        let operator = whole.prev_sibling().filter(|operator| matches!(operator.kind(), "||" | "or"))?;
        let first = operator.prev_sibling()?;
        let mut spans = vec![Span::new(first.end_byte(), whole.end_byte())];
        // The parentheses that were added around the two comparisons are removed as well.
        if let Some(around) = or.parent().filter(|around| around.kind() == "parenthesized_expression")
            && !around.parent().is_some_and(|it| it.kind().ends_with("_statement") || it.kind() == "elif_clause")
        {
            spans.push(Span::new(around.start_byte(), around.start_byte() + 1));
            spans.push(Span::new(around.end_byte() - 1, around.end_byte()));
        }
        spans.sort();
        return Some(spans);
    }
    // `"new" | "old"`: the literal is removed with the `|` before it, or, if it comes first, with the `|` after it.
    let before = text[..node.start_byte()].trim_end();
    if let Some(rest) = before.strip_suffix('|') {
        return Some(vec![Span::new(rest.trim_end().len(), node.end_byte())]);
    }
    let behind = text[node.end_byte()..].trim_start();
    let rest = behind.strip_prefix('|')?;
    Some(vec![Span::new(node.start_byte(), text.len() - rest.trim_start().len())])
}

/// The only element of a list literal that is spread into another list through a call: `...[tool].flatMap(…)`.
fn wrapped(node: Node<'_>) -> Option<Node<'_>> {
    let call =
        node.named_child(0).filter(|call| node.kind() == "spread_element" && call.kind() == "call_expression")?;
    let list = call.child_by_field_name("function")?.child_by_field_name("object")?;
    list.named_child(0).filter(|_| list.kind() == "array" && list.named_child_count() == 1)
}
