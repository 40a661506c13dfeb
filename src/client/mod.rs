//! Clients as data: which of their files name servers and tools, where the strings sit, in what grammar, and how
//! long a name may become. One TOML file a client beside this one.

mod launch;

use std::sync::LazyLock;

use serde::Deserialize;
use smol_str::SmolStr;

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
    /// How it names a tool: `mcp__{server}__{tool}`.
    pub compose: Template,
    /// The longest composed name that works everywhere the client does, in characters.
    pub limit: usize,
    /// What happens to a longer one.
    pub over_limit: SmolStr,
    /// Words that name a built-in tool of the client; anything that begins so is not about MCP.
    pub built_in: BuiltIn,
    /// Servers that the client brings itself or gets from an account or plugin, as patterns over the names they
    /// have in permission strings: no config of a workspace starts them.
    #[serde(default)]
    pub own_servers: Vec<SmolStr>,
    #[serde(rename = "file")]
    pub files: Vec<ClientFile>,
}

/// Which strings of a permission list speak of the client's own tools.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BuiltIn {
    /// Those that begin with a capital letter: `Bash(npm run build)`, `WebFetch`.
    Capitalised,
}

/// A composed name: a prefix, the server, a separator, the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pub prefix: SmolStr,
    pub separator: SmolStr,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientFile {
    /// Globs on the path from the workspace's root.
    pub files: Vec<String>,
    /// Where server entries sit: the key of an object whose keys are server keys.
    pub servers: Option<Path>,
    #[serde(rename = "list", default)]
    pub lists: Vec<PermissionList>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PermissionList {
    pub at: Path,
    pub list: ListKind,
    pub wildcards: Wildcards,
}

/// Keys to follow from the document's root: `permissions.allow`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path(Vec<SmolStr>);

/// What an entry of a list does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListKind {
    Allow,
    Deny,
    Ask,
}

/// Where `*` may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wildcards {
    /// In the tool's part, after a literal server.
    Tool,
    Anywhere,
}

impl ListKind {
    pub fn as_str(self) -> &'static str {
        match self {
            ListKind::Allow => "allow",
            ListKind::Deny => "deny",
            ListKind::Ask => "ask",
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
        Ok(Path(String::deserialize(deserializer)?.split('.').map(SmolStr::new).collect()))
    }
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let parts = text.split_once("{server}").and_then(|(prefix, rest)| Some((prefix, rest.strip_suffix("{tool}")?)));
        match parts {
            Some((prefix, separator)) => Ok(Template { prefix: prefix.into(), separator: separator.into() }),
            None => Err(serde::de::Error::custom("a composed name is written `…{server}…{tool}`")),
        }
    }
}

/// What a client file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClientFacts {
    /// Index into [`built_in`].
    pub client: usize,
    pub servers: Vec<ServerEntry>,
    pub lists: Vec<List>,
    /// The whole file is of a kind that it must not be.
    pub wrong_root: Option<(Span, &'static str)>,
    /// The first place at which the file is not JSON.
    pub fault: Option<document::Fault>,
    /// Comments that speak to this program.
    pub directives: Vec<(Span, String)>,
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

/// What a permission string is, in its client's grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule<'t> {
    /// About one of the client's own tools.
    BuiltIn,
    /// Every tool of a server.
    Server { server: &'t str },
    /// One tool.
    Tool { server: &'t str, tool: &'t str },
    /// A pattern with `*` over the tools of one server.
    ToolPattern { server: &'t str, tool: &'t str },
    /// A pattern with `*` over whole composed names.
    Pattern,
    /// Not of this grammar.
    Malformed(Fault),
}

/// What is wrong with the form of a permission string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    Empty,
    /// White space at an end.
    Blank,
    /// Not the client's prefix.
    Prefix,
    /// `(…)` behind the name of an MCP tool.
    Parentheses,
    /// Nothing where the server should be.
    NoServer,
    /// Nothing where the tool should be.
    NoTool,
    /// A character that no composed name holds.
    Character(char),
    /// `*` where the list allows none.
    Wildcard,
}

impl Client {
    /// Whether a server of this name is none that a workspace's configs start.
    pub fn is_own_server(&self, spelt: &str) -> bool {
        self.own_servers.iter().any(|pattern| glob_matches(pattern, spelt))
    }

    /// A server key or tool name as it appears in composed names: what is neither letter, digit, `_` nor `-`
    /// becomes `_`.
    pub fn normalise(&self, text: &str) -> String {
        text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' }).collect()
    }

    /// The name under which the model and the permission files know a tool. A wire name that already begins
    /// with what the client would put before it is taken as it is: a gateway composes its names itself.
    pub fn composed(&self, key: &str, wire: &str) -> String {
        let prefix = self.server_prefix(key);
        let wire = self.normalise(wire);
        if wire.starts_with(&prefix) { wire } else { prefix + &wire }
    }

