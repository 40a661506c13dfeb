//! Permission lists follow a rename: no tool is guarded less under its new name than it was under its old one.

mod decision;
mod entries;
mod proof;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use self::decision::{Decision, Decisive, OF_EXPRESSION, When};
use self::entries::Entries;

use super::home::Home;
use super::refusal::{Left, Loosens, Looser, Why};
use super::trial::with_unknown_prefix;
use super::{Group, Plan, Target, short_name_in};
use crate::client::{
    ClientFacts, Entry, Grammar, List, ListKind, Order, Rule, ServerEntry, Spelt, Strings, begins_as_mcp, glob_matches,
};
use crate::diagnostic::Edits;
use crate::entry::{self, EntryPlace, Insertion, Syntax};
use crate::name::Name;
use crate::text::{Edit, Span, apply_edits};
use crate::workspace::{Above, File, Snapshot, Surroundings, Tool};

/// Adds the edits that make every list follow.
///
/// # Errors
/// A name under which some list would guard the tool less, where nothing can be written against that.
pub(super) fn follow(
    snapshot: &Snapshot,
    target: Target<'_>,
    change: Change<'_>,
    around: &dyn Surroundings,
    plan: &mut Plan,
) -> Result<(), Why> {
    let home = Home::of(snapshot, target);
    let each = each_name(snapshot, target, change.new, |target, new| {
        one_name(snapshot, (target, &home), Change { new, ..change }, around, plan)
    });
    home.within_bounds(each)
}

/// Holds that the files in which a rename writes, as they read then, guard the tool as they did.
///
/// # Errors
/// A file that guards it less.
pub(super) fn hold(
    (snapshot, after): (&Snapshot, &Snapshot),
    target: Target<'_>,
    change: Change<'_>,
    edits: &Edits,
) -> Result<(), Why> {
    let home = Home::of(snapshot, target);
    let each = each_name(snapshot, target, change.new, |target, new| {
        proof::one_name((snapshot, after), (target, &home), Change { new, ..change }, edits)
    });
    home.within_bounds(each)
}

/// Calls `each` with a tool and its new name, and once more for every prefix that is known only when its server runs: what
/// stands before the name then, nobody here knows but who wrote the entries.
fn each_name(
    snapshot: &Snapshot,
    target: Target<'_>,
    new: &str,
    mut each: impl FnMut(Target<'_>, &str) -> Result<(), Why>,
) -> Result<(), Why> {
    each(target, new)?;
    let short = short_name_in(target.tool, new).unwrap_or(new);
    for prefix in prefixes(snapshot, target, short) {
        let tool = Tool { name: format!("{prefix}{}", target.tool.short_name()), ..target.tool.clone() };
        each(Target { tool: &tool, ..target }, &format!("{prefix}{short}"))?;
    }
    Ok(())
}

/// What lists have before the name of a tool that has a prefix which is only known when its server runs.
fn prefixes(snapshot: &Snapshot, target: Target<'_>, new: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if with_unknown_prefix(target).next().is_none() {
        return found;
    }
    let short = target.tool.short_name();
    let keys = target.known_as(snapshot);
    let lists =
        snapshot.files.all().flat_map(|file| snapshot.files.client_facts(file.id)).flat_map(|facts| &facts.lists);
    for (list, key) in
        lists.flat_map(|list| keys.iter().map(move |key| (list, key))).filter(|(list, key)| list.is_about(key))
    {
        let server = list.grammar.server_prefix(key);
        for text in list.entries.iter().flat_map(|entry| entry.text.text.split(['|', ','])) {
            let pattern = list.pattern(text.trim());
            let Some(tool) = pattern.strip_prefix(server.as_str()) else { continue };
            let tool = tool.strip_suffix(list.grammar.tool.suffix.as_str()).unwrap_or(tool);
            let written = tool.find(['*', '?', '(']).unwrap_or(tool.len());
            let before = (1..=written).filter_map(|end| tool.get(..end));
            let fits = |before: &&str| [short, new].iter().any(|name| glob_matches(tool, &format!("{before}{name}")));
            found.extend(before.filter(fits).map(str::to_string));
        }
    }
    found
}

