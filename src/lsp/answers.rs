//! Answers to requests about a place in a document: the results of [`cursor`], in the protocol's types.

use serde_json::{Value, json};
use tower_lsp::ls_types::*;

use super::view::View;
use crate::cursor::{self, Subject};
use crate::known::public::not_known;
use crate::rename::{Left, Plan, Refusal, Remark, Sources, Undone, remarks};
use crate::show::{self, Markdown};
use crate::text::{FileId, LineIndex, Span};
use crate::workspace::Content;

/// The largest number of remarks on a rename: no one reads more in a message.
const MAX_REMARKS: usize = 8;
/// The largest number of symbols in an outline, at all levels: more are slow to show, and to read.
const MAX_SYMBOLS: usize = 2000;

impl View {
    pub(super) fn hover(&self, at: &TextDocumentPositionParams) -> Option<Hover> {
        let (file, offset) = self.offset(at)?;
        if matches!(self.snapshot.files.get(file)?.content, Content::Config(_)) {
            let (value, span) = cursor::settings::hover(&self.text(file)?, offset)?;
            return Some(self.markdown(file, span, value));
        }
        let subject = self.subject(file, offset)?;
        let value = cursor::hover(&self.snapshot, &subject)?;
        Some(self.markdown(file, subject.span(), value))
    }

