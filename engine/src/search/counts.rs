//! Counts the values of a facet among a set of documents.

use std::sync::{Arc, Mutex, PoisonError};

use roaring::RoaringBitmap;

/// Number of document sets whose counts are cached in addition to the set of all documents. The cached sets are
/// those of orientations and of recent filters.
const MAX_RECENT: usize = 16;

/// A set is compared with cached sets if it has more than one in this many documents. Smaller sets are quick to count.
const LARGE: u32 = 16;

/// A set is cached if counting it visited more than one in this many documents. Sets that are cheaper to count must not evict others.
const FAR: u32 = 64;

/// Values of each document.
pub struct ValuesByDocument {
    /// Offsets in `values` where the values of each document begin, and the end of the last.
    starts: Vec<u32>,
    values: Vec<u32>,
    all: Arc<CountedSet>,
    /// Recently counted sets, latest first. Lists often differ from one another in only a few documents.
    recent: Mutex<Vec<Arc<CountedSet>>>,
}

/// A set of documents, and for each value the number of these documents that have it.
struct CountedSet {
    documents: RoaringBitmap,
    counts: Vec<u32>,
}

impl ValuesByDocument {
    /// Builds the table from the documents of each value.
    pub fn new(documents: &[RoaringBitmap]) -> Self {
        let end = documents.iter().filter_map(|found| found.max()).max().map_or(0, |last| last as usize + 1);
        let mut starts = vec![0u32; end + 1];
        for document in documents.iter().flatten() {
            starts[document as usize + 1] += 1;
        }
        for at in 0..end {
            starts[at + 1] += starts[at];
        }
        let mut free = starts.clone();
        let mut values = vec![0; starts[end] as usize];
        for (value, documents) in (0u32..).zip(documents) {
            for document in documents {
                let place = &mut free[document as usize];
                values[*place as usize] = value;
                *place += 1;
            }
        }
        let counts = documents.iter().map(|documents| u32::try_from(documents.len()).unwrap_or(u32::MAX)).collect();
        let mut all = RoaringBitmap::new();
        all.insert_range(0..u32::try_from(end).unwrap_or(u32::MAX));
        Self { starts, values, all: Arc::new(CountedSet { documents: all, counts }), recent: Mutex::default() }
    }

    /// Returns the memory used when the cache is full, in bytes.
    pub fn bytes(&self) -> usize {
        let counted = self.starts.len() / 8 + size_of::<u32>() * self.all.counts.len();
        size_of::<u32>() * (self.starts.len() + self.values.len()) + (1 + MAX_RECENT) * counted
    }

    /// Counts the `candidates` that have each value. If a cached set differs in fewer documents than there are
    /// candidates, counts only those documents.
    pub fn counts(&self, candidates: &RoaringBitmap) -> Vec<u32> {
        let mut counts = vec![0; self.all.counts.len()];
        if candidates.len() <= u64::from(self.end() / LARGE) {
            self.each(candidates, |value| counts[value] += 1);
            return counts;
        }
        let (near, differ) = self.nearest(candidates);
        if differ < candidates.len() {
            counts.clone_from(&near.counts);
            self.each(&(candidates - &near.documents), |value| counts[value] += 1);
            self.each(&(&near.documents - candidates), |value| counts[value] -= 1);
        } else {
            self.each(candidates, |value| counts[value] += 1);
        }
        let took = differ.min(candidates.len());
        self.remember(candidates, &counts, &near, took > u64::from(self.end() / FAR));
        counts
    }

    /// Returns the cached set with the smallest symmetric difference, and the size of that difference.
    fn nearest(&self, candidates: &RoaringBitmap) -> (Arc<CountedSet>, u64) {
        let mut sets = self.recent.lock().unwrap_or_else(PoisonError::into_inner).clone();
        sets.push(Arc::clone(&self.all));
        // The difference of the sizes is a lower bound, so among nested sets only one or two are compared.
        let size = candidates.len();
        sets.sort_by_cached_key(|counted| counted.documents.len().abs_diff(size));
        let mut near = (Arc::clone(&self.all), u64::MAX);
        for counted in sets {
            if counted.documents.len().abs_diff(size) >= near.1 {
                break;
            }
            let differ = counted.documents.symmetric_difference_len(candidates);
            if differ < near.1 {
                near = (counted, differ);
            }
        }
        near
    }

    /// Moves the set just used to the front and caches `candidates` if counting them took long.
    fn remember(&self, candidates: &RoaringBitmap, counts: &[u32], used: &Arc<CountedSet>, took_long: bool) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = recent.iter().position(|counted| Arc::ptr_eq(counted, used)) {
            recent[..=at].rotate_right(1);
        }
        if took_long {
            recent.insert(0, Arc::new(CountedSet { documents: candidates.clone(), counts: counts.to_vec() }));
            recent.truncate(MAX_RECENT);
        }
    }

    /// Calls `with` for each value of each of `documents`.
    fn each(&self, documents: &RoaringBitmap, mut with: impl FnMut(usize)) {
        let end = self.end();
        for at in documents.iter().take_while(|&document| document < end) {
            let at = at as usize;
            for &value in &self.values[self.starts[at] as usize..self.starts[at + 1] as usize] {
                with(value as usize);
            }
        }
    }

    /// Returns the first document number without values.
    fn end(&self) -> u32 {
        u32::try_from(self.starts.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn similar_sets_have_exact_counts() {
        let mut random = ChaCha8Rng::seed_from_u64(12);
        for _ in 0..40 {
            let documents: Vec<RoaringBitmap> = (0..random.random_range(1..30))
                .map(|_| (0..3000).filter(|_| random.random_ratio(1, 9)).collect())
                .collect();
            let by_document = ValuesByDocument::new(&documents);
            let mut candidates = RoaringBitmap::new();
            for round in 0..30 {
                if round % 5 == 0 {
                    candidates = (0..3100).filter(|_| random.random_ratio(1 + round / 5, 8)).collect();
                }
                for _ in 0..random.random_range(0..200) {
                    let document = random.random_range(0..3100);
                    if !candidates.remove(document) {
                        candidates.insert(document);
                    }
                }
                let counted: Vec<u64> =
                    documents.iter().map(|documents| documents.intersection_len(&candidates)).collect();
                let counts: Vec<u64> = by_document.counts(&candidates).into_iter().map(u64::from).collect();
                assert_eq!(counts, counted);
            }
            let recent = by_document.recent.lock().unwrap();
            assert!(!recent.is_empty() && recent.len() <= MAX_RECENT);
        }
    }
}
