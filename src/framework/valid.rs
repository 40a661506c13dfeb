//! Checks a framework that a config describes for faults that the types of its keys do not exclude, such as forms that
//! could never match.

use super::{Form, Framework, Kind, On, Start};
use crate::document::{Fault, Node};
use crate::name::nearest;
use crate::syntax::{CodeQuery, Family};
use crate::text::Span;

/// The maximum length of a query, in bytes.
const MAX_QUERY: usize = 2_000;
/// The maximum number of quantifiers in a query: the time to compile a query grows at least with the square of their
/// number.
const MAX_QUANTIFIERS: usize = 12;

/// The placeholders in the texts of an alias: `$old`, `${new}`.
const PLACEHOLDERS: [&str; 28] = [
    "alias",
    "argument",
    "arguments",
    "async",
    "await",
    "called",
    "class",
    "comment",
    "conditions",
    "decorator",
    "described",
    "former",
    "function",
    "key",
    "list",
    "method",
    "more",
    "new",
    "note",
    "old",
    "options",
    "parameters",
    "request",
    "result",
    "router",
    "server",
    "value",
    "var",
];

/// Returns the first placeholder of a text that does not exist.
fn unknown_placeholder(text: &str) -> Option<&str> {
    text.split('$').skip(1).find_map(|rest| {
        let braced = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let word = braced.map_or_else(
            || &rest[..rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len())],
            |(word, _)| word,
        );
        // Without braces, letters may follow a placeholder.
        let is_known = |known: &str| if braced.is_some() { word == known } else { word.starts_with(known) };
        let is_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
        (is_word && !PLACEHOLDERS.into_iter().any(is_known)).then_some(word)
    })
}

/// A query as it is written in a config.
#[derive(Debug, Clone)]
pub(crate) struct WrittenQuery {
    language: Family,
    form: Form,
    value: Node,
}

impl Framework {
    /// Returns the faults of a framework that was read from a row of a config, except those inside its queries. The
    /// query of a form with a fault is not used.
    pub(crate) fn take_faults(&mut self, row: &Node) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (form, table) in self.forms.iter_mut().zip(forms(row)) {
            let before = faults.len();
            let mut at = |key: &str, message: String| {
                let span = table.get(key).map_or(table.span, |value| value.span);
                faults.push(Fault { span, message });
            };
            match (&form.query, form.on) {
                (None, On::Query) => at("on", "`on = \"query\"` needs a `query`".to_string()),
                (None, _) if form.path.is_none() => at("", "`path` is missing".to_string()),
                (None, _) => {}
                (Some(_), on) if on != On::Query => at("query", "a `query` needs `on = \"query\"`".to_string()),
                (Some(_), _) if form.path.is_some() => {
                    at("path", "use `path` or `query`, not both".to_string());
                }
                (Some(_), _) if !form.kind.is_found_by_query() => {
                    at("kind", "a query finds tools, prompts and resources: use `path` for anything else".to_string());
                }
                (Some(query), _) if query.len() > MAX_QUERY => {
                    at("query", format!("the query is too long: use at most {MAX_QUERY} bytes"));
                }
                (Some(query), _) if quantifiers(query) > MAX_QUANTIFIERS => {
                    at("query", format!("too many quantifiers: use at most {MAX_QUANTIFIERS} of `*`, `+` and `?`"));
                }
                (Some(_), _) => {}
            }
            form.query = form.query.take().filter(|_| faults.len() == before);
        }
        let rows = row.get("alias").map(Node::elements).unwrap_or_default();
        let texts = rows.iter().flat_map(|alias| {
            let keys = ["above", "behind", "behind_typed", "front", "last"];
            keys.into_iter().filter_map(|key| alias.get(key)).filter_map(|value| Some((value.span, value.as_text()?)))
        });
        faults.extend(texts.filter_map(|(span, text)| {
            let word = unknown_placeholder(&text.text)?;
            let near = nearest(word, PLACEHOLDERS);
            let hint = near.map(|near| format!("; did you mean `${near}`?")).unwrap_or_default();
            Some(Fault { span, message: format!("unknown placeholder `${word}`{hint}") })
        }));
        faults
    }

    /// The queries of a framework that was read from a row of a config.
    pub(crate) fn queries(&self, row: &Node) -> Vec<WrittenQuery> {
        let written = self.forms.iter().zip(forms(row)).filter_map(|(form, table)| {
            let value = table.get("query").filter(|_| form.query.is_some())?.clone();
            Some(WrittenQuery { language: self.language, form: form.clone(), value })
        });
        written.collect()
    }

    /// Removes the queries of the framework's forms except for the first `count`; returns how much of `count` is left.
    pub(crate) fn keep_queries(&mut self, mut count: usize) -> usize {
        for form in self.forms.iter_mut().filter(|form| form.query.is_some()) {
            match count.checked_sub(1) {
                Some(left) => count = left,
                None => form.query = None,
            }
        }
        count
    }
}

