//! `registry-drift`: a project's registry of names does not agree with the project's code.

use rustc_hash::FxHashSet;

use super::context::Context;
use super::subject::{self, Subject, known_text, rows_added, summary, summary_of_resource};
use crate::convention::{Breach, Column, Convention};
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, RenameRequest, Severity};
use crate::document::{Cell, Markdown, Row, Table};
use crate::found::Confidence;
use crate::rules::{Cx, Rule, Scope};
use crate::text::{Edit, FileId, Span};
use crate::workspace::{Offer, Tool};

pub(crate) const RULE: Rule = Rule {
    id: "registry-drift",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("registry.md"),
};

/// Returns a registry without entries; [`RULE`] then reports the missing ones.
pub(crate) fn empty(convention: &Convention, namespace: &str) -> String {
    let slot = convention.front().unwrap_or("server");
    let (tools, resources) = (columns_of(convention, &TOOLS), columns_of(convention, &RESOURCES));
    let label = slot[..1].to_uppercase() + &slot[1..];
    format!(
        "# MCP {label} Registry\n\n**{label}:** `{namespace}`\n\n## Registered Tools\n\n{tools}\n\n## Registered Resources\n\n{resources}\n"
    )
}

/// The columns of a registry's tables.
const TOOLS: [Column; 4] = [Column::Short, Column::Name, Column::Description, Column::Version];
const RESOURCES: [Column; 3] = [Column::Uri, Column::Description, Column::Type];

/// Returns the header row and the delimiter row of a table.
fn columns_of(convention: &Convention, columns: &[Column]) -> String {
    let headings = convention.documents.headings(columns);
    let dashes: Vec<String> = headings.iter().map(|heading| "-".repeat(heading.chars().count())).collect();
    format!("| {} |\n| {} |", headings.join(" | "), dashes.join(" | "))
}

/// Returns the first word of a cell, which is the name if a remark follows.
fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next().map(|word| word.trim_matches(['`', '*']))
}

pub(super) fn check(cx: &Cx<'_>, subjects: &[Subject<'_>], markdown: &Markdown, diagnostics: &mut Vec<Diagnostic>) {
    let documents = &cx.policy.convention.documents;
    let holds = |table: &&Table, roles: &[Column]| {
        let mut columns = table.header.iter().filter_map(|cell| documents.column(&cell.text));
        columns.any(|column| roles.contains(&column))
    };
    // A registry may have several tables of tools, such as one for each kind.
    let all =
        |roles: &[Column]| -> Vec<&Table> { markdown.tables.iter().filter(|table| holds(table, roles)).collect() };
    let (mut tools, resources) = (all(&[Column::Name, Column::Short]), all(&[Column::Uri]));
    let Some(subject) = subject_of(cx, subjects, tools.first().copied()) else { return };
    let registry = Registry { cx, subject, markdown };
    // Tables that list former tools, or only the tools of other servers, are not checked.
    tools.retain(|table| !Context::of(markdown, table.delimiter).is_past() && !registry.is_of_others(table));
    registry.namespace(diagnostics);
    registry.tools(&tools, diagnostics);
    registry.resources(&resources, diagnostics);
}

/// Returns the server that a registry is about: the only one near it, or the one whose tools `table` names. `None` if
/// it is unclear.
fn subject_of<'s, 'a>(cx: &Cx<'_>, subjects: &'s [Subject<'a>], table: Option<&Table>) -> Option<&'s Subject<'a>> {
    if let [only] = subjects {
        return Some(only);
    }
    let table = table?;
    let documents = &cx.policy.convention.documents;
    let mut columns =
        table.header.iter().enumerate().filter_map(|(at, cell)| Some((at, documents.column(&cell.text)?)));
    let (column, role) = columns.find(|(_, role)| matches!(role, Column::Name | Column::Short))?;
    let (subject, count) = subject::of_table(subjects, table, column, role)?;
    (count > 0).then_some(subject)
}

struct Registry<'c, 's, 'a> {
    cx: &'c Cx<'c>,
    subject: &'s Subject<'a>,
    markdown: &'s Markdown,
}

