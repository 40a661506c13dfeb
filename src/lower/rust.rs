//! Rust → the small language.

mod tokens;
mod types;

use smol_str::SmolStr;
use tree_sitter::Node;

use super::builder::{Builder, MODULE, joined, member_path, named, positions, unescape};
use super::{
    Arg, Bound, CRATE, CallKind, DefinitionKind, Expr, Function, Imported, Key, PARENT_MODULE, Param, Prop, ScopeId,
    ScopeKind, THIS_MODULE,
};
use crate::text::Span;

/// Methods and functions that return their string unchanged.
const SAME_TEXT_METHODS: [&str; 8] =
    ["to_string", "to_owned", "into", "as_str", "clone", "as_ref", "to_string_lossy", "into_owned"];
const SAME_TEXT_FUNCTIONS: [&str; 6] =
    ["String::from", "Cow::Borrowed", "Cow::from", "Some", "std::borrow::Cow::Borrowed", "Arc::new"];

/// Types with a `new`, `with_capacity` or `default` that creates an empty list of elements or an empty map.
const LISTS: [&str; 4] = ["Vec", "VecDeque", "HashSet", "BTreeSet"];
const MAPS: [&str; 3] = ["HashMap", "BTreeMap", "IndexMap"];
const MAKING_EMPTY: [&str; 3] = ["new", "with_capacity", "default"];

/// The keyword under which a call carries its type argument: `with_sync_tool::<Search>()`.
const TYPE_ARGUMENT: &str = "<>";

