//! `use`, `mod` and `extern crate`.

use smol_str::SmolStr;
use tree_sitter::Node;

use crate::code::builder::{Builder, named};
use crate::code::{Block, Import, Imported, ImportedName, Stmt, StmtKind};

/// The path of the module that a declaration is in, as the start of another path.
const HERE: &str = "self";

/// Lowers a `use` to one import for each module that it names.
pub(super) fn import(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    if let Some(argument) = node.child_by_field_name("argument") {
        imported(b, argument, "", out);
    }
}

fn imported(b: &mut Builder<'_>, node: Node<'_>, prefix: &str, out: &mut Block) {
    match node.kind() {
        "use_list" => {
            for child in named(node) {
                b.deeper(|b| imported(b, child, prefix, out));
            }
        }
        "scoped_use_list" => {
            let path = node.child_by_field_name("path").map_or("", |path| b.text(path));
            let prefix = joined(prefix, path);
            if let Some(list) = node.child_by_field_name("list") {
                b.deeper(|b| imported(b, list, &prefix, out));
            }
        }
        "use_as_clause" => {
            if let (Some(path), Some(alias)) = (node.child_by_field_name("path"), node.child_by_field_name("alias")) {
                one(b, &joined(prefix, b.text(path)), alias, out);
            }
        }
        "use_wildcard" => {
            let path = named(node).first().map_or("", |path| b.text(*path));
            let name = ImportedName { imported: Imported::All, local: SmolStr::default(), span: b.span(node) };
            out.push(of(b, node, joined(prefix, path), name));
        }
        _ => one(b, &joined(prefix, b.text(node)), node, out),
    }
}

/// An import of what a path leads to, under the last name of `local`.
fn one(b: &Builder<'_>, path: &str, local: Node<'_>, out: &mut Block) {
    // `use names::{self as n}`
    let path = path.strip_suffix("::self").unwrap_or(path);
    let path = path.trim_start_matches("::");
    let text = b.text(local);
    let text = if text == "self" { path } else { text };
    let name = SmolStr::new(text.rsplit("::").next().unwrap_or(text));
    // A trait that is only used has no name.
    if name == "_" {
        return;
    }
    let (module, imported) = match path.rsplit_once("::") {
        Some((module, name)) => (module, Imported::Named(plain(name))),
        None => (path, Imported::Module),
    };
    let name = ImportedName { imported, local: plain(&name), span: b.span(local) };
    out.push(of(b, local, module.to_string(), name));
}

/// A name without the `r#` before it.
fn plain(name: &str) -> SmolStr {
    SmolStr::new(name.strip_prefix("r#").unwrap_or(name))
}

fn of(b: &Builder<'_>, node: Node<'_>, module: String, name: ImportedName) -> Stmt {
    let module = module.replace(char::is_whitespace, "");
    let import = Import { module: module.into(), span: b.span(node), names: vec![name], types_only: false };
    b.stmt(StmtKind::Import(import), node)
}

fn joined(prefix: &str, rest: &str) -> String {
    match prefix {
        "" => rest.to_string(),
        _ => format!("{prefix}::{rest}"),
    }
}

/// `mod x;`
pub(super) fn own_module(b: &Builder<'_>, node: Node<'_>, name: Node<'_>) -> Stmt {
    let local = plain(b.text(name));
    let module = format!("{HERE}::{local}");
    of(b, node, module, ImportedName { imported: Imported::Root, local, span: b.span(name) })
}

/// `extern crate a as b;`
pub(super) fn extern_crate(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let Some(name) = node.child_by_field_name("name") else { return };
    let local = node.child_by_field_name("alias").unwrap_or(name);
    one(b, b.text(name), local, out);
}
