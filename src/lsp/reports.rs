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
    /// The report on a document, or that it is unchanged.
    pub(super) fn report(&self, uri: &Uri, previous: Option<&str>) -> DocumentDiagnosticReport {
        report(self.file(uri).map_or(Vec::new(), |file| self.diagnostics(file)), previous)
    }

    /// The findings about an open document that the rest of its folder, which is still being read, cannot change.
    pub(super) fn first_findings(&self, uri: &Uri) -> Vec<Diagnostic> {
        self.file(uri).map_or(Vec::new(), |file| self.shown(file, &rules::check_alone(&self.snapshot, file)))
    }

    /// The findings about every open document.
    pub(super) fn open_reports(&self) -> Vec<(Uri, Option<i32>, Vec<Diagnostic>)> {
        let open = self.open.iter().filter_map(|(path, opened)| {
            let file = self.snapshot.files.by_path(path)?.id;
            Some((opened.uri.clone(), Some(opened.version), self.diagnostics(file)))
        });
        open.collect()
    }

    /// The findings about every file of the folder that has or had some.
    pub(super) fn reports(&self, known: &[PreviousResultId]) -> Vec<WorkspaceDocumentDiagnosticReport> {
        use rayon::prelude::*;
        let previous: HashMap<FileId, &PreviousResultId> =
            known.iter().filter_map(|known| Some((self.file(&known.uri)?, known))).collect();
        let files: Vec<(FileId, String)> =
            self.snapshot.files.all().map(|file| (file.id, file.path.to_string())).collect();
        let report = |(file, path): &(FileId, String)| {
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
        };
        // Findings of open documents are computed once, with the help of rayon's threads: none of these may wait for them.
        let (open, closed): (Vec<_>, Vec<_>) = files.into_iter().partition(|(_, path)| self.open.contains_key(path));
        let mut reports: Vec<WorkspaceDocumentDiagnosticReport> = open.iter().filter_map(report).collect();
        reports.par_extend(closed.par_iter().filter_map(report));
        // Of a file that is gone nothing is said any more.
        reports.extend(known.iter().filter(|known| self.is_gone(known)).filter_map(nothing));
        reports
    }

    /// Whether a file of this folder has been reported on.
    fn is_gone(&self, known: &PreviousResultId) -> bool {
        let was_here = known.uri.to_file_path().is_some_and(|path| path.starts_with(&self.root));
        was_here && self.file(&known.uri).is_none()
    }

    fn diagnostics(&self, file: FileId) -> Vec<Diagnostic> {
        self.shown(file, &self.found(file))
    }

    /// What is found in a file, as far as it is shown: the gravest of very many, in the order of the text. Before it, what is
    /// to be known of all of it.
    fn shown(&self, file: FileId, found: &[diagnostic::Diagnostic]) -> Vec<Diagnostic> {
        let hidden = found.len().saturating_sub(MAX_SHOWN);
        let mut shown: Vec<&diagnostic::Diagnostic> = found.iter().collect();
        if hidden > 0 {
            shown.sort_by_key(|found| (std::cmp::Reverse(found.severity), found.span));
            shown.truncate(MAX_SHOWN);
            shown.sort_by_key(|found| found.span);
        }
        let of_all = |message: String| Diagnostic {
            range: self.first_line(file),
            severity: Some(DiagnosticSeverity::INFORMATION),
            source: Some("toolnames".into()),
            message,
            ..Diagnostic::default()
        };
        let unread = self.unreadable(file).map(|reason| format!("this file is not read: {reason}"));
        let more = (hidden > 0)
            .then(|| format!("{hidden} more findings are not shown here; `toolnames check` lists them all"));
        let of_all = unread.into_iter().chain(more).map(of_all);
        of_all.chain(shown.into_iter().map(|found| self.diagnostic(found))).collect()
    }

    fn first_line(&self, file: FileId) -> Range {
        let open = self.snapshot.files.get(file).and_then(|file| file.open.as_ref());
        let end = open.map_or(0, |open| open.text.find(['\r', '\n']).unwrap_or(open.text.len()));
        self.range(file, Span { start: 0, end: end as u32 })
    }
}

/// The document that a report is about.
pub(super) fn uri_of(report: &WorkspaceDocumentDiagnosticReport) -> &Uri {
    match report {
        WorkspaceDocumentDiagnosticReport::Full(report) => &report.uri,
        WorkspaceDocumentDiagnosticReport::Unchanged(report) => &report.uri,
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

/// The empty report that clears the findings about a document; `None` if it had none.
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
