//! The subject under a cursor, and what the editor can show and do there.

mod actions;
mod completion;
mod offered;
mod outline;
mod overview;
mod permits;
pub(crate) mod settings;

use rustc_hash::FxHashSet;

pub use self::actions::actions;
pub use self::completion::complete;
pub(crate) use self::offered::{Item, ItemKind};
pub(crate) use self::outline::{Lens, Symbol, SymbolKind, workspace_symbols};
pub use self::outline::{lenses, symbols};
pub(crate) use self::overview::{Said, ToolOverview, overview};
use self::permits::{Permit, Permits, deciding};
use crate::client::{ClientFacts, Entry, List, ListKind, Rule, glob_matches};
use crate::document;
use crate::lower::Expr;
use crate::rename::{self, Alias, Outdated, Plan, Refusal, Sources, Target, To};
use crate::rules::gateway::{Chain, Layers};
use crate::show::Markdown;
use crate::text::{FileId, Span};
use crate::workspace::{Content, Snapshot, Tool};

/// Something that names tools.
pub enum Subject<'a> {
    /// A piece of a tool's name where it is registered.
    Tool { target: Target<'a>, span: Span },
    /// A mention of a tool elsewhere: a case in its server's dispatch, or a text.
    Named { target: Target<'a>, span: Span },
    /// A permission string.
    Permission { list: &'a List, entry: &'a Entry, targets: Vec<Target<'a>> },
    /// A server's key in a client file.
    Key { key: String, span: Span },
    /// A form that a gateway's tools have: a pool key, the name that is forwarded, a name in a document.
    Layer { span: Span, tools: Vec<Target<'a>> },
}

/// The maximum number of items of one kind that a hover lists.
const MAX_LISTED: usize = 12;

/// Returns the subject at a byte offset of a file.
pub fn subject<'a>(snapshot: &'a Snapshot, file: FileId, offset: u32) -> Option<Subject<'a>> {
    let mut facts = snapshot.files.client_facts(file);
    if let Some(found) = facts.find_map(|facts| in_client_file(snapshot, file, facts, offset)) {
        return Some(found);
    }
    match &snapshot.files.get(file)?.content {
        Content::Source(_) => {
            for (server, tool) in snapshot.analysis().tools() {
                for part in &tool.registration.name.parts {
                    let Some(place) = part.place().filter(|place| place.file == file) else {
                        continue;
                    };
                    let span = snapshot.files.span(place);
                    if span.touches(offset) {
                        return Some(Subject::Tool { target: Target { server, tool }, span });
                    }
                }
            }
            in_case(snapshot, file, offset).or_else(|| in_layer(snapshot, file, offset))
        }
        Content::Data(_) | Content::Markdown(_) => in_layer(snapshot, file, offset),
        _ => None,
    }
}

/// Returns the subject at a byte offset of a file, including mentions of a tool in text. `text` is only called if
/// nothing else is found.
pub(crate) fn subject_or_spoken_of<'a>(
    snapshot: &'a Snapshot,
    file: FileId,
    offset: u32,
    text: impl FnOnce() -> Option<String>,
) -> Option<Subject<'a>> {
    subject(snapshot, file, offset).or_else(|| {
        let (span, target) = rename::spoken_of(snapshot, snapshot.files.path(file), &text()?, offset)?;
        Some(Subject::Named { target, span })
    })
}

/// Returns the tool that a server runs for the case, key or comparison at an offset.
fn in_case<'a>(snapshot: &'a Snapshot, file: FileId, offset: u32) -> Option<Subject<'a>> {
    for server in &snapshot.analysis().servers {
        for case in server.cases().filter(|case| case.place.file == file) {
            let span = snapshot.files.span(case.place);
            let is_it = |tool: &&Tool| case.text == *tool.name || case.text == *tool.short_name();
            if span.touches(offset)
                && let Some(tool) = server.tools.iter().find(is_it)
            {
                return Some(Subject::Named { target: Target { server, tool }, span });
            }
        }
    }
    None
}

