//! The protocol's rules for tool names: 1–128 characters of `A-Z a-z 0-9 _ - .`, and, as the validators of its SDKs
//! add, no `-` or `.` at the start or end. The protocol states its rules as recommendations (SHOULD).

use super::Breach;
use crate::diagnostic::Severity;

/// The maximum length, in characters.
pub(crate) const MAX_LENGTH: usize = 128;

/// Whether the protocol allows a character in tool names.
pub(crate) fn is_protocol_char(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.')
}

/// The faults of a name under the protocol's rules, except that characters for which `but` returns `true` are allowed.
pub(super) fn judge(name: &str, but: &dyn Fn(char) -> bool) -> Vec<Breach> {
    let breach = |message: String, range: std::ops::Range<usize>| Breach {
        rule: "name-chars",
        severity: Severity::Warning,
        message,
        range,
    };
    if name.is_empty() {
        return vec![breach("the name is empty".into(), 0..0)];
    }
    let length = name.chars().count();
    if length > MAX_LENGTH {
        let over = length - MAX_LENGTH;
        let message = format!("{length} characters: {over} more than the {MAX_LENGTH} that the protocol allows");
        return vec![breach(message, 0..name.len())];
    }
    let is_strange = |c: char| !is_protocol_char(c) && !but(c);
    let mut strange: Vec<char> = name.chars().filter(|&c| is_strange(c)).collect();
    if let (Some(first), Some(last)) = (name.find(is_strange), name.rfind(is_strange)) {
        strange.sort_unstable();
        strange.dedup();
        let list: Vec<String> = strange.iter().map(|c| described(*c)).collect();
        let end = last + name[last..].chars().next().map_or(1, char::len_utf8);
        let message =
            format!("the protocol does not allow {} (only letters, digits, `_`, `-`, `.`)", list.join(" and "));
        return vec![breach(message, first..end)];
    }
    let edge = |c: char| c == '-' || c == '.';
    if name.starts_with(edge) {
        return vec![breach(format!("`{}` at the start", &name[..1]), 0..1)];
    }
    if name.ends_with(edge) {
        let at = name.len() - 1;
        return vec![breach(format!("`{}` at the end", &name[at..]), at..name.len())];
    }
    Vec::new()
}

fn described(character: char) -> String {
    match character {
        ' ' => "a space".into(),
        character if character.is_control() => format!("U+{:04X}", character as u32),
        character => format!("`{character}`"),
    }
}

/// The name with `_` in place of every run of characters that the protocol does not allow, and trimmed. A name with a
/// letter that the protocol does not allow is returned as it is, since only its author knows how to respell it.
pub(super) fn repaired(name: &str) -> String {
    let mut result = String::with_capacity(name.len());
    if name.chars().any(|character| character.is_alphanumeric() && !is_protocol_char(character)) {
        return name.to_string();
    }
    for character in name.chars() {
        if is_protocol_char(character) {
            result.push(character);
        } else if !result.ends_with('_') && !result.is_empty() {
            result.push('_');
        }
    }
    let edges = ['-', '.'];
    let trimmed = result.trim_matches(edges);
    // An added `_` at the end only replaces a character that is not allowed, so it is removed.
    if name.ends_with('_') {
        trimmed.to_string()
    } else {
        trimmed.trim_end_matches('_').trim_matches(edges).to_string()
    }
}
