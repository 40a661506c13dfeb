//! What a client's file says: the servers that it starts, and the strings that permit, forbid or ask.

use smol_str::SmolStr;

use super::{
    ClientFile, Grammar, ListKind, Order, Path, PermissionList, Place, Rule, Split, Strings, Wildcards, built_in,
};
use crate::document::{self, Node, Text};
use crate::text::Span;

/// What a client file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClientFacts {
    /// Index into [`built_in`].
    pub client: usize,
    pub servers: Vec<ServerEntry>,
    pub lists: Vec<List>,
    pub order: Order,
    pub mistaken: Vec<Mistaken>,
    /// The whole file is of a kind that it must not be.
    pub wrong_root: Option<(Span, &'static str)>,
    /// The first place at which the file is not JSON.
    pub fault: Option<document::Fault>,
    /// Comments that speak to this program.
    pub directives: Vec<(Span, String)>,
}

/// A key that was found and is not read.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistaken {
    pub key: Text,
    pub right: SmolStr,
    /// The right one is there, too.
    pub is_taken: bool,
}

impl ClientFacts {
    /// The lists that permit, forbid or ask.
    pub fn permissions(&self) -> impl Iterator<Item = &List> {
        self.lists.iter().filter(|list| list.kind != ListKind::Hook)
    }
}

/// A server that a client starts.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerEntry {
    pub key: Text,
    /// The program and its arguments, where it is started by a command.
    pub command: Option<Vec<String>>,
    /// The folder it is started in, where the entry names one.
    pub cwd: Option<String>,
}

/// One permission list.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    pub kind: ListKind,
    pub wildcards: Wildcards,
    pub grammar: &'static Grammar,
    /// The key of the server that it is of, where it is one's.
    pub server: Option<Text>,
    pub span: Span,
    pub entries: Vec<Entry>,
}

/// One string of a permission list.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub text: Text,
    /// With its quotes.
    pub whole: Span,
    /// What goes when the entry goes: its comma, the space around it, and no comment.
    pub removal: Span,
}

impl List {
    /// What a string of the list is, where these are the servers that there are, as strings spell them.
    pub fn parse<'t>(&'t self, text: &'t str, servers: &'t [String]) -> Rule<'t> {
        let server = self.server.as_ref().map(|server| server.text.as_str());
        self.grammar.parse(text, Place { wildcards: self.wildcards, server, servers })
    }

    /// Whether a string of the list can be about a server of some key.
    pub fn is_about(&self, key: &str) -> bool {
        self.server.as_ref().is_none_or(|server| server.text == key)
    }
}

/// Reads a client's file.
pub fn read(client: usize, file: &'static ClientFile, root: &Node, text: &str) -> ClientFacts {
    let mut facts = ClientFacts { client, order: file.order, ..ClientFacts::default() };
    if !matches!(root.value, document::Value::Object(_)) {
        facts.wrong_root = Some((root.span, root.kind()));
        return facts;
    }
    if let Some(servers) = file.servers.as_ref().and_then(|path| root.at(path.keys())) {
        for (key, entry) in servers.entries() {
            let command = command_of(entry);
            let cwd = entry.get("cwd").and_then(Node::as_str).map(str::to_string);
            facts.servers.push(ServerEntry { key: key.clone(), command, cwd });
        }
    }
    for mistaken in &file.mistaken {
        let keys: Vec<&str> = mistaken.at.keys().collect();
        let Some((last, above)) = keys.split_last() else { continue };
        let parent = root.at(above.iter().copied());
        let found = parent.and_then(|parent| parent.entries().find(|(key, _)| key.text == *last));
        facts.mistaken.extend(found.map(|(key, _)| Mistaken {
            key: key.clone(),
            right: mistaken.right.clone(),
            is_taken: parent.is_some_and(|parent| parent.get(&mistaken.right).is_some()),
        }));
    }
    for list in &file.lists {
        let grammar = list.grammar.as_ref().unwrap_or(&built_in()[client].names);
        for (server, node) in lists_at(root, &list.at) {
            let strings = strings(list, node, text);
            for kind in ListKind::ALL {
                let of_kind = |(said, _): &&(Option<ListKind>, Entry)| *said == Some(kind);
                let entries: Vec<Entry> = strings.iter().filter(of_kind).map(|(_, entry)| entry.clone()).collect();
                // A list that is empty can be written into.
                if !entries.is_empty() || list.list == Some(kind) {
                    let (wildcards, server, span) = (list.wildcards, server.cloned(), node.span);
                    facts.lists.push(List { kind, wildcards, grammar, server, span, entries });
                }
            }
        }
    }
    facts
}

