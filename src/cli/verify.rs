//! `toolnames verify`: asks a running server for its tools, and compares the answer with the source and the convention.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::args::{Asked, Format, Verify};
use super::snapshot::{answer, key_of};
use super::{Outcome, Trouble, open, print};
use crate::config::Policy;
use crate::diagnostic::Severity;
use crate::found::{Confidence, HINTS};
use crate::live::Answer;
use crate::rules;
use crate::show::{self, Page};
use crate::workspace::{Server, Snapshot, Tool};

/// A finding about one tool that a server reports.
struct Said {
    /// The rule that was broken; `verify` if source and server disagree.
    rule: &'static str,
    severity: Severity,
    tool: String,
    message: String,
}

/// The comparison of an answer with the source.
struct Verdict {
    live: Vec<String>,
    source: Vec<String>,
    missing_in_source: Vec<String>,
    missing_live: Vec<String>,
    said: Vec<Said>,
}

pub(super) fn run(command: &Verify) -> Result<Outcome, Trouble> {
    let mut opened = open(&command.workspace)?;
    let snapshot = opened.workspace.snapshot();
    let servers = servers(&snapshot, &command.asked)?;
    let answer = answer(&command.asked, opened.disk.root())?;
    let verdict = Verdict::of(&snapshot, &servers, &answer);
    print(&match command.output.format {
        Format::Json => Page::json(&verdict.to_json()),
        Format::Text => verdict.to_text(&servers),
    })?;
    Ok(if verdict.is_good() { Outcome::Clean } else { Outcome::Findings })
}

/// Returns the servers of the workspace that the command starts.
fn servers<'a>(snapshot: &'a Snapshot, asked: &Asked) -> Result<Vec<&'a Server>, Trouble> {
    let analysis = snapshot.analysis();
    let of_key = |key: &str| -> Vec<&'a Server> {
        let known = analysis.keys.get(key);
        known.into_iter().flat_map(|known| &known.servers).map(|&index| &analysis.servers[index]).collect()
    };
    if let Some(key) = &asked.key {
        let found = of_key(key);
        anyhow::ensure!(
            !found.is_empty(),
            "the source of `{key}` is not in this workspace: there is nothing to compare with"
        );
        return Ok(found);
    }
    let started = snapshot.started_by(&asked.command);
    match (key_of(snapshot, &asked.command), analysis.servers.as_slice()) {
        _ if !started.is_empty() => Ok(started),
        (Ok(key), _) if !of_key(&key).is_empty() => Ok(of_key(&key)),
        (_, [only]) => Ok(vec![only]),
        (_, []) => anyhow::bail!("this workspace defines no server, so there is nothing to compare with"),
        (_, several) => {
            let keys: Vec<String> =
                several.iter().flat_map(|server| &server.keys).map(|key| format!("`{key}`")).collect();
            let keys = if keys.is_empty() { "no key is known".to_string() } else { keys.join(", ") };
            anyhow::bail!("this workspace defines {} servers: choose one with `--key` ({keys})", several.len())
        }
    }
}

impl Verdict {
    fn of(snapshot: &Snapshot, servers: &[&Server], answer: &Answer) -> Verdict {
        let sure = |tool: &&Tool| tool.registration.confidence != Confidence::Heuristic;
        let tools: Vec<&Tool> = servers.iter().flat_map(|server| &server.tools).filter(sure).collect();
        let name = |tool: &Value| tool.get("name").and_then(Value::as_str).unwrap_or_default().to_string();
        let live: BTreeSet<String> = answer.tools.iter().map(name).collect();
        let source: BTreeSet<String> = tools.iter().map(|tool| tool.name.clone()).collect();
        let path = tools.first().map_or("", |tool| snapshot.files.path(tool.local_place().file));
        let policy = snapshot.files.configs().policy(path);
        let mut said = Vec::new();
        let mut seen = BTreeSet::new();
        for reported in &answer.tools {
            let name = name(reported);
            if !seen.insert(name.clone()) {
                let message = format!("`{name}` is reported more than once");
                said.push(Said { rule: "name-duplicate", severity: Severity::Error, tool: name, message });
                continue;
            }
            let own = tools.iter().copied().find(|tool| tool.name == name);
            judge(snapshot, servers, &policy, reported, &name, own, &mut said);
        }
        // A tool whose registration depends on a branch or a filter need not be reported by the server.
        let is_sure = |name: &&String| {
            let mut named = tools.iter().filter(|tool| tool.name == **name);
            named.any(|tool| !tool.registration.conditional && !tool.registration.filtered)
        };
        Verdict {
            missing_in_source: live.difference(&source).cloned().collect(),
            missing_live: source.difference(&live).filter(is_sure).cloned().collect(),
            live: live.into_iter().collect(),
            source: source.into_iter().collect(),
            said,
        }
    }