/// Lowers one top-level node with the attributes and comments directly above it.
pub(super) fn item(b: &mut Builder<'_>, node: Node<'_>, above: &[Node<'_>]) {
    declaration(b, node, MODULE, above);
}

/// Whether a node of this kind belongs to the item below it: an attribute or a comment.
pub(super) fn is_above(kind: &str) -> bool {
    matches!(kind, "attribute_item" | "line_comment" | "block_comment")
}

/// Lowers the contents of a block, a module or an impl: attributes belong to the item after them.
fn declarations(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    let mut above = Vec::new();
    for child in types::children(node) {
        if is_above(child.kind()) {
            above.push(child);
        } else {
            b.deeper(|b| declaration(b, child, scope, &above));
            above.clear();
        }
    }
}

fn declaration(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId, above: &[Node<'_>]) {
    b.enters(node, scope);
    let is_test = |node: &Node<'_>| node.kind() == "attribute_item" && is_test_only(b.text(*node));
    if above.iter().any(is_test) {
        return;
    }
    match node.kind() {
        "line_comment" | "block_comment" => {}
        "use_declaration" => {
            if let Some(argument) = node.child_by_field_name("argument") {
                import(b, argument, "", scope);
            }
        }
        "function_item" => {
            let decorators = decorators(b, above, scope);
            let Some(name) = node.child_by_field_name("name") else {
                return;
            };
            let body = function_scope(b, node, scope);
            let name = b.name(name);
            let doc = if decorators.is_empty() { None } else { types::doc_above(b, above) };
            b.define(DefinitionKind::Function, name, node, scope, body, decorators);
            b.defined().doc = doc;
        }
        "mod_item" => {
            let Some(name) = node.child_by_field_name("name") else {
                return;
            };
            match node.child_by_field_name("body") {
                Some(body) => {
                    let inner = b.open(scope, ScopeKind::Namespace);
                    let value = Expr::Class { scope: inner, span: b.span(name) };
                    b.bind(scope, b.smol(name), b.span(name), Bound::Value(value));
                    declarations(b, body, inner);
                }
                None => {
                    let module = SmolStr::new(format!("self::{}", b.text(name)));
                    b.bind(scope, b.smol(name), b.span(name), Bound::Import { module, name: Imported::Module });
                }
            }
        }
        "impl_item" | "trait_item" => {
            let decorators = decorators(b, above, scope);
            let bases = node.child_by_field_name("trait").map(|base| path(b, base)).into_iter().collect();
            let inner = b.open(scope, ScopeKind::Class { bases });
            let name = node.child_by_field_name("type").or_else(|| node.child_by_field_name("name"));
            if let Some(name) = name {
                let name = name.child_by_field_name("type").unwrap_or(name);
                let name = b.name(name);
                b.define(DefinitionKind::Class, name, node, scope, inner, decorators);
            }
            if let Some(body) = node.child_by_field_name("body") {
                declarations(b, body, inner);
            }
        }
        "struct_item" | "enum_item" | "union_item" => {
            let decorators = decorators(b, above, scope);
            let Some(name) = node.child_by_field_name("name") else {
                return;
            };
            let inner = b.open(scope, ScopeKind::Class { bases: Vec::new() });
            let name = b.name(name);
            let fields = if decorators.is_empty() { Vec::new() } else { types::fields(b, node, scope) };
            b.define(DefinitionKind::Class, name, node, scope, inner, decorators);
            b.defined().fields = fields.into();
        }
        "const_item" | "static_item" | "let_declaration" => {
            let name = node.child_by_field_name("name").or_else(|| node.child_by_field_name("pattern"));
            let value = node.child_by_field_name("value").map(|value| expression(b, value, scope));
            if let (Some(pattern), Some(value)) = (name, value) {
                for_each_binding(b, pattern, &mut Vec::new(), &mut |b, path, local| {
                    // A later `let` of the same name shadows the first. Both bindings are kept, as if either value
                    // could be the right one at run time.
                    let value = member_path(value.clone(), path, b.span(local));
                    b.bind(scope, b.smol(local), b.span(local), Bound::Value(value));
                });
            }
            if let Some(alternative) = node.child_by_field_name("alternative") {
                declarations(b, alternative, scope);
            }
        }
        "expression_statement" => declarations(b, node, scope),
        "macro_definition" | "type_item" | "attribute_item" | "inner_attribute_item" | "extern_crate_declaration" => {}
        _ => {
            expression(b, node, scope);
        }
    }
}

/// Whether an attribute is `#[cfg(test)]` or `#[test]`: code that is not part of any server.
fn is_test_only(attribute: &str) -> bool {
    let compact: String = attribute.chars().filter(|character| !character.is_whitespace()).collect();
    compact == "#[test]" || compact.starts_with("#[cfg(test)") || compact.starts_with("#[cfg(all(test")
}

fn import(b: &mut Builder<'_>, node: Node<'_>, prefix: &str, scope: ScopeId) {
    let join = |prefix: &str, rest: &str| match prefix {
        "" => rest.to_string(),
        _ => format!("{prefix}::{rest}"),
    };
    match node.kind() {
        "use_list" => {
            for child in named(node) {
                b.deeper(|b| import(b, child, prefix, scope));
            }
        }
        "scoped_use_list" => {
            let path = node.child_by_field_name("path").map_or("", |path| b.text(path));
            let prefix = join(prefix, path);
            if let Some(list) = node.child_by_field_name("list") {
                b.deeper(|b| import(b, list, &prefix, scope));
            }
        }
        "use_as_clause" => {
            if let (Some(path), Some(alias)) = (node.child_by_field_name("path"), node.child_by_field_name("alias")) {
                let full = join(prefix, b.text(path));
                bind_import(b, &full, alias, scope);
            }
        }
        "use_wildcard" => {
            if let Some(path) = node.named_child(0) {
                let module = SmolStr::new(join(prefix, b.text(path)));
                let value = Bound::Import { module, name: Imported::Module };
                b.bind(scope, SmolStr::new_static("*"), b.span(node), value);
            }
        }
        "self" => {
            let last = prefix.rsplit("::").next().unwrap_or(prefix);
            let value = Bound::Import { module: SmolStr::new(prefix), name: Imported::Module };
            b.bind(scope, SmolStr::new(last), b.span(node), value);
        }
        _ => {
            let full = join(prefix, b.text(node));
            bind_import(b, &full, node, scope);
        }
    }
}

fn bind_import(b: &mut Builder<'_>, full: &str, local: Node<'_>, scope: ScopeId) {
    // `use names::{self as n}`
    let full = full.strip_suffix("::self").unwrap_or(full);
    let text = b.text(local);
    let local_name = text.rsplit("::").next().unwrap_or(text);
    let value = match full.rsplit_once("::") {
        Some((module, name)) => {
            Bound::Import { module: SmolStr::new(module), name: Imported::Named(SmolStr::new(name)) }
        }
        None => Bound::Import { module: SmolStr::new(full), name: Imported::Module },
    };
    b.bind(scope, SmolStr::new(local_name), b.span(local), value);
}

fn function_scope(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> ScopeId {
    let first = first_statement(b, node);
    let function = Function { params: Vec::new(), receiver: false, each: None, first, span: b.span(node) };
    let inner = b.open(scope, ScopeKind::Function(function));
    let mut params = Vec::new();
    let mut receiver = false;
    let parameters = node.child_by_field_name("parameters").map(|list| named(list)).unwrap_or_default();
    for parameter in parameters {
        let pattern = parameter.child_by_field_name("pattern").unwrap_or(parameter);
        match pattern.kind() {
            "self_parameter" => {
                receiver = true;
                params.push(Param { name: SmolStr::new_static("self"), span: b.span(parameter), ..Param::default() });
            }
            "attribute_item" | "type" => {}
            _ => {
                let index = params.len() as u32;
                let mut name = SmolStr::default();
                for_each_binding(b, pattern, &mut Vec::new(), &mut |b, path, local| {
                    if path.is_empty() {
                        name = b.smol(local);
                    }
                    let value = Bound::Param { index, path: path.to_vec() };
                    b.bind(inner, b.smol(local), b.span(local), value);
                });
                // A generic type may describe the arguments of a tool.
                let kind = parameter.child_by_field_name("type").filter(|kind| kind.kind() == "generic_type");
                let annotation = kind.map(|kind| Box::new(types::annotation(b, kind)));
                params.push(Param { name, annotation, span: b.span(pattern), ..Param::default() });
            }
        }
    }
    if let ScopeKind::Function(function) = &mut b.scope_mut(inner).kind {
        function.params = params;
        function.receiver = receiver;
    }
    if let Some(body) = node.child_by_field_name("body") {
        let value = block(b, body, inner);
        b.returned(inner, value);
    }
    inner
}

/// The span of the first statement of a function's body, empty at the start of an empty body. `None` if there is no
/// body.
fn first_statement(b: &mut Builder<'_>, node: Node<'_>) -> Option<Span> {
    let body = node.child_by_field_name("body").filter(|body| body.kind() == "block")?;
    let first = named(body).first().map(|first| b.span(*first));
    Some(first.unwrap_or_else(|| b.span_of(body.start_byte() + 1, body.start_byte() + 1)))
}

/// Passes each variable of a pattern to `bind`, with the path to it from the matched value.
fn for_each_binding<'n>(
    b: &mut Builder<'_>,
    pattern: Node<'n>,
    path: &mut Vec<Key>,
    bind: &mut dyn FnMut(&mut Builder<'_>, &[Key], Node<'n>),
) {
    match pattern.kind() {
        "identifier" | "shorthand_field_identifier" => bind(b, path, pattern),
        "mut_pattern" | "ref_pattern" | "reference_pattern" => {
            if let Some(inner) = named(pattern).into_iter().find(|child| child.kind() != "mutable_specifier") {
                b.deeper(|b| for_each_binding(b, inner, path, bind));
            }
        }
        "tuple_pattern" | "slice_pattern" => {
            for (index, child) in positions(pattern) {
                path.push(Key::Index(index));
                b.deeper(|b| for_each_binding(b, child, path, bind));
                path.pop();
            }
        }
        "struct_pattern" => {
            for field in named(pattern).into_iter().filter(|child| child.kind() == "field_pattern") {
                let Some(name) = field.child_by_field_name("name") else { continue };
                path.push(Key::Field(b.smol(name)));
                b.deeper(|b| for_each_binding(b, field.child_by_field_name("pattern").unwrap_or(name), path, bind));
                path.pop();
            }
        }
        _ => {}
    }
}

/// Lowers a block and returns the value of its final expression; opaque if it has none.
fn block(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    if node.kind() != "block" {
        return expression(b, node, scope);
    }
    let mut children = named(node);
    // The grammar makes a statement of an expression that ends in a brace. At the end of a block, without a semicolon,
    // it is the value of the block.
    if let Some(last) = children.last_mut().filter(|last| last.kind() == "expression_statement")
        && !b.text(*last).ends_with(';')
        && let Some(value) = last.named_child(0)
    {
        *last = value;
    }
    let is_value = |node: &Node<'_>| {
        !node.kind().ends_with("_item")
            && !matches!(
                node.kind(),
                "let_declaration" | "expression_statement" | "use_declaration" | "empty_statement"
            )
    };
    let (last, before) = match children.split_last() {
        Some((last, before)) if is_value(last) => (Some(*last), before),
        _ => (None, children.as_slice()),
    };
    let mut above = Vec::new();
    let mut before = before.iter().copied().peekable();
    for child in types::children(node).into_iter().take_while(|child| last != Some(*child)) {
        if is_above(child.kind()) {
            above.push(child);
        }
        if before.next_if(|next| next.byte_range() == child.byte_range()).is_some_and(|next| !is_above(next.kind())) {
            b.deeper(|b| declaration(b, child, scope, &above));
            above.clear();
        }
    }
    match last {
        Some(last) => expression(b, last, scope),
        None => b.opaque("nothing", node),
    }
}

/// The attributes of an item as decorators.
fn decorators(b: &mut Builder<'_>, above: &[Node<'_>], scope: ScopeId) -> Vec<Expr> {
    let attributes = above.iter().filter(|node| node.kind() == "attribute_item");
    attributes.filter_map(|item| attribute(b, *item, scope)).collect()
}

