//! The one question the product asks.

use std::{num::NonZeroU32, path::Path, sync::Arc, time::Duration};

use governor::{Quota, RateLimiter, clock::Clock, middleware::NoOpMiddleware, nanos::Nanos};

use crate::{
    action::{self, Action},
    clock::{TimeSource, WallClock},
    key::ClientKey,
    store::{self, OpenError, SledState},
};

/// Not now: how long to wait until the next try can succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryAfter(pub Duration);

impl RetryAfter {
    /// Whole seconds for the `Retry-After` header, rounded up, at least 1.
    #[must_use]
    pub fn seconds(self) -> u64 {
        let up = u64::from(self.0.subsec_nanos() > 0);
        (self.0.as_secs() + up).max(1)
    }
}

/// All limits of the product over one store. Shared by reference; every method is thread-safe.
pub struct Limits {
    db: sled::Db,
    gates: [Gate; Action::ALL.len()],
}

/// One action's limiter, and the same state again: governor gives no way to reach it inside.
struct Gate {
    limiter: RateLimiter<ClientKey, SledState, WallClock, NoOpMiddleware<Nanos>>,
    state: SledState,
    exempt_loopback: bool,
}

impl Limits {
    /// Opens (or creates) the store in the folder `path` and sets up one limiter per action.
    ///
    /// # Errors
    /// When another process holds the store, or neither it nor an empty one can be opened.
    pub fn open(path: &Path, table: &lantern_config::Limits, time: &Arc<dyn TimeSource>) -> Result<Self, OpenError> {
        let db = store::open(path, time.as_ref())?;
        let make = |action: Action| -> Result<Gate, OpenError> {
            let policy = action.policy(table);
            let burst = NonZeroU32::new(policy.burst).unwrap_or(NonZeroU32::MIN);
            let tree = db.open_tree(action.as_str())?;
            let interval = action::interval(policy);
            // The furthest an honest key can be ahead: a full burst taken at this instant.
            let horizon = interval.saturating_mul(burst.get());
            let state = SledState::new(tree, Arc::clone(time), horizon);
            let clock = WallClock::new(Arc::clone(time));
            let limiter = RateLimiter::new(quota(burst, interval), state.clone(), clock);
            Ok(Gate { limiter, state, exempt_loopback: policy.exempt_loopback })
        };
        let gates = [make(Action::Search)?, make(Action::Suggest)?];
        Ok(Self { db, gates })
    }

    /// Counts one `action` of `client`, or says how long it has to wait (then nothing is counted).
    ///
    /// # Errors
    /// [`RetryAfter`] when the client did it too often.
    pub fn check(&self, action: Action, client: ClientKey) -> Result<(), RetryAfter> {
        let gate = self.gate(action);
        if gate.exempt_loopback && client.is_loopback() {
            return Ok(());
        }
        let limiter = &gate.limiter;
        limiter.check_key(&client).map_err(|refusal| RetryAfter(refusal.wait_time_from(limiter.clock().now())))
    }

    /// Removes keys at rest; to be called now and then, or addresses pile up for ever.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn sweep(&self) -> Result<usize, OpenError> {
        let mut removed = 0;
        for action in Action::ALL {
            removed += self.gate(action).state.sweep()?;
        }
        Ok(removed)
    }

    /// How many clients are remembered for `action`.
    #[must_use]
    pub fn remembered(&self, action: Action) -> usize {
        self.gate(action).state.len()
    }

    /// Writes everything to disk; for a clean stop. (sled does it by itself twice a second.)
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn flush(&self) -> Result<(), OpenError> {
        self.db.flush()?;
        Ok(())
    }

    fn gate(&self, action: Action) -> &Gate {
        &self.gates[action as usize]
    }
}

fn quota(burst: NonZeroU32, interval: Duration) -> Quota {
    // `interval` is never zero, so the fallback is never taken.
    Quota::with_period(interval).map_or_else(|| Quota::per_second(burst), |q| q.allow_burst(burst))
}
