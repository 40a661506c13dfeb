//! Finds the expression by which a function refers to a part of its argument.

use tree_sitter::{Node, Tree};

use crate::syntax::Family;
use crate::text::Span;

/// A part of an argument, as a function refers to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Given {
    /// The expression, which can be assigned to: `request.params.name`.
    pub expression: String,
    /// The variable that it begins with: `request`.
    pub variable: String,
}

/// Returns how a function refers to a part of its parameter; `None` if no expression for the part can be assigned to.
/// `parameter` is 0-based and counts a receiver; `path` lists the members that lead to the part.
pub(crate) fn given(
    tree: &Tree,
    text: &str,
    family: Family,
    function: Span,
    (parameter, path): (usize, &[&str]),
) -> Option<Given> {
    let mut node = tree.root_node().descendant_for_byte_range(function.start as usize, function.end as usize)?;
    let parameters =
        |node: Node<'_>| ["parameters", "parameter"].iter().any(|it| node.child_by_field_name(it).is_some());
    while !parameters(node) {
        node = node.parent().filter(|parent| parent.end_byte() <= function.end as usize)?;
    }
    let pattern = match node.child_by_field_name("parameters") {
        Some(all) => {
            let mut cursor = all.walk();
            let mut all = all.named_children(&mut cursor).filter(|child| !child.kind().contains("comment"));
            let parameter = all.nth(parameter)?;
            // A value of type `unknown` has no members.
            let declared = parameter.child_by_field_name("type").and_then(|it| text.get(it.byte_range()));
            if declared.is_some_and(|it| it.trim_start_matches([':', ' ']) == "unknown") {
                return None;
            }
            bound(parameter)?
        }
        None => node.child_by_field_name("parameter").filter(|_| parameter == 0)?,
    };
    let (variable, rest) = named(pattern, text, path)?;
    // In Rust, a plain parameter itself cannot be assigned to; its members and the variables of a pattern can.
    let is_written = family != Family::Rust || !rest.is_empty() || pattern.kind() != "identifier";
    let expression = std::iter::once(variable).chain(rest.iter().copied()).collect::<Vec<&str>>().join(".");
    is_written.then(|| Given { expression, variable: variable.to_string() })
}

/// The pattern that a parameter binds, without its type and default value.
fn bound(parameter: Node<'_>) -> Option<Node<'_>> {
    match parameter.kind() {
        "identifier" | "object_pattern" => Some(parameter),
        "typed_parameter" => parameter.named_child(0).filter(|child| child.kind() == "identifier"),
        "default_parameter" | "typed_default_parameter" => parameter.child_by_field_name("name"),
        "assignment_pattern" => parameter.child_by_field_name("left"),
        _ => parameter.child_by_field_name("pattern"),
    }
}

/// The variable that a pattern binds on the way to the part at `path`, and the members that lead from it to the part.
fn named<'t, 'p>(pattern: Node<'_>, text: &'t str, path: &'p [&'p str]) -> Option<(&'t str, &'p [&'p str])> {
    let read = |node: Node<'_>| text.get(node.byte_range());
    match pattern.kind() {
        "identifier" | "shorthand_property_identifier_pattern" => Some((read(pattern)?, path)),
        "object_assignment_pattern" | "assignment_pattern" => named(pattern.child_by_field_name("left")?, text, path),
        "object_pattern" => {
            let (first, rest) = path.split_first()?;
            let mut cursor = pattern.walk();
            pattern.named_children(&mut cursor).find_map(|child| match child.kind() {
                "pair_pattern" if child.child_by_field_name("key").and_then(read) == Some(first) => {
                    named(child.child_by_field_name("value")?, text, rest)
                }
                "shorthand_property_identifier_pattern" if read(child) == Some(first) => named(child, text, rest),
                "object_assignment_pattern" if child.child_by_field_name("left").and_then(read) == Some(first) => {
                    named(child, text, rest)
                }
                _ => None,
            })
        }
        "struct_pattern" => {
            let (first, rest) = path.split_first()?;
            let mut cursor = pattern.walk();
            let mut fields = pattern.named_children(&mut cursor).filter(|child| child.kind() == "field_pattern");
            let field = fields.find(|field| field.child_by_field_name("name").and_then(read) == Some(first))?;
            match field.child_by_field_name("pattern") {
                Some(inner) => named(inner, text, rest),
                None => Some((read(field.child_by_field_name("name")?)?, rest)),
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Language, parse};

    #[track_caller]
    fn check(language: Language, text: &str, (parameter, path): (usize, &[&str]), expected: Option<&str>) {
        let tree = parse(language, text, None).expect("it is right");
        let whole = Span::new(0, text.trim_end().len());
        let found = given(&tree, text, language.family().expect("it is source"), whole, (parameter, path));
        assert_eq!(found.map(|given| given.expression).as_deref(), expected, "{text}");
    }

    #[test]
    fn a_parameter_leads_to_its_members() {
        let name = ["params", "name"];
        let typescript = |text: &str, expected| check(Language::TypeScript, text, (0, &name), expected);
        typescript("(request) => { run(); }", Some("request.params.name"));
        typescript("async request => { run(); }", Some("request.params.name"));
        typescript("async function (request: Call, extra) { run(); }", Some("request.params.name"));
        typescript("({ params }: Call) => { run(); }", Some("params.name"));
        typescript("({ params: { name, arguments: args } }) => { run(); }", Some("name"));
        typescript("({ params: { name: called } }) => { run(); }", Some("called"));
        typescript("({ params: { ...rest } }) => { run(); }", None);
        typescript("() => { run(); }", None);
        check(Language::Python, "def call(self, name: str, arguments):\n    run()\n", (1, &[]), Some("name"));
        check(Language::Python, "async def call(context, params):\n    run()\n", (1, &["name"]), Some("params.name"));
        let rust = |text: &str, expected| check(Language::Rust, text, (1, &["name"]), expected);
        rust("fn call(&self, request: Call) { run() }", Some("request.name"));
        rust("fn call(&self, Call { name, .. }: Call) { run() }", Some("name"));
    }
}
