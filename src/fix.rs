//! Applying repairs: every unambiguous one, again and again until nothing more is to be repaired.

use std::collections::BTreeMap;

use crate::diagnostic::{Action, Edits, Fix, RuleId};
use crate::entry::Insertion;
use crate::rename;
use crate::rules;
use crate::text::{Edit, FileId, apply_edits};
use crate::workspace::Snapshot;

/// Which repairs are applied.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Also change wire names, without leaving an alias.
    pub unsafe_too: bool,
    /// Nothing but what this rule finds.
    pub only: Option<RuleId>,
}

/// What repairing comes to.
#[derive(Debug, Default)]
pub struct Fixed {
    /// For each changed file its new text and how many repairs it took.
    pub files: BTreeMap<FileId, (String, usize)>,
    /// Repairs that were not applied, and why.
    pub skipped: Vec<(FileId, u32, String)>,
}

/// More rounds than this mean that two rules undo each other; the text of the last round is kept.
const MAX_ROUNDS: usize = 12;

/// Repairs a snapshot. `files` limits what is changed; `texts` gives the present texts.
pub fn fix(snapshot: &Snapshot, files: &dyn Fn(FileId) -> bool, texts: rename::Texts<'_>, options: Options) -> Fixed {
    let mut fixed = Fixed::default();
    let mut current = snapshot.clone();
    for _ in 0..MAX_ROUNDS {
        let now = |file: FileId| match fixed.files.get(&file) {
            Some((text, _)) => Some(text.clone()),
            None => texts(file),
        };
        let mut skipped = Vec::new();
        let round = round(&current, files, &now, options, &mut skipped);
        fixed.skipped = skipped;
        if round.is_empty() {
            break;
        }
        let Some(next) = current.with_edits(&round, &now) else {
            break;
        };
        let mut changed = Vec::new();
        for (file, edits) in &round {
            if let Some(text) = now(*file).and_then(|text| apply_edits(&text, edits)) {
                changed.push((*file, text, edits.len()));
            }
        }
        for (file, text, count) in changed {
            let entry = fixed.files.entry(file).or_default();
            *entry = (text, entry.1 + count);
        }
        current = next;
    }
    fixed
}

/// One round of edits that do not get in each other's way. A rename changes what other findings say, so there
/// is at most one in a round, and then nothing else.
fn round(
    snapshot: &Snapshot,
    files: &dyn Fn(FileId) -> bool,
    texts: rename::Texts<'_>,
    options: Options,
    skipped: &mut Vec<(FileId, u32, String)>,
) -> Edits {
    let mut edits = Edits::new();
    let mut renames = Vec::new();
    let diagnostics = rules::check_all(snapshot);
    for diagnostic in &diagnostics {
        if !files(diagnostic.file) || options.only.is_some_and(|only| diagnostic.rule != only) {
            continue;
        }
        let Some(fix) = diagnostic.preferred_fix() else {
            continue;
        };
        if !fix.safe && !options.unsafe_too {
            continue;
        }
        let edit = match &fix.action {
            Action::Edit(more) => more.clone(),
            Action::Write(entries, more) => match written(entries, more, texts) {
                Some(edits) => edits,
                None => continue,
            },
            Action::Rename(request) => {
                renames.push((diagnostic.file, diagnostic.span.start, request));
                continue;
            }
        };
        let fits = edit.iter().all(|(file, more)| {
            let taken = edits.get(file).map_or(&[][..], Vec::as_slice);
            more.iter().all(|edit| taken.iter().all(|other| !conflicts(edit, other)))
        });
        if fits {
            for (file, more) in edit {
                edits.entry(file).or_default().extend(more);
            }
        }
    }
    if !edits.is_empty() {
        return edits;
    }
    for (file, offset, request) in renames {
        let Some(target) = rename::target(snapshot, request) else {
            continue;
        };
        match rename::rename(snapshot, target, &request.new, texts) {
            Ok(plan) => return plan.edits,
            Err(refusal) => skipped.push((file, offset, refusal.to_string())),
        }
    }
    Edits::new()
}

/// Edits, and those that write entries; `None` where there is nothing to write one into.
fn written(entries: &[Insertion], edits: &Edits, texts: rename::Texts<'_>) -> Option<Edits> {
    let mut edits = edits.clone();
    for entry in entries {
        edits.entry(entry.file()).or_default().push(entry.edit(&texts(entry.file())?)?);
    }
    Some(edits)
}

fn conflicts(a: &Edit, b: &Edit) -> bool {
    a.span.overlaps(b.span) || a.span.start == b.span.start || a.span.end == b.span.start || b.span.end == a.span.start
}

/// The edits of a fix; those of a rename are found now.
///
/// # Errors
/// The reason why the rename is refused.
pub fn edits_of(snapshot: &Snapshot, fix: &Fix, texts: rename::Texts<'_>) -> Result<Edits, rename::Refusal> {
    match &fix.action {
        Action::Edit(edits) => Ok(edits.clone()),
        Action::Write(entries, edits) => written(entries, edits, texts)
            .ok_or_else(|| rename::Refusal("the object to write into is not there any more".into())),
        Action::Rename(request) => {
            let target = rename::target(snapshot, request)
                .ok_or_else(|| rename::Refusal(format!("`{}` is not here any more", request.old)))?;
            Ok(rename::rename(snapshot, target, &request.new, texts)?.edits)
        }
    }
}