    fn is_good(&self) -> bool {
        let is_fault = |said: &Said| said.severity >= Severity::Warning;
        self.missing_in_source.is_empty() && self.missing_live.is_empty() && !self.said.iter().any(is_fault)
    }

    fn to_json(&self) -> Value {
        let said = self.said.iter().map(|said| {
            json!({
                "rule": said.rule, "severity": said.severity.as_str(), "tool": said.tool, "message": said.message,
            })
        });
        json!({
            "schema_version": 1, "live": self.live, "source": self.source,
            "missing_in_source": self.missing_in_source, "missing_live": self.missing_live,
            "diagnostics": said.collect::<Vec<Value>>(),
        })
    }

    fn to_text(&self, servers: &[&Server]) -> Page {
        let mut out = Page::default();
        let names: Vec<String> = servers.iter().map(|server| show::value(&server.name)).collect();
        let (live, source) = (counted(&self.live), self.source.len());
        out.line(format_args!("{}: {live} live, {source} in source", names.join(", ")));
        for name in &self.missing_in_source {
            out.line(format_args!("  {}: reported, but not found in the source", show::value(name)));
        }
        for name in &self.missing_live {
            out.line(format_args!("  {}: in the source, but not reported", show::value(name)));
        }
        for Said { rule, severity, message, .. } in &self.said {
            out.line(format_args!("  {}: {} ({rule})", severity.as_str(), show::message(message)));
        }
        let incomplete: Vec<&String> = servers.iter().flat_map(|server| &server.incomplete_because).collect();
        if !self.missing_in_source.is_empty() && !incomplete.is_empty() {
            let reasons: Vec<&str> = incomplete.iter().map(|reason| reason.as_str()).collect();
            out.line(format_args!("the source does not show all tools: {}", reasons.join("; ")));
        }
        out
    }
}

fn counted(names: &[String]) -> String {
    if names.len() == 1 { "1 tool".into() } else { format!("{} tools", names.len()) }
}

/// Adds the findings about one reported tool, compared with the convention and with its registration.
fn judge(
    snapshot: &Snapshot,
    servers: &[&Server],
    policy: &Policy,
    reported: &Value,
    name: &str,
    own: Option<&Tool>,
    said: &mut Vec<Said>,
) {
    let mut say = |rule: &'static str, severity: Severity, message: String| {
        if let Some(severity) = policy.severity(rule, severity).filter(|_| !policy.allows(rule, name)) {
            said.push(Said { rule, severity, tool: name.to_string(), message });
        }
    };
    let annotations = reported.get("annotations");
    let title = reported.get("title").or_else(|| annotations?.get("title")).and_then(Value::as_str);
    // Other servers of the workspace list their own names.
    let is_gateway = |name: &String| servers.iter().any(|server| server.goes_by(name));
    let gateway = policy.convention.gateway.as_ref();
    let gateway = gateway.filter(|gateway| gateway.prefixed && is_gateway(&gateway.name));
    let prefix = gateway.map(|gateway| gateway.prefix());
    // `check` already reports problems with names that are found in the source.
    if own.is_none()
        && let Some(server) = servers.first()
    {
        let definition = prefix.as_ref().and_then(|prefix| name.strip_prefix(prefix.as_str())).unwrap_or(name);
        for breach in rules::convention_of(snapshot, server).judge(definition) {
            say(breach.rule, breach.severity, breach.message);
        }
    }
    if let Some(prefix) = prefix.filter(|prefix| !name.starts_with(prefix.as_str())) {
        say("list-prefix", Severity::Warning, format!("`{name}` is reported without the prefix `{prefix}`"));
    }
    if policy.convention.titles && title.is_none() {
        say("tool-title", Severity::Warning, format!("`{name}` is reported without a title"));
    }
    let live = |hint: &str| annotations.and_then(|all| all.get(hint)).and_then(Value::as_bool);
    if live("readOnlyHint") == Some(true) && live("destructiveHint") == Some(true) {
        let message = format!("`{name}` is reported as read-only and destructive: it cannot be both");
        say("tool-annotations", Severity::Error, message);
    }
    let Some(own) = own else { return };
    let written = own.registration.title.as_ref().filter(|title| title.unknown().is_none()).map(|title| title.text());
    if let Some(written) = written.filter(|written| title != Some(written)) {
        let now = title.map_or("none".to_string(), |title| format!("`{title}`"));
        say(
            "verify",
            Severity::Warning,
            format!("the source gives `{name}` the title `{written}`, but the server reports {now}"),
        );
    }
    for (hint, in_rust) in HINTS {
        let written = own.registration.annotations.iter().find(|(own, _)| own == hint || own == in_rust);
        let Some((_, written)) = written.filter(|(_, written)| live(hint) != Some(*written)) else { continue };
        let now = live(hint).map_or("no value".to_string(), |value| value.to_string());
        say(
            "verify",
            Severity::Warning,
            format!("the source sets `{hint}` of `{name}` to {written}, but the server reports {now}"),
        );
    }
}
