//! Reads a convention from its table: the values of each parameter, and their faults.

use std::collections::BTreeMap;

use super::pattern::Pattern;
use super::vocabulary::MAX_WORDS;
use super::{Convention, Files, Parameter, Routing, Stage, protocol, uri};
use crate::document::{self, Fault, Node};
use crate::name::{Case, nearest};

impl Convention {
    /// Applies the parameters of a `[convention]` table; each key that is not accepted is a fault.
    pub fn apply(&mut self, table: &Node, faults: &mut Vec<Fault>) {
        // The pattern determines the slots, wherever it is in the table.
        let is_pattern = |(key, _): &(&document::Text, &Node)| key.text == "pattern";
        let entries = table.entries().filter(is_pattern).chain(table.entries().filter(|entry| !is_pattern(entry)));
        for (key, value) in entries {
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
                "prefix" => match value.as_str() {
                    Some(prefix) => stands_in_names(prefix).map(|()| self.prefix = prefix.to_string()),
                    None => Err("expected what every name begins with, a string".to_string()),
                },
                "case" => match value.as_str().and_then(case_named) {
                    Some((case, joiner)) => {
                        self.joiner = joiner.map(str::to_string);
                        set(&mut self.case, case)
                    }
                    None => Err(format!("expected {}", CASES.map(|(name, ..)| format!("\"{name}\"")).join(", "))),
                },
                "words" => {
                    let count = |key: &str| value.get(key).and_then(Node::as_usize);
                    self.words = (count("min").or(self.words.0), count("max").or(self.words.1));
                    self.usual = count("usual").or(self.usual);
                    match value.entries().find(|(key, _)| !["min", "max", "usual"].contains(&key.text.as_str())) {
                        None if matches!(self.words, (Some(least), Some(most)) if least > most) => {
                            Err("the least number of words is above the greatest".to_string())
                        }
                        None if value.entries().next().is_some() => Ok(()),
                        _ => Err("expected a table: { min = 3, max = 4 }".to_string()),
                    }
                }
                "package" => match value.as_str() {
                    Some(form) => set(&mut self.package, Some(form.to_string())),
                    None => Err("expected a form such as \"@adobe/{product}-apis\"".to_string()),
                },
                "routing" => {
                    let text = |key: &str| value.get(key).and_then(Node::as_str).map(str::to_string);
                    match (text("entry"), text("key")) {
                        (Some(entry), Some(key)) => set(&mut self.routing, Some(Routing { entry, key })),
                        _ => Err("expected a table: { entry = \"BackendConfig\", key = \"namespace\" }".to_string()),
                    }
                }
                "constant" => match value.as_str() {
                    Some(name) => set(&mut self.constant, Some(name.to_string())),
                    None => Err("expected the name of a constant".to_string()),
                },
                "titles" => flag(value, &mut self.titles),
                "helper" => flag(value, &mut self.helper),
                "dispatch" => flag(value, &mut self.dispatch),
                "schemas" => flag(value, &mut self.schemas),
                "parameters" => {
                    self.parameters.extend(parameters(value, faults));
                    Ok(())
                }
                "mutating" => strings(value).map(|verbs| self.mutating = verbs),
                "open" => strings(value).and_then(|slots| self.slots_named(&slots).map(|()| self.open = slots)),
                "joined" => strings(value).and_then(|slots| self.slots_named(&slots).map(|()| self.joined = slots)),
                "vague" => strings(value).map(|words| self.vague = words),
                "synonyms" => pairs(value).map(|words| self.synonyms = words),
                "reserved" => pairs(value).map(|words| self.reserved = words),
                "length" => lengths(value).map(|lengths| self.length.extend(lengths)),
                "versions" => {
                    let mut versions = !self.unversioned;
                    let result = flag(value, &mut versions);
                    self.unversioned = !versions;
                    result
                }
                "mode" => match value.as_str() {
                    Some("ecosystem") => set(&mut self.standalone, false),
                    Some("standalone") => set(&mut self.standalone, true),
                    _ => Err("expected \"ecosystem\" or \"standalone\"".to_string()),
                },
                "uri" => match value.as_str().map(uri::Form::parse) {
                    Some(Ok(form)) => set(&mut self.uri, Some(form)),
                    Some(Err(message)) => Err(message),
                    None => Err("expected a form such as \"{namespace}://{type}/{id}\"".to_string()),
                },
                "whole" => names(value).map(|names| self.whole = names),
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
                "routes" => self.gateway.get_or_insert_default().set_routes(value),
                "state" => self.gateway.get_or_insert_default().set_state(value),
                "listing" => match value.as_str() {
                    Some("prefixed") => set(&mut self.gateway.get_or_insert_default().prefixed, true),
                    Some("plain") => set(&mut self.gateway.get_or_insert_default().prefixed, false),
                    _ => Err("expected \"prefixed\" or \"plain\"".to_string()),
                },
                "pools" => Files::read(value).map(|files| self.gateway.get_or_insert_default().pools = files),
                "index" => Files::read(value).map(|files| self.gateway.get_or_insert_default().index = files),
                "validators" => pairs(value).map(|validators| self.validators.extend(validators)),
                "documents" => Files::read(value).map(|files| self.documents.named = files),
                "tables" => Files::read(value).map(|files| self.documents.tables = files),
                "registry" => Files::read(value).map(|files| self.documents.registry = files),
                "columns" => self.documents.set_columns(value),
                // The plural of a slot is the key of its vocabulary: `servers` for `{server}`.
                plural if plural.strip_suffix('s').is_some_and(|slot| self.is_slot(slot)) => {
                    let slot = plural.trim_end_matches('s').to_string();
                    strings(value).and_then(|words| {
                        if words.len() > MAX_WORDS {
                            return Err(format!("more than {MAX_WORDS} words for one slot: list those that names use"));
                        }
                        words.iter().try_for_each(|word| word_of_names(word))?;
                        self.vocabulary.insert(slot, words.into());
                        Ok(())
                    })
                }
                // The singular is the key of the expected word: `namespace = "myproject"`; `*` allows any.
                slot if self.is_slot(slot) => match value.as_str() {
                    Some("*") => {
                        self.expected.remove(slot);
                        Ok(())
                    }
                    Some(word) => word_of_names(word).map(|()| {
                        self.expected.insert(slot.to_string(), word.to_string());
                    }),
                    None => Err(format!("expected the {slot}, a string")),
                },
                other => {
                    let hint = nearest(other, PARAMETERS).map(|near| format!("; did you mean `{near}`?"));
                    let message = format!("unknown key `{other}`{}", hint.unwrap_or_default());
                    faults.push(Fault { span: key.span, message });
                    continue;
                }
            };
            if let Err(message) = result {
                faults.push(Fault { span: value.span, message });
            }
        }
        // A prefix or a case alone is a convention for names of any other form.
        if self.pattern.is_none() && (!self.prefix.is_empty() || self.case.is_some()) {
            self.pattern = Pattern::parse("{prefix}{tool}").ok();
        }
    }

    /// Checks that all of these are slots.
    fn slots_named(&self, slots: &[String]) -> Result<(), String> {
        match slots.iter().find(|slot| !self.is_slot(slot)) {
            Some(unknown) => Err(format!("the pattern has no slot `{unknown}`")),
            None => Ok(()),
        }
    }

    /// Sets one parameter to a string.
    ///
    /// # Errors
    /// A message about the value or key.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let (node, _) = document::parse_toml(&format!("{key} = {}", toml::Value::from(value)));
        let mut faults = Vec::new();
        self.apply(&node, &mut faults);
        faults.pop().map_or(Ok(()), |fault| Err(fault.message))
    }
}

