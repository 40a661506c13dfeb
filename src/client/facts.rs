//! What a client's file says: the servers that it starts, and the strings that permit, forbid or ask.

use std::borrow::Cow;
use std::sync::Arc;

use semver::Version;
use smol_str::SmolStr;

use super::entry::{Entry, Layout};
use super::{Client, Fault, Grammar, ListKind, Order, Path, PermissionList, Place, Rule, Spelt, Strings, Wildcards};
use crate::document::{self, Text};
use crate::regex::Regex;
use crate::text::{Edit, Span};

/// What a client file says.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientFacts {
    pub client: Arc<Client>,
    /// The file by which a tree is known in which alone the file is a client's.
    pub inside: Option<SmolStr>,
    /// What the file calls itself.
    pub name: Option<String>,
    pub servers: Vec<ServerEntry>,
    pub lists: Vec<List>,
    pub order: Order,
    /// It holds together with the others of its kind in its folder.
    pub together: bool,
    pub mistaken: Vec<Mistaken>,
    /// Server keys that are switched on or off.
    pub keys: Vec<Text>,
    /// Its strings are also about servers that it starts itself, whose tools are not known.
    pub has_other_servers: bool,
    /// Hooks that run before calls and may forbid or allow them.
    pub hooks: Vec<Hook>,
    /// What other clients read in the same file.
    pub guests: Vec<ClientFacts>,
    /// The whole file is of a kind that it must not be.
    pub wrong_root: Option<(Span, &'static str)>,
    /// The first place at which the file is not JSON.
    pub fault: Option<document::Fault>,
    /// Comments that speak to this program.
    pub directives: Vec<(Span, String)>,
}

/// A hook that a client runs before a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Hook {
    /// The whole object, including its matcher.
    pub span: Span,
    /// Commands and their arguments.
    pub commands: Vec<Text>,
}

/// A key that was found and is not read.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistaken {
    pub key: Text,
    pub right: SmolStr,
    /// The right one is there, too.
    pub is_taken: bool,
    /// What moves its strings into the right one, where that is there.
    pub moved: Option<Vec<Edit>>,
}

impl ClientFacts {
    /// What says nothing to a client.
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
            has_other_servers: false,
            hooks: Vec::new(),
            guests: Vec::new(),
            wrong_root: None,
            fault: None,
            directives: Vec::new(),
        }
    }

    /// What the file says to its client, and to each of the others that read it.
    pub fn all(&self) -> impl Iterator<Item = &ClientFacts> {
        std::iter::once(self).chain(&self.guests)
    }

    /// Whether the file says nothing of servers and tools.
    pub fn is_empty(&self) -> bool {
        self.all().all(|facts| facts.servers.is_empty() && facts.lists.is_empty() && facts.keys.is_empty())
    }

    /// The lists that permit, forbid or ask.
    pub fn permissions(&self) -> impl Iterator<Item = &List> {
        self.lists.iter().filter(|list| list.kind != ListKind::Hook)
    }
}

/// A server that a client starts.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerEntry {
    pub key: Text,
    /// It says nothing of how the server is started: what starts it is said elsewhere.
    pub is_reference: bool,
    /// What the server is known as, where that is not its key.
    pub known_as: Option<String>,
    /// The program and its arguments, where it is started by a command.
    pub command: Option<Vec<String>>,
    /// The folder it is started in, where the entry names one.
    pub cwd: Option<String>,
    /// The call that makes it, where code brings it.
    pub made_at: Option<Span>,
}

impl ServerEntry {
    /// What its tools' names begin with, before it is spelt.
    pub fn name(&self) -> &str {
        self.known_as.as_deref().unwrap_or(&self.key.text)
    }
}

