//! The edits of a rename, tried on the tests of the server's package.

use std::collections::{BTreeMap, BTreeSet};

use super::{Holds, ToolNames, Verdict, breaks, counts_calls, verdict, wanted_number};
use crate::diagnostic::Edits;
use crate::found::Place;
use crate::path::is_test;
use crate::places::Places;
use crate::rename::counts::Test;
use crate::rename::{Sources, Texts};
use crate::site::{self, Siblings};
use crate::syntax::{self, Language};
use crate::text::{Edit, FileId, Moves, Span};
use crate::workspace::{Compared, Comparison, Snapshot};

/// How many times the edits are tried. Behind an assertion that fails, nothing of its test runs, so that a test takes as
/// many rounds as it has assertions that change.
const MOST_ROUNDS: usize = 12;

/// A comparison in a test that holds before the edits, or a statement that does not throw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expectation {
    pub(super) file: FileId,
    /// Its place in the text before the edits.
    pub(super) span: Span,
    holds: Holds,
    /// The literals of the old name in it, with their files. For a statement, those of the function around it.
    literals: Vec<(FileId, Span)>,
}

/// The name of a tool in a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Written {
    Both,
    New,
    Old,
}

impl Written {
    const ALL: [Written; 3] = [Written::Both, Written::New, Written::Old];
}

/// The repairs that were tried, by the index of the expectation.
#[derive(Default)]
struct Repairs {
    numbers: Edits,
    /// The index of the way to write the names.
    written: BTreeMap<usize, usize>,
    given_up: BTreeSet<usize>,
}

impl Repairs {
    /// Goes on to the next repair of an expectation that is broken. `number` is the edit of its number, if it compares
    /// numbers.
    fn next(&mut self, index: usize, expectation: &Expectation, number: Option<Option<Edit>>, may_write: bool) {
        let way = self.written.get(&index).map_or(0, |way| way + 1);
        let known = self.numbers.entry(expectation.file).or_default();
        match number {
            Some(Some(edit)) if !known.contains(&edit) => known.push(edit),
            None if may_write && !expectation.literals.is_empty() && way < Written::ALL.len() => {
                self.written.insert(index, way);
            }
            number => {
                known.retain(|edit| Some(edit) != number.as_ref().and_then(Option::as_ref));
                self.written.remove(&index);
                self.given_up.insert(index);
            }
        }
    }
}

/// The edits of a rename, as far as tests have been tried with them.
pub(super) struct Trial<'a> {
    /// The workspace with the tests, without edits.
    snapshot: Snapshot,
    tests: Vec<(FileId, Test)>,
    texts: Texts<'a>,
    servers: &'a [ToolNames],
    /// The edits to begin with.
    planned: Edits,
    /// The edits of literals that name the tool's function.
    of_function: Edits,
    edits: Edits,
    before: BTreeMap<FileId, Seen>,
}

/// The effects of a test file. All spans are those in the text before the edits.
#[derive(Default)]
struct Seen {
    comparisons: Vec<Placed>,
    /// The statements that throw, each with the literals of the texts that it looks for, with their files.
    thrown: BTreeMap<Span, BTreeSet<(FileId, Span)>>,
    /// The literals that name a function, with their files and the place of the name in its definition.
    named: Vec<((FileId, Span), Place)>,
}

/// A comparison with its places.
struct Placed {
    span: Span,
    one: Comparison,
}

/// A test file whose edits are not those that were planned.
pub(super) struct Changed {
    pub(super) path: String,
    pub(super) text: String,
    pub(super) added: Vec<Edit>,
    pub(super) dropped: Vec<Edit>,
}

