//! Why a rename is refused, why no alias is written, and why places are left as they are: values with a code. The words for
//! them are made here and nowhere else.

/// Gives some enums a code for each variant.
macro_rules! codes {
    ($($type:ident { $($pattern:pat => $code:expr,)+ })+) => {
        $(impl $type {
            /// A code for programs, stable from version to version.
            pub fn code(&self) -> &'static str {
                match self { $($pattern => $code,)+ }
            }
        })+
    };
}

mod alias;

use std::fmt::{Display, Formatter, Result};

use crate::client::ListKind;
use crate::convention::MAX_LENGTH;
use crate::framework::AliasMode;
use crate::syntax::Untraceable;

pub use self::alias::NoAlias;

/// A refused rename, or a refused removal of an alias.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    Rename {
        old: String,
        new: String,
        why: Box<Why>,
    },
    Removal {
        /// The name that stays callable.
        alias: String,
        tool: String,
        why: Stays,
    },
    /// What the request is about has changed since it was made.
    Outdated(Outdated),
}

/// What a request was about that is not in the workspace any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outdated {
    /// The object that a fix writes into.
    Object,
    Tool(String),
    /// The comment of an alias.
    Comment,
    /// The alias of a tool by this name.
    Alias(String),
    /// The name at the cursor.
    Cursor,
}

/// Why a tool is not renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    Name(BadName),
    /// The server has a tool of that name, or of one that some client takes for it.
    Taken {
        server: String,
        tool: String,
    },
    /// The server still answers this name as the alias of another tool.
    Answered(String),
    /// The name that a client composes is longer than it accepts, in characters.
    TooLong {
        client: String,
        composed: String,
        length: usize,
        limit: usize,
    },
    /// A client's file that cannot be read, and may name the tool.
    Unread {
        path: String,
        reason: String,
    },
    /// The file of an installed package.
    Installed(String),
    /// The part of the name that would change is written once for this tool and others.
    Shared,
    /// The same, where a trial has shown which others.
    SharedWith {
        tool: String,
        more: usize,
    },
    NoLiteral,
    /// No edit of one literal gives the tool this name.
    NoEdit,
    /// The text of a file is another than the one that was read.
    Changed,
    WouldNotParse(String),
    /// An annotation that follows from the name.
    HintChanges(String),
    Unreadable,
    NotFunction,
    NotMethod,
    /// The Python function cannot have the name that the tool would need.
    BadFunction(String),
    /// A part of the tool's name comes from elsewhere than this function.
    BeyondFunction(String),
    /// The Rust method cannot have this name.
    BadMethod(String),
    Uses(Untraceable),
    /// Uses of the function in a file that imports it.
    ImportedUses {
        function: String,
        path: String,
        why: Untraceable,
    },
    /// With the mode that could be had instead of the one that was asked for.
    Alias(At, NoAlias, Option<AliasMode>),
    /// The alias cannot be followed by the analysis.
    AliasUnproved,
    Obstacle {
        at: At,
        kind: Obstacle,
    },
    Loosens(Loosens),
    /// A condition in code that decides otherwise for the new name.
    Decides {
        at: At,
        condition: Condition,
    },
    /// A condition in code that compares with what only a run knows.
    Undecided {
        at: At,
        /// As source writes it, on one line.
        condition: String,
        old: String,
        new: String,
    },
    /// Code asks for the name of the function that the tool was named after.
    ReadsName {
        at: At,
        function: String,
    },
    /// Code or a script names the tool where it may forbid it, and nobody can add the new name.
    Guards(At),
    /// There are more keys, entries, patterns or conditions than are compared with each other.
    TooMuch,
}

/// A condition on a tool's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// As source writes it, on one line.
    pub text: String,
    /// The names that it was tried on.
    pub old: String,
    pub new: String,
    /// It holds for the old name.
    pub holds: bool,
}

/// Why a text cannot be the name of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadName {
    Same(String),
    Empty,
    Character {
        name: String,
        character: char,
    },
    /// It begins as the names that clients compose.
    Composed(String),
    TooLong(String),
}

/// A place as people write it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    pub path: String,
    /// 1-based.
    pub line: u32,
}

/// What keeps the old name where nothing leads to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    /// A key that changes is read as a member.
    Member(String),
    /// Another object has the same keys.
    Twin(String),
    /// A constant has the name as its value.
    Constant(String),
}

