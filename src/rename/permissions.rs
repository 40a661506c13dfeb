//! Permission lists follow a rename: no tool is guarded less under its new name than it was under its old one.

use std::sync::Arc;

use super::{Group, Plan, Refusal, Target, Texts};
use crate::client::{ClientFacts, Entry, List, ListKind, Order, Rule, glob_matches};
use crate::entry::{self, EntryPlace, Insertion, Syntax};
use crate::name::Name;
use crate::regex::Regex;
use crate::text::{Edit, Span};
use crate::workspace::{File, Snapshot};

/// What a client's file says of a name; the later, the stricter. Of what no file speaks the client asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Decision {
    Allowed,
    Unsaid,
    Asked,
    Denied,
}

/// Adds the edits that make every list follow.
///
/// # Errors
/// A name under which some list would guard the tool less, where nothing can be written against that.
pub(super) fn follow(
    snapshot: &Snapshot,
    target: Target<'_>,
    (new, keeps_old): (&str, bool),
    texts: Texts<'_>,
    plan: &mut Plan,
) -> Result<(), Refusal> {
    for file in snapshot.files.all() {
        let Some(facts) = snapshot.files.client_facts(file.id) else { continue };
        for key in &target.server.keys {
            let renamed = Renamed { file, facts, key, target, new, keeps_old };
            renamed.exact(texts, plan)?;
            renamed.hooks(plan);
            renamed.guards(texts, plan)?;
        }
    }
    Ok(())
}

/// One client's file in the light of a rename, for one key of the server.
struct Renamed<'a> {
    file: &'a Arc<File>,
    facts: &'a ClientFacts,
    key: &'a str,
    target: Target<'a>,
    new: &'a str,
    /// The old name can be called as well: what is said of it stays.
    keeps_old: bool,
}

/// An entry of a list.
#[derive(Clone, Copy)]
struct Placed<'a> {
    list: &'a List,
    entry: &'a Entry,
}

impl<'a> Renamed<'a> {
    /// The tool's names in the strings of a list, before and after.
    fn names(&self, list: &List) -> (String, String) {
        (list.grammar.composed(self.key, &self.target.tool.name), list.grammar.composed(self.key, self.new))
    }

