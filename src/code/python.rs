//! Python → the small language.

mod definitions;
mod expressions;
mod locals;
mod operators;
mod patterns;
mod postfix;
mod statements;
mod strings;
#[cfg(test)]
mod tests;
mod types;

use std::sync::Arc;

use tree_sitter::{Node, Tree};

use super::builder::{Builder, has_token, named};
use super::{Block, Code, Declared, Earlier, Expr, ExprKind, StmtKind, Target, Unary};
use expressions::{expression, field};

/// The reason for code beyond the depth limit.
const TOO_DEEP: &str = "code that is nested too deeply";

/// The reason for code that the parser rejects.
const BROKEN: &str = "code that does not parse";

/// The name of the value of a chained assignment whose first target is not a name. No name in a file contains a space.
const CHAINED: &str = "chained value";

/// The name of an operand that a chained comparison uses twice.
const COMPARED: &str = "compared value";

/// Lowers a file.
pub(super) fn file(tree: &Tree, text: &str, mut earlier: Earlier<'_>) -> Code {
    let nodes = parts(tree.root_node());
    let items = nodes.iter().map(|&node| {
        let start = node.start_byte();
        earlier.item(text, start, node, || {
            let mut body = Block::new();
            statement(&mut Builder::new(text, start), node, &mut body);
            body
        })
    });
    let doc = nodes.first().and_then(|first| strings::doc(&Builder::new(text, 0), *first));
    Code { items: items.collect(), doc }
}

/// The named children of a node, without comments, with what does not parse.
fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    if node.named_child_count() == 0 {
        return Vec::new();
    }
    let mut cursor = node.walk();
    let is_code = |child: &Node<'_>| !matches!(child.kind(), "comment" | "line_continuation");
    node.named_children(&mut cursor).filter(is_code).collect()
}

/// The children of a node that have a field's name.
fn fields<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).filter(|child| child.is_named() && !child.is_extra()).collect()
}

/// Lowers a block; a missing one is empty.
fn block(b: &mut Builder<'_>, node: Option<Node<'_>>) -> Block {
    let mut body = Block::new();
    for child in node.map(parts).unwrap_or_default() {
        statement(b, child, &mut body);
    }
    body
}

/// Lowers the block that belongs to a statement or clause, after what does not parse before it.
fn suite(b: &mut Builder<'_>, owner: Node<'_>, node: Option<Node<'_>>) -> Block {
    let mut body = Block::new();
    if owner.has_error() {
        let broken = parts(owner).into_iter().filter(|child| child.is_error());
        broken.for_each(|child| statement(b, child, &mut body));
    }
    body.append(&mut block(b, node));
    body
}

/// Lowers a statement to the end of `out`.
fn statement(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    if b.deeper(|b| shallow_statement(b, node, out)).is_none() {
        out.push(b.stmt(StmtKind::Opaque(TOO_DEEP), node));
    }
}

fn shallow_statement(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let kind = match node.kind() {
        "expression_statement" => return run(b, node, out),
        "assignment" => return assignment(b, node, out),
        "import_statement" => return statements::import(b, node, out),
        "import_from_statement" => return statements::import_from(b, node, out),
        "delete_statement" => return delete(b, node, out),
        "pass_statement" | "future_import_statement" => return,
        "return_statement" => StmtKind::Return(named(node).first().map(|value| expression(b, *value))),
        "raise_statement" => raise(b, node),
        "assert_statement" => assert(b, node),
        "global_statement" | "nonlocal_statement" => {
            let names = named(node).into_iter().map(|name| b.smol(name)).collect();
            StmtKind::Outer { names, global: node.kind() == "global_statement" }
        }
        "break_statement" => StmtKind::Break(None),
        "continue_statement" => StmtKind::Continue(None),
        "if_statement" => return statements::branches(b, node, out),
        "for_statement" => for_each(b, node),
        "while_statement" => repeat(b, node),
        "try_statement" => statements::attempt(b, node),
        "with_statement" => statements::with(b, node),
        "match_statement" => patterns::switch(b, node),
        "function_definition" => StmtKind::Function(Arc::new(definitions::function(b, node, Vec::new()))),
        "class_definition" => StmtKind::Class(Arc::new(definitions::class(b, node, Vec::new()))),
        "decorated_definition" => return definitions::decorated(b, node, out),
        "type_alias_statement" => alias(b, node),
        "print_statement" => StmtKind::Opaque("the print statement of Python 2"),
        "exec_statement" => StmtKind::Opaque("the exec statement of Python 2"),
        _ => return fragment(b, node, out),
    };
    out.push(b.stmt(kind, node));
}

