//! `lantern bench`

mod build;
mod engine;
mod films;
mod running;
mod served;
mod site;

use clap::{Args, Subcommand};
use lantern_benches::{Options, baseline, limits, media, mixed, sites, takedown, titles};
use lantern_config::Config;
use lantern_index::Transport;

use crate::{monitor, progress::say};

/// Load a running Lantern on this machine and print one table of rates and latencies.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern bench --url http://127.0.0.1:8080 --seconds 10 --connections 16\n  lantern bench mixed --rate 200 --seconds 600\n  lantern bench engine\n  lantern bench limits\n  lantern bench logins --pairs 2000\n  lantern bench budget\n  lantern bench servers --rounds 9\n  lantern bench actions --seconds 10 --connections 32\n  lantern bench --rounds 9 media --beside http://127.0.0.1:8081/ --video-id 7\n  lantern bench takedown --video-id 7 --beside http://127.0.0.1:8081/\n  lantern bench titles --videos 300\n  lantern bench changes --rate 50\n  lantern bench sites --beside http://127.0.0.1:8081/\n  lantern bench build --beside http://127.0.0.1:7790 --key master-key\n  lantern bench uploads --gibibytes 10\n  lantern bench films --films 5"
)]
pub struct BenchArgs {
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
    /// Rounds; the median is printed (1 to 99).
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Only what is answered from memory.
    #[arg(long)]
    cached: bool,
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
    /// Requests of every kind at a fixed rate, and the server's memory meanwhile.
    Mixed {
        /// Requests a second (1 to 10,000).
        #[arg(long, default_value_t = 200)]
        rate: u32,
        /// Seconds (1 to 3,600).
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// Where that Lantern tells its figures; the configured `server.monitor_listen` by default.
        #[arg(long)]
        figures_url: Option<String>,
    },
    /// Signing in, on the data of a Lantern that isn't running and holds the demo member: logins a second, the time of a known
    /// beside an unknown name, and listings beside a flood of sign-ins. Limits and captcha are off meanwhile.
    Logins {
        /// Pairs of tries (1 to 100,000).
        #[arg(long, default_value_t = 2000)]
        pairs: usize,
    },
    /// What `limits.compute` leaves people and refuses scripts, on the data of a Lantern that isn't running.
    Budget,
    /// Answers from memory by this program's server beside axum's, on the data of a Lantern that isn't running.
    Servers,
    /// The limits alone, in stores of their own: attempts a second, and what remembered keys take.
    Limits {
        /// Keys remembered (1,000 to 10,000,000).
        #[arg(long, default_value_t = 1_000_000)]
        keys: i64,
        /// Seconds per figure (1 to 60).
        #[arg(long, default_value_t = 3)]
        seconds: u64,
    },
    /// Large parts of a film by a running Lantern beside another server of the same media folder, in turn.
    Media {
        /// Address of the other server, whose paths are those below the media folder.
        #[arg(long)]
        beside: String,
        /// The video whose film is asked for; it must be some times as large as a part.
        #[arg(long, default_value_t = 1)]
        video_id: i64,
        /// Mebibytes of a part (1 to 1,024).
        #[arg(long, default_value_t = 16)]
        mebibytes: u64,
    },
    /// A film sent by tus to a site of its own, beside writing the same bytes to the same disk, and the memory that takes.
    Uploads {
        /// Gibibytes of the film (1 to 10); twice that has to be free on the disk beside `uploads.reserve_bytes`.
        #[arg(long, default_value_t = 1)]
        gibibytes: u64,
    },
    /// Videos made of films on a site of its own, beside plain ffmpeg that makes the same, in turn.
    Films {
        /// Films (1 to 20).
        #[arg(long, default_value_t = 3)]
        films: usize,
        /// Seconds of each (10 to 600).
        #[arg(long, default_value_t = 60)]
        film_seconds: u32,
    },
    /// How soon a video is gone from each node of a running Lantern with demo data. It is taken down for good.
    Takedown {
        /// Addresses of its other nodes.
        #[arg(long)]
        beside: Vec<String>,
        /// One of the newest videos; it must have a film of its own.
        #[arg(long)]
        video_id: i64,
    },
    /// Which titles, typed as they stand, find their video among the first three results of a running Lantern, by language.
    Titles {
        /// How many of the newest videos, and as many drawn from the others (10 to 1,000).
        #[arg(long, default_value_t = 300)]
        videos: u64,
    },
    /// How soon a changed title is found in a running Lantern with demo data, straight from its engine. The titles are put back.
    Changes {
        /// Changes a second (1 to 1,000).
        #[arg(long, default_value_t = 50)]
        rate: u32,
        /// Changes (10 to 1,000).
        #[arg(long, default_value_t = 1_000)]
        changes: u32,
    },
    /// Requests that no cache holds of a running Lantern and of another one of the same catalog, in turn.
    Sites {
        /// Address of the other one, whose `search.url` is a Meilisearch, say.
        #[arg(long)]
        beside: String,
        /// Requests of each kind (10 to 10,000).
        #[arg(long, default_value_t = 300)]
        requests: usize,
    },
    /// A full build of a Lantern that isn't running, and what the bare engine takes for the same documents.
    Build {
        /// Address of an empty Meilisearch server that is given them, too.
        #[arg(long)]
        beside: Option<String>,
        /// Its key.
        #[arg(long)]
        key: Option<String>,
    },
    /// Comments, votes and views of many members, on a site of its own with demo data in a folder that is removed.
    Actions {
        /// Members (100 to 100,000); each writes five comments at most, as everywhere.
        #[arg(long, default_value_t = 5_000)]
        members: u32,
        /// Videos they act on (100 to 1,000,000).
        #[arg(long, default_value_t = 2_000)]
        videos: u32,
    },
    /// The other side of comparisons, started by the benchmark itself.
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
            say(films::make(config, films.clamp(1, 20), film_seconds.clamp(10, 600)).await?.trim_end());
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