impl<'a> Trial<'a> {
    /// Runs the tests without edits; `None` if a file has changed. `planned` returns the edits for the workspace with the
    /// tests.
    pub(super) fn begin(
        snapshot: &Snapshot,
        tests: Vec<Test>,
        planned: &dyn Fn(&Snapshot) -> Edits,
        servers: &'a [ToolNames],
        sources: Sources<'a>,
    ) -> Option<Trial<'a>> {
        let files: Vec<(String, String)> = tests.iter().map(|test| (test.path.clone(), test.text.clone())).collect();
        let (snapshot, ids) = snapshot.with_files(&files);
        let snapshot = with_imports(snapshot, &ids, sources);
        let (texts, tests): (_, Vec<(FileId, Test)>) = (sources.texts, ids.into_iter().zip(tests).collect());
        let expecting: Vec<FileId> = tests.iter().filter(|(_, test)| test.is_expecting).map(|(id, _)| *id).collect();
        let planned = planned(&snapshot);
        let (edits, before) = (planned.clone(), BTreeMap::new());
        let of_function = Edits::new();
        let mut trial = Trial { snapshot, tests, texts, servers, planned, of_function, edits, before };
        trial.before = trial.run(&Edits::new(), &expecting)?;
        Some(trial)
    }

    /// Returns the path and the text of a file before the edits.
    pub(super) fn text_of(&self, file: FileId) -> Option<(String, String)> {
        let path = self.snapshot.files.path(file).to_string();
        let test = self.tests.iter().find(|(id, _)| *id == file).map(|(_, test)| test.text.clone());
        Some((path, test.or_else(|| (self.texts)(file))?))
    }

    /// Renames the literals in tests by which the tool's function is found or with which its name is compared, if the
    /// function is renamed. `named` is the place of its name.
    pub(super) fn follow_function(&mut self, named: Place, (old, new): (&str, &str)) {
        let span = self.snapshot.files.span(named);
        let is_renamed = |edits: &Vec<Edit>| edits.iter().any(|edit| edit.span.overlaps(span) && edit.new_text == new);
        if !self.planned.get(&named.file).is_some_and(is_renamed) {
            return;
        }
        let all = self.before.values().flat_map(|seen| &seen.named).filter(|(_, name)| *name == named);
        let literals: BTreeSet<(FileId, Span)> = all.map(|(literal, _)| *literal).collect();
        for (file, literal) in literals {
            let is_it = |(path, text): &(String, String)| is_test(path) && text.get(literal.range()) == Some(old);
            let is_planned = |edits: &Vec<Edit>| edits.iter().any(|edit| edit.span.overlaps(literal));
            if self.text_of(file).as_ref().is_some_and(is_it) && !self.planned.get(&file).is_some_and(is_planned) {
                self.of_function.entry(file).or_default().push(Edit::new(literal, new));
            }
        }
        self.edits = self.begun();
    }

    /// Returns the edits that every try begins with.
    fn begun(&self) -> Edits {
        let mut edits = self.planned.clone();
        for (file, more) in &self.of_function {
            edits.entry(*file).or_default().extend(more.iter().cloned());
        }
        edits
    }

    /// Returns the comparisons that hold and that the edits may affect.
    pub(super) fn expectations(&self, old: &str) -> Vec<Expectation> {
        let mut found: BTreeMap<(FileId, Span), Option<Expectation>> = BTreeMap::new();
        let all = self.before.iter().flat_map(|(file, seen)| seen.comparisons.iter().map(move |one| (*file, one)));
        for (file, Placed { span, one }) in all {
            let holds = match verdict(&one.sides, self.servers) {
                Verdict::Holds(holds) => Some(holds),
                Verdict::Fails => None,
                Verdict::Unknown => continue,
            };
            let texts = one.sides.iter().flat_map(Compared::texts);
            let literals = texts.filter(|text| text.text == old).filter_map(|text| text.literal);
            let own = holds.map(|holds| Expectation { file, span: *span, holds, literals: literals.collect() });
            match found.get_mut(&(file, *span)) {
                // A comparison that holds only sometimes says nothing.
                Some(known) => match (known.as_mut().filter(|it| Some(it.holds) == holds), own) {
                    (Some(known), Some(own)) => {
                        known.literals.extend(own.literals);
                        known.literals.sort();
                        known.literals.dedup();
                    }
                    _ => *known = None,
                },
                None => drop(found.insert((file, *span), own)),
            }
        }
        found.into_values().flatten().collect()
    }

    /// Returns the expectations that statements do not throw that throw only after the edits.
    fn failures(&self, after: &BTreeMap<FileId, Seen>, old: &str) -> Vec<Expectation> {
        let mut found = Vec::new();
        for (file, seen) in after {
            let before = self.before.get(file).map(|seen| &seen.thrown);
            for (span, searched) in
                seen.thrown.iter().filter(|(span, _)| !before.is_some_and(|before| before.contains_key(span)))
            {
                let mut literals = self.literals_around(*file, *span, old);
                let is_old = |(file, literal): &&(FileId, Span)| {
                    self.text_of(*file).is_some_and(|(_, text)| text.get(literal.range()) == Some(old))
                };
                literals.extend(searched.iter().filter(is_old));
                literals.sort();
                literals.dedup();
                found.push(Expectation { file: *file, span: *span, holds: Holds::Passes, literals });
            }
        }
        found
    }

    /// Returns the literals of a name in the function around a statement, or in the whole file if it has none.
    fn literals_around(&self, file: FileId, statement: Span, name: &str) -> Vec<(FileId, Span)> {
        let Some((path, text)) = self.text_of(file) else { return Vec::new() };
        let tree = Language::of_path(&path).and_then(|language| syntax::parse(language, &text, None));
        let Some(tree) = tree else { return Vec::new() };
        let all = site::strings(&tree, Span::new(0, text.len()));
        let named: Vec<Span> = all.into_iter().filter(|span| text[span.range()] == *name).collect();
        let around = site::function_around(&tree, statement);
        let inside: Vec<Span> =
            named.iter().copied().filter(|span| around.is_some_and(|around| around.contains(*span))).collect();
        let own = if inside.is_empty() { named } else { inside };
        own.into_iter().map(|span| (file, span)).collect()
    }

    fn run(&self, edits: &Edits, files: &[FileId]) -> Option<BTreeMap<FileId, Seen>> {
        let after = self.snapshot.with_edits(edits, &|file| Some(self.text_of(file)?.1))?;
        let moves: BTreeMap<FileId, Moves> = edits.iter().map(|(file, edits)| (*file, Moves::of(edits))).collect();
        let found = files.iter().zip(after.observed(files)).map(|(file, observed)| {
            let before = |file: &FileId, span: Span| match moves.get(file) {
                Some(moves) => Span { start: moves.origin(span.start), end: moves.origin(span.end) },
                None => span,
            };
            let origin = |span: Span| before(file, span);
            let comparisons = observed.comparisons.into_iter().map(|one| Placed { span: origin(one.span), one });
            let of_file = |(file, literal): (FileId, Span)| (file, before(&file, literal));
            let thrown = observed.thrown.into_iter();
            let thrown = thrown.map(|(span, texts)| (origin(span), texts.into_iter().map(of_file).collect())).collect();
            (*file, Seen { comparisons: comparisons.collect(), thrown, named: observed.named })
        });
        Some(found.collect())
    }

    /// Changes the edits until the comparisons hold; `names` are the old and the new name, if literals of the old name may
    /// change. Returns the comparisons that do not hold with any edits.
    pub(super) fn repair(&mut self, mut expected: Vec<Expectation>, names: Option<(&str, &str)>) -> Vec<Expectation> {
        let mut repairs = Repairs::default();
        let mut files: BTreeSet<FileId> = self.before.keys().copied().collect();
        for _ in 0..MOST_ROUNDS {
            let tried: Vec<FileId> = files.iter().copied().collect();
            let Some(after) = self.run(&self.edits, &tried) else {
                self.edits = self.begun();
                return Vec::new();
            };
            for failure in names.map(|(old, _)| self.failures(&after, old)).unwrap_or_default() {
                // What an assertion compares is an expectation of its own.
                let is_known = |other: &Expectation| other.file == failure.file && failure.span.contains(other.span);
                if !expected.iter().any(is_known) {
                    expected.push(failure);
                }
            }
            let is_open = |index: &usize| !repairs.given_up.contains(index);
            let broken = |index: usize| Some((index, self.broken(&expected[index], &after)?));
            let broken: Vec<(usize, Option<Comparison>)> =
                (0..expected.len()).filter(is_open).filter_map(broken).collect();
            if broken.is_empty() {
                break;
            }
            files = broken.iter().map(|(index, _)| expected[*index].file).collect();
            for (index, comparison) in broken {
                let expectation = &expected[index];
                let number = comparison.and_then(|one| {
                    let wanted = wanted_number(&one, expectation.holds, self.servers)?;
                    Some(self.number(expectation, &one, wanted))
                });
                repairs.next(index, expectation, number, names.is_some());
            }
            self.edits = self.begun();
            let mut literals: BTreeMap<(FileId, Span), Written> = BTreeMap::new();
            for (index, way) in &repairs.written {
                literals.extend(expected[*index].literals.iter().map(|literal| (*literal, Written::ALL[*way])));
            }
            for literal in literals.keys() {
                names.into_iter().for_each(|(_, new)| self.take_back(*literal, new));
            }
            for (literal, way) in &literals {
                names.into_iter().for_each(|names| self.write_name(*literal, names, *way));
            }
            for (file, edits) in repairs.numbers.iter().filter(|(_, edits)| !edits.is_empty()) {
                let own = self.edits.entry(*file).or_default();
                own.retain(|edit| !edits.iter().any(|other| other.span.overlaps(edit.span)));
                own.extend(edits.iter().cloned());
            }
        }
        repairs.given_up.into_iter().map(|index| expected[index].clone()).collect()
    }

    /// Returns the comparison that breaks an expectation, or nothing for a statement that throws; `None` if it is not
    /// broken.
    fn broken(&self, expectation: &Expectation, after: &BTreeMap<FileId, Seen>) -> Option<Option<Comparison>> {
        let Expectation { file, span, holds, .. } = expectation;
        let seen = after.get(file)?;
        if *holds == Holds::Passes {
            return seen.thrown.contains_key(span).then_some(None);
        }
        let breaks = |placed: &&Placed| placed.span == *span && breaks(&placed.one, *holds, self.servers);
        seen.comparisons.iter().find(breaks).map(|placed| Some(placed.one.clone()))
    }

    /// Returns the edit of the only number in a comparison that has the value which is compared. Where a number of calls
    /// is compared with something computed, the edit adds to that.
    fn number(&self, expectation: &Expectation, one: &Comparison, (now, next): (usize, usize)) -> Option<Edit> {
        let (path, text) = self.text_of(expectation.file)?;
        let language = Language::of_path(&path)?;
        let tree = syntax::parse(language, &text, None)?;
        match site::numbers(&tree, &text, expectation.span, &now.to_string()).as_slice() {
            [only] => Some(Edit::new(*only, next.to_string())),
            [] => {
                let counted = one.sides.iter().find_map(|side| match side {
                    Compared::Unknown(of) if counts_calls(of) => Some(of),
                    _ => None,
                })?;
                site::added(&tree, &text, expectation.span, counted, next as i64 - now as i64)
            }
            _ => None,
        }
    }

    /// Drops the planned edits of a literal with the old name, and those that write the new one into its list.
    fn take_back(&mut self, (file, literal): (FileId, Span), new: &str) {
        let Some((_, listed)) = self.listed(file, literal) else { return };
        let edits = self.edits.entry(file).or_default();
        let Some((own, siblings)) = listed else {
            edits.retain(|edit| !edit.span.overlaps(literal));
            return;
        };
        let (first, last) = (siblings.literals.first().unwrap_or(&own), siblings.literals.last().unwrap_or(&own));
        edits.retain(|edit| {
            let is_of_name = edit.span.overlaps(own) || edit.new_text.contains(new);
            !(first.start <= edit.span.start && edit.span.end <= last.end && is_of_name)
        });
    }

    /// Adds the edits that write the name in a literal in one of the ways.
    fn write_name(&mut self, (file, literal): (FileId, Span), (old, new): (&str, &str), way: Written) {
        let Some((text, listed)) = self.listed(file, literal) else { return };
        let edits = self.edits.entry(file).or_default();
        let Some((own, siblings)) = listed else {
            edits.extend((way == Written::New).then(|| Edit::new(literal, new)));
            return;
        };
        let quoted = text[own.range()].replace(old, new);
        match way {
            Written::Both if siblings.is_sorted(&text) => {
                edits.push(siblings.insertion(&text, siblings.index_for(&text, &quoted), &quoted));
            }
            Written::Both => {
                let sign = siblings.between(own, &text);
                edits.push(Edit::new(Span::at(own.start as usize), format!("{quoted}{sign}")));
            }
            Written::New => edits.push(Edit::new(own, quoted)),
            Written::Old => {}
        }
        edits.sort();
    }

    /// Returns the text of a test, and for a literal in a list the literal with its quotes and those beside it; `None` if
    /// the file is no test.
    fn listed(&self, file: FileId, literal: Span) -> Option<(String, Option<(Span, Siblings)>)> {
        let (path, text) = self.text_of(file).filter(|(path, _)| is_test(path))?;
        let tree = syntax::parse(Language::of_path(&path)?, &text, None)?;
        // The first element of a row of a table, `("read_note", {})`, is a key and not one of several names.
        let is_key = || site::keyed(&tree, &text, literal).is_some();
        let siblings = site::siblings(&tree, literal).filter(|siblings| !siblings.has_others || !is_key());
        let listed = siblings.and_then(|siblings| Some((siblings.around(literal)?, siblings)));
        Some((text, listed))
    }

    /// Adds the edits of the numbers of tools that tests expect of something that is only named after tools.
    pub(super) fn count(&mut self) {
        for (file, test) in self.tests.iter().filter(|(_, test)| test.is_expecting) {
            let is_known = |side: &Compared| !matches!(side, Compared::Unknown(_));
            let decided = self.before.get(file).into_iter().flat_map(|seen| &seen.comparisons);
            let decided = decided.filter(|placed| placed.one.sides.iter().all(is_known)).map(|placed| placed.span);
            let decided: Places = decided.collect();
            let own = self.edits.entry(*file).or_default();
            for names in self.servers.iter().filter(|names| names.before.len() != names.after.len()) {
                for edit in test.counted((names.before.len(), names.after.len()), &decided) {
                    if !own.iter().any(|other| other.span.overlaps(edit.span)) {
                        own.push(edit);
                    }
                }
            }
        }
    }

    /// Returns the files whose edits are not those that were planned.
    pub(super) fn changed(&self) -> Vec<Changed> {
        let files: BTreeSet<FileId> = self.planned.keys().chain(self.edits.keys()).copied().collect();
        let changed = files.into_iter().filter_map(|file| {
            let nothing = Vec::new();
            let before = self.planned.get(&file).unwrap_or(&nothing);
            let after = self.edits.get(&file).unwrap_or(&nothing);
            let beyond = |edits: &[Edit], others: &[Edit]| {
                edits.iter().filter(|edit| !others.contains(edit)).cloned().collect::<Vec<_>>()
            };
            let (added, dropped) = (beyond(after, before), beyond(before, after));
            let (path, text) = self.text_of(file).filter(|_| !added.is_empty() || !dropped.is_empty())?;
            Some(Changed { path, text, added, dropped })
        });
        changed.collect()
    }
}

/// Reads the files of the workspace that files import and that have not been parsed, and those that these import.
fn with_imports(mut snapshot: Snapshot, files: &[FileId], sources: Sources<'_>) -> Snapshot {
    /// The maximum number of files that are read.
    const MOST: usize = 400;
    let (mut next, mut count) = (files.to_vec(), 0);
    while !next.is_empty() && count < MOST {
        let mut paths: BTreeSet<String> = BTreeSet::new();
        for file in next {
            paths.extend(snapshot.files.unparsed_imports(file).into_iter().map(|path| path.to_string()));
        }
        let read = paths.into_iter().take(MOST - count).filter_map(|path| Some((sources.around.text(&path)?, path)));
        let read: Vec<(String, String)> = read.map(|(text, path)| (path, text)).collect();
        count += read.len();
        (snapshot, next) = snapshot.with_files(&read);
    }
    snapshot
}
