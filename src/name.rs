//! Names as words and separators with offsets, and writing them in another style.
//!
//! Splitting keeps every separator unchanged (`a__b` has the separator `__`, `page2` is one word), so that a name
//! written in the style that it already has is the same string, byte for byte.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A name divided into words. Offsets are bytes from the start of the name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    text: &'a str,
    words: Vec<Range<usize>>,
}

/// The case of the letters of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// `list_projects`
    Lower,
    /// `listProjects`
    Camel,
    /// `ListProjects`
    Pascal,
}

/// A case together with the separator between words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Style {
    pub case: Case,
    pub separator: String,
}

impl<'a> Name<'a> {
    /// Splits at everything that is neither a letter nor a digit, before an upper-case letter after a lower-case letter
    /// or a digit (`listProjects`, `v2Tool`), and before the last of several upper-case letters if a lower-case letter
    /// follows (`HTTPServer` is `HTTP`, `Server`). Digits stay with the letters before them.
    pub(crate) fn new(text: &'a str) -> Name<'a> {
        let chars: Vec<(usize, char)> = text.char_indices().collect();
        let mut words: Vec<Range<usize>> = Vec::new();
        let mut start: Option<usize> = None;
        for (i, &(at, character)) in chars.iter().enumerate() {
            if !character.is_alphanumeric() {
                words.extend(start.take().map(|from| from..at));
                continue;
            }
            if let Some(from) = start {
                let before = chars[i - 1].1;
                // The plural of an acronym is one word: `URLs`.
                let is_plural = chars.get(i + 1).is_some_and(|(_, next)| *next == 's')
                    && chars.get(i + 2).is_none_or(|(_, after)| !after.is_lowercase());
                let next_is_small = chars.get(i + 1).is_some_and(|(_, next)| next.is_lowercase()) && !is_plural;
                let boundary = character.is_uppercase() && (!before.is_uppercase() || next_is_small);
                if boundary {
                    words.push(from..at);
                    start = Some(at);
                }
            } else {
                start = Some(at);
            }
        }
        words.extend(start.map(|from| from..text.len()));
        Name { text, words }
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// The words, as written.
    pub(crate) fn words(&self) -> impl ExactSizeIterator<Item = &'a str> + '_ {
        self.words.iter().map(|range| &self.text[range.clone()])
    }

    /// The words in lower case.
    pub(crate) fn lower_words(&self) -> Vec<String> {
        self.words().map(str::to_lowercase).collect()
    }

    /// The byte range of each word.
    pub(crate) fn word_ranges(&self) -> &[Range<usize>] {
        &self.words
    }

    /// The separators between consecutive words; empty if only the case separates them.
    pub(crate) fn separators(&self) -> impl Iterator<Item = (Range<usize>, &'a str)> + '_ {
        self.words.windows(2).map(|pair| {
            let range = pair[0].end..pair[1].start;
            (range.clone(), &self.text[range])
        })
    }

    /// The text before the first word; the whole text if there is no word.
    pub(crate) fn leading(&self) -> &'a str {
        &self.text[..self.words.first().map_or(self.text.len(), |word| word.start)]
    }

    /// The text after the last word.
    pub(crate) fn trailing(&self) -> &'a str {
        self.words.last().map_or("", |word| &self.text[word.end..])
    }
}

impl Style {
    /// Lower-case words joined by `_`.
    pub(crate) fn snake() -> Style {
        Style { case: Case::Lower, separator: "_".into() }
    }

    /// Writes words in this style.
    pub(crate) fn write<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> String {
        let mut result = String::new();
        for (i, word) in words.into_iter().enumerate() {
            if i > 0 {
                result.push_str(&self.separator);
            }
            match self.case {
                Case::Lower => result.push_str(&word.to_lowercase()),
                Case::Camel if i == 0 => result.push_str(&word.to_lowercase()),
                Case::Camel | Case::Pascal => {
                    let lower = word.to_lowercase();
                    let mut letters = lower.chars();
                    result.extend(letters.next().map(char::to_uppercase).into_iter().flatten());
                    result.push_str(letters.as_str());
                }
            }
        }
        result
    }
}

/// The candidate nearest to `wanted`, if it is near enough to be the intended name and no other candidate is as near.
/// Case and separators count for less than letters: `Read-File` is nearer to `read_file` than `read_fill`.
pub(crate) fn nearest<'c>(wanted: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let mut best: Option<(usize, &str)> = None;
    let mut tied = false;
    let own = Letters::of(wanted);
    for candidate in candidates.into_iter().filter(|candidate| own.may_be(candidate)) {
        let Some(distance) = distance(wanted, candidate) else {
            continue;
        };
        match best {
            Some((least, found)) if distance == least => tied |= found != candidate,
            Some((least, _)) if distance > least => {}
            _ => {
                best = Some((distance, candidate));
                tied = false;
            }
        }
    }
    best.filter(|_| !tied).map(|(_, candidate)| candidate)
}

