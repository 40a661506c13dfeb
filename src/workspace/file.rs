//! A single file and its contents, as far as they have been read.

use std::sync::{Arc, OnceLock};

use smol_str::SmolStr;

use rustc_hash::FxHashMap;

use super::aliases::AliasNotes;
use super::kind::FileKind;
use super::lock::Lock;
use super::manifest::Manifest;
use super::recorded::Recorded;
use crate::client::{self, Client, ClientFacts, ClientFile, Clients};
use crate::code::{self, Code};
use crate::config::Config;
use crate::document::{self, Data, Json, Markdown, Node};
use crate::lower::{self, FileFacts, Queries};
use crate::syntax::{self, Language, Tree};
use crate::text::{Edit, FileId, LineIndex, Span};

/// A file of the workspace, as far as it has been read.
#[derive(Debug, Clone)]
pub struct File {
    pub id: FileId,
    /// The path from the workspace's root, with `/`.
    pub path: Arc<str>,
    pub lines: LineIndex,
    /// The hash of the text. If the file has another hash when it is to be written, it was changed in the meantime.
    pub hash: u64,
    pub content: Content,
    /// The program of a source file.
    pub(crate) code: Option<Arc<Code>>,
    /// The servers and permissions that source code, or the commands of a manifest, pass to a client.
    pub granted: Option<Arc<ClientFacts>>,
    /// The text of source code that may name the tools of servers for agents.
    pub(in crate::workspace) calling: Option<Arc<str>>,
    /// The text and tree of the document while it is open in an editor.
    pub open: Option<Open>,
    pub(super) notes: Arc<OnceLock<AliasNotes>>,
}

/// The descriptions of clients and the queries of frameworks, which determine how a file is read.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'r> {
    pub clients: &'r Clients,
    pub queries: &'r Queries,
}

/// The text and syntax tree of an open document.
#[derive(Debug, Clone)]
pub struct Open {
    pub text: Arc<str>,
    pub(super) tree: Option<Tree>,
}

/// The contents of a file.
#[derive(Debug, Clone)]
pub enum Content {
    /// Source code.
    Source(Arc<FileFacts>),
    /// Source code that was not parsed, since it contains no word that would make it relevant.
    Unparsed,
    /// Source code that is read only if an import leads to it.
    Reserve,
    /// Source code that the parser refuses, with the reason.
    Refused(&'static str),
    /// Settings or server entries of a client.
    Client(Arc<ClientFacts>),
    Manifest(Arc<Manifest>),
    /// A lock file: the names that were published.
    Lock(Arc<Lock>),
    /// A snapshot: what a server answered when it was asked for its tools.
    Recorded(Arc<Recorded>),
    /// The text of a `tsconfig.json` or a similar file.
    TsConfig(Arc<str>),
    /// A `toolnames.toml`.
    Config(Arc<Config>),
    /// A Markdown document to which some convention applies.
    Markdown(Arc<Markdown>),
    /// A data file to which some convention applies, and which belongs to no client.
    Data(Arc<Data>),
    /// A document of another kind, or one to which no convention applies.
    Other,
}

impl Content {
    /// Every comment that is addressed to this program, with its span.
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
    /// The alias comments of the file.
    pub(super) fn alias_notes(&self) -> &AliasNotes {
        self.notes.get_or_init(|| {
            let below = match &self.content {
                Content::Source(facts) => facts.directives().filter_map(|one| Some((one.span, one.below?))).collect(),
                _ => FxHashMap::default(),
            };
            AliasNotes::of(self.content.directives(), &below, &self.lines)
        })
    }

    /// Creates a file that has not been read.
    pub(super) fn reserved(id: FileId, path: Arc<str>) -> File {
        File {
            id,
            path,
            lines: LineIndex::of_file(""),
            hash: 0,
            content: Content::Reserve,
            code: None,
            granted: None,
            calling: None,
            open: None,
            notes: Arc::default(),
        }
    }

    /// Creates a file that is not part of any workspace.
    pub(crate) fn beside(rows: Rows<'_>, path: &str, text: &str) -> File {
        File::new(rows, FileId(u32::MAX), path.into(), text, true)
    }

    pub(super) fn new(rows: Rows<'_>, id: FileId, path: Arc<str>, text: &str, parse: bool) -> File {
        let (content, tree) = read_content(rows, &path, text, None, None, parse);
        let code = program(&path, text, tree.as_ref(), None);
        // No position in a file is needed if it was not parsed, so its lines are not indexed.
        let lines = LineIndex::of_file(if matches!(content, Content::Unparsed) { "" } else { text });
        let granted = granted(rows.clients, &path, &content, text);
        let calling = is_calling(rows.clients, &content, text).then(|| Arc::from(text));
        File { id, path, lines, hash: hash(text), content, code, granted, calling, open: None, notes: Arc::default() }
    }