    fn subject(&self, file: FileId, offset: u32) -> Option<Subject<'_>> {
        cursor::subject_or_spoken_of(&self.snapshot, file, offset, || self.text(file))
    }

    fn markdown(&self, file: FileId, span: Span, value: Markdown) -> Hover {
        Hover { contents: HoverContents::Markup(markup(value)), range: Some(self.range(file, span)) }
    }

    pub(super) fn inlay_hints(&self, params: &InlayHintParams) -> Option<Vec<InlayHint>> {
        let file = self.file(&params.text_document.uri)?;
        let within = self.span(file, params.range)?;
        let hint = |(offset, said): (u32, String), tooltip: &str| InlayHint {
            position: self.range(file, Span { start: offset, end: offset }).start,
            label: InlayHintLabel::String(show::value(&said)),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(tooltip.to_string())),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        };
        let names = cursor::full_names(&self.snapshot, file, within).into_iter();
        let names = names.map(|found| hint(found, "the name that the server reports"));
        let lengths = cursor::lengths_left(&self.snapshot, file, within).into_iter();
        let names = names.chain(lengths.map(|found| hint(found, "before the name is too long for a client in use")));
        let counts = cursor::counts(&self.snapshot, file, within).into_iter();
        Some(
            names.chain(counts.map(|found| hint(found, "the number of known tools that this entry matches"))).collect(),
        )
    }

    pub(super) fn completion(&self, at: &TextDocumentPositionParams) -> Option<CompletionResponse> {
        let (file, offset) = self.offset(at)?;
        let offered = cursor::complete(&self.snapshot, file, offset, || self.text(file))?;
        let range = self.range(file, offered.span);
        let items = offered.items.into_iter().map(|item| {
            let later = self.negotiated.resolves_documentation;
            CompletionItem {
                label: show::value(if item.kind == cursor::ItemKind::Key { &item.filter } else { &item.text }),
                kind: Some(match item.kind {
                    cursor::ItemKind::Server | cursor::ItemKind::Whole => CompletionItemKind::MODULE,
                    cursor::ItemKind::Tool => CompletionItemKind::FUNCTION,
                    cursor::ItemKind::Key => CompletionItemKind::PROPERTY,
                    cursor::ItemKind::Value => CompletionItemKind::VALUE,
                }),
                detail: Some(show::value(&item.detail)),
                data: (later && item.documentation.is_some()).then(|| json!(at)),
                documentation: item.documentation.filter(|_| !later).map(documentation),
                filter_text: Some(item.filter),
                text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: item.text })),
                ..CompletionItem::default()
            }
        });
        // After the next character, the list may contain a server's tools instead of servers.
        let list = CompletionList { is_incomplete: true, items: items.collect() };
        Some(CompletionResponse::List(list))
    }

    /// Adds the documentation to a completion item.
    pub(super) fn completed(&self, item: CompletionItem, at: &TextDocumentPositionParams) -> CompletionItem {
        let offered = self
            .offset(at)
            .and_then(|(file, offset)| cursor::complete(&self.snapshot, file, offset, || self.text(file)));
        let is_it =
            |found: &cursor::Item| [&found.text, &found.filter].iter().any(|text| show::value(text) == item.label);
        let found = offered.into_iter().flat_map(|offered| offered.items).find(is_it);
        CompletionItem { documentation: found.and_then(|found| found.documentation).map(documentation), ..item }
    }

    pub(super) fn references(&self, params: &ReferenceParams) -> Option<Vec<Location>> {
        let (file, offset) = self.offset(&params.text_document_position)?;
        let subject = self.subject(file, offset)?;
        let places = cursor::references(&self.snapshot, &subject, params.context.include_declaration);
        Some(places.into_iter().filter_map(|(file, span)| self.location(file, span)).collect())
    }

    pub(super) fn highlights(&self, at: &TextDocumentPositionParams) -> Option<Vec<DocumentHighlight>> {
        let (file, offset) = self.offset(at)?;
        let subject = self.subject(file, offset)?;
        let places = cursor::references(&self.snapshot, &subject, true).into_iter().filter(|(other, _)| *other == file);
        let mut spans: Vec<Span> = places.map(|(_, span)| span).chain([subject.span()]).collect();
        spans.sort();
        spans.dedup();
        let highlight =
            |span| DocumentHighlight { range: self.range(file, span), kind: Some(DocumentHighlightKind::TEXT) };
        Some(spans.into_iter().map(highlight).collect())
    }

    pub(super) fn document_symbols(&self, uri: &Uri) -> Option<DocumentSymbolResponse> {
        let file = self.file(uri)?;
        let symbols = cursor::symbols(&self.snapshot, file);
        let mut left = MAX_SYMBOLS;
        let mut shown: Vec<DocumentSymbol> =
            symbols.iter().map_while(|symbol| self.symbol(file, symbol, &mut left)).collect();
        let hidden = count_of(&symbols).saturating_sub(MAX_SYMBOLS);
        shown.extend((hidden > 0).then(|| self.more_symbols(file, hidden)));
        Some(DocumentSymbolResponse::Nested(shown))
    }

    pub(super) fn workspace_symbols(&self, query: &str) -> Vec<WorkspaceSymbol> {
        let found = cursor::workspace_symbols(&self.snapshot, query);
        found.iter().filter_map(|(file, symbol)| self.workspace_symbol(*file, symbol)).collect()
    }

    /// The answer to `toolnames/tools`: the servers of the folder with their tools, and what client files say about
    /// each, for a view that shows all of them.
    pub(super) fn tools(&self) -> Value {
        let location = |place: &(FileId, Span)| json!(self.location(place.0, place.1));
        let said = |said: &cursor::Said| {
            json!({
                "kind": said.kind, "client": said.client, "text": said.text, "decides": said.decides,
                "location": location(&said.place), "path": self.snapshot.files.path(said.place.0),
            })
        };
        let tool = |tool: &cursor::ToolOverview| {
            json!({
                "name": tool.name, "title": tool.title, "aliasOf": tool.alias_of, "destructive": tool.is_destructive,
                "location": location(&tool.place), "path": self.snapshot.files.path(tool.place.0),
                "said": tool.said.iter().map(said).collect::<Vec<Value>>(),
            })
        };
        let servers = cursor::overview(&self.snapshot).into_iter().map(|server| {
            let keys = server.keys.iter().map(|(key, entries)| {
                json!({ "key": key, "locations": entries.iter().map(location).collect::<Vec<Value>>() })
            });
            let more = (server.more_tools > 0)
                .then(|| format!("{} more are not shown here; `toolnames list` lists them all", server.more_tools));
            json!({
                "name": server.name, "root": server.root, "keys": keys.collect::<Vec<Value>>(),
                "incompleteBecause": server.incomplete_because.iter().chain(&more).collect::<Vec<&String>>(),
                "tools": server.tools.iter().map(tool).collect::<Vec<Value>>(),
            })
        });
        let unknown = not_known(&self.snapshot);
        json!({ "folder": self.uri(""), "servers": servers.collect::<Vec<Value>>(), "notKnown": unknown })
    }

    pub(super) fn lenses(&self, uri: &Uri) -> Option<Vec<CodeLens>> {
        let file = self.file(uri)?;
        let lenses = cursor::lenses(&self.snapshot, file).into_iter();
        Some(lenses.map(|lens| self.lens(file, uri, &lens)).collect())
    }

    pub(super) fn definition(&self, at: &TextDocumentPositionParams) -> Option<GotoDefinitionResponse> {
        let (file, offset) = self.offset(at)?;
        let subject = self.subject(file, offset)?;
        let places = cursor::definitions(&self.snapshot, &subject).into_iter();
        let locations: Vec<Location> = places.filter_map(|(file, span)| self.location(file, span)).collect();
        (!locations.is_empty()).then_some(GotoDefinitionResponse::Array(locations))
    }

    pub(super) fn prepare_rename(&self, at: &TextDocumentPositionParams) -> Option<PrepareRenameResponse> {
        let (file, offset) = self.offset(at)?;
        let text = self.text(file)?;
        let (span, placeholder, _) = cursor::prepare_rename(&self.snapshot, file, offset, &text)?;
        let placeholder = show::value(placeholder);
        Some(PrepareRenameResponse::RangeWithPlaceholder { range: self.range(file, span), placeholder })
    }

    /// The edit of a rename, and the remarks to show with it; `None` if there is no name at the position.
    ///
    /// # Errors
    /// The reason why the rename is not possible.
    pub(super) fn rename(&self, params: &RenameParams) -> Result<Option<(WorkspaceEdit, Vec<String>)>, Refusal> {
        let Some((file, offset)) = self.offset(&params.text_document_position) else { return Ok(None) };
        let texts = |file| self.text(file);
        let sources = Sources { texts: &texts, around: self };
        let plan = cursor::rename(&self.snapshot, file, offset, &params.new_name, true, sources)?;
        Ok(Some((self.workspace_edit(&plan), self.remarks(&plan))))
    }

    /// The notes about a rename that its edits do not show: why an alias is missing or of another kind,
    /// and which places were left unchanged.
    fn remarks(&self, plan: &Plan) -> Vec<String> {
        let lost = plan.lost.iter().map(|reason| format!("renamed without an alias: {reason}"));
        let fallback = plan.fallback.iter().zip(plan.alias);
        let fallback = fallback.map(|(reason, mode)| format!("added a {} alias: {reason}", mode.as_str()));
        let place = |path: &str, line: u32, left: &Left| Remark {
            path: path.to_string(),
            line: line + 1,
            column: None,
            reason: Undone::Left(left.clone()),
        };
        let in_files = plan.skipped.iter().map(|left| {
            let line = self.range(left.file, left.span).start.line;
            place(self.snapshot.files.path(left.file), line, &left.reason)
        });
        let in_documents = plan.documents.iter().flat_map(|(path, document)| {
            let lines = LineIndex::of_file(&document.text);
            let line = move |span: &Span| lines.position(span.start, self.negotiated.encoding).line;
            document.skipped.iter().map(move |(span, left)| place(path, line(span), left))
        });
        let left: Vec<Remark> = in_files.chain(in_documents).collect();
        let first = lost.chain(fallback).map(|remark| (false, remark));
        let mut all: Vec<(bool, String)> = first.chain(remarks(&left)).collect();
        // Drop weak matches first when truncating: they are nearly always ordinary words.
        all.sort_by_key(|(is_word, _)| *is_word);
        let mut all: Vec<String> = all.into_iter().map(|(_, remark)| remark).collect();
        let more = all.len().saturating_sub(MAX_REMARKS);
        if more > 0 {
            all.truncate(MAX_REMARKS);
            all.push(format!("and {more} more: `toolnames rename --dry-run` lists them"));
        }
        all.iter().map(|remark| show::message(remark)).collect()
    }
}

/// The number of symbols, including nested ones.
fn count_of(symbols: &[cursor::Symbol]) -> usize {
    symbols.iter().map(|symbol| 1 + count_of(&symbol.children)).sum()
}

/// The position for which a completion item was offered, if its documentation was left for later.
pub(super) fn asked_at(item: &CompletionItem) -> Option<TextDocumentPositionParams> {
    serde_json::from_value::<TextDocumentPositionParams>(item.data.clone().unwrap_or(Value::Null)).ok()
}

fn documentation(value: Markdown) -> Documentation {
    Documentation::MarkupContent(markup(value))
}

/// Converts Markdown to the protocol's markup: all text that an editor renders passes through here.
fn markup(value: Markdown) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value: value.into_string() }
}
