//! Measures the API's overhead over a search. An uncached listing is compared with the bare search and document fetch behind it: in
//! process, over loopback to the embedded engine, and over loopback to an engine that counts facets in the same way as a Meilisearch
//! server.

use std::{convert::Infallible, fmt::Write, time::Instant};

use anyhow::Context;
use axum::{body::Body, extract::Request, http::StatusCode, response::Response};
use hdrhistogram::Histogram;
use lantern_engine::{Engine, Keys};
use lantern_index::{Filter, SearchClient};
use meilisearch_sdk::search::{SearchQuery, Selectors};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use tower::{Service, ServiceExt};

use crate::{
    engine::{BenchEngine, PER_PAGE},
    load::{histogram, micros, quantile},
};

/// Facets counted by video lists.
pub(crate) const FACETS: [&str; 2] = ["category_dirs", "model_dirs"];
const SORTS: [(&str, [&str; 2]); 3] = [
    ("latest-updates", ["post_date:desc", "id:desc"]),
    ("longest", ["duration:desc", "id:desc"]),
    ("top-rated", ["standing:desc", "id:desc"]),
];

/// The API as a service, without a socket.
pub trait Site: Service<Request, Response = Response, Error = Infallible> + Clone {}
impl<S: Service<Request, Response = Response, Error = Infallible> + Clone> Site for S {}

/// Listing that was never requested before.
struct Listing {
    path: String,
    filter: String,
    sort: [&'static str; 2],
    offset: usize,
}

impl Listing {
    fn random(categories: &[String], random: &mut ChaCha8Rng) -> Option<Self> {
        let (category, (name, sort)) = (categories.choose(random)?, SORTS.choose(random)?);
        // The durations are in minutes, from ranges that are wide enough to avoid duplicates.
        let (from, to, page) = (random.random_range(0..40), random.random_range(60..600), random.random_range(1..=4));
        let filter = Filter::eq("gender", "str").and(Filter::eq("category_dirs", category)).and(Filter::between(
            "duration",
            from * 60,
            to * 60,
        ));
        Some(Self {
            path: format!(
                "/api/json/videos2/86400/str/{name}/{PER_PAGE}/categories.{category}.{page}.all.{from}-{to}.all.json"
            ),
            filter: filter.to_string(),
            sort: *sort,
            offset: (page - 1) * PER_PAGE,
        })
    }

    /// Returns how many microseconds the site takes, without a socket.
    async fn by_site(&self, site: &impl Site) -> anyhow::Result<u64> {
        let request = Request::get(&self.path).header("accept-encoding", "br").body(Body::empty())?;
        let started = Instant::now();
        let response = site.clone().oneshot(request).await?;
        let status = response.status();
        axum::body::to_bytes(response.into_body(), usize::MAX).await?;
        anyhow::ensure!(status == StatusCode::OK, "{status} for {}", self.path);
        Ok(micros(started))
    }

    /// Returns how many microseconds the underlying search takes.
    async fn by_engine(&self, client: &SearchClient, fields: &[&str]) -> anyhow::Result<u64> {
        let index = client.index("videos");
        let mut query = SearchQuery::new(&index);
        query.with_filter(&self.filter).with_sort(&self.sort).with_offset(self.offset).with_limit(PER_PAGE);
        query.with_facets(Selectors::Some(&FACETS)).with_attributes_to_retrieve(Selectors::Some(fields));
        let query = query.build();
        let started = Instant::now();
        query.execute::<Value>().await?;
        Ok(micros(started))
    }
}

/// Timings of uncached listings by path.
pub struct Listings {
    count: usize,
    site: Histogram<u64>,
    near: Histogram<u64>,
    far: Histogram<u64>,
    far_from_disk: Histogram<u64>,
}

/// Half of the listings to request.
#[derive(Clone, Copy)]
pub enum Half {
    /// The first ones.
    First,
    /// The rest.
    Second,
}

impl Listings {
    /// Creates empty timings for `count` listings (10 to 1,000).
    pub fn new(count: usize) -> anyhow::Result<Self> {
        Ok(Self {
            count: count.clamp(10, 1000),
            site: histogram()?,
            near: histogram()?,
            far: histogram()?,
            far_from_disk: histogram()?,
        })
    }

    /// Requests every listing from the site and runs the underlying search in process and over HTTP, alternating between them. `fields` are
    /// the attributes from which the site builds cards.
    pub async fn ask(
        &mut self,
        site: &impl Site,
        near: &SearchClient,
        far: &SearchClient,
        fields: &[&str],
    ) -> anyhow::Result<()> {
        for (turn, listing) in draw(near, self.count).await?.iter().enumerate() {
            // The first to run finds a colder index, so each is first equally often.
            for way in (0..3).map(|way| (way + turn) % 3) {
                match way {
                    0 => self.site.saturating_record(listing.by_site(site).await?),
                    1 => self.near.saturating_record(listing.by_engine(near, fields).await?),
                    _ => self.far.saturating_record(listing.by_engine(far, fields).await?),
                }
            }
        }
        Ok(())
    }

    /// Queries an engine without facet memory, which counts facets in the same way as a Meilisearch server: with milli, from disk.
    pub async fn ask_from_disk(
        &mut self,
        engine: &Engine,
        keys: &Keys,
        fields: &[&str],
        half: Half,
    ) -> anyhow::Result<()> {
        let far = BenchEngine::new(engine, keys).await?;
        let listings = draw(&far.client, self.count).await?;
        let (first, second) = listings.split_at(listings.len() / 2);
        for listing in match half {
            Half::First => first,
            Half::Second => second,
        } {
            self.far_from_disk.saturating_record(listing.by_engine(&far.client, fields).await?);
        }
        Ok(())
    }

    /// Formats the table.
    #[must_use]
    pub fn table(&self) -> String {
        let name = format!("{} uncached listings", self.count);
        let mut out = format!("{name:<48} {:>9} {:>9} {:>9} {:>14}\n", "p50", "p90", "p99", "site's p99 is");
        let site = quantile(&self.site, 0.99);
        for (name, times) in [
            ("by the site, in process", &self.site),
            ("bare search in process", &self.near),
            ("bare search over HTTP", &self.far),
            ("bare search over HTTP, counted like Meilisearch", &self.far_from_disk),
        ] {
            let [p50, p90, p99] = [0.5, 0.9, 0.99].map(|part| quantile(times, part));
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{name:<50} {p50:>7.2} {p90:>9.2} {p99:>9.2} {:>13.2}x", site / p99);
        }
        out
    }
}

/// Draws `count` listings. The same index always yields the same ones.
async fn draw(client: &SearchClient, count: usize) -> anyhow::Result<Vec<Listing>> {
    let index = client.index("videos");
    let counted = SearchQuery::new(&index)
        .with_limit(0)
        .with_facets(Selectors::Some(&FACETS[..1]))
        .build()
        .execute::<Value>()
        .await?;
    let counts = counted.facet_distribution.unwrap_or_default();
    let mut categories: Vec<String> = counts.get(FACETS[0]).into_iter().flatten().map(|(dir, _)| dir.clone()).collect();
    categories.sort_unstable();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    (0..count).map(|_| Listing::random(&categories, &mut random).context("the index holds no categories")).collect()
}
