//! Pages of albums, playlists, models and members, which each come from one index in one order.

use std::{collections::HashMap, hash::Hash};

use lantern_errors::ApiResult;
use lantern_index::{Filter, FilterValue, IndexName, SearchClient};
use meilisearch_sdk::search::{SearchQuery, Selectors};
use serde::de::{DeserializeOwned, IgnoredAny};

use super::{Found, deep};

/// Query for one page of an index.
pub struct ListQuery<'a> {
    /// Index to query.
    pub index: IndexName,
    /// Condition that documents must meet.
    pub filter: Filter,
    /// Sort keys. The last one is unique, so the order is total.
    pub sort: [&'a str; 2],
    /// Index of the first item.
    pub offset: usize,
    /// Maximum number of items.
    pub limit: usize,
    /// Fields to retrieve.
    pub fields: &'a [&'a str],
}

/// Returns the page and the exact total.
pub async fn page<T>(search: &SearchClient, query: ListQuery<'_>) -> ApiResult<(Vec<T>, usize)>
where
    T: DeserializeOwned + Send + Sync + 'static,
{
    let index = search.index(query.index.uid());
    let filter = query.filter.to_expression();
    // A Meilisearch server visits every hit before the page, so skip the query if the page is past the last one.
    if search.is_remote() && query.offset > deep::MAX_SKIP {
        let mut request = SearchQuery::new(&index);
        request.with_limit(0);
        if let Some(filter) = &filter {
            request.with_filter(filter);
        }
        let count: Found<IgnoredAny> = search.search(query.index.uid(), &request).await?;
        if count.total <= query.offset {
            return Ok((Vec::new(), count.total));
        }
    }
    let mut request = SearchQuery::new(&index);
    request
        .with_sort(&query.sort)
        .with_offset(query.offset)
        .with_limit(query.limit)
        .with_attributes_to_retrieve(Selectors::Some(query.fields));
    if let Some(filter) = &filter {
        request.with_filter(filter);
    }
    let found: Found<T> = search.search(query.index.uid(), &request).await?;
    Ok((found.hits, found.total))
}

/// Returns the documents with these ids, in the same order. Missing documents are skipped.
pub async fn in_order<T, Id>(
    search: &SearchClient,
    index: IndexName,
    fields: &[&str],
    ids: &[Id],
    id_of: impl Fn(&T) -> Id,
) -> ApiResult<Vec<T>>
where
    T: DeserializeOwned + Send + Sync + 'static,
    Id: Clone + Eq + Hash + Into<FilterValue>,
{
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let (uid, filter) = (index.uid(), Filter::in_("id", ids.iter().cloned()).to_string());
    let index = search.index(uid);
    let mut request = SearchQuery::new(&index);
    request.with_filter(&filter).with_limit(ids.len()).with_attributes_to_retrieve(Selectors::Some(fields));
    let found: Found<T> = search.search(uid, &request).await?;
    let mut by_id: HashMap<Id, T> = found.hits.into_iter().map(|hit| (id_of(&hit), hit)).collect();
    Ok(ids.iter().filter_map(|id| by_id.remove(id)).collect())
}

/// Whether any document of the index meets the condition.
pub async fn exists(search: &SearchClient, index: IndexName, condition: Filter) -> ApiResult<bool> {
    let index = search.index(index.uid());
    let filter = condition.to_string();
    let found = SearchQuery::new(&index).with_filter(&filter).with_limit(0).build().execute::<IgnoredAny>().await?;
    Ok(found.estimated_total_hits.unwrap_or_default() > 0)
}
