//! The engine: folder, queue, indexes and threads, opened and closed together.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;

use axum::Router;
use tokio::sync::Semaphore;

use crate::EngineError;
use crate::http::{self, Access, Keys};
use crate::index::apply::Indexer;
use crate::index::registry::{self, Registry};
use crate::index::store_file::{self, Content};
use crate::marker::Marker;
use crate::options::EngineOptions;
use crate::quarantine::{self, Damage, Quarantine};
use crate::shared::Shared;
use crate::sync::{lock, sync_folder};
use crate::tasks::batch::Limits;
use crate::tasks::intake::Intake;
use crate::tasks::queue::{Caps, Queue};
use crate::tasks::writer::{Compaction, Writer};

/// An open search engine. Clones are the same engine; it closes with [`Engine::shutdown`] or when the last clone goes.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// Keeps other processes off the folder; released when the engine is closed.
    folder_lock: Mutex<Option<File>>,
    marker: Marker,
}

impl Engine {
    /// Opens the engine in `options.path`, creating it when there is none, and resumes unfinished tasks. A damaged index is moved
    /// aside ([`Engine::damages`]) and has no name until it is created again; a damaged task queue takes all indexes with it.
    ///
    /// # Errors
    /// When the folder can't be used, or belongs to another process.
    pub fn open(options: EngineOptions) -> Result<Self, EngineError> {
        let folder_lock = lock_folder(&options.path)?;
        let marker = Marker::leave(&options.path).map_err(EngineError::folder(&options.path))?;
        let aside = Arc::new(Quarantine::new(options.path.join(quarantine::FOLDER), options.quarantine));
        let indexes = options.path.join("indexes");
        let queue = Arc::new(open_queue(&options, &indexes, &aside, marker.after_crash)?);
        let registry = Registry::open(&indexes, options.slots(), &queue, aside, marker.after_crash)?;
        let registry = Arc::new(registry);
        let indexer = Indexer::new(options.threads(), options.indexing_priority, options.indexing_memory)
            .map_err(EngineError::Thread)?;
        let thread = |error: std::io::Error| EngineError::Thread(error.to_string());
        let (intake, intake_thread) = Intake::start(Arc::clone(&queue)).map_err(thread)?;
        let writer = Writer {
            queue: Arc::clone(&queue),
            registry: Arc::clone(&registry),
            indexer,
            limits: Limits {
                tasks: options.max_batch_tasks,
                documents: options.max_batch_documents as u64,
                bytes: options.max_batch_bytes,
            },
            compaction: Compaction { after: options.compact_after, min_free: options.compact_min_free },
            suspect_pause: options.suspect_pause,
        };
        let writer_thread =
            std::thread::Builder::new().name("engine-writer".into()).spawn(move || writer.run()).map_err(thread)?;
        let shared =
            Shared { search_places: Arc::new(Semaphore::new(options.search_queue)), queue, registry, intake, options };
        Ok(Self {
            inner: Arc::new(Inner {
                shared: Arc::new(shared),
                threads: Mutex::new(vec![intake_thread, writer_thread]),
                folder_lock: Mutex::new(Some(folder_lock)),
                marker,
            }),
        })
    }

    /// The Meilisearch protocol, guarded by `keys`.
    pub fn router(&self, keys: Keys) -> Router {
        http::router(Arc::clone(&self.inner.shared), Access::Keys(Arc::new(keys)))
    }

    /// The protocol without keys: whoever has the router has every right.
    pub fn trusted_router(&self) -> Router {
        http::router(Arc::clone(&self.inner.shared), Access::Trusted)
    }

    /// What was damaged and moved aside, the oldest first; `options.quarantine` of them at most.
    ///
    /// # Errors
    /// When the folder can't be read.
    pub fn damages(&self) -> Result<Vec<Damage>, EngineError> {
        let registry = &self.inner.shared.registry;
        registry.quarantine().list().map_err(EngineError::folder(registry.folder()))
    }

    /// Closes the engine: the running batch is finished (or given up where that is safe, to run again), running searches end,
    /// later requests are refused. The folder can be opened again afterwards.
    pub async fn shutdown(self) {
        let inner = Arc::clone(&self.inner);
        if let Err(error) = tokio::task::spawn_blocking(move || inner.close()).await {
            tracing::error!(%error, "the search engine didn't close in order");
        }
    }
}

impl Inner {
    fn close(&self) {
        let threads = std::mem::take(&mut *lock(&self.threads));
        if threads.is_empty() {
            return;
        }
        self.shared.queue.stop();
        self.shared.intake.close();
        let mut in_order = true;
        for thread in threads {
            if thread.join().is_err() {
                tracing::error!("a thread of the search engine panicked");
                in_order = false;
            }
        }
        let mut folders = self.shared.registry.close();
        folders.extend(self.shared.queue.close());
        self.seal(&folders);
        if in_order && let Err(error) = self.marker.remove() {
            tracing::warn!(%error, "the next start takes this one's end for a crash");
        }
        lock(&self.folder_lock).take();
    }

    /// Seals what is closed, as far as there is time.
    fn seal(&self, folders: &[PathBuf]) {
        let deadline = Instant::now() + self.shared.options.seal_time;
        for folder in folders {
            match store_file::seal(folder, deadline) {
                Ok(true) => {}
                Ok(false) => tracing::info!(path = %folder.display(), "no time is left to seal an index"),
                Err(error) => tracing::warn!(%error, path = %folder.display(), "an index can't be sealed"),
            }
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close();
    }
}

fn lock_folder(path: &Path) -> Result<File, EngineError> {
    std::fs::create_dir_all(path).map_err(EngineError::folder(path))?;
    let name = path.join("engine.lock");
    let file =
        File::options().create(true).truncate(false).write(true).open(&name).map_err(EngineError::folder(&name))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(EngineError::Locked(path.to_owned())),
        Err(TryLockError::Error(source)) => Err(EngineError::Folder { path: name, source }),
    }
}

/// Opens the task queue. It names the indexes, so a damaged one is moved aside together with them.
fn open_queue(
    options: &EngineOptions,
    indexes: &Path,
    quarantine: &Quarantine,
    after_crash: bool,
) -> Result<Queue, EngineError> {
    let path = options.path.join("tasks");
    let damage = match store_file::check(&path, Content::Tasks, after_crash) {
        Ok(()) => None,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let unnamed = registry::folders(indexes).map_err(EngineError::folder(indexes))?;
            (!unnamed.is_empty()).then(|| "the task queue, which names the indexes, is missing".to_owned())
        }
        Err(error) if store_file::is_damage(&error) => Some(format!("the task queue: {error}")),
        Err(error) => return Err(EngineError::Queue { path, cause: error.into() }),
    };
    if let Some(reason) = damage {
        quarantine.take(None, &[&path, indexes], &reason).map_err(EngineError::folder(&path))?;
    }
    std::fs::create_dir_all(&path).map_err(EngineError::folder(&path))?;
    let caps = Caps {
        waiting_tasks: options.max_waiting_tasks,
        waiting_bytes: options.max_waiting_bytes,
        history: options.max_task_history,
    };
    let queue = Queue::open(&path, options.queue_map_size, options.max_readers, caps)
        .map_err(|cause| EngineError::Queue { path: path.clone(), cause })?;
    sync_folder(&path).and_then(|()| sync_folder(&options.path)).map_err(EngineError::folder(&path))?;
    Ok(queue)
}
