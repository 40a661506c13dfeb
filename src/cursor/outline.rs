//! The outline of a file: symbols of client files and sources, and lenses above registrations.

use rustc_hash::FxHashMap;

use crate::client::{ListKind, ServerEntry};
use crate::known::public::not_known;
use crate::path::is_installed;
use crate::rename::Target;
use crate::text::{FileId, Span};
use crate::verdict::{Permit, Permits};
use crate::workspace::{Content, Snapshot};

/// A symbol in a file's outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    pub detail: String,
    pub kind: SymbolKind,
    /// The span of the whole symbol.
    pub whole: Span,
    /// The span of the symbol's name.
    pub span: Span,
    pub children: Vec<Symbol>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    Server,
    Tool,
    Prompt,
    Resource,
    List,
    Permission,
}

/// Returns the servers and permission lists of a client's file, or the tools, prompts and resources that a source file
/// registers.
pub fn symbols(snapshot: &Snapshot, file: FileId) -> Vec<Symbol> {
    let registered = registered(snapshot, &|registered| registered == file).remove(&file);
    in_order(of_clients(snapshot, file).chain(registered.unwrap_or_default()))
}

fn in_order(symbols: impl Iterator<Item = Symbol>) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = symbols.collect();
    symbols.sort_by_key(|symbol| (symbol.whole.start, symbol.span.start));
    symbols.dedup_by(|a, b| (a.span, &a.name) == (b.span, &b.name));
    symbols
}

fn leaf(name: String, detail: String, kind: SymbolKind, whole: Span, span: Span) -> Symbol {
    // LSP requires that the span of the name is inside the span of the whole symbol.
    let whole = Span { start: whole.start.min(span.start), end: whole.end.max(span.end) };
    Symbol { name, detail, kind, whole, span, children: Vec::new() }
}

/// Returns the servers and permission lists of a client's file.
fn of_clients(snapshot: &Snapshot, file: FileId) -> impl Iterator<Item = Symbol> {
    let mut symbols = Vec::new();
    let analysis = snapshot.analysis();
    for facts in snapshot.client_facts(file) {
        let is_client = matches!(snapshot.files.get(file).map(|file| &file.content), Some(Content::Client(_)));
        for entry in facts.servers.iter().filter(|_| is_client) {
            let names = snapshot.files.names_of(snapshot.files.path(file), entry);
            let known = names.first().and_then(|name| analysis.keys.get(name));
            let count = known.map_or(0, |known| analysis.tools_of(known).count());
            let detail = match known.is_some_and(|known| analysis.is_known(known)) {
                true if count == 1 => "1 tool".to_string(),
                true => format!("{count} tools"),
                false => String::new(),
            };
            symbols.push(leaf(entry.key.text.clone(), detail, SymbolKind::Server, entry.key.span, entry.key.span));
        }
        for list in facts.lists.iter().filter(|list| !list.entries.is_empty()) {
            let about = list.server.as_ref().map(|server| format!(" {}", server.text)).unwrap_or_default();
            let entries = list.entries.iter();
            let children = entries
                .filter(|entry| !entry.text.text.is_empty())
                .map(|entry| {
                    leaf(entry.text.text.clone(), String::new(), SymbolKind::Permission, entry.whole, entry.text.span)
                })
                .collect::<Vec<Symbol>>();
            let whole = children.iter().fold(list.span, |whole, child| Span {
                start: whole.start.min(child.whole.start),
                end: whole.end.max(child.whole.end),
            });
            symbols.push(Symbol {
                name: format!("{}{about}", list.kind.as_str()),
                detail: list.client.name.to_string(),
                kind: SymbolKind::List,
                whole,
                span: whole,
                children,
            });
        }
    }
    symbols.into_iter()
}

