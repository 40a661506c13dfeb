//! Strings in code that allow or deny tools or attach hooks to them: the options of an agent's SDK, and definitions of
//! agents.

use std::cell::LazyCell;
use std::sync::Arc;

use smol_str::SmolStr;

use super::entry::{Entry, Layout, Parting};
use super::facts::{ClientFacts, List, ServerEntry};
use super::read::divided;
use super::{Client, Clients, CodeList, Grammar, ListKind, Strings, Wildcards};
use crate::document::{Node, Text, Value};
use crate::lower::{Bound, Expr, FileFacts, Item, ItemFacts, Prop};
use crate::text::Span;

/// Whether a text may contain strings about tools; other texts need not be searched.
pub(crate) fn may_grant(clients: &Clients, text: &str) -> bool {
    clients.words_of_code.is_match(text)
}

/// Reads the servers and the strings about tools that a source file gives to clients; `None` if there are none.
pub(crate) fn read_code(clients: &Clients, facts: &FileFacts, text: &str) -> Option<ClientFacts> {
    let mut found = ClientFacts::of(clients.first());
    let source: LazyCell<Arc<str>, _> = LazyCell::new(|| Arc::from(text));
    let shared = || Arc::clone(&source);
    for item in &facts.items {
        let reader = Reader { clients, facts, item, text, shared: &shared };
        item.facts.each_expression(&mut |expr| {
            if let Expr::Object { props, span } = expr {
                let pairs: Vec<(&SmolStr, &Expr)> = props.iter().filter_map(pair).collect();
                reader.named(&pairs, None, *span, &mut found);
            }
        });
        for call in &item.facts.calls {
            let given = call.args.iter().filter_map(|arg| Some((arg.name.as_ref()?, &arg.value)));
            let callee = call.callee.last_name();
            reader.named(&given.collect::<Vec<_>>(), callee, call.span, &mut found);
            // Where Python has keyword arguments, JavaScript has an object.
            if let Some(Expr::Object { props, span }) = call.args.first().map(|arg| &arg.value) {
                let pairs: Vec<(&SmolStr, &Expr)> = props.iter().filter_map(pair).collect();
                reader.named(&pairs, callee, *span, &mut found);
            }
            for (client, row) in rows(clients) {
                let fits = callee.is_some_and(|callee| row.of.contains(callee));
                let argument = row.argument.filter(|_| fits).and_then(|index| call.args.get(index));
                let list = argument.filter(|arg| arg.name.is_none());
                let scope = call.span.shifted(item.start).start;
                found.lists.extend(list.and_then(|arg| reader.list(client, row, &arg.value, scope)));
            }
        }
    }
    if found.is_empty() {
        return None;
    }
    if let Some(list) = found.lists.first() {
        found.client = Arc::clone(&list.client);
    }
    // A list may have been found twice, since a decorator is also a call with the same arguments.
    found.lists.sort_by_key(|list| (list.span, list.kind as u8));
    found.lists.dedup_by_key(|list| (list.span, list.kind));
    Some(found)
}

/// How the strings of a list in code are read.
#[derive(Clone, Copy)]
pub(crate) struct Literals<'c> {
    pub(crate) client: &'c Arc<Client>,
    pub(crate) list: ListKind,
    pub(crate) wildcards: Wildcards,
    pub(crate) strings: Strings,
}

/// The lists of the string literals at some spans of a source file, each literal in one list. `text` is the text of the
/// file.
pub(crate) fn literal_lists(
    literals: &Literals<'_>,
    grammar: &Arc<Grammar>,
    facts: &FileFacts,
    text: &Arc<str>,
    spans: &[Span],
) -> Vec<List> {
    let (clients, shared) = (Clients::built_in(), || Arc::clone(text));
    let mut left = spans.to_vec();
    let mut found = Vec::new();
    for item in &facts.items {
        let reader = Reader { clients, facts, item, text, shared: &shared };
        found.extend(reader.literals_at(literals, grammar, &mut left));
    }
    // A literal that is in no list, such as the value of a constant, or a key.
    for span in left {
        let Some(node) = quoted(text, Text { text: text[span.range()].to_string(), span, verbatim: true }) else {
            continue;
        };
        let list = List::elsewhere(literals.client, literals.list, literals.wildcards, grammar, span.start, node.span);
        let entries = Entry::new(&node).into_iter().collect();
        found.push(List { layout: Layout::of(Arc::clone(text), &[], None), entries, ..list });
    }
    found
}

/// The rows of all clients, each with its client.
fn rows(clients: &Clients) -> impl Iterator<Item = (&Arc<Client>, &CodeList)> {
    clients.iter().flat_map(|client| client.code.iter().map(move |row| (client, row)))
}

struct Reader<'f> {
    clients: &'f Clients,
    facts: &'f FileFacts,
    item: &'f Item,
    text: &'f str,
    /// Returns `text` as an `Arc` that all lists share.
    shared: &'f dyn Fn() -> Arc<str>,
}

