//! Infers the convention that existing names follow, for `toolnames init`.

use std::collections::BTreeMap;

use super::spelling::CASES;
use super::{Convention, verbs};
use crate::diagnostic::Severity;
use crate::name::Name;

/// The minimum percentage of the names that must follow a proposal.
const MOST: usize = 60;
/// The minimum number of names for which a common part is not a coincidence.
const ENOUGH: usize = 3;
/// The maximum number of different prefixes that count as a set of prefixes.
const MAX_FRONTS: usize = 8;

/// A convention for the names of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    pub profile: &'static str,
    /// The parameters that differ from the profile's, with their keys in a `[convention]` table.
    pub parameters: BTreeMap<&'static str, toml::Value>,
}

impl Proposal {
    fn of(profile: &'static str) -> Proposal {
        Proposal { profile, parameters: BTreeMap::new() }
    }

    fn with(mut self, key: &'static str, value: impl Into<toml::Value>) -> Proposal {
        self.parameters.insert(key, value.into());
        self
    }

    /// The resulting convention.
    pub fn convention(&self) -> Convention {
        let mut convention = Convention::profile(self.profile).unwrap_or_default();
        let text = toml::to_string(&self.parameters).unwrap_or_default();
        convention.apply(&crate::document::parse_toml(&text).0, &mut Vec::new());
        convention
    }

    /// The names that do not follow the convention.
    pub fn deviants<'n>(&self, names: &[&'n str]) -> Vec<&'n str> {
        let convention = self.convention();
        let is_wrong = |name: &str| {
            let definition = convention.definition_of(name);
            convention.judge(definition).iter().any(|breach| breach.severity >= Severity::Warning)
        };
        names.iter().copied().filter(|name| is_wrong(name)).collect()
    }
}

/// The convention that most of these names follow; if there are several, the most specific.
pub fn infer(names: &[&str]) -> Proposal {
    let fits = |proposal: &Proposal| {
        let wrong = proposal.deviants(names).len();
        (names.len() - wrong) * 100 >= names.len() * MOST
    };
    candidates(names).into_iter().find(fits).unwrap_or_else(|| Proposal::of("mcp"))
}

/// The conventions that the names may follow, the most specific first.
fn candidates(names: &[&str]) -> Vec<Proposal> {
    let mut candidates = Vec::new();
    // The protocol does not allow colons in names, so a single name with a colon is enough.
    if let Some(namespace) = shared(names, |name| name.split_once(':').map(|(namespace, _)| namespace)) {
        candidates.push(Proposal::of("chora").with("namespace", namespace));
    }
    if names.len() < ENOUGH {
        return candidates;
    }
    if let Some(gateway) = shared(names, gateway_of) {
        candidates.extend(gateways(gateway, names));
    }
    let profiles = ["syntropy", "lightdash", "browser", "adobe"].map(Proposal::of);
    candidates.extend(profiles.into_iter().filter(|profile| stands_before_several(profile, names)));
    for (case, ..) in CASES.iter().filter(|(.., (case, joiner))| case.is_some() && joiner.is_some()) {
        let cased = |proposal: Proposal| proposal.with("case", *case);
        if let Some(prefix) = prefix(names) {
            candidates.push(cased(Proposal::of("mcp")).with("prefix", prefix));
        }
        if let Some((fronts, separator)) = fronts(names) {
            let fronts: Vec<toml::Value> = fronts.into_iter().map(toml::Value::from).collect();
            let pattern = format!("{{product}}{separator}{{tool}}");
            candidates.push(cased(Proposal::of("mcp")).with("pattern", pattern).with("products", fronts));
        }
        candidates.push(cased(Proposal::of("mcp")));
    }
    candidates.sort_by_key(|candidate| match candidate.profile {
        "mcp" => (1, std::cmp::Reverse(candidate.parameters.len())),
        _ => (0, std::cmp::Reverse(0)),
    });
    candidates
}

