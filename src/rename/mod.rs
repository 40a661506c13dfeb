//! Renaming a tool, by trial.
//!
//! No expression is inverted. An edit is proposed (first the most local literal, then a name written next to an
//! identifier) and applied to a copy of the snapshot, which is evaluated again. The edit is accepted only if the tools
//! changed by exactly old → new. Then everything else that names the tool is edited.

mod alias;
mod back;
mod counts;
mod decisions;
mod dispatch;
mod function;
mod guards;
mod hoist;
mod home;
mod hooks;
mod lock;
mod method;
mod obstacles;
mod permissions;
mod prose;
mod refusal;
pub mod removal;
mod served;
mod shared;
mod tables;
mod together;
mod trial;
mod unnamed;
mod work;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use self::back::back;
pub(crate) use self::function::named_after;
pub(crate) use self::prose::spoken_of;
use self::refusal::{At, BadName, Why};
pub use self::refusal::{Left, Refusal};
pub(crate) use self::refusal::{NoAlias, Outdated, Undone};
pub use self::removal::alias_of;
pub(crate) use self::shared::shared;
pub(crate) use self::together::together;
use self::trial::trial;
use rustc_hash::FxHashSet;

use crate::client::{self, Clients};
use crate::convention::{MAX_LENGTH, is_protocol_char};
use crate::diagnostic::{Edits, RenameRequest};
use crate::evaluate::{Origin, Part};
pub use crate::framework::AliasMode;
use crate::path::{is_installed, is_test};
use crate::places::Places;
use crate::syntax::{self, Language};
use crate::text::{Edit, FileId, Span, indent, line_break};
use crate::workspace::{Content, File, OldName, Server, Snapshot, Surroundings, Tool, text_hash};

/// A function that returns the current text of a file, or `None` if it cannot be read.
pub(crate) type Texts<'a> = &'a dyn Fn(FileId) -> Option<String>;

/// Returns the snapshot's file at a path if it was parsed and its text is still `text`. No positions are known in files
/// that were not parsed.
fn read_file<'s>(snapshot: &'s Snapshot, path: &str, text: &str) -> Option<&'s Arc<File>> {
    let is_read = |file: &&Arc<File>| !matches!(file.content, Content::Unparsed | Content::Reserve);
    snapshot.files.by_path(path).filter(is_read).filter(|file| file.hash == text_hash(text))
}

/// Whether the text at a place is not part of a longer name.
fn stands_alone(text: &str, span: Span) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    !text[..span.start as usize].ends_with(is_part) && !text[span.end as usize..].starts_with(is_part)
}

/// The texts in which a rename looks for references to a tool.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    pub texts: Texts<'a>,
    pub around: &'a dyn Surroundings,
}

/// How the old name is kept as an alias.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alias {
    pub mode: AliasMode,
    /// Whether only this mode will do; otherwise the other mode is the fallback.
    pub is_exact: bool,
    /// The day or version at which the alias expires, as it will be written.
    pub until: Option<String>,
    /// Whether to rename the tool without an alias if none can be written.
    pub can_go: bool,
}

impl Alias {
    /// Returns the alias that the config asks for; `None` if the config keeps no old names.
    pub fn configured(snapshot: &Snapshot, target: Target<'_>) -> Option<Alias> {
        let setting = snapshot.files.configs().policy(snapshot.files.path(target.tool.local_place().file)).alias;
        let mode = setting.mode.unwrap_or(Some(AliasMode::Listed))?;
        Some(Alias { mode, is_exact: setting.mode.is_some(), until: setting.until, can_go: false })
    }
}

/// The new name of a tool, with the options of the rename.
#[derive(Debug, Clone, Copy)]
pub struct To<'a> {
    /// The wire name.
    pub name: &'a str,
    /// How the old name is kept; `None` if it is not.
    pub alias: Option<&'a Alias>,
    /// Whether to rename the Python function that the tool is named after, instead of writing a name next to it.
    pub function_too: bool,
    /// Whether to leave places that may forbid the tool and that no edit can update, instead of refusing the rename.
    pub force: bool,
    /// Whether a finding asks for the rename because the name is misspelt: an entry that allows the correct spelling
    /// was then written for this tool.
    pub repairs: bool,
}

impl<'a> To<'a> {
    pub fn new(name: &'a str, alias: Option<&'a Alias>) -> To<'a> {
        To { name, alias, function_too: false, force: false, repairs: false }
    }
}

