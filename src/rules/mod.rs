//! The rules. Each one consists of an `.rs` file with the check and an `.md` file with the documentation: what the rule
//! reports, why, and on which source it is based, with wrong and right examples that run as tests.
//!
//! Rules about the same subject form a family. Each fault is reported by only one rule of its family.

mod config;
mod dispatch;
pub(crate) mod documents;
pub(crate) mod gateway;
mod name;
mod page;
pub(crate) mod permission;
pub(crate) mod recorded;
mod resource;
mod routing;
mod schema;
mod suppression;
mod tool;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::client::Client;
use crate::config::Policy;
use crate::convention::Convention;
use crate::diagnostic::{Diagnostic, RuleId, Severity};
use crate::entry::{Insertion, Statement};
use crate::found::{Confidence, Traced};
use crate::known::ours;
use crate::path::is_installed;
use crate::text::{FileId, Span};
use crate::workspace::{Analysis, Content, File, Server, Snapshot, Tool};

/// The static description of a rule.
#[derive(Debug)]
pub struct Rule {
    pub id: RuleId,
    pub default: Severity,
    pub scope: Scope,
    /// Its Markdown document, whose examples are fixtures of tests.
    pub docs: &'static str,
}

/// The files that a rule depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The file and the configs above it. A finding holds no matter what other files contain, so it is reported while
    /// the rest of a workspace is still being read. Rules about the words of a name do not have this scope: they leave
    /// out the prefix that all names of the server share.
    File,
    /// Any file of the workspace.
    Workspace,
}

impl Rule {
    /// Returns the document as `explain` prints it, without the marks of fixtures.
    pub fn page(&self) -> String {
        page::page(self.docs)
    }

    /// Returns what the rule reports, in one sentence: the first paragraph below the heading of its document.
    pub fn summary(&self) -> String {
        let mut paragraphs = self.docs.split("\n\n").skip(1);
        paragraphs.next().unwrap_or_default().lines().collect::<Vec<_>>().join(" ")
    }
}

/// Every rule, in the order in which lists of rules show them.
pub static RULES: &[&Rule] = &[
    &name::chars::RULE,
    &name::client_limit::RULE,
    &name::duplicate::RULE,
    &name::collision::RULE,
    &name::prefix::RULE,
    &name::separator::RULE,
    &name::case::RULE,
    &name::words::RULE,
    &name::verb::RULE,
    &name::order::RULE,
    &name::vague::RULE,
    &name::version::RULE,
    &name::reserved::RULE,
    &tool::title::RULE,
    &tool::annotations::RULE,
    &tool::bypass::RULE,
    &schema::r#type::RULE,
    &schema::required::RULE,
    &schema::default::RULE,
    &schema::enumeration::RULE,
    &schema::nested::RULE,
    &schema::param::RULE,
    &schema::handler::RULE,
    &resource::RULE,
    &tool::deprecation::RULE,
    &dispatch::RULE,
    &routing::RULE,
    &documents::registry::RULE,
    &documents::table::RULE,
    &documents::name::RULE,
    &documents::count::RULE,
    &gateway::missing::RULE,
    &gateway::route::RULE,
    &gateway::unused::RULE,
    &gateway::incomplete::RULE,
    &gateway::listing::RULE,
    &gateway::state::RULE,
    &gateway::conflict::RULE,
    &permission::malformed::RULE,
    &permission::form::RULE,
    &permission::unknown_server::RULE,
    &permission::unknown_tool::RULE,
    &permission::dead::RULE,
    &permission::conflict::RULE,
    &permission::duplicate::RULE,
    &permission::redundant::RULE,
    &permission::idle::RULE,
    &permission::stale::RULE,
    &permission::removed::RULE,
    &permission::too_wide::RULE,
    &permission::wrong_key::RULE,
    &permission::matcher::RULE,
    &permission::server_key::RULE,
    &recorded::RULE,
    &tool::expired::RULE,
    &config::RULE,
    &suppression::RULE,
];

/// Returns the rule with this id.
pub(crate) fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id).copied()
}

/// The context of a check: one file of a snapshot, and the policy that applies to it.
pub(crate) struct Cx<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) analysis: &'a Analysis,
    pub(crate) file: &'a File,
    pub(crate) policy: Policy,
}

