//! How many of a set of documents have each value of a facet.

use std::sync::{Arc, Mutex, PoisonError};

use roaring::RoaringBitmap;

/// Sets of documents whose counts are remembered beside that of all: those of each orientation, and those of the filters asked for
/// lately.
const REMEMBERED: usize = 16;

/// A set is compared with those that are remembered when it has more than one document in so many: fewer are soon counted.
const LARGE: u32 = 16;

/// A set is remembered when more than one document in so many had to be looked at for it: what was nearer takes no other's place.
const FAR: u32 = 64;

/// Which values each document has.
pub struct OfDocuments {
    /// Where the values of each document begin in `values`, and where the last ones end.
    starts: Vec<u32>,
    values: Vec<u32>,
    all: Arc<CountedSet>,
    /// What was counted lately, the latest first. Lists differ from one another by few of many documents.
    lately: Mutex<Vec<Arc<CountedSet>>>,
}

/// Documents, and how many of them have each value.
struct CountedSet {
    documents: RoaringBitmap,
    counts: Vec<u32>,
}

impl OfDocuments {
    /// Of the documents of each value, by its number.
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
        Self { starts, values, all: Arc::new(CountedSet { documents: all, counts }), lately: Mutex::default() }
    }

    /// Memory it takes, with all that may be remembered.
    pub fn bytes(&self) -> usize {
        let counted = self.starts.len() / 8 + size_of::<u32>() * self.all.counts.len();
        size_of::<u32>() * (self.starts.len() + self.values.len()) + (1 + REMEMBERED) * counted
    }

    /// How many of `candidates` have each value: by what differs from a set that was counted, where that is less.
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

    /// The set that was counted with the fewest documents that only one of both has, and their number.
    fn nearest(&self, candidates: &RoaringBitmap) -> (Arc<CountedSet>, u64) {
        let mut sets = self.lately.lock().unwrap_or_else(PoisonError::into_inner).clone();
        sets.push(Arc::clone(&self.all));
        // Sets differ by no less than their sizes do: of sets within one another one or two are compared.
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

    /// Keeps what was just used longest; what took long is remembered.
    fn remember(&self, candidates: &RoaringBitmap, counts: &[u32], used: &Arc<CountedSet>, took_long: bool) {
        let mut lately = self.lately.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = lately.iter().position(|counted| Arc::ptr_eq(counted, used)) {
            lately[..=at].rotate_right(1);
        }
        if took_long {
            lately.insert(0, Arc::new(CountedSet { documents: candidates.clone(), counts: counts.to_vec() }));
            lately.truncate(REMEMBERED);
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

    /// Documents from here on have no values.
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
    fn sets_that_resemble_one_another_are_counted_as_if_alone() {
        let mut random = ChaCha8Rng::seed_from_u64(12);
        for _ in 0..40 {
            let documents: Vec<RoaringBitmap> = (0..random.random_range(1..30))
                .map(|_| (0..3000).filter(|_| random.random_ratio(1, 9)).collect())
                .collect();
            let of_documents = OfDocuments::new(&documents);
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
                let counts: Vec<u64> = of_documents.counts(&candidates).into_iter().map(u64::from).collect();
                assert_eq!(counts, counted);
            }
            let lately = of_documents.lately.lock().unwrap();
            assert!(!lately.is_empty() && lately.len() <= REMEMBERED);
        }
    }
}