/// The edits of a rename, and the places that it leaves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The mode of the alias that keeps the old name; `None` if there is no alias.
    pub alias: Option<AliasMode>,
    /// Why the old name is not kept as an alias, though that was asked for.
    pub lost: Option<NoAlias>,
    /// Why the alias does not have the requested mode; `None` if it has, or if the framework supports no other mode.
    pub fallback: Option<NoAlias>,
    pub changes: BTreeMap<Group, Edits>,
    /// The edits and skipped places in files that are not in the snapshot, by path.
    pub documents: BTreeMap<String, Document>,
    /// Places that name the tool and stay as they are, with the reason.
    pub skipped: Vec<Skipped>,
    /// Lists that code searches for a name, each with its file: the edit that replaces the old name, and the
    /// alternative edit that keeps it and adds the new one.
    searched: Vec<(Whose, Edit, Edit)>,
}

/// The file that an edit belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Whose {
    File(FileId),
    /// The path of a file that is not in the snapshot.
    Document(String),
}

/// The purpose of an edit. Users review the edits of some groups before they apply them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// The name at its registration, and the cases and keys by which the server finds the handler.
    Source,
    /// The code that keeps the old name callable.
    Alias,
    /// Entries and patterns that permit, forbid or hook the tool.
    Permissions,
    /// Mentions in documents, descriptions and comments.
    Docs,
}

impl Group {
    pub const ALL: [Group; 4] = [Group::Source, Group::Alias, Group::Permissions, Group::Docs];

    /// Returns the group's identifier in protocols.
    pub fn id(self) -> &'static str {
        match self {
            Group::Source => "source",
            Group::Alias => "alias",
            Group::Permissions => "permissions",
            Group::Docs => "docs",
        }
    }
}

/// A file of the workspace that is not part of the snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// The text of the file as it was read.
    pub text: String,
    pub edits: Vec<Edit>,
    pub skipped: Vec<(Span, Left)>,
}

impl Plan {
    /// Creates a plan that only edits source files of the snapshot.
    pub fn of(edits: Edits) -> Plan {
        Plan { changes: BTreeMap::from([(Group::Source, edits)]), ..Plan::default() }
    }

    /// Returns every edit of files in the snapshot, sorted and without duplicates.
    pub fn edits(&self) -> Edits {
        let mut all = Edits::new();
        for (file, edits) in self.changes.values().flatten() {
            all.entry(*file).or_default().extend(edits.iter().cloned());
        }
        for edits in all.values_mut() {
            edits.sort();
            edits.dedup();
        }
        all
    }

    fn push(&mut self, group: Group, file: FileId, edit: Edit) {
        self.changes.entry(group).or_default().entry(file).or_default().push(edit);
    }

    /// Drops the edits of files outside the workspace and reports them as skipped.
    fn stay_inside(&mut self, snapshot: &Snapshot, around: &dyn Surroundings) {
        let is_outside = |path: &str| !around.holds(path);
        let mut left = Vec::new();
        for edits in self.changes.values_mut() {
            let (outside, inside) =
                std::mem::take(edits).into_iter().partition(|(file, _)| is_outside(snapshot.files.path(*file)));
            *edits = inside;
            left.extend::<Edits>(outside);
        }
        for (file, edits) in left {
            let first = edits.iter().map(|edit| edit.span).min().unwrap_or(Span::at(0));
            self.skip(file, first, Left::Outside);
        }
        for (_, document) in self.documents.iter_mut().filter(|(path, _)| is_outside(path)) {
            let left = document.edits.drain(..).map(|edit| (edit.span, Left::Outside));
            document.skipped.extend(left);
        }
    }

    /// Adds the edits that keep the columns of Markdown tables aligned.
    fn lay_out(&mut self, snapshot: &Snapshot, texts: Texts<'_>) {
        for (file, edits) in self.edits() {
            let path = snapshot.files.path(file);
            let Some(text) = syntax::is_markdown(path).then(|| texts(file)).flatten() else { continue };
            tables::padding(&text, &edits).into_iter().for_each(|edit| self.push(Group::Docs, file, edit));
        }
        for (_, document) in self.documents.iter_mut().filter(|(path, _)| syntax::is_markdown(path)) {
            let more = tables::padding(&document.text, &document.edits);
            document.edits.extend(more);
        }
    }

    /// Keeps one reason for each skipped place: the most important one.
    fn say_once(&mut self) {
        self.skipped.sort_by(|a, b| (a.file, a.span.start, &a.reason).cmp(&(b.file, b.span.start, &b.reason)));
        self.skipped.dedup_by_key(|left| (left.file, left.span.start));
        for document in self.documents.values_mut() {
            document.skipped.sort_by(|(a, why), (b, other)| (a.start, why).cmp(&(b.start, other)));
            document.skipped.dedup_by_key(|(span, _)| span.start);
        }
    }

