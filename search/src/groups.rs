//! Models, categories and playlists that match a query, searched in the same round trip as the videos.

use lantern_config::{Config, Gender};
use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    index::{
        CategoryCard, CategoryDoc, Found, Hit, ModelCard, ModelDoc, PlaylistCard, PlaylistDoc, Reader, VideoQuery,
        category_card,
    },
    request::SearchRequest,
};

/// Matching models, categories and playlists, best first.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Groups {
    /// Models.
    pub models: Vec<ModelCard>,
    /// Categories.
    pub categories: Vec<CategoryCard>,
    /// Public playlists.
    pub playlists: Vec<PlaylistCard>,
}

const CATEGORY_FIELDS: [&str; 2] = ["dir", "total"];

/// Returns the engine queries whose results [`read`] expects: models for `names`, the query as names match it, and the others for its
/// language variants. Categories are searched by their titles in the visitor's language. Categories found by their titles in other
/// languages are only the fallback, because similar words in another language may mean something else.
pub fn queries<'a>(
    config: &Config,
    gender: Gender,
    (names, readings): (&'a str, &'a [String]),
    titles: &'a [String],
) -> [VideoQuery<'a>; 4] {
    let own = readings[0].as_str();
    let other = readings.get(1).map_or(own, String::as_str);
    let search_on = titles.iter().map(String::as_str).collect();
    let few = |index, text, fields, filter| VideoQuery {
        index,
        text: Some(text),
        limit: config.listing.group_items,
        fields,
        counts: &[],
        exact: false,
        ..VideoQuery::new(filter)
    };
    let of_gender = Filter::eq("gender", gender.as_str()).and(Filter::gt("total_videos", 0));
    let with_videos = Filter::gt(format!("total.{gender}"), 0);
    [
        few(IndexName::Models, names, ModelDoc::fields(), of_gender.clone()),
        VideoQuery { search_on, ..few(IndexName::Categories, own, &CATEGORY_FIELDS, with_videos.clone()) },
        few(IndexName::Categories, other, &CATEGORY_FIELDS, with_videos),
        few(IndexName::Playlists, own, PlaylistDoc::fields(), of_gender),
    ]
}

/// Builds cards from the results of [`queries`].
pub async fn read(reader: &Reader, request: &SearchRequest, found: [Found<Hit>; 4]) -> ApiResult<Groups> {
    let [models, own, other, playlists] = found;
    let (names, now) = (reader.categories.current().await?, reader.now());
    let categories = if own.hits.is_empty() { other } else { own };
    let category = |found: CategoryDoc| {
        let category = names.list.iter().find(|category| category.dir == found.dir)?;
        let total = found
            .total
            .get(request.list.gender.as_str())
            .and_then(|total| usize::try_from(*total).ok())
            .unwrap_or_default();
        Some(category_card(category, names.title(&category.dir, request.lang), total))
    };
    Ok(Groups {
        models: ModelCard::list(&models.read::<ModelDoc>()?.hits, request.lang, now),
        categories: categories.read()?.hits.into_iter().filter_map(category).collect(),
        playlists: playlists.read::<PlaylistDoc>()?.hits.into_iter().map(PlaylistCard::from).collect(),
    })
}
