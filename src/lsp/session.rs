//! The state of a session: one lock, changed in message order.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use serde_json::{Value, json};
use tokio::sync::watch;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;

use super::capabilities::Negotiated;
use super::convert::{Converter, path_of};
use crate::cursor;
use crate::diagnostic::{Action, Fix, RenameRequest};
use crate::disk::{self, ConfigChoice, Disk, Options, Stamp};
use crate::fix;
use crate::rename::{Plan, Refusal, Sources};
use crate::rules;
use crate::text::{Edit, FileId, Span, Text};
use crate::workspace::{CONFIG_FILE, Content, Snapshot, Workspace};

pub(super) struct Session {
    state: Mutex<Option<State>>,
    negotiated: OnceLock<Negotiated>,
    /// Counts changes of state.
    revision: AtomicU64,
    shut_down: AtomicBool,
    ready: watch::Sender<bool>,
}

struct State {
    root: PathBuf,
    options: Options,
    negotiated: Negotiated,
    workspace: Workspace,
    disk: Arc<Disk>,
    documents: HashMap<String, Document>,
    /// What every file on disk looked like when it was last read.
    stamps: HashMap<String, Stamp>,
    /// Documents and data on disk, of which a convention may come to ask something.
    documents_on_disk: Vec<String>,
    last_analysis: Option<Arc<crate::workspace::Analysis>>,
}

/// An open document.
struct Document {
    uri: Uri,
    version: i32,
    text: Text,
    /// Edits that the workspace has not seen yet.
    edits: Vec<Edit>,
    /// The workspace has another text.
    stale: bool,
}

impl Default for Session {
    fn default() -> Session {
        Session {
            state: Mutex::default(),
            negotiated: OnceLock::new(),
            revision: AtomicU64::new(0),
            shut_down: AtomicBool::new(false),
            ready: watch::Sender::new(false),
        }
    }
}

