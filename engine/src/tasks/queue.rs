//! The durable queue: one LMDB environment with the tasks, their payloads and the names of the indexes, so that finishing a
//! task and swapping names is one transaction. A commit is synced to disk before it returns.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, RwLock};

use milli_core::heed::types::{Bytes, SerdeJson, Str, U32};
use milli_core::heed::{self, Database, Env, EnvOpenOptions, RoTxn, RwTxn, WithoutTls, byteorder::BE};
use time::OffsetDateTime;
use uuid::Uuid;

use super::batch::{self, Limits};
use super::{NewTask, Status, Task, TaskId};
use crate::sync::{lock, read, write};

type Counter = U32<BE>;

/// The queue on disk and its waiting part in memory.
pub struct Queue {
    /// `None` once closed.
    env: RwLock<Option<Env<WithoutTls>>>,
    tasks: Database<Counter, SerdeJson<Task>>,
    payloads: Database<Counter, Bytes>,
    indexes: Database<Str, SerdeJson<Uuid>>,
    counters: Database<Str, Counter>,
    state: Mutex<State>,
    changed: Condvar,
    /// Asks the running batch to give up, so that a cancelation can be handled.
    pub abort: AtomicBool,
    caps: Caps,
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
    running: Option<Running>,
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
    Store(#[from] heed::Error),
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
        let queue = Self {
            tasks: env.create_database(&mut txn, Some("tasks"))?,
            payloads: env.create_database(&mut txn, Some("payloads"))?,
            indexes: env.create_database(&mut txn, Some("indexes"))?,
            counters: env.create_database(&mut txn, Some("counters"))?,
            state: Mutex::default(),
            changed: Condvar::new(),
            abort: AtomicBool::new(false),
            caps,
            env: RwLock::new(Some(env.clone())),
        };
        txn.commit()?;
        queue.resume()?;
        Ok(queue)
    }

    fn resume(&self) -> heed::Result<()> {
        let txn = self.read()?;
        let mut state = lock(&self.state);
        for entry in self.tasks.iter(&txn)? {
            let (_, task) = entry?;
            if !task.status.is_final() {
                state.waiting_bytes += task.payload_bytes;
                state.waiting.push_back(task);
            }
        }
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

    /// A read transaction on the queue.
    pub fn read(&self) -> heed::Result<RoTxn<'static, WithoutTls>> {
        self.env()?.static_read_txn()
    }

    /// Stores `new` durably in one transaction, in order. Each gets its own answer; none is stored when the commit fails.
    pub fn accept(&self, new: Vec<NewTask>) -> Vec<Result<Task, Refused>> {
        let count = new.len();
        match self.store(new) {
            Ok(answers) => answers,
            Err(error) => {
                let message = error.to_string();
                let again = || heed::Error::Io(std::io::Error::other(message.clone()));
                let rest = (1..count).map(|_| Err(Refused::Store(again()))).collect::<Vec<_>>();
                std::iter::once(Err(Refused::Store(error))).chain(rest).collect()
            }
        }
    }

