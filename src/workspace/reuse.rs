//! Reuse of an earlier analysis: what still holds after some files changed.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::analysis::Analysis;
use super::{Content, Files};
use crate::evaluate::{Found, Want, World};
use crate::lower::{
    Bound, CallKind, DEFAULT_EXPORT, Export, ExportTarget, Expr, FileFacts, HANDED_IN, Imported, ItemFacts,
};
use crate::text::FileId;

/// The parts of an earlier analysis that still hold.
pub(super) struct Reusable<'a> {
    previous: Option<&'a Analysis>,
    changed: FxHashMap<FileId, Changed<'a>>,
    /// Names that changed items call, import, derive from or pass on: files whose evaluation looked for callers by one
    /// of these names are evaluated again.
    words: FxHashSet<&'a SmolStr>,
}

/// The differences between two versions of a file.
#[derive(Default)]
struct Changed<'a> {
    /// Whether other names are defined or exported, or items were added or removed.
    interface: bool,
    /// The indices of the items that have changed.
    items: FxHashSet<u32>,
    /// The names of the lists, tables and values that those items add to, take from, or pass to a call.
    held: FxHashSet<&'a SmolStr>,
}

impl<'a> Changed<'a> {
    fn between(new: Option<&'a FileFacts>, before: Option<&'a FileFacts>, words: &mut FxHashSet<&'a SmolStr>) -> Self {
        let interface = match (new, before) {
            (Some(new), Some(before)) => !same_interface(new, before),
            _ => true,
        };
        let mut changed = Changed { interface, ..Changed::default() };
        for (facts, other) in [(new, before), (before, new)] {
            let Some(facts) = facts else { continue };
            for (index, item) in facts.items.iter().enumerate() {
                let same = other.and_then(|other| other.items.get(index));
                if !changed.interface && same.is_some_and(|other| Arc::ptr_eq(&other.facts, &item.facts)) {
                    continue;
                }
                changed.items.insert(index as u32);
                changed.note(&item.facts, words);
            }
        }
        changed
    }

    fn note(&mut self, item: &'a ItemFacts, words: &mut FxHashSet<&'a SmolStr>) {
        for call in &item.calls {
            let callee = match (&call.callee, call.kind) {
                (Expr::Call(inner), CallKind::Applied) => &item.call(*inner).callee,
                (callee, _) => callee,
            };
            words.extend(callee.last_name());
            if item.is_handed_in(call) {
                words.insert(&HANDED_IN_WORD);
            }
            if let Some(grown) = item.grown_by(call) {
                self.held.insert(grown);
                words.insert(grown);
            }
            self.held.extend(item.taken_from(call));
            let given = call.args.iter().filter_map(|arg| arg.value.last_name());
            let given: Vec<&SmolStr> = given.collect();
            words.extend(&given);
            self.held.extend(given);
        }
        self.held.extend(item.assigned.iter().filter_map(|assigned| assigned.table.last_name()));
        words.extend(item.handed.iter().chain(&item.handed_fields));
        words.extend(item.derived().map(|(base, _)| base));
        // An item that is exported under another name is called by that name.
        for export in &item.exports {
            match &export.target {
                ExportTarget::Local(name) | ExportTarget::From { name: Imported::Named(name), .. } => {
                    words.insert(name);
                }
                ExportTarget::From { name: Imported::Default, .. } => drop(words.insert(&DEFAULT_EXPORT_WORD)),
                _ => {}
            }
        }
        for binding in &item.scopes[0].bindings {
            match &binding.value {
                Bound::Import { name: Imported::Named(name), .. } => drop(words.insert(name)),
                Bound::Import { name: Imported::Default, .. } => drop(words.insert(&DEFAULT_EXPORT_WORD)),
                _ => {}
            }
        }
    }
}

static DEFAULT_EXPORT_WORD: SmolStr = SmolStr::new_static(DEFAULT_EXPORT);
static HANDED_IN_WORD: SmolStr = SmolStr::new_static(HANDED_IN);

/// Whether two versions of a file define and export the same names in the same items.
fn same_interface(new: &FileFacts, before: &FileFacts) -> bool {
    new.items.len() == before.items.len()
        && new.top_level == before.top_level
        && new.items.iter().zip(&before.items).all(|(new, before)| {
            let exported = |export: &Export| match &export.target {
                ExportTarget::From { module, name } => (export.name.clone(), Some((module.clone(), name.clone()))),
                _ => (export.name.clone(), None),
            };
            Arc::ptr_eq(&new.facts, &before.facts)
                || new.facts.exports.iter().map(exported).eq(before.facts.exports.iter().map(exported))
        })
}

impl<'a> Reusable<'a> {
    pub(super) fn new(files: &'a Files, previous: Option<&'a Analysis>) -> Reusable<'a> {
        let nothing = Reusable { previous: None, changed: FxHashMap::default(), words: FxHashSet::default() };
        let Some((analysis, old)) = previous.and_then(|analysis| Some((analysis, analysis.files.as_ref()?))) else {
            return nothing;
        };
        // Added or removed files, other frameworks, or packages that use other frameworks change what imports and forms
        // mean anywhere.
        let same_world = Arc::ptr_eq(&files.frameworks, &old.frameworks)
            && files.uses == old.uses
            && files.files.len() == old.files.len()
            && files.files.iter().zip(old.files.iter()).all(|(new, old)| match (new, old) {
                (Some(new), Some(old)) => {
                    match (&new.content, &old.content) {
                        (Content::Manifest(a), Content::Manifest(b)) => a == b,
                        (Content::TsConfig(a), Content::TsConfig(b)) => a == b,
                        // A file that has been parsed since counts as changed: files that wanted it are evaluated
                        // again.
                        (Content::Source(_), Content::Unparsed | Content::Reserve) => true,
                        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
                    }
                }
                (None, None) => true,
                _ => false,
            });
        if !same_world {
            return nothing;
        }
        let mut changed = FxHashMap::default();
        let mut words = FxHashSet::default();
        for &file in files.loaded_files() {
            let (new, before) = (files.facts(file), old.facts(file));
            if let (Some(new), Some(before)) = (new, before)
                && (std::ptr::eq(new, before) || new.same_items(before))
            {
                continue;
            }
            changed.insert(file, Changed::between(new, before, &mut words));
        }
        Reusable { previous: Some(analysis), changed, words }
    }

    pub(super) fn found(&self, file: FileId) -> Option<Arc<Found>> {
        let found = self.previous?.found.get(&file)?;
        let is = |read: &FileId, stale: &dyn Fn(&Changed<'a>) -> bool| self.changed.get(read).is_some_and(stale);
        let stale = self.changed.contains_key(&file)
            || found.reads.iter().any(|read| is(read, &|changed| changed.interface))
            || found.looked.iter().any(|(read, item)| is(read, &|changed| changed.items.contains(item)))
            || found.held.iter().any(|(read, name)| is(read, &|changed| changed.held.contains(name)))
            || found.wants.iter().any(|want| match want {
                Want::Word(word) => self.words.contains(word),
                Want::Import { .. } | Want::Text(_) => true,
            });
        (!stale).then(|| Arc::clone(found))
    }
}
