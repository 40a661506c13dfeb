//! `permission-unknown-tool`: an allow entry for a tool that its server does not have.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Examined;
use super::fuel::Fuel;
use super::servers::ServerNames;
use super::spelling::{is_obvious_slip, squashed};
use crate::client::{Entry, ListKind, Rule as Permission};
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::name::{Candidates, Name};
use crate::rules::{Cx, Rule, Scope};
use crate::workspace::Content;

pub(crate) const RULE: Rule = Rule {
    id: "permission-unknown-tool",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("unknown_tool.md"),
};

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    if !matches!(examined.list.kind, ListKind::Allow | ListKind::Offer | ListKind::Mention | ListKind::Watch) {
        return None;
    }
    let missing = missing(cx, examined)?;
    let message = match &missing.near {
        Some(near) => format!("{}; did you mean `{near}`?", missing.message),
        None => missing.message,
    };
    let mut fixes = examined.repairs(cx, missing.near.as_slice());
    if missing.is_sure {
        fixes.extend(examined.left_out(cx));
    } else {
        fixes = fixes.into_iter().map(|fix| fix.marked_unsafe().into_choice()).collect();
    }
    Some(examined.diagnostic(cx, &RULE, message).with_fixes(fixes))
}

/// A well-formed string that matches no known tool of its server.
pub(super) struct Missing {
    pub(super) message: String,
    /// The name that was probably meant.
    pub(super) near: Option<String>,
    /// Whether all tools of the server are known.
    pub(super) is_sure: bool,
}

/// Returns why a string matches no known tool of its server; `None` if it matches one, or if that cannot be decided.
pub(super) fn missing(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Missing> {
    let (text, arguments) = examined.name_and_arguments();
    let near = |server: &ServerNames, tool: &str| {
        examined.servers.nearest(server, tool, &examined.fuel).map(|near| format!("{near}{arguments}"))
    };
    // The name that a tool of the gateway will have once its definition is corrected is not reported.
    if examined.servers.gateway.as_ref().is_some_and(|names| names.contains(text)) {
        return None;
    }
    match examined.rule {
        Permission::Tool { server, tool } => {
            let server = examined.servers.of(server).filter(|server| !server.names.contains(text))?;
            if examined.client.prompts && is_prompt(cx, examined, &server.key, tool) {
                return None;
            }
            if examined.client.loose {
                let letters = squashed(text);
                if server.names.iter().any(|name| squashed(name) == letters) {
                    return None;
                }
            }
            if !examined.servers.knows(server) {
                if server.may_have(tool) {
                    return None;
                }
                // The server may have unknown tools, but an unknown tool is unlikely to have a name that is a typo away
                // from a known one.
                let near = near(server, tool)?;
                let message = format!("`{tool}` is not among the known tools of `{}`", server.key);
                return Some(Missing { message, near: Some(near), is_sure: false });
            }
            let message = format!("`{}` has no tool `{tool}`", server.key);
            Some(Missing { message, near: near(server, tool), is_sure: true })
        }
        Permission::ToolPattern { server, tool } => {
            let pattern = examined.list.pattern(text);
            let server = examined
                .servers
                .of(server)
                .filter(|server| examined.servers.knows(server) && !server.any_matches(&pattern, &examined.fuel))?;
            let message = format!("`{tool}` matches no tool of `{}`", server.key);
            Some(Missing { message, near: server.nearest_pattern(tool, &examined.fuel), is_sure: true })
        }
        _ => None,
    }
}

/// Whether a server with this key has a prompt of this name.
fn is_prompt(cx: &Cx<'_>, examined: &Examined<'_>, key: &str, name: &str) -> bool {
    let known = cx.analysis.key_of(examined.list, key).into_iter();
    let mut prompts = known.flat_map(|known| cx.analysis.servers_of(known)).flat_map(|server| &server.prompts);
    prompts.any(|prompt| examined.grammar().normalise(&prompt.name) == name)
}

/// The names of all tools, for calls that do not name a server.
#[derive(Default)]
struct Names {
    known: FxHashSet<String>,
    candidates: Candidates,
}

/// Checks calls in which only the tool is named, as in a program that is connected to some server.
pub(super) struct Called(Arc<Names>);

impl Called {
    pub(super) fn new(cx: &Cx<'_>) -> Called {
        let names = || {
            let recorded = cx.analysis.recorded.iter().flat_map(|server| &server.tools);
            let tools = cx.analysis.tools().map(|(_, tool)| tool).chain(recorded);
            let known: FxHashSet<String> = tools.map(|tool| tool.name.clone()).collect();
            Names { candidates: Candidates::new(known.iter().map(String::as_str)), known }
        };
        Called(cx.analysis.memo.get("called".to_string(), names))
    }

    /// Reports a typo: a name that no tool of the workspace has, but that is close to the name of one.
    pub(super) fn check(&self, cx: &Cx<'_>, entry: &Entry, fuel: &Fuel) -> Option<Diagnostic> {
        let name = entry.text.text.as_str();
        if self.0.known.contains(name) || cx.policy.allows(RULE.id, name) {
            return None;
        }
        // If names of two words differ in only one letter, each may be the name of a tool, of different servers.
        // Case and separators are no letters.
        let folded = |name: &str| name.replace('-', "_").to_lowercase();
        let is_swap = |near: &str| {
            let (near, name) = (folded(near), folded(name));
            near.len() != name.len() || strsim::hamming(&near, &name) != Ok(1)
        };
        let is_slip =
            |near: &&str| is_obvious_slip(name, near) && (is_swap(near) || Name::new(near).lower_words().len() > 2);
        let near = self.0.candidates.nearest(name, &|steps| fuel.take(steps)).filter(is_slip)?;
        if is_defined(cx, name) {
            return None;
        }
        let message = format!("no server in this workspace has a tool `{name}`; did you mean `{near}`?");
        let fix = Fix::replace(format!("replace with `{near}`"), cx.file.id, entry.text.span, near);
        // The tool may belong to any server.
        Some(cx.diagnostic(&RULE, entry.text.span, message).with_fixes([fix.marked_unsafe()]))
    }
}

/// Whether the file is source code that defines or imports something of this name, which may be a tool of its own.
fn is_defined(cx: &Cx<'_>, name: &str) -> bool {
    let Content::Source(facts) = &cx.file.content else { return false };
    let mut definitions = facts.items.iter().flat_map(|item| &item.facts.definitions);
    facts.top_level.contains_key(name) || definitions.any(|definition| definition.name == name)
}
