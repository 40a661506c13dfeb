//! `permission-too-wide`: an allow entry with a wildcard that reaches a tool marked destructive.

use super::Examined;
use super::others::Others;
use super::servers::{ServerNames, TO_MATCH};
use crate::client::{ListKind, Rule as Permission, glob_matches};
use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::rules::{Cx, Rule};
use crate::workspace::Locked;

pub(crate) const RULE: Rule =
    Rule { id: "permission-too-wide", default: Severity::Warning, docs: include_str!("too_wide.md") };

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    if examined.list.kind != ListKind::Allow {
        return None;
    }
    let text = examined.text();
    // Most entries are about one tool, and need not be asked about each.
    if !matches!(examined.rule, Permission::Server { .. } | Permission::ToolPattern { .. } | Permission::Pattern) {
        return None;
    }
    let is_free = |server: &ServerNames, name: &String| {
        examined.fuel.take(TO_MATCH)
            && reaches(examined, server, name)
            && !others.holds_back(examined, name)
            && !others.is_denied_beside(examined, name)
    };
    let mut reached = may_reach(examined).flat_map(|server| {
        let destructive = server.destructive_with(stem_of(examined));
        destructive.filter(move |name| is_free(server, name))
    });
    let Some(first) = reached.next() else { return fallen_under(cx, examined, others) };
    let more = match reached.count() {
        0 => String::new(),
        1 => " and 1 more".to_string(),
        count => format!(" and {count} more"),
    };
    let own = may_reach(examined).filter_map(|server| cx.analysis.keys.get_key_value(&server.key));
    let mut tools = own.flat_map(|(key, known)| {
        cx.analysis.tools_of(known).filter(move |tool| examined.grammar().composed(key, &tool.name) == *first)
    });
    let tool = tools.next()?;
    let message = format!("`{text}` allows `{}`{more} without asking, which is marked destructive", tool.name);
    let place = tool.local_place();
    let diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(narrowed(cx, examined));
    Some(diagnostic.with_related(place.file, cx.snapshot.files.span(place), "marked destructive here"))
}

/// A tool that nobody has published yet, and that an entry with a wildcard allows already.
fn fallen_under(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    let locked: Vec<&Locked> = cx.snapshot.files.locks().flat_map(|(_, lock)| &lock.tools).collect();
    if locked.is_empty() {
        return None;
    }
    let keys = cx.analysis.keys.iter().filter(|(key, _)| examined.list.is_about(key));
    let tool = keys.into_iter().find_map(|(key, known)| {
        let named = examined.servers.of_key(key)?;
        cx.analysis.servers_of(known).find_map(|server| {
            let mut own =
                locked.iter().filter(|one| one.server.as_deref().is_none_or(|name| server.goes_by(name))).peekable();
            // Of a server that was never locked, nothing is new.
            own.peek()?;
            let own: Vec<&str> = own.map(|one| one.name.as_str()).collect();
            let mut tools = server.tools.iter().filter(|tool| !own.contains(&tool.name.as_str()));
            tools.find(|tool| {
                let name = examined.grammar().composed(key, &tool.name);
                let is_allowed = reaches(examined, named, &name) && !others.holds_back(examined, &name);
                is_allowed && cx.snapshot.files.alias_of(tool).is_none()
            })
        })
    })?;
    let message = format!("`{}` allows `{}`, which is newer than the lock", examined.text(), tool.name);
    let place = tool.local_place();
    let mut diagnostic = examined.diagnostic(cx, &RULE, message);
    diagnostic.severity = Severity::Info;
    Some(diagnostic.with_related(place.file, cx.snapshot.files.span(place), "registered here"))
}

/// The servers of which an entry with a wildcard may reach a tool.
fn may_reach<'s>(examined: &'s Examined<'_>) -> impl Iterator<Item = &'s ServerNames> {
    let named = match examined.rule {
        Permission::Server { server } => Some(server),
        _ => None,
    };
    let one = named.and_then(|server| examined.servers.of(server));
    // Two keys may be spelt alike.
    let is_it = move |server: &&ServerNames| named.is_none_or(|named| server.spelt == named);
    let all = if named.is_some() && one.is_none() { &[][..] } else { &examined.servers.all };
    all.iter().filter(|_| examined.fuel.take(1)).filter(is_it)
}

/// How all names begin that an entry with a wildcard reaches.
fn stem_of<'s>(examined: &Examined<'s>) -> &'s str {
    let text: &'s str = &examined.entry.text.text;
    match examined.rule {
        Permission::Server { .. } => "",
        _ => &text[..text.find(['*', '?']).unwrap_or(text.len())],
    }
}

/// Whether an entry with a wildcard reaches a tool of a server, by its composed name.
fn reaches(examined: &Examined<'_>, server: &ServerNames, name: &str) -> bool {
    match examined.rule {
        Permission::Server { server: spelt } => server.spelt == spelt,
        Permission::ToolPattern { .. } | Permission::Pattern => {
            glob_matches(&examined.list.pattern(examined.text()), name)
        }
        _ => false,
    }
}

/// The tools of the entry that are not destructive, one by one.
fn narrowed(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Fix> {
    if !examined.list.is_plain() {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    for server in may_reach(examined) {
        let is_kept = |name: &String| {
            examined.fuel.take(TO_MATCH) && reaches(examined, server, name) && !examined.servers.is_destructive(name)
        };
        let kept = server.composed_names().filter(is_kept);
        names.extend(kept);
    }
    names.sort();
    names.dedup();
    if names.is_empty() || names.len() > MAX_NAMED {
        return None;
    }
    let title = match names.len() {
        1 => "allow only the one that is not destructive".to_string(),
        count => format!("allow only the {count} that are not destructive"),
    };
    let edits = Edits::from([(cx.file.id, vec![examined.list.replaced(examined.entry, &names)?])]);
    // What was allowed before asks again.
    Some(Fix::edits(title, edits).marked_unsafe().as_choice())
}

/// How many tools are named one by one; more are nothing to read.
const MAX_NAMED: usize = 50;
