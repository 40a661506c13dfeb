//! Expressions: names, members, calls, objects.

use std::sync::Arc;

use smol_str::SmolStr;
use tree_sitter::Node;

use super::class::class;
use super::function::{documented, function, method};
use super::target::elements;
use super::{TOO_DEEP, UNPARSED, is_comment, is_doc, literal, operator};
use crate::code::builder::{Builder, has_token, links, named};
use crate::code::{Arg, ArgKind, Call, Expr, ExprKind, Prop};

pub(super) fn expression(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    match b.deeper(|b| shallow_expression(b, node)) {
        Some(value) => value,
        None => b.opaque(TOO_DEEP, node),
    }
}

/// The expression in a field of a node.
pub(super) fn expression_of(b: &mut Builder<'_>, node: Node<'_>, field: &str) -> Expr {
    match node.child_by_field_name(field) {
        Some(value) => expression(b, value),
        None => b.opaque(UNPARSED, node),
    }
}

fn shallow_expression(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    if node.is_missing() {
        return b.opaque(UNPARSED, node);
    }
    match node.kind() {
        "string" => literal::string(b, node),
        "template_string" => literal::template(b, node),
        "number" => literal::number(b, node),
        "call_expression" | "member_expression" | "subscript_expression" | "non_null_expression" => chain(b, node),
        "binary_expression" => operator::binary(b, node),
        "unary_expression" => operator::unary(b, node),
        "ternary_expression" => operator::ternary(b, node),
        "assignment_expression" | "augmented_assignment_expression" => operator::assignment(b, node),
        "update_expression" => operator::step(b, node),
        "nested_identifier" => nested(b, node),
        "new_expression" => created(b, node),
        "object" => object(b, node),
        "array" => array(b, node),
        // Types and parentheses do not change a value.
        "parenthesized_expression" | "as_expression" | "satisfies_expression" | "instantiation_expression" => {
            inner(b, node)
        }
        "type_assertion" => match named(node).last() {
            Some(value) => expression(b, *value),
            None => b.opaque(UNPARSED, node),
        },
        "await_expression" => {
            let value = inner(b, node);
            b.expr(ExprKind::Await(Box::new(value)), node)
        }
        "yield_expression" => {
            let value = named(node).first().map(|value| Box::new(expression(b, *value)));
            b.expr(ExprKind::Yield { value, all: has_token(node, "*") }, node)
        }
        "spread_element" => {
            let value = inner(b, node);
            b.expr(ExprKind::Spread(Box::new(value)), node)
        }
        "sequence_expression" => {
            let values = named(node).into_iter().map(|value| expression(b, value)).collect();
            b.expr(ExprKind::Sequence(values), node)
        }
        "arrow_function" | "function_expression" | "generator_function" => {
            let function = function(b, node, None);
            b.expr(ExprKind::Function(Arc::new(function)), node)
        }
        "class" => {
            let class = class(b, node, &[], None);
            b.expr(ExprKind::Class(Arc::new(class)), node)
        }
        kind => {
            let kind = leaf(b, node, kind);
            b.expr(kind, node)
        }
    }
}

/// An expression without others in it.
fn leaf(b: &mut Builder<'_>, node: Node<'_>, kind: &str) -> ExprKind {
    match kind {
        "identifier" | "shorthand_property_identifier" | "predefined_type" => {
            let name = b.smol(node);
            b.has_arguments |= name == "arguments";
            ExprKind::Name(name)
        }
        "import" => ExprKind::Name(SmolStr::new_static("import")),
        "this" => ExprKind::This,
        "super" => ExprKind::Super,
        "undefined" => ExprKind::Undefined,
        "null" => ExprKind::Null,
        "true" => ExprKind::Bool(true),
        "false" => ExprKind::Bool(false),
        "regex" => match node.child_by_field_name("pattern") {
            Some(source) => {
                let flags = node.child_by_field_name("flags").map(|flags| b.smol(flags)).unwrap_or_default();
                ExprKind::Pattern { source: b.smol(source), flags }
            }
            None => ExprKind::Opaque(UNPARSED),
        },
        "meta_property" if b.text(node).starts_with("import") => {
            let (start, end) = (node.start_byte(), node.end_byte());
            let name = ExprKind::Name(SmolStr::new_static("import"));
            let object = Expr { kind: name, span: b.span_of(start, start + "import".len()) };
            let key = SmolStr::new_static("meta");
            ExprKind::Member { object: Box::new(object), key, at: b.span_of(end - "meta".len(), end), optional: false }
        }
        "meta_property" => ExprKind::Opaque("new.target"),
        "jsx_element" | "jsx_self_closing_element" => ExprKind::Opaque("markup"),
        "internal_module" | "module" => ExprKind::Opaque("a namespace inside an expression"),
        _ => ExprKind::Opaque(UNPARSED),
    }
}

fn inner(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    match named(node).first() {
        Some(value) => expression(b, *value),
        None => b.opaque(UNPARSED, node),
    }
}

/// The operand of a link of a chain; `None` if the node is not a link.
fn before(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "call_expression" => node.child_by_field_name("function"),
        "member_expression" | "subscript_expression" => node.child_by_field_name("object"),
        "non_null_expression" => named(node).first().copied(),
        _ => None,
    }
}

