//! Code → one small language, the same for every source language.
//!
//! Lowering knows grammars and nothing of MCP. It keeps what a name can flow through: literals, references,
//! calls, objects, arrays, functions and what they return, loops, classes, decorators, imports. Everything
//! else becomes [`Expr::Opaque`] with a word that says what it was. It never fails and never guesses: half-typed
//! code yields the facts that can be seen.
//!
//! Facts are kept per top-level item with spans relative to it, so that an item whose text did not change keeps
//! its facts wherever it moves to, and a keystroke lowers one item.

mod builder;
mod captures;
mod facts;
mod index;
mod python;
mod rust;
mod typescript;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smol_str::SmolStr;
use tree_sitter::Tree;

pub use self::captures::Queries;
use self::captures::{Matches, Watched};
pub(crate) use self::facts::*;
pub(crate) use self::facts::{CRATE, PARENT_MODULE, THIS_MODULE, UNASSIGNED, UNSET};
use crate::syntax::{Family, Language};

/// Lowers a file. Items whose text is unchanged since `previous`, which was lowered with the same queries, keep their
/// facts.
pub fn lower(
    language: Language,
    tree: &Tree,
    text: &str,
    queries: &Queries,
    previous: Option<&FileFacts>,
) -> FileFacts {
    let Some(family) = language.family() else {
        return FileFacts::default();
    };
    // Items with the same text get their facts back in the same order, because facts are compared by address.
    let mut known: FxHashMap<u64, Vec<&Item>> = FxHashMap::default();
    for item in previous.iter().flat_map(|facts| facts.items.iter().rev()) {
        known.entry(item.hash).or_default().push(item);
    }
    let mut facts = FileFacts { has_errors: tree.root_node().has_error(), ..FileFacts::default() };
    let mut passed_on: FxHashSet<SmolStr> = FxHashSet::default();
    let matches = Matches::of(queries, language, tree, text);
    let root = tree.root_node();
    let mut cursor = root.walk();
    let mut attributes = Vec::new();
    // The attributes, with the comments between and above them.
    let mut above = Vec::new();
    let nodes: Vec<tree_sitter::Node<'_>> = root.children(&mut cursor).collect();
    for (index, &node) in nodes.iter().enumerate() {
        // In Rust's grammar an attribute is a sibling of its item; here the two are one item.
        if family == Family::Rust && rust::is_above(node.kind()) {
            above.push(node);
        }
        if family == Family::Rust && node.kind() == "attribute_item" {
            attributes.push(node);
            continue;
        }
        // A comment between an attribute and its item belongs to the item.
        if !attributes.is_empty() && matches!(node.kind(), "line_comment" | "block_comment") {
            continue;
        }
        let start = attributes.first().map_or(node.start_byte(), |first: &tree_sitter::Node<'_>| first.start_byte());
        // Comments directly above an item belong to it.
        let from = above.first().map_or(start, |first| first.start_byte().min(start));
        let hash = hash(&text.as_bytes()[from..node.end_byte()], node.kind_id(), node.has_error());
        let kept = known.get_mut(&hash).and_then(Vec::pop).map(|item| &item.facts);
        let watched = Watched::of(&matches, start, node.end_byte());
        // A match of a query may depend on the neighbouring items.
        let is_captured = watched.is_some() || kept.is_some_and(|facts| !facts.captured.is_empty());
        let len = (node.end_byte() - start) as u32;
        // How an item with an error is parsed depends on its surroundings, and the code that a comment refers to may
        // follow the item.
        let lowered = match kept {
            Some(facts) if !node.has_error() && !is_captured && facts.is_self_contained(len) => Arc::clone(facts),
            _ => {
                let mut builder = builder::Builder::new(text, start, watched);
                match family {
                    Family::TypeScript => typescript::item(&mut builder, node),
                    Family::Python => python::item(&mut builder, node),
                    // Attributes and comments above a comment do not belong to it.
                    Family::Rust if rust::is_above(node.kind()) => rust::item(&mut builder, node, &[]),
                    Family::Rust => rust::item(&mut builder, node, &above),
                }
                // The code that a comment refers to may be the next item.
                let around: Vec<_> = above.iter().copied().chain(nodes[index..].iter().copied().take(2)).collect();
                builder.comments(&around, node.end_byte());
                let expression = match family {
                    Family::TypeScript => typescript::expression,
                    Family::Python => python::expression,
                    Family::Rust => rust::expression,
                };
                builder.capture(&matches, (start, node.end_byte()), expression);
                let facts = builder.finish();
                match kept {
                    Some(kept) if **kept == facts => Arc::clone(kept),
                    _ => Arc::new(facts),
                }
            }
        };
        attributes.clear();
        if !rust::is_above(node.kind()) {
            above.clear();
        }
        if lowered.is_empty() {
            continue;
        }
        facts.has_notes |= lowered.directives.iter().any(|directive| directive.below.is_some());
        let item = facts.items.len() as u32;
        for (index, binding) in lowered.scopes[0].bindings.iter().enumerate() {
            facts.top_level.entry(binding.name.clone()).or_default().push((item, index as u32));
        }
        for binding in lowered.scopes.iter().flat_map(|scope| &scope.bindings) {
            if let Bound::Import { module, .. } = &binding.value {
                facts.modules.insert(module.clone());
            }
        }
        for (index, export) in lowered.exports.iter().enumerate() {
            match (&export.name, &export.target) {
                // Compiled code declares its exports, `exports.x = void 0`, before it assigns them: the last one
                // counts.
                (Some(name), _) => drop(facts.exported.insert(name.clone(), (item, index as u32))),
                (None, ExportTarget::From { module, .. }) if passed_on.insert(module.clone()) => {
                    facts.passed_on.push(module.clone());
                }
                _ => {}
            }
        }
        for (index, call) in lowered.calls.iter().enumerate() {
            // The application of a decorator that is itself a call, `@f(x)`, is listed under the decorator's name, too.
            let callee = match (&call.callee, call.kind) {
                (Expr::Call(inner), CallKind::Applied) => &lowered.call(*inner).callee,
                (callee, _) => callee,
            };
            if let Some(name) = callee.last_name() {
                facts.calls.entry(name.clone()).or_default().push((item, CallId(index as u32)));
            }
            for arg in &call.args {
                if let Expr::Name { name, .. } = &arg.value {
                    facts.given.entry(name.clone()).or_default().push((item, CallId(index as u32)));
                }
            }
        }
        facts.handed.extend(lowered.handed.iter().cloned());
        facts.items.push(Item { start: start as u32, len, facts: lowered, hash });
    }
    facts
}

fn hash(text: &[u8], kind: u16, has_error: bool) -> u64 {
    use std::hash::Hasher;
    let mut hasher = FxHasher::default();
    hasher.write_u16(kind);
    hasher.write_u8(has_error.into());
    hasher.write(text);
    hasher.finish()
}
