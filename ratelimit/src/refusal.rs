//! Rejections and errors.

use std::time::Duration;

/// Time until the next attempt can succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryAfter(pub Duration);

impl RetryAfter {
    /// Returns the number of whole seconds for the `Retry-After` header, rounded up and at least 1.
    #[must_use]
    pub fn seconds(self) -> u64 {
        let up = u64::from(self.0.subsec_nanos() > 0);
        (self.0.as_secs() + up).max(1)
    }
}

/// Reason an attempt was rejected.
#[derive(Debug, thiserror::Error)]
pub enum LimitRefusal {
    /// The limit is exceeded. This holds the time until the next attempt can pass.
    #[error("rate limit exceeded, retry in {} s", .0.seconds())]
    Wait(RetryAfter),
    /// The attempt could not be counted.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Failure of a rate limit store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store in the data folder failed.
    #[error("cannot access the rate limits: {0}")]
    Local(#[from] sled::Error),
    /// The disk of that store failed.
    #[error("cannot sync the rate limits to disk: {0}")]
    Disk(#[from] std::io::Error),
    /// The store shared by all nodes failed.
    #[error("cannot access the shared rate limits: {0}")]
    Shared(#[from] lantern_catalog::Error),
}
