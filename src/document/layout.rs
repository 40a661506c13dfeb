//! The layout of Markdown tables under edits: aligned columns stay aligned.
//!
//! If a column of a table is as wide as its longest cell, as formatters write it, the same holds after the edits. A
//! wider column keeps its width if the new text fits. Any other column stays as it was written.

use unicode_width::UnicodeWidthStr;

use crate::text::{Edit, Span, apply_edits};

/// The minimum number of dashes in a delimiter.
const LEAST: usize = 3;

/// Returns the edits of padding and delimiters that keep the layout of a Markdown document's tables under `edits`.
pub(crate) fn padding(text: &str, edits: &[Edit]) -> Vec<Edit> {
    if edits.is_empty() {
        return Vec::new();
    }
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.span);
    let mut found = Vec::new();
    let mut lines: Vec<Span> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let span = Span::new(start, start + bare.len());
        start += line.len();
        if bare.trim_start().starts_with('|') {
            lines.push(span);
        } else {
            found.extend(table(text, &std::mem::take(&mut lines), &edits).unwrap_or_default());
        }
    }
    found.extend(table(text, &lines, &edits).unwrap_or_default());
    found
}

/// A cell of a row.
struct Cell {
    /// The content without the padding.
    content: Span,
    /// The end of the padding, as a byte offset.
    end: u32,
    /// The display widths of the content, before and after the edits.
    width: usize,
    later: usize,
}

/// Returns those of the sorted `edits` that begin in a span or at its end.
fn within<'e, 'a>(edits: &'e [&'a Edit], span: Span) -> &'e [&'a Edit] {
    let first = edits.partition_point(|edit| edit.span.start < span.start);
    let count = edits[first..].partition_point(|edit| edit.span.start <= span.end);
    &edits[first..first + count]
}

/// Returns the edits of [`padding`] for one table; `None` if no edit is in it, or if it is not a table of cells.
fn table(text: &str, lines: &[Span], edits: &[&Edit]) -> Option<Vec<Edit>> {
    let (first, last) = (lines.first()?, lines.last()?);
    let own = within(edits, Span { start: first.start, end: last.end });
    if own.is_empty() || lines.len() < 3 {
        return None;
    }
    let rows: Option<Vec<Vec<Cell>>> = lines.iter().map(|line| row(text, *line, own)).collect();
    let rows = rows?;
    let is_inside = |content: Span| within(own, content).iter().filter(move |edit| content.contains(edit.span)).count();
    let held: usize = rows.iter().flatten().map(|cell| is_inside(cell.content)).sum();
    let columns = rows[0].len();
    if held != own.len() || rows.iter().any(|row| row.len() != columns) {
        return None;
    }
    let mut found = Vec::new();
    for column in 0..columns {
        let (delimiter, cells): (Vec<_>, Vec<_>) =
            rows.iter().map(|row| &row[column]).enumerate().partition(|(at, _)| *at == 1);
        let delimiter = delimiter.first()?.1;
        let total = |cell: &Cell| cell.width + (cell.end - cell.content.end) as usize;
        let whole = total(delimiter);
        let dashes = &text[delimiter.content.range()];
        let is_plain = dashes.trim_start_matches(':').chars().all(|c| c == '-') && whole == delimiter.width + 1;
        if !is_plain || cells.iter().any(|(_, cell)| total(cell) != whole) {
            continue;
        }
        let widest = |of: &dyn Fn(&Cell) -> usize| cells.iter().map(|(_, cell)| of(cell)).max().unwrap_or(0).max(LEAST);
        let (before, after) = (widest(&|cell| cell.width) + 1, widest(&|cell| cell.later) + 1);
        let wanted = match whole == before {
            true => after,
            // The column was wider than its text, and still is.
            false if after < whole => whole,
            false => continue,
        };
        for (_, cell) in &cells {
            found.extend(padded(cell, wanted - cell.later));
        }
        if wanted > whole {
            found.push(Edit::new(Span::at(delimiter.content.end as usize), "-".repeat(wanted - whole)));
        } else if wanted < whole {
            let end = delimiter.content.end as usize;
            found.push(Edit::new(Span::new(end - (whole - wanted), end), ""));
        }
    }
    Some(found)
}

