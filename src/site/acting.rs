//! Statements that act on an object with a name from a literal: `mcp.disable(names={"drop_note"})`, `for name in
//! ("drop_note",): mcp.remove_tool(name)`.

use tree_sitter::{Node, Tree};

use crate::text::Span;

/// Node kinds of statements, and of branches and loops that may depend on a literal.
const ACTING: [&str; 11] = [
    "expression_statement",
    "delete_statement",
    "return_statement",
    "for_statement",
    "for_in_statement",
    "for_expression",
    "lexical_declaration",
    "variable_declaration",
    "let_declaration",
    "case_clause",
    "switch_case",
];

/// Node kinds of code that runs later, or not at all.
const LATER: [&str; 7] = [
    "lambda",
    "arrow_function",
    "function_expression",
    "function_declaration",
    "function_definition",
    "decorator",
    "block",
];

/// The innermost statement around a literal, if it acts on one of `objects` with that literal.
///
/// The statement mentions an object, or assigns the literal to a variable that a later statement mentions together with
/// an object. `calls` reports whether a method calls a tool by name. Literals in such calls are ignored, because
/// calling a tool does not change it.
pub(crate) fn acting(
    tree: &Tree,
    text: &str,
    literal: Span,
    objects: &[String],
    calls: &dyn Fn(&str) -> bool,
) -> Option<Span> {
    let node = tree.root_node().descendant_for_byte_range(literal.start as usize, literal.end as usize)?;
    let mut above = std::iter::successors(node.parent(), |node| node.parent());
    let statement = above.find(|node| ACTING.contains(&node.kind()) || LATER.contains(&node.kind()))?;
    if LATER.contains(&statement.kind()) || is_call_of(node, text, calls) {
        return None;
    }
    let span = Span::new(statement.start_byte(), statement.end_byte());
    if mentions(statement, text, objects) {
        return Some(span);
    }
    let variable = assigned(statement)?;
    let variable = text[variable.byte_range()].to_string();
    let is_taken = std::iter::successors(Some(statement), |node| node.next_named_sibling())
        .skip(1)
        .any(|next| mentions(next, text, objects) && takes(next, text, &variable, objects));
    is_taken.then_some(span)
}

/// The statements that mention one of `objects` and read the name of a function: `mcp.remove_tool(function.__name__)`.
pub(crate) fn asked_names(tree: &Tree, text: &str, objects: &[String]) -> Vec<Span> {
    let places = text.match_indices(".__name__").filter_map(|(at, _)| {
        let node = tree.root_node().descendant_for_byte_range(at + 1, at + 2)?;
        let mut above = std::iter::successors(Some(node), |node| node.parent());
        let statement = above.find(|node| ACTING.contains(&node.kind()) || LATER.contains(&node.kind()))?;
        let is_acting = ACTING.contains(&statement.kind()) && mentions(statement, text, objects);
        is_acting.then(|| Span::new(statement.start_byte(), statement.end_byte()))
    });
    places.collect()
}

/// Whether the innermost call around a literal is to a method for which `calls` holds: `await
/// mcp.call_tool("read_note", {})`.
fn is_call_of(literal: Node<'_>, text: &str, calls: &dyn Fn(&str) -> bool) -> bool {
    let mut above = std::iter::successors(literal.parent(), |node| node.parent());
    let call = above.find(|node| matches!(node.kind(), "call" | "call_expression"));
    let function = call.and_then(|call| call.child_by_field_name("function"));
    function.is_some_and(|function| {
        let called = &text[function.byte_range()];
        calls(called.rsplit(['.', ':']).next().unwrap_or(called))
    })
}

/// The variable to which a statement assigns a value; `None` if the target is not a plain identifier.
fn assigned(statement: Node<'_>) -> Option<Node<'_>> {
    let inner = match statement.kind() {
        "expression_statement" | "lexical_declaration" | "variable_declaration" => statement.named_child(0)?,
        "let_declaration" => statement,
        _ => return None,
    };
    let name = ["name", "left", "pattern"].iter().find_map(|field| inner.child_by_field_name(field))?;
    (name.kind() == "identifier").then_some(name)
}

fn mentions(top: Node<'_>, text: &str, names: &[String]) -> bool {
    let is_name = |node: &Node<'_>| {
        let is_identifier = matches!(node.kind(), "identifier" | "property_identifier");
        is_identifier && names.iter().any(|name| *name == text[node.byte_range()])
    };
    has(top, &is_name, &|_| true)
}