impl Reader<'_> {
    /// Reads the servers and lists in the named values of one object or call.
    fn named(&self, pairs: &[(&SmolStr, &Expr)], callee: Option<&SmolStr>, at: Span, found: &mut ClientFacts) {
        let scope = at.shifted(self.item.start).start;
        for (name, value) in pairs {
            if self.clients.iter().any(|client| client.code_servers.contains(*name)) {
                let (value, item) = self.value_of(value);
                // A value that is not an object literal, or has a spread, may contain any servers.
                found.has_other_servers |= !matches!(value, Expr::Object { props, .. }
                    if !props.iter().any(|prop| matches!(prop, Prop::Spread(_))));
                if let Expr::Object { props, .. } = value {
                    found.servers.extend(props.iter().filter_map(|prop| self.server(prop, item)));
                }
                continue;
            }
            for (client, row) in rows(self.clients) {
                let fits = row.names.contains(*name)
                    && (row.of.is_empty() || callee.is_some_and(|callee| row.of.contains(callee)))
                    && row.beside.iter().all(|beside| pairs.iter().any(|(other, _)| *other == beside));
                if fits {
                    found.lists.extend(self.list(client, row, value, scope));
                }
            }
        }
    }

    /// Reads a server under its key: the command that starts it, or the call that makes it.
    fn server(&self, prop: &Prop, item: &Item) -> Option<ServerEntry> {
        let Prop::Pair { key, value } = prop else { return None };
        let key = self.text_of(key, item)?;
        let (value, item) = match value {
            Expr::Name { .. } => self.value_of(value),
            value => (value, item),
        };
        let (command, made_at) = match value {
            Expr::Object { props, .. } => (command_of(props), None),
            Expr::Call(id) => (None, Some(item.facts.call(*id).span.shifted(item.start))),
            _ => (None, None),
        };
        Some(ServerEntry {
            key,
            is_reference: true,
            known_as: None,
            command,
            url: None,
            cwd: None,
            made_at,
            made_in: None,
        })
    }

    fn list(&self, client: &Arc<Client>, row: &CodeList, value: &Expr, scope: u32) -> Option<List> {
        let (value, item) = self.value_of(value);
        let literals = Literals { client, list: row.list, wildcards: row.wildcards, strings: row.strings };
        let grammar = row.grammar.as_ref().unwrap_or(&client.names);
        let divided = || match row.split.zip(self.text_of(value, item).filter(|text| text.verbatim)) {
            Some((split, text)) => divided(&text, split),
            None => self.node(value, item).into_iter().collect(),
        };
        let list = self.literal(&literals, grammar, (value, item), &divided)?;
        Some(List { regex: row.regex, scope, ..list })
    }

    /// The list that a literal is: a list, an object or a text, which `divided` divides into strings.
    fn literal(
        &self,
        literals: &Literals<'_>,
        grammar: &Arc<Grammar>,
        (value, item): (&Expr, &Item),
        divided: &dyn Fn() -> Vec<Node>,
    ) -> Option<List> {
        // Whether the value consists of strings only: an array may contain other elements between them.
        let mut is_whole = true;
        let nodes: Vec<Node> = match (value, literals.strings) {
            (Expr::Array { elements, .. }, Strings::Elements) => {
                is_whole = elements.iter().all(|element| matches!(element, Expr::Text { .. }));
                elements.iter().filter_map(|element| self.node(element, item)).collect()
            }
            (Expr::Object { props, .. }, Strings::Values) => {
                props.iter().filter_map(pair).filter_map(|(_, value)| self.node(value, item)).collect()
            }
            (Expr::Object { props, span }, Strings::Keys) => {
                return self.keyed(literals, grammar, (props, span.shifted(item.start)), item);
            }
            // An empty text, such as a default value, contains no strings.
            (Expr::Text { text, .. }, _) if text.trim().is_empty() => return None,
            (Expr::Text { .. }, _) => divided(),
            _ => return None,
        };
        let span = nodes.iter().map(|node| node.span).reduce(|a, b| Span { start: a.start, end: b.end })?;
        // A Python tuple of one element needs a trailing comma; a list does not.
        let before = self.text[..span.start as usize].trim_end();
        let is_tuple = before.ends_with('(') && literals.strings == Strings::Elements && nodes.len() > 1;
        let entries = nodes.iter().enumerate().filter_map(|(index, node)| {
            Some(Entry { element: (is_whole && !is_tuple).then_some(index as u32), ..Entry::new(node)? })
        });
        let list = List::elsewhere(literals.client, literals.list, literals.wildcards, grammar, span.start, span);
        let parting = (literals.strings == Strings::Elements).then_some(Parting::Comma);
        let layout = Layout::of((self.shared)(), &nodes, parting);
        Some(List { layout, entries: entries.collect(), ..list })
    }

    /// The list whose strings are the keys of an object.
    fn keyed(
        &self,
        literals: &Literals<'_>,
        grammar: &Arc<Grammar>,
        (props, span): (&[Prop], Span),
        item: &Item,
    ) -> Option<List> {
        let value_of = |value: &Expr| Node { span: value.span(&item.facts).shifted(item.start), ..Node::nothing() };
        let pairs = props.iter().filter_map(|prop| match prop {
            Prop::Pair { key, value } => Some((self.text_of(key, item)?, value_of(value))),
            Prop::Spread(_) => None,
        });
        let pairs: Vec<(Text, Node)> = pairs.collect();
        // Removing an entry removes its key and value; what is spread between them has no span.
        let is_whole = pairs.len() == props.len();
        let entries = pairs.iter().enumerate().map(|(index, (key, value))| Entry {
            element: is_whole.then_some(index as u32),
            ..Entry::keyed(key, value, self.text)
        });
        let entries: Vec<Entry> = entries.collect();
        let elements = entries.iter().filter_map(|entry| entry.pattern).collect();
        let layout = Layout { text: (self.shared)(), elements, parting: None, in_objects: false, is_keyed: true };
        let taken = pairs.iter().map(|(key, _)| key.text.clone()).collect();
        let list = List::elsewhere(literals.client, literals.list, literals.wildcards, grammar, span.start, span);
        (!entries.is_empty()).then_some(List { layout, taken, entries, ..list })
    }

    /// The lists that contain the literals at some spans, and no other strings.
    fn literals_at(&self, literals: &Literals<'_>, grammar: &Arc<Grammar>, spans: &mut Vec<Span>) -> Vec<List> {
        let mut found: Vec<List> = Vec::new();
        self.item.facts.each_expression(&mut |expr| {
            let is_wanted = |expr: &Expr| match expr {
                Expr::Text { span, .. } => spans.contains(&span.shifted(self.item.start)),
                _ => false,
            };
            let (is_it, strings) = match expr {
                Expr::Array { elements, .. } => (elements.iter().any(is_wanted), Strings::Elements),
                Expr::Object { props, .. } => (
                    props.iter().any(|prop| match prop {
                        Prop::Pair { key, value } => is_wanted(key) || is_wanted(value),
                        Prop::Spread(_) => false,
                    }),
                    literals.strings,
                ),
                _ => return,
            };
            if !is_it {
                return;
            }
            let literals = Literals { strings, ..*literals };
            let Some(mut list) = self.literal(&literals, grammar, (expr, self.item), &Vec::new) else { return };
            list.entries.retain(|entry| spans.contains(&entry.text.span));
            if !list.entries.is_empty() {
                spans.retain(|span| !list.entries.iter().any(|entry| entry.text.span == *span));
                found.push(list);
            }
        });
        found
    }

    /// The node of a string literal, with its quotes; `None` if the expression is not a literal in simple quotes.
    fn node(&self, expr: &Expr, item: &Item) -> Option<Node> {
        quoted(self.text, self.text_of(expr, item)?)
    }

    fn text_of(&self, expr: &Expr, item: &Item) -> Option<Text> {
        let Expr::Text { text, span } = expr else { return None };
        let span = span.shifted(item.start);
        let verbatim = self.text.get(span.range()) == Some(text.as_str());
        Some(Text { text: text.to_string(), span, verbatim })
    }

    /// The value of a name that is defined at the top of the file; any other expression is returned as it is.
    fn value_of<'e>(&'e self, expr: &'e Expr) -> (&'e Expr, &'e Item) {
        let Expr::Name { name, .. } = expr else { return (expr, self.item) };
        let Some([(item, binding)]) = self.facts.top_level.get(name).map(Vec::as_slice) else {
            return (expr, self.item);
        };
        let item = &self.facts.items[*item as usize];
        match value_bound(&item.facts, *binding) {
            Some(value) => (value, item),
            None => (expr, self.item),
        }
    }
}