/// The parameters of a convention, besides those named after slots.
pub(crate) const PARAMETERS: [&str; 39] = [
    "routes",
    "state",
    "listing",
    "pools",
    "index",
    "validators",
    "documents",
    "tables",
    "registry",
    "columns",
    "routing",
    "schemas",
    "parameters",
    "dispatch",
    "constant",
    "titles",
    "helper",
    "mutating",
    "package",
    "judge",
    "pattern",
    "prefix",
    "case",
    "words",
    "open",
    "joined",
    "vague",
    "synonyms",
    "reserved",
    "length",
    "versions",
    "mode",
    "uri",
    "whole",
    "gateway",
    "pool",
    "normalise",
    "products",
    "namespace",
];

/// The cases of names, each with its separator between words.
pub(crate) const CASES: [(&str, Option<Case>, Option<&str>); 6] = [
    ("snake", Some(Case::Lower), Some("_")),
    ("lower", Some(Case::Lower), None),
    ("kebab", Some(Case::Lower), Some("-")),
    ("camel", Some(Case::Camel), Some("")),
    ("pascal", Some(Case::Pascal), Some("")),
    ("any", None, None),
];

fn case_named(name: &str) -> Option<(Option<Case>, Option<&'static str>)> {
    CASES.iter().find(|(known, ..)| *known == name).map(|(_, case, joiner)| (*case, *joiner))
}

fn set<T>(parameter: &mut T, value: T) -> Result<(), String> {
    *parameter = value;
    Ok(())
}

