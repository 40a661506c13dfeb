//! Limits that a text must stay within to be parsed by a grammar.
//!
//! The scanners of grammars keep their state, such as the open indentations, in a buffer of 1,024 bytes
//! (`TREE_SITTER_SERIALIZATION_BUFFER_SIZE`). Some write past its end or abort the process if the state is larger, and
//! some look ahead so far that parsing takes time that grows with the square of the text. A text that would cause this
//! is not parsed. Of the grammars used here:
//!
//! - Python keeps two bytes for each open indentation, after at most 257 other bytes, and reads the rest of a run of
//!   comments at each comment in it;
//! - YAML keeps four bytes for each open block, after ten other bytes;
//! - Markdown opens no more blocks than fit, and TypeScript, Rust and JSON keep one byte at most.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::{Family, Language, bounded};

/// The number of different indentations that a Python text may have: `2 + 255 + 2 * 383` bytes fit.
const MAX_INDENTATIONS: usize = 383;
/// The total bytes of comments that the Python scanner may read ahead: about a second's worth.
const MAX_LOOKAHEAD: usize = 200_000_000;
/// The number of YAML blocks that may be open: `10 + 4 * 253` bytes fit.
const MAX_BLOCKS: usize = 253;
/// The number of YAML blocks that may be open in a text that has more than [`MAX_BLOCKS`] in all. At an error in such a
/// text, the scanner may open one block per step; the parser is stopped at most 100 steps later.
const MAX_OPEN_BLOCKS: usize = 100;

/// The number of brackets that may be open at once, in source code and in YAML. If a text can be read in two ways, the
/// parser joins them with one recursive call for each bracket, and at the end of a text it copies everything that is
/// open.
const MAX_BRACKETS: usize = 2_000;
/// The number of elements that a JSON text may have, counted by their commas. Each entry of a list may produce a
/// finding.
const MAX_ELEMENTS: usize = 100_000;

/// The reason why a text cannot be parsed; `None` if it can.
pub(crate) fn unreadable(language: Language, text: &str) -> Option<&'static str> {
    match language {
        _ if (language.family().is_some() || language == Language::Yaml) && is_too_deep(language, text) => {
            Some("more than 2,000 brackets are open at once")
        }
        _ if language.family() == Some(Family::Python) => unreadable_python(text.as_bytes()),
        Language::Json if text.bytes().filter(|&byte| byte == b',').nth(MAX_ELEMENTS).is_some() => {
            Some("more than 100,000 elements")
        }
        Language::Yaml if count_of_blocks(text) > MAX_BLOCKS && depth_of_blocks(text) > MAX_OPEN_BLOCKS => {
            Some("nested more than 100 deep")
        }
        _ => None,
    }
}

/// Parses a text that [`unreadable`] accepts. Returns `None` for a YAML text with many blocks and an error, and for
/// source code or JSON that takes too much work.
pub(super) fn parse(parser: &mut Parser, language: Language, text: &str, previous: Option<&Tree>) -> Option<Tree> {
    if language.family().is_some() || language == Language::Json {
        return bounded::parse(parser, text, previous);
    }
    if language != Language::Yaml || count_of_blocks(text) <= MAX_BLOCKS {
        return parser.parse(text, previous);
    }
    let mut look = |state: &ParseState| match state.has_error() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let mut read = |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
    let options = ParseOptions::new().progress_callback(&mut look);
    let tree = parser.parse_with_options(&mut read, previous, Some(options));
    if tree.is_none() {
        // Otherwise the next parse would resume this text.
        parser.reset();
    }
    tree
}

fn unreadable_python(text: &[u8]) -> Option<&'static str> {
    let mut indentations: FxHashSet<u16> = FxHashSet::default();
    let (mut comments, mut ahead) = (0, 0);
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'\n' {
            at += 1;
            continue;
        }
        let start = at;
        let gap = gap_of_python(text, &mut at);
        indentations.insert(gap.indentation);
        comments += gap.comments;
        ahead += gap.comments * (at - start) / 2;
    }
    if indentations.len() > MAX_INDENTATIONS {
        return Some("more than 383 different indentations");
    }
    (ahead > MAX_LOOKAHEAD && comments > 0).then_some("a run of comments too long to parse")
}

