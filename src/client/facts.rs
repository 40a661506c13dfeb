//! The facts of a client's file: the servers that it starts, and its strings about tools.

use std::borrow::Cow;
use std::sync::Arc;

use semver::Version;
use smol_str::SmolStr;

use super::entry::{Entry, Layout};
use super::{
    Client, Fault, Grammar, ListKind, Order, Path, PermissionList, Place, Rule, Spelt, Strings, Wildcards, glob_matches,
};
use crate::document::{self, Text};
use crate::regex::Regex;
use crate::text::{Edit, FileId, Span};

/// The facts of a client's file.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientFacts {
    pub client: Arc<Client>,
    /// The path, from the root of a folder tree, of the file that identifies the tree; `None` if this file belongs to
    /// the client wherever it is.
    pub inside: Option<SmolStr>,
    /// The `name` at the document's root.
    pub name: Option<String>,
    pub servers: Vec<ServerEntry>,
    pub lists: Vec<List>,
    pub order: Order,
    /// Whether the file applies together with the others of its kind in its folder.
    pub together: bool,
    pub mistaken: Vec<Mistaken>,
    /// Server keys that the file enables or disables.
    pub keys: Vec<Switch>,
    /// The values that decide about all tools of a server.
    pub wholes: Vec<Whole>,
    /// The servers whose hints decide whether the client asks.
    pub trusts: Vec<Trust>,
    /// Values because of which the client refuses the whole file.
    pub refused: Vec<RefusedValue>,
    /// What the file describes, if its lists apply to nothing else: `agent`.
    pub part: Option<SmolStr>,
    /// Whether the file is a script, which may start its client in any folder.
    pub is_script: bool,
    /// Why the client does not read this file in a workspace.
    pub unread: Option<SmolStr>,
    /// Whether the file's strings may be about servers that the file itself starts and whose tools are not known.
    pub has_other_servers: bool,
    /// Hooks that run before calls and may allow or deny them.
    pub hooks: Vec<Hook>,
    /// The facts for other clients that read the same file.
    pub guests: Vec<ClientFacts>,
    /// The span and the type of the document's root, if it is not an object.
    pub wrong_root: Option<(Span, &'static str)>,
    /// The first fault in the JSON of the file.
    pub fault: Option<document::Fault>,
    /// Comments with directives for this program.
    pub directives: Vec<(Span, String)>,
}

/// A server key that a file enables or disables.
#[derive(Debug, Clone, PartialEq)]
pub struct Switch {
    pub key: Text,
    /// The effect on the server's tools: `Deny` if it is not started, `Offer` if servers without a key are not; `None` if
    /// the server is only approved in advance.
    pub list: Option<ListKind>,
    /// Whether the server's tools run without confirmation if no entry is about them.
    pub allows: bool,
    /// Whether it stands for all servers.
    pub is_any: bool,
    /// Whether it is a pattern although the client compares whole keys only.
    pub is_lost_pattern: bool,
}

/// A value because of which a client refuses a whole file.
#[derive(Debug, Clone, PartialEq)]
pub struct RefusedValue {
    pub value: String,
    pub span: Span,
    /// The values that the client accepts.
    pub accepted: Vec<String>,
}

/// A value that decides about all tools of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct Whole {
    /// The key of the server.
    pub server: String,
    /// The setting, as messages show it: `disabled: true`.
    pub setting: String,
    /// Whether the value has no effect if the key changes in the names of tools.
    pub plain_servers: bool,
    pub kind: ListKind,
    /// The span of the value.
    pub span: Span,
}

/// A server with tools that the client runs without asking because of a hint.
#[derive(Debug, Clone, PartialEq)]
pub struct Trust {
    /// The key of the server.
    pub server: String,
    pub hint: SmolStr,
    /// The setting, as messages show it: `approval_mode: writes`; `None` if the client always trusts the hint.
    pub setting: Option<String>,
}

