//! The documents that filters leave, remembered for one state of an index: visitors look for different words within the same few filters,
//! and a wide bound of a number takes longer to evaluate than many words.

use std::sync::{Arc, Mutex, PoisonError};

use milli_core::heed::RoTxn;
use milli_core::{self as milli, Filter, Index, filtered_universe};
use roaring::RoaringBitmap;
use serde_json::Value;

/// Memory for the documents of an index's filters, in bytes: of a million documents those of 32 filters at least.
const ROOM: u64 = 4 << 20;
/// Filters that are remembered at most: a search compares its own with each of them.
const MOST: usize = 64;
/// Bytes of a filter at most: one may name everything that somebody muted, and nobody else asks that.
const LONGEST: usize = 1024;

/// Documents by the filter that leaves them.
#[derive(Default)]
pub struct Filtered(Mutex<KeptFilters>);

#[derive(Default)]
struct KeptFilters {
    /// The transaction whose state it is; a later one may have changed anything.
    txn: usize,
    /// The one used last is the first.
    filters: Vec<KeptFilter>,
}

struct KeptFilter {
    text: String,
    documents: Arc<RoaringBitmap>,
    bytes: u64,
}

impl Filtered {
    /// The documents that a filter leaves, which was parsed from `text`; all without one.
    pub fn documents(
        &self,
        index: &Index,
        txn: &RoTxn<'_>,
        text: Option<&Value>,
        filter: &Option<Filter<'_>>,
    ) -> milli::Result<RoaringBitmap> {
        let Some(text) = text.map(Value::to_string).filter(|text| text.len() <= LONGEST) else {
            return filtered_universe(index, txn, filter);
        };
        if let Some(documents) = self.get(txn, &text) {
            return Ok(RoaringBitmap::clone(&documents));
        }
        let documents = filtered_universe(index, txn, filter)?;
        self.keep(txn, text, &documents);
        Ok(documents)
    }

    fn get(&self, txn: &RoTxn<'_>, text: &str) -> Option<Arc<RoaringBitmap>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.txn != txn.id() {
            return None;
        }
        let at = kept.filters.iter().position(|filter| filter.text == text)?;
        kept.filters[..=at].rotate_right(1);
        Some(Arc::clone(&kept.filters[0].documents))
    }

    /// Remembers what a filter leaves, unless a later state is known; what was used longest ago makes room.
    fn keep(&self, txn: &RoTxn<'_>, text: String, documents: &RoaringBitmap) {
        let bytes = documents.serialized_size() as u64;
        let new = KeptFilter { text, documents: Arc::new(documents.clone()), bytes };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.txn > txn.id() {
            return;
        }
        if kept.txn < txn.id() {
            *kept = KeptFilters { txn: txn.id(), filters: Vec::new() };
        }
        // Another search may have evaluated the same meanwhile.
        kept.filters.retain(|filter| filter.text != new.text);
        kept.filters.insert(0, new);
        let mut taken = 0;
        let fit = kept.filters.iter().take(MOST).take_while(|filter| {
            taken += filter.bytes;
            taken <= ROOM
        });
        let fit = fit.count();
        kept.filters.truncate(fit);
    }
}

#[cfg(test)]
mod tests {
    use milli_core::FilterableAttributesRule;
    use milli_core::update::{IndexerConfig, Settings};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use serde_json::json;

    use super::*;
    use crate::index::apply::Indexer;
    use crate::index::document_write::{DocumentWrite, Payload};
    use crate::index::{IndexSlot, SlotOptions};
    use crate::search::ranked;
    use crate::tasks::Method;

    fn corpus(folder: &std::path::Path) -> IndexSlot {
        let options = SlotOptions { map_size: 1 << 30, max_readers: 16, facet_memory: 0, searches: 1 };
        let slot = IndexSlot::open(folder, options).unwrap();
        let index = slot.get().unwrap();
        let mut txn = index.write_txn().unwrap();
        let config = IndexerConfig::default();
        let mut settings = Settings::new(&mut txn, &index, &config);
        settings.set_primary_key("id".into());
        settings.set_filterable_fields(vec![FilterableAttributesRule::Field("size".to_owned())]);
        settings.execute(|_| (), || false).unwrap();
        txn.commit().unwrap();
        slot
    }

    /// The filters that are remembered, the one used last first.
    fn texts(filtered: &Filtered) -> Vec<String> {
        filtered.0.lock().unwrap().filters.iter().map(|filter| filter.text.clone()).collect()
    }

    #[test]
    fn filters_leave_what_they_do_in_the_state_that_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let slot = corpus(folder.path());
        let (indexer, mut random) = (Indexer::new(2, None, 0).unwrap(), ChaCha8Rng::seed_from_u64(9));
        let reader = slot.reader().unwrap();
        let (index, filtered) = (&reader.index, &reader.filtered);
        for _ in 0..4 {
            let lines: String = (0..200)
                .map(|id| json!({ "id": id, "size": random.random_range(0..100) }).to_string() + "\n")
                .collect();
            let write = DocumentWrite::Add(Method::Replace, Payload::new(lines.as_bytes()).unwrap());
            let before = index.read_txn().unwrap();
            indexer.write_documents(index, &[write], None, &false.into()).unwrap();
            let after = index.read_txn().unwrap();
            for round in 0..3 * MOST {
                let filter = json!(format!("size < {}", random.random_range(1..2 * MOST)));
                // A search that began before the write goes on reading what was there then.
                let txn = if round % 7 == 0 { &before } else { &after };
                let parsed = ranked::filter(Some(&filter)).unwrap();
                let left = filtered.documents(index, txn, Some(&filter), &parsed).unwrap();
                assert_eq!(left, filtered_universe(index, txn, &parsed).unwrap());
                let all = filtered.documents(index, txn, None, &None).unwrap();
                assert_eq!(all, index.documents_ids(txn).unwrap());
                let (remembered, text) = (texts(filtered), filter.to_string());
                assert!(remembered.len() <= MOST);
                assert!(std::ptr::eq(txn, &before) || remembered[0] == text);
            }
        }
    }

    #[test]
    fn what_was_used_longest_ago_makes_room() {
        let folder = tempfile::tempdir().unwrap();
        let index = corpus(folder.path()).get().unwrap();
        let (txn, filtered) = (index.read_txn().unwrap(), Filtered::default());
        let large: RoaringBitmap = (0..1 << 23).step_by(2).collect();
        assert!(large.serialized_size() as u64 > ROOM / 5);
        for text in ["a", "b", "c"] {
            filtered.keep(&txn, text.to_owned(), &large);
        }
        assert_eq!(filtered.get(&txn, "a").as_deref(), Some(&large));
        assert_eq!(texts(&filtered), ["a", "c", "b"]);
        filtered.keep(&txn, "d".to_owned(), &large);
        assert_eq!(texts(&filtered), ["d", "a", "c"]);
        assert_eq!(filtered.get(&txn, "b"), None);
    }
}
