//! The servers that all files together define, with their tools. The tools of a server are *known* if the server is
//! complete.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::analysis::{Analysis, Known};
use super::cases::{likely_cases, wanted};
use super::groups::{Group, Groups, Owner};
use super::mounts::{Mounted, mount_all};
use super::server::{Offer, OldName, Server, Tool};
use super::{Files, Stop, programs};
use crate::found::{Confidence, Dynamic, Found, Place, ServerKey, ServerObject, Want};
use crate::framework::Kind;
use crate::path::is_installed;
use crate::syntax::Family;
use crate::text::{FileId, Span};

impl Analysis {
    /// The files that were evaluated again since an earlier analysis; the others kept their results.
    pub fn evaluated_since(&self, earlier: &Analysis) -> Vec<FileId> {
        let kept = |file: &FileId, found: &Arc<Found>| {
            earlier.found.get(file).is_some_and(|before| Arc::ptr_eq(before, found))
        };
        let mut again: Vec<FileId> =
            self.found.iter().filter(|(file, found)| !kept(file, found)).map(|(file, _)| *file).collect();
        again.sort();
        again
    }

    /// Whether programs wait for files that are not loaded.
    pub(super) fn waits(&self) -> bool {
        self.ran.values().any(|ran| !ran.wants.is_empty())
    }

    /// The number of steps that the evaluation of all files took.
    pub fn steps(&self) -> u64 {
        self.ran.values().map(|ran| ran.steps()).sum()
    }

    /// Runs the programs of all files, as far as they would not do the same as before.
    pub(super) fn of(files: &Files, previous: Option<&Analysis>, stop: &Stop) -> Analysis {
        let mut found: Vec<(FileId, Arc<Found>)> = Vec::new();
        let mut analysis = Analysis::default();
        for family in Family::ALL {
            let before = previous.and_then(|analysis| analysis.ran.get(&family));
            let ran = programs::run(files, family, before.map(|ran| &**ran), stop);
            let of_family = files.loaded_files().iter().filter(|file| files.family(**file) == Some(family));
            found.extend(of_family.map(|file| (*file, ran.found.get(file).cloned().unwrap_or_default())));
            analysis.wants.extend(ran.wants.iter().cloned());
            analysis.ran.insert(family, Arc::new(ran));
        }
        let order: FxHashMap<FileId, usize> =
            files.loaded_files().iter().enumerate().map(|(index, file)| (*file, index)).collect();
        found.sort_by_key(|(file, _)| order[file]);
        analysis.wants.sort();
        analysis.assemble(files, &found);
        analysis.found = found.into_iter().collect();
        analysis.link(files);
        analysis
    }

    /// Whether every tool of every server that a key starts is known.
    pub fn is_known(&self, key: &Known) -> bool {
        key.recorded.is_some_and(|server| self.recorded[server].is_complete()) || self.has_all_sources(key)
    }

    /// Whether the source of every server that a key starts is in the workspace and complete.
    pub fn has_all_sources(&self, key: &Known) -> bool {
        !key.elsewhere
            && !key.servers.is_empty()
            && key.servers.iter().all(|&server| self.servers[server].is_complete())
    }

    /// The servers that a key starts, from their source or from a snapshot. A snapshot takes precedence over an
    /// installed package; the workspace's own source comes first, since it may be newer than the snapshot.
    pub fn servers_of(&self, key: &Known) -> impl Iterator<Item = &Server> {
        let recorded = key.recorded.map(|server| &self.recorded[server]);
        let is_own = move |server: &&Server| recorded.is_none() || !is_installed(&server.root);
        key.servers.iter().map(|&server| &self.servers[server]).filter(is_own).chain(recorded)
    }

    /// The tools of the servers that a key starts.
    pub fn tools_of(&self, key: &Known) -> impl Iterator<Item = &Tool> {
        self.servers_of(key).flat_map(|server| &server.tools)
    }

    /// The tools in the source of the servers that a key starts, whatever was recorded.
    pub fn source_tools(&self, key: &Known) -> impl Iterator<Item = &Tool> {
        key.servers.iter().flat_map(|&server| &self.servers[server].tools)
    }

    /// Every tool with its server.
    pub fn tools(&self) -> impl Iterator<Item = (&Server, &Tool)> {
        self.servers.iter().flat_map(|server| server.tools.iter().map(move |tool| (server, tool)))
    }

