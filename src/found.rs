//! What programs register, with the literal that each character of a name comes from.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::code::Offset;
use crate::framework::Kind;
use crate::lower::{CallId, ScopeId};
use crate::text::{FileId, Span};

/// The hints in a tool's annotations: their names in the protocol, and in Rust.
pub(crate) const HINTS: [(&str, &str); 4] = [
    ("readOnlyHint", "read_only_hint"),
    ("destructiveHint", "destructive_hint"),
    ("idempotentHint", "idempotent_hint"),
    ("openWorldHint", "open_world_hint"),
];

/// The target of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lookup {
    Found(FileId),
    /// Another package, of which only the name is known.
    External,
    /// There is no such file. Creating one changes the result.
    Absent,
    /// There is a file that is not loaded yet.
    NotLoaded,
}

/// Something that programs need to have loaded.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Want {
    /// The file that this import leads to.
    Import { from: FileId, module: SmolStr },
    /// Every file in which this word occurs: it may call a function that registers tools.
    Word(SmolStr),
    /// The text of a data file that a program reads, by its path from the root of the workspace.
    Text(SmolStr),
}

/// A span relative to an item, which stays valid when the item moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub file: FileId,
    pub item: u32,
    pub span: Span,
}

impl Place {
    /// The offset at which it begins.
    pub(crate) fn start(&self) -> Offset {
        Offset { item: self.item, bytes: self.span.start }
    }
}

/// A string with the origin of each of its characters. A value is never a bare `String`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traced {
    pub parts: SmallVec<[Part; 2]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub text: SmolStr,
    pub origin: Origin,
}

/// The origin of a piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A string literal; the place covers the characters inside its quotes.
    Literal(Place),
    /// The name of a function or class.
    Identifier(Place),
    /// Text that the framework adds, such as the `_` between a mounted server's prefix and a name.
    Framework,
    /// Unknown text, represented by `*`.
    Unknown(Box<Unknown>),
}

/// Why something could not be computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    pub reason: Cow<'static, str>,
    /// The exports, members and parameters that it comes from, from the outermost to the innermost. Empty if the reason
    /// is no other package.
    pub of: Vec<SmolStr>,
}

/// The identity of a server: the call that creates the object, or a class that is itself a server.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ServerKey {
    Object {
        file: FileId,
        item: u32,
        call: CallId,
        /// The name that a caller passes, if the call is in a function that creates servers of any name. `None` stands
        /// for all of them.
        given: Option<SmolStr>,
    },
    Class {
        file: FileId,
        name: SmolStr,
    },
}

/// The confidence in a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// The name is written at the registration.
    Exact,
    /// The name is derived through loops, wrappers, mounts or class names.
    Derived,
    /// The registration is recognised only by its shape.
    Heuristic,
}

/// One thing that a server offers: a tool, prompt or resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Registration {
    pub kind: Kind,
    /// Index into [`crate::framework::Frameworks::rows`].
    pub framework: usize,
    pub name: Traced,
    pub title: Option<Traced>,
    /// Whether it certainly has no title: none is given, and no unknown value could contain one.
    pub untitled: bool,
    /// If there is no title, where one can be added so that the framework finds it.
    pub title_place: Option<Lack>,
    pub description: Option<Traced>,
    /// Hints by name, as far as they are literal.
    pub annotations: Vec<(SmolStr, bool)>,
    /// Whether only the server's apps may use it, not the model.
    pub app_only: bool,
    /// The schema of its arguments, if it is visible. `handler` is the function that runs when it is called, if that is
    /// visible.
    pub schema: Option<Place>,
    pub handler: Option<Place>,
    /// The server objects it is registered with; empty if the code does not show them.
    pub servers: Vec<ServerKey>,
    /// The call, decorated function or list element that registers it.
    pub place: Place,
    /// The calls that lead to it in every run, innermost first.
    pub callers: Vec<Place>,
    /// Where a name can be written in the arguments of the decorator or attribute, or in new ones, if the name is now
    /// the identifier of the decorated function or class.
    pub naming: Option<Naming>,
    /// The function, class or module body that contains it; two in one body run one after the other.
    pub body: (FileId, u32, ScopeId),
    /// Whether it is in a branch that may not run, is called from one, or is in one of several lists.
    pub conditional: bool,
    /// Whether it is in a list from which a filter may remove it at run time.
    pub filtered: bool,
    /// Whether it is an element of a list, such as the response of a handler.
    pub listed: bool,
    /// The call or function that registers or returns that list.
    pub listing: Option<Place>,
    /// The number of leading parts of the name that come from mounts. The rest is the name at the registration.
    pub mounted: usize,
    /// The keys equal to its name in tables that the registration looks up by the name: `handlers[tool.name]`.
    pub keys: Vec<Place>,
    /// The other literals with which a running program compared its name and which were equal to it.
    pub compared: Vec<Place>,
    /// The literals that a running program found equal to the name of the function that it is named after, or by which
    /// it found that function in its module.
    pub found_by: Vec<Place>,
    /// Pairs of literals with the text of its name that a running program compared or looked up and found equal: if one
    /// of them is renamed, so must the other be.
    pub agreeing: Vec<(Place, Place)>,
    pub confidence: Confidence,
}

