//! The language server: protocol in, snapshots asked, protocol out.
//!
//! State changes in [`session::Session`] synchronously and in the order of messages, before any `.await`; requests
//! are answered from a [`view::View`], off the message loop. What was computed for an older state is dropped.

mod actions;
mod answers;
mod capabilities;
mod convert;
mod folder;
mod frames;
mod reports;
mod session;
mod view;

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::notification::Notification;
use tower_lsp::ls_types::*;
use tower_lsp::{Cancellable, Client, LanguageServer, LspService, OngoingProgress, Server, Unbounded};

use self::session::{Indexed, Session};
use self::view::View;
use crate::rules;

/// How many messages are worked on at once: far above what slow requests can fill, so that edits and
/// cancellations are always heard.
const CONCURRENCY: usize = 256;
/// Under which the first reading of the workspace is shown.
const INDEX_TOKEN: &str = "toolnames/index";
/// What takes no longer is not shown.
const UNNOTICED: Duration = Duration::from_millis(300);
/// How long the client has to answer whether it shows what takes long.
const UNANSWERED: Duration = Duration::from_secs(5);
/// How soon after the beginning editors open what people have in front of them.
const AT_ONCE: Duration = Duration::from_millis(5);
/// How long the first reading waits for what is said of that.
const FIRST: Duration = Duration::from_millis(250);
/// How long it waits after a change before it looks at the whole workspace: people type on.
const WORKSPACE_DELAY: Duration = Duration::from_millis(300);
/// How many documents' findings are sent at once to those who take them bit by bit.
const REPORTS_AT_ONCE: usize = 100;

/// Runs the server on standard input and output until the client is gone.
///
/// # Errors
/// When the runtime cannot be started.
pub fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().enable_io().build()?;
    let session = Arc::new(Session::default());
    runtime.block_on(serve_session(Arc::clone(&session), tokio::io::stdin(), tokio::io::stdout()));
    // Reading standard input may hold a thread for as long as the client keeps it open.
    std::process::exit(if session.was_shut_down() { 0 } else { 1 })
}

/// A service on any pair of streams, for tests that speak to it.
pub async fn serve<I, O>(input: I, output: O)
where
    I: tokio::io::AsyncRead + Unpin + Send + 'static,
    O: tokio::io::AsyncWrite,
{
    serve_session(Arc::default(), input, output).await;
}

async fn serve_session<I, O>(session: Arc<Session>, input: I, output: O)
where
    I: tokio::io::AsyncRead + Unpin + Send + 'static,
    O: tokio::io::AsyncWrite,
{
    let (service, socket) = LspService::build(|client| Backend { client, session })
        .custom_method("window/workDoneProgress/cancel", Backend::stop)
        .custom_method("toolnames/tools", Backend::tools)
        .custom_method("toolnames/rules", Backend::rules)
        .finish();
    let input = frames::only_messages(input);
    Server::new(input, output, socket).concurrency_level(CONCURRENCY).serve(service).await;
}

/// Says that `toolnames/tools` has another answer now.
enum ToolsChanged {}

impl Notification for ToolsChanged {
    type Params = ();
    const METHOD: &'static str = "toolnames/toolsChanged";
}

/// A part of an answer that comes bit by bit. The crate of the protocol's types knows only the progress of work.
enum PartialResult {}

impl Notification for PartialResult {
    type Params = serde_json::Value;
    const METHOD: &'static str = "$/progress";
}

#[derive(Clone)]
struct Backend {
    client: Client,
    session: Arc<Session>,
}

