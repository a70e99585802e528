//! Who computes a stale answer anew.

use std::sync::Arc;

use super::entry::Entry;

/// The right to compute an answer anew. However the attempt ends, in a panic too, the next request may try again, unless it is
/// [`Refreshing::done`].
pub struct Refreshing(Option<Arc<Entry>>);

impl Refreshing {
    /// `None` while somebody else does.
    pub fn begin(entry: &Arc<Entry>) -> Option<Self> {
        entry.begin_refresh().then(|| Self(Some(Arc::clone(entry))))
    }

    /// The new answer is there; holders of the former one have nothing to do.
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
