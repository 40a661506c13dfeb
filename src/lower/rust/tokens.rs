//! The bodies of macros. To the grammar they are flat lists of tokens; here they are read as what they mostly are:
//! lists of expressions, `vec![Tool { name: "x".into() }]`, or JSON, `json!({ "name": "x" })`.

use tree_sitter::Node;

use super::{SAME_TEXT_METHODS, expression, is_literal, module_name};
use crate::lower::builder::{Builder, MAX_DEPTH, joined};
use crate::lower::{Arg, CallKind, Expr, Key, Prop, ScopeId};
use crate::syntax::rust::inside_brackets as inside;
use crate::text::Span;

/// Lowers a macro invocation, `name!(…)`.
pub(super) fn invocation(b: &mut Builder<'_>, node: Node<'_>, callee: Expr, scope: ScopeId) -> Expr {
    let mut cursor = node.walk();
    let body = node.children(&mut cursor).find(|child| child.kind() == "token_tree");
    match body {
        Some(body) => expanded(b, callee, body, scope, node),
        None => b.opaque("a macro", node),
    }
}

/// The value of a macro invocation if the macro is known, and a call of it otherwise.
fn expanded(b: &mut Builder<'_>, callee: Expr, body: Node<'_>, scope: ScopeId, node: Node<'_>) -> Expr {
    let pieces = pieces(&inside(body));
    let values =
        |b: &mut Builder<'_>| -> Vec<Expr> { pieces.iter().map(|piece| value(b, piece, scope, node)).collect() };
    match callee.last_name().map(|name| name.as_str()) {
        Some("vec") => {
            let elements = values(b);
            b.array(elements, node)
        }
        Some("json" | "object") => values(b).pop().unwrap_or_else(|| b.opaque("an empty macro", node)),
        Some("concat") => {
            let parts = values(b);
            Expr::Concat { parts, span: b.span(node) }
        }
        Some("format") => {
            let values = values(b);
            format(b, values, node)
        }
        _ => call(b, CallKind::Plain, callee, &pieces, scope, node),
    }
}

/// Splits tokens at commas, without empty pieces.
fn pieces<'n>(tokens: &[Node<'n>]) -> Vec<Vec<Node<'n>>> {
    let pieces = tokens.split(|token| token.kind() == ",");
    pieces.filter(|piece| !piece.is_empty()).map(<[Node<'n>]>::to_vec).collect()
}

fn around(b: &Builder<'_>, tokens: &[Node<'_>]) -> Span {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => b.span_of(first.start_byte(), last.end_byte()),
        _ => Span::default(),
    }
}

fn value(b: &mut Builder<'_>, tokens: &[Node<'_>], scope: ScopeId, node: Node<'_>) -> Expr {
    let lowered = b.deeper(|b| shallow_value(b, tokens, scope));
    lowered.flatten().unwrap_or_else(|| b.opaque("a macro's tokens", *tokens.first().unwrap_or(&node)))
}

fn shallow_value(b: &mut Builder<'_>, tokens: &[Node<'_>], scope: ScopeId) -> Option<Expr> {
    let borrows = tokens.iter().take_while(|token| token.kind() == "&").count();
    let (first, mut rest) = tokens[borrows..].split_first()?;
    let mut value = match first.kind() {
        kind if is_literal(kind) => expression(b, *first, scope),
        "token_tree" => tree(b, *first, scope),
        "identifier" | "self" | "crate" | "super" | "primitive_type" => {
            let is_path = rest.first().is_some_and(|next| next.kind() == "::");
            let module = is_path.then(|| module_name(first.kind())).flatten();
            Expr::Name { name: module.unwrap_or_else(|| b.smol(*first)), span: b.span(*first) }
        }
        _ => return None,
    };
    // Each link holds the ones before it: a chain nests as deep as it is long.
    for _ in 0..MAX_DEPTH {
        match rest {
            [] => return Some(value),
            [colons, name, more @ ..] if colons.kind() == "::" && matches!(name.kind(), "identifier" | "super") => {
                value = Expr::Member { object: Box::new(value), key: Key::Field(b.smol(*name)), span: b.span(*name) };
                rest = more;
            }
            [dot, name, args, more @ ..] if dot.kind() == "." && args.kind() == "token_tree" => {
                let given = pieces(&inside(*args));
                if !(given.is_empty() && SAME_TEXT_METHODS.contains(&b.text(*name))) {
                    let callee =
                        Expr::Member { object: Box::new(value), key: Key::Field(b.smol(*name)), span: b.span(*name) };
                    value = call(b, CallKind::Plain, callee, &given, scope, *args);
                }
                rest = more;
            }
            [dot, name, more @ ..] if dot.kind() == "." && name.kind() == "identifier" => {
                value = Expr::Member { object: Box::new(value), key: Key::Field(b.smol(*name)), span: b.span(*name) };
                rest = more;
            }
            [bang, args, more @ ..] if bang.kind() == "!" && args.kind() == "token_tree" => {
                value = expanded(b, value, *args, scope, *args);
                rest = more;
            }
            [args, more @ ..] if args.kind() == "token_tree" => {
                let given = pieces(&inside(*args));
                let is_struct = b.text(*args).starts_with('{');
                let wraps_text = super::SAME_TEXT_FUNCTIONS
                    .iter()
                    .any(|function| function.rsplit("::").next() == value.last_name().map(|name| name.as_str()));
                value = match (is_struct, given.as_slice()) {
                    (true, _) => record(b, value, &given, scope, *args),
                    (false, [only]) if wraps_text => self::value(b, only, scope, *args),
                    (false, _) => call(b, CallKind::Plain, value, &given, scope, *args),
                };
                rest = more;
            }
            _ => return None,
        }
    }
    None
}

