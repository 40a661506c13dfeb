//! A few lines around a place in a file, as shown in a terminal.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use super::{code, seen};

/// The maximum width of a line, in terminal cells.
const MAX_WIDTH: usize = 136;
/// The maximum number of characters that are read on either side of a place: room for characters that take no cell.
const REACH: usize = 4 * MAX_WIDTH;
/// The number of cells next to a long mark that show its surroundings.
const AROUND: usize = 20;
/// The number of lines shown at the beginning of a mark. For the lines between these and the last line of the mark, a
/// renderer shows only a sign.
const FIRST_LINES: usize = 4;
/// The maximum number of lines, and of bytes, of a mark whose end is shown; of a longer mark only the first line is
/// shown.
const MAX_LINES: usize = 200;
const MAX_MARK: usize = 64 * 1024;
/// The sign in place of the rest of a line.
const REST: &str = "...";

/// The lines that a mark touches, each cut to a window around the mark, with every character made visible. The cost is
/// the same for a line of a hundred characters and of a million.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The lines, separated by `\n`.
    pub text: String,
    /// The range of the mark, in bytes of `text`.
    pub mark: Range<usize>,
}

/// One character as it is shown.
struct Cell {
    /// The byte offset in the text at which the character begins.
    at: usize,
    shown: Shown,
    /// The width in terminal cells.
    width: usize,
}

/// The form in which a character is shown.
#[derive(Clone, Copy)]
enum Shown {
    Itself(char),
    Code(char),
    Tab,
    Secret,
}

const TAB: &str = "    ";

impl Shown {
    fn width(self) -> usize {
        match self {
            Shown::Itself(c) => c.width().unwrap_or(0),
            Shown::Code(c) => code(c).len(),
            Shown::Tab => TAB.len(),
            Shown::Secret => 1,
        }
    }

    fn push_to(self, text: &mut String) {
        match self {
            Shown::Itself(c) => text.push(c),
            Shown::Code(c) => text.push_str(&code(c)),
            Shown::Tab => text.push_str(TAB),
            Shown::Secret => text.push('*'),
        }
    }
}

/// A window on one line.
struct Window {
    text: String,
    mark: Range<usize>,
}

impl Excerpt {
    /// Returns the excerpt around a mark, given in bytes. Empty if the text does not contain these bytes, for example
    /// because the file has changed. Bytes for which `is_secret` holds are shown as stars.
    pub(crate) fn of(text: &str, mark: Range<usize>, is_secret: &dyn Fn(usize) -> bool) -> Excerpt {
        let Some(marked) = text.get(mark.clone()) else { return Excerpt::default() };
        let is_long = marked.len() > MAX_MARK;
        let breaks = marked.match_indices(['\n', '\r']).filter(|(at, found)| {
            // `\r\n` is one line break, and ends with its second byte.
            *found == "\n" || text.as_bytes().get(mark.start + at + 1) != Some(&b'\n')
        });
        let mut lines = vec![mark.start];
        lines.extend(breaks.map(|(at, _)| mark.start + at + 1).take(if is_long { 0 } else { MAX_LINES }));
        if is_long || lines.len() > MAX_LINES {
            let window = window(text, mark, true, is_secret);
            return Excerpt { text: window.text, mark: window.mark };
        }
        let mut excerpt = Excerpt::default();
        let last = lines.len() - 1;
        for (index, &start) in lines.iter().enumerate() {
            if index > 0 {
                excerpt.text.push('\n');
            }
            if index >= FIRST_LINES && index < last {
                continue;
            }
            let end = lines
                .get(index + 1)
                .map_or(mark.end, |&next| start + text[start..next].trim_end_matches(['\n', '\r']).len());
            // On the last line, the end of the mark must be visible.
            let window = window(text, start..end, index < last || last == 0, is_secret);
            if index == 0 {
                excerpt.mark.start = window.mark.start;
            }
            excerpt.mark.end = excerpt.text.len() + window.mark.end;
            excerpt.text.push_str(&window.text);
        }
        excerpt
    }
}