/// A hook that a client runs before a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Hook {
    /// The whole object, including its matcher.
    pub span: Span,
    /// The commands and their arguments.
    pub commands: Vec<Text>,
}

/// A key that is present but not read by the client.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistaken {
    pub key: Text,
    pub right: SmolStr,
    /// The file that the right key belongs in, if it is another one.
    pub in_file: Option<SmolStr>,
    /// Whether the right key is present too.
    pub is_taken: bool,
    /// The edits that move the strings of the wrong key to the right key; `None` if the right key is absent or the
    /// strings cannot be moved.
    pub moved: Option<Vec<Edit>>,
}

impl ClientFacts {
    /// The facts of a file without any servers or strings.
    pub fn of(client: &Arc<Client>) -> ClientFacts {
        ClientFacts {
            client: Arc::clone(client),
            inside: None,
            name: None,
            servers: Vec::new(),
            lists: Vec::new(),
            order: Order::default(),
            together: false,
            mistaken: Vec::new(),
            keys: Vec::new(),
            wholes: Vec::new(),
            trusts: Vec::new(),
            refused: Vec::new(),
            part: None,
            is_script: false,
            unread: None,
            has_other_servers: false,
            hooks: Vec::new(),
            guests: Vec::new(),
            wrong_root: None,
            fault: None,
            directives: Vec::new(),
        }
    }

    /// The facts for the client of the file, and for each of the others that read it.
    pub fn all(&self) -> impl Iterator<Item = &ClientFacts> {
        std::iter::once(self).chain(&self.guests)
    }

    /// Whether the file contains no servers, server keys or strings about tools, for any client that reads it.
    pub fn is_empty(&self) -> bool {
        self.all().all(|facts| facts.servers.is_empty() && facts.lists.is_empty() && facts.keys.is_empty())
    }

    /// All lists except those of kind [`ListKind::Hook`].
    pub fn permissions(&self) -> impl Iterator<Item = &List> {
        self.lists.iter().filter(|list| list.kind != ListKind::Hook)
    }
}

/// A server that a client starts.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerEntry {
    pub key: Text,
    /// Whether the entry only refers to a server whose command or address is defined in another file or in code.
    pub is_reference: bool,
    /// The name of the server, if it differs from its key.
    pub known_as: Option<String>,
    /// The program and its arguments, if a command starts the server.
    pub command: Option<Vec<String>>,
    /// The address of the server, if it runs elsewhere.
    pub url: Option<String>,
    /// The working directory of the command, if the entry has one.
    pub cwd: Option<String>,
    /// The call that creates the server, if its entry is in code.
    pub made_at: Option<Span>,
    /// The file of that call, if it may be another one than that of the entry.
    pub made_in: Option<FileId>,
}

impl ServerEntry {
    /// The name of the server in the names of its tools, before it is normalised.
    pub fn name(&self) -> &str {
        self.known_as.as_deref().unwrap_or(&self.key.text)
    }
}

/// A permission list.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// The client that reads the list.
    pub client: Arc<Client>,
    pub kind: ListKind,
    pub wildcards: Wildcards,
    pub grammar: Arc<Grammar>,
    /// The key of the server, if the list belongs to one server.
    pub server: Option<Text>,
    /// The row of the list, if it is in a client's own file.
    pub row: Option<Arc<PermissionList>>,
    /// Whether the strings are regular expressions, even if they consist of name characters only.
    pub regex: bool,
    /// The rank of the list where the order of entries matters: the entries of a list with a higher rank come after all
    /// entries of a list with a lower rank.
    pub rank: usize,
    /// The keys that are already in the object, if the strings are keys: no key may occur twice.
    pub taken: Arc<[String]>,
    /// The byte offset of the object, call or command that contains the list. Lists in the same object, call or command
    /// have the same scope.
    pub scope: u32,
    /// Whether the list applies only to its scope, such as one agent, one command or one call; other lists apply
    /// everywhere.
    pub is_apart: bool,
    pub span: Span,
    pub(super) layout: Layout,
    pub entries: Vec<Entry>,
}