    fn entries(&self) -> impl Iterator<Item = Placed<'a>> {
        let lists = self.facts.lists.iter().filter(|list| list.is_about(self.key));
        lists.flat_map(|list| list.entries.iter().map(move |entry| Placed { list, entry }))
    }

    /// Entries that name the tool name it as it is called now, or both names.
    ///
    /// # Errors
    /// A guard beside which the new name cannot be written.
    fn exact(&self, texts: Texts<'_>, plan: &mut Plan) -> Result<(), Refusal> {
        let deciding = self.decision(false).1;
        for placed in self.entries() {
            let Placed { list, entry } = placed;
            let (old, new) = self.names(list);
            if entry.text.text != old {
                continue;
            }
            let is_said = list.entries.iter().any(|other| other.text.text == new);
            let edit = match list.kind {
                _ if !self.keeps_old => Some(self.tool_part(list, entry.text.span, entry, &old, &new)),
                ListKind::Mention => Some(self.tool_part(list, entry.text.span, entry, &old, &new)),
                ListKind::Hook => Some(Edit::new(Span::at(entry.text.span.end as usize), format!("|{new}"))),
                _ if is_said => None,
                // Where the place counts, only the entry that counts for the old name is to count for the new one.
                _ if self.facts.order != Order::Deny && deciding.is_none_or(|it| !std::ptr::eq(it.entry, entry)) => {
                    None
                }
                kind => match self.guard(placed, texts) {
                    Some(edit) => Some(edit),
                    None if matches!(kind, ListKind::Deny | ListKind::Ask) => {
                        let (text, path) = (&entry.text.text, &self.file.path);
                        let list = kind.as_str();
                        return Err(Refusal(format!(
                            "`{text}` ({list} in {path}) guards it, and the new name cannot be written beside it: do so first"
                        )));
                    }
                    None => {
                        let reason = format!("`{new}` is to be written beside it by hand");
                        plan.skip(self.file.id, entry.text.span, reason);
                        None
                    }
                },
            };
            if let Some(edit) = edit {
                plan.push(Group::Permissions, self.file.id, edit);
            }
        }
        Ok(())
    }

    /// The edit that changes only the tool's part of a string.
    fn tool_part(&self, list: &List, span: Span, entry: &Entry, old: &str, new: &str) -> Edit {
        let prefix = list.grammar.server_prefix(self.key);
        let suffix = &*list.grammar.tool.suffix;
        match new.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(suffix)) {
            Some(tool) if entry.text.verbatim && old.starts_with(&prefix) => {
                Edit::new(span.slice(prefix.len(), old.len() - suffix.len()), tool)
            }
            _ => Edit::new(span, new),
        }
    }

    /// Matchers of hooks: of several names the one changes; a regular expression that fitted the old name and does not
    /// fit the new one gets it as one more.
    fn hooks(&self, plan: &mut Plan) {
        for Placed { list, entry } in self.entries().filter(|placed| placed.list.kind == ListKind::Hook) {
            let (old, new) = self.names(list);
            let text = entry.text.text.as_str();
            if text == old || !entry.text.verbatim {
                continue;
            }
            let mut at = 0;
            let mut is_named = false;
            for piece in text.split_inclusive(['|', ',']) {
                let name = piece.trim_end_matches(['|', ',']).trim();
                let start = at + (piece.len() - piece.trim_start().len());
                at += piece.len();
                if name == old {
                    is_named = true;
                    let span = entry.text.span.slice(start, start + name.len());
                    let edit = match self.keeps_old {
                        true => Edit::new(Span::at(span.end as usize), format!("|{new}")),
                        false => self.tool_part(list, span, entry, &old, &new),
                    };
                    plan.push(Group::Permissions, self.file.id, edit);
                }
            }
            let fits = |name: &str| Regex::new(text, "").and_then(|pattern| pattern.is_match(name)) == Some(true);
            let is_exact = !list.regex && !text.contains(['*', '.', '^', '$', '[', '(', '+', '?', '\\']);
            if is_named || is_exact || !fits(&old) || fits(&new) {
                continue;
            }
            let end = Span::at(entry.text.span.end as usize);
            plan.push(Group::Permissions, self.file.id, Edit::new(end, format!("|{new}")));
            plan.skip(
                self.file.id,
                entry.text.span,
                format!("`{text}` does not fit the new name, which stands beside it now"),
            );
        }
    }

    /// Wildcards are asked again, and where they guarded the tool the new name is written beside them.
    ///
    /// # Errors
    /// Where the new name would be guarded less all the same.
    fn guards(&self, texts: Texts<'_>, plan: &mut Plan) -> Result<(), Refusal> {
        let path = &self.file.path;
        for list in self.facts.permissions().filter(|list| list.is_about(self.key)) {
            let (old, new) = self.names(list);
            for entry in list.entries.iter().filter(|entry| self.is_pattern(list, entry)) {
                let text = entry.text.text.as_str();
                if glob_matches(text, &old) && !glob_matches(text, &new) {
                    let reason = format!("`{text}` does not match the new name");
                    plan.skip(self.file.id, entry.text.span, reason);
                }
            }
        }
        let (before, deciding) = self.decision(false);
        let (after, allowing) = self.decision(true);
        if after >= before {
            return Ok(());
        }
        if let (Decision::Allowed, Some(allowing)) = (after, allowing)
            && before <= Decision::Unsaid
        {
            let text = &allowing.entry.text.text;
            return Err(Refusal(format!("`{text}` in {path} would allow it under the new name")));
        }
        let Some(deciding) = deciding else { return Ok(()) };
        let (list, text) = (deciding.list.kind.as_str(), &deciding.entry.text.text);
        match self.guard(deciding, texts) {
            Some(edit) => plan.push(Group::Permissions, self.file.id, edit),
            None => {
                return Err(Refusal(format!(
                    "`{text}` ({list} in {path}) guards it, and would not under the new name"
                )));
            }
        }
        Ok(())
    }

    fn is_pattern(&self, list: &List, entry: &Entry) -> bool {
        let spelt = [list.grammar.normalise(self.key)];
        matches!(list.parse(&entry.text.text, &spelt), Rule::ToolPattern { .. } | Rule::Pattern)
    }

    /// What this file says of the tool, and the entry that says so: before, or after the entries that name it were
    /// changed.
    fn decision(&self, renamed: bool) -> (Decision, Option<Placed<'a>>) {
        let matching = self.entries().filter_map(|placed| {
            let decision = match placed.list.kind {
                ListKind::Allow => Decision::Allowed,
                ListKind::Ask => Decision::Asked,
                ListKind::Deny => Decision::Denied,
                ListKind::Hook | ListKind::Offer | ListKind::Mention => return None,
            };
            let list = placed.list;
            let (old, new) = self.names(list);
            let text = placed.entry.text.text.as_str();
            let spelt = [list.grammar.normalise(self.key)];
            let name = if renamed { &new } else { &old };
            // Who named it exactly, and by the same words, spoke of this tool.
            let is_meant = || {
                list.kind == ListKind::Allow
                    && text == new
                    && Name::new(&old).lower_words().concat() == Name::new(&new).lower_words().concat()
            };
            let fits = match list.parse(text, &spelt) {
                // What named it names it still.
                Rule::Tool { .. } if renamed && text == old => true,
                Rule::Tool { .. } => text == name || is_meant(),
                Rule::ToolPattern { .. } | Rule::Pattern => glob_matches(text, name),
                Rule::Server { server } => server == spelt[0],
                Rule::BuiltIn | Rule::Malformed(_) => false,
            };
            fits.then_some((decision, placed))
        });
        let place = |(_, placed): &(Decision, Placed<'_>)| (placed.list.rank, placed.entry.whole);
        let winner = match self.facts.order {
            // By priorities, the strictest may win.
            Order::Deny | Order::Priority => matching.max_by_key(|(decision, placed)| {
                // The first of the strictest.
                (*decision, std::cmp::Reverse(placed.entry.whole))
            }),
            Order::First => matching.min_by_key(place),
            Order::Last => matching.max_by_key(place),
        };
        winner.map_or((Decision::Unsaid, None), |(decision, placed)| (decision, Some(placed)))
    }

    /// What writes the new name where it counts as an entry does that decides about the old one.
    fn guard(&self, deciding: Placed<'_>, texts: Texts<'_>) -> Option<Edit> {
        let Placed { list, entry } = deciding;
        let (_, new) = self.names(list);
        // Beside the wildcard, in lists of strings; where the place counts, that may be too late or too early.
        if self.facts.order == Order::Deny && list.is_plain() {
            return entry.replaced_by(&[entry.text.text.clone(), new]);
        }
        let (key, value) = list.entry_for(&new)?;
        let insertion = Insertion::Entry(entry::Entry {
            file: self.file.id,
            object: list.span,
            place: if self.facts.order == Order::First { EntryPlace::First } else { EntryPlace::Last },
            key,
            value,
            syntax: Syntax::Json,
        });
        let is_brackets = [".json", ".jsonc"].iter().any(|end| self.file.path.ends_with(end));
        insertion.edit(&texts(self.file.id).filter(|_| is_brackets)?)
    }
}