impl Registration {
    /// Takes from another form of the same registration what this one lacks.
    pub(crate) fn complete_with(&mut self, other: Registration) {
        if self.annotations.is_empty() {
            self.annotations = other.annotations;
        }
        self.app_only |= other.app_only;
        self.untitled &= other.untitled;
        self.title_place = self.title_place.take().filter(|_| other.title.is_none());
        self.title = self.title.take().or(other.title);
        self.description = self.description.take().or(other.description);
        self.schema = self.schema.or(other.schema);
        self.handler = self.handler.or(other.handler);
    }
}

/// A place where a missing value can be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    /// The innermost existing object on the way to it.
    pub object: Place,
    /// The keys that lead to it from that object. None of them exists yet.
    pub path: Vec<SmolStr>,
    /// Whether that object passes on values from elsewhere, so that it may have to be added to an object of the caller
    /// instead.
    pub handed_on: bool,
}

/// How to write an explicit name for a registration that takes its name from an identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Naming {
    /// The attribute that takes the keyword, if the attribute has to be added in front of a Rust function.
    pub attribute: Option<SmolStr>,
    /// The keyword for the name; empty if the name is the first positional argument.
    pub keyword: SmolStr,
    /// The place where it is inserted, an empty span.
    pub at: Place,
    /// Text to insert before and, in `after`, after `keyword = "…"`: parentheses, a comma or nothing.
    pub before: &'static str,
    pub after: &'static str,
}

/// A registration with a name that cannot be determined from the source.
#[derive(Debug, Clone, PartialEq)]
pub struct Dynamic {
    pub place: Place,
    /// The known parts of the name, with `*` for the rest: `falcon_*`.
    pub partial: Option<String>,
    pub reason: Cow<'static, str>,
    pub servers: Arc<[ServerKey]>,
    /// Whether the framework's row declares it dynamic: tools come from a document or a web application, or are
    /// removed.
    pub is_said: bool,
    /// Whether the project answers protocol messages itself, without a framework.
    pub by_hand: bool,
}

/// A server that is mounted in another one, with its tools under a prefix.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mount {
    pub parents: Vec<ServerKey>,
    pub child: ServerKey,
    /// The prefix, including the separator; `None` if names do not change.
    pub prefix: Option<Traced>,
}

/// A literal that a server compares the name of the called tool with, or the key of a handler in a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    pub text: SmolStr,
    /// Inside its quotes, if it has any.
    pub place: Place,
    /// Whether it selects what runs. An element of a list of names, which the name is only searched in, does not.
    pub decides: bool,
    pub servers: Arc<[ServerKey]>,
}

/// A function that a server calls with the name of the called tool.
#[derive(Debug, Clone, PartialEq)]
pub struct CallHandler {
    pub function: Place,
    /// The places from which all that it does has the name, the first one first. It has one at least.
    pub given: Vec<CalledName>,
    pub servers: Arc<[ServerKey]>,
}

/// The place where a function has the name of the called tool.
#[derive(Debug, Clone, PartialEq)]
pub enum CalledName {
    Parameter {
        /// The first statement of the function.
        first: Place,
        /// The index of the parameter, counted from 0, including a receiver.
        index: usize,
        /// The members of the parameter that lead to the name.
        path: Vec<SmolStr>,
        /// Whether they may be keys of a message that the program reads itself.
        is_json: bool,
    },
    /// A variable, with the statement that declares it.
    Variable { name: SmolStr, statement: Place },
}

