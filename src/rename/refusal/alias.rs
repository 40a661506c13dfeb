//! The reasons why no alias is written.

use std::fmt::{Display, Formatter, Result};

use super::At;
use crate::framework::AliasMode;
use crate::site::BadSite;

/// The reason why the old name cannot be kept as an alias.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAlias {
    /// The reason in the framework's row: the rest of a sentence that begins with the framework's id.
    Framework {
        id: String,
        why: String,
    },
    /// No recipe of the framework is known.
    NoRecipe(String),
    /// No recipe of the framework has the mode that was asked for.
    NoMode(String, AliasMode),
    Version,
    UnknownLanguage,
    Unreadable,
    NoDispatch,
    IndirectDispatch,
    OwnFunction,
    NoHandler,
    NoReturn,
    Switched,
    ReturnedAndSwitched,
    NextStatement,
    Only,
    OddReturn,
    BadImport,
    NameTaken(String),
    NoImports,
    OtherForm,
    DescribedElsewhere,
    HoldsHandler,
    Changed,
    NoListVariable,
    ForeignHandler,
    OwnHandler(String),
    ManyHandlers,
    NoRequest,
    NoList,
    NoKey,
    NoTable,
    ComposedName,
    OtherServerMaybe,
    MadeInPlace,
    Method,
    Parameters,
    NoSelf,
    NoOptions,
    NoObject,
    NoElement,
    NoCall,
    NoVariable,
    NoServer,
    InsideMade,
    /// Code picks elements of the list by their position, and an additional element would shift the others.
    ByPosition {
        list: String,
        at: String,
    },
    /// An assertion in a test would no longer hold.
    BreaksTest(At),
    /// A placeholder of the recipe that has no value for this registration.
    NoWord(String),
    Site(BadSite),
}

codes! {
    NoAlias {
        Self::Framework { .. } => "framework-has-no-alias",
        Self::NoRecipe(_) => "framework-unknown",
        Self::NoMode(..) => "framework-has-no-such-alias",
        Self::Version => "framework-version",
        Self::UnknownLanguage => "language-unknown",
        Self::Unreadable => "unreadable",
        Self::NoDispatch => "dispatch-form",
        Self::IndirectDispatch => "dispatch-indirect",
        Self::OwnFunction => "own-function",
        Self::NoHandler => "handler-not-found",
        Self::NoReturn => "no-return-value",
        Self::Switched => "enabled-and-disabled",
        Self::ReturnedAndSwitched => "returned",
        Self::NextStatement => "no-room",
        Self::Only => "no-braces",
        Self::OddReturn => "return-form",
        Self::BadImport => "import-form",
        Self::NameTaken(_) => "name-taken",
        Self::NoImports => "no-imports",
        Self::OtherForm => "registration-form",
        Self::DescribedElsewhere => "description-elsewhere",
        Self::HoldsHandler => "handler-inline",
        Self::Changed => "changed",
        Self::NoListVariable => "no-list-variable",
        Self::ForeignHandler => "handler-in-other-file",
        Self::OwnHandler(_) => "own-handler",
        Self::ManyHandlers => "several-handlers",
        Self::NoRequest => "no-request",
        Self::NoList => "no-list",
        Self::NoKey => "no-key",
        Self::NoTable => "no-table",
        Self::ComposedName => "composed-name",
        Self::OtherServerMaybe => "composed-elsewhere",
        Self::MadeInPlace => "server-made-in-place",
        Self::Method => "method",
        Self::Parameters => "parameters",
        Self::NoSelf => "no-self",
        Self::NoOptions => "no-options",
        Self::NoObject => "no-object",
        Self::NoElement => "no-element",
        Self::NoCall => "no-call",
        Self::NoVariable => "no-variable",
        Self::NoServer => "no-server",
        Self::InsideMade => "inside-return-value",
        Self::ByPosition { .. } => "picked-by-position",
        Self::BreaksTest(_) => "breaks-test",
        Self::NoWord(_) => "registration-incomplete",
        Self::Site(_) => "registration-site",
    }
}

