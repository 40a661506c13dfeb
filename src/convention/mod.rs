//! A convention for names: its grammar and vocabulary, how a name is judged and how it is repaired. Profiles are
//! the TOML files beside this one; a team's own convention is the same few lines in its config.

mod documents;
mod gateway;
mod infer;
mod judge;
mod pattern;
mod propose;
mod protocol;
mod uri;
mod verbs;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

pub use self::documents::{Column, Documents, Files};
pub use self::gateway::{Forward, Gateway};
pub use self::infer::{Proposal, infer};
use self::pattern::{Fit, Pattern};
pub use self::protocol::{MAX_LENGTH, is_protocol_char};
use crate::diagnostic::{RuleId, Severity};
use crate::document::{self, Fault, Node};
use crate::name::{Case, Name, nearest};

/// A team's convention.
#[derive(Debug, Clone, Default)]
pub struct Convention {
    /// The profile it is, or started from.
    pub profile: String,
    pub stage: Stage,
    pattern: Option<Pattern>,
    /// What `{prefix}` stands for in the pattern.
    prefix: String,
    /// `None`: as it comes.
    case: Option<Case>,
    /// What stands between the words of one part; `None`: whatever does.
    joiner: Option<String>,
    /// The least and the greatest number of words.
    words: (Option<usize>, Option<usize>),
    /// How many words a name has that needs no more to be told apart.
    pub usual: Option<usize>,
    /// What may stand in a slot of the pattern: `server` → `serena`, `git`, …
    vocabulary: BTreeMap<String, Vec<String>>,
    /// Slots whose vocabulary only shows the way: another word in them is worth a hint.
    open: Vec<String>,
    /// Words and what they are called instead: `create` → `generate`.
    synonyms: BTreeMap<String, String>,
    /// The one word that belongs in a slot: `namespace` → `myproject`.
    expected: BTreeMap<String, String>,
    /// Slots that are written as one word.
    joined: Vec<String>,
    /// The least and the greatest number of characters of what fills a slot.
    length: BTreeMap<String, Bounds>,
    /// Words that belong to somebody, and to whom.
    reserved: BTreeMap<String, String>,
    /// Verbs that say too little by themselves.
    vague: Vec<String>,
    /// Names carry no version.
    unversioned: bool,
    /// What stands in front may be left out.
    standalone: bool,
    /// Names that are right as they are, whatever the pattern says.
    whole: Vec<String>,
    /// The dependency that tells what stands in front: `@adobe/{product}-apis`.
    package: Option<String>,
    /// The constant of the source that holds what stands in front.
    pub constant: Option<String>,
    /// Tools have titles for people.
    pub titles: bool,
    /// The entry that says, in a table by which calls are routed, whose they are: it is the key that it stands under.
    pub routing: Option<Routing>,
    /// Names that called tools are compared with are names like any other.
    pub dispatch: bool,
    /// A helper puts the prefix in front: nothing is registered past it.
    pub helper: bool,
    /// Input schemas say all that the convention asks of them.
    pub schemas: bool,
    /// What parameters of a name are like, wherever they come up.
    pub parameters: BTreeMap<String, Parameter>,
    /// Verbs of tools that change something.
    pub mutating: Vec<String>,
    /// The form of resource URIs, where the convention has one.
    uri: Option<uri::Form>,
    /// Functions that handlers call on required parameters before they use them, by what they look at: a parameter,
    /// or a type.
    pub validators: BTreeMap<String, String>,
    pub documents: Documents,
    pub gateway: Option<Gateway>,
}

/// What a convention wants of parameters of one name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameter {
    /// Its JSON Schema type.
    pub kind: Option<String>,
    pub format: Option<String>,
    /// It has a least value; this one, where none is given.
    pub minimum: Option<usize>,
    /// It takes one of a few values.
    pub enumerated: bool,
    /// Words in the names of tools that cannot do without it.
    pub required_by: Vec<String>,
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
    /// What stands in front of the names around: the product that the package is for.
    pub front: Option<&'a str>,
}

