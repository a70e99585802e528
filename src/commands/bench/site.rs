//! A temporary site to benchmark, with catalog, index, sync and the real server on a loopback port.

use std::{sync::Arc, time::Duration};

use anyhow::ensure;
use lantern_benches::actions::{self, ActionsOptions, Figures};
use lantern_catalog::{
    seed::{self, SeedOptions, Sums},
    sitemap,
};
use lantern_config::{Config, Mode};
use lantern_http::health::Health;
use lantern_index::IndexName;
use lantern_indexer::Indexer;
use lantern_site::Site;
use time::OffsetDateTime;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    progress::Progress,
    schedule,
    stack::{self, Data, Database, Search},
    supervisor::{self, Supervisor},
};

/// The number of members and the number of videos that they act on.
#[derive(Debug, Clone, Copy)]
pub struct Crowd {
    pub members: u32,
    pub videos: u32,
}

/// A temporary site.
pub struct TemporarySite {
    pub config: Arc<Config>,
    pub data: Data,
    pub database: Database,
    pub search: Search,
}

/// Opens a site in a temporary folder while `measure` runs.
pub async fn with_temporary(
    mut config: Config,
    measure: impl AsyncFnOnce(&TemporarySite) -> anyhow::Result<String>,
) -> anyhow::Result<String> {
    std::fs::create_dir_all(&config.data_dir)?;
    let folder = tempfile::tempdir_in(&config.data_dir)?;
    config.data_dir = folder.path().to_owned();
    // A real catalog, index or media folder must never be used.
    (config.database.url, config.search.url) = (String::new(), String::new());
    (config.uploads.folder, config.media.folder) = Default::default();
    // The site uses plain HTTP, whatever is configured.
    (config.mode, config.server.public_url) = (Mode::Development, String::new());
    let config = Arc::new(config);
    let data = Data::open(&config.data_dir)?;
    let database = Database::open(&config, &data.dir).await?;
    let search = Search::open(&config, &data.dir).await?;
    let site = TemporarySite { config, data, database, search };
    let report = measure(&site).await;
    site.search.close().await;
    site.database.close().await?;
    report
}

impl TemporarySite {
    /// Loads demo data with this number of videos.
    pub async fn seed(&self, videos: u32, step: &Progress) -> anyhow::Result<()> {
        let options = SeedOptions { now: OffsetDateTime::now_utc(), ..SeedOptions::scaled(videos) };
        let setup = self.database.setup().await?;
        seed::run(&setup, self.config.mode, &options, &|done, total| step.at(done, total)).await?;
        setup.close().await;
        Ok(())
    }
}

/// Measures comments, votes and views, and checks that every acknowledged one was counted.
pub async fn actions(config: Config, crowd: Crowd, seconds: u64, connections: usize) -> anyhow::Result<String> {
    with_temporary(config, async |site| measure(site, crowd, seconds, connections).await).await
}

async fn measure(site: &TemporarySite, crowd: Crowd, seconds: u64, connections: usize) -> anyhow::Result<String> {
    let TemporarySite { config, data, database, search } = site;
    let step = Progress::new("Demo data and members");
    site.seed(crowd.videos, &step).await?;
    let tokens = seed::crowd(&database.pool, config.mode, crowd.members).await?;
    let public = sitemap::videos(&database.pool, 0, i64::MAX, crowd.videos.into()).await?;
    let indexer = Indexer::new(database.pool.clone(), search.client.clone(), Arc::clone(config), &data.dir.sled())?;
    indexer.rebuild(&IndexName::ALL, &|_| {}).await?;
    step.done("ready");

    let health = Arc::<Health>::default();
    let (state, limits, tasks) = stack::site(config, data, database, search, indexer.changes(), Arc::clone(&health))?;
    tasks.spawn();
    let stop = CancellationToken::new();
    let sync = tokio::spawn({
        let (indexer, stop) = (indexer.clone(), stop.clone());
        async move { indexer.run(stop).await }
    });
    let (recurring, ending) = (state.clone(), stop.clone());
    let supervisor = Supervisor::new(&config.supervision, health);
    let site = schedule::Site { indexer: indexer.clone(), state: recurring, limits, stop: ending };
    let jobs = schedule::start(site, &supervisor);
    let (listener, url) = super::served::bind().await?;
    tokio::spawn(lantern_site::serve(listener, Site::new(state.clone()), stop.clone()));
    let options = ActionsOptions {
        url,
        cookies: tokens.into_iter().map(|token| format!("session={token}")).collect(),
        videos: public.into_iter().map(|video| video.id).collect(),
        seconds,
        connections,
    };
    let before = seed::sums(&database.pool).await?;
    let figures = actions::run(&options).await;
    state.flush().await?;
    stop.cancel();
    sync.await?;
    let deadline = Instant::now() + Duration::from_secs(config.server.shutdown_grace);
    if let Some(error) = supervisor::finish(jobs, deadline).await.pop() {
        return Err(error);
    }
    let figures = figures?;
    ensure_counted(&figures, before, seed::sums(&database.pool).await?)?;
    let table = actions::table(&figures, connections, options.cookies.len());
    Ok(format!("{table}Each was counted exactly once.\n"))
}

fn ensure_counted(figures: &[Figures; 3], before: Sums, after: Sums) -> anyhow::Result<()> {
    let moved = [after.comments - before.comments, after.votes - before.votes, after.views - before.views];
    for (kind, moved) in figures.iter().zip(moved) {
        ensure!(i64::try_from(kind.done)? == moved, "{} {} were acknowledged, {moved} counted", kind.done, kind.name);
    }
    Ok(())
}
