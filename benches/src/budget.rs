//! Measures the effect of `limits.compute` on people and scripts: the cost of ordinary pages, and how many uncached lists and searches one
//! address can request.

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

/// Pages of each kind that a person opens.
const PAGES: usize = 40;
/// Concurrent requests of a script.
const AT_ONCE: usize = 4;
/// Number of requests after which a script that is never rejected stops.
const MOST: u32 = 20_000;

/// What to measure.
#[derive(Debug, Clone)]
pub struct BudgetOptions {
    /// URL of the site on this machine, which must trust `X-Forwarded-For` and limit computation only.
    pub url: String,
    /// Seconds a script continues after its first rejection, 1 to 60.
    pub seconds: u64,
    /// Seed for the pages.
    pub seed: u64,
}

/// Runs the measurements and returns their results. `charged` returns the milliseconds charged to all clients since the start.
///
/// # Errors
/// If the URL is not on loopback, or the site rejects what it should accept or accepts what it should reject.
pub async fn run(options: &BudgetOptions, charged: impl Fn() -> u64) -> anyhow::Result<String> {
    let site = SiteUnderTest::new(&options.url)?;
    let catalog = Catalog::read(&site.base).await?;
    let mut out = String::new();
    let kinds = [
        ("video page", catalog.pages()),
        ("uncached list", catalog.urls(Call::Listing, options.seed)),
        ("search", catalog.urls(Call::Search, options.seed)),
        ("suggestion", catalog.urls(Call::Suggester, options.seed)),
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
    site.exhaust("lists with random durations", "192.0.2.11", |number| catalog.odd_list(number), options, &mut out)
        .await?;
    site.exhaust("searches without hits", "192.0.2.12", |number| catalog.odd_search(number), options, &mut out).await?;
    Ok(out)
}

impl SiteUnderTest {
    async fn ask(&self, url: &str, client: &str) -> anyhow::Result<StatusCode> {
        let response = self.client.get(url).header("x-forwarded-for", client).send().await?;
        let status = response.status();
        response.bytes().await?;
        Ok(status)
    }

    /// Requests one URL after another, several concurrently, until `options.seconds` after the first rejection.
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
                    ensure!(at_once < MOST, "{name}: not rejected within {MOST} requests");
                }
                (_, Some(_)) => later += 1,
            }
            if refused.is_some_and(|since: Instant| since.elapsed() > time) {
                break;
            }
        }
        let since = refused.context("no request was rejected")?;
        let (first, rate) = (since - started, f64::from(later) / since.elapsed().as_secs_f64());
        writeln!(out, "{name}: {at_once} in the first {:.1} s, then {rate:.1}/s", first.as_secs_f64())?;
        Ok(())
    }
}
