//! Writes to a milli index. Each write is one transaction, which is applied entirely or not at all.

use std::sync::atomic::{AtomicBool, Ordering};

use bumpalo::Bump;
use milli_core as milli;
use milli_core::documents::PrimaryKey;
use milli_core::heed::RoTxn;
use milli_core::progress::Progress;
use milli_core::update::new::indexer::{self, DocumentDeletion, DocumentOperation, PayloadStats};
use milli_core::update::{ClearDocuments, IndexerConfig};
use milli_core::vector::EmbeddingConfigs;
use milli_core::{InternalError, ThreadPoolNoAbort, ThreadPoolNoAbortBuilder};
use roaring::RoaringBitmap;
use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};

use super::cause;
use super::document_write::DocumentWrite;
use super::failure::{Failure, write_error};
use crate::http::error::{ApiError, Code};
use crate::settings::Changes;
use crate::tasks::Method;

/// The indexer's threads and memory, which all writes share.
pub struct Indexer {
    config: IndexerConfig,
    pool: ThreadPoolNoAbort,
    /// The one thread that starts large writes. If each write started a new thread, that thread would allocate from any of the allocator's
    /// free arenas, and each arena retains the memory of its largest write.
    large: ThreadPoolNoAbort,
    /// The single thread for small writes, because milli's per-thread buffers cost more than indexing a few documents.
    single: ThreadPoolNoAbort,
}

/// Outcome of one write in a batch: the number of documents, or the error for which only this write was left out.
pub type Outcome = Result<u64, ApiError>;

/// Payloads smaller than this many bytes are indexed by one thread.
const SMALL: usize = 256 << 10;

impl Indexer {
    /// Starts `threads` indexing threads. The threads for large writes have `priority`. `memory` is in bytes, and 0 means milli's minimum.
    pub fn new(threads: usize, priority: Option<u8>, memory: usize) -> Result<Self, String> {
        let config = IndexerConfig {
            max_memory: (memory > 0).then_some(memory),
            thread_pool: Some(pool(threads, "engine-settings")?),
            ..IndexerConfig::default()
        };
        let single = pool(1, "engine-small")?;
        // A thread inherits the priority of the thread that starts it.
        let (pool, large) = with_priority(priority, || (pool(threads, "engine-index"), pool(1, "engine-large")));
        Ok(Self { config, pool: pool?, large: large?, single })
    }

    /// Applies `writes` in order in one transaction. A write with a user error is left out and its outcome is that error. The others
    /// succeed.
    pub fn write_documents(
        &self,
        index: &milli::Index,
        writes: &[DocumentWrite],
        primary_key: Option<&str>,
        abort: &AtomicBool,
    ) -> Result<Vec<Outcome>, Failure> {
        let size: usize = writes.iter().map(DocumentWrite::size).sum();
        if size < SMALL {
            return self.write_in(&self.single, index, writes, primary_key, abort);
        }
        let write = || self.write_in(&self.pool, index, writes, primary_key, abort);
        self.large.install(write).map_err(|panicked| milli::Error::from(InternalError::from(panicked)))?
    }

    fn write_in(
        &self,
        pool: &ThreadPoolNoAbort,
        index: &milli::Index,
        writes: &[DocumentWrite],
        primary_key: Option<&str>,
        abort: &AtomicBool,
    ) -> Result<Vec<Outcome>, Failure> {
        let ids: Vec<Vec<&str>> = writes.iter().map(DocumentWrite::ids).collect();
        let arena = Bump::new();
        let stop = || abort.load(Ordering::Relaxed);
        let progress = Progress::default();
        let mut txn = index.write_txn()?;
        let reader = index.read_txn()?;
        let known_fields = index.fields_ids_map(&reader)?;
        let mut fields = known_fields.clone();

        let mut operation = DocumentOperation::new();
        for (write, ids) in writes.iter().zip(&ids) {
            match write {
                DocumentWrite::Add(Method::Replace, payload) => operation.replace_documents(&payload.0)?,
                DocumentWrite::Add(Method::Update, payload) => operation.update_documents(&payload.0)?,
                DocumentWrite::Delete(_) => operation.delete_documents(ids),
            }
        }
        let (changes, stats, new_key) =
            operation.into_changes(&arena, index, &reader, primary_key, &mut fields, &stop, progress.clone())?;
        if stats.iter().all(|stat| stat.error.is_some()) {
            // There is nothing to write. In particular, no primary key may be inferred from a refused document.
            return Ok(outcomes(stats));
        }
        cause::run(&mut txn, index, |txn| {
            indexer::index(
                txn,
                index,
                pool,
                self.config.grenad_parameters(),
                &known_fields,
                fields,
                new_key,
                &changes,
                EmbeddingConfigs::default(),
                &stop,
                &progress,
            )
        })?;
        txn.commit()?;
        Ok(outcomes(stats))
    }

