//! The known clients: the built-in ones and those of a workspace's configs.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use aho_corasick::AhoCorasick;
use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};
use serde::Deserialize;
use smol_str::SmolStr;

use super::call::{CallId, Calls};
use super::facts::ClientFacts;
use super::flags::Flags;
use super::{AgentCall, Client, ClientFile, call};
use crate::syntax::Family;
use crate::text;

/// Clients, with indices for looking them up.
#[derive(Debug)]
pub struct Clients {
    all: Vec<Arc<Client>>,
    /// The sets of globs, one for all built-in clients and one for each client that a config describes, each with the
    /// rows of its globs in the same order.
    globs: Vec<(GlobSet, Vec<Row>)>,
    /// The command-line options of all clients.
    flags: Flags,
    /// The calls in code of all clients.
    calls: Calls,
    /// The words that show that code may give servers or strings to a client: such code contains at least one of them.
    pub(super) words_of_code: AhoCorasick,
    /// The index of the first client for each set of characters that names keep; dozens of clients keep the same
    /// characters.
    spelling: Vec<usize>,
    /// The ends of the file names of the clients' scripts.
    scripts: Vec<String>,
}

/// The built-in clients: one file for each client or family of clients.
const DATA: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/clients.rs"));

#[derive(Deserialize)]
struct Rows {
    client: Vec<Client>,
}

/// The kind of file that a glob matches, as the index of a client and the index of one of the client's `files`.
#[derive(Debug, Clone, Copy)]
struct Row {
    client: usize,
    file: usize,
    kind: RowKind,
}

/// How a glob belongs to a client; earlier variants take precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RowKind {
    Own,
    Inside,
    Guest,
}

impl Clients {
    /// Reads the command lines of a script, with the options of all clients.
    pub fn read_script(&self, client: &Arc<Client>, text: &str) -> ClientFacts {
        let mut others = self.iter().flat_map(|client| &client.script_servers);
        let has_other_servers = others.any(|word| text.contains(word.as_str()));
        let (lists, part) = (self.flags.lists(text), Some(SmolStr::new_static("script")));
        ClientFacts { lists, has_other_servers, part, is_script: true, ..ClientFacts::of(client) }
    }

