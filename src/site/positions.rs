//! Finds code that accesses list elements by index. An insertion before such an element would shift it.

use tree_sitter::{Node, Tree};

use crate::text::Span;

/// A list that a variable holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeldList {
    /// The name of the variable.
    pub name: String,
    /// The number of elements that end before the offset passed to [`list_held`].
    pub before: usize,
}

/// An expression that picks elements from a list by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Picked {
    pub span: Span,
    /// The last position, 0-based; `None` if every position matters, because the expression counts from the end or
    /// unpacks the whole list.
    pub last: Option<usize>,
}

const LISTS: [&str; 4] = ["array", "list", "tuple", "array_expression"];

/// The list literal, held by a variable, that contains the byte offset `at` between two elements or after the last;
/// `None` if `at` is inside an element, or no variable holds the list.
pub(crate) fn list_held(tree: &Tree, text: &str, at: u32) -> Option<HeldList> {
    let at = at as usize;
    let node = tree.root_node().descendant_for_byte_range(at, at)?;
    let list = std::iter::successors(Some(node), |node| node.parent())
        .find(|node| LISTS.contains(&node.kind()) && node.start_byte() < at && at < node.end_byte())?;
    let mut cursor = list.walk();
    let elements = list.named_children(&mut cursor).filter(|child| !child.kind().contains("comment"));
    let elements: Vec<Node<'_>> = elements.collect();
    if elements.iter().any(|element| element.start_byte() < at && at < element.end_byte()) {
        return None;
    }
    let holder = std::iter::successors(list.parent(), |node| node.parent()).find(|node| !is_wrapping(*node))?;
    let name = ["name", "pattern", "left"].iter().find_map(|field| holder.child_by_field_name(field))?;
    let is_name = matches!(name.kind(), "identifier" | "property_identifier");
    let before = elements.iter().filter(|element| element.end_byte() <= at).count();
    is_name.then(|| HeldList { name: text[name.byte_range()].to_string(), before })
}

/// The expressions in a text that pick elements by position from the list called `name`.
pub(crate) fn picked(tree: &Tree, text: &str, name: &str) -> Vec<Picked> {
    let places = text.match_indices(name).filter_map(|(at, _)| {
        let node = tree.root_node().descendant_for_byte_range(at, at + name.len())?;
        let is_it = node.kind().ends_with("identifier") && text[node.byte_range()] == *name;
        picked_from(node, text).filter(|_| is_it)
    });
    places.collect()
}

fn picked_from(list: Node<'_>, text: &str) -> Option<Picked> {
    let found = |node: Node<'_>, last| Some(Picked { span: Span::new(node.start_byte(), node.end_byte()), last });
    let mut node = list;
    loop {
        let parent = node.parent()?;
        let is = |field: &str| parent.child_by_field_name(field) == Some(node);
        match parent.kind() {
            // `tools.LIST`
            "member_expression" if is("property") => node = parent,
            "attribute" if is("attribute") => node = parent,
            "scoped_identifier" if is("name") => node = parent,
            _ if is_wrapping(parent) => node = parent,
            // `LIST[2]`
            "subscript_expression" if is("object") => {
                return found(parent, position(parent.child_by_field_name("index")?, text)?);
            }
            "subscript" if is("value") => {
                return found(parent, position(parent.child_by_field_name("subscript")?, text)?);
            }
            "index_expression" if parent.named_child(0) == Some(node) => {
                return found(parent, position(parent.named_child(1)?, text)?);
            }
            // `LIST.at(2)`
            "member_expression" if is("object") => {
                let call = parent.parent().filter(|call| call.kind() == "call_expression")?;
                let is_at = &text[parent.child_by_field_name("property")?.byte_range()] == "at";
                let index = call.child_by_field_name("arguments")?.named_child(0)?;
                return if is_at { found(call, position(index, text)?) } else { None };
            }
            // `const [a, b] = LIST`, `a, b = LIST`
            "variable_declarator" | "let_declaration" | "assignment" if is("value") || is("right") => {
                let pattern = ["name", "pattern", "left"].iter().find_map(|field| parent.child_by_field_name(field))?;
                let takes_apart = ["array_pattern", "pattern_list", "tuple_pattern", "list_pattern", "slice_pattern"];
                let count = pattern.named_child_count();
                let is_open = pattern.kind() == "array_pattern" && !text[pattern.byte_range()].contains("...");
                let last = if is_open { count.checked_sub(1) } else { None };
                return if takes_apart.contains(&pattern.kind()) { found(parent, last) } else { None };
            }
            // `zip(LIST, HANDLERS)`
            "argument_list" => {
                let call = parent.parent()?;
                let is_zip = &text[call.child_by_field_name("function")?.byte_range()] == "zip";
                return if is_zip { found(call, None) } else { None };
            }
            _ => return None,
        }
    }
}

