//! The verbs of tools, whatever convention they are under.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

static VERBS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("verbs.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// Words that say how, in front of a verb: `bulk_delete_users`.
const MANNER: [&str; 5] = ["bulk", "batch", "mass", "force", "multi"];

/// Whether a word, in small letters, is a verb by itself.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.contains(word)
}

/// What a tool of these words does: its first word, or the one after what says how.
pub(super) fn deed(words: &[String]) -> Option<&String> {
    let first = words.first()?;
    let said_how = MANNER.contains(&first.as_str());
    words.get(1).filter(|next| said_how && is_verb(next)).or(Some(first))
}
