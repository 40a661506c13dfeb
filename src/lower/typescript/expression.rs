//! The expressions of TypeScript and JavaScript.

use smol_str::SmolStr;
use tree_sitter::Node;

use super::{class, function_scope, statement};
use crate::lower::builder::{Builder, joined, named, summands, unescape};
use crate::lower::{
    Arg, Bound, CallKind, Export, ExportTarget, Expr, Function, Key, Param, Pattern, Prop, ScopeId, ScopeKind,
};
use crate::text::Span;

/// Array methods that call their argument once for each element, so that it is lowered like the body of a loop.
const EACH_METHODS: [&str; 3] = ["forEach", "map", "flatMap"];

pub(in crate::lower) fn expression(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    b.expression(node, scope, shallow_expression)
}

fn shallow_expression(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    match node.kind() {
        "string" => {
            let mut parts = Vec::new();
            string_parts(b, node, &mut parts);
            joined(parts, inside_quotes(b, node))
        }
        "template_string" => template(b, node, scope),
        "identifier" | "shorthand_property_identifier" | "this" | "super" | "undefined" => {
            Expr::Name { name: b.smol(node), span: b.span(node) }
        }
        "true" | "false" | "number" | "null" => Expr::Scalar { text: b.smol(node), span: b.span(node) },
        "regex" => match node.child_by_field_name("pattern") {
            Some(pattern) => {
                let flags = node.child_by_field_name("flags").map(|flags| b.smol(flags)).unwrap_or_default();
                Expr::Pattern { pattern: Box::new(Pattern { source: b.smol(pattern), flags }), span: b.span(node) }
            }
            None => b.opaque("an incomplete pattern", node),
        },
        "member_expression" => {
            let Some(object) = node.child_by_field_name("object") else {
                return b.opaque("an incomplete member", node);
            };
            let object = Box::new(expression(b, object, scope));
            match node.child_by_field_name("property") {
                Some(property) => Expr::Member { object, key: Key::Field(b.smol(property)), span: b.span(property) },
                None => b.opaque("an incomplete member", node),
            }
        }
        "subscript_expression" => {
            let (Some(object), Some(index)) = (node.child_by_field_name("object"), node.child_by_field_name("index"))
            else {
                return b.opaque("an incomplete member", node);
            };
            let object = Box::new(expression(b, object, scope));
            let key = match expression(b, index, scope) {
                Expr::Text { text, .. } => Key::Field(text),
                Expr::Scalar { text, .. } => match text.parse() {
                    Ok(index) => Key::Index(index),
                    Err(_) => return b.opaque("an element chosen at run time", node),
                },
                key => {
                    let span = b.span(index);
                    return b.element(*object, key, scope, span);
                }
            };
            Expr::Member { object, key, span: b.span(index) }
        }
        "call_expression" => call(b, node, scope),
        "new_expression" => {
            let Some(callee) = node.child_by_field_name("constructor") else {
                return b.opaque("an incomplete call", node);
            };
            let callee = expression(b, callee, scope);
            let args = node.child_by_field_name("arguments").map(|list| arguments(b, list, scope, None, false));
            Expr::Call(b.call(CallKind::New, callee, args.unwrap_or_default(), scope, node))
        }
        "object" => object(b, node, scope),
        "array" => {
            let elements = named(node).into_iter().map(|element| expression(b, element, scope)).collect();
            b.array(elements, node)
        }
        "spread_element" => match named(node).first() {
            Some(inner) => Expr::Spread(Box::new(expression(b, *inner, scope))),
            None => b.opaque("an incomplete spread", node),
        },
        "arrow_function" | "function_expression" | "generator_function" => {
            let inner = function_scope(b, node, scope, None);
            Expr::Function { scope: inner, span: b.span(node) }
        }
        "class" => {
            let inner = class(b, node, scope);
            Expr::Class { scope: inner, span: b.span(node) }
        }
        // Types, parentheses and `await` do not change a value.
        "parenthesized_expression"
        | "as_expression"
        | "satisfies_expression"
        | "non_null_expression"
        | "await_expression"
        | "type_assertion"
        | "instantiation_expression" => {
            let children = named(node);
            let value = if node.kind() == "type_assertion" { children.last() } else { children.first() };
            match value {
                Some(inner) => expression(b, *inner, scope),
                None => b.opaque("an incomplete expression", node),
            }
        }
        "unary_expression" if is_negative_number(node) => Expr::Scalar { text: b.smol(node), span: b.span(node) },
        "unary_expression" if node.child(0).is_some_and(|operator| operator.kind() == "!") => {
            match node.child_by_field_name("argument") {
                Some(argument) => Expr::Not(Box::new(expression(b, argument, scope))),
                None => b.opaque("an incomplete condition", node),
            }
        }
        "binary_expression" => binary(b, node, scope),
        "ternary_expression" => {
            let parts = ["condition", "consequence", "alternative"].map(|field| node.child_by_field_name(field));
            let [Some(test), Some(then), Some(otherwise)] = parts else {
                return b.opaque("an incomplete condition", node);
            };
            let test = Box::new(expression(b, test, scope));
            let (then, otherwise) = (branch(b, then, scope), branch(b, otherwise, scope));
            Expr::If { test, then: Box::new(then), otherwise: Box::new(otherwise) }
        }
        "assignment_expression" => assignment(b, node, scope),
        "update_expression" => {
            let value = b.opaque("a value changed in place", node);
            if let Some(counter) = node.child_by_field_name("argument").filter(|of| of.kind() == "identifier") {
                b.assign(scope, b.smol(counter), b.span(counter), value.clone());
            }
            value
        }
        // `this.instance ??= new Registry()`
        "augmented_assignment_expression" if sets_once(node) => assignment(b, node, scope),
        "augmented_assignment_expression" => {
            let value = b.opaque("a value changed in place", node);
            if let Some(left) = node.child_by_field_name("left").filter(|left| left.kind() == "identifier") {
                b.assign(scope, b.smol(left), b.span(left), value);
            }
            descend(b, node, scope);
            b.opaque("a value changed in place", node)
        }
        "comment" => b.opaque("a comment", node),
        _ => {
            descend(b, node, scope);
            b.opaque("an expression that is computed at run time", node)
        }
    }
}

