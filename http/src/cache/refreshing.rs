//! Guard for the refresh of a stale answer.

use std::sync::Arc;

use super::entry::Entry;

/// Claim on refreshing an entry. Dropping it, even in a panic, lets the next request retry, unless the refresh is
/// [`Refreshing::done`].
pub struct Refreshing(Option<Arc<Entry>>);

impl Refreshing {
    /// Claims the refresh. Returns `None` if it is already claimed.
    pub fn begin(entry: &Arc<Entry>) -> Option<Self> {
        entry.begin_refresh().then(|| Self(Some(Arc::clone(entry))))
    }

    /// Keeps the claim, because a new entry has replaced this one.
    pub fn done(mut self) {
        self.0 = None;
    }
}

impl Drop for Refreshing {
    fn drop(&mut self) {
        if let Some(entry) = &self.0 {
            entry.end_refresh();
        }
    }
}
