//! Values of a field on disk.

use std::ops::Bound;

use milli_core::CboRoaringBitmapCodec;
use milli_core::heed::types::{Bytes, DecodeIgnore};
use milli_core::heed::{self, Database, RoTxn};
use roaring::RoaringBitmap;

/// Length of the part of a key that precedes the value. It contains the field and the level.
const HEAD: usize = 3;

/// Tree of a field's numbers or strings. Keys and values are read as bytes. The order of the bytes is the order of the values.
#[derive(Clone, Copy)]
pub struct Tree<'t> {
    txn: &'t RoTxn<'t>,
    groups: Database<Bytes, Bytes>,
    field: u16,
}

/// Range within one level, from the first value (inclusive) to the last (exclusive).
#[derive(Clone)]
pub struct Span {
    pub level: u8,
    from: Vec<u8>,
    until: Vec<u8>,
}

/// Adjacent values and the documents that have any of them.
pub struct Group<'t> {
    key: &'t [u8],
    documents: &'t [u8],
}

impl Group<'_> {
    /// Returns the group's documents among `candidates`.
    pub fn among(&self, candidates: &RoaringBitmap) -> std::io::Result<RoaringBitmap> {
        CboRoaringBitmapCodec::intersection_with_serialized(self.documents, candidates)
    }
}

impl<'t> Tree<'t> {
    /// Opens the tree of `field` in `groups`, one of milli's two facet databases.
    pub fn new<K, V>(txn: &'t RoTxn<'t>, groups: Database<K, V>, field: u16) -> Self {
        Self { txn, groups: groups.remap_types(), field }
    }

    /// Returns the whole highest level, or `None` for a field without values.
    pub fn top(&self) -> heed::Result<Option<Span>> {
        let mut last =
            self.groups.remap_data_type::<DecodeIgnore>().rev_prefix_iter(self.txn, &self.field.to_be_bytes())?;
        let Some((key, ())) = last.next().transpose()? else { return Ok(None) };
        let level = key[2];
        Ok(Some(Span { level, from: self.head(level).to_vec(), until: self.end(level) }))
    }

    /// Returns the range of the level below that `group` covers.
    pub fn below(&self, group: &Group<'t>) -> heed::Result<Span> {
        let level = group.key[2];
        let head = self.head(level);
        let child = |key: &[u8]| [&self.head(level - 1), &key[HEAD..]].concat();
        let next = self.groups.remap_data_type::<DecodeIgnore>().get_greater_than(self.txn, group.key)?;
        let until = match next {
            Some((key, ())) if key.starts_with(&head) => child(key),
            _ => self.end(level - 1),
        };
        Ok(Span { level: level - 1, from: child(group.key), until })
    }

    /// Iterates over the groups of `span`, smallest or largest value first.
    pub fn groups<'a>(
        &self,
        span: &'a Span,
        ascending: bool,
    ) -> heed::Result<Box<dyn Iterator<Item = heed::Result<Group<'t>>> + 'a>>
    where
        't: 'a,
    {
        let range = (Bound::Included(span.from.as_slice()), Bound::Excluded(span.until.as_slice()));
        // The first byte of a value is the number of subgroups, which the range already determines.
        let group = |entry: heed::Result<(&'t [u8], &'t [u8])>| {
            entry.map(|(key, value)| Group { key, documents: value.get(1..).unwrap_or_default() })
        };
        Ok(if ascending {
            Box::new(self.groups.range(self.txn, &range)?.map(group))
        } else {
            Box::new(self.groups.rev_range(self.txn, &range)?.map(group))
        })
    }

    fn head(&self, level: u8) -> [u8; HEAD] {
        let [a, b] = self.field.to_be_bytes();
        [a, b, level]
    }

    /// Returns a key that follows every key of the level. There are far fewer than 255 levels.
    fn end(&self, level: u8) -> Vec<u8> {
        self.head(level.saturating_add(1)).to_vec()
    }
}

/// Returns a document's smallest or largest value from a database that stores values by document.
pub fn extreme<'t, K, V>(
    txn: &'t RoTxn<'t>,
    values: Database<K, V>,
    field: u16,
    document: u32,
    ascending: bool,
) -> heed::Result<Option<&'t [u8]>> {
    let values = values.remap_types::<Bytes, DecodeIgnore>();
    let [a, b] = field.to_be_bytes();
    let [c, d, e, f] = document.to_be_bytes();
    let prefix = [a, b, c, d, e, f];
    let first =
        if ascending { values.prefix_iter(txn, &prefix)?.next() } else { values.rev_prefix_iter(txn, &prefix)?.next() };
    Ok(first.transpose()?.map(|(key, ())| &key[prefix.len()..]))
}
