//! Permission lists in a rename: no tool is guarded less under its new name than under its old one.

mod decision;
mod entries;
mod exact;
mod foreign;
mod guards;
mod matchers;
mod proof;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use self::decision::{Decisive, When};
use self::entries::Entries;
pub(super) use self::exact::holds_each_once;
pub(super) use self::matchers::added;

use super::home::Home;
use super::refusal::{Loosens, Looser, Why};
use super::trial::with_unknown_prefix;
use super::{Plan, Target, short_name_in};
use crate::client::{ClientFacts, Entry, Grammar, List, ListKind, ServerEntry, Spelt, glob_matches};
use crate::diagnostic::Edits;
use crate::text::Span;
use crate::workspace::{Above, File, Snapshot, Surroundings, Tool};

/// Adds the edits after which each list decides about the new name as it did about the old one.
///
/// # Errors
/// A list that would guard the tool less, if no edit prevents that.
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

/// Checks that the edited files, read again, guard the tool as before.
///
/// # Errors
/// A file that guards the tool less.
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

/// Calls `each` with a tool and its new name, and again for each prefix that only the running server knows. Such
/// prefixes are inferred from the entries.
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

/// Returns the prefixes that entries put before the tool's name; empty unless the tool has a prefix that only the
/// running server knows.
fn prefixes(snapshot: &Snapshot, target: Target<'_>, new: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if with_unknown_prefix(target).next().is_none() {
        return found;
    }
    let short = target.tool.short_name();
    let keys = target.known_as(snapshot);
    let lists = snapshot.files.all().flat_map(|file| snapshot.client_facts(file.id)).flat_map(|facts| &facts.lists);
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

/// Does the work of [`follow`] for one name of a tool.
///
/// # Errors
/// See [`follow`].
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
        for facts in snapshot.client_facts(file.id) {
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
            foreign::report(snapshot, file, facts, target, plan);
            if !is_started {
                foreign::hold(snapshot, file, facts, target, change.new)?;
            }
        }
    }
    above(snapshot, (target, home), change, around, plan)
}

/// Checks that the settings in the folders above guard the tool under its new name as well, and reports the entries
/// that name the tool. These settings are not edited.
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
        .map(|above| (above.clone(), Arc::new(File::beside(snapshot.files.rows(), &above.path, &above.text))))
        .collect();
    let mut keys: Vec<String> = target.known_as(snapshot).into_iter().cloned().collect();
    for (Above { way, .. }, file) in &files {
        // An entry whose command or directory leads to this folder may start this server.
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

/// A rename, as far as client files are concerned.
#[derive(Clone, Copy)]
pub(super) struct Change<'a> {
    pub(super) new: &'a str,
    /// Whether the old name stays callable, so that its entries stay.
    pub(super) keeps_old: bool,
    /// Whether the rename repairs the spelling. If so, an entry that allows the same words was meant for the tool.
    pub(super) repairs: bool,
}

impl Change<'_> {
    pub(super) fn to(new: &str, keeps_old: bool) -> Change<'_> {
        Change { new, keeps_old, repairs: false }
    }
}

/// One client file in a rename.
#[derive(Clone, Copy)]
struct About<'a> {
    file: &'a Arc<File>,
    facts: &'a ClientFacts,
    target: Target<'a>,
    snapshot: &'a Snapshot,
    home: &'a Home,
    change: Change<'a>,
    /// Whether the file is left unedited.
    stays: bool,
}

/// The cost of finding the entries that may be about a key, in steps.
const OF_KEY: usize = 50;

/// One client file in a rename, for one key of the server.
struct Renamed<'a> {
    about: About<'a>,
    key: &'a str,
    /// The entries that may be about the tool, in the order of the file.
    entries: Vec<Placed<'a>>,
    names: RefCell<FxHashMap<*const Grammar, Rc<Names>>>,
    /// The first entry with each text, by the span of its list and the text.
    said: OnceCell<FxHashMap<(Span, &'a str), Placed<'a>>>,
    decisive: [OnceCell<Decisive<'a>>; 2],
}

/// The tool's names and its server's key, as one grammar spells them.
struct Names {
    old: String,
    new: String,
    /// The other forms of the two names, which the grammar accepts.
    also: [Option<String>; 2],
    /// The server's key.
    key: Spelt,
}

impl<'a> std::ops::Deref for Renamed<'a> {
    type Target = About<'a>;

    fn deref(&self) -> &About<'a> {
        &self.about
    }
}

/// An entry, with its list.
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

    /// Returns the tool's names as the strings of a list spell them.
    fn names(&self, list: &List) -> Rc<Names> {
        let mut known = self.names.borrow_mut();
        let names = known.entry(Arc::as_ptr(&list.grammar)).or_insert_with(|| {
            Rc::new(Names {
                old: list.grammar.composed(self.key, &self.target.tool.name),
                new: list.grammar.composed(self.key, self.change.new),
                also: [&self.target.tool.name, self.change.new].map(|name| list.grammar.also_composed(self.key, name)),
                key: list.grammar.spell_all(std::iter::once(&self.key.to_string())),
            })
        });
        names.clone()
    }

    /// Returns the refusal that an entry of this file causes.
    fn loosens(&self, entry: &Entry, how: Looser) -> Why {
        Why::Loosens(Loosens { path: self.file.path.to_string(), entry: entry.text.text.clone(), how })
    }

    fn entries(&self) -> impl Iterator<Item = Placed<'a>> + use<'a, '_> {
        self.entries.iter().copied()
    }

    /// Returns the entries of all lists except the matchers of hooks.
    fn permissions(&self) -> impl Iterator<Item = Placed<'a>> + use<'a, '_> {
        self.entries().filter(|placed| placed.list.kind != ListKind::Hook)
    }

    /// Whether the old name, as a list spells it, names or may name a tool of another server as well.
    fn is_shared(&self, list: &List) -> bool {
        let name = &self.target.tool.name;
        let is_it = |key: &String| {
            self.home.work.take(1) && list.is_about(key) && list.grammar.composed(key, name) == self.names(list).old
        };
        list.is_of_any_server() || self.home.rival_keys().any(is_it)
    }

    /// Whether entries for the old name stay in a list.
    fn keeps(&self, list: &List) -> bool {
        self.change.keeps_old || self.is_shared(list)
    }

    /// Whether a list of this file may be about another server's tool instead.
    fn is_disputed(&self, list: &List) -> bool {
        self.is_shared(list) && self.home.is_disputed(self.snapshot, &self.file.path)
    }

    /// Returns the first entry for a name in the lists at the span of `list`, whatever their kind.
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
}
