//! `GET /api/json/playlists/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.json`: public playlists.
//!
//! Example: `/api/json/playlists/86400/str/most-popular/60/member.7.1.json`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    changes::{Object, Shows},
    outbox::Entity,
};
use lantern_config::{Config, PlaylistSort, lifetimes};
use lantern_errors::ApiResult;
use lantern_http::{
    Segments, Totals,
    cache::CachedAnswer,
    openapi::{Doc, refusal},
};
use lantern_index::IndexName;
use lantern_listing::{ObjectList, SortWord, calls, json_name};
use lantern_search::index::{self, ListQuery, PlaylistCard, PlaylistDoc, Reader};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{existence::owner_exists, params, sources::Sources};

/// A list of playlists.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlaylistsAnswer {
    /// Playlists.
    pub playlists: Vec<PlaylistCard>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    pub totals: Totals,
}

impl Shows for PlaylistsAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.extend(self.playlists.iter().map(|card| (Entity::Playlist, card.playlist_id)));
    }
}

pub(crate) fn doc(config: &Config) -> Doc {
    Doc::read("lists", "playlists", calls::PLAYLISTS, "A list of public playlists")
        .about("Titles are written by the owners and the same in every language.")
        .takes_all([
            params::lifetime(lifetimes::LISTS),
            params::gender(),
            params::playlist_sort(),
            params::count(config),
        ])
        .takes_all(params::section([("all", ""), ("member", "1")], config))
        .takes(params::page_of_list(config))
        .answers::<PlaylistsAnswer>("A page of playlists.")
        .cached()
        .refuses(refusal(
            404,
            &[
                ("category_not_found", "playlists have no categories"),
                ("model_not_found", "playlists have no models"),
                ("channel_not_found", "playlists have no channels"),
                ("member_not_found", "no such member"),
                ("playlist_not_found", "playlists have no playlists"),
            ],
        ))
}

/// Returns public playlists. Their titles are written by the owners, so the answer is the same in every language.
pub(crate) async fn playlists(
    State(sources): State<Sources>,
    segments: Segments,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, gender, sort, count, file] = segments.take()?;
    let segments = [&*lifetime, &*gender, &*sort, &*count, json_name(&file)?];
    let list: ObjectList<PlaylistSort> = ObjectList::parse(segments, &sources.config)?;
    get(&sources, list).await?.respond(&headers)
}

/// Returns a page of public playlists.
pub async fn get(sources: &Sources, list: ObjectList<PlaylistSort>) -> ApiResult<CachedAnswer<PlaylistsAnswer>> {
    let (Sources { cache, pool, reader, .. }, lifetime) = (sources.clone(), list.lifetime);
    cache.get(&list.canonical(), lifetime, async move { load(&pool, &reader, &list).await }).await
}

async fn load(pool: &PgPool, reader: &Reader, list: &ObjectList<PlaylistSort>) -> ApiResult<PlaylistsAnswer> {
    let query = ListQuery {
        index: IndexName::Playlists,
        filter: list.filter(),
        sort: list.sort.keys(),
        offset: list.offset(),
        limit: list.count as usize,
        fields: PlaylistDoc::fields(),
    };
    let (found, total_count) = index::page::<PlaylistDoc>(&reader.search, query).await?;
    if total_count == 0 {
        owner_exists(pool, &reader.search, &list.section).await?;
    }
    Ok(PlaylistsAnswer {
        totals: Totals::new(total_count, list.count, found.len(), "playlists_not_found"),
        playlists: found.into_iter().map(PlaylistCard::from).collect(),
    })
}
