//! Cache of hit counts for one state of an index. It helps because the completions of a word are counted again with each typed letter.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use milli_core::heed::RoTxn;

/// Maximum number of cached totals per index. With their searches, they take 4 MiB. The cache is cleared when it is full.
const MAX_TOTALS: usize = 4096;
/// Maximum length of a cached search, in bytes. A longer search may list everything that a user has muted, and no other user would request
/// it.
const MAX_SEARCH_LENGTH: usize = 1024;

/// Cached totals by search.
#[derive(Default)]
pub struct Totals(Mutex<CachedTotals>);

#[derive(Default)]
struct CachedTotals {
    /// Transaction whose state is cached. A later transaction may have changed anything.
    txn: usize,
    totals: HashMap<String, u64>,
}

impl Totals {
    /// Returns the total cached for the same state of the index.
    pub fn get(&self, txn: &RoTxn<'_>, searched: &str) -> Option<u64> {
        let cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.txn == txn.id() { cached.totals.get(searched).copied() } else { None }
    }

    /// Caches a total, unless a later state is already cached or the search is too long.
    pub fn insert(&self, txn: &RoTxn<'_>, searched: String, total: u64) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.txn > txn.id() || searched.len() > MAX_SEARCH_LENGTH {
            return;
        }
        if cached.txn < txn.id() || cached.totals.len() >= MAX_TOTALS {
            *cached = CachedTotals { txn: txn.id(), ..CachedTotals::default() };
        }
        cached.totals.insert(searched, total);
    }
}
