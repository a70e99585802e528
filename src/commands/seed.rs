//! `lantern seed`: loads demo data, which is the same for the same seed.

mod media;

use std::path::Path;

use anyhow::bail;
use clap::Args;
use lantern_catalog::seed::{self, SeedOptions};
use lantern_config::{Config, Mode};
use time::OffsetDateTime;

pub use media::upload;

use crate::{
    progress::Progress,
    stack::{Data, Database},
};

/// Number of demo videos that a first start loads.
pub const DEFAULT_VIDEOS: u32 = 5_000;

/// Fill an empty catalog with demo data.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  lantern seed\n  lantern seed --videos 1000000 --seed 7\n  lantern seed --media")]
pub struct SeedArgs {
    /// Number of videos; everything else grows with it.
    #[arg(long, default_value_t = DEFAULT_VIDEOS)]
    videos: u32,
    /// Seed of the random generator; the same seed gives the same data.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also upload a few generated films as the demo member. If the catalog already holds the demo, do nothing else.
    #[arg(long)]
    media: bool,
}

/// Loads demo data and renders the demo clips. The next `lantern up` or `lantern reindex` indexes the data.
pub async fn run(config: Config, args: SeedArgs) -> anyhow::Result<()> {
    if config.mode == Mode::Production {
        bail!("production mode refuses demo data; set mode = \"development\" for a trial");
    }
    let data = Data::open(&config.data_dir)?;
    let database = Database::open(&config, &data.dir).await?;
    let outcome = async {
        if seed::is_empty(&database.pool).await? {
            fill(&database, config.mode, args.videos, args.seed).await?;
        } else if !(args.media && seed::is_demo(&database.pool).await?) {
            bail!("the catalog already holds videos; seeding needs an empty one (another --data-dir or database)");
        }
        render_media(&data.dir.media(&config.media)).await?;
        if args.media { upload(&config, &data, &database).await } else { Ok(()) }
    }
    .await;
    database.close().await?;
    outcome
}

/// Loads demo data if the catalog is empty. Otherwise does nothing.
pub async fn fill_if_empty(database: &Database, mode: Mode, videos: u32) -> anyhow::Result<()> {
    if seed::is_empty(&database.pool).await? {
        fill(database, mode, videos, 1).await?;
    }
    Ok(())
}

async fn fill(database: &Database, mode: Mode, videos: u32, seed: u64) -> anyhow::Result<()> {
    let step = Progress::new("Demo data");
    let options = SeedOptions { seed, now: OffsetDateTime::now_utc(), ..SeedOptions::scaled(videos) };
    let setup = database.setup().await?;
    let outcome = seed::run(&setup, mode, &options, &|done, total| step.at(done, total)).await;
    setup.close().await;
    outcome?;
    step.done(&format!("{videos} videos; member demo, password demo-lantern"));
    Ok(())
}

/// Renders those clips and pictures of the demo data that are missing.
pub async fn render_media(folder: &Path) -> anyhow::Result<()> {
    let step = Progress::new("Demo clips");
    lantern_media::demo::render(folder, |at: lantern_media::demo::Progress| step.at(at.done as u64, at.total as u64))
        .await?;
    step.done("ready");
    Ok(())
}
