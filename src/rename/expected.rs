//! Test expectations about server tools: lists of their names, and their number. Tests are run abstractly before and
//! after the edits of a rename. If a comparison no longer holds, its literals change so that it does.

mod trial;

use std::collections::BTreeSet;

use smol_str::SmolStr;

use self::trial::{Expectation, Trial};
use super::counts;
use super::refusal::Left;
use super::{Group, Plan, Sources, Target};
use crate::diagnostic::Edits;
use crate::found::{Origin, Part};
use crate::name::Name;
use crate::path::is_test;
use crate::syntax::Language;
use crate::text::Edit;
use crate::workspace::{Compared, Comparison, KnownText, KnownValue, Server, Snapshot};

/// The members of a mock by which the number of its calls is found.
const NUMBERS_OF_CALLS: [&str; 6] =
    ["call_count", "callCount", "calls", "mock_calls", "call_args_list", "method_calls"];

/// The names that a server lists before and after a rename or the removal of an alias.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToolNames {
    before: BTreeSet<String>,
    after: BTreeSet<String>,
    /// The names that the server registers only under some condition.
    perhaps: BTreeSet<String>,
}

impl ToolNames {
    /// The names of each server with the tool, when that is renamed to `new`.
    pub(super) fn renamed(snapshot: &Snapshot, target: Target<'_>, new: &str, keeps_old: bool) -> Vec<ToolNames> {
        ToolNames::changed(snapshot, target, |names| {
            names.insert(new.to_string());
            if !keeps_old {
                names.remove(&target.tool.name);
            }
        })
    }

    /// The names of each server with the tool, when the alias `old` is removed.
    pub(super) fn without(snapshot: &Snapshot, target: Target<'_>, old: &str) -> Vec<ToolNames> {
        ToolNames::changed(snapshot, target, |names| {
            names.remove(old);
        })
    }

    /// The numbers of tools that the server may list before or after the change: all, and those without a condition.
    fn counts(&self, is_after: bool) -> [usize; 2] {
        let names = if is_after { &self.after } else { &self.before };
        [names.len(), names.iter().filter(|name| !self.perhaps.contains(*name)).count()]
    }

    fn changed(snapshot: &Snapshot, target: Target<'_>, change: impl Fn(&mut BTreeSet<String>)) -> Vec<ToolNames> {
        let of_server = |server: &Server| {
            let before: BTreeSet<String> = server.tools.iter().map(|tool| tool.name.clone()).collect();
            let mut after = before.clone();
            change(&mut after);
            let perhaps =
                server.tools.iter().filter(|tool| tool.registration.conditional || tool.registration.filtered);
            let mut perhaps: BTreeSet<String> = perhaps.map(|tool| tool.name.clone()).collect();
            if perhaps.contains(&target.tool.name) {
                perhaps.extend(after.difference(&before).cloned());
            }
            ToolNames { before, after, perhaps }
        };
        let mut all: Vec<ToolNames> = target.servers(snapshot).into_iter().map(of_server).collect();
        all.dedup();
        all
    }
}

/// Why a comparison holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// Both sides are known and equal.
    Equal,
    /// One side has the names of all tools of the server with this index, and the other is unknown.
    AllNames(usize),
    /// One side is the number of tools of the server with this index, and the other comes from something that is named
    /// after tools. The second index is that of [`ToolNames::counts`].
    Count(usize, usize),
    /// A statement does not throw.
    Passes,
}

/// The facts known about a comparison.
enum Verdict {
    Holds(Holds),
    /// The sides are known and differ.
    Fails,
    Unknown,
}