fn attribute(b: &mut Builder<'_>, item: Node<'_>, scope: ScopeId) -> Option<Expr> {
    let attribute = named(item).into_iter().find(|child| child.kind() == "attribute")?;
    let name = attribute.named_child(0)?;
    let callee = path(b, name);
    let Some(arguments) = attribute.child_by_field_name("arguments") else {
        return Some(callee);
    };
    let args = token_arguments(b, arguments);
    Some(Expr::Call(b.call(CallKind::Decorator, callee, args, scope, attribute)))
}

/// The arguments of an attribute: `name = "x", description = …, flag, nested(…)`. Its body is a flat list of tokens;
/// only values that are a single literal or identifier, or a list of these, are understood.
fn token_arguments(b: &mut Builder<'_>, tokens: Node<'_>) -> Vec<Arg> {
    let mut cursor = tokens.walk();
    let mut args = Vec::new();
    let mut piece: Vec<Node<'_>> = Vec::new();
    let count = tokens.child_count() as usize;
    for (index, token) in tokens.children(&mut cursor).enumerate() {
        let is_bracket = index == 0 || index + 1 == count;
        if is_bracket || token.kind() == "," {
            args.extend(token_argument(b, &piece));
            piece.clear();
        } else {
            piece.push(token);
        }
    }
    args
}

