//! Resource URIs: `{namespace}://{type}/{id}[?query]`.

use super::judge::breach;
use super::{Breach, Convention};
use crate::name::{Name, Style};

/// The form of a convention's resource URIs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    /// The slot of the scheme.
    scheme: String,
    /// The names of the first segment and of the segments after it.
    segments: [String; 2],
}

const SCHEME_END: &str = "://";
/// Well-known schemes: a URI with one of them does not have a misspelt namespace.
const KNOWN_SCHEMES: [&str; 5] = ["file:", "http:", "https:", "data:", "ui:"];

impl Form {
    /// Parses a form; `None` if the text is not a form.
    pub(super) fn parse(text: &str) -> Option<Form> {
        let slot = |text: &str| text.strip_prefix('{')?.strip_suffix('}').map(str::to_string);
        let (scheme, path) = text.split_once(SCHEME_END)?;
        let (kind, id) = path.split_once('/')?;
        Some(Form { scheme: slot(scheme)?, segments: [slot(kind)?, slot(id)?] })
    }
}

impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [kind, id] = &self.segments;
        write!(f, "{{{}}}{SCHEME_END}{{{kind}}}/{{{id}}}", self.scheme)
    }
}

impl Convention {
    /// Whether the convention judges resource URIs.
    pub fn judges_uris(&self) -> bool {
        self.uri.is_some()
    }

