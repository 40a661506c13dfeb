//! `permission-form`: an entry that names a tool in another client's form, or without the prefix.

use std::sync::Arc;

use super::Examined;
use super::repair::{repairs, repairs_in_full, repairs_of_another_form};
use super::servers::{ServerNames, TO_MATCH};
use super::spelling::squashed;
use crate::client::{Fault, Grammar, ListKind, Own, Rule as Permission, Wildcards, begins_as_mcp, glob_matches};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "permission-form", default: Severity::Error, scope: Scope::Workspace, docs: include_str!("form.md") };

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    if !examined.is_mcp() {
        return foreign(cx, examined);
    }
    let text = examined.text();
    if let Some(diagnostic) = gateway(cx, examined) {
        return Some(diagnostic);
    }
    let client = examined.client;
    let wanted = || examined.grammar().shown();
    match &examined.rule {
        Permission::Malformed(Fault::Prefix) => {
            let mut names = repairs(examined);
            if names.is_empty() {
                names = repairs_of_another_form(examined);
            }
            // Only a string with the words of a tool, or in the form of another client, is reported here: any other
            // string does not name an MCP tool at all.
            let other_form = text.starts_with("mcp_") || text.starts_with("mcp-") || text.contains("__");
            if names.is_empty() && !other_form {
                return None;
            }
            let message = format!("`{text}` is not how {} names a tool: write `{}`", client.name, wanted());
            Some(examined.diagnostic(cx, &RULE, message).with_fixes(examined.repairs(cx, &names)))
        }
        // The name of a tool in the form of another client whose names begin like those of this client:
        // `mcp__notes__read` instead of `mcp_notes_read`.
        Permission::Malformed(fault @ (Fault::NoServer | Fault::NoTool)) => {
            if *fault == Fault::NoTool && !examined.grammar().tool.prefix.is_empty() {
                return None;
            }
            let names = repairs_of_another_form(examined);
            let [name] = names.as_slice() else { return None };
            let message = format!("`{text}` is not how {} names a tool: write `{}`", client.name, wanted());
            Some(examined.diagnostic(cx, &RULE, message).with_fixes(examined.repairs(cx, std::slice::from_ref(name))))
        }
        // `mcp__server_tool`: the form of a server, but the words of a tool.
        Permission::Server { server } if !text.ends_with('*') => {
            if examined.servers.of(server).is_some() {
                return None;
            }
            let mut meant = repairs_in_full(examined);
            // Leave out a repair that names a whole server: the server in another spelling is not a tool.
            meant.retain(|name| !matches!(examined.parse(name), Permission::Server { .. }));
            if meant.is_empty() {
                return None;
            }
            let message = format!(
                "unknown server `{server}`: separate server and tool with `{}`",
                examined.grammar().separator()
            );
            Some(examined.diagnostic(cx, &RULE, message).with_fixes(examined.repairs(cx, &meant)))
        }
        // If a single `_` separates server and tool, the first word of a two-word server is mistaken for the server.
        Permission::Tool { server, .. } | Permission::Server { server }
            if examined.grammar().may_be_in_names(examined.grammar().separator()) =>
        {
            if examined.servers.of(server).is_some() || examined.list.server.is_some() {
                return None;
            }
            let mut meant = repairs_in_full(examined);
            meant.retain(|name| name.ends_with('*') == text.ends_with('*'));
            let [name] = meant.as_slice() else { return None };
            let message = format!("`{text}` names no server of this workspace; did you mean `{name}`?");
            Some(examined.diagnostic(cx, &RULE, message).with_fixes(examined.repairs(cx, std::slice::from_ref(name))))
        }
        // A pattern that matches no name of a known server: `mcp__notes__*` instead of `mcp_notes_*`.
        Permission::Pattern if begins_as_mcp(text) => {
            if examined.servers.any_matches(text, &examined.fuel) {
                return None;
            }
            let mut meant = repairs_in_full(examined);
            meant.retain(|name| name.ends_with('*') == text.ends_with('*'));
            let [name] = meant.as_slice() else { return None };
            let message = format!("`{text}` is not how {} names tools: write `{}`", client.name, wanted());
            Some(examined.diagnostic(cx, &RULE, message).with_fixes(examined.repairs(cx, std::slice::from_ref(name))))
        }
        _ => None,
    }
}

