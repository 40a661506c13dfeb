//! Examples of what not to write, which a document shows next to the right form. A document marks them by a cross, a
//! label such as `Wrong:`, a heading such as `Common mistakes`, the heading of a column, or the `-` of a diff.

use super::{Code, Markdown, Prose, Table};
use crate::text::{Span, stands_alone};

/// A mark that a document puts on an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Wrong,
    Right,
}

const CROSSES: [char; 8] = ['❌', '✗', '✘', '✖', '🚫', '⛔', '👎', '🛑'];
const TICKS: [char; 6] = ['✅', '✓', '✔', '☑', '👍', '🟢'];

/// Words that mark an example as wrong, anywhere in a label, a heading or a comment.
const WRONG_WORDS: [&str; 15] = [
    "wrong",
    "incorrect",
    "incorrectly",
    "invalid",
    "bad",
    "mistake",
    "mistakes",
    "pitfall",
    "pitfalls",
    "antipattern",
    "antipatterns",
    "anti-pattern",
    "anti-patterns",
    "don't",
    "don'ts",
];
const RIGHT_WORDS: [&str; 4] = ["correct", "correctly", "good", "right"];
/// Labels that mark the text after them, or the column below them, as wrong, if the label consists of nothing else.
const WRONG_LABELS: [&str; 11] =
    ["before", "old", "was", "from", "previously", "formerly", "no", "never", "avoid", "do not", "instead of"];
const RIGHT_LABELS: [&str; 10] =
    ["after", "new", "now", "to", "yes", "do", "use", "use instead", "always", "preferred"];

/// Phrases that reject the name after them, perhaps with one of [`VERBS`] in between.
const REJECTING: [&str; 10] =
    ["not", "never", "instead of", "rather than", "no longer", "avoid", "don't", "do not", "does not", "must not"];
const VERBS: [&str; 9] = ["use", "using", "write", "writing", "call", "calling", "type", "say", "named"];
/// The signs between an old name and the new one.
const ARROWS: [&str; 6] = ["→", "->", "=>", "⇒", "➜", "➡"];

/// Whether a document shows the text at a place as wrong.
pub(crate) fn is_shown_as_wrong(markdown: &Markdown, place: Span) -> bool {
    mark_at(markdown, place) == Some(Mark::Wrong)
}

/// Whether the sentence around a place rejects the name there: `not x but y`, `instead of x`, `x → y`. `others` are
/// names with which it may be contrasted: if the line or the table row also contains one of them, the name at the place
/// is the rejected one.
pub(crate) fn is_rejected(markdown: &Markdown, place: Span, others: &[String]) -> bool {
    let holds_other = |text: &str| others.iter().any(|other| has_word(text, other));
    if cell_at(markdown, place).is_some() {
        return others.iter().any(|other| is_in_row(markdown, place, other));
    }
    let Some(prose) = prose_at(markdown, place) else { return false };
    let (line, at) = line_at(&prose.text, (place.start - prose.span.start) as usize);
    let end = (at + place.len()).min(line.len());
    let (before, after) = (&line[..at], &line[end..]);
    if holds_other(before) || holds_other(after) {
        return true;
    }
    let behind = after.trim_start_matches(['`', '"', '\'', '*', '_', ' ']);
    let is_name = |rest: &str| rest.trim_start_matches(['\u{fe0f}', ' ', '*']).starts_with('`');
    if ARROWS.iter().any(|arrow| behind.strip_prefix(*arrow).is_some_and(is_name)) {
        return true;
    }
    let spoken = before.trim_end_matches(['`', '"', '\'', '*', '_', ' ']).to_lowercase().replace('’', "'");
    let last = spoken.rsplit(char::is_whitespace).next().unwrap_or_default();
    let head = match VERBS.contains(&last) {
        true => spoken[..spoken.len() - last.len()].trim_end(),
        false => spoken.as_str(),
    };
    REJECTING.iter().any(|phrase| {
        head.strip_suffix(*phrase).is_some_and(|front| !front.ends_with(|c: char| c.is_alphanumeric() || c == '\''))
    })
}

