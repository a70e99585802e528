//! Measures sign-ins: their throughput, whether timing reveals existing accounts, and how much a flood of sign-ins slows listings.

use std::{
    fmt::Write,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use reqwest::{StatusCode, header};
use tokio::task::JoinSet;

use crate::{
    SiteUnderTest,
    load::{histogram, micros, quantile},
    mix::{Call, Catalog},
};

/// Listings per second during the flood. They are few enough to leave an otherwise idle machine mostly idle.
const LISTINGS_RATE: u32 = 50;
/// Number of rounds with and without the flood. The median ratio is reported.
const ROUNDS: usize = 5;

/// What to measure.
#[derive(Debug, Clone)]
pub struct LoginsOptions {
    /// URL of the site on this machine, whose limits must allow all of this.
    pub url: String,
    /// Name and password of a member.
    pub member: (&'static str, &'static str),
    /// Pairs of attempts with a known and an unknown name, 1 to 100,000.
    pub pairs: usize,
    /// Seconds per figure, 1 to 60.
    pub seconds: u64,
    /// Concurrent sign-ins, 1 to 256.
    pub connections: usize,
    /// Seed for the order.
    pub seed: u64,
}

/// Runs the three measurements and returns their results.
pub async fn run(options: &LoginsOptions) -> anyhow::Result<String> {
    let site = SiteUnderTest::new(&options.url)?;
    let mut out = String::new();
    rate(&site, options, &mut out).await?;
    pairs(&site, options, &mut out).await?;
    flood(&site, options, &mut out).await?;
    Ok(out)
}

impl SiteUnderTest {
    /// Attempts to sign in. Returns the elapsed microseconds and the status.
    async fn login(&self, usr: &str, pwd: &str) -> anyhow::Result<(u64, StatusCode)> {
        let sent = Instant::now();
        let request = self.client.post(format!("{}/api/login.php", self.base));
        let form = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let answer = form.body(format!("usr={usr}&pwd={pwd}")).send().await.context("login.php")?;
        let status = answer.status();
        answer.bytes().await?;
        Ok((micros(sent), status))
    }
}

fn ms(micros: u64) -> f64 {
    micros as f64 / 1000.0
}

/// Measures repeated sign-ins of the member.
async fn rate(site: &SiteUnderTest, options: &LoginsOptions, out: &mut String) -> anyhow::Result<()> {
    let time = Duration::from_secs(options.seconds.clamp(1, 60));
    let started = Instant::now();
    let mut workers = JoinSet::new();
    for _ in 0..options.connections.clamp(1, 256) {
        let (site, (usr, pwd)) = (site.clone(), options.member);
        workers.spawn(async move {
            let mut seen = histogram()?;
            while started.elapsed() < time {
                let (micros, status) = site.login(usr, pwd).await?;
                ensure!(status == StatusCode::OK, "the member could not sign in: {status}");
                seen.saturating_record(micros);
            }
            anyhow::Ok(seen)
        });
    }
    let mut seen = histogram()?;
    while let Some(part) = workers.join_next().await {
        seen.add(part??)?;
    }
    let rate = seen.len() as f64 / started.elapsed().as_secs_f64();
    let (p50, p99) = (quantile(&seen, 0.5), quantile(&seen, 0.99));
    writeln!(out, "{rate:.1} logins/s with {} connections, p50 {p50:.1} ms, p99 {p99:.1} ms", options.connections)?;
    Ok(())
}

/// Compares attempts with the member's name and a wrong password with attempts with an unknown name. The attempts run one after another,
/// with each pair in random order.
async fn pairs(site: &SiteUnderTest, options: &LoginsOptions, out: &mut String) -> anyhow::Result<()> {
    let mut random = ChaCha8Rng::seed_from_u64(options.seed);
    let mut seen = [Vec::new(), Vec::new()];
    let pairs = options.pairs.clamp(1, 100_000);
    for _ in 0..pairs {
        let unknown = format!("x{:08x}", random.random::<u32>());
        let mut order = [0, 1];
        order.shuffle(&mut random);
        for which in order {
            let (micros, status) = site.login([options.member.0, &unknown][which], "not-the-password").await?;
            ensure!(status == StatusCode::UNAUTHORIZED, "a wrong password was answered with {status}");
            seen[which].push(micros);
        }
    }
    let [known, unknown] = seen.map(median);
    let apart = 100.0 * (ms(known) - ms(unknown)).abs() / ms(unknown);
    let (known, unknown) = (ms(known), ms(unknown));
    writeln!(
        out,
        "{pairs} pairs of attempts: median {known:.2} ms for a known name, {unknown:.2} ms for an unknown one, {apart:.2} % apart"
    )?;
    Ok(())
}

fn median(mut figures: Vec<u64>) -> u64 {
    figures.sort_unstable();
    figures[figures.len() / 2]
}

/// Measures listings at a fixed rate, alternately with and without as many sign-ins as the site handles.
async fn flood(site: &SiteUnderTest, options: &LoginsOptions, out: &mut String) -> anyhow::Result<()> {
    let listings = Catalog::read(&site.base).await?.urls(Call::Listing, options.seed);
    ensure!(!listings.is_empty(), "the site holds too few videos");
    // Warm up, so that both sides find the same data in memory.
    listings_p99(site, &listings, options).await?;
    let (mut ratios, mut quiet_seen, mut flooded_seen, mut tries) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for _ in 0..ROUNDS {
        let quiet = listings_p99(site, &listings, options).await?;
        let (over, tried) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let mut flood = JoinSet::new();
        for worker in 0..options.connections.clamp(1, 256) {
            let (site, over, tried) = (site.clone(), Arc::clone(&over), Arc::clone(&tried));
            flood.spawn(async move {
                while !over.load(Ordering::Relaxed) {
                    // Rejections count too, because a flood ignores `Retry-After`.
                    site.login(&format!("flood{worker}"), "not-the-password").await?;
                    tried.fetch_add(1, Ordering::Relaxed);
                }
                anyhow::Ok(())
            });
        }
        let flooded = listings_p99(site, &listings, options).await?;
        over.store(true, Ordering::Relaxed);
        while let Some(ended) = flood.join_next().await {
            ended??;
        }
        tries += tried.load(Ordering::Relaxed);
        ratios.push(1000 * flooded / quiet.max(1));
        quiet_seen.push(quiet);
        flooded_seen.push(flooded);
    }
    let (ratio, quiet, flooded) = (ms(median(ratios)), ms(median(quiet_seen)), ms(median(flooded_seen)));
    writeln!(
        out,
        "listings at {LISTINGS_RATE}/s: p99 {quiet:.2} ms alone, {flooded:.2} ms during {tries} sign-in attempts, {ratio:.2}x (medians of {ROUNDS} rounds)"
    )?;
    Ok(())
}

/// Returns the p99 latency of listings, measured from when a request was due.
async fn listings_p99(site: &SiteUnderTest, listings: &[String], options: &LoginsOptions) -> anyhow::Result<u64> {
    let mut requests = JoinSet::new();
    let started = Instant::now();
    for n in 0..u64::from(LISTINGS_RATE) * options.seconds.clamp(1, 60) {
        let due = started + Duration::from_secs_f64(n as f64 / f64::from(LISTINGS_RATE));
        tokio::time::sleep_until(due.into()).await;
        let (client, url) = (site.client.clone(), listings[n as usize % listings.len()].clone());
        requests.spawn(async move {
            client.get(&url).send().await?.error_for_status()?.bytes().await?;
            anyhow::Ok(micros(due))
        });
    }
    let mut seen = histogram()?;
    while let Some(answered) = requests.join_next().await {
        seen.saturating_record(answered??);
    }
    Ok(seen.value_at_quantile(0.99))
}
