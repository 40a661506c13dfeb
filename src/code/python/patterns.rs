//! Targets of assignments, and the patterns of `match`.

use tree_sitter::Node;

use super::expressions::expression;
use super::postfix::tuple;
use super::{BROKEN, TOO_DEEP, fields, suite};
use crate::code::builder::{Builder, has_token, named};
use crate::code::{Block, Case, Expr, ExprKind, Match, StmtKind, Target, Unary};

/// The maximum number of parts of a dotted name in a pattern.
const MAX_DOTTED: usize = 32;

pub(super) fn target(b: &mut Builder<'_>, node: Node<'_>) -> Target {
    b.deeper(|b| shallow_target(b, node)).unwrap_or(Target::Opaque(TOO_DEEP))
}

fn shallow_target(b: &mut Builder<'_>, node: Node<'_>) -> Target {
    if node.is_missing() {
        return Target::Opaque(BROKEN);
    }
    let is_splat = |node: &Node<'_>| matches!(node.kind(), "list_splat" | "list_splat_pattern");
    let children = named(node);
    match (node.kind(), children.as_slice()) {
        ("identifier", _) => Target::Name { name: b.smol(node), span: b.span(node) },
        ("attribute" | "subscript", _) => Target::Place(Box::new(expression(b, node))),
        ("as_pattern_target" | "parenthesized_expression", [inner]) => target(b, *inner),
        // `(a)` is `a`.
        ("tuple_pattern", [inner]) if !has_token(node, ",") && !is_splat(inner) => target(b, *inner),
        ("pattern_list" | "tuple_pattern" | "list_pattern" | "tuple" | "list" | "expression_list", _) => {
            let rest = children.iter().position(is_splat);
            let elements = children.iter().map(|child| Some((element(b, *child), None))).collect();
            Target::List { elements, rest }
        }
        ("ERROR", _) => Target::Opaque(BROKEN),
        _ => Target::Opaque("a target that cannot be assigned"),
    }
}

/// An element of a list of targets, without its star.
fn element(b: &mut Builder<'_>, node: Node<'_>) -> Target {
    match (node.kind(), named(node).as_slice()) {
        ("list_splat" | "list_splat_pattern", [inner]) => target(b, *inner),
        _ => target(b, node),
    }
}

/// Lowers a `match` with all its cases.
pub(super) fn switch(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let subjects = fields(node, "subject");
    let subject = match subjects.as_slice() {
        [] => b.opaque(BROKEN, node),
        [only] if !has_token(node, ",") => expression(b, *only),
        subjects => tuple(b, subjects),
    };
    let clauses = node.child_by_field_name("body").map(|body| named(body)).unwrap_or_default();
    let clauses = clauses.into_iter().filter(|clause| clause.kind() == "case_clause");
    StmtKind::Switch { subject, cases: clauses.map(|clause| case(b, clause)).collect() }
}

fn case(b: &mut Builder<'_>, clause: Node<'_>) -> Case {
    let patterns: Vec<Node<'_>> = named(clause).into_iter().filter(|child| child.kind() == "case_pattern").collect();
    let matched = match patterns.as_slice() {
        [only] if !has_token(clause, ",") => pattern(b, *only),
        _ => list(b, &patterns),
    };
    let guard = clause.child_by_field_name("guard").and_then(|guard| named(guard).into_iter().next());
    let guard = guard.map(|guard| expression(b, guard));
    let body: Block = suite(b, clause, clause.child_by_field_name("consequence"));
    Case { patterns: vec![matched], guard, body, falls: false }
}

fn pattern(b: &mut Builder<'_>, node: Node<'_>) -> Match {
    b.deeper(|b| shallow_pattern(b, node)).unwrap_or(Match::Opaque(TOO_DEEP))
}

fn shallow_pattern(b: &mut Builder<'_>, node: Node<'_>) -> Match {
    match node.kind() {
        "case_pattern" => only(b, node),
        "union_pattern" => Match::Or(alternatives(b, node)),
        "as_pattern" => match named(node).pop() {
            Some(name) if name.kind() == "identifier" => {
                let of = only(b, node);
                bound(b, name, Some(Box::new(of)))
            }
            _ => Match::Opaque(BROKEN),
        },
        "dotted_name" => match named(node).as_slice() {
            [name] => bound(b, *name, None),
            _ => Match::Value(dotted(b, node)),
        },
        "list_pattern" => list(b, &named(node)),
        "tuple_pattern" => match named(node).as_slice() {
            // `(a)` is `a`.
            [inner] if !has_token(node, ",") && !is_rest(*inner) => pattern(b, *inner),
            elements => list(b, elements),
        },
        "dict_pattern" => table(b, node),
        "class_pattern" => instance(b, node),
        "splat_pattern" => rest(b, node),
        "complex_pattern" => Match::Opaque("a complex number"),
        "ERROR" => Match::Opaque(BROKEN),
        _ => Match::Value(expression(b, node)),
    }
}

