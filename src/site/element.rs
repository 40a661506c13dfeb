//! The list element that contains a name: a definition of which a copy could be added.

use tree_sitter::{Node, Tree};

use super::member::{Member, last_of};
use crate::text::Span;

/// An element of a list literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Element {
    pub whole: Span,
    /// Whether the element contains a function, which a copy would duplicate.
    pub has_function: bool,
    /// The value of the requested key, or the place to add that key, after the name's own entry; `None` if the name has
    /// no key.
    pub member: Option<Result<Span, Member>>,
}

/// The list element around a name. `member` is the key to look up in it.
pub(crate) fn element(tree: &Tree, text: &str, name: Span, member: &str) -> Option<Element> {
    within(tree, text, name, member, &is_element)
}

/// The span of the list element around a name.
pub(crate) fn element_around(tree: &Tree, name: Span) -> Option<Span> {
    let mut node = tree.root_node().descendant_for_byte_range(name.start as usize, name.end as usize)?;
    while !is_element(node) {
        node = node.parent()?;
    }
    Some(Span::new(node.start_byte(), node.end_byte()))
}

/// An entry of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ObjectEntry {
    pub whole: Span,
    pub value: Span,
    /// Whether the value contains a function.
    pub has_function: bool,
}

/// The keys of the object, or the keywords of the call, in which a name is a value.
pub(crate) fn keys_beside<'t>(tree: &Tree, text: &'t str, name: Span) -> Vec<&'t str> {
    let own = tree.root_node().descendant_for_byte_range(name.start as usize, name.end as usize);
    let mut above = std::iter::successors(own, |node| node.parent());
    let entry = above.find(|node| matches!(node.kind(), "pair" | "keyword_argument" | "field_initializer"));
    let Some(object) = entry.and_then(|entry| entry.parent()) else { return Vec::new() };
    let mut cursor = object.walk();
    let keys = object.named_children(&mut cursor).filter_map(|entry| match entry.kind() {
        "shorthand_property_identifier" => Some(entry),
        _ => key_of(entry),
    });
    keys.map(|key| text.get(key.byte_range()).unwrap_or("").trim_matches(['"', '\''])).collect()
}

/// The object entry whose key is a name.
pub(crate) fn entry_around(tree: &Tree, name: Span) -> Option<ObjectEntry> {
    let mut node = tree.root_node().descendant_for_byte_range(name.start as usize, name.end as usize)?;
    while matches!(node.kind(), "string" | "string_fragment" | "string_content" | "property_identifier") {
        node = node.parent()?;
    }
    let value = match node.kind() {
        // `{ read_note }`
        "shorthand_property_identifier" => node,
        "pair" if node.child_by_field_name("key")?.byte_range().contains(&(name.start as usize)) => {
            node.child_by_field_name("value")?
        }
        _ => return None,
    };
    let span = |node: Node<'_>| Span::new(node.start_byte(), node.end_byte());
    Some(ObjectEntry { whole: span(node), value: span(value), has_function: holds_function(value) })
}

/// A table that a variable holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    pub variable: String,
    /// The statement that creates the table, or adds a key to it.
    pub statement: Span,
    /// Whether its type allows keys that are not written in it.
    pub is_open: bool,
}

