//! Group commit, with one flush for all waiting attempts.

use std::{
    fs::File,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio::{sync::Mutex, task::spawn_blocking};

use crate::{clock::ResumedClock, refusal::StoreError};

/// Makes all writes so far durable, together with the current time. Attempts that arrive during a flush share the next flush.
pub(crate) struct Commit {
    db: sled::Db,
    file: Arc<File>,
    clock: Arc<ResumedClock>,
    /// Number of tickets issued, one per write.
    written: AtomicU64,
    /// Last ticket whose write is durable.
    durable: Mutex<u64>,
}

impl Commit {
    pub fn new(db: &sled::Db, path: &Path, clock: &Arc<ResumedClock>) -> std::io::Result<Self> {
        let file = Arc::new(File::open(path.join("db"))?);
        Ok(Self { db: db.clone(), file, clock: Arc::clone(clock), written: AtomicU64::new(0), durable: Mutex::new(0) })
    }

    /// Waits until all previous writes of this task are durable.
    ///
    /// # Errors
    /// If the flush fails. The writes may then be lost.
    pub async fn wait(&self) -> Result<(), StoreError> {
        let ticket = self.written.fetch_add(1, Ordering::SeqCst) + 1;
        let mut durable = self.durable.lock().await;
        if *durable >= ticket {
            return Ok(());
        }
        // Tickets are issued after their writes, so this flush covers them all.
        let upto = self.written.load(Ordering::SeqCst);
        let (db, file, clock) = (self.db.clone(), Arc::clone(&self.file), Arc::clone(&self.clock));
        spawn_blocking(move || -> Result<(), StoreError> {
            clock.record()?;
            db.flush()?;
            // sled writes its pages without flushing the disk's cache.
            Ok(file.sync_data()?)
        })
        .await
        .map_err(std::io::Error::other)??;
        *durable = upto;
        Ok(())
    }
}