    /// Returns the entry of a file that is not in the snapshot; creates it with `text` if there is none.
    fn document(&mut self, path: &str, text: &str) -> &mut Document {
        let empty = || Document { text: text.to_string(), ..Document::default() };
        self.documents.entry(path.to_string()).or_insert_with(empty)
    }

    fn skip(&mut self, file: FileId, span: Span, reason: Left) {
        self.skipped.push(Skipped { file, span, reason });
    }

    /// Returns the first skipped place outside tests that may forbid the tool.
    fn guard(&self, snapshot: &Snapshot) -> Option<At> {
        let own = self.skipped.iter().filter(|left| left.reason.may_guard());
        let own = own.map(|left| obstacles::at(snapshot, left.file, left.span));
        let documents = self.documents.iter().flat_map(|(path, document)| {
            let guards = document.skipped.iter().filter(|(_, left)| left.may_guard());
            guards.map(|(span, _)| {
                let line = document.text[..span.start as usize].matches('\n').count() as u32 + 1;
                At { path: path.clone(), line }
            })
        });
        let mut all: Vec<At> = own.chain(documents).filter(|at| !is_test(&at.path)).collect();
        all.sort();
        all.into_iter().next()
    }

    /// Returns the places that the plan edits in a file.
    fn edited(&self, file: FileId) -> Places {
        let edits = self.changes.values().filter_map(|edits| edits.get(&file)).flatten();
        edits.map(|edit| edit.span).collect()
    }

    /// Returns the places that the plan edits in `file`, or in the document at `path` if `file` is `None`.
    fn edited_in(&self, file: Option<&Arc<File>>, path: &str) -> Places {
        match file {
            Some(file) => self.edited(file.id),
            None => {
                let edits = self.documents.get(path).into_iter().flat_map(|known| &known.edits);
                edits.map(|edit| edit.span).collect()
            }
        }
    }

    /// Returns the places that the plan skips in a file; none if `file` is `None`.
    fn told_in(&self, file: Option<&Arc<File>>) -> Places {
        let told = self.skipped.iter().filter(|left| file.is_some_and(|file| file.id == left.file));
        told.map(|left| left.span).collect()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    pub file: FileId,
    pub span: Span,
    pub reason: Left,
}

/// A tool of a snapshot, with its server.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    pub server: &'a Server,
    pub tool: &'a Tool,
}

impl<'a> Target<'a> {
    /// Returns the servers that have this tool, its own first. A function that several servers call registers the tool
    /// with each of them.
    pub fn servers(self, snapshot: &'a Snapshot) -> Vec<&'a Server> {
        let born = self.tool.born();
        let all = snapshot.analysis().servers.iter().filter(|server| !std::ptr::eq(*server, self.server));
        let kin = |server: &&Server| server.tools.iter().any(|tool| tool.name == self.tool.name && tool.born() == born);
        std::iter::once(self.server).chain(all.filter(kin)).collect()
    }

    /// Returns the cases and keys by which its servers find the handler for its name, or for the part of it that source
    /// writes.
    pub fn cases(self, snapshot: &'a Snapshot) -> Vec<(FileId, Span)> {
        let is_it = |text: &str| text == self.tool.name || text == self.tool.short_name();
        let cases = self.servers(snapshot).into_iter().flat_map(|server| server.cases());
        let places = cases.filter(|case| is_it(&case.text)).map(|case| case.place);
        let places = places.chain(self.tool.registration.keys.iter().copied());
        let mut found: Vec<_> = places.map(|place| (place.file, snapshot.files.span(place))).collect();
        found.sort();
        found.dedup();
        found
    }

    /// Returns the keys under which clients start a server that has the tool, without duplicates.
    pub fn keys(self, snapshot: &'a Snapshot) -> Vec<&'a String> {
        let mut keys: Vec<&String> = self.servers(snapshot).into_iter().flat_map(|server| &server.keys).collect();
        let mut seen = FxHashSet::default();
        keys.retain(|key| seen.insert(*key));
        keys
    }

    /// Returns the keys under which clients may know the tool. If no config here starts its server, that is the name
    /// that the server gives itself: entries with this name are most likely about the tool. A guard for one name too
    /// many is harmless; a missing guard may not be.
    pub fn known_as(self, snapshot: &'a Snapshot) -> Vec<&'a String> {
        let keys = self.keys(snapshot);
        if keys.is_empty() { vec![&self.server.name] } else { keys }
    }
}

/// Whether a rename was already made: `old` is an alias of the tool `new`, or, if old names are not kept, the lock
/// records `old` as a former name of that tool and no server answers it any more. If `keeps_old` is `None`, the config
/// decides whether old names are kept.
pub fn is_done(snapshot: &Snapshot, (old, new): (&str, &str), keeps_old: Option<bool>, server: Option<&str>) -> bool {
    let found = targets(snapshot, new, server);
    let is_it = |target: &Target<'_>| {
        let Target { server, tool } = *target;
        let is_listed = |alias: &Tool| alias.name == old && snapshot.files.alias_of(alias).as_ref() == Some(&tool.name);
        let is_answered = |name: &OldName| name.old == old && name.new == tool.name;
        let goes_on = server.answered.iter().any(is_answered) || server.tools.iter().any(is_listed);
        let goes_by = |name: &str| server.goes_by(name);
        let was = || snapshot.files.renamed(&goes_by, old).is_some_and(|now| now == tool.name);
        let is_gone = || server.tools.iter().all(|tool| tool.name != old) && was();
        let keeps_old = keeps_old.unwrap_or_else(|| Alias::configured(snapshot, *target).is_some());
        if keeps_old { goes_on } else { !goes_on && is_gone() }
    };
    !found.is_empty() && found.iter().all(is_it)
}

/// Returns the tool if all `targets` are the same one: several places and servers may register the same text.
pub(crate) fn only<'a>(targets: &[Target<'a>]) -> Option<Target<'a>> {
    let (first, rest) = targets.split_first()?;
    let is_it = |other: &Target<'_>| other.tool.name == first.tool.name && other.tool.born() == first.tool.born();
    rest.iter().all(is_it).then_some(*first)
}