/// An entry of a client's file under which the tool would be guarded less after the rename.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loosens {
    pub path: String,
    /// The entry, or the pattern of a text that no client reads.
    pub entry: String,
    pub how: Looser,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looser {
    /// The new name cannot be added to the entry's list.
    NoPlace { kind: ListKind, new: String },
    /// The new name has an entry of another kind already.
    Contradicts { kind: ListKind, new: String, said: ListKind },
    /// A hook that would not run.
    NoHook { new: String },
    /// It guards some calls, and would not after the rename.
    SomeCalls { kind: ListKind },
    /// It guards some calls, and an entry for the others would precede it.
    Precedes { kind: ListKind },
    /// It would offer the tool.
    Offers,
    /// It would allow the tool.
    Allows,
    /// It would not guard the tool.
    Unguarded { kind: ListKind, new: String },
    /// The same, in a file outside the workspace.
    Outside { kind: ListKind, new: String },
    /// The file, read again with its edits, guards this name less.
    Unproved { name: String, old: String, new: String },
    /// It may be about this server, which nothing here starts, and would not match the new name.
    Unstarted { kind: ListKind, new: String },
    /// A hook that does not run for the old name, and may allow what it runs for.
    Runs { new: String },
    /// A hook's expression that cannot be read.
    Unread,
    /// A hook whose code has a text that one of the two names contains and the other does not.
    HookReads { line: u32, new: String },
    /// What is written for the new name would run for another tool.
    Reaches { new: String, other: String },
    /// A pattern in a text that no client reads.
    Pattern { line: u32, new: String },
}

/// Why an alias is not taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stays {
    Unreadable,
    Changed,
    /// Other names would be removed with it.
    More,
    /// The server answers the name in another place as well.
    Answered,
}

/// Why a place that has the tool's name, or a pattern for it, is left as it is. The first variants matter most to the user.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Left {
    Outside,
    /// Names that share a part were changed without aliases.
    SharedAlias,
    /// This name and so many others take a trial each, and no more are made in one run.
    ForLater(usize),
    /// Several files write another name than the only place that has the tool's: which of them is wrong is not known.
    Contested {
        written: String,
        tool: String,
        files: usize,
    },
    /// A condition that decides otherwise for the new name.
    Condition(String),
    /// A condition of which nobody knows whether it decides otherwise.
    Undecided(String),
    /// May restrict the old name, which is callable as an alias.
    Guard,
    /// The new name has to be added by hand.
    ByHand(String),
    /// Another server may be meant: an entry of a server without known source.
    UnknownServer {
        server: String,
        entry: String,
    },
    /// An entry that does not match the new name.
    Unmatched(String),
    /// An entry that starts to match with the new name.
    Matches(String),
    /// A hook's expression that does not match the new name, which was added.
    Added(String),
    /// The list has the new name already.
    Present(String),
    /// An entry for a name that no tool has after the removal.
    Nothing(String),
    NoHandler,
    Compared,
    PathToFunction,
    FunctionMember,
    MethodMember,
    OtherServer,
    Member,
    OtherCode,
    OtherString,
    TestString,
    Foreign,
    /// The same reason holds for this many more places of the file.
    Repeated(Box<Left>, usize),
    /// Nearly always an ordinary word.
    Word,
}