/// Returns all findings in a file, in text order; none for a file of an installed package.
pub fn check(snapshot: &Snapshot, file: FileId) -> Vec<Diagnostic> {
    let Some(file) = snapshot.files.get(file).filter(|file| !is_installed(&file.path)) else {
        return Vec::new();
    };
    check_under(snapshot, file, snapshot.files.configs().policy(&file.path))
}

/// Returns the findings in a file that is alone in its snapshot: only those that hold no matter what other files
/// contain.
pub fn check_alone(snapshot: &Snapshot, file: FileId) -> Vec<Diagnostic> {
    let mut found = check(snapshot, file);
    found.retain(|found| find(found.rule).is_some_and(|rule| rule.scope == Scope::File));
    found
}

/// Returns all findings in a file under the given policy, which need not be the file's own.
fn check_under(snapshot: &Snapshot, file: &File, policy: Policy) -> Vec<Diagnostic> {
    let cx = Cx { snapshot, analysis: snapshot.analysis(), file, policy };
    let mut diagnostics = Vec::new();
    match &file.content {
        Content::Source(_) => {
            name::check(&cx, &mut diagnostics);
            tool::check(&cx, &mut diagnostics);
            schema::check(&cx, &mut diagnostics);
            resource::check(&cx, &mut diagnostics);
            dispatch::check(&cx, &mut diagnostics);
            routing::check(&cx, &mut diagnostics);
            gateway::check(&cx, &mut diagnostics);
        }
        Content::Client(_) => {
            for facts in snapshot.client_facts(file.id) {
                permission::check(&cx, facts, &mut diagnostics);
                name::check_keys(&cx, facts, &mut diagnostics);
            }
        }
        Content::Config(config) => config::check(&cx, config, &mut diagnostics),
        Content::Markdown(markdown) => documents::check(&cx, markdown, &mut diagnostics),
        Content::Data(data) => gateway::check_data(&cx, data, &mut diagnostics),
        Content::Lock(lock) => {
            let fault = lock.fault.iter();
            diagnostics.extend(fault.map(|(span, message)| cx.diagnostic(&config::RULE, *span, message.clone())));
        }
        Content::Recorded(recorded) => recorded::check(&cx, recorded, &mut diagnostics),
        Content::Unparsed
        | Content::Reserve
        | Content::Manifest(_)
        | Content::TsConfig(_)
        | Content::Refused(_)
        | Content::Other => {}
    }
    if !matches!(file.content, Content::Client(_)) {
        for facts in snapshot.client_facts(file.id) {
            permission::check(&cx, facts, &mut diagnostics);
        }
    }
    diagnostics.retain_mut(|diagnostic| match cx.policy.severity(diagnostic.rule, diagnostic.severity) {
        Some(severity) => {
            diagnostic.severity = severity;
            true
        }
        None => false,
    });
    suppression::apply(&cx, &mut diagnostics);
    diagnostics.sort_by(|a, b| (a.span, a.rule, &a.message).cmp(&(b.span, b.rule, &b.message)));
    diagnostics.dedup_by(|a, b| (a.span, a.rule, &a.message) == (b.span, b.rule, &b.message));
    diagnostics
}

pub(crate) use self::suppression::{REASON, allowable, allowed, takes_comments, without_comment};

/// The id of the rule that reports suppression comments without effect.
pub(crate) const SUPPRESSION_UNUSED: RuleId = suppression::RULE.id;

/// Returns all findings in a workspace, file by file.
pub fn check_all(snapshot: &Snapshot) -> Vec<Diagnostic> {
    use rayon::prelude::*;
    let mut files: Vec<&std::sync::Arc<File>> = snapshot.files.all().collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    // Build the analysis before the parallel loop: building it needs the same threads, and none of them may be blocked
    // waiting for it.
    snapshot.analysis();
    files.par_iter().flat_map_iter(|file| check(snapshot, file.id)).collect()
}

/// Returns the convention for the names of a server, including the prefix that all of them share.
pub(crate) fn convention_of(snapshot: &Snapshot, server: &Server) -> Convention {
    let file = server.tools.first().map(|tool| tool.registration.place.file);
    let file = file.or(server.resources.first().map(|resource| resource.place().file));
    let path = file.map_or("", |file| snapshot.files.path(file));
    let policy = snapshot.files.configs().policy(path);
    ours::convention(snapshot, &policy.convention, server).into_owned()
}

impl<'a> Cx<'a> {
    fn severity(&self, rule: &Rule) -> Severity {
        rule.default
    }

    fn diagnostic(&self, rule: &Rule, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(rule.id, self.severity(rule), self.file.id, span, message)
    }

