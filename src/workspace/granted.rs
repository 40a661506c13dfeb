//! Calls in code that name the tools of servers for agents, as facts for clients: the lists of strings where they are
//! written, and the servers that the calls start.

use rustc_hash::{FxHashMap, FxHashSet};

use super::file::Content;
use super::programs::in_facts;
use super::{Analysis, Files};
use crate::client::{self, ClientFacts, Literals, ServerEntry};
use crate::document::Text;
use crate::found::Traced;
use crate::registry::Granted;
use crate::text::{FileId, Span};

/// The facts for clients by file.
#[derive(Debug, Clone, Default)]
pub(super) struct Grants {
    by_file: FxHashMap<FileId, Vec<ClientFacts>>,
}

impl Grants {
    /// The facts for the calls that the programs of an analysis make.
    pub(super) fn of(files: &Files, analysis: &Analysis) -> Grants {
        let mut grants = Grants::default();
        for granted in analysis.ran.values().flat_map(|ran| ran.granted()) {
            grants.take(files, granted);
        }
        for facts in grants.by_file.values_mut().flatten() {
            facts.servers.dedup();
            // A list that several servers get may name tools of any of them.
            let mut servers: FxHashMap<Span, FxHashSet<Option<String>>> = FxHashMap::default();
            for list in &facts.lists {
                servers.entry(list.span).or_default().insert(list.server.as_ref().map(|server| server.text.clone()));
            }
            for list in facts.lists.iter_mut().filter(|list| servers[&list.span].len() > 1) {
                list.server = None;
            }
            facts.lists.sort_by_key(|list| (list.span, list.kind as u8));
            facts.lists.dedup_by(|a, b| (a.span, a.kind) == (b.span, b.kind) && same_server(a, b));
        }
        grants
    }

    /// The facts in a file, one for each client.
    pub(super) fn in_file(&self, file: FileId) -> &[ClientFacts] {
        self.by_file.get(&file).map_or(&[], Vec::as_slice)
    }

    /// All files with such calls, each with its facts.
    pub(super) fn all(&self) -> impl Iterator<Item = (FileId, &ClientFacts)> {
        let mut files: Vec<FileId> = self.by_file.keys().copied().collect();
        files.sort_unstable();
        files.into_iter().flat_map(|file| self.in_file(file).iter().map(move |facts| (file, facts)))
    }

    fn take(&mut self, files: &Files, granted: &Granted) {
        let (client, row) = files.known_clients().call(granted.row);
        let Some(place) = in_facts(files, granted.place) else { return };
        let (file, call) = (place.file, files.span(place));
        // If the command of the call is not known, its key may be any name.
        let is_certain = granted.command.is_some() || granted.made.is_some() || row.command.is_empty();
        let server = server(files, granted, (file, call)).filter(|_| is_certain);
        // Where names may have a prefix, a list is about no server in particular.
        let of_list = server.as_ref().filter(|_| !granted.of_any_server);
        for (index, strings) in &granted.lists {
            let row = &row.lists[*index];
            let grammar = row.grammar.as_ref().unwrap_or(&client.names);
            // Names without a server mean nothing if the server of the call is not known.
            let is_bare = grammar.tool.separator.is_none();
            if is_bare && of_list.is_none() && !granted.of_any_server {
                continue;
            }
            let mut by_file: FxHashMap<FileId, Vec<Span>> = FxHashMap::default();
            for place in strings.iter().filter_map(Traced::written_at).filter_map(|place| in_facts(files, place)) {
                by_file.entry(place.file).or_default().push(files.span(place));
            }
            for (at, spans) in by_file {
                let Some(Content::Source(facts)) = files.get(at).map(|file| &file.content) else { continue };
                let Some(text) = files.text_of_source(at) else { continue };
                let literals = Literals { client, list: row.list, wildcards: row.wildcards, strings: row.strings };
                let lists = client::literal_lists(&literals, grammar, facts, &text, &spans);
                let own = is_bare.then(|| of_list.map(|server| server.key.clone()));
                let lists = lists.into_iter().map(|mut list| {
                    (list.server, list.scope) = (own.clone().flatten(), call.start);
                    list
                });
                self.facts_of(at, client).lists.extend(lists);
            }
        }
        // A key without a command refers to a server that something else starts.
        self.facts_of(file, client).servers.extend(server.filter(|server| !server.is_reference));
    }

    fn facts_of(&mut self, file: FileId, client: &std::sync::Arc<client::Client>) -> &mut ClientFacts {
        let all = self.by_file.entry(file).or_default();
        let known = all.iter().position(|facts| facts.client.index == client.index);
        let index = known.unwrap_or_else(|| {
            all.push(ClientFacts::of(client));
            all.len() - 1
        });
        &mut all[index]
    }
}

fn same_server(a: &client::List, b: &client::List) -> bool {
    a.server.as_ref().map(|server| &server.text) == b.server.as_ref().map(|server| &server.text)
}

/// The server of a call. Without a key, it goes by the words of its command that identify it.
fn server(files: &Files, granted: &Granted, (file, call): (FileId, Span)) -> Option<ServerEntry> {
    let written = granted.key.as_ref().and_then(Traced::written_at).and_then(|place| in_facts(files, place));
    let written = written.filter(|place| place.file == file).map(|place| files.span(place));
    // For a program, the root of the workspace is `/`.
    let from_root = |word: &String| match word.trim_start_matches('/') {
        "" if !word.is_empty() => ".".to_string(),
        path if word.starts_with('/') && files.has(path) => path.to_string(),
        _ => word.clone(),
    };
    let command = granted.command.as_ref().map(|words| words.iter().map(from_root).collect::<Vec<_>>());
    let cwd = granted.cwd.as_ref().map(from_root);
    let text = match (&granted.key, &command) {
        // A server without a key goes by nothing else.
        (None, None) => return None,
        (Some(key), _) => key.text(),
        // The other words may be secrets.
        (None, Some(command)) => {
            let words = command.iter().take(1).cloned().chain(client::identity(command));
            words.collect::<Vec<_>>().join(" ")
        }
    };
    let key = Text { text, span: written.unwrap_or(call), verbatim: written.is_some() };
    let made = granted.made.and_then(|place| in_facts(files, place));
    let (made_at, made_in) = (made.map(|place| files.span(place)), made.map(|place| place.file));
    let is_reference = command.is_none() && made.is_none();
    Some(ServerEntry { key, is_reference, known_as: None, command, url: None, cwd, made_at, made_in })
}
