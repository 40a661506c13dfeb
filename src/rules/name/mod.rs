//! Rules about the names of tools, checked where the tools are registered.

pub(super) mod case;
pub(super) mod chars;
pub(super) mod client_limit;
pub(super) mod collision;
pub(super) mod duplicate;
pub(super) mod order;
pub(super) mod prefix;
pub(super) mod reserved;
pub(super) mod separator;
pub(super) mod vague;
pub(super) mod verb;
pub(super) mod version;
pub(super) mod words;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};

use rustc_hash::{FxHashMap, FxHashSet};

use self::client_limit::Longest;
use super::{Cx, Rule};
use crate::client::{Client, ClientFacts};
use crate::convention::{Breach, Context, Convention};
use crate::diagnostic::{Action, Diagnostic, Edits, Fix, RenameRequest};
use crate::found::Place;
use crate::known::ours;
use crate::text::{Edit, Span};
use crate::workspace::{Server, Tool};

/// Checks every tool whose own part of the name is in this file.
pub(super) fn check(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let by_name = duplicate::by_name(cx);
    let clients: OnceCell<Vec<&Client>> = OnceCell::new();
    let mut held: Option<Around<'_>> = None;
    for (server, tool) in cx.tools() {
        let known = held.take().filter(|known| std::ptr::eq(known.server, server));
        let around = held.insert(known.unwrap_or_else(|| Around::new(cx, server)));
        let before = diagnostics.len();
        hold(cx, around, tool, diagnostics);
        if diagnostics.len() == before {
            let clients = clients.get_or_init(|| cx.clients());
            let longest = around.longest.get_or_init(|| Longest::of(server, clients));
            client_limit::check(cx, clients, (tool, longest), diagnostics);
        }
        duplicate::check(cx, server, tool, &by_name, diagnostics);
    }
    hold_shared(cx, diagnostics);
    chars::admit(cx, diagnostics);
    prefix::admit(cx, diagnostics);
    reserved::check(cx, diagnostics);
    collision::check_servers(cx, diagnostics);
}

/// The data for judging the names of a server's tools; each field is computed at most once.
struct Around<'a> {
    server: &'a Server,
    convention: Cow<'a, Convention>,
    /// The maximum length of a tool's whole name.
    limit: OnceCell<usize>,
    /// The names of all tools of the server.
    names: OnceCell<FxHashSet<&'a str>>,
    /// The parts of those names that the convention judges.
    judged: OnceCell<FxHashSet<&'a str>>,
    /// The prefix that all names with a prefix share; `None` if their prefixes differ, or if no name has one.
    front: OnceCell<Option<String>>,
    /// The prefix that the package of a tool implies, by the root folder of the package.
    packages: RefCell<FxHashMap<String, Option<String>>>,
    /// For each part of a name that several tools share, whether it is at fault in every one of them.
    pieces: OnceCell<FxHashMap<Place, bool>>,
    /// The keys that the server is started under, for each client.
    longest: OnceCell<Longest<'a>>,
}

