//! Foundation of every command: the data folder, Postgres and the search engine.

use std::{
    fs::{self, File, OpenOptions},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::Path,
    sync::Arc,
};

use anyhow::{Context, bail};
use lantern_api::{AppState, Parts};
use lantern_catalog::{changes::Changes, cluster::Cluster, tasks::Tasks};
use lantern_config::{Config, DataDir, Films, LimitStore, Mode, niceness};
use lantern_engine::{Engine, EngineOptions, Keys};
use lantern_http::health::Health;
use lantern_index::{SearchClient, Transport};
use lantern_indexer::Indexer;
use lantern_media::{
    confined::{Launcher, Rules},
    incoming::Incoming,
    links::Signer,
    pictures::Decoder,
    stores::Stores,
    tool::{Bounds, Tools},
    worker::Worker,
};
use lantern_ratelimit::Limits;
use lantern_site::{SiteState, WebApp};
use rand::RngCore;
use sqlx::PgPool;
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

use crate::{
    private,
    supervisor::{Role, Supervisor},
};

/// Number of connections for setup. Loading demo data uses two at once.
const SETUP_CONNECTIONS: u32 = 2;
/// Number of bytes in a generated key, which are 256 bits.
const KEY_BYTES: usize = 32;

/// The data folder, locked by this process.
pub struct Data {
    pub dir: DataDir,
    _lock: nix::fcntl::Flock<File>,
}

impl Data {
    /// Creates the folder if needed, and locks it.
    ///
    /// # Errors
    /// The folder can't be written to, or another Lantern is running on it.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        Self::open_if_free(path)?.with_context(|| {
            format!("another Lantern is running on {}; stop it or name another folder with --data-dir", path.display())
        })
    }

    /// Opens the folder like [`Data::open`], but returns `None` if another Lantern is running on it.
    pub fn open_if_free(path: &Path) -> anyhow::Result<Option<Self>> {
        fs::create_dir_all(path).with_context(|| format!("can't create the data folder {}", path.display()))?;
        let path = fs::canonicalize(path)?;
        private::restrict(&path)?;
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path.join("lock"))?;
        match nix::fcntl::Flock::lock(file, nix::fcntl::FlockArg::LockExclusiveNonblock) {
            Ok(lock) => Ok(Some(Self { dir: DataDir::new(&path), _lock: lock })),
            Err((_, nix::errno::Errno::EWOULDBLOCK)) => Ok(None),
            Err((_, errno)) => Err(errno).with_context(|| format!("can't lock {}", path.display())),
        }
    }
}