fn token_argument(b: &mut Builder<'_>, tokens: &[Node<'_>]) -> Option<Arg> {
    let (name, value) = match tokens {
        [] => return None,
        // `annotations(read_only_hint = true)`
        [name, list] if name.kind() == "identifier" && list.kind() == "token_tree" => {
            let entries = token_arguments(b, *list).into_iter().filter_map(|arg| {
                let name = arg.name?;
                let span = Span { start: arg.span.start, end: arg.span.start + name.len() as u32 };
                Some(Prop::Pair { key: Expr::Text { text: name, span }, value: arg.value })
            });
            let value = Expr::Object { props: entries.collect(), span: b.span(*list) };
            let span = b.span_of(name.start_byte(), list.end_byte());
            return Some(Arg { name: Some(b.smol(*name)), value, span });
        }
        [name, equals, value @ ..] if equals.kind() == "=" => (Some(b.smol(*name)), value),
        value => (None, value),
    };
    let value = match value {
        [only] if is_literal(only.kind()) || only.kind() == "identifier" => expression(b, *only, MODULE),
        [first, ..] => b.opaque("an attribute's expression", *first),
        [] => return None,
    };
    let span = match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => b.span_of(first.start_byte(), last.end_byte()),
        _ => return None,
    };
    Some(Arg { name, value, span })
}