    /// What every tool of a server begins with.
    pub fn server_prefix(&self, key: &str) -> String {
        format!("{}{}{}", self.compose.prefix, self.normalise(key), self.compose.separator)
    }

    /// The rule that matches every tool of a server.
    pub fn whole_server(&self, key: &str) -> String {
        format!("{}{}", self.compose.prefix, self.normalise(key))
    }

    /// Reads a permission string.
    pub fn parse<'t>(&self, text: &'t str, wildcards: Wildcards) -> Rule<'t> {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Rule::Malformed(Fault::Empty);
        }
        // `Bash(npm run build)`; a name written in capitals throughout is a tool's, shouted.
        let first = trimmed.split(['(', ' ']).next().unwrap_or(trimmed);
        let built_in = match self.built_in {
            BuiltIn::Capitalised => {
                first.starts_with(|c: char| c.is_ascii_uppercase()) && first.chars().all(|c| c.is_ascii_alphanumeric())
            }
        };
        if built_in {
            return Rule::BuiltIn;
        }
        if trimmed.len() != text.len() {
            return Rule::Malformed(Fault::Blank);
        }
        if wildcards == Wildcards::Anywhere && text.contains('*') && !text.contains(['(', ')']) {
            return match self.parse(text, Wildcards::Tool) {
                Rule::Malformed(_) => match text.chars().find(|&c| !is_name_char(c) && c != '*') {
                    Some(character) => Rule::Malformed(Fault::Character(character)),
                    None => Rule::Pattern,
                },
                rule => rule,
            };
        }
        let Some(rest) = text.strip_prefix(self.compose.prefix.as_str()) else {
            return Rule::Malformed(if text.contains('*') { Fault::Wildcard } else { Fault::Prefix });
        };
        if rest.contains(['(', ')']) {
            return Rule::Malformed(Fault::Parentheses);
        }
        if let Some(character) = rest.chars().find(|&c| !is_name_char(c) && c != '*') {
            return Rule::Malformed(Fault::Character(character));
        }
        let (server, tool) = match rest.split_once(self.compose.separator.as_str()) {
            Some((server, tool)) => (server, Some(tool)),
            None => (rest, None),
        };
        if server.contains('*') {
            return Rule::Malformed(Fault::Wildcard);
        }
        match (server, tool) {
            ("", _) => Rule::Malformed(Fault::NoServer),
            (_, Some("")) => Rule::Malformed(Fault::NoTool),
            (server, None) => Rule::Server { server },
            (server, Some("*")) => Rule::Server { server },
            (server, Some(tool)) if tool.contains('*') => Rule::ToolPattern { server, tool },
            (server, Some(tool)) => Rule::Tool { server, tool },
        }
    }
}

fn is_name_char(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// Whether a pattern with `*` matches a whole name.
pub fn glob_matches(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(pieces.next().unwrap_or("")) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Reads a client's file.
pub fn read(client: usize, file: &ClientFile, root: &Node, text: &str) -> ClientFacts {
    let mut facts = ClientFacts { client, ..ClientFacts::default() };
    if !matches!(root.value, document::Value::Object(_)) {
        facts.wrong_root = Some((root.span, root.kind()));
        return facts;
    }
    if let Some(servers) = file.servers.as_ref().and_then(|path| root.at(path.keys())) {
        for (key, entry) in servers.entries() {
            let command = entry.get("command").and_then(Node::as_str).map(|program| {
                let args = entry.get("args").map(Node::elements).unwrap_or_default();
                let args = args.iter().filter_map(Node::as_str).map(str::to_string);
                std::iter::once(program.to_string()).chain(args).collect()
            });
            let cwd = entry.get("cwd").and_then(Node::as_str).map(str::to_string);
            facts.servers.push(ServerEntry { key: key.clone(), command, cwd });
        }
    }
    for list in &file.lists {
        let Some(node) = root.at(list.at.keys()) else {
            continue;
        };
        let elements = node.elements();
        let entries = (0..elements.len())
            .filter_map(|index| {
                let removal = document::removal(elements, index, text);
                Some(Entry { text: elements[index].as_text()?.clone(), whole: elements[index].span, removal })
            })
            .collect();
        facts.lists.push(List { kind: list.list, wildcards: list.wildcards, span: node.span, entries });
    }
    facts
}

#[derive(Deserialize)]
struct Rows {
    client: Vec<Client>,
}

/// The clients that every binary knows.
pub fn built_in() -> &'static [Client] {
    static ROWS: LazyLock<Vec<Client>> = LazyLock::new(|| {
        [include_str!("claude-code.toml")]
            .into_iter()
            .flat_map(|text| toml::from_str::<Rows>(text).expect("built-in clients parse").client)
            .collect()
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

    #[test]
    fn allow_lists_take_wildcards_in_the_tool_only() {
        let parse = |text| claude().parse(text, Wildcards::Tool);
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
        let parse = |text| claude().parse(text, Wildcards::Anywhere);
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