/// Returns the edit that pads a cell with this number of blanks; `None` if it has them already.
fn padded(cell: &Cell, blanks: usize) -> Option<Edit> {
    let (start, end) = (cell.content.end as usize, cell.end as usize);
    let own = end - start;
    match blanks.cmp(&own) {
        std::cmp::Ordering::Less => Some(Edit::new(Span::new(start + blanks, end), "")),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Edit::new(Span::at(end), " ".repeat(blanks - own))),
    }
}

/// Splits a line into cells; `None` unless it ends with a bar and each cell begins with one blank and is padded with
/// blanks.
fn row(text: &str, line: Span, edits: &[&Edit]) -> Option<Vec<Cell>> {
    let source = text.get(line.range())?;
    let inner = source.trim_start().strip_prefix('|')?.strip_suffix('|')?;
    let offset = line.start as usize + (source.len() - source.trim_start().len()) + 1;
    let mut cells = Vec::new();
    let mut start = 0;
    let is_bar = |at: &usize| !inner[..*at].ends_with('\\');
    let bars = inner.match_indices('|').map(|(at, _)| at).filter(is_bar).chain(std::iter::once(inner.len()));
    for bar in bars {
        let cell = &inner[start..bar];
        let content = cell.strip_prefix(' ')?.trim_end_matches(' ');
        let at = offset + start + 1;
        let span = Span::new(at, at + content.len());
        if content.starts_with(char::is_whitespace) || content.is_empty() && cell.len() < 2 {
            return None;
        }
        let inside = within(edits, span).iter().filter(|edit| span.contains(edit.span));
        let inside: Vec<Edit> =
            inside.map(|edit| Edit::new(edit.span.relative_to(span.start), edit.new_text.as_str())).collect();
        let later = apply_edits(content, &inside)?.width();
        cells.push(Cell { content: span, end: (offset + bar) as u32, width: content.width(), later });
        start = bar + 1;
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a table after a rename and its layout, and that the reverse rename restores it.
    #[track_caller]
    fn check(before: &str, (old, new): (&str, &str), after: &str) {
        let renamed = |text: &str, old: &str, new: &str| {
            let places = text.match_indices(old).map(|(at, _)| Edit::new(Span::new(at, at + old.len()), new));
            let mut edits: Vec<Edit> = places.collect();
            edits.extend(padding(text, &edits));
            edits.sort();
            apply_edits(text, &edits).expect("edits do not overlap")
        };
        let once = renamed(before, old, new);
        assert_eq!(once, after);
        assert_eq!(renamed(&once, new, old), before);
    }

    #[test]
    fn columns_are_as_wide_as_their_longest_cell() {
        check(
            "| Tool   | What it does |\n| ------ | ------------ |\n| `drop` | Drops — one. |\n| `read` | Reads.       |\n\n`drop`\n",
            ("drop", "erase"),
            "| Tool    | What it does |\n| ------- | ------------ |\n| `erase` | Drops — one. |\n| `read`  | Reads.       |\n\n`erase`\n",
        );
        // Another cell is the longest.
        check(
            "| Tool        |\n| :---------- |\n| `drop`      |\n| `read_note` |\n",
            ("drop", "erase"),
            "| Tool        |\n| :---------- |\n| `erase`     |\n| `read_note` |\n",
        );
    }

    #[test]
    fn wider_columns_stay_where_there_is_room() {
        check(
            "| Tool         |\n| ------------ |\n| `drop`       |\n",
            ("drop", "erase"),
            "| Tool         |\n| ------------ |\n| `erase`      |\n",
        );
        check(
            "| Tool     |\n| -------- |\n| `drop`   |\n",
            ("drop", "erase_it"),
            "| Tool     |\n| -------- |\n| `erase_it`   |\n",
        );
    }

    #[test]
    fn other_columns_stay_as_they_are_written() {
        check(
            "| Tool   | x |\n| ------ | --- |\n| `drop` | Drops one. |\n",
            ("drop", "erase"),
            "| Tool    | x |\n| ------- | --- |\n| `erase` | Drops one. |\n",
        );
        check(
            "| Tool | x |\n|---|---|\n| `drop` | y |\n",
            ("drop", "erase"),
            "| Tool | x |\n|---|---|\n| `erase` | y |\n",
        );
        check("|Tool|\n|----|\n|drop|\n", ("drop", "erase"), "|Tool|\n|----|\n|erase|\n");
        check("| a |\n| drop |\n", ("drop", "erase"), "| a |\n| erase |\n");
    }
}
