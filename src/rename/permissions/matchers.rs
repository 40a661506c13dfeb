//! Matchers of hooks: a hook that runs for the old name must run for the new one too.

use super::decision::{OF_EXPRESSION, When};
use super::{Names, Placed, Renamed};
use crate::client::ListKind;
use crate::name::Name;
use crate::rename::refusal::{Left, Looser, Why};
use crate::rename::{Group, Plan};
use crate::text::{Edit, Span, apply_edits};

impl<'a> Renamed<'a> {
    /// Renames the tool in matchers that list names, and adds the new name as an alternative to a regular expression that matches
    /// the old name only.
    ///
    /// # Errors
    /// A hook that would run for the new name only, since it may allow the call, or an expression that cannot be read.
    pub(super) fn hooks(&self, plan: &mut Plan) -> Result<(), Why> {
        for placed in self.entries().filter(|placed| placed.list.kind == ListKind::Hook) {
            let Placed { list, entry } = placed;
            let Names { old, new, .. } = &*self.names(list);
            let text = entry.text.text.as_str();
            if text == old || matches!(text, "" | "*") {
                continue;
            }
            let span = entry.text.span;
            if !self.keeps(list) && self.returns(placed, plan) {
                continue;
            }
            let is_exact = list.is_exact(text, None);
            let is_plain = is_exact || !text.contains(|c: char| "()[]{}^$*+?.\\".contains(c));
            match self.in_names(text, old, new).filter(|_| is_plain) {
                Some(edits) if entry.text.verbatim => {
                    for Edit { span: piece, new_text } in edits {
                        let edit = Edit::new(piece.shifted(span.start), new_text);
                        plan.push(Group::Permissions, self.file.id, edit);
                    }
                    continue;
                }
                Some(edits) => {
                    let changed = apply_edits(text, &edits).unwrap_or_default();
                    plan.push(Group::Permissions, self.file.id, Edit::new(span, changed));
                    continue;
                }
                None if is_exact && self.fits(Placed { list, entry }, When::After) => {
                    return Err(self.loosens(entry, Looser::Runs { new: new.clone() }));
                }
                None if is_exact => continue,
                None => {}
            }
            if !self.home.work.take(OF_EXPRESSION) {
                return Err(Why::TooMuch);
            }
            let pattern = list.expression(text);
            let fits = |name: &str| pattern.as_ref().and_then(|pattern| pattern.is_match(name));
            match (fits(old), fits(new)) {
                (Some(true), Some(false)) => {
                    let edit = Edit::new(Span::at(span.end as usize), added(new));
                    plan.push(Group::Permissions, self.file.id, edit);
                    plan.skip(self.file.id, span, Left::Added(text.to_string()));
                }
                (Some(false), Some(true)) => return Err(self.loosens(entry, Looser::Runs { new: new.clone() })),
                (Some(_), Some(_)) => {}
                // If the expression contains no word of this tool's name, it is about other tools.
                _ if self.may_name(text) => return Err(self.loosens(entry, Looser::Unread)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes the alternative that an earlier rename added for the old name, if the rest of the expression matches the
    /// new name; otherwise replaces it with an alternative for the new name. Returns `false` if there is no such
    /// alternative.
    fn returns(&self, Placed { list, entry }: Placed<'_>, plan: &mut Plan) -> bool {
        let Names { old, new, .. } = &*self.names(list);
        let (added, end) = (added(old), entry.text.span.end);
        let Some(rest) = entry.text.text.strip_suffix(&added) else { return false };
        // A name has no escapes, though the rest of the string may have some.
        let place = Span { start: end - added.len() as u32, end };
        if list.source().get(place.range()) != Some(&added) {
            return false;
        }
        let fits = |name: &str| list.expression(rest).and_then(|pattern| pattern.is_match(name));
        if !self.home.work.take(OF_EXPRESSION) || fits(old) != Some(false) {
            return false;
        }
        let with = match fits(new) {
            Some(true) => String::new(),
            Some(false) => self::added(new),
            None => return false,
        };
        plan.push(Group::Permissions, self.file.id, Edit::new(place, with));
        true
    }

    /// Returns the edits that replace the old name in a list of names, or add the new one after it; `None` if the old
    /// name is not in the list.
    fn in_names(&self, text: &str, old: &str, new: &str) -> Option<Vec<Edit>> {
        let is_said = text.split(['|', ',']).any(|piece| piece.trim() == new);
        let (mut at, mut is_named, mut edits) = (0, false, Vec::new());
        for piece in text.split_inclusive(['|', ',']) {
            let name = piece.trim_end_matches(['|', ',']).trim();
            let (before, start) = (at, at + (piece.len() - piece.trim_start().len()));
            at += piece.len();
            if name != old {
                continue;
            }
            is_named = true;
            let span = Span::new(start, start + name.len());
            match (self.change.keeps_old, is_said) {
                (true, true) => {}
                (true, false) => edits.push(Edit::new(Span::at(span.end as usize), format!("|{new}"))),
                (false, true) if before > 0 => edits.push(Edit::new(Span::new(before - 1, span.end as usize), "")),
                (false, true) => edits.push(Edit::new(Span::new(start, at), "")),
                (false, false) => edits.push(Edit::new(span, new)),
            }
        }
        is_named.then_some(edits)
    }

    /// Whether a text that cannot be read contains a word of either name, of the server's key, or `mcp`.
    fn may_name(&self, text: &str) -> bool {
        let names = [self.target.tool.name.as_str(), self.change.new, self.key, "mcp"];
        let words = names.iter().flat_map(|name| Name::new(name).lower_words());
        let text = text.to_lowercase();
        words.filter(|word| word.len() > 2).any(|word| text.contains(word.as_str()))
    }
}

/// Returns the alternative that makes an expression match a name as well.
pub(in crate::rename) fn added(name: &str) -> String {
    format!("|^{name}$")
}
