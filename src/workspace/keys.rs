//! The server keys that clients use, and the servers that each of them starts.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::analysis::{Analysis, Known};
use super::granted::Grants;
use super::launched::{Homes, started_by, started_servers};
use super::server::Server;
use super::{Content, Files};
use crate::client::{self, Launch, ServerEntry};
use crate::path::is_installed;

impl Analysis {
    /// Links server keys to servers.
    pub(super) fn link(&mut self, files: &Files) {
        let homes = Homes::new(&self.servers);
        // Many keys may start the same server.
        let mut starts: FxHashMap<(String, Launch), Vec<usize>> = FxHashMap::default();
        for file in files.all() {
            let mut entries = file.client_facts().flat_map(|facts| &facts.servers).peekable();
            if entries.peek().is_none() {
                continue;
            }
            let policy = files.configs().policy(&file.path);
            for (name, entry) in
                entries.flat_map(|entry| files.names_of(&file.path, entry).into_iter().map(move |name| (name, entry)))
            {
                let known = self.keys.entry(name.clone()).or_default();
                known.entries.push((file.id, entry.key.span));
                // The source that a config names for a key is certain; the server that a command starts is inferred.
                if let Some(source) = policy.servers.get(&name) {
                    known.servers.extend(in_package(&self.servers, &source.root));
                    continue;
                }
                let published = client::published(entry.command.as_deref(), entry.url.as_deref());
                let Some((base, started)) = files.launch_of(&file.path, entry) else {
                    known.elsewhere |= !entry.is_reference;
                    if !entry.is_reference && !known.published.contains(&published) {
                        known.published.push(published);
                    }
                    continue;
                };
                let started = starts
                    .entry((base, started))
                    .or_insert_with_key(|(base, started)| started_servers(files, &homes, started, base));
                let mut started = started.clone();
                known.other_versions.extend(other_versions(files, &self.servers, entry, &mut started));
                known.elsewhere |= started.is_empty();
                if started.is_empty() && !known.published.contains(&published) {
                    known.published.push(published);
                }
                // If a started server offers anything, a server object that offers nothing is a client or a helper.
                if started.iter().any(|&server| !self.servers[server].is_empty()) {
                    started.retain(|&server| !self.servers[server].is_empty());
                }
                known.servers.extend(started);
            }
        }
        self.link_code(files);
        self.link_calls(files);
        // A key in the user's own settings can be known from the config alone.
        for (key, source) in files.configs().named_servers() {
            if !self.keys.contains_key(key) {
                let servers = in_package(&self.servers, &source.root).collect();
                self.keys.insert(key.to_string(), Known { servers, ..Known::default() });
            }
        }
        for known in self.keys.values_mut() {
            known.servers.sort_unstable();
            known.servers.dedup();
        }
        self.take_recorded(files);
        for (key, known) in &self.keys {
            for &server in &known.servers {
                self.servers[server].keys.push(key.clone());
            }
        }
        for (key, known) in &self.called {
            for &server in &known.servers {
                self.servers[server].called.push(key.clone());
            }
        }
    }
}

impl Analysis {
    /// Links the keys under which code passes servers to an agent, if their source is here. Nothing is known of other
    /// servers that the code passes.
    fn link_code(&mut self, files: &Files) {
        let homes = Homes::new(&self.servers);
        for file in files.all() {
            for entry in file.granted.iter().flat_map(|facts| &facts.servers) {
                let is_made =
                    |server: &Server| entry.made_at.is_some_and(|span| server.is_made_at(files, file.id, span));
                let servers: Vec<usize> = match files.launch_in(files.package_root(file.id), entry) {
                    Some((base, started)) => {
                        let mut started = started_servers(files, &homes, &started, &base);
                        other_versions(files, &self.servers, entry, &mut started);
                        started
                    }
                    None => (0..self.servers.len()).filter(|&index| is_made(&self.servers[index])).collect(),
                };
                if !servers.is_empty() {
                    let known = self.keys.entry(entry.name().to_string()).or_default();
                    known.entries.push((file.id, entry.key.span));
                    known.servers.extend(servers);
                }
            }
        }
    }