codes! {
    BadName {
        Self::Same(_) => "same-name",
        Self::Empty => "empty-name",
        Self::Character { .. } => "name-character",
        Self::Composed(_) => "composed-name",
        Self::TooLong(_) => "name-length",
    }
    Obstacle {
        Self::Member(_) => "read-as-member",
        Self::Twin(_) => "twin-table",
        Self::Constant(_) => "constant",
    }
    Looser {
        Self::NoPlace { .. } => "entry-cannot-be-added",
        Self::Contradicts { .. } => "entries-contradict",
        Self::NoHook { .. } => "hook-would-not-run",
        Self::SomeCalls { .. } => "guards-some-calls",
        Self::Precedes { .. } => "entry-would-precede",
        Self::Offers => "would-be-offered",
        Self::Allows => "would-be-allowed",
        Self::Unguarded { .. } => "would-be-unguarded",
        Self::Outside { .. } => "unguarded-outside",
        Self::Unproved { .. } => "guarded-less",
        Self::Unstarted { .. } => "unknown-server-guard",
        Self::Runs { .. } => "hook-would-run",
        Self::Unread => "hook-unread",
        Self::HookReads { .. } => "hook-may-decide",
        Self::Reaches { .. } => "reaches-other-tool",
        Self::Pattern { .. } => "pattern-may-guard",
    }
    Stays {
        Self::Unreadable => "unreadable",
        Self::Changed => "changed",
        Self::More => "removes-more",
        Self::Answered => "answered-elsewhere",
    }
    Outdated {
        Self::Object => "object-is-gone",
        Self::Tool(_) => "tool-is-gone",
        Self::Comment => "comment-is-gone",
        Self::Alias(_) => "alias-is-gone",
        Self::Cursor => "no-tool-here",
    }
    Left {
        Self::Outside => "outside-workspace",
        Self::SharedAlias => "shared-part-without-alias",
        Self::ForLater(_) => "for-later",
        Self::Contested { .. } => "names-disagree",
        Self::Condition(_) => "condition-changes",
        Self::Undecided(_) => "condition-unknown",
        Self::Guard => "may-guard",
        Self::ByHand(_) => "add-by-hand",
        Self::UnknownServer { .. } => "unknown-server",
        Self::Unmatched(_) => "does-not-match",
        Self::Matches(_) => "matches",
        Self::Added(_) => "added",
        Self::Present(_) => "present",
        Self::Nothing(_) => "names-nothing",
        Self::NoHandler => "handler-not-found",
        Self::Compared => "compared",
        Self::PathToFunction => "path-to-function",
        Self::FunctionMember | Self::MethodMember | Self::Member => "member",
        Self::OtherServer => "other-server",
        Self::OtherCode => "code",
        Self::OtherString => "string",
        Self::TestString => "test-string",
        Self::Foreign => "unread-language",
        Self::Repeated(why, _) => why.code(),
        Self::Word => "word",
    }
}

/// Why something was not done that might have been: a place left as it is, or a refused rename.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undone {
    Left(Left),
    Refused(Refusal),
}

impl Undone {
    /// A code for programs, stable from version to version.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Left(left) => left.code(),
            Self::Refused(refusal) => refusal.code(),
        }
    }
}

impl Display for Undone {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Left(left) => left.fmt(f),
            Self::Refused(refusal) => refusal.fmt(f),
        }
    }
}

impl Left {
    /// Whether the place may forbid the tool, and does so less than before: only whoever insists leaves it.
    pub fn may_guard(&self) -> bool {
        matches!(self, Self::Condition(_) | Self::Guard)
    }

    /// Whether the place is nearly always an ordinary word: the first remark to drop where there are too many.
    pub fn is_word(&self) -> bool {
        match self {
            Self::Word => true,
            Self::Repeated(why, _) => why.is_word(),
            _ => false,
        }
    }
}

impl Refusal {
    /// A code for programs, stable from version to version.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Rename { why, .. } => why.code(),
            Self::Removal { why, .. } => why.code(),
            Self::Outdated(what) => what.code(),
        }
    }
}

impl Why {
    /// A code for programs, stable from version to version.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Name(why) => why.code(),
            Self::Taken { .. } => "name-taken",
            Self::Answered(_) => "name-answered",
            Self::TooLong { .. } => "client-limit",
            Self::Unread { .. } => "unread-file",
            Self::Installed(_) => "installed-package",
            Self::Shared | Self::SharedWith { .. } => "shared-part",
            Self::NoLiteral | Self::NoEdit => "no-literal",
            Self::Changed => "changed",
            Self::WouldNotParse(_) => "would-not-parse",
            Self::HintChanges(_) => "hint-changes",
            Self::Unreadable => "unreadable",
            Self::NotFunction | Self::BadFunction(_) | Self::BeyondFunction(_) => "function-name",
            Self::NotMethod | Self::BadMethod(_) => "method-name",
            Self::Uses(_) | Self::ImportedUses { .. } => "function-uses",
            Self::Alias(_, why, _) => why.code(),
            Self::AliasUnproved => "alias-unproved",
            Self::Obstacle { kind, .. } => kind.code(),
            Self::Loosens(loosens) => loosens.how.code(),
            Self::Decides { .. } => "condition-changes",
            Self::Undecided { .. } => "condition-unknown",
            Self::ReadsName { .. } => "function-name-is-read",
            Self::Guards(_) => "may-guard",
            Self::TooMuch => "too-much",
        }
    }

    /// The refusal of a rename for this reason.
    pub(super) fn refuses(self, old: &str, new: &str) -> Refusal {
        Refusal::Rename { old: old.to_string(), new: new.to_string(), why: Box::new(self) }
    }
}