fn is_negative_number(node: Node<'_>) -> bool {
    let field = |name| node.child_by_field_name(name).map_or("", |part| part.kind());
    field("operator") == "-" && field("argument") == "number"
}

/// Lowers the children of a node only to record the calls in them.
fn descend(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) {
    for child in named(node) {
        b.deeper(|b| statement(b, child, scope));
    }
}

/// Whether an assignment assigns only to a variable or member without a value: `??=`, `||=`.
fn sets_once(node: Node<'_>) -> bool {
    node.child_by_field_name("operator").is_some_and(|operator| matches!(operator.kind(), "??=" | "||="))
}

/// Whether an identifier is the name of the class around it: `Registry.instance`, in `Registry` itself.
fn names_class_around(b: &Builder<'_>, object: Node<'_>) -> bool {
    let around = std::iter::successors(object.parent(), |node| node.parent());
    let class = around.into_iter().find(|node| matches!(node.kind(), "class_declaration" | "class"));
    let name = class.and_then(|class| class.child_by_field_name("name"));
    object.kind() == "identifier" && name.is_some_and(|name| b.text(name) == b.text(object))
}

fn assignment(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return b.opaque("an incomplete assignment", node);
    };
    let value = expression(b, right, scope);
    match left.kind() {
        "identifier" => b.assign(scope, b.smol(left), b.span(left), value.clone()),
        "subscript_expression" => {
            if let (Some(object), Some(index)) = (left.child_by_field_name("object"), left.child_by_field_name("index"))
            {
                let table = expression(b, object, scope);
                let key = expression(b, index, scope);
                b.entry(table, key, value.clone(), scope);
            }
        }
        "member_expression" => {
            let (Some(object), Some(property)) =
                (left.child_by_field_name("object"), left.child_by_field_name("property"))
            else {
                return value;
            };
            if object.kind() == "this" || names_class_around(b, object) {
                if let Some(class) = b.class_around(scope) {
                    let (name, span) = (b.smol(property), b.span(property));
                    b.set_field(class, scope, name, span, value.clone());
                }
            } else if matches!(b.text(left), "module.exports") {
                b.facts.exports.push(Export {
                    name: Some(SmolStr::new_static("default")),
                    target: ExportTarget::Value(value.clone()),
                });
            } else if matches!(b.text(object), "exports" | "module.exports") {
                b.facts
                    .exports
                    .push(Export { name: Some(b.smol(property)), target: ExportTarget::Value(value.clone()) });
            } else {
                // A property that is assigned after the object was created: the last value counts.
                let table = expression(b, object, scope);
                let key = Expr::Text { text: b.smol(property), span: b.span(property) };
                b.entry(table, key, value.clone(), scope);
            }
        }
        _ => {}
    }
    value
}

