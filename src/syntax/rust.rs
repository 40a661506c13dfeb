//! Parts of Rust's trees that are read more than once.

use std::ops::Range;

use tree_sitter::Node;

/// The tokens between the brackets of a token tree, without comments.
pub(crate) fn inside_brackets(tree: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = tree.walk();
    let all: Vec<Node<'_>> = tree.children(&mut cursor).filter(|token| !token.kind().ends_with("comment")).collect();
    match all.as_slice() {
        [_, inner @ .., _] => inner.to_vec(),
        _ => Vec::new(),
    }
}

/// The bytes of the text of a doc comment, trimmed; `None` for any other comment, or an empty one.
pub(crate) fn doc_comment(comment: Node<'_>, text: &str) -> Option<Range<usize>> {
    let node = comment.child_by_field_name("doc")?;
    let raw = text.get(node.byte_range())?;
    let start = node.start_byte() + (raw.len() - raw.trim_start().len());
    let end = start + raw.trim().len();
    (start < end).then_some(start..end)
}
