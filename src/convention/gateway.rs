//! Gateways: one server in front of many, with names such as `mcp__<gateway>__<server>_<tool>`.

use std::collections::BTreeMap;

use super::{Breach, Convention, Files};
use crate::diagnostic::Severity;
use crate::document::Node;
use crate::name::{Case, Name, Style, nearest};

/// The parameters of a convention for a gateway.
#[derive(Debug, Clone, Default)]
pub struct Gateway {
    /// The key under which clients know the gateway.
    pub name: String,
    /// The form of a pool key, the gateway's own key for a server: `syn-{server}`.
    pub pool: String,
    /// The style of the names that a server behind the gateway gives its tools, by server, if it differs from the style
    /// of the gateway's definitions.
    forwarding: BTreeMap<String, Style>,
    /// Whether the gateway lists its tools with its prefix.
    pub prefixed: bool,
    /// The table in the source that maps pool keys to the servers behind the gateway.
    pub routes: Option<Routes>,
    /// The files with the servers that the gateway starts, by pool key.
    pub pools: Files,
    /// The document with a row for every tool.
    pub index: Files,
    pub state: State,
}

/// The table of routes: `{ "syn-serena": "mcp__serena__" }`.
#[derive(Debug, Clone)]
pub struct Routes {
    /// The constant that contains the table.
    pub constant: String,
    /// The text before and the text after the server's own name in the values: `mcp__` and `__`.
    value: (String, String),
    /// The servers' own names, if they differ from those in the names of their tools.
    names: BTreeMap<String, String>,
}

/// The files that enable and disable tools.
#[derive(Debug, Clone, Default)]
pub struct State {
    pub files: Files,
    /// The keys of the lists in such a file; no tool may be in two of them.
    pub lists: Vec<String>,
}

impl Routes {
    /// Makes routes with values of a form; `None` without a `*` in the form.
    pub(super) fn of(constant: String, form: &str, names: BTreeMap<String, String>) -> Option<Routes> {
        let (before, after) = form.split_once('*')?;
        Some(Routes { constant, value: (before.to_string(), after.to_string()), names })
    }

    /// The value of a server's route.
    pub fn value(&self, server: &str) -> String {
        let own = self.names.get(server).map_or(server, String::as_str);
        format!("{}{own}{}", self.value.0, self.value.1)
    }

    /// Whether a value is of the right form.
    pub fn is_value(&self, text: &str) -> bool {
        let server = text.strip_prefix(&self.value.0).and_then(|rest| rest.strip_suffix(&self.value.1));
        server.is_some_and(|server| !server.is_empty() && !server.starts_with('_') && !server.ends_with('_'))
    }

    /// The form of the values, for messages.
    pub fn form(&self) -> String {
        self.value("…")
    }
}

/// The route of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forward {
    pub server: String,
    pub pool: String,
    /// The name of the tool on the server behind the gateway.
    pub forwards: String,
}

impl Gateway {
    /// Stores the style of each server in a table; values that are not a style are left out.
    pub(super) fn set_forwarding(&mut self, table: &Node) {
        for (server, style) in table.entries() {
            let separator = match style.as_str() {
                Some("kebab") => "-",
                Some("snake") => "_",
                _ => continue,
            };
            let style = Style { case: Case::Lower, separator: separator.into() };
            self.forwarding.insert(server.text.clone(), style);
        }
    }

    /// The server of a pool key.
    pub fn server_of_pool<'k>(&self, key: &'k str) -> Option<&'k str> {
        let (before, after) = self.pool.split_once("{server}")?;
        key.strip_prefix(before)?.strip_suffix(after).filter(|server| !server.is_empty())
    }

    /// The pool key of a server.
    pub fn pool_key(&self, server: &str) -> String {
        self.pool.replace("{server}", server)
    }

    /// The prefix of all permission strings of the gateway.
    pub fn prefix(&self) -> String {
        format!("mcp__{}__", self.name)
    }
}

impl Convention {
    /// Whether a text begins with the gateway's prefix, as the tool names that users know do.
    pub fn is_full(&self, text: &str) -> bool {
        self.gateway.as_ref().is_some_and(|gateway| text.starts_with(&gateway.prefix()))
    }

