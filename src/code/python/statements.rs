//! Imports and statements with several clauses.

use smol_str::SmolStr;
use tree_sitter::Node;

use super::expressions::{expression, field};
use super::postfix::tuple;
use super::{TOO_DEEP, block, fields, parts, patterns, suite};
use crate::code::builder::{Builder, named};
use crate::code::{
    Block, Case, Expr, ExprKind, Handler, Import, Imported, ImportedName, Match, Stmt, StmtKind, Target,
};
use crate::text::Span;

/// How many branches of an `if` are nested in each other. A statement with more becomes a switch whose cases have only
/// conditions, so that thousands of branches are no deeper than one.
const MAX_NESTED: usize = 200;

/// Lowers `import a.b, c as d`, with one statement per module.
pub(super) fn import(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    for part in named(node) {
        let (path, alias) = aliased(part);
        let module = dotted(b, path);
        let (imported, local, span) = match alias {
            Some(alias) => (Imported::Module, b.smol(alias), b.span(alias)),
            None => match module.split_once('.') {
                None => (Imported::Module, module.clone(), b.span(path)),
                Some((root, _)) => {
                    let start = path.start_byte();
                    (Imported::Root, SmolStr::new(root), b.span_of(start, start + root.len()))
                }
            },
        };
        if local.is_empty() {
            continue;
        }
        let names = vec![ImportedName { imported, local, span }];
        let import = Import { module, span: b.span(path), names, types_only: false };
        out.push(b.stmt(StmtKind::Import(import), node));
    }
}

/// Lowers `from a.b import c, d as e`.
pub(super) fn import_from(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let Some(path) = node.child_by_field_name("module_name") else {
        return;
    };
    let mut names = Vec::new();
    for part in named(node) {
        if part == path {
            continue;
        }
        if part.kind() == "wildcard_import" {
            names.push(ImportedName { imported: Imported::All, local: "*".into(), span: b.span(part) });
            continue;
        }
        let (name, alias) = aliased(part);
        let local = alias.unwrap_or(name);
        if !local.byte_range().is_empty() {
            let imported = Imported::Named(b.smol(name));
            names.push(ImportedName { imported, local: b.smol(local), span: b.span(local) });
        }
    }
    let import = Import { module: dotted(b, path), span: b.span(path), names, types_only: false };
    out.push(b.stmt(StmtKind::Import(import), node));
}

/// The imported name and its alias.
fn aliased(part: Node<'_>) -> (Node<'_>, Option<Node<'_>>) {
    match (part.child_by_field_name("name"), part.child_by_field_name("alias")) {
        (Some(name), alias) => (name, alias),
        (None, _) => (part, None),
    }
}

/// A path of modules as written, without spaces and comments.
fn dotted(b: &Builder<'_>, node: Node<'_>) -> SmolStr {
    let text = b.text(node);
    if !text.contains(|c: char| c.is_whitespace() || c == '\\') {
        return SmolStr::new(text);
    }
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
    lines.flat_map(str::chars).filter(|c| !c.is_whitespace() && *c != '\\').collect()
}

/// A condition and what runs if it is the first that is true.
struct Branch<'t> {
    /// The statement or clause.
    clause: Node<'t>,
    body: Option<Node<'t>>,
}

/// Lowers an `if` with all its branches.
pub(super) fn branches(b: &mut Builder<'_>, node: Node<'_>, out: &mut Block) {
    let mut branches = vec![Branch { clause: node, body: node.child_by_field_name("consequence") }];
    let mut otherwise = None;
    for clause in fields(node, "alternative") {
        match clause.kind() {
            "elif_clause" => branches.push(Branch { clause, body: clause.child_by_field_name("consequence") }),
            _ => otherwise = clause.child_by_field_name("body"),
        }
    }
    if branches.len() > MAX_NESTED {
        let kind = many_branches(b, &branches, otherwise);
        out.push(b.stmt(kind, node));
    } else {
        out.append(&mut nested_branches(b, &branches, otherwise, node.end_byte()));
    }
}

