//! Code actions at a cursor.

use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;

use super::failed;
use super::view::View;
use crate::config;
use crate::cursor;
use crate::diagnostic::{Action, Diagnostic as Diagnosed, Fix, RenameRequest};
use crate::fix;
use crate::path::is_outside;
use crate::rename::{self, Plan, Refusal, Sources};
use crate::rules;
use crate::show;
use crate::text::{Edit, FileId, Span};
use crate::workspace::{CONFIG_FILE, Snapshot};

/// The largest number of findings for which fixes are offered at once: no one reads a longer menu.
const MAX_ACTED_ON: usize = 100;
/// The same limit if every edit has to be computed before anything is shown.
const MAX_ACTED_ON_AT_ONCE: usize = 10;

impl View {
    pub(super) fn actions(&self, params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
        let snapshot = &self.snapshot;
        let Some(file) = self.file(&params.text_document.uri) else {
            return Vec::new();
        };
        let Some(asked) = self.span(file, params.range) else {
            return Vec::new();
        };
        let wanted = |kind: &CodeActionKind| match &params.context.only {
            None => true,
            Some(only) => only.iter().any(|only| {
                let rest = kind.as_str().strip_prefix(only.as_str());
                only.as_str().is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }),
        };
        let mut actions = Vec::new();
        let mut allowances = Vec::new();
        let (text, path) = (self.text(file), snapshot.files.path(file));
        let takes_comments =
            |text: &str, found: &Diagnosed| rules::takes_comments(path, text, found.span.start as usize);
        if wanted(&CodeActionKind::QUICKFIX) {
            let limit = if self.negotiated.resolves_edits { MAX_ACTED_ON } else { MAX_ACTED_ON_AT_ONCE };
            // A finding may be about one character of a name; its fix is offered on the whole name.
            let is_near = |found: &Diagnosed| {
                let span = name_around(snapshot, found).unwrap_or(found.span);
                span.touches(asked.start) || asked.touches(span.start)
            };
            let all = self.found(file);
            for found in all.iter().filter(|found| is_near(found)).take(limit) {
                for (index, kind, fix) in choices(snapshot, &found.fixes) {
                    let fix = &fix;
                    let mut action = CodeAction {
                        title: sentence(&fix.title),
                        kind: Some(CodeActionKind::QUICKFIX),
                        diagnostics: Some(vec![self.diagnostic(found)]),
                        is_preferred: fix.preferred.then_some(true),
                        data: Some(json!({
                            "uri": params.text_document.uri, "rule": found.rule,
                            "start": found.span.start, "end": found.span.end, "fix": index, "kind": kind,
                        })),
                        ..CodeAction::default()
                    };
                    // A rename is tried out to find its edits, so they are computed when the action is chosen.
                    let later = matches!(fix.action, Action::Rename(_));
                    if !(later && self.negotiated.resolves_edits) {
                        match self.plan(fix) {
                            Ok(plan) => action.edit = Some(self.workspace_edit(&plan)),
                            Err(_) => continue,
                        }
                    }
                    actions.push(CodeActionOrCommand::CodeAction(action));
                }
                let Some(text) = text.as_deref() else { continue };
                if found.rule == rules::SUPPRESSION_UNUSED {
                    let edit = rules::without_comment(text, found.span);
                    let plan = edit.map(|edit| Plan::of(crate::diagnostic::Edits::from([(file, vec![edit])])));
                    actions.extend(plan.map(|plan| {
                        CodeActionOrCommand::CodeAction(CodeAction {
                            title: "Remove the unused suppression".into(),
                            kind: Some(CodeActionKind::QUICKFIX),
                            diagnostics: Some(vec![self.diagnostic(found)]),
                            is_preferred: Some(true),
                            edit: Some(self.workspace_edit(&plan)),
                            ..CodeAction::default()
                        })
                    }));
                    continue;
                }
                if !takes_comments(text, found) {
                    allowances.extend(self.allowance_in_config(found, text).map(CodeActionOrCommand::CodeAction));
                    continue;
                }
                let mut action = CodeAction {
                    title: format!("Suppress `{}` on this line", found.rule),
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![self.diagnostic(found)]),
                    data: Some(json!({
                        "uri": params.text_document.uri, "rule": found.rule,
                        "start": found.span.start, "end": found.span.end, "allow": true,
                    })),
                    ..CodeAction::default()
                };
                if !self.negotiated.resolves_edits {
                    let Some(plan) = self.allowance(found) else { continue };
                    action.edit = Some(self.workspace_edit(&plan));
                }
                allowances.push(CodeActionOrCommand::CodeAction(action));
            }
            // Fixes come before suppressions.
            actions.append(&mut allowances);
        }
        if wanted(&CodeActionKind::REFACTOR_REWRITE) {
            for fix in cursor::actions(snapshot, file, asked.start) {
                actions.extend(self.plan(&fix).ok().map(|plan| {
                    CodeActionOrCommand::CodeAction(CodeAction {
                        title: sentence(&fix.title),
                        kind: Some(CodeActionKind::REFACTOR_REWRITE),
                        edit: Some(self.workspace_edit(&plan)),
                        ..CodeAction::default()
                    })
                }));
            }
        }
        let all = CodeActionKind::from("source.fixAll.toolnames");
        let asked_for = params.context.only.is_some() && wanted(&all);
        if asked_for {
            actions.extend(self.fix_all(file, all).map(CodeActionOrCommand::CodeAction));
        }
        actions
    }

    /// The edits that suppress a finding with a comment; `None` if a comment cannot suppress it.
    fn allowance(&self, found: &Diagnosed) -> Option<Plan> {
        rules::allowed(&self.snapshot, found, &self.text(found.file)?).map(Plan::of)
    }

    /// The action that suppresses a finding by allowing its name or text in a config, if no comment can suppress it:
    /// plain JSON has no comments.
    fn allowance_in_config(&self, found: &Diagnosed, text: &str) -> Option<CodeAction> {
        let snapshot = &self.snapshot;
        let name = rules::allowable(snapshot, found, text)?;
        let path = snapshot.files.configs().nearest(snapshot.files.path(found.file));
        let config = path.and_then(|path| snapshot.files.by_path(path)).map(|file| file.id);
        let before = config.map(|config| self.text(config)).unwrap_or_else(|| Some(String::new()))?;
        let after = config::allowing(&before, found.rule, &name, rules::REASON)?;
        let edit = match config {
            Some(config) => {
                let edits = crate::diagnostic::Edits::from([(config, vec![Edit::between(&before, &after)])]);
                self.workspace_edit(&Plan::of(edits))
            }
            None => self.new_file(CONFIG_FILE, after)?,
        };
        Some(CodeAction {
            title: show::message(&format!("Allow `{}` for `{name}`, in {}", found.rule, path.unwrap_or(CONFIG_FILE))),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![self.diagnostic(found)]),
            edit: Some(edit),
            ..CodeAction::default()
        })
    }

    /// The edits of a fix, or the reason why it cannot be applied.
    fn plan(&self, fix: &Fix) -> std::result::Result<Plan, Refusal> {
        let texts = |file| self.text(file);
        fix::plan(&self.snapshot, fix, Sources { texts: &texts, around: self })
    }

    /// The action that applies every safe fix in a file as one edit; `None` if there is nothing to fix, or the file
    /// lies outside the workspace.
    fn fix_all(&self, file: FileId, kind: CodeActionKind) -> Option<CodeAction> {
        // Editors run this when a file is saved. A file outside the workspace is fixed by hand, one finding at a time.
        if is_outside(self.snapshot.files.path(file)) {
            return None;
        }
        let texts = |file| self.text(file);
        let sources = Sources { texts: &texts, around: self };
        let fixed = fix::fix(&self.snapshot, &|other| other == file, sources, fix::Options::default());
        let (new, _) = fixed.files.get(&file)?;
        let old = texts(file)?;
        let edits = crate::diagnostic::Edits::from([(file, vec![Edit::between(&old, new)])]);
        Some(CodeAction {
            title: "Apply all safe fixes".into(),
            kind: Some(kind),
            edit: Some(self.workspace_edit(&Plan::of(edits))),
            ..CodeAction::default()
        })
    }

    /// Fills in the edit of an action that was chosen.
    pub(super) fn resolve(&self, mut action: CodeAction) -> Result<CodeAction> {
        let gone = || Error {
            message: "the document has changed; request the action again".into(),
            ..Error::invalid_request()
        };
        let data = action.data.as_ref().ok_or_else(gone)?;
        let number = |key: &str| data.get(key).and_then(Value::as_u64);
        let uri = document_of(&action)?;
        let (Some(start), Some(end)) = (number("start"), number("end")) else { return Err(gone()) };
        let span = Span { start: start as u32, end: end as u32 };
        let rule = data.get("rule").and_then(Value::as_str).ok_or_else(gone)?;
        let file = self.file(&uri).ok_or_else(gone)?;
        let all = self.found(file);
        let found = all.iter().find(|found| found.span == span && found.rule == rule).ok_or_else(gone)?;
        let is = |key: &str| data.get(key).and_then(Value::as_bool).unwrap_or(false);
        if is("allow") {
            let plan = self.allowance(found).ok_or_else(|| failed("this finding cannot be suppressed by a comment"))?;
            action.edit = Some(self.workspace_edit(&plan));
            return Ok(action);
        }
        let (kind, index) = (data.get("kind").and_then(Value::as_str), number("fix").ok_or_else(gone)?);
        let is_chosen = |choice: &Choice| choice.0 as u64 == index && Some(choice.1) == kind;
        let (.., fix) = choices(&self.snapshot, &found.fixes).into_iter().find(is_chosen).ok_or_else(gone)?;
        match self.plan(&fix) {
            Ok(plan) => {
                action.edit = Some(self.workspace_edit(&plan));
                Ok(action)
            }
            Err(refusal) => {
                let message = show::message(&refusal.to_string());
                Err(Error { message: message.into(), ..Error::invalid_request() })
            }
        }
    }
}