fn is_literal(kind: &str) -> bool {
    kind.ends_with("_literal")
}

/// The name for the first segment of a path, by the kind of its node, because `self` in `self::names` is not a value.
/// `None` for an ordinary name.
fn module_name(kind: &str) -> Option<SmolStr> {
    match kind {
        "crate" => Some(SmolStr::new_static(CRATE)),
        "self" => Some(SmolStr::new_static(THIS_MODULE)),
        "super" => Some(SmolStr::new_static(PARENT_MODULE)),
        _ => None,
    }
}

/// A path, `std::borrow::Cow`, as nested member accesses.
fn path(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "scoped_identifier" | "scoped_type_identifier" => {
            let Some(name) = node.child_by_field_name("name") else {
                return b.opaque("an incomplete path", node);
            };
            match node.child_by_field_name("path") {
                Some(qualifier) => {
                    let object = b.deeper(|b| match module_name(qualifier.kind()) {
                        Some(name) => Expr::Name { name, span: b.span(qualifier) },
                        None => path(b, qualifier),
                    });
                    let object = object.unwrap_or_else(|| b.opaque("a path nested too deeply", node));
                    Expr::Member { object: Box::new(object), key: Key::Field(b.smol(name)), span: b.span(name) }
                }
                None => Expr::Name { name: b.smol(name), span: b.span(name) },
            }
        }
        "generic_type" | "generic_function" | "bracketed_type" | "reference_type" => {
            let inner = node
                .child_by_field_name("type")
                .or_else(|| node.child_by_field_name("function"))
                .or_else(|| node.named_child(0));
            match inner {
                Some(inner) => {
                    b.deeper(|b| path(b, inner)).unwrap_or_else(|| b.opaque("a path nested too deeply", node))
                }
                None => b.opaque("an incomplete path", node),
            }
        }
        _ => Expr::Name { name: b.smol(node), span: b.span(node) },
    }
}

pub(super) fn expression(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    b.expression(node, scope, shallow_expression)
}