impl Session {
    fn lock(&self) -> MutexGuard<'_, Option<State>> {
        // A panic while answering one request leaves the state as it was.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn negotiated(&self) -> Negotiated {
        self.negotiated.get().copied().unwrap_or_default()
    }

    pub(super) fn pulls_diagnostics(&self) -> bool {
        self.negotiated().pulls_diagnostics
    }

    pub(super) fn refreshes_diagnostics(&self) -> bool {
        self.negotiated().refreshes_diagnostics
    }

    pub(super) fn watches_files(&self) -> bool {
        self.negotiated().watches_files
    }

    pub(super) fn revision(&self) -> u64 {
        self.revision.load(Ordering::SeqCst)
    }

    fn changed(&self) {
        self.revision.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn shut_down(&self) {
        self.shut_down.store(true, Ordering::SeqCst);
    }

    pub(super) fn was_shut_down(&self) -> bool {
        self.shut_down.load(Ordering::SeqCst)
    }

    /// Waits until the workspace was read for the first time.
    pub(super) async fn ready(&self) {
        let mut ready = self.ready.subscribe();
        let _ = ready.wait_for(|ready| *ready).await;
    }

    /// Takes what `initialize` says; reads nothing.
    pub(super) fn begin(&self, params: &InitializeParams, negotiated: Negotiated) {
        let _ = self.negotiated.set(negotiated);
        let folder = params.workspace_folders.as_deref().and_then(<[WorkspaceFolder]>::first).map(|folder| &folder.uri);
        #[allow(deprecated)]
        let root_uri = folder.or(params.root_uri.as_ref());
        #[allow(deprecated)]
        let root_path = params.root_path.as_ref().map(PathBuf::from);
        let root = root_uri.and_then(|uri| Some(uri.to_file_path()?.into_owned())).or(root_path);
        // Without a folder there is nothing to index; documents are read as they are opened.
        let root = root.unwrap_or_default();
        let options = Options { config: config_choice(params.initialization_options.as_ref()), ..Options::default() };
        *self.lock() = Some(State {
            disk: Arc::new(Disk::new(&root)),
            root,
            options,
            negotiated,
            workspace: Workspace::new(crate::config::Configs::default()),
            documents: HashMap::new(),
            stamps: HashMap::new(),
            documents_on_disk: Vec::new(),
            last_analysis: None,
        });
    }

    /// Reads the workspace; what went wrong, if anything did.
    pub(super) fn index(&self) -> Option<String> {
        let mut trouble = None;
        let read = self.lock().as_ref().map(|state| (state.root.clone(), state.options.clone()));
        if let Some((root, options)) = read.filter(|(root, _)| !root.as_os_str().is_empty()) {
            // Messages are taken while this goes on.
            let opened = disk::open(&root, &options);
            let walked = disk::walk(&root, options.all).unwrap_or_default();
            if let Some(state) = self.lock().as_mut() {
                match opened {
                    Ok(opened) => {
                        state.workspace = opened.workspace;
                        state.disk = Arc::new(opened.disk);
                        state.documents_on_disk.clone_from(&walked.documents);
                        let snapshot = state.workspace.snapshot();
                        let files = walked.wanted(snapshot.files.configs());
                        let files = files.into_iter().chain(snapshot.files.read_of_installed());
                        state.stamps = files.map(|path| (path.clone(), state.disk.stamp(&path))).collect();
                        for document in state.documents.values_mut() {
                            document.stale = true;
                            document.edits.clear();
                        }
                    }
                    Err(error) => trouble = Some(format!("cannot read {}: {error}", root.display())),
                }
            }
        }
        self.changed();
        self.ready.send_replace(true);
        trouble
    }

    /// Looks what changed on disk.
    pub(super) fn rescan(&self) {
        let Some((root, options)) = self.lock().as_ref().map(|state| (state.root.clone(), state.options.clone()))
        else {
            return;
        };
        let Ok(walked) = disk::walk(&root, options.all) else {
            return;
        };
        let mut guard = self.lock();
        let Some(state) = guard.as_mut() else { return };
        state.documents_on_disk.clone_from(&walked.documents);
        let disk = Arc::clone(&state.disk);
        let configs: Vec<String> =
            walked.files.iter().chain(state.stamps.keys()).filter(|path| is_config(path)).cloned().collect();
        let is_changed = |path: &String| state.stamps.get(path) != Some(&disk.stamp(path));
        if configs.iter().any(is_changed) {
            state.workspace.reload(&configs, &*disk);
            state.reconfigure();
        }
        let mut seen = HashMap::new();
        let mut changed = Vec::new();
        // Packages may have been installed, updated and removed.
        state.workspace.seek_again();
        let snapshot = state.workspace.snapshot();
        let installed = snapshot.files.read_of_installed();
        for path in walked.wanted(snapshot.files.configs()).into_iter().chain(installed) {
            let now = state.disk.stamp(&path);
            if state.stamps.get(&path) != Some(&now) && !state.documents.contains_key(&path) {
                changed.push(path.clone());
            }
            seen.insert(path, now);
        }
        let gone = state.stamps.keys().filter(|path| !seen.contains_key(*path) && !state.documents.contains_key(*path));
        changed.extend(gone.cloned());
        state.stamps = seen;
        if !changed.is_empty() {
            state.workspace.reload(&changed, &*disk);
        }
        drop(guard);
        self.changed();
    }

    /// Takes the editor's settings: the config file to use.
    pub(super) fn settings(&self, settings: &Value) {
        let config = config_choice(settings.get("toolnames").or(Some(settings)));
        let reindex = match self.lock().as_mut() {
            Some(state) if !same_choice(&state.options.config, &config) => {
                state.options.config = config;
                true
            }
            _ => false,
        };
        if reindex {
            self.index();
        } else {
            self.rescan();
        }
    }

    pub(super) fn open(&self, item: TextDocumentItem) {
        self.with_path(&item.uri, |state, path| {
            let text = Text::new(&item.text);
            let document =
                Document { uri: item.uri.clone(), version: item.version, text, edits: Vec::new(), stale: true };
            state.documents.insert(path, document);
        });
    }

    pub(super) fn change(&self, params: DidChangeTextDocumentParams) {
        let DidChangeTextDocumentParams { text_document, content_changes } = params;
        self.with_path(&text_document.uri, |state, path| {
            let encoding = state.negotiated.encoding;
            let Some(document) = state.documents.get_mut(&path) else {
                return;
            };
            document.version = text_document.version;
            for change in content_changes {
                match change.range {
                    Some(range) => {
                        let position = |at: Position| crate::text::Position { line: at.line, column: at.character };
                        let edit =
                            document.text.replace(position(range.start), position(range.end), &change.text, encoding);
                        // Edits follow a text that the workspace has; a whole new text has none.
                        if !document.stale || !document.edits.is_empty() {
                            document.edits.push(edit);
                        }
                    }
                    None => {
                        document.text = Text::new(&change.text);
                        document.edits.clear();
                    }
                }
                document.stale = true;
            }
        });
    }

    pub(super) fn close(&self, uri: &Uri) {
        self.with_path(uri, |state, path| {
            if state.documents.remove(&path).is_some() {
                let disk = Arc::clone(&state.disk);
                state.workspace.close(&path, &*disk);
                if is_config(&path) {
                    state.reconfigure();
                }
            }
        });
    }

    fn with_path(&self, uri: &Uri, change: impl FnOnce(&mut State, String)) {
        let mut guard = self.lock();
        if let Some(state) = guard.as_mut()
            && let Some(path) = path_of(&state.root, uri)
        {
            change(state, path);
        }
        drop(guard);
        self.changed();
    }

    /// The state as it is now, with every edit taken in.
    pub(super) fn snapshot(&self) -> Option<(Snapshot, Converter)> {
        let mut guard = self.lock();
        let state = guard.as_mut()?;
        let snapshot = state.settle();
        let versions = state.documents.iter().map(|(path, document)| (path.clone(), document.version)).collect();
        let converter = Converter { root: state.root.clone(), negotiated: state.negotiated, versions };
        Some((snapshot, converter))
    }

    /// Whether what is known of tools changed since this was last asked.
    pub(super) fn facts_changed(&self) -> bool {
        let Some((snapshot, _)) = self.snapshot() else {
            return false;
        };
        let analysis = Arc::clone(snapshot.analysis());
        match self.lock().as_mut() {
            Some(state) => {
                let same = state.last_analysis.as_ref().is_some_and(|last| Arc::ptr_eq(last, &analysis));
                state.last_analysis = Some(analysis);
                !same
            }
            None => false,
        }
    }

    /// The findings of every open document, and the revision they are of.
    #[allow(clippy::type_complexity)]
    pub(super) fn open_diagnostics(&self) -> Option<(u64, Vec<(Uri, Option<i32>, Vec<Diagnostic>)>)> {
        let revision = self.revision();
        let (snapshot, converter) = self.snapshot()?;
        let open: Vec<(String, Uri, i32)> = {
            let guard = self.lock();
            let documents = &guard.as_ref()?.documents;
            documents.iter().map(|(path, document)| (path.clone(), document.uri.clone(), document.version)).collect()
        };
        let versions = self.negotiated().diagnostic_versions;
        let documents = open
            .into_iter()
            .filter_map(|(path, uri, version)| {
                let file = snapshot.files.by_path(&path)?.id;
                let found = rules::check(&snapshot, file);
                let found = found.iter().map(|found| converter.diagnostic(&snapshot, found)).collect();
                Some((uri, versions.then_some(version), found))
            })
            .collect();
        Some((revision, documents))
    }

    pub(super) fn text(&self, snapshot: &Snapshot, file: FileId) -> Option<String> {
        let disk = Arc::clone(&self.lock().as_ref()?.disk);
        snapshot.text(file, &*disk)
    }

    // ── Code actions ─────────────────────────────────────────────────────────────────────────────────────

    pub(super) fn actions(
        &self,
        snapshot: &Snapshot,
        converter: &Converter,
        params: &CodeActionParams,
    ) -> Vec<CodeActionOrCommand> {
        let Some(file) = converter.file(snapshot, &params.text_document.uri) else {
            return Vec::new();
        };
        let Some(asked) = converter.span(snapshot, file, params.range) else {
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
        if wanted(&CodeActionKind::QUICKFIX) {
            for found in rules::check(snapshot, file) {
                // A name's fault may be one character of it; its repair is offered on all of it.
                let span = name_around(snapshot, &found).unwrap_or(found.span);
                if !span.touches(asked.start) && !asked.touches(span.start) {
                    continue;
                }
                for (index, fix, keeps_old) in choices(&found.fixes) {
                    let fix = &fix;
                    let mut action = CodeAction {
                        title: sentence(&fix.title),
                        kind: Some(CodeActionKind::QUICKFIX),
                        diagnostics: Some(vec![converter.diagnostic(snapshot, &found)]),
                        is_preferred: fix.preferred.then_some(true),
                        data: Some(json!({
                            "uri": params.text_document.uri, "rule": found.rule,
                            "start": found.span.start, "end": found.span.end, "fix": index, "keeps_old": keeps_old,
                        })),
                        ..CodeAction::default()
                    };
                    // The edits of a rename take a trial: they are found when the action is chosen.
                    let later = matches!(fix.action, Action::Rename(_));
                    if !(later && self.negotiated().resolves_edits) {
                        match self.plan(snapshot, fix) {
                            Ok(plan) => action.edit = Some(converter.plan(snapshot, &plan)),
                            Err(_) => continue,
                        }
                    }
                    actions.push(CodeActionOrCommand::CodeAction(action));
                }
            }
        }
        if wanted(&CodeActionKind::REFACTOR_REWRITE) {
            for fix in cursor::actions(snapshot, file, asked.start) {
                actions.extend(self.plan(snapshot, &fix).ok().map(|plan| {
                    CodeActionOrCommand::CodeAction(CodeAction {
                        title: sentence(&fix.title),
                        kind: Some(CodeActionKind::REFACTOR_REWRITE),
                        edit: Some(converter.plan(snapshot, &plan)),
                        ..CodeAction::default()
                    })
                }));
            }
        }
        let all = CodeActionKind::from("source.fixAll.toolnames");
        let asked_for = params.context.only.is_some() && wanted(&all);
        if asked_for {
            actions.extend(self.fix_all(snapshot, converter, file, all).map(CodeActionOrCommand::CodeAction));
        }
        actions
    }

    /// What a fix does.
    fn plan(&self, snapshot: &Snapshot, fix: &Fix) -> std::result::Result<Plan, Refusal> {
        let texts = |file| self.text(snapshot, file);
        fix::plan(snapshot, fix, Sources { texts: &texts, mentioning: &|words| self.mentioning(words) })
    }

    /// The files of the workspace in which some words stand, as the editor has them.
    pub(super) fn mentioning(&self, words: &[String]) -> Vec<(String, String)> {
        let Some((disk, open)) = self.lock().as_ref().map(|state| {
            let open = state.documents.iter().map(|(path, document)| (path.clone(), document.text.to_string()));
            (Arc::clone(&state.disk), open.collect::<HashMap<String, String>>())
        }) else {
            return Vec::new();
        };
        let mut found = crate::disk::mentioning(&disk, words).unwrap_or_default();
        found.retain(|(path, _)| !open.contains_key(path));
        found.extend(open.into_iter().filter(|(_, text)| words.iter().any(|word| text.contains(word.as_str()))));
        found.sort_unstable();
        found
    }

    /// One edit that repairs everything in a file that has one safe repair.
    fn fix_all(
        &self,
        snapshot: &Snapshot,
        converter: &Converter,
        file: FileId,
        kind: CodeActionKind,
    ) -> Option<CodeAction> {
        let texts = |file| self.text(snapshot, file);
        let fixed = fix::fix(snapshot, &|other| other == file, Sources::of(&texts), fix::Options::default());
        let (new, _) = fixed.files.get(&file)?;
        let old = texts(file)?;
        let edits = crate::diagnostic::Edits::from([(file, vec![Edit::between(&old, new)])]);
        Some(CodeAction {
            title: "Fix all that can be repaired safely".into(),
            kind: Some(kind),
            edit: Some(converter.plan(snapshot, &Plan::of(edits))),
            ..CodeAction::default()
        })
    }

    /// Fills in the edit of an action that was chosen.
    pub(super) fn resolve(
        &self,
        snapshot: &Snapshot,
        converter: &Converter,
        mut action: CodeAction,
    ) -> Result<CodeAction> {
        let gone = || Error { message: "the text changed meanwhile; ask again".into(), ..Error::invalid_request() };
        let data = action.data.as_ref().ok_or_else(gone)?;
        let number = |key: &str| data.get(key).and_then(Value::as_u64);
        let uri: Uri = data.get("uri").cloned().and_then(|uri| serde_json::from_value(uri).ok()).ok_or_else(gone)?;
        let (Some(start), Some(end), Some(index)) = (number("start"), number("end"), number("fix")) else {
            return Err(gone());
        };
        let span = Span { start: start as u32, end: end as u32 };
        let rule = data.get("rule").and_then(Value::as_str).ok_or_else(gone)?;
        let file = converter.file(snapshot, &uri).ok_or_else(gone)?;
        let found = rules::check(snapshot, file)
            .into_iter()
            .find(|found| found.span == span && found.rule == rule)
            .ok_or_else(gone)?;
        let keeps_old = data.get("keeps_old").and_then(Value::as_bool).unwrap_or(false);
        let mut choices = choices(&found.fixes);
        let (_, fix, _) = choices.find(|choice| (choice.0 as u64, choice.2) == (index, keeps_old)).ok_or_else(gone)?;
        match self.plan(snapshot, &fix) {
            Ok(plan) => {
                action.edit = Some(converter.plan(snapshot, &plan));
                Ok(action)
            }
            Err(refusal) => Err(Error { message: refusal.to_string().into(), ..Error::invalid_request() }),
        }
    }
}

/// The repairs that are offered, by their place among a finding's: of a rename, one that leaves the old name callable too.
fn choices(fixes: &[Fix]) -> impl Iterator<Item = (usize, Fix, bool)> {
    fixes.iter().enumerate().flat_map(|(index, fix)| {
        let alias = match &fix.action {
            Action::Rename(request) if !request.keeps_old => Some(Fix {
                title: format!("{} and keep `{}` as an alias", fix.title, request.old),
                preferred: false,
                action: Action::Rename(RenameRequest { keeps_old: true, ..request.clone() }),
                ..fix.clone()
            }),
            _ => None,
        };
        std::iter::once((index, fix.clone(), false)).chain(alias.map(|alias| (index, alias, true)))
    })
}

impl State {
    /// Takes over what the configs say now, and reads the documents of which they ask something only now.
    fn reconfigure(&mut self) {
        self.workspace.reconfigure();
        let snapshot = self.workspace.snapshot();
        let configs = snapshot.files.configs();
        let is_unread =
            |path: &String| snapshot.files.by_path(path).is_none_or(|file| matches!(file.content, Content::Other));
        let open = |path: &String| self.documents.contains_key(path);
        let unread: Vec<String> =
            self.documents_on_disk.iter().filter(|path| is_unread(path) && configs.reads(path)).cloned().collect();
        let (open, closed): (Vec<String>, Vec<String>) = unread.into_iter().partition(open);
        for path in &open {
            if let Some(document) = self.documents.get(path) {
                self.workspace.open(path, document.text.to_string().into(), &[]);
            }
        }
        if !closed.is_empty() {
            let disk = Arc::clone(&self.disk);
            self.workspace.reload(&closed, &*disk);
        }
    }

    /// Hands the workspace what was edited and loads what that takes.
    fn settle(&mut self) -> Snapshot {
        let mut configs = false;
        for (path, document) in &mut self.documents {
            if std::mem::take(&mut document.stale) {
                let text: Arc<str> = document.text.to_string().into();
                self.workspace.open(path, text, &document.edits);
                document.edits.clear();
                configs |= is_config(path);
            }
        }
        if configs {
            self.reconfigure();
        }
        self.workspace.settle(&*self.disk)
    }
}

/// The piece of name that a finding's rename would change, where it stands in the same file.
fn name_around(snapshot: &Snapshot, found: &crate::diagnostic::Diagnostic) -> Option<Span> {
    found.fixes.iter().find_map(|fix| match &fix.action {
        Action::Rename(request) if request.file == found.file => {
            let target = crate::rename::target(snapshot, request)?;
            let span = snapshot.files.span(target.tool.local_place());
            span.contains(found.span).then_some(span)
        }
        _ => None,
    })
}

fn is_config(path: &str) -> bool {
    path.rsplit('/').next() == Some(CONFIG_FILE)
}

fn config_choice(settings: Option<&Value>) -> ConfigChoice {
    match settings.and_then(|settings| settings.get("config")).and_then(Value::as_str) {
        Some(path) if !path.is_empty() => ConfigChoice::File(PathBuf::from(path)),
        _ => ConfigChoice::Found,
    }
}

fn same_choice(a: &ConfigChoice, b: &ConfigChoice) -> bool {
    match (a, b) {
        (ConfigChoice::Found, ConfigChoice::Found) | (ConfigChoice::None, ConfigChoice::None) => true,
        (ConfigChoice::File(a), ConfigChoice::File(b)) => a == b,
        _ => false,
    }
}

/// A title as menus show it.
fn sentence(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
