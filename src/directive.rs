//! Directives: comments for this program, such as `toolnames: allow(name-chars)`.

/// The beginning of a comment that is a directive.
pub(crate) const MARK: &str = "toolnames:";

/// The beginning of the directive of an alias, after the mark.
pub(crate) const OF_ALIAS: &str = "alias of ";

/// The byte range of the part after `toolnames:` in the text of a comment; `None` if the comment is not a directive.
pub(crate) fn within(comment: &str) -> Option<(usize, usize)> {
    let body = comment.trim_start_matches(['/', '*', '#', '<', '!', '-', ' ', '\t']);
    if !body.starts_with(MARK) {
        return None;
    }
    let from = comment.len() - body.len() + MARK.len();
    let rest = comment[from..].trim_end_matches(['\n', '\r', ' ', '\t']);
    let rest = rest.strip_suffix("*/").or_else(|| rest.strip_suffix("-->")).unwrap_or(rest).trim_end();
    let blank = rest.len() - rest.trim_start().len();
    Some((from + blank, from + rest.len()))
}
