//! `lantern bench`: benchmarks of a running Lantern or of its parts.

mod build;
mod engine;
mod films;
mod running;
mod served;
mod site;

use clap::{Args, Subcommand};
use lantern_benches::{Options, baseline, limits, media, mixed, queries, sites, takedown, titles};
use lantern_config::Config;
use lantern_index::Transport;

use crate::{monitor, progress::say};

/// Benchmark a running Lantern on this machine; prints a table of rates and latencies.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern bench --url http://127.0.0.1:8080 --seconds 10 --connections 16\n  lantern bench mixed --rate 200 --seconds 600\n  lantern bench engine\n  lantern bench limits\n  lantern bench logins --pairs 2000\n  lantern bench budget\n  lantern bench servers --rounds 9\n  lantern bench actions --seconds 10 --connections 32\n  lantern bench --rounds 9 media --beside http://127.0.0.1:8081/ --video-id 7\n  lantern bench takedown --video-id 7 --beside http://127.0.0.1:8081/\n  lantern bench titles --videos 300\n  lantern bench queries --per-class 40 --list 20\n  lantern bench changes --rate 50\n  lantern bench sites --beside http://127.0.0.1:8081/\n  lantern bench build --beside http://127.0.0.1:7790 --key master-key\n  lantern bench uploads --gibibytes 10\n  lantern bench films --films 5"
)]
pub struct BenchArgs {
    #[command(subcommand)]
    what: Option<What>,
    /// URL of the running site; default: the configured one.
    #[arg(long)]
    url: Option<String>,
    /// Seconds per call and round (1 to 60).
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Concurrent connections (1 to 256).
    #[arg(long, default_value_t = 8)]
    connections: usize,
    /// Rounds (1 to 99); the median is printed.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Only cached responses.
    #[arg(long)]
    cached: bool,
    /// Seed of the random parameters.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Other benchmarks.
#[derive(Debug, Subcommand)]
enum What {
    /// The embedded engine alone, on the index of a stopped Lantern: in-process against loopback HTTP, and paging depth.
    Engine {
        /// Searches per measurement (10 to 1,000).
        #[arg(long, default_value_t = 60)]
        searches: usize,
    },
    /// Mixed requests at a fixed rate, with the server's memory use.
    Mixed {
        /// Requests per second (1 to 10,000).
        #[arg(long, default_value_t = 200)]
        rate: u32,
        /// Duration in seconds (1 to 3,600).
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// URL of the running Lantern's metrics; default: the configured `server.monitor_listen`.
        #[arg(long)]
        figures_url: Option<String>,
    },
    /// Logins, on the demo data of a stopped Lantern: rate, timing of known against unknown names, and listings during a login flood.
    /// Rate limits and captchas are off.
    Logins {
        /// Pairs of attempts (1 to 100,000).
        #[arg(long, default_value_t = 2000)]
        pairs: usize,
    },
    /// Effect of `limits.compute` on people and scripts, on the data of a stopped Lantern.
    Budget,
    /// Cached responses of Lantern's HTTP server against axum's, on the data of a stopped Lantern.
    Servers,
    /// The rate limits alone, in temporary stores: attempts per second, and size of tracked keys.
    Limits {
        /// Tracked keys (1,000 to 10,000,000).
        #[arg(long, default_value_t = 1_000_000)]
        keys: i64,
        /// Seconds per measurement (1 to 60).
        #[arg(long, default_value_t = 3)]
        seconds: u64,
    },
    /// Large ranges of a film, alternately from a running Lantern and from another server of the same media folder.
    Media {
        /// URL of the other server, which serves the media folder at its root.
        #[arg(long)]
        beside: String,
        /// Video to request; its film must be several times the size of a range.
        #[arg(long, default_value_t = 1)]
        video_id: i64,
        /// Size of a range in MiB (1 to 1,024).
        #[arg(long, default_value_t = 16)]
        mebibytes: u64,
    },
    /// A tus upload to a temporary site against a plain write to the same disk, with memory use.
    Uploads {
        /// Size of the film in GiB (1 to 10). The disk needs twice as much free space, in addition to `uploads.reserve_bytes`.
        #[arg(long, default_value_t = 1)]
        gibibytes: u64,
    },
    /// Transcoding, alternately on a temporary site and by plain ffmpeg.
    Films {
        /// Films (1 to 20).
        #[arg(long, default_value_t = 3)]
        films: usize,
        /// Length of each film in seconds (10 to 600).
        #[arg(long, default_value_t = 60)]
        film_seconds: u32,
    },
    /// Time until a removed video is gone from each node of a running Lantern with demo data. Removes the video permanently.
    Takedown {
        /// URLs of the running Lantern's other nodes.
        #[arg(long)]
        beside: Vec<String>,
        /// One of the newest videos, with a film of its own.
        #[arg(long)]
        video_id: i64,
    },
    /// Share of exact titles whose video is among the first three results of a running Lantern, by language.
    Titles {
        /// Number of the newest videos, and of randomly chosen others (10 to 1,000).
        #[arg(long, default_value_t = 300)]
        videos: u64,
    },
    /// Scores of queries drawn by rule from the titles of a running Lantern, by class and language. Needs its catalog.
    Queries {
        /// Seed of the queries; default: random. The same seed and catalog give the same queries.
        #[arg(long)]
        seed: Option<u64>,
        /// Queries per class and language (1 to 200); fewer if the titles don't suffice.
        #[arg(long, default_value_t = 40)]
        per_class: usize,
        /// Number of queries with the lowest scores to print (up to 1,000).
        #[arg(long, default_value_t = 0)]
        list: usize,
    },
    /// Time until a changed title is found by the engine of a running Lantern with demo data. Restores the titles.
    Changes {
        /// Changes per second (1 to 1,000).
        #[arg(long, default_value_t = 50)]
        rate: u32,
        /// Number of changes (10 to 1,000).
        #[arg(long, default_value_t = 1_000)]
        changes: u32,
    },
    /// Uncached requests, alternately to a running Lantern and to another one with the same catalog.
    Sites {
        /// URL of the other Lantern, for example one with a Meilisearch server.
        #[arg(long)]
        beside: String,
        /// Requests of each kind (10 to 10,000).
        #[arg(long, default_value_t = 300)]
        requests: usize,
    },
    /// A full index build of a stopped Lantern, and the same documents in the bare engine.
    Build {
        /// URL of an empty Meilisearch server to index the same documents.
        #[arg(long)]
        beside: Option<String>,
        /// API key of the Meilisearch server.
        #[arg(long)]
        key: Option<String>,
    },
    /// Comments, votes and views of many members, on a temporary site with demo data.
    Actions {
        /// Members (100 to 100,000); each writes at most five comments, the usual limit.
        #[arg(long, default_value_t = 5_000)]
        members: u32,
        /// Videos that the members act on (100 to 1,000,000).
        #[arg(long, default_value_t = 2_000)]
        videos: u32,
    },
    /// Baseline server for comparisons, started by the benchmark.
    #[command(hide = true)]
    Baseline,
}

pub async fn run(config: Config, args: BenchArgs) -> anyhow::Result<()> {
    let url = args.url.clone().unwrap_or_else(|| config.public_url());
    match args.what {
        None => {}
        Some(What::Engine { searches }) => return engine::measure(config, searches).await,
        Some(What::Mixed { rate, seconds, figures_url }) => {
            let figures_url = figures_url.map_or_else(|| monitor::url(&config), Ok)?;
            let options = mixed::MixedOptions { url, figures_url, rate, seconds, seed: args.seed };
            say(mixed::run(&options).await?.trim_end());
            return Ok(());
        }
        Some(What::Media { beside, video_id, mebibytes }) => {
            let options = media::MediaOptions {
                url,
                beside,
                video_id,
                mebibytes,
                seconds: args.seconds,
                connections: args.connections,
                rounds: args.rounds,
                seed: args.seed,
            };
            say(media::run(&options).await?.trim_end());
            return Ok(());
        }
        Some(What::Takedown { mut beside, video_id }) => {
            beside.insert(0, url);
            let options = takedown::TakedownOptions { urls: beside, video_id };
            return running::take_down(&config, &options).await;
        }
        Some(What::Changes { rate, changes }) => {
            return running::change_titles(&config, rate.clamp(1, 1_000), changes.clamp(10, 1_000)).await;
        }
        Some(What::Titles { videos }) => {
            let options = titles::TitlesOptions { url, videos: videos.clamp(10, 1_000), seed: args.seed };
            say(titles::run(&options).await?.trim_end());
            return Ok(());
        }
        Some(What::Queries { seed, per_class, list }) => {
            // Short enough to type again.
            let seed = seed.unwrap_or_else(|| rand::random::<u32>().into());
            let (per_class, list) = (per_class.clamp(1, 200), list.min(1_000));
            return running::score_queries(&config, &queries::QueriesOptions { url, per_class, seed, list }).await;
        }
        Some(What::Sites { beside, requests }) => {
            let options = sites::SitesOptions { url, beside, requests: requests.clamp(10, 10_000), seed: args.seed };
            return running::compare_sites(&options).await;
        }
        Some(What::Build { beside, key }) => {
            if let Some(url) = &beside {
                lantern_benches::on_loopback(url)?;
            }
            let server = beside.map(|url| Transport::http(&url, key.as_deref())).transpose()?;
            say(build::run(config, server.as_ref()).await?.trim_end());
            return Ok(());
        }
        Some(What::Uploads { gibibytes }) => {
            say(films::upload(config, gibibytes.clamp(1, 10)).await?.trim_end());
            return Ok(());
        }
        Some(What::Films { films, film_seconds }) => {
            say(films::transcode(config, films.clamp(1, 20), film_seconds.clamp(10, 600)).await?.trim_end());
            return Ok(());
        }
        Some(What::Logins { pairs }) => return served::logins(config, &args, pairs).await,
        Some(What::Budget) => return served::budget(config, &args).await,
        Some(What::Servers) => return served::servers(config, &args).await,
        Some(What::Limits { keys, seconds }) => {
            std::fs::create_dir_all(&config.data_dir)?;
            let folder = tempfile::tempdir_in(&config.data_dir)?;
            say(limits::run(folder.path(), &limits::LimitsOptions { keys, seconds }).await?.trim_end());
            return Ok(());
        }
        Some(What::Actions { members, videos }) => {
            let crowd = site::Crowd { members: members.clamp(100, 100_000), videos: videos.clamp(100, 1_000_000) };
            let report =
                site::actions(config, crowd, args.seconds.clamp(1, 60), args.connections.clamp(1, 256)).await?;
            say(report.trim_end());
            return Ok(());
        }
        Some(What::Baseline) => return baseline::serve().await,
    }
    let options = Options {
        url,
        seconds: args.seconds,
        connections: args.connections,
        rounds: args.rounds,
        cached: args.cached,
        seed: args.seed,
    };
    say(lantern_benches::run(&options).await?.trim_end());
    Ok(())
}
