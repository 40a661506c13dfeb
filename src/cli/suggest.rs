//! `toolnames suggest`: checks bare names, without reading a workspace.

use serde_json::{Value, json};

use super::args::{Format, Kind, Suggest};
use super::{Outcome, Trouble, print};
use crate::convention::{Breach, Context, Convention, Forward};
use crate::diagnostic::Severity;
use crate::disk::{self, ConfigChoice, Disk, Layered, Options, Texts};
use crate::show::{self, Page};

/// The result for one name.
struct Verdict {
    name: String,
    problems: Vec<Breach>,
    fixes: Vec<String>,
    forward: Option<Forward>,
}

pub(super) fn run(command: &Suggest) -> Result<Outcome, Trouble> {
    // Only the config and the profile that are named on the command line are read.
    let config = match command.policy.config() {
        ConfigChoice::Found => ConfigChoice::None,
        named => named,
    };
    let options = Options { overrides: command.policy.overrides()?, config, ..Options::default() };
    let configs = disk::read_configs(&Layered { disk: &Disk::new("."), open: &Texts::new() }, &[], &options)?;
    let convention = configs.policy("").convention;
    let verdicts = command
        .names
        .iter()
        .map(|name| judge(&convention, command.kind, name))
        .collect::<Result<Vec<Verdict>, Trouble>>()?;
    let output = match command.output.format {
        Format::Json => Page::json(&Value::Array(verdicts.iter().map(to_json).collect())),
        Format::Text => {
            let mut page = Page::default();
            verdicts.iter().for_each(|verdict| to_text(verdict, &mut page));
            page
        }
    };
    print(&output)?;
    Ok(if verdicts.iter().all(Verdict::is_ok) { Outcome::Clean } else { Outcome::Findings })
}

impl Verdict {
    fn is_ok(&self) -> bool {
        self.problems.iter().all(|problem| problem.severity < Severity::Warning)
    }
}

fn judge(convention: &Convention, kind: Kind, name: &str) -> Result<Verdict, Trouble> {
    let verdict =
        |problems: Vec<Breach>, fixes: Vec<String>| Verdict { name: name.to_string(), problems, fixes, forward: None };
    match kind {
        Kind::Tool => Ok(verdict(convention.judge(name), convention.propose(name, Context::default()))),
        Kind::Permission | Kind::State if convention.gateway.is_some() => {
            Ok(match convention.judge_permission(name, &[]) {
                // An entry of a state file is not a permission: its problems are reported under another rule.
                Some((breach, fixes)) if kind == Kind::State => {
                    verdict(vec![Breach { rule: "state-form", severity: Severity::Warning, ..breach }], fixes)
                }
                Some((breach, fixes)) => verdict(vec![breach], fixes),
                None if kind == Kind::State && !convention.is_full(name) => {
                    let form = convention.in_full("<server>_<tool>").unwrap_or_default();
                    let message = format!("expected `{form}`");
                    let breach =
                        Breach { rule: "state-form", severity: Severity::Warning, message, range: 0..name.len() };
                    verdict(vec![breach], Vec::new())
                }
                None => verdict(Vec::new(), Vec::new()),
            })
        }
        Kind::Forward if convention.gateway.is_some() => {
            Ok(Verdict { forward: convention.forward(name), ..verdict(convention.judge(name), Vec::new()) })
        }
        Kind::Permission => Ok(permission(name)),
        Kind::Uri if convention.judges_uris() => Ok(verdict(convention.judge_uri(name), convention.propose_uri(name))),
        Kind::Callsite => {
            let (problems, fixes) = convention.judge_short(name);
            Ok(verdict(problems, fixes))
        }
        Kind::Namespace if convention.front().is_some() => {
            // The scope of an npm package is not part of its slug.
            let namespace = convention.namespace_of(name.rsplit('/').next().unwrap_or(name));
            let problem = Breach {
                rule: "name-prefix",
                severity: Severity::Warning,
                message: "this slug does not determine a single namespace: choose one by hand".into(),
                range: 0..name.len(),
            };
            let reserved =
                namespace.as_deref().and_then(|namespace| Some((namespace, convention.owner_of(namespace)?)));
            let problems = match (&namespace, reserved) {
                (None, _) => vec![problem],
                (_, Some((namespace, owner))) => {
                    vec![Breach { message: format!("`{namespace}` is reserved for {owner}"), ..problem }]
                }
                _ => Vec::new(),
            };
            Ok(verdict(problems, namespace.into_iter().collect()))
        }
        kind => {
            let kind = format!("{kind:?}").to_lowercase();
            anyhow::bail!("the profile `{}` does not cover `--kind {kind}`", convention.profile)
        }
    }
}

/// Checks a permission string by its form alone.
fn permission(text: &str) -> Verdict {
    use crate::client::{Clients, Place, Rule, Wildcards};
    let client = Clients::built_in().first();
    let place = Place { wildcards: Wildcards::Anywhere, server: None, servers: crate::client::Spelt::none() };
    let problems = match client.names.parse(text, place) {
        Rule::Malformed(_) => vec![Breach {
            rule: "permission-malformed",
            severity: Severity::Error,
            message: format!("not of the form `{}`", client.names.shown()),
            range: 0..text.len(),
        }],
        _ => Vec::new(),
    };
    Verdict { name: text.to_string(), problems, fixes: Vec::new(), forward: None }
}

fn to_json(verdict: &Verdict) -> Value {
    let problems: Vec<Value> = verdict
        .problems
        .iter()
        .map(|problem| json!({ "rule": problem.rule, "severity": problem.severity.as_str(), "message": problem.message }))
        .collect();
    let mut value =
        json!({ "name": verdict.name, "ok": verdict.is_ok(), "problems": problems, "fixes": verdict.fixes });
    if let Some(forward) = &verdict.forward {
        value["pool"] = forward.pool.clone().into();
        value["forwards"] = forward.forwards.clone().into();
    }
    value
}

fn to_text(verdict: &Verdict, out: &mut Page) {
    let state = if verdict.is_ok() { "right" } else { "wrong" };
    out.line(format_args!("{}: {state}", show::value(&verdict.name)));
    for problem in &verdict.problems {
        out.line(format_args!(
            "  {}[{}]: {}",
            problem.severity.as_str(),
            problem.rule,
            show::message(&problem.message)
        ));
    }
    for fix in &verdict.fixes {
        out.line(format_args!("  better: {}", show::value(fix)));
    }
    if let Some(forward) = &verdict.forward {
        out.line(format_args!(
            "  is forwarded to {} as {}",
            show::value(&forward.pool),
            show::value(&forward.forwards)
        ));
    }
}
