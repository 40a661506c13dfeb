//! The entries of client files that match a tool. Entries for one tool are looked up; only patterns are tried.

use rustc_hash::FxHashMap;

use super::decision::{Decision, Match, deciding};
use crate::client::{Client, Entry, List, ListKind, Order, Rule, Spelt, glob_matches};
use crate::text::{FileId, Span};
use crate::workspace::Snapshot;

/// The permission lists of a workspace, indexed for lookups of many tools.
pub(crate) struct Permits<'a> {
    lists: Vec<Indexed<'a>>,
}

/// One entry that matches a tool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Permit<'a> {
    pub(crate) file: FileId,
    pub(crate) list: &'a List,
    pub(crate) entry: &'a Entry,
    pub(super) order: Order,
}

/// A list, with its entries indexed by what they match.
struct Indexed<'a> {
    file: FileId,
    order: Order,
    list: &'a List,
    exact: FxHashMap<&'a str, Vec<&'a Entry>>,
    /// The entries that are patterns, each with its pattern over composed names.
    patterns: Vec<Pattern<'a>>,
}

/// An entry that is a pattern.
struct Pattern<'a> {
    over_names: String,
    /// The server that the entry names, spelled as in strings; `None` for patterns over whole names.
    server: Option<String>,
    entry: &'a Entry,
}

impl<'a> Permits<'a> {
    /// Collects the lists that decide about tools.
    pub(crate) fn new(snapshot: &'a Snapshot) -> Permits<'a> {
        Permits::of_kinds(snapshot, &[ListKind::Allow, ListKind::Deny, ListKind::Ask])
    }

    /// Collects the lists that name tools without deciding about them: calls in code, and the tools that an agent is
    /// given.
    pub(crate) fn mentions(snapshot: &'a Snapshot) -> Permits<'a> {
        Permits::of_kinds(snapshot, &[ListKind::Mention, ListKind::Offer])
    }

    /// Collects every list that names tools.
    pub(crate) fn all(snapshot: &'a Snapshot) -> Permits<'a> {
        Permits::of_kinds(snapshot, &ListKind::ALL)
    }

    fn of_kinds(snapshot: &'a Snapshot, kinds: &[ListKind]) -> Permits<'a> {
        let keys = &snapshot.analysis().keys;
        let mut lists = Vec::new();
        for file in snapshot.files.all() {
            let facts = snapshot.client_facts(file.id);
            let of_file = facts.flat_map(|facts| facts.lists.iter().map(|list| (facts.order, list)));
            for (order, list) in of_file.filter(|(_, list)| kinds.contains(&list.kind)) {
                let grammar = &list.grammar;
                let spelt = grammar.spell_all(keys.keys());
                let file = file.id;
                let mut indexed = Indexed { file, order, list, exact: FxHashMap::default(), patterns: Vec::new() };
                for entry in &list.entries {
                    let text = entry.text.text.as_str();
                    indexed.exact.entry(list.bare(text)).or_default().push(entry);
                    // The entries of a hook are regular expressions, not patterns.
                    if list.is_bare() || list.kind == ListKind::Hook {
                        continue;
                    }
                    match list.parse(text, &spelt) {
                        rule @ (Rule::ToolPattern { .. } | Rule::Pattern) => {
                            let (over_names, server) = (list.pattern(text).into_owned(), rule.server());
                            indexed.patterns.push(Pattern { over_names, server: server.map(str::to_string), entry });
                        }
                        Rule::Server { server } => {
                            let over_names = format!("{}*{}", grammar.server_prefix(server), grammar.tool.suffix);
                            indexed.patterns.push(Pattern { over_names, server: Some(server.to_string()), entry });
                        }
                        Rule::Tool { .. } | Rule::BuiltIn | Rule::Malformed(_) => {}
                    }
                }
                lists.push(indexed);
            }
        }
        Permits { lists }
    }

    /// Returns the entries that match the tool `wire` of a server under any of its keys.
    pub(crate) fn of<'k>(&self, keys: impl IntoIterator<Item = &'k String>, wire: &str) -> Vec<Permit<'a>> {
        self.found(keys, wire, true)
    }

    /// Returns the entries that name exactly this tool.
    pub(crate) fn naming<'k>(&self, keys: impl IntoIterator<Item = &'k String>, wire: &str) -> Vec<Permit<'a>> {
        self.found(keys, wire, false)
    }

    fn found<'k>(&self, keys: impl IntoIterator<Item = &'k String>, wire: &str, by_patterns: bool) -> Vec<Permit<'a>> {
        let keys: Vec<&String> = keys.into_iter().collect();
        let mut found = Vec::new();
        for Indexed { file, order, list, exact, patterns } in &self.lists {
            let keys = keys.iter().filter(|key| list.is_about(key));
            let spelt = |key: &String| list.grammar.spell_all(std::iter::once(key));
            let names: Vec<(Spelt, String)> = match list.is_bare() {
                true => vec![(Spelt::default(), wire.to_string())],
                false => keys.map(|key| (spelt(key), list.grammar.composed(key, wire))).collect(),
            };
            for (key, name) in names {
                let also = key.first().and_then(|key| list.grammar.also_composed(key, wire));
                let whole = [Some(name.clone()), also].into_iter().flatten();
                let whole: Vec<&Entry> = whole.filter_map(|name| exact.get(name.as_str())).flatten().copied().collect();
                let is_about = |it: &&Pattern<'_>| {
                    let covers = it.server.as_ref().is_none_or(|server| list.is_covered(server, &key));
                    by_patterns && covers && glob_matches(&it.over_names, &name)
                };
                let entries = whole.into_iter().chain(patterns.iter().filter(is_about).map(|it| it.entry));
                found.extend(entries.map(|entry| Permit { file: *file, list, entry, order: *order }));
            }
        }
        found.sort_by_key(|permit| (permit.file, permit.entry.whole));
        found.dedup_by_key(|permit| (permit.file, permit.entry.whole));
        found
    }
}

impl<'a> Permit<'a> {
    /// Returns the file, and the span of the entry's text in it.
    pub(crate) fn place(&self) -> (FileId, Span) {
        (self.file, self.entry.text.span)
    }

    /// Whether the entry restricts the calls to which it applies.
    pub(super) fn has_conditions(&self) -> bool {
        let text = self.entry.text.text.as_str();
        let restriction = &text[self.list.bare(text).len()..];
        let restricts = !self.list.grammar.ignores_arguments && !matches!(restriction, "" | "()" | "(*)");
        self.entry.has_conditions || restricts && Decision::of(self.list.kind).is_some()
    }

    /// Returns the match of the entry, in the file with this rank; `None` if the entry decides nothing.
    pub(super) fn as_match(&self, file: usize) -> Option<Match<'a>> {
        let decision = Decision::of(self.list.kind)?;
        Some(Match { decision, list: self.list, entry: self.entry, file, is_added: false })
    }
}

/// Returns the entry that decides about a tool in one client, out of the entries that match the tool. `None` if the
/// client has no such entry, or if it decides by priorities, which are not known.
pub(crate) fn deciding_in<'p, 'a>(permits: &'p [Permit<'a>], client: &Client) -> Option<&'p Permit<'a>> {
    let own = || permits.iter().filter(|permit| *permit.list.client == *client);
    let order = own().next()?.order;
    if order == Order::Priority {
        return None;
    }
    let matches: Vec<Match<'a>> = own().filter_map(|permit| permit.as_match(permit.file.0 as usize)).collect();
    let entry = deciding(order, &matches)?.entry;
    own().find(|permit| std::ptr::eq(permit.entry, entry))
}
