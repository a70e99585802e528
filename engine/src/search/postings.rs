//! Values of facets with the documents that have them, decoded once for each state of an index.
//!
//! milli reads them from disk for every search: for a result of half a million documents most of the time of a search goes there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use milli_core::heed::types::{Bytes, DecodeIgnore};
use milli_core::heed::{self, RoTxn};
use milli_core::{CboRoaringBitmapCodec, FieldId, Index};
use roaring::RoaringBitmap;

/// A value and the documents that have it.
pub struct Posting {
    /// As milli compares values: folded to one case, without accents.
    pub value: Box<str>,
    pub documents: RoaringBitmap,
}

/// The values of a field, those of most documents first.
pub type Values = Arc<[Posting]>;

/// What one open index has decoded. It holds `capacity` bytes at most; a field that is larger than what is left is not kept.
pub struct Postings {
    capacity: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// The transaction whose state it is; a later one may have changed anything.
    txn: usize,
    bytes: usize,
    /// `None` for a field that milli has to count itself.
    fields: HashMap<FieldId, Option<Values>>,
}

impl Postings {
    /// Nothing decoded yet.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, kept: Mutex::default() }
    }

    /// The values of a field as `txn` sees them; `None` when it has numbers, or too much to be kept.
    pub fn of(&self, index: &Index, txn: &RoTxn<'_>, field: FieldId) -> heed::Result<Option<Values>> {
        // Whoever waits here would have read the same from disk.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.txn > txn.id() {
            return Ok(None);
        }
        if kept.txn < txn.id() {
            *kept = Kept { txn: txn.id(), ..Kept::default() };
        }
        if let Some(values) = kept.fields.get(&field) {
            return Ok(values.clone());
        }
        let read = read(index, txn, field, self.capacity - kept.bytes)?;
        let values = read.map(|(values, bytes)| {
            kept.bytes += bytes;
            values
        });
        kept.fields.insert(field, values.clone());
        Ok(values)
    }
}

/// The strings of a field and the bytes they take, unless that is more than `room`.
fn read(index: &Index, txn: &RoTxn<'_>, field: FieldId, room: usize) -> heed::Result<Option<(Values, usize)>> {
    let [a, b] = field.to_be_bytes();
    let numbers = index.facet_id_f64_docids.remap_types::<Bytes, DecodeIgnore>();
    if numbers.prefix_iter(txn, &[a, b])?.next().is_some() {
        return Ok(None);
    }
    // Below a field and its level 0, keys are the values themselves.
    let level = [a, b, 0];
    let groups = index.facet_id_string_docids.remap_types::<Bytes, Bytes>();
    let (mut values, mut bytes) = (Vec::new(), 0);
    for entry in groups.prefix_iter(txn, &level)? {
        let (key, group) = entry?;
        let value = std::str::from_utf8(&key[level.len()..]).map_err(|error| heed::Error::Decoding(error.into()))?;
        // The first byte is the number of groups below, of which there are none.
        let documents = CboRoaringBitmapCodec::deserialize_from(group.get(1..).unwrap_or_default())?;
        bytes += size_of::<Posting>() + value.len() + group.len();
        if bytes > room {
            return Ok(None);
        }
        values.push(Posting { value: value.into(), documents });
    }
    values.sort_by_key(|posting| std::cmp::Reverse(posting.documents.len()));
    Ok(Some((values.into(), bytes)))
}

/// The `limit` values that most of `candidates` have, most first, each with its number and one of those documents; equal ones by
/// value.
pub fn most_common<'a>(values: &'a [Posting], candidates: &RoaringBitmap, limit: usize) -> Vec<(&'a str, u64, u32)> {
    let mut found: Vec<(u64, &Posting)> = Vec::new();
    // What a further value needs at least, once there are enough.
    let mut least = 1;
    for posting in values {
        if posting.documents.len() < least {
            break;
        }
        let count = posting.documents.intersection_len(candidates);
        if count >= least {
            found.push((count, posting));
        }
        if found.len() >= limit.saturating_mul(2).max(1) {
            let (_, last, _) = found.select_nth_unstable_by(limit.saturating_sub(1), order);
            least = last.0;
            found.truncate(limit);
        }
    }
    found.sort_unstable_by(order);
    found.truncate(limit);
    let some = |posting: &Posting| (&posting.documents & candidates).min();
    found.into_iter().filter_map(|(count, posting)| Some((&*posting.value, count, some(posting)?))).collect()
}

fn order(a: &(u64, &Posting), b: &(u64, &Posting)) -> std::cmp::Ordering {
    b.0.cmp(&a.0).then_with(|| a.1.value.cmp(&b.1.value))
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn postings(random: &mut ChaCha8Rng, values: u32) -> Vec<Posting> {
        let documents = |random: &mut ChaCha8Rng| {
            let one_in = random.random_range(1..200);
            (0..3000).filter(|_| random.random_ratio(1, one_in)).collect()
        };
        let mut all: Vec<Posting> = (0..values)
            .map(|n| Posting { value: format!("value-{n:03}").into(), documents: documents(random) })
            .collect();
        all.sort_by_key(|posting| std::cmp::Reverse(posting.documents.len()));
        all
    }

    #[test]
    fn the_most_common_are_those_a_full_count_finds() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        for round in 0..200 {
            let values = random.random_range(0..150);
            let all = postings(&mut random, values);
            let candidates: RoaringBitmap = (0..3000).filter(|_| random.random_ratio(1, 1 + round % 60)).collect();
            let mut counted: Vec<(u64, &str)> = all
                .iter()
                .map(|posting| (posting.documents.intersection_len(&candidates), &*posting.value))
                .filter(|(count, _)| *count > 0)
                .collect();
            counted.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
            for limit in [0, 1, 7, 50, 1000] {
                let found = most_common(&all, &candidates, limit);
                let plain: Vec<(u64, &str)> = found.iter().map(|(value, count, _)| (*count, *value)).collect();
                assert_eq!(plain, counted[..limit.min(counted.len())]);
                for (value, _, document) in found {
                    let posting = all.iter().find(|posting| *posting.value == *value).unwrap();
                    assert!(posting.documents.contains(document) && candidates.contains(document));
                }
            }
        }
    }
}