/// The table in which a name is a key; `None` if no variable holds it.
pub(crate) fn table_around(tree: &Tree, text: &str, name: Span) -> Option<Table> {
    let mut node = tree.root_node().descendant_for_byte_range(name.start as usize, name.end as usize)?;
    while matches!(node.kind(), "string" | "string_fragment" | "string_content" | "property_identifier") {
        node = node.parent()?;
    }
    let read = |node: Node<'_>| text[node.byte_range()].to_string();
    let (variable, mut statement, is_open) = match node.kind() {
        "pair" | "method_definition" => {
            let held = node.parent().filter(|it| matches!(it.kind(), "object" | "dictionary"))?.parent()?;
            match held.kind() {
                "variable_declarator" => {
                    let is_open = held.child_by_field_name("type").is_some_and(|of| {
                        let of: String = read(of).split_whitespace().collect();
                        of.contains("Record<string,") || of.contains(":string]")
                    });
                    let declaration = held.parent().filter(|it| declares_one(*it))?;
                    (held.child_by_field_name("name")?, declaration, is_open)
                }
                "assignment" => (held.child_by_field_name("left")?, held.parent()?, true),
                // `TABLE.update({ … })`, `Object.assign(table, { … })`
                "arguments" | "argument_list" => {
                    let call = held.parent()?;
                    let callee = call.child_by_field_name("function")?;
                    let table = match read(callee).rsplit_once('.')? {
                        ("Object", "assign") => held.named_child(0)?,
                        (_, "update") if held.named_child_count() == 1 => callee.child_by_field_name("object")?,
                        _ => return None,
                    };
                    (table, call.parent()?, true)
                }
                _ => return None,
            }
        }
        "subscript" | "subscript_expression" => {
            let assignment = node.parent().filter(|it| it.child_by_field_name("left") == Some(node))?;
            (node.child(0)?, assignment.parent()?, true)
        }
        _ => return None,
    };
    if let Some(export) = statement.parent().filter(|parent| parent.kind() == "export_statement") {
        statement = export;
    }
    let stands_by_itself = matches!(
        statement.kind(),
        "lexical_declaration" | "variable_declaration" | "expression_statement" | "export_statement"
    ) && statement
        .parent()
        .is_some_and(|it| matches!(it.kind(), "program" | "statement_block" | "module" | "block"));
    (variable.kind() == "identifier" && stands_by_itself).then(|| Table {
        variable: read(variable),
        statement: Span::new(statement.start_byte(), statement.end_byte()),
        is_open,
    })
}

/// A definition that its file refers to by an identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedDefinition {
    /// The name of a variable, or of a function that is decorated or returns the definition.
    pub called: String,
    /// Whether a call of the function returns the definition.
    pub is_made: bool,
    /// The keys that lead from the definition to the object with the name: `metadata`. Empty if the definition is not
    /// an object literal.
    pub path: Vec<String>,
    /// The keys that lead from there to the object with the description; empty if both are in one object.
    pub described: Vec<String>,
}

/// The keys that lead from the object with a name to the object with another value, such as a description; empty if
/// both are in one object, or the value is not inside the object with the name.
pub(crate) fn keys_to(tree: &Tree, text: &str, name: Span, value: Span) -> Vec<String> {
    let at = |span: Span| tree.root_node().descendant_for_byte_range(span.start as usize, span.end as usize);
    let from = |span: Span| std::iter::successors(at(span), |node| node.parent());
    let Some(outer) = from(name).find(|node| node.kind() == "object") else { return Vec::new() };
    let mut keys = Vec::new();
    for node in from(value) {
        match node.kind() {
            "object" if node == outer => {
                // The innermost key is that of the value itself.
                keys.reverse();
                keys.pop();
                return keys;
            }
            "pair" => match node.child_by_field_name("key").filter(|key| key.kind() == "property_identifier") {
                Some(key) => keys.push(text[key.byte_range()].to_string()),
                None => break,
            },
            kind if kind.contains("function") || kind == "method_definition" => break,
            _ => {}
        }
    }
    Vec::new()
}

