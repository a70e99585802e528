//! `lantern work`: the worker alone, on the catalog and the folders that an `up` elsewhere uses.

use anyhow::ensure;
use lantern_config::{Config, DataDir};
use tokio_util::sync::CancellationToken;

use crate::{commands::up::watch_signals, progress::say, stack};

/// Works until a signal; what is under way then is given back.
pub async fn run(config: Config) -> anyhow::Result<()> {
    ensure!(
        config.films.at_once > 0,
        "films.at_once is 0, so there is nothing to do; set it to the number of films to work on at a time"
    );
    let stop = CancellationToken::new();
    tokio::spawn(watch_signals(stop.clone()));
    let pool = lantern_catalog::connect(&stack::running_database(&config)?, config.database.max_connections).await?;
    let worker = stack::worker(&config, &DataDir::new(&config.data_dir), &pool)?;
    say("Lantern makes videos of uploads  (Ctrl-C stops it)");
    worker.run(stop).await;
    pool.close().await;
    Ok(())
}