    /// The faults of a resource's URI, the most specific first.
    pub fn judge_uri(&self, uri: &str) -> Vec<Breach> {
        let Some(form) = &self.uri else { return Vec::new() };
        let mut breaches = Vec::new();
        let mut say = |message: String, range: std::ops::Range<usize>| {
            breaches.push(breach("resource-uri", message, range));
        };
        let Some(at) = uri.find(SCHEME_END) else {
            say(format!("no `{SCHEME_END}`: expected `{form}`"), 0..uri.len());
            return breaches;
        };
        let scheme = &uri[..at];
        let (path, query) = match uri[at..].find('?') {
            // `{?format,limit}` is the template of a query.
            Some(query) if uri[..at + query].ends_with('{') => (&uri[at + SCHEME_END.len()..at + query - 1], None),
            Some(query) => (&uri[at + SCHEME_END.len()..at + query], Some(at + query + 1)),
            None => (&uri[at + SCHEME_END.len()..], None),
        };
        if let Some(message) = self.wrong_scheme(form, scheme) {
            say(message, 0..at);
        }
        let mut from = at + SCHEME_END.len();
        let segments: Vec<&str> = path.split('/').collect();
        if segments.len() < 2 {
            say(format!("no {} after the {}: expected `{form}`", form.segments[1], form.segments[0]), from..uri.len());
        }
        for (index, segment) in segments.iter().enumerate() {
            let kind = &form.segments[usize::from(index > 0)];
            let is_right = match index {
                0 => |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_',
                _ => |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | '.'),
            };
            let range = from..from + segment.len();
            let is_too_short =
                index == 0 && (segment.len() == 1 || !segment.starts_with(|c: char| c.is_ascii_alphabetic()));
            // A template's parameter, `{id}`, can have any value.
            let is_parameter = segment.starts_with('{') && segment.ends_with('}');
            if segment.is_empty() {
                say(format!("an empty {kind}"), range.start..uri.len().min(range.end + 1));
            } else if let Some(wrong) = segment.chars().find(|&c| !is_right(c) && !is_parameter) {
                let what = if wrong.is_uppercase() { "a capital letter".into() } else { format!("`{wrong}`") };
                say(format!("{what} in the {kind} `{segment}`"), range);
            } else if is_too_short && !is_parameter {
                say(format!("the {kind} `{segment}` must have two characters or more and begin with a letter"), range);
            }
            from += segment.len() + 1;
        }
        if let Some(query) = query {
            let is_pair = |pair: &str| {
                let is_text = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
                pair.split_once('=').is_some_and(|(key, value)| is_text(key) && is_text(value))
            };
            let text = &uri[query..];
            if !text.starts_with('{') && !text.split('&').all(is_pair) {
                say("expected a query of key=value pairs".into(), query..uri.len());
            }
        }
        breaches
    }

    fn wrong_scheme(&self, form: &Form, scheme: &str) -> Option<String> {
        let slot = &form.scheme;
        if let Some(expected) = self.expected(slot).filter(|expected| *expected != scheme) {
            let owner = self.owner_of(scheme).map(|owner| format!("`{scheme}` is reserved for {owner}; "));
            return Some(format!("{}wrong {slot} `{scheme}`: expected `{expected}`", owner.unwrap_or_default()));
        }
        if !scheme.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()) {
            return Some(format!("the {slot} `{scheme}` has characters other than lower-case letters and digits"));
        }
        self.too_short(slot, scheme)
    }

    /// URIs that repair `uri`, at most one; the convention finds no fault in them.
    pub fn propose_uri(&self, uri: &str) -> Vec<String> {
        let Some(form) = &self.uri else { return Vec::new() };
        if self.judge_uri(uri).is_empty() {
            return Vec::new();
        }
        if KNOWN_SCHEMES.iter().any(|scheme| uri.starts_with(scheme)) {
            return Vec::new();
        }
        let (whole, query) = match uri.find("{?").or(uri.find('?')) {
            Some(at) => (&uri[..at], &uri[at..]),
            None => (uri, ""),
        };
        let expected = self.expected(&form.scheme);
        let squeezed = |text: &str| Name::new(text).lower_words().concat();
        let (scheme, path) = match whole.split_once(SCHEME_END) {
            Some((scheme, path)) => (Some(squeezed(scheme)), path),
            // `myproject:templates/x`: the slashes were forgotten.
            None if whole.split_once(':').is_some_and(|(first, _)| expected == Some(&squeezed(first))) => {
                let (_, rest) = whole.split_once(':').unwrap_or_default();
                (None, rest.trim_start_matches('/'))
            }
            None => match whole.trim_start_matches('/').split_once('/') {
                // `myproject/templates/x`: the namespace is written as a folder.
                Some((first, rest)) if !whole.starts_with('/') && expected == Some(&squeezed(first)) => {
                    (Some(squeezed(first)), rest)
                }
                _ => (None, whole.trim_start_matches('/')),
            },
        };
        let Some(scheme) = expected.map(str::to_string).or(scheme) else { return Vec::new() };
        let kebab = Style { case: crate::name::Case::Lower, separator: "-".into() };
        let segments =
            path.split('/').filter(|segment| !segment.is_empty()).enumerate().map(|(index, segment)| match index {
                // The name of a template's parameter is kept.
                _ if segment.contains(['{', '}']) => segment.to_string(),
                0 => Style::snake().write(Name::new(segment).words()),
                // Keep the parts that are already in the right form, such as both parts of `report_v2.pdf`.
                _ => {
                    let is_right = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
                    let parts = segment.split('.').map(|part| match part.chars().all(is_right) {
                        true => part.to_string(),
                        false => kebab.write(Name::new(part).words()),
                    });
                    parts.collect::<Vec<_>>().join(".")
                }
            });
        let path = segments.collect::<Vec<_>>().join("/");
        let proposal = format!("{scheme}{SCHEME_END}{path}{query}");
        if self.judge_uri(&proposal).is_empty() && proposal != uri { vec![proposal] } else { Vec::new() }
    }

    /// The scheme of a URI, if the convention judges URIs and allows the scheme.
    pub fn front_of_uri(&self, uri: &str) -> Option<String> {
        let form = self.uri.as_ref()?;
        let (scheme, _) = uri.split_once(SCHEME_END)?;
        self.wrong_scheme(form, scheme).is_none().then(|| scheme.to_string())
    }

    /// The namespace for a project with this slug; `None` if the slug does not determine it: a namespace that is too
    /// long must be abbreviated by hand.
    pub fn namespace_of(&self, slug: &str) -> Option<String> {
        let namespace = Name::new(slug).lower_words().concat();
        let namespace = namespace.trim_start_matches(|c: char| c.is_ascii_digit());
        let front = self.front()?;
        let is_plain = namespace.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        (is_plain && !namespace.is_empty() && self.too_short(front, namespace).is_none()).then(|| namespace.to_string())
    }
}