/// Members, elements and calls one after the other, in a loop: `a.b(c)[d]`.
fn chain(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let (mut links, first) = links(node, before);
    if links.is_empty() {
        return b.opaque(UNPARSED, node);
    }
    let Some(mut value) = b.along(links.len(), |b| expression(b, first)) else { return b.opaque(TOO_DEEP, node) };
    while let Some(link) = links.pop() {
        let lowered = b.along(links.len(), |b| linked(b, link, value));
        value = match lowered {
            Some(lowered) => lowered,
            None => return b.opaque(TOO_DEEP, node),
        };
    }
    value
}

/// Applies one link to the value before it.
fn linked(b: &mut Builder<'_>, node: Node<'_>, object: Expr) -> Expr {
    let optional = has_token(node, "?.") || has_token(node, "optional_chain");
    match node.kind() {
        "non_null_expression" => object,
        "call_expression" => call(b, node, object, optional),
        "subscript_expression" => {
            let index = Box::new(expression_of(b, node, "index"));
            b.expr(ExprKind::At { object: Box::new(object), index, optional }, node)
        }
        _ => match node.child_by_field_name("property").filter(|property| !property.is_missing()) {
            Some(name) => {
                let (object, key, at) = (Box::new(object), b.smol(name), b.span(name));
                b.expr(ExprKind::Member { object, key, at, optional }, node)
            }
            None => b.opaque(UNPARSED, node),
        },
    }
}

fn call(b: &mut Builder<'_>, node: Node<'_>, callee: Expr, optional: bool) -> Expr {
    let list = node.child_by_field_name("arguments");
    let is_import = node.child_by_field_name("function").is_some_and(|function| function.kind() == "import");
    let args = match list {
        Some(template) if template.kind() == "template_string" => tagged(b, node, template),
        Some(list) => arguments(b, list),
        None => Vec::new(),
    };
    let kind = if is_import {
        let module = args.into_iter().next();
        module.map_or(ExprKind::Opaque(UNPARSED), |module| ExprKind::Import(Box::new(module.value)))
    } else {
        ExprKind::Call(Box::new(Call { callee, args, new: false, optional }))
    };
    b.expr(kind, node)
}

/// The arguments of a tag: its texts in a list, then its values.
fn tagged(b: &mut Builder<'_>, node: Node<'_>, template: Node<'_>) -> Vec<Arg> {
    let is_raw = node.child_by_field_name("function").is_some_and(|tag| b.text(tag) == "String.raw");
    let (texts, values) = literal::pieces(b, template, is_raw);
    let texts = b.expr(ExprKind::List(texts), template);
    let all = std::iter::once(texts).chain(values);
    all.map(|value| Arg { kind: ArgKind::Positional, span: value.span, value }).collect()
}

fn arguments(b: &mut Builder<'_>, list: Node<'_>) -> Vec<Arg> {
    let mut cursor = list.walk();
    list.named_children(&mut cursor)
        .filter(|node| !node.is_extra() || node.is_error())
        .map(|node| {
            let (kind, value) = match node.kind() {
                "ERROR" => (ArgKind::Positional, b.opaque(UNPARSED, node)),
                "spread_element" => (ArgKind::Spread, inner(b, node)),
                _ => (ArgKind::Positional, expression(b, node)),
            };
            Arg { kind, value, span: b.span(node) }
        })
        .collect()
}

fn created(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let callee = expression_of(b, node, "constructor");
    let args = node.child_by_field_name("arguments").map(|list| arguments(b, list)).unwrap_or_default();
    b.expr(ExprKind::Call(Box::new(Call { callee, args, new: true, optional: false })), node)
}

/// `a.b.c`, where only names can stand.
fn nested(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let object = expression_of(b, node, "object");
    linked(b, node, object)
}

fn array(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let hole = b.span_of(node.start_byte(), node.start_byte());
    let mut values = Vec::new();
    for element in elements(node) {
        values.push(match element {
            Some(element) => expression(b, element),
            None => Expr { kind: ExprKind::Undefined, span: hole },
        });
    }
    b.expr(ExprKind::List(values), node)
}

/// The key of an entry or member: a text, or the expression in brackets.
pub(super) fn key(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    match node.kind() {
        "string" => literal::string(b, node),
        "number" => literal::number_key(b, node),
        "computed_property_name" => inner(b, node),
        _ => b.expr(ExprKind::Text(b.smol(node)), node),
    }
}

fn object(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let mut props = Vec::new();
    let mut cursor = node.walk();
    let mut doc = None;
    for child in node.named_children(&mut cursor) {
        if is_comment(child) {
            doc = Some(child).filter(|it| is_doc(b.text(*it))).or(doc);
        } else {
            props.extend(prop(b, child, doc.take()));
        }
    }
    b.expr(ExprKind::Object(props), node)
}

fn prop(b: &mut Builder<'_>, node: Node<'_>, doc: Option<Node<'_>>) -> Option<Prop> {
    Some(match node.kind() {
        "pair" => {
            let key = key(b, node.child_by_field_name("key")?);
            let value = expression_of(b, node, "value");
            Prop::Pair { key, value: documented(b, value, doc) }
        }
        "shorthand_property_identifier" => {
            Prop::Pair { key: b.expr(ExprKind::Text(b.smol(node)), node), value: expression(b, node) }
        }
        "method_definition" => {
            let key = key(b, node.child_by_field_name("name")?);
            let function = Arc::new(method(b, node, &key, doc));
            if has_token(node, "get") {
                Prop::Getter { key, function }
            } else if has_token(node, "set") {
                Prop::Setter { key, function }
            } else {
                Prop::Pair { key, value: b.expr(ExprKind::Function(function), node) }
            }
        }
        "spread_element" => Prop::Spread(inner(b, node)),
        _ => return None,
    })
}
