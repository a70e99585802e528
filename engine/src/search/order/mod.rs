//! Finds a page of a sorted list at any rank, without visiting the documents before it.
//!
//! milli stores the values of a sortable field as a tree. Level 0 has the documents of each value, and every higher level has the unions of
//! adjacent groups in the level below (see `milli_core::heed_codec::facet`). Counting the candidates in a group shows whether the wanted
//! rank is beyond it, so a walk from the top reaches any rank with a few dozen counts. The order is the same as milli's: numbers, then
//! strings, then documents without a value. Ties are broken by the next criterion and finally by document id.

mod criteria;
#[cfg(test)]
mod tests;
mod tree;
mod walk;

use milli_core::{DocumentId, Index, heed};
use roaring::RoaringBitmap;

pub use criteria::{Criterion, criteria, sort_only};

use super::interrupt::{Interrupt, Stop};

/// Result of a walk.
#[derive(Debug, PartialEq, Eq)]
pub struct WalkOutcome {
    /// The page's documents, in order.
    pub documents: Vec<DocumentId>,
    /// Whether the page contains documents whose order was not decided by any criterion.
    pub tied: bool,
}

/// Returns the documents at ranks `offset` to `offset + limit` of `universe` in the order of `criteria`. Once the time is up, the remaining
/// documents are returned unordered.
pub fn page(
    index: &Index,
    txn: &heed::RoTxn<'_>,
    criteria: &[Criterion],
    universe: RoaringBitmap,
    offset: usize,
    limit: usize,
    interrupt: &Interrupt,
) -> Result<WalkOutcome, Stop> {
    let mut walk = walk::Walk::new(index, txn, criteria, offset, limit, interrupt);
    walk.bucket(0, universe)?;
    Ok(walk.finish())
}
