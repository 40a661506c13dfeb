//! Wildcards that guard the tool: if one does not match the new name, an entry for that name is added.

use super::decision::{Guard, When};
use super::{Names, Placed, Renamed};
use crate::client::{List, ListKind, Order, Strings};
use crate::entry::{self, EntryPlace, Insertion, Syntax};
use crate::rename::refusal::{Left, Looser, Why};
use crate::rename::{Group, Plan};
use crate::text::{Edit, Span};
use crate::verdict::Decision;
use rustc_hash::FxHashSet;

impl<'a> Renamed<'a> {
    /// Adds an entry for the new name to a watch list with a pattern that matches only the old name.
    ///
    /// # Errors
    /// A list to which the new name cannot be added.
    pub(super) fn watched(&self, placed: Placed<'_>, plan: &mut Plan) -> Result<(), Why> {
        let Placed { list, entry } = placed;
        let new = &self.names(list).new;
        let no_hook = || self.loosens(entry, Looser::NoHook { new: new.clone() });
        let edit = list.copied(entry, new).ok_or_else(no_hook)?;
        plan.push(Group::Permissions, self.file.id, edit);
        Ok(())
    }

    /// Compares the file's verdicts on both names, for each part with lists of its own. If the verdict on the new name
    /// would be looser, adds an entry for it at a place where it takes precedence.
    ///
    /// # Errors
    /// A verdict that would be looser for the new name and that no added entry can correct.
    pub(super) fn guards(&self, plan: &mut Plan) -> Result<(), Why> {
        for placed in self.permissions().filter(|placed| self.is_pattern(*placed)) {
            let Placed { list, entry } = placed;
            let is_guard = matches!(list.kind, ListKind::Deny | ListKind::Ask);
            let (before, after) = (self.fits(placed, When::Before), self.fits(placed, When::After));
            if before && !after {
                if is_guard && entry.has_conditions && self.facts.order == Order::First {
                    return Err(self.loosens(entry, Looser::SomeCalls { kind: list.kind }));
                }
                if list.kind == ListKind::Watch {
                    self.watched(placed, plan)?;
                }
                plan.skip(self.file.id, entry.text.span, Left::Unmatched(entry.text.text.clone()));
            }
            if is_guard && !before && after {
                plan.skip(self.file.id, entry.text.span, Left::Matches(entry.text.text.clone()));
            }
        }
        if let Some(Placed { entry, .. }) = self.newly_offered() {
            return Err(self.loosens(entry, Looser::Offers));
        }
        let mut written: Vec<Guard<'a>> = Vec::new();
        for part in self.parts() {
            if !self.home.work.take(1 + written.len()) {
                return Err(Why::TooMuch);
            }
            let (before, deciding) = self.decision(part, When::Before, &[]);
            let (after, allowing) = self.decision(part, When::After, &written);
            if let Some(stricter) = allowing.filter(|placed| after > before && !self.is_pattern(*placed)) {
                let entry = stricter.entry;
                plan.skip(self.file.id, entry.text.span, Left::Matches(entry.text.text.clone()));
            }
            if after >= before {
                continue;
            }
            if let (Decision::Allowed, Some(allowing)) = (after, allowing)
                && before <= Decision::Unsaid
            {
                return Err(self.loosens(allowing.entry, Looser::Allows));
            }
            let Some(deciding) = deciding else { continue };
            // An entry at the beginning would precede one that is stricter for some calls.
            let is_stricter = |placed: &Placed<'a>| {
                let kind = match placed.list.kind {
                    ListKind::Deny => Decision::Denied,
                    ListKind::Ask => Decision::Asked,
                    _ => return false,
                };
                placed.entry.has_conditions && kind > before && self.fits(*placed, When::After)
            };
            if self.facts.order == Order::First
                && let Some(some) = self.entries().find(is_stricter)
            {
                return Err(self.loosens(some.entry, Looser::Precedes { kind: some.list.kind }));
            }
            let guard = self.guard(deciding);
            let holds = guard.is_some() && {
                written.push(Guard { list: deciding.list, decision: before, entry: deciding.entry });
                self.decision(part, When::After, &written).0 >= before
            };
            let Some(edit) = guard.filter(|_| holds) else {
                let new = self.names(deciding.list).new.clone();
                let how = Looser::Unguarded { kind: deciding.list.kind, new };
                return Err(self.loosens(deciding.entry, how));
            };
            plan.push(Group::Permissions, self.file.id, edit);
        }
        Ok(())
    }

    /// An entry that offers the new name in a list that does not offer the old one.
    fn newly_offered(&self) -> Option<Placed<'a>> {
        let offers = |placed: &Placed<'a>| placed.list.kind == ListKind::Offer;
        let is_list = |placed: &Placed<'a>| std::ptr::from_ref(placed.list);
        let offered = self.entries().filter(offers).filter(|placed| self.fits(*placed, When::Before));
        let offered: FxHashSet<*const List> = offered.map(|placed| is_list(&placed)).collect();
        let comes = |placed: &Placed<'a>| {
            let Names { old, new, .. } = &*self.names(placed.list);
            let is_named = placed.list.bare(&placed.entry.text.text) == *new && !self.is_meant(old, new);
            !offered.contains(&is_list(placed))
                && (is_named || self.is_pattern(*placed))
                && self.fits(*placed, When::After)
        };
        self.entries().filter(offers).find(comes)
    }

    /// Checks that a file that is not edited guards the tool under its new name as well. Returns the entries that name the tool,
    /// with the reason why they stay.
    ///
    /// # Errors
    /// A verdict that would be looser for the new name.
    pub(super) fn left_behind(&self) -> Result<Vec<(Span, Left)>, Why> {
        for placed in self.entries().filter(|placed| placed.list.kind == ListKind::Hook) {
            let new = || self.names(placed.list).new.clone();
            match (self.fits(placed, When::Before), self.fits(placed, When::After)) {
                (true, false) => {
                    return Err(self.loosens(placed.entry, Looser::Outside { kind: ListKind::Hook, new: new() }));
                }
                (false, true) => return Err(self.loosens(placed.entry, Looser::Runs { new: new() })),
                _ => {}
            }
        }
        if let Some(Placed { entry, .. }) = self.newly_offered() {
            return Err(self.loosens(entry, Looser::Offers));
        }
        for part in self.parts() {
            let (before, deciding) = self.decision(part, When::Before, &[]);
            let (after, allowing) = self.decision(part, When::After, &[]);
            if after >= before {
                continue;
            }
            return Err(match (deciding, allowing) {
                (Some(Placed { list, entry }), _) => {
                    self.loosens(entry, Looser::Outside { kind: list.kind, new: self.names(list).new.clone() })
                }
                (None, Some(Placed { entry, .. })) => self.loosens(entry, Looser::Allows),
                // Only an allow entry is looser than no entry.
                (None, None) => continue,
            });
        }
        let named =
            self.entries().filter(|placed| self.fits(*placed, When::Before) && !self.fits(*placed, When::After));
        Ok(named.map(|placed| (placed.entry.text.span, Left::Outside)).collect())
    }

    /// The edit that adds an entry for the new name, with the same precedence as the entry that decides about the old
    /// one.
    pub(super) fn guard(&self, deciding: Placed<'_>) -> Option<Edit> {
        let Placed { list, entry } = deciding;
        let Names { old, new, .. } = &*self.names(list);
        let is_keyed = list.row.as_ref().is_some_and(|row| row.strings == Strings::Keys);
        // An object cannot have duplicate keys.
        if !self.carries(list, new) || is_keyed && self.said(list, old).is_some() {
            return None;
        }
        // Write the entry next to the wildcard if the order does not matter, or if the entry cannot be written
        // elsewhere. Reading the file again shows whether the entry is effective there.
        let is_brackets = [".json", ".jsonc"].iter().any(|end| self.file.path.ends_with(end));
        let is_anywhere = matches!(self.facts.order, Order::Deny | Order::Priority);
        if is_anywhere || !is_brackets || list.row.as_ref().is_some_and(|row| row.always) {
            return list.copied(entry, new);
        }
        let (key, value) = list.entry_for(new)?;
        let insertion = Insertion::Entry(entry::Entry {
            file: self.file.id,
            object: list.span,
            place: if self.facts.order == Order::First { EntryPlace::First } else { EntryPlace::Last },
            key,
            value,
            syntax: Syntax::Json,
        });
        insertion.edit(list.source())
    }
}
