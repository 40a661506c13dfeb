//! The strings of a file that have no finding of their own, indexed so that the strings that affect a given one are
//! found quickly.
//!
//! A list may have thousands of strings, so no string is compared with all the others.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Examined;
use super::covering::Globs;
use crate::client::{Entry, Grammar, List, ListKind, Order, Rule as Permission, glob_matches};
use crate::rules::Cx;
use crate::text::FileId;

/// Every string of a file that has no finding of its own.
pub(super) struct Others<'e, 'a> {
    /// The first string with each text, by list.
    first: FxHashMap<(usize, &'e str), &'e Examined<'a>>,
    /// The strings with the same scope, kind and text.
    same: FxHashMap<(u32, ListKind, &'e str), Ranked<'e, 'a>>,
    /// The strings that match several tools.
    wide: FxHashMap<Among, Wide<'e, 'a>>,
    /// The deny and ask strings.
    guards: Vec<&'e Examined<'a>>,
    /// The same strings, indexed when first needed.
    guarding: OnceLock<Guarding<'e, 'a>>,
    /// The entries that the client's other files deny, for each way in which lists read strings.
    denied: FxHashMap<Reading<'e>, Denied<'a>>,
}

/// The group of strings in which one that covers a given string is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Among {
    List(usize),
    /// The strings with the same scope and kind.
    Scope(u32, ListKind),
}

/// Strings with the same text, in the order of their file.
#[derive(Default)]
struct Ranked<'e, 'a> {
    all: Vec<&'e Examined<'a>>,
    /// For each string, the one that takes precedence among the strings up to and including it.
    ahead: Vec<&'e Examined<'a>>,
}

impl<'e, 'a> Ranked<'e, 'a> {
    fn push(&mut self, examined: &'e Examined<'a>) {
        let ahead = self.ahead.last().copied().filter(|best| !examined.counts_before(best));
        self.ahead.push(ahead.unwrap_or(examined));
        self.all.push(examined);
    }

    /// Returns the first string that takes precedence over the given one.
    fn first_before(&self, examined: &Examined<'_>) -> Option<&'e Examined<'a>> {
        let at = self.ahead.partition_point(|best| !best.counts_before(examined));
        self.all.get(at).copied()
    }
}

/// Strings that match several tools, grouped by text.
#[derive(Default)]
struct Wide<'e, 'a> {
    all: Vec<Ranked<'e, 'a>>,
    by_text: FxHashMap<(Reading<'e>, &'e str), usize>,
    /// The strings that match a whole server, by server.
    servers: FxHashMap<&'e str, Vec<usize>>,
    /// The patterns over the tools of one server, by server.
    of_server: FxHashMap<&'e str, Patterns<'e>>,
    /// The patterns over whole names.
    over_names: Patterns<'e>,
}

/// Patterns, as indices into [`Wide::all`].
#[derive(Default)]
struct Patterns<'e> {
    globs: Globs<usize>,
    /// The patterns whose only `*` is at the end, by the address of their grammar and the text before the `*`.
    stems: FxHashMap<(usize, &'e str), Vec<usize>>,
    grammars: Vec<&'e Grammar>,
    lengths: BTreeSet<usize>,
}

impl<'e> Patterns<'e> {
    fn add(&mut self, examined: &'e Examined<'_>, index: usize) {
        self.globs.add(&examined.list.pattern(examined.text()), index);
        let Some(stem) = examined.text().strip_suffix('*').filter(|stem| !stem.contains('*')) else { return };
        let grammar = examined.grammar();
        if !self.grammars.iter().any(|known| std::ptr::eq(*known, grammar)) {
            self.grammars.push(grammar);
        }
        self.lengths.insert(stem.len());
        self.stems.entry((std::ptr::from_ref(grammar) as usize, stem)).or_default().push(index);
    }

    /// Returns the patterns that may cover a string.
    fn matching(&self, examined: &Examined<'_>) -> Vec<usize> {
        match examined.rule {
            Permission::Tool { .. } => {
                let (found, is_cut) = self.globs.matching(examined.text());
                if is_cut {
                    examined.fuel.run_out();
                }
                found.into_iter().copied().collect()
            }
            Permission::Server { server } => {
                let stems = self.grammars.iter().flat_map(|grammar| {
                    let prefix = grammar.server_prefix(server);
                    let grammar = std::ptr::from_ref(*grammar) as usize;
                    let stems = self
                        .lengths
                        .range(..=prefix.len())
                        .filter_map(|&length| self.stems.get(&(grammar, prefix.get(..length)?)));
                    stems.flatten().copied().collect::<Vec<usize>>()
                });
                stems.collect()
            }
            _ => Vec::new(),
        }
    }
}

impl<'e, 'a> Wide<'e, 'a> {
    fn add(&mut self, examined: &'e Examined<'a>) {
        let index = *self.by_text.entry((Reading::of(examined.list), examined.text())).or_insert(self.all.len());
        if let Some(known) = self.all.get_mut(index) {
            return known.push(examined);
        }
        let mut ranked = Ranked::default();
        ranked.push(examined);
        self.all.push(ranked);
        match examined.rule {
            Permission::Server { server } => self.servers.entry(server).or_default().push(index),
            Permission::ToolPattern { server, .. } => {
                self.of_server.entry(server).or_default().add(examined, index);
            }
            _ => self.over_names.add(examined, index),
        }
    }

