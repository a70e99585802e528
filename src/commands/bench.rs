//! `lantern bench`

use anyhow::Context;
use clap::{Args as ClapArgs, Subcommand};
use lantern_benches::Options;
use lantern_config::Config;

use crate::{
    progress::say,
    stack::{Data, Search},
};

/// Load a running Lantern on this machine and print one table of rates and latencies.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  lantern bench --url http://127.0.0.1:8080 --seconds 10 --connections 16\n  lantern bench engine"
)]
pub struct Args {
    #[command(subcommand)]
    what: Option<What>,
    /// Address of the running site; the configured one by default.
    #[arg(long)]
    url: Option<String>,
    /// Seconds per call and round (1 to 60).
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Connections at once (1 to 256).
    #[arg(long, default_value_t = 8)]
    connections: usize,
    /// Rounds; the median one is printed (1 to 9).
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Seed of the random parameters.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What else can be measured.
#[derive(Debug, Subcommand)]
enum What {
    /// The embedded engine alone, on the index of a Lantern that isn't running: in process beside loopback HTTP, and pages
    /// at any depth.
    Engine {
        /// Searches per figure (10 to 1,000).
        #[arg(long, default_value_t = 60)]
        searches: usize,
    },
}

/// Runs the measurements.
pub async fn run(config: Config, args: Args) -> anyhow::Result<()> {
    if let Some(What::Engine { searches }) = args.what {
        return engine(&config, searches).await;
    }
    let options = Options {
        url: args.url.unwrap_or_else(|| config.public_url()),
        seconds: args.seconds,
        connections: args.connections,
        rounds: args.rounds,
        seed: args.seed,
    };
    say(lantern_benches::run(&options).await?.trim_end());
    Ok(())
}

async fn engine(config: &Config, searches: usize) -> anyhow::Result<()> {
    let data = Data::open(&config.data_dir)?;
    let search = Search::open(config, &data.dir).await?;
    let (engine, keys) = search.embedded.as_ref().context("a Meilisearch server is configured, not the engine")?;
    let report = lantern_benches::engine::run(engine, keys, searches).await;
    search.close().await;
    say(report?.trim_end());
    Ok(())
}