impl std::error::Error for Refusal {}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Rename { old, new, why } => match &**why {
                Why::Name(name) => name.fmt(f),
                why => write!(f, "cannot rename `{old}` to `{new}`: {why}"),
            },
            Self::Removal { alias, tool, why } => write!(f, "cannot remove the alias `{alias}` of `{tool}`: {why}"),
            Self::Outdated(what) => what.fmt(f),
        }
    }
}

impl Display for Outdated {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Object => f.write_str("the object to write into is not there any more"),
            Self::Tool(name) => write!(f, "the tool `{name}` is not there any more"),
            Self::Comment => f.write_str("the comment is not there any more"),
            Self::Alias(tool) => write!(f, "no alias of `{tool}` was found below the comment"),
            Self::Cursor => f.write_str("there is no tool name here"),
        }
    }
}

impl Display for BadName {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Same(name) => write!(f, "the tool is already called `{name}`"),
            Self::Empty => f.write_str("the new name is empty"),
            Self::Character { name, character: ' ' } => {
                write!(f, "invalid tool name `{name}`: MCP tool names cannot contain spaces")
            }
            Self::Character { name, character } => {
                write!(f, "invalid tool name `{name}`: MCP tool names cannot contain `{character}`")
            }
            Self::Composed(name) => {
                write!(f, "invalid tool name `{name}`: clients use this form for the tools of another server")
            }
            Self::TooLong(name) => {
                write!(f, "invalid tool name `{name}`: MCP tool names have at most {MAX_LENGTH} characters")
            }
        }
    }
}

impl Display for At {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}:{}", self.path, self.line)
    }
}

impl Display for Why {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Name(why) => why.fmt(f),
            Self::Taken { server, tool } => write!(f, "`{server}` already has a tool `{tool}`"),
            Self::Answered(name) => write!(
                f,
                "`{name}` is still answered as an alias; remove that first (`toolnames fix --unsafe` does if it has expired)"
            ),
            Self::TooLong { client, composed, length, limit } => write!(
                f,
                "{client} would call it `{composed}`, which has {length} characters; {client} accepts at most {limit}"
            ),
            Self::Unread { path, reason } => write!(
                f,
                "{path} may allow or deny the tool and was not read ({reason}); make it readable or remove it first"
            ),
            Self::Installed(path) => write!(f, "{path} belongs to an installed package"),
            Self::Shared => f.write_str("the part that would change is shared with other tools"),
            Self::SharedWith { tool, more: 0 } => write!(f, "it shares this part of its name with `{tool}`"),
            Self::SharedWith { tool, more } => {
                write!(f, "it shares this part of its name with `{tool}` and {more} more")
            }
            Self::NoLiteral => f.write_str("no literal in the source holds this part of the name"),
            Self::NoEdit => f.write_str("no edit of one literal gives it this name"),
            Self::Changed => f.write_str("a file has changed since it was read"),
            Self::WouldNotParse(path) => write!(f, "the edited file would not parse ({path})"),
            Self::HintChanges(hint) => {
                write!(f, "`{hint}` is inferred from the name and would change; set it explicitly first")
            }
            Self::Unreadable => f.write_str("its file cannot be read"),
            Self::NotFunction => f.write_str("its name is not that of a Python function"),
            Self::NotMethod => f.write_str("its name is not that of a Rust method"),
            Self::BadFunction(name) => write!(f, "`{name}` cannot be the name of a Python function"),
            Self::BeyondFunction(function) => {
                write!(f, "a part of the name comes from elsewhere than the function `{function}`")
            }
            Self::BadMethod(name) => {
                write!(f, "it is named after its method, and `{name}` cannot be the name of a Rust method")
            }
            Self::Uses(why) => why.fmt(f),
            Self::ImportedUses { function, path, why } => write!(f, "`{function}` is imported in {path}, where {why}"),
            Self::Alias(at, why, other) => {
                write!(f, "the old name cannot be kept as an alias of the registration in {at}: {why}; use ")?;
                match other {
                    Some(mode) => write!(f, "`--alias={}`, or `--no-alias`", mode.as_str()),
                    None => f.write_str("`--no-alias`, and register the old name by hand"),
                }
            }
            Self::AliasUnproved => f.write_str(
                "what would keep the old name callable cannot be analysed; use `--no-alias` to rename without an alias",
            ),
            Self::Obstacle { at, kind } => write!(f, "{at} {kind}; change it by hand first"),
            Self::Loosens(loosens) => loosens.fmt(f),
            Self::Decides { at, condition: Condition { text, old, new, holds } } => {
                let (yes, no) = if *holds { (old, new) } else { (new, old) };
                write!(
                    f,
                    "the condition `{text}` in {at} holds for `{yes}` and not for `{no}`; change it first, or leave it \
                     with `--force`"
                )
            }
            Self::Undecided { at, condition, old, new } => write!(
                f,
                "whether the condition `{condition}` in {at} holds for `{old}` and for `{new}` alike is known only when the \
                 program runs; check it, then leave it with `--force`"
            ),
            Self::ReadsName { at, function } => write!(
                f,
                "{at} asks for `{function}.__name__`, which would no longer be the tool's name; rename the function too \
                 with `--function`, write the name there, or leave it with `--force`"
            ),
            Self::Guards(at) => write!(
                f,
                "{at} names it where it may be forbidden, and no edit can add the new name; add it first, or leave it with \
                 `--force`"
            ),
            Self::TooMuch => f.write_str(
                "there are more server keys, entries, patterns and conditions here than are compared with each other; rename \
                 it by hand, or in a smaller workspace",
            ),
        }
    }
}

