//! Expressions → names, with the literal that each character came from.
//!
//! Evaluation walks lowered expressions across files, lazily: an object is evaluated only as far as a selector asks. A
//! value that cannot be computed is unknown, with a reason. If only an argument or the element of a loop is missing,
//! the value also records the function or loop, and [`register`] tries every caller or element. Evaluation reads no
//! files: it returns what is missing as [`Want`]s, and its caller loads what they name and evaluates again.

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
use crate::code::Offset;
use crate::framework::{Frameworks, Kind};
use crate::lower::{CallId, FileFacts, ScopeId};
use crate::syntax::Family;
use crate::text::{FileId, Span};

/// The hints in a tool's annotations: their names in the protocol, and in Rust.
pub(crate) const HINTS: [(&str, &str); 4] = [
    ("readOnlyHint", "read_only_hint"),
    ("destructiveHint", "destructive_hint"),
    ("idempotentHint", "idempotent_hint"),
    ("openWorldHint", "open_world_hint"),
];

/// The workspace, as far as evaluation needs it.
pub(crate) trait World: Sync {
    fn facts(&self, file: FileId) -> Option<&FileFacts>;
    fn family(&self, file: FileId) -> Option<Family>;
    /// The path of a file relative to the root of its package.
    fn path_in_package(&self, file: FileId) -> &str;
    /// Where an import of `module` in `from` leads.
    fn resolve(&self, from: FileId, module: &str) -> Lookup;
    fn frameworks(&self) -> &Frameworks;
    /// Whether some file of the same project imports a package of this framework.
    fn project_uses(&self, file: FileId, framework: usize) -> bool;
    /// The files in which anything of this name is called.
    fn files_calling(&self, name: &str) -> &[FileId];
    /// The files that import a list or table by this name and may add to it.
    fn files_growing(&self, name: &str) -> &[FileId];
    /// The classes with a base class of this name: the file and the name of each.
    fn derived_from(&self, name: &str) -> &[(FileId, SmolStr)];
    /// Whether something of this name is an element of an array, an entry of an object or an argument, in any file.
    fn is_handed(&self, name: &str) -> bool;
    /// Whether the types of a tool's parameters are needed.
    fn reads_types(&self) -> bool;
    /// The other names under which files import or export something of this name.
    fn aliases_of(&self, name: &str) -> &[SmolStr];
}

/// Where an import leads.
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

/// Something that evaluation needs to have loaded.
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

/// Where a piece of text comes from.
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
    /// The function or loop of which an activation or element is needed to compute it; `None` if that would not help.
    pub(crate) blocked: Option<ScopeKey>,
    /// Where a value exceeded its size limit, if that is the reason.
    pub(crate) at: Option<Place>,
}

/// A function or loop of some file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ScopeKey {
    pub(crate) file: FileId,
    pub(crate) item: u32,
    pub(crate) scope: ScopeId,
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

/// How sure a registration is.
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
    /// Index into [`Frameworks::rows`].
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
    /// The schema of its arguments, if it is visible. `handler` is the function that runs when it is called, if that is
    /// visible.
    pub schema: Option<Place>,
    pub handler: Option<Place>,
    /// The server objects it is registered with; empty if the code does not show them.
    pub servers: Vec<ServerKey>,
    /// The call, decorated function or list element that registers it.
    pub place: Place,
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
    /// How many leading parts of its name come from mounts. The rest is the name at the registration.
    pub mounted: usize,
    /// The keys equal to its name in tables that the registration looks up by the name: `handlers[tool.name]`.
    pub keys: Vec<Place>,
    pub confidence: Confidence,
}

/// Where a missing value can be added.
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
    /// Its first statement.
    pub first: Place,
    /// The index of the parameter that holds the name, counted from 0, including a receiver.
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
        Unknown { reason: reason.into(), blocked: None, at: None }
    }

    /// An unknown value that can be computed in an activation of the function, or for an element of the loop, that is
    /// `blocked`.
    pub(crate) fn waiting(reason: impl Into<Cow<'static, str>>, blocked: Option<ScopeKey>) -> Unknown {
        Unknown { reason: reason.into(), blocked, at: None }
    }
}
