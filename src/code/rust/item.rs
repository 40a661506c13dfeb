//! Functions, types and implementations, with their attributes.

use std::sync::Arc;

use tree_sitter::Node;

use super::expression::expression;
use super::pattern::target;
use super::types::{self, annotation, word};
use super::{Tail, block, later, macros, with_attributes};
use crate::code::builder::{Builder, has_token, named};
use crate::code::{
    Arg, ArgKind, Block, Call, Class, ClassBody, Doc, Expr, ExprKind, Extension, Function, Member, MemberKind, Param,
    ParamKind, Target,
};
use crate::text::Span;

/// Whether attributes say that what is below them is only there for tests.
pub(super) fn is_for_tests(b: &Builder<'_>, above: &[Node<'_>]) -> bool {
    let is_test = |node: &&Node<'_>| {
        let text: String = b.text(**node).chars().filter(|character| !character.is_whitespace()).collect();
        text == "#[test]" || text.starts_with("#[cfg(test") || text.starts_with("#[cfg(all(test")
    };
    above.iter().filter(|node| node.kind() == "attribute_item").any(|node| is_test(&node))
}

/// Attributes of the language itself, which no macro reads.
const BUILT_IN: [&str; 16] = [
    "allow",
    "warn",
    "deny",
    "forbid",
    "expect",
    "inline",
    "cold",
    "must_use",
    "doc",
    "cfg",
    "cfg_attr",
    "repr",
    "non_exhaustive",
    "deprecated",
    "rustfmt",
    "clippy",
];

/// The attributes above an item, as decorators.
fn decorators(b: &mut Builder<'_>, above: &[Node<'_>]) -> Vec<Expr> {
    let attributes = above.iter().filter(|node| node.kind() == "attribute_item");
    attributes.filter_map(|item| decorator(b, *item)).collect()
}

fn decorator(b: &mut Builder<'_>, item: Node<'_>) -> Option<Expr> {
    let attribute = named(item).into_iter().find(|child| child.kind() == "attribute")?;
    let path = *named(attribute).first()?;
    let callee = types::class(b, path);
    let root = b.text(path).split("::").next().unwrap_or_default();
    if BUILT_IN.contains(&root) {
        return None;
    }
    if let Some(value) = attribute.child_by_field_name("value") {
        // `#[path = "x.rs"]`
        let value = expression(b, value);
        let span = value.span;
        let args = vec![Arg { kind: ArgKind::Positional, value, span }];
        return Some(b.call(callee, args, attribute));
    }
    let Some(tokens) = attribute.child_by_field_name("arguments") else { return Some(callee) };
    let args = macros::attribute_arguments(b, tokens);
    Some(b.call(callee, args, attribute))
}

/// The first line of the documentation above an item.
fn doc(b: &Builder<'_>, above: &[Node<'_>]) -> Option<Doc> {
    above.iter().find_map(|comment| {
        let range = crate::syntax::rust::doc_comment(*comment, b.source())?;
        Some(Doc { text: b.slice(range.start, range.end).into(), span: b.span_of(range.start, range.end) })
    })
}

