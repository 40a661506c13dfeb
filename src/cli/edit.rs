//! `toolnames fix` and `toolnames rename`: commands that write, all files or none.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::ValueEnum;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::args::{Fix, Format, Mode, Rename};
use super::report::{Point, point};
use super::snippet::{without_secrets, without_values};
use super::{Outcome, Trouble, open, print, report_trouble};
use crate::disk::{self, Disk, NewText, Opened};
use crate::fix::{self, FixedDocument};
use crate::path::is_environment;
use crate::rename::{self, Alias, AliasMode, NoAlias, Remark, Sources, To, Undone, targets};
use crate::show::{self, Page};
use crate::text::{Edit, Encoding, FileId, LineIndex, Moves, Position, apply_edits};
use crate::workspace::{Snapshot, Storage, text_hash};

/// The message about an interrupted write that has to be undone.
pub(super) const INTERRUPTED: &str =
    "a previous run was interrupted while writing files: run `toolnames fix` to restore them";

/// The changes that a command makes.
#[derive(Default)]
pub(super) struct Change {
    /// The requested mode of the alias; `alias` is the mode of the one that was added.
    asked: Option<AliasMode>,
    alias: Option<AliasMode>,
    /// The reason why `asked` and `alias` differ.
    fallback: Option<NoAlias>,
    /// The same tool in other servers, which is renamed too, as `server/name`.
    also_renamed: Vec<String>,
    /// The new text and the number of edits, by file.
    pub(super) files: BTreeMap<FileId, (String, usize)>,
    /// The same for documents outside the snapshot, by path.
    pub(super) documents: BTreeMap<String, FixedDocument>,
    /// The paths of the changed files that are new.
    pub(super) made: Vec<String>,
    pub(super) skipped: Vec<Remark>,
}

impl Change {
    pub(super) fn of(snapshot: &Snapshot, fixed: fix::Fixed) -> Change {
        let at = |path: String, position: Position, reason: Undone| {
            remark(path, Point { line: position.line + 1, column: position.column + 1 }, reason)
        };
        let path = |file| snapshot.files.path(file).to_string();
        let in_files = fixed.skipped.into_iter().map(|(file, position, reason)| at(path(file), position, reason));
        let in_documents =
            fixed.skipped_documents.into_iter().map(|(path, position, reason)| at(path, position, reason));
        let mut skipped: Vec<Remark> = in_files.chain(in_documents).collect();
        in_order(&mut skipped);
        Change { files: fixed.files, documents: fixed.documents, skipped, ..Change::default() }
    }

    /// Applies a plan to the files on disk. The positions of places that are left unchanged are those in the texts that
    /// the user will see: the old texts with `dry_run`, otherwise the new ones.
    fn of_plan(opened: &Opened, snapshot: &Snapshot, plan: rename::Plan, dry_run: bool) -> Result<Change, Trouble> {
        let mut change = Change { alias: plan.alias, fallback: plan.fallback.clone(), ..Change::default() };
        let meanwhile = |path: &str| anyhow::anyhow!("{path} has changed since it was read: run the command again");
        let mut seen: FxHashMap<FileId, Seen> = FxHashMap::default();
        for (file, edits) in plan.edits() {
            let path = snapshot.files.path(file);
            let text = opened.disk.read(path).and_then(|text| apply_edits(&text, &edits));
            let text = text.ok_or_else(|| meanwhile(path))?;
            if !dry_run {
                seen.insert(file, Seen::after(&text, &edits));
            }
            change.files.insert(file, (text, edits.len()));
        }
        for left in plan.skipped {
            let reason = Undone::Left(left.reason);
            let path = || snapshot.files.path(left.file).to_string();
            change.skipped.push(match seen.get(&left.file) {
                Some(seen) => remark(path(), seen.point(left.span.start), reason),
                None => remark_in(snapshot, left.file, left.span.start, reason),
            });
        }
        for (path, document) in plan.documents {
            let text = apply_edits(&document.text, &document.edits).ok_or_else(|| meanwhile(&path))?;
            let seen = if dry_run { Seen::after(&document.text, &[]) } else { Seen::after(&text, &document.edits) };
            let skipped = document.skipped.into_iter();
            let skipped = skipped.map(|(span, left)| remark(path.clone(), seen.point(span.start), Undone::Left(left)));
            change.skipped.extend(skipped);
            let edits = document.edits.len();
            if edits > 0 {
                change.documents.insert(path, FixedDocument { before: document.text, text, edits });
            }
        }
        in_order(&mut change.skipped);
        Ok(change)
    }
}