/// Returns the tool that a request is about; `None` if it is not in the snapshot any more.
pub(crate) fn target<'a>(snapshot: &'a Snapshot, request: &RenameRequest) -> Option<Target<'a>> {
    snapshot
        .analysis()
        .tools()
        .find(|(_, tool)| {
            let place = tool.local_place();
            tool.name == request.old && place.file == request.file && snapshot.files.span(place).start == request.offset
        })
        .map(|(server, tool)| Target { server, tool })
}

/// Returns the tools with a given name: the full name, else the name that a client composes, else the short name. If
/// `server` is given, only the tools of that server are considered.
pub fn targets<'a>(snapshot: &'a Snapshot, name: &str, server: Option<&str>) -> Vec<Target<'a>> {
    let all: Vec<Target<'a>> = snapshot
        .analysis()
        .tools()
        .filter(|(owner, _)| server.is_none_or(|wanted| owner.goes_by(wanted)))
        .map(|(server, tool)| Target { server, tool })
        .collect();
    let by =
        |matches: &dyn Fn(&Target<'a>) -> bool| -> Vec<Target<'a>> { all.iter().copied().filter(matches).collect() };
    let kept = client::kept_by_all(name);
    let composed = |target: &Target<'a>| {
        let own = client::kept_by_all(&target.tool.name);
        let composes = |client: &client::Client| {
            target.server.keys.iter().any(|key| client.composed(key, &target.tool.name) == name)
        };
        kept.contains(&own) && snapshot.files.known_clients().iter().any(|client| composes(client))
    };
    for found in [by(&|target| target.tool.name == name), by(&composed), by(&|target| target.tool.short_name() == name)]
    {
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Returns the wire name for a new name that a user gave: as a client composes it, in full, or as the part that source
/// writes (`shown` is that part of the old name). A client's prefix is removed if it begins with `mcp` and so cannot be
/// anything else, or if the old name was `given` with it.
pub(crate) fn wire_name(clients: &Clients, target: Target<'_>, given: &str, shown: &str, new: &str) -> String {
    let prefixes = clients
        .iter()
        .flat_map(|client| target.server.keys.iter().map(move |key| client.server_prefix(key)))
        // A gateway's tools have the prefix in their source.
        .filter(|prefix| !target.tool.name.starts_with(prefix.as_str()))
        .filter(|prefix| client::begins_as_mcp(prefix) || given.starts_with(prefix.as_str()) && given != shown);
    let mut stripped = prefixes.filter_map(|prefix| new.strip_prefix(&prefix));
    let new = stripped.find(|name| !name.is_empty()).unwrap_or(new);
    if new.is_empty() {
        return String::new();
    }
    let parts = &target.tool.registration.name.parts;
    let before: String = parts[..target.tool.local].iter().map(|part| part.text.as_str()).collect();
    let is_whole = shown == target.tool.name || !before.is_empty() && new.starts_with(&before);
    if is_whole {
        return new.to_string();
    }
    let part = |index: usize| if index == target.tool.local { new } else { parts[index].text.as_str() };
    (0..parts.len()).map(part).collect()
}

/// Renames a tool everywhere. If an alias is requested, the old name stays callable.
///
/// # Errors
/// The reason, if the new name is not available, no edit leads to exactly that change, or the old name cannot be kept.
pub fn rename(snapshot: &Snapshot, target: Target<'_>, to: To<'_>, sources: Sources<'_>) -> Result<Plan, Refusal> {
    renamed(snapshot, target, to, sources).map(|(plan, _)| plan)
}

/// Renames a tool like [`rename`], and also returns the workspace after the edits.
///
/// # Errors
/// See [`rename`].
pub fn renamed(
    snapshot: &Snapshot,
    target: Target<'_>,
    to: To<'_>,
    sources: Sources<'_>,
) -> Result<(Plan, Snapshot), Refusal> {
    judged(snapshot, target, to, sources).map_err(|why| why.refuses(&target.tool.name, to.name))
}

fn judged(snapshot: &Snapshot, target: Target<'_>, to: To<'_>, sources: Sources<'_>) -> Result<(Plan, Snapshot), Why> {
    let _keeping = syntax::Keeping::begin();
    check_name(snapshot, target, to.name)?;
    let done = proposed(snapshot, target, to, sources)?;
    // Only the search for the name has shown which files cannot be read.
    match unread(snapshot, sources) {
        None => Ok(done),
        Some((path, reason)) => Err(Why::Unread { path, reason }),
    }
}

/// A file of a client that could not be read, or a config that describes a client which could not be, with the reason.
fn unread(snapshot: &Snapshot, sources: Sources<'_>) -> Option<(String, String)> {
    let described = snapshot.files.configs().unread_client();
    let reason = "a client that it describes has a fault, see `toolnames check`";
    let described = described.map(|path| (path.to_string(), reason.to_string()));
    described.or_else(|| sources.around.unread().into_iter().next())
}

/// Returns the first way to the new name that works.
fn proposed(
    snapshot: &Snapshot,
    target: Target<'_>,
    to: To<'_>,
    sources: Sources<'_>,
) -> Result<(Plan, Snapshot), Why> {
    let (new, texts) = (to.name, sources.texts);
    if to.function_too {
        let (plan, function) = function::renamed(snapshot, target, new, sources)?;
        let after = trial(snapshot, target, (new, false), &plan.edits(), texts)?;
        return complete(snapshot, target, (to, Some(&function)), (plan, after), sources);
    }
    if method::is_all_there_is(snapshot, target) {
        let plan = method::renamed(snapshot, target, new, sources)?;
        let after = trial(snapshot, target, (new, false), &plan.edits(), texts)?;
        return complete(snapshot, target, (to, Some(new)), (plan, after), sources);
    }
    let mut reasons = Vec::new();
    for edits in candidates(snapshot, target, new, texts) {
        if let Some(file) = edits.keys().find(|file| is_installed(snapshot.files.path(**file))) {
            reasons.push(Why::Installed(snapshot.files.path(*file).to_string()));
            continue;
        }
        let with_keys = || {
            let mut all = edits.clone();
            for (file, keys) in dispatch::keys(snapshot, target, new, texts) {
                let own = all.entry(file).or_default();
                own.extend(keys);
                own.sort();
                own.dedup();
            }
            all
        };
        let tried = |edits: Edits| Ok((trial(snapshot, target, (new, false), &edits, texts)?, edits));
        // A lookup by the name may decide whether the tool is registered.
        match tried(edits.clone()).or_else(|reason| tried(with_keys()).map_err(|_| reason)) {
            Ok((after, edits)) => return complete(snapshot, target, (to, None), (Plan::of(edits), after), sources),
            Err(reason) => reasons.push(reason),
        }
    }
    // A registration that several tools share does not name any of them; the function does.
    let place = target.tool.registration.place;
    let is_for_all = snapshot.analysis().tools().filter(|(_, tool)| tool.registration.place == place).count() > 1;
    if is_for_all && function::named_after(snapshot, target).is_some() {
        return proposed(snapshot, target, To { function_too: true, ..to }, sources);
    }
    let is_shared = target.tool.shared_by.iter().any(|&count| count > 1);
    let unedited = if is_shared { Why::Shared } else { Why::NoLiteral };
    Err(reasons.into_iter().next().unwrap_or(unedited))
}

/// Checks that the new name is valid, and that no other tool or alias has it.
fn check_name(snapshot: &Snapshot, target: Target<'_>, new: &str) -> Result<(), Why> {
    let bad = |problem: fn(String) -> BadName| Err(Why::Name(problem(new.to_string())));
    if new == target.tool.name {
        return bad(BadName::Same);
    }
    if new.is_empty() {
        return Err(Why::Name(BadName::Empty));
    }
    // A convention may allow further characters, and documents what that costs.
    let policy = snapshot.files.configs().policy(snapshot.files.path(target.tool.local_place().file));
    let own = policy.convention.beyond_protocol();
    if let Some(character) = new.chars().find(|c| !is_protocol_char(*c) && !own.contains(c)) {
        return Err(Why::Name(BadName::Character { name: new.to_string(), character }));
    }
    if new.starts_with("mcp__") && !target.tool.name.starts_with("mcp__") {
        return bad(BadName::Composed);
    }
    if new.chars().count() > MAX_LENGTH {
        return bad(BadName::TooLong);
    }
    let kept = client::kept_by_all(new);
    let is_one = |name: &str| {
        client::kept_by_all(name) == kept
            && snapshot.files.known_clients().iter().any(|client| client.normalise(name) == client.normalise(new))
    };
    for server in target.servers(snapshot) {
        if let Some(other) = server.tools.iter().find(|tool| is_one(&tool.name) && tool.name != target.tool.name) {
            return Err(Why::Taken { server: server.name.clone(), tool: other.name.clone() });
        }
        if let Some(answered) = server.answered.iter().find(|name| is_one(&name.old)) {
            return Err(Why::Answered(answered.old.clone()));
        }
    }
    for client in snapshot.files.clients(snapshot.files.path(target.tool.local_place().file)) {
        for key in target.keys(snapshot) {
            let Some(limit) = client.limit else { continue };
            let composed = client.wire_name(key, new);
            let length = composed.chars().count();
            if length > limit && length > client.wire_name(key, &target.tool.name).chars().count() {
                return Err(Why::TooLong { client: client.name.to_string(), composed, length, limit });
            }
        }
    }
    Ok(())
}

/// Returns the edits that may lead to the new name, the most local first.
fn candidates(snapshot: &Snapshot, target: Target<'_>, new: &str, texts: Texts<'_>) -> Vec<Edits> {
    let registration = &target.tool.registration;
    let parts = &registration.name.parts;
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&index| (index != target.tool.local, target.tool.shared_by.get(index).copied().unwrap_or(1)));
    let mut candidates = unnamed::candidates(snapshot, target, new, texts);
    for index in order {
        let before: String = parts[..index].iter().map(|part| part.text.as_str()).collect();
        let after: String = parts[index + 1..].iter().map(|part| part.text.as_str()).collect();
        let Some(middle) = new.strip_prefix(&before).and_then(|rest| rest.strip_suffix(&after)) else {
            continue;
        };
        candidates.extend(edit_part(snapshot, target, &parts[index], middle, texts));
    }
    // A name without the shared pieces, written in full in place of the most local one. This is right if the other
    // pieces disappear by themselves, which the trial shows.
    if let Some(local) = parts.get(target.tool.local).filter(|_| parts.len() > 1) {
        candidates.extend(edit_part(snapshot, target, local, new, texts));
    }
    candidates.extend(lifted(snapshot, target, new, texts));
    candidates
}

