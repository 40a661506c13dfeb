//! Completion in client files: of permission strings, first the server and then the tool, and of server keys.

use rustc_hash::FxHashSet;

use super::offered::{Item, ItemKind, Offered};
use super::settings::{self, Nameable};
use crate::client::{ClientFacts, List, ListKind, Rule, Wildcards};
use crate::diagnostic::Edits;
use crate::document::{self, Text};
use crate::found::{Confidence, Place};
use crate::known::public::{Evidence, Named, named, other_versions};
use crate::show::Markdown;
use crate::syntax::Language;
use crate::text::{FileId, Span};
use crate::workspace::{Analysis, Content, Known, Snapshot, Tool};

/// The maximum number of tools of one server that are offered at once.
const MAX_OFFERED: usize = 200;

/// Returns the completions at a byte offset of a client's file or of a config; `None` if nothing can be completed
/// there. `text` is only called for configs and JSON files.
pub fn complete(
    snapshot: &Snapshot,
    file: FileId,
    offset: u32,
    text: impl FnOnce() -> Option<String>,
) -> Option<Offered> {
    if let Content::Config(config) = &snapshot.files.get(file)?.content {
        return settings::complete(&text()?, offset, &Nameable::in_folder(snapshot, &config.directory));
    }
    let is_json = Language::of_path(snapshot.files.path(file)) == Some(Language::Json);
    let Some(text) = is_json.then(text).flatten() else { return in_client_file(snapshot, file, offset) };
    // If the editor does not insert closing quotes, the string that is being typed has none, so add it before looking.
    let closed = document::closing_quote(&text, offset).and_then(|quote| {
        let edits = Edits::from([(file, vec![quote])]);
        in_client_file(&snapshot.with_edits(&edits, &|_| Some(text.clone()))?, file, offset)
    });
    let offered = closed.or_else(|| in_client_file(snapshot, file, offset))?;
    Some(Offered { span: of_one_string(offered.span, offset, &text), ..offered })
}

/// Returns the span that a completion replaces: the whole string, without the text that is part of it only because its
/// closing quote is missing, such as the end of the list.
fn of_one_string(span: Span, offset: u32, text: &str) -> Span {
    let rest = text.get(offset as usize..span.end as usize).unwrap_or("");
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '*' | '.' | '/' | ':' | '(' | ')' | '@');
    let name = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
    let is_list = |behind: &str| behind.trim_start().starts_with([',', ']', '}']) || behind.contains(['\n', '\r']);
    match is_list(&rest[name..]) {
        true => Span { end: offset + name as u32, ..span },
        false => span,
    }
}

/// Returns the completions at a byte offset of a client's file; `None` if nothing can be completed there.
fn in_client_file(snapshot: &Snapshot, file: FileId, offset: u32) -> Option<Offered> {
    for facts in snapshot.client_facts(file) {
        if let Some(key) = facts.keys.iter().map(|switch| &switch.key).find(|key| key.span.touches(offset)) {
            return Some(keys(snapshot, facts, key));
        }
    }
    let mut lists = snapshot.client_facts(file).flat_map(|facts| &facts.lists);
    let (list, entry) = lists.find_map(|list| {
        let entry = list.entries.iter().find(|entry| entry.text.span.touches(offset))?;
        Some((list, entry))
    })?;
    let mut span = entry.text.span;
    let mut typed = entry.text.text.get(..(offset - span.start) as usize).unwrap_or(&entry.text.text);
    // In a hook's matcher with several names, only the name at the cursor is completed.
    if list.kind == ListKind::Hook && entry.text.verbatim {
        // Inside a group that follows the beginning of a name, whole names would be wrong.
        let opened = typed.rfind('(').filter(|&at| !typed[at..].contains(')'));
        if opened.is_some_and(|at| !typed[..at].is_empty() && !typed[..at].ends_with(['|', '^'])) {
            return None;
        }
        let divides = |c: char| matches!(c, '|' | ',' | '(' | ')' | ' ');
        let from = typed.rfind(divides).map_or(0, |at| at + 1);
        let rest = &entry.text.text[typed.len()..];
        let to = typed.len() + rest.find(divides).unwrap_or(rest.len());
        (span, typed) = (span.slice(from, to), &typed[from..]);
    }
    let others = list.entries.iter().filter(|other| other.text.span != span);
    let there: FxHashSet<&str> = others.map(|other| other.text.text.as_str()).collect();
    let analysis = snapshot.analysis();
    let mut items = Vec::new();
    for (key, known) in analysis.keys_of(list) {
        let server = Server { list, key, known, analysis };
        let prefix = list.grammar.server_prefix(key);
        if typed.starts_with(&prefix) {
            items.extend(server.whole());
            items.extend(server.matching(&typed[prefix.len()..], &there).into_iter().map(|tool| server.tool(tool)));
        } else {
            if prefix.starts_with(typed) {
                items.extend(server.whole());
                items.push(server.begun(&prefix));
            }
            // A user who knows the tool need not know the server's key.
            let by_name = server.tools().filter(|tool| !typed.is_empty() && tool.name.starts_with(typed));
            items.extend(by_name.map(|tool| Item { filter: tool.name.clone(), ..server.tool(tool) }));
        }
    }
    if snapshot.files.configs().policy(snapshot.files.path(file)).catalogue {
        items.extend(public(analysis, list, typed));
    }
    // A name that several entry points register is offered once.
    let mut seen: FxHashSet<String> = FxHashSet::default();
    items.retain(|item| seen.insert(item.text.clone()));
    items.retain(|item| !there.contains(item.text.as_str()));
    Some(Offered { span, items })
}