/// Returns the tools, prompts and resources that are named in the wanted source files, by file.
fn registered(snapshot: &Snapshot, wanted: &dyn Fn(FileId) -> bool) -> FxHashMap<FileId, Vec<Symbol>> {
    let mut registered: FxHashMap<FileId, Vec<Symbol>> = FxHashMap::default();
    for server in &snapshot.analysis().servers {
        for tool in &server.tools {
            let place = tool.local_place();
            if wanted(place.file) {
                let span = snapshot.files.span(place);
                // If the name is in a constant, the registration is elsewhere, and other tools may be registered in
                // between: the symbol is then only the name.
                let call = Some(tool.registration.place).filter(|call| call.file == place.file);
                let whole = call.map(|call| snapshot.files.span(call)).filter(|call| call.contains(span));
                let symbol =
                    leaf(tool.name.clone(), server.name.clone(), SymbolKind::Tool, whole.unwrap_or(span), span);
                registered.entry(place.file).or_default().push(symbol);
            }
        }
        for (kind, offers) in [(SymbolKind::Prompt, &server.prompts), (SymbolKind::Resource, &server.resources)] {
            for offer in offers.iter().filter(|offer| wanted(offer.place().file)) {
                let span = snapshot.files.span(offer.place());
                let symbol = leaf(offer.name.clone(), server.name.clone(), kind, span, span);
                registered.entry(offer.place().file).or_default().push(symbol);
            }
        }
    }
    registered
}

/// Returns the tools, prompts and resources of a workspace, the servers that its clients start, and the strings that
/// name tools, if their names contain the letters of the query in this order. Names that begin with the query come
/// first.
pub(crate) fn workspace_symbols(snapshot: &Snapshot, query: &str) -> Vec<(FileId, Symbol)> {
    let query = query.to_lowercase();
    let stands = |name: &str| {
        let mut letters = name.chars();
        query.chars().all(|wanted| letters.any(|letter| letter == wanted))
    };
    let mut found = Vec::new();
    let mut registered = registered(snapshot, &|_| true);
    for file in snapshot.files.all().filter(|file| !is_installed(&file.path)) {
        let registered = registered.remove(&file.id).unwrap_or_default();
        let symbols = in_order(of_clients(snapshot, file.id).chain(registered));
        let flat = symbols.into_iter().flat_map(|symbol| match symbol.kind {
            SymbolKind::List => {
                let detail = format!("{}, {}", symbol.name, symbol.detail);
                let inside = symbol.children.into_iter();
                inside.map(|child| Symbol { detail: detail.clone(), ..child }).collect()
            }
            _ => vec![symbol],
        });
        let wanted = flat.filter(|symbol| stands(&symbol.name.to_lowercase()));
        found.extend(wanted.map(|symbol| (file.id, symbol)));
    }
    let rank = |name: &str| match name.to_lowercase() {
        name if name.starts_with(&query) => 0,
        name if name.contains(&query) => 1,
        _ => 2,
    };
    found.sort_by_cached_key(|(file, symbol)| {
        let place = (snapshot.files.path(*file).to_string(), symbol.span);
        (rank(&symbol.name), symbol.kind == SymbolKind::Permission, symbol.name.clone(), place)
    });
    found.truncate(MAX_SYMBOLS);
    found
}

/// The maximum number of symbols of a workspace that are shown; typing more letters narrows the list.
const MAX_SYMBOLS: usize = 500;

/// A code lens. Above a registration, the title gives the number of files that allow, ask about and deny the tool and
/// the number of other places that name it, and `places` contains all of them. At an alias that expires, the title
/// gives the time that is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lens {
    pub span: Span,
    pub title: String,
    pub places: Vec<(FileId, Span)>,
}

