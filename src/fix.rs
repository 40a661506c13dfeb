//! Applies fixes: every unambiguous one, again and again until none is left.

mod witnesses;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use self::witnesses::{Pair, ToolNames, Witnesses};
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, RenameRequest, RuleId, Severity};
use crate::document;
use crate::entry::Insertion;
use crate::rename::{self, Alias, AliasMode, Left, Outdated, Plan, Refusal, Sources, To, Undone};
use crate::rules;
use crate::syntax::is_markdown;
use crate::text::{Edit, Encoding, FileId, LineIndex, Moves, Position, Span, apply_edits};
use crate::workspace::{Above, Snapshot, Surroundings};

/// The selection of fixes to apply.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Whether to apply unsafe fixes, too, such as changes of wire names.
    pub unsafe_too: bool,
    /// The way in which the old name is kept if a wire name changes; `None` if it is not kept.
    pub alias: Option<AliasMode>,
    /// The only rule whose findings are fixed; `None` for all rules.
    pub only: Option<RuleId>,
}

/// The result of applying fixes.
#[derive(Debug, Default)]
pub struct Fixed {
    /// For each changed file, its new text and the number of edits.
    pub files: BTreeMap<FileId, (String, usize)>,
    /// The same for documents outside the snapshot, by path.
    pub documents: BTreeMap<String, FixedDocument>,
    /// What was not changed: the file, the position in its new text, counted in characters, and the reason.
    pub skipped: Vec<(FileId, Position, Undone)>,
    /// The same in documents: the path, the position in the text as it was read, counted in characters, and the reason.
    pub skipped_documents: Vec<(String, Position, Undone)>,
}

/// A document outside the snapshot that mentions a renamed tool.
#[derive(Debug)]
pub struct FixedDocument {
    /// The text as it was read.
    pub before: String,
    pub text: String,
    pub edits: usize,
}

/// The rule whose fixes remove entries that other entries cover.
const REDUNDANT: RuleId = rules::permission::redundant::RULE.id;
/// The maximum number of rounds of edits. If more are needed, two rules undo each other's edits; the text after the
/// last round is kept.
const MAX_ROUNDS: usize = 64;

/// A budget for renames that need a trial of their own. Each trial looks at every tool and every file, and reads the
/// file that it edits.
pub(crate) struct Trials {
    /// The number of steps that are left.
    left: Cell<usize>,
}

/// The number of steps, of about 60 microseconds each, for the trials of one run.
const MOST_STEPS: usize = 25_000;
/// The number of trials that are made even in the largest workspace.
const LEAST_TRIALS: usize = 3;
/// The number of bytes that are read in one step.
const BYTES_A_STEP: usize = 64;
/// The number of steps for each file: the search for mentions opens it several times.
const STEPS_A_FILE: usize = 5;

impl Default for Trials {
    fn default() -> Trials {
        Trials { left: Cell::new(MOST_STEPS) }
    }
}

