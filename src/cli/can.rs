//! `toolnames can`: whether each client of the workspace runs a tool, asks first or denies it, and which entry decides.

use anyhow::bail;
use serde_json::{Value, json};

use super::args::{Can, Format};
use super::report::point;
use super::why::nothing;
use super::{Outcome, Trouble, open, print, report_trouble};
use crate::client::{Client, ListKind, Place, Rule, Wildcards};
use crate::name::nearest;
use crate::rename::targets;
use crate::show::{self, Page};
use crate::text::{FileId, Span};
use crate::verdict::{Because, Fate, Permit, Settings, Verdict};
use crate::workspace::Snapshot;

pub(super) fn run(command: &Can) -> Result<Outcome, Trouble> {
    let mut opened = open(&command.workspace)?;
    let snapshot = opened.workspace.snapshot();
    check_clients(&snapshot, &command.clients)?;
    let subjects = subjects(&snapshot, &command.tool)?;
    let settings = Settings::new(&snapshot);
    let of = |subject: &Subject| -> Vec<Verdict<'_>> {
        let all = settings.verdicts(&subject.keys, &subject.wire).into_iter();
        all.filter(|verdict| is_wanted(verdict.client, &command.clients)).collect()
    };
    let output = match command.output.format {
        Format::Json => {
            let tools: Vec<Value> = subjects
                .iter()
                .map(|subject| {
                    let verdicts: Vec<Value> = of(subject).iter().map(|it| to_json(&snapshot, it)).collect();
                    json!({ "tool": subject.wire, "server": subject.server, "keys": subject.keys, "verdicts": verdicts })
                })
                .collect();
            Page::json(&json!({ "schema_version": 1, "name": command.tool, "tools": tools }))
        }
        Format::Text => {
            let mut page = Page::default();
            for (index, subject) in subjects.iter().enumerate() {
                if index > 0 {
                    page.line("");
                }
                page.line(subject.head());
                let verdicts = of(subject);
                if verdicts.is_empty() {
                    page.line("  no settings in this workspace are about its server");
                }
                verdicts.iter().for_each(|verdict| to_text(&snapshot, verdict, &mut page));
            }
            page
        }
    };
    print(&output)?;
    Ok(if report_trouble(&opened, &snapshot) { Outcome::Partial } else { Outcome::Clean })
}

/// A tool that a question is about.
struct Subject {
    wire: String,
    /// The name of the server, if its source or a snapshot is in the workspace.
    server: Option<String>,
    keys: Vec<String>,
}

impl Subject {
    fn head(&self) -> String {
        let (wire, keys) = (show::value(&self.wire), show::value(&self.keys.join(", ")));
        match &self.server {
            Some(server) => format!("{wire} is a tool of {}", show::value(server)),
            None => format!("{wire} of the server {keys}, whose tools are not known here"),
        }
    }
}

/// Returns the tools with a name. A composed name may also be of a server whose tools are not known.
///
/// # Errors
/// No tool has this name.
fn subjects(snapshot: &Snapshot, name: &str) -> Result<Vec<Subject>, Trouble> {
    let mut found: Vec<Subject> = Vec::new();
    for target in targets(snapshot, name, None) {
        let mut keys: Vec<String> = target.known_as(snapshot).into_iter().cloned().collect();
        // A composed name is about one key of several.
        let clients = snapshot.files.known_clients();
        let composes = |key: &String| clients.iter().any(|client| client.composed(key, &target.tool.name) == name);
        if name != target.tool.name && keys.iter().any(composes) {
            keys.retain(composes);
        }
        let (wire, server) = (target.tool.name.clone(), Some(target.server.name.clone()));
        if found.iter().all(|other| other.wire != wire || other.keys != keys) {
            found.push(Subject { wire, server, keys });
        }
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let analysis = snapshot.analysis();
    for client in snapshot.files.known_clients().iter().filter(|client| !client.names.tool.prefix.is_empty()) {
        let spelt = client.names.spell_all(analysis.keys.keys());
        let place = Place { wildcards: Wildcards::None, server: None, servers: &spelt };
        let Rule::Tool { server, tool } = client.names.parse(name, place) else { continue };
        let known = analysis.keys.iter().find(|(key, _)| client.normalise(key) == server);
        if known.is_none_or(|(_, known)| !analysis.is_known(known)) {
            let keys = vec![known.map_or(server, |(key, _)| key).to_string()];
            return Ok(vec![Subject { wire: tool.to_string(), server: None, keys }]);
        }
    }
    bail!("{}", nothing(snapshot, name))
}

/// # Errors
/// No client has one of these ids.
pub(super) fn check_clients(snapshot: &Snapshot, ids: &[String]) -> Result<(), Trouble> {
    let known = || snapshot.files.known_clients().iter().map(|client| client.id.as_str());
    let Some(id) = ids.iter().find(|id| known().all(|known| known != id.as_str())) else { return Ok(()) };
    let hint = nearest(id, known()).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    bail!("there is no client `{}`{hint}", show::value(id))
}

/// Whether a command that is limited to some clients, or to none, is about a client.
pub(super) fn is_wanted(client: &Client, ids: &[String]) -> bool {
    ids.is_empty() || ids.iter().any(|id| client.id == *id)
}

/// Returns the words for a fate.
pub(super) fn word(fate: Fate) -> &'static str {
    match fate {
        Fate::Runs => "runs",
        Fate::Asks => "asks",
        Fate::Denied => "denied",
        Fate::NotOffered => "not offered",
        Fate::Open => "up to the client",
    }
}

