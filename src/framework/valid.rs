//! Checks a framework that a config describes, beyond the types of its keys: forms that could never match.

use super::{Form, Framework, Kind, On, Start};
use crate::document::{Fault, Node};
use crate::name::nearest;
use crate::syntax::CodeQuery;
use crate::text::Span;

/// The longest query, in bytes.
const MAX_QUERY: usize = 10_000;

impl Framework {
    /// Returns the faults of a framework that was read from a row of a config.
    pub(crate) fn faults(&self, row: &Node) -> Vec<Fault> {
        let tables = row.get("form").map_or(&[][..], Node::elements);
        let mut faults = Vec::new();
        for (form, table) in self.forms.iter().zip(tables) {
            let mut at = |key: &str, message: String| {
                let span = table.get(key).map_or(table.span, |value| value.span);
                faults.push(Fault { span, message });
            };
            match (&form.query, form.on) {
                (None, On::Query) => at("on", "`on = \"query\"` needs a `query`".to_string()),
                (Some(_), on) if on != On::Query => at("query", "a `query` needs `on = \"query\"`".to_string()),
                (Some(_), _) if form.path.is_some() => {
                    at("path", "a form has a `path` or a `query`, not both".to_string())
                }
                (Some(query), _) if query.len() > MAX_QUERY => {
                    at("query", format!("the query is too long: {MAX_QUERY} bytes are the most"));
                }
                (Some(_), _) if matches!(form.kind, Kind::Server | Kind::Mount | Kind::Dispatch) => {
                    at("kind", "a query finds tools, prompts and resources: use `path` for anything else".to_string());
                }
                (Some(query), _) => faults.extend(self.faults_of_query(form, query, table)),
                (None, _) if form.path.is_none() => at("", "`path` is missing".to_string()),
                (None, _) => {}
            }
        }
        faults
    }

    fn faults_of_query(&self, form: &Form, query: &str, table: &Node) -> Vec<Fault> {
        let Some(value) = table.get("query") else { return Vec::new() };
        // In a text with escapes no offset is known.
        let text = value.as_text().filter(|text| text.verbatim);
        let place = |start: usize, length: usize| {
            text.map_or(value.span, |text| Span::new(start, start + length).shifted(text.span.start))
        };
        let compiled = CodeQuery::new(self.language, query);
        let captures = match compiled.captures() {
            Ok(captures) => captures,
            Err(wrong) => {
                let length = wrong.length().min(query.len().saturating_sub(wrong.at));
                return vec![Fault { span: place(wrong.at, length), message: wrong.to_string() }];
            }
        };
        let mut form = form.clone();
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
                None => format!("no key uses `@{capture}`; call it `@_{capture}` if only a predicate does"),
            };
            faults.push(Fault { span: place(start, capture.len() + 1), message });
        }
        if faults.is_empty() && form.kind != Kind::Dynamic && form.name.is_empty() && !captures.contains(&"name") {
            faults.push(Fault { span: value.span, message: "the query captures no `@name`".to_string() });
        }
        faults
    }
}