pub(super) fn function(b: &mut Builder<'_>, node: Node<'_>, above: &[Node<'_>]) -> Function {
    let decorators = decorators(b, above);
    let name = node.child_by_field_name("name");
    Function {
        name: name.map(|name| b.smol(name)),
        name_span: name.map_or(Span::default(), |name| b.span(name)),
        params: params(b, node),
        body: node.child_by_field_name("body").map(|body| block(b, body, Tail::Return)).unwrap_or_default(),
        decorators,
        doc: doc(b, above),
        returns: node.child_by_field_name("return_type").map(|of| annotation(b, of)),
        types: types::parameters(b, node),
        span: b.span(node),
        ..Function::default()
    }
}

pub(super) fn closure(b: &mut Builder<'_>, node: Node<'_>) -> Function {
    let mut body = Block::new();
    if let Some(inner) = node.child_by_field_name("body") {
        body = block(b, inner, Tail::Return);
    }
    Function { params: params(b, node), body, is_arrow: true, span: b.span(node), ..Function::default() }
}

pub(super) fn async_block(b: &mut Builder<'_>, node: Node<'_>) -> Function {
    let body = named(node).into_iter().find(|child| child.kind() == "block");
    let body = body.map(|body| block(b, body, Tail::Return)).unwrap_or_default();
    Function { body, is_arrow: true, span: b.span(node), ..Function::default() }
}

/// The annotation of a receiver that a method changes: `&mut self`.
pub(crate) const CHANGED: &str = "&mut";

fn params(b: &mut Builder<'_>, node: Node<'_>) -> Vec<Param> {
    let list = node.child_by_field_name("parameters").map(named).unwrap_or_default();
    let plain = |target: Target, annotation: Option<Expr>| Param {
        target,
        default: None,
        kind: ParamKind::Plain,
        annotation,
        is_field: false,
        decorators: Vec::new(),
    };
    let mut params = Vec::new();
    for parameter in list {
        match parameter.kind() {
            "attribute_item" => {}
            "self_parameter" => {
                let target = Target::Name { name: "self".into(), span: b.span(parameter) };
                let is_changed = b.text(parameter).starts_with('&') && has_mutable(parameter);
                let annotation = is_changed.then(|| b.expr(ExprKind::Name(CHANGED.into()), parameter));
                params.push(plain(target, annotation));
            }
            "parameter" => {
                let Some(pattern) = parameter.child_by_field_name("pattern") else { continue };
                let target = target(b, pattern);
                let annotation = parameter.child_by_field_name("type").map(|of| annotation(b, of));
                params.push(plain(target, annotation));
            }
            // Of a closure, whose parameters need no types.
            _ => {
                let target = target(b, parameter);
                params.push(plain(target, None));
            }
        }
    }
    // `|_|`
    if node.kind() == "closure_expression" && params.is_empty() {
        let list = node.child_by_field_name("parameters");
        let marks = list.map_or(0, |list| {
            let mut cursor = list.walk();
            list.children(&mut cursor).filter(|child| child.kind() == "_").count()
        });
        params.extend((0..marks).map(|_| plain(Target::Opaque("a value that nothing names"), None)));
    }
    params
}

fn has_mutable(parameter: Node<'_>) -> bool {
    has_token(parameter, "mutable_specifier")
}

/// `struct X { … }`
pub(super) fn structure(b: &mut Builder<'_>, node: Node<'_>, above: &[Node<'_>]) -> Class {
    let mut members = Vec::new();
    if let Some(body) = node.child_by_field_name("body") {
        fields(b, body, &mut members);
    }
    class(b, node, above, Vec::new(), members)
}

fn class(b: &mut Builder<'_>, node: Node<'_>, above: &[Node<'_>], bases: Vec<Arg>, members: Vec<Member>) -> Class {
    let name = node.child_by_field_name("name");
    Class {
        name: name.map(|name| word(b, name)),
        name_span: name.map_or(Span::default(), |name| b.span(name)),
        bases,
        decorators: decorators(b, above),
        body: ClassBody::Members(members),
        doc: doc(b, above),
        span: b.span(node),
    }
}

/// The fields of a struct or variant; those without names are numbered.
fn fields(b: &mut Builder<'_>, body: Node<'_>, members: &mut Vec<Member>) {
    let mut index = 0;
    for (above, field) in with_attributes(body) {
        let (name, of) = match field.kind() {
            "field_declaration" => {
                let Some(name) = field.child_by_field_name("name") else { continue };
                (b.expr(ExprKind::Text(word(b, name)), name), field.child_by_field_name("type"))
            }
            "visibility_modifier" => continue,
            // The type of a numbered field.
            _ => (b.expr(ExprKind::Text(index.to_string().into()), field), Some(field)),
        };
        index += 1;
        let annotation = of.map(|of| annotation(b, of));
        let decorators = decorators(b, &above);
        let kind = MemberKind::Field { value: None, annotation };
        members.push(Member { key: name, is_static: false, kind, decorators, span: b.span(field) });
    }
}

/// `enum X { A, B(u8), C { x: u8 } }`: a class with a class for each variant; a variant without fields is the only
/// instance of its class.
pub(super) fn enumeration(b: &mut Builder<'_>, node: Node<'_>, above: &[Node<'_>]) -> Class {
    let name = node.child_by_field_name("name");
    let mut members = Vec::new();
    for (above, variant) in node.child_by_field_name("body").map(with_attributes).unwrap_or_default() {
        let Some(key) = variant.child_by_field_name("name").filter(|_| variant.kind() == "enum_variant") else {
            continue;
        };
        let base = name.map(|name| {
            let value = b.expr(ExprKind::Name(word(b, name)), name);
            Arg { kind: ArgKind::Positional, value, span: b.span(name) }
        });
        let body = variant.child_by_field_name("body");
        let mut inner = Vec::new();
        if let Some(body) = body {
            fields(b, body, &mut inner);
        }
        let class = class(b, variant, &above, base.into_iter().collect(), inner);
        let class = b.expr(ExprKind::Class(Arc::new(class)), variant);
        let value = match body {
            Some(_) => class,
            None => {
                let call = Call { callee: class, args: Vec::new(), new: true, optional: false };
                b.expr(ExprKind::Call(Box::new(call)), variant)
            }
        };
        let kind = MemberKind::Field { value: Some(value), annotation: None };
        let key = b.expr(ExprKind::Text(word(b, key)), key);
        members.push(Member { key, is_static: true, kind, decorators: Vec::new(), span: b.span(variant) });
    }
    class(b, node, above, Vec::new(), members)
}

/// `trait X: Base { … }`
pub(super) fn behaviour(b: &mut Builder<'_>, node: Node<'_>, above: &[Node<'_>]) -> Class {
    let bounds = node.child_by_field_name("bounds").map(named).unwrap_or_default();
    let bases = bounds.into_iter().filter(|bound| bound.kind() != "lifetime");
    let bases =
        bases.map(|bound| Arg { kind: ArgKind::Positional, value: types::class(b, bound), span: b.span(bound) });
    let bases = bases.collect();
    let members = node.child_by_field_name("body").map(|body| members(b, body)).unwrap_or_default();
    class(b, node, above, bases, members)
}

/// `impl Trait for Type { … }`
pub(super) fn extension(b: &mut Builder<'_>, node: Node<'_>, above: &[Node<'_>]) -> Extension {
    let of = node.child_by_field_name("type");
    let of = match of {
        Some(of) => types::class(b, of),
        None => b.opaque(super::UNPARSED, node),
    };
    Extension {
        of,
        behaviour: node.child_by_field_name("trait").map(|base| types::class(b, base)),
        types: types::parameters(b, node),
        members: node.child_by_field_name("body").map(|body| members(b, body)).unwrap_or_default(),
        decorators: decorators(b, above),
        span: b.span(node),
    }
}

/// The methods and constants of a trait or of an implementation.
fn members(b: &mut Builder<'_>, body: Node<'_>) -> Vec<Member> {
    let mut members = Vec::new();
    for (above, child) in with_attributes(body) {
        if is_for_tests(b, &above) {
            continue;
        }
        let Some(name) = child.child_by_field_name("name") else { continue };
        let key = b.expr(ExprKind::Text(word(b, name)), name);
        let (kind, decorators) = match child.kind() {
            "function_item" => {
                let function = function(b, child, &above);
                let decorators = function.decorators.clone();
                (MemberKind::Method(Arc::new(function)), decorators)
            }
            "const_item" => match child.child_by_field_name("value") {
                Some(value) => {
                    let value = expression(b, value);
                    let value = later(b, child, value);
                    (MemberKind::Field { value: Some(value), annotation: None }, Vec::new())
                }
                None => (MemberKind::Declared, Vec::new()),
            },
            "type_item" => match child.child_by_field_name("type") {
                Some(of) => {
                    let value = types::class(b, of);
                    let value = later(b, child, value);
                    (MemberKind::Field { value: Some(value), annotation: None }, Vec::new())
                }
                None => (MemberKind::Declared, Vec::new()),
            },
            _ => (MemberKind::Declared, Vec::new()),
        };
        members.push(Member { key, is_static: true, kind, decorators, span: b.span(child) });
    }
    members
}
