//! Functions and classes.

use std::sync::Arc;

use tree_sitter::Node;

use super::expressions::expression;
use super::postfix::arguments;
use super::{BROKEN, fragment, locals, parts, patterns, strings, suite};
use crate::code::builder::{Builder, has_token, named};
use crate::code::{Block, Class, ClassBody, Doc, Expr, ExprKind, Function, Param, ParamKind, Stmt, StmtKind, Target};

/// Lowers a definition with decorators.
pub(super) fn decorated(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let mut decorators = Vec::new();
    for child in parts(node) {
        let kind = match child.kind() {
            "decorator" => {
                decorators.extend(named(child).first().map(|decorator| expression(b, *decorator)));
                continue;
            }
            "function_definition" => StmtKind::Function(Arc::new(function(b, child, std::mem::take(&mut decorators)))),
            "class_definition" => StmtKind::Class(Arc::new(class(b, child, std::mem::take(&mut decorators)))),
            _ => {
                fragment(b, child, out);
                continue;
            }
        };
        out.push(b.stmt(kind, node));
    }
    // Decorators without a definition, of code that does not parse.
    out.extend(decorators.into_iter().map(|decorator| b.stmt(StmtKind::Run(decorator), node)));
}

pub(super) fn function(b: &mut Builder<'_>, node: Node<'_>, decorators: Vec<Expr>) -> Function {
    let name = node.child_by_field_name("name");
    let name = name.filter(|name| !name.is_missing());
    let params = node.child_by_field_name("parameters").map(|list| params(b, list)).unwrap_or_default();
    let returns = node.child_by_field_name("return_type").map(|kind| expression(b, kind));
    let body = node.child_by_field_name("body");
    let bound = locals::of(b, body, &params);
    Function {
        name: name.map(|name| b.smol(name)),
        name_span: name.map_or(b.span_of(node.start_byte(), node.start_byte()), |name| b.span(name)),
        params,
        body: suite(b, node, body),
        is_async: has_token(node, "async"),
        is_generator: bound.is_generator,
        is_arrow: false,
        has_arguments: false,
        decorators,
        doc: doc(b, body),
        locals: bound.names,
        returns,
        types: Vec::new(),
        span: b.span(node),
    }
}

pub(super) fn lambda(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let params = node.child_by_field_name("parameters").map(|list| params(b, list)).unwrap_or_default();
    let body = node.child_by_field_name("body");
    let bound = locals::of(b, body, &params);
    let returned = body.map(|body| {
        let value = expression(b, body);
        Stmt { span: value.span, kind: StmtKind::Return(Some(value)) }
    });
    let function = Function {
        name: None,
        name_span: b.span_of(node.start_byte(), node.start_byte()),
        params,
        body: returned.into_iter().collect(),
        is_async: false,
        is_generator: bound.is_generator,
        is_arrow: false,
        has_arguments: false,
        decorators: Vec::new(),
        doc: None,
        locals: bound.names,
        returns: None,
        types: Vec::new(),
        span: b.span(node),
    };
    b.expr(ExprKind::Function(Arc::new(function)), node)
}

pub(super) fn class(b: &mut Builder<'_>, node: Node<'_>, decorators: Vec<Expr>) -> Class {
    let name = node.child_by_field_name("name");
    let name = name.filter(|name| !name.is_missing());
    let bases = node.child_by_field_name("superclasses").map(|list| arguments(b, list)).unwrap_or_default();
    let body = node.child_by_field_name("body");
    Class {
        name: name.map(|name| b.smol(name)),
        name_span: name.map_or(b.span_of(node.start_byte(), node.start_byte()), |name| b.span(name)),
        bases,
        decorators,
        doc: doc(b, body),
        body: ClassBody::Block(suite(b, node, body)),
        span: b.span(node),
    }
}

/// The docstring of a definition with this body.
fn doc(b: &Builder<'_>, body: Option<Node<'_>>) -> Option<Doc> {
    let first = parts(body?).into_iter().next()?;
    strings::doc(b, first)
}

fn params(b: &mut Builder<'_>, list: Node<'_>) -> Vec<Param> {
    let mut params: Vec<Param> = Vec::new();
    let mut plain = ParamKind::Plain;
    for node in named(list) {
        match node.kind() {
            "positional_separator" => params.iter_mut().for_each(|param| param.kind = ParamKind::Positional),
            "keyword_separator" => plain = ParamKind::Keyword,
            _ => {
                let param = param(b, node, plain);
                if param.kind == ParamKind::Rest {
                    plain = ParamKind::Keyword;
                }
                params.push(param);
            }
        }
    }
    params
}

/// Lowers a parameter that is of kind `plain` if it has no stars.
fn param(b: &mut Builder<'_>, node: Node<'_>, plain: ParamKind) -> Param {
    let annotation = node.child_by_field_name("type").map(|kind| expression(b, kind));
    let default = node.child_by_field_name("value").map(|value| expression(b, value));
    let name = match node.kind() {
        "typed_parameter" => named(node).into_iter().next(),
        "default_parameter" | "typed_default_parameter" => node.child_by_field_name("name"),
        _ => Some(node),
    };
    let kind = match name.map(|name| name.kind()) {
        Some("list_splat_pattern") => ParamKind::Rest,
        Some("dictionary_splat_pattern") => ParamKind::Keywords,
        _ => plain,
    };
    let name = match kind {
        ParamKind::Rest | ParamKind::Keywords => name.and_then(|splat| named(splat).into_iter().next()),
        _ => name,
    };
    let target = name.map_or(Target::Opaque(BROKEN), |name| patterns::target(b, name));
    Param { target, default, kind, annotation, is_field: false, decorators: Vec::new() }
}
