//! Measures the rate limits alone: attempts per second with each store, and the memory and disk use of a million keys.

use std::{
    fmt::Write,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use hdrhistogram::Histogram;
use lantern_catalog::cluster::Cluster;
use lantern_config::{Config, Limits as Table};
use lantern_ratelimit::{Action, Key, Limits, system_clock};
use tokio::task::JoinSet;

use crate::{
    load::{histogram, micros, quantile},
    resident,
};

/// Numbers of concurrent clients.
const TAKERS: [usize; 3] = [1, 16, 64];
/// Size of the Postgres pool, which is a node's default.
const CONNECTIONS: u32 = 8;

/// What to measure.
#[derive(Debug, Clone)]
pub struct LimitsOptions {
    /// Stored keys, 1,000 to 10,000,000.
    pub keys: i64,
    /// Seconds per figure, 1 to 60.
    pub seconds: u64,
}

/// Measures stores in new folders inside `folder`, which should be on the data folder's disk.
pub async fn run(folder: &Path, options: &LimitsOptions) -> anyhow::Result<String> {
    let (keys, time) = (options.keys.clamp(1_000, 10_000_000), Duration::from_secs(options.seconds.clamp(1, 60)));
    let table = Config::default().limits;
    let mut out = String::new();
    // This runs first, while the process has no freed memory to reuse.
    stored_keys(&mut out, &folder.join("many"), &table, keys).await?;
    writeln!(out, "{:<34} {:>8} {:>10} {:>9} {:>9} {:>9}", "", "takers", "per s", "p50 ms", "p99 ms", "max ms")?;
    let limits = Arc::new(Limits::open(&folder.join("here"), &table, &system_clock())?);
    rates(&mut out, "sled", &limits, time).await?;
    drop(limits);

    let cluster = Cluster::start(&folder.join("postgres")).await?;
    let setup = lantern_catalog::connect(cluster.setup_url(), 1).await?;
    lantern_catalog::migrate(&setup).await?;
    lantern_catalog::grant(&setup, cluster.url()).await?;
    setup.close().await;
    let pool = lantern_catalog::connect(cluster.url(), CONNECTIONS).await?;
    let limits = Limits::open_shared(&folder.join("shared"), &table, &system_clock(), pool.clone())?;
    let outcome = rates(&mut out, "Postgres", &Arc::new(limits), time).await;
    pool.close().await;
    cluster.stop().await?;
    outcome.map(|()| out)
}

/// Measures accepted attempts, each with a different key, and rejected ones.
async fn rates(out: &mut String, store: &str, limits: &Arc<Limits>, time: Duration) -> anyhow::Result<()> {
    let next = Arc::new(AtomicI64::new(0));
    for (name, action) in [("exact, durable", Action::Comment), ("burst and rate", Action::Act)] {
        for takers in TAKERS {
            row(out, &format!("{store}, {name}"), takers, &load(limits, action, takers, time, &next).await?, time)?;
        }
    }
    // A single member has made five comments, so all further comments are rejected.
    let refused = load(limits, Action::Comment, TAKERS[1], time, &Arc::new(AtomicI64::new(i64::MIN))).await?;
    row(out, &format!("{store}, rejected"), TAKERS[1], &refused, time)
}

/// Records how many microseconds attempts by concurrent `takers` take. If `next` is negative, all of them use the same key.
async fn load(
    limits: &Arc<Limits>,
    action: Action,
    takers: usize,
    time: Duration,
    next: &Arc<AtomicI64>,
) -> anyhow::Result<Histogram<u64>> {
    let until = Instant::now() + time;
    let mut running = JoinSet::new();
    for _ in 0..takers {
        let (limits, next) = (Arc::clone(limits), Arc::clone(next));
        running.spawn(async move {
            let mut seen = histogram()?;
            while Instant::now() < until {
                let key = Key::member(next.fetch_add(1, Ordering::Relaxed).max(-1));
                let begun = Instant::now();
                let answer = limits.take(action, &key).await;
                if let Err(lantern_ratelimit::LimitRefusal::Store(error)) = answer {
                    return Err(error.into());
                }
                // A rejection awaits nothing, so without yielding, a taker would monopolize its core.
                tokio::task::yield_now().await;
                seen.saturating_record(micros(begun));
            }
            anyhow::Ok(seen)
        });
    }
    let mut all = histogram()?;
    while let Some(seen) = running.join_next().await {
        all.add(seen??)?;
    }
    Ok(all)
}

/// Fills a store with keys of one slot each and reopens it.
async fn stored_keys(out: &mut String, path: &Path, table: &Table, keys: i64) -> anyhow::Result<()> {
    let before = resident()?;
    let (limits, begun) = (Limits::open(path, table, &system_clock())?, Instant::now());
    // Guest votes stay stored for minutes and are not made durable one by one, which would take too long for a million.
    for key in 0..keys {
        limits.take(Action::GuestVote, &Key::member(key)).await?;
    }
    limits.flush().await?;
    let (filled, memory) = (begun.elapsed(), resident()?.saturating_sub(before));
    drop(limits);
    let begun = Instant::now();
    let limits = Limits::open(path, table, &system_clock())?;
    let opened = begun.elapsed();
    let tracked = limits.figures().map(|row| row.tracked).sum::<usize>();
    let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    writeln!(out, "{tracked} keys of one slot, created in {:.1} s", filled.as_secs_f64())?;
    writeln!(out, "  memory {:.1} MiB, disk {:.1} MiB", mib(memory), mib(size(path)?))?;
    writeln!(out, "  reopened, which reads every key, in {:.0} ms\n", opened.as_secs_f64() * 1000.0)?;
    Ok(())
}

fn row(out: &mut String, name: &str, takers: usize, seen: &Histogram<u64>, time: Duration) -> anyhow::Result<()> {
    let rate = seen.len() as f64 / time.as_secs_f64();
    let (p50, p99) = (quantile(seen, 0.5), quantile(seen, 0.99));
    writeln!(out, "{name:<34} {takers:>8} {rate:>10.0} {p50:>9.2} {p99:>9.2} {:>9.2}", seen.max() as f64 / 1000.0)?;
    Ok(())
}

/// Returns the total size of all files below `path` in bytes.
fn size(path: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let meta = entry.metadata()?;
        bytes += if meta.is_dir() { size(&entry.path())? } else { meta.len() };
    }
    Ok(bytes)
}
