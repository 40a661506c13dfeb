//! `permission-malformed`: an entry that does not fit the client's grammar, so that the client skips it.

use super::repair::repairs;
use super::servers::{ServerNames, TO_MATCH};
use super::{Examined, effect};
use crate::client::{ClientFacts, Fault, ListKind, Rule as Permission, Wildcards, begins_as_mcp, glob_matches};
use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::name::nearest;
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule = Rule {
    id: "permission-malformed",
    default: Severity::Error,
    scope: Scope::File,
    docs: include_str!("malformed.md"),
};

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    let Permission::Malformed(fault) = examined.rule else {
        return ignored_entry(cx, examined);
    };
    let (client, grammar) = (examined.client, examined.grammar());
    let text = examined.text();
    let behind_prefix = |text| str::strip_prefix(text, grammar.tool.prefix.as_str()).unwrap_or(text);
    let what = match fault {
        Fault::Empty => "an empty entry".to_string(),
        Fault::Blank => "leading or trailing white space counts as part of the name".to_string(),
        Fault::Prefix => format!("neither one of the tools of {} nor in the form `{}`", client.name, grammar.shown()),
        Fault::Parentheses => "MCP tools take no arguments in parentheses".to_string(),
        Fault::NoServer => format!("no server between `{}` and `{}`", grammar.tool.prefix, grammar.separator()),
        Fault::NoTool if behind_prefix(text).contains(grammar.separator()) => {
            format!("no tool after `{}`", grammar.separator())
        }
        Fault::NoTool => format!("no tool name; the form is `{}`", grammar.shown()),
        Fault::Character(' ') => format!("names of tools in {} contain no spaces", client.name),
        Fault::Character(character) => format!("names of tools in {} contain no `{character}`", client.name),
        Fault::OwnTools => {
            format!("{} compares a pattern without `_` only with its own tools, unless it begins with `*`", client.name)
        }
        Fault::OddServer => {
            format!("{} has no entry for all tools of a server whose key changes in their names", client.name)
        }
        Fault::Split => {
            let separator = grammar.separator();
            format!("`{text}` is not taken for a server, since its key contains `{separator}` or ends in `_`")
        }
        Fault::Wildcard if examined.list.wildcards == Wildcards::None => {
            "wildcards are not allowed in this list".to_string()
        }
        Fault::Wildcard => {
            let place = match examined.list.wildcards {
                Wildcards::Tool => "in the tool's name, after a whole server name",
                Wildcards::WholeOrAll => "in place of the whole tool name, or of server and tool together",
                _ => "in place of the whole tool name, after a whole server name",
            };
            format!("a wildcard is only allowed {place}")
        }
    };
    let message = match fault {
        // The client reports these entries when it starts.
        Fault::Wildcard | Fault::Parentheses if examined.list.row.is_some() => {
            format!("{what}: {} skips this entry, so it {}", client.name, effect(examined.list.kind))
        }
        _ => format!("{what}, so this entry {}", effect(examined.list.kind)),
    };
    let diagnostic = examined.diagnostic(cx, &RULE, message);
    if fault == Fault::OwnTools {
        // The pattern may be meant for one of the client's own tools.
        let stem = text.trim_end_matches('*');
        let is_of_all = !stem.is_empty() && grammar.tool.prefix.starts_with(stem) && begins_as_mcp(stem);
        let all = is_of_all.then(|| examined.replacement(cx, &format!("{}*", grammar.tool.prefix)));
        return begins_as_mcp(text).then(|| diagnostic.with_fixes(all));
    }
    if fault == Fault::Split {
        // The entry would start to allow the tools of the server.
        let whole = format!("{text}{}*", grammar.separator());
        return Some(diagnostic.with_fixes(examined.repairs(cx, &[whole])));
    }
    if fault == Fault::NoTool {
        return Some(diagnostic.with_fixes(examined.repairs(cx, &with_tool(examined))));
    }
    if fault == Fault::Wildcard {
        return Some(diagnostic.with_fixes(written_out(cx, examined)));
    }
    let mut fixes = examined.repairs(cx, &repairs(examined));
    if fixes.is_empty() && fault == Fault::Prefix {
        // The entry may mean one of the client's own tools in another spelling.
        fixes.extend(examined.removal(cx).map(|fix| fix.marked_unsafe().into_choice()));
    }
    Some(diagnostic.with_fixes(fixes))
}

/// Reports the values because of which a client refuses a whole file.
pub(super) fn refused(cx: &Cx<'_>, facts: &ClientFacts, diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.extend(facts.refused.iter().map(|refused| {
        let words: Vec<String> = refused.accepted.iter().map(|word| format!("`{word}`")).collect();
        let (client, value) = (&facts.client.name, &refused.value);
        let message = format!("{client} does not accept `{value}` here and does not start: use {}", words.join(", "));
        let fix = nearest(value, refused.accepted.iter().map(String::as_str)).map(|near| {
            Fix::replace(format!("replace with `{near}`"), cx.file.id, refused.span, near).marked_unsafe().into_choice()
        });
        cx.diagnostic(&RULE, refused.span, message).with_fixes(fix)
    }));
}