impl Display for Obstacle {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Member(key) => write!(f, "reads `{key}` as a member"),
            Self::Twin(key) => write!(f, "has something else under the key `{key}`"),
            Self::Constant(name) => write!(f, "has the value `{name}`, which may be what the server compares with"),
        }
    }
}

impl Display for Loosens {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Loosens { path, entry, how } = self;
        match how {
            Looser::NoPlace { kind, new } => {
                write!(f, "`{entry}` ({} list of {path}) restricts it; add `{new}` to that list first", kind.as_str())
            }
            Looser::Contradicts { kind, new, said } => write!(
                f,
                "{path} has `{new}` ({}) and `{entry}` ({}); remove one of the two entries first",
                said.as_str(),
                kind.as_str()
            ),
            Looser::NoHook { new } => {
                write!(f, "the hook `{entry}` in {path} would not run for the new name; add `{new}` to it first")
            }
            Looser::SomeCalls { kind } => write!(
                f,
                "`{entry}` ({} list of {path}) guards some calls of it and would no longer match; add a rule for the new name first",
                kind.as_str()
            ),
            Looser::Precedes { kind } => write!(
                f,
                "`{entry}` ({} list of {path}) guards some calls of it, and an entry for the other calls would precede it; \
                 add that entry by hand first",
                kind.as_str()
            ),
            Looser::Offers => {
                write!(f, "`{entry}` in {path} would offer it under the new name; remove that entry first")
            }
            Looser::Allows => {
                write!(f, "`{entry}` in {path} would allow it under the new name; remove that entry first")
            }
            Looser::Unguarded { kind, new } => write!(
                f,
                "`{entry}` ({} list of {path}) would no longer match; add `{new}` to that list first",
                kind.as_str()
            ),
            Looser::Outside { kind, new } => write!(
                f,
                "`{entry}` ({} list of {path}) would no longer match, and {path} lies outside the workspace; \
                 add `{new}` to that list first",
                kind.as_str()
            ),
            Looser::Unproved { name, old, new } => {
                write!(f, "{path} would restrict `{name}` less than it restricts `{old}`; add `{new}` to it first")
            }
            Looser::Unstarted { kind, new } => write!(
                f,
                "`{entry}` ({} list of {path}) may restrict this tool, whose server no file here starts, and would not match \
                 the new name; add `{}` to that list first",
                kind.as_str(),
                new
            ),
            Looser::Runs { new } => write!(
                f,
                "the hook for `{entry}` in {path} would run for `{new}`, and may allow it; change its matcher first"
            ),
            Looser::Unread => {
                write!(f, "the hook's expression `{entry}` in {path} cannot be read; write it in another way first")
            }
            Looser::HookReads { line, new } => write!(
                f,
                "a hook may decide by `{entry}` ({path}:{line}), which only one of the two names contains; name `{new}` there \
                 first, or use `--force` if it decides about something else"
            ),
            Looser::Reaches { new, other } => {
                write!(
                    f,
                    "what would be written for `{new}` in {path} would match `{other}` as well; choose another name"
                )
            }
            Looser::Pattern { line, new } => write!(
                f,
                "the pattern `{entry}` in {path}:{line} may restrict this tool and would not match the new name; \
                 add `{new}` to {path} first"
            ),
        }
    }
}

