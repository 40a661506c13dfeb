//! The public servers that the strings of client files may be about: those that a config starts, and those that are
//! usually called so.

use crate::catalogue::PublicServer;
use crate::client::{Asked, Grammar, List, Published};
use crate::workspace::{Analysis, Known};

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

/// The one published server that configs start under a key; `None` if the key's tools are known, or if some config starts
/// something else.
fn started(known: &Known) -> Option<&Published> {
    match known.published.as_slice() {
        [Some(only)] if known.servers.is_empty() && known.recorded.is_none() => Some(only),
        _ => None,
    }
}
