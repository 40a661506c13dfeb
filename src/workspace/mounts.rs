//! Mounted servers. What they offer is offered by the servers on which they are mounted.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::groups::{Groups, Owner};
use super::server::{Offer, Server};
use crate::found::{Confidence, Dynamic, Mount, Traced};

/// The parent server, the server that is mounted on it, and the mount.
pub(super) type Mounted<'a> = (Owner, Owner, &'a Mount);

/// The largest number of items to take in from mounted servers in total: each part of each tool name, and everything
/// else that they offer.
const MOST_TAKEN_IN: usize = 100_000;

/// Moves what mounted servers offer to the servers on which they are mounted, with the prefixes of the mounts, the
/// innermost first. Servers that are mounted on each other keep their own offers.
pub(super) fn mount_all(groups: &mut Groups, mounts: &[Mounted<'_>]) {
    let mut by_child: FxHashMap<&Owner, Vec<&Mounted<'_>>> = FxHashMap::default();
    // The number of mounts that a server still has to take in.
    let mut waiting: FxHashMap<&Owner, usize> = FxHashMap::default();
    for mounted @ (parent, child, _) in mounts {
        by_child.entry(child).or_default().push(mounted);
        *waiting.entry(parent).or_default() += 1;
    }
    let mut seen: FxHashSet<&Owner> = FxHashSet::default();
    let children = mounts.iter().map(|(_, child, _)| child);
    let mut ready: VecDeque<&Owner> =
        children.filter(|child| !waiting.contains_key(child) && seen.insert(child)).collect();
    let mut left = MOST_TAKEN_IN;
    while let Some(leaf) = ready.pop_front() {
        let child = groups.remove(leaf);
        for (parent, _, mount) in by_child.get(leaf).into_iter().flatten() {
            if let (Some(child), Some(parent)) = (&child, groups.get_mut(parent)) {
                match left.checked_sub(child.count()) {
                    Some(rest) => {
                        left = rest;
                        parent.take_in(child, mount.prefix.as_ref());
                    }
                    None => parent.incomplete_because.push("too many mounts to follow".into()),
                }
            }
            let waits = waiting.entry(parent).or_default();
            *waits -= 1;
            if *waits == 0 && by_child.contains_key(parent) {
                ready.push_back(parent);
            }
        }
    }
}

impl Server {
    /// The number of items that a server gains by taking in this one.
    fn count(&self) -> usize {
        let parts: usize = self.tools.iter().map(|tool| tool.registration.name.parts.len()).sum();
        let offers = self.prompts.len() + self.resources.len() + self.dynamics.len() + self.dispatches.len();
        parts + offers + self.objects.len() + self.homes.len() + self.incomplete_because.len() + 1
    }

    /// Adds what a mounted server offers.
    fn take_in(&mut self, child: &Server, prefix: Option<&Traced>) {
        for tool in &child.tools {
            let mut tool = tool.clone();
            let registration = Arc::make_mut(&mut tool.registration);
            if let Some(prefix) = prefix {
                registration.mounted += prefix.parts.len();
                let mut name = prefix.clone();
                name.parts.append(&mut registration.name.parts);
                registration.name = name;
                tool.name = registration.name.text();
            }
            if registration.confidence == Confidence::Exact {
                registration.confidence = Confidence::Derived;
            }
            // It is unknown whether two mounts are made in the same run.
            registration.conditional = true;
            self.tools.push(tool);
        }
        let text = prefix.map(Traced::text).unwrap_or_default();
        let prefixed = |prompt: &Offer| Offer {
            name: format!("{text}{}", prompt.name),
            registration: prompt.registration.clone(),
        };
        self.prompts.extend(child.prompts.iter().map(prefixed));
        self.resources.extend(child.resources.iter().cloned());
        self.dynamics.extend(child.dynamics.iter().map(|dynamic| Dynamic {
            partial: dynamic.partial.as_ref().map(|partial| format!("{text}{partial}")),
            ..dynamic.clone()
        }));
        self.dispatches.extend(child.dispatches.iter().cloned());
        self.otherwise.extend(&child.otherwise);
        self.incomplete_because.extend(child.incomplete_because.iter().cloned());
        self.objects.extend(child.objects.iter().cloned());
        self.homes.extend(&child.homes);
    }
}
