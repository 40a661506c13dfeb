//! Text outside of permission lists that may restrict a tool: scripts of a manifest, shell variables, code, settings
//! that a workflow contains as text. Wildcards in such text are not rewritten; the rename is refused if one of them
//! would stop matching. A whole name stays as long as the alias does, and is renamed when the alias is removed.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::home::Home;
use super::prose::{Kind, Meaning, Names, Old, Reader, Reading, entries, is_kept};
use super::refusal::{Left, Loosens, Looser, Why};
use super::{Group, Plan, Sources, Target, read_file, stands_alone};
use crate::client::{Client, glob_matches};
use crate::path::{is_history, is_installed, is_test};
use crate::places::Places;
use crate::regex::Regex;
use crate::text::{Edit, Span};
use crate::workspace::{File, LOCK_FILE, Snapshot, Surroundings};

/// The prefix of the names to look for. Other text is unlikely to contain it by chance.
const BEGINNING: &str = "mcp__";

/// Reports wildcards outside of lists that match the old name and not the new one.
///
/// # Errors
/// Returns [`Why::Loosens`] for the first wildcard that may restrict the tool and is in a file that does not contain
/// the new name, or [`Why::TooMuch`] if the search reaches the limit on work.
pub(super) fn held_by_wildcards(
    snapshot: &Snapshot,
    target: Target<'_>,
    new: &str,
    around: &dyn Surroundings,
    plan: &mut Plan,
) -> Result<(), Why> {
    let keys = target.keys(snapshot);
    let known = &snapshot.analysis().keys;
    let clients =
        snapshot.files.known_clients().iter().filter(|client| client.composed("k", "t").starts_with(BEGINNING));
    // If no client file starts the tool's server, any key of a server without known source may be its key.
    let elsewhere = |client: &Client| -> FxHashSet<String> {
        let known = known.iter().filter(|(_, known)| keys.is_empty() && !known.servers.is_empty());
        known.map(|(key, _)| client.normalise(key)).collect()
    };
    let clients: Vec<(&Client, FxHashSet<String>)> =
        clients.map(|client| (client.as_ref(), elsewhere(client))).collect();
    let composed = |client: &Client, key: &str| {
        let name = |tool: &str| format!("{BEGINNING}{key}__{}", client.normalise(tool));
        (name(&target.tool.name), name(new))
    };
    let own = clients.iter().flat_map(|(client, _)| keys.iter().map(move |key| (*client, client.normalise(key))));
    let mut own: Vec<(String, String)> = own.map(|(client, key)| composed(client, &key)).collect();
    own.sort_unstable();
    own.dedup();
    let home = Home::of(snapshot, target);
    for (path, text) in around.mentioning(&[BEGINNING.to_string()]) {
        if is_history(&path) || is_installed(&path) || path.ends_with(LOCK_FILE) {
            continue;
        }
        let file = read_file(snapshot, &path, &text);
        let (mut reading, mut said) = (None, None);
        for (at, _) in text.match_indices(BEGINNING) {
            let is_inside = text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if is_inside {
                continue;
            }
            let pattern = Pattern::at(&text, at);
            let others: Vec<(String, String)> = match pattern.server().filter(|_| keys.is_empty()) {
                Some(key) => {
                    let strange = clients.iter().filter(|(_, elsewhere)| !elsewhere.contains(key));
                    strange.map(|(client, _)| composed(client, key)).collect()
                }
                None => Vec::new(),
            };
            if !home.work.take(1 + own.len() + others.len()) {
                return Err(Why::TooMuch);
            }
            let mut names = own.iter().chain(&others);
            let lost = names.find_map(|(old, new)| Some((pattern.tells_apart(old, new)?, new.clone())));
            let Some((length, name)) = lost else { continue };
            let span = Span::new(at, at + length);
            let (told, read) = said.get_or_insert_with(|| (plan.skipped_in(file), texts_of_entries(snapshot, file)));
            if told.overlap(span) || read.overlap(span) {
                continue;
            }
            let pattern = &text[span.range()];
            let reading = reading.get_or_insert_with(|| Reading::of(&path, &text));
            let reader = Reader::new(&home, (&path, &text), reading, Old::ANSWERED);
            if !is_test(&path) && !is_said(&text, &name) && reader.may_guard(span) {
                let line = text[..at].matches('\n').count() as u32 + 1;
                let how = Looser::Pattern { line, new: name };
                return Err(Why::Loosens(Loosens { path, entry: pattern.to_string(), how }));
            }
            let left = Left::Unmatched(pattern.to_string());
            match file {
                Some(file) => plan.skip(file.id, span, left),
                None => plan.document(&path, &text).skipped.push((span, left)),
            }
        }
    }
    Ok(())
}

