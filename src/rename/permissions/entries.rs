//! The entries of a client's file, indexed by their literal prefix, so that not every entry is compared with every
//! server key.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Placed;
use crate::client::{ClientFacts, Grammar, List, ListKind};

/// Every entry of a client's file.
pub(super) struct Entries<'a> {
    all: Vec<Placed<'a>>,
    /// The indices of all entries that are not in `expressions`, by the server of their list (`None` for lists of any
    /// server) and the literal prefix.
    by_head: FxHashMap<(Option<&'a str>, &'a str), Vec<usize>>,
    /// The indices of regular expressions and of hook matchers, which may match with any prefix.
    expressions: Vec<usize>,
    grammars: Vec<Arc<Grammar>>,
}

impl<'a> Entries<'a> {
    pub(super) fn of(facts: &'a ClientFacts) -> Entries<'a> {
        let placed = facts.lists.iter().flat_map(|list| list.entries.iter().map(move |entry| Placed { list, entry }));
        let mut entries = Entries {
            all: placed.collect(),
            by_head: FxHashMap::default(),
            expressions: Vec::new(),
            grammars: Vec::new(),
        };
        for (index, Placed { list, entry }) in entries.all.iter().enumerate() {
            let text = entry.text.text.as_str();
            if is_expression(list, text) {
                entries.expressions.push(index);
            } else {
                let server = list.server.as_ref().filter(|_| !list.is_of_any_server());
                let server = server.map(|server| server.text.as_str());
                entries.by_head.entry((server, &text[..head(list, text)])).or_default().push(index);
            }
        }
        for list in &facts.lists {
            if !entries.grammars.iter().any(|grammar| Arc::ptr_eq(grammar, &list.grammar)) {
                entries.grammars.push(Arc::clone(&list.grammar));
            }
        }
        entries
    }

    /// Returns the entries that may be about the server with a key, or about its tool with one of two names, in file
    /// order.
    pub(super) fn about(&self, key: &str, names: [&str; 2]) -> Vec<Placed<'a>> {
        let mut found: FxHashSet<usize> = self.expressions.iter().copied().collect();
        for grammar in &self.grammars {
            let tools = names.map(|name: &str| grammar.composed(key, name));
            let also = names.into_iter().filter_map(|name| grammar.also_composed(key, name));
            for text in tools.into_iter().chain(also).chain([grammar.whole_server(key), grammar.normalise(key)]) {
                let ends = text.char_indices().map(|(at, _)| at).chain(std::iter::once(text.len()));
                for end in ends {
                    let of_list = |server| self.by_head.get(&(server, &text[..end])).into_iter().flatten();
                    found.extend(of_list(None).chain(of_list(Some(key))));
                }
            }
        }
        let mut found: Vec<usize> = found.into_iter().collect();
        found.sort_unstable();
        found.into_iter().map(|index| self.all[index]).filter(|placed| placed.list.is_about(key)).collect()
    }
}

/// Whether a string of a list is a regular expression or a hook's matcher, which may contain several names.
fn is_expression(list: &List, text: &str) -> bool {
    let mark = list.row.as_ref().and_then(|row| row.regex_mark.as_deref());
    mark.is_some_and(|mark| text.starts_with(mark)) || list.kind == ListKind::Hook
}

/// The length of the literal prefix of a string, in bytes.
fn head(list: &List, text: &str) -> usize {
    let ends = |c: char| matches!(c, '*' | '?') || c == '(' && list.grammar.arguments;
    text.find(ends).unwrap_or(text.len())
}
