//! Branches, loops, exceptions and jumps.

use tree_sitter::Node;

use super::expression::{expression, expression_of};
use super::target::target;
use super::{TOO_DEEP, block, block_of, run, scope_of, shallow_statement, statement};
use crate::code::builder::{Builder, has_token, named};
use crate::code::{Block, Case, Declared, Expr, ExprKind, Handler, Match, Stmt, StmtKind, Target};

/// Lowers a statement that directs what runs; `false` if it is none.
pub(super) fn control(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) -> bool {
    let kind = match node.kind() {
        "if_statement" => conditional(b, node),
        "switch_statement" => switch(b, node),
        "for_statement" => counting(b, node),
        "for_in_statement" => each(b, node),
        "while_statement" | "do_statement" => repeated(b, node),
        "try_statement" => attempt(b, node),
        "return_statement" => StmtKind::Return(only(b, node)),
        "throw_statement" => StmtKind::Throw(only(b, node)),
        "break_statement" => StmtKind::Break(label(b, node)),
        "continue_statement" => StmtKind::Continue(label(b, node)),
        "labeled_statement" => labelled(b, node),
        "with_statement" => StmtKind::Opaque("a block in the scope of an object"),
        // An `else` whose `if` does not parse.
        "else_clause" | "finally_clause" => StmtKind::Block(clause(b, node)),
        _ => return false,
    };
    out.push(b.stmt(kind, node));
    true
}

/// The value of a statement that may have one.
fn only(b: &mut Builder<'_>, node: Node<'_>) -> Option<Expr> {
    named(node).first().map(|value| expression(b, *value))
}

fn label(b: &Builder<'_>, node: Node<'_>) -> Option<smol_str::SmolStr> {
    node.child_by_field_name("label").map(|label| b.smol(label))
}

fn labelled(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let mut body = block_of_statement(b, node);
    let body = match body.pop() {
        Some(stmt) if body.is_empty() => stmt,
        last => {
            body.extend(last);
            b.stmt(StmtKind::Block(body), node)
        }
    };
    match label(b, node) {
        Some(name) => StmtKind::Label { name, body: Box::new(body) },
        None => body.kind,
    }
}

/// The statement under a label; a block stays one statement.
fn block_of_statement(b: &mut Builder<'_>, node: Node<'_>) -> Block {
    let mut out = Block::new();
    if let Some(body) = node.child_by_field_name("body") {
        statement(b, body, None, &mut out);
    }
    out
}

/// The body of an `else` or `finally`.
fn clause(b: &mut Builder<'_>, node: Node<'_>) -> Block {
    let body = node.child_by_field_name("body").or_else(|| named(node).first().copied());
    body.map(|body| block(b, body)).unwrap_or_default()
}

/// `if`, with all its `else if` in a loop.
fn conditional(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let mut branches = vec![node];
    let mut last = None;
    let mut at = node;
    while let Some(alternative) = at.child_by_field_name("alternative") {
        match named(alternative).first() {
            Some(next) if next.kind() == "if_statement" => {
                branches.push(*next);
                at = *next;
            }
            _ => {
                last = Some(alternative);
                break;
            }
        }
    }
    let lowered = b.along(branches.len(), |b| last.map(|last| clause(b, last)).unwrap_or_default());
    let Some(mut otherwise) = lowered else { return StmtKind::Opaque(TOO_DEEP) };
    while let Some(branch) = branches.pop() {
        let parts =
            b.along(branches.len(), |b| (expression_of(b, branch, "condition"), block_of(b, branch, "consequence")));
        let Some((test, then)) = parts else { return StmtKind::Opaque(TOO_DEEP) };
        let kind = StmtKind::If { test, then, otherwise };
        if branches.is_empty() {
            return kind;
        }
        otherwise = vec![b.stmt(kind, branch)];
    }
    StmtKind::Block(otherwise)
}

