//! The value of an expression in a predicate: the texts that it evaluates to, and whether it is a part of a name.

use tree_sitter::Node;

use super::{Bound, PARTS, Reader, Said, is_constant, is_one_text, span_of};
use crate::site::siblings;

/// The nodes that are functions, in all languages.
const FUNCTIONS: [&str; 10] = [
    "function_declaration",
    "function_expression",
    "generator_function",
    "generator_function_declaration",
    "arrow_function",
    "method_definition",
    "function_definition",
    "lambda",
    "function_item",
    "closure_expression",
];

impl<'t, 's> Reader<'t, 's> {
    /// Records the names that a declaration, an assignment, a loop or a callback binds.
    pub(super) fn bind(&mut self, node: Node<'t>) {
        if !self.constants.is_empty() {
            self.note(node);
        }
        let start = node.start_byte() as u32;
        while self.scopes.last().is_some_and(|scope| scope.end <= start) {
            self.scopes.pop();
        }
        if FUNCTIONS.contains(&node.kind()) {
            self.scopes.push(span_of(node));
            self.bind_parameters(node);
        }
        let (name, value) = match node.kind() {
            "variable_declarator" => (node.child_by_field_name("name"), node.child_by_field_name("value")),
            "assignment" | "for_in_clause" | "for_statement" | "for_in_statement" => {
                (node.child_by_field_name("left"), node.child_by_field_name("right"))
            }
            "const_item" | "static_item" => (node.child_by_field_name("name"), node.child_by_field_name("value")),
            "let_declaration" | "for_expression" => {
                (node.child_by_field_name("pattern"), node.child_by_field_name("value"))
            }
            // `LIST.some((one) => name.startsWith(one))`: the parameter iterates over the list.
            "arrow_function" | "closure_expression" => (self.parameter(node), self.mapped(node)),
            _ => return,
        };
        let (Some(name), Some(value)) = (name, value) else { return };
        let takes_apart = self.takes_apart(value);
        let mut open = vec![name];
        while let Some(name) = open.pop() {
            let mut cursor = name.walk();
            if matches!(name.kind(), "identifier" | "shorthand_property_identifier_pattern") {
                let called = self.source(name);
                self.bind_name(called, Some(value));
                if node.kind() == "variable_declarator" && !self.constants.is_empty() {
                    self.declared.entry(called).or_default().push(value);
                }
                if takes_apart {
                    self.parts.insert(called);
                }
            } else {
                open.extend(name.named_children(&mut cursor));
            }
        }
    }

    /// Binds a name in the innermost function around the current node. The first value counts, and that of a parameter
    /// which iterates over a list.
    fn bind_name(&mut self, name: &'s str, value: Option<Node<'t>>) {
        let scope = self.scopes.last().copied().unwrap_or_else(|| span_of(self.tree.root_node()));
        let bound = self.bound.entry(name).or_default();
        match bound.iter_mut().find(|bound| bound.scope == scope) {
            Some(bound) => bound.value = bound.value.or(value),
            None => bound.push(Bound { scope, value }),
        }
    }

