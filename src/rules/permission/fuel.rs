//! How much is compared for one string: where both the strings and the tools are many, not every pair is.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What all strings of a file may take together, in steps of about ten nanoseconds.
const OF_FILE: usize = 100_000_000;
/// What one may take in any case: enough for a server of a hundred tools.
const LEAST: usize = 4_000;

/// What is left for one string. It is the string's own, so that what is found does not depend on the order in which
/// threads come to the strings.
#[derive(Debug)]
pub(crate) struct Fuel {
    left: AtomicUsize,
    is_out: AtomicBool,
}

impl Fuel {
    /// The share of one of `count` strings.
    pub(super) fn of_one_in(count: usize) -> Fuel {
        Fuel { left: AtomicUsize::new((OF_FILE / count.max(1)).max(LEAST)), is_out: AtomicBool::new(false) }
    }

    /// Takes some steps; `false`, and nothing is taken, where so many are not left.
    pub(super) fn take(&self, steps: usize) -> bool {
        let left = self.left.load(Ordering::Relaxed);
        match left.checked_sub(steps) {
            Some(left) => self.left.store(left, Ordering::Relaxed),
            None => self.run_out(),
        }
        left >= steps
    }

    /// How many steps are left.
    pub(super) fn left(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }

    /// Something was not looked at.
    pub(super) fn run_out(&self) {
        self.is_out.store(true, Ordering::Relaxed);
    }

    /// Whether something was not looked at.
    pub(super) fn is_out(&self) -> bool {
        self.is_out.load(Ordering::Relaxed)
    }
}