/// The definition around a name, with the identifier by which its file refers to it.
pub(crate) fn definition_around(tree: &Tree, text: &str, name: Span) -> Option<NamedDefinition> {
    let mut node = tree.root_node().descendant_for_byte_range(name.start as usize, name.end as usize)?;
    let mut path = Vec::new();
    // The outermost object or call so far that belongs to the definition.
    let mut whole: Option<Node<'_>> = None;
    let is_returned = |whole: Option<Node<'_>>, function: Node<'_>| {
        let beyond = std::iter::successors(whole?.parent(), |node| node.parent());
        let outer = beyond.into_iter().find(|node| node.kind() != "parenthesized_expression")?;
        let is_body = outer == function && function.kind() == "arrow_function";
        (is_body || outer.kind() == "return_statement" && outer.parent()?.parent()? == function).then_some(())
    };
    let (called, is_made) = loop {
        match node.kind() {
            "object" => {
                let key = |pair: Node<'_>| {
                    let key = pair.child_by_field_name("key").filter(|key| key.kind() == "property_identifier")?;
                    Some(text[key.byte_range()].to_string())
                };
                match whole {
                    None => whole = Some(node),
                    Some(inner) => {
                        if let Some(pair) =
                            inner.parent().filter(|pair| pair.kind() == "pair" && pair.parent() == Some(node))
                        {
                            path.insert(0, key(pair)?);
                            whole = Some(node);
                        }
                    }
                }
            }
            // In Python, the value of a key is not a definition.
            "dictionary" => match whole {
                None => whole = Some(node),
                Some(_) => return None,
            },
            // `Tool(name="x")`, and a call that takes it as an argument.
            "call" => whole = Some(node),
            "variable_declarator" => {
                let value = node.child_by_field_name("value");
                // A plain string is not a definition.
                if value.is_some_and(|value| span_of(value).contains(name) && value.kind() == "string") {
                    return None;
                }
                // If the object is passed to a function, it may be anywhere in the return value.
                if value != whole && !path.is_empty() {
                    return None;
                }
                break (node.child_by_field_name("name")?, false);
            }
            "assignment" if node.child_by_field_name("right").is_some_and(|right| right.kind() == "string") => {
                return None;
            }
            "assignment" => break (node.child_by_field_name("left")?, false),
            "decorated_definition" => {
                break (node.child_by_field_name("definition")?.child_by_field_name("name")?, false);
            }
            "function_declaration" | "function_definition" => {
                is_returned(whole, node)?;
                break (node.child_by_field_name("name")?, true);
            }
            "arrow_function" => {
                is_returned(whole, node)?;
                let declarator = node.parent().filter(|parent| parent.kind() == "variable_declarator")?;
                break (declarator.child_by_field_name("name")?, true);
            }
            "method_definition" => return None,
            _ => {}
        }
        node = node.parent()?;
    };
    let called = (called.kind() == "identifier").then(|| text[called.byte_range()].to_string())?;
    Some(NamedDefinition { called, is_made, path, described: Vec::new() })
}

/// The list elements that consist of a use of `definition` alone.
pub(crate) fn elements_named(tree: &Tree, text: &str, definition: &NamedDefinition) -> Vec<Span> {
    uses_of(tree, text, definition).into_iter().filter(|node| is_element(*node)).map(span_of).collect()
}

/// Whether a node is an element of a list. A pair in a list, as in `new Map([["a", b]])`, does not count, nor do its
/// two elements.
fn is_element(node: Node<'_>) -> bool {
    let is_list = |node: &Node<'_>| matches!(node.kind(), "array" | "list");
    let is_pair = |node: &Node<'_>| is_list(node) || node.kind() == "tuple";
    let list = node.parent().filter(is_list);
    list.is_some_and(|list| !is_pair(&node) && !list.parent().is_some_and(|around| is_list(&around)))
}

/// The statements that consist of a call whose only argument is a use of `definition`, each with that argument.
pub(crate) fn statements_taking(tree: &Tree, text: &str, definition: &NamedDefinition) -> Vec<(Span, Span)> {
    let statement = |node: Node<'_>| {
        let arguments = node.parent().filter(|it| it.kind() == "arguments" && it.named_child_count() == 1)?;
        let call = arguments.parent().filter(|it| it.kind() == "call_expression")?;
        let statement = call.parent().filter(|it| it.kind() == "expression_statement")?;
        let among = statement.parent()?.kind();
        matches!(among, "program" | "statement_block").then(|| (span_of(statement), span_of(node)))
    };
    uses_of(tree, text, definition).into_iter().filter_map(statement).collect()
}

/// Whether a name refers to a parameter of a function around it.
pub(super) fn is_parameter(name: Node<'_>, text: &str) -> bool {
    let called = &text[name.byte_range()];
    let functions = std::iter::successors(name.parent(), |node| node.parent());
    let mut parameters = functions
        .filter_map(|node| node.child_by_field_name("parameters").or_else(|| node.child_by_field_name("parameter")));
    parameters.any(|parameters| {
        let mut open = vec![parameters];
        while let Some(node) = open.pop() {
            let binds = matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern");
            if binds && text[node.byte_range()] == *called {
                return true;
            }
            open.extend(node.named_children(&mut node.walk()));
        }
        false
    })
}