/// The node of a string literal with its quotes; `None` if the literal is not in simple quotes.
fn quoted(source: &str, text: Text) -> Option<Node> {
    let quote = |at: Option<char>| at.filter(|c| matches!(c, '"' | '\'' | '`'));
    let before = quote(source[..text.span.start as usize].chars().next_back())?;
    quote(source[text.span.end as usize..].chars().next()).filter(|after| *after == before)?;
    let span = Span { start: text.span.start - 1, end: text.span.end + 1 };
    Some(Node { value: Value::String(text), span })
}

/// The program and its arguments, if all of them are string literals.
fn command_of(props: &[Prop]) -> Option<Vec<String>> {
    let given = |wanted: &str| props.iter().filter_map(pair).find(|(key, _)| *key == wanted).map(|(_, value)| value);
    let word = |expr: &Expr| match expr {
        Expr::Text { text, .. } => Some(text.to_string()),
        _ => None,
    };
    let args = match given("args") {
        Some(Expr::Array { elements, .. }) => elements.iter().map(word).collect::<Option<Vec<String>>>()?,
        Some(_) => return None,
        None => Vec::new(),
    };
    Some(std::iter::once(word(given("command")?)?).chain(args).collect())
}

fn value_bound(item: &ItemFacts, binding: u32) -> Option<&Expr> {
    match &item.scopes.first()?.bindings.get(binding as usize)?.value {
        Bound::Value(value) => Some(value),
        _ => None,
    }
}

fn pair(prop: &Prop) -> Option<(&SmolStr, &Expr)> {
    match prop {
        Prop::Pair { key: Expr::Text { text, .. }, value } => Some((text, value)),
        _ => None,
    }
}
