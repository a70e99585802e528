//! How many hits searches have that ask for nothing else, remembered for one state of an index: what completes a word is counted again
//! with the next letter of it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use milli_core::heed::RoTxn;

/// Totals that are remembered of an index, 4 MiB with what was searched for; with one more all are forgotten.
const MOST: usize = 4096;
/// Bytes of what was searched for at most: a filter may name everything that somebody muted, and nobody else asks that.
const LONGEST: usize = 1024;

/// Totals by what was searched for.
#[derive(Default)]
pub struct Totals(Mutex<KeptTotals>);

#[derive(Default)]
struct KeptTotals {
    /// The transaction whose state it is; a later one may have changed anything.
    txn: usize,
    totals: HashMap<String, u64>,
}

impl Totals {
    /// How many there were for the same state of the index.
    pub fn get(&self, txn: &RoTxn<'_>, searched: &str) -> Option<u64> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.txn == txn.id() { kept.totals.get(searched).copied() } else { None }
    }

    /// Remembers how many there are, unless a later state is known or too much was searched for.
    pub fn keep(&self, txn: &RoTxn<'_>, searched: String, total: u64) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.txn > txn.id() || searched.len() > LONGEST {
            return;
        }
        if kept.txn < txn.id() || kept.totals.len() >= MOST {
            *kept = KeptTotals { txn: txn.id(), ..KeptTotals::default() };
        }
        kept.totals.insert(searched, total);
    }
}
