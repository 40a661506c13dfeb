//! What a client's file says: the servers that it starts, and the strings that permit, forbid or ask.

use std::borrow::Cow;
use std::sync::Arc;

use semver::Version;
use smol_str::SmolStr;

use super::{
    Client, ClientFile, Fault, Grammar, ListKind, Order, Path, PermissionList, Place, Rule, Split, Strings, Wildcards,
    built_in, flags,
};
use crate::document::{self, Node, Text};
use crate::regex::Regex;
use crate::text::{Edit, Span, line_break};

/// What a client file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClientFacts {
    /// Index into [`built_in`].
    pub client: usize,
    /// The file by which a tree is known in which alone the file is a client's.
    pub inside: Option<&'static str>,
    /// What the file calls itself.
    pub name: Option<String>,
    pub servers: Vec<ServerEntry>,
    pub lists: Vec<List>,
    pub order: Order,
    /// It holds together with the others of its kind in its folder.
    pub together: bool,
    pub mistaken: Vec<Mistaken>,
    /// Server keys that are switched on or off.
    pub keys: Vec<Entry>,
    /// Its strings are about servers of its own, too, of which nobody here knows what tools they have.
    pub has_other_servers: bool,
    /// What other clients read in the same file.
    pub guests: Vec<ClientFacts>,
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
    /// What moves its strings into the right one, where that is there.
    pub moved: Option<Vec<Edit>>,
}

impl ClientFacts {
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
    /// Index into [`built_in`].
    pub client: usize,
    pub kind: ListKind,
    pub wildcards: Wildcards,
    pub grammar: &'static Grammar,
    /// The key of the server that it is of, where it is one's.
    pub server: Option<Text>,
    /// How it is written in a client's own file.
    pub row: Option<&'static PermissionList>,
    /// Its strings are regular expressions, even those of name characters alone.
    pub regex: bool,
    /// Where the places of entries count, those of a list of a higher rank come behind all of one of a lower.
    pub rank: usize,
    /// The keys that there are already, where strings are keys: none may be there twice.
    pub taken: Arc<[String]>,
    /// Where what it is written in begins: lists that stand side by side in one object, call or command are of one scope.
    pub scope: u32,
    pub span: Span,
    pub entries: Vec<Entry>,
}

/// One string of a permission list.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub text: Text,
    /// With its quotes.
    pub whole: Span,
    /// The quote that it begins and ends with.
    pub quote: Option<char>,
    /// What goes when the entry goes: its comma, the space around it, and no comment. Nothing where that cannot be told,
    /// or where the entry is a part of something larger.
    pub removal: Vec<Span>,
    /// What parts it from another that is written beside it, in the way of its list; `None` where none can be.
    pub between: Option<SmolStr>,
    /// How one like it is written behind it, where all that belongs to it stands in one piece.
    pub beside: Option<Beside>,
    /// More stands beside it in its object than its list asks for: it may be about some calls only.
    pub has_conditions: bool,
}

/// A place behind an element of a list, for another that is like it.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    /// The whole element: an object around the string, a key with its value, or a table of TOML with its heading.
    pub element: Span,
    pub at: u32,
    /// What is written before it.
    pub before: SmolStr,
}

impl Entry {
    /// The edit that writes other strings in its place, quoted as it is.
    pub fn replaced_by(&self, names: &[String]) -> Option<Edit> {
        let is_quoted = self.whole != self.text.span;
        let quote = self.quote.map(String::from).unwrap_or_default();
        if is_quoted && self.quote.is_none() || !self.text.verbatim || names.len() > 1 && self.between.is_none() {
            return None;
        }
        let between = self.between.as_deref().unwrap_or_default();
        Some(Edit::new(self.text.span, names.join(&format!("{quote}{between}{quote}"))))
    }

