//! The convention as it applies to one server: with the server's own prefix, if each server has one.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::gateway::Layers;
use crate::convention::Convention;
use crate::found::{Lookup, Place};
use crate::lower::{Bound, Expr};
use crate::text::FileId;
use crate::workspace::{Server, Snapshot};

/// Returns a convention as it applies to a server: with the server's own prefix, or with the servers that a gateway
/// routes to.
pub(crate) fn convention<'a>(snapshot: &Snapshot, convention: &'a Convention, server: &Server) -> Cow<'a, Convention> {
    // A gateway also has the servers that its own routes name, in addition to those that the convention lists.
    if let Some(layers) = Layers::without_tools(snapshot, convention) {
        let routed = layers.routed();
        if routed.is_empty() {
            return Cow::Borrowed(convention);
        }
        let mut own = convention.clone();
        own.admit("server", routed.iter().cloned());
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

/// Returns the prefix of a server's names. The sources, in order: the constant that the names are built from; the
/// constant in a file of the server's tools that matches the server's name; the prefix of most names; a constant in a
/// file of its tools or in one that such a file imports; the name of its package.
fn front(snapshot: &Snapshot, convention: &Convention, server: &Server) -> Option<String> {
    let tool = server.tools.first().map(|tool| tool.registration.place.file);
    let file = tool.or(server.resources.first().map(|resource| resource.place().file))?;
    let root = snapshot.files.package_root(file);
    let constants = convention.constant.as_deref().map(|name| constants(snapshot, file, name)).unwrap_or_default();
    let names = server.tools.iter().map(|tool| &tool.registration.name);
    let uris = server.resources.iter().map(|resource| &resource.registration.name);
    let parts = names.chain(uris).filter(|_| !constants.is_empty()).flat_map(|name| &name.parts);
    let parts: FxHashSet<Place> = parts.filter_map(|part| part.place()).collect();
    let is_part_of_names = |(_, _, place): &&Constant| parts.contains(place);
    // A constant that breaks the convention is reported where it is defined; everything else uses its corrected form.
    let right = |text: &String| convention.namespace_of(text).unwrap_or_else(|| text.clone());
    if let Some((text, ..)) = constants.iter().find(is_part_of_names) {
        return Some(right(text));
    }
    // The constant that matches the server's name decides, whatever prefixes the names of the tools have.
    let named = convention.namespace_of(&server.name);
    let own: FxHashSet<FileId> = server.tools.iter().map(|tool| tool.registration.place.file).collect();
    let is_servers = |(text, holder, _): &&Constant| own.contains(holder) && named.as_ref() == Some(&right(text));
    if let Some((text, ..)) = constants.iter().find(is_servers) {
        return Some(right(text));
    }
    let of_tools = server.tools.iter().filter_map(|tool| convention.front_of(&tool.name));
    let of_resources = server.resources.iter().filter_map(|resource| convention.front_of_uri(&resource.name));
    let mut counts: Vec<(String, usize)> = Vec::new();
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    for front in of_tools.chain(of_resources) {
        let at = *places.entry(front).or_insert_with_key(|front| {
            counts.push((front.clone(), 0));
            counts.len() - 1
        });
        counts[at].1 += 1;
    }
    // Of equally frequent prefixes, the one that occurs first applies.
    let most = counts.iter().map(|(_, count)| *count).max();
    if let Some((front, _)) = counts.into_iter().find(|(_, count)| Some(*count) == most) {
        return Some(front);
    }
    let is_near = |(_, holder, _): &&Constant| {
        let files = &snapshot.files;
        let mut own: Vec<FileId> = server.tools.iter().map(|tool| tool.registration.place.file).collect();
        own.dedup();
        own.iter().any(|file| {
            let modules = files.facts(*file).into_iter().flat_map(|facts| &facts.modules);
            file == holder || modules.into_iter().any(|module| files.resolve(*file, module) == Lookup::Found(*holder))
        })
    };
    if let Some((text, ..)) = constants.iter().find(is_near) {
        return Some(right(text));
    }
    let manifest = snapshot.files.manifest_in(root);
    let slug = manifest.and_then(|(_, manifest)| manifest.name.as_deref()).unwrap_or(&server.name);
    convention.namespace_of(slug.rsplit('/').next().unwrap_or(slug))
}

/// A constant's text, its file, and the span of the text.
type Constant = (String, FileId, Place);

/// Returns the top-level constants called `name` in the files of a package, in the same language as `like`.
fn constants(snapshot: &Snapshot, like: FileId, name: &str) -> Vec<Constant> {
    let files = &snapshot.files;
    let (root, family) = (files.package_root(like), files.family(like));
    let own = files.loaded_files().iter().filter(|&&file| files.package_root(file) == root);
    own.filter(|&&file| files.family(file) == family)
        .filter_map(|&file| {
            let facts = files.facts(file)?;
            let &(item, index) = facts.top_level.get(name)?.first()?;
            match &facts.items.get(item as usize)?.facts.scopes[0].bindings.get(index as usize)?.value {
                Bound::Value(Expr::Text { text, span }) => {
                    Some((text.to_string(), file, Place { file, item, span: *span }))
                }
                _ => None,
            }
        })
        .collect()
}
