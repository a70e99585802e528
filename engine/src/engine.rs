//! The engine: folder, queue, indexes and threads, opened and closed together.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use axum::Router;
use tokio::sync::Semaphore;

use crate::EngineError;
use crate::http::{self, Access, Keys};
use crate::index::apply::Indexer;
use crate::index::registry::{self, Registry};
use crate::index::{DATA_FILE, store_file};
use crate::options::EngineOptions;
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
}

impl Engine {
    /// Opens the engine in `options.path`, creating it when there is none, and resumes unfinished tasks.
    ///
    /// # Errors
    /// When the folder can't be used, belongs to another process, or holds an index that can't be read.
    pub fn open(options: EngineOptions) -> Result<Self, EngineError> {
        let folder_lock = lock_folder(&options.path)?;
        let indexes = options.path.join("indexes");
        let queue = Arc::new(open_queue(&options, &indexes)?);
        let registry = Arc::new(Registry::open(&indexes, options.slots(), &queue)?);
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
        for thread in threads {
            if thread.join().is_err() {
                tracing::error!("a thread of the search engine panicked");
            }
        }
        self.shared.registry.close();
        self.shared.queue.close();
        lock(&self.folder_lock).take();
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

fn open_queue(options: &EngineOptions, indexes: &Path) -> Result<Queue, EngineError> {
    let path = options.path.join("tasks");
    std::fs::create_dir_all(&path).map_err(EngineError::folder(&path))?;
    let store = path.join(DATA_FILE);
    match store_file::check(&store) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // A new queue would take every index for a left-over of a crash and remove it.
            if !registry::folders(indexes).map_err(EngineError::folder(indexes))?.is_empty() {
                return Err(EngineError::NoQueue { path, indexes: indexes.to_owned() });
            }
        }
        Err(error) => return Err(EngineError::Queue { path, cause: error.into() }),
    }
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
