//! The output of the program: everything that a person reads goes through this module.
//!
//! File text, paths, names and command lines are not trusted. On a terminal, a control character in them moves the
//! cursor, recolours a line or reverses its order; in Markdown, a bracket becomes a link. So:
//!
//! - [`Page`] collects standard output line by line, [`complain`] writes standard error, and both write characters that
//!   cannot be seen as their code: `\u{1b}`. Only line breaks and tabs of the layout and the colours of a renderer are
//!   kept.
//! - [`json`] keeps every value and writes invisible characters as `\uXXXX`.
//! - [`Markdown`] is the only text that an editor renders; text from files enters it escaped or as a code span.
//! - [`Excerpt`] shows a few lines around a place, never the whole of a long one.
//!
//! No other module uses standard output or standard error; `tests/it/house.rs` checks this.

#![expect(clippy::disallowed_methods, reason = "the only module that prints for people")]

mod excerpt;
mod markdown;

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::io::{self, IsTerminal, Write as _};
use std::sync::LazyLock;

use regex_syntax::hir::{Class, ClassUnicode, HirKind};
use unicode_width::UnicodeWidthStr;

pub(crate) use self::excerpt::Excerpt;
pub(crate) use self::markdown::Markdown;

/// The maximum number of characters in one line of output.
const MAX_LINE: usize = 4_000;
/// The maximum number of characters in one value within a line: a name, a path, a title.
const MAX_VALUE: usize = 500;
/// The maximum number of characters in a message: the sentence of a finding, the title of a repair.
const MAX_MESSAGE: usize = 2_000;

/// Characters that cannot be seen: controls, format characters such as those of bidirectional text, line separators,
/// private and unassigned characters, and those that Unicode allows a renderer to ignore.
static UNSEEN: LazyLock<ClassUnicode> = LazyLock::new(|| class(r"[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]"));
/// Invisible characters that shape the visible one before them.
static SHAPING: LazyLock<ClassUnicode> = LazyLock::new(|| class(r"[\p{Join_Control}\p{Variation_Selector}]"));

fn class(pattern: &str) -> ClassUnicode {
    match regex_syntax::parse(pattern).expect("the class parses").into_kind() {
        HirKind::Class(Class::Unicode(class)) => class,
        other => unreachable!("{pattern} is a class of characters, not {other:?}"),
    }
}

fn holds(class: &ClassUnicode, c: char) -> bool {
    let ranges = class.ranges();
    let at = ranges.partition_point(|range| range.end() < c);
    ranges.get(at).is_some_and(|range| range.start() <= c)
}

/// Whether a character cannot be seen, regardless of its context.
fn is_unseen(c: char) -> bool {
    match c {
        ' '..='~' => false,
        c if c.is_ascii() => true,
        c => holds(&UNSEEN, c),
    }
}

/// Returns every character of a text with its byte offset, and whether it must be written as its code. A joiner or a
/// variation selector that shapes the visible character before it, as in emoji, Persian and Hindi, is part of that
/// character.
fn seen(text: &str) -> impl Iterator<Item = (usize, char, bool)> {
    /// The role of the previous character.
    #[derive(Clone, Copy, PartialEq)]
    enum Before {
        Nothing,
        Base,
        Selected,
    }
    let mut rest = text.char_indices().peekable();
    let mut before = Before::Nothing;
    std::iter::from_fn(move || {
        let (at, c) = rest.next()?;
        if c.is_ascii() {
            before = Before::Nothing;
            return Some((at, c, is_unseen(c)));
        }
        if !is_unseen(c) {
            before = Before::Base;
            return Some((at, c, false));
        }
        let joins = matches!(c, '\u{200c}' | '\u{200d}');
        let is_followed = rest.peek().is_some_and(|(_, next)| !next.is_ascii() && !is_unseen(*next));
        let shapes = holds(&SHAPING, c)
            && match before {
                Before::Nothing => false,
                Before::Base => !joins || is_followed,
                Before::Selected => joins && is_followed,
            };
        before = if shapes && !joins { Before::Selected } else { Before::Nothing };
        Some((at, c, !shapes))
    })
}

