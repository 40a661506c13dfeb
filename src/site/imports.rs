//! The place for a new Python import, in the sort order of isort and ruff.

use tree_sitter::{Node, Tree};

/// The byte offset at which to insert a line `from module import …` in sorted order, in the group of imports that has
/// another import of the same package; `None` if no group has one.
pub(crate) fn import_place(tree: &Tree, text: &str, module: &str) -> Option<u32> {
    let mut groups: Vec<Vec<Import<'_>>> = Vec::new();
    let mut end = 0;
    let mut cursor = tree.walk();
    for node in tree.root_node().named_children(&mut cursor) {
        let Some(import) = Import::of(node, text) else {
            // Imports may follow a docstring and comments; an import after code may run too late for an alias.
            let precedes =
                matches!(node.kind(), "comment" | "future_import_statement") || end == 0 && is_docstring(node);
            if precedes { continue } else { break }
        };
        let is_parted = text[end..node.start_byte()].lines().skip(1).any(|line| line.trim().is_empty());
        end = node.end_byte();
        match groups.last_mut().filter(|_| !is_parted) {
            Some(group) => group.push(import),
            None => groups.push(vec![import]),
        }
    }
    let package = |module: &str| module.split('.').next().unwrap_or_default().to_string();
    let group = groups.iter().find(|group| group.iter().any(|import| package(import.module) == package(module)))?;
    let key = |names: bool, module: &str| (names, module.to_lowercase());
    let own = key(true, module);
    let before = group.iter().rev().find(|import| key(import.names, import.module) <= own);
    let at = match before {
        Some(import) => text[import.end..].find('\n').map_or(text.len(), |length| import.end + length + 1),
        None => group.first()?.start,
    };
    Some(at as u32)
}

fn is_docstring(node: Node<'_>) -> bool {
    node.kind() == "expression_statement" && node.named_child(0).is_some_and(|child| child.kind() == "string")
}

/// An import at the top of a file.
struct Import<'t> {
    start: usize,
    end: usize,
    module: &'t str,
    /// Whether it is `from module import name`, which sorts after `import module`.
    names: bool,
}

impl<'t> Import<'t> {
    fn of(node: Node<'_>, text: &'t str) -> Option<Import<'t>> {
        let (module, names) = match node.kind() {
            "import_statement" => (node.named_child(0)?, false),
            "import_from_statement" => (node.child_by_field_name("module_name")?, true),
            _ => return None,
        };
        let module = module.child_by_field_name("name").unwrap_or(module);
        Some(Import { start: node.start_byte(), end: node.end_byte(), module: &text[module.byte_range()], names })
    }
}

#[cfg(test)]
mod tests {
    use super::import_place;
    use crate::syntax::{Language, parse};

    /// The text with the line `from fastmcp.tools import Tool` inserted.
    fn with(text: &str) -> Option<String> {
        let tree = parse(Language::Python, text, None).unwrap();
        let at = import_place(&tree, text, "fastmcp.tools")? as usize;
        Some(format!("{}from fastmcp.tools import Tool\n{}", &text[..at], &text[at..]))
    }

    #[test]
    fn an_import_is_sorted_into_the_group_of_its_package() {
        let sorted = |text: &str| {
            assert_eq!(with(&text.replace("from fastmcp.tools import Tool\n", "")).as_deref(), Some(text));
        };
        sorted("from fastmcp import FastMCP\nfrom fastmcp.tools import Tool\nfrom pydantic import Field\n\nx = 1\n");
        sorted("import os\n\nimport fastmcp\nfrom fastmcp.tools import Tool\n\nfrom .own import run\n");
        sorted("import os\n\nfrom fastmcp.tools import Tool\nfrom fastmcp.utilities import logging\n");
        sorted(
            "from anyio import run  # why\nfrom fastmcp import (\n    Context,\n    FastMCP,\n)\nfrom fastmcp.tools import Tool\n",
        );
        sorted("\"\"\"Notes.\"\"\"\n\n# Why.\nfrom fastmcp.tools import Tool\nfrom fastmcp.utilities import logging\n");
        assert_eq!(with("import os\n\nfrom .own import mcp\n"), None);
        assert_eq!(with("import os\nx = 1\nfrom fastmcp import FastMCP\n"), None);
    }
}
