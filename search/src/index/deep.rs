//! Finds where a page far down a list begins on a Meilisearch server.
//!
//! The server visits every hit before a page, so a list is entered at the sort key of the page's first rank instead.
//! The embedded engine finds any rank by itself and doesn't need this (ADR 6).
//!
//! The key is found by counting the hits with a higher key. Each count narrows the range of possible keys. The next key
//! to try is guessed by interpolation, or by bisection if interpolation gains too little. Counts are cached for each
//! listing, so the next pages of a listing need at most one count.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use lantern_catalog::changes::Changes;
use lantern_index::{Filter, IndexName, SearchClient, Transport};
use meilisearch_sdk::{
    indexes::Index,
    search::{SearchQuery, Selectors},
};
use serde_json::Value;
use tokio::sync::Mutex;

use lantern_errors::ApiResult;

/// Up to this number of hits, skipping is faster than counting.
pub(super) const MAX_SKIP: usize = 64;
/// Maximum number of counts per page. The remaining hits are skipped.
const MAX_PROBES: usize = 64;
/// Maximum number of listings with cached counts.
const CACHE_CAPACITY: u64 = 2_000;
const CACHE_LIFETIME: Duration = Duration::from_secs(600);

/// Where to enter a list.
#[derive(Debug)]
pub struct Start {
    /// The list's filter, which excludes most or all hits before the page.
    pub filter: Filter,
    /// Number of remaining hits before the page.
    pub offset: usize,
}

/// Known counts of a listing: maps the number of hits with a higher key to the key.
#[derive(Debug, Default)]
struct Ladder(BTreeMap<usize, f64>);

/// The ladders of recent listings.
pub struct Ladders {
    search: SearchClient,
    changes: Changes,
    known: moka::future::Cache<(u64, IndexName, String, String), Arc<Mutex<Ladder>>>,
}

impl Ladders {
    /// Creates an empty cache.
    pub fn new(search: SearchClient, changes: Changes) -> Self {
        let known = moka::future::Cache::builder().max_capacity(CACHE_CAPACITY).time_to_live(CACHE_LIFETIME).build();
        Self { search, changes, known }
    }
}

/// Position of a rank in a list.
enum Place {
    /// The rank is `skip` hits after all hits with a key above `key`.
    Above { key: f64, skip: usize },
    /// The rank is `skip` hits after the first hit whose key is `key`.
    Tied { key: f64, skip: usize },
    /// The rank is after all hits that have the sort field.
    End,
}

/// Returns where to enter a listing for rank `offset`. The rules in `sort` have the form `field:desc`, and the last
/// field is unique.
pub async fn start(
    ladders: &Ladders,
    index: IndexName,
    filter: &Filter,
    sort: &[&str],
    offset: usize,
) -> ApiResult<Start> {
    let from_top = || Start { filter: filter.clone(), offset };
    let keys: Option<Vec<&str>> = sort.iter().map(|rule| rule.strip_suffix(":desc")).collect();
    let Some(&[key, ref rest @ ..]) = keys.as_deref() else { return Ok(from_top()) };
    if offset <= MAX_SKIP {
        return Ok(from_top());
    }
    let listing = Listing { ladders, index, filter: filter.clone(), key };
    Ok(match listing.locate(offset).await? {
        Place::End => from_top(),
        Place::Above { key: value, skip } => Start { filter: filter.clone().and(Filter::le(key, value)), offset: skip },
        Place::Tied { key: value, skip } => {
            let equal = filter.clone().and(Filter::eq(key, value));
            let within = match rest.first() {
                Some(second) => Listing { ladders, index, filter: equal, key: second }.locate(skip).await?,
                None => Place::End,
            };
            match (within, rest.first()) {
                (Place::Above { key: next, skip } | Place::Tied { key: next, skip }, Some(second)) => {
                    let here = Filter::eq(key, value).and(Filter::le(*second, next));
                    Start { filter: filter.clone().and(here.or(Filter::lt(key, value))), offset: skip }
                }
                _ => Start { filter: filter.clone().and(Filter::le(key, value)), offset: skip },
            }
        }
    })
}

/// The hits of a filter, highest `key` first.
struct Listing<'a> {
    ladders: &'a Ladders,
    index: IndexName,
    filter: Filter,
    key: &'a str,
}

