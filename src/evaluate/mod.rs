//! Expressions → names, with the literal that each character came from.
//!
//! Evaluation walks lowered expressions across files, lazily: an object is looked into only where a selector
//! asks. What it cannot compute it says with a reason, and where only an argument or a loop's element is
//! missing it says which; [`register`] then tries every caller or element. It reads no files: what it would have
//! to read it *wants*, and whoever drives it loads that and asks again.

mod alias;
mod callers;
mod dispatch;
mod environment;
mod escape;
mod expression;
pub(crate) mod fuel;
mod growth;
mod instances;
mod list;
mod member;
mod names;
mod paths;
mod register;
mod select;
mod shape;
mod string;
mod value;

use std::borrow::Cow;
use std::sync::Arc;

use smallvec::SmallVec;
use smol_str::SmolStr;

pub(crate) use self::dispatch::Otherwise;
pub(crate) use self::register::{Found, count, evaluate_file};
use crate::framework::{Frameworks, Kind};
use crate::lower::{CallId, FileFacts, ScopeId};
use crate::syntax::Family;
use crate::text::{FileId, Span};

/// What annotations say of a tool: as the protocol writes it, and as Rust does.
pub(crate) const HINTS: [(&str, &str); 4] = [
    ("readOnlyHint", "read_only_hint"),
    ("destructiveHint", "destructive_hint"),
    ("idempotentHint", "idempotent_hint"),
    ("openWorldHint", "open_world_hint"),
];

/// What evaluation asks of the files around it.
pub(crate) trait World: Sync {
    fn facts(&self, file: FileId) -> Option<&FileFacts>;
    fn family(&self, file: FileId) -> Option<Family>;
    /// The path of a file from the root of its package.
    fn path_in_package(&self, file: FileId) -> &str;
    /// Where an import of `module` in `from` leads.
    fn resolve(&self, from: FileId, module: &str) -> Lookup;
    fn frameworks(&self) -> &Frameworks;
    /// Whether some file of the same project imports a package of this framework.
    fn project_uses(&self, file: FileId, framework: usize) -> bool;
    /// The files in which something of this name is called, whatever it is.
    fn files_calling(&self, name: &str) -> &[FileId];
    /// The files that import something of this name and may add to it: a list or table that another file makes.
    fn files_growing(&self, name: &str) -> &[FileId];
    /// The classes that name a class of this name as their base: where they are, and their names.
    fn derived_from(&self, name: &str) -> &[(FileId, SmolStr)];
    /// Whether something of this name is in an array or object, or is an argument, anywhere.
    fn is_handed(&self, name: &str) -> bool;
    /// Whether anybody asks what the types of a tool's parameters are.
    fn reads_types(&self) -> bool;
    /// The names under which files import something of this name, where they are others.
    fn aliases_of(&self, name: &str) -> &[SmolStr];
}

/// Where an import leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lookup {
    Found(FileId),
    /// Another package: known by its name only.
    External,
    /// Nothing is there. A later file of that name changes the answer.
    Absent,
    /// There is a file, and nobody has read it yet.
    NotLoaded,
}

/// What evaluation would have to see to go on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Want {
    /// The file that this import leads to.
    Import { from: FileId, module: SmolStr },
    /// Every file in which this word occurs: it may call a function that registers tools.
    Word(SmolStr),
}

/// A stretch of an item's text; it stays true while the item moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub file: FileId,
    pub item: u32,
    pub span: Span,
}

/// A string that remembers where each of its characters was born. A value is never a bare `String`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traced {
    pub parts: SmallVec<[Part; 2]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub text: SmolStr,
    pub origin: Origin,
}

/// Where a piece of text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A string literal; the place covers the characters inside its quotes.
    Literal(Place),
    /// The name of a function or class.
    Identifier(Place),
    /// The framework put it there: the `_` between a mounted server's prefix and a name.
    Framework,
    /// Nobody knows: the text is `*`.
    Unknown(Box<Unknown>),
}

/// Why something could not be computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    pub reason: Cow<'static, str>,
    /// What it would take: an activation of this function, or an element of this loop.
    pub(crate) blocked: Option<ScopeKey>,
    /// Where a value outgrew its limit.
    pub(crate) at: Option<Place>,
}

/// A function or loop of some file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ScopeKey {
    pub(crate) file: FileId,
    pub(crate) item: u32,
    pub(crate) scope: ScopeId,
}

/// Which server object: the call that makes it, or the class that is it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ServerKey {
    Object {
        file: FileId,
        item: u32,
        call: CallId,
        /// The name that a caller gives it, where the call stands in a function that makes a server of any name;
        /// `None` stands for all of them.
        given: Option<SmolStr>,
    },
    Class {
        file: FileId,
        name: SmolStr,
    },
}

/// How sure a registration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Written at the registration.
    Exact,
    /// Through loops, wrappers, mounts or class names.
    Derived,
    /// By its shape only.
    Heuristic,
}

