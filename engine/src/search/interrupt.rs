//! Stops a search early if its time is up or its client has disconnected.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use milli_core as milli;
use milli_core::{TimeBudget, heed};

use crate::http::error::{ApiError, Code};

/// Reasons why a search has no result.
#[derive(Debug)]
pub enum Stop {
    /// The client disconnected, so the response is discarded.
    Gone,
    /// An error from milli.
    Milli(milli::Error),
    /// The error to respond with.
    Refused(ApiError),
}

impl Stop {
    /// Adds the name of the index to the error.
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
            Stop::Gone => Self::new(Code::Unavailable, "The search was canceled because its client disconnected."),
            Stop::Milli(error) => super::search_error(error),
            Stop::Refused(error) => error,
        }
    }
}

/// Time budget and cancellation state of one request. Clones share both.
#[derive(Debug, Clone)]
pub struct Interrupt {
    started: Instant,
    budget: Duration,
    gone: Arc<AtomicBool>,
}

impl Interrupt {
    /// Creates the interrupt of a request whose searches may take `budget` each.
    pub fn new(budget: Duration) -> Self {
        Self { started: Instant::now(), budget, gone: Arc::default() }
    }

    /// Starts the clock for one search in `index`. If the index has a budget, that one takes precedence.
    pub fn begin(&self, index: &milli::Index, txn: &heed::RoTxn<'_>) -> milli::Result<Self> {
        let cutoff = index.search_cutoff(txn)?.map(Duration::from_millis);
        Ok(Self { started: Instant::now(), budget: cutoff.unwrap_or(self.budget), gone: Arc::clone(&self.gone) })
    }

    /// Fails if the client has disconnected.
    pub fn check(&self) -> Result<(), Stop> {
        if self.gone.load(Ordering::Relaxed) { Err(Stop::Gone) } else { Ok(()) }
    }

    /// Returns whether the time is up. If so, the hits found so far must suffice.
    pub fn is_late(&self) -> bool {
        self.started.elapsed() > self.budget
    }

    /// Returns the remaining time as milli's type.
    pub fn time_budget(&self) -> TimeBudget {
        TimeBudget::new(self.budget.saturating_sub(self.started.elapsed()))
    }

    /// Returns a guard that cancels the search when it is dropped. Dropping it after the search has ended is harmless.
    pub fn on_drop(&self) -> HangUpGuard {
        HangUpGuard(Arc::clone(&self.gone))
    }
}

/// Guard held by the request's future, which is dropped when the client disconnects.
#[derive(Debug)]
pub struct HangUpGuard(Arc<AtomicBool>);

impl Drop for HangUpGuard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
