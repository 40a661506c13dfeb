//! Patterns with wildcards, indexed by their beginning and end, so that those that match a name are found without
//! trying each one.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::client::glob_matches;

/// The maximum number of patterns that are tried on one name. A pattern that has a single `*` between its beginning and
/// end need not be tried: it matches every name with that beginning and end.
const TRIED: usize = 512;

/// Values indexed by pattern.
pub(super) struct Globs<T> {
    heads: FxHashMap<String, Tails<T>>,
    lengths: BTreeSet<usize>,
}

/// Patterns with the same beginning.
struct Tails<T> {
    tails: FxHashMap<String, Group<T>>,
    lengths: BTreeSet<usize>,
}

/// Patterns with the same beginning and end.
struct Group<T> {
    /// The values of patterns with a single `*` in between, which match every name with this beginning and end.
    plain: Vec<T>,
    /// The patterns that have to be tried, with their values.
    tried: Vec<(String, T)>,
}

impl<T> Default for Globs<T> {
    fn default() -> Globs<T> {
        Globs { heads: FxHashMap::default(), lengths: BTreeSet::new() }
    }
}

impl<T> Globs<T> {
    /// Adds a pattern with its value.
    pub(super) fn add(&mut self, pattern: &str, value: T) {
        let is_wild = |c: char| matches!(c, '*' | '?');
        let head = &pattern[..pattern.find(is_wild).unwrap_or(pattern.len())];
        let tail =
            if head.len() == pattern.len() { "" } else { &pattern[pattern.rfind(is_wild).map_or(0, |at| at + 1)..] };
        self.lengths.insert(head.len());
        let tails = self
            .heads
            .entry(head.to_string())
            .or_insert_with(|| Tails { tails: FxHashMap::default(), lengths: BTreeSet::new() });
        tails.lengths.insert(tail.len());
        let group =
            tails.tails.entry(tail.to_string()).or_insert_with(|| Group { plain: Vec::new(), tried: Vec::new() });
        match pattern[head.len()..pattern.len() - tail.len()] == *"*" {
            true => group.plain.push(value),
            false => group.tried.push((pattern.to_string(), value)),
        }
    }

    /// Returns the values of the patterns that match a name, and whether some patterns were not tried because there are
    /// more than [`TRIED`].
    pub(super) fn matching(&self, name: &str) -> (Vec<&T>, bool) {
        let (mut found, mut is_cut, mut left) = (Vec::new(), false, TRIED);
        for &length in self.lengths.range(..=name.len()) {
            let Some(tails) = name.get(..length).and_then(|head| self.heads.get(head)) else { continue };
            let rest = &name[length..];
            for &length in tails.lengths.range(..=rest.len()) {
                let tail = rest.get(rest.len() - length..);
                let Some(group) = tail.and_then(|tail| tails.tails.get(tail)) else { continue };
                found.extend(&group.plain);
                is_cut |= group.tried.len() > left;
                let tried = group.tried.iter().take(left);
                left = left.saturating_sub(group.tried.len());
                found.extend(tried.filter(|(pattern, _)| glob_matches(pattern, name)).map(|(_, value)| value));
            }
        }
        (found, is_cut)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn those_that_match_are_found(patterns in prop::collection::vec("[ab*?_]{0,6}", 0..12), name in "[ab_]{0,6}") {
            let mut globs = Globs::default();
            patterns.iter().enumerate().for_each(|(index, pattern)| globs.add(pattern, index));
            let (found, is_cut) = globs.matching(&name);
            let mut found: Vec<usize> = found.into_iter().copied().collect();
            found.sort_unstable();
            let wanted = patterns.iter().enumerate().filter(|(_, pattern)| glob_matches(pattern, &name));
            prop_assert_eq!(found, wanted.map(|(index, _)| index).collect::<Vec<_>>());
            prop_assert!(!is_cut);
        }
    }
}