/// Every use of a definition: of the variable, or a call of the function.
fn uses_of<'t>(tree: &'t Tree, text: &str, definition: &NamedDefinition) -> Vec<Node<'t>> {
    let mut cursor = tree.walk();
    let mut open = vec![tree.root_node()];
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        open.extend(node.named_children(&mut cursor));
        if node.kind() != "identifier" || text[node.byte_range()] != *definition.called || is_parameter(node, text) {
            continue;
        }
        match definition.is_made {
            false => found.push(node),
            true => found.extend(node.parent().filter(|call| {
                matches!(call.kind(), "call_expression" | "call") && call.child_by_field_name("function") == Some(node)
            })),
        }
    }
    found.sort_by_key(Node::start_byte);
    found
}

fn span_of(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// The object around a name that is an argument of a call. `member` is the key to look up in it.
pub(crate) fn argument_around(tree: &Tree, text: &str, name: Span, member: &str) -> Option<Element> {
    within(tree, text, name, member, &|node| {
        node.kind() == "object" && node.parent().is_some_and(|parent| parent.kind() == "arguments")
    })
}

/// The statement around a name, if it is an expression in a list of statements. `member` is the key to look up next to
/// the name.
pub(crate) fn expression_around(tree: &Tree, text: &str, name: Span, member: &str) -> Option<Element> {
    within(tree, text, name, member, &|node| {
        node.kind() == "expression_statement"
            // After an assignment, the variable has another value.
            && node.named_child(0).is_some_and(|inner| !inner.kind().contains("assignment"))
            && node.parent().is_some_and(|it| matches!(it.kind(), "module" | "block" | "program" | "statement_block"))
    })
}

/// The pair whose first element is a name: `["read_note", read]` in the list from which a map is built.
pub(crate) fn pair_around(tree: &Tree, name: Span) -> Option<ObjectEntry> {
    let mut node = tree.root_node().descendant_for_byte_range(name.start as usize, name.end as usize)?;
    while matches!(node.kind(), "string_fragment" | "string") {
        node = node.parent()?;
    }
    let is_pair = node.kind() == "array" && node.named_child_count() == 2;
    let value = node.named_child(1).filter(|value| is_pair && value.start_byte() > name.end as usize)?;
    node.parent().filter(|list| list.kind() == "array")?;
    let span = |node: Node<'_>| Span::new(node.start_byte(), node.end_byte());
    Some(ObjectEntry { whole: span(node), value: span(value), has_function: holds_function(value) })
}

fn within(tree: &Tree, text: &str, name: Span, member: &str, is_whole: &dyn Fn(Node<'_>) -> bool) -> Option<Element> {
    let mut node = tree.root_node().descendant_for_byte_range(name.start as usize, name.end as usize)?;
    let mut entry = node;
    while !is_whole(node) {
        if matches!(node.kind(), "pair" | "keyword_argument") {
            entry = node;
        }
        node = node.parent()?;
    }
    let whole = Span::new(node.start_byte(), node.end_byte());
    let has_function = holds_function(node);
    if !matches!(entry.kind(), "pair" | "keyword_argument") {
        return Some(Element { whole, has_function, member: None });
    }
    let read = |node: Node<'_>| text.get(node.byte_range()).unwrap_or("");
    let around = entry.parent()?;
    let mut cursor = around.walk();
    let found = around.named_children(&mut cursor).find(|child| {
        let key = key_of(*child).map(|key| read(key).trim_matches(['"', '\'']).to_string());
        key.as_deref() == Some(member)
    });
    let value = found.and_then(|found| found.child_by_field_name("value"));
    let own_key = key_of(entry)?;
    let sign = text.get(own_key.end_byte()..entry.child_by_field_name("value")?.start_byte())?;
    let quote = read(own_key).chars().next().filter(|c| matches!(c, '"' | '\'')).map(String::from).unwrap_or_default();
    let line = text[..entry.start_byte()].rfind('\n').map_or(0, |at| at + 1);
    let lead = &text[line..entry.start_byte()];
    let gap = if lead.trim().is_empty() { format!("{}{lead}", crate::text::line_break(text)) } else { " ".into() };
    let member = match (found, value) {
        (_, Some(value)) => Ok(Span::new(value.start_byte(), value.end_byte())),
        // `{ description }`
        (Some(_), None) => return None,
        (None, None) => {
            Err(Member { at: entry.end_byte() as u32, before: format!(",{gap}{quote}{member}{quote}{sign}") })
        }
    };
    Some(Element { whole, has_function, member: Some(member) })
}

/// The whole expression that builds a string from pieces, one of them a literal: a concatenation, a template, a call.
pub(crate) fn sum_around(tree: &Tree, literal: Span) -> Option<Span> {
    const PARTS: [&str; 13] = [
        "string",
        "string_fragment",
        "string_content",
        "template_string",
        "template_substitution",
        "interpolation",
        "binary_expression",
        "binary_operator",
        "concatenated_string",
        "parenthesized_expression",
        "string_start",
        "string_end",
        "identifier",
    ];
    let mut node = tree.root_node().descendant_for_byte_range(literal.start as usize, literal.end as usize)?;
    while let Some(parent) = node.parent().filter(|parent| PARTS.contains(&parent.kind())) {
        node = parent;
    }
    // `name=prefixed("read_note")`
    let made = node.parent().filter(|list| list.kind() == "argument_list" && list.named_child_count() == 1);
    let made = made.and_then(|list| list.parent()).filter(|call| {
        let argument = call.parent().filter(|it| it.kind() == "keyword_argument");
        call.kind() == "call" && argument.is_some_and(|it| it.child_by_field_name("value") == Some(*call))
    });
    if let Some(call) = made {
        return Some(Span::new(call.start_byte(), call.end_byte()));
    }
    PARTS.contains(&node.kind()).then(|| Span::new(node.start_byte(), node.end_byte()))
}

pub(super) fn holds_function(node: Node<'_>) -> bool {
    const FUNCTIONS: [&str; 6] =
        ["arrow_function", "function_expression", "function", "method_definition", "lambda", "generator_function"];
    let mut cursor = node.walk();
    let mut open: Vec<Node<'_>> = vec![node];
    while let Some(node) = open.pop() {
        if node.is_named() && FUNCTIONS.contains(&node.kind()) {
            return true;
        }
        open.extend(node.children(&mut cursor));
    }
    false
}

/// A list literal that a variable holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Held {
    pub variable: String,
    /// The statement that creates the list.
    pub statement: Span,
}

/// The variable that holds the list with a definition, if the name is the definition's value for `key` and elements can
/// be added to the list.
pub(crate) fn held(tree: &Tree, text: &str, name: Span, key: &str) -> Option<Held> {
    let read = |node: Node<'_>| text.get(node.byte_range()).unwrap_or("");
    let mut node = tree.root_node().descendant_for_byte_range(name.start as usize, name.end as usize)?;
    while node.kind() != "pair" {
        node = node.parent()?;
    }
    let own = node.child_by_field_name("key").map(read)?;
    let list = node.parent()?.parent().filter(|list| list.kind() == "array")?;
    let declarator = list.parent().filter(|it| it.kind() == "variable_declarator")?;
    let variable = declarator.child_by_field_name("name").filter(|name| name.kind() == "identifier").map(read)?;
    let is_fixed =
        declarator.child_by_field_name("type").map(read).is_some_and(|kind| kind.to_lowercase().contains("readonly"));
    let mut statement = declarator.parent().filter(|it| declares_one(*it))?;
    if let Some(export) = statement.parent().filter(|parent| parent.kind() == "export_statement") {
        statement = export;
    }
    let stands = statement.parent().is_some_and(|it| matches!(it.kind(), "program" | "statement_block"));
    (own.trim_matches(['"', '\'']) == key && !is_fixed && stands).then(|| Held {
        variable: variable.to_string(),
        statement: Span::new(statement.start_byte(), statement.end_byte()),
    })
}

/// Whether a statement declares exactly one variable. The node of a statement without a semicolon may include the
/// comment after it, which does not count.
pub(super) fn declares_one(statement: Node<'_>) -> bool {
    let mut cursor = statement.walk();
    statement.named_children(&mut cursor).filter(|child| child.kind() != "comment").count() == 1
}

/// The key of a pair, or the name of an argument.
fn key_of(entry: Node<'_>) -> Option<Node<'_>> {
    entry.child_by_field_name("key").or_else(|| entry.child_by_field_name("name"))
}

/// The place to add a member at the end of the object around a name, if the object is the first argument of a call, by
/// itself or in a list.
pub(crate) fn last_member(tree: &Tree, text: &str, name: Span) -> Option<Member> {
    let mut node = tree.root_node().descendant_for_byte_range(name.start as usize, name.end as usize)?;
    let is_first = |node: Node<'_>| {
        node.parent().is_some_and(|parent| parent.kind() == "arguments" && parent.named_child(0) == Some(node))
    };
    let is_in_list = |list: Node<'_>| list.kind() == "array" && is_first(list);
    while !(node.kind() == "object" && (is_first(node) || node.parent().is_some_and(is_in_list))) {
        node = node.parent()?;
    }
    last_of(node, text)
}

/// The beginning of the body of a Rust function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Beginning {
    /// The byte offset at which the function itself begins.
    pub start: u32,
    /// The byte offset after the brace that opens its body.
    pub at: u32,
    /// The name of the first parameter after the receiver; `None` if there is none, or it is not a plain identifier.
    pub parameter: Option<String>,
}

