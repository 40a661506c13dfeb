//! `permission-unknown-server`: a server that no config of the workspace defines.
//!
//! Servers from the user's own settings, plugins and connectors are defined elsewhere, so an unknown key is reported
//! only if it is close to a known one, or if `toolnames.toml` says that the workspace defines every server.

use super::closeness::{Closeness, closeness, known_by_plugin};
use super::servers::ServerNames;
use super::spelling::{folded, squashed};
use super::{Examined, effect};
use crate::client::{ClientFacts, ListKind, Own, Rule as Permission};
use crate::convention::is_verb;
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::document::Text;
use crate::known::public::of_key;
use crate::name::Name;
use crate::rules::{Cx, Rule, Scope};
use crate::workspace::Content;

pub(crate) const RULE: Rule = Rule {
    id: "permission-unknown-server",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("unknown_server.md"),
};

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    let (server, tool) = match examined.rule {
        Permission::Server { server } => (server, None),
        Permission::Tool { server, tool } | Permission::ToolPattern { server, tool } => (server, Some(tool)),
        _ => return None,
    };
    let client = examined.client;
    if examined.servers.of(server).is_some() || is_gateway(cx, server) {
        return None;
    }
    if examined.list.server.is_some() {
        return None;
    }
    // An entry that restricts tools may apply to another server, whose tools' names begin in the same way.
    let restricts = matches!(examined.list.kind, ListKind::Deny | ListKind::Ask) && examined.grammar().first_separator;
    let pattern = match examined.rule {
        Permission::Server { server } => format!("{}*", examined.grammar().server_prefix(server)),
        _ => examined.text().to_string(),
    };
    if restricts && pattern.contains('*') && examined.servers.any_matches(&pattern, &examined.fuel) {
        return None;
    }
    let prefix = &examined.grammar().tool.prefix;
    let behind = &examined.text()[prefix.len() + server.len()..];
    if let Some(known) = known_by_plugin(cx, examined.servers, server) {
        let new = format!("{prefix}{}{behind}", known.spelt);
        let message = format!("servers of plugins are named after their plugin: use `{}`", known.spelt);
        let fixes = examined.repairs(cx, std::slice::from_ref(&new)).into_iter();
        let fixes = fixes.map(|fix| fix.marked_unsafe().into_choice());
        return Some(examined.diagnostic(cx, &RULE, message).with_fixes(fixes));
    }
    let Some((near, sure)) = examined.servers.near_server(server, &examined.fuel).and_then(|near| {
        let close = closeness(prefix, examined.servers, near, (server, behind));
        let is_slip = || server.len() >= 4 && strsim::osa_distance(server, &near.spelt) == 1;
        // The public server that goes by the near key has the tool.
        let may_be_it = || tool.is_some_and(|tool| is_slip() && is_public_tool(cx, examined, near, tool));
        Some((near, close.or_else(|| may_be_it().then_some(Closeness::Near))?))
    }) else {
        if tool.is_none()
            && let Some(joined) = joined(cx, examined, server)
        {
            return Some(joined);
        }
        let is_broken = || *examined.servers.is_any_config_broken.get_or_init(|| is_any_config_broken(cx));
        if !cx.policy.closed || client.is_own_server(server) || is_elsewhere(cx) || is_broken() {
            return None;
        }
        let message = format!(
            "no config in this workspace defines a server `{server}`, so this entry {}",
            effect(examined.list.kind)
        );
        return Some(examined.diagnostic(cx, &RULE, message));
    };
    let new = format!("{prefix}{}{behind}", near.spelt);
    // If the tools of the server are known, the repair must name one of them.
    let repaired = match tool {
        Some(tool) if examined.servers.knows(near) && !tool.contains('*') && !near.names.contains(&new) => {
            examined.servers.nearest(near, tool, &examined.fuel)
        }
        _ => Some(new),
    };
    let message = format!("no config in this workspace defines a server `{server}`; did you mean `{}`?", near.spelt);
    let mut fixes = examined.repairs(cx, repaired.as_slice());
    // Only servers that this client's own files start are certain to be available to it.
    let mut files = cx.analysis.keys.get(&near.key).into_iter().flat_map(|known| &known.entries);
    let is_of_client =
        files.any(|(file, _)| cx.snapshot.client_facts(*file).any(|facts| facts.client == examined.list.client));
    // The key may be that of one of the user's own servers, unless the workspace defines every server.
    if sure == Closeness::Near || !is_of_client || !cx.policy.closed {
        fixes = fixes.into_iter().map(|fix| fix.marked_unsafe().into_choice()).collect();
    }
    let mut diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(fixes);
    for (file, span) in cx.analysis.keys.get(&near.key).into_iter().flat_map(|known| &known.entries) {
        diagnostic = diagnostic.with_related(*file, *span, format!("`{}` is started here", near.key));
    }
    Some(diagnostic)
}