fn forms(row: &Node) -> &[Node] {
    row.get("form").map_or(&[][..], Node::elements)
}

/// The number of quantifiers in a query: those outside comments, strings and the names of predicates.
fn quantifiers(query: &str) -> usize {
    let mut count = 0;
    let mut characters = query.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            ';' => drop(characters.by_ref().find(|c| *c == '\n')),
            '"' => {
                while let Some(inside) = characters.next().filter(|c| *c != '"') {
                    if inside == '\\' {
                        characters.next();
                    }
                }
            }
            '#' => {
                let is_name = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
                while characters.next_if(is_name).is_some() {}
                characters.next_if(|c| matches!(c, '?' | '!'));
            }
            '*' | '+' | '?' => count += 1,
            _ => {}
        }
    }
    count
}

impl WrittenQuery {
    /// The span of the query in the config.
    pub(crate) fn span(&self) -> Span {
        self.value.span
    }

    /// Compiles the query and returns its faults.
    pub(crate) fn faults(&self) -> Vec<Fault> {
        let Some(text) = self.value.as_text() else { return Vec::new() };
        let query = text.text.as_str();
        // In a string with escapes, offsets in the query differ from those in the file.
        let place = |start: usize, length: usize| match text.verbatim {
            true => Span::new(start, start + length).shifted(text.span.start),
            false => self.value.span,
        };
        let compiled = CodeQuery::new(self.language, query);
        let captures = match compiled.captures() {
            Ok(captures) => captures,
            Err(wrong) => {
                let length = wrong.length().min(query.len().saturating_sub(wrong.at));
                return vec![Fault { span: place(wrong.at, length), message: wrong.to_string() }];
            }
        };
        let mut form = self.form.clone();
        let known = form.captures().map(|(capture, _)| capture);
        let used = form.selectors().filter_map(|selector| match &selector.start {
            Start::Keyword(name) => Some(name.as_str()),
            _ => None,
        });
        let known: Vec<&str> = known.into_iter().chain(used).collect();
        let mut faults = Vec::new();
        for capture in captures.iter().filter(|capture| !capture.starts_with('_') && !known.contains(capture)) {
            let start = query.find(&format!("@{capture}")).unwrap_or(0);
            let message = match nearest(capture, known.iter().copied()) {
                Some(near) => format!("no key uses `@{capture}`; did you mean `@{near}`?"),
                None => format!("no key uses `@{capture}`; name it `@_{capture}` if only a predicate uses it"),
            };
            faults.push(Fault { span: place(start, capture.len() + 1), message });
        }
        if faults.is_empty() && captures.is_empty() {
            faults.push(Fault { span: self.value.span, message: "the query captures nothing".to_string() });
        } else if faults.is_empty() && form.kind != Kind::Dynamic && form.name.is_empty() && !captures.contains(&"name")
        {
            faults.push(Fault { span: self.value.span, message: "the query captures no `@name`".to_string() });
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::framework::set::built_in;

    #[test]
    fn quantifiers_are_counted_outside_predicates_strings_and_comments() {
        assert_eq!(quantifiers("(a (b)* (c)+ [(d) \"*\\\"?\"]? @x (#eq? @x \"a+b\") (#any-of? @x))"), 3);
        assert_eq!(quantifiers("; \"\n(a (b)* (c)*) ; d*\n(#e?*)"), 3);
    }

    #[test]
    fn placeholders_are_known() {
        assert_eq!(unknown_placeholder("@$decoratr(name=$old)"), Some("decoratr"));
        assert_eq!(unknown_placeholder("${odl}"), Some("odl"));
        assert_eq!(unknown_placeholder("$variable, ${async}x $old_x $1"), None);
        for alias in built_in().iter().flat_map(|framework| &framework.aliases) {
            let texts = [&alias.above, &alias.behind, &alias.behind_typed, &alias.front, &alias.last];
            let unknown: Vec<&str> = texts.into_iter().flatten().filter_map(|text| unknown_placeholder(text)).collect();
            assert_eq!(unknown, Vec::<&str>::new());
        }
    }
}
