//! Stores governor's state in a sled tree. There is one row per key, with the timestamps at which the key's used cells become free.

use std::{
    cell::{Cell, RefCell},
    hash::{Hash, Hasher},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use governor::{nanos::Nanos, state::StateStore};

use crate::{
    key::Key,
    rule::{Rule, nanos},
};

/// How long an idle row is retained. Attempts that read the clock before the row became idle have finished by then.
const REST: Duration = Duration::from_secs(10);

/// Cells of all keys of one action. Clones share their state.
#[derive(Clone)]
pub(crate) struct Cells {
    tree: sled::Tree,
    rule: Rule,
    tracked: Arc<AtomicUsize>,
}

/// An attempt, including results that governor's trait cannot return.
#[derive(Clone)]
pub(crate) struct CellAttempt {
    pub key: Key,
    /// Timestamp that was written.
    pub moment: Cell<u64>,
    /// The store's error, if governor rejected the attempt because of it.
    pub failure: RefCell<Option<sled::Error>>,
}

impl CellAttempt {
    pub fn new(key: Key) -> Self {
        Self { key, moment: Cell::new(0), failure: RefCell::new(None) }
    }
}

impl PartialEq for CellAttempt {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for CellAttempt {}

impl Hash for CellAttempt {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl Cells {
    pub fn new(tree: sled::Tree, rule: Rule) -> Self {
        Self { tree, rule, tracked: Arc::default() }
    }

    /// Returns the time until a cell of `key` is free, or zero if one is free now.
    pub fn wait(&self, key: &Key, now: u64) -> sled::Result<Duration> {
        let row = self.row(self.tree.get(key)?.as_deref());
        if row.len() < self.cells() {
            return Ok(Duration::ZERO);
        }
        let due = row.first().map_or(0, |first| first.saturating_sub(nanos(self.rule.tolerance())));
        Ok(Duration::from_nanos(due.saturating_sub(now)))
    }

    /// Advances the single cell of a GCRA by `units` steps, without limit.
    pub fn charge(&self, key: &Key, now: u64, units: u32) -> sled::Result<()> {
        let step = nanos(self.rule.interval.saturating_mul(units));
        loop {
            let current = self.tree.get(key)?;
            let due = self.row(current.as_deref()).last().copied().unwrap_or(0).max(now).saturating_add(step);
            let new = current.is_none();
            if self.tree.compare_and_swap(key, current, Some(bytes(&[due])))?.is_ok() {
                if new {
                    self.count(|tracked| tracked + 1);
                }
                return Ok(());
            }
        }
    }

    /// Reverts the attempt that wrote `moment`.
    pub fn give_back(&self, key: &Key, moment: u64) -> sled::Result<()> {
        self.change(key, |row| {
            if self.rule.burst.get() > 1 {
                // There is a single cell, which later attempts have advanced by the same step.
                row.iter_mut().for_each(|due| *due = due.saturating_sub(nanos(self.rule.interval)));
            } else if let Some(index) = row.iter().position(|due| *due == moment) {
                row.remove(index);
            }
        })
    }

    /// Removes the state of `key`.
    pub fn clear(&self, key: &Key) -> sled::Result<()> {
        self.change(key, Vec::clear)
    }

    /// Removes idle rows, which are equivalent to missing ones. Counts the other rows and adapts them to the policy. Returns the number of
    /// removed rows.
    pub fn sweep(&self, now: u64) -> sled::Result<usize> {
        self.pass(now, true)
    }

    /// Counts all rows, including idle ones, and adapts them to the policy, as required before the first attempt. It removes nothing,
    /// because removing millions of rows takes a minute, but reading them only a second.
    pub fn fit(&self, now: u64) -> sled::Result<()> {
        self.pass(now, false).map(drop)
    }

    /// Counts the rows and pulls back timestamps that are further ahead than the policy allows, as if their cells had been taken just now.
    /// Such timestamps were written under another policy, or the clock was set back beyond the last recorded time.
    fn pass(&self, now: u64, removes: bool) -> sled::Result<usize> {
        let (rest, latest) = (now.saturating_sub(nanos(REST)), now.saturating_add(nanos(self.rule.horizon())));
        let (mut removed, mut kept) = (0, 0);
        for entry in &self.tree {
            let (key, value) = entry?;
            let last = moments(&value).max().unwrap_or(0);
            if last <= rest && removes {
                // This skips keys that have been used since they were read.
                removed += usize::from(self.tree.compare_and_swap(key, Some(value), None::<&[u8]>)?.is_ok());
                continue;
            }
            kept += 1;
            if last > latest {
                let pulled: Vec<u64> = moments(&value).map(|due| due.min(latest)).collect();
                // If an attempt wins the race, the next sweep pulls the row back.
                let _ = self.tree.compare_and_swap(key, Some(value), Some(bytes(&pulled)))?;
            }
        }
        self.tracked.store(kept, Ordering::Relaxed);
        Ok(removed)
    }

    /// Returns the number of rows. It is the number at the start or the last sweep, adjusted by later additions and removals.
    pub fn tracked(&self) -> usize {
        self.tracked.load(Ordering::Relaxed)
    }

    /// Returns a row's timestamps in ascending order, at most one per cell. Cells without a timestamp are free.
    fn row(&self, stored: Option<&[u8]>) -> Vec<u64> {
        let mut row: Vec<u64> = stored.into_iter().flat_map(moments).collect();
        row.sort_unstable();
        // If a former policy had more cells, only the latest timestamps matter.
        row.drain(..row.len().saturating_sub(self.cells()));
        row
    }

    fn change(&self, key: &Key, how: impl Fn(&mut Vec<u64>)) -> sled::Result<()> {
        loop {
            let Some(current) = self.tree.get(key)? else { return Ok(()) };
            let mut row = self.row(Some(&current));
            how(&mut row);
            let next = Some(row).filter(|row| !row.is_empty()).map(|row| bytes(&row));
            let gone = next.is_none();
            if self.tree.compare_and_swap(key, Some(current), next)?.is_ok() {
                if gone {
                    self.count(|tracked| tracked.saturating_sub(1));
                }
                return Ok(());
            }
        }
    }

    fn cells(&self) -> usize {
        self.rule.cells.unsigned_abs().into()
    }

    fn count(&self, how: impl Fn(usize) -> usize) {
        // This cannot fail, because the closure always returns a value.
        let _ = self.tracked.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |tracked| Some(how(tracked)));
    }
}

impl StateStore for Cells {
    type Key = CellAttempt;

    /// Tries the cell that becomes free first, then an unused one, so that a rejection always carries the earliest time at which a cell
    /// becomes free.
    fn measure_and_replace<T, F, E>(&self, attempt: &CellAttempt, f: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        loop {
            let current = match self.tree.get(attempt.key) {
                Ok(current) => current,
                Err(error) => return attempt.fail(error, f),
            };
            let mut row = self.row(current.as_deref());
            let (answer, next) = match row.first().map(|first| f(Some(Nanos::from(*first)))) {
                Some(Ok(accepted)) => {
                    row.remove(0);
                    accepted
                }
                Some(Err(refusal)) if row.len() >= self.cells() => return Err(refusal),
                _ => f(None)?,
            };
            row.push(next.as_u64());
            let new = current.is_none();
            match self.tree.compare_and_swap(attempt.key, current, Some(bytes(&row))) {
                Ok(Ok(())) => {
                    attempt.moment.set(next.as_u64());
                    if new {
                        self.count(|tracked| tracked + 1);
                    }
                    return Ok(answer);
                }
                Ok(Err(_changed_meanwhile)) => {}
                Err(error) => return attempt.fail(error, f),
            }
        }
    }
}

impl CellAttempt {
    fn fail<T, E>(&self, error: sled::Error, f: impl Fn(Option<Nanos>) -> Result<(T, Nanos), E>) -> Result<T, E> {
        self.failure.replace(Some(error));
        // This represents a cell that never becomes free.
        f(Some(Nanos::from(u64::MAX))).map(|(answer, _)| answer)
    }
}

fn moments(stored: &[u8]) -> impl Iterator<Item = u64> {
    stored.chunks_exact(8).map(|chunk| chunk.iter().fold(0, |moment, byte| moment << 8 | u64::from(*byte)))
}

fn bytes(row: &[u64]) -> Vec<u8> {
    row.iter().flat_map(|moment| moment.to_be_bytes()).collect()
}
