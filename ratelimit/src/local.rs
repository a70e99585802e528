//! Node-local counting, with governor over sled.

use std::{sync::Arc, time::Duration};

use governor::{RateLimiter, clock::Clock, middleware::NoOpMiddleware, nanos::Nanos};

use crate::{
    cells::{CellAttempt, Cells},
    clock::{TimeSource, WallClock},
    key::Key,
    refusal::{LimitRefusal, RetryAfter},
    rule::Rule,
};

/// Limiter for an action. It holds the cells a second time, because governor does not expose them.
pub(crate) struct Local {
    limiter: RateLimiter<CellAttempt, Cells, WallClock, NoOpMiddleware<Nanos>>,
    cells: Cells,
    time: Arc<dyn TimeSource>,
}

impl Local {
    pub fn new(tree: sled::Tree, rule: Rule, time: &Arc<dyn TimeSource>) -> sled::Result<Self> {
        let cells = Cells::new(tree, rule);
        let limiter = RateLimiter::new(rule.quota(), cells.clone(), WallClock::new(Arc::clone(time)));
        cells.fit(time.unix_nanos())?;
        Ok(Self { limiter, cells, time: Arc::clone(time) })
    }

    /// Takes a cell and returns the written timestamp, for [`Local::give_back`].
    pub fn take(&self, key: &Key) -> Result<u64, LimitRefusal> {
        let attempt = CellAttempt::new(*key);
        let answer = self.limiter.check_key(&attempt);
        if let Some(error) = attempt.failure.take() {
            return Err(LimitRefusal::Store(error.into()));
        }
        match answer {
            Ok(()) => Ok(attempt.moment.get()),
            Err(refusal) => Err(LimitRefusal::Wait(RetryAfter(refusal.wait_time_from(self.limiter.clock().now())))),
        }
    }

    pub fn peek(&self, key: &Key) -> Result<(), LimitRefusal> {
        match self.cells.wait(key, self.time.unix_nanos()).map_err(|error| LimitRefusal::Store(error.into()))? {
            Duration::ZERO => Ok(()),
            wait => Err(LimitRefusal::Wait(RetryAfter(wait))),
        }
    }

    pub fn charge(&self, key: &Key, units: u32) -> sled::Result<()> {
        self.cells.charge(key, self.time.unix_nanos(), units)
    }

    pub fn give_back(&self, key: &Key, moment: u64) -> sled::Result<()> {
        self.cells.give_back(key, moment)
    }

    pub fn clear(&self, key: &Key) -> sled::Result<()> {
        self.cells.clear(key)
    }

    pub fn sweep(&self) -> sled::Result<usize> {
        self.cells.sweep(self.time.unix_nanos())
    }

    pub fn tracked(&self) -> usize {
        self.cells.tracked()
    }
}