/// Returns the tools of a gateway that a text at an offset refers to: a literal in source, a string or key in data, a
/// word of code in a document.
fn in_layer<'a>(snapshot: &'a Snapshot, file: FileId, offset: u32) -> Option<Subject<'a>> {
    let file = snapshot.files.get(file)?;
    let convention = snapshot.files.configs().policy(&file.path).convention;
    convention.gateway.as_ref()?;
    let (text, span) = match &file.content {
        Content::Source(facts) => facts.items.iter().find_map(|item| {
            let mut found = None;
            item.facts.each_expression(&mut |expr| match expr {
                Expr::Text { text, span } if span.shifted(item.start).touches(offset) => {
                    found = Some((text.to_string(), span.shifted(item.start)));
                }
                _ => {}
            });
            found
        })?,
        Content::Data(data) => {
            let mut open: Vec<&document::Node> = data.root.iter().collect();
            let mut found = None;
            while let Some(node) = open.pop() {
                let texts = node.as_text().into_iter().chain(node.entries().map(|(key, _)| key));
                found = found.or_else(|| texts.into_iter().find(|text| text.span.touches(offset)));
                open.extend(node.elements().iter().chain(node.entries().map(|(_, value)| value)));
            }
            let text = found?;
            (text.text.clone(), text.span)
        }
        Content::Markdown(markdown) => {
            let code = markdown.code.iter().find(|code| code.span.touches(offset))?;
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
            let at = (offset - code.span.start) as usize;
            let start = code.text.get(..at)?.rfind(|c| !is_part(c)).map_or(0, |before| before + 1);
            let end = code.text.get(at..)?.find(|c| !is_part(c)).map_or(code.text.len(), |length| at + length);
            (code.text[start..end].to_string(), code.span.slice(start, end))
        }
        _ => return None,
    };
    let layers = Layers::of(snapshot, &convention)?;
    let meant: Vec<*const Tool> =
        layers.tools_meant(&text).iter().map(|definition| std::ptr::from_ref(definition.tool)).collect();
    let all = snapshot.analysis().tools().map(|(server, tool)| Target { server, tool });
    let tools: Vec<Target<'a>> = all.filter(|target| meant.contains(&std::ptr::from_ref(target.tool))).collect();
    (!tools.is_empty()).then_some(Subject::Layer { span, tools })
}

fn in_client_file<'a>(
    snapshot: &'a Snapshot,
    file: FileId,
    facts: &'a ClientFacts,
    offset: u32,
) -> Option<Subject<'a>> {
    for list in &facts.lists {
        if let Some(entry) = list.entries.iter().find(|entry| entry.text.span.touches(offset)) {
            return Some(Subject::Permission { list, entry, targets: matched(snapshot, list, entry) });
        }
    }
    if let Some(key) = facts.keys.iter().find(|key| key.span.touches(offset)) {
        return Some(Subject::Key { key: key.text.clone(), span: key.span });
    }
    let entry = facts.servers.iter().find(|entry| entry.key.span.touches(offset))?;
    let key = snapshot.files.names_of(snapshot.files.path(file), entry).into_iter().next()?;
    Some(Subject::Key { key, span: entry.key.span })
}

/// Returns the tools that a permission string matches.
fn matched<'a>(snapshot: &'a Snapshot, list: &List, entry: &Entry) -> Vec<Target<'a>> {
    let text = entry.text.text.as_str();
    let grammar = &list.grammar;
    let analysis = snapshot.analysis();
    let spelt = grammar.spell_all(analysis.keys.keys());
    if list.is_bare() {
        let own = analysis.tools().filter(|(_, tool)| tool.name == text);
        return own.map(|(server, tool)| Target { server, tool }).collect();
    }
    let expression = list.expression(text);
    let pattern = match list.parse(text, &spelt) {
        _ if expression.is_some() => String::new(),
        // A hook compares whole names.
        Rule::Server { .. } if list.kind == ListKind::Hook => return Vec::new(),
        Rule::Tool { .. } | Rule::ToolPattern { .. } | Rule::Pattern => list.pattern(text).into_owned(),
        Rule::Server { server } => format!("{}*{}", grammar.server_prefix(server), grammar.tool.suffix),
        Rule::BuiltIn | Rule::Malformed(_) => return Vec::new(),
    };
    let mut targets = Vec::new();
    let mut seen: FxHashSet<String> = FxHashSet::default();
    for (key, known) in analysis.keys.iter().filter(|(key, _)| list.is_about(key)) {
        for server in analysis.servers_of(known) {
            for tool in &server.tools {
                let name = grammar.composed(key, &tool.name);
                let is_match = match &expression {
                    Some(expression) => expression.is_match(&name) == Some(true),
                    None => glob_matches(&pattern, &name),
                };
                if is_match && seen.insert(name) {
                    targets.push(Target { server, tool });
                }
            }
        }
    }
    targets
}

