//! `lantern up`: runs every role in one process.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use anyhow::{Context, anyhow, bail};
use axum::Router;
use clap::Args;
use futures_util::FutureExt;
use lantern_catalog::{
    seed::is_demo,
    tasks::{Task, Tasks},
};
use lantern_config::{Config, Mode};
use lantern_http::health::Health;
use lantern_http::{preparing, server::Port};
use lantern_indexer::{Indexer, Readiness};
use lantern_monitor::Monitor;
use lantern_site::{Site, SiteState};
use tokio::{net::TcpListener, time::Instant};
use tokio_util::sync::CancellationToken;

use crate::{
    commands::{reindex, seed},
    files, monitor,
    progress::{Progress, say},
    schedule,
    shutdown::{self, Shutdown},
    stack::{self, Data, Database, Search},
    supervisor::{Role, Supervisor, finish},
    warm,
};

/// Interval at which indexes that another process is building are checked.
const POLL_EVERY: Duration = Duration::from_millis(300);

/// Time limit for the shutdown of Postgres, whose final writes can take a while.
const POSTGRES_STOP: Duration = Duration::from_secs(25);

/// Run everything in one process.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  lantern up\n  lantern up --port 0 --data-dir /var/lib/lantern")]
pub struct UpArgs {
    /// Port of the site; overrides `server.port`. 0 takes any free port.
    #[arg(long)]
    port: Option<u16>,
    /// Number of demo videos for an empty catalog in development mode.
    #[arg(long, default_value_t = seed::DEFAULT_VIDEOS)]
    seed_videos: u32,
    /// Also upload a few generated films to the demo, like `lantern seed --media`.
    #[arg(long)]
    seed_media: bool,
}

/// Starts all roles, serves until a signal arrives, and stops the roles in reverse order.
pub async fn run(mut config: Config, args: UpArgs) -> anyhow::Result<()> {
    if let Some(port) = args.port {
        config.server.port = port;
    }
    // Signals are handled from the beginning, so that an interrupted start stops what it has started.
    let signal = CancellationToken::new();
    watch_signals(signal.clone())?;
    files::raise_limit(config.server.connections);
    let port = Port::reserve(&config.server.host, config.server.port)
        .await
        .map_err(|error| describe(error, &config.server.host, config.server.port))?;
    config.server.port = port.address().port();
    let data = Data::open(&config.data_dir)?;
    let (config, health) = (Arc::new(config), Arc::new(Health::starting()));
    let node = Node {
        supervisor: Supervisor::new(&config.supervision, Arc::clone(&health)),
        monitor: Monitor::new(Arc::clone(&config), Arc::clone(&health)),
        config,
        health,
        args,
        data,
        signal,
    };
    let mut shutdown = Shutdown::default();
    let outcome = node.run(port, &mut shutdown).await;
    shutdown.outcome(outcome)
}

/// State shared by startup and shutdown.
struct Node {
    config: Arc<Config>,
    health: Arc<Health>,
    supervisor: Supervisor,
    monitor: Monitor,
    args: UpArgs,
    data: Data,
    /// Canceled by SIGINT and SIGTERM.
    signal: CancellationToken,
}

/// Each `with_*` method opens one part, runs the next part with it, and closes it. The methods return errors from the
/// startup. Later errors are collected in the `Shutdown`.
impl Node {
    /// Serves the monitor during the whole run.
    async fn run(&self, port: Port, shutdown: &mut Shutdown) -> anyhow::Result<()> {
        let (stop, mut roles) = (CancellationToken::new(), Vec::new());
        if let Some(listener) = monitor::listen(&self.config).await? {
            roles.push(start_router("monitor", listener, self.monitor.router(), &self.supervisor, &stop));
        }
        let outcome = self.with_database(port, shutdown).await;
        stop.cancel();
        shutdown.note_all(finish(roles, Instant::now() + self.flush_time()).await);
        outcome
    }

