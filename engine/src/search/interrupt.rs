//! When a search stops before its end: its time is over, or nobody waits for it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use milli_core as milli;
use milli_core::{TimeBudget, heed};

use crate::http::error::{ApiError, Code};

/// Why a search has no answer.
#[derive(Debug)]
pub enum Stop {
    /// The client went away; whatever is answered, nobody reads it.
    Gone,
    /// milli's own reason.
    Milli(milli::Error),
    /// The reason as it is answered.
    Refused(ApiError),
}

impl Stop {
    /// The reason, saying which index it is about.
    pub fn of(self, uid: &str) -> Self {
        match self {
            Self::Milli(error) => Self::Refused(super::search_error(error).inside(&format!("Index `{uid}`: "))),
            other => other,
        }
    }
}

impl<E: Into<milli::Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Milli(error.into())
    }
}

impl From<Stop> for ApiError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Gone => Self::new(Code::Unavailable, "The search was given up because its client went away."),
            Stop::Milli(error) => super::search_error(error),
            Stop::Refused(error) => error,
        }
    }
}

/// Budget and cancelation of one request. Clones share both.
#[derive(Debug, Clone)]
pub struct Interrupt {
    started: Instant,
    budget: Duration,
    gone: Arc<AtomicBool>,
}

impl Interrupt {
    /// A request whose searches may take `budget` each.
    pub fn new(budget: Duration) -> Self {
        Self { started: Instant::now(), budget, gone: Arc::default() }
    }

    /// Starts the clock of one search in `index`, whose own budget counts where it has one.
    pub fn begin(&self, index: &milli::Index, txn: &heed::RoTxn<'_>) -> milli::Result<Self> {
        let cutoff = index.search_cutoff(txn)?.map(Duration::from_millis);
        Ok(Self { started: Instant::now(), budget: cutoff.unwrap_or(self.budget), gone: Arc::clone(&self.gone) })
    }

    /// Fails once the client is gone.
    pub fn check(&self) -> Result<(), Stop> {
        if self.gone.load(Ordering::Relaxed) { Err(Stop::Gone) } else { Ok(()) }
    }

    /// Whether the time is over: what is found by now has to do.
    pub fn is_late(&self) -> bool {
        self.started.elapsed() > self.budget
    }

    /// What is left of the time, as milli takes it.
    pub fn time_budget(&self) -> TimeBudget {
        TimeBudget::new(self.budget.saturating_sub(self.started.elapsed()))
    }

    /// A guard whose drop tells the search that nobody waits any more; dropping it after the end does no harm.
    pub fn on_drop(&self) -> HangUpGuard {
        HangUpGuard(Arc::clone(&self.gone))
    }
}

/// Held by the future of the request: it is dropped when the client goes away.
#[derive(Debug)]
pub struct HangUpGuard(Arc<AtomicBool>);

impl Drop for HangUpGuard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
