//! The subject of a document: the servers near it, and the names that their tools have there.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::convention::{Column, Convention};
use crate::document::{Markdown, Table};
use crate::found::Traced;
use crate::known::ours;
use crate::name::nearest;
use crate::rules::Cx;
use crate::text::Edit;
use crate::workspace::{Offer, Server, Tool};

/// A server that a document may be about.
pub(in crate::rules) struct Subject<'a> {
    pub(in crate::rules) server: &'a Server,
    pub(super) convention: Cow<'a, Convention>,
    /// The name that each tool should have, if its own is wrong. A wrong name is reported at the registration; a
    /// document that already uses the right name is not reported.
    right: FxHashMap<*const Tool, String>,
    /// The tool that each name refers to. A tool has several names: as registered, short, corrected, and as composed by
    /// clients.
    names: FxHashMap<String, &'a Tool>,
    /// For a column of short names and for one of full names: the first tool that each text refers to.
    columns: [OnceLock<FxHashMap<String, &'a Tool>>; 2],
}

/// Returns the servers that are nearest to a path: all servers with tools or resources in the innermost folder around
/// the path that contains such a server.
pub(in crate::rules) fn near<'a>(cx: &'a Cx<'_>, path: &str) -> Vec<Subject<'a>> {
    let mut folder = crate::path::directory(path);
    loop {
        let holds = |server: &&Server| {
            let root = if server.root == "." { "" } else { server.root.as_str() };
            let below = root
                .strip_prefix(folder)
                .is_some_and(|rest| folder.is_empty() || rest.is_empty() || rest.starts_with('/'));
            below && !(server.tools.is_empty() && server.resources.is_empty())
        };
        let servers: Vec<&Server> = cx.analysis.servers.iter().filter(holds).collect();
        if !servers.is_empty() || folder.is_empty() {
            return servers.into_iter().map(|server| Subject::new(cx, server)).collect();
        }
        folder = crate::path::directory(folder);
    }
}

impl<'a> Subject<'a> {
    fn new(cx: &'a Cx<'_>, server: &'a Server) -> Subject<'a> {
        let convention = ours::convention(cx.snapshot, &cx.policy.convention, server);
        let mut names = FxHashMap::default();
        let right_of = |tool: &Tool| {
            let (name, before) = tool.judged(&convention);
            let right = convention.right(name)?;
            Some(format!("{}{right}{}", &tool.name[..before], &tool.name[before + name.len()..]))
        };
        let right: FxHashMap<*const Tool, String> =
            server.tools.iter().filter_map(|tool| Some((std::ptr::from_ref(tool), right_of(tool)?))).collect();
        for tool in &server.tools {
            let composed = cx
                .snapshot
                .files
                .known_clients()
                .iter()
                .flat_map(|client| server.keys.iter().map(|key| client.composed(key, &tool.name)));
            let in_full = convention.in_full(tool.judged(&convention).0);
            let own = convention.own_part(tool.short_name()).to_string();
            let repaired = right.get(&std::ptr::from_ref(tool)).cloned();
            let all =
                composed.chain(repaired).chain(in_full).chain([tool.name.clone(), tool.short_name().to_string(), own]);
            for name in all {
                names.entry(name).or_insert(tool);
            }
        }
        Subject { server, convention, right, names, columns: Default::default() }
    }

    /// Whether every tool is known, so that an unknown name is not a tool.
    pub(super) fn is_known(&self) -> bool {
        self.server.is_complete()
    }

    /// Returns the tool that a name refers to.
    pub(super) fn tool(&self, name: &str) -> Option<&'a Tool> {
        self.names.get(name).copied()
    }

    /// Returns a tool's name in a column; `None` if the column does not contain names.
    pub(super) fn name_in(&self, column: Column, tool: &Tool) -> Option<String> {
        match column {
            Column::Short => match self.right.get(&std::ptr::from_ref(tool)) {
                Some(right) => Some(self.convention.own_part(right).to_string()),
                None => Some(self.convention.own_part(tool.short_name()).to_string()),
            },
            Column::Name => Some(self.name(tool).to_string()),
            // The name that users know, if the server is a gateway.
            Column::Tool => {
                let in_full = self.convention.in_full(tool.judged(&self.convention).0);
                in_full.or_else(|| Some(self.name(tool).to_string()))
            }
            _ => None,
        }
    }

