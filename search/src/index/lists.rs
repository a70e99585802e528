//! Lists of albums, playlists, models and members: one page of an index in one order.

use std::{collections::HashMap, hash::Hash};

use lantern_errors::ApiResult;
use lantern_index::{Filter, FilterValue, IndexName, SearchClient};
use meilisearch_sdk::search::{SearchQuery, Selectors};
use serde::de::{DeserializeOwned, IgnoredAny};

use super::{Found, deep};

/// One page of an index.
pub struct ListQuery<'a> {
    pub index: IndexName,
    pub filter: Filter,
    /// Order, total because its last key is unique.
    pub sort: [&'a str; 2],
    pub offset: usize,
    pub limit: usize,
    pub fields: &'a [&'a str],
}

/// The page and the exact number of all.
pub async fn page<T>(search: &SearchClient, query: ListQuery<'_>) -> ApiResult<(Vec<T>, usize)>
where
    T: DeserializeOwned + Send + Sync + 'static,
{
    let index = search.index(query.index.uid());
    let filter = query.filter.to_expression();
    // A server visits every hit before the page, all of them for a page past the last.
    if search.is_remote() && query.offset > deep::NEAR {
        let mut request = SearchQuery::new(&index);
        request.with_limit(0);
        if let Some(filter) = &filter {
            request.with_filter(filter);
        }
        let whole: Found<IgnoredAny> = search.search(query.index.uid(), &request).await?;
        if whole.total <= query.offset {
            return Ok((Vec::new(), whole.total));
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

/// The documents with these ids, in the order of the ids; those that are gone are left out.
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

/// Whether anything in the index meets the condition.
pub async fn exists(search: &SearchClient, index: IndexName, condition: Filter) -> ApiResult<bool> {
    let index = search.index(index.uid());
    let filter = condition.to_string();
    let found = SearchQuery::new(&index).with_filter(&filter).with_limit(0).build().execute::<IgnoredAny>().await?;
    Ok(found.estimated_total_hits.unwrap_or_default() > 0)
}
