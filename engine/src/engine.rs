//! The engine: its folder, queue, indexes and threads, which are opened and closed together.

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

/// An open search engine. Clones share one engine, which closes on [`Engine::shutdown`] or when the last clone is dropped.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// Lock that keeps out other processes. It is released when the engine closes.
    folder_lock: Mutex<Option<File>>,
    marker: Marker,
}

impl Engine {
    /// Opens the engine in `options.path`, creating it if missing, and resumes unfinished tasks. A damaged index is quarantined
    /// ([`Engine::damages`]) and loses its name until it is created again. If the task queue is damaged, all indexes are lost with it.
    ///
    /// # Errors
    /// Fails if the folder is unusable or locked by another process.
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

    /// Returns the Meilisearch protocol, protected by `keys`.
    pub fn router(&self, keys: Keys) -> Router {
        http::router(Arc::clone(&self.inner.shared), Access::Keys(Arc::new(keys)))
    }

    /// Returns the protocol without authentication, so every caller has all rights.
    pub fn trusted_router(&self) -> Router {
        http::router(Arc::clone(&self.inner.shared), Access::Trusted)
    }

    /// Lists quarantined stores, oldest first. There are at most `options.quarantine`.
    ///
    /// # Errors
    /// Fails if the folder cannot be read.
    pub fn damages(&self) -> Result<Vec<Damage>, EngineError> {
        let registry = &self.inner.shared.registry;
        registry.quarantine().list().map_err(EngineError::folder(registry.folder()))
    }

    /// Closes the engine. The running batch is finished, or aborted if it can safely run again. Running searches end, and later requests
    /// are refused. The folder can be reopened afterwards.
    pub async fn shutdown(self) {
        let inner = Arc::clone(&self.inner);
        if let Err(error) = tokio::task::spawn_blocking(move || inner.close()).await {
            tracing::error!(%error, "the search engine failed to shut down cleanly");
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
                tracing::error!("a search engine thread panicked");
                in_order = false;
            }
        }
        let mut folders = self.shared.registry.close();
        folders.extend(self.shared.queue.close());
        self.seal(&folders);
        if in_order && let Err(error) = self.marker.remove() {
            tracing::warn!(%error, "can't remove the open marker; the next start will assume a crash");
        }
        lock(&self.folder_lock).take();
    }

    /// Seals the closed stores. Those left when the time limit is reached stay unsealed.
    fn seal(&self, folders: &[PathBuf]) {
        let deadline = Instant::now() + self.shared.options.seal_time;
        for folder in folders {
            match store_file::seal(folder, deadline) {
                Ok(true) => {}
                Ok(false) => tracing::info!(path = %folder.display(), "no time left to seal an index"),
                Err(error) => tracing::warn!(%error, path = %folder.display(), "can't seal an index"),
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

/// Opens the task queue. It holds the index names, so a damaged queue is quarantined together with all indexes.
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
            (!unnamed.is_empty()).then(|| "the task queue, which holds the index names, is missing".to_owned())
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
