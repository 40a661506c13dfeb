//! Queries of the grammars, compiled for each grammar when they are first used.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use tree_sitter::{Query, QueryError, QueryErrorKind};

use super::{Family, Language};

/// A query of the grammars of a language family: a pattern of syntax nodes, in the query language of tree-sitter.
#[derive(Debug, Clone)]
pub struct CodeQuery(Arc<Source>);

#[derive(Debug)]
struct Source {
    family: Family,
    text: SmolStr,
    compiled: [OnceLock<Option<Query>>; Language::ALL_CODE.len()],
}

impl CodeQuery {
    /// The query with this source. It is not compiled yet; an invalid query matches nothing.
    pub fn new(family: Family, source: &str) -> CodeQuery {
        // A config's queries are created again each time it is read, so they are cached.
        static KNOWN: Mutex<Option<FxHashMap<(Family, SmolStr), CodeQuery>>> = Mutex::new(None);
        const MOST_KNOWN: usize = 256;
        let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        let text = SmolStr::new(source);
        let new = || CodeQuery(Arc::new(Source { family, text: text.clone(), compiled: Default::default() }));
        known.entry((family, text.clone())).or_insert_with(new).clone()
    }

    pub(crate) fn family(&self) -> Family {
        self.0.family
    }

    /// The query for one grammar; `None` if the grammar belongs to another family, or if the source is wrong.
    pub fn compiled(&self, language: Language) -> Option<&Query> {
        let index = Language::ALL_CODE.iter().position(|known| *known == language)?;
        let compile = || Query::new(&language.grammar()?, &self.0.text).ok();
        let of_family = language.family() == Some(self.0.family);
        self.0.compiled[index].get_or_init(|| of_family.then(compile).flatten()).as_ref()
    }

    /// The names that the query captures, without `@`.
    ///
    /// # Errors
    /// No grammar of the family accepts the source, or it has an unsupported predicate.
    pub fn captures(&self) -> Result<Vec<&str>, BadQuery> {
        let mut wrong = BadQuery { at: 0, why: Why::Syntax };
        // A query for JSX is valid only in one of the TypeScript grammars.
        for language in Language::ALL_CODE.into_iter().filter(|language| language.family() == Some(self.0.family)) {
            if let Some(query) = self.compiled(language) {
                return match unknown_predicate(query) {
                    Some(name) => {
                        let at = self.0.text.find(&format!("#{name}")).unwrap_or(0);
                        Err(BadQuery { at, why: Why::UnknownPredicate(name) })
                    }
                    None => Ok(query.capture_names().to_vec()),
                };
            }
            let error = language.grammar().and_then(|grammar| Query::new(&grammar, &self.0.text).err());
            if let Some(error) = error.map(BadQuery::of).filter(|error| error.at >= wrong.at) {
                wrong = error;
            }
        }
        Err(wrong)
    }
}

/// The first predicate that is neither a comparison, a regular expression nor a list of words.
fn unknown_predicate(query: &Query) -> Option<String> {
    (0..query.pattern_count()).find_map(|pattern| {
        let general = query.general_predicates(pattern).first().map(|predicate| predicate.operator.to_string());
        let is_set = || (!query.property_settings(pattern).is_empty()).then(|| "set!".to_string());
        let is_asked = || {
            query
                .property_predicates(pattern)
                .first()
                .map(|(_, holds)| if *holds { "is?".to_string() } else { "is-not?".to_string() })
        };
        general.or_else(is_set).or_else(is_asked)
    })
}

impl PartialEq for CodeQuery {
    fn eq(&self, other: &CodeQuery) -> bool {
        self.0.family == other.0.family && self.0.text == other.0.text
    }
}

/// An error in a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadQuery {
    /// The byte offset of the error in the query.
    pub at: usize,
    why: Why,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Why {
    Syntax,
    /// Names a node type that the grammar does not have.
    NodeType(String),
    Field(String),
    /// A predicate uses a capture that the query does not have.
    Capture(String),
    /// The pattern cannot occur in this grammar.
    Impossible,
    Predicate(String),
    UnknownPredicate(String),
}

impl BadQuery {
    fn of(error: QueryError) -> BadQuery {
        let name = error.message.trim_matches('"').to_string();
        let why = match error.kind {
            QueryErrorKind::NodeType => Why::NodeType(name),
            QueryErrorKind::Field => Why::Field(name),
            QueryErrorKind::Capture => Why::Capture(name),
            QueryErrorKind::Structure => Why::Impossible,
            QueryErrorKind::Predicate => Why::Predicate(error.message),
            QueryErrorKind::Syntax | QueryErrorKind::Language => Why::Syntax,
        };
        BadQuery { at: error.offset, why }
    }

    /// The length in bytes of the wrong word; 0 if the error is not a single word.
    pub(crate) fn length(&self) -> usize {
        match &self.why {
            Why::NodeType(name) | Why::Field(name) | Why::Capture(name) => name.len(),
            Why::UnknownPredicate(name) => name.len() + 1,
            Why::Syntax | Why::Impossible | Why::Predicate(_) => 0,
        }
    }
}

impl fmt::Display for BadQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::Syntax => f.write_str("syntax error in the query"),
            Why::NodeType(name) => write!(f, "the grammar has no node `{name}`"),
            Why::Field(name) => write!(f, "the grammar has no field `{name}`"),
            Why::Capture(name) => write!(f, "the query captures no `@{name}`"),
            Why::Impossible => f.write_str("the grammar allows no nodes in this order"),
            Why::Predicate(message) => write!(f, "invalid predicate: {}", message.trim_end_matches('.')),
            Why::UnknownPredicate(name) => write!(
                f,
                "`#{name}` has no effect here: use `#eq?`, `#match?`, `#any-of?`, or one of these with `not-`"
            ),
        }
    }
}

impl std::error::Error for BadQuery {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_query_is_told_by_its_place_and_matches_nothing() {
        let wrong = |source: &str| CodeQuery::new(Family::Python, source).captures().unwrap_err();
        assert_eq!(wrong("(call (identifer) @name)").to_string(), "the grammar has no node `identifer`");
        assert_eq!(wrong("(call (identifer) @name)").at, 7);
        assert_eq!(wrong("(call fun: (_) @name)").to_string(), "the grammar has no field `fun`");
        assert_eq!(wrong("(call").to_string(), "syntax error in the query");
        assert_eq!(wrong("((call) @a (#eq? @b \"x\"))").to_string(), "the query captures no `@b`");
        assert!(wrong("((call) @a (#foo? @a))").to_string().starts_with("`#foo?` has no effect here: "));
        assert!(wrong("((call) @a (#set! a b))").to_string().starts_with("`#set!` has no effect here: "));
        assert!(wrong("((call) @a (#eq? @a))").to_string().starts_with("invalid predicate: "));
        assert!(CodeQuery::new(Family::Python, "(call").compiled(Language::Python).is_none());
    }

    #[test]
    fn a_query_is_compiled_for_its_own_grammars_alone() {
        let query = CodeQuery::new(Family::TypeScript, "(call_expression) @whole");
        assert!(query.compiled(Language::TypeScript).is_some() && query.compiled(Language::Tsx).is_some());
        assert!(query.compiled(Language::Rust).is_none());
        assert_eq!(query.captures().unwrap(), ["whole"]);
        // JSX is part of only one of the TypeScript grammars.
        assert!(CodeQuery::new(Family::TypeScript, "(jsx_element) @name").captures().is_ok());
    }
}
