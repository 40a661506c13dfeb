//! The names that a function binds.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use tree_sitter::Node;

use super::{CHAINED, COMPARED, operators, parts};
use crate::code::builder::{Builder, named};
use crate::code::{Param, Target};

/// Facts about a function that its body determines.
#[derive(Default)]
pub(super) struct Bound {
    /// The names that it binds in any way, each once.
    pub(super) names: Vec<SmolStr>,
    pub(super) is_generator: bool,
}

/// Looks through the body of a function, but not into the functions and classes that it defines.
pub(super) fn of(b: &Builder<'_>, body: Option<Node<'_>>, params: &[Param]) -> Bound {
    let mut scan = Scan { b, seen: FxHashSet::default(), names: Vec::new(), is_generator: false };
    params.iter().for_each(|param| scan.passed(&param.target));
    let mut open: Vec<(Node<'_>, &str)> = body.map(|body| (body, "")).into_iter().collect();
    while let Some((node, around)) = open.pop() {
        let inner: Vec<Node<'_>> = match node.kind() {
            // What is outside its body belongs to the function around it.
            "function_definition" | "lambda" => node.child_by_field_name("parameters").into_iter().collect(),
            "class_definition" => node.child_by_field_name("superclasses").into_iter().collect(),
            "import_statement" | "import_from_statement" | "future_import_statement" => Vec::new(),
            "string" if !b.text(node).contains('{') => Vec::new(),
            _ => parts(node),
        };
        scan.look_at(node, around);
        open.extend(inner.into_iter().rev().map(|child| (child, node.kind())));
    }
    Bound { names: scan.names, is_generator: scan.is_generator }
}

struct Scan<'s, 't> {
    b: &'s Builder<'t>,
    /// The names that are found, are parameters or belong to an outer scope.
    seen: FxHashSet<SmolStr>,
    names: Vec<SmolStr>,
    is_generator: bool,
}

impl Scan<'_, '_> {
    fn passed(&mut self, target: &Target) {
        let mut open = vec![target];
        while let Some(target) = open.pop() {
            match target {
                Target::Name { name, .. } => drop(self.seen.insert(name.clone())),
                Target::List { elements, .. } => open.extend(elements.iter().flatten().map(|(inner, _)| inner)),
                _ => {}
            }
        }
    }

    fn add(&mut self, name: &str) {
        if !name.is_empty() && self.seen.insert(SmolStr::new(name)) {
            self.names.push(SmolStr::new(name));
        }
    }

    fn bind(&mut self, name: Option<Node<'_>>) {
        if let Some(name) = name.filter(|name| name.kind() == "identifier") {
            self.add(self.b.text(name));
        }
    }

    /// Binds the names in a target.
    fn bind_all(&mut self, target: Option<Node<'_>>) {
        let mut open: Vec<Node<'_>> = target.into_iter().collect();
        while let Some(target) = open.pop() {
            match target.kind() {
                "identifier" => self.bind(Some(target)),
                "pattern_list"
                | "expression_list"
                | "tuple_pattern"
                | "tuple"
                | "list_pattern"
                | "list"
                | "list_splat_pattern"
                | "list_splat"
                | "parenthesized_expression"
                | "as_pattern_target"
                | "type"
                | "generic_type" => open.extend(named(target).into_iter().rev()),
                _ => {}
            }
        }
    }

    /// Binds the names that a node itself binds, without its children. `around` is the kind of its parent.
    fn look_at(&mut self, node: Node<'_>, around: &str) {
        match node.kind() {
            "function_definition" | "class_definition" | "named_expression" => {
                self.bind(node.child_by_field_name("name"));
            }
            "assignment" => {
                let left = node.child_by_field_name("left");
                let is_chained = node.child_by_field_name("right").is_some_and(|right| right.kind() == "assignment");
                if is_chained && around != "assignment" && left.is_some_and(|left| left.kind() != "identifier") {
                    self.add(CHAINED);
                }
                self.bind_all(left);
            }
            "augmented_assignment" | "for_statement" | "type_alias_statement" => {
                self.bind_all(node.child_by_field_name("left"));
            }
            "delete_statement" => named(node).into_iter().for_each(|target| self.bind_all(Some(target))),
            "except_clause" => self.bind_all(node.child_by_field_name("alias")),
            "as_pattern" => {
                let alias = node.child_by_field_name("alias");
                self.bind_all(alias.or_else(|| named(node).pop()));
            }
            "splat_pattern" => self.capture(named(node).pop()),
            "dotted_name" if matches!(around, "case_pattern" | "union_pattern" | "keyword_pattern") => {
                if let [only] = named(node).as_slice() {
                    self.capture(Some(*only));
                }
            }
            "import_statement" | "import_from_statement" => self.imported(node),
            "global_statement" | "nonlocal_statement" => {
                for name in named(node) {
                    let name = self.b.smol(name);
                    self.names.retain(|other| *other != name);
                    self.seen.insert(name);
                }
            }
            "yield" => self.is_generator = true,
            "comparison_operator" if operators::keeps_operand(node) => self.add(COMPARED),
            _ => {}
        }
    }

    /// Binds a name in a pattern of `match`, where `_` is none.
    fn capture(&mut self, name: Option<Node<'_>>) {
        self.bind(name.filter(|name| self.b.text(*name) != "_"));
    }

    fn imported(&mut self, node: Node<'_>) {
        let path = node.child_by_field_name("module_name");
        for part in named(node).into_iter().filter(|part| Some(*part) != path) {
            match part.kind() {
                "aliased_import" => self.bind(part.child_by_field_name("alias")),
                "dotted_name" => self.bind(named(part).first().copied()),
                _ => {}
            }
        }
    }
}