/// Returns a window on the line of a mark: around its beginning if `from_start` is set, otherwise around its end.
fn window(text: &str, mark: Range<usize>, from_start: bool, is_secret: &dyn Fn(usize) -> bool) -> Window {
    let point = if from_start { mark.start } else { mark.end };
    let is_break = |c: &char| matches!(c, '\n' | '\r');
    let before = text[..point].chars().rev().take(REACH).take_while(|c| !is_break(c));
    let mut low = point - before.map(char::len_utf8).sum::<usize>();
    let after = text[point..].chars().take(REACH).take_while(|c| !is_break(c));
    let high = point + after.map(char::len_utf8).sum::<usize>();
    // A byte order mark takes no room on the line.
    if low == 0 && text.starts_with('\u{feff}') {
        low = '\u{feff}'.len_utf8().min(high);
    }
    let is_cut = (!text[..low].is_empty() && !text[..low].ends_with(['\n', '\r', '\u{feff}']), {
        let rest = &text[high..];
        !rest.is_empty() && !rest.starts_with(['\n', '\r'])
    });
    let cells: Vec<Cell> = seen(&text[low..high])
        .map(|(at, c, is_code)| {
            let at = low + at;
            let shown = match c {
                _ if is_secret(at) => Shown::Secret,
                '\t' => Shown::Tab,
                c if is_code => Shown::Code(c),
                c => Shown::Itself(c),
            };
            Cell { at, shown, width: shown.width() }
        })
        .collect();
    let cell_at = |at: usize| cells.partition_point(|cell| cell.at < at);
    let (start, end) = (cell_at(mark.start), cell_at(mark.end));
    let focus = if from_start { start..end } else { end.saturating_sub(1).max(start)..end };
    let shown = chosen(&cells, focus, is_cut);
    let mut window = Window { text: String::new(), mark: 0..0 };
    if shown.start > 0 || is_cut.0 {
        window.text.push_str(REST);
    }
    // A mark that begins before the window is cut at the start of the window.
    window.mark.start = if start < shown.start { 0 } else { window.text.len() };
    window.mark.end = window.text.len();
    for (index, cell) in cells.iter().enumerate().take(shown.end).skip(shown.start) {
        if index == start {
            window.mark.start = window.text.len();
        }
        cell.shown.push_to(&mut window.text);
        if index < end {
            window.mark.end = window.text.len();
        }
    }
    if start >= shown.end {
        window.mark = window.text.len()..window.text.len();
    }
    if shown.end < cells.len() || is_cut.1 {
        window.text.push_str(REST);
        if end > shown.end || mark.end > high {
            window.mark.end = window.text.len();
        }
    }
    window
}

