//! The constants that a file refers to, its own and imported ones, and the names that it uses for them.

use tree_sitter::{Node, Tree};

use super::{Constant, Family, Reader, Said, is_constant, span_of};

/// The names that a file offers to other files for the values of `constants`: `export const REMOVE = NAMES.DROP`,
/// `export { DROP as REMOVE } from "./names.js"`.
pub(crate) fn constants_offered(tree: &Tree, text: &str, family: Family, constants: &[Constant]) -> Vec<Constant> {
    let (reader, nodes) = Reader::bound_in(tree, text, family, &|_| false, constants, 0);
    let offered = |node: &Node<'_>| -> Option<(String, String)> {
        let field = |name: &str| node.child_by_field_name(name);
        let (name, means) = match node.kind() {
            "export_specifier" => (field("alias")?, field("name")?),
            "use_as_clause" => (field("alias")?, field("path")?),
            "variable_declarator" if is_exported(*node) => (field("name")?, field("value")?),
            "const_item" | "static_item" => (field("name")?, field("value")?),
            "assignment" if is_of_module(*node) => (field("left")?, field("right")?),
            _ => return None,
        };
        is_constant(means).then(|| (reader.source(name).to_string(), reader.meaning(means)))
    };
    let renamed = |(name, means): (String, String)| {
        let parts = parts_of(&means);
        constants.iter().find_map(|constant| {
            let is_it = |length: &usize| {
                parts.ends_with(&constant.path[..*length].iter().map(String::as_str).collect::<Vec<_>>())
            };
            let length = (1..=constant.path.len().min(parts.len())).find(is_it)?;
            let path = std::iter::once(name.clone()).chain(constant.path[length..].iter().cloned()).collect();
            Some(Constant { path, text: constant.text.clone(), hidden_in: Vec::new() })
        })
    };
    nodes
        .iter()
        .filter_map(offered)
        .filter_map(renamed)
        .filter(|found| !constants.iter().any(|known| (&known.path, &known.text) == (&found.path, &found.text)))
        .collect()
}

