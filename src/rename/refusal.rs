//! The reasons why a rename is refused, why no alias is written, and why places are left as they are: values with a
//! code. Their texts are in `words` and `alias`.

/// Implements `code` for some enums, with a code for each variant.
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
use crate::diagnostic::RuleId;
use crate::framework::AliasMode;
use crate::site::Untraceable;

pub(crate) use self::alias::NoAlias;

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
    /// The object of the request has changed since the request was made.
    Outdated(Outdated),
}

/// The target of a request that no longer exists in the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outdated {
    /// The object that a fix writes into.
    Object,
    Tool(String),
    /// The comment of an alias.
    Comment,
    /// An alias of the tool with this name.
    Alias(String),
    /// The name at the cursor.
    Cursor,
}

/// The reason why a tool is not renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    Name(BadName),
    /// The server has a tool with this name, or with one that some client treats as the same.
    Taken {
        server: String,
        tool: String,
    },
    /// The server still answers this name as the alias of another tool.
    Answered(String),
    /// The name that a client composes is longer than the client accepts. Lengths are in characters.
    TooLong {
        client: String,
        composed: String,
        length: usize,
        limit: usize,
    },
    /// A client's file that may allow or deny the tool cannot be read.
    Unread {
        path: String,
        reason: String,
    },
    /// The edit would change this file of an installed package.
    Installed(String),
    /// The part of the name that would change is written once for this tool and others.
    Shared,
    /// The same as [`Why::Shared`], if a trial has found one of the other tools and the number of the rest.
    SharedWith {
        tool: String,
        more: usize,
    },
    NoLiteral,
    /// No edit of one literal gives the tool this name.
    NoEdit,
    /// A file has changed since it was read.
    Changed,
    WouldNotParse(String),
    /// This annotation is inferred from the name and would change.
    HintChanges(String),
    Unreadable,
    NotFunction,
    NotMethod,
    /// A Python function cannot have this name.
    BadFunction(String),
    /// A part of the tool's name does not come from this function.
    BeyondFunction(String),
    /// A Rust method cannot have this name.
    BadMethod(String),
    Uses(Untraceable),
    /// The uses of the function cannot be traced in a file that imports it.
    ImportedUses {
        function: String,
        path: String,
        why: Untraceable,
    },
    /// No alias can be written for a registration: its place, the reason, and the mode that would work instead of the
    /// requested one.
    Alias(At, NoAlias, Option<AliasMode>),
    /// The code of the alias cannot be analysed.
    AliasUnproved,
    Obstacle {
        at: At,
        kind: Obstacle,
    },
    Loosens(Loosens),
    /// A condition in code holds for only one of the two names.
    Decides {
        at: At,
        condition: Condition,
    },
    /// A condition in code compares the name with a value that is known only at run time.
    Undecided {
        at: At,
        /// The source text, on one line.
        condition: String,
        old: String,
        new: String,
    },
    /// Code reads the `__name__` of the function that the tool was named after.
    ReadsName {
        at: At,
        function: String,
    },
    /// The server answers a call with the function, method or member that has the tool's name. The place is that of the
    /// registration.
    Unhandled(At),
    /// Code or a script names the tool where it may forbid it, and no edit can add the new name.
    Guards(At),
    /// There are more keys, entries, patterns or conditions than can be compared with each other.
    TooMuch,
}

/// A condition on a tool's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The source text, on one line.
    pub text: String,
    /// The old and the new name, for which the condition was evaluated.
    pub old: String,
    pub new: String,
    /// Whether the condition holds for the old name and not for the new one; if `false`, it is the reverse.
    pub holds: bool,
}

/// The reason why a text cannot be the new name of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadName {
    Same(String),
    Empty,
    Character {
        name: String,
        character: char,
    },
    /// The name begins like those that clients compose.
    Composed(String),
    TooLong(String),
}

/// A place as it is shown to people, `path:line`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    pub path: String,
    /// 1-based.
    pub line: u32,
}

/// Code that keeps the old name and that the analysis cannot connect with the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    /// This key would change, and code reads it as a member.
    Member(String),
    /// Another object has the same keys, among them this one.
    Twin(String),
    /// A constant has this name as its value.
    Constant(String),
}

/// An entry of a client's file because of which the tool would be guarded less after the rename.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loosens {
    pub path: String,
    /// The entry, or the pattern in a text that no client reads. Empty if no single entry is the cause.
    pub entry: String,
    pub how: Looser,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looser {
    /// The new name cannot be added to the entry's list.
    NoPlace { kind: ListKind, new: String },
    /// The new name has an entry of another kind already.
    Contradicts { kind: ListKind, new: String, said: ListKind },
    /// The hook would not run for the new name.
    NoHook { new: String },
    /// The entry guards some calls, and would not match after the rename.
    SomeCalls { kind: ListKind },
    /// The entry guards some calls, and an entry for the other calls would precede it.
    Precedes { kind: ListKind },
    /// The entry would offer the tool under its new name.
    Offers,
    /// The entry would allow the tool under its new name.
    Allows,
    /// The entry would not match the new name, so that the tool would not be guarded.
    Unguarded { kind: ListKind, new: String },
    /// The same as [`Looser::Unguarded`], in a file outside the workspace.
    Outside { kind: ListKind, new: String },
    /// The file, read again with its edits, guards `name` less than it guarded `old`.
    Unproved { name: String, old: String, new: String },
    /// The entry may be about this server, which no file here starts, and would not match the new name.
    Unstarted { kind: ListKind, new: String },
    /// A hook that does not run for the old name would run for the new one, and may allow it.
    Runs { new: String },
    /// The expression of a hook cannot be read.
    Unread,
    /// The code of a hook contains a text that occurs in only one of the two names.
    HookReads { line: u32, new: String },
    /// The pattern written for the new name would match another tool as well.
    Reaches { new: String, other: String },
    /// A pattern in a text that no client reads would not match the new name.
    Pattern { line: u32, new: String },
}

