//! The node to which a comment on its own line applies: the statement, decorator, method, case or element below it.

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use crate::text::Span;

/// The node below a comment.
#[derive(Debug, Clone)]
pub(crate) struct Below<'t> {
    /// The comment, and the white space between it and the node.
    pub comment: Span,
    /// The first node after the comment; for a function with decorators or attributes, the first of these.
    pub first: Node<'t>,
    /// The same node, or the method or function to which `first`, an attribute or decorator, belongs.
    pub whole: Node<'t>,
    /// The span that the comment is about: that of `whole`, or of the condition or pattern of a branch.
    pub subject: Span,
    /// The nodes around `first`, from the outermost to the innermost.
    pub around: Vec<Node<'t>>,
}

/// Finds nodes by byte offset. The children of each node on the way are read only once, because tree-sitter walks over
/// all the preceding siblings to find a child or a parent.
#[derive(Default)]
pub(crate) struct Finder<'t> {
    children: FxHashMap<usize, Vec<Node<'t>>>,
}

impl<'t> Finder<'t> {
    /// The nodes that contain a byte offset, from `top` down to the smallest.
    pub(crate) fn path(&mut self, top: Node<'t>, at: usize) -> Vec<Node<'t>> {
        let mut path = Vec::new();
        let mut next = Some(top).filter(|top| top.byte_range().contains(&at));
        while let Some(node) = next {
            path.push(node);
            let children = self.children.entry(node.id()).or_insert_with(|| {
                let mut cursor = node.walk();
                node.children(&mut cursor).collect()
            });
            let index = children.partition_point(|child| child.end_byte() <= at);
            next = children.get(index).filter(|child| child.start_byte() <= at).copied();
        }
        path
    }
}

/// The node below a comment. It is looked up in `tops`, which are nodes of the comment's tree.
pub(crate) fn below<'t>(
    finder: &mut Finder<'t>,
    tops: &[Node<'t>],
    text: &str,
    comment: Node<'t>,
) -> Option<Below<'t>> {
    let behind = text.get(comment.end_byte()..)?;
    let start = comment.end_byte() + behind.len() - behind.trim_start().len();
    let mut around = tops.iter().map(|top| finder.path(*top, start)).find(|path| !path.is_empty())?;
    let mut first = around.pop().filter(|node| node.start_byte() == start)?;
    // The largest node that begins here and is not a list of statements.
    let is_list = |kind: &str| {
        matches!(
            kind,
            "program" | "module" | "source_file" | "block" | "statement_block" | "switch_body" | "match_block"
        )
    };
    while let Some(parent) = around.pop_if(|parent| parent.start_byte() == start && !is_list(parent.kind())) {
        first = parent;
    }
    if first.kind() == "decorated_definition" {
        first = first.child(0)?;
    }
    let in_class = around.last().is_some_and(|parent| parent.kind() == "class_body");
    let mut whole = first;
    match first.kind() {
        "decorator" if in_class => {
            while whole.kind() != "method_definition" {
                whole = whole.next_named_sibling()?;
            }
        }
        "attribute_item" => {
            while whole.kind() != "function_item" {
                whole = whole.next_sibling()?;
            }
        }
        _ => {}
    }
    // For a branch, its condition or pattern.
    let decides = match first.kind() {
        "if_statement" if does_nothing_else(first, text) => None,
        "if_statement" | "elif_clause" | "if_expression" => first.child_by_field_name("condition"),
        "match_arm" => first.child_by_field_name("pattern"),
        "case_clause" => first.named_child(0),
        _ => None,
    };
    let subject = match decides {
        Some(decides) => Span::new(decides.start_byte(), decides.end_byte()),
        None => Span::new(start, whole.end_byte()),
    };
    Some(Below { comment: Span::new(comment.start_byte(), start), first, whole, subject, around })
}

/// Whether a branch serves only a single name: it only assigns to the value that its condition compares, or only makes
/// a call if a value equals one string.
pub(crate) fn does_nothing_else(branch: Node<'_>, text: &str) -> bool {
    sets_what_it_asks(branch, text) || calls_for_one(branch)
}

/// The only named child of a node, not counting comments; `None` if there is none or more than one.
fn only_child(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let mut children = node.named_children(&mut cursor).filter(|child| !child.kind().ends_with("comment"));
    let first = children.next();
    first.filter(|_| children.next().is_none())
}

/// Whether a branch only assigns to the value that its condition compares: `if (name === "a") name = "b";`
fn sets_what_it_asks(branch: Node<'_>, text: &str) -> bool {
    let mut asked = branch.child_by_field_name("condition");
    while let Some(inner) = asked.filter(|node| node.kind() == "parenthesized_expression").and_then(only_child) {
        asked = Some(inner);
    }
    let mut done =
        branch.child_by_field_name("consequence").filter(|_| branch.child_by_field_name("alternative").is_none());
    while let Some(inner) =
        done.filter(|it| it.kind().ends_with("block") || it.kind() == "expression_statement").and_then(only_child)
    {
        done = Some(inner);
    }
    let (Some(asked), Some(done)) = (asked, done) else { return false };
    let subject = asked.child_by_field_name("left").or_else(|| asked.named_child(0));
    let target =
        done.child_by_field_name("left").filter(|_| matches!(done.kind(), "assignment_expression" | "assignment"));
    let read = |node: Node<'_>| &text[node.byte_range()];
    matches!(asked.kind(), "binary_expression" | "comparison_operator")
        && subject.map(read).is_some_and(|it| target.map(read) == Some(it))
}

/// Whether a Python branch does nothing but make a call, and runs if a value equals one string:
/// `if tool.name == "a": …`
fn calls_for_one(branch: Node<'_>) -> bool {
    let asked = branch.child_by_field_name("condition").filter(|asked| asked.kind() == "comparison_operator");
    let is_named = asked.is_some_and(|asked| {
        asked.child(1).is_some_and(|sign| sign.kind() == "==")
            && asked.named_child(1).is_some_and(|name| name.kind() == "string")
    });
    let done =
        branch.child_by_field_name("consequence").filter(|_| branch.child_by_field_name("alternative").is_none());
    let is_call = |call: Node<'_>| call.kind() == "call";
    let done = done.and_then(only_child).filter(|it| it.kind() == "expression_statement").and_then(only_child);
    is_named && done.is_some_and(is_call)
}
