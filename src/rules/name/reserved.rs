//! `name-reserved`: a reserved word in a name, which `convention::judge` reports, or a server that uses another
//! project's namespace.

use crate::diagnostic::{Diagnostic, Severity};
use crate::known::ours;
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule = Rule {
    id: "name-reserved",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("reserved.md"),
};

/// Reports a server whose tools all use the namespace of another project, at its first tool.
pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for server in cx.servers_with_a_piece() {
        let Some(tool) = server.tools.iter().find(|tool| tool.local_place().file == cx.file.id) else { continue };
        if server.tools.first().is_none_or(|first| !std::ptr::eq(first, tool)) {
            continue;
        }
        let convention = ours::convention(cx.snapshot, &cx.policy.convention, server);
        let Some(front) = convention.front().and_then(|slot| convention.expected(slot)) else { continue };
        let Some(owner) = convention.owner_of(front) else { continue };
        let root = cx.snapshot.files.package_root(tool.registration.place.file);
        let manifest = cx.snapshot.files.manifest_in(root);
        let project = manifest.and_then(|(_, manifest)| manifest.name.as_deref());
        if project == Some(owner) || server.name == owner || cx.policy.allows(RULE.id, front) {
            continue;
        }
        let range = 0..tool.name.find(front).map_or(tool.name.len(), |at| at + front.len());
        let Some(span) = cx.span_in_name(&tool.registration.name, range) else { continue };
        let message = format!("the namespace `{front}` is reserved for {owner}");
        diagnostics.push(cx.diagnostic(&RULE, span, message));
    }
}
