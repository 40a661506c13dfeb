//! The language server: protocol in, snapshots asked, protocol out.
//!
//! State changes in [`session::Session`] synchronously and in the order of messages, before any `.await`; requests
//! are answered from a snapshot, off the message loop. What was computed for an older state is dropped.

mod capabilities;
mod convert;
mod frames;
mod session;

use std::sync::Arc;

use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;
use tower_lsp::{Client, LanguageServer, LspService, Server};

use self::convert::Converter;
use self::session::Session;
use crate::rename::Sources;
use crate::workspace::Snapshot;
use crate::{cursor, rules};

/// How many messages are worked on at once: far above what slow requests can fill, so that edits and
/// cancellations are always heard.
const CONCURRENCY: usize = 256;

/// Runs the server on standard input and output until the client is gone.
///
/// # Errors
/// When the runtime cannot be started.
pub fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().enable_io().build()?;
    let clean = runtime.block_on(async {
        let session = Arc::new(Session::default());
        let shared = Arc::clone(&session);
        let (service, socket) = LspService::new(move |client| Backend { client, session: Arc::clone(&shared) });
        Server::new(tokio::io::stdin(), tokio::io::stdout(), socket)
            .concurrency_level(CONCURRENCY)
            .serve(service)
            .await;
        session.was_shut_down()
    });
    // Reading standard input may hold a thread for as long as the client keeps it open.
    std::process::exit(if clean { 0 } else { 1 })
}

/// A service on any pair of streams, for tests that speak to it.
pub async fn serve<I, O>(input: I, output: O)
where
    I: tokio::io::AsyncRead + Unpin + Send + 'static,
    O: tokio::io::AsyncWrite,
{
    let (service, socket) = LspService::new(|client| Backend { client, session: Arc::new(Session::default()) });
    let input = frames::only_messages(input);
    Server::new(input, output, socket).concurrency_level(CONCURRENCY).serve(service).await;
}

#[derive(Clone)]
struct Backend {
    client: Client,
    session: Arc<Session>,
}