/// The properties that two names must share for one to be a misspelling of the other: a quick test, since a name is
/// compared with thousands of others.
struct Letters<'t> {
    text: &'t str,
    counts: [i32; 26],
}

impl Letters<'_> {
    fn of(text: &str) -> Letters<'_> {
        Letters { text, counts: Letters::counts(text) }
    }

    fn counts(text: &str) -> [i32; 26] {
        let mut counts = [0; 26];
        for byte in text.bytes().filter(u8::is_ascii_alphabetic) {
            counts[usize::from(byte.to_ascii_lowercase() - b'a')] += 1;
        }
        counts
    }

    fn may_be(&self, other: &str) -> bool {
        let counts = Letters::counts(other);
        // Each misspelling changes at most two of the counts by one; non-ASCII letters are not counted.
        let apart: i32 = self.counts.iter().zip(counts).map(|(a, b)| (a - b).abs()).sum();
        let is_ascii = self.text.is_ascii() && other.is_ascii();
        // A different number is not a misspelling: `db1` is not `db2`, and `train2` is not `train`.
        (!is_ascii || apart <= 2 * MAX_SLIPS) && digits(self.text) == digits(other)
    }
}

/// The maximum number of misspellings in a name of any length.
const MAX_SLIPS: i32 = 3;

/// The distance of two names, in tenths of a letter; `None` if neither is a misspelling of the other.
fn distance(wanted: &str, candidate: &str) -> Option<usize> {
    if wanted == candidate {
        return Some(0);
    }
    distance_of_folded(&folded(wanted), &folded(candidate))
}

/// The words of a name in lower case, joined by single `_`.
fn folded(name: &str) -> String {
    Name::new(name).lower_words().join("_")
}

fn distance_of_folded(a: &str, b: &str) -> Option<usize> {
    if a == b {
        return Some(1);
    }
    let (a_length, b_length) = (a.chars().count(), b.chars().count());
    let allowed = allowed_slips(a_length.max(b_length));
    if a_length.abs_diff(b_length) > allowed {
        return None;
    }
    let slips = strsim::osa_distance(a, b);
    (slips <= allowed).then_some(slips * 10)
}

/// The number of misspellings allowed in a name with this many letters: none up to three letters, one up to five, two
/// up to fourteen, else three. With more, different names of one server would often be near each other (`get_issue`,
/// `get_user`).
fn allowed_slips(letters: usize) -> usize {
    match letters {
        0..=3 => 0,
        4..=5 => 1,
        6..=14 => 2,
        _ => 3,
    }
}

/// Names for repeated searches with [`nearest`]: what does not depend on the wanted name is computed once.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    /// The names by their digits: a different number is not a misspelling.
    by_digits: FxHashMap<SmallVec<[u8; 8]>, Vec<Candidate>>,
}

#[derive(Debug)]
struct Candidate {
    name: String,
    folded: String,
    counts: [u8; 26],
}

/// The cost of examining a name, and of comparing it, in steps of about ten nanoseconds.
const LOOK: usize = 2;
const COMPARE: usize = 40;

impl Candidates {
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Candidates {
        let mut candidates = Candidates::default();
        for name in names {
            let counts = Letters::counts(name).map(|count| u8::try_from(count).unwrap_or(u8::MAX));
            let candidate = Candidate { name: name.to_string(), folded: folded(name), counts };
            candidates.by_digits.entry(digits(name)).or_default().push(candidate);
        }
        candidates
    }