    /// Binds the parameters of a function, so that they hide the variables of the functions around it.
    fn bind_parameters(&mut self, function: Node<'t>) {
        let mut open: Vec<Node<'t>> =
            ["parameters", "parameter"].iter().filter_map(|field| function.child_by_field_name(field)).collect();
        while let Some(node) = open.pop() {
            if matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern") {
                self.bind_name(self.source(node), None);
            }
            let mut cursor = node.walk();
            let is_type_or_default = |child: &Node<'t>| {
                ["type", "value", "right"].iter().any(|field| node.child_by_field_name(field) == Some(*child))
            };
            open.extend(node.named_children(&mut cursor).filter(|child| !is_type_or_default(child)));
        }
    }

    /// The value of a variable, or the list that it iterates over, in the innermost scope around a use of it that binds
    /// its name.
    pub(super) fn value(&self, name: Node<'t>) -> Option<Node<'t>> {
        let at = name.start_byte();
        let around = self.bound.get(self.source(name))?.iter().filter(|bound| bound.scope.range().contains(&at));
        around.min_by_key(|bound| bound.scope.len()).and_then(|bound| bound.value)
    }

    /// The first parameter of a callback.
    pub(super) fn parameter(&self, function: Node<'t>) -> Option<Node<'t>> {
        function.child_by_field_name("parameter").or_else(|| function.child_by_field_name("parameters")?.named_child(0))
    }

    /// The list whose method is called with the callback.
    pub(super) fn mapped(&self, function: Node<'t>) -> Option<Node<'t>> {
        let call = function.parent()?.parent()?;
        let callee = call.child_by_field_name("function")?;
        let mut object = callee.child_by_field_name("object").or_else(|| callee.child_by_field_name("value"))?;
        // `LIST.iter().any(…)`
        while let Some(inner) = object.child_by_field_name("function").and_then(|it| it.child_by_field_name("value")) {
            object = inner;
        }
        Some(object)
    }

    /// The object that a call is made on, if any, and the name that is called; `None` if the node is not a call.
    pub(super) fn called(&self, call: Node<'t>) -> Option<(Option<Node<'t>>, &'s str)> {
        if !matches!(call.kind(), "call_expression" | "call" | "new_expression") {
            return None;
        }
        let callee = call.child_by_field_name("function").or_else(|| call.child_by_field_name("constructor"))?;
        let field = |names: &[&str]| names.iter().find_map(|name| callee.child_by_field_name(name));
        let member = match callee.kind() {
            "member_expression" | "attribute" | "field_expression" | "scoped_identifier" => {
                field(&["property", "attribute", "field", "name"])?
            }
            _ => return Some((None, self.source(callee))),
        };
        Some((field(&["object", "value", "path"]), self.source(member)))
    }

    pub(super) fn arguments(&self, call: Node<'t>) -> Vec<Node<'t>> {
        let Some(arguments) = call.child_by_field_name("arguments") else { return Vec::new() };
        let mut cursor = arguments.walk();
        arguments.named_children(&mut cursor).filter(|it| !it.kind().contains("comment")).collect()
    }

    /// Whether an expression evaluates to a part of a name: `name.split("_")[0]`, `name[:5]`.
    pub(super) fn takes_apart(&self, node: Node<'t>) -> bool {
        let mut inner = Some(node);
        while let Some(node) = inner {
            match node.kind() {
                "identifier" => return self.parts.contains(self.source(node)),
                // `name[:5]`
                "subscript"
                    if node.children_by_field_name("subscript", &mut node.walk()).any(|it| it.kind() == "slice") =>
                {
                    return self.is_name(node.child_by_field_name("value"));
                }
                _ => {}
            }
            if let Some((Some(object), method)) = self.called(node)
                && PARTS.contains(&method)
            {
                return self.is_name(Some(object)) && !self.parts_names(node);
            }
            // `name.split("_")[0]`, `name.split("_").next().unwrap()`
            let callee = node.child_by_field_name("function").unwrap_or(node);
            inner = ["object", "value", "argument"].iter().find_map(|field| callee.child_by_field_name(field)).or_else(
                || {
                    matches!(
                        node.kind(),
                        "await_expression"
                            | "parenthesized_expression"
                            | "non_null_expression"
                            | "index_expression"
                            | "try_expression"
                    )
                    .then(|| node.named_child(0))
                    .flatten()
                },
            );
        }
        false
    }

    /// Whether a call splits a list of names rather than a name: the separator contains no character that can be in a
    /// name.
    pub(super) fn parts_names(&self, call: Node<'t>) -> bool {
        let arguments = self.arguments(call);
        let separator = arguments.first().and_then(|first| self.literal(*first));
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
        separator.is_some_and(|separator| !separator.is_empty() && !separator.contains(is_of_name))
    }

    /// Whether an expression holds the name of a tool, judging by what the variable or member is called: `tool.name`,
    /// `toolName`, `n`.
    pub(super) fn is_name(&self, node: Option<Node<'t>>) -> bool {
        let Some(node) = node else { return false };
        let written = self.source(node);
        (self.says_name)(written.rsplit(['(', ')']).find(|part| !part.is_empty()).unwrap_or(written))
    }

    /// The texts that an expression may evaluate to; `None` if one of them is not known.
    pub(super) fn texts(&self, node: Node<'t>, depth: usize) -> Option<Vec<Said>> {
        let inside = |node: Node<'t>| -> Option<Vec<Said>> {
            let mut cursor = node.walk();
            let parts: Vec<Node<'t>> =
                node.named_children(&mut cursor).filter(|it| !it.kind().contains("comment")).collect();
            let each: Vec<Option<Vec<Said>>> = parts.iter().map(|part| self.texts(*part, depth + 1)).collect();
            // From a list of constants, those whose values are not known are left out.
            let are_constants = parts.iter().zip(&each).all(|(part, texts)| texts.is_some() || is_constant(*part));
            let is_known = each.iter().all(Option::is_some);
            let has_constant = each.iter().flatten().flatten().any(|said| said.literal.is_none());
            (is_known || has_constant && are_constants).then(|| each.into_iter().flatten().flatten().collect())
        };
        if depth > 8 {
            return None;
        }
        match node.kind() {
            "string" | "string_literal" | "raw_string_literal" | "template_string" => {
                Some(vec![Said::literally(self.literal(node)?, span_of(node))])
            }
            "array"
            | "list"
            | "tuple"
            | "set"
            | "array_expression"
            | "parenthesized_expression"
            | "reference_expression"
            | "as_expression"
            | "satisfies_expression"
            | "arguments"
            | "argument_list"
            | "tuple_expression" => {
                // `["a"] as const`
                if node.kind().ends_with("s_expression") && node.kind() != "parenthesized_expression" {
                    return self.texts(node.named_child(0)?, depth + 1);
                }
                inside(node)
            }
            "new_expression" | "call" | "call_expression" => {
                let (object, made) = self.called(node)?;
                let is_collection =
                    matches!(made, "Set" | "set" | "frozenset" | "tuple" | "list" | "freeze" | "from" | "Some");
                let is_same =
                    matches!(made, "to_string" | "into" | "to_owned" | "as_str" | "iter" | "into_iter" | "copied");
                match object {
                    Some(object) if is_same => self.texts(object, depth + 1),
                    _ if is_collection => inside(node.child_by_field_name("arguments")?),
                    _ => None,
                }
            }
            "identifier" => {
                let value = self.value(node).filter(|_| !self.renamed.contains_key(self.source(node)));
                let Some(value) = value else { return self.constant(node) };
                let mut texts = self.texts(value, depth + 1)?;
                if let ([one], true) = (texts.as_mut_slice(), is_one_text(value)) {
                    one.used = span_of(node);
                }
                Some(texts)
            }
            "member_expression" | "attribute" | "field_expression" | "scoped_identifier" => self.constant(node),
            _ => None,
        }
    }

    /// Whether an expression is a list or set, or a variable that holds one.
    pub(super) fn is_list(&self, node: Node<'t>) -> bool {
        let value = match node.kind() {
            "identifier" => self.value(node),
            _ => Some(node),
        };
        value.is_some_and(siblings::is_list)
    }

    /// The text of a literal; `None` if it contains substitutions.
    pub(super) fn literal(&self, node: Node<'t>) -> Option<String> {
        let mut cursor = node.walk();
        let is_plain = node
            .named_children(&mut cursor)
            .all(|part| matches!(part.kind(), "string_fragment" | "string_content" | "string_start" | "string_end"));
        let whole = self.source(node);
        let inside = whole.trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim_matches('#');
        let inside = inside.strip_prefix(['"', '\'', '`'])?.strip_suffix(['"', '\'', '`'])?;
        is_plain.then(|| inside.trim_matches('"').to_string())
    }
}
