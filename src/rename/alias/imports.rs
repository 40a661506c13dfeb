//! The imports that an alias needs.

use std::collections::BTreeMap;

use super::writer::Writer;
use super::{Misfit, NoAlias};
use crate::lower::{Bound, Imported};
use crate::site;
use crate::syntax;
use crate::text::{Edit, Span, line_break};

impl Writer<'_> {
    /// Returns the edits that add the missing imports, each at its place in sorted order.
    pub(super) fn imports(&self, wanted: &[String]) -> Result<Vec<Edit>, Misfit> {
        let facts = self.snapshot.files.facts(self.file);
        let bound = |name: &str| {
            let (item, binding) = *facts?.top_level.get(name)?.first()?;
            facts?.items.get(item as usize)?.facts.scopes.first()?.bindings.get(binding as usize)
        };
        let mut imports: BTreeMap<u32, String> = BTreeMap::new();
        let tree = syntax::parse(self.language, self.source, None);
        let line_break = line_break(self.source);
        for import in wanted {
            let (from, names) = import.rsplit_once(" import ").ok_or(NoAlias::BadImport)?;
            let module = from.trim_start_matches("from ");
            let mut missing = Vec::new();
            for name in names.split(", ") {
                match bound(name).map(|binding| &binding.value) {
                    None => missing.push(name),
                    Some(Bound::Import { module: own, name: Imported::Named(own_name) })
                        if own == module && own_name == name => {}
                    // The file already uses the name for something else.
                    Some(_) => return Err(Misfit::Obstacle(NoAlias::NameTaken(name.to_string()))),
                }
            }
            if missing.is_empty() {
                continue;
            }
            let sorted = tree.as_ref().and_then(|tree| site::import_place(tree, self.source, module));
            let at = sorted.or_else(|| self.snapshot.files.first_import(self.file)).ok_or(NoAlias::NoImports)?;
            imports.entry(at).or_default().push_str(&format!("{from} import {}{line_break}", missing.join(", ")));
        }
        Ok(imports.into_iter().map(|(at, text)| Edit::new(Span::at(at as usize), text)).collect())
    }
}
