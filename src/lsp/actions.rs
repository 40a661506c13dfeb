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

/// Of how many findings repairs are offered where somebody asks about many lines: more is no menu.
const MAX_ACTED_ON: usize = 100;
/// The same where every edit has to be found before anything is shown.
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
            // A name's fault may be one character of it; its repair is offered on all of it.
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
                    // The edits of a rename take a trial: they are found when the action is chosen.
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
                            title: "Remove the comment: it allows nothing".into(),
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
                    title: format!("Allow `{}` here, by a comment", found.rule),
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
            // What repairs comes before what lets it be.
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

    /// The comment that allows what a finding is about.
    fn allowance(&self, found: &Diagnosed) -> Option<Plan> {
        rules::allowed(&self.snapshot, found, &self.text(found.file)?).map(Plan::of)
    }

    /// The action that allows in a config what a finding is about, where no comment can: plain JSON takes none.
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

    /// What a fix does.
    fn plan(&self, fix: &Fix) -> std::result::Result<Plan, Refusal> {
        let texts = |file| self.text(file);
        fix::plan(&self.snapshot, fix, Sources { texts: &texts, around: self })
    }

    /// One edit that repairs everything in a file that has one safe repair.
    fn fix_all(&self, file: FileId, kind: CodeActionKind) -> Option<CodeAction> {
        // Editors run it when a file is saved: what is not the workspace's is repaired one by one, by hand.
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
            title: "Fix all that can be repaired safely".into(),
            kind: Some(kind),
            edit: Some(self.workspace_edit(&Plan::of(edits))),
            ..CodeAction::default()
        })
    }

    /// Fills in the edit of an action that was chosen.
    pub(super) fn resolve(&self, mut action: CodeAction) -> Result<CodeAction> {
        let gone = || Error { message: "the text changed meanwhile; ask again".into(), ..Error::invalid_request() };
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
            let plan = self.allowance(found).ok_or_else(|| failed("a comment cannot allow it here"))?;
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

/// The document that an action is about whose edit was left for later.
///
/// # Errors
/// The action is none of ours.
pub(super) fn document_of(action: &CodeAction) -> Result<Uri> {
    let uri = action.data.as_ref().and_then(|data| data.get("uri")).cloned();
    uri.and_then(|uri| serde_json::from_value(uri).ok()).ok_or_else(Error::invalid_request)
}

/// A repair that is offered: its place among a finding's, which way of it this is, and the repair.
type Choice = (usize, &'static str, Fix);

/// The repairs that are offered. Of a rename, one that leaves the old name callable too; where a Python function names the
/// tool, those that rename the function.
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
            let title = format!("{}, the function too,", fix.title);
            choices.push((index, "function-alias", way(format!("{title} {keeping}"), true, true)));
            choices.push((index, "function", way(title.trim_end_matches(',').to_string(), false, true)));
        }
    }
    choices
}

/// The piece of name that a finding's rename would change, if it is in the same file.
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

/// A title as menus show it.
fn sentence(title: &str) -> String {
    let title = show::message(title);
    let mut letters = title.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
