//! `permission-idle`: an allow entry for a tool that the client does not show to the model.

use super::Examined;
use crate::client::{ListKind, Rule as Permission};
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule =
    Rule { id: "permission-idle", default: Severity::Hint, scope: Scope::Workspace, docs: include_str!("idle.md") };

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    let is_allowing = matches!(examined.list.kind, ListKind::Allow | ListKind::Offer);
    let Permission::Tool { server, tool } = examined.rule else { return None };
    if !is_allowing || !examined.client.hides_app_tools {
        return None;
    }
    let known = cx.analysis.key_of(examined.list, &examined.servers.of(server)?.key)?;
    let mut own = cx.analysis.tools_of(known).filter(|own| examined.grammar().normalise(&own.name) == tool).peekable();
    own.peek()?;
    if !own.all(|own| own.registration.app_only) {
        return None;
    }
    let message = format!(
        "`{tool}` is only for the apps of `{server}`: {} does not show it to the model, so this entry has no effect",
        examined.client.name
    );
    Some(examined.diagnostic(cx, &RULE, message).with_fixes(examined.left_out(cx)))
}