/// Returns the word for what an entry of a list does.
fn effect(kind: ListKind) -> &'static str {
    match kind {
        ListKind::Offer => "offered",
        kind => kind.as_str(),
    }
}

fn to_text(snapshot: &Snapshot, verdict: &Verdict<'_>, out: &mut Page) {
    let folder = match verdict.folder {
        "" => String::new(),
        folder => format!(" in {}", show::value(folder)),
    };
    let (client, name) = (show::value(&verdict.client.name), show::value(&verdict.name));
    out.line(format_args!("  {client}{folder}: `{name}` {}", says(verdict.fate)));
    let place = |file: FileId, span: Span| {
        let at = point(snapshot, file, span.start);
        format!("{}:{}:{}", show::value(snapshot.files.path(file)), at.line, at.column)
    };
    let entry = |permit: &Permit<'_>| {
        let (file, span) = permit.place();
        let text = show::value(&permit.entry.text.text);
        format!("{} `{text}` at {}", effect(permit.list.kind), place(file, span))
    };
    match &verdict.because {
        Because::Entry(permit) => out.line(format_args!("    because of {}", entry(permit))),
        Because::Whole(setting, file, span) => {
            out.line(format_args!("    because of `{}` at {}", show::value(setting), place(*file, *span)));
        }
        Because::NoOffer(file, span) => {
            out.line(format_args!("    because it is not in the list at {}", place(*file, *span)));
        }
        Because::Off(file, span) => {
            out.line(format_args!("    because its server is switched off at {}", place(*file, *span)));
        }
        Because::Refused(value, file, span) => out.line(format_args!(
            "    because {client} does not start with `{}` at {}",
            show::value(value),
            place(*file, *span)
        )),
        Because::Key => out.line(format_args!(
            "    because {client} does not start a server with the key `{}`",
            show::value(&verdict.key)
        )),
        Because::Client => out.line("    because no setting in this workspace is about it"),
    }
    for permit in &verdict.overruled {
        out.line(format_args!("    rather than {}", entry(permit)));
    }
    for (part, permit) in &verdict.within {
        let part = match part {
            Some(part) => format!("this {part} only"),
            None if permit.list.is_apart => "a part of the settings only".to_string(),
            None => "some calls only".to_string(),
        };
        out.line(format_args!("    for {part}: {}", entry(permit)));
    }
    for (file, span) in &verdict.hooks {
        out.line(format_args!("    unless the hook at {} decides otherwise", place(*file, *span)));
    }
    for (file, reason) in &verdict.unread {
        let path = show::value(snapshot.files.path(*file));
        out.line(format_args!("    ignoring {path}: {} {reason}", verdict.client.name));
    }
    if !verdict.client.elsewhere.is_empty() {
        out.line(format_args!("    not read: {}", verdict.client.elsewhere.join(", ")));
    }
}

/// Returns the predicate of a sentence about a call.
fn says(fate: Fate) -> &'static str {
    match fate {
        Fate::Runs => "runs",
        Fate::Asks => "asks first",
        Fate::Denied => "is denied",
        Fate::NotOffered => "is not offered",
        Fate::Open => "is up to the client",
    }
}

/// Returns a verdict for JSON.
fn to_json(snapshot: &Snapshot, verdict: &Verdict<'_>) -> Value {
    let place = |kind: &str, file: FileId, span: Span| {
        let at = point(snapshot, file, span.start);
        json!({ "kind": kind, "file": snapshot.files.path(file), "line": at.line, "column": at.column })
    };
    let entry = |permit: &Permit<'_>| {
        let (file, span) = permit.place();
        let mut value = place("entry", file, span);
        value["list"] = permit.list.kind.as_str().into();
        value["text"] = permit.entry.text.text.as_str().into();
        value
    };
    let because = match &verdict.because {
        Because::Entry(permit) => entry(permit),
        Because::Whole(_, file, span) => place("server", *file, *span),
        Because::NoOffer(file, span) => place("not-listed", *file, *span),
        Because::Off(file, span) => place("switched-off", *file, *span),
        Because::Refused(_, file, span) => place("refused", *file, *span),
        Because::Key => json!({ "kind": "key" }),
        Because::Client => json!({ "kind": "client" }),
    };
    let within = verdict.within.iter().map(|(part, permit)| {
        let mut value = entry(permit);
        value["part"] = (*part).into();
        value
    });
    json!({
        "client": verdict.client.id.as_str(),
        "folder": verdict.folder,
        "key": verdict.key,
        "name": verdict.name,
        "fate": verdict.fate.as_str(),
        "because": because,
        "overruled": verdict.overruled.iter().map(entry).collect::<Vec<Value>>(),
        "within": within.collect::<Vec<Value>>(),
        "hooks": verdict.hooks.iter().map(|(file, span)| place("hook", *file, *span)).collect::<Vec<Value>>(),
        "ignored": verdict.unread.iter().map(|(file, reason)| {
            json!({ "file": snapshot.files.path(*file), "reason": reason })
        }).collect::<Vec<Value>>(),
        "not_read": verdict.client.elsewhere.iter().map(|it| it.as_str()).collect::<Vec<&str>>(),
    })
}
