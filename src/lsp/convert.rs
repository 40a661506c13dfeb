//! Conversion of spans and findings to the protocol's positions, ranges and edits, and back.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;
use tower_lsp::ls_types::*;

use super::capabilities::{NOTHING, SHOW_PLACES};
use super::view::View;
use crate::cursor;
use crate::diagnostic;
use crate::rename::{Group, Plan};
use crate::show;
use crate::text::{self, Edit, FileId, LineIndex, Span};

impl View {
    /// The path of a document relative to the root, with `/`, or its full path if it lies elsewhere.
    fn path(&self, uri: &Uri) -> Option<String> {
        let open = || self.open.iter().find(|(_, opened)| opened.uri == *uri);
        path_of(&self.root, uri).or_else(|| open().map(|(path, _)| path.clone()))
    }

    pub(super) fn file(&self, uri: &Uri) -> Option<FileId> {
        Some(self.snapshot.files.by_path(&self.path(uri)?)?.id)
    }

    /// The URI of a path, in the editor's own form if the document is open.
    pub(super) fn uri(&self, path: &str) -> Option<Uri> {
        let open = self.open.get(path).map(|opened| opened.uri.clone());
        open.or_else(|| Uri::from_file_path(self.root.join(path)))
    }

    /// The file and byte offset of a position.
    pub(super) fn offset(&self, at: &TextDocumentPositionParams) -> Option<(FileId, u32)> {
        let file = self.file(&at.text_document.uri)?;
        Some((file, self.byte(file, at.position)?))
    }

    fn byte(&self, file: FileId, position: Position) -> Option<u32> {
        let file = self.snapshot.files.get(file)?;
        let text = &file.open.as_ref()?.text;
        let position = text::Position { line: position.line, column: position.character };
        Some(file.lines.offset(position, self.negotiated.encoding, text))
    }

    /// The byte span of a range.
    pub(super) fn span(&self, file: FileId, range: Range) -> Option<Span> {
        let start = self.byte(file, range.start)?;
        let end = self.byte(file, range.end)?.max(start);
        Some(Span { start, end })
    }

    pub(super) fn range(&self, file: FileId, span: Span) -> Range {
        let position = |offset| {
            let position = self.snapshot.position(file, offset, self.negotiated.encoding);
            Position { line: position.line, character: position.column }
        };
        Range { start: position(span.start), end: position(span.end) }
    }

    pub(super) fn location(&self, file: FileId, span: Span) -> Option<Location> {
        let uri = self.uri(self.snapshot.files.path(file))?;
        Some(Location { uri, range: self.range(file, span) })
    }

    pub(super) fn diagnostic(&self, found: &diagnostic::Diagnostic) -> Diagnostic {
        let related: Vec<DiagnosticRelatedInformation> = found
            .related
            .iter()
            .filter_map(|related| {
                let location = self.location(related.file, related.span)?;
                Some(DiagnosticRelatedInformation { location, message: show::message(&related.message) })
            })
            .collect();
        let redundant = matches!(found.rule, "permission-duplicate" | "permission-redundant");
        Diagnostic {
            range: self.range(found.file, found.span),
            severity: Some(match found.severity {
                diagnostic::Severity::Error => DiagnosticSeverity::ERROR,
                diagnostic::Severity::Warning => DiagnosticSeverity::WARNING,
                diagnostic::Severity::Info => DiagnosticSeverity::INFORMATION,
                diagnostic::Severity::Hint => DiagnosticSeverity::HINT,
            }),
            code: Some(NumberOrString::String(found.rule.into())),
            source: Some("toolnames".into()),
            message: show::message(&found.message),
            related_information: (!related.is_empty()).then_some(related),
            tags: redundant.then(|| vec![DiagnosticTag::UNNECESSARY]),
            ..Diagnostic::default()
        }
    }