/// Adds the edits that make every list follow one name of a tool.
///
/// # Errors
/// As [`follow`].
fn one_name(
    snapshot: &Snapshot,
    (target, home): (Target<'_>, &Home),
    change: Change<'_>,
    around: &dyn Surroundings,
    plan: &mut Plan,
) -> Result<(), Why> {
    let keys = target.known_as(snapshot);
    let is_started = !target.keys(snapshot).is_empty();
    for file in snapshot.files.all() {
        for facts in snapshot.files.client_facts(file.id) {
            let stays = !around.holds(&file.path);
            let entries = Entries::of(facts);
            for key in &keys {
                if home.work.is_out() {
                    return Err(Why::TooMuch);
                }
                let about = About { file, facts, target, snapshot, home, change, stays };
                let renamed = Renamed::new(about, key, &entries);
                if stays {
                    for (span, reason) in renamed.left_behind()? {
                        plan.skip(file.id, span, reason);
                    }
                    continue;
                }
                renamed.exact(plan)?;
                renamed.hooks(plan)?;
                renamed.guards(plan)?;
            }
            strangers(snapshot, file, facts, target, plan);
            if !is_started {
                for_any_key(snapshot, file, facts, target, change.new)?;
            }
        }
    }
    above(snapshot, (target, home), change, around, plan)
}

/// Holds that the settings in the folders above guard the tool under its new name, too, and tells where they name it: nothing
/// is written there.
///
/// # Errors
/// A guard that would not hold for the new name.
fn above(
    snapshot: &Snapshot,
    (target, home): (Target<'_>, &Home),
    change: Change<'_>,
    around: &dyn Surroundings,
    plan: &mut Plan,
) -> Result<(), Why> {
    let files: Vec<(Above, Arc<File>)> = around
        .above()
        .into_iter()
        .map(|above| (above.clone(), Arc::new(File::beside(&above.path, &above.text))))
        .collect();
    let mut keys: Vec<String> = target.known_as(snapshot).into_iter().cloned().collect();
    for (Above { way, .. }, file) in &files {
        // What starts something in this folder may start this server.
        let servers = file.client_facts().flat_map(|facts| &facts.servers);
        let leads_here = |entry: &&ServerEntry| {
            let mut words = entry.command.iter().flatten().chain(&entry.cwd);
            words.any(|word| word.contains(way.as_str()))
        };
        keys.extend(servers.filter(leads_here).map(|entry| entry.name().to_string()));
    }
    keys.sort_unstable();
    keys.dedup();
    for (Above { path, text, .. }, file) in &files {
        for facts in file.client_facts() {
            let entries = Entries::of(facts);
            for key in &keys {
                let about = About { file, facts, target, snapshot, home, change, stays: true };
                let left = Renamed::new(about, key, &entries).left_behind()?;
                if !left.is_empty() {
                    plan.document(path, text).skipped.extend(left);
                }
            }
        }
    }
    Ok(())
}

/// Tells of entries that name a tool of this name, of a server that nothing here starts: it may be this one.
fn strangers(snapshot: &Snapshot, file: &Arc<File>, facts: &ClientFacts, target: Target<'_>, plan: &mut Plan) {
    let mut known: FxHashMap<*const Grammar, FxHashSet<String>> = FxHashMap::default();
    let mut named = Vec::new();
    let entries = facts.lists.iter().flat_map(|list| list.entries.iter().map(move |entry| (list, entry)));
    for (list, entry) in entries.filter(|(list, _)| list.server.is_none()) {
        let text = entry.text.text.as_str();
        if let Rule::Tool { server, tool } = list.parse(text, Spelt::none())
            && begins_as_mcp(text)
            && tool == list.grammar.normalise(&target.tool.name)
        {
            let known = known.entry(std::ptr::from_ref(list.grammar)).or_insert_with(|| {
                let keys = snapshot.analysis().keys.iter().filter(|(_, known)| !known.servers.is_empty());
                keys.map(|(key, _)| list.grammar.normalise(key)).collect()
            });
            if !known.contains(server) {
                named.push((entry.text.span, server, text));
            }
        }
    }
    if named.is_empty() {
        return;
    }
    let edited = plan.edited(file.id);
    for (span, server, text) in named.into_iter().filter(|(span, _, _)| !edited.overlap(*span)) {
        let left = Left::UnknownServer { server: server.to_string(), entry: text.to_string() };
        plan.skip(file.id, span, left);
    }
}

/// Holds that guards of servers that nothing here starts guard the new name as well, where nobody knows under which key this
/// one is started: it may be any of them.
///
/// # Errors
/// A guard that would not match the new name.
fn for_any_key(
    snapshot: &Snapshot,
    file: &File,
    facts: &ClientFacts,
    target: Target<'_>,
    new: &str,
) -> Result<(), Why> {
    let (old, own) = (target.tool.name.as_str(), target.known_as(snapshot));
    // No pattern is about it by chance.
    const SOME_KEY: &str = "any-server-that-there-is";
    let guards = || facts.lists.iter().filter(|list| matches!(list.kind, ListKind::Deny | ListKind::Ask));
    let entries = || guards().flat_map(|list| list.entries.iter().map(move |entry| (list, entry)));
    let is_known = |list: &List, server: &str| {
        let keys = snapshot.analysis().keys.iter().filter(|(_, known)| !known.servers.is_empty());
        let mut keys = keys.map(|(key, _)| key).chain(own.iter().copied());
        keys.any(|key| list.grammar.normalise(key) == server)
    };
    for (list, entry) in entries().filter(|(list, _)| list.server.is_none()) {
        let text = entry.text.text.as_str();
        let key = match list.parse(text, Spelt::none()) {
            Rule::Tool { server, .. } | Rule::ToolPattern { server, .. } if !server.contains('*') => server,
            Rule::Tool { .. } | Rule::ToolPattern { .. } | Rule::Pattern => SOME_KEY,
            Rule::Server { .. } | Rule::BuiltIn | Rule::Malformed(_) => continue,
        };
        let fits =
            |list: &List, text: &str, name: &str| glob_matches(&list.pattern(text), &list.grammar.composed(key, name));
        let is_about = begins_as_mcp(text) || key == SOME_KEY;
        if !is_about || is_known(list, key) || !fits(list, text, old) {
            continue;
        }
        if !entries().any(|(list, other)| fits(list, &other.text.text, new)) {
            let new = list.grammar.composed(key, new).replace(SOME_KEY, "*");
            let how = Looser::Unstarted { kind: list.kind, new };
            return Err(Why::Loosens(Loosens { path: file.path.to_string(), entry: text.to_string(), how }));
        }
    }
    Ok(())
}

/// The rename as clients' files see it.
#[derive(Clone, Copy)]
pub(super) struct Change<'a> {
    pub(super) new: &'a str,
    /// The old name stays callable, so its entries stay.
    pub(super) keeps_old: bool,
    /// It repairs how the name is spelt: an entry that allows the new name by the same words was written for the tool.
    pub(super) repairs: bool,
}

impl Change<'_> {
    pub(super) fn to(new: &str, keeps_old: bool) -> Change<'_> {
        Change { new, keeps_old, repairs: false }
    }
}