impl Trials {
    /// Deducts the cost of one more trial, and returns whether the budget covered it.
    pub(crate) fn take(&self, snapshot: &Snapshot) -> bool {
        if self.left.get() == 0 {
            return false;
        }
        let tools = || snapshot.analysis().tools();
        let files: FxHashSet<FileId> = tools().map(|(_, tool)| tool.local_place().file).collect();
        let largest = files.into_iter().filter_map(|file| snapshot.files.get(file)).map(|file| file.lines.text_len());
        let read = largest.max().unwrap_or(0) / BYTES_A_STEP;
        let names = tools().map(|(_, tool)| 1 + tool.name.len() / BYTES_A_STEP).sum::<usize>();
        let cost = names + snapshot.files.all().count() * STEPS_A_FILE + read;
        let left = self.left.get().checked_sub(cost.min(MOST_STEPS / LEAST_TRIALS));
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// Fixes a snapshot. `files` selects the files to fix; `sources` provides their present texts.
///
/// A fix is applied only if its finding is gone afterwards. Names are changed separately, since that changes other
/// findings.
pub fn fix(snapshot: &Snapshot, files: &dyn Fn(FileId) -> bool, sources: Sources<'_>, options: Options) -> Fixed {
    let mut repair = Repair {
        current: snapshot.clone(),
        found: rules::check_all(snapshot),
        fixed: Fixed::default(),
        futile: FxHashSet::default(),
        left: Vec::new(),
        undone: Vec::new(),
        renamed: false,
        trials: Trials::default(),
        read: RefCell::default(),
        writable: RefCell::default(),
        witnesses: RefCell::default(),
        files,
        sources,
        options,
    };
    for _ in 0..MAX_ROUNDS {
        match repair.edit() {
            Round::Done => {
                let was_renamed = std::mem::replace(&mut repair.renamed, true);
                if !repair.rename() && was_renamed {
                    break;
                }
            }
            Round::Again => {}
        }
    }
    let outside = repair.found.iter().filter(|found| repair.is_wanted(found) && !repair.may_write(found.file));
    let undone = outside.map(|found| (found.file, found.span.start, Undone::Left(Left::Outside)));
    let remarked: FxHashSet<(FileId, u32)> =
        repair.left.iter().chain(&repair.undone).map(|(file, offset, _)| (*file, *offset)).collect();
    let rest = repair.found.iter().filter(|found| {
        let is_open = found.severity >= Severity::Warning && !repair.is_wanted(found) && repair.may_be_fixed(found);
        is_open && !remarked.contains(&(found.file, found.span.start))
    });
    let rest = rest.map(|found| (found.file, found.span.start, Undone::Left(left(found))));
    let undone = undone.chain(rest).chain(repair.undone.iter().cloned()).chain(repair.left.iter().cloned());
    let position = |file, offset| repair.current.position(file, offset, Encoding::Utf32);
    let skipped = undone.map(|(file, offset, reason)| (file, position(file, offset), reason)).collect();
    repair.fixed.skipped = skipped;
    repair.fixed
}

/// Returns the reason why a finding is left: its fix has to be requested, it has several fixes, or none.
fn left(found: &Diagnostic) -> Left {
    let rule = found.rule;
    match (found.preferred_fix(), found.fixes.as_slice()) {
        (Some(fix), _) => Left::Unsafe { rule, fix: fix.title.clone() },
        (None, []) => Left::NoFix { rule, message: found.message.clone() },
        (None, fixes) => Left::Choice { rule, fixes: fixes.iter().map(|fix| fix.title.clone()).collect() },
    }
}

/// The state of a run.
struct Repair<'a> {
    current: Snapshot,
    /// The findings in `current`.
    found: Vec<Diagnostic>,
    fixed: Fixed,
    /// Findings whose fixes are not tried again, because the fix does not remove the finding or is contested.
    futile: FxHashSet<Finding>,
    /// The renames of the last round that were refused: the file, the byte offset, and the reason.
    left: Vec<(FileId, u32, Undone)>,
    /// The places that are left to be changed by hand, with the reason.
    undone: Vec<(FileId, u32, Undone)>,
    /// Whether all possible name changes have been made at least once.
    renamed: bool,
    trials: Trials,
    /// The original texts of the files that were requested so far.
    read: RefCell<FxHashMap<FileId, Option<String>>>,
    /// Whether each of the files that were requested so far may be written.
    writable: RefCell<FxHashMap<FileId, bool>>,
    witnesses: RefCell<Witnesses>,
    files: &'a dyn Fn(FileId) -> bool,
    sources: Sources<'a>,
    options: Options,
}

/// A finding, identified by its place and message.
type Finding = (FileId, RuleId, u32, String);

enum Round {
    /// There is nothing more to do.
    Done,
    Again,
}

impl Repair<'_> {
    /// Makes every edit that does not conflict with another.
    fn edit(&mut self) -> Round {
        let Planned { edits, documents, meant, undone, undone_documents, contested } = self.edits();
        for (finding, left) in contested {
            self.undone.push((finding.0, finding.2, Undone::Left(left)));
            self.futile.insert(finding);
        }
        let edits = laid_out(&self.current, edits, &|file| self.text(file));
        if edits.is_empty() {
            let new: Vec<_> = undone.into_iter().filter(|one| !self.undone.contains(one)).collect();
            self.undone.extend(new);
            return Round::Done;
        }
        let Some(next) = self.current.with_edits(&edits, &|file| self.text(file)) else { return Round::Done };
        let found = rules::check_all(&next);
        let after: FxHashSet<Finding> = found.iter().map(finding).collect();
        let moves = FileMoves::of(&edits);
        let stays = |meant: &Meant| {
            let (file, rule, start, message) = &meant.finding;
            // A finding whose text was replaced is gone, no matter what is in its place now.
            let is_gone = !meant.span.is_empty() && moves.replaced(*file, meant.span);
            !is_gone && after.contains(&(*file, *rule, moves.moved(*file, *start), message.clone()))
        };
        let futile: Vec<Finding> = meant.into_iter().filter(stays).map(|meant| meant.finding).collect();
        if !futile.is_empty() {
            self.futile.extend(futile);
            return Round::Again;
        }
        self.undone.extend(undone);
        self.take(&edits, next, found);
        self.take_documents(documents);
        self.fixed.skipped_documents.extend(undone_documents);
        Round::Again
    }