/// Returns the edit that replaces an expression that composes the name by a literal, so that the pieces it shares with
/// other names stay unchanged.
fn lifted(snapshot: &Snapshot, target: Target<'_>, new: &str, texts: Texts<'_>) -> Option<Edits> {
    let place = target.tool.registration.name.parts.get(target.tool.local)?.place()?;
    let source = texts(place.file)?;
    let language = Language::of_path(snapshot.files.path(place.file))?;
    let literal = snapshot.files.span(place);
    let whole = syntax::sum_around(&syntax::parse(language, &source, None)?, literal)?;
    let quote = source[..literal.start as usize].chars().next_back().filter(|c| matches!(c, '"' | '\'')).unwrap_or('"');
    Some(Edits::from([(place.file, vec![Edit::new(whole, format!("{quote}{new}{quote}"))])]))
}

/// Returns the edit that changes one piece of a name to `text`; `None` if the piece cannot be edited.
fn edit_part(snapshot: &Snapshot, target: Target<'_>, part: &Part, text: &str, texts: Texts<'_>) -> Option<Edits> {
    match &part.origin {
        Origin::Literal(place) => {
            let span = snapshot.files.span(*place);
            let source = texts(place.file)?;
            // A literal with escapes cannot be replaced character by character.
            if source.get(span.range())? != part.text {
                return None;
            }
            // `{ name }` is `{ name: name }`: the key changes, and the value stays.
            if is_shorthand(&source, span) {
                let at = Span { start: span.start, end: span.start };
                return Some(Edits::from([(place.file, vec![Edit::new(at, format!("{text}: "))])]));
            }
            Some(Edits::from([(place.file, vec![Edit::new(span, text)])]))
        }
        Origin::Identifier(_) => {
            let naming = target.tool.registration.naming.as_ref()?;
            let at = snapshot.files.span(naming.at);
            if let Some(attribute) = &naming.attribute {
                let source = texts(naming.at.file)?;
                let indent = indent(&source, at.start);
                let keyword = &naming.keyword;
                let written = format!("#[{attribute}({keyword} = \"{text}\")]{}{indent}", line_break(&source));
                return Some(Edits::from([(naming.at.file, vec![Edit::new(at, written)])]));
            }
            let language = Language::of_path(snapshot.files.path(naming.at.file))?;
            let source = texts(naming.at.file)?;
            let (equals, quote) = match language {
                Language::Rust => (" = ", '"'),
                language => ("=", syntax::usual_quote(language, &source)),
            };
            // If each argument has its own line, so has the name.
            let (lead, line_break) = (indent(&source, at.start), line_break(&source));
            let after = match source[..at.start as usize].ends_with(&format!("\n{lead}")) {
                true if naming.after == ", " => format!(",{line_break}{lead}"),
                _ => naming.after.to_string(),
            };
            let insert = match naming.keyword.as_str() {
                "" => format!("{}{quote}{text}{quote}{after}", naming.before),
                keyword => format!("{}{keyword}{equals}{quote}{text}{quote}{after}", naming.before),
            };
            Some(Edits::from([(naming.at.file, vec![Edit::new(at, insert)])]))
        }
        Origin::Framework | Origin::Unknown(_) => None,
    }
}

