//! Facet values by document, which are decoded once for each state of an index.
//!
//! milli stores documents by value and reads all of them from disk for every search, which takes most of the time of a search with many
//! results. Counting by document makes the cost proportional to the number of hits.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use foldhash::quality::FixedState;
use milli_core::heed::types::{Bytes, DecodeIgnore};
use milli_core::heed::{self, RoTxn};
use milli_core::{CboRoaringBitmapCodec, FieldId, Index};
use roaring::RoaringBitmap;

use super::counts::ValuesByDocument;

/// The values of a field by document.
pub struct Column {
    /// Sorted by their folded form.
    names: Vec<Value>,
    by_document: Arc<ValuesByDocument>,
}

/// A value of a field.
struct Value {
    /// Folded form, as milli compares values: lowercase and without accents.
    folded: Box<str>,
    /// First document that has the value.
    first: u32,
    /// Hash of the value's stored document set. An equal hash means that the set is unchanged (except once in 2⁶⁴).
    fingerprint: u64,
    /// Spelling in the `first` document, which is set once it has been requested. It is `None` if it equals the folded form. Looking up the
    /// spelling of every counted value on disk would take longer than counting.
    spelled: OnceLock<Option<Box<str>>>,
}

/// Cache for the decoded fields of an open index. It takes at most `capacity` bytes, and a field larger than the remaining space isn't
/// cached.
pub struct Postings {
    capacity: usize,
    cached: Mutex<CachedColumns>,
}

#[derive(Default)]
struct CachedColumns {
    /// Transaction whose state is cached. A later transaction may have changed anything.
    txn: usize,
    bytes: usize,
    /// `None` for a field that milli has to count.
    fields: HashMap<FieldId, Option<Arc<Column>>>,
}

impl Postings {
    /// Creates an empty cache.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, cached: Mutex::default() }
    }

    /// Returns a copy for the same documents in another file or map. Its fields are revalidated at first use, as after a write.
    #[must_use]
    pub fn carry_over(&self) -> Self {
        let cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        let cached = CachedColumns { txn: 0, bytes: cached.bytes, fields: cached.fields.clone() };
        Self { capacity: self.capacity, cached: Mutex::new(cached) }
    }

    /// Returns the fields that were counted so far.
    pub fn fields(&self) -> Vec<FieldId> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner).fields.keys().copied().collect()
    }

    /// Returns the values of a field as of `txn`, or `None` if the field has numbers or exceeds the memory.
    pub fn of(&self, index: &Index, txn: &RoTxn<'_>, field: FieldId) -> heed::Result<Option<Arc<Column>>> {
        // Waiting for the lock costs nothing, because the waiting thread would otherwise read the same data from disk.
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        if cached.txn > txn.id() {
            return Ok(None);
        }
        if cached.txn < txn.id() {
            *cached = cached.revalidated(index, txn)?;
        }
        if let Some(column) = cached.fields.get(&field) {
            return Ok(column.clone());
        }
        let column = read(index, txn, field, self.capacity - cached.bytes)?.map(Arc::new);
        cached.bytes += column.as_ref().map_or(0, |column| column.bytes());
        cached.fields.insert(field, column.clone());
        Ok(column)
    }
}

impl CachedColumns {
    /// Returns the fields that are unchanged in `txn`. Most writes change numbers that aren't counted, such as views, and comparing with
    /// the disk takes a small fraction of the time that decoding takes.
    fn revalidated(&self, index: &Index, txn: &RoTxn<'_>) -> heed::Result<Self> {
        let mut now = Self { txn: txn.id(), ..Self::default() };
        for (field, column) in &self.fields {
            if let Some(column) = column
                && column.is_unchanged(index, txn, *field)?
            {
                now.bytes += column.bytes();
                now.fields.insert(*field, Some(Arc::new(column.without_spellings())));
            }
        }
        Ok(now)
    }
}

/// Returns whether a field has numeric values.
fn has_numbers(index: &Index, txn: &RoTxn<'_>, field: FieldId) -> heed::Result<bool> {
    let numbers = index.facet_id_f64_docids.remap_types::<Bytes, DecodeIgnore>();
    Ok(numbers.prefix_iter(txn, &field.to_be_bytes())?.next().is_some())
}

/// Iterates over the sorted strings of a field, each with its stored document set.
fn strings<'t>(
    index: &Index,
    txn: &'t RoTxn<'_>,
    field: FieldId,
) -> heed::Result<impl Iterator<Item = heed::Result<(&'t [u8], &'t [u8])>>> {
    let [a, b] = field.to_be_bytes();
    // In level 0, the rest of the key is the value.
    let level = [a, b, 0];
    let groups = index.facet_id_string_docids.remap_types::<Bytes, Bytes>().prefix_iter(txn, &level)?;
    // The first byte is the number of subgroups. Level 0 has no subgroups.
    Ok(groups.map(move |entry| entry.map(|(key, group)| (&key[level.len()..], group.get(1..).unwrap_or_default()))))
}

fn fingerprint(documents: &[u8]) -> u64 {
    FixedState::default().hash_one(documents)
}