impl Subject<'_> {
    /// Returns the span of the subject's text.
    pub fn span(&self) -> Span {
        match self {
            Subject::Tool { span, .. }
            | Subject::Named { span, .. }
            | Subject::Key { span, .. }
            | Subject::Layer { span, .. } => *span,
            Subject::Permission { entry, .. } => entry.text.span,
        }
    }
}

/// Returns the hover text of a subject; `None` if there is nothing to show.
pub fn hover(snapshot: &Snapshot, subject: &Subject<'_>) -> Option<Markdown> {
    let mut out = Markdown::default();
    match subject {
        Subject::Tool { target, .. } | Subject::Named { target, .. } => describe(snapshot, *target, &mut out),
        Subject::Permission { list, entry, targets } => match targets.as_slice() {
            [] => {
                if matches!(list.parse(&entry.text.text, crate::client::Spelt::none()), Rule::BuiltIn) || list.is_bare()
                {
                    return None;
                }
                out.layout("matches no tool whose source is in this workspace");
            }
            [only] => {
                describe(snapshot, *only, &mut out);
                decided(snapshot, *only, list, entry, &mut out);
            }
            several => {
                out.text(&format!("matches {} tools:", several.len())).layout("\n\n");
                listed(several, &mut out, |target, out| {
                    out.code(&target.tool.name).layout(" of ").text(&target.server.name);
                });
            }
        },
        Subject::Layer { tools, .. } => match tools.as_slice() {
            [only] => describe(snapshot, *only, &mut out),
            several => {
                let chains = several.iter().map(|target| chain(snapshot, *target)).collect::<Option<Vec<Chain>>>()?;
                listed(&chains, &mut out, write_chain);
            }
        },
        Subject::Key { key, .. } => {
            let analysis = snapshot.analysis();
            let known = analysis.keys.get(key)?;
            if known.servers.is_empty() && known.recorded.is_none() {
                out.layout("its source is not in this workspace, so its tools are not known");
            }
            for server in analysis.servers_of(known).take(MAX_LISTED) {
                let count = server.tools.len();
                out.strong(&server.name)
                    .layout(" in ")
                    .code(&server.root)
                    .text(&format!(": {count} tools"))
                    .layout("\n");
                if !server.is_complete() {
                    out.layout("\n")
                        .text(&format!("not complete: {}", server.incomplete_because.join("; ")))
                        .layout("\n");
                }
            }
        }
    }
    Some(out)
}

/// Adds a list of the first few items, and the number of the others.
fn listed<T>(several: &[T], out: &mut Markdown, write: impl Fn(&T, &mut Markdown)) {
    for one in several.iter().take(MAX_LISTED) {
        out.layout("- ");
        write(one, out);
        out.layout("\n");
    }
    if several.len() > MAX_LISTED {
        out.text(&format!("- and {} more", several.len() - MAX_LISTED)).layout("\n");
    }
}

fn describe(snapshot: &Snapshot, target: Target<'_>, out: &mut Markdown) {
    let tool = target.tool;
    out.strong(&tool.name).layout(" · ").text(&target.server.name).layout("\n\n");
    if let Some(title) = tool.title() {
        out.text(&title).layout("\n\n");
    }
    if let Some(description) = &tool.registration.description {
        out.block(&description.text()).layout("\n\n");
    }
    if let Some(chain) = chain(snapshot, target) {
        write_chain(&chain, out);
        out.layout("\n\n");
    }
    let path = snapshot.files.path(target.tool.local_place().file);
    let keys = target.server.keys.iter();
    for (client, key) in snapshot
        .files
        .clients(path)
        .into_iter()
        .flat_map(|client| keys.clone().map(move |key| (client, key)))
        .take(MAX_LISTED)
    {
        let wire = client.wire_name(key, &tool.name);
        let length = wire.chars().count();
        out.text(&client.name).layout(": ").code(&wire);
        if let Some(limit) = client.limit {
            let left = limit as i64 - length as i64;
            out.text(&format!(", {length} characters ({left} left)"));
        }
        out.layout("\n\n");
    }
    let place = tool.registration.place;
    let line = snapshot.position(place.file, snapshot.files.span(place).start, crate::text::Encoding::Utf8).line + 1;
    out.layout("registered at ").text(&format!("{}:{line}", snapshot.files.path(place.file)));
}