    /// Collects the edits of one round.
    fn edits(&self) -> Planned {
        let Planned { mut edits, mut documents, mut meant, mut undone, mut undone_documents, .. } = Planned::default();
        let mut taken = Taken::default();
        let mut contested = Vec::new();
        let tools = ToolNames::of(&self.current);
        let texts = RefCell::new(FxHashMap::default());
        let pairs_of = |edits: &Edits| -> Vec<Pair> {
            let mut texts = texts.borrow_mut();
            let of_file = |(file, edits): (&FileId, &Vec<Edit>)| {
                let text = texts.entry(*file).or_insert_with(|| self.text(*file).unwrap_or_default());
                witnesses::pairs(&tools, text, edits)
            };
            edits.iter().flat_map(of_file).collect()
        };
        let repairs = self.wanted().filter_map(|diagnostic| match &diagnostic.preferred_fix()?.action {
            Action::Edit(edits) | Action::Write(_, edits) => Some(pairs_of(edits)),
            Action::Names(_) | Action::Rename(_) | Action::RemoveAlias(_) => None,
        });
        let pairs: Vec<Pair> = repairs.flatten().collect();
        self.witnesses.borrow_mut().count(&self.current, pairs, self);
        let witnesses = self.witnesses.borrow();
        // A pattern may cover less once names have changed, so redundant entries are removed only after that.
        let waits = |rule: RuleId| !self.renamed && self.options.unsafe_too && rule == REDUNDANT;
        let mut for_later: Option<(FileId, u32, usize)> = None;
        for diagnostic in self.wanted().filter(|diagnostic| !waits(diagnostic.rule)) {
            let Some(fix) = diagnostic.preferred_fix() else { continue };
            if matches!(fix.action, Action::RemoveAlias(_)) && !self.trials.take(&self.current) {
                for_later.get_or_insert((diagnostic.file, diagnostic.span.start, 0)).2 += 1;
                continue;
            }
            let edit = match &fix.action {
                Action::Edit(more) => Some(more.clone()),
                Action::Write(insertions, more) => written(insertions, more, &|file| self.text(file)),
                Action::RemoveAlias(request) => {
                    let texts = |file| self.text(file);
                    let sources = Sources { texts: &texts, around: self };
                    rename::removal::plan(&self.current, request, sources).ok().map(|plan| {
                        undone.extend(
                            plan.skipped
                                .iter()
                                .map(|left| (left.file, left.span.start, Undone::Left(left.reason.clone()))),
                        );
                        let edits = plan.edits();
                        for (path, document) in plan.documents {
                            let lines = LineIndex::of_file(&document.text);
                            undone_documents.extend(document.skipped.iter().map(|(span, reason)| {
                                let position = lines.position(span.start, Encoding::Utf32);
                                (path.clone(), position, Undone::Left(reason.clone()))
                            }));
                            let known = documents
                                .entry(path)
                                .or_insert(rename::Document { edits: Vec::new(), ..document.clone() });
                            known.edits.extend(document.edits);
                        }
                        edits
                    })
                }
                Action::Names(_) | Action::Rename(_) => None,
            };
            let Some(edit) = edit else { continue };
            if let Some((Pair { written, tool }, files)) = witnesses.against(&pairs_of(&edit)) {
                let left = Left::Contested { written: written.clone(), tool: tool.clone(), files };
                contested.push((finding(diagnostic), left));
                continue;
            }
            let fits = edit.iter().all(|(file, more)| more.iter().all(|edit| !taken.conflicts(*file, edit.span)));
            if fits {
                for (file, more) in &edit {
                    more.iter().for_each(|edit| taken.add(*file, edit.span));
                }
                meant.push(Meant { finding: finding(diagnostic), span: diagnostic.span });
                for (file, more) in edit {
                    edits.entry(file).or_default().extend(more);
                }
            }
        }
        let is_last = edits.is_empty();
        undone.extend(
            for_later
                .filter(|_| is_last)
                .map(|(file, start, count)| (file, start, Undone::Left(Left::ForLater(count - 1)))),
        );
        Planned { edits, documents, meant, undone, undone_documents, contested }
    }