fn shallow_expression(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    match node.kind() {
        "string_literal" | "raw_string_literal" => {
            let mut parts = Vec::new();
            let mut cursor = node.walk();
            for child in node.named_children(&mut cursor) {
                match child.kind() {
                    "string_content" => parts.push(Expr::Text { text: b.smol(child), span: b.span(child) }),
                    "escape_sequence" => {
                        if let Some(character) = unescape(b.text(child)) {
                            let text = SmolStr::new(character.encode_utf8(&mut [0; 4]));
                            parts.push(Expr::Text { text, span: b.span(child) });
                        }
                    }
                    _ => {}
                }
            }
            let (start, end) = (node.start_byte() + 1, node.end_byte().saturating_sub(1));
            let inside = if parts.is_empty() { b.span_of(start, end.max(start)) } else { b.span(node) };
            joined(parts, inside)
        }
        "boolean_literal" | "integer_literal" | "float_literal" => {
            Expr::Scalar { text: b.smol(node), span: b.span(node) }
        }
        "identifier"
        | "self"
        | "type_identifier"
        | "scoped_identifier"
        | "scoped_type_identifier"
        | "generic_function"
        | "crate"
        | "super" => path(b, node),
        "field_expression" => {
            let (Some(value), Some(field)) = (node.child_by_field_name("value"), node.child_by_field_name("field"))
            else {
                return b.opaque("an incomplete field", node);
            };
            let object = Box::new(expression(b, value, scope));
            let key = match b.text(field).parse() {
                Ok(index) => Key::Index(index),
                Err(_) => Key::Field(b.smol(field)),
            };
            Expr::Member { object, key, span: b.span(field) }
        }
        "call_expression" => call(b, node, scope),
        "struct_expression" => {
            let Some(name) = node.child_by_field_name("name") else {
                return b.opaque("an incomplete struct", node);
            };
            let callee = path(b, name);
            let fields = node.child_by_field_name("body").map(|body| named(body)).unwrap_or_default();
            let args = fields.into_iter().filter_map(|field| struct_field(b, field, scope)).collect();
            b.record(callee, args, scope, node)
        }
        "array_expression" | "tuple_expression" => {
            let elements = named(node).into_iter().map(|element| expression(b, element, scope)).collect();
            b.array(elements, node)
        }
        "closure_expression" => {
            let inner = function_scope(b, node, scope);
            Expr::Function { scope: inner, span: b.span(node) }
        }
        "reference_expression"
        | "parenthesized_expression"
        | "await_expression"
        | "try_expression"
        | "type_cast_expression"
        | "return_expression"
        | "unary_expression" => {
            let value = node.child_by_field_name("value").or_else(|| node.named_child(0));
            let value = match value {
                Some(inner) => expression(b, inner, scope),
                None => b.opaque("nothing", node),
            };
            if node.kind() == "return_expression" {
                b.returned(scope, value.clone());
            }
            value
        }
        "for_expression" => {
            let iterable = match node.child_by_field_name("value") {
                Some(value) => expression(b, value, scope),
                None => b.opaque("a loop over nothing", node),
            };
            let inner = b.open(scope, ScopeKind::Loop { iterable });
            if let Some(pattern) = node.child_by_field_name("pattern") {
                for_each_binding(b, pattern, &mut Vec::new(), &mut |b, path, local| {
                    b.bind(inner, b.smol(local), b.span(local), Bound::Element { path: path.to_vec() });
                });
            }
            if let Some(body) = node.child_by_field_name("body") {
                block(b, body, inner);
            }
            b.opaque("a loop", node)
        }
        // A `return` in an async block leaves only the block: it is lowered as a function that is called in place.
        "async_block" => {
            let mut cursor = node.walk();
            let Some(body) = node.named_children(&mut cursor).find(|child| child.kind() == "block") else {
                return b.opaque("nothing", node);
            };
            let span = b.span(node);
            let inner = b.open(scope, ScopeKind::Function(Function { span, ..Function::default() }));
            let value = block(b, body, inner);
            b.returned(inner, value);
            Expr::Call(b.call(CallKind::Plain, Expr::Function { scope: inner, span }, Vec::new(), scope, node))
        }
        "block" | "unsafe_block" => {
            let inner = b.open(scope, ScopeKind::Block);
            let body = if node.kind() == "block" { Some(node) } else { node.named_child(0) };
            match body {
                Some(body) => {
                    block(b, body, inner);
                    b.opaque("the value of a block", node)
                }
                None => b.opaque("nothing", node),
            }
        }
        "match_arm" => {
            let inner = b.open(scope, ScopeKind::Branch);
            let value = node.child_by_field_name("value");
            if let Some(pattern) = node.child_by_field_name("pattern") {
                let matched = node.parent().and_then(|block| block.parent());
                let subject = matched.and_then(|matched| matched.child_by_field_name("value"));
                let subject = subject.map(|subject| expression(b, subject, scope));
                let mut open = vec![pattern];
                while let Some(pattern) = open.pop() {
                    if is_literal(pattern.kind()) {
                        let value = expression(b, pattern, scope);
                        b.compared(&value, subject.as_ref(), scope);
                    } else {
                        open.extend(named(pattern));
                    }
                }
            }
            match value {
                Some(value) => expression(b, value, inner),
                None => b.opaque("nothing", node),
            }
        }
        "binary_expression" => {
            let equality = node.child_by_field_name("operator").is_some_and(|op| matches!(op.kind(), "==" | "!="));
            let sides: Vec<Expr> = ["left", "right"]
                .into_iter()
                .filter_map(|field| node.child_by_field_name(field))
                .map(|side| expression(b, side, scope))
                .collect();
            if equality {
                b.compared_sides(&sides, scope);
            }
            b.opaque("a computed value", node)
        }
        "line_comment" | "block_comment" => b.opaque("a comment", node),
        "macro_invocation" => match node.child_by_field_name("macro") {
            Some(name) => {
                let callee = path(b, name);
                tokens::invocation(b, node, callee, scope)
            }
            None => b.opaque("a macro", node),
        },
        _ => {
            declarations(b, node, scope);
            b.opaque("an expression that is computed at run time", node)
        }
    }
}

