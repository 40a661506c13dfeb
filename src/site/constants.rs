//! Constants with a string value, and how other code refers to them.

use tree_sitter::{Node, Tree};

use super::siblings::is_list;
use crate::text::Span;

/// The path by which code refers to the constant whose value is a literal: `["DROP"]`, or `["NAMES", "DROP"]` for an
/// entry of an object, a member of an enumeration or a field of a class. `literal` covers the text inside the quotes.
/// `None` if the literal is not the value of a constant.
pub(crate) fn constant_around(tree: &Tree, text: &str, literal: Span) -> Option<Vec<String>> {
    let source = |node: Node<'_>| text[node.byte_range()].trim_matches(['"', '\'', '`', '#']).to_string();
    let mut node = tree.root_node().descendant_for_byte_range(literal.start as usize, literal.end as usize)?;
    let mut path: Vec<String> = Vec::new();
    loop {
        let parent = node.parent()?;
        let is_value = |field: &str| parent.child_by_field_name(field) == Some(node);
        match parent.kind() {
            // Syntax around a value that adds nothing to the path.
            "string"
            | "template_string"
            | "string_literal"
            | "as_expression"
            | "satisfies_expression"
            | "parenthesized_expression"
            | "object"
            | "enum_body"
            | "class_body"
            | "expression_statement" => {}
            // `Object.freeze({ … })`
            "arguments" | "call_expression" if !path.is_empty() => {}
            "pair" if is_value("value") => path.insert(0, source(parent.child_by_field_name("key")?)),
            "enum_assignment" | "public_field_definition" | "const_item" | "static_item" if is_value("value") => {
                path.insert(0, source(parent.child_by_field_name("name").or_else(|| parent.named_child(0))?));
            }
            "assignment" if is_value("right") => path.insert(0, source(parent.child_by_field_name("left")?)),
            "variable_declarator" if is_value("value") => {
                let name = parent.child_by_field_name("name").filter(|name| name.kind() == "identifier")?;
                path.insert(0, source(name));
                return Some(path);
            }
            "block" | "declaration_list" if !path.is_empty() => {}
            "enum_declaration" | "class_declaration" | "class_definition" | "class" if !path.is_empty() => {
                path.insert(0, source(parent.child_by_field_name("name")?));
                return Some(path);
            }
            "module" | "source_file" | "mod_item" | "impl_item" if !path.is_empty() => return Some(path),
            _ => return None,
        }
        node = parent;
    }
}

/// The separator to write after an element of a list: the text between it and a neighbour, or else a comma. `None` if
/// the element is not in a list.
pub(crate) fn behind_element(tree: &Tree, text: &str, element: Span) -> Option<String> {
    let node = tree.root_node().descendant_for_byte_range(element.start as usize, element.end as usize)?;
    node.parent().filter(|list| is_list(*list))?;
    let between = |one: Node<'_>, other: Node<'_>| text[one.end_byte()..other.start_byte()].to_string();
    let neighbours = [
        node.prev_named_sibling().map(|before| between(before, node)),
        node.next_named_sibling().map(|next| between(node, next)),
    ];
    let is_plain = |gap: &String| gap.trim() == ",";
    Some(neighbours.into_iter().flatten().find(is_plain).unwrap_or_else(|| ", ".to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Language, parse};

    #[track_caller]
    fn check(language: Language, text: &str, expected: Option<&str>) {
        let at = text.find("drop_note").unwrap();
        let tree = parse(language, text, None).unwrap();
        let found = constant_around(&tree, text, Span::new(at, at + "drop_note".len()));
        assert_eq!(found.map(|path| path.join(".")).as_deref(), expected, "{text}");
    }

    #[test]
    fn constants_are_named_by_their_path() {
        check(Language::TypeScript, "export const DROP = 'drop_note' as const;", Some("DROP"));
        check(Language::TypeScript, "const NAMES = Object.freeze({ a: { drop: 'drop_note' } });", Some("NAMES.a.drop"));
        check(Language::TypeScript, "enum Names { Drop = 'drop_note' }", Some("Names.Drop"));
        check(Language::TypeScript, "class Drop { static readonly toolName = 'drop_note'; }", Some("Drop.toolName"));
        check(Language::TypeScript, "server.tool('drop_note', drop);", None);
        check(Language::TypeScript, "const drop = new Tool('drop_note');", None);
        check(Language::Python, "DROP = \"drop_note\"\n", Some("DROP"));
        check(Language::Python, "class Names(Enum):\n    DROP = \"drop_note\"\n", Some("Names.DROP"));
        check(Language::Rust, "pub const DROP: &str = \"drop_note\";", Some("DROP"));
    }
}
