//! What the API adds to a search: a listing that no cache holds, beside the bare search and document fetch behind it, in process
//! and over a loopback hop.

use std::{convert::Infallible, fmt::Write, time::Instant};

use anyhow::Context;
use axum::{body::Body, extract::Request, http::StatusCode, response::Response};
use lantern_engine::{Filter, SearchClient};
use meilisearch_sdk::search::{SearchQuery, Selectors};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use tower::{Service, ServiceExt};

use crate::engine::{PER_PAGE, histogram, quantile};

const FACETS: [&str; 2] = ["category_dirs", "model_dirs"];
const SORTS: [(&str, [&str; 2]); 3] = [
    ("latest-updates", ["post_date:desc", "id:desc"]),
    ("longest", ["duration:desc", "id:desc"]),
    ("top-rated", ["rating:desc", "id:desc"]),
];

/// The API as a service, which needs no socket.
pub trait Site: Service<Request, Response = Response, Error = Infallible> + Clone {}
impl<S: Service<Request, Response = Response, Error = Infallible> + Clone> Site for S {}

/// A listing nobody asked for before.
struct Listing {
    path: String,
    filter: String,
    sort: [&'static str; 2],
    offset: usize,
}

impl Listing {
    fn random(categories: &[String], random: &mut ChaCha8Rng) -> Option<Self> {
        let (category, (name, sort)) = (categories.choose(random)?, SORTS.choose(random)?);
        // Minutes: bounds are drawn from so many that none comes twice.
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

    /// Microseconds the site takes for it, without a socket.
    async fn by_site(&self, site: &impl Site) -> anyhow::Result<u64> {
        let request = Request::get(&self.path).header("accept-encoding", "br").body(Body::empty())?;
        let started = Instant::now();
        let response = site.clone().oneshot(request).await?;
        let status = response.status();
        axum::body::to_bytes(response.into_body(), usize::MAX).await?;
        anyhow::ensure!(status == StatusCode::OK, "{status} for {}", self.path);
        Ok(micros(started))
    }

    /// Microseconds the search behind it takes.
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

fn micros(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// Asks for `listings` listings in the three ways in turn and adds a table to `out`; `fields` is what the site makes cards from.
///
/// # Errors
/// The index is missing, or an answer is not 200.
pub async fn compare(
    site: &impl Site,
    near: &SearchClient,
    far: &SearchClient,
    fields: &[&str],
    listings: usize,
    out: &mut String,
) -> anyhow::Result<()> {
    let index = near.index("videos");
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
    let mut times = [histogram()?, histogram()?, histogram()?];
    for turn in 0..listings {
        let listing = Listing::random(&categories, &mut random).context("the index holds no categories")?;
        // Whoever comes first finds the index colder: each is first as often.
        for way in (0..3).map(|way| (way + turn) % 3) {
            times[way].saturating_record(match way {
                0 => listing.by_site(site).await?,
                1 => listing.by_engine(near, fields).await?,
                _ => listing.by_engine(far, fields).await?,
            });
        }
    }
    let [site, near, far] = times.map(|times| (quantile(&times, 0.5), quantile(&times, 0.99)));
    writeln!(out, "\n{:<34} {:>9} {:>9} {:>14}", "an uncached listing", "p50", "p99", "site's p99 is")?;
    writeln!(out, "{:<34} {:>9.2} {:>9.2}", "by the site, in process", site.0, site.1)?;
    for (name, time) in [("bare search in process", near), ("bare search over loopback HTTP", far)] {
        writeln!(out, "{name:<34} {:>9.2} {:>9.2} {:>13.2}x", time.0, time.1, site.1 / time.1)?;
    }
    Ok(())
}
