//! The language server: protocol messages in, questions to snapshots, protocol messages out.
//!
//! A message that changes the state is put into the [`inbox`] in order, before any `.await`; the [`keeper`] takes it
//! from there, and publishes the new state as [`states::States`]. Requests are answered from that state, off the
//! message loop, and nothing waits for a lock during an evaluation.

mod actions;
mod answers;
mod capabilities;
mod convert;
mod desk;
mod folder;
mod frames;
mod inbox;
mod keeper;
mod message;
mod reports;
mod session;
mod standing;
mod states;
mod view;
#[cfg(test)]
mod waiting_tests;

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, timeout_at};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::*;
use tower_lsp::{Cancellable, Client, LanguageServer, LspService, OngoingProgress, Server, Unbounded};

use self::desk::Desk;
use self::folder::glance;
use self::inbox::{Indexed, Letter};
use self::reports::Reported;
use self::session::{Freshness, Session};
use self::standing::{Known, Standing};
use self::states::States;
use self::view::View;
use crate::rules;
use crate::show;

/// The maximum number of messages that are handled at the same time. Slow requests cannot use up so many, so edits and
/// cancellations never have to wait for them.
const CONCURRENCY: usize = 256;
/// The progress token of the initial index.
const INDEX_TOKEN: &str = "toolnames/index";
/// Work that takes no longer than this is not shown as progress.
const PROGRESS_DELAY: Duration = Duration::from_millis(300);
/// The time that the client has to answer whether it shows progress.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// The time after the start within which editors open the documents in view.
const OPEN_DELAY: Duration = Duration::from_millis(5);
/// How long the initial index waits for the first findings in the documents in view.
const INDEX_DELAY: Duration = Duration::from_millis(250);
/// How long to wait after a change before the whole workspace is checked: the user may still be typing.
const WORKSPACE_DELAY: Duration = Duration::from_millis(300);
/// How long a request waits for its answer in tests, which may run on slow machines.
const TEST_PATIENCE: Duration = Duration::from_secs(20);
/// The largest number of documents in one partial result.
const REPORTS_AT_ONCE: usize = 100;

/// Runs the server on standard input and output until the client is gone.
///
/// # Errors
/// When the runtime cannot be started.
#[expect(clippy::disallowed_methods, reason = "the protocol's own stream")]
pub fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().enable_io().build()?;
    let session = Arc::new(Session::default());
    runtime.block_on(serve_session(Arc::clone(&session), Desk::default(), tokio::io::stdin(), tokio::io::stdout()));
    // Exit at once: a read of standard input may block a thread for as long as the client keeps it open.
    std::process::exit(if session.was_shut_down() { 0 } else { 1 })
}

/// Runs the server on any pair of streams, for tests: on a slow machine, answers are late rather than missing.
pub async fn serve<I, O>(input: I, output: O)
where
    I: tokio::io::AsyncRead + Unpin + Send + 'static,
    O: tokio::io::AsyncWrite,
{
    serve_session(Arc::default(), Desk::new(TEST_PATIENCE), input, output).await;
}

async fn serve_session<I, O>(session: Arc<Session>, desk: Desk, input: I, output: O)
where
    I: tokio::io::AsyncRead + Unpin + Send + 'static,
    O: tokio::io::AsyncWrite,
{
    let (tools, findings) = (Standing::new("the tools of every folder"), Standing::new("the findings of every folder"));
    let (service, socket) =
        LspService::build(|client| Backend { client, session, desk: Arc::new(desk), tools, findings })
            .custom_method("window/workDoneProgress/cancel", Backend::stop)
            .custom_method("toolnames/tools", Backend::tools)
            .custom_method("toolnames/rules", Backend::rules)
            .finish();
    let (input, refused) = frames::only_messages(input);
    let (output, writing) = frames::one_writer(output, refused);
    let serving = Server::new(input, output, socket).concurrency_level(CONCURRENCY).serve(service);
    tokio::join!(serving, writing);
}

