//! Entries about servers that no file of the workspace starts: one of these servers may be the tool's own.

use crate::client::{ClientFacts, Grammar, List, ListKind, Rule, Spelt, begins_as_mcp, glob_matches};
use crate::rename::refusal::{Left, Loosens, Looser, Why};
use crate::rename::{Plan, Target};
use crate::workspace::{File, Snapshot};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Reports the entries that name the tool in another client's form, and those that contain its name after the key of an
/// unknown server.
pub(super) fn report(snapshot: &Snapshot, file: &Arc<File>, facts: &ClientFacts, target: Target<'_>, plan: &mut Plan) {
    in_another_form(snapshot, file, facts, target, plan);
    under_a_prefix(file, facts, target, plan);
    let mut known: FxHashMap<*const Grammar, FxHashSet<String>> = FxHashMap::default();
    let mut named = Vec::new();
    let entries = facts.lists.iter().flat_map(|list| list.entries.iter().map(move |entry| (list, entry)));
    for (list, entry) in entries.filter(|(list, _)| list.server.is_none()) {
        let text = entry.text.text.as_str();
        if let Rule::Tool { server, tool } = list.parse(text, Spelt::none())
            && begins_as_mcp(text)
            && tool == list.grammar.normalise(&target.tool.name)
        {
            let known = known.entry(Arc::as_ptr(&list.grammar)).or_insert_with(|| {
                let keys = snapshot.analysis().keys.iter().filter(|(_, known)| !known.servers.is_empty());
                keys.map(|(key, _)| list.grammar.normalise(key)).collect()
            });
            if !known.contains(server) {
                named.push((entry.text.span, server, text));
            }
        }
    }
    if named.is_empty() {
        return;
    }
    let edited = plan.edited(file.id);
    for (span, server, text) in named.into_iter().filter(|(span, _, _)| !edited.overlap(*span)) {
        let left = Left::UnknownServer { server: server.to_string(), entry: text.to_string() };
        plan.skip(file.id, span, left);
    }
}

/// Reports the entries of code that may guard the tool under a prefix: an agent that gives its servers' tools prefixes
/// knows `drop_note` as `notes_drop_note`.
fn under_a_prefix(file: &Arc<File>, facts: &ClientFacts, target: Target<'_>, plan: &mut Plan) {
    let is_guard = |list: &&List| matches!(list.kind, ListKind::Deny | ListKind::Ask);
    for list in facts.lists.iter().filter(|list| list.row.is_none() && list.is_bare()).filter(is_guard) {
        for entry in &list.entries {
            let prefix = entry.text.text.strip_suffix(target.tool.name.as_str());
            let is_prefixed = prefix.is_some_and(|prefix| prefix.ends_with(['_', '-', '.', '/', ':']));
            if is_prefixed && !plan.edited(file.id).overlap(entry.text.span) {
                plan.skip(file.id, entry.text.span, Left::Guard);
            }
        }
    }
}

/// Reports the entries that name the tool in another client's form. They match nothing, unless the client had another
/// form in some version.
fn in_another_form(snapshot: &Snapshot, file: &Arc<File>, facts: &ClientFacts, target: Target<'_>, plan: &mut Plan) {
    let prefixes = snapshot.files.known_clients().iter().map(|client| &client.names);
    let prefixed: Vec<&Arc<Grammar>> = prefixes.filter(|names| !names.tool.prefix.is_empty()).collect();
    let keys = target.known_as(snapshot);
    let spelt = |grammar: &Grammar| keys.iter().map(|key| grammar.composed(key, &target.tool.name)).collect::<Vec<_>>();
    let all: FxHashSet<String> = prefixed.iter().flat_map(|grammar| spelt(grammar)).collect();
    let lists =
        facts.lists.iter().filter(|list| list.server.is_none() && !list.is_bare() && list.kind != ListKind::Hook);
    for list in lists {
        let own = spelt(&list.grammar);
        for entry in &list.entries {
            let text = list.bare(&entry.text.text);
            let begins = prefixed.iter().any(|grammar| text.starts_with(grammar.tool.prefix.as_str()));
            let is_it = |name: &String| glob_matches(text, name);
            if begins
                && all.iter().any(is_it)
                && !own.iter().any(is_it)
                && !plan.edited(file.id).overlap(entry.text.span)
            {
                plan.skip(file.id, entry.text.span, Left::OtherForm(list.client.name.to_string()));
            }
        }
    }
}

