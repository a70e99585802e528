//! `lantern bench engine`: the embedded engine alone.

use std::sync::Arc;

use anyhow::Context;
use lantern_benches::listing::{Half, Listings};
use lantern_catalog::changes::Changes;
use lantern_config::Config;
use lantern_engine::{Engine, Keys};
use lantern_index::VideoDoc;
use lantern_site::Site;

use crate::{
    progress::say,
    stack::{self, Data, Database, Search},
};

/// Measures the engine on the index of a stopped Lantern.
pub async fn measure(config: Config, searches: usize) -> anyhow::Result<()> {
    let config = Arc::new(config);
    let data = Data::open(&config.data_dir)?;
    let database = Database::open(&config, &data.dir).await?;
    let mut listings = Listings::new(searches)?;
    // Half of the listings without facets in memory are measured before the other measurements, and half after them, so
    // that a machine that slows down affects both kinds alike.
    from_disk(&config, &data, &mut listings, Half::First).await?;
    let search = Search::open(&config, &data.dir).await?;
    let (state, _limits, tasks) = stack::site(&config, &data, &database, &search, Changes::default(), Arc::default())?;
    tasks.spawn();
    let (site, fields) = (Site::new(state), VideoDoc::fields());
    let tables = lantern_benches::engine::run(embedded(&search)?, site, fields, &mut listings, searches).await;
    search.close().await;
    from_disk(&config, &data, &mut listings, Half::Second).await?;
    database.close().await?;
    say(&format!("{}\n{}", tables?, listings.table().trim_end()));
    Ok(())
}

/// Measures the listings on an engine that doesn't keep facets in memory.
async fn from_disk(config: &Config, data: &Data, listings: &mut Listings, half: Half) -> anyhow::Result<()> {
    let mut config = config.clone();
    config.search.facet_memory = 0;
    let search = Search::open(&config, &data.dir).await?;
    let (engine, keys) = embedded(&search)?;
    let answers = listings.ask_from_disk(engine, keys, VideoDoc::fields(), half).await;
    search.close().await;
    answers
}

fn embedded(search: &Search) -> anyhow::Result<(&Engine, &Keys)> {
    let (engine, keys) =
        search.embedded.as_ref().context("a Meilisearch server is configured instead of the embedded engine")?;
    Ok((engine, keys))
}