/// One permission list.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// Whose list it is.
    pub client: Arc<Client>,
    pub kind: ListKind,
    pub wildcards: Wildcards,
    pub grammar: Arc<Grammar>,
    /// The key of the server that it is of, where it is one's.
    pub server: Option<Text>,
    /// How it is written in a client's own file.
    pub row: Option<Arc<PermissionList>>,
    /// Its strings are regular expressions, even those of name characters alone.
    pub regex: bool,
    /// Where the places of entries count, those of a list of a higher rank come behind all of one of a lower.
    pub rank: usize,
    /// The keys that there are already, where strings are keys: none may be there twice.
    pub taken: Arc<[String]>,
    /// Where what it is written in begins: lists that stand side by side in one object, call or command are of one scope.
    pub scope: u32,
    /// It holds for its scope alone, such as one agent, one command or one call; others hold for everybody.
    pub is_apart: bool,
    pub span: Span,
    pub(super) layout: Layout,
    pub entries: Vec<Entry>,
}

impl List {
    /// An empty list outside the client's own files: in code, in a script. Its layout is set later.
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

    /// The list as a version of its client has it.
    pub fn as_of(&self, version: &Version) -> List {
        let before = self.row.iter().flat_map(|row| &row.before).rfind(|before| *version < before.version);
        List { wildcards: before.map_or(self.wildcards, |before| before.wildcards), ..self.clone() }
    }

    /// What a string of the list is, where these are the servers that there are, as strings spell them.
    pub fn parse<'t>(&'t self, text: &'t str, servers: &'t Spelt) -> Rule<'t> {
        let server = self.server.as_ref().map(|server| server.text.as_str());
        let rule = self.grammar.parse(text, Place { wildcards: self.wildcards, server, servers });
        match (rule, text.strip_suffix(self.grammar.separator())) {
            (Rule::Malformed(Fault::NoTool), Some(server)) if self.begins() => Rule::Server { server },
            (Rule::Tool { server, tool }, _) if self.begins() => Rule::ToolPattern { server, tool },
            (rule, _) => rule,
        }
    }

    /// A string of the list as a pattern over names.
    pub fn pattern<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.begins() { format!("{text}*").into() } else { text.into() }
    }

    /// A string of the list as a regular expression over names, where it is one: behind a mark, or in what a hook runs at,
    /// where a text of name characters alone is one or several whole names.
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

    /// Whether the matcher of a hook is made of whole names, in a version of its client or the newest.
    pub fn is_exact(&self, matcher: &str, version: Option<&Version>) -> bool {
        let is_of = |since: &Version| version.is_none_or(|version| since <= version);
        let row = self.client.exact_matchers.iter().find(|row| row.since.as_ref().is_none_or(is_of));
        let characters = row.map_or("_- ,|", |row| row.characters.as_str());
        !self.regex && matcher.chars().all(|c| c.is_ascii_alphanumeric() || characters.contains(c))
    }

    fn begins(&self) -> bool {
        self.row.as_ref().is_some_and(|row| row.begins)
    }

    /// Whether its strings are the names of tools, of whichever server.
    pub fn is_bare(&self) -> bool {
        self.server.is_none() && self.grammar.tool.separator.is_none()
    }

    /// Whether it consists of its strings only, with nothing that belongs to each.
    pub fn is_plain(&self) -> bool {
        self.row.as_ref().is_none_or(|row| row.strings == Strings::Elements && row.text_at.is_none())
    }

    /// What is written for another string of the list: its key, where strings are keys, and its value. `None` where
    /// more would have to be known.
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

    /// Whether a string of the list can be about a server of some key.
    pub fn is_about(&self, key: &str) -> bool {
        self.is_of_any_server() || self.server.as_ref().is_none_or(|server| server.text == key)
    }

    /// Whether it says in the place of a server's key that whichever server is meant: `mcpName = "*"`.
    pub fn is_of_any_server(&self) -> bool {
        let any = self.row.as_ref().and_then(|row| row.any_server.as_ref());
        any.zip(self.server.as_ref()).is_some_and(|(any, server)| server.text == *any)
    }
}
