//! Facts about a workspace, beyond its servers and tools, that several features use: the layers of a gateway, the
//! schemas of arguments, the words of a convention that a server adds, the functions behind names. They are computed
//! from a snapshot on demand; nothing is judged here.

pub(crate) mod functions;
pub(crate) mod gateway;
pub(crate) mod handlers;
pub(crate) mod lookup;
pub(crate) mod ours;
pub(crate) mod schema;
pub(crate) mod typed;
