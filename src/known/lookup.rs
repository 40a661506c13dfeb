//! A set of names for many lookups.

use std::cell::Cell;

use rustc_hash::FxHashSet;

use crate::name::{Candidates, Name};

/// The total number of steps, of about ten nanoseconds each, that [`Lookup::nearest`] may take. After that, it returns
/// `None`, and findings have no suggestion.
const MOST_STEPS: usize = 10_000_000;

/// Names, indexed for exact matches, for matches of their words however these are joined, and for near matches.
pub(crate) struct Lookup {
    names: FxHashSet<String>,
    words: FxHashSet<String>,
    candidates: Candidates,
    left: Cell<usize>,
}

impl Lookup {
    pub(crate) fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Lookup {
        let names: FxHashSet<String> = names.into_iter().map(str::to_string).collect();
        Lookup {
            words: names.iter().map(|name| words(name)).collect(),
            candidates: Candidates::new(names.iter().map(String::as_str)),
            names,
            left: Cell::new(MOST_STEPS),
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether one of the names has the same words.
    pub(crate) fn has_words(&self, name: &str) -> bool {
        self.words.contains(&words(name))
    }

    /// Returns the name that was probably meant, if exactly one is near enough.
    pub(crate) fn nearest(&self, name: &str) -> Option<&str> {
        let take = |steps: usize| {
            let rest = self.left.get().checked_sub(steps);
            self.left.set(rest.unwrap_or(0));
            rest.is_some()
        };
        self.candidates.nearest(name, &take)
    }
}

fn words(name: &str) -> String {
    Name::new(name).lower_words().concat()
}
