//! The durable queue: tasks, their payloads and the names of the indexes in one LMDB environment, so that finishing a task
//! and swapping names is one transaction; before it, a journal that takes small writes with one sync each.
//!
//! A task is *unsaved* while the journal alone has it. It moves to LMDB when it is finished, or with all others when the
//! journal has no room or a task is deleted: then LMDB takes over everything and the journal begins anew.

mod accept;
mod outcome;
mod pick;
mod read;

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, RwLock};
use std::time::Instant;

use milli_core::heed::types::{Bytes, SerdeJson, Str, U32};
use milli_core::heed::{self, Database, Env, EnvOpenOptions, WithoutTls, byteorder::BE};
use time::OffsetDateTime;
use uuid::Uuid;

use super::journal::{Entry, Journal};
use super::{Task, TaskId};
use crate::sync::{lock, read, write};

pub use pick::Work;

type Counter = U32<BE>;

/// Number the next task gets, as far as LMDB knows.
const TASK: &str = "task";
/// Epoch of the journal's records that count.
const EPOCH: &str = "journal";

/// The queue on disk and its waiting part in memory.
pub struct Queue {
    folder: PathBuf,
    /// `None` once closed.
    env: RwLock<Option<Env<WithoutTls>>>,
    tasks: Database<Counter, SerdeJson<Task>>,
    payloads: Database<Counter, Bytes>,
    indexes: Database<Str, SerdeJson<Uuid>>,
    counters: Database<Str, Counter>,
    /// Taken before an LMDB transaction, and that before `state`.
    door: Mutex<Door>,
    state: Mutex<State>,
    changed: Condvar,
    /// Asks the running batch to give up, so that a cancelation can be handled.
    pub abort: AtomicBool,
    caps: Caps,
}

/// Where new tasks come in.
struct Door {
    journal: Journal,
    next_uid: TaskId,
}

/// What the queue holds at most.
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
    /// The waiting tasks LMDB doesn't have. Shared with readers, copied when it changes under them.
    unsaved: Arc<BTreeMap<TaskId, Arc<Entry>>>,
    running: Option<Running>,
    /// When the newest task came, if another of its index was unfinished then.
    crowded_at: Option<Instant>,
    /// Whether the writer waits for a first task.
    asleep: bool,
    stop: bool,
}

/// The batch the writer is at.
#[derive(Clone)]
pub struct Running {
    pub batch_uid: u32,
    pub started_at: OffsetDateTime,
    pub uids: Vec<TaskId>,
    pub index_uid: Option<String>,
}

/// Why a task was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("the task queue is full: {0} tasks are waiting")]
    Full(usize),
    #[error("the task queue can't be written: {0}")]
    Store(Arc<heed::Error>),
    #[error("the engine is shutting down")]
    Closed,
}

impl Queue {
    /// Opens or creates the queue in `path`; everything unfinished is waiting again.
    pub fn open(path: &Path, map_size: usize, max_readers: u32, caps: Caps) -> heed::Result<Self> {
        let mut options = EnvOpenOptions::new().read_txn_without_tls();
        options.map_size(map_size).max_dbs(4).max_readers(max_readers);
        #[expect(
            unsafe_code,
            reason = "LMDB maps the file; the engine's folder lock keeps other processes away from it"
        )]
        // SAFETY: the folder is locked by this process and opened once; nothing else truncates the file.
        let env = unsafe { options.open(path)? };
        let mut txn = env.write_txn()?;
        let tasks = env.create_database(&mut txn, Some("tasks"))?;
        let payloads = env.create_database(&mut txn, Some("payloads"))?;
        let indexes = env.create_database(&mut txn, Some("indexes"))?;
        let counters: Database<Str, Counter> = env.create_database(&mut txn, Some("counters"))?;
        let epoch = counters.get(&txn, EPOCH)?;
        let (journal, entries) = Journal::open(&path.join("journal"), epoch)?;
        counters.put(&mut txn, EPOCH, &journal.epoch())?;
        let next_uid = counters.get(&txn, TASK)?.unwrap_or(0);
        txn.commit()?;
        let queue = Self {
            folder: path.to_owned(),
            tasks,
            payloads,
            indexes,
            counters,
            door: Mutex::new(Door { journal, next_uid }),
            state: Mutex::default(),
            changed: Condvar::new(),
            abort: AtomicBool::new(false),
            caps,
            env: RwLock::new(Some(env)),
        };
        queue.resume(entries)?;
        Ok(queue)
    }

    /// Takes up what LMDB and the journal say is unfinished.
    fn resume(&self, entries: Vec<Entry>) -> heed::Result<()> {
        let txn = self.read()?;
        let mut door = lock(&self.door);
        let mut state = lock(&self.state);
        for entry in self.tasks.iter(&txn)? {
            let (_, task) = entry?;
            if !task.status.is_final() {
                state.waiting.push_back(task);
            }
        }
        let unsaved = Arc::make_mut(&mut state.unsaved);
        for entry in entries {
            let uid = entry.task.uid;
            door.next_uid = door.next_uid.max(uid + 1);
            // LMDB has it only if it is finished.
            if self.tasks.get(&txn, &uid)?.is_none() {
                unsaved.insert(uid, Arc::new(entry));
            }
        }
        let unsaved: Vec<Task> = state.unsaved.values().map(|entry| entry.task.clone()).collect();
        state.waiting.extend(unsaved);
        state.waiting_bytes = state.waiting.iter().map(|task| task.payload_bytes).sum();
        Ok(())
    }

    /// Closes the files once every reader is gone; everything fails from here on.
    pub fn close(&self) {
        if let Some(env) = write(&self.env).take() {
            env.prepare_for_closing().wait();
        }
    }

    fn env(&self) -> heed::Result<Env<WithoutTls>> {
        read(&self.env).clone().ok_or_else(|| heed::Error::Io(std::io::Error::other("the task queue is closed")))
    }

    /// No further work is handed out or taken.
    pub fn stop(&self) {
        lock(&self.state).stop = true;
        self.abort.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether [`Queue::stop`] was called.
    pub fn stopped(&self) -> bool {
        lock(&self.state).stop
    }

    /// The batch being written, if any.
    pub fn running(&self) -> Option<Running> {
        lock(&self.state).running.clone()
    }

    /// Bytes used on disk.
    pub fn disk_size(&self) -> heed::Result<u64> {
        Ok(self.env()?.real_disk_size()? + lock(&self.door).journal.size())
    }
}

#[cfg(test)]
mod tests;