fn nested_branches(b: &mut Builder<'_>, branches: &[Branch<'_>], last: Option<Node<'_>>, end: usize) -> Block {
    let mut lowered = Vec::with_capacity(branches.len());
    for (around, branch) in branches.iter().enumerate() {
        lowered
            .extend(b.along(around, |b| (field(b, branch.clause, "condition"), suite(b, branch.clause, branch.body))));
    }
    let otherwise = match branches.get(lowered.len()) {
        Some(left_out) => Some(vec![b.stmt(StmtKind::Opaque(TOO_DEEP), left_out.clause)]),
        None => b.along(branches.len(), |b| block(b, last)),
    };
    lowered.into_iter().zip(branches).rev().fold(otherwise.unwrap_or_default(), |otherwise, ((test, then), branch)| {
        let span = b.span_of(branch.clause.start_byte(), end);
        vec![Stmt { kind: StmtKind::If { test, then, otherwise }, span }]
    })
}

fn many_branches(b: &mut Builder<'_>, branches: &[Branch<'_>], last: Option<Node<'_>>) -> StmtKind {
    let mut cases = Vec::with_capacity(branches.len() + 1);
    for branch in branches {
        let guard = Some(field(b, branch.clause, "condition"));
        cases.push(Case {
            patterns: vec![Match::Any],
            guard,
            body: suite(b, branch.clause, branch.body),
            falls: false,
        });
    }
    if last.is_some() {
        cases.push(Case { patterns: Vec::new(), guard: None, body: block(b, last), falls: false });
    }
    StmtKind::Switch { subject: Expr { kind: ExprKind::Null, span: Span::at(0) }, cases }
}

/// Lowers a `try` with all its clauses.
pub(super) fn attempt(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let body = suite(b, node, node.child_by_field_name("body"));
    let (mut handlers, mut otherwise, mut finally) = (Vec::new(), Block::new(), Block::new());
    for clause in parts(node) {
        match clause.kind() {
            "except_clause" | "except_group_clause" => handlers.push(handler(b, clause)),
            "else_clause" => otherwise = block(b, clause.child_by_field_name("body")),
            "finally_clause" => finally = suite(b, clause, own_block(clause)),
            _ => {}
        }
    }
    StmtKind::Try { body, handlers, otherwise, finally }
}

/// The block of a clause.
fn own_block(clause: Node<'_>) -> Option<Node<'_>> {
    named(clause).into_iter().rfind(|child| child.kind() == "block")
}

fn handler(b: &mut Builder<'_>, clause: Node<'_>) -> Handler {
    let values = fields(clause, "value");
    let mut alias = clause.child_by_field_name("alias");
    let class = match values.as_slice() {
        [] => None,
        [only] => {
            let (value, named) = as_pattern(*only);
            alias = alias.or(named);
            Some(expression(b, value))
        }
        values => Some(tuple(b, values)),
    };
    let target = alias.map(|alias| patterns::target(b, alias));
    Handler { class, target, body: suite(b, clause, own_block(clause)) }
}

/// The value and the target of `value as target`.
fn as_pattern(node: Node<'_>) -> (Node<'_>, Option<Node<'_>>) {
    match named(node).first() {
        Some(value) if node.kind() == "as_pattern" => (*value, node.child_by_field_name("alias")),
        _ => (node, None),
    }
}

/// Lowers a `with` with all its items.
pub(super) fn with(b: &mut Builder<'_>, node: Node<'_>) -> StmtKind {
    let clauses = named(node).into_iter().filter(|child| child.kind() == "with_clause");
    let mut values: Vec<Node<'_>> =
        clauses.flat_map(named).map(|item| item.child_by_field_name("value").unwrap_or(item)).collect();
    // `with (a as b, c as d):`
    if let [only] = values.as_slice()
        && matches!(only.kind(), "tuple" | "parenthesized_expression")
    {
        values = named(*only);
    }
    let mut items: Vec<(Expr, Option<Target>)> = Vec::new();
    for value in values {
        let (value, target) = as_pattern(value);
        let value = expression(b, value);
        items.push((value, target.map(|target| patterns::target(b, target))));
    }
    StmtKind::With { items, body: suite(b, node, node.child_by_field_name("body")) }
}
