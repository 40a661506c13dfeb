//! Reads a client's file by the client's row, which contains the paths of the servers and strings in the file.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use smol_str::SmolStr;

use super::entry::{Entry, Layout, Parting};
use super::facts::{ClientFacts, Hook, List, Mistaken, RefusedValue, ServerEntry, Switch, Trust, Whole};
use super::{Client, ClientFile, ListKind, Own, Path, PermissionList, Split, Strings, Wildcards};
use crate::document::{self, Node, Text};
use crate::text::{Edit, Span};

/// Reads a client's file.
pub(crate) fn read(client: &Arc<Client>, file: &ClientFile, root: &Node, text: &str) -> ClientFacts {
    let source: LazyCell<Arc<str>, _> = LazyCell::new(|| Arc::from(text));
    read_part(client, file, root, text, &|| Arc::clone(&source))
}

/// Reads a client's file that is a part of a text; `source` returns that text, shared.
pub(super) fn read_part(
    client: &Arc<Client>,
    file: &ClientFile,
    root: &Node,
    text: &str,
    source: &dyn Fn() -> Arc<str>,
) -> ClientFacts {
    let name = root.get("name").and_then(Node::as_str).map(str::to_string);
    let (part, unread) = (file.part.clone(), file.unread.clone());
    let (order, together) = (file.order, file.together);
    let mut facts = ClientFacts { name, order, together, part, unread, ..ClientFacts::of(client) };
    if !matches!(root.value, document::Value::Object(_)) {
        facts.wrong_root = Some((root.span, root.kind()));
        return facts;
    }
    for path in file.servers.iter().chain(&file.more_servers) {
        for (_, servers) in places(root, path) {
            facts.servers.extend(server_entries(file, root, servers));
        }
    }
    // In `mcpServers: [notes]`, `notes` is only the key of a server in a config; an object is an entry for another
    // server.
    let own = file.own_servers.iter().filter_map(|path| root.at(path.keys()));
    facts.has_other_servers =
        own.flat_map(|own| own.elements().iter().chain(std::iter::once(own))).any(|own| own.entries().next().is_some());
    for list in &file.keys {
        for (_, node) in places(root, &list.at) {
            facts.keys.extend(node.elements().iter().filter_map(|element| {
                let named = list.text_at.as_ref().map_or(Some(element), |path| element.at(path.keys()));
                let key = named?.as_text()?.clone();
                let is_any = list.any_server.as_deref() == Some(key.text.as_str());
                let is_lost_pattern = list.exact && key.text.contains('*');
                Some(Switch { key, list: list.list, allows: list.allows, is_any, is_lost_pattern })
            }));
        }
    }
    for whole in &file.wholes {
        for (server, node) in places(root, &whole.at) {
            let (Some(server), Some(word)) = (server, word_of(node)) else { continue };
            let setting = format!("{}: {word}", whole.at.keys().last().unwrap_or_default());
            let (plain_servers, span) = (whole.plain_servers, node.span);
            let of_kind =
                |kind: &ListKind| Whole { server: server.text.clone(), setting, plain_servers, kind: *kind, span };
            facts.wholes.extend(whole.kinds.get(&*word).map(of_kind));
            facts.refused.extend(refused(node, &whole.kinds).filter(|_| whole.closed));
        }
    }
    for trusted in &file.trusted {
        for (server, node) in places(root, &trusted.at) {
            let word = word_of(node).filter(|word| trusted.values.iter().any(|value| *value == **word));
            let (Some(server), true) = (server, word.is_some() || trusted.values.is_empty()) else { continue };
            let setting = word.map(|word| format!("{}: {word}", trusted.at.keys().last().unwrap_or_default()));
            facts.trusts.push(Trust { server: server.text.clone(), hint: trusted.hint.clone(), setting });
        }
    }
    for list in file.lists.iter().filter(|list| list.closed) {
        let keyed = places(root, &list.at).into_iter().flat_map(|(_, node)| node.entries());
        let words = keyed.filter_map(|(_, value)| match &list.kind_at {
            Some(path) => value.at(path.keys()),
            None => Some(value),
        });
        facts.refused.extend(words.filter_map(|word| refused(word, &list.kinds)));
    }
    for mistaken in &file.mistaken {
        let keys: Vec<&str> = mistaken.at.keys().collect();
        let Some((last, above)) = keys.split_last() else { continue };
        let parent = root.at(above.iter().copied());
        let found = parent.and_then(|parent| parent.entries().find(|(key, _)| key.text == *last));
        // In a document about one skill or agent, the key may be that of another program, with names of its own.
        let found = found.filter(|(_, value)| file.part.is_none() || names_tools(client, value));
        facts.mistaken.extend(found.map(|(key, _)| Mistaken {
            key: key.clone(),
            right: mistaken.right.clone(),
            in_file: mistaken.in_file.clone(),
            is_taken: parent.is_some_and(|parent| parent.get(&mistaken.right).is_some()),
            moved: parent.and_then(|parent| moved(parent, last, &mistaken.right, text)),
        }));
    }
    if let Some(hooks) = &file.before_calls {
        let commands = |node: &Node| -> Vec<Text> {
            let all = hooks.commands.iter().flat_map(|path| places(node, path));
            all.filter_map(|(_, command)| command.as_text().cloned()).collect()
        };
        let hook = |(_, node): (_, &Node)| Hook { span: node.span, commands: commands(node) };
        facts.hooks.extend(hooks.at.iter().flat_map(|path| places(root, path)).map(hook));
    }
    for list in &file.lists {
        // Rows with the same path are one list.
        let rank = file.lists.iter().position(|other| other.at == list.at).unwrap_or_default();
        let grammar = list.grammar.as_ref().unwrap_or(&client.names);
        let of_client = client.also.as_ref().filter(|_| list.grammar.is_none());
        let other = list.also.as_ref().or(of_client);
        let is_other = |entry: &Entry| other.is_some_and(|it| entry.text.text.starts_with(it.tool.prefix.as_str()));
        let above: Vec<Span> = places(root, &list.at.above()).iter().map(|(_, parent)| parent.span).collect();
        let is_in_order = above.is_sorted_by(|a, b| a.end <= b.start);
        for (server, node) in places(root, &list.at) {
            let (mut strings, layout) = strings(list, node, &source());
            let of_list = server.cloned();
            let holds = |parent: &&Span| parent.contains(node.span);
            // If the parents do not overlap, at most one of them contains the list.
            let scope = match is_in_order {
                true => {
                    let behind = above.partition_point(|parent| parent.start <= node.span.start);
                    above[..behind].last().filter(holds)
                }
                false => above.iter().find(holds),
            };
            let scope = scope.map_or(0, |parent| parent.start);
            let keys = node.entries().filter(|_| list.strings == Strings::Keys).map(|(key, _)| key.text.clone());
            let taken: Arc<[String]> = keys.collect();
            let named = strings.iter().filter_map(|it| it.server.as_ref());
            let mut owners: Vec<Option<Text>> = named.cloned().map(Some).collect();
            owners.push(None);
            let name = |owner: &Option<Text>| owner.as_ref().map(|owner| owner.text.clone());
            owners.sort_by_key(name);
            owners.dedup_by_key(|owner| name(owner));
            let of_kind = |kind| owners.iter().map(move |owner| (kind, owner));
            let parts = ListKind::ALL.into_iter().flat_map(of_kind).flat_map(|(kind, owner)| {
                let grammars = std::iter::once((grammar, false)).chain(other.map(|other| (other, true)));
                grammars.map(move |(grammar, is_second)| (kind, owner, grammar, is_second))
            });
            for (kind, owner, grammar, is_second) in parts {
                let is_own = |it: &Said| {
                    it.kind == Some(kind)
                        && it.server.as_ref().map(|s| &s.text) == owner.as_ref().map(|s| &s.text)
                        && is_other(&it.entry) == is_second
                };
                let mut entries: Vec<Entry> = Vec::with_capacity(strings.iter().filter(|it| is_own(it)).count());
                entries.extend(strings.extract_if(.., |it| is_own(it)).map(|it| it.entry));
                // Keep an empty list if entries can be added to it.
                let is_written_into = list.list == Some(kind) && owner.is_none() && list.server_at.is_none();
                if entries.is_empty() && (!is_written_into || is_second) {
                    continue;
                }
                facts.lists.push(List {
                    client: Arc::clone(client),
                    kind,
                    wildcards: list.wildcards,
                    grammar: Arc::clone(grammar),
                    server: of_list.clone().or_else(|| owner.clone()),
                    row: Some(Arc::clone(list)),
                    regex: list.regex,
                    rank,
                    taken: Arc::clone(&taken),
                    scope,
                    is_apart: list.at.keys().any(|key| key == "*"),
                    span: node.span,
                    layout: layout.clone(),
                    entries,
                });
            }
        }
    }
    facts.lists.extend(file.mark.as_ref().and_then(|mark| marked(client, mark, text)));
    facts
}