/// Reads the key in `path`. On first use, generates a random key that only this user can read.
pub fn key(path: &Path) -> anyhow::Result<String> {
    match fs::read_to_string(path) {
        Ok(key) if key.trim().len() >= lantern_config::SECRET_MIN => return Ok(key.trim().to_owned()),
        Ok(_) => bail!("{} is too short to be a key; remove it to get a new one", path.display()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    }
    let mut bytes = [0u8; KEY_BYTES];
    rand::rng().fill_bytes(&mut bytes);
    let key = hex::encode(bytes);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(key.as_bytes())?;
    file.sync_all()?;
    Ok(key)
}

/// Postgres, which is either the configured server or a built-in cluster in the data folder.
pub struct Database {
    /// Connections as the role that reads and writes rows.
    pub pool: PgPool,
    setup_url: String,
    cluster: Option<Cluster>,
}

impl Database {
    /// Connects and migrates the schema.
    pub async fn open(config: &Config, data: &DataDir) -> anyhow::Result<Self> {
        Self::open_until(config, data, &CancellationToken::new()).await
    }

    /// Opens the database like [`Database::open`], but aborts the start of the built-in cluster when `stop` is
    /// canceled.
    pub async fn open_until(config: &Config, data: &DataDir, stop: &CancellationToken) -> anyhow::Result<Self> {
        let (url, setup_url, cluster) = if config.database.url.is_empty() {
            let cluster = Cluster::start_until(&data.postgres(), stop).await?;
            fs::write(data.database_url(), cluster.url())?;
            (cluster.url().to_owned(), cluster.setup_url().to_owned(), Some(cluster))
        } else {
            let (url, setup_url) = (&config.database.url, &config.database.setup_url);
            (url.clone(), if setup_url.is_empty() { url } else { setup_url }.clone(), None)
        };
        let opening = async {
            let setup = lantern_catalog::connect(&setup_url, SETUP_CONNECTIONS).await?;
            lantern_catalog::migrate(&setup).await?;
            if setup_url != url {
                lantern_catalog::grant(&setup, &url).await?;
            }
            setup.close().await;
            anyhow::Ok(lantern_catalog::connect(&url, config.database.max_connections).await?)
        };
        let pool = stop.run_until_cancelled(opening).await.context("the start was interrupted").flatten();
        match pool {
            Ok(pool) => Ok(Self { pool, setup_url, cluster }),
            Err(error) => {
                if let Some(cluster) = cluster {
                    cluster.stop().await?;
                }
                Err(error)
            }
        }
    }

    /// Supervises the built-in cluster until `stop`. If the cluster exits, it is restarted at the same address.
    pub fn supervise(&self, supervisor: &Supervisor, stop: &CancellationToken) -> Option<Role> {
        Some(supervisor.start("postgres", stop, self.cluster.as_ref()?, |cluster, stop| async move {
            cluster.ensure_running(&stop).await?;
            tokio::select! {
                status = cluster.ended() => bail!("the built-in Postgres ended: {status}"),
                () = stop.cancelled() => Ok(()),
            }
        }))
    }

    /// Connects as the role that owns the catalog. Close the pool right after use.
    pub async fn setup(&self) -> anyhow::Result<PgPool> {
        Ok(lantern_catalog::connect(&self.setup_url, SETUP_CONNECTIONS).await?)
    }

    /// Closes the connections and stops the built-in cluster.
    pub async fn close(self) -> anyhow::Result<()> {
        self.pool.close().await;
        self.stop().await
    }

    /// Stops the built-in cluster. Its connections must already be closed.
    pub async fn stop(self) -> anyhow::Result<()> {
        if let Some(cluster) = self.cluster {
            cluster.stop().await?;
        }
        Ok(())
    }
}

/// Returns the URL of the running Lantern's database, for commands that connect to it.
pub fn running_database(config: &Config) -> anyhow::Result<String> {
    if !config.database.url.is_empty() {
        return Ok(config.database.url.clone());
    }
    let path = DataDir::new(&config.data_dir).database_url();
    fs::read_to_string(&path).with_context(|| format!("{} names no running Postgres", path.display()))
}

/// Runs `act` on the catalog of the running Lantern. If none is running, Postgres runs for the duration.
pub async fn with_catalog<T>(
    config: &Config,
    act: impl AsyncFnOnce(&PgPool) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    if let Some(data) = Data::open_if_free(&config.data_dir)? {
        let database = Database::open(config, &data.dir).await?;
        let outcome = act(&database.pool).await;
        database.close().await?;
        return outcome;
    }
    let pool = lantern_catalog::connect(&running_database(config)?, 1).await?;
    let outcome = act(&pool).await;
    pool.close().await;
    outcome
}

/// Returns the consumer name of the Lantern that is running on the data folder.
pub fn running_consumer(config: &Config) -> anyhow::Result<String> {
    lantern_indexer::noted(&DataDir::new(&config.data_dir).sled())
        .context("the running Lantern has not opened its search engine yet; try again in a moment")
}

/// Becomes the writer of the indexes. If another process is already writing them, returns the consumer name instead.
/// Otherwise returns `None`.
pub async fn written_elsewhere(indexer: &Indexer) -> anyhow::Result<Option<String>> {
    match indexer.join().await {
        Err(error) if error.is_superseded() => Ok(indexer.consumer().await),
        joined => Ok(joined.map(|_| None)?),
    }
}

/// The search engine, which is either embedded or a Meilisearch server.
pub struct Search {
    pub client: SearchClient,
    /// The embedded engine with its HTTP keys. `None` if a server is configured.
    pub embedded: Option<(Engine, Keys)>,
}

impl Search {
    /// Opens the engine, or checks that the configured server is healthy.
    ///
    /// # Errors
    /// The folder is damaged or locked by another process, or the server can't be reached.
    pub async fn open(config: &Config, data: &DataDir) -> anyhow::Result<Self> {
        if !config.search.url.is_empty() {
            let client = Transport::http(
                &config.search.url,
                Some(&config.search.key).filter(|key| !key.is_empty()).map(String::as_str),
            )?;
            client
                .health()
                .await
                .with_context(|| format!("the Meilisearch server at {} does not respond", config.search.url))?;
            return Ok(Self { client, embedded: None });
        }
        let master = key(&data.master_key())?;
        let keys = Keys::from_master(master);
        let engine = Engine::open(EngineOptions {
            initial_map_size: config.search.map_size,
            facet_memory: config.search.facet_memory,
            max_batch_bytes: config.search.batch_bytes,
            indexing_priority: Some(niceness::priority(config.search.indexing_niceness)),
            search_budget: std::time::Duration::from_millis(config.search.budget_ms),
            search_queue: config.search.queue,
            quarantine: config.search.quarantine,
            seal_time: std::time::Duration::from_secs(config.search.seal_seconds),
            ..EngineOptions::new(data.index())
        })?;
        Ok(Self { client: Transport::in_process(engine.trusted_router(), None), embedded: Some((engine, keys)) })
    }

    /// Waits for the batch that is being processed, and closes the index.
    pub async fn close(self) {
        if let Some((engine, _)) = self.embedded {
            engine.shutdown().await;
        }
    }
}

/// Opens the catalog and the engine, runs `act` with an indexer, and closes both.
pub async fn with_indexer<T>(
    config: &Arc<Config>,
    data: &Data,
    act: impl AsyncFnOnce(&Indexer) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let database = Database::open(config, &data.dir).await?;
    let search = Search::open(config, &data.dir).await?;
    let outcome = async {
        act(&Indexer::new(database.pool.clone(), search.client.clone(), config.clone(), &data.dir.sled())?).await
    }
    .await;
    search.close().await;
    database.close().await?;
    outcome
}

/// Returns the configured secret, or one that was generated in the data folder.
pub fn secret(config: &Config, dir: &DataDir) -> anyhow::Result<String> {
    if config.security.secret.is_empty() { key(&dir.secret_key()) } else { Ok(config.security.secret.clone()) }
}

/// Builds the site's state, its rate limits and its background tasks.
pub fn site(
    config: &Arc<Config>,
    data: &Data,
    database: &Database,
    search: &Search,
    changes: Changes,
    health: Arc<Health>,
) -> anyhow::Result<(SiteState, Arc<Limits>, Tasks)> {
    let secret = secret(config, &data.dir)?;
    let (path, clock) = (data.dir.sled().join("limits"), lantern_ratelimit::system_clock());
    let table = config.limits.clone().of(config.mode);
    let limits = Arc::new(match table.store {
        LimitStore::Local => Limits::open(&path, &table, &clock)?,
        LimitStore::Shared => Limits::open_shared(&path, &table, &clock, database.pool.clone())?,
    });
    let (app, tasks) = AppState::new(Parts {
        config: config.clone(),
        pool: database.pool.clone(),
        search: search.client.clone(),
        limits: limits.clone(),
        signer: Signer::new(secret.as_bytes()),
        media_root: data.dir.media(&config.media),
        upload_root: data.dir.uploads(&config.uploads),
        decoder: Decoder::this_program()?,
        changes,
        health,
        now: || OffsetDateTime::now_utc().unix_timestamp(),
    })?;
    Ok((SiteState::new(app, WebApp::embedded()?), limits, tasks))
}

/// Builds the worker that transcodes uploads.
pub fn worker(config: &Config, data: &DataDir, pool: &PgPool) -> anyhow::Result<Worker> {
    // The paths are absolute, because ffmpeg runs in a folder of its own.
    let [uploads, media] = [data.uploads(&config.uploads), data.media(&config.media)].map(std::path::absolute);
    let stores = Stores::new(config, media?, pool.clone())?;
    Ok(Worker::new(pool.clone(), Incoming::new(uploads?), stores, config, tools(config)?))
}

/// Builds the confined ffmpeg tools for untrusted films.
pub fn tools(config: &Config) -> anyhow::Result<Tools> {
    let films = &config.films;
    let Films { memory, probe_memory, file_bytes, max_pixels, max_seconds, lost_percent, .. } = *films;
    let full = config.mode == Mode::Production && !films.allow_weak_confinement;
    let launcher = Launcher::this_program(Rules { memory, probe_memory, file_bytes, full })?;
    let limit = std::time::Duration::from_secs(films.step_seconds);
    let bounds = Bounds { pixels: max_pixels, seconds: max_seconds, lost_percent };
    Ok(Tools::confined(launcher, limit).bounded(bounds))
}