/// Reads the strings of a field, unless it also has numbers or takes more than `room` bytes.
fn read(index: &Index, txn: &RoTxn<'_>, field: FieldId, room: usize) -> heed::Result<Option<Column>> {
    if has_numbers(index, txn, field)? {
        return Ok(None);
    }
    let (mut names, mut documents, mut bytes) = (Vec::<(Box<str>, u64)>::new(), Vec::new(), 0);
    for entry in strings(index, txn, field)? {
        let (name, stored) = entry?;
        let name = std::str::from_utf8(name).map_err(|error| heed::Error::Decoding(error.into()))?;
        let with_it = CboRoaringBitmapCodec::deserialize_from(stored)?;
        bytes += name.len() + size_of::<Value>() + size_of::<u32>() * usize::try_from(with_it.len()).unwrap_or(room);
        if bytes > room {
            return Ok(None);
        }
        names.push((name.into(), fingerprint(stored)));
        documents.push(with_it);
    }
    let column = Column::new(names, &documents);
    Ok((column.bytes() <= room).then_some(column))
}

impl Column {
    /// Builds a column from sorted `names` with their fingerprints, and from their sets of `documents`, none of which is empty.
    fn new(names: Vec<(Box<str>, u64)>, documents: &[RoaringBitmap]) -> Self {
        let value = |((folded, fingerprint), documents): ((Box<str>, u64), &RoaringBitmap)| Value {
            folded,
            fingerprint,
            first: documents.min().unwrap_or_default(),
            spelled: OnceLock::new(),
        };
        let names = names.into_iter().zip(documents).map(value).collect();
        Self { names, by_document: Arc::new(ValuesByDocument::new(documents)) }
    }

    /// Returns whether `txn` sees the same values for the same documents.
    fn is_unchanged(&self, index: &Index, txn: &RoTxn<'_>, field: FieldId) -> heed::Result<bool> {
        if has_numbers(index, txn, field)? {
            return Ok(false);
        }
        let mut names = self.names.iter();
        for entry in strings(index, txn, field)? {
            let (name, documents) = entry?;
            let same = |value: &Value| value.folded.as_bytes() == name && value.fingerprint == fingerprint(documents);
            if !names.next().is_some_and(same) {
                return Ok(false);
            }
        }
        Ok(names.next().is_none())
    }

    /// Returns a copy without spellings, which may have changed.
    fn without_spellings(&self) -> Self {
        let value = |&Value { ref folded, first, fingerprint, .. }: &Value| Value {
            folded: folded.clone(),
            first,
            fingerprint,
            spelled: OnceLock::new(),
        };
        Self { names: self.names.iter().map(value).collect(), by_document: Arc::clone(&self.by_document) }
    }

    /// Returns whether both share one decoded table.
    #[cfg(test)]
    pub fn shares_table_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.by_document, &other.by_document)
    }

    fn bytes(&self) -> usize {
        // A spelling is about as long as its folded form.
        let names: usize = self.names.iter().map(|value| 2 * value.folded.len() + size_of::<Value>()).sum();
        names + self.by_document.bytes()
    }

    /// Returns the `limit` most frequent values among `candidates` with their counts. The most frequent come first, and values with equal
    /// counts are in order.
    pub fn most_common(&self, candidates: &RoaringBitmap, limit: usize) -> Vec<(usize, u64)> {
        let counts = self.by_document.counts(candidates);
        let mut found: Vec<(usize, u64)> =
            counts.into_iter().enumerate().filter(|(_, n)| *n > 0).map(|(value, n)| (value, n.into())).collect();
        let place = |&(value, count): &(usize, u64)| (Reverse(count), value);
        if found.len() > limit {
            found.select_nth_unstable_by_key(limit, place);
            found.truncate(limit);
        }
        found.sort_unstable_by_key(place);
        found
    }

    /// Returns the spelling of a value in its first document.
    pub fn spelled(&self, index: &Index, txn: &RoTxn<'_>, field: FieldId, value: usize) -> heed::Result<&str> {
        let Value { folded, first, spelled, .. } = &self.names[value];
        if let Some(known) = spelled.get() {
            return Ok(known.as_deref().unwrap_or(folded));
        }
        let read = index.field_id_docid_facet_strings.get(txn, &(field, *first, folded))?;
        let read = read.filter(|read| *read != &**folded).map(Box::from);
        Ok(spelled.get_or_init(|| read).as_deref().unwrap_or(folded))
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn most_common_matches_a_full_count() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        for round in 0..200 {
            let values = random.random_range(0..150);
            let documents: Vec<RoaringBitmap> = (0..values)
                .map(|_| {
                    let one_in = random.random_range(1..200);
                    (0..3000).filter(|_| random.random_ratio(1, one_in)).collect()
                })
                .collect();
            let names = (0..values).map(|n| (format!("value-{n:03}").into(), 0)).collect();
            let column = Column::new(names, &documents);
            // Some candidates come after the last document that has a value.
            let candidates: RoaringBitmap = (0..3100).filter(|_| random.random_ratio(1, 1 + round % 60)).collect();
            let mut counted: Vec<(u64, usize)> = documents
                .iter()
                .enumerate()
                .map(|(value, documents)| (documents.intersection_len(&candidates), value))
                .filter(|(count, _)| *count > 0)
                .collect();
            counted.sort_unstable_by_key(|&(count, value)| (Reverse(count), value));
            for limit in [0, 1, 7, 50, 1000] {
                let expected: Vec<(usize, u64)> =
                    counted.iter().take(limit).map(|&(count, value)| (value, count)).collect();
                assert_eq!(column.most_common(&candidates, limit), expected);
            }
        }
    }
}
