//! The verbs of tools, for all conventions.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// The length of a word, in bytes, up to which a verb of nearly the same letters may be another word.
pub(super) const SHORT: usize = 4;

static VERBS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("verbs.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// Adverbial words before a verb: `bulk_delete_users`.
const MANNER: [&str; 5] = ["bulk", "batch", "mass", "force", "multi"];

/// Whether a lower-case word is a verb.
pub(crate) fn is_verb(word: &str) -> bool {
    VERBS.contains(word)
}

/// The verb of a name with these words: the first word, or the verb after it if that is one of [`MANNER`].
pub(super) fn deed(words: &[String]) -> Option<&String> {
    let first = words.first()?;
    let said_how = MANNER.contains(&first.as_str());
    words.get(1).filter(|next| said_how && is_verb(next)).or(Some(first))
}