impl Default for Context<'_> {
    fn default() -> Self {
        Context { taken: &|_| false, limit: MAX_LENGTH, front: None }
    }
}

const PROFILES: [(&str, &str); 6] = [
    ("mcp", include_str!("mcp.toml")),
    ("adobe", include_str!("adobe.toml")),
    ("browser", include_str!("browser.toml")),
    ("chora", include_str!("chora.toml")),
    ("lightdash", include_str!("lightdash.toml")),
    ("syntropy", include_str!("syntropy.toml")),
];

impl Convention {
    /// The profiles that every binary carries.
    pub fn profiles() -> impl Iterator<Item = &'static str> {
        PROFILES.iter().map(|(id, _)| *id)
    }

    /// A profile by its id.
    pub fn profile(id: &str) -> Option<Convention> {
        Convention::shared_profile(id).map(|convention| (*convention).clone())
    }

    /// A profile by its id, as everybody shares it.
    pub fn shared_profile(id: &str) -> Option<Arc<Convention>> {
        static READ: LazyLock<Vec<Arc<Convention>>> = LazyLock::new(|| {
            let read = |&(id, text): &(&str, &str)| {
                let (node, mut faults) = document::parse_toml(text);
                let mut convention = Convention { profile: id.to_string(), ..Convention::default() };
                convention.apply(&node, &mut faults);
                assert!(faults.is_empty(), "profile {id}: {faults:?}");
                Arc::new(convention)
            };
            PROFILES.iter().map(read).collect()
        });
        READ.iter().find(|convention| convention.profile == id).cloned()
    }

    /// Takes over the parameters of a `[convention]` table; each key that cannot be taken is a fault.
    pub fn apply(&mut self, table: &Node, faults: &mut Vec<Fault>) {
        // What slots there are, the pattern says, wherever in the table it stands.
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
                // A slot's vocabulary is named in the plural: `servers` fills `{server}`.
                plural if plural.strip_suffix('s').is_some_and(|slot| self.is_slot(slot)) => {
                    let slot = plural.trim_end_matches('s').to_string();
                    strings(value).and_then(|words| {
                        words.iter().try_for_each(|word| word_of_names(word))?;
                        self.vocabulary.insert(slot, words);
                        Ok(())
                    })
                }
                // In the singular it is what belongs there: `namespace = "myproject"`; `*` is any.
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
        // A prefix or a case by itself is a convention for names of any other form.
        if self.pattern.is_none() && (!self.prefix.is_empty() || self.case.is_some()) {
            self.pattern = Pattern::parse("{prefix}{tool}").ok();
        }
    }

    /// Whether the pattern has all of these slots.
    fn slots_named(&self, slots: &[String]) -> Result<(), String> {
        match slots.iter().find(|slot| !self.is_slot(slot)) {
            Some(unknown) => Err(format!("the pattern has no slot `{unknown}`")),
            None => Ok(()),
        }
    }

    /// Sets one parameter to a string.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let (node, _) = document::parse_toml(&format!("{key} = {}", toml::Value::from(value)));
        let mut faults = Vec::new();
        self.apply(&node, &mut faults);
        faults.pop().map_or(Ok(()), |fault| Err(fault.message))
    }

    /// The word by which a name says that its tool changes something, where it does.
    pub fn mutation<'w>(&self, words: &'w [String]) -> Option<&'w String> {
        verbs::deed(words).filter(|verb| self.mutating.contains(verb))
    }

    /// The word that belongs in a slot, where there is but one.
    pub fn expected(&self, slot: &str) -> Option<&str> {
        self.expected.get(slot).map(String::as_str)
    }

    /// Whose a word is that nobody else may use.
    pub fn owner_of(&self, word: &str) -> Option<&str> {
        self.reserved.get(word).map(String::as_str)
    }

    /// The slot that names begin with, where a pattern has several.
    pub fn front(&self) -> Option<&str> {
        let slots = &self.pattern.as_ref()?.slots;
        slots.first().filter(|_| slots.len() > 1).map(|slot| slot.name.as_str())
    }

    /// What stands in front of the names of a package that needs these others, where they tell.
    pub fn front_of_package(&self, dependencies: &[String]) -> Option<&str> {
        let (form, slot) = (self.package.as_ref()?, self.front()?);
        let hole = format!("{{{slot}}}");
        let mut told = self.vocabulary(slot).iter().filter(|word| dependencies.contains(&form.replace(&hole, word)));
        told.next().filter(|_| told.next().is_none()).map(String::as_str)
    }

    /// What stands in front of a name, if it may stand there.
    pub fn front_of(&self, name: &str) -> Option<String> {
        let (pattern, slot) = (self.pattern.as_ref()?, self.front()?);
        let reading = self.read(pattern, name);
        let filled = reading.slots.first().filter(|filled| filled.fit == Fit::Right)?;
        let word = self.spelt(slot, reading.words[filled.words.clone()].concat());
        let is_right = self.too_short(slot, &word).is_none();
        is_right.then_some(word)
    }

    /// A word as the convention's own list spells it: `google_maps`.
    fn spelt(&self, slot: &str, word: String) -> String {
        let known = self.vocabulary(slot).iter();
        let same = known.into_iter().find(|known| Name::new(known).lower_words().concat() == word);
        same.cloned().unwrap_or(word)
    }

    /// What stands in front of a name, or was meant to.
    pub fn front_meant(&self, name: &str) -> Option<String> {
        let (pattern, _) = (self.pattern.as_ref()?, self.front()?);
        let reading = self.read(pattern, name);
        match &reading.slots.first()?.fit {
            Fit::Misspelt(word) => Some(word.clone()),
            _ => self.front_of(name),
        }
    }

    /// Whether names may carry a version.
    pub fn allows_versions(&self) -> bool {
        !self.unversioned
    }

    /// Adds words to what may stand in a slot.
    pub fn admit(&mut self, slot: &str, words: impl IntoIterator<Item = String>) {
        let known = self.vocabulary.entry(slot.to_string()).or_default();
        for word in words {
            if !known.contains(&word) {
                known.push(word);
            }
        }
    }

    /// What every name of a server begins with, where each may have its own and the convention does not say whose. In
    /// any other slot that has no words, as in a team's own `{entity}_{action}`, each name has what it has.
    pub fn open_front(&self) -> Option<&str> {
        self.front()
            .filter(|slot| *slot == NAMESPACE && self.vocabulary(slot).is_empty() && self.expected(slot).is_none())
    }

    /// The name with one word less that says as much, where the convention calls more words than usual a means of
    /// telling two tools apart.
    pub fn shorter(&self, name: &str) -> Vec<String> {
        let (Some(usual), Some(pattern)) = (self.usual, &self.pattern) else { return Vec::new() };
        let reading = self.read(pattern, name);
        let own = reading.slots.last().map_or(0..0, |filled| filled.words.clone());
        if reading.words.len() <= usual || self.is_whole(name) || own.len() < 2 {
            return Vec::new();
        }
        // What a name ends in says what it is about; what stands before that narrows it.
        let dropped = own.start..own.end - 1;
        let without = dropped.map(|gone| {
            let kept = reading.words.iter().enumerate().filter(|(index, _)| *index != gone);
            kept.map(|(_, word)| word.as_str()).collect::<Vec<_>>().join("_")
        });
        without.filter(|shorter| self.judge(shorter).is_empty()).collect()
    }

    /// Characters that names have by this convention and not by the protocol: `:`.
    pub fn beyond_protocol(&self) -> Vec<char> {
        let special = self.pattern.iter().flat_map(|pattern| pattern.special());
        special.filter(|c| !is_protocol_char(*c)).collect()
    }

    /// Whether it asks something of a document or data file that is no client's.
    pub fn reads(&self, path: &str) -> bool {
        self.files_read().any(|files| files.contain(path))
    }

    /// The documents and data files of which it asks something.
    pub fn files_read(&self) -> impl Iterator<Item = &Files> {
        let documents = &self.documents;
        let of_gateway = self.gateway.iter().flat_map(|gateway| [&gateway.pools, &gateway.index, &gateway.state.files]);
        [&documents.named, &documents.tables, &documents.registry].into_iter().chain(of_gateway)
    }

    /// What it looks for in source that need not have anything to do with a framework: the constants and entries that its
    /// tables have.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let routes = self.gateway.iter().filter_map(|gateway| gateway.routes.as_ref());
        let routing = self.routing.as_ref().map(|routing| &routing.key);
        let own = routing.into_iter().chain(&self.constant).map(String::as_str);
        own.chain(routes.map(|routes| routes.constant.as_str()))
    }

    /// Whether a slot may be left out.
    fn is_optional(&self, slot: &str) -> bool {
        self.standalone && self.front() == Some(slot)
    }

    fn is_slot(&self, slot: &str) -> bool {
        let in_pattern = self.pattern.as_ref().is_some_and(|pattern| pattern.has_slot(slot));
        in_pattern || SLOTS.contains(&slot)
    }

    /// The words that may stand in a slot; empty where anything may.
    pub fn vocabulary(&self, slot: &str) -> &[String] {
        self.vocabulary.get(slot).map_or(&[], Vec::as_slice)
    }
}

