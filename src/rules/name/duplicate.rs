//! `name-duplicate`: two tools of one server with the same name.
//!
//! Two registrations are certain to collide only if both run, one after the other: they are in one body, and neither is
//! in a branch.

use rustc_hash::FxHashMap;

use super::name_span;
use crate::diagnostic::{Diagnostic, Severity};
use crate::framework::Duplicate;
use crate::lower::ScopeId;
use crate::rules::{Cx, Rule, Scope};
use crate::text::FileId;
use crate::workspace::{Server, Tool};

pub(crate) const RULE: Rule = Rule {
    id: "name-duplicate",
    default: Severity::Error,
    scope: Scope::Workspace,
    docs: include_str!("duplicate.md"),
};

/// The tools of a file's servers that are registered unconditionally, by server, name, and the body that contains the
/// registration.
pub(super) type ByName<'a> = FxHashMap<(*const Server, &'a str, Body), Vec<&'a Tool>>;
type Body = (FileId, u32, ScopeId);

pub(super) fn by_name<'a>(cx: &Cx<'a>) -> ByName<'a> {
    let mut all: ByName<'a> = FxHashMap::default();
    let file = cx.file.id;
    for server in cx.servers_with_a_piece() {
        if server.tools.iter().any(|tool| tool.local_place().file == file) {
            for tool in server.tools.iter().filter(|tool| !tool.registration.conditional) {
                let of = (std::ptr::from_ref(server), tool.name.as_str(), tool.registration.body);
                all.entry(of).or_default().push(tool);
            }
        }
    }
    all
}

pub(super) fn check(
    cx: &Cx<'_>,
    server: &Server,
    tool: &Tool,
    by_name: &ByName<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let registration = &tool.registration;
    if registration.servers.is_empty() || registration.conditional || cx.policy.allows(RULE.id, &tool.name) {
        return;
    }
    let namesakes = by_name.get(&(std::ptr::from_ref(server), tool.name.as_str(), registration.body));
    let Some(namesakes) = namesakes.filter(|namesakes| namesakes.len() > 1) else { return };
    let framework = &cx.snapshot.files.frameworks_arc().rows[registration.framework];
    // Clients get the list that a handler returns as it is; only the registry of a framework compares names.
    let duplicate = if registration.listed { Duplicate::ListsBoth } else { framework.duplicate };
    let consequence = match duplicate {
        Duplicate::Throws => "the second registration throws when the server starts",
        Duplicate::KeepsFirst => "the first registration is kept, and the others are ignored",
        Duplicate::KeepsLast => "the last registration replaces the others",
        Duplicate::ListsBoth => "both are listed, and calls reach only one of them",
    };
    let message =
        format!("`{}` is registered {} times in `{}`: {consequence}", tool.name, namesakes.len(), server.name);
    let mut diagnostic = cx.diagnostic(&RULE, name_span(cx, tool), message);
    /// The maximum number of other registrations that are shown; the message counts all registrations.
    const SHOWN: usize = 8;
    for other in namesakes.iter().filter(|other| !std::ptr::eq(**other, tool)).take(SHOWN) {
        let place = other.local_place();
        diagnostic = diagnostic.with_related(place.file, cx.snapshot.files.span(place), "also registered here");
    }
    diagnostics.push(diagnostic);
}