    /// Returns the first string that covers `narrow` and takes precedence over it. Strings about the server of `narrow`
    /// come before patterns over whole names.
    fn first_covering(&self, narrow: &Examined<'_>) -> Option<&'e Examined<'a>> {
        let first = |found: Vec<usize>| {
            let before = found.into_iter().filter_map(|index| self.all[index].first_before(narrow));
            // All strings are in one slice, so their addresses give the order.
            before.filter(|wide| covers(wide, narrow)).min_by_key(|wide| std::ptr::from_ref(*wide))
        };
        let of_server = narrow.rule.server().and_then(|server| {
            let whole = self.servers.get(server).into_iter().flatten().copied();
            let patterns = self.of_server.get(server).map(|patterns| patterns.matching(narrow));
            first(whole.chain(patterns.unwrap_or_default()).collect())
        });
        of_server.or_else(|| first(self.over_names.matching(narrow)))
    }
}

/// The deny and ask strings, indexed by what they match. Of several equivalent strings, only the one that takes
/// precedence is kept.
#[derive(Default)]
struct Guarding<'e, 'a> {
    texts: FxHashMap<&'e str, Vec<&'e Examined<'a>>>,
    /// The strings about whole servers, by the composed names of the servers' tools.
    names: FxHashMap<&'e str, Vec<&'e Examined<'a>>>,
    globs: Globs<&'e Examined<'a>>,
}

impl<'e, 'a> Guarding<'e, 'a> {
    fn of(guards: &[&'e Examined<'a>]) -> Guarding<'e, 'a> {
        let mut best: FxHashMap<_, usize> = FxHashMap::default();
        let mut kept: Vec<&Examined<'_>> = Vec::new();
        for &guard in guards {
            let kind = (std::ptr::from_ref(guard.grammar()) as usize, server_of(guard), guard.text());
            let at = *best.entry(kind).or_insert_with(|| {
                kept.push(guard);
                kept.len() - 1
            });
            if guard.counts_before(kept[at]) {
                kept[at] = guard;
            }
        }
        let mut guarding = Guarding::default();
        for guard in kept {
            match guard.rule {
                Permission::Tool { .. } => guarding.texts.entry(guard.text()).or_default().push(guard),
                Permission::Server { server } => {
                    let names = guard.servers.of(server).into_iter().flat_map(|server| &server.names);
                    names.for_each(|name| guarding.names.entry(name.as_str()).or_default().push(guard));
                }
                Permission::ToolPattern { .. } | Permission::Pattern => {
                    guarding.globs.add(&guard.list.pattern(guard.text()), guard);
                }
                _ => {}
            }
        }
        guarding
    }
}

/// The properties of a list that decide how it reads the strings of other files.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Reading<'e> {
    client: usize,
    grammar: usize,
    wildcards: crate::client::Wildcards,
    row: usize,
    server: Option<&'e str>,
}

