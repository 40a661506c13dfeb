//! A limit on the work for one question that a rename has to answer.

use std::cell::Cell;

/// The maximum number of steps for one question. A step takes about a hundred nanoseconds. The limit is enough for
/// hundreds of keys, entries and agents at once.
const MOST: usize = 5_000_000;

/// The steps that are left. A rename that uses them up is refused, since it could not be verified.
pub(super) struct Work {
    left: Cell<usize>,
}

impl Default for Work {
    fn default() -> Work {
        Work { left: Cell::new(MOST) }
    }
}

impl Work {
    /// Uses up `steps` steps. If fewer are left, uses up all of them and returns `false`.
    pub(super) fn take(&self, steps: usize) -> bool {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Whether no steps are left.
    pub(super) fn is_out(&self) -> bool {
        self.left.get() == 0
    }
}