    /// Changes every name that can be changed, and returns whether there was any.
    fn rename(&mut self) -> bool {
        self.left.clear();
        let renames = self.wanted().filter_map(|diagnostic| match &diagnostic.preferred_fix()?.action {
            Action::Rename(request) => Some((diagnostic.file, diagnostic.span.start, request.clone())),
            _ => None,
        });
        let mut renames: Vec<(FileId, u32, RenameRequest)> = renames.collect();
        renames.dedup_by(|a, b| a.2 == b.2);
        let mut any = self.change_shared();
        if any {
            // The names that contain the shared part have changed.
            self.found = rules::check_all(&self.current);
            return true;
        }
        any |= self.rename_together(&mut renames);
        for at in 0..renames.len() {
            let (file, offset, request) = renames[at].clone();
            let Some(target) = rename::target(&self.current, &request) else { continue };
            if !self.trials.take(&self.current) {
                let others = renames.len() - at - 1;
                self.left.push((file, offset, Undone::Left(Left::ForLater(others))));
                break;
            }
            let texts = |file| self.text(file);
            let sources = Sources { texts: &texts, around: self };
            let configured = || Alias::configured(&self.current, target).unwrap_or_default();
            let alias = self.options.alias.map(|mode| Alias { mode, is_exact: true, ..configured() });
            match rename::renamed(
                &self.current,
                target,
                To { repairs: true, ..To::new(&request.new, alias.as_ref()) },
                sources,
            ) {
                Ok((plan, next)) => {
                    let edits = plan.edits();
                    // The remaining names have moved.
                    let moves = FileMoves::of(&edits);
                    for (_, _, later) in &mut renames[at + 1..] {
                        later.offset = moves.moved(later.file, later.offset);
                    }
                    self.take(&edits, next, Vec::new());
                    self.take_documents(plan.documents);
                    any = true;
                }
                Err(refusal) => self.left.push((file, offset, Undone::Refused(refusal))),
            }
        }
        if any {
            self.found = rules::check_all(&self.current);
        }
        any
    }