    /// Returns the documents that match `filter`.
    pub fn matching(
        index: &milli::Index,
        txn: &RoTxn<'_>,
        filter: &serde_json::Value,
    ) -> Result<RoaringBitmap, Failure> {
        let Some(filter) = milli::Filter::from_json(filter)? else {
            let message = "Sending an empty filter is forbidden.";
            return Err(Failure::Error(ApiError::new(Code::InvalidDocumentFilter, message)));
        };
        Ok(filter.evaluate(txn, index)?)
    }

    /// Deletes the documents that match `filter`.
    pub fn delete_by_filter(
        &self,
        index: &milli::Index,
        filter: &serde_json::Value,
        abort: &AtomicBool,
    ) -> Result<(), Failure> {
        let mut txn = index.write_txn()?;
        let reader = index.read_txn()?;
        let doomed = Self::matching(index, &reader, filter)?;
        let fields = index.fields_ids_map(&reader)?;
        let key = index.primary_key(&reader)?.and_then(|name| PrimaryKey::new(name, &fields));
        let (Some(key), false) = (key, doomed.is_empty()) else { return Ok(()) };
        let mut deletion = DocumentDeletion::new();
        deletion.delete_documents_by_docids(doomed);
        let arena = Bump::new();
        let changes = deletion.into_changes(&arena, key);
        cause::run(&mut txn, index, |txn| {
            indexer::index(
                txn,
                index,
                &self.pool,
                self.config.grenad_parameters(),
                &fields,
                fields.clone(),
                None,
                &changes,
                EmbeddingConfigs::default(),
                &|| abort.load(Ordering::Relaxed),
                &Progress::default(),
            )
        })?;
        Ok(txn.commit()?)
    }

    /// Deletes every document.
    pub fn clear(&self, index: &milli::Index) -> Result<(), Failure> {
        let mut txn = index.write_txn()?;
        ClearDocuments::new(&mut txn, index).execute()?;
        Ok(txn.commit()?)
    }

    /// Changes settings and reindexes everything that they affect.
    pub fn change_settings(&self, index: &milli::Index, changes: Changes, abort: &AtomicBool) -> Result<(), Failure> {
        let mut txn = index.write_txn()?;
        let mut settings = milli::update::Settings::new(&mut txn, index, &self.config);
        changes.apply(&mut settings);
        settings.execute(|_| (), || abort.load(Ordering::Relaxed))?;
        Ok(txn.commit()?)
    }

    /// Sets the primary key of an index without documents.
    pub fn set_primary_key(&self, index: &milli::Index, key: String) -> Result<(), Failure> {
        let mut txn = index.write_txn()?;
        let mut settings = milli::update::Settings::new(&mut txn, index, &self.config);
        settings.set_primary_key(key);
        settings.execute(|_| (), || false)?;
        Ok(txn.commit()?)
    }
}

fn pool(threads: usize, name: &'static str) -> Result<ThreadPoolNoAbort, String> {
    let builder = ThreadPoolNoAbortBuilder::new().num_threads(threads);
    builder.thread_name(move |i| format!("{name}-{i}")).build().map_err(|error| error.to_string())
}

/// Runs `work` on a separate thread with `priority`, because a thread cannot raise its priority again. If `priority` is `None`, runs it on
/// this thread.
fn with_priority<T: Send>(priority: Option<u8>, work: impl FnOnce() -> T + Send) -> T {
    let Some(priority) = priority else { return work() };
    let worked = std::thread::scope(|scope| {
        let work = move || {
            lower_priority(priority);
            work()
        };
        scope.spawn(work).join()
    });
    worked.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn lower_priority(priority: u8) {
    let priority = ThreadPriorityValue::try_from(priority).map(ThreadPriority::Crossplatform);
    let set = priority.and_then(|priority| set_current_thread_priority(priority).map_err(|error| format!("{error:?}")));
    if let Err(error) = set {
        tracing::warn!(error, "can't lower the priority of the indexing threads; large writes run at normal priority");
    }
}

fn outcomes(stats: Vec<PayloadStats>) -> Vec<Outcome> {
    let outcome = |stat: PayloadStats| match stat.error {
        Some(error) => Err(write_error(&milli::Error::UserError(error))),
        None => Ok(stat.document_count),
    };
    stats.into_iter().map(outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_large_writes_have_low_priority() {
        // The niceness is the 19th field (see proc_pid_stat(5)), which is the 17th after the parenthesized name.
        let niceness = || {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            let field = stat.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap();
            field.parse::<i8>().unwrap()
        };
        // This is the lowest priority, which any process may set.
        let (indexer, own) = (Indexer::new(2, Some(0), 0).unwrap(), niceness());
        assert_eq!(indexer.pool.install(niceness).unwrap(), 19);
        assert_eq!(indexer.large.install(niceness).unwrap(), 19);
        assert_eq!(indexer.single.install(niceness).unwrap(), own);
        assert_eq!(with_priority(None, niceness), own);
    }
}