/// Lowers an expression that may not be evaluated.
fn branch(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let inner = b.open(scope, ScopeKind::Branch);
    expression(b, node, inner)
}

fn binary(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let operator = node.child_by_field_name("operator").map_or("", |operator| operator.kind());
    match operator {
        "+" => {
            let operands = summands(node, "binary_expression");
            let parts = operands.into_iter().map(|operand| expression(b, operand, scope)).collect();
            Expr::Concat { parts, span: b.span(node) }
        }
        "||" | "??" | "&&" => {
            let left = node.child_by_field_name("left").map(|left| expression(b, left, scope));
            let right = node.child_by_field_name("right").map(|right| branch(b, right, scope));
            match operator {
                "&&" => match (left, right) {
                    (Some(left), Some(right)) => Expr::And(Box::new((left, right))),
                    _ => b.opaque("an incomplete condition", node),
                },
                _ => Expr::Or(left.into_iter().chain(right).collect()),
            }
        }
        "==" | "===" | "!=" | "!==" => {
            let sides: Vec<Expr> = ["left", "right"]
                .into_iter()
                .filter_map(|field| node.child_by_field_name(field))
                .map(|side| expression(b, side, scope))
                .collect();
            b.compared_sides(&sides, scope);
            b.equal(sides, operator.starts_with('='), node)
        }
        "in" => {
            let sides: Vec<Expr> = ["left", "right"]
                .into_iter()
                .filter_map(|field| node.child_by_field_name(field))
                .map(|side| expression(b, side, scope))
                .collect();
            if let [key, table] = sides.as_slice() {
                b.looked_up(table.clone(), key.clone(), scope);
            }
            b.opaque("a comparison", node)
        }
        _ => {
            descend(b, node, scope);
            b.opaque("a computed value", node)
        }
    }
}

fn call(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let Some(function) = node.child_by_field_name("function") else {
        return b.opaque("an incomplete call", node);
    };
    let callee = match function.kind() {
        "import" => Expr::Name { name: SmolStr::new_static("import"), span: b.span(function) },
        _ => expression(b, function, scope),
    };
    let each = match &callee {
        Expr::Member { object, key: Key::Field(method), .. } if EACH_METHODS.contains(&method.as_str()) => {
            Some(object.clone())
        }
        _ => None,
    };
    let args = match node.child_by_field_name("arguments") {
        Some(list) if list.kind() == "arguments" => {
            let calls_for_each = callee.last_name().is_some_and(|method| method == "forEach");
            arguments(b, list, scope, each, calls_for_each)
        }
        Some(template) => vec![Arg { name: None, value: expression(b, template, scope), span: b.span(template) }],
        None => Vec::new(),
    };
    // `Object.assign({}, a, b)` is `{ ...a, ...b }`.
    if let Expr::Member { object, key: Key::Field(method), .. } = &callee
        && method == "assign"
        && matches!(&**object, Expr::Name { name, .. } if name == "Object")
        && let [Arg { value: Expr::Object { .. }, .. }, ..] = args.as_slice()
    {
        let props = args.into_iter().map(|arg| Prop::Spread(arg.value)).collect();
        return Expr::Object { props, span: b.span(node) };
    }
    Expr::Call(b.call(CallKind::Plain, callee, args, scope, node))
}

/// Lowers arguments. If `each`, the value that an array method iterates over, is given, the first function expression
/// among the arguments is called with the elements of that value. With `calls_for_each`, so is a first argument that
/// names a function or is a call.
pub(super) fn arguments(
    b: &mut Builder<'_>,
    list: Node<'_>,
    scope: ScopeId,
    mut each: Option<Box<Expr>>,
    calls_for_each: bool,
) -> Vec<Arg> {
    let all = named(list);
    let first = all.first().copied();
    let is_first = |argument: Node<'_>| Some(argument) == first;
    all.into_iter()
        .map(|argument| {
            let value = match argument.kind() {
                "arrow_function" | "function_expression" if each.is_some() => {
                    let each = each.take();
                    let inner = b.deeper(|b| function_scope(b, argument, scope, each));
                    match inner {
                        Some(inner) => Expr::Function { scope: inner, span: b.span(argument) },
                        None => b.opaque("an expression nested too deeply", argument),
                    }
                }
                "identifier" | "member_expression" | "call_expression" if calls_for_each && is_first(argument) => {
                    let each = each.take();
                    called_with_each(b, argument, scope, each)
                }
                _ => expression(b, argument, scope),
            };
            Arg { name: None, value, span: b.span(argument) }
        })
        .collect()
}