/// Lowers a node that is no statement but was found where one should be, because the code around it does not parse.
fn fragment(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    match node.kind() {
        "ERROR" => {
            let before = out.len();
            parts(node).into_iter().for_each(|child| statement(b, child, out));
            if out.len() == before {
                out.push(b.stmt(StmtKind::Opaque(BROKEN), node));
            }
        }
        // A name or literal by itself does nothing.
        "identifier" | "dotted_name" | "string" | "integer" | "float" | "true" | "false" | "none" | "ellipsis" => {}
        "parameters" | "lambda_parameters" | "type" | "for_in_clause" | "if_clause" | "case_pattern" => {}
        kind if expressions::is_expression(kind) => {
            let value = expression(b, node);
            out.push(b.stmt(StmtKind::Run(value), node));
        }
        _ => parts(node).into_iter().for_each(|child| statement(b, child, out)),
    }
}

/// Lowers an expression statement.
fn run(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let children = named(node);
    let value = match children.as_slice() {
        [] => b.opaque(BROKEN, node),
        [only] if only.kind() == "assignment" => return assignment(b, *only, out),
        [only] if !has_token(node, ",") => expression(b, *only),
        _ => {
            let elements = children.iter().map(|child| expression(b, *child)).collect();
            b.expr(ExprKind::Tuple(elements), node)
        }
    };
    out.push(b.stmt(StmtKind::Run(value), node));
}

/// Lowers an assignment, with one statement per target: `a = b = value`.
fn assignment(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let (mut targets, mut annotation) = (Vec::new(), None);
    let mut right = Some(node);
    while let Some(inner) = right.filter(|node| node.kind() == "assignment") {
        targets.extend(inner.child_by_field_name("left"));
        annotation = annotation.or(inner.child_by_field_name("type"));
        right = inner.child_by_field_name("right");
    }
    let annotation = annotation.map(|annotation| Box::new(expression(b, annotation)));
    let value = right.map(|right| expression(b, right));
    let mut lowered: Vec<Target> = targets.iter().map(|target| patterns::target(b, *target)).collect();
    let scope = Declared::Function;
    if lowered.len() == 1
        && let Some(target) = lowered.pop()
    {
        return out.push(b.stmt(StmtKind::Let { scope, target, annotation, value }, node));
    }
    let span = right.map_or(b.span(node), |right| b.span(right));
    let (name, span) = match lowered.first() {
        Some(Target::Name { name, span }) => (name.clone(), *span),
        _ => {
            lowered.insert(0, Target::Name { name: CHAINED.into(), span });
            (CHAINED.into(), span)
        }
    };
    let mut value = value;
    for target in lowered {
        let again = Expr { kind: ExprKind::Name(name.clone()), span };
        let value = value.replace(again);
        out.push(b.stmt(StmtKind::Let { scope, target, annotation: None, value }, node));
    }
}

/// Lowers `type A = B`, and assignments that the grammar takes for one.
fn alias(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    match postfix::place_of_type(b, node) {
        Some(place) => StmtKind::Let {
            scope: Declared::Function,
            target: Target::Place(Box::new(place)),
            annotation: None,
            value: Some(field(b, node, "right")),
        },
        None => StmtKind::Opaque("a type alias"),
    }
}

fn delete(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let mut open = named(node);
    open.reverse();
    while let Some(target) = open.pop() {
        match target.kind() {
            "expression_list" | "tuple" | "list" | "parenthesized_expression" => {
                open.extend(named(target).into_iter().rev());
            }
            _ => {
                let place = expression(b, target);
                out.push(b.stmt(StmtKind::Delete(place), node));
            }
        }
    }
}

fn raise(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let cause = node.child_by_field_name("cause");
    let thrown = named(node).into_iter().find(|child| Some(*child) != cause);
    StmtKind::Throw(thrown.map(|thrown| expression(b, thrown)))
}

/// Lowers `assert test, message` to `if not test: raise AssertionError(message)`.
fn assert(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let mut sides = named(node).into_iter();
    let Some(test) = sides.next() else {
        return StmtKind::Opaque(BROKEN);
    };
    let holds = expression(b, test);
    let message = sides.next().map(|message| (b.span(message), expression(b, message)));
    let thrown = postfix::call_of("AssertionError", message.into_iter().collect(), b.span(node));
    StmtKind::If {
        test: b.expr(ExprKind::Unary(Unary::Not, Box::new(holds)), test),
        then: vec![b.stmt(StmtKind::Throw(Some(thrown)), node)],
        otherwise: Block::new(),
    }
}

/// The block of the `else` of a loop.
fn otherwise(b: &mut Builder<'_>, node: Node<'_>) -> Block {
    let clause = node.child_by_field_name("alternative");
    block(b, clause.and_then(|clause| clause.child_by_field_name("body")))
}

fn for_each(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let target = match node.child_by_field_name("left") {
        Some(left) => patterns::target(b, left),
        None => Target::Opaque(BROKEN),
    };
    StmtKind::Each {
        scope: Declared::Function,
        target,
        iterable: field(b, node, "right"),
        keys: false,
        body: suite(b, node, node.child_by_field_name("body")),
        otherwise: otherwise(b, node),
    }
}

fn repeat(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    StmtKind::While {
        first: Block::new(),
        test: Some(field(b, node, "condition")),
        after: None,
        body: suite(b, node, node.child_by_field_name("body")),
        test_last: false,
        otherwise: otherwise(b, node),
    }
}