/// Returns the range of cells to show: all of them, or those around a focus that fill a window.
fn chosen(cells: &[Cell], focus: Range<usize>, is_cut: (bool, bool)) -> Range<usize> {
    let width = |range: Range<usize>| cells[range].iter().map(|cell| cell.width).sum::<usize>();
    if is_cut == (false, false) && width(0..cells.len()) <= MAX_WIDTH {
        return 0..cells.len();
    }
    let left = |from: usize, room: usize| {
        let mut used = 0;
        let fits = cells[..from].iter().rev().take_while(|cell| {
            used += cell.width;
            used <= room
        });
        from - fits.count()
    };
    let right = |from: usize, room: usize| {
        let mut used = 0;
        let fits = cells[from..].iter().take_while(|cell| {
            used += cell.width;
            used <= room
        });
        from + fits.count()
    };
    let marked = width(focus.clone()).min(MAX_WIDTH - 2 * AROUND);
    let mut start = left(focus.start, (MAX_WIDTH - marked) / 2);
    let end = right(focus.start, MAX_WIDTH - width(start..focus.start));
    if end == cells.len() && !is_cut.1 {
        start = left(focus.start, MAX_WIDTH - width(focus.start..end));
    }
    // A character that takes no cell belongs to the one before it, and is shown with it.
    while start < focus.start && cells[start].width == 0 {
        start += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str, mark: Range<usize>) -> Excerpt {
        Excerpt::of(text, mark, &|_| false)
    }

    fn marked(text: &str, word: &str) -> (String, String) {
        let at = text.find(word).unwrap();
        let excerpt = of(text, at..at + word.len());
        let mark = excerpt.text[excerpt.mark].to_string();
        (excerpt.text, mark)
    }

    fn cells(text: &str) -> usize {
        text.lines().map(unicode_width::UnicodeWidthStr::width).max().unwrap_or(0)
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        assert_eq!(marked("one\n\ttwo three\r\nfour", "three"), ("    two three".into(), "three".into()));
        assert_eq!(marked("\u{feff}one two", "one"), ("one two".into(), "one".into()));
        assert_eq!(marked("a\rb c\rd", "c"), ("b c".into(), "c".into()));
        assert_eq!(of("ab\n", 2..2), Excerpt { text: "ab".into(), mark: 2..2 });
        assert_eq!(of("", 0..0), Excerpt::default());
        assert_eq!(of("ab", 1..9), Excerpt::default());
    }

    #[test]
    fn a_long_line_is_shown_in_part() {
        let long = format!("{}NAME{}", "x".repeat(1_000_000), "y".repeat(1_000_000));
        let (text, mark) = marked(&long, "NAME");
        assert_eq!(mark, "NAME");
        assert_eq!(text.len(), MAX_WIDTH + 2 * REST.len());
        assert!(text.starts_with("...x") && text.ends_with("y..."), "{text}");
        let (text, mark) = marked(&format!("NAME{}", "y".repeat(1_000)), "NAME");
        assert_eq!((mark.as_str(), text.len()), ("NAME", MAX_WIDTH + REST.len()));
        let (text, mark) = marked(&format!("{}NAME", "x".repeat(1_000)), "NAME");
        assert_eq!((mark.as_str(), text.len()), ("NAME", MAX_WIDTH + REST.len()));
    }

    #[test]
    fn a_mark_longer_than_the_window_ends_with_it() {
        let word = "z".repeat(900);
        let (text, mark) = marked(&format!("{}{word} after", "x".repeat(500)), &word);
        assert!(text.starts_with("...x") && text.ends_with("z..."), "{text}");
        assert!(mark.starts_with('z') && mark.ends_with("z..."), "{mark}");
        assert!(cells(&text) <= MAX_WIDTH + 6);
    }

    #[test]
    fn marks_of_several_lines() {
        let text = format!("a {}\nb\n{} c", "x".repeat(300), "y".repeat(300));
        let excerpt = of(&text, 2..text.len() - 2);
        let lines: Vec<&str> = excerpt.text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("a x") && lines[0].ends_with("x...") && lines[1] == "b");
        assert!(lines[2].starts_with("...y") && lines[2].ends_with("y c"), "{}", lines[2]);
        assert!(excerpt.text[..excerpt.mark.end].ends_with('y') && excerpt.text[excerpt.mark.end..] == *" c");
        let some = "line\n".repeat(9) + "end";
        assert_eq!(
            of(&some, 1..some.len()),
            Excerpt { text: "line\nline\nline\nline\n\n\n\n\n\nend".into(), mark: 1..28 }
        );
        let many = "line\n".repeat(10_000);
        assert_eq!(of(&many, 1..many.len()), Excerpt { text: "line".into(), mark: 1..4 });
        assert_eq!(of("a\r\nb", 0..4), Excerpt { text: "a\nb".into(), mark: 0..3 });
    }

    #[test]
    fn wide_combining_and_invisible_characters_keep_the_mark() {
        assert_eq!(marked("名前 e\u{301} \u{202e}x", "x"), ("名前 e\u{301} \\u{202e}x".into(), "x".into()));
        assert_eq!(marked("a \u{1b}[2J b", "\u{1b}[2J"), ("a \\u{1b}[2J b".into(), "\\u{1b}[2J".into()));
        let (text, mark) = marked(&format!("{}NAME{}", "名".repeat(500), "e\u{301}".repeat(500)), "NAME");
        assert_eq!(mark, "NAME");
        assert!(cells(&text) <= MAX_WIDTH + 6 && cells(&text) > MAX_WIDTH - 6, "{}", cells(&text));
    }

    #[test]
    fn secrets_are_stars() {
        let text = "TOKEN=abc NAME";
        let excerpt = Excerpt::of(text, 10..14, &|at| (6..9).contains(&at));
        assert_eq!(excerpt.text, "TOKEN=*** NAME");
        assert_eq!(&excerpt.text[excerpt.mark], "NAME");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

        #[test]
        fn the_mark_is_what_was_marked(
            before in "[a名\u{301}\t\u{1b}\u{202e} \n]{0,300}", word in "[bx\u{202e}名]{1,12}", after in "[a名\u{301}\t\u{9b} \r\n]{0,300}",
        ) {
            let text = format!("{before}|{word}|{after}");
            let start = before.len() + 1;
            let excerpt = of(&text, start..start + word.len());
            prop_assert_eq!(&excerpt.text[excerpt.mark.clone()], &*crate::show::line(&word));
            prop_assert!(excerpt.text[..excerpt.mark.start].ends_with('|'));
            prop_assert!(excerpt.text[excerpt.mark.end..].starts_with('|'));
            prop_assert!(cells(&excerpt.text) <= MAX_WIDTH + 2 * REST.len());
        }
    }
}
