//! `name-chars`: the check is a part of `convention::protocol`. A convention that allows other characters is reported
//! here, once per server.

use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "name-chars", default: Severity::Warning, scope: Scope::File, docs: include_str!("chars.md") };

/// Reports a convention that allows characters that the protocol does not, at the first tool name of each server that
/// contains one.
pub(super) fn admit(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let special = cx.policy.convention.beyond_protocol();
    if special.is_empty() {
        return;
    }
    for server in cx.servers_with_a_piece() {
        let Some((tool, at)) = server.tools.iter().find_map(|tool| Some((tool, tool.name.find(special.as_slice())?)))
        else {
            continue;
        };
        let character = &tool.name[at..at + 1];
        let Some(span) = cx.span_in_name(&tool.registration.name, at..at + 1) else { continue };
        if cx.policy.allows(RULE.id, &tool.name) {
            continue;
        }
        let message = format!(
            "this convention allows `{character}`, but the protocol does not: the SDKs for TypeScript, Python and Rust \
             warn about it, those for Java and C# and most model APIs reject it, and some clients replace it with `_`"
        );
        let mut diagnostic = cx.diagnostic(&RULE, span, message);
        diagnostic.severity = Severity::Info;
        diagnostics.push(diagnostic);
    }
}