    async fn with_database(&self, port: Port, shutdown: &mut Shutdown) -> anyhow::Result<()> {
        let step = Progress::new("Postgres");
        let database = match Database::open_until(&self.config, &self.data.dir, &self.signal).await {
            Err(error) if self.signal.is_cancelled() => {
                tracing::info!("{error:#}");
                return Ok(());
            }
            opened => opened?,
        };
        step.done("ready");
        let stop = CancellationToken::new();
        let postgres = database.supervise(&self.supervisor, &stop);
        let outcome = self.with_search(&database, port, shutdown).await;
        shutdown::close(&database.pool, self.flush_time()).await;
        stop.cancel();
        shutdown.note_all(finish(postgres.into_iter().collect(), Instant::now() + self.flush_time()).await);
        shutdown.step("Postgres", POSTGRES_STOP, database.stop()).await;
        outcome
    }

    async fn with_search(&self, database: &Database, port: Port, shutdown: &mut Shutdown) -> anyhow::Result<()> {
        let Some(prepared) = self.signal.run_until_cancelled(self.prepare(database)).await else { return Ok(()) };
        prepared?;
        let step = Progress::new("Search engine");
        let opening = Search::open(&self.config, &self.data.dir);
        let Some(search) = self.signal.run_until_cancelled(opening).await else { return Ok(()) };
        let search = search?;
        step.done(if search.embedded.is_some() { "embedded" } else { "Meilisearch server" });
        let outcome = self.with_site(database, &search, port, shutdown).await;
        let closing = async {
            search.close().await;
            anyhow::Ok(())
        };
        // A batch that is interrupted here will be applied again at the next start.
        shutdown.step("search engine", self.grace(), closing).await;
        outcome
    }

    /// In development, loads demo data into an empty catalog. In production, fails if there is demo data.
    async fn prepare(&self, database: &Database) -> anyhow::Result<()> {
        let Self { config, args, data, .. } = self;
        match config.mode {
            Mode::Development => {
                seed::fill_if_empty(database, config.mode, args.seed_videos).await?;
                if is_demo(&database.pool).await? {
                    seed::render_media(&data.dir.media(&config.media)).await?;
                    if args.seed_media {
                        seed::upload(config, data, database).await?;
                    }
                }
            }
            Mode::Production if is_demo(&database.pool).await? => {
                bail!(
                    "this catalog holds the demo member, whose password is public; use another catalog in production mode"
                );
            }
            Mode::Production => {}
        }
        Ok(())
    }

    async fn with_site(
        &self,
        database: &Database,
        search: &Search,
        port: Port,
        shutdown: &mut Shutdown,
    ) -> anyhow::Result<()> {
        let (config, data, supervisor) = (&self.config, &self.data, &self.supervisor);
        let sled = data.dir.sled();
        let indexer = Indexer::new(database.pool.clone(), search.client.clone(), config.clone(), &sled)?;
        let entrance = self.signal.run_until_cancelled(make_ready(&indexer, port, config)).await;
        let Some(entrance) = entrance else { return Ok(()) };
        let entrance = entrance?;
        let (changes, health) = (indexer.changes(), Arc::clone(&self.health));
        let (state, limits, tasks) = stack::site(config, data, database, search, changes, health)?;
        let worker = stack::worker(config, &data.dir, &database.pool)?;
        let engine = listen_engine(config, search).await?;
        self.monitor.open(state.app.clone());

        // Writers write the index or the catalog and may end before pending requests do. Tasks serve both until the
        // end.
        let (stop, ended) = (CancellationToken::new(), CancellationToken::new());
        let mut writers = vec![
            supervisor.start("indexer", &stop, &indexer, |indexer, stop| async move {
                indexer.run(stop).await;
                Ok(())
            }),
            supervisor.start("index requests", &stop, &indexer, |indexer, stop| async move {
                indexer.serve_requests(stop).await;
                Ok(())
            }),
            supervisor.start("worker", &stop, &worker, |worker, stop| async move {
                worker.run(stop).await;
                Ok(())
            }),
        ];
        let (of_jobs, of_site, stop_jobs) = (indexer.clone(), state.clone(), stop.clone());
        let jobs = schedule::Site { indexer: of_jobs, state: of_site, limits: limits.clone(), stop: stop_jobs };
        writers.extend(schedule::start(jobs, supervisor));
        let listening = (indexer.changes(), database.pool.clone());
        let mut others = vec![supervisor.start("changes", &stop, &listening, |(changes, pool), stop| async move {
            changes.follow(&pool, stop).await;
            Ok(())
        })];
        if let Some((listener, router)) = engine {
            others.push(start_router("engine listener", listener, router, supervisor, &stop));
        }
        let tasks = start_tasks(tasks, supervisor, &ended);

        match self.serve(&state, entrance, &stop).await {
            Ok(server) => others.extend(server),
            Err(error) => shutdown.note(Err(error)),
        }
        stop.cancel();
        let deadline = Instant::now() + self.grace();
        shutdown.note_all(finish(writers, deadline).await);
        let resigning = shutdown.step("lease of the index", self.flush_time(), indexer.resign());
        let ((), errors) = tokio::join!(resigning, finish(others, deadline));
        shutdown.note_all(errors);
        let limits = ("limits", async { Ok(limits.flush().await?) }.boxed());
        shutdown.steps(self.flush_time(), state.flushes().into_iter().chain([limits])).await;
        ended.cancel();
        shutdown.note_all(finish(tasks, Instant::now() + self.flush_time()).await);
        Ok(())
    }