/// Changes the plan so that the comparisons in tests hold that its edits broke. Those that no edit repairs are reported.
pub(super) fn follow(
    snapshot: &Snapshot,
    target: Target<'_>,
    (new, servers): (&str, &[ToolNames]),
    sources: Sources<'_>,
    plan: &mut Plan,
) {
    let old = target.tool.name.as_str();
    let lists = lists_with_both(snapshot, new, plan);
    let words: Vec<&str> = std::iter::once(old).chain(lists.iter().map(String::as_str)).collect();
    let tests = counts::tests(snapshot, target, &words, sources);
    let planned = |files: &Snapshot| planned(files, plan);
    let Some(mut trial) = Trial::begin(snapshot, tests, &planned, servers, sources) else { return };
    if let [Part { origin: Origin::Identifier(named), .. }] = target.tool.registration.name.parts.as_slice() {
        trial.follow_function(*named, (old, new));
    }
    let expected = trial.expectations(old);
    let left = trial.repair(expected, Some((old, new)));
    trial.count();
    for changed in trial.changed() {
        plan.revise(snapshot, (&changed.path, &changed.text), changed.added, &changed.dropped);
    }
    for Expectation { file, span, .. } in left {
        let Some((path, text)) = trial.text_of(file) else { continue };
        let shown: Vec<&str> = text[span.range()].split_whitespace().collect();
        // What a test throws itself may be what it is about.
        if matches!(shown.first(), Some(&("throw" | "raise"))) {
            continue;
        }
        plan.leave(snapshot, (&path, &text), span, Left::Comparison(shown.join(" ")));
    }
}

/// Returns the names of the modules outside of tests that get the new name beside the old one, in a list: a test may look
/// for all of these in something that has only the new name.
fn lists_with_both(snapshot: &Snapshot, new: &str, plan: &Plan) -> BTreeSet<String> {
    let adds = |edit: &Edit| edit.span.is_empty() && edit.new_text.contains(new);
    let stem = |path: &str| {
        let is_code = Language::of_path(path).is_some_and(|language| language.family().is_some()) && !is_test(path);
        let name = path.rsplit('/').next()?.split('.').next()?;
        is_code.then(|| name.to_string())
    };
    let read = plan.changes.iter().filter(|(group, _)| **group != Group::Alias).flat_map(|(_, edits)| edits);
    let read = read.filter(|(_, edits)| edits.iter().any(adds)).map(|(file, _)| snapshot.files.path(*file));
    let other = plan.documents.iter().filter(|(_, document)| document.edits.iter().any(adds));
    read.chain(other.map(|(path, _)| path.as_str())).filter_map(stem).collect()
}

/// The edits of one test file.
pub(super) struct Counted {
    pub(super) path: String,
    pub(super) text: String,
    pub(super) edits: Vec<Edit>,
}

/// Returns the edits of the numbers in tests that `edits` make wrong.
pub(super) fn counted(
    snapshot: &Snapshot,
    target: Target<'_>,
    (edits, servers): (&Edits, &[ToolNames]),
    sources: Sources<'_>,
) -> Vec<Counted> {
    let tests = counts::tests(snapshot, target, &[], sources);
    let Some(mut trial) = Trial::begin(snapshot, tests, &|_| edits.clone(), servers, sources) else {
        return Vec::new();
    };
    let expected = trial.expectations("");
    trial.repair(expected, None);
    trial.count();
    let counted = trial.changed().into_iter();
    counted.map(|changed| Counted { path: changed.path, text: changed.text, edits: changed.added }).collect()
}

/// Returns the edits of a plan by file, including those in files that only `files` has.
fn planned(files: &Snapshot, plan: &Plan) -> Edits {
    let mut edits = plan.edits();
    for (path, document) in &plan.documents {
        if let Some(file) = files.files.by_path(path) {
            edits.entry(file.id).or_default().extend(document.edits.iter().cloned());
        }
    }
    edits.retain(|_, edits| !edits.is_empty());
    edits
}

/// Returns whether and why a comparison holds.
fn verdict(sides: &[Compared; 2], servers: &[ToolNames]) -> Verdict {
    match is_equal(sides) {
        Some(true) => return Verdict::Holds(Holds::Equal),
        Some(false) => return Verdict::Fails,
        None => {}
    }
    let held = match sides {
        [Compared::Known(known), Compared::Unknown(_)] | [Compared::Unknown(_), Compared::Known(known)] => {
            let is_all = |names: &ToolNames| names.before.len() > 1 && has_all(known, &names.before, &names.perhaps);
            servers.iter().position(is_all).map(Holds::AllNames)
        }
        [Compared::Number(number), Compared::Unknown(of)] | [Compared::Unknown(of), Compared::Number(number)] => {
            let position = |names: &ToolNames| names.counts(false).iter().position(|count| count == number);
            let mut found = servers.iter().enumerate().filter_map(|(server, names)| Some((server, position(names)?)));
            found.next().filter(|_| is_of_tools(of, *number)).map(|(server, count)| Holds::Count(server, count))
        }
        _ => None,
    };
    held.map_or(Verdict::Unknown, Verdict::Holds)
}

