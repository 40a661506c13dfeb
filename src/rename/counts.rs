//! Counts that tests expect and that a listed alias changes.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use super::home::root_of;
use super::{Group, Plan, Sources, Target, Texts, read_file};
use crate::diagnostic::Edits;
use crate::path::{is_installed, is_test};
use crate::site::{self};
use crate::syntax::{self, Language, Tree};
use crate::text::{Edit, FileId};
use crate::workspace::Snapshot;

/// Words of which at least one occurs in every test that counts something.
const COUNTED: [&str; 6] = ["length", "Length", "size", "len(", "call", "Called"];

/// The beginnings of assertions.
const EXPECTED: [&str; 2] = ["expect(", "assert"];

/// The edits of one test file.
pub(super) struct Counted {
    pub(super) path: String,
    pub(super) text: String,
    pub(super) file: Option<FileId>,
    pub(super) edits: Vec<Edit>,
}

/// A test file of the server's package.
struct Test {
    path: String,
    text: String,
    tree: Tree,
    file: Option<FileId>,
}

/// Returns edits for the counts in tests of the server's package that `edits` make wrong: lengths of lists and tables,
/// if they are known before and after, and otherwise the number of tools that the server lists, which changes by `by`.
pub(super) fn changed(
    snapshot: &Snapshot,
    target: Target<'_>,
    (edits, by): (&Edits, isize),
    sources: Sources<'_>,
) -> Vec<Counted> {
    let words: Vec<String> = EXPECTED.iter().map(|word| word.to_string()).collect();
    let tests = sources.around.mentioning(&words).into_iter().filter_map(|(path, text)| {
        let is_own = is_test(&path) && !is_installed(&path) && root_of(snapshot, &path) == target.server.root;
        let is_counting = has(&text, &COUNTED);
        let language = Language::of_path(&path).filter(|_| is_own && is_counting)?;
        let tree = syntax::parse(language, &text, None)?;
        let file = read_file(snapshot, &path, &text).or_else(|| snapshot.files.by_path(&path)).map(|file| file.id);
        Some(Test { path, text, tree, file })
    });
    let tests: Vec<Test> = tests.collect();
    let lengths = lengths(snapshot, &tests, edits, sources.texts);
    let count = target.server.tools.len();
    let listed = count.checked_add_signed(by).filter(|_| count > 0).map(|next| (count, next));
    let counted = tests.into_iter().filter_map(|test| {
        let known = test.file.and_then(|file| lengths.get(&file)).unwrap_or(&NOTHING);
        let mut edits = Vec::new();
        for (name, (now, next)) in known.iter().filter(|(_, (now, next))| now != next) {
            edits.extend(expected(&test, (*now, *next), |said| is_all_of(said, name)));
        }
        // A list or table of known length is not also counted as the server's tools.
        let is_known = |said: &str| known.keys().any(|name| is_all_of(said, name));
        // There is one of many things that tools are in the names of: `expect(toolCalls).toHaveLength(1)`.
        let is_list = |said: &str| count > 1 || last_name(said).is_some_and(|name| name == "tools");
        let of_tools = |said: &str| is_of_tools(said) && is_list(said) && !is_known(said);
        edits.extend(listed.into_iter().flat_map(|counts| expected(&test, counts, of_tools)));
        edits.sort_by_key(|edit| edit.span);
        edits.dedup();
        let Test { path, text, file, .. } = test;
        let file = file.filter(|_| read_file(snapshot, &path, &text).is_some());
        (!edits.is_empty()).then_some(Counted { path, text, file, edits })
    });
    counted.collect()
}

/// The lengths of lists and tables, before and after the edits, by the name of the list or table.
type Lengths = BTreeMap<String, (usize, usize)>;

static NOTHING: Lengths = Lengths::new();

/// Returns the lengths, before and after `edits`, of the lists and tables at the top level of tests, including imported
/// ones. Those of unknown length are left out.
fn lengths(snapshot: &Snapshot, tests: &[Test], edits: &Edits, texts: Texts<'_>) -> BTreeMap<FileId, Lengths> {
    // The snapshot may not have parsed a test yet; an empty list of edits makes it do so.
    let read: Edits = tests.iter().filter_map(|test| Some((test.file?, Vec::new()))).collect();
    let mut all = edits.clone();
    for file in read.keys() {
        all.entry(*file).or_default();
    }
    let (Some(before), Some(after)) = (snapshot.with_edits(&read, texts), snapshot.with_edits(&all, texts)) else {
        return BTreeMap::new();
    };
    let lengths = tests.iter().filter_map(|test| {
        let file = test.file?;
        let names = before.files.facts(file)?.top_level.keys().filter(|name| may_be_counted(&test.text, name));
        let names: Vec<SmolStr> = names.cloned().collect();
        if names.is_empty() {
            return None;
        }
        let (now, next) = (before.lengths(file, &names), after.lengths(file, &names));
        let known = now.into_iter().filter_map(|(name, now)| Some((name.to_string(), (now, *next.get(&name)?))));
        Some((file, known.collect::<Lengths>()))
    });
    lengths.collect()
}

/// Returns the edits that make a test expect the count `next` instead of `now`, wherever `is_it` accepts the counted
/// expression.
fn expected(test: &Test, (now, next): (usize, usize), is_it: impl Fn(&str) -> bool) -> Vec<Edit> {
    let found = site::counts(&test.tree, &test.text, &now.to_string()).into_iter();
    let found = found.filter(|one| is_it(&test.text[one.counted.range()]));
    found.map(|one| Edit::new(one.number, next.to_string())).collect()
}

/// Whether the last name in the counted expression contains `tool`: `len(result.tools)`,
/// `expect(server.tool).toHaveBeenCalledTimes(2)`. Always `false` for a member of a tool, such as `tool.name`, and for
/// an expression with a string literal.
fn is_of_tools(counted: &str) -> bool {
    !counted.contains(['"', '\'', '`']) && last_name(counted).is_some_and(|name| name.to_lowercase().contains("tool"))
}

/// The last name in a counted expression, without `mock` and `calls`, the members in which a mock records its calls.
fn last_name(counted: &str) -> Option<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let is_name = |name: &&str| name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut names = counted.split(|c| !is_part(c)).filter(is_name);
    names.rfind(|name| !matches!(*name, "mock" | "calls"))
}

fn has(said: &str, words: &[&str]) -> bool {
    words.iter().any(|word| said.contains(word))
}

/// Whether the counted expression is the whole list or table `name`, or its keys: `TOOLS`, `Object.keys(TOOLS)`,
/// `set(TOOLS)`.
fn is_all_of(counted: &str, name: &str) -> bool {
    counted == name || counted.strip_suffix(')').is_some_and(|rest| rest.ends_with(&format!("({name}")))
}

/// Whether a text contains `name` as the last argument of a call or with a member access: `len(TOOLS)`, `TOOLS.length`.
fn may_be_counted(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_part) && text[at + name.len()..].starts_with([')', '.']))
}

/// Adds the edits of tests that count the elements of a list to which the alias adds one.
pub(super) fn follow(snapshot: &Snapshot, target: Target<'_>, sources: Sources<'_>, plan: &mut Plan) {
    for Counted { path, text, file, edits } in changed(snapshot, target, (&plan.edits(), 1), sources) {
        match file {
            Some(file) => edits.into_iter().for_each(|edit| plan.push(Group::Alias, file, edit)),
            None => plan.document(&path, &text).edits.extend(edits),
        }
    }
}