/// The text that the user sees, and how edits have moved the positions in the original text.
struct Seen {
    lines: LineIndex,
    moves: Moves,
}

impl Seen {
    fn after(text: &str, edits: &[Edit]) -> Seen {
        Seen { lines: LineIndex::of_file(text), moves: Moves::of(edits) }
    }

    /// Converts a byte offset in the text before the edits to a line and column in the shown text.
    fn point(&self, before: u32) -> Point {
        let position = self.lines.position(self.moves.moved(before), Encoding::Utf32);
        Point { line: position.line + 1, column: position.column + 1 }
    }
}

fn remark(path: String, point: Point, reason: Undone) -> Remark {
    Remark { path, line: point.line, column: Some(point.column), reason }
}

fn remark_in(snapshot: &Snapshot, file: FileId, offset: u32, reason: Undone) -> Remark {
    remark(snapshot.files.path(file).to_string(), point(snapshot, file, offset), reason)
}

/// Sorts places by file and position.
fn in_order(places: &mut [Remark]) {
    places.sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
}

pub(super) fn fix(command: &Fix) -> Result<Outcome, Trouble> {
    take_back(&command.workspace.root(), command.dry_run)?;
    let mut opened = open(&command.workspace)?;
    let snapshot = opened.workspace.snapshot();
    let texts = |file: FileId| opened.disk.read(snapshot.files.path(file));
    let only = command.workspace.only();
    let files = |file: FileId| only.as_ref().is_none_or(|only| snapshot.files.path(file) == only);
    let unsafe_too = command.unsafe_too || command.alias.is_some();
    let options = fix::Options { unsafe_too, alias: command.alias.map(AliasMode::from), only: None };
    let sources = Sources { texts: &texts, around: &opened.disk };
    let fixed = fix::fix(&snapshot, &files, sources, options);
    let change = Change::of(&snapshot, fixed);
    let done = finish(&opened, &snapshot, &change, command.dry_run, command.output.format, command.output.shown.quiet)?;
    // Nothing of what was found could be changed.
    let is_all_left = change.files.is_empty() && change.documents.is_empty() && !change.skipped.is_empty();
    Ok(if is_all_left && matches!(done, Outcome::Clean) { Outcome::Findings } else { done })
}