/// A server object in source.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ServerObject {
    pub key: ServerKey,
    pub name: Option<Traced>,
    pub framework: usize,
    pub place: Place,
}

impl Traced {
    /// The place of the literal that the whole text is; `None` if it has another origin, or several.
    pub fn written_at(&self) -> Option<Place> {
        match self.parts.as_slice() {
            [Part { origin: Origin::Literal(place), .. }] => Some(*place),
            _ => None,
        }
    }

    pub fn literal(text: SmolStr, place: Place) -> Traced {
        Traced::of(Part { text, origin: Origin::Literal(place) })
    }

    fn of(part: Part) -> Traced {
        Traced { parts: SmallVec::from_iter([part]) }
    }

    /// The part of the string in `range`, in bytes, with its origins.
    pub(crate) fn cut(&self, range: Range<usize>) -> Traced {
        let mut result = Traced::default();
        let mut at = 0;
        for part in &self.parts {
            let own = at..at + part.text.len();
            at = own.end;
            let (start, end) = (own.start.max(range.start), own.end.min(range.end));
            if start < end {
                result.parts.push(part.cut(start - own.start..end - own.start));
            }
        }
        result
    }

    /// The whole string, with `*` for unknown parts.
    pub fn text(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }

    /// Whether the whole string equals `text`.
    pub fn is(&self, text: &str) -> bool {
        let rest = self.parts.iter().try_fold(text, |rest, part| rest.strip_prefix(part.text.as_str()));
        rest.is_some_and(str::is_empty)
    }

    /// The first unknown part, if there is one.
    pub fn unknown(&self) -> Option<&Unknown> {
        self.parts.iter().find_map(|part| match &part.origin {
            Origin::Unknown(unknown) => Some(unknown.as_ref()),
            _ => None,
        })
    }
}

impl Part {
    fn cut(&self, range: Range<usize>) -> Part {
        let text = SmolStr::new(&self.text[range.clone()]);
        let origin = match &self.origin {
            // If the literal contains escapes, the place stays that of the whole literal.
            Origin::Literal(place) if place.span.len() == self.text.len() => {
                let start = place.span.start + range.start as u32;
                Origin::Literal(Place { span: Span { start, end: start + range.len() as u32 }, ..*place })
            }
            origin => origin.clone(),
        };
        Part { text, origin }
    }

    /// Its place in the source; `None` if a framework adds it or it is unknown.
    pub fn place(&self) -> Option<Place> {
        match self.origin {
            Origin::Literal(place) | Origin::Identifier(place) => Some(place),
            Origin::Framework | Origin::Unknown(_) => None,
        }
    }
}

impl Unknown {
    pub(crate) fn because(reason: impl Into<Cow<'static, str>>) -> Unknown {
        Unknown { reason: reason.into(), of: Vec::new() }
    }
}

/// The ways in which a server finds a handler without a literal for the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Otherwise {
    /// By searching the definitions: `tools.find((tool) => tool.name === name)`.
    Searched,
    /// By the name of something in the program: `getattr(self, name)`, `client[name]`.
    Reflected,
}

/// What a file registers.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Found {
    pub registrations: Vec<Arc<Registration>>,
    pub dynamics: Vec<Dynamic>,
    pub servers: Vec<ServerObject>,
    pub dispatches: Vec<Dispatch>,
    pub call_handlers: Vec<CallHandler>,
    /// The ways in which servers find handlers other than by those literals.
    pub otherwise: Vec<(Otherwise, Vec<ServerKey>)>,
    pub mounts: Vec<Mount>,
    /// The servers of resources whose URIs cannot be computed.
    pub unknown_resources: Vec<Arc<[ServerKey]>>,
    /// Objects that look like definitions of tools.
    pub shaped: Vec<Arc<Registration>>,
    /// For each definition that a filter excludes from registration, the place where its name begins.
    pub left_out: Vec<Place>,
    /// Places where a server is passed to code that cannot be followed, with the name of the callee or object.
    pub escapes: Vec<(ServerKey, Place, SmolStr)>,
}