/// One client's file in the light of a rename.
#[derive(Clone, Copy)]
struct About<'a> {
    file: &'a Arc<File>,
    facts: &'a ClientFacts,
    target: Target<'a>,
    snapshot: &'a Snapshot,
    home: &'a Home,
    change: Change<'a>,
    /// The file lies where nothing is written: it says then what it says now.
    stays: bool,
}

/// Whether a list holds no string twice: one that is its strings alone, or an object whose keys they are.
pub(super) fn holds_each_once(list: &List) -> bool {
    list.is_plain() || list.row.is_some_and(|row| row.strings == Strings::Keys)
}

/// What it takes to find the entries that may be about a key, in steps.
const OF_KEY: usize = 50;

/// The same for one key of the server.
struct Renamed<'a> {
    about: About<'a>,
    key: &'a str,
    /// The entries that may be about the tool, in the order of the file.
    entries: Vec<Placed<'a>>,
    names: RefCell<FxHashMap<*const Grammar, Rc<Names>>>,
    /// The first entry of each text, by what it is written in.
    said: OnceCell<FxHashMap<(Span, &'a str), Placed<'a>>>,
    decisive: [OnceCell<Decisive<'a>>; 2],
}

/// What strings of one grammar have for the tool and its server.
struct Names {
    old: String,
    new: String,
    /// The server's key.
    key: Spelt,
}

impl<'a> std::ops::Deref for Renamed<'a> {
    type Target = About<'a>;

    fn deref(&self) -> &About<'a> {
        &self.about
    }
}

/// An entry of a list.
#[derive(Clone, Copy)]
struct Placed<'a> {
    list: &'a List,
    entry: &'a Entry,
}

