//! Determines whether an identifier at a place is a binding, a parameter or a member, with the query `locals.scm`.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::{Node, Tree};

use super::queries::Queries;
use crate::text::Span;

/// The role of an identifier at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The name is read.
    Read,
    /// The name is bound to a value here.
    Bound,
    /// A member, a keyword or a part of an import, whose name is not a variable of the file.
    Member,
}

/// The roles of all identifiers of a file, and the parameters of its functions.
#[derive(Debug, Default)]
pub(super) struct Locals<'s> {
    /// The uses by node id; an identifier without an entry is read.
    roles: FxHashMap<usize, Role>,
    /// The names that the parameters of a function bind, by the id of the function's node.
    parameters: FxHashMap<usize, FxHashSet<&'s str>>,
}

impl<'s> Locals<'s> {
    pub(super) fn of(tree: &Tree, text: &'s str) -> Locals<'s> {
        let mut locals = Locals::default();
        let (mut bindings, mut functions): (Vec<Span>, Vec<(usize, Span)>) = Default::default();
        for found in Queries::Locals.every(tree, text) {
            if let Some(name) = found.node("member") {
                locals.roles.entry(name.id()).or_insert(Role::Member);
            }
            if let Some(name) = found.node("definition") {
                // A method is a member of its class.
                let scope = name.parent().map(scope_around);
                let is_method = scope.is_some_and(|scope| scope.kind() == "class_definition");
                locals.roles.insert(name.id(), if is_method { Role::Member } else { Role::Bound });
            }
            if let Some(name) = found.node("binding") {
                locals.roles.insert(name.id(), Role::Bound);
                bindings.push(Span::new(name.start_byte(), name.end_byte()));
            }
            functions.extend(found.node("scope").map(|scope| scope.id()).zip(found.span("parameters")));
        }
        bindings.sort_unstable();
        for (scope, list) in functions {
            let first = bindings.partition_point(|binding| binding.start < list.start);
            let bound = bindings[first..].iter().take_while(|binding| binding.end <= list.end);
            locals.parameters.entry(scope).or_default().extend(bound.map(|binding| &text[binding.range()]));
        }
        locals
    }

    /// The role of an identifier.
    pub(super) fn role(&self, name: Node<'_>) -> Role {
        self.roles.get(&name.id()).copied().unwrap_or(Role::Read)
    }

    /// Whether an identifier refers to a parameter of a function around it.
    pub(super) fn is_parameter(&self, name: Node<'_>, text: &str) -> bool {
        let called = &text[name.byte_range()];
        let mut around = std::iter::successors(name.parent(), |node| node.parent());
        around.any(|node| self.parameters.get(&node.id()).is_some_and(|bound| bound.contains(called)))
    }
}

/// The module, function or class in whose scope a statement binds names.
pub(super) fn scope_around(node: Node<'_>) -> Node<'_> {
    let mut at = node;
    while let Some(parent) = at.parent() {
        if matches!(parent.kind(), "function_definition" | "class_definition" | "module") {
            return parent;
        }
        at = parent;
    }
    at
}
