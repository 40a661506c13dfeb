//! Macros. To the grammar their arguments are flat lists of tokens; here they are parsed again as what they mostly are:
//! lists of expressions, JSON, or items.

use smol_str::SmolStr;
use tree_sitter::{Node, Tree};

use super::expression::{expression, statements};
use super::literal::slice;
use super::types::{class, word};
use super::{Place, UNPARSED};
use crate::code::builder::{Builder, named};
use crate::code::{Arg, ArgKind, Block, Case, Declared, Expr, ExprKind, Match, Prop, Stmt, StmtKind, Target};
use crate::syntax::rust::inside_brackets as inside;
use crate::syntax::{Language, parse_part};
use crate::text::Span;

/// The description of arguments that are not expressions.
const TOKENS: &str = "a macro's tokens";
/// The maximum depth of nested macros, each of which is parsed again.
const MOST_NESTED: u32 = 12;

/// The meaning of a macro of the standard library, or of one that is used like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// A list: `vec![a, b]`.
    List,
    /// An object: `json!({ "a": b })`.
    Json,
    /// A text: `format!("{a} {}", b)`.
    Text,
    /// A text that is written to the first argument: `write!(f, "{a}")`.
    Written,
    /// The texts, joined: `concat!("a", "b")`.
    Joined,
    /// The tokens as text.
    Source,
    /// Nothing that a name can come from: `println!("{a}")`.
    Nothing,
    /// The end of the program: `panic!("{a}")`.
    Panic,
    /// An error that the function returns: `bail!("{a}")`.
    Fails,
    /// An error: `anyhow!("{a}")`.
    Error,
    /// What runs when one of several things is ready: `select! { a = f() => b, … }`.
    Select,
}

/// The macros that are known by name, whichever package they come from.
const KNOWN: &[(&str, Known)] = &[
    ("vec", Known::List),
    ("json", Known::Json),
    ("object", Known::Json),
    ("format", Known::Text),
    ("format_args", Known::Text),
    ("write", Known::Written),
    ("writeln", Known::Written),
    ("concat", Known::Joined),
    ("stringify", Known::Source),
    ("println", Known::Nothing),
    ("eprintln", Known::Nothing),
    ("print", Known::Nothing),
    ("eprint", Known::Nothing),
    ("trace", Known::Nothing),
    ("debug", Known::Nothing),
    ("info", Known::Nothing),
    ("warn", Known::Nothing),
    ("error", Known::Nothing),
    // What they test refuses a call, and answers none.
    ("ensure", Known::Nothing),
    ("assert", Known::Nothing),
    ("assert_eq", Known::Nothing),
    ("debug_assert", Known::Nothing),
    ("panic", Known::Panic),
    ("unreachable", Known::Panic),
    ("todo", Known::Panic),
    ("unimplemented", Known::Panic),
    ("bail", Known::Fails),
    ("anyhow", Known::Error),
    ("eyre", Known::Error),
    ("select", Known::Select),
];

fn known(b: &Builder<'_>, node: Node<'_>) -> Option<Known> {
    let name = node.child_by_field_name("macro")?;
    let last = b.text(name).rsplit("::").next()?;
    KNOWN.iter().find(|(known, _)| *known == last).map(|(_, known)| *known)
}

