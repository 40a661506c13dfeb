//! The layout of an alias in Python, for the line length of the project's formatter.

use super::writer::Writer;
use crate::document;
use crate::path::{folders_above, joined};
use crate::site::{self, LINE_WIDTH};
use crate::text::line_break;

impl Writer<'_> {
    /// A Python statement or decorator, formatted as black and ruff would format it at its indentation.
    pub(super) fn laid_out(&self, text: &str, indent: &str) -> String {
        site::laid_out(text, indent, self.width(), line_break(self.source))
    }

    /// The maximum line length in columns, from the settings of ruff or black for this file.
    fn width(&self) -> usize {
        const SETTINGS: [(&str, &[&str]); 4] = [
            ("pyproject.toml", &["tool", "ruff", "line-length"]),
            ("pyproject.toml", &["tool", "black", "line-length"]),
            ("ruff.toml", &["line-length"]),
            (".ruff.toml", &["line-length"]),
        ];
        let files = &self.snapshot.files;
        let said = |folder: &str| {
            SETTINGS.iter().find_map(|(name, key)| {
                let file = files.by_path(&joined(folder, name)?)?;
                let (root, _) = document::parse_toml(&(self.texts)(file.id)?);
                root.at(key.iter().copied())?.as_usize()
            })
        };
        folders_above(files.path(self.file)).find_map(said).unwrap_or(LINE_WIDTH)
    }
}
