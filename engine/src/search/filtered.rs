//! Cache of filter results for one state of an index. The parts of a conjunction are cached one by one: visitors search for different words
//! with the same few filters, the queries of one search share the conditions of its words, and a wide numeric range takes longer to evaluate
//! than many words.

use std::sync::{Arc, Mutex, PoisonError};

use milli_core::heed::RoTxn;
use milli_core::{self as milli, Condition, Filter, FilterCondition, Index, filtered_universe};
use roaring::RoaringBitmap;

/// Memory for an index's filter results, in bytes. With a million documents, at least 64 conditions fit.
const MAX_BYTES: u64 = 8 << 20;
/// Maximum number of cached conditions. It is low because a search compares its conditions with each of them.
const MAX_FILTERS: usize = 128;
/// Maximum length of a cached condition, in bytes. It fits a word with dozens of translations. A longer one may list everything that a user
/// has muted, and no other user would request it.
const MAX_FILTER_LENGTH: usize = 4096;

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
    /// Returns the documents that match `filter`. If it is `None`, returns all documents.
    pub fn documents(
        &self,
        index: &Index,
        txn: &RoTxn<'_>,
        filter: &Option<Filter<'_>>,
    ) -> milli::Result<RoaringBitmap> {
        let Some(whole) = filter else { return Ok(index.documents_ids(txn)?) };
        match self.evaluate(index, txn, &whole.clone().into()) {
            Ok(documents) => Ok(Arc::unwrap_or_clone(documents)),
            // milli checks the whole filter first, so it may report another error than that of the first part.
            Err(_) => filtered_universe(index, txn, filter),
        }
    }

    /// Evaluates a condition part by part.
    fn evaluate(
        &self,
        index: &Index,
        txn: &RoTxn<'_>,
        condition: &FilterCondition<'_>,
    ) -> milli::Result<Arc<RoaringBitmap>> {
        match condition {
            FilterCondition::And(parts) => {
                let (mut required, mut excluded) = (Vec::new(), Vec::new());
                for part in parts {
                    match part {
                        FilterCondition::Not(inner) => excluded.push(self.evaluate(index, txn, inner)?),
                        part => required.push(self.evaluate(index, txn, part)?),
                    }
                }
                required.sort_unstable_by_key(|documents| documents.len());
                let mut required = required.into_iter();
                let mut documents = match (required.next(), required.next()) {
                    (Some(one), Some(other)) => &*one & &*other,
                    (Some(one), None) => Arc::unwrap_or_clone(one),
                    (None, _) => index.documents_ids(txn)?,
                };
                required.for_each(|other| documents &= &*other);
                excluded.iter().for_each(|other| documents -= &**other);
                Ok(Arc::new(documents))
            }
            FilterCondition::Not(inner) => {
                Ok(Arc::new(index.documents_ids(txn)? - &*self.evaluate(index, txn, inner)?))
            }
            _ => self.cached(index, txn, condition),
        }
    }

    fn cached(
        &self,
        index: &Index,
        txn: &RoTxn<'_>,
        condition: &FilterCondition<'_>,
    ) -> milli::Result<Arc<RoaringBitmap>> {
        let evaluate = || Filter::from(condition.clone()).evaluate(txn, index).map(Arc::new);
        let Some(text) = unambiguous(condition).filter(|text| text.len() <= MAX_FILTER_LENGTH) else {
            return evaluate();
        };
        if let Some(documents) = self.get(txn, &text) {
            return Ok(documents);
        }
        let documents = evaluate()?;
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
    fn insert(&self, txn: &RoTxn<'_>, text: String, documents: &Arc<RoaringBitmap>) {
        let bytes = documents.serialized_size() as u64;
        let new = CachedFilter { text, documents: Arc::clone(documents), bytes };
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

/// Returns the text of a condition, in which each attribute and value is in braces. Returns `None` if the values contain braces, because
/// another condition may then have the same text.
fn unambiguous(condition: &FilterCondition<'_>) -> Option<String> {
    let (text, tokens) = (condition.to_string(), tokens(condition)?);
    (text.matches('{').count() == tokens && text.matches('}').count() == tokens).then_some(text)
}

/// Returns the number of attributes and values in a condition, or `None` if it is about places.
fn tokens(condition: &FilterCondition<'_>) -> Option<usize> {
    match condition {
        FilterCondition::Not(inner) => tokens(inner),
        FilterCondition::And(parts) | FilterCondition::Or(parts) => parts.iter().map(tokens).sum(),
        FilterCondition::In { els, .. } => Some(1 + els.len()),
        FilterCondition::Condition { op: Condition::Null | Condition::Empty | Condition::Exists, .. } => Some(1),
        FilterCondition::Condition { op: Condition::Between { .. }, .. } => Some(3),
        FilterCondition::Condition { .. } => Some(2),
        FilterCondition::GeoLowerThan { .. } | FilterCondition::GeoBoundingBox { .. } => None,
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
        settings.set_filterable_fields(
            ["size", "name"].map(|field| FilterableAttributesRule::Field(field.to_owned())).into(),
        );
        settings.execute(|_| (), || false).unwrap();
        txn.commit().unwrap();
        slot
    }

    /// Names of which several look alike in the text of a condition.
    const NAMES: [&str; 4] = ["a", "b", "a}, {b", "{a"];

    /// Returns a random condition of at most `depth` levels.
    fn condition(random: &mut ChaCha8Rng, depth: u8) -> String {
        let kinds = if depth > 0 { 8 } else { 5 };
        let (low, high) = (random.random_range(0..50), random.random_range(50..100));
        let names: Vec<String> = (0..low % 3).map(|at| format!("\"{}\"", NAMES[(high + at) % NAMES.len()])).collect();
        let kind = random.random_range(0..kinds);
        let mut part = || condition(random, depth - 1);
        match kind {
            0 => format!("size < {high}"),
            1 => format!("size {low} TO {high}"),
            2 => format!("name IN [{}]", names.join(", ")),
            3 => format!("name = \"{}\"", NAMES[low % NAMES.len()]),
            4 => "name EXISTS".to_owned(),
            5 => format!("({}) AND ({})", part(), part()),
            6 => format!("({}) OR ({})", part(), part()),
            _ => format!("NOT ({})", part()),
        }
    }

    #[test]
    fn invalid_part_is_reported_as_by_milli() {
        let folder = tempfile::tempdir().unwrap();
        let slot = corpus(folder.path());
        let reader = slot.reader().unwrap();
        let txn = reader.index.read_txn().unwrap();
        for filter in ["size < 1 AND color = 2", "NOT (color = 2)", "size < x AND color = 2", "name = a AND size > b"] {
            let filter = json!(filter);
            let parsed = ranked::filter(Some(&filter)).unwrap();
            let [one, other] = [
                reader.filtered.documents(&reader.index, &txn, &parsed),
                filtered_universe(&reader.index, &txn, &parsed),
            ];
            assert_eq!(one.map_err(|error| error.to_string()), other.map_err(|error| error.to_string()), "{filter}");
        }
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
                .map(|id| {
                    json!({ "id": id, "size": random.random_range(0..100), "name": NAMES[id % NAMES.len()] })
                        .to_string()
                        + "\n"
                })
                .collect();
            let write = DocumentWrite::Add(Method::Replace, Payload::new(lines.as_bytes()).unwrap());
            let before = index.read_txn().unwrap();
            indexer.write_documents(index, &[write], None, &false.into()).unwrap();
            let after = index.read_txn().unwrap();
            for round in 0..3 * MAX_FILTERS {
                let filter = json!(condition(&mut random, 3));
                // A search that began before the write keeps reading the old state.
                let txn = if round % 7 == 0 { &before } else { &after };
                let parsed = ranked::filter(Some(&filter)).unwrap();
                let left = filtered.documents(index, txn, &parsed).unwrap();
                assert_eq!(left, filtered_universe(index, txn, &parsed).unwrap(), "{filter}");
                let all = filtered.documents(index, txn, &None).unwrap();
                assert_eq!(all, index.documents_ids(txn).unwrap());
                assert!(texts(filtered).len() <= MAX_FILTERS);
            }
            let filter = json!("size < 50");
            let parsed = ranked::filter(Some(&filter)).unwrap();
            filtered.documents(index, &after, &parsed).unwrap();
            assert_eq!(texts(filtered)[0], "{size} < {50}");
        }
    }

    #[test]
    fn least_recently_used_is_evicted() {
        let folder = tempfile::tempdir().unwrap();
        let index = corpus(folder.path()).get().unwrap();
        let (txn, filtered) = (index.read_txn().unwrap(), Filtered::default());
        let large: Arc<RoaringBitmap> = Arc::new((0..1 << 24).step_by(2).collect());
        assert!(large.serialized_size() as u64 > MAX_BYTES / 5);
        for text in ["a", "b", "c"] {
            filtered.insert(&txn, text.to_owned(), &large);
        }
        assert_eq!(filtered.get(&txn, "a"), Some(Arc::clone(&large)));
        assert_eq!(texts(&filtered), ["a", "c", "b"]);
        filtered.insert(&txn, "d".to_owned(), &large);
        assert_eq!(texts(&filtered), ["d", "a", "c"]);
        assert_eq!(filtered.get(&txn, "b"), None);
    }
}
