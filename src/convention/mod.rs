//! A convention for names: its grammar and vocabulary, how a name is judged and how it is repaired. Profiles are
//! the TOML files beside this one; a team's own convention is the same few lines in its config.

mod gateway;
mod protocol;

use std::collections::BTreeMap;
use std::ops::Range;

pub use self::gateway::{Forward, Gateway};
pub use self::protocol::{MAX_LENGTH, is_protocol_char};
use crate::diagnostic::{RuleId, Severity};
use crate::document::{self, Fault, Node};
use crate::name::{Case, Name, Style, nearest};

/// A team's convention.
#[derive(Debug, Clone, Default)]
pub struct Convention {
    /// The profile it is, or started from.
    pub profile: String,
    pub stage: Stage,
    pattern: Option<Pattern>,
    case: Option<Case>,
    /// The least and the greatest number of words.
    words: (Option<usize>, Option<usize>),
    /// What may stand in a slot of the pattern: `server` → `serena`, `git`, …
    vocabulary: BTreeMap<String, Vec<String>>,
    /// Names that are right as they are, whatever the pattern says.
    whole: Vec<String>,
    pub gateway: Option<Gateway>,
}

/// Which of a tool's names a convention judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stage {
    /// What source writes at the registration.
    Definition,
    /// What `tools/list` reports.
    #[default]
    Wire,
}

/// A name as slots and what stands between them: `{server}_{tool}`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern {
    prefix: String,
    /// Each slot with what follows it.
    slots: Vec<(String, String)>,
}

/// What is wrong with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    pub rule: RuleId,
    pub severity: Severity,
    pub message: String,
    /// Bytes of the name at fault.
    pub range: Range<usize>,
}

/// What a proposal must respect.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Names that other tools have.
    pub taken: &'a dyn Fn(&str) -> bool,
    /// The greatest length that every client in use can take.
    pub limit: usize,
}

impl Default for Context<'_> {
    fn default() -> Self {
        Context { taken: &|_| false, limit: MAX_LENGTH }
    }
}

const PROFILES: [(&str, &str); 2] = [("mcp", include_str!("mcp.toml")), ("syntropy", include_str!("syntropy.toml"))];