/// Adds which entry decides about a tool in the client of `entry`.
fn decided(snapshot: &Snapshot, target: Target<'_>, list: &List, entry: &Entry, out: &mut Markdown) {
    let all = Permits::new(snapshot);
    let mut permits = all.of(target);
    // Entries of another folder, of an agent or of a command line apply to something else.
    let here = permits.iter().find(|permit| std::ptr::eq(permit.entry, entry)).map(|permit| permit.file);
    let folder = here.map(|file| crate::path::directory(snapshot.files.path(file)));
    permits.retain(|permit| {
        let is_same_list = permit.list.scope == list.scope && Some(permit.file) == here;
        let is_kin = permit
            .list
            .row
            .as_ref()
            .is_some_and(|row| list.row.as_ref().is_some_and(|own| own.at.above() == row.at.above()));
        is_same_list || is_kin && Some(crate::path::directory(snapshot.files.path(permit.file))) == folder
    });
    let Some(permit) = deciding(&permits, &list.client) else { return };
    let what = match permit.list.kind {
        ListKind::Deny => "denied",
        ListKind::Ask => "asked about",
        _ => "allowed",
    };
    let client = &list.client.name;
    if permit.entry.whole == entry.whole {
        if permits.len() > 1 {
            out.layout("\n\n").text(&format!("this entry decides: {client} has it {what}"));
        }
        return;
    }
    let start = permit.entry.text.span.start;
    let line = snapshot.position(permit.file, start, crate::text::Encoding::Utf8).line + 1;
    let place = format!("{}:{line}", snapshot.files.path(permit.file));
    out.layout("\n\n").layout(what).layout(" by ").code(&permit.entry.text.text);
    out.layout(" in ").text(&place).layout(", which counts before this entry");
}

/// Adds the names that a call has on its way.
fn write_chain(chain: &Chain, out: &mut Markdown) {
    out.code(&chain.full).layout(" → ").code(&chain.definition);
    match (&chain.pool, &chain.forwards) {
        (Some(pool), Some(forwards)) => out.layout(" → ").code(pool).layout(" → ").code(forwards),
        _ => out.layout(", which the gateway answers itself"),
    };
}

/// Returns the names that a call of a gateway's tool has on its way.
fn chain(snapshot: &Snapshot, target: Target<'_>) -> Option<Chain> {
    let path = snapshot.files.path(target.tool.registration.place.file);
    let convention = snapshot.files.configs().policy(path).convention;
    convention.gateway.as_ref()?;
    let layers = Layers::of(snapshot, &convention)?;
    let definition = layers.tools.iter().find(|definition| std::ptr::eq(definition.tool, target.tool))?;
    Some(layers.chain(definition))
}

/// Returns the places where the tools under a cursor are registered or, from a registration, those where permissions
/// name the tool.
pub(crate) fn definitions(snapshot: &Snapshot, subject: &Subject<'_>) -> Vec<(FileId, Span)> {
    let place = |target: &Target<'_>| {
        let place = target.tool.local_place();
        (place.file, snapshot.files.span(place))
    };
    match subject {
        Subject::Tool { target, .. } => Permits::all(snapshot).naming(*target).iter().map(Permit::place).collect(),
        Subject::Named { target, .. } => vec![place(target)],
        Subject::Permission { targets, .. } | Subject::Layer { tools: targets, .. } => {
            targets.iter().map(place).collect()
        }
        Subject::Key { key, .. } => {
            let analysis = snapshot.analysis();
            let servers = analysis.keys.get(key).into_iter().flat_map(|known| analysis.servers_of(known));
            servers.filter_map(|server| Some(place(&Target { server, tool: server.tools.first()? }))).collect()
        }
    }
}

/// Returns the places that name the tools under a cursor: registrations, dispatch cases and permission strings, those
/// with wildcards only for a single tool. For a server's key, returns every entry that starts the server or switches it
/// on or off.
pub(crate) fn references(snapshot: &Snapshot, subject: &Subject<'_>, with_registrations: bool) -> Vec<(FileId, Span)> {
    let targets: &[Target<'_>] = match subject {
        Subject::Tool { target, .. } | Subject::Named { target, .. } => std::slice::from_ref(target),
        Subject::Permission { targets, .. } | Subject::Layer { tools: targets, .. } => targets,
        Subject::Key { key, .. } => {
            let known = snapshot.analysis().keys.get(key);
            let mut found = known.map(|known| known.entries.clone()).unwrap_or_default();
            for file in snapshot.files.all() {
                let switched = snapshot.files.client_facts(file.id).flat_map(|facts| &facts.keys);
                let switched = switched.filter(|switched| switched.text == *key);
                found.extend(switched.map(|switched| (file.id, switched.span)));
            }
            return found;
        }
    };
    let permits = Permits::all(snapshot);
    let permits = match targets {
        // For one tool, the wildcards that match it are included.
        [only] => permits.of(*only),
        several => several.iter().flat_map(|target| permits.naming(*target)).collect(),
    };
    let mut found: Vec<(FileId, Span)> = permits.iter().map(Permit::place).collect();
    found.extend(targets.iter().flat_map(|target| target.cases(snapshot)));
    if with_registrations {
        found.extend(targets.iter().map(|target| {
            let place = target.tool.local_place();
            (place.file, snapshot.files.span(place))
        }));
    }
    found.sort();
    found.dedup();
    found
}