/// Whether the sides of a comparison are equal, or one is the length of the other; `None` if that is unknown.
fn is_equal(sides: &[Compared; 2]) -> Option<bool> {
    match sides {
        [Compared::Known(known), Compared::Number(number)] | [Compared::Number(number), Compared::Known(known)] => {
            Some(known.length == *number)
        }
        [a, b] => Some(a.shape()? == b.shape()?),
    }
}

/// Whether a comparison that held does not hold after the edits.
fn breaks(one: &Comparison, held: Holds, servers: &[ToolNames]) -> bool {
    match (held, &one.sides) {
        (Holds::Equal, sides) => is_equal(sides) == Some(false),
        (Holds::AllNames(server), [Compared::Known(known), Compared::Unknown(_)])
        | (Holds::AllNames(server), [Compared::Unknown(_), Compared::Known(known)]) => {
            !has_all(known, &servers[server].after, &servers[server].perhaps)
        }
        (Holds::Count(server, count), [Compared::Number(number), Compared::Unknown(_)])
        | (Holds::Count(server, count), [Compared::Unknown(_), Compared::Number(number)]) => {
            *number != servers[server].counts(true)[count]
        }
        _ => false,
    }
}

/// The number that is compared, and the one with which the comparison holds; `None` if it compares no numbers.
fn wanted_number(one: &Comparison, held: Holds, servers: &[ToolNames]) -> Option<(usize, usize)> {
    match (held, &one.sides) {
        (Holds::Count(server, count), _) => {
            Some((servers[server].counts(false)[count], servers[server].counts(true)[count]))
        }
        // An alias makes numbers larger, and its removal makes them smaller.
        (Holds::Equal, [Compared::Number(a), Compared::Number(b)]) => {
            let grows = servers.iter().any(|names| names.after.len() > names.before.len());
            Some(if grows { (*a.min(b), *a.max(b)) } else { (*a.max(b), *a.min(b)) })
        }
        (Holds::Equal, [Compared::Known(known), Compared::Number(number)])
        | (Holds::Equal, [Compared::Number(number), Compared::Known(known)]) => Some((*number, known.length)),
        _ => None,
    }
}

/// Whether the texts or keys of a value are exactly these names, of which those in `perhaps` may be missing.
fn has_all(known: &KnownValue, names: &BTreeSet<String>, perhaps: &BTreeSet<String>) -> bool {
    let is_all = |texts: &[KnownText]| {
        let texts: BTreeSet<&str> = texts.iter().map(|text| text.text.as_str()).collect();
        let mut missing = names.iter().filter(|name| !texts.contains(name.as_str()));
        texts.len() > 1 && texts.iter().all(|text| names.contains(*text)) && missing.all(|name| perhaps.contains(name))
    };
    is_all(&known.texts) || is_all(&known.keys)
}

/// Whether a value comes from something that is named after tools, or is the number of calls of something that is named
/// after one: `server.add_tool.call_count`. One of something may be anything with `tools` in its name, unless that is the
/// whole name.
fn is_of_tools(of: &[SmolStr], count: usize) -> bool {
    let has_word = |name: &str, wanted: &str| Name::new(name).lower_words().iter().any(|word| word == wanted);
    let counts_calls = counts_calls(of);
    let is_of_tools = |name: &SmolStr| has_word(name, "tools") || counts_calls && has_word(name, "tool");
    of.iter().any(|name| name == "tools" || count > 1 && is_of_tools(name))
}

/// Whether a value is the number of calls of something.
fn counts_calls(of: &[SmolStr]) -> bool {
    of.iter().any(|name| NUMBERS_OF_CALLS.contains(&name.as_str()))
}
