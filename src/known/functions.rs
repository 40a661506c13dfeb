//! Resolves names to functions of the project.

use smol_str::SmolStr;

use crate::found::Lookup;
use crate::lower::{Bound, Expr, Function, Imported, ScopeId, ScopeKind};
use crate::text::FileId;
use crate::workspace::Files;

/// A function, identified by the scope of its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    pub file: FileId,
    pub item: u32,
    pub scope: ScopeId,
}

impl Found {
    /// Returns the function's signature; `None` if the scope is not a function body.
    pub(crate) fn function<'f>(&self, files: &'f Files) -> Option<&'f Function> {
        let item = files.facts(self.file)?.items.get(self.item as usize)?;
        match &item.facts.scope(self.scope).kind {
            ScopeKind::Function(function) => Some(function),
            _ => None,
        }
    }
}

/// Resolves a name in an item of a file to a function of the item or file, or to one that the file imports.
pub(crate) fn named(files: &Files, file: FileId, item: u32, name: &SmolStr) -> Option<Found> {
    let facts = files.facts(file)?;
    let own = facts.items.get(item as usize)?;
    let definition = own.facts.definitions.iter().find(|definition| definition.name == *name);
    if let Some(definition) = definition {
        return Some(Found { file, item, scope: definition.body });
    }
    let &(item, index) = facts.top_level.get(name)?.first()?;
    match &facts.items.get(item as usize)?.facts.scopes[0].bindings.get(index as usize)?.value {
        Bound::Value(Expr::Function { scope, .. }) => Some(Found { file, item, scope: *scope }),
        Bound::Import { module, name: Imported::Named(there) } => match files.resolve(file, module) {
            Lookup::Found(target) if target != file => {
                let facts = files.facts(target)?;
                let &(item, _) = facts.top_level.get(there)?.first()?;
                named(files, target, item, there)
            }
            _ => None,
        },
        _ => None,
    }
}
