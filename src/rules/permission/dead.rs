//! `permission-dead`: a deny or ask entry that matches no tool and therefore guards nothing.

use super::others::Others;
use super::unknown_tool::missing;
use super::{Examined, effect};
use crate::client::{ListKind, Order, Own, Rule as Permission, begins_as_mcp};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "permission-dead", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("dead.md") };

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    if !matches!(examined.list.kind, ListKind::Deny | ListKind::Ask) {
        return None;
    }
    let effect = effect(examined.list.kind);
    if let Some(missing) = missing(cx, examined) {
        let message = match &missing.near {
            Some(near) if missing.is_sure => {
                format!("{}, so this entry {effect}; did you mean `{near}`?", missing.message)
            }
            Some(near) => format!("{}; did you mean `{near}`?", missing.message),
            None => format!("{}, so this entry {effect}", missing.message),
        };
        let mut fixes = examined.repairs(cx, missing.near.as_slice());
        // If not every tool is known, the entry may be right.
        if !missing.is_sure {
            fixes = fixes.into_iter().map(|fix| fix.marked_unsafe().into_choice()).collect();
        }
        if missing.is_sure {
            fixes.extend(examined.left_out(cx));
        }
        return Some(examined.diagnostic(cx, &RULE, message).with_fixes(fixes));
    }
    if let Some(stem) = impossible(examined) {
        let wanted = examined.grammar().shown();
        let message =
            format!("no tool name begins with `{stem}`, so this entry {effect}: MCP tools have the form `{wanted}`");
        return Some(examined.diagnostic(cx, &RULE, message).with_fixes(examined.left_out(cx)));
    }
    // A pattern over whole names is certain to be dead only if the workspace defines every server and all their tools
    // are known.
    let servers = &examined.servers.all;
    let everything_known = cx.policy.closed && servers.iter().all(|server| examined.servers.knows(server));
    let is_of_own = examined.grammar().own == Own::UnknownServer;
    if examined.rule != Permission::Pattern || !everything_known || is_of_own {
        return None;
    }
    let text = examined.text();
    let matches = servers.iter().any(|server| server.any_matches(text, &examined.fuel));
    // `*` and patterns for built-in tools match more than MCP tools.
    if matches || !text.starts_with(examined.grammar().tool.prefix.as_str()) {
        return None;
    }
    let message = format!("`{text}` matches no tool, so this entry {effect}");
    Some(examined.diagnostic(cx, &RULE, message).with_fixes(examined.left_out(cx)))
}

/// Reports a deny or ask entry without effect: a less strict entry takes precedence over it and matches everything that
/// it matches.
pub(super) fn overruled(cx: &Cx<'_>, examined: &Examined<'_>, others: &Others<'_, '_>) -> Option<Diagnostic> {
    if !matches!(examined.list.kind, ListKind::Deny | ListKind::Ask) || !examined.is_mcp() {
        return None;
    }
    // An entry that takes precedence regardless of its position is never overridden.
    if examined.list.row.as_ref().is_some_and(|row| row.always) {
        return None;
    }
    let says_less = [ListKind::Allow, ListKind::Ask];
    let winner = others.overruling(examined, &says_less[..if examined.list.kind == ListKind::Deny { 2 } else { 1 }])?;
    let which = if examined.order == Order::First { "first" } else { "last" };
    let (does, how) = match winner.list.kind {
        ListKind::Allow => ("allows it", "allowed here"),
        _ => ("asks for confirmation", "set to ask here"),
    };
    let message = format!(
        "`{}` {does}, and only the {which} matching entry counts, so this entry {}",
        winner.text(),
        effect(examined.list.kind)
    );
    Some(examined.diagnostic(cx, &RULE, message).with_related(cx.file.id, winner.entry.text.span, how))
}

/// Returns the literal beginning of a pattern if no name can start with it: neither the name of one of the client's own
/// tools, which begins with a capital letter, nor the name of an MCP tool. `None` otherwise.
fn impossible<'t>(examined: &'t Examined<'_>) -> Option<&'t str> {
    let (text, grammar) = (examined.text(), examined.grammar());
    if examined.rule != Permission::Pattern || grammar.own != Own::Capitalised {
        return None;
    }
    let stem = text.split(['*', '?']).next().unwrap_or(text);
    let prefix = grammar.tool.prefix.as_str();
    let may_be = stem.starts_with(prefix) || prefix.starts_with(stem);
    let is_own = stem.starts_with(|c: char| c.is_ascii_uppercase()) && !begins_as_mcp(stem);
    (!may_be && !is_own).then_some(stem)
}
