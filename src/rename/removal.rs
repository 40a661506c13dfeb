//! Removing an alias: the code that keeps a tool's old name callable, and the references to the tool by that name.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::alias::recipes_of;
use super::expected::{self, Counted, ToolNames};
use super::prose;
use super::refusal::{Left, Outdated, Refusal, Stays};
use super::trial::{Listed, id_of, names, with_unknown_prefix};
use super::{
    Document, Group, Plan, Sources, Target, Texts, decisions, guards, hoist, permissions, read_file, stands_alone,
};
use crate::client::{self, Entry, List};
use crate::diagnostic::{AliasRequest, Edits};
use crate::found::Place;
use crate::path::{is_history, is_installed, is_test};
use crate::places::Places;
use crate::site::{self};
use crate::syntax::{self, Language};
use crate::text::{Edit, FileId, Span, apply_edits};
use crate::workspace::{AliasNote, Snapshot, Tool};

/// The code that keeps an old name callable, at one place of the source.
#[derive(Clone)]
struct Alias<'a> {
    /// The tool under its present name.
    target: Target<'a>,
    /// The name to remove.
    old: String,
    file: FileId,
    /// The byte offset of the end of the node below the comment.
    end: u32,
    edits: Vec<Edit>,
    /// Whether the alias is listed as a tool of its own.
    is_listed: bool,
}