impl Listing<'_> {
    async fn locate(&self, offset: usize) -> ApiResult<Place> {
        let generation = self.ladders.changes.generation();
        let name = (generation, self.index, self.filter.to_string(), self.key.to_owned());
        let ladder = self.ladders.known.get_with(name, async { Arc::default() }).await;
        let mut ladder = ladder.lock().await;
        if ladder.0.is_empty() {
            let Some(ends) = self.ends().await? else { return Ok(Place::End) };
            ladder.0.extend(ends);
        }
        let mut idle = 0;
        for probe in 0..MAX_PROBES {
            let Some((rank, key)) = ladder.0.range(..=offset).next_back().map(|(r, k)| (*r, *k)) else { break };
            let Some((next_rank, next_key)) = ladder.0.range(offset + 1..).next().map(|(r, k)| (*r, *k)) else {
                return Ok(Place::End);
            };
            if offset - rank <= MAX_SKIP {
                return Ok(Place::Above { key, skip: offset - rank });
            }
            let wanted = (offset - rank - MAX_SKIP / 2) as f64 / (next_rank - rank) as f64;
            // Every other guess bisects, so that skewed keys don't converge slowly.
            let share = if probe % 2 == 0 { wanted } else { 0.5 };
            let guess = key + (next_key - key) * share;
            if idle >= 2 || guess >= key || guess <= next_key {
                if let Some(tied) = self.tied(&mut ladder, key, offset - rank).await? {
                    return Ok(tied);
                }
                idle = 0;
                continue;
            }
            let above = self.count(Filter::gt(self.key, guess)).await?;
            idle = if above == rank || above == next_rank { idle + 1 } else { 0 };
            // If two keys have the same count, the lower one narrows the range.
            ladder.0.insert(above, guess);
        }
        let known = ladder.0.range(..=offset).next_back();
        Ok(known.map_or(Place::End, |(rank, key)| Place::Above { key: *key, skip: offset - rank }))
    }

    /// Whether the wanted hit is among the hits with the highest key that does not exceed `key`. The wanted hit is
    /// `skip` places after the hits with a key above `key`. If it is not among them, adds the next lower key to the
    /// ladder.
    async fn tied(&self, ladder: &mut Ladder, key: f64, skip: usize) -> ApiResult<Option<Place>> {
        let (Some(top), total) = self.first_key(Some(Filter::le(self.key, key)), "desc").await? else {
            return Ok(Some(Place::End));
        };
        let (next, below) = self.first_key(Some(Filter::lt(self.key, top)), "desc").await?;
        let equal = total - below;
        if skip < equal {
            return Ok(Some(Place::Tied { key: top, skip }));
        }
        let Some(next) = next else { return Ok(Some(Place::End)) };
        let rank = ladder.0.iter().find(|(_, known)| **known == key).map_or(0, |(rank, _)| *rank);
        ladder.0.insert(rank + equal, next);
        Ok(None)
    }

    /// Returns the ends of the ladder. No hit is above the highest key, and all hits are above a key below the lowest
    /// one.
    async fn ends(&self) -> ApiResult<Option<[(usize, f64); 2]>> {
        let (highest, lowest) = tokio::try_join!(self.first_key(None, "desc"), self.first_key(None, "asc"))?;
        let (Some(highest), Some(lowest)) = (highest.0, lowest.0) else { return Ok(None) };
        let lower = lowest - 1.0;
        Ok(Some([(0, highest), (self.count(Filter::gt(self.key, lower)).await?, lower)]))
    }

    async fn count(&self, condition: Filter) -> ApiResult<usize> {
        Ok(self.query(Some(condition), None).await?.1)
    }

    async fn first_key(&self, condition: Option<Filter>, direction: &str) -> ApiResult<(Option<f64>, usize)> {
        self.query(condition, Some(&format!("{}:{direction}", self.key))).await
    }

    /// Returns the total, and the key of the first hit if an order is given.
    async fn query(&self, condition: Option<Filter>, order: Option<&str>) -> ApiResult<(Option<f64>, usize)> {
        let index: Index<Transport> = self.ladders.search.index(self.index.uid());
        let filter = Filter::all([Some(self.filter.clone()), condition].into_iter().flatten()).to_expression();
        let fields = [self.key];
        let sort: Vec<&str> = order.into_iter().collect();
        let mut query = SearchQuery::new(&index);
        query.with_limit(sort.len()).with_attributes_to_retrieve(Selectors::Some(&fields)).with_sort(&sort);
        if let Some(filter) = &filter {
            query.with_filter(filter);
        }
        let found = query.build().execute::<Value>().await?;
        let key = found.hits.first().and_then(|hit| hit.result[self.key].as_f64());
        Ok((key, found.estimated_total_hits.unwrap_or_default()))
    }
}
