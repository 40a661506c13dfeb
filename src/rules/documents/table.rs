//! `docs-table`: a table of tools does not agree with the code.

use rustc_hash::FxHashSet;

use super::context::Context;
use super::subject::{self, Subject, known_text, rows_added, summary};
use crate::convention::Column;
use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::document::{Cell, Markdown, Table};
use crate::rules::{Cx, Rule, Scope};
use crate::text::Edit;
use crate::workspace::Tool;

pub(crate) const RULE: Rule =
    Rule { id: "docs-table", default: Severity::Warning, scope: Scope::Workspace, docs: include_str!("table.md") };

pub(super) fn check(cx: &Cx<'_>, subjects: &[Subject<'_>], markdown: &Markdown, diagnostics: &mut Vec<Diagnostic>) {
    // A table about the past need not agree with the code.
    let is_present = |table: &&Table| !Context::of(markdown, table.delimiter).is_past();
    let tables: Vec<OfTools<'_, '_>> =
        markdown.tables.iter().filter(is_present).filter_map(|table| OfTools::of(cx, subjects, table)).collect();
    for table in &tables {
        table.rows(cx, diagnostics);
    }
    // A tool missing from one table may be in another of the same document, so missing tools are reported once, at the
    // last table.
    for (index, table) in tables.iter().enumerate() {
        let server = table.subject.server;
        let is_of_it = |other: &&OfTools<'_, '_>| std::ptr::eq(other.subject.server, server);
        if !tables[index + 1..].iter().any(|other| is_of_it(&other)) {
            let named: Vec<*const Tool> =
                tables.iter().filter(is_of_it).flat_map(OfTools::tools).map(std::ptr::from_ref).collect();
            table.missing(cx, markdown, &named, diagnostics);
        }
    }
}

/// Returns the edit that adds a tool's row to the table in which it belongs: the one with the most tools that have the
/// same prefix and, of several such tables, the last. `None` if there is no table of tools.
pub(super) fn row_added(cx: &Cx<'_>, subjects: &[Subject<'_>], markdown: &Markdown, tool: &Tool) -> Option<Edit> {
    let convention = &cx.policy.convention;
    let front = |tool: &Tool| convention.front_of(tool.judged(convention).0);
    let own = front(tool);
    let tables = markdown.tables.iter().filter_map(|table| OfTools::of(cx, subjects, table));
    let kin = |table: &OfTools<'_, '_>| table.tools().filter(|other| front(other) == own).count();
    let table = tables.max_by_key(kin)?;
    Some(rows_added(markdown, table.table, &[table.row(cx, tool)]))
}

/// Returns the titles that tables give to tools; in each table, the first row that names a tool counts.
pub(super) fn titles_of<'a>(cx: &Cx<'_>, subjects: &[Subject<'a>], markdown: &Markdown) -> Vec<(&'a Tool, String)> {
    let tables = markdown.tables.iter().filter(|table| !Context::of(markdown, table.delimiter).is_past());
    let mut titles = Vec::new();
    for table in tables.filter_map(|table| OfTools::of(cx, subjects, table)) {
        let Some(title) = table.titles(cx).filter(|_| table.has_titles_of_code(cx)) else { continue };
        let mut seen: FxHashSet<*const Tool> = FxHashSet::default();
        for cells in table.table.rows.iter().map(|row| row.cells.as_slice()) {
            let named = table.name(cells).and_then(|cell| table.subject.tool_in(table.role, &cell.text));
            let Some(tool) = named.filter(|tool| seen.insert(std::ptr::from_ref(*tool))) else { continue };
            titles.extend(cells.get(title).map(|cell| (tool, plain(&cell.text))).filter(|(_, text)| !text.is_empty()));
        }
    }
    titles
}

/// A table of tools.
struct OfTools<'s, 'a> {
    subject: &'s Subject<'a>,
    table: &'s Table,
    /// The index of the column with the names of the tools; `role` is the kind of that column.
    column: usize,
    role: Column,
}

