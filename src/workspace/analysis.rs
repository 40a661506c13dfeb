//! Everything that is derived from the files of a snapshot.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::memo::Memo;
use super::programs::Ran;
use super::server::Server;
use crate::client::{List, Published};
use crate::found::{Dynamic, Found, Want};
use crate::syntax::Family;
use crate::text::{FileId, Span};

/// Everything that is derived from the files of a snapshot.
#[derive(Debug, Default)]
pub struct Analysis {
    pub servers: Vec<Server>,
    /// Servers with the tools that were recorded in snapshots.
    pub recorded: Vec<Server>,
    /// Every known server key, in alphabetical order.
    pub keys: BTreeMap<String, Known>,
    /// The keys and command lines under which calls in code start servers for an agent.
    pub called: BTreeMap<String, Known>,
    /// Dynamic registrations that belong to no server.
    pub dynamics: Vec<Dynamic>,
    /// The inputs that the evaluation still needs: files to parse, and words to search unparsed files for.
    pub wants: Vec<Want>,
    /// Other values that are derived from this analysis.
    pub memo: Memo,
    pub(super) found: FxHashMap<FileId, Arc<Found>>,
    /// The results of the programs, by language.
    pub(super) ran: FxHashMap<Family, Arc<Ran>>,
}

impl Analysis {
    /// The entry of a key, as the strings of a list have it.
    pub fn key_of(&self, list: &List, key: &str) -> Option<&Known> {
        let called = (list.row.is_none() && !list.client.calls.is_empty()).then(|| self.called.get(key));
        called.flatten().or_else(|| self.keys.get(key))
    }

    /// The servers that the strings of a list may be about, by key.
    pub fn keys_of<'a>(&'a self, list: &'a List) -> impl Iterator<Item = (&'a String, &'a Known)> {
        // A list outside of a client's own files is about the server of its call, or of other calls.
        let is_own = |key: &String| list.server.as_ref().is_none_or(|server| server.text == *key);
        let is_called = list.row.is_none() && !list.client.calls.is_empty();
        let called = self.called.iter().filter(move |(key, _)| is_called && is_own(key));
        let is_new = move |key: &String| !(is_called && self.called.contains_key(key));
        called.chain(self.keys.iter().filter(move |(key, _)| list.is_about(key) && is_new(key)))
    }
}

/// A server key that client files use.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The span of the key in each file that has an entry for it.
    pub entries: Vec<(FileId, Span)>,
    /// Indices into [`Analysis::servers`]: the servers that this key starts, if their source is in the workspace.
    pub servers: Vec<usize>,
    /// Whether some entry starts a server whose source is not in the workspace.
    pub elsewhere: bool,
    /// Servers whose source is in the workspace, if an entry starts another version of them, or a build that may be
    /// another: their indices, each with what the entry asks for, as it is written.
    pub(crate) other_versions: Vec<(usize, String)>,
    /// The published servers that entries start whose source is not in the workspace, each once; `None` stands for
    /// anything else that entries start.
    pub(crate) published: Vec<Option<Published>>,
    /// Index into [`Analysis::recorded`], if the tools are known from a snapshot.
    pub recorded: Option<usize>,
}
