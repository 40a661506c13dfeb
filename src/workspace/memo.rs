//! What features have computed from an analysis, kept as long as it lasts.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// Values by name and type. They follow from the analysis that they lie beside alone: nobody changes it, so nobody has
/// to make them again.
#[derive(Default)]
pub struct Memo {
    values: Mutex<FxHashMap<String, Arc<dyn Any + Send + Sync>>>,
}

impl Memo {
    /// The value of a name, made where it is not there yet. Two threads may make it at once; one of the two is kept.
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