    /// Applies the first possible change of a part that several names share, and returns whether there was one.
    fn change_shared(&mut self) -> bool {
        let shared = self.wanted().filter_map(|diagnostic| match &diagnostic.preferred_fix()?.action {
            Action::Names(edits) => Some((diagnostic.file, diagnostic.span.start, edits.clone())),
            _ => None,
        });
        for (file, offset, edits) in shared.collect::<Vec<_>>() {
            let texts = |file| self.text(file);
            let sources = Sources { texts: &texts, around: self };
            match rename::shared(&self.current, &edits, sources) {
                // The old names were to stay callable.
                Ok(_) if self.options.alias.is_some() => {
                    self.left.push((file, offset, Undone::Left(Left::SharedAlias)));
                }
                Ok((plan, next)) => {
                    self.take(&plan.edits(), next, Vec::new());
                    self.take_documents(plan.documents);
                    return true;
                }
                Err(refusal) => self.left.push((file, offset, Undone::Refused(refusal))),
            }
        }
        false
    }

    /// Changes the names that are written in one literal and nowhere else, removes them from `renames`, and returns
    /// whether there was any.
    fn rename_together(&mut self, renames: &mut Vec<(FileId, u32, RenameRequest)>) -> bool {
        // Each alias is written separately.
        if self.options.alias.is_some() {
            return false;
        }
        let texts = |file| self.text(file);
        let sources = Sources { texts: &texts, around: self };
        let requests: Vec<&RenameRequest> = renames.iter().map(|(_, _, request)| request).collect();
        let (found, after) = rename::together(&self.current, &requests, sources);
        let Some(after) = after else { return false };
        let mut edits = Edits::new();
        for (file, more) in found.iter().flatten().flatten() {
            edits.entry(*file).or_default().extend(more.iter().cloned());
        }
        let is_left = found.iter().map(Option::is_none);
        let mut is_left = is_left.collect::<Vec<bool>>().into_iter();
        renames.retain(|_| is_left.next().unwrap_or(true));
        let moves = FileMoves::of(&edits);
        for (_, _, later) in renames.iter_mut() {
            later.offset = moves.moved(later.file, later.offset);
        }
        self.take(&edits, after, Vec::new());
        true
    }

    /// Returns the findings to fix.
    fn wanted(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter().filter(|found| self.is_wanted(found) && self.may_write(found.file))
    }

    fn is_wanted(&self, found: &Diagnostic) -> bool {
        let is_safe = |fix: &Fix| fix.safe || self.options.unsafe_too;
        self.may_be_fixed(found) && found.preferred_fix().is_some_and(is_safe)
    }

    /// Whether a finding is in the files and of the rule to fix, and its fix was not tried in vain.
    fn may_be_fixed(&self, found: &Diagnostic) -> bool {
        (self.files)(found.file)
            && self.options.only.is_none_or(|only| found.rule == only)
            && !self.futile.contains(&finding(found))
    }

    fn may_write(&self, file: FileId) -> bool {
        let holds = || self.sources.around.holds(self.current.files.path(file));
        *self.writable.borrow_mut().entry(file).or_insert_with(holds)
    }

    /// Returns the text of a file with the edits so far.
    fn text(&self, file: FileId) -> Option<String> {
        match self.fixed.files.get(&file) {
            Some((text, _)) => Some(text.clone()),
            None => self.read.borrow_mut().entry(file).or_insert_with(|| (self.sources.texts)(file)).clone(),
        }
    }

    fn take_documents(&mut self, documents: BTreeMap<String, rename::Document>) {
        for (path, document) in documents.into_iter().filter(|(_, document)| !document.edits.is_empty()) {
            let Some(text) = apply_edits(&document.text, &document.edits) else { continue };
            let fixed = self.fixed.documents.entry(path);
            let fixed = fixed.or_insert(FixedDocument { before: document.text, text: String::new(), edits: 0 });
            fixed.text = text;
            fixed.edits += document.edits.len();
        }
    }

    /// Continues with the result of some edits.
    fn take(&mut self, edits: &Edits, next: Snapshot, found: Vec<Diagnostic>) {
        for (file, edits) in edits {
            if let Some(text) = self.text(*file).and_then(|text| apply_edits(&text, edits)) {
                let count = self.fixed.files.get(file).map_or(0, |(_, count)| *count);
                self.fixed.files.insert(*file, (text, count + edits.len()));
            }
        }
        let moves = FileMoves::of(edits);
        let move_one = |(file, rule, start, message)| (file, rule, moves.moved(file, start), message);
        self.futile = std::mem::take(&mut self.futile).into_iter().map(move_one).collect();
        self.current = next;
        self.found = found;
    }
}