/// The reason why an alias is not removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stays {
    Unreadable,
    Changed,
    /// Other names would be removed with the alias.
    More,
    /// The server answers the name in another place as well.
    Answered,
}

/// The reason why a place with the tool's name, or with a pattern for it, is left as it is. The first variants matter
/// most to the user.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Left {
    Outside,
    /// A finding whose fix has to be requested, with the title of the fix.
    Unsafe {
        rule: RuleId,
        fix: String,
    },
    /// A finding with several fixes, with their titles.
    Choice {
        rule: RuleId,
        fixes: Vec<String>,
    },
    /// A finding without a fix.
    NoFix {
        rule: RuleId,
        message: String,
    },
    /// A change of a part that several names share, for which no aliases are written.
    SharedAlias,
    /// This name and the given number of others need a trial each, and the limit for one run is reached.
    ForLater(usize),
    /// Several files use another name than the registration, the only place with the tool's name; it is not known which
    /// of the two names is wrong.
    Contested {
        written: String,
        tool: String,
        files: usize,
    },
    /// A condition whose result differs for the new name.
    Condition(String),
    /// A condition for which it is unknown whether its result differs for the new name.
    Undecided(String),
    /// The place may restrict the old name, which can still be called.
    Guard,
    /// This name must be added by hand.
    ByHand(String),
    /// A comparison in a test that holds before the rename and not after it.
    Comparison(String),
    /// An entry for a server whose source is unknown, and which may be the tool's own server.
    UnknownServer {
        server: String,
        entry: String,
    },
    /// An entry that names the tool in the form of another client than the one that reads the list, with the name of the
    /// latter.
    OtherForm(String),
    /// An entry that does not match the new name.
    Unmatched(String),
    /// An entry that starts to match with the new name.
    Matches(String),
    /// A hook's expression that matched the old name and not the new one. The new name was added to the expression.
    Added(String),
    /// The list has the new name already.
    Present(String),
    /// An entry or a text with this name, which no tool has after the removal of the alias.
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
    /// A text in which a test may expect the old name.
    Expected,
    /// A condition in code that was built from other code.
    Built,
    /// A place in a section about a version or about changes.
    Past,
    /// A sentence of a document that has both names already.
    BothNames,
    /// A place that a document marks as wrong, such as text under a cross or after `Wrong:`.
    WrongExample,
    Foreign,
    /// The same reason holds for this many more places of the file.
    Repeated(Box<Left>, usize),
    /// A name that is nearly always an ordinary word.
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
        Self::Unsafe { .. } => "unsafe-fix",
        Self::Choice { .. } => "several-fixes",
        Self::NoFix { .. } => "no-fix",
        Self::SharedAlias => "shared-part-without-alias",
        Self::ForLater(_) => "for-later",
        Self::Contested { .. } => "names-disagree",
        Self::Condition(_) => "condition-changes",
        Self::Undecided(_) => "condition-unknown",
        Self::Guard => "may-guard",
        Self::ByHand(_) => "add-by-hand",
        Self::Comparison(_) => "test-fails",
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
        Self::OtherForm(_) => "other-form",
        Self::OtherServer => "other-server",
        Self::OtherCode => "code",
        Self::OtherString => "string",
        Self::TestString => "test-string",
        Self::Expected => "expected-text",
        Self::Built => "built-code",
        Self::Past => "past-section",
        Self::BothNames => "both-names",
        Self::WrongExample => "wrong-example",
        Self::Foreign => "unread-language",
        Self::Repeated(why, _) => why.code(),
        Self::Word => "word",
    }
}

/// The reason why something was not done: a place left as it is, or a refused rename or removal.
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
    /// Whether the reason is that it is unknown if a text is the tool's name. It no longer holds once the text is edited.
    pub(super) fn is_of_a_text(&self) -> bool {
        matches!(
            self,
            Left::Compared | Left::Member | Left::OtherCode | Left::OtherString | Left::TestString | Left::Word
        )
    }

    /// Whether the place may forbid the tool, and would do so less than before. Such a place is left only with
    /// `--force`.
    pub fn may_guard(&self) -> bool {
        matches!(self, Self::Condition(_) | Self::Guard)
    }

    /// Whether the place is nearly always an ordinary word. Such remarks are the first to be dropped if there are too
    /// many.
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
            Self::Unhandled(_) => "handler-by-name",
            Self::Guards(_) => "may-guard",
            Self::TooMuch => "too-much",
        }
    }

    /// Returns the refusal of a rename for this reason.
    pub(super) fn refuses(self, old: &str, new: &str) -> Refusal {
        Refusal::Rename { old: old.to_string(), new: new.to_string(), why: Box::new(self) }
    }
}

impl std::error::Error for Refusal {}