/// Whether a property of an object is a bare name between commas or braces, `{ name }`.
fn is_shorthand(source: &str, span: Span) -> bool {
    let before = source.get(..span.start as usize).unwrap_or("").trim_end();
    let after = source.get(span.end as usize..).unwrap_or("").trim_start();
    before.ends_with(['{', ',']) && after.starts_with(['}', ','])
}

/// Returns the part of a new name that replaces the old name's most local part; `None` if other parts would change.
fn short_name_in<'n>(tool: &Tool, new: &'n str) -> Option<&'n str> {
    let parts = &tool.registration.name.parts;
    let text = |parts: &[Part]| parts.iter().map(|part| part.text.as_str()).collect::<String>();
    let (before, after) = (text(&parts[..tool.local]), text(&parts[tool.local + 1..]));
    new.strip_prefix(&before)?.strip_suffix(&after).filter(|short| !short.is_empty())
}

/// Adds the edits of all other references to an accepted edit, and tries the whole with each way to keep the old name
/// in turn. `function` is the new name of the tool's function, if that changes.
fn complete(
    snapshot: &Snapshot,
    target: Target<'_>,
    (to, function): (To<'_>, Option<&str>),
    (plan, after): (Plan, Snapshot),
    sources: Sources<'_>,
) -> Result<(Plan, Snapshot), Why> {
    let mut ways = 0;
    loop {
        let done = completed(snapshot, target, (to, function), (plan.clone(), &after), sources, &mut ways);
        match done {
            Err(Why::AliasUnproved) => {}
            // Report why the first way failed: it is the preferred one.
            Err(Why::Alias(..)) if ways > 0 => return Err(Why::AliasUnproved),
            done => return done,
        }
    }
}

/// Completes a rename like [`complete`], with one way to keep the old name: the first that can be written after the
/// first `ways` ones. Sets `ways` to continue after it.
fn completed(
    snapshot: &Snapshot,
    target: Target<'_>,
    (to, function): (To<'_>, Option<&str>),
    (mut plan, after): (Plan, &Snapshot),
    sources: Sources<'_>,
    ways: &mut usize,
) -> Result<(Plan, Snapshot), Why> {
    let (new, texts) = (to.name, sources.texts);
    let edits = plan.edits();
    let mut alias = to.alias;
    match alias.map(|alias| (alias, alias::insert(snapshot, target, (new, function), alias, texts, *ways))) {
        None => {}
        Some((_, Ok(written))) => {
            plan.changes.insert(Group::Alias, written.edits);
            plan.alias = Some(written.mode);
            plan.fallback = written.fallback;
            *ways = written.way + 1;
        }
        Some((Alias { can_go: true, .. }, Err(reason))) => {
            plan.lost = Some(reason);
            alias = None;
        }
        Some((_, Err(reason))) => {
            let place = target.tool.registration.place;
            let at = obstacles::at(snapshot, place.file, snapshot.files.span(place));
            let any = to.alias.filter(|alias| alias.is_exact).map(|alias| Alias { is_exact: false, ..alias.clone() });
            let other = any.and_then(|any| alias::insert(snapshot, target, (new, function), &any, texts, 0).ok());
            return Err(Why::Alias(at, reason, other.map(|written| written.mode)));
        }
    }
    let change = permissions::Change { new, keeps_old: alias.is_some(), repairs: to.repairs };
    permissions::follow(snapshot, target, change, sources.around, &mut plan)?;
    dispatch::follow(snapshot, target, new, texts, &mut plan);
    for (file, span) in trial::names_of_shapes(target, after, &edits) {
        if texts(file).is_some_and(|text| text.get(span.range()) == Some(target.tool.name.as_str())) {
            plan.push(Group::Source, file, Edit::new(span, new));
        }
    }
    alias::follow(snapshot, target, new, texts, &mut plan);
    let parts = &target.tool.registration.name.parts;
    let mut named_after = parts.iter().filter(|part| matches!(part.origin, Origin::Identifier(_)));
    let kept = named_after.next().map(|part| part.text.as_str()).filter(|_| function.is_none());
    let followed = decisions::Followed { new, goes_on: plan.alias.is_some(), function: kept, force: to.force };
    decisions::follow(snapshot, target, &followed, sources, &mut plan)?;
    let is_one_edit = plan.edits().values().map(Vec::len).sum::<usize>() == 1;
    // If source still uses the old name for the tool, texts may as well.
    let convention = snapshot.files.configs().policy(snapshot.files.path(target.tool.local_place().file)).convention;
    let is_short = |(_, tool): (&Server, &Tool)| tool.name == new && tool.short_name() == target.tool.name;
    let stays =
        after.analysis().tools().any(is_short) || convention.helper && convention.own_part(new) == target.tool.name;
    let is_listed = plan.alias == Some(AliasMode::Listed);
    let is_named_after = parts.iter().any(|part| matches!(part.origin, Origin::Identifier(_)));
    let old = prose::Old {
        stays,
        goes_on: plan.alias.is_some(),
        is_listed,
        names_function: kept.is_some(),
        keeps_functions: kept.is_some() || !is_named_after,
    };
    prose::follow(snapshot, target, (new, old), sources, &mut plan);
    let is_only_listed = target.tool.registration.listed && is_one_edit;
    if let Some((at, kind)) = obstacles::in_the_way(snapshot, target, &plan.edits(), is_only_listed, texts) {
        return Err(Why::Obstacle { at, kind });
    }
    if is_listed {
        counts::follow(snapshot, target, sources, &mut plan);
    }
    let served = served::Served { new, goes_on: plan.alias.is_some(), function: kept, force: to.force };
    served::follow(snapshot, target, served, texts, &mut plan)?;
    prose::settle(snapshot, target, sources, &mut plan);
    if let Some(at) = plan.guard(snapshot).filter(|_| !to.force) {
        return Err(Why::Guards(at));
    }
    guards::held_by_wildcards(snapshot, target, new, sources.around, &mut plan)?;
    hooks::hold(snapshot, target, (new, to.force), sources.around, &mut plan)?;
    lock::follow(snapshot, target, (new, alias), texts, &mut plan);
    plan.stay_inside(snapshot, sources.around);
    plan.lay_out(snapshot, texts);
    plan.say_once();
    let changed = plan.edits();
    if changed == edits {
        return Ok((plan, after.clone()));
    }
    let is_listed = plan.alias == Some(AliasMode::Listed);
    match trial(snapshot, target, (new, is_listed), &changed, texts) {
        Ok(after) => {
            permissions::hold((snapshot, &after), target, change, &changed)?;
            Ok((plan, after))
        }
        Err(_) if alias.is_some() => Err(Why::AliasUnproved),
        Err(why) => Err(why),
    }
}