/// The text between two tokens of Python.
struct Gap {
    /// The indentation of the token that follows; a tab counts as eight.
    indentation: u16,
    comments: usize,
}

/// Reads white space and comments from a line break on, as the scanner of the grammar does, and leaves `at` after them.
fn gap_of_python(text: &[u8], at: &mut usize) -> Gap {
    let mut gap = Gap { indentation: 0, comments: 0 };
    while let Some(&byte) = text.get(*at) {
        match byte {
            b'\n' | b'\r' | b'\x0c' => gap.indentation = 0,
            b' ' => gap.indentation = gap.indentation.wrapping_add(1),
            b'\t' => gap.indentation = gap.indentation.wrapping_add(8),
            b'#' => {
                gap.comments += 1;
                gap.indentation = 0;
                let rest = &text[*at..];
                *at += rest.iter().position(|byte| matches!(byte, b'\n' | b'\0')).unwrap_or(rest.len());
            }
            b'\\' => {
                let rest = &text[*at + 1..];
                let length = match rest {
                    [b'\r', b'\n', ..] => 2,
                    [b'\r' | b'\n', ..] => 1,
                    [] => 0,
                    _ => return gap,
                };
                *at += length;
            }
            _ => return gap,
        }
        *at += 1;
    }
    Gap { indentation: 0, ..gap }
}

/// Whether more than [`MAX_BRACKETS`] brackets are open at once, including those in strings and comments. In
/// TypeScript, `<` may be a bracket; it ends with the statement at the latest.
fn is_too_deep(language: Language, text: &str) -> bool {
    let has_angles = language.family() == Some(Family::TypeScript);
    let opens = |byte| matches!(byte, b'(' | b'[' | b'{') || has_angles && byte == b'<';
    let in_all = |text: &[u8]| text.chunks(STRETCH).map(|stretch| count(stretch, opens)).sum::<usize>();
    if text.len() <= MAX_BRACKETS || in_all(text.as_bytes()) <= MAX_BRACKETS {
        return false;
    }
    let (mut open, mut angles) = (0, 0);
    // A stretch opens at most as many brackets as it contains, so most texts need not be read byte by byte.
    let may_be = text.as_bytes().chunks(STRETCH).any(|stretch| {
        let signs = Signs::of(stretch);
        let angled = if has_angles { signs.angles } else { 0 };
        let most = open + signs.opened + angles + angled;
        // A closing bracket closes nothing that is opened after it.
        open = (open + signs.opened).saturating_sub(signs.closed).max(signs.opened);
        angles = if signs.has_ends { angled } else { angles + angled };
        most > MAX_BRACKETS
    });
    may_be && depth_of_brackets(has_angles, text) > MAX_BRACKETS
}

/// The number of bytes counted at once; fewer than a `u8` can count.
const STRETCH: usize = 240;

/// The number of brackets of each kind in a stretch.
struct Signs {
    opened: usize,
    closed: usize,
    angles: usize,
    /// Whether a character in the stretch closes every open `<`.
    has_ends: bool,
}

impl Signs {
    fn of(stretch: &[u8]) -> Signs {
        Signs {
            opened: count(stretch, |byte| matches!(byte, b'(' | b'[' | b'{')),
            closed: count(stretch, |byte| matches!(byte, b')' | b']' | b'}')),
            angles: count(stretch, |byte| byte == b'<'),
            has_ends: count(stretch, |byte| matches!(byte, b';' | b'{' | b'}')) > 0,
        }
    }
}

/// Counts bytes by a plain sum, which compilers vectorize.
fn count(stretch: &[u8], is_it: impl Fn(u8) -> bool) -> usize {
    usize::from(stretch.iter().map(|byte| u8::from(is_it(*byte))).sum::<u8>())
}

/// The maximum number of brackets open at once.
fn depth_of_brackets(has_angles: bool, text: &str) -> usize {
    let (mut open, mut angles, mut deepest) = (0_usize, 0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            b'<' if has_angles => angles += 1,
            b'>' => angles = angles.saturating_sub(1),
            _ => {}
        }
        if matches!(byte, b';' | b'{' | b'}') {
            angles = 0;
        }
        deepest = deepest.max(open + angles);
    }
    deepest
}

