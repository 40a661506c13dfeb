//! `toolnames registry`: shows or writes the document in which every name of a project is registered.

use super::args::Registry;
use super::edit::{Change, finish, take_back};
use super::{Outcome, Trouble, open};
use crate::diagnostic::Diagnostic;
use crate::fix;
use crate::rename::Sources;
use crate::rules;
use crate::rules::documents::registry::RULE;
use crate::show;
use crate::text::FileId;
use crate::workspace::Snapshot;

pub(super) fn run(command: &Registry) -> Result<Outcome, Trouble> {
    if command.write {
        take_back(&command.workspace.root(), false)?;
    }
    let mut opened = open(&command.workspace)?;
    let snapshot = opened.workspace.snapshot();
    let is_registry = |snapshot: &Snapshot, path: &str| {
        snapshot.files.configs().policy(path).convention.documents.registry.contain(path)
    };
    let has_one = snapshot.files.all().any(|file| is_registry(&snapshot, &file.path));
    let made = if has_one { Vec::new() } else { missing(&snapshot) };
    if !has_one && made.is_empty() {
        anyhow::bail!(
            "no registry is configured: set `registry = [\"**/NAMESPACES.md\"]` under `[convention]`, or use a profile that has one"
        );
    }
    for (path, text) in &made {
        opened.workspace.open(path, text.as_str().into(), &[]);
    }
    let snapshot = opened.workspace.settle(&opened.disk);
    let new = |file: FileId| {
        let path = snapshot.files.path(file);
        made.iter().find(|(made, _)| made == path).map(|(_, text)| text.clone())
    };
    let texts = |file: FileId| new(file).or_else(|| snapshot.text(file, &opened.disk));
    let only = command.workspace.only();
    let files = |file: FileId| {
        let path = snapshot.files.path(file);
        is_registry(&snapshot, path) && only.as_ref().is_none_or(|only| path == only)
    };
    let options = fix::Options { only: Some(RULE.id), ..fix::Options::default() };
    let fixed = fix::fix(&snapshot, &files, Sources { texts: &texts, around: &opened.disk }, options);
    let mut change = Change::of(&snapshot, fixed);
    for (path, text) in &made {
        if let Some(file) = snapshot.files.by_path(path) {
            let (text, _) = change.files.entry(file.id).or_insert_with(|| (text.clone(), 1));
            *text = aligned(text);
        }
    }
    change.made = made.into_iter().map(|(path, _)| path).collect();
    let is_stale = !change.files.is_empty();
    // Findings to resolve by hand: a row that names nothing, a tool whose own name has to be fixed first.
    let found = rules::check_all(&snapshot);
    let is_left = |found: &&Diagnostic| {
        found.rule == RULE.id && files(found.file) && !found.fixes.iter().any(|fix| fix.safe && fix.preferred)
    };
    let left: Vec<&Diagnostic> = found.iter().filter(is_left).collect();
    for found in &left {
        let (path, message) = (show::value(snapshot.files.path(found.file)), show::message(&found.message));
        show::complain(format_args!("{path}: {message}"));
    }
    let outcome =
        finish(&opened, &snapshot, &change, !command.write, command.output.format, command.output.shown.quiet)?;
    Ok(match outcome {
        Outcome::Clean if is_stale && !command.write || !left.is_empty() => Outcome::Findings,
        outcome => outcome,
    })
}

/// Returns the path and text of the registries that servers should have but do not, with no names in them yet.
fn missing(snapshot: &Snapshot) -> Vec<(String, String)> {
    let mut made: Vec<(String, String)> = Vec::new();
    for server in &snapshot.analysis().servers {
        let root = if server.root == "." { String::new() } else { format!("{}/", server.root) };
        let convention = rules::convention_of(snapshot, server);
        let Some(name) = convention.documents.registry.name() else { continue };
        let path = format!("{root}{name}");
        let namespace = convention.front().and_then(|slot| convention.expected(slot)).unwrap_or(&server.name);
        let offers_something = !server.tools.is_empty() || !server.resources.is_empty();
        if offers_something && made.iter().all(|(known, _)| *known != path) {
            made.push((path, rules::documents::registry::empty(&convention, namespace)));
        }
    }
    made
}

/// Returns a document with the columns of its tables as wide as their widest cells.
fn aligned(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let mut start = 0;
    while start < lines.len() {
        let length = lines[start..].iter().take_while(|line| line.starts_with('|')).count();
        let rows: Vec<Vec<String>> = lines[start..start + length]
            .iter()
            .map(|line| line.trim_matches('|').split(" |").map(|cell| cell.trim().to_string()).collect())
            .collect();
        let mut widths: Vec<usize> = Vec::new();
        for row in &rows {
            widths.resize(widths.len().max(row.len()), 0);
            row.iter().zip(&mut widths).for_each(|(cell, width)| *width = cell.chars().count().max(*width));
        }
        for (index, row) in rows.iter().enumerate() {
            let cells = row.iter().enumerate().map(|(column, cell)| {
                let width = widths[column];
                if index == 1 { "-".repeat(width) } else { format!("{cell:<width$}") }
            });
            lines[start + index] = format!("| {} |", cells.collect::<Vec<_>>().join(" | "));
        }
        start += length.max(1);
    }
    lines.join("\n") + "\n"
}