/// Whether another cell of the row around a place has a word; `false` outside of tables.
pub(crate) fn is_in_row(markdown: &Markdown, place: Span, word: &str) -> bool {
    cell_at(markdown, place).is_some_and(|(table, row, _)| {
        table.rows[row].cells.iter().any(|cell| !cell.span.contains(place) && has_word(&cell.text, word))
    })
}

/// The mark on a place: the nearest one, from its own line or column to the headings above.
fn mark_at(markdown: &Markdown, place: Span) -> Option<Mark> {
    let own = if let Some(block) = block_at(markdown, place) {
        mark_in_block(block, place)
    } else if let Some((table, _, column)) = cell_at(markdown, place) {
        mark_of_column(table, column)
    } else {
        prose_at(markdown, place).and_then(|prose| mark_in_line(prose, place))
    };
    own.or_else(|| mark_above(markdown, place))
}

/// The mark of the paragraph before a place, or else of the nearest heading that has one.
fn mark_above(markdown: &Markdown, place: Span) -> Option<Mark> {
    let mut headings: Vec<(u8, &str)> = Vec::new();
    let mut before: Option<&Prose> = None;
    for prose in markdown.prose.iter().take_while(|prose| prose.span.end <= place.start) {
        before = match prose.heading {
            Some(level) => {
                headings.retain(|(above, _)| *above < level);
                headings.push((level, &prose.text));
                None
            }
            None => Some(prose),
        };
    }
    // A paragraph introduces the table or block after it, and any text after its colon.
    let is_apart = block_at(markdown, place).is_some() || cell_at(markdown, place).is_some();
    let before = before.map(|prose| prose.text.trim_end().lines().last().unwrap_or_default());
    let before = before.filter(|text| is_apart || text.trim_end_matches(['*', '_', ' ']).ends_with(':'));
    before.and_then(mark_of).or_else(|| headings.iter().rev().find_map(|(_, text)| mark_of(text)))
}

/// The mark of a label, a heading or a comment. It is determined by the signs, by the words outside of code, or by the
/// text as a whole.
fn mark_of(text: &str) -> Option<Mark> {
    if let Some(sign) = text.chars().rev().find_map(mark_of_sign) {
        return Some(sign);
    }
    let plain: String = text.split('`').step_by(2).collect();
    let plain = plain.to_lowercase().replace('’', "'");
    let is_edge = |c: char| !c.is_alphanumeric();
    let mut words = plain.split_whitespace().map(|word| word.trim_matches(is_edge));
    let has = |known: &[&str]| words.clone().any(|word| known.contains(&word));
    let whole = plain.trim_matches(is_edge);
    if has(&WRONG_WORDS) || WRONG_LABELS.contains(&whole) {
        return Some(Mark::Wrong);
    }
    let is_label = words.by_ref().count() <= MOST_OF_LABEL;
    let is_right = RIGHT_LABELS.contains(&whole) || is_label && RIGHT_WORDS.iter().any(|word| has_word(whole, word));
    is_right.then_some(Mark::Right)
}

/// The maximum number of words in a label.
const MOST_OF_LABEL: usize = 4;

fn mark_of_sign(c: char) -> Option<Mark> {
    match c {
        c if CROSSES.contains(&c) => Some(Mark::Wrong),
        c if TICKS.contains(&c) => Some(Mark::Right),
        _ => None,
    }
}