/// Lowers the argument of `list.forEach(register)` as that of `list.forEach((element) => register(element))`.
fn called_with_each(b: &mut Builder<'_>, callee: Node<'_>, scope: ScopeId, each: Option<Box<Expr>>) -> Expr {
    let span = b.span(callee);
    let function = Function { params: vec![Param::default()], each, span, ..Function::default() };
    let inner = b.open(scope, ScopeKind::Function(function));
    let element = SmolStr::new_static("<element>");
    b.bind(inner, element.clone(), span, Bound::Param { index: 0, path: Vec::new() });
    let callee_expression = expression(b, callee, inner);
    let args = vec![Arg { name: None, value: Expr::Name { name: element, span }, span }];
    let result = Expr::Call(b.call(CallKind::Plain, callee_expression, args, inner, callee));
    b.returned(inner, result);
    Expr::Function { scope: inner, span }
}

fn object(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let mut props = Vec::new();
    for child in named(node) {
        match child.kind() {
            "pair" => {
                let (Some(key), Some(value)) = (child.child_by_field_name("key"), child.child_by_field_name("value"))
                else {
                    continue;
                };
                let key = property_key(b, key, scope);
                let value = expression(b, value, scope);
                props.push(Prop::Pair { key, value });
            }
            "shorthand_property_identifier" => {
                let (name, span) = (b.smol(child), b.span(child));
                let key = Expr::Text { text: name.clone(), span };
                props.push(Prop::Pair { key, value: Expr::Name { name, span } });
            }
            "spread_element" => {
                if let Expr::Spread(inner) = expression(b, child, scope) {
                    props.push(Prop::Spread(*inner));
                }
            }
            "method_definition" => {
                let Some(name) = child.child_by_field_name("name") else {
                    continue;
                };
                let (text, span) = key_text(b, name);
                if let Some(inner) = b.deeper(|b| function_scope(b, child, scope, None)) {
                    let value = Expr::Function { scope: inner, span: b.span(child) };
                    let key = Expr::Text { text, span };
                    props.push(Prop::Pair { key, value });
                }
            }
            _ => {}
        }
    }
    let span = b.span(node);
    b.object(props, scope, span)
}

fn property_key(b: &mut Builder<'_>, key: Node<'_>, scope: ScopeId) -> Expr {
    match key.kind() {
        "computed_property_name" => match named(key).first() {
            Some(inner) => expression(b, *inner, scope),
            None => b.opaque("an incomplete key", key),
        },
        _ => {
            let (text, span) = key_text(b, key);
            Expr::Text { text, span }
        }
    }
}

/// The text and span of a property key, method name or member name, inside its quotes if it has any.
pub(super) fn key_text(b: &Builder<'_>, key: Node<'_>) -> (SmolStr, Span) {
    if key.kind() == "string" {
        (SmolStr::new(string_text(b, key)), inside_quotes(b, key))
    } else {
        (b.smol(key), b.span(key))
    }
}

fn template(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let mut parts = Vec::new();
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "string_fragment" => parts.push(Expr::Text { text: b.smol(child), span: b.span(child) }),
            "escape_sequence" => escaped(b, child, &mut parts),
            "template_substitution" => {
                let inner = named(child);
                parts.extend(inner.first().map(|inner| expression(b, *inner, scope)));
            }
            _ => {}
        }
    }
    joined(parts, inside_quotes(b, node))
}

fn string_parts(b: &mut Builder<'_>, node: Node<'_>, parts: &mut Vec<Expr>) {
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "string_fragment" => parts.push(Expr::Text { text: b.smol(child), span: b.span(child) }),
            "escape_sequence" => escaped(b, child, parts),
            _ => {}
        }
    }
}

fn escaped(b: &Builder<'_>, node: Node<'_>, parts: &mut Vec<Expr>) {
    let mut text = [0; 4];
    if let Some(character) = unescape(b.text(node)) {
        parts.push(Expr::Text { text: SmolStr::new(character.encode_utf8(&mut text)), span: b.span(node) });
    }
}

pub(super) fn inside_quotes(b: &Builder<'_>, node: Node<'_>) -> Span {
    let (start, end) = (node.start_byte() + 1, node.end_byte().saturating_sub(1));
    b.span_of(start, end.max(start))
}

/// The text between the quotes as written; used for module names and keys, where escapes do not occur.
pub(super) fn string_text<'t>(b: &Builder<'t>, node: Node<'_>) -> &'t str {
    let text = b.text(node);
    if node.kind() == "string" { text.get(1..text.len().saturating_sub(1)).unwrap_or("") } else { text }
}
