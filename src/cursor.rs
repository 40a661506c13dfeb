//! What stands under a cursor, and what can be said and done from there.

use std::fmt::Write;

use crate::client::{self, Client, ClientFacts, Entry, List, Rule, glob_matches};
use crate::rename::{self, Plan, Refusal, Target, Texts};
use crate::text::{FileId, Span};
use crate::workspace::{Content, Snapshot};

/// Something that names tools.
pub enum Subject<'a> {
    /// A piece of a tool's name where it is registered.
    Tool { target: Target<'a>, span: Span },
    /// A permission string.
    Permission { client: &'static Client, list: &'a List, entry: &'a Entry, targets: Vec<Target<'a>> },
    /// A server's key in a client file.
    Key { key: &'a str, span: Span },
}

/// What stands at a byte offset of a file.
pub fn subject<'a>(snapshot: &'a Snapshot, file: FileId, offset: u32) -> Option<Subject<'a>> {
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
            None
        }
        Content::Client(facts) => in_client_file(snapshot, facts, offset),
        _ => None,
    }
}

fn in_client_file<'a>(snapshot: &'a Snapshot, facts: &'a ClientFacts, offset: u32) -> Option<Subject<'a>> {
    let client = &client::built_in()[facts.client];
    for list in &facts.lists {
        if let Some(entry) = list.entries.iter().find(|entry| entry.text.span.touches(offset)) {
            return Some(Subject::Permission { client, list, entry, targets: matched(snapshot, client, list, entry) });
        }
    }
    let entry = facts.servers.iter().find(|entry| entry.key.span.touches(offset))?;
    Some(Subject::Key { key: &entry.key.text, span: entry.key.span })
}

/// The tools that a permission string matches.
fn matched<'a>(snapshot: &'a Snapshot, client: &Client, list: &List, entry: &Entry) -> Vec<Target<'a>> {
    let text = entry.text.text.as_str();
    let pattern = match client.parse(text, list.wildcards) {
        Rule::Tool { .. } | Rule::ToolPattern { .. } | Rule::Pattern => text.to_string(),
        Rule::Server { server } => format!("{}{server}{}*", client.compose.prefix, client.compose.separator),
        Rule::BuiltIn | Rule::Malformed(_) => return Vec::new(),
    };
    let analysis = snapshot.analysis();
    let mut targets = Vec::new();
    for (key, known) in &analysis.keys {
        for &index in &known.servers {
            let server = &analysis.servers[index];
            for tool in &server.tools {
                if glob_matches(&pattern, &client.composed(key, &tool.name)) {
                    targets.push(Target { server, tool });
                }
            }
        }
    }
    targets
}

impl Subject<'_> {
    /// The characters it covers.
    pub fn span(&self) -> Span {
        match self {
            Subject::Tool { span, .. } | Subject::Key { span, .. } => *span,
            Subject::Permission { entry, .. } => entry.text.span,
        }
    }
}

/// What to say about it, in Markdown.
pub fn hover(snapshot: &Snapshot, subject: &Subject<'_>) -> Option<String> {
    let mut out = String::new();
    match subject {
        Subject::Tool { target, .. } => describe(snapshot, *target, &mut out),
        Subject::Permission { client, entry, targets, .. } => match targets.as_slice() {
            [] => {
                if matches!(client.parse(&entry.text.text, client::Wildcards::Anywhere), Rule::BuiltIn) {
                    return None;
                }
                out.push_str("matches no tool whose source is in this workspace");
            }
            [only] => describe(snapshot, *only, &mut out),
            several => {
                let _ = writeln!(out, "matches {} tools:\n", several.len());
                for target in several.iter().take(12) {
                    let _ = writeln!(out, "- `{}` of {}", target.tool.name, target.server.name);
                }
                if several.len() > 12 {
                    let _ = writeln!(out, "- and {} more", several.len() - 12);
                }
            }
        },
        Subject::Key { key, .. } => {
            let analysis = snapshot.analysis();
            let known = analysis.keys.get(*key)?;
            if known.servers.is_empty() {
                out.push_str("its source is not in this workspace, so its tools are not known");
            }
            for &index in &known.servers {
                let server = &analysis.servers[index];
                let _ = writeln!(out, "**{}** in `{}`: {} tools", server.name, server.root, server.tools.len());
                if !server.is_complete() {
                    let _ = writeln!(out, "\nnot complete: {}", server.incomplete_because.join("; "));
                }
            }
        }
    }
    Some(out)
}

