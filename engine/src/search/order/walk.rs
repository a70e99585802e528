//! The walk, which skips documents before the page and collects those on it.

use milli_core::{DocumentId, Index, heed};
use roaring::RoaringBitmap;

use super::criteria::Criterion;
use super::tree::{Span, Tree, extreme};
use super::{Interrupt, Stop, WalkOutcome};

/// Up to this many documents, reading each value is cheaper than descending the tree.
const FEW: u64 = 256;

pub struct Walk<'t> {
    index: &'t Index,
    txn: &'t heed::RoTxn<'t>,
    criteria: &'t [Criterion],
    interrupt: &'t Interrupt,
    /// Number of documents still to be skipped.
    skip: u64,
    limit: usize,
    documents: Vec<DocumentId>,
    tied: bool,
}

impl<'t> Walk<'t> {
    pub fn new(
        index: &'t Index,
        txn: &'t heed::RoTxn<'t>,
        criteria: &'t [Criterion],
        offset: usize,
        limit: usize,
        interrupt: &'t Interrupt,
    ) -> Self {
        let documents = Vec::with_capacity(limit.min(1000));
        Self { index, txn, criteria, interrupt, skip: offset as u64, limit, documents, tied: false }
    }

    pub fn finish(self) -> WalkOutcome {
        WalkOutcome { documents: self.documents, tied: self.tied }
    }

    fn is_full(&self) -> bool {
        self.documents.len() >= self.limit
    }

    /// Skips `documents`, which are equal so far, or sorts them by the criterion at `depth`.
    pub fn bucket(&mut self, depth: usize, documents: RoaringBitmap) -> Result<(), Stop> {
        if self.is_full() || self.passes(documents.len()) {
            return Ok(());
        }
        let criteria = self.criteria;
        match criteria.get(depth) {
            Some(Criterion { field: None, .. }) => self.bucket(depth + 1, documents),
            Some(Criterion { field: Some(field), ascending }) if documents.len() > 1 && !self.interrupt.is_late() => {
                if documents.len() <= FEW {
                    return self.few(depth, *field, *ascending, &documents);
                }
                let mut rest = documents;
                for tree in self.trees(*field) {
                    if let Some(top) = tree.top()? {
                        self.groups(depth, *field, *ascending, tree, &top, &mut rest)?;
                    }
                }
                self.bucket(depth + 1, rest)
            }
            _ => {
                self.take(&documents);
                Ok(())
            }
        }
    }

    fn trees(&self, field: u16) -> [Tree<'t>; 2] {
        [
            Tree::new(self.txn, self.index.facet_id_f64_docids, field),
            Tree::new(self.txn, self.index.facet_id_string_docids, field),
        ]
    }

    /// Visits the groups of `span` and removes their documents from `rest`.
    fn groups(
        &mut self,
        depth: usize,
        field: u16,
        ascending: bool,
        tree: Tree<'t>,
        span: &Span,
        rest: &mut RoaringBitmap,
    ) -> Result<(), Stop> {
        for group in tree.groups(span, ascending)? {
            // Once the time is up, the caller takes the rest unordered as one bucket.
            if rest.is_empty() || self.is_full() || self.interrupt.is_late() {
                break;
            }
            self.interrupt.check()?;
            let group = group?;
            let mut found = group.among(rest)?;
            // A document with several values is counted at the first one.
            *rest -= &found;
            if found.is_empty() || self.passes(found.len()) {
                continue;
            }
            if span.level == 0 {
                self.bucket(depth + 1, found)?;
            } else if found.len() <= FEW {
                self.few(depth, field, ascending, &found)?;
            } else {
                self.groups(depth, field, ascending, tree, &tree.below(&group)?, &mut found)?;
                // This is empty unless the time is up.
                self.bucket(self.criteria.len(), found)?;
            }
        }
        Ok(())
    }

    /// Sorts a few documents by reading the value of each.
    fn few(&mut self, depth: usize, field: u16, ascending: bool, documents: &RoaringBitmap) -> Result<(), Stop> {
        let mut keyed = Vec::with_capacity(documents.len() as usize);
        for id in documents {
            keyed.push((self.value(field, id, ascending)?, id));
        }
        keyed.sort_by(|((kind, value), id), ((other_kind, other_value), other_id)| {
            let values = if ascending { value.cmp(other_value) } else { other_value.cmp(value) };
            kind.cmp(other_kind).then(values).then(id.cmp(other_id))
        });
        for equal in keyed.chunk_by(|(a, _), (b, _)| a == b) {
            self.bucket(depth + 1, equal.iter().map(|(_, id)| *id).collect())?;
        }
        Ok(())
    }

    /// Returns the sort key of a document: numbers first, then strings, then none.
    fn value(&self, field: u16, id: DocumentId, ascending: bool) -> heed::Result<(u8, &'t [u8])> {
        if let Some(number) = extreme(self.txn, self.index.field_id_docid_facet_f64s, field, id, ascending)? {
            return Ok((0, number));
        }
        let string = extreme(self.txn, self.index.field_id_docid_facet_strings, field, id, ascending)?;
        Ok(string.map_or((2, &[]), |string| (1, string)))
    }

    /// Returns whether all `count` documents are before the page. If so, skips them.
    fn passes(&mut self, count: u64) -> bool {
        let passes = count <= self.skip;
        if passes {
            self.skip -= count;
        }
        passes
    }

    /// Takes as many documents as fit on the page, in order of document ids.
    fn take(&mut self, documents: &RoaringBitmap) {
        self.tied |= documents.len() > 1;
        let room = self.limit - self.documents.len();
        let skip = usize::try_from(self.skip).unwrap_or(usize::MAX);
        // Don't use the iterator's `skip(n)`, because it visits what it skips.
        let from = documents.select(u32::try_from(skip).unwrap_or(u32::MAX));
        if let Some(from) = from {
            self.documents.extend(documents.range(from..).take(room));
        }
        self.skip = 0;
    }
}
