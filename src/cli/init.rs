//! `toolnames init`: writes a config that fits the names in use.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::json;

use super::args::{Format, Init};
use super::{Outcome, Trouble, open, print, report_trouble};
use crate::convention::{Convention, Proposal, infer};
use crate::disk::NewText;
use crate::found::Confidence;
use crate::rules;
use crate::show::{self, Page};
use crate::workspace::{CONFIG_FILE, Server, Snapshot};

/// A server with the convention that its names follow.
struct Held<'a> {
    server: &'a Server,
    names: Vec<&'a str>,
    proposal: Proposal,
}

pub(super) fn run(command: &Init) -> Result<Outcome, Trouble> {
    let mut opened = open(&command.workspace)?;
    let snapshot = opened.workspace.snapshot();
    let target = command.workspace.root().join(CONFIG_FILE);
    if target.exists() && !command.dry_run {
        anyhow::bail!("{} already exists: use `--dry-run` to see what would be written", target.display());
    }
    let profile = command.workspace.policy.profile.as_deref();
    let held: Vec<Held<'_>> =
        snapshot.analysis().servers.iter().filter_map(|server| held(&snapshot, server, profile)).collect();
    if held.is_empty() {
        anyhow::bail!("this workspace has no tools from which to infer a convention");
    }
    let text = config(&snapshot, &held);
    if !command.dry_run {
        let file = NewText { path: CONFIG_FILE.to_string(), before: None, text: text.clone() };
        opened.disk.write(&[file])?;
    }
    print(&match command.output.format {
        Format::Json => {
            let servers: Vec<serde_json::Value> = held.iter().map(to_json).collect();
            Page::json(&json!({ "config": text, "written": !command.dry_run, "servers": servers }))
        }
        Format::Text => {
            let mut out = Page::default();
            held.iter().for_each(|held| describe(held, &mut out));
            let lead = if command.dry_run { "Would write" } else { "Written to" };
            out.text(&format!("\n{lead} {CONFIG_FILE}:\n\n{text}"));
            out
        }
    })?;
    Ok(if report_trouble(&opened, &snapshot) { Outcome::Partial } else { Outcome::Clean })
}

/// Returns a server with the convention that its names follow; `None` if it has no names. If a profile is requested,
/// only the namespace is derived, from the project's name if no tool has a namespace.
fn held<'a>(snapshot: &Snapshot, server: &'a Server, profile: Option<&str>) -> Option<Held<'a>> {
    let sure = server.tools.iter().filter(|tool| tool.registration.confidence != Confidence::Heuristic);
    let mut names: Vec<&str> = sure.map(|tool| tool.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let asked = profile.and_then(|wanted| Convention::profiles().find(|known| *known == wanted));
    let proposal = match asked {
        Some(profile) => {
            let convention = rules::convention_of(snapshot, server);
            let front = Convention::profile(profile).and_then(|own| own.open_front().map(str::to_string));
            let expected = front.as_deref().and_then(|slot| convention.expected(slot));
            let parameters = expected.map(|namespace| ("namespace", toml::Value::from(namespace)));
            Proposal { profile, parameters: parameters.into_iter().collect() }
        }
        None => infer(&names),
    };
    (!names.is_empty()).then_some(Held { server, proposal, names })
}

/// Returns the config: the convention that most tools follow, and overrides by path for servers that follow another
/// convention.
fn config(snapshot: &Snapshot, held: &[Held<'_>]) -> String {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for one in held {
        let same = held.iter().position(|other| other.proposal == one.proposal).unwrap_or(0);
        *counts.entry(same).or_default() += one.names.len();
    }
    let main = counts.into_iter().max_by_key(|(_, count)| *count).map_or(0, |(index, _)| index);
    let main = &held[main].proposal;
    let mut text = format!("profile = \"{}\"\n", main.profile);
    if !main.parameters.is_empty() {
        let _ = write!(text, "\n[convention]\n{}", toml::to_string(&main.parameters).unwrap_or_default());
    }
    for other in held.iter().filter(|held| held.proposal != *main) {
        let is_alone =
            other.server.root != "." && held.iter().filter(|one| one.server.root == other.server.root).count() == 1;
        // Servers that share a folder are distinguished by their files.
        let matches: Vec<toml::Value> = match is_alone {
            true => vec![format!("{}/**", literal(&other.server.root)).into()],
            false => {
                let files = other.server.tools.iter().map(|tool| tool.registration.place.file);
                let mut paths: Vec<String> = files.map(|file| literal(snapshot.files.path(file))).collect();
                paths.sort();
                paths.dedup();
                paths.into_iter().map(toml::Value::from).collect()
            }
        };
        let matches = toml::Value::from(matches);
        let _ = write!(text, "\n[[paths]]\nmatch = {matches}\nprofile = \"{}\"\n", other.proposal.profile);
        let parameters = &other.proposal.parameters;
        if !parameters.is_empty() {
            let inline: Vec<String> = parameters.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            let _ = writeln!(text, "convention = {{ {} }}", inline.join(", "));
        }
    }
    text
}

/// Returns a glob that matches a path and nothing else.
fn literal(path: &str) -> String {
    globset::escape(path)
}

fn to_json(held: &Held<'_>) -> serde_json::Value {
    let deviants = held.proposal.deviants(&held.names);
    json!({
        "name": held.server.name,
        "root": held.server.root,
        "profile": held.proposal.profile,
        "convention": held.proposal.parameters,
        "names": held.names.len(),
        "deviants": deviants,
    })
}

fn describe(held: &Held<'_>, out: &mut Page) {
    let deviants = held.proposal.deviants(&held.names);
    let parameters: Vec<String> =
        held.proposal.parameters.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let with = if parameters.is_empty() { String::new() } else { format!(" with {}", parameters.join(", ")) };
    let followed = held.names.len() - deviants.len();
    out.line(format_args!(
        "{} ({}): {}{with}; {followed} of {} names follow it",
        show::value(&held.server.name),
        show::value(&held.server.root),
        held.proposal.profile,
        held.names.len()
    ));
    let convention = held.proposal.convention();
    for name in deviants {
        let definition = convention.definition_of(name);
        let before = name.strip_suffix(definition).unwrap_or_default();
        let better = convention.propose(definition, crate::convention::Context::default());
        let better: Vec<String> = better.iter().map(|better| format!("{before}{better}")).collect();
        let better = if better.is_empty() { String::new() } else { format!("  better: {}", better.join(", ")) };
        out.line(format_args!("  {}{better}", show::value(name)));
    }
}
