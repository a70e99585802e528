//! `lantern limits`: the rate limits and their counts.

use anyhow::Context;
use clap::Args;
use lantern_config::{Config, Ipv6, LimitStore, Policy};
use lantern_ratelimit::{Action, Limits, system_clock};

use crate::{monitor, progress::say, stack::Data};

/// Show the rate limits with counts of allowed and rejected requests.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern limits\n  lantern limits --url http://127.0.0.1:9465\n\nCounts since the start come from a running Lantern (/metrics); \
                  of a stopped\nLantern, only the tracked keys are known."
)]
pub struct LimitsArgs {
    /// URL of the running Lantern's metrics; default: the configured `server.monitor_listen`.
    #[arg(long)]
    url: Option<String>,
}

/// Counts for one action: allowed attempts, refused attempts and tracked keys.
type Counts = [Option<u64>; 3];

/// Metrics that have the [`Counts`].
const METRICS: [&str; 3] =
    ["lantern_limit_accepted_total", "lantern_limit_refused_total", "lantern_limit_tracked_keys"];

pub async fn run(config: Config, args: LimitsArgs) -> anyhow::Result<()> {
    let stopped = if args.url.is_none() { Data::open_if_free(&config.data_dir)? } else { None };
    let counts: Vec<Counts> = match stopped {
        Some(data) => stored(&config, &data)?,
        None => {
            let url = args.url.map_or_else(|| monitor::url(&config), Ok)?;
            let text = metrics(&url).await?;
            Action::ALL.map(|action| METRICS.map(|name| value(&text, name, action))).to_vec()
        }
    };
    say(&line(["action", "policy", "accepted", "refused", "keys", "counted attempts"]));
    for (action, counts) in Action::ALL.into_iter().zip(counts) {
        let policy = describe(action.policy(&config.limits));
        let [accepted, refused, keys] = counts.map(|count| count.map_or("–".to_owned(), |count| count.to_string()));
        say(&line([action.as_str(), &policy, &accepted, &refused, &keys, action.about()]));
    }
    let Ipv6 { times_56, times_48 } = config.limits.ipv6;
    say(&format!(
        "\nIPv6 addresses are counted per /64; a /56 may do {times_56} times as much in total, a /48 {times_48} times."
    ));
    let place = match config.limits.store {
        LimitStore::Local => "this node's data folder",
        LimitStore::Shared => "Postgres, shared by all nodes",
    };
    say(&format!("Counted in {place} (limits.store); policies and their reasons: lantern config"));
    Ok(())
}

/// Reads the tracked keys from the stopped node's own store. The shared store isn't read, because it needs a running
/// database.
fn stored(config: &Config, data: &Data) -> anyhow::Result<Vec<Counts>> {
    let limits = Limits::open(&data.dir.sled().join("limits"), &config.limits, &system_clock())?;
    let here = |action: Action| action.is_read() || config.limits.store == LimitStore::Local;
    Ok(limits.figures().map(|row| [None, None, here(row.action).then_some(row.tracked as u64)]).collect())
}

async fn metrics(url: &str) -> anyhow::Result<String> {
    let url = format!("{}/metrics", url.trim_end_matches('/'));
    let request = async { reqwest::get(&url).await?.error_for_status()?.text().await };
    request.await.with_context(|| format!("no metrics at {url}; pass the URL of its server.monitor_listen as --url"))
}

fn value(text: &str, name: &str, action: Action) -> Option<u64> {
    let start = format!("{name}{{action=\"{}\"}} ", action.as_str());
    text.lines().find_map(|line| line.strip_prefix(&start))?.parse().ok()
}

fn describe(policy: &Policy) -> String {
    match policy {
        Policy::Exact(exact) => format!("exact, {} in any {}", exact.attempts, time(exact.per_seconds)),
        Policy::Gcra(gcra) => format!("gcra, {} at once, {} per {}", gcra.burst, gcra.cells, time(gcra.per_seconds)),
    }
}

fn time(seconds: u64) -> String {
    match seconds {
        s if s.is_multiple_of(3600) => format!("{} h", s / 3600),
        s if s.is_multiple_of(60) => format!("{} min", s / 60),
        s => format!("{s} s"),
    }
}

fn line([action, policy, accepted, refused, keys, about]: [&str; 6]) -> String {
    format!("{action:<23}{policy:<35}{accepted:>10}{refused:>10}{keys:>10}  {about}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_parsed_from_metrics() {
        let text = "# TYPE lantern_limit_refused_total counter\nlantern_limit_refused_total{action=\"act\"} 3\n";
        assert_eq!(value(text, "lantern_limit_refused_total", Action::Act), Some(3));
        assert_eq!(value(text, "lantern_limit_refused_total", Action::Comment), None);
    }

    #[test]
    fn policies_are_described() {
        let limits = Config::default().limits;
        assert_eq!(describe(&limits.comment), "exact, 5 in any 10 min");
        assert_eq!(describe(&limits.search), "gcra, 600 at once, 3000 per 1 min");
    }
}
