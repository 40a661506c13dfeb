//! Imports, exports and namespaces.

use std::sync::Arc;

use smol_str::SmolStr;
use tree_sitter::Node;

use super::class::class;
use super::expression::expression;
use super::function::{documented, function};
use super::literal::text_of;
use super::{block, statement};
use crate::code::builder::{Builder, has_token, named};
use crate::code::{
    Arg, ArgKind, Block, Call, Declared, Export, Expr, ExprKind, Import, Imported, ImportedName, Stmt, StmtKind, Target,
};

pub(super) fn import(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let types_only = is_type(node);
    let Some(source) = node.child_by_field_name("source") else {
        let clauses = named(node).into_iter().filter(|clause| clause.kind() == "import_require_clause" && !types_only);
        out.extend(clauses.filter_map(|clause| required(b, clause)));
        return;
    };
    let (module, span) = text_of(b, source);
    let mut names = Vec::new();
    for clause in named(node).into_iter().filter(|clause| clause.kind() == "import_clause") {
        for part in named(clause) {
            imported_names(b, part, &mut names);
        }
    }
    out.push(b.stmt(StmtKind::Import(Import { module, span, names, types_only }), node));
}

fn imported_names(b: &Builder<'_>, part: Node<'_>, out: &mut Vec<ImportedName>) {
    let mut add = |imported: Imported, local: Node<'_>| {
        out.push(ImportedName { imported, local: b.smol(local), span: b.span(local) });
    };
    match part.kind() {
        "identifier" => add(Imported::Default, part),
        "namespace_import" => named(part).into_iter().for_each(|local| add(Imported::Module, local)),
        "named_imports" => {
            for specifier in named(part).into_iter().filter(|it| !is_type(*it)) {
                if let Some(name) = specifier.child_by_field_name("name") {
                    add(imported(b, name), specifier.child_by_field_name("alias").unwrap_or(name));
                }
            }
        }
        _ => {}
    }
}

/// Whether only types are imported or exported, by a statement or one name in it: `type A`.
fn is_type(node: Node<'_>) -> bool {
    has_token(node, "type") || has_token(node, "typeof")
}

fn imported(b: &Builder<'_>, name: Node<'_>) -> Imported {
    match exported(b, name).as_str() {
        "default" => Imported::Default,
        other => Imported::Named(SmolStr::new(other)),
    }
}

/// A name in an import or export, which may be written as a string.
fn exported(b: &Builder<'_>, name: Node<'_>) -> SmolStr {
    if name.kind() == "string" { text_of(b, name).0 } else { b.smol(name) }
}

fn declared(b: &Builder<'_>, name: Node<'_>, value: Expr, node: Node<'_>) -> Stmt {
    let target = Target::Name { name: b.smol(name), span: b.span(name) };
    b.stmt(StmtKind::Let { scope: Declared::Block, target, annotation: None, value: Some(value) }, node)
}

/// `import x = require("module")`
fn required(b: &mut Builder<'_>, clause: Node<'_>) -> Option<Stmt> {
    let (name, source) = (named(clause).first().copied()?, clause.child_by_field_name("source")?);
    let module = expression(b, source);
    let args = vec![Arg { kind: ArgKind::Positional, span: b.span(source), value: module }];
    let callee = b.expr(ExprKind::Name(SmolStr::new_static("require")), clause);
    let call = Call { callee, args, new: false, optional: false };
    let value = b.expr(ExprKind::Call(Box::new(call)), clause);
    Some(declared(b, name, value, clause))
}

/// `import x = a.b`
pub(super) fn alias(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    if let [name, value] = named(node)[..] {
        let value = expression(b, value);
        out.push(declared(b, name, value, node));
    }
}

