//! Reports of findings: in one document, in all open documents, in a whole folder. The id of a report is computed from
//! its contents, so that unchanged reports are not sent again and earlier ones need not be stored.

use std::collections::HashMap;
use std::hash::Hasher;
use std::path::PathBuf;

use rustc_hash::FxHasher;
use tower_lsp::ls_types::*;

use super::view::View;
use crate::diagnostic;
use crate::rules;
use crate::text::{FileId, Span};

/// The largest number of findings shown in a document: more freeze an editor, and no one reads them.
const MAX_SHOWN: usize = 1000;

impl View {
    /// The report on a document, or a note that it is unchanged since the previous result.
    pub(super) fn report(&self, uri: &Uri, previous: Option<&str>) -> DocumentDiagnosticReport {
        report(self.file(uri).map_or(Vec::new(), |file| self.diagnostics(file)), previous)
    }

    /// The findings in an open document that the rest of its folder, which is still being read, cannot change.
    pub(super) fn first_findings(&self, uri: &Uri) -> Vec<Diagnostic> {
        self.file(uri).map_or(Vec::new(), |file| self.shown(file, &rules::check_alone(&self.snapshot, file)))
    }

    /// The findings in every open document, with its URI and version.
    pub(super) fn open_reports(&self) -> Vec<(Uri, Option<i32>, Vec<Diagnostic>)> {
        let open = self.open.iter().filter_map(|(path, opened)| {
            let file = self.snapshot.files.by_path(path)?.id;
            Some((opened.uri.clone(), Some(opened.version), self.diagnostics(file)))
        });
        open.collect()
    }

    /// The findings in every file of the folder that has any.
    pub(super) fn reports(&self) -> Vec<Reported> {
        use rayon::prelude::*;
        let report = |path: &String| {
            let items = self.diagnostics(self.snapshot.files.by_path(path)?.id);
            let uri = self.uri(path).filter(|_| !items.is_empty())?;
            let version = self.open.get(path).map(|opened| i64::from(opened.version));
            Some(Reported { uri, version, result_id: identity(&items), items })
        };
        let files: Vec<String> = self.snapshot.files.all().map(|file| file.path.to_string()).collect();
        // `found` computes the findings of an open document only once, and uses rayon for it. A thread of rayon that
        // waited for the result could deadlock, so open documents are not processed in parallel.
        let (open, closed): (Vec<String>, Vec<String>) =
            files.into_iter().partition(|path| self.open.contains_key(path));
        let mut reports: Vec<Reported> = open.iter().filter_map(report).collect();
        reports.par_extend(closed.par_iter().filter_map(report));
        reports
    }

    fn diagnostics(&self, file: FileId) -> Vec<Diagnostic> {
        self.shown(file, &self.found(file))
    }

    /// The findings in a file that are shown, in text order: if there are very many, the most severe ones. Remarks on
    /// the whole file come first.
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

/// A report on a document, or a note that it is unchanged since the previous result.
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

/// The findings in a document of a folder.
pub(super) struct Reported {
    uri: Uri,
    version: Option<i64>,
    result_id: String,
    items: Vec<Diagnostic>,
}

impl Reported {
    /// The report for a client that may know an earlier result, and may spell the URI differently.
    fn since(&self, known: Option<&PreviousResultId>) -> WorkspaceDocumentDiagnosticReport {
        let (uri, result_id) = (known.map_or(&self.uri, |known| &known.uri).clone(), self.result_id.clone());
        if known.is_some_and(|known| known.value == result_id) {
            let report = UnchangedDocumentDiagnosticReport { result_id };
            return WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                uri,
                version: self.version,
                unchanged_document_diagnostic_report: report,
            });
        }
        let report = FullDocumentDiagnosticReport { result_id: Some(result_id), items: self.items.clone() };
        WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
            uri,
            version: self.version,
            full_document_diagnostic_report: report,
        })
    }
}

/// The reports for a client that knows some results: one for each document with findings, and an empty one for each
/// known document that no longer has any.
pub(super) fn since(found: &[Reported], known: &[PreviousResultId]) -> Vec<WorkspaceDocumentDiagnosticReport> {
    // A client may spell the URI of a file differently.
    let document = |uri: &Uri| uri.to_file_path().map_or_else(|| uri.as_str().into(), |path| path.into_owned());
    let mut known: HashMap<PathBuf, &PreviousResultId> =
        known.iter().map(|known| (document(&known.uri), known)).collect();
    let mut reports: Vec<WorkspaceDocumentDiagnosticReport> =
        found.iter().map(|found| found.since(known.remove(&document(&found.uri)))).collect();
    reports.extend(known.into_values().filter_map(nothing));
    reports
}

/// The empty report that clears the findings in a document; `None` if the client knows of none.
fn nothing(known: &PreviousResultId) -> Option<WorkspaceDocumentDiagnosticReport> {
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

/// The id of a report, which is the same for the same findings.
fn identity(items: &[Diagnostic]) -> String {
    let mut hasher = FxHasher::default();
    for item in items {
        hasher.write(serde_json::to_string(item).unwrap_or_default().as_bytes());
    }
    format!("{}-{:x}", items.len(), hasher.finish())
}
