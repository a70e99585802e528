//! Handing batches to the writer.

use std::collections::BTreeSet;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use time::OffsetDateTime;

use super::super::batch::{self, Limits};
use super::super::{Task, TaskId};
use super::{Queue, Running, State};
use crate::sync::lock;

/// While writes to one index keep coming, a batch waits so long for the next of them …
const GATHER_PAUSE: Duration = Duration::from_millis(10);
/// … but so long at most from its first look on. A write that comes alone never waits.
const GATHER_LIMIT: Duration = Duration::from_millis(100);
/// A batch of so many payload bytes costs more than the transaction around it: it doesn't wait.
const GATHER_BYTES: usize = 256 << 10;

/// What the writer is to do.
pub enum Work {
    Batch(Running, Vec<Task>),
    /// The files of these indexes are to be checked.
    Suspects(BTreeSet<String>),
    /// Nothing came for as long as was asked.
    Idle,
    Stop,
}

impl Queue {
    /// Waits for work and marks it as running; `idle` bounds the wait.
    pub fn next_work(&self, limits: Limits, idle: Option<Duration>) -> Work {
        let mut state = lock(&self.state);
        let mut since = None;
        loop {
            if state.stop {
                return Work::Stop;
            }
            if !state.suspects.is_empty() {
                return Work::Suspects(std::mem::take(&mut state.suspects));
            }
            let uids = batch::next(&state.waiting, limits);
            let pause = if uids.is_empty() {
                since = None;
                idle
            } else {
                let since = *since.get_or_insert_with(Instant::now);
                match state.gathering(&uids, since) {
                    Some(pause) => Some(pause),
                    None => return self.start(&mut state, uids),
                }
            };
            // Who gathers needn't be woken for each task.
            state.asleep = uids.is_empty();
            let (next, waited) = match pause {
                Some(pause) => {
                    let (next, waited) =
                        self.changed.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner);
                    (next, waited.timed_out())
                }
                None => (self.changed.wait(state).unwrap_or_else(PoisonError::into_inner), false),
            };
            state = next;
            state.asleep = false;
            if waited && uids.is_empty() && state.waiting.is_empty() {
                return Work::Idle;
            }
        }
    }

    fn start(&self, state: &mut State, uids: Vec<TaskId>) -> Work {
        self.abort.store(false, Ordering::Relaxed);
        let tasks: Vec<Task> = state.waiting.iter().filter(|t| uids.binary_search(&t.uid).is_ok()).cloned().collect();
        let running = Running {
            batch_uid: uids[0],
            started_at: OffsetDateTime::now_utc(),
            uids,
            index_uid: tasks.first().and_then(|task| task.index_uid.clone()),
        };
        state.running = Some(running.clone());
        Work::Batch(running, tasks)
    }

    /// Puts the running batch back: it will be picked again.
    pub fn give_back(&self) {
        lock(&self.state).running = None;
    }
}

impl State {
    /// How long the batch `uids`, first looked at `since`, should wait for more of its kind.
    pub(super) fn gathering(&self, uids: &[TaskId], since: Instant) -> Option<Duration> {
        let last = self.waiting.back()?;
        // Something else follows the batch: it won't grow.
        if uids.last() != Some(&last.uid) || !batch::grows(last) || self.waiting_bytes > GATHER_BYTES {
            return None;
        }
        let pause = GATHER_PAUSE.checked_sub(self.crowded_at?.elapsed())?;
        GATHER_LIMIT.checked_sub(since.elapsed()).map(|left| pause.min(left))
    }
}