/// Rewrites a text so that every character can be seen, except those for which `stays` returns `true`; `stays` receives
/// the character and the byte after it.
fn visible(text: &str, stays: impl Fn(char, Option<u8>) -> bool) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (at, c, is_code) in seen(text) {
        match is_code && !stays(c, text.as_bytes().get(at + c.len_utf8()).copied()) {
            true => out.push_str(&code(c)),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Returns the form in which an unseen character is shown: `\u{1b}`.
fn code(c: char) -> String {
    format!("\\u{{{:x}}}", u32::from(c))
}

/// Returns a text on one line: nothing in it breaks the line or moves the cursor.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    visible(text, |_, _| false)
}

/// Returns a text of several lines: its line breaks and tabs are kept.
fn lines(text: &str) -> Cow<'_, str> {
    visible(text, |c, next| matches!(c, '\n' | '\t') || c == '\r' && next == Some(b'\n'))
}

/// Returns a text cut to at most `most` characters, the last of which is an ellipsis if any were cut.
fn bounded(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some(_) => {
            let end = text.char_indices().nth(most - 1).map_or(0, |(at, _)| at);
            Cow::Owned(format!("{}…", &text[..end]))
        }
    }
}

/// Returns a name, path or title for display: on one line, and cut to a readable length.
pub(crate) fn value(text: &str) -> String {
    line(&bounded(text, MAX_VALUE)).into_owned()
}

/// Returns a sentence for display: on one line, and cut to a readable length.
pub(crate) fn message(text: &str) -> String {
    line(&bounded(text, MAX_MESSAGE)).into_owned()
}

/// Returns a value for a column, padded with spaces to a width in terminal cells.
pub(crate) fn column(text: &str, width: usize) -> String {
    let shown = value(text);
    let blanks = width.saturating_sub(shown.width());
    shown + &" ".repeat(blanks)
}

/// Returns the width of a value in terminal cells.
pub(crate) fn width(text: &str) -> usize {
    value(text).width()
}

/// Returns a value as indented JSON. Characters that a terminal acts on, or that cannot be seen, are written as
/// `\uXXXX`; the values stay the same.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    let mut plain = serde_json::to_string_pretty(value).expect("a value is JSON");
    if plain.bytes().all(|byte| byte < 0x7f) {
        plain.push('\n');
        return plain;
    }
    let mut out = String::with_capacity(plain.len() + 1);
    // The serializer has escaped the characters below U+007F, so the only ones left are the line breaks of the layout.
    for (_, c, is_code) in seen(&plain) {
        match is_code && c >= '\u{7f}' {
            true => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                let _ = write!(out, "\\u{unit:04x}");
            }),
            false => out.push(c),
        }
    }
    out.push('\n');
    out
}

/// The text that a command prints on standard output.
#[derive(Debug, Default)]
pub(crate) struct Page(String);

impl Page {
    /// Creates a page that is one JSON value.
    pub(crate) fn json(value: &impl serde::Serialize) -> Page {
        Page(json(value))
    }

    /// Adds text that stays on one line, whatever the values in it contain.
    pub(crate) fn line(&mut self, text: impl Display) {
        let text = text.to_string();
        let shown = line(&text);
        match shown.chars().count() {
            0..=MAX_LINE => self.0.push_str(&shown),
            // The place comes last on many lines, so the middle is cut.
            count => {
                self.0.extend(shown.chars().take(MAX_LINE * 3 / 4));
                self.0.push('…');
                self.0.extend(shown.chars().skip(count - MAX_LINE / 4));
            }
        }
        self.0.push('\n');
    }

    /// Adds a document: its line breaks and tabs stay.
    pub(crate) fn text(&mut self, text: &str) {
        self.0.push_str(&lines(text));
    }

    /// Adds text that a renderer has laid out and coloured. Its colours stay; the values in it must already have been
    /// made visible.
    pub(crate) fn styled(&mut self, text: &str) {
        self.0.push_str(&styled(text));
    }

