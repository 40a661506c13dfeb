//! Resolves names to the values that the project gives them.

use smol_str::SmolStr;

use crate::found::Lookup;
use crate::lower::{Bound, Expr, Imported, ItemFacts};
use crate::text::FileId;
use crate::workspace::Files;

/// The number of imports and variables that may lie between a name and its value.
const MOST_STEPS: usize = 8;

/// An expression, and the item that it is in.
#[derive(Clone, Copy)]
pub(crate) struct Found<'f> {
    pub(crate) file: FileId,
    pub(crate) item: u32,
    /// The byte offset of the item in its file; spans of the facts are relative to it.
    pub(crate) start: u32,
    pub(crate) facts: &'f ItemFacts,
    pub(crate) expr: &'f Expr,
}

/// Returns the value of a variable of an item, of its file, or of a file that the file imports. `None` if the variable
/// gets several values, or one that is not written out.
pub(crate) fn named<'f>(files: &'f Files, file: FileId, item: u32, name: &SmolStr) -> Option<Found<'f>> {
    let (mut file, mut item, mut name) = (file, Some(item), name);
    for _ in 0..MOST_STEPS {
        let facts = files.facts(file)?;
        let (owner, bound) =
            match item.and_then(|item| Some((item, own(&facts.items.get(item as usize)?.facts, name)?))) {
                Some(found) => found,
                None => {
                    let [(item, index)] = *facts.top_level.get(name)?.as_slice() else { return None };
                    (item, &facts.items.get(item as usize)?.facts.scopes[0].bindings.get(index as usize)?.value)
                }
            };
        let of_item = facts.items.get(owner as usize)?;
        match bound {
            Bound::Value(Expr::Name { name: other, .. }) => (item, name) = (Some(owner), other),
            Bound::Value(expr) => {
                return Some(Found { file, item: owner, start: of_item.start, facts: &of_item.facts, expr });
            }
            Bound::Import { module, name: Imported::Named(there) } => match files.resolve(file, module) {
                Lookup::Found(target) if target != file => (file, item, name) = (target, None, there),
                _ => return None,
            },
            _ => return None,
        }
    }
    None
}

/// Returns what an item binds a name to, if it does so once.
fn own<'f>(facts: &'f ItemFacts, name: &SmolStr) -> Option<&'f Bound> {
    let mut all = facts.scopes.iter().flat_map(|scope| &scope.bindings).filter(|binding| binding.name == *name);
    let first = all.next()?;
    all.next().is_none().then_some(&first.value)
}
