//! Reference implementation of an exact limit, which keeps a list of accepted attempts for each key.

use std::collections::HashMap;

/// Attempts accepted per window.
pub const MOST: usize = 5;
/// Length of the window in seconds.
pub const WINDOW: u64 = 600;

/// Timestamps of accepted attempts by key, oldest first, in the caller's unit.
#[derive(Default)]
pub struct Log(HashMap<i64, Vec<u64>>);

impl Log {
    /// Returns when the next attempt by `key` may be accepted. 0 means at any time.
    pub fn next(&self, key: i64, window: u64) -> u64 {
        let accepted = self.0.get(&key).map_or(&[][..], Vec::as_slice);
        let nth = accepted.len().checked_sub(MOST).map(|index| accepted[index]);
        nth.map_or(0, |nth| nth + window)
    }

    pub fn accept(&mut self, key: i64, at: u64) {
        self.0.entry(key).or_default().push(at);
    }

    pub fn give_back(&mut self, key: i64) {
        self.0.get_mut(&key).and_then(Vec::pop).unwrap();
    }

    /// Returns a window with too many attempts, if there is one.
    pub fn overfull(&self, window: u64) -> Option<(i64, Vec<u64>)> {
        self.0.iter().find_map(|(key, accepted)| {
            let run = accepted.windows(MOST + 1).find(|run| run[MOST] - run[0] < window)?;
            Some((*key, run.to_vec()))
        })
    }
}