/// Whether a value contains a string in the form of the client's names, or of its own tools if these begin with
/// capitals.
fn names_tools(client: &Client, value: &Node) -> bool {
    let is_own =
        |text: &str| client.names.own == Own::Capitalised && text.starts_with(|c: char| c.is_ascii_uppercase());
    let is_name = |text: &str| text.starts_with(client.names.tool.prefix.as_str()) || is_own(text);
    let texts = value.elements().iter().chain(std::iter::once(value)).filter_map(Node::as_str);
    texts.flat_map(|text| text.split([',', ' '])).any(is_name)
}

/// The tools that a document refers to after a mark: `#tool:notes/read_note`.
fn marked(client: &Arc<Client>, mark: &str, text: &str) -> Option<List> {
    let names = text.match_indices(mark).filter_map(|(at, _)| {
        let start = at + mark.len();
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | '*');
        let length = text[start..].find(|c| !is_of_name(c)).unwrap_or(text.len() - start);
        // A full stop ends the sentence.
        let name = text[start..start + length].trim_end_matches('.');
        let span = Span::new(start, start + name.len());
        let said = Text { text: name.to_string(), span, verbatim: true };
        Entry::new(&Node { value: document::Value::String(said), span }).filter(|_| !name.is_empty())
    });
    let entries: Vec<Entry> = names.collect();
    let (first, last) = (entries.first()?.whole, entries.last()?.whole);
    let span = Span { start: first.start, end: last.end };
    let list = List::elsewhere(client, ListKind::Mention, Wildcards::Whole, &client.names, span.start, span);
    Some(List { layout: Layout::of(text.into(), &[], None), entries, ..list })
}