    /// A symbol of an outline with its children; `left` is the number of symbols that may still be shown. `None` if
    /// that is zero.
    #[allow(deprecated)]
    pub(super) fn symbol(&self, file: FileId, symbol: &cursor::Symbol, left: &mut usize) -> Option<DocumentSymbol> {
        *left = left.checked_sub(1)?;
        let children = symbol.children.iter().map_while(|child| self.symbol(file, child, left)).collect::<Vec<_>>();
        Some(DocumentSymbol {
            name: show::value(&symbol.name),
            detail: Some(show::value(&symbol.detail)).filter(|detail| !detail.is_empty()),
            kind: symbol_kind(symbol.kind),
            tags: None,
            deprecated: None,
            range: self.range(file, symbol.whole),
            selection_range: self.range(file, symbol.span),
            children: Some(children).filter(|children| !children.is_empty()),
        })
    }

    /// The last entry of a truncated outline, with the number of hidden symbols.
    #[allow(deprecated)]
    pub(super) fn more_symbols(&self, file: FileId, hidden: usize) -> DocumentSymbol {
        let range = self.range(file, Span::at(0));
        DocumentSymbol {
            name: format!("{hidden} more are not shown here"),
            detail: None,
            kind: SymbolKind::STRING,
            tags: None,
            deprecated: None,
            range,
            selection_range: range,
            children: None,
        }
    }

    /// A symbol of the whole workspace.
    pub(super) fn workspace_symbol(&self, file: FileId, symbol: &cursor::Symbol) -> Option<WorkspaceSymbol> {
        Some(WorkspaceSymbol {
            name: show::value(&symbol.name),
            kind: symbol_kind(symbol.kind),
            tags: None,
            container_name: Some(show::value(&symbol.detail)).filter(|detail| !detail.is_empty()),
            location: OneOf::Left(self.location(file, symbol.span)?),
            data: None,
        })
    }

    /// A lens above a registration. Editors that have [`SHOW_PLACES`] show its places; for others it is only text.
    pub(super) fn lens(&self, file: FileId, uri: &Uri, lens: &cursor::Lens) -> CodeLens {
        let range = self.range(file, lens.span);
        let places: Vec<Location> = lens.places.iter().filter_map(|(file, span)| self.location(*file, *span)).collect();
        let shown = self.negotiated.shows_places;
        let arguments = shown.then(|| vec![json!(uri), json!(range.start), json!(places)]);
        // A client without [`SHOW_PLACES`] shows the lens as text, and running its command does nothing.
        let command = if shown { SHOW_PLACES } else { NOTHING }.to_string();
        let command = Command { title: show::message(&lens.title), command, arguments };
        CodeLens { range, command: Some(command), data: None }
    }