/// Returns the tools of the public servers that the typed text may name, where the tools of the server are not known
/// otherwise.
fn public(analysis: &Analysis, list: &List, typed: &str) -> Vec<Item> {
    let spelt = list.grammar.spell_all(analysis.keys.keys());
    let of_list = list.server.as_ref().filter(|_| list.grammar.tool.separator.is_none());
    let started = analysis.keys_of(list).map(|(key, _)| list.grammar.normalise(key));
    let written = match list.parse(&format!("{typed}x"), &spelt) {
        Rule::Tool { server, .. } => Some(server.to_string()),
        _ => None,
    };
    let mut servers: Vec<String> = match of_list {
        Some(server) => vec![server.text.clone()],
        None => {
            started.filter(|server| typed.starts_with(&list.grammar.server_prefix(server))).chain(written).collect()
        }
    };
    servers.sort();
    servers.dedup();
    let mut items = Vec::new();
    for server in &servers {
        for (own, asked) in other_versions(analysis, list, server) {
            items.extend(own.tools.iter().take(MAX_OFFERED).map(|tool| {
                let text = list.grammar.composed(server, &tool.name);
                let detail = format!("in the source here; `{asked}` is started");
                Item { kind: ItemKind::Tool, filter: text.clone(), text, detail, documentation: None }
            }));
        }
        for Named { server: public, evidence } in named(analysis, list, server) {
            for (tool, span) in public.tools().take(MAX_OFFERED) {
                let text = list.grammar.composed(server, tool);
                let mut documentation = Markdown::default();
                documentation.text(&public.describe(span));
                items.push(Item {
                    kind: ItemKind::Tool,
                    filter: text.clone(),
                    text,
                    detail: match evidence {
                        Evidence::Started(_) => public.name().to_string(),
                        Evidence::Usual | Evidence::OneOfSeveral => format!("if this is {}", public.name()),
                    },
                    documentation: Some(documentation),
                });
            }
        }
    }
    items
}

/// Returns the server keys that a file can switch on or off, without those that the file already contains elsewhere.
fn keys(snapshot: &Snapshot, facts: &ClientFacts, key: &Text) -> Offered {
    let analysis = snapshot.analysis();
    let there: FxHashSet<&str> = facts.keys.iter().map(|switch| switch.key.text.as_str()).collect();
    let free = analysis.keys.iter().filter(|(free, _)| !there.contains(free.as_str()) || **free == key.text);
    let items = free.map(|(key, known)| Item {
        kind: ItemKind::Server,
        text: key.clone(),
        filter: key.clone(),
        detail: match analysis.tools_of(known).count() {
            0 => "a server".to_string(),
            1 => "1 tool".to_string(),
            count => format!("{count} tools"),
        },
        documentation: None,
    });
    Offered { span: key.span, items: items.collect() }
}

