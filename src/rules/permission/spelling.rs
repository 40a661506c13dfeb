//! Comparison of names and server keys by spelling, to find obvious misspellings.

use crate::name::Name;

/// Returns the words of a string in lower case, joined by single `_`.
pub(super) fn folded(text: &str) -> String {
    Name::new(text).lower_words().join("_")
}

/// Whether two keys have the same words and only one of them ends in a version: `agentic-qe` and `agentic_qe_v3`. Two
/// keys that both end in a version belong to two servers.
pub(super) fn is_another_version(a: &str, b: &str) -> bool {
    match (unversioned(a), unversioned(b)) {
        (Some(words), None) => words == squashed(b),
        (None, Some(words)) => words == squashed(a),
        _ => false,
    }
}

/// Returns the words of a key before its version, in the form of [`squashed`]. `None` if the key has no version.
pub(super) fn unversioned(key: &str) -> Option<String> {
    let (words, version) = key.rsplit_once(['-', '_'])?;
    let number = version.strip_prefix(['v', 'V'])?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then(|| squashed(words))
}

/// Returns the letters and digits of a key in lower case, without separators.
pub(super) fn squashed(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether one name is an obvious typo of the other. Tools with nearly the same name (`get_item` and `get_items`,
/// `step1` and `step2`) are not typos.
pub(super) fn is_obvious_slip(wrong: &str, right: &str) -> bool {
    let (wrong, right) = (Name::new(wrong).lower_words(), Name::new(right).lower_words());
    if wrong.concat() == right.concat() {
        return true;
    }
    let differing: Vec<(&String, &String)> = wrong.iter().zip(&right).filter(|(a, b)| a != b).collect();
    let [(a, b)] = differing.as_slice() else { return false };
    wrong.len() == right.len() && is_slip_of_word(a, b)
}

/// Whether one word is the other one with a letter doubled, dropped, swapped or wrong. Short words, a different first
/// letter, a digit, and extra or missing letters at the end do not count: such a change often makes another word.
pub(super) fn is_slip_of_word(a: &str, b: &str) -> bool {
    let is_neighbour = a.starts_with(b) || b.starts_with(a) || a.contains(|c: char| c.is_ascii_digit());
    // Swapping two letters seldom makes another word.
    let is_swap = a.len() == b.len() && strsim::levenshtein(a, b) == 2;
    a.chars().count().max(b.chars().count()) >= if is_swap { 4 } else { 5 }
        && a.chars().next() == b.chars().next()
        && !is_neighbour
        && strsim::osa_distance(a, b) == 1
}
