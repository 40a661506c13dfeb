//! A limit on the comparisons for one string: with many strings and many tools, not every pair is compared.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The number of steps, of about ten nanoseconds each, that all strings of a file share.
const OF_FILE: usize = 100_000_000;
/// The minimum number of steps for one string: enough for a server with a hundred tools.
const LEAST: usize = 4_000;

/// The steps left for one string. Each string has a share of its own, so that the findings do not depend on the order
/// in which threads reach the strings.
#[derive(Debug)]
pub(crate) struct Fuel {
    left: AtomicUsize,
    is_out: AtomicBool,
}

impl Fuel {
    /// Creates the fuel of one string, if a file has `count` strings.
    pub(super) fn of_one_in(count: usize) -> Fuel {
        Fuel { left: AtomicUsize::new((OF_FILE / count.max(1)).max(LEAST)), is_out: AtomicBool::new(false) }
    }

    /// Takes some steps. If fewer are left, takes none, records that the fuel ran out and returns `false`.
    pub(super) fn take(&self, steps: usize) -> bool {
        let left = self.left.load(Ordering::Relaxed);
        match left.checked_sub(steps) {
            Some(left) => self.left.store(left, Ordering::Relaxed),
            None => self.run_out(),
        }
        left >= steps
    }

    /// Returns the number of steps left.
    pub(super) fn left(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }

    /// Records that some comparison was skipped.
    pub(super) fn run_out(&self) {
        self.is_out.store(true, Ordering::Relaxed);
    }

    /// Whether some comparison was skipped.
    pub(super) fn is_out(&self) -> bool {
        self.is_out.load(Ordering::Relaxed)
    }
}
