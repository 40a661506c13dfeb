//! Matches of the frameworks' queries in a file. The captures of a match are lowered in the scope in which they occur,
//! and read like the keyword arguments of a call: `@name` is the argument `name`.

use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use tree_sitter::{Node, QueryCursor, QueryCursorOptions, StreamingIterator};

use super::builder::{Builder, MODULE};
use super::{Arg, Expr, ScopeId};
use crate::syntax::{CodeQuery, Language, Tree};
use crate::text::Span;

/// The queries of all frameworks, in the order in which [`Captured::query`] counts them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Queries(Arc<[CodeQuery]>);

impl Queries {
    pub(crate) fn new(queries: impl IntoIterator<Item = CodeQuery>) -> Queries {
        Queries(queries.into_iter().collect())
    }
}

/// A match of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Captured {
    /// Index into [`Queries`].
    pub query: u32,
    /// The captures, each under its name.
    pub args: Vec<Arg>,
    pub scope: ScopeId,
    /// From the first capture to the last.
    pub span: Span,
}

/// The limit on the matches that may be in progress at once.
const MOST_IN_PROGRESS: u32 = 1024;
/// One match is allowed for this many bytes of the file. That is generous, since the elements of a list may match in
/// pairs and triples, too.
const BYTES_A_MATCH: usize = 8;
const FEWEST_MATCHES: usize = 100;
/// One progress callback of a query is allowed for this many bytes of the file; there is one for every hundred steps.
const BYTES_AN_ASK: usize = 4;
const FEWEST_ASKS: usize = 10_000;

/// The reason for the unknown name that is recorded where a query is cut off.
const TOO_MUCH: &str = "a query with too many matches in this file";

/// A match whose captures are still nodes.
struct Match<'t> {
    query: u32,
    captures: Vec<(SmolStr, Node<'t>)>,
    /// Byte offsets in the file of the name, or of the first capture if there is none.
    start: usize,
    end: usize,
    is_cut: bool,
}

/// The capture of the name.
const NAME: &str = "name";

/// The nodes that identify a match: each node captured as the name or, if there is none, the first capture.
fn anchors<'t>(captures: &[(SmolStr, Node<'t>)]) -> Vec<Node<'t>> {
    let names: Vec<_> = captures.iter().filter(|(name, _)| name == NAME).map(|(_, node)| *node).collect();
    match names.is_empty() {
        true => captures.iter().map(|(_, node)| *node).min_by_key(Node::start_byte).into_iter().collect(),
        false => names,
    }
}

/// The captures other than the name, only the first of each. Captures with names that begin with `_` serve the query's
/// predicates and are left out.
fn beside<'t>(captures: &[(SmolStr, Node<'t>)]) -> Vec<(SmolStr, Node<'t>)> {
    let mut kept: Vec<(SmolStr, Node<'t>)> = Vec::new();
    for (name, node) in captures.iter().filter(|(name, _)| name != NAME && !name.starts_with('_')) {
        if kept.iter().all(|(other, _)| other != name) {
            kept.push((name.clone(), *node));
        }
    }
    kept
}

/// The matches in a whole file.
#[derive(Default)]
pub(super) struct Matches<'t>(Vec<Match<'t>>);

impl<'t> Matches<'t> {
    pub(super) fn of(queries: &Queries, language: Language, tree: &'t Tree, text: &str) -> Matches<'t> {
        let mut all = Vec::new();
        for (index, query) in queries.0.iter().enumerate().filter(|(_, it)| Some(it.family()) == language.family()) {
            let Some(query) = query.compiled(language) else { continue };
            let names = query.capture_names();
            let mut asks = FEWEST_ASKS + text.len() / BYTES_AN_ASK;
            let mut left = FEWEST_MATCHES + text.len() / BYTES_A_MATCH;
            let mut reached = None;
            let mut go_on = |state: &tree_sitter::QueryCursorState| {
                asks = usize::saturating_sub(asks, 1);
                if asks > 0 {
                    return ControlFlow::Continue(());
                }
                reached = Some(state.current_byte_offset());
                ControlFlow::Break(())
            };
            let mut cursor = QueryCursor::new();
            cursor.set_match_limit(MOST_IN_PROGRESS);
            let options = QueryCursorOptions::new().progress_callback(&mut go_on);
            let mut found = cursor.matches_with_options(query, tree.root_node(), text.as_bytes(), options);
            let mut is_over = false;
            let mut at: FxHashMap<usize, usize> = FxHashMap::default();
            while let Some(one) = found.next() {
                if left == 0 {
                    is_over = true;
                    break;
                }
                let captures = one.captures().iter().map(|it| (SmolStr::new(names[it.index as usize]), it.node));
                let captures: Vec<_> = captures.collect();
                let is_named = captures.iter().any(|(name, _)| name == NAME);
                let beside = beside(&captures);
                for anchor in anchors(&captures) {
                    // Each additional name counts as a match, too.
                    left = left.saturating_sub(1);
                    let name = is_named.then(|| (SmolStr::new_static(NAME), anchor));
                    let captures: Vec<_> = name.into_iter().chain(beside.iter().cloned()).collect();
                    let (start, end) = (anchor.start_byte(), anchor.end_byte());
                    let found = Match { query: index as u32, captures, start, end, is_cut: false };
                    // Of several matches with the same name, the one with the most captures is kept.
                    match at.entry(anchor.id()) {
                        Entry::Vacant(free) => {
                            free.insert(all.len());
                            all.push(found);
                        }
                        Entry::Occupied(taken) => {
                            let known: &mut Match<'_> = &mut all[*taken.get()];
                            if known.captures.len() < found.captures.len() {
                                *known = found;
                            }
                        }
                    }
                }
            }
            drop(found);
            is_over |= cursor.did_exceed_match_limit();
            if let Some(at) = reached.or(is_over.then_some(0)) {
                let at = at.min(text.len().saturating_sub(1));
                all.push(Match { query: index as u32, captures: Vec::new(), start: at, end: at, is_cut: true });
            }
        }
        all.sort_by_key(|one| one.start);
        Matches(all)
    }

    /// The matches that begin inside an item; `start` and `end` are byte offsets in the file.
    fn within(&self, start: usize, end: usize) -> &[Match<'t>] {
        let from = self.0.partition_point(|one| one.start < start);
        let to = self.0.partition_point(|one| one.start < end);
        &self.0[from..to.max(from)]
    }
}

/// The captured nodes of an item while it is lowered.
#[derive(Default)]
pub(super) struct Watched {
    /// The value of each captured node, once it is known.
    values: FxHashMap<usize, Option<Expr>>,
    /// The scope of each node that was lowered.
    scopes: FxHashMap<usize, ScopeId>,
}

impl Watched {
    pub(super) fn of(matches: &Matches<'_>, start: usize, end: usize) -> Option<Box<Watched>> {
        let within = matches.within(start, end);
        let captures = within.iter().flat_map(|one| &one.captures);
        let values = captures.map(|(_, node)| (node.id(), None)).collect();
        (!within.is_empty()).then(|| Box::new(Watched { values, scopes: FxHashMap::default() }))
    }

