//! Rules about tools in documents: tables, registries, names in code, and stated numbers of tools.

mod context;
pub(super) mod count;
pub(super) mod name;
pub(crate) mod registry;
mod stale;
mod subject;
pub(super) mod table;

use rustc_hash::FxHashMap;

use super::Cx;
use crate::diagnostic::Diagnostic;
use crate::document::Markdown;
use crate::text::Edit;
use crate::workspace::{Content, File, Tool};

/// Returns the edit that adds a tool's row to a document's table of tools; `None` if the document has no such table.
pub(super) fn row_of_tool(cx: &Cx<'_>, file: &File, markdown: &Markdown, tool: &Tool) -> Option<Edit> {
    table::row_added(cx, &subject::near(cx, &file.path), markdown, tool)
}

/// Returns the titles that tables in documents give to tools.
pub(super) fn titles_of_tools(cx: &Cx<'_>) -> FxHashMap<*const Tool, String> {
    let asked = &cx.policy.convention.documents;
    let mut titles = FxHashMap::default();
    for file in cx.snapshot.files.all().filter(|file| asked.tables.contain(&file.path)) {
        if let Content::Markdown(markdown) = &file.content {
            for (tool, title) in table::titles_of(cx, &subject::near(cx, &file.path), markdown) {
                titles.entry(std::ptr::from_ref(tool)).or_insert(title);
            }
        }
    }
    titles
}

/// Checks a document for former names of tools, and against the convention's requirements for documents.
pub(super) fn check(cx: &Cx<'_>, markdown: &Markdown, diagnostics: &mut Vec<Diagnostic>) {
    let asked = &cx.policy.convention.documents;
    let path: &str = &cx.file.path;
    stale::check(cx, markdown, diagnostics);
    let subjects = subject::near(cx, path);
    if subjects.is_empty() {
        return;
    }
    if asked.registry.contain(path) {
        registry::check(cx, &subjects, markdown, diagnostics);
    }
    if asked.tables.contain(path) {
        table::check(cx, &subjects, markdown, diagnostics);
    }
    if asked.named.contain(path) {
        name::check(cx, &subjects, markdown, diagnostics);
        count::check(cx, &subjects, markdown, diagnostics);
    }
}