impl List {
    /// An empty list outside the client's own files: in code or in a script. Its layout is set later.
    pub(super) fn elsewhere(
        client: &Arc<Client>,
        kind: ListKind,
        wildcards: Wildcards,
        grammar: &Arc<Grammar>,
        scope: u32,
        span: Span,
    ) -> List {
        let (server, row, regex, rank) = (None, None, false, 0);
        let (taken, layout, entries) = (Arc::default(), Layout::of(Arc::default(), &[], None), Vec::new());
        let is_apart = true;
        let (client, grammar) = (Arc::clone(client), Arc::clone(grammar));
        List {
            client,
            kind,
            wildcards,
            grammar,
            server,
            row,
            regex,
            rank,
            taken,
            scope,
            is_apart,
            span,
            layout,
            entries,
        }
    }

    /// The list with the wildcards that a version of its client accepts.
    pub fn as_of(&self, version: &Version) -> List {
        let before = self.row.iter().flat_map(|row| &row.before).rfind(|before| *version < before.version);
        List { wildcards: before.map_or(self.wildcards, |before| before.wildcards), ..self.clone() }
    }

    /// Parses a string of the list; `servers` are the known servers, spelled as in strings.
    pub fn parse<'t>(&'t self, text: &'t str, servers: &'t Spelt) -> Rule<'t> {
        let server = self.server.as_ref().map(|server| server.text.as_str());
        let rule = self.grammar.parse(text, Place { wildcards: self.wildcards, server, servers });
        match (rule, text.strip_suffix(self.grammar.separator())) {
            (Rule::Malformed(Fault::NoTool), Some(server)) if self.begins() => Rule::Server { server },
            (Rule::Tool { server, tool }, _) if self.begins() => Rule::ToolPattern { server, tool },
            (Rule::Server { server }, _)
                if self.kind == ListKind::Allow && !text.ends_with('*') && self.grammar.splits(server) =>
            {
                Rule::Malformed(Fault::Split)
            }
            (rule, _) => rule,
        }
    }

    /// A string of the list as a pattern for names.
    pub fn pattern<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let text = self.bare(text);
        if self.begins() { format!("{text}*").into() } else { text.into() }
    }

    /// A string of the list without the parentheses that may restrict it to some calls.
    pub fn bare<'t>(&self, text: &'t str) -> &'t str {
        match text.split_once('(') {
            Some((bare, restriction)) if self.grammar.arguments && restriction.ends_with(')') => bare,
            _ => text,
        }
    }

    /// A string of the list as a regular expression for names; `None` if it is a plain name or pattern, or an invalid
    /// expression. Strings with the mark for regular expressions and the matchers of hooks are regular expressions. A
    /// matcher that contains only name characters is one or several whole names.
    pub fn expression(&self, text: &str) -> Option<Regex> {
        if let Some(mark) = self.row.as_ref().and_then(|row| row.regex_mark.as_deref()) {
            return Regex::new(&format!("^(?:{})$", text.strip_prefix(mark)?), "i");
        }
        if self.kind != ListKind::Hook || text.is_empty() {
            return None;
        }
        if !self.is_exact(text, None) {
            return Regex::of_javascript(text);
        }
        let names = text.split(['|', ',']).map(str::trim);
        text.contains(['|', ',']).then(|| Regex::new(&format!("^(?:{})$", names.collect::<Vec<_>>().join("|")), ""))?
    }

    /// Whether the matcher of a hook consists of whole names in a version of its client; `None` is the newest version.
    pub fn is_exact(&self, matcher: &str, version: Option<&Version>) -> bool {
        let is_of = |since: &Version| version.is_none_or(|version| since <= version);
        let row = self.client.exact_matchers.iter().find(|row| row.since.as_ref().is_none_or(is_of));
        let characters = row.map_or("_- ,|", |row| row.characters.as_str());
        !self.regex && matcher.chars().all(|c| c.is_ascii_alphanumeric() || characters.contains(c))
    }

    /// Whether a string of the list matches a tool that the list spells `name`; `key` is the key of the tool's server,
    /// spelled in the same way.
    pub fn matches(&self, text: &str, name: &str, key: &Spelt) -> bool {
        if let Some(pattern) = self.expression(text) {
            return pattern.is_match(name) == Some(true);
        }
        match self.parse(text, key) {
            Rule::Tool { .. } => self.bare(text) == name,
            Rule::ToolPattern { server, .. } if !self.is_covered(server, key) => false,
            Rule::ToolPattern { .. } | Rule::Pattern => glob_matches(&self.pattern(text), name),
            Rule::Server { server } => {
                self.is_covered(server, key) && name.starts_with(&self.grammar.server_prefix(server))
                    || key.iter().any(|key| key == server)
            }
            Rule::BuiltIn | Rule::Malformed(_) => false,
        }
    }

    /// Whether an entry about all or some tools of a server may be about those of a server with one of these keys. In
    /// some clients the entry has to name that server; in the others it is enough that the tools' names begin in the same
    /// way.
    pub fn is_covered(&self, server: &str, keys: &Spelt) -> bool {
        let names_it = self.grammar.plain_servers || self.grammar.first_separator && self.kind == ListKind::Allow;
        !names_it || keys.iter().any(|key| key == server)
    }

    /// Whether the strings are the keys of an object.
    pub fn is_keyed(&self) -> bool {
        self.layout.is_keyed
    }

    fn begins(&self) -> bool {
        self.row.as_ref().is_some_and(|row| row.begins)
    }

    /// Whether the strings are names of tools without a server, which may be tools of any server.
    pub fn is_bare(&self) -> bool {
        self.server.is_none() && self.grammar.tool.separator.is_none()
    }

    /// Whether each entry of the list is a plain string, without other fields.
    pub fn is_plain(&self) -> bool {
        self.row.as_ref().is_none_or(|row| row.strings == Strings::Elements && row.text_at.is_none())
    }

    /// Returns the key and value to write for another string of the list; the key is `None` if strings are not keys.
    /// Returns `None` if the name alone does not determine the entry.
    pub fn entry_for(&self, name: &str) -> Option<(Option<SmolStr>, serde_json::Value)> {
        let row = self.row.as_ref().filter(|row| row.server_at.is_none() && row.unless.is_none())?;
        let word = || {
            let (word, _) = row.kinds.iter().find(|(_, kind)| **kind == self.kind)?;
            Some(word.parse::<bool>().map_or_else(|_| word.as_str().into(), serde_json::Value::from))
        };
        let within = |path: &Path, value: serde_json::Value| {
            let keys: Vec<&str> = path.keys().collect();
            keys.iter().rev().fold(value, |value, key| serde_json::json!({ *key: value }))
        };
        match (row.strings, &row.text_at) {
            (Strings::Elements, None) => Some((None, name.into())),
            (Strings::Elements, Some(path)) => {
                let mut element = within(path, name.into());
                if let (Some(path), Some(word)) = (&row.kind_at, word()) {
                    element.as_object_mut()?.extend(within(path, word).as_object()?.clone());
                }
                Some((None, element))
            }
            (Strings::Keys, _) => {
                let word = word()?;
                Some((Some(name.into()), row.kind_at.as_ref().map_or(word.clone(), |path| within(path, word))))
            }
            (Strings::Values, _) => None,
        }
    }

    /// Whether a string of the list can be about the server with the key `key`.
    pub fn is_about(&self, key: &str) -> bool {
        self.is_of_any_server() || self.server.as_ref().is_none_or(|server| server.text == key)
    }

    /// Whether the list has, in place of a server's key, the value that means any server: `mcpName = "*"`.
    pub fn is_of_any_server(&self) -> bool {
        let any = self.row.as_ref().and_then(|row| row.any_server.as_ref());
        any.zip(self.server.as_ref()).is_some_and(|(any, server)| server.text == *any)
    }
}
