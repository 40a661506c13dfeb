//! A convention for names: its grammar and vocabulary, and how a name is judged and repaired. The built-in profiles are
//! the TOML files in `profiles`; a team's own convention is a table of the same form in the team's config.

mod documents;
mod gateway;
mod infer;
mod judge;
mod keys;
mod pattern;
mod propose;
mod protocol;
mod read;
mod spelling;
mod uri;
mod verbs;
mod vocabulary;

use rustc_hash::FxHashSet;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

pub(crate) use self::documents::{Column, Documents, Files};
pub(crate) use self::gateway::{Forward, Gateway};
pub(crate) use self::infer::Proposal;
pub use self::infer::infer;
pub(crate) use self::keys::{NAMES, OF_SLOTS, glob_of, keys, reasoned};
use self::pattern::{Fit, Pattern};
pub(crate) use self::protocol::{MAX_LENGTH, is_protocol_char};
pub(crate) use self::verbs::is_verb;
use self::vocabulary::Vocabulary;
use crate::diagnostic::{RuleId, Severity};
use crate::document;
use crate::name::Case;

/// A team's convention.
#[derive(Debug, Clone, Default)]
pub struct Convention {
    /// The id of the profile that the convention is or extends.
    pub profile: String,
    pub stage: Stage,
    pattern: Option<Pattern>,
    /// The value of `{prefix}` in the pattern.
    prefix: String,
    /// The case of names; `None` for any.
    case: Option<Case>,
    /// The separator between the words of one part; `None` for any.
    joiner: Option<String>,
    /// The least and the greatest number of words.
    words: (Option<usize>, Option<usize>),
    /// The usual number of words: a name may have more only if they distinguish it from another name.
    pub usual: Option<usize>,
    /// The words for each slot of the pattern: `server` → `serena`, `git`, …
    vocabulary: BTreeMap<String, Vocabulary>,
    /// Slots whose vocabulary is a recommendation: any other word in them is reported as a hint.
    open: Vec<String>,
    /// Words, each with the word to use instead: `create` → `generate`.
    synonyms: BTreeMap<String, String>,
    /// The one word that a slot must have: `namespace` → `myproject`.
    expected: BTreeMap<String, String>,
    /// Slots that are written as one word.
    joined: Vec<String>,
    /// The least and the greatest number of characters in a slot.
    length: BTreeMap<String, read::Bounds>,
    /// Reserved words, each with its owner.
    reserved: BTreeMap<String, String>,
    /// Verbs that are too vague by themselves.
    vague: Vec<String>,
    /// Whether names must not contain a version.
    unversioned: bool,
    /// Whether the prefix may be missing.
    standalone: bool,
    /// Names that are accepted regardless of the pattern.
    whole: Vec<String>,
    /// The form of the dependency that determines the prefix: `@adobe/{product}-apis`.
    package: Option<String>,
    /// The constant in the source that contains the prefix.
    pub constant: Option<String>,
    /// Whether tools must have titles.
    pub titles: bool,
    /// The form of the entries in a gateway's routing tables; the namespace in an entry must be equal to the key of the
    /// entry.
    pub routing: Option<Routing>,
    /// Whether the names that code compares with the names of called tools are judged too.
    pub dispatch: bool,
    /// Whether a helper adds the prefix, so that tools must not be registered without it.
    pub helper: bool,
    /// Whether input schemas are checked.
    pub schemas: bool,
    /// The requirements for parameters by name.
    pub parameters: BTreeMap<String, Parameter>,
    /// The verbs of tools that change something.
    pub mutating: Vec<String>,
    /// The form of resource URIs; `None` if they are not judged.
    uri: Option<uri::Form>,
    /// The validation functions, by parameter or type, that a handler must call on required parameters before it uses
    /// them.
    pub validators: BTreeMap<String, String>,
    pub documents: Documents,
    pub gateway: Option<Gateway>,
}

/// The requirements of a convention for parameters with one name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameter {
    /// The type in JSON Schema.
    pub kind: Option<String>,
    pub format: Option<String>,
    /// The `minimum` to write if the parameter has none; `None` if it needs none.
    pub minimum: Option<usize>,
    /// Whether the schema must list the values of the parameter.
    pub enumerated: bool,
    /// Own parts of the names of tools that must require the parameter: `click` for `browser_click`.
    pub required_by: Vec<String>,
}

