//! The sound strings of a file, so that each finds those that have to do with it.

use rustc_hash::FxHashMap;

use super::Examined;
use crate::client::{ListKind, Rule as Permission, glob_matches};

/// Every sound string of a file.
pub(super) struct Others<'e, 'a> {
    /// The first of each text in each list.
    first: FxHashMap<(usize, &'e str), &'e Examined<'a>>,
    /// Those of each scope, by their text.
    by_text: FxHashMap<(u32, &'e str), Vec<&'e Examined<'a>>>,
    /// Those that deny or ask, whatever they match.
    guards: Vec<&'e Examined<'a>>,
    /// Those that match several tools of a server.
    of_server: FxHashMap<&'e str, Vec<&'e Examined<'a>>>,
    /// Those that match tools of several servers.
    patterns: Vec<&'e Examined<'a>>,
}

impl<'e, 'a> Others<'e, 'a> {
    pub(super) fn new(all: &'e [Examined<'a>]) -> Others<'e, 'a> {
        let mut others = Others {
            first: FxHashMap::default(),
            by_text: FxHashMap::default(),
            guards: Vec::new(),
            of_server: FxHashMap::default(),
            patterns: Vec::new(),
        };
        for examined in all {
            others.first.entry((list_of(examined), examined.text())).or_insert(examined);
            others.by_text.entry((examined.list.scope, examined.text())).or_default().push(examined);
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
        let first = *self.first.get(&(list_of(examined), examined.text()))?;
        (!std::ptr::eq(first.entry, examined.entry)).then_some(first)
    }

    /// The same string in other lists of the same scope.
    pub(super) fn same(&self, examined: &Examined<'_>) -> Vec<&'e Examined<'a>> {
        let same = self.by_text.get(&(examined.list.scope, examined.text())).into_iter().flatten();
        same.filter(|other| other.list.kind != examined.list.kind).copied().collect()
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

fn list_of(examined: &Examined<'_>) -> usize {
    std::ptr::from_ref(examined.list) as usize
}
