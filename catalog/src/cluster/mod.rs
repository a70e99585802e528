//! Embedded Postgres, started in the data folder when `database.url` is not set.
//!
//! It listens only on a Unix socket, runs as an unprivileged user if Lantern runs as root, shuts down with Lantern, and
//! cleans up after a `kill -9` of either process. A lock next to the data folder keeps a second Lantern out. Any
//! Postgres found in the folder while the lock is held is therefore left over from a crash and may be stopped.

mod account;
mod binaries;
mod initdb;
mod orphans;
mod process;
mod roles;

use std::{
    fs::File,
    future::pending,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::{Error, Result};
pub use account::SystemUser;
use process::{Launch, Server};

/// The address of a Unix socket can have 107 bytes. Postgres appends this name to the folder.
const SOCKET_FOLDER_MAX: usize = 107 - "/.s.PGSQL.5432".len();

/// Options for running a cluster.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Whether the data survives a crash. `false` trades this for speed and is for tests only.
    pub durable: bool,
    /// Whether the server keeps running after this process exits. All tests share such a cluster.
    pub detached: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { durable: true, detached: false }
    }
}

/// A running Postgres server. It stops when [`Cluster::stop`] is called or the last handle is dropped, but only
/// [`Cluster::stop`] reports errors. Clones are handles to the same server.
#[derive(Debug, Clone)]
pub struct Cluster(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    server: Mutex<Server>,
    url: String,
    setup_url: String,
    dir: PathBuf,
    socket: PathBuf,
    options: Options,
    // The drop order matters: the socket folder is dropped after the server, and the lock last.
    _socket_folder: Option<TempDir>,
    _lock: File,
}

impl Cluster {
    /// Starts the cluster in `dir`, creating it if needed, and returns once it accepts queries.
    ///
    /// # Errors
    /// [`Error::Cluster`] with a message for the operator, if there are no binaries, the folder is in use, or the
    /// server failed to start. In the last case, the message has the end of the server's log.
    pub async fn start(dir: &Path) -> Result<Self> {
        Self::begin(dir, Options::default(), &CancellationToken::new()).await
    }

    /// Starts the cluster like [`Cluster::start`], with options.
    pub async fn start_with(dir: &Path, options: Options) -> Result<Self> {
        Self::begin(dir, options, &CancellationToken::new()).await
    }

    /// Starts the cluster like [`Cluster::start`], but aborts once `stop` is canceled.
    pub async fn start_until(dir: &Path, stop: &CancellationToken) -> Result<Self> {
        Self::begin(dir, Options::default(), stop).await
    }

    async fn begin(dir: &Path, options: Options, stop: &CancellationToken) -> Result<Self> {
        let (dir, stop) = (dir.to_path_buf(), stop.clone());
        let cluster = tokio::task::spawn_blocking(move || Self::open(&dir, options, &stop))
            .await
            .map_err(|e| Error::Cluster(format!("starting Postgres was interrupted: {e}")))??;
        roles::ensure(&cluster.0.socket).await?;
        Ok(cluster)
    }

    fn open(dir: &Path, options: Options, stop: &CancellationToken) -> Result<Self> {
        std::fs::create_dir_all(dir).map_err(Error::io(dir))?;
        let dir = dir.canonicalize().map_err(Error::io(dir))?;
        let lock = lock(&dir)?;
        orphans::stop_server(&dir, stop)?;
        orphans::remove_socket_folder(&dir);
        let account = SystemUser::for_folder(&dir)?;
        initdb::ensure(&dir, &binaries::find(&dir)?, &account, options.durable)?;
        let socket_folder = socket_folder(&account)?;
        orphans::record_socket_folder(&dir, socket_folder.path())?;
        let socket = socket_folder.path().to_owned();
        let server = launch(&dir, &socket, options, stop)?;
        let url = roles::address(&socket, roles::APPLICATION, roles::DATABASE);
        let setup_url = roles::address(&socket, roles::SETUP, roles::DATABASE);
        let socket_folder = if options.detached {
            let _kept = socket_folder.keep();
            None
        } else {
            Some(socket_folder)
        };
        let server = Mutex::new(server);
        let inner = Inner { server, url, setup_url, dir, socket, options, _socket_folder: socket_folder, _lock: lock };
        Ok(Self(Arc::new(inner)))
    }