/// Returns the aliases with this name, each with its tool and the request that removes it. If several comments are
/// about one alias, the request is for the first.
pub fn aliases<'a>(snapshot: &'a Snapshot, old: &str, texts: Texts<'_>) -> Vec<(Target<'a>, AliasRequest)> {
    let mut found: Vec<(Target<'a>, AliasRequest)> = Vec::new();
    for file in snapshot.files.all() {
        for note in snapshot.files.alias_notes(file.id) {
            let Some(alias) = alias(snapshot, file.id, note, texts).filter(|alias| alias.old == old) else { continue };
            let is_known = |(known, _): &(Target<'_>, _)| crate::rename::only(&[*known, alias.target]).is_some();
            if !found.iter().any(is_known) {
                found.push((alias.target, AliasRequest { file: file.id, offset: note.span.start }));
            }
        }
    }
    found
}

/// Returns the request that removes a tool's alias of this name; `None` if the tool has no such alias.
pub fn alias_of(snapshot: &Snapshot, target: Target<'_>, old: &str, texts: Texts<'_>) -> Option<AliasRequest> {
    let mut all = aliases(snapshot, old, texts).into_iter();
    all.find(|(known, _)| crate::rename::only(&[*known, target]).is_some()).map(|(_, request)| request)
}

/// Plans the removal of an alias from the source, the permission lists and the lock. `request` refers to the comment
/// above the alias.
///
/// # Errors
/// The reason why the alias is not removed.
pub fn plan(snapshot: &Snapshot, request: &AliasRequest, sources: Sources<'_>) -> Result<Plan, Refusal> {
    planned(snapshot, (request, Then::Nothing), sources)
}

/// The step that follows the removal of an alias.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    Nothing,
    /// The tool is renamed to the alias. If a list has entries for both names, the alias's entry stays and the other
    /// one will be removed.
    Return,
}

/// Plans the removal like [`plan`], for a given step after it.
///
/// # Errors
/// See [`plan`].
pub(super) fn planned(
    snapshot: &Snapshot,
    (request, then): (&AliasRequest, Then),
    sources: Sources<'_>,
) -> Result<Plan, Refusal> {
    let _keeping = syntax::Keeping::begin();
    let texts = sources.texts;
    let notes = snapshot.files.alias_notes(request.file);
    let note = notes.iter().find(|note| note.span.start == request.offset);
    let note = note.ok_or(Refusal::Outdated(Outdated::Comment))?;
    let asked = alias(snapshot, request.file, note, texts);
    let asked = asked.ok_or_else(|| Refusal::Outdated(Outdated::Alias(note.new.clone())))?;
    // An alias that is compared in several places has a comment in each of them.
    let mut all = Vec::new();
    for file in snapshot.files.all() {
        let text = texts(file.id).unwrap_or_default();
        let mut before: Option<Alias<'_>> = None;
        for other in snapshot.files.alias_notes(file.id).iter().filter(|other| other.new == note.new) {
            let found = alias(snapshot, file.id, other, texts)
                .or_else(|| before.as_ref()?.kept_alias(snapshot, &text, other))
                .or_else(|| asked.again(snapshot, (file.id, &text), other, texts));
            let Some(found) = found else { continue };
            if found.old == asked.old && crate::rename::only(&[found.target, asked.target]).is_some() {
                before = Some(found.clone());
                all.push(found);
            }
        }
    }
    let mut pairs = pairs(snapshot, &asked, then, sources);
    let mut plan = remove(snapshot, (&asked, then), &all, &pairs, texts)?;
    if all.iter().any(|alias| alias.is_listed) {
        let servers = ToolNames::without(snapshot, asked.target, &asked.old);
        let counted = expected::counted(snapshot, asked.target, (&plan.edits(), &servers), sources);
        if !counted.is_empty() {
            pairs.extend(counted.into_iter().map(|Counted { path, text, edits }| Pair { path, text, edits }));
            plan = remove(snapshot, (&asked, then), &all, &pairs, texts)?;
        }
    }
    let under_old_name = Tool { name: asked.old.clone(), ..asked.target.tool.clone() };
    let target = Target { tool: &under_old_name, ..asked.target };
    guards::follow(snapshot, target, &asked.target.tool.name, sources, &mut plan);
    plan.stay_inside(snapshot, sources.around);
    plan.say_once();
    left_elsewhere(snapshot, &asked, sources, &mut plan);
    if then == Then::Nothing {
        mentioned_elsewhere(snapshot, (target, &asked), sources, &mut plan);
    }
    Ok(plan)
}

impl<'a> Alias<'a> {
    /// Returns the node below another comment as a further place of this alias; `None` if the node is not a copy of the
    /// end of this alias's code. For example, a list that decides about the tool contains the alias, too.
    fn again(
        &self,
        snapshot: &Snapshot,
        (file, text): (FileId, &str),
        note: &AliasNote,
        texts: Texts<'_>,
    ) -> Option<Alias<'a>> {
        let language = Language::of_path(snapshot.files.path(file))?;
        let below = site::beneath(&syntax::parse(language, text, None)?, text, note.span)?;
        let own = texts(self.file)?;
        let written = own.get(..self.end as usize)?;
        if !written.ends_with(text.get(below.node.range())?) {
            return None;
        }
        let edits = vec![Edit::new(below.removal?, "")];
        Some(Alias { file, end: below.node.end, edits, is_listed: false, ..self.clone() })
    }

    /// Returns the statement below another comment of the same alias as a further part of this alias, so that an alias
    /// of several statements is removed as a whole; `None` if the statement does not directly follow this part, or
    /// contains a string.
    fn kept_alias(&self, snapshot: &Snapshot, text: &str, note: &AliasNote) -> Option<Alias<'a>> {
        let language = Language::of_path(snapshot.files.path(self.file))?;
        let below = site::beneath(&syntax::parse(language, text, None)?, text, note.span)?;
        let tree = syntax::parse(language, text, None)?;
        // A statement with a string in it is an alias of its own.
        if !site::strings(&tree, below.node).is_empty() {
            return None;
        }
        let is_next = text.get(self.end as usize..below.comment.start as usize)?.trim().is_empty();
        let edits = vec![Edit::new(below.removal.filter(|_| is_next)?, "")];
        Some(Alias { end: below.node.end, edits, ..self.clone() })
    }
}