pub(super) fn rename(command: &Rename) -> Result<Outcome, Trouble> {
    let path = command.workspace.path.display().to_string();
    if command.alias.is_some() && Mode::from_str(&path, false).is_ok() && !command.workspace.path.exists() {
        return Err(anyhow::anyhow!("there is no folder {path}; to choose a mode, write `--alias={path}`"));
    }
    if let Some(old) = &command.end_alias {
        return end_alias(command, old);
    }
    // Both are given unless an alias is to be removed.
    let (old, new) = (command.old.as_deref().unwrap_or_default(), command.new.as_deref().unwrap_or_default());
    take_back(&command.workspace.root(), command.dry_run)?;
    let mut opened = open(&command.workspace)?;
    let snapshot = opened.workspace.snapshot();
    let server = command.server.as_deref();
    // The command succeeds if the rename is already done, for example when a script runs it again.
    let keeps_old = if command.no_alias { Some(false) } else { command.alias.map(|_| true) };
    if rename::is_done(&snapshot, (old, new), keeps_old, server) {
        tell(&format!("`{old}` is already called `{new}`"));
        return finish(
            &opened,
            &snapshot,
            &Change::default(),
            command.dry_run,
            command.output.format,
            command.output.shown.quiet,
        );
    }
    let found = targets(&snapshot, old, server);
    let target = match (rename::only(&found), found.as_slice()) {
        (Some(only), _) => only,
        (None, []) => {
            let names: Vec<&str> = snapshot.analysis().tools().map(|(_, tool)| tool.name.as_str()).collect();
            let of_another = targets(&snapshot, old, None);
            if let Some(server) = command.server.as_ref().filter(|_| !of_another.is_empty()) {
                let servers = servers_of(&of_another).join(" and ");
                anyhow::bail!("`{server}` has no tool `{old}`: it belongs to {servers}");
            }
            let mut servers = snapshot.analysis().servers.iter();
            if let Some(alias) = servers.find_map(|it| it.answered.iter().find(|name| name.old == old)) {
                anyhow::bail!(
                    "`{}` is an alias of `{}`: rename that tool, or remove the alias with `--end-alias`",
                    alias.old,
                    alias.new
                );
            }
            let near = crate::name::nearest(old, names.iter().copied());
            let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            anyhow::bail!("there is no tool `{old}` in this workspace{hint}");
        }
        (None, several) => {
            let servers = servers_of(several);
            let first = several[0].server;
            if several.iter().all(|target| std::ptr::eq(target.server, first)) {
                let files = &snapshot.files;
                let place = |target: &rename::Target<'_>| {
                    let place = target.tool.registration.place;
                    let start = snapshot.position(place.file, files.span(place).start, Encoding::Utf8);
                    format!("{}:{}", files.path(place.file), start.line + 1)
                };
                let places: Vec<String> = several.iter().map(place).collect();
                anyhow::bail!(
                    "`{old}` is registered several times, in {}: rename one of them by hand first",
                    places.join(" and ")
                );
            }
            anyhow::bail!("`{old}` is a tool in {}: choose one with `--server`", servers.join(" and "));
        }
    };
    // The new name has the same form as the old one: the full name, or the part in source.
    let short = old == target.tool.short_name();
    let shown = if short { target.tool.short_name() } else { target.tool.name.as_str() };
    let new = rename::wire_name(snapshot.files.known_clients(), target, old, shown, new);
    if snapshot.files.alias_of(target.tool).as_ref() == Some(&new) {
        anyhow::bail!("`{old}` is an alias of `{new}`: remove it with `toolnames rename --end-alias {old}`");
    }
    if let Some(until) = &command.until {
        anyhow::ensure!(
            crate::workspace::is_day_or_version(until),
            "`--until {until}`: expected a date (2027-06-01) or a version (2.0)"
        );
        if snapshot.files.has_come(until, target.tool.registration.place.file) {
            tell(&format!("`--until {until}` is in the past: `check` will report this alias as expired"));
        }
    }
    let configured = Alias::configured(&snapshot, target);
    let asked =
        command.alias.map(|mode| Alias { mode: mode.into(), is_exact: true, ..configured.clone().unwrap_or_default() });
    let alias = asked.or(configured).filter(|_| !command.no_alias);
    let texts = |file: FileId| opened.disk.read(snapshot.files.path(file));
    let sources = Sources { texts: &texts, around: &opened.disk };
    let back = rename::alias_of(&snapshot, target, &new, &texts);
    // A rename back to an earlier name leaves an alias only on request.
    let alias = alias.filter(|_| back.is_none() || command.alias.is_some());
    let alias = alias.map(|alias| Alias { until: command.until.clone().or(alias.until), ..alias });
    let to = To { function_too: command.function, force: command.force, ..To::new(&new, alias.as_ref()) };
    let (plan, after) = match &back {
        Some(request) => rename::back(&snapshot, target, request, to, sources)?,
        None => rename::renamed(&snapshot, target, to, sources)?,
    };
    for skipped in opened.disk.skipped().iter().filter(|skipped| skipped.reason == disk::UNREADABLE_MENTION) {
        tell(&format!("not changed: {}: {}", skipped.path, skipped.reason));
    }
    for breach in fix::breaches(&snapshot, &after, &new) {
        tell(&format!("the new name breaks the convention: {breach}"));
    }
    let also = target.servers(&snapshot).into_iter().skip(1).filter(|server| server.name != target.server.name);
    let also: Vec<String> = also.map(|server| format!("{}/{}", server.name, target.tool.name)).collect();
    if !also.is_empty() {
        tell(&format!("several servers share this registration; also renamed: {}", also.join(", ")));
    }
    let asked = alias.map(|alias| alias.mode);
    let change = Change { asked, also_renamed: also, ..Change::of_plan(&opened, &snapshot, plan, command.dry_run)? };
    let done = finish(&opened, &snapshot, &change, command.dry_run, command.output.format, command.output.shown.quiet)?;
    let guards = |left: &Remark| matches!(&left.reason, Undone::Left(reason) if reason.may_guard());
    Ok(if command.force && change.skipped.iter().any(guards) { Outcome::Findings } else { done })
}

