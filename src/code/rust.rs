//! Rust → the small language, statement by statement.
//!
//! Types leave nothing behind except where a program may ask for them: as annotations, as arguments of generic calls,
//! and as classes. References, pointers and casts are the values that they lead to. Code for tests is left out.

mod expression;
mod import;
mod item;
mod literal;
mod macros;
mod pattern;
#[cfg(test)]
mod tests;
mod types;

use std::sync::Arc;

use tree_sitter::{Node, Tree};

pub(crate) use self::expression::TYPE_ARGUMENTS;
use self::expression::{expression, tail};
pub(crate) use self::item::CHANGED;
use super::builder::{Builder, named};
use super::{Block, Code, Declared, Earlier, Expr, ExprKind, Function, Stmt, StmtKind};

/// The description of code that the grammar does not know.
const UNPARSED: &str = "code that does not parse";
/// The description of code beyond the limits of [`Builder::deeper`].
const TOO_DEEP: &str = "code that nests too deeply";

pub(super) fn file(tree: &Tree, text: &str, mut earlier: Earlier<'_>) -> Code {
    let root = tree.root_node();
    let mut items = Vec::new();
    for (above, node) in with_attributes(root) {
        // Only code that does not parse has expressions between its items.
        if is_expression(node.kind()) && node.kind() != "macro_invocation" {
            continue;
        }
        let start = above.first().map_or(node.start_byte(), Node::start_byte);
        let item = earlier.item(text, start, node, || {
            let mut body = Block::new();
            statement(&mut Builder::new(text, start), node, &above, Place::Module, &mut body);
            body
        });
        if !item.body.is_empty() {
            items.push(item);
        }
    }
    Code { items, doc: None }
}

/// The context of statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Module,
    Body,
}

/// The children of a node, each with the attributes and comments directly above it.
fn with_attributes(node: Node<'_>) -> Vec<(Vec<Node<'_>>, Node<'_>)> {
    let mut cursor = node.walk();
    let mut all = Vec::new();
    let mut above = Vec::new();
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "attribute_item" | "line_comment" | "block_comment" => above.push(child),
            "inner_attribute_item" => {}
            _ => all.push((std::mem::take(&mut above), child)),
        }
    }
    all
}

/// The use of the value of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// The function returns it.
    Return,
    /// It is the value of the expression around it.
    Give,
    /// Nobody reads it.
    Drop,
}

/// The statements of a block, the last of which may be its value.
fn block(b: &mut Builder<'_>, node: Node<'_>, value: Tail) -> Block {
    let mut out = Block::new();
    if node.kind() != "block" {
        tail(b, node, value, &mut out);
        return out;
    }
    let children = with_attributes(node);
    let count = children.len();
    for (index, (above, child)) in children.into_iter().enumerate() {
        if child.kind() == "label" {
            continue;
        }
        let is_last = index + 1 == count;
        // The grammar makes a statement of an expression that ends in a brace. Without a semicolon, the last one is the
        // value of the block.
        let inner = match child.kind() {
            "expression_statement" if is_last && !b.text(child).ends_with(';') => named(child).into_iter().next(),
            _ => Some(child),
        };
        match inner {
            Some(inner) if is_last && is_expression(inner.kind()) => tail(b, inner, value, &mut out),
            _ => statement(b, child, &above, Place::Body, &mut out),
        }
    }
    // Most blocks are short, and a vector starts with room for four of these large elements.
    out.shrink_to_fit();
    out
}

/// Whether a kind of node in a block is an expression without a semicolon.
fn is_expression(kind: &str) -> bool {
    !kind.ends_with("_item")
        && !matches!(
            kind,
            "let_declaration"
                | "expression_statement"
                | "use_declaration"
                | "empty_statement"
                | "macro_definition"
                | "extern_crate_declaration"
                | "ERROR"
        )
}