    /// Returns the URL with which [`crate::connect`] connects as the application role, which can only read and write
    /// rows.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.0.url
    }

    /// Returns the URL with which [`crate::connect`] connects as the role that owns the database, for migrations and
    /// demo data.
    #[must_use]
    pub fn setup_url(&self) -> &str {
        &self.0.setup_url
    }

    /// Returns the process id of the server.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.0.server().pid()
    }

    /// Waits until the server exits on its own and returns its exit status. Never returns if the server is detached,
    /// nor after [`Cluster::stop`].
    pub async fn ended(&self) -> String {
        let ended = self.0.server().ended();
        if let Some(mut ended) = ended
            && let Ok(status) = ended.wait_for(Option::is_some).await
        {
            return status.clone().unwrap_or_default();
        }
        pending().await
    }

    /// Restarts the server at the same addresses if it has exited. Aborts once `stop` is canceled. Leftovers of the
    /// earlier server are removed first: its backends and the shared memory they use.
    ///
    /// # Errors
    /// The same errors as in [`Cluster::start`].
    pub async fn ensure_running(&self, stop: &CancellationToken) -> Result<()> {
        let (cluster, stop) = (Arc::clone(&self.0), stop.clone());
        tokio::task::spawn_blocking(move || {
            let mut server = cluster.server();
            if server.is_running() {
                return Ok(());
            }
            orphans::stop_server(&cluster.dir, &stop)?;
            orphans::remove_socket(&cluster.socket)?;
            *server = launch(&cluster.dir, &cluster.socket, cluster.options, &stop)?;
            Ok(())
        })
        .await
        .map_err(|e| Error::Cluster(format!("starting Postgres was interrupted: {e}")))?
    }

    /// Shuts the server down in fast mode, which disconnects clients and writes a checkpoint, and waits for the process
    /// to exit. It is not an error if the process has already exited.
    ///
    /// # Errors
    /// [`Error::Cluster`] if the server did not exit within 20 s and was killed.
    pub async fn stop(self) -> Result<()> {
        tokio::task::spawn_blocking(move || self.0.server().stop(Duration::from_secs(20)))
            .await
            .map_err(|e| Error::Cluster(format!("stopping Postgres was interrupted: {e}")))?
    }
}

impl Inner {
    fn server(&self) -> MutexGuard<'_, Server> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn launch(dir: &Path, socket: &Path, options: Options, stop: &CancellationToken) -> Result<Server> {
    let (account, binaries) = (SystemUser::for_folder(dir)?, binaries::find(dir)?);
    Server::launch(&Launch { dir, binaries: &binaries, account: &account, socket_folder: socket, options, stop })
}

/// Locks the data folder for as long as the cluster is running. The kernel releases the lock no matter how the process
/// ends.
fn lock(dir: &Path) -> Result<File> {
    let path = beside(dir, "lock");
    let file = File::create(&path).map_err(Error::io(&path))?;
    file.try_lock().map_err(|e| match e {
        std::fs::TryLockError::WouldBlock => Error::Cluster(format!(
            "another Lantern is running with the data folder {}; stop it or choose another data_dir",
            dir.display()
        )),
        std::fs::TryLockError::Error(source) => Error::Io { path, source },
    })?;
    Ok(file)
}

/// Returns the path of a file next to the data folder. The file can't be in the folder, because `initdb` needs that to
/// be empty.
fn beside(dir: &Path, extension: &str) -> PathBuf {
    let mut name = dir.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    name.push(extension);
    dir.with_file_name(name)
}

/// Creates a private folder for the socket. Its path is short enough for the socket's address, and the server's user
/// can reach it.
fn socket_folder(account: &SystemUser) -> Result<TempDir> {
    let system = tempfile::env::temp_dir();
    let fits = system.as_os_str().len() + "/lantern-pg-XXXXXX".len() <= SOCKET_FOLDER_MAX;
    let parent = if fits && !account.switches_user() { system } else { PathBuf::from("/tmp") };
    let folder = tempfile::Builder::new()
        .prefix(orphans::SOCKET_PREFIX)
        .permissions(std::fs::Permissions::from_mode(0o700))
        .tempdir_in(&parent)
        .map_err(Error::io(parent))?;
    account.chown(folder.path())?;
    Ok(folder)
}
