//! String literals: where they are, and how a file quotes them.

use crate::syntax::{Language, Tree, parse};
use crate::text::Span;

/// The quote character of most strings in a text, not counting triple-quoted ones; `"` in case of a tie or if the text
/// cannot be parsed.
pub(crate) fn usual_quote(language: Language, text: &str) -> char {
    let Some(tree) = parse(language, text, None) else { return '"' };
    let mut cursor = tree.walk();
    let mut open = vec![tree.root_node()];
    let (mut single, mut double) = (0, 0);
    while let Some(node) = open.pop() {
        if node.kind() == "string" {
            let start = text[node.byte_range()].trim_start_matches(char::is_alphabetic);
            single += usize::from(start.starts_with('\'') && !start.starts_with("'''"));
            double += usize::from(start.starts_with('"') && !start.starts_with("\"\"\""));
        }
        open.extend(node.children(&mut cursor));
    }
    if single > double { '\'' } else { '"' }
}

/// The spans of the contents of string literals inside a span of source. If the grammar has nodes for escape sequences
/// next to the text, the sequences are left out, and one literal can have several spans.
pub(crate) fn strings(tree: &Tree, within: Span) -> Vec<Span> {
    leaves(tree, within, &["string_fragment", "string_content"])
}

/// The spans of the contents of all string literals and regular expressions, as for [`strings`].
pub(crate) fn texts(tree: &Tree) -> Vec<Span> {
    let root = tree.root_node();
    leaves(tree, Span::new(root.start_byte(), root.end_byte()), &["string_fragment", "string_content", "regex_pattern"])
}

/// The nodes of some kinds in a stretch, in order.
fn leaves(tree: &Tree, within: Span, kinds: &[&str]) -> Vec<Span> {
    let Some(top) = tree.root_node().descendant_for_byte_range(within.start as usize, within.end as usize) else {
        return Vec::new();
    };
    let mut cursor = top.walk();
    let mut open = vec![top];
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        let span = Span::new(node.start_byte(), node.end_byte());
        if kinds.contains(&node.kind()) && within.contains(span) {
            found.push(span);
        }
        open.extend(node.children(&mut cursor));
    }
    found.sort();
    found
}
