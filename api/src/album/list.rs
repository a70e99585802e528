//! `GET /api/json/albums/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.json`: public albums.
//!
//! Example: `/api/json/albums/86400/str/top-rated/60/categories.travel.1.json?lang=ja`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    changes::{Object, Shows},
    outbox::Entity,
};
use lantern_config::{AlbumSort, Config, Lang, lifetimes};
use lantern_errors::ApiResult;
use lantern_http::{
    Query, Segments, Totals,
    cache::CachedAnswer,
    openapi::{Doc, invalid, refusal},
};
use lantern_index::IndexName;
use lantern_listing::{ObjectList, Section, SortWord, calls, json_name};
use lantern_search::index::{self, AlbumCard, AlbumDoc, ListQuery, Reader};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{
    existence::{categories_exist, owner_exists},
    params,
    sources::Sources,
};

/// A list of albums.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlbumsAnswer {
    /// Albums.
    pub albums: Vec<AlbumCard>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    pub totals: Totals,
}

impl Shows for AlbumsAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.extend(self.albums.iter().map(|card| (Entity::Album, card.album_id)));
    }
}

pub(crate) fn doc(config: &Config) -> Doc {
    let sections = [("all", ""), ("categories", "city-nights"), ("model", "yuka-matsumoto"), ("member", "1")];
    Doc::read("lists", "albums", calls::ALBUMS, "A list of photo albums")
        .takes_all([params::lifetime(lifetimes::LISTS), params::gender(), params::album_sort(), params::count(config)])
        .takes_all(params::section(sections, config))
        .takes_all([params::page_of_list(config), params::lang()])
        .answers::<AlbumsAnswer>("A page of albums.")
        .cached()
        .refuses(refusal(
            404,
            &[
                ("category_not_found", "no such category"),
                ("model_not_found", "no such model"),
                ("channel_not_found", "albums have no channels"),
                ("member_not_found", "no such member"),
                ("playlist_not_found", "albums have no playlists"),
            ],
        ))
        .refuses(invalid())
}

pub(crate) async fn albums(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, gender, sort, count, file] = segments.take()?;
    let segments = [&*lifetime, &*gender, &*sort, &*count, json_name(&file)?];
    let list: ObjectList<AlbumSort> = ObjectList::parse(segments, &sources.config)?;
    get(&sources, list, query.lang()?).await?.respond(&headers)
}

/// Returns a page of albums.
pub async fn get(sources: &Sources, list: ObjectList<AlbumSort>, lang: Lang) -> ApiResult<CachedAnswer<AlbumsAnswer>> {
    let key = format!("{}?{lang}", list.canonical());
    let (Sources { cache, pool, reader, .. }, lifetime) = (sources.clone(), list.lifetime);
    cache.get(&key, lifetime, async move { load(&pool, &reader, &list, lang).await }).await
}

async fn load(pool: &PgPool, reader: &Reader, list: &ObjectList<AlbumSort>, lang: Lang) -> ApiResult<AlbumsAnswer> {
    let names = reader.categories.current().await?;
    if let Section::Categories(dirs) = &list.section {
        categories_exist(&reader.categories, dirs).await?;
    }
    let query = ListQuery {
        index: IndexName::Albums,
        filter: list.filter(),
        sort: list.sort.keys(),
        offset: list.offset(),
        limit: list.count as usize,
        fields: AlbumDoc::fields(),
    };
    let (found, total_count) = index::page::<AlbumDoc>(&reader.search, query).await?;
    if total_count == 0 {
        owner_exists(pool, &reader.search, &list.section).await?;
    }
    Ok(AlbumsAnswer {
        totals: Totals::new(total_count, list.count, found.len(), "albums_not_found"),
        albums: found.into_iter().map(|album| AlbumCard::new(album, &names, lang)).collect(),
    })
}
