//! Decides which of two spellings is the typo: the tool's own, or the one in all other files.
//!
//! A fix makes a place agree with the source. If several files agree on another name, and the tool's own is written
//! only where it is registered, the source is as likely to be wrong, and neither is changed.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::path::{is_history, is_installed};
use crate::text::Edit;
use crate::workspace::{Snapshot, Surroundings};

/// The number of files that must contain a name before it counts against the source.
const ENOUGH: usize = 2;
/// The maximum number of pairs of names to look at: a workspace with more has another problem.
const MOST_PAIRS: usize = 1_000;

/// A written name that no tool has, and the tool whose name a fix would write in its place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Pair {
    pub(super) written: String,
    pub(super) tool: String,
}

/// The counts so far: for each pair, the number of files that have the written name, if they are enough to outweigh
/// the source.
#[derive(Debug, Default)]
pub(super) struct Witnesses {
    counted: FxHashMap<Pair, Option<usize>>,
}

impl Witnesses {
    /// Counts the files for pairs that have not been counted yet.
    pub(super) fn count(&mut self, snapshot: &Snapshot, mut pairs: Vec<Pair>, around: &dyn Surroundings) {
        pairs.retain(|pair| !self.counted.contains_key(pair));
        pairs.sort();
        pairs.dedup();
        pairs.truncate(MOST_PAIRS.saturating_sub(self.counted.len()));
        if pairs.is_empty() {
            return;
        }
        let mut homes: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
        for (_, tool) in snapshot.analysis().tools() {
            let places = [tool.local_place(), tool.registration.place];
            let paths = places.map(|place| snapshot.files.path(place.file));
            homes.entry(&tool.name).or_default().extend(paths);
        }
        let words: Vec<String> = pairs.iter().flat_map(|pair| [pair.written.clone(), pair.tool.clone()]).collect();
        let files = around.mentioning(&words);
        for pair in pairs {
            let is_home = |path: &str| homes.get(pair.tool.as_str()).is_some_and(|homes| homes.contains(path));
            let files = files.iter().filter(|(path, _)| !is_history(path) && !is_installed(path) && !is_home(path));
            let (mut agree, mut disagree) = (0, 0);
            for (_, text) in files {
                agree += usize::from(names(text, &pair.written));
                disagree += usize::from(names(text, &pair.tool));
            }
            let count = (agree >= ENOUGH && disagree == 0).then_some(agree);
            self.counted.insert(pair, count);
        }
    }

    /// Returns the first of some pairs in which the source is outweighed, with the number of files against it.
    pub(super) fn against<'p>(&self, pairs: &'p [Pair]) -> Option<(&'p Pair, usize)> {
        pairs.iter().find_map(|pair| Some((pair, (*self.counted.get(pair)?)?)))
    }
}

/// The names of all tools.
pub(super) struct ToolNames<'a> {
    all: FxHashSet<&'a str>,
    /// The length of the longest name, in bytes.
    longest: usize,
}

impl<'a> ToolNames<'a> {
    pub(super) fn of(snapshot: &'a Snapshot) -> ToolNames<'a> {
        let all: FxHashSet<&str> = snapshot.analysis().tools().map(|(_, tool)| tool.name.as_str()).collect();
        let longest = all.iter().map(|name| name.len()).max().unwrap_or(0);
        ToolNames { all, longest }
    }
}

/// Returns each name that an edit of a text replaces with the name of a tool, paired with the tool's name.
pub(super) fn pairs(tools: &ToolNames<'_>, text: &str, edits: &[Edit]) -> Vec<Pair> {
    // An edit changes as few characters as possible, so the word around it is included.
    let whole = |edit: &Edit| {
        let (head, tail) = (text.get(..edit.span.start as usize)?, text.get(edit.span.end as usize..)?);
        let before = &head[head.trim_end_matches(is_of_name).len()..];
        let after = &tail[..tail.len() - tail.trim_start_matches(is_of_name).len()];
        let now = format!("{before}{}{after}", text.get(edit.span.range())?);
        pair(tools, &now, &format!("{before}{}{after}", edit.new_text))
    };
    edits.iter().filter_map(whole).collect()
}

/// Returns the replaced name and the tool's name that an edit writes instead, both without the prefix that the two
/// texts share; `None` if the edit writes no tool's name.
fn pair(tools: &ToolNames<'_>, before: &str, after: &str) -> Option<Pair> {
    let is_tool = |name: &str| tools.all.contains(name);
    let starts = after.char_indices().filter(|(at, _)| !after[..*at].ends_with(char::is_alphanumeric));
    let mut rests = starts.map(|(at, _)| (at, &after[at..])).filter(|(_, rest)| rest.len() <= tools.longest);
    let (at, tool) = rests.find(|(_, name)| is_tool(name))?;
    let written = before.strip_prefix(&after[..at])?;
    let is_other = !written.is_empty() && written != tool && written.chars().all(is_of_name) && !is_tool(written);
    is_other.then(|| Pair { written: written.to_string(), tool: tool.to_string() })
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/')
}

/// Whether a text contains a name that is not part of a longer word; a client's prefix may precede it.
fn names(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let key_ends = text[..at].ends_with("__") || text[..at].ends_with(['.', ':', '/']);
        (key_ends || !text[..at].ends_with(is_part)) && !text[at + name.len()..].starts_with(is_part)
    })
}
