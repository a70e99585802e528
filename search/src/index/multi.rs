//! Runs several engine queries on any indexes in one round trip.

use lantern_errors::{ApiError, ApiResult};
use lantern_index::{SearchClient, Transport};
use meilisearch_sdk::indexes::Index;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::videos::{Found, VideoId, VideoQuery, execute, is_unknown_field, request};

/// A document of any index, not yet parsed.
pub type Hit = Box<RawValue>;

/// The engine's response to several queries.
#[derive(Deserialize)]
struct FoundLists {
    results: Vec<Found<Hit>>,
}

impl Found<Hit> {
    /// Parses the hits as documents of one index.
    pub fn read<T: DeserializeOwned>(self) -> ApiResult<Found<T>> {
        let hits = self.hits.iter().map(|hit| serde_json::from_str(hit.get()));
        let hits = hits.collect::<Result<_, _>>().map_err(ApiError::internal)?;
        Ok(Found { hits, total: self.total, counts: self.counts, took: self.took })
    }
}

/// Returns the id of a video.
pub fn video_id(hit: &Hit) -> ApiResult<i64> {
    Ok(serde_json::from_str::<VideoId>(hit.get()).map_err(ApiError::internal)?.id)
}

/// Runs several lists of queries in one request. The results have the same order as the queries.
pub async fn find_lists<const N: usize>(
    search: &SearchClient,
    lists: [Vec<VideoQuery<'_>>; N],
) -> ApiResult<[Vec<Found<Hit>>; N]> {
    let mut found = find_many(search, &lists.concat()).await?.into_iter();
    Ok(lists.map(|queries| found.by_ref().take(queries.len()).collect()))
}

/// Runs all queries in one request. The results have the same order as the queries.
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
        // A single index without documents makes the whole request fail, so run the queries one by one.
        Err(error) if is_unknown_field(&error) => {
            let mut found = Vec::with_capacity(queries.len());
            for query in queries {
                found.push(execute(search, query).await?);
            }
            Ok(found)
        }
        outcome => Ok(outcome?.results),
    }
}