    /// Sorts registrations into servers.
    fn assemble(&mut self, files: &Files, found: &[(FileId, Arc<Found>)]) {
        let mut groups = Groups::default();
        let mut objects: BTreeMap<String, Vec<(Group, &ServerObject)>> = BTreeMap::new();
        for (_, found) in found {
            for object in &found.servers {
                let root = files.package_root(object.home()).to_string();
                objects.entry(root).or_default().push((Group::of(&object.key), object));
            }
        }
        let mut first: FxHashMap<(&str, &Group), &ServerObject> = FxHashMap::default();
        for (root, all) in &objects {
            for (group, object) in all {
                first.entry((root, group)).or_insert(object);
            }
        }
        let mut given: FxHashMap<ServerKey, Vec<ServerKey>> = FxHashMap::default();
        // A server that a function creates belongs to the caller: to the file that contains the name passed in.
        let mut homes: FxHashMap<ServerKey, FileId> = FxHashMap::default();
        for object in found.iter().flat_map(|(_, found)| &found.servers) {
            given.entry(object.key.of_any_name()).or_default().push(object.key.clone());
            homes.insert(object.key.clone(), object.home());
        }
        let home = |key: &ServerKey| homes.get(key).copied().unwrap_or(key.file());
        // If callers pass names, a key without a name stands for the servers of all callers. A key with a name may come
        // from one of several calls, and the names in the other calls are unknown.
        let owners_of = |key: &ServerKey| -> Vec<Owner> {
            let all = given.get(&key.of_any_name()).map_or(&[][..], Vec::as_slice);
            let root = |key: &ServerKey| files.package_root(home(key)).to_string();
            match all {
                _ if all.contains(key) => vec![(root(key), Group::of(key))],
                [] => vec![(root(key), Group::of(&key.of_any_name()))],
                all => all.iter().map(|key| (root(key), Group::of(key))).collect(),
            }
        };
        // The servers of a registration, or the only server of its package if the code does not say which.
        let owners = |servers: &[ServerKey], file: FileId| -> Vec<(String, Group)> {
            if !servers.is_empty() {
                let mut owners: Vec<Owner> = servers.iter().flat_map(owners_of).collect();
                owners.sort();
                owners.dedup();
                return owners;
            }
            let root = files.package_root(file).to_string();
            let of_its_language =
                |(_, object): &&(Group, &ServerObject)| files.family(object.place.file) == files.family(file);
            let mut candidates = objects.get(&root).into_iter().flatten().filter(of_its_language);
            match (candidates.next(), candidates.next()) {
                (Some((only, _)), None) => vec![(root, only.clone())],
                _ => vec![(root, Group::Package)],
            }
        };
        fn server<'g>(
            groups: &'g mut Groups,
            owner: &(String, Group),
            files: &Files,
            objects: &FxHashMap<(&str, &Group), &ServerObject>,
        ) -> &'g mut Server {
            groups.entry(owner.clone()).or_insert_with(|| {
                let object = objects.get(&(owner.0.as_str(), &owner.1));
                let own_name = object.and_then(|object| object.name.as_ref()).map(|name| name.text());
                Server {
                    name: own_name.unwrap_or_else(|| package_name(files, &owner.0)),
                    root: if owner.0.is_empty() { ".".into() } else { owner.0.clone() },
                    keys: Vec::new(),
                    called: Vec::new(),
                    tools: Vec::new(),
                    prompts: Vec::new(),
                    resources: Vec::new(),
                    dynamics: Vec::new(),
                    dispatches: Vec::new(),
                    likely_cases: Vec::new(),
                    otherwise: FxHashSet::default(),
                    call_handlers: Vec::new(),
                    incomplete_because: Vec::new(),
                    answered: Vec::new(),
                    unknown_resources: false,
                    bare: false,
                    objects: object.map(|object| object.key.clone()).into_iter().collect(),
                    homes: object.map(|object| object.home()).into_iter().collect(),
                }
            })
        }
        let mut shared: FxHashMap<Place, usize> = FxHashMap::default();
        let tools = |found: &Found| found.registrations.iter().any(|registration| registration.kind == Kind::Tool);
        let with_tools = found.iter().filter(|(_, found)| tools(found));
        let framed: FxHashSet<&str> = with_tools.map(|(file, _)| files.package_root(*file)).collect();
        for (file, found) in found {
            for registration in &found.registrations {
                if registration.kind == Kind::Tool {
                    for part in &registration.name.parts {
                        if let Some(place) = part.place() {
                            *shared.entry(place).or_default() += 1;
                        }
                    }
                }
                for owner in owners(&registration.servers, *file) {
                    let server = server(&mut groups, &owner, files, &first);
                    let offer = || Offer { name: registration.name.text(), registration: Arc::clone(registration) };
                    match registration.kind {
                        Kind::Tool => server.tools.push(Tool {
                            name: registration.name.text(),
                            registration: Arc::clone(registration),
                            shared_by: Vec::new(),
                            local: 0,
                        }),
                        Kind::Prompt => server.prompts.push(offer()),
                        Kind::Resource => server.resources.push(offer()),
                        Kind::Server | Kind::Dynamic | Kind::Dispatch | Kind::Mount => {}
                    }
                }
            }
            for servers in &found.unknown_resources {
                for owner in owners(servers, *file) {
                    server(&mut groups, &owner, files, &first).unknown_resources = true;
                }
            }
            for dispatch in &found.dispatches {
                for owner in owners(&dispatch.servers, *file) {
                    server(&mut groups, &owner, files, &first).dispatches.push(dispatch.clone());
                }
            }
            for handler in &found.call_handlers {
                for owner in owners(&handler.servers, *file) {
                    server(&mut groups, &owner, files, &first).call_handlers.push(handler.clone());
                }
            }
            for (how, servers) in &found.otherwise {
                for owner in owners(servers, *file) {
                    server(&mut groups, &owner, files, &first).otherwise.insert(*how);
                }
            }
            // If a package registers tools with a framework, code there that seems to list tools by hand is a client,
            // or the framework's own code in a bundle.
            let is_listed = |dynamic: &&Dynamic| dynamic.by_hand && framed.contains(files.package_root(*file));
            for dynamic in found.dynamics.iter().filter(|dynamic| !is_listed(dynamic)) {
                for owner in owners(&dynamic.servers, *file) {
                    server(&mut groups, &owner, files, &first).dynamics.push(dynamic.clone());
                }
            }
        }
        self.add_shaped(files, found, &mut groups);
        let mounts: Vec<Mounted<'_>> = found
            .iter()
            .flat_map(|(_, found)| &found.mounts)
            .flat_map(|mount| {
                let parents: Vec<Owner> = mount.parents.iter().flat_map(owners_of).collect();
                let children = owners_of(&mount.child);
                let pair = move |parent: Owner| {
                    let children = children.clone();
                    children.into_iter().map(move |child| (parent.clone(), child, mount))
                };
                parents.into_iter().flat_map(pair)
            })
            .filter(|(parent, child, _)| parent != child)
            .collect();
        for (parent, _, _) in &mounts {
            server(&mut groups, parent, files, &first);
        }
        mount_all(&mut groups, &mounts);
        let mounted: std::collections::BTreeSet<&(String, Group)> = mounts.iter().map(|(_, child, _)| child).collect();
        // A server object without registrations is a server all the same; what it offers cannot be seen.
        for (root, objects_of_root) in &objects {
            for (group, _) in objects_of_root {
                if mounted.contains(&(root.clone(), group.clone())) {
                    continue;
                }
                server(&mut groups, &(root.clone(), group.clone()), files, &first);
            }
        }
        for (_, found) in found {
            for (key, place, name) in &found.escapes {
                let owners = owners_of(key);
                // If a mounted server or a class is passed on, the servers on which it is mounted are incomplete as
                // well.
                let parents = mounts.iter().filter(|(_, child, _)| owners.contains(child)).map(|(parent, _, _)| parent);
                for owner in owners.iter().chain(parents) {
                    if let Some(server) = groups.get_mut(owner) {
                        let path = files.path(place.file);
                        let what = if name.is_empty() { "something".to_string() } else { format!("`{name}`") };
                        let reason = format!("the server is passed to {what} in {path}, which cannot be analysed");
                        server.incomplete_because.push(reason);
                    }
                }
            }
        }
        // A registration whose server is unknown makes every server of its package incomplete.
        let stray: Vec<String> = groups
            .iter()
            .filter(|((_, group), server)| {
                *group == Group::Package && !(server.tools.is_empty() && server.dynamics.is_empty())
            })
            .map(|((root, _), _)| root.clone())
            .collect();
        let mut touched: FxHashMap<String, bool> = FxHashMap::default();
        for ((root, group), server) in &mut groups {
            if *group == Group::Package || stray.is_empty() {
                continue;
            }
            let near_stray = touched.entry(root.clone()).or_insert_with(|| {
                let near = files.packages_near(root);
                stray.iter().any(|stray| near.contains(stray.as_str()))
            });
            if *near_stray || stray.contains(root) {
                server.incomplete_because.push(
                    "some registrations of its package, or of one that it imports, cannot be assigned to a server"
                        .into(),
                );
            }
        }
        // For each file, the number of servers to whose tools it contributes.
        let mut registering: FxHashMap<FileId, usize> = FxHashMap::default();
        for server in groups.values() {
            let of_tool = |tool: &Tool| [tool.local_place().file, tool.registration.place.file];
            let of_server: FxHashSet<FileId> = server.tools.iter().flat_map(of_tool).collect();
            of_server.into_iter().for_each(|file| *registering.entry(file).or_default() += 1);
        }
        // The code that answers an old name may be in a file without tools, so old names are collected by package and
        // by new name.
        let mut noted: FxHashMap<&str, FxHashMap<String, Vec<String>>> = FxHashMap::default();
        for file in files.all().map(|file| file.id).filter(|file| files.facts(*file).is_some_and(|it| it.has_notes)) {
            let names = noted.entry(files.package_root(file)).or_default();
            files.answered(file).into_iter().for_each(|(new, old)| names.entry(new).or_default().push(old));
        }
        let by_key: FxHashMap<&ServerKey, &ServerObject> =
            objects.values().flatten().map(|(_, object)| (&object.key, *object)).collect();
        let mut groups: Vec<(Owner, Server)> = groups.into_iter().collect();
        groups.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        self.servers = groups
            .into_iter()
            .map(|(_, mut server)| {
                for tool in &mut server.tools {
                    let parts = &tool.registration.name.parts;
                    tool.shared_by = parts
                        .iter()
                        .map(|part| part.place().and_then(|place| shared.get(&place)).copied().unwrap_or(1))
                        .collect();
                    let least = tool.shared_by.iter().copied().min().unwrap_or(0);
                    tool.local = tool.shared_by.iter().rposition(|&count| count == least).unwrap_or(0);
                }
                let mut places: Vec<FileId> = server.tools.iter().map(|tool| tool.local_place().file).collect();
                places.extend(server.tools.iter().map(|tool| tool.registration.place.file));
                let is_own = |file: FileId| usize::from(places.contains(&file));
                let others = |file: FileId| registering.get(&file).copied().unwrap_or(0) > is_own(file);
                server.likely_cases = likely_cases(files, &server, &others);
                places.extend(server.files_of_cases());
                let root = if server.root == "." { "" } else { server.root.as_str() };
                places.sort();
                places.dedup();
                let cases = server.cases().filter_map(|case| Some((files.stands_for(case)?, case.text.to_string())));
                let cases: Vec<(String, String)> = cases.collect();
                let by_new = noted.get(root);
                let of_tool = |tool: &Tool| {
                    let old = by_new.and_then(|names| names.get(&tool.name)).into_iter().flatten();
                    old.map(|old| (tool.name.clone(), old.clone())).collect::<Vec<_>>()
                };
                let elsewhere: Vec<(String, String)> = server.tools.iter().flat_map(of_tool).collect();
                let names: FxHashSet<&str> = server.tools.iter().map(|tool| tool.name.as_str()).collect();
                let noted = places.into_iter().flat_map(|file| files.answered(file)).chain(elsewhere).chain(cases);
                let noted = noted.filter(|(new, _)| names.contains(new.as_str()));
                server.answered =
                    noted.map(|(new, old)| OldName { old, new }).collect::<IndexSet<_>>().into_iter().collect();
                if server.is_empty() {
                    server.bare = true;
                    let made = server.objects.iter().find_map(|key| by_key.get(key));
                    server.dynamics.extend(made.map(|object| Dynamic {
                        place: object.place,
                        partial: None,
                        reason: "no registration with this server was found".into(),
                        servers: server.objects.as_slice().into(),
                        is_said: true,
                        by_hand: false,
                    }));
                    server.incomplete_because.push("no registration with this server was found".into());
                } else if server.tools.is_empty() && server.dynamics.is_empty() && !server.call_handlers.is_empty() {
                    server
                        .incomplete_because
                        .push("the server handles tool calls, but none of its tools was found".into());
                }
                if !server.dynamics.is_empty() {
                    let count = server.dynamics.len();
                    server.incomplete_because.push(match count {
                        1 => "one registration is dynamic".into(),
                        _ => format!("{count} registrations are dynamic"),
                    });
                }
                if server.tools.iter().any(|tool| tool.registration.confidence == Confidence::Heuristic) {
                    server.incomplete_because.push("some tools are only recognised by their shape".into());
                }
                let broken = server.own_files().filter(|file| files.facts(*file).is_some_and(|facts| facts.has_errors));
                let broken: Vec<String> =
                    broken.map(|file| format!("{} has a syntax error", files.path(file))).collect();
                server.incomplete_because.extend(broken);
                server.sort(files);
                server
            })
            .collect();
        // Servers are sorted by place, since ids depend on which file was seen first.
        self.servers.sort_by_cached_key(|server| {
            let made = server.objects.iter().map(|key| match key {
                ServerKey::Object { file, item, call, .. } => (files.path(*file).to_string(), *item, call.0),
                ServerKey::Class { file, .. } => (files.path(*file).to_string(), 0, 0),
            });
            (server.root.clone(), made.min())
        });
        self.servers.sort_by(|a, b| (&a.root, &a.name).cmp(&(&b.root, &b.name)));
        let words = self.servers.iter().filter_map(|server| wanted(files, server));
        self.wants.extend(words.map(|word| Want::Word(word.into())));
    }
}