    /// The result of [`nearest`] among the names. `take` is called with the number of steps needed; if it returns
    /// `false`, nothing is found.
    pub(crate) fn nearest(&self, wanted: &str, take: &dyn Fn(usize) -> bool) -> Option<&str> {
        let all = self.by_digits.get(&digits(wanted))?;
        if !take(all.len() * LOOK) {
            return None;
        }
        let counts = Letters::counts(wanted).map(|count| u8::try_from(count).unwrap_or(u8::MAX));
        let words = folded(wanted);
        let mut best: Option<(usize, &str)> = None;
        let mut tied = false;
        for candidate in all {
            let apart: u32 = counts.iter().zip(candidate.counts).map(|(a, b)| u32::from(a.abs_diff(b))).sum();
            let is_ascii = wanted.is_ascii() && candidate.name.is_ascii();
            if is_ascii && apart > 2 * MAX_SLIPS as u32 {
                continue;
            }
            if !take(COMPARE) {
                return None;
            }
            let is_same = candidate.name == wanted;
            let Some(distance) = (if is_same { Some(0) } else { distance_of_folded(&words, &candidate.folded) }) else {
                continue;
            };
            match best {
                Some((least, found)) if distance == least => tied |= found != candidate.name,
                Some((least, _)) if distance > least => {}
                _ => {
                    best = Some((distance, &candidate.name));
                    tied = false;
                }
            }
        }
        best.filter(|_| !tied).map(|(_, candidate)| candidate)
    }
}

fn digits(text: &str) -> SmallVec<[u8; 8]> {
    text.bytes().filter(u8::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<&str> {
        Name::new(text).words().collect()
    }

    #[test]
    fn words_are_found_as_a_reader_finds_them() {
        assert_eq!(words("list_projects"), ["list", "projects"]);
        assert_eq!(words("listProjects"), ["list", "Projects"]);
        assert_eq!(words("HTTPServer"), ["HTTP", "Server"]);
        assert_eq!(words("page2"), ["page2"]);
        assert_eq!(words("listURLsNow"), ["list", "URLs", "Now"]);
        assert_eq!(words("V2Tool"), ["V2", "Tool"]);
        assert_eq!(words("browser.session.start"), ["browser", "session", "start"]);
        assert_eq!(words("lightdash_tools__list"), ["lightdash", "tools", "list"]);
        assert_eq!(words("--"), Vec::<&str>::new());
    }

    #[test]
    fn separators_are_kept_as_they_stand() {
        let name = Name::new("_a__bC-d.");
        assert_eq!(name.separators().map(|(_, text)| text).collect::<Vec<_>>(), ["__", "", "-"]);
        assert_eq!((name.leading(), name.trailing()), ("_", "."));
    }

    #[test]
    fn the_nearest_name_is_the_one_a_person_meant() {
        let tools = ["read_file", "write_file", "read_text_file"];
        assert_eq!(nearest("raed_file", tools), Some("read_file"));
        assert_eq!(nearest("Read-File", tools), Some("read_file"));
        assert_eq!(nearest("delete_everything", tools), None);
        assert_eq!(nearest("get_x", ["get_a", "get_b"]), None, "two are equally near");
    }

    proptest! {
        #[test]
        fn writing_a_snake_name_in_snake_style_changes_nothing(text in "[a-z][a-z0-9]{0,5}(_[a-z][a-z0-9]{0,5}){0,4}") {
            let name = Name::new(&text);
            prop_assert_eq!(Style::snake().write(name.words()), text.clone());
        }

        #[test]
        fn the_nearest_of_many_is_the_nearest(
            wanted in "[ab_é1]{0,9}", names in prop::collection::vec("[aAb_é1]{0,9}", 0..8)
        ) {
            let all = || names.iter().map(String::as_str);
            let candidates = Candidates::new(all());
            prop_assert_eq!(candidates.nearest(&wanted, &|_| true), nearest(&wanted, all()));
        }

        #[test]
        fn words_and_what_lies_between_make_up_the_whole_name(text in "\\PC{0,24}") {
            let name = Name::new(&text);
            let mut whole = name.leading().to_string();
            let mut separators = name.separators().map(|(_, separator)| separator);
            for word in name.words() {
                whole.push_str(word);
                whole.push_str(separators.next().unwrap_or(""));
            }
            whole.push_str(name.trailing());
            prop_assert_eq!(whole, text.clone());
        }
    }
}
