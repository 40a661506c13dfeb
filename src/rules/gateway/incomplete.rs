//! `layer-incomplete`: a tool of a gateway is missing in its users' settings or in the index of its tools.

use serde_json::{Value, json};

use crate::client::{ClientFacts, ListKind};
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, Severity};
use crate::document::Data;
use crate::entry::{Entry, EntryPlace, Insertion, Syntax};
use crate::known::gateway::{Layers, pool_object};
use crate::rules::documents::row_of_tool;
use crate::rules::{Cx, Rule, Scope};
use crate::workspace::File;

pub(crate) const RULE: Rule = Rule {
    id: "layer-incomplete",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("incomplete.md"),
};

pub(super) fn check(cx: &Cx<'_>, layers: &Layers<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for definition in &layers.tools {
        let place = definition.tool.local_place();
        // A wrong name is reported by another rule, and the faults that this rule would report follow from it.
        if place.file != cx.file.id || !definition.is_right || cx.policy.allows(RULE.id, definition.name) {
            continue;
        }
        let (settings, indexed) = (layers.settings_without(definition.name), layers.index_without(definition.name));
        let files: Vec<&str> =
            settings.iter().map(|(file, _)| &*file.path).chain(indexed.iter().map(|(file, _)| &*file.path)).collect();
        if files.is_empty() {
            continue;
        }
        let full = layers.full(definition.name);
        let mut entries = Vec::new();
        let mut edits = Edits::new();
        // Only a person can decide to allow a tool.
        let mut is_clear = settings.is_none();
        entries.extend(settings.and_then(|(file, facts)| allowed(file, facts, &full)));
        if let Some((file, markdown)) = indexed
            && let Some(edit) = row_of_tool(cx, file, markdown, definition.tool)
        {
            edits.entry(file.id).or_default().push(edit);
        }
        if let Some(server) = definition.server.as_deref().filter(|_| definition.is_first_of_server) {
            entries.extend(add_route(layers, server));
            if let Some((file, data)) = layers.pool_without(server) {
                let (entry, is_known) = add_pool(cx, layers, server, file, data);
                entries.extend(entry);
                is_clear &= is_known;
            }
        }
        let complete = |title: String, entries: Vec<Entry>, is_clear: bool| Fix {
            title,
            safe: is_clear,
            preferred: is_clear,
            action: Action::Write(entries.into_iter().map(Insertion::Entry).collect(), edits.clone()),
        };
        let title = format!("complete the layers of `{}`", definition.name);
        let mut fixes = Vec::new();
        if !entries.is_empty() || !edits.is_empty() {
            fixes.push(complete(title.clone(), entries.clone(), is_clear));
        }
        // A user who allows a few of the tools may want to allow this one, too.
        if let (None, Some((file, facts))) = (settings, layers.settings_with_others(definition.name))
            && let Some(entry) = allowed(file, facts, &full)
        {
            entries.push(entry);
            fixes.push(complete(format!("{title}, and allow it"), entries, false));
        }
        let message = format!("`{full}` is missing from {}", files.join(" and "));
        let span = cx.snapshot.files.span(place);
        diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes(fixes));
    }
}

/// Returns the entry that allows a tool; `None` if the file has no allow list.
fn allowed(file: &File, facts: &ClientFacts, full: &str) -> Option<Entry> {
    let list = facts.lists.iter().find(|list| list.kind == ListKind::Allow)?;
    Some(Entry {
        file: file.id,
        object: list.span,
        place: EntryPlace::Last,
        key: None,
        value: Value::String(full.to_string()),
        syntax: Syntax::Json,
    })
}

/// Returns the entry that adds the route to a server; `None` if there is no table of routes, or if the table already
/// has this route.
pub(super) fn add_route(layers: &Layers<'_>, server: &str) -> Option<Entry> {
    let routes = layers.routes.as_ref().filter(|_| !layers.has_route(server))?;
    let form = layers.gateway.routes.as_ref()?;
    Some(Entry {
        file: routes.file,
        object: routes.object,
        place: EntryPlace::Last,
        key: Some(layers.gateway.pool_key(server).into()),
        value: Value::String(form.value(server)),
        syntax: routes.syntax,
    })
}

/// Returns the entry that starts a server, and whether the server's command is known, since a client of the workspace
/// may already start the server. An unknown command is left empty for a person to fill in.
pub(super) fn add_pool(
    cx: &Cx<'_>,
    layers: &Layers<'_>,
    server: &str,
    file: &File,
    data: &Data,
) -> (Option<Entry>, bool) {
    let clients = cx.snapshot.files.all().flat_map(|file| file.client_facts());
    let started = clients.flat_map(|facts| &facts.servers).find(|entry| entry.key.text == server);
    let command = started.and_then(|entry| entry.command.as_deref()).and_then(<[String]>::split_first);
    let value = match command {
        Some((program, args)) => json!({ "command": program, "args": args }),
        None => json!({ "command": "", "args": [] }),
    };
    let entry = pool_object(data).map(|object| Entry {
        file: file.id,
        object: object.span,
        place: EntryPlace::Last,
        key: Some(layers.gateway.pool_key(server).into()),
        value,
        syntax: Syntax::Json,
    });
    (entry, command.is_some())
}
