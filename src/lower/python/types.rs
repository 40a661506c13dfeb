//! Type annotations, typed fields and docstrings of Python.

use smol_str::SmolStr;
use tree_sitter::Node;

use super::super::builder::{Builder, named};
use super::super::{Doc, Expr, Field, ScopeId};
use super::expression;

/// A type as an expression: `Annotated[str, Field(ge=0)]` is `Annotated` indexed by a list, `str | None` is a choice.
pub(super) fn annotation(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Expr {
    let span = b.span(node);
    let deeper = |b: &mut Builder<'_>, node: Node<'_>| {
        let lowered = b.deeper(|b| annotation(b, node, scope));
        lowered.unwrap_or_else(|| b.opaque("a type nested too deeply", node))
    };
    let children = named(node);
    match (node.kind(), children.as_slice()) {
        ("type", [inner]) => deeper(b, *inner),
        ("generic_type", [base, arguments]) => {
            let object = Box::new(expression(b, *base, scope));
            let elements = named(*arguments).into_iter().map(|one| deeper(b, one)).collect();
            let index = Box::new(Expr::Array { elements, span: b.span(*arguments) });
            Expr::At { object, index, span }
        }
        ("subscript", [base, arguments @ ..]) => {
            let object = Box::new(expression(b, *base, scope));
            let elements = arguments.iter().map(|one| deeper(b, *one)).collect();
            Expr::At { object, index: Box::new(Expr::Array { elements, span }), span }
        }
        ("union_type" | "binary_operator", [left, right]) => Expr::Choice(vec![deeper(b, *left), deeper(b, *right)]),
        _ => expression(b, node, scope),
    }
}

/// The docstring of a function or class; `None` if it has none.
pub(super) fn doc(b: &mut Builder<'_>, node: Node<'_>) -> Option<Doc> {
    let body = node.child_by_field_name("body")?;
    let first = named(body).into_iter().next().filter(|first| first.kind() == "expression_statement")?;
    let string = named(first).into_iter().next().filter(|string| string.kind() == "string")?;
    let mut cursor = string.walk();
    let parts: Vec<Node<'_>> = string.named_children(&mut cursor).collect();
    let (start, end) = (parts.iter().find(|part| part.kind() == "string_start")?, parts.last()?);
    let span = b.span_of(start.end_byte(), end.start_byte());
    Some(Doc { text: SmolStr::new(b.slice(start.end_byte(), end.start_byte())), span })
}

/// The span of the first statement of a function's body after the docstring: a statement inserted before it runs first.
/// Empty, at the end of the docstring, if there is no other statement.
pub(super) fn first_statement(b: &mut Builder<'_>, node: Node<'_>) -> Option<crate::text::Span> {
    let body = node.child_by_field_name("body")?;
    let has_doc = doc(b, node).is_some();
    let statements = named(body);
    let first = statements.get(usize::from(has_doc)).or(statements.first())?;
    // After a docstring that is the only statement.
    let is_doc = has_doc && statements.len() == 1;
    Some(if is_doc { b.span_of(first.end_byte(), first.end_byte()) } else { b.span(*first) })
}

/// The fields that the body of a class declares with a type: `timeout: int = 30`.
pub(super) fn fields(b: &mut Builder<'_>, node: Node<'_>, scope: ScopeId) -> Vec<Field> {
    let body = node.child_by_field_name("body").map(|body| named(body)).unwrap_or_default();
    let mut fields = Vec::new();
    for statement in body.into_iter().filter(|statement| statement.kind() == "expression_statement") {
        let Some(assignment) = named(statement).into_iter().find(|inner| inner.kind() == "assignment") else {
            continue;
        };
        let (name, kind) = (assignment.child_by_field_name("left"), assignment.child_by_field_name("type"));
        let (Some(name), Some(kind)) = (name.filter(|name| name.kind() == "identifier"), kind) else { continue };
        let default = assignment.child_by_field_name("right").map(|value| expression(b, value, scope));
        fields.push(Field {
            name: b.smol(name),
            span: b.span(name),
            whole: b.span(assignment),
            annotation: Some(annotation(b, kind, scope)),
            default,
            attributes: Vec::new(),
            doc: None,
        });
    }
    fields
}