impl<'e> Reading<'e> {
    fn of(list: &'e List) -> Reading<'e> {
        Reading {
            client: list.client.index,
            grammar: Arc::as_ptr(&list.grammar) as usize,
            wildcards: list.wildcards,
            row: list.row.as_ref().map_or(0, |row| Arc::as_ptr(row) as usize),
            server: list.server.as_ref().map(|server| server.text.as_str()),
        }
    }
}

/// The deny entries of a client's other files, indexed by what they match.
#[derive(Default)]
struct Denied<'a> {
    all: Vec<(FileId, &'a Entry)>,
    texts: FxHashMap<&'a str, usize>,
    servers: FxHashMap<String, usize>,
    /// The composed names of the tools of those servers.
    names: FxHashSet<&'a str>,
    patterns: Globs<usize>,
    /// The patterns, and the strings about a single tool.
    tools: Globs<()>,
}

impl<'a> Denied<'a> {
    fn of(cx: &Cx<'a>, examined: &Examined<'a>) -> Denied<'a> {
        let mut denied = Denied::default();
        for (file, list) in denying(cx, examined.list) {
            for entry in &list.entries {
                let (index, text) = (denied.all.len(), entry.text.text.as_str());
                denied.all.push((file, entry));
                if denied.texts.contains_key(text) {
                    continue;
                }
                denied.texts.insert(text, index);
                match examined.parse(text) {
                    Permission::Server { server } => {
                        denied.servers.entry(server.to_string()).or_insert(index);
                        let names = examined.servers.of(server).into_iter().flat_map(|server| &server.names);
                        denied.names.extend(names.map(String::as_str));
                    }
                    Permission::ToolPattern { .. } | Permission::Pattern => {
                        denied.patterns.add(text, index);
                        denied.tools.add(text, ());
                    }
                    Permission::Tool { .. } => denied.tools.add(text, ()),
                    _ => {}
                }
            }
        }
        denied
    }
}

impl<'e, 'a> Others<'e, 'a> {
    pub(super) fn new(cx: &Cx<'a>, all: &'e [Examined<'a>]) -> Others<'e, 'a> {
        let mut others = Others {
            first: FxHashMap::default(),
            same: FxHashMap::default(),
            wide: FxHashMap::default(),
            guards: Vec::new(),
            guarding: OnceLock::new(),
            denied: FxHashMap::default(),
        };
        others.first.reserve(all.len());
        for examined in all {
            let list = examined.list;
            let reading = Reading::of(list);
            others.denied.entry(reading).or_insert_with(|| Denied::of(cx, examined));
            others.first.entry((list_of(examined), examined.text())).or_insert(examined);
            // If the order of entries matters, an entry about only some calls does not override any other entry.
            let decides = matches!(examined.order, Order::Deny | Order::Priority) || !examined.entry.has_conditions;
            if decides {
                others.same.entry((list.scope, list.kind, examined.text())).or_default().push(examined);
            }
            if matches!(list.kind, ListKind::Deny | ListKind::Ask) {
                others.guards.push(examined);
            }
            if let Permission::Server { .. } | Permission::ToolPattern { .. } | Permission::Pattern = examined.rule {
                others.wide.entry(Among::List(list_of(examined))).or_default().add(examined);
                if decides {
                    others.wide.entry(Among::Scope(list.scope, list.kind)).or_default().add(examined);
                }
            }
        }
        others
    }

    /// Returns the first occurrence of the same string in the list, if it is not this one.
    pub(super) fn same_before(&self, examined: &Examined<'_>) -> Option<&'e Examined<'a>> {
        let first = *self.first.get(&(list_of(examined), examined.text()))?;
        (!std::ptr::eq(first.entry, examined.entry)).then_some(first)
    }

    /// Returns the first string of the list that matches everything that this one matches, judging by the forms of the
    /// two strings.
    pub(super) fn wider_of_list(&self, examined: &Examined<'_>) -> Option<&'e Examined<'a>> {
        self.wide.get(&Among::List(list_of(examined)))?.first_covering(examined)
    }

    /// Returns the first string of the scope, in lists of the given kinds, that equals this one or matches everything
    /// it matches, and takes precedence over it.
    pub(super) fn overruling(&self, examined: &Examined<'_>, kinds: &[ListKind]) -> Option<&'e Examined<'a>> {
        let scope = examined.list.scope;
        let kinds = || kinds.iter().filter(|kind| **kind != examined.list.kind);
        let first = |found: &mut dyn Iterator<Item = &'e Examined<'a>>| found.min_by_key(|it| std::ptr::from_ref(*it));
        let same = kinds().filter_map(|kind| self.same.get(&(scope, *kind, examined.text())));
        let same = first(&mut same.filter_map(|same| same.first_before(examined)));
        same.or_else(|| {
            let wide = kinds().filter_map(|kind| self.wide.get(&Among::Scope(scope, *kind)));
            let wide: Vec<&Examined<'_>> = wide.filter_map(|wide| wide.first_covering(examined)).collect();
            // Strings about the same server come before patterns over whole names.
            let is_over_names = |it: &Examined<'_>| it.rule == Permission::Pattern;
            wide.into_iter().min_by_key(|it| (is_over_names(it), std::ptr::from_ref(*it)))
        })
    }

    /// Returns the first entry in the client's other files that denies everything that this string matches.
    pub(super) fn denied_beside(&self, examined: &Examined<'_>) -> Option<(FileId, &'a Entry)> {
        let denied = self.denied.get(&Reading::of(examined.list))?;
        let same = denied.texts.get(examined.text()).copied();
        let server = examined.rule.server().and_then(|server| denied.servers.get(server)).copied();
        let is_one = matches!(examined.rule, Permission::Tool { .. });
        let (matching, is_cut) = if is_one { denied.patterns.matching(examined.text()) } else { (Vec::new(), false) };
        if is_cut {
            examined.fuel.run_out();
        }
        let first = same.into_iter().chain(server).chain(matching.into_iter().copied()).min()?;
        Some(denied.all[first])
    }

    /// Whether another file of the client denies the tool with a composed name.
    pub(super) fn is_denied_beside(&self, examined: &Examined<'_>, name: &str) -> bool {
        let denied = self.denied.get(&Reading::of(examined.list));
        denied.is_some_and(|denied| denied.names.contains(name) || !denied.tools.matching(name).0.is_empty())
    }

    /// Whether the file has a deny or ask string that takes precedence over `examined` and matches the tool whose
    /// composed name is `name`.
    pub(super) fn holds_back(&self, examined: &Examined<'_>, name: &str) -> bool {
        let guarding = self.guarding.get_or_init(|| Guarding::of(&self.guards));
        let is_of_one = |guard: &Examined<'_>| {
            std::ptr::eq(guard.grammar(), examined.grammar()) || server_of(guard) == server_of(examined)
        };
        let counts = |guard: &&Examined<'_>| is_of_one(guard) && guard.counts_before(examined);
        let named = [&guarding.texts, &guarding.names].into_iter().filter_map(|guards| guards.get(name));
        named.flatten().any(counts) || {
            let (matching, is_cut) = guarding.globs.matching(name);
            if is_cut {
                examined.fuel.run_out();
            }
            matching.into_iter().any(counts)
        }
    }
}