impl Server {
    /// Whether the call at a span of the file `call` creates an object of this server.
    pub(super) fn is_made_at(&self, files: &Files, call: FileId, span: Span) -> bool {
        self.objects.iter().any(|object| match object {
            ServerKey::Object { file, item, call: id, .. } if *file == call => files.facts(call).is_some_and(|facts| {
                let item = facts.item(*item);
                item.facts.call(*id).span.shifted(item.start) == span
            }),
            _ => false,
        })
    }

    /// Returns the files in which this server is created and its tools are registered; some more than once.
    fn own_files(&self) -> impl Iterator<Item = FileId> {
        let objects = self.objects.iter().map(|object| match object {
            ServerKey::Object { file, .. } | ServerKey::Class { file, .. } => *file,
        });
        let of_tool = |tool: &Tool| [tool.registration.place.file, tool.local_place().file];
        objects.chain(self.tools.iter().flat_map(of_tool))
    }

    fn sort(&mut self, files: &Files) {
        let key = |place: Place| (files.path(place.file).to_string(), files.span(place));
        // Tools are sorted by place, so that those registered in a list keep its order.
        self.tools.sort_by_cached_key(|tool| key(tool.local_place()));
        self.prompts.sort_by_cached_key(|offer| key(offer.place()));
        self.resources.sort_by_cached_key(|offer| key(offer.place()));
        self.dynamics.sort_by_cached_key(|dynamic| key(dynamic.place));
        self.incomplete_because.sort();
        self.incomplete_because.dedup();
    }
}

impl ServerObject {
    /// The file whose package the object belongs to: the file with the call that creates it or, if a function creates
    /// servers of any name, the file with the name that is passed in.
    fn home(&self) -> FileId {
        let is_given = matches!(&self.key, ServerKey::Object { given: Some(_), .. });
        let named = self.name.as_ref().filter(|_| is_given).and_then(|name| name.parts.first()?.place());
        named.unwrap_or(self.place).file
    }
}

impl ServerKey {
    fn file(&self) -> FileId {
        match self {
            ServerKey::Object { file, .. } | ServerKey::Class { file, .. } => *file,
        }
    }

    /// The key of the same call, for any name.
    pub(super) fn of_any_name(&self) -> ServerKey {
        match self.clone() {
            ServerKey::Object { file, item, call, .. } => ServerKey::Object { file, item, call, given: None },
            class => class,
        }
    }
}

fn package_name(files: &Files, root: &str) -> String {
    let named = files.manifest_in(root).and_then(|(_, manifest)| manifest.name.clone());
    named.unwrap_or_else(|| match root.rsplit('/').next() {
        Some(last) if !last.is_empty() => last.to_string(),
        _ => "server".to_string(),
    })
}