    /// The edit that writes the same about another name, behind this entry. `text` is that of its file.
    pub fn copied_for(&self, name: &str, text: &str) -> Option<Edit> {
        let Some(beside) = self.beside.as_ref().filter(|_| self.text.verbatim) else {
            return self.replaced_by(&[self.text.text.clone(), name.to_string()]);
        };
        let before = text.get(beside.element.start as usize..self.text.span.start as usize)?;
        let behind = text.get(self.text.span.end as usize..beside.element.end as usize)?;
        let name = self.spelt(name, text);
        Some(Edit::new(Span::at(beside.at as usize), format!("{}{before}{name}{behind}", beside.before)))
    }

    /// What to delete so that it goes, and all that belongs to it: the reverse of how one like it would be written behind
    /// another. Nothing where that cannot be told.
    pub fn taken_out(&self, text: &str) -> Vec<Span> {
        let Some(beside) = self.beside.as_ref().filter(|_| self.removal.is_empty()) else {
            return self.removal.clone();
        };
        let before = &text[..beside.element.start as usize];
        let is_table = text[beside.element.range()].starts_with('[');
        let kept = before.strip_suffix(beside.before.as_str()).or(is_table.then(|| before.trim_end()));
        kept.map(|kept| Span::new(kept.len(), beside.element.end as usize)).into_iter().collect()
    }

    /// A name as it is written in the place of this one: in quotes, where it has none and the name needs them.
    pub fn spelt(&self, name: &str, text: &str) -> String {
        let is_bare = !text[..self.text.span.start as usize].ends_with(['"', '\'', '`']);
        let is_simple = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        let was_simple = self.text.text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        if is_bare && was_simple && !is_simple { format!("\"{name}\"") } else { name.to_string() }
    }
}

impl List {
    /// An empty list that stands in no file of its client's: in code, in a script.
    pub(super) fn elsewhere(
        client: usize,
        kind: ListKind,
        wildcards: Wildcards,
        grammar: &'static Grammar,
        scope: u32,
        span: Span,
    ) -> List {
        let (server, row, regex, rank, taken, entries) = (None, None, false, 0, Arc::default(), Vec::new());
        List { client, kind, wildcards, grammar, server, row, regex, rank, taken, scope, span, entries }
    }

    /// Whose list it is.
    pub fn client(&self) -> &'static Client {
        &built_in()[self.client]
    }

    /// The list as a version of its client has it.
    pub fn as_of(&self, version: &Version) -> List {
        let before = self.row.into_iter().flat_map(|row| &row.before).rfind(|before| *version < before.version);
        List { wildcards: before.map_or(self.wildcards, |before| before.wildcards), ..self.clone() }
    }

    /// What a string of the list is, where these are the servers that there are, as strings spell them.
    pub fn parse<'t>(&'t self, text: &'t str, servers: &'t [String]) -> Rule<'t> {
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
        if let Some(mark) = self.row.and_then(|row| row.regex_mark.as_deref()) {
            return Regex::new(&format!("^(?:{})$", text.strip_prefix(mark)?), "i");
        }
        if self.kind != ListKind::Hook || text.is_empty() {
            return None;
        }
        if self.regex || !is_exact(text) {
            return Regex::new(text, "");
        }
        let names = text.split(['|', ',']).map(str::trim);
        text.contains(['|', ',']).then(|| Regex::new(&format!("^(?:{})$", names.collect::<Vec<_>>().join("|")), ""))?
    }

    fn begins(&self) -> bool {
        self.row.is_some_and(|row| row.begins)
    }

    /// Whether its strings are the names of tools, of whichever server.
    pub fn is_bare(&self) -> bool {
        self.server.is_none() && self.grammar.tool.separator.is_none()
    }

    /// Whether its strings stand one behind the other, with nothing that belongs to each.
    pub fn is_plain(&self) -> bool {
        self.row.is_none_or(|row| row.strings == Strings::Elements && row.text_at.is_none())
    }

    /// What is written for another string of the list: its key, where strings are keys, and its value. `None` where
    /// more would have to be known.
    pub fn entry_for(&self, name: &str) -> Option<(Option<SmolStr>, serde_json::Value)> {
        let row = self.row.filter(|row| row.server_at.is_none() && row.unless.is_none())?;
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
        self.server.as_ref().is_none_or(|server| server.text == key)
    }
}

