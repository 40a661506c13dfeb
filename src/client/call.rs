//! Calls of an agent's package that grant tools to the agent: which argument names them, and which starts their server.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Deserialize;
use smol_str::SmolStr;

use super::{Client, Grammar, ListKind, Strings, Wildcards};
use crate::framework::{CalleePattern, Selector, Selectors, Start, module_in_package};
use crate::syntax::Family;

/// A call in code that names the tools of a server for an agent. Programs are run to see its arguments, so these may
/// come from constants, variables and functions.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AgentCall {
    /// Language of the code; `typescript` includes JavaScript.
    pub language: Family,
    /// Packages that export the functions and classes, as imports name them: `["agents"]`.
    pub packages: Vec<SmolStr>,
    /// Functions and classes of the packages: `["McpToolset"]`; `*.create` is a method of anything that comes from the
    /// packages.
    pub paths: Vec<CalleePattern>,
    /// Words of which a file with such a call contains at least one, for methods that are often called for other reasons:
    /// `["server_label"]`.
    #[serde(default)]
    pub near: Vec<SmolStr>,
    /// Selector of a list in the call, if each of its elements describes a server: `kw:tools`, or `arg0.entries` for an
    /// object with the servers' keys. Other selectors refer to the element as `each`. With several elements, a list
    /// outside of them may be about any server.
    pub each: Option<Selector>,
    /// Selectors of the server's key in the configs of the workspace: `["kw:name"]`.
    #[serde(default)]
    pub key: Selectors,
    /// Selectors of the program that starts the server, or of its whole command line: `["kw:params.command"]`.
    #[serde(default)]
    pub command: Selectors,
    /// Selectors of the program's arguments: `["kw:params.args"]`.
    #[serde(default)]
    pub args: Selectors,
    /// Selectors of the server itself, if the program makes it: `["each.1"]`.
    #[serde(default)]
    pub server: Selectors,
    /// Selectors of the directory in which the program is started: `["kw:params.cwd"]`.
    #[serde(default)]
    pub cwd: Selectors,
    /// Selectors of values because of which the strings may name the tools in another way, such as a prefix; if one is
    /// present, only typos are reported: `["kw:tool_name_prefix"]`.
    #[serde(default)]
    pub unless: Selectors,
    /// The lists of strings about tools in the call, each a `[[client.call.list]]`.
    #[serde(rename = "list", default)]
    pub lists: Vec<AgentList>,
}

/// A list of strings about tools in a call.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AgentList {
    /// Selectors of the list; the first that finds a value counts: `["kw:tool_filter"]`.
    pub at: Selectors,
    /// Effect of the strings.
    pub list: ListKind,
    /// Texts to read as the strings: the elements of a list, or the keys of an object.
    #[serde(default)]
    pub strings: Strings,
    /// Strings that name no tools: `["always", "never"]`.
    #[serde(default)]
    pub except: Vec<SmolStr>,
    /// Places where the strings may contain `*`.
    #[serde(default = "nowhere")]
    pub wildcards: Wildcards,
    /// Grammar of the strings, if it differs from the client's `names`.
    pub grammar: Option<Arc<Grammar>>,
}

impl AgentList {
    /// Whether the list is in the elements of the call's `each`.
    pub(crate) fn is_in_each(&self) -> bool {
        self.at.iter().any(|selector| selector.start == Start::Each)
    }
}

fn nowhere() -> Wildcards {
    Wildcards::None
}

impl AgentCall {
    /// Whether a module belongs to one of the packages.
    pub(crate) fn owns_module(&self, module: &str) -> bool {
        self.packages.iter().any(|package| module_in_package(module, package))
    }
}

/// A call of a client's row: indices into [`super::Clients`], and into the client's `calls`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CallId {
    pub(crate) client: usize,
    pub(crate) call: usize,
}

/// The calls of all clients, by language and by the last name of the callee.
#[derive(Debug, Default)]
pub(super) struct Calls {
    by_last_name: FxHashMap<(Family, SmolStr), Vec<CallId>>,
}

impl Calls {
    pub(super) fn of(clients: &[Arc<Client>]) -> Calls {
        let mut calls = Calls::default();
        for client in clients {
            for (call, row) in client.calls.iter().enumerate() {
                let id = CallId { client: client.index, call };
                for path in &row.paths {
                    calls.by_last_name.entry((row.language, path.last().clone())).or_default().push(id);
                }
            }
        }
        calls
    }

    pub(super) fn candidates(&self, language: Family, last: &SmolStr) -> &[CallId] {
        self.by_last_name.get(&(language, last.clone())).map_or(&[], Vec::as_slice)
    }
}

/// The words of which code that makes such a call contains at least one.
pub(super) fn words(clients: &[Arc<Client>]) -> Vec<String> {
    let calls = clients.iter().flat_map(|client| &client.calls);
    let words = calls.flat_map(|call| {
        call.paths.iter().flat_map(|path| match path {
            CalleePattern::Imported(path) if call.near.is_empty() => vec![path[path.len() - 1].to_string()],
            _ if !call.near.is_empty() => call.near.iter().map(SmolStr::to_string).collect(),
            // The name of a method is no evidence, so the import is.
            _ => {
                let imported = |package: &SmolStr| match call.language {
                    Family::TypeScript => vec![format!("\"{package}"), format!("'{package}")],
                    Family::Python => vec![format!("import {package}"), format!("from {package}")],
                    Family::Rust => vec![format!("{package}::")],
                };
                call.packages.iter().flat_map(imported).collect()
            }
        })
    });
    let mut words: Vec<String> = words.collect();
    words.sort();
    words.dedup();
    words
}