fn switch(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let subject = expression_of(b, node, "value");
    let mut cases = Vec::new();
    for case in node.child_by_field_name("body").map(named).unwrap_or_default() {
        if !matches!(case.kind(), "switch_case" | "switch_default") {
            continue;
        }
        let value = case.child_by_field_name("value");
        let patterns = value.map(|value| Match::Value(expression(b, value))).into_iter().collect();
        let mut body = Block::new();
        let mut cursor = case.walk();
        for stmt in case.children_by_field_name("body", &mut cursor).filter(|stmt| stmt.is_named()) {
            statement(b, stmt, None, &mut body);
        }
        let falls = !ends(&body);
        cases.push(Case { patterns, guard: None, body, falls });
    }
    StmtKind::Switch { subject, cases }
}

/// Whether nothing runs after a block, because its last statement jumps away.
fn ends(body: &[Stmt]) -> bool {
    match body.last().map(|last| &last.kind) {
        Some(StmtKind::Return(_) | StmtKind::Throw(_) | StmtKind::Break(_) | StmtKind::Continue(_)) => true,
        Some(StmtKind::Block(inner)) => ends(inner),
        Some(StmtKind::If { then, otherwise, .. }) => ends(then) && ends(otherwise),
        _ => false,
    }
}

/// `for (first; test; after)`
fn counting(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let is_code = |part: &Node<'_>| part.is_named() && part.kind() != "empty_statement";
    let mut cursor = node.walk();
    let mut first = Block::new();
    for part in node.children_by_field_name("initializer", &mut cursor).filter(is_code) {
        if part.kind().ends_with("_declaration") {
            shallow_statement(b, part, None, &mut first);
        } else {
            first.push(run(expression(b, part)));
        }
    }
    let test = node.children_by_field_name("condition", &mut cursor).find(is_code);
    let test = test.map(|test| expression(b, test));
    let after = node.child_by_field_name("increment").map(|after| Box::new(expression(b, after)));
    StmtKind::While { first, test, after, body: block_of(b, node, "body"), test_last: false, otherwise: Block::new() }
}

/// `for (target of iterable)`, `for (target in object)`
fn each(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let Some(left) = node.child_by_field_name("left") else { return StmtKind::Opaque(super::UNPARSED) };
    let scope = match node.child_by_field_name("kind") {
        Some(_) => scope_of(node),
        None => Declared::Elsewhere,
    };
    let target = target(b, left);
    let iterable = expression_of(b, node, "right");
    let keys = node.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "in");
    let mut body = block_of(b, node, "body");
    let mut target = target;
    let mut scope = scope;
    if has_token(node, "await") {
        // `for await (T of list) B` is `for (element of list) { T = await element; B }`.
        let name = smol_str::SmolStr::new_static("awaited element");
        let element = Target::Name { name: name.clone(), span: b.span(left) };
        let value = b.expr(ExprKind::Await(Box::new(b.expr(ExprKind::Name(name), left))), left);
        let bound = std::mem::replace(&mut target, element);
        let kind = match scope {
            Declared::Elsewhere => {
                let assigned = ExprKind::Assign { target: Box::new(bound), operator: None, value: Box::new(value) };
                StmtKind::Run(b.expr(assigned, left))
            }
            scope => StmtKind::Let { scope, target: bound, annotation: None, value: Some(value) },
        };
        scope = Declared::Block;
        body.insert(0, b.stmt(kind, left));
    }
    StmtKind::Each { scope, target, iterable, keys, body, otherwise: Block::new() }
}

fn repeated(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let test_last = has_token(node, "do");
    let body = block_of(b, node, "body");
    let test = Some(expression_of(b, node, "condition"));
    StmtKind::While { first: Block::new(), test, after: None, body, test_last, otherwise: Block::new() }
}

fn attempt(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let body = block_of(b, node, "body");
    let handler = node.child_by_field_name("handler").map(|clause| Handler {
        class: None,
        target: clause.child_by_field_name("parameter").map(|parameter| target(b, parameter)),
        body: block_of(b, clause, "body"),
    });
    let finally = node.child_by_field_name("finalizer").map(|last| clause(b, last)).unwrap_or_default();
    StmtKind::Try { body, handlers: handler.into_iter().collect(), otherwise: Block::new(), finally }
}