impl Convention {
    /// The profiles that every binary carries.
    pub fn profiles() -> impl Iterator<Item = &'static str> {
        PROFILES.iter().map(|(id, _)| *id)
    }

    /// A profile by its id.
    pub fn profile(id: &str) -> Option<Convention> {
        let (id, text) = PROFILES.iter().find(|(known, _)| *known == id)?;
        let (node, faults) = document::parse_toml(text);
        let mut convention = Convention { profile: (*id).to_string(), ..Convention::default() };
        let mut wrong = faults;
        convention.apply(&node, &mut wrong);
        debug_assert!(wrong.is_empty(), "profile {id}: {wrong:?}");
        Some(convention)
    }

    /// Takes over the parameters of a `[convention]` table; each key that cannot be taken is a fault.
    pub fn apply(&mut self, table: &Node, faults: &mut Vec<Fault>) {
        for (key, value) in table.entries() {
            let result = match key.text.as_str() {
                "source" => Ok(()),
                "judge" => match value.as_str() {
                    Some("wire") => set(&mut self.stage, Stage::Wire),
                    Some("definition") => set(&mut self.stage, Stage::Definition),
                    _ => Err("expected \"wire\" or \"definition\"".to_string()),
                },
                "pattern" => match value.as_str().map(Pattern::parse) {
                    Some(Ok(pattern)) => set(&mut self.pattern, Some(pattern)),
                    Some(Err(message)) => Err(message),
                    None => Err("expected a pattern such as \"{server}_{tool}\"".to_string()),
                },
                "case" => match value.as_str() {
                    Some("snake" | "lower" | "kebab") => set(&mut self.case, Some(Case::Lower)),
                    Some("camel") => set(&mut self.case, Some(Case::Camel)),
                    Some("pascal") => set(&mut self.case, Some(Case::Pascal)),
                    Some("any") => set(&mut self.case, None),
                    _ => Err("expected \"snake\", \"lower\", \"kebab\", \"camel\", \"pascal\" or \"any\"".to_string()),
                },
                "words" => {
                    self.words = (
                        value.get("min").and_then(Node::as_usize).or(self.words.0),
                        value.get("max").and_then(Node::as_usize).or(self.words.1),
                    );
                    match value.entries().next() {
                        Some(_) => Ok(()),
                        None => Err("expected a table: { min = 3, max = 4 }".to_string()),
                    }
                }
                "whole" => strings(value).map(|names| self.whole = names),
                "gateway" => match value.as_str() {
                    Some(name) => {
                        self.gateway.get_or_insert_default().name = name.to_string();
                        Ok(())
                    }
                    None => Err("expected the gateway's server key, a string".to_string()),
                },
                "pool" => match value.as_str() {
                    Some(form) => {
                        self.gateway.get_or_insert_default().pool = form.to_string();
                        Ok(())
                    }
                    None => Err("expected a form such as \"syn-{server}\"".to_string()),
                },
                "normalise" => self.gateway.get_or_insert_default().set_forwarding(value),
                // A slot's vocabulary is named in the plural: `servers` fills `{server}`.
                plural if plural.strip_suffix('s').is_some_and(|slot| self.is_slot(slot)) => {
                    let slot = plural.trim_end_matches('s').to_string();
                    strings(value).map(|words| {
                        self.vocabulary.insert(slot, words);
                    })
                }
                other => {
                    let known = ["judge", "pattern", "case", "words", "whole", "gateway", "pool", "normalise"];
                    let hint = nearest(other, known).map(|near| format!("; did you mean `{near}`?"));
                    let message = format!("unknown key `{other}`{}", hint.unwrap_or_default());
                    faults.push(Fault { span: key.span, message });
                    continue;
                }
            };
            if let Err(message) = result {
                faults.push(Fault { span: value.span, message });
            }
        }
    }

    fn is_slot(&self, slot: &str) -> bool {
        let in_pattern =
            self.pattern.as_ref().is_some_and(|pattern| pattern.slots.iter().any(|(name, _)| name == slot));
        in_pattern || ["server", "product", "verb"].contains(&slot)
    }

    /// The words that may stand in a slot; empty where anything may.
    pub fn vocabulary(&self, slot: &str) -> &[String] {
        self.vocabulary.get(slot).map_or(&[], Vec::as_slice)
    }

    /// What is wrong with a name, most telling first.
    pub fn judge(&self, name: &str) -> Vec<Breach> {
        let mut breaches = protocol::judge(name);
        if !breaches.is_empty() || self.whole.iter().any(|whole| whole == name) {
            return breaches;
        }
        let parts = Name::new(name);
        if self.case == Some(Case::Lower) && name.chars().any(char::is_uppercase) {
            breaches.push(Breach {
                rule: "name-case",
                severity: Severity::Warning,
                message: "capital letters: this convention writes names in small letters".into(),
                range: 0..name.len(),
            });
        }
        if let Some(pattern) = &self.pattern {
            if pattern.is_snake() {
                for (range, separator) in parts.separators() {
                    if !separator.is_empty() && !separator.chars().all(|c| c == '_') {
                        breaches.push(Breach {
                            rule: "name-separator",
                            severity: Severity::Warning,
                            message: format!("`{separator}` between words: this convention joins words with `_`"),
                            range,
                        });
                    }
                }
            }
            if breaches.is_empty() && pattern.read(name, &self.vocabulary).is_none() {
                breaches.push(self.no_match(pattern, name));
            }
        }
        let count = parts.words().len();
        let bounds = (self.words.0.unwrap_or(0), self.words.1.unwrap_or(usize::MAX));
        if breaches.is_empty() && !(bounds.0..=bounds.1).contains(&count) {
            let (few, bound) = if count < bounds.0 { ("few", bounds.0) } else { ("many", bounds.1) };
            breaches.push(Breach {
                rule: "name-words",
                severity: Severity::Warning,
                message: format!("too {few} words: {count}, where this convention has {bound}"),
                range: 0..name.len(),
            });
        }
        breaches
    }

    fn no_match(&self, pattern: &Pattern, name: &str) -> Breach {
        if let Some(missing) = (!name.starts_with(&pattern.prefix)).then_some(&pattern.prefix) {
            return Breach {
                rule: "name-prefix",
                severity: Severity::Warning,
                message: format!("the prefix `{missing}` is missing"),
                range: 0..name.len(),
            };
        }
        let first = &pattern.slots[0].0;
        let known = self.vocabulary(first).join(", ");
        let end = Name::new(name).word_ranges().first().map_or(name.len(), |word| word.end);
        let message = match known.as_str() {
            "" => format!("not of the form `{pattern}`"),
            _ => format!("no {first} in front: expected `{pattern}` with one of {known}"),
        };
        Breach { rule: "name-prefix", severity: Severity::Warning, message, range: 0..end }
    }

    /// Names that repair `name`, best first; several where they are equally good, none where no repair is
    /// clear. Every one of them is judged clean.
    pub fn propose(&self, name: &str, context: Context<'_>) -> Vec<String> {
        if self.judge(name).iter().all(|breach| breach.severity < Severity::Warning) {
            return Vec::new();
        }
        let mut candidates = vec![protocol::repaired(name)];
        if let Some(pattern) = &self.pattern {
            let words = Name::new(name).lower_words();
            let spelt = Style { case: self.case.unwrap_or(Case::Lower), separator: "_".into() };
            let plain = spelt.write(words.iter().map(String::as_str));
            candidates.push(plain.clone());
            if !pattern.prefix.is_empty() {
                candidates.push(format!("{}{plain}", pattern.prefix));
            }
            let first = &pattern.slots[0];
            if let Some(word) = words.first() {
                let known = self.vocabulary(&first.0).iter().map(String::as_str);
                if let Some(near) = nearest(word, known) {
                    let rest = spelt.write(words[1..].iter().map(String::as_str));
                    candidates.push(format!("{}{near}{}{rest}", pattern.prefix, first.1));
                }
            }
        }
        let fits = |candidate: &String| {
            candidate != name
                && candidate.len() <= context.limit
                && !(context.taken)(candidate)
                && self.judge(candidate).iter().all(|breach| breach.severity < Severity::Warning)
        };
        let mut proposals: Vec<String> = Vec::new();
        for candidate in candidates {
            if fits(&candidate) && !proposals.contains(&candidate) {
                proposals.push(candidate);
            }
        }
        proposals
    }
}