/// Returns the alias below a comment; `None` if there is no removable alias.
fn alias<'a>(snapshot: &'a Snapshot, file: FileId, note: &AliasNote, texts: Texts<'_>) -> Option<Alias<'a>> {
    let text = texts(file)?;
    let language = Language::of_path(snapshot.files.path(file))?;
    let tree = syntax::parse(language, &text, None)?;
    let below = site::beneath(&tree, &text, note.span)?;
    let span = |place: Place| (place.file == file).then(|| snapshot.files.span(place));
    // Code below another alias comment inside the node belongs to that comment.
    let notes = snapshot.files.alias_notes(file).iter().filter(|other| below.node.contains(other.span));
    let inside: Vec<Span> = notes.filter_map(|other| other.below).collect();
    let is_below = |span: Span| below.node.contains(span) && !inside.iter().any(|inner| inner.contains(span));
    let is_alias = |name: &str, place: Place| name != note.new && span(place).is_some_and(is_below);
    for (server, tool) in snapshot.analysis().tools().filter(|(_, tool)| tool.name == note.new) {
        let listed = server.tools.iter().filter(|tool| is_alias(&tool.name, tool.local_place()));
        let compared = server.cases().filter(|one| is_alias(&one.text, one.place));
        // Keys of tables in which a handler is looked up at registration.
        let looked_up = server.tools.iter().flat_map(|tool| tool.registration.keys.iter().map(move |key| (tool, *key)));
        let looked_up = looked_up.filter(|(tool, key)| is_alias(&tool.name, *key));
        let mut old: Vec<(&str, Place)> = listed.clone().map(|tool| (tool.name.as_str(), tool.local_place())).collect();
        old.extend(looked_up.map(|(tool, key)| (tool.name.as_str(), key)));
        // Another tool that the same condition compares with is not an alias of this one.
        let is_other = |name: &str| {
            let mut tools = server.tools.iter().filter(|tool| tool.name == name);
            tools.any(|tool| snapshot.files.alias_of(tool).as_ref() != Some(&note.new))
        };
        let compared = compared.filter(|one| !is_other(&one.text));
        old.extend(compared.map(|one| (one.text.as_str(), one.place)));
        old.dedup_by(|a, b| a.0 == b.0);
        // An alias that is neither registered nor compared was written by a recipe. Strings of the recipe itself are
        // not names.
        let target = Target { server, tool };
        let written = || recipes_of(snapshot, target).iter().filter_map(|recipe| recipe.behind.as_deref());
        let mut others: Vec<&str> = site::strings(&tree, below.node).into_iter().map(|it| &text[it.range()]).collect();
        others.retain(|text| *text != note.new && !written().any(|recipe| recipe.contains(&format!("\"{text}\""))));
        others.sort_unstable();
        others.dedup();
        if let ([], [only]) = (old.as_slice(), others.as_slice()) {
            let edits = below.removal.into_iter().map(|span| Edit::new(span, "")).collect();
            return Some(Alias { target, old: only.to_string(), file, end: below.node.end, edits, is_listed: false });
        }
        let [(old, place)] = old.as_slice() else { continue };
        // Code that also serves the present name stays.
        let new = server.cases().filter(|one| one.text == *note.new);
        let is_shared = new.filter_map(|one| span(one.place)).any(|span| below.node.contains(span));
        let edits = match below.removal.filter(|_| !is_shared) {
            Some(removal) => vec![Edit::new(removal, "")],
            None => {
                let spans = site::alternative(&tree, &text, span(*place)?)?;
                let is_apart = !spans.iter().any(|span| span.contains(below.comment));
                let spans = spans.into_iter().chain(is_apart.then_some(below.comment));
                spans.map(|span| Edit::new(span, "")).collect()
            }
        };
        let is_listed = listed.count() > 0;
        return Some(Alias { target, old: old.to_string(), file, end: below.node.end, edits, is_listed });
    }
    None
}

