//! `alias-expired`: the date or version until which an alias was to be kept has been reached.

use crate::diagnostic::{Action, AliasRequest, Diagnostic, Fix, Severity};
use crate::rules::{Cx, Rule, Scope};
use crate::text::Span;
use crate::workspace::Tool;
use rustc_hash::FxHashMap;

pub(crate) const RULE: Rule =
    Rule { id: "alias-expired", default: Severity::Warning, scope: Scope::File, docs: include_str!("expired.md") };

/// Checks the comment of every alias in a file.
pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let files = &cx.snapshot.files;
    let mut aliases: FxHashMap<Span, &Tool> = FxHashMap::default();
    for (_, tool) in cx.analysis.tools().filter(|(_, tool)| tool.local_place().file == cx.file.id) {
        if let Some(note) = files.alias_note(tool) {
            aliases.entry(note.span).or_insert(tool);
        }
    }
    for note in files.alias_notes(cx.file.id) {
        let Some((span, until)) = note.until.as_ref().filter(|(_, until)| files.has_come(until, cx.file.id)) else {
            continue;
        };
        let old = aliases
            .get(&note.span)
            .map_or_else(|| format!("the old name of `{}`", note.new), |tool| format!("the alias `{}`", tool.name));
        if cx.policy.allows(RULE.id, &note.new) {
            continue;
        }
        let fix = Fix {
            title: format!("remove {old}; the tool remains callable as `{}`", note.new),
            safe: false,
            preferred: true,
            action: Action::RemoveAlias(AliasRequest { file: cx.file.id, offset: note.span.start }),
        };
        let message = format!("{old} has expired ({until}): remove it");
        diagnostics.push(cx.diagnostic(&RULE, *span, message).with_fixes([fix]));
    }
}