/// The tables by which a gateway sends calls on: `"chora": BackendConfig(namespace="chora")`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routing {
    /// What an entry is made by.
    pub entry: String,
    /// Under which name it has its namespace.
    pub key: String,
}

/// The slot that one server has one word for.
const NAMESPACE: &str = "namespace";

/// The slots that profiles have; a pattern may have others.
const SLOTS: [&str; 4] = ["server", "product", "verb", NAMESPACE];

/// The parameters of a convention, besides those named after slots.
const PARAMETERS: [&str; 39] = [
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

/// How names can be written, and what then stands between words.
const CASES: [(&str, Option<Case>, Option<&str>); 6] = [
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

fn strings(value: &Node) -> Result<Vec<String>, String> {
    let words: Option<Vec<String>> = value.elements().iter().map(|node| node.as_str().map(str::to_string)).collect();
    match (words, &value.value) {
        (Some(words), document::Value::Array(_)) => Ok(words),
        (_, document::Value::String(text)) => Ok(vec![text.text.clone()]),
        _ => Err("expected a list of strings".to_string()),
    }
}

/// Whether a text can be a part of a name.
fn stands_in_names(text: &str) -> Result<(), String> {
    match text.chars().find(|c| !protocol::is_protocol_char(*c) && !c.is_ascii_punctuation()) {
        Some(character) => Err(format!("no name has `{character}` in it")),
        None => Ok(()),
    }
}

/// Whether a text can be a word of a name.
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

/// Names that are right as they are, each with the reason.
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

fn pairs(value: &Node) -> Result<BTreeMap<String, String>, String> {
    let pairs = value.entries().map(|(key, value)| Some((key.text.clone(), value.as_str()?.to_string())));
    let pairs: Option<BTreeMap<String, String>> = pairs.collect();
    pairs.ok_or_else(|| "expected a table of strings".to_string())
}

/// The types of JSON Schema.
const TYPES: [&str; 6] = ["string", "number", "integer", "boolean", "array", "object"];

/// The least and the greatest number of characters.
type Bounds = (usize, usize);

fn lengths(value: &Node) -> Result<Vec<(String, Bounds)>, String> {
    let lengths = value.entries().map(|(slot, bounds)| match bounds.elements() {
        [least, most] => Some((slot.text.clone(), (least.as_usize()?, most.as_usize()?))),
        _ => None,
    });
    lengths.collect::<Option<Vec<_>>>().ok_or_else(|| "expected the least and the greatest length: [3, 20]".to_string())
}

/// Reads the table of parameters; what is wrong in it is said at its place, and the rest applies.
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
