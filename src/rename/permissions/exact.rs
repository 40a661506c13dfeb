//! Entries that are the name of the tool: they follow it, or go.

use super::decision::When;
use super::{Names, Placed, Renamed};
use crate::client::{Entry, List, ListKind, Order, Strings};
use crate::rename::refusal::{Left, Looser, Why};
use crate::rename::{Group, Plan};
use crate::text::{Edit, Span};

impl<'a> Renamed<'a> {
    /// Whether the new name is written where an entry names the old one: beside it, or in its place. Where a list has an entry for
    /// the new one already, that counts.
    pub(super) fn carries(&self, list: &List, new: &str) -> bool {
        !holds_each_once(list) || self.said(list, new).is_none()
    }

    /// Whether an entry guards nothing under the new name that a wildcard of its list does not guard, and stands where a rename
    /// puts an entry for the sake of a wildcard: right behind it, or where entries of this file count first. Then it goes, so
    /// that renaming a tool and back leaves the list as it was.
    pub(super) fn is_needless(&self, Placed { list, entry }: Placed<'a>) -> bool {
        let is_guard = matches!(list.kind, ListKind::Deny | ListKind::Ask | ListKind::Watch);
        if !is_guard || entry.has_conditions || self.keeps(list) || list.taken_out(entry).is_empty() {
            return false;
        }
        let beside = || self.entries().filter(|placed| placed.list.span == list.span && placed.list.rank == list.rank);
        let own = || beside().filter(|placed| placed.list.kind == list.kind);
        let covers = |placed: &Placed<'a>| {
            placed.list.kind == list.kind
                && !placed.entry.has_conditions
                && self.is_pattern(*placed)
                && self.fits(*placed, When::After)
                && !self.fits(*placed, When::Before)
        };
        let at = entry.whole.start;
        let last_before = list.entries.iter().rev().find(|other| other.whole.start < at);
        let is_last_before = |placed: &Placed<'a>| last_before.is_some_and(|other| std::ptr::eq(other, placed.entry));
        if own().filter(is_last_before).any(|placed| covers(&placed)) {
            return true;
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

    /// Entries that name the tool name it as it is called now, or both names: each where it stands, so that it counts for
    /// the one as it does for the other.
    ///
    /// # Errors
    /// A guard beside which the new name cannot be written.
    pub(super) fn exact(&self, plan: &mut Plan) -> Result<(), Why> {
        let mut gone: Vec<Placed<'a>> = Vec::new();
        for placed in self.entries() {
            let Placed { list, entry } = placed;
            let names = self.names(list);
            let (mut old, mut new) = (names.old.clone(), names.new.clone());
            // Parentheses that restrict it go with it.
            let rest =
                entry.text.text.strip_prefix(&old).filter(|rest| list.grammar.arguments && rest.starts_with('('));
            if let Some(rest) = rest {
                old.push_str(rest);
                new.push_str(rest);
            }
            if entry.text.text != old {
                continue;
            }
            if list.kind == ListKind::Mention && self.is_disputed(list) {
                plan.skip(self.file.id, entry.text.span, Left::OtherServer);
                continue;
            }
            let keeps_old = self.keeps(list);
            let is_keyed = list.row.is_some_and(|row| row.strings == Strings::Keys);
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
                // What is said of a tool under its name is said of both.
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
                // Who calls it speaks of it, as a test does that nobody has read yet.
                let group = if list.kind == ListKind::Mention { Group::Docs } else { Group::Permissions };
                plan.push(group, self.file.id, edit);
            }
        }
        for Placed { list, entry } in &gone {
            let beside = gone.iter().filter(|other| other.list.span == list.span && other.entry.whole != entry.whole);
            let removal = list.taken_out_among(entry, &beside.map(|other| other.entry).collect::<Vec<_>>());
            if removal.is_empty() {
                plan.skip(self.file.id, entry.text.span, Left::Present(self.names(list).new.clone()));
            }
            for span in removal {
                plan.push(Group::Permissions, self.file.id, Edit::new(span, ""));
            }
        }
        Ok(())
    }

    /// Whether an entry for the old name goes, in a list that has one for the new name already.
    ///
    /// # Errors
    /// The two say different things: which of them counts, nobody but their author knows.
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

/// Whether a list holds no string twice: one that is its strings alone, or an object whose keys they are.
pub(in crate::rename) fn holds_each_once(list: &List) -> bool {
    list.is_plain() || list.row.is_some_and(|row| row.strings == Strings::Keys)
}