/// The gateway in a name of the form `mcp__<gateway>__<definition>`.
fn gateway_of(name: &str) -> Option<&str> {
    let (gateway, definition) = name.strip_prefix("mcp__")?.split_once("__")?;
    (!gateway.is_empty() && !definition.is_empty()).then_some(gateway)
}

/// The conventions that the names of a gateway may follow, with the servers of the profile or those in the names.
fn gateways(gateway: &str, names: &[&str]) -> Vec<Proposal> {
    let known = Proposal::of("syntropy");
    let is_profiles_own = known.convention().gateway.is_some_and(|own| own.name == gateway);
    let known = if is_profiles_own { known } else { known.with("gateway", gateway) };
    let definitions: Vec<&str> =
        names.iter().filter_map(|name| name.strip_prefix("mcp__")?.split_once("__")).map(|(_, own)| own).collect();
    let shown = fronts(&definitions).filter(|(_, separator)| *separator == "_");
    let shown = shown.map(|(servers, _)| {
        let servers: Vec<toml::Value> = servers.into_iter().map(toml::Value::from).collect();
        known.clone().with("servers", servers)
    });
    std::iter::once(known).chain(shown).collect()
}

/// Whether the names begin with several of a profile's words for the first slot: a single word would be a prefix.
/// Always `true` for profiles with only one slot.
fn stands_before_several(profile: &Proposal, names: &[&str]) -> bool {
    let convention = profile.convention();
    let mut fronts: Vec<String> = names.iter().filter_map(|name| convention.front_of(name)).collect();
    fronts.sort_unstable();
    fronts.dedup();
    convention.front().is_none() || fronts.len() > 1
}

/// The part that most of the names have in common; `None` if there is no such part.
fn shared<'n>(names: &[&'n str], part: impl Fn(&'n str) -> Option<&'n str>) -> Option<&'n str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for part in names.iter().filter_map(|name| part(name)) {
        *counts.entry(part).or_default() += 1;
    }
    let (part, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count * 100 >= names.len() * MOST).then_some(part)
}

/// The prefix that most of the names share, including the separator after it.
fn prefix<'n>(names: &[&'n str]) -> Option<&'n str> {
    let of_words = |count: usize| {
        shared(names, |name: &'n str| {
            let ranges = Name::new(name).word_ranges().to_vec();
            let next = ranges.get(count)?.start;
            let separated = ranges[count - 1].end < next;
            separated.then(|| &name[..next])
        })
    };
    let longest = (1..=3).rev().find_map(of_words)?;
    let first = Name::new(longest).words().next()?.to_lowercase();
    // `get_user`, `get_team` begin with a verb, not with a prefix.
    (!verbs::is_verb(&first)).then_some(longest)
}

/// The prefixes that occur in several names each, and the separator after them; `None` unless a few prefixes cover most
/// of the names.
fn fronts(names: &[&str]) -> Option<(Vec<String>, &'static str)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in names {
        let first = Name::new(name).words().next()?.to_string();
        *counts.entry(first).or_default() += 1;
    }
    let fronts: Vec<String> = counts.iter().filter(|(_, count)| **count > 1).map(|(front, _)| front.clone()).collect();
    let covered: usize = fronts.iter().map(|front| counts[front]).sum();
    let is_telling = (2..=MAX_FRONTS).contains(&fronts.len())
        && covered * 100 >= names.len() * MOST
        && !fronts.iter().any(|front| verbs::is_verb(&front.to_lowercase()));
    let separator = ["_", "-", ".", "__"].into_iter().find(|separator| {
        let has = |name: &&&str| {
            fronts.iter().any(|front| {
                name.strip_prefix(front.as_str()).is_some_and(|rest| {
                    rest.strip_prefix(separator).is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
                })
            })
        };
        names.iter().filter(has).count() * 100 >= names.len() * MOST
    });
    separator.filter(|_| is_telling).map(|separator| (fronts, separator))
}
