//! Lists from which code picks elements by position: an alias must neither shift the picked elements nor be missing
//! from the selection.

use super::{Misfit, NoAlias};
use crate::diagnostic::Edits;
use crate::found::Lookup;
use crate::lower::{Bound, ExportTarget, FileFacts, Imported};
use crate::path::is_test;
use crate::rename::Texts;
use crate::rename::obstacles;
use crate::site::{self, HeldList};
use crate::syntax::{self, Language};
use crate::text::FileId;
use crate::workspace::{Files, Snapshot};

/// Checks every list to which some edits add an element.
///
/// # Errors
/// Code picks an element by position: either the element directly before the new one, or an element after it. A test
/// may pick the element directly before the new one.
pub(super) fn hold(snapshot: &Snapshot, edits: &Edits, texts: Texts<'_>) -> Result<(), Misfit> {
    let files = &snapshot.files;
    for (&file, edits) in edits {
        let Some((source, language)) = texts(file).zip(Language::of_path(files.path(file))) else { continue };
        let Some(tree) = syntax::parse(language, &source, None) else { continue };
        let is_element = |text: &str| text.trim_start().starts_with(',') || text.trim_end().ends_with(',');
        let added = edits.iter().filter(|edit| edit.span.is_empty() && is_element(&edit.new_text));
        for list in added.filter_map(|edit| site::list_held(&tree, &source, edit.span.start)) {
            let root = files.package_root(file);
            let near = files.all().filter(|other| files.package_root(other.id) == root);
            for other in near {
                hold_in(snapshot, (file, &list), other.id, texts)?;
            }
        }
    }
    Ok(())
}

fn hold_in(
    snapshot: &Snapshot,
    (home, list): (FileId, &HeldList),
    file: FileId,
    texts: Texts<'_>,
) -> Result<(), Misfit> {
    let files = &snapshot.files;
    let names = names_in(files, (home, &list.name), file);
    if names.is_empty() {
        return Ok(());
    }
    let path = files.path(file);
    let Some((source, language)) = texts(file).zip(Language::of_path(path)) else { return Ok(()) };
    let Some(tree) = syntax::parse(language, &source, None) else { return Ok(()) };
    // The element that the alias follows is the tool itself, which only a test may pick.
    let first = list.before - usize::from(!is_test(path) && list.before > 0);
    for name in names {
        let picked = site::picked(&tree, &source, &name);
        if let Some(found) = picked.into_iter().find(|one| one.last.is_none_or(|last| last >= first)) {
            let at = obstacles::at(snapshot, file, found.span).to_string();
            return Err(Misfit::Obstacle(NoAlias::ByPosition { list: list.name.clone(), at }));
        }
    }
    Ok(())
}

/// Returns the names by which a file refers to a top-level variable of another file, or of its own.
pub(in crate::rename) fn names_in(files: &Files, (home, name): (FileId, &str), file: FileId) -> Vec<String> {
    if file == home {
        return vec![name.to_string()];
    }
    let Some(facts) = files.facts(file) else { return Vec::new() };
    let bindings = facts.items.iter().flat_map(|item| &item.facts.scopes[0].bindings);
    let leads_home = |module: &str| match files.resolve(file, module) {
        Lookup::Found(found) => found == home || files.facts(found).is_some_and(|facts| hands_on(facts, name)),
        _ => false,
    };
    let names = bindings.filter_map(|binding| match &binding.value {
        Bound::Import { module, name: Imported::Named(named) } if *named == *name && leads_home(module) => {
            Some(binding.name.to_string())
        }
        // The file uses the name as `tools.LIST`, or after `from tools import *`.
        Bound::Import { module, name: Imported::Module } if leads_home(module) => Some(name.to_string()),
        Bound::Import { module, .. } if binding.name == "*" && leads_home(module) => Some(name.to_string()),
        _ => None,
    });
    names.collect()
}

/// Whether a module imports or re-exports a name.
fn hands_on(facts: &FileFacts, name: &str) -> bool {
    let exports = facts.items.iter().flat_map(|item| &item.facts.exports);
    let mut handed_on = exports.filter(|export| matches!(export.target, ExportTarget::From { .. }));
    let is_imported = |&(item, index): &(u32, u32)| {
        let binding = facts.items[item as usize].facts.scopes[0].bindings.get(index as usize);
        binding.is_some_and(|binding| matches!(binding.value, Bound::Import { .. }))
    };
    facts.top_level.get(name).into_iter().flatten().any(is_imported)
        || handed_on.any(|export| export.name.as_ref().is_none_or(|exported| *exported == *name))
        || facts.top_level.contains_key("*")
}
