//! Reports of findings: of one document, of all that are open, of a whole folder. Each has an identity that follows from what
//! it says, so that nothing is sent twice and nothing has to be remembered.

use std::collections::HashMap;
use std::hash::Hasher;

use rustc_hash::FxHasher;
use tower_lsp::ls_types::*;

use super::view::View;
use crate::diagnostic;
use crate::rules;
use crate::text::{FileId, Span};

/// How many findings of one document are shown; more freeze an editor, and nobody reads them.
const MAX_SHOWN: usize = 1000;

impl View {
    /// What is said of a document; that it is what was said before, where it is.
    pub(super) fn report(&self, uri: &Uri, previous: Option<&str>) -> DocumentDiagnosticReport {
        report(self.file(uri).map_or(Vec::new(), |file| self.diagnostics(file)), previous)
    }

    /// What is said of a document that is open, while the rest of its folder is still being read: what nothing there takes back.
    pub(super) fn first_findings(&self, uri: &Uri) -> Vec<Diagnostic> {
        self.file(uri).map_or(Vec::new(), |file| self.shown(file, rules::check_alone(&self.snapshot, file)))
    }

    /// What is said of every open document.
    pub(super) fn open_reports(&self) -> Vec<(Uri, Option<i32>, Vec<Diagnostic>)> {
        let open = self.open.iter().filter_map(|(path, opened)| {
            let file = self.snapshot.files.by_path(path)?.id;
            Some((opened.uri.clone(), Some(opened.version), self.diagnostics(file)))
        });
        open.collect()
    }

    /// What is said of every file of the folder of which something is or was said.
    pub(super) fn reports(&self, known: &[PreviousResultId]) -> Vec<WorkspaceDocumentDiagnosticReport> {
        use rayon::prelude::*;
        let previous: HashMap<FileId, &PreviousResultId> =
            known.iter().filter_map(|known| Some((self.file(&known.uri)?, known))).collect();
        let files: Vec<(FileId, String)> =
            self.snapshot.files.all().map(|file| (file.id, file.path.to_string())).collect();
        let reports = files.par_iter().filter_map(|(file, path)| {
            let items = self.diagnostics(*file);
            let known = previous.get(file);
            if items.is_empty() && known.is_none() {
                return None;
            }
            let (uri, result_id) = (known.map(|known| known.uri.clone()).or_else(|| self.uri(path))?, identity(&items));
            let version = self.open.get(path).map(|opened| i64::from(opened.version));
            if known.is_some_and(|known| known.value == result_id) {
                let report = UnchangedDocumentDiagnosticReport { result_id };
                let report = WorkspaceUnchangedDocumentDiagnosticReport {
                    uri,
                    version,
                    unchanged_document_diagnostic_report: report,
                };
                return Some(WorkspaceDocumentDiagnosticReport::Unchanged(report));
            }
            let report = FullDocumentDiagnosticReport { result_id: Some(result_id), items };
            let report =
                WorkspaceFullDocumentDiagnosticReport { uri, version, full_document_diagnostic_report: report };
            Some(WorkspaceDocumentDiagnosticReport::Full(report))
        });
        let mut reports: Vec<WorkspaceDocumentDiagnosticReport> = reports.collect();
        // Of a file that is gone nothing is said any more.
        reports.extend(known.iter().filter(|known| self.is_gone(known)).filter_map(nothing));
        reports
    }

    /// Whether something was said of a file that was in this folder.
    fn is_gone(&self, known: &PreviousResultId) -> bool {
        let was_here = known.uri.to_file_path().is_some_and(|path| path.starts_with(&self.root));
        was_here && self.file(&known.uri).is_none()
    }

    fn diagnostics(&self, file: FileId) -> Vec<Diagnostic> {
        self.shown(file, rules::check(&self.snapshot, file))
    }

    /// What is found in a file, as far as it is shown: the gravest of very many, in the order of the text.
    fn shown(&self, file: FileId, mut found: Vec<diagnostic::Diagnostic>) -> Vec<Diagnostic> {
        let hidden = found.len().saturating_sub(MAX_SHOWN);
        if hidden > 0 {
            found.sort_by_key(|found| (std::cmp::Reverse(found.severity), found.span));
            found.truncate(MAX_SHOWN);
            found.sort_by_key(|found| found.span);
        }
        let more = (hidden > 0).then(|| Diagnostic {
            range: self.range(file, Span::at(0)),
            severity: Some(DiagnosticSeverity::INFORMATION),
            source: Some("toolnames".into()),
            message: format!("{hidden} more findings are not shown here; `toolnames check` lists them all"),
            ..Diagnostic::default()
        });
        more.into_iter().chain(found.iter().map(|found| self.diagnostic(found))).collect()
    }
}

/// A report of a document; that it is what was said before, where it is.
pub(super) fn report(items: Vec<Diagnostic>, previous: Option<&str>) -> DocumentDiagnosticReport {
    let result_id = identity(&items);
    if previous == Some(&result_id) {
        let unchanged_document_diagnostic_report = UnchangedDocumentDiagnosticReport { result_id };
        return DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report,
        });
    }
    let full = FullDocumentDiagnosticReport { result_id: Some(result_id), items };
    DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: full,
    })
}

/// The report that takes back what was said of a document, unless nothing was.
pub(super) fn nothing(known: &PreviousResultId) -> Option<WorkspaceDocumentDiagnosticReport> {
    let result_id = identity(&[]);
    if known.value == result_id {
        return None;
    }
    let report = FullDocumentDiagnosticReport { result_id: Some(result_id), items: Vec::new() };
    Some(WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
        uri: known.uri.clone(),
        version: None,
        full_document_diagnostic_report: report,
    }))
}

/// The identity of a report: the same for the same findings.
fn identity(items: &[Diagnostic]) -> String {
    let mut hasher = FxHasher::default();
    for item in items {
        hasher.write(serde_json::to_string(item).unwrap_or_default().as_bytes());
    }
    format!("{}-{:x}", items.len(), hasher.finish())
}