/// Returns the lenses of a file, above registrations that something else names and at aliases that expire.
pub fn lenses(snapshot: &Snapshot, file: FileId) -> Vec<Lens> {
    let mut lenses = of_registrations(snapshot, file);
    lenses.extend(of_unknown(snapshot, file));
    lenses.extend(snapshot.files.alias_notes(file).iter().filter_map(|note| {
        let (span, until) = note.until.as_ref()?;
        let title = match (snapshot.files.has_come(until, file), snapshot.files.days_to(until)) {
            (true, _) => format!("the alias of `{}` has expired", note.new),
            (false, Some(1)) => format!("the alias of `{}` expires tomorrow", note.new),
            (false, Some(days)) => format!("the alias of `{}` expires in {days} days", note.new),
            (false, None) => format!("the alias of `{}` expires with version {until}", note.new),
        };
        Some(Lens { span: *span, title, places: Vec::new() })
    }));
    lenses.sort_by_key(|lens| lens.span);
    lenses
}

/// Returns a lens for each server entry of a client's file whose tools are not known although strings name them.
fn of_unknown(snapshot: &Snapshot, file: FileId) -> Vec<Lens> {
    let Some(Content::Client(_)) = snapshot.files.get(file).map(|file| &file.content) else { return Vec::new() };
    let entries = || snapshot.client_facts(file).flat_map(|facts| &facts.servers).filter(|entry| !entry.is_reference);
    if entries().next().is_none() {
        return Vec::new();
    }
    let unknown = not_known(snapshot);
    let path = snapshot.files.path(file);
    let is_unknown = |entry: &&ServerEntry| {
        let names = snapshot.files.names_of(path, entry);
        names.iter().any(|name| unknown.binary_search(&name).is_ok())
    };
    let lens = |entry: &ServerEntry| Lens {
        span: entry.key.span,
        title: "its tools are not known: record them with `toolnames snapshot`".to_string(),
        places: Vec::new(),
    };
    entries().filter(is_unknown).map(lens).collect()
}

fn of_registrations(snapshot: &Snapshot, file: FileId) -> Vec<Lens> {
    let here = |target: &Target<'_>| target.tool.local_place().file == file;
    let targets = snapshot.analysis().tools().map(|(server, tool)| Target { server, tool });
    let targets: Vec<Target<'_>> = targets.filter(here).collect();
    if targets.is_empty() {
        return Vec::new();
    }
    let (permits, mentions) = (Permits::new(snapshot), Permits::mentions(snapshot));
    let mut lenses: Vec<Lens> = Vec::new();
    for target in targets {
        let own = permits.of(target.server.known_as(), &target.tool.name);
        let mut mentioned: Vec<(FileId, Span)> =
            mentions.of(target.server.known_as(), &target.tool.name).iter().map(Permit::place).collect();
        let compared = target.server.cases().filter(|one| one.text == *target.tool.name);
        mentioned.extend(compared.map(|one| (one.place.file, snapshot.files.span(one.place))));
        mentioned.sort();
        mentioned.dedup();
        let said = [(ListKind::Allow, "allowed"), (ListKind::Ask, "set to ask"), (ListKind::Deny, "denied")];
        let said = said.into_iter().filter_map(|(kind, word)| {
            let mut files: Vec<FileId> = own.iter().filter(|it| it.list.kind == kind).map(|it| it.file).collect();
            files.dedup();
            match files.len() {
                0 => None,
                1 => Some(format!("{word} in 1 file")),
                count => Some(format!("{word} in {count} files")),
            }
        });
        let counted = match mentioned.len() {
            0 => None,
            1 => Some("mentioned in 1 other place".to_string()),
            count => Some(format!("mentioned in {count} other places")),
        };
        let title = said.chain(counted).collect::<Vec<String>>().join(", ");
        if !title.is_empty() {
            let span = snapshot.files.span(target.tool.local_place());
            let places = own.iter().map(Permit::place).chain(mentioned).collect();
            lenses.push(Lens { span, title, places });
        }
    }
    lenses.sort_by_key(|lens| lens.span);
    lenses.dedup_by(|a, b| (a.span, &a.title) == (b.span, &b.title));
    lenses
}
