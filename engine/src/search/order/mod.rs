//! The documents of a page of a sorted list, whatever its rank, without visiting those before it.
//!
//! milli keeps the values of a sortable field as a tree: level 0 has the documents of each value, every level above the
//! union of some neighbours below (see `milli_core::heed_codec::facet`). Counting how many candidates a group holds decides
//! whether the wanted rank lies behind it, so a walk from the top reaches any rank with a few dozen counts. The order is
//! milli's own: numbers, then strings, then documents without a value; ties by the next criterion, at last by document id.

mod criteria;
#[cfg(test)]
mod tests;
mod tree;
mod walk;

use milli_core::{DocumentId, Index, heed};
use roaring::RoaringBitmap;

pub use criteria::{Criterion, criteria, sort_only};

use super::interrupt::{Interrupt, Stop};

/// What a walk came to.
#[derive(Debug, PartialEq, Eq)]
pub struct WalkOutcome {
    /// The documents of the page, in order.
    pub documents: Vec<DocumentId>,
    /// Whether documents stand in the page whose order no criterion decided.
    pub tied: bool,
}

/// The documents of ranks `offset` to `offset + limit` of `universe` in the order of `criteria`. Once the time is over, the
/// rest comes unordered.
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
