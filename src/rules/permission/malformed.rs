//! `permission-malformed`: not the client's grammar; the client skips the entry.

use super::repair::repairs;
use super::{Examined, effect};
use crate::client::{Fault, Rule as Permission};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule};

pub(crate) const RULE: Rule =
    Rule { id: "permission-malformed", default: Severity::Error, docs: include_str!("malformed.md") };

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    let Permission::Malformed(fault) = examined.rule else {
        return None;
    };
    let (client, grammar) = (examined.client, examined.grammar());
    let text = examined.text();
    let what = match fault {
        Fault::Empty => "an empty entry".to_string(),
        Fault::Blank => "white space at an end is taken for a part of the name".to_string(),
        Fault::Prefix => format!("neither a tool of {} nor of the form `{}`", client.name, grammar.shown()),
        Fault::Parentheses => "MCP tools take no parentheses".to_string(),
        Fault::NoServer => format!("no server between `{}` and `{}`", grammar.tool.prefix, grammar.separator()),
        Fault::NoTool => format!("no tool behind `{}`", grammar.separator()),
        Fault::Character(' ') => format!("a space stands in no name that {} composes", client.name),
        Fault::Character(character) => format!("`{character}` stands in no name that {} composes", client.name),
        Fault::Wildcard => "a wildcard may stand only behind a whole server's name here".to_string(),
    };
    let message = format!("{what}: {} skips this entry, and it {}", client.name, effect(examined.list.kind));
    let diagnostic = examined.diagnostic(cx, &RULE, message);
    if fault == Fault::NoTool {
        // It may have meant every tool; that is more than it did, so somebody has to say so.
        return Some(diagnostic.with_fixes(examined.repairs(cx, &[format!("{text}*")])));
    }
    Some(diagnostic.with_fixes(examined.repairs(cx, &repairs(examined))))
}