/// A server, and the list whose grammar decides how the names of its tools are written.
struct Server<'a> {
    list: &'a List,
    key: &'a str,
    known: &'a Known,
    analysis: &'a Analysis,
}

impl<'a> Server<'a> {
    /// Returns the server's tools. Tools that a filter may remove are left out if the same list has other tools that no
    /// filter can remove. Tools that were recognised only by a heuristic are left out if there are others.
    fn tools(&self) -> impl Iterator<Item = &'a Tool> + use<'a> {
        let is_guess = |tool: &&Tool| tool.registration.confidence == Confidence::Heuristic;
        let guessed_only = self.analysis.tools_of(self.known).all(|tool| is_guess(&tool));
        let all = || self.analysis.tools_of(self.known).filter(move |tool| guessed_only || !is_guess(tool));
        let listed = all().filter(|tool| !tool.registration.filtered);
        let sure: FxHashSet<Option<Place>> = listed.map(|tool| tool.registration.listing).collect();
        all().filter(move |tool| !tool.registration.filtered || !sure.contains(&tool.registration.listing))
    }

    /// Returns the tools whose names contain the typed letters in this order; names that begin with the typed text come
    /// first. At most `MAX_OFFERED` tools are returned; typing more letters narrows the list.
    fn matching(&self, typed: &str, there: &FxHashSet<&str>) -> Vec<&'a Tool> {
        let typed = typed.to_lowercase();
        let rank = |tool: &&'a Tool| {
            let name = tool.name.to_lowercase();
            let mut letters = name.chars();
            let stands = typed.chars().all(|wanted| letters.any(|letter| letter == wanted));
            let rank = if name.starts_with(&typed) { 0 } else { 1 + usize::from(!name.contains(&typed)) };
            // The name of a gateway's tool may have a prefix before the typed text.
            (stands || typed.is_empty() || name.contains(&typed)).then_some(rank)
        };
        let mut ranked: Vec<(usize, &'a Tool)> = self.tools().filter_map(|tool| Some((rank(&tool)?, tool))).collect();
        ranked.sort_by_key(|(rank, tool)| (*rank, tool.name.as_str()));
        let is_new = |tool: &&'a Tool| !there.contains(self.list.grammar.composed(self.key, &tool.name).as_str());
        ranked.into_iter().map(|(_, tool)| tool).filter(is_new).take(MAX_OFFERED).collect()
    }

    fn tool(&self, tool: &Tool) -> Item {
        let text = self.list.grammar.composed(self.key, &tool.name);
        let description = tool.registration.description.as_ref().map(|description| description.text());
        let mut documentation = Markdown::default();
        if let Some(title) = tool.title() {
            documentation.text(&title);
        }
        if let Some(description) = description {
            documentation.layout(if documentation.is_empty() { "" } else { "\n\n" }).block(&description);
        }
        Item {
            kind: ItemKind::Tool,
            filter: text.clone(),
            text,
            detail: self.key.to_string(),
            documentation: Some(documentation).filter(|documentation| !documentation.is_empty()),
        }
    }

    /// Returns the one item that stands for all tools of the server; `None` if the list does not accept such an entry.
    fn whole(&self) -> Option<Item> {
        // A hook needs a regular expression to match every tool.
        let text = match self.list.kind {
            ListKind::Hook => format!("{}.*", self.list.grammar.server_prefix(self.key)),
            _ => self.list.grammar.whole_server(self.key),
        };
        let may = self.list.wildcards != Wildcards::None || !text.contains('*');
        may.then(|| Item {
            kind: ItemKind::Whole,
            filter: text.clone(),
            text,
            detail: match self.tools().count() {
                0 => "every tool".to_string(),
                1 => "its only tool".to_string(),
                count => format!("all {count} tools"),
            },
            documentation: None,
        })
    }

    fn begun(&self, prefix: &str) -> Item {
        Item {
            kind: ItemKind::Server,
            text: prefix.to_string(),
            filter: prefix.to_string(),
            detail: "one of its tools".to_string(),
            documentation: None,
        }
    }
}