impl Entry {
    /// An entry of a text.
    pub(super) fn new(named: &Node, removal: Vec<Span>, is_one_of_several: bool, text: &str) -> Option<Entry> {
        let quote = text.get(named.span.range())?.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        let between = is_one_of_several.then(|| between(named.span, text));
        let (text, beside, has_conditions) = (named.as_text()?.clone(), None, false);
        Some(Entry { text, whole: named.span, quote, removal, between, beside, has_conditions })
    }
}

/// A key with its value, and the quote that the key begins with, if it has one.
fn pair_of(key: &Text, value: &Node, text: &str) -> Span {
    let is_quoted = text[..key.span.start as usize].ends_with(['"', '\'']);
    Span { start: key.span.start - u32::from(is_quoted), end: value.span.end }
}

impl Beside {
    /// Behind an element: in brackets and braces with a comma between, in other lists and tables on a line of its own, and as
    /// a table behind a table.
    fn of(element: Span, is_object: bool, text: &str) -> Option<Beside> {
        let (start, end) = (element.start as usize, element.end as usize);
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let lead = &text[line..start];
        let is_alone = lead.trim_start().trim_start_matches("- ").is_empty();
        let rest = text[end..].split('\n').next()?.trim_end_matches('\r');
        let next = text[end..].trim_start().chars().next();
        // A comment may stand before the comma or bracket that ends an element.
        let is_bracketed = matches!(next, Some(',' | ']' | '}'))
            || matches!(next, Some('/')) && text[..start].trim_end().ends_with(['[', '{', ',', '/']);
        match (is_bracketed, is_alone) {
            (true, _) => Some(Beside { element, at: element.end, before: between(element, text) }),
            (false, true) if lead.contains('-') || !is_object && text[start..end].lines().count() == 1 => {
                let is_free = rest.trim_start().is_empty() || rest.trim_start().starts_with('#');
                let before = format!("{}{lead}", line_break(text)).into();
                is_free.then(|| Beside { element, at: (end + rest.len()) as u32, before })
            }
            (false, _) => Beside::table(element, text),
        }
    }

    /// Behind the table of TOML in which a place stands: from its heading on, without the blank lines behind it.
    fn table(place: Span, text: &str) -> Option<Beside> {
        let is_heading = |at: &usize| text[*at..].starts_with('[');
        let after_break = |(at, _): (usize, &str)| at + 1;
        let above = text[..place.start as usize].match_indices('\n').map(after_break);
        let start = std::iter::once(0).chain(above).rfind(is_heading)?;
        // `tools.read_note.approval_mode = "prompt"` is one of several things that its table says.
        let key = text
            .get(place.start as usize..)?
            .split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'))
            .next()?;
        let is_of_place = (start..start + text[start..].find(']')?).contains(&(place.start as usize));
        let is_alone = text[start..].lines().next()?.contains(key) || text[start..].starts_with("[[");
        if !is_of_place && !is_alone {
            return None;
        }
        // What the grammar calls a table may end before its last comment.
        let below = text[place.start as usize..].match_indices('\n').map(after_break);
        let end = below.map(|at| place.start as usize + at).find(is_heading).unwrap_or(text.len());
        let element = Span::new(start, start + text[start..end].trim_end().len());
        Some(Beside { element, at: element.end, before: line_break(text).repeat(2).into() })
    }
}