/// The tokens of a macro invocation, with their brackets.
fn tokens(node: Node<'_>) -> Option<Node<'_>> {
    named(node).into_iter().find(|child| child.kind() == "token_tree")
}

/// Lowers a macro invocation, `name!(…)`, to its value if the macro is known, and to a call of it otherwise.
pub(super) fn invocation(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let (Some(name), Some(tokens)) = (node.child_by_field_name("macro"), tokens(node)) else {
        return b.opaque("a macro", node);
    };
    if b.nested_macros >= MOST_NESTED {
        return b.opaque("macros that nest too deeply", node);
    }
    b.nested_macros += 1;
    let value = match known(b, node) {
        Some(known) => value_of(b, known, tokens, node),
        None => {
            let callee = class(b, name);
            let values = expressions(b, tokens);
            let args = values.into_iter().map(|value| Arg { kind: ArgKind::Positional, span: value.span, value });
            b.call(callee, args.collect(), node)
        }
    };
    b.nested_macros -= 1;
    value
}

fn value_of(b: &mut Builder<'_>, known: Known, tokens: Node<'_>, node: Node<'_>) -> Expr {
    match known {
        Known::List => {
            let values = expressions(b, tokens);
            b.expr(ExprKind::List(values), node)
        }
        Known::Json => {
            let inside = inside(tokens);
            json(b, &inside, node)
        }
        Known::Text => {
            let values = expressions(b, tokens);
            format(b, values, node)
        }
        Known::Written => {
            let mut values = expressions(b, tokens);
            if values.is_empty() {
                return b.opaque(TOKENS, node);
            }
            let to = values.remove(0);
            let text = format(b, values, node);
            method(b, to, "write_str", vec![text], node)
        }
        Known::Joined => {
            let values = expressions(b, tokens);
            b.expr(ExprKind::Join(values), node)
        }
        Known::Source => {
            let (start, end) = (tokens.start_byte() + 1, tokens.end_byte().saturating_sub(1));
            Expr { kind: ExprKind::Text(b.slice(start, end).trim().into()), span: b.span_of(start, end.max(start)) }
        }
        Known::Nothing => b.expr(ExprKind::Undefined, node),
        Known::Panic | Known::Fails => {
            let thrown = thrown(b, node);
            let thrown = b.stmt(StmtKind::Throw(Some(thrown)), node);
            b.expr(ExprKind::Body(vec![thrown]), node)
        }
        Known::Error => error(b, tokens, node),
        Known::Select => {
            let cases = arms(b, &inside(tokens));
            let subject = b.opaque("what is ready first", node);
            let switch = b.stmt(StmtKind::Switch { subject, cases }, node);
            b.expr(ExprKind::Body(vec![switch]), node)
        }
    }
}

/// The arms of `select!`: `pattern = value, if condition => handler,`.
fn arms(b: &mut Builder<'_>, tokens: &[Node<'_>]) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut rest = tokens;
    while let Some(arrow) = rest.iter().position(|token| token.kind() == "=>") {
        let (head, after) = (&rest[..arrow], &rest[arrow + 1..]);
        let is_block =
            after.first().is_some_and(|token| token.kind() == "token_tree" && b.text(*token).starts_with('{'));
        let end = match is_block {
            true => 1,
            false => after.iter().position(|token| token.kind() == ",").unwrap_or(after.len()),
        };
        let mut body = Block::new();
        if let Some(equals) = head.iter().position(|token| token.kind() == "=") {
            let value = &head[equals + 1..];
            let value = value.split(|token| token.kind() == ",").next().unwrap_or(value);
            let ready = parsed(b, value);
            let span = ready.span;
            let value = Expr { kind: ExprKind::Await(Box::new(ready)), span };
            let target = match &head[..equals] {
                [only] if only.kind() == "identifier" => Target::Name { name: word(b, *only), span: b.span(*only) },
                _ => Target::Opaque("the result of one of several futures"),
            };
            let kind = StmtKind::Let { scope: Declared::Block, target, annotation: None, value: Some(value) };
            body.push(Stmt { kind, span });
        }
        let handler = parsed(b, &after[..end]);
        body.push(Stmt { span: handler.span, kind: StmtKind::Give(Some(handler)) });
        let patterns = vec![Match::Opaque("what is ready first")];
        cases.push(Case { patterns, guard: None, body, falls: false });
        let next = &after[end..];
        rest = match next.first() {
            Some(token) if token.kind() == "," => &next[1..],
            _ => next,
        };
    }
    cases
}

/// Whether a macro ends the function that it is in.
pub(super) fn is_throwing(b: &Builder<'_>, node: Node<'_>) -> bool {
    matches!(known(b, node), Some(Known::Panic | Known::Fails))
}

/// The value with which such a macro returns from the function.
pub(super) fn thrown(b: &mut Builder<'_>, node: Node<'_>) -> Expr {
    let Some(tokens) = tokens(node) else { return b.opaque(TOKENS, node) };
    let error = error(b, tokens, node);
    match known(b, node) {
        Some(Known::Fails) => failed(b, error, node),
        _ => error,
    }
}

/// `Err(error)`
fn failed(b: &Builder<'_>, error: Expr, node: Node<'_>) -> Expr {
    let callee = b.expr(ExprKind::Name(SmolStr::new_static("Err")), node);
    let args = vec![Arg { kind: ArgKind::Positional, span: error.span, value: error }];
    b.call(callee, args, node)
}

fn error(b: &mut Builder<'_>, tokens: Node<'_>, node: Node<'_>) -> Expr {
    let values = expressions(b, tokens);
    format(b, values, node)
}

