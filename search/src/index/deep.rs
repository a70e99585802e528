//! Where a page far down a list begins, for a Meilisearch server: it visits every hit before the page, so a list is entered
//! at the sort key of its rank instead. The embedded engine finds any rank by itself and needs none of this.
//!
//! The key is found by counting: how many hits have a higher key. Each count narrows the range of keys, guessed by
//! interpolation and halved when that gains too little. Counts of a listing are cached, so its next pages cost one or none.

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

/// So many hits are passed over faster than they are counted.
pub(super) const NEAR: usize = 64;
/// Counts for one page at most; then what is still missing is passed over.
const PROBES: usize = 64;
/// Listings whose counts are cached, and for how long.
const KEPT: u64 = 2_000;
const KEPT_FOR: Duration = Duration::from_secs(600);

/// A list entered at a key.
#[derive(Debug)]
pub struct Start {
    /// The list's filter without what lies before the page, or most of it.
    pub filter: Filter,
    /// Hits still before the page.
    pub offset: usize,
}

/// How many hits have a key above another, known so far: rank → key.
#[derive(Debug, Default)]
struct Ladder(BTreeMap<usize, f64>);

/// The ladders of recent listings.
pub struct Ladders {
    search: SearchClient,
    changes: Changes,
    known: moka::future::Cache<(u64, IndexName, String, String), Arc<Mutex<Ladder>>>,
}

impl Ladders {
    /// None is known yet.
    pub fn new(search: SearchClient, changes: Changes) -> Self {
        let known = moka::future::Cache::builder().max_capacity(KEPT).time_to_live(KEPT_FOR).build();
        Self { search, changes, known }
    }
}

/// The place of a rank.
enum Place {
    /// Behind every hit with a key above `key` come `skip` more.
    Above { key: f64, skip: usize },
    /// Among the hits whose key is `key`, behind `skip` of them.
    Tied { key: f64, skip: usize },
    /// Behind every hit that has the key.
    End,
}

/// Finds where rank `offset` of a listing lies that is sorted by `sort`, `field:desc` each, the last one unique.
pub async fn start(
    ladders: &Ladders,
    index: IndexName,
    filter: &Filter,
    sort: &[&str],
    offset: usize,
) -> ApiResult<Start> {
    let plain = || Start { filter: filter.clone(), offset };
    let keys: Option<Vec<&str>> = sort.iter().map(|rule| rule.strip_suffix(":desc")).collect();
    let Some(&[key, ref rest @ ..]) = keys.as_deref() else { return Ok(plain()) };
    if offset <= NEAR {
        return Ok(plain());
    }
    let listing = Listing { ladders, index, filter: filter.clone(), key };
    Ok(match listing.place(offset).await? {
        Place::End => plain(),
        Place::Above { key: value, skip } => Start { filter: filter.clone().and(Filter::le(key, value)), offset: skip },
        Place::Tied { key: value, skip } => {
            let equal = filter.clone().and(Filter::eq(key, value));
            let within = match rest.first() {
                Some(second) => Listing { ladders, index, filter: equal, key: second }.place(skip).await?,
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
    async fn place(&self, offset: usize) -> ApiResult<Place> {
        let generation = self.ladders.changes.generation();
        let name = (generation, self.index, self.filter.to_string(), self.key.to_owned());
        let ladder = self.ladders.known.get_with(name, async { Arc::default() }).await;
        let mut ladder = ladder.lock().await;
        if ladder.0.is_empty() {
            let Some(ends) = self.ends().await? else { return Ok(Place::End) };
            ladder.0.extend(ends);
        }
        let mut idle = 0;
        for probe in 0..PROBES {
            let Some((rank, key)) = ladder.0.range(..=offset).next_back().map(|(r, k)| (*r, *k)) else { break };
            let Some((next_rank, next_key)) = ladder.0.range(offset + 1..).next().map(|(r, k)| (*r, *k)) else {
                return Ok(Place::End);
            };
            if offset - rank <= NEAR {
                return Ok(Place::Above { key, skip: offset - rank });
            }
            let wanted = (offset - rank - NEAR / 2) as f64 / (next_rank - rank) as f64;
            // Every other guess halves, so that skewed keys don't creep.
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
            // Of two keys with as many hits above, the one nearer to the next hits narrows the range.
            ladder.0.insert(above, guess);
        }
        let known = ladder.0.range(..=offset).next_back();
        Ok(known.map_or(Place::End, |(rank, key)| Place::Above { key: *key, skip: offset - rank }))
    }

    /// Whether the wanted hit, `skip` behind those above `key`, is one of those with the highest key up to `key`; if not,
    /// the ladder gets the key below them.
    async fn tied(&self, ladder: &mut Ladder, key: f64, skip: usize) -> ApiResult<Option<Place>> {
        let (Some(top), total) = self.first(Some(Filter::le(self.key, key)), "desc").await? else {
            return Ok(Some(Place::End));
        };
        let (next, below) = self.first(Some(Filter::lt(self.key, top)), "desc").await?;
        let equal = total - below;
        if skip < equal {
            return Ok(Some(Place::Tied { key: top, skip }));
        }
        let Some(next) = next else { return Ok(Some(Place::End)) };
        let rank = ladder.0.iter().find(|(_, known)| **known == key).map_or(0, |(rank, _)| *rank);
        ladder.0.insert(rank + equal, next);
        Ok(None)
    }

    /// Nothing is above the highest key, everything above one that is lower than all.
    async fn ends(&self) -> ApiResult<Option<[(usize, f64); 2]>> {
        let (highest, lowest) = tokio::try_join!(self.first(None, "desc"), self.first(None, "asc"))?;
        let (Some(highest), Some(lowest)) = (highest.0, lowest.0) else { return Ok(None) };
        let lower = lowest - 1.0;
        Ok(Some([(0, highest), (self.count(Filter::gt(self.key, lower)).await?, lower)]))
    }

    async fn count(&self, condition: Filter) -> ApiResult<usize> {
        Ok(self.ask(Some(condition), None).await?.1)
    }

    async fn first(&self, condition: Option<Filter>, direction: &str) -> ApiResult<(Option<f64>, usize)> {
        self.ask(condition, Some(&format!("{}:{direction}", self.key))).await
    }

    /// The key of the first hit, where an order is wanted, and the number of all.
    async fn ask(&self, condition: Option<Filter>, order: Option<&str>) -> ApiResult<(Option<f64>, usize)> {
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