impl Repair<'_> {
    /// Returns the text of a file if it has been changed.
    fn changed(&self, path: &str) -> Option<String> {
        let file = self.current.files.by_path(path).and_then(|file| self.fixed.files.get(&file.id));
        let document = || self.fixed.documents.get(path).map(|document| &document.text);
        file.map(|(text, _)| text).or_else(document).cloned()
    }
}

impl Surroundings for Repair<'_> {
    /// Returns the files that contain some words, with the edits so far.
    fn mentioning(&self, words: &[String]) -> Vec<(String, String)> {
        let now = |(path, text): (String, String)| {
            let text = self.changed(&path).unwrap_or(text);
            (path, text)
        };
        self.sources.around.mentioning(words).into_iter().map(now).collect()
    }

    fn text(&self, path: &str) -> Option<String> {
        self.changed(path).or_else(|| self.sources.around.text(path))
    }

    fn holds(&self, path: &str) -> bool {
        self.sources.around.holds(path)
    }

    fn unread(&self) -> Vec<(String, String)> {
        self.sources.around.unread()
    }

    fn above(&self) -> Vec<Above> {
        self.sources.around.above()
    }
}

/// The byte offsets of several files after some edits.
struct FileMoves(FxHashMap<FileId, Moves>);

impl FileMoves {
    fn of(edits: &Edits) -> FileMoves {
        FileMoves(edits.iter().map(|(file, edits)| (*file, Moves::of(edits))).collect())
    }

    fn moved(&self, file: FileId, offset: u32) -> u32 {
        self.0.get(&file).map_or(offset, |moves| moves.moved(offset))
    }

    fn replaced(&self, file: FileId, span: Span) -> bool {
        self.0.get(&file).is_some_and(|moves| moves.replaced(span))
    }
}

/// The edits of one round, including those of documents outside the snapshot; the findings that they are meant to fix;
/// and the places that are left to be changed by hand.
#[derive(Default)]
struct Planned {
    edits: Edits,
    documents: BTreeMap<String, rename::Document>,
    meant: Vec<Meant>,
    undone: Vec<(FileId, u32, Undone)>,
    undone_documents: Vec<(String, Position, Undone)>,
    /// Findings that are not fixed, because the source may be wrong.
    contested: Vec<(Finding, Left)>,
}

/// A finding that some edits are meant to fix.
struct Meant {
    finding: Finding,
    span: Span,
}

fn finding(diagnostic: &Diagnostic) -> Finding {
    (diagnostic.file, diagnostic.rule, diagnostic.span.start, diagnostic.message.clone())
}

/// Returns the edits together with those that write entries; `None` if there is nothing to write an entry into.
fn written(entries: &[Insertion], edits: &Edits, texts: rename::Texts<'_>) -> Option<Edits> {
    let mut edits = edits.clone();
    for entry in entries {
        edits.entry(entry.file()).or_default().push(entry.edit(&texts(entry.file())?)?);
    }
    Some(edits)
}

/// The spans that edits change. Those of different fixes neither overlap nor touch each other.
#[derive(Default)]
struct Taken(FxHashMap<FileId, BTreeMap<u32, u32>>);

impl Taken {
    fn add(&mut self, file: FileId, span: Span) {
        let end = self.0.entry(file).or_default().entry(span.start).or_insert(span.end);
        *end = span.end.max(*end);
    }

    /// Whether a span overlaps or touches one that is taken.
    fn conflicts(&self, file: FileId, span: Span) -> bool {
        // Taken spans do not overlap, so the last one that begins before the end of `span` also ends last.
        let last = self.0.get(&file).and_then(|taken| taken.range(..=span.end).next_back());
        last.is_some_and(|(_, end)| *end >= span.start)
    }
}