    /// Serves the site until a signal arrives and then for another `server.drain_seconds`. The returned role runs until
    /// `stop`. Returns `None` if the signal arrives before the site is served.
    async fn serve(
        &self,
        state: &SiteState,
        entrance: Entrance,
        stop: &CancellationToken,
    ) -> anyhow::Result<Option<Role>> {
        let site = Site::new(state.clone());
        // Without words, the first searches would find little.
        let loading = lantern_search::refresh::load(&state.pool, &self.config, &state.lexicon);
        let Some(loaded) = self.signal.run_until_cancelled(loading).await else { return Ok(None) };
        loaded?;
        let step = Progress::new("Cache warm-up");
        let Some(cold) = self.signal.run_until_cancelled(warm::pages(&site)).await else { return Ok(None) };
        step.done(&if cold == 0 { "ready".to_owned() } else { format!("{cold} pages still cold") });
        let server = &self.config.server;
        let (address, listener) = entrance.open(&self.config)?;
        let serving = Arc::new(site.server(listener));
        let role = self.supervisor.start("site", stop, &serving, |serving, stop| async move {
            serving.run(stop).await;
            Ok(())
        });
        self.health.serves();
        say(&format!("Lantern is ready at http://{address}/  (Ctrl-C stops it)"));
        self.signal.cancelled().await;
        say("Stopping …");
        self.health.draining().cancel();
        tokio::time::sleep(Duration::from_secs(server.drain_seconds)).await;
        Ok(Some(role))
    }

    fn grace(&self) -> Duration {
        Duration::from_secs(self.config.server.shutdown_grace)
    }

    fn flush_time(&self) -> Duration {
        Duration::from_secs(self.config.server.flush_seconds)
    }
}

/// Starts the site's tasks, which stop when `ended` is canceled.
fn start_tasks(tasks: Tasks, supervisor: &Supervisor, ended: &CancellationToken) -> Vec<Role> {
    let start = |task: Task| {
        supervisor.start(task.name, ended, &task, |task, ended| async move {
            ended.run_until_cancelled(task.run()).await;
            Ok(())
        })
    };
    tasks.0.into_iter().map(start).collect()
}

/// Starts serving a listener other than the site's own.
fn start_router(
    name: &'static str,
    listener: std::net::TcpListener,
    router: Router,
    supervisor: &Supervisor,
    stop: &CancellationToken,
) -> Role {
    supervisor.start(name, stop, &(Arc::new(listener), router), |(listener, router), stop| async move {
        let listener = TcpListener::from_std(listener.try_clone()?)?;
        Ok(axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await?)
    })
}

/// The site's port before the site is served.
enum Entrance {
    /// The port refuses connections, so that a proxy tries another node.
    Reserved(Port),
    /// The port has been returning 503 during the build.
    Open(SocketAddr, TcpListener),
}