impl<'s, 'a> OfTools<'s, 'a> {
    fn of(cx: &Cx<'_>, subjects: &'s [Subject<'a>], table: &'s Table) -> Option<OfTools<'s, 'a>> {
        let documents = &cx.policy.convention.documents;
        let (column, role) = table.header.iter().enumerate().find_map(|(index, cell)| {
            let role = documents.column(&cell.text)?;
            matches!(role, Column::Tool | Column::Short | Column::Name).then_some((index, role))
        })?;
        // A column called `Tool` or `Name` may list other things: the columns next to it show whether it lists tools.
        let says_more = |cell: &Cell| {
            matches!(
                documents.column(&cell.text),
                Some(Column::Title | Column::Description | Column::Short | Column::Name)
            )
        };
        if role == Column::Tool && !table.header.iter().any(says_more) {
            return None;
        }
        let (subject, count) = subject::of_table(subjects, table, column, role)?;
        // If fewer than half of the rows name tools, the table is about something else.
        (count > 0 && count * 2 >= table.rows.len()).then_some(OfTools { subject, table, column, role })
    }

    /// Returns the tools that a cell names: one, or several with commas or slashes between them, with or without
    /// remarks after them. Empty if some part of the cell names no tool.
    fn tools_of(&self, cell: &Cell) -> Vec<&'a Tool> {
        if let Some(tool) = self.subject.tool_in(self.role, &cell.text) {
            return vec![tool];
        }
        let named = |part: &str| {
            let name = part.trim().trim_matches(['`', '*']);
            let first = name.split_whitespace().next().map(|word| word.trim_matches(['`', '*', '_']));
            self.subject.tool_in(self.role, name).or_else(|| self.subject.tool_in(self.role, first?))
        };
        let parts: Option<Vec<&Tool>> = cell.text.split([',', '/']).map(named).collect();
        parts.unwrap_or_default()
    }

