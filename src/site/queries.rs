//! The queries in `queries/`, one folder for each language, and their matches in a tree.

use std::sync::LazyLock;

use smallvec::SmallVec;
use tree_sitter::{Node, QueryCursor, StreamingIterator, Tree};

use crate::syntax::{CodeQuery, Family, Language};
use crate::text::Span;

/// A kind of query: the name of a file in each language's folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Queries {
    /// The code around a literal.
    Sites,
    /// The role of an identifier: a binding, a parameter, a member.
    Locals,
    /// Methods with their decorators, and references to methods.
    Methods,
}

/// The queries of one kind, one for each family, in the order of [`Family::ALL`].
type OfEach = LazyLock<[CodeQuery; Family::ALL.len()]>;

macro_rules! of_each {
    ($file:literal) => {
        LazyLock::new(|| {
            [
                CodeQuery::new(Family::TypeScript, include_str!(concat!("../../queries/typescript/", $file))),
                CodeQuery::new(Family::Python, include_str!(concat!("../../queries/python/", $file))),
                CodeQuery::new(Family::Rust, include_str!(concat!("../../queries/rust/", $file))),
            ]
        })
    };
}

static SITES: OfEach = of_each!("sites.scm");
static LOCALS: OfEach = of_each!("locals.scm");
static METHODS: OfEach = of_each!("methods.scm");

impl Queries {
    fn of(self, family: Family) -> &'static CodeQuery {
        let all = match self {
            Queries::Sites => &SITES,
            Queries::Locals => &LOCALS,
            Queries::Methods => &METHODS,
        };
        &all[family as usize]
    }

    /// The matches in a tree that capture something as `capture`.
    pub(super) fn all<'t>(self, tree: &'t Tree, text: &str, capture: &str) -> Vec<Match<'t>> {
        self.matches(tree, text, None, capture)
    }

    /// The matches in a tree that overlap a span and capture something as `capture`.
    pub(super) fn inside<'t>(self, tree: &'t Tree, text: &str, within: Span, capture: &str) -> Vec<Match<'t>> {
        self.matches(tree, text, Some(within), capture)
    }

    /// Of the matches whose `capture` contains a place, the one with the innermost captured node.
    pub(super) fn around<'t>(self, tree: &'t Tree, text: &str, place: Span, capture: &str) -> Option<Match<'t>> {
        let found = self.matches(tree, text, Some(place), capture).into_iter();
        let around = found.filter_map(|found| Some((found.span(capture)?, found)));
        around.filter(|(span, _)| span.contains(place)).min_by_key(|(span, _)| span.len()).map(|(_, found)| found)
    }

    /// All matches in a tree.
    pub(super) fn every<'t>(self, tree: &'t Tree, text: &str) -> Vec<Match<'t>> {
        self.run(tree, text, None, |_| true)
    }

    fn matches<'t>(self, tree: &'t Tree, text: &str, within: Option<Span>, capture: &str) -> Vec<Match<'t>> {
        self.run(tree, text, within, |name| name == capture)
    }

    /// The matches that capture something under a wanted name.
    fn run<'t>(
        self,
        tree: &'t Tree,
        text: &str,
        within: Option<Span>,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Vec<Match<'t>> {
        let query = Language::of_tree(tree).and_then(|language| self.of(language.family()?).compiled(language));
        let Some(query) = query else { return Vec::new() };
        let names = query.capture_names();
        let mut cursor = QueryCursor::new();
        if let Some(within) = within {
            cursor.set_byte_range(within.range());
        }
        let mut found = Vec::new();
        let mut matches = cursor.matches(query, tree.root_node(), text.as_bytes());
        while let Some(one) = matches.next() {
            if one.captures().iter().any(|it| is_wanted(names[it.index as usize])) {
                found.push(Match(one.captures().iter().map(|it| (names[it.index as usize], it.node)).collect()));
            }
        }
        found
    }
}

/// A match of a query: its captures, in the order of the text.
#[derive(Debug, Clone)]
pub(super) struct Match<'t>(SmallVec<[(&'static str, Node<'t>); 6]>);

impl<'t> Match<'t> {
    /// The node that is captured under a name.
    pub(super) fn node(&self, capture: &str) -> Option<Node<'t>> {
        self.0.iter().find(|(name, _)| *name == capture).map(|(_, node)| *node)
    }

    /// The span of the node that is captured under a name.
    pub(super) fn span(&self, capture: &str) -> Option<Span> {
        self.node(capture).map(|node| Span::new(node.start_byte(), node.end_byte()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_query_compiles_and_uses_known_captures() {
        let readme = include_str!("../../queries/README.md");
        for queries in [Queries::Sites, Queries::Locals, Queries::Methods] {
            for family in Family::ALL {
                let captures = queries.of(family).captures();
                let captures =
                    captures.unwrap_or_else(|wrong| panic!("{queries:?} of {family:?}: {wrong} at {}", wrong.at));
                for capture in captures.into_iter().filter(|capture| !capture.starts_with('_')) {
                    assert!(readme.contains(&format!("`@{capture}`")), "queries/README.md lists no @{capture}");
                }
            }
        }
    }
}
