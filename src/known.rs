//! What several features know of a workspace beside its servers and tools: the layers of a gateway, the schemas of
//! arguments, the words of a convention that a server adds, the functions behind names. It is computed from a snapshot
//! when it is asked for, and judges nothing.

pub(crate) mod functions;
pub(crate) mod gateway;
pub(crate) mod handlers;
pub(crate) mod lookup;
pub(crate) mod ours;
pub(crate) mod schema;
pub(crate) mod typed;