impl<'a> Renamed<'a> {
    fn new(about: About<'a>, key: &'a str, entries: &Entries<'a>) -> Renamed<'a> {
        let entries = entries.about(key, [&about.target.tool.name, about.change.new]);
        about.home.work.take(OF_KEY + entries.len());
        Renamed {
            about,
            key,
            entries,
            names: RefCell::default(),
            said: OnceCell::new(),
            decisive: [OnceCell::new(), OnceCell::new()],
        }
    }

    /// The tool's names in the strings of a list.
    fn names(&self, list: &List) -> Rc<Names> {
        let mut known = self.names.borrow_mut();
        let names = known.entry(std::ptr::from_ref(list.grammar)).or_insert_with(|| {
            Rc::new(Names {
                old: list.grammar.composed(self.key, &self.target.tool.name),
                new: list.grammar.composed(self.key, self.change.new),
                key: list.grammar.spell_all(std::iter::once(&self.key.to_string())),
            })
        });
        names.clone()
    }

    /// The refusal for what an entry of this file would do after the rename.
    fn loosens(&self, entry: &Entry, how: Looser) -> Why {
        Why::Loosens(Loosens { path: self.file.path.to_string(), entry: entry.text.text.clone(), how })
    }

    fn entries(&self) -> impl Iterator<Item = Placed<'a>> + use<'a, '_> {
        self.entries.iter().copied()
    }