impl Entrance {
    fn open(self, config: &Config) -> anyhow::Result<(SocketAddr, TcpListener)> {
        match self {
            Self::Open(address, listener) => Ok((address, listener)),
            Self::Reserved(port) => {
                let address = port.address();
                let listener =
                    port.listen().map_err(|error| describe(error, &config.server.host, config.server.port))?;
                Ok((address, listener))
            }
        }
    }
}

/// Waits until the indexes are readable. Until then, the site returns 503. Prints which indexes are being rebuilt in
/// the background.
async fn make_ready(indexer: &Indexer, port: Port, config: &Config) -> anyhow::Result<Entrance> {
    let readiness = indexer.readiness().await?;
    if let Readiness::Ready(plan) | Readiness::Outdated(plan) = &readiness
        && let Some(needed) = plan.describe()
    {
        say(&format!("{:<28} {needed}", "Indexes"));
    }
    if matches!(readiness, Readiness::Ready(_)) {
        return Ok(Entrance::Reserved(port));
    }
    let (address, listener) = Entrance::Reserved(port).open(config)?;
    say(&format!("{:<28} http://{address}/ responds 503 until they are built", "Indexes"));
    tokio::select! {
        never = preparing::serve(&listener) => match never {},
        built = build(indexer, readiness) => built?,
    }
    Ok(Entrance::Open(address, listener))
}

/// Rebuilds outdated indexes or waits for the Lantern that writes them.
async fn build(indexer: &Indexer, mut readiness: Readiness) -> anyhow::Result<()> {
    let mut waiting = None;
    loop {
        match readiness {
            Readiness::Ready(_) => break,
            Readiness::Outdated(plan) => return reindex::with_progress(indexer, &plan.rebuild).await,
            Readiness::Elsewhere => {
                waiting.get_or_insert_with(|| Progress::new("Indexes of another Lantern"));
                tokio::time::sleep(POLL_EVERY).await;
            }
        }
        readiness = indexer.readiness().await?;
    }
    if let Some(step) = waiting {
        step.done("ready");
    }
    Ok(())
}

/// Explains why the site's port could not be opened.
fn describe(error: io::Error, host: &str, port: u16) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            anyhow!(
                "port {port} on {host} is in use by another program; choose another one with --port or server.port (0 takes any free port)"
            )
        }
        io::ErrorKind::PermissionDenied => anyhow!(
            "port {port} is reserved for root, but Lantern runs as an ordinary user: use a proxy and choose a port above 1023 \
             with --port or server.port, or start Lantern as an ordinary user with the capability CAP_NET_BIND_SERVICE"
        ),
        _ => anyhow::Error::new(error).context(format!("can't listen on {host}:{port}")),
    }
}

/// Binds the engine's own address, which is a convenience for operators. Returns `None` if the address is empty or in
/// use, or the engine isn't embedded.
async fn listen_engine(config: &Config, search: &Search) -> anyhow::Result<Option<(std::net::TcpListener, Router)>> {
    let address = &config.search.listen;
    let Some((engine, keys)) = search.embedded.as_ref().filter(|_| !address.is_empty()) else { return Ok(None) };
    let address: SocketAddr =
        address.parse().with_context(|| format!("search.listen {address:?} is not an address with a port"))?;
    if !address.ip().is_loopback() {
        bail!("search.listen {address} is not a loopback address; use a proxy with TLS instead");
    }
    match TcpListener::bind(address).await {
        Ok(listener) => {
            say(&format!("{:<28} http://{}", "Meilisearch protocol", listener.local_addr()?));
            Ok(Some((listener.into_std()?, engine.router(keys.clone()))))
        }
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            say(&format!(
                "{:<28} port {} is in use; the engine responds in process only (search.listen)",
                "Meilisearch protocol",
                address.port()
            ));
            Ok(None)
        }
        Err(error) => Err(error).context("search.listen"),
    }
}

/// Cancels `stop` at the first SIGINT or SIGTERM from now on.
pub(super) fn watch_signals(stop: CancellationToken) -> anyhow::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    // The signals are registered here, because the task may start only after the first signal has arrived.
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        stop.cancel();
    });
    Ok(())
}
