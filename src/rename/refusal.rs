//! Why a rename is refused, why no alias is written, and why places are left as they are: values with a code. The words for
//! them are made in `words`, and nowhere else.

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
mod words;

use std::fmt::{Display, Formatter, Result};

use crate::client::ListKind;
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
    /// A message in which a test expects the old name.
    Expected,
    /// A condition in code that was built from other code.
    Built,
    /// In the section of a version, or of changes.
    Past,
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
        Self::Expected => "expected-text",
        Self::Built => "built-code",
        Self::Past => "past-section",
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
