//! Assertions about the length of a value, or about the number of calls.

use smol_str::SmolStr;
use tree_sitter::{Node, Tree};

use crate::text::{Edit, Span};

/// A number that an assertion compares with a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count {
    pub number: Span,
    /// The counted value: `tools` in `expect(tools.length).toBe(2)`.
    pub counted: Span,
}

/// Members that return a length or a number of calls.
const LENGTHS: [&str; 5] = ["length", "size", "len", "call_count", "callCount"];

/// Suffixes of assertion methods that expect a count.
const EXPECTATIONS: [&str; 2] = ["Length", "CalledTimes"];

/// Node kinds between a number and its statement that may contain several values.
const LISTS: [&str; 3] = ["arguments", "argument_list", "token_tree"];

/// The node kinds of numbers.
const NUMBERS: [&str; 3] = ["number", "integer", "integer_literal"];

/// The literals of a number inside a span.
pub(crate) fn numbers(tree: &Tree, text: &str, span: Span, number: &str) -> Vec<Span> {
    let within = text.get(span.range()).unwrap_or_default();
    let places = within.match_indices(number).map(|(at, _)| span.start as usize + at);
    let literals = places.filter(|at| {
        let node = tree.root_node().descendant_for_byte_range(*at, at + number.len());
        node.is_some_and(|node| NUMBERS.contains(&node.kind()) && text[node.byte_range()] == *number)
    });
    literals.map(|at| Span::new(at, at + number.len())).collect()
}

/// The edit that adds `more`, which may be negative, to the side of a comparison that contains none of the names
/// `counted`: `len(TOOLS)` becomes `len(TOOLS) + 1`, and back. `None` if there is not exactly one such side, or if
/// nothing can be added to it without parentheses.
pub(crate) fn added(tree: &Tree, text: &str, comparison: Span, counted: &[SmolStr], more: i64) -> Option<Edit> {
    const SUMS: [&str; 10] = [
        "call",
        "call_expression",
        "macro_invocation",
        "identifier",
        "attribute",
        "member_expression",
        "field_expression",
        "binary_operator",
        "binary_expression",
        "parenthesized_expression",
    ];
    let (start, end) = (comparison.start as usize, comparison.end as usize);
    let node = tree.root_node().descendant_for_byte_range(start, end)?;
    let children = |node: Node<'_>| -> Vec<Span> {
        let mut cursor = node.walk();
        let all = node.named_children(&mut cursor).filter(|it| !it.kind().contains("comment"));
        all.map(|it| Span::new(it.start_byte(), it.end_byte())).collect()
    };
    let arguments = |call: Node<'_>| call.child_by_field_name("arguments").map(children).unwrap_or_default();
    let sides = match node.kind() {
        "call" | "call_expression" => {
            // `expect(a).toBe(b)`
            let of_made = node.child_by_field_name("function").and_then(|callee| callee.child_by_field_name("object"));
            of_made.map(arguments).unwrap_or_default().into_iter().chain(arguments(node)).take(2).collect()
        }
        _ => children(node),
    };
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let has_name =
        |side: &Span| text[side.range()].split(|c| !is_name(c)).any(|word| counted.iter().any(|name| name == word));
    let mut others = sides.into_iter().filter(|side| !has_name(side));
    let (Some(side), None) = (others.next(), others.next()) else { return None };
    let kind = tree.root_node().descendant_for_byte_range(side.start as usize, side.end as usize)?.kind();
    let written = &text[side.range()];
    let is_sum = !kind.starts_with("binary") || !written.contains(['<', '>', '=', '|', '&', '^', '%', '?']);
    if !SUMS.contains(&kind) || !is_sum {
        return None;
    }
    let before = written.rsplit_once(" + ").and_then(|(rest, last)| Some((rest.len(), last.parse::<i64>().ok()?)));
    let (end, last) = before.map_or((side.end, 0), |(rest, last)| (side.start + rest as u32, last));
    let sum = match last + more {
        0 => String::new(),
        sum if sum > 0 => format!(" + {sum}"),
        _ => return None,
    };
    Some(Edit::new(Span { start: end, end: side.end }, sum))
}

