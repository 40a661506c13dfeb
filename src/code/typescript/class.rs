//! Classes and their members.

use std::sync::Arc;

use tree_sitter::Node;

use super::expression::{expression, key};
use super::function::{decorator, decorators, doc_of, documented, method};
use super::{block_of, is_comment, is_doc, types};
use crate::code::builder::{Builder, has_token, named};
use crate::code::{Arg, ArgKind, Class, ClassBody, Expr, ExprKind, Member, MemberKind};
use crate::text::Span;

/// Lowers a class; `outer` are the decorators that stand before an `export`.
pub(super) fn class(b: &mut Builder<'_>, node: Node<'_>, outer: &[Node<'_>], doc: Option<Node<'_>>) -> Class {
    let name = node.child_by_field_name("name");
    let mut all: Vec<Expr> = outer.iter().filter_map(|node| decorator(b, *node)).collect();
    all.extend(decorators(b, node));
    let mut members = Vec::new();
    if let Some(body) = node.child_by_field_name("body") {
        members_of(b, body, &mut members);
    }
    Class {
        name: name.map(|name| b.smol(name)),
        name_span: name.map_or(Span::default(), |name| b.span(name)),
        bases: bases(b, node),
        decorators: all,
        body: ClassBody::Members(members),
        doc: doc.and_then(|comment| doc_of(b, comment)),
        span: b.span(node),
    }
}

fn bases(b: &mut Builder<'_>, node: Node<'_>) -> Vec<Arg> {
    let heritage = named(node).into_iter().find(|child| child.kind() == "class_heritage");
    let clauses = heritage.map(named).unwrap_or_default();
    let mut bases = Vec::new();
    for clause in clauses.into_iter().filter(|clause| clause.kind() == "extends_clause") {
        let mut cursor = clause.walk();
        for base in clause.children_by_field_name("value", &mut cursor).filter(|base| base.is_named()) {
            bases.push(Arg { kind: ArgKind::Positional, value: expression(b, base), span: b.span(base) });
        }
    }
    bases
}

fn members_of(b: &mut Builder<'_>, body: Node<'_>, out: &mut Vec<Member>) {
    let mut cursor = body.walk();
    let mut doc = None;
    let mut decorators = Vec::new();
    for child in body.named_children(&mut cursor) {
        if is_comment(child) {
            doc = Some(child).filter(|it| is_doc(b.text(*it))).or(doc);
        } else if child.kind() == "decorator" {
            decorators.extend(decorator(b, child));
        } else if child.kind() == "ERROR" {
            b.deeper(|b| members_of(b, child, out));
        } else if child.kind() == "method_signature" {
            // The type of an overload; the comment above it is that of the method below.
        } else {
            let before = std::mem::take(&mut decorators);
            out.extend(member(b, child, before, doc.take()));
        }
    }
}

fn member(b: &mut Builder<'_>, node: Node<'_>, before: Vec<Expr>, doc: Option<Node<'_>>) -> Option<Member> {
    let span = b.span(node);
    if node.kind() == "class_static_block" {
        let key = Expr { kind: ExprKind::Undefined, span: b.span_of(node.start_byte(), node.start_byte()) };
        let kind = MemberKind::Block(block_of(b, node, "body"));
        return Some(Member { key, is_static: true, kind, decorators: before, span });
    }
    let key = key(b, node.child_by_field_name("name")?);
    let kind = match node.kind() {
        "method_definition" => {
            let function = Arc::new(method(b, node, &key, doc));
            if has_token(node, "get") {
                MemberKind::Getter(function)
            } else if has_token(node, "set") {
                MemberKind::Setter(function)
            } else {
                MemberKind::Method(function)
            }
        }
        "public_field_definition" if has_token(node, "declare") || has_token(node, "abstract") => MemberKind::Declared,
        "public_field_definition" => {
            let value = node.child_by_field_name("value").map(|value| expression(b, value));
            let value = value.map(|value| documented(b, value, doc));
            MemberKind::Field { value, annotation: types::annotation(b, node, "type") }
        }
        "abstract_method_signature" => MemberKind::Declared,
        // The other signatures are those of overloads.
        _ => return None,
    };
    let mut all = before;
    all.extend(decorators(b, node));
    Some(Member { key, is_static: has_token(node, "static"), kind, decorators: all, span })
}