/// The mark on a place in a line of prose: the last sign or label before it, else the first sign after it, else a word
/// near it.
fn mark_in_line(prose: &Prose, place: Span) -> Option<Mark> {
    let (line, at) = line_at(&prose.text, (place.start - prose.span.start) as usize);
    let (before, after) = (&line[..at], &line[at..]);
    let label = |before: &str| {
        let (label, _) = before.rsplit_once(':')?;
        let own = label.rsplit(['/', '|', ';', ',', '.', '`']).next().unwrap_or(label);
        (own.split_whitespace().count() <= MOST_OF_LABEL).then(|| mark_of(own)).flatten()
    };
    before
        .chars()
        .rev()
        .find_map(mark_of_sign)
        .or_else(|| label(before))
        .or_else(|| after.chars().find_map(mark_of_sign))
        .or_else(|| mark_of(&words_around(before, after)).filter(|mark| *mark == Mark::Wrong))
}

/// The words of prose near a place in a line, without code: what is further away is about something else.
fn words_around(before: &str, after: &str) -> String {
    const MOST: usize = 4;
    let is_in_code = before.matches('`').count() % 2 == 1;
    let front: String = before.split('`').step_by(2).collect();
    let behind: String = after.split('`').skip(usize::from(is_in_code)).step_by(2).collect();
    let mut near: Vec<&str> = front.split_whitespace().rev().take(MOST).collect();
    near.reverse();
    near.extend(behind.split_whitespace().take(MOST));
    near.join(" ")
}

/// The mark on a place in a code block: that of its line, or else that of the nearest comment line above it.
fn mark_in_block(code: &Code, place: Span) -> Option<Mark> {
    let at = (place.start - code.span.start) as usize;
    let (line, _) = line_at(&code.text, at);
    if code.block.as_deref() == Some("diff") {
        match line.chars().next() {
            Some('-') => return Some(Mark::Wrong),
            Some('+') => return Some(Mark::Right),
            _ => {}
        }
    }
    let start = code.text[..at.min(code.text.len())].rfind('\n').map_or(0, |end| end + 1);
    let own = line.chars().find_map(mark_of_sign).or_else(|| comment_of(line).and_then(|(_, said)| mark_of(said)));
    own.or_else(|| {
        let comments = code.text[..start].lines().rev().filter_map(comment_of);
        comments.filter(|(begins_line, _)| *begins_line).find_map(|(_, said)| mark_of(said))
    })
}

/// The comment of a line of code, and whether it begins the line.
fn comment_of(line: &str) -> Option<(bool, &str)> {
    const OPENING: [&str; 6] = ["//", "#", "<!--", "/*", "--", "%"];
    let line = line.trim();
    if let Some(rest) = OPENING.iter().find_map(|sign| line.strip_prefix(sign)) {
        return Some((true, rest));
    }
    let opened = OPENING[..4].iter().filter_map(|sign| line.find(&format!(" {sign} ")).map(|at| at + sign.len() + 2));
    opened.min().map(|at| (false, &line[at..]))
}

/// The mark of a column. It counts only if another column has the opposite mark.
fn mark_of_column(table: &Table, column: usize) -> Option<Mark> {
    let marks: Vec<Option<Mark>> = table.header.iter().map(|cell| mark_of(&cell.text)).collect();
    let own = (*marks.get(column)?)?;
    marks.iter().flatten().any(|other| *other != own).then_some(own)
}

fn block_at(markdown: &Markdown, place: Span) -> Option<&Code> {
    markdown.code.iter().find(|code| code.block.is_some() && code.span.contains(place))
}

fn prose_at(markdown: &Markdown, place: Span) -> Option<&Prose> {
    markdown.prose.iter().find(|prose| prose.span.contains(place))
}

/// The table, the row and the column of the cell at a place.
fn cell_at(markdown: &Markdown, place: Span) -> Option<(&Table, usize, usize)> {
    markdown.tables.iter().find_map(|table| {
        let row = table.rows.iter().position(|row| row.span.contains(place))?;
        let cells = &table.rows[row].cells;
        Some((table, row, cells.iter().rposition(|cell| cell.span.start <= place.start)?))
    })
}

/// The line of a text around a byte offset, and the offset within that line.
fn line_at(text: &str, at: usize) -> (&str, usize) {
    let at = at.min(text.len());
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    (line, (at - start).min(line.len()))
}