    pub(super) fn enters(&mut self, node: Node<'_>, scope: ScopeId) {
        self.scopes.entry(node.id()).or_insert(scope);
    }

    pub(super) fn lowered(&mut self, node: Node<'_>, value: &Expr) {
        if let Some(known) = self.values.get_mut(&node.id()) {
            known.get_or_insert_with(|| value.clone());
        }
    }

    /// The scope in which a node occurs.
    fn scope_of(&self, node: Node<'_>) -> ScopeId {
        // Finding a parent means descending from the root of the tree, so only the nearest ancestors are checked.
        const FARTHEST: usize = 64;
        let around = std::iter::successors(Some(node), |node| node.parent()).take(FARTHEST);
        around.filter_map(|node| self.scopes.get(&node.id()).copied()).next().unwrap_or(MODULE)
    }
}

impl Builder<'_> {
    /// Adds the matches of an item that has been lowered. `lower` lowers a captured expression that was not lowered
    /// with the item.
    pub(super) fn capture<'t>(
        &mut self,
        matches: &Matches<'t>,
        (start, end): (usize, usize),
        lower: fn(&mut Builder<'_>, Node<'t>, ScopeId) -> Expr,
    ) {
        let Some(watched) = self.watched.take() else { return };
        // A definition is also found by the span of its name, so that a rename knows which tools take their names from
        // the definition.
        let spans = self
            .facts
            .definitions
            .iter()
            .flat_map(|definition| [definition.span, definition.name_span].map(|span| (span, definition.value())));
        let definitions: FxHashMap<Span, Expr> = spans.collect();
        for one in matches.within(start, end) {
            let span = self.span_of(one.start, one.end);
            let mut args: Vec<Arg> = Vec::new();
            // A capture in another item of the file does not belong to these facts.
            let is_inside = |node: &Node<'_>| node.start_byte() >= start && node.end_byte() <= end;
            for (name, node) in one.captures.iter().filter(|(_, node)| is_inside(node)) {
                let value = self.captured(*node, &watched, &definitions, lower);
                args.push(Arg { name: Some(name.clone()), value, span: self.span(*node) });
            }
            if one.is_cut {
                let value = Expr::Opaque { what: TOO_MUCH, span };
                args.push(Arg { name: Some(SmolStr::new_static("name")), value, span });
            }
            let outer =
                one.captures.iter().filter(|(_, node)| is_inside(node)).min_by_key(|(_, node)| node.start_byte());
            let scope = outer.map_or(MODULE, |(_, node)| watched.scope_of(*node));
            self.facts.captured.push(Captured { query: one.query, args, scope, span });
        }
    }

    fn captured<'t>(
        &mut self,
        node: Node<'t>,
        watched: &Watched,
        definitions: &FxHashMap<Span, Expr>,
        lower: fn(&mut Builder<'_>, Node<'t>, ScopeId) -> Expr,
    ) -> Expr {
        if let Some(Some(value)) = watched.values.get(&node.id()) {
            return value.clone();
        }
        let span = self.span(node);
        if let Some(definition) = definitions.get(&span) {
            return definition.clone();
        }
        match node.kind() {
            // The text inside a string, without its quotes.
            kind if kind.ends_with("_fragment") || kind.ends_with("_content") => {
                Expr::Text { text: self.smol(node), span }
            }
            // A name that is not an expression: the key of an entry, the name of a function.
            kind if kind.ends_with("identifier") => Expr::Text { text: self.smol(node), span },
            _ => lower(self, node, watched.scope_of(node)),
        }
    }
}