/// The kind of tool name that a convention judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stage {
    /// The name in the source, at the registration.
    Definition,
    /// The name that `tools/list` reports.
    #[default]
    Wire,
}

/// A fault of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    pub rule: RuleId,
    pub severity: Severity,
    pub message: String,
    /// The byte range of the fault in the name.
    pub range: Range<usize>,
}

/// The conditions for a proposed name.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Whether a name already belongs to another tool.
    pub taken: &'a dyn Fn(&str) -> bool,
    /// The greatest length in bytes that every client in use accepts.
    pub limit: usize,
    /// The word for the first slot in the package's other names, such as the product that the package is for.
    pub front: Option<&'a str>,
}

impl Default for Context<'_> {
    fn default() -> Self {
        Context { taken: &|_| false, limit: MAX_LENGTH, front: None }
    }
}

/// The built-in profiles: the id and the text of each.
const PROFILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/profiles.rs"));

impl Convention {
    /// The ids of the built-in profiles.
    pub fn profiles() -> impl Iterator<Item = &'static str> {
        PROFILES.iter().map(|(id, _)| *id)
    }

    /// A built-in profile by its id.
    pub fn profile(id: &str) -> Option<Convention> {
        Convention::shared_profile(id).map(|convention| (*convention).clone())
    }

    /// A built-in profile by its id, without a copy.
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

    /// Whether a lower-case word is a verb, of the convention or any other.
    fn is_verb(&self, word: &str) -> bool {
        self.known(judge::VERB).contains(word) || verbs::is_verb(word)
    }

    /// The verb of a name if it is one of [`Convention::mutating`].
    pub fn mutation<'w>(&self, words: &'w [String]) -> Option<&'w String> {
        verbs::deed(words).filter(|verb| self.mutating.contains(verb))
    }

    /// The word that a slot must have; `None` if there is no such word.
    pub fn expected(&self, slot: &str) -> Option<&str> {
        self.expected.get(slot).map(String::as_str)
    }

    /// The owner of a reserved word.
    pub fn owner_of(&self, word: &str) -> Option<&str> {
        self.reserved.get(word).map(String::as_str)
    }

    /// The first slot of the pattern; `None` if it has only one.
    pub fn front(&self) -> Option<&str> {
        let slots = &self.pattern.as_ref()?.slots;
        slots.first().filter(|_| slots.len() > 1).map(|slot| slot.name.as_str())
    }

    /// The prefix of the names in a package with these dependencies; `None` if the dependencies do not determine the
    /// prefix.
    pub fn front_of_package(&self, dependencies: &[String]) -> Option<&str> {
        let (form, slot) = (self.package.as_ref()?, self.front()?);
        let hole = format!("{{{slot}}}");
        let needed: FxHashSet<&String> = dependencies.iter().collect();
        let mut fitting = self.vocabulary(slot).iter().filter(|word| needed.contains(&form.replace(&hole, word)));
        fitting.next().filter(|_| fitting.next().is_none()).map(String::as_str)
    }

    /// The prefix of a name, if it is allowed.
    pub fn front_of(&self, name: &str) -> Option<String> {
        let (pattern, slot) = (self.pattern.as_ref()?, self.front()?);
        let reading = self.read(pattern, name);
        let filled = reading.slots.first().filter(|filled| filled.fit == Fit::Right)?;
        let word = self.spelt(slot, reading.words[filled.words.clone()].concat());
        let is_right = self.too_short(slot, &word).is_none();
        is_right.then_some(word)
    }

    /// A word that is given without separators, as the convention lists it: `google_maps` for `googlemaps`.
    fn spelt(&self, slot: &str, word: String) -> String {
        self.known(slot).of_letters(&word).cloned().unwrap_or(word)
    }

    /// The prefix of a name, with a misspelling corrected.
    pub fn front_meant(&self, name: &str) -> Option<String> {
        let (pattern, _) = (self.pattern.as_ref()?, self.front()?);
        let reading = self.read(pattern, name);
        match &reading.slots.first()?.fit {
            Fit::Misspelt(word) => Some(word.clone()),
            _ => self.front_of(name),
        }
    }

    /// Whether names may contain a version.
    pub fn allows_versions(&self) -> bool {
        !self.unversioned
    }

    /// Adds words for a slot.
    pub fn admit(&mut self, slot: &str, words: impl IntoIterator<Item = String>) {
        self.vocabulary.entry(slot.to_string()).or_default().admit(words);
    }

    /// The first slot, if it is `{namespace}` and the convention does not determine the word for it: all names of a
    /// server have the same namespace. In other slots without a vocabulary, such as `{entity}` in a team's own
    /// `{entity}_{action}`, the word may differ from name to name.
    pub fn open_front(&self) -> Option<&str> {
        self.front()
            .filter(|slot| *slot == NAMESPACE && self.vocabulary(slot).is_empty() && self.expected(slot).is_none())
    }

    /// The accepted names that result from dropping one word of a name with more words than [`Convention::usual`]:
    /// additional words are only for distinguishing two tools.
    pub fn shorter(&self, name: &str) -> Vec<String> {
        let (Some(usual), Some(pattern)) = (self.usual, &self.pattern) else { return Vec::new() };
        let reading = self.read(pattern, name);
        let own = reading.slots.last().map_or(0..0, |filled| filled.words.clone());
        if reading.words.len() <= usual || self.is_whole(name) || own.len() < 2 {
            return Vec::new();
        }
        // The last word of a name is its subject; the words before it only narrow it.
        let dropped = own.start..own.end - 1;
        let without = dropped.map(|gone| {
            let kept = reading.words.iter().enumerate().filter(|(index, _)| *index != gone);
            kept.map(|(_, word)| word.as_str()).collect::<Vec<_>>().join("_")
        });
        without.filter(|shorter| self.judge(shorter).is_empty()).collect()
    }

    /// The characters that the convention adds to those of the protocol: `:`.
    pub fn beyond_protocol(&self) -> Vec<char> {
        let special = self.pattern.iter().flat_map(|pattern| pattern.special());
        special.filter(|c| !is_protocol_char(*c)).collect()
    }

    /// Whether the convention reads the file at a path as a document or data file. Clients' own files are not considered
    /// here.
    pub fn reads(&self, path: &str) -> bool {
        self.files_read().any(|files| files.contain(path))
    }

    /// The documents and data files that the convention reads.
    pub fn files_read(&self) -> impl Iterator<Item = &Files> {
        let documents = &self.documents;
        let of_gateway = self.gateway.iter().flat_map(|gateway| [&gateway.pools, &gateway.index, &gateway.state.files]);
        [&documents.named, &documents.tables, &documents.registry].into_iter().chain(of_gateway)
    }

    /// The words that are searched for even in source that does not use a framework: the convention's constants, and
    /// the argument with the namespace in routing tables.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let routes = self.gateway.iter().filter_map(|gateway| gateway.routes.as_ref());
        let routing = self.routing.as_ref().map(|routing| &routing.key);
        let own = routing.into_iter().chain(&self.constant).map(String::as_str);
        own.chain(routes.map(|routes| routes.constant.as_str()))
    }

    /// Whether a slot may be empty.
    fn is_optional(&self, slot: &str) -> bool {
        self.standalone && self.front() == Some(slot)
    }

    fn is_slot(&self, slot: &str) -> bool {
        let in_pattern = self.pattern.as_ref().is_some_and(|pattern| pattern.has_slot(slot));
        in_pattern || SLOTS.contains(&slot)
    }

    /// The words for a slot; empty if any word will do.
    pub fn vocabulary(&self, slot: &str) -> &[String] {
        self.vocabulary.get(slot).map_or(&[], Vocabulary::words)
    }

    /// The vocabulary of a slot, indexed for look-ups; empty if any word will do.
    fn known(&self, slot: &str) -> &Vocabulary {
        static NONE: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::default);
        self.vocabulary.get(slot).unwrap_or(&NONE)
    }
}

/// The entries of a gateway's routing tables: `"chora": BackendConfig(namespace="chora")`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routing {
    /// The function or class that creates an entry.
    pub entry: String,
    /// The name of the argument with the namespace.
    pub key: String,
}

/// The slot whose word is the same in all names of a server.
const NAMESPACE: &str = "namespace";

/// The slots of the profiles; a pattern may have others.
const SLOTS: [&str; 4] = ["server", "product", "verb", NAMESPACE];
