//! Lookups in the facts of an item: a linear search in small items, an index in large ones.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::facts::{Binding, Definition, Function, ItemFacts, Scope, ScopeId, ScopeKind};
use crate::text::Span;

/// The positions of an item's definitions, functions and bindings of large scopes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Index {
    /// The bindings by scope and name; only scopes with more than [`FEW`] bindings have entries.
    bindings: FxHashMap<(ScopeId, SmolStr), Vec<u32>>,
    /// The first binding of each function or class in the same scopes, by the scope and the own scope of the function
    /// or class.
    bodies: FxHashMap<(ScopeId, ScopeId), u32>,
    /// Definitions by their own scope.
    definitions: FxHashMap<ScopeId, u32>,
    /// The own scope of the first function with each span.
    functions: FxHashMap<Span, ScopeId>,
}

/// The largest number of bindings, scopes or definitions that is searched one by one.
const FEW: usize = 16;

impl Index {
    fn of(facts: &ItemFacts) -> Index {
        let mut index = Index::default();
        for (scope, of) in facts.scopes.iter().enumerate().filter(|(_, scope)| scope.is_large()) {
            for (place, binding) in of.bindings.iter().enumerate() {
                let key = (ScopeId(scope as u32), binding.name.clone());
                index.bindings.entry(key).or_default().push(place as u32);
                if let Some(body) = binding.body() {
                    index.bodies.entry((ScopeId(scope as u32), body)).or_insert(place as u32);
                }
            }
        }
        for (scope, span) in facts.functions() {
            index.functions.entry(span).or_insert(scope);
        }
        for (place, definition) in facts.definitions.iter().enumerate() {
            index.definitions.entry(definition.body).or_insert(place as u32);
        }
        index
    }
}

impl Scope {
    fn is_large(&self) -> bool {
        self.bindings.len() > FEW
    }
}

impl ItemFacts {
    /// Shrinks and sorts the facts, and indexes them if the item is large.
    pub(super) fn indexed(mut self) -> ItemFacts {
        // A workspace has hundreds of thousands of items, and most have one call and one definition.
        self.calls.shrink_to_fit();
        self.call_expressions.shrink_to_fit();
        self.definitions.shrink_to_fit();
        self.scopes.shrink_to_fit();
        self.scopes.iter_mut().for_each(|scope| scope.bindings.shrink_to_fit());
        self.definitions.iter_mut().for_each(|definition| definition.decorators.shrink_to_fit());
        self.conditions.sort_by_key(|condition| condition.branch);
        if self.scopes.len().max(self.definitions.len()) > FEW || self.scopes.iter().any(Scope::is_large) {
            self.index = Some(Box::new(Index::of(&self)));
        }
        self
    }

    /// The bindings of a name in a scope, in order.
    pub fn bindings_of<'f>(&'f self, scope: ScopeId, name: &str) -> Vec<&'f Binding> {
        let bindings = &self.scope(scope).bindings;
        let Some(index) = self.index.as_ref().filter(|_| self.scope(scope).is_large()) else {
            return bindings.iter().filter(|binding| binding.name == name).collect();
        };
        let places = index.bindings.get(&(scope, SmolStr::new(name))).map_or(&[][..], Vec::as_slice);
        places.iter().map(|&place| &bindings[place as usize]).collect()
    }

    /// The first binding in a scope of the function or class whose own scope is `body`.
    pub fn binding_of_body(&self, scope: ScopeId, body: ScopeId) -> Option<&Binding> {
        let bindings = &self.scope(scope).bindings;
        match self.index.as_ref().filter(|_| self.scope(scope).is_large()) {
            None => bindings.iter().find(|binding| binding.body() == Some(body)),
            Some(index) => index.bodies.get(&(scope, body)).map(|&place| &bindings[place as usize]),
        }
    }

    /// Whether a scope binds a name.
    pub fn binds(&self, scope: ScopeId, name: &SmolStr) -> bool {
        let bindings = &self.scope(scope).bindings;
        match self.index.as_ref().filter(|_| self.scope(scope).is_large()) {
            None => bindings.iter().any(|binding| binding.name == *name),
            Some(index) => index.bindings.contains_key(&(scope, name.clone())),
        }
    }

    /// The function or class with this own scope.
    pub fn definition_of(&self, body: ScopeId) -> Option<&Definition> {
        match &self.index {
            None => self.definitions.iter().find(|definition| definition.body == body),
            Some(index) => index.definitions.get(&body).map(|&place| &self.definitions[place as usize]),
        }
    }

    /// The own scope and the span of each function.
    fn functions(&self) -> impl Iterator<Item = (ScopeId, Span)> {
        self.scopes.iter().enumerate().filter_map(|(index, scope)| match &scope.kind {
            ScopeKind::Function(function) => Some((ScopeId(index as u32), function.span)),
            _ => None,
        })
    }

    /// The function with this span, relative to the item, and its own scope.
    pub fn function_at(&self, span: Span) -> Option<(ScopeId, &Function)> {
        let scope = match &self.index {
            None => self.functions().find(|(_, of)| *of == span)?.0,
            Some(index) => *index.functions.get(&span)?,
        };
        match &self.scope(scope).kind {
            ScopeKind::Function(function) => Some((scope, function)),
            _ => None,
        }
    }
}