    /// Returns the clients that are relevant for this file.
    fn clients(&self) -> Vec<&'a Client> {
        if self.policy.clients.is_some() {
            return self.snapshot.files.clients(&self.file.path);
        }
        // The clients of the workspace, the same for every file.
        let used = || -> Vec<usize> {
            self.snapshot.files.clients(&self.file.path).iter().map(|client| client.index).collect()
        };
        let used = self.analysis.memo.get("clients".to_string(), used);
        let known = self.snapshot.files.known_clients();
        used.iter().filter_map(|&index| known.iter().nth(index)).map(Arc::as_ref).collect()
    }

    /// Returns every tool with a piece of its name in this file, together with its server.
    fn tools_with_a_piece(&self) -> Vec<(&'a Server, &'a Tool)> {
        let all = self.analysis.memo.get("tools by the files of their pieces".to_string(), || {
            let mut all: FxHashMap<FileId, Vec<(usize, usize)>> = FxHashMap::default();
            for (at, server) in self.analysis.servers.iter().enumerate() {
                for (index, tool) in server.tools.iter().enumerate() {
                    let parts = tool.registration.name.parts.iter().filter_map(|part| part.place());
                    let places = parts.chain(std::iter::once(tool.local_place()));
                    let files: std::collections::BTreeSet<FileId> = places.map(|place| place.file).collect();
                    files.into_iter().for_each(|file| all.entry(file).or_default().push((at, index)));
                }
            }
            all
        });
        let own = all.get(&self.file.id).into_iter().flatten();
        let servers = &self.analysis.servers;
        own.map(|&(server, tool)| (&servers[server], &servers[server].tools[tool])).collect()
    }

    /// Returns the servers that have a tool with a piece of its name in this file.
    fn servers_with_a_piece(&self) -> Vec<&'a Server> {
        let mut servers: Vec<&Server> = self.tools_with_a_piece().into_iter().map(|(server, _)| server).collect();
        servers.dedup_by(|a, b| std::ptr::eq(*a, *b));
        servers
    }

    /// Returns the tools to check in this file, each with its server: those whose own part of the name is written here.
    fn tools(&self) -> impl Iterator<Item = (&'a Server, &'a Tool)> + use<'a> {
        let file = self.file.id;
        // A tool that was recognised only by a heuristic is listed, but not checked.
        let sure = |tool: &Tool| tool.registration.confidence != Confidence::Heuristic;
        // An alias keeps the old name on purpose, so it is not checked.
        let files = &self.snapshot.files;
        let is_alias = move |tool: &Tool| files.alias_note(tool).is_some();
        let all = self.tools_with_a_piece().into_iter();
        all.filter(move |(_, tool)| tool.local_place().file == file && sure(tool) && !is_alias(tool))
    }

    /// Returns the place in the source where a byte range of a tool's name is written: exactly these bytes if one
    /// literal contains them all unescaped, otherwise the whole piece that contains the first of them. `None` if that
    /// piece is not in this file.
    fn span_in_name(&self, name: &Traced, range: std::ops::Range<usize>) -> Option<Span> {
        let mut start = 0;
        let mut pieces = name.parts.iter().map(|part| {
            let from = start;
            start += part.text.len();
            (from, start, part)
        });
        let whole_in_one = |from: usize, to: usize| from <= range.start && range.end <= to;
        let all: Vec<_> = pieces.by_ref().collect();
        let (from, _, part) = all
            .iter()
            .find(|(from, to, _)| whole_in_one(*from, *to))
            .or_else(|| all.iter().find(|(from, to, _)| *from <= range.start && range.start < *to))
            .or(all.last())?;
        let place = part.place()?;
        if place.file != self.file.id {
            return None;
        }
        let span = self.snapshot.files.span(place);
        let verbatim = span.len() == part.text.len();
        match verbatim && range.start >= *from && range.end - from <= part.text.len() {
            true => Some(span.slice(range.start - from, range.end - from)),
            false => Some(span),
        }
    }
}

/// Returns the insertion of an import before the other imports of a file, but after those from `__future__`, which must
/// stay first. `None` if there is no other import.
fn import_added(cx: &Cx<'_>, file: FileId, statement: String) -> Option<Insertion> {
    let start = cx.snapshot.files.first_import(file)?;
    let before = Span { start, end: start + 1 };
    Some(Insertion::Statement(Statement { file, before, text: statement, end: "" }))
}
