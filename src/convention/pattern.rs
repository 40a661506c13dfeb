//! The form of names, `{product}_{verb}_{noun}`, and how a possibly wrong name is read with it.
//!
//! Reading is lenient: it considers only the words, regardless of case and separators, so that a name which is wrong in
//! one way is still understood in every other.

use std::ops::Range;

use super::Convention;
use crate::name::{Name, nearest};

/// The form of a name: a prefix, slots and separators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    /// The prefix of every name, or the part of it that the pattern contains.
    literal: String,
    /// Whether the pattern begins with `{prefix}`, a parameter of the convention.
    takes_prefix: bool,
    pub(super) slots: Vec<Slot>,
}

/// A part of a name that differs from name to name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) name: String,
    /// The separator between the slot and the next one.
    pub(super) after: String,
}

/// A fault of a pattern. Each fault of a slot contains the name of that slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BadPattern {
    /// A slot has no closing brace.
    Open(String),
    /// Nothing separates a slot from the one before it.
    Joined(String),
    NoSlot,
    /// Text follows the last slot.
    Ending(String),
}

impl std::fmt::Display for BadPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadPattern::Open(slot) => write!(f, "`{{{slot}` has no closing brace"),
            BadPattern::Joined(slot) => write!(f, "nothing separates `{{{slot}}}` from the slot before it"),
            BadPattern::NoSlot => f.write_str("a pattern needs at least one slot, such as `{tool}`"),
            BadPattern::Ending(slot) => write!(f, "nothing may follow `{{{slot}}}`, the last slot"),
        }
    }
}

impl std::error::Error for BadPattern {}

/// The slot that [`Convention::prefix`] fills.
const PREFIX: &str = "prefix";

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// An unmatched brace, slots without a separator between them, text after the last slot, or no slot at all.
    pub(super) fn parse(text: &str) -> Result<Pattern, BadPattern> {
        let mut pieces = text.split('{');
        let mut literal = pieces.next().unwrap_or("").to_string();
        let mut takes_prefix = false;
        let mut slots: Vec<Slot> = Vec::new();
        for piece in pieces {
            let Some((slot, after)) = piece.split_once('}') else {
                return Err(BadPattern::Open(piece.to_string()));
            };
            if slot == PREFIX && slots.is_empty() && !takes_prefix {
                takes_prefix = true;
                literal = after.to_string();
                continue;
            }
            if slots.last().is_some_and(|before| before.after.is_empty()) {
                return Err(BadPattern::Joined(slot.to_string()));
            }
            slots.push(Slot { name: slot.to_string(), after: after.to_string() });
        }
        match slots.last() {
            None => Err(BadPattern::NoSlot),
            Some(last) if !last.after.is_empty() => Err(BadPattern::Ending(last.name.clone())),
            Some(_) => Ok(Pattern { literal, takes_prefix, slots }),
        }
    }

    /// The prefix of every name; `prefix` is the value of `{prefix}`.
    pub(super) fn prefix(&self, prefix: &str) -> String {
        match self.takes_prefix {
            true => format!("{prefix}{}", self.literal),
            false => self.literal.clone(),
        }
    }

    pub(super) fn has_slot(&self, name: &str) -> bool {
        self.slots.iter().any(|slot| slot.name == name)
    }

    /// The characters between parts that are not letters, digits or `_`.
    pub(super) fn special(&self) -> impl Iterator<Item = char> + '_ {
        let literals = std::iter::once(&self.literal).chain(self.slots.iter().map(|slot| &slot.after));
        literals.flat_map(|literal| literal.chars()).filter(|c| !c.is_alphanumeric() && *c != '_')
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.takes_prefix {
            f.write_str("{prefix}")?;
        }
        f.write_str(&self.literal)?;
        self.slots.iter().try_for_each(|slot| write!(f, "{{{}}}{}", slot.name, slot.after))
    }
}

