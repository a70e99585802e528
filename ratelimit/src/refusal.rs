//! What an attempt can be answered with.

use std::time::Duration;

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

/// Why an attempt is not let through.
#[derive(Debug, thiserror::Error)]
pub enum LimitRefusal {
    /// Too often; the time until the next one passes.
    #[error("too often, again in {} s", .0.seconds())]
    Wait(RetryAfter),
    /// It could not be counted, and what isn't counted isn't let through.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The store of the limits failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store in the data folder.
    #[error("the limits can't be read or written: {0}")]
    Local(#[from] sled::Error),
    /// The disk below it.
    #[error("the limits can't be made durable: {0}")]
    Disk(#[from] std::io::Error),
    /// The store that nodes share.
    #[error("the shared limits can't be read or written: {0}")]
    Shared(#[from] lantern_catalog::Error),
}
