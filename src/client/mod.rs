//! Clients as data: which of their files name servers and tools, where the strings sit, in what grammar, and how
//! long a name may become. One TOML file a client beside this one.

mod grammar;
mod launch;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use smol_str::SmolStr;

pub use self::grammar::{Fault, Grammar, Own, Place, Rule, Wildcards, glob_matches};
pub use self::launch::{Launch, launch};
use crate::document::{self, Node, Text};
use crate::text::Span;

/// A program that starts servers and hands their tools to a model.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    pub id: SmolStr,
    /// As people call it.
    pub name: SmolStr,
    /// How it names tools to the model, and in its files where a list has no grammar of its own.
    pub names: Grammar,
    /// The longest composed name that works everywhere the client does, in characters.
    pub limit: usize,
    /// What happens to a longer one.
    pub over_limit: SmolStr,
    /// Servers that the client brings itself or gets from an account or plugin, as patterns over the names they
    /// have in permission strings: no config of a workspace starts them.
    #[serde(default)]
    pub own_servers: Vec<SmolStr>,
    #[serde(rename = "file")]
    pub files: Vec<ClientFile>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientFile {
    /// Globs on the path from the workspace's root.
    pub files: Vec<String>,
    /// Where server entries sit: the key of an object whose keys are server keys.
    pub servers: Option<Path>,
    #[serde(default)]
    pub order: Order,
    #[serde(rename = "list", default)]
    pub lists: Vec<PermissionList>,
    /// Keys that people write and the client does not read, each with the one that it does.
    #[serde(default)]
    pub mistaken: Vec<MistakenKey>,
}

/// A key that a client does not read.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MistakenKey {
    pub at: Path,
    /// The key beside it that is read.
    pub right: SmolStr,
}

/// Strings that permit, forbid or ask.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PermissionList {
    /// Where it is: `{server}` among the keys is the server that the list is of, `*` any other key.
    pub at: Path,
    /// What each of its strings does, where all do the same.
    pub list: Option<ListKind>,
    /// What a string does by the word that is said of it: `deny`, `false`. One of another word does nothing here.
    #[serde(default)]
    pub kinds: BTreeMap<String, ListKind>,
    /// Where that word stands in what belongs to a string; absent where it is all of it.
    pub kind_at: Option<Path>,
    /// Which texts are the strings.
    #[serde(default)]
    pub strings: Strings,
    /// Where the string stands in an element that is an object.
    pub text_at: Option<Path>,
    /// What divides the strings of a list that is written as one text.
    pub split: Option<Split>,
    pub wildcards: Wildcards,
    /// How its strings name tools, where that is not as the model is told.
    pub grammar: Option<Grammar>,
}

/// What divides strings in one text; never inside of parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    Commas,
    CommasOrSpaces,
}

/// Which texts of a list are its strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strings {
    #[default]
    Elements,
    Keys,
}

/// Which of several entries about one tool counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// One that denies, then one that asks, then one that allows.
    #[default]
    Deny,
    /// The first that matches.
    First,
    /// The last that matches.
    Last,
}

/// Keys to follow from the document's root: `permissions.allow`; a list of them where a key has a dot in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(Vec<SmolStr>);

/// What an entry of a list does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListKind {
    Allow,
    Deny,
    Ask,
    /// Its strings say which calls something runs at.
    Hook,
}

impl ListKind {
    pub const ALL: [ListKind; 4] = [ListKind::Allow, ListKind::Deny, ListKind::Ask, ListKind::Hook];

    pub fn as_str(self) -> &'static str {
        match self {
            ListKind::Allow => "allow",
            ListKind::Deny => "deny",
            ListKind::Ask => "ask",
            ListKind::Hook => "hook",
        }
    }
}

impl Path {
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(SmolStr::as_str)
    }
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Dotted(String),
            Keys(Vec<SmolStr>),
        }
        Ok(match Written::deserialize(deserializer)? {
            Written::Dotted(path) => Path(path.split('.').map(SmolStr::new).collect()),
            Written::Keys(keys) => Path(keys),
        })
    }
}

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

impl Client {
    /// Whether a server of this name is none that a workspace's configs start.
    pub fn is_own_server(&self, spelt: &str) -> bool {
        self.own_servers.iter().any(|pattern| glob_matches(pattern, spelt))
    }

    /// A server key or tool name as it appears in composed names.
    pub fn normalise(&self, text: &str) -> String {
        self.names.normalise(text)
    }

    /// The name under which the model knows a tool.
    pub fn composed(&self, key: &str, wire: &str) -> String {
        self.names.composed(key, wire)
    }