    /// An edit that creates a file; `None` if the client cannot create files.
    pub(super) fn new_file(&self, path: &str, text: String) -> Option<WorkspaceEdit> {
        let uri = self.uri(path).filter(|_| self.negotiated.creates_files)?;
        let options = Some(CreateFileOptions { overwrite: None, ignore_if_exists: Some(true) });
        let create = CreateFile { uri: uri.clone(), options, annotation_id: None };
        let edit = TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri, version: None },
            edits: vec![OneOf::Left(TextEdit { range: Range::default(), new_text: text })],
        };
        let operations =
            vec![DocumentChangeOperation::Op(ResourceOp::Create(create)), DocumentChangeOperation::Edit(edit)];
        Some(WorkspaceEdit {
            document_changes: Some(DocumentChanges::Operations(operations)),
            ..WorkspaceEdit::default()
        })
    }

    /// The edit of a fix or a rename, in a form that the client supports. A client that shows annotations lets the user
    /// review changes to documents first.
    pub(super) fn workspace_edit(&self, plan: &Plan) -> WorkspaceEdit {
        let documents = || plan.documents.iter().filter(|(_, document)| !document.edits.is_empty());
        let is_grouped = self.negotiated.change_annotations && plan.changes.len() + documents().count() > 1;
        let mut by_file: BTreeMap<String, (Uri, Vec<(TextEdit, Group)>)> = BTreeMap::new();
        let mut add = |path: &str, edits: Vec<(TextEdit, Group)>| {
            if let Some(uri) = self.uri(path) {
                by_file.entry(path.to_string()).or_insert_with(|| (uri, Vec::new())).1.extend(edits);
            }
        };
        for (group, edits) in &plan.changes {
            for (file, edits) in edits {
                let edit =
                    |edit: &Edit| TextEdit { range: self.range(*file, edit.span), new_text: edit.new_text.clone() };
                add(self.snapshot.files.path(*file), edits.iter().map(|one| (edit(one), *group)).collect());
            }
        }
        for (path, document) in documents() {
            let lines = match self.open.contains_key(path) {
                true => LineIndex::of_document(&document.text),
                false => LineIndex::of_file(&document.text),
            };
            let position = |at| {
                let position = lines.position(at, self.negotiated.encoding);
                Position { line: position.line, character: position.column }
            };
            let edit = |edit: &Edit| TextEdit {
                range: Range { start: position(edit.span.start), end: position(edit.span.end) },
                new_text: edit.new_text.clone(),
            };
            add(path, document.edits.iter().map(|one| (edit(one), Group::Docs)).collect());
        }
        if !self.negotiated.document_changes {
            let plain =
                |(uri, edits): (Uri, Vec<(TextEdit, Group)>)| (uri, edits.into_iter().map(|(edit, _)| edit).collect());
            let changes = by_file.into_values().map(plain).collect();
            return WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() };
        }
        let annotated = |(text_edit, group): (TextEdit, Group)| match is_grouped {
            true => OneOf::Right(AnnotatedTextEdit { text_edit, annotation_id: group.id().to_string() }),
            false => OneOf::Left(text_edit),
        };
        let changes = by_file.into_iter().map(|(path, (uri, edits))| TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier {
                uri,
                version: self.open.get(&path).map(|opened| opened.version),
            },
            edits: edits.into_iter().map(annotated).collect(),
        });
        let changes = DocumentChanges::Edits(changes.collect());
        let annotations =
            is_grouped.then(|| Group::ALL.into_iter().map(|group| (group.id().to_string(), annotation(group))));
        WorkspaceEdit {
            document_changes: Some(changes),
            change_annotations: annotations.map(Iterator::collect),
            ..WorkspaceEdit::default()
        }
    }
}

fn symbol_kind(kind: cursor::SymbolKind) -> SymbolKind {
    match kind {
        cursor::SymbolKind::Server => SymbolKind::MODULE,
        cursor::SymbolKind::Tool => SymbolKind::FUNCTION,
        cursor::SymbolKind::Prompt => SymbolKind::EVENT,
        cursor::SymbolKind::Resource => SymbolKind::FILE,
        cursor::SymbolKind::List => SymbolKind::ARRAY,
        cursor::SymbolKind::Permission => SymbolKind::KEY,
    }
}

/// The annotation that a client shows for a group of edits.
fn annotation(group: Group) -> ChangeAnnotation {
    let (label, description, confirm) = match group {
        Group::Source => ("Name", "the registration, and the code by which the server finds the tool", false),
        Group::Alias => ("Alias", "the code that keeps the old name callable", true),
        Group::Permissions => ("Permissions", "permission entries and hooks that name the tool", false),
        Group::Docs => ("Documents and descriptions", "the text that mentions the tool", true),
    };
    ChangeAnnotation {
        label: label.to_string(),
        needs_confirmation: Some(confirm),
        description: Some(description.to_string()),
    }
}

/// The path of a document relative to a root, with `/`, or its full path if it lies elsewhere; `None` if the URI is not
/// that of a file.
pub(super) fn path_of(root: &Path, uri: &Uri) -> Option<String> {
    if uri.scheme().as_str() != "file" {
        return None;
    }
    let path = uri.to_file_path()?;
    let path = path.strip_prefix(root).unwrap_or(&path);
    Some(path.to_str()?.replace('\\', "/"))
}
