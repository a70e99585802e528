//! Cache of filter results for one state of an index. Caching helps because visitors search for different words with the same few filters,
//! and a wide numeric range takes longer to evaluate than many words.

use std::sync::{Arc, Mutex, PoisonError};

use milli_core::heed::RoTxn;
use milli_core::{self as milli, Filter, Index, filtered_universe};
use roaring::RoaringBitmap;
use serde_json::Value;

/// Memory for an index's filter results, in bytes. With a million documents, at least 32 filters fit.
const MAX_BYTES: u64 = 4 << 20;
/// Maximum number of cached filters. It is low because a search compares its filter with each of them.
const MAX_FILTERS: usize = 64;
/// Maximum length of a cached filter, in bytes. A longer filter may list everything that a user has muted, and no other user would request
/// it.
const MAX_FILTER_LENGTH: usize = 1024;

/// Cached documents by filter.
#[derive(Default)]
pub struct Filtered(Mutex<CachedFilters>);

#[derive(Default)]
struct CachedFilters {
    /// Transaction whose state is cached. A later transaction may have changed anything.
    txn: usize,
    /// Most recently used first.
    filters: Vec<CachedFilter>,
}

struct CachedFilter {
    text: String,
    documents: Arc<RoaringBitmap>,
    bytes: u64,
}

impl Filtered {
    /// Returns the documents that match `filter`, which was parsed from `text`. If it is `None`, returns all documents.
    pub fn documents(
        &self,
        index: &Index,
        txn: &RoTxn<'_>,
        text: Option<&Value>,
        filter: &Option<Filter<'_>>,
    ) -> milli::Result<RoaringBitmap> {
        let Some(text) = text.map(Value::to_string).filter(|text| text.len() <= MAX_FILTER_LENGTH) else {
            return filtered_universe(index, txn, filter);
        };
        if let Some(documents) = self.get(txn, &text) {
            return Ok(RoaringBitmap::clone(&documents));
        }
        let documents = filtered_universe(index, txn, filter)?;
        self.insert(txn, text, &documents);
        Ok(documents)
    }

    fn get(&self, txn: &RoTxn<'_>, text: &str) -> Option<Arc<RoaringBitmap>> {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.txn != txn.id() {
            return None;
        }
        let at = cached.filters.iter().position(|filter| filter.text == text)?;
        cached.filters[..=at].rotate_right(1);
        Some(Arc::clone(&cached.filters[0].documents))
    }

    /// Caches the result of a filter unless a later state is already cached. Evicts the least recently used filters.
    fn insert(&self, txn: &RoTxn<'_>, text: String, documents: &RoaringBitmap) {
        let bytes = documents.serialized_size() as u64;
        let new = CachedFilter { text, documents: Arc::new(documents.clone()), bytes };
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.txn > txn.id() {
            return;
        }
        if cached.txn < txn.id() {
            *cached = CachedFilters { txn: txn.id(), filters: Vec::new() };
        }
        // Another search may have evaluated the same filter in the meantime.
        cached.filters.retain(|filter| filter.text != new.text);
        cached.filters.insert(0, new);
        let mut taken = 0;
        let fit = cached.filters.iter().take(MAX_FILTERS).take_while(|filter| {
            taken += filter.bytes;
            taken <= MAX_BYTES
        });
        let fit = fit.count();
        cached.filters.truncate(fit);
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

    /// Returns the cached filters, most recently used first.
    fn texts(filtered: &Filtered) -> Vec<String> {
        filtered.0.lock().unwrap().filters.iter().map(|filter| filter.text.clone()).collect()
    }

    #[test]
    fn filter_results_match_the_state_being_read() {
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
            for round in 0..3 * MAX_FILTERS {
                let filter = json!(format!("size < {}", random.random_range(1..2 * MAX_FILTERS)));
                // A search that began before the write keeps reading the old state.
                let txn = if round % 7 == 0 { &before } else { &after };
                let parsed = ranked::filter(Some(&filter)).unwrap();
                let left = filtered.documents(index, txn, Some(&filter), &parsed).unwrap();
                assert_eq!(left, filtered_universe(index, txn, &parsed).unwrap());
                let all = filtered.documents(index, txn, None, &None).unwrap();
                assert_eq!(all, index.documents_ids(txn).unwrap());
                let (remembered, text) = (texts(filtered), filter.to_string());
                assert!(remembered.len() <= MAX_FILTERS);
                assert!(std::ptr::eq(txn, &before) || remembered[0] == text);
            }
        }
    }

    #[test]
    fn least_recently_used_is_evicted() {
        let folder = tempfile::tempdir().unwrap();
        let index = corpus(folder.path()).get().unwrap();
        let (txn, filtered) = (index.read_txn().unwrap(), Filtered::default());
        let large: RoaringBitmap = (0..1 << 23).step_by(2).collect();
        assert!(large.serialized_size() as u64 > MAX_BYTES / 5);
        for text in ["a", "b", "c"] {
            filtered.insert(&txn, text.to_owned(), &large);
        }
        assert_eq!(filtered.get(&txn, "a").as_deref(), Some(&large));
        assert_eq!(texts(&filtered), ["a", "c", "b"]);
        filtered.insert(&txn, "d".to_owned(), &large);
        assert_eq!(texts(&filtered), ["d", "a", "c"]);
        assert_eq!(filtered.get(&txn, "b"), None);
    }
}
