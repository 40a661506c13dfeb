//! The words for a slot of a pattern, with an index: every name is compared with all of them.

use std::cell::Cell;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::name::{Candidates, Name};

/// The maximum number of words that a convention may list for a slot.
pub(super) const MAX_WORDS: usize = 2_000;

/// The maximum number of steps, of about ten nanoseconds each, for finding the word that was meant. A gateway adds its
/// servers to the words, possibly thousands of similar ones; when the steps are used up, no word is the nearest.
const MAX_STEPS: usize = 6_000;

/// The maximum number of results of [`Vocabulary::nearest`] that are cached.
const MAX_REMEMBERED: usize = 50_000;

/// Words, in the order in which the convention lists them.
#[derive(Debug, Clone, Default)]
pub(super) struct Vocabulary {
    words: Vec<String>,
    /// Built on first use.
    index: Arc<OnceLock<Index>>,
}

#[derive(Debug, Default)]
struct Index {
    known: FxHashSet<String>,
    /// For the letters of each word, without separators, the index of the first word with these letters.
    joined: FxHashMap<String, usize>,
    /// The length of the longest key of `joined`, in bytes.
    longest: usize,
    candidates: Candidates,
    /// The cached results of [`Vocabulary::nearest`]: the same name is read several times.
    meant: Mutex<FxHashMap<String, Option<String>>>,
}

impl From<Vec<String>> for Vocabulary {
    fn from(words: Vec<String>) -> Vocabulary {
        Vocabulary { words, index: Arc::default() }
    }
}

impl Vocabulary {
    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    /// Adds the words that are not yet present.
    pub(super) fn admit(&mut self, words: impl IntoIterator<Item = String>) {
        let known = &self.index().known;
        let mut new: Vec<String> = words.into_iter().filter(|word| !known.contains(word)).collect();
        let mut seen = FxHashSet::default();
        new.retain(|word| seen.insert(word.clone()));
        if !new.is_empty() {
            self.words.extend(new);
            self.index = Arc::default();
        }
    }

    pub(super) fn contains(&self, word: &str) -> bool {
        self.index().known.contains(word)
    }

    /// The first word with the given letters, regardless of separators.
    pub(super) fn of_letters(&self, letters: &str) -> Option<&String> {
        self.index().joined.get(letters).map(|&at| &self.words[at])
    }

    /// The greatest number of words at the start of a name that form one of these words, however they are separated.
    pub(super) fn longest_front(&self, words: &[String]) -> Option<usize> {
        let index = self.index();
        let mut letters = String::new();
        let mut found = None;
        for (at, word) in words.iter().enumerate() {
            letters.push_str(word);
            if letters.len() > index.longest {
                break;
            }
            if index.joined.contains_key(&letters) {
                found = Some(at + 1);
            }
        }
        found
    }

    /// The word of which another word is probably a misspelling; `None` if there is none.
    pub(super) fn nearest(&self, word: &str) -> Option<String> {
        let index = self.index();
        let meant = || index.meant.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = meant().get(word) {
            return known.clone();
        }
        let left = Cell::new(MAX_STEPS);
        let take = |steps: usize| {
            let rest = left.get().checked_sub(steps);
            left.set(rest.unwrap_or(0));
            rest.is_some()
        };
        let found = index.candidates.nearest(word, &take).map(str::to_string);
        let mut meant = meant();
        if meant.len() < MAX_REMEMBERED {
            meant.insert(word.to_string(), found.clone());
        }
        found
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut joined = FxHashMap::default();
            for (at, word) in self.words.iter().enumerate() {
                joined.entry(Name::new(word).lower_words().concat()).or_insert(at);
            }
            Index {
                known: self.words.iter().cloned().collect(),
                longest: joined.keys().map(String::len).max().unwrap_or(0),
                joined,
                candidates: Candidates::new(self.words.iter().map(String::as_str)),
                meant: Mutex::default(),
            }
        })
    }
}