/// Checks that guards for unknown servers match the new name as well. The key of this server is not known, so it may be
/// any of those keys.
///
/// # Errors
/// A guard that would not match the new name.
pub(super) fn hold(
    snapshot: &Snapshot,
    file: &File,
    facts: &ClientFacts,
    target: Target<'_>,
    new: &str,
) -> Result<(), Why> {
    let (old, own) = (target.tool.name.as_str(), target.known_as(snapshot));
    // A key that no pattern matches by accident.
    const SOME_KEY: &str = "any-server-that-there-is";
    let guards = || facts.lists.iter().filter(|list| matches!(list.kind, ListKind::Deny | ListKind::Ask));
    let entries = || guards().flat_map(|list| list.entries.iter().map(move |entry| (list, entry)));
    let is_known = |list: &List, server: &str| {
        let keys = snapshot.analysis().keys.iter().filter(|(_, known)| !known.servers.is_empty());
        let mut keys = keys.map(|(key, _)| key).chain(own.iter().copied());
        keys.any(|key| list.grammar.normalise(key) == server)
    };
    for (list, entry) in entries().filter(|(list, _)| list.server.is_none()) {
        let text = entry.text.text.as_str();
        let key = match list.parse(text, Spelt::none()) {
            Rule::Tool { server, .. } | Rule::ToolPattern { server, .. } if !server.contains('*') => server,
            Rule::Tool { .. } | Rule::ToolPattern { .. } | Rule::Pattern => SOME_KEY,
            Rule::Server { .. } | Rule::BuiltIn | Rule::Malformed(_) => continue,
        };
        let fits =
            |list: &List, text: &str, name: &str| glob_matches(&list.pattern(text), &list.grammar.composed(key, name));
        let is_about = begins_as_mcp(text) || key == SOME_KEY;
        if !is_about || is_known(list, key) || !fits(list, text, old) {
            continue;
        }
        if !entries().any(|(list, other)| fits(list, &other.text.text, new)) {
            let new = list.grammar.composed(key, new).replace(SOME_KEY, "*");
            let how = Looser::Unstarted { kind: list.kind, new };
            return Err(Why::Loosens(Loosens { path: file.path.to_string(), entry: text.to_string(), how }));
        }
    }
    // The matchers of hooks, which are names or regular expressions over them.
    for list in facts.lists.iter().filter(|list| list.kind == ListKind::Hook) {
        for entry in &list.entries {
            let text = entry.text.text.as_str();
            let expression = list.expression(text);
            let runs = |name: &str| match &expression {
                Some(expression) => expression.is_match(name) == Some(true),
                None => text == name,
            };
            let keys = keys_in(&list.grammar, text).into_iter().chain([SOME_KEY]).filter(|key| !is_known(list, key));
            let pairs = keys.map(|key| (list.grammar.composed(key, old), list.grammar.composed(key, new)));
            if let Some((_, new)) = pairs.into_iter().find(|(old, new)| runs(old) && !runs(new)) {
                let how = Looser::Unstarted { kind: ListKind::Hook, new: new.replace(SOME_KEY, "*") };
                return Err(Why::Loosens(Loosens { path: file.path.to_string(), entry: text.to_string(), how }));
            }
        }
    }
    Ok(())
}

/// The keys of servers that are written in a matcher: `notes` in `mcp__notes__read_.*`. None if the form of names does
/// not show where a key begins and ends.
fn keys_in<'t>(grammar: &Grammar, matcher: &'t str) -> Vec<&'t str> {
    let (prefix, separator) = (grammar.tool.prefix.as_str(), grammar.separator());
    if prefix.is_empty() || separator.is_empty() {
        return Vec::new();
    }
    let keys = matcher.split(prefix).skip(1).filter_map(|name| name.split_once(separator)).map(|(key, _)| key);
    keys.filter(|key| key.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))).collect()
}
