//! Values that features compute from an analysis, kept as long as the analysis.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// Values by name and type. They depend only on the analysis that owns them, which never changes, so they are never out
/// of date.
#[derive(Default)]
pub struct Memo {
    values: Mutex<FxHashMap<String, Arc<dyn Any + Send + Sync>>>,
}

impl Memo {
    /// Returns the value with a name, and computes it if it is missing. Two threads may compute it at once; one of the
    /// two values is kept.
    pub fn get<T: Any + Send + Sync>(&self, name: String, make: impl FnOnce() -> T) -> Arc<T> {
        let values = || self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = values().get(&name).cloned().and_then(|value| value.downcast::<T>().ok());
        kept.unwrap_or_else(|| {
            let made = Arc::new(make());
            values().insert(name, Arc::clone(&made) as Arc<dyn Any + Send + Sync>);
            made
        })
    }
}

impl std::fmt::Debug for Memo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memo")
    }
}