/// What parts an element of a list from one that is written behind it: one that stands on a line of its own keeps company
/// on the next.
fn between(element: Span, text: &str) -> SmolStr {
    let before = &text[..element.start as usize];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let indent = &before[start..];
    match start > 0 && indent.trim().is_empty() {
        true => format!(",{}{indent}", line_break(text)).into(),
        false => SmolStr::new_static(", "),
    }
}

/// Whether the matcher of a hook is made of whole names.
pub fn is_exact(matcher: &str) -> bool {
    matcher.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ' | ',' | '|'))
}

/// Reads a client's file.
pub fn read(client: usize, file: &'static ClientFile, root: &Node, text: &str) -> ClientFacts {
    let name = root.get("name").and_then(Node::as_str).map(str::to_string);
    let mut facts = ClientFacts { client, name, order: file.order, together: file.together, ..ClientFacts::default() };
    if !matches!(root.value, document::Value::Object(_)) {
        facts.wrong_root = Some((root.span, root.kind()));
        return facts;
    }
    for path in file.servers.iter().chain(&file.more_servers) {
        for (_, servers) in places(root, path) {
            facts.servers.extend(server_entries(file, root, servers));
        }
    }
    // `mcpServers: [notes]` names one that a config starts.
    let own = file.own_servers.iter().filter_map(|path| root.at(path.keys()));
    facts.has_other_servers =
        own.flat_map(|own| own.elements().iter().chain(std::iter::once(own))).any(|own| own.entries().next().is_some());
    for list in &file.keys {
        for (_, node) in places(root, &list.at) {
            let elements = node.elements().iter().enumerate();
            facts.keys.extend(elements.filter_map(|(index, element)| {
                let named = list.text_at.as_ref().map_or(Some(element), |path| element.at(path.keys()))?;
                let removal = document::removal(node.elements(), index, text);
                Entry::new(named, removal, false, text)
            }));
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
            moved: parent.and_then(|parent| moved(parent, last, &mistaken.right, text)),
        }));
    }
    for list in &file.lists {
        // Those of one place are one list.
        let rank = file.lists.iter().position(|other| other.at == list.at).unwrap_or_default();
        let grammar = list.grammar.as_ref().unwrap_or(&built_in()[client].names);
        let above = list.at.above();
        for (server, node) in places(root, &list.at) {
            let strings = strings(list, node, text);
            let of_list = server.cloned();
            let holds = |parent: &&(Option<&Text>, &Node)| {
                parent.1.span.start <= node.span.start && node.span.end <= parent.1.span.end
            };
            let scope = places(root, &above).iter().find(holds).map_or(0, |(_, parent)| parent.span.start);
            let keys = node.entries().filter(|_| list.strings == Strings::Keys).map(|(key, _)| key.text.clone());
            let taken: Arc<[String]> = keys.collect();
            let mut owners: Vec<Option<&Text>> = strings.iter().map(|it| it.server.as_ref()).collect();
            owners.push(None);
            owners.sort_by_key(|owner| owner.map(|owner| &owner.text));
            owners.dedup_by_key(|owner| owner.map(|owner| &owner.text));
            for (kind, owner) in
                ListKind::ALL.into_iter().flat_map(|kind| owners.iter().map(move |owner| (kind, *owner)))
            {
                let is_own =
                    |it: &&Said| it.kind == Some(kind) && it.server.as_ref().map(|s| &s.text) == owner.map(|s| &s.text);
                let entries: Vec<Entry> = strings.iter().filter(is_own).map(|it| it.entry.clone()).collect();
                // A list that is empty can be written into.
                if entries.is_empty() && (list.list != Some(kind) || owner.is_some() || list.server_at.is_some()) {
                    continue;
                }
                facts.lists.push(List {
                    client,
                    kind,
                    wildcards: list.wildcards,
                    grammar,
                    server: of_list.clone().or_else(|| owner.cloned()),
                    row: Some(list),
                    regex: list.regex,
                    rank,
                    taken: Arc::clone(&taken),
                    scope,
                    span: node.span,
                    entries,
                });
            }
        }
    }
    facts
}

