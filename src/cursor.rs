//! The subject under a cursor, and what the editor can show and do there.

mod actions;
mod completion;
mod hints;
mod hover;
mod offered;
mod outline;
mod overview;
mod references;
mod renaming;
pub(crate) mod settings;
mod subject;

pub use self::actions::actions;
pub use self::completion::complete;
pub(crate) use self::hints::{counts, full_names, lengths_left};
pub use self::hover::hover;
pub(crate) use self::offered::{Item, ItemKind};
pub(crate) use self::outline::{Lens, Symbol, SymbolKind, workspace_symbols};
pub use self::outline::{lenses, symbols};
pub(crate) use self::overview::{Said, ToolOverview, overview};
pub(crate) use self::references::{definitions, references};
pub use self::renaming::{prepare_rename, rename};
pub use self::subject::subject;
pub(crate) use self::subject::{Subject, subject_or_spoken_of};
