//! The place for another member of an object literal.

use tree_sitter::Node;

use crate::text::line_break;

/// The byte offset at which to add a member, and the text to write before the member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    pub at: u32,
    pub before: String,
}

/// The place to add another member to an object literal, and the text to write before it, with the line break and
/// indentation of the last member. `None` if the object is empty or ends in a comment.
pub(super) fn last_of(object: Node<'_>, text: &str) -> Option<Member> {
    let last = object.named_child(object.named_child_count().checked_sub(1)? as u32)?;
    if last.kind() == "comment" {
        return None;
    }
    let line = text[..last.start_byte()].rfind('\n').map_or(0, |at| at + 1);
    let lead = &text[line..last.start_byte()];
    let gap = if lead.trim().is_empty() { format!("{}{lead}", line_break(text)) } else { " ".into() };
    // After the trailing comma, or after a new one.
    let rest = &text[last.end_byte()..];
    match rest.trim_start().starts_with(',') {
        true => Some(Member { at: (last.end_byte() + rest.find(',')? + 1) as u32, before: gap }),
        false => Some(Member { at: last.end_byte() as u32, before: format!(",{gap}") }),
    }
}
