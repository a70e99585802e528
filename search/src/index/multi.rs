//! Several queries of several indexes in one round trip.

use lantern_errors::{ApiError, ApiResult};
use lantern_index::{SearchClient, Transport};
use meilisearch_sdk::indexes::Index;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::videos::{Found, VideoId, VideoQuery, ask, has_no_such_field, request};

/// A document of any index, not read yet.
pub type Hit = Box<RawValue>;

/// What the engine answers to several queries.
#[derive(Deserialize)]
struct FoundLists {
    results: Vec<Found<Hit>>,
}

impl Found<Hit> {
    /// The same hits as documents of one index.
    pub fn read<T: DeserializeOwned>(self) -> ApiResult<Found<T>> {
        let hits = self.hits.iter().map(|hit| serde_json::from_str(hit.get()));
        let hits = hits.collect::<Result<_, _>>().map_err(ApiError::internal)?;
        Ok(Found { hits, total: self.total, counts: self.counts, took: self.took })
    }
}

/// The id of a video.
pub fn video_id(hit: &Hit) -> ApiResult<i64> {
    Ok(serde_json::from_str::<VideoId>(hit.get()).map_err(ApiError::internal)?.id)
}

/// Asks the index all of it at once; the answers come in the order of the queries.
pub async fn find_many(search: &SearchClient, queries: &[VideoQuery<'_>]) -> ApiResult<Vec<Found<Hit>>> {
    if queries.is_empty() {
        return Ok(Vec::new());
    }
    let places: Vec<(Index<Transport>, Option<String>)> =
        queries.iter().map(|query| (search.index(query.index.uid()), query.filter.to_expression())).collect();
    let mut all = search.multi_search();
    for (query, (index, filter)) in queries.iter().zip(&places) {
        all.with_search_query(request(index, query, filter.as_ref()));
    }
    match search.search_many::<FoundLists>(&all).await {
        // An index without documents fails all of them; it is no reason to show nothing of the others.
        Err(error) if has_no_such_field(&error) => {
            let mut found = Vec::with_capacity(queries.len());
            for query in queries {
                found.push(ask(search, query).await?);
            }
            Ok(found)
        }
        outcome => Ok(outcome?.results),
    }
}
