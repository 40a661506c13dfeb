//! What a completion offers.

use crate::show::Markdown;
use crate::text::Span;

/// The completions at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// The span that an item replaces: all of the string.
    pub span: Span,
    pub items: Vec<Item>,
}

/// One completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub kind: ItemKind,
    pub text: String,
    /// The text with which the characters typed so far are compared.
    pub filter: String,
    /// A few words: the server, or the number of tools.
    pub detail: String,
    /// The tool's title and description.
    pub documentation: Option<Markdown>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// The prefix of every string about a server; its tools follow.
    Server,
    /// Every tool of a server.
    Whole,
    Tool,
    /// A key or a table of a config.
    Key,
    /// A value of a config.
    Value,
}