/// A name in a pattern, which takes what it matches; `_` takes nothing.
fn bound(b: &Builder<'_>, name: Node<'_>, of: Option<Box<Match>>) -> Match {
    match b.text(name) {
        "_" | "" => of.map_or(Match::Any, |of| *of),
        _ => Match::Bind { name: b.smol(name), span: b.span(name), of },
    }
}

/// The patterns directly in a node, where `_` and the minus of a number are marks without a node of their own. Names
/// are none: they belong to the node.
fn alternatives(b: &mut Builder<'_>, node: Node<'_>) -> Vec<Match> {
    let mut found = Vec::new();
    let mut minus = None;
    let mut cursor = node.walk();
    for child in node.children(&mut cursor).filter(|child| !child.is_extra()) {
        match child.kind() {
            "-" => minus = Some(child),
            "_" => found.push(Match::Any),
            "identifier" => {}
            _ if !child.is_named() => {}
            _ => found.push(match minus.take() {
                Some(minus) => Match::Value(negative(b, minus, child)),
                None => pattern(b, child),
            }),
        }
    }
    found
}

/// The one pattern in a node.
fn only(b: &mut Builder<'_>, node: Node<'_>) -> Match {
    alternatives(b, node).into_iter().next().unwrap_or(Match::Opaque(BROKEN))
}

fn negative(b: &mut Builder<'_>, minus: Node<'_>, number: Node<'_>) -> Expr {
    let span = b.span_of(minus.start_byte(), number.end_byte());
    Expr { kind: ExprKind::Unary(Unary::Minus, Box::new(expression(b, number))), span }
}

/// Whether a pattern takes all the elements that are left: `*rest`.
fn is_rest(pattern: Node<'_>) -> bool {
    named(pattern).first().is_some_and(|inner| inner.kind() == "splat_pattern")
}

fn list(b: &mut Builder<'_>, patterns: &[Node<'_>]) -> Match {
    let rest = patterns.iter().position(|pattern| is_rest(*pattern));
    Match::List { elements: patterns.iter().map(|one| pattern(b, *one)).collect(), rest }
}

fn rest(b: &Builder<'_>, splat: Node<'_>) -> Match {
    named(splat).first().map_or(Match::Any, |name| bound(b, *name, None))
}

fn table(b: &mut Builder<'_>, node: Node<'_>) -> Match {
    let (mut entries, mut all) = (Vec::new(), None);
    let (mut minus, mut key) = (None, None);
    let mut cursor = node.walk();
    for child in node.children(&mut cursor).filter(|child| !child.is_extra()) {
        match child.kind() {
            "-" => minus = Some(child),
            "case_pattern" => {
                let key = key.take().unwrap_or_else(|| b.opaque(BROKEN, node));
                entries.push((key, pattern(b, child)));
            }
            "splat_pattern" => all = named(child).first().map(|name| b.smol(*name)).filter(|name| name != "_"),
            "dotted_name" => key = Some(dotted(b, child)),
            _ if !child.is_named() => {}
            _ => {
                key = Some(match minus.take() {
                    Some(minus) => negative(b, minus, child),
                    None => expression(b, child),
                });
            }
        }
    }
    Match::Table { entries, rest: all }
}

fn instance(b: &mut Builder<'_>, node: Node<'_>) -> Match {
    let mut class = None;
    let (mut positional, mut keywords) = (Vec::new(), Vec::new());
    for child in named(node) {
        let inner = named(child).into_iter().next();
        match (child.kind(), inner) {
            ("dotted_name", _) => class = Some(dotted(b, child)),
            ("case_pattern", Some(keyword)) if keyword.kind() == "keyword_pattern" => {
                let name = named(keyword).first().map(|name| b.smol(*name)).unwrap_or_default();
                keywords.push((name, only(b, keyword)));
            }
            ("case_pattern", _) => positional.push(pattern(b, child)),
            _ => {}
        }
    }
    let class = class.unwrap_or_else(|| b.opaque(BROKEN, node));
    Match::Instance { class, positional, named: keywords }
}

/// A dotted name as the members of a name.
fn dotted(b: &Builder<'_>, node: Node<'_>) -> Expr {
    let names = named(node);
    let Some((first, keys)) = names.split_first().filter(|_| names.len() <= MAX_DOTTED) else {
        return b.opaque(TOO_DEEP, node);
    };
    let root = b.expr(ExprKind::Name(b.smol(*first)), *first);
    keys.iter().fold(root, |object, key| {
        let kind = ExprKind::Member { object: Box::new(object), key: b.smol(*key), at: b.span(*key), optional: false };
        Expr { kind, span: b.span_of(first.start_byte(), key.end_byte()) }
    })
}