    fn store(&self, new: Vec<NewTask>) -> heed::Result<Vec<Result<Task, Refused>>> {
        let (mut waiting, mut bytes) = {
            let state = lock(&self.state);
            if state.stop {
                return Ok(new.iter().map(|_| Err(Refused::Closed)).collect());
            }
            (state.waiting.len(), state.waiting_bytes)
        };
        let env = self.env()?;
        let mut txn = env.write_txn()?;
        let mut uid = self.counters.get(&txn, "task")?.unwrap_or(0);
        let mut answers = Vec::with_capacity(new.len());
        for new in new {
            let size = new.payload.as_ref().map_or(0, bytes::Bytes::len);
            let room = waiting < self.caps.waiting_tasks && bytes.saturating_add(size) <= self.caps.waiting_bytes;
            // A cancelation must get through a full queue: it is what empties it.
            if !room && !matches!(new.kind, super::Kind::TaskCancelation { .. } | super::Kind::TaskDeletion { .. }) {
                answers.push(Err(Refused::Full(waiting)));
                continue;
            }
            let task = enqueued(uid, new.index_uid, new.kind, size);
            self.tasks.put(&mut txn, &uid, &task)?;
            if let Some(payload) = &new.payload {
                self.payloads.put(&mut txn, &uid, payload)?;
            }
            (uid, waiting, bytes) = (uid + 1, waiting + 1, bytes + size);
            answers.push(Ok(task));
        }
        self.counters.put(&mut txn, "task", &uid)?;
        txn.commit()?;
        let mut state = lock(&self.state);
        for task in answers.iter().flatten() {
            state.waiting_bytes += task.payload_bytes;
            state.waiting.push_back(task.clone());
        }
        drop(state);
        self.changed.notify_all();
        Ok(answers)
    }

    /// Waits for work and marks it as running; `None` once the queue is stopped.
    pub fn next_batch(&self, limits: Limits) -> Option<(Running, Vec<Task>)> {
        let mut state = lock(&self.state);
        loop {
            if state.stop {
                return None;
            }
            let uids = batch::next(&state.waiting, limits);
            if uids.is_empty() {
                state = self.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
                continue;
            }
            self.abort.store(false, Ordering::Relaxed);
            let tasks: Vec<Task> =
                state.waiting.iter().filter(|t| uids.binary_search(&t.uid).is_ok()).cloned().collect();
            let running = Running {
                batch_uid: uids[0],
                started_at: OffsetDateTime::now_utc(),
                uids,
                index_uid: tasks.first().and_then(|task| task.index_uid.clone()),
            };
            state.running = Some(running.clone());
            return Some((running, tasks));
        }
    }

    /// Puts the running batch back: it will be picked again.
    pub fn give_back(&self) {
        lock(&self.state).running = None;
    }