fn call(
    b: &mut Builder<'_>,
    kind: CallKind,
    callee: Expr,
    given: &[Vec<Node<'_>>],
    scope: ScopeId,
    node: Node<'_>,
) -> Expr {
    let mut args = Vec::with_capacity(given.len());
    for piece in given {
        args.push(Arg { name: None, value: value(b, piece, scope, node), span: around(b, piece) });
    }
    Expr::Call(b.call(kind, callee, args, scope, node))
}

/// A record: `Tool { name: "x", … }`.
fn record(b: &mut Builder<'_>, callee: Expr, given: &[Vec<Node<'_>>], scope: ScopeId, node: Node<'_>) -> Expr {
    let mut args = Vec::new();
    for piece in given {
        match piece.as_slice() {
            [name, colon, tokens @ ..] if colon.kind() == ":" => {
                let value = value(b, tokens, scope, node);
                args.push(Arg { name: Some(b.smol(*name)), value, span: around(b, piece) });
            }
            [name] if name.kind() == "identifier" => {
                let value = Expr::Name { name: b.smol(*name), span: b.span(*name) };
                args.push(Arg { name: Some(b.smol(*name)), value, span: b.span(*name) });
            }
            _ => {}
        }
    }
    b.record(callee, args, scope, node)
}

/// The value of a token tree: an object, a list, or the contents of its parentheses.
fn tree(b: &mut Builder<'_>, tree: Node<'_>, scope: ScopeId) -> Expr {
    let pieces = pieces(&inside(tree));
    if b.text(tree).starts_with('{') {
        let mut props = Vec::new();
        for piece in &pieces {
            if let [key, colon, tokens @ ..] = piece.as_slice()
                && colon.kind() == ":"
            {
                let key = value(b, &[*key], scope, tree);
                props.push(Prop::Pair { key, value: value(b, tokens, scope, tree) });
            }
        }
        let span = b.span(tree);
        return b.object(props, scope, span);
    }
    let is_list = b.text(tree).starts_with('[') || pieces.len() != 1;
    let mut elements: Vec<Expr> = pieces.iter().map(|piece| value(b, piece, scope, tree)).collect();
    if is_list { b.array(elements, tree) } else { elements.remove(0) }
}

/// The value of `format!("a_{}_{name}", x)`: the literal text and the values of the placeholders, joined. Opaque if the
/// format is not a literal without escapes.
fn format(b: &mut Builder<'_>, mut values: Vec<Expr>, node: Node<'_>) -> Expr {
    if values.is_empty() {
        return b.opaque("an empty macro", node);
    }
    let Expr::Text { text, span } = values.remove(0) else {
        return b.opaque("a format that is not a literal", node);
    };
    if text.len() != span.len() {
        return b.opaque("a format with escapes", node);
    }
    let mut given = values.into_iter();
    let mut parts = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find('{').map(|at| from + at) {
        let Some(close) = text[open..].find('}').map(|at| open + at) else { break };
        if open > from {
            parts.push(Expr::Text { text: text[from..open].into(), span: span.slice(from, open) });
        }
        let inner = &text[open + 1..close];
        parts.push(match inner.split(':').next().unwrap_or("") {
            "" => given.next().unwrap_or_else(|| b.opaque("a missing format argument", node)),
            name if name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.starts_with(char::is_numeric) => {
                Expr::Name { name: name.into(), span: span.slice(open + 1, open + 1 + name.len()) }
            }
            _ => b.opaque("a positional format argument", node),
        });
        from = close + 1;
    }
    if from < text.len() {
        parts.push(Expr::Text { text: text[from..].into(), span: span.slice(from, text.len()) });
    }
    joined(parts, span)
}
