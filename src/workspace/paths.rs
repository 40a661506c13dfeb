//! The paths of a workspace's files.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::text::FileId;

/// The path of each file, and its id.
#[derive(Debug, Clone, Default)]
pub(super) struct Paths {
    pub(super) by_id: Vec<Arc<str>>,
    pub(super) by_path: FxHashMap<Arc<str>, FileId>,
}
