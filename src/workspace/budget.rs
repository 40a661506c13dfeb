//! How many steps the programs of a workspace may take.

/// The numbers of steps that programs may take.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Each, at first. Most need far fewer.
    pub first: u64,
    /// All that need more, together.
    pub all: u64,
    /// Each of these at most.
    pub most: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { first: 1_000_000, all: 80_000_000, most: 16_000_000 }
    }
}

impl Budget {
    /// The number of steps of each program that needs more than the others.
    pub(super) fn share(self, greedy: usize) -> u64 {
        match greedy as u64 {
            0 => self.first,
            greedy => (self.all / greedy).clamp(self.first, self.most.max(self.first)),
        }
    }
}
