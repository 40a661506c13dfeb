//! A server with its tools, as the files describe it.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::convention::{Convention, Stage};
use crate::found::{CallHandler, Dispatch, Dynamic, Otherwise, Part, Place, Registration, ServerKey};
use crate::framework::Frameworks;
use crate::text::FileId;

/// A former name of a tool, and its present one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OldName {
    pub old: String,
    pub new: String,
}

/// A set of registrations that are shipped together.
#[derive(Debug, Clone, Default)]
pub struct Server {
    pub name: String,
    /// The directory of its package, relative to the workspace's root; `.` for the root.
    pub root: String,
    /// The keys under which client configs start it.
    pub keys: Vec<String>,
    /// The keys and command lines under which code starts it for an agent.
    pub(super) called: Vec<String>,
    pub tools: Vec<Tool>,
    pub prompts: Vec<Offer>,
    pub resources: Vec<Offer>,
    pub dynamics: Vec<Dynamic>,
    /// The literals by which it finds the handler of a tool.
    pub dispatches: Vec<Dispatch>,
    /// Likely literals, if none can be traced from a request, but one value is compared with the names of all tools.
    pub(super) likely_cases: Vec<Dispatch>,
    /// Other ways in which it finds a handler.
    pub otherwise: FxHashSet<Otherwise>,
    /// The functions that it calls with the name of the called tool.
    pub call_handlers: Vec<CallHandler>,
    /// Old names that it may answer without listing them: those below the comment of an alias.
    pub answered: Vec<OldName>,
    /// Whether the URI of some resource cannot be computed.
    pub(super) unknown_resources: bool,
    /// The reasons why not all of its tools are known; empty for a complete server.
    pub incomplete_because: Vec<String>,
    pub(super) objects: Vec<ServerKey>,
    /// The files that its objects belong to.
    pub(super) homes: Vec<FileId>,
    /// Whether nothing is registered with its object, as far as the source shows.
    pub(super) bare: bool,
}

/// A tool as its server reports it.
#[derive(Debug, Clone)]
pub struct Tool {
    /// The name that `tools/list` reports.
    pub name: String,
    pub registration: Arc<Registration>,
    /// For each part of the name, the number of tools that contain it.
    pub shared_by: Vec<usize>,
    /// The index of the part that this tool shares with the fewest others.
    pub local: usize,
}

/// A prompt or resource.
#[derive(Debug, Clone)]
pub struct Offer {
    pub name: String,
    pub registration: Arc<Registration>,
}

impl Offer {
    pub fn place(&self) -> Place {
        self.registration.place
    }
}

impl Server {
    /// Creates a server that is known from a recorded answer in the folder `root`.
    pub(super) fn recorded(name: String, root: &str, key: String, tools: Vec<Tool>) -> Server {
        Server { name, root: root.to_string(), keys: vec![key], tools, ..Server::default() }
    }

    /// Whether nothing is known about the tools, prompts and resources of the server.
    pub(super) fn is_empty(&self) -> bool {
        self.bare
            || self.tools.is_empty() && self.prompts.is_empty() && self.resources.is_empty() && self.dynamics.is_empty()
    }

    /// Whether a name refers to this server: its own name, its folder, or a key that starts it.
    pub fn goes_by(&self, name: &str) -> bool {
        self.name == name || self.root == name || self.keys.iter().any(|key| key == name)
    }

    /// The keys and command lines under which clients know it.
    pub fn known_as(&self) -> impl Iterator<Item = &String> {
        self.keys.iter().chain(&self.called)
    }

    /// Whether the URIs of all resources are known.
    pub fn knows_resources(&self) -> bool {
        !self.unknown_resources
    }

    pub fn is_complete(&self) -> bool {
        self.incomplete_because.is_empty()
    }
}

impl Tool {
    /// The part of the name that a convention judges, and the number of bytes before it in the whole name.
    pub fn judged(&self, convention: &Convention) -> (&str, usize) {
        match convention.stage {
            Stage::Wire => (self.name.as_str(), 0),
            Stage::Definition => {
                let before: usize = self.registration.name.parts[..self.local].iter().map(|part| part.text.len()).sum();
                let short = self.short_name();
                // Without a separate part before it, the tool's own part includes the gateway's prefix.
                let own = if before == 0 { convention.definition_of(short) } else { short };
                (own, before + short.len() - own.len())
            }
        }
    }

    /// The place of the part of the name that is this tool's own, or else the place of the registration.
    pub fn local_place(&self) -> Place {
        self.registration.name.parts.get(self.local).and_then(|part| part.place()).unwrap_or(self.registration.place)
    }

    /// The place where each part of the name is written. Tools that are registered in several places under the same
    /// literal have the same places.
    pub fn born(&self) -> Vec<Option<Place>> {
        self.registration.name.parts.iter().map(Part::place).collect()
    }

    /// The part of the name that is this tool's own: `list_projects` of `lightdash_tools__list_projects`.
    pub fn short_name(&self) -> &str {
        self.registration.name.parts.get(self.local).map_or(self.name.as_str(), |part| part.text.as_str())
    }

    /// The name in its registration, that is, the name without the prefixes of mounts.
    pub fn own_name(&self) -> &str {
        let parts = &self.registration.name.parts;
        let before: usize = parts.iter().take(self.registration.mounted).map(|part| part.text.len()).sum();
        self.name.get(before..).unwrap_or(&self.name)
    }

    /// Whether its handler can only be found by its name, as far as the source shows: its definition lists it without a
    /// handler.
    pub fn is_found_by_name(&self, frameworks: &Frameworks) -> bool {
        let row = frameworks.rows.get(self.registration.framework);
        self.registration.listed && self.registration.handler.is_none() && !row.is_some_and(|row| row.carries)
    }

    /// Whether it is annotated as a tool that deletes or overwrites.
    pub fn is_destructive(&self) -> bool {
        self.registration.annotations.iter().any(|(hint, value)| hint == "destructiveHint" && *value)
    }

    pub fn title(&self) -> Option<String> {
        self.registration.title.as_ref().map(|title| title.text())
    }
}

impl Server {
    /// The files of its objects, or of its tools if it has no objects.
    pub(super) fn home_files(&self) -> FxHashSet<FileId> {
        match self.homes.as_slice() {
            [] => self.tools.iter().map(|tool| tool.registration.place.file).collect(),
            homes => homes.iter().copied().collect(),
        }
    }
}
