//! `lantern bench`

use clap::Args as ClapArgs;
use lantern_benches::Options;
use lantern_config::Config;

use crate::progress::say;

/// Load a running Lantern on this machine and print one table of rates and latencies.
#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:\n  lantern bench --url http://127.0.0.1:8080 --seconds 10 --connections 16")]
pub struct Args {
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

/// Runs the measurements.
pub async fn run(config: Config, args: Args) -> anyhow::Result<()> {
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
