//! The entries of client files that match a tool, and which of them decides.

use rustc_hash::FxHashMap;

use crate::client::{Entry, List, ListKind, Order, Rule, glob_matches};
use crate::rename::Target;
use crate::text::{FileId, Span};
use crate::workspace::Snapshot;

/// The permission lists of a workspace, indexed for lookups of many tools.
pub(super) struct Permits<'a> {
    lists: Vec<Indexed<'a>>,
}

/// One entry that matches a tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Permit<'a> {
    pub file: FileId,
    pub list: &'a List,
    pub entry: &'a Entry,
    order: Order,
}

/// A list, with its entries indexed by what they match.
struct Indexed<'a> {
    file: FileId,
    order: Order,
    list: &'a List,
    exact: FxHashMap<&'a str, Vec<&'a Entry>>,
    /// The entries that are patterns, each with its pattern over composed names.
    patterns: Vec<(String, &'a Entry)>,
}

impl<'a> Permits<'a> {
    /// Collects the lists that decide about tools.
    pub(super) fn new(snapshot: &'a Snapshot) -> Permits<'a> {
        Permits::of_kinds(snapshot, &[ListKind::Allow, ListKind::Deny, ListKind::Ask])
    }

    /// Collects the lists that name tools without deciding about them: calls in code, and the tools that an agent is
    /// given.
    pub(super) fn mentions(snapshot: &'a Snapshot) -> Permits<'a> {
        Permits::of_kinds(snapshot, &[ListKind::Mention, ListKind::Offer])
    }

    /// Collects every list that names tools.
    pub(super) fn all(snapshot: &'a Snapshot) -> Permits<'a> {
        Permits::of_kinds(snapshot, &ListKind::ALL)
    }

    fn of_kinds(snapshot: &'a Snapshot, kinds: &[ListKind]) -> Permits<'a> {
        let keys = &snapshot.analysis().keys;
        let mut lists = Vec::new();
        for file in snapshot.files.all() {
            let facts = snapshot.files.client_facts(file.id);
            let of_file = facts.flat_map(|facts| facts.lists.iter().map(|list| (facts.order, list)));
            for (order, list) in of_file.filter(|(_, list)| kinds.contains(&list.kind)) {
                let grammar = &list.grammar;
                let spelt = grammar.spell_all(keys.keys());
                let file = file.id;
                let mut indexed = Indexed { file, order, list, exact: FxHashMap::default(), patterns: Vec::new() };
                for entry in &list.entries {
                    let text = entry.text.text.as_str();
                    indexed.exact.entry(text).or_default().push(entry);
                    // The entries of a hook are regular expressions, not patterns.
                    if list.is_bare() || list.kind == ListKind::Hook {
                        continue;
                    }
                    match list.parse(text, &spelt) {
                        Rule::ToolPattern { .. } | Rule::Pattern => {
                            indexed.patterns.push((list.pattern(text).into_owned(), entry));
                        }
                        Rule::Server { server } => {
                            let pattern = format!("{}*{}", grammar.server_prefix(server), grammar.tool.suffix);
                            indexed.patterns.push((pattern, entry));
                        }
                        Rule::Tool { .. } | Rule::BuiltIn | Rule::Malformed(_) => {}
                    }
                }
                lists.push(indexed);
            }
        }
        Permits { lists }
    }

    /// Returns the entries that match a tool under any key of its server.
    pub(super) fn of(&self, target: Target<'_>) -> Vec<Permit<'a>> {
        self.found(target, true)
    }

    /// Returns the entries that name exactly this tool.
    pub(super) fn naming(&self, target: Target<'_>) -> Vec<Permit<'a>> {
        self.found(target, false)
    }

    fn found(&self, target: Target<'_>, by_patterns: bool) -> Vec<Permit<'a>> {
        let mut found = Vec::new();
        for Indexed { file, order, list, exact, patterns } in &self.lists {
            let keys = target.server.keys.iter().filter(|key| list.is_about(key));
            let names: Vec<String> = match list.is_bare() {
                true => vec![target.tool.name.clone()],
                false => keys.map(|key| list.grammar.composed(key, &target.tool.name)).collect(),
            };
            for name in names {
                let whole = exact.get(name.as_str()).into_iter().flatten().copied();
                let matching = patterns.iter().filter(|(pattern, _)| by_patterns && glob_matches(pattern, &name));
                let entries = whole.chain(matching.map(|(_, entry)| *entry));
                found.extend(entries.map(|entry| Permit { file: *file, list, entry, order: *order }));
            }
        }
        found.sort_by_key(|permit| (permit.file, permit.entry.whole));
        found.dedup_by_key(|permit| (permit.file, permit.entry.whole));
        found
    }
}

impl Permit<'_> {
    /// Returns the file, and the span of the entry's text in it.
    pub(super) fn place(&self) -> (FileId, Span) {
        (self.file, self.entry.text.span)
    }
}

/// Returns the entry that decides about a tool in one client, out of the entries that match the tool. `None` if the
/// client has no such entry, or if it decides by priorities, which are not known.
pub(super) fn deciding<'p, 'a>(permits: &'p [Permit<'a>], client: &crate::client::Client) -> Option<&'p Permit<'a>> {
    let mut own = permits.iter().filter(|permit| *permit.list.client == *client);
    match own.clone().next()?.order {
        // Deny comes before ask, and ask before allow, in any file.
        Order::Deny => own.min_by_key(|permit| match permit.list.kind {
            ListKind::Deny => 0,
            ListKind::Ask => 1,
            _ => 2,
        }),
        Order::First => own.next(),
        Order::Last => own.next_back(),
        Order::Priority => None,
    }
}