/// One thing that a server offers: a tool, prompt or resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Registration {
    pub kind: Kind,
    /// Index into [`Frameworks::rows`].
    pub framework: usize,
    pub name: Traced,
    pub title: Option<Traced>,
    /// It certainly has none: none is given, and no unknown value could be one.
    pub untitled: bool,
    /// Where a title would be written so that the framework finds it.
    pub title_place: Option<Lack>,
    pub description: Option<Traced>,
    /// Hints by name, as far as they are literal.
    pub annotations: Vec<(SmolStr, bool)>,
    /// What describes its arguments, and what runs when it is called, as far as they can be seen.
    pub schema: Option<Place>,
    pub handler: Option<Place>,
    /// The server objects it is registered with; empty where the code does not show them.
    pub servers: Vec<ServerKey>,
    /// The call, decorated function or list element that registers it.
    pub place: Place,
    /// The decorator's or attribute's arguments, or the place for them: where a name can be written when it is
    /// the identifier of what is decorated.
    pub naming: Option<Naming>,
    /// The function, class or module body that contains it; two in one body run one after the other.
    pub body: (FileId, u32, ScopeId),
    /// It is in a branch that may not run, is called from one, or is in one of several lists.
    pub conditional: bool,
    /// It is in a list from which a filter, at run time, leaves some out.
    pub filtered: bool,
    /// It is an element of a list that a handler answers with.
    pub listed: bool,
    /// The call or function that answers with that list.
    pub listing: Option<Place>,
    /// How many parts of its name come from mounts, which put them before what the registration calls it.
    pub mounted: usize,
    /// The keys under which something is looked up by its name where it is registered: `handlers[tool.name]`.
    pub keys: Vec<Place>,
    pub confidence: Confidence,
}

/// The place where a missing value would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lack {
    /// The object in which it is looked for.
    pub object: Place,
    /// The entries that lead to it from there; none of them is there.
    pub path: Vec<SmolStr>,
    /// That object hands on what it is given: another one, of the caller's, is where it would be written.
    pub handed_on: bool,
}

/// How to give a registration a name of its own, apart from the identifier it is taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Naming {
    /// The attribute of a Rust function that has the keyword, where none is there yet: it is written in front of the function.
    pub attribute: Option<SmolStr>,
    /// The keyword that names; empty where the first argument does.
    pub keyword: SmolStr,
    /// An empty place.
    pub at: Place,
    /// What to put around `keyword = "…"`: `(` and `)`, nothing, or a comma behind.
    pub before: &'static str,
    pub after: &'static str,
}

/// A registration whose name the source does not show.
#[derive(Debug, Clone, PartialEq)]
pub struct Dynamic {
    pub place: Place,
    /// What is known of the name, `*` for the rest: `falcon_*`.
    pub partial: Option<String>,
    pub reason: Cow<'static, str>,
    pub servers: Arc<[ServerKey]>,
    /// The framework's row says that it is so: tools come from a document or a web application, or go.
    pub is_said: bool,
    /// No framework answers for the list; the project does, message by message.
    pub by_hand: bool,
}

/// A server that another one takes in, with its tools under a prefix.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mount {
    pub parents: Vec<ServerKey>,
    pub child: ServerKey,
    /// With the separator; without one, names stay as they are.
    pub prefix: Option<Traced>,
}

/// A literal that a server compares the name of a called tool with, or under which it keeps what to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    pub text: SmolStr,
    /// Inside its quotes, if it has any.
    pub place: Place,
    /// What runs depends on it. One of a list that the name may be in says no more than something about the tool.
    pub decides: bool,
    pub servers: Arc<[ServerKey]>,
}

/// A function that a server calls with the name of the tool that is called.
#[derive(Debug, Clone, PartialEq)]
pub struct CallHandler {
    pub function: Place,
    /// Its first statement.
    pub first: Place,
    /// The parameter that holds the name, counted from 0, a receiver among them.
    pub parameter: usize,
    /// The members of the parameter that lead to the name.
    pub path: Vec<SmolStr>,
    pub servers: Arc<[ServerKey]>,
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
    pub fn literal(text: SmolStr, place: Place) -> Traced {
        Traced::of(Part { text, origin: Origin::Literal(place) })
    }

    fn of(part: Part) -> Traced {
        Traced { parts: SmallVec::from_iter([part]) }
    }

    /// The whole string; `*` stands for what is unknown.
    pub fn text(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }

    /// Whether it is this string as a whole.
    pub fn is(&self, text: &str) -> bool {
        let rest = self.parts.iter().try_fold(text, |rest, part| rest.strip_prefix(part.text.as_str()));
        rest.is_some_and(str::is_empty)
    }

    /// The first thing that is missing, if anything is.
    pub fn unknown(&self) -> Option<&Unknown> {
        self.parts.iter().find_map(|part| match &part.origin {
            Origin::Unknown(unknown) => Some(unknown.as_ref()),
            _ => None,
        })
    }
}

impl Part {
    /// Where it was born, if that is known.
    pub fn place(&self) -> Option<Place> {
        match self.origin {
            Origin::Literal(place) | Origin::Identifier(place) => Some(place),
            Origin::Framework | Origin::Unknown(_) => None,
        }
    }
}

impl Unknown {
    pub(crate) fn because(reason: impl Into<Cow<'static, str>>) -> Unknown {
        Unknown { reason: reason.into(), blocked: None, at: None }
    }

    /// What can be computed in an activation of a function, or for an element of a loop, where that is `blocked`.
    pub(crate) fn waiting(reason: impl Into<Cow<'static, str>>, blocked: Option<ScopeKey>) -> Unknown {
        Unknown { reason: reason.into(), blocked, at: None }
    }
}
