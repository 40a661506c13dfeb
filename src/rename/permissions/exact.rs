//! Entries that name the tool exactly: they get the new name, or are removed.

use std::collections::BTreeMap;

use super::decision::When;
use super::{Names, Placed, Renamed};
use crate::client::{Entry, List, ListKind, Order, Strings};
use crate::rename::refusal::{Left, Looser, Why};
use crate::rename::{Group, Plan};
use crate::text::{Edit, Span};

impl<'a> Renamed<'a> {
    /// Whether a list can take an entry for the new name, next to the entry for the old name or in its place. It can if
    /// it has no entry for the new name yet, or may contain duplicates.
    pub(super) fn carries(&self, list: &List, new: &str) -> bool {
        !holds_each_once(list) || self.said(list, new).is_none()
    }

    /// Whether an entry is redundant under the new name: a wildcard of its list gives the same verdict, and the entry
    /// is where a rename adds one for such a wildcard, directly after the wildcard or at the end that takes precedence.
    /// A redundant entry is removed, so that a rename and its inverse leave the list unchanged.
    pub(super) fn is_needless(&self, Placed { list, entry }: Placed<'a>) -> bool {
        let is_guard = matches!(list.kind, ListKind::Deny | ListKind::Ask | ListKind::Watch);
        if !is_guard || entry.has_conditions || self.keeps(list) || list.taken_out(entry).is_empty() {
            return false;
        }
        let beside = || self.entries().filter(|placed| placed.list.span == list.span && placed.list.rank == list.rank);
        let covers = |placed: &Placed<'a>| {
            placed.list.kind == list.kind
                && !placed.entry.has_conditions
                && self.is_pattern(*placed)
                && self.fits(*placed, When::After)
                && !self.fits(*placed, When::Before)
        };
        let at = entry.whole.start;
        let before = list.entries.partition_point(|other| other.whole.start < at);
        let before = before.checked_sub(1).map(|index| Placed { list, entry: &list.entries[index] });
        if before.is_some_and(|placed| covers(&placed)) {
            return true;
        }
        if !self.home.work.take(1 + self.entries.len() / 64) {
            return false;
        }
        let others = || beside().filter(|placed| placed.entry.whole != entry.whole);
        let counts = || others().filter(|placed| self.fits(*placed, When::After));
        let place = |placed: &Placed<'a>| placed.entry.whole;
        match self.facts.order {
            Order::First if others().all(|other| other.entry.whole.start > at) => counts().min_by_key(place),
            Order::Last if others().all(|other| other.entry.whole.start < at) => counts().max_by_key(place),
            _ => None,
        }
        .is_some_and(|placed| covers(&placed))
    }

    /// Renames the entries that name the tool, or adds an entry for the new name next to each, in the same list, so
    /// that both names get the same verdict.
    ///
    /// # Errors
    /// A guard to which the new name cannot be added.
    pub(super) fn exact(&self, plan: &mut Plan) -> Result<(), Why> {
        let mut gone: Vec<Placed<'a>> = Vec::new();
        for placed in self.entries() {
            let Placed { list, entry } = placed;
            let names = self.names(list);
            let (mut old, mut new) = (names.old.clone(), names.new.clone());
            // Keep the arguments in parentheses.
            let rest =
                entry.text.text.strip_prefix(&old).filter(|rest| list.grammar.arguments && rest.starts_with('('));
            if let Some(rest) = rest {
                old.push_str(rest);
                new.push_str(rest);
            }
            // Some grammars spell both names the same, and such an entry names the tool before and after.
            if entry.text.text != old || old == new {
                continue;
            }
            if list.kind == ListKind::Mention && self.is_disputed(list) {
                plan.skip(self.file.id, entry.text.span, Left::OtherServer);
                continue;
            }
            let keeps_old = self.keeps(list);
            let is_keyed = list.row.as_ref().map_or(list.is_keyed(), |row| row.strings == Strings::Keys);
            let edit = match list.kind {
                ListKind::Hook if keeps_old => {
                    Some(Edit::new(Span::at(entry.text.span.end as usize), format!("|{new}")))
                }
                _ if !self.carries(list, &new) => {
                    if self.goes(placed, &new)? {
                        gone.push(placed);
                    }
                    None
                }
                _ if rest.is_none() && self.is_needless(placed) => {
                    gone.push(placed);
                    None
                }
                // Settings under the tool's name as a key are copied, so that they apply to both names.
                ListKind::Mention if keeps_old && is_keyed => list.copied(entry, &new),
                _ if rest.is_some() && !keeps_old => Some(Edit::new(entry.text.span, list.spelt(entry, &new))),
                ListKind::Mention => Some(self.tool_part(list, entry.text.span, entry)),
                _ if !keeps_old => Some(self.tool_part(list, entry.text.span, entry)),
                kind => match list.copied(entry, &new) {
                    Some(edit) => Some(edit),
                    None if matches!(kind, ListKind::Deny | ListKind::Ask | ListKind::Watch) => {
                        return Err(self.loosens(entry, Looser::NoPlace { kind, new }));
                    }
                    None => {
                        plan.skip(self.file.id, entry.text.span, Left::ByHand(new));
                        None
                    }
                },
            };
            if let Some(edit) = edit {
                // A call of the tool is treated as a mention in a document.
                let group = if list.kind == ListKind::Mention { Group::Docs } else { Group::Permissions };
                plan.push(group, self.file.id, edit);
            }
        }
        let mut by_list: BTreeMap<Span, Vec<Placed<'a>>> = BTreeMap::new();
        for placed in gone {
            by_list.entry(placed.list.span).or_default().push(placed);
        }
        for gone in by_list.into_values() {
            let entries: Vec<&Entry> = gone.iter().map(|placed| placed.entry).collect();
            for (Placed { list, entry }, removal) in gone.iter().zip(gone[0].list.all_taken_out(&entries)) {
                if removal.is_empty() {
                    plan.skip(self.file.id, entry.text.span, Left::Present(self.names(list).new.clone()));
                }
                for span in removal {
                    plan.push(Group::Permissions, self.file.id, Edit::new(span, ""));
                }
            }
        }
        Ok(())
    }

    /// Whether an entry for the old name is removed from a list that already has one for the new name.
    ///
    /// # Errors
    /// The two entries contradict each other.
    fn goes(&self, placed: Placed<'a>, new: &str) -> Result<bool, Why> {
        let Placed { list, entry } = placed;
        let said = self.said(list, new).filter(|said| said.list.kind != list.kind);
        if let Some(said) = said {
            let how = Looser::Contradicts { kind: list.kind, new: new.to_string(), said: said.list.kind };
            return Err(self.loosens(entry, how));
        }
        Ok(!self.keeps(list))
    }

    /// The edit that changes only the tool's part of a string.
    fn tool_part(&self, list: &List, span: Span, entry: &Entry) -> Edit {
        let Names { old, new, .. } = &*self.names(list);
        let prefix = list.grammar.server_prefix(self.key);
        let suffix = &*list.grammar.tool.suffix;
        let spelt = list.spelt(entry, new);
        match new.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(suffix)) {
            Some(tool) if entry.text.verbatim && old.starts_with(&prefix) && spelt == *new => {
                Edit::new(span.slice(prefix.len(), old.len() - suffix.len()), tool)
            }
            _ => Edit::new(span, spelt),
        }
    }
}

/// Whether a list can contain each string only once: a plain list of strings, or an object with the strings as keys.
pub(in crate::rename) fn holds_each_once(list: &List) -> bool {
    list.is_plain() || list.row.as_ref().is_some_and(|row| row.strings == Strings::Keys)
}
