//! The sound strings of a file, so that each finds those that have to do with it.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::Examined;
use crate::client::{List, ListKind, Rule as Permission, glob_matches};
use crate::rules::Cx;
use crate::text::FileId;

/// Every sound string of a file.
pub(super) struct Others<'e, 'a> {
    /// Those that a scope has more than once, by their text.
    repeated: FxHashMap<(u32, &'e str), Vec<&'e Examined<'a>>>,
    /// Those that deny or ask, whatever they match.
    guards: Vec<&'e Examined<'a>>,
    /// Those that match several tools of a server.
    of_server: FxHashMap<&'e str, Vec<&'e Examined<'a>>>,
    /// Those that match tools of several servers.
    patterns: Vec<&'e Examined<'a>>,
    /// For each list, those of the client's other files that deny.
    denying: FxHashMap<usize, Vec<(FileId, &'a List)>>,
}

impl<'e, 'a> Others<'e, 'a> {
    pub(super) fn new(cx: &Cx<'a>, all: &'e [Examined<'a>]) -> Others<'e, 'a> {
        let mut others = Others {
            repeated: FxHashMap::default(),
            guards: Vec::new(),
            of_server: FxHashMap::default(),
            patterns: Vec::new(),
            denying: FxHashMap::default(),
        };
        let mut first: FxHashMap<(u32, &str), &Examined<'_>> = FxHashMap::default();
        first.reserve(all.len());
        for of_list in all.chunk_by(|a, b| list_of(a) == list_of(b)) {
            others.denying.insert(list_of(&of_list[0]), denying(cx, of_list[0].list).collect());
        }
        for examined in all {
            match first.entry((examined.list.scope, examined.text())) {
                Entry::Vacant(place) => {
                    place.insert(examined);
                }
                Entry::Occupied(first) => {
                    others.repeated.entry(*first.key()).or_insert_with(|| vec![first.get()]).push(examined);
                }
            }
            if matches!(examined.list.kind, ListKind::Deny | ListKind::Ask) {
                others.guards.push(examined);
            }
            match examined.rule {
                Permission::Server { server } | Permission::ToolPattern { server, .. } => {
                    others.of_server.entry(server).or_default().push(examined);
                }
                Permission::Pattern => others.patterns.push(examined),
                _ => {}
            }
        }
        others
    }

    /// The same string further up in the list.
    pub(super) fn same_before(&self, examined: &Examined<'_>) -> Option<&'e Examined<'a>> {
        let mut same = self.repeated.get(&(examined.list.scope, examined.text()))?.iter();
        let first = same.find(|other| list_of(other) == list_of(examined))?;
        (!std::ptr::eq(first.entry, examined.entry)).then_some(*first)
    }

    /// The same string in other lists of the same scope.
    pub(super) fn same<'s>(&'s self, examined: &'s Examined<'_>) -> impl Iterator<Item = &'e Examined<'a>> + 's {
        let same = self.repeated.get(&(examined.list.scope, examined.text())).into_iter().flatten();
        same.filter(|other| other.list.kind != examined.list.kind).copied()
    }

    /// The lists of the client's other files that deny here too.
    pub(super) fn denying(&self, examined: &Examined<'_>) -> &[(FileId, &'a List)] {
        self.denying.get(&list_of(examined)).map_or(&[], Vec::as_slice)
    }

    /// Whether some string of the file denies a tool, by its composed name, or asks about it.
    pub(super) fn holds_back(&self, examined: &Examined<'_>, name: &str) -> bool {
        let matches = |guard: &&Examined<'_>| match guard.rule {
            Permission::Server { server } => guard.servers.of(server).is_some_and(|server| server.names.contains(name)),
            Permission::Tool { .. } => guard.text() == name,
            Permission::ToolPattern { .. } | Permission::Pattern => {
                glob_matches(&guard.list.pattern(guard.text()), name)
            }
            _ => false,
        };
        let is_of_one = |guard: &&&Examined<'_>| {
            let server = |it: &Examined<'_>| it.list.server.as_ref().map(|server| server.text.clone());
            std::ptr::eq(guard.grammar(), examined.grammar()) || server(guard) == server(examined)
        };
        self.guards.iter().filter(is_of_one).any(|guard| guard.counts_before(examined) && matches(guard))
    }

    /// The strings that may match all that one matches, by their forms.
    pub(super) fn wider(&self, examined: &Examined<'_>) -> impl Iterator<Item = &'e Examined<'a>> {
        let server = examined.rule.server().and_then(|server| self.of_server.get(server));
        server.into_iter().flatten().chain(&self.patterns).copied()
    }
}

/// The lists that deny in the other files of a client that hold together with the one that a list is of.
fn denying<'a>(cx: &Cx<'a>, list: &List) -> impl Iterator<Item = (FileId, &'a List)> {
    let folder = |path: &'a str| path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (own, path) = (cx.file.id, &*cx.file.path);
    let (client, grammar) = (list.client, list.grammar);
    let holds = cx.snapshot.files.client_facts(own).any(|facts| facts.client == client && facts.together);
    let files = cx.snapshot.files.all();
    let files = files.filter(move |file| holds && file.id != own && folder(&file.path) == folder(path));
    let facts = files.flat_map(|file| cx.snapshot.files.client_facts(file.id).map(|facts| (file.id, facts)));
    facts.filter(move |(_, facts)| facts.client == client && facts.together).flat_map(move |(file, facts)| {
        let is_it = move |list: &&List| list.kind == ListKind::Deny && std::ptr::eq(list.grammar, grammar);
        facts.permissions().filter(is_it).map(move |list| (file, list))
    })
}

fn list_of(examined: &Examined<'_>) -> usize {
    std::ptr::from_ref(examined.list) as usize
}