    /// Adds a unified diff between two versions of a file, or nothing if they are the same. In a pipe or a file it is
    /// exact, so that `git apply` accepts it; on a terminal, invisible characters are made visible. In both, the path
    /// in the heading is quoted as git quotes it.
    pub(crate) fn diff(&mut self, path: &str, old: &str, new: &str, to_terminal: bool) {
        let diff = similar::TextDiff::from_lines(old, new);
        let (before, after) = (quoted_path("a/", path), quoted_path("b/", path));
        let diff = diff.unified_diff().header(&before, &after).to_string();
        match to_terminal {
            true => self.text(&diff),
            false => self.0.push_str(&diff),
        }
    }
}

/// Returns a path as git writes it in the heading of a diff: in quotes with octal bytes if it contains anything
/// unusual.
fn quoted_path(prefix: &str, path: &str) -> String {
    let is_unusual = seen(path).any(|(_, c, is_code)| is_code || matches!(c, '"' | '\\'));
    if !is_unusual {
        return format!("{prefix}{path}");
    }
    let mut out = format!("\"{prefix}");
    for byte in path.bytes() {
        let _ = match byte {
            b'"' | b'\\' => write!(out, "\\{}", char::from(byte)),
            b' '..=b'~' => write!(out, "{}", char::from(byte)),
            byte => write!(out, "\\{byte:03o}"),
        };
    }
    out.push('"');
    out
}

/// Makes every character of a text visible, except in sequences that set a style, such as a colour.
fn styled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&lines(&rest[..at]));
        let sequence = &rest[at + 1..];
        let end = sequence.find(|c: char| !matches!(c, '[' | ';' | '0'..='9'));
        match end.filter(|&end| sequence.starts_with('[') && sequence[end..].starts_with('m')) {
            Some(end) => {
                out.push_str(&rest[at..at + 1 + end + 1]);
                rest = &sequence[end + 1..];
            }
            None => {
                out.push_str(&code('\u{1b}'));
                rest = sequence;
            }
        }
    }
    out.push_str(&lines(rest));
    out
}

/// Whether standard output is a terminal.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Writes a command's output to standard output.
///
/// # Errors
/// The output cannot be written, for example to a closed pipe.
pub(crate) fn print(page: &Page) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(page.0.as_bytes())?;
    out.flush()
}

/// Reports something on standard error. Lines after the first are set off, so that text from files never looks like a
/// message of this program.
pub(crate) fn complain(trouble: impl Display) {
    let _ = io::stderr().lock().write_all(complaint(&trouble.to_string()).as_bytes());
}

fn complaint(trouble: &str) -> String {
    let shown = lines(trouble);
    let mut out = String::from("toolnames: ");
    for (index, one) in shown.trim_end().lines().enumerate() {
        if index > 0 {
            out.push_str("  | ");
        }
        out.push_str(&bounded(one, MAX_LINE));
        out.push('\n');
    }
    out
}

