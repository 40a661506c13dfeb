//! What of an earlier analysis still holds after some files changed.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::servers::Analysis;
use super::{Content, Files};
use crate::evaluate::{Found, Want, World};
use crate::lower::{Bound, Imported};
use crate::text::FileId;

/// What of an earlier analysis still holds.
pub(super) struct Reusable<'a> {
    previous: Option<&'a Analysis>,
    changed: FxHashSet<FileId>,
    /// Names that changed files call or import: whoever looked for callers by them looks again.
    words: FxHashSet<&'a SmolStr>,
}

impl<'a> Reusable<'a> {
    pub(super) fn new(files: &'a Files, previous: Option<&'a Analysis>) -> Reusable<'a> {
        let nothing = Reusable { previous: None, changed: FxHashSet::default(), words: FxHashSet::default() };
        let Some((analysis, old)) = previous.and_then(|analysis| Some((analysis, analysis.files.as_ref()?))) else {
            return nothing;
        };
        // New or vanished files, another vocabulary, or packages that use other frameworks change what imports
        // and forms mean anywhere.
        let same_world = Arc::ptr_eq(&files.frameworks, &old.frameworks)
            && files.uses == old.uses
            && files.files.len() == old.files.len()
            && files.files.iter().zip(old.files.iter()).all(|(new, old)| match (new, old) {
                (Some(new), Some(old)) => {
                    match (&new.content, &old.content) {
                        (Content::Manifest(a), Content::Manifest(b)) => a == b,
                        (Content::TsConfig(a), Content::TsConfig(b)) => a == b,
                        // A file that was parsed since is a changed one: who had wanted it looks again.
                        (Content::Source(_), Content::Unparsed) => true,
                        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
                    }
                }
                (None, None) => true,
                _ => false,
            });
        if !same_world {
            return nothing;
        }
        let mut changed = FxHashSet::default();
        let mut words = FxHashSet::default();
        for &file in files.loaded_files() {
            let (new, before) = (files.facts(file), old.facts(file));
            if let (Some(new), Some(before)) = (new, before)
                && (std::ptr::eq(new, before) || new.same_items(before))
            {
                continue;
            }
            changed.insert(file);
            for facts in [new, before].into_iter().flatten() {
                words.extend(facts.calls.keys());
                for places in facts.top_level.values() {
                    for &(item, index) in places {
                        let binding = &facts.item(item).facts.scopes[0].bindings[index as usize];
                        if let Bound::Import { name: Imported::Named(name), .. } = &binding.value {
                            words.insert(name);
                        }
                    }
                }
            }
        }
        Reusable { previous: Some(analysis), changed, words }
    }

    pub(super) fn found(&self, file: FileId) -> Option<Arc<Found>> {
        let found = self.previous?.found.get(&file)?;
        let stale = self.changed.contains(&file)
            || found.reads.iter().any(|read| self.changed.contains(read))
            || found.wants.iter().any(|want| match want {
                Want::Word(word) => self.words.contains(word),
                Want::Import { .. } => true,
            });
        (!stale).then(|| Arc::clone(found))
    }
}
