//! Calls with keyword arguments, inside a call that makes up a whole statement or return value.

use tree_sitter::{Node, Tree};

use crate::text::Span;

/// A Python call that makes up a whole statement or return value, and the calls inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Calls {
    pub whole: Span,
    /// The byte offset of the `return` statement, if the call is returned; code inserted after that would not run.
    pub returned_at: Option<u32>,
    /// Whether the call contains a lambda.
    pub has_function: bool,
    /// The calls, innermost first.
    pub calls: Vec<KeywordCall>,
    /// The variables in the call; the names of members and keywords do not count.
    pub names: Vec<Span>,
}

/// A call to which keyword arguments can be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeywordCall {
    /// The byte offset at which to add a keyword argument: after the last positional one.
    pub at: u32,
    /// The separator between two of its arguments, including the comma.
    pub between: String,
    /// Whether the new argument follows a positional one, and whether it precedes another argument.
    pub follows: bool,
    pub precedes: bool,
    /// Its keyword arguments: the name, and the span of the value.
    pub keywords: Vec<(String, Span)>,
}

/// The call around a place, if it makes up a whole Python statement or return value.
pub(crate) fn calls_of_statement(tree: &Tree, text: &str, place: Span) -> Option<Calls> {
    let mut node = tree.root_node().descendant_for_byte_range(place.start as usize, place.end as usize)?;
    while !matches!(node.kind(), "expression_statement" | "return_statement") {
        node = node.parent()?;
    }
    let call = node.named_child(0).filter(|call| call.kind() == "call" && node.named_child_count() == 1)?;
    let returned_at = (node.kind() == "return_statement").then(|| node.start_byte() as u32);
    let mut found =
        Calls { whole: span_of(call), returned_at, has_function: false, calls: Vec::new(), names: Vec::new() };
    visit(call, text, &mut found);
    Some(found)
}

/// The value of a keyword argument of the Python call whose arguments a byte offset is among.
pub(crate) fn keyword_at(tree: &Tree, text: &str, at: u32, keyword: &str) -> Option<Span> {
    let at = at as usize;
    let node = tree.root_node().descendant_for_byte_range(at, at)?;
    let list = std::iter::successors(Some(node), |node| node.parent()).find(|node| node.kind() == "argument_list")?;
    let mut keywords = keyword_call(list, text).keywords.into_iter();
    keywords.find(|(name, _)| name == keyword).map(|(_, value)| value)
}

fn visit(node: Node<'_>, text: &str, found: &mut Calls) {
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        let is_member = node.kind() == "attribute" && node.child_by_field_name("attribute") == Some(child);
        let is_key = node.kind() == "keyword_argument" && node.child_by_field_name("name") == Some(child);
        if child.kind() == "identifier" && !is_member && !is_key {
            found.names.push(span_of(child));
        }
        visit(child, text, found);
    }
    found.has_function |= node.kind() == "lambda";
    if node.kind() == "call"
        && let Some(list) = node.child_by_field_name("arguments").filter(|list| list.kind() == "argument_list")
    {
        found.calls.push(keyword_call(list, text));
    }
}

fn keyword_call(list: Node<'_>, text: &str) -> KeywordCall {
    let mut cursor = list.walk();
    let arguments: Vec<Node<'_>> = list.named_children(&mut cursor).filter(|it| it.kind() != "comment").collect();
    let is_named = |node: &&Node<'_>| matches!(node.kind(), "keyword_argument" | "dictionary_splat");
    let first_named = arguments.iter().position(|node| is_named(&node)).unwrap_or(arguments.len());
    let keywords = arguments.iter().filter_map(|node| {
        let (name, value) = (node.child_by_field_name("name")?, node.child_by_field_name("value")?);
        Some((text.get(name.byte_range())?.to_string(), span_of(value)))
    });
    let between = match arguments.as_slice() {
        [first, second, ..] => text[first.end_byte()..second.start_byte()].to_string(),
        // The separator follows the layout of the only argument: on its own line or not.
        [only] => match text[list.start_byte() + 1..only.start_byte()].trim_matches(' ') {
            "" => ", ".to_string(),
            _ => format!(",{}", &text[list.start_byte() + 1..only.start_byte()]),
        },
        [] => ", ".to_string(),
    };
    let at = match first_named.checked_sub(1) {
        Some(last) => arguments[last].end_byte(),
        None => arguments.first().map_or(list.start_byte() + 1, Node::start_byte),
    };
    KeywordCall {
        at: at as u32,
        between,
        follows: first_named > 0,
        precedes: first_named < arguments.len(),
        keywords: keywords.collect(),
    }
}

fn span_of(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}