/// Reports a tool's name in the form of another client, which this client takes for the name of one of its own tools.
fn foreign(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    let (client, grammar) = (examined.client, examined.grammar());
    // If the client's own tools begin with a capital letter, the string is clearly not one of them.
    if matches!(grammar.own, Own::Capitalised | Own::CapitalisedOrAll) {
        return None;
    }
    // A server's key by itself is an older way to name all tools of the server.
    let text = examined.text();
    if examined.servers.of(text).is_some() {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let is_it = |name: &String| !examined.fuel.take(TO_MATCH) || glob_matches(&lower, &name.to_ascii_lowercase());
    if grammar.any_case && examined.servers.all.iter().any(|server| server.names.iter().any(is_it)) {
        return None;
    }
    // No server is called so: the pattern is meant for the tools of all servers.
    if grammar.tool.prefix.is_empty()
        && text.ends_with('*')
        && squashed(text) == "mcp"
        && !examined.servers.all.is_empty()
    {
        if examined.servers.any_matches(text, &examined.fuel) {
            return None;
        }
        let message =
            format!("`{text}` is not how {} names tools: write `<server>{}*`", client.name, grammar.separator());
        return Some(examined.diagnostic(cx, &RULE, message));
    }
    // A pattern over whole names may begin in the middle of a server's name.
    let is_pattern = text.contains('*') && examined.list.wildcards == Wildcards::Anywhere;
    if is_pattern && examined.servers.any_matches(text, &examined.fuel) {
        return None;
    }
    // The names that consist of exactly the words of the string: those of a server and its tool, or of a server, with a
    // wildcard after them.
    let mut names = repairs_in_full(examined);
    let may_be_anothers = examined.list.row.is_none();
    let is_said = grammar.own == Own::UnknownServer || !may_be_anothers;
    names.retain(|name| is_said && name.ends_with('*') == text.ends_with('*'));
    let is_once_bare = names.is_empty() && examined.list.row.as_ref().is_some_and(|row| row.once_bare);
    if is_once_bare {
        names = once_bare(examined);
    }
    // The client's own tools have names made of words, too. Strings in code and scripts may belong to another program.
    let is_composed = begins_as_mcp(text) || text.contains(['/', ':', '@']) || text.contains("__");
    if names.is_empty() {
        if !is_composed || !is_said {
            return None;
        }
        names = repairs_of_another_form(examined);
        // The form of another client, about a known server, whatever tool it names.
        let others = cx.snapshot.files.known_clients().iter().map(|client| &client.names);
        let mut others = others.filter(|names| !names.tool.prefix.is_empty() && text.starts_with(&*names.tool.prefix));
        let is_about = |names: &Arc<Grammar>| {
            let begins = |server: &ServerNames| text.starts_with(&names.server_prefix(&server.key));
            examined.fuel.take(TO_MATCH * examined.servers.all.len()) && examined.servers.all.iter().any(begins)
        };
        if names.is_empty() && others.any(is_about) {
            let wanted = grammar.shown();
            let message = format!("`{text}` is not how {} names a tool: write `{wanted}`", client.name);
            return Some(examined.diagnostic(cx, &RULE, message));
        }
    }
    // If several servers are possible, only the user knows which one was meant.
    if names.is_empty() || names.len() > 1 && !is_once_bare {
        return None;
    }
    let is_guard = matches!(examined.list.kind, ListKind::Deny | ListKind::Ask);
    let message = match names.as_slice() {
        // The form is right, and only the server is spelt differently.
        [name]
            if grammar.tool.prefix.is_empty()
                && squashed(name) == squashed(text)
                && text.contains(grammar.separator()) =>
        {
            format!("`{text}` names no server of this workspace; did you mean `{name}`?")
        }
        _ => format!("`{text}` is not how {} names a tool: write `{}`", client.name, grammar.shown()),
    };
    let fixes = examined.repairs(cx, &names).into_iter();
    // Some version of the client may accept the string, or have a tool of its own with this name.
    let fixes = fixes.map(|fix| if is_guard || !is_composed { fix.marked_unsafe().into_choice() } else { fix });
    Some(examined.diagnostic(cx, &RULE, message).with_fixes(fixes))
}

/// Returns the composed names of the tools that a string names without their server, or the string for all tools of the
/// server whose key it is. Empty for any other single word, which may mean anything.
fn once_bare(examined: &Examined<'_>) -> Vec<String> {
    let text = examined.text();
    if let Some(server) = examined.servers.of_key(text).filter(|_| examined.grammar().server.is_some()) {
        return vec![examined.grammar().whole_server(&server.key)];
    }
    let is_it = |name: &String| {
        let tool = match examined.parse(name) {
            Permission::Tool { tool, .. } => tool,
            _ => return false,
        };
        tool == text && text.contains(['_', '-'])
    };
    let all = examined.servers.all.iter().flat_map(|server| server.composed_names());
    let all = all.filter(|_| examined.fuel.take(TO_MATCH));
    all.filter(is_it).collect()
}

/// Reports a string that breaks the convention for names behind a gateway.
fn gateway(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    let text = examined.text();
    let gateway = &cx.policy.convention.gateway.as_ref()?.name;
    // A server that is configured under its own key is reached without the gateway.
    if let Permission::Tool { server, .. } | Permission::ToolPattern { server, .. } | Permission::Server { server } =
        examined.rule
        && examined.servers.of(server).is_some()
        && server != gateway
    {
        return None;
    }
    // The current name of a tool is not reported here, even if the tool should have another name: that is reported at
    // the registration.
    let has_it = |server: &ServerNames| !examined.fuel.take(TO_MATCH) || server.names.contains(text);
    if examined.servers.all.iter().any(has_it) {
        return None;
    }
    let (breach, mut names) = cx.policy.convention.judge_permission(text, &examined.servers.routed)?;
    // If every tool of the gateway is known, a correction must be one of their names. A string that names another
    // server may be about a server that is started elsewhere.
    if let Some(known) = &examined.servers.gateway {
        names.retain(|name| known.contains(name));
        let is_of_a_server = matches!(examined.rule, Permission::Tool { server, .. }
            if server != gateway);
        if names.is_empty() && is_of_a_server {
            return None;
        }
    }
    // That a guard has no effect matters more than the form of its name.
    let effect = match examined.list.kind {
        ListKind::Deny | ListKind::Ask => format!("; this entry {}", super::effect(examined.list.kind)),
        _ => String::new(),
    };
    let message = format!("`{text}`: {}{effect}", breach.message);
    Some(examined.diagnostic(cx, &RULE, message).with_fixes(examined.repairs(cx, &names)))
}
