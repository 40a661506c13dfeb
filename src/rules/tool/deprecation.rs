//! `deprecation-missing`: a tool has a successor and is not marked as deprecated.

use super::{Siblings, written};
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, Severity};
use crate::entry::{Insertion, Statement};
use crate::found::{Origin, Place, Traced};
use crate::lower::{Expr, Function};
use crate::rules::{Cx, Rule, Scope};
use crate::syntax::Family;
use crate::text::Edit;
use crate::workspace::Tool;

pub(crate) const RULE: Rule = Rule {
    id: "deprecation-missing",
    default: Severity::Warning,
    scope: Scope::Workspace,
    docs: include_str!("deprecation.md"),
};

/// Functions that write to a log: those of the languages' standard libraries and of the most common other libraries.
const LOGGING: [&str; 8] = ["warning", "warn", "warn_explicit", "error", "eprintln", "deprecated", "log", "exception"];
/// Common names of a module's logger.
const LOGGERS: [&str; 5] = ["logger", "log", "_logger", "LOGGER", "LOG"];

pub(super) fn check(cx: &Cx<'_>, siblings: &Siblings<'_>, tool: &Tool, diagnostics: &mut Vec<Diagnostic>) {
    if cx.policy.convention.allows_versions() || cx.policy.allows(RULE.id, &tool.name) {
        return;
    }
    let Some(successor) = siblings.successors.get(&tool.name).copied() else { return };
    let said = says_so(tool.registration.description.as_ref());
    // A handler that also runs for other tools need not log anything: it does not know which tool was called.
    let handler = tool.registration.handler.and_then(|handler| siblings.handlers.get(&handler));
    let is_shared = handler.is_some_and(|count| *count > 1);
    let function = function_of(cx, tool).filter(|_| !is_shared);
    let logged = function.as_ref().is_none_or(|(place, function)| is_logged(cx, *place, function));
    let missing = match (said, logged) {
        (true, true) => return,
        (false, true) => "its description does not say that it is deprecated",
        (true, false) => "nothing is logged when it is called",
        (false, false) => "its description does not say that it is deprecated, and nothing is logged when it is called",
    };
    let convention = &cx.policy.convention;
    let (own, next) = (convention.own_part(&tool.name), convention.own_part(&successor.name));
    let mut action = Some((Vec::new(), Edits::new()));
    if !said {
        action = action.and_then(|so_far| say(cx, tool, next, so_far));
    }
    if let (false, Some((place, function))) = (logged, &function) {
        let warning = format!("{own} is deprecated. Use {next}.");
        action = action.and_then(|so_far| log(cx, *place, function, &warning, so_far));
    }
    let fix = action.map(|(insertions, edits)| Fix {
        title: format!("mark it as deprecated in favour of `{next}`"),
        safe: false,
        preferred: true,
        action: Action::Write(insertions, edits),
    });
    let span = cx.snapshot.files.span(tool.local_place());
    let place = successor.local_place();
    let message = format!("`{}` has a successor, `{}`: {missing}", tool.name, successor.name);
    let diagnostic = cx.diagnostic(&RULE, span, message).with_fixes(fix);
    diagnostics.push(diagnostic.with_related(place.file, cx.snapshot.files.span(place), "the successor"));
}

/// Returns the names that a versioned name follows: `x_v3` follows `x_v2`, and `x_v2` both `x_v1` and `x`.
pub(super) fn predecessors(name: &str) -> Vec<String> {
    let version = name.rsplit_once("_v").and_then(|(base, version)| Some((base, version.parse::<u32>().ok()?)));
    match version {
        Some((base, version @ 2..)) => {
            let before = format!("{base}_v{}", version - 1);
            if version == 2 { vec![before, base.to_string()] } else { vec![before] }
        }
        _ => Vec::new(),
    }
}

fn says_so(description: Option<&Traced>) -> bool {
    // Phrases that say that the tool itself is deprecated, not something that it works with.
    const SAYING: [&str; 11] = [
        "(deprecated",
        "[deprecated",
        "deprecated:",
        "deprecated)",
        "deprecated]",
        "deprecated,",
        "deprecated.",
        "is deprecated",
        "deprecated in favo",
        "deprecated since",
        "@deprecated",
    ];
    description.is_some_and(|description| {
        let text = description.text().to_lowercase();
        text.trim_start().starts_with("deprecated") || SAYING.iter().any(|saying| text.contains(saying))
    })
}

/// Returns the function that runs when a tool is called, with its place, if it is known.
fn function_of<'a>(cx: &Cx<'a>, tool: &Tool) -> Option<(Place, &'a Function)> {
    let place = tool.registration.handler?;
    let item = cx.snapshot.files.facts(place.file)?.items.get(place.item as usize)?;
    item.facts.function_at(place.span).map(|(_, function)| (place, function))
}

