//! Seeded random numbers. The draws are the same on every machine and with every version of the crates.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore, SeedableRng},
};

/// A separate random stream for each name, so that changing one draw doesn't affect the others.
pub struct Dice(ChaCha8Rng);

impl Dice {
    pub fn new(name: &str) -> Self {
        // Use FNV-1a, because the standard library's hash may change.
        let seed = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Returns a number from 0 to `n - 1`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.0.next_u32() as usize) % n
    }

    /// Returns true with a probability of `percent`.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Draws at most `count` distinct items.
    pub fn some<T>(&mut self, mut items: Vec<T>, count: usize) -> Vec<T> {
        let mut some = Vec::new();
        while some.len() < count && !items.is_empty() {
            some.push(items.swap_remove(self.below(items.len())));
        }
        some
    }
}