/// What moves the elements of one list of an object behind those of another, as they are written.
fn moved(parent: &Node, from: &str, to: &str, text: &str) -> Option<Vec<Edit>> {
    let target = parent.get(to)?;
    let is_list = |node: &Node| matches!(node.value, document::Value::Array(_));
    let (first, last) = (parent.get(from)?.elements().first()?, parent.get(from)?.elements().last()?);
    let written = text.get(first.span.start as usize..last.span.end as usize)?;
    let (at, before) = match target.elements().last() {
        Some(last) => (last.span.end, ", "),
        None => (target.span.start + 1, ""),
    };
    let pairs: Vec<Node> = parent.entries().map(|(key, value)| pair_node(key, value)).collect();
    let index = parent.entries().position(|(key, _)| key.text == from)?;
    let removal = document::removal(&pairs, index, text);
    let insertion = Edit::new(Span { start: at, end: at }, format!("{before}{written}"));
    let is_apart = !removal.is_empty() && !removal.iter().any(|span| span.touches(at));
    let removals = removal.into_iter().map(|span| Edit::new(span, ""));
    (is_list(target) && is_apart).then(|| std::iter::once(insertion).chain(removals).collect())
}

/// A key of an object with its value, as one.
fn pair_node(key: &Text, value: &Node) -> Node {
    let span = Span { start: key.span.start.saturating_sub(1), end: value.span.end };
    Node { value: document::Value::Other, span }
}

/// Reads the command lines of a script, whoever's they are.
pub fn read_script(client: usize, text: &str) -> ClientFacts {
    let mut others = built_in().iter().flat_map(|client| &client.script_servers);
    let has_other_servers = others.any(|word| text.contains(word.as_str()));
    ClientFacts { client, lists: flags::lists(text), has_other_servers, ..ClientFacts::default() }
}

/// The server entries of an object whose keys are server keys, or of a list that names them inside.
fn server_entries(file: &ClientFile, root: &Node, servers: &Node) -> Vec<ServerEntry> {
    let name = root.get("name").and_then(Node::as_str).unwrap_or_default();
    let known_as = |key: &str| file.known_as.as_ref().map(|form| form.replace("{name}", name).replace("{key}", key));
    let named = servers.entries();
    let in_list = servers.elements().iter().filter_map(|entry| {
        let key = entry.at(file.key_at.as_ref()?.keys())?;
        Some((key.as_text()?, entry))
    });
    let entry = |(key, entry): (&Text, &Node)| ServerEntry {
        key: key.clone(),
        known_as: known_as(&key.text),
        is_reference: !STARTS.iter().any(|word| entry.get(word).is_some()),
        command: command_of(entry),
        cwd: entry.get("cwd").and_then(Node::as_str).map(str::to_string),
        made_at: None,
    };
    named.chain(in_list).map(entry).collect()
}

/// The keys of server entries, in whichever client, that say how a server is started or where it runs.
const STARTS: [&str; 9] = ["command", "cmd", "url", "uri", "httpUrl", "serverUrl", "type", "transport", "docker"];