/// The beginnings of all functions with a name.
pub(crate) fn beginnings(tree: &Tree, text: &str, name: &str) -> Vec<Beginning> {
    let read = |node: Node<'_>| text.get(node.byte_range()).unwrap_or("");
    let mut open = vec![tree.root_node()];
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        let mut cursor = node.walk();
        open.extend(node.named_children(&mut cursor));
        let is_it =
            node.kind() == "function_item" && node.child_by_field_name("name").is_some_and(|it| read(it) == name);
        let Some(body) = node.child_by_field_name("body").filter(|_| is_it) else { continue };
        let parameters = node.child_by_field_name("parameters");
        let mut cursor = node.walk();
        let first = parameters
            .and_then(|parameters| parameters.named_children(&mut cursor).find(|child| child.kind() == "parameter"));
        let pattern = first.and_then(|parameter| parameter.child_by_field_name("pattern"));
        let parameter = pattern.filter(|pattern| pattern.kind() == "identifier").map(|it| read(it).to_string());
        found.push(Beginning { start: node.start_byte() as u32, at: body.start_byte() as u32 + 1, parameter });
    }
    found
}

/// A Rust `impl` block with an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Implementation {
    /// The contents of the attribute's parentheses.
    pub arguments: String,
    /// The text between its braces.
    pub body: Span,
    pub functions: Vec<String>,
}