/// The program and its arguments: `"command": "npx", "args": […]`, a list of both, or an object that has them.
fn command_of(entry: &Node) -> Option<Vec<String>> {
    let command = entry.get("command")?;
    let words =
        |node: &Node| -> Vec<String> { node.elements().iter().filter_map(Node::as_str).map(str::to_string).collect() };
    let (program, args) = match command.as_str() {
        Some(program) => (program, entry.get("args")),
        None => match command.get("path").and_then(Node::as_str) {
            Some(program) => (program, command.get("args")),
            None => return Some(words(command)).filter(|words| !words.is_empty()),
        },
    };
    Some(std::iter::once(program.to_string()).chain(args.map(words).unwrap_or_default()).collect())
}

/// The strings of a list, each with what it does.
fn strings(list: &PermissionList, node: &Node, text: &str) -> Vec<(Option<ListKind>, Entry)> {
    let kind = |said: &Node| {
        let said = list.kind_at.as_ref().map_or(Some(said), |path| said.at(path.keys()));
        let word = said.and_then(|said| match (said.as_str(), said.as_bool()) {
            (Some(word), _) => Some(word.to_string()),
            (None, flag) => flag.map(|flag| flag.to_string()),
        });
        list.list.or_else(|| list.kinds.get(&word?).copied())
    };
    match list.strings {
        Strings::Elements => {
            let alone: Vec<Node> = match (node.as_text(), list.split) {
                (Some(text), Some(split)) if text.verbatim => divided(text, split),
                (Some(_), _) => vec![node.clone()],
                _ => Vec::new(),
            };
            let elements = if node.as_text().is_some() { alone.as_slice() } else { node.elements() };
            let entry = |index: usize| {
                let element = &elements[index];
                let named = list.text_at.as_ref().map_or(Some(element), |path| element.at(path.keys()))?;
                let removal = document::removal(elements, index, text);
                Some((kind(element), Entry { text: named.as_text()?.clone(), whole: named.span, removal }))
            };
            (0..elements.len()).filter_map(entry).collect()
        }
        Strings::Keys => {
            // What goes when an entry goes is its key with its value.
            let quoted = |key: &Text| Span { start: key.span.start.saturating_sub(1), end: key.span.end + 1 };
            let pair = |(key, value): (&Text, &Node)| Node {
                value: document::Value::Other,
                span: Span { start: quoted(key).start, end: value.span.end },
            };
            let pairs: Vec<Node> = node.entries().map(pair).collect();
            let entries = node.entries().enumerate().map(|(index, (key, value))| {
                let removal = document::removal(&pairs, index, text);
                (kind(value), Entry { text: key.clone(), whole: quoted(key), removal })
            });
            entries.collect()
        }
    }
}

/// The strings that are written in one text.
fn divided(text: &Text, split: Split) -> Vec<Node> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut start = None;
    let divides = |c: char| c == ',' || split == Split::CommasOrSpaces && c.is_whitespace();
    let mut take = |from: usize, to: usize| {
        let piece = &text.text[from..to];
        let bare = piece.trim();
        if !bare.is_empty() {
            let at = from + (piece.len() - piece.trim_start().len());
            let span = text.span.slice(at, at + bare.len());
            let text = Text { text: bare.to_string(), span, verbatim: true };
            found.push(Node { value: document::Value::String(text), span });
        }
    };
    for (at, c) in text.text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (depth == 0 && divides(c), start) {
            (true, Some(from)) => {
                take(from, at);
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    if let Some(from) = start {
        take(from, text.text.len());
    }
    found
}

/// The lists that a path leads to, each with the server that it is of.
fn lists_at<'n>(root: &'n Node, path: &Path) -> Vec<(Option<&'n Text>, &'n Node)> {
    let mut found: Vec<(Option<&Text>, &Node)> = vec![(None, root)];
    for key in path.keys() {
        found = found
            .into_iter()
            .flat_map(|(server, node)| -> Vec<(Option<&'n Text>, &'n Node)> {
                match key {
                    "{server}" => node.entries().map(|(key, entry)| (Some(key), entry)).collect(),
                    "*" => node.entries().map(|(_, entry)| (server, entry)).collect(),
                    key => node.get(key).map(|entry| (server, entry)).into_iter().collect(),
                }
            })
            .collect();
    }
    found
}
