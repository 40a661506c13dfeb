//! `permission-stale`: an entry with the name that a tool had before it was renamed.

use super::{Examined, effect};
use crate::client::Rule as Permission;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule = Rule {
    id: "permission-stale",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("stale.md"),
};

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    let Permission::Tool { server, tool } = examined.rule else { return None };
    let (name, arguments) = examined.name_and_arguments();
    let known = examined.servers.of(server).filter(|known| !known.names.contains(name))?;
    let entry = cx.analysis.keys.get(&known.key)?;
    let is_server = |told: &str| told == known.key || cx.analysis.servers_of(entry).any(|server| server.goes_by(told));
    let now = cx.snapshot.files.renamed(&is_server, tool)?;
    let right = examined.grammar().composed(&known.key, &now);
    // If all tools are known and none has the new name, the new name is not a repair either.
    if examined.servers.knows(known) && !known.names.contains(&right) {
        return None;
    }
    let effect = effect(examined.list.kind);
    let message = format!("`{tool}` of `{}` has been renamed to `{now}`, so this entry {effect}", known.key);
    let right = format!("{right}{arguments}");
    let fix = (!examined.taken.keys.contains(right.as_str())).then(|| examined.replacement(cx, &right));
    Some(examined.diagnostic(cx, &RULE, message).with_fixes(fix))
}