impl<'t, 's> Reader<'t, 's> {
    /// Records the aliases that a node binds, and its parameters and loop variables.
    pub(super) fn note(&mut self, node: Node<'t>) {
        let of_loop = node.kind().starts_with("for_");
        let fields = if of_loop { ["left", "pattern"] } else { ["parameters", "parameter"] };
        let mut open: Vec<Node<'t>> = fields.iter().filter_map(|field| node.child_by_field_name(field)).collect();
        while let Some(inner) = open.pop() {
            if matches!(inner.kind(), "identifier" | "shorthand_property_identifier_pattern") {
                self.local.insert(self.source(inner));
            }
            open.extend(inner.named_children(&mut inner.walk()));
        }
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "import_specifier" | "aliased_import" | "use_as_clause" => {
                if let (Some(alias), Some(name)) = (field("alias"), field("name").or_else(|| field("path"))) {
                    self.renamed.insert(self.source(alias), self.source(name).to_string());
                }
            }
            "variable_declarator" => {
                let pattern = field("name").filter(|name| name.kind() == "object_pattern");
                if let (Some(pattern), Some(value)) = (pattern, field("value")) {
                    self.note_fields(pattern, value);
                }
            }
            _ => {}
        }
    }

    /// Records the names that a pattern binds to fields of an object: `{ DROP: D } = NAMES`,
    /// `{ DROP } = require("./names")`.
    fn note_fields(&mut self, pattern: Node<'t>, value: Node<'t>) {
        let of = if is_constant(value) { format!("{}.", self.source(value)) } else { String::new() };
        let mut cursor = pattern.walk();
        for field in pattern.named_children(&mut cursor) {
            let (key, name) = match field.kind() {
                "shorthand_property_identifier_pattern" => (Some(field), Some(field)),
                "pair_pattern" => (field.child_by_field_name("key"), field.child_by_field_name("value")),
                _ => (None, None),
            };
            if let (Some(key), Some(name)) = (key, name.filter(|name| name.kind() != "object_pattern")) {
                self.renamed.insert(self.source(name), format!("{of}{}", self.source(key)));
            }
        }
    }

    /// The value of a constant that is known from another file: `DROP`, `NAMES.DROP`, `names::DROP`.
    pub(super) fn constant(&self, node: Node<'t>) -> Option<Vec<Said>> {
        let meaning = self.meaning(node);
        let parts = parts_of(&meaning);
        let is_it = |constant: &&Constant| {
            let path = &constant.path;
            let is_of_another = path.len() < parts.len() && constant.hidden_in.iter().any(|module| *module == parts[0]);
            path.len() <= parts.len()
                && path.iter().rev().zip(parts.iter().rev()).all(|(one, part)| one == part)
                && !is_of_another
        };
        let constant = self.constants.iter().find(is_it)?;
        if self.is_another(root_of(node)) {
            return None;
        }
        Some(vec![Said { text: constant.text.clone(), literal: None, used: span_of(node) }])
    }

    /// The path of an expression, with the original name in place of an alias.
    fn meaning(&self, node: Node<'t>) -> String {
        let written = self.source(node).trim_end_matches(".value");
        let root = self.source(root_of(node));
        match self.renamed.get(root) {
            Some(means) => format!("{means}{}", &written[root.len().min(written.len())..]),
            None => written.to_string(),
        }
    }

    /// Whether a name refers to something other than a constant of the file or an import: a parameter, a loop variable,
    /// or a variable that does not hold a constant object.
    fn is_another(&self, name: Node<'t>) -> bool {
        let called = self.source(name);
        let is_it = |node: Option<Node<'t>>| node.is_some_and(|node| self.source(node) == called);
        // Finding the ancestors of a node is slow, since it visits the nodes before it; most names do not need this.
        if !self.local.contains(called) && !self.declared.contains_key(called) {
            return false;
        }
        if self.is_parameter(name) {
            return true;
        }
        for around in std::iter::successors(name.parent(), |node| node.parent()) {
            let variable = around.child_by_field_name("left").or_else(|| around.child_by_field_name("pattern"));
            if around.kind().starts_with("for_") && is_it(variable) {
                return true;
            }
        }
        // Of the declarations in the blocks around the name, the nearest one applies.
        let around = |value: &&Node<'t>| {
            let declaration = value.parent().and_then(|declarator| declarator.parent());
            let block = declaration.and_then(|declaration| declaration.parent());
            block.is_some_and(|block| {
                block.kind() == "export_statement" || block.byte_range().contains(&name.start_byte())
            })
        };
        let declared = self.declared.get(called).into_iter().flatten().filter(around);
        let nearest = declared.max_by_key(|value| value.start_byte());
        nearest.is_some_and(|value| !is_constant_object(*value, self.text) && !is_taken_apart(*value))
    }
}

/// The name with which an expression begins.
fn root_of(mut node: Node<'_>) -> Node<'_> {
    while let Some(inner) = ["object", "value", "path"].iter().find_map(|field| node.child_by_field_name(field)) {
        node = inner;
    }
    node
}

fn parts_of(written: &str) -> Vec<&str> {
    written.split(['.', ':']).map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Whether a value is an object literal, possibly frozen, or a class.
fn is_constant_object(value: Node<'_>, text: &str) -> bool {
    match value.kind() {
        "as_expression" | "satisfies_expression" => {
            value.named_child(0).is_some_and(|inner| is_constant_object(inner, text))
        }
        "call_expression" => text[value.byte_range()].starts_with("Object.freeze("),
        kind => matches!(kind, "object" | "class"),
    }
}

/// Whether the declaration of a value destructures it.
fn is_taken_apart(value: Node<'_>) -> bool {
    let name = value.parent().and_then(|declarator| declarator.child_by_field_name("name"));
    name.is_some_and(|name| name.kind() == "object_pattern")
}

fn is_exported(declarator: Node<'_>) -> bool {
    let statement = declarator.parent().and_then(|declaration| declaration.parent());
    statement.is_some_and(|statement| statement.kind() == "export_statement")
}

/// Whether an assignment is at the top level of a Python module.
fn is_of_module(assignment: Node<'_>) -> bool {
    let block = assignment.parent().and_then(|statement| statement.parent());
    block.is_some_and(|block| block.kind() == "module")
}