impl Registry<'_, '_, '_> {
    fn column(&self, table: &Table, wanted: Column) -> Option<usize> {
        let documents = &self.cx.policy.convention.documents;
        table.header.iter().position(|cell| documents.column(&cell.text) == Some(wanted))
    }

    /// Whether a table names tools of other namespaces, none of which this server has under its own.
    fn is_of_others(&self, table: &Table) -> bool {
        let cells = |row: &Row| {
            let of = |column| {
                self.column(table, column).and_then(|column| row.cells.get(column)).map(|cell| cell.text.clone())
            };
            of(Column::Name).or(of(Column::Short)).unwrap_or_default()
        };
        let front = self.subject.convention.front().and_then(|slot| self.subject.convention.expected(slot));
        let is_other = |row: &Row| {
            let name = cells(row);
            let Some((namespace, short)) = name.trim_matches(['`', '*']).split_once(':') else { return false };
            front.is_some_and(|own| own != namespace) && self.subject.tool_in(Column::Short, short).is_none()
        };
        !table.rows.is_empty() && table.rows.iter().all(is_other)
    }

    fn report(&self, span: Span, message: String, fix: Option<Fix>) -> Diagnostic {
        self.cx.diagnostic(&RULE, span, message).with_fixes(fix)
    }

    fn change(&self, cell: &Cell, new: String) -> Fix {
        Fix::replace(format!("change to `{new}`"), self.cx.file.id, cell.span, new)
    }

    /// Checks that a line such as `` **Namespace:** `x` `` gives the namespace of the server.
    fn namespace(&self, diagnostics: &mut Vec<Diagnostic>) {
        let convention = &self.subject.convention;
        let Some((slot, own)) = convention.front().and_then(|slot| Some((slot, convention.expected(slot)?))) else {
            return;
        };
        for prose in self.markdown.prose.iter().filter(|prose| prose.heading.is_none()) {
            let mut at = prose.span.start;
            for line in prose.text.split_inclusive('\n') {
                let span = Span { start: at, end: at + line.len() as u32 };
                at = span.end;
                let label = line.trim_start_matches(['*', '_', ' ', '-']);
                let is_it = label.get(..slot.len()).is_some_and(|start| start.eq_ignore_ascii_case(slot))
                    && label[slot.len()..].trim_start_matches(['*', '_']).starts_with(':');
                let Some(code) = self.markdown.code.iter().find(|code| is_it && span.contains(code.span)) else {
                    continue;
                };
                if code.text == own || self.cx.policy.allows(RULE.id, &code.text) {
                    continue;
                }
                let message = format!("wrong {slot}: expected `{own}`");
                // A published namespace does not change with the code, so the code may be wrong.
                let fix = Fix::replace(format!("change to `{own}`"), self.cx.file.id, code.span, own).marked_unsafe();
                diagnostics.push(self.report(code.span, message, Some(fix)));
            }
        }
    }

    fn tools(&self, tables: &[&Table], diagnostics: &mut Vec<Diagnostic>) {
        let cell = |table: &Table, row: &'_ Row, column: Column| -> Option<Cell> {
            row.cells.get(self.column(table, column)?).cloned()
        };
        let named = |role: Column, cell: &Option<Cell>| {
            let text = &cell.as_ref()?.text;
            // A remark after a name, `list_tasks (beta)`, is not part of it.
            self.subject.tool_in(role, text).or_else(|| self.subject.tool_in(role, first_word(text)?))
        };
        let rows = || tables.iter().flat_map(|table| table.rows.iter().map(move |row| (*table, row)));
        let mut registered: FxHashSet<&str> = FxHashSet::default();
        for (table, row) in rows() {
            let by_short = || named(Column::Short, &cell(table, row, Column::Short));
            let tool = named(Column::Name, &cell(table, row, Column::Name)).or_else(by_short);
            let Some(tool) = tool else { continue };
            if !registered.insert(&tool.name) {
                let heading = cell(table, row, Column::Name).or_else(|| cell(table, row, Column::Short));
                diagnostics.extend(heading.map(|cell| self.again(table, &cell, row.span)));
            }
        }
        // A tool that a wrong row was meant to name is not missing.
        let mut meant: FxHashSet<*const Tool> = FxHashSet::default();
        let is_taken = |tool: &Tool| registered.contains(tool.name.as_str());
        for (table, row) in rows() {
            let (short, full) = (cell(table, row, Column::Short), cell(table, row, Column::Name));
            match (named(Column::Name, &full), named(Column::Short, &short)) {
                (Some(tool), by_short) => {
                    let own = self.subject.name_in(Column::Short, tool).unwrap_or_default();
                    if let Some(cell) = short.filter(|_| !by_short.is_some_and(|other| std::ptr::eq(other, tool))) {
                        let message = format!("wrong short name: that of `{}` is `{own}`", tool.name);
                        diagnostics.push(self.report(cell.span, message, Some(self.change(&cell, own))));
                    }
                }
                (None, Some(tool)) => {
                    if let Some(cell) = full {
                        let own = self.subject.convention.own_part(tool.short_name());
                        let right = self.subject.name(tool).to_string();
                        let message = format!("wrong full name: `{own}` is registered as `{right}`");
                        let fix = self.change(&cell, right);
                        let is_of_other = cell.text.contains(':');
                        let fix = if is_of_other { fix.marked_unsafe() } else { fix };
                        diagnostics.push(self.report(cell.span, message, Some(fix)));
                    }
                }
                (None, None) => {
                    let of_name = full.map(|cell| (Column::Name, cell));
                    let Some((role, cell)) = of_name.or(short.map(|cell| (Column::Short, cell))) else { continue };
                    if !self.subject.is_known() || self.cx.policy.allows(RULE.id, &cell.text) {
                        continue;
                    }
                    let taken = |name: &str| self.subject.tool_in(role, name).is_some_and(is_taken);
                    let near = self.subject.near_in(role, &cell.text, &taken);
                    let tool = near.as_ref().and_then(|near| self.subject.tool_in(role, near));
                    meant.extend(tool.map(std::ptr::from_ref));
                    let mut stale = self.stale(table, &cell, row.span, near, "tool");
                    // The registry may be right, and the code have the slip: neither is changed without asking.
                    if let Some(tool) = tool.filter(|_| role == Column::Name) {
                        stale.fixes = stale.fixes.into_iter().map(Fix::into_choice).collect();
                        stale.fixes.push(self.renamed(tool, &cell.text));
                    }
                    diagnostics.push(stale);
                }
            }
        }
        let files = &self.cx.snapshot.files;
        let wanted = |tool: &&Tool| {
            let is_there = is_taken(tool) || meant.contains(&std::ptr::from_ref(*tool));
            let is_broken = |file: FileId| files.facts(file).is_none_or(|facts| facts.has_errors);
            let is_sure = tool.registration.confidence != Confidence::Heuristic && !is_broken(tool.local_place().file);
            is_sure && !is_there && !self.cx.policy.allows(RULE.id, &tool.name)
        };
        let missing: Vec<&Tool> = self.subject.server.tools.iter().filter(wanted).collect();
        let (settled, unsettled): (Vec<&Tool>, Vec<&Tool>) =
            missing.into_iter().partition(|tool| tool.name == self.subject.name(tool) && self.is_right(tool));
        let Some(table) = tables.last() else {
            let names: Vec<&str> = settled.iter().map(|tool| self.subject.name(tool)).collect();
            let cells = |tool: &&Tool| TOOLS.map(|column| self.cell_of_tool(column, tool)).to_vec();
            return self.no_table("Tools", &TOOLS, &names, settled.iter().map(cells).collect(), diagnostics);
        };
        // The row of a tool with a wrong name contains the corrected name, which the tool does not have yet, so the fix
        // is unsafe.
        for (missing, is_settled) in [(settled, true), (unsettled, false)] {
            let rows = missing.iter().map(|tool| self.row(table, &|column| self.cell_of_tool(column, tool))).collect();
            let names: Vec<&str> = missing.iter().map(|tool| self.subject.name(tool)).collect();
            let heading = self.column(table, Column::Short).or(self.column(table, Column::Name));
            self.missing(table, heading, &names, rows, is_settled, diagnostics);
        }
    }

    fn resources(&self, tables: &[&Table], diagnostics: &mut Vec<Diagnostic>) {
        let all = &self.subject.server.resources;
        let cells: Vec<(&Table, &Cell, Span)> = tables
            .iter()
            .flat_map(|table| table.rows.iter().map(move |row| (*table, row)))
            .filter_map(|(table, row)| Some((table, row.cells.get(self.column(table, Column::Uri)?)?, row.span)))
            .collect();
        let registered: FxHashSet<&str> = cells.iter().map(|(_, cell, _)| cell.text.as_str()).collect();
        let is_registered = |uri: &str| registered.contains(uri);
        let right: Vec<String> = all.iter().map(|resource| self.subject.uri(resource)).collect();
        let known: FxHashSet<&String> = all.iter().map(|resource| &resource.name).chain(&right).collect();
        let mut meant: FxHashSet<String> = FxHashSet::default();
        for (table, cell, row) in &cells {
            let exists = known.contains(&cell.text);
            let is_known = self.subject.is_known() && self.subject.server.knows_resources();
            if exists || !is_known || self.cx.policy.allows(RULE.id, &cell.text) {
                continue;
            }
            let free = right.iter().map(String::as_str).filter(|uri| !is_registered(uri));
            let near = crate::name::nearest(&cell.text, free).map(str::to_string);
            meant.extend(near.clone());
            let is_near = near.is_some();
            let mut stale = self.stale(table, cell, *row, near, "resource");
            // The registry may be right, and the code have the slip.
            if is_near {
                stale.fixes = stale.fixes.into_iter().map(Fix::into_choice).collect();
            }
            diagnostics.push(stale);
        }
        let wanted = |(resource, right): &(&Offer, &String)| {
            let is_known = resource.registration.name.unknown().is_none();
            let is_there = is_registered(&resource.name) || is_registered(right) || meant.contains(right.as_str());
            is_known && !is_there && !self.cx.policy.allows(RULE.id, &resource.name)
        };
        let missing = all.iter().zip(&right).filter(wanted);
        let (settled, unsettled): (Vec<(&Offer, &String)>, Vec<_>) = missing
            .partition(|(resource, uri)| resource.name == **uri && !is_wrong(&self.subject.convention.judge_uri(uri)));
        let Some(table) = tables.last() else {
            let names: Vec<&str> = settled.iter().map(|(_, uri)| uri.as_str()).collect();
            let cells = |(resource, uri): &(&Offer, &String)| {
                RESOURCES.map(|column| cell_of_resource(column, resource, uri)).to_vec()
            };
            let rows = settled.iter().map(cells).collect();
            return self.no_table("Resources", &RESOURCES, &names, rows, diagnostics);
        };
        for (missing, is_settled) in [(settled, true), (unsettled, false)] {
            let rows = missing
                .iter()
                .map(|(resource, uri)| self.row(table, &|column| cell_of_resource(column, resource, uri)))
                .collect();
            let names: Vec<&str> = missing.iter().map(|(_, uri)| uri.as_str()).collect();
            self.missing(table, self.column(table, Column::Uri), &names, rows, is_settled, diagnostics);
        }
    }

    /// Whether a tool's name breaks no rule of the severity of a warning or above.
    fn is_right(&self, tool: &Tool) -> bool {
        !is_wrong(&self.subject.convention.judge(tool.judged(&self.subject.convention).0))
    }

    /// Reports a row for a tool that another row already registers.
    fn again(&self, table: &Table, cell: &Cell, row: Span) -> Diagnostic {
        let fix = self.row_removed(table, row);
        self.report(cell.span, format!("`{}` is registered a second time here", cell.text), Some(fix))
    }

    /// Reports names that are not registered because the document has no table of their kind. The fix adds the table,
    /// below a heading for that kind if there is one.
    fn no_table(
        &self,
        kind: &str,
        columns: &[Column],
        names: &[&str],
        rows: Vec<Vec<String>>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let prose = &self.markdown.prose;
        if names.is_empty() || prose.is_empty() {
            return;
        }
        let is_heading = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == kind);
        let heading = prose.iter().position(|prose| prose.heading.is_some() && is_heading(&prose.text));
        let section = heading.map(|at| {
            let more = prose[at + 1..].iter().take_while(|prose| prose.heading.is_none());
            let last = more.last().unwrap_or(&prose[at]);
            last.span.start + last.text.trim_end().len() as u32
        });
        let line = self.markdown.line_break;
        let mut lines = vec![columns_of(&self.cx.policy.convention, columns)];
        lines.extend(rows.iter().map(|cells| format!("| {} |", cells.join(" | "))));
        let table = lines.join(line);
        let (at, text) = match section {
            Some(end) => (end, format!("{line}{line}{table}")),
            None => (self.markdown.end(), format!("{line}{line}## Registered {kind}{line}{line}{table}")),
        };
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("there is no table of {}; not registered: {}", kind.to_lowercase(), names.join(", "));
        let edit = Edit::new(Span { start: at, end: at }, text);
        let fix = Fix::edits("add the table", Edits::from([(self.cx.file.id, vec![edit])]));
        let place = &prose[heading.unwrap_or(0)];
        diagnostics.push(self.report(place.span, message, Some(fix)));
    }

    /// Reports a row for a tool or resource that the code does not have.
    fn stale(&self, table: &Table, cell: &Cell, row: Span, near: Option<String>, what: &str) -> Diagnostic {
        let hint = near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let message = format!("`{}` has no {what} `{}`{hint}", self.subject.server.name, cell.text);
        let fix = match near {
            Some(near) => self.change(cell, near),
            // This removes a whole line, which may contain text written by hand, so the fix is unsafe.
            None => self.row_removed(table, row),
        };
        self.report(cell.span, message, Some(fix))
    }

    /// The fix that renames a tool to the name in its row.
    fn renamed(&self, tool: &Tool, new: &str) -> Fix {
        let place = tool.local_place();
        let request = RenameRequest {
            file: place.file,
            offset: self.cx.snapshot.files.span(place).start,
            old: tool.name.clone(),
            new: new.to_string(),
            keeps_old: false,
            function_too: false,
        };
        Fix {
            title: format!("rename the tool to `{new}`"),
            safe: false,
            preferred: false,
            action: Action::Rename(request),
        }
    }

    fn row_removed(&self, table: &Table, row: Span) -> Fix {
        let above = table.rows.partition_point(|above| above.span.end < row.start);
        let start = above.checked_sub(1).map_or(table.delimiter.end, |above| table.rows[above].span.end);
        let edit = Edit::new(Span { start, end: row.end }, "");
        Fix::edits("remove this row", Edits::from([(self.cx.file.id, vec![edit])])).marked_unsafe()
    }

    /// Reports tools or resources that have no row in a table. The fix adds the rows; it is safe only if all names are
    /// already right, `is_settled`.
    fn missing(
        &self,
        table: &Table,
        column: Option<usize>,
        names: &[&str],
        rows: Vec<Vec<String>>,
        is_settled: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let Some(heading) = column.and_then(|column| table.header.get(column)).filter(|_| !names.is_empty()) else {
            return;
        };
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let edits = Edits::from([(self.cx.file.id, vec![rows_added(self.markdown, table, &rows)])]);
        let fix = Fix::edits("add the missing rows", edits);
        let fix = if is_settled { fix } else { fix.marked_unsafe() };
        let message = format!("not registered here: {}", names.join(", "));
        diagnostics.push(self.report(heading.span, message, Some(fix)));
    }

    /// Returns the cells of a new row of a table, given the content of each column.
    fn row(&self, table: &Table, cell: &dyn Fn(Column) -> String) -> Vec<String> {
        let documents = &self.cx.policy.convention.documents;
        let quotes =
            |index: usize| table.rows.last().and_then(|row| row.cells.get(index)).map_or("", |cell| cell.quote);
        let columns = table.header.iter().enumerate();
        columns
            .map(|(index, heading)| {
                let text = documents.column(&heading.text).map(cell).unwrap_or_default();
                let quote = if text.is_empty() { "" } else { quotes(index) };
                format!("{quote}{text}{quote}")
            })
            .collect()
    }

    fn cell_of_tool(&self, column: Column, tool: &Tool) -> String {
        match column {
            Column::Description => summary(tool.registration.description.as_ref()),
            Column::Title => known_text(tool.registration.title.as_ref()).unwrap_or_default(),
            Column::Version => {
                let root = self.cx.snapshot.files.package_root(tool.registration.place.file);
                let manifest = self.cx.snapshot.files.manifest_in(root);
                manifest.and_then(|(_, manifest)| manifest.version.clone()).unwrap_or_default()
            }
            column => self.subject.name_in(column, tool).unwrap_or_default(),
        }
    }
}

fn cell_of_resource(column: Column, resource: &Offer, uri: &str) -> String {
    match column {
        Column::Uri => uri.to_string(),
        Column::Description => summary_of_resource(resource),
        // A person must fill in what the code does not contain.
        _ => String::new(),
    }
}

fn is_wrong(breaches: &[Breach]) -> bool {
    breaches.iter().any(|breach| breach.severity >= Severity::Warning)
}
