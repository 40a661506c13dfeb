//! The documents that a convention reads, and the columns of the tables in them.

use globset::{Glob, GlobSet, GlobSetBuilder};

/// The documents of a convention, as globs on paths from the workspace's root.
#[derive(Debug, Clone, Default)]
pub struct Documents {
    /// Documents that must use the tool names that users know and give correct counts of tools.
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
    Tool,
    Short,
    Name,
    Title,
    Description,
    Version,
    Uri,
    Type,
}

/// The contents of columns: the word for each, and its meaning.
pub(super) const COLUMNS: [(&str, &str, Column); 8] = [
    ("tool", "The tool's name in any form: a client's, the listed one, or that of the source.", Column::Tool),
    ("short", "The part of the tool's name that the source contains for this tool alone.", Column::Short),
    ("name", "The name that `tools/list` reports.", Column::Name),
    ("title", "The title.", Column::Title),
    ("description", "The description.", Column::Description),
    ("version", "The version that introduced the tool or resource.", Column::Version),
    ("uri", "The URI of a resource.", Column::Uri),
    ("type", "The media type of a resource.", Column::Type),
];

impl Documents {
    /// The content of the column with a heading; `None` if it is not known.
    pub fn column(&self, heading: &str) -> Option<Column> {
        self.columns.iter().find(|(known, _)| known.eq_ignore_ascii_case(heading)).map(|(_, column)| *column)
    }

    /// The headings of the columns with the given contents, in the same order; contents without a column are left out.
    pub fn headings<'d>(&'d self, columns: &[Column]) -> Vec<&'d str> {
        let heading = |wanted: &Column| self.columns.iter().find(|(_, column)| column == wanted);
        columns.iter().filter_map(heading).map(|(heading, _)| heading.as_str()).collect()
    }

    pub(super) fn add_columns(&mut self, columns: impl Iterator<Item = (String, Column)>) {
        self.columns.extend(columns);
    }
}

impl Files {
    pub fn contain(&self, path: &str) -> bool {
        !self.globs.is_empty() && self.set.is_match(path)
    }

    pub fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }

    /// The file name, if the first glob matches one file name in any folder, as in `**/NAMESPACES.md`.
    pub fn name(&self) -> Option<&str> {
        let name = self.globs.first()?.strip_prefix("**/")?;
        (!name.contains(['*', '?', '[', '{'])).then_some(name)
    }

    pub(super) fn new(globs: impl Iterator<Item = Glob>) -> Files {
        let (mut set, mut texts) = (GlobSetBuilder::new(), Vec::new());
        for glob in globs {
            texts.push(glob.glob().to_string());
            set.add(glob);
        }
        Files { globs: texts, set: set.build().unwrap_or_default() }
    }
}