/// Whether the public server that configs start under a known key, or usually start under it, has a tool.
fn is_public_tool(cx: &Cx<'_>, examined: &Examined<'_>, known: &ServerNames, tool: &str) -> bool {
    let grammar = examined.grammar();
    let entry = cx.analysis.key_of(examined.list, &known.key);
    let named = of_key(cx.analysis, grammar, &known.spelt, entry);
    let is_it = |own: &str| grammar.composed(&known.key, own) == format!("{}{tool}", grammar.server_prefix(&known.key));
    cx.policy.catalogue && named.iter().any(|named| named.server.tool(is_it).is_some())
}

/// Reports a name with one separator too few, which the client takes for the key of a server:
/// `mcp__notes_read_note`. `None` unless exactly one known server has such a tool.
fn joined(cx: &Cx<'_>, examined: &Examined<'_>, server: &str) -> Option<Diagnostic> {
    let grammar = examined.grammar();
    if !examined.fuel.take(examined.servers.all.len() * super::servers::TO_MATCH) {
        return None;
    }
    let mut meant = examined.servers.all.iter().filter_map(|known| {
        let tool = server.strip_prefix(known.spelt.as_str())?.strip_prefix(['_', '-', '.', ':'])?;
        let name = format!("{}{tool}", grammar.server_prefix(&known.key));
        let words = Name::new(tool).lower_words();
        // If the tools of the server are not known, a verb and something more are a tool, and no part of a key.
        let reads_so = || !examined.servers.knows(known) && words.len() > 1 && is_verb(&words[0]);
        (known.names.contains(&name) || is_public_tool(cx, examined, known, tool) || reads_so()).then_some(name)
    });
    let (Some(name), None) = (meant.next(), meant.next()) else { return None };
    let message = format!(
        "{} takes `{server}` for the key of a server, and no config defines it; did you mean `{name}`?",
        examined.client.name
    );
    let fixes = examined.repairs(cx, std::slice::from_ref(&name)).into_iter();
    let fixes = fixes.map(|fix| fix.marked_unsafe().into_choice());
    Some(examined.diagnostic(cx, &RULE, message).with_fixes(fixes))
}

/// Reports the composed name of a tool with one wrong letter in the server's key: since the string does not begin with
/// a known server, the client takes it for the name of one of its own tools.
pub(super) fn check_own(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    let grammar = examined.grammar();
    if grammar.own != Own::UnknownServer || examined.is_mcp() || grammar.separator().is_empty() {
        return None;
    }
    let text = examined.text().strip_prefix(grammar.tool.prefix.as_str())?;
    if !examined.fuel.take(examined.servers.all.len() * super::servers::TO_MATCH) {
        return None;
    }
    let mut meant = examined.servers.all.iter().filter_map(|server| {
        let length = server.spelt.len();
        (length.saturating_sub(1).max(4)..=length + 1).find_map(|end| {
            let (head, behind) = (text.get(..end)?, text.get(end..)?);
            let tool = behind.strip_prefix(grammar.separator())?;
            let name = format!("{}{tool}", grammar.server_prefix(&server.key));
            let is_slip = head != server.spelt && strsim::osa_distance(head, &server.spelt) == 1;
            (is_slip && server.names.contains(&name)).then_some(name)
        })
    });
    let (Some(name), None) = (meant.next(), meant.next()) else { return None };
    let message = format!("no config in this workspace defines a server of this name; did you mean `{name}`?");
    let fixes = examined.repairs(cx, std::slice::from_ref(&name)).into_iter();
    // The string may name a tool of one of the user's own servers.
    Some(examined.diagnostic(cx, &RULE, message).with_fixes(fixes.map(|fix| fix.marked_unsafe().into_choice())))
}