fn struct_field(b: &mut Builder<'_>, field: Node<'_>, scope: ScopeId) -> Option<Arg> {
    match field.kind() {
        "field_initializer" => {
            let name = field.child_by_field_name("field").map(|name| b.smol(name));
            let value = field.child_by_field_name("value").map(|value| expression(b, value, scope))?;
            Some(Arg { name, value, span: b.span(field) })
        }
        "shorthand_field_initializer" => {
            let name = b.smol(field);
            Some(Arg { name: Some(name.clone()), value: Expr::Name { name, span: b.span(field) }, span: b.span(field) })
        }
        "base_field_initializer" => {
            let value = field.named_child(0).map(|value| expression(b, value, scope))?;
            Some(Arg { name: None, value: Expr::Spread(Box::new(value)), span: b.span(field) })
        }
        _ => None,
    }
}

fn call(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let Some(function) = node.child_by_field_name("function") else {
        return b.opaque("an incomplete call", node);
    };
    let arguments = node.child_by_field_name("arguments").map(|list| named(list)).unwrap_or_default();
    if let ("field_expression", [], Some(value)) =
        (function.kind(), arguments.as_slice(), function.child_by_field_name("value"))
    {
        let method = function.child_by_field_name("field").map_or("", |field| b.text(field));
        if SAME_TEXT_METHODS.contains(&method) {
            return expression(b, value, scope);
        }
    }
    if let [only] = arguments.as_slice()
        && SAME_TEXT_FUNCTIONS.contains(&b.text(function))
    {
        return expression(b, *only, scope);
    }
    if let Some(empty) = empty_collection(b, function, node) {
        return empty;
    }
    let named_function = match function.kind() {
        "generic_function" => function.child_by_field_name("function").unwrap_or(function),
        _ => function,
    };
    let callee = expression(b, named_function, scope);
    let mut args: Vec<Arg> = arguments
        .into_iter()
        .filter(|argument| argument.kind() != "attribute_item")
        .map(|argument| Arg { name: None, value: expression(b, argument, scope), span: b.span(argument) })
        .collect();
    if let Some(types) =
        function.child_by_field_name("type_arguments").filter(|_| function.kind() == "generic_function")
        && let [only] = named(types).as_slice()
    {
        let name = Some(SmolStr::new_static(TYPE_ARGUMENT));
        args.push(Arg { name, value: path(b, *only), span: b.span(*only) });
    }
    Expr::Call(b.call(CallKind::Plain, callee, args, scope, node))
}

/// The empty list or object that `Vec::new()` or `HashMap::with_capacity(8)` creates; `None` for any other call.
fn empty_collection(b: &Builder<'_>, function: Node<'_>, node: Node<'_>) -> Option<Expr> {
    let (of, method) = (function.child_by_field_name("path")?, function.child_by_field_name("name")?);
    let of = b.text(of).split('<').next().unwrap_or("").trim_end_matches("::");
    let of = of.rsplit("::").next().unwrap_or(of);
    if !MAKING_EMPTY.contains(&b.text(method)) {
        return None;
    }
    let span = b.span(node);
    if LISTS.contains(&of) {
        return Some(Expr::Array { elements: Vec::new(), span });
    }
    MAPS.contains(&of).then(|| Expr::Object { props: Vec::new(), span })
}