    /// The built-in clients.
    pub fn built_in() -> &'static Arc<Clients> {
        static BUILT_IN: LazyLock<Arc<Clients>> = LazyLock::new(|| {
            let read = |(id, text): &(&str, &str)| match toml::from_str::<Rows>(text) {
                Ok(rows) => rows.client,
                Err(error) => panic!("src/client/rows/{id}.toml: {error}"),
            };
            let mut all: Vec<Client> = DATA.iter().flat_map(read).collect();
            all.iter_mut().enumerate().for_each(|(index, client)| client.index = index);
            let all: Vec<Arc<Client>> = all.into_iter().map(Arc::new).collect();
            let globs = vec![globs(&all)];
            Arc::new(Clients::of(all, globs))
        });
        &BUILT_IN
    }

    /// The built-in clients, followed by others, whose globs must already have been checked.
    pub fn with(more: impl IntoIterator<Item = Client>) -> Arc<Clients> {
        let built_in = Clients::built_in();
        let (mut all, mut sets) = (built_in.all.clone(), built_in.globs.clone());
        for client in more {
            let client = Arc::new(Client { index: all.len(), ..client });
            // Each client has a set of its own: if its globs are too large for a set, the other clients are not
            // affected.
            sets.push(globs(std::slice::from_ref(&client)));
            all.push(client);
        }
        match all.len() > built_in.all.len() {
            true => Arc::new(Clients::of(all, sets)),
            false => Arc::clone(built_in),
        }
    }

    fn of(all: Vec<Arc<Client>>, globs: Vec<(GlobSet, Vec<Row>)>) -> Clients {
        let mut spelling: Vec<usize> = Vec::new();
        for (index, client) in all.iter().enumerate() {
            if spelling.iter().all(|&other| all[other].names.keeps != client.names.keeps) {
                spelling.push(index);
            }
        }
        let files = all.iter().flat_map(|client| &client.files).filter(|file| file.script);
        // Only the text after the last wildcard of a name is fixed.
        let end = |glob: &str| {
            let name = glob.rsplit('/').next().unwrap_or(glob);
            name.rsplit(['*', '?', ']', '}']).next().unwrap_or(name).to_string()
        };
        let mut scripts: Vec<String> = files.flat_map(ClientFile::globs).map(|(glob, _)| end(&glob)).collect();
        scripts.sort_unstable();
        scripts.dedup();
        let (flags, calls, words_of_code) = (Flags::of(&all), Calls::of(&all), words_of_code(&all));
        Clients { globs, flags, calls, words_of_code, spelling, scripts, all }
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Arc<Client>> {
        self.all.iter()
    }

    /// The clients that configs describe.
    pub fn own(&self) -> &[Arc<Client>] {
        &self.all[Clients::built_in().all.len().min(self.all.len())..]
    }

    /// The first client, which stands for files that do not belong to a particular client.
    pub fn first(&self) -> &Arc<Client> {
        &self.all[0]
    }

    /// The spellings of a name in all clients, and the name itself, each once.
    pub fn spellings(&self, name: &str) -> Vec<String> {
        let mut all: Vec<String> = self.spelling.iter().map(|&client| self.all[client].normalise(name)).collect();
        all.push(name.to_string());
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The calls in code of a language whose callees may end in `last`.
    pub(crate) fn calls_named(&self, language: Family, last: &SmolStr) -> &[CallId] {
        self.calls.candidates(language, last)
    }

    /// The client of a call in code, and its row.
    pub(crate) fn call(&self, id: CallId) -> (&Arc<Client>, &AgentCall) {
        let client = &self.all[id.client];
        (client, &client.calls[id.call])
    }

    /// The client and kind of file of a path; `None` if the file is not a client's.
    pub fn of_path(&self, path: &str) -> Option<(&Arc<Client>, &ClientFile)> {
        self.rows(path).find(|row| row.kind != RowKind::Guest).map(|row| self.read(row))
    }

    /// The clients that read keys of their own in another client's file with this path.
    pub fn guests_of_path(&self, path: &str) -> impl Iterator<Item = (&Arc<Client>, &ClientFile)> {
        self.rows(path).filter(|row| row.kind == RowKind::Guest).map(|row| self.read(row))
    }

    /// If the file at a path belongs to a client only inside a folder tree of a certain kind, returns the path, from
    /// the root of the tree, of the file that identifies the tree; otherwise `None`.
    pub fn inside_of(&self, path: &str) -> Option<&str> {
        let row = self.rows(path).find(|row| row.kind != RowKind::Guest).filter(|row| row.kind == RowKind::Inside)?;
        self.read(row).1.inside.as_ref().map(|inside| inside.root.as_str())
    }

    /// The rank of a client's file among the files of one folder: the later its glob is in the client's row, the later
    /// its entries count.
    pub fn rank_of(&self, client: &Client, path: &str) -> usize {
        let candidate = Candidate::new(path);
        let own = |(globs, rows): &(GlobSet, Vec<Row>)| {
            let all = globs.matches_candidate(&candidate).into_iter();
            all.filter(|row| rows[*row].client == client.index).max()
        };
        self.globs.iter().filter_map(own).max().unwrap_or_default()
    }

    /// The folder whose settings a client's file contains: `packages/notes` for
    /// `packages/notes/.claude/settings.json`; empty for the root.
    pub fn folder_of<'p>(&self, path: &'p str) -> &'p str {
        let globs = self.rows(path).flat_map(|row| self.read(row).1.globs());
        let above = |(glob, _): (Cow<'_, str>, RowKind)| {
            let glob = glob.strip_prefix("**/")?;
            // The folder is above the first component that the glob spells out.
            let first =
                glob.split('/').next().filter(|first| glob.contains('/') && !first.contains(['*', '?', '[', '{']))?;
            let mut starts = path.rmatch_indices(first).map(|(at, _)| at);
            let at = starts.find(|at| path[..*at].is_empty() || path[..*at].ends_with('/'))?;
            path[at + first.len()..].starts_with('/').then(|| path[..at].trim_end_matches('/'))
        };
        globs.filter_map(above).next().unwrap_or_else(|| crate::path::directory(path))
    }

    /// Whether a file of this name may be a client's script: a quick test that excludes most files.
    pub fn may_be_script(&self, name: &str) -> bool {
        self.scripts.iter().any(|end| name.ends_with(end.as_str()))
    }

    fn read(&self, row: Row) -> (&Arc<Client>, &ClientFile) {
        let client = &self.all[row.client];
        (client, &client.files[row.file])
    }

    /// The kinds of file of a path, by precedence.
    fn rows(&self, path: &str) -> impl Iterator<Item = Row> + use<'_> {
        let candidate = Candidate::new(path);
        let of_set = |(globs, rows): &'_ (GlobSet, Vec<Row>)| -> Vec<Row> {
            globs.matches_candidate(&candidate).into_iter().map(|row| rows[row]).collect()
        };
        let mut matching: Vec<Row> = self.globs.iter().flat_map(of_set).collect();
        matching.sort_by_key(|row| row.kind);
        matching.into_iter()
    }
}

/// The automaton for [`Clients::words_of_code`].
fn words_of_code(clients: &[Arc<Client>]) -> AhoCorasick {
    // A keyword that counts only next to other keywords is left out: code with such a keyword also names the client's
    // package.
    let rows = clients.iter().flat_map(|client| &client.code).filter(|row| row.beside.is_empty());
    let names = rows.flat_map(|row| if row.of.is_empty() { &row.names } else { &row.of });
    let packages = clients.iter().flat_map(|client| &client.packages);
    let calls = call::words(clients);
    let calls = calls.iter().map(String::as_str);
    text::any_of(names.chain(packages).map(SmolStr::as_str).chain(calls)).expect("names make an automaton")
}

/// The globs of some clients as a set, with the row of each glob.
fn globs(clients: &[Arc<Client>]) -> (GlobSet, Vec<Row>) {
    let mut set = GlobSetBuilder::new();
    let mut rows = Vec::new();
    for client in clients {
        for (file, row) in client.files.iter().enumerate() {
            for (glob, kind) in row.globs() {
                if let Ok(glob) = GlobBuilder::new(&glob).literal_separator(true).build() {
                    set.add(glob);
                    rows.push(Row { client: client.index, file, kind });
                }
            }
        }
    }
    (set.build().unwrap_or_default(), rows)
}

impl ClientFile {
    /// The globs of the file, each with its kind.
    fn globs(&self) -> impl Iterator<Item = (Cow<'_, str>, RowKind)> {
        let own = self.files.iter().map(|glob| (Cow::from(glob), RowKind::Own));
        // The tree may be anywhere.
        let inside = self.inside.iter().flat_map(|inside| &inside.files);
        let inside = inside.map(|glob| (Cow::from(format!("**/{glob}")), RowKind::Inside));
        own.chain(inside).chain(self.guest_in.iter().map(|glob| (Cow::from(glob), RowKind::Guest)))
    }
}
