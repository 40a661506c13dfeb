//! The completions that an editor is offered.

use crate::show::Markdown;
use crate::text::Span;

/// The completions at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// The span that an item replaces.
    pub span: Span,
    pub items: Vec<Item>,
}

/// One completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub kind: ItemKind,
    pub text: String,
    /// The text that the editor compares with the characters typed so far.
    pub filter: String,
    /// A few words next to the item, such as the server or the number of tools.
    pub detail: String,
    /// The title and description of the tool, or the purpose of the key or value.
    pub documentation: Option<Markdown>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// A server's key, or the prefix of the strings about its tools, to be completed further.
    Server,
    /// An entry for all tools of a server.
    Whole,
    Tool,
    /// A key or a table of a config.
    Key,
    /// A value of a config.
    Value,
}