impl Pattern {
    fn parse(text: &str) -> Result<Pattern, String> {
        let mut pieces = text.split('{');
        let prefix = pieces.next().unwrap_or("").to_string();
        let mut slots = Vec::new();
        for piece in pieces {
            let Some((slot, after)) = piece.split_once('}') else {
                return Err(format!("`{{{piece}` is never closed"));
            };
            slots.push((slot.to_string(), after.to_string()));
        }
        if slots.is_empty() {
            return Err("a pattern has at least one slot, such as {tool}".to_string());
        }
        Ok(Pattern { prefix, slots })
    }

    /// Whether words are joined by nothing but `_`.
    fn is_snake(&self) -> bool {
        let literals = std::iter::once(&self.prefix).chain(self.slots.iter().map(|(_, after)| after));
        literals.into_iter().all(|literal| literal.chars().all(|c| c.is_alphanumeric() || c == '_'))
    }

    /// What stands in each slot, if the name has this form.
    fn read<'n>(&self, name: &'n str, vocabulary: &BTreeMap<String, Vec<String>>) -> Option<Vec<&'n str>> {
        fn matches<'n>(
            slots: &[(String, String)],
            rest: &'n str,
            vocabulary: &BTreeMap<String, Vec<String>>,
            found: &mut Vec<&'n str>,
        ) -> bool {
            let Some(((slot, after), others)) = slots.split_first() else {
                return rest.is_empty();
            };
            let known = vocabulary.get(slot).map_or(&[][..], Vec::as_slice);
            let ends: Vec<usize> = if !known.is_empty() {
                known.iter().filter(|word| rest.starts_with(word.as_str())).map(String::len).collect()
            } else if others.is_empty() {
                vec![rest.len().saturating_sub(after.len())]
            } else {
                rest.match_indices(after.as_str()).map(|(at, _)| at).collect()
            };
            for end in ends.into_iter().filter(|&end| end > 0) {
                let Some(next) = rest[end..].strip_prefix(after.as_str()) else {
                    continue;
                };
                found.push(&rest[..end]);
                if matches(others, next, vocabulary, found) {
                    return true;
                }
                found.pop();
            }
            false
        }
        let rest = name.strip_prefix(self.prefix.as_str())?;
        let mut found = Vec::new();
        matches(&self.slots, rest, vocabulary, &mut found).then_some(found)
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.prefix)?;
        self.slots.iter().try_for_each(|(slot, after)| write!(f, "{{{slot}}}{after}"))
    }
}

fn set<T>(parameter: &mut T, value: T) -> Result<(), String> {
    *parameter = value;
    Ok(())
}

fn strings(value: &Node) -> Result<Vec<String>, String> {
    let words: Option<Vec<String>> = value.elements().iter().map(|node| node.as_str().map(str::to_string)).collect();
    match (words, &value.value) {
        (Some(words), document::Value::Array(_)) => Ok(words),
        (_, document::Value::String(text)) => Ok(vec![text.text.clone()]),
        _ => Err("expected a list of strings".to_string()),
    }
}
