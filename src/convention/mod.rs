//! A convention for names: its grammar and vocabulary, how a name is judged and how it is repaired. Profiles are
//! the TOML files beside this one; a team's own convention is the same few lines in its config.

mod documents;
mod gateway;
mod infer;
mod judge;
mod pattern;
mod propose;
mod protocol;
mod read;
mod uri;
mod verbs;
mod vocabulary;

use rustc_hash::FxHashSet;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

#[cfg(test)]
pub(crate) use self::documents::COLUMNS;
pub use self::documents::{Column, Documents, Files};
pub use self::gateway::{Forward, Gateway};
pub use self::infer::{Proposal, infer};
use self::pattern::{Fit, Pattern};
pub use self::protocol::{MAX_LENGTH, is_protocol_char};
#[cfg(test)]
pub(crate) use self::read::{CASES, PARAMETERS, TYPES};
use self::vocabulary::Vocabulary;
use crate::diagnostic::{RuleId, Severity};
use crate::document;
use crate::name::Case;

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
    /// The separator between the words of one part; `None`: any.
    joiner: Option<String>,
    /// The least and the greatest number of words.
    words: (Option<usize>, Option<usize>),
    /// How many words a name has that needs no more to be told apart.
    pub usual: Option<usize>,
    /// The words for a slot of the pattern: `server` → `serena`, `git`, …
    vocabulary: BTreeMap<String, Vocabulary>,
    /// Slots whose vocabulary only shows the way: another word in them is worth a hint.
    open: Vec<String>,
    /// Words and what they are called instead: `create` → `generate`.
    synonyms: BTreeMap<String, String>,
    /// The one word that belongs in a slot: `namespace` → `myproject`.
    expected: BTreeMap<String, String>,
    /// Slots that are written as one word.
    joined: Vec<String>,
    /// The least and the greatest number of characters of what fills a slot.
    length: BTreeMap<String, read::Bounds>,
    /// Words that belong to somebody, and to whom.
    reserved: BTreeMap<String, String>,
    /// Verbs that say too little by themselves.
    vague: Vec<String>,
    /// Names carry no version.
    unversioned: bool,
    /// The prefix may be left out.
    standalone: bool,
    /// Names that are right as they are, whatever the pattern says.
    whole: Vec<String>,
    /// The dependency that tells the prefix: `@adobe/{product}-apis`.
    package: Option<String>,
    /// The constant of the source that holds the prefix.
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
    /// The prefix of the names around: the product that the package is for.
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

    /// Whether a word, in small letters, is a verb: one of the convention's own, or any other.
    fn is_verb(&self, word: &str) -> bool {
        self.known(judge::VERB).contains(word) || verbs::is_verb(word)
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

    /// The prefix of the names of a package with these dependencies, where they tell.
    pub fn front_of_package(&self, dependencies: &[String]) -> Option<&str> {
        let (form, slot) = (self.package.as_ref()?, self.front()?);
        let hole = format!("{{{slot}}}");
        let needed: FxHashSet<&String> = dependencies.iter().collect();
        let mut told = self.vocabulary(slot).iter().filter(|word| needed.contains(&form.replace(&hole, word)));
        told.next().filter(|_| told.next().is_none()).map(String::as_str)
    }

    /// The prefix of a name, if it is an allowed one.
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
        self.known(slot).of_letters(&word).cloned().unwrap_or(word)
    }

    /// The prefix of a name, or a misspelling of it.
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

    /// Adds words for a slot.
    pub fn admit(&mut self, slot: &str, words: impl IntoIterator<Item = String>) {
        self.vocabulary.entry(slot.to_string()).or_default().admit(words);
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

    /// The words for a slot; empty if any word will do.
    pub fn vocabulary(&self, slot: &str) -> &[String] {
        self.vocabulary.get(slot).map_or(&[], Vocabulary::words)
    }

    /// The same, to be asked about.
    fn known(&self, slot: &str) -> &Vocabulary {
        static NONE: LazyLock<Vocabulary> = LazyLock::new(Vocabulary::default);
        self.vocabulary.get(slot).unwrap_or(&NONE)
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
