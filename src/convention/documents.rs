//! The documents that a convention reads, and the columns of the tables in them.

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::document::{Node, Value};
use crate::path::{MAX_GLOB, MAX_GLOBS};

/// The documents of a convention, as globs on paths from the workspace's root.
#[derive(Debug, Clone, Default)]
pub struct Documents {
    /// Documents in which tools must have the names that their users know, and counts of tools must be right.
    pub named: Files,
    /// Documents whose tables of tools must agree with the code.
    pub tables: Files,
    /// The registry of a project's names, which must contain every tool and resource.
    pub registry: Files,
    /// The content of columns, by their headings.
    columns: Vec<(String, Column)>,
}

/// Some files of a workspace.
#[derive(Debug, Clone, Default)]
pub struct Files {
    globs: Vec<String>,
    set: GlobSet,
}

/// The content of a column in a table of tools or resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The tool's name in any form: as clients know it, as `tools/list` reports it, or as source contains it.
    Tool,
    /// The part of the name that source contains for this tool alone.
    Short,
    /// The name that `tools/list` reports.
    Name,
    Title,
    Description,
    /// The version that introduced the tool or resource.
    Version,
    /// The URI of a resource.
    Uri,
    /// The media type of a resource.
    Type,
}

pub(crate) const COLUMNS: [(&str, Column); 8] = [
    ("tool", Column::Tool),
    ("short", Column::Short),
    ("name", Column::Name),
    ("title", Column::Title),
    ("description", Column::Description),
    ("version", Column::Version),
    ("uri", Column::Uri),
    ("type", Column::Type),
];

impl Documents {
    /// The content of the column with a heading.
    pub fn column(&self, heading: &str) -> Option<Column> {
        self.columns.iter().find(|(known, _)| known.eq_ignore_ascii_case(heading)).map(|(_, column)| *column)
    }

    /// The headings of columns with some contents, in the same order, without those that have no heading.
    pub fn headings<'d>(&'d self, columns: &[Column]) -> Vec<&'d str> {
        let heading = |wanted: &Column| self.columns.iter().find(|(_, column)| column == wanted);
        columns.iter().filter_map(heading).map(|(heading, _)| heading.as_str()).collect()
    }

    pub(super) fn set_columns(&mut self, table: &Node) -> Result<(), String> {
        for (heading, value) in table.entries() {
            let known = value.as_str().and_then(|value| COLUMNS.iter().find(|(name, _)| *name == value));
            match known {
                Some((_, column)) => self.columns.push((heading.text.clone(), *column)),
                None => {
                    let all = COLUMNS.map(|(name, _)| format!("\"{name}\"")).join(", ");
                    return Err(format!("column `{}`: expected {all}", heading.text));
                }
            }
        }
        match table.value {
            Value::Object(_) => Ok(()),
            _ => Err("expected a table: { \"Full name\" = \"name\" }".to_string()),
        }
    }
}

impl Files {
    pub fn contain(&self, path: &str) -> bool {
        !self.globs.is_empty() && self.set.is_match(path)
    }

    pub fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }

    /// The name of the files, if it is the same in every folder, as in `**/NAMESPACES.md`.
    pub fn name(&self) -> Option<&str> {
        let name = self.globs.first()?.strip_prefix("**/")?;
        (!name.contains(['*', '?', '[', '{'])).then_some(name)
    }

    /// Reads a glob or a list of globs.
    pub(super) fn read(value: &Node) -> Result<Files, String> {
        let mut set = GlobSetBuilder::new();
        let single = value.as_str().into_iter();
        let globs: Vec<&str> = single.chain(value.elements().iter().filter_map(Node::as_str)).collect();
        if globs.len() != value.elements().len().max(usize::from(value.as_str().is_some())) {
            return Err("expected a list of globs".to_string());
        }
        if globs.len() > MAX_GLOBS {
            return Err(format!("more than {MAX_GLOBS} globs: name the folders that the files lie in"));
        }
        if globs.iter().any(|glob| glob.len() > MAX_GLOB) {
            return Err(format!("a glob of more than {MAX_GLOB} bytes"));
        }
        for glob in &globs {
            set.add(Glob::new(glob).map_err(|error| format!("`{glob}`: {}", error.kind()))?);
        }
        let set = set.build().map_err(|error| error.to_string())?;
        Ok(Files { globs: globs.into_iter().map(str::to_string).collect(), set })
    }
}
