//! `toolnames check`: reports every finding in a workspace.

use std::cell::{Cell, RefCell};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::args::{Check, CheckFormat};
use super::report::{range, tell_skipped};
use super::reports::{Exchange, Findings};
use super::{Outcome, Trouble, open, print, report_trouble, snippet};
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, RenameRequest, Severity};
use crate::disk::Skipped;
use crate::fix::{self, Trials};
use crate::found::Place;
use crate::known::public::not_known;
use crate::rename::{Sources, Texts};
use crate::rules;
use crate::show::Page;
use crate::text::FileId;
use crate::workspace::{Snapshot, Storage};

/// The maximum number of findings shown with their lines and repairs; each further one takes one line.
const MOST_EXCERPTS: usize = 1_000;

pub(super) fn run(command: &Check) -> Result<Outcome, Trouble> {
    let mut opened = open(&command.workspace)?;
    let snapshot = opened.workspace.snapshot();
    let mut diagnostics = rules::check_all(&snapshot);
    if let Some(only) = command.workspace.only() {
        diagnostics.retain(|diagnostic| snapshot.files.path(diagnostic.file) == only);
    }
    // The last text is kept, since consecutive findings are often in one file.
    let last: RefCell<Option<(FileId, Option<String>)>> = RefCell::default();
    let texts = |file: FileId| {
        let mut last = last.borrow_mut();
        let known = last.take().filter(|(known, _)| *known == file);
        last.insert(known.unwrap_or_else(|| (file, opened.disk.read(snapshot.files.path(file))))).1.clone()
    };
    let skipped = opened.disk.skipped();
    let summary =
        Summary { snapshot: &snapshot, diagnostics: &diagnostics, scanned: opened.scanned, skipped: &skipped };
    let sources = Sources { texts: &texts, around: &opened.disk };
    let exchange = |format| {
        let repairs = Repairs::new(&summary, sources);
        let edits = |fix: &Fix| repairs.edits(fix);
        let (disk, fail_on) = (&opened.disk, command.fail_on);
        Findings { snapshot: &snapshot, disk, diagnostics: &diagnostics, texts: &texts, fail_on, edits: &edits }
            .render(format)
    };
    let output = match command.format {
        CheckFormat::Text => summary.to_text(&texts, command.shown.color.enabled(), command.shown.quiet),
        CheckFormat::Json => summary.to_json(sources),
        CheckFormat::Sarif => exchange(Exchange::Sarif),
        CheckFormat::Github => exchange(Exchange::Github),
        CheckFormat::Gitlab => exchange(Exchange::Gitlab),
        CheckFormat::Junit => exchange(Exchange::Junit),
    };
    print(&output)?;
    if report_trouble(&opened, &snapshot) {
        return Ok(Outcome::Partial);
    }
    let fails = diagnostics.iter().any(|diagnostic| diagnostic.severity >= command.fail_on);
    Ok(if fails { Outcome::Findings } else { Outcome::Clean })
}

struct Summary<'a> {
    snapshot: &'a Snapshot,
    diagnostics: &'a [Diagnostic],
    scanned: usize,
    skipped: &'a [Skipped],
}

impl Summary<'_> {
    fn to_json(&self, sources: Sources<'_>) -> Page {
        let repairs = Repairs::new(self, sources);
        let skipped: Vec<Value> =
            self.skipped.iter().map(|skipped| json!({ "file": skipped.path, "reason": skipped.reason })).collect();
        let analysis = self.snapshot.analysis();
        Page::json(&Report {
            schema_version: 1,
            diagnostics: InJson { summary: self, repairs: &repairs },
            fixes_left_out: &repairs.left_out,
            files_scanned: self.scanned,
            files_skipped: skipped,
            servers_not_known: not_known(self.snapshot),
            servers: analysis.servers.len(),
            tools: analysis.tools().count(),
        })
    }

    fn to_text(&self, texts: Texts<'_>, color: bool, quiet: bool) -> Page {
        let mut out = Page::default();
        let shown = snippet::Shown::new(self.snapshot, texts);
        let (whole, brief) = self.diagnostics.split_at(self.diagnostics.len().min(MOST_EXCERPTS));
        for diagnostic in whole {
            out.styled(&snippet::render(&shown, diagnostic, color));
            out.text("\n\n");
        }
        for diagnostic in brief {
            out.line(snippet::brief(self.snapshot, diagnostic));
        }
        if quiet {
            return out;
        }
        let analysis = self.snapshot.analysis();
        let servers = counted(analysis.servers.len(), "server");
        let tools = counted(analysis.tools().count(), "tool");
        let files = counted(self.scanned, "file");
        match self.diagnostics.len() {
            0 => out.line(format_args!("nothing to report: {servers}, {tools}, {files} read")),
            count => {
                let by_severity: Vec<String> = Severity::ALL
                    .into_iter()
                    .rev()
                    .map(|severity| {
                        (severity, self.diagnostics.iter().filter(|found| found.severity == severity).count())
                    })
                    .filter(|(_, count)| *count > 0)
                    .map(|(severity, count)| counted(count, severity.as_str()))
                    .collect();
                let fixable =
                    self.diagnostics.iter().filter(|found| found.preferred_fix().is_some_and(|fix| fix.safe)).count();
                out.line(format_args!(
                    "{} ({}); {servers}, {tools}, {files} read",
                    counted(count, "finding"),
                    by_severity.join(", ")
                ));
                if fixable > 0 {
                    out.line(format_args!("{fixable} of them can be repaired with `toolnames fix`"));
                }
            }
        }
        let dynamics = analysis.servers.iter().flat_map(|server| &server.dynamics);
        let places: FxHashSet<Place> = dynamics.map(|dynamic| dynamic.place).collect();
        if !places.is_empty() {
            let names = counted(places.len(), "dynamic name");
            out.line(format_args!("not checked: {names} (see `toolnames list`)"));
        }
        let unknown = not_known(self.snapshot);
        if !unknown.is_empty() {
            /// The maximum number of keys that are listed.
            const MOST_KEYS: usize = 3;
            let listed: Vec<String> = unknown.iter().take(MOST_KEYS).map(|key| format!("`{key}`")).collect();
            let more = match unknown.len().saturating_sub(MOST_KEYS) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            out.line(format_args!(
                "not checked: names of tools of {}{more}: record these with `toolnames snapshot --key KEY -- COMMAND`",
                listed.join(", ")
            ));
        }
        tell_skipped(&mut out, self.skipped, self.snapshot);
        out
    }
}

