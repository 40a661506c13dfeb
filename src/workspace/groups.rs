//! The servers of a workspace while they are being assembled.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::server::Server;
use crate::found::ServerKey;

/// The directory of a package, and a server in it.
pub(super) type Owner = (String, Group);

/// The servers of a workspace while they are being assembled.
pub(super) type Groups = FxHashMap<Owner, Server>;

/// The group that a registration belongs to within its package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Group {
    /// The package as a whole, if no server object can be seen.
    Package,
    Object(ServerKey),
    /// A type, whose parts may lie in several files.
    Class(SmolStr),
}

impl Group {
    pub(super) fn of(key: &ServerKey) -> Group {
        match key {
            ServerKey::Class { name, .. } => Group::Class(name.clone()),
            object => Group::Object(object.clone()),
        }
    }
}