/// Reports an entry that the client never consults, although it is about one of the client's own tools.
fn ignored_entry(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    let (client, list, text) = (examined.client, examined.list, examined.text());
    if examined.is_mcp() || !matches!(list.kind, ListKind::Allow | ListKind::Deny | ListKind::Ask) {
        return None;
    }
    let (row, rest) = client.ignored_entries.iter().find_map(|row| Some((row, text.strip_prefix(&*row.begin)?)))?;
    let is_older = match (cx.policy.versions.get(client.id.as_str()), &row.since) {
        (Some(version), Some(since)) => version < since,
        _ => false,
    };
    let is_option = list.row.is_none();
    // An entry with only a wildcard, or nothing, in its parentheses covers every call, and the client does consult it.
    if is_older || row.only_in_files && is_option || matches!(rest, ")" | "*)" | "**)") {
        return None;
    }
    let right = format!("{}{rest}", row.right);
    let message = format!(
        "{} never consults this entry, so it {}: `{}…)` applies to {}",
        client.name,
        effect(list.kind),
        row.right,
        row.why,
    );
    let is_there = examined.texts.contains(&(std::ptr::from_ref(list) as usize, right.as_str()));
    let fix = if is_there { examined.removal(cx) } else { Some(examined.replacement(cx, &right)) };
    // With the fix, an entry that has allowed nothing so far would start to allow something.
    let fix = fix.map(|fix| if is_there || list.kind != ListKind::Allow { fix } else { fix.marked_unsafe() });
    let mut diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(fix);
    diagnostic.severity = Severity::Warning;
    Some(diagnostic)
}

/// Returns the string that an entry without a tool may have been meant to be: one with the tool after a comma, or one
/// for every tool of the server. Either matches more than the entry did, so a person must choose. Empty if neither is
/// possible.
fn with_tool(examined: &Examined<'_>) -> Vec<String> {
    let (text, grammar) = (examined.text(), examined.grammar());
    if text.is_empty() {
        return Vec::new();
    }
    if let Some((server, tool)) = text.split_once(',') {
        let joined = format!("{server}{}{}", grammar.separator(), tool.trim_start());
        return matches!(examined.parse(&joined), Permission::Tool { .. }).then_some(joined).into_iter().collect();
    }
    let bare = text
        .strip_prefix(grammar.tool.prefix.as_str())
        .and_then(|rest| rest.strip_suffix(grammar.tool.suffix.as_str()));
    let spelt = bare.map(|rest| rest.strip_suffix(grammar.separator()).unwrap_or(rest));
    let server = spelt.and_then(|spelt| examined.servers.of(spelt));
    let whole = match server {
        Some(server) => grammar.whole_server(&server.key),
        None if text.ends_with(grammar.separator()) => format!("{text}*"),
        None => return Vec::new(),
    };
    let is_taken = !matches!(examined.parse(&whole), Permission::Malformed(_) | Permission::BuiltIn);
    is_taken.then_some(whole).into_iter().collect()
}

/// Builds the fix that replaces a wildcard the list does not accept with the entries that it was meant to stand for:
/// whole servers, or the tools that match. `None` if there are no such entries or too many of them.
fn written_out(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Fix> {
    if !examined.list.is_plain() {
        return None;
    }
    let (text, grammar) = (examined.text(), examined.grammar());
    let stands_for = |server: &&ServerNames| {
        let prefix = grammar.server_prefix(&server.key);
        match text
            .strip_prefix(grammar.tool.prefix.as_str())
            .and_then(|rest| rest.strip_suffix(grammar.tool.suffix.as_str())?.split_once(grammar.separator()))
        {
            Some((of_server, "*")) => glob_matches(of_server, &server.spelt),
            Some(_) => false,
            // The pattern ends before the tool begins.
            None => text.strip_suffix('*').is_some_and(|stem| prefix.starts_with(stem)) || text == "*",
        }
    };
    let whole = |server: &ServerNames| {
        let whole = grammar.whole_server(&server.key);
        (examined.list.wildcards != Wildcards::None || !whole.contains('*')).then_some(whole)
    };
    if !examined.fuel.take(examined.servers.size * TO_MATCH) {
        return None;
    }
    let servers = examined.servers.all.iter().filter(stands_for);
    let mut names: Vec<String> = servers.filter_map(whole).collect();
    if names.is_empty() {
        let all = examined.servers.all.iter().flat_map(|server| &server.names);
        names = all.filter(|name| glob_matches(text, name)).cloned().collect();
    }
    names.sort();
    names.dedup();
    if names.is_empty() || names.len() > MAX_WRITTEN_OUT {
        return None;
    }
    let title = match names.as_slice() {
        [only] => format!("replace with `{only}`"),
        several => format!("replace with the {} entries that it covers", several.len()),
    };
    let edits = Edits::from([(cx.file.id, vec![examined.list.replaced(examined.entry, &names)?])]);
    // The entry has had no effect so far, and would start to have one.
    Some(Fix::edits(title, edits).marked_unsafe().into_choice())
}

/// The maximum number of entries that replace a wildcard; a longer list is unreadable.
const MAX_WRITTEN_OUT: usize = 50;