impl Found {
    /// Adds what another run found, as far as it is new.
    pub(crate) fn add(&mut self, other: Found) {
        fn extend<T: PartialEq + Clone + Eq + std::hash::Hash>(into: &mut Vec<T>, from: Vec<T>) {
            extend_by(into, from, T::clone);
        }
        // One place may say the same of many servers.
        fn of_server(place: Place, servers: &[ServerKey]) -> (Place, Option<ServerKey>) {
            (place, servers.first().cloned())
        }
        /// Only values with the same key are compared.
        fn extend_by<T: PartialEq, K: Eq + std::hash::Hash>(into: &mut Vec<T>, from: Vec<T>, key: impl Fn(&T) -> K) {
            if into.is_empty() && from.len() == 1 {
                return into.extend(from);
            }
            let mut known: FxHashMap<K, Vec<usize>> = FxHashMap::default();
            for (index, one) in into.iter().enumerate() {
                known.entry(key(one)).or_default().push(index);
            }
            for one in from {
                let same = known.entry(key(&one)).or_default();
                if !same.iter().any(|index| into[*index] == one) {
                    same.push(into.len());
                    into.push(one);
                }
            }
        }
        self.add_registrations(other.registrations);
        extend_by(&mut self.dynamics, other.dynamics, |one| of_server(one.place, &one.servers));
        extend_by(&mut self.servers, other.servers, |one| one.key.clone());
        extend_by(&mut self.dispatches, other.dispatches, |one| of_server(one.place, &one.servers));
        extend_by(&mut self.call_handlers, other.call_handlers, |one| of_server(one.function, &one.servers));
        extend(&mut self.otherwise, other.otherwise);
        extend_by(&mut self.mounts, other.mounts, |one| one.child.clone());
        extend(&mut self.unknown_resources, other.unknown_resources);
        extend_by(&mut self.shaped, other.shaped, |one| one.place);
        extend(&mut self.left_out, other.left_out);
        extend(&mut self.escapes, other.escapes);
    }
}

impl Found {
    /// Adds the registrations of another run. What several runs register at the same place under the same name is one
    /// registration; what one run registers there twice, with another description, is two.
    fn add_registrations(&mut self, others: Vec<Arc<Registration>>) {
        let key = |one: &Registration| (one.place, one.kind as u8, one.name.text());
        let mut known: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (index, one) in self.registrations.iter().enumerate() {
            known.entry(key(one)).or_default().push(index);
        }
        let before = self.registrations.len();
        let mut merged: FxHashSet<usize> = FxHashSet::default();
        for one in others {
            let same = known.entry(key(&one)).or_default();
            let alike = same.iter().find(|index| is_alike(&self.registrations[**index], &one));
            match alike.or_else(|| same.first().filter(|index| **index < before)) {
                Some(&index) if *self.registrations[index] == *one => {}
                Some(&index) => {
                    merge(Arc::make_mut(&mut self.registrations[index]), &one);
                    merged.insert(index);
                }
                None => {
                    same.push(self.registrations.len());
                    self.registrations.push(one);
                }
            }
        }
        for index in merged {
            let one = Arc::make_mut(&mut self.registrations[index]);
            let (mut servers, mut keys) = (FxHashSet::default(), FxHashSet::default());
            one.servers.retain(|server| servers.insert(server.clone()));
            one.keys.retain(|key| keys.insert(*key));
            one.agreeing.sort_unstable();
            one.agreeing.dedup();
            one.found_by.sort_unstable();
            one.found_by.dedup();
        }
    }
}

/// Whether two registrations differ at most in their servers, in what leads to them, and in how sure they are.
fn is_alike(a: &Registration, b: &Registration) -> bool {
    let Registration { conditional, filtered, confidence, .. } = *b;
    let (servers, keys, callers) = (b.servers.clone(), b.keys.clone(), b.callers.clone());
    let (agreeing, found_by) = (b.agreeing.clone(), b.found_by.clone());
    Registration { servers, keys, callers, agreeing, found_by, conditional, filtered, confidence, ..a.clone() } == *b
}

/// Adds to a registration what another run knows of it; servers and keys may be there twice afterwards.
fn merge(known: &mut Registration, other: &Registration) {
    known.servers.extend(other.servers.iter().cloned());
    known.keys.extend(&other.keys);
    known.agreeing.extend(&other.agreeing);
    known.found_by.extend(&other.found_by);
    known.callers.retain(|call| other.callers.contains(call));
    known.conditional &= other.conditional;
    known.filtered &= other.filtered;
    known.confidence = known.confidence.min(other.confidence);
}