    /// Links the servers that calls in code start for an agent. A relative path may be meant from the package, from the
    /// folder of the file or from the root; with servers at several of them, it may be any.
    fn link_calls(&mut self, files: &Files) {
        let homes = Homes::new(&self.servers);
        let mut called: BTreeMap<String, Known> = BTreeMap::new();
        for (file, facts) in Grants::of(files, self).all() {
            let path = files.path(file);
            for entry in facts.servers.iter().filter(|entry| !entry.is_reference) {
                let known = called.entry(entry.key.text.clone()).or_default();
                known.entries.push((file, entry.key.span));
                let bases = [files.package_root(file), crate::path::directory(path), ""];
                let launches = bases.into_iter().filter_map(|base| files.launch_in(base, entry));
                let mut started: Vec<usize> =
                    launches.flat_map(|(base, launch)| started_by(files, &homes, (&launch, &base), false)).collect();
                known.other_versions.extend(other_versions(files, &self.servers, entry, &mut started));
                let made = entry.made_in.zip(entry.made_at);
                let is_made =
                    |index: &usize| made.is_some_and(|(file, span)| self.servers[*index].is_made_at(files, file, span));
                started.extend((0..self.servers.len()).filter(is_made));
                let published = client::published(entry.command.as_deref(), None);
                if started.is_empty() && !known.published.contains(&published) {
                    known.published.push(published);
                }
                known.elsewhere |= started.is_empty();
                known.servers.extend(started);
            }
        }
        for known in called.values_mut() {
            known.servers.sort_unstable();
            known.servers.dedup();
        }
        self.called = called;
    }

    /// Uses the recorded snapshots for servers whose source is not complete. Complete source takes precedence over a
    /// snapshot, except for an installed package in the recorded version, which may register other tools when it runs.
    fn take_recorded(&mut self, files: &Files) {
        for file in files.all() {
            let Content::Recorded(recorded) = &file.content else { continue };
            if recorded.fault.is_some() {
                continue;
            }
            let known = self.keys.get(&recorded.key);
            let sources = known.map(|known| known.servers.iter().map(|&server| &self.servers[server]).collect());
            let sources: Vec<&Server> = sources.unwrap_or_default();
            let is_complete = known.is_some_and(|known| self.has_all_sources(known));
            let is_installed = sources.iter().all(|server| is_installed(&server.root));
            let is_of_this_version = sources
                .iter()
                .any(|server| files.package_at(&server.root).is_none_or(|(_, it)| Some(it) == recorded.version));
            if is_complete && !(is_installed && is_of_this_version) {
                continue;
            }
            let index = self.recorded.len();
            self.recorded.push(recorded.server(file.id));
            self.keys.entry(recorded.key.clone()).or_default().recorded = Some(index);
        }
    }
}

/// The indices of the servers in or below a package's directory that offer anything.
fn in_package<'a>(servers: &'a [Server], root: &'a str) -> impl Iterator<Item = usize> + 'a {
    let root = if root.is_empty() { "." } else { root };
    let inside = move |server: &Server| {
        server.root == root || server.root.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
    };
    (0..servers.len()).filter(move |&index| inside(&servers[index]) && !servers[index].is_empty())
}

/// Takes the servers out of `started` that an entry starts in another version than that of their source here, and
/// returns them, each with what the entry asks for.
fn other_versions(
    files: &Files,
    servers: &[Server],
    entry: &ServerEntry,
    started: &mut Vec<usize>,
) -> Vec<(usize, String)> {
    let Some(pin) = entry.command.as_deref().and_then(client::pin) else { return Vec::new() };
    let is_other = |server: &mut usize| {
        let root = &servers[*server].root;
        let root = if root == "." { "" } else { root };
        !pin.may_be(files.package_at(root).map(|(_, version)| version).as_deref())
    };
    started.extract_if(.., is_other).map(|server| (server, pin.asked.clone())).collect()
}