    /// The name in the source of a tool that is listed as `listed`: without the prefix that a gateway adds.
    pub fn definition_of<'n>(&self, listed: &'n str) -> &'n str {
        let prefixed = self.gateway.as_ref().filter(|gateway| gateway.prefixed);
        prefixed.and_then(|gateway| listed.strip_prefix(&gateway.prefix())).unwrap_or(listed)
    }

    /// The name by which users know a gateway's definition: `mcp__<gateway>__<server>_<tool>`; `None` without a
    /// gateway.
    pub fn in_full(&self, definition: &str) -> Option<String> {
        let gateway = self.gateway.as_ref()?;
        Some(format!("{}{definition}", gateway.prefix()))
    }

    /// Judges a permission string under a gateway convention and returns the breach and its repairs. `servers` are
    /// those in the workspace, in addition to the profile's own. `None` if the string is right or not about the
    /// gateway.
    pub fn judge_permission(&self, text: &str, servers: &[String]) -> Option<(Breach, Vec<String>)> {
        let gateway = self.gateway.as_ref()?;
        let prefix = gateway.prefix();
        let known: Vec<&str> = self.vocabulary("server").iter().chain(servers).map(String::as_str).collect();
        if let Some(rest) = text.strip_prefix(&prefix) {
            let right = rest == "*"
                || self.whole.iter().any(|whole| whole == rest)
                || known.iter().any(|server| {
                    rest.strip_prefix(server)
                        .and_then(|tool| tool.strip_prefix('_'))
                        .is_some_and(|tool| !tool.is_empty() && !tool.starts_with('_'))
                });
            if right {
                return None;
            }
        }
        if text == prefix.trim_end_matches('_') {
            return None;
        }
        let breach = |message: String| Breach {
            rule: "permission-form",
            severity: Severity::Error,
            message,
            range: 0..text.len(),
        };
        // Names are in lower case.
        let lower = text.to_lowercase();
        if lower != text && lower.starts_with(&prefix) && self.judge_permission(&lower, servers).is_none() {
            return Some((breach("not in lower case, as the gateway's names must be".into()), vec![lower]));
        }
        if text.strip_prefix(&prefix).is_some_and(|rest| rest.is_empty() || rest.ends_with('_')) {
            return Some((breach("the name of the tool is missing at the end".into()), Vec::new()));
        }
        // The words are right; the separators are not.
        let name = Name::new(text);
        let words = name.word_ranges();
        let is = |index: usize, word: &str| words.get(index).is_some_and(|range| &text[range.clone()] == word);
        let mut first = 0;
        let has_mcp = is(0, "mcp");
        first += usize::from(has_mcp);
        let has_gateway = is(first, &gateway.name);
        first += usize::from(has_gateway);
        let rest = text.get(words.get(first)?.start..)?;
        if self.whole.iter().any(|whole| whole == rest) {
            let message = format!("`{rest}` is a tool of the gateway: write `{prefix}` in front of it");
            return Some((breach(message), vec![format!("{prefix}{rest}")]));
        }
        let named = known.iter().find_map(|server| {
            let tool = rest.strip_prefix(server)?;
            let trimmed = tool.trim_start_matches('_');
            (trimmed.len() < tool.len() && !trimmed.is_empty()).then_some((*server, trimmed))
        });
        // A misspelt server.
        let Some((server, tool)) = named else {
            let (first, tool) = rest.split_once('_').filter(|_| text.starts_with(&prefix))?;
            let near = nearest(first, known.iter().copied())?;
            let message = format!("no server `{first}`; did you mean `{near}`?");
            return Some((breach(message), vec![format!("{prefix}{near}_{}", tool.trim_start_matches('_'))]));
        };
        let message = match (has_mcp, has_gateway) {
            (true, true) if !text.starts_with(&prefix) => {
                format!("expected two `_` after `{}`, found one", gateway.name)
            }
            (true, true) => format!("expected one `_` between `{server}` and its tool, found two"),
            (true, false) => format!("`{}` is missing: tools are reached through the gateway", gateway.name),
            (false, true) => "the prefix `mcp__` is missing".to_string(),
            (false, false) => format!("the prefix `{prefix}` is missing"),
        };
        Some((breach(message), vec![format!("{prefix}{server}_{tool}")]))
    }

    /// The route of a definition through the gateway; `None` if there is no gateway or the definition does not begin
    /// with a known server.
    pub fn forward(&self, definition: &str) -> Option<Forward> {
        let gateway = self.gateway.as_ref()?;
        let (server, tool) = self.vocabulary("server").iter().find_map(|server| {
            let tool = definition.strip_prefix(server.as_str())?.strip_prefix('_')?;
            Some((server, tool))
        })?;
        let forwards = match gateway.forwarding.get(server) {
            Some(style) => style.write(Name::new(tool).words()),
            None => tool.to_string(),
        };
        Some(Forward { server: server.clone(), pool: gateway.pool.replace("{server}", server), forwards })
    }
}