    pub(super) fn opened(
        rows: Rows<'_>,
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
        let (content, tree) = read_content(rows, &path, &text, old_tree.as_ref(), old_facts.as_deref(), parse);
        let granted = granted(rows.clients, &path, &content, &text);
        let calling = is_calling(rows.clients, &content, &text).then(|| Arc::clone(&text));
        let earlier = previous.and_then(|previous| previous.code.as_deref());
        let code = program(&path, &text, tree.as_ref(), earlier);
        File {
            id,
            path,
            lines,
            hash: hash(&text),
            content,
            code,
            granted,
            calling,
            open: Some(Open { text, tree }),
            notes: Arc::default(),
        }
    }

    /// The facts in a client's own file, for each client that reads it.
    pub fn client_facts(&self) -> impl Iterator<Item = &ClientFacts> {
        let facts = match &self.content {
            Content::Client(facts) => Some(facts),
            _ => None,
        };
        facts.into_iter().flat_map(|facts| facts.all())
    }

    /// Whether two versions of a file lead to the same analysis: they differ only in positions, or in parts that the
    /// analysis does not use.
    pub(super) fn says_the_same(&self, other: &File) -> bool {
        match (&self.content, &other.content) {
            (Content::Source(a), Content::Source(b)) => a.same_items(b),
            (Content::Markdown(_), Content::Markdown(_)) => true,
            // Permission lists do not affect what is known of tools.
            (Content::Client(a), Content::Client(b)) => a.all().chain(b.all()).all(|facts| facts.servers.is_empty()),
            _ => false,
        }
    }
}

/// Whether source code may name the tools of servers for agents.
fn is_calling(clients: &Clients, content: &Content, text: &str) -> bool {
    matches!(content, Content::Source(_)) && client::may_grant(clients, text)
}

/// The facts for clients in a file that is not a client's own: source code, or the commands of a manifest.
fn granted(clients: &Clients, path: &str, content: &Content, text: &str) -> Option<Arc<ClientFacts>> {
    let facts = match content {
        Content::Source(facts) => {
            client::may_grant(clients, text).then(|| client::read_code(clients, facts, text)).flatten()
        }
        Content::Manifest(_) => match FileKind::of(path, clients) {
            FileKind::Manifest { script: Some(client), .. } => {
                Some(clients.read_script(client, text)).filter(|facts| !facts.lists.is_empty())
            }
            _ => None,
        },
        _ => None,
    };
    facts.map(Arc::new)
}

/// The program in a source file with this syntax tree; `None` in a language whose programs are not run.
fn program(path: &str, text: &str, tree: Option<&Tree>, previous: Option<&Code>) -> Option<Arc<Code>> {
    let language = Language::of_path(path)?;
    Some(Arc::new(code::lower(language, tree?, text, previous)))
}

/// Reads the contents of a file. The tree covers the whole text; only source code has one.
fn read_content(
    Rows { clients, queries, .. }: Rows<'_>,
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
            // Without facts for the client, the file is read like any other document.
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
                    let facts = lower::lower(language, &tree, text, queries, old_facts);
                    (Content::Source(Arc::new(facts)), Some(tree))
                }
                None => (Content::Refused(syntax::unreadable(language, text).unwrap_or(syntax::TOO_MUCH_WORK)), None),
            };
        }
        FileKind::Document(_) | FileKind::Other => Content::Other,
    };
    (content, None)
}

/// The contents of a document or data file that belongs to no client.
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
    // Some contents of a broken document are missing, so the snapshot is not used.
    if let Some(fault) = fault {
        recorded.fault = Some((fault.span, fault.message));
    }
    recorded
}

/// Reads a client's own file, for that client and for the others that read the same file.
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
                // Most files contain nothing for most of the other clients.
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
        // The body of the document is read even without front matter.
        Some(Language::Markdown) => (document::parse_front_matter(text).or_else(|| Some(Node::nothing())), None),
        _ => (None, None),
    };
    let facts = match node {
        _ if row.script => clients.read_script(client, text),
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

/// Returns the hash of a file's text, by which a change of the file is noticed.
pub fn text_hash(text: &str) -> u64 {
    hash(text)
}
