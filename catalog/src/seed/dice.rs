//! Random numbers from a seed, which are identical on every machine.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Stream of random numbers for one part of the data, so that changing one part leaves the others alone.
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    pub(super) fn new(seed: u64, part: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(part);
        Self(rng)
    }

    /// Returns a number in [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        self.0.random()
    }

    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Returns a number from 0 to `n - 1`, or 0 if `n` is 0.
    pub(super) fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { self.0.random_range(0..n) }
    }

    /// Returns a number like [`Self::below`], but prefers small ones. A skew of 1 is uniform, and 2 is strongly skewed.
    pub(super) fn skewed(&mut self, n: usize, skew: f64) -> usize {
        let at = self.unit().powf(skew) * n as f64;
        (at as usize).min(n.saturating_sub(1))
    }

    pub(super) fn between(&mut self, low: u32, high: u32) -> u32 {
        self.0.random_range(low..=high)
    }

    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    pub(super) fn word(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }

    /// Returns a random index, given the weight of each.
    pub(super) fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut left = self.0.random_range(0..weights.iter().sum::<u32>());
        for (at, weight) in weights.iter().enumerate() {
            if left < *weight {
                return at;
            }
            left -= weight;
        }
        weights.len() - 1
    }

    pub(super) fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.unit(), self.unit());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    /// Returns a popularity, which is low for most objects and very high for a few (Pareto, the continuous form of
    /// Zipf).
    pub(super) fn popularity(&mut self, least: f64, most: f64) -> f64 {
        (least * (1.0 - self.unit()).powf(-0.9)).min(most)
    }

    /// Returns up to `count` distinct numbers below `n`.
    pub(super) fn different(&mut self, count: usize, n: usize, skew: f64) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::with_capacity(count.min(n));
        // Demo data needs variety but not exact counts, so a few misses are fine.
        for _ in 0..count.saturating_mul(3) {
            let one = self.skewed(n, skew);
            if n > 0 && !chosen.contains(&one) {
                chosen.push(one);
            }
            if chosen.len() >= count.min(n) {
                break;
            }
        }
        chosen
    }

    /// Returns `count` distinct numbers below `n`. It is fast for large counts, because it walks with a coprime stride.
    pub(super) fn walk(&mut self, count: usize, n: usize) -> impl Iterator<Item = usize> + use<> {
        let start = self.below(n);
        let stride = [7919, 6151, 4177, 1].into_iter().find(|p| !n.is_multiple_of(*p)).unwrap_or(1);
        (0..count.min(n)).map(move |i| (start + i * stride) % n)
    }

    pub(super) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        self.0.random()
    }
}