/// Plans the removal of an alias from all its places, the permission lists and the lock.
fn remove(
    snapshot: &Snapshot,
    (asked, then): (&Alias<'_>, Then),
    all: &[Alias<'_>],
    pairs: &[Pair],
    texts: Texts<'_>,
) -> Result<Plan, Refusal> {
    let Alias { target, old, .. } = asked;
    let refused = |why: Stays| Refusal::Removal { alias: old.clone(), tool: target.tool.name.clone(), why };
    let mut edits = Edits::new();
    for alias in all {
        edits.entry(alias.file).or_default().extend(alias.edits.iter().cloned());
    }
    let mut documents = BTreeMap::new();
    for Pair { path, text, edits: removals } in pairs {
        match read_file(snapshot, path, text) {
            Some(file) => {
                let own = edits.entry(file.id).or_default();
                // Skip these edits if an existing edit overlaps them, since that one already removes the text.
                if !own.iter().any(|other| removals.iter().any(|edit| other.span.overlaps(edit.span))) {
                    own.extend(removals.iter().cloned());
                }
            }
            None => {
                let empty = || Document { text: text.clone(), ..Document::default() };
                documents.entry(path.clone()).or_insert_with(empty).edits.extend(removals.iter().cloned());
            }
        }
    }
    for (file, edits) in &mut edits {
        edits.sort();
        edits.dedup();
        let text = texts(*file).ok_or_else(|| refused(Stays::Unreadable))?;
        let language = Language::of_path(snapshot.files.path(*file));
        unhoist(snapshot, asked, (&text, language), edits).ok_or_else(|| refused(Stays::Changed))?;
        edits.sort();
    }
    let after = snapshot.with_edits(&edits, texts).ok_or_else(|| refused(Stays::Changed))?;
    let mut expected = names(snapshot);
    if all.iter().any(|alias| alias.is_listed) {
        for server in target.servers(snapshot) {
            let id = id_of(server);
            let key = |listed| (Rc::clone(&id), listed);
            expected.remove(&key(Listed::Tool(old.clone())));
            for tool in server.tools.iter().filter(|tool| tool.name == *old) {
                for one in with_unknown_prefix(Target { server, tool }) {
                    expected.remove(&key(Listed::Dynamic(one.partial.clone(), one.reason.to_string())));
                }
            }
        }
    }
    let mut found = names(&after);
    // What follows may restore what the removal alone breaks: a lookup of a name that comes back.
    if !matches!(then, Then::Nothing) {
        let is_known = |name: &(_, Listed)| !matches!(name.1, Listed::Dynamic(None, _));
        found.retain(|name, _| is_known(name));
        expected.retain(|name, _| is_known(name));
    }
    if found != expected {
        return Err(refused(Stays::More));
    }
    // Refuse if the name can still be called: its guards must stay. A name that the tool gets back is called again.
    let is_answered = |server: &crate::workspace::Server| {
        let is_it = target.servers(snapshot).iter().any(|own| (&own.root, &own.name) == (&server.root, &server.name));
        is_it && server.cases().any(|one| one.text == **old)
    };
    if then == Then::Nothing && after.analysis().servers.iter().any(is_answered) {
        return Err(refused(Stays::Answered));
    }
    let mut plan = Plan { documents, ..Plan::default() };
    plan.changes.insert(Group::Alias, edits);
    unlist(snapshot, asked, then, &mut plan);
    unlock(snapshot, asked, texts, &mut plan);
    Ok(plan)
}

/// An old name after the new one in a list of names.
struct Pair {
    path: String,
    text: String,
    /// The edits that delete the old name and the separator between the names, in one piece or several.
    edits: Vec<Edit>,
}

/// Finds the old name in every list or union that also contains the new one, and every piece of code that was copied
/// for the old name.
fn pairs(snapshot: &Snapshot, alias: &Alias<'_>, then: Then, sources: Sources<'_>) -> Vec<Pair> {
    let new = alias.target.tool.name.as_str();
    let constants = decisions::constants(snapshot, alias.target, sources);
    let mut found = Vec::new();
    for (path, text) in sources.around.mentioning(std::slice::from_ref(&alias.old)) {
        if is_installed(&path) || is_history(&path) {
            continue;
        }
        let pair = |removal: Vec<Span>| Pair {
            path: path.clone(),
            text: text.clone(),
            edits: removal.into_iter().map(|span| Edit::new(span, "")).collect(),
        };
        let language = Language::of_path(&path).filter(|language| language.family().is_some());
        if language.is_none() {
            let removals =
                text.match_indices(alias.old.as_str()).filter_map(|(at, _)| behind(&text, at, &alias.old, new));
            found.extend(removals.map(|span| pair(vec![span])));
            continue;
        }
        let Some(tree) = language.and_then(|language| syntax::parse(language, &text, None)) else { continue };
        for removal in decisions::doubled((&path, &text), (&alias.old, new), &constants, then == Then::Return) {
            found.push(pair(removal));
        }
        for (at, _) in text.match_indices(alias.old.as_str()) {
            let place = Span::new(at, at + alias.old.len());
            if let Some(removal) = behind_key(&tree, &text, place, (&alias.old, new), then) {
                found.push(pair(vec![removal]));
                continue;
            }
            if let Some(removal) = behind_record(&tree, &text, place, (&alias.old, new), then) {
                found.push(pair(vec![removal]));
                continue;
            }
            let is_one_name = |own: Span| !text[own.range()].contains([',', ' ']);
            let siblings = site::siblings(&tree, place);
            let Some(siblings) = siblings.filter(|siblings| siblings.around(place).is_none_or(is_one_name)) else {
                // Both names are in one string, `"get_note,read_note"`, instead of two arguments.
                let is_inside = !text[..at].ends_with(['"', '\'', '`']);
                let both = behind(&text, at, &alias.old, new).filter(|_| is_inside);
                found.extend(both.map(|span| pair(vec![span])));
                continue;
            };
            // Both strings are bare names, or both are names as a client composes them.
            let inside = |literal: Span| text.get(literal.start as usize + 1..literal.end as usize - 1);
            let is_pair = |pair: &[Span]| {
                let before = |own: &str| own.strip_suffix(alias.old.as_str()).map(str::to_string);
                let key = inside(pair[1]).and_then(before).filter(|key| !key.ends_with(char::is_alphanumeric));
                key.is_some_and(|key| inside(pair[0]) == Some(&format!("{key}{new}")))
            };
            let mut pairs = siblings.literals.windows(2);
            let both = pairs.find(|both| both[1].contains(place) && is_pair(both));
            if let Some([before, own]) = both.filter(|_| !siblings.has_others) {
                found.push(pair(vec![match then {
                    Then::Return => Span { start: before.start, end: own.start },
                    Then::Nothing => Span { start: before.end, end: own.end },
                }]));
                continue;
            }
            // In a sorted list, the two names need not be neighbours.
            let at = siblings.literals.iter().position(|literal| inside(*literal) == Some(alias.old.as_str()));
            let renamed = siblings.literals.iter().position(|literal| inside(*literal) == Some(new));
            let is_in_order = is_test(&path) && prose::is_sorting(&text) && siblings.is_sorted(&text);
            if let (Some(at), Some(renamed), true) = (at, renamed, is_in_order)
                && siblings.literals[at].contains(place)
            {
                found.push(pair(vec![siblings.removal(if then == Then::Return { renamed } else { at })]));
            }
        }
    }
    found
}

/// If the old name is a key whose entry directly follows the new name's entry and is a copy of it, returns the span of
/// the entry to delete; `then` decides which of the two.
fn behind_key(tree: &syntax::Tree, text: &str, place: Span, (old, new): (&str, &str), then: Then) -> Option<Span> {
    let own = site::keyed(tree, text, place)?;
    let before = own.previous().filter(|before| text.get(before.range()) == Some(new))?;
    let before = site::keyed(tree, text, before)?;
    let again = own.beside(text, (old, new))?.new_text;
    let is_same = again.starts_with(&text[before.whole.range()]);
    is_same.then(|| own.removal(then == Then::Return, &before))
}

/// Like [`behind_key`], for a record in a list.
fn behind_record(tree: &syntax::Tree, text: &str, place: Span, (old, new): (&str, &str), then: Then) -> Option<Span> {
    let own = site::record(tree, text, place)?;
    let before = own.previous?;
    let again = own.beside(text, (old, new))?.new_text;
    let (written, above) = (text.get(own.whole.range())?, text.get(before.range())?);
    let is_same = above != written && again.starts_with(above);
    is_same.then_some(match then {
        Then::Return => Span { start: before.start, end: own.whole.start },
        Then::Nothing => Span { start: before.end, end: own.whole.end },
    })
}

/// Returns the span of an old name outside any list and of the separator before it, if the new name is directly before
/// them: `get_note|read_note`, `"get_note", "read_note"`.
fn behind(text: &str, at: usize, old: &str, new: &str) -> Option<Span> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let (start, end) = (text[..at].trim_end_matches(is_part).len(), at + old.len());
    let key = &text[start..at];
    let is_whole = !text[end..].starts_with(is_part) && !key.ends_with(char::is_alphanumeric);
    let quote = text[..start].chars().next_back().filter(|c| matches!(c, '"' | '\''));
    let quoted = |name: &str| match quote {
        Some(quote) => format!("{quote}{key}{name}{quote}"),
        None => format!("{key}{name}"),
    };
    let start = start - quote.map_or(0, char::len_utf8);
    let end = end + quote.map_or(0, char::len_utf8);
    // The names of a list may be on separate lines; separate lines of plain text are not a list.
    let is_between = |c: char| matches!(c, '|' | ',' | ';' | ' ') || quote.is_some() && c.is_whitespace();
    let before = text[..start].trim_end_matches(is_between);
    (is_whole && before.len() < start && before.ends_with(&quoted(new))).then(|| Span::new(before.len(), end))
}

/// Adds the removal of code that was written elsewhere for the alias alone: a variable that nothing else reads, an
/// import that nothing else uses. Returns `None` if the edits cannot be applied.
fn unhoist(
    snapshot: &Snapshot,
    alias: &Alias<'_>,
    (text, language): (&str, Option<Language>),
    edits: &mut Vec<Edit>,
) -> Option<()> {
    let rest = apply_edits(text, edits)?;
    let tree = language.and_then(|language| syntax::parse(language, &rest, None));
    // Files that cannot be parsed contain no code that was written for an alias.
    let count = |word: &str| tree.as_ref().map_or(0, |tree| site::times(tree, &rest, word));
    hoist::undo(text, language, &count, edits);
    for import in recipes_of(snapshot, alias.target).iter().flat_map(|recipe| &recipe.imports) {
        let (from, names) = import.rsplit_once(" import ")?;
        let is_of_alias = names.split(", ").any(|name| edits.iter().any(|edit| text[edit.span.range()].contains(name)));
        // Some of the names may have been imported before, so the line may contain only the others.
        let is_vain = |name: &str| names.split(", ").any(|one| one == name) && count(name) == 1;
        let line = text.split_inclusive('\n').find(|line| {
            let own = line.trim_end().strip_prefix(from).and_then(|rest| rest.strip_prefix(" import "));
            own.is_some_and(|own| own.split(", ").all(is_vain))
        });
        if let Some(line) = line.filter(|_| is_of_alias) {
            let at = line.as_ptr() as usize - text.as_ptr() as usize;
            edits.push(Edit::new(Span::new(at, at + line.len()), ""));
        }
    }
    Some(())
}

/// Removes the entries that name the tool by its old name, since no tool has that name any more.
fn unlist(snapshot: &Snapshot, alias: &Alias<'_>, then: Then, plan: &mut Plan) {
    for file in snapshot.files.all() {
        let lists: Vec<&List> = snapshot.client_facts(file.id).flat_map(|facts| &facts.lists).collect();
        for key in alias.target.known_as(snapshot) {
            for list in lists.iter().filter(|list| list.is_about(key) && !list.is_of_any_server()) {
                let name = list.grammar.composed(key, &alias.old);
                let present = list.grammar.composed(key, &alias.target.tool.name);
                let texts: FxHashSet<&str> = list.entries.iter().map(|entry| entry.text.text.as_str()).collect();
                let mut gone: Vec<&Entry> = Vec::new();
                for entry in list.entries.iter().filter(|entry| entry.text.verbatim) {
                    let text = entry.text.text.as_str();
                    let rest = text.strip_prefix(&name).unwrap_or("x");
                    let is_whole = rest.is_empty() || list.grammar.arguments && rest.starts_with('(');
                    let has_present = || match is_whole {
                        true => {
                            permissions::holds_each_once(list) && texts.contains(format!("{present}{rest}").as_str())
                        }
                        false => {
                            alternative_at(text, &present).is_some() || text.ends_with(&permissions::added(&present))
                        }
                    };
                    if then == Then::Return && has_present() {
                        continue;
                    }
                    if is_whole {
                        gone.push(entry);
                    } else if let Some(at) = alternative_at(text, &name) {
                        // One of several names in a hook's matcher.
                        plan.push(Group::Permissions, file.id, Edit::new(entry.text.span.slice(at.start, at.end), ""));
                    }
                }
                for (entry, spans) in gone.iter().zip(list.all_taken_out(&gone)) {
                    if spans.is_empty() {
                        plan.skip(file.id, entry.text.span, Left::Nothing(name.clone()));
                    }
                    for span in spans {
                        plan.push(Group::Permissions, file.id, Edit::new(span, ""));
                    }
                }
            }
        }
    }
}

/// Reports the places outside the lists read here that contain the old name as clients compose it: code, scripts,
/// conditions of hooks. What these places decide about that name has no effect any more.
fn left_elsewhere(snapshot: &Snapshot, alias: &Alias<'_>, sources: Sources<'_>, plan: &mut Plan) {
    let composed = snapshot
        .files
        .known_clients()
        .iter()
        .flat_map(|client| alias.target.keys(snapshot).into_iter().map(|key| client.composed(key, &alias.old)));
    let mut composed: Vec<String> = composed.filter(|name| client::begins_as_mcp(name)).collect();
    composed.sort_unstable();
    composed.dedup();
    for (path, text) in sources.around.mentioning(&composed) {
        if is_installed(&path) || is_history(&path) || path.ends_with(".lock") {
            continue;
        }
        let file = read_file(snapshot, &path, &text);
        let (edited, mut told) = (plan.edited_in(file, &path), plan.skipped_in(file));
        for (at, name) in composed.iter().flat_map(|name| text.match_indices(name.as_str())) {
            let span = Span::new(at, at + name.len());
            if !stands_alone(&text, span) || edited.overlap(span) || file.is_some() && told.overlap(span) {
                continue;
            }
            told.add(span);
            let left = Left::Nothing(name.to_string());
            match file {
                Some(file) => plan.skip(file.id, span, left),
                None => plan.document(&path, &text).skipped.push((span, left)),
            }
        }
    }
}

/// Reports the texts that still use the removed name. `target` is the tool under that name.
fn mentioned_elsewhere(
    snapshot: &Snapshot,
    (target, alias): (Target<'_>, &Alias<'_>),
    sources: Sources<'_>,
    plan: &mut Plan,
) {
    let mut all = Plan::default();
    prose::follow(snapshot, target, (&alias.target.tool.name, prose::Old::GONE), sources, &mut all);
    let gone = || Left::Nothing(alias.old.clone());
    // A sentence with both names is about the alias, which is removed.
    let reason = |left: &Left| if *left == Left::BothNames { gone() } else { left.clone() };
    let edits = all.edits();
    let edits = edits.iter().flat_map(|(file, edits)| edits.iter().map(|edit| (*file, edit.span, gone())));
    let others = all.skipped.iter().map(|left| (left.file, left.span, reason(&left.reason)));
    let mut known: FxHashMap<FileId, (Places, Places)> = FxHashMap::default();
    for (file, span, reason) in edits.chain(others) {
        let places = || (plan.edited(file), plan.skipped_in(snapshot.files.get(file)));
        let (edited, told) = known.entry(file).or_insert_with(places);
        if !edited.overlap(span) && !told.overlap(span) {
            told.add(span);
            plan.skip(file, span, reason);
        }
    }
    for (path, document) in all.documents {
        let edited = plan.edited_in(None, &path);
        let edits = document.edits.iter().map(|edit| (edit.span, gone()));
        let skipped = document.skipped.iter().map(|(span, left)| (*span, reason(left)));
        let left = edits.chain(skipped).filter(|(span, _)| !edited.overlap(*span));
        let left: Vec<(Span, Left)> = left.collect();
        let known = &mut plan.document(&path, &document.text).skipped;
        known.extend(left);
        known.sort_by_key(|(span, _)| span.start);
        known.dedup_by_key(|(span, _)| span.start);
    }
}

/// Returns the byte range of a name and one separator among alternatives separated by `|`; `None` if the name is not
/// one of several alternatives.
fn alternative_at(text: &str, name: &str) -> Option<std::ops::Range<usize>> {
    let mut at = 0;
    for piece in text.split('|') {
        let end = at + piece.len();
        if piece == name {
            return match at.checked_sub(1) {
                Some(sign) => Some(sign..end),
                None => (end < text.len()).then_some(at..end + 1),
            };
        }
        at = end + 1;
    }
    None
}

/// Records in the lock that the old name is gone.
fn unlock(snapshot: &Snapshot, alias: &Alias<'_>, texts: Texts<'_>, plan: &mut Plan) {
    for (file, lock) in snapshot.files.locks() {
        let Some(text) = texts(file) else { continue };
        let servers = alias.target.servers(snapshot);
        let is_server = |name: &str| servers.iter().any(|server| server.goes_by(name));
        let is_its = |name: &Option<String>| name.as_deref().is_none_or(is_server);
        let now = snapshot.files.renamed(&is_server, &alias.old);
        let is_gone = now.as_ref() == Some(&alias.target.tool.name);
        let entries = lock.renamed.iter().filter(|one| one.old == alias.old && is_gone);
        for entry in entries.filter(|one| is_its(&one.server)) {
            if let Some(mode) = entry.mode {
                plan.push(Group::Source, file, Edit::new(mode, "\"none\""));
            }
            if let Some(until) = entry.until {
                let start = text[..until.start as usize].rfind('\n').map_or(0, |at| at + 1);
                let end = text[until.end as usize..].find('\n').map_or(text.len(), |at| until.end as usize + at + 1);
                plan.push(Group::Source, file, Edit::new(Span::new(start, end), ""));
            }
        }
    }
}
