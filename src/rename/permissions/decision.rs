//! The verdict of a client file on a tool: which entries match it, and which of them takes precedence.

use rustc_hash::FxHashMap;

use super::{About, Names, Placed, Renamed};
use crate::client::{Entry, List, ListKind, Order, Rule, glob_matches};
use crate::name::Name;

/// The verdict on a name, from the loosest to the strictest. The client asks about names without an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Decision {
    Allowed,
    Unsaid,
    Asked,
    Denied,
}

/// Selects the names before or after the rename.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Before,
    After,
}

/// An entry that will be added for the new name, modelled on `entry`.
pub(super) struct Guard<'a> {
    pub(super) list: &'a List,
    pub(super) decision: Decision,
    pub(super) entry: &'a Entry,
}

/// The entries that match the tool, each with its verdict, by the part of the file to which they apply.
pub(super) type Decisive<'a> = FxHashMap<Option<u32>, Vec<(Decision, Placed<'a>)>>;

impl About<'_> {
    /// Whether the rename repairs the spelling, and the two names have the same words, joined in different ways.
    pub(super) fn is_meant(&self, old: &str, new: &str) -> bool {
        let words = |name: &str| Name::new(name).lower_words().concat();
        self.change.repairs && words(old) == words(new)
    }
}

impl<'a> Renamed<'a> {
    /// Returns the parts of the file that have lists of their own. `None`, which stands for the whole file, comes
    /// first, since an entry there may be enough for every part.
    pub(super) fn parts(&self) -> Vec<Option<u32>> {
        let deciding = self.entries().filter(|placed| decision_of(placed.list.kind).is_some());
        let mut parts: Vec<Option<u32>> = deciding.filter_map(|placed| part(placed.list)).map(Some).collect();
        parts.push(None);
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    pub(super) fn is_pattern(&self, Placed { list, entry }: Placed<'_>) -> bool {
        list.expression(&entry.text.text).is_some()
            || matches!(list.parse(&entry.text.text, &self.names(list).key), Rule::ToolPattern { .. } | Rule::Pattern)
    }

    /// Whether an entry matches the tool, by its name before or after the rename.
    pub(super) fn fits(&self, Placed { list, entry }: Placed<'a>, when: When) -> bool {
        let Names { old, new, key } = &*self.names(list);
        let text = entry.text.text.as_str();
        if !self.home.work.take(1 + text.len() / 64) {
            return false;
        }
        let name = if when == When::After { new } else { old };
        if let Some(pattern) = list.expression(&entry.text.text) {
            return self.home.work.take(OF_EXPRESSION) && pattern.is_match(name) == Some(true);
        }
        match list.parse(text, key) {
            // An entry for the old name gets the new name, unless the rename leaves or deletes the entry.
            Rule::Tool { .. } | Rule::ToolPattern { .. } if when == When::After && list.bare(text) == old => {
                !self.stays && self.carries(list, new) && !self.is_needless(Placed { list, entry })
            }
            Rule::Tool { .. } => {
                let text = list.bare(text);
                text == name || list.kind == ListKind::Allow && text == new && self.is_meant(old, new)
            }
            Rule::ToolPattern { .. } | Rule::Pattern => glob_matches(&list.pattern(text), name),
            Rule::Server { server } => server == key[0],
            Rule::BuiltIn | Rule::Malformed(_) => false,
        }
    }

    /// Returns the verdict of a part of the file, such as one agent, and the entry that decides, if any. `written` are
    /// entries that will be added.
    pub(super) fn decision(
        &self,
        of: Option<u32>,
        when: When,
        written: &[Guard<'a>],
    ) -> (Decision, Option<Placed<'a>>) {
        let decisive = self.decisive(when);
        let of_part = of.is_some().then(|| decisive.get(&of)).flatten();
        let said = decisive.get(&None).into_iter().chain(of_part).flatten();
        let said = said.map(|(decision, placed)| (*decision, *placed, false));
        let guards = written
            .iter()
            .filter(|guard| part(guard.list).is_none_or(|part| Some(part) == of))
            .map(|guard| (guard.decision, Placed { list: guard.list, entry: guard.entry }, true));
        let matching: Vec<(Decision, Placed<'a>, bool)> = said.chain(guards).collect();
        self.home.work.take(matching.len() / 4);
        let is_always =
            |(_, placed, _): &&(Decision, Placed<'a>, bool)| placed.list.row.as_ref().is_some_and(|row| row.always);
        let strictest = |(decision, placed, _): &&(Decision, Placed<'a>, bool)| {
            // The first of the strictest entries.
            (*decision, std::cmp::Reverse(placed.entry.whole))
        };
        let place = |(_, placed, _): &&(Decision, Placed<'a>, bool)| (placed.list.rank, placed.entry.whole);
        let all = matching.iter();
        let always = all.clone().filter(is_always).max_by_key(strictest);
        let winner = match self.facts.order {
            _ if always.is_some() => always,
            Order::Deny => all.max_by_key(strictest),
            // The priorities are not known. Assume that an allow entry that starts to match wins; otherwise assume that
            // the strictest entry does.
            Order::Priority => {
                let comes = |one: &&(Decision, Placed<'a>, bool)| {
                    when == When::After && one.0 == Decision::Allowed && !self.fits(one.1, When::Before)
                };
                all.clone().find(comes).or_else(|| all.max_by_key(strictest))
            }
            Order::First => all.clone().find(|one| one.2).or_else(|| all.min_by_key(place)),
            Order::Last => {
                // The last entry of a list still precedes those in a list of a higher rank.
                all.max_by_key(|one| (one.1.list.rank, one.2, one.1.entry.whole))
            }
        };
        winner.map_or((Decision::Unsaid, None), |(decision, placed, _)| (*decision, Some(*placed)))
    }

    /// The entries that match the tool, by its name before or after the rename.
    pub(super) fn decisive(&self, when: When) -> &Decisive<'a> {
        self.decisive[usize::from(when == When::After)].get_or_init(|| {
            // An entry with conditions leaves all other calls to the entries after it.
            let holds = |placed: &Placed<'_>| self.facts.order != Order::First || !placed.entry.has_conditions;
            let mut decisive = Decisive::default();
            for placed in self.entries().filter(holds) {
                if let Some(decision) = decision_of(placed.list.kind).filter(|_| self.fits(placed, when)) {
                    decisive.entry(part(placed.list)).or_default().push((decision, placed));
                }
            }
            decisive
        })
    }
}

/// The verdict of a list's entries; `None` for kinds of lists that give no verdict.
pub(super) fn decision_of(kind: ListKind) -> Option<Decision> {
    match kind {
        ListKind::Allow => Some(Decision::Allowed),
        ListKind::Ask => Some(Decision::Asked),
        ListKind::Deny => Some(Decision::Denied),
        ListKind::Hook | ListKind::Watch | ListKind::Offer | ListKind::Mention => None,
    }
}

/// The cost of matching a regular expression, in steps.
pub(super) const OF_EXPRESSION: usize = 200;

/// The offset of the part of a file, such as an agent, a command or a call, to which a list applies; `None` if the list
/// applies to the whole file.
pub(super) fn part(list: &List) -> Option<u32> {
    list.is_apart.then_some(list.scope)
}