    /// Writes the outcome of `tasks` and whatever `also` changes in one durable transaction, and forgets their payloads.
    pub fn finish(
        &self,
        tasks: &[Task],
        also: impl FnOnce(&mut RwTxn<'_>, &Self) -> heed::Result<()>,
    ) -> heed::Result<()> {
        let env = self.env()?;
        let mut txn = env.write_txn()?;
        also(&mut txn, self)?;
        for task in tasks {
            self.tasks.put(&mut txn, &task.uid, task)?;
            self.payloads.delete(&mut txn, &task.uid)?;
        }
        self.prune(&mut txn)?;
        txn.commit()?;
        let mut state = lock(&self.state);
        state.running = None;
        state.waiting.retain(|waiting| tasks.binary_search_by_key(&waiting.uid, |task| task.uid).is_err());
        state.waiting_bytes = state.waiting.iter().map(|task| task.payload_bytes).sum();
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// Drops the oldest finished tasks when the history is a tenth too long.
    fn prune(&self, txn: &mut RwTxn<'_>) -> heed::Result<()> {
        let stored = usize::try_from(self.tasks.len(txn)?).unwrap_or(usize::MAX);
        let waiting = lock(&self.state).waiting.len();
        let history = stored.saturating_sub(waiting);
        if history <= self.caps.history.saturating_add(self.caps.history / 10) {
            return Ok(());
        }
        let surplus = history - self.caps.history;
        let mut old = Vec::with_capacity(surplus);
        for entry in self.tasks.iter(txn)? {
            let (uid, task) = entry?;
            if task.status.is_final() {
                old.push(uid);
            }
            if old.len() == surplus {
                break;
            }
        }
        for uid in old {
            self.tasks.delete(txn, &uid)?;
        }
        Ok(())
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

    /// The task `uid`, as it is now.
    pub fn task(&self, txn: &RoTxn<'_>, uid: TaskId) -> heed::Result<Option<Task>> {
        let running = self.running();
        Ok(self.tasks.get(txn, &uid)?.map(|task| mark_running(task, running.as_ref())))
    }

    /// Tasks from the newest (or the oldest, with `oldest_first`).
    pub fn all<'t>(
        &self,
        txn: &'t RoTxn<'_>,
        oldest_first: bool,
    ) -> heed::Result<Box<dyn Iterator<Item = heed::Result<Task>> + 't>> {
        let running = self.running();
        let view = move |entry: heed::Result<(u32, Task)>| entry.map(|(_, task)| mark_running(task, running.as_ref()));
        Ok(if oldest_first {
            Box::new(self.tasks.iter(txn)?.map(view))
        } else {
            Box::new(self.tasks.rev_iter(txn)?.map(view))
        })
    }

    /// How many tasks are stored.
    pub fn len(&self, txn: &RoTxn<'_>) -> heed::Result<u64> {
        self.tasks.len(txn)
    }

    /// The payload of a waiting task.
    pub fn payload<'t>(&self, txn: &'t RoTxn<'_>, uid: TaskId) -> heed::Result<Option<&'t [u8]>> {
        self.payloads.get(txn, &uid)
    }

    /// Every index's name and folder.
    pub fn index_names(&self) -> heed::Result<Vec<(String, Uuid)>> {
        let txn = self.read()?;
        self.indexes.iter(&txn)?.map(|entry| entry.map(|(uid, folder)| (uid.to_owned(), folder))).collect()
    }

    /// Names `folder` as the index `uid`, or takes the name away.
    pub fn name_index(&self, txn: &mut RwTxn<'_>, uid: &str, folder: Option<Uuid>) -> heed::Result<()> {
        match folder {
            Some(folder) => self.indexes.put(txn, uid, &folder),
            None => self.indexes.delete(txn, uid).map(drop),
        }
    }

    /// Runs `change` in a durable transaction of its own.
    pub fn update(&self, change: impl FnOnce(&mut RwTxn<'_>, &Self) -> heed::Result<()>) -> heed::Result<()> {
        let env = self.env()?;
        let mut txn = env.write_txn()?;
        change(&mut txn, self)?;
        txn.commit()
    }

    /// Changes every stored task for which `change` answers true.
    pub fn rewrite(&self, txn: &mut RwTxn<'_>, change: impl Fn(&mut Task) -> bool) -> heed::Result<()> {
        let mut changed = Vec::new();
        for entry in self.tasks.iter(txn)? {
            let (uid, mut task) = entry?;
            if change(&mut task) {
                changed.push((uid, task));
            }
        }
        changed.iter().try_for_each(|(uid, task)| self.tasks.put(txn, uid, task))
    }

    /// Forgets a finished task; answers whether it was there.
    pub fn forget(&self, txn: &mut RwTxn<'_>, uid: TaskId) -> heed::Result<bool> {
        self.tasks.delete(txn, &uid)
    }

    /// Bytes used on disk.
    pub fn disk_size(&self) -> heed::Result<u64> {
        self.env()?.real_disk_size()
    }
}

fn enqueued(uid: TaskId, index_uid: Option<String>, kind: super::Kind, payload_bytes: usize) -> Task {
    Task {
        uid,
        batch_uid: None,
        index_uid,
        status: Status::Enqueued,
        kind,
        canceled_by: None,
        error: None,
        enqueued_at: OffsetDateTime::now_utc(),
        started_at: None,
        finished_at: None,
        payload_bytes,
    }
}

/// The disk says "enqueued" until a batch is done; who is in the running batch is known in memory only.
fn mark_running(mut task: Task, running: Option<&Running>) -> Task {
    if let Some(running) = running
        && !task.status.is_final()
        && running.uids.binary_search(&task.uid).is_ok()
    {
        task.status = Status::Processing;
        task.started_at = Some(running.started_at);
        task.batch_uid = Some(running.batch_uid);
    }
    task
}