    fn name<'r>(&self, cells: &'r [Cell]) -> Option<&'r Cell> {
        // A name that is struck out no longer counts.
        cells.get(self.column).filter(|cell| !cell.text.is_empty() && !cell.text.contains("~~"))
    }

    fn tools(&self) -> impl Iterator<Item = &'a Tool> + use<'_, 's, 'a> {
        self.table.rows.iter().filter_map(|row| self.name(&row.cells)).flat_map(|cell| self.tools_of(cell))
    }

    fn rows(&self, cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
        for row in &self.table.rows {
            let Some(cell) = self.name(&row.cells).filter(|cell| !cx.policy.allows(RULE.id, &cell.text)) else {
                continue;
            };
            match self.tools_of(cell).as_slice() {
                [tool] => self.title(cx, tool, &row.cells, diagnostics),
                [] if self.subject.is_known() && !cell.text.contains(['`', ',', '*']) => {
                    let taken = |name: &str| {
                        let mut others = self.table.rows.iter().filter_map(|row| self.name(&row.cells));
                        others.any(|other| other.text == name)
                    };
                    let near = self.subject.near_in(self.role, &cell.text, &taken);
                    let hint = near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                    let message = format!("`{}` has no tool `{}`{hint}", self.subject.server.name, cell.text);
                    let fix = near.map(|near| Fix::replace(format!("change to `{near}`"), cx.file.id, cell.span, near));
                    diagnostics.push(cx.diagnostic(&RULE, cell.span, message).with_fixes(fix));
                }
                _ => {}
            }
        }
    }

    /// Reports a tool's title in a table if the code has another.
    fn title(&self, cx: &Cx<'_>, tool: &Tool, cells: &[Cell], diagnostics: &mut Vec<Diagnostic>) {
        let Some(cell) = self.titles(cx).and_then(|column| cells.get(column)) else { return };
        // If none of several titles agrees with the code, they are probably in another language or of another kind.
        if !self.has_titles_of_code(cx) {
            return;
        }
        let title = known_text(tool.registration.title.as_ref()).filter(|title| !title.trim().is_empty());
        let Some(title) = title.filter(|title| *title != plain(&cell.text)) else {
            return;
        };
        let message = format!("wrong title: `{}` is titled “{title}” in the code", tool.short_name());
        let fix = Fix::replace(format!("change to “{title}”"), cx.file.id, cell.span, title);
        diagnostics.push(cx.diagnostic(&RULE, cell.span, message).with_fixes([fix]));
    }

    /// Returns the index of the column of titles.
    fn titles(&self, cx: &Cx<'_>) -> Option<usize> {
        let documents = &cx.policy.convention.documents;
        self.table.header.iter().position(|cell| documents.column(&cell.text) == Some(Column::Title))
    }

    /// Whether the titles are meant to be those of the code. They are not if there are several and none of them agrees
    /// with the code.
    fn has_titles_of_code(&self, cx: &Cx<'_>) -> bool {
        let agrees = |cells: &[Cell]| {
            let tool = self.subject.tool_in(self.role, &self.name(cells)?.text)?;
            let title = known_text(tool.registration.title.as_ref())?;
            Some(plain(&cells.get(self.titles(cx)?)?.text) == title)
        };
        let agreeing: Vec<bool> = self.table.rows.iter().filter_map(|row| agrees(&row.cells)).collect();
        agreeing.len() < 2 || agreeing.contains(&true)
    }

    /// Reports the tools that are missing from a table that names more than half of the server's tools.
    fn missing(&self, cx: &Cx<'_>, markdown: &Markdown, named: &[*const Tool], diagnostics: &mut Vec<Diagnostic>) {
        let server = self.subject.server;
        let missing: Vec<&Tool> = server
            .tools
            .iter()
            .filter(|tool| !named.contains(&std::ptr::from_ref(*tool)) && !cx.policy.allows(RULE.id, &tool.name))
            .collect();
        // A table that names at most half of the tools is probably a selection. A row that names no tool is reported
        // separately, and may be meant for a missing tool.
        let is_of_all = (server.tools.len() - missing.len()) * 2 > server.tools.len();
        let rows: usize = self.table.rows.len();
        let is_partial = Context::of(markdown, self.table.delimiter).is_partial();
        if missing.is_empty() || is_partial || !is_of_all || !self.subject.is_known() || self.tools().count() < rows {
            return;
        }
        let names: Vec<String> = missing.iter().map(|tool| format!("`{}`", tool.short_name())).collect();
        let (what, has) = if names.len() == 1 { ("this tool", "has") } else { ("these tools", "have") };
        let message = format!("{what} of `{}` {has} no row: {}", server.name, names.join(", "));
        let rows: Vec<Vec<String>> = missing.iter().map(|tool| self.row(cx, tool)).collect();
        let edits = Edits::from([(cx.file.id, vec![rows_added(markdown, self.table, &rows)])]);
        let fix = Fix::edits(if names.len() == 1 { "add its row" } else { "add their rows" }, edits);
        let span = self.table.header[self.column].span;
        diagnostics.push(cx.diagnostic(&RULE, span, message).with_fixes([fix]));
    }

    fn row(&self, cx: &Cx<'_>, tool: &Tool) -> Vec<String> {
        let quote = self.table.rows.last().and_then(|row| self.name(&row.cells)).map_or("", |cell| cell.quote);
        self.table.header.iter().map(|cell| self.cell(cx, cell, quote, tool)).collect()
    }

    fn cell(&self, cx: &Cx<'_>, heading: &Cell, quote: &str, tool: &Tool) -> String {
        match cx.policy.convention.documents.column(&heading.text) {
            Some(Column::Title) => known_text(tool.registration.title.as_ref()).unwrap_or_default(),
            Some(Column::Description) => summary(tool.registration.description.as_ref()),
            Some(Column::Tool) => {
                // Write the name in the form that the other rows use.
                let rows = self.table.rows.iter().filter_map(|row| self.name(&row.cells));
                let is_short = rows.clone().any(|cell| {
                    self.subject
                        .tool(&cell.text)
                        .is_some_and(|tool| tool.short_name() == cell.text && tool.name != cell.text)
                });
                let column = if is_short { Column::Short } else { Column::Tool };
                format!("{quote}{}{quote}", self.subject.name_in(column, tool).unwrap_or_default())
            }
            Some(column) => match self.subject.name_in(column, tool) {
                Some(name) => format!("{quote}{name}{quote}"),
                None => String::new(),
            },
            None => String::new(),
        }
    }
}

/// Returns a text as a reader sees it, without the markup of emphasis and code.
fn plain(text: &str) -> String {
    text.replace("**", "").replace(['`', '*'], "").trim().to_string()
}