    /// What every tool of a server begins with.
    pub fn server_prefix(&self, key: &str) -> String {
        self.names.server_prefix(key)
    }
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

/// One file a client.
const DATA: [&str; 17] = [
    include_str!("claude-code.toml"),
    include_str!("amp.toml"),
    include_str!("claude-like.toml"),
    include_str!("cline.toml"),
    include_str!("codex.toml"),
    include_str!("copilot.toml"),
    include_str!("crush.toml"),
    include_str!("cursor.toml"),
    include_str!("gemini.toml"),
    include_str!("grok.toml"),
    include_str!("kiro.toml"),
    include_str!("opencode.toml"),
    include_str!("roo.toml"),
    include_str!("vibe.toml"),
    include_str!("vscode.toml"),
    include_str!("windsurf.toml"),
    include_str!("zed.toml"),
];

#[derive(Deserialize)]
struct Rows {
    client: Vec<Client>,
}

/// The clients that every binary knows.
pub fn built_in() -> &'static [Client] {
    static ROWS: LazyLock<Vec<Client>> = LazyLock::new(|| {
        DATA.into_iter().flat_map(|text| toml::from_str::<Rows>(text).expect("built-in clients parse").client).collect()
    });
    &ROWS
}

/// The client and the kind of file that a path is, if it is a client's.
pub fn of_path(path: &str) -> Option<(usize, &'static ClientFile)> {
    static GLOBS: LazyLock<Vec<(usize, usize, globset::GlobMatcher)>> = LazyLock::new(|| {
        let mut globs = Vec::new();
        for (index, client) in built_in().iter().enumerate() {
            for (file, row) in client.files.iter().enumerate() {
                for glob in &row.files {
                    let matcher = globset::Glob::new(glob).expect("built-in globs compile").compile_matcher();
                    globs.push((index, file, matcher));
                }
            }
        }
        globs
    });
    let (client, file, _) = GLOBS.iter().find(|(_, _, glob)| glob.is_match(path))?;
    Some((*client, &built_in()[*client].files[*file]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claude() -> &'static Client {
        built_in().iter().find(|client| client.id == "claude-code").unwrap()
    }

    fn parse(text: &str, wildcards: Wildcards) -> Rule<'_> {
        claude().names.parse(text, Place { wildcards, server: None, servers: &[] })
    }

    #[test]
    fn allow_lists_take_wildcards_in_the_tool_only() {
        let parse = |text| parse(text, Wildcards::Tool);
        assert_eq!(parse("mcp__s__t"), Rule::Tool { server: "s", tool: "t" });
        assert_eq!(parse("mcp__s"), Rule::Server { server: "s" });
        assert_eq!(parse("mcp__s__*"), Rule::Server { server: "s" });
        assert_eq!(parse("mcp__s__get_*"), Rule::ToolPattern { server: "s", tool: "get_*" });
        assert_eq!(parse("mcp__*"), Rule::Malformed(Fault::Wildcard));
        assert_eq!(parse("*"), Rule::Malformed(Fault::Wildcard));
        assert_eq!(parse("mcp__s__t(*)"), Rule::Malformed(Fault::Parentheses));
        assert_eq!(parse("mcp__s__:*"), Rule::Malformed(Fault::Character(':')));
        assert_eq!(parse("mcp____t"), Rule::Malformed(Fault::NoServer));
        assert_eq!(parse("mcp__s__"), Rule::Malformed(Fault::NoTool));
        assert_eq!(parse("mcp__s__t "), Rule::Malformed(Fault::Blank));
        assert_eq!(parse("read_file"), Rule::Malformed(Fault::Prefix));
        assert_eq!(parse("MCP__s__t"), Rule::Malformed(Fault::Prefix));
        assert_eq!(parse("Bash(npm run *)"), Rule::BuiltIn);
        assert_eq!(parse("WebFetch"), Rule::BuiltIn);
    }

    #[test]
    fn deny_lists_take_wildcards_anywhere() {
        let parse = |text| parse(text, Wildcards::Anywhere);
        assert_eq!(parse("*"), Rule::Pattern);
        assert_eq!(parse("mcp__*__delete_*"), Rule::Pattern);
        assert_eq!(parse("mcp__s__get_*"), Rule::ToolPattern { server: "s", tool: "get_*" });
    }

    #[test]
    fn globs_match_whole_names() {
        assert!(glob_matches("mcp__*__delete_*", "mcp__memory__delete_entities"));
        assert!(!glob_matches("mcp__*__delete_*", "mcp__memory__undelete"));
        assert!(glob_matches("get_*", "get_"));
        assert!(glob_matches("*", ""));
        assert!(!glob_matches("a*a", "a"));
    }

    #[test]
    fn a_prefix_that_the_server_already_wrote_counts_once() {
        assert_eq!(claude().composed("gw", "mcp__gw__a_b"), "mcp__gw__a_b");
        assert_eq!(claude().composed("my.server", "a.b"), "mcp__my_server__a_b");
    }
}
