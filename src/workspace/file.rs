//! One file: what it holds, as far as anybody has looked into it.

use std::sync::{Arc, OnceLock};

use smol_str::SmolStr;

use super::aliases::AliasNotes;
use super::kind::FileKind;
use super::lock::Lock;
use super::package::Manifest;
use super::recorded::Recorded;
use crate::client::{self, Client, ClientFacts, ClientFile, Clients};
use crate::config::Config;
use crate::document::{self, Data, Json, Markdown, Node};
use crate::lower::{self, FileFacts};
use crate::syntax::{self, Language, Tree};
use crate::text::{Edit, FileId, LineIndex, Span};

/// One file, as far as anybody has looked into it.
#[derive(Debug, Clone)]
pub struct File {
    pub id: FileId,
    /// From the workspace's root, with `/`.
    pub path: Arc<str>,
    pub lines: LineIndex,
    /// Of the text; a file that has another hash when it is to be written was changed meanwhile.
    pub hash: u64,
    pub content: Content,
    /// What source code, or the commands of a manifest, say of servers and tools to a client.
    pub granted: Option<Arc<ClientFacts>>,
    /// Kept while the file is open in an editor.
    pub open: Option<Open>,
    pub(super) notes: Arc<OnceLock<AliasNotes>>,
}

/// What an open document keeps.
#[derive(Debug, Clone)]
pub struct Open {
    pub text: Arc<str>,
    pub(super) tree: Option<Tree>,
}

/// What a file holds.
#[derive(Debug, Clone)]
pub enum Content {
    /// Source code.
    Source(Arc<FileFacts>),
    /// Source code without any word that would make it interesting: nobody parsed it yet.
    Unparsed,
    /// Source code that is read only where an import leads to it.
    Reserve,
    /// Source code that its grammar refuses, and why.
    Refused(&'static str),
    /// Settings or server entries of a client.
    Client(Arc<ClientFacts>),
    Manifest(Arc<Manifest>),
    /// The names that were published.
    Lock(Arc<Lock>),
    /// What a server answered when it was asked for its tools.
    Recorded(Arc<Recorded>),
    /// `tsconfig.json` and its like, as written.
    TsConfig(Arc<str>),
    /// A config of this program.
    Config(Arc<Config>),
    /// A document for people, of which some convention asks something.
    Markdown(Arc<Markdown>),
    /// Data that is no client's, of which some convention asks something.
    Data(Arc<Data>),
    /// A document that is none of these, or of which nobody asks anything.
    Other,
}

impl Content {
    /// Every comment that speaks to this program, with its place.
    pub(super) fn directives(&self) -> Vec<(Span, String)> {
        match self {
            Content::Source(facts) => facts.directives().map(|it| (it.span, it.text.to_string())).collect(),
            Content::Client(facts) => facts.directives.clone(),
            Content::Markdown(markdown) => markdown.directives.clone(),
            Content::Data(data) => data.directives.clone(),
            _ => Vec::new(),
        }
    }
}

impl File {
    /// The comments that are about aliases.
    pub(super) fn alias_notes(&self) -> &AliasNotes {
        self.notes.get_or_init(|| AliasNotes::of(&self.content, &self.lines))
    }

    /// A file that nobody has read.
    pub(super) fn reserved(id: FileId, path: Arc<str>) -> File {
        File {
            id,
            path,
            lines: LineIndex::of_file(""),
            hash: 0,
            content: Content::Reserve,
            granted: None,
            open: None,
            notes: Arc::default(),
        }
    }

    /// A file that is no part of any workspace.
    pub fn beside(clients: &Clients, path: &str, text: &str) -> File {
        File::new(clients, FileId(u32::MAX), path.into(), text, true)
    }

    pub(super) fn new(clients: &Clients, id: FileId, path: Arc<str>, text: &str, parse: bool) -> File {
        let content = read_content(clients, &path, text, None, None, parse).0;
        // Nothing is known of a file that nobody parsed, so nothing has a position in it.
        let lines = LineIndex::of_file(if matches!(content, Content::Unparsed) { "" } else { text });
        let granted = granted(clients, &path, &content, text);
        File { id, path, lines, hash: hash(text), content, granted, open: None, notes: Arc::default() }
    }

    pub(super) fn opened(
        clients: &Clients,
        id: FileId,
        path: Arc<str>,
        text: Arc<str>,
        previous: Option<&File>,
        edits: &[Edit],
        parse: bool,
    ) -> File {
        let lines = LineIndex::of_document(&text);
        let mut old_tree = None;
        let mut old_facts = None;
        if let Some(previous) = previous {
            if let Content::Source(facts) = &previous.content {
                old_facts = Some(Arc::clone(facts));
            }
            if let (Some(open), false) = (&previous.open, edits.is_empty()) {
                old_tree = open.tree.clone();
                if let Some(tree) = &mut old_tree {
                    edits.iter().for_each(|edit| syntax::edited(tree, edit));
                }
            }
        }
        let (content, tree) = read_content(clients, &path, &text, old_tree.as_ref(), old_facts.as_deref(), parse);
        let granted = granted(clients, &path, &content, &text);
        File {
            id,
            path,
            lines,
            hash: hash(&text),
            content,
            granted,
            open: Some(Open { text, tree }),
            notes: Arc::default(),
        }
    }

    /// What a client's file says, to each client that reads it.
    pub fn client_facts(&self) -> impl Iterator<Item = &ClientFacts> {
        let facts = match &self.content {
            Content::Client(facts) => Some(facts),
            _ => None,
        };
        facts.into_iter().flat_map(|facts| facts.all())
    }