/// Whether a statement uses a variable, other than in a function that it hands over or decorates and that does not
/// mention an object: a tool's handler runs when the tool is called, and does not act on its server.
fn takes(top: Node<'_>, text: &str, variable: &str, objects: &[String]) -> bool {
    let is_it = |node: &Node<'_>| node.kind() == "identifier" && text[node.byte_range()] == *variable;
    let is_handler = |node: &Node<'_>| {
        let is_function = node.kind() != "block" && LATER.contains(&node.kind());
        let above = node.parent().map_or("", |parent| parent.kind());
        is_function
            && matches!(above, "arguments" | "argument_list" | "decorated_definition")
            && !mentions(*node, text, objects)
    };
    has(top, &is_it, &|node| !is_handler(node))
}

/// Whether a node or one inside it is of a kind, where only nodes that `opens` accepts are looked into.
fn has(top: Node<'_>, is_it: &dyn Fn(&Node<'_>) -> bool, opens: &dyn Fn(&Node<'_>) -> bool) -> bool {
    let mut open = vec![top];
    let mut cursor = top.walk();
    while let Some(node) = open.pop() {
        if is_it(&node) {
            return true;
        }
        if opens(&node) {
            open.extend(node.children(&mut cursor));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{acting, asked_names};
    use crate::site::strings;
    use crate::syntax::{Language, parse};
    use crate::text::Span;

    fn check(language: Language, text: &str, expected: &[&str]) {
        let tree = parse(language, text, None).unwrap();
        let literals =
            strings(&tree, Span::new(0, text.len())).into_iter().filter(|span| &text[span.range()] == "drop_note");
        let found =
            literals.filter_map(|span| acting(&tree, text, span, &["mcp".to_string()], &|name| name.contains("call")));
        let found: Vec<&str> = found.map(|span| text[span.range()].lines().next().unwrap()).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn an_object_and_a_text_meet_in_a_statement() {
        let python = |text, expected: &[&str]| check(Language::Python, text, expected);
        python("mcp.disable(names={\"drop_note\"})\n", &["mcp.disable(names={\"drop_note\"})"]);
        python("for name in (\"drop_note\",):\n    mcp.remove_tool(name)\n", &["for name in (\"drop_note\",):"]);
        python(
            "OFF = env(\"X\", \"drop_note\").split()\nmcp.disable(names=set(OFF))\n",
            &["OFF = env(\"X\", \"drop_note\").split()"],
        );
        python("del mcp._tools[\"drop_note\"]\n", &["del mcp._tools[\"drop_note\"]"]);
        python("match tool.name:\n    case \"drop_note\":\n        mcp.remove_tool(n)\n", &["case \"drop_note\":"]);
        python("await mcp.call_tool(\"drop_note\", {})\nlog(\"drop_note\")\nEVENT = \"drop_note\"\nsend(EVENT)\n", &[]);
        python("@mcp.tool(tags={\"drop_note\"})\ndef f():\n    log(\"drop_note\")\n", &[]);
        let script = |text, expected: &[&str]| check(Language::TypeScript, text, expected);
        script("mcp.onCall(() => log(\"drop_note\"));", &[]);
        script(
            "const off = [\"drop_note\"];\nfor (const one of off) mcp.hide(one);",
            &["const off = [\"drop_note\"];"],
        );
    }

    #[test]
    fn a_function_is_asked_for_its_name() {
        let text = "for f in {drop_note}:\n    mcp.remove_tool(f.__name__)\nlog(f.__name__)\n";
        let tree = parse(Language::Python, text, None).unwrap();
        let found = asked_names(&tree, text, &["mcp".to_string()]);
        assert_eq!(found.iter().map(|span| &text[span.range()]).collect::<Vec<_>>(), ["mcp.remove_tool(f.__name__)"]);
    }
}
