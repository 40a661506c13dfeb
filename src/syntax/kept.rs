//! A cache of trees for the duration of a computation that reads the same texts several times.
//!
//! A rename analyses a file in a dozen ways and tries several edits of it: without the cache, a megabyte of source code
//! was parsed twenty times, at a fifth of a second each.

use std::cell::RefCell;

use tree_sitter::Tree;

use super::{Language, edited};
use crate::text::{Edit, Span};

/// The length in bytes from which a text is worth keeping.
const LEAST: usize = 4 * 1024;
/// The total bytes of text that may be kept with their trees, which take some forty times as much memory.
const MOST: usize = 2 * 1024 * 1024;
/// The number of texts that may be kept: the versions of one file, and a few other files.
const MOST_TEXTS: usize = 8;

thread_local! {
    /// The kept texts, the most recently used last; `None` while nothing is being kept.
    static KEPT: RefCell<Option<Vec<Kept>>> = const { RefCell::new(None) };
}

struct Kept {
    language: Language,
    text: Box<str>,
    tree: Tree,
}

/// Keeps the trees of long texts on this thread until it is dropped.
#[must_use]
pub(crate) struct Keeping {
    is_outermost: bool,
}

impl Keeping {
    pub(crate) fn begin() -> Keeping {
        let is_outermost = KEPT.with_borrow_mut(|kept| {
            let is_outermost = kept.is_none();
            kept.get_or_insert_default();
            is_outermost
        });
        Keeping { is_outermost }
    }
}

impl Drop for Keeping {
    fn drop(&mut self) {
        if self.is_outermost {
            KEPT.take();
        }
    }
}

/// The tree of a text, either a kept one or the result of `parse`. `parse` receives the tree of the most similar kept
/// text in the same language, if there is one, with the difference applied to it as an edit.
pub(super) fn tree(language: Language, text: &str, parse: impl FnOnce(Option<&Tree>) -> Option<Tree>) -> Option<Tree> {
    let is_kept = text.len() >= LEAST && KEPT.with_borrow(Option::is_some);
    if !is_kept {
        return parse(None);
    }
    let known = KEPT.with_borrow_mut(|kept| {
        let kept = kept.as_mut()?;
        let found = kept.iter().position(|kept| kept.language == language && *kept.text == *text)?;
        let found = kept.remove(found);
        let tree = found.tree.clone();
        kept.push(found);
        Some(tree)
    });
    if known.is_some() {
        return known;
    }
    let previous = nearest(language, text);
    // If no kept tree helps, memory is freed before parsing rather than after.
    if previous.is_none() {
        make_room(text.len());
    }
    let tree = parse(previous.as_ref())?;
    make_room(text.len());
    KEPT.with_borrow_mut(|kept| {
        if let Some(kept) = kept.as_mut().filter(|_| text.len() <= MOST) {
            kept.push(Kept { language, text: text.into(), tree: tree.clone() });
        }
    });
    Some(tree)
}

/// Drops texts, the least recently used first, until one more of this many bytes can be kept.
fn make_room(bytes: usize) {
    KEPT.with_borrow_mut(|kept| {
        let Some(kept) = kept else { return };
        let size = |kept: &[Kept]| kept.iter().map(|kept| kept.text.len()).sum::<usize>();
        while !kept.is_empty() && (kept.len() >= MOST_TEXTS || size(kept) + bytes > MOST) {
            kept.remove(0);
        }
    });
}

/// The tree of the kept text that differs least from `text` between their common beginning and end, with that
/// difference applied to the tree as an edit; `None` if the difference is more than half of `text`.
fn nearest(language: Language, text: &str) -> Option<Tree> {
    KEPT.with_borrow(|kept| {
        let same = kept.iter().flatten().filter(|kept| kept.language == language);
        let (edit, kept) = same
            .map(|kept| (difference(&kept.text, text), kept))
            .min_by_key(|(edit, _)| edit.new_text.len().max(edit.span.len()))?;
        if edit.new_text.len() * 2 > text.len() || edit.span.len() * 2 > text.len() {
            return None;
        }
        let mut tree = kept.tree.clone();
        edited(&mut tree, &edit);
        Some(tree)
    })
}

/// The single edit that turns `old` into `new`.
fn difference(old: &str, new: &str) -> Edit {
    let common = |a: &mut dyn Iterator<Item = (u8, u8)>| a.take_while(|(a, b)| a == b).count();
    let mut start = common(&mut old.bytes().zip(new.bytes()));
    while !old.is_char_boundary(start) {
        start -= 1;
    }
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let mut same = common(&mut old_rest.bytes().rev().zip(new_rest.bytes().rev()));
    while !old_rest.is_char_boundary(old_rest.len() - same) {
        same -= 1;
    }
    let end = old.len() - same;
    Edit::new(Span::new(start, end), &new_rest[..new_rest.len() - same])
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    const LINES: usize = 400;

    fn source(name: &str) -> String {
        format!("{}const é = \"{name}\";\n{}", "const a = f(1);\n".repeat(LINES), "const b = g(2);\n".repeat(LINES))
    }

    fn sexp(text: &str) -> String {
        parse(Language::TypeScript, text, None).unwrap().root_node().to_sexp()
    }

    #[test]
    fn kept_trees_are_those_of_a_fresh_parse() {
        let texts = [
            source("read"),
            source("get_note"),
            source("é"),
            source("è"),
            source("read"),
            format!("{}const = ;\n", source("read")),
        ];
        let fresh: Vec<String> = texts.iter().map(|text| sexp(text)).collect();
        let _keeping = Keeping::begin();
        let kept: Vec<String> = texts.iter().map(|text| sexp(text)).collect();
        assert!(kept == fresh);
    }

    #[test]
    fn a_text_is_parsed_once_while_trees_are_kept() {
        let text = source("read");
        let id = || parse(Language::TypeScript, &text, None).unwrap().root_node().id();
        let outer = Keeping::begin();
        let first = id();
        drop(Keeping::begin());
        assert_eq!(id(), first);
        drop(outer);
        assert!(KEPT.with_borrow(Option::is_none));
    }

    #[test]
    fn a_difference_leads_from_one_text_to_the_other() {
        let pairs = [("aba", "aa"), ("aa", "aba"), ("é", "è"), ("", "x"), ("x", ""), ("aaa", "aaa"), ("xéy", "xèy")];
        for (old, new) in pairs {
            let edit = difference(old, new);
            assert_eq!(crate::text::apply_edits(old, &[edit]).unwrap(), new);
        }
    }
}