/// The edits that move the elements of the list `from` in an object, unchanged, to the end of the list `to` in the same
/// object; `None` if either list is missing, if there is nothing to move, or if the edits would overlap.
fn moved(parent: &Node, from: &str, to: &str, text: &str) -> Option<Vec<Edit>> {
    let target = parent.get(to)?;
    let is_list = |node: &Node| matches!(node.value, document::Value::Array(_));
    let (first, last) = (parent.get(from)?.elements().first()?, parent.get(from)?.elements().last()?);
    let written = text.get(first.span.start as usize..last.span.end as usize)?;
    let (at, before) = match target.elements().last() {
        Some(last) => (last.span.end, ", "),
        None => (target.span.start + 1, ""),
    };
    let pairs: Vec<Span> = parent.entries().map(pair_span).collect();
    let index = parent.entries().position(|(key, _)| key.text == from)?;
    let removal = document::removal(&pairs, index, text);
    let insertion = Edit::new(Span { start: at, end: at }, format!("{before}{written}"));
    let is_apart = !removal.is_empty() && !removal.iter().any(|span| span.touches(at));
    let removals = removal.into_iter().map(|span| Edit::new(span, ""));
    (is_list(target) && is_apart).then(|| std::iter::once(insertion).chain(removals).collect())
}

/// The span of a key of an object and its value.
fn pair_span((key, value): (&Text, &Node)) -> Span {
    Span { start: key.span.start.saturating_sub(1), end: value.span.end }
}

/// The server entries of an object whose keys are server keys, or of a list whose entries contain their keys.
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
        url: ADDRESSES.iter().find_map(|key| entry.get(key)?.as_str()).map(str::to_string),
        cwd: entry.get("cwd").and_then(Node::as_str).map(str::to_string),
        made_at: None,
        made_in: None,
    };
    named.chain(in_list).map(entry).collect()
}

/// The keys of a server entry, in any client, that contain its command, address or transport.
const STARTS: [&str; 9] = ["command", "cmd", "url", "uri", "httpUrl", "serverUrl", "type", "transport", "docker"];

/// The keys of a server entry, in any client, that contain its address.
const ADDRESSES: [&str; 4] = ["url", "uri", "httpUrl", "serverUrl"];

/// The program and its arguments: `"command": "npx", "args": […]`, a list of both, or an object with both.
fn command_of(entry: &Node) -> Option<Vec<String>> {
    // Goose calls this key `cmd`.
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

/// A word that decides about a string or a server: a string or a truth value.
fn word_of(node: &Node) -> Option<Cow<'_, str>> {
    node.as_str().map(Cow::Borrowed).or_else(|| node.as_bool().map(|value| value.to_string().into()))
}

/// A value that the client does not accept; `None` if it does, or if the value is neither a string nor a truth value.
fn refused(node: &Node, kinds: &BTreeMap<String, ListKind>) -> Option<RefusedValue> {
    let value = word_of(node).filter(|word| !kinds.contains_key(&**word))?.into_owned();
    let span = node.as_text().map_or(node.span, |text| text.span);
    Some(RefusedValue { value, span, accepted: kinds.keys().cloned().collect() })
}

/// A string of a list.
struct Said {
    /// The effect of the string; `None` if `kinds` does not list it, in which case the string is ignored.
    kind: Option<ListKind>,
    /// The key of the server, if it is written next to the string.
    server: Option<Text>,
    entry: Entry,
}

