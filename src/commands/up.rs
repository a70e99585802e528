//! `lantern up`: every role in one process.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use anyhow::{Context, bail};
use clap::Args;
use lantern_api::{Site, server};
use lantern_catalog::seed::is_demo;
use lantern_config::{Config, Mode};
use lantern_index::IndexName;
use lantern_indexer::{Indexer, Readiness};
use tokio::{net::TcpListener, task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

use crate::{
    commands::{reindex, seed},
    files, monitor,
    progress::{Progress, say},
    schedule,
    stack::{self, Data, Database, Search},
    warm,
};

/// Between two looks at indexes that another process builds.
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// Run everything in one process.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  lantern up\n  lantern up --port 0 --data-dir /var/lib/lantern")]
pub struct UpArgs {
    /// Port of the site; overrides `server.port`, 0 takes any free one.
    #[arg(long)]
    port: Option<u16>,
    /// Videos to seed into an empty catalog in development mode.
    #[arg(long, default_value_t = seed::DEFAULT_VIDEOS)]
    seed_videos: u32,
    /// Upload a few generated films to a demo, as `lantern seed --media` does.
    #[arg(long)]
    seed_media: bool,
}

/// Starts the roles in order, serves until a signal, stops them in the opposite order.
pub async fn run(mut config: Config, args: UpArgs) -> anyhow::Result<()> {
    if let Some(port) = args.port {
        config.server.port = port;
    }
    // The signal counts from the first moment: a start that is interrupted stops what it started.
    let stop = CancellationToken::new();
    tokio::spawn(watch_signals(stop.clone()));
    files::allow(config.server.connections);
    let listener = listen(&config.server.host, config.server.port, "server.port").await?;
    let address = listener.local_addr()?;
    config.server.port = address.port();
    let data = Data::open(&config.data_dir)?;

    let step = Progress::new("Postgres");
    let database = Database::open(&config, &data.dir).await?;
    step.done("ready");
    let outcome = with_database(config, &args, &data, &database, listener, address, stop).await;
    database.close().await?;
    outcome
}

async fn with_database(
    config: Config,
    args: &UpArgs,
    data: &Data,
    database: &Database,
    listener: TcpListener,
    address: SocketAddr,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    match config.mode {
        Mode::Development => {
            seed::fill_if_empty(database, config.mode, args.seed_videos).await?;
            if is_demo(&database.pool).await? {
                seed::render_media(&data.dir.media(&config.media)).await?;
                if args.seed_media {
                    seed::upload(&config, data, database).await?;
                }
            }
        }
        Mode::Production if is_demo(&database.pool).await? => {
            bail!(
                "this catalog holds the demo member, whose password is public; production mode needs a catalog of its own"
            );
        }
        Mode::Production => {}
    }
    let config = Arc::new(config);
    let step = Progress::new("Search engine");
    let search = Search::open(&config, &data.dir).await?;
    step.done(if search.embedded.is_some() { "embedded" } else { "Meilisearch server" });
    let outcome = with_search(&config, data, database, &search, listener, address, stop).await;
    search.close().await;
    outcome
}

async fn with_search(
    config: &Arc<Config>,
    data: &Data,
    database: &Database,
    search: &Search,
    listener: TcpListener,
    address: SocketAddr,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let indexer = Indexer::new(database.pool.clone(), search.client.clone(), config.clone(), &data.dir.sled())?;
    tokio::select! {
        outcome = make_ready(&indexer) => outcome?,
        () = stop.cancelled() => return Ok(()),
    }
    let (state, limits) = stack::site(config, data, database, search, indexer.changes())?;
    let mut roles: Vec<JoinHandle<anyhow::Result<()>>> = Vec::new();
    // What writes the index or the catalog, and may end before requests under way do.
    let mut writers = Vec::new();
    if let Some(listener) = monitor::listen(config).await? {
        roles.push(tokio::spawn(monitor::serve(listener, state.clone(), stop.clone())));
    }
    writers.push(spawn({
        let (indexer, stop) = (indexer.clone(), stop.clone());
        async move { indexer.run(stop).await }
    }));
    roles.push(spawn({
        let (changes, pool, stop) = (indexer.changes(), database.pool.clone(), stop.clone());
        async move { changes.follow(&pool, stop).await }
    }));
    writers.push(spawn({
        let (indexer, stop) = (indexer.clone(), stop.clone());
        async move { indexer.serve_requests(stop).await }
    }));
    if let Some((engine, keys)) = &search.embedded
        && !config.search.listen.is_empty()
        && let Some(engine_listener) = listen_engine(&config.search.listen).await?
    {
        let (router, stop) = (engine.router(keys.clone()), stop.clone());
        roles.push(tokio::spawn(async move {
            axum::serve(engine_listener, router).with_graceful_shutdown(stop.cancelled_owned()).await?;
            Ok(())
        }));
    }
    let (recurring, stopped) = (state.clone(), stop.clone());
    writers.extend(schedule::start(schedule::Site {
        indexer: indexer.clone(),
        state: recurring,
        limits: limits.clone(),
        stop: stopped,
    }));
    let worker = stack::worker(config, &data.dir, &database.pool)?;
    writers.push(spawn({
        let stop = stop.clone();
        async move { worker.run(stop).await }
    }));
    let site = Site::new(state.clone());
    let step = Progress::new("First pages");
    tokio::select! {
        cold = warm::pages(&site) => step.done(&if cold == 0 { "ready".to_owned() } else { format!("{cold} not ready yet") }),
        () = stop.cancelled() => {}
    }
    roles.push(spawn(server::serve(listener, site, stop.clone())));
    say(&format!("Lantern is ready at http://{address}/  (Ctrl-C stops it)"));
    stop.cancelled().await;
    say("Stopping …");
    let deadline = Instant::now() + Duration::from_secs(config.server.shutdown_grace);
    finish(writers, deadline).await?;
    if let Err(error) = indexer.resign().await {
        tracing::error!(%error, "another Lantern can write this index only when the lease is over");
    }
    finish(roles, deadline).await?;
    state.flush().await;
    Ok(limits.flush().await?)
}

/// Builds the indexes anew where that is called for. Where another Lantern writes them, it is waited for.
async fn make_ready(indexer: &Indexer) -> anyhow::Result<()> {
    let mut waiting = None;
    loop {
        match indexer.readiness().await? {
            Readiness::Ready => break,
            Readiness::Outdated => return reindex::with_progress(indexer, &IndexName::ALL).await,
            Readiness::Elsewhere => {
                waiting.get_or_insert_with(|| Progress::new("Indexes that another Lantern builds"));
                tokio::time::sleep(LOOK_EVERY).await;
            }
        }
    }
    if let Some(step) = waiting {
        step.done("ready");
    }
    Ok(())
}

/// Starts what ends without a failure.
fn spawn(role: impl Future<Output = ()> + Send + 'static) -> JoinHandle<anyhow::Result<()>> {
    tokio::spawn(async move {
        role.await;
        Ok(())
    })
}

/// Gives open requests and the running batch their time, then ends what is left.
async fn finish(roles: Vec<JoinHandle<anyhow::Result<()>>>, deadline: Instant) -> anyhow::Result<()> {
    for mut role in roles {
        match tokio::time::timeout_at(deadline, &mut role).await {
            Ok(ended) => ended??,
            Err(_) => role.abort(),
        }
    }
    Ok(())
}

async fn listen(host: &str, port: u16, key: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind((host, port)).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            anyhow::anyhow!("port {port} on {host} is taken by another program; choose another one with --port or {key} (0 takes any free one)")
        }
        std::io::ErrorKind::PermissionDenied => anyhow::anyhow!(
            "port {port} is for root alone, and Lantern serves as an ordinary user: put a proxy in front and choose a port above 1023 \
             with --port or {key}, or start Lantern as an ordinary user with the capability CAP_NET_BIND_SERVICE"
        ),
        _ => anyhow::Error::new(error).context(format!("can't listen on {host}:{port}")),
    })
}

/// The engine's own address is a convenience for operators: when its default is taken, the site starts without it.
async fn listen_engine(address: &str) -> anyhow::Result<Option<TcpListener>> {
    let address: SocketAddr =
        address.parse().with_context(|| format!("search.listen {address:?} is not an address with a port"))?;
    if !address.ip().is_loopback() {
        bail!("search.listen {address} is not on loopback; put a proxy with TLS in front instead");
    }
    match TcpListener::bind(address).await {
        Ok(listener) => {
            say(&format!("{:<28} http://{}", "Meilisearch protocol", listener.local_addr()?));
            Ok(Some(listener))
        }
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            say(&format!(
                "{:<28} port {} is taken; the engine answers in process only (search.listen)",
                "Meilisearch protocol",
                address.port()
            ));
            Ok(None)
        }
        Err(error) => Err(error).context("search.listen"),
    }
}

pub(super) async fn watch_signals(stop: CancellationToken) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        tracing::error!("signals can't be watched; only SIGKILL will stop this process");
        return;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    stop.cancel();
}