/// Adds the edits that rename the old name in text that may restrict the tool, once the old name is gone. As long as
/// there was an alias, this text was left alone. A text that already restricts the new name stays as it is, since its
/// author has updated it.
pub(super) fn follow(snapshot: &Snapshot, target: Target<'_>, new: &str, sources: Sources<'_>, plan: &mut Plan) {
    let mut forms = Names::composed(snapshot, target, new);
    forms.retain(|form| form.kind == Kind::Composed);
    forms.sort_by(|one, other| one.old.cmp(&other.old));
    forms.dedup_by(|one, other| one.old == other.old);
    let home = Home::of(snapshot, target);
    let words: Vec<String> = forms.iter().map(|form| form.old.clone()).collect();
    for (path, text) in sources.around.mentioning(&words) {
        if is_installed(&path) || is_kept(&path) {
            continue;
        }
        let file = read_file(snapshot, &path, &text);
        let reading = Reading::of(&path, &text);
        let reader = Reader::new(&home, (&path, &text), &reading, Old::ANSWERED);
        let (edited, entries) = (plan.edited_in(file, &path), entries(snapshot, file));
        for form in &forms {
            let guards = |word: &str| -> Vec<Span> {
                let places = text.match_indices(word).map(|(at, _)| Span::new(at, at + word.len()));
                let is_guard = |span: &Span| matches!(reader.meaning(snapshot, form, *span), Meaning::Guard);
                places.filter(is_guard).filter(|span| !entries.hold(*span)).collect()
            };
            if !guards(&form.new).is_empty() {
                continue;
            }
            for span in guards(&form.old) {
                let edit = Edit::new(span, form.new.as_str());
                match file {
                    Some(_) if edited.overlap(span) => {}
                    Some(file) => plan.push(Group::Source, file.id, edit),
                    None => plan.document(&path, &text).edits.push(edit),
                }
            }
        }
    }
}

/// Returns the spans of the strings of a file's list entries, without their keys and values.
fn texts_of_entries(snapshot: &Snapshot, file: Option<&Arc<File>>) -> Places {
    let facts = file.into_iter().flat_map(|file| snapshot.client_facts(file.id));
    facts.flat_map(|facts| &facts.lists).flat_map(|list| &list.entries).map(|entry| entry.text.span).collect()
}

/// Whether a text contains `name` as a whole name. If so, its author has already updated it.
pub(super) fn is_said(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| stands_alone(text, Span::new(at, at + name.len())))
}

/// The text at a position, in each way that it may be read as a pattern.
struct Pattern<'a> {
    /// The name characters and wildcards at the position.
    glob: &'a str,
    /// The name characters, wildcards and other characters of regular expressions at the position.
    text: &'a str,
    /// `text` as a regular expression, anchored at the start; `None` if it is not one.
    expression: Option<Regex>,
}

impl<'a> Pattern<'a> {
    fn at(text: &'a str, at: usize) -> Pattern<'a> {
        let rest = &text[at..];
        let up_to = |signs: &str| {
            let is_of = |c: char| c.is_ascii_alphanumeric() || signs.contains(c);
            &rest[..rest.find(|c| !is_of(c)).unwrap_or(rest.len())]
        };
        // The punctuation at the end of a sentence is not part of the pattern.
        let glob = up_to("_-.*?").trim_end_matches(['.', '?']);
        let text = up_to("_-.*?+()|[]^$\\");
        let is_expression = text.contains(['*', '+', '(', '[']);
        let expression = is_expression.then(|| Regex::new(&format!("^(?:{text})"), "")).flatten();
        Pattern { glob, text, expression }
    }

    /// Returns the server key in front of the tool's name: `notes` in `mcp__notes__drop_*`. `None` if no `__` follows
    /// it.
    fn server(&self) -> Option<&'a str> {
        self.glob.get(BEGINNING.len()..)?.split_once("__").map(|(server, _)| server)
    }

    /// Returns the length in bytes of the part that matches the old name and not the new one, as a wildcard, a prefix
    /// or a regular expression; `None` if there is none.
    fn tells_apart(&self, old: &str, new: &str) -> Option<usize> {
        let is_wildcard = self.glob.contains('*') && glob_matches(self.glob, old) && !glob_matches(self.glob, new);
        let begins = self.glob == self.text && self.glob.ends_with(['_', '-', '.']);
        if is_wildcard || begins && old.starts_with(self.glob) && !new.starts_with(self.glob) {
            return Some(self.glob.len());
        }
        let expression = self.expression.as_ref()?;
        let fits = |name: &str| expression.is_match(name) == Some(true);
        (fits(old) && !fits(new)).then_some(self.text.len())
    }
}