/// A notification that the answer to `toolnames/tools` has changed.
enum ToolsChanged {}

impl Notification for ToolsChanged {
    type Params = ();
    const METHOD: &'static str = "toolnames/toolsChanged";
}

/// A notification with a partial result. The crate of the protocol's types supports only work done progress.
enum PartialResult {}

impl Notification for PartialResult {
    type Params = serde_json::Value;
    const METHOD: &'static str = "$/progress";
}

#[derive(Clone)]
struct Backend {
    client: Client,
    session: Arc<Session>,
    desk: Arc<Desk>,
    tools: Arc<Standing<Vec<serde_json::Value>>>,
    findings: Arc<Standing<Vec<Reported>>>,
}

impl Backend {
    /// Asks a question about a document, off the message loop; `freshness` decides which state of its folder is used.
    /// `None` if the folder has not been read, if a newer text of the document has not been applied yet, or if the
    /// answer does not come in time.
    async fn ask<T: Send + 'static>(
        &self,
        uri: &Uri,
        freshness: Freshness,
        question: impl FnOnce(&View) -> T + Send + 'static,
    ) -> Result<Option<T>> {
        let due = self.desk.due();
        match self.session.view(uri, freshness).await {
            Some(seen) => self.desk.answer(uri.as_str(), Some(due), move || question(&seen.view)).await,
            None => Ok(None),
        }
    }

    /// Like [`Backend::ask`], for a question that may have no answer.
    async fn ask_last<T: Send + 'static>(
        &self,
        uri: &Uri,
        question: impl FnOnce(&View) -> Option<T> + Send + 'static,
    ) -> Result<Option<T>> {
        Ok(self.ask(uri, Freshness::Last, question).await?.flatten())
    }

    /// Like [`Backend::ask`], but fails without an answer, so that the client keeps what it has and asks again.
    async fn ask_lasting<T: Send + 'static>(
        &self,
        uri: &Uri,
        question: impl FnOnce(&View) -> T + Send + 'static,
    ) -> Result<T> {
        self.ask(uri, Freshness::Last, question).await?.ok_or_else(Error::content_modified)
    }

    /// Asks a question about every folder, off the message loop, with the last known state. Fails if no state is known,
    /// or the answer does not come in time, so that the client keeps what it has.
    async fn ask_all_last<T: Send + 'static>(&self, question: impl Fn(&View) -> T + Send + 'static) -> Result<Vec<T>> {
        let due = self.desk.due();
        let (states, _) = self.session.known(Freshness::Last).await.ok_or_else(Error::content_modified)?;
        let asking = move || states.shown().iter().map(|view| question(view)).collect();
        self.desk.answer("every folder", Some(due), asking).await?.ok_or_else(Error::content_modified)
    }

    /// Cancels a long operation at the user's request.
    async fn stop(&self, params: WorkDoneProgressCancelParams) {
        match params.token == ProgressToken::String(INDEX_TOKEN.to_string()) {
            true => drop(self.session.post(Letter::StopIndex)),
            false => self.desk.end(params.token),
        }
    }

    /// The servers and tools of every folder. A client that is notified of changes gets those known so far, even if
    /// there are none.
    async fn tools(&self) -> Result<Vec<serde_json::Value>> {
        let due = Some(self.desk.due());
        let follows = self.session.negotiated().follows_tools;
        let states = match follows && !self.session.is_ready() {
            true => self.session.last(),
            false => self.session.known(Freshness::Last).await.ok_or_else(Error::content_modified)?.0,
        };
        let question = |states: &States| states.shown().iter().map(|view| view.tools()).collect();
        let backend = self.clone();
        let late = self.later(async move {
            if follows {
                backend.client.send_notification::<ToolsChanged>(()).await;
            }
        });
        match self.tools.answer(&self.desk, due, states, question, late).await? {
            Some(known) => Ok(known.answer.clone()),
            None if follows => Ok(Vec::new()),
            None => Err(Error::content_modified()),
        }
    }

    /// The findings in every file. If they are not computed by `due`, the last ones that were computed; `None` if there
    /// are none yet.
    async fn findings_of(
        &self,
        states: Arc<States>,
        due: Option<Instant>,
    ) -> Result<Option<Arc<Known<Vec<Reported>>>>> {
        let question = |states: &States| states.shown().iter().flat_map(|view| view.reports()).collect();
        let backend = self.clone();
        let late = self.later(async move {
            if backend.session.negotiated().refreshes_diagnostics {
                let _ = backend.client.workspace_diagnostic_refresh().await;
            }
        });
        self.findings.answer(&self.desk, due, states, question, late).await
    }

    /// Returns a function that runs a future on the threads of the message loop, without waiting for it.
    fn later(&self, what: impl Future<Output = ()> + Send + 'static) -> impl FnOnce() + Send + 'static {
        let threads = tokio::runtime::Handle::current();
        move || drop(threads.spawn(what))
    }

    /// Every rule with its documentation page, for an editor that explains rules.
    async fn rules(&self) -> Result<Vec<serde_json::Value>> {
        let rule = |rule: &&rules::Rule| json!({ "id": rule.id, "severity": rule.default.as_str(), "summary": rule.summary(), "page": rule.page() });
        Ok(rules::RULES.iter().map(rule).collect())
    }

    /// Reads the folders that have not been read yet, and shows the progress.
    async fn index(&self) {
        // The documents in view come first.
        tokio::time::sleep(OPEN_DELAY).await;
        let _ = tokio::time::timeout(INDEX_DELAY, self.session.glanced()).await;
        let mut indexing = std::pin::pin!(self.session.index());
        if tokio::time::timeout(PROGRESS_DELAY, &mut indexing).await.is_err() {
            let progress = tokio::time::timeout(ANSWER_TIMEOUT, self.progress()).await.ok().flatten();
            let indexed: Indexed = indexing.await;
            if let Some(progress) = progress {
                progress.finish_with_message(indexed.said()).await;
            }
        }
    }

    /// Shows errors to the user, such as a folder that cannot be read: other results are then of little use.
    async fn show_trouble(self) {
        let Some(mut trouble) = self.session.trouble() else { return };
        while let Some(trouble) = trouble.recv().await {
            self.client.show_message(MessageType::ERROR, show::message(&format!("toolnames: {trouble}"))).await;
        }
    }

    /// The progress of reading the workspace, with a button to stop it; `None` if the client shows no progress.
    async fn progress(&self) -> Option<OngoingProgress<Unbounded, Cancellable>> {
        if !self.session.negotiated().shows_progress {
            return None;
        }
        let token = ProgressToken::String(INDEX_TOKEN.to_string());
        self.client.create_work_done_progress(token.clone()).await.ok()?;
        Some(self.client.progress(token, "toolnames: reading names").with_cancel_button().begin().await)
    }

    /// The findings that can be computed in a document before its folder has been read. `None` if all folders have been
    /// read already, or if the state changed in the meantime.
    async fn glance(&self, uri: &Uri) -> Option<Vec<Diagnostic>> {
        if self.session.is_ready() {
            return None;
        }
        let _glancing = self.session.glancing();
        let revision = self.session.revision();
        let state = self.session.unread(uri).await?;
        let (about, uri) = (uri.as_str(), uri.clone());
        let look = move || Some(glance(&state.view, &state.options, &uri)?.first_findings(&uri));
        let found = self.desk.work(about, look).await.ok().flatten();
        found.filter(|_| !self.session.is_ready() && self.session.revision() == revision)
    }

    /// Sends the first findings in a document that was just opened, if not everything has been read.
    fn publish_first(&self, uri: Uri, version: i32) {
        let negotiated = self.session.negotiated();
        if self.session.is_ready() || negotiated.pulls_diagnostics {
            return;
        }
        let backend = self.clone();
        tokio::spawn(async move {
            let Some(first) = backend.glance(&uri).await else { return };
            let version = Some(version).filter(|_| negotiated.diagnostic_versions);
            backend.client.publish_diagnostics(uri.clone(), first, version).await;
            // The complete findings may have been sent before these first ones. The client keeps what is sent last, so
            // they are sent again.
            if backend.session.is_ready() {
                backend.publish_open(&backend.session.last()).await;
            }
        });
    }

    /// Sends the findings in open documents whenever the state changes, unless the client fetches them itself. If the
    /// known tools or the references to them have changed, asks the client to refresh what it shows.
    async fn publish(self) {
        let mut states = self.session.states();
        let mut known: Vec<u64> = Vec::new();
        while states.changed().await.is_ok() {
            let now = Arc::clone(&states.borrow_and_update());
            if !self.session.is_ready() {
                continue;
            }
            let negotiated = self.session.negotiated();
            if !negotiated.pulls_diagnostics {
                self.publish_open(&now).await;
            }
            let facts: Vec<u64> = now.folders.iter().map(|state| state.facts).collect();
            if std::mem::replace(&mut known, facts.clone()) == facts {
                continue;
            }
            let client = self.client.clone();
            // A client may answer late, or not at all.
            tokio::spawn(async move {
                if negotiated.pulls_diagnostics && negotiated.refreshes_diagnostics {
                    let _ = client.workspace_diagnostic_refresh().await;
                }
                if negotiated.refreshes_hints {
                    let _ = client.inlay_hint_refresh().await;
                }
                if negotiated.refreshes_lenses {
                    let _ = client.code_lens_refresh().await;
                }
                if negotiated.follows_tools {
                    client.send_notification::<ToolsChanged>(()).await;
                }
            });
        }
    }

    /// Sends the findings in every open document, except those that were changed or closed in the meantime.
    async fn publish_open(&self, states: &States) {
        let versions = self.session.negotiated().diagnostic_versions;
        for state in states.folders.iter().filter(|state| state.is_read) {
            let view = Arc::clone(&state.view);
            let reports = tokio::task::spawn_blocking(move || view.open_reports()).await.unwrap_or_default();
            for (uri, version, diagnostics) in reports {
                if self.session.changed_at(&uri).is_some_and(|changed| changed <= state.revision) {
                    self.client.publish_diagnostics(uri, diagnostics, version.filter(|_| versions)).await;
                }
            }
        }
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let (capabilities, negotiated) = capabilities::negotiate(&params);
        self.session.begin(&params, negotiated);
        let info = ServerInfo { name: "toolnames".into(), version: Some(env!("CARGO_PKG_VERSION").into()) };
        Ok(InitializeResult { capabilities, server_info: Some(info), offset_encoding: None })
    }

    async fn initialized(&self, _: InitializedParams) {
        // Nothing here waits for the index: the client may leave before it is complete.
        tokio::spawn(self.clone().show_trouble());
        tokio::spawn(self.clone().publish());
        let backend = self.clone();
        tokio::spawn(async move {
            if backend.session.negotiated().watches_files {
                let watching = backend.clone();
                tokio::spawn(async move {
                    let _ = watching.client.register_capability(vec![capabilities::watchers()]).await;
                });
            }
            backend.index().await;
        });
    }

    async fn shutdown(&self) -> Result<()> {
        self.session.shut_down();
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let (uri, version) = (params.text_document.uri.clone(), params.text_document.version);
        self.session.post(Letter::Open(params.text_document));
        self.publish_first(uri, version);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.session.post(Letter::Change(params));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.session.post(Letter::Close(uri.clone()));
        if !self.session.negotiated().pulls_diagnostics {
            self.client.publish_diagnostics(uri, Vec::new(), None).await;
        }
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {
        // Not every client watches files: a save is a good moment to look for other changes.
        self.session.post(Letter::Disk);
    }

    async fn did_change_watched_files(&self, _: DidChangeWatchedFilesParams) {
        self.session.post(Letter::Disk);
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.session.settings(&params.settings);
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.session.post(Letter::Folders(params.event));
        let backend = self.clone();
        tokio::spawn(async move { backend.index().await });
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let DocumentDiagnosticParams { text_document: TextDocumentIdentifier { uri }, previous_result_id, .. } = params;
        let due = self.desk.due();
        // A client that can be asked to refresh its findings fetches the complete ones later.
        let refreshes = self.session.negotiated().refreshes_diagnostics;
        if refreshes && let Some(first) = timeout_at(due, self.glance(&uri)).await.ok().flatten() {
            let first = reports::report(first, previous_result_id.as_deref());
            return Ok(DocumentDiagnosticReportResult::Report(first));
        }
        let seen = timeout_at(due, self.session.view(&uri, Freshness::Patient)).await.ok().flatten();
        let seen = seen.filter(|seen| seen.is_newest || refreshes).ok_or_else(again)?;
        let about = uri.clone();
        let report = move || seen.view.report(&about, previous_result_id.as_deref());
        let report = self.desk.answer(uri.as_str(), Some(due), report).await?.ok_or_else(again)?;
        Ok(DocumentDiagnosticReportResult::Report(report))
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        // A client that takes partial results asks again and again, and expects an answer only when there is something
        // new. No other client is made to wait.
        let bit_by_bit = params.partial_result_params.partial_result_token;
        let refreshes = self.session.negotiated().refreshes_diagnostics;
        let freshness = if bit_by_bit.is_some() { Freshness::Newest } else { Freshness::Patient };
        let known = params.previous_result_ids;
        let mut working = match params.work_done_progress_params.work_done_token {
            Some(token) => Some(self.client.progress(token, "toolnames: checking every file").begin().await),
            None => None,
        };
        // A client that does not wait is asked to fetch again once the answer is ready.
        let due = bit_by_bit.is_none().then(|| self.desk.due());
        loop {
            let states = self.session.known(freshness).await;
            let found = match states {
                None => None,
                Some((states, is_newest)) => {
                    let revision = states.revision();
                    let found = self.findings_of(states, due).await?;
                    found.map(|found| (Arc::clone(&found), is_newest && found.revision >= revision))
                }
            };
            if let Some(working) = working.take() {
                working.finish().await;
            }
            let (found, is_newest) = found.filter(|(_, is_newest)| *is_newest || refreshes).ok_or_else(again)?;
            let revision = found.revision;
            let mut items = reports::since(&found.answer, &known);
            // Positions in a text that has changed since are out of date.
            items.retain(|item| {
                let changed = self.session.changed_at(reports::uri_of(item));
                is_newest || changed.is_none_or(|changed| changed <= revision)
            });
            let is_new =
                |item: &WorkspaceDocumentDiagnosticReport| matches!(item, WorkspaceDocumentDiagnosticReport::Full(_));
            let is_news = items.iter().any(is_new);
            match &bit_by_bit {
                None => return Ok(WorkspaceDiagnosticReport { items }.into()),
                Some(token) if is_news => {
                    for items in items.chunks(REPORTS_AT_ONCE) {
                        let part = json!({ "token": token, "value": { "items": items } });
                        self.client.send_notification::<PartialResult>(part).await;
                    }
                    return Ok(WorkspaceDiagnosticReport::default().into());
                }
                Some(_) => {}
            }
            self.session.moved_on(revision).await;
            tokio::time::sleep(WORKSPACE_DELAY).await;
        }
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let uri = params.text_document.uri.clone();
        self.ask_last(&uri, move |view| Some(view.actions(&params))).await
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        if action.edit.is_some() {
            return Ok(action);
        }
        let uri = actions::document_of(&action)?;
        let title = format!("toolnames: {}", action.title);
        let (resolved, revision) = self.chosen(&uri, &title, None, move |view| view.resolve(action)).await?;
        resolved.edit.as_ref().map_or(Ok(()), |edit| self.still_fits(edit, revision))?;
        Ok(resolved)
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let at = params.text_document_position_params;
        self.ask_last(&at.text_document.uri.clone(), move |view| view.hover(&at)).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let uri = params.text_document.uri.clone();
        self.ask_lasting(&uri, move |view| view.inlay_hints(&params)).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let at = params.text_document_position;
        let uri = at.text_document.uri.clone();
        let offered = self.ask(&uri, Freshness::Last, move |view| view.completion(&at)).await?;
        // If there is no answer yet, the client asks again at the next keystroke.
        let later = || Some(CompletionResponse::List(CompletionList { is_incomplete: true, items: Vec::new() }));
        Ok(offered.unwrap_or_else(later))
    }

    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        let Some(at) = answers::asked_at(&item) else { return Ok(item) };
        let plain = item.clone();
        let uri = at.text_document.uri.clone();
        Ok(self.ask_last(&uri, move |view| Some(view.completed(item, &at))).await?.unwrap_or(plain))
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let uri = params.text_document_position.text_document.uri.clone();
        self.ask_last(&uri, move |view| view.references(&params)).await
    }

    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        let at = params.text_document_position_params;
        self.ask_lasting(&at.text_document.uri.clone(), move |view| view.highlights(&at)).await
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        let uri = params.text_document.uri;
        self.ask_lasting(&uri.clone(), move |view| view.document_symbols(&uri)).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        let found = self.ask_all_last(move |view| view.workspace_symbols(&params.query)).await?;
        Ok(Some(WorkspaceSymbolResponse::Nested(found.into_iter().flatten().collect())))
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let uri = params.text_document.uri;
        self.ask_lasting(&uri.clone(), move |view| view.lenses(&uri)).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<serde_json::Value>> {
        match params.command.as_str() {
            capabilities::NOTHING => Ok(None),
            other => Err(Error::invalid_params(format!("unknown command `{other}`"))),
        }
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let at = params.text_document_position_params;
        self.ask_last(&at.text_document.uri.clone(), move |view| view.definition(&at)).await
    }

    async fn prepare_rename(&self, at: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        let uri = at.text_document.uri.clone();
        // Without an answer, this has to fail: to reply that there is nothing to rename would be wrong.
        let answer = self.ask(&uri, Freshness::Patient, move |view| view.prepare_rename(&at)).await?;
        answer.ok_or_else(|| failed("the document is still being analysed; try again in a moment"))
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let uri = params.text_document_position.text_document.uri.clone();
        let title = format!("toolnames: renaming to {}", show::value(&params.new_name));
        let token = params.work_done_progress_params.work_done_token.clone();
        let renamed = move |view: &View| view.rename(&params).map_err(failed);
        let (renamed, revision) = self.chosen(&uri, &title, token, renamed).await?;
        let Some((edit, remarks)) = renamed else { return Ok(None) };
        self.still_fits(&edit, revision)?;
        if !remarks.is_empty() {
            self.client.show_message(MessageType::INFO, remarks.join("\n")).await;
        }
        Ok(Some(edit))
    }
}

/// The error that makes the client fetch findings again, since they are still being computed. VS Code, Neovim and Helix
/// do so at once or a little later, and keep what they show.
fn again() -> Error {
    // `ServerCancelled` of the protocol.
    const SERVER_CANCELLED: i64 = -32802;
    let code = tower_lsp::jsonrpc::ErrorCode::ServerError(SERVER_CANCELLED);
    let data = Some(json!({ "retriggerRequest": true }));
    Error { code, message: "the document is still being analysed".into(), data }
}

/// An error for a valid request that cannot be fulfilled.
fn failed(reason: impl std::fmt::Display) -> Error {
    // `RequestFailed` of the protocol.
    const REQUEST_FAILED: i64 = -32803;
    let code = tower_lsp::jsonrpc::ErrorCode::ServerError(REQUEST_FAILED);
    Error { code, message: show::message(&reason.to_string()).into(), data: None }
}