pub(super) fn export(b: &mut Builder<'_>, node: Node<'_>, doc: Option<Node<'_>>, out: &mut Block) {
    // The grammar does not know `export type * from "m"`.
    let is_word = |child: &Node<'_>| child.kind() == "ERROR" && b.text(*child) == "type";
    let mut cursor = node.walk();
    if is_type(node) || has_token(node, "namespace") || node.children(&mut cursor).any(|child| is_word(&child)) {
        return;
    }
    if let Some(declaration) = node.child_by_field_name("declaration") {
        return declaration_of(b, node, declaration, doc, out);
    }
    if let Some(value) = node.child_by_field_name("value") {
        let value = expression(b, value);
        let value = documented(b, value, doc);
        out.push(b.stmt(StmtKind::Export(Export::Default(value)), node));
        return;
    }
    let module = node.child_by_field_name("source").map(|source| text_of(b, source).0);
    let mut exports = Vec::new();
    for child in named(node) {
        match (child.kind(), &module) {
            ("export_clause", None) => exports.push(Export::Names(pairs(b, child, exported))),
            ("export_clause", Some(module)) => {
                exports.push(Export::From { module: module.clone(), names: pairs(b, child, imported) });
            }
            ("namespace_export", Some(module)) => {
                let names = named(child).into_iter().map(|name| (Imported::Module, exported(b, name))).collect();
                exports.push(Export::From { module: module.clone(), names });
            }
            ("string" | "ERROR", _) => {}
            _ if has_token(node, "=") => exports.push(Export::Whole(expression(b, child))),
            _ => {}
        }
    }
    if let (Some(module), true) = (module, has_token(node, "*")) {
        exports.push(Export::All(module));
    }
    out.extend(exports.into_iter().map(|export| b.stmt(StmtKind::Export(export), node)));
}

/// The names in `{ a, b as c }`, each with the name under which it is exported.
fn pairs<T>(b: &Builder<'_>, clause: Node<'_>, local: fn(&Builder<'_>, Node<'_>) -> T) -> Vec<(T, SmolStr)> {
    let specifiers = named(clause).into_iter().filter(|specifier| !is_type(*specifier));
    specifiers
        .filter_map(|specifier| {
            let name = specifier.child_by_field_name("name")?;
            let alias = specifier.child_by_field_name("alias").unwrap_or(name);
            Some((local(b, name), exported(b, alias)))
        })
        .collect()
}

fn declaration_of(b: &mut Builder<'_>, node: Node<'_>, declaration: Node<'_>, doc: Option<Node<'_>>, out: &mut Block) {
    let mut body = Block::new();
    if declaration.kind().ends_with("class_declaration") {
        let outer: Vec<Node<'_>> = named(node).into_iter().filter(|child| child.kind() == "decorator").collect();
        let class = class(b, declaration, &outer, doc);
        body.push(b.stmt(StmtKind::Class(Arc::new(class)), declaration));
    } else if declaration.kind().ends_with("function_declaration") {
        let function = function(b, declaration, doc);
        body.push(b.stmt(StmtKind::Function(Arc::new(function)), declaration));
    } else {
        statement(b, declaration, doc, &mut body);
    }
    let name = declaration.child_by_field_name("name").filter(|_| has_token(node, "default") && !body.is_empty());
    out.extend(body.into_iter().map(|stmt| {
        let span = stmt.span;
        Stmt { kind: StmtKind::Export(Export::Declared(Box::new(stmt))), span }
    }));
    if let Some(name) = name {
        let names = vec![(b.smol(name), SmolStr::new_static("default"))];
        out.push(b.stmt(StmtKind::Export(Export::Names(names)), node));
    }
}

/// A namespace; each name of a dotted one is exported from that before it. `None` for a module that only has types.
pub(super) fn namespace(b: &mut Builder<'_>, node: Node<'_>) -> Option<Stmt> {
    let (name, body) = (node.child_by_field_name("name")?, node.child_by_field_name("body")?);
    if name.kind() == "string" {
        return None;
    }
    let mut body = block(b, body);
    let mut names: Vec<&str> = b.text(name).split('.').map(str::trim).collect();
    let first = names.remove(0);
    if names.len() > 100 {
        return Some(b.stmt(StmtKind::Opaque(super::TOO_DEEP), node));
    }
    for name in names.into_iter().rev() {
        let inner = b.stmt(StmtKind::Namespace { name: SmolStr::new(name), body }, node);
        body = vec![b.stmt(StmtKind::Export(Export::Declared(Box::new(inner))), node)];
    }
    Some(b.stmt(StmtKind::Namespace { name: SmolStr::new(first), body }, node))
}