impl Display for NoAlias {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Framework { id, why } => return write!(f, "`{id}` {why}"),
            Self::NoRecipe(id) => {
                return write!(f, "toolnames does not know how to register a second name with `{id}`");
            }
            Self::NoMode(id, AliasMode::Hidden) => {
                return write!(f, "`{id}` has no documented way to handle calls to an unlisted name");
            }
            Self::NoMode(id, AliasMode::Listed) => {
                return write!(f, "toolnames does not know how to list a second name with `{id}`");
            }
            Self::NameTaken(name) => return write!(f, "`{name}` refers to something else in its file"),
            Self::OwnHandler(name) => return write!(f, "the server already defines `{name}`"),
            Self::ByPosition { list, at } => return write!(f, "{at} picks elements of `{list}` by their position"),
            Self::BreaksTest(at) => return write!(f, "the test at {at} would fail with an alias"),
            Self::NoWord(word) => return write!(f, "its registration does not show its {word}"),
            Self::Site(site) => return site.fmt(f),
            Self::Version => "the declared version of its framework does not support aliases",
            Self::UnknownLanguage => "the language of its file is not supported",
            Self::Unreadable => "its file cannot be read",
            Self::NoDispatch => "the dispatch of its calls has a form to which no alias can be added",
            Self::IndirectDispatch => "the server looks up handlers by name in a form to which no alias can be added",
            Self::OwnFunction => "it is registered through one of the project's own functions",
            Self::NoHandler => "the code that handles its calls was not found",
            Self::NoReturn => "its registration returns nothing that could be used",
            Self::Switched => "the tool is enabled and disabled at run time",
            Self::ReturnedAndSwitched => "its registration is returned to the caller, which may disable the tool",
            Self::NextStatement => "no statement can be inserted after the registration",
            Self::Only => "its registration is the body of an `if` or a function without braces",
            Self::OddReturn => "its `return` statement has a form that no alias can be added to",
            Self::BadImport => "the recipe's import does not have the form `from … import …`",
            Self::NoImports => "no import can be added to the file",
            Self::OtherForm => "its registration has a form that no alias can be added to",
            Self::DescribedElsewhere => "its description is written elsewhere",
            Self::HoldsHandler => "its definition contains the handler",
            Self::Changed => "its file has changed since it was read",
            Self::NoListVariable => "its definition is not in a list that is assigned to a variable",
            Self::ForeignHandler => "the code that handles calls is in another file",
            Self::ManyHandlers => "the function that handles calls was not found, or there are several",
            Self::NoRequest => "the function that handles calls does not name its request",
            Self::NoList => "its definition is not in a list",
            Self::NoKey => "its name is not the key of an object",
            Self::NoTable => "its name is not the key of an object that is assigned to a variable",
            Self::ComposedName => "part of the tool's name is added at the registration",
            Self::OtherServerMaybe => "part of its name is added elsewhere, possibly by another server",
            Self::MadeInPlace => "its server is created in the same expression",
            Self::Method => "its function is a method, in which the server object is not in scope",
            Self::Parameters => "its parameters cannot be passed on",
            Self::NoSelf => "its function has no `self`",
            Self::NoOptions => "its name is not in an object that is passed to the registration",
            Self::NoObject => "it is not registered with an object",
            Self::NoElement => "its definition is not an element of a list",
            Self::NoCall => "no call takes its definition as its only argument",
            Self::NoVariable => "its definition has no name",
            Self::NoServer => "the code does not show that it is registered with a server",
            Self::InsideMade => "its name is inside the return value of a function",
        })
    }
}

impl Display for BadSite {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Unsupported => "nothing can be written next to its registration",
            Self::Larger => "its registration is part of a larger expression",
            Self::Only => "its registration is the body of an `if` or a function without braces",
            Self::Optional => "the object that it is registered with may be `undefined` or null",
            Self::NoMethod => "its decorator is not on a method",
            Self::NoParameters => "its function has no parameters",
            Self::NoFunction => "its attribute is not on a function",
            Self::NoAttribute => "its attribute was not found",
            Self::Generic => "its function is generic",
        })
    }
}
