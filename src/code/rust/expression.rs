//! Expressions, and the constructs that are both expressions and statements: branches, loops and jumps.

use std::sync::Arc;

use smol_str::SmolStr;
use tree_sitter::Node;

use super::pattern::{pattern, target};
use super::types::{self, class, word};
use super::{TOO_DEEP, Tail, UNPARSED, block, item, literal, macros, statement, with_attributes};
use crate::code::builder::{Builder, common_operator, has_token, links, named};
use crate::code::{Arg, ArgKind, Binary, Block, Call, Case, Declared, Expr, ExprKind, Logic, StmtKind, Target, Unary};

pub(super) fn expression(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    match b.deeper(|b| shallow_expression(b, node)) {
        Some(value) => value,
        None => b.opaque(TOO_DEEP, node),
    }
}

/// The expression in a field of a node.
fn expression_of(b: &mut Builder<'_>, node: Node<'_>, field: &str) -> Expr {
    match node.child_by_field_name(field) {
        Some(value) => expression(b, value),
        None => b.opaque(UNPARSED, node),
    }
}

fn boxed(b: &mut Builder<'_>, node: Node<'_>, field: &str) -> Box<Expr> {
    Box::new(expression_of(b, node, field))
}

fn shallow_expression(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    if node.is_missing() {
        return b.opaque(UNPARSED, node);
    }
    match node.kind() {
        "string_literal" | "raw_string_literal" => literal::string(b, node),
        "char_literal" => literal::character(b, node),
        "integer_literal" | "float_literal" => literal::number(b, node),
        "boolean_literal" => b.expr(ExprKind::Bool(b.text(node) == "true"), node),
        "identifier" | "self" | "crate" | "super" | "metavariable" => b.expr(ExprKind::Name(word(b, node)), node),
        "scoped_identifier" | "type_identifier" | "scoped_type_identifier" | "generic_type" | "bracketed_type" => {
            class(b, node)
        }
        "unit_expression" => b.expr(ExprKind::Undefined, node),
        "call_expression" | "field_expression" | "index_expression" | "await_expression" | "try_expression" => {
            chain(b, node)
        }
        // A function whose types are given, but which is not called here.
        "generic_function" => match node.child_by_field_name("function") {
            Some(function) => expression(b, function),
            None => b.opaque(UNPARSED, node),
        },
        // What a reference, a pointer or a cast leads to.
        "reference_expression" if has_token(node, "mutable_specifier") => {
            let value = boxed(b, node, "value");
            b.expr(ExprKind::Lent(value), node)
        }
        "reference_expression" | "type_cast_expression" => expression_of(b, node, "value"),
        "parenthesized_expression" => match named(node).first() {
            Some(inner) => expression(b, *inner),
            None => b.opaque(UNPARSED, node),
        },
        "unary_expression" => unary(b, node),
        "negative_literal" => match named(node).first() {
            Some(number) => {
                let number = Box::new(expression(b, *number));
                b.expr(ExprKind::Unary(Unary::Minus, number), node)
            }
            None => b.opaque(UNPARSED, node),
        },
        "binary_expression" => binary(b, node),
        "assignment_expression" => {
            let target = node.child_by_field_name("left").map_or(Target::Opaque(UNPARSED), |left| place(b, left));
            let value = boxed(b, node, "right");
            b.expr(ExprKind::Assign { target: Box::new(target), operator: None, value }, node)
        }
        "compound_assignment_expr" => {
            let target = node.child_by_field_name("left").map_or(Target::Opaque(UNPARSED), |left| place(b, left));
            let operator = node.child_by_field_name("operator").map_or("", |operator| b.text(operator));
            let Some(operator) = operator.strip_suffix('=').and_then(operator_of) else {
                return b.opaque(UNPARSED, node);
            };
            let value = boxed(b, node, "right");
            b.expr(ExprKind::Assign { target: Box::new(target), operator: Some(operator), value }, node)
        }
        "array_expression" => array(b, node),
        "tuple_expression" => {
            let elements = named(node).into_iter().filter(|one| one.kind() != "attribute_item");
            let elements = elements.map(|one| expression(b, one)).collect();
            b.expr(ExprKind::Tuple(elements), node)
        }
        "struct_expression" => structure(b, node),
        "range_expression" => range(b, node),
        "closure_expression" => {
            let function = item::closure(b, node);
            b.expr(ExprKind::Function(Arc::new(function)), node)
        }
        "let_condition" => {
            let value = boxed(b, node, "value");
            let of = node.child_by_field_name("pattern").map(|of| pattern(b, of));
            let pattern = Box::new(of.unwrap_or(crate::code::Match::Opaque(UNPARSED)));
            b.expr(ExprKind::Matches { value, pattern }, node)
        }
        "let_chain" => {
            let mut conditions = named(node).into_iter();
            let Some(first) = conditions.next() else { return b.opaque(UNPARSED, node) };
            let first = expression(b, first);
            conditions.fold(first, |all, next| {
                let next = Box::new(expression(b, next));
                b.expr(ExprKind::Logic(Logic::And, Box::new(all), next), node)
            })
        }
        "macro_invocation" => macros::invocation(b, node),
        "if_expression"
        | "match_expression"
        | "while_expression"
        | "loop_expression"
        | "for_expression"
        | "block"
        | "unsafe_block"
        | "const_block"
        | "return_expression"
        | "break_expression"
        | "continue_expression"
        | "try_block" => {
            let mut body = Block::new();
            tail(b, node, Tail::Give, &mut body);
            b.expr(ExprKind::Body(body), node)
        }
        // A `return` in an async block leaves only the block: it is a function that is called in place.
        "async_block" | "gen_block" => {
            let function = item::async_block(b, node);
            let callee = b.expr(ExprKind::Function(Arc::new(function)), node);
            b.call(callee, Vec::new(), node)
        }
        "yield_expression" => b.opaque("a generator", node),
        "line_comment" | "block_comment" => b.opaque(UNPARSED, node),
        _ => b.opaque(UNPARSED, node),
    }
}