    /// The entries of lists that permit, forbid or ask.
    fn permissions(&self) -> impl Iterator<Item = Placed<'a>> + use<'a, '_> {
        self.entries().filter(|placed| placed.list.kind != ListKind::Hook)
    }

    /// Whether a list calls another server's tool by the name that this one has, or may.
    fn is_shared(&self, list: &List) -> bool {
        let name = &self.target.tool.name;
        let is_it = |key: &String| {
            self.home.work.take(1) && list.is_about(key) && list.grammar.composed(key, name) == self.names(list).old
        };
        list.is_of_any_server() || self.home.rival_keys().any(is_it)
    }

    /// Whether what is said of the old name stays beside what is said of the new one.
    fn keeps(&self, list: &List) -> bool {
        self.change.keeps_old || self.is_shared(list)
    }

    /// Whether a list of this file may as well mean another server's tool.
    fn is_disputed(&self, list: &List) -> bool {
        self.is_shared(list) && self.home.is_disputed(self.snapshot, &self.file.path)
    }

    /// What is written where a list is, whatever it does: the entry for a name.
    fn said(&self, list: &List, name: &str) -> Option<Placed<'a>> {
        let said = self.said.get_or_init(|| {
            let mut said = FxHashMap::default();
            for placed in self.entries() {
                said.entry((placed.list.span, placed.entry.text.text.as_str())).or_insert(placed);
            }
            said
        });
        said.get(&(list.span, name)).copied()
    }

    /// Whether the new name is written where an entry names the old one: beside it, or in its place. Where a list has an entry for
    /// the new one already, that counts.
    fn carries(&self, list: &List, new: &str) -> bool {
        !holds_each_once(list) || self.said(list, new).is_none()
    }

    /// Whether an entry guards nothing under the new name that a wildcard of its list does not guard, and stands where a rename
    /// puts an entry for the sake of a wildcard: right behind it, or where entries of this file count first. Then it goes, so
    /// that renaming a tool and back leaves the list as it was.
    fn is_needless(&self, Placed { list, entry }: Placed<'a>) -> bool {
        let is_guard = matches!(list.kind, ListKind::Deny | ListKind::Ask | ListKind::Watch);
        if !is_guard || entry.has_conditions || self.keeps(list) || list.taken_out(entry).is_empty() {
            return false;
        }
        let beside = || self.entries().filter(|placed| placed.list.span == list.span && placed.list.rank == list.rank);
        let own = || beside().filter(|placed| placed.list.kind == list.kind);
        let covers = |placed: &Placed<'a>| {
            placed.list.kind == list.kind
                && !placed.entry.has_conditions
                && self.is_pattern(*placed)
                && self.fits(*placed, When::After)
                && !self.fits(*placed, When::Before)
        };
        let at = entry.whole.start;
        let last_before = list.entries.iter().rev().find(|other| other.whole.start < at);
        let is_last_before = |placed: &Placed<'a>| last_before.is_some_and(|other| std::ptr::eq(other, placed.entry));
        if own().filter(is_last_before).any(|placed| covers(&placed)) {
            return true;
        }
        let others = || beside().filter(|placed| placed.entry.whole != entry.whole);
        let counts = || others().filter(|placed| self.fits(*placed, When::After));
        let place = |placed: &Placed<'a>| placed.entry.whole;
        match self.facts.order {
            Order::First if others().all(|other| other.entry.whole.start > at) => counts().min_by_key(place),
            Order::Last if others().all(|other| other.entry.whole.start < at) => counts().max_by_key(place),
            _ => None,
        }
        .is_some_and(|placed| covers(&placed))
    }

    /// Entries that name the tool name it as it is called now, or both names: each where it stands, so that it counts for
    /// the one as it does for the other.
    ///
    /// # Errors
    /// A guard beside which the new name cannot be written.
    fn exact(&self, plan: &mut Plan) -> Result<(), Why> {
        let mut gone: Vec<Placed<'a>> = Vec::new();
        for placed in self.entries() {
            let Placed { list, entry } = placed;
            let names = self.names(list);
            let (mut old, mut new) = (names.old.clone(), names.new.clone());
            // Parentheses that restrict it go with it.
            let rest =
                entry.text.text.strip_prefix(&old).filter(|rest| list.grammar.arguments && rest.starts_with('('));
            if let Some(rest) = rest {
                old.push_str(rest);
                new.push_str(rest);
            }
            if entry.text.text != old {
                continue;
            }
            if list.kind == ListKind::Mention && self.is_disputed(list) {
                plan.skip(self.file.id, entry.text.span, Left::OtherServer);
                continue;
            }
            let keeps_old = self.keeps(list);
            let is_keyed = list.row.is_some_and(|row| row.strings == Strings::Keys);
            let edit = match list.kind {
                ListKind::Hook if keeps_old => {
                    Some(Edit::new(Span::at(entry.text.span.end as usize), format!("|{new}")))
                }
                _ if !self.carries(list, &new) => {
                    if self.goes(placed, &new)? {
                        gone.push(placed);
                    }
                    None
                }
                _ if rest.is_none() && self.is_needless(placed) => {
                    gone.push(placed);
                    None
                }
                // What is said of a tool under its name is said of both.
                ListKind::Mention if keeps_old && is_keyed => list.copied(entry, &new),
                _ if rest.is_some() && !keeps_old => Some(Edit::new(entry.text.span, list.spelt(entry, &new))),
                ListKind::Mention => Some(self.tool_part(list, entry.text.span, entry)),
                _ if !keeps_old => Some(self.tool_part(list, entry.text.span, entry)),
                kind => match list.copied(entry, &new) {
                    Some(edit) => Some(edit),
                    None if matches!(kind, ListKind::Deny | ListKind::Ask | ListKind::Watch) => {
                        return Err(self.loosens(entry, Looser::NoPlace { kind, new }));
                    }
                    None => {
                        plan.skip(self.file.id, entry.text.span, Left::ByHand(new));
                        None
                    }
                },
            };
            if let Some(edit) = edit {
                // Who calls it speaks of it, as a test does that nobody has read yet.
                let group = if list.kind == ListKind::Mention { Group::Docs } else { Group::Permissions };
                plan.push(group, self.file.id, edit);
            }
        }
        for Placed { list, entry } in &gone {
            let beside = gone.iter().filter(|other| other.list.span == list.span && other.entry.whole != entry.whole);
            let removal = list.taken_out_among(entry, &beside.map(|other| other.entry).collect::<Vec<_>>());
            if removal.is_empty() {
                plan.skip(self.file.id, entry.text.span, Left::Present(self.names(list).new.clone()));
            }
            for span in removal {
                plan.push(Group::Permissions, self.file.id, Edit::new(span, ""));
            }
        }
        Ok(())
    }

    /// Whether an entry for the old name goes, in a list that has one for the new name already.
    ///
    /// # Errors
    /// The two say different things: which of them counts, nobody but their author knows.
    fn goes(&self, placed: Placed<'a>, new: &str) -> Result<bool, Why> {
        let Placed { list, entry } = placed;
        let said = self.said(list, new).filter(|said| said.list.kind != list.kind);
        if let Some(said) = said {
            let how = Looser::Contradicts { kind: list.kind, new: new.to_string(), said: said.list.kind };
            return Err(self.loosens(entry, how));
        }
        Ok(!self.keeps(list))
    }

    /// The edit that changes only the tool's part of a string.
    fn tool_part(&self, list: &List, span: Span, entry: &Entry) -> Edit {
        let Names { old, new, .. } = &*self.names(list);
        let prefix = list.grammar.server_prefix(self.key);
        let suffix = &*list.grammar.tool.suffix;
        let spelt = list.spelt(entry, new);
        match new.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(suffix)) {
            Some(tool) if entry.text.verbatim && old.starts_with(&prefix) && spelt == *new => {
                Edit::new(span.slice(prefix.len(), old.len() - suffix.len()), tool)
            }
            _ => Edit::new(span, spelt),
        }
    }

    /// Matchers of hooks: of several names the one changes; a regular expression that fitted the old name and does not
    /// fit the new one gets it as one more.
    ///
    /// # Errors
    /// A hook that would run for the new name and does not run for the old one, since it may allow what it runs for; and an
    /// expression that cannot be read.
    fn hooks(&self, plan: &mut Plan) -> Result<(), Why> {
        for placed in self.entries().filter(|placed| placed.list.kind == ListKind::Hook) {
            let Placed { list, entry } = placed;
            let Names { old, new, .. } = &*self.names(list);
            let text = entry.text.text.as_str();
            if text == old || matches!(text, "" | "*") {
                continue;
            }
            let span = entry.text.span;
            if !self.keeps(list) && self.returns(placed, plan) {
                continue;
            }
            let is_exact = list.is_exact(text, None);
            let is_plain = is_exact || !text.contains(|c: char| "()[]{}^$*+?.\\".contains(c));
            match self.in_names(text, old, new).filter(|_| is_plain) {
                Some(edits) if entry.text.verbatim => {
                    for Edit { span: piece, new_text } in edits {
                        let edit = Edit::new(piece.shifted(span.start), new_text);
                        plan.push(Group::Permissions, self.file.id, edit);
                    }
                    continue;
                }
                Some(edits) => {
                    let changed = apply_edits(text, &edits).unwrap_or_default();
                    plan.push(Group::Permissions, self.file.id, Edit::new(span, changed));
                    continue;
                }
                None if is_exact && self.fits(Placed { list, entry }, When::After) => {
                    return Err(self.loosens(entry, Looser::Runs { new: new.clone() }));
                }
                None if is_exact => continue,
                None => {}
            }
            if !self.home.work.take(OF_EXPRESSION) {
                return Err(Why::TooMuch);
            }
            let pattern = list.expression(text);
            let fits = |name: &str| pattern.as_ref().and_then(|pattern| pattern.is_match(name));
            match (fits(old), fits(new)) {
                (Some(true), Some(false)) => {
                    let edit = Edit::new(Span::at(span.end as usize), added(new));
                    plan.push(Group::Permissions, self.file.id, edit);
                    plan.skip(self.file.id, span, Left::Added(text.to_string()));
                }
                (Some(false), Some(true)) => return Err(self.loosens(entry, Looser::Runs { new: new.clone() })),
                (Some(_), Some(_)) => {}
                // What is about other tools has no word of these.
                _ if self.may_name(text) => return Err(self.loosens(entry, Looser::Unread)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes out of an expression what a rename had added for the old name, where it fits the new one without it; otherwise the
    /// new name comes in its place. `false` where nothing was added.
    fn returns(&self, Placed { list, entry }: Placed<'_>, plan: &mut Plan) -> bool {
        let Names { old, new, .. } = &*self.names(list);
        let (added, end) = (added(old), entry.text.span.end);
        let Some(rest) = entry.text.text.strip_suffix(&added) else { return false };
        // Names need no escapes, whatever the rest has.
        let place = Span { start: end - added.len() as u32, end };
        if list.source().get(place.range()) != Some(&added) {
            return false;
        }
        let fits = |name: &str| list.expression(rest).and_then(|pattern| pattern.is_match(name));
        if !self.home.work.take(OF_EXPRESSION) || fits(old) != Some(false) {
            return false;
        }
        let with = match fits(new) {
            Some(true) => String::new(),
            Some(false) => self::added(new),
            None => return false,
        };
        plan.push(Group::Permissions, self.file.id, Edit::new(place, with));
        true
    }

    /// The edits that put the new name where a list of names has the old one, or beside it; `None` where it has not.
    fn in_names(&self, text: &str, old: &str, new: &str) -> Option<Vec<Edit>> {
        let is_said = text.split(['|', ',']).any(|piece| piece.trim() == new);
        let (mut at, mut is_named, mut edits) = (0, false, Vec::new());
        for piece in text.split_inclusive(['|', ',']) {
            let name = piece.trim_end_matches(['|', ',']).trim();
            let (before, start) = (at, at + (piece.len() - piece.trim_start().len()));
            at += piece.len();
            if name != old {
                continue;
            }
            is_named = true;
            let span = Span::new(start, start + name.len());
            match (self.change.keeps_old, is_said) {
                (true, true) => {}
                (true, false) => edits.push(Edit::new(Span::at(span.end as usize), format!("|{new}"))),
                (false, true) if before > 0 => edits.push(Edit::new(Span::new(before - 1, span.end as usize), "")),
                (false, true) => edits.push(Edit::new(Span::new(start, at), "")),
                (false, false) => edits.push(Edit::new(span, new)),
            }
        }
        is_named.then_some(edits)
    }

    /// Whether a text that cannot be read has a word of the tool's, or of how clients call tools.
    fn may_name(&self, text: &str) -> bool {
        let names = [self.target.tool.name.as_str(), self.change.new, self.key, "mcp"];
        let words = names.iter().flat_map(|name| Name::new(name).lower_words());
        let text = text.to_lowercase();
        words.filter(|word| word.len() > 2).any(|word| text.contains(word.as_str()))
    }

    /// What ran at the tool by a pattern runs at it under its new name, beside that.
    ///
    /// # Errors
    /// Where the new name cannot be written beside it.
    fn watched(&self, placed: Placed<'_>, plan: &mut Plan) -> Result<(), Why> {
        let Placed { list, entry } = placed;
        let new = &self.names(list).new;
        let no_hook = || self.loosens(entry, Looser::NoHook { new: new.clone() });
        let edit = list.copied(entry, new).ok_or_else(no_hook)?;
        plan.push(Group::Permissions, self.file.id, edit);
        Ok(())
    }

    /// Wildcards are asked again, and where they guarded the tool the new name is written where it counts: for everybody
    /// that the file speaks of.
    ///
    /// # Errors
    /// Where the new name would be guarded less all the same.
    fn guards(&self, plan: &mut Plan) -> Result<(), Why> {
        for placed in self.permissions().filter(|placed| self.is_pattern(*placed)) {
            let Placed { list, entry } = placed;
            let is_guard = matches!(list.kind, ListKind::Deny | ListKind::Ask);
            let (before, after) = (self.fits(placed, When::Before), self.fits(placed, When::After));
            if before && !after {
                if is_guard && entry.has_conditions && self.facts.order == Order::First {
                    return Err(self.loosens(entry, Looser::SomeCalls { kind: list.kind }));
                }
                if list.kind == ListKind::Watch {
                    self.watched(placed, plan)?;
                }
                plan.skip(self.file.id, entry.text.span, Left::Unmatched(entry.text.text.clone()));
            }
            if is_guard && !before && after {
                plan.skip(self.file.id, entry.text.span, Left::Matches(entry.text.text.clone()));
            }
        }
        // What a list offers for the old name or does not, it offers for the new one or does not.
        let offers = |placed: &Placed<'a>| placed.list.kind == ListKind::Offer;
        let is_list = |placed: &Placed<'a>| std::ptr::from_ref(placed.list);
        let offered = self.entries().filter(offers).filter(|placed| self.fits(*placed, When::Before));
        let offered: FxHashSet<*const List> = offered.map(|placed| is_list(&placed)).collect();
        let comes = |placed: &Placed<'a>| {
            let Names { old, new, .. } = &*self.names(placed.list);
            let is_named = placed.entry.text.text == *new && !self.is_meant(old, new);
            !offered.contains(&is_list(placed))
                && (is_named || self.is_pattern(*placed))
                && self.fits(*placed, When::After)
        };
        if let Some(Placed { entry, .. }) = self.entries().filter(offers).find(comes) {
            return Err(self.loosens(entry, Looser::Offers));
        }
        let mut written: Vec<Guard<'a>> = Vec::new();
        for part in self.parts() {
            if !self.home.work.take(1 + written.len()) {
                return Err(Why::TooMuch);
            }
            let (before, deciding) = self.decision(part, When::Before, &[]);
            let (after, allowing) = self.decision(part, When::After, &written);
            if after >= before {
                continue;
            }
            if let (Decision::Allowed, Some(allowing)) = (after, allowing)
                && before <= Decision::Unsaid
            {
                return Err(self.loosens(allowing.entry, Looser::Allows));
            }
            let Some(deciding) = deciding else { continue };
            // What is written first would come before what guards some calls more.
            let is_stricter = |placed: &Placed<'a>| {
                let kind = match placed.list.kind {
                    ListKind::Deny => Decision::Denied,
                    ListKind::Ask => Decision::Asked,
                    _ => return false,
                };
                placed.entry.has_conditions && kind > before && self.fits(*placed, When::After)
            };
            if self.facts.order == Order::First
                && let Some(some) = self.entries().find(is_stricter)
            {
                return Err(self.loosens(some.entry, Looser::Precedes { kind: some.list.kind }));
            }
            let guard = self.guard(deciding);
            let holds = guard.is_some() && {
                written.push(Guard { list: deciding.list, decision: before, entry: deciding.entry });
                self.decision(part, When::After, &written).0 >= before
            };
            let Some(edit) = guard.filter(|_| holds) else {
                let new = self.names(deciding.list).new.clone();
                let how = Looser::Unguarded { kind: deciding.list.kind, new };
                return Err(self.loosens(deciding.entry, how));
            };
            plan.push(Group::Permissions, self.file.id, edit);
        }
        Ok(())
    }

    /// Holds that a file in which nothing is written guards the tool under its new name as well; where it names it, and why that
    /// stays.
    ///
    /// # Errors
    /// A guard that would not hold for the new name.
    fn left_behind(&self) -> Result<Vec<(Span, Left)>, Why> {
        for part in self.parts() {
            let (before, deciding) = self.decision(part, When::Before, &[]);
            let (after, allowing) = self.decision(part, When::After, &[]);
            if after >= before {
                continue;
            }
            return Err(match (deciding, allowing) {
                (Some(Placed { list, entry }), _) => {
                    self.loosens(entry, Looser::Outside { kind: list.kind, new: self.names(list).new.clone() })
                }
                (None, Some(Placed { entry, .. })) => self.loosens(entry, Looser::Allows),
                // Less than what no entry decides is what some entry allows.
                (None, None) => continue,
            });
        }
        let named =
            self.entries().filter(|placed| self.fits(*placed, When::Before) && !self.fits(*placed, When::After));
        Ok(named.map(|placed| (placed.entry.text.span, Left::Outside)).collect())
    }

    /// What writes the new name where it counts as an entry does that decides about the old one.
    fn guard(&self, deciding: Placed<'_>) -> Option<Edit> {
        let Placed { list, entry } = deciding;
        let Names { old, new, .. } = &*self.names(list);
        let is_keyed = list.row.is_some_and(|row| row.strings == Strings::Keys);
        // A key can be there once.
        if !self.carries(list, new) || is_keyed && self.said(list, old).is_some() {
            return None;
        }
        // Beside the wildcard, where the place does not count, or nothing else can be written: what is read again afterwards tells
        // whether it counts there.
        let is_brackets = [".json", ".jsonc"].iter().any(|end| self.file.path.ends_with(end));
        let is_anywhere = matches!(self.facts.order, Order::Deny | Order::Priority);
        if is_anywhere || !is_brackets || list.row.is_some_and(|row| row.always) {
            return list.copied(entry, new);
        }
        let (key, value) = list.entry_for(new)?;
        let insertion = Insertion::Entry(entry::Entry {
            file: self.file.id,
            object: list.span,
            place: if self.facts.order == Order::First { EntryPlace::First } else { EntryPlace::Last },
            key,
            value,
            syntax: Syntax::Json,
        });
        insertion.edit(list.source())
    }
}

/// What is added to an expression so that it matches a name, too.
pub(super) fn added(name: &str) -> String {
    format!("|^{name}$")
}

/// An entry that is written for the new name, like another one: first or last in its list.
struct Guard<'a> {
    list: &'a List,
    decision: Decision,
    entry: &'a Entry,
}
