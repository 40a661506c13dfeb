//! Independent string literals next to each other: elements of a list, members of a union type; and what code does with
//! such a list.

use tree_sitter::{Node, Tree};

use crate::text::{Edit, Span, line_break};

/// The string literals of one list or union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Siblings {
    /// The literals with their quotes, in order.
    pub literals: Vec<Span>,
    /// Whether the list also contains something else.
    pub has_others: bool,
    /// Whether they are members of a type: `"a" | "b"`.
    is_union: bool,
}

/// The literals of the list or union that contains the literal around a place.
pub(crate) fn siblings(tree: &Tree, literal: Span) -> Option<Siblings> {
    const LISTS: [&str; 8] =
        ["array", "list", "tuple", "set", "array_expression", "token_tree", "type_parameter", "subscript"];
    let mut own = tree.root_node().descendant_for_byte_range(literal.start as usize, literal.end as usize)?;
    while !is_string(own) {
        own = own.parent().filter(|_| matches!(own.kind(), "string_fragment" | "string_content"))?;
    }
    // In a type, the literal is wrapped in another node.
    let wrapped = own.parent().filter(|parent| matches!(parent.kind(), "literal_type" | "type")).unwrap_or(own);
    let mut container = wrapped.parent()?;
    let is_union = container.kind() == "union_type";
    let mut elements = Vec::new();
    if is_union {
        while let Some(parent) = container.parent().filter(|parent| parent.kind() == "union_type") {
            container = parent;
        }
        members(container, &mut elements);
    } else if LISTS.contains(&container.kind()) {
        let mut cursor = container.walk();
        let value = container.child_by_field_name("value");
        elements.extend(container.named_children(&mut cursor).filter(|child| Some(*child) != value));
    } else {
        return None;
    }
    elements.retain(|element| !element.kind().contains("comment"));
    let strings = elements.iter().filter_map(|element| match element.kind() {
        "literal_type" | "type" => element.named_child(0),
        _ => Some(*element),
    });
    let strings = strings.filter(|node| is_string(*node));
    let literals: Vec<Span> = strings.map(|node| Span::new(node.start_byte(), node.end_byte())).collect();
    let has_others = literals.len() < elements.len();
    Some(Siblings { literals, has_others, is_union })
}

/// Whether a node is a list of values.
pub(super) fn is_list(node: Node<'_>) -> bool {
    matches!(node.kind(), "array" | "list" | "tuple" | "set" | "array_expression")
}

/// The name of the type, variable or field that is declared with the list or union around a literal.
pub(crate) fn declared_for<'s>(tree: &Tree, text: &'s str, literal: Span) -> Option<&'s str> {
    /// The maximum number of levels from the literal up to its declaration; enough for a list in a call, with a type.
    const MOST_ABOVE: usize = 10;
    let own = tree.root_node().descendant_for_byte_range(literal.start as usize, literal.end as usize);
    let above = std::iter::successors(own, |node| node.parent()).take(MOST_ABOVE);
    let is_code = |node: &Node<'_>| matches!(node.kind(), "statement_block" | "block" | "arrow_function" | "lambda");
    above
        .take_while(|node| !is_code(node))
        .find_map(|node| declared_name(node, literal))
        .map(|name| &text[name.byte_range()])
}