#[derive(Serialize)]
struct Report<'a> {
    schema_version: u32,
    diagnostics: InJson<'a>,
    /// The number of fixes that are left out of the findings, since computing their edits would take too long.
    fixes_left_out: &'a Cell<usize>,
    files_scanned: usize,
    files_skipped: Vec<Value>,
    /// The keys of the servers whose tools are not known, although strings name them.
    servers_not_known: Vec<&'a String>,
    servers: usize,
    tools: usize,
}

/// The findings, each converted to JSON only when it is written. There may be thousands, and their JSON may be many
/// times as large as the files that they are about.
struct InJson<'a> {
    summary: &'a Summary<'a>,
    repairs: &'a Repairs<'a>,
}

impl Serialize for InJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Summary { snapshot, diagnostics, .. } = self.summary;
        let edits = |fix: &Fix| self.repairs.edits(fix);
        serializer.collect_seq(diagnostics.iter().map(|one| diagnostic_json(snapshot, one, &edits)))
    }
}

/// The edits of the fixes of all findings.
struct Repairs<'a> {
    snapshot: &'a Snapshot,
    sources: Sources<'a>,
    /// The renames that can be done, computed together.
    renames: FxHashMap<&'a RenameRequest, Edits>,
    trials: Trials,
    /// The number of fixes whose edits would take too long.
    left_out: Cell<usize>,
}

impl<'a> Repairs<'a> {
    fn new(summary: &Summary<'a>, sources: Sources<'a>) -> Repairs<'a> {
        let Summary { snapshot, diagnostics, .. } = *summary;
        let renames = fix::plans(snapshot, diagnostics, sources);
        Repairs { snapshot, sources, renames, trials: Trials::default(), left_out: Cell::new(0) }
    }

    /// Returns the edits of a fix; `None` if it would be refused, or takes too long.
    fn edits(&self, fix: &Fix) -> Option<Edits> {
        let known = match &fix.action {
            Action::Rename(request) => self.renames.get(request).cloned(),
            _ => None,
        };
        let takes_trial = matches!(fix.action, Action::Rename(_) | Action::Names(_) | Action::RemoveAlias(_));
        if known.is_none() && takes_trial && !self.trials.take(self.snapshot) {
            self.left_out.set(self.left_out.get() + 1);
            return None;
        }
        // A rename that is refused is not a fix.
        known.or_else(|| Some(fix::plan(self.snapshot, fix, self.sources).ok()?.edits()))
    }
}

fn counted(count: usize, what: &str) -> String {
    match (count, what) {
        (1, _) | (_, "info") => format!("{count} {what}"),
        _ => format!("{count} {what}s"),
    }
}

fn diagnostic_json(snapshot: &Snapshot, diagnostic: &Diagnostic, edits: &dyn Fn(&Fix) -> Option<Edits>) -> Value {
    let related: Vec<Value> = diagnostic
        .related
        .iter()
        .map(|related| {
            json!({
                "file": snapshot.files.path(related.file),
                "range": range(snapshot, related.file, related.span),
                "message": related.message,
            })
        })
        .collect();
    let fixes: Vec<Value> = diagnostic
        .fixes
        .iter()
        .filter_map(|fix| {
            let edits: Vec<Value> = edits(fix)?
                .iter()
                .flat_map(|(file, edits)| edits.iter().map(move |edit| (*file, edit)))
                .map(|(file, edit)| {
                    json!({
                        "file": snapshot.files.path(file),
                        "range": range(snapshot, file, edit.span),
                        "new_text": edit.new_text,
                    })
                })
                .collect();
            Some(json!({ "title": fix.title, "safe": fix.safe, "edits": edits }))
        })
        .collect();
    json!({
        "rule": diagnostic.rule,
        "severity": diagnostic.severity.as_str(),
        "message": diagnostic.message,
        "file": snapshot.files.path(diagnostic.file),
        "range": range(snapshot, diagnostic.file, diagnostic.span),
        "related": related,
        "fixes": fixes,
    })
}
