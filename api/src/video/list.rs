//! `GET /api/json/videos2/…`: all listings of videos.
//!
//! Example: `/api/json/videos2/3600/str/latest-updates/60/categories.city,travel.1.hd.10-30.week.json?lang=es`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::access::Hidden;
use lantern_config::{Config, Lang, VideoSort, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query, Segments,
    cache::Answer,
    openapi::{Doc, invalid, refusal},
};
use lantern_listing::{Section, VideoList, calls, json_name};
use lantern_search::{
    exclusions::{Exclusions, ListBounds},
    index::{self, Found, Reader, VideoDoc, VideoQuery, VideosAnswer, prefer_language},
};
use sqlx::PgPool;

use super::sources::{charted, in_playlist};
use crate::{
    access::Requester,
    existence::{all_known, categories_exist, owner_exists},
    params,
    sources::Sources,
};

pub(crate) fn doc(config: &Config) -> Doc {
    let sections = [
        ("all", ""),
        ("categories", "travel"),
        ("model", "nguyen-thu-ha"),
        ("channel", "1"),
        ("member", "2"),
        ("playlist", "1"),
        ("top-country", "JP"),
    ];
    Doc::read(
        "lists", "videos2",
        calls::VIDEOS,
        "A list of videos",
    )
    .about(
        "Includes the counts of categories and models over the whole result. A playlist keeps its own order, whatever the \
         orientation; a country's chart holds the most watched videos there.",
    )
    .takes_all([params::lifetime(lifetimes::LISTS), params::gender(), params::video_sort(), params::count(config)])
    .takes_all(params::section(sections, config))
    .takes(params::page_of_list(config))
    .takes_all(params::choices())
    .takes(params::lang())
    .takes_all(params::narrowing(config))
    .answers::<VideosAnswer>("A page of videos.")
    .cached()
    .refuses(refusal(
        404,
        &[
            ("category_not_found", "no such category"),
            ("model_not_found", "no such model"),
            ("channel_not_found", "no such channel"),
            ("member_not_found", "no such member"),
            ("playlist_not_found", "no such playlist"),
        ],
    ))
    .refuses(refusal(403, &[("playlist_is_private", "only the playlist's owner may see it")]))
    .refuses(invalid())
}

pub(crate) async fn videos(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    requester: Requester,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, gender, sort, count, file] = segments.take()?;
    let segments = [&*lifetime, &*gender, &*sort, &*count, json_name(&file)?];
    let list = VideoList::parse(segments, |name| query.get(name), lifetimes::LISTS, &sources.config)?;
    get(&sources, requester, &list, query.lang()?).await?.respond(&headers)
}

/// Returns the page, as the viewer may see it.
pub async fn get(
    sources: &Sources,
    requester: Requester,
    list: &VideoList,
    lang: Lang,
) -> ApiResult<Answer<VideosAnswer>> {
    check_listing(list)?;
    let (Sources { cache, pool, reader, .. }, own) = (sources.clone(), list.clone());
    let compute = async move { listing(&pool, &reader, &own, lang, false, &ListBounds::everything()).await };
    let key = format!("videos2/{list}?{lang}{}", list.query());
    let answer = cache.get(&key, list.lifetime, compute).await;
    match list.section {
        Section::Playlist(id) => {
            requester
                .or_hidden((Hidden::Playlist, id), key, answer, async {
                    listing(&sources.pool, &sources.reader, list, lang, true, &ListBounds::everything()).await
                })
                .await
        }
        _ => answer.map(Answer::from),
    }
}

/// Returns the page without what the viewer has muted. This must not be used for playlists, because only their own call
/// checks who may see them.
pub(crate) async fn without(
    pool: &PgPool,
    reader: &Reader,
    list: &VideoList,
    lang: Lang,
    exclusions: Exclusions,
) -> ApiResult<VideosAnswer> {
    check_listing(list)?;
    if matches!(list.section, Section::Playlist(_)) {
        return Err(ApiError::NotFound("not_found"));
    }
    listing(pool, reader, list, lang, false, &exclusions.within(list)).await
}

/// Rejects relevance as the sort order, because it needs a query, and rejects searches, because they have a separate
/// call.
fn check_listing(list: &VideoList) -> ApiResult<()> {
    if list.sort == VideoSort::Relevance || list.section == Section::Search {
        return Err(ApiError::NotFound("not_found"));
    }
    Ok(())
}

/// Loads the page. Loads that of a private playlist only if `hidden` is true.
async fn listing(
    pool: &PgPool,
    reader: &Reader,
    list: &VideoList,
    lang: Lang,
    hidden: bool,
    allowed: &ListBounds,
) -> ApiResult<VideosAnswer> {
    all_known(pool, reader, &list.names).await?;
    let found = match &list.section {
        Section::TopCountry(country) if *country != reader.config.visitors.default_country => {
            charted(reader, list, country, allowed, lang).await?
        }
        Section::Playlist(id) => in_playlist(pool, reader, list, *id, hidden).await?,
        Section::Categories(dirs) => {
            categories_exist(&reader.categories, dirs).await?;
            by_sort(reader, list, allowed, lang).await?
        }
        _ => by_sort(reader, list, allowed, lang).await?,
    };
    if found.total == 0 {
        owner_exists(pool, &reader.search, &list.section).await?;
    }
    let mut answer = index::answer(reader, found, list, lang).await?;
    if let Section::Playlist(id) = list.section {
        answer.playlist = Some(id);
        for video in &mut answer.videos {
            (video.playlist_id, video.page) = (Some(id), Some(list.page));
        }
    }
    Ok(answer)
}

async fn by_sort(reader: &Reader, list: &VideoList, allowed: &ListBounds, lang: Lang) -> ApiResult<Found<VideoDoc>> {
    let sort = list.sort_keys().unwrap_or(["viewed:desc", "id:desc"]);
    let query = VideoQuery {
        sort: &sort,
        offset: list.offset(),
        limit: list.count as usize,
        ..VideoQuery::new(list.filter(reader.now()).and(allowed.filter()))
    };
    let mut found: Found<VideoDoc> = index::find(reader, query).await?;
    if sort[0] == "viewed:desc" {
        prefer_language(&mut found.hits, lang, |video| video.viewed);
    }
    Ok(found)
}