fn declared_name(node: Node<'_>, literal: Span) -> Option<Node<'_>> {
    match node.kind() {
        "type_alias_declaration" | "variable_declarator" | "public_field_definition" | "const_item" | "static_item" => {
            node.child_by_field_name("name")
        }
        "assignment" => node.child_by_field_name("left"),
        "pair" => node.child_by_field_name("key").filter(|key| !key.byte_range().contains(&(literal.start as usize))),
        _ => None,
    }
}

/// The loops and calls that iterate over the list around a literal; `None` if there are none, or if code also uses the
/// list as a whole: compares it, counts its elements or passes it on.
pub(crate) fn gone_through(tree: &Tree, text: &str, literal: Span) -> Option<Vec<Span>> {
    let own = tree.root_node().descendant_for_byte_range(literal.start as usize, literal.end as usize);
    let mut above = std::iter::successors(own, |node| node.parent());
    let list = above.find(|node| is_list(*node));
    let all_of = |name: &str| {
        let mut open = vec![tree.root_node()];
        let named = std::iter::from_fn(|| {
            let node = open.pop()?;
            let mut cursor = node.walk();
            open.extend(node.children(&mut cursor));
            Some(node)
        });
        let uses = named.filter(|node| node.kind() == "identifier" && text[node.byte_range()] == *name);
        let uses = uses.map(|node| use_of(node, text)).filter(|found| *found != ListUse::Is);
        uses.map(|found| if let ListUse::Each(by) = found { Some(by) } else { None }).collect::<Option<Vec<Span>>>()
    };
    match use_of(list?, text) {
        ListUse::Each(by) => Some(vec![by]),
        ListUse::Named(name) => all_of(name).filter(|uses| !uses.is_empty()),
        ListUse::Whole | ListUse::Is => None,
    }
}

/// A use of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListUse<'t> {
    /// A loop or a call iterates over the list.
    Each(Span),
    Whole,
    /// A variable holds the list.
    Named(&'t str),
    /// The name of the variable in its own declaration.
    Is,
}

fn use_of<'t>(mut node: Node<'_>, text: &'t str) -> ListUse<'t> {
    /// Methods that iterate over a list and do not return one of the same length, such as `it.each(list)`.
    const EACH: [&str; 9] = ["forEach", "filter", "every", "some", "find", "includes", "each", "parametrize", "iter"];
    const WRAPPED: [&str; 5] = [
        "parenthesized_expression",
        "as_expression",
        "satisfies_expression",
        "reference_expression",
        "non_null_expression",
    ];
    let said = |node: Option<Node<'_>>| node.and_then(|node| text.get(node.byte_range()));
    while let Some(parent) = node.parent() {
        let is = |field: &str| parent.child_by_field_name(field) == Some(node);
        let each = |by: Node<'_>| ListUse::Each(Span::new(by.start_byte(), by.end_byte()));
        let by = parent.parent().unwrap_or(parent);
        let method = |method: Option<&str>| match method.is_some_and(|method| EACH.contains(&method)) {
            true => each(by),
            false => ListUse::Whole,
        };
        return match parent.kind() {
            kind if WRAPPED.contains(&kind) => {
                node = parent;
                continue;
            }
            "for_in_statement" | "for_statement" | "for_in_clause" if is("right") => each(parent),
            "for_expression" if is("value") => each(parent),
            "comparison_operator" if is_last_of_in(parent, node) => each(parent),
            "variable_declarator" | "let_declaration" | "assignment" if is("name") || is("pattern") || is("left") => {
                ListUse::Is
            }
            "variable_declarator" | "let_declaration" | "assignment" => {
                let name = ["name", "pattern", "left"].iter().find_map(|field| parent.child_by_field_name(field));
                match said(name.filter(|name| name.kind() == "identifier")) {
                    Some(name) => ListUse::Named(name),
                    None => ListUse::Whole,
                }
            }
            "member_expression" | "field_expression" if is("object") || is("value") => {
                method(said(parent.child_by_field_name("property").or(parent.child_by_field_name("field"))))
            }
            "arguments" | "argument_list" => {
                let called = parent.parent().and_then(|call| call.child_by_field_name("function"));
                method(said(called).and_then(|called| called.rsplit('.').next()))
            }
            _ => ListUse::Whole,
        };
    }
    ListUse::Whole
}

/// Whether a node is the right operand of `in` or `not in` in a Python comparison.
fn is_last_of_in(comparison: Node<'_>, node: Node<'_>) -> bool {
    let mut cursor = comparison.walk();
    let is_in = comparison.children(&mut cursor).any(|child| matches!(child.kind(), "in" | "not in"));
    is_in && comparison.child_count().checked_sub(1).and_then(|last| comparison.child(last)) == Some(node)
}

fn is_string(node: Node<'_>) -> bool {
    matches!(node.kind(), "string" | "string_literal")
}

/// Collects the members of a union in order: `A | B | C` is parsed as `(A | B) | C`.
fn members<'t>(union: Node<'t>, into: &mut Vec<Node<'t>>) {
    let mut cursor = union.walk();
    for child in union.named_children(&mut cursor) {
        match child.kind() {
            "union_type" => members(child, into),
            _ => into.push(child),
        }
    }
}

impl Siblings {
    /// Whether the literals are the members of a union type.
    pub(crate) fn is_union(&self) -> bool {
        self.is_union
    }

    /// The literal, with its quotes, that contains a place.
    pub(crate) fn around(&self, place: Span) -> Option<Span> {
        let first = self.literals.partition_point(|literal| literal.end < place.end);
        self.literals.get(first).copied().filter(|literal| literal.contains(place))
    }

    /// Whether the literals are three or more elements of a list without other elements, sorted by code point, as
    /// `sort` and `sorted` do. They are compared with their quotes, which are assumed to be the same for all.
    pub(crate) fn is_sorted(&self, text: &str) -> bool {
        !self.has_others
            && !self.is_union
            && self.literals.len() > 2
            && self.literals.iter().map(|literal| &text[literal.range()]).is_sorted()
    }

    /// The index at which to insert a literal to keep the order.
    pub(crate) fn index_for(&self, text: &str, literal: &str) -> usize {
        self.literals.partition_point(|other| text[other.range()] < *literal)
    }

    /// The edit that adds a literal at an index; [`Siblings::removal`] of that index undoes it.
    pub(crate) fn insertion(&self, text: &str, index: usize, literal: &str) -> Edit {
        let sign = |literal: Span| self.between(literal, text);
        match index.checked_sub(1).and_then(|before| self.literals.get(before)) {
            Some(before) => Edit::new(Span::at(before.end as usize), format!("{}{literal}", sign(*before))),
            None => {
                Edit::new(Span::at(self.literals[0].start as usize), format!("{literal}{}", sign(self.literals[0])))
            }
        }
    }

    /// The span to delete to remove the literal at an index, of two or more.
    pub(crate) fn removal(&self, index: usize) -> Span {
        match index.checked_sub(1) {
            Some(before) => Span { start: self.literals[before].end, end: self.literals[index].end },
            None => Span { start: self.literals[0].start, end: self.literals[1].start },
        }
    }

    /// The separator between a literal and a new neighbour: if the literal is on its own line, so is the neighbour.
    pub(crate) fn between(&self, literal: Span, text: &str) -> String {
        let before = &text[..literal.start as usize];
        let is_blank = |c: char| c.is_whitespace() && c != '\n';
        let head = before.trim_end_matches(is_blank);
        let behind_sign = head.strip_suffix('|').map(|head| head.trim_end_matches(is_blank));
        let begins_line = |head: &&str| head.is_empty() || head.ends_with('\n');
        match (Some(head).filter(begins_line), behind_sign.filter(begins_line), self.is_union) {
            (Some(head), _, false) => format!(",{}{}", line_break(text), &before[head.len()..]),
            (Some(head), _, true) => format!(" |{}{}", line_break(text), &before[head.len()..]),
            (None, Some(head), true) => format!("{}{}", line_break(text), &before[head.len()..]),
            (None, _, false) => ", ".to_string(),
            (None, _, true) => " | ".to_string(),
        }
    }
}