/// The strings of a list, each with its effect, and their layout.
fn strings(list: &PermissionList, node: &Node, source: &Arc<str>) -> (Vec<Said>, Layout) {
    let text = &**source;
    let kind = |said: &Node| {
        if list.list.is_some() {
            return list.list;
        }
        let said = list.kind_at.as_ref().map_or(Some(said), |path| said.at(path.keys()))?;
        let within = list.kind_within.as_ref().filter(|_| said.entries().next().is_some());
        let said = within.map_or(Some(said), |path| said.at(path.keys()))?;
        list.kinds.get(&*word_of(said)?).copied()
    };
    match list.strings {
        Strings::Elements => {
            let alone: Vec<Node> = match (node.as_text(), list.split) {
                (Some(text), Some(split)) if text.verbatim => divided(text, split),
                (Some(_), _) => vec![node.clone()],
                _ => Vec::new(),
            };
            let in_one_text = node.as_text();
            let elements = if in_one_text.is_some() { alone.as_slice() } else { node.elements() };
            // In a list with dashes, each string has a line of its own.
            let is_in_one_line = in_one_text.is_some() || text[node.span.range()].starts_with('[');
            let is_spaced = list.split == Some(Split::CommasOrSpaces)
                && in_one_text.is_some_and(|text| !text.text.contains(','))
                && alone.len() > 1;
            let asked = [&list.text_at, &list.kind_at, &list.server_at].into_iter().flatten();
            let asked: Vec<&str> = asked.filter_map(|path| path.keys().next()).collect();
            let parting = match is_in_one_line {
                _ if is_spaced => Some(Parting::Always(SmolStr::new_static(" "))),
                true => Some(Parting::Comma),
                false => None,
            };
            let in_objects = list.text_at.is_some();
            let layout = Layout { in_objects, ..Layout::of(Arc::clone(source), elements, parting) };
            let mut found = Vec::with_capacity(elements.len());
            for (index, element) in elements.iter().enumerate() {
                if list.unless.as_ref().is_some_and(|path| element.at(path.keys()).is_some()) {
                    continue;
                }
                let server = match &list.server_at {
                    Some(path) => match element.at(path.keys()).and_then(Node::as_text) {
                        Some(server) => Some(server.clone()),
                        None => continue,
                    },
                    None => None,
                };
                // The value is one string or several.
                let named = list.text_at.as_ref().map_or(Some(element), |path| element.at(path.keys()));
                let Some(named) = named else { continue };
                let has_conditions = element.entries().any(|(key, _)| !asked.contains(&key.text.as_str()));
                // An element of a list may contain several strings as well.
                let parts: Vec<Node> = match (named.as_text(), list.split) {
                    (Some(text), Some(split)) if text.verbatim && in_one_text.is_none() => divided(text, split),
                    _ => Vec::new(),
                };
                let texts = match parts.as_slice() {
                    [_, _, ..] => parts.as_slice(),
                    _ if named.as_text().is_some() => std::slice::from_ref(named),
                    _ => named.elements(),
                };
                let is_part = parts.len() > 1;
                // If an element contains several strings, none of them can be removed or copied together with the
                // element.
                let is_alone = in_one_text.is_none() && !is_part && (list.text_at.is_none() || texts.len() == 1);
                for named in texts {
                    let Some(entry) = Entry::new(named) else { continue };
                    let entry = Entry {
                        // A string in an object has no element of its own: deleting the object could delete more than
                        // the string.
                        element: (!in_objects && !is_part).then_some(index as u32),
                        pattern: is_alone.then_some(element.span),
                        has_conditions,
                        ..entry
                    };
                    found.push(Said { kind: kind(element), server: server.clone(), entry });
                }
            }
            (found, layout)
        }
        Strings::Keys | Strings::Values => {
            // Removing an entry removes its key and value.
            let elements = node.entries().map(pair_span).collect();
            // Only in braces are entries separated by commas: not in a TOML table under a heading or in a YAML mapping
            // without braces.
            let is_braced = text.get(node.span.range()).is_some_and(|written| written.starts_with('{'));
            let entries = node.entries().enumerate().map(|(index, (key, value))| {
                let entry = Entry { element: is_braced.then_some(index as u32), ..Entry::keyed(key, value, text) };
                Said { kind: kind(value), server: None, entry }
            });
            let text = Arc::clone(source);
            let layout = Layout { text, elements, parting: None, in_objects: false, is_keyed: true };
            (entries.collect(), layout)
        }
    }
}

/// The strings in one text, split at the separators outside parentheses, without surrounding white space.
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

/// The nodes at a path, each with the key of the server that it belongs to, if the path contains `{server}`.
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
