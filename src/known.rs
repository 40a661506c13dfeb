//! Facts about a workspace, beyond its servers and tools, that several features use: the layers of a gateway, the
//! schemas of arguments, the words that a server adds to a convention, the functions that names refer to. They are
//! computed from a snapshot on demand; no rule is checked here.

pub(crate) mod effects;
pub(crate) mod functions;
pub(crate) mod gateway;
pub(crate) mod handlers;
pub(crate) mod lookup;
pub(crate) mod ours;
pub(crate) mod public;
pub(crate) mod schema;
pub(crate) mod typed;
mod values;
