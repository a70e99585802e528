//! Values of facets by document, decoded once for each state of an index.
//!
//! milli keeps documents by value and reads all of them from disk for every search; most of the time of a search with many
//! results goes there. Counted by document, a search costs what it finds.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use foldhash::quality::FixedState;
use milli_core::heed::types::{Bytes, DecodeIgnore};
use milli_core::heed::{self, RoTxn};
use milli_core::{CboRoaringBitmapCodec, FieldId, Index};
use roaring::RoaringBitmap;

use super::counts::OfDocuments;

/// A field's values by document.
pub struct Column {
    /// In the order of what they are compared by.
    names: Vec<Value>,
    of_documents: Arc<OfDocuments>,
}

/// One value of a field.
struct Value {
    /// As milli compares values: folded to one case, without accents.
    folded: Box<str>,
    /// The first of the documents that have it.
    first: u32,
    /// Of its documents as they are on disk: while it is the same, so are they (but once in 2⁶⁴).
    fingerprint: u64,
    /// As that document spells it, once somebody asked; `None` where it spells it as folded. A look-up on disk for each counted
    /// value would take longer than counting them.
    spelled: OnceLock<Option<Box<str>>>,
}

/// What one open index has decoded. It holds `capacity` bytes at most; a field that is larger than what is left is not kept.
pub struct Postings {
    capacity: usize,
    kept: Mutex<KeptPostings>,
}

#[derive(Default)]
struct KeptPostings {
    /// The transaction whose state it is; a later one may have changed anything.
    txn: usize,
    bytes: usize,
    /// `None` for a field that milli has to count itself.
    fields: HashMap<FieldId, Option<Arc<Column>>>,
}

impl Postings {
    /// Nothing decoded yet.
    pub fn new(capacity: usize) -> Self {
        Self { capacity, kept: Mutex::default() }
    }

    /// For the same documents in another file, or behind another map: what is decoded here is looked at once, as after a write.
    #[must_use]
    pub fn carried(&self) -> Self {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = KeptPostings { txn: 0, bytes: kept.bytes, fields: kept.fields.clone() };
        Self { capacity: self.capacity, kept: Mutex::new(kept) }
    }

    /// The fields that somebody counted.
    pub fn fields(&self) -> Vec<FieldId> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).fields.keys().copied().collect()
    }

    /// The values of a field as `txn` sees them; `None` when it has numbers, or too much to be kept.
    pub fn of(&self, index: &Index, txn: &RoTxn<'_>, field: FieldId) -> heed::Result<Option<Arc<Column>>> {
        // Whoever waits here would have read the same from disk.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.txn > txn.id() {
            return Ok(None);
        }
        if kept.txn < txn.id() {
            *kept = kept.as_of(index, txn)?;
        }
        if let Some(column) = kept.fields.get(&field) {
            return Ok(column.clone());
        }
        let column = read(index, txn, field, self.capacity - kept.bytes)?.map(Arc::new);
        kept.bytes += column.as_ref().map_or(0, |column| column.bytes());
        kept.fields.insert(field, column.clone());
        Ok(column)
    }
}

impl KeptPostings {
    /// What is as `txn` sees it. Most writes change numbers that nobody counts by, such as views, and a look at what is on disk
    /// takes a small part of decoding it.
    fn as_of(&self, index: &Index, txn: &RoTxn<'_>) -> heed::Result<Self> {
        let mut now = Self { txn: txn.id(), ..Self::default() };
        for (field, column) in &self.fields {
            if let Some(column) = column
                && column.is_of(index, txn, *field)?
            {
                now.bytes += column.bytes();
                now.fields.insert(*field, Some(Arc::new(column.unspelled())));
            }
        }
        Ok(now)
    }
}

/// Whether values of a field are numbers.
fn has_numbers(index: &Index, txn: &RoTxn<'_>, field: FieldId) -> heed::Result<bool> {
    let numbers = index.facet_id_f64_docids.remap_types::<Bytes, DecodeIgnore>();
    Ok(numbers.prefix_iter(txn, &field.to_be_bytes())?.next().is_some())
}

/// The strings of a field in their order, each with its documents as they are on disk.
fn strings<'t>(
    index: &Index,
    txn: &'t RoTxn<'_>,
    field: FieldId,
) -> heed::Result<impl Iterator<Item = heed::Result<(&'t [u8], &'t [u8])>>> {
    let [a, b] = field.to_be_bytes();
    // Below a field and its level 0, keys are the values themselves.
    let level = [a, b, 0];
    let groups = index.facet_id_string_docids.remap_types::<Bytes, Bytes>().prefix_iter(txn, &level)?;
    // The first byte is the number of groups below, of which there are none.
    Ok(groups.map(move |entry| entry.map(|(key, group)| (&key[level.len()..], group.get(1..).unwrap_or_default()))))
}

fn fingerprint(documents: &[u8]) -> u64 {
    FixedState::default().hash_one(documents)
}

/// The strings of a field, unless it has numbers too or takes more than `room` bytes.
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
    /// The column of values that `documents` have, in the order of `names` and their fingerprints; none of them is empty.
    fn new(names: Vec<(Box<str>, u64)>, documents: &[RoaringBitmap]) -> Self {
        let value = |((folded, fingerprint), documents): ((Box<str>, u64), &RoaringBitmap)| Value {
            folded,
            fingerprint,
            first: documents.min().unwrap_or_default(),
            spelled: OnceLock::new(),
        };
        let names = names.into_iter().zip(documents).map(value).collect();
        Self { names, of_documents: Arc::new(OfDocuments::new(documents)) }
    }

    /// Whether `txn` sees the same values of the same documents.
    fn is_of(&self, index: &Index, txn: &RoTxn<'_>, field: FieldId) -> heed::Result<bool> {
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

    /// The same without spellings: documents may spell a value in another way than before.
    fn unspelled(&self) -> Self {
        let value = |&Value { ref folded, first, fingerprint, .. }: &Value| Value {
            folded: folded.clone(),
            first,
            fingerprint,
            spelled: OnceLock::new(),
        };
        Self { names: self.names.iter().map(value).collect(), of_documents: Arc::clone(&self.of_documents) }
    }

    /// Whether what documents have was read from disk once for both.
    #[cfg(test)]
    pub fn is_decoded_once_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.of_documents, &other.of_documents)
    }

    fn bytes(&self) -> usize {
        // Spellings are as long as what they are folded to, or nearly.
        let names: usize = self.names.iter().map(|value| 2 * value.folded.len() + size_of::<Value>()).sum();
        names + self.of_documents.bytes()
    }

    /// The `limit` values that most of `candidates` have, most first, each with its number; equal ones in the order of values.
    pub fn most_common(&self, candidates: &RoaringBitmap, limit: usize) -> Vec<(usize, u64)> {
        let counts = self.of_documents.counts(candidates);
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

    /// A value as the first document that has it spells it.
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
    fn the_most_common_are_those_a_full_count_finds() {
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
            // Some candidates are documents without any value, behind the last one that has one.
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