/// Writes help to standard output, or a usage error to standard error. The arguments in it must already have been made
/// visible; its colours appear only on a terminal.
pub(crate) fn usage(plain: &str, coloured: &str, is_error: bool) {
    let is_terminal = if is_error { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let text = styled(if is_terminal && allows_colours() { coloured } else { plain });
    let _ = match is_error {
        true => io::stderr().lock().write_all(text.as_bytes()),
        false => io::stdout().lock().write_all(text.as_bytes()),
    };
}

/// Whether the user allows colours: the variable `NO_COLOR` turns them off.
pub(crate) fn allows_colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_as_its_code() {
        for (text, shown) in [
            ("plain ~", "plain ~"),
            ("größe 名前 שלום", "größe 名前 שלום"),
            ("a\u{1b}[2J\u{7}b", "a\\u{1b}[2J\\u{7}b"),
            ("\u{9b}31m\u{85}", "\\u{9b}31m\\u{85}"),
            ("a\nb\tc\r\n", "a\\u{a}b\\u{9}c\\u{d}\\u{a}"),
            ("\u{202e}x\u{2066}\u{200f}\u{61c}", "\\u{202e}x\\u{2066}\\u{200f}\\u{61c}"),
            ("\u{2028}\u{2029}\u{feff}\u{200b}\u{ad}", "\\u{2028}\\u{2029}\\u{feff}\\u{200b}\\u{ad}"),
            ("\u{3164}\u{115f}\u{34f}\u{e0041}", "\\u{3164}\\u{115f}\\u{34f}\\u{e0041}"),
            ("\u{e000}\u{378}", "\\u{e000}\\u{378}"),
            ("\u{7f}", "\\u{7f}"),
        ] {
            assert_eq!(line(text), shown, "{text:?}");
        }
    }

    #[test]
    fn what_shapes_a_visible_character_is_part_of_it() {
        for text in ["⚠\u{fe0f}", "👩\u{200d}💻", "❤\u{fe0f}\u{200d}🔥", "می\u{200c}خواهم", "क्\u{200d}ष"]
        {
            assert_eq!(line(text), text);
        }
        assert_eq!(line("re\u{200d}ad"), "re\\u{200d}ad");
        assert_eq!(line("ä\u{200d}"), "ä\\u{200d}");
        assert_eq!(line("⚠\u{fe0f}\u{fe01}\u{e0100}"), "⚠\u{fe0f}\\u{fe01}\\u{e0100}", "one selector a character");
    }

    #[test]
    fn json_keeps_its_values() {
        let value = serde_json::json!({ "a\u{9b}": "\u{1b}\u{7f}\u{202e}\u{e0041}é\n" });
        let text = json(&value);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        assert!(text.contains(r#""a\u009b": "\u001b\u007f\u202e\udb40\udc41é\n""#), "{text}");
    }

    #[test]
    fn a_line_stays_one_line() {
        let mut page = Page::default();
        page.line(format_args!("{} at {}", "a\nerror: b", "x:1"));
        page.line("y".repeat(MAX_LINE) + " at x:2");
        assert_eq!(page.0.lines().count(), 2);
        assert!(page.0.ends_with(" at x:2\n"), "the place stays");
        assert!(page.0.chars().count() < MAX_LINE + 50);
    }

    #[test]
    fn columns_are_as_wide_as_what_is_shown() {
        assert_eq!(column("\u{1b}", 8), "\\u{1b}  ");
        assert_eq!(column("名", 4), "名  ");
        assert_eq!(width("\u{1b}"), 6);
    }

    #[test]
    fn colours_stay_and_nothing_else() {
        assert_eq!(styled("\u{1b}[1m\u{1b}[38;5;9mx\u{1b}[0m\n"), "\u{1b}[1m\u{1b}[38;5;9mx\u{1b}[0m\n");
        assert_eq!(styled("\u{1b}[2J\u{1b}]0;t\u{7}\u{1b}"), "\\u{1b}[2J\\u{1b}]0;t\\u{7}\\u{1b}");
    }

    #[test]
    fn a_diff_is_exact_in_a_pipe_and_visible_on_a_terminal() {
        let diff = |to_terminal| {
            let mut page = Page::default();
            page.diff("a\nb\u{9b}.ts", "old\u{1b}\r\n", "new\u{202e}\r\n", to_terminal);
            page.0
        };
        let heading = "--- \"a/a\\012b\\302\\233.ts\"\n+++ \"b/a\\012b\\302\\233.ts\"\n@@ -1 +1 @@\n";
        assert_eq!(diff(false), format!("{heading}-old\u{1b}\r\n+new\u{202e}\r\n"));
        assert_eq!(diff(true), format!("{heading}-old\\u{{1b}}\r\n+new\\u{{202e}}\r\n"));
        assert_eq!(quoted_path("a/", "src/größe 1.ts"), "a/src/größe 1.ts");
    }

    #[test]
    fn a_complaint_cannot_be_mistaken_for_another() {
        assert_eq!(complaint("a\ntoolnames: b\u{1b}\n"), "toolnames: a\n  | toolnames: b\\u{1b}\n");
    }
}
