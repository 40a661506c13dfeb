//! TypeScript, TSX and JavaScript → the small language, statement by statement.
//!
//! Types and declarations without a body leave nothing behind. Code that does not parse becomes the statements that
//! can be seen in it.

mod class;
mod control;
mod enumeration;
mod expression;
mod function;
mod literal;
mod module;
mod operator;
mod target;
#[cfg(test)]
mod tests;
mod types;

use std::sync::Arc;

use tree_sitter::{Node, Tree};

use self::expression::expression;
use self::function::{documented, function};
use super::builder::{Builder, has_token, named};
use super::{Block, Code, Declared, Earlier, Expr, Stmt, StmtKind};

/// The description of code that the grammar does not know.
const UNPARSED: &str = "code that does not parse";
/// The description of code beyond the limits of [`Builder::deeper`] and [`Builder::along`].
const TOO_DEEP: &str = "code that nests too deeply";

pub(super) fn file(tree: &Tree, text: &str, mut earlier: Earlier<'_>) -> Code {
    let root = tree.root_node();
    let mut cursor = root.walk();
    let mut items = Vec::new();
    let mut doc = None;
    for node in root.named_children(&mut cursor) {
        if is_comment(node) {
            doc = Some(node).filter(|it| text.get(it.byte_range()).is_some_and(is_doc)).or(doc);
            continue;
        }
        if is_signature(node) {
            continue;
        }
        let doc = doc.take();
        // A comment above a definition belongs to it.
        let start = doc.map_or(node.start_byte(), |doc: Node<'_>| doc.start_byte());
        let item = earlier.item(text, start, node, || {
            let mut body = Block::new();
            statement(&mut Builder::new(text, start), node, doc, &mut body);
            body
        });
        if !item.body.is_empty() {
            items.push(item);
        }
    }
    Code { items, doc: None }
}

fn is_comment(node: Node<'_>) -> bool {
    matches!(node.kind(), "comment" | "html_comment" | "hash_bang_line")
}

/// Whether a comment documents what follows it.
fn is_doc(comment: &str) -> bool {
    comment.starts_with("/**") && comment.len() > "/**/".len()
}

/// Whether a statement is only the type of a function; the comment above it is that of the function below.
fn is_signature(node: Node<'_>) -> bool {
    let declared = if node.kind() == "export_statement" { node.child_by_field_name("declaration") } else { Some(node) };
    declared.is_some_and(|declared| declared.kind() == "function_signature")
}

/// Lowers the children of a block or of code that does not parse.
fn statements(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let mut cursor = node.walk();
    let mut doc = None;
    for child in node.named_children(&mut cursor) {
        if is_comment(child) {
            doc = Some(child).filter(|it| is_doc(b.text(*it))).or(doc);
        } else if !is_signature(child) {
            statement(b, child, doc.take(), out);
        }
    }
}

/// The statements of a block, or a single statement as a block.
fn block(b: &mut Builder<'_>, node: Node<'_>) -> Block {
    let mut out = Block::new();
    if node.kind() == "statement_block" {
        statements(b, node, &mut out);
    } else {
        statement(b, node, None, &mut out);
    }
    out
}

/// The block in a field of a node; empty if there is none.
fn block_of(b: &mut Builder<'_>, node: Node<'_>, field: &str) -> Block {
    node.child_by_field_name(field).map(|body| block(b, body)).unwrap_or_default()
}

/// Lowers a statement to any number of them; `doc` is the comment above it.
fn statement(b: &mut Builder<'_>, node: Node<'_>, doc: Option<Node<'_>>, out: &mut Block) {
    if b.deeper(|b| shallow_statement(b, node, doc, out)).is_none() {
        out.push(b.stmt(StmtKind::Opaque(TOO_DEEP), node));
    }
}

fn shallow_statement(b: &mut Builder<'_>, node: Node<'_>, doc: Option<Node<'_>>, out: &mut Block) {
    match node.kind() {
        "comment" | "html_comment" | "hash_bang_line" | "empty_statement" | "debugger_statement" => {}
        // Types, and declarations of what is elsewhere.
        "type_alias_declaration" | "interface_declaration" | "ambient_declaration" | "function_signature" => {}
        "lexical_declaration" | "variable_declaration" => variables(b, node, doc, out),
        "function_declaration" | "generator_function_declaration" => {
            let function = function(b, node, doc);
            out.push(b.stmt(StmtKind::Function(Arc::new(function)), node));
        }
        "class_declaration" | "abstract_class_declaration" => {
            let class = class::class(b, node, &[], doc);
            out.push(b.stmt(StmtKind::Class(Arc::new(class)), node));
        }
        "enum_declaration" => out.extend(enumeration::enumeration(b, node)),
        "import_statement" => module::import(b, node, out),
        "import_alias" => module::alias(b, node, out),
        "export_statement" => module::export(b, node, doc, out),
        "internal_module" | "module" => out.extend(module::namespace(b, node)),
        "expression_statement" => expression_statement(b, node, out),
        "ERROR" => unparsed(b, node, out),
        "statement_block" => {
            let body = block(b, node);
            out.push(b.stmt(StmtKind::Block(body), node));
        }
        _ if control::control(b, node, out) => {}
        // Expressions stand alone in code that does not parse.
        _ => {
            let value = expression(b, node);
            out.push(b.stmt(StmtKind::Run(value), node));
        }
    }
}

fn expression_statement(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    for child in named(node) {
        match child.kind() {
            "internal_module" => statement(b, child, None, out),
            "assignment_expression" if has_token(child, "using") => using(b, child, out),
            "await_expression" if uses(child).is_some() => {
                uses(child).into_iter().for_each(|child| using(b, child, out))
            }
            _ => {
                let value = expression(b, child);
                out.push(b.stmt(StmtKind::Run(value), node));
            }
        }
    }
}

/// The declaration in `await using x = value`.
fn uses(node: Node<'_>) -> Option<Node<'_>> {
    named(node).into_iter().find(|child| child.kind() == "assignment_expression" && has_token(*child, "using"))
}

/// `using x = value`, without what is done with the value at the end of the block.
fn using(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let Some(name) = node.child_by_field_name("left") else { return };
    let target = target::target(b, name);
    let value = node.child_by_field_name("right").map(|value| expression(b, value));
    let declared = StmtKind::Let { scope: Declared::Block, target, annotation: None, value };
    out.push(b.stmt(declared, node));
}

/// The scope of the variables that a declaration or loop declares.
fn scope_of(node: Node<'_>) -> Declared {
    if has_token(node, "var") { Declared::Function } else { Declared::Block }
}

fn variables(b: &mut Builder<'_>, node: Node<'_>, doc: Option<Node<'_>>, out: &mut Block) {
    let scope = scope_of(node);
    let mut doc = doc;
    for declarator in named(node) {
        let Some(name) = declarator.child_by_field_name("name") else { continue };
        let target = target::target(b, name);
        let annotation = types::annotation(b, declarator, "type").map(Box::new);
        let value = declarator.child_by_field_name("value").map(|value| expression(b, value));
        let value = value.map(|value| documented(b, value, doc.take()));
        out.push(b.stmt(StmtKind::Let { scope, target, annotation, value }, declarator));
    }
}

/// Lowers what can be seen in code that does not parse: whole statements, and expressions that do something.
fn unparsed(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let before = out.len();
    let mut cursor = node.walk();
    let mut doc = None;
    for child in node.named_children(&mut cursor) {
        if is_comment(child) {
            doc = Some(child).filter(|it| is_doc(b.text(*it))).or(doc);
        } else if is_whole(child.kind()) {
            statement(b, child, doc.take(), out);
        }
    }
    if out.len() == before {
        out.push(b.stmt(StmtKind::Opaque(UNPARSED), node));
    }
}

/// Whether a kind of node is a statement, or an expression that does something by itself.
fn is_whole(kind: &str) -> bool {
    let is_statement = kind.ends_with("_statement") || kind.ends_with("_declaration");
    is_statement
        || matches!(kind, "ERROR" | "internal_module" | "module" | "statement_block")
        || matches!(kind, "call_expression" | "new_expression" | "await_expression" | "update_expression")
        || matches!(kind, "assignment_expression" | "augmented_assignment_expression")
}

/// A statement that only runs an expression, as a place for the expression.
fn run(value: Expr) -> Stmt {
    Stmt { span: value.span, kind: StmtKind::Run(value) }
}