/// Lowers an expression to statements, the last of which says what becomes of its value.
pub(super) fn tail(b: &mut Builder<'_>, node: Node<'_>, value: Tail, out: &mut Block) {
    if b.deeper(|b| shallow_tail(b, node, value, out)).is_none() {
        out.push(b.stmt(StmtKind::Opaque(TOO_DEEP), node));
    }
}

fn shallow_tail(b: &mut Builder<'_>, node: Node<'_>, value: Tail, out: &mut Block) {
    let label = label_of(b, node);
    let kind = match node.kind() {
        "if_expression" => conditional(b, node, value),
        "match_expression" => switch(b, node, value),
        "while_expression" => {
            let test = Some(expression_of(b, node, "condition"));
            let body = body_of(b, node, Tail::Drop);
            let turns = repeated(test, body);
            // What the condition binds belongs to the loop.
            StmtKind::Block(vec![b.stmt(turns, node)])
        }
        "loop_expression" => {
            let body = body_of(b, node, Tail::Drop);
            repeated(None, body)
        }
        "for_expression" => {
            let target = node.child_by_field_name("pattern").map_or(Target::Opaque(UNPARSED), |of| target(b, of));
            let iterable = expression_of(b, node, "value");
            let body = body_of(b, node, Tail::Drop);
            StmtKind::Each { scope: Declared::Block, target, iterable, keys: false, body, otherwise: Block::new() }
        }
        "block" => StmtKind::Block(block(b, node, value)),
        "unsafe_block" | "const_block" => {
            let inner = named(node).into_iter().find(|child| child.kind() == "block");
            StmtKind::Block(inner.map(|inner| block(b, inner, value)).unwrap_or_default())
        }
        "return_expression" => {
            let returned = named(node).first().copied();
            match returned.filter(|inner| is_branch(inner.kind())) {
                Some(inner) => {
                    tail(b, inner, Tail::Return, out);
                    // After a branch without a value.
                    StmtKind::Return(None)
                }
                None => StmtKind::Return(returned.map(|value| expression(b, value))),
            }
        }
        "break_expression" => {
            let given = named(node).into_iter().find(|child| child.kind() != "label");
            match given {
                Some(given) => StmtKind::Give(Some(expression(b, given))),
                None => StmtKind::Break(jump_label(b, node)),
            }
        }
        "continue_expression" => StmtKind::Continue(jump_label(b, node)),
        "parenthesized_expression" if named(node).first().is_some_and(|inner| is_branch(inner.kind())) => {
            if let Some(inner) = named(node).first() {
                tail(b, *inner, value, out);
            }
            return;
        }
        "macro_invocation" if value == Tail::Drop && macros::is_throwing(b, node) => {
            let thrown = macros::thrown(b, node);
            StmtKind::Throw(Some(thrown))
        }
        // Reading a value that nobody uses does nothing.
        "identifier" | "unit_expression" | "integer_literal" if value == Tail::Drop => return,
        _ => {
            let lowered = expression(b, node);
            match value {
                Tail::Return => StmtKind::Return(Some(lowered)),
                Tail::Give => StmtKind::Give(Some(lowered)),
                Tail::Drop => StmtKind::Run(lowered),
            }
        }
    };
    if value == Tail::Drop && matches!(&kind, StmtKind::Block(body) if body.is_empty()) {
        return;
    }
    let stmt = b.stmt(kind, node);
    match label {
        Some(name) => out.push(b.stmt(StmtKind::Label { name, body: Box::new(stmt) }, node)),
        None => out.push(stmt),
    }
}