fn is_logged(cx: &Cx<'_>, place: Place, function: &Function) -> bool {
    let Some(item) = cx.snapshot.files.facts(place.file).and_then(|facts| facts.items.get(place.item as usize)) else {
        return true;
    };
    let says_so = |expr: &Expr| {
        let mut found = false;
        expr.visit(&mut |part| {
            found |= match part {
                Expr::Text { text, .. } => text.to_lowercase().contains("deprecat"),
                part => part.last_name().is_some_and(|name| name.contains("Deprecat")),
            };
        });
        found
    };
    item.facts.calls.iter().any(|call| {
        let is_logging = call.callee.last_name().is_some_and(|name| LOGGING.contains(&name.trim_end_matches('!')));
        // The arguments of a macro are not always known, so any logging macro is enough.
        let is_macro = call.callee.last_name().is_some_and(|name| name.ends_with('!'));
        function.span.contains(call.span) && is_logging && (is_macro || call.args.iter().any(|arg| says_so(&arg.value)))
    })
}

type Marked = (Vec<Insertion>, Edits);

/// Adds the edits that mark a tool as deprecated in its description and name the successor: at the end of the first
/// sentence, or as the whole description. `None` if the description cannot be edited.
fn say(cx: &Cx<'_>, tool: &Tool, next: &str, (mut insertions, mut edits): Marked) -> Option<Marked> {
    let Some(description) = &tool.registration.description else {
        let fix = written(cx, tool, "description", format!("Deprecated: use {next}.").into(), String::new())?;
        match fix.action {
            Action::Write(more, _) => insertions.extend(more),
            Action::Edit(more) => edits.extend(more),
            Action::Names(_) | Action::Rename(_) | Action::RemoveAlias(_) => {}
        }
        return Some((insertions, edits));
    };
    // A description that other tools share, or that is computed in part, is not changed here.
    let own = tool.local_place();
    let is_own = |place: &Place| (place.file, place.item) == (own.file, own.item);
    let places: Option<Vec<Place>> = description.parts.iter().map(|part| part.place()).collect();
    // Pieces of one literal are adjacent; the pieces of a template have substitutions between them.
    let is_one = |places: &Vec<Place>| places.windows(2).all(|pair| pair[0].span.end == pair[1].span.start);
    if !places.is_some_and(|places| places.iter().all(is_own) && is_one(&places)) {
        return None;
    }
    let text: String = description.parts.iter().map(|part| part.text.as_str()).collect();
    let end = sentence_end(&text);
    let mut start = 0;
    let (part, at) = description.parts.iter().find_map(|part| {
        let at = end.checked_sub(start)?;
        start += part.text.len();
        (at > 0 && at <= part.text.len()).then_some((part, at))
    })?;
    let Origin::Literal(place) = part.origin else { return None };
    let span = cx.snapshot.files.span(place);
    if span.len() != part.text.len() {
        return None;
    }
    let edit = Edit::new(span.slice(at, at), format!(" (deprecated: use {next})"));
    edits.entry(place.file).or_default().push(edit);
    Some((insertions, edits))
}

/// Returns the byte offset at which the first sentence of a text ends, before its full stop, or at which its first
/// paragraph ends if there is no full stop.
fn sentence_end(text: &str) -> usize {
    let lead = text.len() - text.trim_start().len();
    let paragraph = text[lead..].split("\n\n").next().unwrap_or("").trim_end();
    let stops = paragraph.match_indices('.').map(|(at, _)| at);
    let ends = |at: &usize| paragraph[at + 1..].chars().next().is_none_or(char::is_whitespace);
    lead + stops.into_iter().find(ends).unwrap_or(paragraph.len())
}

/// Adds the statement that logs a warning at the start of a function, with the logger of its file if there is one.
/// `None` if the statement cannot be added.
fn log(
    cx: &Cx<'_>,
    place: Place,
    function: &Function,
    warning: &str,
    (mut insertions, edits): Marked,
) -> Option<Marked> {
    let files = &cx.snapshot.files;
    let facts = files.facts(place.file)?;
    let start = facts.items.get(place.item as usize)?.start;
    // A parameter may hide the logger.
    let is_hidden = |name: &str| function.params.iter().any(|param| param.name == name);
    let logger = LOGGERS.into_iter().find(|name| facts.top_level.contains_key(*name) && !is_hidden(name));
    let (text, end) = match files.family(place.file)? {
        Family::Python => {
            let call = match logger {
                Some(logger) => format!("{logger}.warning(\"{warning}\")"),
                None => {
                    if !facts.top_level.contains_key("logging") {
                        insertions.push(crate::rules::import_added(cx, place.file, "import logging".to_string())?);
                    }
                    format!("logging.getLogger(__name__).warning(\"{warning}\")")
                }
            };
            (call, ";")
        }
        Family::TypeScript => (format!("{}.warn('{warning}');", logger.unwrap_or("console")), ""),
        Family::Rust => {
            let root = files.package_root(place.file);
            let needs = |name: &str| {
                let manifest = files.manifest_in(root);
                manifest.is_some_and(|(_, manifest)| manifest.dependencies.iter().any(|needed| needed == name))
            };
            let library = ["tracing", "log"].into_iter().find(|library| needs(library));
            let call = library.map_or_else(|| "eprintln!".to_string(), |library| format!("{library}::warn!"));
            (format!("{call}(\"{warning}\");"), "")
        }
    };
    let before = function.first?.shifted(start);
    insertions.push(Insertion::Statement(Statement { file: place.file, before, text, end }));
    Some((insertions, edits))
}