/// Returns the number of tools that each string with a wildcard matches, in a range of a client's file, with the byte
/// offset after the string.
pub(crate) fn counts(snapshot: &Snapshot, file: FileId, within: Span) -> Vec<(u32, String)> {
    let mut counts = Vec::new();
    for list in snapshot.files.client_facts(file).flat_map(|facts| &facts.lists) {
        let spelt = list.grammar.spell_all(snapshot.analysis().keys.keys());
        for entry in list.entries.iter().filter(|entry| within.touches(entry.whole.start)) {
            let rule = list.parse(&entry.text.text, &spelt);
            let is_wide = matches!(rule, Rule::Server { .. } | Rule::ToolPattern { .. } | Rule::Pattern);
            if !is_wide && list.expression(&entry.text.text).is_none() {
                continue;
            }
            match matched(snapshot, list, entry).len() {
                // Nothing is known about it, or it has a finding.
                0 => {}
                1 => counts.push((entry.whole.end, "1 tool".to_string())),
                count => counts.push((entry.whole.end, format!("{count} tools"))),
            }
        }
    }
    counts
}

/// Returns the full names of the tools in a range of a file, if the piece of name there is not the whole name, each
/// with the byte offset after that piece and its quotes.
pub(crate) fn full_names(snapshot: &Snapshot, file: FileId, within: Span) -> Vec<(u32, String)> {
    let mut found: Vec<(u32, String)> = Vec::new();
    for (_, tool) in snapshot.analysis().tools() {
        let place = tool.local_place();
        if place.file != file || tool.short_name() == tool.name {
            continue;
        }
        let span = snapshot.files.span(place);
        if within.touches(span.start) {
            found.push((behind(tool, span), tool.name.clone()));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Returns the byte offset after a tool's own piece of name and its quotes.
fn behind(tool: &Tool, span: Span) -> u32 {
    let part = tool.registration.name.parts.get(tool.local);
    let is_literal = part.is_some_and(|part| matches!(part.origin, crate::evaluate::Origin::Literal(_)));
    span.end + u32::from(is_literal)
}

/// Returns how many more characters the names of tools in a range of a file may have in the clients in use, if only a
/// few are left, each with the byte offset after the tool's own piece of name. Names that are too long have a finding
/// instead.
pub(crate) fn lengths_left(snapshot: &Snapshot, file: FileId, within: Span) -> Vec<(u32, String)> {
    let clients = snapshot.files.clients(snapshot.files.path(file));
    let mut found: Vec<(u32, String)> = Vec::new();
    for (server, tool) in snapshot.analysis().tools().filter(|(_, tool)| tool.local_place().file == file) {
        let span = snapshot.files.span(tool.local_place());
        if !within.touches(span.start) {
            continue;
        }
        let left = clients.iter().filter_map(|client| {
            let lengths = server.keys.iter().map(|key| client.wire_name(key, &tool.name).chars().count());
            Some((client.limit?.checked_sub(lengths.max()?)?, &client.name))
        });
        if let Some((left, client)) = left.min_by_key(|(left, _)| *left).filter(|(left, _)| *left < NEARLY_TOO_LONG) {
            let characters = if left == 1 { "character" } else { "characters" };
            found.push((behind(tool, span), format!("{left} {characters} left ({client})")));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Fewer characters than this are worth a hint: a longer word, or a key of one more letter, takes them.
const NEARLY_TOO_LONG: usize = 6;

/// Returns what a rename at this offset would replace: the span, its text, and the tool. `None` outside names. `text`
/// is the text of the file, since a tool can be renamed from a mention there as well.
pub fn prepare_rename<'a>(
    snapshot: &'a Snapshot,
    file: FileId,
    offset: u32,
    text: &str,
) -> Option<(Span, &'a str, Target<'a>)> {
    let spoken_of = || {
        let (span, target) = rename::spoken_of(snapshot, snapshot.files.path(file), text, offset)?;
        Some((span, target.tool.name.as_str(), target))
    };
    match subject(snapshot, file, offset) {
        // In the matcher of a hook, the name under the cursor is renamed.
        Some(Subject::Permission { targets, list, entry })
            if targets.is_empty() || list.expression(&entry.text.text).is_some() =>
        {
            spoken_of()
        }
        Some(subject) => renamed_at(snapshot, file, subject),
        None => locked(snapshot, file, offset).or_else(spoken_of),
    }
}

/// Returns the tool that the lock file names at an offset, with the span and text of the name there.
fn locked(snapshot: &Snapshot, file: FileId, offset: u32) -> Option<(Span, &str, Target<'_>)> {
    let (_, lock) = snapshot.files.locks().find(|(lock, _)| *lock == file)?;
    let locked = lock.tools.iter().find(|tool| tool.span.touches(offset))?;
    let is_it = |target: &Target<'_>| {
        let of_server = locked.server.as_deref().is_none_or(|name| target.server.goes_by(name));
        of_server && target.tool.name == locked.name
    };
    let tools = snapshot.analysis().tools().map(|(server, tool)| Target { server, tool }).filter(is_it);
    let target = rename::only(&tools.collect::<Vec<_>>())?;
    let quote = locked.span.len().checked_sub(locked.name.len())? / 2;
    Some((locked.span.slice(quote, quote + locked.name.len()), target.tool.name.as_str(), target))
}

/// Returns what a rename of a subject would replace, in the form of [`prepare_rename`].
fn renamed_at<'a>(snapshot: &'a Snapshot, file: FileId, subject: Subject<'a>) -> Option<(Span, &'a str, Target<'a>)> {
    match subject {
        Subject::Tool { target, span } => {
            let place = target.tool.local_place();
            // A piece that several tools share is not one tool's name.
            let own = place.file == file && snapshot.files.span(place) == span;
            own.then(|| (span, target.tool.short_name(), target))
        }
        Subject::Named { target, span } => {
            let (whole, short) = (target.tool.name.as_str(), target.tool.short_name());
            let shown = if span.len() == whole.len() { whole } else { short };
            Some((span, shown, target))
        }
        // Callers use the name that the server gives the tool.
        Subject::Permission { list, entry, targets } if list.is_bare() => {
            let target = rename::only(&targets).filter(|_| entry.text.verbatim)?;
            Some((entry.text.span, target.tool.name.as_str(), target))
        }
        Subject::Permission { list, entry, targets } => {
            let spelt = list.grammar.spell_all(snapshot.analysis().keys.keys());
            let Rule::Tool { server, tool } = list.parse(&entry.text.text, &spelt) else {
                return None;
            };
            let target = rename::only(&targets)?;
            let start = list.grammar.server_prefix(server).len();
            let span = entry.text.span.slice(start, start + tool.len());
            entry.text.verbatim.then_some((span, target.tool.name.as_str(), target))
        }
        Subject::Key { .. } | Subject::Layer { .. } => None,
    }
}

/// Renames the tool under a cursor. `new` replaces the text that [`prepare_rename`] returned. With `keeps_old`, the old
/// name is kept as the config says, if possible.
///
/// # Errors
/// Returns the reason if the tool cannot be renamed in this way.
pub fn rename(
    snapshot: &Snapshot,
    file: FileId,
    offset: u32,
    new: &str,
    keeps_old: bool,
    sources: Sources<'_>,
) -> Result<Plan, Refusal> {
    let (_, shown, target) = prepare_rename(snapshot, file, offset, &(sources.texts)(file).unwrap_or_default())
        .ok_or(Refusal::Outdated(Outdated::Cursor))?;
    let wire = rename::wire_name(snapshot.files.known_clients(), target, shown, shown, new);
    // Renaming a tool to the name of its alias removes the alias.
    if let Some(request) = rename::alias_of(snapshot, target, &wire, sources.texts) {
        return rename::back(snapshot, target, &request, To::new(&wire, None), sources).map(|(plan, _)| plan);
    }
    let alias = Alias::configured(snapshot, target).filter(|_| keeps_old).map(|alias| Alias { can_go: true, ..alias });
    rename::rename(snapshot, target, To::new(&wire, alias.as_ref()), sources)
}