fn method(b: &Builder<'_>, object: Expr, name: &'static str, values: Vec<Expr>, node: Node<'_>) -> Expr {
    let at = object.span;
    let callee = ExprKind::Member { object: Box::new(object), key: SmolStr::new_static(name), at, optional: false };
    let args = values.into_iter().map(|value| Arg { kind: ArgKind::Positional, span: value.span, value });
    b.call(b.expr(callee, node), args.collect(), node)
}

/// Lowers a macro between items whose arguments are items themselves: `lazy_static! { … }`. `false` if they are not.
pub(super) fn items(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) -> bool {
    let Some(tokens) = tokens(node).filter(|_| b.nested_macros < MOST_NESTED) else { return false };
    let inside = inside(tokens);
    let (Some(first), Some(last)) = (inside.first(), inside.last()) else { return false };
    let Some(tree) = parse_part(Language::Rust, b.source(), *first, *last) else { return false };
    let Some(root) = braced(&tree) else { return false };
    if root.has_error() || !named(root).iter().any(|child| child.kind().ends_with("_item")) {
        return false;
    }
    b.nested_macros += 1;
    statements(b, root, Place::Module, out);
    b.nested_macros -= 1;
    true
}

/// The braces around a part that was parsed.
fn braced(tree: &Tree) -> Option<Node<'_>> {
    let statement = tree.root_node().named_child(0)?;
    if statement.kind() == "block" {
        Some(statement)
    } else {
        named(statement).into_iter().find(|one| one.kind() == "block")
    }
}

/// The expressions between the commas of a token tree.
fn expressions(b: &mut Builder<'_>, tree: Node<'_>) -> Vec<Expr> {
    let inside = inside(tree);
    // `vec![x; 3]` has at least one.
    let pieces = inside.split(|token| matches!(token.kind(), "," | ";")).filter(|piece| !piece.is_empty());
    pieces.map(|piece| parsed(b, piece)).collect()
}

/// The expression that tokens are.
fn parsed(b: &mut Builder<'_>, tokens: &[Node<'_>]) -> Expr {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        return Expr { kind: ExprKind::Opaque(TOKENS), span: Span::default() };
    };
    if let [only] = tokens {
        match only.kind() {
            "token_tree" | "metavariable" => {}
            kind if kind.ends_with("_literal") || matches!(kind, "identifier" | "self") => return expression(b, *only),
            _ => {}
        }
    }
    let span = b.span_of(first.start_byte(), last.end_byte());
    let opaque = Expr { kind: ExprKind::Opaque(TOKENS), span };
    let Some(tree) = parse_part(Language::Rust, b.source(), *first, *last) else { return opaque };
    let children = braced(&tree).map(named).unwrap_or_default();
    let [only] = children.as_slice() else { return opaque };
    let inner = match only.kind() {
        "expression_statement" => named(*only).into_iter().next(),
        "ERROR" => None,
        _ => Some(*only),
    };
    match inner {
        Some(inner) => expression(b, inner),
        None => opaque,
    }
}

/// JSON with expressions of Rust for values: `{ "a": [b, null] }`.
fn json(b: &mut Builder<'_>, tokens: &[Node<'_>], node: Node<'_>) -> Expr {
    b.deeper(|b| shallow_json(b, tokens, node)).unwrap_or_else(|| b.opaque(super::TOO_DEEP, node))
}

fn shallow_json(b: &mut Builder<'_>, tokens: &[Node<'_>], node: Node<'_>) -> Expr {
    match tokens {
        [] => b.opaque(UNPARSED, node),
        [only] if only.kind() == "identifier" && b.text(*only) == "null" => b.expr(ExprKind::Null, *only),
        [only] if only.kind() == "token_tree" && b.text(*only).starts_with('{') => {
            let mut props = Vec::new();
            for piece in inside(*only).split(|token| token.kind() == ",").filter(|piece| !piece.is_empty()) {
                let Some(colon) = piece.iter().position(|token| token.kind() == ":") else { continue };
                let key = parsed(b, &piece[..colon]);
                props.push(Prop::Pair { key, value: json(b, &piece[colon + 1..], *only) });
            }
            b.expr(ExprKind::Object(props), *only)
        }
        [only] if only.kind() == "token_tree" && b.text(*only).starts_with('[') => {
            let inside = inside(*only);
            let pieces = inside.split(|token| token.kind() == ",").filter(|piece| !piece.is_empty());
            let elements = pieces.map(|piece| json(b, piece, *only)).collect();
            b.expr(ExprKind::List(elements), *only)
        }
        tokens => parsed(b, tokens),
    }
}

