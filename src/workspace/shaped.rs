//! Definitions that are found by their shape, in packages that register tools in a way that cannot be followed.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Files;
use super::analysis::Analysis;
use super::groups::{Groups, Owner};
use super::server::{Server, Tool};
use crate::found::{Confidence, Dynamic, Found, Place, Registration, Want};
use crate::syntax::Family;
use crate::text::FileId;

impl Analysis {
    /// Adds tools by the shape of their definitions to servers that register tools in a way that cannot be followed.
    /// The definitions lie in the server's package, or in one that it imports.
    pub(super) fn add_shaped(&mut self, files: &Files, found: &[(FileId, Arc<Found>)], groups: &mut Groups) {
        // If some tools of a list are known, only those added at run time are missing.
        let is_lost = |dynamic: &Dynamic, server: &Server| {
            let listed = |tool: &Tool| tool.registration.listed && tool.registration.listing == Some(dynamic.place);
            dynamic.partial.is_none() && !dynamic.is_said && !server.tools.iter().any(listed)
        };
        let mut lost: Vec<Owner> = groups
            .iter()
            .filter(|(_, server)| server.dynamics.iter().any(|dynamic| is_lost(dynamic, server)))
            .map(|(key, _)| key.clone())
            .collect();
        if lost.is_empty() {
            return;
        }
        lost.sort_unstable();
        // Definitions may be in files that have not been parsed yet.
        let frameworks = files.frameworks_arc();
        let keys = Family::ALL.into_iter().flat_map(|family| frameworks.shapes(family));
        let keys = keys.filter_map(|&id| frameworks.form(id).has.first()).flatten();
        self.wants.extend(keys.filter(|key| key.len() > 6).cloned().map(Want::Word));
        let left_out: FxHashSet<Place> = found.iter().flat_map(|(_, found)| &found.left_out).copied().collect();
        let is_left_out = |registration: &Registration| {
            let first = registration.name.parts.first();
            first.and_then(|part| part.place()).is_some_and(|place| left_out.contains(&place))
        };
        // By package: the files with such definitions, as indices into `found`. `taken` has the names that tools of the
        // package already have.
        let mut shaped: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (index, (file, _)) in found.iter().enumerate().filter(|(_, (_, found))| !found.shaped.is_empty()) {
            shaped.entry(files.package_root(*file)).or_default().push(index);
        }
        let mut taken: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
        for ((root, _), server) in groups.iter().filter(|_| !shaped.is_empty()) {
            let own = taken.entry(root.clone()).or_default();
            own.extend(server.tools.iter().map(|tool| tool.name.clone()));
        }
        let mut nearby: FxHashMap<String, Vec<&str>> = FxHashMap::default();
        for (root, group) in lost {
            let near = &*nearby.entry(root.clone()).or_insert_with(|| {
                let near = files.packages_near(&root).into_iter();
                near.filter(|near| shaped.contains_key(near) || taken.contains_key(*near)).collect()
            });
            let Some(server) = groups.get_mut(&(root.clone(), group)) else { continue };
            let by_hand = server.dynamics.iter().any(|dynamic| dynamic.by_hand);
            let family = server.dynamics.first().and_then(|dynamic| files.family(dynamic.place.file));
            let is_taken =
                |name: &String| near.iter().any(|root| taken.get(*root).is_some_and(|own| own.contains(name)));
            let mut candidates: Vec<usize> =
                near.iter().filter_map(|root| shaped.get(root)).flatten().copied().collect();
            candidates.sort_unstable();
            let mut seen = FxHashSet::default();
            let candidates = candidates.into_iter().map(|index| &found[index]);
            for (file, found) in candidates.filter(|(file, _)| files.family(*file) == family) {
                for registration in found.shaped.iter().filter(|shaped| !is_left_out(shaped)) {
                    let name = registration.name.text();
                    if !is_taken(&name) && seen.insert(name.clone()) {
                        let mut registration = Arc::clone(registration);
                        // A project that answers protocol messages itself also defines its tools in a way of its own,
                        // so their shape is enough evidence.
                        if by_hand && files.package_root(*file) == root {
                            Arc::make_mut(&mut registration).confidence = Confidence::Derived;
                        }
                        server.tools.push(Tool { name, registration, shared_by: Vec::new(), local: 0 });
                    }
                }
            }
            taken.entry(root).or_default().extend(seen);
        }
    }
}