/// The document of an action whose edit is computed later.
///
/// # Errors
/// If the action was not created by this server.
pub(super) fn document_of(action: &CodeAction) -> Result<Uri> {
    let uri = action.data.as_ref().and_then(|data| data.get("uri")).cloned();
    uri.and_then(|uri| serde_json::from_value(uri).ok()).ok_or_else(Error::invalid_request)
}

/// A fix that is offered: its index among the fixes of a finding, its variant, and the fix itself.
type Choice = (usize, &'static str, Fix);

/// The fixes that are offered. For a rename, these include one that keeps the old name callable and, if a Python
/// function names the tool, those that also rename the function.
fn choices(snapshot: &Snapshot, fixes: &[Fix]) -> Vec<Choice> {
    let mut choices = Vec::new();
    for (index, fix) in fixes.iter().enumerate() {
        choices.push((index, "", fix.clone()));
        let Action::Rename(request) = &fix.action else { continue };
        let way = |title: String, keeps_old: bool, function_too: bool| Fix {
            title,
            preferred: false,
            action: Action::Rename(RenameRequest { keeps_old, function_too, ..request.clone() }),
            ..fix.clone()
        };
        let keeping = format!("and keep `{}` as an alias", request.old);
        choices.push((index, "alias", way(format!("{} {keeping}", fix.title), true, false)));
        let target = rename::target(snapshot, request);
        if target.is_some_and(|target| rename::named_after(snapshot, target).is_some()) {
            let title = format!("{}, including the function,", fix.title);
            choices.push((index, "function-alias", way(format!("{title} {keeping}"), true, true)));
            choices.push((index, "function", way(title.trim_end_matches(',').to_string(), false, true)));
        }
    }
    choices
}

/// The span of the name part that a finding's rename would change, if it is in the same file.
fn name_around(snapshot: &Snapshot, found: &Diagnosed) -> Option<Span> {
    found.fixes.iter().find_map(|fix| match &fix.action {
        Action::Rename(request) if request.file == found.file => {
            let target = rename::target(snapshot, request)?;
            let span = snapshot.files.span(target.tool.local_place());
            span.contains(found.span).then_some(span)
        }
        _ => None,
    })
}

/// A title as menus show it, with a capital first letter.
fn sentence(title: &str) -> String {
    let title = show::message(title);
    let mut letters = title.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
