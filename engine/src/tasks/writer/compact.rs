//! Giving back the disk space that writes leave behind.

use std::collections::BTreeSet;
use std::time::Duration;

use super::super::{Kind, NewTask};
use super::Writer;
use crate::index::failure::Failure;
use crate::index::registry::NamedIndex;
use crate::index::{CompactCopy, Space};
use crate::memory;

/// When an index is compacted without being asked.
#[derive(Debug, Clone, Copy)]
pub struct Compaction {
    /// After so long without work …
    pub after: Duration,
    /// … an index with at least so many bytes free, and half of its file.
    pub min_free: u64,
}

impl Writer {
    /// Copies the index into full pages. The name moves to the copy when the outcome is recorded; until then the
    /// copy is a folder without a name, which the next start removes.
    pub(super) fn compact(&self, uid: &str) -> Result<CompactCopy, Failure> {
        let index = self.existing(uid)?;
        let copy = self.registry.copy_compacted(&index, &self.queue.abort)?;
        // What fills an index asks for this at the end.
        memory::give_back();
        Ok(copy)
    }

    /// Queues the compaction of those of `written` that are mostly free pages.
    pub(super) fn compact_the_bloated(&self, written: BTreeSet<String>) {
        let bloated = written.into_iter().filter(|uid| {
            self.registry.get(uid).is_some_and(|index| match self.space(&index) {
                Ok(space) => space.free() >= self.compaction.min_free && space.free() > space.on_disk / 2,
                Err(failure) => {
                    tracing::error!(?failure, %uid, "the size of an index can't be read");
                    false
                }
            })
        });
        let compaction = |uid| NewTask {
            index_uid: Some(uid),
            kind: Kind::IndexCompaction { before: None, after: None },
            payload: None,
        };
        for refused in self.queue.accept(bloated.map(compaction).collect()).into_iter().filter_map(Result::err) {
            tracing::warn!(error = %refused, "an index isn't compacted");
        }
    }

    fn space(&self, index: &NamedIndex) -> Result<Space, Failure> {
        self.grown(index, |i| Ok(Space::of(i)?))
    }
}