/// A name as read with a pattern. Ranges are in words, not bytes.
#[derive(Debug)]
pub(super) struct Reading<'n> {
    pub(super) name: Name<'n>,
    /// The words in lower case.
    pub(super) words: Vec<String>,
    pub(super) prefix: Begun,
    /// The number of words in one occurrence of the prefix.
    pub(super) prefix_words: usize,
    pub(super) slots: Vec<Filled>,
}

/// The state of a name's prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begun {
    Right,
    /// The prefix occurs this number of times.
    Repeated(usize),
    /// The name begins with a misspelling of the prefix.
    Misspelt,
    Missing,
}

/// The words in a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Filled {
    pub(super) words: Range<usize>,
    pub(super) fit: Fit,
}

/// How the words in a slot relate to the words that it accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fit {
    /// An accepted word.
    Right,
    /// A misspelling of this word.
    Misspelt(String),
    /// Another word.
    Other,
    /// No word.
    Missing,
}

impl Convention {
    /// Reads a name with the convention's pattern.
    pub(super) fn read<'n>(&self, pattern: &Pattern, text: &'n str) -> Reading<'n> {
        let name = Name::new(text);
        let words = name.lower_words();
        let (prefix, prefix_words) = self.begun(pattern, &words);
        let mut next = match prefix {
            Begun::Right | Begun::Misspelt => prefix_words,
            Begun::Repeated(times) => prefix_words * times,
            Begun::Missing => 0,
        };
        let mut slots = Vec::new();
        for (index, slot) in pattern.slots.iter().enumerate() {
            let is_last = index + 1 == pattern.slots.len();
            let filled = match is_last {
                true => Filled {
                    fit: if next < words.len() { Fit::Right } else { Fit::Missing },
                    words: next.min(words.len())..words.len(),
                },
                false => self.fill(pattern, slot, &name, &words, next),
            };
            next = filled.words.end;
            slots.push(filled);
        }
        Reading { name, words, prefix, prefix_words, slots }
    }

    /// The state of the prefix, and the number of words in it.
    fn begun(&self, pattern: &Pattern, words: &[String]) -> (Begun, usize) {
        let prefix = pattern.prefix(&self.prefix);
        let of_prefix = Name::new(&prefix).lower_words();
        if of_prefix.is_empty() {
            return (Begun::Right, 0);
        }
        let joined = of_prefix.concat();
        let taken = |words: &[String]| (1..=words.len()).find(|&count| words[..count].concat() == joined);
        let Some(count) = taken(words) else {
            let front = words[..of_prefix.len().min(words.len())].join("_");
            if words.len() > of_prefix.len() && nearest(&front, [of_prefix.join("_").as_str()]).is_some() {
                return (Begun::Misspelt, of_prefix.len());
            }
            // Only the first words of the prefix are present, as in `acme_find` for `acme_tools_find`. If the next word
            // begins with the rest of the prefix, the prefix is treated as missing.
            let half = words.iter().zip(&of_prefix).take_while(|(word, own)| word == own).count();
            let is_glued = words.get(half).zip(of_prefix.get(half)).is_some_and(|(word, own)| word.starts_with(own));
            let is_half = half > 0 && half < words.len() && !is_glued;
            return if is_half { (Begun::Misspelt, half) } else { (Begun::Missing, 0) };
        };
        // The letters are right, but not the division into words: `acmetools_x` for `acme_tools_x`.
        if count != of_prefix.len() && prefix.ends_with(|c: char| !c.is_alphanumeric()) {
            return (Begun::Misspelt, count);
        }
        let times = (1..).take_while(|times| taken(&words[(times - 1) * count..]) == Some(count)).last().unwrap_or(1);
        // `browser_browser` is the tool `browser`.
        let times = if times * count == words.len() { times - 1 } else { times };
        (if times > 1 { Begun::Repeated(times) } else { Begun::Right }, count)
    }

    /// The words, from index `from` on, that belong to a slot other than the last.
    fn fill(&self, pattern: &Pattern, slot: &Slot, name: &Name<'_>, words: &[String], from: usize) -> Filled {
        let filled = |to: usize, fit: Fit| Filled { words: from..to, fit };
        // The end of the words that together form a known word, however they are separated.
        let written = |known: &str| {
            let joined = Name::new(known).lower_words().concat();
            (from + 1..=words.len()).find(|&to| words[from..to].concat() == joined)
        };
        // A separator that occurs nowhere else marks the end of the slot.
        let is_telling = slot.after.chars().any(|c| !c.is_alphanumeric() && c != '_')
            && self.joiner.as_deref() != Some(slot.after.as_str());
        let start = name.word_ranges().get(from).map_or(0, |word| word.start);
        let at = name.text()[start..].find(slot.after.as_str()).map(|at| start + at).filter(|_| is_telling);
        if let Some(at) = at {
            let to = name.word_ranges().iter().filter(|word| word.end <= at).count().max(from);
            let fit = match self.expected.get(&slot.name) {
                _ if to == from => Fit::Missing,
                Some(expected) if written(expected) != Some(to) => Fit::Other,
                _ => self.fit(slot, &words[from..to].concat()),
            };
            return filled(to, fit);
        }
        if let Some(expected) = self.expected.get(&slot.name) {
            return written(expected).map_or(filled(from, Fit::Missing), |to| filled(to, Fit::Right));
        }
        let known = self.known(&slot.name);
        let longest = || words.get(from..).and_then(|rest| known.longest_front(rest)).map(|count| from + count);
        // An accepted word, whatever follows it.
        if let Some(to) = longest().filter(|_| is_telling) {
            return filled(to, Fit::Right);
        }
        if is_telling || from >= words.len() {
            return filled(from, Fit::Missing);
        }
        if let Some(to) = longest() {
            return filled(to, Fit::Right);
        }
        match known.nearest(&words[from]) {
            Some(near) => filled(from + 1, Fit::Misspelt(near.to_string())),
            None if known.words().is_empty() || self.open.contains(&slot.name) => filled(from + 1, Fit::Right),
            None if self.stands_in_front(pattern, words, from) => filled(from + 1, Fit::Other),
            None => filled(from, Fit::Missing),
        }
    }

    /// Whether a word that the slot does not accept was still meant for the slot. A verb was not. Any other word was,
    /// if a verb follows it or if enough words are left for the other slots.
    fn stands_in_front(&self, pattern: &Pattern, words: &[String], from: usize) -> bool {
        let is_verb = |word: Option<&String>| word.is_some_and(|word| self.is_verb(word));
        !is_verb(words.get(from)) && (is_verb(words.get(from + 1)) || words.len() - from >= pattern.slots.len())
    }

    fn fit(&self, slot: &Slot, word: &str) -> Fit {
        let known = self.known(&slot.name);
        match known.words().is_empty() || known.contains(word) {
            true => Fit::Right,
            false => known.nearest(word).map_or(Fit::Other, Fit::Misspelt),
        }
    }
}

impl<'n> Reading<'n> {
    /// The byte range, in the name, of a range of words; the whole name if there are no such words.
    pub(super) fn bytes(&self, words: Range<usize>) -> Range<usize> {
        let ranges = self.name.word_ranges();
        match (ranges.get(words.start), words.end.checked_sub(1).and_then(|last| ranges.get(last))) {
            (Some(first), Some(last)) if words.start < words.end => first.start..last.end,
            _ => 0..self.name.text().len(),
        }
    }

    /// Whether the first of several slots is empty.
    pub(super) fn is_without_front(&self) -> bool {
        self.slots.len() > 1 && self.slots[0].fit == Fit::Missing
    }

    /// The words in the slot with the name `name`; `None` if the pattern has no such slot.
    pub(super) fn slot<'r>(&'r self, pattern: &Pattern, name: &str) -> Option<&'r Filled> {
        let index = pattern.slots.iter().position(|slot| slot.name == name)?;
        self.slots.get(index)
    }
}
