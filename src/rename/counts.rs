//! How many tools tests count: a listed alias is one more.

use super::home::root_of;
use super::{Group, Plan, Sources, Target, read_file};
use crate::path::{is_installed, is_test};
use crate::syntax::{self, Language};
use crate::text::{Edit, FileId};
use crate::workspace::Snapshot;

/// What a length, or how often something was called, is asked by.
const COUNTED: [&str; 7] = ["length", "Length", ".size", "len(", ".len()", "call_count", "CalledTimes"];

/// What a test expects by.
const EXPECTED: [&str; 2] = ["expect(", "assert"];

/// The edits of one test.
pub(super) struct Counted {
    pub(super) path: String,
    pub(super) text: String,
    pub(super) file: Option<FileId>,
    pub(super) edits: Vec<Edit>,
}

/// The places in tests of the server's package that expect as many tools as it lists, changed `by` so many.
pub(super) fn changed(snapshot: &Snapshot, target: Target<'_>, by: isize, sources: Sources<'_>) -> Vec<Counted> {
    let count = target.server.tools.len();
    let Some(next) = count.checked_add_signed(by).filter(|_| count > 1) else { return Vec::new() };
    let (now, next) = (count.to_string(), next.to_string());
    let words: Vec<String> = EXPECTED.iter().map(|word| word.to_string()).collect();
    let tests = sources.around.mentioning(&words).into_iter().filter_map(|(path, text)| {
        let is_own = is_test(&path) && !is_installed(&path) && root_of(snapshot, &path) == target.server.root;
        let language = Language::of_path(&path).filter(|_| is_own && text.contains(&now))?;
        let tree = syntax::parse(language, &text, None)?;
        let has = |said: &str, words: &[&str]| words.iter().any(|word| said.contains(word));
        // A slice of so many is so long whatever there is.
        let is_once = |said: &str| said.matches(&now).count() == 1;
        let is_count =
            |said: &str| is_once(said) && has(said, &COUNTED) && has(said, &EXPECTED) && has(said, &["tool", "Tool"]);
        let found = syntax::numbers(&tree, &text, &now).into_iter();
        let edits = found.filter(|(_, around)| is_count(&text[around.range()]));
        let edits: Vec<Edit> = edits.map(|(number, _)| Edit::new(number, next.as_str())).collect();
        let file = read_file(snapshot, &path, &text).map(|file| file.id);
        (!edits.is_empty()).then_some(Counted { path, text, file, edits })
    });
    tests.collect()
}

/// Adds the edits by which tests expect one tool more.
pub(super) fn follow(snapshot: &Snapshot, target: Target<'_>, sources: Sources<'_>, plan: &mut Plan) {
    for Counted { path, text, file, edits } in changed(snapshot, target, 1, sources) {
        match file {
            Some(file) => edits.into_iter().for_each(|edit| plan.push(Group::Alias, file, edit)),
            None => plan.document(&path, &text).edits.extend(edits),
        }
    }
}