/// The places where an assertion compares `number` with the only count in its statement.
pub(crate) fn counts(tree: &Tree, text: &str, number: &str) -> Vec<Count> {
    const STATEMENTS: [&str; 3] = ["expression_statement", "assert_statement", "macro_invocation"];
    const BETWEEN: [&str; 5] =
        ["call_expression", "call", "comparison_operator", "binary_expression", "await_expression"];
    let found = text.match_indices(number).filter_map(|(at, _)| {
        let node = tree.root_node().descendant_for_byte_range(at, at + number.len())?;
        let above = || std::iter::successors(node.parent(), |node| node.parent());
        let is_between = |kind: &str| LISTS.contains(&kind) || BETWEEN.contains(&kind);
        let between: Vec<&str> = above().map(|node| node.kind()).take_while(|kind| is_between(kind)).collect();
        let statement = above().nth(between.len()).filter(|around| STATEMENTS.contains(&around.kind()))?;
        let lists = between.iter().filter(|kind| LISTS.contains(kind)).count();
        let is_it = NUMBERS.contains(&node.kind()) && text[node.byte_range()] == *number && lists <= 1;
        let said = &text[statement.byte_range()];
        let is_assertion = said.contains("expect(") || said.contains("assert");
        // If the number occurs twice, it may limit a slice, whose length is not that of the list:
        // `tools.slice(0, 2).length`.
        if !is_it || !is_assertion || said.matches(number).count() > 1 {
            return None;
        }
        let mut all = counted(statement, text);
        all.dedup();
        match all.as_slice() {
            [counted] => Some(Count { number: Span::new(node.start_byte(), node.end_byte()), counted: *counted }),
            _ => None,
        }
    });
    found.collect()
}

/// The values whose length or number of calls a statement refers to.
fn counted(statement: Node<'_>, text: &str) -> Vec<Span> {
    let said = |node: Option<Node<'_>>| node.map_or("", |node| &text[node.byte_range()]);
    let span = |node: Node<'_>| Span::new(node.start_byte(), node.end_byte());
    let mut found = Vec::new();
    let mut open = vec![statement];
    let mut cursor = statement.walk();
    while let Some(node) = open.pop() {
        match node.kind() {
            "member_expression" | "attribute" | "field_expression" => {
                let property = ["property", "attribute", "field"].iter().find_map(|it| node.child_by_field_name(it));
                let object = ["object", "value"].iter().find_map(|it| node.child_by_field_name(it));
                let property = said(property);
                if let Some(object) = object {
                    if LENGTHS.contains(&property) {
                        found.push(span(object));
                    } else if EXPECTATIONS.iter().any(|end| property.ends_with(end)) {
                        found.extend(expected(object, text));
                    }
                }
            }
            "call" if said(node.child_by_field_name("function")) == "len" => {
                let argument = node.child_by_field_name("arguments").and_then(|all| all.named_child(0));
                found.extend(argument.map(span));
            }
            // The grammar sees only tokens inside a macro.
            "token_tree" => {
                let tokens = &text[node.byte_range()];
                if let Some(end) = tokens.find(".len()") {
                    let start = tokens[..end].rfind([',', '=', ' ']).map_or(1, |at| at + 1);
                    found.push(span(node).slice(start.min(end), end));
                }
            }
            _ => {}
        }
        open.extend(node.children(&mut cursor));
    }
    found.sort_unstable();
    found
}

/// The subject of an expectation: `tools` in `expect(tools).not`.
fn expected(mut node: Node<'_>, text: &str) -> Option<Span> {
    loop {
        if node.kind() == "call_expression" {
            let function = node.child_by_field_name("function")?;
            if &text[function.byte_range()] == "expect" {
                let argument = node.child_by_field_name("arguments")?.named_child(0)?;
                return Some(Span::new(argument.start_byte(), argument.end_byte()));
            }
            node = function;
        } else {
            node = node.child_by_field_name("object")?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::counts;
    use crate::syntax::{Language, parse};

    #[track_caller]
    fn check(language: Language, text: &str, expected: &[&str]) {
        let tree = parse(language, text, None).unwrap();
        let found: Vec<&str> = counts(&tree, text, "2").iter().map(|one| &text[one.counted.range()]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_length_or_a_number_of_calls_is_expected() {
        let script = |text, expected: &[&str]| check(Language::TypeScript, text, expected);
        script("expect(tools.length).toBe(2);", &["tools"]);
        script("expect(await list()).not.toHaveLength(2);", &["await list()"]);
        script("expect(server.tool).toHaveBeenCalledTimes(2);", &["server.tool"]);
        script("assert.equal(Object.keys(TOOLS).length, 2);", &["Object.keys(TOOLS)"]);
        script("expect(tools.slice(0, 2).length).toBe(2); expect(tools).toEqual(2); f(tools.length, 2);", &[]);
        let python = |text, expected: &[&str]| check(Language::Python, text, expected);
        python("assert len(tools) == 2\n", &["tools"]);
        python("self.assertEqual(len(TOOLS), 2)\n", &["TOOLS"]);
        python("assert mcp.tool.call_count == 2\n", &["mcp.tool"]);
        python("assert tools[1].count == 2\n", &[]);
        check(Language::Rust, "fn f() { assert_eq!(tools.len(), 2); }", &["tools"]);
    }
}
