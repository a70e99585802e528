//! Hands batches to the writer.

use std::collections::BTreeSet;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use time::OffsetDateTime;

use super::super::batch::{self, Limits};
use super::super::{Task, TaskId};
use super::{Queue, Running, State};
use crate::sync::lock;

/// While writes to one index keep arriving, a batch waits this long for the next write …
const GATHER_PAUSE: Duration = Duration::from_millis(10);
/// … but at most this long after it was first considered. A lone write never waits.
const GATHER_LIMIT: Duration = Duration::from_millis(100);
/// A batch with more payload bytes than this doesn't wait, because writing it costs more than the transaction around it.
const GATHER_BYTES: usize = 256 << 10;

/// Work for the writer.
pub enum Work {
    Batch(Running, Vec<Task>),
    /// Check the files of these indexes.
    Suspects(BTreeSet<String>),
    /// Nothing arrived within the requested time.
    Idle,
    Stop,
}

impl Queue {
    /// Waits for work for at most `idle`, and marks it as running.
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
            // While the writer is gathering tasks, it needn't be woken for each one.
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

    /// Returns the running batch to the queue, so that it is picked again.
    pub fn requeue(&self) {
        lock(&self.state).running = None;
    }
}

impl State {
    /// Returns how long the batch `uids`, first considered at `since`, should wait for more tasks.
    pub(super) fn gathering(&self, uids: &[TaskId], since: Instant) -> Option<Duration> {
        let last = self.waiting.back()?;
        // If another kind of task follows, the batch won't grow.
        if uids.last() != Some(&last.uid) || !batch::grows(last) || self.waiting_bytes > GATHER_BYTES {
            return None;
        }
        let pause = GATHER_PAUSE.checked_sub(self.burst_at?.elapsed())?;
        GATHER_LIMIT.checked_sub(since.elapsed()).map(|left| pause.min(left))
    }
}