fn describe(snapshot: &Snapshot, target: Target<'_>, out: &mut String) {
    let tool = target.tool;
    let _ = writeln!(out, "**{}** · {}\n", tool.name, target.server.name);
    if let Some(title) = tool.title() {
        let _ = writeln!(out, "{title}\n");
    }
    if let Some(description) = &tool.registration.description {
        let _ = writeln!(out, "{}\n", description.text());
    }
    for client in client::built_in() {
        for key in &target.server.keys {
            let composed = client.composed(key, &tool.name);
            let length = composed.chars().count();
            let left = client.limit as i64 - length as i64;
            let _ = writeln!(out, "{}: `{composed}`, {length} characters ({left} left)\n", client.name);
        }
    }
    let place = tool.registration.place;
    let line = snapshot.position(place.file, snapshot.files.span(place).start, crate::text::Encoding::Utf8).line + 1;
    let _ = write!(out, "registered at {}:{line}", snapshot.files.path(place.file));
}

/// Where the tools under a cursor are registered, or, from a registration, where permissions name it.
pub fn definitions(snapshot: &Snapshot, subject: &Subject<'_>) -> Vec<(FileId, Span)> {
    let place = |target: &Target<'_>| {
        let place = target.tool.local_place();
        (place.file, snapshot.files.span(place))
    };
    match subject {
        Subject::Tool { target, .. } => mentions(snapshot, *target),
        Subject::Permission { targets, .. } => targets.iter().map(place).collect(),
        Subject::Key { key, .. } => {
            let analysis = snapshot.analysis();
            let servers = analysis.keys.get(*key).map(|known| known.servers.as_slice()).unwrap_or_default();
            let first = |&index: &usize| {
                Some(place(&Target { server: &analysis.servers[index], tool: analysis.servers[index].tools.first()? }))
            };
            servers.iter().filter_map(first).collect()
        }
    }
}

/// Every permission string that names exactly this tool.
fn mentions(snapshot: &Snapshot, target: Target<'_>) -> Vec<(FileId, Span)> {
    let mut found = Vec::new();
    for file in snapshot.files.all() {
        let Content::Client(facts) = &file.content else {
            continue;
        };
        let client = &client::built_in()[facts.client];
        for entry in facts.lists.iter().flat_map(|list| &list.entries) {
            let names = |key: &String| client.composed(key, &target.tool.name) == entry.text.text;
            if target.server.keys.iter().any(names) {
                found.push((file.id, entry.text.span));
            }
        }
    }
    found.sort();
    found
}

/// What a rename from here would replace: the characters, and what they read. `None` outside names.
pub fn prepare_rename<'a>(snapshot: &'a Snapshot, file: FileId, offset: u32) -> Option<(Span, &'a str, Target<'a>)> {
    match subject(snapshot, file, offset)? {
        Subject::Tool { target, span } => {
            let place = target.tool.local_place();
            // A piece that several tools share is not one tool's name.
            let own = place.file == file && snapshot.files.span(place) == span;
            own.then(|| (span, target.tool.short_name(), target))
        }
        Subject::Permission { client, list, entry, targets } => {
            let Rule::Tool { server, tool } = client.parse(&entry.text.text, list.wildcards) else {
                return None;
            };
            let [target] = targets.as_slice() else {
                return None;
            };
            let start = client.compose.prefix.len() + server.len() + client.compose.separator.len();
            let span = entry.text.span.slice(start, start + tool.len());
            entry.text.verbatim.then_some((span, target.tool.name.as_str(), *target))
        }
        Subject::Key { .. } => None,
    }
}

/// Renames the tool under a cursor. `new` replaces what [`prepare_rename`] showed.
///
/// # Errors
/// The reason why the tool cannot be renamed so.
pub fn rename(snapshot: &Snapshot, file: FileId, offset: u32, new: &str, texts: Texts<'_>) -> Result<Plan, Refusal> {
    let (_, shown, target) =
        prepare_rename(snapshot, file, offset).ok_or_else(|| Refusal("no tool's name stands here".into()))?;
    let wire = rename::wire_name(target, shown, new);
    rename::rename(snapshot, target, &wire, texts)
}
