//! Measures the engine alone, on one index in one run: the same searches in process and over loopback HTTP, and pages at various depths.

use std::{fmt::Write, time::Instant};

use anyhow::Context;
use lantern_engine::{Engine, Keys};
use lantern_index::{Filter, SearchClient, Transport};
use meilisearch_sdk::search::{SearchQuery, Selectors};
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::{
    listing::{Listings, Site},
    load::{histogram, micros, quantile},
    writes,
};

/// Number of hits per page, the same as the site requests.
pub(crate) const PER_PAGE: usize = 60;
/// Pages whose cost is compared with the first one's.
const PAGES: [usize; 4] = [1, 100, 1_000, 10_000];

struct Kind {
    name: &'static str,
    index: &'static str,
    words: &'static [&'static str],
    filter: Filter,
    sort: &'static [&'static str],
    facets: &'static [&'static str],
    limit: usize,
}

impl Kind {
    fn listing(name: &'static str, filter: Filter, sort: &'static [&'static str]) -> Self {
        Self { name, index: "videos", words: &[], filter, sort, facets: &[], limit: PER_PAGE }
    }

    /// Returns how many microseconds search number `turn` of this kind takes, starting at rank `offset`. Returns `None` if the list ends
    /// before that rank.
    async fn search(&self, client: &SearchClient, turn: usize, offset: usize) -> anyhow::Result<Option<u64>> {
        let index = client.index(self.index);
        let filter = self.filter.to_expression();
        let mut query = SearchQuery::new(&index);
        query.with_offset(offset).with_limit(self.limit);
        if let Some(filter) = &filter {
            query.with_filter(filter);
        }
        if !self.sort.is_empty() {
            query.with_sort(self.sort);
        }
        if !self.facets.is_empty() {
            query.with_facets(Selectors::Some(self.facets));
        }
        if let Some(words) = self.words.get(turn % self.words.len().max(1)) {
            query.with_query(words);
        }
        let query = query.build();
        let started = Instant::now();
        let found = query.execute::<Value>().await.with_context(|| format!("the search \"{}\"", self.name))?;
        let micros = micros(started);
        Ok((!found.hits.is_empty()).then_some(micros))
    }
}

fn kinds() -> Vec<Kind> {
    let latest = Kind::listing("page 1", Filter::eq("gender", "str"), LATEST);
    let narrow = Filter::eq("gender", "str").and(Filter::between("duration", 600, 1800)).and(Filter::eq("is_hd", true));
    let suggested = &["mor", "ev", "qui", "har", "sum", "dan"];
    vec![
        Kind::listing("filtered", narrow, LATEST),
        Kind {
            name: "query",
            words: &["evening", "morning walk", "summer dance", "quiet"],
            sort: &[],
            ..latest_kind()
        },
        Kind { name: "facet counts", facets: &["category_dirs"], ..latest_kind() },
        Kind {
            name: "suggester",
            index: "suggestions",
            words: suggested,
            filter: Filter::all([]),
            sort: &[],
            facets: &[],
            limit: 10,
        },
        latest,
    ]
}

const LATEST: &[&str] = &["post_date:desc", "id:desc"];

fn latest_kind() -> Kind {
    Kind::listing("", Filter::eq("gender", "str"), LATEST)
}

/// Returns the sort orders and filters that a visitor can page through.
fn listings() -> Vec<Kind> {
    let all = || Filter::eq("gender", "str");
    let broad = || all().and(Filter::ge("duration", 120)).and(Filter::lt("duration", 6000));
    vec![
        Kind::listing("latest", all(), LATEST),
        Kind::listing("longest", all(), &["duration:desc", "id:desc"]),
        Kind::listing("most commented", all(), &["comments:desc", "id:desc"]),
        Kind::listing("most viewed", all(), &["viewed:desc", "id:desc"]),
        Kind::listing("viewed today", all(), &["viewed_day:desc", "id:desc"]),
        Kind::listing("top rated", all(), &["standing:desc", "id:desc"]),
        Kind::listing("latest, filtered", broad(), LATEST),
        Kind::listing("most viewed, filtered", broad(), &["viewed:desc", "id:desc"]),
        Kind::listing("top rated, filtered", broad(), &["standing:desc", "id:desc"]),
    ]
}

/// Engine that serves HTTP on loopback until dropped.
pub(crate) struct BenchEngine {
    pub(crate) client: SearchClient,
    server: JoinHandle<std::io::Result<()>>,
}

impl BenchEngine {
    pub(crate) async fn new(engine: &Engine, keys: &Keys) -> anyhow::Result<Self> {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        let client = Transport::http(&format!("http://{}", listener.local_addr()?), Some(&keys.master))?;
        let router = engine.router(keys.clone());
        Ok(Self { client, server: tokio::spawn(async move { axum::serve(listener, router).await }) })
    }
}

impl Drop for BenchEngine {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// Runs the comparisons with `searches` searches per figure (10 to 1,000) and returns their tables. `listings` is filled here, but its
/// table is not returned. `site` is the API on that engine, and `fields` are the attributes from which it builds cards.
pub async fn run(
    (engine, keys): (&Engine, &Keys),
    site: impl Site,
    fields: &[&str],
    listings: &mut Listings,
    searches: usize,
) -> anyhow::Result<String> {
    let searches = searches.clamp(10, 1000);
    let (near, far) = (Transport::in_process(engine.trusted_router(), None), BenchEngine::new(engine, keys).await?);
    let documents = near.index("videos").get_stats().await.context("the videos index is missing")?.number_of_documents;
    let mut out = format!("{documents} videos, {searches} searches per figure, milliseconds\n");
    listings.ask(&site, &near, &far.client, fields).await?;
    transports(&near, &far.client, searches, &mut out).await?;
    depths(&near, searches, &mut out).await?;
    writes::table(&near, &mut out).await?;
    Ok(out)
}

async fn transports(near: &SearchClient, far: &SearchClient, searches: usize, out: &mut String) -> anyhow::Result<()> {
    writeln!(out, "\n{:<22} {:>9} {:>9} {:>9} {:>9} {:>8}", "", "in proc.", "p99", "HTTP", "p99", "ratio")?;
    for kind in kinds() {
        let mut times = [histogram()?, histogram()?];
        // Alternate, so that noise affects both equally.
        for turn in 0..searches {
            for (client, times) in [near, far].into_iter().zip(&mut times) {
                if let Some(micros) = kind.search(client, turn, 0).await? {
                    times.saturating_record(micros);
                }
            }
        }
        let [near, far] = times.map(|times| (quantile(&times, 0.5), quantile(&times, 0.99)));
        let ratio = far.0 / near.0;
        writeln!(out, "{:<22} {:>9.2} {:>9.2} {:>9.2} {:>9.2} {ratio:>7.2}x", kind.name, near.0, near.1, far.0, far.1)?;
    }
    Ok(())
}

async fn depths(client: &SearchClient, searches: usize, out: &mut String) -> anyhow::Result<()> {
    write!(out, "\n{:<22}", "page")?;
    for page in PAGES {
        write!(out, " {page:>9} {:>7}", "")?;
    }
    out.push('\n');
    for kind in listings() {
        let mut times = PAGES.iter().map(|_| histogram()).collect::<anyhow::Result<Vec<_>>>()?;
        for turn in 0..searches {
            for (page, times) in PAGES.into_iter().zip(&mut times) {
                // Each time, use a different page near the wanted one, so that no result is warm.
                let offset = (page - 1 + if page > 1 { turn } else { 0 }) * PER_PAGE;
                if let Some(micros) = kind.search(client, turn, offset).await? {
                    times.saturating_record(micros);
                }
            }
        }
        let first = quantile(&times[0], 0.5);
        write!(out, "{:<22}", kind.name)?;
        for times in times {
            match times.len() {
                0 => write!(out, " {:>9} {:>7}", "-", "")?,
                _ => write!(out, " {:>9.2} {:>6.2}x", quantile(&times, 0.5), quantile(&times, 0.5) / first)?,
            }
        }
        out.push('\n');
    }
    Ok(())
}