impl<'a> Around<'a> {
    fn new(cx: &'a Cx<'_>, server: &'a Server) -> Around<'a> {
        Around {
            server,
            convention: ours::convention(cx.snapshot, &cx.policy.convention, server),
            limit: OnceCell::new(),
            names: OnceCell::new(),
            judged: OnceCell::new(),
            front: OnceCell::new(),
            packages: RefCell::default(),
            pieces: OnceCell::new(),
            longest: OnceCell::new(),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.names.get_or_init(|| self.server.tools.iter().map(|tool| tool.name.as_str()).collect()).contains(name)
    }

    /// Whether the convention judges exactly this part of the name of some tool of the server.
    fn has_judged(&self, name: &str) -> bool {
        let all = || self.server.tools.iter().map(|tool| tool.judged(&self.convention).0).collect();
        self.judged.get_or_init(all).contains(name)
    }

    /// Returns the index of the shared part of a name that contains a fault, and the byte offset of that part in the
    /// name. `None` if the fault is not in a shared part, or if some tool that shares the part has no fault in it: a
    /// prefix that one call site adds twice is the fault of that call site.
    fn shared_fault(&self, tool: &Tool, range: &std::ops::Range<usize>) -> Option<(usize, usize)> {
        let (index, start) = shared_piece(tool, range)?;
        let place = tool.registration.name.parts[index].place()?;
        let pieces = self.pieces.get_or_init(|| {
            let mut pieces = FxHashMap::default();
            for other in &self.server.tools {
                let (judged, offset) = other.judged(&self.convention);
                let faulty = self.convention.judge(judged).into_iter().filter_map(|breach| {
                    let range = breach.range.start + offset..breach.range.end + offset;
                    let (index, _) = shared_piece(other, &range)?;
                    other.registration.name.parts[index].place()
                });
                let faulty: Vec<Place> = faulty.collect();
                for place in other.registration.name.parts.iter().filter_map(|part| part.place()) {
                    *pieces.entry(place).or_insert(true) &= faulty.contains(&place);
                }
            }
            pieces
        });
        pieces.get(&place).copied().unwrap_or(true).then_some((index, start))
    }
}

/// Checks the servers that a client file starts together.
pub(super) fn check_keys(cx: &Cx<'_>, facts: &ClientFacts, diagnostics: &mut Vec<Diagnostic>) {
    collision::check(cx, facts, diagnostics);
}

/// Checks a name against the convention of its server.
fn hold(cx: &Cx<'_>, around: &Around<'_>, tool: &Tool, diagnostics: &mut Vec<Diagnostic>) {
    let convention = &*around.convention;
    let (judged, offset) = tool.judged(convention);
    let mut breaches = convention.judge(judged);
    if breaches.is_empty() {
        breaches.extend(words::needless(around, judged));
    }
    for breach in breaches {
        let Some(rule) = rule_of(&breach) else {
            continue;
        };
        if cx.policy.allows(rule.id, &tool.name) || cx.policy.allows(rule.id, judged) {
            continue;
        }
        let range = breach.range.start + offset..breach.range.end + offset;
        // A fault that lies wholly in a shared part is reported once, at that part.
        if around.shared_fault(tool, &range).is_some() {
            continue;
        }
        // A fault that begins in a prefix from another file is reported at the tool's own part of the name.
        let span = cx.span_in_name(&tool.registration.name, range).unwrap_or_else(|| name_span(cx, tool));
        let fixes = repairs(cx, around, tool);
        let message = format!("`{judged}`: {}", breach.message);
        let mut diagnostic = cx.diagnostic(rule, span, message).with_fixes(fixes);
        diagnostic.severity = breach.severity;
        diagnostics.push(diagnostic);
    }
}

/// Returns the index of the part of a name that contains a byte range, and the byte offset of that part in the name, if
/// other names may have the part, too: it is not the tool's own. `None` if the range is empty, or in no such part. A
/// constant that a name contains twice is right, and the name is not.
fn shared_piece(tool: &Tool, range: &std::ops::Range<usize>) -> Option<(usize, usize)> {
    let parts = &tool.registration.name.parts;
    let mut start = 0;
    for (index, part) in parts.iter().enumerate() {
        let end = start + part.text.len();
        if index != tool.local && start <= range.start && range.end <= end && !range.is_empty() {
            let place = part.place()?;
            let is_once = parts.iter().filter(|other| other.place() == Some(place)).count() == 1;
            return is_once.then_some((index, start));
        }
        start = end;
    }
    None
}

/// Reports each fault in a shared part of a name in this file once: fixing the part fixes every tool that shares it.
fn hold_shared(cx: &Cx<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: FxHashSet<(Span, &str)> = FxHashSet::default();
    for server in cx.servers_with_a_piece() {
        let is_here = |tool: &&Tool| {
            let parts = &tool.registration.name.parts;
            parts.len() > 1 && parts.iter().filter_map(|part| part.place()).any(|place| place.file == cx.file.id)
        };
        let mut around: Option<Around<'_>> = None;
        for tool in server.tools.iter().filter(is_here) {
            let around = around.get_or_insert_with(|| Around::new(cx, server));
            let convention = &*around.convention;
            let (judged, offset) = tool.judged(convention);
            for breach in convention.judge(judged) {
                let range = breach.range.start + offset..breach.range.end + offset;
                let Some((index, start)) = around.shared_fault(tool, &range) else { continue };
                let part = &tool.registration.name.parts[index];
                let Some(place) = part.place().filter(|place| place.file == cx.file.id) else { continue };
                let whole = cx.snapshot.files.span(place);
                let (Some(rule), Some(span)) = (rule_of(&breach), cx.span_in_name(&tool.registration.name, range))
                else {
                    continue;
                };
                if seen.contains(&(span, rule.id)) || cx.policy.allows(rule.id, &part.text) {
                    continue;
                }
                seen.insert((span, rule.id));
                // The corrected part, if there is exactly one correct name and the rest of the name does not change.
                let right = convention.right(judged).and_then(|right| {
                    let right = format!("{}{right}", &tool.name[..offset]);
                    let before = right.strip_prefix(&tool.name[..start])?;
                    let piece = before.strip_suffix(&tool.name[start + part.text.len()..])?;
                    Some(piece.to_string())
                });
                let is_verbatim = whole.len() == part.text.len();
                let fix = right.filter(|_| is_verbatim).map(|right| {
                    let title = format!("change to `{right}` in every name that uses it");
                    let edits = Edits::from([(cx.file.id, vec![Edit::new(whole, right)])]);
                    Fix { title, safe: false, preferred: true, action: Action::Names(edits) }
                });
                let message = format!("`{}`: {}", part.text, breach.message);
                let mut diagnostic = cx.diagnostic(rule, span, message).with_fixes(fix);
                diagnostic.severity = breach.severity;
                diagnostics.push(diagnostic);
            }
        }
    }
}

fn rule_of(breach: &Breach) -> Option<&'static Rule> {
    super::find(breach.rule)
}

/// Returns the fixes that rename a tool to a correct or a shorter name.
fn repairs(cx: &Cx<'_>, around: &Around<'_>, tool: &Tool) -> Vec<Fix> {
    let (server, convention) = (around.server, &*around.convention);
    let (judged, offset) = tool.judged(convention);
    let behind = tool.name.len() - offset - judged.len();
    let wire = |name: &str| format!("{}{name}{}", &tool.name[..offset], &tool.name[tool.name.len() - behind..]);
    let taken = |name: &str| around.has(&wire(name));
    let limit = around.limit.get_or_init(|| limit(cx, server)).saturating_sub(offset + behind);
    let front = front(cx, around, tool);
    let mut proposals = convention.propose(judged, Context { taken: &taken, limit, front: front.as_deref() });
    // For a correct name, only shorter forms are offered, and none of them is preferred.
    let is_right = proposals.is_empty() && convention.judge(judged).is_empty();
    if is_right {
        proposals.extend(convention.shorter(judged).into_iter().filter(|shorter| !taken(shorter)));
    }
    let only = proposals.len() == 1 && !is_right;
    proposals
        .into_iter()
        .map(|name| {
            let place = tool.local_place();
            let span = cx.snapshot.files.span(place);
            let title = format!("rename to `{name}`");
            let request = RenameRequest {
                file: place.file,
                offset: span.start,
                old: tool.name.clone(),
                new: wire(&name),
                keeps_old: false,
                function_too: false,
            };
            Fix { title, safe: false, preferred: only, action: Action::Rename(request) }
        })
        .collect()
}

/// Returns the prefix that a tool's name should have: the one that its package implies, or else the one that all tools
/// of the server with a prefix share. `None` if there is neither.
fn front(cx: &Cx<'_>, around: &Around<'_>, tool: &Tool) -> Option<String> {
    let convention = &*around.convention;
    let root = cx.snapshot.files.package_root(tool.registration.place.file);
    let of_package = || {
        let (_, manifest) = cx.snapshot.files.manifest_in(root)?;
        convention.front_of_package(&manifest.dependencies).map(str::to_string)
    };
    around.packages.borrow_mut().entry(root.to_string()).or_insert_with(of_package).clone().or_else(|| {
        let of_siblings = || {
            let mut fronts = around.server.tools.iter().filter_map(|sibling| convention.front_of(&sibling.name));
            let first = fronts.next()?;
            fronts.all(|front| front == first).then_some(first)
        };
        around.front.get_or_init(of_siblings).clone()
    })
}

/// Returns the maximum length of a tool's whole name with which the composed name is not too long for any client in
/// use, under any key of this server.
fn limit(cx: &Cx<'_>, server: &Server) -> usize {
    let mut limit = crate::convention::MAX_LENGTH;
    for client in cx.clients() {
        for key in &server.keys {
            let prefix = client.wire_name(key, "").len();
            limit = limit.min(client.limit.map_or(usize::MAX, |limit| limit.saturating_sub(prefix)));
        }
    }
    limit
}

/// Returns the span of a tool's own part of its name, where findings about the tool are reported.
fn name_span(cx: &Cx<'_>, tool: &Tool) -> Span {
    cx.snapshot.files.span(tool.local_place())
}
