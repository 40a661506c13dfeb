//! Names that are asked for again and again.

use std::cell::Cell;

use rustc_hash::FxHashSet;

use crate::name::{Candidates, Name};

/// How many steps of about ten nanoseconds [`Lookup::nearest`] may take, all in all. After that it finds nothing, so that
/// a finding has no suggestion.
const MOST_STEPS: usize = 10_000_000;

/// Names as they are, by their words however these are joined, and by what is nearly as they are.
pub(super) struct Lookup {
    names: FxHashSet<String>,
    words: FxHashSet<String>,
    candidates: Candidates,
    left: Cell<usize>,
}

impl Lookup {
    pub(super) fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Lookup {
        let names: FxHashSet<String> = names.into_iter().map(str::to_string).collect();
        Lookup {
            words: names.iter().map(|name| words(name)).collect(),
            candidates: Candidates::new(names.iter().map(String::as_str)),
            names,
            left: Cell::new(MOST_STEPS),
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether one of them has the same words.
    pub(super) fn has_words(&self, name: &str) -> bool {
        self.words.contains(&words(name))
    }

    /// The one that was meant, where exactly one is near enough.
    pub(super) fn nearest(&self, name: &str) -> Option<&str> {
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
