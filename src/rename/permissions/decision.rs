//! The verdict of a client file on a tool: which entries match it, and which of them takes precedence.

use rustc_hash::FxHashMap;

use super::{About, Names, Placed, Renamed};
use crate::client::{Entry, List, ListKind, Order, Rule};
use crate::name::Name;
use crate::verdict::{Decision, Match, deciding};

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
        let deciding = self.entries().filter(|placed| Decision::of(placed.list.kind).is_some());
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
        let Names { old, new, also, key } = &*self.names(list);
        let text = entry.text.text.as_str();
        if !self.home.work.take(1 + text.len() / 64) {
            return false;
        }
        let name = if when == When::After { new } else { old };
        if let Some(pattern) = list.expression(text) {
            return self.home.work.take(OF_EXPRESSION) && pattern.is_match(name) == Some(true);
        }
        if also[usize::from(when == When::After)].as_deref() == Some(text) {
            return true;
        }
        let is_named = || matches!(list.parse(text, key), Rule::Tool { .. } | Rule::ToolPattern { .. });
        // An entry for the old name gets the new name, unless the rename leaves or deletes the entry.
        if when == When::After && list.bare(text) == old && is_named() {
            return !self.stays && self.carries(list, new) && !self.is_needless(Placed { list, entry });
        }
        list.matches(text, name, key)
            || list.kind == ListKind::Allow && list.bare(text) == new && self.is_meant(old, new) && is_named()
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
        let matching =
            |decision, Placed { list, entry }: Placed<'a>, is_added| Match { decision, list, entry, file: 0, is_added };
        let said = said.map(|(decision, placed)| matching(*decision, *placed, false));
        let guards = written.iter().filter(|guard| part(guard.list).is_none_or(|part| Some(part) == of));
        let guards = guards.map(|it| matching(it.decision, Placed { list: it.list, entry: it.entry }, true));
        let all: Vec<Match<'a>> = said.chain(guards).collect();
        self.home.work.take(all.len() / 4);
        // The priorities are not known. Assume that an allow entry that starts to match wins.
        let comes = |it: &&Match<'a>| {
            let placed = Placed { list: it.list, entry: it.entry };
            when == When::After && it.decision == Decision::Allowed && !self.fits(placed, When::Before)
        };
        let is_by_priority = self.facts.order == Order::Priority;
        let winner = all.iter().find(|it| is_by_priority && comes(it)).or_else(|| deciding(self.facts.order, &all));
        winner.map_or((Decision::Unsaid, None), |it| (it.decision, Some(Placed { list: it.list, entry: it.entry })))
    }

    /// The entries that match the tool, by its name before or after the rename.
    pub(super) fn decisive(&self, when: When) -> &Decisive<'a> {
        self.decisive[usize::from(when == When::After)].get_or_init(|| {
            // An entry with conditions leaves all other calls to the entries after it.
            let holds = |placed: &Placed<'_>| self.facts.order != Order::First || !placed.entry.has_conditions;
            let mut decisive = Decisive::default();
            for placed in self.entries().filter(holds) {
                if let Some(decision) = Decision::of(placed.list.kind).filter(|_| self.fits(placed, when)) {
                    decisive.entry(part(placed.list)).or_default().push((decision, placed));
                }
            }
            decisive
        })
    }
}

/// The cost of matching a regular expression, in steps.
pub(super) const OF_EXPRESSION: usize = 200;

/// The offset of the part of a file, such as an agent, a command or a call, to which a list applies; `None` if the list
/// applies to the whole file.
pub(super) fn part(list: &List) -> Option<u32> {
    list.is_apart.then_some(list.scope)
}
