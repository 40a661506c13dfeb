//! TypeScript loops over a list literal: finding them, and removing a loop from around its statement.

use tree_sitter::{Node, Tree};

use crate::text::{Span, indent};

/// `for (const variable of […]) statement`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loop {
    pub whole: Span,
    pub variable: String,
    /// The elements of the list, in order.
    pub elements: Vec<Span>,
}

/// Reads a loop over a list literal; `None` if the node is not one.
pub(super) fn loop_of(node: Node<'_>, text: &str) -> Option<Loop> {
    let elements = looped_over(node)?.into_iter().map(span_of).collect();
    let variable = text.get(node.child_by_field_name("left")?.byte_range())?.to_string();
    Some(Loop { whole: span_of(node), variable, elements })
}

/// The elements of the list literal, with or without `as const`, that a loop iterates over; `None` if the node is not
/// such a loop.
pub(super) fn looped_over(node: Node<'_>) -> Option<Vec<Node<'_>>> {
    let list = node.child_by_field_name("right").filter(|_| node.kind() == "for_in_statement")?;
    let list = if list.kind() == "as_expression" { list.named_child(0)? } else { list };
    let mut cursor = list.walk();
    let elements = list.named_children(&mut cursor).filter(|element| element.kind() != "comment");
    (list.kind() == "array").then(|| elements.collect())
}

/// The spans to delete to remove a loop from around a statement: `alias ?? new` becomes `new`, `alias ? note : said`
/// becomes `said`, and spreads of the variable disappear. `None` if the statement uses the variable in another way, or
/// not at all.
pub(super) fn unlooped(node: Node<'_>, text: &str) -> Option<Vec<Span>> {
    let body = node.child_by_field_name("body")?;
    let variable = text.get(node.child_by_field_name("left")?.byte_range())?;
    let (statement, end) = only_statement(body).unwrap_or((body, node.end_byte()));
    let mut spans = vec![Span::new(node.start_byte(), statement.start_byte())];
    if statement != body {
        spans.push(Span::new(statement.end_byte(), end));
        let (outer, inner) = (indent(text, spans[0].start), indent(text, spans[0].end));
        let step = inner.strip_prefix(outer).unwrap_or_default();
        let lines = line_starts_of(node, text, Span::new(statement.start_byte(), statement.end_byte()));
        let deeper = lines.into_iter().filter(|at| !step.is_empty() && text[*at..].starts_with(step));
        spans.extend(deeper.map(|at| Span::new(at, at + step.len())));
    }
    let mut uses = 0;
    let mut cursor = node.walk();
    let mut open = vec![statement];
    while let Some(node) = open.pop() {
        open.extend(node.named_children(&mut cursor));
        if node.kind() != "identifier" || text.get(node.byte_range()) != Some(variable) {
            continue;
        }
        uses += 1;
        let mut around = node.parent()?;
        // `...(alias && { … })`
        if let Some(spread) = spread_if(around, node) {
            around = spread;
        }
        let is = |field: &str| around.child_by_field_name(field) == Some(node);
        spans.push(match around.kind() {
            "spread_element" => {
                let (before, behind) = (text[..around.start_byte()].trim_end(), around.end_byte());
                match text[behind..].trim_start().chars().next()? {
                    '}' if before.ends_with('{') => Span::new(before.len(), behind + text[behind..].find('}')?),
                    ',' => Span::new(before.len(), behind + text[behind..].find(',')? + 1),
                    _ => Span::new(before.strip_suffix(',').unwrap_or(before).len(), behind),
                }
            }
            "binary_expression" if is("left") && around.child(1)?.kind() == "??" => {
                Span::new(around.start_byte(), around.child_by_field_name("right")?.start_byte())
            }
            "ternary_expression" if is("condition") => {
                Span::new(around.start_byte(), around.child_by_field_name("alternative")?.start_byte())
            }
            _ => return None,
        });
    }
    spans.sort();
    // If a whole line is removed, its indentation is already a part of that span.
    let whole = spans.clone();
    spans.retain(|span| !whole.iter().any(|other| other != span && other.contains(*span)));
    (uses > 0).then_some(spans)
}

/// The only statement of a block, and the byte offset after the block's closing brace, since the block's node may also
/// include a comment after the brace. `None` if the block does not contain exactly one node.
pub(super) fn only_statement(block: Node<'_>) -> Option<(Node<'_>, usize)> {
    let mut cursor = block.walk();
    let end = block.children(&mut cursor).find(|child| child.kind() == "}")?.end_byte();
    let mut inside = block.named_children(&mut cursor).filter(|child| child.start_byte() < end);
    let only = inside.next().filter(|_| block.kind() == "statement_block")?;
    inside.next().is_none().then_some((only, end))
}

/// The byte offsets at which lines begin inside a span of source, except for empty lines and lines of a string or
/// template.
pub(crate) fn line_starts(tree: &Tree, text: &str, within: Span) -> Vec<usize> {
    line_starts_of(tree.root_node(), text, within)
}

fn line_starts_of(root: Node<'_>, text: &str, within: Span) -> Vec<usize> {
    let breaks = text[within.range()].match_indices('\n').map(|(at, _)| within.start as usize + at + 1);
    let is_empty = |at: &usize| text[*at..].lines().next().is_none_or(|line| line.trim().is_empty());
    let starts = breaks.filter(|at| !is_empty(at));
    let is_text = |node: Node<'_>, at: usize| {
        matches!(node.kind(), "template_string" | "string" | "jsx_text")
            && node.start_byte() < at
            && at < node.end_byte()
    };
    let above = |at: usize| std::iter::successors(root.descendant_for_byte_range(at, at), |node| node.parent());
    starts.filter(|at| !above(*at).any(|node| is_text(node, *at))).collect()
}

/// The spread element around `variable && value`: `...(variable && value)`.
fn spread_if<'t>(condition: Node<'t>, variable: Node<'t>) -> Option<Node<'t>> {
    let is_condition = condition.child_by_field_name("left") == Some(variable) && condition.child(1)?.kind() == "&&";
    let parentheses = condition.parent().filter(|it| is_condition && it.kind() == "parenthesized_expression")?;
    parentheses.parent().filter(|it| it.kind() == "spread_element")
}

fn span_of(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}
