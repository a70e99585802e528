//! One write to the disk for all who wait for one.

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

/// Makes what was written so far durable, and the time with it. Attempts that come while one flush runs share the next.
pub(crate) struct Commit {
    db: sled::Db,
    file: Arc<File>,
    clock: Arc<ResumedClock>,
    /// Tickets handed out, one per write.
    written: AtomicU64,
    /// The last ticket whose write is on the disk.
    durable: Mutex<u64>,
}

impl Commit {
    pub fn new(db: &sled::Db, path: &Path, clock: &Arc<ResumedClock>) -> std::io::Result<Self> {
        let file = Arc::new(File::open(path.join("db"))?);
        Ok(Self { db: db.clone(), file, clock: Arc::clone(clock), written: AtomicU64::new(0), durable: Mutex::new(0) })
    }

    /// Waits until everything this task has written is on the disk.
    ///
    /// # Errors
    /// When the disk refuses; what was written may be lost then.
    pub async fn wait(&self) -> Result<(), StoreError> {
        let ticket = self.written.fetch_add(1, Ordering::SeqCst) + 1;
        let mut durable = self.durable.lock().await;
        if *durable >= ticket {
            return Ok(());
        }
        // Every ticket was drawn after its write, so this flush covers them all.
        let upto = self.written.load(Ordering::SeqCst);
        let (db, file, clock) = (self.db.clone(), Arc::clone(&self.file), Arc::clone(&self.clock));
        spawn_blocking(move || -> Result<(), StoreError> {
            clock.record()?;
            db.flush()?;
            // sled hands its pages to the disk without telling the disk to empty its own cache.
            Ok(file.sync_data()?)
        })
        .await
        .map_err(std::io::Error::other)??;
        *durable = upto;
        Ok(())
    }
}