/// The only `impl` block of a file with an attribute of this name; `None` if there is none, or more than one.
pub(crate) fn implementation(tree: &Tree, text: &str, attribute: &str) -> Option<Implementation> {
    let read = |node: Node<'_>| text.get(node.byte_range()).unwrap_or("").to_string();
    let mut cursor = tree.walk();
    let mut open = vec![tree.root_node()];
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        if node.kind() == "impl_item" {
            let before = std::iter::successors(node.prev_sibling(), |before| before.prev_sibling());
            let beyond =
                |before: &Node<'_>| matches!(before.kind(), "attribute_item" | "line_comment" | "block_comment");
            let mut attributes = before.take_while(beyond).filter_map(|before| before.named_child(0));
            let own = attributes.find(|own| own.named_child(0).map(read).as_deref() == Some(attribute));
            let body = node.child_by_field_name("body");
            if let (Some(own), Some(body)) = (own, body) {
                let arguments = own.child_by_field_name("arguments").map(read).unwrap_or_default();
                let mut inner = body.walk();
                let functions = body.named_children(&mut inner).filter(|child| child.kind() == "function_item");
                let functions = functions.filter_map(|function| function.child_by_field_name("name")).map(read);
                found.push(Implementation {
                    arguments: arguments.trim_start_matches('(').trim_end_matches(')').to_string(),
                    body: Span::new(body.start_byte() + 1, body.end_byte() - 1),
                    functions: functions.collect(),
                });
            }
        }
        open.extend(node.children(&mut cursor));
    }
    let only = found.pop()?;
    found.is_empty().then_some(only)
}
