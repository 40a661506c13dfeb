//! The convention as it holds for one server: with what its names begin with, where each server has its own.

use std::borrow::Cow;

use crate::convention::Convention;
use crate::evaluate::World;
use crate::lower::{Bound, Expr};
use crate::rules::gateway::Layers;
use crate::text::FileId;
use crate::workspace::{Server, Snapshot};

/// The convention of a file, for a server whose tools stand in it.
pub(in crate::rules) fn convention<'a>(
    snapshot: &Snapshot,
    convention: &'a Convention,
    server: &Server,
) -> Cow<'a, Convention> {
    // A gateway has the servers that its own routes name, besides those that the convention lists.
    if let Some(layers) = Layers::of(snapshot, convention) {
        let routed = layers.routed();
        if routed.is_empty() {
            return Cow::Borrowed(convention);
        }
        let mut own = convention.clone();
        own.admit("server", routed);
        return Cow::Owned(own);
    }
    let Some(slot) = convention.open_front() else { return Cow::Borrowed(convention) };
    let Some(front) = front(snapshot, convention, server) else { return Cow::Borrowed(convention) };
    let mut own = convention.clone();
    match own.set(slot, &front) {
        Ok(()) => Cow::Owned(own),
        Err(_) => Cow::Borrowed(convention),
    }
}

/// What the names of a server begin with: as a constant of its package says, as most of its names do, or as its
/// package is called.
fn front(snapshot: &Snapshot, convention: &Convention, server: &Server) -> Option<String> {
    let tool = server.tools.first().map(|tool| tool.registration.place.file);
    let file = tool.or(server.resources.first().map(|resource| resource.place().file))?;
    let root = snapshot.files.package_root(file);
    if let Some(constant) = convention.constant.as_deref().and_then(|name| constant(snapshot, root, file, name)) {
        return Some(constant);
    }
    let mut counts: Vec<(String, usize)> = Vec::new();
    let of_tools = server.tools.iter().filter_map(|tool| convention.front_of(&tool.name));
    let of_resources = server.resources.iter().filter_map(|resource| convention.front_of_uri(&resource.name));
    for front in of_tools.chain(of_resources) {
        match counts.iter_mut().find(|(known, _)| *known == front) {
            Some((_, count)) => *count += 1,
            None => counts.push((front, 1)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max();
    let mut leading = counts.iter().filter(|(_, count)| Some(*count) == most);
    match (leading.next(), leading.next()) {
        (Some((front, _)), None) => Some(front.clone()),
        // Two namespaces, and none of them is the server's.
        (Some(_), Some(_)) => None,
        (None, _) => {
            let manifest = snapshot.files.manifest_in(root);
            let slug = manifest.and_then(|(_, manifest)| manifest.name.as_deref()).unwrap_or(&server.name);
            convention.namespace_of(slug.rsplit('/').next().unwrap_or(slug))
        }
    }
}

/// The text of a constant that stands at the top of some file of the same package and language.
fn constant(snapshot: &Snapshot, root: &str, like: FileId, name: &str) -> Option<String> {
    let files = &snapshot.files;
    let family = files.family(like);
    let own = files.loaded_files().iter().filter(|&&file| files.package_root(file) == root);
    own.filter(|&&file| files.family(file) == family).find_map(|&file| {
        let facts = files.facts(file)?;
        let &(item, index) = facts.top_level.get(name)?.first()?;
        match &facts.items.get(item as usize)?.facts.scopes[0].bindings.get(index as usize)?.value {
            Bound::Value(Expr::Text { text, .. }) => Some(text.to_string()),
            _ => None,
        }
    })
}
