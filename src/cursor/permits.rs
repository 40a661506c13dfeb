//! Which entries of client files speak of a tool, and which of them counts.

use rustc_hash::FxHashMap;

use crate::client::{Entry, List, ListKind, Order, Rule, glob_matches};
use crate::rename::Target;
use crate::text::FileId;
use crate::workspace::Snapshot;

/// Every permission list of a workspace, ready to be asked about many tools.
pub struct Permits<'a> {
    lists: Vec<Indexed<'a>>,
}

/// One entry that matches a tool.
#[derive(Debug, Clone, Copy)]
pub struct Permit<'a> {
    pub file: FileId,
    pub list: &'a List,
    pub entry: &'a Entry,
    order: Order,
}

/// A list with its entries by what they match.
struct Indexed<'a> {
    file: FileId,
    order: Order,
    list: &'a List,
    exact: FxHashMap<&'a str, Vec<&'a Entry>>,
    /// Each pattern, and the entry that it is of.
    patterns: Vec<(String, &'a Entry)>,
}

impl<'a> Permits<'a> {
    /// The lists that decide about tools.
    pub fn new(snapshot: &'a Snapshot) -> Permits<'a> {
        Permits::of_kinds(snapshot, &[ListKind::Allow, ListKind::Deny, ListKind::Ask])
    }

    /// What names tools and decides nothing: calls in code, what an agent is given.
    pub fn mentions(snapshot: &'a Snapshot) -> Permits<'a> {
        Permits::of_kinds(snapshot, &[ListKind::Mention, ListKind::Offer])
    }

    fn of_kinds(snapshot: &'a Snapshot, kinds: &[ListKind]) -> Permits<'a> {
        let keys = &snapshot.analysis().keys;
        let mut lists = Vec::new();
        for file in snapshot.files.all() {
            let facts = snapshot.files.client_facts(file.id);
            let of_file = facts.flat_map(|facts| facts.permissions().map(|list| (facts.order, list)));
            for (order, list) in of_file.filter(|(_, list)| kinds.contains(&list.kind)) {
                let grammar = list.grammar;
                let spelt = grammar.spell_all(keys.keys());
                let file = file.id;
                let mut indexed = Indexed { file, order, list, exact: FxHashMap::default(), patterns: Vec::new() };
                for entry in &list.entries {
                    let text = entry.text.text.as_str();
                    if list.is_bare() {
                        indexed.exact.entry(text).or_default().push(entry);
                        continue;
                    }
                    match list.parse(text, &spelt) {
                        Rule::Tool { .. } => indexed.exact.entry(text).or_default().push(entry),
                        Rule::ToolPattern { .. } | Rule::Pattern => {
                            indexed.patterns.push((list.pattern(text).into_owned(), entry));
                        }
                        Rule::Server { server } => {
                            let pattern = format!("{}*{}", grammar.server_prefix(server), grammar.tool.suffix);
                            indexed.patterns.push((pattern, entry));
                        }
                        Rule::BuiltIn | Rule::Malformed(_) => {}
                    }
                }
                lists.push(indexed);
            }
        }
        Permits { lists }
    }

    /// The entries that match a tool under any of its keys.
    pub fn of(&self, target: Target<'_>) -> Vec<Permit<'a>> {
        let mut found = Vec::new();
        for indexed in &self.lists {
            let Indexed { file, order, list, exact, patterns } = indexed;
            if list.is_bare() {
                let entries = exact.get(target.tool.name.as_str()).into_iter().flatten();
                found.extend(entries.map(|&entry| Permit { file: *file, list, entry, order: *order }));
                continue;
            }
            for key in target.server.keys.iter().filter(|key| list.is_about(key)) {
                let name = list.grammar.composed(key, &target.tool.name);
                let whole = exact.get(name.as_str()).into_iter().flatten().copied();
                let matching = patterns.iter().filter(|(pattern, _)| glob_matches(pattern, &name));
                let entries = whole.chain(matching.map(|(_, entry)| *entry));
                found.extend(entries.map(|entry| Permit { file: *file, list, entry, order: *order }));
            }
        }
        found.sort_by_key(|permit| (permit.file, permit.entry.whole));
        found.dedup_by_key(|permit| (permit.file, permit.entry.whole));
        found
    }
}

/// The entry that decides about a tool in one client, of those that match it there. Where priorities decide, nobody
/// says.
pub fn deciding<'p, 'a>(permits: &'p [Permit<'a>], client: usize) -> Option<&'p Permit<'a>> {
    let mut own = permits.iter().filter(|permit| permit.list.client == client);
    match own.clone().next()?.order {
        // Denying comes before asking, and asking before allowing, in whichever file.
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