    /// Whether two versions of a file differ at most in positions.
    pub(super) fn says_the_same(&self, other: &File) -> bool {
        match (&self.content, &other.content) {
            (Content::Source(a), Content::Source(b)) => a.same_items(b),
            (Content::Markdown(_), Content::Markdown(_)) => true,
            // Permission lists change nothing in what is known of tools.
            (Content::Client(a), Content::Client(b)) => a.all().chain(b.all()).all(|facts| facts.servers.is_empty()),
            _ => false,
        }
    }
}

/// What a file that is no client's says of servers and tools to one: code, and the commands of a manifest.
fn granted(clients: &Clients, path: &str, content: &Content, text: &str) -> Option<Arc<ClientFacts>> {
    let facts = match content {
        Content::Source(facts) => {
            client::may_grant(clients, text).then(|| client::read_code(clients, facts, text)).flatten()
        }
        Content::Manifest(_) => match FileKind::of(path, clients) {
            FileKind::Manifest { script: Some(client), .. } => {
                Some(client::read_script(clients, client, text)).filter(|facts| !facts.lists.is_empty())
            }
            _ => None,
        },
        _ => None,
    };
    facts.map(Arc::new)
}

/// Reads what a file holds; the tree is that of the whole text.
fn read_content(
    clients: &Clients,
    path: &str,
    text: &str,
    old_tree: Option<&Tree>,
    old_facts: Option<&FileFacts>,
    parse: bool,
) -> (Content, Option<Tree>) {
    let content = match FileKind::of(path, clients) {
        FileKind::Config => Content::Config(Arc::new(Config::read(path, text))),
        FileKind::Lock => Content::Lock(Arc::new(Lock::read(text))),
        FileKind::Recorded => Content::Recorded(Arc::new(read_recorded(path, text))),
        FileKind::TsConfig => Content::TsConfig(text.into()),
        FileKind::Manifest { kind, .. } => Content::Manifest(Arc::new(Manifest::read(kind, text))),
        FileKind::Client { client, row, language } => {
            let facts = read_client(clients, path, (client, row, language), text);
            // A document like any other, as far as anybody can see.
            match facts.is_empty() && facts.inside.is_some() && parse {
                true => read_document(language, text),
                false if facts.is_empty() && facts.inside.is_some() => Content::Other,
                false => Content::Client(Arc::new(facts)),
            }
        }
        FileKind::Document(language) if parse => read_document(Some(language), text),
        FileKind::Code(_) if !parse => Content::Unparsed,
        FileKind::Code(language) => {
            return match syntax::parse(language, text, old_tree) {
                Some(tree) => {
                    let facts = lower::lower(language, &tree, text, old_facts);
                    (Content::Source(Arc::new(facts)), Some(tree))
                }
                None => (Content::Refused(syntax::unreadable(language, text).unwrap_or(syntax::TOO_MUCH_WORK)), None),
            };
        }
        FileKind::Document(_) | FileKind::Other => Content::Other,
    };
    (content, None)
}

/// What a document or data file holds that is no client's.
fn read_document(language: Option<Language>, text: &str) -> Content {
    match language {
        Some(Language::Json) => Content::Data(Arc::new(Data::read(text))),
        Some(Language::Markdown) => Content::Markdown(Arc::new(document::parse_markdown(text))),
        _ => Content::Other,
    }
}

fn read_recorded(path: &str, text: &str) -> Recorded {
    let Json { root, fault, .. } = document::parse_json(text);
    let mut recorded = root.map(|root| Recorded::read(path, &root)).unwrap_or_else(Recorded::empty);
    // Of one that is broken nobody knows what it said.
    if let Some(fault) = fault {
        recorded.fault = Some((fault.span, fault.message));
    }
    recorded
}

/// What a client's own file says to it, and to others that read the same file.
fn read_client(
    clients: &Clients,
    path: &str,
    (client, row, language): (&Arc<Client>, &ClientFile, Option<Language>),
    text: &str,
) -> ClientFacts {
    if language == Some(Language::Json) {
        let Json { root, fault, directives } = document::parse_json(text);
        let facts = match root {
            Some(node) => {
                let guests = clients.guests_of_path(path).map(|(client, row)| client::read(client, row, &node, text));
                // Most files say nothing to most of those that would read them.
                let guests = guests.filter(|facts| !facts.is_empty()).collect();
                ClientFacts { guests, ..client::read(client, row, &node, text) }
            }
            None => ClientFacts::of(client),
        };
        return ClientFacts { fault, directives, ..facts };
    }
    let (node, fault) = match language {
        Some(Language::Toml) => {
            let (node, faults) = document::parse_toml(text);
            (Some(node), faults.into_iter().next())
        }
        Some(Language::Yaml) => (document::parse_yaml(text), None),
        // What it says in its text does not ask for anything above.
        Some(Language::Markdown) => (document::parse_front_matter(text).or_else(|| Some(Node::nothing())), None),
        _ => (None, None),
    };
    let facts = match node {
        _ if row.script => client::read_script(clients, client, text),
        Some(node) => client::read(client, row, &node, text),
        None => ClientFacts::of(client),
    };
    let inside = clients.inside_of(path).map(SmolStr::new);
    ClientFacts { inside, fault, directives: document::line_directives(text), ..facts }
}

pub(super) fn hash(text: &str) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// The hash by which a file's text is recognised.
pub fn text_hash(text: &str) -> u64 {
    hash(text)
}
