//! `permission-too-wide`: an allow entry for several tools matches one that is marked destructive.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Examined;
use super::others::Others;
use super::servers::{ServerNames, TO_MATCH};
use crate::client::{ListKind, Own, Rule as Permission, glob_matches};
use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::found::Place;
use crate::rules::{Cx, Rule, Scope};
use crate::workspace::Locked;

pub(crate) const RULE: Rule = Rule {
    id: "permission-too-wide",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("too_wide.md"),
};

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    if examined.list.kind != ListKind::Allow {
        return None;
    }
    let text = examined.text();
    // A pattern over whole names may be about the client's own tools.
    if examined.rule == Permission::Pattern && examined.grammar().own == Own::UnknownServer {
        return None;
    }
    // Most entries are about a single tool, and need no search.
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
    let message = format!("`{text}` allows the destructive tool `{}`{more} without asking", tool.name);
    let place = tool.local_place();
    let diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(narrowed(cx, examined));
    Some(diagnostic.with_related(place.file, cx.snapshot.files.span(place), "marked destructive here"))
}

/// Reports a tool that an entry with a wildcard allows although the tool is newer than `toolnames.lock`.
fn fallen_under(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    let newer = cx.analysis.memo.get("tools newer than the lock".to_string(), || newer_than_lock(cx));
    let tool = newer.iter().find(|tool| {
        let Some(server) = examined.servers.of_key(&tool.key).filter(|_| examined.list.is_about(&tool.key)) else {
            return false;
        };
        let name = examined.grammar().composed(&tool.key, &tool.name);
        examined.fuel.take(TO_MATCH) && reaches(examined, server, &name) && !others.holds_back(examined, &name)
    })?;
    let message = format!("`{}` allows `{}`, which is newer than `toolnames.lock`", examined.text(), tool.name);
    let mut diagnostic = examined.diagnostic(cx, &RULE, message);
    diagnostic.severity = Severity::Info;
    Some(diagnostic.with_related(tool.place.file, cx.snapshot.files.span(tool.place), "registered here"))
}

/// A tool that `toolnames.lock` does not contain, although it contains other tools of the same server.
struct Newer {
    /// The key of the config entry that starts the tool's server.
    key: String,
    name: String,
    place: Place,
}

/// Returns every tool that is newer than the lock of its server, once for each key of the server. A server that is not
/// in the lock has no new tools.
fn newer_than_lock(cx: &Cx<'_>) -> Vec<Newer> {
    let locked: Vec<&Locked> = cx.snapshot.files.locks().flat_map(|(_, lock)| &lock.tools).collect();
    let mut newer = Vec::new();
    if locked.is_empty() {
        return newer;
    }
    let mut by_server: FxHashMap<Option<&str>, FxHashSet<&str>> = FxHashMap::default();
    for one in locked {
        by_server.entry(one.server.as_deref()).or_default().insert(&one.name);
    }
    for (key, known) in &cx.analysis.keys {
        for server in cx.analysis.servers_of(known) {
            let goes_by = |told: &Option<&str>| told.is_none_or(|told| server.goes_by(told));
            let own: Vec<_> = by_server.iter().filter(|(told, _)| goes_by(told)).map(|(_, names)| names).collect();
            if own.is_empty() {
                continue;
            }
            for tool in server.tools.iter().filter(|tool| !own.iter().any(|names| names.contains(tool.name.as_str()))) {
                if cx.snapshot.files.alias_of(tool).is_none() {
                    newer.push(Newer { key: key.clone(), name: tool.name.clone(), place: tool.local_place() });
                }
            }
        }
    }
    newer
}

/// Returns the servers with tools that an entry with a wildcard may match.
fn may_reach<'s>(examined: &'s Examined<'_>) -> impl Iterator<Item = &'s ServerNames> {
    let named = match examined.rule {
        Permission::Server { server } => Some(server),
        _ => None,
    };
    let one = named.and_then(|server| examined.servers.of(server));
    // Two keys may have the same spelling.
    let is_it = move |server: &&ServerNames| named.is_none_or(|named| server.spelt == named);
    let all = if named.is_some() && one.is_none() { &[][..] } else { &examined.servers.all };
    all.iter().filter(|_| examined.fuel.take(1)).filter(is_it)
}

/// Returns the text with which all names that an entry matches begin; empty for an entry about a whole server.
fn stem_of<'s>(examined: &Examined<'s>) -> &'s str {
    let text: &'s str = &examined.entry.text.text;
    match examined.rule {
        Permission::Server { .. } => "",
        _ => &text[..text.find(['*', '?']).unwrap_or(text.len())],
    }
}

/// Whether an entry with a wildcard matches a tool of a server, given the tool's composed name.
fn reaches(examined: &Examined<'_>, server: &ServerNames, name: &str) -> bool {
    match examined.rule {
        Permission::Server { server: spelt } => server.spelt == spelt,
        Permission::ToolPattern { .. } | Permission::Pattern => {
            glob_matches(&examined.list.pattern(examined.text()), name)
        }
        _ => false,
    }
}

/// Builds the fix that replaces the entry with one entry for each non-destructive tool that it matches. `None` if there
/// are no such tools, or too many.
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
    // The client will ask again about calls that were allowed before.
    Some(Fix::edits(title, edits).marked_unsafe().into_choice())
}

/// The maximum number of tools that are named one by one; a longer list is unreadable.
const MAX_NAMED: usize = 50;