/// The program and its arguments: `"command": "npx", "args": […]`, a list of both, or an object that has them.
fn command_of(entry: &Node) -> Option<Vec<String>> {
    // Goose calls it `cmd`.
    let command = entry.get("command").or_else(|| entry.get("cmd"))?;
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

/// One string of a list.
struct Said {
    /// What it does.
    kind: Option<ListKind>,
    /// The server that it is about, where that stands beside it.
    server: Option<Text>,
    entry: Entry,
}

/// The strings of a list, each with what it does.
fn strings(list: &PermissionList, node: &Node, text: &str) -> Vec<Said> {
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
            // In a list of dashes each stands on a line of its own.
            let is_in_one_line = node.as_text().is_some() || text[node.span.range()].starts_with('[');
            let entry = |index: usize| {
                let element = &elements[index];
                if list.unless.as_ref().is_some_and(|path| element.at(path.keys()).is_some()) {
                    return None;
                }
                let server = match &list.server_at {
                    Some(path) => Some(element.at(path.keys())?.as_text()?.clone()),
                    None => None,
                };
                // A string of an object goes with no more than itself, and that may be the point of the object.
                let removal = match list.text_at {
                    None => document::removal(elements, index, text),
                    Some(_) => Vec::new(),
                };
                // One or several.
                let named = list.text_at.as_ref().map_or(Some(element), |path| element.at(path.keys()))?;
                let asked = [&list.text_at, &list.kind_at, &list.server_at].into_iter().flatten();
                let asked: Vec<&str> = asked.filter_map(|path| path.keys().next()).collect();
                let has_conditions = element.entries().any(|(key, _)| !asked.contains(&key.text.as_str()));
                let texts = if named.as_text().is_some() { std::slice::from_ref(named) } else { named.elements() };
                let said = texts.iter().filter_map(move |named| {
                    let entry = Entry::new(named, removal.clone(), is_in_one_line, text)?;
                    // One of several strings of an element has no element of its own.
                    let alone = node.as_text().is_none() && (list.text_at.is_none() || texts.len() == 1);
                    let beside = Beside::of(element.span, list.text_at.is_some(), text).filter(|_| alone);
                    let is_spaced = list.split == Some(Split::CommasOrSpaces)
                        && node.as_text().is_some_and(|text| !text.text.contains(','));
                    let between = if is_spaced { Some(SmolStr::new_static(" ")) } else { entry.between.clone() };
                    let entry = Entry { beside, has_conditions, between, ..entry };
                    Some(Said { kind: kind(element), server: server.clone(), entry })
                });
                Some(said.collect::<Vec<Said>>())
            };
            (0..elements.len()).filter_map(entry).flatten().collect()
        }
        Strings::Keys | Strings::Values => {
            // What goes when an entry goes is its key with its value.
            let quoted = |key: &Text| Span { start: key.span.start.saturating_sub(1), end: key.span.end + 1 };
            let pairs: Vec<Node> = node.entries().map(|(key, value)| pair_node(key, value)).collect();
            // Tables under headings and mappings without braces have more than a comma about them.
            let is_braced = text.get(node.span.range()).is_some_and(|written| written.starts_with('{'));
            let entries = node.entries().enumerate().map(|(index, (key, value))| {
                let removal = if is_braced { document::removal(&pairs, index, text) } else { Vec::new() };
                Said {
                    kind: kind(value),
                    server: None,
                    entry: Entry {
                        text: key.clone(),
                        whole: quoted(key),
                        quote: None,
                        removal,
                        between: None,
                        beside: Beside::of(pair_of(key, value, text), false, text),
                        has_conditions: false,
                    },
                }
            });
            entries.collect()
        }
    }
}

/// The strings that are written in one text.
pub(super) fn divided(text: &Text, split: Split) -> Vec<Node> {
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

/// What a path leads to, each with the server that it is of.
fn places<'n>(root: &'n Node, path: &Path) -> Vec<(Option<&'n Text>, &'n Node)> {
    let mut found: Vec<(Option<&Text>, &Node)> = vec![(None, root)];
    for key in path.keys() {
        found = found
            .into_iter()
            .flat_map(|(server, node)| -> Vec<(Option<&'n Text>, &'n Node)> {
                match key {
                    "{server}" => node.entries().map(|(key, entry)| (Some(key), entry)).collect(),
                    "*" => {
                        let inside = node.entries().map(|(_, entry)| entry).chain(node.elements());
                        inside.map(|entry| (server, entry)).collect()
                    }
                    key => node.get(key).map(|entry| (server, entry)).into_iter().collect(),
                }
            })
            .collect();
    }
    found
}