/// Returns the messages of new findings about a tool's new name.
pub(crate) fn breaches(before: &Snapshot, after: &Snapshot, new: &str) -> Vec<String> {
    let mut said = Vec::new();
    for (_, tool) in after.analysis().tools().filter(|(_, tool)| tool.name == new) {
        let file = tool.local_place().file;
        let old: FxHashSet<String> = rules::check(before, file).into_iter().map(|found| found.message).collect();
        let span = after.files.span(tool.local_place());
        let is_new = |found: &Diagnostic| {
            found.rule.starts_with("name-") && found.span.overlaps(span) && !old.contains(&found.message)
        };
        let found = rules::check(after, file).into_iter().filter(is_new);
        said.extend(found.map(|found| format!("{} ({})", found.message, found.rule)));
    }
    said.sort();
    said.dedup();
    said
}

/// Returns the edits of the renames among the fixes of some findings, as far as they can be worked out together;
/// [`plan`] works out the others one by one.
pub fn plans<'d>(
    snapshot: &Snapshot,
    findings: impl IntoIterator<Item = &'d Diagnostic>,
    sources: Sources<'_>,
) -> FxHashMap<&'d RenameRequest, Edits> {
    // A tool may have several candidates for its new name: the first of each tool are tried together, then the second.
    let mut rounds: Vec<Vec<&RenameRequest>> = Vec::new();
    let mut seen: FxHashSet<&RenameRequest> = FxHashSet::default();
    let mut of_tool: FxHashMap<(FileId, u32), usize> = FxHashMap::default();
    for fix in findings.into_iter().flat_map(|found| &found.fixes) {
        let Action::Rename(request) = &fix.action else { continue };
        if seen.insert(request) {
            let round = of_tool.entry((request.file, request.offset)).or_default();
            if rounds.len() == *round {
                rounds.push(Vec::new());
            }
            rounds[*round].push(request);
            *round += 1;
        }
    }
    let mut plans = FxHashMap::default();
    for requests in rounds {
        let (found, _) = rename::together(snapshot, &requests, sources);
        plans.extend(requests.into_iter().zip(found).filter_map(|(request, edits)| Some((request, edits?))));
    }
    plans
}

/// Adds the edits that keep the columns of Markdown tables aligned.
fn laid_out(snapshot: &Snapshot, mut edits: Edits, texts: rename::Texts<'_>) -> Edits {
    for (file, own) in &mut edits {
        if is_markdown(snapshot.files.path(*file))
            && let Some(text) = texts(*file)
        {
            let padding = document::padding(&text, own);
            own.extend(padding);
        }
    }
    edits
}

/// Returns the plan of a fix. The fix of a rename does not contain its edits; they are worked out here.
///
/// # Errors
/// Returns the reason if the fix is refused.
pub fn plan(snapshot: &Snapshot, fix: &Fix, sources: Sources<'_>) -> Result<Plan, Refusal> {
    match &fix.action {
        Action::Edit(edits) => Ok(Plan::of(laid_out(snapshot, edits.clone(), sources.texts))),
        Action::Write(entries, edits) => {
            let edits = written(entries, edits, sources.texts).ok_or(Refusal::Outdated(Outdated::Object))?;
            Ok(Plan::of(laid_out(snapshot, edits, sources.texts)))
        }
        Action::Names(edits) => rename::shared(snapshot, edits, sources).map(|(plan, _)| plan),
        Action::Rename(request) => {
            let target = rename::target(snapshot, request)
                .ok_or_else(|| Refusal::Outdated(Outdated::Tool(request.old.clone())))?;
            let configured = || Alias::configured(snapshot, target).unwrap_or_default();
            let alias = request.keeps_old.then(configured);
            let new = To::new(&request.new, alias.as_ref());
            let to = To { function_too: request.function_too, repairs: true, ..new };
            rename::rename(snapshot, target, to, sources)
        }
        Action::RemoveAlias(request) => rename::removal::plan(snapshot, request, sources),
    }
}