/// Removes an alias before it expires.
fn end_alias(command: &Rename, old: &str) -> Result<Outcome, Trouble> {
    anyhow::ensure!(command.new.is_none(), "`--end-alias` accepts only the name of an alias and a folder");
    let path = command.old.as_ref().map_or_else(|| command.workspace.path.clone(), PathBuf::from);
    let workspace = super::args::Workspace { path, ..command.workspace.clone() };
    take_back(&workspace.root(), command.dry_run)?;
    let mut opened = open(&workspace)?;
    let snapshot = opened.workspace.snapshot();
    let texts = |file: FileId| opened.disk.read(snapshot.files.path(file));
    let mut found = rename::removal::aliases(&snapshot, old, &texts);
    found.retain(|(target, _)| command.server.as_deref().is_none_or(|server| target.server.goes_by(server)));
    let request = match found.as_slice() {
        [(_, request)] => request,
        [] => anyhow::bail!("there is no alias `{old}` in this workspace"),
        several => {
            let servers = servers_of(&several.iter().map(|(target, _)| *target).collect::<Vec<_>>());
            anyhow::bail!("`{old}` is an alias in {}: choose one with `--server`", servers.join(" and "))
        }
    };
    let plan = rename::removal::plan(&snapshot, request, Sources { texts: &texts, around: &opened.disk })?;
    let change = Change::of_plan(&opened, &snapshot, plan, command.dry_run)?;
    finish(&opened, &snapshot, &change, command.dry_run, command.output.format, command.output.shown.quiet)
}

