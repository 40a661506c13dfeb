//! The entry that decides about a call, among the entries that match its tool.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use crate::client::{Entry, List, ListKind, Order};

/// The effect of an entry on a call, from the loosest to the strictest. `Unsaid` is the effect of no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Decision {
    Allowed,
    Unsaid,
    Asked,
    Denied,
}

impl Decision {
    /// The effect of the entries of a list; `None` for kinds of lists that decide nothing.
    pub(crate) fn of(kind: ListKind) -> Option<Decision> {
        match kind {
            ListKind::Allow => Some(Decision::Allowed),
            ListKind::Ask => Some(Decision::Asked),
            ListKind::Deny => Some(Decision::Denied),
            ListKind::Hook | ListKind::Watch | ListKind::Offer | ListKind::Mention => None,
        }
    }
}

/// An entry that matches a tool.
#[derive(Clone, Copy)]
pub(crate) struct Match<'a> {
    pub(crate) decision: Decision,
    pub(crate) list: &'a List,
    pub(crate) entry: &'a Entry,
    /// The rank of the entry's file: the entries of a file with a higher rank come after those of a lower rank.
    pub(crate) file: usize,
    /// Whether the entry is not in the file yet: an edit adds it before (`Order::First`) or after (`Order::Last`) the
    /// others of its list.
    pub(crate) is_added: bool,
}

/// Returns the match that decides in a client which chooses by `order`; `None` if there is no match. Where priorities
/// decide, which are not known, the strictest match is assumed to.
pub(crate) fn deciding<'m, 'a>(order: Order, matching: &'m [Match<'a>]) -> Option<&'m Match<'a>> {
    // The first of the strictest entries.
    let strictest = |it: &&Match<'_>| (it.decision, Reverse((it.file, it.entry.whole)));
    let place = |it: &&Match<'_>| (it.file, it.list.rank, it.entry.whole);
    let is_always = |it: &&Match<'_>| it.list.row.as_ref().is_some_and(|row| row.always);
    let all = matching.iter();
    let always = all.clone().filter(is_always).max_by_key(strictest);
    always.or_else(|| match order {
        Order::Deny | Order::Priority => all.max_by_key(strictest),
        Order::First => all.clone().find(|it| it.is_added).or_else(|| all.min_by_key(place)),
        Order::Last => {
            // The last entry of a list still precedes those in a list of a higher rank. A key that occurs in several
            // objects has the place of the first, and the value of the last.
            let place = |it: &Match<'_>| (it.file, it.list.rank, it.is_added, it.entry.whole);
            let mut first = FxHashMap::default();
            for it in all.clone() {
                let first = first.entry(it.entry.text.text.as_str()).or_insert_with(|| place(it));
                *first = place(it).min(*first);
            }
            all.max_by_key(|it| (first.get(it.entry.text.text.as_str()).copied(), place(it)))
        }
    })
}