/// The value of `format!("a_{}_{name}", x)`: the text, with a value for each placeholder.
fn format(b: &mut Builder<'_>, mut values: Vec<Expr>, node: Node<'_>) -> Expr {
    if values.is_empty() {
        return Expr { kind: ExprKind::Text(SmolStr::default()), span: b.span(node) };
    }
    let (text, span) = match values.remove(0) {
        Expr { kind: ExprKind::Text(text), span } if text.len() == span.len() => (text, span),
        Expr { kind: ExprKind::Text(_) | ExprKind::Join(_), .. } => return b.opaque("a format with escapes", node),
        // `anyhow!(error)`
        other => return other,
    };
    let (mut named, mut given) = (Vec::new(), Vec::new());
    for value in values {
        match value.kind {
            ExprKind::Assign { target, operator: None, value } => match *target {
                crate::code::Target::Name { name, .. } => named.push((name, *value)),
                _ => given.push(*value),
            },
            _ => given.push(value),
        }
    }
    let mut next = 0;
    let mut parts = Vec::new();
    let literal = |parts: &mut Vec<Expr>, from: usize, to: usize| {
        if from < to {
            parts.push(Expr { kind: ExprKind::Text(text[from..to].into()), span: slice(span, from, to) });
        }
    };
    let (mut from, mut at) = (0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            // `{{` is `{`
            mark @ (b'{' | b'}') if bytes.get(at + 1) == Some(&mark) => {
                literal(&mut parts, from, at + 1);
                (from, at) = (at + 2, at + 2);
            }
            b'{' => {
                let Some(close) = text[at..].find('}').map(|close| at + close) else { break };
                literal(&mut parts, from, at);
                let inner = &text[at + 1..close];
                let (name, style) = inner.split_once(':').unwrap_or((inner, ""));
                let name = name.trim();
                let value = match (name, name.parse::<usize>()) {
                    ("", _) => {
                        next += 1;
                        given.get(next - 1).cloned()
                    }
                    (_, Ok(index)) => given.get(index).cloned(),
                    (name, _) => Some(named.iter().find(|(known, _)| known == name).map_or_else(
                        || Expr { kind: ExprKind::Name(name.into()), span: slice(span, at + 1, at + 1 + name.len()) },
                        |(_, value)| value.clone(),
                    )),
                };
                parts.push(match value {
                    Some(value) if style.is_empty() => method(b, value, "to_string", Vec::new(), node),
                    Some(_) => b.opaque("a value in a format", node),
                    None => b.opaque(UNPARSED, node),
                });
                (from, at) = (close + 1, close + 1);
            }
            _ => at += 1,
        }
    }
    literal(&mut parts, from, text.len());
    match parts.len() {
        0 => Expr { kind: ExprKind::Text(SmolStr::default()), span },
        1 => parts.remove(0),
        _ => Expr { kind: ExprKind::Join(parts), span: b.span(node) },
    }
}

/// The arguments of an attribute: `name = "x"`, `annotations(read_only_hint = true)`, `"x"`.
pub(super) fn attribute_arguments(b: &mut Builder<'_>, tree: Node<'_>) -> Vec<Arg> {
    let inside = inside(tree);
    let pieces = inside.split(|token| token.kind() == ",").filter(|piece| !piece.is_empty());
    pieces.filter_map(|piece| attribute_argument(b, piece)).collect()
}

fn attribute_argument(b: &mut Builder<'_>, tokens: &[Node<'_>]) -> Option<Arg> {
    let span = b.span_of(tokens.first()?.start_byte(), tokens.last()?.end_byte());
    match tokens {
        [name, list] if name.kind() == "identifier" && list.kind() == "token_tree" => {
            let inner = b.deeper(|b| attribute_arguments(b, *list)).unwrap_or_default();
            let props = inner.into_iter().filter_map(|arg| match arg.kind {
                ArgKind::Named(name) => {
                    let span = slice(arg.span, 0, name.len());
                    Some(Prop::Pair { key: Expr { kind: ExprKind::Text(name), span }, value: arg.value })
                }
                _ => None,
            });
            let value = b.expr(ExprKind::Object(props.collect()), *list);
            Some(Arg { kind: ArgKind::Named(word(b, *name)), value, span })
        }
        [name, equals, value @ ..] if equals.kind() == "=" => {
            Some(Arg { kind: ArgKind::Named(b.smol(*name)), value: parsed(b, value), span })
        }
        value => Some(Arg { kind: ArgKind::Positional, value: parsed(b, value), span }),
    }
}