/// Returns the deny lists in the other files of a list's client, if those files apply together with the file of the
/// list.
fn denying<'a>(cx: &Cx<'a>, list: &List) -> impl Iterator<Item = (FileId, &'a List)> {
    let own = cx.file.id;
    let (client, grammar) = (&list.client, &list.grammar);
    let holds = cx.snapshot.client_facts(own).any(|facts| facts.client == *client && facts.together);
    // Most files apply on their own.
    let files = holds.then(|| together(cx, crate::path::directory(&cx.file.path)));
    let files = files.into_iter().flatten().filter(move |file| *file != own);
    let facts = files.flat_map(|file| cx.snapshot.client_facts(file).map(move |facts| (file, facts)));
    facts.filter(move |(_, facts)| facts.client == *client && facts.together).flat_map(move |(file, facts)| {
        let is_it = move |list: &&List| list.kind == ListKind::Deny && Arc::ptr_eq(&list.grammar, grammar);
        facts.permissions().filter(is_it).map(move |list| (file, list))
    })
}

/// Returns the files of a folder that apply together with other files of the folder.
fn together(cx: &Cx<'_>, folder: &str) -> Vec<FileId> {
    let all = cx.analysis.memo.get("files that hold together".to_string(), || {
        let mut all: FxHashMap<String, Vec<FileId>> = FxHashMap::default();
        for file in cx.snapshot.files.all() {
            if cx.snapshot.client_facts(file.id).any(|facts| facts.together) {
                all.entry(crate::path::directory(&file.path).to_string()).or_default().push(file.id);
            }
        }
        all
    });
    all.get(folder).cloned().unwrap_or_default()
}

fn list_of(examined: &Examined<'_>) -> usize {
    std::ptr::from_ref(examined.list) as usize
}

fn server_of<'s>(examined: &Examined<'s>) -> Option<&'s str> {
    examined.list.server.as_ref().map(|server| server.text.as_str())
}

/// Whether `wide` matches everything that `narrow` matches, judging only by the forms of the two strings.
pub(super) fn covers(wide: &Examined<'_>, narrow: &Examined<'_>) -> bool {
    if std::ptr::eq(wide.entry, narrow.entry) || wide.text() == narrow.text() {
        return false;
    }
    match &wide.rule {
        Permission::Server { server } => narrow.rule.server() == Some(*server),
        Permission::ToolPattern { .. } | Permission::Pattern => match narrow.rule {
            Permission::Tool { .. } => glob_matches(&wide.list.pattern(wide.text()), narrow.text()),
            Permission::Server { server } => {
                // The pattern must match every tool of the server, whatever its name.
                let prefix = wide.grammar().server_prefix(server);
                wide.text().strip_suffix('*').is_some_and(|stem| prefix.starts_with(stem) && !stem.contains('*'))
            }
            _ => false,
        },
        _ => false,
    }
}