/// Checks the server keys that a file enables or disables. Such keys are written as in configs, not as in permission
/// strings.
pub(super) fn check_keys(cx: &Cx<'_>, facts: &ClientFacts, diagnostics: &mut Vec<Diagnostic>) {
    let client = &facts.client;
    let all = &cx.analysis.keys;
    let beside = facts.lists.iter().filter(|list| list.row.as_ref().is_some_and(|row| row.server_at.is_some()));
    let beside = beside.filter_map(|list| list.server.as_ref());
    let mut named: Vec<&Text> = facts.keys.iter().map(|switch| &switch.key).chain(beside).collect();
    for lost in facts.keys.iter().filter(|switch| switch.is_lost_pattern) {
        let key = &lost.key;
        let message = format!("{} takes `{}` for the key of one server: list each key", client.name, key.text);
        diagnostics.push(cx.diagnostic(&RULE, key.span, message));
    }
    named.sort_by_key(|text| text.span);
    named.dedup_by_key(|text| text.span);
    for text in named {
        let key = text.text.as_str();
        if all.contains_key(key) || key.contains('*') || cx.policy.allows(RULE.id, key) {
            continue;
        }
        let is_it = |known: &&String| {
            folded(known) == folded(key)
                || squashed(known) == squashed(key)
                || client.names.whole_server(known) == key
                || key.strip_prefix(&client.server_prefix(known)).is_some()
        };
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
        let is_near = |known: &&String| {
            let is_part = known.starts_with(key) || key.starts_with(known.as_str());
            key.len() >= 6 && !is_part && digits(known) == digits(key) && strsim::osa_distance(known, key) == 1
        };
        let mut meant: Vec<&String> = all.keys().filter(is_it).collect();
        let sure = meant.len() == 1;
        meant.extend(all.keys().find(is_near).filter(|_| meant.is_empty()));
        let message = match meant.first() {
            Some(known) => format!("no config in this workspace defines a server `{key}`; did you mean `{known}`?"),
            None if cx.policy.closed && !is_elsewhere(cx) && !is_any_config_broken(cx) => {
                format!("no config in this workspace defines a server `{key}`")
            }
            None => continue,
        };
        let fixes = meant.iter().map(|known| {
            let fix = Fix::replace(format!("replace with `{known}`"), cx.file.id, text.span, known.as_str());
            if sure && cx.policy.closed { fix } else { fix.marked_unsafe().into_choice() }
        });
        diagnostics.push(cx.diagnostic(&RULE, text.span, message).with_fixes(fixes));
    }
}

fn is_gateway(cx: &Cx<'_>, server: &str) -> bool {
    cx.policy.convention.gateway.as_ref().is_some_and(|gateway| gateway.name == server)
}

/// Whether the file lies outside the workspace and may be about servers that are not in it.
fn is_elsewhere(cx: &Cx<'_>) -> bool {
    std::path::Path::new(&*cx.file.path).is_absolute()
}

/// Whether some file that names servers cannot be parsed to its end, for example while it is being edited.
fn is_any_config_broken(cx: &Cx<'_>) -> bool {
    cx.snapshot.files.all().any(|file| match &file.content {
        Content::Client(facts) => facts.fault.is_some() && facts.lists.is_empty(),
        _ => false,
    })
}