/// Whether a kind of node is lowered to a statement that decides what runs.
fn is_branch(kind: &str) -> bool {
    matches!(kind, "if_expression" | "match_expression" | "block" | "unsafe_block")
}

fn repeated(test: Option<Expr>, body: Block) -> StmtKind {
    StmtKind::While { first: Block::new(), test, after: None, body, test_last: false, otherwise: Block::new() }
}

fn body_of(b: &mut Builder<'_>, node: Node<'_>, value: Tail) -> Block {
    node.child_by_field_name("body").map(|body| block(b, body, value)).unwrap_or_default()
}

/// The label before a loop or block.
fn label_of(b: &Builder<'_>, node: Node<'_>) -> Option<SmolStr> {
    if !matches!(node.kind(), "while_expression" | "loop_expression" | "for_expression" | "block") {
        return None;
    }
    jump_label(b, node)
}

fn jump_label(b: &Builder<'_>, node: Node<'_>) -> Option<SmolStr> {
    named(node).into_iter().find(|child| child.kind() == "label").map(|label| b.smol(label))
}

/// `if`, with all its `else if` in a loop.
fn conditional(b: &mut Builder<'_>, node: Node<'_>, value: Tail) -> StmtKind {
    let mut branches = vec![node];
    let mut last = None;
    let mut at = node;
    while let Some(alternative) = at.child_by_field_name("alternative") {
        match named(alternative).first() {
            Some(next) if next.kind() == "if_expression" => {
                branches.push(*next);
                at = *next;
            }
            inner => {
                last = inner.copied();
                break;
            }
        }
    }
    let lowered = b.along(branches.len(), |b| last.map(|last| block(b, last, value)).unwrap_or_default());
    let Some(mut otherwise) = lowered else { return StmtKind::Opaque(TOO_DEEP) };
    while let Some(branch) = branches.pop() {
        let parts = b.along(branches.len(), |b| {
            let test = expression_of(b, branch, "condition");
            let then = branch.child_by_field_name("consequence").map(|then| block(b, then, value));
            (test, then.unwrap_or_default())
        });
        let Some((test, then)) = parts else { return StmtKind::Opaque(TOO_DEEP) };
        let binds = contains_match(&test);
        let kind = StmtKind::If { test, then, otherwise };
        // What the condition binds belongs to the branch.
        let kind = if binds { StmtKind::Block(vec![b.stmt(kind, branch)]) } else { kind };
        if branches.is_empty() {
            return kind;
        }
        otherwise = vec![b.stmt(kind, branch)];
    }
    StmtKind::Block(otherwise)
}

fn contains_match(test: &Expr) -> bool {
    match &test.kind {
        ExprKind::Matches { .. } => true,
        ExprKind::Logic(_, a, b) => contains_match(a) || contains_match(b),
        _ => false,
    }
}

fn switch(b: &mut Builder<'_>, node: Node<'_>, value: Tail) -> StmtKind {
    let subject = expression_of(b, node, "value");
    let mut cases = Vec::new();
    let body = node.child_by_field_name("body");
    for (above, arm) in body.map(with_attributes).unwrap_or_default() {
        if arm.kind() != "match_arm" || item::is_for_tests(b, &above) {
            continue;
        }
        let Some(of) = arm.child_by_field_name("pattern") else { continue };
        let patterns = vec![pattern(b, of)];
        let guard = of.child_by_field_name("condition").map(|guard| expression(b, guard));
        let mut inner = Block::new();
        match arm.child_by_field_name("value") {
            Some(block_of) if block_of.kind() == "block" => inner = block(b, block_of, value),
            Some(of) => tail(b, of, value, &mut inner),
            None => {}
        }
        cases.push(Case { patterns, guard, body: inner, falls: false });
    }
    StmtKind::Switch { subject, cases }
}

/// The operand of a link of a chain; `None` if the node is not a link.
fn before(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "call_expression" => {
            let function = node.child_by_field_name("function")?;
            match function.kind() {
                "generic_function" => function.child_by_field_name("function"),
                _ => Some(function),
            }
        }
        "field_expression" => node.child_by_field_name("value"),
        "index_expression" | "await_expression" | "try_expression" => named(node).first().copied(),
        _ => None,
    }
}