pub(super) fn strings(value: &Node) -> Result<Vec<String>, String> {
    let words: Option<Vec<String>> = value.elements().iter().map(|node| node.as_str().map(str::to_string)).collect();
    match (words, &value.value) {
        (Some(words), document::Value::Array(_)) => Ok(words),
        (_, document::Value::String(text)) => Ok(vec![text.text.clone()]),
        _ => Err("expected a list of strings".to_string()),
    }
}

/// Checks that a text can be a part of a name.
fn stands_in_names(text: &str) -> Result<(), String> {
    match text.chars().find(|c| !protocol::is_protocol_char(*c) && !c.is_ascii_punctuation()) {
        Some(character) => Err(format!("no name has `{character}` in it")),
        None => Ok(()),
    }
}

/// Checks that a text can be a word of a name.
fn word_of_names(word: &str) -> Result<(), String> {
    if word.is_empty() {
        return Err("expected a word, and this is empty".to_string());
    }
    stands_in_names(word)
}

fn flag(value: &Node, parameter: &mut bool) -> Result<(), String> {
    match value.as_bool() {
        Some(flag) => set(parameter, flag),
        None => Err("expected true or false".to_string()),
    }
}

/// Reads names that are accepted regardless of the pattern, each with a reason.
fn names(value: &Node) -> Result<Vec<String>, String> {
    let name = |node: &Node| {
        let text = |key: &str| node.get(key).and_then(Node::as_str).filter(|text| !text.is_empty());
        text("why").and(text("name")).map(str::to_string)
    };
    let names: Option<Vec<String>> = value.elements().iter().map(name).collect();
    names
        .filter(|_| matches!(value.value, document::Value::Array(_)))
        .ok_or_else(|| "expected a list of { name = …, why = … }".to_string())
}

pub(super) fn pairs(value: &Node) -> Result<BTreeMap<String, String>, String> {
    let pairs = value.entries().map(|(key, value)| Some((key.text.clone(), value.as_str()?.to_string())));
    let pairs: Option<BTreeMap<String, String>> = pairs.collect();
    pairs.ok_or_else(|| "expected a table of strings".to_string())
}

/// The types of JSON Schema.
pub(crate) const TYPES: [&str; 6] = ["string", "number", "integer", "boolean", "array", "object"];

/// The least and the greatest number of characters.
pub(super) type Bounds = (usize, usize);

fn lengths(value: &Node) -> Result<Vec<(String, Bounds)>, String> {
    let lengths = value.entries().map(|(slot, bounds)| match bounds.elements() {
        [least, most] => Some((slot.text.clone(), (least.as_usize()?, most.as_usize()?))),
        _ => None,
    });
    lengths.collect::<Option<Vec<_>>>().ok_or_else(|| "expected the least and the greatest length: [3, 20]".to_string())
}

/// Reads the table of parameters; faults are added with their spans, and the rest applies.
fn parameters(value: &Node, faults: &mut Vec<Fault>) -> BTreeMap<String, Parameter> {
    let mut all = BTreeMap::new();
    for (name, wanted) in value.entries() {
        let mut parameter = Parameter::default();
        for (key, value) in wanted.entries() {
            let expected = match key.text.as_str() {
                "type" => match value.as_str().filter(|kind| TYPES.contains(kind)) {
                    Some(kind) => set_one(&mut parameter.kind, kind.to_string()),
                    None => Some(format!("one of {}", TYPES.join(", "))),
                },
                "format" => match value.as_str() {
                    Some(format) => set_one(&mut parameter.format, format.to_string()),
                    None => Some("a string".to_string()),
                },
                "minimum" => match value.as_usize() {
                    Some(minimum) => set_one(&mut parameter.minimum, minimum),
                    None => Some("a whole number from 0 on".to_string()),
                },
                "enum" => match value.as_bool() {
                    Some(enumerated) => {
                        parameter.enumerated = enumerated;
                        None
                    }
                    None => Some("true or false".to_string()),
                },
                "required_by" => match strings(value) {
                    Ok(words) => {
                        parameter.required_by = words;
                        None
                    }
                    Err(_) => Some("a list of strings".to_string()),
                },
                _ => {
                    let message = format!(
                        "unknown key `{}` of `{}`: expected type, format, minimum, enum or required_by",
                        key.text, name.text
                    );
                    faults.push(Fault { span: key.span, message });
                    continue;
                }
            };
            if let Some(expected) = expected {
                let message = format!("`{}` of `{}`: expected {expected}", key.text, name.text);
                faults.push(Fault { span: value.span, message });
            }
        }
        all.insert(name.text.clone(), parameter);
    }
    all
}

fn set_one<T>(parameter: &mut Option<T>, value: T) -> Option<String> {
    *parameter = Some(value);
    None
}