impl Display for Untraceable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::NotFunction => f.write_str("its name is not that of a function"),
            Self::Method => f.write_str("it is a method, whose calls cannot be found"),
            Self::Taken(name) => write!(f, "`{name}` means something else"),
            Self::Ambiguous(name) => write!(f, "`{name}` means something else as well"),
        }
    }
}

impl Display for Stays {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Unreadable => "its file cannot be read",
            Self::Changed => "its file has changed since it was read",
            Self::More => "other names would be removed with it",
            Self::Answered => "the server answers it in another place as well; remove it there by hand first",
        })
    }
}

impl Display for Left {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::ByHand(new) => return write!(f, "add `{new}` by hand"),
            Self::UnknownServer { server, entry } => {
                return write!(f, "the source of `{server}` is not here; if it is this server, change `{entry}` too");
            }
            Self::Unmatched(entry) => return write!(f, "`{entry}` does not match the new name"),
            Self::Matches(entry) => return write!(f, "`{entry}` matches the new name"),
            Self::Added(entry) => return write!(f, "`{entry}` does not match the new name, which was added"),
            Self::Present(new) => return write!(f, "`{new}` is in the list already"),
            Self::Nothing(name) => return write!(f, "`{name}` names no tool any more"),
            Self::Repeated(why, 1) => return write!(f, "{why}, as in another place of this file"),
            Self::Repeated(why, more) => return write!(f, "{why}, as in {more} other places of this file"),
            Self::Outside => "it lies outside the workspace; change it by hand",
            Self::SharedAlias => "changed without aliases, since several names share this part",
            Self::ForLater(others) => {
                return write!(
                    f,
                    "this name and {others} more are left, since each takes a trial of its own: run the same command again"
                );
            }
            Self::Contested { written, tool, files } => {
                return write!(
                    f,
                    "{files} files say `{written}`, and only its registration says `{tool}`: run `toolnames rename {tool} \
                     {written}`, or change the files"
                );
            }
            Self::Condition(text) => {
                return write!(f, "the condition `{text}` decides otherwise for the new name");
            }
            Self::Undecided(text) => {
                return write!(f, "whether the condition `{text}` decides otherwise for the new name is not known");
            }
            Self::Guard => "the old name can still be called; if this forbids it, add the new name",
            Self::NoHandler => "the code that handles calls of this name was not found",
            Self::Compared => "compared with a value that may not be a tool name",
            Self::PathToFunction => "a path to the function, or a key that looks like one",
            Self::FunctionMember => "a member of the same name, which may be the function",
            Self::MethodMember => "a member of the same name, which may be the method",
            Self::OtherServer => "another server has a tool of this name",
            Self::Member => "a member of the same name, which may be the tool",
            Self::OtherCode => "a name in code, which may be a function or a column",
            Self::OtherString => "a string that matches the tool name but may be unrelated",
            Self::TestString => "a test's string that may be unrelated",
            Self::Foreign => "it is in a file of a language that toolnames does not read",
            Self::Word => "a word that may be unrelated",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_why_and_what_to_do() {
        let loosens = Loosens {
            path: "guard.sh".into(),
            entry: "mcp__notes__drop_*".into(),
            how: Looser::Pattern { line: 1, new: "mcp__notes__remove_note".into() },
        };
        let refusal = Why::Loosens(loosens).refuses("drop_note", "remove_note");
        assert_eq!(refusal.code(), "pattern-may-guard");
        assert_eq!(
            refusal.to_string(),
            "cannot rename `drop_note` to `remove_note`: the pattern `mcp__notes__drop_*` in guard.sh:1 may restrict this \
             tool and would not match the new name; add `mcp__notes__remove_note` to guard.sh first"
        );
    }
}
