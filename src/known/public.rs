//! The public servers that the strings of client files may be about: those that a config starts, and those that are
//! usually called so; and the servers whose tools nothing shows.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::catalogue::PublicServer;
use crate::client::{Asked, Grammar, List, Published, Spelt};
use crate::workspace::{Analysis, Known, Server, Snapshot};

/// A public server that strings name.
pub(crate) struct Named {
    pub(crate) server: &'static PublicServer,
    pub(crate) evidence: Evidence,
}

/// Why a string is about a public server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// A config starts it in some version.
    Started(Asked),
    /// Configs usually start it, and no other public server, under this key.
    Usual,
    /// Configs usually start it or another public server under this key.
    OneOfSeveral,
}

/// Returns the public servers that a string of a list may be about, by the server's name in the string. None if the
/// tools of the server are known otherwise.
pub(crate) fn named(analysis: &Analysis, list: &List, server: &str) -> Vec<Named> {
    let is_it = |key: &str| key == server || list.grammar.normalise(key) == server;
    let known = analysis.keys_of(list).find(|(key, _)| is_it(key)).map(|(_, known)| known);
    of_key(analysis, &list.grammar, server, known)
}

/// Like [`named`]; `known` is the entry of the server's key, if there is one.
pub(crate) fn of_key(analysis: &Analysis, grammar: &Grammar, server: &str, known: Option<&Known>) -> Vec<Named> {
    if let Some(known) = known {
        let started = started(known).and_then(|started| Some((PublicServer::with_id(&started.id)?, started)));
        let named =
            |(server, started): (_, &Published)| Named { server, evidence: Evidence::Started(started.asked.clone()) };
        return started.map(named).into_iter().collect();
    }
    let is_it = |key: &str| key == server || grammar.normalise(key) == server;
    let usual =
        analysis.memo.get(format!("public {:?} {server}", grammar.keeps), || PublicServer::usually_called(is_it));
    let evidence = if usual.len() == 1 { Evidence::Usual } else { Evidence::OneOfSeveral };
    usual.iter().map(|&server| Named { server, evidence: evidence.clone() }).collect()
}

/// Returns the servers with source in this workspace of which a config starts another version under the key that a
/// string names, each with what the config asks for, as it is written.
pub(crate) fn other_versions<'a>(analysis: &'a Analysis, list: &'a List, server: &str) -> Vec<(&'a Server, &'a str)> {
    let is_it = |key: &str| key == server || list.grammar.normalise(key) == server;
    let known = analysis.keys_of(list).find(|(key, _)| is_it(key)).into_iter();
    let others = known.flat_map(|(_, known)| &known.other_versions);
    others.map(|(server, asked)| (&analysis.servers[*server], asked.as_str())).collect()
}

/// The one published server that configs start under a key; `None` if the key's tools are known, or if some config starts
/// something else.
fn started(known: &Known) -> Option<&Published> {
    match known.published.as_slice() {
        [Some(only)] if known.servers.is_empty() && known.recorded.is_none() => Some(only),
        _ => None,
    }
}

/// Returns the keys of the servers that strings name and whose tools are not known, in alphabetical order.
pub(crate) fn not_known(snapshot: &Snapshot) -> Vec<&String> {
    let analysis = snapshot.analysis();
    let is_known = |known: &Known| known.recorded.is_some() || !known.servers.is_empty();
    let unknown: Vec<&String> =
        analysis.keys.iter().filter(|(_, known)| known.elsewhere && !is_known(known)).map(|(key, _)| key).collect();
    if unknown.is_empty() {
        return unknown;
    }
    let mut named: BTreeSet<&String> = BTreeSet::new();
    let mut by_grammar: FxHashMap<*const Grammar, (Spelt, FxHashMap<String, &String>)> = FxHashMap::default();
    for list in snapshot.files.all().flat_map(|file| snapshot.client_facts(file.id)).flat_map(|facts| &facts.lists) {
        let (spelt, keys) = by_grammar.entry(Arc::as_ptr(&list.grammar)).or_insert_with(|| {
            let keys = unknown.iter().map(|key| (list.grammar.normalise(key), *key));
            (list.grammar.spell_all(analysis.keys.keys()), keys.collect())
        });
        for entry in &list.entries {
            let server = list.parse(&entry.text.text, spelt);
            named.extend(server.server().and_then(|server| keys.get(server)));
        }
    }
    named.into_iter().collect()
}