/// Whether a text has a word that is not part of a longer name.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| stands_alone(text, Span::new(at, at + word.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse_markdown;

    /// The lines on which `bad` is shown as wrong.
    #[track_caller]
    fn check(text: &str, expected: &[usize]) {
        let markdown = parse_markdown(text);
        let places = text.match_indices("bad_x").map(|(at, word)| (at, Span::new(at, at + word.len())));
        let wrong = places.filter(|(_, place)| {
            is_shown_as_wrong(&markdown, *place) || is_rejected(&markdown, *place, &["good_x".to_string()])
        });
        let lines: Vec<usize> = wrong.map(|(at, _)| text[..at].matches('\n').count() + 1).collect();
        assert_eq!(lines, expected, "{text}");
    }

    #[test]
    fn signs_and_labels_mark_what_follows() {
        check("❌ `bad_x`\n\n✅ `bad_x`\n", &[1]);
        check("- **Wrong:** `bad_x`\n- **Right:** `bad_x`\n", &[1]);
        check("Wrong: `bad_x` / Right: `bad_x`\n", &[1]);
        check("❌ Wrong: `bad_x` / ✅ Right: `bad_x`\n", &[1]);
        check("Before: `bad_x`\n\nBefore you start, call `bad_x`.\n", &[1]);
        check("## Common mistakes\n\nUse `bad_x`.\n\n## Use\n\nUse `bad_x`.\n", &[3]);
        check("### Before\n\n`bad_x`\n\n### After\n\n`bad_x`\n", &[3]);
        check("The name `bad_x` is invalid.\n", &[1]);
        check("Given an identifier and invalid parameters, when I use `bad_x`, then it fails.\n", &[]);
        check("Call `bad_x`.\n", &[]);
    }

    #[test]
    fn lines_of_a_block_are_marked_by_comments() {
        check("```ts\n// WRONG\nuse(bad_x)\n// RIGHT\nuse(bad_x)\n```\n", &[3]);
        check("Wrong:\n\n```json\n[\"bad_x\"]\n```\n\nRight:\n\n```json\n[\"bad_x\"]\n```\n", &[4]);
        check("```sh\nbad_x  # ❌\nbad_x  # ✅\n```\n", &[2]);
        check("```diff\n-bad_x\n+bad_x\n bad_x\n```\n", &[2]);
        check("```jsonc\n// Wrong\n\"bad_x\"\n```\n", &[3]);
        check("```json\n\"bad_x\"\n```\n", &[]);
    }

    #[test]
    fn columns_are_marked_by_their_headings() {
        check("| Wrong | Right |\n|---|---|\n| `bad_x` | `bad_x` |\n", &[3]);
        check("| ❌ | ✅ |\n|---|---|\n| bad_x | bad_x |\n", &[3]);
        check("| Before | After |\n|---|---|\n| `bad_x` | `y` |\n", &[3]);
        check("| From | Note |\n|---|---|\n| `bad_x` | `y` |\n", &[]);
        check("| Anything | Else |\n|---|---|\n| `bad_x` | `good_x` |\n", &[3]);
        check("| Tool | Works |\n|---|---|\n| `bad_x` | ✅ |\n| `bad_x` | ❌ |\n", &[]);
    }

    #[test]
    fn a_sentence_rejects_a_name() {
        check("Use `y` instead of `bad_x`.\n", &[1]);
        check("It is `y`, not `bad_x`.\n", &[1]);
        check("It is not `bad_x` but `y`.\n", &[1]);
        check("Do not write `bad_x`.\n", &[1]);
        check("Don’t use **`bad_x`**.\n", &[1]);
        check("`bad_x` → `y`\n", &[1]);
        check("`bad_x` became `good_x`.\n", &[1]);
        check("Do not forget `bad_x`.\n", &[]);
        check("`bad_x` → reads it\n", &[]);
    }
}