/// The position that an index denotes: `Some(None)` if it counts from the end, `None` if it is not a literal number.
fn position(index: Node<'_>, text: &str) -> Option<Option<usize>> {
    let said = text[index.byte_range()].replace('_', "");
    match said.strip_prefix('-') {
        Some(rest) => rest.parse::<usize>().ok().map(|_| None),
        None => said.parse().ok().map(Some),
    }
}

/// Whether a node has the same value as the expression inside it.
fn is_wrapping(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "parenthesized_expression"
            | "as_expression"
            | "satisfies_expression"
            | "reference_expression"
            | "non_null_expression"
    )
}

#[cfg(test)]
mod tests {
    use super::{list_held, picked};
    use crate::syntax::{Language, parse};

    fn check(language: Language, marked: &str, held: Option<(&str, usize)>, expected: &[(&str, Option<usize>)]) {
        let at = marked.find('|').unwrap();
        let text = marked.replacen('|', "", 1);
        let tree = parse(language, &text, None).unwrap();
        let found = list_held(&tree, &text, at as u32);
        assert_eq!(found.as_ref().map(|held| (held.name.as_str(), held.before)), held, "{marked}");
        let name = found.map_or_else(|| "L".to_string(), |held| held.name);
        let picked = picked(&tree, &text, &name);
        let found: Vec<_> = picked.iter().map(|one| (&text[one.span.range()], one.last)).collect();
        assert_eq!(found, expected, "{marked}");
    }

    #[test]
    fn an_element_is_picked_by_an_index_or_by_taking_the_list_apart() {
        let script = |text, held, expected: &[_]| check(Language::TypeScript, text, held, expected);
        script(
            "const L = [a, b|, c] as const; f(L[2], L.at(-1), L.map(g), L[i]);",
            Some(("L", 2)),
            &[("L[2]", Some(2)), ("L.at(-1)", None)],
        );
        script(
            "const L = [a|];\nconst [x, y] = L; const [z, ...rest] = own.L;",
            Some(("L", 1)),
            &[("[x, y] = L", Some(1)), ("[z, ...rest] = own.L", None)],
        );
        script("const L = [{ name: \"a\"| }]; L[0];", None, &[("L[0]", Some(0))]);
        let python = |text, held, expected: &[_]| check(Language::Python, text, held, expected);
        python(
            "L = [\n    T(),|\n    U(),\n]\nS(tool=L[1])\nx, y = L\nL[1:]\nzip(L, H)\nL[-1]\n",
            Some(("L", 1)),
            &[("L[1]", Some(1)), ("x, y = L", None), ("zip(L, H)", None), ("L[-1]", None)],
        );
        python("L: list[Tool] = [T()|]\n", Some(("L", 1)), &[]);
        check(Language::Rust, "const L: [T; 2] = [a, |b]; fn f() { g(&L[1]) }", Some(("L", 1)), &[("L[1]", Some(1))]);
    }
}
