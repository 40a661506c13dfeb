//! Functions, their parameters, and the comments that document them.

use std::sync::Arc;

use smol_str::SmolStr;
use tree_sitter::Node;

use super::expression::expression;
use super::target::target;
use super::{block, types};
use crate::code::builder::{Builder, has_token, named};
use crate::code::{Block, Doc, Expr, ExprKind, Function, Param, ParamKind, StmtKind};
use crate::text::Span;

/// Lowers a function of any kind with the name that it declares.
pub(super) fn function(b: &mut Builder<'_>, node: Node<'_>, doc: Option<Node<'_>>) -> Function {
    let name = node.child_by_field_name("name").filter(|name| name.kind() == "identifier");
    let name = name.map(|name| (b.smol(name), b.span(name)));
    function_named(b, node, name, doc)
}

/// Lowers a method with its key for a name, if that is a text.
pub(super) fn method(b: &mut Builder<'_>, node: Node<'_>, key: &Expr, doc: Option<Node<'_>>) -> Function {
    let is_computed = node.child_by_field_name("name").is_some_and(|name| name.kind() == "computed_property_name");
    let name = match &key.kind {
        ExprKind::Text(text) if !is_computed => Some((text.clone(), key.span)),
        _ => None,
    };
    function_named(b, node, name, doc)
}

fn function_named(
    b: &mut Builder<'_>,
    node: Node<'_>,
    name: Option<(SmolStr, Span)>,
    doc: Option<Node<'_>>,
) -> Function {
    let (name, name_span) = name.map_or((None, Span::default()), |(name, span)| (Some(name), span));
    let doc = doc.and_then(|comment| doc_of(b, comment));
    // An arrow function has the `arguments` of the function around it.
    let is_arrow = node.kind() == "arrow_function";
    let around = b.has_arguments;
    b.has_arguments = is_arrow && around;
    let params = params(b, node);
    let returns = types::annotation(b, node, "return_type");
    let body = match node.child_by_field_name("body") {
        Some(body) if body.kind() == "statement_block" => block(b, body),
        Some(value) => vec![{
            let returned = expression(b, value);
            b.stmt(StmtKind::Return(Some(returned)), value)
        }],
        None => Block::new(),
    };
    let has_arguments = b.has_arguments;
    b.has_arguments = around || is_arrow && has_arguments;
    Function {
        name,
        name_span,
        params,
        body,
        is_async: has_token(node, "async"),
        is_generator: has_token(node, "*"),
        is_arrow,
        has_arguments,
        decorators: Vec::new(),
        doc,
        locals: Vec::new(),
        returns,
        types: Vec::new(),
        span: b.span(node),
    }
}

fn params(b: &mut Builder<'_>, node: Node<'_>) -> Vec<Param> {
    if let Some(name) = node.child_by_field_name("parameter") {
        let target = target(b, name);
        let (kind, decorators) = (ParamKind::Plain, Vec::new());
        return vec![Param { target, default: None, kind, annotation: None, is_field: false, decorators }];
    }
    let list = node.child_by_field_name("parameters").map(named).unwrap_or_default();
    list.into_iter().filter_map(|node| param(b, node)).collect()
}

/// `None` for `this`, which only has a type.
fn param(b: &mut Builder<'_>, node: Node<'_>) -> Option<Param> {
    let pattern = node.child_by_field_name("pattern")?;
    let kind = match pattern.kind() {
        "this" => return None,
        "rest_pattern" => ParamKind::Rest,
        _ => ParamKind::Plain,
    };
    let is_modifier = |part: &Node<'_>| matches!(part.kind(), "accessibility_modifier" | "override_modifier");
    Some(Param {
        target: target(b, pattern),
        default: node.child_by_field_name("value").map(|value| expression(b, value)),
        kind,
        annotation: types::annotation(b, node, "type"),
        is_field: named(node).iter().any(is_modifier) || has_token(node, "readonly"),
        decorators: decorators(b, node),
    })
}

/// The decorators that are children of a node, outermost first.
pub(super) fn decorators(b: &mut Builder<'_>, node: Node<'_>) -> Vec<Expr> {
    let all = named(node).into_iter().filter(|child| child.kind() == "decorator");
    all.filter_map(|child| decorator(b, child)).collect()
}

/// The expression of a decorator.
pub(super) fn decorator(b: &mut Builder<'_>, node: Node<'_>) -> Option<Expr> {
    named(node).first().map(|value| expression(b, *value))
}

/// Gives the comment above a declaration to the function or class that is its value.
pub(super) fn documented(b: &Builder<'_>, mut value: Expr, comment: Option<Node<'_>>) -> Expr {
    let doc = match &mut value.kind {
        ExprKind::Function(function) => Arc::get_mut(function).map(|function| &mut function.doc),
        ExprKind::Class(class) => Arc::get_mut(class).map(|class| &mut class.doc),
        _ => None,
    };
    if let (Some(doc), Some(comment)) = (doc, comment) {
        *doc = doc_of(b, comment);
    }
    value
}

/// The first line with text of a comment `/** … */`.
pub(super) fn doc_of(b: &Builder<'_>, comment: Node<'_>) -> Option<Doc> {
    let all = b.text(comment);
    let inner = all.strip_prefix("/**")?;
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let mut at = comment.start_byte() + "/**".len();
    for line in inner.split_inclusive(['\n', '\r']) {
        let text = line.trim_start_matches(|c: char| c.is_whitespace() || c == '*');
        let start = at + line.len() - text.len();
        let text = text.trim_end();
        if !text.is_empty() {
            return Some(Doc { text: SmolStr::new(text), span: b.span_of(start, start + text.len()) });
        }
        at += line.len();
    }
    None
}