impl Backend {
    /// Asks something about a document, of the state as it is now, off the message loop.
    async fn ask<T: Send + 'static>(&self, uri: &Uri, question: impl FnOnce(&View) -> T + Send + 'static) -> Result<T> {
        self.session.ready().await;
        let (session, uri) = (Arc::clone(&self.session), uri.clone());
        match tokio::task::spawn_blocking(move || session.view(&uri).map(|view| question(&view))).await {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(Error::invalid_request()),
            Err(_) => Err(Error::internal_error()),
        }
    }

    /// Asks every folder something, of the state as it is now.
    async fn ask_all<T: Send + 'static>(
        &self,
        question: impl Fn(&View) -> T + Send + 'static,
    ) -> Result<(u64, Vec<T>)> {
        self.session.ready().await;
        let session = Arc::clone(&self.session);
        let answers = tokio::task::spawn_blocking(move || {
            let (revision, views) = session.views();
            (revision, views.iter().map(question).collect())
        });
        answers.await.map_err(|_| Error::internal_error())
    }

    /// Stops what takes long, as the user wishes.
    async fn stop(&self, params: WorkDoneProgressCancelParams) {
        if params.token == ProgressToken::String(INDEX_TOKEN.to_string()) {
            self.session.stop_index();
        }
    }

    /// Every folder's servers with their tools.
    async fn tools(&self) -> Result<Vec<serde_json::Value>> {
        Ok(self.ask_all(View::tools).await?.1)
    }

    /// Every rule with its page, for an editor that explains them.
    async fn rules(&self) -> Result<Vec<serde_json::Value>> {
        let rule = |rule: &&rules::Rule| json!({ "id": rule.id, "severity": rule.default.as_str(), "summary": rule.summary(), "page": rule.docs });
        Ok(rules::RULES.iter().map(rule).collect())
    }

    /// Reads the folders that nobody has read, and shows that it does.
    async fn index(&self) {
        // What people have in front of them comes before everything else.
        tokio::time::sleep(AT_ONCE).await;
        let _ = tokio::time::timeout(FIRST, self.session.glanced()).await;
        let session = Arc::clone(&self.session);
        let mut indexing = tokio::task::spawn_blocking(move || session.index());
        let indexed = match tokio::time::timeout(UNNOTICED, &mut indexing).await {
            Ok(indexed) => indexed,
            Err(_) => {
                let progress = tokio::time::timeout(UNANSWERED, self.progress()).await.ok().flatten();
                let indexed = indexing.await;
                if let Some(progress) = progress {
                    progress.finish_with_message(indexed.as_ref().map_or(String::new(), Indexed::said)).await;
                }
                indexed
            }
        };
        let indexed = indexed.unwrap_or_default();
        self.tell(indexed.trouble).await;
        self.publish();
    }

    /// Looks what changed on disk, and says what follows.
    async fn rescan(&self) {
        let session = Arc::clone(&self.session);
        let trouble = tokio::task::spawn_blocking(move || session.rescan()).await;
        self.tell(trouble.unwrap_or_default()).await;
        self.publish();
    }

    /// Shows what could not be read: without it nothing else that is said would be of use.
    async fn tell(&self, trouble: Vec<String>) {
        for trouble in trouble {
            self.client.show_message(MessageType::ERROR, format!("toolnames: {trouble}")).await;
        }
    }

    /// What shows that the workspace is being read, with a button to stop it; nothing where the client shows nothing.
    async fn progress(&self) -> Option<OngoingProgress<Unbounded, Cancellable>> {
        if !self.session.negotiated().shows_progress {
            return None;
        }
        let token = ProgressToken::String(INDEX_TOKEN.to_string());
        self.client.create_work_done_progress(token.clone()).await.ok()?;
        Some(self.client.progress(token, "toolnames: reading names").with_cancel_button().begin().await)
    }

    /// What can be said of a document before everything was read, of the state as it is now; `None` where everything was, or
    /// the state moved on.
    async fn glance(&self, uri: &Uri) -> Option<Vec<Diagnostic>> {
        if self.session.is_ready() {
            return None;
        }
        let _glancing = self.session.glancing();
        let (revision, session, uri) = (self.session.revision(), Arc::clone(&self.session), uri.clone());
        let found = tokio::task::spawn_blocking(move || session.glance(&uri).map(|view| view.first_findings(&uri)));
        let found = found.await.ok().flatten();
        found.filter(|_| !self.session.is_ready() && self.session.revision() == revision)
    }

    /// Sends what can be said of a document that was just opened, where not everything was read yet.
    fn publish_first(&self, uri: Uri, version: i32) {
        let negotiated = self.session.negotiated();
        if self.session.is_ready() || negotiated.pulls_diagnostics {
            return;
        }
        let backend = self.clone();
        tokio::spawn(async move {
            let Some(first) = backend.glance(&uri).await else { return };
            let version = Some(version).filter(|_| negotiated.diagnostic_versions);
            backend.client.publish_diagnostics(uri, first, version).await;
            // It may have been overtaken by all that there is to say, which is to be the last.
            if backend.session.is_ready() {
                backend.publish();
            }
        });
    }

    /// Sends the findings of every open document, or asks the client to fetch them, unless the state has moved
    /// on meanwhile. What is shown in the text has to be fetched again where what is known of tools has changed.
    fn publish(&self) {
        let revision = self.session.revision();
        let (client, session) = (self.client.clone(), Arc::clone(&self.session));
        tokio::spawn(async move {
            session.ready().await;
            if session.revision() != revision {
                return;
            }
            let negotiated = session.negotiated();
            if !negotiated.pulls_diagnostics {
                let worker = Arc::clone(&session);
                let computed = tokio::task::spawn_blocking(move || {
                    let (revision, views) = worker.views();
                    (revision, views.iter().flat_map(View::open_reports).collect::<Vec<_>>())
                });
                let Ok((computed_at, documents)) = computed.await else { return };
                for (uri, version, diagnostics) in documents {
                    if session.revision() != computed_at {
                        return;
                    }
                    let version = version.filter(|_| negotiated.diagnostic_versions);
                    client.publish_diagnostics(uri, diagnostics, version).await;
                }
            }
            let refreshes_diagnostics = negotiated.pulls_diagnostics && negotiated.refreshes_diagnostics;
            let refreshes = [
                refreshes_diagnostics,
                negotiated.refreshes_hints,
                negotiated.refreshes_lenses,
                negotiated.follows_tools,
            ];
            if !refreshes.contains(&true) {
                return;
            }
            let worker = Arc::clone(&session);
            if !tokio::task::spawn_blocking(move || worker.facts_changed()).await.unwrap_or_default() {
                return;
            }
            if refreshes_diagnostics {
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

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let (capabilities, negotiated) = capabilities::negotiate(&params);
        self.session.begin(&params, negotiated);
        let info = ServerInfo { name: "toolnames".into(), version: Some(env!("CARGO_PKG_VERSION").into()) };
        Ok(InitializeResult { capabilities, server_info: Some(info), offset_encoding: None })
    }

    async fn initialized(&self, _: InitializedParams) {
        // Nothing waits for the index here: the client may leave before it is there.
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
        self.session.open(params.text_document);
        self.publish_first(uri, version);
        self.publish();
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.session.change(params);
        self.publish();
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.session.close(&uri);
        if !self.session.negotiated().pulls_diagnostics {
            self.client.publish_diagnostics(uri, Vec::new(), None).await;
        }
        self.publish();
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {
        // Not every client watches files: a save is a good moment to look what else changed.
        self.rescan().await;
    }

    async fn did_change_watched_files(&self, _: DidChangeWatchedFilesParams) {
        self.rescan().await;
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        let session = Arc::clone(&self.session);
        let trouble = tokio::task::spawn_blocking(move || session.settings(&params.settings)).await;
        self.tell(trouble.unwrap_or_default()).await;
        self.publish();
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.session.change_folders(&params.event);
        let backend = self.clone();
        tokio::spawn(async move { backend.index().await });
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let DocumentDiagnosticParams { text_document, previous_result_id, .. } = params;
        let uri = text_document.uri.clone();
        // What comes to be known later is fetched when the client is told to.
        if self.session.negotiated().refreshes_diagnostics
            && let Some(first) = self.glance(&uri).await
        {
            let first = reports::report(first, previous_result_id.as_deref());
            return Ok(DocumentDiagnosticReportResult::Report(first));
        }
        let report = self.ask(&uri, move |view| view.report(&text_document.uri, previous_result_id.as_deref()));
        Ok(DocumentDiagnosticReportResult::Report(report.await?))
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        // Who takes results bit by bit asks again and again, and is answered when there is something new.
        let bit_by_bit = params.partial_result_params.partial_result_token;
        let known = Arc::new(params.previous_result_ids);
        let mut working = match params.work_done_progress_params.work_done_token {
            Some(token) => Some(self.client.progress(token, "toolnames: looking at every file").begin().await),
            None => None,
        };
        loop {
            let previous = Arc::clone(&known);
            let (revision, reports) = self.ask_all(move |view| view.reports(&previous)).await?;
            let mut items: Vec<WorkspaceDocumentDiagnosticReport> = reports.into_iter().flatten().collect();
            // Of what lies in a folder that was taken out nothing is said any more.
            items.extend(
                known.iter().filter(|known| self.session.is_elsewhere(&known.uri)).filter_map(reports::nothing),
            );
            let is_new =
                |item: &WorkspaceDocumentDiagnosticReport| matches!(item, WorkspaceDocumentDiagnosticReport::Full(_));
            let is_news = items.iter().any(is_new);
            if let Some(working) = working.take() {
                working.finish().await;
            }
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
        Ok(Some(self.ask(&uri, move |view| view.actions(&params)).await?))
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        if action.edit.is_some() {
            return Ok(action);
        }
        let uri = actions::document_of(&action)?;
        self.ask(&uri, move |view| view.resolve(action)).await?
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let at = params.text_document_position_params;
        self.ask(&at.text_document.uri.clone(), move |view| view.hover(&at)).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let uri = params.text_document.uri.clone();
        self.ask(&uri, move |view| view.inlay_hints(&params)).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let at = params.text_document_position;
        self.ask(&at.text_document.uri.clone(), move |view| view.completion(&at)).await
    }

    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        let Some(at) = answers::asked_at(&item) else { return Ok(item) };
        self.ask(&at.text_document.uri.clone(), move |view| view.completed(item, &at)).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let uri = params.text_document_position.text_document.uri.clone();
        self.ask(&uri, move |view| view.references(&params)).await
    }

    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        let at = params.text_document_position_params;
        self.ask(&at.text_document.uri.clone(), move |view| view.highlights(&at)).await
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        let uri = params.text_document.uri;
        self.ask(&uri.clone(), move |view| view.document_symbols(&uri)).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        let (_, found) = self.ask_all(move |view| view.workspace_symbols(&params.query)).await?;
        Ok(Some(WorkspaceSymbolResponse::Nested(found.into_iter().flatten().collect())))
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let uri = params.text_document.uri;
        self.ask(&uri.clone(), move |view| view.lenses(&uri)).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<serde_json::Value>> {
        match params.command.as_str() {
            capabilities::NOTHING => Ok(None),
            other => Err(Error::invalid_params(format!("there is no command `{other}`"))),
        }
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let at = params.text_document_position_params;
        self.ask(&at.text_document.uri.clone(), move |view| view.definition(&at)).await
    }

    async fn prepare_rename(&self, at: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        self.ask(&at.text_document.uri.clone(), move |view| view.prepare_rename(&at)).await
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let uri = params.text_document_position.text_document.uri.clone();
        let renamed = self.ask(&uri, move |view| view.rename(&params)).await?;
        let Some((edit, remarks)) = renamed.map_err(failed)? else { return Ok(None) };
        if !remarks.is_empty() {
            self.client.show_message(MessageType::INFO, remarks.join("\n")).await;
        }
        Ok(Some(edit))
    }
}

/// An error for a request that was understood and cannot be done.
fn failed(reason: impl std::fmt::Display) -> Error {
    // `RequestFailed` of the protocol.
    const REQUEST_FAILED: i64 = -32803;
    let code = tower_lsp::jsonrpc::ErrorCode::ServerError(REQUEST_FAILED);
    Error { code, message: reason.to_string().into(), data: None }
}
