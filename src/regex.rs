//! Regular expressions of other programs, in the syntax of JavaScript and Python.
//!
//! They are in files that anyone may have written, so matching takes a bounded number of steps; a match that would take
//! more has no result.

use std::ops::Range;

/// The maximum number of retries of an expression with lookaround or backreferences.
const MAX_RETRIES: usize = 10_000;

/// The maximum size of a compiled expression in bytes: `(\w{500}){9}` takes many times its own length.
pub(crate) const MAX_COMPILED: usize = 1 << 20;

/// A regular expression.
#[derive(Debug)]
pub struct Regex(fancy_regex::Regex);

/// A match: the byte range of the whole, and of each group that took part.
#[derive(Debug, PartialEq, Eq)]
pub struct Match {
    pub range: Range<usize>,
    pub groups: Vec<Option<Range<usize>>>,
}

impl Regex {
    /// Compiles an expression with the flags of JavaScript. `None` if it is invalid, or valid in JavaScript only.
    pub fn new(pattern: &str, flags: &str) -> Option<Regex> {
        Regex::within(pattern, flags, MAX_COMPILED)
    }

    /// Compiles an expression of JavaScript, without flags. `None` if it is invalid.
    pub fn of_javascript(pattern: &str) -> Option<Regex> {
        Regex::new(&from_javascript(pattern), "")
    }

    /// Compiles like [`Regex::new`]; also `None` if the compiled expression takes more than `bytes` bytes.
    pub fn within(pattern: &str, flags: &str, bytes: usize) -> Option<Regex> {
        let mut builder = fancy_regex::RegexBuilder::new(pattern);
        builder.backtrack_limit(MAX_RETRIES).delegate_size_limit(bytes.min(MAX_COMPILED));
        for flag in flags.chars() {
            match flag {
                'i' => builder.case_insensitive(true),
                'm' => builder.multi_line(true),
                's' => builder.dot_matches_new_line(true),
                // These flags control the search and its results, not what matches.
                'g' | 'y' | 'd' | 'u' | 'v' => &mut builder,
                _ => return None,
            };
        }
        builder.build().ok().map(Regex)
    }

    /// Whether the expression matches somewhere in a text; `None` if that takes too long.
    pub fn is_match(&self, text: &str) -> Option<bool> {
        self.0.is_match(text).ok()
    }

    /// All matches in a text; `None` if that takes too long.
    pub fn matches(&self, text: &str) -> Option<Vec<Match>> {
        let found = |captures: fancy_regex::Captures<'_, str>| {
            let groups = captures.iter().skip(1).map(|group| group.map(|group| group.range())).collect();
            captures.get(0).map(|whole| Match { range: whole.range(), groups })
        };
        self.0.captures_iter(text).map(|captures| found(captures.ok()?)).collect()
    }
}

/// Translates an expression of JavaScript without the flags `u` and `v`: an escape without a meaning is the character
/// itself, and in a class only `]` and `\\` have a meaning (ECMA-262, annex B.1.2).
pub(crate) fn from_javascript(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern.chars().peekable();
    let mut is_class = false;
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('c') => match rest.peek().filter(|c| c.is_ascii_alphabetic()) {
                    Some(control) => {
                        out.push_str(&format!("\\x{:02x}", u32::from(*control) % 32));
                        rest.next();
                    }
                    None => out.push_str("\\\\c"),
                },
                Some('b') if is_class => out.push_str("\\x08"),
                // Only the listed letters have a meaning after a backslash.
                Some(escaped) if escaped.is_ascii_alphabetic() && !"dDwWsSbBnrtvfxuk".contains(escaped) => {
                    out.push(escaped);
                }
                Some(escaped @ ('<' | '>')) => out.push(escaped),
                Some(escaped) => out.extend(['\\', escaped]),
                None => out.push('\\'),
            },
            '[' if is_class => out.push_str("\\["),
            '[' => {
                let is_negated = rest.next_if_eq(&'^').is_some();
                match (rest.next_if_eq(&']').is_some(), is_negated) {
                    (true, true) => out.push_str("[\\s\\S]"),
                    (true, false) => out.push_str("(?!)"),
                    (false, _) => {
                        out.push_str(if is_negated { "[^" } else { "[" });
                        is_class = true;
                    }
                }
            }
            ']' if is_class => {
                is_class = false;
                out.push(c);
            }
            '&' | '~' if is_class => out.extend(['\\', c]),
            // A brace that begins no count is a character: `{,3}`.
            '{' if !is_class && !begins_count(rest.clone()) => out.push_str("\\{"),
            _ => out.push(c),
        }
    }
    out
}

/// Whether the characters after a brace make it a count of JavaScript: `{2}`, `{2,}`, `{2,3}`.
fn begins_count(inside: impl Iterator<Item = char>) -> bool {
    let inside: String = inside.take_while(|c| c.is_ascii_digit() || matches!(c, ',' | '}')).collect();
    let Some((count, _)) = inside.split_once('}') else { return false };
    count.starts_with(|c: char| c.is_ascii_digit()) && count.matches(',').count() <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_other_programs_match_as_there() {
        let is_match = |pattern, text| Regex::new(pattern, "").unwrap().is_match(text);
        assert_eq!(is_match("mcp__.*notes.*", "mcp__notes__read"), Some(true));
        assert_eq!(is_match("^mcp__(?!notes)", "mcp__notes__read"), Some(false));
        let ranges = |pattern, text| {
            Regex::new(pattern, "g").unwrap().matches(text).unwrap().into_iter().map(|m| m.range).collect::<Vec<_>>()
        };
        assert_eq!(ranges("[A-Z]", "getAllTools"), [3..4, 6..7]);
        assert_eq!(ranges(r"(?<!^)(?=[A-Z])", "GetAllOf"), [3..3, 6..6]);
    }

    #[test]
    fn what_only_javascript_reads_matches_as_there() {
        for (pattern, text, expected) in [
            ("[^]*drop_note$", "mcp__notes__drop_note", true),
            ("[[a-z]+__notes__drop_note", "mcp__notes__drop_note", true),
            (r"mcp__notes__drop_n\ote", "mcp__notes__drop_note", true),
            (r"mcp__notes__\cdrop_note|drop_note$", "mcp__notes__drop_note", true),
            ("mcp__notes__drop[]_note|read", "mcp__notes__drop_note", false),
            (r"[\w-]+", "drop-note", true),
            (r"[a&&b]", "&", true),
            (r"\Adrop", "drop", false),
            (r"drop\Z", "drop", false),
            (r"\<drop", "drop", false),
            (r"\p{L}+", "drop", false),
            ("drop{,3}", "drop", false),
            ("dro{1,2}p{1}", "drop", true),
        ] {
            assert_eq!(Regex::of_javascript(pattern).unwrap().is_match(text), Some(expected), "{pattern}");
        }
    }

    #[test]
    fn what_would_take_for_ever_says_nothing() {
        let long = "get_authenticated_user_profile_details_and_everything_else";
        assert_eq!(Regex::new("([a-z]+_?)+X", "").unwrap().is_match(long), Some(false));
        assert_eq!(Regex::new(r"(([a-z]+_?)+)(?=X)\1", "").unwrap().is_match(long), None);
    }
}
