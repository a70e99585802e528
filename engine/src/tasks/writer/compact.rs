//! Compacts indexes to reclaim the disk space that writes leave behind.

use std::collections::BTreeSet;
use std::time::Duration;

use super::super::{Kind, NewTask};
use super::Writer;
use crate::index::failure::Failure;
use crate::index::registry::NamedIndex;
use crate::index::{CompactCopy, Space};
use crate::memory;

/// When an index is compacted automatically.
#[derive(Debug, Clone, Copy)]
pub struct Compaction {
    /// After this long without work …
    pub after: Duration,
    /// … if at least this many bytes and half of the file are free.
    pub min_free: u64,
}

impl Writer {
    /// Copies the index into full pages. The name moves to the copy when the outcome is recorded. Until then, the copy is an unnamed
    /// folder, which the next start would remove.
    pub(super) fn compact(&self, uid: &str) -> Result<CompactCopy, Failure> {
        let index = self.existing(uid)?;
        let copy = self.registry.copy_compacted(&index, &self.queue.abort)?;
        // A bulk load usually ends with a compaction, so this is the time to release its memory.
        memory::release_freed();
        Ok(copy)
    }

    /// Enqueues compactions for those indexes in `written` that consist mostly of free pages.
    pub(super) fn compact_bloated(&self, written: BTreeSet<String>) {
        let bloated = written.into_iter().filter(|uid| {
            self.registry.get(uid).is_some_and(|index| match self.space(&index) {
                Ok(space) => space.free() >= self.compaction.min_free && space.free() > space.on_disk / 2,
                Err(failure) => {
                    tracing::error!(?failure, %uid, "can't read the size of an index");
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
            tracing::warn!(error = %refused, "can't enqueue the compaction of an index");
        }
    }

    fn space(&self, index: &NamedIndex) -> Result<Space, Failure> {
        self.with_growing_map(index, |i| Ok(Space::of(i)?))
    }
}
