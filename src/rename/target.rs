//! The tool that is renamed, and how it is found.

use rustc_hash::FxHashSet;

use crate::client;
use crate::diagnostic::RenameRequest;
use crate::found::{Part, Place};
use crate::text::{FileId, Span};
use crate::workspace::{Server, Snapshot, Tool};

/// The maximum number of registrations of one tool that are renamed together.
const MOST_TWINS: usize = 64;

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
        let places = self.places();
        let all = snapshot.analysis().servers.iter().filter(|server| !std::ptr::eq(*server, self.server));
        let kin = |server: &&Server| server.tools.iter().any(|tool| self.is_registered_by(tool, &places));
        std::iter::once(self.server).chain(all.filter(kin)).collect()
    }

    /// Returns the tool as it is registered in other ways, one target for each: by another framework, in a list instead
    /// of by a call.
    pub(super) fn registered_otherwise(self, snapshot: &'a Snapshot) -> Vec<Target<'a>> {
        let way = |target: &Target<'_>| (target.tool.registration.framework, target.tool.registration.listed);
        let servers = self.servers(snapshot).into_iter();
        let all = servers.flat_map(|server| server.tools.iter().map(move |tool| Target { server, tool }));
        let (mut known, places) = (vec![way(&self)], self.places());
        let mut others: Vec<Target<'a>> = all.filter(|other| self.is_registered_by(other.tool, &places)).collect();
        others.retain(|other| {
            let is_new = !known.contains(&way(other));
            known.push(way(other));
            is_new
        });
        others
    }

    /// Whether two targets are one tool: one literal names both, or one server registers the name at both places, of
    /// which a run may take one.
    fn is(self, other: &Target<'_>) -> bool {
        let (own, its) = (self.tool, other.tool);
        let may_exclude = || own.registration.conditional || its.registration.conditional;
        own.name == its.name && (own.born() == its.born() || std::ptr::eq(self.server, other.server) && may_exclude())
    }

    /// Returns the other registrations of this tool with its server, each at another place or under another literal; at
    /// most [`MOST_TWINS`].
    pub(super) fn twins(self) -> Vec<Target<'a>> {
        let own = |target: &Target<'_>| (target.tool.registration.place, target.tool.born());
        let mut known = FxHashSet::from_iter([own(&self)]);
        let all = self.server.tools.iter().map(|tool| Target { server: self.server, tool });
        all.filter(|other| self.is(other) && known.insert(own(other))).take(MOST_TWINS).collect()
    }

    /// Returns the places of the literals under which the tool is registered with its server.
    pub(super) fn places(self) -> FxHashSet<Vec<Option<Place>>> {
        self.twins().iter().chain([&self]).map(|target| target.tool.born()).collect()
    }

    /// Whether a tool of any server is this tool, registered at one of its [`places`](Target::places).
    pub(super) fn is_registered_by(self, tool: &Tool, places: &FxHashSet<Vec<Option<Place>>>) -> bool {
        tool.name == self.tool.name && places.contains(&tool.born())
    }

    /// Returns the cases and keys by which the tool's servers find the handler for its name, or for the part of the
    /// name that source contains.
    pub fn cases(self, snapshot: &'a Snapshot) -> Vec<(FileId, Span)> {
        let is_it = |text: &str| text == self.tool.name || text == self.tool.short_name();
        let cases = self.servers(snapshot).into_iter().flat_map(|server| server.cases());
        let places = cases.filter(|case| is_it(&case.text)).map(|case| case.place);
        let twins = self.twins();
        let registrations = std::iter::once(&self).chain(&twins).map(|target| &target.tool.registration);
        let places = places.chain(registrations.flat_map(|it| it.keys.iter().copied()));
        let mut found: Vec<_> = places.map(|place| (place.file, snapshot.files.span(place))).collect();
        found.sort();
        found.dedup();
        found
    }

    /// Returns the keys under which clients start a server that has the tool, without duplicates.
    pub fn keys(self, snapshot: &'a Snapshot) -> Vec<&'a String> {
        let mut keys: Vec<&String> = self.servers(snapshot).into_iter().flat_map(Server::known_as).collect();
        let mut seen = FxHashSet::default();
        keys.retain(|key| seen.insert(*key));
        keys
    }

    /// Returns the keys under which clients may know the tool. If no config here starts its server, returns the name
    /// that the server gives itself, since entries with that name are most likely about the tool. Guarding an
    /// additional name is harmless; a missing guard may not be.
    pub fn known_as(self, snapshot: &'a Snapshot) -> Vec<&'a String> {
        let keys = self.keys(snapshot);
        if keys.is_empty() { vec![&self.server.name] } else { keys }
    }
}

/// Returns the tool if all `targets` are the same tool, which several places and servers may register; `None`
/// otherwise, or if `targets` is empty.
pub(crate) fn only<'a>(targets: &[Target<'a>]) -> Option<Target<'a>> {
    let (first, rest) = targets.split_first()?;
    let (mut known, mut left) = (vec![*first], rest.to_vec());
    while !left.is_empty() {
        let (same, other): (Vec<_>, Vec<_>) = left.into_iter().partition(|it| known.iter().any(|one| one.is(it)));
        if same.is_empty() {
            return None;
        }
        known.extend(same);
        left = other;
    }
    Some(*first)
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

/// Returns the part of a new name that replaces the old name's most local part; `None` if other parts would change.
pub(super) fn short_name_in<'n>(tool: &Tool, new: &'n str) -> Option<&'n str> {
    let parts = &tool.registration.name.parts;
    let text = |parts: &[Part]| parts.iter().map(|part| part.text.as_str()).collect::<String>();
    let (before, after) = (text(&parts[..tool.local]), text(&parts[tool.local + 1..]));
    new.strip_prefix(&before)?.strip_suffix(&after).filter(|short| !short.is_empty())
}