impl Backend {
    /// Runs a question to the state as it is now, off the message loop.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Session, &Snapshot, &Converter) -> T + Send + 'static,
    ) -> Result<T> {
        self.session.ready().await;
        let session = Arc::clone(&self.session);
        let answer = tokio::task::spawn_blocking(move || {
            let (snapshot, converter) = session.snapshot()?;
            Some(question(&session, &snapshot, &converter))
        });
        match answer.await {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(Error::invalid_request()),
            Err(_) => Err(Error::internal_error()),
        }
    }

    /// Sends the findings of every open document, or asks the client to fetch them, unless the state has moved
    /// on meanwhile.
    fn publish(&self) {
        let revision = self.session.revision();
        let client = self.client.clone();
        let session = Arc::clone(&self.session);
        tokio::spawn(async move {
            session.ready().await;
            if session.revision() != revision {
                return;
            }
            if session.pulls_diagnostics() {
                if session.refreshes_diagnostics() && session.facts_changed() {
                    let _ = client.workspace_diagnostic_refresh().await;
                }
                return;
            }
            let worker = Arc::clone(&session);
            let computed = tokio::task::spawn_blocking(move || worker.open_diagnostics()).await;
            let Ok(Some((computed_at, documents))) = computed else {
                return;
            };
            for (uri, version, diagnostics) in documents {
                if session.revision() != computed_at {
                    return;
                }
                client.publish_diagnostics(uri, diagnostics, version).await;
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
            let session = Arc::clone(&backend.session);
            let index = tokio::task::spawn_blocking(move || session.index());
            if backend.session.watches_files() {
                let _ = backend.client.register_capability(vec![capabilities::watchers()]).await;
            }
            if let Ok(Some(trouble)) = index.await {
                backend.client.log_message(MessageType::ERROR, trouble).await;
            }
            backend.publish();
        });
    }

    async fn shutdown(&self) -> Result<()> {
        self.session.shut_down();
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.session.open(params.text_document);
        self.publish();
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.session.change(params);
        self.publish();
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        self.session.close(&uri);
        if !self.session.pulls_diagnostics() {
            self.client.publish_diagnostics(uri, Vec::new(), None).await;
        }
        self.publish();
    }

    async fn did_save(&self, _: DidSaveTextDocumentParams) {
        // Not every client watches files: a save is a good moment to look what else changed.
        let session = Arc::clone(&self.session);
        let _ = tokio::task::spawn_blocking(move || session.rescan()).await;
        self.publish();
    }

    async fn did_change_watched_files(&self, _: DidChangeWatchedFilesParams) {
        let session = Arc::clone(&self.session);
        let _ = tokio::task::spawn_blocking(move || session.rescan()).await;
        self.publish();
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        let session = Arc::clone(&self.session);
        let _ = tokio::task::spawn_blocking(move || session.settings(&params.settings)).await;
        self.publish();
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let uri = params.text_document.uri;
        let items = self
            .ask(move |_, snapshot, converter| match converter.file(snapshot, &uri) {
                Some(file) => {
                    rules::check(snapshot, file).iter().map(|found| converter.diagnostic(snapshot, found)).collect()
                }
                None => Vec::new(),
            })
            .await?;
        let report = FullDocumentDiagnosticReport { result_id: None, items };
        let report =
            RelatedFullDocumentDiagnosticReport { related_documents: None, full_document_diagnostic_report: report };
        Ok(DocumentDiagnosticReportResult::Report(DocumentDiagnosticReport::Full(report)))
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let actions =
            self.ask(move |session, snapshot, converter| session.actions(snapshot, converter, &params)).await?;
        Ok(Some(actions))
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        self.ask(move |session, snapshot, converter| session.resolve(snapshot, converter, action)).await?
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let at = params.text_document_position_params;
        self.ask(move |_, snapshot, converter| {
            let (file, offset) = converter.offset(snapshot, &at)?;
            let subject = cursor::subject(snapshot, file, offset)?;
            let markdown = cursor::hover(snapshot, &subject)?;
            Some(Hover {
                contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: markdown }),
                range: Some(converter.range(snapshot, file, subject.span())),
            })
        })
        .await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        self.ask(move |_, snapshot, converter| {
            let file = converter.file(snapshot, &params.text_document.uri)?;
            let within = converter.span(snapshot, file, params.range)?;
            let hint = |(offset, name): (u32, String)| InlayHint {
                position: converter.range(snapshot, file, crate::text::Span { start: offset, end: offset }).start,
                label: InlayHintLabel::String(name),
                kind: None,
                text_edits: None,
                tooltip: Some(InlayHintTooltip::String("the name that the server reports".into())),
                padding_left: Some(true),
                padding_right: None,
                data: None,
            };
            let counted = cursor::counts(snapshot, file, within).into_iter();
            let counted = counted.map(|found| InlayHint {
                tooltip: Some(InlayHintTooltip::String("how many of the tools here it matches".into())),
                ..hint(found)
            });
            Some(cursor::full_names(snapshot, file, within).into_iter().map(hint).chain(counted).collect())
        })
        .await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        self.ask(move |_, snapshot, converter| {
            let (file, offset) = converter.offset(snapshot, &params.text_document_position)?;
            let offered = cursor::complete(snapshot, file, offset)?;
            let range = converter.range(snapshot, file, offered.span);
            let items = offered.items.into_iter().map(|item| CompletionItem {
                label: item.text.clone(),
                kind: Some(match item.kind {
                    cursor::ItemKind::Server | cursor::ItemKind::Whole => CompletionItemKind::MODULE,
                    cursor::ItemKind::Tool => CompletionItemKind::FUNCTION,
                }),
                detail: Some(item.detail),
                documentation: item
                    .documentation
                    .map(|value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })),
                filter_text: Some(item.filter),
                text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: item.text })),
                ..CompletionItem::default()
            });
            // What is typed next may lead from the server to its tools.
            let list = CompletionList { is_incomplete: true, items: items.collect() };
            Some(CompletionResponse::List(list))
        })
        .await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        self.ask(move |_, snapshot, converter| {
            let (file, offset) = converter.offset(snapshot, &params.text_document_position)?;
            let subject = cursor::subject(snapshot, file, offset)?;
            let places = cursor::references(snapshot, &subject, params.context.include_declaration);
            let locations = places.into_iter().filter_map(|(file, span)| converter.location(snapshot, file, span));
            Some(locations.collect())
        })
        .await
    }

    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        self.ask(move |_, snapshot, converter| {
            let (file, offset) = converter.offset(snapshot, &params.text_document_position_params)?;
            let subject = cursor::subject(snapshot, file, offset)?;
            let places = cursor::references(snapshot, &subject, true).into_iter().filter(|(other, _)| *other == file);
            let highlight = |(_, span)| DocumentHighlight {
                range: converter.range(snapshot, file, span),
                kind: Some(DocumentHighlightKind::TEXT),
            };
            Some(places.map(highlight).collect())
        })
        .await
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        self.ask(move |_, snapshot, converter| {
            let file = converter.file(snapshot, &params.text_document.uri)?;
            let symbols = cursor::symbols(snapshot, file);
            let symbols = symbols.iter().map(|symbol| converter.symbol(snapshot, file, symbol)).collect();
            Some(DocumentSymbolResponse::Nested(symbols))
        })
        .await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.ask(move |_, snapshot, converter| {
            let file = converter.file(snapshot, &params.text_document.uri)?;
            let lenses = cursor::lenses(snapshot, file).into_iter();
            Some(lenses.map(|lens| converter.lens(snapshot, file, &params.text_document.uri, &lens)).collect())
        })
        .await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let at = params.text_document_position_params;
        self.ask(move |_, snapshot, converter| {
            let (file, offset) = converter.offset(snapshot, &at)?;
            let subject = cursor::subject(snapshot, file, offset)?;
            let places = cursor::definitions(snapshot, &subject);
            let locations: Vec<Location> =
                places.into_iter().filter_map(|(file, span)| converter.location(snapshot, file, span)).collect();
            (!locations.is_empty()).then_some(GotoDefinitionResponse::Array(locations))
        })
        .await
    }

    async fn prepare_rename(&self, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        self.ask(move |session, snapshot, converter| {
            let (file, offset) = converter.offset(snapshot, &params)?;
            let text = session.text(snapshot, file)?;
            let (span, placeholder, _) = cursor::prepare_rename(snapshot, file, offset, &text)?;
            let range = converter.range(snapshot, file, span);
            Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: placeholder.to_string() })
        })
        .await
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let renamed: Option<(WorkspaceEdit, Option<String>)> = self
            .ask(move |session, snapshot, converter| {
                let Some((file, offset)) = converter.offset(snapshot, &params.text_document_position) else {
                    return Ok(None);
                };
                let texts = |file| session.text(snapshot, file);
                let mentioning = |words: &[String]| session.mentioning(words);
                let sources = Sources { texts: &texts, mentioning: &mentioning };
                match cursor::rename(snapshot, file, offset, &params.new_name, true, sources) {
                    Ok(plan) => Ok(Some((converter.plan(snapshot, &plan), plan.lost))),
                    Err(refusal) => Err(Error { message: refusal.to_string().into(), ..Error::request_failed() }),
                }
            })
            .await??;
        let Some((edit, lost)) = renamed else { return Ok(None) };
        if let Some(reason) = lost {
            let message = format!("renamed without an alias: {reason}");
            self.client.show_message(MessageType::INFO, message).await;
        }
        Ok(Some(edit))
    }
}

/// An error for a request that was understood and cannot be done.
trait RequestFailed {
    fn request_failed() -> Error;
}

impl RequestFailed for Error {
    fn request_failed() -> Error {
        // -32803, `RequestFailed` of the protocol.
        Error { code: tower_lsp::jsonrpc::ErrorCode::ServerError(-32803), message: "".into(), data: None }
    }
}