/// Returns labels that distinguish the servers of some tools: their names, with the folder if two have the same name.
fn servers_of(targets: &[rename::Target<'_>]) -> Vec<String> {
    let names = |wanted: &str| targets.iter().filter(|target| target.server.name == wanted).count();
    let each = targets.iter().map(|target| match names(&target.server.name) {
        1 => format!("`{}`", target.server.name),
        _ => format!("`{}` in {}", target.server.name, target.server.root),
    });
    each.collect()
}

/// Writes a message to standard error.
fn tell(message: &str) {
    show::complain(message);
}

/// Undoes an interrupted write; with `dry_run`, fails if there is one.
pub(super) fn take_back(root: &std::path::Path, dry_run: bool) -> Result<(), Trouble> {
    let disk = Disk::new(root);
    if dry_run && disk.is_interrupted() {
        anyhow::bail!("{INTERRUPTED}");
    }
    if dry_run {
        return Ok(());
    }
    let recovered = disk.recover().map_err(|error| anyhow::anyhow!("cannot restore an interrupted run: {error}"))?;
    for path in recovered.restored {
        tell(&format!("{path}: restored, since a previous run was interrupted while writing"));
    }
    for path in recovered.left {
        tell(&format!("{path}: not restored after an interrupted run, since it has been changed in the meantime"));
    }
    for (folder, journal) in recovered.stranded {
        let journal = journal.display();
        tell(&format!(
            "{folder} has been moved or removed since a write in it was interrupted: the old contents of its \
             files are in {journal}; restore what you need, then delete that file"
        ));
    }
    Ok(())
}

/// Prints a change, and writes it unless `dry_run` is set.
pub(super) fn finish(
    opened: &Opened,
    snapshot: &Snapshot,
    change: &Change,
    dry_run: bool,
    format: Format,
    quiet: bool,
) -> Result<Outcome, Trouble> {
    if !dry_run {
        let files = change.files.iter().filter_map(|(file, (text, _))| {
            let file = snapshot.files.get(*file)?;
            let path = file.path.to_string();
            Some(NewText { before: Some(file.hash).filter(|_| !change.made.contains(&path)), path, text: text.clone() })
        });
        let documents = change.documents.iter().map(|(path, document)| NewText {
            path: path.clone(),
            before: Some(text_hash(&document.before)),
            text: document.text.clone(),
        });
        opened.disk.write(&files.chain(documents).collect::<Vec<_>>())?;
    }
    if let Some(fallback) = fallback(change) {
        tell(&fallback);
    }
    if dry_run && format == Format::Text {
        // Skipped places are reported on standard error, since the diff may be redirected to a file.
        rename::remarks(&change.skipped).iter().for_each(|(_, remark)| tell(remark));
    }
    let output = match (format, dry_run) {
        (Format::Json, _) => Page::json(&to_json(snapshot, change)),
        (Format::Text, true) => diff(opened, snapshot, change),
        (Format::Text, false) if quiet => Page::default(),
        (Format::Text, false) => to_text(snapshot, change),
    };
    print(&output)?;
    Ok(if report_trouble(opened, snapshot) { Outcome::Partial } else { Outcome::Clean })
}

fn to_json(snapshot: &Snapshot, change: &Change) -> Value {
    let files: Vec<Value> = change
        .files
        .iter()
        .map(|(file, (_, edits))| (snapshot.files.path(*file), *edits))
        .chain(change.documents.iter().map(|(path, document)| (path.as_str(), document.edits)))
        .map(|(file, edits)| json!({ "file": file, "edits": edits }))
        .collect();
    let skipped: Vec<Value> = change
        .skipped
        .iter()
        .map(|left| json!({ "file": left.path, "line": left.line, "code": left.reason.code(), "reason": left.reason.to_string() }))
        .collect();
    json!({
        "schema_version": 1, "files": files, "alias": change.alias.map_or("none", AliasMode::as_str),
        "fallback": fallback(change), "also_renamed": change.also_renamed, "skipped": skipped,
    })
}

/// Returns a note if the alias was added in a different mode from the requested one; `None` otherwise.
fn fallback(change: &Change) -> Option<String> {
    let (asked, left) = (change.asked?, change.alias?);
    let reason = change.fallback.as_ref().map(ToString::to_string);
    let reason = reason.unwrap_or_else(|| "the framework of the tool supports no other kind".to_string());
    (asked != left).then(|| format!("added a {} alias instead of a {} one: {reason}", left.as_str(), asked.as_str()))
}

fn to_text(snapshot: &Snapshot, change: &Change) -> Page {
    let mut out = Page::default();
    let files = change.files.iter().map(|(file, (_, edits))| (snapshot.files.path(*file), *edits));
    let documents = change.documents.iter().map(|(path, document)| (path.as_str(), document.edits));
    for (path, edits) in files.chain(documents) {
        let edits = if edits == 1 { "1 edit".to_string() } else { format!("{edits} edits") };
        out.line(format_args!("{}: {edits}", show::value(path)));
    }
    if change.files.is_empty() && change.documents.is_empty() {
        out.line(if change.skipped.is_empty() { "nothing to change" } else { "nothing was changed" });
    }
    for (_, remark) in rename::remarks(&change.skipped) {
        out.line(remark);
    }
    out
}

fn diff(opened: &Opened, snapshot: &Snapshot, change: &Change) -> Page {
    let mut out = Page::default();
    let to_terminal = show::is_terminal();
    for (file, (new, _)) in &change.files {
        let path = snapshot.files.path(*file);
        let old = opened.disk.read(path).unwrap_or_default();
        // A diff for `git apply` must be exact; a diff on a terminal hides secrets.
        let shown = |text: &str| if to_terminal { without_secrets(snapshot, *file, text) } else { text.to_string() };
        out.diff(path, &shown(&old), &shown(new), to_terminal);
    }
    for (path, document) in &change.documents {
        let hides = to_terminal && is_environment(path);
        let shown = |text: &str| if hides { without_values(text) } else { text.to_string() };
        out.diff(path, &shown(&document.before), &shown(&document.text), to_terminal);
    }
    out
}