/// Members, elements, calls and `?` one after the other, in a loop: `a.b(c)?[d]`.
fn chain(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let (mut links, first) = links(node, before);
    if links.is_empty() {
        return b.opaque(UNPARSED, node);
    }
    let Some(mut value) = b.along(links.len(), |b| expression(b, first)) else { return b.opaque(TOO_DEEP, node) };
    let mut around = links.len();
    while let Some(link) = links.pop() {
        around -= 1;
        let kind = b.along(around, |b| linked(b, link, value));
        value = b.expr(kind.unwrap_or(ExprKind::Opaque(TOO_DEEP)), link);
    }
    value
}

fn linked(b: &mut Builder<'_>, link: Node<'_>, object: Expr) -> ExprKind {
    let object = Box::new(object);
    match link.kind() {
        "field_expression" => match link.child_by_field_name("field") {
            Some(key) => ExprKind::Member { object, key: word(b, key), at: b.span(key), optional: false },
            None => ExprKind::Opaque(UNPARSED),
        },
        "index_expression" => match named(link).get(1) {
            Some(index) if index.kind() == "range_expression" => {
                let (from, to) = bounds(b, *index);
                ExprKind::Slice { object, from: from.map(Box::new), to: to.map(Box::new), step: None }
            }
            Some(index) => ExprKind::At { object, index: Box::new(expression(b, *index)), optional: false },
            None => ExprKind::Opaque(UNPARSED),
        },
        "await_expression" => ExprKind::Await(object),
        "try_expression" => ExprKind::Try(object),
        _ => ExprKind::Call(Box::new(call(b, link, *object))),
    }
}

/// The keyword under which a call passes its type arguments: `search::<T>(x)`.
pub(crate) const TYPE_ARGUMENTS: &str = "<>";

fn call(b: &mut Builder<'_>, node: Node<'_>, callee: Expr) -> Call {
    let list = node.child_by_field_name("arguments");
    let mut args: Vec<Arg> = Vec::new();
    for (_, argument) in list.map(with_attributes).unwrap_or_default() {
        let value = expression(b, argument);
        args.push(Arg { kind: ArgKind::Positional, value, span: b.span(argument) });
    }
    let function = node.child_by_field_name("function").filter(|function| function.kind() == "generic_function");
    if let Some(function) = function {
        let mut types = types::arguments(b, function);
        let list = function.child_by_field_name("type_arguments").unwrap_or(function);
        let value = match types.len() {
            1 => types.remove(0),
            _ => b.expr(ExprKind::Tuple(types), list),
        };
        args.push(Arg { kind: ArgKind::Named(SmolStr::new_static(TYPE_ARGUMENTS)), value, span: b.span(list) });
    }
    args.shrink_to_fit();
    Call { callee, args, new: false, optional: false }
}

/// `Tool { name, title: None, ..base }`
fn structure(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let Some(name) = node.child_by_field_name("name") else { return b.opaque(UNPARSED, node) };
    let callee = class(b, name);
    let mut args = Vec::new();
    for (_, field) in node.child_by_field_name("body").map(with_attributes).unwrap_or_default() {
        args.extend(initialised(b, field));
    }
    b.expr(ExprKind::Call(Box::new(Call { callee, args, new: true, optional: false })), node)
}

fn initialised(b: &mut Builder<'_>, field: Node<'_>) -> Option<Arg> {
    let span = b.span(field);
    match field.kind() {
        "field_initializer" => {
            let name = field.child_by_field_name("field").or_else(|| field.child_by_field_name("name"))?;
            let value = expression_of(b, field, "value");
            Some(Arg { kind: ArgKind::Named(word(b, name)), value, span })
        }
        "shorthand_field_initializer" => {
            let name = named(field).into_iter().find(|child| child.kind() == "identifier").unwrap_or(field);
            let value = b.expr(ExprKind::Name(word(b, name)), name);
            Some(Arg { kind: ArgKind::Named(word(b, name)), value, span })
        }
        "base_field_initializer" => {
            let value = expression(b, *named(field).first()?);
            Some(Arg { kind: ArgKind::Keywords, value, span })
        }
        _ => None,
    }
}

/// `[a, b]`, `[a; 3]`
fn array(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let elements: Vec<Node<'_>> = named(node).into_iter().filter(|one| one.kind() != "attribute_item").collect();
    if let (Some(_), [element, _]) = (node.child_by_field_name("length"), elements.as_slice()) {
        let element = expression(b, *element);
        return b.expr(ExprKind::List(vec![element]), node);
    }
    let elements = elements.into_iter().map(|one| expression(b, one)).collect();
    b.expr(ExprKind::List(elements), node)
}

