//! The places that a rename or a fix leaves as they are, for people: one remark for each file and reason, those that
//! matter most first.

use std::collections::BTreeMap;

use super::refusal::{Left, Undone};
use crate::show;

/// The maximum number of further lines that a remark lists.
const MOST_LINES: usize = 3;

/// A place that was left as it is.
#[derive(Debug, Clone)]
pub(crate) struct Remark {
    pub(crate) path: String,
    /// 1-based.
    pub(crate) line: u32,
    /// 1-based; `None` if it is not shown.
    pub(crate) column: Option<u32>,
    pub(crate) reason: Undone,
}

/// The places of a file that are left for the same reason.
struct Places<'a> {
    first: &'a Remark,
    reason: &'a Undone,
    /// The lines of the others, in order and each once.
    lines: Vec<u32>,
    /// The number of places that `lines` does not show.
    unlisted: usize,
}

/// Returns the remarks about places, each with whether it is about nothing but ordinary words.
pub(crate) fn remarks(places: &[Remark]) -> Vec<(bool, String)> {
    let mut sorted: Vec<&Remark> = places.iter().collect();
    sorted.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
    let mut all: Vec<Places<'_>> = Vec::new();
    for place in sorted {
        let (reason, others) = (&place.reason, others(&place.reason));
        let known = all.iter_mut().rev().take_while(|known| known.first.path == place.path);
        match known.into_iter().find(|known| is_same(known.reason, reason)) {
            Some(known) => {
                let is_listed = place.line == known.first.line || known.lines.last() == Some(&place.line);
                known.unlisted += others + usize::from(is_listed);
                known.lines.extend((!is_listed).then_some(place.line));
            }
            None => all.push(Places { first: place, reason, lines: Vec::new(), unlisted: others }),
        }
    }
    let mut best: BTreeMap<&str, Option<&Left>> = BTreeMap::new();
    for Places { first, reason, .. } in &all {
        let own = of_one(reason);
        best.entry(first.path.as_str()).and_modify(|known| *known = own.min(*known)).or_insert(own);
    }
    // The most important reason of a file decides the order of the files. A refusal is the most important one.
    all.sort_by_key(|Places { first, reason, .. }| {
        (best[first.path.as_str()], &first.path, of_one(reason), first.line)
    });
    let is_weak = |reason: &Undone| matches!(reason, Undone::Left(left) if left.is_word());
    all.into_iter().map(|places| (is_weak(places.reason), places.to_string())).collect()
}

/// The number of further places of the file for which a reason stands.
fn others(reason: &Undone) -> usize {
    match reason {
        Undone::Left(Left::Repeated(_, others)) => *others,
        _ => 0,
    }
}

/// The reason of one place, without others for which it holds too.
fn of_one(reason: &Undone) -> Option<&Left> {
    match reason {
        Undone::Left(Left::Repeated(left, _)) => Some(left),
        Undone::Left(left) => Some(left),
        Undone::Refused(_) => None,
    }
}

fn is_same(a: &Undone, b: &Undone) -> bool {
    match (of_one(a), of_one(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

impl std::fmt::Display for Places<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Remark { path, line, column, .. } = self.first;
        write!(f, "not changed: {}:{line}", show::value(path))?;
        if let Some(column) = column {
            write!(f, ":{column}")?;
        }
        match of_one(self.reason) {
            Some(left) => write!(f, ": {left}")?,
            None => write!(f, ": {}", self.reason)?,
        }
        let shown = &self.lines[..self.lines.len().min(MOST_LINES)];
        let more = self.lines.len() - shown.len() + self.unlisted;
        let mut parts: Vec<String> = shown.iter().map(u32::to_string).collect();
        let rest = match (shown.is_empty(), more) {
            (_, 0) => None,
            (true, 1) => Some("1 other place".to_string()),
            (true, more) => Some(format!("{more} other places")),
            (false, more) => Some(format!("{more} more")),
        };
        parts.extend(rest);
        let Some(last) = parts.pop() else { return Ok(()) };
        let word = match shown.len() {
            0 => "",
            1 => "line ",
            _ => "lines ",
        };
        match parts.is_empty() {
            true => write!(f, "; also in {word}{last}"),
            false => write!(f, "; also in {word}{} and {last}", parts.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(places: &[(&str, u32, Left)], expected: &[&str]) {
        let place = |(path, line, left): &(&str, u32, Left)| Remark {
            path: path.to_string(),
            line: *line,
            column: None,
            reason: Undone::Left(left.clone()),
        };
        let places: Vec<Remark> = places.iter().map(place).collect();
        let found: Vec<String> = remarks(&places).into_iter().map(|(_, remark)| remark).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_places_of_a_file_with_one_reason_are_one_remark() {
        use Left::{Guard, OtherString, Repeated, Word};
        check(
            &[("b.ts", 3, OtherString), ("a.ts", 9, OtherString), ("a.ts", 3, OtherString), ("b.ts", 7, Guard)],
            &[
                "not changed: b.ts:7: this may restrict the old name, which can still be called; if so, add the new name",
                "not changed: b.ts:3: a string that matches the tool name but may be unrelated",
                "not changed: a.ts:3: a string that matches the tool name but may be unrelated; also in line 9",
            ],
        );
        let twice = || Repeated(Box::new(Word), 1);
        check(&[("a.md", 2, twice())], &["not changed: a.md:2: a word that may be unrelated; also in 1 other place"]);
        let at = |line| ("a.md", line, OtherString);
        check(
            &[at(1), at(1), at(2), at(4), at(6), at(8), ("a.md", 9, Repeated(Box::new(OtherString), 2))],
            &[
                "not changed: a.md:1: a string that matches the tool name but may be unrelated; also in lines 2, 4, 6 and 5 more",
            ],
        );
        check(
            &[at(1), at(2), at(3)],
            &["not changed: a.md:1: a string that matches the tool name but may be unrelated; also in lines 2 and 3"],
        );
    }
}
