//! `lantern work`: the transcoding worker alone, on the catalog and folders of an `up` on another node.

use std::{sync::Arc, time::Duration};

use anyhow::ensure;
use lantern_config::{Config, DataDir};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    commands::up::watch_signals,
    progress::say,
    shutdown::{self, Shutdown},
    stack,
    supervisor::{Supervisor, finish},
};

/// Runs until a signal arrives, then releases unfinished jobs.
pub async fn run(config: Config) -> anyhow::Result<()> {
    ensure!(
        config.films.at_once > 0,
        "films.at_once is 0, so there is nothing to do; set it to the number of films to transcode concurrently"
    );
    let stop = CancellationToken::new();
    watch_signals(stop.clone())?;
    let pool = lantern_catalog::connect(&stack::running_database(&config)?, config.database.max_connections).await?;
    let worker = stack::worker(&config, &DataDir::new(&config.data_dir), &pool)?;
    let supervisor = Supervisor::new(&config.supervision, Arc::default());
    let role = supervisor.start("worker", &stop, &worker, |worker, stop| async move {
        worker.run(stop).await;
        Ok(())
    });
    say("Lantern is transcoding uploads  (Ctrl-C stops it)");
    stop.cancelled().await;
    let [grace, flush] = [config.server.shutdown_grace, config.server.flush_seconds].map(Duration::from_secs);
    let mut shutdown = Shutdown::default();
    shutdown.note_all(finish(vec![role], Instant::now() + grace).await);
    shutdown::close(&pool, flush).await;
    shutdown.outcome(Ok(()))
}
