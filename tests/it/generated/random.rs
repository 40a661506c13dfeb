//! Random choices that can be replayed: a program is a function of the sequence of its choices, so a shorter sequence
//! or one with smaller numbers is a smaller program.

/// A source of choices.
pub(super) struct Random {
    state: u64,
    /// The choices to replay; after the last one, every choice is 0, which is always the plainest.
    given: Option<Vec<u32>>,
    /// Every choice so far.
    pub(super) drawn: Vec<u32>,
}

impl Random {
    /// Choices that depend only on a seed.
    pub(super) fn of_seed(seed: u64) -> Random {
        // The first numbers of neighbouring seeds would be alike otherwise.
        let mut state = seed.wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        state ^= state >> 31;
        Random { state: state | 1, given: None, drawn: Vec::new() }
    }

    /// The choices of an earlier run, perhaps changed.
    pub(super) fn of_choices(choices: Vec<u32>) -> Random {
        Random { state: 1, given: Some(choices), drawn: Vec::new() }
    }

    /// A number from 0 to `limit - 1`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        assert!(limit > 0, "there is nothing to choose from");
        let number = match &self.given {
            Some(given) => given.get(self.drawn.len()).copied().unwrap_or(0) as usize % limit,
            None => {
                // xorshift64*
                self.state ^= self.state >> 12;
                self.state ^= self.state << 25;
                self.state ^= self.state >> 27;
                (self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
            }
        };
        self.drawn.push(number as u32);
        number
    }

    /// Whether something happens that has so many chances in a hundred.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent
    }

    pub(super) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// A random order of the elements.
    pub(super) fn shuffle<T>(&mut self, elements: &mut [T]) {
        for at in (1..elements.len()).rev() {
            let other = at - self.below(at + 1);
            elements.swap(at, other);
        }
    }
}
