//! `config`: a fault in `toolnames.toml`.

use super::{Cx, RULES, Rule, Scope};
use crate::config::{Config, MAX_CHAIN};
use crate::diagnostic::{Diagnostic, Severity};
use crate::name::nearest;

pub(crate) const RULE: Rule =
    Rule { id: "config", default: Severity::Error, scope: Scope::Workspace, docs: include_str!("config.md") };

pub(super) fn check(cx: &Cx<'_>, config: &Config, diagnostics: &mut Vec<Diagnostic>) {
    for fault in &config.faults {
        diagnostics.push(cx.diagnostic(&RULE, fault.span, fault.message.clone()));
    }
    if let Some((span, base)) = cx.snapshot.files.configs().missing_base(config) {
        diagnostics.push(cx.diagnostic(
            &RULE,
            span,
            format!("cannot extend `{base}`: there is no such file, or it cannot be read"),
        ));
    }
    if let Some(span) = cx.snapshot.files.configs().too_long(config) {
        let message = format!("more than {MAX_CHAIN} configs extend one another here: the rest are ignored");
        diagnostics.push(cx.diagnostic(&RULE, span, message));
    }
    for fault in cx.snapshot.files.configs().faults_beside(config) {
        diagnostics.push(cx.diagnostic(&RULE, fault.span, fault.message));
    }
    for source in config.server_sources() {
        let root = if source.root.is_empty() { "." } else { source.root.as_str() };
        if !cx.analysis.servers.iter().any(|server| server.root == root || server.root.starts_with(&format!("{root}/")))
        {
            diagnostics.push(cx.diagnostic(&RULE, source.span, format!("no server was found in `{root}`")));
        }
    }
    for (id, setting) in config.rule_settings() {
        if super::find(id).is_none() {
            let near = nearest(id, RULES.iter().map(|rule| rule.id));
            let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            diagnostics.push(cx.diagnostic(&RULE, setting.span, format!("no rule `{id}`{hint}")));
        }
    }
}