    /// Returns the tool that a name in a column refers to; `None` if there is none, or if the column does not contain
    /// names.
    pub(super) fn tool_in(&self, column: Column, text: &str) -> Option<&'a Tool> {
        match column {
            Column::Tool => self.tool(text),
            Column::Short | Column::Name => {
                let known = self.columns[usize::from(column == Column::Name)].get_or_init(|| {
                    let mut known = FxHashMap::default();
                    for tool in &self.server.tools {
                        let written = self.written(column, tool).map(str::to_string);
                        for text in self.name_in(column, tool).into_iter().chain(written) {
                            known.entry(text).or_insert(tool);
                        }
                    }
                    known
                });
                known.get(text).copied()
            }
            _ => None,
        }
    }

    /// Returns the name that a tool should have.
    pub(super) fn name<'t>(&'t self, tool: &'t Tool) -> &'t str {
        self.right.get(&std::ptr::from_ref(tool)).unwrap_or(&tool.name)
    }

    /// Returns a tool's name in a column if the tool keeps its present name, right or wrong; `None` for any other
    /// column.
    fn written<'t>(&self, column: Column, tool: &'t Tool) -> Option<&'t str> {
        match column {
            Column::Short => Some(self.convention.own_part(tool.short_name())),
            Column::Name => Some(&tool.name),
            _ => None,
        }
    }

    /// Returns the URI that a resource should have.
    pub(super) fn uri(&self, resource: &Offer) -> String {
        match self.convention.propose_uri(&resource.name).as_slice() {
            [only] if !self.convention.judge_uri(&resource.name).is_empty() => only.clone(),
            _ => resource.name.clone(),
        }
    }

    /// Returns the name that a wrong name in a column was probably meant to be, among those that are not taken.
    pub(super) fn near_in(&self, column: Column, text: &str, taken: &dyn Fn(&str) -> bool) -> Option<String> {
        let names: Vec<String> = match column {
            Column::Tool => self.names.keys().cloned().collect(),
            _ => self.server.tools.iter().filter_map(|tool| self.name_in(column, tool)).collect(),
        };
        let free = names.iter().map(String::as_str).filter(|name| !taken(name));
        nearest(text, free).map(str::to_string)
    }
}

/// Returns the subject to which the largest number of names in a table refer, with that number. `None` if two subjects
/// have the same number.
pub(super) fn of_table<'s, 'a>(
    subjects: &'s [Subject<'a>],
    table: &Table,
    column: usize,
    role: Column,
) -> Option<(&'s Subject<'a>, usize)> {
    let count = |subject: &Subject<'_>| {
        let named = table.rows.iter().filter_map(|row| row.cells.get(column));
        named.filter(|cell| subject.tool_in(role, &cell.text).is_some()).count()
    };
    let counted: Vec<(&Subject<'a>, usize)> = subjects.iter().map(|subject| (subject, count(subject))).collect();
    let most = counted.iter().map(|(_, count)| *count).max()?;
    let mut leading = counted.into_iter().filter(|(_, count)| *count == most);
    let first = leading.next()?;
    // Two servers may have tools of the same name; then the table may be about either.
    leading.next().is_none().then_some(first)
}

/// Returns the text of a traced value; `None` if not all of it is known.
pub(super) fn known_text(text: Option<&Traced>) -> Option<String> {
    text.filter(|text| text.unknown().is_none()).map(Traced::text)
}

/// Returns the first line of a description, for a cell of a table.
pub(super) fn summary(description: Option<&Traced>) -> String {
    let text = known_text(description).unwrap_or_default();
    let line = text.trim().lines().next().unwrap_or("").trim();
    line.strip_suffix('.').unwrap_or(line).replace('|', "\\|")
}

/// Returns the edit that adds rows to a table, formatted like its other rows.
pub(in crate::rules) fn rows_added(markdown: &Markdown, table: &Table, rows: &[Vec<String>]) -> Edit {
    let end = table.rows.last().map_or(table.delimiter.end, |row| row.span.end);
    let mut text = String::new();
    for row in rows {
        text.push_str(markdown.line_break);
        text.push_str(&table.indent);
        let cells = row.iter().enumerate().map(|(index, cell)| {
            let width = table.widths.get(index).copied().unwrap_or(0).saturating_sub(2);
            format!("{cell:<width$}")
        });
        let line = cells.collect::<Vec<_>>().join(" | ");
        match table.is_open {
            true => text.push_str(line.trim_end()),
            false => text.push_str(&format!("| {line} |")),
        }
    }
    Edit::new(crate::text::Span { start: end, end }, text)
}

/// Returns a resource's description, or else its title or name, for a cell of a table.
pub(super) fn summary_of_resource(resource: &Offer) -> String {
    let said = summary(resource.registration.description.as_ref());
    if said.is_empty() { summary(resource.registration.title.as_ref()) } else { said }
}
