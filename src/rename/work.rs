//! How much one question of a rename may look at.

use std::cell::Cell;

/// How many steps of about a hundred nanoseconds one question may take: for hundreds of keys, of entries and of agents at once
/// that is enough.
const MOST: usize = 5_000_000;

/// What is left of them. What was not looked at is refused: a rename that is not proved is none.
pub(super) struct Work {
    left: Cell<usize>,
}

impl Default for Work {
    fn default() -> Work {
        Work { left: Cell::new(MOST) }
    }
}

impl Work {
    /// Takes some steps; `false` where so many are not left.
    pub(super) fn take(&self, steps: usize) -> bool {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Whether something was not looked at, or nothing more would be.
    pub(super) fn is_out(&self) -> bool {
        self.left.get() == 0
    }
}
