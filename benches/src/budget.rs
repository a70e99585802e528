//! What `limits.compute` leaves people and refuses scripts: the cost of ordinary pages, and how much one address gets of lists and
//! searches that nobody asked for before.

use std::{
    fmt::Write,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use futures_util::{StreamExt, stream};
use reqwest::StatusCode;

use crate::{
    SiteUnderTest,
    mix::{Call, Catalog},
};

/// Pages of a kind a person opens.
const PAGES: usize = 40;
/// Requests a script has under way at once.
const AT_ONCE: usize = 4;
/// Requests after which a script that is never refused stops.
const MOST: u32 = 20_000;

/// What to measure.
#[derive(Debug, Clone)]
pub struct BudgetOptions {
    /// Address of the site on this machine, which believes `X-Forwarded-For` and limits nothing but computing.
    pub url: String,
    /// Seconds a script goes on after its first refusal, 1 to 60.
    pub seconds: u64,
    /// Seed of the pages.
    pub seed: u64,
}

/// Runs the measurements and prints them. `charged` says how many milliseconds were charged to all clients since the start.
///
/// # Errors
/// The address is not on loopback, or the site refuses what it should let through, or lets through what it should refuse.
pub async fn run(options: &BudgetOptions, charged: impl Fn() -> u64) -> anyhow::Result<String> {
    let site = SiteUnderTest::new(&options.url)?;
    let catalog = Catalog::read(&site.base).await?;
    let mut out = String::new();
    let kinds = [
        ("a video's page", catalog.pages()),
        ("a new list", catalog.urls(Call::Listing, options.seed)),
        ("a search", catalog.urls(Call::Search, options.seed)),
        ("a suggestion", catalog.urls(Call::Suggester, options.seed)),
    ];
    for (number, (name, urls)) in kinds.iter().enumerate() {
        let before = charged();
        for url in urls.iter().take(PAGES) {
            let status = site.ask(url, &format!("192.0.2.{}", number + 1)).await?;
            ensure!(status.is_success(), "{url}: {status}");
        }
        let each = (charged() - before) as f64 / urls.len().min(PAGES) as f64;
        writeln!(out, "{name}: {each:.1} ms charged on average")?;
    }
    site.exhaust("lists of random durations", "192.0.2.11", |number| catalog.odd_list(number), options, &mut out)
        .await?;
    site.exhaust("searches without a hit", "192.0.2.12", |number| catalog.odd_search(number), options, &mut out)
        .await?;
    Ok(out)
}

impl SiteUnderTest {
    async fn ask(&self, url: &str, client: &str) -> anyhow::Result<StatusCode> {
        let response = self.client.get(url).header("x-forwarded-for", client).send().await?;
        let status = response.status();
        response.bytes().await?;
        Ok(status)
    }

    /// Asks for one after the other, several at once, until `options.seconds` after the first refusal.
    async fn exhaust(
        &self,
        name: &str,
        client: &str,
        url: impl Fn(u32) -> String,
        options: &BudgetOptions,
        out: &mut String,
    ) -> anyhow::Result<()> {
        let time = Duration::from_secs(options.seconds.clamp(1, 60));
        let started = Instant::now();
        let asks = stream::iter(0..).map(|number| {
            let url = url(number);
            async move { self.ask(&url, client).await }
        });
        let mut answers = std::pin::pin!(asks.buffered(AT_ONCE));
        let (mut at_once, mut refused, mut later) = (0_u32, None, 0_u32);
        while let Some(status) = answers.next().await {
            match (status?, refused) {
                (StatusCode::TOO_MANY_REQUESTS, None) => refused = Some(Instant::now()),
                (StatusCode::TOO_MANY_REQUESTS, Some(_)) => {}
                (_, None) => {
                    at_once += 1;
                    ensure!(at_once < MOST, "{name}: {MOST} were answered");
                }
                (_, Some(_)) => later += 1,
            }
            if refused.is_some_and(|since: Instant| since.elapsed() > time) {
                break;
            }
        }
        let since = refused.context("the stream of requests has no end")?;
        let (first, rate) = (since - started, f64::from(later) / since.elapsed().as_secs_f64());
        writeln!(out, "{name}: {at_once} in the first {:.1} s, then {rate:.1} a second", first.as_secs_f64())?;
        Ok(())
    }
}
