//! Writes to a milli index, each in one transaction: all of it is there afterwards, or nothing.

use std::sync::atomic::{AtomicBool, Ordering};

use bumpalo::Bump;
use memmap2::{Mmap, MmapMut};
use milli_core as milli;
use milli_core::documents::PrimaryKey;
use milli_core::progress::Progress;
use milli_core::update::new::indexer::{self, DocumentDeletion, DocumentOperation, PayloadStats};
use milli_core::update::{ClearDocuments, IndexerConfig};
use milli_core::vector::EmbeddingConfigs;
use milli_core::{ThreadPoolNoAbort, ThreadPoolNoAbortBuilder};

use super::failure::{Failure, write_error};
use crate::http::error::{ApiError, Code};
use crate::settings::Changes;
use crate::tasks::Method;

/// The indexer's threads and memory, shared by all writes.
pub struct Indexer {
    config: IndexerConfig,
    pool: ThreadPoolNoAbort,
    /// Small writes use one thread: the buffers milli sets up for each thread cost more than a few documents.
    single: ThreadPoolNoAbort,
}

/// One write of documents.
pub enum DocumentWrite {
    /// JSON objects one after another.
    Add(Method, Payload),
    /// Ids of documents.
    Delete(Vec<String>),
}

/// Bytes laid out as milli's indexer takes them: a read-only private map.
pub struct Payload(Mmap);

impl Payload {
    /// Copies `bytes` into a map.
    pub fn new(bytes: &[u8]) -> std::io::Result<Self> {
        let mut map = MmapMut::map_anon(bytes.len())?;
        map[..bytes.len()].copy_from_slice(bytes);
        map.make_read_only().map(Self)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// What one write of a batch came to: the number of documents, or why this write alone was left out.
pub type Outcome = Result<u64, ApiError>;

/// Fewer payload bytes than this are indexed by one thread.
const SMALL: usize = 256 << 10;

impl Indexer {
    /// Starts `threads` threads; `memory` in bytes, 0 for milli's minimum.
    pub fn new(threads: usize, memory: usize) -> Result<Self, String> {
        let pool = |threads: usize, name: &'static str| {
            ThreadPoolNoAbortBuilder::new()
                .num_threads(threads)
                .thread_name(move |i| format!("{name}-{i}"))
                .build()
                .map_err(|error| error.to_string())
        };
        let config = IndexerConfig {
            max_memory: (memory > 0).then_some(memory),
            thread_pool: Some(pool(threads, "engine-settings")?),
            ..IndexerConfig::default()
        };
        Ok(Self { config, pool: pool(threads, "engine-index")?, single: pool(1, "engine-small")? })
    }

    /// Applies `writes` in order in one transaction. A write that the user got wrong is left out and says why; the others
    /// go through.
    pub fn write_documents(
        &self,
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
            // Nothing to write; above all, no primary key guessed from a document that was refused.
            return Ok(outcomes(stats));
        }
        indexer::index(
            &mut txn,
            index,
            self.pool_for(writes),
            self.config.grenad_parameters(),
            &known_fields,
            fields,
            new_key,
            &changes,
            EmbeddingConfigs::default(),
            &stop,
            &progress,
        )?;
        txn.commit()?;
        Ok(outcomes(stats))
    }

    fn pool_for(&self, writes: &[DocumentWrite]) -> &ThreadPoolNoAbort {
        let size: usize = writes.iter().map(DocumentWrite::size).sum();
        if size < SMALL { &self.single } else { &self.pool }
    }

    /// Deletes the documents `filter` matches and answers how many.
    pub fn delete_by_filter(
        &self,
        index: &milli::Index,
        filter: &serde_json::Value,
        abort: &AtomicBool,
    ) -> Result<u64, Failure> {
        let mut txn = index.write_txn()?;
        let reader = index.read_txn()?;
        let Some(filter) = milli::Filter::from_json(filter)? else {
            return Err(Failure::Error(ApiError::new(
                Code::InvalidDocumentFilter,
                "Sending an empty filter is forbidden.",
            )));
        };
        let doomed = filter.evaluate(&reader, index)?;
        let fields = index.fields_ids_map(&reader)?;
        let key = index.primary_key(&reader)?.and_then(|name| PrimaryKey::new(name, &fields));
        let (Some(key), false) = (key, doomed.is_empty()) else { return Ok(0) };
        let count = doomed.len();
        let mut deletion = DocumentDeletion::new();
        deletion.delete_documents_by_docids(doomed);
        let arena = Bump::new();
        let changes = deletion.into_changes(&arena, key);
        indexer::index(
            &mut txn,
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
        )?;
        txn.commit()?;
        Ok(count)
    }

    /// Deletes every document and answers how many there were.
    pub fn clear(&self, index: &milli::Index) -> Result<u64, Failure> {
        let mut txn = index.write_txn()?;
        let count = ClearDocuments::new(&mut txn, index).execute()?;
        txn.commit()?;
        Ok(count)
    }

    /// Changes settings, reindexing what they touch.
    pub fn change_settings(&self, index: &milli::Index, changes: Changes, abort: &AtomicBool) -> Result<(), Failure> {
        let mut txn = index.write_txn()?;
        let mut settings = milli::update::Settings::new(&mut txn, index, &self.config);
        changes.apply(&mut settings);
        settings.execute(|_| (), || abort.load(Ordering::Relaxed))?;
        txn.commit()?;
        Ok(())
    }

    /// Sets the primary key of an index without documents.
    pub fn set_primary_key(&self, index: &milli::Index, key: String) -> Result<(), Failure> {
        let mut txn = index.write_txn()?;
        let mut settings = milli::update::Settings::new(&mut txn, index, &self.config);
        settings.set_primary_key(key);
        settings.execute(|_| (), || false)?;
        txn.commit()?;
        Ok(())
    }
}

fn outcomes(stats: Vec<PayloadStats>) -> Vec<Outcome> {
    let outcome = |stat: PayloadStats| match stat.error {
        Some(error) => Err(write_error(&milli::Error::UserError(error))),
        None => Ok(stat.document_count),
    };
    stats.into_iter().map(outcome).collect()
}

impl DocumentWrite {
    fn ids(&self) -> Vec<&str> {
        match self {
            Self::Add(..) => Vec::new(),
            Self::Delete(ids) => ids.iter().map(String::as_str).collect(),
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Add(_, payload) => payload.0.len(),
            Self::Delete(ids) => ids.iter().map(String::len).sum(),
        }
    }

    /// The write as two halves, where it has more than one document.
    pub fn halves(&self) -> std::io::Result<Option<[Self; 2]>> {
        Ok(match self {
            Self::Delete(ids) if ids.len() > 1 => {
                let (a, b) = ids.split_at(ids.len() / 2);
                Some([Self::Delete(a.to_vec()), Self::Delete(b.to_vec())])
            }
            Self::Add(method, payload) => match middle(payload.bytes()) {
                Some(at) => {
                    let (a, b) = payload.bytes().split_at(at);
                    Some([Self::Add(*method, Payload::new(a)?), Self::Add(*method, Payload::new(b)?)])
                }
                None => None,
            },
            Self::Delete(_) => None,
        })
    }
}

/// Where the document nearest the middle of `payload` ends. Documents stand on a line each, without raw line breaks.
fn middle(payload: &[u8]) -> Option<usize> {
    let half = payload.len() / 2;
    let after = payload[half..].iter().position(|&b| b == b'\n').map(|i| half + i + 1).filter(|&at| at < payload.len());
    after.or_else(|| payload[..half].iter().rposition(|&b| b == b'\n').map(|i| i + 1))
}