fn statement(b: &mut Builder<'_>, node: Node<'_>, above: &[Node<'_>], place: Place, out: &mut Block) {
    if b.deeper(|b| shallow_statement(b, node, above, place, out)).is_none() {
        out.push(b.stmt(StmtKind::Opaque(TOO_DEEP), node));
    }
}

fn shallow_statement(b: &mut Builder<'_>, node: Node<'_>, above: &[Node<'_>], place: Place, out: &mut Block) {
    if item::is_for_tests(b, above) {
        return;
    }
    match node.kind() {
        "use_declaration" => import::import(b, node, out),
        "extern_crate_declaration" => import::extern_crate(b, node, out),
        "function_item" => {
            let function = item::function(b, node, above);
            out.push(b.stmt(StmtKind::Function(Arc::new(function)), node));
        }
        "struct_item" | "union_item" => {
            let class = item::structure(b, node, above);
            out.push(b.stmt(StmtKind::Class(Arc::new(class)), node));
        }
        "enum_item" => {
            let class = item::enumeration(b, node, above);
            out.push(b.stmt(StmtKind::Class(Arc::new(class)), node));
        }
        "trait_item" => {
            let class = item::behaviour(b, node, above);
            out.push(b.stmt(StmtKind::Class(Arc::new(class)), node));
        }
        "impl_item" => {
            let extension = item::extension(b, node, above);
            out.push(b.stmt(StmtKind::Extend(Arc::new(extension)), node));
        }
        "mod_item" => module(b, node, out),
        "type_item" => {
            if let (Some(name), Some(of)) = (node.child_by_field_name("name"), node.child_by_field_name("type")) {
                let value = types::class(b, of);
                constant(b, node, name, value, Place::Module, out);
            }
        }
        "const_item" | "static_item" => {
            if let (Some(name), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value")) {
                let value = expression(b, value);
                constant(b, node, name, value, place, out);
            }
        }
        "let_declaration" => declaration(b, node, out),
        "expression_statement" => {
            for child in named(node) {
                tail(b, child, Tail::Drop, out);
            }
        }
        "macro_invocation" if place == Place::Module && macros::items(b, node, out) => {}
        "macro_invocation" if place == Place::Module => {
            let value = expression(b, node);
            out.push(b.stmt(StmtKind::Run(value), node));
        }
        "empty_statement"
        | "macro_definition"
        | "attribute_item"
        | "inner_attribute_item"
        | "line_comment"
        | "block_comment"
        | "foreign_mod_item"
        | "associated_type"
        | "function_signature_item"
        | "label" => {}
        "ERROR" => unparsed(b, node, place, out),
        kind if is_expression(kind) => tail(b, node, Tail::Drop, out),
        _ => out.push(b.stmt(StmtKind::Opaque(UNPARSED), node)),
    }
}

/// A `const` or `static`. That of a module is computed when it is first read.
fn constant(b: &Builder<'_>, node: Node<'_>, name: Node<'_>, value: Expr, place: Place, out: &mut Block) {
    let value = match place {
        Place::Module => later(b, node, value),
        Place::Body => value,
    };
    let target = super::Target::Name { name: b.smol(name), span: b.span(name) };
    let declared = StmtKind::Let { scope: Declared::Block, target, annotation: None, value: Some(value) };
    out.push(b.stmt(declared, node));
}

/// A value that is computed when it is first read.
fn later(b: &Builder<'_>, node: Node<'_>, value: Expr) -> Expr {
    let span = value.span;
    let body = vec![Stmt { span, kind: StmtKind::Return(Some(value)) }];
    let function = Function { body, is_arrow: true, span: b.span(node), ..Function::default() };
    Expr { kind: ExprKind::Later(Arc::new(function)), span }
}

/// `mod x { … }`, `mod x;`
fn module(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let Some(name) = node.child_by_field_name("name") else { return };
    let Some(body) = node.child_by_field_name("body") else {
        return out.push(import::own_module(b, node, name));
    };
    let mut inner = Block::new();
    for (above, child) in with_attributes(body) {
        statement(b, child, &above, Place::Module, &mut inner);
    }
    out.push(b.stmt(StmtKind::Namespace { name: b.smol(name), body: inner }, node));
}

/// `let pattern: Type = value else { … };`
fn declaration(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let Some(pattern) = node.child_by_field_name("pattern") else { return };
    let annotation = node.child_by_field_name("type").map(|of| Box::new(types::annotation(b, of)));
    let value = node.child_by_field_name("value").map(|value| expression(b, value));
    let (value, alternative) = match (value, node.child_by_field_name("alternative")) {
        (Some(value), Some(alternative)) => (value, alternative),
        (value, _) => {
            let target = pattern::target(b, pattern);
            return out.push(b.stmt(StmtKind::Let { scope: Declared::Block, target, annotation, value }, node));
        }
    };
    let pattern = Box::new(pattern::pattern(b, pattern));
    let test = b.expr(ExprKind::Matches { value: Box::new(value), pattern }, node);
    let otherwise = block(b, alternative, Tail::Drop);
    out.push(b.stmt(StmtKind::If { test, then: Block::new(), otherwise }, node));
}

/// Lowers what can be seen in code that does not parse: whole items and statements.
fn unparsed(b: &mut Builder<'_>, node: Node<'_>, place: Place, out: &mut Block) {
    let before = out.len();
    for (above, child) in with_attributes(node) {
        let kind = child.kind();
        if kind.ends_with("_item") || kind.ends_with("_declaration") || kind.ends_with("_statement") {
            statement(b, child, &above, place, out);
        }
    }
    if out.len() == before {
        out.push(b.stmt(StmtKind::Opaque(UNPARSED), node));
    }
}