/// The ends of a range.
fn bounds(b: &mut Builder<'_>, node: Node<'_>) -> (Option<Expr>, Option<Expr>) {
    let mut cursor = node.walk();
    let (mut from, mut to, mut is_after, mut includes) = (None, None, false, false);
    for child in node.children(&mut cursor) {
        match child.kind() {
            ".." | "..=" | "..." => {
                is_after = true;
                includes = child.kind() != "..";
            }
            _ if !child.is_named() || child.is_extra() => {}
            _ if is_after => to = Some(expression(b, child)),
            _ => from = Some(expression(b, child)),
        }
    }
    let to = to.map(|to| match includes {
        true => {
            let one = Expr { kind: ExprKind::Number(1.0), span: to.span };
            Expr { span: to.span, kind: ExprKind::Binary(Binary::Add, Box::new(to), Box::new(one)) }
        }
        false => to,
    });
    (from, to)
}

/// `a..b` as a call of the standard library.
fn range(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let (from, to) = bounds(b, node);
    let callee = b.expr(ExprKind::Name(SmolStr::new_static("range")), node);
    let bound = |bound: Option<Expr>| {
        let value = bound.unwrap_or_else(|| b.expr(ExprKind::Undefined, node));
        Arg { kind: ArgKind::Positional, span: value.span, value }
    };
    let args = [from, to].into_iter().map(bound).collect();
    b.call(callee, args, node)
}

/// `!x`, `-x`, `*x`
fn unary(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let Some(inner) = named(node).first().copied() else { return b.opaque(UNPARSED, node) };
    let value = expression(b, inner);
    let operator = match b.text(node).chars().next() {
        Some('!') => Unary::Not,
        Some('-') => Unary::Minus,
        _ => return value,
    };
    b.expr(ExprKind::Unary(operator, Box::new(value)), node)
}

fn binary(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    // Long sums and conditions nest to the left.
    let mut links = Vec::new();
    let mut first = node;
    while first.kind() == "binary_expression" {
        let Some(left) = first.child_by_field_name("left") else { break };
        links.push(first);
        first = left;
    }
    let Some(mut value) = b.along(links.len(), |b| expression(b, first)) else { return b.opaque(TOO_DEEP, node) };
    let mut around = links.len();
    while let Some(link) = links.pop() {
        around -= 1;
        let right = b.along(around, |b| expression_of(b, link, "right"));
        let Some(right) = right.map(Box::new) else { return b.opaque(TOO_DEEP, node) };
        let operator = link.child_by_field_name("operator").map_or("", |operator| b.text(operator));
        let left = Box::new(value);
        let kind = match operator {
            "&&" => ExprKind::Logic(Logic::And, left, right),
            "||" => ExprKind::Logic(Logic::Or, left, right),
            operator => match operator_of(operator) {
                Some(operator) => ExprKind::Binary(operator, left, right),
                None => ExprKind::Opaque(UNPARSED),
            },
        };
        value = b.expr(kind, link);
    }
    value
}

fn operator_of(text: &str) -> Option<Binary> {
    Some(match text {
        "==" => Binary::Equal,
        "!=" => Binary::NotEqual,
        _ => return common_operator(text),
    })
}

/// The target of an assignment.
fn place(b: &mut Builder<'_>, node: Node<'_>) -> Target {
    match node.kind() {
        "identifier" => Target::Name { name: word(b, node), span: b.span(node) },
        "_" => Target::Opaque("a value that nothing names"),
        // `*x = y`
        "unary_expression" | "parenthesized_expression" => match named(node).first() {
            Some(inner) => b.deeper(|b| place(b, *inner)).unwrap_or(Target::Opaque(TOO_DEEP)),
            None => Target::Opaque(UNPARSED),
        },
        "field_expression" | "index_expression" => Target::Place(Box::new(expression(b, node))),
        "tuple_expression" => {
            let elements = named(node).into_iter().map(|one| Some((place(b, one), None))).collect();
            Target::List { elements, rest: None }
        }
        _ => Target::Opaque("a target that cannot be assigned"),
    }
}

/// The statements of a file or of a part of one, for macros.
pub(super) fn statements(b: &mut Builder<'_>, root: Node<'_>, place: super::Place, out: &mut Block) {
    for (above, node) in with_attributes(root) {
        statement(b, node, &above, place, out);
    }
}
