//! `permission-removed-tool`: an entry for a tool that a public server had once.
//!
//! Of a public server, only a former name is certain to be wrong: what runs may be newer than the catalogue, or list more
//! tools with other options.

use super::Examined;
use super::spelling::{is_obvious_slip, squashed};
use crate::catalogue::{Bound, PublicServer, PublicTool};
use crate::client::{Asked, ListKind, Rule as Permission};
use crate::diagnostic::{Diagnostic, Edits, Fix, Severity};
use crate::known::public::{Evidence, Named, of_key};
use crate::rules::{Cx, Rule, Scope};

pub(crate) const RULE: Rule = Rule {
    id: "permission-removed-tool",
    default: Severity::Info,
    scope: Scope::Workspace,
    docs: include_str!("removed.md"),
};

pub(super) fn check(cx: &Cx<'_>, examined: &Examined<'_>) -> Option<Diagnostic> {
    let Permission::Tool { server, tool: written } = examined.rule else { return None };
    if !cx.policy.catalogue {
        return None;
    }
    let known = examined.servers.of(server).and_then(|known| cx.analysis.key_of(examined.list, &known.key));
    let named = of_key(cx.analysis, examined.grammar(), server, known);
    let [Named { server: public, evidence }] = named.as_slice() else { return None };
    let (name, arguments) = examined.name_and_arguments();
    let spelt = |tool: &str| examined.grammar().composed(server, tool);
    let found = public.tool(|tool| spelt(tool) == name);
    let message = match (found, evidence) {
        (Some((tool, span)), Evidence::Usual) if is_only_server(public, examined, server) => {
            format!("{} has no `{tool}` since {}{}", public.name(), span.gone.as_ref()?, became(span))
        }
        (Some((tool, span)), Evidence::Started(asked)) if is_open(asked) && public.bound == Bound::All => format!(
            "`{tool}` is not among the tools of {} {}, the newest version known ({}); last seen in {}{}",
            public.name(),
            public.newest(),
            public.checked,
            span.gone.as_ref().and(span.last.as_ref())?,
            became(span)
        ),
        (None, Evidence::Started(asked)) if is_open(asked) && public.bound == Bound::All => {
            let letters = squashed(name);
            let is_alike = |tool: &&str| {
                squashed(&spelt(tool)) == letters || is_obvious_slip(written, &examined.grammar().normalise(tool))
            };
            let mut alike = public.tools().map(|(tool, _)| tool).filter(is_alike);
            let (Some(right), None) = (alike.next(), alike.next()) else { return None };
            let message =
                format!("no version of {} that is known has this tool; did you mean `{right}`?", public.name());
            let right = format!("{}{arguments}", spelt(right));
            let fix = examined.replacement(cx, &right).marked_unsafe().into_choice();
            return Some(severe(examined.diagnostic(cx, &RULE, message), asked).with_fixes([fix]));
        }
        _ => return None,
    };
    let fixes = found.into_iter().flat_map(|(_, span)| successors(cx, examined, span, server));
    let diagnostic = examined.diagnostic(cx, &RULE, message).with_fixes(fixes);
    Some(match evidence {
        Evidence::Started(asked) => severe(diagnostic, asked),
        Evidence::Usual | Evidence::OneOfSeveral => diagnostic,
    })
}

/// Whether a newer version than the known ones may run.
fn is_open(asked: &Asked) -> bool {
    matches!(asked, Asked::Newest | Asked::Nothing)
}

/// The finding with the severity that the version allows: without one, an older version may run that has the tool.
fn severe(mut diagnostic: Diagnostic, asked: &Asked) -> Diagnostic {
    if *asked == Asked::Nothing {
        diagnostic.severity = Severity::Hint;
    }
    diagnostic
}

fn became(span: &PublicTool) -> String {
    let all: Vec<String> = span.became.iter().map(|tool| format!("`{tool}`")).collect();
    if all.is_empty() { String::new() } else { format!("; it became {}", all.join(" or ")) }
}

/// Whether all names that the list has under the key are names of the public server, in some version. If not, the key is
/// that of another server.
fn is_only_server(public: &PublicServer, examined: &Examined<'_>, server: &str) -> bool {
    let list = examined.list;
    list.entries.iter().all(|entry| match list.parse(&entry.text.text, &examined.servers.spelt) {
        Permission::Tool { server: other, .. } if other == server => {
            let name = list.bare(&entry.text.text);
            public.tool(|tool| list.grammar.composed(server, tool) == name).is_some()
        }
        _ => true,
    })
}

/// The fixes for a tool that others replaced: in a list that denies or asks, they are added beside it.
fn successors(cx: &Cx<'_>, examined: &Examined<'_>, span: &PublicTool, server: &str) -> Vec<Fix> {
    let (_, arguments) = examined.name_and_arguments();
    let is_guard = matches!(examined.list.kind, ListKind::Deny | ListKind::Ask);
    if span.wider && !is_guard {
        return Vec::new();
    }
    let new = |tool: &str| format!("{}{arguments}", examined.grammar().composed(server, tool));
    let fixes = span.became.iter().map(|tool| new(tool)).filter_map(|new| {
        if examined.list.entries.iter().any(|entry| entry.text.text == new) {
            return None;
        }
        if !is_guard {
            return Some(examined.replacement(cx, &new).marked_unsafe().into_choice());
        }
        let edit = examined.list.replaced(examined.entry, &[examined.text().to_string(), new.clone()])?;
        let edits = Edits::from([(cx.file.id, vec![edit])]);
        Some(Fix::edits(format!("add `{new}`"), edits).marked_unsafe().into_choice())
    });
    fixes.collect()
}
