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

/// Reports a server whose tools all use the namespace of another project, where its first tool gets the namespace.
pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for server in cx.servers_with_a_piece() {
        let Some(tool) = server.tools.first() else { continue };
        let convention = ours::convention(cx.snapshot, &cx.policy.convention, server);
        let Some(front) = convention.front().and_then(|slot| convention.expected(slot)) else { continue };
        let Some(owner) = convention.owner_of(front) else { continue };
        let root = cx.snapshot.files.package_root(tool.registration.place.file);
        let manifest = cx.snapshot.files.manifest_in(root);
        let project = manifest.and_then(|(_, manifest)| manifest.name.as_deref());
        let is_owner = |name: &str| normalised(name) == normalised(owner);
        if project.is_some_and(is_owner) || is_owner(&server.name) || cx.policy.allows(RULE.id, front) {
            continue;
        }
        let Some(at) = tool.name.find(front) else { continue };
        let range = at..at + front.len();
        let Some(span) = cx.span_in_name(&tool.registration.name, range) else { continue };
        let message = format!("the namespace `{front}` is reserved for {owner}");
        diagnostics.push(cx.diagnostic(&RULE, span, message));
    }
}

/// Returns the name of a project in the form in which package indexes compare names: PyPI does not distinguish case and
/// treats `-`, `_` and `.` the same.
///
/// Source: <https://packaging.python.org/en/latest/specifications/name-normalization/>
fn normalised(name: &str) -> String {
    name.to_ascii_lowercase().split(['-', '_', '.']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}