/// The indicators in a line of YAML that may open a block, with their columns (in bytes, 0-based).
fn openers(line: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = line.as_bytes();
    bytes.iter().enumerate().filter_map(move |(column, &byte)| {
        let is_end = bytes.get(column + 1).is_none_or(|next| matches!(next, b' ' | b'\t' | b'\r' | b'\0'));
        let opens = matches!(byte, b'-' | b'?' | b':') && is_end || matches!(byte, b'|' | b'>');
        opens.then_some((column, byte))
    })
}

/// The maximum number of blocks that a YAML text can open.
fn count_of_blocks(text: &str) -> usize {
    text.split('\n').map(|line| openers(line).count()).sum()
}

/// The maximum number of blocks open at once in a YAML text without errors: a line closes the blocks that begin further
/// to the right.
fn depth_of_blocks(text: &str) -> usize {
    let mut open: Vec<usize> = Vec::new();
    let mut deepest = 0;
    for line in text.split('\n') {
        let indentation = line.bytes().take_while(|byte| *byte == b' ').count();
        // Comments and empty lines close nothing.
        if matches!(line.as_bytes().get(indentation), None | Some(b'#' | b'\r' | b'\t')) {
            continue;
        }
        while open.last().is_some_and(|column| *column > indentation) {
            open.pop();
        }
        // A key begins at the start of the line, or after the last indicator.
        let mut begin = indentation;
        for (column, sign) in openers(line) {
            let from = if sign == b':' { begin } else { column };
            // Among several keys in a column, only the first opens a block; a list may begin right below its key, with
            // both open.
            let equal = open.iter().rev().take_while(|open| **open >= from).count();
            if equal < if sign == b':' { 1 } else { 2 } {
                open.push(from);
            }
            begin = column + 2;
        }
        deepest = deepest.max(open.len());
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn python(lines: impl Iterator<Item = String>) -> Option<&'static str> {
        unreadable(Language::Python, &lines.collect::<String>())
    }

    #[test]
    fn indentations_are_counted_as_the_scanner_counts_them() {
        let deep = |count: usize| (0..count).map(|depth| format!("{}if x:\n", " ".repeat(depth)));
        assert_eq!(python(deep(383)), None);
        assert!(python(deep(500)).is_some());
        // A tab counts as eight: these are as many indentations, none longer than 70 characters.
        let tabs = (0..500).map(|depth| format!("{}{}if x:\n", "\t".repeat(depth / 8), " ".repeat(depth % 8)));
        assert!(python(tabs).is_some());
        // Repeating a depth adds none.
        assert_eq!(python((0..9000).map(|line| format!("{}f()\n", " ".repeat(line % 40)))), None);
    }

    #[test]
    fn comments_are_read_unless_the_scanner_would_read_them_again_and_again() {
        assert_eq!(python((0..4000).map(|_| "# a line of a comment\n".to_string())), None);
        assert!(python((0..250_000).map(|_| "# x\n".to_string())).is_some());
    }

    #[test]
    fn blocks_of_yaml_are_counted_by_what_is_open() {
        let yaml = |text: &str| unreadable(Language::Yaml, text);
        let wide: String = (0..5000).map(|index| format!("k{index}:\n  - a: 1\n    b: 2\n")).collect();
        assert_eq!(yaml(&wide), None);
        assert_eq!(depth_of_blocks(&wide), 3);
        assert_eq!(yaml(&"- ".repeat(200)), None);
        assert!(yaml(&"- ".repeat(254)).is_some());
        assert!(yaml(&(0..254).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect::<String>()).is_some());
    }

    proptest::proptest! {
        #[test]
        fn stretches_are_refused_where_their_bytes_are(runs in proptest::collection::vec((0..8_usize, 1..900_usize), 1..12)) {
            let signs = ["(", ")", "a<", ">", "{", "}", "x;", "f(a[0], {b: c})"];
            let text: String = runs.iter().map(|(sign, times)| signs[*sign].repeat(*times)).collect();
            for language in [Language::TypeScript, Language::Rust] {
                let is_deep = depth_of_brackets(language == Language::TypeScript, &text) > MAX_BRACKETS;
                proptest::prop_assert_eq!(is_too_deep(language, &text), is_deep);
            }
        }
    }

    #[test]
    fn brackets_are_counted_while_they_are_open() {
        let refused = |language, text: &str| unreadable(language, text).is_some();
        for language in [Language::TypeScript, Language::Rust, Language::Python, Language::Yaml] {
            assert!(refused(language, &"{a:".repeat(2_001)), "{language:?}");
            assert!(!refused(language, &"f({a: [1]})\n".repeat(5_000)), "{language:?}");
            assert!(!refused(language, &format!("{}(", ")".repeat(5_000))), "{language:?}");
        }
        assert!(refused(Language::TypeScript, &"a<".repeat(2_001)));
        assert!(!refused(Language::TypeScript, &"if (a < b) c();\n".repeat(5_000)));
        assert!(!refused(Language::Rust, &"a<".repeat(2_001)));
    }

    /// The number of bytes that [`texts_made_to_nest_end_no_process`] passes to each grammar.
    const BYTES: usize = 1_000_000;

    /// A text of pieces that open, close and confuse, including long runs of one piece.
    fn piled_up(pieces: &[&str], seed: &mut u64) -> String {
        let mut next = |below: usize| {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33) as usize % below
        };
        let mut text = String::new();
        let length = 200 + next(6_000);
        while text.len() < length {
            match next(8) {
                // A staircase: each line a little deeper than the one before.
                0 => {
                    let (piece, from, count) = (pieces[next(pieces.len())], next(4), next(400));
                    (0..count).for_each(|step| {
                        text.push_str(&" ".repeat(from + step));
                        text.push_str(piece);
                        text.push('\n');
                    });
                }
                1 | 2 => {
                    let (piece, other) = (pieces[next(pieces.len())], pieces[next(pieces.len())]);
                    (0..next(600)).for_each(|_| {
                        text.push_str(piece);
                        text.push_str(other);
                    });
                }
                3 => text.push_str(&pieces[next(pieces.len())].repeat(next(600))),
                _ => (0..next(40)).for_each(|_| text.push_str(pieces[next(pieces.len())])),
            }
        }
        text
    }

    #[test]
    fn texts_made_to_nest_end_no_process() {
        let yaml = [
            "- ", "? ", ": ", "a: ", "a:", "\n", " ", "  ", "\t", "[", "]", "{", "}", ",", "\"", "'", "|\n", ">-\n",
            "#", "&a ", "*a ", "!t ", "@", "`", "%", "\u{1}", "\u{feff}", "---\n", "...\n", "x", "\\", "\n- ", "\n@- ",
            "\u{1}- ", "\r\n",
        ];
        let python = [
            "if x:\n",
            "def f():\n",
            " ",
            "  ",
            "\t",
            "\n",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "f'",
            "'",
            "\"\"\"",
            "f\"{",
            "}\"",
            "#",
            "\\\n",
            "\u{c}",
            "\r",
            "else:\n",
            "pass\n",
            "x",
            "\u{1}",
            "lambda:",
            "\n  ",
            "match x:\n",
        ];
        let markdown = [
            "> ", "- ", "1. ", "* ", "\n", " ", "    ", "```\n", "|", "|-|\n", "# ", "<a>", "<!--", "[a]: ", "=\n",
            "x", "\t", "+ ",
        ];
        let script = [
            "{", "}", "(", ")", "[", "]", "`", "${", "<", ">", "/", "=>", "x", "\n", "\"", "'", "//", "/*", "*/", "?",
            ":", "+", "<a>", "</a>", "class ", "async ", ";", ",", "#", "r#\"", "\u{1}", "'a", "!", "&",
        ];
        let mut seed = 7;
        let mut each = |pieces: &[&str], parse: &mut dyn FnMut(&str)| {
            let mut bytes = 0;
            while bytes < BYTES {
                let text = piled_up(pieces, &mut seed);
                bytes += text.len();
                parse(&text);
            }
        };
        let mut count = |language: Option<Language>, pieces: &[&str]| {
            let mut parsed = 0;
            each(pieces, &mut |text| {
                let tree = match language {
                    Some(language) => super::super::parse(language, text, None),
                    None => super::super::parse_markdown(text),
                };
                parsed += usize::from(tree.is_some());
            });
            assert!(parsed > 20, "{language:?}: {parsed} texts were parsed");
        };
        count(Some(Language::Yaml), &yaml);
        count(Some(Language::Python), &python);
        count(None, &markdown);
        for language in [Language::Tsx, Language::TypeScript, Language::Rust, Language::Json] {
            count(Some(language), &script);
        }
    }
}
