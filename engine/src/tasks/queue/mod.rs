//! The durable queue. Tasks, their payloads and the index names are in one LMDB environment, so that finishing a task and swapping names is
//! one transaction.

mod accept;
mod outcome;
mod pick;
mod read;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, RwLock};
use std::time::{Duration, Instant};

use milli_core::heed::types::{Bytes, SerdeJson, Str, U32};
use milli_core::heed::{self, Database, Env, EnvOpenOptions, WithoutTls, byteorder::BE};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{Task, TaskId};
use crate::sync::{lock, read, write};

pub use pick::Work;

type Counter = U32<BE>;

/// The queue on disk, with its waiting tasks in memory.
pub struct Queue {
    folder: PathBuf,
    /// LMDB's environment, or `None` once the queue is closed.
    env: RwLock<Option<Env<WithoutTls>>>,
    tasks: Database<Counter, SerdeJson<Task>>,
    payloads: Database<Counter, Bytes>,
    indexes: Database<Str, SerdeJson<Uuid>>,
    /// Number of the next task. Locks must be acquired in this order: this one, then an LMDB transaction, then `state`.
    next_uid: Mutex<TaskId>,
    state: Mutex<State>,
    changed: Condvar,
    /// Tells the running batch to abort, so that the engine can close.
    pub abort: AtomicBool,
    caps: Caps,
}

/// Limits of the queue.
#[derive(Debug, Clone, Copy)]
pub struct Caps {
    pub waiting_tasks: usize,
    pub waiting_bytes: usize,
    pub history: usize,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Task>,
    waiting_bytes: usize,
    running: Option<Running>,
    /// Arrival time of the newest task, if an earlier task for its index was still unfinished.
    burst_at: Option<Instant>,
    /// Whether the writer is waiting for a first task.
    asleep: bool,
    stop: bool,
    /// Indexes whose files the writer must check.
    suspects: BTreeSet<String>,
    /// When each index was last suspected.
    suspected: BTreeMap<String, Instant>,
}

/// The batch being applied.
#[derive(Clone)]
pub struct Running {
    pub batch_uid: u32,
    pub started_at: OffsetDateTime,
    pub uids: Vec<TaskId>,
    pub index_uid: Option<String>,
}

/// Reasons for not accepting a task.
#[derive(Debug, thiserror::Error)]
pub enum TaskRefusal {
    #[error("the task queue is full: {0} tasks are waiting")]
    Full(usize),
    #[error("the task queue can't be written: {0}")]
    Store(Arc<heed::Error>),
    #[error("the engine is shutting down")]
    Closed,
}

impl Queue {
    /// Opens or creates the queue in `path`. Unfinished tasks are waiting again.
    pub fn open(path: &Path, map_size: usize, max_readers: u32, caps: Caps) -> heed::Result<Self> {
        let mut options = EnvOpenOptions::new().read_txn_without_tls();
        options.map_size(map_size).max_dbs(3).max_readers(max_readers);
        #[expect(
            unsafe_code,
            reason = "LMDB maps the file; the engine's folder lock keeps other processes away from it"
        )]
        // SAFETY: this process has locked the folder and opens it only once, and nothing else truncates the file.
        let env = unsafe { options.open(path)? };
        let mut txn = env.write_txn()?;
        let tasks: Database<Counter, SerdeJson<Task>> = env.create_database(&mut txn, Some("tasks"))?;
        let payloads = env.create_database(&mut txn, Some("payloads"))?;
        let indexes = env.create_database(&mut txn, Some("indexes"))?;
        txn.commit()?;
        let (mut waiting, mut next_uid) = (VecDeque::new(), 0);
        let txn = env.clone().static_read_txn()?;
        for entry in tasks.iter(&txn)? {
            let (uid, task): (TaskId, Task) = entry?;
            next_uid = uid + 1;
            if !task.status.is_final() {
                waiting.push_back(task);
            }
        }
        drop(txn);
        let waiting_bytes = waiting.iter().map(|task| task.payload_bytes).sum();
        Ok(Self {
            folder: path.to_owned(),
            tasks,
            payloads,
            indexes,
            next_uid: Mutex::new(next_uid),
            state: Mutex::new(State { waiting, waiting_bytes, ..State::default() }),
            changed: Condvar::new(),
            abort: AtomicBool::new(false),
            caps,
            env: RwLock::new(Some(env)),
        })
    }

    /// Closes the files once the last reader has finished, and returns their folder. All later operations fail.
    pub fn close(&self) -> Option<PathBuf> {
        let env = write(&self.env).take()?;
        env.prepare_for_closing().wait();
        Some(self.folder.clone())
    }

    /// Requests a check of an index file after a failure, unless one was requested within the last `pause`.
    pub fn suspect(&self, uid: &str, pause: Duration) {
        let (mut state, now) = (lock(&self.state), Instant::now());
        let suspected = state.suspected.get(uid);
        if suspected.is_some_and(|&last| now.saturating_duration_since(last) < pause) {
            return;
        }
        state.suspected.insert(uid.to_owned(), now);
        state.suspects.insert(uid.to_owned());
        drop(state);
        self.changed.notify_all();
    }

    fn env(&self) -> heed::Result<Env<WithoutTls>> {
        read(&self.env).clone().ok_or_else(|| heed::Error::Io(std::io::Error::other("the task queue is closed")))
    }

    /// Stops the queue, so that no more work is handed out or accepted.
    pub fn stop(&self) {
        lock(&self.state).stop = true;
        self.abort.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Returns whether [`Queue::stop`] was called.
    pub fn stopped(&self) -> bool {
        lock(&self.state).stop
    }

    /// Returns the batch being written, if any.
    pub fn running(&self) -> Option<Running> {
        lock(&self.state).running.clone()
    }

    /// Returns the size on disk in bytes.
    pub fn disk_size(&self) -> heed::Result<u64> {
        self.env()?.real_disk_size()
    }
}

#[cfg(test)]
mod tests;
