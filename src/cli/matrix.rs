//! `toolnames matrix`: what each client of the workspace does with each tool.

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::args::{Matrix, TableFormat};
use super::can::{check_clients, is_wanted, word};
use super::{Outcome, Trouble, open, print, report_trouble};
use crate::show::{self, Page};
use crate::verdict::{Fate, Settings};
use crate::workspace::Snapshot;

pub(super) fn run(command: &Matrix) -> Result<Outcome, Trouble> {
    let mut opened = open(&command.workspace)?;
    let snapshot = opened.workspace.snapshot();
    check_clients(&snapshot, &command.clients)?;
    let table = Table::of(&snapshot, &command.clients);
    let output = match command.format {
        TableFormat::Json => Page::json(&table.json()),
        _ if table.rows.is_empty() => {
            let mut page = Page::default();
            page.line("no client in this workspace starts a server whose tools are known");
            page
        }
        TableFormat::Text => table.text(),
        TableFormat::Markdown => table.markdown(),
    };
    print(&output)?;
    Ok(if report_trouble(&opened, &snapshot) { Outcome::Partial } else { Outcome::Clean })
}

/// The fates of all tools in all clients.
struct Table {
    /// A client's id and name, the folder of its settings, and the key of a server.
    columns: Vec<(String, String, String)>,
    rows: Vec<Row>,
}

struct Row {
    server: String,
    key: String,
    tool: String,
    /// The fate in each column; `None` if the client does not start the server there.
    cells: Vec<Option<Fate>>,
}

impl Table {
    fn of(snapshot: &Snapshot, clients: &[String]) -> Table {
        let settings = Settings::new(snapshot);
        let mut table = Table { columns: Vec::new(), rows: Vec::new() };
        let mut rows: FxHashMap<(String, &String), usize> = FxHashMap::default();
        for (server, tool) in snapshot.analysis().tools() {
            for verdict in settings.fates(&server.keys, &tool.name) {
                if !is_wanted(verdict.client, clients) {
                    continue;
                }
                let folder = verdict.folder.to_string();
                let column = (verdict.client.id.to_string(), verdict.client.name.to_string(), folder);
                let column = table.column(column);
                let row = *rows.entry((verdict.key.clone(), &tool.name)).or_insert_with(|| {
                    let (server, tool) = (server.name.clone(), tool.name.clone());
                    table.rows.push(Row { server, key: verdict.key, tool, cells: Vec::new() });
                    table.rows.len() - 1
                });
                let cells = &mut table.rows[row].cells;
                cells.resize(cells.len().max(column + 1), None);
                cells[column] = Some(verdict.fate);
            }
        }
        let width = table.columns.len();
        table.rows.iter_mut().for_each(|row| row.cells.resize(width, None));
        table
    }

    /// Returns the index of a column, which is added if it is new.
    fn column(&mut self, column: (String, String, String)) -> usize {
        match self.columns.iter().position(|known| *known == column) {
            Some(index) => index,
            None => {
                self.columns.push(column);
                self.columns.len() - 1
            }
        }
    }

    /// Returns the cells as texts, the head first.
    fn cells(&self) -> Vec<Vec<String>> {
        let head = |(_, name, folder): &(String, String, String)| match folder.as_str() {
            "" => show::value(name),
            folder => format!("{} ({})", show::value(name), show::value(folder)),
        };
        let first = ["server".to_string(), "tool".to_string()];
        let mut all = vec![first.into_iter().chain(self.columns.iter().map(head)).collect::<Vec<String>>()];
        all.extend(self.rows.iter().map(|row| {
            let fates = row.cells.iter().map(|fate| fate.map_or("–", word).to_string());
            [show::value(&row.key), show::value(&row.tool)].into_iter().chain(fates).collect()
        }));
        all
    }

    fn text(&self) -> Page {
        let mut page = Page::default();
        let cells = self.cells();
        let widths: Vec<usize> = (0..cells[0].len())
            .map(|column| cells.iter().map(|row| show::width(&row[column])).max().unwrap_or(0))
            .collect();
        for row in &cells {
            let row: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| show::column(cell, *width)).collect();
            page.line(row.join("  ").trim_end());
        }
        page
    }

    fn markdown(&self) -> Page {
        let mut page = Page::default();
        let cells = self.cells();
        let line = |row: &[String]| {
            let row: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |", row.join(" | "))
        };
        page.line(line(&cells[0]));
        page.line(format_args!("|{}", "---|".repeat(cells[0].len())));
        cells[1..].iter().for_each(|row| page.line(line(row)));
        page
    }

    fn json(&self) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let fates = row.cells.iter().zip(&self.columns).filter_map(|(fate, (client, _, folder))| {
                    Some(json!({ "client": client, "folder": folder, "fate": (*fate)?.as_str() }))
                });
                let fates: Vec<Value> = fates.collect();
                json!({ "server": row.server, "key": row.key, "tool": row.tool, "fates": fates })
            })
            .collect();
        json!({ "schema_version": 1, "tools": rows })
    }
}
