//! Lists that a test compares with a value in which it also looks for a string.

use tree_sitter::{Node, Tree};

use super::siblings::is_list;
use crate::text::Span;

/// The maximum number of occurrences of the value to examine.
const MOST: usize = 100;

/// Finds the value in which a call or comparison looks for a literal, and returns the first string of each list that
/// the function around the literal compares with that value: `"a"` of `["a", "b"]`, for the literal `"b"` in
/// `expect(names).toContain("b"); expect(names).toEqual(["a", "b"]);`.
pub(crate) fn compared_lists(tree: &Tree, text: &str, literal: Span) -> Vec<Span> {
    let own = tree.root_node().descendant_for_byte_range(literal.start as usize, literal.end as usize);
    let above = || std::iter::successors(own, |node| node.parent());
    let Some(subject) = above().find_map(|node| searched(node, literal, text)) else { return Vec::new() };
    let Some(function) = above().find(is_function) else { return Vec::new() };
    let mut found = Vec::new();
    let inside = &text[function.byte_range()];
    for (at, _) in inside.match_indices(subject).take(MOST) {
        let at = function.start_byte() + at;
        let Some(leaf) = tree.root_node().descendant_for_byte_range(at, at + subject.len()) else { continue };
        let is_statement = |node: &Node<'_>| node.kind().ends_with("_statement") || node.kind() == "macro_invocation";
        let statement = std::iter::successors(Some(leaf), |node| node.parent()).find(is_statement);
        let mut open: Vec<Node<'_>> = statement.into_iter().collect();
        while let Some(node) = open.pop() {
            let first = node.named_child(0).filter(|first| first.kind().contains("string"));
            if let Some(first) = first.filter(|_| is_list(node)) {
                found.push(Span::new(first.start_byte(), first.end_byte()));
            }
            open.extend(node.named_children(&mut node.walk()));
        }
    }
    found.dedup();
    found
}

/// Whether a node is a function: in every grammar used here, a function has parameters and a body.
fn is_function(node: &Node<'_>) -> bool {
    let has = |field: &str| node.child_by_field_name(field).is_some();
    has("body") && (has("parameters") || has("parameter"))
}

/// The value in which a call or a comparison looks for a literal: `names` in `expect(names).toContain("a")`,
/// `names.includes("a")` and `"a" in names`.
fn searched<'t>(node: Node<'_>, literal: Span, text: &'t str) -> Option<&'t str> {
    let source = |node: Node<'_>| &text[node.byte_range()];
    match node.kind() {
        "call_expression" | "call" => {
            let callee = node.child_by_field_name("function")?;
            let mut object = callee.child_by_field_name("object").or_else(|| callee.child_by_field_name("value"))?;
            // `expect(names).not.toContain`
            while let Some(inner) = object.child_by_field_name("object") {
                object = inner;
            }
            let expected = object.child_by_field_name("arguments").and_then(|given| given.named_child(0));
            Some(source(expected.unwrap_or(object)))
        }
        "comparison_operator" => {
            let mut cursor = node.walk();
            let is_own = |side: &Node<'_>| {
                side.start_byte() <= literal.start as usize && side.end_byte() >= literal.end as usize
            };
            node.named_children(&mut cursor).find(|side| !is_own(side)).map(source)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Language, parse};

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        let at = text.find("drop").unwrap();
        let tree = parse(language, text, None).unwrap();
        let found = compared_lists(&tree, text, Span::new(at, at + "drop".len()));
        assert_eq!(found.iter().map(|span| &text[span.range()]).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn lists_are_found_by_what_is_compared_with_them() {
        let typescript = |text: &str, expected: &[&str]| check(Language::TypeScript, text, expected);
        typescript(
            "it('', () => { expect(names).toContain('drop'); expect(names).toEqual(['a', 'drop']); });",
            &["'a'"],
        );
        typescript("it('', () => { ok(names.includes('drop')); equal(['a', 'drop'], names); });", &["'a'"]);
        typescript("it('', () => { expect(names).toContain('drop'); expect(others).toEqual(['a', 'drop']); });", &[]);
        typescript("it('', () => { expect(n).toContain('drop'); }); it('', () => { expect(n).toEqual(['a']); });", &[]);
        let python = "def test():\n    assert 'drop' in names\n    assert names == ['a', 'drop']\n";
        check(Language::Python, python, &["'a'"]);
    }
}
